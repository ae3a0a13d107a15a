/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* In-band telemetry: records of a path to bytes and back. */
#include "layout.h"

#define TIME_BITS 24
#define SENT_BITS 20
#define SENT_UNIT 128u
#define QUEUE_UNIT 80u
#define HOP_BYTES 8u
#define HEAD_BYTES 2u
#define PINT_BYTES HEAD_BYTES
#define WHOLE_SCALE 32u /* from here on SENT_BITS hold all units of 128 x scale bytes that a counter of 32 bits can */

/* Line rates by code, Mb/s. The first five are those of the simulator, and 3 bits have no space but for the first
 * eight; 0 is unknown. */
static const uint32_t rates[16] = {25000,  50000, 100000,  200000, 400000, 0,     10000,   40000,
                                   800000, 1000,  1600000, 2500,   5000,   20000, 3200000, 6400000};

#define RATE_UNKNOWN 5u

/* The code of the rate that is nearest in ratio; of two that are equally near the lower one. */
static unsigned rate_code(uint32_t mbps, unsigned bits)
{
    unsigned best = RATE_UNKNOWN;
    uint64_t over = (uint64_t)1 << 32, under = 1; /* the larger of the two rates by the smaller one is over / under */
    for (unsigned code = 0; code < 1u << bits && mbps != 0; code++)
    {
        const uint64_t high = mbps > rates[code] ? mbps : rates[code], low = mbps > rates[code] ? rates[code] : mbps;
        if (code != RATE_UNKNOWN && high * under < over * low)
        {
            best = code;
            over = high;
            under = low;
        }
    }
    return best;
}

static unsigned queue_bits(uint8_t form)
{
    return form == RCC_INT_FIXED ? 17 : 16;
}

static uint32_t scale_of(uint8_t form, uint16_t scale)
{
    return form == RCC_INT_FIXED && scale != 0 ? scale : 1u;
}

static uint64_t low(uint64_t value, unsigned bits)
{
    return value & (((uint64_t)1 << bits) - 1);
}

uint8_t rcc_wire_int_records(uint8_t form, uint8_t n)
{
    const uint8_t space[] = {0, RCC_PATH_MAX, RCC_WIRE_INT_SLOTS, 1};
    return n < space[form & 3u] ? n : space[form & 3u];
}

uint32_t rcc_wire_int_bytes(uint8_t form, uint8_t n)
{
    switch (form)
    {
    case RCC_INT_PAPER:
        return HEAD_BYTES + HOP_BYTES * rcc_wire_int_records(form, n);
    case RCC_INT_FIXED:
        return HEAD_BYTES + HOP_BYTES * RCC_WIRE_INT_SLOTS;
    case RCC_INT_PINT:
        return PINT_BYTES;
    default:
        return 0;
    }
}

void rcc_wire_int_add(struct rcc_wire_int *path, const struct rcc_hop *hop, uint32_t id)
{
    if (path->form == RCC_INT_PINT)
        path->hop[0] = *hop;
    else if (path->form == RCC_INT_FIXED)
        path->hop[path->n % RCC_WIRE_INT_SLOTS] = *hop;
    else
    {
        if (path->n < RCC_PATH_MAX)
            path->hop[path->n] = *hop;
        path->path_id = (uint16_t)low(path->path_id ^ id, 12); /* the other forms carry none */
    }
    path->n = (uint8_t)(path->n + (path->n != UINT8_MAX));
}

void rcc_wire_int_round(uint8_t form, uint16_t scale, struct rcc_hop *hop)
{
    const uint32_t sent = SENT_UNIT * scale_of(form, scale), queue = QUEUE_UNIT * scale_of(form, scale);
    const uint32_t most = (1u << queue_bits(form)) - 1;
    if (form == RCC_INT_PINT)
        return;
    hop->tx -= hop->tx % sent;
    hop->qlen = (hop->qlen / queue < most ? hop->qlen / queue : most) * queue;
}

uint32_t rcc_wire_int_encode(const struct rcc_wire_int *path, uint8_t *out)
{
    const uint8_t form = path->form;
    const unsigned q_bits = queue_bits(form);
    const uint32_t bytes = rcc_wire_int_bytes(form, path->n), scale = scale_of(form, path->scale);
    const uint64_t most = ((uint64_t)1 << q_bits) - 1;
    if (form == RCC_INT_NONE)
        return 0;
    if (form == RCC_INT_PINT)
    {
        rcc_wire_put(out, low(path->hop[0].qlen, 8 * PINT_BYTES), PINT_BYTES);
        return PINT_BYTES;
    }
    rcc_wire_put(
        out, form == RCC_INT_FIXED ? path->n : (uint64_t)(path->n < 15 ? path->n : 15) << 12 | low(path->path_id, 12),
        HEAD_BYTES);
    for (uint32_t i = 0; HEAD_BYTES + HOP_BYTES * i < bytes; i++)
    {
        const struct rcc_hop *hop = &path->hop[i];
        const uint64_t queue = hop->qlen / (QUEUE_UNIT * scale);
        uint64_t word = 0;
        if (i < rcc_wire_int_records(form, path->n))
            word = (uint64_t)rate_code(hop->rate_mbps, 20 - q_bits) << (TIME_BITS + SENT_BITS + q_bits) |
                   low(hop->ts, TIME_BITS) << (SENT_BITS + q_bits) |
                   low(hop->tx / (SENT_UNIT * scale), SENT_BITS) << q_bits | (queue < most ? queue : most);
        rcc_wire_put(out + HEAD_BYTES + HOP_BYTES * i, word, HOP_BYTES);
    }
    return bytes;
}

uint32_t rcc_wire_int_decode(struct rcc_wire_int *path, const uint8_t *in, size_t bytes, uint32_t now,
                             const struct rcc_hop *before)
{
    const uint8_t form = path->form;
    const unsigned q_bits = queue_bits(form);
    const uint32_t scale = scale_of(form, path->scale);
    struct rcc_wire_int zero = {.form = form, .scale = path->scale};
    uint32_t size;
    *path = zero;
    if (form == RCC_INT_NONE || bytes < HEAD_BYTES)
        return 0;
    if (form == RCC_INT_PINT)
    {
        path->n = 1;
        path->hop[0].qlen = (uint32_t)rcc_wire_get(in, PINT_BYTES);
        return PINT_BYTES;
    }
    path->n =
        (uint8_t)(form == RCC_INT_FIXED ? low(rcc_wire_get(in, HEAD_BYTES), 8) : rcc_wire_get(in, HEAD_BYTES) >> 12);
    path->path_id = (uint16_t)(form == RCC_INT_FIXED ? 0 : low(rcc_wire_get(in, HEAD_BYTES), 12));
    size = rcc_wire_int_bytes(form, path->n);
    if (bytes < size)
        return 0;
    for (uint32_t i = 0; i < rcc_wire_int_records(form, path->n); i++)
    {
        const uint64_t word = rcc_wire_get(in + HEAD_BYTES + HOP_BYTES * i, HOP_BYTES);
        const uint32_t ts = (uint32_t)low(word >> (SENT_BITS + q_bits), TIME_BITS);
        const uint32_t sent = (uint32_t)low(word >> q_bits, SENT_BITS), unit = SENT_UNIT * scale;
        struct rcc_hop *hop = &path->hop[i];
        hop->rate_mbps = rates[word >> (TIME_BITS + SENT_BITS + q_bits)];
        hop->ts = now - (uint32_t)low(now - ts, TIME_BITS); /* the latest such time that is not after `now` */
        hop->tx = sent * unit;
        if (before != NULL && scale < WHOLE_SCALE)
            hop->tx = before[i].tx + (uint32_t)low(sent - before[i].tx / unit, SENT_BITS) * unit;
        hop->qlen = (uint32_t)low(word, q_bits) * QUEUE_UNIT * scale;
    }
    return size;
}
