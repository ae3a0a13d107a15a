# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc help, completion and man: the same commands and options as the parsers have."""
import os
import re
import shutil
import subprocess
import sys
import unittest

from support import ROOT, RccTest, needs_programs

from command import arguments, registry
from command.experiment import declared
from command.reference import tree
from command.run.scenarios import SCENARIOS

LISTED = re.compile(r"^  (?:-\w, )?(--[a-z][\w-]*)", re.MULTILINE)   # the options that a help lists


class Help(RccTest):
    def test_help_is_help(self):
        for words in ([], ["run"], ["run", "incast"], ["sweep", "clos"], ["compare"]):
            done = self.rcc("help", *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, self.rcc(*words, "--help").stdout, words)
        self.assert_refused(self.rcc("help", "rum"), "no command 'rum', did you mean run")

    def test_examples_and_ten_options_first(self):
        """--help shows the examples and the ten options that most need; --help-all has every option, those ten too."""
        for leaf in tree.leaves():
            if not leaf.words:
                continue
            with self.subTest(" ".join(leaf.words)):
                text = leaf.parser.format_help()
                names = [name for name in LISTED.findall(text) if name != "--help"]
                most = arguments.FIRST if len(leaf.options) - 1 > arguments.MANY else arguments.MANY
                self.assertLessEqual(len(names), most)
                if names:
                    self.assertLess(text.index("examples:\n"), text.index("\noptions:\n"))
                every = leaf.parser.format_help(every=True)
                self.assertEqual(set(LISTED.findall(every)),
                                 {name for action in leaf.options for name in action.option_strings if name.startswith("--")})
                self.assertEqual("--help-all shows all options" in text, len(leaf.options) - 1 > arguments.MANY)
        self.assertIn("\n  --print ", self.rcc("run", "incast", "--help-all").stdout)
        names = LISTED.findall(self.rcc("run", "incast", "--help").stdout)
        self.assertEqual(len(names), arguments.FIRST)
        self.assertLessEqual({"--cc", "--flows", "--rate", "--time", "--seed", "--set", "--out"}, set(names))

    def test_all_algorithms_are_named(self):
        text = self.rcc("--help").stdout
        for name in declared.names():
            self.assertRegex(text, rf"(?m)(^|[ ,]){name}([ ,.]|$)")

    def test_no_scenario_that_drops_is_called_lossless(self):
        for scenario in SCENARIOS.values():
            if "--lossy" in scenario.words:
                self.assertNotRegex(scenario.about + scenario.title, "(?i)lossless")

    def test_groups(self):
        """Every command is in the overview once, in the group that the registry gives it; a script may not call one by an old name."""
        text = self.rcc("help").stdout
        for group, commands in registry.list_groups().items():
            part = text.partition(f"\n{group}:\n")[2].partition("\n\n")[0]
            self.assertEqual(re.findall(r"^  ([a-z\d-]+)", part, re.MULTILINE), list(commands), group)
        self.assertEqual(list(registry.list_groups()), ["run", "look up", "develop"])
        for old, new in registry.OLD.items():
            self.assert_refused(self.rcc(old, "--json"), f"./rcc {old} is ./rcc {new} now")
            self.assertEqual(self.rcc("help", *new.split()).returncode, 0, new)

    def test_overview_imports_no_command(self):
        """`./rcc --help` and `--version` cost a start of Python and little more: they import none of the commands' modules."""
        for word in ("--help", "--version"):
            code = ("import sys; sys.path.insert(0, 'lab')\nfrom command import main, registry\nstatus = main.main(sys.argv[1:])\n"
                    "print(*sorted({entry.module for entry in registry.names().values()} & set(sys.modules)), 'none', file=sys.stderr)")
            done = subprocess.run([sys.executable, "-c", code, word], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  check=False)
            self.assertEqual((done.returncode, done.stderr), (0, "none\n"), word)

    def complete(self, *words):
        """Return the completions of bash for the last word."""
        script = self.rcc("completion", "bash").stdout
        array = " ".join(f'"{word}"' for word in ("./rcc", *words))
        done = subprocess.run(["bash", "-c", f"{script}\nCOMP_WORDS=({array}); COMP_CWORD={len(words)}; _rcc 2>/dev/null\n"
                               'printf "%s\\n" "${COMPREPLY[@]}"'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              cwd=self.scratch)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("com"), ["compare", "compare-fct", "completion"])
        self.assertEqual(self.complete("run", "inc"), ["incast"])
        self.assertEqual(self.complete("run", "incast", "--flo"), ["--flows="])
        self.assertEqual(self.complete("run", "workload", "--topology", "=", "le"), ["leaf-spine"])
        self.assertIn("--quiet", self.complete("run", "incast", "--rate=10Gbps", "--"))
        self.assertEqual(self.complete("sweep", "incast", "--metr"), ["--metric="])

    @needs_programs
    def test_bash_knows_the_algorithms(self):
        for words in (("run", "incast"), ("run", "trace"), ("sweep", "clos"), ("ns3-rdma",)):
            self.assertEqual(self.complete(*words, "--cc", "=", "tim"), ["timely", "timely-patched"])
            self.assertEqual(self.complete(*words, "--cc", "=", ""), declared.names())
            self.assertEqual(self.complete(*words, "--cc", "=", "dcqcn:cx4,swi"), ["dcqcn:cx4,swift"])
        self.assertEqual(self.complete("algorithms", "sw"), ["swift"])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_reads_it(self):
        self.put("rcc.zsh", self.rcc("completion", "zsh").stdout)
        done = subprocess.run(["zsh", "-f", "-c", "autoload -U compinit; compinit -u -D; source rcc.zsh"], cwd=self.scratch,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_every_command_is_listed(self):
        self.assertLessEqual(set(registry.names()), {leaf.words[0] for leaf in tree.leaves() if leaf.words})
        self.assertIn("./rcc man is ./rcc help now", self.rcc("man").stderr)

    def test_the_page_names_them(self):
        with open(os.path.join(ROOT, "lab", "doc", "command.md"), encoding="utf-8") as f:
            text = f.read()
        for name in ("help", "completion"):
            self.assertIn(f"./rcc {name}", text)


if __name__ == "__main__":
    unittest.main()
