/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN+ share's reaction point: compared with the reference, the step with values computed by hand, and fairness. */
#include "reference.h"

#define LINE (10 * GBPS)

/* ------------------------------------------------------------------ against the reference */

START_TEST(defaults_match_the_reference)
{
    struct ref_run run = {
        .signals = 3000, .feedback_percent = 10, .sent_percent = 40, .gap_max = 500 * US, .pauses = true};
    for (uint64_t seed = 0; seed < rounds(8); seed++)
    {
        struct rig rig;
        rig_init(&rig, "dcqcn-plus-share", NULL, line_rates[_i]);
        run.gap_max = seed % 2 == 0 ? 500 * US : 50 * MS;
        run.feedback_percent = seed < 4 ? 10 : 2;
        ref_compare(&rig, seed, &run);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(other_parameters_match_the_reference)
{
    struct ref_run run = {
        .signals = 3000, .feedback_percent = 10, .sent_percent = 40, .gap_max = 500 * US, .pauses = true};
    for (uint64_t seed = 0; seed < rounds(30); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        rig_init(&rig, "dcqcn-plus-share", NULL, line_rates[_i]);
        rig_set(&rig, "ai_share", rng_range(&rng, 0, 1000000000));
        rig_set(&rig, "target_floor", rng_range(&rng, 0, 1));
        rig_set(&rig, "cnp_generation", rng_log_range(&rng, 1, MS));
        rig_set(&rig, "f", rng_range(&rng, 1, 4));
        rig_draw_plus(&rig, &rng);
        run.gap_max = rng_chance(&rng, 50) ? 500 * US : 10 * MS;
        run.feedback_percent = (unsigned)rng_range(&rng, 1, 20);
        ref_compare(&rig, 300 + seed, &run);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ the step by hand */

/* Increase of RT at the first expiry after `cuts` CNPs of period `tau`: an additive step, with S = F after a cut. */
static double first_step(struct rig *rig, int cuts, int64_t tau)
{
    double before;
    rig_set(rig, "stage_after_cut", 6);
    rig_start(rig, 0, 1);
    for (int i = 0; i < cuts; i++)
        rig_cut(rig, 0, tau);
    before = rp_target(rig->rp);
    rcc_rp_advance(rig->rp, rcc_rp_next_step(rig->rp));
    return rp_target(rig->rp) - before;
}

/* The bound of R_line / 100 equals the step s / 20 of five flows. */
START_TEST(a_twentieth_of_the_fair_share)
{
    static const struct
    {
        int64_t flows;
        double step;
    } table[] = {{2000, 10e9 / 2000 / 20},
                 {540, 10e9 / 540 / 20},
                 {100, 5e6},
                 {10, 50e6},
                 {6, 10e9 / 6 / 20},
                 {5, 100e6},
                 {4, 100e6},
                 {1, 100e6}};
    struct rig rig;
    rig_init(&rig, "dcqcn-plus-share", NULL, LINE);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        ck_assert_double_eq_tol(first_step(&rig, 40, table[i].flows * US), table[i].step, 1);
    rig_free(&rig);
}
END_TEST

/* The step after one cut and after forty is the same: it does not depend on the flow's rate, unlike that of DCQCN+. */
START_TEST(the_step_is_the_same_at_any_rate)
{
    struct rig share, plus;
    double few, many;
    rig_init(&share, "dcqcn-plus-share", NULL, LINE);
    few = first_step(&share, 3, 200 * US);
    many = first_step(&share, 40, 200 * US);
    ck_assert_double_eq_tol(few, 2.5e6, 1);
    ck_assert_double_eq_tol(many, 2.5e6, 1);
    rig_init(&plus, "dcqcn-plus", NULL, LINE);
    ck_assert_double_gt(first_step(&plus, 3, 200 * US), 10 * first_step(&plus, 40, 200 * US));
    rig_free(&share);
    rig_free(&plus);
}
END_TEST

/* tau is in units of the receivers' delta; ai_share and ai_line have their effects. */
START_TEST(parameters_of_the_step)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-plus-share", NULL, LINE);
    rig_set(&rig, "cnp_generation", 500);
    ck_assert_double_eq_tol(first_step(&rig, 40, 100 * US), 10e9 / 200 / 20, 1);
    rig_set(&rig, "cnp_generation", 10 * US);
    ck_assert_double_eq_tol(first_step(&rig, 40, 100 * US), 10e9 / 10 / 20, 1);
    ck_assert_double_eq_tol(first_step(&rig, 40, 1000 * US), 10e9 / 100 / 20, 1);
    rig_set(&rig, "ai_share", 1000000000);
    ck_assert_double_eq_tol(first_step(&rig, 40, 2000 * US), 10e9 / 200, 1);
    rig_set(&rig, "ai_line", 1000000); /* 10 Mb/s */
    ck_assert_double_eq_tol(first_step(&rig, 40, 2000 * US), 10e6, 1);
    rig_set(&rig, "ai_share", 0);
    ck_assert_double_eq_tol(first_step(&rig, 40, 2000 * US), 0, 1e-9);
    rig_free(&rig);
}
END_TEST

/* No flow has more than the line: a period below delta is that of one flow. */
START_TEST(the_share_is_at_most_the_line)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-plus-share", NULL, LINE);
    rig_set(&rig, "cnp_generation", 10 * US);
    rig_set(&rig, "ai_line", 1000000000);
    ck_assert_double_eq_tol(first_step(&rig, 40, 20 * US), 250e6, 1);
    ck_assert_double_eq_tol(first_step(&rig, 40, 10 * US), 500e6, 1);
    ck_assert_double_eq_tol(first_step(&rig, 40, 9999), 500e6, 1);
    ck_assert_double_eq_tol(first_step(&rig, 40, 1), 500e6, 1);
    rig_free(&rig);
}
END_TEST

/* No product overflows: the longest period, the largest delta, the fastest line. */
START_TEST(extremes_of_the_share)
{
    struct rig rig;
    const double line = 1.6e12, longest = 4294967295.0;
    rig_init(&rig, "dcqcn-plus-share", NULL, (uint64_t)line);
    rig_set(&rig, "ai_line", 1000000000);
    rig_set(&rig, "ai_share", 1000000000);
    rig_set(&rig, "cnp_generation", MS);
    ck_assert_double_eq_tol(first_step(&rig, 60, UINT32_MAX), line * 1e6 / longest, 1e-4);
    rig_set(&rig, "ai_share", 500000000);
    ck_assert_double_eq_tol(first_step(&rig, 60, MS + 1), line / 2 * 1e6 / 1000001, 1e-3);
    rig_set(&rig, "ai_share", 1000000000);
    rig_set(&rig, "cnp_generation", 1);
    ck_assert_double_eq_tol(first_step(&rig, 60, UINT32_MAX), line / longest, 1e-4);
    rig_free(&rig);
}
END_TEST

/* A CNP of DCQCN has no period: equation 19 applies. */
START_TEST(legacy_cnp)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-plus-share", NULL, LINE);
    rig_set(&rig, "r_min", 1000000); /* 10 Mb/s */
    ck_assert_double_eq_tol(first_step(&rig, 60, 0), 1e6, 1);
    rig_set(&rig, "ai_flow", 300000000);
    ck_assert_double_eq_tol(first_step(&rig, 60, 0), 3e6, 1);
    rig_set(&rig, "target_floor", 1); /* nor a fair share */
    ck_assert_double_eq_tol(first_step(&rig, 60, 0), 3e6, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(two_levels)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-plus-share", NULL, LINE);
    rig_set(&rig, "ai_levels", 0);
    ck_assert_double_eq_tol(first_step(&rig, 40, 200 * US), 5e6, 1);
    rig_set(&rig, "ai_alpha", 1000000000);
    ck_assert_double_eq_tol(first_step(&rig, 40, 200 * US), 2.5e6, 1);
    rig_set(&rig, "ai_alpha", 0);
    ck_assert_double_eq_tol(first_step(&rig, 40, 4 * US), 200e6, 1);
    rig_free(&rig);
}
END_TEST

/* RT = max(RC, s) at a CNP, off by default. */
START_TEST(target_floor)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-plus-share", NULL, LINE);
    ck_assert_int_eq(rig_get(&rig, "target_floor"), 0);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 40; i++)
        rig_cut(&rig, 0, 100 * US);
    ck_assert_double_lt(rp_target(rig.rp), 2e6);
    rig_set(&rig, "target_floor", 1);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 100 * US);
    ck_assert_double_eq(rp_target(rig.rp), 10e9); /* it does not lower the target */
    for (int i = 0; i < 40; i++)
        rig_cut(&rig, 0, 100 * US);
    ck_assert_double_eq_tol(rp_target(rig.rp), 100e6, 1);
    ck_assert_double_lt(rp_rate(rig.rp), 2e6); /* nor lifts the rate */
    rig_free(&rig);
}
END_TEST

/* ------------------------------------------------------------------ beside DCQCN+ */

/* With the same values only the additive step differs: cut, timers, fast recovery and hyper increase are those of
 * DCQCN+. */
START_TEST(all_else_is_dcqcn_plus)
{
    struct rig rigs[2];
    for (int i = 0; i < 2; i++)
    {
        rig_init(&rigs[i], i == 0 ? "dcqcn-plus" : "dcqcn-plus-share", NULL, LINE);
        rig_set(&rigs[i], "f", 2);
        rig_set(&rigs[i], "hi_after", 1); /* no additive phase */
        rig_set(&rigs[i], "phase_boundary", 1);
        rig_set(&rigs[i], "early_check", 1);
        rig_set(&rigs[i], "initial_alpha", 1000000000);
        rig_set(&rigs[i], "lambda", 2000000000);
        rig_set(&rigs[i], "lambda_alpha", 1000000000);
        rig_set(&rigs[i], "timer_rule", 0);
        rig_set(&rigs[i], "timer_update", 0);
        rig_start(&rigs[i], 0, 1);
    }
    for (int k = 0; k < 300; k++)
    {
        rcc_time at = (k + 1) * MS;
        for (int i = 0; i < 2; i++)
        {
            rcc_rp_advance(rigs[i].rp, at);
            if (k % 7 < 2)
                rig_cut(&rigs[i], at, 100 * US);
        }
        ck_assert_double_eq(rp_rate(rigs[0].rp), rp_rate(rigs[1].rp));
        ck_assert_double_eq(rp_target(rigs[0].rp), rp_target(rigs[1].rp));
    }
    rig_free(&rigs[0]);
    rig_free(&rigs[1]);
}
END_TEST

/* Two flows of one receiver, one of them cut four times more at the start. Both get a CNP when their total rate exceeds
 * the line rate. Returns the ratio of their mean rates over the second half. */
static double ratio_of_two(const char *name)
{
    struct rig rigs[2];
    double sum[2] = {0, 0};
    const int64_t tau = 2 * US;
    for (int i = 0; i < 2; i++)
    {
        rig_init(&rigs[i], name, NULL, LINE);
        rig_set(&rigs[i], "ai_line", 1000000000); /* two flows would reach its bound, many do not */
        rig_start(&rigs[i], 0, 1);
        for (int k = 0; k < 1 + 4 * i; k++)
            rig_cut(&rigs[i], 0, tau);
    }
    for (int k = 1; k <= 40000; k++)
    {
        rcc_time at = k * 10 * US;
        for (int i = 0; i < 2; i++)
            rcc_rp_advance(rigs[i].rp, at);
        if (rp_rate(rigs[0].rp) + rp_rate(rigs[1].rp) > (double)LINE)
            for (int i = 0; i < 2; i++)
                rig_cut(&rigs[i], at, tau);
        for (int i = 0; k > 20000 && i < 2; i++)
            sum[i] += rp_rate(rigs[i].rp);
    }
    rig_free(&rigs[0]);
    rig_free(&rigs[1]);
    return sum[1] / sum[0];
}

START_TEST(equal_steps_make_equal_rates)
{
    ck_assert_double_lt(ratio_of_two("dcqcn-plus"), 0.5);
    ck_assert_double_gt(ratio_of_two("dcqcn-plus-share"), 0.98);
}
END_TEST

Suite *suite_dcqcn_plus_share(void)
{
    Suite *s = suite_create("dcqcn-plus-share");
    TCase *tc = long_tcase("dcqcn-plus-share");
    tcase_add_loop_test(tc, defaults_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(tc, other_parameters_match_the_reference, 0, LINE_RATES);
    tcase_add_test(tc, a_twentieth_of_the_fair_share);
    tcase_add_test(tc, the_step_is_the_same_at_any_rate);
    tcase_add_test(tc, parameters_of_the_step);
    tcase_add_test(tc, the_share_is_at_most_the_line);
    tcase_add_test(tc, extremes_of_the_share);
    tcase_add_test(tc, legacy_cnp);
    tcase_add_test(tc, two_levels);
    tcase_add_test(tc, target_floor);
    tcase_add_test(tc, all_else_is_dcqcn_plus);
    tcase_add_test(tc, equal_steps_make_equal_rates);
    suite_add_tcase(s, tc);
    return s;
}
