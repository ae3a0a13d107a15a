/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-series.h"

#include "rcc-setup.h"

#include <algorithm>
#include <cinttypes>

namespace ns3
{

namespace
{
const size_t SAMPLED_FLOWS = 16;
const uint64_t FLOW_ROWS = 5; // rows of the other series per row of the flow rates
} // namespace

void
RccSeries::Open(const std::string& folder, bool utilization)
{
    m_queue = RccSetup::OpenFile(folder + "/queue.csv", "time_s,mean_bytes,max_bytes\n");
    m_rate = RccSetup::OpenFile(folder + "/rate.csv", "time_s,sent_bps,delivered_bps\n");
    m_flowRates = RccSetup::OpenFile(folder + "/flow_rates.csv", "time_s,flow,rate_bps,target_bps,alpha\n");
    if (utilization)
    {
        m_utilization = RccSetup::OpenFile(folder + "/utilization.csv", "time_s,capacity_bps,utilization\n");
    }
    const size_t flows = m_measurement.flows.GetFlows().size();
    const bool few =
        !m_measurement.flows.HasArrivals() || flows <= SAMPLED_FLOWS; // a sample of many arrivals says little
    const size_t n = few ? std::min(SAMPLED_FLOWS, flows) : 0;
    for (size_t i = 0; i < n; i++)
    {
        m_sampled.push_back(i * flows / n);
    }
}

void
RccSeries::WriteRow()
{
    if (!m_queue)
    {
        return;
    }
    const RccMark now = m_measurement.Now();
    const double seconds = static_cast<double>(now.at) / 1e9;
    auto rate = [&](double bytes) { return bytes * 8 / (static_cast<double>(m_interval) / 1e9); };
    const auto queue = m_measurement.queue->Sample(m_measurement.GetQueueBytes(), now.at);
    std::fprintf(m_queue.get(), "%.9g,%.9g,%" PRIu64 "\n", seconds, queue.mean, queue.max);
    std::fprintf(m_rate.get(), "%.9g,%.9g,%.9g\n", seconds, rate(static_cast<double>(now.sent - m_last.sent)),
                 rate(static_cast<double>(now.tx - m_last.tx)));
    if (m_utilization)
    {
        std::fprintf(m_utilization.get(), "%.9g,%.9g,%.9g\n", seconds, rate(now.capacity - m_last.capacity),
                     now.GetPart(m_last, &RccMark::tx));
    }
    m_last = now;
    if (++m_rows % FLOW_ROWS == 0)
    {
        WriteFlowRates(seconds);
    }
}

void
RccSeries::WriteFlowRates(double seconds)
{
    for (size_t i : m_sampled)
    {
        const RccFlowSet::Flow& f = m_measurement.flows.GetFlows()[i];
        if (f.client && f.client->IsConnected() && f.fct < 0)
        {
            const RdmaRpState rp = f.from->GetRpState(f.client->GetQp());
            std::fprintf(m_flowRates.get(), "%.9g,%zu,%" PRIu64 ",%" PRIu64 ",%.6g\n", seconds, i, rp.rate, rp.target,
                         rp.alpha);
        }
    }
}

} // namespace ns3
