/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-measurement.h"

namespace ns3
{

RccMeasurement::RccMeasurement(RccFlowSet& flows) : m_flows(flows)
{
}

RccMeasurement::~RccMeasurement()
{
    if (port)
    {
        port->SetQueueMonitor(nullptr);
    }
}

void
RccMeasurement::Watch(Ptr<QbbNetDevice> watched, const std::string& itsName, uint64_t longBytes)
{
    port = watched;
    name = itsName;
    longQueue = longBytes;
    queue.reset(new RccQueueStats(longQueue));
    port->SetQueueMonitor(queue.get());
}

void
RccMeasurement::AddBottleneck(Ptr<QbbNetDevice> bottleneck)
{
    m_bottlenecks.push_back(bottleneck);
}

void
RccMeasurement::CompleteBottlenecks()
{
    if (m_bottlenecks.empty())
    {
        m_bottlenecks.push_back(port);
    }
}

void
RccMeasurement::BeginWindow()
{
    windowStart = RccNow();
    queue->BeginWindow(GetQueueBytes(), windowStart);
    m_windowTx = CountTx();
    m_windowCapacity = CountCapacity();
    m_windowSent = CountSent();
    m_flows.BeginWindow();
}

void
RccMeasurement::EndWindow()
{
    windowEnd = RccNow();
    queue->QueueWas(GetQueueBytes(), windowEnd);
    windowQueue.reset(new RccQueueStats(*queue));
    m_windowTx = CountTx() - m_windowTx;
    m_windowCapacity = CountCapacity() - m_windowCapacity;
    m_windowSent = CountSent() - m_windowSent;
    m_flows.EndWindow();
}

uint64_t
RccMeasurement::CountTx() const
{
    uint64_t bytes = 0;
    for (const auto& bottleneck : m_bottlenecks)
    {
        bytes += bottleneck->GetCounters().txBytes;
    }
    return bytes;
}

double
RccMeasurement::CountCapacity() const
{
    double bytes = 0;
    for (const auto& bottleneck : m_bottlenecks)
    {
        bytes += bottleneck->GetCapacityBytes(RccNow());
    }
    return bytes;
}

uint64_t
RccMeasurement::GetRate() const
{
    uint64_t rate = 0;
    for (const auto& bottleneck : m_bottlenecks)
    {
        rate += bottleneck->GetRate();
    }
    return rate;
}

uint64_t
RccMeasurement::CountSent() const
{
    uint64_t bytes = 0;
    for (const auto& nic : m_flows.GetNics())
    {
        bytes += nic->GetCounters().bytesSent;
    }
    return bytes;
}

double
RccMeasurement::GetUtilization() const
{
    return m_windowCapacity > 0 ? static_cast<double>(m_windowTx) / m_windowCapacity : 0;
}

double
RccMeasurement::GetSendUtilization() const
{
    return m_windowCapacity > 0 ? static_cast<double>(m_windowSent) / m_windowCapacity : 0;
}

} // namespace ns3
