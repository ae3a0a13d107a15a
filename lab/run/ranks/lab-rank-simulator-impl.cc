/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-rank-gateway.h"

#include "ns3/abort.h"
#include "ns3/rcc-simulator-impl.h"

#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace ns3
{

/**
 * RccSimulatorImpl as one of several ranks: runs the events of a window, exchanges with the other ranks what the window
 * has sent them (LabRankGateway), and goes on with the next. Results are those of one process. With the environment
 * variable RCC_RANK_TIMES the first rank prints what the windows took.
 */
class LabRankSimulatorImpl : public RccSimulatorImpl
{
  public:
    static TypeId GetTypeId();
    /// Run until every rank has called Simulator::Stop or none has an event left.
    void Run() override;
    uint32_t GetSystemId() const override;

  private:
    void PrintTimes(LabRankGateway& ranks) const;

    uint64_t m_lookAhead{0};       //!< ns; 0: not known yet
    std::vector<uint64_t> m_times; //!< processor time of the events of each window, ns; of RCC_RANK_TIMES
};

NS_OBJECT_ENSURE_REGISTERED(LabRankSimulatorImpl);

TypeId
LabRankSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LabRankSimulatorImpl")
                            .SetParent<RccSimulatorImpl>()
                            .SetGroupName("Rcc")
                            .AddConstructor<LabRankSimulatorImpl>();
    return tid;
}

void
LabRankSimulatorImpl::Run()
{
    auto ranks = dynamic_cast<LabRankGateway*>(RccGateway::Current());
    NS_ABORT_MSG_UNLESS(ranks, "LabRankSimulatorImpl in a process that is no rank");
    Begin();
    // The links between ranks are known after the events of the first nanosecond, and have a delay.
    uint64_t limit = static_cast<uint64_t>(Now().GetTimeStep()) + 1;
    const bool timed = std::getenv("RCC_RANK_TIMES") != nullptr;
    for (;;)
    {
        const uint64_t before = timed ? LabProcessorTime() : 0;
        RunBefore(limit);
        if (timed)
        {
            m_times.push_back(LabProcessorTime() - before);
        }
        const uint64_t first = ranks->Exchange(IsStopped() ? NEVER : GetNextTime(), Now().GetTimeStep());
        if (first == NEVER)
        {
            break;
        }
        if (!m_lookAhead)
        {
            m_lookAhead = ranks->FindLookAhead();
        }
        limit = m_lookAhead < NEVER - first ? first + m_lookAhead : NEVER;
    }
    if (timed && ranks->GetDead().empty())
    {
        PrintTimes(*ranks);
    }
}

/// Sum the time if every rank had a processor: the longest part of each window, and the exchanges.
void
LabRankSimulatorImpl::PrintTimes(LabRankGateway& ranks) const
{
    std::vector<uint64_t> work(ranks.GetSize(), 0);
    std::vector<uint64_t> events(ranks.GetSize(), 0);
    work[ranks.GetRank()] = std::accumulate(m_times.begin(), m_times.end(), uint64_t(0));
    events[ranks.GetRank()] = GetEventCount();
    ranks.Sum(work.data(), work.size());
    ranks.Sum(events.data(), events.size());
    uint64_t path = 0;
    for (uint64_t time : m_times) // as many in each rank
    {
        path += ~ranks.GetLeast(~time);
    }
    const uint64_t exchange = ~ranks.GetLeast(~ranks.GetExchangeTime());
    if (ranks.GetRank() == 0)
    {
        for (uint32_t rank = 0; rank < work.size(); rank++)
        {
            std::fprintf(stderr, "rcc: note: rank %u: %.3f s for its %.1f million events\n", rank,
                         static_cast<double>(work[rank]) / 1e9, static_cast<double>(events[rank]) / 1e6);
        }
        std::fprintf(stderr, "rcc: note: %zu windows: critical path %.3f s, exchanges %.3f s (%.1f us each)\n",
                     m_times.size(), static_cast<double>(path) / 1e9, static_cast<double>(exchange) / 1e9,
                     static_cast<double>(exchange) / 1e3 / static_cast<double>(m_times.size()));
    }
}

uint32_t
LabRankSimulatorImpl::GetSystemId() const
{
    return RccGateway::Current() ? RccGateway::Current()->GetRank() : 0;
}

} // namespace ns3
