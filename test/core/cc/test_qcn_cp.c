/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QCN's congestion point: against the reference, its sampling and its random numbers. */
#include "fixed.h"
#include "reference.h"

#include <math.h>

#define LINE (10 * GBPS)

/* A CP without jitter that samples every frame of 150 KB; returns what it says for queue sizes old, now. */
static enum rcc_cp_action sample(struct rig *rig, uint64_t q_old, uint64_t q, struct rcc_cnm *out)
{
    rig_start_cp(rig, 1);
    rcc_cp_enqueued(rig->cp, q_old, 1000000000, out);
    return rcc_cp_enqueued(rig->cp, q, 1000000000, out);
}

START_TEST(fb_matches_the_reference)
{
    struct rng rng = {8};
    for (int i = 0; i < (int)rounds(8000); i++)
    {
        struct rig rig;
        struct rcc_cnm out = {0, 0, 0};
        double q_eq = (double)rng_log_range(&rng, 100, 1000000), w = (double)rng_range(&rng, 0, 8);
        int64_t q_old = rng_log_range(&rng, 0, 3000000), q = rng_log_range(&rng, 0, 3000000);
        double fb = ref_qcn_fb((double)q, (double)q_old, q_eq, w);
        int qfb = ref_qcn_quantise(fb, q_eq, w);
        enum rcc_cp_action action;
        rig_init(&rig, "qcn", NULL, LINE);
        rig_set(&rig, "q_eq", (int64_t)q_eq), rig_set(&rig, "notify", i % 2);
        rig_set(&rig, "w", (int64_t)w);
        action = sample(&rig, (uint64_t)q_old, (uint64_t)q, &out);
        CHECK(out.qfb == qfb, "Q %lld, Qold %lld: qFb %d, reference %d", (long long)q, (long long)q_old, out.qfb, qfb);
        CHECK(action == (qfb > 0 || (i % 2 != 0 && fb < 0) ? RCC_CP_NOTIFY : RCC_CP_PASS), "a CNM on congestion");
        CHECK(out.qoff == q - (int64_t)q_eq && out.qdelta == q - q_old, "what the CNM carries");
        rig_free(&rig);
    }
}
END_TEST

/* notify=negative: one byte above Qeq is congestion already, and Qeq is not. */
START_TEST(the_least_congestion)
{
    struct rig rig;
    struct rcc_cnm out;
    rig_init(&rig, "qcn", NULL, LINE);
    rig_set(&rig, "notify", 1);
    rig_set(&rig, "w", 0);
    rig_set(&rig, "q_eq", 33000);
    ck_assert_int_eq(sample(&rig, 0, 33001, &out), RCC_CP_NOTIFY);
    ck_assert_uint_eq(out.qfb, 0);
    ck_assert_int_eq(sample(&rig, 0, 33000, &out), RCC_CP_PASS);
    rig_free(&rig);
}
END_TEST

/* A frame of `bytes` joins the queue: true if it was sampled. */
static bool joined(struct rig *rig, uint64_t queue, uint32_t bytes, struct rcc_cnm *out)
{
    struct rcc_cnm before = {99, 0, 0}; /* no sample has this qFb */
    enum rcc_cp_action action;
    *out = before;
    action = rcc_cp_enqueued(rig->cp, queue, bytes, out);
    ck_assert_int_eq(action, out->qfb != 99 && out->qfb > 0 ? RCC_CP_NOTIFY : RCC_CP_PASS);
    return out->qfb != 99;
}

/* Table 1: the worse the congestion, the sooner the next sample; in proportion to sample_base, to the byte. */
START_TEST(sampling_periods)
{
    static const int64_t table[8] = {150000, 75000, 50000, 37500, 30000, 25000, 21500, 18500};
    static const int64_t bases[] = {150000, 15000, 150000000};
    struct rig rig;
    struct rcc_cnm out;
    rig_init(&rig, "qcn", NULL, LINE);
    rig_set(&rig, "sample_base", bases[_i]);
    rig_set(&rig, "sample_jitter", 0);
    rig_set(&rig, "w", 0);
    rig_set(&rig, "q_eq", 63000);
    for (int qfb = 0; qfb < 64; qfb++)
    {
        uint64_t q = 63000 + (uint64_t)qfb * 1000;
        uint32_t period = (uint32_t)(table[qfb / 8] * bases[_i] / 150000);
        rig_start_cp(&rig, 1);
        ck_assert(!joined(&rig, q, (uint32_t)bases[_i] - 1, &out));
        ck_assert(joined(&rig, q, 1, &out));
        ck_assert_int_eq(out.qfb, qfb);
        ck_assert_int_eq(out.qdelta, (int64_t)q); /* the queue was empty at the start */
        ck_assert(!joined(&rig, q, period - 1, &out));
        ck_assert(joined(&rig, q, 1, &out));
    }
    rig_free(&rig);
}
END_TEST

static uint64_t last_stream, last_index, draws;

static uint32_t recorded_draw(uint64_t stream, uint64_t index)
{
    last_stream = stream;
    last_index = index;
    draws++;
    return test_draw(stream, index);
}

/* The draws of a CP and of an RP are those of its stream, from the first one on, none twice; jitter 0 takes none. */
START_TEST(draws_follow_the_stream)
{
    for (int64_t jitter = 0; jitter < 2; jitter++)
    {
        struct rig rig;
        struct rcc_cnm out;
        rig_init(&rig, "qcn", NULL, LINE);
        rig.env.draw = recorded_draw;
        rig_set(&rig, "sample_jitter", jitter);
        rig_set(&rig, "jitter", jitter);
        draws = 0;
        rig_start_cp(&rig, 77);
        for (uint64_t i = 1; i < 5; i++)
        {
            ck_assert_uint_eq(draws, i * (uint64_t)jitter);
            ck_assert(jitter == 0 || (last_stream == 77 && last_index == i - 1));
            while (!joined(&rig, 0, 1500, &out))
                ;
        }
        draws = 0;
        rig_start(&rig, 0, 88);
        rig_notify(&rig, 0, 63); /* one for the byte counter, one for the timer */
        ck_assert_uint_eq(draws, 2 * (uint64_t)jitter);
        for (uint64_t i = 2; i < 6; i++)
        {
            rcc_rp_advance(rig.rp, rcc_rp_next_step(rig.rp));
            ck_assert(jitter == 0 || (last_stream == 88 && last_index == i));
        }
        rig_free(&rig);
    }
}
END_TEST

START_TEST(sampling_is_jittered)
{
    struct rig rig;
    struct rcc_cnm out;
    double sum = 0;
    int64_t least = INT64_MAX, most = 0;
    int n = 0;
    rig_init(&rig, "qcn", NULL, LINE);
    rig_start_cp(&rig, 3);
    for (int64_t bytes = 0; n < 2000;)
    {
        out.qfb = 99;
        rcc_cp_enqueued(rig.cp, 0, 100, &out);
        bytes += 100;
        if (out.qfb == 99)
            continue;
        sum += (double)bytes;
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
        bytes = 0;
        n++;
    }
    ck_assert_double_eq_tol(sum / n, 150050, 1500); /* 5 standard errors; half a frame of rounding up */
    ck_assert_int_ge(least, 127500);
    ck_assert_int_lt(least, 129000);
    ck_assert_int_le(most, 172600);
    ck_assert_int_gt(most, 171000);
    rig.env.draw = NULL;
    rig_start_cp(&rig, 3);
    out.qfb = 99;
    rcc_cp_enqueued(rig.cp, 0, 149999, &out);
    ck_assert_int_eq(out.qfb, 99);
    rcc_cp_enqueued(rig.cp, 0, 1, &out);
    ck_assert_int_eq(out.qfb, 0);
    rig_free(&rig);
}
END_TEST

Suite *suite_qcn_cp(void)
{
    Suite *s = suite_create("qcn-cp");
    TCase *cp = long_tcase("CP");
    tcase_add_test(cp, fb_matches_the_reference);
    tcase_add_test(cp, the_least_congestion);
    tcase_add_loop_test(cp, sampling_periods, 0, 3);
    tcase_add_test(cp, draws_follow_the_stream);
    tcase_add_test(cp, sampling_is_jittered);
    suite_add_tcase(s, cp);
    return s;
}
