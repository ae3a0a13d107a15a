# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The boundaries between the parts. Python and C++ (lab/run/run-file.md): programs say codes and values, of which Python makes sentences,
and Python alone reads what people write. Evidence: it uses the other parts, and none of them names it."""
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import ROOT

from command.experiment import sentences
from command.system import install

COMMAND = os.path.join(ROOT, "lab", "command")

# By file of lab/command: how many patterns it has. They read what people, other simulators, the sources and other tools write. What
# rcc-run, rcc-catalog and rcc-bench say has codes and JSON, and no pattern matches it.
PATTERNS = """
    below.py=1 common.py=3 experiment/declared.py=7 experiment/option_values.py=2 experiment/json_lines.py=4 experiment/names.py=2
    experiment/nic_dump.py=16 experiment/quantity.py=1 experiment/writer.py=1 files/fct.py=2 files/flow_sizes.py=2
    files/trace_filter.py=4 ns3_rdma/files.py=1 ns3_rdma/numbers.py=3 ns3_rdma/words.py=2 pcap/pcap_plot.py=1 reference/manual.py=1
    reference/manual_tables.py=1 reference/tree.py=1 results/draw/sheet.py=1 results/html/page.py=1
    results/judge/settled.py=1 results/judge/sweep_results.py=2 results/read/results.py=1 results/plot.py=1 run/bench.py=1 run/grid.py=3
    run/points.py=1 run/ranks.py=4 run/specs.py=4 system/build.py=4 system/doctor.py=2 system/install.py=1
    system/packages.py=1 traces/chakra.py=1 traces/goal.py=3 traces/simai.py=1 units.py=1"""
USES = ("compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")

# Code in C++ that reads words of people: options, units, JSON, notations.
READERS = re.compile(r'''RccParse\w*|RccSuggest|"--[a-z]|\bsto(?:i|l|ll|ul|ull|f|d|ld)\s*\(|\bstrto\w+\s*\(|\bato(?:i|l|ll|f)\s*\(
                     |\bs?scanf\s*\(|from_chars|std::getline|istringstream|std::regex
                     |[Jj]son[-_]?[Rr]eader|[Jj]son[-_]?[Pp]ars''', re.VERBOSE)
# By file of the lab in C++ that has such a word all the same: how many lines, and why.
ALLOWED = {
    "run/rcc-run.cc": (5, "its own three options"),
    "run/ranks/lab-rank-gateway.cc": (2, "variables of the environment that mpirun sets"),
    "run/measure/lab-attributes.cc": (2, "a value of an attribute, which ns-3 would end the program over"),
    "run/simulation/lab-progress.cc": (1, "a variable of the environment that the command sets"),
    "run/simulation/lab-run.cc": (1, "RCC_MAX_EVENTS, a variable of the environment"),
    "run/catalog.cc": (3, "its own option, choices of the core"),
}


def patterns(text):
    """The number of patterns of a Python file."""
    found = 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "re":
            found += 1000    # `import re` alone can be counted
        if isinstance(node, ast.Import):
            found += sum(1000 for name in node.names if name.name == "re" and name.asname)
        found += isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re" and node.attr in USES
    return found


def readers(text):
    """Count the lines of a C++ file that read words."""
    return sum(bool(READERS.search(line.split("//")[0])) for line in text.splitlines() if not line.lstrip().startswith("*"))


def counted(folder, endings, count, but=()):
    """By path in a folder, what a file has that has any."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if os.path.join(place, name) not in but]
        for name in names:
            if name.endswith(endings):
                with open(os.path.join(place, name), encoding="utf-8") as f:
                    found[os.path.relpath(os.path.join(place, name), folder)] = count(f.read())
    return {name: number for name, number in found.items() if number}


class Boundary(unittest.TestCase):
    maxDiff = None

    def test_no_pattern_matches_what_a_program_says(self):
        """A new pattern is listed, and what a program of ours says is not what it reads."""
        self.assertEqual(counted(COMMAND, ".py", patterns), {name: int(count) for name, _, count in
                                                             (item.partition("=") for item in PATTERNS.split())})

    def test_programs_read_no_words_of_people(self):
        lab = os.path.join(ROOT, "lab")
        self.assertEqual(counted(lab, (".cc", ".h", ".inc"), readers, but=(os.path.join(lab, "run", "test"),)),
                         {name: lines for name, (lines, _) in ALLOWED.items()})

    def test_what_is_counted(self):
        """The two counts find what they are for."""
        self.assertEqual(patterns("import re\nA = re.compile('a')\ndef f(t):\n    return re.sub('a', 'b', t) + re.escape(t)\n"), 2)
        self.assertGreater(patterns("from re import search\n"), 1)
        self.assertGreater(patterns("import re as regular\n"), 1)
        for line in ("RccParseWhole(text, 9, &most)", 'word == "--check"', "std::stoul(words[i])", "strtod(a, nullptr)", "atoi(a)",
                     "std::getline(in, part, ',')", "LabJsonReader reader(text);", '#include "lab-json-reader.h"'):
            self.assertEqual(readers(line), 1, line)
        for line in ("LabJson json('[');", " * RccParse of a text", "slot.window.store(m_window)", 'text += "-";', "history(now)"):
            self.assertEqual(readers(line), 0, line)

    @unittest.skipUnless(shutil.which("c++"), "there is no compiler")
    def test_the_run_file_is_read_in_cpp11(self):
        """ns-3 up to 3.35 is compiled as C++11. What includes ns-3 can be tried in such a tree only."""
        folder = os.path.join(ROOT, "lab", "run", "files")
        files = [name for name in sorted(os.listdir(folder)) if name.startswith("run-")]
        self.assertGreater(len(files), 6)
        for name in files:
            done = subprocess.run(["c++", "-std=c++11", "-fsyntax-only", "-x", "c++", "-I", folder, os.path.join(folder, name)],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertNotIn("error", done.stdout, name)

    def test_each_code_of_a_fault_has_a_sentence(self):
        """LabFaults has the codes of what a network cannot have, the check of a file that of its bursts."""
        codes = {"burst"}
        for name, some in (("faults/lab-faults.cc", {"overlap", "rate-set", "link-rate"}), ("files/run-file-check.cc", {"burst"})):
            with open(os.path.join(ROOT, "lab", "run", name), encoding="utf-8") as f:
                found = set(re.findall(r'throw RunError\(f\w*\.record, "[A-Z]+", "([a-z-]+)"', f.read()))
            self.assertGreaterEqual(found, some)
            codes |= found if name.startswith("faults") else some
        self.assertLessEqual(codes, set(sentences.FAULTS))
        with open(os.path.join(ROOT, "lab", "run", "run-file.md"), encoding="utf-8") as f:
            page = f.read()
        self.assertEqual([code for code in sorted(codes) if f"`{code}`" not in page], [])


EVIDENCE = re.compile(r"lab/evidence|\bevidence\.\w|\b(?:from|import) evidence\b|\"evidence\"")   # a path or a package of it
OTHERS = ("core/", "model/", "helper/", "examples/", "test/", "doc/", "cmake/", "lab/run/", "lab/command/", "CMakeLists.txt", "wscript",
          "rcc")


def find_names(text):
    """Return the lines of a text that name the evidence."""
    return [line.strip() for line in text.splitlines() if EVIDENCE.search(line)]


class Evidence(unittest.TestCase):
    def test_no_other_part_names_it(self):
        """The list of commands loads ./rcc reproduce when it is called; that one line is the exception."""
        found, seen = {}, 0
        for path in install.files():
            if path.startswith(OTHERS) and not path.endswith(".png"):
                seen += 1
                with open(os.path.join(ROOT, path), encoding="utf-8") as f:
                    lines = find_names(f.read())
                if lines:
                    found[path] = len(lines)
        self.assertGreater(seen, 500)
        self.assertEqual(found, {"lab/command/registry.py": 1})

    def test_what_is_found(self):
        for line in ("see lab/evidence/doc/results.md", "from evidence.published import FIGURES", "import evidence",
                     'importlib.import_module("evidence")', '"evidence.reproduce"'):
            self.assertEqual(find_names(line), [line])
        self.assertEqual(find_names("the evidence of a test; no evidence"), [])

    def test_the_module_names_nothing_of_the_lab(self):
        """Sources of the module name no file of the lab, its pages no command either."""
        found, seen = [], 0
        for path in install.RCC.files():
            if path.startswith(("core/", "model/", "helper/", "doc/")) and path.endswith((".c", ".h", ".cc", ".def", ".md", ".rst")):
                seen += 1
                with open(os.path.join(ROOT, path), encoding="utf-8") as f:
                    found += [f"{path}: {line.strip()}" for line in f if re.search(r"\blab/|\./rcc\b(?!\w)", line)]
        self.assertGreater(seen, 200)
        self.assertEqual(found, [])

    def test_the_command_does_without_it(self):
        """A copy of the command without lab/evidence lists its commands, and does not know those of the evidence."""
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "lab"))
            shutil.copy(os.path.join(ROOT, "rcc"), folder)
            shutil.copytree(COMMAND, os.path.join(folder, "lab", "command"), ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copy(os.path.join(ROOT, "lab", "nics.json"), os.path.join(folder, "lab"))
            shutil.copytree(os.path.join(ROOT, "core", "cc"), os.path.join(folder, "core", "cc"))

            def rcc(*words):
                return subprocess.run([sys.executable, os.path.join(folder, "rcc"), *words], cwd=folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, check=False)
            done = rcc("--help")
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("\n  sweep ", done.stdout)
            self.assertNotIn("\n  reproduce ", done.stdout)
            done = rcc("reproduce", "--list")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("reproduce", done.stdout)


if __name__ == "__main__":
    unittest.main()
