/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN's rate timer: the stages of rate increase, and many of its steps at once
 * with the same bits as one after the other.
 */
#include "dcqcn.h"

/* Rates below 2^42 bit/s times such a period, ns, keep the pacer's product in 63 bits. */
#define RAMP_PERIOD_MAX ((rcc_time)1 << 21)

/* RT's increment for the present stages. */
static uint64_t increment(const struct dcqcn_rp *d, const struct dcqcn_profile *p)
{
    uint32_t ts = d->time_stage, bs = p->byte_counter != 0 ? d->byte_stage : ts;
    uint32_t low = ts < bs ? ts : bs, high = ts < bs ? bs : ts;
    if (high < p->f)
        return 0; /* fast recovery, eq. 5 */
    if (low <= p->f)
        return p->r_ai; /* additive increase, eq. 6 */
    if (p->hai_steps == HAI_STEPS_CONSTANT)
        return p->r_hai;
    if (p->r_hai != 0 && low - p->f > p->line / p->r_hai)
        return p->line;
    return (low - p->f) * p->r_hai; /* hyper increase, eq. 8 */
}

/* True if the increment of RT stays what it is at every timer step from here on. */
static bool is_constant(const struct dcqcn_rp *d, const struct dcqcn_profile *p)
{
    return p->byte_counter != 0 ? d->time_stage >= p->f && d->time_stage > d->byte_stage
                                : d->time_stage > p->f && (p->r_hai == 0 || p->hai_steps == HAI_STEPS_CONSTANT);
}

bool dcqcn_at_rest(const struct dcqcn_rp *d, const struct dcqcn_profile *p)
{
    if (d->target == p->line)
        return d->rp.rate == p->line;
    return d->target - d->rp.rate <= 1 && is_constant(d, p) && increment(d, p) == 0;
}

uint64_t dcqcn_increase(struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time t)
{
    uint64_t inc = increment(d, p);
    uint64_t rate = rcc_rp_halfway(d->rp.rate, &d->target, inc, p->line, p->line);
    d->increased = true;
    rcc_rp_set_rate(&d->rp, t, rate);
    return inc;
}

/* Timer steps that are certain to repeat the last one: once RT - RC stands still,
 * both rates grow by the same increment until RT meets the line rate or the
 * phase changes. Returns how many of the `left` steps were applied. */
static uint64_t leap(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t inc, uint64_t gap, uint64_t left)
{
    bool settled = d->target - d->rp.rate == gap && rcc_rp_is_paid(&d->rp);
    uint64_t steps, room;
    if (!settled || inc == 0 || !is_constant(d, p) || d->target == p->line || increment(d, p) != inc)
        return 0;
    room = (p->line - d->target) / inc;
    steps = room < left ? room : left;
    steps -= steps != 0 ? 1 : 0; /* the step that meets the cap is done the long way */
    d->target += steps * inc;
    d->rp.rate += steps * inc;
    return steps;
}

/*
 * Up to `left` timer steps in a row with the pacer paid at each, the bits of step
 * by step: a slow flow takes dozens between two packets. With `ahead` it ends
 * with the period in which the next packet may leave. Returns how many it took;
 * the times move by as many periods.
 */
static uint64_t ramp(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t left, bool ahead)
{
    uint64_t rate = d->rp.rate, target = d->target, gap = target - rate, before = gap + 1, inc = 0, n = 0;
    bool constant = false;
    int64_t debt;
    if (d->rp.frozen || p->timer >= RAMP_PERIOD_MAX)
        return 0;
    rcc_rp_settle(&d->rp, d->timer_at);
    debt = d->rp.debt;
    /* at rest, or settled and paid, all the rest is one leap */
    while (n < left && gap > 1 && (debt != 0 || gap != before))
    {
        int64_t pace = rcc_rp_pace(rate), paid = pace * p->timer;
        if (ahead && debt < paid + pace)
            break; /* it leaves before the next step: less than a nanosecond's worth is owed by then */
        debt = debt > paid ? debt - paid : 0;
        d->time_stage = rcc_stage_add(d->time_stage, 1);
        if (!constant)
        {
            inc = increment(d, p);
            constant = is_constant(d, p);
        }
        rate = rcc_rp_halfway(rate, &target, inc, p->line, p->line);
        before = gap;
        gap = target - rate;
        n++;
    }
    d->rp.rate = rate;
    d->target = target;
    d->rp.debt = debt;
    d->timer_at += (rcc_time)n * p->timer;
    d->rp.paced_at = d->timer_at;
    return n;
}

void dcqcn_run_timer(struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time now)
{
    if (!d->limited)
        return;
    while (now - d->timer_at >= p->timer)
    {
        uint64_t gap = d->target - d->rp.rate, inc, left, skip;
        d->timer_at += p->timer;
        d->time_stage = rcc_stage_add(d->time_stage, 1);
        inc = dcqcn_increase(d, p, d->timer_at);
        left = (uint64_t)((now - d->timer_at) / p->timer);
        if (left == 0)
            break;
        skip = dcqcn_at_rest(d, p) ? left : leap(d, p, inc, gap, left);
        d->timer_at += (rcc_time)skip * p->timer;
        d->time_stage = rcc_stage_add(d->time_stage, skip);
        if (skip != 0)
            rcc_rp_settle(&d->rp, d->timer_at);
        else
            ramp(d, p, left, false);
    }
}

void dcqcn_run_ahead(struct dcqcn_rp *d, const struct dcqcn_profile *p)
{
    d->timer_at += p->timer;
    d->time_stage = rcc_stage_add(d->time_stage, 1);
    dcqcn_increase(d, p, d->timer_at);
    ramp(d, p, (uint64_t)((RCC_NEVER - d->timer_at) / p->timer), true);
}
