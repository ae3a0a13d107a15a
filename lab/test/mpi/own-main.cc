/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * A main of a user's own over ns3's MPI, for lab/test/command/test_ranks.py: two racks of three hosts, and flows between all of
 * them. It sets up MPI as ns-3's own examples do and knows nothing of rcc's ranks but that mpi/ is linked. Each rank
 * prints the flows that its hosts send.
 */
#include "ns3/core-module.h"
#include "ns3/mpi-interface.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-routing.h"
#include "ns3/qbb-switch.h"
#include "ns3/rdma-client-helper.h"

#include <cstdio>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    const uint32_t racks = 2;
    const uint32_t hosts = 3; // of a rack
    std::string type;
    CommandLine cmd;
    cmd.AddValue("simulator", "DistributedSimulatorImpl or NullMessageSimulatorImpl; empty: one process", type);
    cmd.Parse(argc, argv);
    if (!type.empty())
    {
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::" + type));
        MpiInterface::Enable(&argc, &argv);
    }
    const uint32_t ranks = type.empty() ? 1 : MpiInterface::GetSize();
    const uint32_t rank = type.empty() ? 0 : MpiInterface::GetSystemId();

    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    NodeContainer nodes;
    std::vector<Ptr<QbbSwitch>> switches;
    std::vector<Ptr<RdmaNic>> nics;
    for (uint32_t r = 0; r < racks; r++)
    {
        NodeContainer rack;
        rack.Create(hosts + 1, r % ranks);
        nodes.Add(rack);
        switches.push_back(helper.InstallSwitch(rack.Get(hosts)));
        for (uint32_t h = 0; h < hosts; h++)
        {
            nics.push_back(helper.InstallHost(rack.Get(h)));
            helper.Connect(rack.Get(h), rack.Get(hosts));
        }
    }
    helper.Connect(nodes.Get(hosts), nodes.Get(2 * hosts + 1));
    NS_ABORT_MSG_UNLESS(QbbSetRoutes(nodes).empty(), "a node has no route");
    auto algorithm = RccAlgorithm::Create("dcqcn");
    for (const auto& sw : switches)
    {
        sw->AddMarker(3, algorithm);
        NS_ABORT_MSG_IF(!sw->Start().empty(), "a switch cannot start");
    }
    std::vector<Ptr<RdmaClient>> clients;
    for (uint32_t i = 0; i < racks * hosts * 4; i++)
    {
        const uint32_t src = i % (racks * hosts);
        const uint32_t dst = (src + 1 + i % (racks * hosts - 1)) % (racks * hosts);
        RdmaClientHelper flow(nics[dst], algorithm);
        flow.SetMessageSize(20000 + 1777 * i);
        clients.push_back(flow.Install(nics[src]->GetObject<Node>()));
        clients.back()->SetStartTime(NanoSeconds(1000 + 777 * i));
    }
    Simulator::Stop(MilliSeconds(2));
    Simulator::Run();
    for (size_t i = 0; i < clients.size(); i++)
    {
        if (clients[i]->GetNode()->GetSystemId() == rank)
        {
            std::printf("flow %zu %lld\n", i, static_cast<long long>(clients[i]->GetCompletionTime()));
        }
    }
    Simulator::Destroy();
    if (!type.empty())
    {
        MpiInterface::Disable();
    }
    return 0;
}
