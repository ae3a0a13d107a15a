/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "tcp-bulk.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-factory.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{
const uint32_t WRITE_BYTES = 65536; // bytes that an application writes at once

Ptr<Socket>
MakeSocket(Ptr<Node> node, TypeId control)
{
    return control == TypeId() ? Socket::CreateSocket(node, TcpSocketFactory::GetTypeId())
                               : node->GetObject<TcpL4Protocol>()->CreateSocket(control);
}
} // namespace

TcpBulkReceiver::TcpBulkReceiver(Ptr<Node> node, uint64_t bytes, TypeId control)
    : m_listener(MakeSocket(node, control)),
      m_bytes(bytes)
{
}

void
TcpBulkReceiver::End()
{
    if (m_ended && RccGateway::IsLocal(*m_listener->GetNode()))
    {
        const std::function<void()> ended = std::move(m_ended);
        m_ended = nullptr;
        ended();
    }
}

void
TcpBulkReceiver::Closed(Ptr<Socket>)
{
    End();
}

void
TcpBulkReceiver::SenderStops()
{
    if (m_connections.empty())
    {
        End();
    }
}

void
TcpBulkReceiver::Listen(uint16_t port)
{
    m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&TcpBulkReceiver::Accept, this));
}

void
TcpBulkReceiver::Accept(Ptr<Socket> socket, const Address&)
{
    m_connections.push_back(socket);
    socket->SetRecvCallback(MakeCallback(&TcpBulkReceiver::Read, this));
    if (m_ended)
    {
        const auto closed = MakeCallback(&TcpBulkReceiver::Closed, this);
        socket->SetCloseCallbacks(closed, closed);
    }
}

void
TcpBulkReceiver::Read(Ptr<Socket> socket)
{
    while (socket->GetRxAvailable())
    {
        Ptr<Packet> packet = socket->Recv();
        if (!packet)
        {
            break;
        }
        m_delivered += packet->GetSize();
    }
    if (m_done < 0 && m_bytes && m_delivered >= m_bytes)
    {
        m_done = Simulator::Now().GetNanoSeconds();
        End();
    }
}

void
TcpBulkReceiver::Gather(RccGateway& ranks)
{
    RccRankSums sums;
    sums.Add(m_delivered);
    sums.Add(++m_done); // 0 where the node is not
    sums.Run(ranks);
    m_done--;
}

TcpBulkSender::TcpBulkSender(Ptr<Node> node, const Address& to, uint64_t bytes, TypeId control)
    : m_socket(MakeSocket(node, control)),
      m_to(to),
      m_bytes(bytes)
{
}

void
TcpBulkSender::StartAt(int64_t at)
{
    Simulator::ScheduleWithContext(m_socket->GetNode()->GetId(), NanoSeconds(at), &TcpBulkSender::Start, this);
}

void
TcpBulkSender::StopAt(int64_t at, const std::function<void()>& then)
{
    m_then = then;
    Simulator::ScheduleWithContext(m_socket->GetNode()->GetId(), NanoSeconds(at), &TcpBulkSender::StopDue, this);
}

void
TcpBulkSender::StopDue()
{
    Stop();
    if (m_then)
    {
        m_then();
    }
}

void
TcpBulkSender::Start()
{
    if (RccGateway::IsLocal(*m_socket->GetNode()))
    {
        m_socket->SetSendCallback(MakeCallback(&TcpBulkSender::Write, this)); // first when it is connected
        m_socket->Connect(m_to);
    }
}

void
TcpBulkSender::Stop()
{
    m_stopped = true;
    if (RccGateway::IsLocal(*m_socket->GetNode()))
    {
        m_socket->Close();
    }
}

void
TcpBulkSender::Write(Ptr<Socket> socket, uint32_t space)
{
    while (space && !m_stopped)
    {
        const uint64_t left = m_bytes ? m_bytes - m_sent : WRITE_BYTES;
        const auto size = static_cast<uint32_t>(std::min<uint64_t>({space, WRITE_BYTES, left}));
        const int taken = size ? socket->Send(Create<Packet>(size)) : 0;
        if (taken <= 0)
        {
            break;
        }
        m_sent += static_cast<uint64_t>(taken);
        space = socket->GetTxAvailable();
    }
    if (m_bytes && m_sent == m_bytes && !m_stopped)
    {
        Stop();
    }
}

} // namespace ns3
