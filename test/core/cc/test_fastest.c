/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The fastest line, 16 Tb/s: 2000 bytes a nanosecond. Products of its rate that need all of 64 bits. */
#include "helpers.h"
#include "powertcp.h"
#include "rcc_port.h"
#include "swift.h"
#include "telemetry.h"

/* 16 Tb/s in a millisecond are 2 GB: the product of bit/s and ns has 64 bits. */
START_TEST(a_tick_of_a_millisecond)
{
    const struct rcc_bucket bucket = {1u << 30, true, MS};
    struct rcc_tokens tokens = {-1000000000, 0};
    struct rig rig;
    rig_init(&rig, "none", NULL, RCC_LINE_RATE_MAX);
    rig_start(&rig, 0, 1);
    ck_assert_int_eq(rcc_bucket_next_send(&bucket, &tokens, rig.rp, 1000), MS);
    rcc_bucket_fill(&bucket, &tokens, rig.rp, MS);
    ck_assert_int_eq(tokens.bytes, 1000000000);
    rig_free(&rig);
}
END_TEST

/* 20000 bytes of BDP are half a packet of 40000, paced: 2^38 times that, rounded up. */
START_TEST(swift_begins_with_half_a_packet)
{
    struct rig rig;
    rig_init(&rig, "swift", "paper", RCC_LINE_RATE_MAX);
    rig.env.mtu = 40000;
    rig.env.base_rtt = 10;
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(((const struct swift_rp *)rig.rp)->fabric.cwnd, SWIFT_PACKET / 2 + 1);
    rig_free(&rig);
}
END_TEST

/* The BDP of 100 ms is 200 GB. An idle path's power is the floor, and the window stays at the BDP. */
START_TEST(powertcp_keeps_the_longest_window)
{
    static const struct rcc_hop hops[] = {{0, 0, 0, 16000000}, {1000, 0, 0, 16000000}};
    struct rig rig;
    rig_init(&rig, "powertcp", "paper", RCC_LINE_RATE_MAX);
    rig.env.base_rtt = 100 * MS;
    rig_set(&rig, "gamma", 1000000000);
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 200000000000);
    for (uint64_t i = 0; i < 2; i++)
    {
        const struct rcc_feedback f = {
            .kind = RCC_FEEDBACK_ACK, .rtt = -1, .seq = i + 1, .next = i + 2, .n_path = 1, .path = &hops[i]};
        rcc_rp_feedback(rig.rp, (rcc_time)(1000 * i), &f);
    }
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 200000000000);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), RCC_LINE_RATE_MAX);
    rig_free(&rig);
}
END_TEST

/* A counter of 32 bits wraps after 2 ms and 147 us. */
START_TEST(counters_that_may_have_wrapped_are_not_compared)
{
    uint64_t dt, bytes;
    const struct rcc_hop old = {0, 0, 0, 16000000};
    struct rcc_hop hop = {2147483, 4294966000u, 0, 16000000};
    ck_assert(telemetry_delta(&old, &hop, &dt, &bytes));
    ck_assert(dt == 2147483 && bytes == 4294966000u);
    hop.ts = 2147484;
    ck_assert(!telemetry_delta(&old, &hop, &dt, &bytes));
    hop.rate_mbps = 15999990;
    ck_assert(telemetry_delta(&old, &hop, &dt, &bytes));
}
END_TEST

Suite *suite_fastest(void)
{
    Suite *s = suite_create("fastest");
    TCase *tc = tcase_create("fastest");
    tcase_add_test(tc, a_tick_of_a_millisecond);
    tcase_add_test(tc, swift_begins_with_half_a_packet);
    tcase_add_test(tc, powertcp_keeps_the_longest_window);
    tcase_add_test(tc, counters_that_may_have_wrapped_are_not_compared);
    suite_add_tcase(s, tc);
    return s;
}
