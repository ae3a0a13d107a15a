# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Captures written byte by byte, for tests: frames of RoCEv2 and its neighbours, pcap and pcapng around them."""
import struct

DATA, LAST, ACK, CNP = 0x01, 0x02, 0x11, 0x81


def mac(node):
    return b"\x02\x00" + node.to_bytes(4, "big")


def ethernet(src, dst, kind, body, vlan=None, tag=None):
    tags = b"" if vlan is None else struct.pack("!HH", 0x8100, vlan)
    tags += b"" if tag is None else struct.pack("!HH", 0x22E9, tag)
    return (mac(dst) + mac(src) + tags + struct.pack("!H", kind) + body).ljust(60, b"\0")


def roce_ip(src, dst, opcode, qp, psn, inside=b"", ecn=2, sport=50000, ask=False, options=b"", dport=4791, pad=0):
    bth = struct.pack("!BBHII", opcode, pad << 4, 0xFFFF, qp, psn | (ask << 31))
    udp = struct.pack("!HHHH", sport, dport, 8 + len(bth) + len(inside) + 4, 0) + bth + inside + b"ICRC"
    words = 5 + len(options) // 4
    return struct.pack("!BBHHHBBHBBBBBBBB", 0x40 | words, ecn, 4 * words + len(udp), 0, 0x4000, 64, 17, 0, 10, 0, 0, src, 10, 0, 0,
                       dst) + options + udp


def roce_ip6(src, dst, opcode, qp, psn, inside=b"", ecn=2, sport=50000):
    udp = roce_ip(0, 0, opcode, qp, psn, inside, sport=sport)[20:]
    address = b"\xfd" + bytes(14)
    return struct.pack("!IHBB", 6 << 28 | ecn << 20, len(udp), 17, 64) + address + bytes([src]) + address + bytes([dst]) + udp


def data(psn, src=1, dst=2, qp=7, payload=1000, **more):
    tags = {k: more.pop(k) for k in ("vlan", "tag") if k in more}
    return ethernet(src, dst, 0x0800, roce_ip(src, dst, more.pop("opcode", DATA), qp, psn, bytes(payload), **more), **tags)


def ack(psn, src=2, dst=1, qp=90, syndrome=0x1F, **more):
    return ethernet(src, dst, 0x0800, roce_ip(src, dst, ACK, qp, psn, bytes([syndrome, 0, 0, 0]), ecn=0, **more))


def cnp(src=2, dst=1, qp=90, period=0, **more):
    return ethernet(src, dst, 0x0800, roce_ip(src, dst, CNP, qp, 0, struct.pack("!I", period) + bytes(12), ecn=0, **more))


def pfc(quanta, src=9):
    vector = sum(1 << c for c in quanta)
    return ethernet(src, 1, 0x8808, struct.pack("!HH8H", 0x0101, vector, *(quanta.get(c, 0) for c in range(8))))


def pause(quanta, src=9):
    return ethernet(src, 1, 0x8808, struct.pack("!HH", 1, quanta))


def cnm(flow=7, qfb=21):
    pdu = struct.pack("!HH", 0x22E7, qfb) + bytes(8) + struct.pack("!hhH", 100, -3, 0) + mac(3) + bytes(2)
    return ethernet(2, 1, 0x22E9, struct.pack("!H", flow) + pdu)


def tcp(src=1, dst=2, size=1500):
    ip = struct.pack("!BBHHHBBHBBBBBBBB", 0x45, 0, size, 0, 0, 64, 6, 0, 10, 0, 0, src, 10, 0, 0, dst)
    return ethernet(src, dst, 0x0800, ip + bytes(size - 20))


def pcap(frames, order="<", unit=1, snaplen=0, link=1):
    """frames: (ns, bytes). unit: ns of a unit of time, 1 or 1000."""
    magic = 0xA1B23C4D if unit == 1 else 0xA1B2C3D4
    out = [struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, snaplen or 262144, link)]
    for ns, raw in frames:
        kept = raw[:snaplen] if snaplen else raw
        out.append(struct.pack(order + "IIII", ns // 10**9, ns % 10**9 // unit, len(kept), len(raw)) + kept)
    return b"".join(out)


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + size + body + size


def option(order, code, value):
    return struct.pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4)


def section(order="<"):
    return block(order, 0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1) + option(order, 4, b"a test") + bytes(4))


def interface(order="<", link=1, name=b"", resolution=None, offset=None):
    body = struct.pack(order + "HHI", link, 0, 0)
    body += option(order, 2, name) if name else b""
    body += option(order, 9, bytes([resolution])) if resolution is not None else b""
    body += option(order, 14, struct.pack(order + "q", offset)) if offset is not None else b""
    return block(order, 1, body + bytes(4))


def enhanced(units, raw, order="<", number=0, snaplen=0):
    kept = raw[:snaplen] if snaplen else raw
    return block(order, 6, struct.pack(order + "IIIII", number, units >> 32, units & 0xFFFFFFFF, len(kept), len(raw)) + kept)


def samples():
    """A capture of each format with a frame of each kind."""
    frames = [data(0), data(1, vlan=5), data(2, tag=7, ecn=3, ask=True), ack(1), ack(1, syndrome=0x60), cnp(period=1000), pfc({3: 65535}),
              pause(100), cnm(), tcp(), ethernet(1, 2, 0x86DD, roce_ip6(1, 2, DATA, 7, 5, bytes(100)))]
    times = [(1000 * i, raw) for i, raw in enumerate(frames)]
    blocks = b"".join(enhanced(ns, raw) for ns, raw in times)
    return [pcap(times), pcap(times, ">", 1000, 96), section() + interface(name=b"eth0", resolution=9) + blocks]
