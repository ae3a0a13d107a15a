/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_SCHEDULER_H
#define RCC_SCHEDULER_H

#include "ns3/priority-queue-scheduler.h"

namespace ns3
{

/**
 * A PriorityQueueScheduler that keeps the earliest event in front of the queue.
 *
 * RccEventQueue has one event in ns-3's scheduler, nearly always the earliest, which
 * is removed and inserted again for every nanosecond that has something to do. Here
 * neither goes through the queue of a user's thousands of timers and flow starts.
 * Any scheduler runs the same simulation; see RccScheduler::Use.
 */
class RccScheduler : public PriorityQueueScheduler
{
  public:
    static TypeId GetTypeId();
    RccScheduler();
    ~RccScheduler() override;

    /// Let the simulation use it: ns-3's SchedulerType is ns3::RccScheduler from here on. Before Simulator::Run.
    static void Use();

    void Insert(const Scheduler::Event& event) override;
    bool IsEmpty() const override;
    Scheduler::Event PeekNext() const override;
    Scheduler::Event RemoveNext() override;
    void Remove(const Scheduler::Event& event) override;

  private:
    Scheduler::Event m_front{nullptr, {0, 0, 0}}; //!< before all others; without impl: none, the queue has the first
};

} // namespace ns3

#endif /* RCC_SCHEDULER_H */
