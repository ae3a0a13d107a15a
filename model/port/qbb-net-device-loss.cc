/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice: links that fail, queues that are dropped, and ports that belong to nobody. */
#include "qbb-net-device.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDeviceLoss");

namespace
{

/// Stands behind a port until a NIC or a switch does.
class Nobody : public QbbPortOwner
{
  public:
    void FrameArrived(uint32_t, RccFrame* frame, int64_t) override
    {
        NS_ABORT_MSG("QbbNetDevice: a frame from node "
                     << frame->src
                     << " arrived at a device that belongs neither to an RdmaNic nor to a switch: AddPort");
    }

    void FrameLeaves(uint32_t, RccFrame*, int64_t) override
    {
    }
};

} // namespace

QbbPortOwner*
QbbNetDevice::GetNobody()
{
    static Nobody nobody;
    return &nobody;
}

void
QbbNetDevice::LinkDown(int64_t now)
{
    QueueChanges(now);
    NS_LOG_INFO("node " << m_node->GetId() << " port " << m_port << ": the link is down, " << m_queued
                        << " bytes that waited are lost");
    RccFrameQueue lost[QBB_CLASSES];
    for (uint8_t c = 0; c < QBB_CLASSES; c++)
    {
        lost[c] = TakeQueue(c);
    }
    if (m_urgent)
    {
        if (m_traces)
        {
            m_traces->drop(*m_urgent);
        }
        m_pool->Put(m_urgent);
        m_urgent = nullptr;
    }
    for (auto& frames : lost)
    {
        Lose(frames, now);
    }
    PausesChanged(m_pauses ? rcc_pfc_clear(&m_pauses->state, now) : 0, now);
    m_pauseRequest.asked = 0;
    m_owner->LinkDown(m_port, now);
    ReportLinkChange();
}

void
QbbNetDevice::LinkUp(int64_t now)
{
    m_owner->LinkUp(m_port, now);
    TryTransmit(now);
    ReportLinkChange();
}

void
QbbNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    if (!m_ip)
    {
        m_ip.reset(new QbbPortIp);
    }
    m_ip->linkChange.ConnectWithoutContext(callback);
}

void
QbbNetDevice::ReportLinkChange() const
{
    if (m_ip)
    {
        m_ip->linkChange();
    }
}

uint64_t
QbbNetDevice::DropQueued(uint8_t cls, int64_t now)
{
    QueueChanges(now);
    RccFrameQueue lost = TakeQueue(cls);
    return Lose(lost, now);
}

/// Take all frames out of the queue of a class, before what learns of it can add others.
RccFrameQueue
QbbNetDevice::TakeQueue(uint8_t cls)
{
    RccFrameQueue frames = m_queues[cls].TakeAll();
    m_queued -= frames.Bytes();
    m_waiting &= ~(1u << cls);
    if (!frames.IsEmpty() && m_traces)
    {
        m_traces->queue(cls, frames.Bytes(), 0);
    }
    return frames;
}

/// Give frames that were queued to the owner as lost. \return number of frames
uint64_t
QbbNetDevice::Lose(RccFrameQueue& lost, int64_t now)
{
    uint64_t frames = 0;
    for (; !lost.IsEmpty(); frames++)
    {
        RccFrame* const frame = lost.Pop();
        if (m_source && frame->kind == RccFrameKind::IP)
        {
            IpLeaves(frame);
        }
        m_owner->FrameLost(m_port, frame, now);
    }
    return frames;
}

} // namespace ns3
