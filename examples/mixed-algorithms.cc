/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Three algorithms in one run: every sender has a queue pair of DCQCN, one of DCQCN+ and one of QCN to the receiver.
 * They meet in one queue, or with --apart each algorithm in a traffic class of its own. Prints the share of each.
 */
#include "ns3/core-module.h"
#include "ns3/qbb-helper.h"
#include "ns3/rcc-simulator-impl.h"
#include "ns3/rdma-client-helper.h"

#include <cstdio>

using namespace ns3;

static const char* const NAMES[] = {"dcqcn", "dcqcn-plus", "qcn"};
static double g_delivered[3] = {}, g_signals[3] = {}; // bytes; CNPs and CNMs

static void
Deliver(uint32_t flow, const RccFrame& frame)
{
    g_delivered[flow % 3] += frame.payload; // the receiver's halves are in the order in which flows start
}

template <class Value>
static void
Signal(uint32_t flow, Value)
{
    g_signals[flow % 3]++;
}

int
main(int argc, char* argv[])
{
    uint32_t senders = 4;
    bool apart = false;
    Time time = MilliSeconds(100);
    RccSimulatorImpl::Use(); // faster than ns-3's own, with the same results
    CommandLine cmd(__FILE__);
    cmd.AddValue("senders", "number of hosts that send", senders);
    cmd.AddValue("apart", "each algorithm has a traffic class of its own", apart);
    cmd.AddValue("time", "simulated", time);
    cmd.Parse(argc, argv);

    QbbHelper helper;
    helper.SetSwitchAttribute("LosslessClasses", UintegerValue(1 << 3 | 1 << 4 | 1 << 5));
    QbbStar star = QbbStar::Create(helper, senders + 1); // host i is on port i; the last one receives
    Ptr<RccAlgorithm> algorithms[3];
    for (uint32_t a = 0; a < 3; a++)
    {
        algorithms[a] = RccAlgorithm::Create(NAMES[a]);
        if (apart || a != 1) // in one class, the congestion point of DCQCN marks for DCQCN+ too
        {
            star.sw->AddMarker(apart ? 3 + a : 3, algorithms[a]);
        }
    }
    const std::string error = star.sw->Start();
    NS_ABORT_MSG_IF(!error.empty(), error);
    for (uint32_t i = 0; i < 3 * senders; i++)
    {
        RdmaClientHelper clients(star.nics[senders], algorithms[i % 3]);
        clients.SetTrafficClass(apart ? 3 + i % 3 : 3);
        clients.Install(star.hosts.Get(i / 3));
    }
    star.nics[senders]->TraceConnectWithoutContext("Deliver", MakeCallback(&Deliver));
    Config::ConnectWithoutContext("/NodeList/*/$ns3::RdmaNic/CnpReceived", MakeCallback(&Signal<uint32_t>));
    Config::ConnectWithoutContext("/NodeList/*/$ns3::RdmaNic/CnmReceived", MakeCallback(&Signal<uint8_t>));
    Simulator::Stop(time);
    Simulator::Run();

    const double all = g_delivered[0] + g_delivered[1] + g_delivered[2];
    std::printf("algorithm      rate Gbps   share  CNPs, CNMs\n");
    for (uint32_t a = 0; a < 3; a++)
    {
        std::printf("%-12s %11.3f %7.3f %11.0f\n", NAMES[a], g_delivered[a] * 8 / time.GetSeconds() / 1e9,
                    g_delivered[a] / all, g_signals[a]);
    }
    Simulator::Destroy();
}
