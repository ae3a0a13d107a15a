/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-huge-pages.h"

#include <cstdint>
#include <fstream>
#include <string>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ns3
{

#ifdef __linux__

namespace
{

const int COLLAPSE = 25; // MADV_COLLAPSE, which older headers do not have

} // namespace

void
RccWishHugePages(void* start, size_t bytes)
{
    (void)madvise(start, bytes, MADV_HUGEPAGE);
}

void
RccCollapseHeap()
{
    static uintptr_t done; // a process has one heap
    const auto end = reinterpret_cast<uintptr_t>(sbrk(0));
    if (end - done < RCC_HUGE_PAGE)
    {
        return;
    }
    done = end;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
    {
        if (line.size() > 6 && line.compare(line.size() - 6, 6, "[heap]") == 0)
        {
            const uintptr_t start =
                (std::stoull(line, nullptr, 16) + RCC_HUGE_PAGE - 1) / RCC_HUGE_PAGE * RCC_HUGE_PAGE;
            const uintptr_t stop = end / RCC_HUGE_PAGE * RCC_HUGE_PAGE;
            if (start < stop)
            {
                (void)madvise(reinterpret_cast<void*>(start), stop - start, COLLAPSE);
            }
        }
    }
}

#else

void
RccWishHugePages(void*, size_t)
{
}

void
RccCollapseHeap()
{
}

#endif

} // namespace ns3
