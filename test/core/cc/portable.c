/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The core's 128-bit products and quotients without __int128, for the comparison in test_fixed.c. */
#ifndef RCC_NO_INT128
#define RCC_NO_INT128
#endif
#include "helpers.h"

#include "ratio.h"

uint64_t portable_mul_shift(uint64_t a, uint64_t b, unsigned shift)
{
    return rcc_mul_shift(a, b, shift);
}

uint64_t portable_mul_div(uint64_t a, uint64_t b, uint64_t c)
{
    return rcc_mul_div(a, b, c);
}

unsigned portable_digits(uint64_t x)
{
    return rcc_digits(x);
}
