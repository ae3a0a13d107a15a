/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A run in several ranks: each simulates its nodes, and the first one writes what all have measured. */
#include "lab-fault-run.h"
#include "lab-guard.h"
#include "lab-partition.h"
#include "lab-run.h"
#include "lab-series.h"

#include "ns3/rcc-simulator-impl.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

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

} // namespace

void
LabRun::Totals::Gather(RccGateway& ranks)
{
    RccRankSums sums;
    for (uint64_t* value : {&sentPackets, &deliveredBytes, &deliveredPackets, &marked, &dropped, &naks, &timeouts,
                            &cnps, &cnms, &pauses, &memory, &repeatedPackets, &repeatedBytes, &overrun, &trimmed})
    {
        sums.Add(*value);
    }
    sums.Add(pausedNs);
    sums.Run(ranks);
}

/// Choose which rank has which node, and warn if that will not pay. Throws RunError if ranks cannot have this run.
void
LabRun::Divide(uint32_t ranks)
{
    const auto refuse = [ranks](const char* code, const std::string& found) {
        throw RunError(0, "ranks", code, found, {std::to_string(ranks)});
    };
    if ((m_extra && !m_extra->CanBeDivided()) || m_phases || !m_cioqSwitches.empty())
    {
        refuse("whole-run", m_phases ? "phase" : !m_cioqSwitches.empty() ? "cioq" : "extra");
    }
    const std::pair<bool, const char*> single[] = {{m_maxEvents > 0, "RCC_MAX_EVENTS"},
                                                   {m_faults->IsAny(), "fault"},
                                                   {m_file.guard.stormAfter >= 0, "guard"},
                                                   {m_file.recorded.portLog, "port-log"}};
    for (const auto& one : single)
    {
        if (one.first)
        {
            refuse("one-rank", one.second);
        }
    }
    const LabPartition::Load load{m_file.seed, m_stop, m_setup.mtu, m_setup.ackEvery};
    for (const auto& pair : m_flows.GetWaitsAcross())
    {
        m_partition->KeepTogether(pair.first, pair.second);
    }
    std::string wrong = m_partition->Choose(m_flows, load, ranks);
    wrong += wrong.empty() || m_flows.GetWaitsAcross().empty()
                 ? ""
                 : "; hosts whose flows wait for those of others at once count as one";
    if (!wrong.empty())
    {
        refuse("division", wrong);
    }
    for (const auto& warning : m_partition->GetWarnings())
    {
        if (RccGateway::IsFirst())
        {
            warning.Print("warning"); // not in the results, which are those of one rank
        }
    }
}

/// Give every node its rank, and refuse what needs one rank. \param folder of the files of the rank that writes them
void
LabRun::JoinRanks(RccGateway& ranks, const std::string& folder)
{
    Divide(ranks.GetSize());
    m_partition->Apply();
    if (!m_asked.folder.empty())
    {
        m_series->OpenRank(folder);
    }
    SumOf(ranks, 0); // the folder exists
}

void
LabRun::GatherRanks(RccGateway& ranks)
{
    m_timeline.End();
    for (const uint32_t rank : ranks.GetDead())
    {
        m_partial = m_failed = true;
        if (RccGateway::IsFirst())
        {
            Fail(RunWarning("rank-died").With(rank).With(RccNow()));
        }
    }
    const uint64_t fired = RccSimulatorImpl::CountRccEvents();
    const uint64_t stops = m_flows.CountStopEvents() * (ranks.GetSize() - 1); // every rank has these events
    // every rank has the events of no node, and its own of those of nodes
    const RccSimulatorImpl::NodeEvents ofNodes = RccSimulatorImpl::CountNodeEvents();
    const uint64_t ofAll = RccEventQueue::CountEvents() - fired - ofNodes.mine - ofNodes.foreign;
    const uint64_t events = ofAll + SumOf(ranks, fired + ofNodes.mine) - stops;
    if (m_extra)
    {
        m_extra->Gather(ranks);
    }
    CheckFiles();
    m_failed = SumOf(ranks, m_failed ? 1 : 0) > 0;
    m_partial = SumOf(ranks, m_partial ? 1 : 0) > 0;
    Totals totals = Count();
    totals.Gather(ranks);
    totals.events = events;
    m_gathered.reset(new Totals(totals));
    m_guard->Gather(ranks); // while the flows are as this rank knows them
    m_flows.Gather(ranks);
    m_measurement.Gather(ranks);
    m_series->Gather(ranks);
}

} // namespace ns3
