/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Whole transfers with selective repeat through a network that loses, reorders, duplicates and trims. */
#include "helpers.h"
#include "rcc_selective.h"

#include <stdlib.h>
#include <string.h>

#define IN_FLIGHT 1024
#define FIRST (((uint64_t)1 << 24) - 40)
#define MESSAGES 12u

/* Packets in flight, in either direction. */
struct packet
{
    rcc_time arrives;
    uint64_t number;
    uint32_t payload;
    bool answer, ack_request, last, trimmed;
    struct rcc_sack sack;
};

struct net
{
    struct rng rng;
    unsigned lose, lose_answers, duplicate, trim; /* per 10000 */
    rcc_time jitter;
    struct packet flying[IN_FLIGHT];
    unsigned count;
    rcc_time now;
    struct rcc_transport transport;
    struct rcc_selective settings;
    struct rcc_sender tx;
    struct rcc_repeat repeat;
    struct rcc_timers timers;
    struct rcc_placement rx;
    struct rcc_message ring[16];
    uint64_t words[6 * 16];
    uint64_t accepted, sent, lost, completed, timeouts, arrived, posted_bytes, posted_packets;
};

static bool happens(struct net *net, unsigned per_10000)
{
    return per_10000 != 0 && rng_range(&net->rng, 0, 9999) < (int64_t)per_10000;
}

static void put(struct net *net, struct packet packet)
{
    const unsigned copies = happens(net, net->duplicate) ? 2 : 1;
    const bool lost = happens(net, packet.answer ? net->lose_answers : net->lose);
    if (!packet.answer && happens(net, net->trim))
        packet.trimmed = true;
    net->lost += lost && !packet.answer;
    for (unsigned i = 0; i < copies && !lost; i++)
    {
        CHECK(net->count < IN_FLIGHT, "the network is full");
        packet.arrives = net->now + 10000 + rng_range(&net->rng, 0, net->jitter);
        net->flying[net->count++] = packet;
    }
}

static void data_arrives(struct net *net, const struct packet *p)
{
    const struct rcc_data data = {p->number, p->payload, false, p->ack_request};
    struct packet answer = {.answer = true};
    const unsigned actions = p->trimmed ? rcc_placement_trimmed(&net->rx, p->number, false, &answer.sack)
                                        : rcc_placement_data(&net->rx, &data, p->last, &answer.sack);
    net->accepted += (actions & RCC_RECEIVER_ACCEPT) != 0;
    if (actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK))
        put(net, answer);
}

static void answer_arrives(struct net *net, const struct packet *p)
{
    struct rcc_message m;
    uint64_t arrived;
    CHECK(rcc_repeat_acknowledge(&net->repeat, &net->tx, &net->timers, &p->sack, &arrived) != RCC_SENDER_INVALID,
          "invalid");
    net->arrived += arrived;
    while (rcc_sender_complete(&net->tx, &m))
    {
        net->completed++;
        CHECK(net->completed <= net->rx.messages, "completed before it arrived");
    }
    if (rcc_repeat_awaits_ack(&net->tx))
        rcc_repeat_arm(&net->repeat, &net->tx, &net->timers, net->now);
}

static void send_one(struct net *net, uint64_t window)
{
    struct rcc_segment s;
    struct packet p = {.answer = false};
    rcc_sender_send(&net->tx, window, &s);
    rcc_repeat_sent(&net->repeat, &net->tx, window, &s);
    p.number = s.packet;
    p.payload = s.payload;
    p.ack_request = s.ack_request;
    p.last = s.last;
    net->sent++;
    put(net, p);
    if (s.ack_request)
        rcc_repeat_arm(&net->repeat, &net->tx, &net->timers, net->now);
}

/* The next event: an arrival, a timeout, or a packet that leaves every 100 ns. */
static void step(struct net *net)
{
    const uint64_t window = rcc_repeat_window(&net->repeat, &net->tx, net->tx.window);
    const struct rcc_timer *timer = rcc_timers_first(&net->timers);
    unsigned next = net->count;
    net->now += 100;
    for (unsigned i = 0; i < net->count; i++)
        if (net->flying[i].arrives <= net->now &&
            (next == net->count || net->flying[i].arrives < net->flying[next].arrives))
            next = i;
    if (next < net->count)
    {
        const struct packet p = net->flying[next];
        memmove(&net->flying[next], &net->flying[next + 1],
                (--net->count - next) * sizeof p); /* they keep their order */
        if (p.answer)
            answer_arrives(net, &p);
        else
            data_arrives(net, &p);
    }
    else if (timer != NULL && timer->due <= net->now)
    {
        net->timeouts += rcc_repeat_timeout(&net->repeat, &net->tx, &net->timers) == RCC_SENDER_WENT_BACK;
    }
    else if (rcc_sender_has_data(&net->tx) && !rcc_sender_is_blocked(&net->tx, window))
    {
        send_one(net, window);
    }
}

static void net_init(struct net *net, const char *preset, uint64_t seed)
{
    const struct rcc_transport transport = {1000, 8, 0, 0, 400000, false, false, true, false};
    memset(net, 0, sizeof *net);
    net->rng.state = seed;
    net->transport = transport;
    ck_assert(rcc_selective_preset(&net->settings, &net->transport, preset));
    net->settings.packets = 128;
    ck_assert_ptr_null(rcc_selective_check(&net->settings, &net->transport));
    rcc_timers_init(&net->timers);
    rcc_repeat_init(&net->repeat, &net->settings, net->words);
    rcc_placement_init(&net->rx, &net->settings, net->words + rcc_repeat_words(&net->settings));
    rcc_sender_init(&net->tx, &net->transport, net->ring, 16, 0);
    net->tx.next = net->tx.una = net->tx.highest = net->tx.end = net->rx.expected = net->rx.top = FIRST;
}

static void run(struct net *net, uint64_t seed)
{
    for (unsigned i = 0; i < MESSAGES; i++)
    {
        const uint64_t bytes = (uint64_t)rng_log_range(&net->rng, 1, 400000);
        net->posted_bytes += bytes;
        net->posted_packets += (bytes + 999) / 1000;
        ck_assert_int_eq(rcc_sender_post(&net->tx, bytes, 0), RCC_POST_OK);
    }
    for (int i = 0; i < 20000000 && net->completed < MESSAGES; i++)
        step(net);
    CHECK(net->completed == MESSAGES && net->rx.messages == MESSAGES, "seed %llu: %llu messages of %u",
          (unsigned long long)seed, (unsigned long long)net->completed, MESSAGES);
    CHECK(net->accepted == net->posted_packets && net->rx.bytes == net->posted_bytes, "seed %llu: each packet once",
          (unsigned long long)seed);
    CHECK(net->arrived == net->posted_packets, "seed %llu: each packet acknowledged once", (unsigned long long)seed);
    CHECK(net->sent == net->posted_packets + net->repeat.packets, "seed %llu: sent", (unsigned long long)seed);
    CHECK(net->rx.outside == 0, "seed %llu: beyond the bitmap", (unsigned long long)seed);
    CHECK(rcc_timers_first(&net->timers) == NULL, "seed %llu: a timer is armed", (unsigned long long)seed);
}

static const char *const names[] = {"irn", "nic"};

/* Loss of 1e-4 to 0.3 in both directions, with reordering, duplicates and trimming: every packet is placed and
 * acknowledged once, every message completes in order. */
START_TEST(conservation)
{
    static const unsigned losses[] = {0, 1, 10, 100, 1000, 3000};
    for (uint64_t seed = 1; seed <= rounds(240); seed++)
    {
        static struct net net;
        net_init(&net, names[seed % 2], seed);
        net.lose = losses[seed / 2 % 6];
        net.lose_answers = losses[seed / 3 % 6];
        net.duplicate = seed % 5 == 0 ? 500 : 0;
        net.jitter = seed % 7 == 0 ? 3000 : 0;
        net.trim = seed % 11 == 0 ? 300 : 0;
        if (seed % 13 == 0)
        {
            net.settings.naks = RCC_GAP_SILENT;
            net.settings.infer = true;
            net.settings.reorder = 20;
            net.transport.ack_every = 2;
        }
        run(&net, seed);
    }
}
END_TEST

/* On a path in order, without a loss nothing is repeated. With losses of data alone, what is repeated is what was lost,
 * unless a timeout repeats what was to arrive. */
START_TEST(only_what_is_missing)
{
    uint64_t repeats = 0, quiet = 0;
    for (uint64_t seed = 1; seed <= rounds(200); seed++)
    {
        static struct net net;
        net_init(&net, names[seed % 2], seed);
        net.lose = seed % 4 == 0 ? 0 : (unsigned)(seed % 10) * 20;
        run(&net, seed);
        CHECK(net.repeat.packets >= net.lost, "seed %llu", (unsigned long long)seed);
        repeats += net.repeat.packets;
        quiet += net.timeouts == 0;
        if (net.timeouts == 0)
            CHECK(net.repeat.packets == net.lost && net.rx.duplicates == 0, "seed %llu: %llu repeated of %llu",
                  (unsigned long long)seed, (unsigned long long)net.repeat.packets, (unsigned long long)net.lost);
    }
    ck_assert_uint_gt(repeats, 0);
    ck_assert_uint_gt(quiet, rounds(200) / 4);
}
END_TEST

/* Paths that reorder by up to 3 us, and lose nothing: who bears as many packets as can overtake repeats nothing; IRN's
 * own rule repeats what is late. */
START_TEST(reordering_without_loss)
{
    uint64_t repeats = 0;
    for (uint64_t seed = 1; seed <= rounds(40); seed++)
    {
        static struct net net;
        net_init(&net, "irn", seed);
        net.jitter = 3000;
        net.settings.reorder = 32; /* 3 us are 30 packets */
        net.settings.naks = seed % 2 == 0 ? RCC_GAP_SILENT : RCC_GAP_EACH;
        run(&net, seed);
        CHECK(net.repeat.packets == 0 && net.rx.duplicates == 0 && net.timeouts == 0, "seed %llu: %llu repeated",
              (unsigned long long)seed, (unsigned long long)net.repeat.packets);
        net_init(&net, "irn", seed);
        net.jitter = 3000;
        run(&net, seed);
        CHECK(net.rx.duplicates <= net.repeat.packets, "seed %llu", (unsigned long long)seed);
        repeats += net.repeat.packets;
    }
    ck_assert_uint_gt(repeats, 0);
}
END_TEST

/* Every tenth packet is trimmed, in order or not: each is repeated once per trim, without a timeout. */
START_TEST(trimming)
{
    for (uint64_t seed = 1; seed <= rounds(40); seed++)
    {
        static struct net net;
        net_init(&net, "irn", seed);
        net.trim = 1000;
        net.settings.naks = RCC_GAP_SILENT;
        net.settings.reorder = 64; /* the headers alone tell of losses */
        run(&net, seed);
        CHECK(net.repeat.packets == net.rx.trimmed && net.timeouts == 0 && net.rx.duplicates == 0,
              "seed %llu: %llu repeated, %llu trimmed", (unsigned long long)seed,
              (unsigned long long)net.repeat.packets, (unsigned long long)net.rx.trimmed);
    }
}
END_TEST

Suite *suite_selective_transfer(void)
{
    Suite *suite = suite_create("selective_transfer");
    TCase *tc = long_tcase("core");
    tcase_add_test(tc, conservation);
    tcase_add_test(tc, only_what_is_missing);
    tcase_add_test(tc, reordering_without_loss);
    tcase_add_test(tc, trimming);
    suite_add_tcase(suite, tc);
    return suite;
}
