/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-switch-base.h"

#include "ns3/rcc-random.h"
#include "rcc-checker.h"
#include "rcc-late.h"

#include "ns3/abort.h"
#include "ns3/channel-list.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbSwitchBase");
NS_OBJECT_ENSURE_REGISTERED(QbbSwitchBase);

namespace
{
/// The checker of integers knows the upper end.
bool
IsFrameSize(const AttributeValue& value)
{
    const uint64_t bytes = dynamic_cast<const UintegerValue&>(value).Get();
    return bytes == 0 || bytes >= ETHERNET_MIN_BYTES;
}
} // namespace

TypeId
QbbSwitchBase::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QbbSwitchBase").SetParent<Object>().SetGroupName("Rcc");
    return tid;
}

TypeId
QbbSwitchBase::AddCommon(TypeId tid)
{
    return tid
        .AddAttribute("ControlClass", "Class of the congestion notification messages.",
                      UintegerValue(QBB_CONTROL_CLASS), MakeUintegerAccessor(&QbbSwitchBase::m_controlClass),
                      MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
        .AddAttribute(
            "MaxFrame",
            "Largest frame, bytes, tags included; the headroom must hold it. 0 = at Start the largest that a host "
            "sends: "
            "of RDMA by the NIC's Mtu, and of IP by the device's Mtu where an internet stack is installed.",
            UintegerValue(0),
            RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitchBase::SetMaxFrame, &QbbSwitchBase::GetMaxFrame)),
            Ptr<const AttributeChecker>(
                new RccChecker(MakeUintegerChecker<uint32_t>(0, RCC_FRAME_MAX), &IsFrameSize, ", 0 or 64 and more"),
                false))
        .AddAttribute("PauseQuanta",
                      "Duration of the pause that a PFC frame asks for, in 512 bit times; refreshed at half of it.",
                      UintegerValue(65535), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitchBase::m_pauseQuanta)),
                      MakeUintegerChecker<uint16_t>(2));
}

QbbSwitchBase::QbbSwitchBase(uint32_t leastFrame, const char* routeCalls)
    : m_pool(RccFramePool::Current()),
      m_leastFrame(leastFrame),
      m_routeCalls(routeCalls)
{
}

void
QbbSwitchBase::DoInitialize()
{
    const bool larger = m_followed && FindLargestFrame() > m_followed; // a stack was installed after Start
    if (m_started && !HasSeenFrames() && (larger || HasFasterPorts()))
    {
        m_started = false;
        UndoMaxFrame();
    }
    const std::string error = m_started ? "" : Start();
    NS_ABORT_MSG_IF(!error.empty(), "the switch of node " << m_node << " cannot start: " << error);
    m_initialRoutes = m_routes.GetChanges();
    Object::DoInitialize();
}

std::string
QbbSwitchBase::DescribeStart() const
{
    return m_started ? "Start of the switch of node " + std::to_string(m_node) : "";
}

void
QbbSwitchBase::SetMaxFrame(uint32_t bytes)
{
    m_maxFrame = bytes;
    m_follows = bytes == 0;
}

uint32_t
QbbSwitchBase::GetMaxFrame() const
{
    return m_maxFrame;
}

/// \return bytes of the largest frame that a host of the simulation sends, without telemetry
uint32_t
QbbSwitchBase::FindLargestFrame() const
{
    uint32_t bytes = m_leastFrame;
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNDevices(); i++)
        {
            const Ptr<QbbNetDevice> device = DynamicCast<QbbNetDevice>((*node)->GetDevice(i));
            bytes = std::max(bytes, device ? device->GetLargestFrame() : 0);
        }
    }
    return bytes;
}

void
QbbSwitchBase::StartMaxFrame(uint32_t space)
{
    m_followed = m_follows ? FindLargestFrame() : 0;
    m_maxFrame = (m_follows ? m_followed : m_maxFrame) + space;
    m_room = space;
    m_rates.clear();
    for (const auto& device : m_devices)
    {
        m_rates.push_back(device->GetRate());
    }
}

void
QbbSwitchBase::UndoMaxFrame()
{
    m_maxFrame = m_follows ? 0 : m_maxFrame - m_room;
}

/// \return whether both ends of a link have a higher rate than Start found, for which the headroom is too small
bool
QbbSwitchBase::HasFasterPorts() const
{
    bool faster = false;
    for (uint32_t port = 0; port < GetNPorts(); port++)
    {
        faster = faster || (m_devices[port]->GetRate() > m_rates[port] && CheckRates(port).empty());
    }
    return faster;
}

/// \return whether a host may be without a route on purpose: a link is down, or routes have changed during the run
bool
QbbSwitchBase::MayBeCut() const
{
    bool down = IsInitialized() && m_routes.GetChanges() != m_initialRoutes;
    for (auto i = ChannelList::Begin(); !down && i != ChannelList::End(); ++i)
    {
        const Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(*i);
        down = channel && channel->IsDown();
    }
    return down;
}

const QbbNetDevice*
QbbSwitchBase::CheckWay(QbbWay& way, std::string* why) const
{
    const Route* route = m_routes.Find(way.dst);
    const uint32_t port = route ? m_routes.GetPort(*route, 0) : GetNPorts();
    if (!route && !MayBeCut())
    {
        *why = "the switch of node " + std::to_string(m_node) + " has no route to node " + std::to_string(way.dst) +
               ": call " + m_routeCalls;
    }
    return port < GetNPorts() ? PeekPointer(m_devices[port]) : nullptr;
}

void
QbbSwitchBase::DoDispose()
{
    m_devices.clear();
    Object::DoDispose();
}

uint32_t
QbbSwitchBase::AddPort(Ptr<QbbNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_IF(!device || !device->GetNode(), "AddPort of a switch: there is no device, or it is on no node");
    NS_ABORT_MSG_IF(m_started, "AddPort of a switch after Start");
    const uint32_t port = GetNPorts();
    NS_ABORT_MSG_IF(port == UINT16_MAX, "a switch of more than " << UINT16_MAX << " ports");
    m_devices.push_back(device);
    device->SetOwner(this, port);
    m_node = device->GetNode()->GetId();
    m_paths.salt = rcc_path_salt(m_node);
    return port;
}

/// Abort if a frame has arrived, which may have drawn numbers. \param call that comes too late
void
QbbSwitchBase::RequireNoFrames(const char* call) const
{
    NS_ABORT_MSG_IF(HasSeenFrames(), call << " of the switch of node " << m_node << " after its first frame");
}

bool
QbbSwitchBase::HasSeenFrames() const
{
    return std::any_of(m_devices.begin(), m_devices.end(),
                       [](const Ptr<QbbNetDevice>& device) { return device->GetCounters().rxFrames != 0; });
}

void
QbbSwitchBase::SetSeed(uint64_t seed)
{
    RequireNoFrames("SetSeed");
    m_streams.SetSeed(seed);
    if (m_started)
    {
        RestartDraws();
    }
}

int64_t
QbbSwitchBase::AssignStreams(int64_t stream)
{
    RequireNoFrames("AssignStreams");
    const int64_t used = m_streams.Assign(stream);
    if (m_started)
    {
        RestartDraws();
    }
    return used;
}

std::string
QbbSwitchBase::DescribePorts() const
{
    return "the switch has " + std::to_string(GetNPorts()) + " ports";
}

void
QbbSwitchBase::CheckRoute(const std::vector<uint32_t>& ports) const
{
    for (uint32_t port : ports)
    {
        NS_ABORT_MSG_IF(m_started && port >= GetNPorts(),
                        "a route leads through port " << port << ", " << DescribePorts());
    }
}

std::string
QbbSwitchBase::CheckRoutes() const
{
    for (uint32_t port = 0; port < GetNPorts(); port++)
    {
        if (!m_devices[port]->GetChannel())
        {
            return "port " + std::to_string(port) + ": it is on no link";
        }
    }
    const uint32_t end = m_routes.GetPortsEnd();
    return end <= GetNPorts() ? "" : "a route leads through port " + std::to_string(end - 1) + ", " + DescribePorts();
}

Ptr<QbbNetDevice>
QbbSwitchBase::GetPeer(uint32_t port) const
{
    const QbbNetDevice* const device = PeekPointer(m_devices[port]);
    return DynamicCast<QbbChannel>(device->GetChannel())->GetPeer(device);
}

int64_t
QbbSwitchBase::RefreshAfter(uint32_t port, uint16_t quanta) const
{
    return rcc_pfc_refresh_after(quanta, GetPeer(port)->GetRate());
}

std::string
QbbSwitchBase::CheckRates(uint32_t port) const
{
    const QbbNetDevice& device = *m_devices[port];
    Ptr<QbbNetDevice> peer = GetPeer(port);
    return !peer || peer->GetRate() == device.GetRate()
               ? ""
               : "port " + std::to_string(port) + ": the link has " + std::to_string(device.GetRate()) +
                     " bit/s at this end and " + std::to_string(peer->GetRate()) + " bit/s at the other";
}

std::string
QbbSwitchBase::CheckQuanta(uint16_t quanta) const
{
    return rcc_pfc_can_refresh(quanta, m_maxFrame)
               ? ""
               : "PauseQuanta of " + std::to_string(quanta) +
                     " x 64 bytes end before they can be refreshed: half of them, " + std::to_string(quanta * 32u) +
                     " bytes, must cover a frame of " + std::to_string(m_maxFrame) + " bytes and two PFC frames of " +
                     std::to_string(PFC_BYTES);
}

uint64_t
QbbSwitchBase::StreamOf(uint32_t port, uint32_t number)
{
    return RccStreamOf(m_streams.Seed(), RccStream::CONGESTION_POINT,
                       (m_streams.Id(m_node) << 24) + (port << 8) + number);
}

uint64_t
QbbSwitchBase::PathStream(uint8_t cls)
{
    return RccStreamOf(m_streams.Seed(), RccStream::PATH, (m_streams.Id(m_node) << 8) + cls);
}

rcc_cp*
QbbSwitchBase::StartPoint(std::unique_ptr<uint64_t[]>& memory, RccAlgorithm& algorithm, uint32_t port, uint32_t number)
{
    memory.reset(new uint64_t[rcc_cp_size(algorithm.GetCore()) / 8 + 1]());
    return rcc_cp_start(memory.get(), algorithm.GetCpProfile(m_devices[port]->GetRate()), StreamOf(port, number));
}

void
QbbSwitchBase::Drop(uint32_t port, RccFrame* frame, int64_t now)
{
    m_devices[port]->Dropped(*frame, now);
    NS_LOG_INFO("port " << port << ": dropped " << *frame);
    m_dropped++;
    m_droppedOf[frame->cls]++;
    m_pool->Put(frame);
}

void
QbbSwitchBase::Flood(uint32_t port, RccFrame* frame, int64_t now)
{
    const uint32_t end = m_routes.GetHostsEnd();
    for (uint32_t host = 0; host < end; host++)
    {
        if (m_routes.Find(host) && host != frame->src)
        {
            RccFrame* copy = m_pool->Copy(*frame);
            copy->dst = host;
            FrameArrived(port, copy, now);
        }
    }
    m_pool->Put(frame);
}

} // namespace ns3
