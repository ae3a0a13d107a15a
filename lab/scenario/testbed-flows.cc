/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "testbed-flows.h"

#include "rcc-workload.h"

#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/rcc-random.h"
#include "ns3/rcc-text.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ns3
{

namespace
{

const size_t FLOWS_MAX = 10000000; // of a run
const char FLOW_FORM[] = "A-B[:size=..:start=..:stop=..:qps=..:rate=..:window=..:messages=..:depth=..:think=..:"
                         "repeat=..:every=..:class=..:dscp=..:ecn=..:cc=..]";

/// One item of --flows.
struct FlowSpec
{
    std::vector<std::pair<std::string, std::string>> pairs;
    int64_t size{0}, start{0}, stop{0}; //!< bytes of a message, 0 = without end; ns, stop 0 = never
    int64_t qps{1};                     //!< queue pairs that a flow is spread over
    int64_t rate{0}, window{0};         //!< offered by each queue pair, bit/s, 0 = all; its bytes in flight, 0 = any
    int64_t messages{1}, think{0};      //!< one after the other, 0 = until the end; ns
    int64_t depth{1};                   //!< messages that are posted at a time
    int64_t repeat{1}, every{0};        //!< flows of their own, ns apart
    int64_t cls{-1};                    //!< -1: not given
    int64_t dscp{RCC_DSCPS};            //!< RdmaClient::Dscp
    uint64_t ecn{4};                    //!< RdmaClient::Ecn
    std::string cc;
};

/// \return RdmaClient::Ecn of its name in --flows
uint64_t
ParseEcn(const std::string& item, const std::string& text)
{
    const std::vector<std::string> words = {"not-ect", "ect1", "ect0", "ce"}; // as RccEcn
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end())
    {
        RccOptions::Fail("--flows has '" + item + "': ecn is '" + text + "', expected one of " + RccJoin(words, ", "));
    }
    return static_cast<uint64_t>(found - words.begin());
}

FlowSpec
ParseFlow(const std::string& item)
{
    FlowSpec f;
    f.pairs = RccTestbed::ExpandFlows("flows", item.substr(0, item.find(':')));
    std::string ecn;
    const int64_t bytes = 1000000 * RCC_SECOND;
    RccOptions::ParseKeys("flows", item,
                          {{"size", RCC_UNIT_BYTES, 0, bytes, &f.size, nullptr},
                           {"start", RCC_UNIT_NS, 0, 1000 * RCC_SECOND, &f.start, nullptr},
                           {"stop", RCC_UNIT_NS, 1, 1000 * RCC_SECOND, &f.stop, nullptr},
                           {"qps", RCC_UNIT_COUNT, 1, 100000, &f.qps, nullptr},
                           {"rate", RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX, &f.rate, nullptr},
                           {"window", RCC_UNIT_BYTES, 1, bytes, &f.window, nullptr},
                           {"messages", RCC_UNIT_COUNT, 0, bytes, &f.messages, nullptr},
                           {"depth", RCC_UNIT_COUNT, 1, 65536, &f.depth, nullptr},
                           {"think", RCC_UNIT_NS, 0, RCC_SECOND, &f.think, nullptr},
                           {"repeat", RCC_UNIT_COUNT, 1, 1000000, &f.repeat, nullptr},
                           {"every", RCC_UNIT_NS, 0, RCC_SECOND, &f.every, nullptr},
                           {"class", RCC_UNIT_COUNT, 0, QBB_CLASSES - 1, &f.cls, nullptr},
                           {"dscp", RCC_UNIT_COUNT, 0, RCC_DSCPS - 1, &f.dscp, nullptr},
                           {"ecn", RCC_UNIT_COUNT, 0, 0, nullptr, &ecn},
                           {"cc", RCC_UNIT_COUNT, 0, 0, nullptr, &f.cc}},
                          FLOW_FORM);
    f.ecn = ecn.empty() ? f.ecn : ParseEcn(item, ecn);
    RccOptions::FailItemIf(f.stop && f.stop <= f.start, "flows", item, "stop after start");
    RccOptions::FailItemIf(f.depth > 1 && f.size == 0, "flows", item,
                           "a size of the messages that depth posts at a time");
    RccOptions::FailItemIf(f.messages > bytes / std::max<int64_t>(f.size, 1), "flows", item,
                           "messages of at most 1e15 bytes together");
    return f;
}

/// The class of a flow, from its own and from its DSCP. Exits with status 2 if they are two.
void
SetClass(FlowSpec& f, const std::string& item, const rcc_dscp_map& map)
{
    const bool listed = f.dscp < RCC_DSCPS && map.listed[f.dscp];
    const auto cls = listed ? rcc_dscp_class(&map, static_cast<uint8_t>(f.dscp), 0) : f.cls;
    const std::string dscp = std::to_string(f.dscp);
    RccOptions::FailItemIf(f.dscp < RCC_DSCPS && cls < 0, "flows", item,
                           "a DSCP that --dscp-map lists, or a class beside it");
    RccOptions::FailItemIf(f.cls >= 0 && f.cls != cls, "flows", item,
                           "class=" + std::to_string(cls) + " or none, as --dscp-map gives DSCP " + dscp +
                               " that class");
    f.cls = cls < 0 ? QBB_RDMA_CLASS : cls;
}

/// Add the flows of one pair of hosts.
void
AddPair(RccRun& run, TestbedRecorder& recorder, Ptr<RdmaNic> from, Ptr<RdmaNic> to, const FlowSpec& f,
        Ptr<RccAlgorithm> algorithm)
{
    for (int64_t i = 0; i < f.repeat * f.qps; i++)
    {
        const auto size = static_cast<uint64_t>(f.size ? std::max<int64_t>(f.size / f.qps, 1) : 0);
        Ptr<RdmaClient> client =
            run.GetFlows().Add(from, to, f.start + i / f.qps * f.every, size, static_cast<uint64_t>(f.messages));
        client->SetAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(f.rate))));
        client->SetAttribute("Window", UintegerValue(static_cast<uint64_t>(f.window)));
        client->SetAttribute("Depth", UintegerValue(static_cast<uint64_t>(f.depth)));
        client->SetAttribute("ThinkTime", TimeValue(NanoSeconds(f.think)));
        client->SetAttribute("TrafficClass", UintegerValue(static_cast<uint64_t>(f.cls)));
        client->SetAttribute("Dscp", UintegerValue(static_cast<uint64_t>(f.dscp)));
        client->SetAttribute("Ecn", UintegerValue(f.ecn));
        if (algorithm)
        {
            client->SetAttribute("Algorithm", PointerValue(algorithm));
        }
        if (f.stop)
        {
            client->SetStopTime(NanoSeconds(f.stop));
        }
        recorder.AddFlow();
    }
}

/// Add what --flows lists. \return the first receiver
std::string
AddListed(const RccOptions& options, RccRun& run, const RccTestbed& testbed, TestbedRecorder& recorder)
{
    const rcc_dscp_map map = RccTestbed::GetDscpMap(options);
    std::vector<FlowSpec> specs; // all are read before one is added
    uint64_t flows = 0;
    for (const auto& item : options.GetList("flows"))
    {
        FlowSpec f = ParseFlow(item);
        SetClass(f, item, map);
        flows += f.pairs.size() * static_cast<uint64_t>(f.repeat * f.qps); // below 2^57
        RccOptions::FailItemIf(flows > FLOWS_MAX, "flows", item, "at most " + std::to_string(FLOWS_MAX) + " in all");
        specs.push_back(f);
    }
    RccOptions::FailIf(specs.empty() ? "--flows is empty, expected " + std::string(FLOW_FORM) : "");
    std::map<std::string, Ptr<RccAlgorithm>> algorithms;
    for (const auto& f : specs)
    {
        if (!f.cc.empty() && !algorithms[f.cc])
        {
            algorithms[f.cc] = options.CreateAlgorithm(f.cc);
        }
        for (const auto& pair : f.pairs)
        {
            recorder.AddGroup(pair.first + "-" + pair.second);
            AddPair(run, recorder, testbed.GetNic("flows", pair.first), testbed.GetNic("flows", pair.second), f,
                    f.cc.empty() ? nullptr : algorithms[f.cc]);
        }
    }
    return specs.front().pairs.front().second;
}

/// \return the ports that SWITCH>NODE means; exits with status 2 if there are none
std::vector<RccTestbed::Port>
FindPorts(const std::string& option, const std::string& item, const RccTestbed& testbed)
{
    const size_t at = item.find('>');
    return testbed.GetPorts(option, item.substr(0, at), at == std::string::npos ? "" : item.substr(at + 1));
}

// ---------------------------------------------------------------- arrivals at random

/// A flow between two hosts, by their numbers.
using Arrival = RccPoissonFlows::Flow;

/// What of the hosts' links flows take on average.
uint64_t
ReadLoad(const std::string& option, const std::string& item, const std::string& text)
{
    return RccOptions::ParseField<uint64_t>(option, item, text, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100000, RCC_RATIO_ONE);
}

/// Mean rate at which a host can send, over all its ports, bit/s.
uint64_t
GetHostRate(const RccTestbed& testbed)
{
    uint64_t rate = 0;
    for (const auto& nic : testbed.GetHosts())
    {
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            rate += nic->GetPort(p)->GetRate();
        }
    }
    return rate / testbed.GetHosts().size();
}

/// Bytes on the wire of a message, or of its payload alone.
double
CountedBytes(const RccOptions& options, double bytes)
{
    const auto mtu = options.Get<double>("mtu");
    return options.GetText("load-counts") == "payload" ? bytes : bytes * (mtu + ROCE_OVERHEAD) / mtu;
}

void
AddSingle(const RccOptions& options, const RccTestbed& testbed, const std::string& item, std::vector<Arrival>& flows)
{
    const size_t colon = item.rfind(':');
    options.FailValueIf(colon == std::string::npos, "arrivals", "SIZES:LOAD such as web-search:0.3");
    RccSizes sizes;
    const std::string why = sizes.Load(item.substr(0, colon));
    RccOptions::FailIf(why.empty() ? why : "--arrivals: " + why);
    const uint64_t load = ReadLoad("arrivals", item, item.substr(colon + 1));
    const auto hosts = static_cast<uint32_t>(testbed.GetHosts().size());
    uint64_t rate = GetHostRate(testbed);
    const auto mtu = options.Get<uint32_t>("mtu");
    if (options.GetText("load-counts") == "payload") // more arrive: the headers come on top
    {
        const double wire = static_cast<double>(sizes.GetMeanGap(rate, mtu)) / 65536;
        rate = static_cast<uint64_t>(wire * static_cast<double>(rate) * static_cast<double>(rate) /
                                     (sizes.GetMeanBytes() * 8e9));
    }
    RccPoissonFlows source(options.Get<uint64_t>("seed"), sizes, hosts, rate, load, mtu);
    for (auto f = source.Next(); f.start < options.Get("time") && flows.size() < FLOWS_MAX; f = source.Next())
    {
        flows.push_back(f);
    }
}

void
AddIncasts(const RccOptions& options, const RccTestbed& testbed, const std::string& item, std::vector<Arrival>& flows)
{
    std::vector<std::string> part = RccSplit(item, ':');
    const auto hosts = static_cast<uint32_t>(testbed.GetHosts().size());
    options.FailValueIf(part.size() != 3 && part.size() != 4, "incasts",
                        "SENDERS:SIZE:LOAD[:QPS] such as 60:500KB:0.02");
    part.resize(4, "1");
    const auto senders =
        RccOptions::ParseField<uint64_t>("incasts", item, part[0], RCC_UNIT_COUNT, 1, int64_t{hosts} - 1);
    const auto bytes = RccOptions::ParseField<uint64_t>("incasts", item, part[1], RCC_UNIT_BYTES, 1, 1000 * RCC_SECOND);
    const uint64_t load = ReadLoad("incasts", item, part[2]);
    const auto qps = RccOptions::ParseField<uint64_t>("incasts", item, part[3], RCC_UNIT_COUNT, 1, 100000);
    const double payload = static_cast<double>(senders * qps) * static_cast<double>(bytes);
    const double each = CountedBytes(options, payload) * 8e9;
    const double rate = static_cast<double>(GetHostRate(testbed) * hosts) * static_cast<double>(load) / RCC_RATIO_ONE;
    const double gap = std::min(each / rate * 65536, static_cast<double>(RccPoissonTimes::GAP_MAX));
    const auto seed = options.Get<uint64_t>("seed");
    RccPoissonTimes times(RccStreamOf(seed, RccStream::WORKLOAD, 3), static_cast<uint64_t>(gap));
    const uint64_t picks = RccStreamOf(seed, RccStream::WORKLOAD, 4);
    uint64_t drawn = 0;
    for (int64_t at = times.Next(); at < options.Get("time") && flows.size() < FLOWS_MAX; at = times.Next())
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

/// Add flows between all hosts that arrive as Poisson processes within --time: single ones of random sizes, and
/// incasts.
void
AddArrivals(const RccOptions& options, RccRun& run, const RccTestbed& testbed)
{
    if (testbed.GetHosts().size() < 2)
    {
        RccOptions::Fail("--arrivals and --incasts need two hosts in --links");
    }
    std::vector<Arrival> flows;
    if (options.IsSet("arrivals"))
    {
        AddSingle(options, testbed, options.GetText("arrivals"), flows);
    }
    if (options.IsSet("incasts"))
    {
        AddIncasts(options, testbed, options.GetText("incasts"), flows);
    }
    if (flows.empty() || flows.size() >= FLOWS_MAX)
    {
        RccOptions::Fail("--time is '" + options.GetText("time") + "', in which " +
                         (flows.empty() ? "no flow arrives" : "more than 10 million flows arrive"));
    }
    std::stable_sort(flows.begin(), flows.end(), [](const Arrival& a, const Arrival& b) { return a.start < b.start; });
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> paths; // their numbers in the flow set, by the hosts
    for (const auto& f : flows)
    {
        const Ptr<RdmaNic> from = testbed.GetHosts()[f.src];
        const Ptr<RdmaNic> to = testbed.GetHosts()[f.dst];
        const auto path = paths.emplace(std::make_pair(f.src, f.dst), 0);
        if (path.second)
        {
            const uint32_t id = to->GetObject<Node>()->GetId();
            path.first->second = run.GetFlows().AddPath(RdmaPathTo(*from, from->PickPort(id, 0), id, nullptr));
        }
        run.GetFlows().AddArrival(from, to, f.start, f.bytes, path.first->second);
    }
    run.SetDrain(options.Get("drain"));
}

} // namespace

void
TestbedFlows::AddOptions(RccOptions& options)
{
    options.AddList(
        "flows", "A-B[:KEY=VALUE...]", "h[1-4]-h5",
        "flows between hosts; keys: size start stop qps rate window messages depth think repeat every class dscp "
        "ecn cc");
    options.AddText("arrivals", "SIZES:LOAD", "",
                    "flows between random hosts in place of --flows; web-search, data-mining, fb-hadoop or a file",
                    "none");
    options.AddText("incasts", "SENDERS:SIZE:LOAD[:QPS]", "",
                    "random hosts send to a random one at the same time, each SIZE on QPS queue pairs", "none");
    options.AddChoice("load-counts", {"wire", "payload"}, "wire", "what of the hosts' links LOAD is a part of");
    options.Add("drain", RCC_UNIT_NS, "1s", 0, 1000 * RCC_SECOND, "how long after --time arrived flows may still take");
    options.AddFlag("marks", "list the packets that switches mark in marks.csv");
    options.AddText("watch", "SWITCH>NODE", "", "port whose queue and utilization are reported",
                    "the one to the first flow's receiver");
    options.AddList("record", "SWITCH>NODE", "", "ports in ports.csv beside the one to the first flow's receiver");
}

void
TestbedFlows::Add(const RccOptions& options, RccRun& run, const RccTestbed& testbed, TestbedRecorder& recorder)
{
    std::string receiver;
    if (options.IsSet("arrivals") || options.IsSet("incasts"))
    {
        options.FailValueIf(options.IsChanged("flows"), "flows", "none beside --arrivals and --incasts");
        AddArrivals(options, run, testbed);
        receiver = testbed.GetHostNames().front();
    }
    else
    {
        receiver = AddListed(options, run, testbed, recorder);
    }
    const std::string& watched = options.GetText("watch");
    const RccTestbed::Port port = watched.empty()
                                      ? testbed.GetPorts("record", testbed.GetNeighbour(receiver), receiver).front()
                                      : FindPorts("watch", watched, testbed).front();
    run.Watch(port.sw, port.index, "switch port " + port.name);
    for (const auto& item : options.GetList("record"))
    {
        for (const auto& p : FindPorts("record", item, testbed))
        {
            recorder.AddPort(p);
        }
    }
    recorder.AddPort(port);
}

} // namespace ns3
