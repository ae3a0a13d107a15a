/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* In-band telemetry: what the fields of a record keep, and what wraps. */
#include "rcc_wire.h"
#include "wire_helpers.h"

#include <string.h>

static const uint8_t forms[] = {RCC_INT_PAPER, RCC_INT_FIXED};

START_TEST(sizes)
{
    ck_assert_uint_eq(rcc_wire_int_bytes(RCC_INT_NONE, 3), 0);
    ck_assert_uint_eq(rcc_wire_int_bytes(RCC_INT_PAPER, 0), 2);
    ck_assert_uint_eq(rcc_wire_int_bytes(RCC_INT_PAPER, 5), 42);
    ck_assert_uint_eq(rcc_wire_int_bytes(RCC_INT_PAPER, 9), 2 + 8 * RCC_PATH_MAX);
    ck_assert_uint_eq(rcc_wire_int_bytes(RCC_INT_FIXED, 0), 42);
    ck_assert_uint_eq(rcc_wire_int_bytes(RCC_INT_FIXED, 7), 42);
    ck_assert_uint_eq(rcc_wire_int_bytes(RCC_INT_PINT, 4), 2);
}
END_TEST

/* Two bytes for the whole path, which the last hop has written; nothing where there is no telemetry. */
START_TEST(one_number_or_none)
{
    struct rcc_wire_int path = {.form = RCC_INT_PINT, .hop = {{0, 0, 7, 0}}}, got = {.form = RCC_INT_PINT};
    const struct rcc_hop last = {1, 2, 0x4c8, 25000};
    struct rcc_hop same = last;
    uint8_t bytes[2] = {9, 9};
    rcc_wire_int_add(&path, &last, 1);
    rcc_wire_int_round(RCC_INT_PINT, 1, &same);
    ck_assert_mem_eq(&same, &last, sizeof last);
    ck_assert(rcc_wire_int_encode(&path, bytes) == 2 && bytes[0] == 4 && bytes[1] == 0xc8);
    ck_assert_uint_eq(rcc_wire_int_decode(&got, bytes, 2, 0, NULL), 2);
    ck_assert(got.n == 1 && got.hop[0].qlen == 0x4c8);
    ck_assert_uint_eq(rcc_wire_int_decode(&got, bytes, 1, 0, NULL), 0);
    path.form = got.form = RCC_INT_NONE;
    ck_assert_uint_eq(rcc_wire_int_encode(&path, bytes), 0);
    ck_assert_uint_eq(rcc_wire_int_decode(&got, bytes, 2, 0, NULL), 0);
}
END_TEST

/* The rate that a reader gets: the nearest one in ratio, by hand; none of a port that has none. */
START_TEST(rates_without_a_code)
{
    static const struct
    {
        uint32_t rate, paper, simulator;
    } cases[] = {{100000, 100000, 100000},
                 {12345, 10000, 10000},
                 {7200000, 6400000, 400000},
                 {6400000, 6400000, 400000},
                 {16000000, 6400000, 400000},
                 {1130000, 800000, 400000},
                 {1132000, 1600000, 400000},
                 {100, 1000, 10000},
                 {1, 1000, 10000},
                 {30000, 25000, 25000},
                 {16000, 20000, 25000},
                 {UINT32_MAX, 6400000, 400000},
                 {0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 2; k++)
        {
            struct rcc_wire_int path = {.form = forms[k]}, got = {.form = forms[k]};
            const struct rcc_hop hop = {100, 128, 80, cases[i].rate};
            uint8_t bytes[42];
            rcc_wire_int_add(&path, &hop, 1);
            rcc_wire_int_encode(&path, bytes);
            ck_assert_uint_ne(rcc_wire_int_decode(&got, bytes, sizeof bytes, 100, NULL), 0);
            CHECK(got.hop[0].rate_mbps == (k == 0 ? cases[i].paper : cases[i].simulator), "%u Mb/s: %u", cases[i].rate,
                  got.hop[0].rate_mbps);
        }
}
END_TEST

/* A record by hand: rate code 2, time 123456h, 0abcdeh units sent, 0001h units queued. */
START_TEST(bytes_by_hand)
{
    struct rcc_wire_int path = {.form = RCC_INT_PAPER};
    const struct rcc_hop hop = {0x99123456, 0xabcdeu * 128 + 127, 159, 100000};
    uint8_t out[42], want[16];
    rcc_wire_int_add(&path, &hop, 0x12345);
    ck_assert_uint_eq(rcc_wire_int_encode(&path, out), 10);
    ck_assert_uint_eq(from_hex("1345 2123456abcde0001", want), 10);
    ck_assert_mem_eq(out, want, 10);
    path.form = RCC_INT_FIXED; /* three bits of rate, 17 of queue */
    ck_assert_uint_eq(rcc_wire_int_encode(&path, out), 42);
    ck_assert_uint_eq(from_hex("0001 42468ad579bc0001", want), 10);
    ck_assert_mem_eq(out, want, 10);
}
END_TEST

/* The two packets of the wraps: 100 ns and 9 units apart, across the end of both fields. */
START_TEST(wraps)
{
    for (size_t i = 0; i < 2; i++)
    {
        struct rcc_wire_int old = {.form = forms[i]}, new = old, a = old, b = old;
        const struct rcc_hop first = {16777176, 1048574u * 128, 154 * 80, 100000};
        const struct rcc_hop second = {16777276, (1048576u + 7) * 128, 293 * 80, 100000};
        uint8_t bytes[42];
        rcc_wire_int_add(&old, &first, 1);
        rcc_wire_int_add(&new, &second, 1);
        rcc_wire_int_encode(&old, bytes);
        ck_assert_uint_ne(rcc_wire_int_decode(&a, bytes, sizeof bytes, 16777200, NULL), 0);
        rcc_wire_int_encode(&new, bytes);
        ck_assert_uint_ne(rcc_wire_int_decode(&b, bytes, sizeof bytes, 16777300, a.hop), 0);
        ck_assert_uint_eq(b.hop[0].ts - a.hop[0].ts, 100);
        ck_assert_uint_eq(b.hop[0].tx - a.hop[0].tx, 9 * 128);
        ck_assert(b.hop[0].qlen == 23440 && a.hop[0].qlen == 12320 && b.hop[0].rate_mbps == 100000);
    }
}
END_TEST

/* A clock and a counter that pass 2^32, in steps below the wraps of the wire: every record comes back as it was
 * rounded. */
START_TEST(there_and_back)
{
    struct rng rng = {3};
    for (int run = 0; run < 200; run++)
    {
        struct rcc_wire_int last = {.form = forms[run % 2], .scale = (uint16_t)(1u << rng_range(&rng, 0, 4))};
        uint32_t now = (uint32_t)rng_next(&rng), sent[RCC_PATH_MAX];
        const uint8_t hops = (uint8_t)rng_range(&rng, 1, 5);
        for (size_t h = 0; h < RCC_PATH_MAX; h++)
            sent[h] = (uint32_t)rng_next(&rng) & 0x7ffffffu; /* the first one has no predecessor: below one wrap */
        for (int packet = 0; packet < 300; packet++)
        {
            struct rcc_wire_int path = {.form = last.form, .scale = last.scale}, back = path;
            uint8_t bytes[RCC_WIRE_EXTENSION_MAX];
            uint32_t size;
            now += (uint32_t)rng_range(&rng, 0, 1 << 20);
            for (uint8_t h = 0; h < hops; h++)
            {
                struct rcc_hop hop = {now - (uint32_t)rng_range(&rng, 0, (1 << 24) - 1), sent[h],
                                      (uint32_t)rng_log_range(&rng, 0, 50000000), 100000};
                sent[h] += (uint32_t)rng_range(&rng, 0, 100000000);
                rcc_wire_int_round(path.form, path.scale, &hop);
                rcc_wire_int_add(&path, &hop, (uint32_t)rng_next(&rng));
            }
            size = rcc_wire_int_encode(&path, bytes);
            ck_assert_uint_eq(size, rcc_wire_int_bytes(path.form, hops));
            ck_assert_uint_eq(rcc_wire_int_decode(&back, bytes, size - 1, now, NULL), 0);
            back = (struct rcc_wire_int){.form = path.form, .scale = path.scale};
            ck_assert_uint_eq(rcc_wire_int_decode(&back, bytes, size, now, packet != 0 ? last.hop : NULL), size);
            ck_assert(back.n == hops && back.path_id == path.path_id);
            ck_assert(path.form != RCC_INT_FIXED || path.path_id == 0); /* the wire has none, so the frame has none */
            for (uint8_t h = 0; h < hops; h++)
            {
                const struct rcc_hop *a = &path.hop[h], *b = &back.hop[h];
                CHECK(a->ts == b->ts && a->tx == b->tx && a->qlen == b->qlen && b->rate_mbps == 100000,
                      "run %d packet %d hop %d: sent %u, %u", run, packet, h, a->tx, b->tx);
            }
            last = back;
        }
    }
}
END_TEST

/* A scale that is no power of two, above 32: the field holds the whole counter, and the wrap at 2^32 is seen. */
START_TEST(odd_scales)
{
    static const uint16_t scales[] = {32, 33, 48, 63, 100, 1000, 4097, 65535};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    {
        struct rcc_hop hop = {0, 0xffffffff, 0, 100000};
        struct rcc_wire_int last = {.form = RCC_INT_FIXED, .scale = scales[i]};
        for (int packet = 0; packet < 200; packet++)
        {
            struct rcc_wire_int path = {.form = RCC_INT_FIXED, .scale = scales[i]}, back = path;
            struct rcc_hop want;
            uint8_t bytes[42];
            hop.tx += 50000000; /* wraps at the first step, and often after it */
            want = hop;
            rcc_wire_int_round(path.form, path.scale, &want);
            rcc_wire_int_add(&path, &hop, 1);
            rcc_wire_int_encode(&path, bytes);
            ck_assert_uint_ne(rcc_wire_int_decode(&back, bytes, sizeof bytes, 0, packet != 0 ? last.hop : NULL), 0);
            CHECK(back.hop[0].tx == want.tx, "scale %u packet %d: %u, %u", scales[i], packet, back.hop[0].tx, want.tx);
            last = back;
        }
    }
}
END_TEST

START_TEST(queues_saturate)
{
    struct rcc_hop hop = {1, 300, 6000000, 100000};
    rcc_wire_int_round(RCC_INT_PAPER, 9, &hop); /* the paper's form has no scale */
    ck_assert(hop.tx == 256 && hop.qlen == 65535 * 80 && hop.ts == 1);
    hop.qlen = 100000000;
    rcc_wire_int_round(RCC_INT_FIXED, 2, &hop);
    ck_assert(hop.qlen == 131071 * 160 && hop.tx == 256);
    hop.qlen = 77;
    rcc_wire_int_round(RCC_INT_PINT, 1, &hop);
    ck_assert(hop.qlen == 77 && hop.tx == 256);
}
END_TEST

/* More hops than a form has space for. */
START_TEST(long_paths)
{
    struct rcc_wire_int paper = {.form = RCC_INT_PAPER}, fixed = {.form = RCC_INT_FIXED}, pint = {.form = RCC_INT_PINT};
    for (uint32_t i = 0; i < 300; i++)
    {
        const struct rcc_hop hop = {i, i, i, i};
        rcc_wire_int_add(&paper, &hop, i);
        rcc_wire_int_add(&fixed, &hop, i);
        rcc_wire_int_add(&pint, &hop, i);
    }
    ck_assert(paper.n == 255 && fixed.n == 255);
    ck_assert_uint_eq(rcc_wire_int_records(RCC_INT_PAPER, paper.n), RCC_PATH_MAX);
    ck_assert_uint_eq(rcc_wire_int_records(RCC_INT_FIXED, fixed.n), 5);
    ck_assert_uint_eq(rcc_wire_int_records(RCC_INT_PINT, pint.n), 1);
    ck_assert(paper.hop[7].ts == 7 && paper.hop[0].ts == 0);
    ck_assert_uint_eq(pint.hop[0].qlen, 299);
}
END_TEST

/* Telemetry in a frame: before the payload and in an acknowledgement; the ICRC covers it. */
START_TEST(in_frames)
{
    static uint8_t bytes[FRAME_ROOM];
    struct rcc_wire_int path = {.form = RCC_INT_FIXED};
    const struct rcc_hop hop = {1, 2, 3, 400000};
    uint8_t extension[RCC_WIRE_EXTENSION_MAX];
    rcc_wire_int_add(&path, &hop, 1);
    const size_t size = rcc_wire_int_encode(&path, extension);
    struct rcc_wire_frame data = {.kind = RCC_WIRE_DATA, .payload_bytes = 1000}, ack = {.kind = RCC_WIRE_ACK};
    data.bth.opcode = RCC_WIRE_WRITE_ONLY;
    data.extension = ack.extension = extension;
    data.extension_bytes = ack.extension_bytes = size;
    ck_assert_uint_eq(rcc_wire_encode(&data, bytes, sizeof bytes, NULL), 58 + 16 + 42 + 1000);
    ck_assert_mem_eq(bytes + 54 + 16, extension, 42);
    ck_assert_uint_eq(slow_icrc(bytes + 14, 40 + 16 + 42 + 1000),
                      bytes[1112] | bytes[1113] << 8 | bytes[1114] << 16 | (uint32_t)bytes[1115] << 24);
    ck_assert_uint_eq(rcc_wire_encode(&ack, bytes, sizeof bytes, NULL), 58 + 4 + 42);
    ck_assert_mem_eq(bytes + 54 + 4, extension, 42);
    ack.extension_bytes = RCC_WIRE_EXTENSION_MAX + 1;
    ck_assert_uint_eq(rcc_wire_size(&ack), 0);
    data.extension_bytes = RCC_WIRE_EXTENSION_MAX + 1;
    ck_assert_uint_eq(rcc_wire_size(&data), 0);
}
END_TEST

Suite *suite_wire_int(void)
{
    Suite *s = suite_create("wire-int");
    TCase *t = long_tcase("wire-int");
    tcase_add_test(t, sizes);
    tcase_add_test(t, one_number_or_none);
    tcase_add_test(t, rates_without_a_code);
    tcase_add_test(t, bytes_by_hand);
    tcase_add_test(t, wraps);
    tcase_add_test(t, there_and_back);
    tcase_add_test(t, odd_scales);
    tcase_add_test(t, queues_saturate);
    tcase_add_test(t, long_paths);
    tcase_add_test(t, in_frames);
    suite_add_tcase(s, t);
    return s;
}
