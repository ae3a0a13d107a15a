/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN+'s reaction point: against the reference, the paper's example, and every option by hand. */
#include "fixed.h"
#include "reference.h"

#define LINE (10 * GBPS)

static const uint64_t lines[] = {1000000000, 10000000000, 40000000000, 100000000000, 400000000000, 1600000000000};

/* ------------------------------------------------------------------ against the reference */

static const struct ref_run usual = {
    .signals = 3000, .feedback_percent = 10, .sent_percent = 40, .gap_max = 500 * US, .pauses = true};

START_TEST(defaults_match_the_reference)
{
    struct ref_run run = usual;
    for (uint64_t seed = 0; seed < rounds(10); seed++)
    {
        struct rig rig;
        rig_init(&rig, "dcqcn-plus", seed % 3 == 2 ? "two-level" : "paper", lines[_i]);
        run.gap_max = seed % 2 == 0 ? 500 * US : 50 * MS;
        run.feedback_percent = seed < 5 ? 10 : 2;
        ref_compare(&rig, seed, &run);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(other_parameters_match_the_reference)
{
    struct ref_run run = usual;
    for (uint64_t seed = 0; seed < rounds(30); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        rig_init(&rig, "dcqcn-plus", NULL, lines[_i]);
        rig_set(&rig, "lambda", rng_chance(&rng, 50) ? 2000000000 : rng_log_range(&rng, 1, 20000000000));
        rig_set(&rig, "lambda_alpha", rng_chance(&rng, 50) ? 1000000000 : rng_log_range(&rng, 1, 20000000000));
        rig_set(&rig, "m", rng_log_range(&rng, 1, 65536));
        rig_set(&rig, "alpha_timer", rng_log_range(&rng, 5 * US, MS));
        rig_set(&rig, "timer_rule", rng_range(&rng, 0, 1));
        rig_set(&rig, "timer_update", rng_range(&rng, 0, 1));
        rig_set(&rig, "pause_rule", rng_range(&rng, 0, 2));
        rig_set(&rig, "alpha_restart", rng_range(&rng, 0, 1));
        rig_set(&rig, "alpha_order", rng_range(&rng, 0, 1));
        rig_set(&rig, "cut_ratio", rng_range(&rng, 0, 1000000000));
        rig_set(&rig, "f", rng_range(&rng, 1, 8));
        rig_set(&rig, "hi_after", rng_range(&rng, 1, 6));
        rig_set(&rig, "stage_after_cut", rng_chance(&rng, 70) ? 0 : rng_range(&rng, 0, 40));
        rig_set(&rig, "hi_flow", rng_range(&rng, 10000000, 5000000000));
        rig_set(&rig, "hi_line", rng_log_range(&rng, 100000, 1000000000));
        rig_set(&rig, "pacing", rng_range(&rng, 0, 1));
        rig_draw_plus(&rig, &rng);
        run.gap_max = rng_chance(&rng, 50) ? 500 * US : 10 * MS;
        run.feedback_percent = (unsigned)rng_range(&rng, 1, 20);
        ref_compare(&rig, 300 + seed, &run);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ by hand */

/* The options that a preset may choose otherwise are fixed here. */
static void plus(struct rig *rig)
{
    rig_init(rig, "dcqcn-plus", NULL, LINE);
    rig_set(rig, "phase_boundary", 0);
    rig_set(rig, "ai_levels", 0);
    rig_set(rig, "timer_rule", 0);
    rig_set(rig, "timer_update", 0);
    rig_set(rig, "pause_rule", 0);
    rig_set(rig, "alpha_restart", 1);
    rig_set(rig, "initial_alpha", 1000000000);
    rig_set(rig, "target_cap", 0);
}

static rcc_time next_step(const struct rig *rig)
{
    return rcc_rp_next_step(rig->rp);
}

/* V.D: 540 flows on 10 Gb/s: K = 2 max{540 us, 8000 bit / (10 Gb/s / 540)} and R_AI = 1/10 * 10 Gb/s / 540. */
START_TEST(the_papers_540_flows)
{
    struct rig rig;
    const double share = 10e9 / 540;
    plus(&rig);
    rig_set(&rig, "r_min", 1000000000 / 540 + 1);
    rig_set(&rig, "ai_levels", 1);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 40; i++)
        rig_cut(&rig, 1000, 540 * US);
    ck_assert_double_eq_tol(rp_rate(rig.rp), share, share * 1e-6);
    for (int stage = 1; stage <= 5; stage++)
    {
        ck_assert_int_eq(next_step(&rig), 1000 + stage * 1080 * US);
        rcc_rp_advance(rig.rp, 1000 + stage * 1080 * US);
        ck_assert_double_eq_tol(rp_target(rig.rp), share, share * 1e-6);
    }
    rcc_rp_advance(rig.rp, 1000 + 6 * 1080 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp) - share, 1.85e6, 0.01e6);
    ck_assert_double_eq_tol(rp_target(rig.rp) - share, share / 10, share * 1e-6);
    rig_free(&rig);
}
END_TEST

/* Eq. 16, 17: tau rules while it is longer than a packet takes, then the flow's own rate does. */
START_TEST(timer_follows_the_rate)
{
    struct rig rig;
    plus(&rig);
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
    plus(&rig);
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
    plus(&rig);
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
        plus(&rig);
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

/* "above-50us" at an expiry: of a period of 50 us K stays, of one above it K follows the rate. */
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
        ck_assert_int_eq(rcc_rp_next_step(rig.rp), 128 * US);
        rig_cut(&rig, 0, 50 * US + above);
        first = rcc_rp_next_step(rig.rp);
        ck_assert_int_eq(first, above ? 256 * US : 128 * US);
        rcc_rp_advance(rig.rp, first); /* half way to 62.5 Mb/s: M takes less time */
        k = rcc_rp_next_step(rig.rp) - first;
        if (above)
            ck_assert_int_lt(k, first);
        else
            ck_assert_int_eq(k, first);
        rig_free(&rig);
    }
}
END_TEST

/* M over the rate to the nanosecond, and no K above 1000 s. */
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
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 1048576000);
    rig_free(&rig);
    plus(&rig);
    rig_set(&rig, "lambda", 1000000000000);
    rig_set(&rig, "lambda_alpha", 1000000000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 4000000000); /* 1000 times 4 s */
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 1000 * SEC);
    rig_free(&rig);
}
END_TEST

/* K shrinks as the rate grows, or stays as the CNP left it. */
START_TEST(timer_update)
{
    for (int cnp_only = 0; cnp_only < 2; cnp_only++)
    {
        struct rig rig;
        rcc_time first, step;
        plus(&rig);
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
        plus(&rig);
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

START_TEST(alpha_restart)
{
    for (int restart = 0; restart < 2; restart++)
    {
        struct rig rig;
        plus(&rig);
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

/* Equations 13 and 14: the cut of a CNP uses the alpha before it, or the one that it has raised. */
START_TEST(alpha_order)
{
    for (int first = 0; first < 2; first++)
    {
        struct rig rig;
        plus(&rig);
        rig_set(&rig, "alpha_order", first);
        rig_set(&rig, "g", 100000000);
        rig_set(&rig, "initial_alpha", 500000000);
        rig_start(&rig, 0, 1);
        rig_cut(&rig, 0, 100 * US);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), 0.55, 1e-9);
        ck_assert_double_eq_tol(rp_rate(rig.rp) / LINE, first ? 1 - 0.55 / 2 : 1 - 0.5 / 2, 1e-9);
        rig_free(&rig);
    }
}
END_TEST

/* FR to S = F, AI to S = 4F, HI beyond; with "upper" each one stage earlier. */
START_TEST(phases_and_their_boundary)
{
    for (int upper = 0; upper < 2; upper++)
    {
        struct rig rig;
        double rate = 10e6, target = 10e6;
        plus(&rig);
        rig_set(&rig, "phase_boundary", upper);
        rig_set(&rig, "ai_levels", 1);
        rig_set(&rig, "r_min", 1000000);
        rig_start(&rig, 0, 1);
        for (int i = 0; i < 60; i++)
            rig_cut(&rig, 0, 0);
        for (int s = 1; s <= 30; s++)
        {
            rcc_rp_advance(rig.rp, s * 55 * US);
            if (s > 20 || (upper && s == 20))
                target += rate < (s - 20) * 100e6 ? rate : (s - 20) * 100e6;
            else if (s > 5 || (upper && s == 5))
                target += rate / 10;
            rate = (rate + target) / 2;
            ck_assert_double_eq_tol(rp_target(rig.rp), target, 1);
            ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
        }
        rig_free(&rig);
    }
}
END_TEST

START_TEST(f_hi_after_and_stage_after_cut)
{
    struct rig rig;
    plus(&rig);
    rig_set(&rig, "f", 2);
    rig_set(&rig, "hi_after", 3);
    rig_set(&rig, "stage_after_cut", 6);
    rig_set(&rig, "r_min", 1000000);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 60; i++)
        rig_cut(&rig, 0, 0);
    ck_assert_uint_eq(rp_state(rig.rp), 6);
    rcc_rp_advance(rig.rp, 55 * US); /* S = 7 = 3F + 1: hyper increase doubles */
    ck_assert_double_eq_tol(rp_target(rig.rp), 20e6, 1);
    rig_free(&rig);
}
END_TEST

/* Eq. 19: the step and its bound double while alpha > 0.1. */
START_TEST(ai_levels)
{
    for (int one = 0; one < 2; one++)
        for (int fast = 0; fast < 2; fast++)
        {
            struct rig rig;
            double before;
            plus(&rig);
            rig_set(&rig, "ai_levels", one);
            rig_set(&rig, "stage_after_cut", 6);
            rig_set(&rig, "r_min", fast ? 200000000 : 1000000); /* 2 Gb/s or 10 Mb/s */
            rig_set(&rig, "g", 0);
            rig_set(&rig, "initial_alpha", 101000000);
            rig_set(&rig, "cut_ratio", 1000000000);
            rig_start(&rig, 0, 1);
            for (int i = 0; i < 100; i++)
                rig_cut(&rig, 0, 0);
            before = rp_target(rig.rp);
            rcc_rp_advance(rig.rp, 55 * US);
            ck_assert_double_eq_tol(rp_target(rig.rp) - before, (fast ? 100e6 : 1e6) * (one ? 1 : 2), 1);
            rig_free(&rig);
        }
}
END_TEST

START_TEST(ai_and_hi_parts)
{
    struct rig rig;
    plus(&rig);
    rig_set(&rig, "stage_after_cut", 6);
    rig_set(&rig, "ai_levels", 1);
    rig_set(&rig, "ai_flow", 300000000);
    rig_set(&rig, "r_min", 1000000);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 60; i++)
        rig_cut(&rig, 0, 0);
    rcc_rp_advance(rig.rp, 55 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp), 13e6, 1);
    rig_set(&rig, "ai_line", 100000); /* 1 Mb/s */
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 60; i++)
        rig_cut(&rig, 0, 0);
    rcc_rp_advance(rig.rp, 55 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp), 11e6, 1);
    rig_set(&rig, "stage_after_cut", 20);
    rig_set(&rig, "hi_flow", 500000000);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 60; i++)
        rig_cut(&rig, 0, 0);
    rcc_rp_advance(rig.rp, 55 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp), 15e6, 1);
    rig_set(&rig, "hi_line", 100000); /* S - 4F = 2 after this expiry: 2 Mb/s */
    rig_set(&rig, "stage_after_cut", 21);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 60; i++)
        rig_cut(&rig, 0, 0);
    rcc_rp_advance(rig.rp, 55 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp), 12e6, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(target_cap)
{
    for (int none = 0; none < 2; none++)
    {
        struct rig rig;
        plus(&rig);
        rig_set(&rig, "target_cap", none);
        rig_start(&rig, 0, 1);
        rig_cut(&rig, 0, 0);
        rcc_rp_advance(rig.rp, SEC);
        ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE);
        ck_assert_double_eq_tol(rp_target(rig.rp), none ? 64 * 10e9 : 10e9, 1);
        rcc_rp_advance(rig.rp, TEN_YEARS);
        ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(r_min_is_a_part_of_the_line_rate)
{
    struct rig rig;
    plus(&rig);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 100; i++)
        rig_cut(&rig, 0, 0);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE / 10000);
    rig_free(&rig);
}
END_TEST

START_TEST(sent_bytes_do_not_step)
{
    struct rig rig;
    plus(&rig);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    for (int i = 0; i < 1000; i++)
        rcc_rp_sent(rig.rp, 0, 65536);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 5e9, 1);
    rig_free(&rig);
}
END_TEST

/* Products with a decimal lambda are rounded down once, not twice. */
START_TEST(decimal_lambda_is_exact)
{
    struct rig rig;
    plus(&rig);
    rig_set(&rig, "lambda", 1100000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 1000 * US);
    ck_assert_int_eq(next_step(&rig), 1100 * US);
    rig_free(&rig);
}
END_TEST

/* Eq. 23 and 13 to the last binary digit, after so many decays that one of g would be seen. */
START_TEST(decays_keep_every_digit)
{
    const uint64_t g = rcc_ratio_q62(1), line = (uint64_t)LINE << RCC_RATE_SHIFT;
    struct rig rig;
    plus(&rig);
    rig_set(&rig, "g", 1);
    rig_set(&rig, "cut_ratio", 500000000);
    rig_set(&rig, "r_min", 1000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    const uint64_t cut_once = line - rcc_mul_q62(line, RCC_Q62_ONE / 2), alpha = RCC_Q62_ONE;
    ck_assert_uint_eq(rig.rp->rate, cut_once);
    const rcc_time period = rig_get(&rig, "alpha_timer"), at = 100000 * period;
    rcc_rp_advance(rig.rp, at);
    const uint64_t rate = rig.rp->rate, kept = rcc_mul_q62(alpha, rcc_pow_q62(RCC_Q62_ONE - g, 100000));
    rig_cut(&rig, at, 0);
    ck_assert_uint_eq(rig.rp->rate, rate - rcc_mul_q62(rate, rcc_mul_q62(kept, rcc_ratio_q62(500000000))));
    rig_free(&rig);
}
END_TEST

Suite *suite_dcqcn_plus(void)
{
    Suite *s = suite_create("dcqcn-plus");
    TCase *reference = long_tcase("reference"), *hand = long_tcase("by hand");
    tcase_add_loop_test(reference, defaults_match_the_reference, 0, 6);
    tcase_add_loop_test(reference, other_parameters_match_the_reference, 0, 6);
    tcase_add_test(hand, the_papers_540_flows);
    tcase_add_test(hand, timer_follows_the_rate);
    tcase_add_test(hand, short_tau_keeps_the_least_period);
    tcase_add_test(hand, legacy_cnp_sets_static_timers);
    tcase_add_test(hand, timer_rule);
    tcase_add_test(hand, timer_rule_at_an_expiry);
    tcase_add_test(hand, the_longest_periods);
    tcase_add_test(hand, timer_update);
    tcase_add_test(hand, pause_rule);
    tcase_add_test(hand, alpha_restart);
    tcase_add_test(hand, alpha_order);
    tcase_add_test(hand, phases_and_their_boundary);
    tcase_add_test(hand, f_hi_after_and_stage_after_cut);
    tcase_add_test(hand, ai_levels);
    tcase_add_test(hand, ai_and_hi_parts);
    tcase_add_test(hand, target_cap);
    tcase_add_test(hand, r_min_is_a_part_of_the_line_rate);
    tcase_add_test(hand, sent_bytes_do_not_step);
    tcase_add_test(hand, decimal_lambda_is_exact);
    tcase_add_test(hand, decays_keep_every_digit);
    suite_add_tcase(s, reference);
    suite_add_tcase(s, hand);
    return s;
}
