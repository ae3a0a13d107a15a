/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The receiver of selective repeat compared with a naive one that remembers every packet; the settings. */
#include "bits.h"
#include "helpers.h"
#include "rcc_selective.h"

#include <stdlib.h>
#include <string.h>

#define PACKETS 6000u

/* ------------------------------------------------------------------ the naive receiver */

struct naive
{
    struct rcc_selective settings;
    uint64_t start; /* number of packet 0 of the arrays */
    bool have[PACKETS], last[PACKETS];
    uint64_t bytes, early, duplicates, outside, trimmed;
    bool ce;
};

static bool has_packet(const struct naive *n, uint64_t packet)
{
    return packet < n->start || n->have[packet - n->start];
}

static uint64_t expected_of(const struct naive *n)
{
    uint64_t packet = n->start;
    while (has_packet(n, packet))
        packet++;
    return packet;
}

static uint64_t top_of(const struct naive *n)
{
    uint64_t packet = n->start + PACKETS;
    while (packet > n->start && !has_packet(n, packet - 1))
        packet--;
    return packet;
}

static uint64_t messages_of(const struct naive *n)
{
    uint64_t messages = 0;
    for (uint64_t packet = n->start; has_packet(n, packet); packet++)
        messages += n->last[packet - n->start];
    return messages;
}

/* An answer to `packet`, with the packets from..to - 1 as missing. */
static struct rcc_sack say(const struct naive *n, uint64_t packet, uint64_t from, uint64_t to, bool trimmed)
{
    struct rcc_sack sack = {.packet = expected_of(n), .missing = from, .lost = (uint32_t)(to - from)};
    const uint64_t at = packet > sack.packet ? packet : sack.packet;
    sack.base = at / 64 * 64;
    for (unsigned i = 0; i < 64; i++)
        if (sack.base + i >= sack.packet && has_packet(n, sack.base + i))
            sack.bits |= (uint64_t)1 << i;
    sack.nak = to > from;
    sack.trimmed = trimmed;
    return sack;
}

static uint64_t gap_end(const struct naive *n)
{
    uint64_t packet = expected_of(n);
    while (!has_packet(n, packet))
        packet++;
    return packet;
}

static unsigned naive_answer(struct naive *n, bool answers, bool nak)
{
    const bool ce = answers && n->ce;
    n->ce = n->ce && !answers;
    return !answers ? 0u : (nak ? RCC_RECEIVER_NAK : RCC_RECEIVER_ACK) | (ce ? RCC_RECEIVER_ECHO_CE : 0u);
}

static unsigned naive_trimmed(struct naive *n, uint64_t packet, bool ce, struct rcc_sack *sack)
{
    const bool had = has_packet(n, packet), inside = packet < expected_of(n) + n->settings.packets;
    n->ce = n->ce || ce;
    n->trimmed++;
    n->duplicates += had;
    *sack = had ? say(n, packet, 0, 0, false) : say(n, inside ? packet : 0, packet, packet + 1, true);
    sack->missing = had ? expected_of(n) : packet;
    return naive_answer(n, true, !had);
}

static unsigned naive_data(struct naive *n, const struct rcc_data *data, bool last, struct rcc_sack *sack)
{
    const uint64_t expected = expected_of(n), top = top_of(n) > expected ? top_of(n) : expected;
    uint64_t now;
    bool closes;
    n->ce = n->ce || data->ce;
    if (has_packet(n, data->packet))
    {
        n->duplicates++;
        *sack = say(n, data->packet, expected, expected, false);
        return naive_answer(n, data->ack_request, false);
    }
    if (data->packet >= expected + n->settings.packets)
    {
        n->outside++;
        *sack = say(n, 0, expected, expected + 1, false);
        return naive_answer(n, true, true);
    }
    n->have[data->packet - n->start] = true;
    n->last[data->packet - n->start] = last;
    n->bytes += data->payload;
    now = expected_of(n);
    if (data->packet != expected)
    {
        const bool opens = data->packet > top;
        const bool nak = n->settings.naks == RCC_GAP_EACH || (n->settings.naks == RCC_GAP_ONCE && opens);
        n->early++;
        *sack = nak && opens ? say(n, data->packet, top, data->packet, false)
                             : say(n, data->packet, expected, nak ? gap_end(n) : expected, false);
        return RCC_RECEIVER_ACCEPT | naive_answer(n, nak || data->ack_request, nak);
    }
    closes = now > expected + 1;
    if (n->settings.naks == RCC_GAP_ONCE && closes && top_of(n) > now)
    {
        *sack = say(n, data->packet, now, gap_end(n), false);
        return RCC_RECEIVER_ACCEPT | naive_answer(n, true, true);
    }
    *sack = say(n, data->packet, now, now, false);
    return RCC_RECEIVER_ACCEPT | naive_answer(n, closes || data->ack_request, false);
}

/* ------------------------------------------------------------------ random arrivals */

static uint64_t draw_packet(struct rng *rng, const struct naive *n, uint64_t expected)
{
    const int64_t low = expected < n->start + 3 ? (int64_t)n->start : (int64_t)expected - 3;
    if (rng_chance(rng, 60))
        return expected;
    if (rng_chance(rng, 80))
        return (uint64_t)rng_range(rng, low, (int64_t)expected + 12);
    return (uint64_t)rng_range(rng, low, (int64_t)(expected + n->settings.packets) + 3);
}

static void same_answer(const struct rcc_sack *got, const struct rcc_sack *want, uint64_t seed)
{
    CHECK(got->packet == want->packet && got->base == want->base && got->bits == want->bits,
          "seed %llu: packet %llu, want %llu; base %llu, want %llu; bits %llx, want %llx", (unsigned long long)seed,
          (unsigned long long)got->packet, (unsigned long long)want->packet, (unsigned long long)got->base,
          (unsigned long long)want->base, (unsigned long long)got->bits, (unsigned long long)want->bits);
    CHECK(got->missing == want->missing && got->lost == want->lost && got->nak == want->nak &&
              got->trimmed == want->trimmed,
          "seed %llu: %u missing from %llu, want %u from %llu", (unsigned long long)seed, got->lost,
          (unsigned long long)got->missing, want->lost, (unsigned long long)want->missing);
}

START_TEST(against_a_naive_receiver)
{
    static const uint64_t starts[] = {0, 5, ((uint64_t)1 << 24) - 20, ((uint64_t)1 << 40) + 63};
    static struct naive n;
    for (uint64_t seed = 1; seed <= rounds(60); seed++)
    {
        struct rng rng = {seed};
        struct rcc_placement r;
        uint64_t *words;
        memset(&n, 0, sizeof n);
        n.start = starts[seed % 4];
        n.settings.packets = 64u << seed % 3;
        n.settings.naks = (enum rcc_gap_rule)(seed / 4 % 3);
        words = malloc(rcc_placement_words(&n.settings) * sizeof *words);
        memset(words, 0xa5, rcc_placement_words(&n.settings) * sizeof *words);
        rcc_placement_init(&r, &n.settings, words);
        r.expected = r.top = n.start;
        for (int i = 0; i < 1000; i++)
        {
            const uint64_t packet = draw_packet(&rng, &n, expected_of(&n));
            const struct rcc_data data = {packet, (uint32_t)rng_range(&rng, 1, 4096), rng_chance(&rng, 10),
                                          rng_chance(&rng, 30)};
            const bool last = rng_chance(&rng, 20), header = rng_chance(&rng, 5);
            struct rcc_sack got = {0}, want = {0};
            const unsigned did =
                header ? rcc_placement_trimmed(&r, packet, data.ce, &got) : rcc_placement_data(&r, &data, last, &got);
            const unsigned had =
                header ? naive_trimmed(&n, packet, data.ce, &want) : naive_data(&n, &data, last, &want);
            CHECK(did == had, "seed %llu, packet %llu: %u, want %u", (unsigned long long)seed,
                  (unsigned long long)packet, did, had);
            if (did & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK))
                same_answer(&got, &want, seed);
            CHECK(r.expected == expected_of(&n) && r.top == (top_of(&n) > r.expected ? top_of(&n) : r.expected),
                  "seed %llu", (unsigned long long)seed);
            CHECK(r.bytes == n.bytes && r.early == n.early && r.duplicates == n.duplicates && r.outside == n.outside &&
                      r.trimmed == n.trimmed && r.ce_seen == n.ce,
                  "seed %llu: counters", (unsigned long long)seed);
            CHECK(r.messages == messages_of(&n), "seed %llu: %llu messages", (unsigned long long)seed,
                  (unsigned long long)r.messages);
            if (expected_of(&n) + 300 > n.start + PACKETS)
                break;
        }
        for (uint64_t packet = r.expected; packet < r.top; packet++) /* close the gaps: the bitmap is then empty */
        {
            const struct rcc_data data = {packet, 1, false, false};
            struct rcc_sack sack;
            rcc_placement_data(&r, &data, false, &sack);
        }
        for (uint32_t i = 0; i < rcc_placement_words(&n.settings); i++)
            CHECK(words[i] == 0, "seed %llu: word %u is not empty", (unsigned long long)seed, i);
        free(words);
    }
}
END_TEST

/* ------------------------------------------------------------------ bitmaps */

/* Against loops over the bits; the two words of a map span any 128 packets. */
START_TEST(bitmaps_against_loops)
{
    struct rng rng = {8};
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        uint64_t map[2] = {rng_next(&rng) & rng_next(&rng) & rng_next(&rng), 0}, first, low = 0;
        const uint64_t from = (uint64_t)rng_log_range(&rng, 1, (int64_t)1 << 40) - 1;
        const uint64_t to = from + (uint64_t)rng_range(&rng, 1, 128);
        uint32_t ones = 0;
        map[1] = rng_chance(&rng, 50) ? 0 : (uint64_t)1 << rng_range(&rng, 0, 63);
        for (first = from; first < to && (map[first / 64 % 2] >> first % 64 & 1) == 0; first++)
            ;
        CHECK(bits_first(map, 2, from, to) == first, "%llu..%llu", (unsigned long long)from, (unsigned long long)to);
        for (unsigned bit = 64; bit-- > 0;)
        {
            const uint64_t packet = from - from % 64 + bit;
            ones += map[0] >> bit & 1;
            low = map[0] >> bit & 1 ? bit : low;
            CHECK((bits_range(from, from, to) >> bit & 1) == (packet >= from && packet < to), "bit %u", bit);
        }
        CHECK(bits_count(map[0]) == ones && (ones == 0 || bits_lowest(map[0]) == low), "%llx",
              (unsigned long long)map[0]);
    }
    ck_assert_uint_eq(bits_count(UINT64_MAX), 64);
    ck_assert_uint_eq(bits_lowest((uint64_t)1 << 63), 63);
}
END_TEST

/* ------------------------------------------------------------------ settings */

START_TEST(presets)
{
    const struct rcc_transport usual = {1000, 64, 0, 0, 67108864, true, true, true, false};
    struct rcc_transport t = usual;
    struct rcc_selective s = {0};
    ck_assert(!rcc_selective_preset(&s, &t, "ir") && !rcc_selective_preset(&s, &t, "irns"));
    ck_assert(!rcc_selective_preset(&s, &t, ""));
    ck_assert_int_eq(memcmp(&t, &usual, sizeof t), 0);
    ck_assert(rcc_selective_preset(&s, &t, "nic"));
    ck_assert(!t.back_to_zero && t.backoff && t.ack_every == 64 && t.timeout == 67108864);
    ck_assert(s.naks == RCC_GAP_ONCE && !s.infer && s.again && s.timeout_all && !s.one_bdp && s.few == 0);
    ck_assert_ptr_null(rcc_selective_check(&s, &t));
    ck_assert(rcc_selective_preset(&s, &t, "irn"));
    ck_assert(!t.backoff && t.ack_every == 1 && t.timeout == 320 * US && s.rto_low == 100 * US && s.few == 3);
    ck_assert(s.naks == RCC_GAP_EACH && s.infer && !s.again && s.timeout_all && s.one_bdp && s.reorder == 0);
    ck_assert_ptr_null(rcc_selective_check(&s, &t));
}
END_TEST

START_TEST(settings_that_are_refused)
{
    struct rcc_transport t = {1000, 64, 0, 0, 1000, false, false, true, false};
    const struct rcc_selective good = {.packets = 128, .naks = RCC_GAP_ONCE, .few = 3, .rto_low = 1000};
    struct rcc_selective s = good;
    static const uint32_t packets[] = {0, 32, 63, 65, 96, 131072, UINT32_MAX};
    ck_assert_ptr_null(rcc_selective_check(&s, &t));
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++)
    {
        s.packets = packets[i];
        ck_assert_ptr_nonnull(rcc_selective_check(&s, &t));
    }
    s.packets = RCC_SELECTIVE_PACKETS_MAX;
    ck_assert_ptr_null(rcc_selective_check(&s, &t));
    s = good;
    s.rto_low = 1001;
    ck_assert_ptr_nonnull(rcc_selective_check(&s, &t));
    s.rto_low = 0;
    ck_assert_ptr_nonnull(rcc_selective_check(&s, &t));
    s.few = 0; /* it is not used */
    ck_assert_ptr_null(rcc_selective_check(&s, &t));
    s.naks = RCC_GAP_SILENT;
    ck_assert_ptr_nonnull(rcc_selective_check(&s, &t));
    s.infer = true;
    ck_assert_ptr_null(rcc_selective_check(&s, &t));
    s.reorder = 127;
    ck_assert_ptr_null(rcc_selective_check(&s, &t));
    s.reorder = 128;
    ck_assert_ptr_nonnull(rcc_selective_check(&s, &t));
    s.reorder = 1;
    s.infer = false;
    s.naks = RCC_GAP_ONCE;
    ck_assert_ptr_nonnull(rcc_selective_check(&s, &t));
    s = good;
    t.back_to_zero = true;
    ck_assert_ptr_nonnull(rcc_selective_check(&s, &t));
    t.back_to_zero = false;
    t.reliable = false;
    ck_assert_ptr_nonnull(rcc_selective_check(&s, &t));
}
END_TEST

/* IRN's own network: 40 Gb/s and 24 us make 120 KB. */
START_TEST(window_of_one_bdp)
{
    struct rng rng = {4};
    struct rcc_selective s = {.packets = 512};
    ck_assert_uint_eq(rcc_selective_window(&s, 1000, 40 * GBPS, 24 * US), 512000);
    s.one_bdp = true;
    ck_assert_uint_eq(rcc_selective_window(&s, 1000, 40 * GBPS, 24 * US), 120000);
    ck_assert_uint_eq(rcc_selective_window(&s, 1000, 40 * GBPS, 0), 1000);
    ck_assert_uint_eq(rcc_selective_window(&s, 1000, 400 * GBPS, 1 * SEC), 512000);
    ck_assert_uint_eq(rcc_selective_window(&s, 1000, 1000, RCC_NEVER), 512000);
    for (int i = 0; i < 100000; i++)
    {
        const uint64_t rate = (uint64_t)rng_log_range(&rng, 1, 16000000000) * 1000;
        const rcc_time rtt = rng_log_range(&rng, 1, TEN_YEARS);
        const uint32_t mtu = (uint32_t)rng_range(&rng, 1, RCC_FRAME_MAX);
        const uint64_t got = rcc_selective_window(&s, mtu, rate, rtt), most = 512 * (uint64_t)mtu;
        const long double bdp = (long double)rate * (long double)rtt / 8e9L;
        const long double want = bdp > (long double)most ? (long double)most : bdp < mtu ? mtu : bdp;
        CHECK((long double)got <= want && (long double)got > want - 1, "%llu bit/s, %lld ns: %llu",
              (unsigned long long)rate, (long long)rtt, (unsigned long long)got);
    }
}
END_TEST

Suite *suite_placement(void)
{
    Suite *suite = suite_create("placement");
    TCase *tc = long_tcase("receiver");
    tcase_add_test(tc, against_a_naive_receiver);
    tcase_add_test(tc, bitmaps_against_loops);
    tcase_add_test(tc, presets);
    tcase_add_test(tc, settings_that_are_refused);
    tcase_add_test(tc, window_of_one_bdp);
    suite_add_tcase(suite, tc);
    return suite;
}
