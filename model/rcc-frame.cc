/* SPDX-License-Identifier: GPL-2.0-only */
#include "rcc-frame.h"

#include "ns3/simulation-singleton.h"

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
    m_slabs.emplace_back(new RccFrame[SLAB]);
    RccFrame* slab = m_slabs.back().get();
    for (size_t i = 0; i < SLAB; i++)
    {
        slab[i].packet = nullptr;
        slab[i].next = i + 1 < SLAB ? &slab[i + 1] : nullptr;
    }
    m_free = slab;
}

} // namespace ns3
