/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The token bucket between a reaction point and the wire. */
#include "rcc_port.h"

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Bytes of a tick at the current rate; the product of 16 Tb/s and a millisecond fits 64 bits. */
static int64_t tick_bytes(const struct rcc_bucket *bucket, const struct rcc_rp *rp)
{
    const uint64_t bytes = rcc_rp_rate(rp) * (uint64_t)bucket->interval / 8000000000;
    return bytes > 1 ? (int64_t)bytes : 1;
}

struct rcc_tokens rcc_bucket_start(const struct rcc_bucket *bucket, rcc_time now)
{
    struct rcc_tokens tokens;
    tokens.bytes = bucket->size;
    tokens.filled = now / bucket->interval * bucket->interval;
    return tokens;
}

void rcc_bucket_fill(const struct rcc_bucket *bucket, struct rcc_tokens *tokens, struct rcc_rp *rp, rcc_time now)
{
    while (now - tokens->filled >= bucket->interval)
    {
        const rcc_time step = rcc_rp_next_step(rp);
        const int64_t ticks = (lesser(now, step - 1) - tokens->filled) / bucket->interval;
        int64_t enough;
        if (ticks <= 0)
        {
            rcc_rp_advance(rp, step);
            continue;
        }
        /* a bucket of 2^30 bytes with the debt of a frame is full after so many ticks: the product fits 63 bits */
        enough = lesser(ticks, (int64_t)bucket->size + RCC_FRAME_MAX);
        tokens->bytes = lesser(bucket->size, tokens->bytes + enough * tick_bytes(bucket, rp));
        tokens->filled += ticks * bucket->interval;
    }
    rcc_rp_advance(rp, now);
}

rcc_time rcc_bucket_next_send(const struct rcc_bucket *bucket, const struct rcc_tokens *tokens, const struct rcc_rp *rp,
                              uint32_t bytes)
{
    union {
        struct rcc_rp rp;
        unsigned char byte[RCC_RP_SIZE_MAX];
    } copy;
    const unsigned char *byte = (const unsigned char *)rp;
    const size_t size = rcc_rp_size(rp->profile->alg);
    struct rcc_rp *ahead = &copy.rp;
    int64_t missing = (bucket->debt ? 1 : (int64_t)bytes) - tokens->bytes;
    rcc_time filled = tokens->filled;
    if (missing <= 0)
        return rp->now;
    /* The rate steps are applied to a copy, as in rcc_rp_next_send. */
    for (size_t i = 0; i < size; i++)
        copy.byte[i] = byte[i];
    ahead->pause = NULL;
    for (;;)
    {
        const rcc_time step = rcc_rp_next_step(ahead);
        const int64_t per = tick_bytes(bucket, ahead);
        int64_t ticks = (missing + per - 1) / per;
        if (filled + ticks * bucket->interval < step)
            return filled + ticks * bucket->interval;
        ticks = (step - 1 - filled) / bucket->interval;
        missing -= ticks * per;
        filled += ticks * bucket->interval;
        rcc_rp_advance(ahead, step);
    }
}
