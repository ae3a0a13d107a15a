# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc model fixed-point`: the predictions of the fluid models as a table; nothing is simulated."""
from __future__ import annotations

from typing import NamedTuple, Optional

from ..common import WIDEST, RccError, aligned, digits, nearest, si_bytes, si_rate, terminal_width, wrapped
from ..registry import Command

HEADERS = 62   # bytes around the payload: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4 (model/port/rcc-frame.h)
MOST_FLOWS = 10_000
LINE_BPS, STEP_BPS = 16e12, 1600e9   # as in the core: line rates, parameters


class Option(NamedTuple):
    """One option of the command; with `field`, one value of the model's parameters."""
    name: str
    metavar: str
    unit: str
    field: Optional[str]
    default: dict     # per algorithm: the words shown as the default; absent: not an option of that algorithm
    help: str


OPTIONS = [
    Option("rate", "RATE", "rate", "rate_bps", {"dcqcn": "40Gbps", "timely-patched": "10Gbps"}, "rate of the bottleneck"),
    Option("kmin", "BYTES", "size", "kmin_bytes", {"dcqcn": "5KB"}, "queue where ECN marking begins"),
    Option("kmax", "BYTES", "size", "kmax_bytes", {"dcqcn": "200KB"}, "queue where every packet is marked"),
    Option("pmax", "RATIO", "ratio", "pmax", {"dcqcn": "1%"}, "marking probability just below kmax"),
    Option("mtu", "BYTES", "size", None, {"dcqcn": "938"}, f"payload of a packet, as in ./rcc run: {HEADERS} bytes less "
           "than it has on the wire"),
    Option("packet", "BYTES", "size", "packet_bytes", {"dcqcn": "1000"}, "bytes of a packet on the wire, in place of --mtu"),
]

# --set PARAM=VALUE: the core's names of what the models know
SETTINGS = {
    "dcqcn": {"cnp_interval": ("time", "cnp_interval_s"), "timer": ("time", "timer_s"),
              "alpha_timer": ("time", "alpha_timer_s"), "byte_counter": ("size", "byte_counter_bytes"),
              "f": ("count", "f"), "r_ai": ("rate", "r_ai_bps")},
    "timely-patched": {"delta": ("rate", "delta_bps"), "beta": ("ratio", "beta"), "t_low": ("time", "t_low_s"),
                       "t_high": ("time", "t_high_s")},
}


def add_arguments(parser) -> None:
    parser.add_argument("--cc", metavar="NAME", default="dcqcn", choices=list(SETTINGS),
                        help="dcqcn or timely-patched (default: dcqcn)")
    parser.add_argument("--flows", metavar="LIST", default="2,4,8,10,16",
                        help="numbers of flows, e.g. 2,4,8 or 1-16 (default: 2,4,8,10,16)")
    for option in OPTIONS:
        shown = ", ".join(f"{v} for {k}" if len(option.default) > 1 else v for k, v in option.default.items())
        parser.add_argument("--" + option.name, metavar=option.metavar,
                            help=f"{option.help} (default: {shown})".replace("%", "%%"))
    parser.add_argument("--set", metavar="PARAM=VALUE", action="append", default=[],
                        help="another parameter by its name in ./rcc algorithms: "
                        + "; ".join(f"{cc}: {', '.join(names)}" for cc, names in SETTINGS.items()))
    parser.add_argument("--json", action="store_true", help="print JSON only")


def values(args) -> dict:
    """Read the options as fields of the model's parameters, with the words of each."""
    from .. import units
    given: dict = {}
    words: dict = {}
    for option in OPTIONS:
        text = getattr(args, option.name)
        if text is None:
            continue
        what = "--" + option.name
        if args.cc not in option.default:
            raise RccError(f"{what}={text}: {args.cc} has no such parameter")
        field = option.field or "packet_bytes"
        if field in given:
            raise RccError(f"{what}={text}: give --mtu or --packet, not both")
        given[field] = units.parse(option.unit, text, what) + (0 if option.field else HEADERS)
        words[field] = f"{what}={text}"
    known = SETTINGS[args.cc]
    for text in (part for item in args.set for part in item.split(",")):
        name, equals, value = text.partition("=")
        name = name[len(args.cc) + 1:] if name.startswith(args.cc + ".") else name
        if not equals:
            raise RccError(f"--set {text}: expected PARAM=VALUE")
        if name not in known:
            raise RccError(f"--set {text}: unknown parameter {name}{nearest(name, list(known))}; known: {', '.join(known)}")
        unit, field = known[name]
        if field in words and words[field].startswith("--set "):
            raise RccError(f"--set: {name} is given twice")
        given[field] = units.parse(unit, value, f"--set {name}")
        words[field] = f"--set {text}"
    return {"given": given, "words": words}


def make(kind, cc: str, given: dict, words: dict):
    """Make the parameters; errors have the user's words. A ParameterError reads FIELD=VALUE: WHAT WAS EXPECTED."""
    for field, value in given.items():
        if field.endswith("_bps") and value > (LINE_BPS if field == "rate_bps" else STEP_BPS):
            raise RccError(f"{words[field]}: expected at most {'16Tbps' if field == 'rate_bps' else '1600Gbps'}")
    try:
        return kind(**given)
    except ValueError as error:
        field, rest = str(error).split("=", 1)
        names = {option.field: "--" + option.name for option in OPTIONS}
        names.update({f: f"--set {name}" for name, (_, f) in SETTINGS[cc].items()})
        word = words.get(field, f"{names.get(field, field)} (its default)")
        raise RccError(f"{word}: {rest.split(': ', 1)[1]}") from error


def dcqcn(model, params, flows: list) -> tuple:
    points = [model.solve(params, n) for n in flows]
    rows = [["flows", "p*", "q*", "alpha*", "R_C*", "R_T*", "below Kmax"]]
    rows += [[str(x.flows), digits(x.p, 4), si_bytes(x.queue_bytes), digits(x.alpha), si_rate(x.rate_bps),
              si_rate(x.target_bps), "yes" if x.below_kmax else "no"] for x in points]
    most = model.most_flows_below_kmax(params, MOST_FLOWS)
    notes = [f"packets of {si_bytes(params.packet_bytes)} on the wire; " +
             (f"below Kmax for N <= {most}" + ("" if most < MOST_FLOWS else " and more") if most else
              "below Kmax for no N")]
    if any(x.target_bps > params.rate_bps for x in points):
        notes.append("R_T* above the line rate: a real sender stops there, the model does not")
    found = [{"flows": x.flows, "p": x.p, "queue_bytes": x.queue_bytes, "alpha": x.alpha, "rate_bps": x.rate_bps,
              "target_bps": x.target_bps, "below_kmax": x.below_kmax} for x in points]
    return rows, notes, found, most


def timely_patched(model, params, flows: list) -> tuple:
    points = [model.solve_patched_timely(params, n) for n in flows]
    rows = [["flows", "q*", "R*", "below T_high"]]
    rows += [[str(x.flows), si_bytes(x.queue_bytes), si_rate(x.rate_bps), "yes" if x.below_t_high else "no"]
             for x in points]
    most = max((n for n in range(1, MOST_FLOWS + 1) if model.solve_patched_timely(params, n).below_t_high), default=0)
    notes = ["the model's RTT is queueing delay alone: subtract C times the unloaded RTT for a real queue"]
    found = [{"flows": x.flows, "queue_bytes": x.queue_bytes, "rate_bps": x.rate_bps, "below_t_high": x.below_t_high}
             for x in points]
    return rows, notes, found, most


def command(args) -> int:
    import json  # all of these here: `./rcc --help` stays quick

    from .. import units
    from . import steady_state as model
    flows = units.counts(args.flows, "--flows")
    kind, table = {"dcqcn": (model.Dcqcn, dcqcn), "timely-patched": (model.Timely, timely_patched)}[args.cc]
    params = make(kind, args.cc, **values(args))
    try:
        rows, notes, found, most = table(model, params, flows)
    except model.ParameterError as error:
        raise RccError(str(error)) from error
    if args.json:
        print(json.dumps({"cc": args.cc, "parameters": vars(params), "most_flows": most, "rows": found}, indent=1))
    else:
        print(aligned(rows, left=0))
        print("\n" + wrapped("\n".join(notes), terminal_width(WIDEST)))
    return 0


def queue_of(run: dict) -> Optional[float]:
    """Predict the queue of a run from its object in summary.json (with `algorithm` where "cc" is its folder): that of DCQCN's fixed point
    in bytes, or None if the run is not an endless incast under DCQCN or the model has no fixed point below Kmax for it."""
    from .. import units
    from .steady_state import Dcqcn, solve
    if run.get("algorithm", run.get("cc")) != "dcqcn" or run.get("scenario") != "incast" or run.get("fct") is not None:
        return None
    try:
        known = {"kmin": ("size", "kmin_bytes"), "kmax": ("size", "kmax_bytes"), "pmax": ("ratio", "pmax"),
                 "cnp_interval": ("time", "cnp_interval_s"), **SETTINGS["dcqcn"]}
        given = {field: units.parse(unit, run["parameters"][name], name) for name, (unit, field) in known.items()}
        packet = run["bytes_delivered"] / run["packets_delivered"]
        return solve(Dcqcn(rate_bps=run["bottleneck_bps"], packet_bytes=packet, **given), run["flows"]).queue_bytes
    except (KeyError, TypeError, ZeroDivisionError, ValueError, RccError):
        return None  # a summary of another version, or a set-up that the model does not know


PART = Command(
    help="what the fluid models predict for the queue",
    description="The steady state of DCQCN's fluid model, solved exactly, or patched TIMELY's.\n"
        "Simulates and builds nothing.",
    examples=[
        ("./rcc model fixed-point", "40 Gb/s, the paper's marking: no fixed point from 15 flows on"),
        ("./rcc model fixed-point --kmin=5KB --kmax=2000KB --pmax=10% --mtu=1000 --flows=2,8,64",
        "another marking profile, packets as ./rcc run --mtu=1000 sends them"),
        ("./rcc model fixed-point --set timer=300us,r_ai=5Mbps --json", "other parameters, as JSON"),
        ("./rcc model fixed-point --cc=timely-patched --flows=2,10", "patched TIMELY at 10 Gb/s")],
    add_arguments=add_arguments,
    run=command)
