/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN+'s reaction point: against the reference, the paper's example, and options of rates by hand. */
#include "fixed.h"
#include "reference.h"

#define LINE PLUS_LINE

/* ------------------------------------------------------------------ against the reference */

static const struct ref_run usual = {
    .signals = 3000, .feedback_percent = 10, .sent_percent = 40, .gap_max = 500 * US, .pauses = true};

START_TEST(defaults_match_the_reference)
{
    struct ref_run run = usual;
    for (uint64_t seed = 0; seed < rounds(10); seed++)
    {
        struct rig rig;
        rig_init(&rig, "dcqcn-plus", "paper", line_rates[_i]);
        rig_set(&rig, "ai_levels", seed % 3 == 2 ? 0 : 1); /* two, one */
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
        rig_init(&rig, "dcqcn-plus", NULL, line_rates[_i]);
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

/* V.D: 540 flows on 10 Gb/s: K = 2 max{540 us, 8000 bit / (10 Gb/s / 540)} and R_AI = 1/10 * 10 Gb/s / 540. */
START_TEST(the_papers_540_flows)
{
    struct rig rig;
    const double share = 10e9 / 540;
    rig_init_plus(&rig);
    rig_set(&rig, "r_min", 1000000000 / 540 + 1);
    rig_set(&rig, "ai_levels", 1);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 40; i++)
        rig_cut(&rig, 1000, 540 * US);
    ck_assert_double_eq_tol(rp_rate(rig.rp), share, share * 1e-6);
    for (int stage = 1; stage <= 5; stage++)
    {
        ck_assert_int_eq(rcc_rp_next_step(rig.rp), 1000 + stage * 1080 * US);
        rcc_rp_advance(rig.rp, 1000 + stage * 1080 * US);
        ck_assert_double_eq_tol(rp_target(rig.rp), share, share * 1e-6);
    }
    rcc_rp_advance(rig.rp, 1000 + 6 * 1080 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp) - share, 1.85e6, 0.01e6);
    ck_assert_double_eq_tol(rp_target(rig.rp) - share, share / 10, share * 1e-6);
    rig_free(&rig);
}
END_TEST

/* The target rate is exactly constant in fast recovery. */
START_TEST(fast_recovery_keeps_the_target)
{
    struct rig rig;
    uint64_t before, after, alpha;
    uint32_t state;
    rig_init_plus(&rig);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 100 * US);
    rig_cut(&rig, 0, 100 * US);
    rcc_rp_observe(rig.rp, &before, &alpha, &state);
    rcc_rp_advance(rig.rp, rcc_rp_next_step(rig.rp));
    rcc_rp_observe(rig.rp, &after, &alpha, &state);
    ck_assert_uint_eq(state, 1);
    ck_assert_uint_eq(before, after);
    rig_free(&rig);
}
END_TEST

/* Equations 13 and 14: the cut of a CNP uses alpha before or after the CNP has raised it. */
START_TEST(alpha_order)
{
    for (int first = 0; first < 2; first++)
    {
        struct rig rig;
        rig_init_plus(&rig);
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
        rig_init_plus(&rig);
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
    rig_init_plus(&rig);
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
            rig_init_plus(&rig);
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
    rig_init_plus(&rig);
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
    rig_set(&rig, "hi_flow", 100 * (int64_t)RCC_RATIO_ONE);
    rig_set(&rig, "hi_line", 700000000); /* the first stage beyond 4F adds 7 Gb/s, only the second fills the line */
    rig_set(&rig, "stage_after_cut", 20);
    rig_set(&rig, "r_min", 20000000);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 60; i++)
        rig_cut(&rig, 0, 0);
    rcc_rp_advance(rig.rp, 55 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp), 7.2e9, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(target_cap)
{
    for (int none = 0; none < 2; none++)
    {
        struct rig rig;
        rig_init_plus(&rig);
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
    rig_init_plus(&rig);
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
    rig_init_plus(&rig);
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
    rig_init_plus(&rig);
    rig_set(&rig, "lambda", 1100000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 1000 * US);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 1100 * US);
    rig_free(&rig);
}
END_TEST

/* Eq. 23 and 13 to the last binary digit, after so many decays that one of g would be seen. */
START_TEST(decays_keep_every_digit)
{
    const uint64_t g = rcc_ratio_q62(1), line = (uint64_t)LINE << RCC_RATE_SHIFT;
    struct rig rig;
    rig_init_plus(&rig);
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
    tcase_add_loop_test(reference, defaults_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(reference, other_parameters_match_the_reference, 0, LINE_RATES);
    tcase_add_test(hand, the_papers_540_flows);
    tcase_add_test(hand, fast_recovery_keeps_the_target);
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
