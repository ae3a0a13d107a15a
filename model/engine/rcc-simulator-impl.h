/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_SIMULATOR_IMPL_H
#define RCC_SIMULATOR_IMPL_H

#include "ns3/event-id.h"
#include "ns3/ptr.h"
#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ns3
{

class RccEventQueue;

/**
 * The simulator of ns-3 with a second queue: RccEvents run from RccEventQueue in the main loop and never enter ns-3's
 * scheduler. Everything else is as in DefaultSimulatorImpl: the order of events, their uids and contexts, the count of
 * events, events that other threads schedule. A simulation has the same results under both; this one is faster.
 *
 * A program that links the module has it, unless NS_GLOBAL_VALUE, the command line or GlobalValue::Bind names another
 * one in SimulatorImplementationType before the first call of any function of Simulator. It needs ns-3's time
 * resolution of a nanosecond, which is the default; with another one it works as DefaultSimulatorImpl does.
 */
class RccSimulatorImpl : public SimulatorImpl
{
  public:
    /// The type that Stop(delay) returns: an EventId, before ns-3.37 nothing.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    static TypeId GetTypeId();
    RccSimulatorImpl();

    /**
     * Make this the implementation of the next simulation, unless the user chose one: by the environment variable
     * NS_GLOBAL_VALUE, or by giving the global value another value than ns-3's default. The library calls it when it is
     * loaded. A program with an ns-3 that is linked statically, which may begin after the library does, calls it
     * itself.
     */
    static void Use();

    /// \return the number of RccEvents executed so far, under any simulator
    static uint64_t CountRccEvents();

    /// Events of ns-3, executed so far, that have a node as their context.
    struct NodeEvents
    {
        uint64_t mine{0};    //!< a node that this process owns
        uint64_t foreign{0}; //!< a node of another rank
    };

    /// \return their numbers; under another simulator 0
    static NodeEvents CountNodeEvents();

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;

    Time Now() const override
    {
        return TimeStep(m_time);
    }

    Time GetDelayLeft(const EventId& id) const override;

    Time GetMaximumSimulationTime() const override
    {
        return TimeStep(static_cast<uint64_t>(INT64_MAX));
    }

    void SetScheduler(ObjectFactory factory) override;

    uint32_t GetSystemId() const override
    {
        return 0;
    }

    uint32_t GetContext() const override
    {
        return m_context;
    }

    uint64_t GetEventCount() const override
    {
        return m_count;
    }

  protected:
    /// The time that never comes.
    static const uint64_t NEVER = INT64_MAX;

    void DoDispose() override;

    /// As Run begins.
    void Begin();

    /// Run the events before a time, unless Stop is called. \param limit in steps of ns-3's time resolution
    void RunBefore(uint64_t limit);

    /// \return time of the next event; NEVER if there is none
    uint64_t GetNextTime() const
    {
        return m_fireAt < m_next.m_ts ? m_fireAt : m_next.m_ts;
    }

    /// Whether the loop has to end. \return whether Stop was called since Run began
    bool IsStopped() const
    {
        return m_stop;
    }

  private:
    friend class RccEventQueue;

    /// An event that another thread scheduled.
    struct Guest
    {
        uint32_t context;
        uint64_t delay;
        EventImpl* event;
    };

    bool Attach(RccEventQueue* queue);
    void Detach();

    /// Call RccEventQueue::Fire at `when`, ns, which is before the time it was armed for; after ns-3's events of that
    /// time.
    void ArmFiring(int64_t when)
    {
        m_fireAt = static_cast<uint64_t>(when);
    }

    /**
     * Begin a firing at once, if nothing comes before it.
     * \param when the time of the firing, ns
     * \return whether it has begun
     */
    bool GoOn(int64_t when)
    {
        const auto time = static_cast<uint64_t>(when);
        if (time >= m_bound || m_hasGuests.load(std::memory_order_relaxed))
        {
            return false;
        }
        m_time = time;
        m_atUid = m_uid - 1; // every event that was scheduled for this time has run
        m_count++;
        return true;
    }

    Scheduler::Event Insert(uint64_t time, uint32_t context, EventImpl* event);
    void FindNext();
    void SetBound();
    void RunFiring();
    void RunOfScheduler();
    void CountNodeEvent();
    void ScheduleFromOtherThreads();

    Scheduler::EventKey m_next; //!< the key of the first event in m_scheduler; m_ts NEVER: there is none
    uint64_t m_limit{NEVER};    //!< the limit given to RunBefore
    uint64_t m_bound{NEVER};    //!< the earlier one of both; 0 after Stop
    uint64_t m_fireAt{NEVER};   //!< the next firing of the queue of RccEvents
    uint64_t m_time{0};         //!< now
    uint64_t m_count{0};        //!< events executed
    NodeEvents m_nodeEvents;
    uint32_t m_context;
    uint32_t m_uid;   //!< the uid of the event that is scheduled next
    uint32_t m_atUid; //!< the uid of the event that is executed
    bool m_stop{false};
    std::atomic<bool> m_hasGuests{false};
    RccEventQueue* m_queue{nullptr};
    Ptr<Scheduler> m_scheduler;
    std::list<EventId> m_destroyEvents;
    std::thread::id m_mainThread;
    std::mutex m_guestsMutex;
    std::vector<Guest> m_guests;
};

} // namespace ns3

#endif /* RCC_SIMULATOR_IMPL_H */
