# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The ratios of two algorithms over several seeds, and the algorithms that are not marked."""
import math
import unittest

from support import sample_run

from command.results.html import report
from command.results.judge import questions, summary
from command.results.read import seeds
from test_answers import stars, summarize


class Ratios(unittest.TestCase):
    def test_a_ratio_is_the_same_whichever_is_divided(self):
        """The table has the ratio to the first run, the mark goes by that to the best: what one leaves open the other does not decide. An
        arithmetic mean of the ratios of a, which is larger in each seed, has an interval of [0.58, 6.3]; 21.4 / 4.85 = e^1.484, 10.5 /
        4.85 = e^0.772, 17.9 / 4.85 = e^1.306: mean 1.188, deviation 0.370, times 4.3027 / sqrt(3) = 0.920."""
        runs = [sample_run(cc, mean * 1e3, seed=seed) for cc, means in (("a", (21.4, 10.5, 17.9)), ("b", (4.85, 4.85, 4.85)))
                for seed, mean in enumerate(means, 1)]
        for order in (runs, runs[3:] + runs[:3]):
            averaged = {run["cc"]: run for run in seeds.averaged(order)}
            up, down = (seeds.paired(averaged[one], averaged[other], "queue.mean_bytes") for one, other in ("ab", "ba"))
            for found, expected in zip((up.mean, up.low, up.high), (1.188, 1.188 - 0.920, 1.188 + 0.920)):
                self.assertAlmostEqual(math.log(found), expected, places=2)
            for product in (up.mean * down.mean, up.low * down.high, up.high * down.low):
                self.assertAlmostEqual(product, 1)
            self.assertEqual(stars(summarize("./rcc run incast", *order)[1]), ["b"])
        runs = [sample_run(cc, mean, seed=seed) for cc, means in (("a", (10e3, 10e3)), ("b", (11e3, 40e3))) for seed, mean in
                enumerate(means, 1)]
        for order in (runs, runs[2:] + runs[:2]):
            self.assertEqual(len(stars(summarize("./rcc run incast", *order)[1])), 2)

    def test_seeds_without_a_ratio_are_counted(self):
        """A mean that is 0 in a seed has no ratio there."""
        runs = [sample_run(cc, mean, seed=seed) for cc, means in (("a", (10e3, 11e3, 0)), ("b", (22e3, 24e3, 0))) for seed, mean in
                enumerate(means, 1)]
        _, text = summarize("./rcc run incast", *runs)
        self.assertEqual(stars(text), ["a"])
        self.assertRegex(text, r"2\.19 ±0\.1[0-9] in 2 of 3 seeds")

    def test_a_mean_of_some_of_the_seeds_says_so_in_the_table(self):
        """A number that one seed of four has is no mean of four."""
        own = [sample_run("a", 1e5, seed=seed, scenario="workload", flows=100, incomplete=0 if seed == 1 else 100,
                          fct={"count": 100, "mean_s": 1.0, "p99_s": 2.0} if seed == 1 else None) for seed in (1, 2, 3, 4)]
        every = [dict(run, cc="b", incomplete=0, fct={"count": 100, "mean_s": 3.0, "p99_s": 6.0}) for run in own]
        runs = seeds.averaged(own + every)
        rows = dict(zip("ab", ([cell(run) for _, _, cell in summary.columns(runs)] for run in runs)))
        self.assertIn("1 s in 1 of 4 seeds", rows["a"])
        self.assertIn("2 s in 1 of 4 seeds", rows["a"])
        self.assertFalse([cell for cell in rows["b"] if " in " in cell], rows["b"])
        self.assertIn("1 s in 1 of 4 seeds", summarize("./rcc run workload", *own, *every)[1].partition("\n\n")[2])
        self.assertIn("1 s in 1 of 4 seeds", report.comparison(runs, questions.choose_question("workload", runs)))
        mean = seeds.averaged([sample_run("a", 1e5, seed=seed, packets_repeated=count) for seed, count in ((1, 4), (2, 0))])
        self.assertFalse([cell(one) for one in mean for _, _, cell in summary.columns(mean) if " in " in cell(one)])

    def test_what_excludes_does_so_in_any_seed(self):
        def make_runs(cc, mean, *uses, **more):
            return [sample_run(cc, mean, use, seed=seed, **more) for seed, use in enumerate(uses, 1)]
        _, text = summarize("./rcc run incast", *make_runs("a", 1e3, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0),
                            *make_runs("b", 9e5, 1.0, 1.0, 1.0, 0.95, 0.92, 1.0))
        self.assertEqual(stars(text), ["b"])
        dead = [*make_runs("a", 1e3, 1.0), *(dict(run, seed=2, packets_delivered=0) for run in make_runs("a", 0, 1.0))]
        self.assertEqual(stars(summarize("./rcc run incast", *dead, *make_runs("b", 9e5, 1.0, 1.0))[1]), ["b"])

    def test_an_interval_that_tells_nothing(self):
        runs = [sample_run(cc, mean, seed=seed) for cc, means in (("a", (10e3, 10e3)), ("b", (11e3, 90e3))) for seed, mean in
                enumerate(means, 1)]
        found = seeds.paired(*seeds.averaged(runs)[::-1], "queue.mean_bytes")
        self.assertEqual(found.text(), "3.15 (too few seeds)")
        self.assertLess(seeds.statistics.ratio([1e-300, 1e300], 2).high, float("inf"))


if __name__ == "__main__":
    unittest.main()
