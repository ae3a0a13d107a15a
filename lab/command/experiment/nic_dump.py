# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The parameters of a NIC as its tools print them: lines `name value`, `name=value` or `name: value` with the names of sysfs, debugfs,
mlxconfig or Windows for DCQCN, or of mlnx_qcn for QCN, of a ConnectX; or of sysfs for an AMD NIC. lab/doc/ns3-rdma-keys.md has the
tables."""
from __future__ import annotations

import functools
import re
from fractions import Fraction
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from . import catalogue, quantity
from ..common import RccError, read_table, show_nearest
from ..ns3_rdma.files import Warnings, at, found_expected, lines_in, lines_of, shown, words_of

FILE_MAX = 1 << 20     # bytes
GAIN_MAX = 512
PPB = 10**9
OF_QCN = ("rppp_max_rps", "cndd_state_machine")    # parameters that only lists of QCN have
TIMER, ALPHA_TIMER = "rpg_time_reset", "dce_tcp_rtt"
OURS = re.compile(r"(?i)(rpg|rp|np|dce_tcp|clamp_tgt|rate_reduce|rate_to_set|initial_alpha|min_time_between_cnps|cnp|roce_cc)_?")
QUOTED = re.compile(r"\s*>[>\s]*")    # in front of a line of a mail that is quoted
LISTING = re.compile(r"\*?\s*([A-Z][A-Z0-9_]*[A-Z0-9])\s+(\S.*\S|\S)\s*")   # a line of mlxconfig: NAME VALUE, or NAME DEFAULT CURRENT NEXT
ENABLE = re.compile(r"(?i)\s*(?:enable|DcQcnEnablePrio)(?:/?(\d))?\s*[:=\s]\s*(\d+)\s*")   # the switch of one priority, or of all
# Names of drivers of ionic (AMD) that a ConnectX has only with rp_ or rpg_, or not at all.
OF_IONIC = frozenset(("time_reset", "byte_reset", "threshold", "ai_rate", "hai_rate", "min_rate", "gd", "min_dec_fac",
                      "token_bucket_size", "qp_rate", "icnp_802p_prio"))
# Names of drivers whose rule is not known here, in front of a line.
OF_OTHERS = re.compile(r"""(?ix)\s*(?:(?:options|modprobe)\s+)?(?:\S*[/.])?(?:
    (?P<Marvell>qedr?\b|dcqcn_(?:notification_point|reaction_point|rl_\w+|gd|k_us|timeout_us)\b)|
    (?P<Broadcom>bnxt_re|running\ avg\.\ weight|inactivity\ threshold|(?:inact_th|init_[ct]r|(?-i:cc_mode))\b)|
    (?P<Intel>irdma|dcqcn_(?:enable|cc_cfg_valid|min_dec_factor|min_rate_mbps|[fbt]|[rh]ai_factor|rreduce_mperiod)\b))""")


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


def plain(lines: list) -> list:
    """Turn the lines of a dump into lines "name value"; a line that is not about DCQCN becomes empty. Known forms are lines "name value"
    and "name=value", sysfs and debugfs as `grep -r .` prints them ("path/name:value"), and the listing of mlxconfig."""
    listing = any(re.match(r"\s*(Device #\d|Configurations:)", line) for line in lines)
    return one_enable([from_listing(line) if listing else from_path(line) for line in lines])


def one_enable(lines: list) -> list:
    """Replace the "enable" lines of all priorities by one: 1 if any is on."""
    found = [(number, match) for number, match in enumerate(map(ENABLE.fullmatch, lines)) if match]
    if len(found) > 1:
        on = any(match.group(2) != "0" for _, match in found)
        for number, _ in found:
            lines[number] = ""
        lines[found[0][0]] = f"enable {int(on)}"
    return lines


def split_path(line: str) -> Tuple[str, str]:
    """Split "PATH:VALUE" or "PATH: VALUE" at the last colon of its first word; "" and "" if the line has no path or no value."""
    word, blank, rest = line.strip().partition(" ")
    path, _, value = word.rpartition(":")
    value = (value + blank + rest).strip()
    return (path, value) if "/" in path[:-1] and value else ("", "")


def path_names(path: str) -> list:
    """Split the path of a setting; the last name is that of the setting, not the priority of .../enable/3."""
    parts = path.split("/")
    while len(parts) > 1 and parts[-1].isdigit():
        parts.pop()
    return parts


def from_path(line: str) -> str:
    """Turn "/sys/class/net/eth0/ecn/roce_rp/rpg_time_reset:300" into "rpg_time_reset 300"; other lines stay."""
    path, value = split_path(line)
    return f"{path_names(path)[-1]} {value}" if path else line


def from_listing(line: str) -> str:
    """Turn a line of mlxconfig's listing into name and value of the next boot, the last one; settings that are not DCQCN's become
    empty."""
    found = LISTING.fullmatch(line.strip())
    if not found or not OURS.match(found.group(1)):
        return ""
    return f"{found.group(1)} {found.group(2).split()[-1]}"


def sources(lines: list) -> list:
    """List (device of a listing, folder, port) of each line with a known setting; "" is each that the line does not say."""
    found, device = [], ""
    for line in lines:
        head = re.match(r"\s*Device #(\d+)", line)
        device = head.group(1) if head else device
        path, _ = split_path(line)
        parts = path_names(path) if path else []
        name = parts[-1] if path else next(iter(words_of(re.sub("[=:*]", " ", line))), "")
        port = re.search(r"(?i)_p([0-9])$", name)
        folder = "/".join(parts[:-2] if parts[-2:-1] in (["roce_rp"], ["roce_np"]) else parts[:-1])
        known = OURS.match(name) or find(DCQCN, name) or find(QCN, name)
        found.append((device, folder, port.group(1) if port else "") if known else ("", "", ""))
    return found


def natural(text: str) -> list:
    """Return a key of order by which 2 comes before 10."""
    return [(len(part.lstrip("0")) if place % 2 else 0, part) for place, part in enumerate(re.split("([0-9]+)", text))]


def keep_first(path: str, lines: list, notes: list) -> str:
    """Make the lines of all devices, folders and ports but the first empty, and note which is used. Returns the folder."""
    kept = ""
    for kind, values in zip(("device", "folder", "port"), zip(*sources(lines))):
        several = sorted({value for value in values if value}, key=natural)
        others = [number for number, value in enumerate(values) if value in several[1:]]
        if others:
            used = shown(several[0], 4096) if kind == "folder" else several[0]
            count = f"{len(others)} lines of other {kind}s are" if len(others) > 1 else f"1 line of another {kind} is"
            notes.append(at(path, others[0] + 1, f"{count} not used: the settings are those of {kind} {used}"))
        for number in others:
            lines[number] = ""
        kept = several[0] if kind == "folder" and several else kept
    return kept


def refuse_others(path: str, lines: list) -> None:
    """Refuse a dump of a NIC whose rule is not known here. Raises RccError."""
    for number, line in enumerate(lines, 1):
        found = OF_OTHERS.match(line)
        if found:
            raise RccError(at(path, number, f"found settings of the driver of {found.lastgroup}, whose congestion control is not known "
                              "here; expected those of a NIC of NVIDIA or AMD"))


def entries(path: str, content: Optional[bytes], notes: list) -> tuple:
    """List (line, words) of the lines with a name, and say if the NIC is one of AMD; the first "=" or ":" is a blank."""
    read_lines = lines_of(path, "a file with lines of name and value", FILE_MAX) if content is None else lines_in(path, content)
    lines = [QUOTED.sub("", line, count=1) if QUOTED.match(line) else line for _, line in read_lines]
    refuse_others(path, lines)
    folder = keep_first(path, lines, notes)
    found = []
    for number, line in enumerate(plain(lines), 1):
        words = words_of(re.sub("[=:]", " ", line.partition("#")[0], count=1))
        if words:
            found.append((number, words))
    names = {words[0] for _, words in found}
    amd = "ionic" in folder or (not names.isdisjoint(OF_IONIC) and not any(name.startswith(("rp_", "rpg_")) for name in names))
    return found, amd


def read(path: str, has_qcn: bool = True, content: Optional[bytes] = None) -> Dump:
    """Read a dump. `has_qcn`: parameters of QCN are wanted too; `content`: that of the file, if it is read already. Raises RccError with
    FILE:LINE: NAME: found .., expected .."""
    dump = Dump("dcqcn", {}, {}, [], [])
    lines, amd = entries(path, content, dump.notes)
    if any(words[0] in OF_QCN for _, words in lines):
        if not has_qcn:
            raise RccError(f"{path}:1: found parameters of QCN, expected those of DCQCN")
        dump = dump._replace(algorithm="qcn")
    table = QCN if dump.algorithm == "qcn" else DCQCN
    names = [one.name for one in table]
    warned = Warnings(dump.warnings)
    seen: Dict[str, Tuple[int, str, int]] = {}    # line, word and value of each setting
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
            warned.add(at(path, line, f"{setting.name}: given again, line {seen[setting.name][0]} is ignored"))
        seen[setting.name] = line, words[1], value
        if not (amd and setting.name == TIMER):
            apply(dump, setting, path, line, words[1], value)
    warned.finish(path)
    if not seen:
        raise RccError(f"{path}:1: found no parameter, expected lines of name and value such as 'rpg_ai_rate 5'")
    if amd and TIMER in seen:
        apply_multiple(dump, path, seen)
    return dump


def apply_multiple(dump: Dump, path: str, seen: dict) -> None:
    """Set the timer of an AMD NIC: its driver counts it in periods of alpha."""
    line, word, value = seen[TIMER]
    if ALPHA_TIMER not in seen:
        raise RccError(at(path, line, found_expected(TIMER, f"no {ALPHA_TIMER}", "it in the file: a NIC of AMD counts its timer in it")))
    period = seen[ALPHA_TIMER][2]
    apply(dump, next(one for one in DCQCN if one.name == TIMER), path, line, word, value * period)
    dump.notes.append(at(path, line, f"{TIMER}: {word} of a NIC of AMD is a multiple of {ALPHA_TIMER}, {period} us: {value * period} us"))


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
