# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The figures in the pages are true: counts, tables of published rows, defaults of options, results of short runs, keys and columns of
results."""
from __future__ import annotations

import csv
import importlib
import json
import os
import re
import subprocess
import unittest
from unittest import mock

from support import BUILD, ROOT, RccTest, needs_programs

from evidence.published import sets as published
from evidence.published.papers import Last, read_last
from evidence.published.seeds import SURE
from evidence.reproduce import trust
from command.run import experiments
from command.run.run import TRACE
from command.run.scenarios import SCENARIOS, pairs

CASES = {"test_analysis": ["REFUSED"], "test_arguments": ["REFUSED"], "test_fan_in": ["REFUSED"], "test_faults": ["MALFORMED"],
         "test_malformed": ["SUMMARIES", "TRACES", "NETWORKS", "OPTIONS"], "test_rdma_fct": ["MALFORMED", "REFUSED"],
         "test_rdma_mistakes": ["CONFIG", "TOPOLOGY", "FLOWS", "ORIGINALS", "TRACE", "CHOICES", "NIC", "LONG_NUMBERS"],
         "test_rdma_run": ["REFUSED"], "test_rdma_traffic": ["MALFORMED_SIZES", "REFUSED"],
         "test_real": ["REFUSED"], "test_workload": ["MALFORMED", "REFUSED"]}


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def cells(line: str) -> list:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


# Scenarios that lab/doc/scenarios.md describes, with their sections; each other one has a page of its name.
SECTIONS = {"unfairness": "PFC's parking lot", "victim": "A victim of pauses", "long-haul": "A long link between two sites",
            "probes": "Small messages beside bulk", "permutation": "Permutation", "collective": "Collective operations"}


def page_of(scenario: str) -> str:
    return "lab/doc/scenarios.md" if scenario in SECTIONS else f"lab/doc/{scenario}.md"


def table(page: str, heading: str, section: str = "") -> list:
    """The rows of the table that begins with `heading`, the first one below the section's title."""
    lines = [line.strip() for line in read(page).splitlines()]
    lines = lines[lines.index(f"## {section}") if section else 0:]
    at = next(i for i, line in enumerate(lines) if line.startswith(heading)) + 2
    end = next((i for i in range(at, len(lines)) if not lines[i].startswith("|")), len(lines))
    return [cells(line) for line in lines[at:end]]


NUMBER = re.compile(r"(?:Jain |f6 / f1 = )?([+-]?\d[\d.]*(?:e[+-]\d+)?)(?: ?(KB|MB|us|ms|s\b|%|x|points|[A-Z][A-Za-z/]*|[a-z]+))?")
UNITS = {"KB": 1e3, "MB": 1e6, "us": 1e-6, "ms": 1e-3, "%": 0.01}


def quantity(text: str) -> tuple:
    """The number at the beginning of a text in its base unit, and the unit."""
    number, unit = NUMBER.match(text).groups()
    return float(number) * UNITS.get(unit, 1), unit


def edges(band: str, published_text: str) -> list:
    """The edges of a band; [] of one in words, or of an exact count."""
    share = re.search(r"^(.*?) ?\+-([\d.]+)( %)?(?:, every flow)?$", band)
    if share:
        middle = 7 / 3 if published_text == "7/3" else quantity(share[1].split("= ")[-1] if share[1] else published_text)[0]
        width = float(share[2]) * (abs(middle) / 100 if share[3] else 1)
        return [middle - width, middle + width]
    one = re.search(r"(?:>=|<=|at most|>|<) (\d.*)", band)
    pair = re.match(r"([\d.]+)\S* to (.*)", band)
    if pair and not one:
        most, unit = quantity(pair[2])
        return [float(pair[1]) * UNITS.get(unit, 1), most]
    return [quantity(one[1])[0]] if one else []


def spread(measured: str) -> tuple:
    """(mean, standard error as the range says it, seeds) of "1.5x (73 ms; 52 ms to 94 ms over 10 seeds)"; None if it has no range."""
    found = re.search(r"^(.*?) ?\((?:([^();]*); )?([^();]*) to ([^();]*) over (\d+) seeds\)", measured)
    if not found or int(found[5]) not in WIDTHS:
        return None
    (mean, unit), (least, of_range), (most, _) = (quantity(found[at]) for at in (1, 3, 4))
    scale = mean / quantity(found[2])[0] if found[2] and unit != of_range and quantity(found[2])[1] == of_range else 1
    return mean, scale * (most - least) / WIDTHS[int(found[5])] / int(found[5]) ** 0.5, int(found[5])


WIDTHS = {5: 2.326, 10: 3.078}   # mean range of so many numbers with a normal distribution, in standard deviations


class Counts(unittest.TestCase):
    def test_malformed_cases(self):
        count = {name: {part: len(getattr(importlib.import_module(name), part)) for part in parts} for name, parts in CASES.items()}
        here = count["test_malformed"]
        self.assertIn(f"{sum(sum(parts.values()) for parts in count.values())} cases in lab/test/command ({sum(here.values())} of them in "
                      f"test_malformed.py: summary.json {here['SUMMARIES']}, mix.tr {here['TRACES']}, each file and file option of "
                      f"`./rcc ns3-rdma` {here['NETWORKS'] + here['OPTIONS']}; {sum(count['test_rdma_mistakes'].values())} in "
                      "test_rdma_mistakes.py)",
                      read("lab/doc/reliability.md"))

    def test_published_rows(self):
        """The last full run has the rows of published/; pages and the table of README.md have its counts, and a reason for each row that is
        outside."""
        last, counted = read_last(), []
        self.assertEqual(list(last), [row.id for figure in published.FIGURES for row in figure.rows])
        self.assertEqual({one.question for one in last.values()}, set(trust.QUESTIONS))
        for name, page, section in (("papers", "results", "Papers of DCQCN+, DCQCN, QCN and TIMELY"),
                                    ("windowed", "results", "Windowed and telemetry-driven algorithms"),
                                    ("paths", "results", "Loss and many paths"), ("reality", "reality", "")):
            rows = [row.id for figure in published.FIGURES if figure.table == name for row in figure.rows]
            inside = sum(last[key].inside for key in rows)
            counted.append((f"`./rcc reproduce {name}`", f"{inside} of {len(rows)}"))
            text = " ".join(read(f"lab/evidence/doc/{page}.md").partition(f"\n## {section}\n" if section else "#")[2]
                            .partition("\n## " if section else "\n## The unit")[0].split())
            if section:
                self.assertIn(f"{inside} of {len(rows)} rows ({100 * inside / len(rows):.0f} %) are inside", text)
            else:
                self.assertIn(f"All {len(rows)} rows are of 2026-11-27; {inside} are inside", text)
            told = set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", text.partition("he rows outside" if section else "## Rows outside")[2]))
            self.assertEqual([key for key in rows if not last[key].inside and key not in told], [])
            self.assertEqual([key for key in rows if last[key].inside and f"* {key}:" in text], [])
        self.assertEqual([(row[1], row[2]) for row in table("README.md", "| published results |")], counted)

    def test_how_far_to_trust(self):
        """The tables of trust.md are those of the rows, and each of its misses is what a row has."""
        text, last = read("lab/evidence/doc/trust.md"), read_last()
        self.assertLessEqual(text.count("\n"), 80)
        for name, made in (("sets", trust.set_table()), ("questions", trust.question_table())):
            self.assertEqual(re.search(rf"<!-- {name} -->\n(.*?)\n<!-- end of {name} -->", text, re.DOTALL).group(1), made)
        rows = {row.id: row for figure in published.FIGURES for row in figure.rows}
        misses = table("lab/evidence/doc/trust.md", "| row | published | here |")
        self.assertGreaterEqual(len(misses), 8)
        for name, told, found in misses:
            key = name.partition(":")[0]
            self.assertIn(told, rows[key].published)
            self.assertIn(found, last[key].measured)
            self.assertEqual((last[key].question, last[key].inside), ("hardware", False))

    def test_errors_of_rows(self):
        """A number is compared with one of its unit alone, and with a tolerance around it."""
        def error(told, band, found):
            return trust.find_error(mock.Mock(published=told, band=band), Last("queue", True, found))
        self.assertAlmostEqual(error("2 KB", "+-30 %", "2.5 KB (2 to 3 over 5 seeds)"), 0.25)
        self.assertAlmostEqual(error("about 1 ms", "exact", "900 us"), 0.1)
        for told, band, found in (("2 KB", "<= 2 KB", "1 KB"), ("2 KB", "+-5 %", "2 of 3"), ("slower", "+-5 %", "2 KB"),
                                  ("0", "exact", "0")):
            self.assertIsNone(error(told, band, found))
        self.assertEqual([trust.find_kind(band) for band in ("exact", "+-5 %, every flow", "each +-25 %", "7.5 to 30 ms (x2)", "<= 2 KB",
                                                             "strict order", "+-50 %")],
                         ["exact", "10 %", "30 %", "wider", "bound", "order", "wider"])

    def test_rows_near_an_edge_have_twenty_seeds(self):
        """Clause 2 of published/seeds.py, of each row that prints its range, from which the standard error follows nearly: what may be
        less than two from an edge has twenty seeds, or is in SURE with the exact numbers."""
        read_rows, open_rows, last = 0, {}, read_last()
        for row in (row for figure in published.FIGURES if figure.table != "reality" for row in figure.rows):
            found = spread(last[row.id].measured)
            limits = edges(row.band, row.published) if found else []
            if limits:
                read_rows += 1
                if min(abs(found[0] - edge) for edge in limits) < 2 * 1.5 * found[1]:
                    open_rows[row.id] = found
        self.assertGreater(read_rows, 140)
        self.assertEqual(open_rows.keys(), SURE.keys())
        for name, (mean, error, edge) in SURE.items():
            self.assertGreaterEqual(abs(mean - edge), 2 * error, name)
            self.assertTrue(open_rows[name][1] / 2 < error < open_rows[name][1] * 2, name)
            self.assertAlmostEqual(mean, open_rows[name][0], delta=error, msg=name)

    def test_rows_of_pages(self):
        """The algorithms' pages count the rows."""
        rows = {key: "yes" if one.inside else "no" for key, one in read_last().items() if not key.startswith("bar-")}
        for page, told, ids in (
                ("barre", "{} of {} rows inside", "barre-"), ("dctcp", "{} of {} rows inside", "dctcp-"),
                ("powertcp", "{} of {} rows inside", "powertcp-|theta-"), ("swift", "{} of {} rows inside", "swift-"),
                ("hpcc", "figure 9 on packets: {} of {} rows inside", "hpcc-(use|queue|fair|fig9)"),
                ("hpcc", "pauses beside incasts: {} of {} rows inside", "hpcc-(ws|fb|fat|pfc)-"),
                ("hpcc", "Of those of HPCC on its testbed {} of {} are inside", "hpcc-testbed-.*(hpcc|pfc)"),
                ("dcqcn-plus", "{} of the {} rows of this paper", "dp-")):
            found = [inside == "yes" for key, inside in rows.items() if re.match(ids, key)]
            self.assertIn(told.format(sum(found), len(found)), " ".join(read(f"doc/{page}.md").split()), page)
        plus = re.search(r"of the (\d+) rows of DCQCN\+ \(without `dp-same-red`\) (\d+) are", read("lab/evidence/doc/results.md")).groups()
        self.assertIn(f"of the {plus[0]} of DCQCN+ {plus[1]}", " ".join(read("doc/dcqcn-plus.md").split()))

    def test_figure_17_of_a_decision(self):
        """The figures of Swift's `ai` in lab/evidence/doc/decisions.md are those of the rows of figure 17, the use of the link to 1 %."""
        rows = {key: re.findall(r": ([\d.]+)", one.measured) for key, one in read_last().items()}
        rtts, used = re.search(r"is full from 25 us on: 0\.5 % ([\d., ]+) us, and ([\d, ]+) % of the link",
                               read("lab/evidence/doc/decisions.md")).groups()
        self.assertEqual(rtts.split(", "), rows["swift-fig17-rtt"])
        self.assertEqual(used.split(", "), [f"{float(value):.0f}" for value in rows["swift-fig17-use"]])


def of_catalog() -> dict:
    """The algorithms of the programs, by name."""
    return {one["name"]: one for one in json.loads(subprocess.check_output([os.path.join(BUILD, "rcc-catalog")], text=True))["algorithms"]}


class Defaults(RccTest):
    OF_SECTION = {"DCQCN+": ["dcqcn-plus"], "DCQCN": ["dcqcn"], "QCN": ["qcn"], "DCTCP": ["dctcp"],
                  "HPCC and PowerTCP": ["hpcc", "powertcp"], "TIMELY and patched TIMELY": ["timely", "timely-patched"],
                  "Swift": ["swift"], "NSCC": ["nscc"], "Barre": ["barre"]}

    @needs_programs
    def test_ours_is_the_default(self):
        """The page decisions.md: where the choices of a row are words of a parameter, the first one that "ours" has is the default."""
        catalog, compared = of_catalog(), 0
        for section, names in self.OF_SECTION.items():
            for decision, _, choices, ours in table("doc/decisions.md", "| name |", section):
                for name in names:
                    for field in catalog[name]["fields"]:
                        words = field["choices"].split("|")
                        if decision not in (f"`{field['name']}`", *re.findall(r"decision (`\w+`)", field["source"])) or len(words) < 2:
                            continue
                        of_it = re.search(rf"(?i)(?<![\w-]){name}: ([^;]*)", ours)
                        told = [word for word in re.findall("`([^`]+)`", of_it.group(1) if of_it else ours) if word in words]
                        listed = set(re.findall("`([^`]+)`", choices)) & set(words)
                        if listed and told:
                            self.assertEqual(told[0], field["default"], f"doc/decisions.md, {section}: {decision} of {name}")
                            compared += 1
        self.assertGreater(compared, 30)
        step = next(row for row in table("doc/decisions.md", "| name |", "DCTCP") if row[0] == "`dctcp_step`")
        default = next(field["default"] for field in catalog["dctcp"]["fields"] if field["name"] == "r_ai")
        self.assertTrue(step[3].startswith(default.replace("Mbps", " Mb/s")), f"dctcp_step: {step[3]}, r_ai is {default}")

    @needs_programs
    def test_help_is_what_print_shows(self):
        """The defaults in a scenario's help are what --print gives without options, as far as both have them."""
        compared = 0
        with open(self.path("step.goal"), "w", encoding="utf-8") as f:
            f.write("num_ranks 2\nrank 0 { send 1000000b to 1 }\nrank 1 { recv 1000000b from 0 }\n")
        for scenario in [*SCENARIOS.values(), TRACE]:
            done = self.rcc("run", scenario.name, *(["step.goal"] if scenario is TRACE else []), "--print")
            self.assertEqual(done.returncode, 0, done.stderr)
            printed = json.loads(done.stdout)
            for option in scenario.options:
                value = printed.get(option.name)
                if isinstance(value, list) and all(isinstance(one, str) for one in value):
                    value = ",".join(value)
                if isinstance(value, (str, int)) and not option.flag and re.match(r"\d\S*(, |$)", option.default):
                    self.assertEqual(option.default.partition(", ")[0], str(value), f"{scenario.name} --{option.name}")
                    compared += 1
                elif value is not None and option.name in ("rate", "time", "mtu", "buffer", "delay"):
                    self.assertEqual((scenario.name, option.name), ("trace", "time"))
        self.assertGreater(compared, 60)

    def test_rates_between_switches(self):
        """--core-rate of the fat tree of `workload` is four times --rate."""
        shown = {name: next(option.default for option in SCENARIOS[name].options if option.name == "core-rate")
                 for name in ("clos", "workload")}
        self.assertEqual(shown, {"clos": "as --rate", "workload": "as --rate; fat-tree: four times that"})
        links = next(word for word in experiments.words("workload", ["--topology=fat-tree"]) if word.startswith("--links="))
        self.assertEqual(set(re.findall(r"rate=(\d+)bps", links)), {str(4 * 10 ** 10)})

    def test_what_help_says_of_costs(self):
        """Minutes and memory in help are those of the pages; so is the ratio of instructions."""
        pages = " ".join(read(f"lab/evidence/doc/{page}.md") for page in ("results", "reality"))
        minutes = sum(int(told) for told in re.findall(r"(?:some|about) (\d+) min on two cores", pages))
        text = " ".join(self.rcc("help", "reproduce").stdout.split())
        self.assertAlmostEqual(int(re.search(r"all of it: about (\d+) min", text).group(1)), minutes, delta=5)
        told = re.search(r"some minutes and ([\d.]+ GB)", read("lab/doc/performance.md")).group(1)
        self.assertIn(f"minutes, {told}", " ".join(self.rcc("help", "bench").stdout.split()))
        cost = {row[0]: int(row[1]) for row in table("lab/doc/performance.md", "| row | instructions |")}
        ratio = re.search(r"With 10,000 flows a packet takes ([\d.]+) times as many instructions", read("lab/doc/performance.md")).group(1)
        self.assertTrue(agrees(ratio, cost["10,000 flows"] / cost["8 flows"]), ratio)

    def test_tables_of_options(self):
        """Pages with a column `default`: the options of their scenario have it."""
        compared = 0
        for name in ("workload", "fan-in", "collective"):
            known = {option["name"]: option["default"] for option in SCENARIOS[name].described()}
            known.update((option.name, option.default) for option in SCENARIOS[name].options if f"--{option.name}" in
                         pairs(SCENARIOS[name].words))
            for row in table(page_of(name), "| option | default |", SECTIONS.get(name, "")):
                names, told = re.findall(r"--([\w-]+)", row[0]), row[1].strip("`")
                values = re.split(r", (?!\d+:)", told) if len(names) > 1 else [told]
                self.assertLessEqual(set(names), known.keys(), name)
                values *= len(names) if len(values) == 1 else 1
                self.assertEqual(len(names), len(values), f"{page_of(name)}: {row[0]}: a default for each option, or one for all")
                for option, value in zip(names, values):
                    if known[option] and (" " not in value or f"--{option}" in pairs(SCENARIOS[name].words)):
                        self.assertEqual(value, known[option], f"{page_of(name)}: --{option}")
                        compared += 1
        self.assertGreater(compared, 20)


def agrees(told: str, value: float) -> bool:
    """Whether `told`, such as 1.79 or 12, is `value` with as many digits."""
    digits = len(told.partition(".")[2])
    return abs(float(told) - value) <= 0.5000001 * 10 ** -digits


@needs_programs
class Figures(RccTest):
    """Tables of pages whose runs take a few seconds or less."""

    def run_of(self, scenario, *words):
        done = self.rcc("run", scenario, "--no-plots", "--quiet", f"--out={scenario}", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path(scenario, "summary.json"), encoding="utf-8") as f:
            return {run["cc"]: run for run in json.load(f)["runs"]}

    def compare(self, page, told, values):
        self.assertEqual(len(told), len(values), page)
        for text, value in zip(told, values):
            self.assertTrue(agrees(text, value), f"{page}: {text} is {value} here")

    def test_probes(self):
        rows = {re.search("--cc=([a-z-]+)", row[0]).group(1): row[1:]
                for row in table("lab/doc/scenarios.md", "| seed 1 |", SECTIONS["probes"])}
        for cc, run in self.run_of("probes", "--cc=" + ",".join(rows)).items():
            told = [re.match(r"[\d.]+", cell).group() for cell in rows[cc]]
            unit = 1e-6 if rows[cc][2].endswith("MB") else 1e-3
            self.compare("probes", told, [run["fct"]["p50_s"] * 1e6, run["fct"]["p99_s"] * 1e6, run["queue"]["mean_bytes"] * unit,
                                          run["utilization"]])

    def test_groups(self):
        """unfairness: each group and Jain's index; victim: the victim, the others together, pauses; permutation: mean, least, most."""
        def victim(run, rates):
            return [rates["h8-h9"], sum(rates.values()) - rates["h8-h9"], run["pfc"]["pauses"]]

        def permutation(run, rates):
            return [sum(rates.values()) / len(rates), min(rates.values()), max(rates.values()), run["pfc"]["pauses"]]

        eight = "--flows=h[0-11]=h[4-15]:qps=8,h[12-15]=h[0-3]:qps=8"
        for page, begin, words, values in (
                ("unfairness", "`--cc=", (), lambda run, rates: [*rates.values(), run["jain"]]), ("victim", "`--cc=", (), victim),
                ("permutation", "`--cc=", (), permutation), ("permutation", "8 queue pairs, `--cc=", (eight,), permutation)):
            rows = {row[0][len(begin):-1]: row[1:] for row in table("lab/doc/scenarios.md", "| seed 1", SECTIONS[page])
                    if row[0].startswith(begin)}
            self.assertEqual(len(rows), 2, page)
            for cc, run in self.run_of(page, "--cc=" + ",".join(rows), *words).items():
                rates = {group["name"]: group["mean_bps"] / 1e9 for group in run["groups"]}
                self.compare(page, rows[cc], values(run, rates))

    def test_long_haul(self):
        run = self.run_of("long-haul")["dcqcn"]
        rates, share, drops = table("lab/doc/scenarios.md", "| seed 1", SECTIONS["long-haul"])[0]
        self.compare("long-haul", re.findall(r"[\d.]+", rates), [group["mean_bps"] / 1e9 for group in run["groups"]])
        self.compare("long-haul", [share.split()[0], drops], [100 * run["utilization"], run["packets_dropped"]])

    def test_cut_through(self):
        text = read("lab/doc/testbed.md")
        claims = re.findall(r"^    \./rcc run testbed (--links=h1-s1,s1-s2\S* .*?) +# ([\d.]+) us$", text, re.MULTILINE)
        self.assertEqual(len(claims), 2, "stored and forwarded, and cut through")
        for words, told in claims:
            self.compare("testbed", [told], [self.run_of("testbed", *words.split())["none"]["fct"]["max_s"] * 1e6])

    def test_five_thousand_flows(self):
        """lab/evidence/doc/dcqcn-plus.md tells its 5000 flows by seed: two states, and no mean of both."""
        rows = {row[0]: row[1:] for row in table("lab/evidence/doc/dcqcn-plus.md", "| 5000 flows |")}
        self.assertEqual(rows.keys(), {"10 Gb/s", "40 Gb/s"})
        for seed, told in enumerate(rows["40 Gb/s"][:2], 1):
            size, unit, used = re.fullmatch(r"([\d.]+) ([KM]B), ([\d.]+)", told).groups()
            run = self.run_of("incast", "--cc=dcqcn-plus", "--flows=5000", "--time=1s", f"--seed={seed}")["dcqcn-plus"]
            self.compare("dcqcn-plus", [size, used], [run["queue"]["p99_bytes"] / {"KB": 1e3, "MB": 1e6}[unit], run["utilization"]])

    def test_a_link_is_dead_after_starts_at_once(self):
        """lab/evidence/doc/dcqcn-plus.md: for how long the link carries less than a tenth, by the time within which 16 flows start."""
        page = "lab/evidence/doc/dcqcn-plus.md"
        _, *spreads = cells(next(line for line in read(page).splitlines() if line.startswith("  | starts within |")))
        _, *told = table(page, "| starts within |")[0]
        found = []
        for spread in spreads:
            run = self.run_of("incast", "--cc=dcqcn-plus", "--flows=16", "--time=0.1s", f"--start={spread}")["dcqcn-plus"]
            with open(self.path("incast", "dcqcn-plus", "rate.csv"), encoding="utf-8", newline="") as f:
                rows = [(float(row["time_s"]), float(row["delivered_bps"])) for row in csv.DictReader(f)]
            low = run["rate_bps"] / 10
            found.append(1e3 * sum(time - before for (before, _), (time, bps) in zip(rows, rows[1:]) if bps < low))
        self.compare("dcqcn-plus", told, found)

    def test_two_flows_stay_unequal(self):
        """doc/timely.md: the command as it stands there gives its Jain's index, by seed."""
        words, *told = re.search(r"two flows that start within 10 ms \(`(.*?)`\) stay\s+unequal, with a Jain's index of ([\d.]+) "
                                 r"\(seed 1; ([\d.]+) with seed 2\); patched TIMELY has 1\.00\.", read("doc/timely.md")).groups()
        for seed, one in enumerate(told, 1):
            found = self.run_of("incast", "--cc=timely,timely-patched", *words.split(), f"--seed={seed}")
            self.compare("timely", [one, "1.00"], [found["timely"]["jain"], found["timely-patched"]["jain"]])

    def test_fairness_takes_time(self):
        """lab/evidence/doc/dcqcn-plus.md: Jain's index of the first two of five windows under the default."""
        told = re.search(r"index of windows of 100 ms is ([\d., ]+)\s+from 0.1, 0.2", read("lab/evidence/doc/dcqcn-plus.md")).group(1)
        found = [self.run_of("incast", "--cc=dcqcn-plus", f"--window={window}")["dcqcn-plus"]["jain"]
                 for window in ("0.1s-0.2s", "0.2s-0.3s")]
        self.compare("dcqcn-plus", told.split(", ")[:2], found)


@needs_programs
class Results(RccTest):
    """Keys of run.json and columns of CSV files are named by lab/doc/summary.md or by the page of their scenario."""
    RUNS = {"incast": ["--flows=4"], "workload": [], "fan-in": [], "capacity": [], "collective": ["--size=100KB"],
            "testbed": ["--flows=h1-h5:class=3:size=100KB", "--lose=h1:49", "--tcp=h3-h5", "--marks"]}

    def keys(self, value):
        """List the keys of an object and of those in it, except an algorithm's parameters, which have pages of their own."""
        if isinstance(value, dict):
            for key, inner in value.items():
                yield key
                yield from () if key == "parameters" else self.keys(inner)
        elif isinstance(value, list):
            for inner in value[:2]:
                yield from self.keys(inner)

    def test_all_are_named(self):
        for scenario, words in self.RUNS.items():
            cc = "qcn" if scenario == "fan-in" else "dcqcn"
            done = self.rcc("run", scenario, "--no-plots", "--quiet", f"--cc={cc}", "--time=2ms", f"--out={scenario}", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = read("lab/doc/summary.md")
            if os.path.exists(os.path.join(ROOT, page_of(scenario))):
                text += read(page_of(scenario))
            named = set(re.findall(r"\w+", text))
            folder = self.path(scenario, cc)
            with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
                found = set(self.keys(json.load(f)))
            series = [name for name in os.listdir(folder) if name.endswith(".csv")]
            self.assertIn("queue.csv", series, scenario)
            for name in series:
                self.assertIn(name, text, scenario)
                with open(os.path.join(folder, name), encoding="utf-8", newline="") as f:
                    found |= set(next(csv.reader(f)))
            self.assertFalse(found - named, f"{scenario}: not in lab/doc/summary.md or its page")


if __name__ == "__main__":
    unittest.main()
