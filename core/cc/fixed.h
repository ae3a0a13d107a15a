/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Fixed-point helpers shared by the algorithm files. Not part of the public API. */
#ifndef RCC_FIXED_H
#define RCC_FIXED_H

#include "rcc.h"

/* Fractions (alpha, 1-g) have 62 fractional bits: 1.0 fits with space for a sum. */
#define RCC_Q62_ONE ((uint64_t)1 << 62)

/* The upper 64 digits of a * b; *low: the others. */
static inline uint64_t rcc_mul_wide(uint64_t a, uint64_t b, uint64_t *low)
{
#if defined(__SIZEOF_INT128__) && !defined(RCC_NO_INT128)
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    const uint64_t half = 0xffffffffu;
    uint64_t a1 = a >> 32, a0 = a & half, b1 = b >> 32, b0 = b & half;
    uint64_t mid = a1 * b0 + ((a0 * b0) >> 32); /* < 2^64: (2^32-1)^2 + 2^32 - 1 */
    uint64_t mid2 = a0 * b1 + (mid & half);
    *low = (mid2 << 32) | ((a0 * b0) & half);
    return a1 * b1 + (mid >> 32) + (mid2 >> 32);
#endif
}

/* floor(a * b / 2^shift) with a 128-bit product; shift 1..63; the result must fit. */
static inline uint64_t rcc_mul_shift(uint64_t a, uint64_t b, unsigned shift)
{
#if defined(__SIZEOF_INT128__) && !defined(RCC_NO_INT128)
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)(((wide)a * b) >> shift);
#else
    uint64_t lo, hi = rcc_mul_wide(a, b, &lo);
    return (hi << (64u - shift)) | (lo >> shift);
#endif
}

/* A ratio in parts per billion as Q62, rounded to nearest; ppb <= 2e9. */
static inline uint64_t rcc_ratio_q62(int64_t ppb)
{
    const uint64_t one = (uint64_t)RCC_RATIO_ONE;
    uint64_t v = (uint64_t)ppb, whole = v / one, rest = v % one;
    /* rest * 2^62 / 1e9, in two halves of 31 bits */
    uint64_t high = (rest << 31) / one, carry = (rest << 31) % one;
    uint64_t low = ((carry << 31) + one / 2) / one;
    return (whole << 62) + (high << 31) + low;
}

/* x * f with f in Q62. */
static inline uint64_t rcc_mul_q62(uint64_t x, uint64_t f)
{
    return rcc_mul_shift(x, f, 62);
}

/* floor(x * ratio) for a ratio of any size in parts per billion, saturating at `top`; x < 2^63. */
static inline uint64_t rcc_mul_ratio(uint64_t x, int64_t ppb, uint64_t top)
{
    uint64_t one = (uint64_t)RCC_RATIO_ONE, v = (uint64_t)ppb, whole = v / one, rest = v % one;
    uint64_t part;
    if (whole != 0 && x > top / whole)
        return top;
    part = whole * x + x / one * rest + x % one * rest / one;
    return part < top ? part : top;
}

/* ceil(2^62 / length), of 1 ns or more, for rcc_periods. */
static inline uint64_t rcc_inverse(rcc_time length)
{
    return (RCC_Q62_ONE - 1) / (uint64_t)length + 1;
}

/*
 * time / length for time >= 0, without a division up to 2.1 s. The inverse is too large by less than 1 / 2^62. Times
 * 2^31 this is less than 1 / length, the least distance of a quotient to the next whole number.
 */
static inline uint64_t rcc_periods(rcc_time time, rcc_time length, uint64_t inverse)
{
    return time < (rcc_time)1 << 31 ? rcc_mul_q62((uint64_t)time, inverse) : (uint64_t)(time / length);
}

/* base^n for base <= 1.0 in Q62, by squaring: O(log n), 0 once it underflows. */
static inline uint64_t rcc_pow_q62(uint64_t base, uint64_t n)
{
    uint64_t result = RCC_Q62_ONE;
    for (; n != 0 && result != 0; n >>= 1)
    {
        if (n & 1u)
            result = rcc_mul_q62(result, base);
        if (n == 1)
            break;
        base = rcc_mul_q62(base, base);
    }
    return result;
}

/* a + b for times, RCC_NEVER on overflow; b >= 0. */
static inline rcc_time rcc_time_add(rcc_time a, rcc_time b)
{
    return a > RCC_NEVER - b ? RCC_NEVER : a + b;
}

/* Limit of stage counters, far beyond any threshold; it keeps i * R_HAI from overflowing. */
#define RCC_STAGE_MAX ((uint32_t)1 << 30)

static inline uint32_t rcc_stage_add(uint32_t stage, uint64_t n)
{
    return n >= RCC_STAGE_MAX - stage ? RCC_STAGE_MAX : stage + (uint32_t)n;
}

/* A counter's period with uniform jitter of +-jitter_ppb; never below 1. */
static inline int64_t rcc_jitter(int64_t period, int64_t jitter_ppb, uint32_t draw)
{
    /* 2*draw+1 - 2^32 is symmetric about zero, so the mean is the period itself. */
    int64_t centred = 2 * (int64_t)draw + 1 - ((int64_t)1 << 32);
    uint64_t span = rcc_mul_ratio((uint64_t)period, jitter_ppb, (uint64_t)period);
    uint64_t size = (uint64_t)(centred < 0 ? -centred : centred);
    int64_t shift = (int64_t)rcc_mul_shift(span, size, 32);
    int64_t value = centred < 0 ? period - shift : period + shift;
    return value > 0 ? value : 1;
}

#endif /* RCC_FIXED_H */
