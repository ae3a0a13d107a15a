/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Whole transfers from sender to receiver through a network that loses, reorders and duplicates; the receiver alone. */
#include "helpers.h"
#include "rcc_transport.h"

#include <string.h>

#define IN_FLIGHT 64

/* Packets in flight, in either direction. The wire has 24 bits of the packet number. */
struct packet
{
    rcc_time arrives;
    uint32_t psn, payload;
    bool answer, nak, ack_request;
};

struct net
{
    struct rng rng;
    unsigned lose, duplicate; /* percent */
    rcc_time jitter;
    struct packet flying[IN_FLIGHT];
    unsigned count;
    rcc_time now;
    struct rcc_transport transport;
    struct rcc_sender tx;
    struct rcc_timers timers;
    struct rcc_receiver rx;
    struct rcc_message ring[16];
    rcc_time nak_every; /* 0 = once */
    uint64_t accepted, naks, completed, timeouts;
};

static void put(struct net *net, struct packet packet)
{
    const unsigned copies = rng_chance(&net->rng, net->duplicate) ? 2 : 1;
    for (unsigned i = 0; i < copies; i++)
        if (net->count < IN_FLIGHT && !rng_chance(&net->rng, net->lose))
        {
            packet.arrives = net->now + 1000 + rng_range(&net->rng, 0, net->jitter);
            net->flying[net->count++] = packet;
        }
}

static void data_arrives(struct net *net, const struct packet *p)
{
    const uint64_t expected = net->rx.expected;
    const struct rcc_data data = {rcc_psn_extend(p->psn, expected), p->payload, false, p->ack_request};
    struct packet answer = {0, 0, 0, true, false, false};
    const unsigned actions =
        rcc_receiver_nak_again(&net->rx, &data, rcc_receiver_data(&net->rx, &data, true), net->nak_every, net->now);
    if (actions & RCC_RECEIVER_ACCEPT)
    {
        CHECK(data.packet == expected, "accepted out of order");
        net->accepted++;
    }
    answer.psn = rcc_psn_of(net->rx.expected);
    answer.nak = (actions & RCC_RECEIVER_NAK) != 0;
    net->naks += answer.nak;
    if (actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK))
        put(net, answer);
}

static void answer_arrives(struct net *net, const struct packet *p)
{
    struct rcc_message m;
    uint64_t acked;
    CHECK(rcc_sender_acknowledge(&net->tx, &net->timers, rcc_psn_extend(p->psn, net->tx.una), p->nak, &acked) !=
              RCC_SENDER_INVALID,
          "invalid");
    while (rcc_sender_complete(&net->tx, &m))
    {
        CHECK(m.end <= net->rx.expected, "completed before it arrived");
        net->completed++;
    }
    if (rcc_sender_awaits_ack(&net->tx))
        rcc_sender_arm(&net->tx, &net->timers, net->now);
}

/* The next event: an arrival, a timeout, or a packet that leaves every 100 ns. */
static void step(struct net *net)
{
    struct rcc_timer *timer = rcc_timers_first(&net->timers);
    unsigned next = net->count;
    net->now += 100;
    for (unsigned i = 0; i < net->count; i++)
        if (net->flying[i].arrives <= net->now &&
            (next == net->count || net->flying[i].arrives < net->flying[next].arrives))
            next = i;
    if (next < net->count)
    {
        const struct packet p = net->flying[next];
        net->flying[next] = net->flying[--net->count];
        if (p.answer)
            answer_arrives(net, &p);
        else
            data_arrives(net, &p);
    }
    else if (timer != NULL && timer->due <= net->now)
    {
        net->timeouts++;
        rcc_sender_timeout(&net->tx, &net->timers);
    }
    else if (rcc_sender_has_data(&net->tx) && !rcc_sender_is_blocked(&net->tx, net->tx.window))
    {
        struct rcc_segment s;
        struct packet p = {0, 0, 0, false, false, false};
        rcc_sender_send(&net->tx, net->tx.window, &s);
        p.psn = rcc_psn_of(s.packet);
        p.payload = s.payload;
        p.ack_request = s.ack_request;
        put(net, p);
        if (s.ack_request)
            rcc_sender_arm(&net->tx, &net->timers, net->now);
    }
}

static void net_init(struct net *net, uint64_t seed)
{
    const struct rcc_transport transport = {1000, 8,    seed % 3 == 0 ? 16 : 0, 0, 20000, seed % 2 == 0, seed % 5 == 0,
                                            true, false};
    memset(net, 0, sizeof *net);
    net->rng.state = seed;
    net->transport = transport;
    rcc_timers_init(&net->timers);
    rcc_sender_init(&net->tx, &net->transport, net->ring, 16, 0);
    net->tx.next = net->tx.una = net->tx.highest = net->tx.end = net->rx.expected = ((uint64_t)1 << 24) - 40;
    net->tx.window = 20000;
}

START_TEST(test_lossy_network)
{
    for (uint64_t seed = 1; seed <= 200; seed++)
    {
        struct net net;
        net_init(&net, seed);
        net.lose = seed % 4 == 0 ? 0 : (unsigned)seed % 20;
        net.duplicate = (unsigned)seed % 7;
        net.jitter = seed % 2 == 0 ? 0 : (rcc_time)(seed % 5) * 500;
        net.nak_every = seed % 6 < 3 ? 0 : (rcc_time)(seed % 6) * 1000;
        for (int i = 0; i < 10; i++)
            ck_assert_int_eq(rcc_sender_post(&net.tx, 12345, 0), RCC_POST_OK);
        for (int i = 0; i < 2000000 && net.completed < 10; i++)
            step(&net);
        CHECK(net.completed == 10, "seed %llu: %llu messages of 10", (unsigned long long)seed,
              (unsigned long long)net.completed);
        CHECK(net.accepted == 130 && net.rx.bytes == 123450, "seed %llu: each packet once", (unsigned long long)seed);
        if (net.lose == 0 && net.jitter == 0)
            CHECK(net.naks == 0 && net.timeouts == 0 && net.tx.highest == ((uint64_t)1 << 24) + 90,
                  "no loss, no repeat");
    }
}
END_TEST

/* Without answers the waits are T, 2T, 4T ..., then the queue pair fails. */
START_TEST(test_silence)
{
    const unsigned waits[] = {1, 2, 4, 8, 16, 32, 64, 128, 128, 128};
    struct net net;
    net_init(&net, 1);
    net.transport.backoff = true;
    net.transport.retry_limit = 9;
    rcc_sender_post(&net.tx, 1000, 0);
    for (unsigned i = 0; i < 10; i++)
    {
        struct rcc_segment s;
        rcc_sender_send(&net.tx, 0, &s);
        ck_assert(rcc_sender_arm(&net.tx, &net.timers, net.now));
        ck_assert(!rcc_sender_arm(&net.tx, &net.timers, net.now));
        ck_assert_int_eq(net.tx.timer.due - net.now, 20000 * (rcc_time)waits[i]);
        net.now = net.tx.timer.due;
        ck_assert_int_eq(rcc_sender_timeout(&net.tx, &net.timers), i < 9 ? RCC_SENDER_WENT_BACK : RCC_SENDER_FAILED);
    }
    ck_assert(net.tx.failed && !rcc_sender_has_data(&net.tx) && !rcc_sender_awaits_ack(&net.tx));
    ck_assert_int_eq(rcc_sender_post(&net.tx, 1000, 0), RCC_POST_FAILED);
}
END_TEST

/* ------------------------------------------------------------------ receiver */

START_TEST(test_receiver)
{
    for (uint64_t seed = 1; seed <= 50; seed++)
    {
        const bool reliable = seed % 4 != 0;
        struct rng rng = {seed};
        struct rcc_receiver rx = {0};
        uint64_t expected = 0, bytes = 0, nak_for = UINT64_MAX;
        bool ce = false;
        for (int i = 0; i < 20000; i++)
        {
            const uint64_t low = expected > 3 ? expected - 3 : 0;
            struct rcc_data data = {expected, (uint32_t)rng_range(&rng, 1, 4096), rng_chance(&rng, 10),
                                    rng_chance(&rng, 30)};
            unsigned want = 0;
            if (rng_chance(&rng, 40))
                data.packet = (uint64_t)rng_range(&rng, (int64_t)low, (int64_t)expected + 4);
            const bool take = data.packet == expected || (data.packet > expected && !reliable);
            const bool gap = data.packet > expected && reliable;
            ce = ce || data.ce;
            want |= take ? RCC_RECEIVER_ACCEPT : 0u;
            want |= gap && nak_for != expected ? RCC_RECEIVER_NAK : 0u;
            want |= !gap && data.ack_request ? RCC_RECEIVER_ACK : 0u;
            want |= !gap && data.ack_request && ce ? RCC_RECEIVER_ECHO_CE : 0u;
            nak_for = gap ? expected : nak_for;
            ce = ce && !(want & RCC_RECEIVER_ACK);
            bytes += take ? data.payload : 0;
            expected = take ? data.packet + 1 : expected;
            const unsigned got = rcc_receiver_data(&rx, &data, reliable);
            CHECK(got == want, "seed %llu step %d: %u, want %u", (unsigned long long)seed, i, got, want);
            CHECK(rx.expected == expected && rx.bytes == bytes && rx.ce_seen == ce, "state");
        }
    }
}
END_TEST

/* Against the rule of the HPCC simulator as its users know it: a NAK for another packet than the last one asked for, or
 * when the time since the last NAK is over. */
START_TEST(test_nak_again)
{
    for (uint64_t seed = 1; seed <= 40; seed++)
    {
        const bool reliable = seed % 5 != 0;
        const rcc_time every = seed % 4 == 0 ? 0 : (rcc_time)seed * 100;
        struct rng rng = {seed};
        struct rcc_receiver rx = {0};
        uint64_t asked = UINT64_MAX;
        rcc_time last = 0, now = 0;
        unsigned again = 0;
        for (int i = 0; i < 10000; i++)
        {
            const uint64_t before = rx.expected, low = before > 3 ? before - 3 : 0;
            const struct rcc_data data = {(uint64_t)rng_range(&rng, (int64_t)low, (int64_t)before + 4), 1, false,
                                          rng_chance(&rng, 30)};
            const bool gap = reliable && data.packet > before;
            const bool due = every != 0 && now >= last + every, nak = gap && (asked != before || due);
            const unsigned first = rcc_receiver_data(&rx, &data, reliable);
            const unsigned got = rcc_receiver_nak_again(&rx, &data, first, every, now);
            CHECK(got == (nak   ? RCC_RECEIVER_NAK
                          : gap ? 0
                                : first),
                  "seed %llu step %d: %u", (unsigned long long)seed, i, got);
            again += nak && asked == before;
            asked = nak ? before : asked;
            last = nak ? now : last;
            now += rng_range(&rng, 0, 500);
        }
        CHECK((again != 0) == (reliable && every != 0), "seed %llu: %u NAKs again", (unsigned long long)seed, again);
    }
}
END_TEST

/* The packet that is repeated is lost too. With the rule `once` only the timeout helps; otherwise the NAK does, 500 us
 * after the first. */
START_TEST(test_lost_twice)
{
    const struct rcc_transport transport = {1000, 1000, 0, 0, 67108864, false, false, true, false};
    for (rcc_time every = 0; every <= 500 * US; every += 500 * US)
    {
        struct rcc_message ring[1];
        struct rcc_timers timers;
        struct rcc_sender tx;
        struct rcc_receiver rx = {0};
        rcc_time now = 0, naked = 0;
        unsigned naks = 0;
        rcc_timers_init(&timers);
        rcc_sender_init(&tx, &transport, ring, 1, 0);
        rcc_sender_post(&tx, 0, 0);
        for (int sent = 0; sent < 10000 && now < 1 * MS; sent++, now += 1 * US)
        {
            struct rcc_segment s;
            uint64_t acked;
            rcc_sender_send(&tx, 0, &s);
            const struct rcc_data data = {s.packet, s.payload, false, s.ack_request};
            const unsigned actions =
                s.packet == 5 && naks < 2
                    ? 0
                    : rcc_receiver_nak_again(&rx, &data, rcc_receiver_data(&rx, &data, true), every, now);
            if ((actions & RCC_RECEIVER_NAK) == 0)
                continue;
            CHECK(naks == 0 || now - naked == every, "%lld ns after the first NAK", (long long)(now - naked));
            naked = now;
            naks++;
            ck_assert_int_eq(rcc_sender_acknowledge(&tx, &timers, rx.expected, true, &acked), RCC_SENDER_WENT_BACK);
        }
        ck_assert_uint_eq(naks, every == 0 ? 1 : 2);
        ck_assert((rx.expected > 400) == (every != 0));
    }
}
END_TEST

Suite *suite_transfer(void)
{
    Suite *suite = suite_create("transfer");
    TCase *tc = tcase_create("core");
    tcase_add_test(tc, test_lossy_network);
    tcase_add_test(tc, test_silence);
    tcase_add_test(tc, test_receiver);
    tcase_add_test(tc, test_nak_again);
    tcase_add_test(tc, test_lost_twice);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}
