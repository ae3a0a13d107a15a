/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Decoder: from bytes to struct rcc_wire_frame. */
#include "decode.h"

#include "layout.h"

/* The bytes that are left to read. The take functions advance it; the caller checks `left` before. */
struct reader
{
    const uint8_t *at;
    size_t left;
};

static inline uint32_t take8(struct reader *in)
{
    in->left--;
    return *in->at++;
}

static inline uint32_t take16(struct reader *in)
{
    const uint32_t high = take8(in);
    return high << 8 | take8(in);
}

static inline uint32_t take24(struct reader *in)
{
    const uint32_t high = take8(in);
    return high << 16 | take16(in);
}

static inline uint32_t take32(struct reader *in)
{
    const uint32_t high = take16(in);
    return high << 16 | take16(in);
}

static inline uint64_t take48(struct reader *in)
{
    const uint64_t high = take16(in);
    return high << 32 | take32(in);
}

static inline uint64_t take64(struct reader *in)
{
    const uint64_t high = take32(in);
    return high << 32 | take32(in);
}

static inline int16_t take_signed16(struct reader *in)
{
    const int32_t value = (int32_t)take16(in);
    return (int16_t)(value >= 0x8000 ? value - 0x10000 : value);
}

static void take_rest(struct reader *in, struct rcc_wire_frame *f, size_t bytes)
{
    f->payload = in->at;
    f->payload_bytes = bytes;
}

/* ------------------------------------------------------------------ RoCEv2 */

/* Decode the BTH and the headers and payload after it; the ICRC has already been removed from `in`. */
static enum wire_error take_bth(struct reader *in, struct rcc_wire_frame *f)
{
    struct rcc_wire_bth *b = &f->bth;
    uint32_t flags;
    b->opcode = (uint8_t)take8(in);
    flags = take8(in);
    if ((flags & 0xfu) != 0)
        return WIRE_UNSUPPORTED; /* transport header version */
    b->solicited = (flags & BTH_SOLICITED) != 0;
    b->migrated = (flags & BTH_MIGRATED) != 0;
    b->pad = (uint8_t)(flags >> 4 & 3u);
    b->p_key = (uint16_t)take16(in);
    flags = take8(in);
    b->fecn = (flags & BTH_FECN) != 0;
    b->becn = (flags & BTH_BECN) != 0;
    b->qp = take24(in);
    b->ack_request = (take8(in) & BTH_ACK_REQUEST) != 0;
    b->psn = take24(in);

    if (b->opcode == RCC_WIRE_ACKNOWLEDGE)
    {
        if (in->left != RCC_WIRE_AETH || b->pad != 0)
            return WIRE_BAD_LENGTH;
        f->kind = RCC_WIRE_ACK;
        f->syndrome = (uint8_t)take8(in);
        f->msn = take24(in);
        return WIRE_OK;
    }
    if (b->opcode == RCC_WIRE_CONGESTION)
    {
        if (in->left != RCC_WIRE_CNP_RESERVED || b->pad != 0)
            return WIRE_BAD_LENGTH;
        f->kind = RCC_WIRE_CNP;
        f->period_ns = take32(in);
        return WIRE_OK;
    }
    if (!rcc_wire_is_data(b->opcode))
        return WIRE_UNSUPPORTED;
    f->kind = RCC_WIRE_DATA;
    if (in->left < (rcc_wire_has_reth(b->opcode) ? (size_t)RCC_WIRE_RETH : 0u) + b->pad)
        return WIRE_BAD_LENGTH;
    if (rcc_wire_has_reth(b->opcode))
    {
        f->reth.address = take64(in);
        f->reth.r_key = take32(in);
        f->reth.length = take32(in);
    }
    take_rest(in, f, in->left - b->pad);
    return WIRE_OK;
}

static enum wire_error check_icrc(const uint8_t *ip, size_t bytes)
{
    const uint8_t *end = ip + bytes - RCC_WIRE_ICRC;
    const uint32_t icrc = end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 | (uint32_t)end[3] << 24;
    return icrc == rcc_icrc(ip, bytes - RCC_WIRE_ICRC, 0, NULL) ? WIRE_OK : WIRE_BAD_ICRC;
}

/* Decode an IPv4 packet; its kind is OTHER if it is not UDP to RoCEv2's port. */
static enum wire_error take_ip(struct reader *in, struct rcc_wire_frame *f)
{
    const uint8_t *packet = in->at;
    const bool udp = in->left >= RCC_WIRE_IPV4 + RCC_WIRE_UDP && packet[9] == IPV4_UDP;
    const size_t header = (packet[0] & 0xfu) * (size_t)4, left = in->left;
    size_t bytes;
    enum wire_error error;
    if (!udp || header + 4 > in->left ||
        ((uint32_t)packet[header + 2] << 8 | packet[header + 3]) != RCC_WIRE_ROCE_PORT ||
        ((packet[6] & 0x1fu) | packet[7]) != 0) /* a later fragment has no UDP header */
    {
        f->kind = RCC_WIRE_OTHER;
        f->ethertype = ETHERTYPE_IPV4;
        take_rest(in, f, in->left);
        return WIRE_OK;
    }
    if (take8(in) != IPV4_VERSION_5_WORDS || (packet[6] & 0xa0u) != 0)
        return WIRE_UNSUPPORTED; /* options, or the first of several fragments, or the reserved bit */
    if (rcc_wire_ipv4_checksum(packet, RCC_WIRE_IPV4) != 0)
        return WIRE_BAD_CHECKSUM;
    f->ip.tos = (uint8_t)take8(in);
    bytes = take16(in);
    if (bytes > left)
        return WIRE_TRUNCATED;
    f->ip.id = (uint16_t)take16(in);
    take16(in); /* flags, seen above */
    f->ip.ttl = (uint8_t)take8(in);
    take24(in); /* protocol and checksum, seen above */
    f->ip.src = take32(in);
    f->ip.dst = take32(in);
    f->ip.src_port = (uint16_t)take16(in);
    take16(in); /* destination port */
    if (take16(in) + (size_t)RCC_WIRE_IPV4 != bytes || bytes < ROCE_HEADERS + RCC_WIRE_ICRC)
        return WIRE_BAD_LENGTH;
    take16(in); /* UDP checksum */
    in->left = bytes - RCC_WIRE_IPV4 - RCC_WIRE_UDP - RCC_WIRE_ICRC;
    error = take_bth(in, f);
    return error == WIRE_OK ? check_icrc(packet, bytes) : error;
}

/* ------------------------------------------------------------------ layer 2 */

static enum wire_error take_cnm(struct reader *in, struct rcc_wire_frame *f)
{
    struct rcc_wire_cnm *c = &f->cnm;
    uint32_t first;
    if (in->left < CNM_PDU)
        return WIRE_TRUNCATED;
    f->kind = RCC_WIRE_CNM;
    first = take16(in);
    if (first >> 12 != 0)
        return WIRE_UNSUPPORTED; /* version */
    c->qfb = (uint8_t)(first & 0x3fu);
    c->cpid = take64(in);
    c->qoff = take_signed16(in);
    c->qdelta = take_signed16(in);
    c->priority = (uint16_t)take16(in);
    c->dst = take48(in);
    c->msdu = (uint16_t)take16(in);
    if (c->msdu > in->left)
        return WIRE_TRUNCATED;
    take_rest(in, f, c->msdu);
    return WIRE_OK;
}

static enum wire_error take_mac_control(struct reader *in, struct rcc_wire_frame *f)
{
    uint32_t opcode;
    if (in->left < 2)
        return WIRE_TRUNCATED;
    opcode = take16(in);
    if (opcode != MAC_CONTROL_PFC && opcode != MAC_CONTROL_PAUSE)
        return WIRE_UNSUPPORTED;
    if (in->left + 2 < (opcode == MAC_CONTROL_PFC ? PFC_PDU : PAUSE_PDU))
        return WIRE_TRUNCATED;
    f->kind = opcode == MAC_CONTROL_PFC ? RCC_WIRE_PFC : RCC_WIRE_PAUSE;
    if (f->kind == RCC_WIRE_PAUSE)
    {
        f->pause.quanta[0] = (uint16_t)take16(in);
        return WIRE_OK;
    }
    f->pause.classes = (uint8_t)(take16(in) & 0xffu);
    for (unsigned c = 0; c < 8; c++)
        f->pause.quanta[c] = (uint16_t)take16(in);
    return WIRE_OK;
}

static void clear(void *memory, size_t bytes)
{
    uint8_t *at = (uint8_t *)memory;
    for (size_t i = 0; i < bytes; i++)
        at[i] = 0;
}

enum wire_error wire_decode(const uint8_t *data, size_t bytes, struct rcc_wire_frame *frame)
{
    struct reader in = {data, bytes};
    uint32_t ethertype;
    clear(frame, sizeof *frame);
    frame->kind = RCC_WIRE_OTHER;
    if (bytes < RCC_WIRE_ETHERNET)
        return WIRE_TRUNCATED;
    frame->dst = take48(&in);
    frame->src = take48(&in);
    ethertype = take16(&in);
    if (ethertype == ETHERTYPE_VLAN)
    {
        if (in.left < RCC_WIRE_VLAN)
            return WIRE_TRUNCATED;
        frame->vlan_tagged = true;
        frame->vlan = (uint16_t)take16(&in);
        ethertype = take16(&in);
    }
    if (ethertype == ETHERTYPE_CN_TAG)
    {
        if (in.left < RCC_WIRE_CN_TAG)
            return WIRE_TRUNCATED;
        frame->cn_tagged = true;
        frame->cn_flow = (uint16_t)take16(&in);
        ethertype = take16(&in);
    }
    switch (ethertype)
    {
    case ETHERTYPE_IPV4:
        return in.left > 0 ? take_ip(&in, frame) : WIRE_TRUNCATED;
    case ETHERTYPE_CNM:
        return take_cnm(&in, frame);
    case ETHERTYPE_MAC_CONTROL:
        return frame->vlan_tagged || frame->cn_tagged ? WIRE_UNSUPPORTED : take_mac_control(&in, frame);
    default:
        frame->ethertype = (uint16_t)ethertype;
        take_rest(&in, frame, in.left);
        return WIRE_OK;
    }
}
