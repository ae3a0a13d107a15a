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
# Algorithms that --nic and --nic-params set, each with the algorithm that has all settings of a NIC.
NIC = {"dcqcn": "dcqcn-nic", "dcqcn-nic": "dcqcn-nic"}
# Readings on the way to the default of dcqcn-plus that were presets, as parameters.
SEARCHED = {"dcqcn-plus": {"first-rule": "pmax=0.3+initial_alpha=0.5", "one-percent": "pmax=0.01+idle_wake=in-turn",
                           "two-level": "ai_levels=two", "hyper-3f": "hi_after=3"}}
RULES = {"dcqcn-hpcc": ("notify", "cut_rule", "alpha_rule")}    # choices that were parameters once, and are an algorithm now


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

    def __init__(self, name: str, preset: str, option: str, of_nic: bool = False):
        """Start with a preset; empty: the first one. Raises Refusal for unknown names. `option`: the one that gives the name; `of_nic`:
        settings of a NIC follow, so that of two algorithms with this preset the one of NICs is meant."""
        known = catalogue.cores()
        if name not in known:
            raise Statement(option, f"unknown algorithm '{name}', expected one of {', '.join(known)}{show_nearest(name, known)}", name)
        named = [known[name], *(known[variant] for variant in known[name].variants)]
        owners = [core for core in named if preset in core.presets] if preset else named[:1]
        if not owners and preset in SEARCHED.get(name, {}):
            raise Statement("preset", f"{name} has no preset '{preset}', expected {name}+{SEARCHED[name][preset]}, which is the same")
        if not owners:
            presets = dict.fromkeys(one for core in named for one in core.presets)
            raise Statement("preset", f"{name} has no preset '{preset}', expected one of {', '.join(presets)}")
        self.name = name
        self.core = next((core for core in owners if core.name == NIC[name]), owners[0]) if of_nic else owners[0]
        self.values = {field.name: field.default for field in self.core.fields.values()}
        self.values.update(self.core.presets[preset or next(iter(self.core.presets))])

    def has_field(self, field: str) -> bool:
        """True if the algorithm has a parameter of this name."""
        return field in self.core.fields

    def find(self, name: str) -> catalogue.Field:
        """Return a parameter. Raises RccError if the algorithm has none of this name."""
        if name not in self.core.fields:
            raise RccError(self.describe_missing(name))
        return self.core.fields[name]

    def store(self, field: catalogue.Field, value: int, text: str, expected: str) -> None:
        """Set a parameter. `text`: the value for the error; `expected`: what is wrong with it already."""
        if not expected and not field.low <= value <= field.high:
            expected = field.span()
        if expected:
            raise RccError(f"{self.name}.{field.name} is '{text}', expected {expected}")
        self.values[field.name] = value

    def set(self, name: str, text: str) -> None:
        """Set a parameter from text. Raises RccError."""
        field = self.find(name)
        value, expected = field.read(text)
        self.store(field, value, text, expected)

    def put(self, name: str, value: int) -> None:
        """Set a parameter to a value in the core's unit. Raises RccError."""
        field = self.find(name)
        self.store(field, value, field.quantity(value), "")

    def describe_missing(self, name: str) -> str:
        """Return the sentence about a parameter that the algorithm lacks, with the name of the algorithm that has it."""
        others = [core.name for core in catalogue.family(self.core) if name in core.fields] or \
            [core.name for core in catalogue.family(self.core) if name in RULES.get(core.name, ())]
        hint = f"; {others[0]} has {'it' if name in catalogue.cores()[others[0]].fields else 'the other rule'}: --cc={others[0]}" \
            if others else show_nearest(name, self.core.fields)
        return f"{self.core.name} has no parameter '{name}'{hint}"

    def is_named(self, name: str) -> bool:
        """True for a name that --set may have for the algorithm: the name in the command, its own, or that of the algorithm beside which
        it is a variant."""
        known = catalogue.cores().get(name)
        return name in (self.name, self.core.name) or (known is not None and self.core.name in known.variants)

    def build(self) -> Algorithm:
        """Return the algorithm."""
        return Algorithm(self.name, self.core.name, dict(self.values))


def find_other(name: str, field: str) -> Parameters:
    """Return the parameters of an algorithm, or of its first variant that has this one if the algorithm has not."""
    found = Parameters(name, "", "set")
    variants = [core.name for core in catalogue.family(found.core) if field in core.fields and core.name in found.core.variants]
    return found if found.has_field(field) or not variants else Parameters(variants[0], "", "set")


class Defaults(NamedTuple):
    """The presets and parameters that a configuration gives to algorithms, before --set."""
    presets: Dict[str, str]                  # by algorithm, except that of --cc; empty: the first preset
    parameters: List[tuple]                  # (algorithm, parameter, value in the core's unit)


NO_DEFAULTS = Defaults({}, [])


def create(given: Given, other: str = "", defaults: Defaults = NO_DEFAULTS) -> Algorithm:
    """Return the run's algorithm, or the algorithm of a flow, `other`, with its first preset and its parameters of --set. Raises RccError
    if an option names what does not exist, or a value is out of range."""
    name = other or given.text("cc")
    nic = find_nic(given) if name in NIC and given.is_set("nic") else None
    preset = defaults.presets.get(other, "") if other else given.text("preset")
    of_nic = name in NIC and (bool(nic and nic.settings) or ("nic-params" in given.options and given.is_set("nic-params")))
    parameters = Parameters(name, nic.preset if nic and not preset else preset, "flows" if other else "cc", of_nic)
    for field, text in nic.settings.items() if nic else ():
        parameters.set(field, text)
    for field in THRESHOLDS:
        if given.is_set(field) and parameters.has_field(field):
            try:
                parameters.set(field, given.text(field))
            except RccError as error:
                raise Statement(field, str(error)) from error
    for owner, field, value in defaults.parameters:
        if owner == parameters.name or of_nic and parameters.is_named(owner):    # keys are of the algorithm as it is named
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
        target = parameters if parameters.is_named(owner) else find_other(owner, field)   # other algorithms' are checked too
        try:
            target.set(field, text)
        except RccError as error:
            raise Statement("set", f"--set: {error}", item) from error
    return parameters.build()
