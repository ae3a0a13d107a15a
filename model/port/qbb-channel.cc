/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-channel.h"

#include "ns3/rcc-disjoint-sets.h"
#include "qbb-net-device.h"
#include "rcc-gateway.h"
#include "rcc-late.h"

#include "ns3/boolean.h"
#include "ns3/channel-list.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulation-singleton.h"

#include <algorithm>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbChannel");
NS_OBJECT_ENSURE_REGISTERED(QbbChannel);
template class RccInSlabs<QbbChannel>;

namespace
{
/// The longest delay of a link, in the whole simulation and by network: nodes that links connect.
struct LongestDelay
{
    int64_t ns{0};
    bool counted{false};          //!< false: links were added, or have another delay
    RccDisjointSets networks;     //!< sets of node ids
    std::vector<int64_t> longest; //!< by the node that stands for a network, ns

    /// Find the networks and their longest delays.
    void Count()
    {
        networks = RccDisjointSets(NodeList::GetNNodes());
        longest.assign(networks.GetN(), 0);
        std::vector<std::pair<uint32_t, int64_t>> links;
        for (auto i = ChannelList::Begin(); i != ChannelList::End(); ++i)
        {
            Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(*i);
            if (!channel || channel->GetNDevices() < 2)
            {
                continue;
            }
            Ptr<Node> a = channel->GetDevice(0)->GetNode();
            Ptr<Node> b = channel->GetDevice(1)->GetNode();
            if (a && b) // a device may be on no node yet
            {
                networks.Join(a->GetId(), b->GetId());
                links.emplace_back(a->GetId(), channel->GetDelay().GetNanoSeconds());
            }
        }
        for (const auto& link : links)
        {
            int64_t& most = longest[networks.Find(link.first)];
            most = std::max(most, link.second);
        }
        counted = true;
    }
};
} // namespace

TypeId
QbbChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbChannel")
            .SetParent<Channel>()
            .SetGroupName("Rcc")
            .AddConstructor<QbbChannel>()
            .AddAttribute("Delay", "Propagation delay.", TimeValue(MicroSeconds(1)),
                          RccFix<QbbChannel>(MakeTimeAccessor(&QbbChannel::SetDelay, &QbbChannel::GetDelay)),
                          MakeTimeChecker(NanoSeconds(0), Hours(2)))
            .AddAttribute("LosesEveryKind",
                          "An error rate loses frames of every kind, as links do: ACKs, NAKs, CNPs, "
                          "CNMs and PFC frames too; false: data alone.",
                          BooleanValue(false), MakeBooleanAccessor(&QbbChannel::m_losesEveryKind),
                          MakeBooleanChecker());
    return tid;
}

QbbChannel::QbbChannel() : m_pool(RccFramePool::Current())
{
}

void
QbbChannel::DoDispose()
{
    Clear();
    for (auto& d : m_directions)
    {
        d.frames.Dispose(*m_pool);
    }
    m_disturbance = nullptr;
    m_devices[0] = m_devices[1] = nullptr;
    m_nDevices = 0;
    Channel::DoDispose();
}

/// Give back what is on the link.
void
QbbChannel::Clear()
{
    for (auto& d : m_directions)
    {
        RccFrameQueue frames = d.frames.TakeAll();
        m_pool->PutAll(frames);
    }
    if (m_late)
    {
        for (const auto& late : m_late->frames)
        {
            m_pool->Put(late.second.second);
        }
        m_late.reset();
    }
}

void
QbbChannel::Leave(uint32_t end)
{
    Clear();
    m_directions[1 - end].receiver = nullptr;
    UpdateDisturbed();
}

Ptr<NetDevice>
QbbChannel::GetDevice(std::size_t i) const
{
    return i < m_nDevices ? m_devices[i] : nullptr;
}

void
QbbChannel::SetDelay(Time delay)
{
    for (auto& d : m_directions)
    {
        d.delayNs = delay.GetNanoSeconds();
    }
    LongestDelay& longest = *SimulationSingleton<LongestDelay>::Get();
    longest.ns = std::max(longest.ns, GetDelayNs());
    longest.counted = false;
}

std::string
QbbChannel::DescribeStart() const
{
    std::string since;
    for (const auto& device : m_devices)
    {
        since = since.empty() && device ? device->DescribeStart() : since;
    }
    return since;
}

int64_t
QbbChannel::GetLongestDelay()
{
    return SimulationSingleton<LongestDelay>::Get()->ns;
}

int64_t
QbbChannel::GetLongestDelay(uint32_t node)
{
    LongestDelay& longest = *SimulationSingleton<LongestDelay>::Get();
    if (!longest.counted || node >= longest.networks.GetN())
    {
        longest.Count();
    }
    return longest.longest[longest.networks.Find(node)];
}

Ptr<QbbNetDevice>
QbbChannel::GetPeer(const QbbNetDevice* device) const
{
    if (m_nDevices < 2)
    {
        return nullptr;
    }
    return PeekPointer(m_devices[0]) == device ? m_devices[1] : m_devices[0];
}

void
QbbChannel::Attach(Ptr<QbbNetDevice> device)
{
    NS_ABORT_MSG_IF(m_nDevices == 2, "QbbChannel: a third device on a point-to-point link");
    NS_ABORT_MSG_IF(Time::GetResolution() < Time::NS, "QbbChannel: Time::SetResolution to more than a nanosecond");
    NS_LOG_FUNCTION(this << device);
    uint32_t end = m_nDevices++;
    m_devices[end] = device;
    Direction& d = m_directions[1 - end]; // the frames of the other end arrive here
    d.receiver = PeekPointer(device);
    d.frames.Bind(&QbbChannel::Arrived, &d, GetArrivalOrder(*device));
    d.frames.SetPrefetcher(&QbbChannel::Prefetch);
    UpdateDisturbed();
    SimulationSingleton<LongestDelay>::Get()->counted = false;
    FindOwners();
}

void
QbbChannel::FindOwners()
{
    RccGateway* const gateway = RccGateway::Current();
    if (!gateway || m_nDevices < 2 || !m_devices[0]->GetNode() || !m_devices[1]->GetNode())
    {
        return;
    }
    const bool local[2] = {RccGateway::IsLocal(*m_devices[0]->GetNode()),
                           RccGateway::IsLocal(*m_devices[1]->GetNode())};
    for (uint32_t end = 0; end < 2; end++)
    {
        Direction& d = m_directions[end];
        if (local[end] && !local[1 - end] && !d.leaves)
        {
            NS_ABORT_MSG_IF(GetDelayNs() <= 0, "a link between ranks without delay");
            d.leaves = d.disturbed = true;
            gateway->AddLink(*m_devices[end], *m_devices[1 - end], GetDelayNs());
        }
    }
}

/// To the other end, which may belong to another rank.
void
QbbChannel::Carry(uint32_t end, RccFrame* frame, int64_t due, int64_t now)
{
    if (!m_directions[end].leaves)
    {
        m_directions[end].frames.Push(frame, due, now);
        return;
    }
    frame->due = due;
    RccGateway::Current()->SendFrame(*m_directions[end].receiver, *frame);
    m_pool->Put(frame);
}

void
QbbChannel::SetErrorRate(double probability, uint64_t stream)
{
    NS_ABORT_MSG_IF(!(probability >= 0 && probability <= 1), "an error rate of " << probability);
    NS_LOG_FUNCTION(this << probability << stream);
    for (unsigned end = 0; end < 2; end++)
    {
        rcc_link_loss_set(&GetUnusual().losses[end], static_cast<uint64_t>(probability * 4294967296.0 + 0.5), stream,
                          end);
    }
    UpdateDisturbed();
}

bool
QbbChannel::Loses(uint32_t end, const RccFrame* frame)
{
    const bool payload = frame->kind == RccFrameKind::DATA || frame->kind == RccFrameKind::IP;
    return m_down || !m_directions[end].receiver ||
           (m_unusual && rcc_link_loses(&m_unusual->losses[end], payload || m_losesEveryKind));
}

void
QbbChannel::Lose(uint32_t end, RccFrame* frame)
{
    GetUnusual().lost++;
    if (m_directions[end].receiver)
    {
        m_directions[end].receiver->LostOnLink(*frame);
    }
    m_pool->Put(frame);
}

void
QbbChannel::SendDisturbed(uint32_t end, RccFrame* frame, int64_t due, int64_t now)
{
    QbbLinkDisturbance::Fate fate;
    fate.lose = Loses(end, frame);
    if (m_disturbance && !fate.lose)
    {
        fate = m_disturbance->FrameSent(end, *frame, now);
    }
    const bool checked = frame->kind == RccFrameKind::PFC || frame->kind == RccFrameKind::IP;
    if (fate.lose || (fate.corrupt && checked))
    {
        Lose(end, frame);
        return;
    }
    if (fate.corrupt && frame->kind != RccFrameKind::CORRUPT)
    {
        frame->tag.was = static_cast<uint8_t>(frame->kind);
        frame->kind = RccFrameKind::CORRUPT;
    }
    if (fate.duplicate)
    {
        GetUnusual().added[end]++;
        AddLate(end, m_pool->Copy(*frame), due + fate.late, now);
    }
    if (fate.late)
    {
        AddLate(end, frame, due + fate.late, now);
        return;
    }
    const uint32_t header = m_directions[end].header;
    if (header && frame->kind != RccFrameKind::PFC)
    {
        const int64_t left = rcc_link_header_left(now, due - GetDelayNs(), m_devices[end]->GetRate(), header);
        frame->rest = static_cast<uint32_t>(due - GetDelayNs() - left);
        due = left + GetDelayNs();
    }
    Carry(end, frame, due, now);
}

void
QbbChannel::SetCutThrough(const QbbNetDevice& receiver, uint32_t header)
{
    m_directions[PeekPointer(m_devices[0]) == &receiver ? 1 : 0].header = header;
    UpdateDisturbed();
}

void
QbbChannel::Inject(uint32_t end, RccFrame* frame, int64_t now)
{
    GetUnusual().added[end]++;
    AddLate(end, frame, now + GetDelayNs(), now);
}

void
QbbChannel::AddLate(uint32_t end, RccFrame* frame, int64_t due, int64_t now)
{
    if (m_down || !m_directions[end].receiver)
    {
        Lose(end, frame);
        return;
    }
    NS_ABORT_MSG_IF(m_directions[end].leaves, "QbbChannel: a late frame on a link between ranks");
    if (!m_late)
    {
        m_late.reset(new Late);
        m_late->self = this;
        m_late->event.Bind(&QbbChannel::LateArrived, m_late.get());
    }
    m_late->frames.emplace(due, std::make_pair(end, frame)); // after those of the same time
    m_late->event.AtOrBefore(due, now);
}

void
QbbChannel::LateArrived(void* latePtr, int64_t now)
{
    auto late = static_cast<Late*>(latePtr);
    while (!late->frames.empty() && late->frames.begin()->first <= now)
    {
        const auto first = late->frames.begin()->second;
        late->frames.erase(late->frames.begin());
        late->self->m_directions[first.first].receiver->Arrived(first.second, now);
    }
    if (!late->frames.empty())
    {
        late->event.At(late->frames.begin()->first, now);
    }
}

void
QbbChannel::BringUp(int64_t now)
{
    NS_LOG_FUNCTION(this << now);
    if (!m_down)
    {
        return;
    }
    m_down = false;
    UpdateDisturbed();
    for (auto& device : m_devices)
    {
        if (device)
        {
            device->LinkUp(now);
        }
    }
}

void
QbbChannel::TakeDown(int64_t now)
{
    NS_LOG_FUNCTION(this << now);
    m_down = true;
    UpdateDisturbed();
    if (m_late)
    {
        for (const auto& late : m_late->frames)
        {
            Lose(late.second.first, late.second.second);
        }
        m_late->frames.clear();
        m_late->event.Disarm();
    }
    for (uint32_t end = 0; end < 2; end++)
    {
        RccFrameQueue lost = m_directions[end].frames.TakeAll();
        while (!lost.IsEmpty())
        {
            Lose(end, lost.Pop());
        }
    }
    for (auto& device : m_devices)
    {
        if (device)
        {
            device->LinkDown(now);
        }
    }
}

/// Prefetch the frame that arrives next, and its port.
void
QbbChannel::Prefetch(void* direction, uint32_t step)
{
    auto d = static_cast<Direction*>(direction);
    const RccFrame* const frame = d->frames.Head();
    if (!frame)
    {
        return;
    }
    if (step == RCC_PREFETCH_DEVICE)
    {
        RccFetchFrame(frame);
    }
    d->receiver->PrefetchArrival(*frame, step);
}

void
QbbChannel::Arrived(void* direction, int64_t now)
{
    auto d = static_cast<Direction*>(direction);
    while (RccFrame* frame = d->frames.PopDue(now))
    {
        d->receiver->Arrived(frame, now);
    }
}

} // namespace ns3
