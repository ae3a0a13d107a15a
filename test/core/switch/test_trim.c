/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Packet trimming: the decision by cases, and a port that keeps its bounds. */
#include "helpers.h"
#include "rcc_trim.h"

/* The rules, written as a list of reasons to keep, to trim and to drop. */
static enum rcc_trim_verdict naive(const struct rcc_trim *trim, const struct rcc_trim_frame *f, uint64_t queue,
                                   uint64_t headers)
{
    const uint64_t header = f->bytes < trim->size ? f->bytes : trim->size;
    bool wants = f->trimmed;
    if (trim->size == 0 || !f->data)
        return f->admitted ? RCC_TRIM_WHOLE : RCC_TRIM_DROP;
    if (!f->trimmed) /* a frame no longer than a header is moved to the headers, but only if it would be lost */
        wants = !f->admitted || (f->bytes > trim->size && trim->threshold > 0 && queue + f->bytes > trim->threshold);
    if (!wants)
        return f->admitted ? RCC_TRIM_WHOLE : RCC_TRIM_DROP;
    return headers + header > trim->limit ? RCC_TRIM_DROP : RCC_TRIM_HEADER;
}

START_TEST(against_the_rules)
{
    struct rng rng = {1};
    unsigned seen[3] = {0};
    for (uint64_t i = 0; i < rounds(300000); i++)
    {
        const struct rcc_trim trim = {.threshold = rng_chance(&rng, 20) ? 0 : (uint64_t)rng_range(&rng, 1, 5000),
                                      .limit = (uint64_t)rng_range(&rng, 0, 300),
                                      .size = rng_chance(&rng, 10) ? 0 : (uint32_t)rng_range(&rng, 1, 128)};
        const struct rcc_trim_frame f = {(uint32_t)rng_log_range(&rng, 1, 4200), rng_chance(&rng, 80),
                                         rng_chance(&rng, 20), rng_chance(&rng, 80)};
        const uint64_t queue = (uint64_t)rng_range(&rng, 0, 6000), headers = (uint64_t)rng_range(&rng, 0, 350);
        const enum rcc_trim_verdict got = rcc_trim_decide(&trim, &f, queue, headers);
        CHECK(got == naive(&trim, &f, queue, headers), "%u bytes, %llu and %llu queued: %d", f.bytes,
              (unsigned long long)queue, (unsigned long long)headers, got);
        seen[got]++;
    }
    ck_assert(seen[RCC_TRIM_WHOLE] > 0 && seen[RCC_TRIM_HEADER] > 0 && seen[RCC_TRIM_DROP] > 0);
}
END_TEST

START_TEST(at_the_bounds)
{
    const struct rcc_trim trim = {.threshold = 5000, .limit = 128, .size = 64, .cls = 6};
    const struct rcc_trim_frame data = {1000, true, false, true}, refused = {1000, true, false, false};
    const struct rcc_trim_frame small = {64, true, false, true}, longer = {65, true, false, true};
    const struct rcc_trim_frame small_refused = {64, true, false, false};
    const struct rcc_trim_frame ack = {84, false, false, true}, lost_ack = {84, false, false, false};
    const struct rcc_trim_frame header = {64, true, true, false};
    const struct rcc_trim no_trim = {.threshold = 5000, .limit = 128};
    ck_assert_int_eq(rcc_trim_decide(&trim, &data, 4000, 128), RCC_TRIM_WHOLE);
    ck_assert_int_eq(rcc_trim_decide(&trim, &data, 4001, 64), RCC_TRIM_HEADER);
    ck_assert_int_eq(rcc_trim_decide(&trim, &data, 4001, 65), RCC_TRIM_DROP);
    ck_assert_int_eq(rcc_trim_decide(&trim, &refused, 0, 0), RCC_TRIM_HEADER);
    ck_assert_int_eq(rcc_trim_decide(&trim, &small, 9000, 0), RCC_TRIM_WHOLE);
    ck_assert_int_eq(rcc_trim_decide(&trim, &small_refused, 9000, 64), RCC_TRIM_HEADER);
    ck_assert_int_eq(rcc_trim_decide(&trim, &small_refused, 0, 65), RCC_TRIM_DROP);
    ck_assert_int_eq(rcc_trim_decide(&trim, &longer, 9000, 0), RCC_TRIM_HEADER);
    ck_assert_int_eq(rcc_trim_decide(&trim, &ack, 9000, 0), RCC_TRIM_WHOLE);
    ck_assert_int_eq(rcc_trim_decide(&trim, &lost_ack, 0, 0), RCC_TRIM_DROP);
    ck_assert_int_eq(rcc_trim_decide(&trim, &header, 9000, 64), RCC_TRIM_HEADER);
    ck_assert_int_eq(rcc_trim_decide(&trim, &header, 0, 65), RCC_TRIM_DROP);
    ck_assert_int_eq(rcc_trim_decide(&no_trim, &data, 9000, 0), RCC_TRIM_WHOLE);
    ck_assert_int_eq(rcc_trim_decide(&no_trim, &refused, 0, 0), RCC_TRIM_DROP);
    ck_assert_uint_eq(rcc_trim_bytes(&trim, 63), 63);
    ck_assert_uint_eq(rcc_trim_bytes(&trim, 4150), 64);
}
END_TEST

/* A port that serves headers first: neither queue grows beyond its bound, every frame leaves whole, trimmed or not at
 * all, and while headers have space nothing is lost. */
START_TEST(a_port_that_trims)
{
    const struct rcc_trim trim = {.threshold = 20000, .limit = 20000, .size = 64};
    struct rng rng = {9};
    uint64_t queue = 0, headers = 0, whole = 0, trimmed = 0, dropped = 0;
    for (unsigned i = 0; i < 50000; i++)
    {
        const struct rcc_trim_frame f = {(uint32_t)rng_range(&rng, 500, 4150), true, rng_chance(&rng, 5), true};
        const enum rcc_trim_verdict verdict = rcc_trim_decide(&trim, &f, queue, headers);
        uint64_t serves = 1500;
        whole += verdict == RCC_TRIM_WHOLE;
        trimmed += verdict == RCC_TRIM_HEADER;
        dropped += verdict == RCC_TRIM_DROP;
        queue += verdict == RCC_TRIM_WHOLE ? f.bytes : 0;
        headers += verdict == RCC_TRIM_HEADER ? rcc_trim_bytes(&trim, f.bytes) : 0;
        CHECK(queue <= 20000 && headers <= 20000, "frame %u: %llu and %llu", i, (unsigned long long)queue,
              (unsigned long long)headers);
        serves -= headers < serves ? headers : serves;
        headers -= headers < 1500 ? headers : 1500;
        queue -= queue < serves ? queue : serves;
    }
    ck_assert_uint_eq(whole + trimmed, 50000);
    ck_assert_uint_eq(dropped, 0);
    ck_assert(whole > 25000 && trimmed > 10000);
}
END_TEST

/* 400 Gb/s and 12 us make 600 KB. */
START_TEST(fabric_of_nscc)
{
    struct rcc_trim trim = {.threshold = 1, .limit = 2, .size = 64, .cls = 6};
    struct rcc_trim_marks marks = {3, 4};
    struct rng rng = {2};
    ck_assert(!rcc_trim_of_bdp(&trim, &marks, 999, 12000));
    ck_assert(!rcc_trim_of_bdp(&trim, &marks, 1000000, 79999)); /* 9.99 bytes */
    ck_assert(!rcc_trim_of_bdp(&trim, &marks, RCC_LINE_RATE_MAX, RCC_NEVER));
    ck_assert(trim.threshold == 1 && trim.limit == 2 && marks.kmin == 3 && marks.kmax == 4);
    ck_assert(rcc_trim_of_bdp(&trim, &marks, 1000000, 80000));
    ck_assert_uint_eq(trim.threshold, 10);
    ck_assert(rcc_trim_of_bdp(&trim, &marks, 400 * GBPS, 12000));
    ck_assert(trim.threshold == 600000 && trim.limit == 600000 && trim.size == 64 && trim.cls == 6);
    ck_assert(marks.kmin == 120000 && marks.kmax == 480000);
    for (unsigned i = 0; i < 100000; i++)
    {
        const uint64_t rate = (uint64_t)rng_log_range(&rng, 1000, 16000000000) * 1000;
        const rcc_time rtt = rng_log_range(&rng, 1, (rcc_time)1 << 29);
        const long double bdp = (long double)rate * (long double)rtt / 8e9L;
        if (rcc_trim_of_bdp(&trim, &marks, rate, rtt))
            CHECK((long double)trim.threshold <= bdp && (long double)trim.threshold > bdp - 1 &&
                      marks.kmin == trim.threshold / 5 && marks.kmax == trim.threshold * 4 / 5,
                  "%llu bit/s, %lld ns", (unsigned long long)rate, (long long)rtt);
        else
            CHECK(bdp < 10 || bdp > 1e12L, "%llu bit/s, %lld ns", (unsigned long long)rate, (long long)rtt);
    }
}
END_TEST

Suite *suite_trim(void)
{
    Suite *s = suite_create("trim");
    TCase *t = long_tcase("decision");
    tcase_add_test(t, against_the_rules);
    tcase_add_test(t, at_the_bounds);
    tcase_add_test(t, a_port_that_trims);
    tcase_add_test(t, fabric_of_nscc);
    suite_add_tcase(s, t);
    return s;
}
