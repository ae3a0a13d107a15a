/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The pacer of a reaction point.
 *
 * It is a leaky bucket one packet deep. A packet that leaves adds its
 * bits to `debt`; time pays debt at the current rate; the next packet may leave
 * once less than one nanosecond's worth is owed. Paying continuously makes the
 * gap follow a rate change both ways, and what is left below a nanosecond is
 * carried, so the mean rate is exact.
 */
#ifndef RCC_PACER_H
#define RCC_PACER_H

#include "rcc.h"

/* A rate (2^-16 bit/s) as the pacer takes it: bit/s, never 0. */
static inline int64_t rcc_rp_pace(uint64_t rate)
{
    uint64_t bps = (rate + RCC_RATE_ONE / 2) >> RCC_RATE_SHIFT;
    return bps != 0 ? (int64_t)bps : 1;
}

/* Take from what is owed, which is not 0, what `dt` ns at the current rate pay. */
void rcc_rp_pay(struct rcc_rp *rp, rcc_time dt);

/* Pay the pacer for the time from paced_at to t at the current rate. */
static inline void rcc_rp_settle(struct rcc_rp *rp, rcc_time t)
{
    if (t <= rp->paced_at)
        return;
    if (rp->debt != 0)
        rcc_rp_pay(rp, t - rp->paced_at);
    rp->paced_at = t;
}

/* The rate is `rate` (2^-16 bit/s) from t on; what was sent before is paid at the old rate. */
static inline void rcc_rp_set_rate(struct rcc_rp *rp, rcc_time t, uint64_t rate)
{
    if (rate == rp->rate)
        return;
    rcc_rp_settle(rp, t);
    rp->rate = rate;
}

/* True if the pacer is owed nothing, so that skipping over rate changes changes no departure. */
static inline bool rcc_rp_is_paid(const struct rcc_rp *rp)
{
    return rp->debt == 0;
}

#endif /* RCC_PACER_H */
