/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-series.h"

#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{
const size_t SAMPLED_FLOWS = 16;
const int64_t FLOW_TICKS = 5; // ticks per row of a flow's rate
} // namespace

void
LabSeries::Open(const std::string& folder, bool utilization)
{
    m_queue = &m_timeline.AddTable(folder + "/queue.csv", "",
                                   {{"mean_bytes", 9, LabMerge::MEAN}, {"max_bytes", 0, LabMerge::MAX}});
    m_rate = &m_timeline.AddTable(folder + "/rate.csv", "",
                                  {{"sent_bps", 9, LabMerge::MEAN}, {"delivered_bps", 9, LabMerge::MEAN}});
    m_flowRates = &m_timeline.AddTable(
        folder + "/flow_rates.csv", "flow",
        {{"rate_bps", 0, LabMerge::LAST}, {"target_bps", 0, LabMerge::LAST}, {"alpha", 6, LabMerge::LAST}}, FLOW_TICKS);
    if (m_hasWindows)
    {
        m_windows = &m_timeline.AddTable(
            folder + "/windows.csv", "flow",
            {{"window_bytes", 0, LabMerge::LAST}, {"signal", 0, LabMerge::LAST}, {"rtt_s", 9, LabMerge::LAST}},
            FLOW_TICKS);
    }
    if (utilization)
    {
        m_utilization = &m_timeline.AddTable(folder + "/utilization.csv", "",
                                             {{"capacity_bps", 9, LabMerge::MEAN}, {"utilization", 9, LabMerge::MEAN}});
    }
    Begin();
}

void
LabSeries::OpenRank(const std::string& folder)
{
    m_keeps = true;
    folder.empty() ? Begin() : Open(folder, false);
}

void
LabSeries::Begin()
{
    const auto& flows = m_measurement.flows.GetFlows();
    const size_t n = std::min(SAMPLED_FLOWS, flows.size());
    for (size_t i = 0; i < n; i++)
    {
        const size_t flow = i * flows.size() / n;
        m_sampled.insert(flow);
        // one ns later, when it has started
        Simulator::Schedule(NanoSeconds(flows[flow].start + 1), &LabSeries::SampleEdge, this, flow, false);
    }
    m_timeline.AddSampler([this](int64_t now, int64_t interval) { Sample(now, interval); });
}

void
LabSeries::Sample(int64_t now, int64_t interval)
{
    Moment m{now,
             interval,
             m_timeline.GetTicks() % FLOW_TICKS == 0,
             m_timeline.IsAboutToMerge(),
             m_measurement.Now(),
             m_measurement.queue->Sample(m_measurement.GetQueueBytes(), now),
             {}};
    for (size_t flow : m_sampled)
    {
        if (m.hasFlows && interval > 0)
        {
            m.flows.push_back(RateOf(flow, false));
        }
    }
    m_keeps ? m_moments.push_back(m) : Write(m);
}

void
LabSeries::Write(const Moment& m)
{
    const LabMark last = m_last;
    m_last = m.mark;
    if (m.interval == 0)
    {
        return;
    }
    auto rate = [&](double bytes) { return bytes * 8 / RccSeconds(m.interval); };
    m_queue->Add(m.now, "", {m.queue.mean, static_cast<double>(m.queue.max)});
    m_rate->Add(m.now, "",
                {rate(static_cast<double>(m_last.sent - last.sent)), rate(static_cast<double>(m_last.tx - last.tx))});
    if (m_utilization)
    {
        m_utilization->Add(m.now, "", {rate(m_last.capacity - last.capacity), m_last.GetPart(last, &LabMark::tx)});
    }
    auto flow = m_sampled.begin();
    for (const FlowRate& f : m.flows)
    {
        if (f.runs)
        {
            m_flowRates->Add(m.now, std::to_string(*flow),
                             {static_cast<double>(f.rate), static_cast<double>(f.target), f.alpha});
            if (m_windows)
            {
                m_windows->Add(m.now, std::to_string(*flow),
                               {static_cast<double>(f.window), static_cast<double>(f.phase), RccSeconds(f.rtt)});
            }
        }
        ++flow;
    }
}

/// Write the state of a flow that begins or ends now, or keep it.
void
LabSeries::SampleEdge(size_t flow, bool ends)
{
    FlowRate rate = RateOf(flow, true);
    if (rate.runs && m_hasWindows && !ends) // an index of a queue pair may be one that another flow had
    {
        const LabFlowSet::Flow& f = m_measurement.flows.GetFlows()[flow];
        m_rtts[f.from][f.client->GetQp()] = rate.rtt = 0;
    }
    if (!m_keeps)
    {
        WriteEdge(RccNow(), flow, ends, rate);
    }
    else if (rate.runs)
    {
        m_edges[{flow, ends}] = Edge{RccNow(), rate};
    }
}

void
LabSeries::FlowEnded(size_t flow)
{
    if (m_sampled.count(flow))
    {
        SampleEdge(flow, true);
    }
}

/// The stamp of a packet comes back with its acknowledgement, whatever the algorithm.
void
LabSeries::Answered(std::map<uint32_t, int64_t>* rtts, const RccFrame& frame)
{
    if (frame.kind != RccFrameKind::ACK || frame.stamp < 0)
    {
        return;
    }
    auto found = rtts->find(frame.dstQp);
    if (found != rtts->end())
    {
        found->second = RccNow() - frame.stamp;
    }
}

void
LabSeries::Watch(Ptr<RdmaNic> nic, uint32_t qp)
{
    auto known = m_rtts.find(nic);
    if (known == m_rtts.end())
    {
        known = m_rtts.emplace(nic, std::map<uint32_t, int64_t>()).first;
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            nic->GetPort(p)->TraceConnectWithoutContext("Receive",
                                                        MakeBoundCallback(&LabSeries::Answered, &known->second));
        }
    }
    known->second.emplace(qp, 0);
}

/// \param edge whether the flow begins or ends
LabSeries::FlowRate
LabSeries::RateOf(size_t flow, bool edge)
{
    const LabFlowSet::Flow& f = m_measurement.flows.GetFlows()[flow];
    if (!f.client || !f.client->IsConnected() || !(edge || f.fct < 0) || !f.from->IsLocal() ||
        (!edge && f.stop >= 0 && f.stop <= RccNow()))
    {
        return FlowRate{};
    }
    const RdmaRpState rp = f.from->GetRpState(f.client->GetQp());
    int64_t rtt = 0;
    if (m_hasWindows)
    {
        Watch(f.from, f.client->GetQp());
        rtt = m_rtts[f.from][f.client->GetQp()];
    }
    return FlowRate{1, rp.rate, rp.target, rp.alpha, rp.window, rp.phase, rtt};
}

void
LabSeries::WriteEdge(int64_t at, size_t flow, bool ends, const FlowRate& f)
{
    if (f.runs) // at the same time a flow begins before a tick, and ends after it
    {
        m_flowRates->AddKept(at, std::to_string(flow),
                             {static_cast<double>(f.rate), static_cast<double>(f.target), f.alpha},
                             (ends ? LabTable::AFTER : 0) | flow);
        if (m_windows)
        {
            m_windows->AddKept(at, std::to_string(flow),
                               {static_cast<double>(f.window), static_cast<double>(f.phase), RccSeconds(f.rtt)},
                               (ends ? LabTable::AFTER : 0) | flow);
        }
    }
}

void
LabSeries::Gather(RccGateway& ranks)
{
    RccRankSums sums;
    auto add = [&](FlowRate& f) {
        sums.Add(f.runs);
        sums.Add(f.rate);
        sums.Add(f.target);
        sums.Add(f.alpha);
        if (m_hasWindows)
        {
            sums.Add(f.window);
            sums.Add(f.phase);
            sums.Add(f.rtt);
        }
    };
    for (Moment& m : m_moments)
    {
        sums.Add(m.mark.sent);
        sums.Add(m.mark.tx);
        sums.Add(m.queue.max);
        sums.Add(m.queue.mean);
        std::for_each(m.flows.begin(), m.flows.end(), add);
    }
    for (size_t flow : m_sampled)
    {
        for (const bool ends : {false, true}) // on one rank
        {
            Edge& edge = m_edges[{flow, ends}];
            sums.Add(edge.at);
            add(edge.rate);
        }
    }
    sums.Run(ranks);
    if (!m_queue)
    {
        return;
    }
    std::map<std::tuple<int64_t, bool, size_t>, FlowRate> edges; // in the order in which they happened
    for (const auto& edge : m_edges)
    {
        edges[std::make_tuple(edge.second.at, edge.first.second, edge.first.first)] = edge.second.rate;
    }
    auto edge = edges.cbegin();
    auto writeEdgesBefore = [&](int64_t end) {
        for (; edge != edges.cend() && edge->first < std::make_tuple(end, true, size_t{0}); ++edge)
        {
            WriteEdge(std::get<0>(edge->first), std::get<2>(edge->first), std::get<1>(edge->first), edge->second);
        }
    };
    for (const Moment& m : m_moments)
    {
        writeEdgesBefore(m.now);
        Write(m);
        if (m.merges)
        {
            m_timeline.MergeTables(m.interval);
        }
    }
    writeEdgesBefore(INT64_MAX);
}

} // namespace ns3
