/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The choice among equal paths, and the random numbers behind it. */
#include "helpers.h"
#include "rcc_path.h"

/* Published outputs of SplitMix64: of a generator with seed 0, and of one with seed 1234567 (Rosetta Code). */
START_TEST(split_mix)
{
    static const uint64_t wanted[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                      UINT64_C(9817491932198370423)};
    ck_assert_uint_eq(rcc_mix(0), UINT64_C(0xe220a8397b1dcdaf));
    for (uint64_t i = 0; i < 3; i++)
        ck_assert_uint_eq(rcc_mix(1234567 + i * UINT64_C(0x9e3779b97f4a7c15)), wanted[i]);
}
END_TEST

/* Draws are uniform in each bit, and differ by stream and by index. */
START_TEST(draws)
{
    uint32_t ones[32] = {0};
    ck_assert_uint_eq(rcc_random(5, 0), rcc_mix(5) >> 32);
    ck_assert_uint_eq(rcc_random(0, 1), rcc_mix(UINT64_C(0xd1342543de82ef95)) >> 32);
    ck_assert_uint_eq(rcc_random(5, 3), rcc_mix(5 ^ 3 * UINT64_C(0xd1342543de82ef95)) >> 32);
    for (uint64_t i = 0; i < 10000; i++)
        for (unsigned bit = 0; bit < 32; bit++)
            ones[bit] += rcc_random(7, i) >> bit & 1u;
    for (unsigned bit = 0; bit < 32; bit++)
        CHECK(ones[bit] > 4700 && ones[bit] < 5300, "bit %u: %u", bit, ones[bit]);
}
END_TEST

static struct rcc_paths paths_of(uint32_t node, enum rcc_path_rule rule)
{
    return (struct rcc_paths){.salt = rcc_path_salt(node), .rule = rule};
}

START_TEST(a_flow_keeps_its_path)
{
    struct rcc_paths paths = paths_of(9, RCC_PATH_FLOW);
    uint32_t used[7] = {0};
    ck_assert_uint_eq(paths.salt & UINT32_MAX, 0); /* flows that differ have different hashes at every switch */
    ck_assert_uint_eq(paths.salt >> 32, rcc_mix(9) & UINT32_MAX);
    for (uint32_t flow = 0; flow < 7000; flow++)
    {
        const struct rcc_path_frame data = {flow, true}, ack = {flow, false};
        const uint32_t path = rcc_path_pick(&paths, &data, 7);
        CHECK(path < 7 && path == rcc_mix(flow ^ paths.salt) % 7, "flow %u: path %u", flow, path);
        rcc_path_taken(&paths, &data);
        rcc_path_taken(&paths, &ack);
        CHECK(rcc_path_pick(&paths, &ack, 7) == path && rcc_path_pick(&paths, &data, 7) == path, "flow %u", flow);
        CHECK(rcc_path_of_flow(&paths, flow, 7) == path, "flow %u", flow);
        CHECK(rcc_path_pick(&paths, &data, 1) == 0, "flow %u", flow);
        used[path]++;
    }
    for (unsigned i = 0; i < 7; i++)
        CHECK(used[i] > 850 && used[i] < 1150, "path %u: %u flows", i, used[i]);
    ck_assert_uint_eq(paths.sprayed, 0);
}
END_TEST

/* Flows that one switch sends over one path do not stay together at the next switch. */
START_TEST(switches_hash_differently)
{
    const struct rcc_paths first = paths_of(1, RCC_PATH_FLOW), second = paths_of(2, RCC_PATH_FLOW);
    uint32_t together = 0, again = 0;
    for (uint32_t flow = 0; flow < 4000; flow++)
        if (rcc_path_of_flow(&first, flow, 2) == 0)
        {
            together++;
            again += rcc_path_of_flow(&second, flow, 2) == 0 ? 1 : 0;
        }
    ck_assert_uint_gt(together, 1800);
    ck_assert_uint_gt(again, together * 2 / 5);
    ck_assert_uint_lt(again, together * 3 / 5);
}
END_TEST

START_TEST(packets_take_paths_of_their_own)
{
    struct rcc_paths paths = paths_of(3, RCC_PATH_PACKET);
    const struct rcc_path_frame data = {77, true}, other = {78, true}, ack = {77, false};
    uint32_t used[4] = {0};
    for (uint64_t i = 0; i < 4000; i++)
    {
        const uint32_t path = rcc_path_pick(&paths, &data, 4);
        CHECK(path == rcc_mix((rcc_mix(77) + i) ^ paths.salt) % 4, "packet %u", (unsigned)i);
        CHECK(path == rcc_path_pick(&paths, &data, 4), "packet %u: a choice that is not taken changes the next",
              (unsigned)i);
        CHECK(rcc_path_pick(&paths, &other, 4) == rcc_mix((rcc_mix(78) + i) ^ paths.salt) % 4, "packet %u",
              (unsigned)i);
        rcc_path_taken(&paths, &data);
        CHECK(rcc_path_pick(&paths, &ack, 4) == rcc_path_of_flow(&paths, 77, 4), "ACK %u", (unsigned)i);
        if (i % 4 == 0)
            rcc_path_taken(&paths, &ack);
        ck_assert_uint_eq(rcc_path_pick(&paths, &data, 1), 0);
        used[path]++;
    }
    for (unsigned i = 0; i < 4; i++)
        CHECK(used[i] > 850 && used[i] < 1150, "path %u: %u packets", i, used[i]);
    ck_assert_uint_eq(paths.sprayed, 4000);
}
END_TEST

Suite *suite_path(void)
{
    Suite *s = suite_create("path");
    TCase *t = long_tcase("choice");
    tcase_add_test(t, split_mix);
    tcase_add_test(t, draws);
    tcase_add_test(t, a_flow_keeps_its_path);
    tcase_add_test(t, switches_hash_differently);
    tcase_add_test(t, packets_take_paths_of_their_own);
    suite_add_tcase(s, t);
    return s;
}
