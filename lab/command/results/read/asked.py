# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What a command asked for: the scenario by the name that its user knows, and the value of each of its options."""
from __future__ import annotations

import shlex
from typing import NamedTuple, Optional

from ... import units
from ...common import RccError


TESTBED = "testbed"
NETWORK = {"links": "nodes", "flows": "hosts"}   # lists of an experiment: the key of an item's pattern. Their defaults are what is unset


class Asked(NamedTuple):
    """`given`: the options that the command and its scenario set; `defaults`: of the scenario's program."""
    scenario: str
    given: dict
    defaults: dict

    def text(self, name: str) -> str:
        return self.given.get(name) or self.defaults.get(name) or ""

    def value(self, name: str) -> Optional[float]:
        """A number in bits, bytes, seconds or counts; None where there is none."""
        try:
            return units.value_of(self.text(name)) if self.text(name) else None
        except RccError:
            return None


def words_of(command: str) -> list:
    try:
        return shlex.split(command)
    except ValueError:   # an unmatched quotation mark: not of this command
        return []


def options_of(words: list) -> dict:
    """--name=value, --name value and flags; what is given several times is joined as the programs get it."""
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


def described(name: str, program: str) -> list:
    """The options of a scenario, or of a program."""
    from ...run.options import of_program
    from ...run.scenarios import SCENARIOS
    return SCENARIOS[name].described() if name in SCENARIOS else of_program(program)


def _of_scenario(name: str, program: str) -> tuple:
    """(options that the scenario sets, defaults of its program)"""
    from ...run.scenarios import SCENARIOS, pairs
    own = {key[2:]: value or "yes" for key, value in pairs(SCENARIOS[name].words).items()} if name in SCENARIOS else {}
    return own, {option["name"]: option["default"] or (option["unset"] if option["name"] in NETWORK else "")
                 for option in described(name, program)}


def is_testbed(run: dict) -> bool:
    """Whether a run is of a scenario that testbeds make, or of one without a name."""
    from ...run.scenarios import SCENARIOS
    name = run.get("scenario")
    return name == TESTBED or isinstance(name, str) and name in SCENARIOS and SCENARIOS[name].program == TESTBED


def names_file(command: str) -> bool:
    """True if a command runs the experiment of a file."""
    return "".join(words_of(command)[2:3]).endswith(".json")


def of(command: str, run: Optional[dict] = None, options: Optional[dict] = None) -> Asked:
    """Of `./rcc run NAME ...` or a sweep; a command that is none of a scenario has the name that its program gave the run. `options`: in
    place of the command's, such as those of a point of a sweep."""
    from ...run.scenarios import SCENARIOS
    words = words_of(command)
    program = str((run or {}).get("scenario") or "")
    what = words[2] if len(words) > 2 and words[1] in ("run", "sweep") else ""
    name = what if what in SCENARIOS else words[1] if len(words) > 1 and words[1] == "ns3-rdma" else program
    own, defaults = _of_scenario(name, program)
    if what not in SCENARIOS:   # which has another network than its program's own
        own, defaults = ({key: value for key, value in one.items() if key not in NETWORK} for one in (own, defaults))
    attributes = (run or {}).get("attributes")
    rate = attributes.get("QbbNetDevice.DataRate") if isinstance(attributes, dict) else None
    own = {**own, "rate": rate} if isinstance(rate, str) else own   # the attribute and the option are one
    return Asked(name, {**own, **(options_of(words) if options is None else options)}, defaults)


def usual_time(run: dict) -> Optional[float]:
    """Return the simulated time that a run's scenario has by default, s."""
    name = str(run.get("scenario"))
    own, defaults = _of_scenario(name, name)
    text = own.get("time") or defaults.get("time")
    try:
        return units.value_of(text) if text else None
    except RccError:
        return None
