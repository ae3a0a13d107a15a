/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-wire.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cstring>

namespace ns3
{

namespace
{

const uint32_t ETHERNET_BYTES = 14;
const uint32_t IPV4_BYTES = 20;
const uint32_t IPV6_BYTES = 40;
const uint32_t UDP_BYTES = 8;
const uint32_t BTH_BYTES = 12;
const uint32_t ICRC_BYTES = 4;
const uint32_t CNP_RESERVED_BYTES = 16;
const uint32_t HEADERS_MAX =
    ETHERNET_BYTES + VLAN_TAG_BYTES + CN_TAG_BYTES + IPV4_BYTES + UDP_BYTES + BTH_BYTES + RETH_BYTES;

const uint16_t ETHERTYPE_IPV4 = 0x0800;
const uint16_t ETHERTYPE_IPV6 = 0x86dd;
const uint16_t ETHERTYPE_VLAN = 0x8100;
const uint16_t ETHERTYPE_MAC_CONTROL = 0x8808;
const uint16_t ETHERTYPE_CNM = 0x22e7;
const uint16_t ETHERTYPE_CN_TAG = 0x22e9;
const uint16_t MAC_CONTROL_PAUSE = 0x0001;
const uint16_t MAC_CONTROL_PFC = 0x0101;
const uint16_t ROCE_PORT = 4791;

enum BthOpcode : uint8_t
{
    SEND_FIRST = 0x00,
    SEND_MIDDLE = 0x01,
    SEND_LAST = 0x02,
    SEND_ONLY = 0x04,
    WRITE_FIRST = 0x06, //!< and the others behind it as SEND's are, but for ONLY
    WRITE_ONLY = 0x0a,
    ACKNOWLEDGE = 0x11,
    CONGESTION_NOTIFICATION = 0x81
};

const uint8_t BTH_BECN = 0x40;
const uint8_t SYNDROME_ACK = 0x1f; // credit count 31: end-to-end credits are not used
const uint8_t SYNDROME_PSN_SEQUENCE_ERROR = 0x60;

// ---------------------------------------------------------------- CRC-32

/**
 * Tables of the CRC-32 of Ethernet, bits reflected: bit 31 is x^0.
 *
 * `slice[k][b]` is byte b followed by k zero bytes, so that eight bytes take eight
 * independent look-ups. `zeros[n]` is x^(8n) mod P: a register times it is the
 * register after n zero bytes, which is how a payload costs one multiplication.
 */
struct CrcTables
{
    static const uint32_t POLYNOMIAL = 0xedb88320;
    static const size_t MAX_ZEROS = 9216;

    uint32_t slice[8][256];
    uint32_t zeros[MAX_ZEROS + 1];
    uint32_t ones; //!< the register after eight bytes of ones

    CrcTables()
    {
        for (uint32_t b = 0; b < 256; b++)
        {
            uint32_t r = b;
            for (int bit = 0; bit < 8; bit++)
            {
                r = TimesX(r);
            }
            slice[0][b] = r;
        }
        for (uint32_t k = 1; k < 8; k++)
        {
            for (uint32_t b = 0; b < 256; b++)
            {
                slice[k][b] = Zero(slice[k - 1][b]);
            }
        }
        zeros[0] = 0x80000000; // one
        for (size_t n = 0; n < MAX_ZEROS; n++)
        {
            zeros[n + 1] = Zero(zeros[n]);
        }
        const uint8_t eight[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
        ones = Update(0xffffffff, eight, sizeof eight);
    }

    static uint32_t TimesX(uint32_t r)
    {
        return (r >> 1) ^ (POLYNOMIAL & (0u - (r & 1u)));
    }

    /// A register after one zero byte.
    uint32_t Zero(uint32_t r) const
    {
        return (r >> 8) ^ slice[0][r & 0xff];
    }

    /// a * b mod P
    static uint32_t Multiply(uint32_t a, uint32_t b)
    {
        uint32_t product = 0;
        for (; a; a <<= 1)
        {
            product ^= b & (0u - (a >> 31));
            b = TimesX(b);
        }
        return product;
    }

    uint32_t Update(uint32_t r, const uint8_t* data, size_t bytes) const
    {
        for (; bytes >= 8; bytes -= 8, data += 8)
        {
            r ^= data[0] | (uint32_t{data[1]} << 8) | (uint32_t{data[2]} << 16) | (uint32_t{data[3]} << 24);
            r = slice[7][r & 0xff] ^ slice[6][(r >> 8) & 0xff] ^ slice[5][(r >> 16) & 0xff] ^ slice[4][r >> 24] ^
                slice[3][data[4]] ^ slice[2][data[5]] ^ slice[1][data[6]] ^ slice[0][data[7]];
        }
        for (; bytes; bytes--, data++)
        {
            r = Zero(r ^ *data);
        }
        return r;
    }

    uint32_t Zeros(uint32_t r, size_t n) const
    {
        for (; n > MAX_ZEROS; n -= MAX_ZEROS)
        {
            r = Multiply(zeros[MAX_ZEROS], r);
        }
        return Multiply(zeros[n], r);
    }
};

const CrcTables&
Crc()
{
    static const CrcTables tables;
    return tables;
}

/// A register after so many zero bytes, by four look-ups, for the count that most payloads have.
struct ZerosTable
{
    size_t n{SIZE_MAX}, missed{SIZE_MAX};
    uint32_t of[4][256];

    uint32_t Apply(const CrcTables& crc, uint32_t r, size_t count)
    {
        if (count != n)
        {
            if (count != missed) // the second time that it is asked for
            {
                missed = count;
                return crc.Zeros(r, count);
            }
            Fill(crc, count);
        }
        return of[0][r & 0xff] ^ of[1][(r >> 8) & 0xff] ^ of[2][(r >> 16) & 0xff] ^ of[3][r >> 24];
    }

    void Fill(const CrcTables& crc, size_t count)
    {
        n = count;
        for (uint32_t k = 0; k < 4; k++)
        {
            of[k][0] = 0;
            for (uint32_t bit = 1; bit < 256; bit <<= 1)
            {
                of[k][bit] = crc.Zeros(bit << (8 * k), count);
                for (uint32_t b = 1; b < bit; b++)
                {
                    of[k][bit | b] = of[k][bit] ^ of[k][b]; // linear
                }
            }
        }
    }
};

// ---------------------------------------------------------------- layers

/// Writes big-endian numbers one after another.
struct Cursor
{
    uint8_t* at;

    void U8(uint32_t value)
    {
        *at++ = static_cast<uint8_t>(value);
    }

    void U16(uint32_t value)
    {
        U8(value >> 8);
        U8(value);
    }

    void U24(uint32_t value)
    {
        U8(value >> 16);
        U16(value);
    }

    void U32(uint32_t value)
    {
        U16(value >> 16);
        U16(value);
    }

    void Zeros(size_t n)
    {
        std::memset(at, 0, n);
        at += n;
    }

    void Mac(uint32_t node, uint32_t port = 0)
    {
        U16(0x0200 | port);
        U32(node);
    }
};

uint32_t
Ipv4Of(uint32_t node)
{
    return 0x0b000001 + ((node / 256) << 16) + ((node % 256) << 8);
}

/// RFC 1071 over an IPv4 header whose checksum is still 0.
uint16_t
HeaderChecksum(const uint8_t* header, uint32_t bytes = IPV4_BYTES)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < bytes; i += 2)
    {
        sum += (uint32_t{header[i]} << 8) + header[i + 1];
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

void
WriteIpv4Udp(Cursor& to, const RccFrame& f, uint32_t psn, uint32_t ipBytes)
{
    const uint32_t dscp = f.cls * 8u;
    uint8_t* header = to.at;
    to.U16(0x4500 | (dscp << 2) | static_cast<uint32_t>(f.ecn)); // version 4, 5 words
    to.U16(ipBytes);
    to.U16(psn);
    to.U16(0x4000); // do not fragment
    to.U8(64);
    to.U8(17); // UDP
    to.U16(0);
    to.U32(Ipv4Of(f.src));
    to.U32(Ipv4Of(f.dst));
    Cursor{header + 10}.U16(HeaderChecksum(header));

    to.U16(0xc000 | (f.hash & 0x3fff));
    to.U16(ROCE_PORT);
    to.U16(ipBytes - IPV4_BYTES);
    to.U16(0);
}

void
WriteBth(Cursor& to, uint8_t opcode, uint8_t congestion, uint32_t qpn, bool ackRequest, uint32_t psn)
{
    to.U8(opcode);
    to.U8(0); // solicited event, migration, pad count, version
    to.U16(0xffff);
    to.U8(congestion);
    to.U24(qpn);
    to.U8(ackRequest ? 0x80 : 0);
    to.U24(psn);
}

uint8_t
DataOpcode(const RccFrame& f)
{
    if (f.first && f.last)
    {
        return f.write ? WRITE_ONLY : SEND_ONLY;
    }
    const uint8_t place = f.first ? SEND_FIRST : f.last ? SEND_LAST : SEND_MIDDLE;
    return f.write ? WRITE_FIRST + place : place;
}

/// 802.1Q, if the frame has a tag. \return its bytes
uint32_t
WriteVlan(Cursor& to, const RccFrame& f)
{
    if (!f.vlan)
    {
        return 0;
    }
    to.U16(ETHERTYPE_VLAN);
    to.U16((static_cast<uint32_t>(f.cls) << 13) | (f.vlan & 0xfffu));
    return VLAN_TAG_BYTES;
}

/// All RoCEv2 frames, from the Ethernet header on.
void
WriteRoce(Cursor& out, const RccFrame& f, uint32_t size)
{
    // The headers are made here and copied: the ICRC reads them, and `out` is most often not in the cache.
    uint8_t headers[HEADERS_MAX];
    Cursor to{headers};
    to.Mac(f.dst);
    to.Mac(f.src);
    uint32_t overhead = ETHERNET_BYTES + WriteVlan(to, f);
    if (f.cnTagged)
    {
        to.U16(ETHERTYPE_CN_TAG);
        to.U16(f.srcQp);
        overhead += CN_TAG_BYTES;
    }
    to.U16(ETHERTYPE_IPV4);

    const uint32_t ipBytes = size - overhead;
    uint32_t zeros = 0; // between what is written here and the ICRC
    uint8_t* ip = to.at;
    switch (f.kind)
    {
    case RccFrameKind::ACK:
    case RccFrameKind::NAK: {
        bool nak = f.kind == RccFrameKind::NAK;
        auto psn = static_cast<uint32_t>(nak ? f.psn : f.psn - 1);
        WriteIpv4Udp(to, f, psn, ipBytes);
        WriteBth(to, ACKNOWLEDGE, f.ceEcho ? BTH_BECN : 0, RccWire::QpnOfSender(f.dstQp), false, psn);
        to.U8(nak ? SYNDROME_PSN_SEQUENCE_ERROR : SYNDROME_ACK);
        to.U24(0);
        break;
    }
    case RccFrameKind::CNP:
        WriteIpv4Udp(to, f, 0, ipBytes);
        WriteBth(to, CONGESTION_NOTIFICATION, BTH_BECN, RccWire::QpnOfSender(f.dstQp), false, 0);
        to.U32(f.period);
        zeros = CNP_RESERVED_BYTES - 4;
        break;
    default: {
        auto psn = static_cast<uint32_t>(f.psn);
        WriteIpv4Udp(to, f, psn, ipBytes);
        WriteBth(to, DataOpcode(f), 0, RccWire::QpnOfReceiver(f.dstQp), f.ackRequest, psn);
        zeros = ipBytes - IPV4_BYTES - UDP_BYTES - BTH_BYTES - ICRC_BYTES;
        if (f.write && f.first)
        {
            to.Zeros(12); // virtual address and R_Key
            to.U32(f.dmaLength);
            zeros -= RETH_BYTES;
        }
        NS_ASSERT_MSG(zeros == f.payload, "a frame of " << f.bytes << " bytes cannot hold a payload of " << f.payload);
        break;
    }
    }
    const uint32_t icrc = RccWire::Icrc(ip, static_cast<size_t>(to.at - ip), zeros);
    const auto bytes = static_cast<size_t>(to.at - headers);
    std::memcpy(out.at, headers, bytes);
    out.at += bytes;
    out.Zeros(zeros);
    for (int shift = 0; shift < 32; shift += 8)
    {
        out.U8(icrc >> shift);
    }
}

/// IEEE 802.1Qbb and 802.3 annex 31B: MAC control, time is 0 for classes it does not speak of.
void
WritePfc(Cursor& to, const RccFrame& f, uint32_t sender)
{
    to.U16(0x0180);
    to.U32(0xc2000001);
    to.Mac(sender);
    to.U16(ETHERTYPE_MAC_CONTROL);
    if (f.linkPause)
    {
        to.U16(MAC_CONTROL_PAUSE);
        to.U16(f.pfcQuanta[0]);
        return;
    }
    to.U16(MAC_CONTROL_PFC);
    to.U16(f.pfcMask);
    for (uint16_t quanta : f.pfcQuanta)
    {
        to.U16(quanta);
    }
}

/// A queue length difference in units of 64 bytes, 16 bit two's complement.
uint32_t
Units64(int32_t bytes)
{
    return static_cast<uint32_t>(std::min(std::max(bytes / 64, -32768), 32767)) & 0xffff;
}

void
WriteCnm(Cursor& to, const RccFrame& f)
{
    to.Mac(f.dst);
    to.Mac(f.src);
    WriteVlan(to, f);
    to.U16(ETHERTYPE_CN_TAG);
    to.U16(f.dstQp);
    to.U16(ETHERTYPE_CNM);
    to.U16(f.qfb & 0x3fu);
    to.Zeros(8);
    to.U16(Units64(f.qoff));
    to.U16(Units64(f.qdelta));
    to.U16(0);
    to.Mac(f.src);
    to.U16(0);
}

void
WriteIp(Cursor& to, const RccFrame& f, uint32_t size)
{
    to.U16(static_cast<uint32_t>(f.mac >> 32));
    to.U32(static_cast<uint32_t>(f.mac));
    to.Mac(f.src, f.srcQp);
    const uint32_t overhead = ETHERNET_BYTES + WriteVlan(to, f);
    to.U16(f.etherType);
    if (!f.packet)
    {
        return;
    }
    uint8_t* ip = to.at;
    const uint32_t bytes = f.packet->CopyData(ip, size - overhead);
    to.at += bytes;
    const auto ecn = static_cast<uint8_t>(f.ecn);
    if (f.etherType == ETHERTYPE_IPV6 && bytes >= IPV6_BYTES)
    {
        ip[1] = static_cast<uint8_t>((ip[1] & ~0x30) | (ecn << 4));
    }
    else if (f.etherType == ETHERTYPE_IPV4 && bytes >= IPV4_BYTES && (ip[1] & 3u) != ecn)
    {
        ip[1] = static_cast<uint8_t>((ip[1] & ~3u) | ecn);
        if (ip[10] || ip[11]) // ns-3 leaves it 0 unless told to compute checksums
        {
            ip[10] = ip[11] = 0;
            Cursor{ip + 10}.U16(HeaderChecksum(ip, (ip[0] & 0xfu) * 4u));
        }
    }
}

} // namespace

uint32_t
RccWire::Write(const RccFrame& frame, uint32_t sender, uint8_t* out)
{
    const uint32_t size = frame.bytes - FCS_BYTES;
    Cursor to{out};
    switch (frame.kind)
    {
    case RccFrameKind::PFC:
        WritePfc(to, frame, sender);
        break;
    case RccFrameKind::CNM:
        WriteCnm(to, frame);
        break;
    case RccFrameKind::IP:
        WriteIp(to, frame, size);
        break;
    default:
        WriteRoce(to, frame, size);
        break;
    }
    const auto written = static_cast<size_t>(to.at - out);
    NS_ASSERT_MSG(written <= size, "a frame of " << frame.bytes << " bytes took " << written);
    to.Zeros(size - written);
    return size;
}

uint32_t
RccWire::Icrc(const uint8_t* ip, size_t bytes, size_t zeros)
{
    // Eight bytes of ones stand where InfiniBand's local route header would be; ones mask what may change on the way.
    const size_t masked = IPV4_BYTES + UDP_BYTES + BTH_BYTES;
    uint8_t packet[masked];
    std::memcpy(packet, ip, masked);
    packet[1] = 0xff;                                       // DSCP and ECN
    packet[8] = 0xff;                                       // TTL
    packet[10] = packet[11] = 0xff;                         // header checksum
    packet[IPV4_BYTES + 6] = packet[IPV4_BYTES + 7] = 0xff; // UDP checksum
    packet[IPV4_BYTES + UDP_BYTES + 4] = 0xff;              // FECN, BECN, reserved

    const CrcTables& crc = Crc();
    uint32_t r = crc.Update(crc.ones, packet, sizeof packet);
    r = crc.Update(r, ip + masked, bytes - masked);
    if (zeros == 0)
    {
        return ~r;
    }
    static thread_local ZerosTable table;
    return ~table.Apply(crc, r, zeros);
}

uint32_t
RccWire::Crc32(uint32_t crc, const uint8_t* data, size_t bytes)
{
    return ~Crc().Update(~crc, data, bytes);
}

Ipv4Address
RccWire::AddressOf(uint32_t node)
{
    return Ipv4Address(Ipv4Of(node));
}

Mac48Address
RccWire::MacOf(uint32_t node, uint32_t port)
{
    return MacFromNumber((static_cast<uint64_t>(0x0200 | port) << 32) | node);
}

uint64_t
RccWire::MacNumber(Mac48Address mac)
{
    uint8_t bytes[6];
    mac.CopyTo(bytes);
    uint64_t number = 0;
    for (uint8_t b : bytes)
    {
        number = (number << 8) | b;
    }
    return number;
}

Mac48Address
RccWire::MacFromNumber(uint64_t number)
{
    uint8_t bytes[6];
    Cursor to{bytes};
    to.U16(static_cast<uint32_t>(number >> 32));
    to.U32(static_cast<uint32_t>(number));
    Mac48Address mac;
    mac.CopyFrom(bytes);
    return mac;
}

} // namespace ns3
