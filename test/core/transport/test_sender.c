/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The sender compared with a naive one that stores every message and searches all of them; PSNs; timers; back-off. */
#include "helpers.h"
#include "rcc_transport.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGES 400u

/* ------------------------------------------------------------------ the naive sender */

struct naive
{
    struct rcc_transport t;
    struct rcc_message all[MESSAGES];
    uint64_t count, done; /* messages posted, completed */
    uint64_t next, una, highest;
    uint64_t last_una; /* at the last timeout or change */
    unsigned retries;
    bool failed;
};

/* The message of a packet, or count. */
static uint64_t message_of(const struct naive *n, uint64_t packet)
{
    uint64_t i = 0;
    while (i < n->count && packet >= n->all[i].end)
        i++;
    return i;
}

static void naive_post(struct naive *n, uint64_t bytes)
{
    struct rcc_message *m = &n->all[n->count];
    uint64_t left = bytes, packets = 0;
    m->begin = n->count != 0 ? n->all[n->count - 1].end : n->next;
    m->last_payload = n->t.mtu;
    for (; left > 0; packets++)
    {
        m->last_payload = left < n->t.mtu ? (uint32_t)left : n->t.mtu;
        left -= m->last_payload;
    }
    m->end = bytes == 0 ? RCC_PACKET_NEVER : m->begin + packets;
    n->count++;
}

static bool naive_blocked(const struct naive *n, uint64_t window)
{
    uint64_t flying = 0;
    for (uint64_t p = n->una; p < n->next; p++)
        flying += n->t.mtu;
    return window != 0 && n->next > n->una && flying >= window;
}

static struct rcc_segment naive_send(struct naive *n, uint64_t window, bool variable)
{
    const struct rcc_message *m = &n->all[message_of(n, n->next)];
    struct rcc_segment s;
    memset(&s, 0, sizeof s);
    s.packet = n->next;
    s.first = n->next == m->begin;
    s.last = n->next == m->end - 1;
    s.payload = s.last ? m->last_payload : n->t.mtu;
    if (n->t.write && s.first)
    {
        const uint64_t bytes =
            m->end == RCC_PACKET_NEVER ? UINT64_MAX : (m->end - m->begin - 1) * n->t.mtu + m->last_payload;
        s.dma_length = bytes > RCC_DMA_LENGTH_MAX ? RCC_DMA_LENGTH_MAX : (uint32_t)bytes;
    }
    n->next++;
    if (n->next > n->highest)
        n->highest = n->next;
    s.window_full = naive_blocked(n, window);
    s.ack_request = n->t.reliable && (s.last || n->next % n->t.ack_every == 0 ||
                                      (n->t.chunk != 0 && n->next % n->t.chunk == 0) || s.window_full || variable);
    return s;
}

static void naive_go_back(struct naive *n)
{
    n->next = n->una;
    if (n->t.back_to_zero && n->t.chunk != 0 && n->done < n->count)
        while (n->next > n->all[n->done].begin && n->next % n->t.chunk != 0)
            n->next--;
}

static enum rcc_sender_event naive_ack(struct naive *n, uint64_t packet, bool nak)
{
    const uint64_t una = n->una;
    if (packet > n->highest)
        return RCC_SENDER_INVALID;
    if (packet > una)
    {
        n->una = packet;
        n->retries = 0;
    }
    if (nak && packet >= una && n->next > packet)
    {
        naive_go_back(n);
        return RCC_SENDER_WENT_BACK;
    }
    if (n->next < n->una && !n->t.back_to_zero)
    {
        n->next = n->una;
        return RCC_SENDER_SKIPPED;
    }
    return RCC_SENDER_GOES_ON;
}

/* ------------------------------------------------------------------ random signals */

struct pair
{
    struct rng rng;
    struct naive naive;
    struct rcc_transport transport;
    struct rcc_sender tx;
    struct rcc_timers timers;
    struct rcc_message *ring;
    uint32_t capacity;
    rcc_time now;
};

static void pair_init(struct pair *p, uint64_t seed)
{
    const uint64_t start[] = {0, 5, ((uint64_t)1 << 24) - 20, (uint64_t)1 << 40};
    memset(p, 0, sizeof *p);
    p->rng.state = seed;
    p->transport.mtu = (uint32_t)rng_log_range(&p->rng, 1, 4096);
    p->transport.ack_every = (uint32_t)rng_log_range(&p->rng, 1, 64);
    p->transport.chunk = rng_chance(&p->rng, 50) ? (uint32_t)rng_range(&p->rng, 1, 16) : 0;
    p->transport.retry_limit = rng_chance(&p->rng, 30) ? (uint32_t)rng_range(&p->rng, 1, 10) : 0;
    p->transport.timeout = 1000;
    p->transport.backoff = rng_chance(&p->rng, 50);
    p->transport.back_to_zero = rng_chance(&p->rng, 50);
    p->transport.reliable = true;
    p->transport.write = rng_chance(&p->rng, 50);
    ck_assert_ptr_null(rcc_transport_check(&p->transport));
    p->capacity = 1;
    p->ring = malloc(sizeof *p->ring);
    rcc_timers_init(&p->timers);
    rcc_sender_init(&p->tx, &p->transport, p->ring, 1, 7);
    p->tx.next = p->tx.una = p->tx.highest = p->tx.end = start[seed % 4];
    p->naive.t = p->transport;
    p->naive.next = p->naive.una = p->naive.highest = p->tx.next;
    p->tx.window = rng_chance(&p->rng, 50) ? (uint64_t)rng_range(&p->rng, 1, 20 * p->transport.mtu) : 0;
    p->tx.variable_window = p->tx.asks_always = p->tx.window != 0 && rng_chance(&p->rng, 50);
    p->tx.bounded = p->tx.window != 0;
}

static void post(struct pair *p)
{
    const bool endless = p->naive.count > 100 && rng_chance(&p->rng, 1);
    const uint64_t bytes = endless ? 0 : (uint64_t)rng_log_range(&p->rng, 1, 30 * p->transport.mtu);
    const bool ended = p->naive.count != 0 && p->naive.all[p->naive.count - 1].end == RCC_PACKET_NEVER;
    if (p->naive.count == MESSAGES)
        return;
    if (rcc_sender_is_full(&p->tx) && !p->tx.failed && !ended)
    {
        struct rcc_message *larger = malloc(2 * p->capacity * sizeof *larger);
        ck_assert_int_eq(rcc_sender_post(&p->tx, 1, p->now), RCC_POST_FULL);
        rcc_sender_grow(&p->tx, larger, 2 * p->capacity);
        free(p->ring);
        p->ring = larger;
        p->capacity *= 2;
    }
    const enum rcc_post result = rcc_sender_post(&p->tx, bytes, p->now);
    ck_assert_int_eq(result, p->tx.failed ? RCC_POST_FAILED : ended ? RCC_POST_ENDLESS : RCC_POST_OK);
    if (result == RCC_POST_OK)
        naive_post(&p->naive, bytes);
}

static void send_one(struct pair *p)
{
    const uint64_t window = rcc_sender_window(&p->tx, 1000, 1000);
    const bool has_reth = rcc_sender_has_data(&p->tx) && rcc_sender_has_reth(&p->tx);
    struct rcc_segment got, want;
    ck_assert_uint_eq(window, p->tx.window);
    CHECK(rcc_sender_is_blocked(&p->tx, window) == naive_blocked(&p->naive, window), "blocked");
    if (!rcc_sender_has_data(&p->tx) || rcc_sender_is_blocked(&p->tx, window))
        return;
    const uint32_t payload = rcc_sender_payload(&p->tx);
    memset(&got, 0, sizeof got);
    rcc_sender_send(&p->tx, window, &got);
    want = naive_send(&p->naive, window, p->tx.variable_window);
    CHECK(got.packet == want.packet && got.payload == want.payload && got.dma_length == want.dma_length &&
              got.first == want.first && got.last == want.last && got.ack_request == want.ack_request &&
              got.window_full == want.window_full && payload == want.payload &&
              has_reth == (want.first && p->transport.write),
          "segment %llu: payload %u, want %u; ack %d %d; dma %u %u", (unsigned long long)got.packet, got.payload,
          want.payload, got.ack_request, want.ack_request, got.dma_length, want.dma_length);
    if (got.ack_request)
        rcc_sender_arm(&p->tx, &p->timers, p->now);
    if (got.ack_request) /* while packets that have arrived are sent again, none lacks an answer */
        ck_assert(p->tx.timer.armed == (p->naive.next > p->naive.una));
}

static void acknowledge(struct pair *p)
{
    const uint64_t low = p->tx.una < 5 ? 0 : p->tx.una - 5;
    const uint64_t packet = (uint64_t)rng_range(&p->rng, (int64_t)low, (int64_t)p->tx.highest + 1);
    const bool nak = rng_chance(&p->rng, 30), armed = p->tx.timer.armed;
    const uint64_t before = p->tx.una;
    uint64_t acked;
    const enum rcc_sender_event got = rcc_sender_acknowledge(&p->tx, &p->timers, packet, nak, &acked);
    const enum rcc_sender_event want = naive_ack(&p->naive, packet, nak);
    CHECK(got == want, "acknowledge %llu: %d, want %d", (unsigned long long)packet, got, want);
    ck_assert_uint_eq(acked, p->tx.una - before);
    if (got != RCC_SENDER_INVALID)
        ck_assert(p->tx.timer.armed == (armed && acked == 0 && !nak));
    if (rcc_sender_awaits_ack(&p->tx))
        rcc_sender_arm(&p->tx, &p->timers, p->now);
}

static void complete(struct pair *p)
{
    const bool awaits = rcc_sender_awaits_ack(&p->tx);
    struct rcc_message m;
    while (rcc_sender_complete(&p->tx, &m))
    {
        const struct rcc_message *want = &p->naive.all[p->naive.done++];
        CHECK(m.begin == want->begin && m.end == want->end && m.last_payload == want->last_payload, "message");
        CHECK(m.end <= p->naive.una, "completed early");
    }
    CHECK(rcc_sender_awaits_ack(&p->tx) == awaits, "it awaits the same, whether the host took the messages or not");
    CHECK(p->naive.done == p->naive.count || p->naive.failed || p->naive.all[p->naive.done].end > p->naive.una,
          "not completed");
}

static void time_out(struct pair *p)
{
    if (!p->tx.timer.armed)
        return;
    const unsigned doubled = p->naive.retries < RCC_BACKOFF_MAX ? p->naive.retries : RCC_BACKOFF_MAX;
    const rcc_time wait = p->transport.backoff ? 1000 << doubled : 1000;
    ck_assert_ptr_eq(rcc_timers_first(&p->timers), &p->tx.timer);
    ck_assert_uint_eq(p->tx.timer.id, 7);
    ck_assert(p->tx.timer.due <= p->now + wait);
    p->now = p->tx.timer.due;
    const enum rcc_sender_event got = rcc_sender_timeout(&p->tx, &p->timers);
    ck_assert_ptr_null(rcc_timers_first(&p->timers));
    if (p->transport.retry_limit != 0 && p->naive.retries == p->transport.retry_limit)
    {
        p->naive.failed = true;
        ck_assert_int_eq(got, RCC_SENDER_FAILED);
        ck_assert(!rcc_sender_has_data(&p->tx) && !rcc_sender_awaits_ack(&p->tx));
        return;
    }
    ck_assert_int_eq(got, RCC_SENDER_WENT_BACK);
    p->naive.retries++;
    naive_go_back(&p->naive);
}

START_TEST(test_random_signals)
{
    for (uint64_t seed = 1; seed <= rounds(400); seed++)
    {
        struct pair p;
        pair_init(&p, seed);
        for (int i = 0; i < 1500 && !p.naive.failed; i++)
        {
            const int64_t what = rng_range(&p.rng, 0, 99);
            p.now += rng_range(&p.rng, 0, 100);
            if (what < 10)
                post(&p);
            else if (what < 70)
                send_one(&p);
            else if (what < 95)
                acknowledge(&p);
            else
                time_out(&p);
            complete(&p);
            CHECK(p.tx.next == p.naive.next && p.tx.una == p.naive.una && p.tx.highest == p.naive.highest &&
                      p.tx.retries == p.naive.retries,
                  "seed %llu step %d", (unsigned long long)seed, i);
            CHECK(p.naive.failed || rcc_sender_has_data(&p.tx) == (message_of(&p.naive, p.tx.next) < p.naive.count),
                  "seed %llu step %d: data", (unsigned long long)seed, i);
        }
        rcc_timers_disarm(&p.timers, &p.tx.timer);
        rcc_timers_disarm(&p.timers, &p.tx.timer);
        rcc_sender_flush(&p.tx);
        ck_assert(!rcc_sender_has_data(&p.tx) && !rcc_sender_is_full(&p.tx));
        free(p.ring);
    }
}
END_TEST

/* ------------------------------------------------------------------ single rules */

START_TEST(test_psn)
{
    struct rng rng = {3};
    for (int i = 0; i < 200000; i++)
    {
        const int64_t near = rng_log_range(&rng, 0, (int64_t)1 << 60);
        const int64_t packet = near + rng_range(&rng, -(1 << 23), (1 << 23) - 1);
        const uint32_t other_bits = (uint32_t)rng_range(&rng, 0, 255) << 24;
        const uint64_t want = (uint64_t)(packet < 0 ? packet + (1 << 24) : packet);
        const uint64_t got = rcc_psn_extend(rcc_psn_of((uint64_t)packet) | other_bits, (uint64_t)near);
        CHECK(got == want, "near %lld: %llu, want %llu", (long long)near, (unsigned long long)got,
              (unsigned long long)want);
    }
    ck_assert_uint_eq(rcc_psn_of(((uint64_t)1 << 24) + 3), 3);
    ck_assert_uint_eq(rcc_psn_extend(3, ((uint64_t)1 << 24) - 1), ((uint64_t)1 << 24) + 3);
    ck_assert_uint_eq(rcc_psn_extend(0xffffff, (uint64_t)1 << 24), ((uint64_t)1 << 24) - 1);
    ck_assert_uint_eq(rcc_psn_extend(0xffffff, 0), 0xffffff);
    ck_assert_uint_eq(rcc_psn_extend(0, 5), 0);
    ck_assert_uint_eq(rcc_psn_extend(0x800000, (uint64_t)1 << 24), (uint64_t)0x800000);
}
END_TEST

START_TEST(test_post)
{
    struct rcc_transport t = {1000, 64, 0, 0, 1000, false, false, true, true};
    struct rcc_message ring[4];
    struct rcc_sender s;
    struct rcc_segment segment;
    const struct
    {
        uint64_t bytes, packets;
        uint32_t last, dma;
    } cases[] = {{1, 1, 1, 1},
                 {1000, 1, 1000, 1000},
                 {1001, 2, 1, 1001},
                 {(uint64_t)1 << 31, 2147484, 648, 1u << 31},
                 {((uint64_t)1 << 31) + 1, 2147484, 649, 1u << 31},
                 {(uint64_t)1 << 43, 8796093023, 208, 1u << 31},
                 {UINT64_MAX, 18446744073709552, 615, 1u << 31}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        rcc_sender_init(&s, &t, ring, 4, 0);
        ck_assert_int_eq(rcc_sender_post(&s, cases[i].bytes, 5), RCC_POST_OK);
        ck_assert_uint_eq(ring[0].end, cases[i].packets);
        ck_assert_uint_eq(ring[0].last_payload, cases[i].last);
        ck_assert_uint_eq(rcc_message_bytes(&ring[0], t.mtu), cases[i].bytes);
        ck_assert_int_eq(ring[0].posted, 5);
        rcc_sender_send(&s, 0, &segment);
        ck_assert_uint_eq(segment.dma_length, cases[i].dma);
    }
    t.mtu = 1;
    rcc_sender_init(&s, &t, ring, 4, 0);
    ck_assert_int_eq(rcc_sender_post(&s, UINT64_MAX, 0), RCC_POST_TOO_LONG);
    ck_assert_int_eq(rcc_sender_post(&s, UINT64_MAX - 1, 0), RCC_POST_OK);
    ck_assert_int_eq(rcc_sender_post(&s, 1, 0), RCC_POST_TOO_LONG);
    t.reliable = false;
    rcc_sender_init(&s, &t, ring, 4, 0);
    ck_assert_int_eq(rcc_sender_post(&s, 1, 0), RCC_POST_DATAGRAM);
    ck_assert_int_eq(rcc_sender_post(&s, 0, 0), RCC_POST_OK);
    ck_assert_int_eq(rcc_sender_post(&s, 0, 0), RCC_POST_ENDLESS);
    rcc_sender_send(&s, 0, &segment);
    ck_assert(!segment.ack_request && segment.first && !segment.last);
    ck_assert_uint_eq(segment.dma_length, RCC_DMA_LENGTH_MAX);
}
END_TEST

/* A reason for each result but success, and each its own. */
START_TEST(test_post_text)
{
    static const char *const words[] = {"", "full", "without end", "datagrams", "2^64", "failed"};
    for (int i = RCC_POST_OK; i <= RCC_POST_FAILED; i++)
    {
        const char *const text = rcc_post_text((enum rcc_post)i);
        ck_assert_ptr_nonnull(strstr(text, words[i]));
        for (int j = RCC_POST_OK; j < i; j++)
            ck_assert_str_ne(text, rcc_post_text((enum rcc_post)j));
    }
    ck_assert_str_eq(rcc_post_text(RCC_POST_OK), "");
    ck_assert_str_eq(rcc_post_text((enum rcc_post)(RCC_POST_FAILED + 1)), "");
}
END_TEST

START_TEST(test_check)
{
    const struct rcc_transport good = {1000, 64, 0, 0, 1000, false, false, true, false};
    struct rcc_transport t = good;
    ck_assert_ptr_null(rcc_transport_check(&t));
    t.mtu = 0;
    ck_assert_ptr_nonnull(rcc_transport_check(&t));
    t.mtu = RCC_FRAME_MAX + 1;
    ck_assert_ptr_nonnull(rcc_transport_check(&t));
    t.mtu--;
    ck_assert_ptr_null(rcc_transport_check(&t));
    t = good;
    t.ack_every = 0;
    ck_assert_ptr_nonnull(rcc_transport_check(&t));
    t = good;
    t.timeout = 0;
    ck_assert_ptr_nonnull(rcc_transport_check(&t));
    t.timeout = 1;
    ck_assert_ptr_null(rcc_transport_check(&t));
    t.timeout = ((rcc_time)1 << 55) + 1;
    ck_assert_ptr_nonnull(rcc_transport_check(&t));
    t.timeout--;
    ck_assert_ptr_null(rcc_transport_check(&t));
}
END_TEST

/* The header of the expected packet is answered each time, one behind a gap once, an old one never. */
START_TEST(test_trimmed)
{
    struct rcc_receiver r = {0};
    const struct rcc_data first = {5, 1000, false, false};
    r.expected = 5;
    ck_assert(!rcc_receiver_trimmed(&r, 4, false));
    ck_assert(!r.nak_sent);
    ck_assert(rcc_receiver_trimmed(&r, 7, false));
    ck_assert(!rcc_receiver_trimmed(&r, 8, false));
    ck_assert(rcc_receiver_trimmed(&r, 8, true));
    ck_assert(!rcc_receiver_trimmed(&r, 4, true));
    ck_assert(rcc_receiver_trimmed(&r, 5, false));
    ck_assert(rcc_receiver_trimmed(&r, 5, false));
    ck_assert_uint_eq(rcc_receiver_data(&r, &first, true), RCC_RECEIVER_ACCEPT);
    ck_assert(!r.nak_sent && r.expected == 6 && r.bytes == 1000);
    ck_assert(rcc_receiver_trimmed(&r, 6, false));
    ck_assert(!rcc_receiver_trimmed(&r, 9, false)); /* the NAK for 6 is on its way */
}
END_TEST

START_TEST(test_variable_window)
{
    struct rcc_transport t = {1000, 64, 0, 0, 1000, false, false, true, false};
    struct rcc_message ring[1];
    struct rcc_sender s;
    struct rng rng = {11};
    rcc_sender_init(&s, &t, ring, 1, 0);
    ck_assert_uint_eq(rcc_sender_window(&s, 1, 2), 0);
    s.variable_window = true;
    ck_assert_uint_eq(rcc_sender_window(&s, 1, 2), 0);
    for (int i = 0; i < 20000; i++)
    {
        const uint64_t line = (uint64_t)rng_log_range(&rng, 1000000, (int64_t)RCC_LINE_RATE_MAX);
        const uint64_t rate = (uint64_t)rng_log_range(&rng, 1, (int64_t)line);
        s.window = (uint64_t)rng_log_range(&rng, 1, (int64_t)1 << 61);
        const uint64_t got = rcc_sender_window(&s, rate, line);
        const long double want = (long double)s.window * (long double)rate / (long double)line;
        CHECK((long double)got <= want + 1 && (long double)got >= want - 1 - want * 1e-18L && got >= 1, "%llu",
              (unsigned long long)got);
    }
    s.window = 30000;
    ck_assert_uint_eq(rcc_sender_window(&s, 1 * GBPS, 40 * GBPS), 750);
    ck_assert_uint_eq(rcc_sender_window(&s, 1, 40 * GBPS), 1);
}
END_TEST

/* Packets of equal size, offered at a rate: never closer than the gap, exact in the mean, without backlog. */
START_TEST(test_offer)
{
    struct rcc_offer offer;
    rcc_time now = 500;
    rcc_offer_set(&offer, 3 * GBPS, now);
    for (int i = 1; i <= 30000; i++)
    {
        rcc_offer_sent(&offer, 1000, now);
        now = offer.at;
    }
    ck_assert_int_eq(now, 500 + (rcc_time)30000 * 8000 / 3);
    rcc_offer_sent(&offer, 1000, now + 1000000);
    ck_assert_int_eq(offer.at, now + 1000000);
    ck_assert_uint_eq(offer.rest, 0);
    offer.rest = 2000;              /* rest of an earlier offer */
    rcc_offer_set(&offer, 2001, 7); /* 2001 * 3998001 = 8 * 10^9 + 1 */
    rcc_offer_sent(&offer, 1, 7);
    ck_assert_int_eq(offer.at, 7 + 3998000);
    rcc_offer_sent(&offer, 1, offer.at); /* both remainders make one */
    ck_assert_int_eq(offer.at, 7 + 2 * 3998000 + 1);
}
END_TEST

/* Three packets of a long message, and three more when those are acknowledged: an answer is due if a packet since `una`
 * has requested one. With a window it is due if any packet is in flight. */
START_TEST(test_awaits_ack)
{
    static const struct
    {
        uint32_t ack_every, chunk;
        uint64_t window, message;
        bool awaits, then;
    } cases[] = {{64, 0, 0, 100000, false, false}, {4, 0, 0, 100000, false, true},  {3, 0, 0, 100000, true, true},
                 {2, 0, 0, 100000, true, true},    {64, 5, 0, 100000, false, true}, {64, 3, 0, 100000, true, true},
                 {64, 7, 0, 100000, false, false}, {64, 0, 9, 100000, true, true},  {64, 0, 0, 6000, false, true},
                 {64, 0, 0, 6001, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        struct rcc_transport t = {1000, 64, 0, 0, 1000, false, false, true, false};
        struct rcc_message ring[1];
        struct rcc_timers timers;
        struct rcc_segment segment;
        struct rcc_sender s;
        uint64_t acked;
        t.ack_every = cases[i].ack_every;
        t.chunk = cases[i].chunk;
        rcc_timers_init(&timers);
        rcc_sender_init(&s, &t, ring, 1, 0);
        s.window = cases[i].window;
        s.bounded = s.window != 0;
        ck_assert_int_eq(rcc_sender_post(&s, cases[i].message, 0), RCC_POST_OK);
        ck_assert(!rcc_sender_awaits_ack(&s));
        for (int packet = 0; packet < 3; packet++)
            rcc_sender_send(&s, 0, &segment);
        CHECK(rcc_sender_awaits_ack(&s) == cases[i].awaits, "case %zu", i);
        ck_assert_int_eq(rcc_sender_acknowledge(&s, &timers, 3, false, &acked), RCC_SENDER_GOES_ON);
        CHECK(!rcc_sender_awaits_ack(&s), "case %zu: everything is acknowledged", i);
        for (int packet = 3; packet < 6; packet++)
            rcc_sender_send(&s, 0, &segment);
        CHECK(rcc_sender_awaits_ack(&s) == cases[i].then, "case %zu: three more", i);
    }
}
END_TEST

/* ------------------------------------------------------------------ timers */

#define TIMERS 50

/* The timer of the lower level is first when two expire at the same time; within a level, the one that was armed
 * first. */
START_TEST(test_equal_timers)
{
    struct rcc_timer t[2];
    struct rcc_timers timers;
    memset(t, 0, sizeof t);
    for (unsigned order = 0; order < 2; order++)
    {
        rcc_timers_init(&timers);
        rcc_timers_arm(&timers, &t[order], 100, (uint8_t)(1 + order));
        rcc_timers_arm(&timers, &t[1 - order], 100, (uint8_t)(2 - order));
        ck_assert_ptr_eq(rcc_timers_first(&timers), &t[0]);
        rcc_timers_disarm(&timers, &t[0]);
        ck_assert_ptr_eq(rcc_timers_first(&timers), &t[1]);
        rcc_timers_disarm(&timers, &t[1]);
    }
    ck_assert(rcc_timers_arm(&timers, &t[0], 100, 1));
    ck_assert(!rcc_timers_arm(&timers, &t[1], 100, 1));
    ck_assert_ptr_eq(rcc_timers_first(&timers), &t[0]);
}
END_TEST

START_TEST(test_timers)
{
    struct rcc_timer t[TIMERS];
    struct rcc_timers timers;
    struct rng rng = {5};
    rcc_time now = 0;
    memset(t, 0, sizeof t);
    rcc_timers_init(&timers);
    for (uint64_t step = 0; step < rounds(100000); step++)
    {
        struct rcc_timer *one = &t[rng_range(&rng, 0, TIMERS - 1)];
        const struct rcc_timer *first = rcc_timers_first(&timers);
        rcc_time least = RCC_NEVER;
        if (one->armed)
        {
            rcc_timers_disarm(&timers, one);
        }
        else
        {
            const uint8_t level = (uint8_t)rng_range(&rng, 0, RCC_BACKOFF_MAX);
            const rcc_time length = rng_chance(&rng, 5) ? 10 : 1000; /* a host that changes it */
            const bool head = rcc_timers_arm(&timers, one, now + (length << level), level);
            if (first == NULL || one->due < first->due)
                ck_assert(head);
        }
        for (int i = 0; i < TIMERS; i++)
            if (t[i].armed && t[i].due < least)
                least = t[i].due;
        first = rcc_timers_first(&timers);
        CHECK((first == NULL) == (least == RCC_NEVER) && (first == NULL || first->due == least), "step %llu",
              (unsigned long long)step);
        now += rng_range(&rng, 0, 50);
    }
}
END_TEST

Suite *suite_sender(void)
{
    Suite *suite = suite_create("sender");
    TCase *tc = tcase_create("core");
    tcase_add_test(tc, test_random_signals);
    tcase_add_test(tc, test_psn);
    tcase_add_test(tc, test_post);
    tcase_add_test(tc, test_post_text);
    tcase_add_test(tc, test_check);
    tcase_add_test(tc, test_variable_window);
    tcase_add_test(tc, test_trimmed);
    tcase_add_test(tc, test_offer);
    tcase_add_test(tc, test_awaits_ack);
    tcase_add_test(tc, test_timers);
    tcase_add_test(tc, test_equal_timers);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}
