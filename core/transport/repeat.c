/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The sender of selective repeat: what is lost, and what is sent next. */
#include "bits.h"
#include "rcc_selective.h"

static uint32_t words_of(const struct rcc_repeat *r)
{
    return r->settings->packets / 64;
}

void rcc_repeat_init(struct rcc_repeat *r, const struct rcc_selective *selective, uint64_t *words)
{
    const struct rcc_repeat zero = {0};
    const uint32_t n = selective->packets / 64;
    *r = zero;
    r->settings = selective;
    r->arrived = words;
    r->lost = words + n;
    r->repeated = words + 2 * n;
    r->awaited = words + 3 * n;
    for (uint32_t i = 0; i < rcc_repeat_words(selective); i++)
        words[i] = 0;
}

/* ------------------------------------------------------------------ the next packet */

/* Move `next` to the first lost packet, or behind all that was sent. */
static void seek(struct rcc_repeat *r, struct rcc_sender *s)
{
    const uint64_t next = r->n_lost != 0 ? bits_first(r->lost, words_of(r), s->una, s->highest) : s->highest;
    if (next == s->next)
        return;
    s->next = next;
    while (s->sending > s->answering && (s->sending == s->posted || next < s->ring[s->sending & s->mask].begin))
        s->sending--;
    while (s->sending != s->posted && next >= s->ring[s->sending & s->mask].end)
        s->sending++;
}

/* Whether a round waits for its end. */
static bool is_awaiting(const struct rcc_repeat *r)
{
    uint64_t any = 0;
    for (uint32_t i = 0; r->has_awaited && i < words_of(r); i++)
        any |= r->awaited[i];
    return any != 0;
}

/* The first new packet after repeats: what arrives from now on, and was sent after them, has a round trip behind it. */
static void end_round(struct rcc_repeat *r, uint64_t packet)
{
    for (uint32_t i = 0; i < words_of(r); i++)
    {
        r->awaited[i] = r->repeated[i];
        r->repeated[i] = 0;
    }
    r->mark = packet;
    r->has_repeated = false;
    r->has_awaited = true;
}

bool rcc_repeat_is_blocked(const struct rcc_repeat *r, const struct rcc_sender *s, uint64_t window)
{
    const uint64_t in_flight = rcc_repeat_in_flight(r, s);
    if (r->timed_out)
        return false;
    if (!r->counts)
        return rcc_sender_is_blocked(s, window);
    if (r->n_lost == 0 && s->highest - s->una >= r->settings->packets)
        return true;
    if (in_flight == 0)
        return false;
    return s->fits ? in_flight + (rcc_sender_has_data(s) ? rcc_sender_payload(s) : s->transport->mtu) > window
                   : in_flight >= window;
}

void rcc_repeat_sent(struct rcc_repeat *r, struct rcc_sender *s, uint64_t window, struct rcc_segment *segment)
{
    r->timed_out = false;
    if (r->n_lost != 0)
    {
        *bits_word(r->lost, words_of(r), segment->packet) &= ~bits_of(segment->packet);
        *bits_word(r->repeated, words_of(r), segment->packet) |= bits_of(segment->packet);
        r->n_lost--;
        r->has_repeated = true;
        if (segment->packet >= r->repeats_end)
            r->repeats_end = segment->packet + 1;
        r->packets++;
        r->bytes += segment->payload;
        segment->ack_request = true;
        seek(r, s);
        segment->window_full = rcc_repeat_is_blocked(r, s, window);
        return;
    }
    if (r->counts)
        segment->window_full = rcc_repeat_is_blocked(r, s, window);
    if (r->has_repeated && r->settings->again && !is_awaiting(r))
        end_round(r, segment->packet);
}

/* ------------------------------------------------------------------ what is lost */

/* Take packets from..to - 1 for lost that are in flight, and with `whatever` those that were repeated. */
static void lose(struct rcc_repeat *r, uint64_t from, uint64_t to, bool whatever)
{
    const uint32_t words = words_of(r);
    for (uint64_t at = from; at < to; at += 64 - at % 64)
    {
        const uint64_t range = bits_range(at, from, to);
        uint64_t *lost = bits_word(r->lost, words, at), *repeated = bits_word(r->repeated, words, at);
        uint64_t *awaited = bits_word(r->awaited, words, at);
        uint64_t set = range & ~*bits_word(r->arrived, words, at) & ~*lost;
        if (!whatever)
            set &= ~(*repeated | *awaited);
        *lost |= set;
        *repeated &= ~set;
        *awaited &= ~set;
        r->n_lost += bits_count(set);
        r->losses += bits_count(set);
    }
}

/* A packet that was sent after those in `awaited` has arrived: they are lost again. */
static void lose_again(struct rcc_repeat *r)
{
    for (uint32_t i = 0; i < words_of(r); i++)
    {
        r->lost[i] |= r->awaited[i];
        r->n_lost += bits_count(r->awaited[i]);
        r->losses += bits_count(r->awaited[i]);
        r->awaited[i] = 0;
    }
    r->has_awaited = false;
}

/* Find the packets that are lost, judging by the arrivals of later ones. */
static void judge(struct rcc_repeat *r, uint64_t una)
{
    const uint64_t reorder = r->settings->reorder;
    if (r->has_awaited && r->top > r->mark + reorder)
        lose_again(r);
    if (!r->settings->infer || r->top <= una + 1 + reorder)
        return;
    r->inferred = r->inferred > una ? r->inferred : una;
    if (r->inferred < r->top - 1 - reorder)
    {
        lose(r, r->inferred, r->top - 1 - reorder, false);
        r->inferred = r->top - 1 - reorder;
    }
}

/* ------------------------------------------------------------------ what has arrived */

/* Forget the packets from..to - 1, which are acknowledged; returns how many of them were known to have arrived. */
static uint32_t forget(struct rcc_repeat *r, uint64_t from, uint64_t to)
{
    const uint32_t words = words_of(r);
    uint32_t known = 0;
    for (uint64_t at = from; at < to; at += 64 - at % 64)
    {
        const uint64_t range = bits_range(at, from, to);
        uint64_t *arrived = bits_word(r->arrived, words, at), *lost = bits_word(r->lost, words, at);
        known += bits_count(*arrived & range);
        r->n_lost -= bits_count(*lost & range);
        *arrived &= ~range;
        *lost &= ~range;
        *bits_word(r->repeated, words, at) &= ~range;
        *bits_word(r->awaited, words, at) &= ~range;
    }
    r->n_arrived -= known;
    return known;
}

/* Note the SACK bits; returns how many are news. Packet `una` cannot have arrived, or it would be acknowledged. */
static uint32_t note(struct rcc_repeat *r, const struct rcc_sender *s, const struct rcc_sack *sack)
{
    const uint64_t base = sack->base - sack->base % 64, low = s->una + 1 > base ? s->una + 1 : base;
    const uint32_t words = words_of(r);
    uint64_t news;
    if (base >= s->highest || low - base >= 64)
        return 0;
    news = sack->bits & bits_range(low, low, s->highest) & ~*bits_word(r->arrived, words, low);
    if (news == 0)
        return 0;
    *bits_word(r->arrived, words, low) |= news;
    r->n_arrived += bits_count(news);
    r->n_lost -= bits_count(*bits_word(r->lost, words, low) & news);
    *bits_word(r->lost, words, low) &= ~news;
    *bits_word(r->repeated, words, low) &= ~news;
    *bits_word(r->awaited, words, low) &= ~news;
    for (uint64_t packet = base + 64; packet > r->top; packet--)
        if (news & bits_of(packet - 1))
            r->top = packet;
    return bits_count(news);
}

/* The missing range of a NAK: it holds unless packets may overtake each other, or the header has arrived. Returns
 * whether a header is the first answer to what was sent. */
static bool request(struct rcc_repeat *r, const struct rcc_sender *s, const struct rcc_sack *sack)
{
    const uint64_t from = sack->missing > s->una ? sack->missing : s->una, end = sack->missing + sack->lost;
    const uint32_t before = r->n_lost;
    if (sack->nak && (r->settings->reorder == 0 || sack->trimmed) && end >= sack->missing)
        lose(r, from, end < s->highest ? end : s->highest, sack->trimmed);
    return sack->trimmed && r->n_lost > before;
}

enum rcc_sender_event rcc_repeat_acknowledge(struct rcc_repeat *r, struct rcc_sender *s, struct rcc_timers *timers,
                                             const struct rcc_sack *sack, uint64_t *arrived)
{
    const uint64_t before = s->next, una = s->una;
    const bool plain = sack->bits == 0 && !sack->nak, quiet = r->n_lost == 0 && r->repeats_end <= una;
    uint32_t news;
    if (rcc_sender_acknowledge(s, timers, sack->packet, false, arrived) == RCC_SENDER_INVALID)
        return RCC_SENDER_INVALID;
    if (plain && quiet && r->top <= una)
        return RCC_SENDER_GOES_ON; /* the usual case: no bitmap has a bit */
    *arrived -= forget(r, una, s->una);
    r->top = r->top > s->una ? r->top : s->una;
    news = note(r, s, sack);
    *arrived += news;
    judge(r, s->una);
    if (request(r, s, sack) || news != 0)
        rcc_timers_disarm(timers, &s->timer);
    r->timed_out = r->timed_out && r->n_lost != 0;
    seek(r, s);
    return s->next == before ? RCC_SENDER_GOES_ON : s->next > before ? RCC_SENDER_SKIPPED : RCC_SENDER_WENT_BACK;
}

/* ------------------------------------------------------------------ timeouts */

/* How often the wait is doubled. */
static uint32_t doubled(const struct rcc_sender *s)
{
    const uint32_t retries = s->transport->backoff ? s->retries : 0;
    return retries < RCC_BACKOFF_MAX ? retries : RCC_BACKOFF_MAX;
}

/* The list RCC_BACKOFF_MAX of the timers is that of rto_low, so that each list is in the order of arming. */
bool rcc_repeat_arm(struct rcc_repeat *r, struct rcc_sender *s, struct rcc_timers *timers, rcc_time now)
{
    const uint32_t shift = doubled(s), level = shift < RCC_BACKOFF_MAX ? shift : RCC_BACKOFF_MAX - 1;
    if (s->timer.armed || r->timed_out)
        return false;
    r->low = s->highest - s->una <= r->settings->few && r->settings->few != 0;
    if (r->low)
        return rcc_timers_arm(timers, &s->timer, now + (r->settings->rto_low << shift), RCC_BACKOFF_MAX);
    return rcc_timers_arm(timers, &s->timer, now + (s->transport->timeout << shift), (uint8_t)level);
}

enum rcc_sender_event rcc_repeat_timeout(struct rcc_repeat *r, struct rcc_sender *s, struct rcc_timers *timers)
{
    if (r->low && s->highest - s->una > r->settings->few)
    {
        rcc_timers_disarm(timers, &s->timer);
        rcc_repeat_arm(r, s, timers, s->timer.due - (r->settings->rto_low << doubled(s)));
        return RCC_SENDER_GOES_ON;
    }
    if (rcc_sender_timeout(s, timers) == RCC_SENDER_FAILED)
        return RCC_SENDER_FAILED;
    lose(r, s->una, r->settings->timeout_all ? s->highest : s->una + (s->highest > s->una), true);
    seek(r, s);
    r->timed_out = r->n_lost != 0;
    return RCC_SENDER_WENT_BACK;
}
