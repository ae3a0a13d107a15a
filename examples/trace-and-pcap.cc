/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Look at a small incast with what ns-3 offers: trace sources by Config path and by object, and with --prefix a pcap
 * file of each port, an ASCII file and a report of flows. None of them changes the run; see doc/traces.md.
 */
#include "ns3/core-module.h"
#include "ns3/qbb-helper.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/rdma-flow-report.h"

#include <cinttypes>
#include <cstdio>

using namespace ns3;

static uint64_t g_longest = 0, g_marks = 0, g_cnps = 0;

static void
QueueBytes(std::string, uint8_t, uint64_t, uint64_t bytes)
{
    g_longest = std::max(g_longest, bytes);
}

static void
Mark(uint32_t, const RccFrame&)
{
    g_marks++;
}

static void
CnpReceived(uint32_t, uint32_t)
{
    g_cnps++;
}

int
main(int argc, char* argv[])
{
    std::string prefix;
    uint32_t senders = 4, size = 1000000;
    CommandLine cmd(__FILE__);
    cmd.AddValue("prefix", "write PREFIX-NODE-PORT.pcap, PREFIX.tr and PREFIX-flows.csv", prefix);
    cmd.AddValue("senders", "number of hosts that send", senders);
    cmd.AddValue("size", "bytes of each one's message", size);
    cmd.Parse(argc, argv);

    QbbHelper helper;
    QbbStar star = QbbStar::Create(helper, senders + 1); // host i is on port i; the last one receives
    Ptr<RccAlgorithm> dcqcn = RccAlgorithm::Create("dcqcn");
    star.sw->AddMarker(QBB_RDMA_CLASS, dcqcn);
    const std::string error = star.sw->Start();
    NS_ABORT_MSG_IF(!error.empty(), error);
    RdmaClientHelper clients(star.nics[senders], dcqcn);
    clients.SetMessageSize(size);
    for (uint32_t i = 0; i < senders; i++)
    {
        clients.Install(star.hosts.Get(i));
    }

    const std::string node = "/NodeList/" + std::to_string(star.switchNode->GetId());
    Config::Connect(node + "/DeviceList/*/$ns3::QbbNetDevice/QueueBytes", MakeCallback(&QueueBytes));
    Config::ConnectWithoutContext("/NodeList/*/$ns3::RdmaNic/CnpReceived", MakeCallback(&CnpReceived));
    star.sw->TraceConnectWithoutContext("Mark", MakeCallback(&Mark));
    std::unique_ptr<RdmaFlowReport> report;
    if (!prefix.empty())
    {
        AsciiTraceHelper ascii;
        helper.EnableAsciiAll(ascii.CreateFileStream(prefix + ".tr"));
        helper.EnablePcapAll(prefix);
        report.reset(new RdmaFlowReport(prefix + "-flows.csv"));
        report->Install(star.hosts);
    }
    Simulator::Run();
    report.reset();
    std::printf("longest queue  marks  CNPs\n%10.1f KB %6" PRIu64 " %5" PRIu64 "\n", g_longest / 1e3, g_marks, g_cnps);
    Simulator::Destroy();
}
