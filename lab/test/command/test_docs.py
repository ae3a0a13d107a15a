# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The documentation says what is true: parameter tables are those of the programs, links lead somewhere."""
import glob
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "lab"))

from command.reference import algorithms as catalog
from command.system import install  # noqa: E402

OURS = {"dcqcn", "dcqcn-nic", "dcqcn-hpcc", "dcqcn-plus", "dcqcn-plus-share", "qcn", "timely", "timely-patched", "none"}
CATALOG = os.path.join(os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build"), "rcc-catalog")


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


class Docs(unittest.TestCase):
    @unittest.skipUnless(os.path.exists(CATALOG), "build/rcc-catalog is not built")
    def test_parameter_tables(self):
        import json
        algorithms = json.loads(subprocess.check_output([CATALOG], text=True))["algorithms"]
        self.assertLessEqual(OURS, {algorithm["name"] for algorithm in algorithms})
        tables = {name: lines for path in glob.glob(os.path.join(ROOT, "doc", "*.md"))
                  for name, lines in re.findall(r"<!-- parameters: (\S+) -->\n(.*?)\n<!-- end -->", read(path), re.DOTALL)}
        for algorithm in algorithms:
            if algorithm["name"] not in OURS and algorithm["name"] not in tables:
                continue  # somebody's own: a page is welcome, not needed
            self.assertIn(algorithm["name"], tables, "no page of doc/ has its parameter table")
            self.assertEqual(tables[algorithm["name"]].strip(), catalog.markdown(algorithm),
                             f"paste the output of ./rcc algorithms {algorithm['name']} --markdown")

    def test_published_tables_know_every_algorithm_of_ours(self):
        """The core's tests compare with published tables what is_shipped() lists: each algorithm that has a page."""
        listed = set(re.findall(r'"([a-z-]+)"', read("test/core/helpers.c").split("is_shipped")[1].split("};")[0]))
        known = {name.replace("_", "-") for name in re.findall(r"^RCC_ALGORITHM\((\w+)\)", read("core/cc/algorithms.def"), re.MULTILINE)}
        paged = {name for path in glob.glob(os.path.join(ROOT, "doc", "*.md"))
                 for name in re.findall(r"<!-- parameters: (\S+) -->", read(path))}
        self.assertEqual(known & paged, known & listed)
        self.assertLessEqual(OURS, listed)

    def test_links(self):
        for path in [os.path.join(ROOT, name) for name in install.files() if name.endswith(".md")]:
            text = read(path)
            for target in re.findall(r"\]\(([^)#]+)\)", text):
                if "://" not in target:
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), target)), f"{path}: {target}")

    def test_programs_of_the_manual(self):
        """doc/rcc.rst lists each program of examples/, and no other one."""
        text = read("doc/rcc.rst").partition("\nExamples\n====")[2].partition("\nEach has ``--help``")[0]
        sources = glob.glob(os.path.join(ROOT, "examples", "*.cc"))
        self.assertGreater(len(sources), 4)
        self.assertEqual(sorted(re.findall(r"^\* ``([\w-]+)``", text, re.MULTILINE)),
                         sorted(os.path.basename(path)[:-len(".cc")] for path in sources))

    @unittest.skipUnless(os.path.isdir(os.path.join(ROOT, ".ci")), "a copy without the scripts of CI")
    def test_folders_of_scripts(self):
        """The scripts of .ci/ and the workflows name below contrib/ the modules that `./rcc install` puts there."""
        found = set()
        for path in glob.glob(os.path.join(ROOT, ".ci", "*")) + glob.glob(os.path.join(ROOT, ".github", "workflows", "*")):
            text = read(path)
            found |= set(re.findall(r"contrib/([\w-]+)", text)) | set(re.findall(r"--enable-modules=([\w-]+)", text))
        self.assertEqual(found, {install.RCC.name, install.RUN.name})

    def test_mutants(self):
        """CONTRIBUTING.md says how many of them a run of the tests tries."""
        found = re.search(r"tries (\d+) of some", read("CONTRIBUTING.md"))
        tried = re.search(r"^MUTANTS, .* = (\d+),", read("lab/test/stages/mutation.py"), re.MULTILINE)
        self.assertTrue(found and tried)
        self.assertEqual(found.group(1), tried.group(1))

    def test_license_lines(self):
        """Every text file that belongs to the project, but for the license texts themselves."""
        files = install.files()
        self.assertGreater(len(files), 200)
        for path in files:
            with open(os.path.join(ROOT, path), "rb") as f:
                head = f.read(4096)
            if path.startswith("LICENSE") or path.endswith((".json", ".jsonl")) or re.match(r"lab/(run/)?test/golden/\w+\.txt$", path):
                continue
            if not head or b"\0" in head:
                continue  # sums that a program writes, a picture, an empty file
            core = re.match(r"(core|test/core|(lab/)?test/fuzz|test/vectors|examples/own-algorithm|examples/c-host)/.", path) and \
                not path.endswith(".md")
            want = "BSD-3-Clause OR GPL-2.0-only" if core else "GPL-2.0-only"
            lines = "\n".join(head.decode("utf-8").splitlines()[:4])
            self.assertRegex(lines, rf"SPDX-License-Identifier: {want}( -->| \*/|)(\n|$)", path)


if __name__ == "__main__":
    unittest.main()
