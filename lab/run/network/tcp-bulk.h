/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* TCP connections beside RDMA, for scenario: no ns-3 helper. */
#ifndef TCP_BULK_H
#define TCP_BULK_H

#include "ns3/node.h"
#include "ns3/rcc-gateway.h"
#include "ns3/socket.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * The receiver of one or more TCP connections: reads what arrives. With its senders it stands in for ns3::PacketSink
 * and ns3::BulkSendApplication. Those make their sockets when they start, so that no attribute of one connection can be
 * set before, and they run on nodes of other ranks too. They also bring another library into every program's start.
 */
class TcpBulkReceiver
{
  public:
    /**
     * \param node with ns-3's internet stack
     * \param bytes after which the transfer is complete; 0: never
     * \param control type of its congestion control; none: that of the node
     */
    explicit TcpBulkReceiver(Ptr<Node> node, uint64_t bytes = 0, TypeId control = TypeId());

    TcpBulkReceiver(const TcpBulkReceiver&) = delete;
    TcpBulkReceiver& operator=(const TcpBulkReceiver&) = delete;

    /// \return the listening socket, whose attributes those of the connections follow
    Ptr<Socket> GetSocket() const
    {
        return m_listener;
    }

    /// \param ended called once, in the rank of the node: the transfer is complete, its sender has closed the
    /// connection, or SenderStops was called while there was none
    void SetEnded(const std::function<void()>& ended)
    {
        m_ended = ended;
    }

    /// The sender begins nothing any more.
    void SenderStops();

    /// Accept connections. \param port of the node
    void Listen(uint16_t port);

    /// In one of several ranks, after the simulation: learn what the rank of the node has. \param ranks that all call
    /// this
    void Gather(RccGateway& ranks);

    /// \return payload that has been read, bytes
    uint64_t GetDelivered() const
    {
        return m_delivered;
    }

    /// \return when the transfer was complete, ns; negative before
    int64_t GetDone() const
    {
        return m_done;
    }

  private:
    void Accept(Ptr<Socket> socket, const Address& from);
    void Read(Ptr<Socket> socket);
    void Closed(Ptr<Socket> socket);
    void End();

    Ptr<Socket> m_listener;
    std::vector<Ptr<Socket>> m_connections; //!< keeps them
    std::function<void()> m_ended;          //!< empty: nobody asks, or it was called
    uint64_t m_bytes;
    uint64_t m_delivered{0};
    int64_t m_done{-1};
};

/// The sender of a TCP connection: writes as much as its socket takes.
class TcpBulkSender
{
  public:
    /**
     * \param node with ns-3's internet stack
     * \param to address and port of the receiver
     * \param bytes that it writes, then it closes the connection; 0: until it is stopped
     * \param control type of its congestion control; none: that of the node
     */
    TcpBulkSender(Ptr<Node> node, const Address& to, uint64_t bytes = 0, TypeId control = TypeId());

    TcpBulkSender(const TcpBulkSender&) = delete;
    TcpBulkSender& operator=(const TcpBulkSender&) = delete;

    /// \return the socket
    Ptr<Socket> GetSocket() const
    {
        return m_socket;
    }

    /// Connect. A node of another rank does nothing. \param at ns, after the simulation's begin
    void StartAt(int64_t at);

    /// Close the connection. \param at ns \param then called after that, by every rank; empty: nothing
    void StopAt(int64_t at, const std::function<void()>& then = nullptr);

  private:
    void Start();
    void Stop();
    void StopDue();
    void Write(Ptr<Socket> socket, uint32_t space);

    Ptr<Socket> m_socket;
    Address m_to;
    uint64_t m_bytes;
    uint64_t m_sent{0};
    bool m_stopped{false};
    std::function<void()> m_then; //!< the callback of StopAt
};

} // namespace ns3

#endif /* TCP_BULK_H */
