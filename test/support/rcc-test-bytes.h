/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_TEST_BYTES_H
#define RCC_TEST_BYTES_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

/** Bytes of frames and captures, as tests look at them. */
using Bytes = std::vector<uint8_t>;

/**
 * \param bytes What is read.
 * \param from The first byte.
 * \param n How many; what lies beyond the end reads as ee.
 * \return Two hexadecimal digits a byte.
 */
inline std::string
ToHex(const Bytes& bytes, size_t from, size_t n)
{
    std::string text;
    for (size_t i = from; i < from + n; i++)
    {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", i < bytes.size() ? bytes[i] : 0xee);
        text += digits;
    }
    return text;
}

/**
 * \param bytes What is read.
 * \param at The first byte.
 * \param n How many, up to 8; what lies beyond the end reads as 0.
 * \return The number, big-endian.
 */
inline uint64_t
Number(const Bytes& bytes, size_t at, size_t n)
{
    uint64_t value = 0;
    for (size_t i = at; i < at + n; i++)
    {
        value = (value << 8) | (i < bytes.size() ? bytes[i] : 0);
    }
    return value;
}

#endif /* RCC_TEST_BYTES_H */
