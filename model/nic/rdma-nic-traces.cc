/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-nic-traces.h"

#include "ns3/trace-source-accessor.h"

namespace ns3
{

TypeId
RdmaNicTraces::AddQpSources(TypeId tid)
{
    // Each text says when the source fires; doc/traces.md is made from them.
    return tid
        .AddTraceSource("QpOpened", "Index of the sending half of a queue pair. Fired when Connect has opened it.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_openTrace), "ns3::RdmaNicTraces::QpTracedCallback")
        .AddTraceSource("QpClosed",
                        "Index of the sending half of a queue pair. Fired when it is closed, whether or not its "
                        "messages are complete.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_closeTrace), "ns3::RdmaNicTraces::QpTracedCallback")
        .AddTraceSource("QpFailed",
                        "Index of the sending half of a queue pair. Fired when RetryLimit is exceeded: the queue pair "
                        "sends nothing any more, and its messages are not completed.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_failTrace), "ns3::RdmaNicTraces::QpTracedCallback")
        .AddTraceSource(
            "FrameRejected",
            "A frame that is not accepted and is dropped. Fired when it names a queue pair that does not "
            "exist, acknowledges packets that were never sent, has a wrong ICRC, or is a CNP with a period above "
            "MaxCnpPeriod.",
            MakeTraceSourceAccessor(&RdmaNicTraces::m_rejectTrace), "ns3::RdmaNicTraces::RejectedTracedCallback")
        .AddTraceSource("MessageStart", "Sending half and payload bytes of a message. Fired when it is posted.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_startTrace),
                        "ns3::RdmaNicTraces::MessageStartTracedCallback")
        .AddTraceSource("MessageEnd",
                        "Sending half, payload bytes and completion time in ns of a message. Fired when its last "
                        "packet is acknowledged.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_endTrace),
                        "ns3::RdmaNicTraces::MessageEndTracedCallback")
        .AddTraceSource(
            "CnpSent", "Receiving half and period field, in ns, of a CNP. Fired when the notification point makes it.",
            MakeTraceSourceAccessor(&RdmaNicTraces::m_cnpSentTrace), "ns3::RdmaNicTraces::CnpTracedCallback")
        .AddTraceSource("CnpReceived",
                        "Sending half and period field, in ns, of a CNP. Fired when it takes effect, CnpReactionDelay "
                        "after its arrival, before the reaction point processes it.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_cnpReceivedTrace),
                        "ns3::RdmaNicTraces::CnpTracedCallback")
        .AddTraceSource("CnmReceived",
                        "Sending half and quantised feedback, 0 to 63, of a CNM. Fired when it arrives, before the "
                        "reaction point processes it.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_cnmReceivedTrace),
                        "ns3::RdmaNicTraces::CnmTracedCallback");
}

TypeId
RdmaNicTraces::AddTraceSources(TypeId tid)
{
    return AddQpSources(tid)
        .AddTraceSource("ReactionPoint",
                        "Rate and target rate in bit/s, alpha and state word of a reaction point. Fired after an "
                        "action on the reaction point; RdmaRpCause lists the actions.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_rpTrace),
                        "ns3::RdmaNicTraces::ReactionPointTracedCallback")
        .AddTraceSource("Rate",
                        "Old and new rate of a reaction point in bit/s. Fired with ReactionPoint if the rate differs "
                        "from the one reported last.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_rateTrace), "ns3::RdmaNicTraces::RateTracedCallback")
        .AddTraceSource("TargetRate",
                        "Old and new target rate of a reaction point in bit/s; the rate if the algorithm has no "
                        "target. Fired with ReactionPoint if it differs from the one reported last.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_targetTrace),
                        "ns3::RdmaNicTraces::RateTracedCallback")
        .AddTraceSource("Alpha",
                        "Old and new alpha of a reaction point, 0 to 1; 0 if the algorithm has none. Fired with "
                        "ReactionPoint if it differs from the one reported last.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_alphaTrace),
                        "ns3::RdmaNicTraces::AlphaTracedCallback")
        .AddTraceSource("Phase",
                        "Old and new state word of a reaction point; its meaning depends on the algorithm. Fired with "
                        "ReactionPoint if it differs from the one reported last.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_phaseTrace),
                        "ns3::RdmaNicTraces::PhaseTracedCallback")
        .AddTraceSource("Window",
                        "Old and new congestion window of a reaction point in bytes of payload; 0 if the algorithm has "
                        "none. Fired with ReactionPoint if it differs from the one reported last.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_windowTrace),
                        "ns3::RdmaNicTraces::WindowTracedCallback")
        .AddTraceSource("GoBack",
                        "First PSN that will be sent again, and number of packets from there to the one that was next. "
                        "With go-back-n all of them will be sent again, with selective and irn those that are "
                        "missing. Fired when an answer that tells of a loss takes effect (a NAK NakReactionDelay "
                        "after its arrival), or a retransmission timeout expires.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_goBackTrace),
                        "ns3::RdmaNicTraces::GoBackTracedCallback")
        .AddTraceSource("Deliver",
                        "Receiving half and a data frame. Fired when the frame has arrived and is accepted: with "
                        "selective and irn, "
                        "and of datagrams (Reliable), not only in order.",
                        MakeTraceSourceAccessor(&RdmaNicTraces::m_deliverTrace),
                        "ns3::RdmaNicTraces::DataTracedCallback")
        .AddTraceSource("Discard",
                        "Receiving half and a data frame. Fired when the frame is discarded as a duplicate or because "
                        "packets before it are missing.",
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
    state.window = rcc_rp_window(rp);
    return state;
}

void
RdmaNicTraces::RecordReactionPoint(uint32_t index, const rcc_rp* rp, RdmaRpCause cause)
{
    if (!(m_connected & SOURCE_RP_ALL) || (m_recording && cause != RdmaRpCause::OPENED))
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
    const bool within = m_recording; // a sink
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
    if (state.window != last.window)
    {
        m_windowTrace(index, last.window, state.window);
    }
    m_recording = within;
}

} // namespace ns3
