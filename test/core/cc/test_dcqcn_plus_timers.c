/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN+'s reaction point: its two timers, with values computed by hand, for every option. */
#include "reference.h"

static rcc_time next_step(const struct rig *rig)
{
    return rcc_rp_next_step(rig->rp);
}

/* Eq. 16, 17: the period follows tau while tau is longer than the time of a packet, else the flow's rate. */
START_TEST(timer_follows_the_rate)
{
    struct rig rig;
    rig_init_plus(&rig);
    rig_set(&rig, "r_min", 500000); /* 5 Mb/s: 1000 B take 1600 us */
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 40; i++)
        rig_cut(&rig, 0, 540 * US);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 5 * MBPS);
    ck_assert_int_eq(next_step(&rig), 3200 * US);
    rig_set(&rig, "m", 500);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 40; i++)
        rig_cut(&rig, 0, 540 * US);
    ck_assert_int_eq(next_step(&rig), 1600 * US);
    rig_set(&rig, "lambda", 3000000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 540 * US);
    ck_assert_int_eq(next_step(&rig), 1620 * US);
    rig_free(&rig);
}
END_TEST

START_TEST(short_tau_keeps_the_least_period)
{
    struct rig rig;
    rig_init_plus(&rig);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 10 * US);
    ck_assert_int_eq(next_step(&rig), 55 * US);
    rig_cut(&rig, 0, 45 * US);
    ck_assert_int_eq(next_step(&rig), 90 * US);
    rig_free(&rig);
}
END_TEST

START_TEST(legacy_cnp_sets_static_timers)
{
    struct rig rig;
    rig_init_plus(&rig);
    rig_set(&rig, "r_min", 100000);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 40; i++)
        rig_cut(&rig, 0, 0);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 1 * MBPS);
    ck_assert_int_eq(next_step(&rig), 55 * US);
    rcc_rp_advance(rig.rp, 55 * US);
    ck_assert_int_eq(next_step(&rig), 110 * US);
    rig_free(&rig);
}
END_TEST

START_TEST(timer_rule)
{
    for (int rule = 0; rule < 2; rule++)
    {
        struct rig rig;
        rig_init_plus(&rig);
        rig_set(&rig, "timer_rule", rule);
        rig_start(&rig, 0, 1);
        rig_cut(&rig, 0, 50 * US);
        ck_assert_int_eq(next_step(&rig), rule ? 55 * US : 100 * US);
        rig_cut(&rig, 0, 51 * US);
        ck_assert_int_eq(next_step(&rig), 102 * US);
        rig_cut(&rig, 0, 50 * US); /* "above-50us" leaves the last K as it is */
        ck_assert_int_eq(next_step(&rig), rule ? 102 * US : 100 * US);
        rig_free(&rig);
    }
}
END_TEST

/* "above-50us" at an expiry: with a period of 50 us K is constant, with a longer one K follows the rate. */
START_TEST(timer_rule_at_an_expiry)
{
    for (int above = 0; above < 2; above++)
    {
        rcc_time first, k;
        struct rig rig;
        rig_init(&rig, "dcqcn-plus", NULL, 1 * GBPS);
        rig_set(&rig, "initial_alpha", 1000000000);
        rig_set(&rig, "timer_rule", 1);
        rig_set(&rig, "timer_update", 0);
        rig_set(&rig, "lambda", 1000000000);
        rig_set(&rig, "lambda_alpha", 1000000000000);
        rig_start(&rig, 0, 1);
        for (int i = 0; i < 4; i++) /* to 62.5 Mb/s, at which M takes 128 us */
            rig_cut(&rig, 0, 51 * US);
        ck_assert_int_eq(next_step(&rig), 128 * US);
        rig_cut(&rig, 0, 50 * US + above);
        first = next_step(&rig);
        ck_assert_int_eq(first, above ? 256 * US : 128 * US);
        rcc_rp_advance(rig.rp, first); /* half way to 62.5 Mb/s: M takes less time */
        k = next_step(&rig) - first;
        if (above)
            ck_assert_int_lt(k, first);
        else
            ck_assert_int_eq(k, first);
        rig_free(&rig);
    }
}
END_TEST

/* M / rate is exact to the nanosecond, and K is at most 1000 s. */
START_TEST(the_longest_periods)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-plus", NULL, RCC_LINE_RATE_MIN);
    rig_set(&rig, "initial_alpha", 1000000000);
    rig_set(&rig, "m", 65536);
    rig_set(&rig, "lambda", 1000000000);
    rig_set(&rig, "lambda_alpha", 1000000000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 1 * US); /* to 500 kb/s: 524288 bits take 1.048576 s */
    ck_assert_int_eq(next_step(&rig), 1048576000);
    rig_free(&rig);
    rig_init_plus(&rig);
    rig_set(&rig, "lambda", 1000000000000);
    rig_set(&rig, "lambda_alpha", 1000000000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 4000000000); /* 1000 times 4 s */
    ck_assert_int_eq(next_step(&rig), 1000 * SEC);
    rig_free(&rig);
}
END_TEST

/* K decreases as the rate grows, or keeps the value of the last CNP. */
START_TEST(timer_update)
{
    for (int cnp_only = 0; cnp_only < 2; cnp_only++)
    {
        struct rig rig;
        rcc_time first, step;
        rig_init_plus(&rig);
        rig_set(&rig, "timer_update", cnp_only);
        rig_set(&rig, "r_min", 100000);
        rig_start(&rig, 0, 1);
        for (int i = 0; i < 12; i++)
            rig_cut(&rig, 0, 60 * US);
        first = next_step(&rig);
        rcc_rp_advance(rig.rp, first);
        step = next_step(&rig) - first;
        if (cnp_only)
            ck_assert_int_eq(step, first);
        else
            ck_assert_int_lt(step, first);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(pause_rule)
{
    for (int rule = 0; rule < 3; rule++) /* rearm, step, rearm-both */
    {
        struct rig rig;
        int step = rule == 1, decays = rule == 2 ? 2 : 3; /* K_alpha ends three times, once in the pause */
        struct rcc_pause_log log;
        rcc_time ring[8];
        rig_init_plus(&rig);
        rig_set(&rig, "pause_rule", rule);
        rig_start(&rig, 0, 1);
        rcc_pause_log_init(&log, ring, 8);
        rig.rp->pause = &log;
        rig_cut(&rig, 0, 100 * US); /* K = 200 us, K_alpha = 100 us */
        rcc_pause_log_set(&log, 150 * US, true);
        rcc_pause_log_set(&log, 250 * US, false);
        rcc_rp_advance(rig.rp, 300 * US);
        ck_assert_double_eq_tol(rp_rate(rig.rp), step ? 7.5e9 : 5e9, 1);
        ck_assert_uint_eq(rp_state(rig.rp), step ? 1 : 0);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), pow(255.0 / 256, decays), 1e-9); /* alpha decays anyway, or not */
        rcc_rp_advance(rig.rp, 400 * US);
        ck_assert_uint_eq(rp_state(rig.rp), step ? 2 : 1);
        rig_free(&rig);
    }
}
END_TEST

/* rearm-both: an expiry of the alpha timer at the very begin of a pause does not count, one at its end does. */
START_TEST(alpha_stands_from_pause_to_resume)
{
    const rcc_time begin = 30 * US, resume = 50 * US;
    for (int at_once = 0; at_once < 2; at_once++)
    {
        rcc_time ring[8];
        struct rcc_pause_log log;
        struct rig rig;
        rig_init_plus(&rig);
        rig_set(&rig, "pause_rule", 2);
        rig_set(&rig, "g", 500000000);
        rig_set(&rig, "initial_alpha", 1000000000);
        rig_set(&rig, "alpha_timer", 10 * US);
        rig_set(&rig, "timer", 1000 * US);
        rig_start(&rig, 0, 1);
        rcc_pause_log_init(&log, ring, 8);
        rig.rp->pause = &log;
        rig_cut(&rig, 0, 0); /* a legacy CNP: both timers as set */
        rcc_pause_log_set(&log, begin, true);
        if (!at_once)
        {
            rcc_rp_advance(rig.rp, begin);
            ck_assert_double_eq_tol(rp_alpha(rig.rp), 0.25, 1e-9); /* 10 and 20 us */
            rcc_rp_advance(rig.rp, resume - 1);
            ck_assert_double_eq_tol(rp_alpha(rig.rp), 0.25, 1e-9);
        }
        rcc_pause_log_set(&log, resume, false);
        rcc_rp_advance(rig.rp, resume + 10 * US);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), 0.0625, 1e-9);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(alpha_restart)
{
    for (int restart = 0; restart < 2; restart++)
    {
        struct rig rig;
        rig_init_plus(&rig);
        rig_set(&rig, "alpha_restart", restart);
        rig_set(&rig, "g", 100000000);
        rig_set(&rig, "initial_alpha", 500000000);
        rig_start(&rig, 0, 1);
        rig_cut(&rig, 0, 100 * US);       /* alpha = .55, expires at 100 us */
        rig_cut(&rig, 60 * US, 100 * US); /* alpha = .595 */
        rcc_rp_advance(rig.rp, 110 * US);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), restart ? 0.595 : 0.595 * 0.9, 1e-9);
        rig_free(&rig);
    }
}
END_TEST

Suite *suite_dcqcn_plus_timers(void)
{
    Suite *s = suite_create("dcqcn-plus-timers");
    TCase *tc = long_tcase("by hand");
    tcase_add_test(tc, timer_follows_the_rate);
    tcase_add_test(tc, short_tau_keeps_the_least_period);
    tcase_add_test(tc, legacy_cnp_sets_static_timers);
    tcase_add_test(tc, timer_rule);
    tcase_add_test(tc, timer_rule_at_an_expiry);
    tcase_add_test(tc, the_longest_periods);
    tcase_add_test(tc, timer_update);
    tcase_add_test(tc, pause_rule);
    tcase_add_test(tc, alpha_stands_from_pause_to_resume);
    tcase_add_test(tc, alpha_restart);
    suite_add_tcase(s, tc);
    return s;
}
