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
