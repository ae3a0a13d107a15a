/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-client-helper.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3
{

RdmaClientHelper::RdmaClientHelper(Ptr<RdmaNic> remote, Ptr<RccAlgorithm> algorithm)
{
    m_factory.SetTypeId(RdmaClient::GetTypeId());
    SetRemote(remote);
    SetAlgorithm(algorithm);
}

void
RdmaClientHelper::SetRemote(Ptr<RdmaNic> remote)
{
    m_factory.Set("Remote", PointerValue(remote));
}

void
RdmaClientHelper::SetAlgorithm(Ptr<RccAlgorithm> algorithm)
{
    m_factory.Set("Algorithm", PointerValue(algorithm));
}

void
RdmaClientHelper::SetMessageSize(uint64_t bytes)
{
    m_factory.Set("MessageSize", UintegerValue(bytes));
}

void
RdmaClientHelper::SetDataRate(const DataRate& rate)
{
    m_factory.Set("DataRate", DataRateValue(rate));
}

void
RdmaClientHelper::SetWindow(uint64_t bytes, bool variable)
{
    m_factory.Set("Window", UintegerValue(bytes));
    m_factory.Set("VariableWindow", BooleanValue(variable));
}

void
RdmaClientHelper::SetTrafficClass(uint8_t cls)
{
    m_factory.Set("TrafficClass", UintegerValue(cls));
}

void
RdmaClientHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

Ptr<RdmaClient>
RdmaClientHelper::Create() const
{
    return m_factory.Create<RdmaClient>();
}

Ptr<RdmaClient>
RdmaClientHelper::Install(Ptr<Node> node) const
{
    Ptr<RdmaClient> client = Create();
    node->AddApplication(client);
    return client;
}

ApplicationContainer
RdmaClientHelper::Install(const NodeContainer& nodes) const
{
    ApplicationContainer clients;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        clients.Add(Install(*node));
    }
    return clients;
}

} // namespace ns3
