/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Arithmetic for algorithms that have a window beside a rate that stays at line rate. */
#ifndef RCC_CC_PATH_H
#define RCC_CC_PATH_H

#include "windowed.h"

/* rate * rtt / 8e9 as a window, 2^-16 byte, below 2^55; rate in bit/s, rtt at most WINDOWED_RTT_MAX. */
static inline uint64_t rcc_bdp(uint64_t rate, rcc_time rtt)
{
    return rcc_mul_div(rate << (RCC_WINDOW_SHIFT - 3), (uint64_t)rtt, (uint64_t)RCC_SEC);
}

static inline uint64_t rcc_clamp(uint64_t v, uint64_t least, uint64_t most)
{
    v = v < most ? v : most;
    return v > least ? v : least;
}

#endif /* RCC_CC_PATH_H */
