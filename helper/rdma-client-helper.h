/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_CLIENT_HELPER_H
#define RDMA_CLIENT_HELPER_H

#include "ns3/address.h"
#include "ns3/application-container.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rdma-client.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{

/**
 * Installs RdmaClients that all send to one NIC under one congestion control. What is not set has the default of the
 * attribute of RdmaClient.
 *
 *     RdmaClientHelper clients(receiverNic, RccAlgorithm::Create("dcqcn"));
 *     clients.SetMessageSize(1000000);
 *     clients.Install(senders).Start(MilliSeconds(1));
 */
class RdmaClientHelper
{
  public:
    /// \param remote NIC of the receiver \param algorithm congestion control of the queue pairs
    RdmaClientHelper(Ptr<RdmaNic> remote, Ptr<RccAlgorithm> algorithm);

    /// \param remote address of the receiver, see RdmaClient::SetRemote \param algorithm congestion control of the
    /// queue pairs
    RdmaClientHelper(const Address& remote, Ptr<RccAlgorithm> algorithm);

    /// \param remote NIC of the receiver of the next clients
    void SetRemote(Ptr<RdmaNic> remote)
    {
        m_factory.Set("Remote", PointerValue(remote));
    }

    /// \param remote address of the receiver of the next clients
    void SetRemote(const Address& remote)
    {
        m_factory.Set("Remote", AddressValue(remote));
    }

    /// \param algorithm congestion control of the next clients
    void SetAlgorithm(Ptr<RccAlgorithm> algorithm)
    {
        m_factory.Set("Algorithm", PointerValue(algorithm));
    }

    /// \param bytes payload of the message; 0 = without end
    void SetMessageSize(uint64_t bytes)
    {
        m_factory.Set("MessageSize", UintegerValue(bytes));
    }

    /// \param rate at which the application offers packets, see RdmaClient's DataRate; 0 = no limit
    void SetDataRate(const DataRate& rate)
    {
        m_factory.Set("DataRate", DataRateValue(rate));
    }

    /// \param bytes payload in flight, 0 = no bound \param variable the bound shrinks with the rate
    void SetWindow(uint64_t bytes, bool variable)
    {
        m_factory.Set("Window", UintegerValue(bytes));
        m_factory.Set("VariableWindow", BooleanValue(variable));
    }

    /// \param cls traffic class of the data, 0..7
    void SetTrafficClass(uint8_t cls)
    {
        m_factory.Set("TrafficClass", UintegerValue(cls));
    }

    /// \param name of any other attribute of RdmaClient \param value of it
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        m_factory.Set(name, value);
    }

    /// \return a client that is not installed yet
    Ptr<RdmaClient> Create() const
    {
        return m_factory.Create<RdmaClient>();
    }

    /// \param node with an aggregated RdmaNic \return its new client
    ApplicationContainer Install(Ptr<Node> node) const;

    /// \param nodes each with an aggregated RdmaNic \return their new clients, in the same order
    ApplicationContainer Install(const NodeContainer& nodes) const;

  private:
    ObjectFactory m_factory;
};

} // namespace ns3

#endif /* RDMA_CLIENT_HELPER_H */
