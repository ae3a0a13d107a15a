/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The sending half of a queue pair, whole: its messages and packets (rcc_transport.h), the reaction point and the token
 * bucket that pace it, its window, and its place among the queue pairs of a port (rcc_port.h).
 *
 * The host owns all memory, passes `now` (ns), transfers the packets, and does what the functions return as actions. A
 * NIC with a port:
 *
 *     struct rcc_nic nic = {.transport = &transport, .bucket = &bucket, .at = at};
 *     rcc_timers_init(&nic.timers);
 *     rcc_qp_start(&qp[i], &nic, rp, i, now);            // rp: of rcc_rp_start
 *     rcc_qp_attach(&qp[i], &port, 3, 62);               // the heap of class 3 has space for it
 *     rcc_qp_post(&nic, &qp[i], bytes, now, &actions);
 *
 * The port may send a frame:
 *
 *     while ((i = rcc_port_first(&port, paused, &due)) != RCC_PORT_NONE && due <= now)
 *         if ((actions = rcc_qp_next(&nic, &qp[i], now, &segment)) & RCC_QP_SENT)
 *             ... transmit the segment, and stop; without RCC_QP_SENT the port has another queue pair now
 *
 * Something arrived, or a timer expired:
 *
 *     actions = rcc_qp_signal(&nic, &qp[i], &cnp, now);
 *     actions = rcc_qp_ack(&nic, &qp[i], &answer, now);
 *     while (rcc_sender_complete(&qp[i].tx, &message))
 *         ... the message has arrived
 *     while ((timer = rcc_timers_first(&nic.timers)) != NULL && timer->due <= now)
 *         actions = rcc_qp_timeout(&nic, &qp[timer->id], now);
 *
 * An algorithm with a congestion window (RCC_WANT_WINDOW) needs nothing more: the bound is the lesser one of
 * rcc_qp_set_window and the algorithm. Reaction points with wants get NAKs and timeouts too. Sequence numbers and
 * bytes in flight count each packet as a full one.
 *
 * Selective repeat (rcc_selective.h) is a struct rcc_repeat beside tx, in memory of the host:
 *
 *     rcc_repeat_init(&repeat[i], &selective, words);
 *     rcc_qp_repeat(&qp[i], &repeat[i]);                 // before its first message
 *
 * An answer then has a rcc_sack, unless it is an ACK without SACK bits. The bitmap bounds what is in flight, so that
 * the calls stand where a window is looked at, and go-back-N without a window does not meet them.
 */
#ifndef RCC_QP_H
#define RCC_QP_H

#include "rcc_port.h"
#include "rcc_selective.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Bytes that a RETH adds to the first packet of an RDMA WRITE (InfiniBand 9.2: 16 bytes). */
#define RCC_QP_RETH_BYTES 16u

    /** The settings and memory that the queue pairs of a NIC share. */
    struct rcc_nic
    {
        const struct rcc_transport *transport; /**< settings; rcc_transport_check accepts them */
        const struct rcc_bucket *bucket;       /**< settings of the token buckets; size 0: there are none */
        uint32_t *at;                          /**< heap positions, by queue pair; the host may move them */
        uint32_t gap; /**< bytes of the link between two frames, which count for an offered rate, below 2^16 */
        struct rcc_timers timers; /**< retransmission timers; the host calls rcc_timers_init */
    };

    /** The sending half of a queue pair. The host may read all members; it writes none, but see rcc_sender_grow. */
    struct rcc_qp
    {
        rcc_time key;              /**< time at which the next packet may leave, ns; valid while the queue pair waits */
        struct rcc_port *port;     /**< the port whose heap it waits on */
        uint32_t id;               /**< index in the NIC */
        uint32_t pause_epoch;      /**< epoch of the class when `key` was computed, see struct rcc_port_class */
        uint16_t overhead;         /**< bytes of a frame around its payload, without a RETH */
        uint8_t cls;               /**< traffic class */
        bool offered;              /**< the application limits what it offers: tx.offer has a rate */
        bool closed;               /**< no packet is sent any more, and answers are ignored */
        struct rcc_pacer pacer;    /**< reaction point and tokens */
        struct rcc_message only;   /**< ring of tx, until the host gives it a larger one */
        struct rcc_sender tx;      /**< messages, packets and acknowledgements */
        struct rcc_repeat *repeat; /**< selective repeat; NULL: go-back-N */
    };

    /** Actions of the host after a call, as bits. */
    enum rcc_qp_action
    {
        RCC_QP_SENT = 1,      /**< transmit the segment */
        RCC_QP_WAKE = 2,      /**< the queue pair is the first of its class: the port may send at `key` */
        RCC_QP_TIMER = 4,     /**< check the time of the next wake-up against tx.timer.due */
        RCC_QP_WENT_BACK = 8, /**< packets from tx.next on are sent again; for information */
        RCC_QP_FAILED = 16,   /**< retry_limit is exceeded: the messages never complete */
        RCC_QP_INVALID = 32,  /**< the answer refers to packets that were never sent; nothing has changed */
        RCC_QP_IGNORED = 64   /**< the queue pair is closed or, for an answer, has failed; nothing has changed */
    };

    /* ------------------------------------------------------------------ start and end */

    /**
     * Initialise a queue pair without messages. It must not move in memory afterwards.
     * \param rp its reaction point, in memory of rcc_rp_size bytes that the host owns
     * \param id its index in the NIC; nic->at[id] is set
     */
    void rcc_qp_start(struct rcc_qp *qp, struct rcc_nic *nic, struct rcc_rp *rp, uint32_t id, rcc_time now);

    /**
     * Let a queue pair repeat selectively, before its first message.
     * \param repeat its repeats, of rcc_repeat_init, in memory of the host; must outlive the queue pair
     */
    void rcc_qp_repeat(struct rcc_qp *qp, struct rcc_repeat *repeat);

    /**
     * Choose the port of a queue pair that waits on none. The heap of the class must have space for all queue pairs
     * that are attached to it, and the class a pause log if rcc_rp_reads_pauses is true for the algorithm. \param cls
     * traffic class, below RCC_CLASSES \param overhead bytes of a frame around its payload, without a RETH
     */
    void rcc_qp_attach(struct rcc_qp *qp, struct rcc_port *port, uint8_t cls, uint16_t overhead);

    /**
     * Attach a queue pair to another port, where it waits if it waited before.
     * \param port the new port, with the conditions of rcc_qp_attach; the class stays
     * \param overhead bytes of a frame around its payload, without a RETH
     * \param now the time, ns, not before that of earlier calls
     * \return RCC_QP_WAKE or 0
     */
    unsigned rcc_qp_move(struct rcc_nic *nic, struct rcc_qp *qp, struct rcc_port *port, uint16_t overhead,
                         rcc_time now);

    /**
     * Close a queue pair: discard its messages, leave the port, disarm the timer. Closing it again changes nothing.
     * \param qp the queue pair; it need not be attached to a port
     */
    void rcc_qp_close(struct rcc_nic *nic, struct rcc_qp *qp);

    /* ------------------------------------------------------------------ what the application does */

    /**
     * Post a message. If rcc_sender_is_full, the host first calls rcc_sender_grow for qp->tx.
     * \param qp the queue pair, not closed
     * \param bytes payload, bytes; 0 = endless
     * \param now the time, ns, not before that of earlier calls
     * \param actions output: RCC_QP_WAKE or 0; not NULL
     * \return RCC_POST_OK, or the reason why the message was refused
     */
    enum rcc_post rcc_qp_post(struct rcc_nic *nic, struct rcc_qp *qp, uint64_t bytes, rcc_time now, unsigned *actions);

    /**
     * Limit the rate at which the application offers packets. It applies from the next packet on that is scheduled.
     * \param rate bit/s of frames with the NIC's gap; 0 = unlimited
     * \param now the time, ns, not before that of earlier calls
     */
    void rcc_qp_offer(struct rcc_qp *qp, uint64_t rate, rcc_time now);

    /**
     * Bound the payload in flight, beside the window of the reaction point.
     * \param bytes bytes, below 2^62; 0 = unlimited
     * \param variable true: the bound is bytes x rate / line rate
     * \param now the time, ns, not before that of earlier calls
     * \return RCC_QP_WAKE and RCC_QP_TIMER, or 0
     */
    unsigned rcc_qp_set_window(struct rcc_nic *nic, struct rcc_qp *qp, uint64_t bytes, bool variable, rcc_time now);

    /* ------------------------------------------------------------------ sending */

    /**
     * Whether the queue pair waits on the heap of its port.
     * \return true if it does
     */
    static inline bool rcc_qp_is_queued(const struct rcc_nic *nic, const struct rcc_qp *qp)
    {
        return nic->at[qp->id] != RCC_PORT_NONE;
    }

    /**
     * Apply the timers of the reaction point up to `now`, and fill the bucket.
     * \param now the time, ns, not before that of earlier calls
     */
    static inline void rcc_qp_advance(const struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
    {
        rcc_pacer_advance(&qp->pacer, nic->bucket, now);
    }

    /**
     * Bytes that may be in flight, for the state of the last rcc_qp_advance.
     * \return bytes of payload; 0 = unlimited
     */
    static inline uint64_t rcc_qp_window(const struct rcc_qp *qp)
    {
        const struct rcc_rp *rp = qp->pacer.rp;
        const uint64_t own = rcc_sender_window(&qp->tx, rp->rate >> RCC_RATE_SHIFT, *qp->port->line_rate);
        const uint64_t window = rcc_rp_window(rp);
        const uint64_t least = own == 0 || (window != 0 && window < own) ? window : own;
        return qp->repeat != NULL ? rcc_repeat_window(qp->repeat, &qp->tx, least) : least;
    }

    /**
     * Whether the window forbids the next packet; see rcc_sender_is_blocked and rcc_repeat_is_blocked.
     * \param window result of rcc_qp_window
     * \return true if the queue pair must wait for an acknowledgement
     */
    static inline bool rcc_qp_is_blocked(const struct rcc_qp *qp, uint64_t window)
    {
        return qp->repeat != NULL ? rcc_repeat_is_blocked(qp->repeat, &qp->tx, window)
                                  : rcc_sender_is_blocked(&qp->tx, window);
    }

    /**
     * Size of the frame of a segment, as rcc_qp_next charges it to the reaction point.
     * \param segment a segment of rcc_qp_next
     * \return bytes
     */
    static inline uint32_t rcc_qp_frame_bytes(const struct rcc_qp *qp, const struct rcc_segment *segment)
    {
        return segment->payload + qp->overhead + (segment->dma_length != 0 ? RCC_QP_RETH_BYTES : 0);
    }

    /**
     * Send the next packet of a queue pair that rcc_port_first returned, with a key not after `now`. Afterwards the
     * queue pair waits with its next key, or on no heap if it has no packet or its window is full. The function sends
     * nothing, and only moves the queue pair, if the pauses of its class since `key` was computed forbid the packet, or
     * the window does, for which the timer is armed.
     * \param now the time, ns, not before that of earlier calls
     * \param segment output: contents of the packet, with RCC_QP_SENT
     * \return RCC_QP_SENT and RCC_QP_TIMER; without RCC_QP_SENT nothing is sent: the host calls rcc_port_first again
     */
    unsigned rcc_qp_next(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now, struct rcc_segment *segment);

    /* ------------------------------------------------------------------ what comes back */

    /** An acknowledgement that arrived. */
    struct rcc_qp_answer
    {
        uint64_t packet;   /**< all packets before this one are acknowledged */
        rcc_time rtt;      /**< round-trip time, ns; < 0 = unknown */
        bool nak;          /**< true: a NAK, which requests the retransmission of `packet`, or of what sack says */
        bool ce;           /**< a packet since the last ACK carried CE */
        uint8_t hops;      /**< switches on the path of the packet; 0 = unknown */
        uint16_t path_id;  /**< XOR of the ids of the switches in path */
        rcc_time remote;   /**< part of rtt that passed in the receiver, ns */
        uint64_t ce_bytes; /**< bytes of newly acknowledged packets that carried CE; 0: all of them if ce */
        uint8_t n_path;    /**< records in path; 0 = no telemetry */
        const struct rcc_hop *path;  /**< telemetry of the path, first hop first; read during the call only */
        const struct rcc_sack *sack; /**< selective repeat: the answer of the receiver, which says `packet` and `nak`
                                          too; NULL: an ACK without SACK bits. Read during the call only */
    };

    /**
     * An ACK or a NAK arrived. An ACK is a signal to the reaction point too. The host then calls rcc_sender_complete
     * for qp->tx until it returns false.
     * \param answer the acknowledgement
     * \param now the time, ns, not before that of earlier calls
     * \return RCC_QP_INVALID or RCC_QP_IGNORED; otherwise RCC_QP_WAKE, RCC_QP_TIMER and RCC_QP_WENT_BACK, or 0
     */
    unsigned rcc_qp_ack(struct rcc_nic *nic, struct rcc_qp *qp, const struct rcc_qp_answer *answer, rcc_time now);

    /**
     * Arm the timer if something in flight is to be answered. rcc_qp_ack does so too: a host whose port sends as soon
     * as it is woken calls this after it has acted on the result of rcc_qp_ack.
     * \param qp the queue pair, not closed
     * \param now the time, ns, not before that of earlier calls
     * \return RCC_QP_TIMER or 0
     */
    unsigned rcc_qp_await(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now);

    /**
     * A congestion signal other than an acknowledgement arrived.
     * \param now the time, ns, not before that of earlier calls
     * \return RCC_QP_WAKE, RCC_QP_IGNORED or 0
     */
    unsigned rcc_qp_signal(struct rcc_nic *nic, struct rcc_qp *qp, const struct rcc_feedback *feedback, rcc_time now);

    /**
     * The retransmission timer expired: go back, or fail. With selective repeat it may be armed for the rest of a
     * longer wait instead (rcc_repeat_timeout).
     * \param qp the queue pair, whose timer is armed
     * \param now the time, ns, not before that of earlier calls
     * \return RCC_QP_FAILED; RCC_QP_TIMER alone: no timeout yet; otherwise RCC_QP_WENT_BACK and RCC_QP_WAKE
     */
    unsigned rcc_qp_timeout(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now);

#ifdef __cplusplus
}
#endif

#endif /* RCC_QP_H */
