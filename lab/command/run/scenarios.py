# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The scenarios that `./rcc run` knows, which scenarios.json lists. A scenario has options of its own
(scenario_options.py) and those of the program that runs it (options.py)."""
from __future__ import annotations

import json
import os
from typing import Any, Iterable, NamedTuple

from . import experiments, scenario_options
from .. import units
from ..common import RccError
from .options import of_parts, of_program

OF_FILE = {"scenario", "nodes", "watch-as", "bottlenecks", "plain", "phases", "steps", "cioq", "collective", "defaults", "base"}
OF_TRACE = {"flows", "received", "arrivals", "incasts", "load-counts", "drain", "collective", "scenario", "defaults", "plain",
            "nodes"}   # a trace sets these itself
OF_COMMAND = {"print", "cc", "out", "check", "ranks", "progress", "config", "port-log", "nic-params"}  # the command itself gives these


class Option(NamedTuple):
    """An option of a scenario's program. Values are passed on as typed; the program checks them."""
    name: str
    metavar: str
    default: str   # the behaviour without it, in words or as a value
    help: str
    flag: bool
    repeat: bool   # may be given several times; joined with commas for the program
    commas: bool   # a value may hold some


def pairs(words: Iterable) -> dict:
    """Return --name=value, ... as {"--name": "value"}; a flag's value is ""."""
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def _unpaused(word: str) -> str:
    """Remove the factor of PFC's threshold from a word of --base, for switches without PFC."""
    name, _, value = word.partition("=")
    return word if name != "--base" else "--base=" + ",".join(one for one in value.split(",") if not one.startswith("QbbSwitch.Alpha="))


class Scenario(NamedTuple):
    name: str
    program: str
    title: str
    about: str
    algorithms: list   # without --cc
    examples: list
    words: tuple = ()  # options of the program that make the scenario; the user's come in their place
    file: str = ""     # that has the experiment, in place of a scenario
    trace: Any = None  # traces.step.Trace: what the experiment was made of
    shown: tuple = ()  # name=what help says of the default, where that is not the program's

    @property
    def options(self) -> list:
        """The options that users of the command may give."""
        own = {name: value or "yes" for name, value in pairs((*self.words, *self.shown)).items()}
        return [Option(o["name"], o["metavar"], own.get("--" + o["name"]) or o["unset"] or o["default"],
                       o["help"] + ("; repeatable" if o["repeat"] else ""), o["flag"], o["repeat"], o["repeat"] or "," in o["default"])
                for o in self.described() if o["name"] not in OF_COMMAND]

    def described(self) -> list:
        """Return its own options and those of its program, as options.Declared.described() has them."""
        maker = experiments.MAKERS.get(self.program)
        if self.file:
            gone = OF_FILE | OF_TRACE if self.name == "trace" else OF_FILE
            return [o for o in of_program(experiments.PROGRAM) if o["name"] not in gone]
        if not maker:
            return of_program(self.program)
        mine = [option.described() for option in maker.own]
        gone = {*OF_FILE, *maker.hidden, *(o["name"] for o in mine)}
        rest = [o for o in of_parts(maker.parts) if o["name"] not in gone]
        return mine + [{**o, "default": maker.defaults.get(o["name"], o["default"]), "unset": maker.shown.get(o["name"], o["unset"])}
                       for o in rest]

    def experiment(self, options: list, cc: str) -> experiments.Made:
        """Return the experiment of a run."""
        words = self.merge_options(options, cc)
        return experiments.Made(words, []) if self.file else experiments.make(self.program, words)

    def merge_options(self, options: list, cc: str) -> list:
        """Merge the options that make the scenario with the user's, which come in their place. --set has the parameters of both,
        the user's last. The preset holds for the algorithms that the scenario is for. A scenario made of another one keeps its name."""
        given = pairs(options)
        gone = set(given) | ({"--preset"} if "--nic" in given or cc not in self.algorithms else set())  # a named NIC has its own
        own = pairs(self.words)
        window = self._window(given)
        both = f"--set={own.get('--set')},{given.get('--set')}"
        called = [f"--scenario={self.name}"] if self.name != self.program and not self.file else []
        return called + \
            [window if word.startswith("--window=") else _unpaused(word) if "--lossy" in given else word
             for word in self.words if word.partition("=")[0] not in gone] + \
            [both if word.startswith("--set=") and "--set" in own else word for word in options]

    def notes(self, options: list) -> list:
        """Return notes about the scenario's options that change with the user's."""
        made = self.experiment(options, "").notes
        own, window = pairs(self.words), self._window(pairs(options))
        if "--window" not in own or window == f"--window={own['--window']}" or "--window" in pairs(options):
            return made
        times = [scenario_options.smallest("time", text) or 0 for text in window.partition("=")[2].split("-")]
        shown = "-".join(map(scenario_options.for_people, times))
        return made + [f"rcc: note: --window={shown} here: its default, {own['--window']}, is for --time={own['--time']}"]

    def _window(self, given: dict) -> str:
        """Return the scenario's window as a word; with another --time it is the same part of it."""
        own = pairs(self.words)
        word = f"--window={own.get('--window')}"
        if "--window" not in own or "--time" not in given:
            return word
        try:
            longer = units.exact("time", given["--time"], "") / units.exact("time", own["--time"], "")
            begin, end = (int(units.exact("time", text, "") * longer * 10 ** 9) for text in own["--window"].split("-"))
        except RccError:  # the program will say what is wrong with it
            return word
        return f"--window={scenario_options.as_time(begin)}-{scenario_options.as_time(end)}" if 0 < begin < end else word


def read_scenarios() -> dict:
    """Read the scenarios of scenarios.json: {name: Scenario}."""
    with open(os.path.join(os.path.dirname(__file__), "scenarios.json"), encoding="utf-8") as f:
        found = json.load(f)
    return {one["name"]: Scenario(one["name"], one.get("program", one["name"]), one["title"], "\n".join(one["about"]), one["algorithms"],
                                  [tuple(example) for example in one["examples"]], tuple(one.get("words", ()))) for one in found}


SCENARIOS = read_scenarios()
