/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN's rate cuts, and alpha, which sets their depth. */
#include "dcqcn_common.h"

uint64_t rcc_dcqcn_alpha_at(const struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time t, uint64_t *periods)
{
    const uint64_t n = d->notified ? rcc_periods(t - d->alpha_at, p->alpha_timer, p->alpha_inverse) : 0;
    *periods = n;
    return rcc_mul_q62(d->alpha, n < DCQCN_DECAYS ? p->decay[n] : rcc_pow_q62(p->keep, n));
}

void rcc_dcqcn_run_alpha(struct dcqcn_rp *d, rcc_time t)
{
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    uint64_t periods;
    d->alpha = rcc_dcqcn_alpha_at(d, p, t, &periods);
    d->alpha_at += (rcc_time)periods * p->alpha_timer;
}

void rcc_dcqcn_cut_rate(struct dcqcn_rp *d, rcc_time t)
{
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    const bool first = !d->was_cut;
    const uint64_t part = rcc_mul_q62(d->alpha, p->cut_ratio);
    uint64_t rate = d->rp.rate - rcc_mul_q62(d->rp.rate, part < p->max_cut ? part : p->max_cut); /* eq. 2 */
    if (p->clamp_target || d->increased || first)
        d->target = d->rp.rate; /* eq. 1 */
    if (first && p->first_rate != 0)
        rate = p->first_rate < d->rp.rate ? p->first_rate : d->rp.rate;
    rcc_rp_set_rate(&d->rp, t, rate > p->r_min ? rate : p->r_min); /* eq. 3 */
    d->time_stage = d->byte_stage = 0;
    d->bytes = 0;
    d->timer_at = d->cut_at = t;
    d->notified = d->limited = d->was_cut = true;
    d->increased = false;
}

void rcc_dcqcn_cut(struct dcqcn_rp *d, rcc_time t)
{
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    const bool restarts = p->alpha_restart || !d->was_cut;
    rcc_dcqcn_run_alpha(d, t);
    rcc_dcqcn_cut_rate(d, t);
    d->alpha = rcc_mul_q62(d->alpha, p->keep) + p->g; /* eq. 4 */
    if (restarts)
        d->alpha_at = t;
}
