/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-series.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{
const size_t SAMPLED_FLOWS = 16;
const int64_t FLOW_TICKS = 5; // ticks per row of a flow's rate
} // namespace

void
RccSeries::Open(const std::string& folder, bool utilization)
{
    m_queue = &m_timeline.AddTable(folder + "/queue.csv", "",
                                   {{"mean_bytes", "%.9g", RccMerge::MEAN}, {"max_bytes", "%.0f", RccMerge::MAX}});
    m_rate = &m_timeline.AddTable(folder + "/rate.csv", "",
                                  {{"sent_bps", "%.9g", RccMerge::MEAN}, {"delivered_bps", "%.9g", RccMerge::MEAN}});
    m_flowRates = &m_timeline.AddTable(folder + "/flow_rates.csv", "flow",
                                       {{"rate_bps", "%.0f", RccMerge::LAST},
                                        {"target_bps", "%.0f", RccMerge::LAST},
                                        {"alpha", "%.6g", RccMerge::LAST}},
                                       FLOW_TICKS);
    if (utilization)
    {
        m_utilization =
            &m_timeline.AddTable(folder + "/utilization.csv", "",
                                 {{"capacity_bps", "%.9g", RccMerge::MEAN}, {"utilization", "%.9g", RccMerge::MEAN}});
    }
    const auto& flows = m_measurement.flows.GetFlows();
    const size_t n = std::min(SAMPLED_FLOWS, flows.size());
    for (size_t i = 0; i < n; i++)
    {
        const size_t flow = i * flows.size() / n;
        m_sampled.insert(flow);
        // one ns later, when it has started
        Simulator::Schedule(NanoSeconds(flows[flow].start + 1), &RccSeries::SampleStart, this, flow);
    }
    m_timeline.AddSampler([this](int64_t now, int64_t interval) { Sample(now, interval); });
}

void
RccSeries::Sample(int64_t now, int64_t interval)
{
    const auto queue = m_measurement.queue->Sample(m_measurement.GetQueueBytes(), now);
    const RccMark last = m_last;
    m_last = m_measurement.Now();
    if (interval == 0)
    {
        return;
    }
    auto rate = [&](double bytes) { return bytes * 8 / (static_cast<double>(interval) / 1e9); };
    m_queue->Add(now, "", {queue.mean, static_cast<double>(queue.max)});
    m_rate->Add(now, "",
                {rate(static_cast<double>(m_last.sent - last.sent)), rate(static_cast<double>(m_last.tx - last.tx))});
    if (m_utilization)
    {
        m_utilization->Add(now, "", {rate(m_last.capacity - last.capacity), m_last.GetPart(last, &RccMark::tx)});
    }
    for (size_t flow : m_sampled)
    {
        if (m_timeline.GetTicks() % FLOW_TICKS == 0)
        {
            AddFlowRate(flow, false);
        }
    }
}

void
RccSeries::SampleStart(size_t flow)
{
    AddFlowRate(flow, true);
}

void
RccSeries::FlowEnded(size_t flow)
{
    if (m_sampled.count(flow))
    {
        AddFlowRate(flow, true);
    }
}

/// \param edge whether the flow begins or ends
void
RccSeries::AddFlowRate(size_t flow, bool edge)
{
    const RccFlowSet::Flow& f = m_measurement.flows.GetFlows()[flow];
    if (f.client && f.client->IsConnected() && (edge || f.fct < 0))
    {
        const RdmaRpState rp = f.from->GetRpState(f.client->GetQp());
        const std::vector<double> values{static_cast<double>(rp.rate), static_cast<double>(rp.target), rp.alpha};
        edge ? m_flowRates->AddKept(RccNow(), std::to_string(flow), values)
             : m_flowRates->Add(RccNow(), std::to_string(flow), values);
    }
}

} // namespace ns3
