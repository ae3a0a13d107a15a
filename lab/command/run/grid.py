# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The grid of a sweep: every combination of the values that its options list. A point of the grid is one simulation."""
from __future__ import annotations

import contextlib
import functools
import itertools
import json
import re
from typing import NamedTuple

from . import experiments, scenario_options, scenarios, simulation, specs
from .scenarios import SCENARIOS
from .. import units
from ..common import RccError, refuse_twice
from ..results.read import asked

UNITS = {"TIME": "time", "RATE": "rate", "BYTES": "size", "RATIO": "ratio", "N": "count"}
MOST_POINTS = 100_000
NAME_LENGTH = 120
OF_EACH = re.compile(":(size|stop|count|qps|repeat)=")    # flows whose groups do not say what each one got


class Axis(NamedTuple):
    """One option and its values, as text in one form."""
    name: str        # an option, ALGORITHM.PARAMETER, or TYPE.ATTRIBUTE, whose first letter is a capital
    values: list
    owner: str = ""  # the algorithm, if it is a parameter: points of other algorithms do not have it


class Point(NamedTuple):
    """One simulation: everything that the command gives, so that equal points are known as equal in every later sweep."""
    scenario: str
    spec: specs.Spec
    seed: int
    values: tuple    # (name, text) of the other options, and of parameters

    @property
    def parameters(self) -> dict:
        """The row of the point in tables: name -> text."""
        return {"cc": self.spec.label, **dict(self.values), "seed": str(self.seed)}

    @property
    def name(self) -> str:
        """A file's name that describes the point; the sum at its end distinguishes long or odd names."""
        import hashlib  # here, as in points.py: a single run has no points
        text = json.dumps(self.parameters, sort_keys=True)
        words = ",".join(f"{key}={value}" for key, value in self.parameters.items())
        return re.sub(r"[^\w.,=+:-]", "_", words)[:NAME_LENGTH] + "-" + hashlib.sha256(text.encode()).hexdigest()[:10]

    @property
    def options(self) -> list:
        """The options of the command, as options of the program."""
        plain = [f"--{name}" + (f"={text}" if text else "") for name, text in self.values if "." not in name]
        lists = {"set": [], "attr": []}   # type: dict
        for name, text in self.values:
            if "." in name:
                lists["attr" if name[0].isupper() else "set"].append(f"{name}={text}")
        return [*plain, *(f"--{name}={','.join(items)}" for name, items in lists.items() if items)]

    @property
    def needs_flows(self) -> bool:
        """True if its answer needs a value of each flow, which is not in the summary: several flows of a group, or flows with ends."""
        scenario = SCENARIOS[self.scenario]
        given = scenarios.pairs([*scenario.words, *self.options])
        return scenario.program == asked.TESTBED and ("--arrivals" in given or "--incasts" in given
                                                      or OF_EACH.search(given.get("--flows", "")) is not None)

    def words(self) -> list:
        """Return the options of the program, with those that make the scenario."""
        scenario = SCENARIOS[self.scenario]
        words = self.spec.words(scenario.merge_options(self.options, self.spec.cc)) + [f"--seed={self.seed}"]
        return experiments.words(scenario.program, words)

    def simulation(self) -> simulation.Simulation:
        """Return the simulation of the point. Raises RccError."""
        return simulation.Simulation(experiments.program(SCENARIOS[self.scenario].program), self.words())


def seeds(text: str) -> list:
    """Read seeds such as 1-10 or 1,2,5-7: whole numbers from 0 on, each once. Raises RccError."""
    found: list = []
    for part in text.split(","):
        ends = re.fullmatch(r"\s*([0-9]{1,18})\s*(?:-\s*([0-9]{1,18})\s*)?", part)
        if not ends:
            raise RccError(f"--seed={text}: expected whole numbers such as 1, 1-10 or 1,2,5-7")
        low, high = int(ends.group(1)), int(ends.group(2) or ends.group(1))
        if high < low or high - low >= 10_000:
            raise RccError(f"--seed={text}: expected a range of at most 10000 seeds, the lower one first")
        found += range(low, high + 1)
    return refuse_twice(f"--seed={text}", found)


def split(option, text: str) -> list:
    """Split the values of one option: at | in any option, and at commas in options whose values hold none."""
    parts = text.split("|")
    if not option.commas:
        parts = [word for part in parts for word in part.split(",")]
    values = [part.strip() for part in parts]
    if not all(values):
        raise RccError(f"--{option.name}={text}: a value is missing; expected {option.metavar}, or several separated by commas")
    return refuse_twice(f"--{option.name}={text}", [one_form(option, value) for value in values])


def one_form(option, text: str) -> str:
    """Return a value in the one form that equal values have; a value without unit stays. Raises RccError for a wrong value."""
    unit = UNITS.get(option.metavar) if not option.repeat else None
    found = units.canonical(unit, text, f"--{option.name}") if unit else text
    exact = unit != "time" or found == "0" or not found[-1].isdigit()
    return found if exact else scenario_options.for_people(scenario_options.smallest("time", text) or 0)   # a program wants a time's unit


def usual(scenario: str, given: dict) -> dict:
    """Return the value of each option for a point that does not give it: its default in one form, as the scenario derives it.
    `given`: name -> text."""
    return _usual(scenario, specs.parse(given["cc"]).cc, tuple(pair for pair in given.items() if pair[0] not in ("cc", "seed")))


@functools.lru_cache(maxsize=4096)
def _usual(name: str, cc: str, given: tuple) -> dict:
    scenario = SCENARIOS[name]
    options = [f"--{key}" + (f"={text}" if text else "") for key, text in given if "." not in key]
    words = scenarios.pairs(scenario.merge_options(options, cc))
    made = {**scenarios.pairs(scenario.shown), **fitted(scenario.program, words), **words}
    found = {}
    by_name = {one["name"]: one for one in scenario.described()}
    for option in scenario.options:
        described = by_name[option.name]
        texts = [made.get("--" + option.name), described["unset"], described["default"]]
        found[option.name] = next(filter(None, texts), "")
        for text in filter(None, texts):   # "1434, a frame of 1500" is 1434
            with contextlib.suppress(RccError):
                found[option.name] = one_form(option, text)
                break
    return found


def fitted(program: str, words: dict) -> dict:
    """Return a scenario's own options whose times depend on --time, as "--name": text."""
    maker = experiments.MAKERS.get(program)
    own = maker.own if maker else []
    names = {"--" + option.name for option in own}
    given, others = ({key[2:]: text or "yes" for key, text in words.items() if (key in names) == mine} for mine in (True, False))
    with contextlib.suppress(RccError):
        values = scenario_options.Values(own, given, others, maker.defaults if maker else {})
        return {"--" + option.name: values.text[option.name] for option in own if option.fits}
    return {}    # the program refuses these values


def listed(texts: list, option: str, form: str) -> dict:
    """Read the lists of --set or --attr: {name: values}. NAME=1/256,1/16 lists values of one, NAME=1/16,OTHER=1/128 sets two."""
    found: dict = {}
    for text in texts:
        name = ""
        for part in text.split(","):
            head, equal, value = part.partition("=")
            if equal and "." in head:
                name, part = head.strip(), value
            if not name or not part.strip():
                raise RccError(f"--{option}={text}: expected {form}=VALUE, or =VALUE,VALUE for several")
            found.setdefault(name, []).append(part.strip())
    return found


def settings(texts: list) -> list:
    """List the axes of --set, each for one algorithm."""
    found: dict = {}
    for name, values in listed(texts, "set", "ALGORITHM.PARAMETER").items():
        owner, _, parameter = name.partition(".")
        found.setdefault(f"{specs.canonical(owner)}.{parameter}", []).extend(values)
    return [Axis(name, refuse_twice(f"--set {name}", values), name.partition(".")[0]) for name, values in found.items()]


def attributes(texts: list) -> list:
    """List the axes of --attr. A type's name begins with a capital, as in ns-3."""
    found: dict = {}
    for name, values in listed(texts, "attr", "TYPE.NAME").items():
        name = name[len("ns3::"):] if name.startswith("ns3::") else name
        if not name[0].isupper():
            raise RccError(f"--attr={name}: expected TYPE.NAME=VALUE, such as QbbSwitch.EgressAlpha=2")
        found.setdefault(name, []).extend(values)
    return [Axis(name, refuse_twice(f"--attr {name}", values)) for name, values in found.items()]


def axes(options: list, given: dict) -> list:
    """List the axes of the command's options. `given`: name -> text, True for a flag, a list for what can be repeated."""
    found = []
    for option in options:
        value = given.get(option.name)
        if option.name == "seed" or not value:
            if value == "" or isinstance(value, list):
                raise RccError(f"--{option.name}=: a value is missing; expected {option.metavar}")
            continue
        if option.name == "set":
            found += settings(value)
        elif option.name == "attr":
            found += attributes(value)
        elif option.flag:
            found.append(Axis(option.name, [""]))
        else:
            found.append(Axis(option.name, split(option, ",".join(value) if option.repeat else value)))
    return found


def points(scenario: str, algorithms: list, over: list, numbers: list) -> list:
    """List all combinations, seeds innermost."""
    count = len(algorithms) * len(numbers)
    for axis in over:
        count *= len(axis.values)
    if count > MOST_POINTS:
        raise RccError(f"{count} points; expected at most {MOST_POINTS}")
    found = []
    for spec in algorithms:
        own = [axis for axis in over if axis.owner in ("", spec.cc)]
        for values in itertools.product(*(axis.values for axis in own)):
            pairs = tuple((axis.name, value) for axis, value in zip(own, values))
            found += [Point(scenario, spec, seed, pairs) for seed in numbers]
    return found
