/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_COMPILER_H
#define RCC_COMPILER_H

/// Before a function whose result says what went wrong: the compiler warns of a caller that ignores it, from C++17 on.
#if __cplusplus >= 201703L
#define RCC_NODISCARD [[nodiscard]]
#else
#define RCC_NODISCARD
#endif

namespace ns3
{

/**
 * Fetch a cache line ahead of its use. The empty asm statement is no instruction: gcc takes a function that only
 * fetches for one without effect, and drops its calls.
 * \param line an address in it; need not be valid
 */
[[gnu::always_inline]] inline void
RccFetch(const void* line)
{
    __builtin_prefetch(line, 1);
    __asm__ volatile("");
}

} // namespace ns3

#endif /* RCC_COMPILER_H */
