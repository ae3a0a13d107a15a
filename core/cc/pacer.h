/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The pacer of a reaction point.
 *
 * It is a leaky bucket with a depth of one packet. A packet that leaves adds
 * its bits to `debt`, which decreases at the current rate; the next packet may leave
 * when the debt is less than that of one nanosecond. A change of the rate therefore
 * changes the current gap in both directions. The remaining debt is carried over, so
 * the mean rate is exact. With `pacing` latest there is no debt: the gap after a packet
 * is all of its bits at the current rate, also when the rate falls after the gap.
 */
#ifndef RCC_PACER_H
#define RCC_PACER_H

#include "rcc.h"

/* Convert a rate (2^-16 bit/s) to that of the pacer: bit/s, at least 1. */
static inline int64_t rcc_rp_pace(uint64_t rate)
{
    uint64_t bps = (rate + RCC_RATE_ONE / 2) >> RCC_RATE_SHIFT;
    return bps != 0 ? (int64_t)bps : 1;
}

/* Reduce rp->debt, which is not 0, by `dt` ns at the current rate. */
void rcc_rp_pay(struct rcc_rp *rp, rcc_time dt);

/* Reduce the debt for the time from paced_at to t at the current rate. */
static inline void rcc_rp_settle(struct rcc_rp *rp, rcc_time t)
{
    if (t <= rp->paced_at)
        return;
    if (rp->debt != 0)
        rcc_rp_pay(rp, t - rp->paced_at);
    rp->paced_at = t;
}

/* Set the rate to `rate` (2^-16 bit/s) from t on. The time before t counts at the old rate. */
static inline void rcc_rp_set_rate(struct rcc_rp *rp, rcc_time t, uint64_t rate)
{
    if (rate == rp->rate)
        return;
    rcc_rp_settle(rp, t);
    rp->rate = rate;
}

/* True if there is no debt. Rate changes may then be computed together without a change of departure times. */
static inline bool rcc_rp_is_paid(const struct rcc_rp *rp)
{
    return rp->debt == 0;
}

#endif /* RCC_PACER_H */
