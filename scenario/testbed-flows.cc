/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "testbed-flows.h"

#include "testbed-arrivals.h"

#include "ns3/pointer.h"
#include "ns3/rcc-text.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

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
    f.cls = cls < 0 ? 3 : cls;
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
    std::map<std::string, Ptr<RccAlgorithm>> algorithms;
    std::vector<std::string> receivers;
    for (const auto& item : options.GetList("flows"))
    {
        FlowSpec f = ParseFlow(item);
        SetClass(f, item, map);
        if (!f.cc.empty() && !algorithms[f.cc])
        {
            algorithms[f.cc] = options.CreateAlgorithm(f.cc);
        }
        for (const auto& pair : f.pairs)
        {
            recorder.AddGroup(pair.first + "-" + pair.second);
            receivers.push_back(pair.second);
            AddPair(run, recorder, testbed.GetNic("flows", pair.first), testbed.GetNic("flows", pair.second), f,
                    f.cc.empty() ? nullptr : algorithms[f.cc]);
        }
    }
    if (receivers.empty())
    {
        RccOptions::Fail("--flows is empty, expected " + std::string(FLOW_FORM));
    }
    return receivers.front();
}

/// \return the ports that SWITCH>NODE means; exits with status 2 if there are none
std::vector<RccTestbed::Port>
FindPorts(const std::string& option, const std::string& item, const RccTestbed& testbed)
{
    const size_t at = item.find('>');
    return testbed.GetPorts(option, item.substr(0, at), at == std::string::npos ? "" : item.substr(at + 1));
}

} // namespace

void
TestbedFlows::AddOptions(RccOptions& options)
{
    options.AddList(
        "flows", "A-B[:KEY=VALUE...]", "h[1-4]-h5",
        "flows between hosts; keys: size start stop qps rate window messages depth think repeat every class dscp "
        "ecn cc");
    TestbedArrivals::AddOptions(options);
    options.AddFlag("marks", "list the packets that switches mark in marks.csv");
    options.AddText("watch", "SWITCH>NODE", "", "port whose queue and utilization are reported",
                    "the one to the first flow's receiver");
    options.AddList("record", "SWITCH>NODE", "", "ports in ports.csv beside the one to the first flow's receiver");
}

bool
TestbedFlows::HaveClasses(const RccOptions& options)
{
    const std::string& flows = options.GetText("flows");
    return flows.find(":class=") != std::string::npos || flows.find(":dscp=") != std::string::npos;
}

void
TestbedFlows::Add(const RccOptions& options, RccRun& run, const RccTestbed& testbed, TestbedRecorder& recorder)
{
    if (options.GetFlag("marks"))
    {
        recorder.ListMarks();
    }
    std::string receiver;
    if (TestbedArrivals::AreGiven(options))
    {
        options.FailValueIf(options.IsChanged("flows"), "flows", "none beside --arrivals and --incasts");
        TestbedArrivals::Add(options, run, testbed);
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
