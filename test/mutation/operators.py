# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Mutation operators: from the text of a C file to the list of its mutants."""
import re
from collections import Counter
from dataclasses import dataclass
from typing import Callable, Iterator, List, Tuple

from c_tokens import Token, read_tokens

# (start, end, new text, description): what a mutant replaces.
Edit = Tuple[int, int, str, str]

RELATIONAL = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&"}
LOGICAL = {"&&": "||", "||": "&&"}
ASSIGNMENT = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "*=", "<<=": ">>=", ">>=": "<<=", "&=": "|=",
              "|=": "&=", "^=": "&=", "++": "--", "--": "++"}
BOOLEAN = {"true": "false", "false": "true"}
NO_STATEMENT = {"if", "for", "while", "do", "switch", "return", "goto", "case", "default", "else", "struct", "union",
                "enum", "const", "static", "typedef", "unsigned", "int", "char", "bool", "void", "__extension__",
                "_Static_assert", "{", "}", ";"}


@dataclass(frozen=True)
class Mutant:
    """One change of one file. `key` names it without a line number, so that it survives edits elsewhere."""
    path: str
    line: int
    function: str  # "" at file scope
    name: str      # the function or the macro
    key: str
    start: int
    end: int
    text: str
    needs_cc: bool = False  # tcc sees another branch of the function's #ifdef

    def apply(self, source: str) -> str:
        """The whole text of the mutated file."""
        return source[:self.start] + self.text + source[self.end:]


def _spaced(source: str, token: Token) -> bool:
    """A binary operator has space on both sides; a pointer's star, an address or a sign has not (clang-format)."""
    return source[token.start - 1].isspace() and source[token.end].isspace()


def _replace_operators(source: str, tokens: List[Token]) -> Iterator[Edit]:
    for token in tokens:
        if token.kind == "name" and token.text in BOOLEAN:
            yield token.start, token.end, BOOLEAN[token.text], f"{token.text} -> {BOOLEAN[token.text]}"
        if token.kind != "operator":
            continue
        for new in RELATIONAL.get(token.text, ()):
            yield token.start, token.end, new, f"{token.text} -> {new}"
        for table, spaced in ((ARITHMETIC, True), (LOGICAL, True), (ASSIGNMENT, False)):
            if token.text in table and (not spaced or _spaced(source, token)):
                yield token.start, token.end, table[token.text], f"{token.text} -> {table[token.text]}"
        if token.text in ("!", "~") or (token.text == "-" and not _spaced(source, token)):
            yield token.start, token.end, " ", f"remove {token.text}"


def _array_size(tokens: List[Token], i: int) -> bool:
    """A number in brackets at file scope is the size of an array."""
    return not tokens[i].function and tokens[i - 1].text == "["


def _change_constants(_source: str, tokens: List[Token]) -> Iterator[Edit]:
    for i, token in enumerate(tokens):
        if token.kind == "number" and not _array_size(tokens, i):
            digits = token.text.rstrip("uUlL")
            suffix = token.text[len(digits):]
            value = int(digits, 0 if digits[:2] in ("0x", "0X") else 10)
            for new in sorted({0, max(0, value - 1), value + 1} - {value}):
                yield token.start, token.end, f"{new}{suffix}", f"{token.text} -> {new}{suffix}"
        elif token.kind == "name" and token.text.isupper() and len(token.text) > 2 and token.text != "NULL":
            if i + 1 < len(tokens) and tokens[i + 1].text == "(":
                continue  # a macro with arguments
            yield token.start, token.end, f"({token.text} + 1)", f"{token.text} -> {token.text} + 1"


def _one_comparison(tokens: List[Token]) -> bool:
    texts = [t.text for t in tokens if t.kind == "operator"]
    return sum(t in RELATIONAL for t in texts) == 1 and not any(t in LOGICAL or t in ("!", "?") for t in texts)


def _negate_conditions(source: str, tokens: List[Token]) -> Iterator[Edit]:
    for i, token in enumerate(tokens[:-1]):
        if token.text not in ("if", "while") or token.kind != "name" or tokens[i + 1].partner < 0:
            continue
        first, last = i + 1, tokens[i + 1].partner
        if _one_comparison(tokens[first:last]):
            continue  # the comparison's own mutants say the same
        start, end = tokens[first].end, tokens[last].start
        yield start, end, f"!({source[start:end]})", "negate the condition"


def _swap_branches(source: str, tokens: List[Token]) -> Iterator[Edit]:
    for i, token in enumerate(tokens):
        if token.text != "?":
            continue
        colon, nested, j = -1, 0, i + 1
        while j < len(tokens) and tokens[j].text not in (")", "]", "}", ";", ","):
            if tokens[j].text in ("(", "[", "{") and tokens[j].partner > j:
                j = tokens[j].partner
            elif tokens[j].text == "?" and colon < 0:
                nested += 1
            elif tokens[j].text == ":" and colon < 0:
                if nested == 0:
                    colon = j
                nested -= 1
            j += 1
        if colon < 0:
            continue
        yes = source[token.end:tokens[colon].start].strip()
        no = source[tokens[colon].end:tokens[j - 1].end].strip()
        yield token.start, tokens[j - 1].end, f"? ({no}) : ({yes})", "swap the branches of ?"


def _is_declaration(source: str, statement: List[Token]) -> bool:
    if len(statement) < 2 or statement[0].kind != "name":
        return False
    if statement[1].kind == "name":
        return True
    return (statement[1].text == "*" and len(statement) > 2 and statement[2].kind == "name" and
            not _spaced(source, statement[1]))


def _starts_statement(tokens: List[Token], i: int) -> bool:
    before = tokens[i - 1]
    if before.text in ("{", "}", ";", "else"):
        return True
    if before.text == ":" and tokens[i - 2].text != "?" and tokens[i - 3].text in ("case", "{", ";", "}"):
        return True
    if before.text == ")" and before.partner > 0:
        return tokens[before.partner - 1].text in ("if", "while", "for", "switch")
    return False


def _remove_statements(source: str, tokens: List[Token]) -> Iterator[Edit]:
    in_parentheses = 0
    for i, token in enumerate(tokens):
        in_parentheses += (token.text == "(") - (token.text == ")")
        opens = 1 if token.text == "(" else 0
        if not token.function or in_parentheses != opens or not _starts_statement(tokens, i):
            continue
        if token.text in NO_STATEMENT or (token.text == "(" and tokens[i + 1].text == "void"):
            continue
        end = i
        while end < len(tokens) and tokens[end].text not in (";", "}"):
            end = tokens[end].partner + 1 if tokens[end].partner > end else end + 1
        if end == len(tokens) or tokens[end].text == "}":
            continue  # no statement, but part of an initializer
        if _is_declaration(source, tokens[i:end]):
            continue
        yield token.start, tokens[end].start, "", "remove the statement"


OPERATORS: Tuple[Callable[[str, List[Token]], Iterator[Edit]], ...] = (
    _replace_operators, _change_constants, _negate_conditions, _swap_branches, _remove_statements)


def mutants_of(path: str, source: str) -> List[Mutant]:
    """Every mutant of one file, in the order of the file. `path` is only a name here."""
    tokens = read_tokens(source)
    usable = [t for t in tokens if not t.skipped and not t.in_struct]
    open_to = {t.start: t for t in usable}
    header = path.endswith(".h")
    edits = []
    for operator in OPERATORS:
        for start, end, new, what in operator(source, tokens):
            token = open_to.get(start) or next((t for t in usable if t.start >= start), None)
            if token is None or (start not in open_to and token.start >= end):
                continue
            if header and not token.function and not token.in_macro:
                continue  # declarations
            edits.append((start, end, new, what, token))
    edits.sort(key=lambda e: (e[0], e[1], e[3]))
    lines = source.split("\n")
    bodies = {t.function: [] for t in tokens}
    for token in tokens:
        bodies[token.function].append(token)
    wide = {name for name, body in bodies.items() if name and "__SIZEOF_INT128__" in source[body[0].start:body[-1].end]}
    seen: Counter = Counter()
    mutants = []
    for start, end, new, what, token in edits:
        line = source.count("\n", 0, start) + 1
        text = " ".join(lines[line - 1].rstrip("\\").split())
        place = (token.function or "file scope", text, what)
        seen[place] += 1
        number = f" #{seen[place]}" if seen[place] > 1 else ""
        key = " | ".join((path, place[0], text, what + number))
        macro = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", source[:start], re.MULTILINE)
        name = token.function or (macro[-1] if macro and token.in_macro else "")
        mutants.append(Mutant(path, line, token.function, name, key, start, end, new, token.function in wide))
    return mutants
