/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The signals of a reaction point, and what the host must do to give them. rcc.h includes this file.
 */
#ifndef RCC_SIGNALS_H
#define RCC_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

    typedef int64_t rcc_time; /**< nanoseconds since an origin that the host chooses; not negative */
/** A time later than any event: "never". */
#define RCC_NEVER INT64_MAX

/** Traffic classes of a port, as in IEEE 802.1Q and 802.1Qbb. */
#define RCC_CLASSES 8

/** Records of a path that an algorithm reads; it ignores those behind. */
#define RCC_PATH_MAX 8

    /** The demands of a reaction point on the host beside pacing and CNPs, as bits. */
    enum rcc_want
    {
        RCC_WANT_WINDOW = 1,         /**< the payload in flight is bounded by rcc_rp_window */
        RCC_WANT_WINDOW_FITS = 2,    /**< a packet must fit into the window; without it one may start while less is in
                                        flight. Decision `window_rule` */
        RCC_WANT_ACK_PER_PACKET = 4, /**< the receiver acknowledges each data packet */
        RCC_WANT_CE = 8,             /**< the ACK of a marked packet tells it: feedback.ce, ce_bytes */
        RCC_WANT_RTT = 16,           /**< feedback.rtt */
        RCC_WANT_INT = 32,           /**< switches stamp data packets and the ACK returns the records: feedback.path */
        RCC_WANT_HOPS = 64,          /**< feedback.hops */
        RCC_WANT_REMOTE_DELAY = 128, /**< feedback.remote */
        RCC_WANT_TRIM = 256,         /**< switches trim packets, and the sender learns of each: RCC_FEEDBACK_TRIM */
        RCC_WANT_IN_FLIGHT = 512 /**< with selective repeat, packets that have arrived or are lost are not in flight:
                                    decision `in_flight`. Without it every packet from the first unacknowledged
                                    one on is in flight */
    };

    /** Forms of in-band telemetry on the wire. */
    enum rcc_int_form
    {
        RCC_INT_NONE,  /**< there is none */
        RCC_INT_PAPER, /**< hop count and path id in 2 bytes, then 8 bytes per hop (HPCC, SIGCOMM 2019) */
        RCC_INT_FIXED, /**< always 42 bytes, for five hops (the HPCC paper's simulator) */
        RCC_INT_PINT   /**< 2 bytes: the largest utilisation of the path, logarithmic. `path` then is one record, with
                          its exponent in qlen (the HPCC paper's simulator, CC_MODE 10) */
    };

    /** The bytes that an algorithm adds to packets, and its demands on the host. */
    struct rcc_needs
    {
        uint16_t wants;             /**< bits of enum rcc_want */
        uint8_t int_form;           /**< an enum rcc_int_form */
        uint8_t data_extra;         /**< bytes that every data packet carries in addition */
        uint8_t data_extra_per_hop; /**< more bytes of a data packet for each switch that it has passed, as far as the
                                       form counts them */
        uint8_t ack_extra;          /**< bytes that every ACK carries in addition */
        uint8_t ack_extra_per_hop;  /**< more bytes of an ACK for each switch that its data packet has passed */
        uint16_t int_scale; /**< RCC_INT_FIXED: multiplier of the units of sent bytes and queues; 0 is read as 1; a
                                 power of two, or 32 or more, see rcc_wire_int */
    };

    /**
     * In-band telemetry record of one egress port on the path. Fields that are shorter on the wire are extended by the
     * host, so that an algorithm sees no wrap but these.
     */
    struct rcc_hop
    {
        uint32_t ts;        /**< start of the packet's transmission, ns of the port's own clock, modulo 2^32 */
        uint32_t tx;        /**< bytes that the port had sent before this packet, modulo 2^32 */
        uint32_t qlen;      /**< bytes queued behind this packet */
        uint32_t rate_mbps; /**< line rate of the port, Mb/s */
    };

    /** Kinds of congestion signals. */
    enum rcc_feedback_kind
    {
        RCC_FEEDBACK_CNP,    /**< from the receiver's NP */
        RCC_FEEDBACK_CNM,    /**< from a switch's CP */
        RCC_FEEDBACK_ACK,    /**< an acknowledgement, also one that acknowledges nothing new */
        RCC_FEEDBACK_LOSS,   /**< a NAK, or a loss that the sender infers; a NAK has the fields of an ACK too */
        RCC_FEEDBACK_TRIM,   /**< notice that a switch has trimmed a packet */
        RCC_FEEDBACK_TIMEOUT /**< the retransmission timer expired */
    };

    /**
     * A congestion signal. Fields that do not belong to `kind` are ignored. Unknown values are 0; an unknown rtt is <
     * 0. Sequence numbers count payload bytes of the queue pair from 0 on. A host passes each ACK and NAK it receives
     * once, after it has applied it.
     */
    struct rcc_feedback
    {
        enum rcc_feedback_kind kind; /**< kind of the signal */
        uint32_t period_ns;          /**< CNP: period field, ns; 0 = a CNP without a period (DCQCN) */
        uint8_t qfb;                 /**< CNM: quantised |Fb|, 0..63; larger is read as 63 */
        bool ce;                     /**< ACK: a packet since the last ACK carried CE */
        bool restore;                /**< ACK, NSCC: the receiver asks to restore the window before its penalty */
        uint8_t penalty;             /**< ACK, NSCC: the receiver's penalty, Rcv_Cwnd_Pend, 0..127 */
        uint8_t hops;                /**< ACK: switches on the data packet's path; 0 = unknown */
        uint8_t n_path;              /**< ACK: records in path; 0 = no telemetry */
        uint16_t path_id;            /**< ACK: XOR of the 12-bit ids of the switches in path */
        const struct rcc_hop *path;  /**< ACK: first hop first; read during the call only */
        rcc_time rtt;                /**< ACK, TRIM: round-trip time, ns; < 0 = unknown */
        rcc_time remote;             /**< ACK: part of rtt that passed in the receiver, ns */
        uint64_t acked;              /**< ACK: bytes newly acknowledged, or received if these are counted */
        uint64_t ce_bytes;           /**< ACK: bytes of them that carried CE; with ce alone: all of them */
        uint64_t lost;               /**< LOSS, TRIM, TIMEOUT: bytes that are known to be lost by this signal */
        uint64_t seq;                /**< all bytes before this one are acknowledged */
        uint64_t next;               /**< first byte that has not been sent; it falls when the sender goes back */
        uint64_t in_flight;          /**< bytes in flight after this signal */
    };

    /* ------------------------------------------------------------------ pause log */

    /**
     * Times at which the host's transmit class was paused and resumed, in a ring that the host
     * owns. Reaction points whose algorithm has a pause rule read it.
     */
    struct rcc_pause_log
    {
        rcc_time *toggle; /**< toggle[i & mask] is the time of the i-th change; even i pause, odd i resume */
        uint32_t mask;    /**< capacity - 1, capacity a power of two */
        uint64_t count;   /**< changes so far */
    };

    /**
     * Initialise an empty log.
     * \param storage memory for `capacity` times
     * \param capacity number of times that the log holds, a power of two
     */
    void rcc_pause_log_init(struct rcc_pause_log *log, rcc_time *storage, uint32_t capacity);

    /**
     * Record that the class is paused or resumed from `now` on.
     * \param now the time, ns, not before that of earlier calls
     * \param paused true: paused; false: resumed
     */
    void rcc_pause_log_set(struct rcc_pause_log *log, rcc_time now, bool paused);

    /**
     * Whether the class was paused at a time. Times older than the ring's entries count as not paused.
     * \param t the time to look up, ns
     * \return true if the class was paused at `t`
     */
    bool rcc_pause_log_at(const struct rcc_pause_log *log, rcc_time t);

#ifdef __cplusplus
}
#endif

#endif /* RCC_SIGNALS_H */
