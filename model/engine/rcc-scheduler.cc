/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-scheduler.h"

#include "ns3/object-factory.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RccScheduler);

TypeId
RccScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RccScheduler")
                            .SetParent<PriorityQueueScheduler>()
                            .SetGroupName("Rcc")
                            .AddConstructor<RccScheduler>();
    return tid;
}

void
RccScheduler::Use()
{
    ObjectFactory factory;
    factory.SetTypeId(GetTypeId());
    Simulator::SetScheduler(factory);
}

void
RccScheduler::Insert(const Scheduler::Event& event)
{
    if (!IsEmpty() && !(event.key < PeekNext().key))
    {
        PriorityQueueScheduler::Insert(event);
        return;
    }
    if (m_front.impl)
    {
        PriorityQueueScheduler::Insert(m_front);
    }
    m_front = event;
}

bool
RccScheduler::IsEmpty() const
{
    return !m_front.impl && PriorityQueueScheduler::IsEmpty();
}

Scheduler::Event
RccScheduler::PeekNext() const
{
    return m_front.impl ? m_front : PriorityQueueScheduler::PeekNext();
}

Scheduler::Event
RccScheduler::RemoveNext()
{
    if (!m_front.impl)
    {
        return PriorityQueueScheduler::RemoveNext();
    }
    const Scheduler::Event event = m_front;
    m_front.impl = nullptr;
    return event;
}

void
RccScheduler::Remove(const Scheduler::Event& event)
{
    if (m_front.impl && m_front.key.m_uid == event.key.m_uid)
    {
        m_front.impl = nullptr;
        return;
    }
    PriorityQueueScheduler::Remove(event);
}

} // namespace ns3
