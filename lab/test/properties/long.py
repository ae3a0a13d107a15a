#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Long runs, whose accounts must be exact at their end and whose memory must not grow:

    python3 lab/test/properties/long.py BUILD_FOLDER PACKETS [FLOWS [ALGORITHM ...]]

PACKETS in all, of FLOWS (8) messages into one port, under each ALGORITHM (dcqcn), with all invariants checked at every row of the
series. After each run: the receiver got every packet once and every byte, nothing is dropped, every flow has ended, and the memory of
the second half is that of the first quarter. A queue pair's PSNs wrap after 2^24 packets."""
from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import List, NamedTuple, Tuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
from command.common import RccError  # noqa: E402
from command.run import simulation  # noqa: E402

PAYLOAD = 1000               # bytes
HEADERS = 62                 # bytes of a data frame beside its payload; qcn has a CN-TAG
CN_TAG = 4
GROWTH = 4 << 20             # bytes: the series have up to 4000 rows, and pages are touched late
RATE = 40e9
PSNS = 1 << 24


class Outcome(NamedTuple):
    run: dict           # run.json
    memory: List[Tuple[float, int]]   # CPU seconds that it had used, and resident bytes
    cpu_s: float
    wrong: List[str]


def used(pid: int) -> Tuple[float, int]:
    """CPU seconds and resident bytes of a process; zeros if it is gone. A busy machine does not change what a second of them does."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
            found = f.read().rpartition(")")[2].split()
        return (int(found[11]) + int(found[12])) / os.sysconf("SC_CLK_TCK"), int(found[21]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0.0, 0


def parts(memory: List[Tuple[float, int]]) -> Tuple[int, int]:
    """The most bytes up to the end of the first quarter of the CPU time and from its half on; zeros of a run that is too short to say."""
    if len(memory) < 8:
        return 0, 0
    whole = memory[-1][0]
    early = next(i for i, (cpu, _) in enumerate(memory) if cpu >= whole / 4)
    return max(size for _, size in memory[:early + 1]), max(size for cpu, size in memory if cpu >= whole / 2)


def growth(memory: List[Tuple[float, int]]) -> int:
    """Bytes by which the second half exceeds the first quarter; 0 of a run that is too short to say."""
    early, late = parts(memory)
    return late - early


def accounts(run: dict, packets: int, flows: int) -> List[str]:
    """List the wrong figures of a run that ended."""
    each = packets // flows
    frame = PAYLOAD + HEADERS + (CN_TAG if run["cc"] == "qcn" else 0)
    wanted = {"packets_delivered": each * flows, "bytes_delivered": each * flows * frame, "packets_dropped": 0, "naks": 0,
              "timeouts": 0, "partial": False, "warnings": []}
    found = [f"{key}: {run.get(key)}, expected {value}" for key, value in wanted.items() if run.get(key) != value]
    if run["packets_sent"] != run["packets_delivered"]:
        found.append(f"packets_sent: {run['packets_sent']}, delivered {run['packets_delivered']}")
    if (run.get("fct") or {}).get("count") != flows:
        found.append(f"fct: {run.get('fct')}, expected {flows} flows that ended")
    return found


def simulate(build: str, packets: int, flows: int, cc: str) -> Outcome:
    """Run it to its end, looking at its memory. `build`: folder of the program."""
    each = packets // flows
    time_s = max(1.0, 3 * packets * (PAYLOAD + HEADERS) * 8 / RATE)   # a run ends when its flows have ended
    with tempfile.TemporaryDirectory(prefix="rcc-long-") as folder:
        words = [f"--flows={flows}", f"--size={each * PAYLOAD}", f"--mtu={PAYLOAD}", f"--cc={cc}", f"--time={time_s:.3f}s",
                 "--start=1ms", "--check-invariants", "--out=" + os.path.join(folder, "out")]
        try:
            made = simulation.of_scenario("incast", words)
        except RccError as error:
            return Outcome({}, [], 0.0, [f"status {error.status}: {error}"])
        made.write(os.path.join(folder, "run-file"))
        words = [os.path.join(build, simulation.PROGRAM), *made.words(os.path.join(folder, "run-file"))]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        memory: List[Tuple[float, int]] = []
        with open(os.path.join(folder, "messages"), "w+", encoding="utf-8") as messages:
            with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages) as process:
                while process.poll() is None:
                    memory.append(used(process.pid))
                    time.sleep(min(1.0, 0.02 * len(memory)))
                status = process.returncode
            messages.seek(0)
            text = messages.read().strip()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        run = made.finish(folder, "out")
        if status or not run:
            return Outcome({}, memory, cpu, [f"status {status}: {text[-2000:]}"])
    memory = [one for one in memory if one[1]]
    wrong = accounts(run, packets, flows)
    if growth(memory) > GROWTH:
        wrong.append(f"memory grew by {growth(memory)} bytes")
    return Outcome(run, memory, cpu, wrong)


def main(words: list) -> int:
    build, packets = os.path.abspath(words[0]), int(float(words[1]))
    flows = int(words[2]) if len(words) > 2 else 8
    failed = 0
    for cc in words[3:] or ["dcqcn"]:
        done = simulate(build, packets, flows, cc)
        failed += bool(done.wrong)
        size = [f"{size / 2 ** 20:.2f}" if size else "?" for size in parts(done.memory)]
        print(f"{cc}: {done.run.get('packets_delivered')} packets in {flows} queue pairs, PSNs wrapped {packets // flows // PSNS} times in "
              f"each, {done.cpu_s:.0f} s of CPU time, {size[0]} MiB in the first quarter and {size[1]} in the second half: "
              + ("; ".join(done.wrong) or "accounts exact"), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
