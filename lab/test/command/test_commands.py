# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Every command that README, doc/, help texts and printed hints show is run, word for word. RCC_MAX_EVENTS ends each simulation
early, which changes no word of a command; of a range of seeds the first two are run, and figures are drawn by README's commands alone.
How the documentation writes commands: a line that is indented by four spaces; `[--option]` may be left away and is run both ways, unless
it holds "..."; `a|b` outside quotation marks is an alternative."""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import BUILD, ROOT, SERVER, RccTest, needs_programs

from command import registry
from command.run.scenarios import SCENARIOS
from command.system import install

MAX_EVENTS = "3000"
PATH = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]   # not the shim of a version manager: 0.3 s a command
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(os.path.relpath(p, ROOT) for folder in ("doc", "lab/doc", "lab/evidence/doc")
                                                for p in glob.glob(os.path.join(ROOT, folder, "*.md"))), "doc/rcc.rst"]
PROGRAM = re.compile(r"(?:\./rcc|\./ns3 run|build/[a-z0-9-]+|for \w+ in|tshark)(?= |$)")
OF_SHELL = re.compile(r"""[|&;<>$`*?{}~#!()]|\\""")   # a shell does more with these than to split words
# Commands that are run elsewhere, or cannot be run by a test: their first words, and why.
ELSEWHERE = {
    "./rcc test": "stages of ./rcc test do not run each other; test_words.py parses them",
    "./rcc fuzz": "the stage fuzz; for as long as its examples say",
    "./rcc properties": "test_properties.py; it needs whole runs",
    "./rcc reproduce": "the stage reproduce runs it with --quick; the options are in test_reproduce.py",
    "./rcc check sonic": "test_reproduce.py, with one check",
    "./rcc decisions": "test_decisions.py, with fewer flows",
    "./rcc manual": "the stage manual",
    "./rcc bench": "its figures are the purpose: minutes",
    "./rcc run clos --ranks": "test_ranks.py; it needs OpenMPI and programs of its own",
    "./rcc ns3-rdma config.txt --ranks": "test_ranks.py, as above",
    "./rcc build": "test_examples.py and the script of a user's first hour; it needs a build folder",
    "./rcc doctor": "test_doctor.py; with NS3_TREE it configures a tree",
    "./rcc install": "test_install.py",
    "tshark": "needs tshark; test_pcap_wire.py has it",
}
LENGTH = 100    # ms; examples of at most this length are also run to their end: they take a second
UNSETTLED = {   # short examples whose averages may still move, or that are not run to their end, and why
    "./rcc run incast --pcap --flows=16 --time=5ms": "a capture: of a longer run its files are large",
    "./rcc run incast --capture=all --snaplen=60 --time=5ms": "a capture, as above",
    "./rcc sweep workload --topology=fat-tree": "its 600 points take minutes",
}
SWITCH = 9  # the switch of the star below: hosts are 0 to 8


def alternatives(command: str) -> list:
    """The commands that a line of the documentation stands for: without what may be left away, with it, and every `a|b`. A loop of the
    shell stands for itself."""
    command = re.sub(r"\s+# .*$", "", command)
    if command.startswith("for "):
        return [command]
    optional = re.compile(r" ?\[(?!\d+-\d+\])([^\]]*)\]")  # ranges of names as in --links=h[1-4]-s1 stay
    found = [optional.sub("", command)]
    whole = optional.sub(lambda m: "" if "..." in m.group(1) else f" {m.group(1)}", command)
    if whole not in found:
        found.append(whole)
    for text in list(found):
        for word in re.findall(r"=((?:[\w-]+\|)+[\w-]+)(?= |$)", text):
            found += [text.replace(word, part) for part in word.split("|")]
            found.remove(text)
    return found


def commands_of(text: str) -> list:
    """The commands of a page's indented lines, in order; a line that ends in a backslash goes on."""
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    shown = [line.strip() for line in lines if re.match(r"    ( {4})?\S", line)]
    return [command for line in shown if PROGRAM.match(line) for command in alternatives(line)]


def help_commands() -> list:
    """The examples of every help text."""
    found = [command for scenario in SCENARIOS.values() for command, _ in scenario.examples]
    for module in registry.names().values():
        found += [command for command, _ in registry.load(module).examples]
    return list(dict.fromkeys(part for command in found for part in alternatives(command)))


def on_pages() -> list:
    """The commands of all pages."""
    found = []
    for page in PAGES:
        with open(os.path.join(ROOT, page), encoding="utf-8") as f:
            found += commands_of(f.read())
    return list(dict.fromkeys(found))


def milliseconds(command: str) -> float:
    """--time of a run or sweep that is given in ms or us, else no end."""
    time = re.match(r"\./rcc (?:run|sweep) .*--time=(\d+)(ms|us)\b", command)
    return float(time[1]) * (1 if time[2] == "ms" else 1e-3) if time else float("inf")


def begins(command: str, words) -> bool:
    return any(command == begin or command.startswith((begin + " ", begin + "=")) for begin in words)


def unrolled(command: str) -> list:
    """The commands that a loop of the shell runs, each as a list of words, where it runs nothing else than ./rcc and tells nothing but
    their words."""
    if not re.match(r"for [^`$|&<>]*(?:`seq \d+`)?[^`$|&<>]*; do", command) or re.search(r"[|&<>]", command):
        return [command]
    script = "./rcc() { printf './rcc'; printf ' %q' \"$@\"; printf '\\n'; }\n" + command
    lines = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [shlex.split(line) for line in lines]


def shorten(words: list) -> list:
    """Return the words of a command without figures, which take most of its time, and with two seeds in place of a range of more."""
    def shorten_seeds(word: str) -> str:
        found = re.fullmatch(r"--seed=(\d+)-(\d+)", word)
        first, last = map(int, found.groups()) if found else (0, 0)
        return f"--seed={first}-{first + 1}" if last > first + 1 else word
    draws = words[0] in ("run", "sweep", "ns3-rdma") and not any(word.startswith(("--no-plots", "--format", "--help")) for word in words)
    return [*map(shorten_seeds, words), *(["--no-plots"] if draws else [])]


def unquoted(command: str) -> str:
    """A command without what stands between '', which a shell leaves as it is."""
    return re.sub(r"'[^']*'", "", command)


def elsewhere(command: str) -> bool:
    return begins(command, ELSEWHERE)


@needs_programs
class Commands(RccTest):
    made = None   # the folder that keeps what make_files() has made
    done: set = set()  # commands that were run

    def setUp(self):
        super().setUp()
        os.symlink(os.path.join(ROOT, "rcc"), self.path("rcc"))
        os.symlink(self.bin, self.path("build"))
        for name in ("doc", "examples", "tools", "core"):
            os.symlink(os.path.join(ROOT, name), self.path(name))
        if os.access(os.path.join(BUILD, "examples"), os.X_OK):
            os.symlink(os.path.join(BUILD, "examples"), os.path.join(self.bin, "examples"))

    def shell(self, command, **more):
        """Run a command as a user would, in the scratch folder: a line of shell, or words."""
        environment = self.environment(**{"RCC_MAX_EVENTS": MAX_EVENTS, "PATH": PATH, **more})
        if isinstance(command, list) or command.startswith("./rcc ") and not OF_SHELL.search(unquoted(command)):
            given = command if isinstance(command, list) else shlex.split(command)
            words = given[1:] if self._testMethodName == "test_README_md" else shorten(given[1:])
            return SERVER.run(words, self.scratch, environment, merge=True, timeout=600)
        # ./ns3 run 'incast --flows=8' of an ns-3 tree is build/examples/incast --flows=8 here
        words = re.match(r"\./ns3 run '([^']*)'", command)
        return subprocess.run(["bash", "-c", f"build/examples/{words.group(1)}" if words else command], cwd=self.scratch,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=600, check=False)

    def copy(self, source, *targets):
        for target in targets:
            os.makedirs(os.path.dirname(self.path(target)), exist_ok=True)
            shutil.copy(self.path(source), self.path(target))

    def make_files(self):
        """Make the files of a user who tries these commands: a config with its files, captures, results of two runs."""
        for folder in ("mix", "a", "b", "out"):
            os.makedirs(self.path(folder), exist_ok=True)
        for command in (f"./rcc generate topology star --hosts={SWITCH} --out=mix/topology.txt",
                        "./rcc generate workload --topology=mix/topology.txt --sizes=web-search --load=0.5 --time=1ms --out=mix/flow.txt"):
            done = self.shell(command)
            self.assertEqual(done.returncode, 0, done.stdout)
        with open(self.path("mix", "config.txt"), "w", encoding="utf-8") as f:
            f.write("ENABLE_QCN 1\nTOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nTRACE_FILE trace.txt\n"
                    "TRACE_OUTPUT_FILE mix.tr\nCC_MODE 1\nSIMULATOR_STOP_TIME 2.001\n")
        with open(self.path("mix", "trace.txt"), "w", encoding="utf-8") as f:
            f.write(f"1\n{SWITCH}\n")
        for command in ("./rcc run incast --cc=dcqcn,dcqcn-plus,qcn --flows=16 --time=5ms --pcap --no-plots",
                        "./rcc run incast --cc=dcqcn --flows=16 --time=5ms --no-plots --out=out/base",
                        "./rcc run incast --cc=dcqcn --flows=16 --time=5ms --no-plots --out=out/new",
                        "./rcc run incast --cc=dcqcn --flows=16 --time=5ms --no-plots --out=out/slow",
                        "./rcc ns3-rdma mix/config.txt --cc=dcqcn,dcqcn-plus --no-plots",
                        "gzip -k out/incast/dcqcn/switch-port.pcap"):
            done = self.shell(command)
            self.assertEqual(done.returncode, 0, done.stdout)
        for name in ("k100", "k200", "k400"):
            shutil.copytree(self.path("out", "base"), self.path("out", name))
        self.copy("out/incast/dcqcn/receiver.pcap", "testbed.pcap", "receiver.pcap")
        self.copy("out/incast/dcqcn/sender-0.pcap", "a.pcap0", "a.pcap1", "h.pcap0", "h.pcap1")
        self.copy("out/incast/dcqcn/switch-port.pcap.gz", "s.pcapng.gz")
        self.copy("out/ns3-rdma/dcqcn/fct.txt", "a/fct.txt", "b/fct.txt", "mix/fct.txt")
        self.copy("out/ns3-rdma/dcqcn/mix.tr", "mix.tr")
        self.copy("mix/topology.txt", "t.txt")
        with open(self.path("nic.txt"), "w", encoding="utf-8") as f:
            f.write("/sys/class/net/eth0/ecn/roce_rp/rpg_time_reset:300\n")
        for rank in range(2):
            with open(self.path(f"llm.{rank}.json"), "w", encoding="utf-8") as f:
                f.write('{"workload_graph": [{"Id": 1, "Name": "gradients", "NodeType": 7, "data_deps": [], "comm_type": 0, '
                        '"comm_size": 1000000}]}')
        with open(self.path("step.goal"), "w", encoding="utf-8") as f:   # the ranks of one host send to those of the next
            f.write("num_ranks 16\n" + "".join(f"rank {rank} {{\nl1: {'send' if rank < 8 else 'recv'} 100000b "
                                              f"{'to' if rank < 8 else 'from'} {(rank + 8) % 16}\n}}\n" for rank in range(16)))
        with open(self.path("sizes.txt"), "w", encoding="utf-8") as f:
            f.write("1000 0.5\n30000 1\n")

    def provide(self):
        """The files of make_files(), made once for all tests."""
        if Commands.made is None:
            self.make_files()
            Commands.made = tempfile.mkdtemp()
            self.addClassCleanup(shutil.rmtree, Commands.made)
            shutil.copytree(self.scratch, Commands.made, symlinks=True, dirs_exist_ok=True, ignore=self.links)
        else:
            shutil.copytree(Commands.made, self.scratch, dirs_exist_ok=True)

    def restore(self):
        """out/ as provide() made it: what commands have changed since is copied anew, what they have added goes."""
        wanted = {}
        for place, found in ((os.path.join(Commands.made, "out"), wanted), (self.path("out"), {})):
            for folder, _, names in os.walk(place):
                for name in names:
                    path = os.path.join(folder, name)
                    about = os.lstat(path)
                    found[os.path.relpath(path, place)] = (about.st_mtime_ns, about.st_size)
        for name in found.keys() - wanted.keys():
            os.unlink(self.path("out", name))
        for name in (name for name in wanted if found.get(name) != wanted[name]):
            os.makedirs(os.path.dirname(self.path("out", name)), exist_ok=True)
            shutil.copy2(os.path.join(Commands.made, "out", name), self.path("out", name))

    def links(self, folder, names):
        """Return the names that setUp() made: links, and the folder of the programs."""
        return [name for name in names if os.path.islink(os.path.join(folder, name)) or os.path.join(folder, name) == self.bin]

    def run_all(self, commands, in_order=True):
        """`in_order`: a command may use what an earlier one wrote; otherwise each finds what provide() made, and those that were run
        before, on a page, are not run again."""
        self.provide()
        if not in_order:
            self.shell(f"./rcc generate topology star --hosts={SWITCH} --out=topology.txt")  # a copy would be a file of the user's
        failed = []
        for command in commands:
            if elsewhere(command) or not in_order and command in self.done:
                continue
            if not in_order:
                self.restore()
            for done in map(self.shell, unrolled(command)):
                if done.returncode:
                    failed.append(f"{command}\n    status {done.returncode}: {done.stdout.strip()[-300:]}")
            self.done.add(command)
        self.assertFalse(failed, "\n" + "\n".join(failed))

    def test_help_texts(self):
        self.run_all(help_commands(), in_order=False)

    def test_what_install_prints(self):
        for version in ((3, 31), (3, 43)):
            text = install.how_to_build("TREE", version)
            found = re.findall(r"\./(?:ns3|waf) (?:run|--run) '([^']*)'", text)
            self.assertTrue(found, text)
            for command in found:
                done = self.shell("build/examples/" + command)
                self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}")

    def test_averages_of_short_examples_are_settled(self):
        """A page whose own example comes with `not settled` teaches to read past it."""
        self.provide()
        short = [c for c in on_pages() if milliseconds(c) <= LENGTH and not elsewhere(c) and not begins(c, UNSETTLED)]
        self.assertGreater(len(short), 8)
        for command in short:
            with self.subTest(command):
                done = self.shell(command + " --no-plots", RCC_MAX_EVENTS="")
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertNotIn("not settled", done.stdout)

    def test_every_exemption_is_needed(self):
        shown = help_commands() + on_pages()
        for begin in (*ELSEWHERE, *UNSETTLED):
            self.assertTrue(any(c.startswith(begin) for c in shown), begin)


def page_test(page):
    def test(self):
        with open(os.path.join(ROOT, page), encoding="utf-8") as f:
            self.run_all(commands_of(f.read()))
    return test


for _page in PAGES:
    if _page not in ("lab/doc/tutorial.md",):  # the stage tutorial, in a copy of the project
        setattr(Commands, "test_" + re.sub(r"\W", "_", _page), page_test(_page))


class Reading(unittest.TestCase):
    def test_unrolled(self):
        found = unrolled("for a in 1 8; do for s in `seq 3`; do "
                         "./rcc run incast --set=x\\,y --flows=$a --seed=$s --out=out/$a-$s; done; done")
        self.assertEqual({tuple(words[:4]) for words in found}, {("./rcc", "run", "incast", "--set=x,y")})
        self.assertEqual([" ".join(words[4:]) for words in found],
                         [f"--flows={a} --seed={s} --out=out/{a}-{s}" for a in (1, 8) for s in (1, 2, 3)])
        self.assertEqual(unrolled("./rcc run incast"), ["./rcc run incast"])

    def test_alternatives(self):
        self.assertEqual(alternatives("./rcc x --a=b|c [--d] [--e=...]   # why"),
                         ["./rcc x --a=b", "./rcc x --a=c", "./rcc x --a=b --d", "./rcc x --a=c --d"])
        self.assertEqual(alternatives("./rcc trace mix.tr 'a|b'"), ["./rcc trace mix.tr 'a|b'"])

    def test_commands_of(self):
        text = "x\n    ./rcc run incast \\\n      --time=1ms  # first\n    Config::Connect\n        ./rcc doctor [TREE]\n./rcc no\n"
        self.assertEqual(commands_of(text), ["./rcc run incast --time=1ms", "./rcc doctor", "./rcc doctor TREE"])


if __name__ == "__main__":
    unittest.main()
