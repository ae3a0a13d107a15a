# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What runs were given, by the experiment.json that each leaves beside its run.json, and by their commands where one has left none: what
differs there that its results do not say."""
from __future__ import annotations

import json
import os
from typing import Any, List, Optional

from ..judge import caveats
from . import asked
from ... import below
from ...common import RccError, readable, si_time
from ...units import exact

NAME = "experiment.json"
INPUTS = "inputs"     # of a run: {what a file is: {"name", "sha256"}}
OF_FILES = ("faults", "arrivals")   # keys of an experiment that may name a file, the second one before its load
SAID = {"out", "seed", "cc", "scenario", "preset"}    # compared as part of run.json, or no part of a set-up
SAME = {"time": "sim_s", "rate": "rate_bps", "window": "window_s", "flows": "flows"}   # said by these of run.json
APART = {"set", "attr", "base"}                       # of TYPE.NAME
RED = ("kmin", "kmax", "pmax")                        # parameters of most algorithms
LONG = 60             # letters of a text that is shown
ATTRIBUTE = "attribute "
NUMBERED = ("list ", "text ")   # how what is too long to be shown begins
RUN = "run"
RDMA = "ns3-rdma"     # whose runs have no experiment
OF_CALL = {"out", "check", "print", "progress", "ranks", "defaults"}   # options of the programs that are no part of an experiment


def read(places: list) -> list:
    """The experiment of each folder; {} where there is none, and of all where they have the same bytes. Raises RccError for what is no
    regular file."""
    paths = [below.split_run(os.path.join(place, NAME)) if place else None for place in places]
    there = [path for path in paths if path and below.is_there(*path)]
    if all(below.same_bytes(there[0], path) for path in there):
        return [{} for _ in paths]
    return [below.read_json(*path) if path in there else {} for path in paths]


def of_commands(runs: list, commands: list) -> list:
    """The options of commands as experiments have them, but for files of which the runs say what they held."""
    found = [of_command(command) if run else {} for run, command in zip(runs, commands)]
    own = [_files(run) for run in runs]
    said = {key for one in own for key in one} - {key for one, mine in zip(found, own) for key in one if key not in mine}
    return [{key: value for key, value in one.items() if key not in said} for one in found]


def of_command(command: str) -> dict:
    """The options of a command that runs something; {} of another."""
    words = asked.words_of(command)
    if words[1:2] not in ([RUN], [RDMA]):
        return {}
    what = RDMA if words[1] == RDMA else "".join(words[2:3])
    flags = {one["name"]: one["flag"] for one in asked.described(what, RDMA if what == RDMA else "experiment")}
    found: dict = {"scenario": what, **{name: flags[name] or text for name, text in asked.options_of(words).items()
                                        if name in flags and name not in OF_CALL}}
    if what == RDMA:
        found["config"] = next((word for word in words[2:] if not word.startswith("--")), "")
    if "set" in found:
        found["set"] = dict(item.partition("=")[::2] for item in found["set"].split(","))
    return found


def differences(runs: list, places: list, commands: list) -> list:
    """(what, value of each run as text, None for a run that says nothing of it). `runs`: a run of run.json or None for each of `places`,
    which are their folders or None. `commands`: of their folders; they say it where a run has left no experiment."""
    found = read(places)
    whole = all(one or run is None for run, one in zip(runs, found))
    rows = _rows([None if run is None else _attributes(run, one if whole else {}) for run, one in zip(runs, found)], ATTRIBUTE)
    rows += _plain_rows(runs, _with_contents(runs, found))
    if any(place and not os.path.exists(os.path.join(place, NAME)) for place in places):
        known = {what for what, _ in rows}
        rows += [row for row in _plain_rows(runs, of_commands(runs, commands)) if row[0] not in known]
    return rows


def _plain_rows(runs: list, experiments: list) -> list:
    """What differs of the keys of experiments, where several runs have one."""
    if sum(bool(one) for one in experiments) < 2:
        return []
    plain = [_plain(run, one) if one else None for run, one in zip(runs, experiments)]
    return [row for row in _rows(plain, "") if not _is_said(row[0], runs, plain)]


def path_of(key: str, value: Any) -> str:
    """The file that a key of an experiment names, "" for none: they have whole paths there."""
    text = value.rpartition(":")[0] if isinstance(value, str) and key == "arrivals" else value
    return text if isinstance(text, str) and text.startswith("/") else ""


def _files(run: Optional[dict]) -> dict:
    """{what it is: (name, hash)} of the files of a run that say it."""
    found = run.get(INPUTS) if run else None
    return {key: (str(one["name"]), str(one["sha256"])) for key, one in (found.items() if isinstance(found, dict) else ())
            if isinstance(one, dict) and "name" in one and "sha256" in one}


def _with_contents(runs: list, experiments: list) -> list:
    """The experiments with what their files held in place of their paths: the same content is the same under any name. A path stays
    where a run does not say what it held."""
    own = [_files(run) for run in runs]
    names: dict = {}
    for one in own:
        for name, digest in one.values():
            names.setdefault(digest, f"{name} ({digest[:8]})")
    found = [dict(one) for one in experiments]
    for key in dict.fromkeys(key for one in own for key in one):
        if any(path_of(key, one.get(key)) and key not in mine for one, mine in zip(experiments, own)):
            continue
        for one, mine in zip(found, own):
            if key in mine:
                load = str(one[key]).rpartition(":")[1:] if key == "arrivals" and key in one else ()
                one[key] = names[mine[key][1]] + "".join(load)
    return found


def _attributes(run: dict, experiment: dict) -> dict:
    """What an attribute was set to."""
    found: dict = {}
    for part in (experiment.get("base"), experiment.get("attr"), run.get("attributes")):
        found.update(part if isinstance(part, dict) else {})
    return found


def _plain(run: dict, experiment: dict) -> dict:
    """The keys of an experiment but for what its results say, or what does nothing there."""
    found = {key: value for key, value in experiment.items() if key not in SAID and key not in APART}
    flows = experiment.get("flows")
    used = {str(flow.get("cc")).partition(":")[0] for flow in (flows if isinstance(flows, list) else []) if isinstance(flow, dict)}
    used |= set(caveats.of_flows(run))
    given = experiment.get("set")
    for key, value in (given.items() if isinstance(given, dict) else ()):
        if key.partition(".")[0] in used - {run.get("cc")}:    # the parameters of the run's own algorithm are in its run.json
            found[f"set {key}"] = value
    own = run.get("parameters")
    return {key: value for key, value in found.items() if not (key in RED and isinstance(own, dict) and key in own)}


def _rows(found: list, before: str) -> list:
    """A row for each key whose values differ."""
    rows = []
    for key in dict.fromkeys(key for one in found if one for key in one):
        values = [None if one is None else one.get(key) for one in found]
        present = [value for value, one in zip(values, found) if one is not None]
        if any(value != present[0] for value in present):
            rows.append((before + key, _texts(values, found)))
    return rows


def _texts(values: list, found: list) -> list:
    """Values as they are shown; of lists and long texts, which of them are the same."""
    known: List[str] = []
    texts: List[Optional[str]] = []
    for value, one in zip(values, found):
        text = None if one is None else "-" if value is None else _text(value)
        if text is not None and len(text) > (0 if "{" in text else LONG):
            if text not in known:
                known.append(text)
            text = NUMBERED[not isinstance(value, list)] + str(known.index(text) + 1)
        texts.append(text)
    return texts


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(one, (list, dict)) for one in value):
        return ",".join(map(_text, value))
    return readable(value) if isinstance(value, str) else json.dumps(value)


def _is_said(key: str, runs: list, experiments: list) -> bool:
    """Whether a key of results differs and says it."""
    if key not in SAME:
        return False
    given = [(one.get(key), run.get(SAME[key])) for run, one in zip(runs, experiments) if one is not None]
    if all(value == given[0][1] for _, value in given):
        return False
    return key != "time" or all(_is_time(text, value) for text, value in given)


def _is_time(text: Any, value: Any) -> bool:
    try:
        return isinstance(value, (int, float)) and si_time(float(exact("time", str(text), ""))) == si_time(value)
    except RccError:
        return False
