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

RccSeries::RccSeries(const RccFlowSet& flows, RccMeasurement& measurement, int64_t interval)
    : m_flows(flows),
      m_measurement(measurement),
      m_interval(interval)
{
}

void
RccSeries::Open(const std::string& folder, bool utilization)
{
    m_queue = RccSetup::OpenFile(folder + "/queue.csv");
    m_rate = RccSetup::OpenFile(folder + "/rate.csv");
    m_flowRates = RccSetup::OpenFile(folder + "/flow_rates.csv");
    std::fprintf(m_queue.get(), "time_s,mean_bytes,max_bytes\n");
    std::fprintf(m_rate.get(), "time_s,sent_bps,delivered_bps\n");
    std::fprintf(m_flowRates.get(), "time_s,flow,rate_bps,target_bps,alpha\n");
    if (utilization)
    {
        m_utilization = RccSetup::OpenFile(folder + "/utilization.csv");
        std::fprintf(m_utilization.get(), "time_s,capacity_bps,utilization\n");
    }
    const size_t flows = m_flows.GetFlows().size();
    const bool few = !m_flows.HasArrivals() || flows <= SAMPLED_FLOWS; // a sample of many arrivals says little
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
    m_rows++;
    const int64_t now = RccNow();
    const double seconds = static_cast<double>(now) / 1e9;
    const double interval = static_cast<double>(m_interval) / 1e9;
    const auto queue = m_measurement.queue->Sample(m_measurement.GetQueueBytes(), now);
    const uint64_t sent = m_measurement.CountSent();
    const uint64_t tx = m_measurement.CountTx();
    std::fprintf(m_queue.get(), "%.9g,%.9g,%" PRIu64 "\n", seconds, queue.mean, queue.max);
    std::fprintf(m_rate.get(), "%.9g,%.9g,%.9g\n", seconds, static_cast<double>(sent - m_lastSent) * 8 / interval,
                 static_cast<double>(tx - m_lastTx) * 8 / interval);
    if (m_utilization)
    {
        const double capacity = m_measurement.CountCapacity();
        const double part = capacity - m_lastCapacity;
        std::fprintf(m_utilization.get(), "%.9g,%.9g,%.9g\n", seconds, part * 8 / interval,
                     static_cast<double>(tx - m_lastTx) / part);
        m_lastCapacity = capacity;
    }
    m_lastSent = sent;
    m_lastTx = tx;
    if (m_rows % FLOW_ROWS == 0)
    {
        WriteFlowRates(seconds);
    }
}

void
RccSeries::WriteFlowRates(double seconds)
{
    for (size_t i : m_sampled)
    {
        const RccFlowSet::Flow& f = m_flows.GetFlows()[i];
        if (f.client && f.client->IsConnected() && f.fct < 0)
        {
            const RdmaRpState rp = f.from->GetRpState(f.client->GetQp());
            std::fprintf(m_flowRates.get(), "%.9g,%zu,%" PRIu64 ",%" PRIu64 ",%.6g\n", seconds, i, rp.rate, rp.target,
                         rp.alpha);
        }
    }
}

void
RccSeries::Close()
{
    m_queue.reset();
    m_rate.reset();
    m_flowRates.reset();
    m_utilization.reset();
}

} // namespace ns3
