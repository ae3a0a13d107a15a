/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* How the flows of a run end it: the last one has ended, on every rank, and nothing is under way. */
#include "lab-flow-set.h"

#include "ns3/node.h"
#include "ns3/qbb-channel.h"
#include "ns3/rcc-event-queue.h"
#include "ns3/rcc-frame.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{
const int64_t LOOK_LEAST = 1000;     // ns between two looks for frames that are under way
const int64_t LOOK_LAST = 100000000; // ns after the last flow has ended: what is there still may be stuck for ever
} // namespace

void
LabFlowSet::AddBeside(Ptr<Node> node)
{
    m_nodesBeside.push_back(node);
    m_beside++;
}

void
LabFlowSet::EndBeside()
{
    m_beside--;
    EndIfDone();
}

void
LabFlowSet::CountEnd()
{
    m_unfinished--;
    EndIfDone();
}

void
LabFlowSet::EndIfDone()
{
    if (m_unfinished + m_beside > 0 || m_endless)
    {
        return;
    }
    const int64_t when = RccNow() + QbbChannel::GetLongestDelay();
    RccGateway* const ranks = RccGateway::Current();
    for (uint32_t rank : ranks ? ranks->GetOthers() : std::vector<uint32_t>())
    {
        ranks->SendNotice(rank, {RccGateway::Notice::FLOWS_ENDED, 0, m_cut ? 1u : 0u, when});
    }
    RankEnded(when, m_cut);
}

void
LabFlowSet::HandleNotice(const RccGateway::Notice& notice)
{
    if (notice.kind == RccGateway::Notice::FLOWS_ENDED)
    {
        RankEnded(notice.when, notice.qp != 0);
    }
    else
    {
        m_framesLeft += notice.qp;
    }
}

/// The flows of one rank have all ended. \param when the simulation may end, ns \param cut whether one was stopped
void
LabFlowSet::RankEnded(int64_t when, bool cut)
{
    m_stopAt = std::max(m_stopAt, when);
    m_cut = m_cut || cut;
    if (--m_ranksLeft == 0)
    {
        m_stop.At(m_stopAt, RccNow());
    }
}

/// Count the flows that end and that this rank sends, and the ranks that send any.
void
LabFlowSet::CountLocal(RccGateway& ranks)
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
    ranks.SetFlowsEndedHandler([this](const RccGateway::Notice& notice) { HandleNotice(notice); });
}

void
LabFlowSet::HandleStop(void* self, int64_t now)
{
    auto set = static_cast<LabFlowSet*>(self);
    set->m_stopEvents++;
    if (set->m_cut && !(set->m_looked && set->m_framesLeft == 0) && now < set->m_stopAt + LOOK_LAST)
    {
        set->LookForFrames(now);
        return;
    }
    RccEventQueue::Stop();
}

/// Frames that flows sent before they were stopped may be under way. Other ranks get the number of frames
/// that this one has before the next look, of which each is later than the one before by a part of the time that it has
/// been.
void
LabFlowSet::LookForFrames(int64_t now)
{
    m_looked = true;
    m_framesLeft = static_cast<uint32_t>(RccFramePool::Current()->InUse());
    const int64_t wait = std::max<int64_t>({QbbChannel::GetLongestDelay(), LOOK_LEAST, (now - m_stopAt) / 8});
    if (RccGateway* const ranks = RccGateway::Current())
    {
        m_framesLeft += ranks->GetFramesAway();
        for (uint32_t rank : ranks->GetOthers())
        {
            ranks->SendNotice(rank, {RccGateway::Notice::FRAMES_LEFT, 0, m_framesLeft, now + wait});
        }
    }
    m_stop.At(now + wait, now);
}

} // namespace ns3
