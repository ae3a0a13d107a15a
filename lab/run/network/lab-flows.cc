/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-flows.h"

#include "lab-fault-run.h"
#include "lab-workload.h"

#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/rcc-random.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace ns3
{

namespace
{

const size_t ARRIVALS_MAX = 10000000;       // that arrive
const int64_t BASE_RTT_MAX = 100 * 1000000; // ns, the longest that algorithms take

/// Set what is not as RdmaClient has it.
void
SetClient(RdmaClient& client, const RunFlows& f)
{
    const auto set = [&client](const char* name, int64_t value, int64_t usual) {
        if (value >= 0 && value != usual)
        {
            client.SetAttribute(name, UintegerValue(static_cast<uint64_t>(value)));
        }
    };
    set("Window", f.window, 0);
    set("Depth", f.depth, 1);
    set("TrafficClass", f.cls, QBB_RDMA_CLASS);
    set("Dscp", f.dscp, RCC_DSCPS);
    set("Ecn", f.ecn, 4);
    if (f.rate >= 0)
    {
        client.SetAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(f.rate))));
    }
    if (f.think)
    {
        client.SetAttribute("ThinkTime", TimeValue(NanoSeconds(f.think)));
    }
    if (f.stop >= 0)
    {
        client.SetStopTime(NanoSeconds(f.stop));
    }
}

/// \return the node at one end of a record's flow \param i number of the flow
uint32_t
NodeOf(uint32_t first, int32_t step, uint32_t cycle, uint32_t i)
{
    return static_cast<uint32_t>(static_cast<int64_t>(first) + static_cast<int64_t>(i % cycle) * step);
}

/// Adds the flows of a file that exist from the beginning.
class Builder
{
  public:
    Builder(const RunFile& file, const LabNetwork& network, LabRun& run, TestbedRecorder* recorder)
        : m_file(file),
          m_network(network),
          m_run(run),
          m_recorder(recorder)
    {
    }

    void AddAll()
    {
        size_t group = 0;
        for (size_t i = 0; i < m_file.flows.size(); i++)
        {
            for (; m_recorder && group < m_file.groups.size() && m_file.groups[group].first <= i; group++)
            {
                m_recorder->AddGroup(m_file.groups[group].name);
            }
            for (uint32_t n = 0; n < m_file.flows[i].count; n++)
            {
                AddFlow(m_file.flows[i], n);
            }
        }
        const auto counts = [](const RunAfter& after) { return after.received; };
        if (m_file.recorded.received || std::any_of(m_file.afters.begin(), m_file.afters.end(), counts))
        {
            m_run.GetFlows().RecordReceived();
        }
        for (size_t i = 0; i < m_file.waits.size(); i++)
        {
            AddWait(m_file.waits[i], i + 1 < m_file.waits.size() ? m_file.waits[i + 1].after : m_file.afters.size());
        }
    }

  private:
    /// \param end index after the last of what it waits for
    void AddWait(const RunWait& wait, size_t end)
    {
        std::vector<LabFlowSet::Before> before;
        for (size_t k = wait.after; k < end; k++)
        {
            const RunAfter& after = m_file.afters[k];
            if (after.first == RUN_NONE)
            {
                before.push_back({LabFlowSet::RUN_BEGIN, false, after.later});
                continue;
            }
            for (uint32_t n = 0; n < after.count; n++)
            {
                before.push_back({after.first + n, after.received, after.later});
            }
        }
        m_run.GetFlows().AddWait(wait.first, wait.count, before, wait.needs, wait.delay);
    }

    /// A flow on all its queue pairs. \param n its number within the record
    void AddFlow(const RunFlows& f, uint32_t n)
    {
        const Ptr<RdmaNic> from = m_network.GetNic(NodeOf(f.from, f.fromStep, f.fromCycle, n));
        const Ptr<RdmaNic> to = m_network.GetNic(NodeOf(f.to, f.toStep, f.toCycle, n));
        const Ptr<RccAlgorithm> algorithm = m_run.GetAlgorithm(f.algorithm);
        const uint64_t stream = RccStreamOf(m_file.seed, RccStream::FLOW_START, 0);
        const int64_t start = f.start + static_cast<int64_t>(n) * f.startStep;
        for (uint32_t i = 0; i < f.qps; i++)
        {
            const uint64_t number = m_run.GetFlows().GetFlows().size();
            const uint64_t random = f.within ? RccUniform(stream, number, static_cast<uint64_t>(f.within)) : 0;
            Ptr<RdmaClient> client =
                m_run.GetFlows().Add(from, to, start + static_cast<int64_t>(random),
                                     f.size / f.qps + (i < f.size % f.qps ? 1 : 0), f.messages, algorithm);
            SetClient(*client, f);
            if (f.stop >= 0)
            {
                m_run.GetFlows().StopsAt(number, f.stop);
            }
            if (algorithm)
            {
                m_run.CountOwnAlgorithm(algorithm);
            }
            if (m_recorder)
            {
                m_recorder->AddFlow();
            }
        }
    }

    const RunFile& m_file;
    const LabNetwork& m_network;
    LabRun& m_run;
    TestbedRecorder* m_recorder;
};

// ---------------------------------------------------------------- flows that arrive as the file lists them

/// Bytes in flight of a queue pair at most. \param most the largest bandwidth-delay product, which is found once
uint64_t
WindowOf(const RunArrival& f, const LabPaths& paths, uint64_t& most)
{
    if (f.rule == RunWindow::MAX_BDP && !most)
    {
        most = paths.GetMaxBdp();
    }
    return f.rule == RunWindow::MAX_BDP ? most
           : f.rule == RunWindow::BDP   ? paths.GetPair(f.from, f.to).Bdp()
                                        : static_cast<uint64_t>(std::max<int64_t>(f.window, 0));
}

/// Finds the algorithm of a queue pair. One with the window of its pair has the pair's base RTT too, if the algorithm
/// takes it from the topology: GLOBAL_T 0 of the HPCC paper's simulator.
class PairAlgorithms
{
  public:
    PairAlgorithms(const RunFile& file, const LabRun& run, const LabNetwork& network)
        : m_file(file),
          m_run(run),
          m_network(network)
    {
    }

    Ptr<RccAlgorithm> Find(const RunArrival& f)
    {
        const uint32_t number = f.algorithm == RUN_NONE ? 0 : f.algorithm;
        const Ptr<RccAlgorithm> usual = m_run.GetAlgorithm(number);
        if (f.rule != RunWindow::BDP || !usual->HasParameter("base_rtt") || usual->GetParameter("base_rtt") != 0)
        {
            return usual;
        }
        const int64_t found = RdmaBaseRtt(*m_network.GetNic(f.from), m_network.GetNode(f.to)->GetId());
        const int64_t rtt = std::min(found, BASE_RTT_MAX);
        Ptr<RccAlgorithm>& own = m_own[{number, rtt}];
        if (!own)
        {
            own = LabSetup::MakeAlgorithm(m_file.algorithms[number]);
            const std::string why = own->SetParameter("base_rtt", rtt);
            NS_ABORT_MSG_UNLESS(why.empty(), "base RTT " << rtt << ": " << why);
        }
        return own;
    }

  private:
    const RunFile& m_file;
    const LabRun& m_run;
    const LabNetwork& m_network;
    std::map<std::pair<uint32_t, int64_t>, Ptr<RccAlgorithm>> m_own; //!< by number in the file and base RTT
};

/// Add the flows. \return the port that they load most
RunPort
AddListed(const RunFile& file, LabRun& run, const LabNetwork& network)
{
    const LabPaths& paths = network.GetPaths();
    LabLoad load(paths, file.seed, file.time);
    PairAlgorithms algorithms(file, run, network);
    uint64_t most = 0;
    UintegerValue gap, header; // all devices, and all switches, have those of the defaults
    CreateObject<QbbNetDevice>()->GetAttribute("InterframeGap", gap);
    if (!network.GetSwitches().empty())
    {
        network.GetSwitches().front()->GetAttribute("CutThrough", header);
    }
    for (const auto& f : file.arrivals)
    {
        const auto hops = load.Add(f);
        if (hops.empty())
        {
            throw RunError(f.record, "TO", "path", std::to_string(f.to), {std::to_string(f.from)});
        }
        std::vector<RccHop> path;
        for (const auto& h : hops)
        {
            path.push_back(
                RccHop{h.rate, h.delay, static_cast<uint32_t>(header.Get()), static_cast<uint32_t>(gap.Get())});
        }
        LabFlowOptions own;
        own.algorithm = algorithms.Find(f);
        own.window = WindowOf(f, paths, most);
        own.variableWindow = f.variable;
        own.stop = f.stop;
        own.cls = f.cls;
        if (f.algorithm != RUN_NONE)
        {
            run.CountOwnAlgorithm(run.GetAlgorithm(f.algorithm));
        }
        run.GetFlows().AddArrival(network.GetNic(f.from), network.GetNic(f.to), f.start, f.size,
                                  run.GetFlows().AddPath(path), own);
    }
    const LabPaths::Hop busiest = load.GetBusiestPort();
    RunPort port;
    port.node = busiest.node;
    port.port = busiest.port;
    return port;
}

/// Refuse flows that are not listed one by one and have no path: LabNetwork has looked at routes that are shortest
/// alone.
void
CheckPaths(const RunFile& file, LabRun& run, const LabNetwork& network)
{
    if (file.routes == RunRoutes::SHORTEST)
    {
        return;
    }
    const uint32_t first = network.GetNode(0)->GetId();
    std::set<std::pair<uint32_t, uint32_t>> known;
    for (const auto& f : run.GetFlows().GetFlows())
    {
        if (known.insert({f.src, f.dst}).second &&
            RdmaPathTo(*f.from, f.from->PickPort(f.dst, 0), f.dst, nullptr).empty())
        {
            throw RunError(0, "flows", "path", std::to_string(f.dst - first), {std::to_string(f.src - first)});
        }
    }
}

// ---------------------------------------------------------------- what is watched

/// Give a run the ports that the results name. \param busiest in place of none
void
Watch(const RunFile& file, LabRun& run, const LabNetwork& network, const RunPort& busiest)
{
    const bool named = file.watch.port.node != RUN_NONE;
    const RunPort port = named ? file.watch.port : busiest;
    if (port.node == RUN_NONE)
    {
        return; // the run is refused when it is executed
    }
    const std::string name = named ? file.watch.name : network.GetPaths().PortName(port.node, port.port);
    const Ptr<QbbSwitch> sw = network.GetNode(port.node)->GetObject<QbbSwitch>();
    if (sw)
    {
        run.Watch(sw, port.port, name);
    }
    else
    {
        run.Watch(network.GetPort(port), name);
    }
    for (const auto& bottleneck : file.bottlenecks)
    {
        run.AddBottleneck(network.GetPort(bottleneck.port));
    }
}

/// The rates that change: of the watched port, and of others.
void
AddSteps(const RunFile& file, LabRun& run, const LabNetwork& network)
{
    if (!file.phases.empty())
    {
        run.SetCapacity(file.phases);
    }
    for (size_t i = 0; i < file.rates.size(); i++)
    {
        const RunRate& step = file.rates[i];
        const std::string name = "rate " + std::to_string(i);
        const Ptr<QbbNetDevice> port = network.GetPort(step.port);
        run.WarnIfNever(name, step.at);
        run.GetFaults().KeepRate(port, step.at, name);
        Simulator::Schedule(NanoSeconds(step.at), &QbbNetDevice::SetDataRate, port, DataRate(step.rate));
    }
}

// ---------------------------------------------------------------- arrivals at random

/// A flow between two hosts, by their numbers among the hosts.
using Arrival = LabPoissonFlows::Flow;

/// Mean rate at which a host can send, over all its ports, bit/s.
uint64_t
GetHostRate(const LabNetwork& network)
{
    uint64_t rate = 0;
    for (const auto& nic : network.GetHosts())
    {
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            rate += nic->GetPort(p)->GetRate();
        }
    }
    return rate / network.GetHosts().size();
}

/// Single flows of random sizes.
void
AddSingle(const RunFile& file, LabRun& run, const LabNetwork& network, std::vector<Arrival>& flows)
{
    run.Note("load", static_cast<double>(file.random.load) / RCC_RATIO_ONE);
    run.Note("mean_size_bytes", LabMeanBytes(file.sizes));
    LabPoissonFlows source(file.seed, file.sizes, static_cast<uint32_t>(network.GetHosts().size()), file.random.gap);
    for (auto f = source.Next(); f.start < file.time && flows.size() < ARRIVALS_MAX; f = source.Next())
    {
        flows.push_back(f);
    }
}

void
AddIncasts(const RunFile& file, const LabNetwork& network, std::vector<Arrival>& flows)
{
    const auto hosts = static_cast<uint32_t>(network.GetHosts().size());
    const RunIncasts& incasts = file.incasts;
    if (incasts.senders >= hosts)
    {
        throw RunError(incasts.record, "SENDERS", "range", std::to_string(incasts.senders),
                       {"1", std::to_string(hosts - 1)});
    }
    LabPoissonTimes times(RccStreamOf(file.seed, RccStream::WORKLOAD, 3), incasts.gap);
    const uint64_t picks = RccStreamOf(file.seed, RccStream::WORKLOAD, 4);
    uint64_t drawn = 0;
    for (int64_t at = times.Next(); at < file.time && flows.size() < ARRIVALS_MAX; at = times.Next())
    {
        std::vector<uint32_t> order(hosts); // the first is the receiver, the senders follow
        std::iota(order.begin(), order.end(), 0);
        for (size_t i = 0; i <= incasts.senders; i++)
        {
            std::swap(order[i], order[i + RccUniform(picks, drawn++, hosts - i)]);
        }
        for (uint64_t i = 0; i < uint64_t{incasts.senders} * incasts.qps; i++)
        {
            flows.push_back({at, order[1 + i / incasts.qps], order[0], incasts.size});
        }
    }
}

/// Part of the hosts' links that the flows' bytes on the wire take over the run's time.
double
OfferedLoad(const RunFile& file, const LabRun& run, const std::vector<Arrival>& flows, const LabNetwork& network)
{
    const uint64_t mtu = run.GetSetup().mtu;
    double bytes = 0;
    for (const auto& f : flows)
    {
        bytes += static_cast<double>(f.bytes + (f.bytes + mtu - 1) / mtu * ROCE_OVERHEAD);
    }
    const auto hosts = static_cast<uint32_t>(network.GetHosts().size());
    return bytes * 8 / (RccSeconds(file.time) * static_cast<double>(GetHostRate(network)) * hosts);
}

/// Add flows between all hosts that arrive as Poisson processes: single ones of random sizes, and incasts.
void
AddRandom(const RunFile& file, LabRun& run, const LabNetwork& network)
{
    std::vector<Arrival> flows;
    if (network.GetHosts().size() < 2)
    {
        throw RunError(0, "node", "hosts", std::to_string(network.GetHosts().size()));
    }
    if (file.random.gap)
    {
        AddSingle(file, run, network, flows);
    }
    if (file.incasts.gap)
    {
        AddIncasts(file, network, flows);
    }
    if (flows.empty() || flows.size() >= ARRIVALS_MAX)
    {
        throw RunError(0, "TIME", "arrivals", std::to_string(flows.size()), {"1", std::to_string(ARRIVALS_MAX - 1)});
    }
    std::stable_sort(flows.begin(), flows.end(), [](const Arrival& a, const Arrival& b) { return a.start < b.start; });
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> paths; // numbers in the flow set, by the hosts
    for (const auto& f : flows)
    {
        const Ptr<RdmaNic> from = network.GetHosts()[f.src];
        const Ptr<RdmaNic> to = network.GetHosts()[f.dst];
        const auto path = paths.emplace(std::make_pair(f.src, f.dst), 0);
        if (path.second)
        {
            const uint32_t id = to->GetObject<Node>()->GetId();
            path.first->second = run.GetFlows().AddPath(RdmaPathTo(*from, from->PickPort(id, 0), id, nullptr));
        }
        run.GetFlows().AddArrival(from, to, f.start, f.bytes, path.first->second);
    }
    run.Note("offered_load", OfferedLoad(file, run, flows, network));
}

} // namespace

void
LabFlows::Add(const RunFile& file, LabRun& run, const LabNetwork& network, TestbedRecorder* recorder)
{
    RunPort busiest;
    if (!file.arrivals.empty())
    {
        busiest = AddListed(file, run, network);
    }
    else if (file.random.gap || file.incasts.gap)
    {
        AddRandom(file, run, network);
    }
    else if (!file.collective.exists)
    {
        Builder(file, network, run, recorder).AddAll();
    }
    if (file.arrivals.empty())
    {
        CheckPaths(file, run, network);
    }
    Watch(file, run, network, busiest);
    AddSteps(file, run, network);
    for (size_t i = 0; recorder && i < file.recordedPorts.size(); i++)
    {
        recorder->AddPort(file.recordedPorts[i].name, network.GetPort(file.recordedPorts[i].port));
    }
}

} // namespace ns3
