/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaNic's trace sources: what they are, and what a hook does when somebody watches. */
#include "rdma-nic.h"

namespace ns3
{

TypeId
RdmaNic::AddTraceSources(TypeId tid)
{
    // The second sentence of a text says when it fires; doc/traces.md is made from them.
    return tid
        .AddTraceSource("QpOpened", "A queue pair, by its sending half. When Connect has opened it.",
                        MakeTraceSourceAccessor(&RdmaNic::m_openTrace), "ns3::RdmaNic::QpTracedCallback")
        .AddTraceSource("QpClosed",
                        "A queue pair, by its sending half. When it is closed, whether its messages have ended or not.",
                        MakeTraceSourceAccessor(&RdmaNic::m_closeTrace), "ns3::RdmaNic::QpTracedCallback")
        .AddTraceSource("MessageStart", "A message, bytes of payload. When it is posted.",
                        MakeTraceSourceAccessor(&RdmaNic::m_startTrace), "ns3::RdmaNic::MessageStartTracedCallback")
        .AddTraceSource(
            "MessageEnd",
            "A message, bytes of payload, and its completion time, ns. When its last packet is acknowledged.",
            MakeTraceSourceAccessor(&RdmaNic::m_endTrace), "ns3::RdmaNic::MessageEndTracedCallback")
        .AddTraceSource("CnpSent",
                        "A CNP by its receiving half, with its period field, ns. When the notification point makes it.",
                        MakeTraceSourceAccessor(&RdmaNic::m_cnpSentTrace), "ns3::RdmaNic::CnpTracedCallback")
        .AddTraceSource("CnpReceived",
                        "A CNP by its sending half, with its period field, ns. When it arrives, before the reaction "
                        "point sees it.",
                        MakeTraceSourceAccessor(&RdmaNic::m_cnpReceivedTrace), "ns3::RdmaNic::CnpTracedCallback")
        .AddTraceSource("CnmReceived",
                        "A CNM by its sending half, with its quantised feedback, 0..63. When it arrives, before the "
                        "reaction point sees it.",
                        MakeTraceSourceAccessor(&RdmaNic::m_cnmReceivedTrace), "ns3::RdmaNic::CnmTracedCallback")
        .AddTraceSource(
            "ReactionPoint",
            "Rate and target rate, bit/s, alpha and state word of a reaction point. Whenever it is touched: "
            "see RdmaRpCause.",
            MakeTraceSourceAccessor(&RdmaNic::m_rpTrace), "ns3::RdmaNic::ReactionPointTracedCallback")
        .AddTraceSource("Rate",
                        "Rate of a reaction point, bit/s. When it is touched and the rate is not what it was the last "
                        "time.",
                        MakeTraceSourceAccessor(&RdmaNic::m_rateTrace), "ns3::RdmaNic::RateTracedCallback")
        .AddTraceSource("TargetRate",
                        "Target rate of a reaction point, bit/s; its rate if the algorithm has no target. As Rate.",
                        MakeTraceSourceAccessor(&RdmaNic::m_targetTrace), "ns3::RdmaNic::RateTracedCallback")
        .AddTraceSource("Alpha", "Alpha of a reaction point, 0..1; 0 if the algorithm has none. As Rate.",
                        MakeTraceSourceAccessor(&RdmaNic::m_alphaTrace), "ns3::RdmaNic::AlphaTracedCallback")
        .AddTraceSource("Phase",
                        "State word of a reaction point, a number that its algorithm gives a meaning. As Rate.",
                        MakeTraceSourceAccessor(&RdmaNic::m_phaseTrace), "ns3::RdmaNic::PhaseTracedCallback")
        .AddTraceSource("GoBack", "Packets that will be sent again. When a NAK arrives or an acknowledgement does not.",
                        MakeTraceSourceAccessor(&RdmaNic::m_goBackTrace), "ns3::RdmaNic::GoBackTracedCallback")
        .AddTraceSource("Deliver", "A data frame that arrives in order, by its receiving half. When it is accepted.",
                        MakeTraceSourceAccessor(&RdmaNic::m_deliverTrace), "ns3::RdmaNic::DataTracedCallback")
        .AddTraceSource("Discard",
                        "A data frame that is a duplicate or comes behind a gap, by its receiving half. When it is "
                        "thrown away.",
                        MakeTraceSourceAccessor(&RdmaNic::m_discardTrace), "ns3::RdmaNic::DataTracedCallback");
}

void
RdmaNic::SawSignal(const RccFrame& frame)
{
    if (frame.kind == RccFrameKind::CNP)
    {
        m_cnpReceivedTrace(frame.dstQp, frame.period);
    }
    else
    {
        m_cnmReceivedTrace(frame.dstQp, frame.qfb);
    }
}

void
RdmaNic::SawData(const RccFrame& frame, bool inOrder)
{
    (inOrder ? m_deliverTrace : m_discardTrace)(frame.dstQp, frame);
}

void
RdmaNic::SawCnpSent(uint32_t qp, uint32_t period)
{
    m_cnpSentTrace(qp, period);
}

RdmaRpState
RdmaNic::StateOf(const RdmaSendQp& qp) const
{
    RdmaRpState state;
    state.rate = rcc_rp_rate(qp.rp);
    uint64_t target = qp.rp->rate;
    uint64_t alpha = 0;
    if (qp.rp->ops->observe)
    {
        qp.rp->ops->observe(qp.rp, &target, &alpha, &state.phase);
    }
    state.target = target >> RCC_RATE_SHIFT;
    state.alpha = static_cast<double>(alpha) / 4294967296.0;
    return state;
}

void
RdmaNic::SawRp(const RdmaSendQp& qp, RdmaRpCause cause)
{
    if (!(m_watch & WATCH_RP_ALL) || m_seeing)
    {
        return; // m_seeing: a sink reads the reaction point that it was told of
    }
    const RdmaRpState state = StateOf(qp);
    const uint32_t index = qp.index;
    if (m_lastSeen.size() <= index)
    {
        m_lastSeen.resize(index + 1);
    }
    const RdmaRpState last = m_lastSeen[index]; // a sink may open queue pairs
    m_lastSeen[index] = state;
    m_seeing = true;
    m_rpTrace(index, cause, state);
    if (state.rate != last.rate)
    {
        m_rateTrace(index, last.rate, state.rate);
    }
    if (state.target != last.target)
    {
        m_targetTrace(index, last.target, state.target);
    }
    if (!(state.alpha <= last.alpha && state.alpha >= last.alpha))
    {
        m_alphaTrace(index, last.alpha, state.alpha);
    }
    if (state.phase != last.phase)
    {
        m_phaseTrace(index, last.phase, state.phase);
    }
    m_seeing = false;
}

int64_t
RdmaNic::AssignStreams(int64_t stream)
{
    NS_ABORT_MSG_IF(!m_send.empty(), "RdmaNic::AssignStreams after Connect");
    return m_user.Assign(stream);
}

const char*
RdmaNic::GetAlgorithmName(uint32_t qp) const
{
    for (size_t i = 0; const rcc_algorithm* core = rcc_algorithm_at(i); i++)
    {
        if (core->rp == m_send[qp]->rp->ops)
        {
            return core->name;
        }
    }
    return "";
}

} // namespace ns3
