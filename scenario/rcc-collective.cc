/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-collective.h"

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

namespace
{

} // namespace

void
RccCollective::AddOptions(RccOptions& options)
{
    options.AddChoice("operation", {"all-reduce", "all-to-all"}, "all-reduce", "all-reduce: a ring");
    options.Add("size", RCC_UNIT_BYTES, "16MB", 1, 1000 * RCC_SECOND,
                "what each rank has, bytes; a message is its n-th part");
    options.Add("qps", RCC_UNIT_COUNT, "1", 1, 1024, "queue pairs that a message is spread over");
    options.Add("gap", RCC_UNIT_NS, "0s", 0, RCC_SECOND, "computing between two steps");
    options.Add("rounds", RCC_UNIT_COUNT, "1", 1, 1000000, "operations one after the other");
}

RccCollective::Shape
RccCollective::GetShape(const RccOptions& options)
{
    Shape shape;
    shape.ring = options.GetText("operation") == "all-reduce";
    shape.size = static_cast<uint64_t>(options.Get("size"));
    shape.qps = static_cast<uint32_t>(options.Get("qps"));
    shape.gap = options.Get("gap");
    shape.rounds = static_cast<uint32_t>(options.Get("rounds"));
    return shape;
}

RccCollective::RccCollective(RccRun& run, const std::vector<Ptr<RdmaNic>>& ranks, const Shape& shape)
    : m_run(run),
      m_ranks(ranks),
      m_shape(shape)
{
    const auto n = static_cast<uint32_t>(m_ranks.size());
    for (uint32_t distance = 1; distance < (m_shape.ring ? 2 : n); distance++)
    {
        AddFlows(distance);
    }
}

uint32_t
RccCollective::CountSteps() const
{
    const auto others = static_cast<uint32_t>(m_ranks.size()) - 1;
    return m_shape.ring ? 2 * others : others;
}

/// The queue pairs from each rank to the one that is `distance` further.
void
RccCollective::AddFlows(uint32_t distance)
{
    const uint64_t part = m_shape.size / m_ranks.size() / m_shape.qps;
    const uint64_t messages = static_cast<uint64_t>(m_shape.ring ? CountSteps() : 1) * m_shape.rounds;
    m_clients.emplace_back();
    for (size_t i = 0; i < m_ranks.size(); i++)
    {
        Ptr<RdmaNic> to = m_ranks[(i + distance) % m_ranks.size()];
        for (uint32_t q = 0; q < m_shape.qps; q++)
        {
            Ptr<RdmaClient> client = m_run.GetFlows().Add(m_ranks[i], to, 0, std::max<uint64_t>(part, 1), messages);
            client->SetAttribute("Held", BooleanValue(true));
            client->TraceConnectWithoutContext("Acknowledged",
                                               MakeBoundCallback(&RccCollective::HandleAcknowledged, this));
            client->TraceConnectWithoutContext("Completed", MakeBoundCallback(&RccCollective::HandleCompleted, this));
            m_clients.back().push_back(client);
        }
    }
}

void
RccCollective::Begin(const std::string& folder)
{
    m_file = folder.empty() ? RccFile() : RccSetup::OpenFile(folder + "/steps.csv", "round,step,start_s,end_s\n");
    Simulator::Schedule(NanoSeconds(1), &RccCollective::StartStep, this); // after the queue pairs are open
}

void
RccCollective::StartStep()
{
    const auto& clients = m_clients[m_shape.ring ? 0 : m_step];
    m_stepBegan = RccNow();
    m_roundBegan = m_step == 0 ? m_stepBegan : m_roundBegan;
    m_left = clients.size();
    for (const auto& client : clients)
    {
        client->Continue();
    }
}

void
RccCollective::HandleAcknowledged(RccCollective* self, Ptr<RdmaClient>)
{
    self->CountDown();
}

void
RccCollective::HandleCompleted(RccCollective* self, Ptr<RdmaClient>, int64_t)
{
    self->CountDown();
}

void
RccCollective::CountDown()
{
    if (--m_left == 0)
    {
        EndStep();
    }
}

/// The barrier: all messages of the step are acknowledged.
void
RccCollective::EndStep()
{
    const int64_t now = RccNow();
    m_steps.push_back(now - m_stepBegan);
    if (m_file)
    {
        std::fprintf(m_file.get(), "%u,%u,%.9f,%.9f\n", m_round, m_step, RccSeconds(m_stepBegan), RccSeconds(now));
    }
    if (++m_step == CountSteps())
    {
        m_rounds.push_back(now - m_roundBegan);
        m_step = 0;
        m_round++;
    }
    if (m_round < m_shape.rounds)
    {
        Simulator::Schedule(NanoSeconds(m_shape.gap), &RccCollective::StartStep, this);
    }
}

void
RccCollective::AddResults(RccJson& json)
{
    const auto n = static_cast<double>(m_ranks.size());
    RccJson one;
    one.Add("operation", m_shape.ring ? "all-reduce" : "all-to-all")
        .Add("ranks", static_cast<uint64_t>(m_ranks.size()))
        .Add("size_bytes", m_shape.size)
        .Add("qps", static_cast<uint64_t>(m_shape.qps))
        .Add("steps", static_cast<uint64_t>(CountSteps()))
        .Add("rounds", static_cast<uint64_t>(m_rounds.size()));
    if (m_rounds.empty())
    {
        one.AddNull("time_s").AddNull("bus_bps").AddNull("step_p50_s").AddNull("step_max_s");
    }
    else
    {
        const int64_t total = std::accumulate(m_rounds.begin(), m_rounds.end(), static_cast<int64_t>(0));
        const double mean = RccSeconds(total) / static_cast<double>(m_rounds.size());
        std::sort(m_steps.begin(), m_steps.end());
        const double share = (n - 1) / n * (m_shape.ring ? 2 : 1);
        one.Add("time_s", mean)
            .Add("bus_bps", static_cast<double>(m_shape.size) * 8 * share / mean)
            .Add("step_p50_s", RccSeconds(m_steps[m_steps.size() / 2]))
            .Add("step_max_s", RccSeconds(m_steps.back()));
    }
    json.Add("collective", one);
}

} // namespace ns3
