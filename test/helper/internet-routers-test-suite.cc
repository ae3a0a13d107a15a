/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* ns-3's internet stack over QbbNetDevices: hosts that are routers, that have two ports, or no switch. */
#include "internet-test-net.h"

#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/simple-net-device-helper.h"
#ifdef RCC_TEST_POINT_TO_POINT
#include "ns3/point-to-point-helper.h"
#endif

using namespace ns3;

namespace
{

/// Host 0 of a star is a router to a node behind another kind of device.
void
Mixed(bool global)
{
    RccTestInternet net;
    net.Build(3, 10 * G, 1000);
    Ptr<Node> outside = CreateObject<Node>();
    InternetStackHelper().Install(outside);
#ifdef RCC_TEST_POINT_TO_POINT
    PointToPointHelper link;
#else
    SimpleNetDeviceHelper link;
    link.SetNetDevicePointToPointMode(true);
#endif
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(1 * G)));
    link.SetChannelAttribute("Delay", TimeValue(MicroSeconds(10)));
    const NetDeviceContainer devices = link.Install(NodeContainer(net.nodes[0], outside));
    Ipv4AddressHelper addresses("192.168.0.0", "255.255.255.0");
    const Ipv4InterfaceContainer at = addresses.Assign(devices);
    if (global)
    {
        QbbBridgeForGlobalRouting(NodeContainer(net.switchNode));
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }
    else
    {
        Ipv4StaticRoutingHelper routing;
        for (size_t i = 1; i < net.nodes.size(); i++)
        {
            routing.GetStaticRouting(net.nodes[i]->GetObject<Ipv4>())->SetDefaultRoute(net.Address(0), 1);
        }
        routing.GetStaticRouting(outside->GetObject<Ipv4>())->SetDefaultRoute(at.GetAddress(0), 1);
    }
    RccTestTcp in(outside, net.nodes[1], net.Address(1), 1000000);
    RccTestTcp out(net.nodes[2], outside, at.GetAddress(1), 1000000);
    RccTestEcho echo(net.nodes[1], outside, at.GetAddress(1), 7);
    RccAt(1000, [&] { echo.Ask(1000); });
    net.Send(1, 0, RccAlgorithm::Create("dcqcn"), 1000000);
    RccRunTo(1000000000);
    RCC_CHECK_EQ(in.received, 1000000, "");
    RCC_CHECK_EQ(out.received, 1000000, "");
    RCC_CHECK_EQ(in.wrong + out.wrong + echo.wrong, 0, "");
    RCC_CHECK_EQ(echo.answered, 1, "");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().payloadDelivered, 1000000, "");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

void
MixedStaticRoutes()
{
    Mixed(false);
}

void
MixedGlobalRoutes()
{
    Mixed(true);
}

/// Two hosts on one wire need no switch.
void
WithoutSwitch()
{
    QbbHelper helper;
    NodeContainer hosts;
    hosts.Create(2);
    helper.InstallHost(hosts.Get(0));
    helper.InstallHost(hosts.Get(1));
    helper.Connect(hosts.Get(0), hosts.Get(1));
    const Ipv4InterfaceContainer at = QbbInstallInternet(hosts, "10.1.2.0", "255.255.255.0");
    RccTestTcp tcp(hosts.Get(0), hosts.Get(1), at.GetAddress(1), 1000000);
    RccRunTo(100000000);
    RCC_CHECK_EQ(tcp.received, 1000000, "");
    RCC_CHECK_EQ(tcp.wrong, 0, "");
}

/// A host with two ports in two subnets: a frame may come in through either, the address decides.
void
TwoPorts()
{
    RccTestInternet net;
    net.BuildSwitch();
    net.AddHost(10 * G, 1000, 2);
    net.AddHost(10 * G, 1000, 1);
    net.Start();
    Ipv4AddressHelper second("10.9.0.0", "255.255.0.0");
    const Ipv4InterfaceContainer at = second.Assign(NetDeviceContainer(net.nics[0]->GetPort(1)));
    Ipv4StaticRoutingHelper()
        .GetStaticRouting(net.nodes[1]->GetObject<Ipv4>())
        ->AddNetworkRouteTo(Ipv4Address("10.9.0.0"), Ipv4Mask("255.255.0.0"), 1);
    RccTestEcho first(net.nodes[1], net.nodes[0], net.Address(0), 7);
    RccTestEcho other(net.nodes[1], net.nodes[0], at.GetAddress(0), 8);
    for (int i = 0; i < 5; i++)
    {
        RccAt(1000 + i * 20000000ll, [&] {
            first.Ask(100);
            other.Ask(100);
        });
    }
    RccRunTo(200000000);
    RCC_CHECK_EQ(first.answered, 5, "");
    RCC_CHECK_EQ(other.answered, 5, "");
}

RccTestSuite g_internetRoutersSuite("rcc-internet-routers", {{"mixed-static-routes", MixedStaticRoutes},
                                                             {"mixed-global-routes", MixedGlobalRoutes},
                                                             {"without-switch", WithoutSwitch},
                                                             {"two-ports", TwoPorts}});

} // namespace
