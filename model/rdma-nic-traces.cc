/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-nic-traces.h"

#include "ns3/trace-source-accessor.h"

namespace ns3
{

TypeId
RdmaNicTraces::AddTraceSources(TypeId tid)
{
    // The second sentence of a text says when it fires; doc/traces.md is made from them.
    return tid
        .AddTraceSource("QpOpened", "A queue pair, by its sending half. When Connect has opened it.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_openTrace), "ns3::RdmaNicTraces::QpTracedCallback")
        .AddTraceSource("QpClosed",
                        "A queue pair, by its sending half. When it is closed, whether its messages have ended or not.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_closeTrace), "ns3::RdmaNicTraces::QpTracedCallback")
        .AddTraceSource(
            "QpFailed",
            "A queue pair, by its sending half. When its RetryLimit is exceeded: it sends nothing any more, "
            "and its messages do not end.",
            MakeTraceSourceAccessor(&RdmaNicTraces::m_failTrace), "ns3::RdmaNicTraces::QpTracedCallback")
        .AddTraceSource("MessageStart", "A message, bytes of payload. When it is posted.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_startTrace),
                        "ns3::RdmaNicTraces::MessageStartTracedCallback")
        .AddTraceSource(
            "MessageEnd",
            "A message, bytes of payload, and its completion time, ns. When its last packet is acknowledged.",
            MakeTraceSourceAccessor(&RdmaNicTraces::m_endTrace), "ns3::RdmaNicTraces::MessageEndTracedCallback")
        .AddTraceSource(
            "CnpSent", "A CNP by its receiving half, with its period field, ns. When the notification point makes it.",
            MakeTraceSourceAccessor(&RdmaNicTraces::m_cnpSentTrace), "ns3::RdmaNicTraces::CnpTracedCallback")
        .AddTraceSource("CnpReceived",
                        "A CNP by its sending half, with its period field, ns. When it arrives, before the reaction "
                        "point sees it.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_cnpReceivedTrace),
                        "ns3::RdmaNicTraces::CnpTracedCallback")
        .AddTraceSource("CnmReceived",
                        "A CNM by its sending half, with its quantised feedback, 0..63. When it arrives, before the "
                        "reaction point sees it.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_cnmReceivedTrace),
                        "ns3::RdmaNicTraces::CnmTracedCallback")
        .AddTraceSource("ReactionPoint",
                        "Rate and target rate, bit/s, alpha and state word of a reaction point. Whenever it is read or "
                        "changed: see RdmaRpCause.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_rpTrace),
                        "ns3::RdmaNicTraces::ReactionPointTracedCallback")
        .AddTraceSource(
            "Rate",
            "Rate of a reaction point, bit/s. When it is read or changed and the rate is not what it was the "
            "last time.",
            MakeTraceSourceAccessor(&RdmaNicTraces::m_rateTrace), "ns3::RdmaNicTraces::RateTracedCallback")
        .AddTraceSource(
            "TargetRate", "Target rate of a reaction point, bit/s; its rate if the algorithm has no target. As Rate.",
            MakeTraceSourceAccessor(&RdmaNicTraces::m_targetTrace), "ns3::RdmaNicTraces::RateTracedCallback")
        .AddTraceSource("Alpha", "Alpha of a reaction point, 0..1; 0 if the algorithm has none. As Rate.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_alphaTrace),
                        "ns3::RdmaNicTraces::AlphaTracedCallback")
        .AddTraceSource(
            "Phase", "State word of a reaction point, a number that its algorithm gives a meaning. As Rate.",
            MakeTraceSourceAccessor(&RdmaNicTraces::m_phaseTrace), "ns3::RdmaNicTraces::PhaseTracedCallback")
        .AddTraceSource("GoBack", "Packets that will be sent again. When a NAK arrives or an acknowledgement does not.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_goBackTrace),
                        "ns3::RdmaNicTraces::GoBackTracedCallback")
        .AddTraceSource("Deliver", "A data frame that arrives in order, by its receiving half. When it is accepted.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_deliverTrace),
                        "ns3::RdmaNicTraces::DataTracedCallback")
        .AddTraceSource("Discard",
                        "A data frame that is a duplicate or comes behind a gap, by its receiving half. When it is "
                        "thrown away.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_discardTrace),
                        "ns3::RdmaNicTraces::DataTracedCallback");
}

void
RdmaNicTraces::RecordSignal(const RccFrame& frame)
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
RdmaNicTraces::RecordData(const RccFrame& frame, bool accepted)
{
    (accepted ? m_deliverTrace : m_discardTrace)(frame.dstQp, frame);
}

void
RdmaNicTraces::RecordCnpSent(uint32_t qp, uint32_t period)
{
    m_cnpSentTrace(qp, period);
}

RdmaRpState
RdmaNicTraces::StateOf(const rcc_rp* rp)
{
    RdmaRpState state;
    state.rate = rcc_rp_rate(rp);
    uint64_t target = 0;
    uint64_t alpha = 0;
    rcc_rp_observe(rp, &target, &alpha, &state.phase);
    state.target = target >> RCC_RATE_SHIFT;
    state.alpha = static_cast<double>(alpha) / 4294967296.0;
    return state;
}

void
RdmaNicTraces::RecordReactionPoint(uint32_t index, const rcc_rp* rp, RdmaRpCause cause)
{
    if (!(m_connected & SOURCE_RP_ALL) || m_recording)
    {
        return; // m_recording: a sink reads the reaction point that it was called for
    }
    const RdmaRpState state = StateOf(rp);
    if (m_lastSeen.size() <= index)
    {
        m_lastSeen.resize(index + 1);
    }
    const RdmaRpState last = m_lastSeen[index]; // a sink may open queue pairs
    m_lastSeen[index] = state;
    m_recording = true;
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
    m_recording = false;
}

} // namespace ns3
