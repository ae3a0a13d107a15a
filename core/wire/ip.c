/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Fields of IP packets of the internet stack that a switch reads and writes: traffic class, flow, ECN field. */
#include "layout.h"

#define IPV6_BYTES 40u
#define IP_TCP 6u
#define PORTS_BYTES 4u

static bool is_ipv4(size_t bytes, uint16_t ethertype)
{
    return ethertype == ETHERTYPE_IPV4 && bytes >= RCC_WIRE_IPV4;
}

static bool is_ipv6(size_t bytes, uint16_t ethertype)
{
    return ethertype == ETHERTYPE_IPV6 && bytes >= IPV6_BYTES;
}

uint8_t rcc_wire_ip_class(const uint8_t *packet, size_t bytes, uint16_t ethertype)
{
    if (is_ipv4(bytes, ethertype))
        return packet[1];
    return is_ipv6(bytes, ethertype) ? (uint8_t)(((unsigned)packet[0] << 4 | packet[1] >> 4) & 0xffu) : 0;
}

static uint32_t word(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Hash of addresses, protocol, and the ports at `ports` if they are within the packet. */
static uint32_t hash_flow(const uint8_t *packet, size_t bytes, const uint8_t *addresses, size_t length,
                          uint8_t protocol, size_t ports, uint64_t (*mix)(uint64_t))
{
    const bool has_ports = (protocol == IP_TCP || protocol == IPV4_UDP) && ports + PORTS_BYTES <= bytes;
    uint64_t hash = mix((uint64_t)(has_ports ? word(packet + ports) : 0) << 8 | protocol);
    for (size_t i = 0; i < length; i += 4)
        hash = mix(hash ^ word(addresses + i));
    return (uint32_t)hash;
}

uint32_t rcc_wire_ip_flow(const uint8_t *packet, size_t bytes, uint16_t ethertype, uint64_t (*mix)(uint64_t))
{
    if (is_ipv4(bytes, ethertype))
    {
        const bool whole = ((packet[6] & 0x3fu) | packet[7]) == 0; /* only first fragments have ports: use none */
        return hash_flow(packet, bytes, packet + 12, 8, packet[9], whole ? (packet[0] & 0xfu) * 4u : bytes, mix);
    }
    if (is_ipv6(bytes, ethertype))
        return hash_flow(packet, bytes, packet + 8, 32, packet[6], IPV6_BYTES, mix);
    return 0;
}

void rcc_wire_ip_set_ecn(uint8_t *packet, size_t bytes, uint16_t ethertype, uint8_t ecn)
{
    uint16_t checksum;
    if (is_ipv6(bytes, ethertype))
        packet[1] = (uint8_t)((packet[1] & ~0x30u) | (uint32_t)(ecn & 3u) << 4);
    if (!is_ipv4(bytes, ethertype) || (packet[1] & 3u) == (ecn & 3u))
        return;
    packet[1] = (uint8_t)((packet[1] & ~3u) | (ecn & 3u));
    if (packet[10] == 0 && packet[11] == 0)
        return; /* the packet has no checksum */
    packet[10] = packet[11] = 0;
    checksum =
        rcc_wire_ipv4_checksum(packet, (packet[0] & 0xfu) * 4u <= bytes ? (packet[0] & 0xfu) * 4u : RCC_WIRE_IPV4);
    packet[10] = (uint8_t)(checksum >> 8);
    packet[11] = (uint8_t)checksum;
}
