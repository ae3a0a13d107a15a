/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-simulator-impl.h"

#include "rcc-compiler.h"
#include "rcc-event-queue.h"
#include "rcc-rank.h"

#include "ns3/assert.h"
#include "ns3/global-value.h"
#include "ns3/node-list.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RccSimulatorImpl);

namespace
{
// Uids as in ns-3: 0 is none, 1 an event of ScheduleNow, 2 one of Destroy; those of scheduled events begin at 4.
const uint32_t UID_NONE = 0, UID_DESTROY = 2, UID_FIRST = 4;
const char* const GLOBAL = "SimulatorImplementationType";
} // namespace

TypeId
RccSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RccSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("Rcc")
                            .AddConstructor<RccSimulatorImpl>();
    return tid;
}

RccSimulatorImpl::RccSimulatorImpl()
    : m_next{NEVER, UINT32_MAX, 0},
      m_context(Simulator::NO_CONTEXT),
      m_uid(UID_FIRST),
      m_atUid(UID_NONE),
      m_mainThread(std::this_thread::get_id())
{
}

void
RccSimulatorImpl::Use()
{
    const char* environment = std::getenv("NS_GLOBAL_VALUE");
    StringValue type;
    if (GlobalValue::GetValueByNameFailSafe(GLOBAL, type) && type.Get() == "ns3::DefaultSimulatorImpl" &&
        !(environment && std::string(environment).find(GLOBAL) != std::string::npos))
    {
        GlobalValue::Bind(GLOBAL, StringValue("ns3::RccSimulatorImpl"));
    }
}

namespace
{
/// Chooses the simulator when the library is loaded, which is after ns-3's core.
struct Choice
{
    Choice()
    {
        RccSimulatorImpl::Use();
    }
} g_choice;
} // namespace

uint64_t
RccSimulatorImpl::CountRccEvents()
{
    return RccEventQueue::Current()->m_fired;
}

void
RccSimulatorImpl::DoDispose()
{
    ScheduleFromOtherThreads();
    while (m_scheduler && !m_scheduler->IsEmpty()) // an object factory makes one without a scheduler
    {
        m_scheduler->RemoveNext().impl->Unref();
    }
    m_scheduler = nullptr;
    if (m_queue)
    {
        m_queue->m_simulator = nullptr;
    }
    SimulatorImpl::DoDispose();
}

void
RccSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        Ptr<EventImpl> event = m_destroyEvents.front().PeekEventImpl();
        m_destroyEvents.pop_front();
        if (!event->IsCancelled())
        {
            event->Invoke();
        }
    }
}

// ---------------------------------------------------------------- the queue of RccEvents

/// \return whether the queue may leave its firings to this simulator
bool
RccSimulatorImpl::Attach(RccEventQueue* queue)
{
    if (m_queue || Time::GetResolution() != Time::NS)
    {
        return false;
    }
    m_queue = queue;
    return true;
}

void
RccSimulatorImpl::Detach()
{
    m_queue = nullptr;
    m_fireAt = NEVER;
}

void
RccSimulatorImpl::RunFiring()
{
    m_count++;
    m_time = m_fireAt;
    m_fireAt = NEVER;
    m_context = Simulator::NO_CONTEXT;
    m_atUid = m_uid - 1; // every event that was scheduled for this time has run
    m_queue->Fire(static_cast<int64_t>(m_time));
}

// ---------------------------------------------------------------- the main loop

void
RccSimulatorImpl::Run()
{
    Begin();
    RunBefore(NEVER);
}

void
RccSimulatorImpl::Begin()
{
    m_mainThread = std::this_thread::get_id();
    ScheduleFromOtherThreads();
    m_stop = false;
}

void
RccSimulatorImpl::RunBefore(uint64_t limit)
{
    m_limit = limit;
    SetBound();
    while (!m_stop)
    {
        if (m_fireAt < m_bound)
        {
            RunFiring();
        }
        else if (m_next.m_ts < limit)
        {
            RunOfScheduler();
        }
        else
        {
            return;
        }
        if (m_hasGuests.load(std::memory_order_relaxed))
        {
            ScheduleFromOtherThreads();
        }
    }
}

void
RccSimulatorImpl::SetBound()
{
    m_bound = m_stop ? 0 : std::min(m_next.m_ts, m_limit);
}

void
RccSimulatorImpl::RunOfScheduler()
{
    const Scheduler::Event event = m_scheduler->RemoveNext();
    FindNext();
    m_count++;
    m_time = event.key.m_ts;
    m_context = event.key.m_context;
    m_atUid = event.key.m_uid;
    if (m_context != Simulator::NO_CONTEXT)
    {
        CountNodeEvent();
    }
    event.impl->Invoke();
    event.impl->Unref();
}

void
RccSimulatorImpl::CountNodeEvent()
{
    const bool foreign =
        !RccRank::OwnsAll() && m_context < NodeList::GetNNodes() && !RccRank::Owns(*NodeList::GetNode(m_context));
    foreign ? m_nodeEvents.foreign++ : m_nodeEvents.mine++;
}

RccSimulatorImpl::NodeEvents
RccSimulatorImpl::CountNodeEvents()
{
    const auto simulator = dynamic_cast<RccSimulatorImpl*>(PeekPointer(Simulator::GetImplementation()));
    return simulator ? simulator->m_nodeEvents : NodeEvents();
}

void
RccSimulatorImpl::FindNext()
{
    m_next = {NEVER, UINT32_MAX, 0};
    if (!m_scheduler->IsEmpty())
    {
        const Scheduler::Event next = m_scheduler->PeekNext();
        m_next = next.key;
        RccFetch(next.impl); // among thousands of events, it has left the cache since it was scheduled
    }
    SetBound();
}

/// Schedule the events that other threads have left, which gives them their times and uids.
void
RccSimulatorImpl::ScheduleFromOtherThreads()
{
    std::vector<Guest> guests;
    {
        std::lock_guard<std::mutex> lock(m_guestsMutex);
        guests.swap(m_guests);
        m_hasGuests.store(false, std::memory_order_relaxed);
    }
    for (const auto& guest : guests)
    {
        Insert(m_time + guest.delay, guest.context, guest.event);
    }
}

bool
RccSimulatorImpl::IsFinished() const
{
    return m_stop || (m_fireAt == NEVER && m_next.m_ts == NEVER);
}

void
RccSimulatorImpl::Stop()
{
    m_stop = true;
    m_bound = 0;
}

RccSimulatorImpl::StopResult
RccSimulatorImpl::Stop(const Time& delay)
{
    return static_cast<StopResult>(Simulator::Schedule(delay, &Simulator::Stop));
}

// ---------------------------------------------------------------- ns-3's own events

Scheduler::Event
RccSimulatorImpl::Insert(uint64_t time, uint32_t context, EventImpl* event)
{
    const Scheduler::Event entry{event, {time, m_uid++, context}};
    m_scheduler->Insert(entry);
    if (entry.key < m_next)
    {
        m_next = entry.key;
        SetBound();
    }
    return entry;
}

EventId
RccSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(m_mainThread == std::this_thread::get_id(), "Simulator::Schedule from another thread");
    NS_ASSERT_MSG(delay.IsPositive(), "a negative delay");
    const auto time = m_time + static_cast<uint64_t>(delay.GetTimeStep());
    const Scheduler::Event entry = Insert(time, m_context, event);
    return EventId(event, time, m_context, entry.key.m_uid);
}

void
RccSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    const auto steps = static_cast<uint64_t>(delay.GetTimeStep());
    if (m_mainThread == std::this_thread::get_id())
    {
        Insert(m_time + steps, context, event);
        return;
    }
    std::lock_guard<std::mutex> lock(m_guestsMutex);
    m_guests.push_back({context, steps, event});
    m_hasGuests.store(true, std::memory_order_relaxed);
}

EventId
RccSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(TimeStep(0), event);
}

EventId
RccSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    NS_ASSERT_MSG(m_mainThread == std::this_thread::get_id(), "Simulator::ScheduleDestroy from another thread");
    m_destroyEvents.emplace_back(Ptr<EventImpl>(event, false), m_time, Simulator::NO_CONTEXT, UID_DESTROY);
    m_uid++;
    return m_destroyEvents.back();
}

void
RccSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == UID_DESTROY)
    {
        const auto found = std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id);
        if (found != m_destroyEvents.end())
        {
            m_destroyEvents.erase(found);
        }
        return;
    }
    if (IsExpired(id))
    {
        return;
    }
    EventImpl* event = id.PeekEventImpl();
    m_scheduler->Remove(Scheduler::Event{event, {id.GetTs(), id.GetUid(), id.GetContext()}});
    FindNext();
    event->Cancel();
    event->Unref(); // the scheduler's
}

void
RccSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
RccSimulatorImpl::IsExpired(const EventId& id) const
{
    EventImpl* event = id.PeekEventImpl();
    if (!event || event->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == UID_DESTROY)
    {
        return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id) == m_destroyEvents.end();
    }
    return id.GetTs() < m_time || (id.GetTs() == m_time && id.GetUid() <= m_atUid);
}

Time
RccSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return TimeStep(IsExpired(id) ? 0 : id.GetTs() - m_time);
}

void
RccSimulatorImpl::SetScheduler(ObjectFactory factory)
{
    Ptr<Scheduler> scheduler = factory.Create<Scheduler>();
    while (m_scheduler && !m_scheduler->IsEmpty())
    {
        scheduler->Insert(m_scheduler->RemoveNext());
    }
    m_scheduler = scheduler;
    FindNext();
}

} // namespace ns3
