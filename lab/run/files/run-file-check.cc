/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "run-file-check.h"

#include "run-file-fields.h"

#include <string>

namespace ns3
{

namespace
{

void
CheckThat(bool good, const RunRecord& record, const char* field, const char* code, const std::string& found)
{
    if (!good)
    {
        throw RunError(record.record, field, code, found);
    }
}

/// Ports are ports of their nodes.
class PortCheck
{
  public:
    explicit PortCheck(const RunFile& r) : m_ports(r.nodes.size())
    {
        for (const auto& link : r.links)
        {
            m_ports[link.a]++;
            m_ports[link.b]++;
        }
    }

    void Check(const RunRecord& record, const RunPort& port) const
    {
        if (port.node != RUN_NONE && port.port >= m_ports[port.node])
        {
            throw RunError(record.record, "PORT", "port", std::to_string(port.port),
                           {std::to_string(m_ports[port.node])});
        }
    }

    template <class Record> void CheckAll(const std::vector<Record>& records) const
    {
        for (const auto& one : records)
        {
            Check(one, one.port);
        }
    }

  private:
    std::vector<uint32_t> m_ports;
};

void
CheckPorts(const RunFile& r)
{
    const PortCheck ports(r);
    ports.CheckAll(r.policers);
    ports.CheckAll(r.rates);
    ports.CheckAll(r.bottlenecks);
    ports.CheckAll(r.recordedPorts);
    ports.CheckAll(r.captures);
    ports.Check(r.watch, r.watch.port);
}

/// \param i number of a flow of the record \return the node at one of its ends
int64_t
NodeAt(uint32_t first, int32_t step, uint32_t cycle, uint32_t i)
{
    return static_cast<int64_t>(first) + static_cast<int64_t>(i % cycle) * step;
}

bool
IsHost(const RunFile& r, int64_t node)
{
    return node >= 0 && node < static_cast<int64_t>(r.nodes.size()) &&
           r.nodes[static_cast<size_t>(node)].kind == RunNodeKind::HOST;
}

/// \return queue pairs of all flows
uint64_t
CheckFlows(const RunFile& r)
{
    uint64_t all = 0;
    for (const auto& f : r.flows)
    {
        all += uint64_t{f.count} * f.qps;
        CheckThat(all <= static_cast<uint64_t>(RUN_FLOWS_MAX), f, "COUNT", "range", std::to_string(f.count));
        for (uint32_t i = 0; i < f.count; i++)
        {
            const int64_t from = NodeAt(f.from, f.fromStep, f.fromCycle, i);
            const int64_t to = NodeAt(f.to, f.toStep, f.toCycle, i);
            CheckThat(IsHost(r, from), f, "FROM_STEP", "kind", std::to_string(from));
            CheckThat(IsHost(r, to), f, "TO_STEP", "kind", std::to_string(to));
            CheckThat(from != to, f, "TO", "same", std::to_string(to));
        }
        CheckThat(f.stop < 0 || f.stop > f.start, f, "STOP", "order", std::to_string(f.stop));
        CheckThat(f.size || (f.messages == 1 && f.depth == 1), f, "SIZE", "range", "0");
        CheckThat(!f.size || f.size >= f.qps, f, "QPS", "range", std::to_string(f.qps));
    }
    return all;
}

void
CheckOrder(const RunFile& r)
{
    for (size_t i = 0; i < r.arrivals.size(); i++)
    {
        const RunArrival& f = r.arrivals[i];
        CheckThat(f.from != f.to, f, "TO", "same", std::to_string(f.to));
        CheckThat(i == 0 || f.start >= r.arrivals[i - 1].start, f, "START", "order", std::to_string(f.start));
    }
    for (size_t i = 0; i < r.phases.size(); i++)
    {
        const RunPhase& p = r.phases[i];
        CheckThat(i ? p.at > r.phases[i - 1].at : p.at == 0, p, "AT", "order", std::to_string(p.at));
    }
    for (size_t i = 1; i < r.sizes.size(); i++)
    {
        const RunSize &a = r.sizes[i - 1], &b = r.sizes[i];
        const bool more = b.bytes >= a.bytes && b.share >= a.share && (b.bytes > a.bytes || b.share > a.share);
        CheckThat(more, b, "BYTES", "order", std::to_string(b.bytes));
    }
    if (r.random.gap)
    {
        CheckThat(!r.sizes.empty() && r.sizes.back().share == static_cast<uint64_t>(RUN_SHARE_ONE) &&
                      r.sizes.back().bytes > 0,
                  r.random, "cdf", "absent", "");
    }
}

void
CheckWaits(const RunFile& r, uint64_t queuePairs)
{
    for (const auto& w : r.waits)
    {
        CheckThat(uint64_t{w.first} + w.count <= queuePairs, w, "FIRST", "range", std::to_string(w.first));
    }
    for (const auto& a : r.afters)
    {
        CheckThat(a.first == RUN_NONE || uint64_t{a.first} + a.count <= queuePairs, a, "FIRST", "range",
                  std::to_string(a.first));
        CheckThat((a.first == RUN_NONE) == (a.count == RUN_NONE), a, "COUNT", "none", std::to_string(a.count));
    }
}

/// Bursts of a mean length, with a frame that is not picked between two of them, can have their probability. A forged
/// frame has one kind.
void
CheckFaults(const RunFile& r)
{
    for (const auto& f : r.faults)
    {
        if (f.burst > 1 && f.probability * (f.burst + 1.0) > f.burst * 1e9 * (1 + 1e-12))
        {
            throw RunError(f.record, "P", "burst", std::to_string(f.probability), {std::to_string(f.burst)});
        }
        if (f.kind == RunFaultKind::FORGE && ((f.frames & (f.frames - 1)) || f.frames > 16))
        {
            throw RunError(f.record, "FRAMES", "word", std::to_string(f.frames), {"1", "2", "4", "8", "16"});
        }
    }
}

} // namespace

void
RunCheckFile(const RunFile& r)
{
    const RunRecord none;
    const int sources = (r.flows.empty() ? 0 : 1) + (r.HasArrivals() ? 1 : 0) + (r.collective.exists ? 1 : 0);
    CheckThat(sources == 1, none, "flows", sources ? "mixed" : "absent", "");
    CheckThat(!r.collective.exists || r.ranks.size() > 1, r.collective, "rank", "absent", "");
    CheckThat((r.windowFrom < 0) == (r.windowTo < 0) && (r.windowFrom < 0 || r.windowFrom < r.windowTo) &&
                  r.windowTo <= r.time,
              none, "window", "order", std::to_string(r.windowTo));
    CheckPorts(r);
    CheckOrder(r);
    CheckFaults(r);
    CheckWaits(r, CheckFlows(r));
}

} // namespace ns3
