/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The part of a reaction point that all algorithms share: the order in which timers,
 * packets and feedback are applied.
 */
#include "roles.h"

/* About 2^13 of the largest frames: a host that ignores the pace cannot overflow the sum. */
#define DEBT_MAX ((int64_t)1 << 62)

static inline const struct rcc_rp_ops *ops_of(const struct rcc_rp *rp)
{
    return rp->profile->alg->rp;
}

size_t rcc_rp_size(const struct rcc_algorithm *alg)
{
    return alg->rp->size;
}

bool rcc_rp_reads_pauses(const struct rcc_algorithm *alg)
{
    return alg->rp->reads_pauses;
}

struct rcc_rp *rcc_rp_start(void *memory, const struct rcc_profile *profile, rcc_time now, uint64_t stream)
{
    struct rcc_rp *rp = (struct rcc_rp *)memory;
    if (memory == NULL || profile == NULL || profile->role != RCC_RP)
        return NULL;
    rcc_clear(memory, profile->alg->rp->size);
    rp->profile = profile;
    rp->stream = stream;
    rp->now = now;
    rp->paced_at = now;
    if (profile->latest)
        ((struct rcc_windowed_rp *)rp)->sent_at = now;
    ops_of(rp)->start(rp);
    return rp;
}

void rcc_rp_advance(struct rcc_rp *rp, rcc_time now)
{
    if (now <= rp->now)
        return;
    if (ops_of(rp)->advance != NULL)
        ops_of(rp)->advance(rp, now);
    rp->now = now;
}

void rcc_rp_sent(struct rcc_rp *rp, rcc_time now, uint32_t bytes)
{
    int64_t bits = 8 * (int64_t)(bytes < RCC_FRAME_MAX ? bytes : RCC_FRAME_MAX);
    rcc_rp_advance(rp, now);
    rcc_rp_settle(rp, rp->now);
    if (rp->profile->frozen)
    {
        rp->debt = bits * 1000000000 / rcc_rp_pace(rp->rate);
    }
    else if (rp->profile->latest)
    {
        struct rcc_windowed_rp *w = (struct rcc_windowed_rp *)rp;
        w->sent_at = rp->now;
        w->sent = bits * 1000000000;
    }
    else /* the remaining debt is added, so that a host which sends early waits longer afterwards */
        rp->debt = bits * 1000000000 + (rp->debt < DEBT_MAX ? rp->debt : DEBT_MAX);
    if (ops_of(rp)->sent != NULL)
        ops_of(rp)->sent(rp, bytes);
}

void rcc_rp_feedback(struct rcc_rp *rp, rcc_time now, const struct rcc_feedback *feedback)
{
    rcc_rp_advance(rp, now);
    if (ops_of(rp)->feedback != NULL)
        ops_of(rp)->feedback(rp, feedback);
}

rcc_time rcc_rp_next_step(const struct rcc_rp *rp)
{
    return ops_of(rp)->next_step != NULL ? ops_of(rp)->next_step(rp) : RCC_NEVER;
}

/* Time at which the next packet may leave at the current rate. */
static rcc_time paid_at(const struct rcc_rp *rp)
{
    const struct rcc_windowed_rp *w = (const struct rcc_windowed_rp *)rp;
    if (rp->debt == 0)
        return rp->profile->latest ? rcc_time_add(w->sent_at, w->sent / rcc_rp_pace(rp->rate)) : rp->paced_at;
    return rcc_time_add(rp->paced_at, rp->profile->frozen ? rp->debt : rp->debt / rcc_rp_pace(rp->rate));
}

rcc_time rcc_rp_next_send(const struct rcc_rp *rp)
{
    union {
        struct rcc_rp rp;
        unsigned char byte[RCC_RP_SIZE_MAX];
    } copy;
    const unsigned char *byte = (const unsigned char *)rp;
    struct rcc_rp *ahead = &copy.rp;
    rcc_time due = paid_at(rp), step;

    if (rp->profile->frozen || due <= rp->now || due <= rcc_rp_next_step(rp))
        return due > rp->now ? due : rp->now;
    /* A timer changes the rate before: advance a copy of the RP. */
    for (size_t i = 0; i < ops_of(rp)->size; i++)
        copy.byte[i] = byte[i];
    ahead->pause = NULL;
    while ((step = rcc_rp_next_step(ahead)) < (due = paid_at(ahead)))
    {
        if (ops_of(rp)->run_ahead != NULL)
            ops_of(rp)->run_ahead(ahead);
        else
            rcc_rp_advance(ahead, step);
    }
    return due > ahead->now ? due : ahead->now;
}

bool rcc_rp_may_send(struct rcc_rp *rp, rcc_time now)
{
    rcc_rp_advance(rp, now);
    return rcc_rp_next_send(rp) <= rp->now;
}

uint64_t rcc_rp_rate(const struct rcc_rp *rp)
{
    return (rp->rate + RCC_RATE_ONE / 2) >> RCC_RATE_SHIFT;
}

void rcc_rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    *target = rp->rate;
    *alpha = 0;
    *state = 0;
    if (ops_of(rp)->observe != NULL)
        ops_of(rp)->observe(rp, target, alpha, state);
}
