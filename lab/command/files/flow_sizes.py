# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Distributions of flow sizes: built in and in files.
lab/doc/workload.md has the sources and the format."""
from __future__ import annotations

import bisect
import math
import os
import re
import stat

from ..common import RccError, nearest, without_mark
from .rdma_files import open_to_read, shown

ONE = 10**12          # a cumulative probability of 1
FILE_MAX = 1 << 20    # bytes of a file
BYTES_MAX = 10**12    # bytes of a flow
OVERHEAD = 62         # bytes of a packet beside its payload: ROCE_OVERHEAD in model/port/rcc-frame.h
PERCENT = ONE // 100
PACKET = 1460

WEB_SEARCH = [(0, 0), (10000, 15 * PERCENT), (20000, 20 * PERCENT), (30000, 30 * PERCENT), (50000, 40 * PERCENT),
              (80000, 53 * PERCENT), (200000, 60 * PERCENT), (1000000, 70 * PERCENT), (2000000, 80 * PERCENT),
              (5000000, 90 * PERCENT), (10000000, 97 * PERCENT), (30000000, ONE)]
DATA_MINING = [(1 * PACKET, 50 * PERCENT), (2 * PACKET, 60 * PERCENT), (3 * PACKET, 70 * PERCENT), (7 * PACKET, 80 * PERCENT),
               (267 * PACKET, 90 * PERCENT), (2107 * PACKET, 95 * PERCENT), (66667 * PACKET, 99 * PERCENT),
               (666667 * PACKET, ONE)]
# Hadoop at Facebook: the points of the public simulator of HPCC (SIGCOMM 2019)
FB_HADOOP = [(0, 0), (100, PERCENT), (200, 2 * PERCENT), (300, 5 * PERCENT), (350, 15 * PERCENT), (400, 20 * PERCENT),
             (500, 30 * PERCENT), (600, 40 * PERCENT), (700, 50 * PERCENT), (1000, 60 * PERCENT), (2000, 67 * PERCENT),
             (7000, 70 * PERCENT), (30000, 72 * PERCENT), (50000, 82 * PERCENT), (80000, 87 * PERCENT), (120000, 90 * PERCENT),
             (300000, 95 * PERCENT), (1000000, 97 * PERCENT + PERCENT // 2), (2000000, 99 * PERCENT), (10000000, ONE)]
BUILT_IN = {"web-search": WEB_SEARCH, "data-mining": DATA_MINING, "fb-hadoop": FB_HADOOP}
DECIMAL = re.compile(r"(?=\.?\d)(\d*)(?:\.(\d*))?")


def decimal(text: str, places: int, most: int):
    """Read a plain decimal number as a multiple of 10^-places, rounded to nearest; None if it is none, or above `most`."""
    found = DECIMAL.fullmatch(text) if text.isascii() else None
    if not found:
        return None
    before, after = found.group(1), found.group(2) or ""
    if len(before.lstrip("0")) > 20:
        return None
    value = int((before or "0") + after[:places].ljust(places, "0")) + (after[places:places + 1] >= "5")
    return value if value <= most * 10**places else None


class Sizes:
    """A distribution, linear between points (bytes, cumulative probability x ONE); the first one is a mass."""

    def __init__(self, points: list):
        self.points = points
        self.shares = [share for _, share in points]

    def quantile(self, x: float) -> int:
        """Return the size below which a share x of the flows is, 0 <= x < 1; at least 1 byte."""
        share = x * ONE
        i = bisect.bisect_right(self.shares, share)
        if i == 0:
            return max(1, self.points[0][0])
        (low, below), (high, above) = self.points[i - 1], self.points[i]
        return max(1, low + math.floor((share - below) / (above - below) * (high - low) + 0.5))

    def mean_bytes(self) -> float:
        return self._mean(lambda bytes_: bytes_, lambda a, b: (a + b) / 2)

    def mean_packets(self, mtu: int) -> float:
        def integral(x: int) -> int:  # the integral of ceil(t / mtu) from 0 to x
            k = x // mtu
            return mtu * k * (k + 1) // 2 + x % mtu * (k + 1)
        return self._mean(lambda size: -(-size // mtu), lambda a, b: (integral(b) - integral(a)) / (b - a))

    def _mean(self, of, between) -> float:
        """Return the mean of a function of the size; `between` is its mean over an interval. A drawn 0 is 1 byte if the points have a mass
        there; between 0 and the next point it is too rare to count: half a byte at most."""
        total = float(of(max(1, self.points[0][0]))) * self.points[0][1]
        for (a, below), (b, above) in zip(self.points, self.points[1:]):
            total += float(above - below) * (between(a, b) if b > a else of(max(1, a)))
        return total / ONE


def load(name: str) -> Sizes:
    if name in BUILT_IN:
        return Sizes(BUILT_IN[name])
    try:
        info = os.stat(name)
    except OSError as error:
        raise RccError(f"--sizes={name}: {error.strerror or error}, expected web-search, data-mining, fb-hadoop or a readable file"
                       + nearest(name, list(BUILT_IN))) from error
    if not stat.S_ISREG(info.st_mode):
        raise RccError(f"--sizes={name}: found no regular file, expected a file with two columns")
    if info.st_size > FILE_MAX:
        raise RccError(f"--sizes={name}: found {info.st_size} bytes, expected at most {FILE_MAX}")
    with open_to_read(name) as f:
        return Sizes(parse(name, without_mark(f.read(FILE_MAX))))


def parse(path: str, content: bytes) -> list:
    """Read the points of a file."""
    points: list = []
    number = 0

    def wrong(found: str, expected: str) -> RccError:
        return RccError(f"{path}:{number}: found {found}, expected {expected}")

    lines = content.decode("latin-1").split("\n")
    for number, text in enumerate(lines[:-1] if lines[-1] == "" else lines, 1):
        row = text[:-1] if text.endswith("\r") else text
        if "\0" in row:
            raise wrong("a byte of value 0", "text")
        words = [w for w in re.split(r"[ \t]+", row.split("#")[0]) if w]
        if not words:
            continue
        if len(words) != 2:
            raise wrong(shown(row), "two columns: bytes and cumulative probability")
        size, share = decimal(words[0], 0, BYTES_MAX), decimal(words[1], 12, 100)
        if size is None:
            raise wrong(shown(words[0]), f"bytes, a number from 0 to {BYTES_MAX}")
        if share is None:
            raise wrong(shown(words[1]), "a cumulative probability, a number from 0 to 1 or 0 to 100")
        if points and (size < points[-1][0] or share < points[-1][1] or (size, share) == points[-1]):
            raise wrong(shown(row), "columns that increase from row to row")
        points.append((size, share))
    if not points:
        raise RccError(f"{path}: found no row, expected two columns: bytes and cumulative probability")
    last = points[-1][1]
    if last not in (ONE, 100 * ONE):
        raise wrong(f"a last row of cumulative probability {last / ONE:g}", "1 or 100 (%)")
    if (0, last) in points:
        raise wrong("a largest size of 0 bytes", "at least 1")
    divisor = last // ONE
    return [(size, (share + divisor // 2) // divisor) for size, share in points]
