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
    /// \param size bytes \return space that begins with a line
    static void* operator new(size_t size)
    {
        void* const space = ::operator new(size + RCC_LINE);
        const auto address = reinterpret_cast<uintptr_t>(space);
        void** const begin = static_cast<void**>(space) + (RCC_LINE - address % RCC_LINE) / sizeof(void*);
        begin[-1] = space; // at least one pointer fits before it, as space is aligned to more than that
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

/**
 * Allocator of containers whose elements begin with a line, or with a part of one. std::allocator heeds alignas from
 * C++17 on only.
 */
template <class T> class RccLineAllocator
{
  public:
    typedef T value_type; //!< the type of the container's elements

    RccLineAllocator() = default;

    /// Convert the allocator of another type; both give the same memory.
    template <class U> RccLineAllocator(const RccLineAllocator<U>&)
    {
    }

    /// \param n number of elements \return space for them
    T* allocate(size_t n)
    {
        static_assert(alignof(T) <= RCC_LINE, "elements need more than the begin of a line");
        return static_cast<T*>(RccOnLines::operator new(n * sizeof(T)));
    }

    /// \param space from allocate
    void deallocate(T* space, size_t)
    {
        RccOnLines::operator delete(space);
    }
};

/// \return true: what one has given another takes back
template <class T, class U>
bool
operator==(const RccLineAllocator<T>&, const RccLineAllocator<U>&)
{
    return true;
}

/// \return false, as above
template <class T, class U>
bool
operator!=(const RccLineAllocator<T>&, const RccLineAllocator<U>&)
{
    return false;
}

} // namespace ns3

#endif /* RCC_LINES_H */
