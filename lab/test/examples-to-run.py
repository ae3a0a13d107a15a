#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What ns-3's test.py runs of programs/, each in a few seconds: (program and arguments, run it, run it under valgrind).
A program that ends with another status than 0 has failed. The lists have no inner brackets: ns-3 reads them up to the first."""

cpp_examples = [
    ("lab-experiment --links=h0-s0,h1-s0,h2-s0 --flows=h0-h2:count=8,h1-h2:count=8 --time=2ms", "True", "True"),
    ("lab-experiment --links=h0-s0,h1-s0,h2-s0 --flows=h0-h2:size=100KB,h1-h2:size=100KB --cc=dcqcn-plus --time=5ms", "True", "False"),
    ("lab-experiment --links=h0-s0,h1-s0,h2-s0 --flows=h0-h2:count=8,h1-h2:count=8 --cc=dcqcn-plus-share --time=2ms", "True", "False"),
    ("lab-experiment --links=h0-s0,h1-s0,h2-s0 --flows=h0-h2:count=8,h1-h2:count=8 --cc=qcn --time=2ms", "True", "False"),
    ("lab-experiment --links=h0-s0,h1-s0,h2-s0 --flows=h0-h2:count=8,h1-h2:count=8 --cc=hpcc --time=2ms", "True", "False"),
    ("lab-experiment --links=h0-s0,h1-s0,h2-s0,h3-s0 --arrivals=web-search:0.5 --time=2ms", "True", "False"),
    ("lab-experiment --links=h0-s0,h1-s0,h2-s0,h3-s0 --collective=all-reduce:size=100KB", "True", "False"),
    ("lab-experiment --links=h0-s0,h1-s0,h2-s0 --cioq --flows=h0-h2,h1-h2 --cc=qcn --rate=10Gbps --time=2ms", "True", "False"),
    ("lab-tcp-beside-rdma --tcp=1 --rdma=1 --time=2ms", "True", "False"),
]

python_examples = []
