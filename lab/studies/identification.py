# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The open decisions of the DCQCN+ paper as an inverse problem: which reading gives what the paper shows?

A reading is one choice for each decision. The rule by which one becomes the default counts every statement of the paper once, whether
it is a number in a figure or a sentence (lab/studies/identification.md has the reasons, and the rule before it):

1. the most rows of the paper's own simulations (published/dcqcn_plus*.py) inside their bands, all figures, over the seeds of those rows
   (published/seeds.py), less the sentences of a source that its choices contradict;
2. of several, the fewest sentences contradicted;
3. of several, the fewest decisions changed from the reading before;
4. of several that differ in a value of a continuous range alone, the one nearest the middle of that range, the smaller of two;
5. of several, the first by name.
"""
from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, replace
from typing import Iterator

from published import dcqcn_plus, dcqcn_plus_networks
from published.figure import Figure, Run
from published.seeds import judged

CONTINUOUS = ("pmax",)  # decisions whose choices are steps of a range, not values that sources have
# Figures 3 and 10 and Section III.C are measurements of NICs on a testbed; the marking of its switches is not the simulator's.
TESTBED = ("dp-fig3", "dp-fig10", "dp-cx4")
SAME_RED = "dp-same-red"  # every reading is scored with one RED for both: this would count dp-20x twice


@dataclass(frozen=True)
class Choice:
    """One way to decide. `settings` are options of dcqcn-plus; `red` those of the marking that DCQCN shares."""
    name: str
    settings: str = ""
    red: str = ""
    contradicts: str = ""  # the sentence of a source that says otherwise


@dataclass(frozen=True)
class Decision:
    name: str
    choices: tuple  # the first is the reading before the search


def _flag(name: str, parameter: str, *values: tuple) -> Decision:
    return Decision(name, tuple(Choice(value, f"{parameter}={value}", contradicts=against) for value, against in values))


DECISIONS = (
    Decision("pmax", tuple(Choice(p, f"pmax={p}", f"pmax={p}")
                           for p in ("0.01", "0.1", "0.2", "0.3", "0.5", "0.7", "1"))),
    _flag("early-check", "early_check", ("clear", ""), ("keep", "")),
    _flag("idle-wake", "idle_wake", ("in-turn", ""), ("at-once", "")),
    _flag("least-rate", "r_min", ("0.0001", ""), ("0.00001", "ICNP'18 IV.B.2: R_min = R_C / 10000")),
    _flag("timer-rule", "timer_rule", ("always", ""), ("above-50us", "")),
    _flag("timer-update", "timer_update", ("every-expiry", ""), ("cnp-only", "")),
    _flag("list-timeout", "list_timeout", ("0s", ""), ("10ms", ""), ("100ms", "")),
    _flag("period-floor", "period_floor", ("45us", ""), ("0s", "")),
    _flag("period-counts", "period_counts", ("listed", ""), ("marked", "ICNP'18 eq. 11: l is the length of the list")),
    _flag("phase-boundary", "phase_boundary", ("upper", ""), ("lower", "ICNP'18 IV.B.3: fast recovery while S is less than F")),
    _flag("stage-after-cut", "stage_after_cut", ("0", ""), ("1", "ICNP'18 II: the states are set to 0 after a cut")),
    _flag("additive-levels", "ai_levels", ("one", "ICNP'18 eq. 19 has two levels; the thesis has one"), ("two", "")),
    _flag("target-cap", "target_cap", ("line", ""), ("none", "")),
    _flag("gain", "g", ("0.00390625", ""), ("0.0625", "SIGCOMM'15: g = 1/256")),
    _flag("initial-alpha", "initial_alpha", ("1", ""), ("0.5", "")),
    _flag("alpha-order", "alpha_order", ("after-cut", ""), ("before-cut", "")),
    _flag("alpha-restart", "alpha_restart", ("yes", ""), ("no", "")),
    _flag("pause-rule", "pause_rule", ("rearm", ""), ("step", "ICNP'18 VI.E: the timer does not count while paused")),
    _flag("kmin", "kmin", ("20KB", ""), ("5KB", "ICNP'18 IV.B.1: Kmin = 20 KB")),
    _flag("hyper-start", "hi_after", ("4", ""), ("3", "ICNP'18 eq. 21: hyper increase from 4F on")),
    _flag("pacing", "pacing", ("follow", ""), ("frozen", "")),
    _flag("cnp-generation", "cnp_generation", ("1us", ""), ("1ns", "ICNP'18 III.D: a NIC makes a CNP in 1 to 5 us")),
    _flag("mark-at", "mark_at", ("dequeue", ""), ("enqueue", "")),
)

# The programs' default, preset `paper`. The reading before the search is `+pmax=0.01+idle_wake=in-turn`.
ADOPTED = {"pmax": "0.5", "idle-wake": "at-once"}

BY_NAME = {decision.name: decision for decision in DECISIONS}


@dataclass(frozen=True, order=True)
class Reading:
    """What differs from the reading before the search: (decision, choice) pairs in the order of DECISIONS."""
    changes: tuple = ()

    @property
    def name(self) -> str:
        return ",".join(f"{decision}={choice}" for decision, choice in self.changes) or "before"

    def chosen(self) -> list:
        changed = dict(self.changes)
        return [next(c for c in d.choices if c.name == changed.get(d.name, d.choices[0].name)) for d in DECISIONS]

    def settings(self) -> str:
        """The value of --set for a run of DCQCN+: what differs from the default."""
        return ",".join(f"dcqcn-plus.{s}" for d, c in zip(DECISIONS, self.chosen())
                        if c.name != ADOPTED.get(d.name, d.choices[0].name) for s in c.settings.split(",") if s)

    def red(self) -> str:
        """The value of --set for a run of DCQCN: the marking is that of the same switch."""
        return ",".join(f"dcqcn.{s}" for d, c in self._changed() for s in c.red.split(",") if s)

    def _changed(self) -> list:
        return [(d, next(c for c in BY_NAME[d].choices if c.name == name)) for d, name in self.changes]

    def contradictions(self) -> int:
        return sum(bool(choice.contradicts) for choice in self.chosen())

    def score(self, inside: int) -> int:
        """Clause 1: every statement counts once."""
        return inside - self.contradictions()

    def rank(self, inside: int) -> tuple:
        """Sorts readings by clauses 1 to 3 of the rule above, the best first, then by name."""
        return -self.score(inside), self.contradictions(), len(self.changes), self.name


def reading(changes: dict) -> Reading:
    """A reading from {decision: choice}; ValueError if there is no such decision or choice."""
    for name, choice in changes.items():
        if name not in BY_NAME or choice not in [c.name for c in BY_NAME[name].choices]:
            raise ValueError(f"{name}={choice}")
    return Reading(tuple((d.name, changes[d.name]) for d in DECISIONS
                         if d.name in changes and changes[d.name] != d.choices[0].name))


def best_of(inside: dict) -> Reading:
    """The reading that the rule prefers. `inside` are the rows inside by reading."""
    first = min(read.rank(count)[:3] for read, count in inside.items())
    alike: dict = {}  # by what is not continuous
    for read, count in inside.items():
        if read.rank(count)[:3] == first:
            alike.setdefault(tuple(pair for pair in read.changes if pair[0] not in CONTINUOUS), []).append(read)
    return min((_middle(group) for group in alike.values()), key=lambda read: read.name)


def _middle(group: list) -> Reading:
    """Of readings that differ in continuous values alone, the one nearest the middle of their range, the smaller of two."""
    for name in CONTINUOUS:
        values = {read: float(dict(read.changes).get(name, BY_NAME[name].choices[0].name)) for read in group}
        middle = (min(values.values()) + max(values.values())) / 2
        first = min(values.values(), key=lambda value: (round(abs(value - middle), 9), value))
        group = [read for read in group if values[read] == first]
    return group[0]


def apply(one: Run, read: Reading) -> Run:
    """The run under a reading. What the run itself sets comes last and counts more."""
    if "--cc=dcqcn-plus" in one.words:
        settings = read.settings()
    elif "--cc=dcqcn" in one.words and not any(word.startswith("--preset=") for word in one.words):
        settings = read.red()
    else:
        return one
    if not settings:
        return one
    own = [word[len("--set="):] for word in one.words if word.startswith("--set=")]
    words = tuple(word for word in one.words if not word.startswith("--set="))
    return replace(one, words=words + ("--set=" + ",".join([settings, *own]),))


def figures(read: Reading) -> list:
    """The figures of the paper's own simulations, with the seeds of published/seeds.py, their runs under the reading."""
    return [replace(figure, runs={key: apply(one, read) for key, one in figure.runs.items()})
            for figure in judged(dcqcn_plus.FIGURES + dcqcn_plus_networks.FIGURES)
            if not figure.id.startswith(TESTBED) and figure.id != SAME_RED and uses(figure)]


def uses(figure: Figure) -> bool:
    """Whether a figure shows DCQCN or DCQCN+."""
    return any(word in ("--cc=dcqcn", "--cc=dcqcn-plus") for one in figure.runs.values() for word in one.words)


# ------------------------------------------------------------------------------------------------ the search

def singles() -> list:
    """The reading before, and every decision changed alone."""
    return [Reading()] + [reading({d.name: c.name}) for d in DECISIONS for c in d.choices[1:]]


def pairs(scores: dict, most: int = 10) -> list:
    """The best changes of singles(), two by two. `scores` are the rows inside by reading."""
    best = sorted((r for r in singles()[1:] if r in scores), key=lambda r: r.rank(scores[r]))[:most]
    return [reading(dict(a.changes + b.changes)) for a, b in itertools.combinations(best, 2)
            if a.changes[0][0] != b.changes[0][0]]


def neighbours(best: Reading, steps: int = 1) -> list:
    """The best reading so far with this many decisions more, or changed otherwise; those of one change first."""
    now = dict(best.changes)
    found = []
    for count in range(1, steps + 1):
        for decisions in itertools.combinations(DECISIONS, count):
            others = [[c.name for c in d.choices if now.get(d.name, d.choices[0].name) != c.name] for d in decisions]
            found += [reading({**now, **{d.name: name for d, name in zip(decisions, names)}}) for names in itertools.product(*others)]
    return found


def drawn(seed: int, best: Reading) -> Iterator[Reading]:
    """Random readings without end: half around the best one, half anywhere. The same seed draws the same."""
    source = random.Random(seed)
    while True:
        changes = dict(best.changes) if source.random() < 0.5 else {}
        for d in source.sample(DECISIONS, source.randint(2, 5)):
            changes[d.name] = source.choice(d.choices).name
        yield reading(changes)
