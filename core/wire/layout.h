/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Numbers of the formats, for this folder and the decoder of the tests. Not part of the public API. */
#ifndef RCC_WIRE_LAYOUT_H
#define RCC_WIRE_LAYOUT_H

#include "rcc_wire.h"

#define ETHERTYPE_IPV4 0x0800u
#define ETHERTYPE_IPV6 0x86ddu
#define ETHERTYPE_VLAN 0x8100u
#define ETHERTYPE_MAC_CONTROL 0x8808u
#define ETHERTYPE_CNM 0x22e7u
#define ETHERTYPE_CN_TAG 0x22e9u
#define MAC_CONTROL_PAUSE 0x0001u
#define MAC_CONTROL_PFC 0x0101u

#define IPV4_VERSION_5_WORDS 0x45u
#define IPV4_DONT_FRAGMENT 0x4000u
#define IPV4_UDP 17u

#define BTH_SOLICITED 0x80u
#define BTH_MIGRATED 0x40u
#define BTH_FECN 0x80u
#define BTH_BECN 0x40u
#define BTH_ACK_REQUEST 0x80u

#define ROCE_HEADERS (RCC_WIRE_IPV4 + RCC_WIRE_UDP + RCC_WIRE_BTH)
#define CNM_PDU 24u
#define PFC_PDU 20u  /* opcode, class vector, 8 quanta */
#define PAUSE_PDU 4u /* opcode, quanta */

/* A number of up to 8 bytes, the highest first. */
static inline void rcc_wire_put(uint8_t *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = bytes; i-- > 0; value >>= 8)
        out[i] = (uint8_t)value;
}

static inline uint64_t rcc_wire_get(const uint8_t *in, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | in[i];
    return value;
}

/* Bytes between the Ethernet addresses and the end of the ethertype: tags included. */
static inline size_t rcc_wire_link_bytes(const struct rcc_wire_frame *frame)
{
    return (size_t)RCC_WIRE_ETHERNET + (frame->vlan_tagged ? RCC_WIRE_VLAN : 0u) +
           (frame->cn_tagged ? RCC_WIRE_CN_TAG : 0u);
}

static inline bool rcc_wire_is_data(uint8_t opcode)
{
    return opcode <= RCC_WIRE_WRITE_ONLY && (0x5d7u >> opcode & 1u) != 0; /* the eight of enum rcc_wire_opcode */
}

#endif /* RCC_WIRE_LAYOUT_H */
