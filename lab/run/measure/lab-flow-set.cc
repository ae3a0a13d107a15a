/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-flow-set.h"

#include "lab-setup.h"

#include "ns3/node.h"
#include "ns3/pointer.h"
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
LabFlowSet::Flow::GetDelivered() const
{
    if (fct >= 0)
    {
        return bytes;
    }
    if (half != NO_HALF && !over)
    {
        return to->GetRecvQp(half).rx.bytes;
    }
    if (over || !client || !client->IsConnected())
    {
        return delivered;
    }
    return to->GetRecvQp(from->GetSendQp(client->GetQp()).dstQp).rx.bytes;
}

double
LabFlowSet::Flow::GetGoodput(double window) const
{
    if (path != NO_PATH && bytes)
    {
        return fct > 0 ? static_cast<double>(bytes) * 8e9 / static_cast<double>(fct) : 0;
    }
    return window > 0 ? static_cast<double>(inWindow) * 8 / window : 0;
}

LabFlowSet::Flow&
LabFlowSet::NewFlow(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes)
{
    m_flows.emplace_back();
    Flow& f = m_flows.back();
    f.from = from;
    f.to = to;
    f.start = start;
    f.bytes = bytes;
    f.path = NO_PATH;
    const auto idOf = [this](const Ptr<RdmaNic>& nic) {
        const auto known = m_nicsKnown.insert({PeekPointer(nic), 0});
        if (known.second)
        {
            known.first->second = nic->GetObject<Node>()->GetId();
            m_nics.push_back(nic);
        }
        return known.first->second;
    };
    f.src = idOf(from);
    f.dst = idOf(to);
    m_unfinished += bytes ? 1 : 0;
    m_bytes += bytes;
    m_firstStart = std::min(m_firstStart, start);
    m_lastStart = std::max(m_lastStart, start);
    return f;
}

Ptr<RdmaClient>
LabFlowSet::NewClient(size_t flow) const
{
    const Flow& f = m_flows[flow];
    RdmaClientHelper helper(f.to, GetAlgorithm(f));
    helper.SetTrafficClass(f.own.cls);
    helper.SetWindow(f.own.window, f.own.variableWindow);
    helper.SetMessageSize(f.bytes);
    return helper.Create();
}

Ptr<RdmaClient>
LabFlowSet::Add(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes, uint64_t messages,
                Ptr<RccAlgorithm> algorithm)
{
    Flow& f = NewFlow(from, to, start, bytes * messages);
    m_endless = m_endless || f.bytes == 0;
    if (!m_pattern || m_patternOf != std::make_pair(bytes, messages))
    {
        m_pattern = NewClient(m_flows.size() - 1);
        m_pattern->TraceConnectWithoutContext("Completed", m_client);
        if (messages != 1)
        {
            m_pattern->SetAttribute("MessageSize", UintegerValue(bytes));
            m_pattern->SetAttribute("Messages", UintegerValue(messages));
        }
        m_patternOf = {bytes, messages};
    }
    f.own.algorithm = algorithm;
    if (m_onlyChecked)
    {
        return m_pattern; // which takes what is set for each
    }
    f.client = CopyObject(m_pattern);
    f.client->SetRemote(to);
    if (algorithm)
    {
        f.client->SetAttribute("Algorithm", PointerValue(algorithm));
    }
    m_flowOf.emplace_back(PeekPointer(f.client), m_flows.size() - 1);
    m_sorted = false;
    f.client->SetStartTime(NanoSeconds(start));
    from->GetObject<Node>()->AddApplication(f.client);
    return f.client;
}

// ---------------------------------------------------------------- what has arrived

void
LabFlowSet::RecordReceived()
{
    std::map<RdmaNic*, Receiver*> known;
    m_received.assign(m_flows.size(), -1);
    for (size_t flow = 0; flow < m_flows.size(); flow++)
    {
        Receiver*& receiver = known[PeekPointer(m_flows[flow].to)];
        if (!receiver)
        {
            m_receivers.emplace_back(new Receiver{this, m_flows[flow].to, {}, {}});
            receiver = m_receivers.back().get();
            receiver->nic->TraceConnectWithoutContext("Deliver",
                                                      MakeBoundCallback(&LabFlowSet::HandleDelivered, receiver));
        }
        receiver->flows.push_back(flow);
    }
}

/// Learn which flow a receiving half belongs to. Flows mostly open in their order: those that are known are left out.
void
LabFlowSet::FindHalf(Receiver& receiver, size_t half)
{
    for (auto flow = receiver.flows.begin(); flow != receiver.flows.end() && !receiver.Knows(half);)
    {
        const Flow& f = receiver.set->m_flows[*flow];
        if (!f.client->IsConnected())
        {
            ++flow;
            continue;
        }
        const size_t its = f.from->GetSendQp(f.client->GetQp()).dstQp;
        receiver.halves.resize(std::max(receiver.halves.size(), its + 1), {SIZE_MAX, 0});
        receiver.halves[its] = {*flow, f.bytes};
        flow = receiver.flows.erase(flow);
    }
}

/// A packet is accepted: the last one of its flow is known by the bytes, as selective repeat may place it before
/// others.
void
LabFlowSet::HandleDelivered(Receiver* receiver, uint32_t half, const RccFrame&)
{
    if (!receiver->Knows(half))
    {
        FindHalf(*receiver, half);
    }
    const auto& flow = receiver->halves[half];
    if (receiver->nic->GetRecvQp(half).rx.bytes == flow.second)
    {
        receiver->set->m_received[flow.first] = RccNow();
        receiver->set->CountForWaits(2 * flow.first + 1);
    }
}

uint32_t
LabFlowSet::AddPath(const std::vector<RccHop>& path)
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
LabFlowSet::AddArrival(Ptr<RdmaNic> from, Ptr<RdmaNic> to, int64_t start, uint64_t bytes, uint32_t path,
                       const LabFlowOptions& own)
{
    Flow& f = NewFlow(from, to, start, bytes);
    f.path = path;
    f.own = own;
    m_unfinished += bytes == 0 && own.stop >= 0 ? 1 : 0;
    m_endless = m_endless || (bytes == 0 && own.stop < 0);
}

void
LabFlowSet::Start()
{
    m_stop.Bind(&LabFlowSet::HandleStop, this, RCC_ORDER_STOP);
    for (const auto& nic : m_nics)
    {
        UintegerValue limit;
        nic->GetAttribute("RetryLimit", limit);
        if (limit.Get() > 0)
        {
            nic->TraceConnectWithoutContext(
                "QpFailed",
                MakeBoundCallback(&LabFlowSet::HandleFailed, this, static_cast<const RdmaNic*>(PeekPointer(nic))));
        }
    }
    SortCounted();
    if (RccGateway* ranks = RccGateway::Current())
    {
        CountLocal(*ranks);
    }
    if (HasArrivals())
    {
        Simulator::Schedule(NanoSeconds(m_flows.front().start), &LabFlowSet::OpenArrivals, this);
    }
}

/// Open the flows that start now, and release the queue pairs of those that have ended since.
void
LabFlowSet::OpenArrivals()
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
        f.client->TraceConnectWithoutContext("Completed",
                                             MakeBoundCallback(&LabFlowSet::HandleArrival, this, m_arrived));
        f.client->SetNode(f.from->GetObject<Node>()); // not added to it: a node keeps its applications to the end
        f.client->Initialize();
        if (f.own.stop >= 0)
        {
            const int64_t left = std::max<int64_t>(f.own.stop - RccNow(), 0);
            Simulator::Schedule(NanoSeconds(left), &LabFlowSet::StopFlow, this, m_arrived);
        }
    }
    if (m_arrived < m_flows.size())
    {
        Simulator::Schedule(NanoSeconds(m_flows[m_arrived].start - RccNow()), &LabFlowSet::OpenArrivals, this);
    }
}

void
LabFlowSet::HandleCompleted(size_t flow, int64_t ns)
{
    m_flows[flow].fct = ns;
    m_ended(flow, ns);
    CountForWaits(2 * flow);
    CountEnd();
}

void
LabFlowSet::HandleArrival(LabFlowSet* self, size_t flow, Ptr<RdmaClient>, int64_t ns)
{
    self->m_toRelease.push_back(flow);
    self->HandleCompleted(flow, ns);
}

/// Handle a flow that was added before the simulation.
void
LabFlowSet::HandleClient(Ptr<RdmaClient> client, int64_t ns)
{
    const auto by = [](const std::pair<const RdmaClient*, size_t>& a, const std::pair<const RdmaClient*, size_t>& b) {
        return std::less<const RdmaClient*>()(a.first, b.first);
    };
    if (!m_sorted)
    {
        std::sort(m_flowOf.begin(), m_flowOf.end(), by);
        m_sorted = true;
    }
    const std::pair<const RdmaClient*, size_t> key(PeekPointer(client), 0);
    HandleCompleted(std::lower_bound(m_flowOf.begin(), m_flowOf.end(), key, by)->second, ns);
}

void
LabFlowSet::HandleFailed(LabFlowSet* self, const RdmaNic* nic, uint32_t qp)
{
    self->m_failed[{nic, qp}] = RccNow();
}

/// \return whether the queue pair of a flow exists and was given up
bool
LabFlowSet::IsGivenUp(const Flow& flow) const
{
    return !m_failed.empty() && flow.client && flow.client->IsConnected() &&
           flow.from->GetSendQp(flow.client->GetQp()).tx.failed;
}

int64_t
LabFlowSet::GetFirstGivenUp() const
{
    int64_t first = m_firstGivenUp;
    for (const auto& f : m_flows)
    {
        if (f.bytes == 0 && IsGivenUp(f))
        {
            first = std::min(first, m_failed.at({PeekPointer(f.from), f.client->GetQp()}));
        }
    }
    return first;
}

void
LabFlowSet::Gather(RccGateway& ranks)
{
    RccRankSums sums;
    sums.Add(m_unfinished);
    sums.Add(m_cutShort);
    for (auto& at : m_received)
    {
        sums.Add(++at, m_flows[static_cast<size_t>(&at - m_received.data())].to->IsLocal());
    }
    for (auto& f : m_flows)
    {
        if (!m_waits.empty())
        {
            sums.Add(f.start, f.from->IsLocal());
        }
        f.delivered = f.GetDelivered();
        f.over = true;
        sums.Add(++f.fct, f.from->IsLocal()); // 0: not ended, or of a rank that has died
        sums.Add(f.delivered, f.to->IsLocal());
        sums.Add(f.inWindow, f.to->IsLocal());
        sums.Add(f.inHalf, f.to->IsLocal());
        sums.Add(f.atStop, f.to->IsLocal());
    }
    m_firstGivenUp = static_cast<int64_t>(ranks.GetLeast(static_cast<uint64_t>(GetFirstGivenUp())));
    sums.Run(ranks);
    for (auto& at : m_received)
    {
        at--;
    }
    for (auto& f : m_flows)
    {
        f.fct--;
        m_lastStart = std::max(m_lastStart, f.start);
    }
}

void
LabFlowSet::StopFlow(size_t flow)
{
    Flow& f = m_flows[flow];
    if (f.fct >= 0)
    {
        return;
    }
    f.givenUp = IsGivenUp(f);
    if (f.givenUp && f.bytes == 0)
    {
        m_firstGivenUp = std::min(m_firstGivenUp, m_failed.at({PeekPointer(f.from), f.client->GetQp()}));
    }
    f.half = f.from->GetSendQp(f.client->GetQp()).dstQp; // which may not have all yet
    f.from->StopSending(f.client->GetQp());
    if (!f.from->IsLocal())
    {
        return;
    }
    m_toRelease.push_back(flow);
    m_cut = true;
    m_cutShort += f.bytes ? 1 : 0;
    CountEnd();
}

void
LabFlowSet::StopsAt(size_t flow, int64_t stop)
{
    m_flows[flow].stop = stop;
    m_stops = true;
    Simulator::Schedule(NanoSeconds(stop - RccNow()), &LabFlowSet::NoteStop, this, flow);
}

bool
LabFlowSet::AllStopBefore(int64_t time) const
{
    return std::all_of(m_flows.begin(), m_flows.end(), [&](const Flow& f) { return f.stop >= 0 && f.stop < time; });
}

void
LabFlowSet::NoteStop(size_t flow)
{
    m_flows[flow].atStop = m_flows[flow].GetDelivered();
}

void
LabFlowSet::BeginWindow()
{
    for (auto& f : m_flows)
    {
        f.atWindow = f.GetDelivered();
    }
}

void
LabFlowSet::HalveWindow()
{
    for (auto& f : m_flows)
    {
        f.inHalf = f.GetDelivered() - f.atWindow;
    }
}

void
LabFlowSet::EndWindow()
{
    for (auto& f : m_flows)
    {
        f.inWindow = f.GetDelivered() - f.atWindow;
    }
}

size_t
LabFlowSet::CountAtOnce(uint32_t dst) const
{
    const auto first = m_flows.begin();
    const auto count = [&](size_t from, size_t n) {
        const auto begin = first + static_cast<ptrdiff_t>(from);
        return std::count_if(begin, begin + static_cast<ptrdiff_t>(n), [&](const Flow& f) {
            return GetAlgorithm(f) == m_algorithm && (dst == UINT32_MAX || f.dst == dst);
        });
    };
    auto found = count(0, m_flows.size());
    for (const auto& wait : m_waits)
    {
        found -= count(wait.first, wait.count);
    }
    return static_cast<size_t>(found);
}

uint32_t
LabFlowSet::CountSenders() const
{
    std::set<uint32_t> senders;
    for (const auto& f : m_flows)
    {
        senders.insert(f.src);
    }
    return static_cast<uint32_t>(senders.size());
}

double
LabFlowSet::GetSendersRate() const
{
    std::set<uint32_t> senders;
    double rate = 0;
    for (const auto& f : m_flows)
    {
        const uint32_t ports = senders.insert(f.src).second ? f.from->GetNPorts() : 0;
        for (uint32_t p = 0; p < ports; p++)
        {
            rate += static_cast<double>(f.from->GetPort(p)->GetRate());
        }
    }
    return rate;
}

int64_t
LabFlowSet::GetLastEndlessStart() const
{
    int64_t last = 0;
    for (const auto& f : m_flows)
    {
        last = f.bytes == 0 ? std::max(last, f.start) : last;
    }
    return last;
}

std::vector<LabFlowEnd>
LabFlowSet::GetEnded(bool arrivals, uint32_t ackEvery) const
{
    std::vector<LabFlowEnd> ended;
    const RdmaNic& nic = *m_flows.front().from;
    const uint32_t tag = nic.GetPort(0)->GetVlanBytes();
    for (const auto& f : m_flows)
    {
        if (f.fct >= 0 && (!arrivals || f.path != NO_PATH))
        {
            const int64_t ideal =
                arrivals ? RccIdealFct(m_paths[f.path], f.bytes, nic.GetMtu(), ackEvery, tag, nic.GetRethBytes()) : 0;
            ended.push_back(LabFlowEnd{f.bytes, f.fct, ideal, f.start});
        }
    }
    return ended;
}

void
LabFlowSet::WriteCsv(const std::string& path, double window) const
{
    const LabFile file = LabSetup::OpenFile(path, "flow,src,dst,start_s,size_bytes,delivered_bytes,goodput_bps,fct_s");
    std::fputs(m_received.empty() ? "" : ",received_s", file.get());
    std::fputs(m_stops ? ",at_stop_bytes\n" : "\n", file.get());
    for (size_t i = 0; i < m_flows.size(); i++)
    {
        const Flow& f = m_flows[i];
        std::fprintf(file.get(), "%zu,%u,%u,%.9f,%" PRIu64 ",%" PRIu64 ",%.9g,", i, f.src, f.dst, RccSeconds(f.start),
                     f.bytes, f.GetDelivered(), f.GetGoodput(window));
        if (f.fct >= 0)
        {
            std::fprintf(file.get(), "%.9f", RccSeconds(f.fct));
        }
        if (!m_received.empty())
        {
            m_received[i] < 0 ? std::fprintf(file.get(), ",")
                              : std::fprintf(file.get(), ",%.9f", RccSeconds(m_received[i] - f.start));
        }
        if (m_stops)
        {
            f.stop < 0 ? std::fprintf(file.get(), ",") : std::fprintf(file.get(), ",%" PRIu64, f.atStop);
        }
        std::fprintf(file.get(), "\n");
    }
}

} // namespace ns3
