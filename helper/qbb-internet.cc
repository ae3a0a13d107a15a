/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-internet.h"

#include "ns3/abort.h"
#include "ns3/bridge-net-device.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4.h"
#include "ns3/net-device-container.h"
#include "ns3/rcc-wire.h"

namespace ns3
{

Ipv4InterfaceContainer
QbbInstallInternet(const NodeContainer& hosts, const std::string& network, const std::string& mask)
{
    const InternetStackHelper stack;
    NetDeviceContainer devices;
    for (auto i = hosts.Begin(); i != hosts.End(); ++i)
    {
        Ptr<RdmaNic> nic = (*i)->GetObject<RdmaNic>();
        NS_ABORT_MSG_IF(!nic || !nic->GetNPorts(), "node " << (*i)->GetId() << " is no host that is connected");
        devices.Add(nic->GetPort(0));
        if (!(*i)->GetObject<Ipv4>())
        {
            stack.Install(*i);
        }
    }
    const Ipv4Mask subnet(mask.c_str());
    const uint64_t all = uint64_t(1) << (32 - subnet.GetPrefixLength()); // addresses, the first and the last among them
    NS_ABORT_MSG_IF(hosts.GetN() + 2 > all, "QbbInstallInternet: " << network << " with mask " << mask
                                                                   << " has no space for " << hosts.GetN() << " hosts");
    Ipv4AddressHelper addresses;
    addresses.SetBase(Ipv4Address(network.c_str()), subnet);
    return addresses.Assign(devices);
}

void
QbbBridgeForGlobalRouting(const NodeContainer& switches)
{
    for (auto i = switches.Begin(); i != switches.End(); ++i)
    {
        Ptr<QbbSwitch> sw = (*i)->GetObject<QbbSwitch>();
        NS_ABORT_MSG_IF(!sw, "node " << (*i)->GetId() << " is no switch");
        Ptr<BridgeNetDevice> bridge = CreateObject<BridgeNetDevice>();
        (*i)->AddDevice(bridge);
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            bridge->AddBridgePort(sw->GetPort(p));
        }
    }
}

} // namespace ns3
