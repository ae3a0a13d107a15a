/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-path.h"

#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/qbb-switch.h"

#include <algorithm>

namespace ns3
{

namespace
{

const uint32_t HOPS_MAX = 64; // more is a loop

/// One direction of a link, as QbbNetDevice keeps it.
class IdealLink
{
  public:
    explicit IdealLink(const RccHop& hop) : m_rate(hop.rate), m_delay(hop.delay)
    {
    }

    /// A frame is ready at `now`. \return when its last bit has arrived
    int64_t Send(int64_t now, uint32_t bytes)
    {
        if (bytes != m_bytes)
        {
            const uint64_t bitNs = static_cast<uint64_t>(bytes) * 8 * 1000000000;
            m_bytes = bytes;
            m_ns = static_cast<int64_t>(bitNs / m_rate);
            m_restOf = bitNs % m_rate;
        }
        m_rest = (now > m_free ? 0 : m_rest) + m_restOf;
        m_free = std::max(now, m_free) + m_ns;
        if (m_rest >= m_rate)
        {
            m_rest -= m_rate;
            m_free++;
        }
        return m_free + m_delay;
    }

  private:
    uint64_t m_rate;
    int64_t m_delay;
    int64_t m_free{0};
    uint64_t m_rest{0}; //!< ns / m_rate
    uint32_t m_bytes{0};
    int64_t m_ns{0};
    uint64_t m_restOf{0};
};

} // namespace

std::vector<RccHop>
RdmaPathOf(const RdmaNic& nic, const RdmaSendQp& qp)
{
    std::vector<RccHop> path;
    Ptr<QbbNetDevice> device = nic.GetPort(qp.port);
    while (path.size() < HOPS_MAX)
    {
        Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(device->GetChannel());
        Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(PeekPointer(device)) : nullptr;
        if (!peer)
        {
            return {};
        }
        path.push_back(RccHop{device->GetRate(), channel->GetDelayNs()});
        if (peer->GetNode()->GetId() == qp.dst)
        {
            return path;
        }
        Ptr<QbbSwitch> sw = peer->GetNode()->GetObject<QbbSwitch>();
        const uint32_t port = sw ? sw->GetOutput(qp.dst, qp.hash) : 0;
        if (!sw || port == sw->GetNPorts())
        {
            return {};
        }
        BooleanValue perPacket;
        sw->GetAttribute("EcmpPerPacket", perPacket);
        if (perPacket.Get())
        {
            return {};
        }
        device = sw->GetPort(port);
    }
    return {};
}

int64_t
RccIdealFct(const std::vector<RccHop>& path, uint64_t bytes, uint32_t mtu, uint32_t ackEvery, uint32_t tagBytes,
            uint32_t rethBytes)
{
    std::vector<IdealLink> forth(path.begin(), path.end());
    std::vector<IdealLink> back(path.rbegin(), path.rend());
    const uint64_t packets = (bytes + mtu - 1) / mtu;
    int64_t acknowledged = 0;
    for (uint64_t i = 0; i < packets; i++)
    {
        const bool last = i + 1 == packets;
        const auto payload = static_cast<uint32_t>(last ? bytes - i * mtu : mtu);
        int64_t at = 0;
        for (auto& link : forth)
        {
            at = link.Send(at, payload + ROCE_OVERHEAD + tagBytes + (i ? 0 : rethBytes));
        }
        if (last || (i + 1) % ackEvery == 0)
        {
            for (auto& link : back)
            {
                at = link.Send(at, ROCE_ACK_BYTES + tagBytes);
            }
            acknowledged = at;
        }
    }
    return acknowledged;
}

} // namespace ns3
