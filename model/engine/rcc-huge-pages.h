/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_HUGE_PAGES_H
#define RCC_HUGE_PAGES_H

#include <cstddef>

namespace ns3
{

/*
 * In a network of thousands of ports an event touches memory whose place is not in the processor's table of pages
 * (TLB) any more. With pages of 2 MiB all of it has room there. A system that does not have them leaves all as it is,
 * and results never depend on it.
 */

/// Bytes of a huge page.
static const size_t RCC_HUGE_PAGE = 2 * 1024 * 1024;

/**
 * Memory of one huge page, apart from the heap, where a page that is aligned would leave a hole as large as itself.
 * \return RCC_HUGE_PAGE bytes, aligned to as many, until RccFreeHugePage; null if the system has none
 */
char* RccGetHugePage();

/// \param page from RccGetHugePage
void RccFreeHugePage(char* page);

/**
 * Put what the program has on its heap into huge pages (Linux 6.1 or later), if the heap has grown by one since this
 * was called last.
 */
void RccCollapseHeap();

} // namespace ns3

#endif /* RCC_HUGE_PAGES_H */
