# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc pcap`: bandwidth of each flow, CNPs, ECN, pauses and go-back-N in RoCEv2 captures of a testbed or of a run.

A capture point is a place where frames were captured: a file, an interface of a pcapng, or several files under one label.
A packet that passes two points counts at each: numbers are per point and never summed over points."""
from __future__ import annotations

import json
import os
import shlex
from typing import List, NamedTuple, Optional

from .. import units
from . import pcap_flows, pcap_out, pcap_read, pcap_telemetry
from ..common import RccError, counted, plural, si_count, si_time, warn
from .pcap_out import Run
from ..results.draw import drawing
from .. import lock
from ..registry import Command

OUT = os.path.join("out", "pcap")
ROCE_PORT = 4791
ALIGN = ["run", "point", "none"]
INTERVALS_MAX = 10_000_000


def add_arguments(parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="pcap or pcapng, gzipped or not; - is standard input; "
                        "LABEL=FILE names the capture point, and files with one label are parts of one capture")
    parser.add_argument("--over", metavar="FILE", nargs="+", action="append", default=[], help="captures of another run, laid "
                        "over those of the first, e.g. of a simulation; repeatable")
    parser.add_argument("--names", metavar="LIST", help="names of the runs, separated by commas (default: their files' names)")
    parser.add_argument("--interval", metavar="TIME", default="1ms", help="of the series (default: 1ms)")
    parser.add_argument("--align", metavar="WHAT", choices=ALIGN, default="run", help="time 0 is the first data packet of the "
                        "run (default), of each capture point (clocks that differ), or none: as captured")
    parser.add_argument("--rate", metavar="RATE", help="of the captured link, for pauses that end by themselves: quanta are "
                        "512 bits long; without it a pause lasts until its resume")
    parser.add_argument("--port", metavar="N", default=str(ROCE_PORT), help=f"UDP port of RoCEv2 (default: {ROCE_PORT})")
    parser.add_argument("--telemetry", metavar="FORM", choices=pcap_telemetry.FORMS, default=pcap_telemetry.UNKNOWN, help="of data "
                        "packets: none, paper, simulator or pint, whose bytes are no payload; default: auto, as the first acknowledgement "
                        "of a flow shows")
    parser.add_argument("--out", metavar="DIR", help=f"folder for CSV files, pcap.json and plots (default: {OUT})")
    parser.add_argument("--json", action="store_true", help="print pcap.json in place of the tables")
    parser.add_argument("--no-plots", action="store_true", help="no figures")
    drawing.add_format(parser)


class Source(NamedTuple):
    """One FILE of the command line."""
    label: str   # "" if none was given
    file: pcap_read.CaptureFile


def open_source(word: str) -> Source:
    label, equals, path = word.partition("=")
    if not equals or os.path.exists(word):
        label, path = "", word
    elif not label:
        raise RccError(f"{word}: the label before = is missing")
    if not path:
        raise RccError(f"{word or 'FILE'}: the name of a file is missing")
    return Source(label, pcap_read.CaptureFile(path))


def stems(paths: list) -> list:
    """Return file names without endings, with as many folders before them as tell them apart."""
    parts = []
    for path in paths:
        if path == "-":
            path = "standard input"
        words = os.path.normpath(path).split(os.sep)
        for ending in (".gz", ".pcap", ".pcapng", ".cap"):
            if words[-1].endswith(ending) and words[-1] != ending:
                words[-1] = words[-1][:-len(ending)]
        parts.append(words)
    for depth in range(1, max(map(len, parts)) + 1):
        names = [os.sep.join(words[-depth:]) for words in parts]
        if len(set(names)) == len(names):
            return names
    return names


def interfaces_of(file: pcap_read.CaptureFile) -> list:
    """List the interfaces of a pcapng that have frames."""
    if not file.pcapng:
        return [0]
    seen: dict = {}
    for record in file.records():
        seen[record[4]] = seen.get(record[4], 0) + 1
    file.notes.clear()
    return sorted(seen)


class Place(NamedTuple):
    """A capture point before it is read."""
    name: str
    files: List[pcap_read.CaptureFile]
    only: Optional[int]   # interface


def places_of(sources: List[Source], names: list) -> List[Place]:
    places: List[Place] = []
    labelled: dict = {}
    for source, name in zip(sources, names):
        if source.label:
            if source.label not in labelled:
                labelled[source.label] = Place(source.label, [], None)
                places.append(labelled[source.label])
            labelled[source.label].files.append(source.file)
            continue
        found = interfaces_of(source.file)
        if len(found) == 1:
            places.append(Place(name, [source.file], None))
        else:
            places += [Place(f"{name}:{source.file.interfaces[i].name or i}", [source.file], i) for i in found]
    return places


def read_run(name: str, words: list, args, interval: int, rate: float, port: int) -> Run:
    seen = set()
    for word in words:
        if word in seen:
            raise RccError(f"{word}: given twice")
        seen.add(word)
    sources = [open_source(word) for word in words]
    places = places_of(sources, stems([s.file.path for s in sources]))
    data = pcap_flows.is_data(port)
    files = [f for place in places for f in place.files]
    zero = 0
    if args.align == "run":
        zero = pcap_read.first_where(files, data) or 0
    points = []
    for place in places:
        if args.align == "point":
            zero = pcap_read.first_where(place.files, data) or 0
        points.append(pcap_flows.read_point(place.name, place.files, place.only, zero, interval, rate, port, args.telemetry))
        for f in place.files:
            for note in f.notes:
                warn(f"{f.path}: {note}")
            f.notes.clear()
    for p in points:
        count = (p.last - p.earliest) // interval if p.frames else 0
        if count > INTERVALS_MAX:
            raise RccError(f"{name}: {p.name}: from its first frame to its last are {si_time((p.last - p.earliest) / 1e9)}, "
                           f"{si_count(count)} intervals of {args.interval}, expected at most {si_count(INTERVALS_MAX)}: give a longer "
                           "--interval, or look for a frame with a damaged time")
    check(name, points, words, port)
    return Run(name, points, words)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def check(name: str, points: list, words: list, port: int) -> None:
    """Refuse captures without RDMA, and warn of frames that were not counted."""
    frames = sum(p.frames for p in points)
    whose = words[0] if len(words) == 1 else f"the {len(words)} files of {name}"
    if not frames:
        raise RccError(f"{whose}: no frames")
    if all(p.is_empty() for p in points):
        old = sum(p.roce_v1 for p in points)
        cut = sum(p.short for p in points)
        raise RccError(f"{whose}: found no RoCEv2 packet (UDP port {port}), CNM or pause among {plural(frames, 'frame')}"
                       + (f"; {old} {_are(old)} RoCEv1" if old else "")
                       + (f"; {cut} {_are(cut)} cut too short to tell: capture at least 60 bytes (tcpdump -s 60)" if cut else ""))
    for p in points:
        label = f"{name}: {p.name}" if len(points) > 1 else name
        if p.is_empty():
            warn(f"{label}: nothing of RDMA among its {counted(p.frames, 'frame')}")
        if p.short:
            warn(f"{label}: {counted(p.short, 'frame')} {_are(p.short)} cut too short for all of their headers; 60 bytes are enough "
                 "without tags (tcpdump -s 60), 68 with 802.1Q and CN-TAG")
        if p.odd:
            warn(f"{label}: {counted(p.odd, 'packet')} to port {port} {_are(p.odd)} shorter than RoCEv2's headers and "
                 f"{_are(p.odd)} not counted")
        if p.backwards:
            warn(f"{label}: {counted(p.backwards, 'frame')} {_are(p.backwards)} earlier than the one before; a capture of several "
                 "queues may be so")


def run_names(given: Optional[str], groups: list) -> list:
    if given is not None:
        names = [n.strip() for n in given.split(",")]
        if len(names) != len(groups) or not all(names) or len(set(names)) != len(names):
            raise RccError(f"--names={given}: expected {len(groups)} different names separated by commas, one per run")
        return names
    whole = []
    for group in groups:
        paths = [w.partition("=")[2] if "=" in w and not os.path.exists(w) else w for w in group]
        folders = {os.path.dirname(os.path.abspath(p)) for p in paths}
        whole.append(paths[0] if len(paths) == 1 else folders.pop() if len(folders) == 1 else "")
    names = stems([path or "run" for path in whole])
    return names if len(set(names)) == len(names) else [f"{name} {i + 1}" for i, name in enumerate(names)]


def draw(folder: str, wanted: Optional[str]) -> None:
    from ..system import packages
    if not packages.plotting_python():
        packages.ensure([n for n in packages.RUN if n.package == "python3-matplotlib"], optional=packages.OPTIONAL)
    trouble = drawing.plotting_process(["-m", "command.pcap.pcap_plot", os.path.abspath(folder)], wanted=wanted)
    if trouble:
        warn(f"no plots: {trouble}")


def command(args) -> int:
    interval = round(units.parse("time", args.interval, "--interval") * 1e9)
    if interval < 1000:
        raise RccError(f"--interval={args.interval}: expected at least 1us")
    rate = units.parse("rate", args.rate, "--rate") if args.rate is not None else 0.0
    if args.rate is not None and rate < 1e6:
        raise RccError(f"--rate={args.rate}: expected at least 1Mbps")
    port = int(units.parse("count", args.port, "--port"))
    if not 1 <= port <= 65535:
        raise RccError(f"--port={args.port}: expected 1 to 65535")
    if args.out == "":
        raise RccError("--out=: a folder's name is missing")
    folder = args.out or OUT
    groups = [args.files] + args.over
    runs = [read_run(name, words, args, interval, rate, port) for name, words in zip(run_names(args.names, groups), groups)]
    found = pcap_out.result("./rcc " + shlex.join(args.argv), runs, interval, args.align)
    killed = lock.left(folder)
    with lock.locked(folder):
        pcap_out.prepare(folder, killed)
        pcap_out.write(folder, runs, found)
        if not args.no_plots:
            draw(folder, args.format)
            pcap_out.record(folder)
    if args.json:
        print(json.dumps(found, indent=1))
        return 0
    points = [facts.point for run in runs for facts in run.facts]
    print(f"pcap: {plural(sum(p.frames for p in points), 'frame')} at {counted(len(points), 'capture point')}, series of "
          f"{si_time(interval / 1e9)}\n\n{pcap_out.table(runs)}")
    if len(runs) > 1:
        print("\n" + pcap_out.comparison(runs))
    print(f"\nseries: {os.path.join(folder, 'intervals.csv')}\nnumbers: {os.path.join(folder, 'pcap.json')}")
    return 0


COMMAND = Command(
    description="Read RoCEv2 captures, ours or a testbed's, cut short or whole: bandwidth of each flow, CNPs and their spacing,\n"
        "share of CE, PFC pauses by class, NAKs and go-back-N, as CSV series, plots and a table. Each file is a capture\n"
        "point of its own: a packet that passes two of them is counted at both. Simulates and builds nothing.",
    examples=[
        ("./rcc pcap receiver.pcap", "a capture of a testbed: tcpdump -s 60 --time-stamp-precision=nano -w receiver.pcap ..."),
        ("./rcc pcap testbed.pcap --over out/incast/dcqcn/receiver.pcap --names=testbed,simulated", "a simulated run over it"),
        ("./rcc pcap host=h.pcap0 host=h.pcap1 switch=s.pcapng.gz --align=point", "two capture points, one in two files"),
        ("./rcc pcap out/incast/*/switch-port.pcap --interval=100us --rate=40Gbps --out=out/ports", "all algorithms of a run")],
    add_arguments=add_arguments,
    run=command)
