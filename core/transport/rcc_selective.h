/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * Selective repeat for a queue pair: what differs from go-back-N (rcc_transport.h), beside it. A queue pair with
 * go-back-N calls nothing of this file.
 *
 *   receiver  a bitmap of packets that were placed out of order, NAKs with the missing range, SACK bits
 *   sender    a mark for each packet in flight; it repeats what is missing, once per round trip
 *
 * The host owns the bitmaps. A sender is a struct rcc_sender with a struct rcc_repeat beside it, which moves `next` of
 * the sender to the packet that is to be sent: rcc_sender_has_data, rcc_sender_payload, rcc_sender_has_reth,
 * rcc_sender_send and rcc_sender_complete are those of go-back-N.
 *
 *     rcc_selective_preset(&selective, &transport, "irn");
 *     selective.packets = 256;                                     // problem = rcc_selective_check(...)
 *     rcc_repeat_init(&repeat, &selective, words);                 // rcc_repeat_words(&selective) words
 *     repeat.window = rcc_selective_window(&selective, mtu, rate, rtt);
 *     window = rcc_repeat_window(&repeat, &tx, rcc_sender_window(&tx, rate, line_rate));
 *     if (rcc_sender_has_data(&tx) && !rcc_repeat_is_blocked(&repeat, &tx, window))
 *         rcc_sender_send(&tx, window, &segment), rcc_repeat_sent(&repeat, &tx, window, &segment);
 *     if (segment.ack_request)
 *         rcc_repeat_arm(&repeat, &tx, &timers, now);
 *     rcc_repeat_acknowledge(&repeat, &tx, &timers, &answer, &arrived);   // then rcc_repeat_arm, if
 *                                                                         // rcc_repeat_awaits_ack
 *     rcc_repeat_timeout(&repeat, &tx, &timers);                          // an expiry
 *
 * A receiver:
 *
 *     rcc_placement_init(&rx, &selective, words);                  // rcc_placement_words(&selective) words
 *     actions = rcc_placement_data(&rx, &packet, last, &answer);   // RCC_RECEIVER_ACCEPT: place the payload
 *     if (actions & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK))
 *         ... answer with `answer`; rx.messages counts the messages that are complete, in the order of posting
 *
 * Sources: IRN, SIGCOMM'18, section 3.1 (loss recovery) and 3.2 (BDP-FC), from memory of the paper: not verified. The
 * inference from SACKs is that of RFC 6675, a timeout that takes all for lost that of RFC 6675 section 5.1.
 */
#ifndef RCC_SELECTIVE_H
#define RCC_SELECTIVE_H

#include "rcc_transport.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Least number of packets of a bitmap. */
#define RCC_SELECTIVE_PACKETS_MIN 64u
/** Largest number of packets of a bitmap. */
#define RCC_SELECTIVE_PACKETS_MAX 65536u

    /* ------------------------------------------------------------------ settings */

    /** When a receiver answers packets after a gap with a NAK. */
    enum rcc_gap_rule
    {
        RCC_GAP_EACH,  /**< each packet that arrives after a gap (IRN) */
        RCC_GAP_ONCE,  /**< the packet that opens a gap, and the one after which another gap is the first */
        RCC_GAP_SILENT /**< never: ACKs have SACK bits, and the sender infers; for paths that reorder */
    };

    /** Settings of selective repeat that the queue pairs of a NIC share. */
    struct rcc_selective
    {
        uint32_t packets;       /**< packets that a bitmap spans, and that may be in flight: a power of two from
                                     RCC_SELECTIVE_PACKETS_MIN to RCC_SELECTIVE_PACKETS_MAX */
        enum rcc_gap_rule naks; /**< when the receiver sends a NAK */
        bool infer;             /**< the sender takes a packet for lost when a later one has arrived */
        uint32_t reorder; /**< how many packets may overtake a packet that is not lost; with more than 0 the sender
                               infers, and reads no missing range of a NAK but that of a trimmed packet */
        bool again;       /**< a packet that was repeated is repeated again when one that was sent a round later has
                               arrived; false: only after a timeout (IRN) */
        bool timeout_all; /**< a timeout takes all packets for lost that have not arrived; false: the first of them */
        bool one_bdp;     /**< rcc_selective_window is one bandwidth-delay product (BDP-FC of IRN) */
        uint32_t few;     /**< packets in flight up to which rto_low applies; 0 = never */
        rcc_time rto_low; /**< timeout with few packets in flight, ns, 1 to transport.timeout, which is RTO_high */
    };

    /**
     * Settings by name:
     *
     *     irn  SIGCOMM'18: a NAK for each packet after a gap, an ACK for each other one, one BDP in flight, RTO_low 100
     *          us with up to 3 packets in flight, RTO_high 320 us; what is lost twice waits for the timeout
     *     nic  one NAK per gap, ACKs by transport.ack_every, the window of the bitmap, the timeout of the transport,
     *          and a second repeat without a timeout. No vendor's rules are public: not verified
     *
     * \param selective output: the settings, with a bitmap of 512 packets
     * \param transport the settings of the NIC; `irn` sets ack_every and timeout, both turn back_to_zero off
     * \param name name of the preset
     * \return false if there is no such preset; nothing is changed then
     */
    bool rcc_selective_preset(struct rcc_selective *selective, struct rcc_transport *transport, const char *name);

    /**
     * Check the settings of a NIC.
     * \param selective settings of selective repeat
     * \param transport settings of the NIC, which rcc_transport_check accepts
     * \return NULL if they can be used, or a static error message
     */
    const char *rcc_selective_check(const struct rcc_selective *selective, const struct rcc_transport *transport);

    /**
     * Window of a queue pair: the payload of a full bitmap, or one bandwidth-delay product if `one_bdp` is set and that
     * is less.
     * \param mtu payload of a full packet, bytes
     * \param rate rate of the path, bit/s, at least 1000; its last three digits are dropped
     * \param rtt round-trip time of the path without queues, ns, not negative
     * \return bytes, at least one packet
     */
    uint64_t rcc_selective_window(const struct rcc_selective *selective, uint32_t mtu, uint64_t rate, rcc_time rtt);

    /* ------------------------------------------------------------------ answers */

    /** Contents of an ACK or a NAK of selective repeat. */
    struct rcc_sack
    {
        uint64_t packet;  /**< all packets before this one have arrived */
        uint64_t base;    /**< packet of bit 0 of `bits`, a multiple of 64 */
        uint64_t bits;    /**< bit i: packet base + i has arrived; packets before `packet` are 0 */
        uint64_t missing; /**< first packet of the missing range, which a NAK requests */
        uint32_t lost;    /**< packets of the missing range; 0 = none */
        bool nak;         /**< true: a NAK */
        bool trimmed;     /**< the range is one packet, of which the header arrived */
    };

    /* ------------------------------------------------------------------ receiver */

    /** The receiving half of a queue pair. */
    struct rcc_placement
    {
        uint64_t expected; /**< first packet that has not arrived */
        uint64_t top;      /**< packet after the highest one that has arrived; `expected` if there is no gap */
        uint64_t bytes;    /**< payload that was placed, bytes */
        uint64_t *placed;  /**< packets after `expected` that have arrived, by packet mod packets */
        uint64_t *ends;    /**< last packets of messages among `placed` */
        const struct rcc_selective *settings; /**< settings of the NIC */
        uint64_t messages;                    /**< messages that are complete, as are all before them */
        uint64_t early;                       /**< packets that were placed out of order */
        uint64_t duplicates;                  /**< packets that arrived once more */
        uint64_t outside;                     /**< packets that were dropped: beyond the bitmap */
        uint64_t trimmed;                     /**< packets of which the header arrived alone */
        bool ce_seen;                         /**< a packet since the last answer carried CE */
    };

    /**
     * Memory that a receiver needs.
     * \return words of 64 bits
     */
    static inline uint32_t rcc_placement_words(const struct rcc_selective *selective)
    {
        return selective->packets / 64 * 2;
    }

    /**
     * Initialise a receiver.
     * \param selective settings of the NIC; must outlive the receivers
     * \param words memory of rcc_placement_words words
     */
    void rcc_placement_init(struct rcc_placement *r, const struct rcc_selective *selective, uint64_t *words);

    /**
     * Process a packet that arrived. It is placed unless it has arrived before or is beyond the bitmap. An answer is
     * sent if the packet requests one, if the rule of gaps asks for a NAK, and if a gap closes: what was placed behind
     * it is acknowledged at once.
     * \param last whether it is the last packet of its message
     * \param answer output: contents of the answer, if there is one; not NULL
     * \return a set of enum rcc_receiver_action; never ACK and NAK together. RCC_RECEIVER_ECHO_CE comes with either
     */
    unsigned rcc_placement_data(struct rcc_placement *r, const struct rcc_data *data, bool last,
                                struct rcc_sack *answer);

    /**
     * Process the header of a packet that a switch trimmed. The answer is a NAK for this packet alone, or an ACK if the
     * packet has arrived before.
     * \param packet packet number
     * \param ce whether the header carries CE
     * \param answer output: contents of the answer; not NULL
     * \return RCC_RECEIVER_ACK or RCC_RECEIVER_NAK, with RCC_RECEIVER_ECHO_CE
     */
    unsigned rcc_placement_trimmed(struct rcc_placement *r, uint64_t packet, bool ce, struct rcc_sack *answer);

    /* ------------------------------------------------------------------ sender */

    /**
     * The knowledge of the sender of a queue pair about the packets from `una` to `highest`. Each is in one state, a
     * bit in one of the bitmaps:
     *
     *                 NAK, inference, timeout            sent
     *     in flight ----------------------------> lost --------> repeated --- next new packet is sent --> awaited
     *         |                                     ^                                                        |
     *         |                                     +------- a packet that was sent after it has arrived ----+
     *         +--- ACK bit: arrived, from any state
     */
    struct rcc_repeat
    {
        const struct rcc_selective *settings; /**< settings of the NIC */
        uint64_t *arrived;                    /**< packets that arrived out of order */
        uint64_t *lost;                       /**< packets to be repeated */
        uint64_t *repeated;                   /**< packets that were repeated in this round */
        uint64_t *awaited;                    /**< packets that were repeated before packet `mark` was sent */
        uint64_t top;                         /**< packet after the highest one that has arrived */
        uint64_t inferred;                    /**< packets before this one were judged by later ones */
        uint64_t mark;                        /**< first packet that was sent after those in `awaited` */
        uint64_t repeats_end;                 /**< packet after the highest one that was repeated */
        uint64_t window;                      /**< payload that may be in flight, bytes: the host sets it to
                                                   rcc_selective_window; 0 = what the bitmap spans */
        uint64_t losses;                      /**< packets that were taken for lost, each time */
        uint64_t packets;                     /**< packets that were repeated */
        uint64_t bytes;                       /**< payload that was repeated, bytes */
        uint32_t n_lost;                      /**< number of packets in `lost` */
        uint32_t n_arrived;                   /**< number of packets in `arrived` */
        bool counts;                          /**< the window bounds what is in flight now, see rcc_repeat_in_flight;
                                                   false: the packets from `una` on, as SIGCOMM'18 has it */
        bool has_repeated;                    /**< `repeated` may not be empty */
        bool has_awaited;                     /**< `awaited` may not be empty */
        bool low;                             /**< the timer was armed with rto_low */
        bool timed_out;                       /**< a lost packet is the next one, the first after a timeout */
    };

    /**
     * Memory that a sender needs.
     * \return words of 64 bits
     */
    static inline uint32_t rcc_repeat_words(const struct rcc_selective *selective)
    {
        return selective->packets / 64 * 4;
    }

    /**
     * Initialise the repeats of a sender that has sent nothing.
     * \param selective settings of the NIC, which rcc_selective_check accepts; must outlive the senders
     * \param words memory of rcc_repeat_words words
     */
    void rcc_repeat_init(struct rcc_repeat *r, const struct rcc_selective *selective, uint64_t *words);

    /**
     * Window of the sender: no more than the bitmap spans and r->window has, whatever the host or the rate allows.
     * \param window result of rcc_sender_window, bytes; 0 = unlimited
     * \return bytes that may be in flight
     */
    static inline uint64_t rcc_repeat_window(const struct rcc_repeat *r, const struct rcc_sender *s, uint64_t window)
    {
        const uint64_t span = (uint64_t)r->settings->packets * s->transport->mtu;
        const uint64_t most = r->window != 0 && r->window < span ? r->window : span;
        return window != 0 && window < most ? window : most;
    }

    /**
     * Payload in flight. Every packet counts as a full one.
     * \return bytes; if `counts` is set, of the packets that were sent and have neither arrived nor are lost
     */
    static inline uint64_t rcc_repeat_in_flight(const struct rcc_repeat *r, const struct rcc_sender *s)
    {
        return r->counts ? (s->highest - s->una - r->n_arrived - r->n_lost) * s->transport->mtu
                         : rcc_sender_in_flight(s);
    }

    /**
     * Whether the window forbids the next packet, instead of rcc_sender_is_blocked. What is in flight is that of
     * rcc_repeat_in_flight; a new packet also has to be within the bitmap. After a timeout one packet may always leave.
     * \param window result of rcc_repeat_window
     * \return true if the sender must wait for an acknowledgement
     */
    bool rcc_repeat_is_blocked(const struct rcc_repeat *r, const struct rcc_sender *s, uint64_t window);

    /**
     * Follow a packet that rcc_sender_send has sent: choose the next one. A packet that is repeated requests an
     * acknowledgement.
     * \param window result of rcc_repeat_window, as rcc_sender_send got it
     * \param segment the packet; ack_request and window_full are updated
     */
    void rcc_repeat_sent(struct rcc_repeat *r, struct rcc_sender *s, uint64_t window, struct rcc_segment *segment);

    /**
     * Process an ACK or NAK that arrived, instead of rcc_sender_acknowledge. The host then arms the timer again if
     * rcc_repeat_awaits_ack returns true.
     * \param timers the timers of the NIC; that of the sender is disarmed by the first news of a packet: that it has
     * arrived, or was trimmed
     * \param sack the answer
     * \param arrived output: number of packets that are newly known to have arrived, each counted once; not NULL
     * \return effect on `next`: RCC_SENDER_WENT_BACK if an older packet is next, RCC_SENDER_SKIPPED if a newer one is,
     * RCC_SENDER_GOES_ON, RCC_SENDER_INVALID
     */
    enum rcc_sender_event rcc_repeat_acknowledge(struct rcc_repeat *r, struct rcc_sender *s, struct rcc_timers *timers,
                                                 const struct rcc_sack *sack, uint64_t *arrived);

    /**
     * Arm the sender's timer unless it is armed: with rto_low if few packets are in flight. After a timeout it waits
     * for the first packet to leave.
     * \param now the time, ns, not before that of earlier calls
     * \return true if the host has to check its next wake-up time
     */
    bool rcc_repeat_arm(struct rcc_repeat *r, struct rcc_sender *s, struct rcc_timers *timers, rcc_time now);

    /**
     * Whether the timer has to be armed: a packet is in flight.
     * \return true if it has
     */
    static inline bool rcc_repeat_awaits_ack(const struct rcc_sender *s)
    {
        return !s->failed && s->highest > s->una;
    }

    /**
     * Process the expiry of the timer, instead of rcc_sender_timeout: packets are lost, or the queue pair fails. If the
     * timer was armed with rto_low and more than few packets are in flight by now, it is armed for the rest of the
     * long timeout.
     * \return RCC_SENDER_WENT_BACK, RCC_SENDER_FAILED, or RCC_SENDER_GOES_ON: no timeout, and the timer is armed
     */
    enum rcc_sender_event rcc_repeat_timeout(struct rcc_repeat *r, struct rcc_sender *s, struct rcc_timers *timers);

#ifdef __cplusplus
}
#endif

#endif /* RCC_SELECTIVE_H */
