/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice towards the internet stack: packets from it to a queue and from a frame to it. */
#include "ns3/rcc-random.h"
#include "qbb-net-device.h"
#include "rcc-wire.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rcc_wire.h"
#include "ns3/socket.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbNetDeviceIp");

namespace
{

const uint16_t IPV4 = 0x0800;
const uint16_t IPV6 = 0x86dd;
const uint32_t HEAD_BYTES = 44; // so many bytes of a packet hold its class and flow

/// Write a mark that a switch put on the frame into the packet's header. \param header of its kind
template <class Header, class Ecn>
void
SetCe(Ptr<Packet> packet, Header header, Ecn ce)
{
    packet->RemoveHeader(header);
    header.SetEcn(ce);
    packet->AddHeader(header);
}

} // namespace

void
QbbNetDevice::DoInitialize()
{
    if (m_wire)
    {
        m_wire->FindOwners();
    }
    NetDevice::DoInitialize();
}

uint32_t
QbbNetDevice::GetLargestFrame() const
{
    const uint32_t data = m_owner->GetLargestFrame();
    const bool stack = data && m_node && (m_node->GetObject<Ipv4>() || m_node->GetObject<Ipv6>());
    return data ? std::max(data, stack ? m_mtu + IP_OVERHEAD : 0) + GetVlanBytes() : 0;
}

QbbPortIp&
QbbNetDevice::GetIp()
{
    if (!m_ip)
    {
        m_ip.reset(new QbbPortIp);
    }
    if (!m_ip->queue) // the traffic control layer may come after who waits for changes of the link
    {
        Ptr<NetDeviceQueueInterface> queues = GetObject<NetDeviceQueueInterface>();
        m_ip->queue = queues ? queues->GetTxQueue(0) : nullptr;
    }
    return *m_ip;
}

/// \return whether another packet of any size may wait
bool
QbbNetDevice::HasIpRoom(uint8_t cls) const
{
    return m_ip->waiting[cls] + m_mtu + IP_OVERHEAD + GetVlanBytes() <= m_ipQueueSize;
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
QbbNetDevice::DropIp(Ptr<Packet> packet, uint64_t QbbIpCounters::*counter)
{
    (GetIp().counters.*counter)++;
    if (m_traces)
    {
        m_traces->macTxDrop(packet);
    }
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
        return DropIp(packet, &QbbIpCounters::refused);
    }
    uint8_t head[HEAD_BYTES];
    const uint32_t there = packet->CopyData(head, sizeof head);
    const uint8_t trafficClass = rcc_wire_ip_class(head, there, protocol);
    const uint8_t cls = IpClassOf(packet, trafficClass);
    const uint32_t bytes = std::max(packet->GetSize() + IP_OVERHEAD + GetVlanBytes(), ETHERNET_MIN_BYTES);
    QbbPortIp& ip = GetIp();
    if (ip.waiting[cls] + bytes > m_ipQueueSize)
    {
        return DropIp(packet, &QbbIpCounters::queueFull);
    }
    if (m_traces)
    {
        m_traces->macTx(packet);
    }
    ip.counters.sent++;
    RccFrame* f = m_pool->Get();
    f->kind = RccFrameKind::IP;
    f->bytes = bytes;
    f->payload = packet->GetSize();
    f->src = m_node->GetId();
    f->srcQp = m_port;
    f->dst = group ? RCC_ALL_HOSTS : static_cast<uint32_t>(mac);
    f->mac = mac;
    f->etherType = protocol;
    f->tag.vlan = GetVlan();
    f->tag.dscp = protocol == IPV4 || protocol == IPV6 ? 1 + (trafficClass >> 2) : 0;
    f->hash = rcc_wire_ip_flow(head, there, protocol, &RccMix);
    f->ecn = static_cast<RccEcn>(trafficClass & 3u);
    f->cls = cls;
    f->packet = GetPointer(packet); // with the reference that the frame owns
    if (ip.queue)
    {
        ip.queue->NotifyQueuedBytes(bytes);
    }
    ip.waiting[cls] += bytes;
    Enqueue(f, RccNow());
    if (ip.queue && ip.waiting[cls] && !HasIpRoom(cls))
    {
        ip.stopped |= 1u << cls;
        ip.queue->Stop();
    }
    return true;
}

bool
QbbNetDevice::SendFrom(Ptr<Packet> packet, const Address& source, const Address& dest, uint16_t protocol)
{
    // Switches know hosts by the address; another source could not be answered.
    return source == GetAddress() ? Send(packet, dest, protocol) : DropIp(packet, &QbbIpCounters::refused);
}

void
QbbNetDevice::IpLeaves(const RccFrame* frame)
{
    const uint8_t cls = frame->cls;
    QbbPortIp& ip = *m_ip;
    ip.waiting[cls] -= frame->bytes;
    if (!ip.queue)
    {
        return;
    }
    ip.queue->NotifyTransmittedBytes(frame->bytes);
    if ((ip.stopped & (1u << cls)) && (HasIpRoom(cls) || !ip.waiting[cls]))
    {
        ip.stopped &= ~(1u << cls);
        if (!ip.stopped) // the stack has one queue in front of all classes
        {
            ip.queue->Wake();
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
        Ipv4Header header;
        if (Node::ChecksumEnabled())
        {
            header.EnableChecksum();
        }
        SetCe(packet, header, Ipv4Header::ECN_CE);
    }
    else if (frame->ecn == RccEcn::CE && protocol == IPV6)
    {
        SetCe(packet, Ipv6Header(), Ipv6Header::ECN_CE);
    }
    // An event of the node's own, as the stack's timers and ns-3's log want it: an RccEvent belongs to no node.
    Simulator::ScheduleWithContext(m_node->GetId(), NanoSeconds(0), &QbbNetDevice::HandUp, this, packet, protocol,
                                   RccWire::MacOf(frame->src, frame->srcQp), RccWire::MacFromNumber(frame->mac));
}

void
QbbNetDevice::HandUp(Ptr<Packet> packet, uint16_t protocol, Mac48Address from, Mac48Address to)
{
    GetIp().counters.received++;
    if (m_traces)
    {
        m_traces->macRx(packet);
    }
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

} // namespace ns3
