/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_NIC_TRACES_H
#define RDMA_NIC_TRACES_H

#include "ns3/rcc-frame.h"
#include "ns3/rcc-trace.h"
#include "ns3/rcc.h"

#include "ns3/type-id.h"

#include <vector>

namespace ns3
{

/// State of a reaction point, as its trace sources and RdmaNic::GetRpState report it.
struct RdmaRpState
{
    uint64_t rate{0};   //!< bit/s
    uint64_t target{0}; //!< target rate, bit/s; the rate if the algorithm has no target
    double alpha{0};    //!< 0 to 1; 0 if the algorithm has none
    uint32_t phase{0};  //!< the algorithm's own state word
    uint64_t window{0}; //!< congestion window, bytes of payload; 0 if the algorithm has none
};

/// Why the trace source ReactionPoint fires.
enum class RdmaRpCause : uint8_t
{
    OPENED, //!< the queue pair is new
    SENT,   //!< a packet left
    CNP,    //!< a CNP took effect
    CNM,    //!< a CNM arrived
    ACK,    //!< an acknowledgement arrived, not a NAK
    READ    //!< GetRate or GetRpState was called, but not from within one of the sinks
};

/**
 * The trace sources of a NIC (doc/traces.md). No event is scheduled for any of them. Queue pairs are named by the index
 * of a half in this NIC: the sending one (Connect, GetSendQp) unless it says receiving (GetRecvQp).
 *
 * Functions of the data path test IsConnected before they call a Record function, which keeps them short.
 */
class RdmaNicTraces
{
  public:
    /// TracedCallback signature of a queue pair that is opened or closed. \param qp sending half
    using QpTracedCallback = void (*)(uint32_t qp);

    /**
     * TracedCallback signature of the start of a message.
     * \param qp sending half
     * \param bytes payload; 0 = without end
     */
    using MessageStartTracedCallback = void (*)(uint32_t qp, uint64_t bytes);

    /**
     * TracedCallback signature of the end of a message.
     * \param qp sending half
     * \param bytes payload
     * \param ns from Post to the acknowledgement of the last packet
     */
    using MessageEndTracedCallback = void (*)(uint32_t qp, uint64_t bytes, int64_t ns);

    /**
     * TracedCallback signature of a CNP.
     * \param qp the half here: the receiving one of CnpSent, the sending one of CnpReceived
     * \param period the CNP's period field, ns; 0 = it has none
     */
    using CnpTracedCallback = void (*)(uint32_t qp, uint32_t period);

    /**
     * TracedCallback signature of a CNM.
     * \param qp sending half
     * \param qfb quantised feedback, 0..63
     */
    using CnmTracedCallback = void (*)(uint32_t qp, uint8_t qfb);

    /**
     * TracedCallback signature of a reaction point that was read or changed.
     * \param qp sending half
     * \param cause why
     * \param state after it
     */
    using ReactionPointTracedCallback = void (*)(uint32_t qp, RdmaRpCause cause, const RdmaRpState& state);

    /**
     * TracedCallback signature of a rate.
     * \param qp sending half
     * \param oldRate bit/s, at the last time it fired for this queue pair; 0 the first time
     * \param newRate bit/s
     */
    using RateTracedCallback = void (*)(uint32_t qp, uint64_t oldRate, uint64_t newRate);

    /**
     * TracedCallback signature of alpha.
     * \param qp sending half
     * \param oldAlpha 0..1, at the last time it fired for this queue pair; 0 the first time
     * \param newAlpha 0..1
     */
    using AlphaTracedCallback = void (*)(uint32_t qp, double oldAlpha, double newAlpha);

    /**
     * TracedCallback signature of the algorithm's state word.
     * \param qp sending half
     * \param oldPhase at the last time it fired for this queue pair; 0 the first time
     * \param newPhase its meaning is the algorithm's, see its page in doc/
     */
    using PhaseTracedCallback = void (*)(uint32_t qp, uint32_t oldPhase, uint32_t newPhase);

    /**
     * TracedCallback signature of a congestion window.
     * \param qp sending half
     * \param oldWindow bytes of payload, at the last time it fired for this queue pair; 0 the first time
     * \param newWindow bytes of payload
     */
    using WindowTracedCallback = void (*)(uint32_t qp, uint64_t oldWindow, uint64_t newWindow);

    /**
     * TracedCallback signature of going back, to what will be sent again.
     * \param qp sending half
     * \param psn the first of them, counted from 0, not wrapped
     * \param packets from there to the one that was next: with go-back-n all, otherwise the missing ones are repeated
     * \param timeout true: no answer came in RetransmissionTimeout; false: an answer told of a loss
     */
    using GoBackTracedCallback = void (*)(uint32_t qp, uint64_t psn, uint64_t packets, bool timeout);

    /**
     * TracedCallback signature of data that arrives.
     * \param qp receiving half
     * \param frame valid during the call only
     */
    using DataTracedCallback = void (*)(uint32_t qp, const RccFrame& frame);

    /**
     * TracedCallback signature of a frame that is not accepted.
     * \param frame valid during the call only
     */
    using RejectedTracedCallback = void (*)(const RccFrame& frame);

    virtual ~RdmaNicTraces() = default;

    /// \param rp a reaction point \return its state at the time it was last advanced to
    static RdmaRpState StateOf(const rcc_rp* rp);

  protected:
    /// \param tid of RdmaNic \return it, with the trace sources
    static TypeId AddTraceSources(TypeId tid);

  private:
    static TypeId AddQpSources(TypeId tid); //!< adds the sources of queue pairs, messages and feedback

    friend class RdmaNic;
    friend class RdmaSender;
    friend class RdmaReceiver;

    /// Trace sources of the data path; one bit each.
    enum Source : uint32_t
    {
        SOURCE_RP = 1u << 0,
        SOURCE_RATE = 1u << 1,
        SOURCE_TARGET = 1u << 2,
        SOURCE_ALPHA = 1u << 3,
        SOURCE_PHASE = 1u << 4,
        SOURCE_WINDOW = 1u << 10,
        SOURCE_RP_ALL = ((1u << 5) - 1) | SOURCE_WINDOW,
        SOURCE_DELIVER = 1u << 5,
        SOURCE_DISCARD = 1u << 6,
        SOURCE_CNP_SENT = 1u << 7,
        SOURCE_CNP = 1u << 8,
        SOURCE_CNM = 1u << 9
    };

    /// \return whether a source of the data path has a sink
    bool IsConnected() const
    {
        return m_connected != 0;
    }

    /// A reaction point was read or changed. \param qp sending half \param rp its reaction point \param cause why
    void RecordReactionPoint(uint32_t qp, const rcc_rp* rp, RdmaRpCause cause);
    /// A CNP or CNM takes effect. \param frame with the sending half in dstQp
    void RecordSignal(const RccFrame& frame);
    /// Data arrived. \param frame with the receiving half in dstQp \param accepted false: it is thrown away
    void RecordData(const RccFrame& frame, bool accepted);
    /// A CNP is sent. \param qp receiving half \param period ns, 0 = none
    void RecordCnpSent(uint32_t qp, uint32_t period);

    uint32_t m_connected{0}; //!< which sources have a sink, see Source
    TracedCallback<uint32_t> m_openTrace, m_closeTrace, m_failTrace;
    TracedCallback<const RccFrame&> m_rejectTrace;
    TracedCallback<uint32_t, uint64_t> m_startTrace;
    TracedCallback<uint32_t, uint64_t, int64_t> m_endTrace;
    RccTrace<uint32_t, uint32_t> m_cnpSentTrace{m_connected, SOURCE_CNP_SENT};
    RccTrace<uint32_t, uint32_t> m_cnpReceivedTrace{m_connected, SOURCE_CNP};
    RccTrace<uint32_t, uint8_t> m_cnmReceivedTrace{m_connected, SOURCE_CNM};
    TracedCallback<uint32_t, uint64_t, uint64_t, bool> m_goBackTrace;
    RccTrace<uint32_t, RdmaRpCause, const RdmaRpState&> m_rpTrace{m_connected, SOURCE_RP};
    RccTrace<uint32_t, uint64_t, uint64_t> m_rateTrace{m_connected, SOURCE_RATE};
    RccTrace<uint32_t, uint64_t, uint64_t> m_targetTrace{m_connected, SOURCE_TARGET};
    RccTrace<uint32_t, double, double> m_alphaTrace{m_connected, SOURCE_ALPHA};
    RccTrace<uint32_t, uint32_t, uint32_t> m_phaseTrace{m_connected, SOURCE_PHASE};
    RccTrace<uint32_t, uint64_t, uint64_t> m_windowTrace{m_connected, SOURCE_WINDOW};
    RccTrace<uint32_t, const RccFrame&> m_deliverTrace{m_connected, SOURCE_DELIVER};
    RccTrace<uint32_t, const RccFrame&> m_discardTrace{m_connected, SOURCE_DISCARD};
    bool m_recording{false};             //!< RecordReactionPoint is running
    std::vector<RdmaRpState> m_lastSeen; //!< by queue pair: the last values of the four sources
};

} // namespace ns3

#endif /* RDMA_NIC_TRACES_H */
