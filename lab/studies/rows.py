# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""What studies have in common: a file of runs that grows, each run once, and a page whose tables are made of it."""
from __future__ import annotations

import argparse
import csv
import json
import os
import re
import tempfile
from typing import Callable, Iterable, NamedTuple

from command.run import simulation
from command.system import build

FOLDER = os.path.dirname(os.path.abspath(__file__))
HEAD = "# SPDX-License-Identifier: GPL-2.0-only\n# SPDX-FileCopyrightText: 2026 rcc contributors\n"


class Study(NamedTuple):
    """The files of a study, and the columns of its rows: the first ones tell which run it is, the others what it measured."""
    data: str       # NAME.csv in lab/studies
    text: str       # NAME.md there
    keys: tuple
    metrics: tuple

    def read(self) -> dict:
        """{values of the keys: {metric: number}}"""
        path = os.path.join(FOLDER, self.data)
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8", newline="") as f:
            rows = csv.DictReader(line for line in f if not line.startswith("#"))
            return {tuple(row[k] for k in self.keys): {m: float(row[m]) for m in self.metrics} for row in rows}

    def run_missing(self, runs: Iterable[tuple]) -> None:
        """Add the rows that are not there. `runs`: (values of the keys, function that gives the metrics)"""
        path = os.path.join(FOLDER, self.data)
        have = self.read()
        if not have:
            with open(path, "w", encoding="utf-8") as f:
                f.write(HEAD + ",".join(self.keys + self.metrics) + "\n")
        for key, measure in runs:
            if key not in have:
                print(*key, flush=True)
                values = measure()
                with open(path, "a", encoding="utf-8", newline="") as f:
                    csv.DictWriter(f, self.keys + self.metrics, lineterminator="\n").writerow({**dict(zip(self.keys, key)), **values})

    def page(self, tables: dict) -> str:
        """The page with its tables made anew: each between `<!-- NAME -->` and `<!-- end of NAME -->`."""
        with open(os.path.join(FOLDER, self.text), encoding="utf-8") as f:
            text = f.read()
        for name, made in tables.items():
            text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", lambda m, made=made: m[1] + made + "\n" + m[2], text,
                          flags=re.DOTALL)
        return text

    def main(self, description: str, run: Callable[[], None], page: Callable[[], str]) -> int:
        """The study's command: run what is missing, or with --tables write the page."""
        parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--tables", action="store_true", help=f"write the tables of lab/studies/{self.text} anew")
        if not parser.parse_args().tables:
            run()
            return 0
        made = page()
        with open(os.path.join(FOLDER, self.text), "w", encoding="utf-8") as f:
            f.write(made)
        return 0


def simulate(program: str, words: list) -> dict:
    """run.json of a run of ./rcc run PROGRAM."""
    with tempfile.TemporaryDirectory() as folder:
        simulation.run(build.program(simulation.PROGRAM), simulation.of_scenario(program, [*words, f"--out={folder}"]))
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
            return json.load(f)
