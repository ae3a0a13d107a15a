/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-path.h"

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/qbb-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{

namespace
{

const uint32_t HOPS_MAX = 64;           // more is a loop
const int64_t BASE_RTT_MAX = 100000000; // ns, that of the attribute BaseRtt

/// The first link of a port: the node at its other end, rate, delay and Mtu. It decides which way data take, and how
/// long a full packet needs.
using FirstLink = std::tuple<const Node*, uint64_t, int64_t, uint32_t>;

/// A NIC, and by port which FirstLink it has.
struct Sender
{
    Ptr<RdmaNic> nic;
    std::vector<size_t> links;
};

/// NICs on equal links to one switch have the same way to each other host, and to one another: one of them stands for
/// all. One with several ports stands for itself, as its routes may differ. \param[out] nLinks number of FirstLinks
std::vector<Sender>
Different(const std::vector<Ptr<RdmaNic>>& nics, size_t* nLinks)
{
    std::map<FirstLink, size_t> numbers;
    std::vector<Sender> found;
    for (const auto& nic : nics)
    {
        Sender sender{nic, {}};
        bool known = nic->GetNPorts() <= 1;
        for (uint32_t port = 0; port < nic->GetNPorts(); port++)
        {
            const Ptr<QbbNetDevice> device = nic->GetPort(port);
            const Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(device->GetChannel());
            const Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(PeekPointer(device)) : nullptr;
            const FirstLink link(peer ? PeekPointer(peer->GetNode()) : nullptr, device->GetRate(),
                                 channel ? channel->GetDelayNs() : 0, nic->GetMtu());
            const auto number = numbers.emplace(link, numbers.size());
            sender.links.push_back(number.first->second);
            known = known && !number.second;
        }
        if (!known)
        {
            found.push_back(sender);
        }
    }
    *nLinks = numbers.size();
    return found;
}

/// As RdmaPathTo. \param gaps false: those of the links are not read, which takes longer than the rest
std::vector<RccHop>
Follow(const RdmaNic& nic, uint32_t port, uint32_t dst, const uint32_t* hash, bool gaps, uint8_t cls = QBB_RDMA_CLASS)
{
    std::vector<RccHop> path;
    Ptr<QbbNetDevice> device = port < nic.GetNPorts() ? nic.GetPort(port) : nullptr;
    while (device && path.size() < HOPS_MAX)
    {
        Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(device->GetChannel());
        Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(PeekPointer(device)) : nullptr;
        if (!peer)
        {
            return {};
        }
        path.emplace_back(device->GetRate(), channel->GetDelayNs());
        if (gaps)
        {
            UintegerValue gap;
            device->GetAttribute("InterframeGap", gap);
            path.back().gap = static_cast<uint32_t>(gap.Get());
        }
        if (peer->GetNode()->GetId() == dst)
        {
            return path;
        }
        Ptr<QbbSwitch> sw = peer->GetNode()->GetObject<QbbSwitch>();
        const uint32_t output = !sw ? 0 : hash ? sw->GetOutput(dst, *hash, cls) : sw->GetFirstOutput(dst);
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

/// Round-trip time of a full packet, in which gaps do not count. \return ns; 0: the path is not known
int64_t
RttThrough(const RdmaNic& nic, uint32_t port, uint32_t dst)
{
    const std::vector<RccHop> path = Follow(nic, port, dst, nullptr, false);
    return path.empty() ? 0 : RccIdealFct(path, nic.GetMtu(), nic.GetMtu(), 1);
}

} // namespace

std::vector<RccHop>
RdmaPathTo(const RdmaNic& nic, uint32_t port, uint32_t dst, const uint32_t* hash)
{
    return Follow(nic, port, dst, hash, true);
}

std::vector<RccHop>
RdmaPathOf(const RdmaNic& nic, const RdmaSendQp& qp)
{
    return Follow(nic, qp.portIndex, qp.dst, &qp.hash, true, qp.cls);
}

int64_t
RdmaBaseRtt(const RdmaNic& nic, uint32_t dst)
{
    int64_t longest = 0;
    for (uint32_t hash = 0; hash < nic.GetNPorts(); hash++) // which pick every port that is allowed
    {
        longest = std::max(longest, RttThrough(nic, nic.PickPort(dst, hash), dst));
    }
    return longest;
}

int64_t
RdmaSetBaseRtt(const std::vector<Ptr<RdmaNic>>& nics)
{
    size_t nLinks;
    const std::vector<Sender> senders = Different(nics, &nLinks);
    std::vector<int64_t> known(nLinks); // to one host, by FirstLink; negative: not yet
    int64_t longest = 0;
    for (const auto& to : nics)
    {
        const Ptr<Node> node = to->GetObject<Node>();
        std::fill(known.begin(), known.end(), -1);
        for (const Sender& from : senders)
        {
            const uint32_t ports = node && from.nic != to ? from.nic->GetNPorts() : 0;
            for (uint32_t hash = 0; hash < ports; hash++)
            {
                const uint32_t port = from.nic->PickPort(node->GetId(), hash);
                int64_t& rtt = known[from.links[port]];
                rtt = rtt < 0 ? RttThrough(*from.nic, port, node->GetId()) : rtt;
                longest = std::max(longest, rtt);
            }
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
    std::vector<rcc_path_link> hops;
    for (const RccHop& hop : path)
    {
        hops.push_back({hop.rate, hop.delay, hop.header, hop.gap});
    }
    std::vector<rcc_link> links(2 * path.size());
    const rcc_lone_flow flow = {bytes, mtu, ackEvery, ROCE_OVERHEAD + tagBytes, rethBytes, ROCE_ACK_BYTES + tagBytes};
    return rcc_lone_flow_time(hops.data(), hops.size(), links.data(), &flow);
}

} // namespace ns3
