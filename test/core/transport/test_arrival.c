/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Tests of what a NIC accepts, of its ingress meter and of its receive buffer. */
#include "helpers.h"
#include "rcc_arrival.h"

#include <math.h>
#include <string.h>

START_TEST(frames_that_are_accepted)
{
    static const struct
    {
        enum rcc_nic_kind kind;
        uint32_t qp, period;
        bool accepted;
    } cases[] = {
        {RCC_NIC_DATA, 0, 0, true},           {RCC_NIC_DATA, 4, 0, true},
        {RCC_NIC_DATA, 5, 0, false},                                         /* there are five receiving halves */
        {RCC_NIC_DATA, UINT32_MAX, 0, false}, {RCC_NIC_DATA, 4, 5000, true}, /* no CNP: its period is none */
        {RCC_NIC_ANSWER, 2, 0, true},         {RCC_NIC_ANSWER, 3, 0, false}, /* there are three sending halves */
        {RCC_NIC_ANSWER, 2, 5000, true},      {RCC_NIC_CNP, 2, 0, true},
        {RCC_NIC_CNP, 2, 1000, true},         {RCC_NIC_CNP, 2, 1001, false},
        {RCC_NIC_CNP, 3, 0, false},           {RCC_NIC_CORRUPT, 0, 0, false}};
    const struct rcc_nic_limits limits = {5, 3, 1000}, none = {0, 0, 0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        CHECK(rcc_nic_accepts(&limits, cases[i].kind, cases[i].qp, cases[i].period) == cases[i].accepted, "case %u",
              (unsigned)i);
        CHECK(!rcc_nic_accepts(&none, cases[i].kind, cases[i].qp, cases[i].period), "case %u", (unsigned)i);
    }
}
END_TEST

/* Equal to the formula in double precision at all rates that are multiples of 1 kb/s, and up to 1 MB at any rate. */
START_TEST(depth_in_floating_point)
{
    struct rng rng = {1};
    for (uint64_t i = 0; i < rounds(400000); i++)
    {
        uint64_t rate = (uint64_t)rng_log_range(&rng, 1000000, (int64_t)RCC_LINE_RATE_MAX);
        const uint32_t depth = (uint32_t)rng_log_range(&rng, 1, RCC_METER_DEPTH_MAX);
        struct rcc_meter meter = {.depth = -1};
        rate = depth > 1000000 ? rate / 1000 * 1000 : rate;
        rcc_meter_set(&meter, rate, depth);
        CHECK(meter.depth == (rcc_time)((double)depth * 8e9 / (double)rate) && meter.queue.rate == rate,
              "%u bytes at %llu bit/s: %lld ns", depth, (unsigned long long)rate, (long long)meter.depth);
    }
}
END_TEST

/* Against a queue in bytes that drains 1 byte in 8 ns. */
START_TEST(meter_against_a_queue)
{
    struct rng rng = {2};
    struct rcc_meter meter = {.depth = 0};
    rcc_time now = 0, drained = 0;
    int64_t queue = 0; /* bytes x 8 ns */
    unsigned overloads = 0;
    rcc_meter_set(&meter, 1 * GBPS, 5000);
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        const uint32_t bytes = (uint32_t)rng_range(&rng, 64, 1500);
        bool overloaded;
        now += rng_range(&rng, 0, 12000);
        queue -= now - drained;
        queue = queue > 0 ? queue : 0;
        drained = now;
        overloaded = queue > 5000 * 8;
        queue += overloaded ? 0 : bytes * 8;
        CHECK(rcc_meter_arrive(&meter, now, bytes) == overloaded, "frame %u at %lld ns", (unsigned)i, (long long)now);
        overloads += overloaded ? 1 : 0;
    }
    ck_assert_uint_gt(overloads, 0);
}
END_TEST

START_TEST(edges_of_the_meter)
{
    struct rcc_meter meter = {.depth = 0};
    for (int i = 0; i < 100; i++)
        ck_assert(!rcc_meter_arrive(&meter, 0, 9000)); /* there is none */
    ck_assert_int_eq(meter.queue.free, 0);
    rcc_meter_set(&meter, 8 * GBPS, 100);
    ck_assert_int_eq(meter.depth, 100);
    ck_assert(!rcc_meter_arrive(&meter, 0, 101));
    ck_assert(rcc_meter_arrive(&meter, 0, 1)); /* 101 wait */
    ck_assert(!rcc_meter_arrive(&meter, 1, 1));
    ck_assert_int_eq(meter.queue.free, 102);
    meter.queue.rest = 7;
    rcc_meter_set(&meter, 8 * GBPS, 200); /* the rest of a rate that stays */
    ck_assert_uint_eq(meter.queue.rest, 7);
    ck_assert_uint_eq(meter.queue.bytes, 1);
    ck_assert_int_eq(meter.depth, 200);
    rcc_meter_set(&meter, 4 * GBPS, 200);
    ck_assert_uint_eq(meter.queue.rest, 0);
    ck_assert_int_eq(meter.queue.free, 102);
    ck_assert(!rcc_meter_arrive(&meter, 1, 1)); /* 2 ns each now */
    ck_assert_int_eq(meter.queue.free, 104);
    rcc_meter_set(&meter, 0, 200);
    ck_assert_int_eq(meter.depth, 0);
    ck_assert(!rcc_meter_arrive(&meter, 1, 9000));
}
END_TEST

/* A host that reads 1 byte in 8 ns, against a list of frames with the time at which the reading of each begins. */
START_TEST(intake_against_a_list)
{
    enum
    {
        LIMIT = 6000,
        FRAMES = 64
    };
    struct rng rng = {3};
    struct rcc_intake intake = {.limit = LIMIT, .lossless = 1u << 3};
    struct
    {
        uint32_t bytes;
        unsigned cls;
    } held[FRAMES];
    unsigned count = 0, at_once = 0, dropped = 0, pauses = 0;
    rcc_time now = 0, free = 0;
    uint64_t waiting[2] = {0, 0}; /* class 3, class 4 */
    bool paused = false;
    intake.drain.rate = 1 * GBPS;
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        const uint32_t bytes = (uint32_t)rng_range(&rng, 64, 1500);
        const unsigned cls = (unsigned)rng_range(&rng, 3, 4);
        bool fits;
        now += rng_range(&rng, 0, count > FRAMES - 2 ? 40000 : 12000);
        while (count > 0 && free <= now)
        {
            const rcc_time began = free;
            CHECK(rcc_intake_read(&intake, began, held[0].cls, held[0].bytes) == began + held[0].bytes * 8, "%u",
                  (unsigned)i);
            free = began + held[0].bytes * 8;
            waiting[held[0].cls - 3] -= held[0].bytes;
            paused = paused && waiting[0] > LIMIT / 2;
            memmove(held, held + 1, --count * sizeof held[0]);
        }
        CHECK(rcc_intake_reads_at_once(&intake, now, bytes, count == 0) == (count == 0 && free <= now), "%u",
              (unsigned)i);
        if (count == 0 && free <= now)
        {
            free = now + bytes * 8;
            at_once++;
            continue;
        }
        if (count == FRAMES)
            continue;
        fits = cls == 3 || waiting[1] + bytes <= LIMIT;
        CHECK(rcc_intake_keeps(&intake, cls, bytes) == fits, "%u", (unsigned)i);
        dropped += fits ? 0 : 1;
        if (fits)
        {
            held[count].bytes = bytes;
            held[count++].cls = cls;
            waiting[cls - 3] += bytes;
        }
        pauses += !paused && waiting[0] >= LIMIT ? 1 : 0;
        paused = paused || waiting[0] >= LIMIT;
        CHECK((intake.paused != 0) == paused && intake.waiting[3] == waiting[0] && intake.waiting[4] == waiting[1],
              "%u", (unsigned)i);
    }
    ck_assert_uint_gt(at_once, 0);
    ck_assert_uint_gt(dropped, 0);
    ck_assert_uint_gt(pauses, 1);
}
END_TEST

/* A host that reads nothing, and then all at once; the limit itself. */
START_TEST(edges_of_the_intake)
{
    struct rcc_intake intake = {.limit = 1000, .lossless = 1u << 3};
    ck_assert(!rcc_intake_reads_at_once(&intake, 5, 100, true));
    ck_assert(rcc_intake_keeps(&intake, 3, 999));
    ck_assert_uint_eq(intake.paused, 0);
    ck_assert(rcc_intake_keeps(&intake, 3, 1));
    ck_assert_uint_eq(intake.paused, 1u << 3);
    ck_assert(rcc_intake_keeps(&intake, 3, 9000)); /* on its way when the pause began */
    ck_assert(rcc_intake_keeps(&intake, 7, 1000));
    ck_assert(!rcc_intake_keeps(&intake, 7, 1)); /* the classes have space of their own */
    ck_assert_uint_eq(intake.waiting[7], 1000);
    ck_assert_uint_eq(intake.paused, 1u << 3);
    ck_assert_int_eq(rcc_intake_read(&intake, 70, 3, 999), 70);
    ck_assert_int_eq(rcc_intake_read(&intake, 70, 3, 8500), 70);
    ck_assert_uint_eq(intake.paused, 1u << 3); /* 501 wait */
    ck_assert_int_eq(rcc_intake_read(&intake, 70, 3, 1), 70);
    ck_assert_uint_eq(intake.paused, 0);
}
END_TEST

Suite *suite_arrival(void)
{
    Suite *s = suite_create("arrival");
    TCase *t = long_tcase("nic");
    tcase_add_test(t, frames_that_are_accepted);
    tcase_add_test(t, depth_in_floating_point);
    tcase_add_test(t, meter_against_a_queue);
    tcase_add_test(t, edges_of_the_meter);
    tcase_add_test(t, intake_against_a_list);
    tcase_add_test(t, edges_of_the_intake);
    suite_add_tcase(s, t);
    return s;
}
