/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_LINES_H
#define RCC_LINES_H

#include <cstddef>
#include <cstdint>
#include <new>

namespace ns3
{

/// Bytes of a line of the cache, as processors of today have it.
static const size_t RCC_LINE = 64;

/**
 * Base of classes whose members are laid out by lines of the cache, with alignas(RCC_LINE): operator new returns the
 * begin of a line, which C++ before C++17 does not promise.
 */
class RccOnLines
{
  public:
    /// \param size bytes \return room that begins with a line
    static void* operator new(size_t size)
    {
        void* const room = ::operator new(size + RCC_LINE);
        const auto address = reinterpret_cast<uintptr_t>(room);
        void** const begin = static_cast<void**>(room) + (RCC_LINE - address % RCC_LINE) / sizeof(void*);
        begin[-1] = room; // at least one pointer fits before it, as room is aligned to more than that
        return begin;
    }

    /// \param begin what operator new has returned, or null
    static void operator delete(void* begin)
    {
        if (begin)
        {
            ::operator delete(static_cast<void**>(begin)[-1]);
        }
    }
};

} // namespace ns3

#endif /* RCC_LINES_H */
