# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""C source as tokens: what kind each is, where it stands, and in which function or initializer."""
import re
from dataclasses import dataclass
from typing import Dict, List, Optional

_TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<char>'(?:\\.|[^'\\])+')
  | (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
  | (?P<continuation>\\\n)
  | (?P<space>\s+)
""", re.VERBOSE | re.DOTALL)

_OPENING = {"(": ")", "[": "]", "{": "}"}


@dataclass
class Token:
    """One token. `function` is the function around it, "" at file scope."""
    kind: str
    text: str
    start: int
    end: int
    line: int
    function: str = ""
    partner: int = -1      # index of the matching bracket
    in_struct: bool = False
    in_macro: bool = False
    skipped: bool = False  # a place that no mutation may touch


def _directives(text: str) -> Dict[int, int]:
    """Start -> end of what no mutation touches: each preprocessor line, but only up to the body of a #define."""
    spans = {}
    for match in re.finditer(r"^[ \t]*#[ \t]*(\w+)(?:\\\n|[^\n])*", text, re.MULTILINE):
        define = re.match(r"[ \t]*#[ \t]*define[ \t]+\w+(\([^)]*\))?", match.group(0))
        spans[match.start()] = match.start() + define.end() if define else match.end()
    return spans


def _lex(text: str) -> List[Token]:
    spans = _directives(text)
    macros = [m.span() for m in re.finditer(r"^[ \t]*#[ \t]*define(?:\\\n|[^\n])*", text, re.MULTILINE)]
    tokens, position, line, macro = [], 0, 1, 0
    while position < len(text):
        if position in spans and spans[position] > position:
            end = spans[position]
        else:
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError(f"line {line}: {text[position:position + 10]!r} is no C token")
            end = match.end()
            while macro < len(macros) and macros[macro][1] <= position:
                macro += 1
            inside = macro < len(macros) and macros[macro][0] <= position
            if match.lastgroup == "space" and "\n" in match.group():
                # stop at the last newline, so that an indented directive is found
                end = position + match.group().rindex("\n") + 1
            elif match.lastgroup not in ("comment", "space", "continuation"):
                tokens.append(Token(match.lastgroup or "", match.group(), position, end, line, in_macro=inside))
        line += text.count("\n", position, end)
        position = end
    return tokens


def _pair_brackets(tokens: List[Token]) -> None:
    stack: List[int] = []
    for i, token in enumerate(tokens):
        if token.kind != "operator":
            continue
        if token.text in _OPENING:
            stack.append(i)
        elif token.text in _OPENING.values() and stack and _OPENING[tokens[stack[-1]].text] == token.text:
            token.partner = stack.pop()
            tokens[token.partner].partner = i


def _function_name(tokens: List[Token], brace: int) -> Optional[str]:
    """The name of the function whose body starts at `brace`, or None."""
    if brace == 0 or tokens[brace - 1].text != ")" or tokens[brace - 1].partner < 1:
        return None
    before = tokens[tokens[brace - 1].partner - 1]
    return before.text if before.kind == "name" else None


def _is_struct(tokens: List[Token], brace: int) -> bool:
    return any(t.text in ("struct", "union", "enum") for t in tokens[max(0, brace - 2):brace])


def _mark_scopes(tokens: List[Token]) -> None:
    i = 0
    while i < len(tokens):
        token = tokens[i]
        end = token.partner
        if token.text == "_Static_assert" and i + 1 < len(tokens) and tokens[i + 1].partner > 0:
            for inner in tokens[i:tokens[i + 1].partner + 1]:
                inner.skipped = True
        if token.text == "{" and end > i and not token.in_macro:
            name = _function_name(tokens, i)
            if name is not None and not token.function:
                for inner in tokens[i:end + 1]:
                    inner.function = name
            elif _is_struct(tokens, i):
                for inner in tokens[i:end + 1]:
                    inner.in_struct = True
        i += 1


def read_tokens(text: str) -> List[Token]:
    """The tokens of a C file: no comments, no space, of preprocessor lines only the bodies of #define."""
    tokens = _lex(text)
    _pair_brackets(tokens)
    _mark_scopes(tokens)
    return tokens
