/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-path.h"

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/qbb-switch.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ns3
{

namespace
{

const uint32_t HOPS_MAX = 64;           // more is a loop
const int64_t BASE_RTT_MAX = 100000000; // ns, that of the attribute BaseRtt

/// NICs on equal links to one switch have the same way to each other host, and to one another: one of them stands for
/// all. One with several ports stands for itself.
std::vector<Ptr<RdmaNic>>
Different(const std::vector<Ptr<RdmaNic>>& nics)
{
    std::set<std::tuple<const Node*, uint64_t, int64_t, uint32_t>> alike;
    std::vector<Ptr<RdmaNic>> found;
    for (const auto& nic : nics)
    {
        const Ptr<QbbNetDevice> device = nic->GetPort(0);
        const Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(device->GetChannel());
        const Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(PeekPointer(device)) : nullptr;
        if (nic->GetNPorts() > 1 || !peer ||
            alike.insert({PeekPointer(peer->GetNode()), device->GetRate(), channel->GetDelayNs(), nic->GetMtu()})
                .second)
        {
            found.push_back(nic);
        }
    }
    return found;
}

} // namespace

std::vector<RccHop>
RdmaPathTo(const RdmaNic& nic, uint32_t port, uint32_t dst, const uint32_t* hash)
{
    std::vector<RccHop> path;
    Ptr<QbbNetDevice> device = nic.GetPort(port);
    while (path.size() < HOPS_MAX)
    {
        Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(device->GetChannel());
        Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(PeekPointer(device)) : nullptr;
        if (!peer)
        {
            return {};
        }
        path.push_back(RccHop{device->GetRate(), channel->GetDelayNs(), 0});
        if (peer->GetNode()->GetId() == dst)
        {
            return path;
        }
        Ptr<QbbSwitch> sw = peer->GetNode()->GetObject<QbbSwitch>();
        const uint32_t output = !sw ? 0 : hash ? sw->GetOutput(dst, *hash) : sw->GetFirstOutput(dst);
        if (!sw || output == sw->GetNPorts())
        {
            return {};
        }
        path.back().header = sw->GetCutThrough();
        device = sw->GetPort(output);
        if (hash && sw->SpraysData())
        {
            return {};
        }
    }
    return {};
}

std::vector<RccHop>
RdmaPathOf(const RdmaNic& nic, const RdmaSendQp& qp)
{
    return RdmaPathTo(nic, qp.portIndex, qp.dst, &qp.hash);
}

int64_t
RdmaBaseRtt(const RdmaNic& nic, uint32_t dst)
{
    const std::vector<RccHop> path = RdmaPathTo(nic, nic.PickPort(dst, 0), dst, nullptr);
    return path.empty() ? 0 : RccIdealFct(path, nic.GetMtu(), nic.GetMtu(), 1);
}

int64_t
RdmaSetBaseRtt(const std::vector<Ptr<RdmaNic>>& nics)
{
    int64_t longest = 0;
    for (const auto& from : Different(nics))
    {
        for (const auto& to : nics)
        {
            longest = from == to ? longest : std::max(longest, RdmaBaseRtt(*from, to->GetObject<Node>()->GetId()));
        }
    }
    for (const auto& nic : nics)
    {
        TimeValue given;
        nic->GetAttribute("BaseRtt", given);
        if (given.Get().IsZero())
        {
            nic->SetAttribute("BaseRtt", TimeValue(NanoSeconds(std::min(longest, BASE_RTT_MAX))));
        }
    }
    return longest;
}

int64_t
RccIdealFct(const std::vector<RccHop>& path, uint64_t bytes, uint32_t mtu, uint32_t ackEvery, uint32_t tagBytes,
            uint32_t rethBytes)
{
    std::vector<rcc_link> links(2 * path.size());
    const rcc_lone_flow flow = {bytes, mtu, ackEvery, ROCE_OVERHEAD + tagBytes, rethBytes, ROCE_ACK_BYTES + tagBytes};
    return rcc_lone_flow_time(path.data(), path.size(), links.data(), &flow);
}

} // namespace ns3
