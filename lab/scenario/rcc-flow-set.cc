/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-flow-set.h"

#include "rcc-setup.h"

#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/rcc-units.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cinttypes>
#include <set>

namespace ns3
{

uint64_t
RccFlowSet::Flow::GetDelivered() const
{
    if (fct >= 0)
    {
        return bytes;
    }
    if (stopped || !client || !client->IsConnected())
    {
        return delivered;
    }
    return to->GetRecvQp(from->GetSendQp(client->GetQp()).dstQp).rx.bytes;
}

double
RccFlowSet::Flow::GetGoodput(double window) const
{
    if (path != NO_PATH && bytes)
    {
        return fct > 0 ? static_cast<double>(bytes) * 8e9 / static_cast<double>(fct) : 0;
    }
    return window > 0 ? static_cast<double>(inWindow) * 8 / window : 0;
}

RccFlowSet::Flow&
RccFlowSet::NewFlow(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes)
{
    m_flows.emplace_back();
    Flow& f = m_flows.back();
    f.from = from;
    f.to = to;
    f.src = from->GetObject<Node>()->GetId();
    f.dst = to->GetObject<Node>()->GetId();
    f.start = start;
    f.bytes = bytes;
    f.path = NO_PATH;
    for (const auto& nic : {from, to})
    {
        if (m_nicsKnown.insert(PeekPointer(nic)).second)
        {
            m_nics.push_back(nic);
        }
    }
    m_unfinished += bytes ? 1 : 0;
    m_firstStart = std::min(m_firstStart, start);
    m_lastStart = std::max(m_lastStart, start);
    return f;
}

Ptr<RdmaClient>
RccFlowSet::NewClient(size_t flow)
{
    const Flow& f = m_flows[flow];
    RdmaClientHelper helper(f.to, f.own.algorithm ? f.own.algorithm : m_algorithm);
    helper.SetTrafficClass(f.own.cls);
    helper.SetWindow(f.own.window, f.own.variableWindow);
    helper.SetMessageSize(f.bytes);
    Ptr<RdmaClient> client = helper.Create();
    client->TraceConnectWithoutContext("Completed", MakeBoundCallback(&RccFlowSet::HandleCompleted, this, flow));
    return client;
}

Ptr<RdmaClient>
RccFlowSet::Add(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes, uint64_t messages)
{
    Flow& f = NewFlow(from, to, start, bytes * messages);
    f.client = NewClient(m_flows.size() - 1);
    if (messages != 1)
    {
        f.client->SetAttribute("MessageSize", UintegerValue(bytes));
        f.client->SetAttribute("Messages", UintegerValue(messages));
    }
    f.client->SetStartTime(NanoSeconds(start));
    from->GetObject<Node>()->AddApplication(f.client);
    m_endless = m_endless || f.bytes == 0;
    return f.client;
}

void
RccFlowSet::AddWait(const std::vector<size_t>& flows, const std::vector<std::pair<size_t, int64_t>>& before,
                    uint64_t needs, int64_t delay)
{
    for (size_t flow : flows)
    {
        m_flows[flow].client->SetAttribute("Held", BooleanValue(true));
    }
    for (const auto& one : before)
    {
        if (one.first == RUN_BEGIN)
        {
            Simulator::Schedule(NanoSeconds(one.second), &RccFlowSet::CountFor, this, m_waits.size());
            continue;
        }
        m_waitsFor[one.first].emplace_back(m_waits.size(), one.second);
    }
    m_waits.push_back(Wait{flows, needs ? needs : before.size(), delay});
}

/// A flow has ended: those that wait for it may start.
void
RccFlowSet::CountForWaits(size_t flow)
{
    const auto found = m_waitsFor.find(flow);
    if (found == m_waitsFor.end())
    {
        return;
    }
    for (const auto& wait : found->second)
    {
        if (wait.second)
        {
            Simulator::Schedule(NanoSeconds(wait.second), &RccFlowSet::CountFor, this, wait.first);
        }
        else
        {
            CountFor(wait.first);
        }
    }
}

/// One of the flows that others wait for counts.
void
RccFlowSet::CountFor(size_t wait)
{
    if (--m_waits[wait].left == 0)
    {
        Simulator::Schedule(NanoSeconds(m_waits[wait].delay), &RccFlowSet::Release, this, wait);
    }
}

void
RccFlowSet::Release(size_t wait)
{
    for (size_t flow : m_waits[wait].flows)
    {
        m_flows[flow].start = RccNow();
        m_flows[flow].client->Continue();
    }
    m_lastStart = std::max(m_lastStart, RccNow());
}

uint32_t
RccFlowSet::AddPath(const std::vector<RccHop>& path)
{
    std::vector<uint64_t> links;
    for (const auto& hop : path)
    {
        links.insert(links.end(), {hop.rate, static_cast<uint64_t>(hop.delay), hop.header});
    }
    const auto known = m_pathOf.emplace(links, static_cast<uint32_t>(m_paths.size()));
    if (known.second)
    {
        m_paths.push_back(path);
    }
    return known.first->second;
}

void
RccFlowSet::AddArrival(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes, uint32_t path,
                       const RccFlowOptions& own)
{
    Flow& f = NewFlow(from, to, start, bytes);
    f.path = path;
    f.own = own;
    m_unfinished += bytes == 0 && own.stop >= 0 ? 1 : 0;
    m_endless = m_endless || (bytes == 0 && own.stop < 0);
}

void
RccFlowSet::Start()
{
    m_stop.Bind(&RccFlowSet::HandleStop, this, RCC_ORDER_STOP);
    if (RccGateway* ranks = RccGateway::Current())
    {
        CountLocal(*ranks);
    }
    if (HasArrivals())
    {
        Simulator::Schedule(NanoSeconds(m_flows.front().start), &RccFlowSet::OpenArrivals, this);
    }
}

/// Open the flows that start now, and release the queue pairs of those that have ended since.
void
RccFlowSet::OpenArrivals()
{
    for (size_t i : m_toRelease)
    {
        Flow& f = m_flows[i];
        f.delivered = f.GetDelivered();
        f.from->Forget(f.client->GetQp());
        f.client = nullptr;
    }
    m_toRelease.clear();
    for (; m_arrived < m_flows.size() && m_flows[m_arrived].start <= RccNow(); m_arrived++)
    {
        Flow& f = m_flows[m_arrived];
        f.client = NewClient(m_arrived);
        f.client->SetNode(f.from->GetObject<Node>()); // not added to it: a node keeps its applications to the end
        f.client->Initialize();
        if (f.own.stop >= 0)
        {
            const int64_t left = std::max<int64_t>(f.own.stop - RccNow(), 0);
            Simulator::Schedule(NanoSeconds(left), &RccFlowSet::StopFlow, this, m_arrived);
        }
    }
    if (m_arrived < m_flows.size())
    {
        Simulator::Schedule(NanoSeconds(m_flows[m_arrived].start - RccNow()), &RccFlowSet::OpenArrivals, this);
    }
}

void
RccFlowSet::HandleCompleted(RccFlowSet* self, size_t flow, Ptr<RdmaClient>, int64_t ns)
{
    self->m_flows[flow].fct = ns;
    if (self->m_flows[flow].path != NO_PATH)
    {
        self->m_toRelease.push_back(flow);
    }
    self->m_ended(flow, ns);
    self->CountForWaits(flow);
    self->CountEnd();
}

void
RccFlowSet::HandleStop(void* self, int64_t)
{
    static_cast<RccFlowSet*>(self)->m_stopped = true;
    RccEventQueue::Stop();
}

void
RccFlowSet::CountEnd()
{
    if (--m_unfinished > 0 || m_endless)
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
    m_ranksLeft = static_cast<uint32_t>(senders.size());
    ranks.SetFlowsEndedHandler([this](int64_t when) { RankEnded(when); });
}

void
RccFlowSet::Gather(RccGateway& ranks)
{
    RccRankSums sums;
    sums.Add(m_unfinished);
    sums.Add(m_cutShort);
    for (auto& f : m_flows)
    {
        f.delivered = f.GetDelivered();
        f.stopped = true;
        sums.Add(++f.fct, f.from->IsLocal()); // 0: not ended, or of a rank that has died
        sums.Add(f.delivered, f.to->IsLocal());
        sums.Add(f.inWindow, f.to->IsLocal());
        sums.Add(f.inHalf, f.to->IsLocal());
    }
    sums.Run(ranks);
    for (auto& f : m_flows)
    {
        f.fct--;
    }
}

void
RccFlowSet::StopFlow(size_t flow)
{
    Flow& f = m_flows[flow];
    if (f.fct >= 0)
    {
        return;
    }
    f.delivered = f.GetDelivered();
    f.stopped = true;
    f.from->Close(f.client->GetQp());
    if (!f.from->IsLocal())
    {
        return;
    }
    m_toRelease.push_back(flow);
    m_cutShort += f.bytes ? 1 : 0;
    CountEnd();
}

void
RccFlowSet::BeginWindow()
{
    for (auto& f : m_flows)
    {
        f.atWindow = f.GetDelivered();
    }
}

void
RccFlowSet::HalveWindow()
{
    for (auto& f : m_flows)
    {
        f.inHalf = f.GetDelivered() - f.atWindow;
    }
}

void
RccFlowSet::EndWindow()
{
    for (auto& f : m_flows)
    {
        f.inWindow = f.GetDelivered() - f.atWindow;
    }
}

uint32_t
RccFlowSet::CountSenders() const
{
    std::set<uint32_t> senders;
    for (const auto& f : m_flows)
    {
        senders.insert(f.src);
    }
    return static_cast<uint32_t>(senders.size());
}

std::vector<RccFlowEnd>
RccFlowSet::GetEnded(bool arrivals, uint32_t ackEvery) const
{
    std::vector<RccFlowEnd> ended;
    const RdmaNic& nic = *m_flows.front().from;
    const uint32_t tag = nic.GetPort(0)->GetVlanBytes();
    for (const auto& f : m_flows)
    {
        if (f.fct >= 0 && (!arrivals || f.path != NO_PATH))
        {
            const int64_t ideal =
                arrivals ? RccIdealFct(m_paths[f.path], f.bytes, nic.GetMtu(), ackEvery, tag, nic.GetRethBytes()) : 0;
            ended.push_back(RccFlowEnd{f.bytes, f.fct, ideal});
        }
    }
    return ended;
}

void
RccFlowSet::WriteCsv(const std::string& path, double window) const
{
    const RccFile file =
        RccSetup::OpenFile(path, "flow,src,dst,start_s,size_bytes,delivered_bytes,goodput_bps,fct_s\n");
    for (size_t i = 0; i < m_flows.size(); i++)
    {
        const Flow& f = m_flows[i];
        std::fprintf(file.get(), "%zu,%u,%u,%.9f,%" PRIu64 ",%" PRIu64 ",%.9g,", i, f.src, f.dst, RccSeconds(f.start),
                     f.bytes, f.GetDelivered(), f.GetGoodput(window));
        if (f.fct >= 0)
        {
            std::fprintf(file.get(), "%.9f", RccSeconds(f.fct));
        }
        std::fprintf(file.get(), "\n");
    }
}

} // namespace ns3
