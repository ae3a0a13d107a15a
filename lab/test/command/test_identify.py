# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc identify: the space of readings, the rule that ranks them, and what is kept of a search."""
import itertools
import json
import os
import re
import tempfile
import unittest

from support import ROOT, RccTest, needs_programs  # puts the project on the path

from command.results.read import series
from published import PAPERS, figure
from published.figure import run
from studies import identification as space
from studies import exclude, identify


class Space(unittest.TestCase):
    def test_every_decision_has_a_reading_before_and_others(self):
        self.assertEqual(len({d.name for d in space.DECISIONS}), len(space.DECISIONS))
        for decision in space.DECISIONS:
            self.assertGreaterEqual(len(decision.choices), 2, decision.name)
            self.assertEqual(len({c.name for c in decision.choices}), len(decision.choices), decision.name)

    def test_singles_change_one_decision_each(self):
        singles = space.singles()
        self.assertEqual(singles[0], space.Reading())
        self.assertTrue(all(len(r.changes) == 1 for r in singles[1:]))
        self.assertEqual(len(singles), 1 + sum(len(d.choices) - 1 for d in space.DECISIONS))

    def test_pairs_are_of_two_decisions(self):
        scores = {r: i for i, r in enumerate(space.singles())}
        found = space.pairs(scores, most=6)
        self.assertTrue(found)
        for pair in found:
            self.assertEqual(len({name for name, _ in pair.changes}), 2)

    def test_what_is_as_before_is_no_change(self):
        self.assertEqual(space.reading({"pmax": "0.01", "idle-wake": "in-turn"}), space.Reading())
        with self.assertRaises(ValueError):
            space.reading({"pmax": "0.02"})
        with self.assertRaises(ValueError):
            space.reading({"nothing": "1"})

    def test_random_readings_depend_on_the_seed_alone(self):
        best = space.reading({"pmax": "0.5"})
        first, again, other = (list(itertools.islice(space.drawn(seed, best), 20)) for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_neighbours_differ_in_one_decision(self):
        best = space.reading({"pmax": "0.5", "idle-wake": "at-once"})
        for other in space.neighbours(best):
            differing = [d for d, a, b in zip(space.DECISIONS, best.chosen(), other.chosen()) if a != b]
            self.assertEqual(len(differing), 1)

    def test_two_steps_change_two_decisions_at_most(self):
        best = space.reading({"pmax": "0.5", "idle-wake": "at-once"})
        one, two = space.neighbours(best), space.neighbours(best, 2)
        self.assertEqual(two[:len(one)], one)
        self.assertEqual(len(set(two)), len(two))
        for other in two[len(one):]:
            self.assertEqual(sum(a != b for a, b in zip(best.chosen(), other.chosen())), 2)


class Order(unittest.TestCase):
    """A reading is simulated group by group, so that one which loses a row costs little."""

    def setUp(self):
        self.figure = next(f for f in space.figures(space.Reading()) if f.id == "dp-fig6-10g")

    def search(self, *entries):
        search = identify.Search.__new__(identify.Search)
        search.folder = "/nowhere"
        search.entries = {number: {"rows": rows} for number, rows in enumerate(entries)}
        return search

    def test_rows_of_the_same_runs_are_judged_together(self):
        groups = [g for g in identify.groups_of([self.figure], {}, set()) if not g.alone]
        self.assertEqual([set(g.keys) == {"plus-2000"} for g in groups], [True, False])
        self.assertEqual(sum(len(g.rows) for g in groups), len(self.figure.rows))
        judged = {row.id: [True, ""] for row in groups[0].rows}
        self.assertEqual([g.keys for g in identify.groups_of([self.figure], judged, {"dp-fig6-10g-always"})], [groups[1].keys])

    def test_a_run_that_can_lose_a_row_alone(self):
        name = "dp-fig6-10g-always"
        alone = [g for g in identify.groups_of([self.figure], {}, set()) if g.alone]
        self.assertEqual([(g.keys, [row.id for row in g.rows]) for g in alone], [(("plus-80",), [name])])
        self.assertFalse(any(g.alone for g in identify.groups_of([self.figure], {}, {name})))
        self.assertFalse(any(g.alone for g in identify.groups_of([self.figure], {name: [False, ""]}, set())))
        with tempfile.TemporaryDirectory() as folder:
            for use, inside in ((0.89, False), (0.91, True)):
                data = figure.Data(self.figure, folder, series.read)
                for seed in self.figure.runs["plus-80"].seeds:
                    os.makedirs(data.place("plus-80", seed), exist_ok=True)
                    with open(os.path.join(data.place("plus-80", seed), "run.json"), "w", encoding="utf-8") as f:
                        json.dump({"send_utilization": use}, f)
                self.assertEqual(alone[0].rows[0].measure(data).inside, inside)

    def test_what_most_readings_lose_comes_first(self):
        few, many = (g for g in identify.groups_of([self.figure], {}, set()) if not g.alone)
        self.assertLess(self.search()._price(few), self.search()._price(many))
        lost = {row.id: [False, ""] for row in many.rows}
        kept = {row.id: [True, ""] for row in few.rows}
        search = self.search(*[{**kept, **lost}] * 9)
        self.assertLess(search._price(many), search._price(few))


class Rule(unittest.TestCase):
    def ranked(self, *scored):
        return [r.name for r, _ in sorted(scored, key=lambda pair: pair[0].rank(pair[1]))]

    def test_most_statements_first(self):
        a, b = space.reading({"pmax": "0.5"}), space.reading({"pmax": "0.3"})
        self.assertEqual(self.ranked((a, 28), (b, 29)), ["pmax=0.3", "pmax=0.5"])

    def test_a_contradicted_sentence_weighs_as_much_as_a_row(self):
        plain, against = space.reading({"pmax": "0.5"}), space.reading({"pmax": "0.5", "hyper-start": "3"})
        self.assertEqual((plain.contradictions(), against.contradictions()), (1, 2))
        self.assertEqual((plain.score(39), against.score(40)), (38, 38))
        self.assertEqual(self.ranked((against, 40), (plain, 39))[0], plain.name)
        self.assertEqual(self.ranked((against, 41), (plain, 39))[0], against.name)

    def test_then_the_smallest_change(self):
        small, large = space.reading({"pmax": "0.5"}), space.reading({"idle-wake": "at-once", "early-check": "keep"})
        self.assertEqual(self.ranked((large, 29), (small, 29))[0], small.name)

    def chosen(self, *values, more=None):
        return space.best_of({space.reading({"pmax": value, **(more or {})}): 39 for value in values}).name

    def test_then_the_middle_of_a_continuous_range(self):
        self.assertEqual(self.chosen("0.3", "0.5", "0.7"), "pmax=0.5")
        self.assertEqual(self.chosen("1", "0.7", "0.5"), "pmax=0.7")
        self.assertEqual(self.chosen("0.2", "0.3", "0.5", "0.7"), "pmax=0.5")
        self.assertEqual(self.chosen("0.3", "0.5"), "pmax=0.3")
        self.assertEqual(self.chosen("0.1", "0.5", "1", more={"list-timeout": "10ms"}), "pmax=0.5,list-timeout=10ms")

    def test_then_the_name(self):
        tied = [space.reading({"pmax": "0.5", "list-timeout": value}) for value in ("100ms", "10ms")]
        self.assertEqual(space.best_of({read: 39 for read in tied}).name, "pmax=0.5,list-timeout=100ms")


class Runs(unittest.TestCase):
    READ = space.reading({"pmax": "0.5", "idle-wake": "at-once"})

    def test_a_runs_own_settings_count_more(self):
        one = run("incast", "--cc=dcqcn-plus", "--set=dcqcn-plus.pmax=0.7", "--flows=8")
        self.assertEqual(space.apply(one, space.reading({"pmax": "0.1", "idle-wake": "at-once"})).words,
                         ("--cc=dcqcn-plus", "--flows=8", "--set=dcqcn-plus.pmax=0.1,dcqcn-plus.pmax=0.7"))

    def test_the_adopted_reading_is_the_default(self):
        self.assertEqual(space.reading(space.ADOPTED).settings(), "")
        self.assertEqual(space.Reading().settings(),
                         "dcqcn-plus.pmax=0.01,dcqcn-plus.idle_wake=in-turn")
        self.assertEqual(space.reading({"pmax": "0.3", "idle-wake": "at-once", "initial-alpha": "0.5"}).settings(),
                         "dcqcn-plus.pmax=0.3,dcqcn-plus.initial_alpha=0.5")

    def test_the_committed_search_chose_it(self):
        with open(os.path.join(ROOT, "lab", "studies", "identification.jsonl"), encoding="utf-8") as f:
            entries = [json.loads(line) for line in f]
        scored = {identify.parse(e["reading"]): e["inside"] for e in entries if not e["at_most"]}
        self.assertEqual(space.best_of(scored), space.reading(space.ADOPTED))

    def test_what_the_page_says_was_run(self):
        """lab/studies/identification.md: no reading one decision away from these can win, but for those that it names."""
        with open(os.path.join(ROOT, "lab", "studies", "identification.jsonl"), encoding="utf-8") as f:
            entries = {identify.parse(entry["reading"]): entry for entry in map(json.loads, f)}
        best = space.reading(space.ADOPTED)
        two = space.reading({**space.ADOPTED, "additive-levels": "two"})
        half = space.reading({**space.ADOPTED, "additive-levels": "two", "initial-alpha": "0.5"})
        least = best.rank(entries[best]["inside"])[:3]
        self.assertEqual(least, (-38, 1, 2))
        tied = [read.name for near in (space.neighbours(best), [two, *space.neighbours(two)], [half, *space.neighbours(half)],
                                       space.singles()) for read in near
                if read != best and read.rank(entries[read]["inside"])[:3] <= least]
        self.assertEqual(tied, ["pmax=0.7,idle-wake=at-once"])
        with open(os.path.join(ROOT, "lab", "studies", "identification.md"), encoding="utf-8") as f:
            text = f.read()
        for name in tied:  # figure 9 decides, which was not run with all its seeds
            self.assertIn(f"| `{name}` | at most {entries[identify.parse(name)]['inside']} |", text)

    def test_what_the_page_says_of_other_readings(self):
        """A reading of excluded.jsonl is excluded if it cannot win with the rows that it loses, and the page has the counts."""
        entries = {e["reading"]: e for e in identify.read_entries(exclude.READINGS)}
        with open(exclude.ASKED, encoding="utf-8") as f:
            asked = [json.loads(line) for line in f]
        names = [entry["reading"] for entry in asked]
        self.assertEqual(len(set(names)), len(names))
        for entry in asked:
            read, known = identify.parse(entry["reading"]), entries[entry["reading"]]
            self.assertEqual(entry["excluded"], not exclude.can_win(read, len(entry["outside"]), known["of"]), read.name)
            self.assertLessEqual({row for row, found in known["rows"].items() if not found[0]}, set(entry["outside"]), read.name)
        could = [name for name, e in entries.items() if name != exclude.DEFAULT and
                 exclude.can_win(identify.parse(name), sum(not row[0] for row in e["rows"].values()), e["of"])]
        two = ["additive-levels=two" in name for name in names]
        out = [entry["excluded"] for entry in asked]
        both = sum(a and b for a, b in zip(two, out))
        with open(os.path.join(ROOT, "lab", "studies", "identification.md"), encoding="utf-8") as f:
            text = " ".join(f.read().split())
        for words in (f"{len(could)} of the {len(entries)} in the file could still win by the rows that were run, "
                      f"{sum('additive-levels=two' in name for name in could)} of them with two levels.",
                      f"{len(asked)} were asked, and {sum(out)} of them cannot win (`excluded.jsonl`): {both} of {sum(two)} with two "
                      f"levels, {sum(out) - both} of {len(two) - sum(two)} with one."):
            self.assertTrue(words in text, f"the page does not say: {words}")

    def test_no_reading_is_open(self):
        """The readings that could win by clauses 1 to 3, with all rows inside that were not asked for, do not by the others."""
        entries = {e["reading"]: e for e in identify.read_entries(exclude.READINGS)}
        with open(exclude.ASKED, encoding="utf-8") as f:
            asked = {entry["reading"]: entry for entry in map(json.loads, f)}
        default = identify.parse(exclude.DEFAULT)
        self.assertEqual(entries[exclude.DEFAULT]["inside"], exclude.INSIDE)
        left = {default: exclude.INSIDE}
        for name, entry in entries.items():
            lost = len(asked[name]["outside"]) if name in asked else sum(not row[0] for row in entry["rows"].values())
            if exclude.can_win(identify.parse(name), lost, entry["of"]):
                left[identify.parse(name)] = entry["of"] - lost
        self.assertEqual(sorted(read.name for read in left), ["pmax=0.5,idle-wake=at-once", "pmax=0.7,alpha-order=before-cut",
                                                              "pmax=0.7,alpha-restart=no", "pmax=0.7,idle-wake=at-once"])
        self.assertEqual({read.rank(inside)[:3] for read, inside in left.items()}, {default.rank(exclude.INSIDE)[:3]})
        self.assertEqual(space.best_of(left), default)

    def test_what_a_first_seed_alone_loses(self):
        """The mean of figure 9's twenty queues is at least the first of them by twenty."""
        with open(exclude.ASKED, encoding="utf-8") as f:
            lost = [entry for entry in map(json.loads, f) if exclude.BOUND in entry["outside"] and "first" in entry]
        self.assertTrue(lost)
        clos = next(f for f in space.figures(self.READ) if f.id == "dp-fig9").runs["clos"]
        self.assertIn("--time=0.8s", clos.words)  # which the beginning of it replaces
        for entry in lost:
            seen = re.fullmatch(r"(?:at least )?([\d.]+) MB in the first of (\d+) seeds", entry["first"][exclude.BOUND])
            megabytes, seeds = seen.groups()
            self.assertEqual(int(seeds), len(clos.seeds))
            self.assertGreater(float(megabytes) * 1e6 / int(seeds), exclude.EDGE, entry["reading"])

    def test_dcqcn_shares_the_marking_only(self):
        self.assertEqual(space.apply(run("incast", "--cc=dcqcn"), self.READ).words, ("--cc=dcqcn", "--set=dcqcn.pmax=0.5"))
        for words in (("--cc=dcqcn", "--preset=cx4"), ("--cc=none",), ("--cc=timely",)):
            self.assertEqual(space.apply(run("incast", *words), self.READ).words, words)

    def test_all_figures_of_the_papers_own_simulations_count(self):
        figures = space.figures(self.READ)
        self.assertEqual(sum(len(f.rows) for f in figures), 41)
        self.assertLessEqual({"dp-fig4a", "dp-fig6-10g", "dp-fig8-10g", "dp-fig9", "dp-fig11-ws", "dp-fig12", "dp-fig13a"},
                             {f.id for f in figures})
        self.assertFalse({f.id for f in figures} & {"dp-fig3", "dp-fig10", "dp-cx4", "dp-same-red", "dp-fig7"})

    def test_a_reading_has_the_seeds_of_the_published_rows(self):
        published = {f.id: {key: one.seeds for key, one in f.runs.items()} for f in PAPERS}
        for f in space.figures(self.READ):
            self.assertEqual({key: one.seeds for key, one in f.runs.items()}, published[f.id], f.id)


class Stopping(unittest.TestCase):
    """A reading that cannot win any more is not simulated further."""

    def search(self, best, inside, full=False):
        search = identify.Search.__new__(identify.Search)
        search.full, search.scores, search.entries = full, {best: inside}, {}
        return search

    def test_by_what_it_can_still_have(self):
        best = space.reading({"pmax": "0.5", "idle-wake": "at-once"})
        search = self.search(best, 39)
        two = space.reading({"pmax": "0.5", "additive-levels": "two"})
        self.assertTrue(search.can_win(two, 38))   # as many statements, and no sentence contradicted
        self.assertFalse(search.can_win(two, 37))
        more = space.reading({"pmax": "0.5", "idle-wake": "at-once", "hyper-start": "3"})
        self.assertFalse(search.can_win(more, 40))  # as many, but more sentences contradicted
        self.assertTrue(search.can_win(more, 41))
        self.assertTrue(search.can_win(space.reading({"pmax": "0.7", "idle-wake": "at-once"}), 39))  # the range is a tie
        self.assertTrue(self.search(best, 39, full=True).can_win(two, 1))


class Table(RccTest):
    def entry(self, reading, inside):
        return json.dumps({"reading": reading, "inside": inside, "of": 41, "contradictions": 1, "rows": {}})

    def write(self, *lines):
        with open(self.path("r.jsonl"), "w", encoding="utf-8") as f:
            f.write("\n".join(lines))

    def test_the_best_first(self):
        self.write(self.entry("before", 25), self.entry("pmax=0.5", 29), '{"reading": "cut o')
        done = self.rcc("identify", "--table=r.jsonl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = [line.split() for line in done.stdout.splitlines()[1:]]
        self.assertEqual([line[0] for line in lines], ["pmax=0.5", "before"])
        self.assertEqual(lines[0][1:], ["28", "29", "of", "41", "1"])

    def test_the_last_score_of_a_reading_counts(self):
        self.write(self.entry("before", 25), self.entry("before", 27), "")
        lines = self.rcc("identify", "--table=r.jsonl").stdout.splitlines()[1:]
        self.assertEqual([line.split() for line in lines], [["before", "26", "27", "of", "41", "1"]])

    def test_what_was_not_scored_to_its_end_comes_last(self):
        stopped = json.dumps({**json.loads(self.entry("pmax=0.3", 28)), "at_most": True})
        self.write(stopped, self.entry("before", 25))
        lines = self.rcc("identify", "--table=r.jsonl").stdout.splitlines()[1:]
        self.assertEqual([line.split()[0] for line in lines], ["before", "pmax=0.3"])
        self.assertIn("at most 28 of 41", lines[1])

    def test_files_that_are_none(self):
        for content, part in ((b"[1]\n", "r.jsonl:1: reading: found '[1]', expected a line that"), (b"\xff\xfe\n", "r.jsonl:1: reading: "),
                              (self.entry("before", 25).encode() + b"\n" + self.entry("no=1", 2).encode() + b"\n", "r.jsonl:2: "),
                              (b"", "found no reading"), (b'{"reading": "bef', "found no reading"), (b"{}\n", "r.jsonl:1: ")):
            with open(self.path("r.jsonl"), "wb") as f:
                f.write(content)
            self.assert_refused(self.rcc("identify", "--table=r.jsonl"), part)
        self.assert_refused(self.rcc("identify", "--table=."), "found a directory, expected a file")
        self.assert_refused(self.rcc("identify", "--table="), "no such file")

    @needs_programs
    def test_a_line_that_was_cut_off_takes_no_other_with_it(self):
        self.assertEqual(self.rcc("identify", "--budget=0s", "--out=out").returncode, 0)
        whole = self.entry("before", 25) + "\n"
        with open(self.path("out", identify.RESULTS), "w", encoding="utf-8") as f:
            f.write(whole + '{"reading": "cut o')
        done = self.rcc("identify", "--budget=0s", "--out=out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("out", identify.RESULTS), whole)

    def test_refused(self):
        for words, part in ((["--table=none.jsonl"], "no such file"), (["--reading=pmax=2"], "no such decision or choice"),
                            (["--around=pmax=2"], "--around=pmax=2: no such"), (["--around=pmax=1", "--steps=x"], "--steps"),
                            (["--budget=soon"], "--budget=soon: expected a time"), (["--stage=nope"], "unknown stage 'nope'")):
            done = self.rcc("identify", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
