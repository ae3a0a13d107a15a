/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_EVENT_H
#define RCC_EVENT_H

#include "rcc-event-queue.h"

#include <cstdint>

namespace ns3
{

/**
 * An event that is scheduled again and again, as a member of what it wakes.
 *
 * A port or link arms it for the time it next has something to do. Put off, it
 * stays where it is in the queue and is moved when it gets there; so a date that
 * is put off again and again, as that of a busy port, costs nothing.
 */
class RccEvent
{
  public:
    using Handler = void (*)(void* owner, int64_t now);

    RccEvent()
    {
        m_nodes[0].event = m_nodes[1].event = this;
    }

    ~RccEvent()
    {
        Unbind();
    }

    RccEvent(const RccEvent&) = delete;
    RccEvent& operator=(const RccEvent&) = delete;

    /**
     * To be done before it is armed, once.
     * \param handler called with owner and the time, when due
     * \param owner not owned
     */
    void Bind(Handler handler, void* owner)
    {
        m_handler = handler;
        m_owner = owner;
        m_queue = RccEventQueue::Current();
    }

    bool IsBound() const
    {
        return m_handler != nullptr;
    }

    /// Not due any more, and not to be armed again: the owner is going.
    void Unbind()
    {
        m_handler = nullptr;
        m_due = RCC_TIME_NEVER;
        for (auto& node : m_nodes)
        {
            if (node.time != RCC_TIME_NEVER)
            {
                m_queue->Remove(node);
            }
        }
        m_queue = nullptr;
    }

    /// Be due at `when` (ns, not in the past), and no longer at any other time.
    void At(int64_t when, int64_t now)
    {
        m_due = when;
        if (when < m_nodes[m_first].time)
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

  private:
    friend class RccEventQueue;

    void Arm(int64_t when, int64_t now)
    {
        if (!m_queue)
        {
            return; // unbound: the simulation is being taken down
        }
        if (m_nodes[m_first].time != RCC_TIME_NEVER)
        {
            m_first ^= 1u;
            if (m_nodes[m_first].time != RCC_TIME_NEVER)
            {
                m_queue->Remove(m_nodes[m_first]);
            }
        }
        m_queue->Insert(m_nodes[m_first], when, now);
    }

    /// Called by the queue at the earlier of the two places, which is not in the queue any more.
    void Fire(int64_t now)
    {
        if (m_nodes[m_first ^ 1u].time != RCC_TIME_NEVER)
        {
            m_first ^= 1u;
        }
        if (m_due <= now)
        {
            m_due = RCC_TIME_NEVER;
            m_handler(m_owner, now);
        }
        else if (m_due < m_nodes[m_first].time)
        {
            Arm(m_due, now);
        }
    }

    Handler m_handler{nullptr};
    void* m_owner{nullptr};
    int64_t m_due{RCC_TIME_NEVER}; //!< when the owner wants it
    Ptr<RccEventQueue> m_queue;
    uint32_t m_first{0}; //!< which node is the earlier one
    RccEventQueue::Node
        m_nodes[2]; //!< the other is the one it was armed before, so that a far date is not queued twice
};

} // namespace ns3

#endif /* RCC_EVENT_H */
