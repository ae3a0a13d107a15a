/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-measurement.h"

namespace ns3
{

LabMeasurement::~LabMeasurement()
{
    if (port)
    {
        port->RemoveObserver(queue.get());
    }
}

void
LabMeasurement::Watch(Ptr<QbbNetDevice> watched, const std::string& itsName, uint64_t longBytes)
{
    if (port)
    {
        port->RemoveObserver(queue.get());
    }
    port = watched;
    name = itsName;
    longQueue = longBytes;
    queue.reset(new LabQueueStats(longQueue));
    port->AddObserver(queue.get(), QBB_OBSERVE_QUEUE);
}

void
LabMeasurement::BeginWindow()
{
    begin = Now();
    queue->BeginWindow(GetQueueBytes(), begin.at);
    flows.BeginWindow();
}

void
LabMeasurement::HalveWindow()
{
    middle = Now();
    halfQueue.reset(new LabQueueStats(*queue));
    flows.HalveWindow();
}

void
LabMeasurement::EndWindow()
{
    ended = true;
    end = Now();
    windowQueue.reset(new LabQueueStats(*queue));
    flows.EndWindow();
}

LabMark
LabMeasurement::Now() const
{
    LabMark now;
    now.at = RccNow();
    now.queue = queue->GetMoments(GetQueueBytes(), now.at);
    for (const auto& bottleneck : bottlenecks)
    {
        now.tx += bottleneck->GetCounters().txBytes - bottleneck->GetUnsentBytes(now.at);
        now.capacity += bottleneck->GetCapacityBytes(now.at);
    }
    for (const auto& nic : flows.GetNics())
    {
        now.sent += nic->GetCounters().bytesSent;
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            now.sent -= nic->GetPort(p)->GetUnsentBytes(now.at, true);
        }
    }
    return now;
}

void
LabMeasurement::Gather(RccGateway& ranks)
{
    const bool mine = RccGateway::IsLocal(*port->GetNode());
    const int64_t now = RccNow();
    queue->QueueWas(GetQueueBytes(), now);
    queue->Gather(ranks, mine);
    windowQueue->Gather(ranks, mine);
    if (halfQueue)
    {
        halfQueue->Gather(ranks, mine);
    }
    lastBytes = GetQueueBytes();
    RccRankSums sums;
    sums.Add(lastBytes, mine);
    for (uint64_t* bytes : {&begin.tx, &begin.sent, &middle.tx, &end.tx, &end.sent})
    {
        sums.Add(*bytes);
    }
    sums.Run(ranks);
    gathered = true;
}

uint64_t
LabMeasurement::GetRate() const
{
    uint64_t rate = 0;
    for (const auto& bottleneck : bottlenecks)
    {
        rate += bottleneck->GetRate();
    }
    return rate;
}

} // namespace ns3
