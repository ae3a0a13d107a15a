# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The items of --cc: algorithms, each with a preset and parameters of its own, as NAME[:PRESET][+PARAMETER=VALUE]..."""
from __future__ import annotations

import re
from typing import Iterable, NamedTuple

from ..common import RccError

FORM = re.compile(r"(?P<name>[^:+=]+(?:\+(?=$|[:+]))?)(?::(?P<preset>[^:+=]*))?(?P<settings>(?:\+[^+]*)*)")
EXPECTED = "expected NAME[:PRESET][+PARAMETER=VALUE]..., such as dcqcn:cx4+g=0.01"


class Spec(NamedTuple):
    """One algorithm of a comparison."""
    cc: str
    preset: str = ""
    settings: tuple = ()   # "g=0.01"
    shown: str = ""        # in place of the label that follows from these

    @property
    def label(self) -> str:
        """The name in tables and legends; two specs of one --cc differ in it."""
        return self.shown or self.cc + (f":{self.preset}" if self.preset else "") + "".join(f"+{text}" for text in self.settings)

    @property
    def folder(self) -> str:
        """The label as the name of a folder."""
        return self.label.replace("/", "_").replace(" ", "-")

    def add_base(self, cc: str, preset: str, settings: tuple, options: list) -> Spec:
        """Put a preset and parameters below this spec's, if its algorithm is `cc`: values of the spec and of the command's options stay."""
        if self.cc != cc:
            return self
        given = {text.split("=")[0] for text in self.settings}
        owners = (cc + ".", cc.partition("-nic")[0] + ".")    # a variant has the parameters of its algorithm's name too
        given |= {part.split("=")[0].partition(".")[2] for word in options if word.startswith("--set=") for part in
                  word[len("--set="):].split(",") if part.startswith(owners)}
        given |= {word[2:].split("=")[0] for word in options}    # --kmin
        kept = tuple(text for text in settings if text.split("=")[0] not in given)
        has_preset = self.preset or any(word.startswith("--preset=") for word in options)
        return self._replace(preset=self.preset if has_preset else preset, settings=kept + self.settings)

    def words(self, options: list) -> list:
        """Return the options of the program for this algorithm: those of the command, but with its preset and parameters."""
        own = [f"{self.cc}.{text}" for text in self.settings]
        rest = [word for word in options if not (self.preset and word.startswith("--preset="))]
        return once([f"--cc={self.cc}", *([f"--preset={self.preset}"] if self.preset else []), *rest,
                     *([f"--set={','.join(own)}"] if own else [])])


def once(words: Iterable) -> list:
    """Merge all --set into one that has each parameter once, the last one of several, as the programs expect."""
    found: dict = {}
    rest: list = []
    for word in words:
        if not word.startswith("--set="):
            rest.append(word)
            continue
        if not found:
            rest.append("--set=")
        found.update((item.partition("=")[0], item) for item in word[len("--set="):].split(","))
    return [word + ",".join(found.values()) if word == "--set=" else word for word in rest]


def canonical(name: str) -> str:
    """Return an algorithm's name as the programs know it: DCQCN, dcqcn+, "Patched TIMELY" and dcqcn_plus are understood."""
    word = re.sub(r"[\s_]+", "-", name.strip().lower())
    word = re.sub(r"-*\+", "-plus", word)
    return "timely-patched" if word == "patched-timely" else word


def parse(text: str) -> Spec:
    """Read one entry of --cc."""
    found = FORM.fullmatch(text.strip())
    if not found:
        raise RccError(f"--cc={text}: {EXPECTED}")
    settings = found.group("settings").split("+")[1:]
    if found.group("preset") == "" or not all(re.fullmatch(r"\s*[\w-]+\s*=\s*\S.*", item) for item in settings):
        raise RccError(f"--cc={text}: {EXPECTED}")
    parts = [item.split("=", 1) for item in settings]
    names = [key.strip() for key, _ in parts]
    for name in names:
        if names.count(name) > 1:
            raise RccError(f"--cc={text}: {name} is given twice")
    return Spec(canonical(found.group("name")), (found.group("preset") or "").strip(),
                tuple(f"{key.strip()}={value.strip()}" for key, value in parts))


def parse_list(text: str) -> list:
    """Read all entries of --cc, in their order."""
    entries = text.split(",")
    if not all(entry.strip() for entry in entries):
        raise RccError(f"--cc={text}: an algorithm's name is missing; expected names separated by commas")
    found = [parse(entry) for entry in entries]
    for spec in found:
        if found.count(spec) > 1:
            raise RccError(f"--cc={text}: {spec.label} is listed twice")
    return found
