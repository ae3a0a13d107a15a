/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Ports by rules and pauses by duration, against the same formulas in floating point. */
#include "helpers.h"
#include "rcc_switch.h"

#include <math.h>
#include <stdlib.h>

/* Rates of links, bit/s, up to RCC_LINE_RATE_MAX. */
static uint64_t any_rate(struct rng *rng)
{
    return (uint64_t)rng_log_range(rng, (int64_t)RCC_LINE_RATE_MIN, (int64_t)RCC_LINE_RATE_MAX);
}

static double quanta_formula(rcc_time duration, uint64_t rate, uint32_t max_frame)
{
    const double wanted = (double)duration * (double)rate / 512e9;
    return floor(fmin(65535, fmax(wanted, rcc_pfc_least_quanta(max_frame))));
}

START_TEST(quanta_of_durations)
{
    ck_assert_uint_eq(rcc_pfc_quanta_of(1280, 40 * GBPS, 64), 100);
    ck_assert_uint_eq(rcc_pfc_quanta_of(1279, 40 * GBPS, 64), 99);
    ck_assert_uint_eq(rcc_pfc_quanta_of(0, 40 * GBPS, 1062), rcc_pfc_least_quanta(1062));
    ck_assert_uint_eq(rcc_pfc_quanta_of(486, 400 * GBPS, 1062), 379); /* 379.7 */
    ck_assert_uint_eq(rcc_pfc_quanta_of(65535 * 64, 8 * GBPS, 64), 65535);
    ck_assert_uint_eq(rcc_pfc_quanta_of(65535 * 64 - 1, 8 * GBPS, 64), 65534);
    ck_assert_uint_eq(rcc_pfc_quanta_of(65535 * 64 + 1, 8 * GBPS, 64), 65535);
    ck_assert_uint_eq(rcc_pfc_quanta_of(65536 * 64, 8 * GBPS, 64), 65535); /* one more than fits */
    ck_assert_uint_eq(rcc_pfc_quanta_of(2097, RCC_LINE_RATE_MAX, 64), 65531);
    ck_assert_uint_eq(rcc_pfc_quanta_of(2098, RCC_LINE_RATE_MAX, 64), 65535);
    ck_assert_uint_eq(rcc_pfc_quanta_of(SEC, RCC_LINE_RATE_MAX, 64), 65535);
    ck_assert_uint_eq(rcc_pfc_quanta_of(RCC_NEVER, RCC_LINE_RATE_MAX, 64), 65535);
    ck_assert_uint_eq(rcc_pfc_quanta_of(0, RCC_LINE_RATE_MIN, RCC_FRAME_MAX), 2052);
}
END_TEST

/* Equal to the formula in double precision for all rates that are multiples of 8 bit/s: a quotient that is no whole
 * number is then too far from the next one to be rounded to it. */
START_TEST(quanta_in_floating_point)
{
    struct rng rng = {1};
    for (uint64_t i = 0; i < rounds(400000); i++)
    {
        const uint64_t rate = any_rate(&rng) / 8 * 8;
        const uint32_t frame = (uint32_t)rng_range(&rng, 64, RCC_FRAME_MAX);
        const uint64_t near = (uint64_t)rng_range(&rng, 1, 65540) * 512000000000 / rate; /* close to whole quanta */
        const rcc_time duration =
            rng_chance(&rng, 50) ? rng_log_range(&rng, 1, SEC) : (rcc_time)near + rng_range(&rng, 0, 1);
        CHECK(rcc_pfc_quanta_of(duration, rate, frame) == quanta_formula(duration, rate, frame),
              "%lld ns at %llu bit/s, frames of %u", (long long)duration, (unsigned long long)rate, frame);
    }
}
END_TEST

START_TEST(refresh_at_half)
{
    ck_assert_int_eq(rcc_pfc_refresh_after(65535, 40 * GBPS), 419424);
    ck_assert_int_eq(rcc_pfc_refresh_after(1, 40 * GBPS), 6); /* half of 13 ns */
    ck_assert_int_eq(rcc_pfc_refresh_after(0, 40 * GBPS), 0);
}
END_TEST

static uint32_t alpha_formula(double alpha)
{
    return (uint32_t)(alpha * 65536 + 0.5);
}

static struct rcc_mmu_rules faster_than(uint64_t rate, double alpha)
{
    return (struct rcc_mmu_rules){.alpha_rate = rate, .alpha = (uint32_t)(alpha * 1048576), .max_frame = 1062};
}

START_TEST(alpha_of_fast_ports)
{
    const struct rcc_mmu_rules none = faster_than(0, 0.125), rules = faster_than(25 * GBPS, 0.125);
    ck_assert_uint_eq(rcc_mmu_port_of(&none, 400 * GBPS, 1000).alpha, 0); /* the port has the switch's alpha */
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 25 * GBPS, 1000).alpha, 0);
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 25 * GBPS + 1, 1000).alpha, 65536 / 4);
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 50 * GBPS, 1000).alpha, 65536 / 4);
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 50 * GBPS + 2, 1000).alpha, 65536 / 2);
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 100 * GBPS, 1000).alpha, 65536 / 2);
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 100 * GBPS + 4, 1000).alpha, 65536);
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 1600 * GBPS, 1000).alpha, 65536); /* not more than eight times */
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 1600 * GBPS, 1000).headroom, 0);
    ck_assert_uint_eq(rcc_mmu_port_of(&rules, 1600 * GBPS, 7).rate, 1600 * GBPS);
    ck_assert_int_eq(rcc_mmu_port_of(&rules, 1600 * GBPS, 7).delay, 7);
}
END_TEST

/* All alphas that the switch has, to the last bit. */
START_TEST(alpha_in_floating_point)
{
    struct rng rng = {2};
    for (uint64_t i = 0; i < rounds(400000); i++)
    {
        const double least = 1.0 / 65536, alpha = least * exp2((double)rng_range(&rng, 0, 26 * 65536) / 65536);
        const struct rcc_mmu_rules rules = faster_than(10 * GBPS, alpha);
        for (unsigned twice = 1; twice <= 3; twice++)
            CHECK(rcc_mmu_port_of(&rules, (10 * GBPS << (twice - 1)) + 100, 0).alpha ==
                      alpha_formula(alpha * (1 << twice)),
                  "alpha %.17g, times 2^%u", alpha, twice);
    }
}
END_TEST

static uint64_t headroom_formula(uint64_t rate, rcc_time delay, uint32_t delays)
{
    const double bytes = (double)rate / 8e9 * (double)delay * delays;
    const uint64_t least = rcc_mmu_headroom(rate, delay, 1062);
    return least > (uint64_t)bytes ? least : (uint64_t)bytes;
}

static uint64_t headroom_of(uint64_t rate, rcc_time delay, uint32_t delays)
{
    const struct rcc_mmu_rules rules = {.headroom_delays = delays, .max_frame = 1062};
    return rcc_mmu_port_of(&rules, rate, delay).headroom;
}

/* Ports 0 to 3 have this alpha, port 4 that of the switch, 1/8; all four send to a port. */
static uint64_t limit_of(uint32_t own, uint32_t egress)
{
    const struct rcc_mmu_config config = {
        .buffer = 9000000, .alpha = 65536 / 8, .max_frame = 1062, .lossless = 1u << 3};
    struct rcc_mmu_port ports[5];
    struct rcc_mmu_problem problem;
    void *memory = malloc(rcc_mmu_size(5));
    uint64_t limit;
    ck_assert_ptr_nonnull(memory);
    for (uint32_t i = 0; i < 5; i++)
        ports[i] = (struct rcc_mmu_port){.rate = 40 * GBPS, .delay = 1000, .alpha = i < 4 ? own : 0};
    limit = rcc_mmu_limit(rcc_mmu_start(memory, &config, ports, 5, &problem), egress, 4);
    free(memory);
    return limit;
}

/* The congested port has no part in it: 4 x 1/4 of the free pool, or 4 x the mean of 1/4, 1/4, 1/4 and 1/8. */
START_TEST(limit_of_own_alphas)
{
    const uint64_t headroom = 5 * rcc_mmu_headroom(40 * GBPS, 1000, 1062), pool = 9000000 - headroom;
    ck_assert_uint_eq(limit_of(0, 4), pool - pool * 2 / 3 - (pool * 2 % 3 != 0));
    ck_assert_uint_eq(limit_of(65536 / 4, 4), pool / 2);
    ck_assert_uint_eq(limit_of(65536 / 4, 0), pool - pool * 8 / 15 - (pool * 8 % 15 != 0));
}
END_TEST

START_TEST(headroom_by_delays)
{
    ck_assert_uint_eq(headroom_of(100 * GBPS, 1000, 0), 0); /* the port has the switch's headroom */
    ck_assert_uint_eq(headroom_of(100 * GBPS, 1000, 3), 37500);
    ck_assert_uint_eq(headroom_of(100 * GBPS, 1000, 2), 25000 + 3 * 1062 + 64); /* the needed headroom is larger */
    /* the headroom given to the switch holds, unless the delays need more */
    const struct rcc_mmu_rules given = {.headroom_delays = 3, .max_frame = 1062, .headroom = 200000};
    ck_assert_uint_eq(rcc_mmu_port_of(&given, 100 * GBPS, 1000).headroom, 200000);
    ck_assert_uint_eq(rcc_mmu_port_of(&given, 100 * GBPS, 10000).headroom, 375000);
    const struct rcc_mmu_rules little = {.headroom_delays = 1, .max_frame = 1062, .headroom = 100};
    ck_assert_uint_eq(rcc_mmu_port_of(&little, 100 * GBPS, 1000).headroom, 12500); /* which rcc_mmu_start refuses */
    ck_assert_uint_eq(headroom_of(100 * GBPS + 1, 1000, 1000), 12500000);
    ck_assert_uint_eq(headroom_of(100 * GBPS + 8000, 1000, 1000), 12500001);
    ck_assert_uint_eq(headroom_of(GBPS + 1, 1001001, 999), 124999999); /* 10^9 bits less a thousand-millionth of one */
    /* the longest delay of a link, on the fastest one, does not fit 64 bits as bits */
    ck_assert_uint_eq(headroom_of(RCC_LINE_RATE_MAX, 7200 * SEC, 150), (uint64_t)16000000000000 * 7200 * 150 / 8);
    ck_assert_uint_eq(headroom_of(RCC_LINE_RATE_MAX, 7200 * SEC, 1000), UINT64_MAX / 8);
}
END_TEST

/* Equal to the formula in double precision for all multiples of 62.5 Mb/s, whose rate / 8e9 has an exact double, as
 * long as the product has one; at other rates at most a byte apart, where the double is rounded over a whole number. */
START_TEST(headroom_in_floating_point)
{
    struct rng rng = {3};
    for (uint64_t i = 0; i < rounds(400000); i++)
    {
        const uint64_t rate = any_rate(&rng), even = rate / 62500000 * 62500000 + 62500000;
        const uint32_t delays = (uint32_t)rng_log_range(&rng, 1, 1000);
        const rcc_time delay = rng_log_range(&rng, 1, 10 * MS);
        const uint64_t found = headroom_of(rate, delay, delays), wanted = headroom_formula(rate, delay, delays);
        CHECK(headroom_of(even, delay, delays) == headroom_formula(even, delay, delays),
              "%u delays of %lld ns, %llu bit/s", delays, (long long)delay, (unsigned long long)even);
        CHECK(found - wanted + 1 <= 2, "%u delays of %lld ns, %llu bit/s", delays, (long long)delay,
              (unsigned long long)rate);
    }
}
END_TEST

Suite *suite_switch_rules(void)
{
    Suite *s = suite_create("switch-rules");
    TCase *t = long_tcase("rules");
    tcase_add_test(t, quanta_of_durations);
    tcase_add_test(t, quanta_in_floating_point);
    tcase_add_test(t, refresh_at_half);
    tcase_add_test(t, alpha_of_fast_ports);
    tcase_add_test(t, alpha_in_floating_point);
    tcase_add_test(t, limit_of_own_alphas);
    tcase_add_test(t, headroom_by_delays);
    tcase_add_test(t, headroom_in_floating_point);
    suite_add_tcase(s, t);
    return s;
}
