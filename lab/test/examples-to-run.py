#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What ns-3's test.py runs of programs/, each in a few seconds: (program and arguments, run it, run it under valgrind).
A program that ends with another status than 0 has failed."""

cpp_examples = [
    ("lab-incast --flows=16 --start=100us --time=2ms", "True", "True"),
    ("lab-incast --cc=dcqcn-plus --flows=8 --size=100KB --start=100us --time=5ms", "True", "False"),
    ("lab-incast --cc=dcqcn-plus-share --flows=8 --start=100us --time=2ms", "True", "False"),
    ("lab-incast --cc=qcn --flows=8 --start=100us --time=2ms", "True", "False"),
    ("lab-clos --k=4 --cores=2 --senders=8 --receivers=2 --start=100us --time=1ms", "True", "False"),
    ("lab-convergence --starts=0s,1ms,2ms --time=5ms", "True", "False"),
    ("lab-workload --time=2ms", "True", "False"),
    ("lab-fan-in --flow=0:7,1:7 --time=2ms", "True", "False"),
    ("lab-capacity --capacity=0s:1Gbps,2ms:0.2Gbps --time=10ms", "True", "False"),
    ("lab-testbed --time=1ms", "True", "False"),
    ("lab-collective --size=100KB", "True", "False"),
    ("lab-tcp-beside-rdma --tcp=1 --rdma=1 --time=2ms", "True", "False"),
    ("lab-ns3-rdma --help", "True", "False"),
    ("lab-ns3-rdma-own-main --help", "True", "False"),
]

python_examples = []
