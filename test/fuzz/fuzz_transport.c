/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes the transport: the input's bytes choose the parameters and a sequence of posts, packets, answers and timeouts
 * of one queue pair. Build and run as fuzz_core.c, with -Icore/transport.
 */
#include "fuzz.h"
#include "rcc_transport.h"

#define RING_MAX 64u

struct pair
{
    struct rcc_transport transport;
    struct rcc_sender tx;
    struct rcc_timers timers;
    struct rcc_receiver rx;
    struct rcc_message *ring;
    uint32_t capacity;
    uint64_t completed;
    rcc_time now;
};

static void post(struct pair *p, uint64_t bytes)
{
    enum rcc_post result = rcc_sender_post(&p->tx, bytes, p->now);
    if (result == RCC_POST_FULL && p->capacity < RING_MAX)
    {
        struct rcc_message *larger = malloc(2 * p->capacity * sizeof *larger);
        REQUIRE(larger != NULL);
        rcc_sender_grow(&p->tx, larger, 2 * p->capacity);
        free(p->ring);
        p->ring = larger;
        p->capacity *= 2;
        result = rcc_sender_post(&p->tx, bytes, p->now);
        REQUIRE(result == RCC_POST_OK);
    }
    REQUIRE(result == RCC_POST_OK ? rcc_sender_has_data(&p->tx) : true);
    REQUIRE(p->tx.failed == (result == RCC_POST_FAILED));
}

static void send_one(struct pair *p, uint64_t rate)
{
    const uint64_t window = rcc_sender_window(&p->tx, rate, 65536);
    struct rcc_segment s;
    struct rcc_data d;
    if (!rcc_sender_has_data(&p->tx) || rcc_sender_is_blocked(&p->tx, window))
        return;
    const uint32_t payload = rcc_sender_payload(&p->tx);
    rcc_sender_send(&p->tx, window, &s);
    REQUIRE(s.payload == payload && payload >= 1 && payload <= p->transport.mtu);
    REQUIRE(s.packet < p->tx.highest && (s.dma_length != 0) == (s.first && p->transport.write));
    REQUIRE(!s.ack_request || p->transport.reliable);
    if (s.ack_request)
        rcc_sender_arm(&p->tx, &p->timers, p->now);
    if (p->now % 3 == 0)
        return; /* lost */
    d.packet = s.packet;
    d.payload = s.payload;
    d.ce = p->now % 5 == 0;
    d.ack_request = s.ack_request;
    const unsigned actions = rcc_receiver_data(&p->rx, &d, p->transport.reliable);
    REQUIRE((actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK)) != (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK));
    REQUIRE(!(actions & RCC_RECEIVER_ECHO_CE) || actions & RCC_RECEIVER_ACK);
    REQUIRE(p->rx.expected <= p->tx.highest);
}

static void acknowledge(struct pair *p, uint64_t packet, bool nak)
{
    struct rcc_message m;
    uint64_t acked, before = p->tx.una;
    const enum rcc_sender_event event = rcc_sender_acknowledge(&p->tx, &p->timers, packet, nak, &acked);
    REQUIRE((event == RCC_SENDER_INVALID) == (packet > p->tx.highest));
    REQUIRE(acked == p->tx.una - before);
    while (rcc_sender_complete(&p->tx, &m))
    {
        REQUIRE(m.end <= p->tx.una && m.begin < m.end && m.end >= p->completed);
        p->completed = m.end;
    }
    if (rcc_sender_awaits_ack(&p->tx))
        rcc_sender_arm(&p->tx, &p->timers, p->now);
}

static void signal(struct pair *p, struct input *in)
{
    const uint8_t what = (uint8_t)take(in, 1);
    p->now += what;
    if (what < 30)
        post(p, take(in, 1 + what % 8));
    else if (what < 150)
        send_one(p, take(in, 2));
    else if (what < 180)
        acknowledge(p, p->rx.expected, what % 2 == 0);
    else if (what < 230)
        acknowledge(p, p->tx.una + take(in, 1) % 8 - take(in, 1) % 3 * (p->tx.una >= 2), what % 4 == 0);
    else if (what < 250 && rcc_timers_first(&p->timers) != NULL)
        rcc_sender_timeout(&p->tx, &p->timers);
    else if (what >= 250)
        REQUIRE(rcc_psn_extend(rcc_psn_of(p->tx.una), p->tx.una + take(in, 2)) == p->tx.una);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct pair p = {0};
    const uint8_t flags = (uint8_t)take(&in, 1);
    p.transport.mtu = 1 + (uint32_t)take(&in, 2) % 9000;
    p.transport.ack_every = 1 + (uint32_t)take(&in, 1);
    p.transport.chunk = (uint32_t)take(&in, 1) % 32;
    p.transport.retry_limit = flags & 1 ? (uint32_t)take(&in, 1) % 16 : 0;
    p.transport.timeout = 1 + (rcc_time)take(&in, 6);
    p.transport.backoff = (flags & 2) != 0;
    p.transport.back_to_zero = (flags & 4) != 0;
    p.transport.reliable = (flags & 24) != 24;
    p.transport.write = (flags & 32) != 0;
    REQUIRE(rcc_transport_check(&p.transport) == NULL);
    p.capacity = 1;
    p.ring = malloc(sizeof *p.ring);
    REQUIRE(p.ring != NULL);
    rcc_timers_init(&p.timers);
    rcc_sender_init(&p.tx, &p.transport, p.ring, 1, 0);
    p.tx.window = flags & 64 ? take(&in, 3) : 0;
    p.tx.variable_window = (flags & 128) != 0;
    while (in.size > 0)
    {
        signal(&p, &in);
        REQUIRE(p.tx.una <= p.tx.highest && p.tx.next <= p.tx.highest);
        REQUIRE(p.tx.next >= p.tx.una || p.transport.back_to_zero);
        REQUIRE(p.tx.answering <= p.tx.posted && p.tx.sending <= p.tx.posted);
        REQUIRE((rcc_timers_first(&p.timers) != NULL) == p.tx.timer.armed);
        REQUIRE(!p.tx.failed || !rcc_sender_has_data(&p.tx));
    }
    free(p.ring);
    return 0;
}
