/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The encoder: CRCs against their definition and published packets, frames against bytes written by hand. */
#include "decode.h"
#include "wire_helpers.h"

#include <string.h>

static uint8_t noise[FRAME_ROOM];

static void make_noise(void)
{
    struct rng rng = {77};
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)rng_next(&rng);
}

/* ------------------------------------------------------------------ CRC */

START_TEST(crc32_is_the_one_of_ethernet)
{
    static const uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
    ck_assert_uint_eq(rcc_crc32(0, digits, 9), 0xcbf43926u); /* the published check value */
    ck_assert_uint_eq(rcc_crc32(rcc_crc32(0, digits, 4), digits + 4, 5), 0xcbf43926u);
    ck_assert_uint_eq(rcc_crc32(0, digits, 0), 0);
    make_noise();
    for (size_t n = 0; n < 300; n++)
        CHECK(rcc_crc32(0, noise, n) == slow_crc(noise, n), "%zu bytes", n);
    for (unsigned byte = 0; byte < 256; byte++) /* every entry of every slice */
        for (unsigned at = 0; at < 8; at++)
        {
            uint8_t eight[8] = {0};
            eight[at] = (uint8_t)byte;
            CHECK(rcc_crc32(0, eight, 8) == slow_crc(eight, 8), "byte %u at %u", byte, at);
        }
}
END_TEST

/* Packets of real network cards and their ICRC, from the tests of scapy's contrib/roce. */
START_TEST(icrc_of_published_packets)
{
    uint8_t packet[128];
    /* a CNP of a ConnectX-4 Lx; on the wire: 82 fd 00 2a */
    size_t n = from_hex("45c2003c 718c4000 40119161 0a001101 0a001201 0000 12b7 0028 0000"
                        "8100ffff 40000118 00000000 00000000 00000000 00000000 00000000",
                        packet);
    ck_assert_uint_eq(rcc_icrc(packet, n, 0, NULL), 0x2a00fd82u);
    ck_assert_uint_eq(rcc_icrc(packet, n - 12, 12, NULL), 0x2a00fd82u);
    /* a UC SEND Only with 20 bytes; on the wire: 78 f3 53 f3 */
    n = from_hex("45010040 04784000 4011b4d5 c0a80007 c0a80007 c000 12b7 002c aca2"
                 "2460ffff 000000d3 00cf1710 4630818b e28935d9 0e9a9550 5401be88 5e500000",
                 packet);
    ck_assert_uint_eq(rcc_icrc(packet, n, 0, NULL), 0xf353f378u);
}
END_TEST

START_TEST(icrc_over_zeros)
{
    static const size_t counts[] = {1,    2,    7,    8,    999,  1000, 1000,  1000,
                                    4096, 4096, 1000, 9215, 9216, 9217, 20000, 20000};
    static struct rcc_crc_zeros cache;
    static uint8_t packet[40 + 20000];
    make_noise();
    memset(packet, 0, sizeof packet);
    memcpy(packet, noise, 40);
    packet[0] = 0x45;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    {
        const uint32_t want = slow_icrc(packet, 40 + counts[i]);
        CHECK(rcc_icrc(packet, 40 + counts[i], 0, NULL) == want, "%zu zeros, written out", counts[i]);
        CHECK(rcc_icrc(packet, 40, counts[i], NULL) == want, "%zu zeros", counts[i]);
        CHECK(rcc_icrc(packet, 40, counts[i], &cache) == want, "%zu zeros with a cache", counts[i]);
    }
    ck_assert_uint_eq(cache.bytes, 20000); /* asked for twice in a row */
}
END_TEST

/* Many packets before one run of zeros: every value of the register's bytes is looked up. */
START_TEST(icrc_over_one_run_of_zeros)
{
    static struct rcc_crc_zeros cache;
    struct rng rng = {78};
    uint8_t packet[40 + 65];
    memset(packet, 0, sizeof packet);
    for (uint64_t i = 0; i < 10 * rounds(1000); i++)
    {
        for (unsigned k = 0; k < 40; k++)
            packet[k] = (uint8_t)rng_next(&rng);
        CHECK(rcc_icrc(packet, 40, 65, &cache) == rcc_icrc(packet, sizeof packet, 0, NULL), "packet %u", (unsigned)i);
    }
    ck_assert_uint_eq(cache.bytes, 65);
}
END_TEST

START_TEST(icrc_leaves_out_what_changes_on_the_way)
{
    static const size_t masked[] = {1, 8, 10, 11, 26, 27, 32};
    uint8_t packet[60];
    uint32_t icrc;
    make_noise();
    memcpy(packet, noise, sizeof packet);
    icrc = rcc_icrc(packet, sizeof packet, 0, NULL);
    for (size_t i = 0; i < sizeof packet; i++)
    {
        bool counts = true;
        for (size_t m = 0; m < sizeof masked / sizeof masked[0]; m++)
            counts = counts && masked[m] != i;
        packet[i] ^= 0x5a;
        CHECK((rcc_icrc(packet, sizeof packet, 0, NULL) != icrc) == counts, "byte %zu", i);
        packet[i] ^= 0x5a;
    }
}
END_TEST

/* 0xffff + 0xffff + 1 = 0x1ffff: adding the carry makes another carry. */
START_TEST(a_checksum_whose_carry_carries)
{
    static const uint8_t header[] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x01};
    ck_assert_uint_eq(rcc_wire_ipv4_checksum(header, sizeof header), 0xfffe);
    ck_assert_uint_eq(rcc_wire_ipv4_checksum(header, 4), 0);
    ck_assert_uint_eq(rcc_wire_ipv4_checksum(header, 0), 0xffff);
}
END_TEST

/* ------------------------------------------------------------------ bytes written by hand */

/* A frame is these bytes, both ways. With `icrc`, its last four bytes are added here. */
static void check_bytes(const struct rcc_wire_frame *frame, const char *hex, size_t ip)
{
    uint8_t want[256], got[256];
    struct rcc_wire_frame back;
    size_t n = from_hex(hex, want);
    if (ip > 0)
    {
        uint32_t icrc = slow_icrc(want + ip, n - ip);
        for (unsigned i = 0; i < 4; i++)
            want[n++] = (uint8_t)(icrc >> 8 * i);
    }
    memset(got, 0xa5, sizeof got);
    ck_assert_uint_eq(rcc_wire_size(frame), n);
    ck_assert_uint_eq(rcc_wire_encode(frame, got, n - 1, NULL), 0);
    ck_assert_uint_eq(got[0], 0xa5);
    ck_assert_uint_eq(rcc_wire_encode(frame, got, n, NULL), n);
    for (size_t i = 0; i < sizeof got; i++)
        CHECK(got[i] == (i < n ? want[i] : 0xa5), "byte %zu is %02x", i, got[i]);
    ck_assert_int_eq(wire_decode(want, n, &back), WIRE_OK);
    ck_assert(same_frame(frame, &back));
}

static struct rcc_wire_frame roce(enum rcc_wire_kind kind)
{
    struct rcc_wire_frame f;
    memset(&f, 0, sizeof f);
    f.kind = kind;
    f.dst = 0x020000002345;
    f.src = 0x020000000003;
    f.ip.src = 0x0b000301; /* 11.0.3.1 */
    f.ip.dst = 0x0b234501;
    f.ip.src_port = 0xfeef;
    f.ip.ttl = 64;
    f.ip.tos = 0x62; /* class selector 3, ECT(0) */
    f.bth.p_key = 0xffff;
    return f;
}

START_TEST(data_by_hand)
{
    static const uint8_t payload[] = {0xde, 0xad, 0xbe, 0xef, 0x01};
    struct rcc_wire_frame f = roce(RCC_WIRE_DATA);
    f.vlan_tagged = f.cn_tagged = true;
    f.vlan = 0xaabc;
    f.cn_flow = 7;
    f.ip.id = 0x0102;
    f.bth.opcode = RCC_WIRE_WRITE_ONLY;
    f.bth.qp = 0x123456;
    f.bth.psn = 0x800102;
    f.bth.pad = 3;
    f.bth.ack_request = true;
    f.bth.solicited = true;
    f.reth.address = 0x0011223344556677;
    f.reth.r_key = 0x89abcdef;
    f.reth.length = 5;
    f.payload = payload;
    f.payload_bytes = sizeof payload;
    /* header checksum: 4562 0044 0102 4000 4011 0b00 0301 0b23 4501 sum to 124de, so 24df, so db20 */
    check_bytes(&f,
                "020000002345 020000000003 8100aabc 22e90007 0800"
                "45620044 01024000 4011db20 0b000301 0b234501"
                "feef 12b7 0030 0000"
                "0ab0ffff 00123456 80800102"
                "0011223344556677 89abcdef 00000005"
                "deadbeef01 000000",
                22);
}
END_TEST

START_TEST(answers_by_hand)
{
    struct rcc_wire_frame f = roce(RCC_WIRE_ACK);
    f.ip.tos = 0xe0;
    f.bth.opcode = RCC_WIRE_ACKNOWLEDGE;
    f.bth.becn = true;
    f.bth.qp = 0x80000b;
    f.bth.psn = 0xffffff;
    f.syndrome = RCC_WIRE_SYNDROME_NAK;
    f.msn = 0x010203;
    check_bytes(&f,
                "020000002345 020000000003 0800"
                "45e00030 00004000 4011dbb8 0b000301 0b234501"
                "feef 12b7 001c 0000"
                "1100ffff 4080000b 00ffffff 60010203",
                14);
    f = roce(RCC_WIRE_CNP);
    f.ip.tos = 0xe0;
    f.bth.opcode = RCC_WIRE_CONGESTION;
    f.bth.becn = f.bth.fecn = f.bth.migrated = true;
    f.bth.qp = 0x80000b;
    f.period_ns = 0x00abcdef;
    check_bytes(&f,
                "020000002345 020000000003 0800"
                "45e0003c 00004000 4011dbac 0b000301 0b234501"
                "feef 12b7 0028 0000"
                "8140ffff c080000b 00000000 00abcdef 000000000000000000000000",
                14);
}
END_TEST

START_TEST(link_local_by_hand)
{
    struct rcc_wire_frame f;
    memset(&f, 0, sizeof f);
    f.kind = RCC_WIRE_PFC;
    f.dst = RCC_WIRE_PAUSE_ADDRESS;
    f.src = 0x02000000004d;
    f.pause.classes = 0x88;
    f.pause.quanta[3] = 0xffff;
    f.pause.quanta[7] = 0x0102;
    check_bytes(&f,
                "0180c2000001 02000000004d 8808 0101 0088 0000 0000 0000 ffff 0000 0000 0000 0102"
                "00000000000000000000000000000000000000000000000000 00",
                0);
    f.kind = RCC_WIRE_PAUSE;
    f.pause.classes = 0;
    memset(f.pause.quanta, 0, sizeof f.pause.quanta);
    f.pause.quanta[0] = 0x1234;
    ck_assert_uint_eq(rcc_wire_size(&f), 60);
    check_bytes(&f,
                "0180c2000001 02000000004d 8808 0001 1234"
                "000000000000000000000000000000000000000000 000000000000000000000000000000000000000000",
                0);
}
END_TEST

START_TEST(cnm_by_hand)
{
    static const uint8_t msdu[] = {1, 2, 3};
    struct rcc_wire_frame f;
    memset(&f, 0, sizeof f);
    f.kind = RCC_WIRE_CNM;
    f.dst = 0x020000002345;
    f.src = 0x020000000003;
    f.vlan_tagged = f.cn_tagged = true;
    f.vlan = 0xe001;
    f.cn_flow = 9;
    f.cnm.qfb = 63;
    f.cnm.cpid = 0x0102030405060708;
    f.cnm.qoff = rcc_wire_cnm_units(64 * 1000 + 63);
    f.cnm.qdelta = rcc_wire_cnm_units(-64 * 3 - 63);
    f.cnm.priority = 0x6000;
    f.cnm.dst = 0x02000000abcd;
    f.cnm.msdu = sizeof msdu;
    f.payload = msdu;
    f.payload_bytes = sizeof msdu;
    check_bytes(&f,
                "020000002345 020000000003 8100e001 22e90009 22e7"
                "003f 0102030405060708 03e8 fffd 6000 02000000abcd 0003 010203"
                "0000000000000000000000",
                0);
    f.cnm.msdu = 64;
    f.payload_bytes = 64;
    f.payload = NULL;
    ck_assert_uint_eq(rcc_wire_size(&f), 12 + 4 + 4 + 2 + 24 + 64);
    ck_assert_int_eq(rcc_wire_cnm_units(INT32_MAX), INT16_MAX);
    ck_assert_int_eq(rcc_wire_cnm_units(INT32_MIN), INT16_MIN);
    ck_assert_int_eq(rcc_wire_cnm_units(-63), 0);
}
END_TEST

/* ------------------------------------------------------------------ what cannot be written */

START_TEST(a_frame_that_cannot_be_written_has_no_size)
{
    uint8_t out[128];
    struct rcc_wire_frame f = roce(RCC_WIRE_DATA);
    memset(out, 0xa5, sizeof out);
    f.bth.opcode = RCC_WIRE_ACKNOWLEDGE;
    ck_assert_uint_eq(rcc_wire_size(&f), 0);
    f.bth.opcode = 0x03; /* SEND Last with immediate */
    ck_assert_uint_eq(rcc_wire_encode(&f, out, sizeof out, NULL), 0);
    f.bth.opcode = RCC_WIRE_SEND_ONLY;
    f.bth.pad = 4;
    ck_assert_uint_eq(rcc_wire_size(&f), 0);
    f.bth.pad = 0;
    f.payload_bytes = 65535 - 44;
    ck_assert_uint_eq(rcc_wire_size(&f), 14 + 65535);
    f.payload_bytes++;
    ck_assert_uint_eq(rcc_wire_size(&f), 0);
    f.payload_bytes = SIZE_MAX;
    ck_assert_uint_eq(rcc_wire_size(&f), 0);
    f.kind = RCC_WIRE_CNM;
    f.cnm.msdu = 1;
    f.payload_bytes = 2;
    ck_assert_uint_eq(rcc_wire_size(&f), 0);
    f.kind = RCC_WIRE_OTHER;
    for (size_t more = 0; more < 64; more++) /* more than an address counts, with and without tags */
    {
        f.vlan_tagged = f.cn_tagged = more % 2 != 0;
        f.payload_bytes = SIZE_MAX - more;
        CHECK(rcc_wire_size(&f) ==
                  (more < (f.vlan_tagged ? 22u : 14u) ? 0 : f.payload_bytes + (f.vlan_tagged ? 22 : 14)),
              "%zu less than all", more);
        ck_assert_uint_eq(rcc_wire_encode(&f, out, sizeof out, NULL), 0);
    }
    f.kind = (enum rcc_wire_kind)99;
    ck_assert_uint_eq(rcc_wire_size(&f), 0);
    for (size_t i = 0; i < sizeof out; i++)
        CHECK(out[i] == 0xa5, "byte %zu was written", i);
}
END_TEST

/* A payload of NULL is encoded as zeros, fields of other kinds are ignored, the byte after the frame is not changed. */
START_TEST(what_is_not_in_the_frame)
{
    uint8_t out[128];
    struct rcc_wire_frame f = {.kind = RCC_WIRE_OTHER, .ethertype = 0x86dd, .payload_bytes = 50}, back;
    memset(out, 0xa5, sizeof out);
    ck_assert_uint_eq(rcc_wire_encode(&f, out, sizeof out, NULL), 64);
    for (size_t i = 14; i < sizeof out; i++)
        CHECK(out[i] == (i < 64 ? 0 : 0xa5), "byte %zu without a payload", i);
    f.payload = noise;
    make_noise();
    noise[50] = 0x5a;
    memset(out, 0xa5, sizeof out);
    ck_assert_uint_eq(rcc_wire_encode(&f, out, sizeof out, NULL), 64);
    ck_assert_mem_eq(out + 14, noise, 50);
    ck_assert_uint_eq(out[64], 0xa5);
    f = (struct rcc_wire_frame){.kind = RCC_WIRE_PAUSE, .pause.quanta = {0x1234, 0x5678}};
    ck_assert_uint_eq(rcc_wire_encode(&f, out, sizeof out, NULL), 60);
    ck_assert_uint_eq(out[18] | out[19], 0); /* PAUSE has one number of quanta */
    f = roce(RCC_WIRE_CNP);
    f.bth.opcode = 0; /* the kind says it */
    ck_assert_int_eq(wire_decode(out, rcc_wire_encode(&f, out, sizeof out, NULL), &back), WIRE_OK);
    ck_assert_int_eq(back.kind, RCC_WIRE_CNP);
    f = roce(RCC_WIRE_ACK);
    f.bth.opcode = 0;
    ck_assert_int_eq(wire_decode(out, rcc_wire_encode(&f, out, sizeof out, NULL), &back), WIRE_OK);
    ck_assert_int_eq(back.kind, RCC_WIRE_ACK);
}
END_TEST

START_TEST(opcodes_by_place)
{
    for (unsigned opcode = 0; opcode < 256; opcode++)
        ck_assert(rcc_wire_has_reth((uint8_t)opcode) ==
                  (opcode == RCC_WIRE_WRITE_FIRST || opcode == RCC_WIRE_WRITE_ONLY));
    ck_assert_uint_eq(rcc_wire_data_opcode(false, true, true), RCC_WIRE_SEND_ONLY);
    ck_assert_uint_eq(rcc_wire_data_opcode(false, true, false), RCC_WIRE_SEND_FIRST);
    ck_assert_uint_eq(rcc_wire_data_opcode(false, false, false), RCC_WIRE_SEND_MIDDLE);
    ck_assert_uint_eq(rcc_wire_data_opcode(false, false, true), RCC_WIRE_SEND_LAST);
    ck_assert_uint_eq(rcc_wire_data_opcode(true, true, true), RCC_WIRE_WRITE_ONLY);
    ck_assert_uint_eq(rcc_wire_data_opcode(true, true, false), RCC_WIRE_WRITE_FIRST);
    ck_assert_uint_eq(rcc_wire_data_opcode(true, false, false), RCC_WIRE_WRITE_MIDDLE);
    ck_assert_uint_eq(rcc_wire_data_opcode(true, false, true), RCC_WIRE_WRITE_LAST);
}
END_TEST

Suite *suite_wire(void)
{
    Suite *s = suite_create("wire");
    TCase *t = long_tcase("encoder");
    tcase_add_test(t, crc32_is_the_one_of_ethernet);
    tcase_add_test(t, icrc_of_published_packets);
    tcase_add_test(t, icrc_over_zeros);
    tcase_add_test(t, icrc_over_one_run_of_zeros);
    tcase_add_test(t, icrc_leaves_out_what_changes_on_the_way);
    tcase_add_test(t, a_checksum_whose_carry_carries);
    tcase_add_test(t, data_by_hand);
    tcase_add_test(t, answers_by_hand);
    tcase_add_test(t, link_local_by_hand);
    tcase_add_test(t, cnm_by_hand);
    tcase_add_test(t, a_frame_that_cannot_be_written_has_no_size);
    tcase_add_test(t, what_is_not_in_the_frame);
    tcase_add_test(t, opcodes_by_place);
    suite_add_tcase(s, t);
    return s;
}
