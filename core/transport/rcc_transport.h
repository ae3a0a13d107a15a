/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The reliable transport of a queue pair (InfiniBand's RC service with go-back-N), without packets and without a host.
 *
 *   sender    messages, the window of packet numbers, acknowledgements, retransmission
 *   timers    the retransmission timeouts of many senders
 *   receiver  acceptance in order, one NAK per gap, acknowledgements that echo CE
 *
 * Packets are numbered from 0 in 64 bits; the 24-bit PSN of the wire is converted by rcc_psn_of and rcc_psn_extend.
 * The host owns all memory, passes `now` (ns) in, and moves the packets. Rates and pacing are in rcc.h and rcc_port.h.
 *
 * A sender:
 *
 *     rcc_sender_init(&tx, &transport, ring, 4, id);     // ring: struct rcc_message[4]
 *     rcc_sender_post(&tx, bytes, now);                  // a message
 *     while (rcc_sender_has_data(&tx))
 *         rcc_sender_send(&tx, 0, &segment);             // fills in what the packet says
 *     rcc_sender_acknowledge(&tx, packet, nak, &acked);  // an ACK or a NAK came
 *     while (rcc_sender_complete(&tx, &message))         // messages that are now acknowledged
 *         ...
 *
 * A receiver:
 *
 *     actions = rcc_receiver_data(&rx, &packet, reliable);
 *     if (actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK))
 *         ... answer with rx.expected
 */
#ifndef RCC_TRANSPORT_H
#define RCC_TRANSPORT_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** End of a message without end; also "no packet". */
#define RCC_PACKET_NEVER UINT64_MAX

/** Largest length that a RETH states, bytes (InfiniBand 9.7.4.1.4: 2^31). */
#define RCC_DMA_LENGTH_MAX ((uint32_t)1 << 31)

/** Back-off stops to double here: timeout x 2^7. */
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
     * Packet number of a PSN: of all numbers with these 24 bits, the one in near - 2^23 .. near + 2^23 - 1. Near 0,
     * where that would be negative, the one 2^24 above it. The bits of psn above 24 are ignored.
     * \param psn the 24 bits of the wire
     * \param near a packet number close to the one looked for
     * \return the packet number
     */
    uint64_t rcc_psn_extend(uint32_t psn, uint64_t near);

    /* ------------------------------------------------------------------ parameters */

    /** What the queue pairs of a NIC have in common. Senders keep a pointer to it. */
    struct rcc_transport
    {
        uint32_t mtu;         /**< payload of a full packet, bytes, 1..RCC_FRAME_MAX */
        uint32_t ack_every;   /**< every so many packets one requests an acknowledgement, at least 1 */
        uint32_t chunk;       /**< the last packet of so many requests one as well; 0 = no chunks */
        uint32_t retry_limit; /**< timeouts in a row before the queue pair fails; 0 = no limit */
        rcc_time timeout;     /**< from a request to the first timeout, ns, 1..2^55 */
        bool backoff;         /**< each timeout in a row waits twice as long, up to 2^RCC_BACKOFF_MAX times */
        bool back_to_zero;    /**< go back to the first packet of a chunk, not to the missing one */
        bool reliable;        /**< false: datagrams, which are never acknowledged nor sent twice */
        bool write;           /**< RDMA WRITE: the first packet of a message has a RETH; false: SEND */
    };

    /**
     * Check the settings of a NIC.
     * \param transport settings of the NIC; outlives the senders
     * \return NULL if every field is in its range; else a static sentence
     */
    const char *rcc_transport_check(const struct rcc_transport *transport);

    /* ------------------------------------------------------------------ timers */

    /** A retransmission timer; part of struct rcc_sender, which stays where it is while the timer is armed. The host
     * reads due and id. */
    struct rcc_timer
    {
        struct rcc_timer *prev; /**< the one before it on its list */
        struct rcc_timer *next; /**< the one after it on its list */
        rcc_time due;           /**< expiry, ns; valid while armed */
        uint32_t id;            /**< of the queue pair, given to rcc_sender_init */
        uint8_t level;          /**< the timeout is transport.timeout x 2^level */
        bool armed;             /**< true while on a list */
    };

    /**
     * The timers of a NIC, by expiry: one list per back-off level. Timers of one level are equally long, so that each
     * list is in the order in which they were armed, and arming takes O(1).
     */
    struct rcc_timers
    {
        struct rcc_timer *head[RCC_BACKOFF_MAX + 1]; /**< first of each list */
        struct rcc_timer *tail[RCC_BACKOFF_MAX + 1]; /**< last of each list */
    };

    /**
     * Make an empty set of timers.
     * \param timers the timers of the NIC
     */
    void rcc_timers_init(struct rcc_timers *timers);

    /**
     * Arm a timer that is not armed. True if it is the first of its list: the host then checks its wake-up time.
     * \param timers the timers of the NIC
     * \param timer a timer of the NIC
     * \param due expiry, ns
     * \param level back-off level, at most RCC_BACKOFF_MAX
     * \return true if the timer is the first of its list: the host then checks its wake-up time
     */
    bool rcc_timers_arm(struct rcc_timers *timers, struct rcc_timer *timer, rcc_time due, uint8_t level);

    /**
     * Disarm a timer; nothing happens if it is not armed.
     * \param timers the timers of the NIC
     * \param timer a timer of the NIC
     */
    void rcc_timers_disarm(struct rcc_timers *timers, struct rcc_timer *timer);

    /**
     * The timer that expires first, NULL if none is armed. Of equal ones, the one with less back-off.
     * \param timers the timers of the NIC
     * \return the timer; NULL if none is armed
     */
    struct rcc_timer *rcc_timers_first(const struct rcc_timers *timers);

    /* ------------------------------------------------------------------ sender */

    /** A posted message. */
    struct rcc_message
    {
        uint64_t begin;        /**< its first packet */
        uint64_t end;          /**< the packet after its last one; RCC_PACKET_NEVER: without end */
        rcc_time posted;       /**< ns */
        uint32_t last_payload; /**< bytes of its last packet */
    };

    /**
     * Payload of a message with an end, bytes.
     * \param m the message
     * \param mtu payload of a full packet, bytes
     * \return bytes
     */
    static inline uint64_t rcc_message_bytes(const struct rcc_message *m, uint32_t mtu)
    {
        return (m->end - m->begin - 1) * mtu + m->last_payload;
    }

    /** What an application offers: packets at a rate, none of which piles up. */
    struct rcc_offer
    {
        uint64_t rate; /**< bit/s; 0 = any packet at once */
        rcc_time at;   /**< when the next packet is offered, ns */
        uint64_t rest; /**< what `at` was rounded down by, 1e-9 bit */
    };

    /**
     * The sending half of a queue pair. Counts of messages only grow; message i is ring[i & mask].
     *
     *     una <= highest, next <= highest; next < una only while packets before una are sent again (back to zero)
     */
    struct rcc_sender
    {
        /* what sending a packet touches: 80 bytes */
        uint32_t mask;                         /**< messages the ring holds, less one */
        uint32_t retries;                      /**< timeouts since `una` last moved */
        bool variable_window;                  /**< the window shrinks with the rate, see rcc_sender_window */
        bool failed;                           /**< retry_limit was exceeded: nothing is sent any more */
        const struct rcc_transport *transport; /**< settings of the NIC */
        struct rcc_message *ring;              /**< memory of the host, mask + 1 messages */
        uint64_t next;                         /**< packet to send next */
        uint64_t highest;                      /**< packets sent at least once */
        uint64_t window;                       /**< payload that may be in flight, bytes, below 2^62; 0 = any amount */
        uint64_t posted;                       /**< messages posted */
        uint64_t sending;                      /**< message that `next` belongs to; == posted: nothing left to send */
        struct rcc_offer offer;                /**< what the application offers */
        /* and an answer */
        uint64_t una;           /**< oldest packet that is not acknowledged */
        uint64_t answering;     /**< first message that is not acknowledged */
        uint64_t end;           /**< packet after the last posted message */
        struct rcc_timer timer; /**< armed while a requested acknowledgement is outstanding */
    };

    /**
     * Start the sending half of a queue pair, without messages.
     * \param s the sender
     * \param transport settings of the NIC; outlives the senders
     * \param ring memory for `capacity` messages
     * \param capacity messages that the ring holds, a power of two
     * \param id names the queue pair to the host, see struct rcc_timer
     */
    void rcc_sender_init(struct rcc_sender *s, const struct rcc_transport *transport, struct rcc_message *ring,
                         uint32_t capacity, uint32_t id);

    /**
     * True if the ring has no room for another message: the host calls rcc_sender_grow before it posts one.
     * \param s the sender
     * \return whether the ring is full
     */
    static inline bool rcc_sender_is_full(const struct rcc_sender *s)
    {
        const uint64_t oldest = s->sending < s->answering ? s->sending : s->answering;
        return s->posted - oldest > s->mask;
    }

    /**
     * Move to a larger ring of `capacity` messages, a power of two; the old memory may then be freed.
     * \param s the sender
     * \param ring memory for `capacity` messages
     * \param capacity messages that the ring holds, a power of two
     */
    void rcc_sender_grow(struct rcc_sender *s, struct rcc_message *ring, uint32_t capacity);

    /** Result of rcc_sender_post. All but RCC_POST_OK change nothing. */
    enum rcc_post
    {
        RCC_POST_OK,
        RCC_POST_FULL,     /**< the ring is full */
        RCC_POST_ENDLESS,  /**< the message before it has no end */
        RCC_POST_DATAGRAM, /**< a message of datagrams has no end that could be acknowledged */
        RCC_POST_TOO_LONG, /**< packet numbers would not fit 64 bits */
        RCC_POST_FAILED    /**< the queue pair has failed */
    };

    /**
     * Append a message of `bytes` payload, 0 = without end.
     * \param s the sender
     * \param bytes payload of the message, bytes; 0 = without end
     * \param now the time, ns, not before that of earlier calls
     * \return RCC_POST_OK, or why the message was refused
     */
    enum rcc_post rcc_sender_post(struct rcc_sender *s, uint64_t bytes, rcc_time now);

    /**
     * Forget all messages, acknowledged or not; the queue pair is being closed, and takes no more of
     * them. Its timer stays armed: the host disarms it (rcc_timers_disarm).
     * \param s the sender
     */
    void rcc_sender_flush(struct rcc_sender *s);

    /**
     * True if a packet is left to send; the functions about the next packet need that.
     * \param s the sender
     * \return whether a packet is left
     */
    static inline bool rcc_sender_has_data(const struct rcc_sender *s)
    {
        return s->sending != s->posted;
    }

    /**
     * Payload of the next packet, bytes.
     * \param s the sender
     * \return bytes
     */
    static inline uint32_t rcc_sender_payload(const struct rcc_sender *s)
    {
        const struct rcc_message *m = &s->ring[s->sending & s->mask];
        return s->next + 1 == m->end ? m->last_payload : s->transport->mtu;
    }

    /**
     * True if the next packet has a RETH.
     * \param s the sender
     * \return whether it has a RETH
     */
    static inline bool rcc_sender_has_reth(const struct rcc_sender *s)
    {
        return s->transport->write && s->next == s->ring[s->sending & s->mask].begin;
    }

    /**
     * Bytes that may be in flight now, at least 1: the window, or window x rate / line_rate. 0 = any amount. Rates
     * below 2^42 bit/s, line_rate not 0.
     * \param s the sender
     * \param rate rate of the reaction point, bit/s, below 2^42
     * \param line_rate line rate of the port, bit/s, not 0, below 2^42
     * \return bytes; 0 = any amount
     */
    uint64_t rcc_sender_window(const struct rcc_sender *s, uint64_t rate, uint64_t line_rate);

    /**
     * True if `window` (of rcc_sender_window) forbids the next packet.
     * \param s the sender
     * \param window what rcc_sender_window returned
     * \return whether the sender must wait
     */
    static inline bool rcc_sender_is_blocked(const struct rcc_sender *s, uint64_t window)
    {
        return window != 0 && s->next > s->una && (s->next - s->una) * s->transport->mtu >= window;
    }

    /** What a data packet says. */
    struct rcc_segment
    {
        uint64_t packet;     /**< its number */
        uint32_t payload;    /**< bytes */
        uint32_t dma_length; /**< of the RETH, bytes; 0 = it has none */
        bool first;          /**< it is the first of its message */
        bool last;           /**< it is the last of its message */
        bool ack_request;    /**< it requests an acknowledgement */
        bool window_full;    /**< no other packet may leave before an acknowledgement */
    };

    /**
     * The next packet leaves. It requests an acknowledgement if it is the last of its message or chunk, the
     * ack_every-th one, if it fills the window, or if the window varies. If it does, the
     * host arms the timer (rcc_sender_arm).
     * \param s the sender
     * \param window what rcc_sender_window returned
     * \param segment filled in with what the packet says
     */
    void rcc_sender_send(struct rcc_sender *s, uint64_t window, struct rcc_segment *segment);

    /**
     * Arm the sender's timer unless it is armed. True if the host has to check its wake-up time.
     * \param s the sender
     * \param timers the timers of the NIC
     * \param now the time, ns, not before that of earlier calls
     * \return true if the host has to check its wake-up time
     */
    static inline bool rcc_sender_arm(struct rcc_sender *s, struct rcc_timers *timers, rcc_time now)
    {
        uint32_t level = s->transport->backoff ? s->retries : 0;
        level = level < RCC_BACKOFF_MAX ? level : RCC_BACKOFF_MAX;
        return !s->timer.armed &&
               rcc_timers_arm(timers, &s->timer, now + (s->transport->timeout << level), (uint8_t)level);
    }

    /** What an acknowledgement or a timeout did to a sender. */
    enum rcc_sender_event
    {
        RCC_SENDER_GOES_ON,   /**< the next packet is the one it was */
        RCC_SENDER_SKIPPED,   /**< `next` moved forward to `una`: what was to be repeated has arrived */
        RCC_SENDER_WENT_BACK, /**< `next` moved back; from where, the host knows */
        RCC_SENDER_FAILED,    /**< retry_limit is exceeded: its messages never complete */
        RCC_SENDER_INVALID    /**< an answer to packets that were never sent; nothing changed */
    };

    /**
     * An ACK or NAK arrived. The host arms the timer again if rcc_sender_awaits_ack.
     * \param s the sender
     * \param timers the timers of the NIC; that of this sender is disarmed on progress, and by any NAK
     * \param packet every packet before this one is acknowledged
     * \param nak true: a NAK, which asks for `packet` again
     * \param acked number of packets that this answer acknowledged, 0 for an old one; not NULL
     * \return what happened to the sender
     */
    enum rcc_sender_event rcc_sender_acknowledge(struct rcc_sender *s, struct rcc_timers *timers, uint64_t packet,
                                                 bool nak, uint64_t *acked);

    /**
     * True if an acknowledgement has been requested that has not come, or, with a window, if anything is in flight: the
     * timer has to be armed.
     * \param s the sender
     * \return whether an acknowledgement is outstanding
     */
    bool rcc_sender_awaits_ack(const struct rcc_sender *s);

    /**
     * The timer has expired: disarm it and go back, or fail.
     * \param s the sender
     * \param timers the timers of the NIC
     * \return RCC_SENDER_WENT_BACK or RCC_SENDER_FAILED
     */
    enum rcc_sender_event rcc_sender_timeout(struct rcc_sender *s, struct rcc_timers *timers);

    /**
     * Take the next message that is acknowledged, in order. False: there is none.
     * \param s the sender
     * \param message filled in with the message
     * \return false: there is none
     */
    bool rcc_sender_complete(struct rcc_sender *s, struct rcc_message *message);

    /**
     * The application offers packets at `rate` bit/s from `now` on; 0 = at once.
     * \param offer the offer
     * \param rate bit/s; 0 = at once
     * \param now the time, ns, not before that of earlier calls
     */
    static inline void rcc_offer_set(struct rcc_offer *offer, uint64_t rate, rcc_time now)
    {
        offer->rate = rate;
        offer->at = now;
        offer->rest = 0;
    }

    /**
     * A packet that takes `bytes` of the line left: set the time at which the next one is offered, one gap after this
     * one was, or now if this one was held up for longer. The rate is not 0, bytes below 2^20.
     * \param offer the offer
     * \param bytes bytes that the packet takes of the line, below 2^20
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

    /** The receiving half of a queue pair; all zero at the start. */
    struct rcc_receiver
    {
        uint64_t expected; /**< next packet in order */
        uint64_t bytes;    /**< payload accepted */
        bool nak_sent;     /**< for the packet that is expected now */
        bool ce_seen;      /**< a packet since the last ACK had CE */
    };

    /** Data as it arrives. */
    struct rcc_data
    {
        uint64_t packet;  /**< its number */
        uint32_t payload; /**< bytes */
        bool ce;          /**< marked by a congestion point */
        bool ack_request; /**< it requests an acknowledgement */
    };

    /** What the host has to do with a packet; a set of bits. */
    enum rcc_receiver_action
    {
        RCC_RECEIVER_ACCEPT = 1, /**< hand the payload up; without it the packet is thrown away */
        RCC_RECEIVER_ACK = 2,    /**< answer: everything before `expected` is here */
        RCC_RECEIVER_NAK = 4,    /**< answer: `expected` is missing */
        RCC_RECEIVER_ECHO_CE = 8 /**< the ACK echoes CE */
    };

    /**
     * A packet arrived. In order it is accepted; behind a gap it is not, and one NAK is sent per gap; a duplicate that
     * requests an acknowledgement gets it again.
     * \param r the receiver
     * \param data the packet
     * \param reliable false: whatever is not older than the expected packet is accepted
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

#ifdef __cplusplus
}
#endif

#endif /* RCC_TRANSPORT_H */
