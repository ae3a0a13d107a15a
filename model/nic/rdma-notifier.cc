/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-notifier.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

namespace
{
const uint32_t CAPACITY_FIRST = 64; // flows
} // namespace

const uint16_t RdmaNotifier::NONE;
const uint32_t RdmaNotifier::ANY;

uint16_t
RdmaNotifier::Find(Ptr<RccAlgorithm> algorithm, uint64_t lineRate, uint32_t sender)
{
    const rcc_algorithm* core = algorithm->GetCore();
    if (!core->np)
    {
        return NONE;
    }
    for (size_t i = 0; i < m_points.size(); i++)
    {
        if (m_points[i]->algorithm == algorithm && m_points[i]->sender == sender)
        {
            return static_cast<uint16_t>(i);
        }
    }
    NS_ABORT_MSG_IF(m_points.size() == NONE, "RdmaNotifier: more than " << NONE << " senders with CnpPerDestination");
    std::unique_ptr<Point> point(new Point);
    point->algorithm = algorithm;
    point->sender = sender;
    point->memory.reset(new uint64_t[rcc_np_size(core, CAPACITY_FIRST) / 8 + 1]);
    point->state = rcc_np_start(point->memory.get(), algorithm->GetNpProfile(lineRate), CAPACITY_FIRST);
    point->event.Bind(&RdmaNotifier::TimerExpired, point.get());
    point->self = this;
    m_points.push_back(std::move(point));
    return static_cast<uint16_t>(m_points.size() - 1);
}

uint16_t
RdmaNotifier::Open(uint32_t flow, Ptr<RccAlgorithm> algorithm, uint64_t lineRate, uint32_t sender)
{
    const uint16_t index = Find(algorithm, lineRate, sender);
    if (index != NONE)
    {
        Point& point = *m_points[index];
        if (flow >= point.state->capacity)
        {
            const uint32_t capacity = std::max(flow + 1, 2 * point.state->capacity);
            std::unique_ptr<uint64_t[]> memory(new uint64_t[rcc_np_size(point.state->profile->alg, capacity) / 8 + 1]);
            point.state = rcc_np_grow(memory.get(), point.state, capacity);
            point.memory = std::move(memory);
        }
        if (index == 0)
        {
            const rcc_algorithm* core = algorithm->GetCore();
            m_records = reinterpret_cast<const char*>(point.state) + rcc_np_size(core, 0);
            m_recordSize = (rcc_np_size(core, 64) - rcc_np_size(core, 0)) / 64; // bytes that each flow adds
        }
    }
    return index;
}

void
RdmaNotifier::Close(uint16_t np, uint32_t flow)
{
    if (np != NONE)
    {
        rcc_np_close(m_points[np]->state, flow);
    }
}

void
RdmaNotifier::RecordMark(uint16_t np, uint32_t flow, int64_t now)
{
    if (np != NONE)
    {
        rcc_np_marked(m_points[np]->state, now, flow);
        SendDue(*m_points[np], now);
    }
}

void
RdmaNotifier::SendDue(Point& point, int64_t now)
{
    rcc_cnp cnp;
    rcc_time due = rcc_np_next_due(point.state);
    while (due <= now && rcc_np_poll(point.state, now, &cnp))
    {
        m_send(m_owner, cnp, now);
        due = rcc_np_next_due(point.state);
    }
    if (due == RCC_NEVER)
    {
        point.event.Disarm();
    }
    else
    {
        point.event.At(due, now);
    }
}

void
RdmaNotifier::TimerExpired(void* point, int64_t now)
{
    auto p = static_cast<Point*>(point);
    p->self->SendDue(*p, now);
}

} // namespace ns3
