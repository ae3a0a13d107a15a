/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The DCQCN of the simulator of the HPCC paper (Y. Li et al., SIGCOMM 2019), preset
 * `hpcc`. An ACK that echoes CE takes the place of a CNP (parameter notify). A CNP sets
 * two flags. Two periodic timers, which start with the first CNP, consume them: one cuts
 * the rate (cut_rule), the other updates alpha (alpha_rule).
 */
#include "dcqcn_common.h"

static bool is_signal(const struct dcqcn_profile *p, const struct rcc_feedback *feedback)
{
    return p->notify == NOTIFY_ACK_CE ? feedback->kind == RCC_FEEDBACK_ACK && feedback->ce
                                      : feedback->kind == RCC_FEEDBACK_CNP;
}

/* The next multiple of the period, counted from the first CNP, after `now`. */
static rcc_time next_check(const struct dcqcn_rp *d, rcc_time period)
{
    rcc_time checks = (d->rp.now - d->first_at) / period;
    return rcc_time_add(d->first_at + checks * period, period);
}

void rcc_dcqcn_hpcc_feedback(struct dcqcn_rp *d, const struct rcc_feedback *feedback)
{
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    rcc_time now = d->rp.now;
    bool first = !d->notified;
    if (!is_signal(p, feedback))
        return;
    if (first)
    {
        d->notified = true;
        d->first_at = d->alpha_at = now;
    }
    if (p->periodic_alpha)
    {
        rcc_dcqcn_run_alpha(d, now);
        d->raise = !first; /* the first one starts alpha, and moves it no more than that */
    }
    if (p->periodic_cut)
        d->cut_due = d->cut_due == RCC_NEVER ? next_check(d, p->reduce_period) : d->cut_due;
    else if (!d->was_cut || now - d->cut_at >= p->reduce_period)
        rcc_dcqcn_cut(d, now);
}
