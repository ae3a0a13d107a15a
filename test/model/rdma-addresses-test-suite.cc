/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A receiver named by an address in place of its NIC; RdmaSink; what RdmaClientHelper returns. */
#include "rcc-test-abort.h"
#include "rcc-test-net.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/qbb-internet.h"
#include "ns3/rcc-wire.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/rdma-sink.h"
#include "ns3/string.h"

using namespace ns3;

namespace
{

const uint32_t HOSTS = 3;
const uint64_t BYTES = 100000;

/// Hosts of one switch.
struct Star
{
    QbbStar star;

    explicit Star(bool stack)
    {
        QbbHelper helper;
        star = QbbStar::Create(helper, HOSTS);
        if (stack)
        {
            QbbInstallInternet(star.hosts, "11.0.1.0", "255.255.255.0"); // the network of RoCEv2 addresses of node 1
        }
        star.sw->AddMarker(QBB_RDMA_CLASS, RccAlgorithm::Create("none"));
        RCC_CHECK_EQ(star.sw->Start(), "", "");
    }

    /// Send BYTES. \param remote value of the attribute \param from host that sends
    void Send(const AttributeValue& remote, uint32_t from = 0)
    {
        Ptr<RdmaClient> client = RdmaClientHelper(star.nics[1], RccAlgorithm::Create("none")).Create();
        client->SetAttribute("Remote", remote);
        client->SetAttribute("MessageSize", UintegerValue(BYTES));
        star.hosts.Get(from)->AddApplication(client);
        RccRunTo(RccNow() + 1000000);
    }

    /// \return packets that a host has got \param host its index
    uint64_t Delivered(uint32_t host) const
    {
        return star.nics[host]->GetCounters().packetsDelivered;
    }
};

/// Every host has the address of its RoCEv2 headers, without an internet stack.
void
WithoutStack()
{
    Star net(false);
    const Ipv4Address address = RccWire::AddressOf(net.star.hosts.Get(1)->GetId());
    uint64_t expected = 0;
    const auto arrives = [&](const AttributeValue& remote, const std::string& form) {
        expected += BYTES / 1000;
        net.Send(remote);
        RCC_CHECK_EQ(net.Delivered(1), expected, form);
        RCC_CHECK_EQ(net.Delivered(2), 0, form);
    };
    arrives(PointerValue(net.star.nics[1]), "NIC");
    arrives(Ipv4AddressValue(address), "Ipv4Address");
    arrives(AddressValue(address), "Address");
    arrives(AddressValue(InetSocketAddress(address, 4791)), "InetSocketAddress");
    std::ostringstream text;
    text << address;
    arrives(StringValue(text.str()), "as on a command line");
}

/// The internet stack's addresses come first: host 0 has the one that is in the RoCEv2 headers of node 1.
void
WithStack()
{
    Star net(true);
    net.Send(Ipv4AddressValue(RccWire::AddressOf(1)), 2);
    RCC_CHECK_EQ(net.Delivered(0), BYTES / 1000, "");
    RCC_CHECK_EQ(net.Delivered(1), 0, "");
    net.Send(Ipv4AddressValue(net.star.hosts.Get(1)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal()));
    RCC_CHECK_EQ(net.Delivered(1), BYTES / 1000, "");
}

/// A sender without an internet stack names a receiver by the address in its own.
void
StackOfTheReceiver()
{
    Star net(false);
    QbbInstallInternet(NodeContainer(net.star.hosts.Get(1)), "10.1.1.0", "255.255.255.0");
    net.Send(Ipv4AddressValue("10.1.1.1"));
    RCC_CHECK_EQ(net.Delivered(1), BYTES / 1000, "");
}

/// An address that no host has ends the run, and is named.
void
Unknown()
{
    RCC_CHECK_ABORTS([] { Star(false).Send(Ipv4AddressValue("10.9.9.9")); },
                     "Remote is 10.9.9.9, expected the address of a host with an RdmaNic");
    RCC_CHECK_ABORTS([] { Star(false).Send(Ipv4AddressValue(RccWire::AddressOf(HOSTS))); }, // the switch
                     "expected the address of a host with an RdmaNic");
    Ptr<RdmaClient> client = CreateObject<RdmaClient>();
    RCC_CHECK_EQ(client->SetAttributeFailSafe("Remote", AddressValue(Mac48Address("02:00:00:00:00:01"))), false, "");
}

/// The attribute is read as it was set.
void
ReadBack()
{
    Ptr<RdmaClient> client = CreateObject<RdmaClient>();
    client->SetAttribute("Remote", StringValue("11.0.2.1"));
    AddressValue address;
    Ipv4AddressValue ipv4;
    PointerValue nic;
    client->GetAttribute("Remote", address);
    client->GetAttribute("Remote", ipv4);
    client->GetAttribute("Remote", nic);
    RCC_CHECK_EQ(ipv4.Get(), Ipv4Address("11.0.2.1"), "");
    RCC_CHECK_EQ(Ipv4Address::ConvertFrom(address.Get()), Ipv4Address("11.0.2.1"), "");
    RCC_CHECK_EQ(nic.Get<RdmaNic>(), nullptr, "");
    for (uint32_t node : {0u, 255u, 256u, 65535u, 70000u})
    {
        RCC_CHECK_EQ(RccWire::NodeOf(RccWire::AddressOf(node)), node, "");
    }
    RCC_CHECK_EQ(RccWire::NodeOf("11.0.0.2"), UINT32_MAX, "");
    const Star net(false);
    client->SetAttribute("Remote", PointerValue(net.star.nics[2]));
    client->GetAttribute("Remote", address);
    client->GetAttribute("Remote", ipv4);
    client->GetAttribute("Remote", nic);
    RCC_CHECK_EQ(ipv4.Get(), RccWire::AddressOf(net.star.hosts.Get(2)->GetId()), "a NIC's, as ConfigStore saves it");
    RCC_CHECK_EQ(Ipv4Address::ConvertFrom(address.Get()), ipv4.Get(), "");
    RCC_CHECK_EQ(nic.Get<RdmaNic>(), net.star.nics[2], "");
}

/// A sink counts payload between its start and its stop, and tells the sender.
void
Sink()
{
    Star net(false);
    Ptr<RdmaSink> sink = CreateObject<RdmaSink>();
    net.star.hosts.Get(1)->AddApplication(sink);
    sink->SetStopTime(MicroSeconds(1500));
    std::map<Ipv4Address, uint64_t> from;
    sink->TraceConnectWithoutContext(
        "Rx", Callback<void, Ptr<const Packet>, const Address&>([&](Ptr<const Packet> packet, const Address& address) {
            from[InetSocketAddress::ConvertFrom(address).GetIpv4()] += packet->GetSize();
        }));
    net.Send(PointerValue(net.star.nics[1])); // to 1 ms
    RCC_CHECK_EQ(sink->GetTotalRx(), BYTES, "");
    RCC_CHECK_EQ(from.size(), 1, "");
    RCC_CHECK_EQ(from[RccWire::AddressOf(net.star.hosts.Get(0)->GetId())], BYTES, "");
    RccRunTo(2000000);
    net.Send(PointerValue(net.star.nics[1]));
    RCC_CHECK_EQ(sink->GetTotalRx(), BYTES, "it has stopped");
}

/// One node or several: a container.
void
Containers()
{
    Star net(false);
    const RdmaClientHelper helper(InetSocketAddress(RccWire::AddressOf(1), 0), RccAlgorithm::Create("none"));
    const ApplicationContainer one = helper.Install(net.star.hosts.Get(0));
    RCC_CHECK_EQ(one.GetN(), 1, "");
    RCC_CHECK_EQ(one.Get(0)->GetNode(), net.star.hosts.Get(0), "");
    RCC_CHECK_EQ(helper.Install(net.star.hosts).GetN(), HOSTS, "");
}

RccTestSuite g_rdmaAddressesSuite("rcc-addresses", {{"without-stack", WithoutStack},
                                                    {"with-stack", WithStack},
                                                    {"stack-of-the-receiver", StackOfTheReceiver},
                                                    {"unknown", Unknown},
                                                    {"read-back", ReadBack},
                                                    {"sink", Sink},
                                                    {"containers", Containers}});

} // namespace
