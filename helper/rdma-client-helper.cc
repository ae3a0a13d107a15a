/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-client-helper.h"

namespace ns3
{

RdmaClientHelper::RdmaClientHelper(Ptr<RdmaNic> remote, Ptr<RccAlgorithm> algorithm)
{
    m_factory.SetTypeId(RdmaClient::GetTypeId());
    SetRemote(remote);
    SetAlgorithm(algorithm);
}

RdmaClientHelper::RdmaClientHelper(const Address& remote, Ptr<RccAlgorithm> algorithm)
{
    m_factory.SetTypeId(RdmaClient::GetTypeId());
    SetRemote(remote);
    SetAlgorithm(algorithm);
}

ApplicationContainer
RdmaClientHelper::Install(Ptr<Node> node) const
{
    return Install(NodeContainer(node));
}

ApplicationContainer
RdmaClientHelper::Install(const NodeContainer& nodes) const
{
    ApplicationContainer clients;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        Ptr<RdmaClient> client = Create();
        (*node)->AddApplication(client);
        clients.Add(client);
    }
    return clients;
}

} // namespace ns3
