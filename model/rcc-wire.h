/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_WIRE_H
#define RCC_WIRE_H

#include "rcc-frame.h"

#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * The bytes of a frame on the wire, for captures and tests; nothing in the
 * simulation depends on them.
 *
 *     DATA         Ethernet, (802.1Q), (CN-TAG), IPv4, UDP, BTH, (RETH), payload of zero bytes, ICRC
 *     ACK, NAK     Ethernet, IPv4, UDP, BTH, AETH, ICRC
 *     CNP          Ethernet, IPv4, UDP, BTH, 16 bytes, ICRC
 *     PFC          Ethernet (8808), opcode 0101, class vector, 8 quanta, padding
 *     PFC as PAUSE Ethernet (8808), opcode 0001, quanta, padding
 *     CNM          Ethernet, CN-TAG, 22E7, CNM PDU, padding
 *     IP           Ethernet, the packet with the ECN bits of the frame, padding
 *
 * All but PFC have an 802.1Q tag where their sender is configured so (QbbNetDevice::VlanId): 8100, the traffic class
 * as priority code point, drop eligible indicator 0, VLAN id. A CN-TAG follows it.
 *
 * All end where the frame check sequence would begin: it is not written, as most
 * network cards do not hand it over either. So a frame has `bytes` - 4 bytes.
 *
 * What a frame does not know is written like this:
 * - MAC addresses are 02:00 and the node id; those of PFC frames 01:80:C2:00:00:01
 *   and the port's node. Switches forward by node and leave addresses and TTL alone.
 * - IPv4: DSCP = 8 x class (the class selector of RFC 2474), TTL 64, DF, and the low
 *   bits of the PSN as identification.
 * - UDP: source port C000 + 14 bits of the flow hash, both ways; no checksum.
 * - BTH: P_Key FFFF, pad count 0 (the model counts no pad bytes), FECN 0. BECN is set
 *   on CNPs and on acknowledgements that echo a CE. Queue pairs: see QpnOfReceiver.
 * - DATA is SEND First, Middle, Last or Only, or RDMA WRITE (RdmaNic::Verb), whose First and Only carry a RETH:
 *   virtual address 0, R_Key 0, DMA length of the message, 2^31 of one that is longer or has no end. The packet with
 *   PSN 0 is the first of its message; that of a later message of the same queue
 *   pair cannot be told from a Middle.
 * - ACK: the PSN is that of the last packet received in order, RccFrame::psn less 1;
 *   syndrome 1F (ACK, credits not used). NAK: the PSN that is missing; syndrome 60.
 *   The message sequence number is 0.
 * - CNP: the period in ns is in the first 4 of the 16 bytes, big-endian; all zero is a
 *   CNP of plain DCQCN.
 * - CNM (IEEE 802.1Qau): from the destination of the sampled frame to its source.
 *   PDU, 24 bytes: version 0 (4 bits), reserved (6), quantised feedback (6), CPID 0 (8
 *   bytes), QOffset and QDelta (2 each, signed, in 64 bytes, saturating), priority 0
 *   (2), destination MAC of the sampled frame (6), MSDU length 0 (2).
 * - CN-TAG: 22E9 and the low 16 bits of the sending queue pair's index, which is what
 *   a CNM returns.
 */
class RccWire
{
  public:
    /// Frame check sequence, which is not written.
    static const uint32_t FCS_BYTES = 4;

    /**
     * Write a frame.
     * \param frame of any kind
     * \param sender node id of the port that put it on this link; PFC frames carry it
     * \param out room for frame.bytes
     * \return bytes written: frame.bytes - FCS_BYTES
     */
    static uint32_t Write(const RccFrame& frame, uint32_t sender, uint8_t* out);

    /**
     * Invariant CRC of a RoCEv2 packet (InfiniBand 7.8.1, A17.3.2).
     * \param ip the packet from its IPv4 header, without options, to the last byte before the ICRC
     * \param bytes of it; at least IPv4, UDP and BTH
     * \param zeros how many more bytes follow, all zero; costs the same however many
     * \return the ICRC; its bytes go on the wire least significant first
     */
    static uint32_t Icrc(const uint8_t* ip, size_t bytes, size_t zeros = 0);

    /// CRC-32 of Ethernet, as zlib's crc32: pass 0 first, then what it returned.
    static uint32_t Crc32(uint32_t crc, const uint8_t* data, size_t bytes);

    /// 11.x.y.1, as ns3-rdma numbers its hosts.
    static Ipv4Address AddressOf(uint32_t node);

    /// 02, the node's port (0 in RDMA frames) and the node id.
    static Mac48Address MacOf(uint32_t node, uint32_t port = 0);

    /// A MAC address as a number.
    static uint64_t MacNumber(Mac48Address mac);
    static Mac48Address MacFromNumber(uint64_t number);

    /// Queue pair number that data to a receive half carries.
    static uint32_t QpnOfReceiver(uint32_t index)
    {
        return (index + 2) & 0x7fffff; // 0 and 1 are the management queue pairs
    }

    /// Queue pair number that answers to a send half carry.
    static uint32_t QpnOfSender(uint32_t index)
    {
        return QpnOfReceiver(index) | 0x800000;
    }
};

} // namespace ns3

#endif /* RCC_WIRE_H */
