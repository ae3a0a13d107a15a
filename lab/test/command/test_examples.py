# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Every command that the help and the documentation show is one that the command line accepts."""
import argparse
import contextlib
import io
import os
import re
import shlex
import unittest

from support import ROOT

from command import main
from command.system import install
from stages import driver

COMMAND = re.compile(r"^ {4}(\./rcc .*)$", re.MULTILINE)


def words_of(command: str) -> list:
    """The words of the first ./rcc in a line of shell; [] if its arguments are an outline such as [--json]."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|;<>&")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    words = []
    for word in lexer:
        if word[0] in "|;<>&":
            break
        words.append(word)
    return [] if any(re.search(r"^\[|^[^\[]*\]$|\.\.\.$|^[A-Z_]+$", word) for word in words) else words[1:]


def children(parser) -> dict:
    """The parsers of a parser's subcommands, by name."""
    actions = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]  # pylint: disable=protected-access
    return dict(actions[0].choices) if actions else {}


class Examples(unittest.TestCase):
    def setUp(self):
        self.top = main.make_parser()
        self.parsers = children(self.top)
        self.leaves = {(name, leaf): parser for name, command in self.parsers.items() for leaf, parser in children(command).items()}

    def trouble(self, words: list) -> str:
        """"" or what argparse says."""
        err = io.StringIO()
        try:
            with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
                args, unknown = self.top.parse_known_args(words)
        except SystemExit as end:
            return err.getvalue() if end.code else ""  # 0: --help
        if args.command == "test":
            driver.choose(args.only)
        return f"unknown: {unknown}" if unknown else ""

    def test_every_help_has_examples_that_parse(self):
        parsers = {"": self.top, **self.parsers, **self.leaves}
        self.assertGreater(len(parsers), 25)
        for name, parser in parsers.items():
            text = parser.epilog or ""
            commands = re.findall(r"^  (\./rcc .*)$", text, re.MULTILINE)
            self.assertTrue(commands and "examples:\n" in text, f"{name}: no examples")
            for command in commands:
                with self.subTest(command):
                    self.assertEqual(self.trouble(words_of(command)), "", command)
                    self.assertTrue(words_of(command), "an example is a command, not an outline")
            if isinstance(name, str) and name:
                self.assertIn(name, [words_of(command)[0] for command in commands], "no example of its own")

    def test_a_command_alone_has_the_same_parser(self):
        for name, parser in self.parsers.items():
            alone = children(main.make_parser(name))
            self.assertEqual(list(alone), [name])
            self.assertEqual(alone[name].format_help(), parser.format_help())

    def test_documentation(self):
        seen = 0
        for path in install.files():
            if not path.endswith((".md", ".rst")):
                continue
            with open(os.path.join(ROOT, path), encoding="utf-8") as f:
                commands = COMMAND.findall(re.sub(r" *\\\n +", " ", f.read()))
            for command in commands:
                words = words_of(command)
                if words:
                    seen += 1
                    with self.subTest(f"{path}: {command}"):
                        self.assertEqual(self.trouble(words), "")
        self.assertGreater(seen, 40)

    def test_it_would_notice(self):
        for command in ("./rcc run incast --flwos=3", "./rcc rnu", "./rcc compare", "./rcc run incast extra", "./rcc version --json"):
            self.assertNotEqual(self.trouble(words_of(command)), "", command)
        self.assertEqual(words_of("./rcc bench --json > b.json   # all"), ["bench", "--json"])
        self.assertEqual(words_of("./rcc trace mix.tr ['EXPR'] [--count]"), [])


if __name__ == "__main__":
    unittest.main()
