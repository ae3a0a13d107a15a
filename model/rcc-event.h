/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RCC_EVENT_H
#define RCC_EVENT_H

#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{

/// "Never", for times in ns.
static const int64_t RCC_TIME_NEVER = INT64_MAX;

/// Simulation time, ns.
inline int64_t
RccNow()
{
    return Simulator::Now().GetNanoSeconds();
}

/**
 * One event object that is scheduled again and again.
 *
 * A port or link arms it for the time it next has something to do. Arming it for
 * an earlier time schedules it once more; the firing that is then out of date
 * finds nothing due and does nothing. So a hop costs one scheduler insertion per
 * frame and no allocation.
 */
class RccEvent : public EventImpl
{
  public:
    using Handler = void (*)(void* owner, int64_t now);

    /**
     * \param handler called with owner and the time, when due
     * \param owner must call Release before it dies
     * \param context node id for ns-3's log
     */
    static Ptr<RccEvent> Create(Handler handler, void* owner, uint32_t context)
    {
        return Ptr<RccEvent>(new RccEvent(handler, owner, context), false);
    }

    /// Be due at `when` (ns, not in the past), and no longer at any other time.
    void At(int64_t when, int64_t now)
    {
        m_due = when;
        if (when < m_armed)
        {
            Arm(when, now);
        }
    }

    /// Be due at `when` unless it is due sooner.
    void AtOrBefore(int64_t when, int64_t now)
    {
        if (when < m_due)
        {
            At(when, now);
        }
    }

    /// Not due any more.
    void Disarm()
    {
        m_due = RCC_TIME_NEVER;
    }

    int64_t Due() const
    {
        return m_due;
    }

    /// The owner is gone: firings that are still scheduled do nothing.
    void Release()
    {
        m_owner = nullptr;
        m_due = RCC_TIME_NEVER;
    }

  private:
    RccEvent(Handler handler, void* owner, uint32_t context)
        : m_handler(handler),
          m_owner(owner),
          m_context(context)
    {
    }

    void Arm(int64_t when, int64_t now)
    {
        m_later = m_armed;
        m_armed = when;
        m_outstanding++;
        Ref(); // the scheduler gives it back after the firing
        Simulator::ScheduleWithContext(m_context, NanoSeconds(when - now), this);
    }

    void Notify() override
    {
        // Asking for the time costs more than the rest of this function.
        int64_t now = m_outstanding == 1 && m_armed != RCC_TIME_NEVER ? m_armed : RccNow();
        m_outstanding--;
        if (now != m_armed)
        {
            return; // an older, later firing
        }
        m_armed = m_later;
        m_later = RCC_TIME_NEVER;
        if (m_due <= now)
        {
            m_due = RCC_TIME_NEVER;
            if (m_owner)
            {
                m_handler(m_owner, now);
            }
        }
        else if (m_due != RCC_TIME_NEVER && m_armed > m_due)
        {
            Arm(m_due, now);
        }
    }

    Handler m_handler;
    void* m_owner;
    int64_t m_due{RCC_TIME_NEVER};   //!< when the owner wants it
    int64_t m_armed{RCC_TIME_NEVER}; //!< earliest firing that is scheduled
    int64_t m_later{RCC_TIME_NEVER}; //!< the one it was armed before, so that a far date is not scheduled twice
    uint32_t m_context;
    uint32_t m_outstanding{0}; //!< firings that are scheduled
};

} // namespace ns3

#endif /* RCC_EVENT_H */
