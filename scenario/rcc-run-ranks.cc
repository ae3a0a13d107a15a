/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A run in several ranks: each simulates its nodes, and the first one writes what all have measured. */
#include "rcc-run.h"

#include "ns3/rcc-simulator-impl.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sys/resource.h>

namespace ns3
{

namespace
{

/// Add up one number of each rank.
uint64_t
SumOf(RccGateway& ranks, uint64_t value)
{
    ranks.Sum(&value, 1);
    return value;
}

/// End all ranks with status 2.
void
Refuse(RccGateway& ranks, const std::string& why)
{
    if (ranks.GetRank() == 0)
    {
        std::cerr << "rcc: error: " << why << std::endl;
    }
    SumOf(ranks, 0); // it is said before a rank ends, and MPI ends the others
    std::exit(2);
}

} // namespace

void
RccRun::Totals::Gather(RccGateway& ranks)
{
    auto paused = static_cast<uint64_t>(pausedNs);
    uint64_t* const all[] = {&sentPackets, &deliveredBytes, &deliveredPackets, &marked, &dropped, &naks, &timeouts,
                             &cnps,        &cnms,           &pauses,           &paused};
    for (uint64_t* value : all)
    {
        *value = SumOf(ranks, *value);
    }
    pausedNs = static_cast<int64_t>(paused);
}

/// Give every node its rank, and refuse what needs one rank. \param folder of the files of the rank that writes them
void
RccRun::JoinRanks(RccGateway& ranks, const std::string& folder)
{
    if (m_partition.GetN() == 0 || m_extra || m_phases || !m_cioqSwitches.empty() || m_faults.IsAny())
    {
        Refuse(ranks, "this scenario or network cannot be divided among ranks");
    }
    if (m_maxEvents || m_setup.options.GetFlag("check-invariants") || m_setup.options.IsSet("storm-after") ||
        m_setup.options.GetFlag("port-log"))
    {
        Refuse(ranks, "--check-invariants, --storm-after, --perfetto and RCC_MAX_EVENTS need one rank");
    }
    if (ranks.GetSize() > m_partition.GetN())
    {
        Refuse(ranks, std::to_string(ranks.GetSize()) + " ranks, expected at most " +
                          std::to_string(m_partition.GetN()) + ", the number of pods or racks");
    }
    const std::string why = m_partition.Apply(m_flows, ranks.GetSize());
    if (!why.empty() && ranks.GetRank() == 0)
    {
        std::fprintf(stderr, "rcc: warning: %s\n", why.c_str()); // not in the results, which are those of one rank
    }
    if (!m_setup.options.GetText("out").empty())
    {
        m_series.OpenRank(folder);
    }
    SumOf(ranks, 0); // the folder exists
}

void
RccRun::GatherRanks(RccGateway& ranks)
{
    m_timeline.End();
    const uint64_t fired = RccSimulatorImpl::CountRccEvents();
    const uint64_t stops = m_flows.HasStopped() ? ranks.GetSize() - 1 : 0; // the same event on every rank
    m_gatheredEvents = RccEventQueue::CountEvents() - fired - ranks.CountReceipts() + SumOf(ranks, fired) - stops;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    m_gatheredMemory = SumOf(ranks, static_cast<uint64_t>(usage.ru_maxrss) * 1024);
    m_partial = SumOf(ranks, m_partial ? 1 : 0) > 0;
    Totals totals = Count();
    totals.Gather(ranks);
    m_gathered.reset(new Totals(totals));
    m_flows.Gather(ranks);
    m_measurement.Gather(ranks);
    m_series.Gather(ranks);
}

} // namespace ns3
