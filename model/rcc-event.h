/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RCC_EVENT_H
#define RCC_EVENT_H

#include "rcc-event-queue.h"

#include <cstdint>

namespace ns3
{

/**
 * One event object that is scheduled again and again.
 *
 * A port or link arms it for the time it next has something to do. Put off, it
 * stays where it is in the queue and is moved when it gets there; so a date that
 * is put off again and again, as that of a busy port, costs nothing.
 */
class RccEvent : public SimpleRefCount<RccEvent>
{
  public:
    using Handler = void (*)(void* owner, int64_t now);

    /**
     * \param handler called with owner and the time, when due
     * \param owner must call Release before it dies
     */
    static Ptr<RccEvent> Create(Handler handler, void* owner)
    {
        return Ptr<RccEvent>(new RccEvent(handler, owner), false);
    }

    ~RccEvent()
    {
        Unqueue();
    }

    RccEvent(const RccEvent&) = delete;
    RccEvent& operator=(const RccEvent&) = delete;

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

    /// The owner is gone.
    void Release()
    {
        m_owner = nullptr;
        m_due = RCC_TIME_NEVER;
        Unqueue();
    }

  private:
    friend class RccEventQueue;

    RccEvent(Handler handler, void* owner)
        : m_handler(handler),
          m_owner(owner),
          m_queue(RccEventQueue::Current())
    {
        m_nodes[0].event = m_nodes[1].event = this;
    }

    void Arm(int64_t when, int64_t now)
    {
        m_first ^= 1u;
        RccEventQueue::Node& node = m_nodes[m_first];
        if (node.time != RCC_TIME_NEVER)
        {
            m_queue->Remove(node);
        }
        m_queue->Insert(node, when, now);
    }

    /// Called by the queue at the earlier of the two places, which is not in the queue any more.
    void Fire(int64_t now)
    {
        m_first ^= 1u;
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

    void Unqueue()
    {
        for (auto& node : m_nodes)
        {
            if (node.time != RCC_TIME_NEVER)
            {
                m_queue->Remove(node);
            }
        }
    }

    Handler m_handler;
    void* m_owner;
    int64_t m_due{RCC_TIME_NEVER}; //!< when the owner wants it
    uint32_t m_first{0};           //!< which node is the earlier one
    RccEventQueue::Node m_nodes[2]; //!< the other is the one it was armed before, so that a far date is not queued twice
    Ptr<RccEventQueue> m_queue;
};

} // namespace ns3

#endif /* RCC_EVENT_H */
