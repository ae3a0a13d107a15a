# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What runs were given, by the experiment.json that each leaves beside its run.json: what differs there that its results do not say."""
from __future__ import annotations

import json
import os
from typing import Any, Optional

from ... import below
from ...common import readable

NAME = "experiment.json"
INPUTS = "inputs"     # of a run: {what a file is: {"name", "sha256"}}
OF_FILES = ("faults", "arrivals")   # keys of an experiment that may name a file, the second one before its load
SAID = {"out", "seed", "cc", "scenario", "preset", "time", "rate", "window"}    # compared as part of run.json
RED = ("kmin", "kmax", "pmax")                        # parameters of most algorithms
LONG = 60             # letters of a text that is shown
ATTRIBUTE = "attribute "
NUMBERED = ("list ", "text ")   # how what is too long to be shown begins


def path_of(key: str, value: Any) -> str:
    """Return the file that a key of an experiment names, "" for none: they have whole paths there."""
    text = value.rpartition(":")[0] if isinstance(value, str) and key == "arrivals" else value
    return text if isinstance(text, str) and text.startswith("/") else ""


def differences(runs: list, places: list) -> list:
    """Return (what, the value of each run as text, None for a run that says nothing of it). `runs`: a run of run.json or None for each of
    `places`, which are their folders."""
    experiments = [below.read_json(*below.split_run(os.path.join(place, NAME))) if run and place else {}
                   for run, place in zip(runs, places)]
    flat = [_flatten(run, one) if one or (run or {}).get(INPUTS) or (run or {}).get("attributes") else None
            for run, one in zip(runs, experiments)]
    rows = []
    for key in dict.fromkeys(key for one in flat if one for key in one):
        values = [None if one is None else one.get(key) for one in flat]
        known = [value for value, one in zip(values, flat) if one is not None]
        if len(known) > 1 and any(value != known[0] for value in known):
            rows.append((key, _show(values, flat)))
    return rows


def _flatten(run: dict, experiment: dict) -> dict:
    """Return what was set, by name: but for what run.json says, or parameters that the run's algorithm has there."""
    own: Any = run.get("parameters")
    known = own if isinstance(own, dict) else {}
    found: dict = {}
    for key, value in experiment.items():
        if key == "set" and isinstance(value, dict):
            found.update({f"set {name}": text for name, text in value.items() if name.partition(".")[0] != run.get("cc")})
        elif key in ("attr", "base") and isinstance(value, dict):
            found.update({ATTRIBUTE + name: text for name, text in value.items()})
        elif key not in SAID and not (key in RED and key in known):
            found[key] = value
    found.update({ATTRIBUTE + name: text for name, text in (run.get("attributes") or {}).items()})
    for key, one in (run.get(INPUTS) or {}).items():   # the same content is the same under any name
        load = str(found.get(key, "")).rpartition(":")[2] if key == "arrivals" else ""
        found[key] = f"file {str(one.get('sha256'))[:8]}" + (f":{load}" if load else "")
    return found


def _show(values: list, flat: list) -> list:
    """Return values as texts; of lists and long texts, which of them are the same."""
    known: list = []
    texts: list = []
    for value, one in zip(values, flat):
        text: Optional[str] = None if one is None else "-" if value is None else _text(value)
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
