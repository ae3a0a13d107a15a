/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* ns-3's internet stack over QbbNetDevices: sockets, ARP, classes, TCP beside RDMA. */
#include "internet-test-net.h"
#include "rcc-test-abort.h"
#include "rcc-test-folder.h"

#include "ns3/icmpv4.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/qbb-fat-tree.h"
#include "ns3/rcc-pcap.h"
#include "ns3/rcc-wire.h"

#include <cstring>

using namespace ns3;

namespace
{

// ---------------------------------------------------------------- sockets

/// Datagrams of all sizes, in fragments too, come back as they were.
void
UdpEcho()
{
    RccTestInternet net;
    net.Build(3, 10 * G, 1000);
    RccTestEcho echo(net.nodes[0], net.nodes[1], net.Address(1), 7);
    RccAt(1000, [&] { echo.Ask(0); }); // the others would not all wait for its ARP
    for (uint32_t bytes : {1u, 18u, 999u, 1472u, 1473u, 8000u})
    {
        RccAt(50000000, [&echo, bytes] { echo.Ask(bytes); });
    }
    RccRunTo(100000000);
    RCC_CHECK_EQ(echo.answered, 7, "");
    RCC_CHECK_EQ(echo.wrong, 0, "bytes that changed");
    const QbbIpCounters& c = net.nics[0]->GetPort(0)->GetIpCounters();
    RCC_CHECK_EQ(c.sent, 2 + 5 + 2 + 6, "ARP; whole; fragments of 1473 and 8000 bytes");
    RCC_CHECK_EQ(c.received, 2 + 5 + 2 + 6, "the same comes back");
    RCC_CHECK_EQ(c.queueFull + c.refused, 0, "");
    RCC_CHECK_EQ(net.sw->GetDroppedPackets(), 0, "");
}

/// TCP fills the link; every byte is right.
void
TcpBulk()
{
    RccTestInternet net;
    net.Build(2, 10 * G, 1000);
    RccTestTcp tcp(net.nodes[0], net.nodes[1], net.Address(1), 20000000);
    RccRunTo(200000000);
    RCC_CHECK_EQ(tcp.received, 20000000, "");
    RCC_CHECK_EQ(tcp.wrong, 0, "");
    RCC_CHECK_EQ(net.Dropped(), 0, "");
    // 1448 of 1518 bytes are payload (20 IP, 32 TCP with timestamps, 18 Ethernet).
    const double link = 20000000 * 8 / 10.0 * 1518 / 1448;
    RCC_CHECK_NEAR(tcp.lastAt - tcp.firstAt, link, 0.02 * link, "ns at line rate");
}

/// An echo request alone in the network takes four transmissions and four delays.
void
Ping()
{
    RccTestInternet net;
    net.Build(2, 10 * G, 1000);
    Ptr<Socket> socket = Socket::CreateSocket(net.nodes[0], TypeId::LookupByName("ns3::Ipv4RawSocketFactory"));
    socket->SetAttribute("Protocol", UintegerValue(1));
    const InetSocketAddress to(net.Address(1), 0);
    auto send = [&] {
        Icmpv4Echo echo;
        echo.SetIdentifier(1);
        echo.SetSequenceNumber(1);
        echo.SetData(Create<Packet>(56));
        Icmpv4Header header;
        header.SetType(Icmpv4Header::ICMPV4_ECHO);
        Ptr<Packet> p = Create<Packet>();
        p->AddHeader(echo);
        p->AddHeader(header);
        socket->SendTo(p, 0, to);
    };
    RccTestLog log;
    log.Watch(net.nics[0]->GetPort(0));
    RccAt(1000, send); // finds the address
    RccAt(50000000, send);
    RccRunTo(60000000);
    const auto sent = log.Select(RccFrameKind::IP, false);
    const auto got = log.Select(RccFrameKind::IP, true);
    RCC_CHECK_EQ(sent.size(), 4, "ARP request and reply, two echo requests");
    RCC_CHECK_EQ(got.size(), 4, "ARP reply and request, two echo replies");
    RCC_CHECK_EQ(socket->GetRxAvailable() > 0, true, "");
    if (sent.size() == 4 && got.size() == 4)
    {
        RCC_CHECK_EQ(sent[0].bytes, 64, "ARP is padded");
        RCC_CHECK_EQ(sent[3].bytes, 14 + 20 + 8 + 56 + 4, "");
        RCC_CHECK_NEAR(got[3].at - sent[3].at, 4 * (RccTxTime(102, 10 * G) + 1000), 4, "ns");
    }
}

/// In a fat tree with ECMP a broadcast reaches every other host once, and everyone can talk to everyone.
void
BroadcastInFatTree()
{
    QbbHelper helper;
    QbbFatTree tree = QbbFatTree::Create(helper, 4, 4);
    for (const auto& sw : tree.Switches())
    {
        sw->SetAttribute("MaxFrame", UintegerValue(1518));
        RCC_CHECK_EQ(sw->Start(), std::string(), "");
    }
    const Ipv4InterfaceContainer at = QbbInstallInternet(tree.hosts);
    const uint32_t n = tree.hosts.GetN();
    Ptr<Socket> socket = Socket::CreateSocket(tree.hosts.Get(5), UdpSocketFactory::GetTypeId());
    socket->SetAllowBroadcast(true);
    RccAt(1000, [&] { socket->SendTo(Create<Packet>(100), 0, InetSocketAddress(Ipv4Address("10.0.255.255"), 9)); });
    RccRunTo(1000000);
    for (uint32_t i = 0; i < n; i++)
    {
        RCC_CHECK_EQ(tree.nics[i]->GetPort(0)->GetIpCounters().received, i == 5 ? 0 : 1, "host " << i);
    }
    std::vector<std::unique_ptr<RccTestEcho>> echoes;
    for (uint32_t i = 0; i < n; i++)
    {
        const uint32_t to = (i * 7 + 3) % n;
        if (to != i)
        {
            echoes.emplace_back(new RccTestEcho(tree.hosts.Get(i), tree.hosts.Get(to), at.GetAddress(to),
                                                static_cast<uint16_t>(1000 + i)));
            echoes.back()->Ask(500);
        }
    }
    RccRunTo(100000000);
    for (const auto& e : echoes)
    {
        RCC_CHECK_EQ(e->answered, 1, "");
    }
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "nothing loops");
}

/// IPv6 finds its neighbours by multicast.
void
Ipv6()
{
    RccTestInternet net;
    net.Build(3, 10 * G, 1000);
    NetDeviceContainer devices;
    for (const auto& nic : net.nics)
    {
        devices.Add(nic->GetPort(0));
    }
    Ipv6AddressHelper addresses;
    addresses.SetBase(Ipv6Address("2001:db8::"), Ipv6Prefix(64));
    const Ipv6InterfaceContainer at = addresses.Assign(devices);
    Ptr<Socket> server = Socket::CreateSocket(net.nodes[1], UdpSocketFactory::GetTypeId());
    server->Bind(Inet6SocketAddress(Ipv6Address::GetAny(), 7));
    Ptr<Socket> client = Socket::CreateSocket(net.nodes[0], UdpSocketFactory::GetTypeId());
    for (int64_t when : {3 * 1000000000ll, 4 * 1000000000ll})
    {
        RccAt(when, [&] { client->SendTo(RccTestBytes(0, 700), 0, Inet6SocketAddress(at.GetAddress(1, 1), 7)); });
    }
    RccRunTo(5 * 1000000000ll);
    for (int i = 0; i < 2; i++)
    {
        Ptr<Packet> p = server->Recv();
        RCC_CHECK(p && p->GetSize() == 700 && RccTestWrong(p, 0) == 0, "datagram " << i);
    }
}

/// The switch with input buffers has no congestion point for IP, but carries it.
void
CioqCarriesIp()
{
    QbbHelper helper;
    NodeContainer hosts;
    hosts.Create(3);
    Ptr<Node> node = CreateObject<Node>();
    helper.SetCioqSwitchAttribute("CongestionPoints", StringValue("None"));
    Ptr<CioqSwitch> sw = helper.InstallCioqSwitch(node);
    for (uint32_t i = 0; i < 3; i++)
    {
        helper.InstallHost(hosts.Get(i));
        helper.Connect(hosts.Get(i), node);
        sw->SetRoute(hosts.Get(i)->GetId(), i);
    }
    RCC_CHECK_EQ(sw->Start(), std::string(), "");
    const Ipv4InterfaceContainer at = QbbInstallInternet(hosts);
    RccTestTcp tcp(hosts.Get(0), hosts.Get(1), at.GetAddress(1), 1000000);
    RccRunTo(100000000);
    RCC_CHECK_EQ(tcp.received, 1000000, "");
    RCC_CHECK_EQ(tcp.wrong, 0, "");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

// ---------------------------------------------------------------- beside RDMA

/**
 * `tcpSenders` hosts with a TCP connection and `rdmaSenders` with an RDMA flow at line rate, all to host 0.
 * \return TCP's share of the bytes on the bottleneck between 20 and 25 ms
 */
double
ShareOfTcp(uint32_t tcpSenders, uint32_t rdmaSenders, bool sameHost)
{
    const int64_t begin = 20000000; // TCP has its share by then, not at 10 ms
    const int64_t end = 25000000;
    // More than TCP needs to fill its half, less than a port may store: nothing is lost. After a slow start that ends
    // in hundreds of losses, ns-3's TCP of 2020 may wait a second for its timer, and the share would be one of that.
    const uint32_t window = 1 << 18;
    RccTestInternet net;
    net.Build(1 + (sameHost ? 1 : tcpSenders + rdmaSenders), 10 * G, 1000);
    std::vector<std::unique_ptr<RccTestTcp>> tcps;
    uint32_t host = 1;
    for (uint32_t i = 0; i < tcpSenders; i++)
    {
        tcps.emplace_back(new RccTestTcp(net.nodes[host], net.nodes[0], net.Address(0), UINT64_MAX,
                                         static_cast<uint16_t>(80 + i), false, window));
        host += sameHost ? 0 : 1;
    }
    for (uint32_t i = 0; i < rdmaSenders; i++)
    {
        net.Send(host, 0, RccAlgorithm::Create("dcqcn"), 0); // no marker: line rate for ever
        host += sameHost ? 0 : 1;
    }
    RccTestClassBytes bytes;
    bytes.Watch(net.nics[0]->GetPort(0), begin);
    RccRunTo(end);
    const double tcp = static_cast<double>(bytes.received[1]);
    const double rdma = static_cast<double>(bytes.received[3]);
    RCC_CHECK_EQ(net.sw->GetDroppedPackets(3), 0, "RDMA is lossless");
    RCC_CHECK_EQ(net.Dropped(), 0, "TCP's window fits");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().packetsOutOfOrder, 0, "");
    RCC_CHECK_GE(tcp + rdma, 0.999 * static_cast<double>(end - begin) * 10 / 8, "the link is full");
    for (const auto& t : tcps)
    {
        RCC_CHECK_EQ(t->wrong, 0, "");
    }
    Simulator::Destroy();
    return tcp / (tcp + rdma);
}

/// Each class gets its half of a link, whatever the other does and however many flows it has.
void
SharesBesideRdma()
{
    RCC_CHECK_NEAR(ShareOfTcp(1, 1, false), 0.5, 0.01, "one of each, at a switch");
    RCC_CHECK_NEAR(ShareOfTcp(1, 4, false), 0.5, 0.01, "one TCP, four RDMA");
    RCC_CHECK_NEAR(ShareOfTcp(4, 1, false), 0.5, 0.01, "four TCP, one RDMA");
    RCC_CHECK_NEAR(ShareOfTcp(1, 1, true), 0.5, 0.01, "one of each, at the port of a host");
    RCC_CHECK_NEAR(ShareOfTcp(1, 3, true), 0.5, 0.01, "one TCP, three RDMA at the port of a host");
}

/// TCP in the lossless class of RDMA loses nothing; at the host's port they take turns, frame by frame.
void
InTheLosslessClass()
{
    RccTestInternet net;
    net.helper.SetDeviceAttribute("IpClass", UintegerValue(3));
    net.Build({10 * G, 10 * G, 1 * G}, {1000, 1000, 1000});
    RccTestTcp both(net.nodes[0], net.nodes[1], net.Address(1), UINT64_MAX);
    const uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 0);
    RccRunTo(40000000);
    const uint64_t tcp0 = both.received;
    const uint64_t rdma0 = net.Received(0, 1, qp).bytes;
    RccRunTo(50000000);
    const double tcp = static_cast<double>(both.received - tcp0) * 1518 / 1448;
    const double rdma = static_cast<double>(net.Received(0, 1, qp).bytes - rdma0) * 1062 / 1000;
    RCC_CHECK_NEAR(tcp / (tcp + rdma), 1518.0 / (1518 + 1062), 0.01, "");
    // Ten to one at the last link: pauses, no drops.
    RccTestTcp slow(net.nodes[1], net.nodes[2], net.Address(2), 1000000, 81);
    RccRunTo(75000000);
    RCC_CHECK_EQ(slow.received, 1000000, "");
    RCC_CHECK_EQ(slow.wrong + both.wrong, 0, "");
    RCC_CHECK_EQ(net.Dropped(), 0, "");
}

/// A host whose RDMA class is paused goes on with TCP.
void
PauseLeavesIpAlone()
{
    RccTestInternet net;
    net.Build({10 * G, 10 * G, 1 * G}, {1000, 1000, 1000});
    net.Send(1, 2, RccAlgorithm::Create("dcqcn"), 0); // ten times what the last link carries
    RccTestTcp tcp(net.nodes[1], net.nodes[0], net.Address(0), UINT64_MAX);
    RccTestClassBytes bytes;
    bytes.Watch(net.nics[0]->GetPort(0), 20000000);
    RccRunTo(40000000);
    RCC_CHECK_GE(net.sw->GetPort(1)->GetCounters().pausesSent, 10, "");
    RCC_CHECK_EQ(net.sw->GetDroppedPackets(3), 0, "");
    // Host 1 sends RDMA at 1 Gb/s on average, in bursts that get half of the link.
    RCC_CHECK_GE(static_cast<double>(bytes.received[1]), 0.88 * 20e6 * 10 / 8, "the rest is TCP's");
}

// ---------------------------------------------------------------- loss, marks, queues

/// A small buffer drops packets of the lossy class, and TCP repeats them.
void
LossyClassDrops()
{
    RccTestInternet net;
    net.helper.SetSwitchAttribute("BufferSize", UintegerValue(200000));
    net.Build({10 * G, 10 * G, 1 * G}, {1000, 1000, 1000});
    RccTestTcp a(net.nodes[0], net.nodes[2], net.Address(2), 3000000, 80);
    RccTestTcp b(net.nodes[1], net.nodes[2], net.Address(2), 3000000, 81);
    RccRunTo(10 * 1000000000ll);
    RCC_CHECK_GE(net.sw->GetDroppedPackets(1), 10, "");
    RCC_CHECK_EQ(net.sw->GetDroppedPackets(), net.sw->GetDroppedPackets(1), "only that class");
    RCC_CHECK_EQ(a.received + b.received, 6000000, "");
    RCC_CHECK_EQ(a.wrong + b.wrong, 0, "");
    // Every packet that hosts sent was received or dropped by the switch.
    uint64_t sent = 0;
    uint64_t received = 0;
    for (const auto& nic : net.nics)
    {
        sent += nic->GetPort(0)->GetIpCounters().sent;
        received += nic->GetPort(0)->GetIpCounters().received;
    }
    const uint64_t requests = 4; // ARP requests, one per pair and direction, each with a copy more than was sent
    RCC_CHECK_EQ(sent + requests, received + net.sw->GetDroppedPackets(), "");
    RCC_CHECK_EQ(net.sw->GetMmu().used, 0, "");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

/// With a marker on its class, a TCP that can do ECN keeps the queue short and loses nothing.
void
MarksTcp()
{
    double mean[2] = {};
    for (bool ecn : {false, true})
    {
        RccTestInternet net;
        net.Build({10 * G, 10 * G, 1 * G}, {1000, 1000, 1000}, RccAlgorithm::Create("dcqcn"));
        RccTestTcp a(net.nodes[0], net.nodes[2], net.Address(2), UINT64_MAX, 80, ecn);
        RccTestTcp b(net.nodes[1], net.nodes[2], net.Address(2), UINT64_MAX, 81, ecn);
        RccTestClassBytes bytes;
        bytes.Watch(net.nics[2]->GetPort(0), 20000000);
        const int samples = 500;
        for (int i = 0; i < samples; i++)
        {
            RccAt(20000000 + i * 80000ll,
                  [&] { mean[ecn] += static_cast<double>(net.sw->GetPort(2)->GetQueueBytes(1)) / samples; });
        }
        RccRunTo(60000000);
        RCC_CHECK_EQ(net.sw->GetMarkedPackets() > 0, ecn, "marked: " << net.sw->GetMarkedPackets());
        RCC_CHECK_EQ(bytes.ce > 0, ecn, "arrived with CE: " << bytes.ce);
        RCC_CHECK_GE(static_cast<double>(bytes.received[1]), 0.95 * 40e6 / 8, "the link is full");
        Simulator::Destroy();
    }
    RCC_CHECK_LE(10 * mean[1], mean[0], "queue with and without ECN");
}

/// The port's own queue drops; with a queue disc in front, which is the default, the stack waits.
void
HostQueue()
{
    RccTestInternet net;
    net.helper.SetDeviceAttribute("IpQueueSize", UintegerValue(10 * 1518));
    net.Build(2, 1 * G, 1000);
    Ptr<QbbNetDevice> device = net.nics[0]->GetPort(0);
    const uint16_t nobodys = 0x88b5; // an EtherType that IEEE keeps for experiments
    for (int i = 0; i < 100; i++)
    {
        device->Send(Create<Packet>(1500), RccWire::MacOf(net.nodes[1]->GetId()), nobodys);
    }
    RCC_CHECK_EQ(device->GetIpCounters().queueFull, 89, "one on the wire, ten wait");
    RccTestEcho echo(net.nodes[0], net.nodes[1], net.Address(1), 7);
    RccAt(10000000, [&] { echo.Ask(10); });
    for (int i = 0; i < 100; i++)
    {
        RccAt(50000000, [&] { echo.Ask(1472); });
    }
    RccRunTo(100000000);
    RCC_CHECK_EQ(device->GetIpCounters().queueFull, 89, "");
    RCC_CHECK_EQ(echo.answered, 101, "");
    // A queue that cannot hold a whole packet still lets one at a time pass.
    device->SetAttribute("IpQueueSize", UintegerValue(1000));
    for (int i = 0; i < 20; i++)
    {
        RccAt(100000001, [&] { echo.Ask(900); });
    }
    RccRunTo(200000000);
    RCC_CHECK_EQ(echo.answered, 121, "");
}

void
Refused()
{
    RccTestInternet net;
    net.Build(2, 10 * G, 1000);
    Ptr<QbbNetDevice> device = net.nics[0]->GetPort(0);
    const Mac48Address other = RccWire::MacOf(net.nodes[1]->GetId());
    RCC_CHECK(device->GetAddress() == Address(RccWire::MacOf(net.nodes[0]->GetId())), "");
    RCC_CHECK_EQ(device->Send(Create<Packet>(1500), other, 0x0800), true, "");
    RCC_CHECK_EQ(device->Send(Create<Packet>(1501), other, 0x0800), false, "above the MTU");
    RCC_CHECK_EQ(device->Send(Create<Packet>(100), Mac48Address("00:00:00:00:00:01"), 0x0800), false, "not ours");
    RCC_CHECK_EQ(device->Send(Create<Packet>(100), device->GetAddress(), 0x0800), false, "itself");
    RCC_CHECK_EQ(device->SendFrom(Create<Packet>(100), other, other, 0x0800), false, "another source");
    RCC_CHECK_EQ(device->GetIpCounters().refused, 4, "");
    RCC_CHECK_EQ(net.sw->GetPort(0)->Send(Create<Packet>(100), other, 0x0800), false, "a switch has no stack");
    RCC_CHECK_EQ(device->Send(Create<Packet>(100), RccWire::MacOf(999), 0x0800), true, "");
    RccRunTo(1000000);
    RCC_CHECK_EQ(net.nics[1]->GetPort(0)->GetIpCounters().received, 1, "");
    RCC_CHECK_EQ(net.sw->GetDroppedPackets(), 1, "no such host");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

/// IpClass, the DSCP and the socket's priority choose the class.
void
Classes()
{
    RccTestStar star; // no stack: only bytes are counted
    star.helper.SetDeviceAttribute("IpClass", UintegerValue(2));
    star.helper.SetDeviceAttribute("IpClassFromDscp", BooleanValue(true));
    star.helper.SetDeviceAttribute("IpClassFromPriority", BooleanValue(true));
    star.Build(2, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), std::string(), "");
    RccTestClassBytes bytes;
    bytes.Watch(star.nics[1]->GetPort(0), 0);
    auto send = [&](uint16_t protocol, uint8_t tos, int priority) {
        const uint8_t head[20] = {0x45, tos};
        Ptr<Packet> p = Create<Packet>(head, sizeof head);
        if (priority >= 0)
        {
            SocketPriorityTag tag;
            tag.SetPriority(static_cast<uint8_t>(priority));
            p->AddPacketTag(tag);
        }
        star.nics[0]->GetPort(0)->Send(p, RccWire::MacOf(star.nodes[1]->GetId()), protocol);
    };
    send(0x0800, 0, -1);
    send(0x0800, 5 << 5, -1);
    send(0x0800, 5 << 5, 6);
    send(0x0806, 5 << 5, -1); // not IP: no DSCP
    Simulator::Run();
    const uint64_t expected[QBB_CLASSES] = {0, 0, 2 * 64, 0, 0, 64, 64, 0};
    for (uint8_t c = 0; c < QBB_CLASSES; c++)
    {
        RCC_CHECK_EQ(bytes.received[c], expected[c], "class " << unsigned(c));
    }
}

/// The wire carries the packet, with the mark and a right checksum.
void
WireBytes()
{
    RccFrame f = RccFrame();
    const uint8_t ip[] = {0x45, 0x02, 0, 24, 0, 1, 0, 0, 64, 17, 0x66, 0xd0, 10, 0, 0, 1, 10, 0, 0, 2, 1, 2, 3, 4};
    Ptr<Packet> packet = Create<Packet>(ip, sizeof ip);
    f.kind = RccFrameKind::IP;
    f.bytes = 64;
    f.src = 0x1234;
    f.srcQp = 1;
    f.mac = 0xffffffffffff;
    f.etherType = 0x0800;
    f.packet = PeekPointer(packet);
    for (RccEcn ecn : {RccEcn::ECT0, RccEcn::CE})
    {
        f.ecn = ecn;
        uint8_t out[64] = {};
        RCC_CHECK_EQ(RccWire::Write(f, 0, out), 60, "");
        const uint8_t ethernet[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 1, 0, 0, 0x12, 0x34, 8, 0};
        RCC_CHECK_EQ(std::memcmp(out, ethernet, 14), 0, "Ethernet header");
        RCC_CHECK_EQ(out[15], static_cast<int>(ecn), "ECN");
        RCC_CHECK_EQ((out[24] << 8) | out[25], ecn == RccEcn::CE ? 0x66cf : 0x66d0, "checksum");
        out[15] = ip[1];
        out[24] = ip[10];
        out[25] = ip[11];
        RCC_CHECK_EQ(std::memcmp(out + 14, ip, sizeof ip), 0, "the rest of the packet");
    }
}

/// A capture of a port holds the datagrams, byte by byte, and the answers.
void
Capture()
{
    const RccTestFolder folder;
    const std::string name = folder.Name("host.pcap");
    RccTestInternet net;
    net.Build(2, 10 * G, 1000);
    RccTestEcho echo(net.nodes[0], net.nodes[1], net.Address(1), 7);
    RccPcap pcap;
    RCC_CHECK_EQ(pcap.EnablePcap(net.nics[0]->GetPort(0), name), std::string(), "");
    RccAt(1000, [&] { echo.Ask(600); });
    RccRunTo(100000000);
    RCC_CHECK_EQ(pcap.GetFrames(), 2 + 2 + 2, "ARP both ways, the datagram and its echo");
    RCC_CHECK_EQ(pcap.Close(), std::string(), "");
    const std::string file = RccTestFolder::Read(name);
    std::string payload;
    for (uint32_t i = 0; i < 600; i++)
    {
        payload += static_cast<char>(RccTestByte(600 + i));
    }
    RCC_CHECK_EQ(file.size(), 24 + 6 * 16 + 4 * 60 + 2 * (14 + 20 + 8 + 600), "");
    const size_t first = file.find(payload);
    const size_t second = file.find(payload, first + 1);
    RCC_CHECK(first != std::string::npos && second != std::string::npos, "both are there");
}

/// Frames and packets that are under way at the end are given back.
void
Conservation()
{
    Ptr<RccFramePool> pool;
    {
        RccTestInternet net;
        net.Build({10 * G, 10 * G, 1 * G}, {1000, 1000, 1000});
        RccTestTcp a(net.nodes[0], net.nodes[2], net.Address(2), UINT64_MAX, 80);
        net.Send(1, 2, RccAlgorithm::Create("dcqcn"), 0);
        RccRunTo(30000000);
        pool = RccFramePool::Current();
        RCC_CHECK_GE(pool->InUse(), 50, "");
    }
    Simulator::Destroy();
    RCC_CHECK_EQ(pool->InUse(), 0, "after Destroy");
}

/// Packets that wait at a host's port when its link fails are lost, and give their place in the queue back.
void
LinkFails()
{
    RccTestInternet net;
    net.Build({1 * G, 10 * G}, {1000, 1000});
    Ptr<QbbNetDevice> device = net.nics[0]->GetPort(0);
    Ptr<Socket> socket = Socket::CreateSocket(net.nodes[0], UdpSocketFactory::GetTypeId());
    socket->Connect(InetSocketAddress(net.Address(1), 9));
    const auto received = [&] { return net.nics[1]->GetPort(0)->GetIpCounters().received; };
    const auto burst = [&] {
        for (uint32_t i = 0; i < 300; i++) // more than IpQueueSize holds: the stack is told to wait
        {
            socket->Send(RccTestBytes(0, 1400));
        }
    };
    RccAt(0, [&] { socket->Send(RccTestBytes(0, 1400)); }); // it waits for ARP
    RccAt(100000000, burst);
    RccAt(100100000, [&] {
        RCC_CHECK_GE(device->GetQueueBytes(1), 100000, "much waits");
        net.Link(0)->TakeDown(RccNow());
    });
    RccAt(100200000, [&] { net.Link(0)->BringUp(RccNow()); });
    RccAt(150000000, [&] { socket->Send(RccTestBytes(0, 1400)); }); // ARP forgets what it knew behind the link
    uint64_t before = 0;
    RccAt(200000000, [&] { before = received(); });
    RccAt(200000000, burst);
    RccRunTo(300000000);
    RCC_CHECK_GE(received(), before + 300, "the second burst arrives");
    RccAt(300000000, burst);
    RccAt(300100000, [&] { RCC_CHECK_GE(device->DropQueued(1, RccNow()), 50, "as a watchdog does"); });
    RccAt(400000000, [&] { before = received(); });
    RccAt(400000000, burst);
    RccRunTo(500000000);
    RCC_CHECK_GE(received(), before + 300, "the burst after a watchdog's");
}

/// A subnet that is too small; ns-3 without asserts would go on behind its end.
void
SmallSubnet()
{
    RccTestStar star;
    star.Build(4, 10 * G, 1000);
    NodeContainer hosts;
    for (const auto& node : star.nodes)
    {
        hosts.Add(node);
    }
    for (const char* mask : {"255.255.255.252", "255.255.255.254", "255.255.255.255"})
    {
        RCC_CHECK_ABORTS([&] { QbbInstallInternet(hosts, "10.0.0.0", mask); }, "no space for 4 hosts");
    }
    RCC_CHECK_EQ(QbbInstallInternet(hosts, "10.0.0.0", "255.255.255.248").GetN(), 4, "");
}

RccTestSuite g_internetSuite("rcc-internet", {{"udp-echo", UdpEcho},
                                              {"tcp-bulk", TcpBulk},
                                              {"ping", Ping},
                                              {"broadcast-in-fat-tree", BroadcastInFatTree},
                                              {"ipv6", Ipv6},
                                              {"cioq-carries-ip", CioqCarriesIp},
                                              {"in-the-lossless-class", InTheLosslessClass},
                                              {"shares-beside-rdma", SharesBesideRdma},
                                              {"pause-leaves-ip-alone", PauseLeavesIpAlone},
                                              {"lossy-class-drops", LossyClassDrops},
                                              {"marks-tcp", MarksTcp},
                                              {"host-queue", HostQueue},
                                              {"refused", Refused},
                                              {"classes", Classes},
                                              {"wire-bytes", WireBytes},
                                              {"capture", Capture},
                                              {"conservation", Conservation},
                                              {"link-fails", LinkFails},
                                              {"small-subnet", SmallSubnet}});

} // namespace
