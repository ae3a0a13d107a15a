/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-delay.h"

namespace ns3
{

void
RdmaDelay::Add(RccFrame* frame, int64_t delay, int64_t now)
{
    if (!m_line)
    {
        m_line.reset(new RccFrameLine);
        m_line->Bind(&RdmaDelay::Due, this);
    }
    m_line->Push(frame, now + delay, now);
}

void
RdmaDelay::Clear(RccFramePool& pool)
{
    if (m_line)
    {
        m_line->Dispose(pool);
        m_line.reset();
    }
}

void
RdmaDelay::Due(void* delay, int64_t now)
{
    auto self = static_cast<RdmaDelay*>(delay);
    while (RccFrame* frame = self->m_line->PopDue(now))
    {
        self->m_handler(self->m_owner, frame, now);
    }
}

} // namespace ns3
