# SPDX-License-Identifier: GPL-2.0-only
"""The documentation says what is true: parameter tables are those of the programs, links lead somewhere."""
import glob
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from cli import catalog  # noqa: E402

CATALOG = os.path.join(ROOT, "build", "rcc-catalog")


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


class Docs(unittest.TestCase):
    @unittest.skipUnless(os.path.exists(CATALOG), "build/rcc-catalog is not built")
    def test_parameter_tables(self):
        import json
        algorithms = json.loads(subprocess.check_output([CATALOG], text=True))["algorithms"]
        for algorithm in algorithms:
            page = read(f"doc/{algorithm['name']}.md")
            found = re.search(r"<!-- parameters: (\S+) -->\n(.*?)\n<!-- end -->", page, re.DOTALL)
            self.assertIsNotNone(found, f"doc/{algorithm['name']}.md has no parameter table")
            self.assertEqual(found.group(1), algorithm["name"])
            self.assertEqual(found.group(2).strip(), catalog.markdown(algorithm),
                             f"paste the output of ./rcc algorithms {algorithm['name']} --markdown")

    def test_links(self):
        for path in glob.glob(os.path.join(ROOT, "*.md")) + glob.glob(os.path.join(ROOT, "doc", "*.md")):
            text = read(path)
            for target in re.findall(r"\]\(([^)#]+)\)", text):
                if "://" not in target:
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), target)), f"{path}: {target}")

    def test_license_lines(self):
        files = []
        for folder in ["analysis", "cli", "core", "examples", "helper", "model", "test", "tools"]:
            for where, _, names in os.walk(os.path.join(ROOT, folder)):
                files += [os.path.relpath(os.path.join(where, name), ROOT) for name in names]
        self.assertGreater(len(files), 50)
        for path in files:
            if not re.search(r"\.(c|h|cc|py|def)$", path) or os.path.getsize(os.path.join(ROOT, path)) == 0:
                continue
            head = "\n".join(read(path).splitlines()[:3])
            core = re.match(r"(core|test/core|test/fuzz|test/vectors)/", path)
            want = "BSD-3-Clause OR GPL-2.0-only" if core else "GPL-2.0-only"
            self.assertIn(f"SPDX-License-Identifier: {want}", head, path)


if __name__ == "__main__":
    unittest.main()
