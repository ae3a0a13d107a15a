# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""`./rcc trace`: the packet trace mix.tr as text, one line per record in the form of HPCC's trace_reader."""
from __future__ import annotations

import json
import os
import stat
import struct
import sys
from typing import Iterator

from ..common import RccError, counted
from .rdma_files import open_to_read
from .trace_filter import (DIP, ECN, EVENT, INTF, L3PROT, NODE, NODE_TYPE, QIDX, QLEN, RECORD, SIP, SIZE, TIME, U32, U34, U36,
                           U40, U48, compile_filter)
from ..registry import Command

BYTES = struct.calcsize(RECORD)
PORT = struct.Struct("<HBQ")     # a port in the header: node, interface, bit/s; not padded
BATCH = 8192                     # records read at a time
EVENTS = ["Recv", "Enqu", "Dequ", "Drop"] + ["????"] * 252
QUEUE_PAIR, TCP, DATA, ACK, NAK, PFC, CNP = 0x00, 0x06, 0x11, 0xFC, 0xFD, 0xFE, 0xFF
TYPES = {QUEUE_PAIR: "queue-pair", TCP: "tcp", DATA: "data", ACK: "ack", NAK: "nak", PFC: "pfc", CNP: "cnp"}

assert BYTES == 56


def add_arguments(parser) -> None:
    parser.add_argument("file", metavar="FILE", help="mix.tr of a run")
    parser.add_argument("filter", metavar="EXPR", nargs="?", help="only records for which this holds, e.g. 'node=1&event=3'; "
                        "fields, & and | as in HPCC's trace_reader, see below")
    parser.add_argument("--count", action="store_true", help="print only how many records match")
    parser.add_argument("--header", action="store_true", help="print the ports and the window that the file begins with")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def line(r: tuple) -> str:
    """Format a record: time n:NODE INTF:QUEUE QLEN EVENT ecn:E SIP DIP, then the fields of its type."""
    # u32 and so on: the union's words by their place in the record; names cost less time than r[...]
    time, node, intf, qidx, qlen, sip, dip, size, kind, event, ecn, _, u32, u34, u36, u40, u48 = r
    if kind == DATA or kind == TCP:
        return (f"{time} n:{node} {intf}:{qidx} {qlen} {EVENTS[event]} ecn:{ecn:x} {sip:08x} {dip:08x} {u32} {u34} "
                f"{'U' if kind == DATA else 'T'} {u36} {u40} {u48 & 0xffff} {size}({u48 >> 16 & 0xffff})")
    if kind == QUEUE_PAIR:
        return f"{time} n:{node} {intf}:{qidx} {EVENTS[event]} {sip:08x} {dip:08x} {u32} {u34}"
    head = f"{time} n:{node} {intf}:{qidx} {qlen} {EVENTS[event]} ecn:{ecn:x} {sip:08x} {dip:08x}"
    if kind in (ACK, NAK):
        return (f"{head} {u32} {u34} {'A' if kind == ACK else 'N'} 0x{u36 & 0xffff:02X} {u36 >> 16} {u40 & 0xffffffff} "
                f"{u48} {size}")
    if kind == PFC:
        return f"{head} P {u32 | u34 << 16} {u36} {u40 & 0xff} {size}"
    if kind == CNP:
        return f"{head} C {u32} {u34 & 0xff} {u34 >> 8} {u36} {size}"
    return f"{head} {kind:x} {size}"


def fields(r: tuple) -> dict:
    """Return a record as --json prints it."""
    kind = r[L3PROT]
    found = {"time_ns": r[TIME], "node": r[NODE], "node_type": "switch" if r[NODE_TYPE] else "host", "intf": r[INTF],
             "qidx": r[QIDX], "qlen": r[QLEN], "event": EVENTS[r[EVENT]], "ecn": r[ECN], "sip": f"{r[SIP]:08x}",
             "dip": f"{r[DIP]:08x}", "size": r[SIZE], "l3Prot": kind, "type": TYPES.get(kind, "other")}
    if kind in (QUEUE_PAIR, DATA, TCP, ACK, NAK):
        found.update(sport=r[U32], dport=r[U34])
    if kind in (DATA, TCP):
        found.update(seq=r[U36], ts=r[U40], pg=r[U48] & 0xFFFF, payload=r[U48] >> 16 & 0xFFFF)
    elif kind in (ACK, NAK):
        found.update(flags=r[U36] & 0xFFFF, pg=r[U36] >> 16, seq=r[U40] & 0xFFFFFFFF, ts=r[U48])
    elif kind == PFC:
        found.update(pause_us=r[U32] | r[U34] << 16, pfc_qlen=r[U36], pfc_qidx=r[U40] & 0xFF)
    elif kind == CNP:
        found.update(fid=r[U32], cnp_qidx=r[U34] & 0xFF, cnp_ecn=r[U34] >> 8, qfb=r[U36] & 0xFFFF, total=r[U36] >> 16)
    return found


def short(path: str, offset: int, what: str, found: int, expected: int) -> RccError:
    return RccError(f"{path}: byte {offset}: {what}: found {counted(found, 'byte')}, expected {expected}; the file is truncated"
                    + (f" (head -c {offset} has its whole records)" if what == "record" else ""))


def exactly(f, path: str, offset: int, size: int, what: str) -> bytes:
    data = f.read(size)
    if len(data) != size:
        raise short(path, offset, what, len(data), size)
    return data


def read_header(f, path: str) -> tuple:
    """Read the header. Returns [(node, interface, bit/s)], the window and the bytes of the header."""
    count = struct.unpack("<I", exactly(f, path, 0, 4, "header"))[0]
    info = os.fstat(f.fileno())
    if stat.S_ISREG(info.st_mode) and info.st_size < 8 + count * PORT.size:
        raise RccError(f"{path}: byte 0: header: found {counted(count, 'port')} in a file of {info.st_size} bytes, expected a trace such "
                       "as mix.tr")
    if count > 1 << 24:
        raise RccError(f"{path}: byte 0: header: found {count} ports, expected at most {1 << 24}")
    ports = list(PORT.iter_unpack(exactly(f, path, 4, count * PORT.size, "header")))
    window = struct.unpack("<I", exactly(f, path, 4 + count * PORT.size, 4, "header"))[0]
    size = 8 + count * PORT.size
    if stat.S_ISREG(info.st_mode) and (info.st_size - size) % BYTES:  # found before a line is printed
        rest = (info.st_size - size) % BYTES
        raise short(path, info.st_size - rest, "record", rest, BYTES)
    return ports, window, size


def batches(f, path: str, offset: int) -> Iterator[Iterator]:
    """Yield the records, some at a time. A pipe may end within a record."""
    step = struct.Struct(RECORD)
    while True:
        data = f.read(BATCH * BYTES)
        rest = len(data) % BYTES
        if data:
            yield step.iter_unpack(data[:len(data) - rest] if rest else data)
        offset += len(data)
        if rest:
            raise short(path, offset - rest, "record", rest, BYTES)
        if not data:
            return


def command(args) -> int:
    select = compile_filter(args.filter)
    with open_to_read(args.file) as f:
        try:
            ports, window, size = read_header(f, args.file)
            if args.header:
                if args.json:
                    print(json.dumps({"window": window, "ports": [{"node": n, "intf": i, "bps": b} for n, i, b in ports]}))
                else:
                    print("\n".join([f"window {window}"] + [f"n:{n} {i} {bps}" for n, i, bps in ports]))
                return 0
            matched = total = 0
            show = (lambda r: json.dumps(fields(r), separators=(",", ":"))) if args.json else line
            for records in batches(f, args.file, size):
                if args.count:
                    everything = list(records)
                    total += len(everything)
                    matched += len(select(everything))
                    continue
                chosen = select(records)
                if chosen:
                    sys.stdout.write("\n".join(map(show, chosen)) + "\n")
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            raise RccError(f"{args.file}: {error.strerror or error}") from error
    if args.count:
        print(json.dumps({"records": total, "matched": matched}) if args.json else matched)
    return 0


COMMAND = Command(
    description="Print a packet trace, one line per record, as HPCC's trace_reader does:\n"
        "TIME n:NODE INTF:QUEUE QLEN EVENT ecn:BITS SIP DIP, then for data (U) SPORT DPORT U SEQ TS PG SIZE(PAYLOAD), for\n"
        "ACK (A) and NAK (N) SPORT DPORT A FLAGS PG SEQ TS SIZE, for PFC (P) TIME QLEN CLASS SIZE, for CNP (C) FID CLASS ECN\n"
        "SEQ SIZE.",
    notes="""\
filter: FIELD OP VALUE, joined by & and |, which bind alike and group to the right: a&b|c is a&(b|c); brackets help
  OP is = != > >= < <=; VALUE is decimal, 0x hexadecimal or 0 octal
  fields: time node intf qidx qlen sip dip size l3Prot event ecn nodeType, data.sport data.dport data.seq data.ts
    data.pg data.payload, ack.sport ack.dport ack.flags ack.pg ack.seq ack.ts, qp.sport qp.dport, pfc.time pfc.qlen
    pfc.qidx, cnp.fid cnp.qidx cnp.ecn cnp.qfb cnp.total cnp.seq
  event: 0 Recv, 1 Enqu, 2 Dequ, 3 Drop; l3Prot: 0x11 data, 0xfc ACK, 0xfd NAK, 0xfe PFC, 0xff CNP; nodeType: 1 switch
  flow=SIP,DIP,SPORT,DPORT (rflow: the other way, biflow: both) and queue=NODE,INTF,QIDX

""",
    examples=[("./rcc trace out/ns3-rdma/dcqcn/mix.tr | head", "the first records"),
        ("./rcc trace mix.tr 'time > 2000010000 & sip=0x0b000101'", "one sender from a time on"),
        ("./rcc trace mix.tr 'event=3' --count", "how many drops"),
        ("./rcc trace mix.tr 'flow=0x0b000101,0x0b000201,10000,100' --json", "one flow and no other, as JSON")],
    add_arguments=add_arguments,
    run=command)
