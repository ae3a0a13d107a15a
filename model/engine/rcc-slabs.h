/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_SLABS_H
#define RCC_SLABS_H

#include "rcc-lines.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * Space for many objects of one size, each of which begins with a line of the cache. Objects that are made one after
 * the other lie side by side: a run touches fewer pages than with each of them on the heap, and making one takes no
 * search.
 */
class RccSlabs
{
  public:
    /// \param size bytes of an object, a multiple of RCC_LINE
    explicit RccSlabs(size_t size);

    /// \return space for one object, until Put
    void* Get();

    /// Give space back; the slabs go back, if there are several, when nothing is in use any more. \param space from
    /// Get, or null
    void Put(void* space);

    /// \return number of objects that have space
    size_t InUse() const
    {
        return m_inUse;
    }

  private:
    struct Free
    {
        Free* next;
    };

    struct Delete
    {
        void operator()(char* slab) const
        {
            RccOnLines::operator delete(slab);
        }
    };

    static const size_t SLAB = 64; // objects

    void Grow();

    const size_t m_size;
    Free* m_free{nullptr};
    size_t m_inUse{0};
    std::vector<std::unique_ptr<char, Delete>> m_slabs;
};

/**
 * Base of a class T with many objects, laid out by lines of the cache: operator new takes space from slabs. The source
 * file of T instantiates it, and the header says so (extern template): all libraries of a program have the same slabs.
 */
template <class T> class RccInSlabs
{
  public:
    /// \param size bytes of a T, or of a class that is derived from it \return space that begins with a line
    static void* operator new(size_t size)
    {
        return size == sizeof(T) ? Slabs().Get() : RccOnLines::operator new(size);
    }

    /// \param space from operator new, or null \param size the size given to operator new
    static void operator delete(void* space, size_t size)
    {
        size == sizeof(T) ? Slabs().Put(space) : RccOnLines::operator delete(space);
    }

  private:
    /// Never destroyed: objects may live until the last global one of a program is gone.
    static RccSlabs& Slabs()
    {
        static RccSlabs* const slabs = new RccSlabs(sizeof(T));
        return *slabs;
    }
};

} // namespace ns3

#endif /* RCC_SLABS_H */
