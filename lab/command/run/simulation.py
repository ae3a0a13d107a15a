# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""One simulation: the run file that rcc-run reads, what the program says of it, and the words of its results (lab/run/run-file.md)."""
from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from typing import Any, Dict, Iterator, List, NoReturn, Optional, Tuple

from . import experiments, options, processes
from .. import below
from ..common import EXIT_FAILED, PARENT, RccError, one_line, show_nearest
from ..experiment import algorithms, build, catalogue, sentences, writer
from ..experiment.attributes import Item, read_items
from ..experiment.option_values import Given
from ..experiment.refusal import Refusal

PROGRAM = "rcc-run"
SAYS = f"{PROGRAM}: "
RANKED = {"phase": "a port whose rate changes", "cioq": "a switch of --cioq"}            # features that ranks cannot share
ALONE = {"fault": "--faults", "guard": "--storm-after", "port-log": "--perfetto"}        # features that need one rank
# The end of an error about an item of --attr, by the code of the program.
ATTRIBUTE = {"type": "expected a type of ns-3{hint}", "parameter": "expected --set for the parameters of an algorithm",
             "of-flows": "expected another type: the program says of each flow what it is",
             "attribute": "expected an attribute of {type}{hint}", "no-text": "expected an attribute that a text can set",
             "value": "expected {hint}"}
# By the code of the program, an attribute that cannot be so, and what is expected.
SETTINGS = {"bucket": ("RdmaNic.BucketSize", "0 or at least a frame of {0} bytes, or RdmaNic.BucketDebt=true"),
            "max-frame": ("{1}.MaxFrame", "0 or at least a frame of {0} bytes"),
            "datagrams": ("RdmaNic.Reliable", "RdmaNic.Reliable=true for flows with {0}")}
AS_FOUND = ("text", "algorithm", "start", "nic")   # codes whose value is a sentence of ns-3 or of the module


def nearest_name(code: str, type_name: str, attribute: str) -> str:
    """Return the end of a message: the type of ns-3, or the attribute of a type or its parents, that an unknown name is nearest to."""
    from ..reference import attributes    # which starts a program
    known = {one["type"]: one for one in attributes.read()}
    if code == "type":
        return show_nearest(attributes.short(type_name), map(attributes.short, known))
    found: List[str] = []
    while type_name in known:
        found += [one["name"] for one in known[type_name]["attributes"]]
        type_name = known[type_name]["parent"] if known[type_name]["parent"] != type_name else ""
    return show_nearest(attribute, found)


class Simulation:
    """A run: its options, its run file and the translation of the program's output."""

    def __init__(self, name: str, words: list):
        """Read options. Raises RccError for the first that is wrong.

        Args:
            name: ns3-rdma or experiment, whose options the words are.
            words: --NAME=VALUE of each; a path of an experiment may stand before them.
        """
        try:
            self.read(name, words)
        except RccError as error:    # a text that somebody wrote begins no line of its own
            raise RccError(one_line(str(error)), error.status) from error

    def read(self, name: str, words: list) -> None:
        """Read options, and build the experiment."""
        self.asked = words
        file = words[0] if words and not words[0].startswith("--") else ""
        self.given = Given.read(words[1:] if file else words, file, options.NS3_RDMA if name == "ns3-rdma" else None)
        self.warnings: List[str] = []    # about what the run was made of
        self.notes: List[str] = []
        self.files: Any = None
        if name == "ns3-rdma":
            from ..ns3_rdma import build as rdma    # with all readers of files, which no other run needs
            self.files = rdma.Files(self.given)
            experiment = self.files.build()
            self.warnings, self.notes = self.files.config.warnings, self.files.config.notes
        else:
            self.given.named = {} if file else experiments.named(self.given.text("scenario"))
            experiment = build.build(self.given)
            self.notes = experiment.notes
        self.writer = writer.Writer(experiment)
        self.speaker = sentences.Speaker(self.writer)
        self.algorithm = experiment.algorithms[0].name
        self.parameters = experiment.algorithms[0].parameters
        rates = [link.rate_bps for link in experiment.links]
        self.rates = [min(rates), max(rates)] if rates else []    # bit/s, the least and the most

    def input_files(self) -> Dict[str, str]:
        """Return the paths of the files that the run reads, by option; for ns3-rdma also those that its config names."""
        given, found = self.given, {}
        if not self.files:
            for name, path in (("faults", given.text("faults")), ("arrivals", given.text("arrivals").rpartition(":")[0])):
                if os.path.exists(path):
                    found[name] = os.path.realpath(path)
            return found
        from ..ns3_rdma.inputs import find_file
        config = self.files.config
        trace = config.trace_file
        with contextlib.suppress(RccError):    # it may be missing, or be ignored
            trace = find_file(config, "TRACE_FILE", trace)
        named = {"TOPOLOGY_FILE": ("topology", config.topology_file), "FLOW_FILE": ("flows", config.flow_file),
                 "TCP_FLOW_FILE": ("tcp-flows", config.tcp_flow_file), "TRACE_FILE": ("trace", trace)}
        found.update(named[key] for key in sorted(filter(config.lines.__contains__, named), key=config.lines.__getitem__))
        found.update((name, given.text(name)) for name in ("config", "topology", "flows", "choices", "faults") if given.is_set(name))
        return found

    def output_names(self) -> List[str]:
        """List the names that a config of ns3-rdma gives to files of the run."""
        config = self.files.config if self.files else None
        paths = (config.fct_output, config.pfc_output, config.qlen_output, config.trace_output) if config else ()
        return [os.path.basename(path) for path in paths if path]

    # ------------------------------------------------------------ the program

    def text(self) -> str:
        """Return the run file."""
        return self.writer.text()

    def write(self, path: str) -> None:
        """Write the run file. Raises OSError."""
        with open(path, "w", encoding="ascii") as f:
            f.write(self.text())

    def words(self, path: str, folder: str = "") -> list:
        """Return the words of the program for the run file at `path`. `folder`: of the results, if not that of --out."""
        folder = folder or self.given.text("out")
        return [path, *([f"--out={folder}"] if folder else []), *(["--progress"] if self.given.flag("progress") else [])]

    # ------------------------------------------------------------ what it says

    def sentence(self, line: str) -> str:
        """Return a warning, CODE VALUE..., as a sentence; "" of one that nobody asked about."""
        if line == "irn-timeout" and not self.given.is_set("rto"):
            return ""
        return self.speaker.sentence(line)

    def sentences(self, lines: list) -> Iterator[str]:
        """Yield the sentences of warnings; of parallel links and of connections beside each other once."""
        before = ""
        for line in lines:
            found = self.sentence(line)
            if found and not (line.startswith("never ") and found == before):
                yield found
            before = found

    def translate(self, lines: list) -> list:
        """Translate the lines of a run's stderr into sentences."""
        found, before = [], ""
        for line in lines:
            kind, _, rest = line[len(SAYS):].partition(" ") if line.startswith(SAYS) else ("", "", "")
            if kind not in ("warning", "error"):
                found.append(line)
                continue
            text = self.refusal(rest) if kind == "error" and rest.split(" ")[0] not in sentences.SENTENCES else self.sentence(rest)
            if text and not (rest.startswith("never ") and text == before):
                found.append(f"rcc: {kind}: {text}")
            before = text
        return found

    def refusal(self, line: str) -> str:
        """Return the sentence of "FILE RECORD FIELD CODE FOUND EXPECTED..."."""
        _, record, field, code, found, *expected = map(sentences.unescape, line.split(" "))
        given = self.given
        if code == "algorithm" and field == "RATE":    # the program says which algorithm of the core, not what it was asked for by
            one = self.writer.experiment.algorithms[int(expected[0])]
            found = one.name + found[len(one.core):] if found.startswith(f"{one.core}:") else found
        if int(record) in self.writer.faults and code != "text":
            if code == "rate-set":
                expected[-1] = self.called(self.speaker.name(expected[-1]))
            return self.speaker.fault(int(record), field, code, found, expected)
        if field == "ranks":
            return self.refusal_of_ranks(code, found, expected)
        if code in ATTRIBUTE and int(record) in self.writer.defaults:
            return self.refusal_of_attribute(int(record), code, expected)
        if code == "path":
            return self.refusal_of_path(field, *map(int, (found, *expected)))
        if code == "datagrams":
            found, expected = "false", ["an end" if field == "SIZE" else "a window"]
        if code in SETTINGS:
            name, rest = SETTINGS[code]
            return self.refusal_of_setting(name.format(*expected), found, f", expected {rest.format(*expected)}")
        if code in ("no-notifier", "no-sampling"):
            return self.refusal_of_cioq(code, found, expected)
        if code == "arrivals":
            what = "no flow arrives" if found == "0" else "more than 10 million flows arrive"
            return self.placed("time", "is", given.text("time"), f", in which {what}")
        if code == "algorithm" and field == "RATE" and int(record) >= self.writer.first_link and self.files:
            return self.files.rate_refusal(int(record) - self.writer.first_link, int(expected[0]), found)
        if code == "start" and self.files:
            return f"switch {expected[0]}: {found}{self.files.buffer_hint(int(expected[1]))}"
        return found if code in AS_FOUND else f"run file: {line}"

    def refusal_of_path(self, field: str, node: int, start: Optional[int] = None) -> str:
        """Return which node has no path from another one, or no link. Both are numbers of nodes."""
        nodes = self.writer.experiment.nodes
        if start is None:
            what = f"node {nodes[node].name} has no link to another of the nodes"
        elif nodes[start].kind == "host":
            what = f"node {nodes[node].name} cannot be reached from node {nodes[start].name}" + \
                (": hosts do not forward" if field == "link" else "")
        else:
            what = f"node {nodes[node].name} cannot be reached from switch {nodes[start].name}"
        return f"links: {what}, expected a path between {'any two hosts' if field == 'link' else 'them'}"

    def called(self, word: str) -> str:
        """Return --OPTION or --OPTION=VALUE as a person wrote it: a key of a file has no dashes, and a scenario has its own options."""
        name, equal, value = word[2:].partition("=")
        return f"{'' if self.given.options[name].line else '--'}{name if equal else self.given.name(name)}{equal}{value}"

    def asked_attribute(self, name: str) -> Optional[Item]:
        """Return the item of --attr that sets an attribute, TYPE.NAME."""
        return next((item for item in read_items(self.given, "attr") if item.short() == name), None)

    def refusal_of_setting(self, name: str, found: str, rest: str) -> str:
        """Return what is wrong with an attribute, which --attr has or the program itself sets."""
        item = self.asked_attribute(name)
        return self.placed("attr", "has", item.text, rest) if item else f"{name} is {found}{rest}"

    def refusal_of_cioq(self, code: str, found: str, expected: list) -> str:
        """Return which attribute of a CIOQ switch lacks another one, or an algorithm."""
        attribute = "CongestionPoints" if code == "no-notifier" else "Sampling"
        option = "" if self.asked_attribute(f"CioqSwitch.{attribute}") else self.given.named.get(f"CioqSwitch.{attribute}", "")
        if code == "no-sampling":
            needs = f"--{option}=deterministic or random" if option else "Sampling Deterministic or Random"
            return f"KeepAlive samples while no frame arrives: it needs {needs}"
        what = f"--{option}={found.lower()} needs" if option else f"CongestionPoints {found} need"
        return f"{what} an algorithm whose congestion point sends CNMs, such as qcn, not {expected[0]}"

    def parameter(self, line: str) -> Optional[Tuple[str, str, int]]:
        """Return algorithm, parameter and value of a refusal that is about a parameter."""
        _, _, field, code, _, *expected = map(sentences.unescape, line.split(" "))
        if code != "algorithm" or field != "RATE":
            return None
        number, parameter, value = expected
        return self.writer.experiment.algorithms[int(number)].name, parameter, int(value)

    def refusal_of_attribute(self, record: int, code: str, expected: list) -> str:
        """Return what is wrong with an item of --attr or --base; of an option's own attribute what the program says."""
        one = self.writer.defaults[record]
        hint = expected[0] if code == "value" else nearest_name(code, one.type, one.attribute) if code in ("type", "attribute") else ""
        rest = ", " + ATTRIBUTE[code].format(type=one.type[len("ns3::"):], hint=hint)
        for option in ("attr", "base"):
            for item in read_items(self.given, option):
                if (item.type, item.name, item.value) == (one.type, one.attribute, one.value):
                    return self.placed(option, "has", item.text, rest)
        return f"{one.type}::{one.attribute} is '{one.value}'{rest}"

    def placed(self, option: str, verb: str, quoted: str, rest: str) -> str:
        """Return the sentence of a Refusal, with its place where a file has the value."""
        return str(self.given.place(Refusal(option, verb, quoted, rest)))

    def refusal_of_ranks(self, code: str, found: str, expected: list) -> str:
        """Return why ranks cannot have the run."""
        if code == "whole-run":
            what = RANKED.get(found, f"the scenario {self.writer.experiment.name}, which has results of its own")
            return f"--ranks={expected[0]}: found {what}, expected a run that ranks can share (lab/doc/scale.md, Limits)"
        return f"{ALONE.get(found, found)} needs one rank, found --ranks={expected[0]}" if code == "one-rank" else found

    # ------------------------------------------------------------ its results

    def complete(self, run: dict) -> dict:
        """Return the numbers of the program with the words that a run file has not."""
        asked = {item.short(): item.value for item in read_items(self.given, "attr")}
        found: Dict[str, object] = {}
        for key, value in run.items():
            if asked and key in ("own_algorithms", "peak_rss_bytes") and "attributes" not in found:
                found["attributes"] = asked
            found[key] = self.asked_name(key, value) if run.get("cc") == self.writer.experiment.algorithms[0].core else value
            if key == "rate_bps" and set(self.rates) - {value}:
                found["link_rates_bps"] = self.rates
        found["preset"] = self.preset()
        if "notes" in found or self.notes:
            found["notes"] = self.notes
        found["warnings"] = [*self.warnings, *self.sentences(run.get("warnings", []))]
        return found

    def asked_name(self, key: str, value: Any) -> Any:
        """Return a value of run.json in which algorithms have the names by which they were asked for, and not those of variants."""
        names = {one.core: one.name for one in reversed(self.writer.experiment.algorithms)}
        if key == "own_algorithms":
            return {names.get(name, name): own for name, own in value.items()}
        asked = catalogue.cores()[self.algorithm]
        return {"cc": asked.name, "title": asked.title, "source": asked.source}.get(key, value)

    def preset(self) -> str:
        """Return the preset of the algorithm."""
        if self.given.is_set("preset"):
            return self.given.text("preset")
        if self.given.is_set("nic") and self.algorithm in algorithms.NIC:
            return algorithms.find_nic(self.given).preset
        return next(iter(catalogue.cores()[self.algorithm].presets))

    def finish(self, place: str, name: str) -> dict:
        """Complete run.json in a folder of results, and put experiment.json beside it. Returns the run; {} if there is none."""
        run = below.read_json(place, f"{name}/run.json")
        if not run:
            return {}
        run = self.complete(run)
        try:
            if not self.files:
                with below.replace(place, f"{name}/experiment.json") as f:
                    f.write(self.given.file_text())
            with below.replace(place, f"{name}/run.json") as f:
                f.write(json.dumps(run) + "\n")
        except OSError as error:
            raise RccError(f"{os.path.join(place, name)}: {error.strerror or error}", EXIT_FAILED) from error
        return run


def of_scenario(name: str, words: list) -> Simulation:
    """Return the simulation of a scenario's options. `name`: of its program."""
    return Simulation(experiments.program(name), experiments.words(name, words))


def run(program: str, simulation: Simulation) -> None:
    """Simulate to the end; the results go to --out. Raises RccError if the program fails."""
    with tempfile.TemporaryDirectory(prefix="rcc-run-") as place:
        path = os.path.join(place, "run-file")
        simulation.write(path)
        done = processes.start([program, *simulation.words(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = done.communicate()[1].decode("utf-8", "replace").splitlines()
    if done.returncode:
        raise RccError("\n".join(simulation.translate(said)) or f"{PROGRAM} ended with status {done.returncode}", EXIT_FAILED)
    simulation.finish(*os.path.split(simulation.given.text("out")))


def check(program: str, runs: List[Simulation], ranks: int = 1) -> List[list]:
    """Let the program judge all run files, in one start. Returns the warnings of each. Raises Wrong for the first that is refused."""
    with tempfile.TemporaryDirectory(prefix="rcc-check-") as folder:
        paths = [os.path.join(folder, str(number)) for number in range(len(runs))]
        for run, path in zip(runs, paths):
            run.write(path)
        done = subprocess.run([program, *paths, "--check" if ranks == 1 else f"--check={ranks}"], stdin=subprocess.DEVNULL,
                              env={**os.environ, PARENT: str(os.getpid())}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", check=False)
    found: List[list] = [[] for _ in runs]
    at = 0
    for line in filter(str.strip, done.stderr.splitlines()):
        if line.startswith(f"{SAYS}file "):
            at = paths.index(sentences.unescape(line[len(f"{SAYS}file "):]))
        else:
            found[at].append(line)
    if done.returncode:
        refuse(runs, found, at, done.returncode)
    return [[*(f"rcc: warning: {text}" for text in run.warnings), *run.translate(lines)] for run, lines in zip(runs, found)]


class Wrong(RccError):
    """An error about one of several runs.

    Args:
        run: its number among them.
        about: algorithm, parameter and value in the core's unit, of a parameter that is wrong.
    """

    def __init__(self, run: int, text: str, status: int = 2, about: Optional[Tuple[str, str, int]] = None):
        super().__init__(text, status)
        self.run, self.about = run, about


def refuse(runs: List[Simulation], found: List[list], last: int, status: int) -> NoReturn:
    """Raise why the program ended. `last`: number of the run file that it read last."""
    error = f"{SAYS}error "
    for number, (run, lines) in enumerate(zip(runs, found)):
        wrong = next((line[len(error):] for line in lines if line.startswith(error)), "")
        if status == 2 and wrong:
            raise Wrong(number, one_line(run.refusal(wrong)), about=run.parameter(wrong))
    lines = [line.strip() for line in found[last]]
    raise Wrong(last, f"{PROGRAM} --check ended with status {status}" + (f": {lines[0]}" if lines else ""), EXIT_FAILED)
