# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc reproduce, approx and decisions: what they list, judge, write and refuse. Fake programs; test stage "reproduce" and
the whole of `./rcc reproduce` use the real ones."""
import glob
import json
import os
import re
import signal
import time
import unittest
from unittest import mock
from pathlib import Path

from support import ROOT, TELL, RccTest, needs_programs  # puts the project on the path

from evidence.reproduce import decisions, reproduce, reproduce_report
from command.results.read import series
from evidence.published.sets import FIGURES, PAPERS
from evidence.published.papers import find_paper, read_last
from evidence.published.figure import Data, accept_between, over_seeds, run, smooth
from evidence.published.reality_presets import NICS, SWITCHES
from evidence.published.reality_row import COMPLETE, HARDWARE, PLAN, SIMULATION
from evidence.published.seeds import BEFORE, MORE, SEEDS, UNSURE, near, wanted

SYSTEMS = {  # every system of the papers has a row
    "PFC": "PFC", "PAUSE only": "PAUSE", "DCQCN": "DCQCN ", "CX4": "CX4", "static approximation": "static",
    "DCQCN+": "DCQCN+", "TIMELY": "TIMELY", "patched TIMELY": "patched TIMELY", "QCN at outputs": "outputs",
    "QCN at inputs": "inputs", "QCN at both": "both", "deterministic sampling": "deterministic", "random sampling": "random",
    "keep-alive": "keep-alive", "reliable delivery": "reliable delivery"}


class Rows(unittest.TestCase):
    """The data in published/."""

    def test_ids(self):
        ids = [row.id for figure in FIGURES for row in figure.rows]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertGreaterEqual(len(ids), 35)
        self.assertEqual(len(FIGURES), len({figure.id for figure in FIGURES}))

    def test_every_row_is_complete(self):
        for figure in FIGURES:
            self.assertTrue(figure.rows and figure.setup and figure.title and figure.source, figure.id)
            for row in figure.rows:
                self.assertTrue(row.claim and row.published and row.band, row.id)
                self.assertLessEqual(set(row.runs), set(figure.runs), row.id)
                self.assertTrue(row.id == figure.id or row.id.startswith(figure.id.split("-")[0]), row.id)
            for panel in figure.panels:
                self.assertLessEqual(set(panel.runs), set(figure.runs), figure.id)

    def test_quick_rows_have_the_first_seeds_only(self):
        """A row reads no other seeds: rows that measure over the seeds take them from the figure that they are given."""
        wanted = reproduce.select([], True)
        self.assertEqual({row.id for _, rows in wanted for row in rows}, {row.id for f in FIGURES for row in f.rows if row.quick})
        self.assertEqual({seed for _, seed in reproduce.needed(wanted, True)}, {1, 2})
        self.assertGreater({seed for _, seed in reproduce.needed(reproduce.select(["ib-fig2"], False), False)}, {1, 2})
        for name in glob.glob(os.path.join(ROOT, "lab", "evidence", "published", "*.py")):
            with open(name, encoding="utf-8") as f:
                found = re.findall(r"(?<!figure\.)\b\w+\[[^]]+\]\.seeds", f.read())
            self.assertFalse(found, name)

    def test_every_system_is_there(self):
        text = "\n".join(" ".join([figure.title, figure.setup, row.claim]) for figure in FIGURES for row in figure.rows)
        for name, word in SYSTEMS.items():
            self.assertIn(word, text, name)

    def test_one_set_up_is_one_run(self):
        """Equal words in two figures share a folder, other words or seeds do not."""
        a, b = run("incast", "--flows=8"), run("incast", "--flows=8", seeds=3, cost=9)
        self.assertEqual(a.name(1), b.name(1))
        self.assertNotEqual(a.name(1), a.name(2))
        self.assertNotEqual(a.name(1), run("incast", "--flows=9").name(1))

    def test_over_seeds(self):
        good = over_seeds([1.0, 3.0], lambda v: f"{v:g}", accept_between(1.5, 2.5))
        self.assertEqual((good.text, good.inside, good.value, good.spread), ("2 (1 to 3 over 2 seeds)", True, 2.0, (1.0, 3.0)))
        self.assertFalse(over_seeds([3.0], str, accept_between(1.5, 2.5)).inside)

    def test_smooth(self):
        self.assertEqual(smooth([0.1, 0.2, 0.3, 0.4], [1, 3, 5, 7], 0.2), ([0.2, 0.4], [2.0, 6.0]))


class Seeds(unittest.TestCase):
    """A row that was judged by fewer than five seeds, and near an edge, has five (lab/evidence/published/seeds.py)."""

    def test_near(self):
        self.assertTrue(near(((91, 100),)) and near(((110, 100),)) and near(((1, 50), (4.995, 5))) and near(((0, 0),)))
        self.assertFalse(near(((89, 100),)) or near(((111, 100),)) or near(()))

    def test_rows_near_an_edge(self):
        """They have the seeds in all of their runs, those that are not sure have more, and no row of few seeds was left out."""
        rows = {row.id: [len(figure.runs[key].seeds) for key in row.runs] for figure in PAPERS for row in figure.rows}
        self.assertLessEqual(set(BEFORE), set(rows))
        asked = {name: seeds for name, seeds in rows.items() if near(BEFORE.get(name, ()))}
        self.assertGreater(len(asked), 20)
        for name, seeds in asked.items():
            self.assertGreaterEqual(min(seeds, default=SEEDS), SEEDS, name)
        for name, (mean, error, edge) in UNSURE.items():
            self.assertLess(abs(mean - edge), 2 * error, name)
            self.assertGreaterEqual(min(rows[name]), MORE, name)
        for name, seeds in rows.items():
            if seeds and min(seeds) < SEEDS:
                self.assertIn(name, BEFORE)

    def test_one_set_up_has_the_same_seeds_wherever_it_is_read(self):
        counts = {}
        for figure in PAPERS:
            for one in figure.runs.values():
                counts.setdefault(one.name(0), []).append(len(one.seeds))
        for name, least in wanted(PAPERS).items():
            self.assertGreaterEqual(min(counts[name]), least, name)


def absurd(kind, index):
    """A run.json that no row should like: nothing happens, everything is full, or every run is worse than the one before."""
    size = {"nothing": 0.001, "full": 1e12, "rising": 1e3 * 10.0 ** index, "falling": 1e12 / 10.0 ** index}[kind]
    share = {"nothing": 0.001, "full": 1.5, "rising": 0.9 ** (20 - index), "falling": 0.9 ** index}[kind]
    return {"queue": {"mean_bytes": size, "p99_bytes": size, "max_bytes": size}, "utilization": share,
            "send_utilization": share, "jain": share, "pfc_limit_bytes": 5e6, "packets_dropped": size, "pfc": {"pauses": 0},
            "fct": {"mean_s": size, "p50_s": size, "max_s": size}}


class Reality(unittest.TestCase):
    """The reality table: what was measured elsewhere, with every assumption in the data."""

    rows = [row for figure in FIGURES if figure.table == "reality" for row in figure.rows]

    def test_every_row_of_the_collection_is_there(self):
        self.assertEqual(len(self.rows), 37)
        kinds = [row.lab.kind for row in self.rows]
        self.assertEqual([kinds.count(k) for k in (HARDWARE, SIMULATION, PLAN)], [24, 5, 8])

    def test_every_row_names_its_laboratory(self):
        """A row runs, or says what it needs; rows of other tables have no laboratory."""
        for row in self.rows:
            self.assertIn(row.lab.completeness, COMPLETE, row.id)
            self.assertIn(row.lab.switch, SWITCHES, row.id)
            self.assertLessEqual(set(row.lab.nic.split(", ")), set(NICS), row.id)
            self.assertTrue(row.lab.setup and all(what and why for what, why in row.lab.assume), row.id)
            self.assertNotEqual(bool(row.lab.needs), bool(row.runs), row.id)
        self.assertEqual([row.id for figure in FIGURES for row in figure.rows if row.lab], [row.id for row in self.rows])

    def test_recollections_are_marked(self):
        """In the table, in published.md and in the report."""
        rows = [{"id": name, "figure": "f", "claim": "a claim", "published": f"5 of {name}", "measured": "4", "band": "+-25 %",
                 "inside": True, "note": "", "commands": [], **more}
                for name, more in (("a", {"unverified": ["the switch"]}), ("b", {"unverified": []}), ("c", {}))]
        for text in (reproduce.table(rows), reproduce.markdown(rows), reproduce_report.rows_table(rows, True)):
            self.assertIn("5 of a UNVERIFIED", text)
            self.assertEqual(text.count("UNVERIFIED"), 1)
        self.assertTrue(any(row.lab.unverified for figure in FIGURES for row in figure.rows if row.lab))


class Judged(RccTest):
    """Every row that reads numbers of run.json is outside its band with some absurd ones: no row can only pass."""

    def verdicts(self, kind):
        found = {}
        for figure in FIGURES:
            for index, one in enumerate(figure.runs.values()):
                for seed in one.seeds:
                    place = self.path(kind, one.name(seed))
                    os.makedirs(place, exist_ok=True)
                    with open(os.path.join(place, "run.json"), "w", encoding="utf-8") as f:
                        json.dump(absurd(kind, index), f)
            for row in figure.rows:
                if row.runs:
                    try:
                        found[row.id] = row.measure(Data(figure, self.path(kind), series.read)).inside
                    except Exception:  # pylint: disable=broad-except  # reads more than run.json
                        pass
        return found

    def test_absurd_numbers_are_outside(self):
        kinds = [self.verdicts(kind) for kind in ("nothing", "full", "rising", "falling")]
        self.assertGreater(len(kinds[0]), 45)
        for name in kinds[0]:
            self.assertFalse(all(verdicts.get(name, False) for verdicts in kinds), name)


def instead(time_ns, **parameters):
    """Lines of shell that put another time into the run file, and other values of the run's algorithm."""
    edits = [f"s/^\\(run [^ ]* [0-9]*\\) [0-9]*/\\1 {time_ns}/",
             *(f"s/ {name}=[0-9]*/ {name}={value}/" for name, value in parameters.items())]
    return " ".join(["sed -i", *(f"-e '{edit}'" for edit in edits), '"$1"'])


TRACE = 'case "$*" in *--check*) ;; *) [ -z "$TRACE" ] || echo start >> "$TRACE";; esac'


@needs_programs
class Command(RccTest):

    def setUp(self):
        super().setUp()
        self.wrap("rcc-run", TRACE)

    def test_list(self):
        done = self.succeed("reproduce", "--list")
        head, _, rows = done.stdout.partition("\n\n")
        found = [re.match(r"  +(\d+) of +(\d+) inside  \S", line).groups() for line in head.splitlines()]
        self.assertEqual(len(found), len({find_paper(figure) for figure in FIGURES}))
        last = read_last()
        self.assertEqual((sum(int(inside) for inside, _ in found), sum(int(count) for _, count in found)),
                         (sum(one.inside for one in last.values()), len(last)))
        lines = rows.splitlines()
        self.assertEqual(len(lines), sum(len(f.rows) for f in FIGURES))
        for line, row in zip(lines, (row for f in FIGURES for row in f.rows)):
            self.assertTrue(line.startswith(row.id + " "), line)
            self.assertRegex(line, r" (\d+ s|not run)  \S")
        for columns in (60, 100):
            narrow = self.rcc("reproduce", "--list", COLUMNS=str(columns)).stdout.splitlines()
            self.assertEqual(len(narrow), len(head.splitlines()) + 1 + len(lines), "a line per paper and row")
            self.assertLessEqual(max(map(len, narrow)), columns)

    def test_details(self):
        text = self.rcc("reproduce", "dp-fig8", "--list", "--details", COLUMNS="60").stdout
        self.assertLessEqual(max(map(len, text.splitlines())), 60)
        for row in next(f for f in FIGURES if f.id.startswith("dp-fig8")).rows:
            self.assertIn(row.claim, re.sub(r"\s+", " ", text))
        for figure in (f for f in FIGURES if f.id.startswith("dp-fig8")):   # a command in several lines is one to a shell
            for one in figure.runs.values():
                self.assertIn(one.command(one.seeds[0]), re.sub(r" \\\n +", " ", text))
        self.assertEqual(self.rcc("reproduce", "dp-fig8", "--details", COLUMNS="60").stdout, text, "nothing is simulated")

    def test_list_of_one_figure(self):
        done = self.rcc("reproduce", "dp-fig8", "--list")
        self.assertEqual({line.split()[0][:7] for line in done.stdout.partition("\n\n")[2].splitlines()}, {"dp-fig8"})

    def test_a_table_and_a_row_that_waits_for_a_feature(self):
        listed = self.rcc("reproduce", "reality", "--list").stdout.partition("\n\n")[2].splitlines()
        self.assertEqual(len(listed), 37)
        waiting = [line.split()[0] for line in listed if " not run  " in line]
        if waiting:
            self.succeed("reproduce", waiting[0], "--no-plots", "--out=out")
            row = json.loads(self.read("out", "published.json"))["rows"][0]
            self.assertFalse(row["inside"])
            self.assertTrue(row["needs"] and row["measured"].startswith("not run: needs "), row)
            self.assertEqual(self.rcc("reproduce", waiting[0], "--no-plots", "--strict", "--out=out").returncode, 1)

    def test_unknown_id(self):
        self.assert_refused(self.rcc("reproduce", "dp-fig44"), "unknown id 'dp-fig44', did you mean")
        # a figure and a row may have one name; it is proposed once
        self.assert_refused(self.rcc("reproduce", "dp-fig4"), "did you mean dp-fig4b or dp-fig4a?")

    def test_rows_without_a_simulation(self):
        self.succeed("reproduce", "s15-pfc", "--strict", "--no-plots", "--out=out")
        rows = json.loads(self.read("out", "published.json"))["rows"]
        self.assertEqual([r["id"] for r in rows], ["s15-pfc-static", "s15-pfc-ecn"])
        for row in rows:
            self.assertLessEqual({"id", "claim", "published", "measured", "band", "inside", "seeds"}, set(row))
            self.assertTrue(row["inside"])
        self.assertIn("s15-pfc-static", self.read("out", "report.html"))

    def test_outside_its_band(self):
        """A buffer that ends the queue early: --strict says so with its exit status, without it the run is fine."""
        self.wrap("rcc-run", instead(100_000_000, kmin=300_000, kmax=900_000))
        for words, status in (((), 0), (("--strict", "--resume"), 1)):
            done = self.rcc("reproduce", "eod-fp-2", "--no-plots", "--out=out", *words)
            self.assertEqual(done.returncode, status, done.stderr + done.stdout)
            row = json.loads(self.read("out", "published.json"))["rows"][0]
            self.assertFalse(row["inside"])
            self.assertEqual(row["seeds"], [1, 2, 3, 4, 5])
            self.assertIn("OUTSIDE", done.stdout)

    def test_a_program_that_fails(self):
        self.wrap("rcc-run", 'case "$*" in *--check*) ;; *) exit 3;; esac')
        done = self.rcc("reproduce", "eod-fp-2", "--no-plots", "--out=out")
        self.assertEqual(done.returncode, 1)
        row = json.loads(self.read("out", "published.json"))["rows"][0]
        self.assertFalse(row["inside"])
        self.assertTrue(row["measured"].startswith("failed"), row["measured"])

    def interrupted(self, ready):
        """The rows of what SIGINT ends once `ready` has returned."""
        process = self.begin("reproduce", "eod-fp-2", "s15-pfc", "--no-plots", "--out=out")
        ready()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err + out)
        self.assertIn("--resume", err)
        merged = json.loads(self.read("out", "published.json"))
        self.assertTrue(merged["partial"])
        return {row["id"]: row for row in merged["rows"]}

    def test_interrupted(self):
        self.wrap("rcc-run", f"{TELL}; {instead(60_000_000_000)}")
        rows = self.interrupted(self.simulators)
        self.assertTrue(rows["s15-pfc-static"]["inside"])
        self.assertTrue(rows["eod-fp-2"]["measured"].startswith("not run"), rows["eod-fp-2"]["measured"])

    def test_interrupted_before_the_simulation(self):
        """A program that has no handler yet dies of it, which is no failure."""
        def begun():
            while not os.path.exists(self.path("trace")):
                time.sleep(0.02)
        self.wrap("rcc-run", f"{TELL}; exec sleep 600")
        measured = self.interrupted(begun)["eod-fp-2"]["measured"]
        self.assertTrue(measured.startswith("not run"), measured)

    def test_what_is_there_stays(self):
        """A folder beside a run, whatever it is called; with --resume the runs."""
        self.wrap("rcc-run", f"{TRACE}; {instead(20_000_000)}")   # a twentieth of the row's
        runs = []
        for words, starts in (((), 5), (("--resume",), 5), ((), 10)):
            self.rcc("reproduce", "eod-fp-2", "--no-plots", "--out=out", *words, TRACE=self.path("trace"))
            self.assertEqual(self.read("trace").count("start"), starts, words)
            runs = runs or [name for name in os.listdir(self.path("out", "runs")) if "seed" in name]
            for name in runs:
                if not words and starts == 5:
                    self.put(f"out/runs/{name}.part/thesis.txt", "mine")
                self.assertEqual(self.read("out", "runs", name + ".part", "thesis.txt"), "mine")
        self.assertEqual(len(runs), 5)
        self.assertEqual([name for name in os.listdir(self.path("out", "runs")) if name.startswith(".")], [])

    def test_somebody_elses_file(self):
        self.put("mine/published.json", "{}")
        self.assert_refused(self.rcc("reproduce", "s15-pfc", "--out=mine"), "is not from rcc")
        self.assertEqual(self.read("mine", "published.json"), "{}")


@needs_programs
class Check(RccTest):

    def test_list_and_unknown(self):
        lines = self.rcc("check", "sonic", "--list").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], [f"sonic-{name}" for name in (
            "tc1", "tc2", "tc3", "tc4", "tc5", "tc7", "ecn-accuracy", "ecn-before-pfc")])
        self.assert_refused(self.rcc("check", "sonic", "tc9"), "unknown check 'tc9'")

    def test_verdicts(self):
        """TC5 passes, and fails with a host that emits PFC before its time."""
        for more, word, status in ((":", "PASS", 0), ("sed -i '/^guard /i pause 4 4 500000000 100000 1000000 -' \"$1\"", "FAIL", 1)):
            self.wrap("rcc-run", more)
            done = self.rcc("check", "sonic", "tc5", "--out=out")
            self.assertEqual(done.returncode, status, done.stderr + done.stdout)
            self.assertTrue(done.stdout.startswith(f"{word}  tc5: "), done.stdout)
            found = json.loads(self.read("out", "checks.json"))["checks"]
            self.assertEqual([(c["id"], c["inside"]) for c in found], [("sonic-tc5", status == 0)])


class Approx(RccTest):

    def test_the_papers_example(self):
        """ICNP 2018, V.D: 540 flows at 10 Gb/s: K = 1080 us, R_AI = 1.85 Mb/s."""
        done = self.rcc("model", "approx", "--flows=540", "--rate=10Gbps", "--json")
        found = json.loads(done.stdout)
        self.assertAlmostEqual(found["timer_s"], 1080e-6, places=12)
        self.assertAlmostEqual(found["r_ai_bps"] / 1e6, 1.85, places=2)
        self.assertEqual(found["nic"], {"rpg_time_reset": 1080, "rpg_ai_rate": 2})

    def test_a_slow_link_waits_for_a_packet(self):
        found = json.loads(self.rcc("model", "approx", "--flows=10", "--rate=100Mbps", "--json").stdout)
        self.assertAlmostEqual(found["timer_s"], 2 * 8000 / 10e6, places=12)

    def test_words(self):
        text = self.rcc("model", "approx", "--flows=540").stdout
        self.assertIn("rpg_time_reset = 1080", text)
        self.assertIn("rpg_ai_rate    = 2", text)
        self.assertIn("dcqcn.timer=1080us", text)

    def test_refused(self):
        for words, fragment in ((("--flows=0",), "expected 1 to 1000000"), (("--flows=many",), "expected a whole number"),
                                (("--flows=5", "--rate=1bps"), "expected 1Mbps to 16Tbps"),
                                (("--flows=5", "--cnp-generation=1s"), "expected 1ns to 1ms")):
            self.assert_refused(self.rcc("model", "approx", *words), fragment)


class Decisions(RccTest):

    def test_table(self):
        done = self.succeed("decisions", "--flows=16", "--time=30ms", "--json")
        rows = json.loads(done.stdout)
        self.assertEqual(rows[0]["what"], "as decided")
        known = {"r_min", "list_timeout", "early_check", "idle_wake", "ai_levels", "pacing", "cnp_generation"}
        self.assertLessEqual(known, {row["decision"] for row in rows})
        for row in rows:
            self.assertIsNotNone(row["flows"]["16"]["queue.mean_bytes"])

    def test_the_page_has_these_rows(self):
        """The table of lab/evidence/doc/decisions.md has the rows of the command that stands above it."""
        text = Path(ROOT, "lab", "evidence", "doc", "decisions.md").read_text(encoding="utf-8")
        words = re.search(r"    \./rcc (decisions .*)", text).group(1).split()
        done = self.succeed(*[word for word in words if word.partition("=")[0] not in ("--flows", "--markdown")], "--flows=16",
                            "--time=3ms", "--json")
        rows = [(row["decision"], row["what"], row["settings"]) for row in json.loads(done.stdout)]
        body = text.partition("|---|---|---|---|---|---|---|---|\n")[2].partition("\n\n")[0]
        self.assertEqual([tuple(cell.strip(" `") for cell in line.split("|")[1:4]) for line in body.splitlines()], rows)

    def test_another_preset(self):
        """A decision that the preset has flipped goes back to the default."""
        known = {"algorithms": [{"name": "dcqcn-plus", "presets": [{"name": "early", "values": {"idle_wake": "in-turn"}}],
                                 "fields": [{"name": "idle_wake", "default": "at-once"}, {"name": "target_cap", "default": "line"}]}]}
        with mock.patch.object(decisions.algorithms, "read", lambda: known):
            flipped = {flip.name: flip.settings for flip in decisions.flips("early")}
        self.assertEqual((flipped["idle_wake"], flipped["target_cap"]), ("idle_wake=at-once", "target_cap=none"))

    def test_refused(self):
        self.assert_refused(self.rcc("decisions", "--preset=none"), "--preset=none: expected one of paper, paraleon-plus")
        self.assert_refused(self.rcc("decisions", "--preset=one-percent"), "or paper+pmax=0.01+idle_wake=in-turn")
        self.assert_refused(self.rcc("decisions", "--flows=x"), "--flows=x")
        self.assert_refused(self.rcc("decisions", "--seeds=0"), "--seeds=0")


if __name__ == "__main__":
    unittest.main()
