/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN's rate timer: the stages of rate increase, and many of its steps at once
 * with the same bits as one after the other.
 */
#include "dcqcn.h"

/* Rates below 2^42 bit/s times such a period, ns, keep the pacer's product in 63 bits. */
#define RAMP_PERIOD_MAX ((rcc_time)1 << 21)

/* Rates are below 2^58: so many halvings leave at most 1 of any difference. */
#define HALVINGS_MAX 63

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
    d->increased = d->increased || p->time_counts;
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
    room = (p->line - 1 - d->target) / inc; /* the step that meets the line rate is done the long way */
    steps = room < left ? room : left;
    d->target += steps * inc;
    d->rp.rate += steps * inc;
    return steps;
}

/* Steps whose increment of RT is the same, and which leave RT on the same side of the line rate. */
struct run
{
    uint64_t inc;
    uint64_t steps; /* at least 1; 1 if RT meets the line rate */
    unsigned up;    /* 1: RT is the line rate then, where the half of RT - RC is rounded up */
};

/* The next steps of at most `left` that are alike. */
static struct run next_run(const struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t left)
{
    const uint32_t first = rcc_stage_add(d->time_stage, 1);
    const bool capped = d->target >= p->line;
    struct run run = {0, left, capped ? 1 : 0};
    if (!capped)
    {
        run.inc = increment(p, first, d->byte_stage);
        if (!is_constant(p, first, d->byte_stage)) /* to the end of fast recovery */
            run.steps = first < p->f && d->byte_stage < p->f ? p->f - first : 1;
        if (run.inc >= p->line - d->target) /* the step that meets the line rate */
            return (struct run){p->line - d->target, 1, 1};
        if (run.inc != 0 && run.steps != 1 && (p->line - 1 - d->target) / run.inc < run.steps)
            run.steps = (p->line - 1 - d->target) / run.inc;
    }
    run.steps = run.steps < left ? run.steps : left;
    if (run.inc == 0 && run.steps > HALVINGS_MAX) /* RC has met an RT that stands still */
        run.steps = HALVINGS_MAX;
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
 * The steps of a run: RT - RC follows g' = ceil((g + inc) / 2), so that g - inc is halved each time. With the pacer
 * paid they are one formula. Returns how many it took.
 */
static uint64_t take_run(struct dcqcn_rp *d, const struct dcqcn_profile *p, const struct run *run, bool ahead)
{
    const uint64_t inc = run->inc, most = run->steps, up = run->up;
    uint64_t rate = d->rp.rate, gap = d->target - rate, n = 0;
    int64_t debt = d->rp.debt;
    for (; n < most && debt != 0; n++)
    {
        const int64_t pace = rcc_rp_pace(rate), paid = pace * p->timer;
        uint64_t half;
        if (ahead && debt < paid + pace)
            break; /* it leaves before the next step: less than a nanosecond's worth is owed by then */
        debt = debt > paid ? debt - paid : 0;
        gap += inc;
        half = (gap + up) >> 1;
        rate += half;
        gap -= half;
    }
    d->target += n * inc;
    if (debt == 0 && n < most && !ahead)
    {
        const uint64_t rest = most - n;
        d->target += rest * inc;
        if (up != 0)
            gap = (gap + inc) >> rest;
        else
            gap = inc + (uint64_t)halved((int64_t)gap - (int64_t)inc, rest);
        n = most;
    }
    d->rp.rate = d->target - gap;
    d->rp.debt = debt;
    return n;
}

/*
 * Up to `most` timer steps in a row, the bits of step by step: a slow flow takes dozens between two packets. With
 * `ahead` it ends with the period in which the next packet may leave. The times move by as many periods as it took.
 * Unless the pacer is paid, it must not have been settled beyond the timer's last step. Returns how many steps it took.
 */
static uint64_t ramp(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t most, bool ahead)
{
    uint64_t left = most;
    if (d->rp.frozen || p->timer >= RAMP_PERIOD_MAX)
        return 0;
    rcc_rp_settle(&d->rp, d->timer_at);
    while (left != 0 && d->target - d->rp.rate > 1)
    {
        const struct run run = next_run(d, p, left);
        const uint64_t n = take_run(d, p, &run, ahead);
        d->time_stage = rcc_stage_add(d->time_stage, n);
        d->timer_at += (rcc_time)n * p->timer;
        d->rp.paced_at = d->timer_at;
        left -= n;
        if (n < run.steps)
            break; /* ahead: the packet leaves */
    }
    return most - left;
}

/* Timer steps that change no rate, or that leap() has applied. */
static void pass(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t steps)
{
    d->timer_at += (rcc_time)steps * p->timer;
    d->time_stage = rcc_stage_add(d->time_stage, steps);
}

void dcqcn_run_timer(struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time now)
{
    if (!d->limited)
        return;
    while (now - d->timer_at >= p->timer)
    {
        const uint64_t left = (uint64_t)((now - d->timer_at) / p->timer), gap = d->target - d->rp.rate;
        if (d->rp.paced_at > d->timer_at)
            rcc_rp_settle(&d->rp, d->timer_at + p->timer); /* the rate stays until then */
        if (dcqcn_at_rest(d, p))
        {
            pass(d, p, left);
            d->increased = d->increased || p->time_counts;
        }
        else if (left > 1 && (rcc_rp_is_paid(&d->rp) || d->rp.paced_at <= d->timer_at) && ramp(d, p, left, false) != 0)
        {
            d->increased = d->increased || p->time_counts;
        }
        else
        {
            uint64_t inc;
            pass(d, p, 1);
            inc = dcqcn_increase(d, p, d->timer_at);
            if (left > 1)
                pass(d, p, leap(d, p, inc, gap, left - 1));
        }
    }
}

void dcqcn_run_ahead(struct dcqcn_rp *d, const struct dcqcn_profile *p)
{
    d->timer_at += p->timer;
    d->time_stage = rcc_stage_add(d->time_stage, 1);
    dcqcn_increase(d, p, d->timer_at);
    ramp(d, p, (uint64_t)((RCC_NEVER - d->timer_at) / p->timer), true);
}
