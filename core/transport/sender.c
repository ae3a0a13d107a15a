/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The sending half of a queue pair: messages, window, acknowledgements, go-back-N. */
#include "rcc_transport.h"

#define TIMEOUT_MAX ((rcc_time)1 << 55) /* times 2^RCC_BACKOFF_MAX it fits rcc_time */

uint64_t rcc_psn_extend(uint32_t psn, uint64_t near)
{
    const uint64_t span = (uint64_t)RCC_PSN_MASK + 1;
    const uint64_t ahead = (psn - near) & RCC_PSN_MASK; /* distance from near, upwards */
    if (ahead < span / 2 || near < span - ahead)
        return near + ahead;
    return near + ahead - span;
}

const char *rcc_transport_check(const struct rcc_transport *transport)
{
    if (transport->mtu == 0 || transport->mtu > RCC_FRAME_MAX)
        return "the MTU is not in 1..65536 bytes";
    if (transport->ack_every == 0)
        return "an acknowledgement every 0 packets";
    if (transport->timeout < 1 || transport->timeout > TIMEOUT_MAX)
        return "the retransmission timeout is not in 1..2^55 ns";
    return NULL;
}

void rcc_sender_init(struct rcc_sender *s, const struct rcc_transport *transport, struct rcc_message *ring,
                     uint32_t capacity, uint32_t id)
{
    const struct rcc_sender zero = {0};
    *s = zero;
    s->transport = transport;
    s->ring = ring;
    s->mask = capacity - 1;
    s->timer.id = id;
}

/* ------------------------------------------------------------------ messages */

/* The first message that the ring must still hold. */
static uint64_t oldest(const struct rcc_sender *s)
{
    return s->sending < s->answering ? s->sending : s->answering;
}

void rcc_sender_grow(struct rcc_sender *s, struct rcc_message *ring, uint32_t capacity)
{
    for (uint64_t i = oldest(s); i != s->posted; i++)
        ring[i & (capacity - 1)] = s->ring[i & s->mask];
    s->ring = ring;
    s->mask = capacity - 1;
}

/* Set `sending` to the message that contains `next`. */
static void find_message(struct rcc_sender *s)
{
    s->sending = oldest(s);
    while (s->sending != s->posted && s->next >= s->ring[s->sending & s->mask].end)
        s->sending++;
}

enum rcc_post rcc_sender_post(struct rcc_sender *s, uint64_t bytes, rcc_time now)
{
    const uint32_t mtu = s->transport->mtu;
    const uint64_t packets = bytes / mtu + (bytes % mtu != 0); /* bytes may be near 2^64 */
    struct rcc_message *m = &s->ring[s->posted & s->mask];
    if (s->failed)
        return RCC_POST_FAILED;
    if (s->end == RCC_PACKET_NEVER)
        return RCC_POST_ENDLESS;
    if (!s->transport->reliable && bytes != 0)
        return RCC_POST_DATAGRAM;
    if (packets >= RCC_PACKET_NEVER - s->end)
        return RCC_POST_TOO_LONG;
    if (rcc_sender_is_full(s))
        return RCC_POST_FULL;
    m->begin = s->end;
    m->end = bytes != 0 ? s->end + packets : RCC_PACKET_NEVER;
    m->last_payload = bytes != 0 ? (uint32_t)(bytes - (packets - 1) * mtu) : mtu;
    m->posted = now;
    s->end = m->end;
    s->posted++; /* if all others were sent, `sending` is already this message */
    return RCC_POST_OK;
}

const char *rcc_post_text(enum rcc_post result)
{
    switch (result)
    {
    case RCC_POST_OK:
        break;
    case RCC_POST_FULL:
        return "the ring of messages is full";
    case RCC_POST_ENDLESS:
        return "message posted behind one without end";
    case RCC_POST_DATAGRAM:
        return "a message of datagrams has no end that could be acknowledged";
    case RCC_POST_TOO_LONG:
        return "the messages of a queue pair are longer than 2^64 packets";
    case RCC_POST_FAILED:
        return "the queue pair has failed";
    }
    return "";
}

void rcc_sender_flush(struct rcc_sender *s)
{
    s->sending = s->answering = s->posted;
}

bool rcc_sender_complete(struct rcc_sender *s, struct rcc_message *message)
{
    if (s->answering == s->posted || s->una < s->ring[s->answering & s->mask].end)
        return false;
    *message = s->ring[s->answering & s->mask];
    s->answering++;
    return true;
}

/* DMA length of a message in a RETH, bytes. */
static uint32_t dma_length(const struct rcc_message *m, uint32_t mtu)
{
    if (m->end - m->begin > RCC_DMA_LENGTH_MAX || rcc_message_bytes(m, mtu) > RCC_DMA_LENGTH_MAX)
        return RCC_DMA_LENGTH_MAX;
    return (uint32_t)rcc_message_bytes(m, mtu);
}

/* ------------------------------------------------------------------ window */

/* floor(a * b / c) for b < 2^44 and 0 < c < 2^44, if the result fits. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c)
{
#if defined(__SIZEOF_INT128__) && !defined(RCC_NO_INT128)
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b / c);
#else
    /* a = whole * c + part; part * b / c by long multiplication, bit by bit of b */
    const uint64_t whole = a / c, part = a % c;
    uint64_t quotient = 0, rest = 0;
    for (unsigned bit = 44; bit-- > 0;)
    {
        rest = 2 * rest + ((b >> bit & 1u) != 0 ? part : 0);
        quotient = 2 * quotient + rest / c;
        rest %= c;
    }
    return whole * b + quotient;
#endif
}

uint64_t rcc_sender_window(const struct rcc_sender *s, uint64_t rate, uint64_t line_rate)
{
    uint64_t window = s->window;
    if (window != 0 && s->variable_window)
    {
        window = scale(window, rate, line_rate);
        window = window != 0 ? window : 1;
    }
    return window;
}

/* ------------------------------------------------------------------ sending */

void rcc_sender_send(struct rcc_sender *s, uint64_t window, struct rcc_segment *segment)
{
    const struct rcc_transport *t = s->transport;
    const struct rcc_message *m = &s->ring[s->sending & s->mask];
    const uint64_t next = s->next + 1;
    bool asks;
    segment->packet = s->next;
    segment->first = s->next == m->begin;
    segment->last = next == m->end;
    segment->payload = segment->last ? m->last_payload : t->mtu;
    segment->dma_length = t->write && segment->first ? dma_length(m, t->mtu) : 0;
    asks = segment->last || next % t->ack_every == 0 || (t->chunk != 0 && next % t->chunk == 0);
    s->next = next;
    s->sending += segment->last;
    segment->window_full = rcc_sender_is_blocked(s, window);
    /* only an acknowledgement opens the window again */
    asks = asks || segment->window_full || s->asks_always;
    segment->ack_request = t->reliable && asks;
    segment->repeated = s->highest >= next;
    s->highest = segment->repeated ? s->highest : next;
}

/* Go back: the packets after the last one in order are sent again. */
static void go_back(struct rcc_sender *s)
{
    const struct rcc_transport *t = s->transport;
    s->next = s->una;
    if (t->back_to_zero && t->chunk != 0 && s->answering != s->posted)
    {
        const uint64_t begin = s->ring[s->answering & s->mask].begin, chunk = s->una - s->una % t->chunk;
        s->next = chunk > begin ? chunk : begin;
    }
    find_message(s);
}

enum rcc_sender_event rcc_sender_acknowledge(struct rcc_sender *s, struct rcc_timers *timers, uint64_t packet, bool nak,
                                             uint64_t *acked)
{
    const uint64_t before = s->una;
    *acked = 0;
    if (packet > s->highest)
        return RCC_SENDER_INVALID;
    if (packet > before)
    {
        s->una = packet;
        s->retries = 0;
        *acked = packet - before;
    }
    if (*acked != 0 || nak)
        rcc_timers_disarm(timers, &s->timer);
    if (nak && packet == s->una && s->next > s->una)
    {
        go_back(s);
        return RCC_SENDER_WENT_BACK;
    }
    if (s->next < s->una && !s->transport->back_to_zero)
    {
        s->next = s->una;
        find_message(s);
        return RCC_SENDER_SKIPPED;
    }
    return RCC_SENDER_GOES_ON;
}

bool rcc_sender_awaits_ack(const struct rcc_sender *s)
{
    const struct rcc_transport *t = s->transport;
    if (s->next <= s->una || s->failed)
        return false;
    if (s->sending > s->answering && s->ring[(s->sending - 1) & s->mask].end > s->una)
        return true; /* the last packet of a message is in flight */
    return s->bounded || s->next / t->ack_every > s->una / t->ack_every ||
           (t->chunk != 0 && s->next / t->chunk > s->una / t->chunk);
}

enum rcc_sender_event rcc_sender_timeout(struct rcc_sender *s, struct rcc_timers *timers)
{
    rcc_timers_disarm(timers, &s->timer);
    if (s->transport->retry_limit != 0 && s->retries >= s->transport->retry_limit)
    {
        s->failed = true;
        rcc_sender_flush(s);
        return RCC_SENDER_FAILED;
    }
    s->retries += s->retries != UINT32_MAX;
    go_back(s);
    return RCC_SENDER_WENT_BACK;
}
