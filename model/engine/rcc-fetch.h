/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_FETCH_H
#define RCC_FETCH_H

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

#endif /* RCC_FETCH_H */
