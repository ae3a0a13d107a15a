/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_EVENT_QUEUE_H
#define RCC_EVENT_QUEUE_H

#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class RccEvent;
class RccSimulatorImpl;

/// The time that never comes, ns.
static const int64_t RCC_TIME_NEVER = INT64_MAX;

/// Order of an event among those of the same nanosecond: the least one runs first, equal ones in the order in which
/// they were armed. What comes from another node has an order that the topology fixes, so that it does not matter who
/// brought it when.
static const uint32_t RCC_ORDER_STOP = 0;                //!< the end of the simulation
static const uint32_t RCC_ORDER_ARRIVAL = 1;             //!< the first link's arrivals; those of the others follow
static const uint32_t RCC_ORDER_NOTICE = UINT32_MAX - 1; //!< a notice from another node
static const uint32_t RCC_ORDER_OWN = UINT32_MAX;        //!< an event that a node has armed for itself

/// Steps in which what an event touches is fetched from memory, an event earlier each: what one step fetches has the
/// pointers that the next one follows.
enum RccPrefetch : uint32_t
{
    RCC_PREFETCH_DEVICE, //!< the frame and the port
    RCC_PREFETCH_OWNER,  //!< the switch or the NIC
    RCC_PREFETCH_TABLE,  //!< the table in which it looks up what to do with the frame
    RCC_PREFETCH_ENTRY,  //!< the entry that it finds there: the output, the queue pair
    RCC_PREFETCH_LAST,   //!< the memory that this entry points to
    RCC_PREFETCH_STEPS,
    RCC_PREFETCH_AT_ONCE //!< no step: all that the owner can reach without its own lines
};

/// \return the simulation time, ns
inline int64_t
RccNow()
{
    return Simulator::Now().GetNanoSeconds();
}

/**
 * The queue of all armed RccEvents of a simulation: a hierarchical timing wheel with a
 * slot per nanosecond. Inserting an event, removing it and finding the next one take
 * constant time, whatever the number of events.
 *
 * RccSimulatorImpl knows one firing at a time of this queue, which runs all RccEvents of one
 * nanosecond; under another simulator an event in ns-3's scheduler does. ns-3's own events of a nanosecond run before
 * its RccEvents, and those by their order (RCC_ORDER_OWN).
 */
class RccEventQueue : public SimpleRefCount<RccEventQueue>
{
  public:
    /// Place of an RccEvent in the wheel: a member of a ring per slot.
    struct Node
    {
        Node* next{nullptr};           //!< the next of the slot's ring
        Node* prev{nullptr};           //!< the previous of the slot's ring
        int64_t time{RCC_TIME_NEVER};  //!< ns; RCC_TIME_NEVER: not in the wheel
        uint32_t order{RCC_ORDER_OWN}; //!< order among the events of one nanosecond
        uint16_t slot{0};              //!< index of the slot, over all levels
        bool isSecond{false};          //!< the node is Second of the event that owns it
        uint8_t pending{0};            //!< RccEvent's
    };

    /// \return the queue of the running simulation; a new one after Simulator::Destroy
    static Ptr<RccEventQueue> Current();

    RccEventQueue();
    ~RccEventQueue();
    RccEventQueue(const RccEventQueue&) = delete;
    RccEventQueue& operator=(const RccEventQueue&) = delete;

    /**
     * Put a node into the wheel.
     * \param node a node that is not in the wheel
     * \param when the time it is due, ns, not before `now`
     * \param now the simulation time, ns
     */
    void Insert(Node& node, int64_t when, int64_t now)
    {
        node.time = when;
        Link(node);
        if (!m_running && when < m_armed)
        {
            Arm(when, now);
        }
    }

    /**
     * Take a node out of the wheel.
     * \param node a node that is in the wheel
     */
    void Remove(Node& node)
    {
        Unlink(node);
        node.time = RCC_TIME_NEVER;
    }

    /// An event has got its handler. From many on, what the next events of a nanosecond touch is fetched ahead.
    void CountBound()
    {
        m_wide = ++m_bound >= WIDE || m_wide;
    }

    /// Fetch ahead whatever the number of events; the results are the same. For tests.
    void FetchAhead()
    {
        m_wide = true;
    }

    /// \return whether what the next events touch is fetched ahead
    bool FetchesAhead() const
    {
        return m_wide;
    }

    /// End the simulation: neither what is due at the same time runs nor what comes later. For handlers of RccEvents.
    static void Stop();

    /// \return the number of events executed so far: those of ns-3, and every RccEvent as one
    static uint64_t CountEvents();

    /**
     * Where the running event stands among those of its nanosecond, as far as the network fixes it: at any number of
     * ranks the same. Events of one place are ordered within their node.
     * \return 0 in an event of ns-3; grows with the order of RccEvents, and again after ns-3's events that they
     *         scheduled for now
     */
    static uint64_t GetPlace();

    /// GetPlace() for those that keep the queue, as they ask for every frame. \param now ns \return as GetPlace()
    uint64_t GetPlaceAt(int64_t now) const
    {
        const uint64_t runs = m_base == now ? m_runs : 0;
        return m_running ? (runs - 1) << 32 | m_order : runs << 32;
    }

  private:
    friend class RccSimulatorImpl;

    /*
     * Level 0 has a slot per nanosecond of the window that m_base is in; a slot of level n + 1 is as long as level n.
     * Windows are aligned, not sliding: an event is on the lowest level on which it shares the window of m_base, and
     * moves down when m_base enters the window of its slot. So two events of one nanosecond meet in the order of
     * insertion, and a ring of level 0 is sorted by the events' order.
     */
    static const uint32_t BITS_0 = 12, BITS = 10, LEVELS = 7;
    static const uint32_t SLOTS_0 = 1u << BITS_0, SLOTS = 1u << BITS;
    static const uint32_t WIDE = 8192;   // two per port: in smaller networks the ports stay in the cache
    static const uint32_t SEARCHED = 16; // places: sorting costs more in a short ring, and a walk in a long one
    static_assert(SLOTS_0 + (LEVELS - 1) * SLOTS <= UINT16_MAX, "Node::slot");
    static const uint32_t WORDS_0 = SLOTS_0 / 64, WORDS = SLOTS / 64;

    class Pump;

    void Link(Node& node)
    {
        if (static_cast<uint64_t>(node.time ^ m_base) >= SLOTS_0)
        {
            LinkLater(node);
            return;
        }
        const uint32_t slot = static_cast<uint32_t>(node.time) % SLOTS_0;
        node.slot = static_cast<uint16_t>(slot);
        Node*& last = m_last[slot];
        if (!last)
        {
            node.prev = node.next = &node;
            m_used[slot / 64] |= uint64_t(1) << slot % 64;
            m_usedWords[0] |= uint64_t(1) << slot / 64;
            last = &node;
        }
        else if (last->order > node.order)
        {
            LinkInOrder(node, last);
        }
        else
        {
            Append(node, last);
        }
    }

    /// Link on a level above 0.
    void LinkLater(Node& node);

    /// Put a node at the end of a ring.
    static void Append(Node& node, Node*& last)
    {
        node.prev = last;
        node.next = last->next;
        last->next->prev = &node;
        last->next = &node;
        last = &node;
    }

    /// Put a node into a ring of level 0 whose last node comes after it.
    void LinkInOrder(Node& node, Node*& last)
    {
        if (__builtin_expect(m_wide, 0))
        {
            LinkInCrowd(node, last);
            return;
        }
        Node* after = last->next;
        while (after->order <= node.order)
        {
            after = after->next;
        }
        LinkBefore(*after, node);
    }

    static void LinkBefore(Node& after, Node& node)
    {
        node.next = &after;
        node.prev = after.prev;
        after.prev->next = &node;
        after.prev = &node;
    }

    void LinkInCrowd(Node& node, Node*& last);

    /// \return whether a ring of level 0 is to be sorted before it runs
    bool IsUnsorted(uint32_t slot) const
    {
        return m_unsorted[slot / 64] >> slot % 64 & 1u;
    }

    void Sort(uint32_t slot);

    void Unlink(Node& node)
    {
        Node*& last = m_last[node.slot];
        if (node.next == &node)
        {
            last = nullptr;
            Clear(node.slot);
            return;
        }
        node.prev->next = node.next;
        node.next->prev = node.prev;
        if (last == &node)
        {
            last = node.prev;
        }
    }

    /// The slot of a time that shares no window of level 0 with m_base.
    static uint32_t SlotOf(int64_t time, int64_t base)
    {
        const auto apart = static_cast<uint64_t>(time ^ base);
        const uint32_t level = (63u - static_cast<uint32_t>(__builtin_clzll(apart)) - BITS_0) / BITS; // less one
        return SLOTS_0 + level * SLOTS + static_cast<uint32_t>(time >> (BITS_0 + level * BITS)) % SLOTS;
    }

    /// Take the first node out of a ring of level 0. The slot stays in use until FinishSlot.
    static Node& TakeFirst(Node*& last)
    {
        Node& node = *last->next;
        if (&node != last)
        {
            last->next = node.next;
            node.next->prev = last;
        }
        else
        {
            last = nullptr;
        }
        node.time = RCC_TIME_NEVER;
        return node;
    }

    /// A slot of level 0 has become empty.
    void FinishSlot(uint32_t slot)
    {
        if (!(m_used[slot / 64] &= ~(uint64_t(1) << slot % 64)))
        {
            m_usedWords[0] &= ~(uint64_t(1) << slot / 64);
        }
    }

    static uint32_t LevelOf(uint32_t slot)
    {
        return slot < SLOTS_0 ? 0 : 1 + (slot - SLOTS_0) / SLOTS;
    }

    /// Index of the word of m_used that holds the slot, within its level.
    static uint32_t WordOf(uint32_t slot)
    {
        return slot < SLOTS_0 ? slot / 64 : (slot - SLOTS_0) % SLOTS / 64;
    }

    void Clear(uint32_t slot)
    {
        uint64_t& word = m_used[slot / 64];
        word &= ~(uint64_t(1) << slot % 64);
        if (!word)
        {
            m_usedWords[LevelOf(slot)] &= ~(uint64_t(1) << WordOf(slot));
        }
    }

    /// First slot in use of a level that has one.
    uint32_t FirstSlot(uint32_t level) const
    {
        const uint32_t first = level ? WORDS_0 + (level - 1) * WORDS : 0;
        const uint32_t word = first + static_cast<uint32_t>(__builtin_ctzll(m_usedWords[level]));
        return word * 64 + static_cast<uint32_t>(__builtin_ctzll(m_used[word]));
    }

    /// \return when the next event is due, ns; RCC_TIME_NEVER if there is none
    int64_t NextTime() const
    {
        return m_usedWords[0] ? (m_base & ~static_cast<int64_t>(SLOTS_0 - 1)) + FirstSlot(0) : NextTimeLater();
    }

    int64_t NextTimeLater() const;
    void Advance(int64_t now)
    {
        const int64_t before = m_base;
        m_base = now;
        if (static_cast<uint64_t>(now ^ before) >= SLOTS_0)
        {
            EnterWindow(before);
        }
    }

    void EnterWindow(int64_t before);
    static void LookAhead(const Node& next);
    void Prepare(uint32_t slot);
    void Fire(int64_t now);
    void Pumped(bool settled);
    void Settle();
    void Run(int64_t now);
    void Arm(int64_t when, int64_t now);

    int64_t m_base{0};               //!< time of the last firing, ns
    int64_t m_armed{RCC_TIME_NEVER}; //!< earliest firing that the simulator knows of
    int64_t m_later{RCC_TIME_NEVER}; //!< the firing armed before m_armed; reused, so that it is not scheduled twice
    bool m_running{false};
    bool m_wide{false};                //!< the owners of the events do not fit into the cache
    bool m_stopped{false};             //!< Stop was called
    uint32_t m_order{0};               //!< the order of the RccEvent that runs
    uint32_t m_runs{0};                //!< calls of Run for the time m_base
    bool m_settling{false};            //!< m_settle is in the scheduler
    uint64_t m_countAtSettle{0};       //!< events of ns-3 when it was put there
    uint64_t m_fired{0}, m_pumped{0};  //!< RccEvents, and ns-3's events for them
    uint32_t m_bound{0};               //!< events that were given a handler
    uint64_t m_usedWords[LEVELS] = {}; //!< words of m_used that are not 0
    uint64_t m_used[WORDS_0 + (LEVELS - 1) * WORDS] = {};
    uint64_t m_unsorted[WORDS_0] = {};                 //!< slots of level 0 whose ring is not in order
    std::vector<std::pair<uint64_t, Node*>> m_sorting; //!< a vector for Sort, kept for its memory
    Node* m_last[SLOTS_0 + (LEVELS - 1) * SLOTS] = {}; //!< by slot: the last node of a ring; its next is the first
    Ptr<Pump> m_pump, m_settle;
    RccSimulatorImpl* m_simulator; //!< the running one; null: another simulator, whose scheduler holds m_pump
};

} // namespace ns3

#endif /* RCC_EVENT_QUEUE_H */
