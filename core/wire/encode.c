/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Encoder: from struct rcc_wire_frame to bytes. */
#include "layout.h"

/* Append big-endian numbers; `at` advances. */
static inline void put8(uint8_t **at, uint32_t value)
{
    *(*at)++ = (uint8_t)value;
}

static inline void put16(uint8_t **at, uint32_t value)
{
    put8(at, value >> 8);
    put8(at, value);
}

static inline void put24(uint8_t **at, uint32_t value)
{
    put8(at, value >> 16);
    put16(at, value);
}

static inline void put32(uint8_t **at, uint32_t value)
{
    put16(at, value >> 16);
    put16(at, value);
}

static inline void put48(uint8_t **at, uint64_t value)
{
    put16(at, (uint32_t)(value >> 32));
    put32(at, (uint32_t)value);
}

static inline void put64(uint8_t **at, uint64_t value)
{
    put32(at, (uint32_t)(value >> 32));
    put32(at, (uint32_t)value);
}

static inline void put_zeros(uint8_t **at, size_t bytes)
{
    for (uint8_t *end = *at + bytes; *at != end; (*at)++)
        **at = 0;
}

/* Append bytes; `from` NULL: zeros. `from` may be the output position itself. */
static inline void put_bytes(uint8_t **at, const uint8_t *from, size_t bytes)
{
    if (from == NULL)
    {
        put_zeros(at, bytes);
        return;
    }
    if (from != *at)
        for (size_t i = 0; i < bytes; i++)
            (*at)[i] = from[i];
    *at += bytes;
}

uint16_t rcc_wire_ipv4_checksum(const uint8_t *header, size_t bytes)
{
    uint32_t sum = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2)
        sum += (uint32_t)header[i] << 8 | header[i + 1];
    sum = (sum & 0xffffu) + (sum >> 16);
    sum = (sum & 0xffffu) + (sum >> 16);
    return (uint16_t)~sum;
}

uint8_t rcc_wire_data_opcode(bool write, bool first, bool last)
{
    unsigned place =
        first ? (last ? RCC_WIRE_SEND_ONLY : RCC_WIRE_SEND_FIRST) : (last ? RCC_WIRE_SEND_LAST : RCC_WIRE_SEND_MIDDLE);
    return (uint8_t)(write ? RCC_WIRE_WRITE_FIRST + place : place);
}

/* ------------------------------------------------------------------ sizes */

/* Bytes from the IPv4 header to the ICRC; 0 if the frame is not a RoCEv2 packet that can be encoded. */
static size_t roce_bytes(const struct rcc_wire_frame *f)
{
    size_t bytes = ROCE_HEADERS + RCC_WIRE_ICRC;
    switch (f->kind)
    {
    case RCC_WIRE_ACK:
        return f->extension_bytes <= RCC_WIRE_EXTENSION_MAX ? bytes + RCC_WIRE_AETH + f->extension_bytes : 0;
    case RCC_WIRE_CNP:
        return bytes + RCC_WIRE_CNP_RESERVED;
    default:
        if (!rcc_wire_is_data(f->bth.opcode) || f->bth.pad > 3 || f->payload_bytes > UINT16_MAX ||
            f->extension_bytes > RCC_WIRE_EXTENSION_MAX)
            return 0;
        bytes += (rcc_wire_has_reth(f->bth.opcode) ? RCC_WIRE_RETH : 0u) + f->extension_bytes + f->payload_bytes +
                 f->bth.pad;
        return bytes <= UINT16_MAX ? bytes : 0;
    }
}

static size_t at_least(size_t bytes)
{
    return bytes > RCC_WIRE_MIN ? bytes : RCC_WIRE_MIN;
}

size_t rcc_wire_size(const struct rcc_wire_frame *f)
{
    size_t bytes;
    switch (f->kind)
    {
    case RCC_WIRE_DATA:
    case RCC_WIRE_ACK:
    case RCC_WIRE_CNP:
        bytes = roce_bytes(f);
        return bytes > 0 ? rcc_wire_link_bytes(f) + bytes : 0;
    case RCC_WIRE_CNM:
        return f->cnm.msdu == f->payload_bytes ? at_least(rcc_wire_link_bytes(f) + CNM_PDU + f->cnm.msdu) : 0;
    case RCC_WIRE_PFC:
    case RCC_WIRE_PAUSE:
        return RCC_WIRE_MIN;
    case RCC_WIRE_OTHER:
        bytes = rcc_wire_link_bytes(f);
        return f->payload_bytes <= SIZE_MAX - bytes ? bytes + f->payload_bytes : 0;
    }
    return 0;
}

/* ------------------------------------------------------------------ layers */

static void put_link(uint8_t **at, const struct rcc_wire_frame *f, uint32_t ethertype)
{
    put48(at, f->dst);
    put48(at, f->src);
    if (f->vlan_tagged)
    {
        put16(at, ETHERTYPE_VLAN);
        put16(at, f->vlan);
    }
    if (f->cn_tagged)
    {
        put16(at, ETHERTYPE_CN_TAG);
        put16(at, f->cn_flow);
    }
    put16(at, ethertype);
}

static void put_ip_udp(uint8_t **at, const struct rcc_wire_ip *ip, uint32_t bytes)
{
    uint8_t *header = *at, *checksum;
    put8(at, IPV4_VERSION_5_WORDS);
    put8(at, ip->tos);
    put16(at, bytes);
    put16(at, ip->id);
    put16(at, IPV4_DONT_FRAGMENT);
    put8(at, ip->ttl);
    put8(at, IPV4_UDP);
    checksum = *at;
    put16(at, 0);
    put32(at, ip->src);
    put32(at, ip->dst);
    put16(&checksum, rcc_wire_ipv4_checksum(header, RCC_WIRE_IPV4));

    put16(at, ip->src_port);
    put16(at, RCC_WIRE_ROCE_PORT);
    put16(at, bytes - RCC_WIRE_IPV4);
    put16(at, 0);
}

static void put_bth(uint8_t **at, const struct rcc_wire_bth *b, uint32_t opcode, uint32_t pad)
{
    put8(at, opcode);
    put8(at, (b->solicited ? BTH_SOLICITED : 0u) | (b->migrated ? BTH_MIGRATED : 0u) | pad << 4);
    put16(at, b->p_key);
    put8(at, (b->fecn ? BTH_FECN : 0u) | (b->becn ? BTH_BECN : 0u));
    put24(at, b->qp);
    put8(at, b->ack_request ? BTH_ACK_REQUEST : 0u);
    put24(at, b->psn);
}

/* Encode the headers after the BTH. Returns the number of zeros that must follow before the ICRC. */
static size_t put_extension(uint8_t **at, const struct rcc_wire_frame *f)
{
    switch (f->kind)
    {
    case RCC_WIRE_ACK:
        put8(at, f->syndrome);
        put24(at, f->msn);
        put_bytes(at, f->extension, f->extension_bytes);
        return 0;
    case RCC_WIRE_CNP:
        put32(at, f->period_ns);
        return RCC_WIRE_CNP_RESERVED - 4;
    default:
        if (rcc_wire_has_reth(f->bth.opcode))
        {
            put64(at, f->reth.address);
            put32(at, f->reth.r_key);
            put32(at, f->reth.length);
        }
        put_bytes(at, f->extension, f->extension_bytes);
        return f->bth.pad + (f->payload == NULL ? f->payload_bytes : 0u);
    }
}

static void put_roce(uint8_t *out, const struct rcc_wire_frame *f, struct rcc_crc_zeros *cache)
{
    /* Headers are encoded here and then copied: the ICRC reads them, and `out` is usually not in the cache. */
    uint8_t headers[RCC_WIRE_HEADERS_MAX], *at = headers, *ip = headers + rcc_wire_link_bytes(f);
    const uint32_t opcode = f->kind == RCC_WIRE_ACK   ? (uint32_t)RCC_WIRE_ACKNOWLEDGE
                            : f->kind == RCC_WIRE_CNP ? (uint32_t)RCC_WIRE_CONGESTION
                                                      : f->bth.opcode;
    const uint8_t *packet = ip;
    size_t zeros, bytes;
    uint32_t icrc;
    put_link(&at, f, ETHERTYPE_IPV4);
    put_ip_udp(&at, &f->ip, (uint32_t)roce_bytes(f));
    put_bth(&at, &f->bth, opcode, f->kind == RCC_WIRE_DATA ? f->bth.pad : 0u);
    zeros = put_extension(&at, f);
    bytes = (size_t)(at - headers);
    put_bytes(&out, headers, bytes);
    bytes -= (size_t)(ip - headers);
    if (f->kind == RCC_WIRE_DATA && f->payload != NULL)
    {
        packet = out - bytes;
        put_bytes(&out, f->payload, f->payload_bytes);
        bytes += f->payload_bytes;
    }
    icrc = rcc_icrc(packet, bytes, zeros, cache);
    put_zeros(&out, zeros);
    for (unsigned shift = 0; shift < 32; shift += 8)
        put8(&out, icrc >> shift);
}

static void put_cnm(uint8_t **at, const struct rcc_wire_frame *f)
{
    put_link(at, f, ETHERTYPE_CNM);
    put16(at, f->cnm.qfb & 0x3fu); /* version 0, reserved bits 0 */
    put64(at, f->cnm.cpid);
    put16(at, (uint16_t)f->cnm.qoff);
    put16(at, (uint16_t)f->cnm.qdelta);
    put16(at, f->cnm.priority);
    put48(at, f->cnm.dst);
    put16(at, f->cnm.msdu);
    put_bytes(at, f->payload, f->cnm.msdu);
}

static void put_pause(uint8_t **at, const struct rcc_wire_frame *f)
{
    const bool pfc = f->kind == RCC_WIRE_PFC;
    put48(at, f->dst);
    put48(at, f->src);
    put16(at, ETHERTYPE_MAC_CONTROL);
    put16(at, pfc ? MAC_CONTROL_PFC : MAC_CONTROL_PAUSE);
    if (pfc)
        put16(at, f->pause.classes);
    for (unsigned c = 0; c < (pfc ? 8u : 1u); c++)
        put16(at, f->pause.quanta[c]);
}

size_t rcc_wire_encode(const struct rcc_wire_frame *f, uint8_t *out, size_t space, struct rcc_crc_zeros *cache)
{
    const size_t size = rcc_wire_size(f);
    uint8_t *at = out;
    if (size == 0 || size > space)
        return 0;
    switch (f->kind)
    {
    case RCC_WIRE_DATA:
    case RCC_WIRE_ACK:
    case RCC_WIRE_CNP:
        put_roce(out, f, cache);
        return size;
    case RCC_WIRE_CNM:
        put_cnm(&at, f);
        break;
    case RCC_WIRE_PFC:
    case RCC_WIRE_PAUSE:
        put_pause(&at, f);
        break;
    case RCC_WIRE_OTHER:
        put_link(&at, f, f->ethertype);
        put_bytes(&at, f->payload, f->payload_bytes);
        break;
    }
    put_zeros(&at, size - (size_t)(at - out));
    return size;
}
