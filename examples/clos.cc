/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Incast through a fat tree: every host outside of the last pod sends a message to one of the hosts of that pod's first
 * switch. Prints the longest queue of each layer of switches, and completion times beside that of a message alone.
 */
#include "ns3/core-module.h"
#include "ns3/qbb-fat-tree.h"
#include "ns3/qbb-routing.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/rdma-path.h"

#include <cstdio>

using namespace ns3;

static std::vector<double> g_times; // us

static void
QueueBytes(uint64_t* longest, uint8_t, uint64_t, uint64_t bytes)
{
    *longest = std::max(*longest, bytes);
}

static void
Completed(Ptr<RdmaClient>, int64_t ns)
{
    g_times.push_back(ns / 1e3);
}

int
main(int argc, char* argv[])
{
    std::string cc = "dcqcn";
    uint32_t k = 4, size = 1000000;
    CommandLine cmd(__FILE__);
    cmd.AddValue("cc", "congestion control: dcqcn, dcqcn-plus, qcn, timely, none ...", cc);
    cmd.AddValue("k", "pods of the fat tree, even", k);
    cmd.AddValue("size", "bytes of a message", size);
    cmd.Parse(argc, argv);

    QbbFatTree tree = QbbFatTree::Create(QbbHelper(), k, k * k / 4);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(cc);
    const int64_t rtt = RdmaSetBaseRtt(tree.nics); // windows need the longest RTT without queues
    const NodeContainer layers[] = {tree.edges, tree.aggregations, tree.cores};
    uint64_t longest[3] = {};
    for (const Ptr<QbbSwitch>& sw : tree.Switches())
    {
        sw->AddMarker(QBB_RDMA_CLASS, algorithm); // a congestion point on every port
        const std::string error = sw->Start();    // divides the buffer into headroom and pool
        NS_ABORT_MSG_IF(!error.empty(), error);
        sw->SetBaseRtt(rtt);
    }
    for (uint32_t i = 0; i < 3; i++)
    {
        for (const Ptr<QbbNetDevice>& port : QbbGetPorts(layers[i]))
        {
            port->TraceConnectWithoutContext("QueueBytes", MakeBoundCallback(&QueueBytes, &longest[i]));
        }
    }
    const uint32_t senders = tree.hosts.GetN() - tree.HostsPerPod();
    for (uint32_t i = 0; i < senders; i++)
    {
        RdmaClientHelper clients(tree.nics[senders + i % (k / 2)], algorithm);
        clients.SetMessageSize(size);
        clients.Install(tree.hosts.Get(i)).Get(0)->TraceConnectWithoutContext("Completed", MakeCallback(&Completed));
    }
    Simulator::Run();

    std::printf("longest queue: edge %.1f KB, aggregation %.1f KB, core %.1f KB\n", longest[0] / 1e3, longest[1] / 1e3,
                longest[2] / 1e3);
    std::sort(g_times.begin(), g_times.end());
    const std::vector<RccHop> path = RdmaPathTo(*tree.nics[0], 0, tree.hosts.Get(senders)->GetId(), nullptr);
    std::printf("%zu of %u messages: median %.1f us, last %.1f us; one alone %.1f us\n", g_times.size(), senders,
                g_times[g_times.size() / 2], g_times.back(), RccIdealFct(path, size, 1000, 64) / 1e3);
    Simulator::Destroy();
}
