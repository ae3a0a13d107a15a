/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "wire_helpers.h"

#include <stdlib.h>
#include <string.h>

uint32_t slow_crc(const uint8_t *data, size_t bytes)
{
    uint32_t r = 0xffffffffu;
    for (size_t i = 0; i < bytes; i++)
        for (unsigned bit = 0; bit < 8; bit++)
        {
            bool out = ((r ^ (uint32_t)data[i] >> bit) & 1u) != 0;
            r = (r >> 1) ^ (out ? 0xedb88320u : 0);
        }
    return ~r;
}

uint32_t slow_icrc(const uint8_t *ip, size_t bytes)
{
    static const size_t masked[] = {1, 8, 10, 11, 26, 27, 32};
    static uint8_t copy[8 + 65536];
    memset(copy, 0xff, 8);
    memcpy(copy + 8, ip, bytes);
    for (size_t i = 0; i < sizeof masked / sizeof masked[0]; i++)
        copy[8 + masked[i]] = 0xff;
    return slow_crc(copy, 8 + bytes);
}

size_t from_hex(const char *text, uint8_t *out)
{
    size_t n = 0;
    char digits[3] = "";
    for (size_t have = 0; *text != '\0'; text++)
    {
        if (*text == ' ')
            continue;
        digits[have++] = *text;
        if (have == 2)
        {
            out[n++] = (uint8_t)strtoul(digits, NULL, 16);
            have = 0;
        }
    }
    return n;
}

/* ------------------------------------------------------------------ random frames */

static void random_roce(struct rng *rng, struct rcc_wire_frame *f)
{
    f->ip.src = (uint32_t)rng_next(rng);
    f->ip.dst = (uint32_t)rng_next(rng);
    f->ip.id = (uint16_t)rng_next(rng);
    f->ip.src_port = (uint16_t)rng_next(rng);
    f->ip.tos = (uint8_t)rng_next(rng);
    f->ip.ttl = (uint8_t)rng_next(rng);
    f->bth.qp = (uint32_t)rng_next(rng) & 0xffffffu;
    f->bth.psn = (uint32_t)rng_next(rng) & 0xffffffu;
    f->bth.p_key = (uint16_t)rng_next(rng);
    f->bth.solicited = rng_chance(rng, 50);
    f->bth.migrated = rng_chance(rng, 50);
    f->bth.fecn = rng_chance(rng, 50);
    f->bth.becn = rng_chance(rng, 50);
    f->bth.ack_request = rng_chance(rng, 50);
}

static void random_data(struct rng *rng, struct rcc_wire_frame *f, const uint8_t *payload)
{
    random_roce(rng, f);
    f->bth.opcode = rcc_wire_data_opcode(rng_chance(rng, 50), rng_chance(rng, 50), rng_chance(rng, 50));
    f->bth.pad = (uint8_t)rng_range(rng, 0, 3);
    f->payload_bytes = (size_t)rng_log_range(rng, 0, 9000);
    f->payload = rng_chance(rng, 50) ? payload : NULL;
    if (rcc_wire_has_reth(f->bth.opcode))
    {
        f->reth.address = rng_next(rng);
        f->reth.r_key = (uint32_t)rng_next(rng);
        f->reth.length = (uint32_t)rng_next(rng);
    }
}

static void random_cnm(struct rng *rng, struct rcc_wire_frame *f, const uint8_t *payload)
{
    f->cnm.cpid = rng_next(rng);
    f->cnm.dst = rng_next(rng) >> 16;
    f->cnm.qoff = (int16_t)rng_range(rng, INT16_MIN, INT16_MAX);
    f->cnm.qdelta = (int16_t)rng_range(rng, INT16_MIN, INT16_MAX);
    f->cnm.priority = (uint16_t)rng_next(rng);
    f->cnm.qfb = (uint8_t)rng_range(rng, 0, 63);
    f->cnm.msdu = (uint16_t)rng_range(rng, 0, 64);
    f->payload_bytes = f->cnm.msdu;
    f->payload = payload;
}

struct rcc_wire_frame random_frame(struct rng *rng, const uint8_t *payload)
{
    struct rcc_wire_frame f;
    memset(&f, 0, sizeof f);
    f.kind = (enum rcc_wire_kind)rng_range(rng, RCC_WIRE_DATA, RCC_WIRE_OTHER);
    f.dst = rng_next(rng) >> 16;
    f.src = rng_next(rng) >> 16;
    if (f.kind == RCC_WIRE_PFC || f.kind == RCC_WIRE_PAUSE)
    {
        f.pause.classes = f.kind == RCC_WIRE_PFC ? (uint8_t)rng_next(rng) : 0;
        for (unsigned c = 0; c < (f.kind == RCC_WIRE_PFC ? 8u : 1u); c++)
            f.pause.quanta[c] = (uint16_t)rng_next(rng);
        return f;
    }
    f.vlan_tagged = rng_chance(rng, 50);
    f.vlan = f.vlan_tagged ? (uint16_t)rng_next(rng) : 0;
    f.cn_tagged = rng_chance(rng, 50);
    f.cn_flow = f.cn_tagged ? (uint16_t)rng_next(rng) : 0;
    switch (f.kind)
    {
    case RCC_WIRE_DATA:
        random_data(rng, &f, payload);
        break;
    case RCC_WIRE_ACK:
        random_roce(rng, &f);
        f.bth.opcode = RCC_WIRE_ACKNOWLEDGE;
        f.syndrome = (uint8_t)rng_next(rng);
        f.msn = (uint32_t)rng_next(rng) & 0xffffffu;
        break;
    case RCC_WIRE_CNP:
        random_roce(rng, &f);
        f.bth.opcode = RCC_WIRE_CONGESTION;
        f.period_ns = (uint32_t)rng_next(rng);
        break;
    case RCC_WIRE_CNM:
        random_cnm(rng, &f, payload);
        break;
    default:
        f.ethertype = (uint16_t)rng_range(rng, 0x8810, 0xffff); /* no kind of its own, no tag */
        f.payload_bytes = (size_t)rng_log_range(rng, 0, 9000);
        f.payload = payload;
        break;
    }
    return f;
}

static bool same_payload(const struct rcc_wire_frame *a, const struct rcc_wire_frame *b)
{
    if (a->payload_bytes != b->payload_bytes)
        return false;
    for (size_t i = 0; i < a->payload_bytes; i++)
        if ((a->payload != NULL ? a->payload[i] : 0) != (b->payload != NULL ? b->payload[i] : 0))
            return false;
    return true;
}

bool same_frame(const struct rcc_wire_frame *a, const struct rcc_wire_frame *b)
{
    const bool link = a->kind == b->kind && a->dst == b->dst && a->src == b->src && a->vlan_tagged == b->vlan_tagged &&
                      a->vlan == b->vlan && a->cn_tagged == b->cn_tagged && a->cn_flow == b->cn_flow &&
                      a->ethertype == b->ethertype;
    const bool ip = a->ip.src == b->ip.src && a->ip.dst == b->ip.dst && a->ip.id == b->ip.id &&
                    a->ip.src_port == b->ip.src_port && a->ip.tos == b->ip.tos && a->ip.ttl == b->ip.ttl;
    const bool bth = a->bth.qp == b->bth.qp && a->bth.psn == b->bth.psn && a->bth.p_key == b->bth.p_key &&
                     a->bth.opcode == b->bth.opcode && a->bth.pad == b->bth.pad &&
                     a->bth.solicited == b->bth.solicited && a->bth.migrated == b->bth.migrated &&
                     a->bth.fecn == b->bth.fecn && a->bth.becn == b->bth.becn &&
                     a->bth.ack_request == b->bth.ack_request;
    const bool more = a->reth.address == b->reth.address && a->reth.r_key == b->reth.r_key &&
                      a->reth.length == b->reth.length && a->syndrome == b->syndrome && a->msn == b->msn &&
                      a->period_ns == b->period_ns;
    const bool cnm = a->cnm.cpid == b->cnm.cpid && a->cnm.dst == b->cnm.dst && a->cnm.qoff == b->cnm.qoff &&
                     a->cnm.qdelta == b->cnm.qdelta && a->cnm.priority == b->cnm.priority &&
                     a->cnm.msdu == b->cnm.msdu && a->cnm.qfb == b->cnm.qfb;
    const bool pause =
        a->pause.classes == b->pause.classes && memcmp(a->pause.quanta, b->pause.quanta, sizeof a->pause.quanta) == 0;
    return link && ip && bth && more && cnm && pause && same_payload(a, b);
}
