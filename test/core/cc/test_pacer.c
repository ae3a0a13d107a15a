/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The pacer: when the next packet may leave. */
#include "helpers.h"
#include "roles.h"

#include <math.h>
#include <stdlib.h>

/* A DCQCN RP that stays at `rate` for ever: cut down to r_min, nothing increases. */
static void constant(struct rig *rig, uint64_t line, uint64_t rate, bool frozen)
{
    struct rcc_feedback f = cnp(0);
    rig_init(rig, "dcqcn-nic", NULL, line);
    rig_set(rig, "r_min", (int64_t)rate);
    rig_set(rig, "r_ai", 0);
    rig_set(rig, "r_hai", 0);
    rig_set(rig, "pacing", frozen);
    rig_start(rig, 0, 1);
    for (int i = 0; i < 80 && rate < line; i++)
        rcc_rp_feedback(rig->rp, 0, &f);
    ck_assert_uint_eq(rcc_rp_rate(rig->rp), rate);
}

START_TEST(gap_is_bits_over_rate)
{
    struct rig rig;
    constant(&rig, 40 * GBPS, 1 * GBPS, false);
    rcc_rp_sent(rig.rp, 100, 1000);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 8100);
    ck_assert(!rcc_rp_may_send(rig.rp, 8099));
    ck_assert(rcc_rp_may_send(rig.rp, 8100));
    rcc_rp_advance(rig.rp, 9000);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 9000); /* idle time gives no credit ... */
    rcc_rp_sent(rig.rp, 9000, 1000);
    rcc_rp_sent(rig.rp, 9000, 1000); /* ... and a packet too early is paid for */
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 25000);
    rig_free(&rig);
}
END_TEST

START_TEST(one_nanosecond_late_earns_nothing)
{
    struct rig rig;
    constant(&rig, 40 * GBPS, 1 * GBPS, false);
    rcc_rp_sent(rig.rp, 0, 1000);
    rcc_rp_sent(rig.rp, 8001, 1000);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 16001);
    rig_free(&rig);
}
END_TEST

/* One nanosecond at the old rate counts: 8000 bits, 40 of them in the first nanosecond, 20 in each that follows. */
START_TEST(a_cut_after_one_nanosecond)
{
    struct rig rig;
    rig_init(&rig, "dcqcn", "paper", 40 * GBPS);
    rig_start(&rig, 0, 1);
    rcc_rp_sent(rig.rp, 0, 1000);
    rig_cut(&rig, 1, 0);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 20 * GBPS);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 1 + 7960 / 20);
    rig_free(&rig);
}
END_TEST

/* Remainders below a nanosecond are carried: the mean rate is the rate. */
START_TEST(mean_rate_is_exact)
{
    static const uint64_t rates[] = {1000000,    3333333,     18518520,     777777777,    7000000001,
                                     9999999999, 39999999999, 123456789123, 399999999999, 1600000000000};
    static const uint32_t frames[] = {1, 64, 1000, 1522, 65536};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        for (size_t k = 0; k < sizeof frames / sizeof frames[0]; k++)
        {
            struct rig rig;
            const int packets = 10000;
            double seconds, bits;
            constant(&rig, 1600 * GBPS, rates[i], false);
            for (int n = 0; n < packets; n++)
                rcc_rp_sent(rig.rp, rcc_rp_next_send(rig.rp), frames[k]);
            seconds = (double)rcc_rp_next_send(rig.rp) / 1e9;
            bits = 8.0 * frames[k] * packets;
            /* one nanosecond of the whole is the resolution of the clock */
            CHECK(fabs(seconds - bits / (double)rates[i]) < 1.1e-9 + 1e-12 * seconds,
                  "%llu bit/s, frames of %u: %.9f s for %.0f bit", (unsigned long long)rates[i], frames[k], seconds,
                  bits);
            rig_free(&rig);
        }
}
END_TEST

START_TEST(mean_rate_of_mixed_frames)
{
    struct rng rng = {3};
    struct rig rig;
    double bits = 0;
    constant(&rig, 100 * GBPS, 6543210987, false);
    for (int n = 0; n < 100000; n++)
    {
        uint32_t frame = (uint32_t)rng_log_range(&rng, 1, 65536);
        rcc_rp_sent(rig.rp, rcc_rp_next_send(rig.rp), frame);
        bits += 8.0 * frame;
    }
    ck_assert_double_eq_tol(bits / ((double)rcc_rp_next_send(rig.rp) / 1e9) / 6543210987.0, 1, 1e-6);
    rig_free(&rig);
}
END_TEST

/* The gap after a packet follows a cut and an increase, each from its instant on. */
START_TEST(gap_follows_the_rate)
{
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, 1 * GBPS);
    rig_start(&rig, 0, 1);
    rcc_rp_sent(rig.rp, 0, 1000); /* 8000 bit at 1 Gb/s: 8 us */
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 8 * US);
    rig_cut(&rig, 2 * US, 0); /* 6000 bit left at 500 Mb/s: 12 us more */
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 14 * US);
    rig_cut(&rig, 4 * US, 0); /* 5000 bit left at 250 Mb/s: 20 us more */
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 24 * US);
    rcc_rp_sent(rig.rp, 24 * US, 10000); /* 80000 bit: the timer steps at 59, 114, 169 and 224 us */
    /* 35 us * 250 + 55 us * (375 + 437.5 + 468.75) = 79218.75 bit up to 224 us; 781.25 bit at 484.375 Mb/s: 1.6129 us
     */
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 225612);
    rcc_rp_advance(rig.rp, 150 * US);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 225612);
    rig_free(&rig);
}
END_TEST

START_TEST(frozen_gap_does_not_move)
{
    struct rig rig;
    rig_init(&rig, "dcqcn-nic", NULL, 1 * GBPS);
    rig_set(&rig, "pacing", 1);
    rig_start(&rig, 0, 1);
    rcc_rp_sent(rig.rp, 0, 1000);
    rig_cut(&rig, 2 * US, 0);
    rig_cut(&rig, 4 * US, 0);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 8 * US);
    rcc_rp_sent(rig.rp, 8 * US, 10000); /* 250 Mb/s: 320 us, whatever the timer does */
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 328 * US);
    rcc_rp_advance(rig.rp, 300 * US);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 328 * US);
    ck_assert(!rcc_rp_may_send(rig.rp, 328 * US - 1));
    ck_assert(rcc_rp_may_send(rig.rp, 328 * US));
    rig_free(&rig);
}
END_TEST

/* A packet so long that the timer fires many times under way, against a sum over nanosecond-exact steps. */
START_TEST(look_ahead_over_many_steps)
{
    struct rng rng = {9};
    for (int i = 0; i < 300; i++)
    {
        struct rig rig;
        double owed;
        rcc_time t, due;
        rig_init(&rig, i % 2 == 0 ? "dcqcn" : "dcqcn-plus", NULL, 10 * GBPS);
        rig_start(&rig, 0, 1);
        for (int64_t n = rng_range(&rng, 1, 14); n > 0; n--)
            rig_cut(&rig, 0, 0);
        rcc_rp_sent(rig.rp, 0, 65536);
        due = rcc_rp_next_send(rig.rp);
        owed = 65536.0 * 8;
        for (t = 0; t < due;) /* from step to step, each at its rate */
        {
            rcc_time next = rcc_rp_next_step(rig.rp);
            next = next < due ? next : due;
            owed -= (double)rcc_rp_rate(rig.rp) * (double)(next - t) / 1e9;
            rcc_rp_advance(rig.rp, next);
            t = next;
        }
        CHECK(fabs(owed) <= (double)rcc_rp_rate(rig.rp) / 1e9 + 1e-6, "%f bit are left at %lld", owed, (long long)due);
        rig_free(&rig);
    }
}
END_TEST

/* A paused class resumes later: until then next_send is a lower bound, and it is exact after the resume. */
START_TEST(next_send_of_a_paused_class)
{
    struct rig rig;
    struct rcc_pause_log log;
    rcc_time ring[8], due;
    rig_init(&rig, "dcqcn-plus", NULL, 1 * GBPS);
    rig_start(&rig, 0, 1);
    rcc_pause_log_init(&log, ring, 8);
    rig.rp->pause = &log;
    for (int i = 0; i < 6; i++)
        rig_cut(&rig, 0, 0);
    rcc_pause_log_set(&log, 10 * US, true);
    rcc_rp_sent(rig.rp, 10 * US, 10000);
    due = rcc_rp_next_send(rig.rp);
    ck_assert(!rcc_rp_may_send(rig.rp, due - 1));
    rcc_pause_log_set(&log, due, false);
    rcc_rp_advance(rig.rp, due);
    due = rcc_rp_next_send(rig.rp);
    ck_assert(!rcc_rp_may_send(rig.rp, due - 1));
    ck_assert(rcc_rp_may_send(rig.rp, due));
    rig_free(&rig);
}
END_TEST

/* pacing latest: a packet's gap is its bits over the rate of the moment, from its departure on, as ChangeRate of the
 * HPCC paper's simulator has it: what it waited at the rates before does not count, nor that it was due already. */
START_TEST(the_latest_rate_has_the_whole_gap)
{
    struct rng rng = {35};
    struct rig rig;
    rcc_time now = 0;
    rig_init(&rig, "hpcc", "simulator", 100 * GBPS);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 1000; i++)
    {
        const rcc_time sent = now;
        const uint32_t bytes = (uint32_t)rng_range(&rng, 64, 4000);
        rcc_rp_sent(rig.rp, sent, bytes);
        for (int k = 0; k < 5; k++)
        {
            const uint64_t rate = (uint64_t)rng_range(&rng, GBPS, 100 * GBPS);
            const rcc_time due = sent + (rcc_time)(8 * bytes * (uint64_t)SEC / rate);
            now += rng_range(&rng, 0, 500);
            rcc_rp_advance(rig.rp, now);
            rcc_rp_set_rate(rig.rp, now, rate << RCC_RATE_SHIFT);
            ck_assert_int_eq(rcc_rp_next_send(rig.rp), due > now ? due : now);
        }
        now = rcc_rp_next_send(rig.rp) + rng_range(&rng, 0, 100);
        ck_assert(rcc_rp_may_send(rig.rp, now));
    }
    rcc_rp_set_rate(rig.rp, now, 1); /* paced as 1 bit/s */
    rcc_rp_sent(rig.rp, now, 65536);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), now + 524288 * SEC);
    rig_free(&rig);
}
END_TEST

/* A host that ignores the pace cannot overflow the debt. */
START_TEST(debt_saturates)
{
    struct rig rig;
    for (int frozen = 0; frozen < 2; frozen++)
    {
        constant(&rig, 1 * GBPS, 1 * MBPS, frozen);
        rcc_rp_sent(rig.rp, 0, UINT32_MAX);
        for (int i = 0; i < 20000; i++)
            rcc_rp_sent(rig.rp, 0, 65536);
        ck_assert_int_gt(rcc_rp_next_send(rig.rp), 0);
        ck_assert(!rcc_rp_may_send(rig.rp, rcc_rp_next_send(rig.rp) - 1));
        ck_assert(rcc_rp_may_send(rig.rp, rcc_rp_next_send(rig.rp)));
        rig_free(&rig);
    }
}
END_TEST

/* The debt is limited to 2^62 plus a packet of 524288 bits, and the gap of that packet at 1 bit/s is exact. */
START_TEST(debt_saturates_where_it_says)
{
    for (int frozen = 0; frozen < 2; frozen++)
    {
        const rcc_time gap = 524288 * SEC;
        struct rig rig;
        constant(&rig, 1 * GBPS, 1 * GBPS, frozen);
        rcc_rp_set_rate(rig.rp, 0, 1); /* paced as 1 bit/s: a debt of 1e-9 bit is 1 ns */
        rcc_rp_sent(rig.rp, 0, 65536);
        ck_assert_int_eq(rcc_rp_next_send(rig.rp), gap);
        for (int i = 0; i < 20000; i++)
            rcc_rp_sent(rig.rp, 0, 65536);
        ck_assert_int_eq(rcc_rp_next_send(rig.rp), frozen ? gap : ((rcc_time)1 << 62) + gap);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(times_may_be_negative)
{
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, 1 * GBPS);
    rig_start(&rig, -SEC, 1);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), -SEC);
    rcc_rp_sent(rig.rp, -SEC, 1000);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 8000 - SEC);
    rig_free(&rig);
    rig_init(&rig, "hpcc", "simulator", 1 * GBPS);
    rig_start(&rig, -SEC, 1);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), -SEC);
    rcc_rp_sent(rig.rp, -SEC, 1000);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 8000 - SEC);
    rig_free(&rig);
}
END_TEST

/* rcc_rp_observe gives 0 for values that an algorithm does not have. */
START_TEST(what_is_observed)
{
    uint64_t target = 7, alpha = 7;
    uint32_t state = 7;
    struct rig rig;
    rig_init(&rig, "none", NULL, 1 * GBPS);
    rig_start(&rig, 0, 1);
    rcc_rp_observe(rig.rp, &target, &alpha, &state);
    ck_assert_uint_eq(target, rig.rp->rate);
    ck_assert_uint_eq(alpha, 0);
    ck_assert_uint_eq(state, 0);
    rig_free(&rig);
    rig_init(&rig, "dcqcn", "paper", 1 * GBPS);
    rig_start(&rig, 0, 1);
    rig_cut(&rig, 0, 0);
    rcc_rp_observe(rig.rp, &target, &alpha, &state);
    ck_assert_uint_eq(target, GBPS << RCC_RATE_SHIFT);
    ck_assert_uint_eq(alpha, (uint64_t)1 << 32); /* it begins with 1, and a cut leaves that */
    ck_assert_uint_eq(state, 0);
    rig_free(&rig);
}
END_TEST

START_TEST(slowest_and_fastest)
{
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, RCC_LINE_RATE_MIN);
    rig_set(&rig, "r_min", 1000);
    rig_set(&rig, "r_ai", 0);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 80; i++)
        rig_cut(&rig, 0, 0);
    rcc_rp_sent(rig.rp, 0, 65536);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 524288 * MS); /* 524288 bit at 1 kbit/s */
    rig_free(&rig);
    rig_init(&rig, "dcqcn", NULL, RCC_LINE_RATE_MAX);
    rig_start(&rig, 0, 1);
    for (int i = 0; i < 1000; i++)
        rcc_rp_sent(rig.rp, rcc_rp_next_send(rig.rp), 1); /* half a picosecond each */
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 0);
    rcc_rp_sent(rig.rp, 0, 1000);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 1); /* 2000 bytes in all */
    rig_free(&rig);
}
END_TEST

/* A debt is paid after any time: rate x time is more than 64 bits hold from 1.2 ms on. */
START_TEST(the_fastest_line_pays_after_any_time)
{
    static const uint64_t rates[] = {1600 * GBPS, 2200 * GBPS, 2880 * GBPS, RCC_LINE_RATE_MAX};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++)
    {
        for (int64_t wait = 1; wait < 40 * MS; wait += wait / 7 + 1)
        {
            const int64_t gap = (int64_t)((uint64_t)65536 * 8 * 1000000000 / rates[r]);
            struct rig rig;
            rig_init(&rig, "dcqcn", NULL, rates[r]);
            rig_start(&rig, 0, 1);
            rcc_rp_sent(rig.rp, 0, 65536);
            ck_assert_int_eq(rcc_rp_next_send(rig.rp), gap);
            rcc_rp_sent(rig.rp, gap + wait, 65536);
            ck_assert_int_eq(rcc_rp_next_send(rig.rp), gap + wait + gap);
            rig_free(&rig);
        }
    }
}
END_TEST

/* No timer divides this gap: 157 ms and 0.6 ns each. */
START_TEST(remainders_of_long_gaps_are_carried)
{
    struct rig rig;
    double seconds;
    rig_init(&rig, "dcqcn", NULL, 3333333);
    rig_start(&rig, 0, 1);
    for (int n = 0; n < 1000; n++)
        rcc_rp_sent(rig.rp, rcc_rp_next_send(rig.rp), 65536);
    seconds = (double)rcc_rp_next_send(rig.rp) / 1e9;
    ck_assert_double_eq_tol(seconds, 524288000 / 3333333.0, 2e-9);
    rig_free(&rig);
}
END_TEST

START_TEST(the_rate_is_rounded_to_nearest)
{
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, GBPS);
    rig_start(&rig, 0, 1);
    rcc_rp_set_rate(rig.rp, 0, 1000000 * RCC_RATE_ONE + RCC_RATE_ONE / 2);
    rcc_rp_sent(rig.rp, 0, 65536);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 1000001);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 524288000000000 / 1000001);
    rig_free(&rig);
}
END_TEST

/* Rate 0 cannot be: an RP whose rate is below half a bit per second still sends. */
START_TEST(a_rate_below_one_is_paced_as_one)
{
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, GBPS);
    rig_start(&rig, 0, 1);
    rcc_rp_set_rate(rig.rp, 0, 1);
    rcc_rp_sent(rig.rp, 0, 1);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 8 * SEC);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 0);
    rig_free(&rig);
}
END_TEST

/* The parameter `pacing` of every algorithm that has it. */
START_TEST(pacing_is_a_choice)
{
    for (size_t k = 0; k < algorithm_count(); k++)
        for (int pacing = RCC_PACING_FOLLOW; pacing <= RCC_PACING_LATEST; pacing++)
        {
            struct rig rig;
            int choice;
            rig_init(&rig, rcc_algorithm_at(k)->name, NULL, 40 * GBPS);
            choice = rcc_field_find(rig.alg, "pacing");
            if (choice < 0 || pacing > rig.alg->fields[choice].max)
                continue;
            rig_set(&rig, "pacing", pacing);
            rig_start(&rig, 0, 1);
            ck_assert_int_eq(rig.rp->profile->frozen, pacing == RCC_PACING_FROZEN);
            ck_assert_int_eq(rig.rp->profile->latest, pacing == RCC_PACING_LATEST);
            rig_free(&rig);
        }
}
END_TEST

Suite *suite_pacer(void)
{
    Suite *s = suite_create("pacer");
    TCase *tc = long_tcase("pacer");
    tcase_add_test(tc, pacing_is_a_choice);
    tcase_add_test(tc, gap_is_bits_over_rate);
    tcase_add_test(tc, one_nanosecond_late_earns_nothing);
    tcase_add_test(tc, a_cut_after_one_nanosecond);
    tcase_add_test(tc, mean_rate_is_exact);
    tcase_add_test(tc, remainders_of_long_gaps_are_carried);
    tcase_add_test(tc, the_rate_is_rounded_to_nearest);
    tcase_add_test(tc, mean_rate_of_mixed_frames);
    tcase_add_test(tc, gap_follows_the_rate);
    tcase_add_test(tc, frozen_gap_does_not_move);
    tcase_add_test(tc, the_latest_rate_has_the_whole_gap);
    tcase_add_test(tc, look_ahead_over_many_steps);
    tcase_add_test(tc, next_send_of_a_paused_class);
    tcase_add_test(tc, debt_saturates);
    tcase_add_test(tc, debt_saturates_where_it_says);
    tcase_add_test(tc, times_may_be_negative);
    tcase_add_test(tc, what_is_observed);
    tcase_add_test(tc, slowest_and_fastest);
    tcase_add_test(tc, the_fastest_line_pays_after_any_time);
    tcase_add_test(tc, a_rate_below_one_is_paced_as_one);
    suite_add_tcase(s, tc);
    return s;
}
