/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_NOTIFIER_H
#define RDMA_NOTIFIER_H

#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-compiler.h"
#include "ns3/rcc-event.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * The notification points of a NIC, one per algorithm, with their memory and timers. Flows are receiving halves. A NIC
 * that spaces CNPs per destination has one per algorithm and sender.
 */
class RdmaNotifier
{
  public:
    /// Number of a notification point that does not exist.
    static const uint16_t NONE = UINT16_MAX;

    /// In the place of a sender: the notification point is that of all.
    static const uint32_t ANY = UINT32_MAX;

    /// Called with the owner, a CNP that is due, and the time, ns.
    using Handler = void (*)(void* owner, const rcc_cnp& cnp, int64_t now);

    /// \param send sends a CNP \param owner given to it
    RdmaNotifier(Handler send, void* owner) : m_send(send), m_owner(owner)
    {
    }

    /**
     * A flow begins.
     * \param flow its number, chosen by the caller
     * \param algorithm of the flow
     * \param lineRate of the NIC, bit/s
     * \param sender node that gets the CNPs, whose notification point is its own; ANY: it is that of all
     * \return the number of its notification point; NONE if the algorithm has none
     */
    uint16_t Open(uint32_t flow, Ptr<RccAlgorithm> algorithm, uint64_t lineRate, uint32_t sender);

    /// A flow ends: it gets no more CNPs. \param np of Open, may be NONE \param flow its number
    void Close(uint16_t np, uint32_t flow);

    /// A packet arrived with CE. \param np of Open, may be NONE \param flow its number \param now ns
    void RecordMark(uint16_t np, uint32_t flow, int64_t now);

    /// A mark may be on its way to a flow: fetch what it touches. \param flow its number
    void Expect(uint32_t flow) const
    {
        RccFetch(m_records + m_recordSize * flow);
    }

    /// Forget all notification points.
    void Clear()
    {
        m_points.clear();
        m_records = nullptr;
        m_recordSize = 0;
    }

  private:
    struct Point
    {
        Ptr<RccAlgorithm> algorithm;
        uint32_t sender;
        rcc_np* state;
        std::unique_ptr<uint64_t[]> memory;
        RccEvent event;
        RdmaNotifier* self;
    };

    uint16_t Find(Ptr<RccAlgorithm> algorithm, uint64_t lineRate, uint32_t sender);
    void SendDue(Point& point, int64_t now);
    static void TimerExpired(void* point, int64_t now);

    Handler m_send;
    void* m_owner;
    std::vector<std::unique_ptr<Point>> m_points;
    const char* m_records{nullptr}; //!< the flow records of the first notification point
    size_t m_recordSize{0};         //!< bytes
};

} // namespace ns3

#endif /* RDMA_NOTIFIER_H */
