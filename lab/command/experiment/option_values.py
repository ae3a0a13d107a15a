# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The values of an experiment's options: words of the command line over the keys of a file of JSON over the defaults."""
from __future__ import annotations

import json
import os
import re
from typing import Dict, List, NoReturn, Optional

from . import json_lines
from .quantity import read_within
from .refusal import Refusal, Statement, refuse_item, refuse_value
from ..common import RccError, show_nearest
from ..run import options

MAIN = ("scenario", "cc", "rate", "delay", "buffer", "mtu", "time", "seed")   # keys that a written file always has
OF_CALL = ("out", "check", "print", "progress", "ranks", "defaults")          # options of one call, not of the experiment
WHOLE = re.compile(r"0|[1-9]\d{0,16}", re.ASCII)
PAIRS = ("attr", "base", "set")                                               # lists that a file may have as an object


class Option:
    """One option: its declaration, its text, and where that comes from."""

    def __init__(self, declared: options.Declared):
        self.declared = declared
        self.name, self.unit = declared.name, declared.unit
        self.text = self.initial = declared.default   # initial: the default after `defaults`
        self.value: Optional[int] = None              # the value of a quantity
        self.is_on = False                            # the value of a flag
        self.given = False                            # on the command line or in the file
        self.forwarded = False                        # --attr has set it
        self.hidden = False                           # no word sets it
        self.line = 0                                 # in the file; 0: not from there
        self.lines: List[int] = []                    # the line of each item of a list
        self.items: List[str] = []                    # the items of a list in the file

    def check(self) -> None:
        """Read the text of a quantity, and refuse what is not allowed."""
        if self.unit == "choice" and self.text not in self.declared.words:
            words = self.declared.words
            refuse_value(self.name, self.text, " or ".join(words) if len(words) < 3 else "one of " + ", ".join(words))
        if self.unit in options.METAVARS and self.text:
            self.value, expected = read_within(self.unit, self.text, self.declared.low, self.declared.high)
            if expected:
                refuse_value(self.name, self.text, expected)


class Given:
    """All options of an experiment, read and checked one by one."""

    def __init__(self, table: Optional[list] = None):
        table = table or options.EXPERIMENT
        self.options: Dict[str, Option] = {one.name: Option(one) for one in table}
        for name in options.OF_TOPOLOGY if table is options.NS3_RDMA else ():
            self.options[name] = Option(next(one for one in options.EVERY_RUN if one.name == name))
            self.options[name].hidden = True
        self.file = ""       # path of the file; empty: there is none
        self.file_line = 0   # where its object begins
        self.named: Dict[str, str] = {}   # options that messages call by a scenario's own option, from which they come

    @staticmethod
    def read(words: list, file: str = "", table: Optional[list] = None) -> "Given":
        """Read the words, --NAME=VALUE or --NAME of a flag, over a file of JSON that has options as keys; empty: there is none. `table`: of
        options.Declared; without it that of an experiment. Raises RccError if one is unknown, is given twice, or has a wrong value."""
        given = Given(table)
        if file:
            given.read_file(file)
        preset_of = given.text("cc") if file else ""
        try:
            given.read_words(words)
            for option in given.options.values():
                option.check()
            if preset_of and given.text("cc") != preset_of and not any(word.startswith("--preset=") for word in words):
                preset = given.options["preset"]     # the file's preset belongs to the file's algorithm
                preset.text, preset.given = preset.initial, False
            given.read_defaults()
            given.refuse_twice()
        except Refusal as refusal:
            raise given.place(refusal) from refusal
        return given

    # ------------------------------------------------------------ values

    def text(self, name: str) -> str:
        """Return the value as text."""
        return self.options[name].text

    def items(self, name: str) -> list:
        """List the items of a list."""
        return self.text(name).split(",") if self.text(name) else []

    def quantity(self, name: str) -> Optional[int]:
        """Return a quantity in ns, bit/s, bytes, parts in 1e9 or a count; None if it is not set."""
        return self.options[name].value if self.text(name) else None

    def flag(self, name: str) -> bool:
        """True if a flag is given."""
        return self.options[name].is_on

    def is_set(self, name: str) -> bool:
        """True if the option has a value."""
        return bool(self.text(name))

    def is_given(self, name: str) -> bool:
        """True if the option is on the command line or in the file, also with its default."""
        return self.options[name].given

    def is_changed(self, name: str) -> bool:
        """True if the value differs from the default."""
        return self.text(name) != self.options[name].initial

    # ------------------------------------------------------------ the command line

    def read_words(self, words: list) -> None:
        """Take the words: each of a list adds to it, the first one comes in the place of the file's."""
        taken = set()
        for word in words:
            name, equal, value = word[2:].partition("=") if word.startswith("--") else (word, "", "")
            option = self.options.get(name)
            if not option or option.hidden or not word.startswith("--"):
                raise RccError(f"unknown option {word}")
            if option.unit == "flag":
                option.is_on, option.given = True, True
                continue
            if not equal or not value:
                raise RccError(f"--{name}=: a value is missing")
            if name in taken and option.unit != "list":
                raise RccError(f"--{name} is given twice")
            option.text = f"{option.text},{value}" if name in taken else value
            option.given, option.line, option.items, option.lines = True, 0, [], []
            taken.add(name)

    def read_defaults(self) -> None:
        """Let --defaults=NAME=VALUE,... be the defaults of options that are not given."""
        for item in self.items("defaults") if "defaults" in self.options else ():
            name, equal, value = item.partition("=")
            if not equal or name not in self.options:
                refuse_item("defaults", item, "NAME=VALUE of an option")
            option = self.options[name]
            option.initial = value
            if not option.given:
                option.text = value
                option.check()

    def refuse_twice(self) -> None:
        """Refuse a parameter that --set has twice."""
        seen = set()
        for item in self.items("set") if "set" in self.options else ():
            name, equal, _ = item.partition("=")
            if equal and name in seen:
                raise Statement("set", f"--set: {name} is given twice", item)
            seen.add(name)

    # ------------------------------------------------------------ a file

    def read_file(self, path: str) -> None:
        """Read the keys of a file of JSON."""
        self.file = path
        found = json_lines.read(path, json_lines.FILE_LIMIT)
        self.file_line = found.line
        if found.kind != "object":
            raise json_lines.at(path, found.line, f"found {found.shown()}, expected an object with the keys of an experiment")
        names = [name for name in self.options if name not in OF_CALL]
        for (name, line), value in zip(found.keys, found.items):
            if name not in names:
                now = options.RETIRED_KEYS.get(name)
                expected = now.replace("--", "") if now else "one of lab/doc/testbed.md" + show_nearest(name, names)
                raise json_lines.at(path, line, f"found the key {json_lines.quoted(name)}, expected {expected}")
            self.read_key(self.options[name], value, line)

    def fail_at(self, line: int, key: str, found: str, expected: str) -> NoReturn:
        raise json_lines.at(self.file, line, f"{key}: found {found}, expected {expected}")

    def read_key(self, option: Option, value: json_lines.Value, line: int) -> None:
        """Take the value of one key."""
        if option.unit == "flag":
            if value.kind != "flag":
                self.fail_at(value.line, option.name, value.shown(), "true or false")
            option.is_on = value.text == "true"
        elif option.unit == "list":
            option.items = self.read_items(option, value)
            option.text = ",".join(option.items)
            option.lines = [value.items[i].line if value.items else value.line for i in range(len(option.items))]
        else:
            if not value.is_plain():
                self.fail_at(value.line, option.name, value.shown(), "a text" if option.unit == "text" else "a text or a number")
            option.text = value.text
        option.line, option.given = line, True

    def read_items(self, option: Option, value: json_lines.Value) -> list:
        """List the items of a list's key."""
        pairs = value.kind == "object" and option.name in PAIRS
        if not pairs and value.kind != "list" and not value.is_plain():
            self.fail_at(value.line, option.name, value.shown(), "a list")
        if value.is_plain():
            return [value.text]
        if not pairs:
            return [self.read_item(option, item) for item in value.items]
        for (key, _), item in zip(value.keys, value.items):
            if not item.is_plain():
                self.fail_at(item.line, key, item.shown(), "a text or a number")
        return [f"{key}={item.text}" for (key, _), item in zip(value.keys, value.items)]

    def read_item(self, option: Option, value: json_lines.Value) -> str:
        """Return one item of a list: a text, or an object whose first key stands before the first colon."""
        if value.is_plain() and value.text and (option.name in ("attr", "base") or "," not in value.text):
            return value.text
        head, keys = (option.declared.keys[0], option.declared.keys[1:]) if option.declared.keys else ("", ())
        if value.kind != "object" or not head:
            self.fail_at(value.line, option.name, value.shown(), "texts without commas, or objects" if head else "texts without commas")
        first, rest = "", ""
        for (key, line), item in zip(value.keys, value.items):
            if key != head and key not in keys:
                raise json_lines.at(self.file, line, f"found the key {json_lines.quoted(key)}, expected one of {option.name}: {head} "
                                    f"{' '.join(keys)}{show_nearest(key, keys)}")
            if not item.is_plain() or not item.text or ":" in item.text or "," in item.text:
                self.fail_at(item.line, key, item.shown(), "a text without commas and colons, or a number")
            if key == head:
                first = item.text
            else:
                rest += f":{key}={item.text}"
        if not first:
            self.fail_at(value.line, option.name, f"an object without {json_lines.quoted(head)}", "that key in each")
        return first + rest

    def name(self, option: str) -> str:
        """Return the option that a person gave, from which this one comes."""
        return self.named.get(option, option)

    def place(self, refusal: Refusal) -> RccError:
        """Return the error of a refusal, with file and line in front where the value is of the file, or of nobody."""
        option = self.options.get(refusal.option)
        if not self.file or not option or (option.given and not option.line):
            return refusal.renamed(self.name(refusal.option))
        found = refusal.quoted.partition("': '")[0]
        name = re.compile(rf"(?<!\w){re.escape(found)}(?!\w)")
        items = list(zip(option.items, option.lines)) if found else []
        whole, named = [at for item, at in items if item == found], [at for item, at in items if name.search(item)]
        line = [*whole, *named, option.line or self.file_line][0]
        return RccError(refusal.in_file(f"{json_lines.visible(self.file)}:{line}"), refusal.status)

    # ------------------------------------------------------------ writing

    def file_text(self) -> str:
        """Return the options that differ from their first defaults, and the main ones, as a file that `read` takes."""
        lines = []
        for option in self.options.values():
            changed = option.is_on if option.unit == "flag" else option.text != option.declared.default
            if option.name in OF_CALL or option.forwarded or not (changed or option.name in MAIN):
                continue
            lines.append(f"  {quote(option.name)}: {self.written(option)}")
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def written(self, option: Option) -> str:
        """Return an option's value as JSON."""
        if option.unit == "flag":
            return "true"
        if option.name in PAIRS:
            items = option.text.split(",") if option.name == "set" else attribute_items(option.text)
            return in_lines([f"{quote(key)}: {plain(value)}" for key, _, value in (item.partition("=") for item in items)], "{")
        if option.unit == "list":
            head = option.declared.keys[0] if option.declared.keys else ""
            return in_lines([written_item(item, head) for item in option.text.split(",")], "[")
        return plain(with_whole_path(option.name, option.text))


def attribute_items(text: str) -> list:
    """Split a list of TYPE.NAME=VALUE at its commas; a part that does not begin so goes on with the value before it."""
    items: List[str] = []
    for part in text.split(",") if text else []:
        if not items or 0 <= part.find(".") < part.find("="):
            items.append(part)
        else:
            items[-1] += "," + part
    return items


def quote(text: str) -> str:
    """Return a text as JSON has it."""
    return json.dumps(text, ensure_ascii=False)


def plain(text: str) -> str:
    """Return a whole number as one, anything else as a text of JSON."""
    return text if WHOLE.fullmatch(text) else quote(text)


def written_item(item: str, head: str) -> str:
    """Return an item of a list as an object if it has keys, else as a text."""
    first, *rest = item.split(":")
    if not head or not rest or not all("=" in part for part in rest):
        return quote(item)
    keys = [f"{quote(key)}: {plain(value)}" for key, _, value in (part.partition("=") for part in rest)]
    return "{" + ", ".join([f"{quote(head)}: {quote(first)}", *keys]) + "}"


def in_lines(items: list, opening: str) -> str:
    """Return items in lines of their own, one alone in the line of its key."""
    closing = "}" if opening == "{" else "]"
    return opening + ("".join(items) if len(items) < 2 else "\n    " + ",\n    ".join(items) + "\n  ") + closing


def with_whole_path(name: str, text: str) -> str:
    """Return a value that names a file with its whole path: the experiment may be read from another folder."""
    path, rest = text, ""
    if name == "arrivals":
        path, _, rest = text.rpartition(":")
    if name not in ("arrivals", "faults") or not path or not os.path.exists(path):
        return text
    return os.path.realpath(path) + (f":{rest}" if rest else "")
