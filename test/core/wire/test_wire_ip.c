/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Class, flow and ECN field of IPv4 and IPv6 packets: the bytes on which they depend, one byte at a time. */
#include "helpers.h"
#include "rcc_wire.h"

#include <string.h>

#define IPV4 0x0800
#define IPV6 0x86dd

static uint64_t mix(uint64_t x)
{
    return (x ^ x >> 31) * 0x9e3779b97f4a7c15u + 12345;
}

static void fill(struct rng *rng, uint8_t *packet, size_t bytes, uint8_t first)
{
    for (size_t i = 0; i < bytes; i++)
        packet[i] = (uint8_t)rng_range(rng, 0, 255);
    packet[0] = first;
}

START_TEST(classes)
{
    uint8_t packet[44] = {0x45, 0xb9};
    ck_assert_uint_eq(rcc_wire_ip_class(packet, 44, IPV4), 0xb9);
    ck_assert_uint_eq(rcc_wire_ip_class(packet, 20, IPV4), 0xb9);
    ck_assert_uint_eq(rcc_wire_ip_class(packet, 19, IPV4), 0);
    ck_assert_uint_eq(rcc_wire_ip_class(packet, 44, 0x0806), 0);
    packet[0] = 0x6b;
    packet[1] = 0x9f;
    ck_assert_uint_eq(rcc_wire_ip_class(packet, 40, IPV6), 0xb9);
    ck_assert_uint_eq(rcc_wire_ip_class(packet, 39, IPV6), 0);
}
END_TEST

/* The bytes on which the hash of a packet depends, one bit each; each byte is changed several times. */
static uint64_t bytes_of_flow(struct rng *rng, uint8_t *packet, size_t bytes, uint16_t ethertype)
{
    const uint32_t hash = rcc_wire_ip_flow(packet, bytes, ethertype, mix);
    uint64_t counts = 0;
    for (size_t i = 0; i < 48; i++)
        for (unsigned bit = 0; bit < 8; bit++)
        {
            packet[i] ^= (uint8_t)(1u << bit);
            if (rcc_wire_ip_flow(packet, bytes, ethertype, mix) != hash)
                counts |= (uint64_t)1 << i;
            packet[i] ^= (uint8_t)(1u << bit);
        }
    (void)rng;
    return counts;
}

static uint64_t range(unsigned from, unsigned to)
{
    return (((uint64_t)1 << (to - from)) - 1) << from;
}

START_TEST(flows_of_ipv4)
{
    struct rng rng = {5};
    uint8_t packet[48];
    const uint64_t own = range(12, 20) | range(9, 10); /* addresses and protocol */
    fill(&rng, packet, sizeof packet, 0x45);
    packet[6] = 0x40; /* do not fragment */
    packet[7] = 0;
    packet[9] = 17;
    /* the first byte and the fragment's offset say where the ports are */
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV4) & ~(range(0, 1) | range(6, 8)), own | range(20, 24));
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 24, IPV4) & ~(range(0, 1) | range(6, 8)), own | range(20, 24));
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 23, IPV4) & ~range(0, 1), own);
    packet[9] = 6;
    packet[0] = 0x4a;
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV4) & ~(range(0, 1) | range(6, 8)), own | range(40, 44));
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 43, IPV4) & ~(range(0, 1) | range(6, 8)), own);
    packet[0] = 0x45;
    packet[7] = 1; /* a later fragment */
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV4) & ~range(7, 8), own);
    packet[7] = 0;
    packet[6] = 1; /* a much later one */
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV4) & ~range(6, 7), own);
    packet[6] = 0x20; /* the first one, which others follow */
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV4) & ~range(6, 7), own);
    packet[6] = 0;
    packet[9] = 1; /* ICMP: one bit away from no protocol with ports */
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV4), own);
    ck_assert_uint_eq(rcc_wire_ip_flow(packet, 19, IPV4, mix), 0);
}
END_TEST

START_TEST(flows_of_ipv6)
{
    struct rng rng = {6};
    uint8_t packet[48];
    const uint64_t own = range(8, 40) | range(6, 7);
    fill(&rng, packet, sizeof packet, 0x60);
    packet[6] = 6;
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV6), own | range(40, 44));
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 43, IPV6), own);
    packet[6] = 17;
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV6), own | range(40, 44));
    packet[6] = 58;
    ck_assert_uint_eq(bytes_of_flow(&rng, packet, 44, IPV6), own);
    ck_assert_uint_eq(rcc_wire_ip_flow(packet, 39, IPV6, mix), 0);
    ck_assert_uint_eq(rcc_wire_ip_flow(packet, 44, 0x0806, mix), 0);
}
END_TEST

/* Numbers of the wire, the same on every machine: words of the hash are least significant byte first. */
START_TEST(flow_by_hand)
{
    uint8_t packet[24] = {0x45, 0, 0, 24, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0x12, 0x34, 0x56, 0x78};
    uint64_t hash = mix((uint64_t)0x78563412 << 8 | 17);
    hash = mix(hash ^ 0x0100000a);
    hash = mix(hash ^ 0x0200000a);
    ck_assert_uint_eq(rcc_wire_ip_flow(packet, 24, IPV4, mix), (uint32_t)hash);
    packet[9] = 1; /* without ports */
    hash = mix(mix(mix(1) ^ 0x0100000a) ^ 0x0200000a);
    ck_assert_uint_eq(rcc_wire_ip_flow(packet, 24, IPV4, mix), (uint32_t)hash);
}
END_TEST

START_TEST(ecn_fields)
{
    struct rng rng = {7};
    for (uint64_t i = 0; i < rounds(2000); i++)
    {
        const bool v6 = i % 2 == 1, checksum = i % 3 == 0;
        const uint8_t ecn = (uint8_t)(i / 2 % 4);
        const size_t header = v6 ? 40 : 4 * (size_t)rng_range(&rng, 5, 15);
        uint8_t packet[64], before[64];
        fill(&rng, packet, sizeof packet, (uint8_t)(v6 ? 0x60 : 0x40 | header / 4));
        if (!v6)
        {
            packet[10] = packet[11] = 0;
            if (checksum)
            {
                const uint16_t sum = rcc_wire_ipv4_checksum(packet, header);
                packet[10] = (uint8_t)(sum >> 8);
                packet[11] = (uint8_t)sum;
            }
        }
        memcpy(before, packet, sizeof packet);
        rcc_wire_ip_set_ecn(packet, sizeof packet, v6 ? IPV6 : IPV4, ecn);
        CHECK((rcc_wire_ip_class(packet, 64, v6 ? IPV6 : IPV4) & 3) == ecn, "the field");
        CHECK(rcc_wire_ip_class(packet, 64, v6 ? IPV6 : IPV4) >> 2 ==
                  rcc_wire_ip_class(before, 64, v6 ? IPV6 : IPV4) >> 2,
              "the DSCP stays");
        if (!v6)
            CHECK(checksum ? rcc_wire_ipv4_checksum(packet, header) == 0 : packet[10] == 0 && packet[11] == 0,
                  "the checksum");
        CHECK(!v6 || (packet[1] & 0xf) == (before[1] & 0xf), "the flow label stays");
        packet[1] = before[1];
        if (!v6)
            memcpy(packet + 10, before + 10, 2);
        CHECK(memcmp(packet, before, sizeof packet) == 0, "nothing else changes");
    }
}
END_TEST

/* Incomplete headers are not changed; a header length beyond the packet is read as the least one. */
START_TEST(ecn_of_what_is_cut)
{
    uint8_t packet[48] = {0x4f, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, before[48];
    memcpy(before, packet, sizeof packet);
    rcc_wire_ip_set_ecn(packet, 19, IPV4, 3);
    rcc_wire_ip_set_ecn(packet, 39, IPV6, 3);
    rcc_wire_ip_set_ecn(packet, 48, 0x0806, 3);
    ck_assert_mem_eq(packet, before, sizeof packet);
    rcc_wire_ip_set_ecn(packet, 24, IPV4, 3);
    ck_assert_uint_eq(packet[1], 3);
    ck_assert_uint_eq(rcc_wire_ipv4_checksum(packet, 20), 0);
}
END_TEST

/* A header of 60 bytes that ends with the packet, one that a few bytes are missing of, and checksums with a byte of 0.
 */
START_TEST(checksums_after_ecn)
{
    uint8_t packet[64] = {0x4f, 0, 0, 60, 0, 0, 0, 0, 64, 17, 1, 1, 10, 0, 0, 1, 10, 0, 0, 2, 0x94, 4, 5, 6, 7, 8, 9};
    unsigned high = 0, low = 0;
    rcc_wire_ip_set_ecn(packet, 60, IPV4, 3);
    ck_assert_uint_eq(rcc_wire_ipv4_checksum(packet, 60), 0);
    rcc_wire_ip_set_ecn(packet, 59, IPV4, 2);
    ck_assert_uint_eq(rcc_wire_ipv4_checksum(packet, 20), 0);
    rcc_wire_ip_set_ecn(packet, 50, IPV4, 3);
    ck_assert_uint_eq(rcc_wire_ipv4_checksum(packet, 20), 0);
    packet[0] = 0x45;
    for (unsigned id = 0; id < 65536 && (high == 0 || low == 0); id += 7)
    {
        packet[1] = 0;
        packet[4] = (uint8_t)(id >> 8);
        packet[5] = (uint8_t)id;
        packet[10] = packet[11] = 0;
        const uint16_t sum = rcc_wire_ipv4_checksum(packet, 20);
        packet[10] = (uint8_t)(sum >> 8);
        packet[11] = (uint8_t)sum;
        if (sum == 0 || (packet[10] != 0 && packet[11] != 0))
            continue;
        high += packet[10] == 0;
        low += packet[11] == 0;
        rcc_wire_ip_set_ecn(packet, 60, IPV4, 3);
        ck_assert_uint_eq(rcc_wire_ipv4_checksum(packet, 20), 0);
    }
    ck_assert(high > 0 && low > 0);
}
END_TEST

Suite *suite_wire_ip(void)
{
    Suite *s = suite_create("wire-ip");
    TCase *t = long_tcase("wire-ip");
    tcase_add_test(t, classes);
    tcase_add_test(t, flows_of_ipv4);
    tcase_add_test(t, flows_of_ipv6);
    tcase_add_test(t, flow_by_hand);
    tcase_add_test(t, ecn_fields);
    tcase_add_test(t, ecn_of_what_is_cut);
    tcase_add_test(t, checksums_after_ecn);
    suite_add_tcase(s, t);
    return s;
}
