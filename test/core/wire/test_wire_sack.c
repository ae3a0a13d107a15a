/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The acknowledgement of selective repeat: vectors, every mistake of a header, whole frames. */
#include "rcc_wire_sack.h"
#include "wire_helpers.h"

#include <string.h>

START_TEST(vectors)
{
    static const struct
    {
        struct rcc_wire_sack sack;
        const char *hex;
    } cases[] = {
        {{0, 0, 0, 0, false}, "00000000 00000000 00000000 0000000000000000"},
        {{1, 64, 70, 3, false}, "00000040 00000046 00000003 0000000000000001"},
        {{0x8000000000000000, 0xffffc0, 0xfffffe, 0xffffff, false}, "00ffffc0 00fffffe 00ffffff 8000000000000000"},
        {{0x0123456789abcdef, 0x123440, 0x123456, 1, true}, "80123440 00123456 00000001 0123456789abcdef"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        uint8_t want[RCC_WIRE_SACK_BYTES], got[RCC_WIRE_SACK_BYTES];
        struct rcc_wire_sack back;
        memset(got, 0xa5, sizeof got);
        ck_assert_uint_eq(from_hex(cases[i].hex, want), RCC_WIRE_SACK_BYTES);
        rcc_wire_sack_put(&cases[i].sack, got);
        ck_assert_mem_eq(got, want, sizeof want);
        ck_assert(rcc_wire_sack_get(want, sizeof want, &back));
        CHECK(back.bits == cases[i].sack.bits && back.base == cases[i].sack.base &&
                  back.missing == cases[i].sack.missing && back.lost == cases[i].sack.lost &&
                  back.trimmed == cases[i].sack.trimmed,
              "case %u", (unsigned)i);
    }
}
END_TEST

/* Any 20 bytes are refused, or come out again as they were. */
START_TEST(any_bytes)
{
    struct rng rng = {1};
    unsigned good = 0, bad = 0;
    for (uint64_t i = 0; i < rounds(200000); i++)
    {
        uint8_t bytes[RCC_WIRE_SACK_BYTES], again[RCC_WIRE_SACK_BYTES];
        struct rcc_wire_sack sack = {1, 2, 3, 4, true};
        const size_t given = rng_chance(&rng, 10) ? (size_t)rng_range(&rng, 0, 19) : RCC_WIRE_SACK_BYTES;
        bool right;
        for (unsigned at = 0; at < sizeof bytes; at++)
            bytes[at] = (uint8_t)rng_next(&rng);
        bytes[0] = rng_chance(&rng, 90) ? bytes[0] & 0x80 : bytes[0];
        bytes[3] = rng_chance(&rng, 90) ? bytes[3] & 0xc0 : bytes[3];
        bytes[4] = rng_chance(&rng, 90) ? 0 : bytes[4];
        bytes[8] = rng_chance(&rng, 90) ? 0 : bytes[8];
        if (rng_chance(&rng, 50))
            memcpy(bytes + 9, "\0\0\1", 3);
        right = given == RCC_WIRE_SACK_BYTES && (bytes[0] & 0x7f) == 0 && bytes[3] % 64 == 0 && bytes[4] == 0 &&
                bytes[8] == 0 && (bytes[0] == 0 || memcmp(bytes + 9, "\0\0\1", 3) == 0);
        CHECK(rcc_wire_sack_get(bytes, given, &sack) == right, "round %u", (unsigned)i);
        good += right;
        bad += !right;
        if (!right)
        {
            CHECK(sack.bits == 1 && sack.base == 2 && sack.missing == 3 && sack.lost == 4 && sack.trimmed, "changed");
            continue;
        }
        rcc_wire_sack_put(&sack, again);
        CHECK(memcmp(bytes, again, sizeof bytes) == 0, "round %u", (unsigned)i);
    }
    ck_assert(good > 0 && bad > 0);
}
END_TEST

/* Without the header the frame is the ACK that it was made of: the decoder of the tests finds all of it, once lengths,
 * opcode and checks are those of an ACK. */
START_TEST(whole_frames)
{
    static uint8_t payload[FRAME_ROOM], out[200], plain[200];
    struct rng rng = {2};
    unsigned seen = 0;
    for (uint64_t i = 0; i < rounds(20000); i++)
    {
        const struct rcc_wire_frame frame = random_frame(&rng, payload);
        const struct rcc_wire_sack sack = {rng_next(&rng), (uint32_t)rng_range(&rng, 0, 262143) * 64,
                                           (uint32_t)rng_range(&rng, 0, 0xffffff), 1, rng_chance(&rng, 50)};
        const size_t link = 14 + (frame.vlan_tagged ? 4u : 0u) + (frame.cn_tagged ? 4u : 0u);
        const size_t size = rcc_wire_sack_size(&frame);
        struct rcc_wire_sack back;
        if (frame.kind != RCC_WIRE_ACK)
        {
            CHECK(size == 0 && rcc_wire_sack_encode(&frame, &sack, out, sizeof out) == 0, "frame %u", (unsigned)i);
            continue;
        }
        seen++;
        memset(out, 0xa5, sizeof out);
        CHECK(size == link + 20 + 8 + 12 + 4 + 20 + 4, "frame %u: %u bytes", (unsigned)i, (unsigned)size);
        CHECK(rcc_wire_sack_encode(&frame, &sack, out, size - 1) == 0 && out[0] == 0xa5, "frame %u", (unsigned)i);
        CHECK(rcc_wire_sack_encode(&frame, &sack, out, size) == size && out[size] == 0xa5, "frame %u", (unsigned)i);
        const uint8_t *ip = out + link;
        CHECK((size_t)ip[2] << 8 == (size - link) / 256 * 256 && ip[3] == (size - link) % 256, "length of IPv4");
        CHECK(rcc_wire_ipv4_checksum(ip, 20) == 0, "checksum of IPv4");
        CHECK(((unsigned)ip[24] << 8 | ip[25]) == size - link - 20, "length of UDP");
        CHECK(ip[28] == RCC_WIRE_SACK_OPCODE, "opcode %02x", ip[28]);
        const uint32_t icrc = slow_icrc(ip, size - link - 4);
        for (unsigned byte = 0; byte < 4; byte++)
            CHECK(out[size - 4 + byte] == (uint8_t)(icrc >> 8 * byte), "ICRC");
        CHECK(rcc_wire_sack_get(out + size - 24, 20, &back) && back.bits == sack.bits && back.base == sack.base &&
                  back.missing == sack.missing && back.lost == 1 && back.trimmed == sack.trimmed,
              "frame %u", (unsigned)i);
        rcc_wire_encode(&frame, plain, sizeof plain, NULL);
        CHECK(memcmp(out, plain, link + 2) == 0 && memcmp(ip + 4, plain + link + 4, 6) == 0, "link and IPv4");
        CHECK(memcmp(ip + 12, plain + link + 12, 12) == 0 && memcmp(ip + 29, plain + link + 29, 15) == 0,
              "addresses, ports, BTH and AETH");
    }
    ck_assert_uint_gt(seen, rounds(20000) / 20);
}
END_TEST

/* A whole frame by hand: a NAK for packets 70 to 72, of which 73 and 75 have arrived. The ICRC is that of zlib's crc32.
 */
START_TEST(a_frame_by_hand)
{
    static const char hex[] = "0200 0000 0002 0200 0000 0001 0800"
                              "4502 0044 0000 4000 4011 26a5 0a00 0001 0a00 0002"
                              "c000 12b7 0030 0000"
                              "d100 ffff 0000 0005 0000 0046"
                              "6000 0009"
                              "0000 0040 0000 0046 0000 0003 0000 0000 0000 0a00"
                              "aa281b94";
    struct rcc_wire_frame nak = {.kind = RCC_WIRE_ACK, .syndrome = RCC_WIRE_SYNDROME_NAK, .msn = 9};
    const struct rcc_wire_sack sack = {0xa00, 64, 70, 3, false};
    uint8_t want[200], got[200];
    const size_t bytes = from_hex(hex, want);
    nak.dst = 0x020000000002;
    nak.src = 0x020000000001;
    nak.ip.tos = 2;
    nak.ip.ttl = 64;
    nak.ip.src = 0x0a000001;
    nak.ip.dst = 0x0a000002;
    nak.ip.src_port = 0xc000;
    nak.bth.p_key = 0xffff;
    nak.bth.qp = 5;
    nak.bth.psn = 70;
    ck_assert_uint_eq(rcc_wire_sack_encode(&nak, &sack, got, sizeof got), bytes);
    ck_assert_mem_eq(got, want, bytes);
}
END_TEST

/* An ACK whose extension is longer than a frame may have is refused as rcc_wire_encode refuses it. */
START_TEST(an_extension_that_is_too_long)
{
    const struct rcc_wire_sack sack = {0};
    uint8_t out[256];
    for (size_t bytes = RCC_WIRE_EXTENSION_MAX; bytes <= RCC_WIRE_EXTENSION_MAX + 40; bytes++)
    {
        const struct rcc_wire_frame ack = {.kind = RCC_WIRE_ACK, .extension_bytes = bytes};
        const size_t want = bytes == RCC_WIRE_EXTENSION_MAX ? 14 + 20 + 8 + 12 + 4 + bytes + 20 + 4 : 0;
        memset(out, 0xa5, sizeof out);
        ck_assert_uint_eq(rcc_wire_sack_size(&ack), want);
        ck_assert_uint_eq(rcc_wire_sack_encode(&ack, &sack, out, sizeof out), want);
        for (size_t i = want; i < sizeof out; i++)
            CHECK(out[i] == 0xa5, "byte %u of %u", (unsigned)i, (unsigned)want);
    }
}
END_TEST

Suite *suite_wire_sack(void)
{
    Suite *s = suite_create("wire_sack");
    TCase *t = long_tcase("header");
    tcase_add_test(t, vectors);
    tcase_add_test(t, any_bytes);
    tcase_add_test(t, whole_frames);
    tcase_add_test(t, a_frame_by_hand);
    tcase_add_test(t, an_extension_that_is_too_long);
    suite_add_tcase(s, t);
    return s;
}
