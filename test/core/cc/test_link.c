/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A link against one that keeps time in a unit in which nothing is rounded; flows that are alone on short paths. */
#include "helpers.h"
#include "rcc_link.h"

/* Times in ns / rate: rates stay below 2^22 bit/s and times below 2^41 ns, so that products fit 64 bits. */
START_TEST(test_exact_times)
{
    struct rng rng = {4};
    for (uint64_t run = 0; run < rounds(300); run++)
    {
        const uint64_t rate = (uint64_t)rng_log_range(&rng, 1000000, 4000000);
        struct rcc_link link = {.rate = rate};
        uint64_t free_exact = 0; /* ns x rate */
        rcc_time now = 0;
        for (unsigned i = 0; i < 200; i++)
        {
            const uint32_t bytes = (uint32_t)rng_range(&rng, 64, rng_chance(&rng, 50) ? 64 : 1500);
            now = rng_chance(&rng, 70) ? link.free : now + rng_range(&rng, 0, 20000000);
            if ((uint64_t)now > free_exact / rate)
                free_exact = (uint64_t)now * rate;
            free_exact += (uint64_t)bytes * 8000000000u;
            CHECK(rcc_link_send(&link, now, bytes) == (rcc_time)(free_exact / rate), "frame %u of %u bytes", i, bytes);
            CHECK(link.rest == free_exact % rate && link.free == (rcc_time)(free_exact / rate), "rest");
        }
    }
}
END_TEST

/* A frame that is ready while the link is busy waits for it, and nothing is lost in between. */
START_TEST(test_back_to_back)
{
    struct rcc_link link = {.rate = 3};
    ck_assert_int_eq(rcc_link_send(&link, 0, 1), 2666666666);
    ck_assert_int_eq(rcc_link_send(&link, 0, 1), 5333333333);
    ck_assert_int_eq(rcc_link_send(&link, 5333333333, 1), 8000000000);
    ck_assert_int_eq(rcc_link_send(&link, 9000000000, 1), 11666666666);
    link.rate = 8;
    link.bytes = 0;
    ck_assert_int_eq(rcc_link_send(&link, 20000000000, 1), 21000000000);
}
END_TEST

START_TEST(test_lone_flows)
{
    const struct rcc_path_link one[] = {{8 * GBPS, 500, 0, 0}}, two[] = {{8 * GBPS, 0, 0, 0}, {4 * GBPS, 100, 0, 0}};
    struct rcc_link links[4];
    struct rcc_lone_flow flow = {.bytes = 3500, .mtu = 1000, .ack_every = 64, .overhead = 62, .ack_bytes = 66};
    ck_assert_int_eq(rcc_lone_flow_time(one, 1, links, &flow), 3 * 1062 + 562 + 66 + 2 * 500);
    flow.first_more = 16;
    ck_assert_int_eq(rcc_lone_flow_time(one, 1, links, &flow), 3 * 1062 + 16 + 562 + 66 + 2 * 500);
    flow.bytes = 1000; /* it is the first packet that is longer */
    ck_assert_int_eq(rcc_lone_flow_time(one, 1, links, &flow), 1062 + 16 + 66 + 2 * 500);
    flow.first_more = 0;
    flow.bytes = 2000;
    ck_assert_int_eq(rcc_lone_flow_time(two, 2, links, &flow), 1062 + 2 * 2124 + 132 + 66 + 200);
    flow.bytes = 1;
    ck_assert_int_eq(rcc_lone_flow_time(one, 1, links, &flow), 63 + 66 + 1000);
    flow.bytes = 1000;
    ck_assert_int_eq(rcc_lone_flow_time(one, 1, links, &flow), 1062 + 66 + 1000);
    /* the acknowledgement of the packet before the last one, if it is long, holds up that of the last one */
    flow.bytes = 1001;
    flow.ack_bytes = 5000;
    ck_assert_int_eq(rcc_lone_flow_time(one, 1, links, &flow), 1062 + 63 + 5000 + 1000);
    flow.bytes = 3001; /* so does that of the third packet of four, where every third one is acknowledged */
    flow.ack_every = 3;
    ck_assert_int_eq(rcc_lone_flow_time(one, 1, links, &flow), 3 * 1062 + 5000 + 5000 + 1000);
    flow.bytes = 1001;
    flow.ack_every = 1;
    ck_assert_int_eq(rcc_lone_flow_time(one, 1, links, &flow), 1062 + 5000 + 5000 + 1000);
}
END_TEST

/* Gaps of the links by hand: what follows a frame holds up the next one on its link, and nobody at the other end. */
START_TEST(test_lone_flows_with_gaps)
{
    struct rcc_link links[4];
    struct rcc_path_link path[2] = {{8 * GBPS, 10, 0, 20}, {8 * GBPS, 10, 0, 0}};
    struct rcc_lone_flow flow = {.bytes = 3000, .mtu = 1000, .ack_every = 64, .overhead = 62, .ack_bytes = 66};
    ck_assert_int_eq(rcc_lone_flow_time(path, 1, links, &flow), 2 * 1082 + 1062 + 66 + 20);
    ck_assert_int_eq(rcc_lone_flow_time(path, 2, links, &flow), 2 * 1082 + 1062 + 1062 + 2 * 66 + 40);
    path[1].gap = 1u << 30;
    ck_assert_int_eq(rcc_lone_flow_time(path + 1, 1, links, &flow), 2 * (1062 + (1ll << 30)) + 1062 + 66 + 20);
    path[1].gap = 50;
    ck_assert_int_eq(rcc_lone_flow_time(path, 2, links, &flow), 1062 + 2 * 1112 + 1062 + 2 * 66 + 40);
    path[0].rate = 4 * GBPS; /* the slower one has the smaller gap, and the longer time */
    ck_assert_int_eq(rcc_lone_flow_time(path, 2, links, &flow), 2 * 2164 + 2124 + 1062 + 66 + 132 + 40);
    path[0] = (struct rcc_path_link){8 * GBPS, 10, 0, 200};
    path[1] = (struct rcc_path_link){7 * GBPS, 10, 0, 0}; /* it is the faster one that needs more: 1214 ns of 1262 */
    ck_assert_int_eq(rcc_lone_flow_time(path, 2, links, &flow), 2 * 1262 + 1062 + 1213 + 75 + 66 + 40);
    flow.bytes = 2000; /* the answer of the second packet waits for that of the first and its gap: 5066 of 1262 */
    flow.ack_every = 1;
    flow.ack_bytes = 5000;
    ck_assert_int_eq(rcc_lone_flow_time(path, 1, links, &flow), 1062 + 5200 + 5000 + 20);
    path[1] = (struct rcc_path_link){8 * GBPS, 10, 0, 0};
    path[0].header = 64;
    flow.ack_every = 64;
    flow.ack_bytes = 66; /* cut through after 64 bytes, the answer too */
    ck_assert_int_eq(rcc_lone_flow_time(path, 2, links, &flow), 1262 + 64 + 1062 + 64 + 66 + 40);
}
END_TEST

/* Cut-through by hand: a switch adds its header's time, of a slower link the frame's, of a faster one both. */
START_TEST(test_lone_flows_cut)
{
    const struct rcc_lone_flow packet = {.bytes = 938, .mtu = 1000, .ack_every = 1, .overhead = 62, .ack_bytes = 66};
    struct rcc_link links[8];
    struct rcc_path_link path[4] = {
        {8 * GBPS, 10, 64, 0}, {8 * GBPS, 10, 64, 0}, {8 * GBPS, 10, 64, 0}, {8 * GBPS, 10, 64, 0}};
    for (size_t n = 1; n <= 4; n++)
        ck_assert_int_eq(rcc_lone_flow_time(path, n, links, &packet),
                         1000 + 66 + 20 * (rcc_time)n + 128 * (rcc_time)(n - 1));
    path[1].rate = 4 * GBPS; /* out at half the rate; ACKs come from the slower link, which is stored */
    ck_assert_int_eq(rcc_lone_flow_time(path, 2, links, &packet), 64 + 2000 + 132 + 66 + 40);
    path[1].rate = 16 * GBPS; /* data is stored; the ACK cuts through after 64 bytes at 16 Gb/s */
    ck_assert_int_eq(rcc_lone_flow_time(path, 2, links, &packet), 1000 + 500 + 32 + 66 + 40);
    path[1].rate = 8 * GBPS;
    path[0].header = 0; /* one switch of two stores */
    ck_assert_int_eq(rcc_lone_flow_time(path, 3, links, &packet), 1000 + 1000 + 64 + 66 + 64 + 66 + 60);
    path[0].header = 2000; /* longer than any frame: as if stored */
    ck_assert_int_eq(rcc_lone_flow_time(path, 2, links, &packet), 2 * 1000 + 2 * 66 + 40);
    ck_assert_int_eq(rcc_link_header_left(5, 1000, 3 * GBPS, 64), 5 + 171); /* 170.67 ns */
    ck_assert_int_eq(rcc_link_header_left(5, 2 * SEC, 8, 1), 5 + SEC);
    ck_assert_int_eq(rcc_link_header_left(5, 1000, 8 * GBPS - 1, 1), 5 + 2); /* hardly more than 1 ns */
    path[0].header = 64;
    path[1].rate = 16 * GBPS; /* the second link alone: data waits before it, the ACK between the last two switches */
    ck_assert_int_eq(rcc_lone_flow_time(path, 4, links, &packet), 1000 + 32 + 64 + 1000 + 64 + 66 + 32 + 66 + 80);
}
END_TEST

/* The n-th draw decides the n-th frame with a payload; other frames draw nothing. */
START_TEST(test_losses)
{
    struct rcc_link_loss forth = {0}, back = {0};
    const uint64_t tenth = 429496730;
    unsigned lost = 0, same = 0;
    for (unsigned i = 0; i < 100; i++)
        ck_assert(!rcc_link_loses(&forth, true));
    ck_assert_uint_eq(forth.draws, 0);
    rcc_link_loss_set(&forth, tenth, 99, 0);
    rcc_link_loss_set(&back, tenth, 99, 1);
    for (uint64_t i = 0; i < 20000; i++)
    {
        const bool loses = rcc_link_loses(&forth, true);
        CHECK(loses == (rcc_random(rcc_mix(99), i) < tenth), "frame %u", (unsigned)i);
        CHECK(!rcc_link_loses(&forth, false), "frame %u", (unsigned)i);
        same += loses && rcc_link_loses(&back, true) ? 1 : 0;
        lost += loses ? 1 : 0;
    }
    ck_assert_uint_eq(forth.draws, 20000);
    ck_assert_uint_eq(back.draws, lost);
    ck_assert_uint_eq(back.stream, rcc_mix(98));
    ck_assert(lost > 1800 && lost < 2200);
    ck_assert(same > 120 && same < 280);                /* the directions are independent */
    rcc_link_loss_set(&forth, (uint64_t)1 << 32, 5, 0); /* all, and the draws go on */
    for (unsigned i = 0; i < 1000; i++)
        ck_assert(rcc_link_loses(&forth, true));
    ck_assert_uint_eq(forth.draws, 21000);
    forth = (struct rcc_link_loss){.limit = rcc_random(7, 0), .stream = 7};
    ck_assert(!rcc_link_loses(&forth, true)); /* a draw that equals the limit */
}
END_TEST

Suite *suite_link(void)
{
    Suite *s = suite_create("link");
    TCase *t = long_tcase("link");
    tcase_add_test(t, test_exact_times);
    tcase_add_test(t, test_back_to_back);
    tcase_add_test(t, test_lone_flows);
    tcase_add_test(t, test_lone_flows_with_gaps);
    tcase_add_test(t, test_lone_flows_cut);
    tcase_add_test(t, test_losses);
    suite_add_tcase(s, t);
    return s;
}
