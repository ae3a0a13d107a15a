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

char*
RccGetHugePage()
{
    void* const room = mmap(nullptr, 2 * RCC_HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
    {
        return nullptr;
    }
    char* const first = static_cast<char*>(room);
    const size_t before = (RCC_HUGE_PAGE - reinterpret_cast<uintptr_t>(room) % RCC_HUGE_PAGE) % RCC_HUGE_PAGE;
    if (before)
    {
        munmap(first, before);
    }
    munmap(first + before + RCC_HUGE_PAGE, RCC_HUGE_PAGE - before);
    (void)madvise(first + before, RCC_HUGE_PAGE, MADV_HUGEPAGE); // before it is touched
    return first + before;
}

void
RccFreeHugePage(char* page)
{
    munmap(page, RCC_HUGE_PAGE);
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

char*
RccGetHugePage()
{
    return nullptr;
}

void
RccFreeHugePage(char*)
{
}

void
RccCollapseHeap()
{
}

#endif

} // namespace ns3
