# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The output folder: what is ours in it, making space in it, and reading and writing summary.json."""
from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from typing import Callable, Collection, Iterator, Optional

from ... import lock, owned
from . import asked, series
from ... import below
from ...common import EXIT_FAILED, RccError, cannot_write, number, version

SCHEMA = 1
RUN = "./rcc run"     # by whose name its files are listed; also of ./rcc ns3-rdma
SERIES = ["queue.csv", "rate.csv", "utilization.csv", "flow_rates.csv", "windows.csv", "flows.csv", "flow_arrivals.csv", "buffers.csv"]
OF_TESTBEDS = ["groups.csv", "ports.csv", "marks.csv", "steps.csv"]
GANTT = "gantt.png"
OF_TRACES = ["ranks.csv", "operations.json", "collectives.csv", GANTT]   # files of ./rcc run trace
COLLECTIVES_SHOWN = 12             # rows of a table
DRAWN = [*SERIES, "groups.csv", "steps.csv"]
PORTS = ["port_series.csv", "port_pauses.csv", "trace.json"]   # files of --perfetto
RDMA_FILES = ["fct.txt", "pfc.txt", "qlen.txt", "mix.tr"]  # files of ./rcc ns3-rdma
PLOTS = ["queue.png", "rate.png", "flow_rates.png", "windows.png", "fct.png", "slowdown.png", "utilization.png", "buffers.png",
         "groups.png", "steps.png"]
FORMATS = ("png", "svg", "pdf")   # formats of figures
TEMPORARY = ".rcc-run-"           # how the names of folders begin that are gone when a command ends
OF_RUN = {"run.json", "experiment.json", *SERIES, *OF_TESTBEDS, *OF_TRACES, *PORTS, *RDMA_FILES}   # in the folder of a run


def figure_files(pictures: list) -> list:
    """The names that figures may have, in every format. `pictures`: their PNGs."""
    return [f"{name[:-4]}.{kind}" for name in pictures for kind in FORMATS]


TOP = ["report.html", "table.csv", "wide.csv", "machine.json", *figure_files(PLOTS)]   # beside summary.json
OF_MACHINE = ("wall_s", "peak_rss_bytes")   # two runs of one seed differ in them alone


def load(folder: str) -> dict:
    """A finished run's summary, for drawing it again."""
    path = os.path.join(folder, "summary.json")
    if not below.is_there(folder, "summary.json"):
        raise RccError(f"{folder}: no summary.json there; {lock.state(folder) or 'give the output folder of a ./rcc run'}")
    summary = below.read_json(folder, "summary.json")
    if summary.get("schema") != SCHEMA or not isinstance(summary.get("runs"), list):
        raise RccError(f"{path}: not a summary of this version of rcc: expected JSON with schema {SCHEMA} and a list of runs")
    _check(path, summary)
    owned.refuse_links(folder, [_name_of(run) for run in summary["runs"]], folder)
    _add_machine(folder, summary)
    summary["runs"] = _answered(str(summary.get("command", "")), summary["runs"], folder)
    return summary


def _answered(command: str, runs: list, folder: str) -> list:
    """Return the runs with the numbers that answer their scenario's question; a summary of an older version has none."""
    from ..judge import questions
    return questions.answered(runs, lambda run: asked.read_command(command, run),
                              lambda run: questions.read_flows(os.path.join(folder, _name_of(run)), run))


def _name_of(run: dict) -> str:
    """Return the name of a run's folder, by which machine.json knows it."""
    return str(run.get("folder") or run.get("cc"))


def _add_machine(folder: str, summary: dict) -> None:
    """Put what machine.json knows into the runs; a summary of an older version has it there."""
    for run in summary["runs"]:
        own = _machine(folder, _name_of(run))
        for key in OF_MACHINE:
            if number(own.get(key)) is not None:
                run.setdefault(key, own[key])


def _machine(folder: str, name: str) -> dict:
    known = below.read_json(folder, "machine.json").get("runs")
    own = known.get(name) if isinstance(known, dict) else None
    return own if isinstance(own, dict) else {}


def machine_of(folder: str, name: str) -> dict:
    """Return the cost of a run on its machine; {} if nothing is known."""
    return _machine(folder, name) or below.read_json(folder, f"{name}/run.json")


def write_summary(folder: str, summary: dict) -> None:
    """summary.json, run.json of each run, which is its object there, and machine.json with what the simulation did not decide. Raises
    OSError."""
    machine = {_name_of(run): {key: run[key] for key in OF_MACHINE if key in run} for run in summary["runs"]}
    runs = [{key: value for key, value in run.items() if key not in OF_MACHINE} for run in summary["runs"]]
    write_json(folder, "machine.json", {"schema": SCHEMA, "runs": machine})
    for run in runs:
        if below.is_file(folder, f"{_name_of(run)}/run.json"):
            write_json(folder, f"{_name_of(run)}/run.json", run)
    write_json(folder, "summary.json", {**summary, "runs": runs})
    record(folder)


def _name(value) -> bool:
    return isinstance(value, str) and value != ""


def _inside(value) -> bool:
    """Whether it names a folder in that of the results: nothing that leads out of it."""
    return _name(value) and not below.leads_out(value) and "/" not in value and not value.startswith(".")


def _list_of(check: Callable) -> Callable:
    return lambda value: isinstance(value, list) and all(map(check, value))


_is_text, _is_number, _is_anything = (lambda value: isinstance(value, str)), (lambda value: number(value) is not None), (lambda _: True)
# Parts of a run that are no numbers, and the check of each; a summary may lack them, or have null.
PARTS: dict = {**dict.fromkeys(("label", "scenario", "title"), (_name, "a name")),
               **dict.fromkeys(("warnings", "notes"), (_list_of(_is_text), "a list of texts")),
               "folder": (_inside, "the name of a folder beside summary.json"),
               "window_s": (lambda value: _list_of(_is_number)(value) and len(value) == 2, "two times in s"),
               "seeds": (_list_of(_is_anything), "a list"), "seed_folders": (_list_of(_inside), "a list of names of folders"),
               "intervals": (lambda value: isinstance(value, dict) and all(map(_is_number, value.values())), "numbers by name"),
               "parameters": (lambda value: isinstance(value, dict), "values by name")}


def _check(path: str, summary: dict) -> None:
    """Refuse a summary whose parts are not of their kind."""
    def shown(value) -> str:
        text = json.dumps(value)
        return text if len(text) <= 40 else text[:40] + "..."

    for i, run in enumerate(summary["runs"]):
        if not isinstance(run, dict) or not _name(run.get("cc")):
            raise RccError(f"{path}: runs[{i}]: found no 'cc', expected a run with the name of its algorithm")
        if run.get("folder") is None and not _inside(run["cc"]):
            raise RccError(f"{path}: runs[{i}].cc: found {shown(run['cc'])}, expected the name of a folder beside summary.json")
        for key, (good, expected) in PARTS.items():
            if run.get(key) is not None and not good(run[key]):
                raise RccError(f"{path}: runs[{i}].{key}: found {shown(run[key])}, expected {expected}")


def merge(folder: str, command: str, runs: list, missing: list) -> dict:
    """Return the content of summary.json and machine.json in a folder. `missing`: {"cc", "why"} of each algorithm that was asked for and
    has no result."""
    merged = {"schema": SCHEMA, "rcc_version": version(), "command": command,
              "partial": bool(missing) or any(run.get("partial") for run in runs), "runs": _answered(command, runs, folder)}
    if missing:
        merged["missing"] = missing
    return merged


def write_json(folder: str, name: str, value: dict) -> None:
    """Write a result that people read too. Raises OSError."""
    if name == "summary.json" and any(key in run for run in value["runs"] if isinstance(run, dict) for key in OF_MACHINE):
        write_summary(folder, value)
        return
    with below.replace(folder, name) as f:
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
        if below.is_there(folder, name):
            raise RccError(f"--out={folder}: the {name} there is not from {command}; give another folder")


def refuse_foreign(folder: str, name: str, others: list, command: str, ours: bool = False, mark: str = "rcc_version") -> None:
    """Raise if results of the command would replace something else. `name`: its file that tells what a folder is, with the key `mark` in
    it; `others`: what else it writes; `ours`: without that file the folder is an earlier result all the same."""
    if below.is_there(folder, name):
        if mark not in below.read_json(folder, name):
            raise RccError(f"--out={folder}: the {name} there is not from rcc; give another folder")
    elif not ours:
        refuse_others(folder, others, command)


def remove_left_over(folder: str) -> None:
    """Remove the folders that killed commands left. Only for who holds the lock of the folder."""
    for entry in below.names_in(folder):
        if re.fullmatch(re.escape(TEMPORARY) + below.CHOSEN, entry):
            with contextlib.suppress(OSError):
                below.remove_tree(folder, entry)


def prepare(folder: str, names: list, killed: bool, chosen: Collection[str] = ()) -> None:
    """Create the output folder or empty it of an earlier run's files, and find out now whether it can be written. `killed`: the last
    command that wrote there was killed, and what is there is its. `chosen`: names that this command's config gives to files of a run."""
    owned.refuse_links(folder, names)
    try:
        os.makedirs(folder, exist_ok=True)
        for place in [folder, *filter(os.path.lexists, (os.path.join(folder, name) for name in names))]:
            os.makedirs(place, exist_ok=True)
            with tempfile.TemporaryFile(dir=place):
                pass
    except OSError as error:
        raise cannot_write(f"--out={folder}", error) from error
    try:
        own = own_files(folder, names, killed, chosen)
        refuse_foreign(folder, "summary.json", TOP, RUN, killed)
        owned.refuse_others(folder, [*TOP, *(path for name in names for path in files_of_run(folder, name, chosen))], own, RUN)
        owned.remove(folder, own, RUN)
    except OSError as error:
        raise RccError(f"--out={folder}: cannot remove the earlier run's results: {error}", EXIT_FAILED) from error


def is_of_run(name: str, chosen: Collection[str] = ()) -> bool:
    """True if a file in the folder of a run can have the name; `chosen`: names that a config gives."""
    return name in OF_RUN or name.endswith(".pcap") or name in chosen


def chosen_in(folder: str, name: str) -> list:
    """The names that a run's config gave to its files, as its run.json has them: good for a list, not for removing."""
    found = below.read_json(folder, f"{name}/run.json").get("files") if below.is_file(folder, f"{name}/run.json") else None
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def files_of_run(folder: str, name: str, chosen: Optional[Collection[str]] = None) -> list:
    """The files of a run's folder that have names which simulators use, as paths inside the folder of the results. `chosen`: names that
    a config gives; None: those that run.json has."""
    names = chosen_in(folder, name) if chosen is None else chosen
    return [f"{name}/{entry}" for entry in below.names_in(folder, name) if is_of_run(entry, names)]


def all_files(folder: str, chosen: Optional[Collection[str]] = None) -> list:
    """Return what results of runs are in a folder, by their names. `chosen` as in files_of_run()."""
    own = {entry: below.read_json(folder, f"{entry}/run.json") for entry in os.listdir(folder)
           if below.is_file(folder, f"{entry}/run.json")}
    names = [entry for entry, run in own.items() if run.get("folder", run.get("cc")) == entry]
    return ["summary.json", *TOP, *(path for name in names for path in files_of_run(folder, name, chosen))]


def own_files(folder: str, names: list, killed: bool, chosen: Optional[Collection[str]] = None) -> set:
    """Return what the last run into the folder wrote, as it lists it, and all of it if it was killed. `chosen` as in files_of_run()."""
    def may_write(path: str) -> bool:
        run, _, name = path.rpartition("/")
        return is_of_run(name, chosen_in(folder, run) if chosen is None else chosen) if _inside(run) else path in ("summary.json", *TOP)

    found = owned.listed(folder, RUN, may_write) or set()
    if killed:
        found |= set(all_files(folder, chosen)) | {path for name in names for path in files_of_run(folder, name, chosen)}
    return found


def record(folder: str) -> None:
    """List what is in the folder as this command's. Raises OSError."""
    owned.record(folder, all_files(folder), RUN)


def remove(folder: str, names: list) -> None:
    """Remove those of the files that are there. Raises OSError."""
    for name in names:
        below.remove(folder, name)


def clear(folder: str, names: list) -> None:
    """Remove what a run that came to nothing wrote, and only that."""
    owned.remove(folder, own_files(folder, names, False, ()), RUN)


def check_series(folder: str, summary: dict) -> None:
    """Read the series of all runs, as figures do. Raises RccError for the first that is broken."""
    for run in summary["runs"]:
        for name in DRAWN:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                series.read(os.path.join(folder, _name_of(run), name))


def check_folder_name(name: str, folder: str) -> None:
    """A run's folder has the name of its algorithm: nothing else than one word may become a path here."""
    if not name or name in (".", "..") or "/" in name or "\0" in name or name.startswith("."):
        raise RccError(f"{folder}: {name!r} cannot be the name of a run's folder", EXIT_FAILED)
