# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The pages name what exists: files, functions, tests, sections; versions; and C++ lines that compile."""
from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "lab"))

from command import registry  # noqa: E402
from command.common import build_dir  # noqa: E402
from command.run.options import RETIRED  # noqa: E402
from command.system.build import cached, cxx_options  # noqa: E402

PARTS = ("core", "model", "helper", "examples", "test", "doc", "lab")
LARGEST_WAY = 8  # files
FOLDERS = ("doc", os.path.join("lab", "doc"), os.path.join("lab", "evidence", "doc"))   # the folders of the pages


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def section(text: str, title: str) -> str:
    """The lines below `## title` up to the next heading of that level."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def files_in(text: str) -> list[str]:
    return re.findall(rf"(?<!evidence/)\b(?:{'|'.join(PARTS)})/[\w./*{{}},-]*[\w*}}]", text)


class Architecture(unittest.TestCase):
    def setUp(self):
        self.text = read("doc/architecture.md")

    def test_where_to_begin(self):
        """lab/doc/start.md: a command and a page for each of eight kinds of users, and a glossary of fifteen words, on one page."""
        lines = read("lab/doc/start.md").splitlines()
        self.assertLessEqual(len(lines), 60)
        commands = [number for number, line in enumerate(lines) if line.startswith("    ./rcc ")]
        self.assertEqual(len(commands), 8)
        for begin, end in zip([6, *commands], commands):
            self.assertIn("](", "\n".join(lines[begin:end]), lines[end])
        self.assertEqual(sum(line.startswith("| ") for line in lines) - 1, 15)

    def test_files_exist(self):
        """Every path of the page; `a.{h,cc}` means both."""
        paths = files_in(self.text)
        self.assertGreater(len(paths), 20)
        for path in paths:
            choices = re.search(r"\{([^}]*)\}", path)
            for choice in choices.group(1).split(",") if choices else [""]:
                name = path.replace(choices.group(0), choice) if choices else path
                self.assertTrue(glob.glob(os.path.join(ROOT, name)), f"doc/architecture.md: {name} does not exist")

    def test_functions_exist(self):
        """Every `Class::Method` and `rcc_function` of the page is a word of the sources."""
        sources = [path for folder in ("core", "model", "helper")
                   for pattern in ("*.h", "*.cc", "*.c", "*.def")
                   for path in glob.glob(os.path.join(ROOT, folder, "**", pattern), recursive=True)]
        words: set[str] = set()
        for path in sources:
            with open(path, encoding="utf-8") as f:
                words |= set(re.findall(r"\w+", f.read()))
        named = re.findall(r"`(\w+)::(\w+)`", self.text) + [(name,) for name in re.findall(r"`(rcc_\w+)`", self.text)]
        self.assertGreater(len(named), 10)
        for name in named:
            for word in name:
                self.assertTrue(word in words, f"doc/architecture.md: {'::'.join(name)} does not exist")

    def test_ways_are_short(self):
        """The ways of a packet, a parameter, an option and a link take at most 8 files each, none of them twice."""
        ways = {title: section(self.text, title) for title in ("A packet's way", "A parameter's way")}
        parts = section(read("CONTRIBUTING.md"), "Four parts")
        ways["option"], ways["link"] = parts.partition("**The way of a link**")[::2]
        for title, text in ways.items():
            steps = re.findall(r"^\d+\. `([^`]+)`", text, re.MULTILINE)
            self.assertGreaterEqual(len(steps), 4, title)
            self.assertLessEqual(len(steps), LARGEST_WAY, title)
            self.assertEqual(len(set(steps)), len(steps), f"{title}: a file twice")
            for path in steps:
                self.assertTrue(os.path.isfile(os.path.join(ROOT, path)), f"{title}: {path}")


def pages() -> list[str]:
    return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "doc/rcc.rst",
            *sorted(os.path.relpath(path, ROOT) for folder in FOLDERS for path in glob.glob(os.path.join(ROOT, folder, "*.md")))]


def words_of_the_sources() -> set[str]:
    words: set[str] = set()
    for folder in ("core", "model", "helper", "examples", "test", "lab"):
        for path in glob.glob(os.path.join(ROOT, folder, "**", "*.*"), recursive=True):
            if path.endswith((".h", ".cc", ".c", ".def", ".py")):
                with open(path, encoding="utf-8") as f:
                    words |= set(re.findall(r"\w+", f.read()))
    return words


class Pages(unittest.TestCase):
    def test_few(self):
        """At most 20 pages of the module, one per control and the manual included, and 20 of the lab; lab/evidence has its own."""
        for folder, most in (("doc", 20), (os.path.join("lab", "doc"), 20)):   # without the manual's list of contents
            found = [name for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith((".md", ".rst")) and name != "index.rst"]
            self.assertTrue(len(found) <= most, f"{folder}: {len(found)} pages, at most {most}: {sorted(found)}")

    def test_files_exist(self):
        """Where a page says NAME, the reader puts one; what the tutorial makes is there later."""
        made = {"core/cc/dctcp_rate.c", "core/cc/gentle.c", "examples/trace-and-pcap", "examples/incast", "examples/ns3-rdma"}  # in build/
        for page in pages():
            for path in files_in(re.sub(r"\bout/[^\s`]*|\]\([^)]*\)|git checkout .*", "", read(page))):   # test_docs.py follows the links
                if "NAME" not in path and path not in made:
                    self.assertTrue(glob.glob(os.path.join(ROOT, path)), f"{page}: {path} does not exist")

    def test_names_exist(self):
        """Classes, their members, functions of the core, and environment variables."""
        words = words_of_the_sources()
        for page in pages():
            text = read(page)
            named = re.findall(r"\b(?:Rcc|Qbb|Rdma|Cioq|Ns3Rdma)[A-Z]\w*|\brcc_\w+|\bRCC_\w+", text) + \
                [word for pair in re.findall(r"\b([A-Z]\w+)::(\w+)", text) for word in pair]
            for name in named:
                self.assertTrue(name in words or "NAME" in name or name == "RccName", f"{page}: {name} does not exist")

    def test_tests_exist(self):
        """Files of lab/test/command with their tests, and suites and cases of the core and of ns-3."""
        text = read("lab/doc/reliability.md")
        named = re.findall(r"\b(test_\w+\.py)((?:[ ,]*`test_\w+(?:\.\.\.)?`)*)", text)
        self.assertGreater(len(named), 20)
        for name, tests in named:
            found = read("lab/test/command/" + name)
            for test in re.findall(r"`(test_\w+)", tests):
                self.assertIn(f"def {test}", found, f"lab/doc/reliability.md: {name} has no {test}")
        suites = "".join(read(os.path.relpath(path, ROOT)) for folder in ("test", os.path.join("lab", "run", "test"))
                         for path in glob.glob(os.path.join(ROOT, folder, "**", "*-test-suite.cc"), recursive=True))
        for suite in re.findall(r"`(rcc-[a-z-]+)`", text):
            self.assertTrue(f'"{suite}"' in suites or suite == "rcc-bench", f"lab/doc/reliability.md: no suite {suite}")

    def test_sections_exist(self):
        for page in pages():
            for path, anchor in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", read(page)):
                target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                titles = re.findall(r"^#+ (.*)$", read(target), re.MULTILINE)
                anchors = [re.sub(r"[^\w -]", "", title.strip().lower()).replace(" ", "-") for title in titles]
                self.assertIn(anchor, anchors, f"{page}: {path}#{anchor}")

    def test_a_way_from_the_readme(self):
        """Links lead from README.md to every page."""
        seen, waiting = set(), ["README.md"]
        while waiting:
            page = waiting.pop()
            if page not in seen and page.endswith(".md") and os.path.isfile(os.path.join(ROOT, page)):
                seen.add(page)
                waiting += [os.path.normpath(os.path.join(os.path.dirname(page), target))
                            for target in re.findall(r"\]\(([^)#\s:]+)", read(page))]
        self.assertFalse({page for page in pages() if page.endswith(".md")} - seen)

    def test_words(self):
        """Pages name folders, tests and memory plainly, not as parts of a building or body."""
        for page in [*pages(), "CHANGES.md"]:
            text = re.sub(r"wall[- ](?:clock|time)", "", read(page))
            self.assertEqual(re.findall(r"\b(?:house|rooms?|walls?|heart)\b", text, re.IGNORECASE), [], page)

    def test_lines(self):
        """At most 140 columns, but for tables and for a word that is longer."""
        for page in [*pages(), "CHANGES.md"]:
            for number, line in enumerate(read(page).splitlines(), 1):
                longest = max(map(len, line.split()), default=0)
                self.assertTrue(len(line) <= 140 or line.lstrip().startswith("|") or longest > 100, f"{page}:{number}: {len(line)} columns")


class Includes(unittest.TestCase):
    """A folder includes headers of folders that doc/architecture.md and CONTRIBUTING.md let it use, and of no others."""
    MODULE = {"core", "model", "helper"}
    MAY_USE = {
        "core/cc": set(), "core/wire": {"core/cc"}, "core/text": {"core/cc"}, "core/transport": {"core/cc"},
        "core/port": {"core/cc", "core/text"}, "core/switch": {"core/cc", "core/text"},
        "core/qp": {"core/cc", "core/text", "core/transport", "core/port"}, "model/engine": {"core"},
        "model/port": {"core", "model/engine"}, "model/switch": {"core", "model/engine", "model/port"},
        "model/nic": {"core", "model/engine", "model/port"}, "helper": {"core", "model"}, "lab/run/files": MODULE,
        "lab/run/faults": {*MODULE, "lab/run/files"}, "lab/run/measure": {*MODULE, "lab/run/files"}, "lab/run/ranks": MODULE,
        "lab/run/simulation": {*MODULE, "lab/run/files", "lab/run/faults", "lab/run/measure"},
        "lab/run/network": {*MODULE, "lab/run/files", "lab/run/faults", "lab/run/measure", "lab/run/simulation"},
    }

    def test_includes(self):
        homes = {}
        for folder in self.MAY_USE:
            for path in glob.glob(os.path.join(ROOT, folder, "*.h")):
                homes[os.path.basename(path)] = folder
        self.assertGreater(len(homes), 40)
        for folder, allowed in self.MAY_USE.items():
            for path in glob.glob(os.path.join(ROOT, folder, "*.[ch]*")):
                for name in re.findall(r'#include "(?:ns3/)?([\w.-]+)"', read(path)):
                    home = homes.get(name, folder)
                    self.assertTrue(home == folder or home in allowed or home.split("/")[0] in allowed,
                                    f"{os.path.relpath(path, ROOT)} includes {name} of {home}")


class Versions(unittest.TestCase):
    def test_one_version(self):
        """RCC_VERSION, CITATION.cff and the newest release of CHANGES.md agree."""
        version = re.search(r'#define RCC_VERSION "([\d.]+)"', read("core/cc/rcc.h")).group(1)
        self.assertEqual(re.search(r"^version: (\S+)", read("CITATION.cff"), re.MULTILINE).group(1), version)
        self.assertEqual(re.search(r"^## ([\d.]+)\n", read("CHANGES.md"), re.MULTILINE).group(1), version)

    def test_earlier_names(self):
        """The table of CHANGES.md has the options and commands of earlier snapshots that the program answers, and no others."""
        rows = re.findall(r"^\| (`.*?) \|", section(read("CHANGES.md"), "0.1.0"), re.MULTILINE)
        self.assertEqual(sorted(re.findall(r"`(?:--|\./rcc )([\w-]+)", " ".join(rows))), sorted([*RETIRED, *registry.OLD]))

    def test_citation(self):
        """The keys that the Citation File Format 1.2.0 requires."""
        keys = dict(re.findall(r"^([a-z-]+):[ ]?(.*)$", read("CITATION.cff"), re.MULTILINE))
        self.assertEqual(keys["cff-version"], "1.2.0")
        for key in ("message", "title", "authors"):
            self.assertIn(key, keys)
        self.assertIn(keys["type"], ("software", "dataset"))


@unittest.skipUnless(os.path.exists(os.path.join(build_dir(), "CMakeCache.txt")), "the release build is not there")
class Lines(unittest.TestCase):
    """C++ lines of the pages, in functions with what the text around them names."""
    HEADERS = ("core-module", "network-module", "internet-module", "qbb-helper", "qbb-internet", "rcc-pcap", "rdma-client-helper",
               "rdma-flow-report", "rdma-path")
    GIVEN = ("QbbHelper helper;\nQbbStar star = QbbStar::Create(helper, 3);\nNodeContainer nodes = star.hosts;\n"
             "Ptr<QbbNetDevice> device = DynamicCast<QbbNetDevice>(nodes.Get(0)->GetDevice(0));\nauto sw = star.sw;\n")
    SINKS = ("void QueueBytes(std::string, uint8_t, uint64_t, uint64_t) {}\nvoid CnpReceived(uint32_t, uint32_t) {}\n"
             "void Mark(uint32_t, const RccFrame&) {}\n")

    def lines(self, page, begin):
        """The indented lines from `begin` to the next line of text. An error that nobody looks at does not compile: [[nodiscard]]."""
        block = re.search(rf"^    {re.escape(begin)}.*?(?=^\S)", read(page), re.MULTILINE | re.DOTALL)
        self.assertIsNotNone(block, f"{page}: {begin}")
        lines = re.sub(r"^    void .*\n", "", block.group(0), flags=re.MULTILINE)   # a sink, which SINKS has
        return lines.replace("    ...\n", "    Ptr<Socket> socket;\n")

    def test_they_compile(self):
        alone = [self.lines("doc/internet.md", "QbbHelper helper;")]
        beside = [self.lines(page, begin) for page, begin in (
            ("doc/traces.md", "Config::Connect("), ("doc/traces.md", "helper.EnablePcapAll("), ("doc/traces.md", "AsciiTraceHelper"),
            ("doc/traces.md", "RdmaFlowReport report"), ("doc/traces.md", "QbbHelper::AssignStreams"),
            ("lab/doc/pcap.md", "RccPcap pcap;"))]
        functions = [f"void F{i}()\n{{\n{text}}}\n" for i, text in enumerate(alone + [self.GIVEN + text for text in beside])]
        program = "".join(f'#include "ns3/{name}.h"\n' for name in self.HEADERS) + \
            "\nusing namespace ns3;\n\n" + self.SINKS + "".join(functions)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pages.cc")
            with open(path, "w", encoding="utf-8") as f:
                f.write(program)
            words = [cached(build_dir()).get("CMAKE_CXX_COMPILER", "c++"), *cxx_options(build_dir()), "-fsyntax-only", "-Wall", "-Wextra",
                     "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable", path]
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
