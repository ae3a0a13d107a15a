# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The parameters of a ConnectX NIC as its tools print them: lines `name value`, `name=value` or `name: value` with the names of sysfs,
debugfs, mlxconfig or Windows for DCQCN, or of mlnx_qcn for QCN. lab/doc/ns3-rdma-keys.md has the tables."""
from __future__ import annotations

import functools
import re
from fractions import Fraction
from typing import Callable, Dict, List, NamedTuple, Optional

from . import catalogue, quantity
from ..common import RccError, read_table, show_nearest
from ..ns3_rdma.files import Warnings, at, found_expected, lines_in, lines_of, shown, words_of

FILE_MAX = 1 << 20     # bytes
GAIN_MAX = 512
PPB = 10**9
OF_QCN = ("rppp_max_rps", "cndd_state_machine")    # parameters that only lists of QCN have


def ratio(share: Fraction) -> int:
    """Return a ratio as parts in 1e9, rounded to nearest."""
    return (2 * share.numerator * PPB + share.denominator) // (2 * share.denominator)


def gain(value: int) -> int:
    """Convert dce_tcp_g, in 1/1024; above 512 it is the share of alpha that stays."""
    return ratio(Fraction(1024 - value if value > GAIN_MAX else value, 1024))


class Setting(NamedTuple):
    """A setting of a NIC.

    `alias`: its name in debugfs, without rp_ or np_, or in Windows; empty: the same but for rpg_. `convert`: the conversion into the unit
    of the algorithm's parameter. `idle`: the value of a setting without parameter that has the same effect as here; None: there is none.
    """
    name: str
    alias: str
    convert: Optional[Callable[[int], int]]
    most: int
    unit: str
    parameter: str
    about: str
    idle: Optional[int] = None

    def expected(self) -> str:
        """Return what the value should be."""
        return "0 or 1" if self.most == 1 else f"a whole number from 0 to {self.most}" + (f", in {self.unit}" if self.unit else "")


def read_settings(algorithm: str) -> tuple:
    """Read the settings of an algorithm in nic_settings.tsv."""
    functions: Dict[str, Callable] = {
        "gain": gain, "shift": lambda value: ratio(Fraction(1, 1 << value)),
        "cut": lambda value: ratio(Fraction(1 << 10, 1 << value)),       # the NIC counts alpha to 2^10 and divides it by 2^value
        "x": lambda value, number: value * number, "/": lambda value, number: ratio(Fraction(value, number))}
    found = []
    for row in read_table(__file__, "nic_settings.tsv"):
        if row["of"] == algorithm:
            word = row["convert"]
            convert: Optional[Callable[[int], int]] = functions.get(word)
            if word[:1] in ("x", "/"):
                convert = functools.partial(functions[word[0]], number=int(word[1:]))
            found.append(Setting(row["name"], row["alias"], convert, int(row["most"]), row["unit"], row["parameter"], row["about"],
                                 int(row["idle"]) if row["idle"] else None))
    return tuple(found)


DCQCN, QCN = read_settings("dcqcn"), read_settings("qcn")


class Dump(NamedTuple):
    """The parameters of a dump, and remarks about it."""
    algorithm: str                      # dcqcn or qcn
    parameters: Dict[str, int]          # in the core's units
    places: Dict[str, str]              # FILE:LINE: NAME of each
    notes: List[str]
    warnings: List[str]


def from_windows(name: str) -> str:
    """Return rpg_time_reset of DcQcnRpgTimeReset; other names as they are."""
    found = re.fullmatch(r"(?:DcQcn|Dcqcn)([A-Z].*)", name)
    if not found:
        return name
    plain = re.sub(r"(?<!^)(?=[A-Z])|(?<=[^0-9])(?=[0-9])", "_", found.group(1))
    return "Enable_Prio" if plain.startswith("Enable_Prio_") else plain


def plain_name(name: str) -> str:
    """Return what mlxconfig's RPG_AI_RATE_P1, debugfs' rp_ai_rate, sysfs' rpg_ai_rate and Windows' DcQcnRpgAiRate have in common."""
    name = re.sub("[A-Z]+", lambda found: found[0].lower(), from_windows(name))
    name = re.sub(r"(?<=.)_p[0-9]$", "", name)
    return re.sub(r"^(?:rp_|np_|rpg_)", "", name)


def find(table: tuple, name: str) -> Optional[Setting]:
    """Return the setting of a name."""
    plain = plain_name(name)
    return next((one for one in table if plain == plain_name(one.name) or (one.alias and plain == one.alias)), None)


def read_value(setting: Setting, text: str) -> Optional[int]:
    """Read a value; "True(1)" is what mlxconfig prints."""
    opened = text.find("(")
    if opened >= 0 and text.endswith(")"):
        text = text[opened + 1:-1]
    return quantity.read_whole(text, setting.most)


def entries(path: str, content: Optional[bytes]) -> list:
    """List (line, words) of the lines with a name; the first "=" or ":" is a blank."""
    found = []
    lines = lines_of(path, "a file with lines of name and value", FILE_MAX) if content is None else lines_in(path, content)
    for number, line in lines:
        words = words_of(re.sub("[=:]", " ", line.partition("#")[0], count=1))
        if words:
            found.append((number, words))
    return found


def read(path: str, has_qcn: bool = True, content: Optional[bytes] = None) -> Dump:
    """Read a dump. `has_qcn`: parameters of QCN are wanted too; `content`: that of the file, if it is read already. Raises RccError with
    FILE:LINE: NAME: found .., expected .."""
    lines = entries(path, content)
    qcn = any(words[0] in OF_QCN for _, words in lines)
    if qcn and not has_qcn:
        raise RccError(f"{path}:1: found parameters of QCN, expected those of DCQCN")
    dump = Dump("qcn" if qcn else "dcqcn", {}, {}, [], [])
    table = QCN if qcn else DCQCN
    names = [one.name for one in table]
    warned = Warnings(dump.warnings)
    seen: Dict[str, int] = {}
    for line, words in lines:
        setting = find(table, words[0])
        if not setting:
            hint = show_nearest(words[0], names) if warned.has_room() else ""
            warned.add(at(path, line, f"ignored the unknown parameter {shown(words[0])}{hint}"))
            continue
        value = read_value(setting, words[1]) if len(words) == 2 else None
        if value is None:
            found = {1: "no value", 2: shown(words[-1])}.get(len(words), f"{len(words) - 1} values")
            raise RccError(at(path, line, found_expected(setting.name, found, setting.expected())))
        if setting.name in seen:
            warned.add(at(path, line, f"{setting.name}: given again, line {seen[setting.name]} is ignored"))
        seen[setting.name] = line
        apply(dump, setting, path, line, words[1], value)
    warned.finish(path)
    if not seen:
        raise RccError(f"{path}:1: found no parameter, expected lines of name and value such as 'rpg_ai_rate 5'")
    return dump


def apply(dump: Dump, setting: Setting, path: str, line: int, word: str, value: int) -> None:
    """Set the parameter of a setting, or note that it has no effect."""
    if not setting.parameter:
        if value != setting.idle or setting.idle is None:
            dump.notes.append(at(path, line, f"{setting.name}: {word} has no effect: {setting.about}"))
        return
    converted = setting.convert(value)
    field = catalogue.find_field(dump.algorithm, setting.parameter)
    if not field.low <= converted <= field.high:
        found = f"{shown(word)}, {field.quantity(converted)} for {setting.parameter}"
        raise RccError(at(path, line, found_expected(setting.name, found, field.span())))
    dump.parameters[setting.parameter] = converted
    dump.places[setting.parameter] = at(path, line, setting.name)
    if setting.parameter == "cnp_generation":    # over all flows: the interval of one flow is not limited
        dump.parameters["cnp_interval"] = 0
    if setting.convert is gain and value > GAIN_MAX:
        dump.notes.append(at(path, line, f"{setting.name}: {word} is read as the share of alpha that stays, a gain of {1024 - value}/1024"))


def table_text(has_qcn: bool = False) -> str:
    """Return the settings as the Markdown table of lab/doc/ns3-rdma-keys.md."""
    lines = [f"| name | unit | parameter of {'qcn' if has_qcn else 'dcqcn'} | meaning, or why it has no effect |", "|---|---|---|---|"]
    for one in QCN if has_qcn else DCQCN:
        lines.append(f"| `{one.name}` | {one.unit} | {f'`{one.parameter}`' if one.parameter else 'none'} | {one.about} |")
    return "\n".join(lines) + "\n"
