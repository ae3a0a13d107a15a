/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The reliable transport of a queue pair: InfiniBand's RC service with go-back-N, as a state machine without I/O.
 *
 *   sender    messages, the window of packet numbers, acknowledgements, retransmission
 *   timers    the retransmission timeouts of many senders
 *   receiver  acceptance in order, one NAK per gap, acknowledgements that echo CE
 *
 * Packets are numbered from 0 in 64 bits; the 24-bit PSN of the wire is converted by rcc_psn_of and rcc_psn_extend.
 * The host owns all memory, passes `now` (ns), and transfers the packets. Rates and pacing are in rcc.h and rcc_port.h;
 * rcc_qp.h puts a sender and a pacer together.
 *
 * A sender:
 *
 *     rcc_timers_init(&timers);                                  // struct rcc_timers: of all senders of the NIC
 *     rcc_sender_init(&tx, &transport, ring, 4, id);             // ring: struct rcc_message[4]
 *     rcc_sender_post(&tx, bytes, now);                          // post a message
 *     while (rcc_sender_has_data(&tx))
 *         rcc_sender_send(&tx, 0, &segment);                     // fills in the contents of the packet
 *     rcc_sender_acknowledge(&tx, &timers, packet, nak, &acked); // an ACK or a NAK arrived
 *     while (rcc_sender_complete(&tx, &message))                 // messages that are completely acknowledged
 *         ...
 *
 * A receiver:
 *
 *     actions = rcc_receiver_data(&rx, &packet, reliable);
 *     if (actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK))
 *         ... answer with rx.expected
 *
 * Selective repeat is beside this, in rcc_selective.h.
 */
#ifndef RCC_TRANSPORT_H
#define RCC_TRANSPORT_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** The `end` of an endless message; also means "no packet". */
#define RCC_PACKET_NEVER UINT64_MAX

/** Largest DMA length of a RETH, bytes (InfiniBand 9.7.4.1.4: 2^31). */
#define RCC_DMA_LENGTH_MAX ((uint32_t)1 << 31)

/** Largest back-off: timeout x 2^7. */
#define RCC_BACKOFF_MAX 7u

/* ------------------------------------------------------------------ packet sequence numbers */

/** A PSN has 24 bits on the wire. */
#define RCC_PSN_MASK ((uint32_t)0xffffff)

    /**
     * PSN of a packet number.
     * \param packet packet number
     * \return the PSN
     */
    static inline uint32_t rcc_psn_of(uint64_t packet)
    {
        return (uint32_t)packet & RCC_PSN_MASK;
    }

    /**
     * Packet number of a PSN: the number with these 24 low bits in near - 2^23 .. near + 2^23 - 1; 2^24 more if that
     * would be negative. Bits of psn above the 24th are ignored.
     * \param psn PSN of the wire, 24 bits
     * \param near a packet number close to the result
     * \return the packet number
     */
    uint64_t rcc_psn_extend(uint32_t psn, uint64_t near);

    /* ------------------------------------------------------------------ parameters */

    /** Settings that the queue pairs of a NIC share. Senders keep a pointer to it. */
    struct rcc_transport
    {
        uint32_t mtu;         /**< payload of a full packet, bytes, 1..RCC_FRAME_MAX */
        uint32_t ack_every;   /**< every n-th packet requests an acknowledgement, at least 1 */
        uint32_t chunk;       /**< packets of a chunk, whose last packet requests one as well; 0 = no chunks */
        uint32_t retry_limit; /**< timeouts in a row before the queue pair fails; 0 = no limit */
        rcc_time timeout;     /**< time from an acknowledgement request to the first timeout, ns, 1..2^55 */
        bool backoff;         /**< each timeout in a row doubles the wait, up to 2^RCC_BACKOFF_MAX times */
        bool back_to_zero;    /**< go back to the first packet of the chunk instead of the missing packet */
        bool reliable;        /**< false: datagrams, which are neither acknowledged nor retransmitted */
        bool write;           /**< true: RDMA WRITE, the first packet of a message has a RETH; false: SEND */
    };

    /**
     * Check the settings of a NIC.
     * \param transport settings of the NIC; must outlive the senders
     * \return NULL if every field is in its range, or a static error message
     */
    const char *rcc_transport_check(const struct rcc_transport *transport);

    /* ------------------------------------------------------------------ timers */

    /** A retransmission timer, a member of struct rcc_sender. A sender must not move in memory while its timer is
     * armed. The host reads due and id. */
    struct rcc_timer
    {
        struct rcc_timer *prev; /**< previous timer of its list */
        struct rcc_timer *next; /**< next timer of its list */
        rcc_time due;           /**< expiry, ns; valid while armed */
        uint32_t id;            /**< id of the queue pair, as given to rcc_sender_init */
        uint8_t level;          /**< the timeout is transport.timeout x 2^level */
        bool armed;             /**< true while on a list */
    };

    /**
     * The timers of a NIC, ordered by expiry: one list per back-off level. All timers of a level have the same length,
     * so that each list is in the order of arming, and arming takes O(1).
     */
    struct rcc_timers
    {
        struct rcc_timer *head[RCC_BACKOFF_MAX + 1]; /**< first of each list */
        struct rcc_timer *tail[RCC_BACKOFF_MAX + 1]; /**< last of each list */
    };

    /**
     * Initialise an empty set of timers.
     */
    void rcc_timers_init(struct rcc_timers *timers);

    /**
     * Arm a timer that is not armed.
     * \param timer a timer of the NIC
     * \param due expiry, ns
     * \param level back-off level, at most RCC_BACKOFF_MAX
     * \return true if the timer is the first of its list: the host then checks its next wake-up time
     */
    bool rcc_timers_arm(struct rcc_timers *timers, struct rcc_timer *timer, rcc_time due, uint8_t level);

    /**
     * Disarm a timer; no effect if it is not armed.
     * \param timer a timer of the NIC
     */
    void rcc_timers_disarm(struct rcc_timers *timers, struct rcc_timer *timer);

    /**
     * The timer that expires first; among equal times, that of the lowest back-off level.
     * \return the timer; NULL if none is armed
     */
    struct rcc_timer *rcc_timers_first(const struct rcc_timers *timers);

    /* ------------------------------------------------------------------ sender */

    /** A posted message. */
    struct rcc_message
    {
        uint64_t begin;        /**< first packet */
        uint64_t end;          /**< the packet after its last one; RCC_PACKET_NEVER: without end */
        rcc_time posted;       /**< time at which it was posted, ns */
        uint32_t last_payload; /**< bytes of its last packet */
    };

    /**
     * Payload of a message that is not endless.
     * \param m the message
     * \param mtu payload of a full packet, bytes
     * \return bytes
     */
    static inline uint64_t rcc_message_bytes(const struct rcc_message *m, uint32_t mtu)
    {
        return (m->end - m->begin - 1) * mtu + m->last_payload;
    }

    /** Offered load of an application: packets at a rate. The backlog never exceeds one packet. */
    struct rcc_offer
    {
        uint64_t rate; /**< bit/s; 0 = unlimited */
        rcc_time at;   /**< time at which the next packet is offered, ns, rounded down */
        uint64_t rest; /**< rounding remainder of `at`, 1e-9 bit */
    };

    /**
     * The sending half of a queue pair. Message counters never decrease; message i is ring[i & mask].
     *
     *     una <= highest, next <= highest; next < una only while packets before una are sent again (back to zero)
     */
    struct rcc_sender
    {
        /* used to send a packet: 80 bytes */
        uint32_t mask;                         /**< capacity of the ring in messages, less one */
        uint32_t retries;                      /**< timeouts since `una` last moved */
        bool variable_window;                  /**< the window is proportional to the rate, see rcc_sender_window */
        bool bounded;                          /**< the payload in flight has a bound, here or in the reaction point */
        bool fits;                             /**< a packet must fit into the bound, see rcc_sender_is_blocked */
        bool asks_always;                      /**< every packet requests an acknowledgement */
        bool failed;                           /**< retry_limit was exceeded: the sender sends no more packets */
        const struct rcc_transport *transport; /**< settings of the NIC */
        struct rcc_message *ring;              /**< memory of the host, mask + 1 messages */
        uint64_t next;                         /**< packet to send next */
        uint64_t highest;                      /**< number of packets that were sent at least once */
        uint64_t window;                       /**< payload that may be in flight, bytes, below 2^62; 0 = unlimited */
        uint64_t posted;                       /**< number of messages posted */
        uint64_t sending;                      /**< message that contains `next`; == posted: nothing left to send */
        struct rcc_offer offer;                /**< offered load of the application */
        /* used to process an acknowledgement */
        uint64_t una;           /**< oldest unacknowledged packet */
        uint64_t answering;     /**< first message that is not completely acknowledged */
        uint64_t end;           /**< packet after the last posted message */
        struct rcc_timer timer; /**< armed while a requested acknowledgement is outstanding */
    };

    /**
     * Initialise the sending half of a queue pair, without messages.
     * \param transport settings of the NIC; must outlive the senders
     * \param ring memory for `capacity` messages
     * \param capacity messages that the ring holds, a power of two
     * \param id id of the queue pair, returned in struct rcc_timer
     */
    void rcc_sender_init(struct rcc_sender *s, const struct rcc_transport *transport, struct rcc_message *ring,
                         uint32_t capacity, uint32_t id);

    /**
     * Whether the ring is full. The host must then call rcc_sender_grow before it posts a message.
     * \return true if the ring has no space for another message
     */
    static inline bool rcc_sender_is_full(const struct rcc_sender *s)
    {
        const uint64_t oldest = s->sending < s->answering ? s->sending : s->answering;
        return s->posted - oldest > s->mask;
    }

    /**
     * Move the messages to a larger ring; the old memory may then be freed.
     * \param ring memory for `capacity` messages
     * \param capacity messages that the ring holds, a power of two
     */
    void rcc_sender_grow(struct rcc_sender *s, struct rcc_message *ring, uint32_t capacity);

    /** Result of rcc_sender_post. The sender changes only on RCC_POST_OK. */
    enum rcc_post
    {
        RCC_POST_OK,
        RCC_POST_FULL,     /**< the ring is full */
        RCC_POST_ENDLESS,  /**< the previous message is endless */
        RCC_POST_DATAGRAM, /**< datagrams are not acknowledged, so their messages must be endless */
        RCC_POST_TOO_LONG, /**< packet numbers would exceed 64 bits */
        RCC_POST_FAILED    /**< the queue pair has failed */
    };

    /**
     * Post a message.
     * \param bytes payload of the message, bytes; 0 = endless
     * \param now the time, ns, not before that of earlier calls
     * \return RCC_POST_OK, or the reason why the message was refused
     */
    enum rcc_post rcc_sender_post(struct rcc_sender *s, uint64_t bytes, rcc_time now);

    /**
     * Reason of a result of rcc_sender_post.
     * \param result the result
     * \return a static clause without full stop: "message posted behind one without end"; "" for RCC_POST_OK
     */
    const char *rcc_post_text(enum rcc_post result);

    /**
     * Discard all messages when the queue pair is closed. No message may be posted afterwards. The timer stays armed:
     * the host disarms it (rcc_timers_disarm).
     */
    void rcc_sender_flush(struct rcc_sender *s);

    /**
     * Whether there is a packet to send. This is a precondition of the functions about the next packet.
     * \return true if there is one
     */
    static inline bool rcc_sender_has_data(const struct rcc_sender *s)
    {
        return s->sending != s->posted;
    }

    /**
     * Payload of the next packet.
     * \return bytes
     */
    static inline uint32_t rcc_sender_payload(const struct rcc_sender *s)
    {
        const struct rcc_message *m = &s->ring[s->sending & s->mask];
        return s->next + 1 == m->end ? m->last_payload : s->transport->mtu;
    }

    /**
     * Whether the next packet has a RETH.
     * \return true if it has
     */
    static inline bool rcc_sender_has_reth(const struct rcc_sender *s)
    {
        return s->transport->write && s->next == s->ring[s->sending & s->mask].begin;
    }

    /**
     * Current window: s->window, or s->window x rate / line_rate, at least 1 byte, if the window is variable.
     * \param rate rate of the reaction point, bit/s, below 2^44
     * \param line_rate line rate of the port, bit/s, not 0, below 2^44
     * \return bytes that may be in flight; 0 = unlimited
     */
    uint64_t rcc_sender_window(const struct rcc_sender *s, uint64_t rate, uint64_t line_rate);

    /**
     * Payload in flight. Every packet counts as a full one, as in the bytes of an acknowledgement.
     * \return bytes; 0 while packets before `una` are sent again
     */
    static inline uint64_t rcc_sender_in_flight(const struct rcc_sender *s)
    {
        return s->next > s->una ? (s->next - s->una) * s->transport->mtu : 0;
    }

    /**
     * Whether the window forbids the next packet. One packet may always be in flight. Another one may start while less
     * than the window is in flight or, if s->fits, if the window has space for all of it: decision `window_rule`.
     * \param window bytes that may be in flight; 0 = unlimited
     * \return true if the sender must wait for an acknowledgement
     */
    static inline bool rcc_sender_is_blocked(const struct rcc_sender *s, uint64_t window)
    {
        uint64_t in_flight;
        if (window == 0 || s->next <= s->una)
            return false;
        in_flight = rcc_sender_in_flight(s);
        return s->fits ? in_flight + (rcc_sender_has_data(s) ? rcc_sender_payload(s) : s->transport->mtu) > window
                       : in_flight >= window;
    }

    /** Contents of a data packet. */
    struct rcc_segment
    {
        uint64_t packet;     /**< packet number */
        uint32_t payload;    /**< bytes */
        uint32_t dma_length; /**< length in the RETH, bytes; 0 = no RETH */
        bool first;          /**< first packet of its message */
        bool last;           /**< last packet of its message */
        bool ack_request;    /**< the packet requests an acknowledgement */
        bool window_full;    /**< no further packet may leave before an acknowledgement */
        bool repeated;       /**< the packet was sent before */
    };

    /**
     * Send the next packet. It requests an acknowledgement if it is the last of its message or chunk, the
     * ack_every-th one, if it fills the window, or if s->asks_always. The host then arms the timer
     * (rcc_sender_arm).
     * \param window result of rcc_sender_window
     * \param segment output: contents of the packet
     */
    void rcc_sender_send(struct rcc_sender *s, uint64_t window, struct rcc_segment *segment);

    /**
     * Arm the sender's timer unless it is armed. It stands for the oldest packet without an answer: while packets
     * before `una` are sent again (back to zero) there is none, and nothing is armed. \param timers
     * the timers of the NIC \param now the time, ns, not before that of earlier calls \return true if the host has to
     * check its next wake-up time
     */
    static inline bool rcc_sender_arm(struct rcc_sender *s, struct rcc_timers *timers, rcc_time now)
    {
        uint32_t level = s->transport->backoff ? s->retries : 0;
        level = level < RCC_BACKOFF_MAX ? level : RCC_BACKOFF_MAX;
        return !s->timer.armed && s->next > s->una &&
               rcc_timers_arm(timers, &s->timer, now + (s->transport->timeout << level), (uint8_t)level);
    }

    /** Effect of an acknowledgement or a timeout on a sender. */
    enum rcc_sender_event
    {
        RCC_SENDER_GOES_ON,   /**< `next` is unchanged */
        RCC_SENDER_SKIPPED,   /**< `next` moved forward to `una`: the packets to be retransmitted had arrived */
        RCC_SENDER_WENT_BACK, /**< `next` moved back: packets are retransmitted */
        RCC_SENDER_FAILED,    /**< retry_limit is exceeded: the messages never complete */
        RCC_SENDER_INVALID    /**< the answer refers to packets that were never sent; the sender is unchanged */
    };

    /**
     * Process an ACK or NAK that arrived. The host then arms the timer again if rcc_sender_awaits_ack returns true.
     * \param timers the timers of the NIC; the sender's timer is disarmed on progress, and by any NAK
     * \param packet all packets before this one are acknowledged
     * \param nak true: a NAK, which requests the retransmission of `packet`
     * \param acked output: number of newly acknowledged packets, 0 for an old answer; not NULL
     * \return effect on the sender
     */
    enum rcc_sender_event rcc_sender_acknowledge(struct rcc_sender *s, struct rcc_timers *timers, uint64_t packet,
                                                 bool nak, uint64_t *acked);

    /**
     * Whether the timer has to be armed: a requested acknowledgement is outstanding, or, if s->bounded, any packet
     * is in flight. Whether the host has called rcc_sender_complete does not matter.
     *
     * \return true if it has
     */
    bool rcc_sender_awaits_ack(const struct rcc_sender *s);

    /**
     * Process the expiry of the timer: disarm it and go back, or fail.
     * \return RCC_SENDER_WENT_BACK or RCC_SENDER_FAILED
     */
    enum rcc_sender_event rcc_sender_timeout(struct rcc_sender *s, struct rcc_timers *timers);

    /**
     * Take the next message that is completely acknowledged, in the order of posting.
     * \param message output: the message
     * \return false if there is none
     */
    bool rcc_sender_complete(struct rcc_sender *s, struct rcc_message *message);

    /**
     * Set the rate at which the application offers packets from `now` on.
     * \param rate bit/s; 0 = unlimited
     * \param now the time, ns, not before that of earlier calls
     */
    static inline void rcc_offer_set(struct rcc_offer *offer, uint64_t rate, rcc_time now)
    {
        offer->rate = rate;
        offer->at = now;
        offer->rest = 0;
    }

    /**
     * Compute the time of the next offered packet after a packet left: one gap after the time of this packet, or `now`
     * if that is later. The rate must not be 0.
     * \param bytes size of the packet on the wire, bytes, below 2^20
     * \param now the time, ns, not before that of earlier calls
     */
    static inline void rcc_offer_sent(struct rcc_offer *offer, uint32_t bytes, rcc_time now)
    {
        const uint64_t bit_ns = (uint64_t)bytes * 8 * 1000000000 + offer->rest;
        const rcc_time next = offer->at + (rcc_time)(bit_ns / offer->rate);
        offer->rest = next > now ? bit_ns % offer->rate : 0;
        offer->at = next > now ? next : now;
    }

    /* ------------------------------------------------------------------ receiver */

    /** The receiving half of a queue pair. Initialise it with zeros. */
    struct rcc_receiver
    {
        uint64_t expected; /**< next packet in order */
        uint64_t bytes;    /**< payload accepted, bytes */
        bool nak_sent;     /**< a NAK was sent for the expected packet */
        bool ce_seen;      /**< a packet since the last ACK carried CE */
        rcc_time nak_due;  /**< see rcc_receiver_nak_again: time from which the NAK is sent again, ns */
    };

    /** A data packet that arrived. */
    struct rcc_data
    {
        uint64_t packet;  /**< packet number */
        uint32_t payload; /**< bytes */
        bool ce;          /**< the packet carries CE */
        bool ack_request; /**< the packet requests an acknowledgement */
    };

    /** Actions of the host for a packet, as bits. */
    enum rcc_receiver_action
    {
        RCC_RECEIVER_ACCEPT = 1, /**< deliver the payload; without this bit, drop the packet */
        RCC_RECEIVER_ACK = 2,    /**< send an ACK: all packets before `expected` have arrived */
        RCC_RECEIVER_NAK = 4,    /**< send a NAK: `expected` is missing */
        RCC_RECEIVER_ECHO_CE = 8 /**< the ACK echoes CE */
    };

    /**
     * Process a packet that arrived. The next packet in order is accepted. A packet after a gap is dropped, and one NAK
     * is sent per gap. A duplicate that requests an acknowledgement gets another ACK.
     * \param reliable false: any packet that is not older than the expected one is accepted
     * \return a set of enum rcc_receiver_action; never ACK and NAK together
     */
    static inline unsigned rcc_receiver_data(struct rcc_receiver *r, const struct rcc_data *data, bool reliable)
    {
        unsigned actions = 0;
        r->ce_seen = r->ce_seen || data->ce;
        if (data->packet == r->expected || (!reliable && data->packet > r->expected))
        {
            r->expected = data->packet + 1;
            r->nak_sent = false;
            r->bytes += data->payload;
            actions = RCC_RECEIVER_ACCEPT;
        }
        else if (data->packet > r->expected)
        {
            actions = r->nak_sent ? 0 : RCC_RECEIVER_NAK;
            r->nak_sent = true;
            return actions;
        }
        if (data->ack_request)
        {
            actions |= RCC_RECEIVER_ACK;
            if (r->ce_seen)
                actions |= RCC_RECEIVER_ECHO_CE;
            r->ce_seen = false;
        }
        return actions;
    }

    /**
     * Process the header of a packet whose payload a switch has cut off (rcc_trim.h): go-back-N learns at once that it
     * is missing. That of the expected packet is answered each time, as every repetition may be trimmed again, and so
     * is one that asks for an acknowledgement: headers overtake data, and after it the sender may fall silent. The time
     * of rcc_receiver_nak_again does not begin here: with it, the next packet behind the gap may get a NAK at once.
     * \param packet packet number
     * \param ack_request the packet requests an acknowledgement
     * \return true: send a NAK
     */
    static inline bool rcc_receiver_trimmed(struct rcc_receiver *r, uint64_t packet, bool ack_request)
    {
        const bool nak = packet == r->expected || (packet > r->expected && (!r->nak_sent || ack_request));
        r->nak_sent = r->nak_sent || nak;
        return nak;
    }

    /**
     * The rule for NAKs of one gap: `once` (InfiniBand 9.7.5.1.1), as rcc_receiver_data does, or again with each packet
     * after the gap once a time has passed since the last NAK. The simulator of HPCC does so, after 500 us: a sender
     * whose repeated packet is lost then waits for that and not for its timeout. A host with the rule `once` need not
     * call this.
     * \param data the packet that rcc_receiver_data has processed
     * \param actions its result
     * \param every time between two NAKs for one gap, ns, up to 2^55; 0 = once
     * \param now the time, ns, not before that of earlier calls
     * \return `actions`, or RCC_RECEIVER_NAK
     */
    static inline unsigned rcc_receiver_nak_again(struct rcc_receiver *r, const struct rcc_data *data, unsigned actions,
                                                  rcc_time every, rcc_time now)
    {
        const bool silent = actions == 0 && data->packet > r->expected; /* a NAK was sent for this gap */
        if (every == 0 || !((actions & RCC_RECEIVER_NAK) != 0 || (silent && now >= r->nak_due)))
            return actions;
        r->nak_due = now + every;
        return RCC_RECEIVER_NAK;
    }

#ifdef __cplusplus
}
#endif

#endif /* RCC_TRANSPORT_H */
