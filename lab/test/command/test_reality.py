# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The reality table against its sources: loads, sizes and rules as they are stated, and what is read from a run's series."""
import re
import unittest

from support import RCC  # noqa: F401  # puts the project on the path

from evidence.published import reality_arrivals_runs, reality_clos_runs, reality_others_runs
from evidence.published.reality_presets import SWITCHES


def loads(words):
    """Loads of --arrivals and --incasts, of the hosts' ports."""
    text = " ".join(words)
    background = re.search(r"--arrivals=[^: ]*:([0-9.]+)", text)
    foreground = re.search(r"--incasts=[^: ]*:[^: ]*:([0-9.]+)", text)
    return [float(found.group(1)) if found else 0.0 for found in (background, foreground)]


class Fake:
    """Series that were written by hand in place of a run's."""

    def __init__(self, key, seeds=(1,), **series):
        self.figure = type("Figure", (), {"runs": {key: type("Run", (), {"seeds": seeds})}})
        self.files = series

    def series(self, _key, name, _seed=None):
        return self.files[name.split(".")[0]]

    def map_seeds(self, key, function):
        return [function(seed) for seed in self.figure.runs[key].seeds]

    def summary(self, _key, _seed):
        return {"groups": [{"name": "h2-h3", "ended_s": 3e-3}]}


def samples(step, until, **groups):
    """groups.csv: each group is (rate, goodput) of a time in us."""
    rows = [(t * 1e-6, name, *both(t)) for t in range(step, until + 1, step) for name, both in groups.items()]
    return dict(zip(("time_s", "group", "rate_bps", "goodput_bps"), (list(column) for column in zip(*rows))))


class Sources(unittest.TestCase):

    def test_tlt(self):
        """Background and foreground together load a ToR's uplinks to 40 %, 5 % of it are foreground; 10,000 background flows."""
        words = reality_arrivals_runs.tlt_runs()["tlt"].words
        back, fore = loads(words)
        self.assertAlmostEqual((back + fore) * (8 / 4) * 88 / 95, 0.4, places=3)
        self.assertAlmostEqual(fore / (back + fore), 0.05, places=3)
        seconds = float(re.search(r"--time=([0-9]+)ms", " ".join(words)).group(1)) / 1000
        self.assertAlmostEqual(back * 96 * 40e9 / 8 * seconds / (1.711e6 * 1062 / 1000), 10_000, delta=500)

    def test_mean_of_all_links(self):
        """64 links of 25 Gb/s to hosts and 4 of 100 Gb/s to the Agg, which 16 of 31 partners are behind."""
        for load in (30, 50):
            words = reality_arrivals_runs.ws_runs()[f"ws-{load}"].words
            hosts, _ = loads(words)
            agg = hosts * 16 / 31 * 64 * 25 / 400
            self.assertAlmostEqual((64 * hosts + 4 * agg) / 68, load / 100, places=3)
            ports = next(w for w in words if w.startswith("--record=")).count(">")
            self.assertEqual(ports, 64 + 8, "queue lengths at switches: of all their ports")

    def test_timely_of_that_simulator(self):
        words = reality_arrivals_runs.fat_runs()["incast-timely"].words
        self.assertIn("--preset=hpcc", words)
        self.assertIn("--set=timely.delta=100Mbps,timely.hai=5,timely.r_min=1Gbps", words)

    def test_long_lived_flows(self):
        """They are more than one message of 20 MB, which ends 10 ms after it began; the switch is that of ns3-rdma."""
        words = reality_others_runs.sc20_runs()["burst"].words
        flows = next(w for w in words if w.startswith("--flows=")).split("=", 1)[1].split(",")
        self.assertEqual(flows[:2], ["h1-h3", "h2-h4"])
        self.assertEqual((SWITCHES["ns3-rdma"].alpha, SWITCHES["ns3-rdma"].pool), ("16", str(4000 * 1030) + "B"))


class Measures(unittest.TestCase):

    def test_used_again(self):
        """The link is used again at 13.1 ms; a cut at 30 ms is none of the burst's effects."""
        def make_rates(t):
            rate = 5e9 if 3000 < t <= 13000 or 30000 < t <= 31000 else 16e9
            return rate, rate
        data = Fake("burst", groups=samples(50, 40000, **{"h1-h3": make_rates, "h2-h4": make_rates}))
        self.assertAlmostEqual(reality_others_runs.recovery(data, 1), 10e-3, delta=0.11e-3)

    def test_rates_are_those_of_the_sender(self):
        """While the queue drains a receiver sees more than the plateau of the sender's rate."""
        def long(t):
            rate = 25e9 if t <= 2050 else 2.5e9 if t <= 2350 else 19e9
            return rate, 12.5e9 if 2000 < t <= 2200 else rate
        data = Fake("long", groups=samples(10, 6000, **{"h1-h3": long}),
                    queue={"time_s": [2.2e-3, 2.9e-3], "max_bytes": [195e3, 225e3]})
        found = reality_clos_runs.long_short(data)
        self.assertTrue(found.inside, found.text)
        self.assertIn("first plateau 2.5 Gb/s", found.text)

    def test_steps_after_an_incast(self):
        """From the last cut's end, through steps of 0.3 ms; packets that had waited are no recovery."""
        steps = ((2500, 1e9), (2800, 13e9), (3100, 19e9), (3400, 22e9), (6000, 23.5e9))

        def long(t):
            rate = 25e9 if t <= 2020 else next(v for end, v in steps if t <= end)
            return rate, 25e9 if 2500 < t <= 2560 else rate
        data = Fake("incast", groups=samples(10, 6000, **{"h1-h9": long}), queue={"time_s": [2.2e-3], "max_bytes": [550e3]})
        found = reality_clos_runs.incast(data)
        self.assertTrue(found.inside, found.text)
        self.assertIn("in 1 of 1 seeds", found.text)

        def stays(t):
            return (25e9 if t <= 2020 else 1e9,) * 2
        self.assertFalse(reality_clos_runs.incast(Fake("incast", groups=samples(10, 6000, **{"h1-h9": stays}),
                                                       queue={"time_s": [2.2e-3], "max_bytes": [550e3]})).inside)


if __name__ == "__main__":
    unittest.main()
