# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The request of a command: the scenario by the name that its user knows, and the options that the command and the scenario set."""
from __future__ import annotations

import shlex
from typing import NamedTuple, Optional

from ... import units
from ...common import RccError

TESTBED = "testbed"


class Asked(NamedTuple):
    scenario: str
    given: dict      # name -> text


def words_of(command: str) -> list:
    try:
        return shlex.split(command)
    except ValueError:   # an unmatched quotation mark: not of this command
        return []


def options_of(words: list) -> dict:
    """Return --name=value, --name value and flags; what is given several times is joined as the programs get it."""
    found: dict = {}
    for at, word in enumerate(words):
        if not word.startswith("--"):
            continue
        name, equal, value = word[2:].partition("=")
        if not equal:
            following = words[at + 1] if at + 1 < len(words) else ""
            value = following if following and not following.startswith("--") else "yes"
        found[name] = f"{found[name]},{value}" if name in found else value
    return found


def is_testbed(run: dict) -> bool:
    """Return whether a run is of a scenario that testbeds make, or of one without a name."""
    from ...run.scenarios import SCENARIOS
    name = run.get("scenario")
    return name == TESTBED or isinstance(name, str) and name in SCENARIOS and SCENARIOS[name].program == TESTBED


def names_file(command: str) -> bool:
    """Return whether a command runs the experiment of a file."""
    return "".join(words_of(command)[2:3]).endswith(".json")


def read_command(command: str, run: Optional[dict] = None, options: Optional[dict] = None) -> Asked:
    """Read `./rcc run NAME ...` or a sweep; a command that is none of a scenario has the name that its program gave the run. `options`: in
    place of the command's, such as those of a point of a sweep."""
    from ...run.scenarios import SCENARIOS, pairs
    words = words_of(command)
    what = words[2] if len(words) > 2 and words[1] in ("run", "sweep") else ""
    name = what if what in SCENARIOS else words[1] if words[1:2] == ["ns3-rdma"] else str((run or {}).get("scenario") or "")
    own = {key[2:]: value or "yes" for key, value in pairs(SCENARIOS[name].words).items()} if what in SCENARIOS else {}
    return Asked(name, {**own, **(options_of(words) if options is None else options)})


def usual_time(run: dict) -> Optional[float]:
    """Return the simulated time that a run's scenario has by default, s; None of another network than the scenario's own."""
    from ...run.scenarios import SCENARIOS, pairs
    name = str(run.get("scenario"))
    if name not in SCENARIOS:
        return None
    own = pairs(SCENARIOS[name].words).get("--time") or next(
        (one["default"] for one in SCENARIOS[name].described() if one["name"] == "time"), "")
    try:
        return units.value_of(own) if own else None
    except RccError:
        return None
