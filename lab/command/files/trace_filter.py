# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The filter expressions of HPCC's trace_reader, compiled to a Python function.

    expression = term [("&" | "|") expression]       term = "(" expression ")" | FIELD OP VALUE

As in HPCC, & and | have one precedence and group to the right: a & b | c is a & (b | c). OP is = != > >= < <=. A VALUE is decimal, 0x
hexadecimal or 0 octal; a field is read from the record's bytes whatever the packet's type, so say l3Prot too. Short forms:
flow= (also rflow= and biflow=) SIP,DIP,SPORT,DPORT and queue= NODE,INTF,QIDX. Unlike there, a value that its field cannot
hold is an error and not cut to the field's size, and data.pg, ack.seq and others are known too.
"""
from __future__ import annotations

import re
from typing import Callable, Optional

from ..common import RccError, nearest

# One record: what unpack() gives, in this order; the last five are the union's 24 bytes, see FIELDS.
RECORD = "<QHBBIIIHBBBBxxHHIQQ"
(TIME, NODE, INTF, QIDX, QLEN, SIP, DIP, SIZE, L3PROT, EVENT, ECN, NODE_TYPE, U32, U34, U36, U40, U48) = range(17)


def at(index: int) -> str:
    return f"r[{index}]"


# name: (Python expression over the record r, bits)
FIELDS = {
    "time": (at(TIME), 64), "node": (at(NODE), 16), "intf": (at(INTF), 8), "qidx": (at(QIDX), 8), "qlen": (at(QLEN), 32),
    "sip": (at(SIP), 32), "dip": (at(DIP), 32), "size": (at(SIZE), 16), "l3Prot": (at(L3PROT), 8), "event": (at(EVENT), 8),
    "ecn": (at(ECN), 8), "nodeType": (at(NODE_TYPE), 8),
    "data.sport": (at(U32), 16), "data.dport": (at(U34), 16), "data.seq": (at(U36), 32), "data.ts": (at(U40), 64),
    "data.pg": (f"({at(U48)} & 0xffff)", 16), "data.payload": (f"({at(U48)} >> 16 & 0xffff)", 16),
    # trace_reader compares the low byte of the flags only; their high byte is always 0
    "ack.sport": (at(U32), 16), "ack.dport": (at(U34), 16), "ack.flags": (f"({at(U36)} & 0xff)", 8),
    "ack.pg": (f"({at(U36)} >> 16)", 16), "ack.seq": (f"({at(U40)} & 0xffffffff)", 32), "ack.ts": (at(U48), 64),
    "qp.sport": (at(U32), 16), "qp.dport": (at(U34), 16),
    "pfc.time": (f"({at(U32)} | {at(U34)} << 16)", 32), "pfc.qlen": (at(U36), 32), "pfc.qidx": (f"({at(U40)} & 0xff)", 8),
    "cnp.fid": (at(U32), 16), "cnp.qidx": (f"({at(U34)} & 0xff)", 8), "cnp.ecn": (f"({at(U34)} >> 8)", 8),
    "cnp.qfb": (f"({at(U36)} & 0xffff)", 16), "cnp.total": (f"({at(U36)} >> 16)", 16), "cnp.seq": (at(U36), 32),
}
SHORTHANDS = {"flow": "SIP,DIP,SPORT,DPORT", "rflow": "SIP,DIP,SPORT,DPORT", "biflow": "SIP,DIP,SPORT,DPORT",
              "queue": "NODE,INTF,QIDX"}
OPERATORS = {"=": "==", "!=": "!=", ">": ">", ">=": ">=", "<": "<", "<=": "<="}
TOKEN = re.compile(r"\s*(?:(?P<word>[A-Za-z0-9.,_]+)|(?P<op>>=|<=|!=|[=<>])|(?P<mark>[&|()])|(?P<end>$))")
MOST_TERMS = 200    # Python's own parser has a limit on nesting


class Parser:
    """A parser of one text; each method returns a Python expression over the record r."""

    def __init__(self, text: str):
        self.text = text
        self.position = 0
        self.depth = self.terms = 0
        self.kind, self.value, self.start = "", "", 0
        self.advance()

    def wrong(self, expected: str, found: Optional[str] = None, start: Optional[int] = None) -> RccError:
        if found is None:
            found = f"'{self.value}'" if self.kind != "end" else "the end"
        where = self.start if start is None else start
        return RccError(f"filter '{self.text}': column {where + 1}: found {found}, expected {expected}")

    def advance(self) -> None:
        found = TOKEN.match(self.text, self.position)
        if not found:
            at_fault = len(self.text) - len(self.text[self.position:].lstrip())
            raise self.wrong("a field, an operator, a number, & | ( or )", f"'{self.text[at_fault]}'", at_fault)
        self.kind = found.lastgroup or "end"
        self.value = found.group(self.kind)
        self.start, self.position = found.start(self.kind), found.end()

    def parse_all(self) -> str:
        code = self.expression()
        if self.kind != "end":
            raise self.wrong("& or | or the end")
        return code

    def expression(self) -> str:
        self.terms += 1
        if self.terms > MOST_TERMS:
            raise self.wrong(f"at most {MOST_TERMS} terms", "more")
        left = self.term()
        if self.kind == "mark" and self.value in "&|":
            operator = "and" if self.value == "&" else "or"
            self.advance()
            return f"({left} {operator} {self.expression()})"
        return left

    def term(self) -> str:
        if self.kind == "mark" and self.value == "(":
            self.depth += 1
            if self.depth > 50:
                raise self.wrong("at most 50 nested brackets", "more")
            self.advance()
            code = self.expression()
            if (self.kind, self.value) != ("mark", ")"):
                raise self.wrong("')'")
            self.depth -= 1
            self.advance()
            return code
        if self.kind != "word":
            raise self.wrong("a field or '('")
        name = self.value
        if name not in FIELDS and name not in SHORTHANDS:
            raise self.wrong("a field" + (nearest(name, [*FIELDS, *SHORTHANDS])
                                          or ": " + ", ".join([*list(FIELDS)[:12], "data.sport and others (--help)"])))
        self.advance()
        if self.kind != "op":
            raise self.wrong("one of = != > >= < <=")
        operator = self.value
        if name in SHORTHANDS and operator != "=":
            raise self.wrong(f"= after {name}")
        self.advance()
        if self.kind != "word":
            raise self.wrong("a number")
        code = self.short(name) if name in SHORTHANDS else self.compare(name, operator, self.value, self.start)
        self.advance()
        return code

    def number(self, name: str, word: str, start: int) -> int:
        bits = FIELDS[name][1]
        dotted = re.fullmatch(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})", word)
        if name in ("sip", "dip") and dotted and all(int(part) < 256 for part in dotted.groups()):
            return int.from_bytes(bytes(map(int, dotted.groups())), "big")
        if re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}|0[0-7]{0,22}|[1-9]\d{0,19}", word):
            value = int(word, 16 if word[:2] in ("0x", "0X") else 8 if word[0] == "0" else 10)
            if value < 1 << bits:
                return value
            raise self.wrong(f"a number of {bits} bits for {name}", f"'{word}'", start)
        hint = f", did you mean 0x{word}?" if re.fullmatch(r"[0-9a-fA-F]{1,16}", word) else ""
        raise self.wrong(f"a number, decimal, 0x hexadecimal or 0 octal{hint}", f"'{word}'", start)

    def compare(self, name: str, operator: str, word: str, start: int) -> str:
        return f"{FIELDS[name][0]} {OPERATORS[operator]} {self.number(name, word, start)}"

    def short(self, name: str) -> str:
        words = self.value.split(",")
        fields = ["node", "intf", "qidx"] if name == "queue" else ["sip", "dip", "data.sport", "data.dport"]
        if len(words) != len(fields):
            raise self.wrong(SHORTHANDS[name])
        values = [self.number(field, word, self.start) for field, word in zip(fields, words)]
        if name == "queue":
            return "(" + " and ".join(f"{FIELDS[f][0]} == {v}" for f, v in zip(fields, values)) + ")"

        def one_way(sip: int, dip: int, sport: int, dport: int) -> str:
            # ports stand in the same place in data, ACK and NAK, and in the record of a queue pair; nowhere else
            return (f"({at(SIP)} == {sip} and {at(DIP)} == {dip} and {at(L3PROT)} in (0x11, 0xfc, 0xfd, 0) and "
                    f"{at(U32)} == {sport} and {at(U34)} == {dport})")
        sip, dip, sport, dport = values
        forth, back = one_way(sip, dip, sport, dport), one_way(dip, sip, dport, sport)
        return {"flow": forth, "rflow": back, "biflow": f"({forth} or {back})"}[name]


def compile_filter(text: Optional[str]) -> Callable:
    """Return a function from an iterable of records to the list of those that match. Its code has no text of the user but
    numbers and operators that were parsed."""
    if text is None:
        return list
    return eval(f"lambda records: [r for r in records if {Parser(text).parse_all()}]", {"__builtins__": {}})  # noqa: S307
