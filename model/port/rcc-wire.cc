/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-wire.h"

#include "ns3/rcc_wire.h"
#include "ns3/rcc_wire_sack.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ns3
{

namespace
{

const uint32_t HEADERS_MOST = 512; // bytes: more than the headers of any frame

uint64_t
MacNumberOf(uint32_t node, uint32_t port = 0)
{
    return (static_cast<uint64_t>(0x0200 | port) << 32) | node;
}

uint32_t
Ipv4NumberOf(uint32_t node)
{
    return 0x0b000001 + (node << 8);
}

/// IPv4, UDP and the BTH of a RoCEv2 frame whose PSN on the wire is `psn`.
void
FillRoce(rcc_wire_frame& w, const RccFrame& f, uint64_t psn, uint32_t qpn)
{
    w.ip.src = Ipv4NumberOf(f.src);
    w.ip.dst = Ipv4NumberOf(f.dst);
    w.ip.id = static_cast<uint16_t>(psn);
    w.ip.src_port = static_cast<uint16_t>(0xc000 | (f.hash & 0x3fff));
    const uint32_t dscp = f.tag.dscp ? f.tag.dscp - 1u : 8u * f.cls;
    w.ip.tos = static_cast<uint8_t>((dscp << 2) | static_cast<uint32_t>(f.ecn));
    w.ip.ttl = 64;
    w.bth.p_key = 0xffff;
    w.bth.qp = qpn;
    w.bth.psn = psn & 0xffffff;
}

void
FillPfc(rcc_wire_frame& w, const RccFrame& f, uint32_t sender)
{
    w.kind = f.linkPause ? RCC_WIRE_PAUSE : RCC_WIRE_PFC;
    w.dst = RCC_WIRE_PAUSE_ADDRESS;
    w.src = MacNumberOf(sender);
    w.pause.classes = f.pfcMask;
    std::memcpy(w.pause.quanta, f.pfcQuanta, sizeof w.pause.quanta);
}

void
FillCnm(rcc_wire_frame& w, const RccFrame& f)
{
    w.kind = RCC_WIRE_CNM;
    w.cn_tagged = true;
    w.cn_flow = static_cast<uint16_t>(f.dstQp);
    w.cnm.qfb = f.qfb;
    w.cnm.qoff = rcc_wire_cnm_units(f.qoff);
    w.cnm.qdelta = rcc_wire_cnm_units(f.qdelta);
    w.cnm.dst = w.src;
}

/// Telemetry of a data frame or an acknowledgement, and what Swift's acknowledgement has. \param out space for it
void
FillExtension(rcc_wire_frame& w, const RccFrame& f, uint8_t* out)
{
    const rcc_wire_int none = {f.telemetry, 0, 0, 0, {}};
    uint8_t* at = out;
    at += rcc_wire_int_encode(f.telemetry && f.path ? &f.path->records : &none, at);
    if (f.delays && w.kind == RCC_WIRE_ACK)
    {
        for (int shift = 24; shift >= 0; shift -= 8)
        {
            *at++ = static_cast<uint8_t>(f.remote >> shift);
        }
        *at++ = f.dataHops;
    }
    w.extension = out;
    w.extension_bytes = static_cast<size_t>(at - out);
}

void
FillData(rcc_wire_frame& w, const RccFrame& f)
{
    w.kind = RCC_WIRE_DATA;
    w.cn_tagged = f.cnTagged;
    w.cn_flow = static_cast<uint16_t>(f.srcQp);
    FillRoce(w, f, f.psn, RccWire::QpnOfReceiver(f.dstQp));
    w.bth.opcode = rcc_wire_data_opcode(f.write, f.first, f.last);
    w.bth.ack_request = f.ackRequest;
    w.reth.length = f.dmaLength;
    w.payload_bytes = f.payload;
}

/// \param space for an extension
rcc_wire_frame
ToWire(const RccFrame& f, uint32_t sender, uint8_t* space)
{
    rcc_wire_frame w = rcc_wire_frame();
    w.dst = MacNumberOf(f.dst);
    w.src = MacNumberOf(f.src);
    w.vlan_tagged = f.tag.vlan != 0;
    w.vlan = static_cast<uint16_t>((f.cls << 13) | (f.tag.vlan & 0xfffu));
    switch (f.kind)
    {
    case RccFrameKind::DATA:
        FillData(w, f);
        FillExtension(w, f, space);
        break;
    case RccFrameKind::ACK:
    case RccFrameKind::NAK: {
        const bool nak = f.kind == RccFrameKind::NAK;
        w.kind = RCC_WIRE_ACK;
        FillRoce(w, f, nak ? f.psn : f.psn - 1, RccWire::QpnOfSender(f.dstQp));
        w.bth.becn = f.ceEcho;
        w.syndrome = nak ? RCC_WIRE_SYNDROME_NAK : RCC_WIRE_SYNDROME_ACK;
        FillExtension(w, f, space);
        break;
    }
    case RccFrameKind::CNP:
        w.kind = RCC_WIRE_CNP;
        FillRoce(w, f, 0, RccWire::QpnOfSender(f.dstQp));
        w.bth.becn = true;
        w.period_ns = f.period;
        break;
    case RccFrameKind::CNM:
        FillCnm(w, f);
        break;
    case RccFrameKind::PFC:
        FillPfc(w, f, sender);
        break;
    case RccFrameKind::IP:
        w.kind = RCC_WIRE_OTHER;
        w.dst = f.mac;
        w.src = MacNumberOf(f.src, f.srcQp);
        w.ethertype = static_cast<uint16_t>(f.etherType);
        break;
    case RccFrameKind::CORRUPT: // is written as the kind that it was
    case RccFrameKind::TRIMMED: // is written as the beginning of its data frame
        break;
    }
    return w;
}

/// The acknowledgement of selective repeat. \return bytes written
size_t
EncodeSacked(const rcc_wire_frame& w, const rcc_sack& said, uint8_t* out, size_t space)
{
    const rcc_wire_sack sack = {said.bits, rcc_psn_of(said.base), rcc_psn_of(said.missing), said.lost, said.trimmed};
    return rcc_wire_sack_encode(&w, &sack, out, space);
}

} // namespace

uint32_t
RccWire::Write(const RccFrame& frame, uint32_t sender, uint8_t* out)
{
    static thread_local rcc_crc_zeros zeros; // most payloads of a run have one length
    const uint32_t size = frame.bytes - FCS_BYTES;
    if (frame.kind == RccFrameKind::CORRUPT)
    {
        RccFrame sound = frame;
        sound.kind = static_cast<RccFrameKind>(frame.tag.was);
        Write(sound, sender, out);
        out[size - 1] ^= 1u; // the last byte of the ICRC or of the padding becomes wrong
        return size;
    }
    if (frame.kind == RccFrameKind::TRIMMED)
    {
        RccFrame whole = frame;
        whole.kind = RccFrameKind::DATA;
        whole.bytes = frame.payload + HEADERS_MOST; // the trimmed frame is the beginning of these bytes
        std::vector<uint8_t> bytes(whole.bytes);
        Write(whole, sender, bytes.data());
        std::copy_n(bytes.begin(), size, out);
        return size;
    }
    uint8_t extension[RCC_WIRE_EXTENSION_MAX];
    const rcc_wire_frame w = ToWire(frame, sender, extension);
    auto written = static_cast<uint32_t>(frame.sacked ? EncodeSacked(w, frame.path->sack, out, size)
                                                      : rcc_wire_encode(&w, out, size, &zeros));
    NS_ASSERT_MSG(written > 0, "a frame of " << frame.bytes << " bytes cannot hold a payload of " << frame.payload);
    if (frame.kind == RccFrameKind::IP && frame.packet)
    {
        const uint32_t bytes = frame.packet->CopyData(out + written, size - written);
        rcc_wire_ip_set_ecn(out + written, bytes, static_cast<uint16_t>(frame.etherType),
                            static_cast<uint8_t>(frame.ecn));
        written += bytes;
    }
    std::memset(out + written, 0, size - written);
    return size;
}

Ipv4Address
RccWire::AddressOf(uint32_t node)
{
    return Ipv4Address(Ipv4NumberOf(node));
}

uint32_t
RccWire::NodeOf(Ipv4Address address)
{
    const uint32_t above = address.Get() - Ipv4NumberOf(0);
    return above & 0xff ? UINT32_MAX : above >> 8;
}

Mac48Address
RccWire::MacOf(uint32_t node, uint32_t port)
{
    return MacFromNumber(MacNumberOf(node, port));
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
    for (int i = 0; i < 6; i++)
    {
        bytes[i] = static_cast<uint8_t>(number >> (40 - 8 * i));
    }
    Mac48Address mac;
    mac.CopyFrom(bytes);
    return mac;
}

} // namespace ns3
