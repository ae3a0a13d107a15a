/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaIntake, and the attributes of RdmaNic that make one for each port. */
#include "rdma-intake.h"
#include "rdma-nic-parts.h"

#include "rcc-late.h"
#include "rcc_switch.h"
#include "rdma-nic.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

RdmaIntake::RdmaIntake(RdmaNic& nic, uint32_t port) : m_nic(nic), m_device(nic.GetPort(port)), m_port(port)
{
    m_read.Bind(&RdmaIntake::ReadDue, this);
    m_refresh.Bind(&RdmaIntake::RefreshDue, this);
    m_device->SetOwner(this, port);
}

void
RdmaIntake::Set(uint64_t limit, uint8_t lossless, uint64_t rate)
{
    m_core.limit = limit;
    m_core.lossless = lossless;
    m_core.drain.rate = rate;
    m_core.drain.bytes = 0;
    m_passes = false;
}

void
RdmaIntake::Resume(uint64_t rate, int64_t now)
{
    Set(m_core.limit, m_core.lossless, rate);
    m_passes = rate == 0;
    Read(now);
}

void
RdmaIntake::Clear()
{
    m_read.Unbind();
    m_refresh.Unbind();
    RccFramePool::Current()->PutAll(m_held);
    m_device = nullptr;
}

void
RdmaIntake::FrameArrived(uint32_t port, RccFrame* frame, int64_t now)
{
    const bool data = frame->kind == RccFrameKind::DATA || frame->kind == RccFrameKind::TRIMMED;
    frame->due = now;
    if (!data || m_passes || rcc_intake_reads_at_once(&m_core, now, frame->bytes, m_held.IsEmpty()))
    {
        m_nic.FrameArrived(port, frame, now);
        return;
    }
    const uint8_t before = m_core.paused;
    if (!rcc_intake_keeps(&m_core, frame->cls, frame->bytes))
    {
        m_nic.Overrun(port, frame, now);
        return;
    }
    m_held.Push(frame);
    if (m_core.drain.rate)
    {
        m_read.AtOrBefore(m_core.drain.free, now);
    }
    Pause(before, now);
}

void
RdmaIntake::ReadDue(void* intake, int64_t now)
{
    static_cast<RdmaIntake*>(intake)->Read(now);
}

/// Hand up what the host has time for.
void
RdmaIntake::Read(int64_t now)
{
    const uint8_t before = m_core.paused;
    const bool reads = m_passes || m_core.drain.rate;
    int64_t next = m_passes ? now : std::max(m_core.drain.free, now);
    while (reads && !m_held.IsEmpty() && next <= now)
    {
        RccFrame* const frame = m_held.Pop();
        next = rcc_intake_read(&m_core, now, frame->cls, frame->bytes);
        m_nic.FrameArrived(m_port, frame, now);
    }
    if (reads && !m_held.IsEmpty())
    {
        m_read.At(next, now);
    }
    Pause(before, now);
}

/// Ask the peer for what has changed. \param before classes that were paused
void
RdmaIntake::Pause(uint8_t before, int64_t now)
{
    const uint8_t more = m_core.paused & ~before;
    const uint8_t less = before & ~m_core.paused;
    if (less)
    {
        m_device->SendPfc(less, 0, now);
    }
    if (more)
    {
        m_device->SendPfc(more, UINT16_MAX, now);
        m_refresh.AtOrBefore(now + rcc_pfc_refresh_after(UINT16_MAX, m_device->GetRate()), now);
    }
}

void
RdmaIntake::RefreshDue(void* intake, int64_t now)
{
    static_cast<RdmaIntake*>(intake)->Pause(0, now);
}

void
RdmaIntake::LinkUp(uint32_t port, int64_t now)
{
    m_nic.LinkUp(port, now);
    Pause(0, now); // which ended when the link went down
}

void
RdmaIntake::LinkDown(uint32_t port, int64_t now)
{
    m_nic.LinkDown(port, now);
}

void
RdmaIntake::PrefetchArrival(uint32_t port, const RccFrame& frame, uint32_t step)
{
    m_nic.PrefetchArrival(port, frame, step);
}

void
RdmaIntake::FrameLeaves(uint32_t port, RccFrame* frame, int64_t now)
{
    m_nic.FrameLeaves(port, frame, now);
}

void
RdmaIntake::PauseChanged(uint32_t port, uint8_t paused, int64_t now)
{
    m_nic.PauseChanged(port, paused, now);
}

void
RdmaIntake::FrameLost(uint32_t port, RccFrame* frame, int64_t now)
{
    m_nic.FrameLost(port, frame, now);
}

RccFrame*
RdmaIntake::NextFrame(uint32_t port, int64_t now, uint8_t paused)
{
    return m_nic.NextFrame(port, now, paused);
}

int64_t
RdmaIntake::NextDue(uint32_t port, uint8_t paused)
{
    return m_nic.NextDue(port, paused);
}

std::string
RdmaIntake::DescribeStart() const
{
    return m_nic.DescribeStart();
}

uint32_t
RdmaIntake::GetLargestFrame() const
{
    return m_nic.GetLargestFrame();
}

void
RdmaIntake::PrefetchSend(uint32_t port, uint32_t step)
{
    m_nic.PrefetchSend(port, step);
}

// ---------------------------------------------------------------- the NIC's part

RdmaNic::RdmaNic() : m_parts(new RdmaNicParts(this, &RdmaNic::AnswerDue, this))
{
}

RdmaNic::RdmaNic(const RdmaNic& other)
    : Object(other),
      QbbFrameSource(),
      RdmaNicTraces(),
      RdmaNicAttributes(other),
      m_parts(new RdmaNicParts(this, &RdmaNic::AnswerDue, this))
{
}

RdmaNic::~RdmaNic() = default;

TypeId
RdmaNic::AddIntake(TypeId tid)
{
    return tid
        .AddAttribute("DrainShare",
                      "Part of a port's line rate at which the host reads data, above 0; 1 = as fast as they come. A "
                      "host that is idle reads a frame at once, and the next one when this rate has passed it.",
                      DoubleValue(1), RccApply(MakeDoubleAccessor(&RdmaNic::m_drainShare), &RdmaNic::ApplyReading),
                      MakeDoubleChecker<double>(1e-6, 1))
        .AddAttribute("ReceiveBuffer",
                      "Bytes of each class that may wait at a port for a host that reads with DrainShare below 1. A "
                      "class of LosslessClasses is paused (PFC) from here on until half of it is read; others lose "
                      "what does not fit.",
                      UintegerValue(131072),
                      RccApply(MakeUintegerAccessor(&RdmaNic::m_receiveBuffer), &RdmaNic::ApplyReading),
                      MakeUintegerChecker<uint32_t>(1, 1u << 30))
        .AddAttribute("LosslessClasses", "Classes whose data the receive buffer does not drop, one bit each.",
                      UintegerValue(1u << QBB_RDMA_CLASS),
                      RccApply(MakeUintegerAccessor(&RdmaNic::m_losslessClasses), &RdmaNic::ApplyReading),
                      MakeUintegerChecker<uint8_t>());
}

/// \return the receive buffer of a port, which has one from now on
RdmaIntake&
RdmaNic::GetIntake(uint32_t port)
{
    m_intakes.resize(GetNPorts());
    if (!m_intakes[port])
    {
        m_intakes[port].reset(new RdmaIntake(*this, port));
        m_parts->shared.buffers = true;
    }
    return *m_intakes[port];
}

/// \return bit/s at which a host that is slow reads; 0 for one that is not
uint64_t
RdmaNic::GetDrainRate(uint32_t port) const
{
    const double rate = m_drainShare * static_cast<double>(GetPort(port)->GetRate());
    return m_drainShare < 1 ? static_cast<uint64_t>(std::max(rate, 1.0)) : 0;
}

/// Before the first queue pair. What StopReading has set holds.
void
RdmaNic::ApplyIntake()
{
    for (uint32_t port = 0; m_drainShare < 1 && !m_stopped && port < GetNPorts(); port++)
    {
        GetIntake(port).Set(m_receiveBuffer, m_losslessClasses, GetDrainRate(port));
    }
}

/// An attribute of the receive buffer was set: with open queue pairs it holds at once.
void
RdmaNic::ApplyReading()
{
    if (HasQueuePairs() && !m_stopped && (m_drainShare < 1 || !m_intakes.empty()))
    {
        ResumeReading();
    }
}

void
RdmaNic::StopReading(uint64_t limit)
{
    m_stopped = true;
    for (uint32_t port = 0; port < GetNPorts(); port++)
    {
        GetIntake(port).Set(limit, m_losslessClasses, 0);
    }
}

void
RdmaNic::ResumeReading()
{
    m_stopped = false;
    for (uint32_t port = 0; port < GetNPorts(); port++)
    {
        GetIntake(port).Set(m_receiveBuffer, m_losslessClasses, 0);
        GetIntake(port).Resume(GetDrainRate(port), RccNow());
    }
}

/// Data that the receive buffer has no space for.
void
RdmaNic::Overrun(uint32_t port, RccFrame* frame, int64_t now)
{
    m_parts->shared.counters.packetsOverrun++;
    FrameLost(port, frame, now);
}

} // namespace ns3
