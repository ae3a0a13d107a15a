# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The algorithms of the core with their presets and fields, in the smallest units, as the program rcc-catalog prints them."""
from __future__ import annotations

import contextlib
import functools
from typing import Dict, Iterator, List, NamedTuple

from . import declared, quantity
from ..reference import algorithms

UNITS = {"count": "count", "time": "time", "rate": "rate", "bytes": "size", "ratio": "ratio", "choice": "choice"}


class Field(NamedTuple):
    """A parameter of an algorithm. `unit`: count, time, rate, size, ratio or choice."""
    name: str
    unit: str
    low: int
    high: int
    default: int
    choices: tuple    # words of a choice, whose value is the index

    def read(self, text: str) -> tuple:
        """Read a value. Returns it and "", or 0 and what is expected in its place."""
        if self.unit == "choice":
            listed = "|".join(self.choices)
            return (self.choices.index(text), "") if text in self.choices else (0, f"one of {listed}")
        return quantity.read(self.unit, text)

    def shown(self, value: int) -> str:
        """Return a value as people write it."""
        return self.choices[value] if self.unit == "choice" else quantity.shown(self.unit, value)

    def quantity(self, value: int) -> str:
        """Return a value as a quantity; of a choice its number."""
        return quantity.shown("count" if self.unit == "choice" else self.unit, value)

    def span(self) -> str:
        """Return the range as messages give it."""
        return f"{self.quantity(self.low)} to {self.quantity(self.high)}"


class Core:
    """An algorithm of the core. `watches`: frames that its congestion point looks at: none, ecn, cn-tagged or telemetry. `variants`:
    algorithms whose presets this one's name has too."""

    def __init__(self, found: dict):
        """`found`: the algorithm as rcc-catalog prints it; its values are read when they are asked for."""
        self.name, self.title, self.source, self.watches = found["name"], found["title"], found["source"], found["watches"]
        self.variants = tuple(found["variants"])
        self._found = found

    @functools.cached_property
    def fields(self) -> Dict[str, Field]:
        """The parameters, in the core's order."""
        return {field["name"]: read_field(field) for field in self._found["fields"]}

    @functools.cached_property
    def presets(self) -> Dict[str, Dict[str, int]]:
        """The presets; the first one is used without a name."""
        return {preset["name"]: {name: self.fields[name].read(text)[0] for name, text in preset["values"].items()}
                for preset in self._found["presets"]}


def read_field(found: dict) -> Field:
    """Return a field of the catalogue."""
    unit = UNITS[found["unit"]]
    choices = tuple(found["choices"].split("|")) if found["choices"] else ()
    low, high, default = (choices.index(found[key]) if unit == "choice" else quantity.read(unit, found[key])[0]
                          for key in ("min", "max", "default"))
    return Field(found["name"], unit, low, high, default, choices)


def cores() -> Dict[str, Core]:
    """Return all algorithms by name, in the core's order."""
    return declared_cores() if SOURCES else built_cores()


SOURCES: list = []    # not empty: rcc-catalog is not built, and names and units alone are judged
ANY = 1 << 100              # beyond the values of all fields


@contextlib.contextmanager
def unbuilt() -> Iterator[None]:
    """Have cores() return what the sources declare: names and units, with one range for all values."""
    SOURCES.append(True)
    try:
        yield
    finally:
        SOURCES.pop()


@functools.lru_cache(maxsize=None)
def declared_cores() -> Dict[str, Core]:
    """Return the algorithms as their sources declare them."""
    found = {}
    for name, one in declared.algorithms().items():
        core = Core({"name": name, "title": "", "source": "", "watches": "ecn", "variants": one.variants})
        core.presets = {preset: {} for preset in one.presets}
        core.fields = {field: Field(field, unit, -ANY, ANY, 0, one.choices[field]) for field, unit in one.units.items()}
        found[name] = core
    return found


@functools.lru_cache(maxsize=None)
def built_cores() -> Dict[str, Core]:
    """Return the algorithms as rcc-catalog prints them."""
    return {one["name"]: Core(one) for one in algorithms.read()["algorithms"]}


def family(core: Core) -> List[Core]:
    """List an algorithm and its variants; for a variant also those beside it."""
    first = next((one for one in cores().values() if core.name in one.variants), core)
    return [first, *(cores()[name] for name in first.variants)]


def find_field(algorithm: str, parameter: str) -> Field:
    """Return a parameter of an algorithm or of one of its variants."""
    return next(core.fields[parameter] for core in [cores()[algorithm], *family(cores()[algorithm])] if parameter in core.fields)
