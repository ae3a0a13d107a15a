/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The encoder against the decoder of these tests: random frames there and back, and bytes that are not frames. */
#include "decode.h"
#include "wire_helpers.h"

#include <stdlib.h>
#include <string.h>

static uint8_t noise[FRAME_ROOM];

static void make_noise(struct rng *rng)
{
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)rng_next(rng);
}

/* Decode a copy that ends where its memory ends, for the address sanitizer. */
static enum wire_error decode(const uint8_t *data, size_t bytes, struct rcc_wire_frame *frame)
{
    uint8_t *copy = (uint8_t *)malloc(bytes > 0 ? bytes : 1);
    enum wire_error error;
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, data, bytes);
    error = wire_decode(copy, bytes, frame);
    free(copy);
    return error;
}

START_TEST(random_frames_there_and_back)
{
    struct rng rng = {5};
    static struct rcc_crc_zeros cache;
    static uint8_t bytes[FRAME_ROOM];
    make_noise(&rng);
    for (int i = 0; i < 20000; i++)
    {
        struct rcc_wire_frame f = random_frame(&rng, noise), back;
        const size_t n = rcc_wire_encode(&f, bytes, sizeof bytes, rng_chance(&rng, 50) ? &cache : NULL);
        CHECK(n > 0 && n == rcc_wire_size(&f), "kind %d, %zu bytes", f.kind, n);
        CHECK(wire_decode(bytes, n, &back) == WIRE_OK, "kind %d of %zu bytes", f.kind, n);
        CHECK(same_frame(&f, &back), "kind %d of %zu bytes", f.kind, n);
        if (f.kind == RCC_WIRE_OTHER)
            continue; /* every further byte is its payload */
        /* padding behind the frame changes nothing */
        memset(bytes + n, 0x3c, 20);
        CHECK(wire_decode(bytes, n + 20, &back) == WIRE_OK && same_frame(&f, &back), "padded kind %d", f.kind);
    }
}
END_TEST

START_TEST(a_payload_may_lie_at_its_place)
{
    static uint8_t bytes[200], want[200];
    struct rcc_wire_frame f = {.kind = RCC_WIRE_OTHER, .ethertype = 0x86dd, .payload_bytes = 100};
    struct rng rng = {6};
    make_noise(&rng);
    f.payload = noise;
    ck_assert_uint_eq(rcc_wire_encode(&f, want, sizeof want, NULL), 114);
    memcpy(bytes + 14, noise, 100);
    f.payload = bytes + 14;
    ck_assert_uint_eq(rcc_wire_encode(&f, bytes, sizeof bytes, NULL), 114);
    ck_assert_mem_eq(bytes, want, 114);
}
END_TEST

/* Every truncation is an error, but for frames whose end is not known: OTHER, and the padding of the rest. */
START_TEST(truncated_frames)
{
    struct rng rng = {7};
    static uint8_t bytes[FRAME_ROOM];
    make_noise(&rng);
    for (int i = 0; i < 400; i++)
    {
        struct rcc_wire_frame f = random_frame(&rng, noise), back;
        if (f.kind == RCC_WIRE_OTHER)
            continue;
        f.payload_bytes = f.kind == RCC_WIRE_DATA ? f.payload_bytes % 200 : f.payload_bytes;
        const size_t n = rcc_wire_encode(&f, bytes, sizeof bytes, NULL);
        for (size_t keep = 0; keep < n; keep++)
        {
            const enum wire_error error = decode(bytes, keep, &back);
            if (f.kind == RCC_WIRE_DATA || f.kind == RCC_WIRE_ACK || f.kind == RCC_WIRE_CNP)
            {
                const size_t ip = 14 + (f.vlan_tagged ? 4u : 0u) + (f.cn_tagged ? 4u : 0u);
                const bool unknown = error == WIRE_OK && keep > ip && keep < ip + 28 && back.kind == RCC_WIRE_OTHER;
                CHECK(error == WIRE_TRUNCATED || unknown, "kind %d, %zu of %zu bytes: %d", f.kind, keep, n, error);
            }
            else
            {
                CHECK(error == WIRE_TRUNCATED || (error == WIRE_OK && back.kind == f.kind),
                      "kind %d, %zu of %zu bytes: %d", f.kind, keep, n, error);
            }
        }
    }
}
END_TEST

/* A frame with one flipped bit that the ICRC or the header checksum covers is never decoded as a frame of its kind. */
START_TEST(corrupted_packets)
{
    struct rng rng = {8};
    static uint8_t bytes[FRAME_ROOM];
    make_noise(&rng);
    for (int i = 0; i < 300; i++)
    {
        struct rcc_wire_frame f = random_frame(&rng, noise), back;
        if (f.kind > RCC_WIRE_CNP)
            continue;
        f.payload_bytes = f.kind == RCC_WIRE_DATA ? f.payload_bytes % 100 : 0;
        const size_t n = rcc_wire_encode(&f, bytes, sizeof bytes, NULL);
        const size_t ip = 14 + (f.vlan_tagged ? 4u : 0u) + (f.cn_tagged ? 4u : 0u);
        for (size_t bit = ip * 8; bit < n * 8; bit++)
        {
            const size_t at = bit / 8 - ip;
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            const enum wire_error error = decode(bytes, n, &back);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (at == 26 || at == 27 || at == 32)
                continue; /* UDP checksum, FECN and BECN: nothing covers them */
            CHECK(error != WIRE_OK || back.kind == RCC_WIRE_OTHER, "kind %d, bit %zu of byte %zu", f.kind, bit % 8, at);
        }
    }
}
END_TEST

/* ------------------------------------------------------------------ one error at a time */

static const char good_cnp[] = "020000002345 020000000003 0800"
                               "45e0003c 00004000 4011dbac 0b000301 0b234501 feef 12b7 0028 0000"
                               "8100ffff 4080000b 00000000 00abcdef 000000000000000000000000 00000000";

/* Decode the CNP with other bytes at an offset of its IPv4 header, with corrected checksum and ICRC. */
static enum wire_error changed(size_t at, const char *hex, struct rcc_wire_frame *frame)
{
    uint8_t bytes[128];
    size_t n = from_hex(good_cnp, bytes);
    uint8_t *ip = bytes + 14;
    uint32_t icrc;
    from_hex(hex, ip + at);
    ip[10] = ip[11] = 0;
    const uint16_t checksum = rcc_wire_ipv4_checksum(ip, 20);
    ip[10] = (uint8_t)(checksum >> 8);
    ip[11] = (uint8_t)checksum;
    icrc = slow_icrc(ip, n - 14 - 4);
    for (unsigned i = 0; i < 4; i++)
        bytes[n - 4 + i] = (uint8_t)(icrc >> 8 * i);
    return decode(bytes, n, frame);
}

START_TEST(errors_are_told_apart)
{
    struct rcc_wire_frame f;
    uint8_t bytes[128];
    size_t n = from_hex(good_cnp, bytes);
    ck_assert_int_eq(decode(bytes, n, &f), WIRE_BAD_ICRC);
    bytes[14 + 10] ^= 1;
    ck_assert_int_eq(decode(bytes, n, &f), WIRE_BAD_CHECKSUM);

    ck_assert_int_eq(changed(0, "45", &f), WIRE_OK);
    ck_assert_int_eq(f.kind, RCC_WIRE_CNP);
    ck_assert_uint_eq(f.period_ns, 0x00abcdefu);
    ck_assert_int_eq(changed(0, "65", &f), WIRE_UNSUPPORTED);   /* IP version */
    ck_assert_int_eq(changed(6, "6000", &f), WIRE_UNSUPPORTED); /* more fragments */
    ck_assert_int_eq(changed(2, "003d", &f), WIRE_TRUNCATED);   /* IP length */
    ck_assert_int_eq(changed(2, "003b", &f), WIRE_BAD_LENGTH);  /* not the UDP length */
    ck_assert_int_eq(changed(24, "0029", &f), WIRE_BAD_LENGTH); /* UDP length */
    ck_assert_int_eq(changed(28, "05", &f), WIRE_UNSUPPORTED);  /* SEND Only with immediate */
    ck_assert_int_eq(changed(28, "11", &f), WIRE_BAD_LENGTH);   /* an ACK has 4 bytes */
    ck_assert_int_eq(changed(29, "01", &f), WIRE_UNSUPPORTED);  /* transport header version */
    ck_assert_int_eq(changed(29, "10", &f), WIRE_BAD_LENGTH);   /* a CNP has no pad */
    ck_assert_int_eq(changed(28, "0430", &f), WIRE_OK);         /* SEND Only, pad 3 */
    ck_assert_uint_eq(f.payload_bytes, 13);
    ck_assert_int_eq(changed(28, "0a10", &f), WIRE_BAD_LENGTH); /* RETH and one pad byte in 16 bytes */
    ck_assert_int_eq(changed(28, "0a00", &f), WIRE_OK);         /* RETH alone */
    ck_assert_uint_eq(f.payload_bytes, 0);
    ck_assert_uint_eq(f.reth.address >> 32, 0x00abcdefu);
    ck_assert_int_eq(changed(36, "7f", &f), WIRE_OK); /* reserved bits beside the request for an answer */
    ck_assert(!f.bth.ack_request);
    ck_assert_int_eq(changed(36, "ff", &f), WIRE_OK);
    ck_assert(f.bth.ack_request);
    ck_assert_int_eq(changed(32, "3f", &f), WIRE_OK); /* the bits beside FECN and BECN are ignored */
    ck_assert(!f.bth.fecn && !f.bth.becn);
}
END_TEST

START_TEST(a_packet_too_short_for_its_headers)
{
    struct rcc_wire_frame f;
    uint8_t bytes[128];
    size_t n = from_hex("020000002345 020000000003 0800 4500002b 00004000 40110000 0b000301 0b234501"
                        "feef 12b7 0017 0000 000000000000000000000000000000",
                        bytes);
    const uint16_t checksum = rcc_wire_ipv4_checksum(bytes + 14, 20);
    bytes[14 + 10] = (uint8_t)(checksum >> 8);
    bytes[14 + 11] = (uint8_t)checksum;
    ck_assert_uint_eq(n, 14 + 43); /* one byte is missing between BTH and ICRC */
    ck_assert_int_eq(decode(bytes, n, &f), WIRE_BAD_LENGTH);
}
END_TEST

START_TEST(frames_of_others)
{
    struct rcc_wire_frame f;
    uint8_t bytes[128];
    ck_assert_int_eq(changed(22, "12b6", &f), WIRE_OK); /* another UDP port */
    ck_assert_int_eq(f.kind, RCC_WIRE_OTHER);
    ck_assert_uint_eq(f.ethertype, 0x0800);
    ck_assert_uint_eq(f.payload_bytes, 60);
    ck_assert_int_eq(changed(9, "06", &f), WIRE_OK); /* TCP */
    ck_assert_int_eq(f.kind, RCC_WIRE_OTHER);
    ck_assert_int_eq(changed(6, "0001", &f), WIRE_OK); /* a later fragment */
    ck_assert_int_eq(f.kind, RCC_WIRE_OTHER);
    ck_assert_int_eq(changed(0, "4f", &f), WIRE_OK); /* options, behind which is no port 4791 */
    ck_assert_int_eq(f.kind, RCC_WIRE_OTHER);
    ck_assert_int_eq(changed(6, "0100", &f), WIRE_OK); /* a much later fragment */
    ck_assert_int_eq(f.kind, RCC_WIRE_OTHER);
    size_t n = from_hex("020000002345 020000000003 0800 45000018 00000000 40110000 0b000301 0b234501 0000 12b7", bytes);
    ck_assert_int_eq(decode(bytes, n, &f), WIRE_OK); /* half a UDP header */
    ck_assert_int_eq(f.kind, RCC_WIRE_OTHER);
    memset(bytes, 0, sizeof bytes);
    from_hex("020000002345 020000000003 0800 4f000040 00000000 40110000 0b000301 0b234501", bytes);
    from_hex("0000 12b7", bytes + 14 + 60); /* a whole header of options, behind which is port 4791, or half of it */
    ck_assert_int_eq(wire_decode(bytes, 14 + 64, &f), WIRE_UNSUPPORTED);
    ck_assert_int_eq(wire_decode(bytes, 14 + 63, &f), WIRE_OK);
    ck_assert_int_eq(f.kind, RCC_WIRE_OTHER);
    n = from_hex("ffffffffffff 020000000003 8100e000 0806 0001", bytes);
    ck_assert_int_eq(decode(bytes, n, &f), WIRE_OK);
    ck_assert_int_eq(f.kind, RCC_WIRE_OTHER);
    ck_assert_uint_eq(f.ethertype, 0x0806);
    ck_assert(f.vlan_tagged && f.vlan == 0xe000 && f.payload_bytes == 2);
}
END_TEST

START_TEST(layer_2_errors)
{
    static const struct
    {
        const char *hex;
        enum wire_error error;
    } cases[] = {
        {"", WIRE_TRUNCATED},
        {"020000002345 020000000003 08", WIRE_TRUNCATED},
        {"020000002345 020000000003 0800", WIRE_TRUNCATED},
        {"020000002345 020000000003 8100 e000", WIRE_TRUNCATED},
        {"020000002345 020000000003 22e9 0001", WIRE_TRUNCATED},
        {"0180c2000001 020000000003 8808 01", WIRE_TRUNCATED},
        {"0180c2000001 020000000003 8808 0101 00ff 0000000000000000 00000000000000", WIRE_TRUNCATED},
        {"0180c2000001 020000000003 8808 0001 ff", WIRE_TRUNCATED},
        {"0180c2000001 020000000003 8808 0002 ffff", WIRE_UNSUPPORTED},
        {"0180c2000001 020000000003 8808 0002", WIRE_UNSUPPORTED},
        {"0180c2000001 020000000003 8808 0101 00ff 0000000000000000 0000000000000000", WIRE_OK},
        {"0180c2000001 020000000003 8808 0001 ffff", WIRE_OK},
        {"020000002345 020000000003 0800 45", WIRE_OK},
        {"020000002345 020000000003 22e7 080000000000000000000000000000000000000000000000", WIRE_OK},
        {"0180c2000001 020000000003 8100 e000 8808 0001 ffff", WIRE_UNSUPPORTED},
        {"020000002345 020000000003 22e7 0000000000000000000000000000000000000000000000", WIRE_TRUNCATED},
        {"020000002345 020000000003 22e7 100000000000000000000000000000000000000000000000", WIRE_UNSUPPORTED},
        {"020000002345 020000000003 22e7 000000000000000000000000000000000000000000000001", WIRE_TRUNCATED},
        {"020000002345 020000000003 22e7 000000000000000000000000000000000000000000000000", WIRE_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        struct rcc_wire_frame f;
        uint8_t bytes[128];
        size_t n = from_hex(cases[i].hex, bytes);
        CHECK(decode(bytes, n, &f) == cases[i].error, "case %zu", i);
    }
}
END_TEST

Suite *suite_wire_decode(void)
{
    Suite *s = suite_create("wire-decode");
    TCase *t = long_tcase("decoder");
    tcase_add_test(t, random_frames_there_and_back);
    tcase_add_test(t, a_payload_may_lie_at_its_place);
    tcase_add_test(t, truncated_frames);
    tcase_add_test(t, corrupted_packets);
    tcase_add_test(t, errors_are_told_apart);
    tcase_add_test(t, a_packet_too_short_for_its_headers);
    tcase_add_test(t, frames_of_others);
    tcase_add_test(t, layer_2_errors);
    suite_add_tcase(s, t);
    return s;
}
