/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The sending half of a queue pair: what it sends, when, and what an answer, a signal or a timeout changes. */
#include "rcc_qp.h"

/* ------------------------------------------------------------------ its place on the port */

/* When the next packet, which exists, may leave if nothing happens. */
static rcc_time next_send(const struct rcc_nic *nic, const struct rcc_qp *qp)
{
    const struct rcc_sender *tx = &qp->tx;
    uint32_t bytes = 0; /* only a bucket asks for it */
    rcc_time at;
    if (nic->bucket->size != 0)
        bytes = rcc_sender_payload(tx) + qp->overhead + (rcc_sender_has_reth(tx) ? RCC_QP_RETH_BYTES : 0);
    at = rcc_pacer_next_send(&qp->pacer, nic->bucket, bytes);
    return qp->offered && tx->offer.at > at ? tx->offer.at : at;
}

static inline void schedule(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time key)
{
    qp->pause_epoch = qp->port->classes[qp->cls].pause_epoch;
    qp->key = key;
    rcc_port_set(qp->port, qp->cls, qp->id, key, nic->at);
}

static void unschedule(struct rcc_nic *nic, struct rcc_qp *qp)
{
    rcc_port_remove(qp->port, qp->cls, qp->id, nic->at);
}

/* Something may have changed when the next packet may leave. */
static unsigned reschedule(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    const rcc_time key = next_send(nic, qp);
    if (rcc_qp_is_queued(nic, qp) && key <= now && qp->key <= now)
        return 0; /* it waits for the port only, and keeps its turn */
    schedule(nic, qp, key);
    return nic->at[qp->id] == 0 ? RCC_QP_WAKE : 0;
}

/* The next packet is another one than it was: schedule it, if there is one. */
static unsigned resume(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    if (!rcc_sender_has_data(&qp->tx))
    {
        unschedule(nic, qp);
        return 0;
    }
    rcc_qp_advance(nic, qp, now);
    return reschedule(nic, qp, now);
}

static unsigned arm_some(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    return rcc_repeat_arm(qp->repeat, &qp->tx, &nic->timers, now) ? RCC_QP_TIMER : 0;
}

static inline unsigned arm_all(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    return rcc_sender_arm(&qp->tx, &nic->timers, now) ? RCC_QP_TIMER : 0;
}

static inline unsigned arm(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    return qp->repeat != NULL ? arm_some(nic, qp, now) : arm_all(nic, qp, now);
}

static inline unsigned await(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    if (qp->repeat != NULL)
        return rcc_repeat_awaits_ack(&qp->tx) ? arm_some(nic, qp, now) : 0;
    return rcc_sender_awaits_ack(&qp->tx) ? arm_all(nic, qp, now) : 0;
}

/* ------------------------------------------------------------------ start and end */

static inline bool wants(const struct rcc_qp *qp, unsigned want)
{
    return (qp->pacer.rp->profile->needs.wants & want) != 0;
}

/* Set the rules that follow from the algorithm, rcc_qp_set_window and rcc_qp_repeat. */
static void set_rules(struct rcc_qp *qp)
{
    qp->tx.bounded = qp->tx.window != 0 || wants(qp, RCC_WANT_WINDOW) || qp->repeat != NULL;
    qp->tx.fits = wants(qp, RCC_WANT_WINDOW_FITS);
    qp->tx.asks_always = qp->tx.variable_window || wants(qp, RCC_WANT_ACK_PER_PACKET);
    if (qp->repeat != NULL)
        qp->repeat->counts = wants(qp, RCC_WANT_IN_FLIGHT);
}

void rcc_qp_start(struct rcc_qp *qp, struct rcc_nic *nic, struct rcc_rp *rp, uint32_t id, rcc_time now)
{
    const struct rcc_qp zero = {0};
    *qp = zero;
    qp->id = id;
    qp->pacer.rp = rp;
    if (nic->bucket->size != 0)
        qp->pacer.tokens = rcc_bucket_start(nic->bucket, now);
    rcc_sender_init(&qp->tx, nic->transport, &qp->only, 1, id);
    set_rules(qp);
    nic->at[id] = RCC_PORT_NONE;
}

void rcc_qp_repeat(struct rcc_qp *qp, struct rcc_repeat *repeat)
{
    qp->repeat = repeat;
    set_rules(qp);
}

void rcc_qp_attach(struct rcc_qp *qp, struct rcc_port *port, uint8_t cls, uint16_t overhead)
{
    qp->port = port;
    qp->cls = cls;
    qp->overhead = overhead;
    if (rcc_rp_reads_pauses(qp->pacer.rp->profile->alg))
        qp->pacer.rp->pause = &port->classes[cls].pauses;
}

unsigned rcc_qp_move(struct rcc_nic *nic, struct rcc_qp *qp, struct rcc_port *port, uint16_t overhead, rcc_time now)
{
    const bool queued = rcc_qp_is_queued(nic, qp);
    rcc_qp_advance(nic, qp, now); /* under the pauses of the old port */
    unschedule(nic, qp);
    rcc_qp_attach(qp, port, qp->cls, overhead);
    return queued ? reschedule(nic, qp, now) : 0;
}

void rcc_qp_close(struct rcc_nic *nic, struct rcc_qp *qp)
{
    qp->closed = true;
    unschedule(nic, qp);
    rcc_timers_disarm(&nic->timers, &qp->tx.timer);
    rcc_sender_flush(&qp->tx);
}

/* ------------------------------------------------------------------ what the application does */

enum rcc_post rcc_qp_post(struct rcc_nic *nic, struct rcc_qp *qp, uint64_t bytes, rcc_time now, unsigned *actions)
{
    const enum rcc_post result = rcc_sender_post(&qp->tx, bytes, now);
    *actions = result == RCC_POST_OK ? resume(nic, qp, now) : 0;
    return result;
}

void rcc_qp_offer(struct rcc_qp *qp, uint64_t rate, rcc_time now)
{
    qp->offered = rate != 0;
    rcc_offer_set(&qp->tx.offer, rate, now);
}

unsigned rcc_qp_set_window(struct rcc_nic *nic, struct rcc_qp *qp, uint64_t bytes, bool variable, rcc_time now)
{
    unsigned actions;
    qp->tx.window = bytes;
    qp->tx.variable_window = variable;
    set_rules(qp);
    if (!rcc_sender_has_data(&qp->tx))
        return 0; /* a queue pair that is closed or has failed sends nothing either */
    actions = resume(nic, qp, now);
    if (rcc_qp_is_blocked(qp, rcc_qp_window(qp)))
        actions |= arm(nic, qp, now); /* perhaps no packet in flight has asked for an acknowledgement */
    return actions;
}

/* ------------------------------------------------------------------ sending */

unsigned rcc_qp_next(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now, struct rcc_segment *segment)
{
    unsigned actions = RCC_QP_SENT;
    uint32_t bytes;
    if (qp->pause_epoch != qp->port->classes[qp->cls].pause_epoch)
    {
        /* The key was computed without the pauses that came since; rate steps may have been skipped. */
        rcc_time key;
        rcc_qp_advance(nic, qp, now);
        key = next_send(nic, qp);
        if (key > now)
        {
            schedule(nic, qp, key);
            return 0;
        }
    }
    if (!qp->tx.bounded)
        rcc_sender_send(&qp->tx, 0, segment);
    else
    {
        uint64_t window;
        rcc_qp_advance(nic, qp, now); /* a variable window follows the rate */
        window = rcc_qp_window(qp);
        if (rcc_qp_is_blocked(qp, window))
        {
            unschedule(nic, qp);
            return arm(
                nic, qp,
                now); /* packets in flight may have left before the window shrank, without asking for an answer */
        }
        rcc_sender_send(&qp->tx, window, segment);
        if (qp->repeat != NULL)
            rcc_repeat_sent(qp->repeat, &qp->tx, window, segment);
    }
    if (segment->ack_request)
        actions |= arm(nic, qp, now);
    bytes = rcc_qp_frame_bytes(qp, segment);
    rcc_pacer_sent(&qp->pacer, nic->bucket, now, bytes);
    if (qp->offered)
        rcc_offer_sent(&qp->tx.offer, bytes + nic->gap, now);
    if (rcc_sender_has_data(&qp->tx) && !segment->window_full)
        schedule(nic, qp, next_send(nic, qp));
    else
        unschedule(nic, qp);
    return actions;
}

/* ------------------------------------------------------------------ what comes back */

static unsigned unblock_bounded(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    if (rcc_qp_is_queued(nic, qp) || !rcc_sender_has_data(&qp->tx))
        return 0;
    rcc_qp_advance(nic, qp, now);
    return rcc_qp_is_blocked(qp, rcc_qp_window(qp)) ? 0 : reschedule(nic, qp, now);
}

/* A window may have opened: schedule a queue pair that waits for an acknowledgement. */
static inline unsigned unblock(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    return qp->tx.bounded ? unblock_bounded(nic, qp, now) : 0;
}

static inline unsigned feed(struct rcc_nic *nic, struct rcc_qp *qp, const struct rcc_feedback *feedback, rcc_time now)
{
    rcc_pacer_feedback(&qp->pacer, nic->bucket, now, feedback);
    return rcc_qp_is_queued(nic, qp) ? reschedule(nic, qp, now) : 0;
}

static uint64_t in_flight_of(const struct rcc_qp *qp)
{
    return qp->repeat != NULL ? rcc_repeat_in_flight(qp->repeat, &qp->tx) : rcc_sender_in_flight(&qp->tx);
}

/* Return the feedback that describes the sender, after it has changed. */
static struct rcc_feedback feedback_of(const struct rcc_qp *qp, enum rcc_feedback_kind kind)
{
    const uint64_t mtu = qp->tx.transport->mtu;
    const struct rcc_feedback feedback = {
        .kind = kind, .rtt = -1, .seq = qp->tx.una * mtu, .next = qp->tx.next * mtu, .in_flight = in_flight_of(qp)};
    return feedback;
}

unsigned rcc_qp_signal(struct rcc_nic *nic, struct rcc_qp *qp, const struct rcc_feedback *feedback, rcc_time now)
{
    unsigned actions;
    if (qp->closed)
        return RCC_QP_IGNORED;
    if (!qp->tx.bounded || !wants(qp, RCC_WANT_WINDOW))
        return feed(nic, qp, feedback, now);
    actions = feed(nic, qp, feedback, now);
    return actions | unblock_bounded(nic, qp, now);
}

/* Give the reaction point an ACK or a NAK. One without `wants` gets the time, CE mark, path and acknowledged bytes of
 * an ACK, nothing else; a NAK of selective repeat counts as an ACK of the packets that have arrived. */
static unsigned feed_answer(struct rcc_nic *nic, struct rcc_qp *qp, const struct rcc_qp_answer *answer, uint64_t acked,
                            uint64_t lost, rcc_time now)
{
    struct rcc_feedback feedback;
    if (!wants(qp, ~0u))
    {
        const struct rcc_feedback plain = {.kind = RCC_FEEDBACK_ACK,
                                           .ce = answer->ce,
                                           .rtt = answer->rtt,
                                           .acked = acked,
                                           .n_path = answer->n_path,
                                           .path = answer->path};
        return answer->nak && (qp->repeat == NULL || acked == 0) ? 0 : feed(nic, qp, &plain, now);
    }
    feedback = feedback_of(qp, !answer->nak                                    ? RCC_FEEDBACK_ACK
                               : answer->sack != NULL && answer->sack->trimmed ? RCC_FEEDBACK_TRIM
                                                                               : RCC_FEEDBACK_LOSS);
    feedback.ce = answer->ce;
    feedback.rtt = answer->rtt;
    feedback.remote = answer->remote;
    feedback.acked = acked;
    feedback.ce_bytes = answer->ce_bytes != 0 || !answer->ce ? answer->ce_bytes : acked;
    feedback.lost = lost;
    feedback.hops = answer->hops;
    feedback.n_path = answer->n_path;
    feedback.path_id = answer->path_id;
    feedback.path = answer->path;
    return feed(nic, qp, &feedback, now);
}

/* An answer for selective repeat. */
static enum rcc_sender_event acknowledge_some(struct rcc_nic *nic, struct rcc_qp *qp,
                                              const struct rcc_qp_answer *answer, uint64_t *arrived)
{
    const struct rcc_sack plain = {.packet = answer->packet};
    return rcc_repeat_acknowledge(qp->repeat, &qp->tx, &nic->timers, answer->sack != NULL ? answer->sack : &plain,
                                  arrived);
}

unsigned rcc_qp_ack(struct rcc_nic *nic, struct rcc_qp *qp, const struct rcc_qp_answer *answer, rcc_time now)
{
    enum rcc_sender_event event;
    unsigned actions;
    uint64_t acked, lost = qp->repeat != NULL ? qp->repeat->losses : 0;
    if (qp->closed || qp->tx.failed)
        return RCC_QP_IGNORED;
    event = qp->repeat != NULL ? acknowledge_some(nic, qp, answer, &acked)
                               : rcc_sender_acknowledge(&qp->tx, &nic->timers, answer->packet, answer->nak, &acked);
    if (event == RCC_SENDER_INVALID)
        return RCC_QP_INVALID;
    actions = event == RCC_SENDER_WENT_BACK ? RCC_QP_WENT_BACK : 0;
    /* go-back-N: the packet that the NAK asks for; the others may have arrived and are discarded */
    lost = qp->repeat != NULL ? qp->repeat->losses - lost : event == RCC_SENDER_WENT_BACK;
    if (event != RCC_SENDER_GOES_ON)
        actions |= resume(nic, qp, now);
    actions |= feed_answer(nic, qp, answer, acked * nic->transport->mtu, lost * nic->transport->mtu, now);
    actions |= unblock(nic, qp, now);
    return actions | await(nic, qp, now);
}

unsigned rcc_qp_await(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    return await(nic, qp, now);
}

unsigned rcc_qp_timeout(struct rcc_nic *nic, struct rcc_qp *qp, rcc_time now)
{
    const uint64_t in_flight = in_flight_of(qp);
    const enum rcc_sender_event event = qp->repeat != NULL ? rcc_repeat_timeout(qp->repeat, &qp->tx, &nic->timers)
                                                           : rcc_sender_timeout(&qp->tx, &nic->timers);
    if (event == RCC_SENDER_GOES_ON)
        return RCC_QP_TIMER;
    if (event == RCC_SENDER_FAILED)
    {
        unschedule(nic, qp);
        return RCC_QP_FAILED;
    }
    if (wants(qp, ~0u))
    {
        struct rcc_feedback feedback = feedback_of(qp, RCC_FEEDBACK_TIMEOUT);
        feedback.lost = in_flight;
        rcc_pacer_feedback(&qp->pacer, nic->bucket, now, &feedback);
    }
    return RCC_QP_WENT_BACK | resume(nic, qp, now);
}
