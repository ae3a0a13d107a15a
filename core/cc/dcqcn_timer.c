/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * When the rate timer of DCQCN (dcqcn.c) expires. Many expiries are computed at once,
 * with bit-identical results to rcc_dcqcn_timer_expired one by one.
 */
#include "dcqcn.h"

/* True if the increment of RT is the same at all further timer steps. */
static bool is_constant(const struct dcqcn_profile *p, uint32_t ts, uint32_t byte_stage)
{
    if (p->byte_counter != 0)
        return ts >= p->f && ts > byte_stage;
    return ts > p->f && (p->r_hai == 0 || p->i_max == 1);
}

/* True if timer steps change neither RT nor RC: at line rate, or without an increment and with RC = RT. */
static bool at_rest(const struct dcqcn_rp *d, const struct dcqcn_profile *p)
{
    if (d->target == p->line)
        return d->rp.rate == p->line;
    return d->target - d->rp.rate <= 1 && is_constant(p, d->time_stage, d->byte_stage) &&
           rcc_dcqcn_increment(p, d->time_stage, d->byte_stage) == 0;
}

rcc_time rcc_dcqcn_rp_next_step(const struct rcc_rp *rp)
{
    const struct dcqcn_rp *d = (const struct dcqcn_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    return d->limited && !at_rest(d, p) ? rcc_time_add(d->timer_at, p->timer) : RCC_NEVER;
}

/* A run: timer steps with the same increment of RT, all with RT below, or all with RT at, the line rate. */
struct run
{
    uint64_t inc;
    uint64_t steps; /* at least 1; 1 for the step in which RT reaches the line rate */
    unsigned up;    /* 1: RT is the line rate afterwards, and half of RT - RC is rounded up */
};

/* The next run, of at most `left` steps (not 0), with RT at `target`. */
static inline struct run next_run(const struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t target,
                                  uint64_t left)
{
    const uint32_t first = rcc_stage_add(d->time_stage, 1);
    const uint64_t room = p->line - target;
    struct run run = {0, left, 0};
    if (room == 0)
        return (struct run){0, left, 1};
    run.inc = rcc_dcqcn_increment(p, first, d->byte_stage);
    if (run.inc >= room) /* RT reaches the line rate in this step */
        return (struct run){room, 1, 1};
    if (!is_constant(p, first, d->byte_stage)) /* to the end of fast recovery */
        run.steps = first < p->f && d->byte_stage < p->f ? p->f - first : 1;
    run.steps = run.steps < left ? run.steps : left;
    if (run.inc != 0 && run.steps > (room - 1) / run.inc)
        run.steps = (room - 1) / run.inc;
    return run;
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
 * Steps of a flow without debt. RT - RC follows g' = ceil((g + inc) / 2), so that each step halves g - inc: the result
 * of a run is one formula.
 */
static void ramp_paid(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t steps)
{
    uint64_t left = steps, target = d->target, gap = target - d->rp.rate;
    while (left != 0 && target != p->line)
    {
        const struct run run = next_run(d, p, target, left);
        target += run.steps * run.inc;
        if (run.up != 0) /* the step in which RT reaches the line rate */
            gap = (gap + run.inc) >> 1;
        else
            gap = run.inc + (uint64_t)halved((int64_t)gap - (int64_t)run.inc, run.steps);
        d->time_stage = rcc_stage_add(d->time_stage, run.steps);
        left -= run.steps;
    }
    if (target == p->line)
    {
        gap = left < 64 ? gap >> left : 0;
        d->time_stage = rcc_stage_add(d->time_stage, left);
    }
    d->target = target;
    d->rp.rate = target - gap;
    d->timer_at += (rcc_time)steps * p->timer;
}

/*
 * Up to `most` steps of a flow with debt, settled at timer_at: until the debt is 0 or, with `ahead`, until the flow may
 * send before the next step. Returns the number of steps.
 */
static uint64_t ramp_owing(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t most, bool ahead)
{
    uint64_t left = most, rate = d->rp.rate, gap = d->target - rate, n, steps;
    int64_t debt = d->rp.debt;
    if (!p->ramps || gap <= 1)
        return 0;
    do
    {
        const struct run run = next_run(d, p, d->target, left);
        steps = run.steps < 64 ? run.steps : 64; /* enough for RC to reach a constant RT */
        for (n = 0; n < steps && debt != 0; n++)
        {
            const int64_t pace = rcc_rp_pace(rate), paid = pace * p->timer;
            uint64_t half;
            if (ahead && debt < paid + pace)
                break; /* the debt at the next step is less than that of a nanosecond */
            debt = debt > paid ? debt - paid : 0;
            gap += run.inc;
            half = (gap + run.up) >> 1;
            rate += half;
            gap -= half;
        }
        d->target += n * run.inc;
        d->time_stage = rcc_stage_add(d->time_stage, n);
        left -= n;
    } while (n == steps && left != 0 && gap > 1);
    most -= left;
    d->rp.rate = rate;
    d->rp.debt = debt;
    d->timer_at += (rcc_time)most * p->timer;
    d->rp.paced_at = most != 0 ? d->timer_at : d->rp.paced_at;
    return most;
}

void rcc_dcqcn_rp_advance(struct rcc_rp *rp, rcc_time now)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    if (!d->limited)
        return;
    while (now - d->timer_at >= p->timer)
    {
        const uint64_t left = rcc_periods(now - d->timer_at, p->timer, p->timer_inverse);
        const bool sent = d->rp.paced_at > d->timer_at; /* in the running period, in which the rate is constant */
        rcc_rp_settle(&d->rp, sent ? d->timer_at + p->timer : d->timer_at);
        if (rcc_rp_is_paid(&d->rp))
        {
            ramp_paid(d, p, left);
            continue;
        }
        if (!sent && ramp_owing(d, p, left, false) != 0)
            continue;
        rcc_dcqcn_timer_expired(d, p, at_rest(d, p) ? left : 1);
    }
}

void rcc_dcqcn_rp_run_ahead(struct rcc_rp *rp)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    rcc_dcqcn_timer_expired(d, p, 1); /* settles, unless RC has reached RT */
    ramp_owing(d, p, (uint64_t)((RCC_NEVER - d->timer_at) / p->timer), true);
    rp->now = d->timer_at;
}
