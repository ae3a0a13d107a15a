/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN's rate timer computes many steps at once: the result must be bit-identical to single steps, in every state. */
#include "dcqcn.h"
#include "fixed.h"
#include "helpers.h"

#include <string.h>

#define STEPS_MAX 200
#define DEBT ((int64_t)1 << 62)

struct timer
{
    struct rig rig;
    struct dcqcn_profile *p;
    struct dcqcn_rp *d;
};

/* A number equal to `edge` or next to it. */
static int64_t near(struct rng *rng, int64_t edge)
{
    return edge + rng_range(rng, -2, 2);
}

static uint64_t clamp(int64_t value, uint64_t most)
{
    return value < 0 ? 0 : (uint64_t)value < most ? (uint64_t)value : most;
}

static void draw_profile(struct dcqcn_profile *p, struct rng *rng)
{
    p->timer =
        rng_chance(rng, 20) ? near(rng, (int64_t)1 << rng_range(rng, 18, 22)) : rng_log_range(rng, 1 * US, 10 * MS);
    p->timer_inverse = rcc_inverse(p->timer);
    p->ramps = !p->base.frozen && p->timer < INT64_MAX / (int64_t)(p->line >> RCC_RATE_SHIFT);
    p->f = (uint32_t)rng_range(rng, 1, rng_chance(rng, 20) ? 100 : 6);
    p->r_ai = rng_chance(rng, 20) ? 0 : (uint64_t)rng_log_range(rng, 1, (int64_t)p->line);
    p->r_hai = rng_chance(rng, 20) ? 0 : (uint64_t)rng_log_range(rng, 1, (int64_t)p->line);
    if (rng_chance(rng, 20))
        p->r_hai = (uint64_t)1 << rng_range(rng, 36, 45);
    p->i_max = rng_chance(rng, 50) ? 1 : RCC_STAGE_MAX;
    p->byte_counter = rng_chance(rng, 50) ? 1000 : 0;
}

static uint32_t draw_stage(const struct dcqcn_profile *p, struct rng *rng)
{
    const uint64_t to_line = p->r_hai != 0 ? p->line / p->r_hai : 0; /* hyper increases of the whole line rate */
    if (to_line < RCC_STAGE_MAX / 2 && rng_chance(rng, 10))
        return (uint32_t)clamp(near(rng, (int64_t)(p->f + to_line)), RCC_STAGE_MAX);
    if (rng_chance(rng, 5)) /* times a power of two: beyond 64 bits, and nothing is left in them */
        return p->f - 1 + ((uint32_t)1 << rng_range(rng, 26, 29));
    if (rng_chance(rng, 3))
        return RCC_STAGE_MAX - (uint32_t)rng_range(rng, 0, 3);
    return (uint32_t)clamp(rng_chance(rng, 50) ? near(rng, p->f) : rng_range(rng, 0, 2 * (int64_t)p->f), RCC_STAGE_MAX);
}

/* RT below the line rate by some increments, RC below RT by a power of two, and the like. */
static void draw_rates(struct dcqcn_rp *d, const struct dcqcn_profile *p, struct rng *rng)
{
    const int64_t line = (int64_t)p->line;
    const uint64_t inc = rng_chance(rng, 50) ? p->r_ai : p->r_hai, room = p->line / (inc != 0 ? inc : 1);
    const uint64_t steps = (uint64_t)rng_range(rng, 0, room < STEPS_MAX ? (int64_t)room : STEPS_MAX);
    uint64_t gap;
    switch (rng_range(rng, 0, 3))
    {
    case 0:
        d->target = p->line;
        break;
    case 1:
        d->target = clamp(line - near(rng, (int64_t)(steps * inc)), p->line);
        break;
    case 2:
        d->target = (uint64_t)rng_log_range(rng, 1, (int64_t)(inc != 0 ? inc : 1));
        break;
    default:
        d->target = clamp(line - rng_log_range(rng, 1, line), p->line);
    }
    gap = rng_chance(rng, 50) ? clamp(near(rng, (int64_t)1 << rng_range(rng, 0, 57)), d->target)
                              : (uint64_t)rng_log_range(rng, 0, (int64_t)d->target);
    if (rng_chance(rng,
                   30)) /* RT - RC stands still at the increment, or one above it; RT meets the line rate exactly */
    {
        d->target = p->line - steps * inc;
        gap = clamp((int64_t)inc + rng_range(rng, 0, 1), d->target);
    }
    if (rng_chance(rng, 10))
        gap = clamp(rng_range(rng, 0, 3), d->target);
    d->rp.rate = d->target - gap;
}

/* RT's increment, eq. 5 to 8; without a byte counter its stages are the timer's. */
static uint64_t increment(const struct dcqcn_profile *p, uint32_t timer, uint32_t bytes)
{
    const uint32_t other = p->byte_counter != 0 ? bytes : timer;
    const uint32_t least = timer < other ? timer : other, most = timer < other ? other : timer;
    if (most < p->f)
        return 0;
    if (least <= p->f)
        return p->r_ai;
    if (p->i_max == 1)
        return p->r_hai;
    return p->r_hai > p->line / (least - p->f) ? p->line : (least - p->f) * p->r_hai;
}

/* One step as in the paper. */
static void one_step(struct dcqcn_rp *d, const struct dcqcn_profile *p)
{
    d->timer_at += p->timer;
    rcc_rp_settle(&d->rp, d->timer_at);
    d->time_stage = rcc_stage_add(d->time_stage, 1);
    d->rp.rate = rcc_rp_halfway(d->rp.rate, &d->target, increment(p, d->time_stage, d->byte_stage), p->line, p->line);
}

/* Debt that is paid in so many steps and a part of the next one, plus or minus at most that of a nanosecond. */
static int64_t draw_debt(const struct timer *t, struct rng *rng)
{
    const int64_t steps = rng_chance(rng, 50) ? rng_range(rng, 0, 4) : rng_range(rng, 0, STEPS_MAX);
    struct dcqcn_rp ahead = *t->d;
    int64_t debt, pace;
    if (rng_chance(rng, 20))
        return 0;
    ahead.rp.debt = DEBT;
    for (int64_t i = 0; i < steps && ahead.rp.debt > DEBT / 2; i++)
        one_step(&ahead, t->p);
    pace = rcc_rp_pace(ahead.rp.rate);
    if (rng_chance(rng, 30))
        rcc_rp_settle(&ahead.rp, ahead.rp.paced_at + rng_range(rng, 0, t->p->timer));
    debt = DEBT - ahead.rp.debt;
    debt += rng_chance(rng, 50) ? rng_range(rng, -1, 1) : near(rng, rng_chance(rng, 50) ? pace : 0);
    return debt > 0 ? debt : 0;
}

static void draw(struct timer *t, struct rng *rng)
{
    static const uint64_t lines[] = {1 * GBPS, 10 * GBPS, 100 * GBPS, 4000 * GBPS, RCC_LINE_RATE_MAX};
    rig_init(&t->rig, "dcqcn-nic", NULL, lines[rng_range(rng, 0, 4)]);
    rig_set(&t->rig, "pacing", rng_chance(rng, 25));
    rig_start(&t->rig, 0, 1);
    t->p = t->rig.rp_profile_memory;
    t->d = (struct dcqcn_rp *)t->rig.rp;
    draw_profile(t->p, rng);
    draw_rates(t->d, t->p, rng);
    t->d->limited = true;
    t->d->time_stage = draw_stage(t->p, rng);
    t->d->byte_stage = draw_stage(t->p, rng);
    t->d->timer_at = 1 * SEC;
    t->d->rp.paced_at = 1 * SEC;
    switch (rng_range(rng, 0, 2))
    {
    case 0: /* a packet left in the running period */
        t->d->rp.paced_at += rng_range(rng, 0, t->p->timer - 1);
        break;
    case 1: /* the rate stood still for some periods */
        t->d->rp.paced_at -= rng_log_range(rng, 0, 1 * SEC);
        break;
    default:
        break;
    }
    t->d->rp.debt = draw_debt(t, rng);
    t->d->rp.now = t->d->rp.paced_at > t->d->timer_at ? t->d->rp.paced_at : t->d->timer_at;
}

/* A number of steps, often about that in which RT reaches the line rate. */
static int64_t draw_steps(const struct timer *t, struct rng *rng)
{
    const uint64_t inc = increment(t->p, t->d->time_stage, t->d->byte_stage);
    if (rng_chance(rng, 30))
        return near(rng, 64);
    if (rng_chance(rng, 50) && inc != 0)
        return 1 + (int64_t)clamp(near(rng, (int64_t)((t->p->line - t->d->target) / inc)), STEPS_MAX);
    return rng_log_range(rng, 1, STEPS_MAX);
}

START_TEST(many_steps_are_one_after_the_other)
{
    for (uint64_t seed = 0; seed < rounds(80000); seed++)
    {
        struct rng rng = {seed};
        struct timer t;
        struct dcqcn_rp one;
        int64_t steps;
        rcc_time now;
        draw(&t, &rng);
        one = *t.d;
        steps = draw_steps(&t, &rng);
        now = t.d->timer_at + steps * t.p->timer + rng_range(&rng, 0, t.p->timer - 1);
        for (int64_t i = 0; i < steps; i++)
            one_step(&one, t.p);
        rcc_dcqcn_rp_advance(t.rig.rp, now);
        rcc_rp_settle(&one.rp, now);
        rcc_rp_settle(&t.d->rp, now);
        CHECK(t.d->rp.rate == one.rp.rate && t.d->target == one.target,
              "seed %llu: RC %llu RT %llu, expected %llu %llu", (unsigned long long)seed,
              (unsigned long long)t.d->rp.rate, (unsigned long long)t.d->target, (unsigned long long)one.rp.rate,
              (unsigned long long)one.target);
        CHECK(t.d->rp.debt == one.rp.debt && t.d->rp.paced_at == one.rp.paced_at,
              "seed %llu: owed %lld since %lld, expected %lld %lld", (unsigned long long)seed, (long long)t.d->rp.debt,
              (long long)t.d->rp.paced_at, (long long)one.rp.debt, (long long)one.rp.paced_at);
        CHECK(t.d->time_stage == one.time_stage && t.d->timer_at == one.timer_at, "seed %llu: stage or time",
              (unsigned long long)seed);
        rig_free(&t.rig);
    }
}
END_TEST

/* When the next packet may leave, one step after the other. */
static rcc_time next_send(struct dcqcn_rp d, const struct dcqcn_profile *p)
{
    const rcc_time now = d.rp.now;
    rcc_time due = 0;
    for (int i = 0; i < 100 * STEPS_MAX; i++)
    {
        due = d.rp.paced_at + d.rp.debt / rcc_rp_pace(d.rp.rate);
        if (due <= d.timer_at + p->timer || rcc_dcqcn_rp_next_step(&d.rp) == RCC_NEVER)
            return due > now ? due : now;
        one_step(&d, p);
    }
    return RCC_NEVER;
}

START_TEST(looking_ahead_is_one_after_the_other)
{
    for (uint64_t seed = 0; seed < rounds(80000); seed++)
    {
        struct rng rng = {1000000 + seed};
        struct timer t;
        rcc_time want;
        draw(&t, &rng);
        want = t.p->base.frozen ? RCC_NEVER : next_send(*t.d, t.p);
        if (want != RCC_NEVER)
            CHECK(rcc_rp_next_send(t.rig.rp) == want, "seed %llu: %lld, expected %lld", (unsigned long long)seed,
                  (long long)rcc_rp_next_send(t.rig.rp), (long long)want);
        rig_free(&t.rig);
    }
}
END_TEST

/* rcc_rp_next_step is RCC_NEVER exactly if further timer steps change neither RT nor RC. */
START_TEST(no_step_at_rest)
{
    for (uint64_t seed = 0; seed < rounds(80000); seed++)
    {
        struct rng rng = {2000000 + seed};
        struct timer t;
        struct dcqcn_rp later;
        bool rests, changes = false;
        draw(&t, &rng);
        if (rng_chance(&rng, 50))
            t.p->r_ai = t.p->r_hai = 0;
        rests = rcc_rp_next_step(t.rig.rp) == RCC_NEVER;
        later = *t.d;
        for (int i = 0; i < 100; i++)
        {
            one_step(&later, t.p);
            changes = changes || later.rp.rate != t.d->rp.rate || later.target != t.d->target;
        }
        CHECK(!(rests && changes), "seed %llu: a step is missed", (unsigned long long)seed);
        if (t.p->r_ai == 0 && t.p->r_hai == 0 && t.d->time_stage > t.p->f && t.d->time_stage > t.d->byte_stage)
            CHECK(rests == !changes, "seed %llu: a step for nothing", (unsigned long long)seed);
        rig_free(&t.rig);
    }
}
END_TEST

/* Without a limiter, running the timer changes no byte of the state. */
START_TEST(without_a_limiter_the_timer_stands)
{
    struct rng rng = {1};
    struct timer t;
    struct dcqcn_rp before;
    draw(&t, &rng);
    t.d->limited = false;
    memcpy(&before, t.d, sizeof before);
    rcc_dcqcn_rp_advance(t.rig.rp, 2 * SEC);
    ck_assert_mem_eq(t.d, &before, sizeof before);
    rig_free(&t.rig);
}
END_TEST

Suite *suite_dcqcn_timer(void)
{
    Suite *s = suite_create("dcqcn-timer");
    TCase *tc = tcase_create("many steps at once");
    tcase_add_test(tc, many_steps_are_one_after_the_other);
    tcase_add_test(tc, looking_ahead_is_one_after_the_other);
    tcase_add_test(tc, no_step_at_rest);
    tcase_add_test(tc, without_a_limiter_the_timer_stands);
    suite_add_tcase(s, tc);
    return s;
}
