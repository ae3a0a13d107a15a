/* SPDX-License-Identifier: GPL-2.0-only */
#include "rcc-frame.h"

#include "ns3/simulation-singleton.h"

#include <new>

namespace ns3
{

namespace
{
const size_t SLAB = 1024; // frames

struct PoolHolder
{
    Ptr<RccFramePool> pool = Ptr<RccFramePool>(new RccFramePool, false);
};
} // namespace

Ptr<RccFramePool>
RccFramePool::Current()
{
    return SimulationSingleton<PoolHolder>::Get()->pool;
}

void
RccFramePool::Grow()
{
    // new does not align beyond max_align_t before C++17
    const size_t line = alignof(RccFrame);
    m_slabs.emplace_back(new char[(SLAB + 1) * sizeof(RccFrame)]);
    const auto start = reinterpret_cast<uintptr_t>(m_slabs.back().get());
    auto slab = reinterpret_cast<RccFrame*>((start + line - 1) / line * line);
    for (size_t i = 0; i < SLAB; i++)
    {
        new (&slab[i]) RccFrame;
        slab[i].packet = nullptr;
        slab[i].next = i + 1 < SLAB ? &slab[i + 1] : nullptr;
    }
    m_free = slab;
}

} // namespace ns3
