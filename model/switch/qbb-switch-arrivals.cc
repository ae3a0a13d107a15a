/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbSwitch: what few switches do with frames that arrive, before they store them. */
#include "qbb-switch.h"

#include "ns3/abort.h"

namespace ns3
{

namespace
{

const uint32_t CUT_THROUGH_LEAST = 14; // bytes: both addresses and the EtherType

} // namespace

void
QbbSwitch::SetPolicer(uint32_t port, DataRate rate, uint32_t burst)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0 || burst == 0 || burst > RCC_POLICER_BURST_MAX,
                    "QbbSwitch: a policer needs a rate and a burst of 1 to " << RCC_POLICER_BURST_MAX << " bytes");
    NS_ABORT_MSG_IF(m_started, "QbbSwitch::SetPolicer after Start");
    m_policers[port] = rcc_policer_start(rate.GetBitRate(), burst);
}

/// Give a frame the class of its DSCP, if it has one.
void
QbbSwitch::Classify(RccFrame* frame) const
{
    const auto kind = frame->kind == RccFrameKind::CORRUPT ? static_cast<RccFrameKind>(frame->tag.was) : frame->kind;
    if (kind == RccFrameKind::TRIMMED)
    {
        return; // a trimmed frame keeps the class of headers
    }
    if (kind == RccFrameKind::CNM || (kind == RccFrameKind::IP && !frame->tag.dscp))
    {
        return; // no IP header
    }
    const uint8_t dscp = frame->tag.dscp ? frame->tag.dscp - 1 : 8 * frame->cls;
    frame->tag.dscp = dscp + 1; // which stays, whatever the class
    frame->cls = m_dscps.GetClass(dscp, frame->cls);
}

std::string
QbbSwitch::CheckCutThrough() const
{
    return m_cutThrough && m_cutThrough < CUT_THROUGH_LEAST
               ? "CutThrough of " + std::to_string(m_cutThrough) +
                     " bytes does not hold an Ethernet header, expected " + std::to_string(CUT_THROUGH_LEAST) +
                     " or more, or 0 for store and forward"
               : "";
}

/// A frame whose last bit has not come waits for it, before the switch looks at it again.
void
QbbSwitch::Hold(uint32_t port, RccFrame* frame, int64_t now)
{
    Port& p = m_ports[port];
    if (!p.held)
    {
        Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(p.device->GetChannel());
        p.held.reset(new RccFrameLine);
        p.held->Bind(&QbbSwitch::HeldArrived, &p, channel->GetArrivalOrder(*p.device));
    }
    const int64_t due = now + frame->rest;
    frame->rest = 0;
    m_held++;
    p.held->Push(frame, due, now);
}

void
QbbSwitch::HeldArrived(void* portPtr, int64_t now)
{
    auto p = static_cast<Port*>(portPtr);
    while (RccFrame* frame = p->held->PopDue(now))
    {
        p->self->m_held--;
        p->self->FrameArrived(p->index, frame, now);
    }
}

/// Frames arrive at a switch that has started: what may be none meets this by m_unusual or without a route.
void
QbbSwitch::RequireStarted() const
{
    NS_ABORT_MSG_IF(!m_mmu, "QbbSwitch: a frame arrived before Start, or Start refused the configuration");
}

/// Apply cut-through, DSCP map, policer and trimming. \return false if the frame waits for its last bit, or is dropped
__attribute__((noinline)) bool
QbbSwitch::ApplyIngressFeatures(uint32_t port, uint32_t output, RccFrame* frame, int64_t now)
{
    RequireStarted();
    const Port& out = m_ports[output];
    if (frame->rest && !rcc_link_may_cut(m_ports[port].device->GetRate(), out.device->GetRate()))
    {
        Hold(port, frame, now);
        return false;
    }
    frame->rest = 0;
    if (m_answersWithData && (frame->kind == RccFrameKind::ACK || frame->kind == RccFrameKind::NAK))
    {
        frame->cls = frame->dataClass;
    }
    if (!m_dscps.IsEmpty())
    {
        Classify(frame);
    }
    const auto policer = m_policing.find(out.index);
    const bool passes = policer == m_policing.end() || rcc_policer_passes(&policer->second, now, frame->bytes);
    m_policed += passes ? 0 : 1;
    if (!passes || (m_trimSize && !Trim(out, frame, true)))
    {
        m_intendedDrops++;
        Drop(port, frame, now);
        return false;
    }
    return true;
}

} // namespace ns3
