#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The programs of lab/run that ns-3's test.py runs, each in a few seconds: (program and arguments, run it, run it under valgrind).
A program that ends with another status than 0 has failed. The lists have no inner brackets: ns-3 reads them up to the first. It starts the
programs in testpy-output/TIME of the tree."""

cpp_examples = [
    ("rcc-bench --packets-only ../../contrib/rcc-run/test/golden/incast.run", "True", "True"),
    ("rcc-bench --packets-only ../../contrib/rcc-run/test/golden/dcqcn-plus.run", "True", "False"),
    ("rcc-bench --packets-only ../../contrib/rcc-run/test/golden/arrivals.run", "True", "False"),
    ("rcc-bench --packets-only ../../contrib/rcc-run/test/golden/hpcc-files.run", "True", "False"),
    ("rcc-catalog", "True", "False"),
]

python_examples = []
