/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The network of the internet stack's suite: a star with IP, sockets that check every byte, counts per class. */
#ifndef INTERNET_TEST_NET_H
#define INTERNET_TEST_NET_H

#include "rcc-test-net.h"

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/packet.h"
#include "ns3/qbb-internet.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

#include <cstring>
#include <memory>
#include <vector>

namespace ns3
{

const uint64_t RCC_TEST_PERIOD = 1048573; ///< bytes after which a stream begins anew; a prime

/// \return the bytes of every stream from `from` on; RCC_TEST_PERIOD of them can be read
inline const uint8_t*
RccTestStream(uint64_t from)
{
    static const std::vector<uint8_t> stream = [] { // made once: several suites' time is in such bytes
        std::vector<uint8_t> bytes(2 * RCC_TEST_PERIOD);
        uint8_t* at = bytes.data();
        for (uint64_t i = 0; i < RCC_TEST_PERIOD; i++)
        {
            at[i] = at[i + RCC_TEST_PERIOD] = static_cast<uint8_t>(RccMix(i / 8) >> (8 * (i % 8)));
        }
        return bytes;
    }();
    return stream.data() + from % RCC_TEST_PERIOD;
}

/// Byte i of every stream.
inline uint8_t
RccTestByte(uint64_t i)
{
    return *RccTestStream(i);
}

inline Ptr<Packet>
RccTestBytes(uint64_t from, uint32_t bytes)
{
    RCC_CHECK_LE(bytes, RCC_TEST_PERIOD, "");
    return Create<Packet>(RccTestStream(from), bytes);
}

/// \return bytes of a packet that are not those of the stream from `from` on
inline uint64_t
RccTestWrong(Ptr<const Packet> packet, uint64_t from)
{
    std::vector<uint8_t> content(packet->GetSize());
    packet->CopyData(content.data(), packet->GetSize());
    RCC_CHECK_LE(content.size(), RCC_TEST_PERIOD, "");
    const uint8_t* stream = RccTestStream(from);
    if (content.empty() || !std::memcmp(content.data(), stream, content.size()))
    {
        return 0;
    }
    uint64_t wrong = 0;
    for (size_t i = 0; i < content.size(); i++)
    {
        wrong += content[i] != stream[i];
    }
    return wrong;
}

/// A star of hosts with an internet stack.
struct RccTestInternet : RccTestStar
{
    Ptr<Node> switchNode;
    Ipv4InterfaceContainer interfaces;

    RccTestInternet()
    {
        helper.SetSwitchAttribute("MaxFrame", UintegerValue(1518));
    }

    void BuildSwitch()
    {
        switchNode = CreateObject<Node>();
        sw = helper.InstallSwitch(switchNode);
        sw->AllowUnmarked();
    }

    void AddHost(uint64_t rate, int64_t delay, uint32_t ports)
    {
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(delay)));
        nodes.push_back(CreateObject<Node>());
        nics.push_back(helper.InstallHost(nodes.back()));
        std::vector<uint32_t> route;
        for (uint32_t p = 0; p < ports; p++)
        {
            route.push_back(sw->GetNPorts());
            helper.Connect(nodes.back(), switchNode);
        }
        sw->SetRoute(nodes.back()->GetId(), route);
    }

    void Start()
    {
        RCC_CHECK_EQ(sw->Start(), std::string(), "");
        NodeContainer hosts;
        for (const auto& node : nodes)
        {
            hosts.Add(node);
        }
        interfaces = QbbInstallInternet(hosts);
        for (const auto& node : nodes)
        {
            // The tests are of the network: the same TCP on every ns-3, whose default has changed more than once.
            Ptr<TcpL4Protocol> tcp = node->GetObject<TcpL4Protocol>();
            tcp->SetAttribute("SocketType", StringValue("ns3::TcpNewReno"));
            tcp->SetAttribute("RecoveryType", StringValue("ns3::TcpClassicRecovery"));
        }
    }

    void Build(const std::vector<uint64_t>& rates, const std::vector<int64_t>& delays,
               Ptr<RccAlgorithm> marker = nullptr)
    {
        BuildSwitch();
        for (size_t i = 0; i < rates.size(); i++)
        {
            AddHost(rates[i], delays[i], 1);
        }
        if (marker)
        {
            sw->AddMarker(1, marker);
        }
        Start();
    }

    void Build(size_t hosts, uint64_t rate, int64_t delay)
    {
        Build(std::vector<uint64_t>(hosts, rate), std::vector<int64_t>(hosts, delay));
    }

    Ipv4Address Address(uint32_t host) const
    {
        return interfaces.GetAddress(host);
    }

    /// Packets that did not arrive.
    uint64_t Dropped() const
    {
        uint64_t sum = sw->GetDroppedPackets();
        for (const auto& nic : nics)
        {
            const QbbIpCounters& c = nic->GetPort(0)->GetIpCounters();
            sum += c.queueFull + c.refused;
        }
        return sum;
    }
};

/// A datagram and its echo.
struct RccTestEcho
{
    uint32_t asked{0}, answered{0};
    uint64_t wrong{0};

    RccTestEcho(Ptr<Node> from, Ptr<Node> to, Ipv4Address at, uint16_t port)
    {
        m_server = Socket::CreateSocket(to, UdpSocketFactory::GetTypeId());
        m_server->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        m_server->SetRecvCallback(MakeCallback(&RccTestEcho::Serve, this));
        m_client = Socket::CreateSocket(from, UdpSocketFactory::GetTypeId());
        m_client->Bind();
        m_client->Connect(InetSocketAddress(at, port));
        m_client->SetRecvCallback(MakeCallback(&RccTestEcho::Answer, this));
    }

    ~RccTestEcho()
    {
        m_server->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_client->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    }

    void Ask(uint32_t bytes)
    {
        asked++;
        m_client->Send(RccTestBytes(bytes, bytes));
    }

  private:
    void Serve(Ptr<Socket> socket)
    {
        Address from;
        while (Ptr<Packet> p = socket->RecvFrom(from))
        {
            socket->SendTo(p, 0, from);
        }
    }

    void Answer(Ptr<Socket> socket)
    {
        while (Ptr<Packet> p = socket->Recv())
        {
            answered++;
            wrong += RccTestWrong(p, p->GetSize());
        }
    }

    Ptr<Socket> m_server, m_client;
};

/// A TCP connection that sends now and is checked byte by byte.
struct RccTestTcp
{
    uint64_t size, sent{0}, received{0}, wrong{0};
    int64_t firstAt{0}, lastAt{0}; //!< when the first and the last byte arrived

    /// `window`: bytes of the sender's and of the receiver's buffer
    RccTestTcp(Ptr<Node> from, Ptr<Node> to, Ipv4Address at, uint64_t bytes, uint16_t port = 80, bool ecn = false,
               uint32_t window = 1 << 20)
        : size(bytes)
    {
        m_listener = Make(to, ecn, window);
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&RccTestTcp::Accepted, this));
        m_sender = Make(from, ecn, window);
        m_sender->SetConnectCallback(MakeCallback(&RccTestTcp::Connected, this), MakeNullCallback<void, Ptr<Socket>>());
        m_sender->SetSendCallback(MakeCallback(&RccTestTcp::Fill, this));
        // ns-3's traffic control begins with the run.
        RccAt(RccNow() + 1, [this, at, port] { m_sender->Connect(InetSocketAddress(at, port)); });
    }

    ~RccTestTcp()
    {
        m_sender->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        for (const auto& socket : m_accepted)
        {
            socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        }
    }

  private:
    static Ptr<Socket> Make(Ptr<Node> node, bool ecn, uint32_t window)
    {
        Ptr<Socket> socket = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
        socket->SetAttribute("SegmentSize", UintegerValue(1448));
        socket->SetAttribute("InitialCwnd", UintegerValue(10));
        socket->SetAttribute("SndBufSize", UintegerValue(window));
        socket->SetAttribute("RcvBufSize", UintegerValue(window));
        socket->SetAttribute("UseEcn", StringValue(ecn ? "On" : "Off"));
        return socket;
    }

    void Accepted(Ptr<Socket> socket, const Address&)
    {
        m_accepted.push_back(socket);
        socket->SetRecvCallback(MakeCallback(&RccTestTcp::Receive, this));
    }

    void Connected(Ptr<Socket> socket)
    {
        Fill(socket, socket->GetTxAvailable());
    }

    void Fill(Ptr<Socket> socket, uint32_t)
    {
        while (sent < size && socket->GetTxAvailable())
        {
            const uint64_t bytes = std::min<uint64_t>({size - sent, socket->GetTxAvailable(), 14480});
            const int done = socket->Send(RccTestBytes(sent, static_cast<uint32_t>(bytes)));
            if (done <= 0)
            {
                return;
            }
            sent += static_cast<uint64_t>(done);
        }
    }

    void Receive(Ptr<Socket> socket)
    {
        while (Ptr<Packet> p = socket->Recv())
        {
            if (p->GetSize() == 0)
            {
                return; // the other end has closed
            }
            lastAt = RccNow();
            firstAt = received ? firstAt : lastAt;
            wrong += RccTestWrong(p, received);
            received += p->GetSize();
        }
    }

    Ptr<Socket> m_listener, m_sender;
    std::vector<Ptr<Socket>> m_accepted;
};

/// Bytes per class that pass a port after a time, and packets that its stack gets with CE.
struct RccTestClassBytes : RccTestTap
{
    uint64_t sent[QBB_CLASSES] = {}, received[QBB_CLASSES] = {};
    uint64_t ce{0};

    void Watch(Ptr<QbbNetDevice> device, int64_t after)
    {
        m_after = after;
        device->AddObserver(this, QBB_OBSERVE_FRAMES);
        device->TraceConnectWithoutContext("MacRx", MakeCallback(&RccTestClassBytes::Rx, this));
    }

  private:
    void Tap(const RccFrame* f, bool received, int64_t now) override
    {
        (received ? this->received : sent)[f->cls] += now > m_after ? f->bytes : 0;
    }

    void Rx(Ptr<const Packet> packet)
    {
        uint8_t head[2] = {};
        packet->CopyData(head, 2);
        ce += head[0] == 0x45 && (head[1] & 3) == 3;
    }

    int64_t m_after{0};
};

} // namespace ns3

#endif /* INTERNET_TEST_NET_H */
