/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The policer compared with a token bucket that is filled step by step, and the rate that it passes. */
#include "helpers.h"
#include "rcc_switch.h"

#define BYTE_PER_NS ((uint64_t)8000000000)

/* At 8 Gb/s a token falls every nanosecond, and the bucket is a whole number. */
START_TEST(is_a_token_bucket)
{
    struct rng rng = {5};
    const int64_t burst = 9000;
    struct rcc_policer policer = rcc_policer_start(BYTE_PER_NS, (uint32_t)burst);
    int64_t tokens = burst;
    rcc_time now = 0;
    unsigned passed = 0, dropped = 0;
    for (int i = 0; i < 20000; i++)
    {
        const rcc_time gap = rng_range(&rng, 0, 1800);
        const int64_t bytes = rng_range(&rng, 64, 1522);
        bool passes;
        now += gap;
        tokens = tokens + gap > burst ? burst : tokens + gap;
        passes = tokens >= bytes;
        tokens -= passes ? bytes : 0;
        CHECK(rcc_policer_passes(&policer, now, (uint32_t)bytes) == passes, "frame %d", i);
        passed += passes;
        dropped += !passes;
    }
    ck_assert_uint_gt(passed, 10000);
    ck_assert_uint_gt(dropped, 0);
}
END_TEST

/* Twice the rate is offered for a second: the rate and one burst pass. */
START_TEST(lets_the_rate_through)
{
    const uint64_t rates[] = {1000003, 21000000000, 400000000000};
    for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++)
    {
        const uint32_t bytes = 1000, burst = 131072;
        const uint64_t frames =
            rates[i] / 4000 < 200000 ? rates[i] / 4000 : 200000; /* frames of 4000 bits at the rate */
        struct rcc_policer policer = rcc_policer_start(rates[i], burst);
        uint64_t passed = 0, most;
        rcc_time now = 0;
        for (uint64_t n = 0; n < frames; n++)
        {
            now = (rcc_time)(n * 4000000000000 / rates[i]);
            passed += rcc_policer_passes(&policer, now, bytes) ? bytes : 0;
        }
        most = (uint64_t)now * (rates[i] / 8) / 1000000000 + burst;
        ck_assert_uint_le(passed, most + bytes);
        ck_assert_uint_ge(passed + 2 * bytes, most < frames * bytes ? most : frames * bytes);
    }
}
END_TEST

START_TEST(larger_than_the_burst)
{
    struct rcc_policer policer = rcc_policer_start(BYTE_PER_NS, 1500);
    ck_assert(!rcc_policer_passes(&policer, 1000000, 1501));
    ck_assert(rcc_policer_passes(&policer, 1000000, 1500));
    ck_assert(!rcc_policer_passes(&policer, 1000000, 1));
    ck_assert(rcc_policer_passes(&policer, 1000001, 1));
    policer = rcc_policer_start(RCC_LINE_RATE_MAX, 1000); /* 500 bytes take a nanosecond */
    ck_assert(!rcc_policer_passes(&policer, 1000000, 1001));
    ck_assert(rcc_policer_passes(&policer, 1000000, 1000));
    policer = rcc_policer_start(40000000000, 1500);
    ck_assert(!rcc_policer_passes(&policer, 1000000, 2305843010u)); /* 8e9 times as many: just above 2^64 */
    ck_assert(!rcc_policer_passes(&policer, 1000000, UINT32_MAX));
    ck_assert(rcc_policer_passes(&policer, 1000000, 1500));
}
END_TEST

START_TEST(extremes)
{
    struct rcc_policer policer = rcc_policer_start(1, 1u << 29);
    ck_assert(rcc_policer_passes(&policer, 0, 1u << 29));
    ck_assert(!rcc_policer_passes(&policer, BYTE_PER_NS - 1, 1)); /* a byte drains in 8 s, to the nanosecond */
    ck_assert(rcc_policer_passes(&policer, BYTE_PER_NS, 1));
    policer = rcc_policer_start(1600000000000, 1);
    ck_assert(rcc_policer_passes(&policer, (rcc_time)1 << 61, 1));
    policer = rcc_policer_start(8, RCC_POLICER_BURST_MAX); /* frames that take as long as times may be */
    for (int i = 0; i < 4; i++)
        ck_assert(rcc_policer_passes(&policer, (rcc_time)1 << 62, RCC_POLICER_BURST_MAX / 2) == (i < 2));
}
END_TEST

Suite *suite_policer(void)
{
    Suite *suite = suite_create("policer");
    TCase *test = tcase_create("policer");
    tcase_add_test(test, is_a_token_bucket);
    tcase_add_test(test, lets_the_rate_through);
    tcase_add_test(test, larger_than_the_burst);
    tcase_add_test(test, extremes);
    suite_add_tcase(suite, test);
    return suite;
}
