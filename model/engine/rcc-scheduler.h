/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_SCHEDULER_H
#define RCC_SCHEDULER_H

#include "ns3/priority-queue-scheduler.h"

namespace ns3
{

/**
 * A PriorityQueueScheduler that keeps the earliest event outside its queue.
 *
 * RccEventQueue has one event in ns-3's scheduler. It is nearly always the earliest, and
 * is removed and inserted for every nanosecond in which a port or link acts. This scheduler
 * does both without touching the priority queue, however many other events wait there.
 * Every scheduler gives the same results; this one is faster.
 */
class RccScheduler : public PriorityQueueScheduler
{
  public:
    static TypeId GetTypeId();

    /// Make the simulation use this scheduler: sets the global value SchedulerType to ns3::RccScheduler. Called before
    /// Simulator::Run.
    static void Use();

    void Insert(const Scheduler::Event& event) override;
    bool IsEmpty() const override;
    Scheduler::Event PeekNext() const override;
    Scheduler::Event RemoveNext() override;
    void Remove(const Scheduler::Event& event) override;

  private:
    Scheduler::Event m_front{nullptr, {0, 0, 0}}; //!< the earliest event; without impl: the earliest is in the queue
};

} // namespace ns3

#endif /* RCC_SCHEDULER_H */
