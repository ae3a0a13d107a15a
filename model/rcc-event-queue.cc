/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-event-queue.h"

#include "rcc-event.h"

#include "ns3/simulation-singleton.h"

#include <algorithm>

namespace ns3
{

namespace
{
const uint32_t NO_CONTEXT = 0xffffffff;

struct QueueHolder
{
    Ptr<RccEventQueue> queue = Ptr<RccEventQueue>(new RccEventQueue, false);
};
} // namespace

/// What ns-3's scheduler holds.
class RccEventQueue::Pump : public EventImpl
{
  public:
    explicit Pump(RccEventQueue* queue) : m_queue(queue)
    {
    }

    void Stop()
    {
        m_queue = nullptr;
    }

  private:
    void Notify() override
    {
        if (!m_queue)
        {
            return;
        }
        RccEventQueue& q = *m_queue;
        // Asking for the time costs more than the rest of this function.
        const int64_t now = q.m_outstanding == 1 && q.m_armed != RCC_TIME_NEVER ? q.m_armed : RccNow();
        q.m_outstanding--;
        q.m_pumped++;
        if (now != q.m_armed)
        {
            return; // an older, later firing
        }
        q.m_armed = q.m_later;
        q.m_later = RCC_TIME_NEVER;
        q.Run(now);
    }

    RccEventQueue* m_queue;
};

Ptr<RccEventQueue>
RccEventQueue::Current()
{
    return SimulationSingleton<QueueHolder>::Get()->queue;
}

RccEventQueue::RccEventQueue()
    : m_last(new Node*[SLOTS_0 + (LEVELS - 1) * SLOTS]()),
      m_pump(Ptr<Pump>(new Pump(this), false))
{
}

RccEventQueue::~RccEventQueue()
{
    m_pump->Stop();
}

uint64_t
RccEventQueue::CountEvents()
{
    const Ptr<RccEventQueue> queue = Current();
    return Simulator::GetEventCount() - queue->m_pumped + queue->m_fired;
}

int64_t
RccEventQueue::NextTime() const
{
    uint32_t level = 0;
    while (level < LEVELS && !m_usedWords[level])
    {
        level++;
    }
    if (level == LEVELS)
    {
        return RCC_TIME_NEVER;
    }
    const uint32_t slot = FirstSlot(level);
    if (level == 0)
    {
        return (m_base & ~static_cast<int64_t>(SLOTS_0 - 1)) + slot;
    }
    const Node* last = m_last[slot];
    int64_t least = last->time;
    for (const Node* n = last->next; n != last; n = n->next)
    {
        least = std::min(least, n->time);
    }
    return least;
}

/// Nothing is due before `now`: its slot's events, and those near it, move down to where they belong.
void
RccEventQueue::Advance(int64_t now)
{
    const auto apart = static_cast<uint64_t>(now ^ m_base);
    m_base = now;
    if (apart < SLOTS_0)
    {
        return;
    }
    const uint32_t level = (63u - static_cast<uint32_t>(__builtin_clzll(apart)) - BITS_0) / BITS;
    const uint32_t slot = SLOTS_0 + level * SLOTS + static_cast<uint32_t>(now >> (BITS_0 + level * BITS)) % SLOTS;
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

void
RccEventQueue::Run(int64_t now)
{
    Advance(now);
    m_running = true;
    Node*& last = m_last[static_cast<uint32_t>(now) % SLOTS_0];
    while (last)
    {
        Node& node = *last->next;
        Remove(node);
        m_fired++;
        node.event->Fire(now);
        if (last && Simulator::IsFinished())
        {
            break; // Simulator::Stop means now, also for what was due at the same time
        }
    }
    m_running = false;
    const int64_t next = NextTime();
    if (next < m_armed)
    {
        Arm(next, now);
    }
}

void
RccEventQueue::Arm(int64_t when, int64_t now)
{
    m_later = m_armed;
    m_armed = when;
    m_outstanding++;
    m_pump->Ref(); // the scheduler gives it back after the firing
    Simulator::ScheduleWithContext(NO_CONTEXT, NanoSeconds(when - now), PeekPointer(m_pump));
}

} // namespace ns3
