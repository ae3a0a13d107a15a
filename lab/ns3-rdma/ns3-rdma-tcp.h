/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_TCP_H
#define NS3_RDMA_TCP_H

#include "ns3-rdma-network.h"

#include "ns3/rcc-gateway.h"
#include "ns3/tcp-bulk.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * The flows of TCP_FLOW_FILE, through ns-3's internet stack over the same ports
 * as the RDMA flows, in the class of QbbNetDevice::IpClass. Only hosts that have
 * such a flow get a stack.
 *
 *     Ns3RdmaTcp tcp;
 *     tcp.Install(net, input.tcpFlows);      // the network is built
 *     ... run ...
 *     tcp.GetDelivered(0);
 */
class Ns3RdmaTcp
{
  public:
    static const uint16_t FIRST_PORT = 5000; //!< of the listener of the first flow

    /**
     * \param net is built
     * \param flows 0 bytes = until their stop, or the end
     * \param ended called for each flow that ends, in the rank of its receiver: all of it has arrived, or what was sent
     *        before its stop; empty: nothing
     */
    void Install(const Ns3RdmaNetwork& net, const std::vector<Ns3RdmaFlow>& flows,
                 const std::function<void()>& ended = nullptr);

    /// \return number of flows installed
    size_t GetNFlows() const
    {
        return m_flows.size();
    }

    /// \param flow counted from 0 \return its row
    const Ns3RdmaFlow& GetFlow(size_t flow) const
    {
        return m_flows[flow]->row;
    }

    /// \param flow counted from 0 \return ns from its start until all its bytes had been read; negative before
    int64_t GetCompletionTime(size_t flow) const
    {
        return m_flows[flow]->receiver.GetDone() < 0 ? -1
                                                     : m_flows[flow]->receiver.GetDone() - m_flows[flow]->row.start;
    }

    /// \param flow counted from 0 \return payload that its receiver's socket has read, bytes
    uint64_t GetDelivered(size_t flow) const
    {
        return m_flows[flow]->receiver.GetDelivered();
    }

    /// In one of several ranks, after the simulation: learn from the others what became of the flows. \param ranks that
    /// all call this
    void Gather(RccGateway& ranks);

  private:
    /// One connection and its two ends.
    struct Flow
    {
        Ns3RdmaFlow row;
        TcpBulkReceiver receiver;
        TcpBulkSender sender;

        /// \param of the flow \param net is built \param to address and port of the receiver
        Flow(const Ns3RdmaFlow& of, const Ns3RdmaNetwork& net, const Address& to)
            : row(of),
              receiver(net.GetNode(of.dst), of.bytes),
              sender(net.GetNode(of.src), to, of.bytes)
        {
        }
    };

    std::vector<std::unique_ptr<Flow>> m_flows; //!< sockets keep pointers to them
};

} // namespace ns3

#endif /* NS3_RDMA_TCP_H */
