#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Lists the examples that ns-3's test.py runs, each in a few seconds: (program and arguments, run it, run it under valgrind).
A program that ends with another status than 0 has failed."""

cpp_examples = [
    ("incast", "True", "True"),
    ("clos", "True", "False"),
    ("mixed-algorithms", "True", "False"),
    ("mixed-algorithms --all", "True", "False"),
    ("ns3-rdma", "True", "True"),
    ("trace-and-pcap", "True", "True"),
]

python_examples = []
