# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--arrivals and --incasts: how often flows of random hosts arrive. The mean times between them are whole numbers of 2^-16 ns, so that they
are the same everywhere; the program draws the flows."""
from __future__ import annotations

import functools
from typing import Optional

from .flows import BYTES_MAX
from .option_values import Given
from .model import Arrivals, Incasts
from .network import Network
from .refusal import Refusal, Statement, read_field, refuse_value
from ..common import RccError
from ..files import flow_sizes

ARRIVALS_MAX = 10_000_000
GAP_MAX = 1 << 57          # 2^-16 ns
PPB = 10**9
LEAST_LOAD = PPB // 100_000


def host_rate(network: Network) -> int:
    """Return the mean rate at which a host can send over all its ports, bit/s."""
    hosts = set(network.hosts())
    rate = sum(link.rate_bps for link in network.links for end in (link.a, link.b) if end in hosts)
    return rate // len(hosts)


def mean_gap(points: list, rate: int, mtu: int) -> int:
    """Return the mean time between two flows that together put `rate` bit/s on the wire, 2^-16 ns. `points`: (bytes, cumulative
    probability in 1e-12), linear in between; `mtu`: payload of a full packet, bytes."""
    def packets(size: int) -> int:
        return -(-size // mtu)

    def integral(size: int) -> int:
        """Integrate packets(t) from 0 to size."""
        whole = size // mtu
        return mtu * whole * (whole + 1) // 2 + size % mtu * (whole + 1)

    first = max(points[0][0], 1)
    total = points[0][1] * (first + packets(first) * flow_sizes.OVERHEAD)    # bytes on the wire x 1e12
    for (a, below), (b, above) in zip(points, points[1:]):
        share, width = above - below, b - a
        sent = share * (integral(b) - integral(a)) // width if width else share * packets(max(b, 1))
        total += share * (a + b if width else 2 * max(b, 1)) // 2 + sent * flow_sizes.OVERHEAD
    return min((total * 8 * 10**9 // rate << 16) // flow_sizes.ONE, GAP_MAX)


def read_arrivals(given: Given, network: Network) -> Optional[Arrivals]:
    """Read --arrivals, SIZES:LOAD."""
    text = given.text("arrivals")
    if not text:
        return None
    name, colon, share = text.rpartition(":")
    if not colon:
        refuse_value("arrivals", text, "SIZES:LOAD such as web-search:0.3")
    try:
        sizes = flow_sizes.load(name)
    except RccError as error:
        if not str(error).startswith("--sizes="):    # the file that it names has a place of its own
            raise
        raise Statement("arrivals", str(error).replace("--sizes=", "--arrivals: ", 1)) from error
    load = read_field("arrivals", text, "ratio", share, LEAST_LOAD, PPB)
    rate, mtu = host_rate(network), given.quantity("mtu")
    if given.text("load-counts") == "payload":   # more arrive: the headers come on top
        wire = float(mean_gap(sizes.points, rate, mtu)) / 65536
        rate = int(wire * float(rate) * float(rate) / (sizes.mean_bytes() * 8e9))
    gap = mean_gap(sizes.points, rate * len(network.hosts()) * load // PPB, mtu)
    expected = float(given.quantity("time")) / (float(gap) / 65536)
    if expected > ARRIVALS_MAX:
        raise Refusal("time", "is", given.text("time"), f", in which some {int(expected)} flows would arrive, expected at most "
                      f"{ARRIVALS_MAX}")
    return Arrivals(gap, load, tuple(sizes.points))


def read_incasts(given: Given, network: Network) -> Optional[Incasts]:
    """Read --incasts, SENDERS:SIZE:LOAD[:QPS]."""
    text = given.text("incasts")
    if not text:
        return None
    part = text.split(":")
    if len(part) not in (3, 4):
        refuse_value("incasts", text, "SENDERS:SIZE:LOAD[:QPS] such as 60:500KB:0.02")
    hosts = len(network.hosts())

    read = functools.partial(read_field, "incasts", text)
    senders, size = read("count", part[0], 1, hosts - 1), read("size", part[1], 1, BYTES_MAX // 1000)
    load = read("ratio", part[2], LEAST_LOAD, PPB)
    qps = read("count", (part + ["1"])[3], 1, 100_000)
    payload = float(senders * qps) * float(size)
    mtu = float(given.quantity("mtu"))
    counted = payload if given.text("load-counts") == "payload" else payload * (mtu + flow_sizes.OVERHEAD) / mtu
    rate = float(host_rate(network) * hosts) * float(load) / PPB
    return Incasts(senders, qps, size, int(min(counted * 8e9 / rate * 65536, float(GAP_MAX))))
