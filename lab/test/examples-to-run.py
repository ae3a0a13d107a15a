#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What ns-3's test.py runs of programs/, each in a few seconds: (program and arguments, run it, run it under valgrind).
A program that ends with another status than 0 has failed."""

cpp_examples = [
    ("lab-experiment --links=h[0-3]-s0 --flows=h[0-2]-h3:count=8:within=100us --time=2ms", "True", "True"),
    ("lab-experiment --links=h[0-3]-s0 --flows=h[0-2]-h3:count=8:within=100us:size=100KB --cc=dcqcn-plus --time=5ms", "True", "False"),
    ("lab-experiment --links=h[0-3]-s0 --flows=h[0-2]-h3:count=8:within=100us --cc=dcqcn-plus-share --time=2ms", "True", "False"),
    ("lab-experiment --links=h[0-3]-s0 --flows=h[0-2]-h3:count=8:within=100us --cc=qcn --time=2ms", "True", "False"),
    ("lab-experiment --links=h[0-3]-s0 --arrivals=web-search:0.5 --time=2ms", "True", "False"),
    ("lab-experiment --links=h[0-3]-s0 --collective=all-reduce:size=100KB", "True", "False"),
    ("lab-experiment --links=h[0-3]-s0 --cioq --flows=h[0-1]-h3 --cc=qcn --rate=10Gbps --time=2ms", "True", "False"),
    ("lab-tcp-beside-rdma --tcp=1 --rdma=1 --time=2ms", "True", "False"),
    ("lab-ns3-rdma --help", "True", "False"),
    ("lab-ns3-rdma-own-main --help", "True", "False"),
]

python_examples = []
