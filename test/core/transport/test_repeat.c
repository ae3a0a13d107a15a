/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The sender of selective repeat compared with a naive one that keeps a state for every packet. */
#include "helpers.h"
#include "rcc_selective.h"

#include <stdlib.h>
#include <string.h>

#define PACKETS 8000u
#define RING 64u

/* ------------------------------------------------------------------ the naive sender */

enum state
{
    UNSENT,
    FLYING,
    LOST,
    REPEATED,
    AWAITED,
    ARRIVED
};

struct naive
{
    struct rcc_selective settings;
    uint64_t start; /* number of packet 0 of the array */
    enum state state[PACKETS];
    uint64_t una, highest, mark, packets, losses;
    bool header;    /* the last answer was the first to say that a transmission was trimmed */
    bool timed_out; /* no packet has left since the last timeout, and one is lost */
};

static enum state *at(struct naive *n, uint64_t packet)
{
    return &n->state[packet - n->start];
}

static uint64_t first_of(struct naive *n, enum state state, uint64_t otherwise)
{
    for (uint64_t p = n->una; p < n->highest; p++)
        if (*at(n, p) == state)
            return p;
    return otherwise;
}

static void lose_one(struct naive *n, uint64_t packet)
{
    n->losses += *at(n, packet) != LOST;
    *at(n, packet) = LOST;
}

static void replace(struct naive *n, enum state from, enum state to)
{
    for (uint64_t p = n->una; p < n->highest; p++)
        if (*at(n, p) == from)
        {
            n->losses += to == LOST;
            *at(n, p) = to;
        }
}

static uint64_t naive_next(struct naive *n)
{
    return first_of(n, LOST, n->highest);
}

/* Packets that were sent and have neither arrived nor are lost. */
static uint64_t naive_flying(struct naive *n)
{
    uint64_t flying = 0;
    for (uint64_t p = n->una; p < n->highest; p++)
        flying += *at(n, p) != ARRIVED && *at(n, p) != LOST;
    return flying;
}

static void naive_sent(struct naive *n, uint64_t packet)
{
    n->timed_out = false;
    if (packet < n->highest)
    {
        *at(n, packet) = REPEATED;
        n->packets++;
        return;
    }
    if (n->settings.again && first_of(n, REPEATED, UINT64_MAX) != UINT64_MAX &&
        first_of(n, AWAITED, UINT64_MAX) == UINT64_MAX)
    {
        replace(n, REPEATED, AWAITED);
        n->mark = packet;
    }
    *at(n, packet) = FLYING;
    n->highest = packet + 1;
}

/* The packet after the highest one that has arrived. */
static uint64_t top_of(struct naive *n)
{
    uint64_t top = n->una;
    for (uint64_t p = n->una; p < n->highest; p++)
        if (*at(n, p) == ARRIVED)
            top = p + 1;
    return top;
}

static uint64_t naive_acknowledge(struct naive *n, const struct rcc_sack *sack)
{
    const uint64_t reorder = n->settings.reorder;
    uint64_t news = 0;
    n->header = false;
    for (; n->una < sack->packet; n->una++)
        news += *at(n, n->una) != ARRIVED;
    for (unsigned i = 0; i < 64; i++)
    {
        const uint64_t p = sack->base / 64 * 64 + i;
        if (p > n->una && p < n->highest && (sack->bits >> i & 1) != 0 && *at(n, p) != ARRIVED)
        {
            *at(n, p) = ARRIVED;
            news++;
        }
    }
    if (top_of(n) > n->mark + reorder)
        replace(n, AWAITED, LOST);
    for (uint64_t p = n->una; n->settings.infer && p + 1 + reorder < top_of(n); p++)
        if (*at(n, p) == FLYING)
            lose_one(n, p);
    for (uint64_t p = sack->missing; p - sack->missing < sack->lost && sack->nak; p++)
        if (p >= n->una && p < n->highest && *at(n, p) != ARRIVED)
            if (sack->trimmed || (*at(n, p) == FLYING && reorder == 0))
            {
                n->header = n->header || (sack->trimmed && *at(n, p) != LOST);
                lose_one(n, p);
            }
    n->timed_out = n->timed_out && first_of(n, LOST, UINT64_MAX) != UINT64_MAX;
    return news;
}

static void naive_timeout(struct naive *n)
{
    for (uint64_t p = n->una; p < (n->settings.timeout_all ? n->highest : n->una + 1) && p < n->highest; p++)
        if (*at(n, p) != ARRIVED)
            lose_one(n, p);
    n->timed_out = naive_next(n) != n->highest;
}

/* ------------------------------------------------------------------ random signals */

struct pair
{
    struct rng rng;
    struct rcc_transport transport;
    struct rcc_sender tx;
    struct rcc_repeat repeat;
    struct rcc_timers timers;
    struct rcc_message ring[RING];
    uint64_t *words, last_end;
    rcc_time now;
    bool low;  /* how the timer was armed */
    bool calm; /* answers are plain acknowledgements, for a while */
};

static void pair_init(struct pair *p, struct naive *n, uint64_t seed)
{
    static const uint64_t starts[] = {0, 5, ((uint64_t)1 << 24) - 20, ((uint64_t)1 << 40) + 63};
    const struct rcc_transport transport = {
        100, 1 + (uint32_t)(seed % 5), 0, seed % 7 == 0 ? 4 : 0, 10000, seed % 2 == 0, false, true, seed % 3 == 0};
    struct rcc_selective *s = &n->settings;
    memset(p, 0, sizeof *p);
    memset(n, 0, sizeof *n);
    p->rng.state = seed;
    p->transport = transport;
    s->packets = 64u << seed % 3;
    s->naks = RCC_GAP_EACH;
    s->infer = seed / 2 % 2 == 0;
    s->reorder = s->infer && seed / 4 % 2 == 0 ? (uint32_t)rng_range(&p->rng, 1, 40) : 0;
    s->again = seed / 8 % 2 == 0;
    s->timeout_all = seed / 16 % 2 == 0;
    s->few = seed / 32 % 2 == 0 ? 3 : 0;
    s->rto_low = 3000;
    ck_assert_ptr_null(rcc_selective_check(s, &p->transport));
    p->words = malloc((rcc_repeat_words(s) + 1) * sizeof *p->words);
    memset(p->words, 0xa5, (rcc_repeat_words(s) + 1) * sizeof *p->words);
    rcc_repeat_init(&p->repeat, s, p->words);
    p->repeat.counts = seed % 11 % 2 == 1; /* in a few rounds, too */
    rcc_timers_init(&p->timers);
    rcc_sender_init(&p->tx, &p->transport, p->ring, RING, 7);
    n->start = n->una = n->highest = starts[seed % 4];
    p->tx.next = p->tx.una = p->tx.highest = p->tx.end = p->last_end = n->start;
    p->tx.fits = rng_chance(&p->rng, 50);
    p->tx.window = rng_chance(&p->rng, 50) ? (uint64_t)rng_range(&p->rng, 1, 10000) : 0;
    if (rng_chance(&p->rng, 50))
        p->tx.window -= p->tx.window % 100; /* the window has whole packets */
}

static void arm(struct pair *p, struct naive *n)
{
    const bool armed = p->tx.timer.armed, low = n->settings.few != 0 && n->highest - n->una <= n->settings.few;
    const unsigned retries = p->transport.backoff ? p->tx.retries : 0;
    const rcc_time wait = (rcc_time)(low ? 3000 : 10000) << (retries < RCC_BACKOFF_MAX ? retries : RCC_BACKOFF_MAX);
    CHECK(rcc_repeat_arm(&p->repeat, &p->tx, &p->timers, p->now) == (!armed && !n->timed_out),
          "the only timer is the first, and after a timeout a packet leaves before it");
    if (armed || n->timed_out)
        return;
    p->low = low;
    CHECK(p->tx.timer.due == p->now + wait, "due after %lld, want %lld", (long long)(p->tx.timer.due - p->now),
          (long long)wait);
}

/* Whether the window forbids packet `next`; each is of 100 bytes but the last one of a message. */
static bool naive_blocked(struct pair *p, struct naive *n, uint64_t next, uint64_t window)
{
    const uint64_t end = p->repeat.counts || next > n->una ? next : n->una;
    const uint64_t flying = p->repeat.counts ? naive_flying(n) : end - n->una;
    const uint64_t payload = rcc_sender_has_data(&p->tx) ? rcc_sender_payload(&p->tx) : 100;
    if (n->timed_out)
        return false;
    if (p->repeat.counts && next == n->highest && next - n->una >= n->settings.packets)
        return true;
    return flying != 0 && (p->tx.fits ? 100 * flying + payload > window : 100 * flying >= window);
}

static void send_one(struct pair *p, struct naive *n)
{
    const uint64_t window = rcc_repeat_window(&p->repeat, &p->tx, p->tx.window);
    const uint64_t next = naive_next(n), before = n->highest;
    struct rcc_segment s;
    CHECK(window <= n->settings.packets * 100 && window >= 1, "window %llu", (unsigned long long)window);
    CHECK(rcc_repeat_is_blocked(&p->repeat, &p->tx, window) == naive_blocked(p, n, next, window), "blocked");
    CHECK(!p->repeat.counts || rcc_repeat_in_flight(&p->repeat, &p->tx) == 100 * naive_flying(n), "in flight");
    if (!rcc_sender_has_data(&p->tx) || rcc_repeat_is_blocked(&p->repeat, &p->tx, window) ||
        before + 1 == n->start + PACKETS)
        return;
    rcc_sender_send(&p->tx, window, &s);
    CHECK(s.packet == next, "sent %llu, want %llu", (unsigned long long)s.packet, (unsigned long long)next);
    naive_sent(n, next);
    rcc_repeat_sent(&p->repeat, &p->tx, window, &s);
    CHECK(s.ack_request || next == before, "a repeat requests an answer");
    CHECK(s.window_full == naive_blocked(p, n, naive_next(n), window), "full");
    CHECK(s.ack_request || !s.window_full, "only an answer opens the window again");
    CHECK(n->highest - n->una <= n->settings.packets, "more than the bitmap spans");
    if (s.ack_request)
        arm(p, n);
}

static void acknowledge(struct pair *p, struct naive *n)
{
    const uint64_t flying = n->highest - n->una, before = p->tx.next, una = n->una;
    struct rcc_sack sack = {.packet = n->una};
    const bool armed = p->tx.timer.armed;
    uint64_t arrived, want;
    if (flying != 0 && rng_chance(&p->rng, 40))
        sack.packet += (uint64_t)rng_range(&p->rng, 0, (int64_t)(flying < 5 ? flying : 5));
    if (rng_chance(&p->rng, 5) && sack.packet > n->start + 5)
        sack.packet -= 5; /* an old answer */
    sack.base = n->una + (uint64_t)rng_range(&p->rng, 0, (int64_t)flying + 70);
    if (rng_chance(&p->rng, 50)) /* as receivers have it */
        sack.base -= sack.base % 64;
    sack.bits = rng_chance(&p->rng, 50) ? (uint64_t)1 << rng_range(&p->rng, 0, 63) : rng_next(&p->rng);
    sack.nak = rng_chance(&p->rng, 50);
    if (p->calm)
    {
        sack.bits = 0;
        sack.nak = false;
    }
    sack.trimmed = sack.nak && rng_chance(&p->rng, 20);
    sack.missing = sack.packet + (uint64_t)rng_range(&p->rng, 0, (int64_t)flying + 3);
    sack.lost = sack.trimmed ? 1 : (uint32_t)rng_range(&p->rng, 0, 9);
    const enum rcc_sender_event event = rcc_repeat_acknowledge(&p->repeat, &p->tx, &p->timers, &sack, &arrived);
    want = naive_acknowledge(n, &sack);
    CHECK(arrived == want, "%llu arrived, want %llu", (unsigned long long)arrived, (unsigned long long)want);
    CHECK(event == (p->tx.next > before   ? RCC_SENDER_SKIPPED
                    : p->tx.next < before ? RCC_SENDER_WENT_BACK
                                          : RCC_SENDER_GOES_ON),
          "event %d", event);
    ck_assert(p->tx.timer.armed == (armed && arrived == 0 && p->tx.una == una && !n->header));
    if (rcc_repeat_awaits_ack(&p->tx))
        arm(p, n);
}

static void time_out(struct pair *p, struct naive *n)
{
    const bool fails = p->transport.retry_limit != 0 && p->tx.retries == p->transport.retry_limit;
    const unsigned shift = p->transport.backoff ? p->tx.retries : 0;
    const rcc_time due = p->tx.timer.due;
    enum rcc_sender_event event;
    if (!p->tx.timer.armed)
        return;
    p->now = p->now > due ? p->now : due;
    event = rcc_repeat_timeout(&p->repeat, &p->tx, &p->timers);
    if (p->low && n->highest - n->una > n->settings.few)
    {
        ck_assert_int_eq(event, RCC_SENDER_GOES_ON);
        ck_assert_int_eq(p->tx.timer.due - due, 7000 << (shift < RCC_BACKOFF_MAX ? shift : RCC_BACKOFF_MAX));
        p->low = false;
        return;
    }
    ck_assert_int_eq(event, fails ? RCC_SENDER_FAILED : RCC_SENDER_WENT_BACK);
    ck_assert(!p->tx.timer.armed);
    if (!fails)
        naive_timeout(n);
}

static void complete(struct pair *p, struct naive *n)
{
    struct rcc_message m;
    while (rcc_sender_complete(&p->tx, &m))
    {
        CHECK(m.begin == p->last_end && m.end <= n->una, "messages complete in order");
        p->last_end = m.end;
    }
}

static void compare_state(struct pair *p, struct naive *n)
{
    uint32_t lost = 0;
    for (uint64_t i = n->una; i < n->highest; i++)
        lost += *at(n, i) == LOST;
    CHECK(p->tx.una == n->una && p->tx.highest == n->highest && p->tx.next == naive_next(n),
          "next %llu, want %llu of %llu..%llu", (unsigned long long)p->tx.next, (unsigned long long)naive_next(n),
          (unsigned long long)n->una, (unsigned long long)n->highest);
    CHECK(p->repeat.n_lost == lost && p->repeat.packets == n->packets, "%u lost, want %u", p->repeat.n_lost, lost);
    CHECK(p->repeat.losses == n->losses, "%llu losses", (unsigned long long)p->repeat.losses);
    CHECK(rcc_repeat_awaits_ack(&p->tx) == (n->highest > n->una), "awaits");
    if (rcc_sender_has_data(&p->tx))
    {
        const struct rcc_message *m = &p->ring[p->tx.sending % RING];
        CHECK(m->begin <= p->tx.next && p->tx.next < m->end, "the message of the next packet");
    }
    else
    {
        CHECK(p->tx.next == p->tx.end, "all is sent");
    }
}

START_TEST(against_a_naive_sender)
{
    static struct naive n;
    for (uint64_t seed = 1; seed <= rounds(256); seed++)
    {
        struct pair p;
        pair_init(&p, &n, seed);
        for (int i = 0; i < 1500 && !p.tx.failed; i++)
        {
            const int64_t what = rng_range(&p.rng, 0, 99);
            p.now += rng_range(&p.rng, 0, 100);
            if (i % 100 == 0)
                p.calm = rng_chance(&p.rng, 50);
            if (what < 10 && !rcc_sender_is_full(&p.tx))
                rcc_sender_post(&p.tx, (uint64_t)rng_log_range(&p.rng, 1, 3000), p.now);
            else if (what < 70)
                send_one(&p, &n);
            else if (what < 97 || (p.calm && rng_chance(&p.rng, 80)))
                acknowledge(&p, &n);
            else
                time_out(&p, &n);
            complete(&p, &n);
            if (!p.tx.failed)
                compare_state(&p, &n);
        }
        CHECK(p.repeat.bytes <= p.repeat.packets * 100 && p.repeat.bytes >= p.repeat.packets, "bytes");
        if (p.tx.failed)
            ck_assert(!rcc_sender_has_data(&p.tx) && !rcc_repeat_awaits_ack(&p.tx));
        ck_assert_uint_eq(p.words[rcc_repeat_words(&n.settings)], UINT64_C(0xa5a5a5a5a5a5a5a5));
        free(p.words);
    }
}
END_TEST

/* ------------------------------------------------------------------ edges */

struct lone
{
    struct rcc_transport transport;
    struct rcc_selective settings;
    struct rcc_sender tx;
    struct rcc_repeat repeat;
    struct rcc_timers timers;
    struct rcc_message ring[2];
    uint64_t words[4];
};

static void lone_init(struct lone *l, const char *preset, unsigned sent)
{
    const struct rcc_transport transport = {1000, 64, 0, 0, 1000, false, false, true, false};
    memset(l, 0, sizeof *l);
    l->transport = transport;
    ck_assert(rcc_selective_preset(&l->settings, &l->transport, preset));
    l->settings.packets = 64;
    rcc_repeat_init(&l->repeat, &l->settings, l->words);
    rcc_timers_init(&l->timers);
    rcc_sender_init(&l->tx, &l->transport, l->ring, 2, 0);
    ck_assert_int_eq(rcc_sender_post(&l->tx, 0, 0), RCC_POST_OK);
    for (unsigned i = 0; i < sent; i++)
    {
        struct rcc_segment s;
        rcc_sender_send(&l->tx, 0, &s);
        rcc_repeat_sent(&l->repeat, &l->tx, 64000, &s);
    }
}

static uint64_t send_next(struct lone *l)
{
    struct rcc_segment s;
    rcc_sender_send(&l->tx, 64000, &s);
    rcc_repeat_sent(&l->repeat, &l->tx, 64000, &s);
    return s.packet;
}

/* Answers that no receiver sends change nothing that they should not. */
START_TEST(answers_that_are_wrong)
{
    struct lone l;
    struct rcc_sack future = {.packet = 11}, far = {.packet = 0, .base = 128, .bits = UINT64_MAX};
    struct rcc_sack una = {.packet = 0, .bits = 1}, wide = {.packet = 0, .missing = 3, .lost = UINT32_MAX, .nak = true};
    struct rcc_sack over = {.packet = 0, .missing = UINT64_MAX - 1, .lost = 5, .nak = true};
    uint64_t arrived;
    lone_init(&l, "nic", 10);
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &future, &arrived), RCC_SENDER_INVALID);
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &far, &arrived), RCC_SENDER_GOES_ON);
    ck_assert_uint_eq(arrived, 0);
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &una, &arrived), RCC_SENDER_GOES_ON);
    ck_assert_uint_eq(arrived, 0);
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &over, &arrived), RCC_SENDER_GOES_ON);
    ck_assert_uint_eq(l.repeat.n_lost, 0);
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &wide, &arrived), RCC_SENDER_WENT_BACK);
    ck_assert_uint_eq(l.repeat.n_lost, 7);
    ck_assert_uint_eq(l.tx.next, 3);
}
END_TEST

/* Each packet of the largest bitmap has a place of its own. */
START_TEST(the_largest_bitmap)
{
    const uint32_t most = RCC_SELECTIVE_PACKETS_MAX;
    struct rcc_sack nak = {.lost = 1, .nak = true};
    struct rcc_segment s;
    struct lone l;
    uint64_t arrived, *words;
    lone_init(&l, "nic", 0);
    l.settings.packets = most;
    words = malloc(rcc_repeat_words(&l.settings) * sizeof *words);
    rcc_repeat_init(&l.repeat, &l.settings, words);
    ck_assert_ptr_eq(l.repeat.awaited + most / 64, words + rcc_repeat_words(&l.settings));
    for (uint32_t i = 0; i < most; i++)
    {
        rcc_sender_send(&l.tx, 0, &s);
        rcc_repeat_sent(&l.repeat, &l.tx, 1000 * (uint64_t)most, &s);
    }
    for (uint64_t i = 1; i < most / 64; i++)
    {
        nak.missing = i * 64 + i % 64;
        rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &nak, &arrived);
        ck_assert_uint_eq(l.repeat.n_lost, i);
    }
    for (uint64_t i = 1; i < most / 64; i++)
    {
        rcc_sender_send(&l.tx, 0, &s);
        rcc_repeat_sent(&l.repeat, &l.tx, 1000 * (uint64_t)most, &s);
        ck_assert_uint_eq(s.packet, i * 64 + i % 64);
    }
    ck_assert_uint_eq(l.repeat.n_lost, 0);
    free(words);
}
END_TEST

/* Once per round trip: what is repeated is not repeated again for the answers to what was sent before. */
START_TEST(one_repeat_per_round_trip)
{
    struct lone l;
    struct rcc_sack nak = {.packet = 2, .bits = 0xf8, .missing = 2, .lost = 1, .nak = true};
    uint64_t arrived;
    lone_init(&l, "nic", 10);
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &nak, &arrived), RCC_SENDER_WENT_BACK);
    ck_assert_uint_eq(arrived, 2 + 5);
    ck_assert_uint_eq(send_next(&l), 2);
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &nak, &arrived), RCC_SENDER_GOES_ON);
    ck_assert_uint_eq(arrived, 0);
    ck_assert_uint_eq(send_next(&l), 10); /* the first packet of the next round */
    nak.bits = 0x3f8;
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &nak, &arrived), RCC_SENDER_GOES_ON);
    ck_assert_uint_eq(arrived, 2);
    nak.bits = 0x7f8; /* packet 10 has arrived, and packet 2 has not */
    ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &nak, &arrived), RCC_SENDER_WENT_BACK);
    ck_assert_uint_eq(send_next(&l), 2);
    ck_assert_uint_eq(send_next(&l), 11);
    ck_assert_uint_eq(l.repeat.packets, 2);
    ck_assert_uint_eq(l.repeat.bytes, 2000);
}
END_TEST

/* A NACK of a trimmed packet is about one transmission: the packet is repeated at once, however often it was. It is an
 * answer: the timer starts again with the repeat. The same NACK once more is none. */
START_TEST(trimmed_packets_are_repeated_at_once)
{
    struct lone l;
    struct rcc_sack nak = {.packet = 2, .missing = 5, .lost = 1, .nak = true, .trimmed = true};
    uint64_t arrived;
    lone_init(&l, "irn", 10);
    for (unsigned i = 1; i <= 3; i++)
    {
        ck_assert(rcc_repeat_arm(&l.repeat, &l.tx, &l.timers, i * 50));
        ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &nak, &arrived), RCC_SENDER_WENT_BACK);
        ck_assert(!l.tx.timer.armed);
        ck_assert(rcc_repeat_arm(&l.repeat, &l.tx, &l.timers, i * 50 + 10));
        ck_assert_int_eq(rcc_repeat_acknowledge(&l.repeat, &l.tx, &l.timers, &nak, &arrived), RCC_SENDER_GOES_ON);
        ck_assert(l.tx.timer.armed);
        rcc_timers_disarm(&l.timers, &l.tx.timer);
        ck_assert_uint_eq(send_next(&l), 5);
        ck_assert_uint_eq(l.repeat.packets, i);
    }
}
END_TEST

/* Few packets are in flight when the timer is armed, and many when it expires: the long timeout holds. */
START_TEST(low_timeout)
{
    struct lone l;
    lone_init(&l, "irn", 3);
    ck_assert(rcc_repeat_arm(&l.repeat, &l.tx, &l.timers, 50));
    ck_assert(!rcc_repeat_arm(&l.repeat, &l.tx, &l.timers, 60));
    ck_assert_int_eq(l.tx.timer.due, 50 + 100 * US);
    ck_assert_uint_eq(send_next(&l), 3);
    ck_assert_int_eq(rcc_repeat_timeout(&l.repeat, &l.tx, &l.timers), RCC_SENDER_GOES_ON);
    ck_assert(l.tx.timer.armed);
    ck_assert_int_eq(l.tx.timer.due, 50 + 320 * US);
    ck_assert_uint_eq(l.tx.retries, 0);
    ck_assert_int_eq(rcc_repeat_timeout(&l.repeat, &l.tx, &l.timers), RCC_SENDER_WENT_BACK);
    for (uint64_t packet = 0; packet < 4; packet++)
        ck_assert_uint_eq(send_next(&l), packet);
    lone_init(&l, "irn", 3);
    rcc_repeat_arm(&l.repeat, &l.tx, &l.timers, 50);
    ck_assert_int_eq(rcc_repeat_timeout(&l.repeat, &l.tx, &l.timers), RCC_SENDER_WENT_BACK);
    lone_init(&l, "nic", 0);
    rcc_repeat_arm(&l.repeat, &l.tx, &l.timers, 50); /* no packet is in flight, which counts as few */
    ck_assert_int_eq(l.tx.timer.due, 1050);
}
END_TEST

/* Without answers the waits double, and then the queue pair fails. */
START_TEST(silence)
{
    struct lone l;
    lone_init(&l, "irn", 9);
    l.transport.backoff = true;
    l.transport.retry_limit = 9;
    for (unsigned i = 0; i < 10; i++)
    {
        ck_assert(rcc_repeat_arm(&l.repeat, &l.tx, &l.timers, 0));
        ck_assert_int_eq(l.tx.timer.due, 320 * US << (i < RCC_BACKOFF_MAX ? i : RCC_BACKOFF_MAX));
        ck_assert_ptr_eq(l.timers.head[i < RCC_BACKOFF_MAX ? i : RCC_BACKOFF_MAX - 1], &l.tx.timer);
        ck_assert_int_eq(rcc_repeat_timeout(&l.repeat, &l.tx, &l.timers),
                         i < 9 ? RCC_SENDER_WENT_BACK : RCC_SENDER_FAILED);
        if (i < 9) /* the timer waits for a packet to leave */
        {
            ck_assert(!rcc_repeat_arm(&l.repeat, &l.tx, &l.timers, 0));
            ck_assert_uint_eq(send_next(&l), 0);
        }
    }
    ck_assert(l.tx.failed && !rcc_sender_has_data(&l.tx) && !rcc_repeat_awaits_ack(&l.tx));
}
END_TEST

Suite *suite_repeat(void)
{
    Suite *suite = suite_create("repeat");
    TCase *tc = long_tcase("sender");
    tcase_add_test(tc, against_a_naive_sender);
    tcase_add_test(tc, answers_that_are_wrong);
    tcase_add_test(tc, the_largest_bitmap);
    tcase_add_test(tc, one_repeat_per_round_trip);
    tcase_add_test(tc, trimmed_packets_are_repeated_at_once);
    tcase_add_test(tc, low_timeout);
    tcase_add_test(tc, silence);
    suite_add_tcase(suite, tc);
    return suite;
}
