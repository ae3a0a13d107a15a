/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Incast: flows without end from eight senders to one receiver, through one switch. Prints the queue of the port to the
 * receiver, its utilisation, and how even the flows are, of the second half of the run. Options of ns-3 set attributes:
 * --ns3::QbbNetDevice::DataRate=10Gbps --ns3::RdmaNic::AckEvery=1
 */
#include "ns3/core-module.h"
#include "ns3/qbb-helper.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/rdma-path.h"

#include <cstdio>
#include <numeric>

using namespace ns3;

static Time g_since;                     // time of the last change of the queue
static double g_longest = 0, g_area = 0; // the queue: bytes, byte seconds
static std::vector<double> g_delivered;  // payload bytes, by flow

static void
QueueBytes(uint8_t, uint64_t before, uint64_t) // only one class is used
{
    g_longest = std::max<double>(g_longest, before);
    g_area += before * (Simulator::Now() - g_since).GetSeconds();
    g_since = Simulator::Now();
}

static void
Deliver(uint32_t flow, const RccFrame& frame)
{
    g_delivered[flow] += frame.payload;
}

int
main(int argc, char* argv[])
{
    std::string cc = "dcqcn";
    const uint32_t senders = 8;
    uint32_t flows = 16;
    Time time = MilliSeconds(300); // flows of every algorithm but TIMELY have converged in the second half
    Config::SetDefault("ns3::RdmaNic::AckEvery", UintegerValue(16)); // patched TIMELY measures RTTs of 16 KB
    CommandLine cmd(__FILE__);
    cmd.AddValue("cc", "congestion control: dcqcn, dcqcn-plus, qcn, timely, none ...", cc);
    cmd.AddValue("flows", "number of flows", flows);
    cmd.AddValue("time", "simulated", time);
    cmd.Parse(argc, argv);

    QbbStar star = QbbStar::Create(QbbHelper(), senders + 1); // host i is on port i; the last one receives
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(cc);
    star.sw->AddMarker(QBB_RDMA_CLASS, algorithm); // a congestion point on every port
    const std::string error = star.sw->Start();    // divides the buffer into headroom and pool
    NS_ABORT_MSG_IF(!error.empty(), error);
    star.sw->SetBaseRtt(RdmaSetBaseRtt(star.nics)); // windows need the RTT without queues
    RdmaClientHelper clients(star.nics[senders], algorithm);
    for (uint32_t i = 0; i < flows; i++)
    {
        clients.Install(star.hosts.Get(i % senders));
    }

    g_since = time / 2;
    Simulator::Stop(g_since);
    Simulator::Run();
    g_delivered.resize(flows);
    Ptr<QbbNetDevice> port = star.sw->GetPort(senders);
    const uint64_t before = port->GetCounters().txBytes;
    port->TraceConnectWithoutContext("QueueBytes", MakeCallback(&QueueBytes));
    star.nics[senders]->TraceConnectWithoutContext("Deliver", MakeCallback(&Deliver));
    Simulator::Stop(time - g_since);
    Simulator::Run();

    const double seconds = time.GetSeconds() / 2, bits = 8.0 * (port->GetCounters().txBytes - before);
    const double sum = std::accumulate(g_delivered.begin(), g_delivered.end(), 0.0);
    const double squares = std::inner_product(g_delivered.begin(), g_delivered.end(), g_delivered.begin(), 0.0);
    std::printf("algorithm     queue mean  queue max  utilisation   Jain\n");
    std::printf("%-12s %8.1f KB %7.1f KB %12.3f %6.3f\n", cc.c_str(), g_area / seconds / 1e3, g_longest / 1e3,
                bits / seconds / port->GetDataRate().GetBitRate(), sum * sum / squares / flows);
    Simulator::Destroy();
}
