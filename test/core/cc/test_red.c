/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RED marking: the probability as a function of the queue, and where it is read. */
#include "reference.h"
#include "roles.h"

#include <math.h>

/* The draw that the CP gets next, and how many it took. */
static uint32_t next_draw;
static unsigned draws;
static uint64_t last_stream, last_index;

static uint32_t given_draw(uint64_t stream, uint64_t index)
{
    last_stream = stream;
    last_index = index;
    draws++;
    return next_draw;
}

static void red(struct rig *rig, const char *name, int64_t kmin, int64_t kmax, int64_t pmax)
{
    rig_init(rig, name, NULL, 40 * GBPS);
    rig_set(rig, "kmin", kmin);
    rig_set(rig, "kmax", kmax);
    rig_set(rig, "pmax", pmax);
    rig->env.draw = given_draw;
    rig_start_cp(rig, 1);
}

static bool marks(struct rig *rig, uint64_t queue, uint32_t draw)
{
    next_draw = draw;
    return rcc_cp_dequeued(rig->cp, queue) == RCC_CP_MARK;
}

/* The probability that the CP marks, found by bisecting the draw. */
static double probability(struct rig *rig, uint64_t queue)
{
    uint64_t low = 0, high = (uint64_t)1 << 32; /* draws below `low` mark, from `high` on they do not */
    if (marks(rig, queue, UINT32_MAX))
        return 1;
    while (low < high)
    {
        uint64_t mid = (low + high) / 2;
        if (marks(rig, queue, (uint32_t)mid))
            low = mid + 1;
        else
            high = mid;
    }
    return (double)low / 4294967296.0;
}

START_TEST(probability_matches_the_reference)
{
    static const char *const names[] = {"dcqcn", "dcqcn-nic", "dcqcn-hpcc", "dcqcn-plus", "dcqcn-plus-share"};
    struct rng rng = {31};
    for (int i = 0; i < (int)rounds(3000); i++)
    {
        struct rig rig;
        int64_t kmin = rng_log_range(&rng, 0, 1000000), kmax = kmin + rng_log_range(&rng, 0, 10000000);
        int64_t pmax = rng_chance(&rng, 30) ? 10000000 : rng_log_range(&rng, 0, 1000000000);
        red(&rig, names[_i], kmin, kmax, pmax);
        for (int k = 0; k < 5; k++)
        {
            int64_t queue = rng_chance(&rng, 80) ? rng_range(&rng, kmin, kmax) : rng_log_range(&rng, 0, 3000000);
            double want = ref_red((double)kmin, (double)kmax, (double)pmax / PPB, (double)queue);
            double got = probability(&rig, (uint64_t)queue);
            CHECK(fabs(got - want) < 1e-8, "kmin %lld kmax %lld pmax %lld, queue %lld: p %.10f, reference %.10f",
                  (long long)kmin, (long long)kmax, (long long)pmax, (long long)queue, got, want);
        }
        rig_free(&rig);
    }
}
END_TEST

START_TEST(corners)
{
    struct rig rig;
    red(&rig, "dcqcn", 5000, 200000, 10000000);
    ck_assert(!marks(&rig, 0, 0));
    ck_assert(!marks(&rig, 5000, 0));
    ck_assert(marks(&rig, 5001, 0));
    ck_assert(marks(&rig, 200000, 42949672 - 2)); /* 1 % of 2^32 */
    ck_assert(!marks(&rig, 200000, 42949672 + 1));
    ck_assert(marks(&rig, 200001, UINT32_MAX));
    ck_assert(marks(&rig, UINT64_MAX, UINT32_MAX));
    rig_free(&rig);
    red(&rig, "dcqcn", 0, 1024, 1000000000); /* no rounding: half of all draws mark */
    ck_assert(marks(&rig, 512, (1u << 31) - 1));
    ck_assert(!marks(&rig, 512, 1u << 31));
    rig_free(&rig);
    red(&rig, "dcqcn", 65000, 65000, 1000000000); /* kmin = kmax: a step */
    ck_assert(!marks(&rig, 65000, 0));
    ck_assert(marks(&rig, 65001, UINT32_MAX));
    rig_free(&rig);
    red(&rig, "dcqcn", 0, 1000000000, 1000000000);
    ck_assert_double_eq_tol(probability(&rig, 500000000), 0.5, 3e-7);
    rig_free(&rig);
}
END_TEST

/* Every n-th frame is marked, at enqueue and at dequeue, independently of the queue and of random numbers. */
START_TEST(every_nth_frame)
{
    for (int64_t n = 1; n <= 50; n += 7)
    {
        for (int64_t enqueue = 0; enqueue < 2; enqueue++)
        {
            struct rig rig;
            struct rcc_cnm cnm;
            red(&rig, "dcqcn-nic", 5000, 200000, 10000000);
            rig_set(&rig, "mark_every", n);
            rig_set(&rig, "mark_at", enqueue);
            rig_start_cp(&rig, 1);
            draws = 0;
            for (int64_t i = 1; i <= 200; i++)
            {
                uint64_t queue = i % 2 != 0 ? 0 : 300000;
                enum rcc_cp_action in = rcc_cp_enqueued(rig.cp, queue, 1000, &cnm);
                enum rcc_cp_action out = rcc_cp_dequeued(rig.cp, queue);
                ck_assert_int_eq(enqueue != 0 ? in : out, i % n == 0 ? RCC_CP_MARK : RCC_CP_PASS);
                ck_assert_int_eq(enqueue != 0 ? out : in, RCC_CP_PASS);
            }
            ck_assert_uint_eq(draws, 0);
            rig_free(&rig);
        }
    }
}
END_TEST

/* Only a random decision uses a random number. */
START_TEST(draws_are_not_wasted)
{
    struct rig rig;
    red(&rig, "dcqcn", 5000, 200000, 10000000);
    draws = 0;
    marks(&rig, 100, 0);
    marks(&rig, 5000, 0);
    marks(&rig, 300000, 0);
    ck_assert_uint_eq(draws, 0);
    marks(&rig, 100000, 0);
    ck_assert_uint_eq(draws, 1);
    rig_free(&rig);
}
END_TEST

/* The draws of a CP are those of its stream, from the first one on, none twice. */
START_TEST(draws_follow_the_stream)
{
    for (uint64_t stream = 0; stream < 1000; stream += 333)
    {
        struct rig rig;
        red(&rig, "dcqcn", 5000, 200000, 10000000);
        rig_start_cp(&rig, stream);
        for (uint64_t i = 0; i < 5; i++)
        {
            marks(&rig, 100000, 0);
            ck_assert_uint_eq(last_stream, stream);
            ck_assert_uint_eq(last_index, i);
        }
        rig_free(&rig);
    }
}
END_TEST

/* 64 decisions of two CPs at the same queue: with one and the same stream they would be equal. */
START_TEST(two_ports_decide_independently)
{
    uint64_t decisions[2] = {0, 0};
    for (uint64_t port = 0; port < 2; port++)
    {
        struct rig rig;
        red(&rig, "dcqcn", 0, 200000, 1000000000);
        rig.env.draw = test_draw;
        rig_start_cp(&rig, port);
        for (int i = 0; i < 64; i++)
            decisions[port] = decisions[port] << 1 | (marks(&rig, 100000, 0) ? 1u : 0u);
        rig_free(&rig);
    }
    ck_assert_uint_ne(decisions[0], decisions[1]);
}
END_TEST

START_TEST(without_draws_chance_never_marks)
{
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, 40 * GBPS);
    rig.env.draw = NULL;
    rig_start_cp(&rig, 1);
    ck_assert(!marks(&rig, 200000, 0));
    ck_assert(marks(&rig, 200001, 0));
    rig_free(&rig);
}
END_TEST

START_TEST(mark_at)
{
    static const char *const names[] = {"dcqcn-nic", "dcqcn-plus", "dcqcn-plus-share"};
    for (int enqueue = 0; enqueue < 2; enqueue++)
    {
        struct rig rig;
        struct rcc_cnm none;
        rig_init(&rig, names[_i], NULL, 40 * GBPS);
        rig_set(&rig, "mark_at", enqueue);
        rig_start_cp(&rig, 1);
        ck_assert_int_eq(rcc_cp_enqueued(rig.cp, 900000, 1000, &none), enqueue ? RCC_CP_MARK : RCC_CP_PASS);
        ck_assert_int_eq(rcc_cp_dequeued(rig.cp, 900000), enqueue ? RCC_CP_PASS : RCC_CP_MARK);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(kmin_above_kmax_is_refused)
{
    static const char *const names[] = {"dcqcn", "dcqcn-nic", "dcqcn-hpcc", "dcqcn-plus", "dcqcn-plus-share"};
    struct rig rig;
    struct rcc_error error;
    uint64_t profile[RCC_PROFILE_SIZE_MAX / 8];
    rig_init(&rig, names[_i], NULL, 40 * GBPS);
    rig_set(&rig, "kmax", 200000);
    rig_set(&rig, "kmin", 200001);
    ck_assert_ptr_null(rcc_configure(rig.alg, RCC_CP, rig.params, &rig.env, profile, &error));
    ck_assert_str_eq(error.message, "kmin is above kmax");
    ck_assert_str_eq(error.name, "kmin");
    ck_assert_int_eq(error.value, 200001);
    ck_assert_int_eq(error.max, 200000);
}
END_TEST

/* The marks of a long run come at the mean rate, and with their own stream of draws. */
START_TEST(mean_rate_of_marks)
{
    struct rig rig;
    int n = 0;
    rig_init(&rig, "dcqcn", NULL, 40 * GBPS);
    rig_start_cp(&rig, 17);
    for (int i = 0; i < 1000000; i++)
        n += rcc_cp_dequeued(rig.cp, 102500) == RCC_CP_MARK;
    ck_assert_int_ge(n, 5000 - 5 * 71); /* p = 0.5 %, 5 standard deviations */
    ck_assert_int_le(n, 5000 + 5 * 71);
    rig_free(&rig);
}
END_TEST

/* Marks at 40 queue lengths against their probabilities: the sum of the squared differences in units of their variance
 * has a chi-square distribution, of which 0.1 % is below 17.9 and 0.1 % above 73.4. */
START_TEST(chi_square_of_marks)
{
    static const int64_t pmax[] = {10000000, 100000000, 500000000, 1000000000};
    enum
    {
        LENGTHS = 40,
        DRAWS = 20000
    };
    double sum = 0;
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, 40 * GBPS);
    rig_set(&rig, "kmin", 5000);
    rig_set(&rig, "kmax", 200000);
    rig_set(&rig, "pmax", pmax[_i]);
    rig_start_cp(&rig, (uint64_t)_i + 1);
    for (int64_t k = 0; k < LENGTHS; k++)
    {
        const int64_t queue = 5000 + (2 * k + 1) * 195000 / (2 * LENGTHS);
        const double p = (double)pmax[_i] / 1e9 * (double)(queue - 5000) / 195000, mean = p * DRAWS;
        int marked = 0;
        for (int i = 0; i < DRAWS; i++)
            marked += rcc_cp_dequeued(rig.cp, (uint64_t)queue) == RCC_CP_MARK;
        sum += (marked - mean) * (marked - mean) / (mean * (1 - p));
    }
    CHECK(sum > 17.9 && sum < 73.4, "pmax %g: chi-square %.1f with 40 degrees of freedom", (double)pmax[_i] / 1e9, sum);
    rig_free(&rig);
}
END_TEST

static void nscc_init(struct rig *rig)
{
    rig_init(rig, "nscc", NULL, 400 * GBPS);
    rig->env.base_rtt = 12000; /* a BDP of 600000 bytes */
}

/* NSCC: marks from 0.2 to 0.8 BDP of the port; one given threshold bounds the other. */
START_TEST(thresholds_of_nscc)
{
    static const struct
    {
        int64_t kmin, kmax;
        uint64_t want_min, want_max;
    } rows[] = {{0, 0, 120000, 480000},      {200000, 0, 200000, 480000}, {0, 200000, 120000, 200000},
                {500000, 0, 500000, 500000}, {0, 50000, 50000, 50000},    {1000, 2000, 1000, 2000}};
    struct rig rig;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        const struct rcc_red_profile *p;
        nscc_init(&rig);
        rig_set(&rig, "kmin", rows[i].kmin);
        rig_set(&rig, "kmax", rows[i].kmax);
        rig_start_cp(&rig, 1);
        p = (const struct rcc_red_profile *)(const void *)rig.cp_profile;
        ck_assert_uint_eq(p->kmin, rows[i].want_min);
        ck_assert_uint_eq(p->kmax, rows[i].want_max);
        ck_assert_int_eq(p->mark_at, RCC_MARK_AT_DEQUEUE);
        rig_free(&rig);
    }
    nscc_init(&rig);
    rig_set(&rig, "kmin", 2001);
    rig_set(&rig, "kmax", 2000);
    ck_assert(!rig_try_start_cp(&rig, 1));
    rig_free(&rig);
}
END_TEST

Suite *suite_red(void)
{
    Suite *s = suite_create("red");
    TCase *tc = long_tcase("red");
    tcase_add_loop_test(tc, probability_matches_the_reference, 0, 5);
    tcase_add_test(tc, corners);
    tcase_add_test(tc, every_nth_frame);
    tcase_add_test(tc, draws_are_not_wasted);
    tcase_add_test(tc, draws_follow_the_stream);
    tcase_add_test(tc, two_ports_decide_independently);
    tcase_add_test(tc, without_draws_chance_never_marks);
    tcase_add_loop_test(tc, mark_at, 0, 3);
    tcase_add_loop_test(tc, kmin_above_kmax_is_refused, 0, 5);
    tcase_add_test(tc, mean_rate_of_marks);
    tcase_add_loop_test(tc, chi_square_of_marks, 0, 4);
    tcase_add_test(tc, thresholds_of_nscc);
    suite_add_tcase(s, tc);
    return s;
}
