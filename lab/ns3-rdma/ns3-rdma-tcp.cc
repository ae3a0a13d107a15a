/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-tcp.h"

#include "ns3/qbb-internet.h"

#include "ns3/arp-l3-protocol.h"
#include "ns3/inet-socket-address.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{
const uint32_t HEADERS = 72; // IPv4 20, TCP 20 and its options: with them a segment is no larger than a RoCE packet
const uint32_t SOCKET_BUFFER = 4 << 20; // bytes: more than the bandwidth-delay products of these networks
} // namespace

void
Ns3RdmaTcp::Install(const Ns3RdmaNetwork& net, const std::vector<Ns3RdmaFlow>& flows,
                    const std::function<void()>& ended)
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
        const auto port = static_cast<uint16_t>(FIRST_PORT + m_flows.size());
        const InetSocketAddress to(addresses.GetAddress(index[row.dst]), port);
        m_flows.emplace_back(new Flow(row, net, to));
        Flow& f = *m_flows.back();
        for (const auto& socket : {f.receiver.GetSocket(), f.sender.GetSocket()})
        {
            socket->SetAttribute("SegmentSize", UintegerValue(segment));
            socket->SetAttribute("SndBufSize", UintegerValue(SOCKET_BUFFER));
            socket->SetAttribute("RcvBufSize", UintegerValue(SOCKET_BUFFER));
        }
        f.receiver.Listen(port);
        f.sender.StartAt(std::max<int64_t>(row.start, 1));
        if (row.stop >= 0)
        {
            f.sender.StopAt(row.stop, [&f] { f.receiver.SenderStops(); });
        }
        f.receiver.SetEnded(ended);
    }
}

void
Ns3RdmaTcp::Gather(RccGateway& ranks)
{
    for (auto& f : m_flows)
    {
        f->receiver.Gather(ranks);
    }
}

} // namespace ns3
