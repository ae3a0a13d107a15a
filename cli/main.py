# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Arguments and dispatch. Each command imports its own module, so that `./rcc --help` stays quick."""
from __future__ import annotations

import argparse
import os
import shutil
import sys
import textwrap

from . import approx, compare, decisions, fct, fixed_point, flow_file, ns3_rdma, pcap, topology, trace
from .common import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, RccError, nearest, version
from .scenarios import SCENARIOS, Scenario


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps words with a hyphen in one piece: "dcqcn-plus" over two lines is no longer what one types."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=26, width=min(100, shutil.get_terminal_size().columns - 2))

    def _split_lines(self, text, width):
        return textwrap.wrap(text, width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """argparse with one-line errors, and the nearest known word for what it does not know."""

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("formatter_class", Formatter)
        super().__init__(*args, allow_abbrev=False, **kwargs)

    def error(self, message):
        print(f"rcc: error: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(EXIT_USAGE)

    def reject_unknown(self, unknown: list) -> None:
        known = [s for action in self._actions for s in action.option_strings]
        word = unknown[0]
        what = "unknown option" if word.startswith("-") else "unexpected argument"
        self.error(f"{what} {word}{nearest(word.split('=')[0], known)}")

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            names = [str(c) for c in action.choices]
            what = {"command": "command", "scenario": "scenario"}.get(action.dest, action.dest)
            self.error(f"unknown {what} {value!r}{nearest(value, names)}; known: {', '.join(names)}")


def examples(pairs: list) -> str:
    return "examples:\n" + "\n".join(f"  {command}\n      {what}" for command, what in pairs)


def add_scenario(parser: Parser, scenario: Scenario) -> None:
    parser.add_argument("--cc", metavar="LIST", help="algorithms, separated by commas "
                        f"(default: {','.join(scenario.algorithms) or 'what the config says'})")
    for option in scenario.options:
        text = option.help + (f" (default: {option.default})" if option.default else "")
        text = text.replace("%", "%%")
        dest = "opt_" + option.name
        if option.flag:
            parser.add_argument("--" + option.name, dest=dest, action="store_true", help=text)
        else:
            parser.add_argument("--" + option.name, dest=dest, metavar=option.metavar,
                                action="append" if option.repeat else "store", help=text)
    parser.add_argument("--out", metavar="DIR", help=f"folder for the results (default: out/{scenario.name})")
    parser.add_argument("--no-plots", action="store_true", help="no PNG plots, and none in the report")


FILE_COMMANDS = {"fct": fct, "trace": trace, "workload": flow_file, "topology": topology}


def add_file_commands(commands, leaves: dict) -> dict:
    """What reads and writes the files of ns3-rdma and HPCC users; simulates and builds nothing."""
    slowdowns = commands.add_parser(
        "fct", help="slowdowns by flow size from fct.txt of the HPCC simulator, its forks or ./rcc ns3-rdma",
        description="Slowdown (completion time / ideal time, at least 1) by flow size: p50, p95 and p99 of each tenth of the\n"
        "flows, the smallest first, for several files side by side.",
        epilog=examples([("./rcc fct out/ns3-rdma/*/fct.txt", "all algorithms of a run"),
                         ("./rcc fct mix/fct.txt --step=5 --dport=100 --until=3s", "as HPCC's fct_analysis.py cuts and filters"),
                         ("./rcc fct a/fct.txt b/fct.txt --by-size --plot=slowdown.png", "fixed sizes, and a figure")]))
    fct.add_arguments(slowdowns)

    reader = commands.add_parser(
        "trace", help="print a packet trace, mix.tr, as HPCC's trace_reader does",
        description="Print a packet trace, one line per record, as HPCC's trace_reader does:\n"
        "TIME n:NODE INTF:QUEUE QLEN EVENT ecn:BITS SIP DIP, then for data (U) SPORT DPORT U SEQ TS PG SIZE(PAYLOAD), for\n"
        "ACK (A) and NAK (N) SPORT DPORT A FLAGS PG SEQ TS SIZE, for PFC (P) TIME QLEN CLASS SIZE, for CNP (C) FID CLASS ECN\n"
        "SEQ SIZE.",
        epilog=textwrap.dedent("""\
        filter: FIELD OP VALUE, joined by & and |, which bind alike and group to the right: a&b|c is a&(b|c); brackets help
          OP is = != > >= < <=; VALUE is decimal, 0x hexadecimal or 0 octal
          fields: time node intf qidx qlen sip dip size l3Prot event ecn nodeType, data.sport data.dport data.seq data.ts
            data.pg data.payload, ack.sport ack.dport ack.flags ack.pg ack.seq ack.ts, qp.sport qp.dport, pfc.time pfc.qlen
            pfc.qidx, cnp.fid cnp.qidx cnp.ecn cnp.qfb cnp.total cnp.seq
          event: 0 Recv, 1 Enqu, 2 Dequ, 3 Drop; l3Prot: 0x11 data, 0xfc ACK, 0xfd NAK, 0xfe PFC, 0xff CNP; nodeType: 1 switch
          flow=SIP,DIP,SPORT,DPORT (rflow: the other way, biflow: both) and queue=NODE,INTF,QIDX

        """) + examples([("./rcc trace out/ns3-rdma/dcqcn/mix.tr | head", "the first records"),
                         ("./rcc trace mix.tr 'time > 2000010000 & sip=0x0b000101'", "one sender from a time on"),
                         ("./rcc trace mix.tr 'event=3' --count", "how many drops"),
                         ("./rcc trace mix.tr 'flow=0x0b000101,0x0b000201,10000,100' --json", "one flow and no other, as JSON")]))
    trace.add_arguments(reader)

    workload = commands.add_parser(
        "workload", help="write flow.txt: flows of realistic sizes at random times for a topology",
        description="Write flow.txt for a topology's hosts: flows arrive as a Poisson process between random pairs, sizes of\n"
        "web search, data mining or a file of your own. Simulates nothing; ./rcc run workload does both at once.",
        epilog=examples([("./rcc workload --topology=topology.txt --load=0.3 --out=flow.txt", "web search at load 0.3"),
                         ("./rcc workload --topology=t.txt --sizes=sizes.txt --seed=2 --time=10ms --out=flow.txt", "own sizes"),
                         ("./rcc workload --topology=t.txt --dialect=original --out=flow.txt", "for the original ns3-rdma")]))
    flow_file.add_arguments(workload)

    network = commands.add_parser("topology", help="write topology.txt: star, dumbbell, fat tree or CLOS",
                                  description="Write topology.txt of a common network, for ns3-rdma, HPCC and ./rcc ns3-rdma.",
                                  epilog=examples([shape.examples[0] for shape in topology.SHAPES.values()]))
    shapes = network.add_subparsers(dest="shape", metavar="SHAPE", required=True, parser_class=Parser)
    for name, shape in topology.SHAPES.items():
        leaf = shapes.add_parser(name, help=shape.help, description=f"Write topology.txt: {shape.help}.",
                                 epilog=examples(shape.examples))
        topology.add_arguments(leaf, name)
        leaves["topology", name] = leaf
    return {"fct": slowdowns, "trace": reader, "workload": workload, "topology": network}


def make_parser() -> tuple:
    top = Parser(prog="./rcc", description="rcc: RDMA congestion control for ns-3 - DCQCN, DCQCN+ and QCN side by side.",
                 epilog=examples([
                     ("./rcc run incast", "2000 flows into one port, three algorithms, table, plots and report"),
                     ("./rcc run incast --cc=dcqcn,dcqcn-plus --flows=160", "two algorithms, fewer flows"),
                     ("./rcc algorithms dcqcn-plus", "its parameters, with units, ranges, defaults and sources"),
                     ("./rcc test", "everything that the project checks")]))
    top.add_argument("--version", action="version", version=f"rcc {version()}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)

    run = commands.add_parser("run", help="run a scenario under one or more algorithms",
                              description="Run a scenario under one or more algorithms and show them side by side.",
                              epilog=examples(SCENARIOS["incast"].examples[:3] +
                                              [("./rcc run incast --help", "all options of a scenario")]))
    scenarios = run.add_subparsers(dest="scenario", metavar="SCENARIO", required=True, parser_class=Parser)
    leaves = {}
    for scenario in SCENARIOS.values():
        leaf = scenarios.add_parser(
            scenario.name, help=scenario.title, description=scenario.about,
            epilog="values carry units: rates 40Gbps 500Mbps, times 1us 0.4s, sizes 5KB 9MB 1000 (decimal, bytes)\n\n"
            + examples(scenario.examples))
        add_scenario(leaf, scenario)
        leaves["run", scenario.name] = leaf

    test = commands.add_parser("test", help="build and run all tests",
                               description="Build and run all tests; ends with a line `N passed, N failed`.",
                               epilog=examples([("./rcc test", "everything"),
                                                ("./rcc test --only core-tests --only cli", "two stages"),
                                                ("./rcc test --list", "the stages and what they do"),
                                                ("./rcc test --tree", "build an ns-3 source tree for the last stage too")]))
    test.add_argument("--only", metavar="STAGE", action="append", help="run this stage only; repeatable")
    test.add_argument("--tree", action="store_true",
                      help="build an ns-3 source tree for the stage `tree` if there is none yet: some minutes, once")
    test.add_argument("--list", action="store_true", help="list the stages and exit")

    bench = commands.add_parser("bench", help="measure the cost of a simulated packet",
                                description="Measure packets per CPU second, events per packet, and the cost of a packet\n"
                                "as a multiple of a bare ns-3 event timed in the same process.",
                                epilog=examples([("./rcc bench --quick", "one run per row, under a minute"),
                                                 ("./rcc bench --json > bench.json", "median of three, as JSON")]))
    bench.add_argument("--quick", action="store_true", help="one short run per row in place of the median of three")
    bench.add_argument("--json", action="store_true", help="print JSON only")

    plot = commands.add_parser("plot", help="draw the plots and the report of a finished run again",
                               description="Draw the plots and report.html again from the results in DIR.",
                               epilog=examples([("./rcc plot out/incast", "after a run with --no-plots, for example")]))
    plot.add_argument("folder", metavar="DIR", help="output folder of a run")

    side = commands.add_parser(
        "compare", help="put saved runs side by side: what differs in set-up, every metric, overlaid plots",
        description="Compare the results of two or more folders, algorithm by algorithm: first what differs in their set-up, then\n"
        "every metric with difference and ratio. Writes compare.json, PNG plots that lay the runs over each other, report.html.",
        epilog=examples([("./rcc compare out/base out/new", "after ./rcc run incast --out=out/base and another run"),
                         ("./rcc compare out/k100 out/k200 out/k400 --out=out/k --no-plots", "three folders"),
                         ("./rcc compare out/base out/new --fail-over=5 --metrics=queue.mean_bytes,utilization",
                          "in CI: exit status 1 if one of them moved by more than 5 %"),
                         ("./rcc compare out/base out/new --json", "JSON on stdout, no files")]))
    compare.add_arguments(side)

    algorithms = commands.add_parser("algorithms", help="list algorithms, presets and parameters",
                                     description="List the algorithms, or one algorithm's presets and parameters.",
                                     epilog=examples([("./rcc algorithms", "all of them"),
                                                      ("./rcc algorithms dcqcn-plus", "one in full")]))
    algorithms.add_argument("name", nargs="?", metavar="NAME", help="show this algorithm in full")
    algorithms.add_argument("--json", action="store_true", help="print JSON only")
    algorithms.add_argument("--markdown", action="store_true", help="print the tables as they stand in doc/")

    fixed = commands.add_parser("fixed-point", help="what the fluid models predict for the queue",
                                description="The steady state of DCQCN's fluid model, solved exactly, or patched TIMELY's.\n"
                                "Simulates and builds nothing.",
                                epilog=examples([
                                    ("./rcc fixed-point", "40 Gb/s, the paper's marking: no fixed point from 15 flows on"),
                                    ("./rcc fixed-point --kmin=5KB --kmax=2000KB --pmax=10% --mtu=1000 --flows=2,8,64",
                                     "another marking profile, packets as ./rcc run --mtu=1000 sends them"),
                                    ("./rcc fixed-point --set timer=300us,r_ai=5Mbps --json", "other parameters, as JSON"),
                                    ("./rcc fixed-point --cc=timely-patched --flows=2,10", "patched TIMELY at 10 Gb/s")]))
    fixed_point.add_arguments(fixed)

    approximate = commands.add_parser(
        "approx", help="static DCQCN+ settings for a real NIC",
        description="DCQCN+ for a NIC that has only DCQCN: its timer and increase step at the point where N flows have\n"
        "converged, by the vendor's names. Simulates and builds nothing.",
        epilog=examples([("./rcc approx --flows=540 --rate=10Gbps", "the paper's example: 1080 us and 1.85 Mb/s"),
                         ("./rcc approx --flows=2000 --rate=100Gbps --cnp-generation=500ns --json", "another NIC, as JSON")]))
    approx.add_arguments(approximate)

    flipped = commands.add_parser(
        "decisions", help="what the open decisions of DCQCN+ do",
        description="Flip every decision that the DCQCN+ paper leaves open, one at a time, in the incast of 8 senders:\n"
        "mean queue, p99, utilisation, Jain's index, and the time from the last start until the queue is below Kmax.",
        epilog=examples([("./rcc decisions", "480 and 2000 flows at 40 Gb/s, a few minutes"),
                         ("./rcc decisions --flows=2000 --rate=10Gbps --seeds=3 --markdown", "as a table for a document")]))
    decisions.add_arguments(flipped)

    reproduce = commands.add_parser(
        "reproduce", help="run what was published, row by row: published, measured, inside the band?",
        description="Run the figures and sentences of the source papers and put every published number beside ours.\n"
        "Writes published.json, published.md, a PNG per figure and report.html. An ID is a figure or a row of --list.",
        epilog=examples([("./rcc reproduce --list", "all rows, with source, cost in CPU seconds and set-up"),
                         ("./rcc reproduce", "all of it: about half an hour on two cores"),
                         ("./rcc reproduce --quick --strict", "the rows that must hold; exit status 1 if one does not"),
                         ("./rcc reproduce dp-fig8 dp-20x --out=out/some", "some figures"),
                         ("./rcc reproduce --resume", "go on after an interruption")]))
    reproduce.add_argument("ids", nargs="*", metavar="ID", help="figures or rows (default: all)")
    reproduce.add_argument("--list", action="store_true", help="list the rows and exit")
    reproduce.add_argument("--quick", action="store_true", help="only the rows that every change must keep, under 3 minutes")
    reproduce.add_argument("--strict", action="store_true", help="exit status 1 if a row is outside its band")
    reproduce.add_argument("--resume", action="store_true", help="keep the runs that the same programs have made there")
    reproduce.add_argument("--no-plots", action="store_true", help="no PNG plots, and none in the report")
    reproduce.add_argument("--out", metavar="DIR", help="folder for the results (default: out/reproduce)")

    install = commands.add_parser(
        "install", help="put the module into an ns-3 tree",
        description="Link (or copy) this folder to NS3_TREE/contrib/rcc and say how to build and run it there.",
        epilog=examples([("./rcc install ~/ns-3.43", "a link: the tree follows this folder"),
                         ("./rcc install ~/ns-3.31 --copy", "a copy, which a later --copy brings up to date")]))
    install.add_argument("tree", metavar="NS3_TREE", help="the top folder of an ns-3 source tree, 3.31 or later")
    install.add_argument("--copy", action="store_true", help="copy the files in place of a link")

    rdma = commands.add_parser(ns3_rdma.SCENARIO.name, help="run the input files of the ns3-rdma and HPCC simulators unchanged",
                               description=ns3_rdma.SCENARIO.about, epilog=examples(ns3_rdma.SCENARIO.examples))
    ns3_rdma.add_arguments(rdma)
    add_scenario(rdma, ns3_rdma.SCENARIO)
    files = add_file_commands(commands, leaves)

    manual = commands.add_parser("manual", help="build the manual as HTML",
                                 description="Build the manual with Sphinx, which is installed if need be: doc/rcc.rst, the chapter\n"
                                 "that an ns-3 tree can take, and tables of all parameters and attributes as the programs say.",
                                 epilog=examples([("./rcc manual", "out/manual/rcc.html"),
                                                  ("./rcc manual --out=/tmp/rcc-manual", "elsewhere")]))
    manual.add_argument("--out", metavar="DIR", default=os.path.join("out", "manual"),
                        help="folder for the pages (default: out/manual)")

    captures = commands.add_parser(
        "pcap", help="read RoCEv2 captures of a testbed or of --pcap: bandwidth, CNPs, ECN, pauses, go-back-N",
        description="Read RoCEv2 captures, ours or a testbed's, cut short or whole: bandwidth of each flow, CNPs and their spacing,\n"
        "share of CE, PFC pauses by class, NAKs and go-back-N, as CSV series, plots and a table. Each file is a capture\n"
        "point of its own: a packet that passes two of them is counted at both. Simulates and builds nothing.",
        epilog=examples([
            ("./rcc pcap receiver.pcap", "a capture of a testbed: tcpdump -s 60 --time-stamp-precision=nano -w receiver.pcap ..."),
            ("./rcc pcap testbed.pcap --over out/incast/dcqcn/receiver.pcap --names=testbed,simulated", "a simulated run over it"),
            ("./rcc pcap host=h.pcap0 host=h.pcap1 switch=s.pcapng.gz --align=point", "two capture points, one in two files"),
            ("./rcc pcap out/incast/*/switch-port.pcap --interval=100us --rate=40Gbps --out=out/ports", "all algorithms of a run")]))
    pcap.add_arguments(captures)

    doctor = commands.add_parser("doctor", help="show what is installed and what is missing; or judge an ns-3 tree",
                                 description="Show what is installed, what is missing and what it would enable.\n"
                                 "Installs nothing. Exit status 1 if `./rcc run` cannot work as things are.\n"
                                 "For an ns-3 tree: its version and profile, whether rcc can be built there and how, what wants\n"
                                 "attention; exit status 1 if it cannot be built.",
                                 epilog=examples([("./rcc doctor", "compilers, ns-3, Python modules, tools"),
                                                  ("./rcc doctor ~/ns-3.43", "an ns-3 tree, before ./rcc install")]))
    doctor.add_argument("tree", nargs="?", default="", metavar="NS3_TREE", help="the top folder of an ns-3 source tree")
    plain = commands.add_parser("version", help="print the version", epilog=examples([("./rcc version", "rcc 1.2.3")]))
    parsers = {"run": run, "test": test, "bench": bench, "plot": plot, "compare": side, "algorithms": algorithms,
               "fixed-point": fixed, "approx": approximate, "decisions": flipped, "reproduce": reproduce,
               ns3_rdma.SCENARIO.name: rdma, **files, "pcap": captures, "install": install, "manual": manual, "doctor": doctor,
               "version": plain}
    return top, parsers, leaves


def dispatch(args: argparse.Namespace, argv: list) -> int:
    if args.command == "run":
        from . import run
        return run.command(SCENARIOS[args.scenario], args, argv)
    if args.command == "test":
        from . import selftest
        return selftest.command(args.only, args.list, args.tree)
    if args.command == "bench":
        from . import bench
        return bench.command(args.quick, args.json)
    if args.command == "plot":
        from . import run
        return run.plot_command(args.folder)
    if args.command == "compare":
        return compare.command(args)
    if args.command == "algorithms":
        from . import catalog
        return catalog.command(args.name, args.json, args.markdown)
    if args.command == "fixed-point":
        return fixed_point.command(args)
    if args.command == "approx":
        return approx.command(args)
    if args.command == "decisions":
        return decisions.command(args)
    if args.command == "install":
        from . import install
        return install.command(args)
    if args.command == "reproduce":
        from . import reproduce
        return reproduce.command(args)
    if args.command == ns3_rdma.SCENARIO.name:
        return ns3_rdma.command(args, argv)
    if args.command in FILE_COMMANDS:
        return FILE_COMMANDS[args.command].command(args)
    if args.command == "manual":
        from . import manual
        return manual.command(args.out)
    if args.command == "pcap":
        return pcap.command(args, argv)
    if args.command == "doctor":
        from . import doctor
        return doctor.command(args.tree)
    print(f"rcc {version()}")
    return 0


def main(argv: list) -> int:
    top, parsers, leaves = make_parser()
    if not argv:
        top.print_help()
        return EXIT_USAGE
    try:
        args, unknown = top.parse_known_args(argv)
        if unknown:
            leaf = leaves.get((args.command, getattr(args, "scenario", getattr(args, "shape", "")))) or parsers[args.command]
            leaf.reject_unknown(unknown)
        status = dispatch(args, argv)
        sys.stdout.flush()
        return status
    except RccError as error:
        print(f"rcc: error: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("rcc: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # `./rcc algorithms | head`: the reader has what it wanted. Keep the interpreter's exit from complaining.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
