/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The receiver of selective repeat: placement out of order, messages that complete in order, SACKs. */
#include "bits.h"
#include "rcc_selective.h"

static uint32_t words_of(const struct rcc_placement *r)
{
    return r->settings->packets / 64;
}

void rcc_placement_init(struct rcc_placement *r, const struct rcc_selective *selective, uint64_t *words)
{
    const struct rcc_placement zero = {0};
    *r = zero;
    r->settings = selective;
    r->placed = words;
    r->ends = words + words_of(r);
    for (uint32_t i = 0; i < rcc_placement_words(selective); i++)
        words[i] = 0;
}

/* Place a packet after a gap, which the bitmap spans. */
static void place(struct rcc_placement *r, uint64_t packet, bool last)
{
    *bits_word(r->placed, words_of(r), packet) |= bits_of(packet);
    if (last)
        *bits_word(r->ends, words_of(r), packet) |= bits_of(packet);
    r->top = packet < r->top ? r->top : packet + 1;
    r->early++;
}

static bool is_placed(const struct rcc_placement *r, uint64_t packet)
{
    return packet < r->expected || (packet < r->top && (*bits_word(r->placed, words_of(r), packet) & bits_of(packet)));
}

/* `expected` has arrived: go on to the next gap, word by word. */
static void advance(struct rcc_placement *r, bool last)
{
    const uint32_t words = words_of(r);
    r->expected++;
    r->messages += last;
    while (r->expected < r->top)
    {
        uint64_t *placed = bits_word(r->placed, words, r->expected), *ends = bits_word(r->ends, words, r->expected);
        const uint64_t all = bits_range(r->expected, r->expected, r->top), gap = all & ~*placed;
        const uint64_t run = gap != 0 ? all & ((gap & (~gap + 1)) - 1) : all; /* below the first gap */
        r->messages += bits_count(*ends & run);
        *placed &= ~run;
        *ends &= ~run;
        r->expected += bits_count(run);
        if (gap != 0)
            return;
    }
    r->top = r->expected;
}

/* Fill in an answer to `packet`: the SACK bits around it, and the missing range from..to - 1 of a NAK. */
static void fill(const struct rcc_placement *r, struct rcc_sack *answer, uint64_t packet, uint64_t from, uint64_t to)
{
    const uint64_t at = packet > r->expected ? packet : r->expected, base = at - at % 64;
    const uint64_t low = r->expected > base ? r->expected : base;
    answer->packet = r->expected;
    answer->base = base;
    answer->bits = 0;
    if (r->expected < r->top)
        answer->bits = *bits_word(r->placed, words_of(r), at) & bits_range(at, low, r->expected + r->settings->packets);
    answer->missing = from;
    answer->lost = (uint32_t)(to - from);
    answer->nak = to > from;
    answer->trimmed = false;
}

/* An ACK or a NAK, which echoes CE. */
static unsigned echo(struct rcc_placement *r, unsigned action)
{
    const unsigned ce = r->ce_seen ? RCC_RECEIVER_ECHO_CE : 0;
    r->ce_seen = false;
    return action | ce;
}

static unsigned acknowledge(struct rcc_placement *r, uint64_t packet, struct rcc_sack *answer)
{
    fill(r, answer, packet, r->expected, r->expected);
    return echo(r, RCC_RECEIVER_ACK);
}

/* The answer to a packet that was placed after a gap: `top` is that before it. */
static unsigned answer_early(struct rcc_placement *r, const struct rcc_data *data, uint64_t top,
                             struct rcc_sack *answer)
{
    const bool opens = data->packet > top;
    if (r->settings->naks == RCC_GAP_EACH || (r->settings->naks == RCC_GAP_ONCE && opens))
    {
        if (opens)
            fill(r, answer, data->packet, top, data->packet);
        else
            fill(r, answer, data->packet, r->expected, bits_first(r->placed, words_of(r), r->expected, r->top));
        return echo(r, RCC_RECEIVER_NAK);
    }
    return data->ack_request ? acknowledge(r, data->packet, answer) : 0;
}

/* The answer to the expected packet, after which `expected` is another one. */
static unsigned answer_next(struct rcc_placement *r, const struct rcc_data *data, struct rcc_sack *answer)
{
    const bool closes = r->expected > data->packet + 1;
    const bool again = closes && r->expected < r->top && r->settings->naks == RCC_GAP_ONCE;
    if (!again)
        return closes || data->ack_request ? acknowledge(r, data->packet, answer) : 0;
    /* the NAK of the next gap may have been lost */
    fill(r, answer, data->packet, r->expected, bits_first(r->placed, words_of(r), r->expected, r->top));
    return echo(r, RCC_RECEIVER_NAK);
}

unsigned rcc_placement_data(struct rcc_placement *r, const struct rcc_data *data, bool last, struct rcc_sack *answer)
{
    const uint64_t top = r->top, packet = data->packet;
    r->ce_seen = r->ce_seen || data->ce;
    if (is_placed(r, packet))
    {
        r->duplicates++;
        return data->ack_request ? acknowledge(r, packet, answer) : 0;
    }
    if (packet - r->expected >= r->settings->packets)
    {
        r->outside++;
        fill(r, answer, r->expected, r->expected, r->expected + 1);
        return echo(r, RCC_RECEIVER_NAK);
    }
    r->bytes += data->payload;
    if (packet != r->expected)
    {
        place(r, packet, last);
        return RCC_RECEIVER_ACCEPT | answer_early(r, data, top, answer);
    }
    advance(r, last);
    return RCC_RECEIVER_ACCEPT | answer_next(r, data, answer);
}

unsigned rcc_placement_trimmed(struct rcc_placement *r, uint64_t packet, bool ce, struct rcc_sack *answer)
{
    r->ce_seen = r->ce_seen || ce;
    r->trimmed++;
    if (is_placed(r, packet))
    {
        r->duplicates++;
        return acknowledge(r, packet, answer);
    }
    fill(r, answer, packet - r->expected < r->settings->packets ? packet : r->expected, packet, packet + 1);
    answer->trimmed = true;
    return echo(r, RCC_RECEIVER_NAK);
}
