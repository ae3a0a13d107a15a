/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Several algorithms in one run: every sender has a queue pair of DCQCN, one of DCQCN+ and one of QCN to the receiver,
 * or one of each control that there is (--all). They meet in one queue, or in three classes in turn (--apart).
 * Prints what each algorithm gets in the second half of the run.
 */
#include "ns3/core-module.h"
#include "ns3/qbb-helper.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/rdma-path.h"

#include <algorithm>
#include <cstdio>
#include <map>

using namespace ns3;

static const char* const THREE[] = {"dcqcn", "dcqcn-plus", "qcn"};
static std::vector<Ptr<RccAlgorithm>> g_algorithms;
static std::map<size_t, double> g_delivered, g_signals; // by algorithm: bytes; CNPs and CNMs

static void
Deliver(uint32_t flow, const RccFrame& frame)
{
    g_delivered[flow % g_algorithms.size()] += frame.payload; // the receiver's halves are in the order of starts
}

template <class Value>
static void
Signal(uint32_t flow, Value)
{
    g_signals[flow % g_algorithms.size()]++;
}

int
main(int argc, char* argv[])
{
    uint32_t senders = 4;
    bool apart = false, all = false;
    Time time = MilliSeconds(200);
    CommandLine cmd(__FILE__);
    cmd.AddValue("senders", "number of hosts that send", senders);
    cmd.AddValue("apart", "the algorithms have three traffic classes, in turn", apart);
    cmd.AddValue("all", "one queue pair of each congestion control", all);
    cmd.AddValue("time", "simulated", time);
    cmd.Parse(argc, argv);
    QbbHelper helper;
    helper.SetSwitchAttribute("LosslessClasses", UintegerValue(1 << 3 | 1 << 4 | 1 << 5));
    QbbStar star = QbbStar::Create(helper, senders + 1); // host i is on port i; the last one receives
    std::map<std::pair<size_t, int>, int> marked; // in one class, the congestion point of DCQCN marks for DCQCN+ too
    std::vector<std::string> names(THREE, THREE + 3);
    if (all)
    {
        names.clear();
        for (size_t i = 0; rcc_algorithm_at(i); i++)
        {
            names.emplace_back(rcc_algorithm_at(i)->name);
        }
        names.erase(std::remove(names.begin(), names.end(), "none"), names.end()); // PFC alone
    }
    for (size_t a = 0; a < names.size(); a++)
    {
        g_algorithms.push_back(RccAlgorithm::Create(names[a]));
        if (!marked[{apart ? a % 3 : 0, rcc_cp_watches(g_algorithms[a]->GetCore())}]++)
        {
            star.sw->AddMarker(apart ? 3 + a % 3 : 3, g_algorithms[a]);
        }
    }
    const std::string why = star.sw->Start();
    NS_ABORT_MSG_IF(!why.empty(), why);
    star.sw->SetBaseRtt(RdmaSetBaseRtt(star.nics)); // windows need the RTT without queues
    const size_t n = g_algorithms.size();
    for (size_t i = 0; i < n * senders; i++)
    {
        RdmaClientHelper clients(star.nics[senders], g_algorithms[i % n]);
        clients.SetTrafficClass(apart ? 3 + i % 3 : 3);
        clients.Install(star.hosts.Get(i / n));
    }
    star.nics[senders]->TraceConnectWithoutContext("Deliver", MakeCallback(&Deliver));
    Config::ConnectWithoutContext("/NodeList/*/$ns3::RdmaNic/CnpReceived", MakeCallback(&Signal<uint32_t>));
    Config::ConnectWithoutContext("/NodeList/*/$ns3::RdmaNic/CnmReceived", MakeCallback(&Signal<uint8_t>));
    const Time half = time / 2;
    Simulator::Stop(half);
    Simulator::Run();
    g_delivered.clear();
    g_signals.clear();
    Simulator::Stop(time - half);
    Simulator::Run();
    std::printf("algorithm          rate Gbps  CNPs, CNMs\n");
    for (size_t a = 0; a < n; a++)
    {
        std::printf("%-16s %11.3f %11.0f\n", g_algorithms[a]->GetCore()->name,
                    g_delivered[a] * 8 / static_cast<double>((time - half).GetNanoSeconds()), g_signals[a]);
    }
    Simulator::Destroy();
}
