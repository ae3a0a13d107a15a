/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What RdmaNic hands on to its parts. */
#include "rdma-nic-parts.h"
#include "rdma-nic.h"

namespace ns3
{

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
