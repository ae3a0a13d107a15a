/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * What ns-3 offers to look at a simulation, on a small incast: trace sources by
 * Config path and by object, pcap and ASCII files, a report of flows.
 *
 *     sender 0 --.
 *     sender 1 --+-- switch -- receiver
 *        ...   --'
 *
 * Nothing of it changes the run. doc/traces.md has the whole list.
 */
#include "ns3/config.h"
#include "ns3/core-module.h"
#include "ns3/qbb-helper.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/rdma-flow-report.h"
#include "rcc-setup.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>

using namespace ns3;

namespace
{

const uint8_t CLASS = 3;

uint64_t g_longest = 0, g_marks = 0, g_pauses = 0, g_cnps = 0;

/// Of the switch's port to the receiver, whose path is the context.
void
QueueBytes(std::string, uint8_t cls, uint64_t, uint64_t bytes)
{
    g_longest = cls == CLASS ? std::max(g_longest, bytes) : g_longest;
}

void
Mark(uint32_t, const RccFrame&)
{
    g_marks++;
}

void
Pause(std::string, uint8_t, bool paused)
{
    g_pauses += paused;
}

void
CnpReceived(std::string, uint32_t, uint32_t)
{
    g_cnps++;
}

/// A row for every change of the first flow's rate that the sender notices.
void
Rate(std::FILE* out, uint32_t qp, uint64_t, uint64_t rate)
{
    if (qp == 0)
    {
        std::fprintf(out, "%.9f,%" PRIu64 "\n", Simulator::Now().GetSeconds(), rate);
    }
}

/// Connects the counters above to trace sources. By path: the port to the receiver, all hosts' NICs, all ports. By
/// object: the switch.
void
ConnectTraceSources(const QbbStar& star, uint32_t receiver)
{
    const std::string port = "/NodeList/" + std::to_string(star.switchNode->GetId()) + "/DeviceList/" +
                             std::to_string(star.sw->GetPort(receiver)->GetIfIndex()) + "/$ns3::QbbNetDevice/";
    Config::Connect(port + "QueueBytes", MakeCallback(&QueueBytes));
    Config::Connect("/NodeList/*/DeviceList/*/$ns3::QbbNetDevice/Pause", MakeCallback(&Pause));
    Config::Connect("/NodeList/*/$ns3::RdmaNic/CnpReceived", MakeCallback(&CnpReceived));
    star.sw->TraceConnectWithoutContext("Mark", MakeCallback(&Mark));
}

} // namespace

int
main(int argc, char* argv[])
{
    RccOptions options;
    options.AddText("cc", "NAME", "dcqcn", "congestion control");
    options.AddText("preset", "NAME", "", "parameter set of it");
    options.AddList("set", "ALG.PARAM=VALUE", "", "set one parameter of one algorithm, e.g. dcqcn.g=0.0039");
    options.AddAttributes();
    options.Add("flows", RCC_UNIT_COUNT, "8", 1, 1000, "one from each sender");
    options.Add("size", RCC_UNIT_BYTES, "1MB", 1, 1000 * RCC_SECOND, "of a flow");
    options.Add("rate", RCC_UNIT_BPS, "40Gbps", 1000000, 400 * RCC_SECOND, "of every link");
    options.Add("time", RCC_UNIT_NS, "10ms", 1000, 1000 * RCC_SECOND, "simulated at most");
    options.AddText("prefix", "PREFIX", "", "write PREFIX-flows.csv and PREFIX-rate.csv", "no files");
    options.AddFlag("pcap", "and a pcap file of every port");
    options.AddFlag("ascii", "and PREFIX.tr, what happens to frames at every port");
    options.Parse(argc, argv, "A small incast, looked at through trace sources.");
    const std::string& prefix = options.GetText("prefix");
    if (prefix.empty() && (options.GetFlag("pcap") || options.GetFlag("ascii")))
    {
        RccOptions::Fail("--pcap and --ascii need --prefix");
    }

    const auto flows = options.Get<uint32_t>("flows");
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(options.Get("rate"))));
    QbbStar star = QbbStar::Create(helper, flows + 1);
    Ptr<RccAlgorithm> algorithm = options.CreateAlgorithm();
    star.sw->AddMarker(CLASS, algorithm);
    RccOptions::FailIf(star.sw->Start());
    RdmaClientHelper clients(star.nics[flows], algorithm);
    clients.SetMessageSize(options.Get<uint64_t>("size"));
    for (uint32_t i = 0; i < flows; i++)
    {
        clients.Install(star.hosts.Get(i));
    }

    ConnectTraceSources(star, flows);

    std::unique_ptr<RdmaFlowReport> report;
    RccFile rates;
    if (!prefix.empty())
    {
        rates = RccSetup::OpenFile(prefix + "-rate.csv", "time_s,rate_bps\n");
        star.nics[0]->TraceConnectWithoutContext("Rate", MakeBoundCallback(&Rate, rates.get()));
        report.reset(new RdmaFlowReport(prefix + "-flows.csv"));
        report->Install(NodeContainer::GetGlobal());
    }
    if (options.GetFlag("pcap"))
    {
        helper.EnablePcapAll(prefix);
    }
    if (options.GetFlag("ascii"))
    {
        AsciiTraceHelper ascii;
        helper.EnableAsciiAll(ascii.CreateFileStream(prefix + ".tr"));
    }

    Simulator::Stop(NanoSeconds(options.Get("time")));
    Simulator::Run();
    report.reset(); // with what still runs
    Simulator::Destroy();
    rates.reset();
    for (const auto& why : RccTakeFileErrors())
    {
        RccOptions::Fail(why);
    }
    std::printf("longest queue %" PRIu64 " bytes, %" PRIu64 " marks, %" PRIu64 " CNPs, %" PRIu64 " pauses\n", g_longest,
                g_marks, g_cnps, g_pauses);
    return 0;
}
