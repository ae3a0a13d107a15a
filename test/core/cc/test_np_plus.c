/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCQCN+'s notification point: the list walk against the naive model, and its options by hand. */
#include "naive_np.h"

/* The options that a preset may choose otherwise are fixed here. */
static void plus(struct rig *rig)
{
    rig_init(rig, "dcqcn-plus", NULL, 40 * GBPS);
    rig_set(rig, "idle_wake", 0);
    rig_set(rig, "early_check", 0);
    rig_set(rig, "period_counts", 0);
    rig_set(rig, "list_timeout", 0);
}

static void expect(struct rig *rig, rcc_time now, uint32_t flow, int64_t period)
{
    struct rcc_cnp got = {UINT32_MAX, 0};
    ck_assert_int_eq(rcc_np_next_due(rig->np), now);
    ck_assert(!rcc_np_poll(rig->np, now - 1, &got));
    ck_assert(rcc_np_poll(rig->np, now, &got));
    ck_assert_uint_eq(got.flow, flow);
    ck_assert_int_eq(got.period_ns, period);
}

START_TEST(matches_the_naive_model)
{
    static const int64_t generations[] = {100, 333, 1 * US, 10 * US}, intervals[] = {0, 1, 45 * US, 200 * US};
    static const uint32_t flows[] = {1, 2, 20, 63, 64, 65, 130, 250};
    unsigned cnps = 0;
    for (uint64_t seed = 0; seed < 24; seed++)
    {
        struct rig rig;
        struct rng rng = {(uint64_t)(1000 * _i) + seed};
        struct np_run run = {flows[seed % 8], 1200, 3 * US, 0, 0, false};
        plus(&rig);
        rig_set(&rig, "cnp_generation", generations[rng_range(&rng, 0, 3)]);
        rig_set(&rig, "cnp_min_interval", intervals[rng_range(&rng, 0, 3)]);
        rig_set(&rig, "period_floor", rng_chance(&rng, 50) ? 45 * US : rng_log_range(&rng, 0, MS));
        rig_set(&rig, "period_counts", rng_range(&rng, 0, 1));
        rig_set(&rig, "idle_wake", rng_range(&rng, 0, 1));
        rig_set(&rig, "early_check", rng_range(&rng, 0, 1));
        rig_set(&rig, "list_timeout", rng_chance(&rng, 60) ? 0 : rng_log_range(&rng, 1, 2 * MS));
        run.late_percent = rng_chance(&rng, 50) ? 0 : 30;
        run.close_percent = rng_chance(&rng, 50) ? 0 : 10;
        run.grow = rng_chance(&rng, 50);
        run.gap_max = rng_chance(&rng, 50) ? 3 * US : 300 * US;
        cnps += np_compare(&rig, rng_next(&rng), &run);
        rig_free(&rig);
    }
    ck_assert_uint_gt(cnps, 5000);
}
END_TEST

/* One check per delta in list order; tau = l delta, never below the floor. */
START_TEST(list_walk)
{
    struct rig rig;
    plus(&rig);
    rig_start_np(&rig, 100);
    for (uint32_t i = 0; i < 100; i++)
        rcc_np_marked(rig.np, 0, 99 - i);
    for (uint32_t i = 0; i < 100; i++)
        expect(&rig, i * US, 99 - i, 100 * US);
    ck_assert_int_eq(rcc_np_next_due(rig.np), RCC_NEVER);
    rcc_np_marked(rig.np, 100 * US, 50); /* listed as the 50th, slot 49; idle: woken at once */
    expect(&rig, 100 * US, 50, 100 * US);
    rig_free(&rig);
}
END_TEST

START_TEST(period_has_a_floor)
{
    struct rig rig;
    plus(&rig);
    rig_start_np(&rig, 100);
    for (uint32_t i = 0; i < 45; i++)
        rcc_np_marked(rig.np, 0, i);
    expect(&rig, 0, 0, 45 * US);
    rcc_np_marked(rig.np, 1 * US, 45);
    expect(&rig, 1 * US, 1, 46 * US);
    rig_set(&rig, "period_floor", 0);
    rig_start_np(&rig, 100);
    rcc_np_marked(rig.np, 0, 7);
    expect(&rig, 0, 7, 1 * US);
    rig_free(&rig);
}
END_TEST

START_TEST(period_of_a_huge_list_saturates)
{
    struct rig rig;
    plus(&rig);
    rig_set(&rig, "cnp_generation", 1 * MS);
    rig_start_np(&rig, 5000);
    for (uint32_t i = 0; i < 5000; i++)
        rcc_np_marked(rig.np, 0, i);
    expect(&rig, 0, 0, UINT32_MAX);
    rig_free(&rig);
}
END_TEST

START_TEST(period_counts)
{
    for (int marked = 0; marked < 2; marked++)
    {
        struct rig rig;
        plus(&rig);
        rig_set(&rig, "period_counts", marked);
        rig_set(&rig, "period_floor", 0);
        rig_start_np(&rig, 4);
        for (uint32_t i = 0; i < 4; i++)
            rcc_np_marked(rig.np, 0, i);
        for (uint32_t i = 0; i < 4; i++)
            expect(&rig, i * US, i, marked ? (4 - i) * US : 4 * US);
        rig_free(&rig);
    }
}
END_TEST

/* A check within the minimum interval keeps the bit, or clears it. */
START_TEST(early_check)
{
    for (int clear = 0; clear < 2; clear++)
    {
        struct rig rig;
        plus(&rig);
        rig_set(&rig, "early_check", clear);
        rig_start_np(&rig, 10);
        for (uint32_t i = 0; i < 10; i++)
            rcc_np_marked(rig.np, 0, i);
        for (uint32_t i = 0; i < 10; i++)
            expect(&rig, i * US, i, 45 * US);
        rcc_np_marked(rig.np, 20 * US, 3); /* woken at once, checked 17 us after its CNP */
        if (clear)
        {
            ck_assert_int_eq(rcc_np_next_due(rig.np), RCC_NEVER);
            rcc_np_marked(rig.np, 48 * US, 3);
            expect(&rig, 48 * US, 3, 45 * US);
        }
        else
            expect(&rig, 50 * US, 3, 45 * US); /* checks at 20, 30, 40, 50 us; allowed from 48 us on */
        rig_free(&rig);
    }
}
END_TEST

START_TEST(idle_wake)
{
    for (int in_turn = 0; in_turn < 2; in_turn++)
    {
        struct rig rig;
        plus(&rig);
        rig_set(&rig, "idle_wake", in_turn);
        rig_set(&rig, "cnp_min_interval", 0);
        rig_start_np(&rig, 10);
        for (uint32_t i = 0; i < 10; i++)
            rcc_np_marked(rig.np, 0, i);
        for (uint32_t i = 0; i < 10; i++)
            expect(&rig, i * US, i, 45 * US);
        /* the pointer is at slot 2 at 12 us, and at slot 6 at 16 us */
        rcc_np_marked(rig.np, 12 * US + 300, 6);
        expect(&rig, in_turn ? 16 * US : 12 * US + 300, 6, 45 * US);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(wake_waits_for_the_generator)
{
    struct rig rig;
    plus(&rig);
    rig_start_np(&rig, 2);
    rcc_np_marked(rig.np, 100, 0);
    expect(&rig, 100, 0, 45 * US);
    rcc_np_marked(rig.np, 150, 1);
    expect(&rig, 1100, 1, 45 * US);
    rig_free(&rig);
}
END_TEST

/* A record is checked once a round, here a microsecond: the first check that is not within the minimum interval. */
START_TEST(minimum_interval_between_checks)
{
    struct rig rig;
    plus(&rig);
    rig_set(&rig, "cnp_generation", 1 * US);
    rig_set(&rig, "cnp_min_interval", 2 * US + 1);
    rig_set(&rig, "period_floor", 0);
    rig_set(&rig, "idle_wake", 1);
    rig_start_np(&rig, 1);
    rcc_np_marked(rig.np, 0, 0);
    expect(&rig, 0, 0, 1 * US);
    rcc_np_marked(rig.np, 500, 0);
    expect(&rig, 3 * US, 0, 1 * US);
    rig_free(&rig);
}
END_TEST

/* A record for each flow, and a bit, in words of 64. */
START_TEST(memory_of_records)
{
    struct rig rig;
    plus(&rig);
    for (uint32_t words = 1; words < 5; words++)
    {
        const uint32_t full = 64 * words;
        const size_t record = rcc_np_size(rig.alg, full) - rcc_np_size(rig.alg, full - 1);
        ck_assert_uint_eq(rcc_np_size(rig.alg, full - 1) - rcc_np_size(rig.alg, full - 2), record);
        ck_assert_uint_eq(rcc_np_size(rig.alg, full + 1) - rcc_np_size(rig.alg, full), record + 8);
    }
    rig_free(&rig);
}
END_TEST

START_TEST(list_timeout)
{
    struct rig rig;
    plus(&rig);
    rig_set(&rig, "list_timeout", 100 * US);
    rig_set(&rig, "period_floor", 0);
    rig_start_np(&rig, 10);
    for (uint32_t i = 0; i < 5; i++)
        rcc_np_marked(rig.np, i * US, i);
    for (uint32_t i = 0; i < 5; i++)
        expect(&rig, i * US, i, 5 * US);
    rcc_np_marked(rig.np, 102 * US, 9); /* flows 0 and 1 were marked more than 100 us ago */
    expect(&rig, 102 * US, 9, 4 * US);
    rig_free(&rig);
}
END_TEST

/* The last record takes the place of the closed one. */
START_TEST(close_in_the_middle)
{
    struct rig rig;
    plus(&rig);
    rig_start_np(&rig, 70);
    for (uint32_t i = 0; i < 70; i++)
        rcc_np_marked(rig.np, 0, i);
    expect(&rig, 0, 0, 70 * US);
    rcc_np_close(rig.np, 2);
    rcc_np_close(rig.np, 2); /* twice is once */
    expect(&rig, 1 * US, 1, 69 * US);
    expect(&rig, 2 * US, 69, 69 * US);
    expect(&rig, 3 * US, 3, 69 * US);
    for (uint32_t i = 0; i < 70; i++)
        rcc_np_close(rig.np, i);
    ck_assert_int_eq(rcc_np_next_due(rig.np), RCC_NEVER);
    rcc_np_marked(rig.np, 50 * US, 5);
    expect(&rig, 50 * US, 5, 45 * US);
    rig_free(&rig);
}
END_TEST

START_TEST(grow_while_in_use)
{
    struct rig rig;
    plus(&rig);
    rig_start_np(&rig, 64);
    for (uint32_t i = 0; i < 64; i++)
        rcc_np_marked(rig.np, 0, i);
    for (uint32_t i = 0; i < 10; i++)
        expect(&rig, i * US, i, 64 * US);
    rig_grow_np(&rig, 200);
    rcc_np_marked(rig.np, 10 * US, 199);
    for (uint32_t i = 10; i < 64; i++)
        expect(&rig, i * US, i, 65 * US);
    expect(&rig, 64 * US, 199, 65 * US);
    rig_free(&rig);
}
END_TEST

Suite *suite_np_plus(void)
{
    Suite *s = suite_create("np-plus");
    TCase *naive = long_tcase("naive model"), *hand = long_tcase("by hand");
    tcase_add_loop_test(naive, matches_the_naive_model, 0, 8);
    tcase_add_test(hand, list_walk);
    tcase_add_test(hand, period_has_a_floor);
    tcase_add_test(hand, period_of_a_huge_list_saturates);
    tcase_add_test(hand, period_counts);
    tcase_add_test(hand, early_check);
    tcase_add_test(hand, idle_wake);
    tcase_add_test(hand, wake_waits_for_the_generator);
    tcase_add_test(hand, minimum_interval_between_checks);
    tcase_add_test(hand, memory_of_records);
    tcase_add_test(hand, list_timeout);
    tcase_add_test(hand, close_in_the_middle);
    tcase_add_test(hand, grow_while_in_use);
    suite_add_tcase(s, naive);
    suite_add_tcase(s, hand);
    return s;
}
