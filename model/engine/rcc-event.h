/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_EVENT_H
#define RCC_EVENT_H

#include "rcc-event-queue.h"

#include <cstdint>

namespace ns3
{

/**
 * An event that is armed many times: a member of the object whose handler it calls.
 *
 * A port or link arms it for the time of its next action. An event that is put off
 * stays at its earlier place in the queue and is moved when that time comes, so
 * putting it off, as a busy port does with every frame, costs no queue operation.
 */
class RccEvent
{
  public:
    /// The function that a due event calls, with the owner given to Bind and the simulation time in ns.
    using Handler = void (*)(void* owner, int64_t now);

    /// The function that may be called some events before a due one, with the owner and a step that begins with 0; see
    /// RccPrefetch.
    using Prefetcher = void (*)(void* owner, uint32_t step);

    RccEvent() = default;

    ~RccEvent()
    {
        Unbind();
    }

    RccEvent(const RccEvent&) = delete;
    RccEvent& operator=(const RccEvent&) = delete;

    /**
     * Set the handler. Called once, before the event is armed.
     * \param handler called when the event is due
     * \param owner first argument of the handler; outlives the event or calls Unbind
     * \param order among the events of one nanosecond, see RCC_ORDER_OWN
     */
    void Bind(Handler handler, void* owner, uint32_t order = RCC_ORDER_OWN)
    {
        m_node.order = order;
        m_handler = handler;
        m_owner = owner;
        m_queue = RccEventQueue::Current();
        m_queue->CountBound();
    }

    /// \param prefetcher fetches from memory what the handler will touch, and changes nothing; null: nothing
    void SetPrefetcher(Prefetcher prefetcher)
    {
        m_prefetcher = prefetcher;
    }

    /// \return whether a handler is set
    bool IsBound() const
    {
        return m_handler != nullptr;
    }

    /// Remove the handler and leave the queue. Arming the event afterwards does nothing.
    void Unbind()
    {
        m_handler = nullptr;
        m_due = RCC_TIME_NEVER;
        Leave(m_node);
        if (m_second)
        {
            Leave(m_second->node);
            delete m_second;
            m_second = nullptr;
        }
        m_node.pending = 0;
        m_queue = nullptr;
    }

    /**
     * Make the event due at `when` and at no other time.
     * \param when ns, not before `now`
     * \param now the simulation time, ns
     */
    void At(int64_t when, int64_t now)
    {
        m_due = when;
        if (when < First().time)
        {
            Arm(when, now);
        }
    }

    /**
     * Make the event due at `when` unless it is due sooner.
     * \param when ns, not before `now`
     * \param now the simulation time, ns
     */
    void AtOrBefore(int64_t when, int64_t now)
    {
        if (when < m_due)
        {
            At(when, now);
        }
    }

    /// Make the event not due. It may be armed again.
    void Disarm()
    {
        m_due = RCC_TIME_NEVER;
    }

    /// \return the time the event is due, ns; RCC_TIME_NEVER if it is not armed
    int64_t Due() const
    {
        return m_due;
    }

  private:
    friend class RccEventQueue;

    /// A second place in the queue; few events ever have one.
    struct Second
    {
        RccEventQueue::Node node; //!< the first member
        RccEvent* event;
    };

    /// Bits of m_node.pending.
    enum Pending : uint8_t
    {
        SECOND_FIRST = 1, //!< the second node is the earlier one, or the next to be used
        LATER = 2         //!< the other one was armed before it, and is kept for when the event is put off again
    };

    /// \return the event that owns a node
    static RccEvent* GetOwner(const RccEventQueue::Node& node)
    {
        // both are the first members of what they are in
        auto n = const_cast<RccEventQueue::Node*>(&node);
        return node.isSecond ? reinterpret_cast<Second*>(n)->event : reinterpret_cast<RccEvent*>(n);
    }

    /// \return the earlier place in the queue, or the next to be used
    RccEventQueue::Node& First()
    {
        return m_node.pending & SECOND_FIRST ? m_second->node : m_node;
    }

    void Arm(int64_t when, int64_t now)
    {
        if (!m_queue)
        {
            return; // unbound: the simulation is being taken down
        }
        if (First().time != RCC_TIME_NEVER)
        {
            UseOther();
        }
        m_queue->Insert(First(), when, now);
    }

    /// Take a node out of the queue, if it is there.
    void Leave(RccEventQueue::Node& node)
    {
        if (node.time != RCC_TIME_NEVER)
        {
            m_queue->Remove(node);
        }
    }

    /// The event is to be due sooner than its first place in the queue.
    void UseOther();

    /// The first place has been taken out of the queue.
    void LeaveFirst()
    {
        m_node.pending = m_node.pending == LATER ? SECOND_FIRST : 0;
    }

    void Prefetch(uint32_t step) const
    {
        if (m_prefetcher)
        {
            m_prefetcher(m_owner, step);
        }
    }

    /// The queue calls it at the time of the earlier node, which it has removed.
    void Fire(int64_t now)
    {
        if (m_node.pending)
        {
            LeaveFirst();
        }
        if (m_due <= now)
        {
            m_due = RCC_TIME_NEVER;
            m_handler(m_owner, now);
        }
        else if (m_due < First().time)
        {
            Arm(m_due, now);
        }
    }

    // The members that most events touch are as long as a line of the cache; an object with an event begins with a
    // line.
    RccEventQueue::Node m_node;
    Handler m_handler{nullptr};
    void* m_owner{nullptr};
    int64_t m_due{RCC_TIME_NEVER}; //!< the time the owner asked for, ns
    Ptr<RccEventQueue> m_queue;

    Prefetcher m_prefetcher{nullptr};
    Second* m_second{nullptr}; //!< null until it is used
};

} // namespace ns3

#endif /* RCC_EVENT_H */
