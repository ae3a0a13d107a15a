/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-event-queue.h"

#include "rcc-compiler.h"
#include "rcc-event.h"
#include "rcc-simulator-impl.h"

#include "ns3/simulation-singleton.h"

#include <algorithm>

namespace ns3
{

namespace
{

struct QueueHolder
{
    Ptr<RccEventQueue> queue = Ptr<RccEventQueue>(new RccEventQueue, false);
};
} // namespace

/// The event that stands for the queue in the scheduler of another simulator than RccSimulatorImpl.
class RccEventQueue::Pump : public EventImpl
{
  public:
    Pump(RccEventQueue* queue, bool settles) : m_queue(queue), m_settles(settles)
    {
    }

    void Stop()
    {
        m_queue = nullptr;
    }

  private:
    void Notify() override
    {
        if (m_queue)
        {
            m_queue->Pumped(m_settles);
        }
    }

    RccEventQueue* m_queue;
    bool m_settles;
};

Ptr<RccEventQueue>
RccEventQueue::Current()
{
    return SimulationSingleton<QueueHolder>::Get()->queue;
}

RccEventQueue::RccEventQueue()
    : m_pump(Ptr<Pump>(new Pump(this, false), false)),
      m_settle(Ptr<Pump>(new Pump(this, true), false)),
      m_simulator(dynamic_cast<RccSimulatorImpl*>(PeekPointer(Simulator::GetImplementation())))
{
    if (m_simulator && !m_simulator->Attach(this))
    {
        m_simulator = nullptr;
    }
}

RccEventQueue::~RccEventQueue()
{
    m_pump->Stop();
    m_settle->Stop();
    if (m_simulator)
    {
        m_simulator->Detach();
    }
}

void
RccEventQueue::Stop()
{
    Current()->m_stopped = true; // not every simulator says so
    Simulator::Stop();
}

uint64_t
RccEventQueue::CountEvents()
{
    const Ptr<RccEventQueue> queue = Current();
    return Simulator::GetEventCount() - queue->m_pumped + queue->m_fired;
}

uint64_t
RccEventQueue::GetPlace()
{
    return Current()->GetPlaceAt(RccNow());
}

int64_t
RccEventQueue::NextTimeLater() const
{
    uint32_t level = 1;
    while (level < LEVELS && !m_usedWords[level])
    {
        level++;
    }
    if (level == LEVELS)
    {
        return RCC_TIME_NEVER;
    }
    const uint32_t slot = FirstSlot(level);
    const Node* last = m_last[slot];
    int64_t least = last->time;
    for (const Node* n = last->next; n != last; n = n->next)
    {
        least = std::min(least, n->time);
    }
    return least;
}

void
RccEventQueue::LinkLater(Node& node)
{
    const uint32_t slot = SlotOf(node.time, m_base);
    node.slot = static_cast<uint16_t>(slot);
    Node*& last = m_last[slot];
    if (last)
    {
        Append(node, last);
        return;
    }
    node.prev = node.next = last = &node;
    m_used[slot / 64] |= uint64_t(1) << slot % 64;
    m_usedWords[LevelOf(slot)] |= uint64_t(1) << WordOf(slot);
}

/// m_base was in another window of level 0 before. Nothing is due before it: its slot's events, and those near it, move
/// down to where they belong.
void
RccEventQueue::EnterWindow(int64_t before)
{
    const uint32_t slot = SlotOf(m_base, before);
    Node* last = m_last[slot];
    if (!last)
    {
        return;
    }
    m_last[slot] = nullptr;
    Clear(slot);
    Node* n = last->next;
    for (bool more = true; more;)
    {
        Node* following = n->next;
        more = n != last;
        Link(*n);
        n = following;
    }
}

/**
 * Put a node into a ring of level 0 whose last node comes after it: where it belongs if that is near the begin, or at
 * the end, and the ring is sorted before it runs. The ring that runs stays in order.
 */
__attribute__((noinline)) void
RccEventQueue::LinkInCrowd(Node& node, Node*& last)
{
    Node* after = last->next;
    uint32_t steps = IsUnsorted(node.slot) ? 0 : node.time == m_base ? UINT32_MAX : SEARCHED;
    for (; steps && after->order <= node.order; steps--)
    {
        after = after->next;
    }
    if (steps)
    {
        LinkBefore(*after, node);
        return;
    }
    m_unsorted[node.slot / 64] |= uint64_t(1) << node.slot % 64;
    Append(node, last);
}

/// Put a ring of level 0 in order; events of equal order keep theirs.
void
RccEventQueue::Sort(uint32_t slot)
{
    m_unsorted[slot / 64] &= ~(uint64_t(1) << slot % 64);
    Node*& last = m_last[slot];
    m_sorting.clear();
    Node* n = last;
    do
    {
        n = n->next;
        m_sorting.emplace_back(uint64_t(n->order) << 32 | m_sorting.size(), n);
    } while (n != last);
    std::sort(m_sorting.begin(), m_sorting.end());
    last = m_sorting.back().second;
    Node* before = last;
    for (const auto& entry : m_sorting)
    {
        entry.second->prev = before;
        before->next = entry.second;
        before = entry.second;
    }
}

/// Fetch what the events after the one that runs touch, a step less for each that is later. They may change until then.
inline void
RccEventQueue::LookAhead(const Node& next)
{
    const Node* n = &next;
    for (uint32_t step = RCC_PREFETCH_STEPS; step-- > 0; n = n->next)
    {
        RccEvent::GetOwner(*n)->Prefetch(step);
    }
    const char* const event = reinterpret_cast<const char*>(n);
    RccFetch(event);
    RccFetch(event + 64);
    RccFetch(n->next);
}

/// Before the first event of a ring of level 0 is taken from it, in a large network.
__attribute__((noinline)) void
RccEventQueue::Prepare(uint32_t slot)
{
    if (IsUnsorted(slot))
    {
        Sort(slot);
    }
    const Node* const last = m_last[slot];
    if (last->next != last)
    {
        LookAhead(*last->next->next);
    }
}

/// The events of one nanosecond, which are all on level 0: mostly one, so this is compiled into its callers.
inline __attribute__((always_inline)) void
RccEventQueue::Run(int64_t now)
{
    m_runs = m_base == now ? m_runs + 1 : 1;
    Advance(now);
    const uint32_t slot = static_cast<uint32_t>(now) % SLOTS_0;
    Node*& last = m_last[slot];
    while (last)
    {
        if (__builtin_expect(m_wide, 0)) // out of the way of small networks
        {
            Prepare(slot);
        }
        const Node& node = TakeFirst(last);
        m_fired++;
        m_order = node.order;
        RccEvent::GetOwner(node)->Fire(now);
        if (last && (m_stopped || (m_simulator ? m_simulator->IsStopped() : Simulator::IsFinished())))
        {
            return; // Simulator::Stop means now, also for what was due at the same time
        }
    }
    FinishSlot(slot);
}

/// Run this nanosecond, and those that follow as long as no event of ns-3 is due; RccSimulatorImpl calls it.
void
RccEventQueue::Fire(int64_t now)
{
    m_running = true;
    m_stopped = false;
    do
    {
        m_pumped++;
        Run(now);
        now = NextTime();
    } while (m_simulator && m_simulator->GoOn(now));
    m_running = false;
    m_armed = RCC_TIME_NEVER;
    if (now != RCC_TIME_NEVER)
    {
        Arm(now, now);
    }
}

/**
 * Run the queue in the scheduler of another simulator. ns-3's events of this nanosecond that wait there come first, so
 * the queue goes to their end, until none has run since it did.
 */
void
RccEventQueue::Pumped(bool settled)
{
    const int64_t now = RccNow();
    m_pumped++;
    if (!settled)
    {
        if (now == m_armed && !m_settling) // an older, later firing is ignored
        {
            Settle();
        }
        return;
    }
    m_settling = false;
    if (Simulator::GetEventCount() - m_countAtSettle != 1)
    {
        Settle();
        return;
    }
    m_armed = m_later;
    m_later = RCC_TIME_NEVER;
    m_running = true;
    m_stopped = false;
    Run(now);
    m_running = false;
    const int64_t next = NextTime();
    if (next < m_armed)
    {
        Arm(next, now);
    }
}

void
RccEventQueue::Settle()
{
    m_settling = true;
    m_countAtSettle = Simulator::GetEventCount();
    m_settle->Ref(); // the scheduler gives it back
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, NanoSeconds(0), PeekPointer(m_settle));
}

void
RccEventQueue::Arm(int64_t when, int64_t now)
{
    m_later = m_armed;
    m_armed = when;
    if (m_simulator)
    {
        m_simulator->ArmFiring(when);
        return;
    }
    m_pump->Ref(); // the scheduler gives it back after the firing
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, NanoSeconds(when - now), PeekPointer(m_pump));
}

} // namespace ns3
