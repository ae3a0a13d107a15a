/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file rcc_switch.h
 * What a lossless switch decides, without a packet in sight:
 *
 *   rcc_mmu_   the shared buffer: who may still store a frame, which upstream port must pause
 *   rcc_pfc_   pauses of IEEE 802.1Qbb and 802.3x: quanta, expiry, refresh, requests
 *   rcc_cioq_  a combined input/output-queued switch: occupancy, STOP/GO, credits, arbitration, sampling; in rcc_cioq.h
 *   rcc_policer_  a meter that drops what exceeds a rate and a burst
 *
 * The host owns all memory and passes `now`; nothing here allocates or has global state. Configuration returns an
 * error; what is called per frame cannot fail. Times are nanoseconds, rates bit/s, sizes bytes on the wire.
 *
 *     memory = malloc(rcc_mmu_size(n_ports));
 *     mmu = rcc_mmu_start(memory, &config, ports, n_ports, &problem);         // NULL: problem says why
 *     if (rcc_mmu_admit(mmu, port, cls, bytes) == RCC_MMU_STORE_AND_PAUSE)    // a frame came in
 *         send Xoff to `port`
 *     if (rcc_mmu_release(mmu, port, cls, bytes))                             // it left
 *         send Xon to `port`
 */
#ifndef RCC_SWITCH_H
#define RCC_SWITCH_H

#include "rcc.h"
#include "rcc_cioq.h"
#include "rcc_link.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Traffic classes of a port, as in IEEE 802.1Qbb. */
#define RCC_CLASSES 8
/** A PFC or PAUSE frame on the wire: Ethernet's minimum. */
#define RCC_PFC_FRAME ((uint32_t)64)

    /* ------------------------------------------------------------------ shared buffer */

    /**
     * Every port and lossless class has a headroom for what arrives after it asked its peer to pause. The rest of the
     * buffer is one pool. A port and class may hold at most T = alpha * (pool - used) of it (dynamic threshold); a
     * frame beyond T triggers a pause (Xoff) and is stored in the headroom, as are those that come until Xon. Xon
     * follows when the headroom is empty and the port is resume_gap below T again or holds nothing (SIGCOMM'15, section
     * 4). Frames of the other classes are dropped beyond T.
     *
     * With egress_alpha, a class without PFC has a threshold of its egress queue instead: a frame is dropped if the
     * queue that it would join holds more than egress_alpha * (pool - used); the host asks rcc_mmu_egress_admits first.
     */

    struct rcc_mmu_port
    {
        uint64_t rate;     /**< bit/s */
        rcc_time delay;    /**< of the link, ns */
        uint64_t headroom; /**< bytes per lossless class; 0 = as the configuration says */
        uint32_t alpha;    /**< of a dynamic threshold, in 2^-16; 0 = as the configuration says */
    };

    /** A shared buffer, as configured. */
    struct rcc_mmu_config
    {
        uint64_t buffer;       /**< bytes in all, below 2^47 */
        uint64_t pool;         /**< bytes of the pool; 0 = all that headroom leaves */
        uint64_t headroom;     /**< bytes per port and lossless class; 0 = rcc_mmu_headroom of the port */
        uint64_t fixed;        /**< a static threshold instead of the dynamic one, bytes; 0 = dynamic */
        uint32_t alpha;        /**< of the dynamic threshold, in 2^-16; 0: T is 0 but for ports with an alpha */
        uint32_t max_frame;    /**< largest frame, bytes, at most RCC_FRAME_MAX */
        uint8_t lossless;      /**< classes with PFC, one bit each */
        uint32_t resume_gap;   /**< bytes below T at which Xon follows; 0 = two of the largest frames */
        uint32_t egress_alpha; /**< of the egress threshold of classes without PFC, in 2^-16; 0 = they have none */
    };

    /** Why a buffer cannot be lossless. */
    enum rcc_mmu_error
    {
        RCC_MMU_OK,
        RCC_MMU_HEADROOM_TOO_SMALL, /**< `headroom` of `port` is below the `needed` */
        RCC_MMU_BUFFER_TOO_SMALL    /**< `reserved` + `pool` do not fit into the buffer */
    };

    /** Why a buffer cannot be lossless, with the arithmetic. */
    struct rcc_mmu_problem
    {
        enum rcc_mmu_error error; /**< what is wrong */
        uint32_t port;            /**< whose headroom is too small */
        uint32_t classes;         /**< lossless ones */
        uint64_t headroom;        /**< bytes configured for `port`; of BUFFER_TOO_SMALL, the largest of all ports */
        uint64_t needed;          /**< bytes, rcc_mmu_headroom */
        uint64_t reserved;        /**< headroom of all ports and classes, bytes; UINT64_MAX if it is more than that */
        uint64_t pool;            /**< bytes that the shared pool needs */
    };

    /** What a port and class hold. */
    struct rcc_mmu_cell
    {
        uint64_t pool;     /**< bytes stored in the pool */
        uint64_t headroom; /**< bytes stored in the headroom */
    };

    /** A port that shares the buffer. */
    struct rcc_mmu_ingress
    {
        uint64_t headroom;                     /**< bytes per lossless class */
        uint64_t alpha;                        /**< 2^-16 */
        uint8_t paused;                        /**< classes that the peer has been asked to pause, one bit each */
        struct rcc_mmu_cell cell[RCC_CLASSES]; /**< by class */
    };

    /** A shared buffer and what lies in it. */
    struct rcc_mmu
    {
        uint64_t pool;         /**< bytes of the pool */
        uint64_t used;         /**< bytes that lie in it */
        uint64_t alpha;        /**< of the dynamic threshold, in 2^-16; 0 with a static one */
        uint64_t egress_alpha; /**< of the egress threshold, in 2^-16; 0 = there is none */
        uint64_t fixed;        /**< static threshold, bytes */
        uint64_t resume_gap;   /**< bytes below T at which Xon follows */
        uint32_t ports;        /**< number of ports */
        uint8_t lossless;      /**< classes with PFC, one bit each */
        uint8_t unbounded;     /**< classes without a threshold of their ingress port, one bit each */
    };

    /** What to do with a frame that came in. */
    enum rcc_mmu_verdict
    {
        RCC_MMU_STORE,
        RCC_MMU_STORE_AND_PAUSE, /**< send Xoff to the port it came from */
        RCC_MMU_DROP
    };

    /**
     * Memory of a buffer.
     * \param ports that share it
     * \return bytes, 8-byte aligned
     */
    size_t rcc_mmu_size(uint32_t ports);

    /**
     * Lay the buffer out.
     * \param memory rcc_mmu_size(n) bytes
     * \param config the buffer
     * \param ports its ports
     * \param n how many ports
     * \param problem gets why, if it cannot be lossless
     * \return the buffer, in `memory`; NULL if it cannot be lossless for these ports
     */
    struct rcc_mmu *rcc_mmu_start(void *memory, const struct rcc_mmu_config *config, const struct rcc_mmu_port *ports,
                                  uint32_t n, struct rcc_mmu_problem *problem);

    /**
     * Headroom: what can arrive between the frame that crosses T and the moment the peer's wire falls silent. Two
     * delays; the frame this side is just sending before the PFC frame, the PFC frame, the frame the peer is just
     * sending; one frame for the one that crosses. \param rate of the link, bit/s \param delay of the link, ns, up to
     * a day \param max_frame largest frame, bytes \return bytes
     */
    uint64_t rcc_mmu_headroom(uint64_t rate, rcc_time delay, uint32_t max_frame);

    /**
     * A frame came in; if it is stored, it is accounted to (port, cls).
     * \param mmu the buffer
     * \param port it came in through, below n
     * \param cls traffic class, 0..7
     * \param bytes of it, on the wire
     * \return what to do with it
     */
    enum rcc_mmu_verdict rcc_mmu_admit(struct rcc_mmu *mmu, uint32_t port, uint32_t cls, uint32_t bytes);

    /**
     * The egress threshold of a class without PFC, before rcc_mmu_admit; only with egress_alpha.
     * \param mmu the buffer
     * \param queue bytes in the egress queue of its port and class
     * \param bytes of the frame, on the wire
     * \return false: drop it
     */
    bool rcc_mmu_egress_admits(const struct rcc_mmu *mmu, uint64_t queue, uint32_t bytes);

    /**
     * A stored frame left.
     * \param mmu the buffer
     * \param port it came in through
     * \param cls its traffic class
     * \param bytes of it
     * \return true: send Xon to the port it came from
     */
    bool rcc_mmu_release(struct rcc_mmu *mmu, uint32_t port, uint32_t cls, uint32_t bytes);

    /**
     * The pauses of a port are to be refreshed.
     * \param mmu the buffer
     * \param port whose peer has been asked to pause
     * \param resume gets the classes whose state has cleared meanwhile, one bit each: send Xon
     * \return the classes to ask again, one bit each
     */
    uint8_t rcc_mmu_refresh(struct rcc_mmu *mmu, uint32_t port, uint8_t *resume);

    /**
     * The link of a port is gone, and with it the pauses that the port asked for. What is stored stays.
     * \param mmu the buffer
     * \param port whose link it was
     */
    void rcc_mmu_forget_pauses(struct rcc_mmu *mmu, uint32_t port);

    /**
     * What one congested port holds when several ports feed it and all are at T.
     * \param mmu the buffer
     * \param ingress number of ports that feed it
     * \return bytes
     */
    uint64_t rcc_mmu_limit(const struct rcc_mmu *mmu, uint32_t ingress);

    /**
     * T now, of a port without an alpha of its own.
     * \param mmu the buffer
     * \return bytes
     */
    uint64_t rcc_mmu_threshold(const struct rcc_mmu *mmu);

    /**
     * A port. The ports follow the struct in its memory.
     * \param mmu the buffer
     * \param port below n
     * \return what it holds
     */
    static inline const struct rcc_mmu_ingress *rcc_mmu_ingress(const struct rcc_mmu *mmu, uint32_t port)
    {
        return (const struct rcc_mmu_ingress *)(const void *)(mmu + 1) + port;
    }

    /**
     * What a port and class hold.
     * \param mmu the buffer
     * \param port below n
     * \param cls traffic class, 0..7
     * \return its cell
     */
    static inline const struct rcc_mmu_cell *rcc_mmu_cell(const struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
    {
        return &rcc_mmu_ingress(mmu, port)->cell[cls];
    }

    /**
     * The headroom of a port and class.
     * \param mmu the buffer
     * \param port below n
     * \param cls traffic class, 0..7
     * \return bytes; 0 of a class without PFC
     */
    static inline uint64_t rcc_mmu_headroom_of(const struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
    {
        return ((uint32_t)mmu->lossless >> cls & 1u) != 0 ? rcc_mmu_ingress(mmu, port)->headroom : 0;
    }

    /**
     * Whether the peer of a port has been asked to pause a class.
     * \param mmu the buffer
     * \param port below n
     * \param cls traffic class, 0..7
     * \return whether it has
     */
    static inline bool rcc_mmu_is_paused(const struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
    {
        return ((uint32_t)rcc_mmu_ingress(mmu, port)->paused >> cls & 1u) != 0;
    }

    /**
     * Bytes stored for a port and class, in pool and headroom.
     * \param mmu the buffer
     * \param port below n
     * \param cls traffic class, 0..7
     * \return bytes
     */
    static inline uint64_t rcc_mmu_stored(const struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
    {
        const struct rcc_mmu_cell *c = rcc_mmu_cell(mmu, port, cls);
        return c->pool + c->headroom;
    }

    /* ------------------------------------------------------------------ pauses */

    /** Pauses that a port has been asked for: which classes must not be sent, and until when. Starts zeroed. */
    struct rcc_pfc_state
    {
        rcc_time until[RCC_CLASSES]; /**< of paused classes: end of their quanta */
        rcc_time since;              /**< when the first of the paused classes was paused */
        rcc_time total;              /**< time with a paused class, up to `since` */
        uint8_t paused;              /**< one bit per class */
    };

    /** Pauses that a port asks its peer for. Starts zeroed. */
    struct rcc_pfc_request
    {
        uint8_t asked;   /**< with link_pause: classes that want the peer to be paused */
        bool link_pause; /**< set by the host: PAUSE frames of 802.3x, which stop all classes, in place of PFC */
    };

    /**
     * Time of pause quanta of 512 bits.
     * \param quanta how many, up to 2^24
     * \param rate bit/s, not 0
     * \return ns, rounded up
     */
    rcc_time rcc_pfc_quanta_ns(uint32_t quanta, uint64_t rate);

    /**
     * Least quanta that can be refreshed in time: a refresh at half of them leaves the other half, which must cover a
     * frame on the wire and two PFC frames. \param max_frame largest frame, bytes, at most RCC_FRAME_MAX \return quanta
     */
    uint16_t rcc_pfc_least_quanta(uint32_t max_frame);

    /**
     * Whether pauses can be refreshed in time.
     * \param quanta that a pause asks for
     * \param max_frame largest frame, bytes, at most RCC_FRAME_MAX
     * \return true if half of them cover a frame and two PFC frames
     */
    bool rcc_pfc_can_refresh(uint16_t quanta, uint32_t max_frame);

    /**
     * A PFC frame arrived. A PAUSE frame is one for all classes. The host has called rcc_pfc_expire when pauses ended.
     * \param state of the port it arrived at
     * \param now ns
     * \param rate of the port, bit/s
     * \param classes it speaks of, one bit each
     * \param quanta by class, of 512 bit times; 0 resumes
     * \return classes whose state changed, one bit each
     */
    uint8_t rcc_pfc_receive(struct rcc_pfc_state *state, rcc_time now, uint64_t rate, uint8_t classes,
                            const uint16_t quanta[RCC_CLASSES]);

    /**
     * Quanta that ended by now no longer pause.
     * \param state of the port
     * \param now ns
     * \return classes whose state changed, one bit each
     */
    uint8_t rcc_pfc_expire(struct rcc_pfc_state *state, rcc_time now);

    /**
     * The link is gone: nothing is paused.
     * \param state of the port
     * \param now ns
     * \return classes whose state changed, one bit each
     */
    uint8_t rcc_pfc_clear(struct rcc_pfc_state *state, rcc_time now);

    /**
     * When the next pause ends by itself.
     * \param state of the port
     * \return ns; RCC_NEVER if nothing is paused
     */
    rcc_time rcc_pfc_next_expiry(const struct rcc_pfc_state *state);

    /**
     * Time for which at least one class was paused.
     * \param state of the port
     * \param now ns
     * \return ns, until now
     */
    rcc_time rcc_pfc_paused_time(const struct rcc_pfc_state *state, rcc_time now);

    /**
     * A port wants its peer to pause or to resume classes.
     * \param request of the port
     * \param classes one bit each
     * \param pause false: to resume them
     * \return the classes that the frame speaks of: the same of PFC; of PAUSE all, or 0 if no frame is to be sent
     * because another class still wants a pause
     */
    uint8_t rcc_pfc_ask(struct rcc_pfc_request *request, uint8_t classes, bool pause);

    /* ------------------------------------------------------------------ policer */

    /** Largest burst of a policer, bytes. */
#define RCC_POLICER_BURST_MAX ((uint32_t)1 << 30)

    /**
     * A policer that only drops: a token bucket that `rate` fills and that holds `burst`. A frame passes if there are
     * as many tokens as it has bytes, and takes them; any other frame is to be dropped and takes none. It is kept as
     * the queue that would be there if frames were shaped: full tokens are an empty queue.
     */
    struct rcc_policer
    {
        struct rcc_link drain; /**< the queue, which drains at the rate */
        rcc_time burst;        /**< ns that it may last */
        uint32_t bytes;        /**< of the burst */
    };

    /**
     * A policer with all its tokens.
     * \param rate bit/s, not 0
     * \param burst bytes, 1 to RCC_POLICER_BURST_MAX, which the rate drains within 2^60 ns; no larger frame passes
     * \return the policer
     */
    struct rcc_policer rcc_policer_start(uint64_t rate, uint32_t burst);

    /**
     * A frame came.
     * \param policer the policer
     * \param now ns, not before that of earlier calls
     * \param bytes of the frame, at least 1
     * \return true: it passes; false: drop it. A missing token of less than a nanosecond's worth is forgiven
     */
    bool rcc_policer_passes(struct rcc_policer *policer, rcc_time now, uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* RCC_SWITCH_H */
