/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The common part of reaction points: order of events, long silence, pause log. The pacer is in test_pacer.c. */
#include "helpers.h"
#include "roles.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ long silence */

/* One advance over a long silence is the same as many small ones. */
START_TEST(one_advance_is_many)
{
    static const char *const names[] = {"dcqcn", "dcqcn-plus", "qcn", "dcqcn-plus-share"};
    for (uint64_t seed = 0; seed < rounds(30); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        struct rcc_rp *stepped;
        rcc_time end;
        rig_init(&rig, names[_i], NULL, 10 * GBPS);
        if (_i == 0)
        {
            rig_set(&rig, "r_ai", rng_chance(&rng, 30) ? 0 : rng_log_range(&rng, 1, 40000000));
            rig_set(&rig, "r_hai", rng_chance(&rng, 30) ? 0 : rng_log_range(&rng, 1, 40000000));
            rig_set(&rig, "byte_counter", rng_chance(&rng, 30) ? 0 : 1000);
        }
        rig_start(&rig, 0, seed);
        for (int i = 0; i < 20; i++)
        {
            struct rcc_feedback f = own_feedback(&rig, &rng);
            rcc_rp_feedback(rig.rp, i * US, &f);
        }
        for (int64_t n = rng_range(&rng, 0, 20); n > 0; n--)
            rcc_rp_sent(rig.rp, 20 * US, (uint32_t)rng_range(&rng, 64, 1500)); /* byte stages, and some debt */
        stepped = rp_copy(rig.rp);
        end = rng_log_range(&rng, MS, 3 * SEC);
        while (stepped->now < end)
        {
            rcc_time next = stepped->now + rng_log_range(&rng, 1, 2 * MS);
            rcc_rp_advance(stepped, next < end ? next : end);
        }
        rcc_rp_advance(rig.rp, end);
        CHECK(rp_same_state(rig.rp, stepped), "seed %llu: one advance is not many", (unsigned long long)seed);
        free(stepped);
        rig_free(&rig);
    }
}
END_TEST

/* Random parameters of DCQCN's timer. */
static void random_timer(struct rig *rig, struct rng *rng)
{
    rig_set(rig, "timer", rng_log_range(rng, 5 * US, 5 * MS));
    rig_set(rig, "f", rng_log_range(rng, 1, 100));
    rig_set(rig, "r_ai", rng_chance(rng, 20) ? 0 : rng_log_range(rng, 1, 1000000000));
    rig_set(rig, "r_hai", rng_chance(rng, 20) ? 0 : rng_log_range(rng, 1, 1000000000));
    rig_set(rig, "r_min", rng_log_range(rng, 1000000, 100000000));
    if (rcc_field_find(rig->alg, "hai_steps") >= 0)
        rig_set(rig, "hai_steps", rng_range(rng, 0, 1));
    if (rcc_field_find(rig->alg, "byte_counter") >= 0)
        rig_set(rig, "byte_counter", rng_chance(rng, 30) ? 0 : rng_log_range(rng, 1000, 10000000));
    if (rcc_field_find(rig->alg, "pacing") < 0)
        return;
    rig_set(rig, "clamp_target", rng_range(rng, 0, 1));
    rig_set(rig, "pacing", rng_chance(rng, 10));
}

/* Time at which the next packet may leave, computed with a copy that takes single timer steps. */
static rcc_time next_send_by_steps(const struct rcc_rp *rp, uint64_t *steps)
{
    struct rcc_rp *copy = rp_copy(rp);
    rcc_time step, due;
    for (;; ++*steps)
    {
        step = rcc_rp_next_step(copy);
        due = copy->paced_at + (copy->profile->frozen ? copy->debt : copy->debt / rcc_rp_pace(copy->rate));
        if (copy->profile->frozen || due <= step)
            break;
        rcc_rp_advance(copy, step);
    }
    due = due > copy->now ? due : copy->now;
    free(copy);
    return due;
}

/* Sends, signals and silence: many timer steps at once are bit-identical to single steps. */
START_TEST(jumps_are_steps)
{
    static const char *const names[] = {"dcqcn", "dcqcn-nic", "dcqcn-hpcc"};
    uint64_t steps = 0;
    for (uint64_t seed = 0; seed < rounds(300); seed++)
    {
        struct rng rng = {seed + 1000 * (uint64_t)_i};
        struct rig rig;
        struct rcc_rp *stepped;
        rig_init(&rig, names[_i], NULL, rng_log_range(&rng, 1, 1600) * GBPS);
        random_timer(&rig, &rng);
        if (!rig_try_start(&rig, 0, seed))
        {
            rig_free(&rig);
            continue;
        }
        stepped = rp_copy(rig.rp);
        for (int i = 0; i < 60; i++)
        {
            struct rcc_feedback f = own_feedback(&rig, &rng);
            rcc_time now = rig.rp->now, due = rcc_rp_next_send(rig.rp), by_steps = next_send_by_steps(rig.rp, &steps);
            bool send = rng_chance(&rng, 50);
            CHECK(due == by_steps, "seed %llu: sends at %lld, not at %lld", (unsigned long long)seed, (long long)due,
                  (long long)by_steps);
            now = send && due < now + 10 * MS ? due : now + rng_log_range(&rng, 1, MS);
            while (rcc_rp_next_step(stepped) < now)
                rcc_rp_advance(stepped, rcc_rp_next_step(stepped));
            for (int both = 0; both < 2; both++)
            {
                struct rcc_rp *rp = both ? stepped : rig.rp;
                if (send)
                    rcc_rp_sent(rp, now, (uint32_t)(64 + 1400 * (i % 2)));
                else
                    rcc_rp_feedback(rp, now, &f);
            }
            CHECK(rp_same_state(rig.rp, stepped), "seed %llu: jumps are not steps", (unsigned long long)seed);
        }
        free(stepped);
        rig_free(&rig);
    }
    ck_assert_uint_ge(steps, rounds(300)); /* it looked ahead at all */
}
END_TEST

/* 5.7e12 timer steps, too many for single steps. */
START_TEST(ten_years_of_tiny_steps)
{
    for (int r_ai = 0; r_ai < 3; r_ai++)
        for (int byte_counter = 0; byte_counter < 2; byte_counter++)
            for (int frozen = 0; frozen < 2; frozen++)
            {
                struct rig rig;
                struct rcc_feedback f = cnp(0);
                rig_init(&rig, "dcqcn-nic", NULL, 1600 * GBPS);
                rig_set(&rig, "r_ai", r_ai);
                rig_set(&rig, "r_hai", 0);
                rig_set(&rig, "timer", 1 * US);
                rig_set(&rig, "byte_counter", byte_counter);
                rig_set(&rig, "pacing", frozen);
                rig_start(&rig, 0, 1);
                for (int i = 0; i < 60; i++)
                    rcc_rp_feedback(rig.rp, 0, &f);
                rcc_rp_sent(rig.rp, 0, byte_counter ? 1 : 65536);
                ck_assert_int_lt(rcc_rp_next_send(rig.rp), SEC);
                rcc_rp_advance(rig.rp, TEN_YEARS);
                if (byte_counter && r_ai > 0) /* timer only without R_HAI: one additive step, then none */
                    ck_assert_uint_eq(rcc_rp_rate(rig.rp), r_ai == 0 ? 1 * MBPS : 1600 * GBPS);
                else
                    ck_assert_uint_le(rcc_rp_rate(rig.rp), 1 * MBPS + 2);
                ck_assert_int_eq(rcc_rp_next_send(rig.rp), TEN_YEARS);
                rig_free(&rig);
            }
}
END_TEST

/* A tiny step counted in closed form: 1 bit/s per 55 us for half of the way to line rate. */
START_TEST(a_long_leap_lands_where_steps_would)
{
    struct rig rig;
    struct rcc_feedback f = cnp(0);
    const rcc_time steps = 100000000;
    rig_init(&rig, "dcqcn", NULL, 1 * GBPS);
    rig_set(&rig, "r_ai", 1);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 60; i++)
        rcc_rp_feedback(rig.rp, 0, &f);
    rcc_rp_advance(rig.rp, steps * 55 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp), 1e6 + (double)(steps - 4), 1e-3); /* from the 5th step on */
    ck_assert_double_eq_tol(rp_rate(rig.rp), rp_target(rig.rp) - 1, 1e-3);
    rcc_rp_advance(rig.rp, (rcc_time)999000100 * 55 * US);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), GBPS);
    rig_free(&rig);
}
END_TEST

/* In the step in which RT reaches the line rate the rounding changes: a run must end before it. */
START_TEST(a_leap_ends_before_the_cap)
{
    struct rig rig;
    struct rcc_feedback f = cnp(0);
    rig_init(&rig, "dcqcn", NULL, 1 * GBPS);
    rig_set(&rig, "r_ai", 1000000);
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 0, &f);
    rcc_rp_feedback(rig.rp, 0, &f); /* RT = 500, RC = 250 Mb/s; 500 steps of 1 Mb/s meet the line rate exactly */
    for (int steps = 480; steps < 560; steps++)
    {
        struct rcc_rp *once = rp_copy(rig.rp), *stepped = rp_copy(rig.rp);
        rcc_rp_advance(once, steps * 55 * US);
        for (int i = 1; i <= steps; i++)
            rcc_rp_advance(stepped, i * 55 * US);
        CHECK(rp_same_state(once, stepped), "after %d steps", steps);
        free(once);
        free(stepped);
    }
    rig_free(&rig);
}
END_TEST

/* Nor may a short alpha timer under a long rate timer take single steps. */
START_TEST(short_alpha_timer_under_a_long_rate_timer)
{
    struct rig rig;
    struct rcc_feedback f = cnp(4000000000u);
    rig_init(&rig, "dcqcn-plus", NULL, 1 * GBPS);
    rig_set(&rig, "lambda", 1000000000000);
    rig_set(&rig, "lambda_alpha", 1);
    rig_set(&rig, "alpha_timer", 1 * US);
    rig_set(&rig, "f", 100);
    rig_set(&rig, "hi_after", 100);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 30; i++)
        rcc_rp_feedback(rig.rp, 0, &f);
    rcc_rp_advance(rig.rp, TEN_YEARS / 100);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 0, 1e-9);
    ck_assert_uint_gt(rp_state(rig.rp), 1000);
    rig_free(&rig);
}
END_TEST

START_TEST(a_million_cnps)
{
    static const char *const names[] = {"dcqcn", "dcqcn-plus", "qcn", "dcqcn-plus-share"};
    struct rig rig;
    struct rng rng = {1};
    rig_init(&rig, names[_i], NULL, 400 * GBPS);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < (int)rounds(1000000); i++)
    {
        struct rcc_feedback f = own_feedback(&rig, &rng);
        rcc_rp_feedback(rig.rp, i, &f);
    }
    ck_assert_uint_le(rcc_rp_rate(rig.rp), 40 * MBPS); /* r_min: 1 Mb/s, 40 Mb/s, 10 Mb/s */
    ck_assert_uint_ge(rcc_rp_rate(rig.rp), 1 * MBPS);
    ck_assert_double_le(rp_alpha(rig.rp), 1.0);
    rcc_rp_advance(rig.rp, 100000 * SEC);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 400 * GBPS);
    rig_free(&rig);
}
END_TEST

START_TEST(near_the_end_of_time)
{
    static const char *const names[] = {"dcqcn", "dcqcn-plus", "qcn", "dcqcn-plus-share"};
    static const rcc_time starts[] = {INT64_MAX / 2 - 100, INT64_MAX / 2, INT64_MAX / 2 + 100, INT64_MAX - 200 * SEC};
    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++)
    {
        struct rig rig;
        rcc_time now = starts[k];
        struct rng rng = {k};
        rig_init(&rig, names[_i], NULL, 40 * GBPS);
        rig_start(&rig, now, 1);
        for (int i = 0; i < 100; i++)
        {
            struct rcc_feedback f = own_feedback(&rig, &rng);
            rcc_rp_feedback(rig.rp, now, &f);
            rcc_rp_sent(rig.rp, now, 1500);
            ck_assert_int_ge(rcc_rp_next_send(rig.rp), now);
            now += 100 * US;
        }
        rcc_rp_advance(rig.rp, now + 150 * SEC);
        ck_assert_uint_eq(rcc_rp_rate(rig.rp), 40 * GBPS);
        rig_free(&rig);
    }
}
END_TEST

/* No congestion control: line rate after any signal, and a packet leaves as soon as the last one is out. */
START_TEST(none_stays_at_line_rate)
{
    struct rig rig;
    rig_init(&rig, "none", NULL, 40 * GBPS);
    rig_start(&rig, 0, 1);
    for (int kind = RCC_FEEDBACK_CNP; kind <= RCC_FEEDBACK_ACK; kind++)
    {
        struct rcc_feedback f = {.kind = (enum rcc_feedback_kind)kind,
                                 .period_ns = 50000,
                                 .qfb = 63,
                                 .ce = true,
                                 .rtt = 10 * MS,
                                 .acked = 64000};
        rcc_rp_feedback(rig.rp, kind * MS, &f);
        ck_assert_uint_eq(rcc_rp_rate(rig.rp), 40 * GBPS);
        rcc_rp_sent(rig.rp, kind * MS, 1000);
        ck_assert_int_eq(rcc_rp_next_send(rig.rp), kind * MS + 200);
    }
    ck_assert(rig.alg->cp == NULL && rig.alg->np == NULL);
    rig_free(&rig);
}
END_TEST

/* A run that begins at time 0 and one that begins later have the same results. */
START_TEST(time_has_no_origin)
{
    static const char *const names[] = {"dcqcn", "dcqcn-plus", "qcn", "dcqcn-plus-share"};
    struct rig a, b;
    struct rng rng = {12};
    rcc_time now = 0;
    const rcc_time shift = 123456789012345;
    rig_init(&a, names[_i], NULL, 40 * GBPS);
    rig_init(&b, names[_i], NULL, 40 * GBPS);
    rig_start(&a, 0, 4);
    rig_start(&b, shift, 4);
    for (int i = 0; i < 2000; i++)
    {
        now += rng_log_range(&rng, 0, 300 * US);
        if (rng_chance(&rng, 10))
        {
            struct rcc_feedback f = own_feedback(&a, &rng);
            rcc_rp_feedback(a.rp, now, &f);
            rcc_rp_feedback(b.rp, now + shift, &f);
        }
        else
        {
            rcc_rp_sent(a.rp, now, 1000);
            rcc_rp_sent(b.rp, now + shift, 1000);
        }
        ck_assert(a.rp->rate == b.rp->rate && rcc_rp_next_send(a.rp) + shift == rcc_rp_next_send(b.rp));
    }
    rig_free(&a);
    rig_free(&b);
}
END_TEST

/* ------------------------------------------------------------------ pause log */

START_TEST(pause_log_answers_for_the_past)
{
    struct rcc_pause_log log;
    rcc_time ring[8];
    rcc_pause_log_init(&log, ring, 8);
    ck_assert(!rcc_pause_log_at(&log, 0));
    rcc_pause_log_set(&log, 5, false); /* no change */
    ck_assert_uint_eq(log.count, 0);
    rcc_pause_log_set(&log, 10, true);
    rcc_pause_log_set(&log, 12, true); /* refreshed: no change */
    rcc_pause_log_set(&log, 20, false);
    rcc_pause_log_set(&log, 20, true); /* an empty gap */
    rcc_pause_log_set(&log, 30, false);
    ck_assert_uint_eq(log.count, 4);
    ck_assert(!rcc_pause_log_at(&log, 9));
    for (rcc_time t = 10; t < 30; t++)
        ck_assert(rcc_pause_log_at(&log, t));
    ck_assert(!rcc_pause_log_at(&log, 30));
    ck_assert(!rcc_pause_log_at(&log, INT64_MAX));
}
END_TEST

START_TEST(pause_log_matches_a_list)
{
    for (uint64_t seed = 0; seed < rounds(200); seed++)
    {
        struct rng rng = {seed};
        struct rcc_pause_log log;
        rcc_time ring[16], all[100], now = 0;
        uint32_t capacity = (uint32_t)1 << rng_range(&rng, 0, 4);
        int n = (int)rng_range(&rng, 0, 100);
        rcc_pause_log_init(&log, ring, capacity);
        for (int i = 0; i < n; i++)
        {
            now += rng_range(&rng, 0, 5);
            all[i] = now;
            rcc_pause_log_set(&log, now, i % 2 == 0);
            for (rcc_time t = -1; t <= now + 2; t++)
            {
                int k = 0; /* changes up to t */
                bool forgotten;
                while (k <= i && all[k] <= t)
                    k++;
                forgotten = i + 1 > (int)capacity && k <= i + 1 - (int)capacity;
                CHECK(rcc_pause_log_at(&log, t) == (!forgotten && k % 2 == 1), "seed %llu, change %d, t %lld",
                      (unsigned long long)seed, i, (long long)t);
            }
        }
    }
}
END_TEST

Suite *suite_rp(void)
{
    Suite *s = suite_create("rp");
    TCase *tc = long_tcase("time"), *log = long_tcase("pause log");
    tcase_add_loop_test(tc, one_advance_is_many, 0, 4);
    tcase_add_loop_test(tc, jumps_are_steps, 0, 3);
    tcase_add_loop_test(tc, jumps_are_steps, 0, 2);
    tcase_add_test(tc, ten_years_of_tiny_steps);
    tcase_add_test(tc, a_long_leap_lands_where_steps_would);
    tcase_add_test(tc, a_leap_ends_before_the_cap);
    tcase_add_test(tc, short_alpha_timer_under_a_long_rate_timer);
    tcase_add_loop_test(tc, a_million_cnps, 0, 4);
    tcase_add_loop_test(tc, near_the_end_of_time, 0, 4);
    tcase_add_loop_test(tc, time_has_no_origin, 0, 4);
    tcase_add_test(tc, none_stays_at_line_rate);
    tcase_add_test(log, pause_log_answers_for_the_past);
    tcase_add_test(log, pause_log_matches_a_list);
    suite_add_tcase(s, tc);
    suite_add_tcase(s, log);
    return s;
}
