#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The programs of lab/run that ns-3's test.py runs, each in a few seconds: (program and arguments, run it, run it under valgrind).
A program that ends with another status than 0 has failed. The lists have no inner brackets: ns-3 reads them up to the first."""

cpp_examples = [
    ("rcc-bench --packets-only --flows=16 --time=1000000", "True", "True"),
    ("rcc-bench --packets-only --flows=16 --time=1000000 --cc=dcqcn-plus", "True", "False"),
    ("rcc-bench --packets-only --flows=16 --time=1000000 --cc=qcn", "True", "False"),
    ("rcc-bench --packets-only --flows=16 --time=1000000 --cc=hpcc --ack=per-packet", "True", "False"),
    ("rcc-bench --packets-only --scenario=fat-tree --time=50000", "True", "False"),
    ("rcc-catalog", "True", "False"),
]

python_examples = []
