/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fan-in at a combined input/output-queued switch, with congestion points at its
 * outputs, its inputs, both or none: the experiments of N. Chrysos et al.,
 * "Unbiased QCN for Scalable Server-Fabrics", IBM Research report RZ 3880. Host i
 * is on port i; lab/doc/fan-in.md has the command of every figure.
 */
#include "cioq-recorder.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rcc-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "rcc-run.h"

#include <cctype>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

struct FlowSpec
{
    uint32_t src, dst;
    int64_t rate{0}, start{0}, stop{0}; //!< bit/s, 0 = as fast as possible; ns, stop 0 = never
};

struct CapacitySpec
{
    uint32_t port;
    int64_t time, rate; //!< ns, bit/s
};

FlowSpec
ParseFlow(const std::string& item, int64_t ports, int64_t end)
{
    std::vector<std::string> part = RccSplit(item, ':');
    RccOptions::FailItemIf(part.size() < 2 || part.size() > 5, "flow", item, "SRC:DST[:RATE[:START[:STOP]]]");
    part.resize(5);
    auto field = [&](size_t i, rcc_unit unit, int64_t low, int64_t high) {
        return RccOptions::ParseField("flow", item, part[i], unit, low, high);
    };
    FlowSpec f;
    f.src = static_cast<uint32_t>(field(0, RCC_UNIT_COUNT, 0, ports - 1));
    f.dst = static_cast<uint32_t>(field(1, RCC_UNIT_COUNT, 0, ports - 1));
    f.rate = part[2].empty() ? 0 : field(2, RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX);
    f.start = part[3].empty() ? 0 : field(3, RCC_UNIT_NS, 0, end - 1);
    f.stop = part[4].empty() ? 0 : field(4, RCC_UNIT_NS, f.start + 1, 1000 * RCC_SECOND);
    if (f.src == f.dst)
    {
        RccOptions::Fail("--flow has '" + item + "': source and destination are the same port");
    }
    return f;
}

CapacitySpec
ParseCapacity(const std::string& item, int64_t ports, int64_t line)
{
    const std::vector<std::string> part = RccSplit(item, ':');
    RccOptions::FailItemIf(part.size() != 3, "capacity", item, "PORT:TIME:RATE");
    CapacitySpec c;
    c.port = RccOptions::ParseField<uint32_t>("capacity", item, part[0], RCC_UNIT_COUNT, 0, ports - 1);
    c.time = RccOptions::ParseField("capacity", item, part[1], RCC_UNIT_NS, 0, 1000 * RCC_SECOND);
    c.rate = RccOptions::ParseField("capacity", item, part[2], RCC_UNIT_BPS, RCC_LINE_RATE_MIN, line);
    return c;
}

/// The word of a choice in the attribute's spelling: "both" -> "Both".
StringValue
Choice(const RccOptions& options, const std::string& name)
{
    std::string word = options.GetText(name);
    word[0] = static_cast<char>(std::toupper(word[0]));
    return StringValue(word);
}

void
AddOptions(RccOptions& o)
{
    o.AddChoice("cp", {"none", "outputs", "inputs", "both"}, "inputs", "congestion points");
    o.AddChoice("sampling", {"arrival", "deterministic", "random"}, "arrival",
                "whom they notify; deterministic and random: by occupancy");
    o.AddFlag("keep-alive", "clock the congestion point of an input that pauses its upstream");
    o.AddFlag("reliable", "inputs keep a copy of a frame until it is on the outgoing link");
    o.AddList("flow", "SRC:DST[:RATE[:START[:STOP]]]", "0:5,1:5,2:5,3:5,4:5::100ms:200ms",
              "a flow between two ports; without RATE as fast as possible");
    o.FitToTime("flow");
    o.AddList("capacity", "PORT:TIME:RATE", "", "RATE of the switch's link to PORT from TIME on");
    o.Add("ports", RCC_UNIT_COUNT, "8", 2, 4096, "ports of the switch, with a host each");
    o.Add("speedup", RCC_UNIT_RATIO, "1.6", RCC_RATIO_ONE, 100 * RCC_RATIO_ONE,
          "rate at which an input enters the fabric, in rates of its port");
    o.Add("stop", RCC_UNIT_BYTES, "110KB", 1, RCC_SECOND, "input occupancy that pauses the upstream");
    o.Add("go", RCC_UNIT_BYTES, "44KB", 0, RCC_SECOND, "input occupancy that resumes it");
    RccSetup::AddOptions(o);
    o.SetDefault("cc", "qcn");
    o.SetDefault("preset", "", "ibm-10g of qcn; ibm-100g is for --rate=100Gbps");
    o.SetDefault("rate", "10Gbps");
    o.SetDefault("delay", "100ns");
    o.SetDefault("time", "300ms");
    o.SetDefault("mtu", "1456", "1456, with QCN's tag a frame of 1522 bytes");
    o.Hide({"buffer", "cut-through", "kmin", "kmax", "pmax"}); // of shared-buffer switches and their marking
}

void
SetSwitchAttributes(QbbHelper& helper, const RccOptions& o, Ptr<RccAlgorithm> algorithm)
{
    auto bytes = [&](const char* attribute, const char* option) {
        helper.SetCioqSwitchAttribute(attribute, UintegerValue(o.Get<uint64_t>(option)));
    };
    bytes("StopThreshold", "stop");
    bytes("GoThreshold", "go");
    const double speedup = o.GetRatio("speedup");
    helper.SetCioqSwitchAttribute("Speedup", DoubleValue(speedup));
    helper.SetCioqSwitchAttribute("KeepAlive", BooleanValue(o.GetFlag("keep-alive")));
    helper.SetCioqSwitchAttribute("Reliable", BooleanValue(o.GetFlag("reliable")));
    helper.SetCioqSwitchAttribute("CongestionPoints", Choice(o, "cp"));
    helper.SetCioqSwitchAttribute("Sampling", Choice(o, "sampling"));
    if (algorithm->HasParameter("sample_base"))
    {
        const auto base = static_cast<uint64_t>(algorithm->GetParameter("sample_base"));
        helper.SetCioqSwitchAttribute("KeepAliveBytes", UintegerValue(base));
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    RccOptions options;
    AddOptions(options);
    options.Parse(argc, argv, "Fan-in at a combined input/output-queued switch.");
    if (options.GetText("cc") == "qcn" && !options.IsSet("preset"))
    {
        options.SetDefault("preset", "ibm-10g");
    }

    RccRun run("fan-in", options);
    const int64_t end = options.Get("time");
    const int64_t ports = options.Get("ports");
    std::vector<FlowSpec> flows;
    for (const auto& item : options.GetList("flow"))
    {
        flows.push_back(ParseFlow(item, ports, end));
    }
    if (flows.empty())
    {
        RccOptions::Fail("--flow is empty, expected SRC:DST[:RATE[:START[:STOP]]]");
    }
    std::vector<CapacitySpec> steps;
    for (const auto& item : options.GetList("capacity"))
    {
        steps.push_back(ParseCapacity(item, ports, options.Get("rate")));
    }

    QbbHelper& helper = run.GetHelper();
    SetSwitchAttributes(helper, options, run.GetAlgorithm());
    helper.SetDeviceAttribute("InterframeGap", UintegerValue(ETHERNET_GAP_BYTES));
    NodeContainer hosts(static_cast<uint32_t>(ports));
    std::vector<Ptr<RdmaNic>> nics;
    Ptr<Node> node = CreateObject<Node>();
    Ptr<CioqSwitch> sw = helper.InstallCioqSwitch(node);
    for (uint32_t i = 0; i < hosts.GetN(); i++)
    {
        nics.push_back(helper.InstallHost(hosts.Get(i)));
        helper.Connect(hosts.Get(i), node);
        sw->SetRoute(hosts.Get(i)->GetId(), i);
    }
    run.AddSwitch(sw);

    for (const auto& f : flows)
    {
        Ptr<RdmaClient> client = run.GetFlows().Add(nics[f.src], nics[f.dst], f.start, 0);
        client->SetAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(f.rate))));
        if (f.stop)
        {
            client->SetStopTime(NanoSeconds(f.stop));
        }
    }
    CioqRecorder recorder(run, sw, end);
    const uint32_t congested = flows.front().dst;
    run.Watch(sw->GetPort(congested), "output buffer of port " + std::to_string(congested));
    for (const auto& c : steps)
    {
        Simulator::Schedule(NanoSeconds(c.time), &QbbNetDevice::SetDataRate, sw->GetPort(c.port),
                            DataRate(static_cast<uint64_t>(c.rate)));
    }
    run.SetExtra(&recorder);
    return run.Execute();
}
