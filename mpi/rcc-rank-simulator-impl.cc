/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-rank-simulator-impl.h"

#include "rcc-rank-gateway.h"

#include "ns3/abort.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RccRankSimulatorImpl);

TypeId
RccRankSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RccRankSimulatorImpl")
                            .SetParent<RccSimulatorImpl>()
                            .SetGroupName("Rcc")
                            .AddConstructor<RccRankSimulatorImpl>();
    return tid;
}

RccRankSimulatorImpl::RccRankSimulatorImpl() = default;

void
RccRankSimulatorImpl::Run()
{
    auto ranks = dynamic_cast<RccRankGateway*>(RccGateway::Current());
    NS_ABORT_MSG_UNLESS(ranks, "RccRankSimulatorImpl in a process that is no rank");
    Begin();
    // The links between ranks are known after the events of the first nanosecond, and have a delay.
    uint64_t limit = static_cast<uint64_t>(Now().GetTimeStep()) + 1;
    for (;;)
    {
        RunBefore(limit);
        const uint64_t first = ranks->Exchange(IsStopped() ? NEVER : GetNextTime(), Now().GetTimeStep());
        if (first == NEVER)
        {
            return;
        }
        if (!m_lookAhead)
        {
            m_lookAhead = ranks->FindLookAhead();
        }
        limit = m_lookAhead < NEVER - first ? first + m_lookAhead : NEVER;
    }
}

uint32_t
RccRankSimulatorImpl::GetSystemId() const
{
    return RccGateway::Current() ? RccGateway::Current()->GetRank() : 0;
}

} // namespace ns3
