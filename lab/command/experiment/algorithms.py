# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The parameters of an algorithm, from --cc, --preset, --nic, --kmin, --kmax, --pmax and --set."""
from __future__ import annotations

import functools
import json
from typing import Dict, List, NamedTuple

from . import catalogue, quantity
from .option_values import Given
from .model import Algorithm, Default
from .refusal import Refusal, Statement, refuse_value
from ..common import RccError, show_nearest
from ..run import options

THRESHOLDS = ("kmin", "kmax", "pmax")


class Nic(NamedTuple):
    """A NIC as it is shipped, from lab/nics.json."""
    preset: str                 # a preset of dcqcn
    settings: Dict[str, str]    # parameters of dcqcn that differ from the preset
    defaults: List[Default]     # attributes for the NIC's delays


@functools.lru_cache(maxsize=None)
def nics() -> Dict[str, Nic]:
    """Return the NICs that --nic names."""
    with open(options.NICS, encoding="utf-8") as f:
        found = json.load(f)
    return {name: Nic(one["preset"], one["settings"], delays(one)) for name, one in found.items() if one["option"]}


def delays(nic: dict) -> list:
    """List the attributes of a NIC's delays."""
    per_destination = "true" if nic.get("cnp_limiter") == "destination IP" else "false"
    ns = {name: quantity.read("time", nic.get(key, "0s"))[0] for name, key in
          (("NakGenerationDelay", "nak_generation"), ("NakReactionDelay", "nak_reaction"))}
    return [Default("ns3::RdmaNic", "CnpPerDestination", per_destination),
            *(Default("ns3::RdmaNic", name, f"{value}ns") for name, value in ns.items())]


def find_nic(given: Given) -> Nic:
    """Return the NIC of --nic, which is set."""
    name = given.text("nic")
    if name not in nics():
        refuse_value("nic", name, f"one of {', '.join(nics())}")
    return nics()[name]


class Parameters:
    """The parameters of an algorithm while they are set."""

    def __init__(self, name: str, preset: str, option: str):
        """Start with a preset; empty: the first one. Raises Refusal for unknown names. `option`: the option that gives the name."""
        known = catalogue.cores()
        if name not in known:
            raise Statement(option, f"unknown algorithm '{name}', expected one of {', '.join(known)}{show_nearest(name, known)}", name)
        self.core = known[name]
        if preset and preset not in self.core.presets:
            raise Statement("preset", f"{name} has no preset '{preset}', expected one of {', '.join(self.core.presets)}")
        self.values = {field.name: field.default for field in self.core.fields.values()}
        self.values.update(self.core.presets[preset or next(iter(self.core.presets))])

    def has_field(self, field: str) -> bool:
        """True if the algorithm has a parameter of this name."""
        return field in self.core.fields

    def set(self, name: str, text: str) -> None:
        """Set a parameter from text. Raises RccError."""
        field = self.core.fields.get(name)
        if not field:
            raise RccError(f"{self.core.name} has no parameter '{name}'{show_nearest(name, self.core.fields)}")
        value, expected = field.read(text)
        if not expected and not field.low <= value <= field.high:
            expected = field.span()
        if expected:
            raise RccError(f"{self.core.name}.{name} is '{text}', expected {expected}")
        self.values[name] = value

    def put(self, name: str, value: int) -> None:
        """Set a parameter to a value in the core's unit. Raises RccError."""
        field = self.core.fields[name]
        if not field.low <= value <= field.high:
            raise RccError(f"{self.core.name}.{name} is '{field.quantity(value)}', expected {field.span()}")
        self.values[name] = value

    def build(self) -> Algorithm:
        """Return the algorithm."""
        return Algorithm(self.core.name, dict(self.values))


class Defaults(NamedTuple):
    """The presets and parameters that a configuration gives to algorithms, before --set."""
    presets: Dict[str, str]                  # by algorithm, except that of --cc; empty: the first preset
    parameters: List[tuple]                  # (algorithm, parameter, value in the core's unit)


NO_DEFAULTS = Defaults({}, [])


def create(given: Given, other: str = "", defaults: Defaults = NO_DEFAULTS) -> Algorithm:
    """Return the run's algorithm, or the algorithm of a flow.

    Args:
        other: name of an algorithm in place of that of --cc, with its first preset and its parameters of --set.
        defaults: presets and parameters of a configuration.
    Raises:
        RccError: an option names what does not exist, or a value is out of range.
    """
    name = other or given.text("cc")
    nic = find_nic(given) if name == "dcqcn" and given.is_set("nic") else None
    preset = defaults.presets.get(other, "") if other else given.text("preset")
    parameters = Parameters(name, nic.preset if nic and not preset else preset, "flows" if other else "cc")
    for field, text in nic.settings.items() if nic else ():
        parameters.set(field, text)
    for field in THRESHOLDS:
        if given.is_set(field) and parameters.has_field(field):
            try:
                parameters.set(field, given.text(field))
            except RccError as error:
                raise Statement(field, str(error)) from error
    for owner, field, value in defaults.parameters:
        if owner == name:
            parameters.put(field, value)
    names = set()
    for item in given.items("set"):
        owner, dot, rest = item.partition(".")
        field, equal, text = rest.partition("=")
        if not dot or not equal or "=" in owner:
            refuse_value("set", item, "ALGORITHM.PARAMETER=VALUE")
        if f"{owner}.{field}" in names:
            raise Refusal("set", "has", item, f": {owner}.{field} is given twice")
        names.add(f"{owner}.{field}")
        target = parameters if owner == name else Parameters(owner, "", "set")   # parameters of other algorithms are checked as well
        try:
            target.set(field, text)
        except RccError as error:
            raise Statement("set", f"--set: {error}", item) from error
    return parameters.build()
