/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice towards the internet stack: packets from it to a queue and from a frame to it, and the rest of
 * NetDevice. */
#include "qbb-net-device.h"
#include "rcc-random.h"
#include "rcc-wire.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/socket.h"

#include <cstring>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDeviceIp");

namespace
{

const uint16_t IPV4 = 0x0800;
const uint16_t IPV6 = 0x86dd;
const uint32_t IPV4_BYTES = 20;
const uint32_t IPV6_BYTES = 40;

/// What switches look at: class and ECN, and which packets must take the same path.
struct IpFields
{
    uint8_t trafficClass{0}; //!< DSCP and ECN
    uint32_t flow{0};

    IpFields(const Packet& packet, uint16_t protocol)
    {
        uint8_t head[IPV6_BYTES + 4] = {};
        const uint32_t bytes = packet.CopyData(head, sizeof head);
        if (protocol == IPV4 && bytes >= IPV4_BYTES)
        {
            trafficClass = head[1];
            const bool whole = ((head[6] & 0x3fu) | head[7]) == 0; // fragments have no ports but the first
            const uint32_t header = (head[0] & 0xfu) * 4u;
            const uint8_t* ports = head + header;
            flow = Hash(head + 12, 8, head[9], whole && header + 4 <= bytes && header <= IPV6_BYTES ? ports : nullptr);
        }
        else if (protocol == IPV6 && bytes >= IPV6_BYTES)
        {
            trafficClass = static_cast<uint8_t>((head[0] << 4) | (head[1] >> 4));
            const bool ports = (head[6] == 6 || head[6] == 17) && bytes >= IPV6_BYTES + 4;
            flow = Hash(head + 8, 32, head[6], ports ? head + IPV6_BYTES : nullptr);
        }
    }

    static uint32_t Hash(const uint8_t* addresses, uint32_t bytes, uint8_t protocol, const uint8_t* ports)
    {
        const bool hasPorts = ports && (protocol == 6 || protocol == 17);
        uint32_t word = 0;
        if (hasPorts)
        {
            std::memcpy(&word, ports, 4);
        }
        uint64_t hash = RccMix((static_cast<uint64_t>(word) << 8) | protocol);
        for (uint32_t i = 0; i < bytes; i += 4)
        {
            std::memcpy(&word, addresses + i, 4);
            hash = RccMix(hash ^ word);
        }
        return static_cast<uint32_t>(hash);
    }
};

/// Write a mark that a switch put on the frame into the packet's header.
template <class Header, class Ecn>
void
SetCe(Ptr<Packet> packet, Ecn ce, void (*prepare)(Header&))
{
    Header header;
    prepare(header);
    packet->RemoveHeader(header);
    header.SetEcn(ce);
    packet->AddHeader(header);
}

void
Checksum4(Ipv4Header& header)
{
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
}

void
NoChecksum6(Ipv6Header&)
{
}

} // namespace

void
QbbNetDevice::DoInitialize()
{
    Ptr<NetDeviceQueueInterface> queues = GetObject<NetDeviceQueueInterface>();
    m_ipQueue = queues ? queues->GetTxQueue(0) : nullptr;
    NetDevice::DoInitialize();
}

uint8_t
QbbNetDevice::IpClassOf(Ptr<const Packet> packet, uint8_t trafficClass) const
{
    SocketPriorityTag priority;
    if (m_ipPriority && packet->PeekPacketTag(priority))
    {
        return priority.GetPriority() % QBB_CLASSES;
    }
    return m_ipDscp && trafficClass >> 2 ? trafficClass >> 5 : m_ipClass;
}

bool
QbbNetDevice::DropIp(Ptr<Packet> packet, uint64_t& counter)
{
    counter++;
    m_macTxDrop(packet);
    return false;
}

bool
QbbNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol)
{
    const uint64_t mac = RccWire::MacNumber(Mac48Address::ConvertFrom(dest));
    const bool group = (mac >> 40) & 1u;
    const bool known = (mac >> 40) == 0x02 && mac != RccWire::MacNumber(m_address);
    if (!m_source || (!group && !known) || packet->GetSize() > m_mtu)
    {
        NS_LOG_WARN("packet of " << packet->GetSize() << " bytes to " << dest << " refused");
        return DropIp(packet, m_ipCounters.refused);
    }
    const IpFields fields(*packet, protocol);
    const uint8_t cls = IpClassOf(packet, fields.trafficClass);
    const uint32_t bytes = std::max(packet->GetSize() + IP_OVERHEAD + GetVlanBytes(), ETHERNET_MIN_BYTES);
    if (m_ipWaiting[cls] + bytes > m_ipQueueSize)
    {
        return DropIp(packet, m_ipCounters.queueFull);
    }
    m_macTx(packet);
    m_ipCounters.sent++;
    RccFrame* f = m_pool->Get();
    f->kind = RccFrameKind::IP;
    f->bytes = bytes;
    f->payload = packet->GetSize();
    f->src = m_node->GetId();
    f->srcQp = m_port;
    f->dst = group ? RCC_ALL_HOSTS : static_cast<uint32_t>(mac);
    f->mac = mac;
    f->etherType = protocol;
    f->vlan = GetVlan();
    f->hash = fields.flow;
    f->ecn = static_cast<RccEcn>(fields.trafficClass & 3u);
    f->cls = cls;
    f->packet = GetPointer(packet); // with the reference that the frame owns
    if (m_ipQueue)
    {
        m_ipQueue->NotifyQueuedBytes(bytes);
    }
    m_ipWaiting[cls] += bytes;
    Enqueue(f, RccNow());
    if (m_ipQueue && m_ipWaiting[cls] && !HasIpRoom(cls))
    {
        m_ipStopped |= 1u << cls;
        m_ipQueue->Stop();
    }
    return true;
}

bool
QbbNetDevice::SendFrom(Ptr<Packet> packet, const Address& source, const Address& dest, uint16_t protocol)
{
    // Switches know hosts by the address; another source could not be answered.
    return source == GetAddress() ? Send(packet, dest, protocol) : DropIp(packet, m_ipCounters.refused);
}

void
QbbNetDevice::IpLeaves(const RccFrame* frame)
{
    const uint8_t cls = frame->cls;
    m_ipWaiting[cls] -= frame->bytes;
    if (!m_ipQueue)
    {
        return;
    }
    m_ipQueue->NotifyTransmittedBytes(frame->bytes);
    if ((m_ipStopped & (1u << cls)) && (HasIpRoom(cls) || !m_ipWaiting[cls]))
    {
        m_ipStopped &= ~(1u << cls);
        if (!m_ipStopped) // the stack has one queue in front of all classes
        {
            m_ipQueue->Wake();
        }
    }
}

void
QbbNetDevice::ReceiveIp(RccFrame* frame, bool last)
{
    // The stack takes headers off the packet, which is its own then.
    const bool shared = !last || frame->packet->GetReferenceCount() > 1;
    Ptr<Packet> packet = shared ? frame->packet->Copy() : Ptr<Packet>(frame->packet);
    if (last)
    {
        frame->packet->Unref();
        frame->packet = nullptr;
    }
    const auto protocol = static_cast<uint16_t>(frame->etherType);
    if (frame->ecn == RccEcn::CE && protocol == IPV4)
    {
        SetCe(packet, Ipv4Header::ECN_CE, &Checksum4);
    }
    else if (frame->ecn == RccEcn::CE && protocol == IPV6)
    {
        SetCe(packet, Ipv6Header::ECN_CE, &NoChecksum6);
    }
    // An event of the node's own, as the stack's timers and ns-3's log want it: an RccEvent belongs to no node.
    Simulator::ScheduleWithContext(m_node->GetId(), NanoSeconds(0), &QbbNetDevice::HandUp, this, packet, protocol,
                                   RccWire::MacOf(frame->src, frame->srcQp), RccWire::MacFromNumber(frame->mac));
}

void
QbbNetDevice::HandUp(Ptr<Packet> packet, uint16_t protocol, Mac48Address from, Mac48Address to)
{
    m_ipCounters.received++;
    m_macRx(packet);
    if (!m_promiscReceive.IsNull())
    {
        const NetDevice::PacketType type = to.IsBroadcast() ? NetDevice::PACKET_BROADCAST
                                           : to.IsGroup()   ? NetDevice::PACKET_MULTICAST
                                                            : NetDevice::PACKET_HOST;
        m_promiscReceive(this, packet->Copy(), protocol, from, to, type);
    }
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, protocol, from);
    }
}

// ---------------------------------------------------------------- the rest of NetDevice

void
QbbNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
QbbNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
QbbNetDevice::GetChannel() const
{
    return m_channel;
}

void
QbbNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
QbbNetDevice::GetAddress() const
{
    return m_address;
}

bool
QbbNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
QbbNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
QbbNetDevice::IsLinkUp() const
{
    return m_wire && m_channel->GetNDevices() == 2 && !m_channel->IsDown();
}

void
QbbNetDevice::AddLinkChangeCallback(Callback<void>)
{
    // A link goes down once and for good; nothing in this module needs to be told.
}

bool
QbbNetDevice::IsBroadcast() const
{
    return true;
}

Address
QbbNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
QbbNetDevice::IsMulticast() const
{
    return true;
}

Address
QbbNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
QbbNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
QbbNetDevice::IsBridge() const
{
    return false;
}

bool
QbbNetDevice::IsPointToPoint() const
{
    return false; // the stack sees all hosts behind the switches on one Ethernet
}

Ptr<Node>
QbbNetDevice::GetNode() const
{
    return m_node;
}

void
QbbNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
QbbNetDevice::NeedsArp() const
{
    return true;
}

void
QbbNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receive = cb;
}

void
QbbNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscReceive = cb;
}

bool
QbbNetDevice::SupportsSendFrom() const
{
    return !m_source; // only to let a bridge have a switch's port: see QbbBridgeForGlobalRouting
}

} // namespace ns3
