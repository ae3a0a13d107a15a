/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_TCP_H
#define NS3_RDMA_TCP_H

#include "ns3-rdma-network.h"
#include "rcc-results.h"

#include "ns3/ipv4-interface-container.h"
#include "ns3/socket.h"

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
 *     json.Add("tcp", tcp.Results());
 */
class Ns3RdmaTcp
{
  public:
    static const uint16_t FIRST_PORT = 5000; //!< of the listener of the first flow

    /// \param flows bytes 0 = until their stop, or the end
    void Install(const Ns3RdmaNetwork& net, const std::vector<Ns3RdmaFlow>& flows);

    /// One object per flow: src, dst, bytes, delivered_bytes, fct_s (null: not all arrived). \return an array
    RccJson Results() const;

    /// Payload that the receivers' sockets have read, of a flow, bytes.
    uint64_t GetDelivered(size_t flow) const
    {
        return m_flows[flow]->delivered;
    }

  private:
    /// One connection and its two ends.
    struct Flow
    {
        Ns3RdmaFlow row;
        Ptr<Socket> listener, sender, receiver;
        Address to;
        uint64_t sent{0}, delivered{0};
        int64_t done{-1}; //!< when all had arrived, ns
        bool stopped{false};

        void Start();
        void Stop();
        void Connected(Ptr<Socket> socket);
        void Fill(Ptr<Socket> socket, uint32_t room);
        void Accept(Ptr<Socket> socket, const Address& from);
        void Drain(Ptr<Socket> socket);
    };

    std::vector<std::unique_ptr<Flow>> m_flows; //!< sockets keep pointers to them
};

} // namespace ns3

#endif /* NS3_RDMA_TCP_H */
