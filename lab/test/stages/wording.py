# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The part of the lint stage that reads words: comments are sentences, functions are named by verbs, and no dialect is written."""
from __future__ import annotations

import ast
import glob
import io
import os
import re
import tokenize
from typing import Iterator, List, NamedTuple, Tuple

from command.common import ROOT

from .outcome import Outcome

BOUNDS = {"core": 0.03, "model": 0.05, "helper": 0.05, "examples": 0.05, "test": 0.05, "lab": 0.05}  # share of fragments
LEAST = 40       # comments that a folder has at least: a reader that finds fewer has failed
CODE = (".c", ".cc", ".h", ".py")
# A sentence or a noun with its article does not open with a preposition, a relative pronoun or a conjunction.
OPENINGS = re.compile(r"(?:of|as of|what|who|whose|those|as those|that of|all that|one that|the same|its|their|nothing|and|or|but|also|"
                      r"else|such as have|for whom|(?:by|from|in|to|with) which)\b", re.IGNORECASE)
NO_VERBS = set("""of over under why own lives together known passed given asked told has had said beside whole full ended dark lacking
    apart alike only same such what who whose which when where how beyond within without rest else other others all some
    none each both here there then than like least most more less""".split())
DIALECT = [re.compile(pattern, re.IGNORECASE) for pattern in (
    r"\balike\b", r"\binside (?:of all|(?:its|their|the) bands?|\d)", r"[;.]\s*else\b(?! if)", r"\bas there\b",
    r"\bwhat is (?:none|no)\b", r"\bof which \S+ is none\b", r"\bone's own\b", r"\b(?:nobody|no one) tuned\b", r"\bas ever\b",
    r"\bhears?\b|\bheard\b", r"\bbelieves?\b", r"\bof (?:now|then|before)\b", r"\bhowever long\b", r"\bin one go\b", r"\bwhoever\b",
    r"\b(?:house|wall|heart)\b(?![ -]clock)")]


class Place(NamedTuple):
    """A comment or a name, and where it stands."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text[:100]}"


def check(outcome: Outcome, files: List[str]) -> None:
    """Check the words of every folder that has a bound, and of the module's pages."""
    for folder, bound in BOUNDS.items():
        comments: List[Place] = []
        names: List[Place] = []
        for path in (name for name in files if name.startswith(folder + "/") and name.endswith(CODE)):
            with open(os.path.join(ROOT, path), encoding="utf-8") as f:
                more = read_words(path, f.read())
            comments += more[0]
            names += more[1]
        fragments = find_fragments(comments)
        outcome.check(len(comments) >= LEAST, f"{folder}/: {len(comments)} comments")
        outcome.check(len(fragments) <= bound * len(comments), f"{folder}/: at most {bound:.0%} of {len(comments)} comments are fragments",
                      "\n".join(map(str, fragments)))
        for what, found in (("function named by no verb", find_bad_names(names)), ("dialect in a comment", find_dialect(comments))):
            outcome.check(not found, f"{folder}/: no {what}", "\n".join(map(str, found)))
    pages = sorted(glob.glob(os.path.join(ROOT, "doc", "*.md")))
    found = find_dialect([line for page in pages for line in read_page(page)])
    outcome.check(len(pages) > 10 and not found, "doc/: no dialect in a page", "\n".join(map(str, found)))


def read_page(path: str) -> List[Place]:
    """Return the lines of a page."""
    with open(path, encoding="utf-8") as f:
        return [Place(os.path.relpath(path, ROOT), number, line.strip()) for number, line in enumerate(f, 1)]


def find_fragments(comments: List[Place]) -> List[Place]:
    """Return the comments that do not open as a sentence."""
    return [place for place in comments if OPENINGS.match(place.text)]


def find_bad_names(names: List[Place]) -> List[Place]:
    """Return the functions whose name is a function word."""
    return [place for place in names if place.text.strip("_").lower() in NO_VERBS]


def find_dialect(comments: List[Place]) -> List[Place]:
    """Return the comments with a word that only this project would use so."""
    return [place for place in comments if any(pattern.search(place.text) for pattern in DIALECT)]


def read_words(path: str, text: str) -> Tuple[List[Place], List[Place]]:
    """Return the comments and the function names of a file."""
    comments, names = (python_comments, python_names) if path.endswith(".py") else (c_comments, c_names)
    return ([Place(path, line, words) for line, words in comments(text) if len(words) > 5 and not words.startswith(("\\", "-", "SPDX"))],
            [Place(path, line, name) for line, name in names(text)])


def c_comments(text: str) -> Iterator[Tuple[int, str]]:
    """Yield each comment with its line; lines of // in one column are one comment. Strings are skipped."""
    first, last, column, words = 0, 0, 0, ""
    for found in re.finditer(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', text, re.DOTALL):
        if not found.group().startswith("/"):
            continue
        line, begin = text.count("\n", 0, found.start()) + 1, text.rfind("\n", 0, found.start()) + 1
        more = " ".join(re.sub(r"(?m)^\s*(?://|/?\*+)[/!*]?<?|\*/$", " ", found.group()).split())
        if line == last + 1 and found.group()[:2] == "//" and found.start() - begin == column and not text[begin:found.start()].strip():
            last, words = line, f"{words} {more}"
            continue
        yield first, words
        first, column, words = line, found.start() - begin, more
        last = line if found.group()[:2] == "//" else 0
    yield first, words


def c_names(text: str) -> Iterator[Tuple[int, str]]:
    """Yield the name of each function that is defined, with or without its type on the same line."""
    for found in re.finditer(r"^[\w:<>&*~, ]*?(?<![\w.>])(?:\w+::)*([A-Za-z_]\w*)\([^;{}]*\)[^;{}()]*\{", text, re.MULTILINE):
        yield text.count("\n", 0, found.start(1)) + 1, found.group(1)


def python_comments(text: str) -> Iterator[Tuple[int, str]]:
    """Yield each docstring and each comment with its line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            words = ast.get_docstring(node)
            if words:
                yield getattr(node, "lineno", 1), " ".join(words.split())
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#: ")


def python_names(text: str) -> Iterator[Tuple[int, str]]:
    """Yield the name of each function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.name
