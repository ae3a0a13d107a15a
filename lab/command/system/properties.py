# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc properties`: random networks under every algorithm, with all invariants checked."""
from __future__ import annotations

import os
import sys
import time

from ..arguments import positive
from ..common import EXIT_FAILED, ROOT, RccError, duration, say
from ..registry import Command
from ..run import ranks
from . import build, packages
from .pool import Pool


def add_arguments(parser) -> None:
    parser.add_argument("--networks", metavar="N", default=50, type=positive, help="number of random networks (default: 50)")
    parser.add_argument("--first", metavar="N", default=1, type=positive, help="number of the first one, which is its seed (default: 1)")
    parser.add_argument("--ranks", action="store_true", help="instead: the same bytes of every file over 1, 2, 3 and 4 ranks, each network "
                        "under one algorithm")


def command(args) -> int:
    folder = os.path.join(ROOT, "lab", "test", "properties")
    if not os.path.isdir(folder):
        raise RccError(f"{folder}: the tests are not there", EXIT_FAILED)
    sys.path.insert(0, folder)
    count, first = args.networks, args.first
    check, jobs, algorithms = of_ranks() if args.ranks else of_networks()
    started = time.monotonic()
    failures = 0
    with Pool(jobs) as pool:
        for i, found in enumerate(pool.results(check, range(first, first + count))):
            for text in found:
                print(text, flush=True)
            failures += len(found)
            if sys.stderr.isatty() and i % 10 == 9:
                say(f"{i + 1} of {count} networks, {failures} failures")
    print(f"{count} networks x {algorithms}: {failures} failures ({duration(time.monotonic() - started)})")
    return EXIT_FAILED if failures else 0


def of_networks() -> tuple:
    """Return the check of one network, how many run at once, and a text for the algorithms."""
    import networks
    folder = os.path.dirname(os.path.abspath(build.program("rcc-run", packages.BENCH)))
    return lambda seed: networks.check(folder, seed), max(1, build.JOBS), f"{len(networks.ALGORITHMS)} algorithms"


def of_ranks() -> tuple:
    """Return the check for --ranks, one network at a time, and a text for the ranks."""
    import over_ranks
    program = os.path.abspath(build.program("rcc-run", packages.BENCH))
    ranks.program(program)
    return lambda seed: over_ranks.check(os.path.dirname(program), seed), 1, "1 to 4 ranks"


COMMAND = Command(
    description="Random networks and flows under every algorithm with all invariants checked. Each pair is also simulated a second\n"
        "time: unchanged, with an idle host or flow, beside a second network, under other node ids, or scaled in time.",
    examples=[("./rcc properties --networks=10", "ten networks"),
        ("./rcc properties --networks=1 --first=77", "network 77 again"),
        ("./rcc properties --ranks", "50 networks over 1, 2, 3 and 4 ranks")],
    add_arguments=add_arguments,
    run=command)
