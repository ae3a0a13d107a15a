# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Capture files: pcap (microseconds and nanoseconds, both byte orders) and pcapng, gzipped or not. Only the framing; what
the frames hold is read by lab/command/pcap/pcap_flows.py. Every error is one line that says where the file stops making sense.

A file that ends within a record, as a capture does that was stopped, gives what it has and a note. Anything else that
cannot be a capture is an error: lengths and times of a damaged file would be taken for results."""
from __future__ import annotations

import mmap
import os
import stat
import struct
import sys
import zlib
from typing import Iterator, List, NamedTuple, Optional, Union

from ..common import RccError, counted, refuse_device

LONGEST = 1 << 24         # bytes of a frame or block; no tool writes longer ones
HEADER, RECORD = 24, 16   # bytes of pcap's headers
GZIP = b"\x1f\x8b"
SECTION, INTERFACE, PACKET, SIMPLE, ENHANCED = 0x0A0D0D0A, 1, 2, 3, 6   # blocks of pcapng
BYTE_ORDER = 0x1A2B3C4D
IF_NAME, IF_TSRESOL, IF_TSOFFSET = 2, 9, 14

ETHERNET, RAW, LINUX_SLL, RAW_IPV4, RAW_IPV6, LINUX_SLL2 = 1, 101, 113, 228, 229, 276
LINK_TYPES = {ETHERNET: "Ethernet", RAW: "raw IP", LINUX_SLL: "Linux cooked", RAW_IPV4: "raw IPv4", RAW_IPV6: "raw IPv6",
              LINUX_SLL2: "Linux cooked v2"}
RAW_TOO = {12: RAW, 14: RAW}  # as BSDs number it
HINTS = {b"\x0a\x0d\x0d\x0a": "", b"\xa1\xb2\xcd\x34": "a pcap of a modified libpcap", b"\x34\xcd\xb2\xa1": "a pcap of a "
         "modified libpcap", b"snoo": "a snoop file", b"PK\x03\x04": "a zip archive", b"\xfd7zX": "an xz file",
         b"\x28\xb5\x2f\xfd": "a zstd file", b"BZh9": "a bzip2 file"}


class Interface(NamedTuple):
    """Where frames were captured: one per pcap, any number per pcapng."""
    link: int        # a key of LINK_TYPES
    name: str        # "" if the file does not say
    scale: tuple     # (a, b): ns = units * a // b
    offset: int      # ns


def read_all(path: str):
    """Read all bytes of a file: mapped if it is a regular file, read if it is a pipe, unpacked if it is gzipped.
    Returns (bytes, True if a gzip stream was cut off)."""
    try:
        if path == "-":
            data: Union[bytes, mmap.mmap] = sys.stdin.buffer.read()
        else:
            mode = os.stat(path).st_mode
            if stat.S_ISDIR(mode):
                raise RccError(f"{path}: found a folder, expected a capture file")
            refuse_device(path, mode)
            with open(path, "rb") as f:
                if stat.S_ISREG(mode) and os.fstat(f.fileno()).st_size:
                    data = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
                else:
                    data = f.read()
    except OSError as error:
        raise RccError(f"{path}: {error.strerror or error}") from error
    if not data:
        raise RccError(f"{path}: empty: found 0 bytes, expected a pcap or pcapng capture")
    if data[:2] != GZIP:
        return data, False
    plain, rest = [], bytes(data)
    try:
        while rest[:2] == GZIP:     # each part
            unpack = zlib.decompressobj(wbits=31)
            plain.append(unpack.decompress(rest))
            rest = unpack.unused_data
    except zlib.error as error:
        raise RccError(f"{path}: damaged gzip data ({error})") from error
    return b"".join(plain), not unpack.eof


class CaptureFile:
    """One file. `records()` yields (ns, offset, captured bytes, bytes on the wire, interface number); `data` is what
    the offsets are in. `notes` says, after reading, what was left out."""

    def __init__(self, path: str):
        self.path = path
        self.data, self.cut = read_all(path)
        self.interfaces: List[Interface] = []
        self.notes: List[str] = []
        magic = bytes(self.data[:4])
        self.pcapng = magic == b"\x0a\x0d\x0d\x0a"
        if not self.pcapng:
            self.order = self._pcap_header(magic)

    # ------------------------------------------------------------------------------------------------ errors

    def wrong(self, offset: int, what: str, found, expected: str) -> RccError:
        return RccError(f"{self.path}: byte {offset}: {what}: found {found}, expected {expected}")

    def _ends(self, frames: int, offset: int, what: str, found: int, expected: int) -> None:
        """The file ends within a record."""
        text = f"cut off within {what} at byte {offset} (found {counted(found, 'byte')} of {expected})"
        if not frames:
            raise RccError(f"{self.path}: {text}; there is no whole frame before it")
        self.notes.append(f"{text}; the {counted(frames, 'frame')} before it {'counts' if frames == 1 else 'count'}")

    def _finish(self, frames: int, offset: int, what: str, found: int, expected: int) -> None:
        """The file ends, within a record if bytes are found there."""
        if found:
            self._ends(frames, offset, what, found, expected)
        elif self.cut:
            self.notes.append(f"the gzip data is cut off; the {counted(frames, 'frame')} before {'counts' if frames == 1 else 'count'}")

    # ------------------------------------------------------------------------------------------------ pcap

    def _pcap_header(self, magic: bytes) -> str:
        kinds = {b"\xd4\xc3\xb2\xa1": ("<", 1000), b"\xa1\xb2\xc3\xd4": (">", 1000),
                 b"\x4d\x3c\xb2\xa1": ("<", 1), b"\xa1\xb2\x3c\x4d": (">", 1)}
        if magic not in kinds:
            if len(magic) < 4:
                raise self.wrong(0, "file", counted(len(magic), "byte"), "a pcap or pcapng capture")
            hint = HINTS.get(magic)
            raise self.wrong(0, "magic number", f"{magic.hex()}" + (f" ({hint})" if hint else ""),
                             "that of a pcap or pcapng capture")
        order, self.unit = kinds[magic]
        if len(self.data) < HEADER:
            raise RccError(f"{self.path}: cut off within the header (found {counted(len(self.data), 'byte')} of {HEADER}); there is no "
                           "whole frame")
        major, minor, _, _, _, link = struct.unpack_from(order + "HHIIII", self.data, 4)
        if major != 2 or minor < 3:
            raise self.wrong(4, "version", f"{major}.{minor}", "2.4")
        self.interfaces = [Interface(self._link(link & 0xFFFF, 20), "", (self.unit, 1), 0)]
        return order

    def _link(self, link: int, offset: int) -> int:
        link = RAW_TOO.get(link, link)
        if link not in LINK_TYPES:
            raise self.wrong(offset, "link type", link, ", ".join(f"{n} ({name})" for n, name in LINK_TYPES.items()))
        return link

    def records(self) -> Iterator[tuple]:
        return self._blocks() if self.pcapng else self._pcap()

    def _pcap(self) -> Iterator[tuple]:
        data, unit, end = self.data, self.unit, len(self.data)
        unpack = struct.Struct(self.order + "IIII").unpack_from
        most = 1_000_000_000 // unit
        at, frames = HEADER, 0
        while at + RECORD <= end:
            seconds, fraction, kept, size = unpack(data, at)
            if kept > LONGEST or size > LONGEST or fraction >= most:
                what = f"frame {frames + 1}"
                if fraction >= most:
                    raise self.wrong(at + 4, f"{what}, fraction of its second", fraction, f"less than {most}")
                raise self.wrong(at + 8, f"{what}, length", max(kept, size), f"at most {LONGEST}")
            at += RECORD
            if at + kept > end:
                self._ends(frames, at - RECORD, f"frame {frames + 1}", end - at + RECORD, kept + RECORD)
                return
            yield seconds * 1_000_000_000 + fraction * unit, at, kept, size, 0
            at += kept
            frames += 1
        self._finish(frames, at, f"the header of frame {frames + 1}", end - at, RECORD)

    # ------------------------------------------------------------------------------------------------ pcapng

    def _blocks(self) -> Iterator[tuple]:
        data, end = self.data, len(self.data)
        del self.interfaces[:]   # the file may be read twice
        at = frames = untimed = 0
        order, first = "<", 0   # the section's byte order and the number of its first interface
        while at + 12 <= end:
            if bytes(data[at:at + 4]) == b"\x0a\x0d\x0d\x0a":
                order = self._section(at)
                first = len(self.interfaces)
            kind, length = struct.unpack_from(order + "II", data, at)
            if length < 12 or length % 4 or length > LONGEST + 4096:
                raise self.wrong(at + 4, f"length of a block of type {kind}", length, "a multiple of 4, at least 12 and at most "
                                 f"{LONGEST + 4096}")
            if at + length > end:
                break
            second = struct.unpack_from(order + "I", data, at + length - 4)[0]
            if second != length:
                raise self.wrong(at + length - 4, "second length of a block", second, f"{length}, as the first")
            if kind in (ENHANCED, PACKET):
                if length < 32:
                    raise self.wrong(at + 4, "length of a packet block", length, "at least 32")
                if kind == ENHANCED:
                    number, high, low, kept, size = struct.unpack_from(order + "IIIII", data, at + 8)
                else:
                    number, _, high, low, kept, size = struct.unpack_from(order + "HHIIII", data, at + 8)
                if kept > length - 32 or size > LONGEST:
                    raise self.wrong(at + 20, f"frame {frames + 1}, length", max(kept, size), f"at most {length - 32}")
                if first + number >= len(self.interfaces):
                    raise self.wrong(at + 8, f"interface of frame {frames + 1}", number, "one that the file describes before")
                interface = self.interfaces[first + number]
                units = (high << 32 | low) * interface.scale[0] // interface.scale[1]
                frames += 1
                yield units + interface.offset, at + 28, kept, size, first + number
            elif kind == INTERFACE:
                self._interface(at, length, order)
            elif kind == SIMPLE:
                untimed += 1
            at += length
        expected = struct.unpack_from(order + "I", data, at + 4)[0] if at + 8 <= end else 12
        self._finish(frames, at, "a block", end - at, expected)
        if untimed:
            self.notes.append(f"{counted(untimed, 'frame')} without a time (simple packet blocks) "
                              f"{'is' if untimed == 1 else 'are'} left out")

    def _section(self, at: int) -> str:
        word = bytes(self.data[at + 8:at + 12])
        for order in "<>":
            if struct.unpack(order + "I", word)[0] == BYTE_ORDER:
                return order
        raise self.wrong(at + 8, "byte-order magic of a section", word.hex(), "1a2b3c4d")

    def _interface(self, at: int, length: int, order: str) -> None:
        if length < 20:
            raise self.wrong(at + 4, "length of an interface block", length, "at least 20")
        link = self._link(struct.unpack_from(order + "H", self.data, at + 8)[0], at + 8)
        name, scale, offset = "", (1000, 1), 0
        option, stop = at + 16, at + length - 4
        while option + 4 <= stop:
            code, size = struct.unpack_from(order + "HH", self.data, option)
            value = bytes(self.data[option + 4:option + 4 + size])
            if code == 0:
                break
            if option + 4 + size > stop:
                raise self.wrong(option + 2, f"length of option {code}", size, f"at most {stop - option - 4}")
            if code == IF_NAME:
                name = "".join(c if c.isprintable() else "?" for c in value.rstrip(b"\0").decode("utf-8", "replace"))
            elif code == IF_TSRESOL and size >= 1:
                digits = value[0] & 0x7F
                if digits > 63:
                    raise self.wrong(option + 4, "resolution of times", value[0], "a power of 10 or 2 below 64")
                scale = (1_000_000_000, 1 << digits) if value[0] & 0x80 else (1_000_000_000, 10 ** digits)
            elif code == IF_TSOFFSET and size >= 8:
                offset = struct.unpack(order + "q", value[:8])[0] * 1_000_000_000
            option += 4 + (size + 3) // 4 * 4
        self.interfaces.append(Interface(link, name, scale, offset))


def first_where(files: list, matches) -> Optional[int]:
    """The earliest time, ns, of the first record of each file that `matches(file, record)`; None if none does."""
    times = []
    for f in files:
        for record in f.records():
            if matches(f, record):
                times.append(record[0])
                break
        f.notes.clear()
    return min(times) if times else None
