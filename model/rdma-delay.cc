/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-delay.h"

#include <algorithm>

namespace ns3
{

void
RdmaDelay::Add(const RccFrame& frame, int64_t delay, int64_t now)
{
    if (!m_line)
    {
        m_line.reset(new Line);
        m_line->event.Bind(&RdmaDelay::Due, this);
    }
    const int64_t due = std::max(now + delay, m_line->frames.empty() ? 0 : m_line->frames.back().first);
    m_line->frames.emplace_back(due, frame);
    m_line->event.AtOrBefore(due, now);
}

void
RdmaDelay::Due(void* delay, int64_t now)
{
    auto self = static_cast<RdmaDelay*>(delay);
    Line& line = *self->m_line;
    while (!line.frames.empty() && line.frames.front().first <= now)
    {
        const RccFrame frame = line.frames.front().second;
        line.frames.pop_front();
        self->m_handler(self->m_owner, frame, now);
    }
    if (!line.frames.empty())
    {
        line.event.At(line.frames.front().first, now);
    }
}

} // namespace ns3
