/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QCN's reaction point: against the reference, and every rule by hand. */
#include "fixed.h"
#include "reference.h"

#include <math.h>

#define LINE (10 * GBPS)

/* ------------------------------------------------------------------ RP against the reference */

static const struct ref_run usual = {.signals = 3000, .feedback_percent = 5, .sent_percent = 80, .gap_max = 5 * MS};

START_TEST(defaults_match_the_reference)
{
    struct ref_run run = usual;
    for (uint64_t seed = 0; seed < rounds(10); seed++)
    {
        struct rig rig;
        rig_init(&rig, "qcn", seed % 3 == 2 ? "netfpga-1g" : "paper", line_rates[_i]);
        run.gap_max = seed % 2 == 0 ? 5 * MS : 200 * MS;
        run.feedback_percent = seed < 5 ? 5 : 1;
        ref_compare(&rig, seed, &run);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(other_parameters_match_the_reference)
{
    struct ref_run run = usual;
    for (uint64_t seed = 0; seed < rounds(25); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        rig_init(&rig, "qcn", NULL, line_rates[_i]);
        rig_set(&rig, "byte_counter", rng_log_range(&rng, 10000, 1000000));
        rig_set(&rig, "timer", rng_log_range(&rng, 100 * US, 50 * MS));
        rig_set(&rig, "jitter", rng_chance(&rng, 30) ? 0 : rng_range(&rng, 0, 500000000));
        rig_set(&rig, "f", rng_range(&rng, 1, 8));
        rig_set(&rig, "gd", rng_range(&rng, 0, 30000000));
        rig_set(&rig, "max_cut", rng_range(&rng, 0, 1000000000));
        rig_set(&rig, "r_ai", rng_log_range(&rng, 100000, (int64_t)line_rates[_i] / 10));
        rig_set(&rig, "r_hai", rng_log_range(&rng, 100000, (int64_t)line_rates[_i] / 10));
        rig_set(&rig, "r_min", rng_log_range(&rng, 100000, (int64_t)line_rates[_i] / 10));
        rig_set(&rig, "extra_fast_recovery", rng_range(&rng, 0, 2));
        rig_set(&rig, "target_reduction", rng_chance(&rng, 50) ? 10 : rng_range(&rng, 0, 20));
        rig_set(&rig, "pacing", rng_range(&rng, 0, 1));
        rig_set(&rig, "notify", rng_range(&rng, 0, 1));
        run.gap_max = rng_chance(&rng, 50) ? 5 * MS : 200 * MS;
        run.feedback_percent = (unsigned)rng_range(&rng, 1, 10);
        ref_compare(&rig, 400 + seed, &run);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ RP by hand */

static void qcn(struct rig *rig)
{
    rig_init(rig, "qcn", NULL, LINE);
    rig_set(rig, "jitter", 0);
}

static void send(struct rig *rig, rcc_time at, int64_t bytes)
{
    for (; bytes > 0; bytes -= 1500)
        rcc_rp_sent(rig->rp, at, bytes < 1500 ? (uint32_t)bytes : 1500);
}

/* notify: a CNM whose feedback is quantised to 0 restarts the cycles, or is no CNM. */
START_TEST(a_cnm_of_nothing)
{
    for (int negative = 0; negative < 2; negative++)
    {
        struct rig rig;
        qcn(&rig);
        rig_set(&rig, "notify", negative);
        rig_set(&rig, "timer", 10 * MS);
        rig_set(&rig, "f", 1); /* the cycles after the first one are half as long */
        rig_start(&rig, 0, 1);
        rig_notify(&rig, 0, 0);
        ck_assert_int_eq(rcc_rp_next_step(rig.rp), negative ? 10 * MS : RCC_NEVER);
        rig_notify(&rig, 0, 10);
        ck_assert_int_eq(rcc_rp_next_step(rig.rp), 10 * MS);
        rig_notify(&rig, 1 * US, 0);
        ck_assert_int_eq(rcc_rp_next_step(rig.rp), negative ? 10 * MS + 1 * US : 10 * MS);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(cut_is_gd_times_qfb)
{
    struct rig rig;
    qcn(&rig);
    for (int qfb = 0; qfb <= 70; qfb++)
    {
        double read = qfb < 63 ? qfb : 63;
        rig_start(&rig, 0, 1);
        rig_notify(&rig, 0, (uint8_t)qfb);
        ck_assert_double_eq_tol(rp_rate(rig.rp), 10e9 * (1 - read / 128), 1);
        ck_assert_double_eq_tol(rp_target(rig.rp), 10e9, 1e-3);
    }
    rig_set(&rig, "gd", 1000000000); /* more than max_cut */
    rig_start(&rig, 0, 1);
    rig_notify(&rig, 0, 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 5e9, 1);
    rig_set(&rig, "max_cut", 1000000000);
    rig_start(&rig, 0, 1);
    rig_notify(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 10 * MBPS); /* r_min */
    rig_set(&rig, "r_min", (int64_t)LINE + 1);
    ck_assert(!rig_try_start(&rig, 0, 1));
    rig_free(&rig);
}
END_TEST

/* To the last binary digit; a least rate that is the line rate leaves nothing to cut. */
START_TEST(cut_is_exact)
{
    struct rng rng = {4};
    struct rig rig;
    const uint64_t line = (uint64_t)(1600 * GBPS) << RCC_RATE_SHIFT; /* the largest r_min */
    rig_init(&rig, "qcn", NULL, 1600 * GBPS);
    rig_set(&rig, "max_cut", 1000000000);
    for (int i = 0; i < 300; i++)
    {
        int64_t gd = rng_range(&rng, 0, 15000000);
        uint8_t qfb = (uint8_t)rng_range(&rng, 1, 63);
        rig_set(&rig, "gd", gd);
        rig_start(&rig, 0, 1);
        rig_notify(&rig, 0, qfb);
        ck_assert_uint_eq(rig.rp->rate, rcc_mul_q62(line, RCC_Q62_ONE - rcc_ratio_q62(gd * qfb)));
    }
    rig_set(&rig, "r_min", 1600 * GBPS);
    ck_assert(rig_try_start(&rig, 0, 1));
    rig_notify(&rig, 0, 63);
    ck_assert_uint_eq(rig.rp->rate, line);
    rig_free(&rig);
}
END_TEST

/* 5 cycles of 15 ms, then cycles of 7.5 ms; the timer alone gives fast recovery, then active increase. */
START_TEST(timer_cycles)
{
    struct rig rig;
    rcc_time t = 0;
    double rate = 5.078125e9, target = 5.078125e9, kept; /* 63/128 of the rate is gone */
    qcn(&rig);
    rig_set(&rig, "extra_fast_recovery", 0);
    rig_start(&rig, 0, 1);
    rig_notify(&rig, 0, 63);
    rig_notify(&rig, 0, 63);
    rate *= 1 - 63.0 / 128;
    kept = rp_target(rig.rp);
    for (int stage = 1; stage <= 12; stage++)
    {
        t += stage <= 5 ? 15 * MS : 7500 * US;
        ck_assert_int_eq(rcc_rp_next_step(rig.rp), t);
        rcc_rp_advance(rig.rp, t - 1);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
        rcc_rp_advance(rig.rp, t);
        if (stage <= 5) /* fast recovery: not a digit */
            ck_assert_double_eq(rp_target(rig.rp), kept);
        target += stage > 5 ? 5e6 : 0;
        rate = (rate + target) / 2;
        ck_assert_double_eq_tol(rp_target(rig.rp), target, 1);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
        ck_assert_uint_eq(rp_state(rig.rp), (unsigned)stage);
    }
    rig_free(&rig);
}
END_TEST

/* 5 cycles of 150 KB, then cycles of 75 KB. */
START_TEST(byte_counter_cycles)
{
    struct rig rig;
    double rate = 5.078125e9 * (1 - 63.0 / 128), target = 5.078125e9;
    qcn(&rig);
    rig_set(&rig, "extra_fast_recovery", 0);
    rig_start(&rig, 0, 1);
    rig_notify(&rig, 0, 63);
    rig_notify(&rig, 0, 63);
    for (int stage = 1; stage <= 12; stage++)
    {
        send(&rig, 1, (stage <= 5 ? 150000 : 75000) - 1);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
        send(&rig, 1, 1);
        target += stage > 5 ? 5e6 : 0;
        rate = (rate + target) / 2;
        ck_assert_double_eq_tol(rp_target(rig.rp), target, 1);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
    }
    rig_free(&rig);
}
END_TEST

/* Eq. 7: both beyond F: TR rises by i R_HAI, i = min(stages) - F. */
START_TEST(hyper_active_increase)
{
    struct rig rig;
    double target;
    rcc_time t = 5 * 15 * MS;
    qcn(&rig);
    rig_set(&rig, "extra_fast_recovery", 0);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 4; i++)
        rig_notify(&rig, 0, 63);
    send(&rig, 1, 5 * 150000 + 2 * 75000); /* byte stage 7 */
    target = rp_target(rig.rp);
    for (int stage = 6; stage <= 9; stage++)
    {
        t += 7500 * US;
        rcc_rp_advance(rig.rp, t - 1);
        if (stage == 6) /* the timer's stages 1..5 were active increase: the byte counter was beyond F */
            target += 5 * 5e6;
        ck_assert_double_eq_tol(rp_target(rig.rp), target, 1);
        rcc_rp_advance(rig.rp, t);
        target += (stage < 7 ? stage - 5 : 2) * 50e6;
        ck_assert_double_eq_tol(rp_target(rig.rp), target, 1);
    }
    rig_free(&rig);
}
END_TEST

/* Consecutive CNMs: only the first one sets TR and the byte counter; each restarts the timer. */
START_TEST(extra_fast_recovery)
{
    for (int on = 0; on < 2; on++)
    {
        struct rig rig;
        double first, rate;
        qcn(&rig);
        rig_set(&rig, "extra_fast_recovery", on);
        rig_start(&rig, 0, 1);
        rig_notify(&rig, 0, 32);
        first = rp_rate(rig.rp);
        send(&rig, 1, 100000);
        rig_notify(&rig, 10 * MS, 32);
        ck_assert_double_eq_tol(rp_target(rig.rp), on ? 10e9 : first, 1);
        ck_assert_double_eq_tol(rp_rate(rig.rp), first * 0.75, 1);
        ck_assert_int_eq(rcc_rp_next_step(rig.rp), 25 * MS);
        rate = rp_rate(rig.rp);
        send(&rig, 11 * MS, 50000); /* the cycle's other third */
        ck_assert(on ? rp_rate(rig.rp) > rate : rp_rate(rig.rp) <= rate);
        send(&rig, 11 * MS, 100000);
        rig_notify(&rig, 12 * MS, 32); /* the byte counter has left stage 0: an ordinary cut */
        ck_assert_double_lt(rp_target(rig.rp), 10e9);
        rig_free(&rig);
    }
}
END_TEST

/* A cycle of the timer raises CR: extra fast recovery is over by the NetFPGA text, and goes on by 802.1Qau. */
START_TEST(extra_fast_recovery_after_a_timer_cycle)
{
    for (int rule = 1; rule <= 2; rule++)
    {
        struct rig rig;
        double before;
        qcn(&rig);
        rig_set(&rig, "extra_fast_recovery", rule);
        rig_start(&rig, 0, 1);
        rig_notify(&rig, 0, 32);
        rcc_rp_advance(rig.rp, 20 * MS); /* one cycle of 15 ms */
        before = rp_rate(rig.rp);
        rig_notify(&rig, 20 * MS, 32);
        ck_assert_double_eq_tol(rp_target(rig.rp), rule == 1 ? 10e9 : before, 1);
        rig_free(&rig);
    }
}
END_TEST

/* TR / 8 at the first cycle's end if TR > 10 CR. */
START_TEST(target_rate_reduction)
{
    for (int factor = 0; factor <= 10; factor += 5)
    {
        struct rig rig;
        qcn(&rig);
        rig_set(&rig, "target_reduction", factor);
        rig_start(&rig, 0, 1);
        for (int i = 0; i < 4; i++)
            rig_notify(&rig, 0, 63); /* CR is about line / 15, TR the line rate */
        rcc_rp_advance(rig.rp, 15 * MS);
        ck_assert_double_eq_tol(rp_target(rig.rp), factor != 0 ? 10e9 / 8 : 10e9, 1);
        rig_start(&rig, 0, 1);
        rig_notify(&rig, 0, 63); /* CR is about line / 4 */
        rig_notify(&rig, 0, 63);
        send(&rig, 1, 150000);
        ck_assert_double_eq_tol(rp_target(rig.rp), 10e9, 1);
        rig_free(&rig);
    }
}
END_TEST

/* A factor below 8 takes TR below CR: CR then falls towards TR, and a CNM never leaves TR under CR. */
START_TEST(target_may_be_reduced_below_the_rate)
{
    struct rig rig;
    double rate;
    qcn(&rig);
    rig_set(&rig, "target_reduction", 1);
    rig_start(&rig, 0, 1);
    rig_notify(&rig, 0, 1);
    rate = rp_rate(rig.rp);
    rcc_rp_advance(rig.rp, 15 * MS);
    ck_assert_double_eq_tol(rp_target(rig.rp), 10e9 / 8, 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), (rate + 10e9 / 8) / 2, 1);
    rig_notify(&rig, 16 * MS, 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), (rate + 10e9 / 8) / 2 * 127 / 128, 1);
    ck_assert_double_eq_tol(rp_target(rig.rp), rp_rate(rig.rp), 1e-3);
    rig_free(&rig);
}
END_TEST

/* The target is divided when it is above 10 times the rate, not when it is 10 times the rate. */
START_TEST(target_reduction_boundary)
{
    for (int below = 0; below < 2; below++)
    {
        struct rig rig;
        qcn(&rig);
        rig_set(&rig, "gd", 1000000000);
        rig_set(&rig, "max_cut", 1000000000);
        rig_set(&rig, "r_min", (int64_t)LINE / 10 - below);
        rig_start(&rig, 0, 1);
        rig_notify(&rig, 0, 63);
        ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE / 10 - (uint64_t)below);
        rcc_rp_advance(rig.rp, 15 * MS);
        ck_assert_double_eq_tol(rp_target(rig.rp), below ? (double)LINE / 8 : (double)LINE, 1e-3);
        rig_free(&rig);
    }
}
END_TEST

/* The first hyper-active step is one r_hai, also where two of them pass the line rate; the second one stops there. */
START_TEST(hyper_active_step_near_the_line_rate)
{
    static const int64_t steps[] = {6000000000, 10000000000, 1600000000000};
    struct rig rig;
    double before;
    qcn(&rig);
    rig_set(&rig, "f", 1);
    rig_set(&rig, "r_hai", steps[_i]);
    rig_set(&rig, "extra_fast_recovery", 0);
    rig_set(&rig, "target_reduction", 0);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 20; i++)
        rig_notify(&rig, 0, 63);
    rcc_rp_advance(rig.rp, 30 * MS); /* the timer's stage 2; the byte counter follows */
    send(&rig, 30 * MS, 150000);
    before = rp_target(rig.rp);
    ck_assert_double_lt(before, 1e9);
    send(&rig, 30 * MS, 75000);
    ck_assert_double_eq_tol(rp_target(rig.rp), fmin(before + (double)steps[_i], 10e9), 1);
    rig_free(&rig);
}
END_TEST

/* QCN has no alpha: traces show 0. */
START_TEST(what_traces_show)
{
    struct rig rig;
    qcn(&rig);
    rig_start(&rig, 0, 1);
    ck_assert_double_eq(rp_alpha(rig.rp), 0);
    rig_notify(&rig, 0, 63);
    ck_assert_double_eq(rp_alpha(rig.rp), 0);
    send(&rig, 0, 450000); /* three cycles of the byte counter, none of the timer */
    ck_assert_uint_eq(rp_state(rig.rp), 3);
    rcc_rp_advance(rig.rp, 60 * MS);
    ck_assert_uint_eq(rp_state(rig.rp), 4);
    rig_free(&rig);
}
END_TEST

/* A limiter at line rate is gone: the next CNM finds a fresh one. */
START_TEST(limiter_is_freed_at_line_rate)
{
    struct rig rig;
    qcn(&rig);
    rig_start(&rig, 0, 1);
    rig_notify(&rig, 0, 1);
    rcc_rp_advance(rig.rp, 10 * SEC);
    ck_assert_uint_eq(rig.rp->rate, LINE << RCC_RATE_SHIFT);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), RCC_NEVER);
    unsigned state = rp_state(rig.rp);
    send(&rig, 10 * SEC, 10000000);
    rcc_rp_advance(rig.rp, 20 * SEC);
    ck_assert_uint_eq(rp_state(rig.rp), state);
    rig_notify(&rig, 20 * SEC, 63);
    ck_assert_uint_eq(rp_state(rig.rp), 0);
    ck_assert_double_eq_tol(rp_target(rig.rp), 10e9, 1e-3);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 20 * SEC + 15 * MS);
    rig_free(&rig);
}
END_TEST

START_TEST(cycles_are_jittered)
{
    struct rig rig;
    double sum = 0;
    int64_t least = INT64_MAX, most = 0;
    qcn(&rig);
    rig_set(&rig, "jitter", 150000000);
    for (uint64_t stream = 0; stream < 20000; stream++)
    {
        rig_start(&rig, 0, stream);
        rig_notify(&rig, 0, 32);
        int64_t cycle = rcc_rp_next_step(rig.rp);
        sum += (double)cycle;
        least = cycle < least ? cycle : least;
        most = cycle > most ? cycle : most;
    }
    ck_assert_double_eq_tol(sum / 20000, 15e6, 15e6 * 0.003); /* 5 standard errors */
    ck_assert_int_ge(least, 12750 * US);
    ck_assert_int_lt(least, 12760 * US);
    ck_assert_int_le(most, 17250 * US);
    ck_assert_int_gt(most, 17240 * US);
    rig.env.draw = NULL; /* no draws: no jitter */
    rig_start(&rig, 0, 1);
    rig_notify(&rig, 0, 32);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 15 * MS);
    rig_free(&rig);
}
END_TEST

Suite *suite_qcn(void)
{
    Suite *s = suite_create("qcn");
    TCase *reference = long_tcase("reference"), *rp = long_tcase("RP by hand");
    tcase_add_loop_test(reference, defaults_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(reference, other_parameters_match_the_reference, 0, LINE_RATES);
    tcase_add_test(rp, cut_is_gd_times_qfb);
    tcase_add_test(rp, cut_is_exact);
    tcase_add_test(rp, timer_cycles);
    tcase_add_test(rp, a_cnm_of_nothing);
    tcase_add_test(rp, byte_counter_cycles);
    tcase_add_test(rp, hyper_active_increase);
    tcase_add_test(rp, extra_fast_recovery);
    tcase_add_test(rp, extra_fast_recovery_after_a_timer_cycle);
    tcase_add_test(rp, target_rate_reduction);
    tcase_add_test(rp, target_may_be_reduced_below_the_rate);
    tcase_add_test(rp, target_reduction_boundary);
    tcase_add_loop_test(rp, hyper_active_step_near_the_line_rate, 0, 3);
    tcase_add_test(rp, what_traces_show);
    tcase_add_test(rp, limiter_is_freed_at_line_rate);
    tcase_add_test(rp, cycles_are_jittered);
    suite_add_tcase(s, reference);
    suite_add_tcase(s, rp);
    return s;
}
