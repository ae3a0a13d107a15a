/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-collective.h"

#include "ns3/boolean.h"
#include "ns3/rcc-units.h"
#include "ns3/rdma-client.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace ns3
{

LabCollective::LabCollective(const RunFile& file, LabRun& run, const LabNetwork& network)
    : m_run(run),
      m_shape(file.collective),
      m_asked(file.collective.size)
{
    for (const auto& rank : file.ranks)
    {
        m_ranks.push_back(network.GetNic(rank.node));
    }
    const auto n = static_cast<uint32_t>(m_ranks.size());
    const uint64_t messages = uint64_t(n) * m_shape.qps;
    m_shape.size = (m_shape.size + messages - 1) / messages * messages;
    m_progress.reserve(n); // addresses are bound to callbacks
    for (size_t i = 0; i < n; i++)
    {
        m_progress.push_back({this, i, 0, 0, 0});
    }
    for (uint32_t distance = 1; distance < (m_shape.ring ? 2 : n); distance++)
    {
        if (m_shape.barrier || distance == 1)
        {
            m_clients.emplace_back();
        }
        AddFlows(distance);
    }
}

uint32_t
LabCollective::CountSteps() const
{
    const auto others = static_cast<uint32_t>(m_ranks.size()) - 1;
    return m_shape.ring ? 2 * others : m_shape.barrier ? others : 1;
}

/// The queue pairs from each rank to the one that is `distance` further.
void
LabCollective::AddFlows(uint32_t distance)
{
    const uint64_t part = m_shape.size / m_ranks.size() / m_shape.qps;
    const uint64_t messages = static_cast<uint64_t>(m_shape.ring ? CountSteps() : 1) * m_shape.rounds;
    for (size_t i = 0; i < m_ranks.size(); i++)
    {
        Ptr<RdmaNic> to = m_ranks[(i + distance) % m_ranks.size()];
        for (uint32_t q = 0; q < m_shape.qps; q++)
        {
            Ptr<RdmaClient> client = m_run.GetFlows().Add(m_ranks[i], to, 0, part, messages);
            client->SetAttribute("Held", BooleanValue(true));
            client->TraceConnectWithoutContext("Acknowledged",
                                               MakeBoundCallback(&LabCollective::HandleAcknowledged, &m_progress[i]));
            client->TraceConnectWithoutContext("Completed",
                                               MakeBoundCallback(&LabCollective::HandleCompleted, &m_progress[i]));
            m_clients.back().push_back(client);
        }
    }
}

void
LabCollective::Begin(const std::string& folder)
{
    if (m_shape.size != m_asked)
    {
        m_run.Warn(RunWarning("collective-size").With(m_asked).With(m_shape.size).With(m_ranks.size() * m_shape.qps));
    }
    m_file = folder.empty() ? LabFile() : LabSetup::OpenFile(folder + "/steps.csv", "round,step,start_s,end_s\n");
    Simulator::Schedule(NanoSeconds(1), // after the queue pairs are open
                        IsRingWithoutBarrier() ? &LabCollective::StartRing : &LabCollective::StartStep, this);
}

void
LabCollective::HandleAcknowledged(Rank* rank, Ptr<RdmaClient>)
{
    rank->collective->CountDown(*rank);
}

void
LabCollective::HandleCompleted(Rank* rank, Ptr<RdmaClient>, int64_t)
{
    rank->collective->CountDown(*rank);
}

/// A queue pair's part of a message is acknowledged.
void
LabCollective::CountDown(Rank& rank)
{
    if (IsRingWithoutBarrier())
    {
        if (--rank.left == 0)
        {
            EndMessage(rank);
        }
    }
    else if (--m_left == 0)
    {
        EndBarrierStep();
    }
}

/// All ranks have ended a step. \param number of it, over all rounds \param began ns
void
LabCollective::EndStep(uint64_t number, int64_t began)
{
    const int64_t now = RccNow();
    const auto step = static_cast<uint32_t>(number % CountSteps());
    m_steps.push_back(now - began);
    m_roundBegan = m_roundBegan < 0 ? began : m_roundBegan;
    if (m_file)
    {
        std::fprintf(m_file.get(), "%u,%u,%.9f,%.9f\n", static_cast<uint32_t>(number / CountSteps()), step,
                     RccSeconds(began), RccSeconds(now));
    }
    if (step + 1 == CountSteps())
    {
        m_rounds.push_back(now - m_roundBegan);
        m_roundBegan = IsRingWithoutBarrier() ? now : -1;
    }
}

// ---------------------------------------------------------------- with barriers

void
LabCollective::StartStep()
{
    const auto& clients = m_clients[m_step % CountSteps() % m_clients.size()];
    m_stepBegan = RccNow();
    m_left = clients.size();
    for (const auto& client : clients)
    {
        client->Continue();
    }
}

/// The barrier: all messages of the step are acknowledged.
void
LabCollective::EndBarrierStep()
{
    EndStep(m_step, m_stepBegan);
    if (++m_step < CountMessages())
    {
        Simulator::Schedule(NanoSeconds(m_shape.gap), &LabCollective::StartStep, this);
    }
}

// ---------------------------------------------------------------- a ring without them

void
LabCollective::StartRing()
{
    for (auto& rank : m_progress)
    {
        rank.begun = 1;
        BeginMessage(&rank);
    }
}

/// Begin a rank's next message, --gap from now, if the one before it is acknowledged and its data is there.
void
LabCollective::Advance(Rank& rank)
{
    const Rank& before = m_progress[(rank.index + m_progress.size() - 1) % m_progress.size()];
    const uint64_t next = rank.begun;
    if (next < CountMessages() && rank.completed == next && before.completed >= next)
    {
        rank.begun++;
        Simulator::Schedule(NanoSeconds(m_shape.gap), &LabCollective::BeginMessage, this, &rank);
    }
}

void
LabCollective::BeginMessage(Rank* rank)
{
    m_open.emplace(rank->begun - 1, Step{RccNow(), 0});
    rank->left = m_shape.qps;
    for (uint32_t q = 0; q < m_shape.qps; q++)
    {
        m_clients[0][rank->index * m_shape.qps + q]->Continue();
    }
}

void
LabCollective::EndMessage(Rank& rank)
{
    const uint64_t number = rank.completed++;
    Step& step = m_open.at(number);
    if (++step.ranks == m_progress.size())
    {
        EndStep(number, step.began);
        m_open.erase(number);
    }
    Advance(rank);
    Advance(m_progress[(rank.index + 1) % m_progress.size()]);
}

void
LabCollective::AddResults(LabJson& json)
{
    const auto n = static_cast<double>(m_ranks.size());
    const int64_t total = std::accumulate(m_rounds.begin(), m_rounds.end(), static_cast<int64_t>(0));
    const double mean =
        RccSeconds(total) / static_cast<double>(m_rounds.size()); // not a number before a round has ended
    const double share = (n - 1) / n * (m_shape.ring ? 2 : 1);
    std::sort(m_steps.begin(), m_steps.end());
    json.Add("collective", LabJson()
                               .Add("operation", m_shape.ring ? "all-reduce" : "all-to-all")
                               .Add("sync", m_shape.barrier ? "barrier" : "data")
                               .Add("ranks", m_ranks.size())
                               .Add("size_bytes", m_shape.size)
                               .Add("qps", m_shape.qps)
                               .Add("steps", CountSteps())
                               .Add("rounds", m_rounds.size())
                               .Add("time_s", mean)
                               .Add("bus_bps", static_cast<double>(m_shape.size) * 8 * share / mean)
                               .AddSeconds("step_p50_s", m_rounds.empty() ? -1 : m_steps[m_steps.size() / 2])
                               .AddSeconds("step_max_s", m_rounds.empty() ? -1 : m_steps.back()));
}

} // namespace ns3
