/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-fault-run.h"

#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

const double RECOVERED = 0.9;     // share of the bytes per time before the fault
const size_t SPAN = 5;            // samples over which a rate is taken
const int64_t LEAST_STEP = 10000; // ns between samples
const int64_t SAMPLES = 10000;    // most samples of a run

/// \return where a fault is: "link=4-6", "host=3"
std::string
PlaceOf(const RunFault& fault)
{
    const bool all = fault.node == RUN_NONE;
    const std::string name = all ? "all" : std::to_string(fault.node);
    if (fault.kind < RunFaultKind::PAUSE)
    {
        return "link=" + name + (all ? "" : (fault.oneWay ? ">" : "-") + std::to_string(fault.peer));
    }
    return (fault.kind == RunFaultKind::RESTART ? "switch=" : "host=") + name;
}

} // namespace

LabFaultRun::LabFaultRun(const RunFile& file)
{
    for (const auto& fault : file.faults)
    {
        m_faults.Add(fault);
    }
    if (file.reroute >= 0 || !file.reroutes)
    {
        m_faults.SetRerouteTime(file.reroutes ? file.reroute : -1);
    }
    m_faults.SetUpDownRouting(file.routes == RunRoutes::UP_DOWN);
}

void
LabFaultRun::Install(uint64_t seed, int64_t stop, const std::function<uint64_t()>& delivered)
{
    if (IsAny())
    {
        m_faults.Install(NodeContainer::GetGlobal(), seed);
        m_delivered = delivered;
        m_step = std::max(LEAST_STEP, stop / SAMPLES);
        Sample();
    }
}

std::vector<RunWarning>
LabFaultRun::WarnOfNever(int64_t end, int64_t before) const
{
    size_t never = 0;
    const RunFault* first = nullptr;
    for (const auto& f : m_faults.GetFaults())
    {
        if (f.at >= end && f.at < before && never++ == 0)
        {
            first = &f;
        }
    }
    if (!first)
    {
        return {};
    }
    return {RunWarning("fault-never")
                .With(first->record)
                .With(RunWordOf(first->kind))
                .With(first->at)
                .With(end)
                .With(before == INT64_MAX)
                .With(never)};
}

void
LabFaultRun::Sample()
{
    m_samples.emplace_back(RccNow(), m_delivered());
    Simulator::Schedule(NanoSeconds(m_step), &LabFaultRun::Sample, this);
}

double
LabFaultRun::RateBetween(size_t from, size_t to) const
{
    const int64_t ns = m_samples[to].first - m_samples[from].first;
    return ns > 0 ? static_cast<double>(m_samples[to].second - m_samples[from].second) / static_cast<double>(ns) : 0;
}

/// When the hosts together get as much again as before the fault. \return ns after its end; -1: not in this run, or it
/// lasts to the end, or there was no traffic before it
int64_t
LabFaultRun::FindRecovery(const RunFault& fault) const
{
    const auto later = [](int64_t at, const std::pair<int64_t, uint64_t>& s) { return at < s.first; };
    const auto before =
        static_cast<size_t>(std::upper_bound(m_samples.begin(), m_samples.end(), fault.at, later) - m_samples.begin());
    const bool flaps = fault.kind == RunFaultKind::LINK_DOWN && fault.count > 1;
    const int64_t end = fault.at + fault.lasts + (flaps ? static_cast<int64_t>(fault.count - 1) * fault.time : 0);
    if (fault.lasts < 0 || before < SPAN + 1)
    {
        return -1;
    }
    const double usual = RateBetween(before - 1 - std::min(before - 1, 4 * SPAN), before - 1);
    for (size_t i = before; usual > 0 && i + SPAN < m_samples.size(); i++)
    {
        if (m_samples[i].first >= end && RateBetween(i, i + SPAN) >= RECOVERED * usual)
        {
            return m_samples[i].first - end;
        }
    }
    return -1;
}

void
LabFaultRun::AddResults(LabJson& json, const std::vector<Ptr<RdmaNic>>& nics) const
{
    if (!IsAny())
    {
        return;
    }
    LabJson list('[');
    for (size_t n = 0; n < m_faults.GetFaults().size(); n++)
    {
        const RunFault& fault = m_faults.GetFaults()[n];
        LabJson one;
        one.Add("fault", RunWordOf(fault.kind)).Add("place", PlaceOf(fault));
        if (fault.kind == RunFaultKind::RATE)
        {
            one.Add("rate_bps", fault.rate);
        }
        list.Add("", one.AddSeconds("time_s", fault.at)
                         .AddSeconds("for_s", fault.lasts)
                         .Add("hits", m_faults.GetHits(n))
                         .AddSeconds("recovery_s", FindRecovery(fault)));
    }
    uint64_t corrupt = 0;
    uint64_t rejected = 0;
    for (const auto& nic : nics)
    {
        corrupt += nic->GetCounters().icrcErrors;
        rejected += nic->GetCounters().framesRejected + nic->GetCounters().acksInvalid;
    }
    json.Add("faults", list).Add("icrc_errors", corrupt).Add("frames_rejected", rejected);
}

} // namespace ns3
