/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes selective repeat: the input's bytes choose the settings and a sequence of posts, packets, honest and forged
 * answers, trimmed headers and timeouts of one queue pair. Build and run as fuzz_core.c, with -Icore/transport.
 */
#include "fuzz.h"
#include "rcc_selective.h"

#define RING 32u
#define KEPT 64u
#define DRAINED 4000u /* packets of a flow whose end is awaited */

struct pair
{
    struct rcc_transport transport;
    struct rcc_selective settings;
    struct rcc_sender tx;
    struct rcc_repeat repeat;
    struct rcc_placement rx;
    struct rcc_timers timers;
    struct rcc_message ring[RING];
    struct rcc_sack kept[KEPT]; /* answers on their way, in a ring: some overtake, some are lost */
    uint64_t answers, completed, arrived;
    bool forges, forged;
    bool dark; /* whatever leaves is lost */
    rcc_time now;
};

static void keep(struct pair *p, unsigned actions, const struct rcc_sack *sack)
{
    REQUIRE((actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK)) != (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK));
    REQUIRE(!(actions & RCC_RECEIVER_ECHO_CE) || actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK));
    if (!(actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK)))
        return;
    REQUIRE(sack->nak == ((actions & RCC_RECEIVER_NAK) != 0) && sack->nak == (sack->lost != 0));
    REQUIRE(sack->packet == p->rx.expected && sack->base % 64 == 0 && (!sack->trimmed || sack->lost == 1));
    p->kept[p->answers++ % KEPT] = *sack;
}

static void send_one(struct pair *p, uint8_t fate)
{
    const uint64_t window = rcc_repeat_window(&p->repeat, &p->tx, p->tx.window), bytes = p->rx.bytes;
    struct rcc_sack sack = {0};
    struct rcc_segment s;
    struct rcc_data d;
    unsigned actions;
    if (!rcc_sender_has_data(&p->tx) || rcc_repeat_is_blocked(&p->repeat, &p->tx, window))
        return;
    rcc_sender_send(&p->tx, window, &s);
    rcc_repeat_sent(&p->repeat, &p->tx, window, &s);
    REQUIRE(s.packet >= p->tx.una && s.packet < p->tx.highest && s.payload >= 1 && s.payload <= p->transport.mtu);
    REQUIRE(p->tx.highest - p->tx.una <= p->settings.packets);
    if (s.ack_request)
        rcc_repeat_arm(&p->repeat, &p->tx, &p->timers, p->now);
    if (fate < 40 || p->dark)
        return; /* lost */
    if (fate < 60)
    {
        keep(p, rcc_placement_trimmed(&p->rx, s.packet, fate % 2 == 0, &sack), &sack);
        return;
    }
    d.packet = s.packet;
    d.payload = s.payload;
    d.ce = fate % 5 == 0;
    d.ack_request = s.ack_request;
    actions = rcc_placement_data(&p->rx, &d, s.last, &sack);
    REQUIRE(p->rx.bytes == bytes + (actions & RCC_RECEIVER_ACCEPT ? s.payload : 0));
    REQUIRE(p->rx.expected <= p->rx.top && p->rx.top - p->rx.expected <= p->settings.packets);
    keep(p, actions, &sack);
}

static void acknowledge(struct pair *p, const struct rcc_sack *sack)
{
    const uint64_t next = p->tx.next, una = p->tx.una, flying = p->tx.highest - una;
    struct rcc_message m;
    uint64_t arrived;
    const enum rcc_sender_event event = rcc_repeat_acknowledge(&p->repeat, &p->tx, &p->timers, sack, &arrived);
    if (p->tx.failed)
        return;
    REQUIRE((event == RCC_SENDER_INVALID) == (sack->packet > p->tx.highest));
    REQUIRE(event != RCC_SENDER_INVALID || (p->tx.next == next && p->tx.una == una));
    REQUIRE(arrived <= flying);
    p->arrived += arrived;
    REQUIRE(p->arrived <= p->tx.highest);
    while (rcc_sender_complete(&p->tx, &m))
    {
        REQUIRE(m.begin == p->completed && m.end <= p->tx.una);
        p->completed = m.end;
    }
    if (rcc_repeat_awaits_ack(&p->tx))
        rcc_repeat_arm(&p->repeat, &p->tx, &p->timers, p->now);
}

static void forge(struct pair *p, struct input *in)
{
    struct rcc_sack sack;
    p->forged = true;
    sack.packet = p->tx.una + take(in, 1) % 8;
    sack.base = (p->tx.una + take(in, 2)) & ~(uint64_t)(take(in, 1) % 64);
    sack.bits = take(in, 8);
    sack.missing = take(in, 1) % 4 == 0 ? take(in, 8) : p->tx.una + take(in, 1);
    sack.lost = (uint32_t)take(in, 4);
    sack.nak = take(in, 1) % 2 == 0;
    sack.trimmed = take(in, 1) % 4 == 0;
    acknowledge(p, &sack);
}

static void signal(struct pair *p, struct input *in)
{
    const uint8_t what = (uint8_t)take(in, 1);
    struct rcc_sack sack = {0};
    p->now += what;
    if (what < 30)
        rcc_sender_post(&p->tx, take(in, 1 + what % (p->forges ? 4 : 2)), p->now);
    else if (what < 160)
        send_one(p, (uint8_t)take(in, 1));
    else if (what < 220 && p->answers != 0)
        acknowledge(p, &p->kept[(p->answers - 1 - take(in, 1) % (p->answers < KEPT ? p->answers : KEPT)) % KEPT]);
    else if (what < 226 && p->forges)
        forge(p, in);
    else if (what < 226)
        p->dark = !p->dark;
    else if (what < 236)
        keep(p, rcc_placement_trimmed(&p->rx, p->rx.expected + take(in, 2), false, &sack), &sack);
    else if (p->tx.timer.armed)
        rcc_repeat_timeout(&p->repeat, &p->tx, &p->timers);
}

/* Without forged answers a sender knows of no packet that has not arrived. */
static void drain(struct pair *p)
{
    struct rcc_sack sack;
    p->dark = false;
    for (uint64_t i = 0; i < 4 * p->tx.end + 1500 && !p->forged && !p->tx.failed && p->tx.end < DRAINED; i++)
    {
        const uint64_t next = p->tx.next;
        send_one(p, 255);
        if (p->answers != 0)
        {
            sack = p->kept[(p->answers - 1) % KEPT];
            acknowledge(p, &sack);
        }
        if (p->tx.timer.armed && p->tx.next == next)
            rcc_repeat_timeout(&p->repeat, &p->tx, &p->timers);
    }
    REQUIRE(p->forged || p->tx.failed || p->tx.end >= DRAINED || p->transport.retry_limit != 0 ||
            p->tx.una == p->tx.end);
    REQUIRE(p->forged || p->tx.una <= p->rx.expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    static struct pair p;
    uint64_t *words;
    memset(&p, 0, sizeof p);
    const uint8_t flags = (uint8_t)take(&in, 1), more = (uint8_t)take(&in, 1);
    p.transport.mtu = 1 + (uint32_t)take(&in, 2) % 9000;
    p.transport.ack_every = 1 + (uint32_t)take(&in, 1);
    p.transport.retry_limit = flags & 1 ? (uint32_t)take(&in, 1) % 16 : 0;
    p.transport.timeout = 1 + (rcc_time)take(&in, 6);
    p.transport.backoff = (flags & 2) != 0;
    p.transport.reliable = true;
    REQUIRE(rcc_selective_preset(&p.settings, &p.transport, flags & 4 ? "irn" : "nic"));
    p.settings.packets = 64u << (flags >> 3) % 4;
    p.settings.naks = (enum rcc_gap_rule)(more % 3);
    p.settings.infer = p.settings.infer || p.settings.naks == RCC_GAP_SILENT;
    p.settings.reorder = p.settings.infer && more & 4 ? (uint32_t)take(&in, 1) % p.settings.packets : 0;
    p.settings.again = (more & 8) != 0;
    p.settings.timeout_all = (more & 16) != 0;
    p.settings.few = more & 32 ? 3 : 0;
    p.settings.rto_low = 1 + (p.transport.timeout - 1) / 2;
    REQUIRE(rcc_selective_check(&p.settings, &p.transport) == NULL);
    words = allocate((rcc_repeat_words(&p.settings) + rcc_placement_words(&p.settings)) * sizeof *words);
    rcc_timers_init(&p.timers);
    rcc_repeat_init(&p.repeat, &p.settings, words);
    rcc_placement_init(&p.rx, &p.settings, words + rcc_repeat_words(&p.settings));
    rcc_sender_init(&p.tx, &p.transport, p.ring, RING, 0);
    p.forges = (flags & 32) != 0;
    p.tx.window = more & 64 ? take(&in, flags & 64 ? 3 : 2) : 0;
    p.tx.fits = p.tx.window % 2 == 1;
    p.repeat.counts = (more & 128) != 0;
    while (in.size > 0)
    {
        signal(&p, &in);
        REQUIRE(p.tx.una <= p.tx.next && p.tx.next <= p.tx.highest);
        REQUIRE(p.tx.answering <= p.tx.posted && p.tx.sending <= p.tx.posted);
        REQUIRE((rcc_timers_first(&p.timers) != NULL) == p.tx.timer.armed);
        REQUIRE(p.tx.failed || p.repeat.n_lost != 0 || p.tx.next == p.tx.highest);
        REQUIRE(p.repeat.n_lost <= p.tx.highest - p.tx.una);
    }
    drain(&p);
    free(words);
    return 0;
}
