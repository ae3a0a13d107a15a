/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_WIRE_ADAPTER_H
#define RCC_WIRE_ADAPTER_H

#include "rcc-frame.h"

#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup rcc
 * The bytes of an RccFrame on the wire, for captures and tests; nothing in the simulation depends on them. The formats
 * are those of the core's encoder (rcc_wire.h); this class fills in what an RccFrame does not know:
 *
 * - MAC addresses: see MacOf; those of PFC frames are 01:80:C2:00:00:01 and the sending port's node. Switches forward
 *   by node and leave addresses and TTL alone.
 * - IPv4: DSCP of RccTag, or 8 x class (the class selectors of RFC 2474), TTL 64, the low bits of the PSN as
 * identification.
 * - UDP: source port C000 + 14 bits of the flow's hash, in both directions.
 * - BTH: P_Key FFFF, pad count 0 (the model counts no pad bytes), FECN 0. BECN is set in CNPs and in acknowledgements
 *   that echo a CE. Queue pairs: see QpnOfReceiver.
 * - DATA: SEND, or RDMA WRITE (RdmaNic::Verb) with a RETH of virtual address 0 and R_Key 0 in the first packet; its DMA
 *   length is that of the message, 2^31 if that is longer or has no end. The payload is zeros.
 * - ACK: the PSN of the last packet received in order, RccFrame::psn - 1. NAK: the PSN that is missing. The message
 *   sequence number is 0.
 * - DATA, ACK and NAK of a queue pair with telemetry: the records of rcc_wire_int before the payload or the ICRC. An
 * ACK may have the receiver's delay, 4 bytes, and the hop count, 1 byte, behind them.
 * - ACK with SACK bits and NAK of a queue pair with selective repeat (RdmaNic::Recovery): the SACK header of
 *   rcc_wire_sack.h behind all that, under its opcode. An ACK without SACK bits is one like any other.
 * - CNM: from the destination of the sampled frame to its source. Congestion point id and priority are 0, and no MSDU
 * is enclosed.
 * - CN-TAG: the low 16 bits of the index of the sending queue pair, which is what a CNM returns.
 * - IP: the packet with the ECN bits of the frame, padded to Ethernet's minimum.
 *
 * All but PFC frames have an 802.1Q tag if their sender is configured so (QbbNetDevice::VlanId): the traffic class as
 * priority, drop eligible indicator 0.
 */
class RccWire
{
  public:
    /// Bytes of the frame check sequence, which is not written.
    static const uint32_t FCS_BYTES = 4;

    /**
     * Write a frame.
     * \param frame of any kind
     * \param sender node id of the port that put it on this link; the source address of PFC frames
     * \param out space for frame.bytes bytes
     * \return bytes written: frame.bytes - FCS_BYTES
     */
    static uint32_t Write(const RccFrame& frame, uint32_t sender, uint8_t* out);

    /**
     * \param node node id
     * \return the IPv4 address 11.x.y.1 of a host in RoCEv2 headers, where node = 256 x + y, as in ns3-rdma
     */
    static Ipv4Address AddressOf(uint32_t node);

    /// \return the node that has this address in RoCEv2 headers, UINT32_MAX if no node has it \param address IPv4
    static uint32_t NodeOf(Ipv4Address address);

    /**
     * \param node node id
     * \param port port of the node, 0..255; 0 in RDMA frames
     * \return the MAC address of a port: 02, port, node id
     */
    static Mac48Address MacOf(uint32_t node, uint32_t port = 0);

    /**
     * \param mac MAC address
     * \return the address as a number of 48 bits
     */
    static uint64_t MacNumber(Mac48Address mac);

    /**
     * \param number 48 bits
     * \return the MAC address that MacNumber turns into this number
     */
    static Mac48Address MacFromNumber(uint64_t number);

    /**
     * \param index of a receiving half at its NIC
     * \return the queue pair number, 24 bits, of data sent to it
     */
    static uint32_t QpnOfReceiver(uint32_t index)
    {
        return (index + 2) & 0x7fffff; // 0 and 1 are the management queue pairs
    }

    /**
     * \param index of a sending half at its NIC
     * \return the queue pair number, 24 bits, of acknowledgements and CNPs sent to it
     */
    static uint32_t QpnOfSender(uint32_t index)
    {
        return QpnOfReceiver(index) | 0x800000;
    }
};

} // namespace ns3

#endif /* RCC_WIRE_ADAPTER_H */
