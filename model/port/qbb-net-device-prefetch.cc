/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice: a port fetches from memory ahead of the events that touch it. Prefetching changes no result. */
#include "ns3/rcc-compiler.h"
#include "qbb-net-device.h"

namespace ns3
{

void
QbbNetDevice::PrefetchArrival(const RccFrame& frame, uint32_t step) const
{
    if (step == RCC_PREFETCH_DEVICE)
    {
        RccFetch(&m_owner);
        RccFetch(&m_counters);
    }
    else if (frame.kind != RccFrameKind::PFC)
    {
        m_owner->PrefetchArrival(m_port, frame, step);
    }
}

void
QbbNetDevice::PrefetchTransmit() const
{
    RccFetch(&m_link);
    RccFetch(&m_owner);
    RccFetch(&m_counters);
    RccFetch(&m_queues[3]); // the class of most RDMA traffic
    RccFetch(&m_txEvent);
}

void
QbbNetDevice::Announce(const RccFrame& frame) const
{
    const QbbNetDevice* const receiver = m_wire->GetReceiver(m_end);
    if (receiver)
    {
        receiver->PrefetchArrival(frame, RCC_PREFETCH_AT_ONCE);
    }
}

/// Prefetch the frame that leaves next, and the objects that it touches.
void
QbbNetDevice::PrefetchTxEvent(void* device, uint32_t step)
{
    const QbbNetDevice& self = *static_cast<QbbNetDevice*>(device);
    if (step == RCC_PREFETCH_DEVICE)
    {
        self.PrefetchTransmit();
        return;
    }
    if (step == RCC_PREFETCH_OWNER)
    {
        RccFetch(self.m_wire);
        if (self.m_waiting)
        {
            RccFetchFrame(self.m_queues[__builtin_ctz(self.m_waiting)].Head());
        }
    }
    if (self.m_source && !self.m_waiting)
    {
        self.m_source->PrefetchSend(self.m_port, step);
    }
    else if (step == RCC_PREFETCH_TABLE && self.m_wire)
    {
        self.m_wire->PrefetchSend(self.m_end);
    }
}

} // namespace ns3
