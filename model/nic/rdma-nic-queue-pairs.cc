/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The functions of RdmaNic that its parts implement. */
#include "rdma-nic-parts.h"
#include "rdma-nic.h"

#include "ns3/abort.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/rcc-gateway.h"
#include "ns3/simulation-singleton.h"

#include <iostream>

namespace ns3
{

namespace
{
const uint32_t HOPS_MAX = 64; // more is a loop

/// Counters of what all NICs of a simulation have sent and delivered, destroyed with the simulation, after the nodes.
struct Delivered
{
    uint64_t queuePairs{0}, sent{0}, delivered{0};

    ~Delivered()
    {
        if (sent && !delivered && !RccGateway::Current()) // another rank may have the receivers
        {
            std::cerr << "rcc: " << queuePairs << " queue pairs have sent " << sent
                      << " packets, and none was delivered" << std::endl;
        }
    }
};
} // namespace

// ---------------------------------------------------------------- what attributes and switches must be

bool
RdmaNic::HasQueuePairs() const
{
    return m_parts->sender.GetN() || m_parts->receiver.GetN();
}

std::string
RdmaNic::DescribeStart() const
{
    return HasQueuePairs() ? "the first queue pair of the NIC of node " + std::to_string(m_parts->shared.node) : "";
}

/// An attribute was set that open queue pairs follow.
void
RdmaNic::ApplyLate()
{
    if (HasQueuePairs())
    {
        ApplyAttributes();
    }
}

void
RdmaNic::DoInitialize()
{
    for (uint32_t qp = 0; qp < GetNSendQps(); qp++)
    {
        if (m_parts->sender.HasHalf(qp) && GetSendQp(qp).started >= 0)
        {
            CheckWays(qp);
        }
    }
    Object::DoInitialize();
}

/// Abort if a switch between the ends of a queue pair lacks a route or a congestion point. \param qp index
void
RdmaNic::CheckWays(uint32_t qp) const
{
    const RdmaSendQp& half = GetSendQp(qp);
    const rcc_profile& profile = *half.pacer.rp->profile;
    const rcc_cp_frames frames = rcc_cp_watches(profile.alg);
    const bool capable = half.ecn == RccEcn::ECT0 || half.ecn == RccEcn::ECT1; // no switch marks others
    const bool marked = frames != RCC_CP_ECN_CAPABLE || capable;
    const Ptr<RdmaNic> to = NodeList::GetNode(half.dst)->GetObject<RdmaNic>();
    std::string why;
    if (to && !half.closed)
    {
        why = CheckWayTo(
            *to, half.hash,
            {half.dst, half.cls, half.tag.dscp, marked ? frames : RCC_CP_NONE, profile.needs.int_form == RCC_INT_PINT});
        why = why.empty() ? to->CheckWayTo(*this, half.hash, {m_parts->shared.node, 0, 0, RCC_CP_NONE, false}) : why;
    }
    NS_ABORT_MSG_IF(!why.empty(), "queue pair " << qp << " of node " << m_parts->shared.node << " to node " << half.dst
                                                << " with " << profile.alg->name << ": " << why);
}

/// \param to the other end \param hash of the flow \param way what it needs \return empty, or what is missing
std::string
RdmaNic::CheckWayTo(const RdmaNic& to, uint32_t hash, QbbWay way) const
{
    std::string why;
    const QbbNetDevice* port = to.GetNPorts() ? PeekPointer(GetPort(PickPort(way.dst, hash))) : nullptr;
    for (uint32_t hops = 0; port && hops < HOPS_MAX; hops++)
    {
        const auto channel = DynamicCast<QbbChannel>(port->GetChannel());
        const Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(port) : nullptr;
        port = peer ? peer->CheckWay(way, &why) : nullptr;
    }
    return why;
}

/// Add this NIC to what all of them have delivered.
void
RdmaNic::CountDelivered() const
{
    if (HasQueuePairs())
    {
        Delivered& all = *SimulationSingleton<Delivered>::Get();
        all.queuePairs += GetNSendQps();
        all.sent += GetCounters().packetsSent;
        all.delivered += GetCounters().packetsDelivered;
    }
}

// ---------------------------------------------------------------- parts

uint32_t
RdmaNic::GetNPorts() const
{
    return m_parts->shared.ports.GetN();
}

const Ptr<QbbNetDevice>&
RdmaNic::GetPort(uint32_t port) const
{
    return m_parts->shared.ports.GetDevice(port);
}

void
RdmaNic::Post(uint32_t qp, uint64_t bytes, const RdmaCompletion& done)
{
    if (IsInitialized() && GetSendQp(qp).started < 0)
    {
        CheckWays(qp);
    }
    m_parts->sender.Post(qp, bytes, done);
}

void
RdmaNic::SetOfferedRate(uint32_t qp, uint64_t rate)
{
    rcc_qp_offer(&m_parts->sender.Get(qp), rate, RccNow());
}

void
RdmaNic::SetWindow(uint32_t qp, uint64_t bytes, bool variable)
{
    m_parts->sender.SetWindow(qp, bytes, variable);
}

void
RdmaNic::SetEcn(uint32_t qp, RccEcn ecn)
{
    m_parts->sender.Get(qp).ecn = ecn;
}

void
RdmaNic::SetRoute(uint32_t host, const std::vector<uint32_t>& ports)
{
    m_parts->shared.ports.SetRoute(host, ports);
}

void
RdmaNic::ClearRoutes()
{
    m_parts->shared.ports.ClearRoutes();
}

void
RdmaNic::Reroute(int64_t now)
{
    m_parts->sender.Reroute(now);
    m_parts->receiver.Reroute();
}

uint32_t
RdmaNic::PickPort(uint32_t host, uint32_t hash) const
{
    return m_parts->shared.ports.Pick(host, hash);
}

void
RdmaNic::Close(uint32_t qp)
{
    m_parts->sender.Close(qp);
}

void
RdmaNic::StopSending(uint32_t qp)
{
    m_parts->sender.StopSending(qp);
}

void
RdmaNic::Forget(uint32_t qp)
{
    m_parts->sender.Forget(qp);
}

uint32_t
RdmaNic::GetNSendQps() const
{
    return m_parts->sender.GetN();
}

const RdmaSendQp&
RdmaNic::GetSendQp(uint32_t qp) const
{
    return m_parts->sender.Get(qp);
}

uint32_t
RdmaNic::GetNRecvQps() const
{
    return m_parts->receiver.GetN();
}

const RdmaRecvQp&
RdmaNic::GetRecvQp(uint32_t qp) const
{
    return m_parts->receiver.Get(qp);
}

const RdmaNicCounters&
RdmaNic::GetCounters() const
{
    return m_parts->shared.counters;
}

RccFrame*
RdmaNic::NextFrame(uint32_t port, int64_t now, uint8_t paused)
{
    return m_parts->sender.NextFrame(port, now, paused);
}

int64_t
RdmaNic::NextDue(uint32_t port, uint8_t paused)
{
    return rcc_port_next_due(&m_parts->shared.ports.Get(port), paused);
}

void
RdmaNic::PauseChanged(uint32_t port, uint8_t paused, int64_t now)
{
    m_parts->shared.ports.PauseChanged(port, paused, now);
}

void
RdmaNic::LinkDown(uint32_t port, int64_t now)
{
    m_parts->shared.ports.SetDown(port, true);
    Reroute(now);
}

void
RdmaNic::LinkUp(uint32_t port, int64_t now)
{
    m_parts->shared.ports.SetDown(port, false);
    Reroute(now);
}

} // namespace ns3
