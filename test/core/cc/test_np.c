/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN's notification point: against the naive model, and its rules by hand. */
#include "naive_np.h"

static void dcqcn(struct rig *rig, uint32_t capacity)
{
    rig_init(rig, "dcqcn", NULL, 40 * GBPS);
    rig_start_np(rig, capacity);
}

static void expect(struct rig *rig, rcc_time now, uint32_t flow)
{
    struct rcc_cnp got = {UINT32_MAX, 99};
    ck_assert_int_eq(rcc_np_next_due(rig->np), now);
    ck_assert(rcc_np_poll(rig->np, now, &got));
    ck_assert_uint_eq(got.flow, flow);
    ck_assert_uint_eq(got.period_ns, 0);
}

static void expect_nothing(struct rig *rig, rcc_time now)
{
    struct rcc_cnp got;
    ck_assert(!rcc_np_poll(rig->np, now, &got));
}

START_TEST(matches_the_naive_model)
{
    static const int64_t intervals[] = {0, 1, 5 * US, 50 * US}, generations[] = {0, 1, 1 * US, 7 * US};
    unsigned cnps = 0;
    for (uint64_t seed = 0; seed < 16; seed++)
        for (int rule = 0; rule < 2; rule++)
        {
            struct rig rig;
            struct np_run run = {60, 1500, 3 * US, 20, 5, true};
            rig_init(&rig, "dcqcn-nic", NULL, 40 * GBPS);
            rig_set(&rig, "cnp_interval", intervals[seed % 4]);
            rig_set(&rig, "cnp_generation", generations[seed / 4]);
            rig_set(&rig, "np_rule", rule);
            rig_set(&rig, "cnp_busy", seed % 5 == 4);
            run.flows = seed % 3 == 0 ? 3 : 60;
            run.late_percent = seed % 2 == 0 ? 0 : 30;
            cnps += np_compare(&rig, (uint64_t)(100 * _i) + seed, &run);
            rig_free(&rig);
        }
    ck_assert_uint_gt(cnps, 1000);
}
END_TEST

START_TEST(the_papers_match_the_naive_model)
{
    static const int64_t intervals[] = {0, 1, 5 * US, 50 * US};
    unsigned cnps = 0;
    for (uint64_t seed = 0; seed < 16; seed++)
    {
        struct rig rig;
        struct np_run run = {seed % 3 == 0 ? 3 : 60, 1500, 3 * US, seed % 2 == 0 ? 0 : 30, 5, true};
        rig_init(&rig, "dcqcn", NULL, 40 * GBPS);
        rig_set(&rig, "cnp_interval", intervals[seed % 4]);
        cnps += np_compare(&rig, (uint64_t)(100 * _i) + seed, &run);
        rig_free(&rig);
    }
    ck_assert_uint_gt(cnps, 1000);
}
END_TEST

START_TEST(first_mark_at_once_then_window_end)
{
    struct rig rig;
    dcqcn(&rig, 2);
    ck_assert_int_eq(rcc_np_next_due(rig.np), RCC_NEVER);
    rcc_np_marked(rig.np, 1000, 0);
    expect(&rig, 1000, 0);
    expect_nothing(&rig, 1000);
    ck_assert_int_eq(rcc_np_next_due(rig.np), RCC_NEVER);
    rcc_np_marked(rig.np, 2000, 0);
    rcc_np_marked(rig.np, 30000, 0); /* two marks in the window: one CNP as it ends */
    expect_nothing(&rig, 50999);
    expect(&rig, 51000, 0);
    expect_nothing(&rig, 51000);
    expect_nothing(&rig, 101000); /* there was no mark in the second window */
    rcc_np_marked(rig.np, 101000, 0);
    expect(&rig, 101000, 0);
    rig_free(&rig);
}
END_TEST

START_TEST(next_mark_rule)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-nic", NULL, 40 * GBPS);
    rig_set(&rig, "np_rule", 1);
    rig_start_np(&rig, 1);
    rcc_np_marked(rig.np, 0, 0);
    expect(&rig, 0, 0);
    rcc_np_marked(rig.np, 10 * US, 0);
    ck_assert_int_eq(rcc_np_next_due(rig.np), RCC_NEVER);
    expect_nothing(&rig, 50 * US);
    rcc_np_marked(rig.np, 60 * US, 0);
    expect(&rig, 60 * US, 0);
    rig_free(&rig);
}
END_TEST

START_TEST(no_interval_is_one_per_mark)
{
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, 40 * GBPS);
    rig_set(&rig, "cnp_interval", 0);
    rig_start_np(&rig, 1);
    for (rcc_time t = 0; t < 20; t++)
    {
        rcc_np_marked(rig.np, t, 0);
        expect(&rig, t, 0);
        expect_nothing(&rig, t);
    }
    rig_free(&rig);
}
END_TEST

START_TEST(generation_limits_all_flows)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-nic", NULL, 40 * GBPS);
    rig_set(&rig, "cnp_generation", 1 * US);
    rig_start_np(&rig, 100);
    for (uint32_t i = 0; i < 100; i++)
        rcc_np_marked(rig.np, 500, 99 - i); /* first marked, first notified */
    for (uint32_t i = 0; i < 100; i++)
    {
        if (i > 0)
            expect_nothing(&rig, 500 + i * US - 1);
        expect(&rig, 500 + i * US, 99 - i);
    }
    expect_nothing(&rig, SEC);
    rig_free(&rig);
}
END_TEST

/* cnp_busy=last: a fast flow, which is more often the last one, is notified more often. */
START_TEST(the_last_mark_that_finds_the_generator_busy_has_the_next_cnp)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-nic", NULL, 40 * GBPS);
    rig_set(&rig, "cnp_interval", 0);
    rig_set(&rig, "cnp_generation", 4 * US);
    rig_set(&rig, "cnp_busy", 1);
    rig_start_np(&rig, 3);
    rcc_np_marked(rig.np, 0, 0);
    expect(&rig, 0, 0);
    rcc_np_marked(rig.np, 1, 1);
    rcc_np_marked(rig.np, 2, 2);
    rcc_np_marked(rig.np, 4 * US - 1, 2);
    expect_nothing(&rig, 4 * US - 1);
    expect(&rig, 4 * US, 2);
    expect_nothing(&rig, SEC);
    rig_free(&rig);
}
END_TEST

/* Two flows notified at one instant have windows that end together; closing one must not lose the other. */
START_TEST(close_keeps_the_other_of_two_equal_windows)
{
    struct rig rig;
    dcqcn(&rig, 3);
    rcc_np_marked(rig.np, 0, 0);
    rcc_np_marked(rig.np, 0, 1);
    expect(&rig, 0, 0);
    expect(&rig, 0, 1);
    rcc_np_marked(rig.np, 1000, 1);
    rcc_np_marked(rig.np, 1000, 0);
    rcc_np_close(rig.np, 1);
    expect(&rig, 50 * US, 0);
    rig_free(&rig);
}
END_TEST

START_TEST(close_forgets_a_ready_flow)
{
    struct rig rig;
    dcqcn(&rig, 3);
    for (uint32_t i = 0; i < 3; i++)
        rcc_np_marked(rig.np, 0, i);
    rcc_np_close(rig.np, 1);
    expect(&rig, 0, 0);
    expect(&rig, 0, 2);
    expect_nothing(&rig, 0);
    rcc_np_marked(rig.np, 10, 1); /* a new flow: at once */
    expect(&rig, 10, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(grow_keeps_everything)
{
    struct rig rig;
    dcqcn(&rig, 4);
    for (uint32_t i = 0; i < 4; i++)
        rcc_np_marked(rig.np, i, i);
    expect(&rig, 0, 0);
    rcc_np_marked(rig.np, 10, 0);
    rig_grow_np(&rig, 70);
    ck_assert_uint_eq(rig.np->capacity, 70);
    rcc_np_marked(rig.np, 20, 69);
    expect(&rig, 1, 1);
    expect(&rig, 2, 2);
    expect(&rig, 3, 3);
    expect(&rig, 20, 69);
    expect(&rig, 50 * US, 0);
    rig_free(&rig);
}
END_TEST

Suite *suite_np(void)
{
    Suite *s = suite_create("np");
    TCase *naive = long_tcase("naive model"), *hand = long_tcase("by hand");
    tcase_add_loop_test(naive, matches_the_naive_model, 0, 4);
    tcase_add_loop_test(naive, the_papers_match_the_naive_model, 0, 4);
    tcase_add_test(hand, first_mark_at_once_then_window_end);
    tcase_add_test(hand, next_mark_rule);
    tcase_add_test(hand, no_interval_is_one_per_mark);
    tcase_add_test(hand, generation_limits_all_flows);
    tcase_add_test(hand, the_last_mark_that_finds_the_generator_busy_has_the_next_cnp);
    tcase_add_test(hand, close_keeps_the_other_of_two_equal_windows);
    tcase_add_test(hand, close_forgets_a_ready_flow);
    tcase_add_test(hand, grow_keeps_everything);
    suite_add_tcase(s, naive);
    suite_add_tcase(s, hand);
    return s;
}
