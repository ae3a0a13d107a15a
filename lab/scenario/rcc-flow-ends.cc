/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* How the flows of a run end it: the last one has ended, on every rank. */
#include "rcc-flow-set.h"

#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/rcc-event-queue.h"

#include <algorithm>
#include <set>

namespace ns3
{

void
RccFlowSet::AddBeside(Ptr<Node> node)
{
    m_nodesBeside.push_back(node);
    m_beside++;
}

void
RccFlowSet::EndBeside()
{
    m_beside--;
    EndIfDone();
}

void
RccFlowSet::CountEnd()
{
    m_unfinished--;
    EndIfDone();
}

void
RccFlowSet::EndIfDone()
{
    if (m_unfinished + m_beside > 0 || m_endless)
    {
        return;
    }
    const int64_t when = RccNow() + QbbChannel::GetLongestDelay();
    RccGateway* const ranks = RccGateway::Current();
    for (uint32_t rank : ranks ? ranks->GetOthers() : std::vector<uint32_t>())
    {
        ranks->SendNotice(rank, {RccGateway::Notice::FLOWS_ENDED, 0, 0, when});
    }
    RankEnded(when);
}

/// The flows of one rank have all ended. \param when the simulation may end, ns
void
RccFlowSet::RankEnded(int64_t when)
{
    m_stopAt = std::max(m_stopAt, when);
    if (--m_ranksLeft == 0)
    {
        m_stop.At(m_stopAt, RccNow());
    }
}

/// Of the flows that end, count those that this rank sends, and the ranks that send any.
void
RccFlowSet::CountLocal(RccGateway& ranks)
{
    std::set<uint32_t> senders;
    m_unfinished = 0;
    for (const auto& f : m_flows)
    {
        if (f.bytes || f.own.stop >= 0)
        {
            senders.insert(f.from->GetObject<Node>()->GetSystemId());
            m_unfinished += f.from->IsLocal() ? 1 : 0;
        }
    }
    m_beside = 0;
    for (const auto& node : m_nodesBeside)
    {
        senders.insert(node->GetSystemId());
        m_beside += RccGateway::IsLocal(*node) ? 1 : 0;
    }
    m_ranksLeft = static_cast<uint32_t>(senders.size());
    ranks.SetFlowsEndedHandler([this](int64_t when) { RankEnded(when); });
}

void
RccFlowSet::HandleStop(void* self, int64_t)
{
    static_cast<RccFlowSet*>(self)->m_stopped = true;
    RccEventQueue::Stop();
}

} // namespace ns3
