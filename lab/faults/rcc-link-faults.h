/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Parts of RccFaults: what it puts on links and between a port and its NIC. Programs include rcc-faults.h. */
#ifndef RCC_LINK_FAULTS_H
#define RCC_LINK_FAULTS_H

#include "rcc-faults.h"

namespace ns3
{

/**
 * Let a host pause its links for as long as a PFC frame can, or resume them.
 * \param nic of the host
 * \param classes one bit each
 * \param pause false: resume
 * \return ns after which a pause has to be refreshed
 */
int64_t RccPauseLinks(const RdmaNic& nic, uint8_t classes, bool pause);

/// The faults that pick frames on one link, for RccFaults.
class RccLinkFaults : public QbbLinkDisturbance
{
  public:
    /// \param faults owns this
    explicit RccLinkFaults(RccFaults& faults) : m_faults(faults)
    {
    }

    /**
     * Add a fault.
     * \param number in RccFaults
     * \param end of the link that the frames leave from
     * \param stream of its draws
     */
    void Add(size_t number, uint32_t end, uint64_t stream)
    {
        m_active[end].push_back(Active{number, stream, 0, false, 0});
    }

    // QbbLinkDisturbance
    Fate FrameSent(uint32_t end, const RccFrame& frame, int64_t now) override;

  private:
    /// A fault on frames in one direction.
    struct Active
    {
        size_t number;
        uint64_t stream;
        uint64_t draws;
        bool bad;     //!< with bursts: frames are picked now
        int64_t next; //!< SLOW_NP: when the next CNP may leave, ns
    };

    bool Picks(Active& active, const RccFault& fault);
    void Apply(Active& active, const RccFault& fault, Fate& fate, int64_t now);

    RccFaults& m_faults;
    std::vector<Active> m_active[2]; //!< by end
};

/**
 * Stands between a port and the NIC of a host that does not read: data waits here, and the link is paused while more
 * than the NIC's memory waits. For RccFaults.
 */
class RccDeafHost : public QbbFrameSource
{
  public:
    /// \param nic of the host
    explicit RccDeafHost(Ptr<RdmaNic> nic) : m_nic(nic), m_pool(RccFramePool::Current())
    {
    }

    ~RccDeafHost() override
    {
        m_pool->PutAll(m_held);
    }

    /// Stop reading. \param bytes that may wait before the link is paused
    void Stop(uint64_t bytes);

    /// Read what waits, and from then on again. \param now ns
    void Resume(int64_t now);

    // QbbFrameSource
    void FrameArrived(uint32_t port, RccFrame* frame, int64_t now) override;

    void FrameLeaves(uint32_t port, RccFrame* frame, int64_t now) override
    {
        m_nic->FrameLeaves(port, frame, now);
    }

    void PauseChanged(uint32_t port, uint8_t paused, int64_t now) override
    {
        m_nic->PauseChanged(port, paused, now);
    }

    void FrameLost(uint32_t port, RccFrame* frame, int64_t now) override
    {
        m_nic->FrameLost(port, frame, now);
    }

    void LinkDown(uint32_t port, int64_t now) override
    {
        m_nic->LinkDown(port, now);
    }

    void LinkUp(uint32_t port, int64_t now) override
    {
        m_nic->LinkUp(port, now);
    }

    RccFrame* NextFrame(uint32_t port, int64_t now, uint8_t paused) override
    {
        return m_nic->NextFrame(port, now, paused);
    }

    int64_t NextDue(uint32_t port, uint8_t paused) override
    {
        return m_nic->NextDue(port, paused);
    }

  private:
    void Refresh();

    Ptr<RdmaNic> m_nic;
    Ptr<RccFramePool> m_pool;
    RccFrameQueue m_held;
    uint64_t m_room{0};
    uint8_t m_classes{0}; //!< that data was of
    bool m_pausing{false};
    bool m_deaf{false};
};

} // namespace ns3

#endif /* RCC_LINK_FAULTS_H */
