# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Collective operations as sends and receives of their ranks, by named algorithms:

* ring: each rank passes parts on to the next one (Patarasuk, Yuan: "Bandwidth optimal all-reduce algorithms for clusters of workstations",
  JPDC 2009); of a broadcast and a reduction a chain;
* tree: two binary trees, each with half of the bytes, in which a rank that is inside one is a leaf of the other, but for the root of a
  broadcast or reduction, and for rank 0 of an odd number of ranks in an all-reduce (Sanders, Speck, Träff: "Two-tree
  algorithms for full bandwidth broadcast, reduction and scan", Parallel Computing 2009);
* halving-doubling: partners at distances of powers of two (Thakur, Rabenseifner, Gropp: "Optimization of collective communication
  operations in MPICH", IJHPCA 2005);
* direct: every rank to every other one, at once;
* hierarchical: first inside hosts, then between ranks of the same place in their hosts, then inside again.

A channel has its part of the bytes, and a chunk after the other of it. In a channel a rank begins a message when it has what it sends and
its message before is over. Bytes are those of nccl-tests (doc/PERFORMANCE.md there): of all-gather what a rank has in the end, of
reduce-scatter and all-to-all what it has in the beginning."""
from __future__ import annotations

from array import array
from typing import Dict, List, NamedTuple, Optional, Sequence

from .schedule import CALC, RECV, SEND, Collective, Schedule
from .. import units
from ..common import RccError, nearest, one_line

KINDS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "reduce", "gather", "scatter")
DEFAULTS = {"all-reduce": "ring", "all-gather": "ring", "reduce-scatter": "ring", "all-to-all": "direct", "broadcast": "ring",
            "reduce": "ring", "gather": "direct", "scatter": "direct"}
ALGORITHMS = {"ring": ("all-reduce", "all-gather", "reduce-scatter", "broadcast", "reduce"),
              "tree": ("all-reduce", "broadcast", "reduce"),
              "halving-doubling": ("all-reduce", "all-gather", "reduce-scatter"),
              "direct": KINDS,
              "hierarchical": ("all-reduce", "all-gather", "reduce-scatter", "all-to-all")}
CHANNELS_MAX = 64
CHUNK_MIN = 1024                # bytes
OPERATIONS_MAX = 10_000_000     # the most operations of a trace with collectives
FAN = 32                        # ranks from which on all pairs of them are a Fan


class Algorithm(NamedTuple):
    """How collectives of a kind become messages."""
    name: str
    channels: int = 1
    chunk: int = 0      # bytes of a message at most; 0: what the algorithm sends in one step

    def __str__(self) -> str:
        return self.name + (f":channels={self.channels}" if self.channels > 1 else "") + (f":chunk={self.chunk}" if self.chunk else "")


def parse(text: str) -> Dict[str, Algorithm]:
    """Read --collective=KIND=ALGORITHM[:channels=N][:chunk=BYTES],... over the defaults. Raises RccError."""
    chosen = {kind: Algorithm(name) for kind, name in DEFAULTS.items()}
    seen = set()
    for item in text.split(",") if text else []:
        kind, equal, rest = item.partition("=")
        name, *fields = rest.split(":")
        if kind not in KINDS or not equal:
            raise RccError(f"--collective has '{item}', expected KIND=ALGORITHM with KIND one of {', '.join(KINDS)}"
                           + nearest(kind, list(KINDS)))
        if kind in seen:
            raise RccError(f"--collective has {kind} twice, expected it once")
        able = [one for one, kinds in ALGORITHMS.items() if kind in kinds]
        if name not in able:
            raise RccError(f"--collective has '{item}', expected for {kind} one of {', '.join(able)}")
        seen.add(kind)
        chosen[kind] = _with_fields(item, name, fields)
    return chosen


def _with_fields(item: str, name: str, fields: Sequence) -> Algorithm:
    found: Dict[str, int] = {}
    for field in fields:
        key, _, value = field.partition("=")
        if key not in ("channels", "chunk") or key in found:
            raise RccError(f"--collective has '{item}', expected channels=N and chunk=BYTES after the algorithm, each once")
        low, high, unit = (1, CHANNELS_MAX, "count") if key == "channels" else (CHUNK_MIN, 10**12, "size")
        try:
            found[key] = int(units.exact(unit, value, "--collective"))
        except RccError as error:
            raise RccError(f"--collective has '{item}', expected {key}={low} to {high}") from error
        if not low <= found[key] <= high:
            raise RccError(f"--collective has '{item}', expected {key}={low} to {high}")
    return Algorithm(name, found.get("channels", 1), found.get("chunk", 0))


def share(size: int, parts: int, first: int, count: int = 1) -> int:
    """Return the bytes of `count` parts, which follow one another, of `parts` that are as even as they can be."""
    return size * (first + count) // parts - size * first // parts


def bus_factor(kind: str, ranks: int) -> Optional[float]:
    """Return bus bandwidth over algorithm bandwidth, by nccl-tests; None if they define none."""
    if kind == "all-reduce":
        return 2 * (ranks - 1) / ranks
    return 1.0 if kind in ("broadcast", "reduce") else (ranks - 1) / ranks if kind in KINDS else None


def operations(ranks: int, algorithm: Algorithm) -> int:
    """Estimate the operations of each rank in a collective without chunks."""
    steps = {"direct": ranks - 1, "ring": ranks - 1, "hierarchical": ranks // 2}.get(algorithm.name, ranks.bit_length())
    return 2 + 2 * steps * algorithm.channels


class Call(NamedTuple):
    """A collective of a trace."""
    name: str
    kind: str
    size: int           # bytes, see above
    ranks: tuple        # the first one is the root of broadcast, reduce, gather and scatter
    lines: tuple        # the line of each rank, for errors
    waits: tuple        # the events that each rank's entry waits for


def add(schedule: Schedule, call: Call, algorithm: Algorithm, per_host: int = 1) -> list:
    """Add a collective. Returns the operation at whose end each rank has left it, in the order of call.ranks. Raises RccError where
    the ranks do not go with the algorithm."""
    return Builder(schedule, call, algorithm, per_host).build()


class Builder:
    """Adds the messages of one collective."""

    def __init__(self, schedule: Schedule, call: Call, algorithm: Algorithm, per_host: int):
        self.schedule, self.call, self.algorithm, self.per_host = schedule, call, algorithm, per_host
        self.n = len(call.ranks)
        self.has: List[Optional[int]] = [None] * self.n      # the receive, or entry, that the next send of the channel waits for
        self.sent: List[Optional[int]] = [None] * self.n     # the last send of the channel
        self.ends: List[list] = [[] for _ in call.ranks]     # the operations that each rank's leaving waits for
        self.enters: list = []
        self.sends = [False] * self.n
        self.number = len(schedule.collectives)

    def build(self) -> list:
        s, call = self.schedule, self.call
        if len(s) + operations(self.n, self.algorithm) * self.n > OPERATIONS_MAX:
            raise RccError(f"{self._place()}: found more than {OPERATIONS_MAX} sends and receives, expected fewer")
        enters = self.enters
        for i, rank in enumerate(call.ranks):
            enters.append(s.add(rank, CALC, 0, -1, 0, call.name, call.lines[i]))
            for event in call.waits[i]:
                s.wait_for(enters[i], event)
        s.current = self.number
        if self.n > 1 and call.size > 0:
            for channel in range(self.algorithm.channels):
                self.has, self.sent = list(enters), [None] * self.n
                getattr(self, "_" + self.algorithm.name.replace("-", "_"))(share(call.size, self.algorithm.channels, channel), channel)
                self._close()
        s.current = -1
        leaves = []
        for i, rank in enumerate(call.ranks):
            leaves.append(s.add(rank, CALC, 0, -1, 0, call.name, call.lines[i]))
            s.wait_for_ends(leaves[i], self.ends[i] + ([] if self.sends[i] else [enters[i]]))
        s.collectives.append(Collective(call.name, call.kind, call.size, call.ranks, str(self.algorithm), enters, leaves))
        return leaves

    def _close(self) -> None:
        """End a channel."""
        for i in range(self.n):
            self.ends[i] += [end for end in (self.has[i], self.sent[i]) if end is not None and end not in self.ends[i]]

    def message(self, source: int, target: int, size: int, after: Sequence = ()) -> tuple:
        """Add a message between two ranks of the group. Its send waits for `after`. Returns (send, receive)."""
        s, call = self.schedule, self.call
        send = s.add(call.ranks[source], SEND, size, call.ranks[target], 0, call.name, call.lines[source])
        waits = dict.fromkeys(one for one in after if one is not None)
        if not self.sends[source]:   # the other ones are after this one, or after what is after it
            waits[self.enters[source]] = None
        self.sends[source] = True
        for one in waits:
            s.wait(send, one, False)
        receive = s.add(call.ranks[target], RECV, size, call.ranks[source], 0, call.name, call.lines[target])
        s.partner[receive] = send
        return send, receive

    def step(self, messages: list) -> None:
        """Add the messages (source, target, bytes) of one step: each waits for what its rank had before the step."""
        has, sent = list(self.has), list(self.sent)
        for source, target, size in messages:
            self.sent[source], self.has[target] = self.message(source, target, size, (has[source], sent[source]))

    def chunks(self, size: int, parts: int, most: int = 1) -> list:
        """Divide the bytes of a channel into rounds with at most `chunk` bytes in a message of `most` of its `parts` parts."""
        if not self.algorithm.chunk:
            return [size]
        count = max(1, -(-size // (max(self.algorithm.chunk // most, 1) * parts)))
        return [share(size, count, k) for k in range(count)]

    # ------------------------------------------------------------ ring

    def _ring(self, size: int, channel: int) -> None:
        kind, n = self.call.kind, self.n
        if kind in ("broadcast", "reduce"):
            self._chain(size, kind == "reduce")
            return
        for part in self.chunks(size, n):
            for k in range((2 if kind == "all-reduce" else 1) * (n - 1)):
                self.step([(i, (i + 1) % n, share(part, n, (i - k) % n)) for i in range(n)])

    def _chain(self, size: int, reverse: bool) -> None:
        """Pass chunks from the root to the next rank and so on; in a reduction the other way round."""
        order = list(range(self.n))[::-1] if reverse else list(range(self.n))
        for part in self.chunks(size, 1):
            before = self.enters[order[0]]
            for source, target in zip(order, order[1:]):
                self.sent[source], before = self.message(source, target, part, (before, self.sent[source]))
                self.has[target] = before

    # ------------------------------------------------------------ tree

    def _tree(self, size: int, channel: int) -> None:
        """Send along two trees: in a tree a rank sends its chunks in order, one at a time to each neighbour."""
        kind = self.call.kind
        done: list = [[] for _ in range(self.n)]
        for half, parents in enumerate(two_trees(self.n, kind != "all-reduce")):
            last: dict = {}     # (source, target): the send before
            children: list = [[i for i in range(self.n) if parents[i] == j] for j in range(self.n)]
            order = top_down(parents, children)
            for part in self.chunks(share(size, 2, half), 1):
                has: list = [[enter] for enter in self.enters]
                if kind != "broadcast":
                    for i in reversed(order[1:]):
                        self._along(i, parents[i], part, has, last, done, True)
                if kind != "reduce":
                    for i in order:
                        for child in children[i]:
                            self._along(i, child, part, has, last, done, False)
        for i in range(self.n):
            self.ends[i] += list(dict.fromkeys(done[i]))
        self.has, self.sent = [None] * self.n, [None] * self.n

    def _along(self, source: int, target: int, size: int, has: list, last: dict, done: list, up: bool) -> None:
        """Add a message along an edge of a tree. `up`: the target adds it to what it has."""
        send, receive = self.message(source, target, size, (*has[source], last.get((source, target))))
        last[(source, target)] = send
        has[target] = [*has[target], receive] if up else [receive]
        done[source].append(send)
        done[target].append(receive)

    # ------------------------------------------------------------ halving and doubling

    def _halving_doubling(self, size: int, channel: int) -> None:
        n, kind = self.n, self.call.kind
        power = 1 << (n.bit_length() - 1)
        extra = n - power
        if extra and kind != "all-reduce":
            raise RccError(f"{self._place()}: found {n} ranks, expected a power of two for {kind}=halving-doubling")
        for part in self.chunks(size, 1 if extra else 2):
            if extra:   # ranks beyond the power of two leave their part to another one
                self.step([(power + i, i, part) for i in range(extra)])
            ways = power.bit_length() - 1
            if kind != "all-gather":
                for half in (power >> k + 1 for k in range(ways)):
                    self.step([(i, i ^ half, share(part, power, (i ^ half) & -half, half)) for i in range(power)])
            if kind != "reduce-scatter":
                for half in (1 << k for k in range(ways)):
                    self.step([(i, i ^ half, share(part, power, i & -half, half)) for i in range(power)])
            if extra:
                self.step([(i, power + i, part) for i in range(extra)])

    # ------------------------------------------------------------ direct

    def _direct(self, size: int, channel: int) -> None:
        kind, n = self.call.kind, self.n
        everyone = array("i", range(n))
        sources, targets = everyone * (n - 1), array("i")
        for k in range(1, n):
            targets += everyone[k:] + everyone[:k]
        if kind in ("broadcast", "scatter"):
            sources, targets = array("i", [0]) * (n - 1), everyone[1:]
        elif kind in ("reduce", "gather"):
            sources, targets = everyone[1:], array("i", [0]) * (n - 1)
        for part in self.chunks(size, n if kind not in ("broadcast", "reduce") else 1):
            each = [part] * n if kind in ("broadcast", "reduce") else [share(part, n, k) for k in range(n)]
            pairs = kind not in ("broadcast", "reduce", "gather", "scatter")
            sizes = array("q", map(each.__getitem__, sources if kind in ("all-gather", "gather") else targets))
            self._at_once(sources, targets, sizes, pairs)
            if kind == "all-reduce":    # that was the reduction of each part where it is gathered
                self._at_once(sources, targets, array("q", map(each.__getitem__, sources)), pairs)

    def _at_once(self, sources: array, targets: array, sizes: array, all_pairs: bool = False) -> None:
        """Add messages that each rank begins when it has everything of the step before. `all_pairs`: in the rounds of a Fan."""
        ends: list = [[] for _ in range(self.n)]
        before: dict = {}
        senders = set(sources)
        # Each send waits for one operation, which is there already: all are added at a time.
        if all((self.has[i] is None) != (self.sent[i] is None) and (self.sends[i] or self.has[i] == self.enters[i]) for i in senders):
            fan = all_pairs and self.per_host == 1 and self.n >= FAN
            number = self.add_all(sources, targets, sizes, senders, self.n if fan else len(sources))
            if fan:
                done = len(self.schedule)
                for i in range(self.n):
                    self.has[i], self.sent[i] = None, None
                    self.gathered(i, [])
                self.schedule.add_fan(number, self.n, done)
                return
            for source, target in zip(sources, targets):
                ends[source].append(number)
                ends[target].append(number + 1)
                number += 2
        else:
            for source, target, size in zip(sources, targets, sizes):
                if source not in before:
                    before[source] = self._join(source)
                send, receive = self.message(source, target, size, (before[source],))
                ends[source].append(send)
                ends[target].append(receive)
        for i, found in enumerate(ends):
            if found:
                self.has[i], self.sent[i] = None, None
                self.gathered(i, found)

    def add_all(self, sources: array, targets: array, sizes: array, senders: set, waiting: int) -> int:
        """Add messages of which the first ones wait for what their ranks have. Returns the number of the first send."""
        ranks, lines = self.call.ranks, self.call.lines
        events = {i: 2 * (self._join(i) or 0) + 1 for i in senders}
        for i in senders:
            self.sends[i] = True
        return self.schedule.add_messages(array("i", map(ranks.__getitem__, sources)), array("i", map(ranks.__getitem__, targets)), sizes,
                                          self.call.name, array("Q", map(lines.__getitem__, sources + targets)),
                                          array("i", map(events.__getitem__, sources[:waiting])))

    def gathered(self, i: int, found: list) -> None:
        """Let the next step of a rank wait for several operations."""
        s, call = self.schedule, self.call
        done = s.add(call.ranks[i], CALC, 0, -1, 0, call.name, call.lines[i])
        s.wait_for_ends(done, found)
        self.has[i] = done

    def _join(self, i: int) -> Optional[int]:
        """Return one operation for all that a rank has."""
        if self.has[i] is not None and self.sent[i] is not None:
            self.gathered(i, [self.has[i], self.sent[i]])
            self.sent[i] = None
        return self.has[i] if self.has[i] is not None else self.sent[i]

    # ------------------------------------------------------------ hierarchical

    def _hierarchical(self, size: int, channel: int) -> None:
        kind = self.call.kind
        rows = self.hosts()
        local, hosts = len(rows[0]), len(rows)
        columns = [[row[j] for row in rows] for j in range(local)]
        if kind == "all-to-all":    # a message inside has a part for a rank of each host, one between hosts of each rank inside
            chunks = self.chunks(size, self.n, max(hosts if local > 1 else 1, local if hosts > 1 else 1))
        else:
            chunks = self.chunks(size, local if local > 1 else hosts)
        for part in chunks:
            if kind == "all-to-all":
                # Bytes for place j of any host go to place j of the own host, which sends them on.
                each = [share(part, self.n, i) for i in range(self.n)]
                of_place = [sum(each[i] for i in column) for column in columns]
                self._inside(rows, [of_place] * hosts)
                self._inside(columns, [[local * each[i] for i in column] for column in columns])
                continue
            of_place = [share(part, local, j) for j in range(local)]
            if kind != "all-gather":
                self._inside(rows, [of_place] * hosts)
            for turn in range(2 if kind == "all-reduce" else 1):
                for k in range(hosts - 1):
                    self.step([(column[h], column[(h + 1) % hosts], share(share(part, local, j), hosts, (h - k + turn) % hosts))
                               for j, column in enumerate(columns) for h in range(hosts)] if hosts > 1 else [])
            if kind != "reduce-scatter":
                self._inside(rows, [of_place] * hosts, True)

    def _inside(self, groups: list, bytes_of: list, of_source: bool = False) -> None:
        """Send from every member of each group to every other one. `bytes_of`: bytes to, or from, each member."""
        sources, targets, sizes = array("i"), array("i"), array("q")
        for group, found in zip(groups, bytes_of):
            each = [max(one, 1) for one in found]
            for k in range(1, len(group)):
                sources.extend(group)
                targets.extend(group[k:] + group[:k])
                sizes.extend(each if of_source else each[k:] + each[:k])
        self._at_once(sources, targets, sizes)

    def hosts(self) -> list:
        """Return the ranks by host, as places in the group. Raises RccError unless hosts have the same number of them."""
        found: dict = {}
        for i, rank in enumerate(self.call.ranks):
            found.setdefault(rank // self.per_host, []).append(i)
        rows = list(found.values())
        if len({len(row) for row in rows}) > 1:
            raise RccError(f"{self._place()}: found {self.n} ranks on {len(rows)} hosts, {min(map(len, rows))} to {max(map(len, rows))} on "
                           f"each, expected as many on each for {self.call.kind}=hierarchical")
        return rows

    def _place(self) -> str:
        return f"{self.schedule.place(self.call.ranks[0], self.call.lines[0])}: {one_line(self.call.name)}"


def _balanced(low: int, high: int, parent: int, parents: list) -> None:
    """Hang the ranks low to high - 1 below `parent`, in their order: inside are those that more powers of two divide."""
    work = [(low, high, parent)]
    while work:
        low, high, parent = work.pop()
        if low >= high:
            continue
        bit = 1 << max((high - 1).bit_length(), 1)
        while -(-low // bit) * bit >= high:
            bit >>= 1
        root = -(-low // bit) * bit
        parents[root] = parent
        work += [(low, root, root), (root + 1, high, root)]


def two_trees(n: int, rooted: bool = False) -> list:
    """Return each rank's parent in two binary trees, -1 of a root. `rooted`: rank 0 is the root of both, as of a broadcast. The second
    one is the first one mirrored, or moved by a rank where they are an odd number, so that no rank but 0 is inside both."""
    first = [-1] * n
    _balanced(1, n, 0, first)
    if rooted:
        others = n - 1
        place = [0, *((i % others + 1 if others % 2 else n - i) for i in range(1, n))]   # in the second tree
        second = [-1] * n
        for i in range(1, n):
            second[place[i]] = place[first[i]]
        return [first, second]
    if n % 2:
        return [first, [(first[(i - 1) % n] + 1) % n if first[(i - 1) % n] >= 0 else -1 for i in range(n)]]
    return [first, [n - 1 - first[n - 1 - i] if first[n - 1 - i] >= 0 else -1 for i in range(n)]]


def top_down(parents: list, children: list) -> list:
    """List ranks from the root on, each after its parent."""
    order = [parents.index(-1)]
    for one in order:   # grows
        order += children[one]
    return order
