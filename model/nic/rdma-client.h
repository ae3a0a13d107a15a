/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_CLIENT_H
#define RDMA_CLIENT_H

#include "ns3/rcc-algorithm.h"
#include "rdma-nic.h"

#include "ns3/application.h"
#include "ns3/ipv4-address.h"
#include "ns3/traced-callback.h"

namespace ns3
{

/**
 * Opens a queue pair to another host's NIC when it starts, sends one message or
 * several, Depth of them at a time, and closes the queue pair when the last is
 * acknowledged. When the application stops it sends nothing more; what is under way arrives. Both nodes need an
 * aggregated RdmaNic. The receiver needs no application.
 */
class RdmaClient : public Application
{
  public:
    static TypeId GetTypeId();

    /// \param remote NIC of the receiver; the attribute Remote
    void SetRemote(Ptr<RdmaNic> remote)
    {
        m_remote = remote;
        m_address = Ipv4Address();
    }

    /**
     * \param address of the receiver's host, an Ipv4Address or an InetSocketAddress, whose port is not used: that which
     *        the internet stack has on one of the NIC's ports, or RccWire::AddressOf, which every host has
     */
    void SetRemote(const Address& address);

    /// \return false before the start
    bool IsConnected() const
    {
        return m_connected;
    }

    /// \return index of the sending half in this node's NIC; valid once connected
    uint32_t GetQp() const
    {
        return m_qp;
    }

    /// \return NIC of the receiver; null if Remote is an address, before the start
    Ptr<RdmaNic> GetRemote() const
    {
        return m_remote;
    }

    /// \return size of the message, bytes; 0 = without end
    uint64_t GetSize() const
    {
        return m_size;
    }

    /// \return flow completion time, ns, from the start to the last acknowledgement; negative while unfinished
    int64_t GetCompletionTime() const
    {
        return m_completion;
    }

    /// \return "the start of the application of node N"; empty before it
    std::string DescribeStart() const;

    /// With Held: post the next message. Does nothing before the start and after the last message.
    void Continue();

    /// TracedCallback signature for the start, and for a message that is acknowledged. \param client connected already
    using StartedTracedCallback = void (*)(Ptr<RdmaClient> client);

    /**
     * TracedCallback signature for the end of a message.
     * \param client its queue pair is closed, its counters are still there
     * \param ns from start to last acknowledgement
     */
    using CompletedTracedCallback = void (*)(Ptr<RdmaClient> client, int64_t ns);

  private:
    static const uint8_t ECN_OF_ALGORITHM = 4;

    void DoDispose() override;
    void StartApplication() override;
    void StopApplication() override;
    Ipv4Address GetAddress() const;
    Ptr<RdmaNic> FindRemote() const;
    static void MessageDone(void* client, uint32_t qp);
    void MessageDone(uint32_t qp);
    bool HasNext() const;
    std::string DescribeLastPost() const;
    std::string DescribeEnd() const;
    void PostNext();
    void PostAfterThinking();

    friend class RdmaRemoteAccessor;

    Ptr<RdmaNic> m_nic, m_remote;
    Ipv4Address m_address; //!< address of the receiver, if it was given in place of its NIC
    Ptr<RccAlgorithm> m_algorithm;
    uint64_t m_size;
    uint8_t m_class, m_dscp, m_ecn;
    DataRate m_rate;
    uint64_t m_window;
    bool m_variableWindow;
    uint64_t m_messages, m_posted{0}, m_done{0}, m_thinking{0};
    uint32_t m_depth;
    bool m_held;
    Time m_thinkTime;
    bool m_connected{false};
    uint32_t m_qp{0};
    int64_t m_completion{-1};
    TracedCallback<Ptr<RdmaClient>> m_started, m_acknowledged;
    TracedCallback<Ptr<RdmaClient>, int64_t> m_completed;
};

} // namespace ns3

#endif /* RDMA_CLIENT_H */
