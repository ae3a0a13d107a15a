/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * A main of a user's own in several ranks, for lab/test/command/test_ranks.py: two racks of three hosts, and flows
 * between all of them. It knows nothing of ranks but RccGateway, and is linked with mpi/. The first rank prints all
 * flows.
 */
#include "ns3/core-module.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-routing.h"
#include "ns3/qbb-switch.h"
#include "ns3/rcc-gateway.h"
#include "ns3/rdma-client-helper.h"

#include <cstdio>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    const uint32_t racks = 2;
    const uint32_t hosts = 3; // hosts of a rack
    RccGateway::Start(&argc, &argv);
    RccGateway* const gateway = RccGateway::Current(); // null: one process
    const uint32_t ranks = gateway ? gateway->GetSize() : 1;

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
        clients.push_back(flow.Create());
        nics[src]->GetObject<Node>()->AddApplication(clients.back());
        clients.back()->SetStartTime(NanoSeconds(1000 + 777 * i));
    }
    Simulator::Stop(MilliSeconds(2));
    Simulator::Run();
    std::vector<uint64_t> ends; // plus one; 0 of a flow that another rank sends
    for (const auto& client : clients)
    {
        ends.push_back(RccGateway::IsLocal(*client->GetNode()) ? static_cast<uint64_t>(client->GetCompletionTime() + 1)
                                                               : 0);
    }
    if (gateway)
    {
        gateway->Sum(ends.data(), ends.size());
    }
    for (size_t i = 0; i < ends.size(); i++)
    {
        std::printf("flow %zu %lld\n", i, static_cast<long long>(ends[i]) - 1);
    }
    Simulator::Destroy();
    return 0;
}
