/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Exact quotients of products, and roots, for algorithms with windows. Not part of the public API. */
#ifndef RCC_RATIO_H
#define RCC_RATIO_H

#include "fixed.h"

/* Binary digits of x; 0 for 0. */
static inline unsigned rcc_digits(uint64_t x)
{
#if defined(__GNUC__) && !defined(RCC_NO_INT128)
    return x != 0 ? 64 - (unsigned)__builtin_clzll(x) : 0;
#else
    unsigned n = 0;
    for (unsigned half = 32; half != 0; half /= 2)
        if (x >> half != 0)
        {
            x >>= half;
            n += half;
        }
    return n + (unsigned)x;
#endif
}

/* One digit of 32 bits of (high * 2^32 + next) / d, where the top bit of d is set and high < d; *high: the remainder.
 */
static inline uint64_t rcc_quotient_digit(uint64_t *high, uint64_t next, uint64_t d)
{
    const uint64_t top = d >> 32, low = d & 0xffffffffu;
    uint64_t q = *high / top, rest = *high % top;
    while (q * low > (rest << 32 | next)) /* at most twice; true for q of 2^32 and more, which leaves rest < low */
    {
        q--;
        rest += top;
        if (rest >> 32 != 0)
            break;
    }
    *high = (*high << 32 | next) - q * d; /* modulo 2^64: the remainder is below d */
    return q;
}

/* floor(a * b / c), at most UINT64_MAX; c > 0. Long division with two digits of 32 bits: Knuth, The Art of Computer
 * Programming, vol. 2, section 4.3.1, algorithm D. */
static inline uint64_t rcc_mul_div(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t lo, hi = rcc_mul_wide(a, b, &lo), q;
    unsigned shift;
    if (hi == 0)
        return lo / c;
    if (hi >= c)
        return UINT64_MAX;
    shift = 64 - rcc_digits(c);
    if (shift != 0)
    {
        c <<= shift;
        hi = hi << shift | lo >> (64 - shift);
        lo <<= shift;
    }
    q = rcc_quotient_digit(&hi, lo >> 32, c);
    return q << 32 | rcc_quotient_digit(&hi, lo & 0xffffffffu, c);
}

/* floor(sqrt(x)), by Newton's method from above. */
static inline uint64_t rcc_sqrt(uint64_t x)
{
    uint64_t root = (uint64_t)1 << (rcc_digits(x) + 1) / 2, next;
    if (x == 0)
        return 0;
    while ((next = (root + x / root) / 2) < root)
        root = next;
    return root;
}

#endif /* RCC_RATIO_H */
