#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What ns-3's test.py runs of examples/, each in a few seconds: (program and arguments, run it, run it under valgrind).
A program that ends with another status than 0 has failed."""

cpp_examples = [
    ("incast --flows=16 --start=100us --time=2ms", "True", "True"),
    ("incast --cc=dcqcn-plus --flows=8 --size=100KB --start=100us --time=5ms", "True", "False"),
    ("incast --cc=dcqcn-plus-share --flows=8 --start=100us --time=2ms", "True", "False"),
    ("incast --cc=qcn --flows=8 --start=100us --time=2ms", "True", "False"),
    ("clos --k=4 --cores=2 --senders=8 --receivers=2 --start=100us --time=1ms", "True", "False"),
    ("convergence --starts=0s,1ms,2ms --time=5ms", "True", "False"),
    ("workload --time=2ms", "True", "False"),
    ("fan-in --flow=0:7,1:7 --time=2ms", "True", "False"),
    ("capacity --capacity=0s:1Gbps,2ms:0.2Gbps --time=10ms", "True", "False"),
    ("testbed --time=1ms", "True", "False"),
    ("collective --size=100KB", "True", "False"),
    ("tcp-beside-rdma --tcp=1 --rdma=1 --time=2ms", "True", "False"),
    ("rdma-traces --flows=4 --size=100KB", "True", "True"),
    ("ns3-rdma --help", "True", "False"),
    ("ns3-rdma-own-main --help", "True", "False"),
]

python_examples = []
