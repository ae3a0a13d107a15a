/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RDMA, and TCP of other ns-3 modules, in one program of a user: lab/test/first-hour.sh builds it with ./rcc build. */
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/rcc-module.h"

#include <iostream>

using namespace ns3;

int
main()
{
    QbbStar star = QbbStar::Create(QbbHelper(), 3); // RDMA and TCP in one program
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    star.sw->AddMarker(QBB_RDMA_CLASS, algorithm);
    const std::string error = star.sw->Start();
    NS_ABORT_MSG_IF(!error.empty(), error);
    RdmaClientHelper clients(star.nics[2], algorithm);
    clients.Install(star.hosts.Get(0));
    clients.Install(star.hosts.Get(1));
    NodeContainer pair(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    InternetStackHelper().Install(pair);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    const Ipv4InterfaceContainer found = addresses.Assign(link.Install(pair));
    const InetSocketAddress to(found.GetAddress(1), 9);
    PacketSinkHelper sink("ns3::TcpSocketFactory", to);
    const ApplicationContainer sinks = sink.Install(pair.Get(1));
    BulkSendHelper source("ns3::TcpSocketFactory", to);
    source.SetAttribute("MaxBytes", UintegerValue(100000));
    source.Install(pair.Get(0));
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();
    std::cout << "TCP " << DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx() << " bytes, RDMA "
              << star.nics[2]->GetCounters().packetsDelivered << " packets" << std::endl;
    Simulator::Destroy();
    return 0;
}
