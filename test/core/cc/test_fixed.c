/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The fixed-point helpers, against plain arithmetic. */
#include "helpers.h"
#include "ratio.h"
#include "roles.h"

#include <tgmath.h>

#define Q62 4611686018427387904.0L

START_TEST(mul_shift)
{
    struct rng rng = {1};
    ck_assert_uint_eq(rcc_mul_q62(RCC_Q62_ONE, RCC_Q62_ONE), RCC_Q62_ONE);
    ck_assert_uint_eq(rcc_mul_q62(UINT64_MAX, RCC_Q62_ONE), UINT64_MAX);
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        uint64_t a = rng_next(&rng) >> rng_range(&rng, 0, 63), b = rng_next(&rng) >> rng_range(&rng, 0, 63);
        unsigned shift = (unsigned)rng_range(&rng, 1, 63);
        /* schoolbook, bit by bit */
        uint64_t hi = 0, lo = 0, want;
        for (int bit = 63; bit >= 0; bit--)
        {
            hi = hi << 1 | lo >> 63;
            lo <<= 1;
            if ((b >> bit & 1) != 0)
            {
                hi += lo + a < lo;
                lo += a;
            }
        }
        if (hi >> shift != 0)
            continue; /* the result must fit */
        want = hi << (64 - shift) | lo >> shift;
        CHECK(rcc_mul_shift(a, b, shift) == want && portable_mul_shift(a, b, shift) == want, "%llu * %llu >> %u",
              (unsigned long long)a, (unsigned long long)b, shift);
    }
}
END_TEST

/* q is floor(a b / c) if q c <= a b < (q + 1) c, with products of 128 digits; both sides are compared exactly. */
START_TEST(mul_div)
{
    struct rng rng = {12};
    ck_assert_uint_eq(rcc_mul_div(UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
    ck_assert_uint_eq(rcc_mul_div(UINT64_MAX, UINT64_MAX, UINT64_MAX - 1), UINT64_MAX); /* 2^64: too large */
    ck_assert_uint_eq(rcc_mul_div(UINT64_MAX, 2, 1), UINT64_MAX);
    ck_assert_uint_eq(rcc_mul_div(0, UINT64_MAX, 1), 0);
    ck_assert_uint_eq(rcc_mul_div(1000000007, 1000000009, 1000003), UINT64_C(999997016008));
    /* divisors at which the first estimate of a digit is two too large */
    ck_assert_uint_eq(
        rcc_mul_div(UINT64_C(0x8000000000000000), UINT64_C(0xffffffff00000000), UINT64_C(0x80000000ffffffff)),
        UINT64_C(0xfffffffd00000007));
    /* the last digit of the divisor decides: without it this would be 12884901888 */
    ck_assert_uint_eq(rcc_mul_div(UINT64_C(0x200000000), UINT64_C(0xc000000000000001), UINT64_C(0x8000000000000001)),
                      12884901887);
    for (uint64_t i = 0; i < rounds(300000); i++)
    {
        uint64_t a = rng_next(&rng) >> rng_range(&rng, 0, 63), b = rng_next(&rng) >> rng_range(&rng, 0, 63);
        uint64_t c = (rng_next(&rng) >> rng_range(&rng, 0, 63)) | 1, q, back, back_low;
        uint64_t low, high = rcc_mul_wide(a, b, &low);
        if (rng_chance(&rng, 10)) /* digits of ones: the corrections */
            c |= UINT64_C(0xffffffff) << rng_range(&rng, 0, 32);
        q = rcc_mul_div(a, b, c);
        CHECK(q == portable_mul_div(a, b, c), "%llu * %llu / %llu", (unsigned long long)a, (unsigned long long)b,
              (unsigned long long)c);
        if (high >= c)
        {
            CHECK(q == UINT64_MAX, "too large");
            continue;
        }
        back = rcc_mul_wide(q, c, &back_low);
        high = high - back - (low < back_low);
        low -= back_low;
        CHECK(high == 0 && low < c, "%llu * %llu / %llu", (unsigned long long)a, (unsigned long long)b,
              (unsigned long long)c);
    }
}
END_TEST

START_TEST(roots)
{
    struct rng rng = {13};
    for (uint64_t x = 0; x < 100; x++)
        CHECK(rcc_sqrt(x) == (uint64_t)sqrt((double)x), "root of %llu", (unsigned long long)x);
    ck_assert_uint_eq(rcc_sqrt(UINT64_MAX), UINT32_MAX);
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        uint64_t x = rng_next(&rng) >> rng_range(&rng, 0, 63), r = rcc_sqrt(x);
        CHECK(r * r <= x && (r == UINT32_MAX || (r + 1) * (r + 1) > x), "root of %llu", (unsigned long long)x);
        CHECK(x >> rcc_digits(x) / 2 >> (rcc_digits(x) + 1) / 2 == 0, "digits of %llu", (unsigned long long)x);
        CHECK(rcc_digits(x) == portable_digits(x), "digits of %llu", (unsigned long long)x);
        CHECK(x == 0 || x >> (rcc_digits(x) - 1) == 1, "digits of %llu", (unsigned long long)x);
    }
}
END_TEST

START_TEST(ratio_q62)
{
    struct rng rng = {2};
    ck_assert_uint_eq(rcc_ratio_q62(0), 0);
    ck_assert_uint_eq(rcc_ratio_q62(1000000000), RCC_Q62_ONE);
    ck_assert_uint_eq(rcc_ratio_q62(2000000000), 2 * RCC_Q62_ONE);
    ck_assert_uint_eq(rcc_ratio_q62(500000000), RCC_Q62_ONE / 2);
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        int64_t ppb = rng_range(&rng, 0, 2000000000);
        /* ratio * 1e9 is ppb * 2^62 to within half a unit of the ratio; both wrap, their small difference does not */
        int64_t error = (int64_t)(rcc_ratio_q62(ppb) * 1000000000u - ((uint64_t)ppb << 62));
        CHECK(error >= -500000000 && error <= 500000000, "%lld ppb is not rounded to nearest", (long long)ppb);
    }
}
END_TEST

/* floor(x * ratio) exactly, and `top` when that is exceeded. */
START_TEST(mul_ratio)
{
    struct rng rng = {3};
    ck_assert_uint_eq(rcc_mul_ratio(1000000, 1100000000, UINT64_MAX), 1100000);
    ck_assert_uint_eq(rcc_mul_ratio(10, 100000000, UINT64_MAX), 1);
    ck_assert_uint_eq(rcc_mul_ratio(7, 1000000000, 100), 7);
    ck_assert_uint_eq(rcc_mul_ratio(7, 0, 100), 0);
    ck_assert_uint_eq(rcc_mul_ratio(100, 3000000000, 299), 299);
    ck_assert_uint_eq(rcc_mul_ratio(1, 3000000000, 5), 3);
    ck_assert_uint_eq(rcc_mul_ratio((uint64_t)1 << 62, 5000000000, (uint64_t)1 << 63), (uint64_t)1 << 63);
    ck_assert_uint_eq(rcc_mul_ratio((uint64_t)1 << 62, INT64_MAX, 12345), 12345);
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        uint64_t x = (uint64_t)rng_log_range(&rng, 0, (int64_t)1 << 32);
        int64_t ppb = rng_log_range(&rng, 0, (int64_t)1 << 31);
        CHECK(x * (uint64_t)ppb / 1000000000 == rcc_mul_ratio(x, ppb, UINT64_MAX), "%llu * %lld", (unsigned long long)x,
              (long long)ppb);
    }
}
END_TEST

START_TEST(pow_q62)
{
    struct rng rng = {4};
    ck_assert_uint_eq(rcc_pow_q62(RCC_Q62_ONE, UINT64_MAX), RCC_Q62_ONE);
    ck_assert_uint_eq(rcc_pow_q62(0, 0), RCC_Q62_ONE);
    ck_assert_uint_eq(rcc_pow_q62(0, 1), 0);
    ck_assert_uint_eq(rcc_pow_q62(RCC_Q62_ONE - 1, UINT64_MAX), rcc_pow_q62(RCC_Q62_ONE - 1, UINT64_MAX));
    for (uint64_t i = 0; i < rounds(10000); i++)
    {
        uint64_t base = (uint64_t)rng_range(&rng, 0, (int64_t)RCC_Q62_ONE), n = (uint64_t)rng_range(&rng, 0, 5000);
        long double want = pow((long double)base / Q62, (long double)n);
        long double got = (long double)rcc_pow_q62(base, n) / Q62;
        CHECK(fabs(got - want) < 1e-14L, "%llu ^ %llu", (unsigned long long)base, (unsigned long long)n);
    }
}
END_TEST

START_TEST(time_add)
{
    ck_assert_int_eq(rcc_time_add(1, 2), 3);
    ck_assert_int_eq(rcc_time_add(RCC_NEVER, 1), RCC_NEVER);
    ck_assert_int_eq(rcc_time_add(RCC_NEVER, 0), RCC_NEVER);
    ck_assert_int_eq(rcc_time_add(RCC_NEVER - 5, 5), RCC_NEVER);
    ck_assert_int_eq(rcc_time_add(RCC_NEVER - 5, 4), RCC_NEVER - 1);
    ck_assert_int_eq(rcc_time_add(5, RCC_NEVER), RCC_NEVER);
}
END_TEST

START_TEST(stage_add)
{
    ck_assert_uint_eq(rcc_stage_add(0, 1), 1);
    ck_assert_uint_eq(rcc_stage_add(5, UINT64_MAX), RCC_STAGE_MAX);
    ck_assert_uint_eq(rcc_stage_add(RCC_STAGE_MAX, 1), RCC_STAGE_MAX);
    ck_assert_uint_eq(rcc_stage_add(RCC_STAGE_MAX - 1, 1), RCC_STAGE_MAX);
    ck_assert_uint_eq(rcc_stage_add(RCC_STAGE_MAX - 2, 1), RCC_STAGE_MAX - 1);
}
END_TEST

/* Beside whole multiples, where one more or less would show, and where the division takes over. */
START_TEST(periods)
{
    struct rng rng = {7};
    ck_assert_uint_eq(rcc_periods((rcc_time)1 << 31, ((rcc_time)1 << 31) + 1, rcc_inverse(((rcc_time)1 << 31) + 1)), 0);
    for (uint64_t i = 0; i < rounds(1000000); i++)
    {
        const rcc_time length = rng_log_range(&rng, 1, 10 * SEC), most = rng_chance(&rng, 80) ? INT32_MAX : 10 * SEC;
        const rcc_time multiple = length * rng_log_range(&rng, 0, most / length + 1);
        rcc_time time = rng_chance(&rng, 80) ? multiple + rng_range(&rng, -1, 1) : rng_range(&rng, 0, most);
        time = rng_chance(&rng, 1) ? ((rcc_time)1 << 31) + rng_range(&rng, -2, 2) : time > 0 ? time : 0;
        CHECK(rcc_periods(time, length, rcc_inverse(length)) == (uint64_t)(time / length), "%lld / %lld",
              (long long)time, (long long)length);
    }
}
END_TEST

START_TEST(jitter)
{
    struct rng rng = {6};
    ck_assert_int_eq(rcc_jitter(1000, 0, 77), 1000);
    ck_assert_int_eq(rcc_jitter(1000, 150000000, 0), 851); /* the span's open end */
    ck_assert_int_eq(rcc_jitter(1000, 150000000, UINT32_MAX), 1149);
    ck_assert_int_eq(rcc_jitter(1000, 150000000, 1u << 31), 1000);
    ck_assert_int_eq(rcc_jitter(1, 1000000000, 0), 1); /* never below 1 */
    ck_assert_int_eq(rcc_jitter(0, 500000000, 0), 1);
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        int64_t period = rng_log_range(&rng, 1, (int64_t)1 << 50), ppb = rng_range(&rng, 0, 1000000000);
        uint32_t draw = (uint32_t)rng_next(&rng);
        int64_t a = rcc_jitter(period, ppb, draw), b = rcc_jitter(period, ppb, UINT32_MAX - draw);
        int64_t span = (int64_t)((long double)period * (long double)ppb / 1e9L) + 1;
        CHECK(a >= 1 && a >= period - span && a <= period + span, "out of the span");
        if (a > 1 && b > 1)
            CHECK(a + b == 2 * period, "not symmetric");
    }
}
END_TEST

START_TEST(halfway)
{
    uint64_t target = 1000;
    ck_assert_uint_eq(rcc_rp_halfway(500, &target, 0, 5000, 5000), 750);
    ck_assert_uint_eq(rcc_rp_halfway(500, &target, 100, 5000, 5000), 800);
    ck_assert_uint_eq(target, 1100);
    ck_assert_uint_eq(rcc_rp_halfway(501, &target, 10000, 5000, 5000), 2751); /* at the cap it rounds up */
    ck_assert_uint_eq(target, 5000);
    ck_assert_uint_eq(rcc_rp_halfway(4999, &target, 0, 5000, 5000), 5000);      /* so that the rate arrives */
    ck_assert_uint_eq(rcc_rp_halfway(4900, &target, 100000, 9000, 5000), 5000); /* the rate stops at the line */
    ck_assert_uint_eq(target, 9000);
    target = 100;
    ck_assert_uint_eq(rcc_rp_halfway(501, &target, 0, 5000, 5000), 301); /* a target below the rate */
    target = UINT64_MAX / 4;
    ck_assert_uint_eq(rcc_rp_halfway(1, &target, UINT64_MAX, UINT64_MAX / 2, UINT64_MAX / 2), UINT64_MAX / 4 + 1);
}
END_TEST

Suite *suite_fixed(void)
{
    Suite *s = suite_create("fixed");
    TCase *tc = long_tcase("fixed");
    tcase_add_test(tc, mul_shift);
    tcase_add_test(tc, mul_div);
    tcase_add_test(tc, roots);
    tcase_add_test(tc, ratio_q62);
    tcase_add_test(tc, mul_ratio);
    tcase_add_test(tc, pow_q62);
    tcase_add_test(tc, time_add);
    tcase_add_test(tc, stage_add);
    tcase_add_test(tc, periods);
    tcase_add_test(tc, jitter);
    tcase_add_test(tc, halfway);
    suite_add_tcase(s, tc);
    return s;
}
