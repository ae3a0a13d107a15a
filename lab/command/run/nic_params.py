# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--nic-params: the DCQCN settings of a real NIC, dumped from sysfs, debugfs or mlxconfig, over the preset that behaves like that NIC.
experiment/nic_dump.py reads the forms of a dump and knows which parameter of dcqcn a setting is."""
from __future__ import annotations

import os
import sys
from typing import Iterable, Iterator, NamedTuple, Optional, Tuple

from ..common import RccError, read_endless, warn
from . import specs
from ..experiment import catalogue, nic_dump, quantity
from ..experiment.algorithms import NIC

PRESETS = {"dcqcn": "nic-default", "qcn": ""}   # the preset below a NIC's settings, by algorithm
DEFAULT = "default"                             # in place of a file: the preset alone
MOST_BYTES = 1 << 20
FLOWS = (8, 64, 512)                            # numbers of flows that a verdict names
OF_SWITCH = ("kmin", "kmax", "pmax")            # parameters that no NIC has


class NicParams(NamedTuple):
    """The settings of a NIC."""
    path: str            # DEFAULT: of no file
    settings: tuple      # "timer=300us", parameters of the algorithm
    algorithm: str = "dcqcn"
    places: tuple = ()   # ("timer", "FILE:LINE: NAME") of each parameter
    idle: tuple = ()     # names of settings without effect

    def put_below(self, spec: specs.Spec, options: list, settings: Optional[tuple] = None) -> specs.Spec:
        """Return an entry of --cc over the preset and the settings of the NIC, or over other settings in their place."""
        return spec.add_base(spec.cc, PRESETS[self.algorithm], self.settings if settings is None else settings, options)

    def is_for(self, cc: str) -> bool:
        """True if the settings are parameters of this algorithm."""
        return cc in (self.algorithm, NIC.get(self.algorithm))

    def place(self, about: Tuple[str, str, int]) -> str:
        """Return "FILE:LINE: NAME: " of an algorithm's parameter with its value in the core's unit; "" if the file does not say it."""
        algorithm, parameter, value = about
        if algorithm != self.algorithm or parameter not in dict(self.places):
            return ""
        text = dict(setting.split("=", 1) for setting in self.settings)[parameter]
        return f"{dict(self.places)[parameter]}: " if catalogue.find_field(algorithm, parameter).read(text)[0] == value else ""

    @property
    def name(self) -> str:
        """The name of its row in the table."""
        return os.path.basename(self.path)


def read_all(text: str) -> list:
    """Read the list of --nic-params: dumps, and DEFAULT for the preset without one; each is a run of its own. Raises RccError."""
    paths = [text] if os.path.exists(text) else text.split(",")
    if not all(paths):
        raise RccError("--nic-params=: a value is missing; expected FILE, or FILE,default")
    for path in paths:
        if paths.count(path) > 1:
            raise RccError(f"--nic-params={text}: {path} is listed twice")
    found = [read(path) for path in paths if path != DEFAULT]
    if len(paths) > len(found):
        algorithm = found[0].algorithm if found else "dcqcn"
        found.insert(paths.index(DEFAULT), NicParams(DEFAULT, (), algorithm))
    return found


def stands(nic: NicParams, label: str, settings: tuple, words: list) -> str:
    """Describe the settings of a file in a run, without those that an option replaces. `label`: the algorithm's label, if the command has
    several of it; `words`: the words of the program."""
    kept = [text for text in nic.settings if text in settings]
    of = {name: next((word.partition("=")[2] for word in words if word.startswith(f"--{name}=")), "") for name in ("preset", "nic")}
    rest = f"{of['preset'] or 'the default preset'}'s" + (f", over which is --nic={of['nic']}" if of["nic"] else "")
    return f"your settings{f' of {label}' if label else ''}: {', '.join(kept) or 'none'} ({nic.path}); all else is {rest}"


def find_preset(options: list) -> str:
    """Return the preset of --preset; "": none."""
    return next((word.partition("=")[2] for word in options if word.startswith("--preset=")), "")


def spread(algorithms: list, nics: list, preset: str = "") -> Iterator[tuple]:
    """Yield (algorithm, NIC or None) of each run: an algorithm once for each NIC with its settings, or once. `preset`: that of --preset.
    Over a preset of dcqcn itself, which has no settings of NICs, the algorithm is the one that has them."""
    for spec in algorithms:
        own = [nic for nic in nics if nic.is_for(spec.cc)]
        label = spec.label
        if own and spec.cc in NIC and (spec.preset or preset) in catalogue.cores()[spec.cc].presets:
            spec = spec._replace(cc=NIC[spec.cc], shown="" if spec.cc == NIC[spec.cc] else label)
        for nic in own or [None]:
            yield spec._replace(shown=f"{label} {nic.name}") if len(own) > 1 else spec, nic


def read(path: str) -> NicParams:
    """Read a dump, and print its notes and warnings. Raises RccError."""
    found = nic_dump.read(path, content=read_endless(path, "--nic-params", MOST_BYTES, "lines of name and value"))
    for note in found.notes:
        if " has no effect: " in note:
            warn(note)
        else:
            print(f"rcc: note: {note}", file=sys.stderr)
    for warning in found.warnings:
        warn(warning)
    settings = (f"{name}={catalogue.find_field(found.algorithm, name).shown(value)}" for name, value in found.parameters.items())
    return NicParams(path, tuple(settings), found.algorithm,
                     tuple(found.places.items()), tuple(note.split(": ")[1] for note in found.notes if " has no effect: " in note))


def defaults(algorithm: str) -> dict:
    """Return the parameters of the preset that a file's settings are over, as text."""
    core = catalogue.cores()[NIC.get(algorithm, algorithm)]
    values = core.presets[PRESETS[algorithm] or next(iter(core.presets))]
    return {name: field.shown(values.get(name, field.default)) for name, field in core.fields.items()}


def differences(nic: NicParams) -> tuple:
    """Return the settings that are not those of the preset."""
    known = defaults(nic.algorithm)
    return tuple(text for text in nic.settings if known[text.partition("=")[0]] != text.partition("=")[2])


def as_specs(algorithms: list, nics: list, options: list) -> dict:
    """Return the algorithms with what the files say as presets and parameters of their own, and for each its file and the name that a run
    gives it, or "". `options`: of the program."""
    found: dict = {}
    preset = find_preset(options)
    for spec, nic in spread(algorithms, nics, preset):
        shown, spec = spec.shown, spec._replace(shown="")
        if nic:
            spec = nic.put_below(spec, options, nic.settings if spec.preset or preset else differences(nic))
        found.setdefault(spec, (nic, "" if shown in [name for _, name in found.values()] else shown))
    return found


def listed(words: list) -> str:
    """Return "8, 64 and 512"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def verdict(nic: NicParams, least: int, rate: int) -> list:
    """List what a file says about a network in three lines. `least`: r_min of the run; `rate`: of its slowest link; bit/s."""
    known, different = defaults(nic.algorithm), differences(nic)
    most = (rate - 1) // least
    enough = [str(count) for count in FLOWS if count <= most]
    few = [str(count) for count in FLOWS if count > most]
    judged = ", ".join([*([f"enough for {listed(enough)}"] if enough else []), *([f"too few for {listed(few)}"] if few else [])])
    default = PRESETS[nic.algorithm] or "the default preset"
    pairs = [f"{text} ({known[text.partition('=')[0]]})" for text in different]
    more = [f"{len(set(known).difference(OF_SWITCH)) - len(nic.settings)} parameters that the file does not say",
            *([f"{listed(list(nic.idle))}, without effect here"] if nic.idle else [])]
    return [f"{nic.path}: r_min={quantity.shown('rate', least)} allows {most} flows on the slowest link, {quantity.shown('rate', rate)}: "
            f"{judged} flows",
            f"{nic.path}: differs from {default} in {', '.join(pairs)}" if pairs else f"{nic.path}: no difference from {default}",
            f"{nic.path}: not checked: marking and buffers of your switches (--kmin, --kmax, --pmax, --buffer); {'; '.join(more)}"]


def verdicts(pairs: Iterable[tuple]) -> list:
    """List the lines of every file once. `pairs`: NIC or None, and the simulation of a run."""
    found: dict = {}
    for nic, run in pairs:
        if nic and nic.path != DEFAULT and run.rates:
            found.setdefault(nic.path, verdict(nic, run.parameters["r_min"], run.rates[0]))
    return [line for lines in found.values() for line in lines]
