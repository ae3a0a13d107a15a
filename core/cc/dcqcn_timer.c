/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN's rate timer: the stages of rate increase, and many of its steps at once
 * with the same bits as one after the other.
 */
#include "dcqcn.h"

/* Rates below 2^42 bit/s times such a period, ns, keep the pacer's product in 63 bits. */
#define RAMP_PERIOD_MAX ((rcc_time)1 << 21)

/* RT's increment in these stages of timer and byte counter. */
static uint64_t increment(const struct dcqcn_profile *p, uint32_t ts, uint32_t byte_stage)
{
    uint32_t bs = p->byte_counter != 0 ? byte_stage : ts;
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
static bool is_constant(const struct dcqcn_profile *p, uint32_t ts, uint32_t byte_stage)
{
    return p->byte_counter != 0 ? ts >= p->f && ts > byte_stage
                                : ts > p->f && (p->r_hai == 0 || p->hai_steps == HAI_STEPS_CONSTANT);
}

bool dcqcn_at_rest(const struct dcqcn_rp *d, const struct dcqcn_profile *p)
{
    if (d->target == p->line)
        return d->rp.rate == p->line;
    return d->target - d->rp.rate <= 1 && is_constant(p, d->time_stage, d->byte_stage) &&
           increment(p, d->time_stage, d->byte_stage) == 0;
}

uint64_t dcqcn_increase(struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time t)
{
    uint64_t inc = increment(p, d->time_stage, d->byte_stage);
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
    if (!settled || inc == 0 || d->target == p->line || !is_constant(p, d->time_stage, d->byte_stage) ||
        increment(p, d->time_stage, d->byte_stage) != inc)
        return 0;
    room = (p->line - d->target) / inc;
    steps = room < left ? room : left;
    steps -= steps != 0 ? 1 : 0; /* the step that meets the cap is done the long way */
    d->target += steps * inc;
    d->rp.rate += steps * inc;
    return steps;
}

/*
 * How many of the next `left` steps have the increment of the first one, *inc, and leave RT below the line rate; 0: the
 * next step has to be done the long way.
 */
static uint64_t alike(const struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t left, uint64_t *inc)
{
    const uint32_t first = rcc_stage_add(d->time_stage, 1);
    uint64_t room = left;
    *inc = increment(p, first, d->byte_stage);
    if (d->target >= p->line)
        return 0;
    if (!is_constant(p, first, d->byte_stage))
        room = first < p->f && d->byte_stage < p->f ? p->f - first : 1; /* to the end of fast recovery */
    if (*inc == 0 && room > 64)
        room = 64; /* then RC has met RT */
    if (*inc != 0 && (p->line - 1 - d->target) / *inc < room)
        room = (p->line - 1 - d->target) / *inc;
    return room < left ? room : left;
}

/* ceil(x / 2^n) of a signed number, |x| < 2^62. */
static int64_t halved(int64_t x, uint64_t n)
{
    const uint64_t size = (uint64_t)(x < 0 ? -x : x);
    if (n >= 62)
        return x > 0 ? 1 : 0;
    return x < 0 ? -(int64_t)(size >> n) : (int64_t)((size + ((uint64_t)1 << n) - 1) >> n);
}

/*
 * Steps with the same increment, which leave RT below the line rate: RT - RC follows g' = ceil((g + inc) / 2), so that
 * g - inc is halved each time. With the pacer paid they are one formula.
 */
static uint64_t run_alike(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t inc, uint64_t most, bool ahead)
{
    uint64_t rate = d->rp.rate, gap = d->target - rate, n = 0;
    int64_t debt = d->rp.debt;
    for (; n < most && debt != 0; n++)
    {
        const int64_t pace = rcc_rp_pace(rate), paid = pace * p->timer;
        if (ahead && debt < paid + pace)
            break; /* it leaves before the next step: less than a nanosecond's worth is owed by then */
        debt = debt > paid ? debt - paid : 0;
        gap += inc;
        rate += gap >> 1;
        gap -= gap >> 1;
    }
    d->target += n * inc;
    if (debt == 0 && n < most && !ahead)
    {
        const uint64_t rest = most - n;
        d->target += rest * inc;
        gap = inc + (uint64_t)halved((int64_t)gap - (int64_t)inc, rest);
        n = most;
    }
    d->rp.rate = d->target - gap;
    d->rp.debt = debt;
    return n;
}

/*
 * Up to `left` timer steps in a row, the bits of step by step: a slow flow takes dozens between two packets. With
 * `ahead` it ends with the period in which the next packet may leave. The times move by as many periods as it took.
 */
static void ramp(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t left, bool ahead)
{
    uint64_t inc, most;
    if (d->rp.frozen || p->timer >= RAMP_PERIOD_MAX)
        return;
    rcc_rp_settle(&d->rp, d->timer_at);
    while (left != 0 && d->target - d->rp.rate > 1 && (most = alike(d, p, left, &inc)) != 0)
    {
        const uint64_t n = run_alike(d, p, inc, most, ahead);
        d->time_stage = rcc_stage_add(d->time_stage, n);
        d->timer_at += (rcc_time)n * p->timer;
        d->rp.paced_at = d->timer_at;
        left -= n;
        if (n < most)
            break;
    }
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
