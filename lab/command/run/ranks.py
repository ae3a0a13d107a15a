# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`--ranks=N`: one simulation in several processes, with OpenMPI (lab/doc/scale.md)."""
from __future__ import annotations

import os
import re

from .processes import LAUNCHER, TUNABLES, environment
from ..common import RccError, read_endless
from ..system import build, packages

SCENARIOS = ("clos", "workload", "ns3-rdma", "FILE.json", "trace")   # scenarios whose networks can be divided
MOST = 64
HOSTS_BYTES = 1 << 20
# Each rank runs under a shell that names the signal that ended it: mpirun names it or not, by the moment of the death. mpirun does
# not notice before the shell ends, which it does not while rank 0 keeps what the others have (lab/run/ranks/lab-rank-gateway.cc).
WATCH = '''"$0" "$@"; s=$?; [ $s -gt 128 ] || exit $s
echo "rank $OMPI_COMM_WORLD_RANK exited on signal $((s - 128))" >&2
[ -d "$RCC_RANKS_FOLDER" ] || exit $s
: > "$RCC_RANKS_FOLDER/died-$OMPI_COMM_WORLD_RANK" || exit $s; n=0
while [ ! -e "$RCC_RANKS_FOLDER/died-0" ] && { [ $n -lt 30 ] || [ -e "$RCC_RANKS_FOLDER/keeping" -a $n -lt 6000 ]; }; do
[ ! -e "$RCC_RANKS_FOLDER/kept" ] || exit 1; sleep 0.1; n=$((n + 1)); done; exit $s'''
NO_YIELD = ("--mca", "mpi_yield_when_idle", "0")   # a poll would cost another process's time slice
# On one machine: what talks to other cards than its memory is not loaded, which takes a quarter of the time of a start.
ONE_MACHINE = ("--mca", "pml", "^ucx,cm", "--mca", "btl", "^openib,uct,ofi,usnic")
DEATH = ("rank", "exited", "on", "signal")   # WATCH writes it, with a number behind the first and the last word


def add_argument(parser, scenario: str) -> None:
    if scenario in SCENARIOS:
        parser.add_argument("--ranks", metavar="N", help="processes that share one simulation, with OpenMPI; the results are the "
                            "same (default: 1)")
        parser.add_argument("--hosts-file", metavar="FILE", help="machines of a cluster for the ranks, one a line: NAME slots=N "
                            "(lab/doc/scale.md)")


def chosen(args) -> int:
    """Return the number of processes."""
    text = getattr(args, "ranks", None)
    if text is None:
        return 1
    if not re.fullmatch("[0-9]+", text) or not 1 <= int(text) <= MOST:
        raise RccError(f"--ranks={text}: expected 1 to {MOST}")
    return int(text)


def hosts(args, ranks: int) -> str:
    """Return the path of --hosts-file after a check of all lines; "" without one."""
    path = getattr(args, "hosts_file", None)
    if path is None:
        return ""
    if ranks == 1:
        raise RccError("--hosts-file needs --ranks=N with N above 1")
    try:
        lines = read_endless(path, "--hosts-file", HOSTS_BYTES, "lines of NAME slots=N").decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise RccError(f"--hosts-file={path}: expected text") from error
    slots = 0
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        found = re.fullmatch("slots=([1-9][0-9]{0,3})", words[1]) if len(words) == 2 else None
        if not found or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.:_-]*", words[0]):
            raise RccError(f"{path}:{number}: found '{line.strip()}', expected NAME slots=N")
        slots += int(found.group(1))
    if slots < ranks:
        raise RccError(f"{path}: found {slots} slots, expected at least --ranks={ranks}")
    return os.path.abspath(path)


def program(path: str) -> str:
    """Return the program for several ranks in place of the one at `path`, built if need be."""
    return build.program(f"{os.path.basename(path)}-ranks", packages.MPI, {"RCC_MPI": "ON"})


def launcher(ranks: int, hosts_file: str = "", folder: str = "", yields: bool = False) -> list:
    """Return the words before the program's. `hosts_file`: "" for this machine. `folder`: the place of files about ranks that died, on
    a file system of all machines. `yields`: a rank that waits for others leaves the processor to them."""
    if ranks == 1:
        return []
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    where = ["--hostfile", hosts_file, "-x", f"{TUNABLES}={environment()[TUNABLES]}"] if hosts_file else ["--oversubscribe", *ONE_MACHINE]
    if folder:
        os.makedirs(folder, exist_ok=True)
    deaths = ["-x", f"RCC_RANKS_FOLDER={os.path.abspath(folder)}"] if folder else []
    return [LAUNCHER, *root, *where, "--bind-to", "none", *([] if yields else NO_YIELD), *deaths, "-n", str(ranks), "/bin/sh", "-c", WATCH]


def death(lines: list) -> str:
    """Return the line about the first rank that a signal ended, which is the cause of the others; "" if there is none."""
    return next((line.strip() for line in lines if is_death(line)), "")


def is_death(line: str) -> bool:
    """True if a line is that of WATCH about a rank that a signal ended."""
    words = line.split()
    return len(words) == 6 and (words[0], *words[2:5]) == DEATH and words[1].isdigit() and words[5].isdigit()


def without_launcher(lines: list) -> list:
    """Remove the lines of mpirun and the shells about a rank that died, if the other ranks report it."""
    if not any(line.startswith("rcc: error: rank ") for line in lines):
        return lines
    kept, inside = [], False
    for line in lines:
        if re.fullmatch("-{20,}", line.strip()):
            inside = not inside
        elif not inside and not is_death(line) and line.strip() != "Killed":
            kept.append(line)
    return kept
