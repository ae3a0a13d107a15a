#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# What ns-3's ./test.py runs of the examples: (command line, whether to run it, whether to run it under valgrind).
# ns3-rdma is not among them: it needs input files.
cpp_examples = [
    ("incast --flows=40 --time=2ms --start=1ms", "True", "True"),
    ("clos --flows=40 --time=1ms --start=0.5ms", "True", "False"),
    ("convergence --starts=0s,1ms,2ms --time=5ms", "True", "False"),
    ("workload --time=1ms", "True", "False"),
    ("fan-in --flow=0:4,1:4,2:4 --time=2ms", "True", "False"),
    ("capacity --capacity=0s:1Gbps,2ms:0.5Gbps --time=5ms", "True", "False"),
    ("tcp-beside-rdma --time=5ms", "True", "False"),
]
python_examples = []
