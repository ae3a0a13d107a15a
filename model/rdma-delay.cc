/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-delay.h"

#include <algorithm>

namespace ns3
{

void
RdmaDelay::Add(const RccFrame& frame, int64_t delay, int64_t now)
{
    if (!m_event.IsBound())
    {
        m_event.Bind(&RdmaDelay::Due, this);
    }
    const int64_t due = std::max(now + delay, m_frames.empty() ? 0 : m_frames.back().first);
    m_frames.emplace_back(due, frame);
    m_event.AtOrBefore(due, now);
}

void
RdmaDelay::Due(void* delay, int64_t now)
{
    auto self = static_cast<RdmaDelay*>(delay);
    while (!self->m_frames.empty() && self->m_frames.front().first <= now)
    {
        const RccFrame frame = self->m_frames.front().second;
        self->m_frames.pop_front();
        self->m_handler(self->m_owner, frame, now);
    }
    if (!self->m_frames.empty())
    {
        self->m_event.At(self->m_frames.front().first, now);
    }
}

} // namespace ns3
