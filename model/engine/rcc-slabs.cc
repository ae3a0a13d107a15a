/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-slabs.h"

#include "ns3/abort.h"

namespace ns3
{

RccSlabs::RccSlabs(size_t size) : m_size(size)
{
    NS_ABORT_MSG_IF(size == 0 || size % RCC_LINE, "RccSlabs: " << size << " bytes are no lines of the cache");
}

void*
RccSlabs::Get()
{
    if (!m_free)
    {
        Grow();
    }
    Free* const space = m_free;
    m_free = space->next;
    m_inUse++;
    return space;
}

void
RccSlabs::Put(void* space)
{
    if (!space)
    {
        return;
    }
    m_free = new (space) Free{m_free};
    if (--m_inUse == 0 && m_slabs.size() > 1) // one stays: of short flows there may be one at a time
    {
        m_slabs.clear();
        m_free = nullptr;
    }
}

void
RccSlabs::Grow()
{
    const size_t bytes = SLAB * m_size;
    m_slabs.emplace_back(static_cast<char*>(RccOnLines::operator new(bytes)));
    char* const first = m_slabs.back().get();
    for (size_t i = SLAB; i > 0; i--) // handed out in the order of their addresses
    {
        m_free = new (first + (i - 1) * m_size) Free{m_free};
    }
}

} // namespace ns3
