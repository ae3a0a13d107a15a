# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The output folder: what is ours in it, making room in it, and reading and writing summary.json."""
from __future__ import annotations

import contextlib
import glob
import json
import os
import shutil
import tempfile
from typing import Iterator

from . import lock
from ..common import EXIT_FAILED, RccError, atomic_write, cannot_write, number, version

SCHEMA = 1
SERIES = ["queue.csv", "rate.csv", "utilization.csv", "flow_rates.csv", "flows.csv", "flow_arrivals.csv", "buffers.csv"]
PORTS = ["port_series.csv", "port_pauses.csv", "trace.json"]   # of --perfetto
RDMA_FILES = ["fct.txt", "pfc.txt", "qlen.txt", "mix.tr"]  # of ./rcc ns3-rdma
PLOTS = ["queue.png", "queue_levels.png", "rate.png", "flow_rates.png", "fct.png", "slowdown.png",
         "utilization.png", "buffers.png", "groups.png", "steps.png"]
FORMATS = ("png", "svg", "pdf")   # of figures
TEMPORARY = ".rcc-run-"           # how the names of folders begin that are gone when a command ends


def figure_files(pictures: list) -> list:
    """The names that figures may have, in every format. `pictures`: their PNGs."""
    return [f"{name[:-4]}.{kind}" for name in pictures for kind in FORMATS]


TOP = ["report.html", "table.csv", *figure_files(PLOTS)]   # beside summary.json


def read_json(path: str) -> dict:
    try:
        with open(path, encoding="utf-8") as f:
            value = json.load(f)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def load(folder: str) -> dict:
    """A finished run's summary, for drawing it again."""
    path = os.path.join(folder, "summary.json")
    if not os.path.exists(path):
        raise RccError(f"{folder}: no summary.json there; {lock.state(folder) or 'give the output folder of a ./rcc run'}")
    summary = read_json(path)
    if summary.get("schema") != SCHEMA or not isinstance(summary.get("runs"), list):
        raise RccError(f"{path}: not a summary of this version of rcc: {_why_none(path, summary)}")
    _check(path, summary)
    return summary


def _why_none(path: str, summary: dict) -> str:
    """What a file that should be a summary has in place of one."""
    try:
        with open(path, encoding="utf-8") as f:
            json.load(f)
    except OSError as error:
        return error.strerror or str(error)
    except json.JSONDecodeError as error:
        return f"found no JSON in line {error.lineno} ({error.msg})"
    except (ValueError, RecursionError):
        return "found no JSON"
    if summary.get("schema", SCHEMA) != SCHEMA:
        return f"found schema {json.dumps(summary['schema'])[:40]}, expected {SCHEMA}"
    return f"expected schema {SCHEMA} and a list of runs"


def _texts(value) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _times(value) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(number(time) is not None for time in value)


def _numbers(value) -> bool:
    return isinstance(value, dict) and all(number(x) is not None for x in value.values())


def _name(value) -> bool:
    return isinstance(value, str) and value != ""


# what is no number, and read as what it should be: of a run, that a summary may lack and that may be null
PARTS = {"label": (_name, "a name"), "folder": (_name, "a name"), "scenario": (_name, "a name"), "title": (_name, "a name"),
         "warnings": (_texts, "a list of texts"), "window_s": (_times, "two times in s"),
         "seeds": (lambda value: isinstance(value, list), "a list"),
         "seed_folders": (_texts, "a list of texts"), "intervals": (_numbers, "numbers by name"),
         "parameters": (lambda value: isinstance(value, dict), "values by name")}


def _check(path: str, summary: dict) -> None:
    """Refuse a summary whose parts are not of their kind."""
    def shown(value) -> str:
        text = json.dumps(value)
        return text if len(text) <= 40 else text[:40] + "..."

    for i, run in enumerate(summary["runs"]):
        if not isinstance(run, dict) or not _name(run.get("cc")):
            raise RccError(f"{path}: runs[{i}]: found no 'cc', expected a run with the name of its algorithm")
        for key, (good, expected) in PARTS.items():
            if run.get(key) is not None and not good(run[key]):
                raise RccError(f"{path}: runs[{i}].{key}: found {shown(run[key])}, expected {expected}")


def merge(command: str, runs: list, missing: list) -> dict:
    """summary.json. `missing`: {"cc", "why"} of each algorithm that was asked for and has no result."""
    merged = {"schema": SCHEMA, "rcc_version": version(), "command": command,
              "partial": bool(missing) or any(run.get("partial") for run in runs), "runs": runs}
    if missing:
        merged["missing"] = missing
    return merged


def write_json(folder: str, name: str, value: dict) -> None:
    """Write a result that people read too. Raises OSError."""
    with atomic_write(os.path.join(folder, name)) as f:
        json.dump(value, f, indent=1)
        f.write("\n")


@contextlib.contextmanager
def all_or_nothing(folder: str, names: list) -> Iterator[None]:
    """While the files are written: what is there of them is removed if it comes to an error, or is interrupted."""
    try:
        yield
    except BaseException as error:
        remove(folder, names)
        if isinstance(error, OSError):
            raise RccError(f"{folder}: {error.strerror or error}", EXIT_FAILED) from error
        raise


def refuse_others(folder: str, names: list, command: str) -> None:
    """Raise if a folder that is no earlier result of the command holds a file of a name that it writes: it is somebody's."""
    for name in names:
        if os.path.lexists(os.path.join(folder, name)):
            raise RccError(f"--out={folder}: the {name} there is not from {command}; give another folder")


def refuse_foreign(folder: str, name: str, others: list, command: str, ours: bool = False, mark: str = "rcc_version") -> None:
    """Raise if results of the command would replace something else. `name`: its file that tells what a folder is, with the key `mark` in
    it; `others`: what else it writes; `ours`: without that file the folder is an earlier result all the same."""
    path = os.path.join(folder, name)
    if os.path.lexists(path):
        if mark not in read_json(path):
            raise RccError(f"--out={folder}: the {name} there is not from rcc; give another folder")
    elif not ours:
        refuse_others(folder, others, command)


def remove_left_over(folder: str) -> None:
    """Remove the folders that killed commands left. Only for who holds the lock of the folder."""
    with contextlib.suppress(OSError):
        for entry in os.listdir(folder):
            if entry.startswith(TEMPORARY):
                shutil.rmtree(os.path.join(folder, entry), ignore_errors=True)


def prepare(folder: str, names: list, killed: bool) -> None:
    """Create the output folder or empty it of an earlier run's files, and find out now whether it can be written. `killed`: the last
    command that wrote there was killed, and what is there is its."""
    try:
        os.makedirs(folder, exist_ok=True)
        for place in [folder] + [os.path.join(folder, name) for name in names]:
            if place != folder and not os.path.lexists(place):
                continue
            os.makedirs(place, exist_ok=True)
            with tempfile.TemporaryFile(dir=place):
                pass
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error
    refuse_foreign(folder, "summary.json", TOP, "./rcc run", killed)
    try:
        clear(folder, names)
    except OSError as error:
        raise RccError(f"--out={folder}: cannot remove the earlier run's results: {error}", EXIT_FAILED) from error


def remove(folder: str, names: list) -> None:
    """Remove those of the files that are there. Raises OSError."""
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))


def clear(folder: str, names: list) -> None:
    """Remove what an earlier run left, and only that: stale files beside new ones would be taken for results."""
    remove(folder, ["summary.json", *TOP])
    for entry in os.listdir(folder):
        place = os.path.join(folder, entry)
        run = read_json(os.path.join(place, "run.json"))
        if entry not in names and run.get("folder", run.get("cc")) != entry:
            continue
        files = read_json(os.path.join(place, "run.json")).get("files")  # whose names a config chose
        own = [name for name in files if isinstance(name, str) and name == os.path.basename(name)] \
            if isinstance(files, list) else []
        for path in [os.path.join(place, name) for name in ["run.json", "experiment.json"] + SERIES + PORTS + RDMA_FILES + own] \
                + glob.glob(os.path.join(glob.escape(place), "*.pcap")):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        if entry not in names:
            with contextlib.suppress(OSError):  # something of the user's is in it
                os.rmdir(place)


def check_folder_name(name: str, folder: str) -> None:
    """A run's folder has the name of its algorithm: nothing else than one word may become a path here."""
    if not name or name in (".", "..") or "/" in name or "\0" in name or name.startswith("."):
        raise RccError(f"{folder}: {name!r} cannot be the name of a run's folder", EXIT_FAILED)
