/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-faults.h"

#include "lab-link-faults.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-units.h"

#include "ns3/abort.h"
#include "ns3/rcc-random.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

const int64_t TIME_MAX = 1000000000000000; // ns, after every run
const uint32_t CNP_ONLY = 1u << static_cast<uint32_t>(RccFrameKind::CNP);
const uint32_t PFC_ONLY = 1u << static_cast<uint32_t>(RccFrameKind::PFC);

uint32_t
NodeOf(Ptr<QbbChannel> channel, uint32_t end)
{
    return channel->GetDevice(end)->GetNode()->GetId();
}

/// \return ns; of one without an end, after all times
int64_t
EndOf(const RunFault& fault)
{
    return fault.lasts < 0 ? INT64_MAX : fault.at + fault.lasts;
}

/// Bytes of a frame of a kind.
uint32_t
BytesOf(RccFrameKind kind, uint32_t payload)
{
    switch (kind)
    {
    case RccFrameKind::DATA:
        return payload + ROCE_OVERHEAD;
    case RccFrameKind::CNP:
        return ROCE_CNP_BYTES;
    case RccFrameKind::CNM:
        return CNM_BYTES;
    default:
        return ROCE_ACK_BYTES;
    }
}

} // namespace

LabFaults::LabFaults() = default;
LabFaults::~LabFaults() = default;

// ---------------------------------------------------------------- the network

LabLinkFaults&
LabFaults::DisturbanceOf(Ptr<QbbChannel> channel)
{
    auto& disturbance = m_disturbances[PeekPointer(channel)];
    if (!disturbance)
    {
        disturbance.reset(new LabLinkFaults(*this));
        channel->SetDisturbance(disturbance.get());
    }
    return *disturbance;
}

void
LabFaults::Install(const NodeContainer& nodes, uint64_t seed)
{
    NS_ABORT_MSG_IF(!m_hits.empty(), "LabFaults: installed twice");
    m_nodes = nodes;
    m_seed = seed;
    m_hits.assign(m_faults.size(), 0);
    for (const auto& port : QbbGetPorts(nodes))
    {
        auto channel = DynamicCast<QbbChannel>(port->GetChannel());
        if (channel && channel->GetNDevices() == 2 && channel->GetDevice(0) == port)
        {
            m_channels.push_back(channel);
        }
    }
    for (size_t n = 0; n < m_faults.size(); n++)
    {
        InstallOne(n);
    }
}

/// The faults of a kind at a place by their begin.
std::map<int64_t, size_t>&
LabFaults::FaultsAt(const RunFault& fault, const Object* place)
{
    return m_occupied[std::make_tuple(fault.kind, fault.kind == RunFaultKind::PAUSE ? fault.cls : uint8_t{0}, place)];
}

/// For faults whose end restores what was before: of two at a time the first end would be that of both.
/// Throws RunError if another one of the kind lasts at this place.
void
LabFaults::Occupy(size_t number, const Object* place)
{
    const RunFault& fault = m_faults[number];
    auto& others = FaultsAt(fault, place);
    auto other = others.lower_bound(fault.at);
    if (other == others.end() || other->first >= EndOf(fault))
    {
        other = other == others.begin() ? others.end() : std::prev(other);
    }
    if (other != others.end() && EndOf(m_faults[other->second]) > fault.at)
    {
        throw RunError(fault.record, "AT", "overlap", std::to_string(fault.at),
                       {std::to_string(m_faults[other->second].record)});
    }
    others.emplace(fault.at, number);
}

/// \return whether another one of the kind begins at this place now, at the end of this one
bool
LabFaults::IsTakenOver(size_t number, const Object* place)
{
    const auto& others = FaultsAt(m_faults[number], place);
    const auto next = others.find(RccNow());
    return next != others.end() && next->second != number;
}

void
LabFaults::KeepRate(Ptr<QbbNetDevice> port, int64_t from, const std::string& what)
{
    const auto kept = m_kept.emplace(PeekPointer(port), std::make_pair(from, what));
    if (from < kept.first->second.first)
    {
        kept.first->second = {from, what};
    }
}

/// Throws RunError if KeepRate leaves no time for a fault of this link.
void
LabFaults::CheckKept(const RunFault& fault, Ptr<QbbChannel> channel) const
{
    for (uint32_t end = 0; end < 2; end++)
    {
        const auto kept = m_kept.find(PeekPointer(channel->GetDevice(end)));
        if (kept != m_kept.end() && EndOf(fault) > kept->second.first)
        {
            throw RunError(fault.record, "RATE", "rate-set", std::to_string(fault.rate),
                           {std::to_string(NodeOf(channel, end)), std::to_string(NodeOf(channel, 1 - end)),
                            std::to_string(kept->second.first), kept->second.second});
        }
    }
}

void
LabFaults::InstallOne(size_t number)
{
    switch (m_faults[number].kind)
    {
    case RunFaultKind::PAUSE:
    case RunFaultKind::STOP_READING:
    case RunFaultKind::SLOW_NP:
    case RunFaultKind::FORGE:
        InstallOnHosts(number);
        break;
    case RunFaultKind::RESTART:
        InstallOnSwitch(number);
        break;
    default:
        InstallOnLinks(number);
    }
}

void
LabFaults::InstallOnLinks(size_t number)
{
    const RunFault& fault = m_faults[number];
    std::vector<Ptr<QbbChannel>> links;
    std::copy_if(m_channels.begin(), m_channels.end(), std::back_inserter(links), [&](const Ptr<QbbChannel>& channel) {
        return fault.node == RUN_NONE ||
               std::minmax({NodeOf(channel, 0), NodeOf(channel, 1)}) == std::minmax({fault.node, fault.peer});
    });
    if (links.empty())
    {
        throw RunError(fault.record, "NODE", "no-link", std::to_string(fault.node), {std::to_string(fault.peer)});
    }
    if (fault.kind == RunFaultKind::LINK_DOWN)
    {
        ScheduleDown(number, links);
        return;
    }
    for (const auto& channel : links)
    {
        if (fault.kind == RunFaultKind::RATE)
        {
            const uint64_t rate = DynamicCast<QbbNetDevice>(channel->GetDevice(0))->GetRate();
            if (fault.rate >= rate)
            {
                throw RunError(fault.record, "RATE", "link-rate", std::to_string(fault.rate), {std::to_string(rate)});
            }
            CheckKept(fault, channel);
            Occupy(number, PeekPointer(channel));
            Simulator::Schedule(NanoSeconds(fault.at), &LabFaults::SetRate, this, number, channel, fault.rate);
            if (fault.lasts >= 0)
            {
                Simulator::Schedule(NanoSeconds(fault.at + fault.lasts), &LabFaults::SetRate, this, number, channel,
                                    rate);
            }
            continue;
        }
        const auto index =
            static_cast<uint64_t>(std::find(m_channels.begin(), m_channels.end(), channel) - m_channels.begin());
        for (uint32_t end = 0; end < 2; end++)
        {
            if (!fault.oneWay || NodeOf(channel, end) == fault.node)
            {
                DisturbanceOf(channel).Add(number, end,
                                           RccStreamOf(m_seed, RccStream::FAULT, (number << 32) + 2 * index + end));
            }
        }
    }
}

void
LabFaults::InstallOnHosts(size_t number)
{
    const RunFault& fault = m_faults[number];
    std::vector<Ptr<RdmaNic>> nics;
    for (auto i = m_nodes.Begin(); i != m_nodes.End(); ++i)
    {
        Ptr<RdmaNic> nic = (*i)->GetObject<RdmaNic>();
        if (nic && nic->GetNPorts() && (fault.node == RUN_NONE || (*i)->GetId() == fault.node))
        {
            nics.push_back(nic);
        }
    }
    if (nics.empty())
    {
        throw RunError(fault.record, "NODE", "kind", std::to_string(fault.node), {"host"});
    }
    const int64_t end = fault.lasts < 0 ? -1 : fault.at + fault.lasts;
    const bool restores = fault.kind == RunFaultKind::PAUSE || fault.kind == RunFaultKind::STOP_READING;
    for (const auto& nic : nics)
    {
        if (restores)
        {
            Occupy(number, PeekPointer(nic));
        }
        switch (fault.kind)
        {
        case RunFaultKind::PAUSE:
            Simulator::Schedule(NanoSeconds(fault.at), &LabFaults::Pause, this, number, nic, end);
            break;
        case RunFaultKind::STOP_READING:
            Simulator::Schedule(NanoSeconds(fault.at), &LabFaults::StopReading, this, number, nic, true);
            if (end >= 0)
            {
                Simulator::Schedule(NanoSeconds(end), &LabFaults::StopReading, this, number, nic, false);
            }
            break;
        case RunFaultKind::FORGE:
            Simulator::Schedule(NanoSeconds(fault.at), &LabFaults::Forge, this, number, nic, 0);
            break;
        default: // SLOW_NP
            m_faults[number].frames = CNP_ONLY;
            for (uint32_t p = 0; p < nic->GetNPorts(); p++)
            {
                auto channel = DynamicCast<QbbChannel>(nic->GetPort(p)->GetChannel());
                const uint32_t from = channel->GetDevice(0) == nic->GetPort(p) ? 0 : 1;
                DisturbanceOf(channel).Add(number, from, 0);
            }
        }
    }
}

void
LabFaults::InstallOnSwitch(size_t number)
{
    const RunFault& fault = m_faults[number];
    Ptr<QbbSwitch> sw;
    for (const auto& one : QbbGetSwitches(m_nodes))
    {
        sw = one->GetObject<Node>()->GetId() == fault.node ? one : sw;
    }
    if (!sw)
    {
        throw RunError(fault.record, "NODE", "kind", std::to_string(fault.node), {"switch"});
    }
    std::vector<Ptr<QbbChannel>> links;
    for (uint32_t p = 0; p < sw->GetNPorts(); p++)
    {
        links.push_back(DynamicCast<QbbChannel>(sw->GetPort(p)->GetChannel()));
    }
    ScheduleDown(number, links);
    if (fault.lasts >= 0)
    {
        Simulator::Schedule(NanoSeconds(fault.at + fault.lasts), &LabFaults::Restart, this, number, sw);
    }
}

void
LabFaults::ScheduleDown(size_t number, const std::vector<Ptr<QbbChannel>>& links)
{
    const RunFault& fault = m_faults[number];
    int64_t at = fault.at;
    for (uint64_t i = 0; i < std::max<uint64_t>(fault.count, 1) && at <= TIME_MAX; i++, at += fault.time)
    {
        for (const auto& channel : links)
        {
            Simulator::Schedule(NanoSeconds(at), &LabFaults::SetLink, this, number, channel, false);
            if (fault.lasts >= 0)
            {
                Simulator::Schedule(NanoSeconds(at + fault.lasts), &LabFaults::SetLink, this, number, channel, true);
            }
        }
    }
}

// ---------------------------------------------------------------- what happens

void
LabFaults::SetLink(size_t number, Ptr<QbbChannel> channel, bool up)
{
    uint32_t& holders = m_down[PeekPointer(channel)];
    holders = up ? holders - 1 : holders + 1;
    m_hits[number]++;
    if (holders == (up ? 0 : 1))
    {
        up ? channel->BringUp(RccNow()) : channel->TakeDown(RccNow());
        if (m_reroute >= 0)
        {
            Simulator::Schedule(NanoSeconds(m_reroute), &QbbReroute, m_nodes, m_upDown);
        }
    }
}

void
LabFaults::SetRate(size_t number, Ptr<QbbChannel> channel, uint64_t rate)
{
    m_hits[number]++;
    const bool over = rate != m_faults[number].rate;
    for (uint32_t end = 0; end < 2 && !(over && IsTakenOver(number, PeekPointer(channel))); end++)
    {
        const auto kept = m_kept.find(PeekPointer(channel->GetDevice(end)));
        if (!over || kept == m_kept.end() || kept->second.first > RccNow())
        {
            DynamicCast<QbbNetDevice>(channel->GetDevice(end))->SetDataRate(DataRate(rate));
        }
    }
}

void
LabFaults::Restart(size_t number, Ptr<QbbSwitch> sw)
{
    m_hits[number]++;
    sw->ForgetMarkers();
}

void
LabFaults::Pause(size_t number, Ptr<RdmaNic> nic, int64_t until)
{
    const bool over = until >= 0 && RccNow() >= until;
    m_hits[number]++;
    if (over && IsTakenOver(number, PeekPointer(nic)))
    {
        return;
    }
    const int64_t next = LabPauseLinks(*nic, static_cast<uint8_t>(1u << m_faults[number].cls), !over);
    if (!over)
    {
        const int64_t left = until < 0 ? next : until - RccNow();
        Simulator::Schedule(NanoSeconds(std::min(next, left)), &LabFaults::Pause, this, number, nic, until);
    }
}

void
LabFaults::StopReading(size_t number, Ptr<RdmaNic> nic, bool stop)
{
    m_hits[number]++;
    if (stop)
    {
        nic->StopReading(m_faults[number].buffer);
    }
    else if (!IsTakenOver(number, PeekPointer(nic)))
    {
        nic->ResumeReading();
    }
}

void
LabFaults::Forge(size_t number, Ptr<RdmaNic> nic, uint64_t made)
{
    const RunFault& fault = m_faults[number];
    Ptr<QbbNetDevice> port = nic->GetPort(0);
    auto channel = DynamicCast<QbbChannel>(port->GetChannel());
    RccFrame* frame = RccFramePool::Current()->Get();
    frame->kind = static_cast<RccFrameKind>(__builtin_ctz(fault.frames));
    const bool data = frame->kind == RccFrameKind::DATA;
    frame->payload = data ? nic->GetMtu() : 0;
    frame->bytes = BytesOf(frame->kind, frame->payload);
    frame->dst = port->GetNode()->GetId();
    frame->src =
        frame->dst == m_nodes.Get(0)->GetId() && m_nodes.GetN() > 1 ? m_nodes.Get(1)->GetId() : m_nodes.Get(0)->GetId();
    frame->dstQp = fault.qp;
    frame->psn = fault.psn;
    frame->cls = data ? fault.cls : port->GetControlClass();
    frame->stamp = -1;
    if (frame->kind == RccFrameKind::CNP)
    {
        frame->period = fault.period;
    }
    channel->Inject(channel->GetDevice(0) == port ? 1 : 0, frame, RccNow());
    m_hits[number]++;
    const bool over = fault.lasts >= 0 && RccNow() + fault.time >= fault.at + fault.lasts;
    if (made + 1 < fault.count && !over)
    {
        Simulator::Schedule(NanoSeconds(fault.time), &LabFaults::Forge, this, number, nic, made + 1);
    }
}

// ---------------------------------------------------------------- what may follow

uint64_t
LabFaults::GetLostFrames() const
{
    uint64_t lost = 0;
    for (const auto& channel : m_channels)
    {
        lost += channel->GetLostFrames();
    }
    return lost;
}

bool
LabFaults::MayDrop() const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [](const RunFault& f) {
        const bool picks =
            f.kind == RunFaultKind::LOSE || f.kind == RunFaultKind::CORRUPT || f.kind == RunFaultKind::DELAY;
        return f.kind == RunFaultKind::LINK_DOWN || f.kind == RunFaultKind::RESTART || (picks && (f.frames & PFC_ONLY));
    });
}

uint32_t
LabFaults::GetCrowds() const
{
    uint32_t kinds = 0;
    for (const auto& f : m_faults)
    {
        const bool some = f.kind == RunFaultKind::DELAY || f.kind == RunFaultKind::DUPLICATE;
        kinds |= f.kind == RunFaultKind::SLOW_NP ? CNP_ONLY : some ? f.frames & RUN_ALL_BUT_PFC : 0;
    }
    return kinds;
}

bool
LabFaults::MayAddCnps() const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [](const RunFault& f) {
        return (f.kind == RunFaultKind::FORGE || f.kind == RunFaultKind::DUPLICATE) && (f.frames & CNP_ONLY);
    });
}

} // namespace ns3
