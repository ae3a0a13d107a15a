# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Words that a row, a report or a hint shows run as they stand when they are pasted into a shell."""
import re
import shlex
import unittest

from support import captured, sample_run

from command import main
from evidence.reproduce import reproduce
from evidence.reproduce.reproduce_report import verdicts
from command.results.judge import lines
from command.run import run, specs
from command.run.scenarios import SCENARIOS
from evidence.published.sets import FIGURES

SHELL = set("<>|;&*?$`!#~()\"\\")    # which a shell reads as something else


class Pasted(unittest.TestCase):
    def accepted(self, words):
        (args, unknown), _, _ = captured(main.make_parser("run").parse_known_args, words)
        self.assertEqual(unknown, [])
        run.given_options(SCENARIOS[words[1]], args)
        specs.parse_list(args.cc or "dcqcn")

    def test_commands_of_rows(self):
        """The commands of all published results have known options, each parameter once, and nothing that a shell would interpret."""
        for figure in FIGURES:
            for key, one in figure.runs.items():
                text = reproduce.pasted(one)
                with self.subTest(f"{figure.id} {key}"):
                    words = shlex.split(text)
                    self.assertEqual(words[0], "./rcc")
                    self.accepted(words[1:])
                    self.assertFalse(SHELL & set(re.sub("'[^']*'", "", text)), text)
                    names = [word.split("=")[0] for word in words if not word.startswith("--attr=")]
                    names += [item.split("=")[0] for word in words if word.startswith(("--set=", "--attr=")) for item in
                              word.partition("=")[2].split(",")]
                    self.assertEqual(len(names), len(set(names)), names)

    def test_one_setting_of_several(self):
        from evidence.published.figure import Run
        text = reproduce.pasted(Run("testbed", ("--set=dcqcn.timer=5ms,dcqcn.g=0.1", "--watch=a>b", "--set=dcqcn.timer=7ms")))
        self.assertEqual(text, "./rcc run testbed '--watch=a>b' --set=dcqcn.timer=7ms,dcqcn.g=0.1 --seed=1")

    def test_a_figure_says_what_its_rows_came_to(self):
        rows = [{"measured": "8 KB", "published": "7 KB", "inside": True},
                {"measured": "5.85 MB", "published": "< 200 KB", "inside": False},
                {"measured": None, "published": "x", "inside": False}, {"measured": "1", "published": "1", "inside": True}]
        self.assertEqual(verdicts(rows), [("outside: 5.85 MB, published < 200 KB", True), ("inside: 8 KB, published 7 KB", False),
                                          ("1 more row inside", False)])

    def test_a_hint(self):
        text, = lines.list_not_settled([sample_run("a", 1, halves={"jain": [0.1, 0.9]}, sim_s=0.02)])
        self.accepted(["run", "incast", *re.findall("--[a-z]+=[0-9.]+[a-z]+", text)])


if __name__ == "__main__":
    unittest.main()
