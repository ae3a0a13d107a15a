/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN's reaction point: compared with the reference, and every transition with values computed by hand. */
#include "reference.h"

#define LINE (40 * GBPS)

/* ------------------------------------------------------------------ against the reference */

static const struct ref_run usual = {
    .signals = 3000, .feedback_percent = 10, .sent_percent = 70, .gap_max = 200 * US, .own_severity = true};

START_TEST(defaults_match_the_reference)
{
    struct ref_run run = usual;
    for (uint64_t seed = 0; seed < rounds(6); seed++)
    {
        struct rig rig;
        rig_init(&rig, "dcqcn", NULL, line_rates[_i]);
        run.gap_max = seed % 2 == 0 ? 200 * US : 20 * MS; /* long silence reaches hyper increase and line rate */
        run.feedback_percent = seed < 3 ? 10 : 2;
        ref_compare(&rig, seed, &run);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(presets_match_the_reference)
{
    static const char *const presets[] = {"paper-10g", "cx4", "hpcc", "ns3-rdma", "nic-default"};
    for (uint64_t seed = 0; seed < rounds(15); seed++)
    {
        struct rig rig;
        rig_init(&rig, "dcqcn", presets[seed % 5], line_rates[_i]);
        ref_compare(&rig, 100 + seed, &usual);
        rig_free(&rig);
    }
}
END_TEST

/* Parameters that all three algorithms have. */
static void draw_common(struct rig *rig, struct rng *rng, int64_t line)
{
    rig_set(rig, "timer", rng_log_range(rng, 5 * US, MS));
    rig_set(rig, "alpha_timer", rng_log_range(rng, 5 * US, MS));
    rig_set(rig, "g", rng_log_range(rng, 0, 1000000000));
    rig_set(rig, "f", rng_range(rng, 1, 12));
    rig_set(rig, "r_ai", rng_log_range(rng, 0, line / 10));
    rig_set(rig, "r_hai", rng_log_range(rng, 0, line / 10));
    rig_set(rig, "r_min", rng_log_range(rng, 100000, line));
}

static void draw_nic(struct rig *rig, struct rng *rng, int64_t line)
{
    const int64_t most = line < 800 * (int64_t)GBPS ? 2 * line : 1600 * (int64_t)GBPS;
    rig_set(rig, "alpha_restart", rng_range(rng, 0, 1));
    rig_set(rig, "clamp_target", rng_range(rng, 0, 1));
    rig_set(rig, "rate_reduce_period", rng_chance(rng, 50) ? 0 : rng_log_range(rng, 1, MS));
    rig_set(rig, "initial_alpha", rng_range(rng, 0, 1000000000));
    rig_set(rig, "cut_ratio", rng_range(rng, 0, 1000000000));
    rig_set(rig, "min_dec_fac", rng_chance(rng, 50) ? 0 : rng_range(rng, 0, 1000000000));
    rig_set(rig, "first_cnp_rate", rng_chance(rng, 70) ? 0 : rng_log_range(rng, 1, most));
    rig_set(rig, "clamp_after_time", rng_range(rng, 0, 1));
    rig_set(rig, "start_rate", rng_chance(rng, 70) ? 0 : rng_log_range(rng, 1, line));
    rig_set(rig, "pacing", rng_range(rng, 0, 1));
    rig_set(rig, "hai_steps", rng_range(rng, 0, 1));
}

START_TEST(other_parameters_match_the_reference)
{
    static const char *const names[] = {"dcqcn", "dcqcn-nic", "dcqcn-hpcc"};
    struct ref_run run = usual;
    const int64_t line = (int64_t)line_rates[_i];
    for (uint64_t seed = 0; seed < rounds(30); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        rig_init(&rig, names[seed % 3], NULL, line_rates[_i]);
        draw_common(&rig, &rng, line);
        if (seed % 3 != 2)
            rig_set(&rig, "byte_counter", rng_chance(&rng, 30) ? 0 : rng_log_range(&rng, 20000, 10000000));
        if (seed % 3 == 1)
            draw_nic(&rig, &rng, line);
        if (seed % 3 == 2)
        {
            rig_set(&rig, "clamp_target", rng_range(&rng, 0, 1));
            rig_set(&rig, "pacing", rng_range(&rng, 0, 1));
            /* the reference takes every check, so not too many of them */
            rig_set(&rig, "rate_reduce_period", rng_chance(&rng, 10) ? 0 : rng_log_range(&rng, 2 * US, MS));
        }
        run.gap_max = rng_chance(&rng, 50) ? 200 * US : 20 * MS;
        run.feedback_percent = (unsigned)rng_range(&rng, 1, 20);
        ref_compare(&rig, 200 + seed, &run);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ by hand */

static void dcqcn(struct rig *rig)
{
    rig_init(rig, "dcqcn", NULL, LINE);
}

/* DCQCN of NICs, without a setting as in the paper. */
static void nic(struct rig *rig)
{
    rig_init(rig, "dcqcn-nic", NULL, LINE);
}

START_TEST(first_cut_halves)
{
    struct rig rig;
    dcqcn(&rig);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 1000, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 20e9, 1);
    ck_assert_double_eq_tol(rp_target(rig.rp), 40e9, 1e-3);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 1, 1e-9);
    rig_cut(&rig, 2000, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 10e9, 1);
    ck_assert_double_eq_tol(rp_target(rig.rp), 20e9, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(initial_alpha_and_cut_ratio)
{
    struct rig rig;
    nic(&rig);
    rig_set(&rig, "initial_alpha", 500000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 30e9, 1); /* 1 - 0.5/2 */
    rig_set(&rig, "cut_ratio", 1000000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 20e9, 1); /* 1 - 0.5 */
    rig_free(&rig);
}
END_TEST

START_TEST(least_part_that_a_cut_leaves)
{
    struct rig rig;
    nic(&rig);
    rig_set(&rig, "min_dec_fac", 950000000);
    rig_set(&rig, "g", 0);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 38e9, 50); /* 95 % in place of 50 % */
    rig_set(&rig, "initial_alpha", 80000000);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 38.4e9, 50); /* alpha / 2 = 4 % is less than 5 % */
    rig_free(&rig);
}
END_TEST

START_TEST(rate_of_the_first_cnp)
{
    struct rig rig;
    nic(&rig);
    rig_set(&rig, "first_cnp_rate", 4 * (int64_t)GBPS);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 4e9, 1);
    ck_assert_double_eq_tol(rp_target(rig.rp), 40e9, 1);
    rig_cut(&rig, 1000, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 2e9, 1); /* the second one is a cut */
    rig_set(&rig, "r_min", 5 * (int64_t)GBPS);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 5e9, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(alpha_decays_on_its_own_timer)
{
    struct rig rig;
    dcqcn(&rig);
    rig_set(&rig, "alpha_timer", 30 * US);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    rcc_rp_advance(rig.rp, 30 * US - 1);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 1, 1e-9);
    rcc_rp_advance(rig.rp, 30 * US);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 255.0 / 256, 1e-9);
    rcc_rp_advance(rig.rp, 90 * US);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 255.0 / 256 * 255 / 256 * 255 / 256, 1e-9);
    rig_free(&rig);
}
END_TEST

START_TEST(alpha_restart)
{
    for (int restart = 0; restart < 2; restart++)
    {
        struct rig rig;
        nic(&rig);
        rig_set(&rig, "alpha_restart", restart);
        rig_set(&rig, "g", 100000000);
        rig_set(&rig, "initial_alpha", 500000000);
        rig_start(&rig, 0, 1);
        rig_cut(&rig, 0, 0);       /* alpha = .55, the timer runs to 55 us */
        rig_cut(&rig, 40 * US, 0); /* alpha = .595 */
        rcc_rp_advance(rig.rp, 56 * US);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), restart ? 0.595 : 0.595 * 0.9, 1e-9);
        rcc_rp_advance(rig.rp, 96 * US);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), 0.595 * 0.9, 1e-9);
        rcc_rp_advance(rig.rp, 110 * US);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), restart ? 0.595 * 0.9 : 0.595 * 0.81, 1e-9);
        rig_free(&rig);
    }
}
END_TEST

/* Fast recovery below F, additive increase from F on: the timer alone never reaches hyper increase. */
START_TEST(timer_phases)
{
    struct rig rig;
    double rate = 20e9, target = 40e9;
    dcqcn(&rig);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    rig_cut(&rig, 0, 0);
    rate = 10e9;
    target = 20e9;
    for (int stage = 1; stage <= 30; stage++)
    {
        rcc_rp_advance(rig.rp, stage * 55 * US - 1);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
        rcc_rp_advance(rig.rp, stage * 55 * US);
        target += stage >= 5 ? 40e6 : 0;
        rate = (rate + target) / 2;
        ck_assert_double_eq_tol(rp_target(rig.rp), target, 1);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
    }
    rig_free(&rig);
}
END_TEST

START_TEST(byte_counter_phases)
{
    struct rig rig;
    double rate = 10e9, target = 20e9;
    dcqcn(&rig);
    rig_set(&rig, "byte_counter", 10000);
    rig_set(&rig, "timer", 10 * SEC);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    rig_cut(&rig, 0, 0);
    for (int stage = 1; stage <= 20; stage++)
    {
        for (int i = 0; i < 9; i++)
            rcc_rp_sent(rig.rp, stage, 1000);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
        rcc_rp_sent(rig.rp, stage, 1000); /* the 10th makes 10000 bytes */
        target += stage >= 5 ? 40e6 : 0;
        rate = (rate + target) / 2;
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
    }
    rig_free(&rig);
}
END_TEST

/* Both counters beyond F: target rises by (min - F) R_HAI. */
START_TEST(hyper_increase_phase)
{
    struct rig rig;
    double target = 5e9;
    dcqcn(&rig);
    rig_set(&rig, "byte_counter", 1000);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 4; i++)
        rig_cut(&rig, 0, 0);
    for (int i = 0; i < 7; i++) /* byte stage 7: steps 5, 6, 7 are additive */
        rcc_rp_sent(rig.rp, 0, 1000);
    target += 3 * 40e6;
    for (int stage = 1; stage <= 9; stage++)
    {
        rcc_rp_advance(rig.rp, stage * 55 * US);
        target += stage <= 5 ? 40e6 : (stage < 7 ? stage - 5 : 2) * 100e6;
        ck_assert_double_eq_tol(rp_target(rig.rp), target, 1);
    }
    rig_free(&rig);
}
END_TEST

START_TEST(timer_only)
{
    struct rig rig;
    double target = 5e9;
    dcqcn(&rig);
    rig_set(&rig, "byte_counter", 0);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 4; i++)
        rig_cut(&rig, 0, 0);
    for (int stage = 1; stage <= 12; stage++)
    {
        rcc_rp_sent(rig.rp, stage * 55 * US - 1, 65536);
        rcc_rp_advance(rig.rp, stage * 55 * US);
        target += stage < 5 ? 0 : stage == 5 ? 40e6 : (stage - 5) * 100e6;
        ck_assert_double_eq_tol(rp_target(rig.rp), target, 1);
    }
    rig_free(&rig);
}
END_TEST

START_TEST(a_cut_resets_the_stages)
{
    struct rig rig;
    dcqcn(&rig);
    rig_set(&rig, "byte_counter", 10000);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 4; i++)
        rig_cut(&rig, 0, 0);
    rcc_rp_advance(rig.rp, 20 * 55 * US);
    ck_assert_uint_eq(rp_state(rig.rp), 20);
    for (int i = 0; i < 19; i++)
        rcc_rp_sent(rig.rp, 20 * 55 * US, 1000); /* one step and 9000 bytes of the next */
    rig_cut(&rig, 20 * 55 * US + 30 * US, 0);
    ck_assert_uint_eq(rp_state(rig.rp), 0);
    double rate = rp_rate(rig.rp), target = rp_target(rig.rp);
    rcc_rp_sent(rig.rp, 20 * 55 * US + 30 * US, 9999); /* the byte counter began anew */
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1e-3);
    rcc_rp_advance(rig.rp, 21 * 55 * US + 30 * US - 1); /* the timer began anew */
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1e-3);
    rcc_rp_advance(rig.rp, 21 * 55 * US + 30 * US);
    ck_assert_double_eq_tol(rp_rate(rig.rp), (rate + target) / 2, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(clamp_target)
{
    for (int clamp = 0; clamp < 2; clamp++)
    {
        struct rig rig;
        nic(&rig);
        rig_set(&rig, "clamp_target", clamp);
        rig_start(&rig, 0, 1);
        rig_cut(&rig, 0, 0);
        rig_cut(&rig, 1000, 0); /* no increase in between */
        ck_assert_double_eq_tol(rp_target(rig.rp), clamp ? 20e9 : 40e9, 1);
        rcc_rp_advance(rig.rp, 57 * US);
        double rate = rp_rate(rig.rp);
        rig_cut(&rig, 57 * US, 0); /* the rate has increased */
        ck_assert_double_eq_tol(rp_target(rig.rp), rate, 1);
        rig_free(&rig);
    }
}
END_TEST

/* Off: a cut sets the target after an increase by bytes, not after one by the timer. */
START_TEST(clamp_after_time)
{
    for (int64_t after_time = 0; after_time < 2; after_time++)
        for (uint32_t sent = 0; sent < 2; sent++)
        {
            struct rig rig;
            double rate;
            nic(&rig);
            rig_set(&rig, "clamp_target", 0);
            rig_set(&rig, "clamp_after_time", after_time);
            rig_set(&rig, "byte_counter", 1000);
            rig_start(&rig, 0, 1);
            rig_cut(&rig, 0, 0);
            rcc_rp_advance(rig.rp, 57 * US);
            ck_assert_double_eq_tol(rp_rate(rig.rp), 30e9, 1);
            if (sent != 0)
                rcc_rp_sent(rig.rp, 57 * US, 1000);
            rate = rp_rate(rig.rp);
            rig_cut(&rig, 57 * US, 0);
            ck_assert_double_eq_tol(rp_target(rig.rp), after_time != 0 || sent != 0 ? rate : 40e9, 1);
            rig_free(&rig);
        }
}
END_TEST

/* A queue pair begins at a low rate and halves the distance to the line rate with each period of the timer. Its first
 * CNP counts as the first one. */
START_TEST(slow_start)
{
    struct rig rig;
    nic(&rig);
    rig_set(&rig, "start_rate", 10 * (int64_t)GBPS);
    rig_set(&rig, "clamp_target", 0);
    rig_start(&rig, 1000, 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 10e9, 1);
    ck_assert_double_eq_tol(rp_target(rig.rp), 40e9, 1);
    rcc_rp_advance(rig.rp, 1000 + 55 * US - 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 10e9, 1);
    rcc_rp_advance(rig.rp, 1000 + 55 * US);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 25e9, 1);
    rig_cut(&rig, 60 * US, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 12.5e9, 1);
    ck_assert_double_eq_tol(rp_target(rig.rp), 25e9, 1);
    rig_set(&rig, "r_min", 20 * (int64_t)GBPS);
    rig_start(&rig, 0, 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 20e9, 1);
    rig_set(&rig, "start_rate", 50 * (int64_t)GBPS); /* above the line: at line rate, without a limiter */
    rig_start(&rig, 0, 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 40e9, 1);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), RCC_NEVER);
    rig_set(&rig, "start_rate", 40 * (int64_t)GBPS); /* the line rate is no slow start: no stage is counted */
    rig_start(&rig, 0, 1);
    rcc_rp_advance(rig.rp, MS);
    ck_assert_uint_eq(rp_state(rig.rp), 0);
    rig_free(&rig);
}
END_TEST

START_TEST(rate_reduce_period)
{
    struct rig rig;
    nic(&rig);
    rig_set(&rig, "rate_reduce_period", 4 * US);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    rig_cut(&rig, 4 * US - 1, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 20e9, 1);
    rig_cut(&rig, 4 * US, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 10e9, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(r_min_holds)
{
    struct rig rig;
    dcqcn(&rig);
    rig_set(&rig, "r_min", 3 * (int64_t)MBPS);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 100; i++)
        rig_cut(&rig, i, 0);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 3 * MBPS);
    ck_assert_double_eq_tol(rp_target(rig.rp), 3e6, 1e-3);
    rig_set(&rig, "r_min", (int64_t)(LINE + 1));
    ck_assert(!rig_try_start(&rig, 0, 1));
    rig_set(&rig, "r_min", (int64_t)LINE);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE);
    rig_free(&rig);
}
END_TEST

START_TEST(no_increase_before_the_first_cut)
{
    struct rig rig;
    dcqcn(&rig);
    rig_set(&rig, "byte_counter", 1000);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 100; i++)
        rcc_rp_sent(rig.rp, i * MS, 1000);
    ck_assert_uint_eq(rp_state(rig.rp), 0);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 1, 1e-9); /* alpha waits for the limiter too */
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), RCC_NEVER);
    rig_free(&rig);
}
END_TEST

Suite *suite_dcqcn(void)
{
    Suite *s = suite_create("dcqcn");
    TCase *reference = long_tcase("reference"), *hand = long_tcase("by hand");
    tcase_add_loop_test(reference, defaults_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(reference, presets_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(reference, other_parameters_match_the_reference, 0, LINE_RATES);
    tcase_add_test(hand, first_cut_halves);
    tcase_add_test(hand, initial_alpha_and_cut_ratio);
    tcase_add_test(hand, least_part_that_a_cut_leaves);
    tcase_add_test(hand, rate_of_the_first_cnp);
    tcase_add_test(hand, alpha_decays_on_its_own_timer);
    tcase_add_test(hand, alpha_restart);
    tcase_add_test(hand, timer_phases);
    tcase_add_test(hand, byte_counter_phases);
    tcase_add_test(hand, hyper_increase_phase);
    tcase_add_test(hand, timer_only);
    tcase_add_test(hand, a_cut_resets_the_stages);
    tcase_add_test(hand, clamp_target);
    tcase_add_test(hand, clamp_after_time);
    tcase_add_test(hand, slow_start);
    tcase_add_test(hand, rate_reduce_period);
    tcase_add_test(hand, r_min_holds);
    tcase_add_test(hand, no_increase_before_the_first_cut);
    suite_add_tcase(s, reference);
    suite_add_tcase(s, hand);
    return s;
}
