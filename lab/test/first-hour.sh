#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
# A new user's first hour, in a fresh clone: run it in the clone's top folder. Every step is a command of README or doc/, some with
# a shorter time. Ends at the first step that fails. `./rcc test --only first-hour` runs it in a copy of the project.
set -e
step() { echo "== $*"; }

step "README: what there is, and a first run"
./rcc --version
./rcc help run incast | grep -q -- --flows
./rcc run incast --flows=80 --time=5ms --out=out/hour/first
test -s out/hour/first/report.html && test -s out/hour/first/summary.json

step "the tutorial: one parameter, two runs, a comparison"
./rcc algorithms dcqcn | grep -q r_ai
./rcc run incast --cc=dcqcn --flows=80 --time=5ms --no-plots --out=out/hour/base
./rcc run incast --cc=dcqcn --flows=80 --time=5ms --no-plots --set dcqcn.r_ai=10Mbps --out=out/hour/slow
./rcc compare out/hour/base out/hour/slow --no-plots --out=out/hour/compare | grep -q r_ai

step "a parameter study: a grid, with intervals; more points later"
./rcc sweep incast --flows=8,40 --cc=dcqcn,dcqcn:cx4,dcqcn+ --seed=1-3 --time=2ms --no-plots --out=out/hour/sweep
./rcc sweep incast --flows=8,40,80 --cc=dcqcn,dcqcn:cx4,dcqcn+ --seed=1-3 --time=2ms --no-plots --out=out/hour/sweep
test "$(wc -l < out/hour/sweep/intervals.csv)" -gt 9

step "an algorithm of one's own: one file and one line"
cp examples/own-algorithm/dctcp_rate.c core/cc/
grep -q dctcp_rate core/cc/algorithms.def || echo 'RCC_ALGORITHM(dctcp_rate)' >> core/cc/algorithms.def
./rcc run incast --cc=dctcp-rate,dcqcn --flows=40 --time=5ms --ack-every=1 --no-plots --out=out/hour/own

step "a main of one's own with TCP, from another ns-3 module"
./rcc build lab/test/install/tcp-main.cc
"${RCC_BUILD_DIR:-build}"/tcp-main | grep -q "^TCP 100000 bytes, RDMA [1-9][0-9]* packets$"

step "files of ns3-rdma of one's own"
./rcc generate topology star --hosts=9 --out=out/hour/topology.txt
./rcc generate workload --topology=out/hour/topology.txt --load=0.3 --time=1ms --out=out/hour/flow.txt
printf 'TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nCC_MODE 1\nSIMULATOR_STOP_TIME 2.01\n' > out/hour/config.txt
./rcc ns3-rdma out/hour/config.txt --cc=dcqcn,timely --no-plots --out=out/hour/files
./rcc fct out/hour/files/dcqcn/fct.txt out/hour/files/timely/fct.txt

step "a capture, read back"
./rcc run incast --pcap --flows=16 --time=5ms --no-plots --out=out/hour/capture
./rcc pcap out/hour/capture/dcqcn/receiver.pcap --no-plots --out=out/hour/pcap | grep -q CNP
echo "the first hour passed"
