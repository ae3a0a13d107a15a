/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-phases.h"

#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

LabPhases::LabPhases(const LabMeasurement& measurement, const std::vector<RunPhase>& steps, int64_t stop)
    : m_measurement(measurement),
      m_steps(steps),
      m_stop(stop)
{
}

void
LabPhases::Start()
{
    for (size_t i = 0; i < m_steps.size(); i++)
    {
        int64_t end = i + 1 < m_steps.size() ? m_steps[i + 1].at : m_stop;
        if (m_steps[i].at > RccNow())
        {
            Simulator::Schedule(NanoSeconds(m_steps[i].at - RccNow()), &LabPhases::Begin, this, i);
        }
        else
        {
            Begin(i);
        }
        Simulator::Schedule(NanoSeconds((m_steps[i].at + end) / 2 - RccNow()), &LabPhases::Half, this);
    }
}

void
LabPhases::Begin(size_t phase)
{
    m_measurement.port->SetDataRate(DataRate(m_steps[phase].rate));
    m_begun.push_back(m_measurement.Now());
}

void
LabPhases::Half()
{
    m_halves.push_back(m_measurement.Now());
}

void
LabPhases::AddPart(LabJson& json, const LabMark& from, const LabMark& to)
{
    auto ns = static_cast<double>(to.at - from.at);
    double mean = ns > 0 ? (to.queue.sum - from.queue.sum) / ns : 0;
    double square = ns > 0 ? (to.queue.squares - from.queue.squares) / ns : 0;
    json.Add("mean_queue_bytes", mean)
        .Add("std_queue_bytes", std::sqrt(std::max(0.0, square - mean * mean)))
        .Add("utilization", to.GetPart(from, &LabMark::tx));
}

LabJson
LabPhases::Summary() const
{
    LabJson phases('[');
    const LabMark now = m_measurement.Now();
    for (size_t i = 0; i < m_begun.size(); i++)
    {
        const LabMark& end = i + 1 < m_begun.size() ? m_begun[i + 1] : now;
        LabJson phase;
        phase.Add("from_s", RccSeconds(m_begun[i].at)).Add("to_s", RccSeconds(end.at)).Add("rate_bps", m_steps[i].rate);
        AddPart(phase, m_begun[i], end);
        if (i < m_halves.size())
        {
            LabJson settled;
            settled.Add("from_s", RccSeconds(m_halves[i].at));
            AddPart(settled, m_halves[i], end);
            phase.Add("settled", settled);
        }
        else
        {
            phase.AddNull("settled"); // interrupted before
        }
        phases.Add("", phase);
    }
    return phases;
}

} // namespace ns3
