/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-flows.h"

#include "lab-fault-run.h"
#include "lab-workload.h"

#include "ns3/lab-text.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/rcc-random.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace ns3
{

namespace
{

const size_t ARRIVALS_MAX = 10000000; // that arrive
/// An item of --flows.
using Flows = LabExperiment::Flows;

/// Set what is not as RdmaClient has it.
void
SetClient(RdmaClient& client, const Flows& f, Ptr<RccAlgorithm> algorithm)
{
    const auto set = [&client](const char* name, int64_t value, int64_t usual) {
        if (value != usual)
        {
            client.SetAttribute(name, UintegerValue(static_cast<uint64_t>(value)));
        }
    };
    set("Window", f.window, 0);
    set("Depth", f.depth, 1);
    set("TrafficClass", f.cls, QBB_RDMA_CLASS);
    set("Dscp", f.dscp, RCC_DSCPS);
    set("Ecn", static_cast<int64_t>(f.ecn), 4);
    if (f.rate)
    {
        client.SetAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(f.rate))));
    }
    if (f.think)
    {
        client.SetAttribute("ThinkTime", TimeValue(NanoSeconds(f.think)));
    }
    if (algorithm)
    {
        client.SetAttribute("Algorithm", PointerValue(algorithm));
    }
    if (f.stop)
    {
        client.SetStopTime(NanoSeconds(f.stop));
    }
}

/// Adds the flows of an experiment to a run.
class Builder
{
  public:
    Builder(const LabOptions& options, const LabExperiment& experiment, const LabNetwork& network, LabRun& run,
            TestbedRecorder* recorder)
        : m_options(options),
          m_experiment(experiment),
          m_network(network),
          m_run(run),
          m_recorder(recorder)
    {
    }

    void AddAll()
    {
        std::vector<std::pair<size_t, size_t>> numbers; // of the flows of each item the first, and how many there are
        bool received = m_options.GetFlag("received");
        for (const auto& f : m_experiment.flows)
        {
            const size_t first = m_run.GetFlows().GetFlows().size();
            Add(f);
            numbers.emplace_back(first, m_run.GetFlows().GetFlows().size() - first);
            received = received || std::any_of(f.after.begin(), f.after.end(),
                                               [](const LabExperiment::After& one) { return one.received; });
        }
        if (received)
        {
            m_run.GetFlows().RecordReceived();
        }
        for (size_t i = 0; i < numbers.size(); i++)
        {
            const Flows& f = m_experiment.flows[i];
            std::vector<LabFlowSet::Before> before;
            for (const auto& other : f.after)
            {
                const auto its =
                    other.item == LabFlowSet::RUN_BEGIN ? std::make_pair(other.item, size_t{1}) : numbers[other.item];
                for (size_t k = 0; k < its.second; k++)
                {
                    before.push_back({its.first + k, other.received, other.later});
                }
            }
            if (!before.empty())
            {
                m_run.GetFlows().AddWait(numbers[i].first, numbers[i].second, before, static_cast<uint64_t>(f.needs),
                                         f.delay);
            }
        }
    }

  private:
    void Add(const Flows& f)
    {
        Ptr<RccAlgorithm>& algorithm = m_algorithms[f.cc];
        algorithm = algorithm || f.cc.empty() ? algorithm : m_options.CreateAlgorithm(f.cc);
        if (f.count)
        {
            AddGroup(f.hosts);
            for (int64_t i = 0; i < f.count; i++)
            {
                AddFlow(f, f.pairs[static_cast<size_t>(i) % f.pairs.size()], 0, algorithm);
            }
            return;
        }
        for (const auto& pair : f.pairs)
        {
            AddGroup(pair.first + "-" + pair.second);
            for (int64_t i = 0; i < f.repeat; i++)
            {
                AddFlow(f, pair, i * f.every, algorithm);
            }
        }
    }

    void AddGroup(const std::string& name)
    {
        if (m_recorder)
        {
            m_recorder->AddGroup(name);
        }
    }

    /// \return the NIC of a host, which a million flows may name
    const Ptr<RdmaNic>& GetNic(const std::string& name)
    {
        Ptr<RdmaNic>& nic = m_nics[name];
        nic = nic ? nic : m_network.GetNic("flows", name);
        return nic;
    }

    /// A flow on all its queue pairs.
    void AddFlow(const Flows& f, const LabPair& pair, int64_t later, Ptr<RccAlgorithm> algorithm)
    {
        const Ptr<RdmaNic>& from = GetNic(pair.first);
        const Ptr<RdmaNic>& to = GetNic(pair.second);
        const uint64_t stream = RccStreamOf(m_run.GetSeed(), RccStream::FLOW_START, 0);
        for (int64_t i = 0; i < f.qps; i++)
        {
            const uint64_t number = m_run.GetFlows().GetFlows().size();
            const uint64_t random = f.within ? RccUniform(stream, number, static_cast<uint64_t>(f.within)) : 0;
            Ptr<RdmaClient> client = m_run.GetFlows().Add(from, to, f.start + later + static_cast<int64_t>(random),
                                                          static_cast<uint64_t>(f.size / f.qps + (i < f.size % f.qps)),
                                                          static_cast<uint64_t>(f.messages));
            SetClient(*client, f, algorithm);
            if (f.stop)
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

    const LabOptions& m_options;
    const LabExperiment& m_experiment;
    const LabNetwork& m_network;
    LabRun& m_run;
    TestbedRecorder* m_recorder;
    std::map<std::string, Ptr<RccAlgorithm>> m_algorithms; //!< by name
    std::unordered_map<std::string, Ptr<RdmaNic>> m_nics;  //!< by name
};

/// \return the ports that SWITCH>NODE means; exits with status 2 if there are none
std::vector<LabNetwork::Port>
FindPorts(const std::string& option, const std::string& item, const LabNetwork& network)
{
    const size_t at = item.find('>');
    return network.GetPorts(option, item.substr(0, at), at == std::string::npos ? "" : item.substr(at + 1));
}

void
Watch(const LabOptions& options, LabRun& run, const LabNetwork::Port& port)
{
    const std::string name = options.IsSet("watch-as") ? options.GetText("watch-as") : "switch port " + port.name;
    if (port.sw)
    {
        run.Watch(port.sw, port.index, name);
    }
    else
    {
        run.Watch(port.device, name);
    }
}

// ---------------------------------------------------------------- rates that change

/// \return a rate of a list's item, at most --rate
uint64_t
ReadRate(const LabOptions& options, const std::string& option, const std::string& item, const std::string& text)
{
    int64_t rate = 0;
    const bool wrong = !RccParse(RCC_UNIT_BPS, text, &rate).empty() || rate < static_cast<int64_t>(RCC_LINE_RATE_MIN) ||
                       rate > options.Get("rate");
    LabOptions::FailItemIf(wrong, option, item,
                           RccFormat(RCC_UNIT_BPS, RCC_LINE_RATE_MIN) + " to --rate, '" + options.GetText("rate") +
                               "'");
    return static_cast<uint64_t>(rate);
}

/// The rates of --phases, of the watched port, and of --steps, of others.
void
AddSteps(const LabOptions& options, LabRun& run, const LabNetwork& network)
{
    std::vector<LabPhases::Step> phases;
    for (const auto& item : options.GetList("phases"))
    {
        const std::vector<std::string> part = LabSplit(item, ':');
        int64_t at = 0;
        const auto failIf = [&item](bool wrong, const std::string& expected) {
            LabOptions::FailItemIf(wrong, "phases", item, expected);
        };
        failIf(part.size() != 2 || !RccParse(RCC_UNIT_NS, part[0], &at).empty(), "TIME:RATE such as 2s:0.2Gbps");
        failIf(phases.empty() && at != 0, "0s for the first");
        failIf(!phases.empty() && at <= phases.back().at, "a time after the one before");
        failIf(at >= options.Get("time"), "a time before --time, '" + options.GetText("time") + "'");
        phases.push_back(LabPhases::Step{at, ReadRate(options, "phases", item, part[1])});
    }
    if (!phases.empty())
    {
        run.SetCapacity(phases);
    }
    for (const auto& item : options.GetList("steps"))
    {
        const std::vector<std::string> part = LabSplit(item, ':');
        LabOptions::FailItemIf(part.size() != 3, "steps", item, "SWITCH>NODE:TIME:RATE");
        const auto at = LabOptions::ParseField("steps", item, part[1], RCC_UNIT_NS, 0, 1000 * RCC_SECOND);
        const DataRate rate(ReadRate(options, "steps", item, part[2]));
        run.WarnIfNever("--steps=" + item, at);
        for (const auto& port : FindPorts("steps", part[0], network))
        {
            run.GetFaults().KeepRate(port.device, at, "--steps=" + item);
            Simulator::Schedule(NanoSeconds(at), &QbbNetDevice::SetDataRate, port.device, rate);
        }
    }
}

// ---------------------------------------------------------------- arrivals at random

/// A flow between two hosts, by their numbers.
using Arrival = LabPoissonFlows::Flow;

/// What of the hosts' links flows take on average.
uint64_t
ReadLoad(const std::string& option, const std::string& item, const std::string& text)
{
    return LabOptions::ParseField<uint64_t>(option, item, text, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100000, RCC_RATIO_ONE);
}

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

/// Bytes on the wire of a message, or of its payload alone.
double
CountedBytes(const LabOptions& options, double bytes)
{
    const auto mtu = options.Get<double>("mtu");
    return options.GetText("load-counts") == "payload" ? bytes : bytes * (mtu + ROCE_OVERHEAD) / mtu;
}

void
AddSingle(const LabOptions& options, LabRun& run, const LabNetwork& network, const std::string& item,
          std::vector<Arrival>& flows)
{
    const size_t colon = item.rfind(':');
    options.FailValueIf(colon == std::string::npos, "arrivals", "SIZES:LOAD such as web-search:0.3");
    LabSizes sizes;
    const std::string why = sizes.Load(item.substr(0, colon));
    LabOptions::FailIf(why.empty() ? why : "--arrivals: " + why);
    const uint64_t load = ReadLoad("arrivals", item, item.substr(colon + 1));
    run.Note("load", static_cast<double>(load) / RCC_RATIO_ONE);
    run.Note("mean_size_bytes", sizes.GetMeanBytes());
    const auto hosts = static_cast<uint32_t>(network.GetHosts().size());
    uint64_t rate = GetHostRate(network);
    const auto mtu = options.Get<uint32_t>("mtu");
    if (options.GetText("load-counts") == "payload") // more arrive: the headers come on top
    {
        const double wire = static_cast<double>(sizes.GetMeanGap(rate, mtu)) / 65536;
        rate = static_cast<uint64_t>(wire * static_cast<double>(rate) * static_cast<double>(rate) /
                                     (sizes.GetMeanBytes() * 8e9));
    }
    LabPoissonFlows source(options.Get<uint64_t>("seed"), sizes, hosts, rate, load, mtu);
    const double expected = options.Get<double>("time") / source.GetMeanGap();
    if (expected > ARRIVALS_MAX)
    {
        LabOptions::Fail("--time is '" + options.GetText("time") + "', in which some " +
                         std::to_string(static_cast<uint64_t>(expected)) + " flows would arrive, expected at most " +
                         std::to_string(ARRIVALS_MAX));
    }
    for (auto f = source.Next(); f.start < options.Get("time") && flows.size() < ARRIVALS_MAX; f = source.Next())
    {
        flows.push_back(f);
    }
}

void
AddIncasts(const LabOptions& options, const LabNetwork& network, const std::string& item, std::vector<Arrival>& flows)
{
    std::vector<std::string> part = LabSplit(item, ':');
    const auto hosts = static_cast<uint32_t>(network.GetHosts().size());
    options.FailValueIf(part.size() != 3 && part.size() != 4, "incasts",
                        "SENDERS:SIZE:LOAD[:QPS] such as 60:500KB:0.02");
    part.resize(4, "1");
    const auto senders =
        LabOptions::ParseField<uint64_t>("incasts", item, part[0], RCC_UNIT_COUNT, 1, int64_t{hosts} - 1);
    const auto bytes = LabOptions::ParseField<uint64_t>("incasts", item, part[1], RCC_UNIT_BYTES, 1, 1000 * RCC_SECOND);
    const uint64_t load = ReadLoad("incasts", item, part[2]);
    const auto qps = LabOptions::ParseField<uint64_t>("incasts", item, part[3], RCC_UNIT_COUNT, 1, 100000);
    const double payload = static_cast<double>(senders * qps) * static_cast<double>(bytes);
    const double each = CountedBytes(options, payload) * 8e9;
    const double rate = static_cast<double>(GetHostRate(network) * hosts) * static_cast<double>(load) / RCC_RATIO_ONE;
    const double gap = std::min(each / rate * 65536, static_cast<double>(LabPoissonTimes::GAP_MAX));
    const auto seed = options.Get<uint64_t>("seed");
    LabPoissonTimes times(RccStreamOf(seed, RccStream::WORKLOAD, 3), static_cast<uint64_t>(gap));
    const uint64_t picks = RccStreamOf(seed, RccStream::WORKLOAD, 4);
    uint64_t drawn = 0;
    for (int64_t at = times.Next(); at < options.Get("time") && flows.size() < ARRIVALS_MAX; at = times.Next())
    {
        std::vector<uint32_t> order(hosts); // the first is the receiver, the senders follow
        std::iota(order.begin(), order.end(), 0);
        for (size_t i = 0; i <= senders; i++)
        {
            std::swap(order[i], order[i + RccUniform(picks, drawn++, hosts - i)]);
        }
        for (uint64_t i = 0; i < senders * qps; i++)
        {
            flows.push_back({at, order[1 + i / qps], order[0], bytes});
        }
    }
}

/// Part of the hosts' links that the flows' bytes on the wire take over --time.
double
OfferedLoad(const LabOptions& options, const std::vector<Arrival>& flows, const LabNetwork& network)
{
    const auto mtu = options.Get<uint64_t>("mtu");
    double bytes = 0;
    for (const auto& f : flows)
    {
        bytes += static_cast<double>(f.bytes + (f.bytes + mtu - 1) / mtu * ROCE_OVERHEAD);
    }
    const auto hosts = static_cast<uint32_t>(network.GetHosts().size());
    return bytes * 8 / (options.GetSeconds("time") * static_cast<double>(GetHostRate(network)) * hosts);
}

/// Add flows between all hosts that arrive as Poisson processes within --time: single ones of random sizes, and
/// incasts.
void
AddArrivals(const LabOptions& options, LabRun& run, const LabNetwork& network)
{
    if (network.GetHosts().size() < 2)
    {
        LabOptions::Fail("--arrivals and --incasts need two hosts in --links");
    }
    std::vector<Arrival> flows;
    if (options.IsSet("arrivals"))
    {
        AddSingle(options, run, network, options.GetText("arrivals"), flows);
    }
    if (options.IsSet("incasts"))
    {
        AddIncasts(options, network, options.GetText("incasts"), flows);
    }
    if (flows.empty() || flows.size() >= ARRIVALS_MAX)
    {
        LabOptions::Fail("--time is '" + options.GetText("time") + "', in which " +
                         (flows.empty() ? "no flow arrives" : "more than 10 million flows arrive"));
    }
    std::stable_sort(flows.begin(), flows.end(), [](const Arrival& a, const Arrival& b) { return a.start < b.start; });
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> paths; // their numbers in the flow set, by the hosts
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
    run.Note("offered_load", OfferedLoad(options, flows, network));
}

} // namespace

void
LabFlows::Add(const LabOptions& options, const LabExperiment& experiment, LabRun& run, const LabNetwork& network,
              TestbedRecorder* recorder)
{
    std::string receiver;
    const bool listed = !options.IsSet("collective") && !options.IsSet("arrivals") && !options.IsSet("incasts");
    LabOptions::FailIf(!listed && options.GetFlag("received") ? "--received needs --flows" : "");
    if (options.IsSet("collective"))
    {
        options.FailValueIf(options.IsChanged("flows"), "flows", "none beside --collective");
        receiver = network.GetHostName(0);
    }
    else if (options.IsSet("arrivals") || options.IsSet("incasts"))
    {
        options.FailValueIf(options.IsChanged("flows"), "flows", "none beside --arrivals and --incasts");
        AddArrivals(options, run, network);
        receiver = network.GetHostName(0);
    }
    else
    {
        LabOptions::FailIf(experiment.flows.empty() ? "--flows is empty, expected A-B[:KEY=VALUE...]" : "");
        Builder(options, experiment, network, run, recorder).AddAll();
        receiver = experiment.flows.front().pairs.front().second;
    }
    const std::string& watched = options.GetText("watch");
    const LabNetwork::Port port = watched.empty()
                                      ? network.GetPorts("record", network.GetNeighbour(receiver), receiver).front()
                                      : FindPorts("watch", watched, network).front();
    Watch(options, run, port);
    for (const auto& item : options.GetList("bottlenecks"))
    {
        for (const auto& host : LabExpandNames("bottlenecks", item))
        {
            network.GetNic("bottlenecks", host);
            for (const auto& p : network.GetPorts("bottlenecks", network.GetNeighbour(host), host))
            {
                run.AddBottleneck(p.device);
            }
        }
    }
    AddSteps(options, run, network);
    for (const auto& item : options.GetList("record"))
    {
        for (const auto& p : FindPorts("record", item, network))
        {
            recorder->AddPort(p);
        }
    }
    if (recorder)
    {
        recorder->AddPort(port);
    }
}

} // namespace ns3
