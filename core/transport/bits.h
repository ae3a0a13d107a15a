/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Bitmaps over a window of packets: packet p is bit p mod 64 of word (p / 64) mod words. Not part of the public API. */
#ifndef RCC_TRANSPORT_BITS_H
#define RCC_TRANSPORT_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Bits that are set (Hacker's Delight, 5-1). */
static inline uint32_t bits_count(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Number of the lowest bit that is set; x is not 0. */
static inline uint32_t bits_lowest(uint64_t x)
{
    return bits_count((x & (~x + 1)) - 1);
}

static inline uint64_t bits_of(uint64_t packet)
{
    return (uint64_t)1 << packet % 64;
}

static inline uint64_t *bits_word(uint64_t *map, uint32_t words, uint64_t packet)
{
    return &map[packet / 64 & (words - 1)];
}

/* The bits of a word that belong to packets from..to - 1, where `at` is any packet of the word. */
static inline uint64_t bits_range(uint64_t at, uint64_t from, uint64_t to)
{
    const uint64_t base = at - at % 64;
    const uint64_t low = from > base ? ~(uint64_t)0 << (from - base) : ~(uint64_t)0;
    const uint64_t high = to - base < 64 ? ((uint64_t)1 << (to - base)) - 1 : ~(uint64_t)0;
    return low & high;
}

/* The first packet of from..to - 1, which are not more than the map spans, whose bit is set; `to` if there is none. */
static inline uint64_t bits_first(uint64_t *map, uint32_t words, uint64_t from, uint64_t to)
{
    for (uint64_t at = from; at < to; at += 64 - at % 64)
    {
        const uint64_t set = *bits_word(map, words, at) & bits_range(at, from, to);
        if (set != 0)
            return at - at % 64 + bits_lowest(set);
    }
    return to;
}

#endif /* RCC_TRANSPORT_BITS_H */
