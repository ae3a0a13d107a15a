/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-tcp.h"

#include "ns3/qbb-internet.h"

#include "ns3/arp-l3-protocol.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/tcp-socket.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{
const uint32_t HEADERS = 72;     // IPv4 20, TCP 20 and its options: with them a segment is no larger than a RoCE packet
const uint32_t BUFFER = 4 << 20; // bytes a socket holds: more than the bandwidth-delay products of these networks
const uint32_t WRITE = 65536;    // bytes an application writes at once
} // namespace

void
Ns3RdmaTcp::Install(const Ns3RdmaNetwork& net, const std::vector<Ns3RdmaFlow>& flows)
{
    std::map<uint32_t, uint32_t> index; // of a host's address
    for (const auto& f : flows)
    {
        index[f.src] = 0;
        index[f.dst] = 0;
    }
    NodeContainer hosts;
    for (auto& host : index)
    {
        host.second = hosts.GetN();
        hosts.Add(net.GetNode(host.first));
    }
    const Ipv4InterfaceContainer addresses = QbbInstallInternet(hosts);
    for (uint32_t i = 0; i < hosts.GetN(); i++)
    {
        // by default a request waits up to 10 ms, at random: longer than many a flow, and other draws in other versions
        hosts.Get(i)->GetObject<ArpL3Protocol>()->SetAttribute("RequestJitter",
                                                               StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    }
    const uint32_t segment = std::max(net.GetConfig().payload, HEADERS + 64) - HEADERS;
    for (const auto& row : flows)
    {
        m_flows.emplace_back(new Flow);
        Flow& f = *m_flows.back();
        f.row = row;
        const auto port = static_cast<uint16_t>(FIRST_PORT + m_flows.size() - 1);
        f.to = InetSocketAddress(addresses.GetAddress(index[row.dst]), port);
        f.listener = Socket::CreateSocket(net.GetNode(row.dst), TcpSocketFactory::GetTypeId());
        f.sender = Socket::CreateSocket(net.GetNode(row.src), TcpSocketFactory::GetTypeId());
        for (const auto& socket : {f.listener, f.sender})
        {
            socket->SetAttribute("SegmentSize", UintegerValue(segment));
            socket->SetAttribute("SndBufSize", UintegerValue(BUFFER));
            socket->SetAttribute("RcvBufSize", UintegerValue(BUFFER));
        }
        f.listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        f.listener->Listen();
        f.listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&Flow::Accept, &f));
        Simulator::ScheduleWithContext(f.sender->GetNode()->GetId(), NanoSeconds(std::max<int64_t>(row.start, 1)),
                                       &Flow::Start, &f);
        if (row.stop >= 0)
        {
            Simulator::ScheduleWithContext(f.sender->GetNode()->GetId(), NanoSeconds(row.stop), &Flow::Stop, &f);
        }
    }
}

void
Ns3RdmaTcp::Gather(RccGateway& ranks)
{
    for (auto& f : m_flows)
    {
        uint64_t values[] = {f->delivered, static_cast<uint64_t>(f->done + 1)}; // 0 where the receiver is not
        ranks.Sum(values, 2);
        f->delivered = values[0];
        f->done = static_cast<int64_t>(values[1]) - 1;
    }
}

void
Ns3RdmaTcp::Flow::Start()
{
    if (!RccGateway::IsLocal(*sender->GetNode()))
    {
        return;
    }
    sender->SetSendCallback(MakeCallback(&Flow::Fill, this)); // called for the first time when it is connected
    sender->Connect(to);
}

void
Ns3RdmaTcp::Flow::Stop()
{
    stopped = true;
    if (RccGateway::IsLocal(*sender->GetNode()))
    {
        sender->Close();
    }
}

void
Ns3RdmaTcp::Flow::Fill(Ptr<Socket> socket, uint32_t room)
{
    while (room && !stopped)
    {
        const uint64_t left = row.bytes ? row.bytes - sent : WRITE;
        const auto size = static_cast<uint32_t>(std::min<uint64_t>({room, WRITE, left}));
        const int taken = size ? socket->Send(Create<Packet>(size)) : 0;
        if (taken <= 0)
        {
            break;
        }
        sent += static_cast<uint64_t>(taken);
        room = socket->GetTxAvailable();
    }
    if (row.bytes && sent == row.bytes && !stopped)
    {
        Stop();
    }
}

void
Ns3RdmaTcp::Flow::Accept(Ptr<Socket> socket, const Address&)
{
    receiver = socket;
    socket->SetRecvCallback(MakeCallback(&Flow::Drain, this));
}

void
Ns3RdmaTcp::Flow::Drain(Ptr<Socket> socket)
{
    while (socket->GetRxAvailable())
    {
        Ptr<Packet> packet = socket->Recv();
        if (!packet)
        {
            break;
        }
        delivered += packet->GetSize();
    }
    if (done < 0 && row.bytes && delivered >= row.bytes)
    {
        done = Simulator::Now().GetNanoSeconds();
    }
}

} // namespace ns3
