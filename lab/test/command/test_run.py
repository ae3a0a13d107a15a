# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc run from end to end: results, plots, interrupts, progress."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import textwrap
import time
import unittest

from support import RCC, ROOT, TELL, WRITTEN, RccTest, needs_programs

from stages import tutorial

SHORT = ["--time=5ms", "--start=1ms", "--no-plots"]
CRASH = 'case "$*" in *--check*) ;; *) ! grep -q "^algorithm 0 qcn " "$1" || { echo "terminate called" >&2; exit 3; };; esac'
TRACE = 'case "$*" in *--check*) ;; *) echo "$(grep -o "^algorithm 0 [a-z-]*" "$1") start" >> "$TRACE";; esac'
LONG = "--time=60s"   # more than any test waits for


@needs_programs
class Run(RccTest):
    def test_results(self):
        done = self.succeed("run", "incast", *SHORT, "--flows=50", "--cc=qcn,dcqcn")
        self.assertEqual(done.stderr, "")
        self.assertIsNone(re.search(r"\x1b|progress|packets/s", done.stdout))
        summary = json.loads(self.read("out", "incast", "summary.json"))
        self.assertEqual(summary["schema"], 1)
        self.assertEqual(summary["command"], f"./rcc run incast {' '.join(SHORT)} --flows=50 --cc=qcn,dcqcn")
        self.assertIs(summary["partial"], False)
        self.assertEqual([r["cc"] for r in summary["runs"]], ["qcn", "dcqcn"])  # in the order of --cc
        self.assertEqual(summary["runs"][0], json.loads(self.read("out", "incast", "qcn", "run.json")))
        self.assertEqual(sorted(os.listdir(self.path("out", "incast"))), sorted(["dcqcn", "qcn", *WRITTEN]))
        self.assertLess(done.stdout.index("\nqcn "), done.stdout.index("\ndcqcn "))
        for line in done.stdout.splitlines()[:6]:
            self.assertLessEqual(len(line), 100)

    def pngs(self, folder):
        return sorted(name for name in os.listdir(self.path(folder)) if name.endswith(".png"))

    def test_what_the_readme_shows(self):
        """The first run of README.md is settled and prints the table below it."""
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
            text = f.read()
        self.assertIn("\n    ./rcc run incast\n", text)
        done = self.succeed("run", "incast", "--no-plots")
        self.assertFalse(tutorial.still_moves(done.stdout), done.stdout)
        shown = re.search(r"^ +queue +queue.*?^ +qcn .*?$", text, re.MULTILINE | re.DOTALL)
        self.assertIsNotNone(shown)
        self.assertIn(textwrap.dedent(shown.group(0)), textwrap.dedent(done.stdout.split("\n\n")[1]))

    def test_plots(self):
        """Flows that end long before the window of the averages begins have no queue in it."""
        done = self.rcc("run", "incast", "--cc=qcn", "--flows=20", "--size=10KB", "--time=5ms", "--start=1ms", "--out=here")
        self.assertEqual(done.returncode, 0, done.stderr)
        if "matplotlib is not installed" in done.stderr:
            self.skipTest("no matplotlib")
        pngs = ["fct.png", "flow_rates.png", "queue.png", "rate.png"]
        self.assertEqual(self.pngs("here"), pngs)
        queue = json.loads(self.read("here", "summary.json"))["runs"][0]["queue"]
        self.assertEqual({queue[key] for key in ("mean_bytes", "p95_bytes", "p99_bytes")}, {0})
        for name in pngs:
            with open(self.path("here", name), "rb") as f:
                self.assertEqual(f.read(8), b"\x89PNG\r\n\x1a\n")
            os.unlink(self.path("here", name))
        self.assertEqual(self.read("here", "report.html").count("<figure>"), 4)
        again = self.succeed("plot", "here")
        self.assertEqual(again.stdout.split(), [os.path.join("here", n) for n in
                         ("queue.png", "rate.png", "flow_rates.png", "fct.png", "report.html")])

    def test_words_of_the_report_stay_in_one_piece(self):
        self.succeed("run", "incast", "--cc=dcqcn,dcqcn-plus", "--flows=4", "--time=1ms", "--start=0s", "--no-plots")
        page = self.read("out", "incast", "report.html")
        self.assertRegex(page, '<p[^<]*(<span[^<]*</span>[^<]*)*<span class="word">dcqcn-plus</span>')
        self.assertIn(".word { white-space: nowrap; }", page)

    def test_plots_of_a_queue_that_stands(self):
        """Flows without an end have no completion times."""
        done = self.rcc("run", "incast", "--flows=20", "--cc=dcqcn", "--time=5ms", "--start=1ms", "--out=here")
        self.assertEqual(done.returncode, 0, done.stderr)
        if "matplotlib is not installed" in done.stderr:
            self.skipTest("no matplotlib")
        self.assertGreater(json.loads(self.read("here", "summary.json"))["runs"][0]["queue"]["mean_bytes"], 0)
        self.assertEqual(self.pngs("here"), ["flow_rates.png", "queue.png", "rate.png"])

    def test_earlier_results_are_replaced_and_strangers_kept(self):
        self.succeed("run", "incast", *SHORT, "--cc=dcqcn,qcn", "--flows=9")
        for name in ("mine.txt", os.path.join("qcn", "notes.txt")):
            self.put(f"out/incast/{name}", "x")
        self.succeed("run", "incast", *SHORT, "--cc=dcqcn", "--flows=9")
        self.assertEqual(sorted(os.listdir(self.path("out", "incast"))),
                         sorted(["dcqcn", "mine.txt", "qcn", *WRITTEN]))
        self.assertEqual(os.listdir(self.path("out", "incast", "qcn")), ["notes.txt"])

    def test_somebody_elses_summary_is_not_overwritten(self):
        self.put("theirs/summary.json", '{"price": 3}')
        self.assert_refused(self.rcc("run", "incast", "--out=theirs", "--cc=qcn"), "is not from rcc")
        self.assertEqual(self.read("theirs", "summary.json"), '{"price": 3}')

    def test_warnings_are_shown_once(self):
        done = self.succeed("run", "incast", *SHORT, "--flows=6000", "--cc=qcn")
        self.assertEqual(done.stderr.count("rcc: warning: qcn: r_min x flows"), 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("r_min x flows", self.read("out", "incast", "report.html"))

    def test_a_derived_threshold_is_said(self):
        """dctcp.k=0 is 30 KB per 10 Gb/s of the watched port, nscc.kmin=0 0.2 C T: of 40 Gb/s x 13 us 13 KB."""
        for words, kmin in ((["--cc=dctcp"], 120_000), (["--cc=dctcp", "--receiver-rate=10Gbps"], 30_000), (["--cc=nscc"], 13_000),
                            (["--cc=nscc", "--set=nscc.kmax=9KB"], 9000), (["--cc=nscc", "--set=nscc.kmin=9KB"], None),
                            (["--cc=dctcp", "--set=dctcp.k=50KB"], None), (["--cc=dcqcn", "--kmin=0B"], None), (["--cc=qcn"], None)):
            done = self.succeed("run", "incast", "--flows=4", "--time=1ms", "--start=100us", "--no-plots", "--json", *words)
            self.assertEqual(json.loads(done.stdout)["runs"][0].get("kmin_bytes"), kmin, words)
        words = ["--cc=dctcp", "--rate=1600Gbps", "--flows=8", "--time=1ms", "--start=1us", "--no-plots"]
        self.assertIn("cannot act: dctcp: K 4.80 MB, PFC limit 2.69 MB: ", self.rcc("run", "incast", *words).stdout)

    def test_a_window_holds_the_queue_where_the_least_rate_does_not(self):
        """With eight senders the PFC limit is 4.44 MB, and 22.1 KB are on the way at 40 Gb/s. Flows hold a packet each at least, of 1104
        bytes with telemetry: 4042 of them reach the limit. The window of DCTCP's other form is two packets of 1062 bytes: 2101 flows."""
        limit = "the queue will stay at the PFC limit"
        testbed = ("testbed", "--links=h[1-9]-s1", "--cc=dcqcn", "--set=dcqcn.r_min=10Gbps")
        flows = "--flows=h[1-8]-h9"
        for expected, words in (("", ("incast", "--cc=hpcc:simulator", "--flows=3990")),
                                (limit, ("incast", "--cc=hpcc:simulator", "--flows=4100")),
                                ("", ("incast", "--cc=dctcp:window", "--flows=2050")),
                                (limit, ("incast", "--cc=dctcp:window", "--flows=2150")),
                                ("", ("incast", "--cc=powertcp", "--flows=1000")),
                                (limit, ("incast", "--cc=hpcc", "--flows=100", "--set=hpcc.window=none,hpcc.r_min=1Gbps")),
                                ("", ("incast", "--cc=hpcc", "--flows=100", "--set=hpcc.window=fixed,hpcc.r_min=1Gbps")),
                                (limit, (*testbed, flows)), ("", (*testbed, f"{flows}:window=100KB")),
                                (limit, (*testbed, f"{flows}:window=1MB")), ("", (*testbed, flows, "--attr=RdmaNic.Recovery=irn")),
                                ("packets will be dropped", (*testbed, flows, "--attr=QbbSwitch.LosslessClasses=0")),
                                (limit, ("incast", "--cc=dcqcn", "--flows=100", "--senders=2", "--rate=100Mbps")),
                                ("", ("incast", "--cc=dcqcn", "--flows=100", "--senders=1", "--rate=100Mbps"))):    # waits in the host
            done = self.succeed("run", *words, "--time=1ms", *(["--start=100us"] if words[0] == "incast" else []), "--no-plots", "--json")
            said = [line for line in done.stderr.splitlines() if "r_min x flows" in line]
            self.assertEqual([line.rpartition(" and ")[2] for line in said], [expected] if expected else [], (words, done.stderr))
        done = self.rcc("run", "incast", "--cc=hpcc:simulator", "--flows=100", "--time=2ms", "--start=100us", "--no-plots", "--json")
        self.assertNotIn("r_min", done.stderr)
        queue = json.loads(done.stdout)["runs"][0]["queue"]
        self.assertEqual(queue["max_bytes"], 100 * 1104 - 20 * 1104)    # 4.4 us at 40 Gb/s are 20 packets

    def test_a_derived_kmax_is_that_of_the_watched_port(self):
        """nscc.kmax=0 is 0.8 C T of the port: 40 Gb/s x 13 us are 65 KB, of which that is 52 KB. One flow has no queue at all."""
        for words, kmax, drained in (([], 52_000, None), (["--receiver-rate=10Gbps"], 13_000, None),
                                     (["--set=nscc.base_rtt=26us"], 104_000, None), (["--set=nscc.kmin=60KB"], 60_000, None),
                                     (["--set=nscc.kmax=200KB"], 200_000, None), (["--flows=1"], 52_000, 0)):
            done = self.succeed("run", "incast", "--cc=nscc", *([] if drained == 0 else ["--flows=4"]), "--time=2ms", "--start=100us",
                                "--no-plots", "--json", *words)
            run = json.loads(done.stdout)["runs"][0]
            self.assertEqual(run["kmax_bytes"], kmax, words)
            self.assertEqual(run["drain_s"] is None, run["queue"]["p95_bytes"] > kmax, words)
            if drained == 0:
                self.assertEqual(run["drain_s"], 0)

    def test_presets_and_parameters_of_single_runs(self):
        done = self.succeed("run", "incast", *SHORT, "--flows=9", "--cc=DCQCN,dcqcn:cx4,dcqcn:cx4+g=1/16,dcqcn+", "--set=dcqcn.g=1/64")
        runs = json.loads(self.read("out", "incast", "summary.json"))["runs"]
        self.assertEqual([r.get("label", r["cc"]) for r in runs], ["dcqcn", "dcqcn:cx4", "dcqcn:cx4+g=1/16", "dcqcn-plus"])
        self.assertEqual([r["preset"] for r in runs], ["paper", "cx4", "cx4", "paper"])
        self.assertEqual([r["parameters"]["g"] for r in runs[:3]], [runs[0]["parameters"]["g"]] * 2 + ["0.0625"])
        self.assertEqual(runs[2], json.loads(self.read("out", "incast", "dcqcn:cx4+g=1_16", "run.json")))
        for text in ("\ndcqcn:cx4 ", "\ndcqcn:cx4+g=1/16 "):
            self.assertIn(text, done.stdout)
        # a later run takes the place of all of them
        self.succeed("run", "incast", *SHORT, "--flows=9", "--cc=qcn")
        self.assertEqual(sorted(os.listdir(self.path("out", "incast"))), sorted(["qcn", *WRITTEN]))

    def test_seeds(self):
        done = self.succeed("run", "incast", *SHORT, "--flows=9", "--cc=qcn,dcqcn", "--seed=1-3")
        runs = json.loads(self.read("out", "incast", "summary.json"))["runs"]
        self.assertEqual([(r["cc"], r["seed"]) for r in runs], [(cc, seed) for cc in ("qcn", "dcqcn") for seed in (1, 2, 3)])
        rows = [line for line in done.stdout.splitlines() if line.startswith("qcn ") and "±" in line]
        self.assertEqual(len(rows), 2)  # a table of two parts
        self.assertIn("3 seeds", done.stdout)
        self.succeed("run", "incast", *SHORT, "--flows=9", "--cc=dcqcn", "--seed=2", "--out=two")
        known = json.loads(self.read("two", "summary.json"))["runs"][0]
        self.assertEqual(known["queue"], runs[4]["queue"])

    def test_json_and_quiet(self):
        done = self.rcc("run", "incast", *SHORT, "--flows=9", "--cc=qcn", "--json")
        printed, written = json.loads(done.stdout), json.loads(self.read("out", "incast", "summary.json"))
        machine = json.loads(self.read("out", "incast", "machine.json"))["runs"]["qcn"]
        self.assertEqual({key: printed["runs"][0].pop(key) for key in ("wall_s", "peak_rss_bytes")}, machine)
        self.assertEqual(printed, written)
        done = self.rcc("run", "incast", *SHORT, "--flows=9", "--cc=qcn", "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_setting_of_an_absent_algorithm(self):
        done = self.succeed("run", "incast", *SHORT, "--flows=6", "--cc=qcn", "--set", "dcqcn.g=1")
        self.assertIn("--set dcqcn. has no effect", done.stderr)

    def test_thresholds_that_no_algorithm_has(self):
        """A threshold that the scenario itself sets, as long-haul does, causes no message."""
        short = ("--time=100us", "--no-plots", "--quiet")
        three = ("--kmin=5KB", "--kmax=10KB", "--pmax=1")
        for words, said in ((("incast", "--flows=2", "--cc=dctcp", *three), "--kmin, --kmax and --pmax have"),
                            (("incast", "--flows=2", "--cc=hpcc,swift", "--pmax=1"), "--pmax has"),
                            (("incast", "--flows=2", "--cc=hpcc,nscc", "--kmin=5KB"), ""),
                            (("incast", "--flows=2", "--cc=dcqcn", "--kmin=5KB"), ""),
                            (("long-haul", "--cc=hpcc"), "")):
            done = self.succeed("run", *words, *short)
            listed = next(word for word in words if word.startswith("--cc="))
            self.assertIn(f"rcc: warning: {said} no effect: no algorithm of {listed} has " if said else "", done.stderr)
            self.assertEqual("has that parameter" in done.stderr or "has these" in done.stderr, bool(said), words)

    def test_thresholds_of_the_algorithms_of_flows(self):
        for name, flows in (("one", [{"hosts": "h1-h3"}, {"hosts": "h2-h3", "cc": "dcqcn"}]),
                            ("text", ["h1-h3:size=1MB:cc=dcqcn", "h2-h3"])):
            self.put(f"{name}.json", json.dumps({"links": "h[1-3]-s1", "flows": flows, "cc": "dcqcn", "time": "100us"}))
        here = ("testbed", "--links=h[1-3]-s1", "--time=100us")
        for words, said in (((*here, "--flows=h1-h3,h2-h3:cc=swift"), True), ((*here, "--flows=h1-h3,h2-h3:cc=nscc"), False),
                            (("one.json",), False), (("text.json",), False), (("one.json", "--flows=h1-h3"), True)):
            done = self.succeed("run", *words, "--cc=hpcc", "--kmin=5KB", "--no-plots", "--quiet", "--out=out")
            self.assertEqual("--kmin has no effect" in done.stderr, said, words)

    def test_one_algorithm_crashes(self):
        self.wrap("rcc-run", CRASH)
        done = self.rcc("run", "incast", *SHORT, "--flows=6", "--cc=qcn,dcqcn")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: qcn: the program ended with status 3", done.stderr)
        self.assertIn("terminate called", done.stderr)
        self.assertEqual([r["cc"] for r in json.loads(self.read("out", "incast", "summary.json"))["runs"]], ["dcqcn"])

    def test_all_algorithms_crash(self):
        self.wrap("rcc-run", CRASH)
        done = self.rcc("run", "incast", *SHORT, "--cc=qcn")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no algorithm gave a result", done.stderr)
        self.assertFalse(os.path.exists(self.path("out", "incast")))

    def test_unlimited_parallelism_is_bounded(self):
        self.wrap("rcc-run", TRACE)
        self.succeed("run", "incast", *SHORT, "--flows=6", TRACE=self.path("trace"))
        self.assertEqual(self.read("trace").split("\n")[:-1].count("algorithm 0 dcqcn start"), 1)
        self.assertEqual(len(self.read("trace").splitlines()), 3)


@needs_programs
class Interrupt(RccTest):
    def start(self, *args):
        if os.path.islink(os.path.join(self.bin, "rcc-run")):
            self.wrap("rcc-run", TELL)
        return self.begin("run", "incast", "--no-plots", "--flows=20", *args)

    def await_line(self, line):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if os.path.exists(self.path("trace")) and line in self.read("trace"):
                return
            time.sleep(0.02)
        self.fail(f"{line!r} did not happen")

    def test_partial_result(self):
        process = self.start("--cc=dcqcn,qcn", LONG)
        self.simulators(min(os.cpu_count() or 1, 2))
        os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("partial results are kept", err)
        self.assertNotIn("Traceback", err)
        self.assertIn("dcqcn (partial)", out)
        self.assertIn("stopped early: dcqcn: interrupted after ", out)
        summary = json.loads(self.read("out", "incast", "summary.json"))
        self.assertIs(summary["partial"], True)
        self.assertTrue(all(run["partial"] for run in summary["runs"]))
        self.assertIn("Partial result.", self.read("out", "incast", "report.html"))

    def test_second_interrupt_abandons(self):
        # a program that takes no notice of the first one
        self.wrap("rcc-run", 'case "$*" in *--check*) exit 0;; esac\ntrap "echo INT >> \\"$TRACE\\"" INT\necho start >> "$TRACE"\n'
                  'while :; do sleep 0.1; done')
        process = self.start("--cc=dcqcn", LONG)
        self.await_line("start")
        process.send_signal(signal.SIGINT)
        self.await_line("INT")
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        self.assertIn("abandoned", err)
        self.assertEqual(out, "")
        self.assertFalse(os.path.exists(self.path("out", "incast")))


def open_terminal() -> tuple:
    try:
        return pty.openpty()
    except OSError as error:  # a container without /dev/pts
        raise unittest.SkipTest(f"no pseudo-terminals: {error}")


@needs_programs
class Progress(RccTest):
    def on_terminal(self, **extra):
        """Run with a terminal for stdout and stderr; returns (exit status, everything written)."""
        master, slave = open_terminal()
        process = subprocess.Popen([sys.executable, RCC, "run", "incast", "--no-plots", "--flows=20", "--cc=qcn", "--time=1s"],
                                   cwd=self.scratch, env=self.environment(TERM="xterm", COLUMNS="120", **extra),
                                   stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
        os.close(slave)
        data = b""
        while True:
            ready, _, _ = select.select([master], [], [], 60)
            try:
                part = os.read(master, 65536) if ready else b""
            except OSError:  # Linux says EIO when the last writer has gone
                part = b""
            if not part:
                break
            data += part
        os.close(master)
        return process.wait(timeout=120), data.decode()

    def test_live_on_a_terminal(self):
        status, text = self.on_terminal()
        self.assertEqual(status, 0)
        self.assertRegex(text, r"qcn  \[#+\.+\]  ?\d+ %  [\d.]+ [kM] packets/s  \d+ s left")
        self.assertNotIn("progress 0.", text)
        table = text[text.index("\x1b[J"):]  # the live lines are gone before the table comes
        self.assertNotIn("packets/s", table)
        self.assertIn("algorithm", table)

    def test_dumb_terminal(self):
        master, slave = open_terminal()
        done = subprocess.run([sys.executable, RCC, "run", "incast", *SHORT, "--flows=20", "--cc=qcn"],
                              cwd=self.scratch, env=self.environment(TERM="dumb"),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave, check=False)
        os.close(slave)
        self.assertEqual(done.returncode, 0)
        try:
            written = os.read(master, 65536)
        except OSError:  # Linux says EIO when nothing was written and the last writer has gone
            written = b""
        os.close(master)
        self.assertEqual(written, b"")


if __name__ == "__main__":
    unittest.main()
