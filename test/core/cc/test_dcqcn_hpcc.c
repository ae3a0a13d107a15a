/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The DCQCN of HPCC's simulator: periodic checks, marks in the ACKs, the values of its file and of ns3-rdma's. */
#include "reference.h"

#define LINE (40 * GBPS)

static const struct rcc_feedback marked = {.kind = RCC_FEEDBACK_ACK, .ce = true, .rtt = -1};

/* Values computed by hand: the flags and timers of its simulator after the first ACK with CE. */
START_TEST(hpcc_flags_and_timers)
{
    struct rig rig;
    struct rcc_feedback clean = {.kind = RCC_FEEDBACK_ACK, .rtt = -1};
    const double keep = 255.0 / 256, g = 1.0 / 256;
    double alpha, rate;
    rig_init(&rig, "dcqcn", "hpcc", 100 * GBPS);
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 500, &clean);
    rig_cut(&rig, 600, 0); /* CNPs are ignored */
    rcc_rp_feedback(rig.rp, 1000, &marked);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 100e9, 1);
    rcc_rp_advance(rig.rp, 1000 + 4 * US - 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 100e9, 1);
    rcc_rp_advance(rig.rp, 1000 + 4 * US); /* alpha fell once per microsecond, then the check cuts */
    alpha = keep * keep * keep * keep;
    rate = 100e9 * (1 - alpha / 2);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), alpha, 1e-9);
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 10);
    ck_assert_double_eq_tol(rp_target(rig.rp), 100e9, 1);

    rcc_rp_advance(rig.rp, 1000 + 8 * US); /* no flag: the check does nothing */
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 10);
    rcc_rp_feedback(rig.rp, 1000 + 9 * US, &clean);
    rcc_rp_feedback(rig.rp, 1000 + 9 * US + 1, &marked);
    rcc_rp_feedback(rig.rp, 1000 + 9 * US + 2, &marked); /* two are one */
    alpha *= keep * keep * keep * keep * keep;
    ck_assert_double_eq_tol(rp_alpha(rig.rp), alpha, 1e-9);
    rcc_rp_advance(rig.rp, 1000 + 10 * US);
    alpha = alpha * keep + g;
    ck_assert_double_eq_tol(rp_alpha(rig.rp), alpha, 1e-9);
    rcc_rp_advance(rig.rp, 1000 + 12 * US);
    alpha *= keep * keep;
    rate *= 1 - alpha / 2;
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 10);
    ck_assert_double_eq_tol(rp_target(rig.rp), 100e9, 1); /* CLAMP_TARGET_RATE 0: no increase in between */

    const rcc_time last = 1000 + 12 * US; /* one fast recovery, one additive, then hyper increase by the same step */
    double target = 100e9, line = 100e9;
    static const double steps[] = {0, 50e6, 100e6, 100e6};
    rcc_rp_advance(rig.rp, last + 900 * US - 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 10);
    rcc_rp_advance(rig.rp, last + 900 * US);
    rate = (rate + target) / 2;
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 10);
    rcc_rp_feedback(rig.rp, last + 901 * US, &marked);
    rcc_rp_advance(rig.rp, last + 904 * US); /* the checks go on from the first CNP */
    ck_assert_double_eq_tol(rp_target(rig.rp), rate, 10);
    target = rate;
    rate = rp_rate(rig.rp);
    for (int i = 0; i < 4; i++)
    {
        rcc_rp_advance(rig.rp, last + 904 * US + (i + 1) * 900 * US);
        target = target + steps[i] < line ? target + steps[i] : line;
        rate = (rate + target) / 2;
        ck_assert_double_eq_tol(rp_target(rig.rp), target, 10);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 10);
    }
    rig_free(&rig);
}
END_TEST

/* With g = 0 each cut halves. The checks start with the first ACK that echoes CE; CNPs and CNMs are ignored. */
START_TEST(periodic_cuts)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-hpcc", NULL, LINE);
    rig_set(&rig, "g", 0);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 1 * US, 0);
    rig_notify(&rig, 2 * US, 20);
    rcc_rp_advance(rig.rp, 9 * US);
    ck_assert_double_eq(rp_rate(rig.rp), 40e9);
    rcc_rp_feedback(rig.rp, 10 * US, &marked);
    rcc_rp_advance(rig.rp, 14 * US - 1);
    ck_assert_double_eq(rp_rate(rig.rp), 40e9);
    rcc_rp_advance(rig.rp, 14 * US);
    ck_assert_double_eq(rp_rate(rig.rp), 20e9);
    rcc_rp_feedback(rig.rp, 21 * US, &marked);
    rcc_rp_advance(rig.rp, 22 * US - 1);
    ck_assert_double_eq(rp_rate(rig.rp), 20e9);
    rcc_rp_advance(rig.rp, 22 * US);
    ck_assert_double_eq(rp_rate(rig.rp), 10e9);
    rig_free(&rig);
}
END_TEST

/* Without a period each signal cuts at once. */
START_TEST(cuts_at_once)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-hpcc", NULL, LINE);
    rig_set(&rig, "rate_reduce_period", 0);
    rig_set(&rig, "g", 0);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 3; i++)
    {
        rcc_rp_feedback(rig.rp, 10 * US, &marked);
        ck_assert_double_eq(rp_rate(rig.rp), 20e9 / (1 << i));
        ck_assert_int_eq(rcc_rp_next_step(rig.rp), 10 * US + 900 * US);
    }
    rig_free(&rig);
}
END_TEST

/* clamp_target=yes: a cut sets the target also when the rate has not increased since the last one. */
START_TEST(target_of_a_cut)
{
    for (int clamp = 0; clamp < 2; clamp++)
    {
        struct rig rig;
        rig_init(&rig, "dcqcn-hpcc", NULL, LINE);
        rig_set(&rig, "clamp_target", clamp);
        rig_set(&rig, "g", 0);
        rig_start(&rig, 0, 1);
        rcc_rp_feedback(rig.rp, 0, &marked);
        rcc_rp_feedback(rig.rp, 5 * US, &marked);
        rcc_rp_advance(rig.rp, 8 * US);
        ck_assert_double_eq(rp_rate(rig.rp), 10e9);
        ck_assert_double_eq(rp_target(rig.rp), clamp ? 20e9 : 40e9);
        rig_free(&rig);
    }
}
END_TEST

/* One signal raises alpha in one period, whether the cut is in that period or later. */
START_TEST(a_cnp_raises_alpha_once)
{
    static const struct
    {
        rcc_time cnp;
        double at_cut; /* alpha falls to a half in 1 us, or to a half and a half more */
    } cases[] = {{500, 1.0 / 8}, {3500, 1.0 / 16 + 1.0 / 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        struct rig rig;
        rig_init(&rig, "dcqcn-hpcc", NULL, 100 * GBPS);
        rig_set(&rig, "g", 500000000);
        rig_start(&rig, 0, 1);
        rcc_rp_feedback(rig.rp, 0, &marked); /* alpha begins with 1, and the cut is due after 4 us */
        rcc_rp_feedback(rig.rp, cases[i].cnp, &marked);
        rcc_rp_advance(rig.rp, 4 * US);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), cases[i].at_cut, 1e-9);
        ck_assert_double_eq_tol(rp_rate(rig.rp), 100e9 * (1 - cases[i].at_cut / 2), 10);
        rcc_rp_advance(rig.rp, 5 * US);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), cases[i].at_cut / 2, 1e-9);
        rig_free(&rig);
    }
}
END_TEST

/* The next change of the rate is a step of the timer or a cut, whichever comes first. */
START_TEST(next_steps)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-hpcc", NULL, LINE);
    rig_set(&rig, "rate_reduce_period", 40 * US);
    rig_set(&rig, "timer", 50 * US);
    rig_start(&rig, 0, 1);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), RCC_NEVER);
    rcc_rp_feedback(rig.rp, 10 * US, &marked);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 50 * US); /* the cut */
    rcc_rp_advance(rig.rp, 50 * US);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 100 * US); /* the timer, which the cut has started */
    rcc_rp_feedback(rig.rp, 85 * US, &marked);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 90 * US); /* the next check */
    rcc_rp_advance(rig.rp, 90 * US);
    rcc_rp_feedback(rig.rp, 135 * US, &marked);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 140 * US); /* the timer comes before the check */
    ck_assert_uint_eq(rp_state(rig.rp), 0);
    rcc_rp_advance(rig.rp, 140 * US);
    ck_assert_uint_eq(rp_state(rig.rp), 1);
    ck_assert_int_eq(rcc_rp_next_step(rig.rp), 170 * US);
    rig_free(&rig);
}
END_TEST

/* A period of one nanosecond is a period: the cut comes a nanosecond after the first signal, and not with it. */
START_TEST(shortest_period_of_cuts)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-hpcc", NULL, LINE);
    rig_set(&rig, "rate_reduce_period", 1);
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 1000, &marked);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE);
    rcc_rp_advance(rig.rp, 1001);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 20e9, 1);
    rig_free(&rig);
}
END_TEST

/* The values of config.txt that the preset contains. */
START_TEST(simulators_presets)
{
    static const struct
    {
        const char *preset, *field;
        int64_t value;
    } table[] = {{"hpcc", "alpha_timer", 1000},
                 {"hpcc", "rate_reduce_period", 4000},
                 {"hpcc", "timer", 900000},
                 {"hpcc", "r_ai", 50000000},
                 {"hpcc", "r_hai", 100000000},
                 {"hpcc", "r_min", 100000000},
                 {"hpcc", "g", 3906250},
                 {"hpcc", "kmin", 400000},
                 {"hpcc", "kmax", 1600000},
                 {"hpcc", "pmax", 200000000},
                 {"ns3-rdma", "kmin", 41200},
                 {"ns3-rdma", "kmax", 1030000},
                 {"ns3-rdma", "pmax", 1000000000},
                 {"ns3-rdma", "cnp_interval", 50000},
                 {"ns3-rdma", "alpha_timer", 55000},
                 {"ns3-rdma", "timer", 60000},
                 {"ns3-rdma", "byte_counter", 300000000},
                 {"ns3-rdma", "g", 3906250},
                 {"ns3-rdma", "f", 5},
                 {"ns3-rdma", "r_ai", 40000000},
                 {"ns3-rdma", "r_hai", 200000000},
                 {"ns3-rdma", "r_min", 100000000},
                 {"ns3-rdma", "initial_alpha", 500000000},
                 {"ns3-rdma", "clamp_target", 1},
                 {"ns3-rdma", "rate_reduce_period", 0}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
        struct rig rig;
        rig_init(&rig, "dcqcn", table[i].preset, LINE);
        CHECK(rig_get(&rig, table[i].field) == table[i].value, "%s: %s", table[i].preset, table[i].field);
        rig_free(&rig);
    }
}
END_TEST

Suite *suite_dcqcn_hpcc(void)
{
    Suite *s = suite_create("dcqcn-hpcc");
    TCase *tc = tcase_create("rules of simulators");
    tcase_add_test(tc, hpcc_flags_and_timers);
    tcase_add_test(tc, periodic_cuts);
    tcase_add_test(tc, cuts_at_once);
    tcase_add_test(tc, target_of_a_cut);
    tcase_add_test(tc, shortest_period_of_cuts);
    tcase_add_test(tc, next_steps);
    tcase_add_test(tc, a_cnp_raises_alpha_once);
    tcase_add_test(tc, simulators_presets);
    suite_add_tcase(s, tc);
    return s;
}
