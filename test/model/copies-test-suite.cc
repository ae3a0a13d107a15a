/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Copies that QbbHelper makes of devices and NICs have all attributes of the first one. Routes of a switch. */
#include "rcc-test.h"

#include "ns3/config.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-routes.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>

using namespace ns3;

namespace
{

/// Every attribute has another value than the default in both objects, and the same one.
void
CheckCopy(Ptr<Object> first, Ptr<Object> copy, const std::map<std::string, std::string>& values)
{
    const TypeId tid = first->GetInstanceTypeId();
    RCC_CHECK_EQ(copy->GetInstanceTypeId().GetName(), tid.GetName(), "type");
    RCC_CHECK_EQ(tid.GetAttributeN(), values.size(), "attributes of " << tid.GetName() << ": the copy must have them");
    for (size_t i = 0; i < tid.GetAttributeN(); i++)
    {
        const TypeId::AttributeInformation info = tid.GetAttribute(i);
        StringValue a, b;
        first->GetAttribute(info.name, a);
        copy->GetAttribute(info.name, b);
        RCC_CHECK_EQ(b.Get(), a.Get(), info.name);
        RCC_CHECK(a.Get() != info.initialValue->SerializeToString(info.checker), info.name << " is the default");
    }
}

template <class T>
void
CheckClass(const std::map<std::string, std::string>& values)
{
    Ptr<T> first = CreateObject<T>();
    for (const auto& v : values)
    {
        first->SetAttribute(v.first, StringValue(v.second));
    }
    CheckCopy(first, CopyObject(first), values);
}

void
Attributes()
{
    CheckClass<QbbNetDevice>({{"DataRate", "25Gbps"},
                              {"InterframeGap", "20"},
                              {"VlanId", "7"},
                              {"LinkPause", "true"},
                              {"ControlClass", "5"},
                              {"StrictClasses", "36"},
                              {"ClassWeights", "1:3,4:7"},
                              {"Mtu", "9000"},
                              {"IpClass", "2"},
                              {"IpClassFromDscp", "true"},
                              {"IpClassFromPriority", "true"},
                              {"IpQueueSize", "1000"}});
    CheckClass<RdmaNic>({{"Mtu", "1024"},
                         {"BaseRtt", "7us"},
                         {"AckEvery", "3"},
                         {"ChunkPackets", "4"},
                         {"BackToZero", "true"},
                         {"Write", "true"},
                         {"AckHighPriority", "false"},
                         {"Reliable", "false"},
                         {"RetransmissionTimeout", "1ms"},
                         {"RetransmissionBackoff", "true"},
                         {"MaxCnpPeriod", "5"},
                         {"RetryLimit", "7"},
                         {"Recovery", "selective"},
                         {"BitmapPackets", "128"},
                         {"ReorderPackets", "9"},
                         {"RtoLow", "14us"},
                         {"RtoHigh", "15us"},
                         {"RtoLowPackets", "5"},
                         {"NakEvery", "16us"},
                         {"DrainShare", "0.25"},
                         {"ReceiveBuffer", "65536"},
                         {"LosslessClasses", "24"},
                         {"PortsInTurn", "true"},
                         {"BucketSize", "4096"},
                         {"BucketInterval", "3us"},
                         {"BucketDebt", "true"},
                         {"ControlClass", "6"},
                         {"CnpClass", "4"},
                         {"DscpMap", "26:3"},
                         {"AckDscp", "40"},
                         {"CnpDscp", "48"},
                         {"CnpPerDestination", "true"},
                         {"CnpGenerationDelay", "11ns"},
                         {"CnpReactionDelay", "12ns"},
                         {"NakGenerationDelay", "13ns"},
                         {"NakReactionDelay", "14ns"},
                         {"IngressMeterRate", "7Gbps"},
                         {"IngressMeterDepth", "1000"}});
}

/// A helper that copies makes the same objects as one that does not, also after an attribute was set.
void
Helper()
{
    QbbHelper helper;
    helper.MakeCopies();
    helper.SetDeviceAttribute("Mtu", UintegerValue(2000));
    helper.SetNicAttribute("AckEvery", UintegerValue(2));
    NodeContainer nodes;
    nodes.Create(4);
    std::vector<Ptr<RdmaNic>> nics;
    for (uint32_t i = 0; i < 2; i++)
    {
        nics.push_back(helper.InstallHost(nodes.Get(i)));
    }
    Ptr<QbbSwitch> sw = helper.InstallSwitch(nodes.Get(3));
    helper.Connect(nodes.Get(0), nodes.Get(3));
    helper.SetDeviceAttribute("Mtu", UintegerValue(3000));
    helper.SetNicAttribute("AckEvery", UintegerValue(5));
    helper.Connect(nodes.Get(1), nodes.Get(3));
    nics.push_back(helper.InstallHost(nodes.Get(2)));
    RCC_CHECK_EQ(nics[0]->GetPort(0)->GetMtu(), 2000, "first link");
    RCC_CHECK_EQ(sw->GetPort(0)->GetMtu(), 2000, "its other end");
    RCC_CHECK_EQ(nics[1]->GetPort(0)->GetMtu(), 3000, "second link");
    RCC_CHECK(nics[0]->GetPort(0) != sw->GetPort(0), "each end has a device of its own");
    const uint64_t ackEvery[] = {2, 2, 5};
    for (size_t i = 0; i < 3; i++)
    {
        UintegerValue value;
        nics[i]->GetAttribute("AckEvery", value);
        RCC_CHECK_EQ(value.Get(), ackEvery[i], "NIC " << i);
    }
    RCC_CHECK(nodes.Get(1)->GetObject<RdmaNic>() == nics[1], "aggregated to its own node");
}

std::vector<uint32_t>
PortsTo(const QbbRoutes& routes, uint32_t host)
{
    const QbbRoutes::Route* route = routes.Find(host);
    return route ? std::vector<uint32_t>(routes.GetPorts(*route), routes.GetPorts(*route) + route->count)
                 : std::vector<uint32_t>();
}

Ptr<QbbHostGroups>
Groups(const std::vector<std::vector<uint32_t>>& hosts)
{
    Ptr<QbbHostGroups> groups = Create<QbbHostGroups>();
    groups->groups = static_cast<uint32_t>(hosts.size());
    groups->places.resize(10);
    for (uint32_t g = 0; g < hosts.size(); g++)
    {
        for (uint32_t member = 0; member < hosts[g].size(); member++)
        {
            groups->places[hosts[g][member]].group = g + 1;
            groups->places[hosts[g][member]].member = member;
        }
    }
    return groups;
}

void
Routes()
{
    using Ports = std::vector<uint32_t>;
    QbbRoutes routes;
    routes.Set(3, {7});
    routes.Set(12, {8, 9});
    routes.SetGroups(Groups({{1, 3}, {5, 6}, {7}}));
    RCC_CHECK(PortsTo(routes, 3).empty(), "a host in a group has no route of its own any more");
    RCC_CHECK(PortsTo(routes, 12) == Ports({8, 9}), "the others keep theirs");
    routes.SetGroupRoute({1, 3}, {0, 1});
    routes.SetMemberRoutes(2, {{4}, {2, 5}});
    RCC_CHECK(PortsTo(routes, 1) == Ports({0, 1}) && PortsTo(routes, 7) == Ports({0, 1}), "by group");
    RCC_CHECK(PortsTo(routes, 5) == Ports({4}) && PortsTo(routes, 6) == Ports({2, 5}), "by member");
    RCC_CHECK(PortsTo(routes, 0).empty() && PortsTo(routes, 9).empty() && PortsTo(routes, 100).empty(), "no group");
    routes.Set(6, {1});
    RCC_CHECK(PortsTo(routes, 6) == Ports({1}) && PortsTo(routes, 5) == Ports({4}), "one host differs from its group");
    routes.Set(7, {});
    RCC_CHECK(PortsTo(routes, 7).empty() && PortsTo(routes, 1) == Ports({0, 1}), "no way to one host of a group");
    routes.SetGroupRoute({3}, {0, 1});
    RCC_CHECK(PortsTo(routes, 7).empty(), "nor after another route of its group");
    routes.Set(7, {0, 1});
    routes.SetGroups(Groups({{5}}));
    RCC_CHECK(PortsTo(routes, 5).empty(), "new groups");
    RCC_CHECK(PortsTo(routes, 6) == Ports({1}) && PortsTo(routes, 7) == Ports({0, 1}),
              "hosts that are in none of them");
    RCC_CHECK_EQ(routes.GetHostsEnd(), 13, "");
    routes.Clear();
    RCC_CHECK(PortsTo(routes, 12).empty() && PortsTo(routes, 7).empty(), "none left");
}

RccTestSuite g_copiesSuite("rcc-copies", {{"attributes", Attributes}, {"helper", Helper}, {"routes", Routes}});

} // namespace
