/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file rcc_switch.h
 * The decisions of a lossless switch, independent of packets and of ns-3:
 *
 *   rcc_mmu_      the shared buffer: admission of frames, Xoff and Xon of upstream ports
 *   rcc_pfc_      pauses of IEEE 802.1Qbb and 802.3x: quanta, expiry, refresh, requests
 *   rcc_policer_  a token bucket that drops frames beyond a rate and a burst
 *   rcc_cioq_     a combined input/output-queued switch: occupancy, STOP/GO, credits, arbitration, sampling
 *                 (rcc_cioq.h)
 *   rcc_path_     the choice among equally long paths (rcc_path.h)
 *   rcc_spray_    the choice for each data frame, by queues, flowlets, weights (rcc_spray.h)
 *   rcc_trim_     which frames lose their payload (rcc_trim.h)
 *
 * The host owns all memory and passes `now`; nothing here allocates or has global state. Configuration returns an
 * error; functions that are called per frame cannot fail. Times are nanoseconds, rates bit/s, sizes bytes on the wire.
 *
 *     memory = malloc(rcc_mmu_size(n_ports));
 *     mmu = rcc_mmu_start(memory, &config, ports, n_ports, &problem);         // NULL: see problem
 *     if (rcc_mmu_admit(mmu, port, cls, bytes) == RCC_MMU_STORE_AND_PAUSE)    // a frame arrived
 *         send Xoff to `port`
 *     if (rcc_mmu_release(mmu, port, cls, bytes))                             // the frame left
 *         send Xon to `port`
 */
#ifndef RCC_SWITCH_H
#define RCC_SWITCH_H

#include "rcc.h"
#include "rcc_cioq.h"
#include "rcc_link.h"
#include "rcc_path.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Bytes of a PFC or PAUSE frame on the wire: Ethernet's minimum. */
#define RCC_PFC_FRAME ((uint32_t)64)

    /* ------------------------------------------------------------------ shared buffer */

    /**
     * Each port and lossless class has a headroom for the bytes that arrive after Xoff was sent to the peer. The rest
     * of the buffer is one pool. A port and class may occupy at most T = alpha * (pool - used) of the pool (dynamic
     * threshold). A frame beyond T triggers Xoff; it and all frames until Xon are stored in the headroom. Xon follows
     * when the headroom is empty and the port and class is resume_gap below T or holds nothing (SIGCOMM'15, section 4).
     * Frames of classes without PFC are dropped beyond T.
     *
     * With egress_alpha, a class without PFC has a threshold on its egress queue instead: a frame is dropped if the
     * queue that it would join holds more than egress_alpha * (pool - used). The host calls rcc_mmu_egress_admits
     * first.
     */

    struct rcc_mmu_port
    {
        uint64_t rate;     /**< line rate, bit/s */
        rcc_time delay;    /**< propagation delay of the link, ns */
        uint64_t headroom; /**< bytes per lossless class; 0 = rcc_mmu_config.headroom */
        uint32_t alpha;    /**< alpha of the dynamic threshold, in 2^-16; 0 = rcc_mmu_config.alpha */
    };

    /** Configuration of a shared buffer. */
    struct rcc_mmu_config
    {
        uint64_t buffer;       /**< size of the buffer, bytes, below 2^47 */
        uint64_t pool;         /**< size of the pool, bytes; 0 = the buffer less all headroom */
        uint64_t headroom;     /**< bytes per port and lossless class; 0 = rcc_mmu_headroom of the port */
        uint64_t fixed;        /**< static threshold, bytes; 0 = dynamic threshold */
        uint32_t alpha;        /**< alpha of the dynamic threshold, in 2^-16; 0: T = 0 unless the port has an alpha */
        uint32_t max_frame;    /**< largest frame, bytes, at most RCC_FRAME_MAX */
        uint8_t lossless;      /**< classes with PFC, one bit each */
        uint32_t resume_gap;   /**< bytes below T at which Xon follows; 0 = two of the largest frames */
        uint32_t egress_alpha; /**< alpha of the egress threshold of classes without PFC, in 2^-16; 0 = no threshold */
    };

    /** Reasons why a buffer cannot be lossless. */
    enum rcc_mmu_error
    {
        RCC_MMU_OK,
        RCC_MMU_HEADROOM_TOO_SMALL, /**< `headroom` of `port` is below `needed` */
        RCC_MMU_BUFFER_TOO_SMALL    /**< `reserved` + `pool` is larger than the buffer */
    };

    /** Why a buffer cannot be lossless, with the numbers of the check. */
    struct rcc_mmu_problem
    {
        enum rcc_mmu_error error; /**< the reason */
        uint32_t port;            /**< port whose headroom is too small */
        uint32_t classes;         /**< number of lossless classes */
        uint64_t headroom;        /**< bytes configured for `port`; of BUFFER_TOO_SMALL: the largest of all ports */
        uint64_t needed;          /**< rcc_mmu_headroom of `port`, bytes */
        uint64_t reserved;        /**< headroom of all ports and classes, bytes; saturates at UINT64_MAX */
        uint64_t pool;            /**< bytes that the shared pool needs */
    };

    /** Bytes stored for a port and class. */
    struct rcc_mmu_cell
    {
        uint64_t pool;     /**< bytes stored in the pool */
        uint64_t headroom; /**< bytes stored in the headroom */
    };

    /** A port that shares the buffer. */
    struct rcc_mmu_ingress
    {
        uint64_t headroom;                     /**< bytes per lossless class */
        uint64_t alpha;                        /**< alpha of the dynamic threshold, in 2^-16 */
        uint8_t paused;                        /**< classes for which Xoff was sent to the peer, one bit each */
        struct rcc_mmu_cell cell[RCC_CLASSES]; /**< by class */
    };

    /** State of a shared buffer. */
    struct rcc_mmu
    {
        uint64_t pool;         /**< size of the pool, bytes */
        uint64_t used;         /**< occupied bytes of the pool */
        uint64_t alpha;        /**< alpha of the dynamic threshold, in 2^-16; 0 with a static threshold */
        uint64_t egress_alpha; /**< alpha of the egress threshold, in 2^-16; 0 = no threshold */
        uint64_t fixed;        /**< static threshold, bytes */
        uint64_t resume_gap;   /**< bytes below T at which Xon follows */
        uint32_t ports;        /**< number of ports */
        uint8_t lossless;      /**< classes with PFC, one bit each */
        uint8_t unbounded;     /**< classes without an ingress threshold, one bit each */
    };

    /** Result of rcc_mmu_admit. */
    enum rcc_mmu_verdict
    {
        RCC_MMU_STORE,
        RCC_MMU_STORE_AND_PAUSE, /**< store the frame and send Xoff to its ingress port's peer */
        RCC_MMU_DROP
    };

    /**
     * Size of a buffer's state.
     * \param ports number of ports that share the buffer
     * \return bytes; the memory must be 8-byte aligned
     */
    size_t rcc_mmu_size(uint32_t ports);

    /**
     * Initialise a buffer and divide it into headroom and pool.
     * \param memory rcc_mmu_size(n) bytes
     * \param config configuration of the buffer
     * \param ports the n ports
     * \param n number of ports
     * \param problem set if the function returns NULL
     * \return the buffer, located at `memory`; NULL if it cannot be lossless for these ports
     */
    struct rcc_mmu *rcc_mmu_start(void *memory, const struct rcc_mmu_config *config, const struct rcc_mmu_port *ports,
                                  uint32_t n, struct rcc_mmu_problem *problem);

    /**
     * Headroom: the bytes that can arrive from the frame that crosses T until the peer stops sending. They are
     * 2 x delay x rate, plus the frame that this port is sending before the PFC frame, the PFC frame, the frame that
     * the peer is sending, and the frame that crosses T.
     *
     * \param rate line rate of the link, bit/s
     * \param delay propagation delay of the link, ns, up to a day
     * \param max_frame largest frame, bytes
     * \return bytes
     */
    uint64_t rcc_mmu_headroom(uint64_t rate, rcc_time delay, uint32_t max_frame);

    /** How a switch treats its ports by their rate and delay, as the simulator of the HPCC paper does. All zero: not.
     */
    struct rcc_mmu_rules
    {
        uint64_t alpha_rate;      /**< bit/s: a faster port has twice the alpha, one faster than twice this four times,
                                       than four times this eight times; 0 = all have the alpha of the switch */
        uint32_t alpha;           /**< alpha of the switch in 2^-20, rounded down, at most 2^30 */
        uint32_t headroom_delays; /**< headroom is at least the bytes of this many link delays, up to 1000; 0 = that of
                                       rcc_mmu_config */
        uint32_t max_frame;       /**< largest frame, bytes, at most RCC_FRAME_MAX */
        uint64_t headroom;        /**< rcc_mmu_config.headroom */
    };

    /**
     * Settings of a port by rules. With headroom_delays its headroom is the larger one of that of the switch, which is
     * rcc_mmu_headroom if it is 0, and of rate x delay x headroom_delays, rounded down to bytes.
     * \param rules rules of the switch
     * \param rate line rate, bit/s
     * \param delay propagation delay of the link, ns, up to a day
     * \return the port for rcc_mmu_start
     */
    struct rcc_mmu_port rcc_mmu_port_of(const struct rcc_mmu_rules *rules, uint64_t rate, rcc_time delay);

    /**
     * Decide about an arriving frame. A stored frame is accounted to (port, cls).
     * \param port ingress port of the frame, below n
     * \param cls traffic class, 0..7
     * \param bytes size of the frame on the wire, bytes
     * \return whether to store it, to store it and send Xoff, or to drop it
     */
    enum rcc_mmu_verdict rcc_mmu_admit(struct rcc_mmu *mmu, uint32_t port, uint32_t cls, uint32_t bytes);

    /**
     * Check the egress threshold of a class without PFC. Call it before rcc_mmu_admit, and only if egress_alpha is set.
     * \param queue bytes in the egress queue that the frame would join
     * \param bytes size of the frame on the wire, bytes
     * \return true: call rcc_mmu_admit; false: drop the frame
     */
    bool rcc_mmu_egress_admits(const struct rcc_mmu *mmu, uint64_t queue, uint32_t bytes);

    /**
     * Release the bytes of a stored frame that left.
     * \param port ingress port of the frame
     * \param cls its traffic class
     * \param bytes its size on the wire, bytes
     * \return true: send Xon to the peer of the ingress port
     */
    bool rcc_mmu_release(struct rcc_mmu *mmu, uint32_t port, uint32_t cls, uint32_t bytes);

    /**
     * Refresh the pauses of a port.
     * \param port port that has sent Xoff
     * \param resume output: classes that can resume now, one bit each: send Xon
     * \return classes that must stay paused, one bit each: send Xoff again
     */
    uint8_t rcc_mmu_refresh(struct rcc_mmu *mmu, uint32_t port, uint8_t *resume);

    /**
     * Clear the pauses that a port has requested, because its link went down. Stored frames stay accounted.
     * \param port port whose link went down
     */
    void rcc_mmu_forget_pauses(struct rcc_mmu *mmu, uint32_t port);

    /**
     * Queue length of a congested port when several ingress ports send to it and all of them are at T. Where ports have
     * alphas of their own, that of an ingress port is the mean of all but the congested one.
     * \param egress the congested port
     * \param ingress number of these ingress ports
     * \return bytes
     */
    uint64_t rcc_mmu_limit(const struct rcc_mmu *mmu, uint32_t egress, uint32_t ingress);

    /**
     * Current threshold T of a port without an alpha of its own.
     * \return bytes
     */
    uint64_t rcc_mmu_threshold(const struct rcc_mmu *mmu);

    /**
     * State of a port. The ports follow the struct in its memory.
     * \param port index of the port, below n
     * \return the state
     */
    static inline const struct rcc_mmu_ingress *rcc_mmu_ingress(const struct rcc_mmu *mmu, uint32_t port)
    {
        return (const struct rcc_mmu_ingress *)(const void *)(mmu + 1) + port;
    }

    /**
     * Bytes stored for a port and class, by pool and headroom.
     * \param port index of the port, below n
     * \param cls traffic class, 0..7
     * \return the bytes
     */
    static inline const struct rcc_mmu_cell *rcc_mmu_cell(const struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
    {
        return &rcc_mmu_ingress(mmu, port)->cell[cls];
    }

    /**
     * Headroom of a port and class.
     * \param port index of the port, below n
     * \param cls traffic class, 0..7
     * \return bytes; 0 if the class has no PFC
     */
    static inline uint64_t rcc_mmu_headroom_of(const struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
    {
        return ((uint32_t)mmu->lossless >> cls & 1u) != 0 ? rcc_mmu_ingress(mmu, port)->headroom : 0;
    }

    /**
     * Whether Xoff was sent to the peer of a port and Xon has not followed.
     * \param port index of the port, below n
     * \param cls traffic class, 0..7
     * \return true while the peer is to pause the class
     */
    static inline bool rcc_mmu_is_paused(const struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
    {
        return ((uint32_t)rcc_mmu_ingress(mmu, port)->paused >> cls & 1u) != 0;
    }

    /**
     * Bytes stored for a port and class, pool and headroom together.
     * \param port index of the port, below n
     * \param cls traffic class, 0..7
     * \return bytes
     */
    static inline uint64_t rcc_mmu_stored(const struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
    {
        const struct rcc_mmu_cell *c = rcc_mmu_cell(mmu, port, cls);
        return c->pool + c->headroom;
    }

    /* ------------------------------------------------------------------ pauses */

    /** Pauses that a port has received: the paused classes and the end of each pause. Initialise it with zeros. */
    struct rcc_pfc_state
    {
        rcc_time until[RCC_CLASSES]; /**< end of the pause of each paused class, ns */
        rcc_time since;              /**< time since which at least one class has been paused, ns */
        rcc_time total;              /**< time with at least one paused class before `since`, ns */
        uint8_t paused;              /**< paused classes, one bit each */
    };

    /** Pauses that a port has requested from its peer. Initialise it with zeros. */
    struct rcc_pfc_request
    {
        uint8_t asked;   /**< with link_pause: classes that request a pause, one bit each */
        bool link_pause; /**< set by the host: send PAUSE frames of 802.3x, which stop all classes, instead of PFC */
    };

    /**
     * Duration of pause quanta of 512 bits.
     * \param quanta number of quanta, up to 2^24
     * \param rate line rate, bit/s, not 0
     * \return ns, rounded up
     */
    rcc_time rcc_pfc_quanta_ns(uint32_t quanta, uint64_t rate);

    /**
     * Least quanta with which a pause can be refreshed in time. The refresh is sent at half of the quanta; the other
     * half must cover a frame that is being sent and two PFC frames.
     *
     * \param max_frame largest frame, bytes, at most RCC_FRAME_MAX
     * \return quanta
     */
    uint16_t rcc_pfc_least_quanta(uint32_t max_frame);

    /**
     * Whether pauses can be refreshed in time.
     * \param quanta quanta of a pause
     * \param max_frame largest frame, bytes, at most RCC_FRAME_MAX
     * \return true if half of the quanta covers a frame and two PFC frames
     */
    bool rcc_pfc_can_refresh(uint16_t quanta, uint32_t max_frame);

    /**
     * Quanta of a pause of a given duration, rounded down, but not fewer than rcc_pfc_least_quanta and not more than
     * fit a PFC frame.
     * \param duration duration of the pause, ns
     * \param rate line rate of the port that will pause, bit/s, not 0
     * \param max_frame largest frame, bytes, at most RCC_FRAME_MAX
     * \return quanta
     */
    uint16_t rcc_pfc_quanta_of(rcc_time duration, uint64_t rate, uint32_t max_frame);

    /**
     * When to refresh a pause: at half of its quanta. A port refreshes all its classes at once (rcc_mmu_refresh), at
     * the earliest of their times.
     * \param quanta quanta that the pause requests
     * \param rate line rate of the port that pauses, bit/s, not 0
     * \return ns after the request, rounded down
     */
    rcc_time rcc_pfc_refresh_after(uint16_t quanta, uint64_t rate);

    /**
     * Apply a PFC frame that arrived. A PAUSE frame is a PFC frame for all classes. The host must have called
     * rcc_pfc_expire when earlier pauses ended.
     * \param state state of the port at which the frame arrived
     * \param rate line rate of the port, bit/s
     * \param classes class-enable vector of the frame, one bit each
     * \param quanta pause time by class, in 512 bit times; 0 resumes the class
     * \return classes whose state changed, one bit each
     */
    uint8_t rcc_pfc_receive(struct rcc_pfc_state *state, rcc_time now, uint64_t rate, uint8_t classes,
                            const uint16_t quanta[RCC_CLASSES]);

    /**
     * End the pauses whose quanta have elapsed.
     * \return classes whose state changed, one bit each
     */
    uint8_t rcc_pfc_expire(struct rcc_pfc_state *state, rcc_time now);

    /**
     * End all pauses, because the link went down.
     * \return classes whose state changed, one bit each
     */
    uint8_t rcc_pfc_clear(struct rcc_pfc_state *state, rcc_time now);

    /**
     * Time at which the next pause expires.
     * \return ns; RCC_NEVER if no class is paused
     */
    rcc_time rcc_pfc_next_expiry(const struct rcc_pfc_state *state);

    /**
     * Total time for which at least one class was paused.
     * \return ns, up to `now`
     */
    rcc_time rcc_pfc_paused_time(const struct rcc_pfc_state *state, rcc_time now);

    /**
     * Request that the peer pauses or resumes classes.
     * \param request requests of the port
     * \param classes the classes, one bit each
     * \param pause true: pause; false: resume
     * \return class-enable vector of the frame to send. PFC: `classes`. PAUSE: all classes, or 0 if no frame must be
     * sent because another class still requests a pause
     */
    uint8_t rcc_pfc_ask(struct rcc_pfc_request *request, uint8_t classes, bool pause);

    /* ------------------------------------------------------------------ policer */

    /** Largest burst of a policer, bytes. */
#define RCC_POLICER_BURST_MAX ((uint32_t)1 << 30)

    /**
     * A policer that only drops: a token bucket with a fill rate and a depth of `burst` bytes. A frame passes if there
     * are as many tokens as it has bytes, and consumes them; any other frame must be dropped and consumes none. The
     * state is that of an equivalent queue which drains at the rate: a full bucket is an empty queue.
     */
    struct rcc_policer
    {
        struct rcc_link drain; /**< the equivalent queue */
        rcc_time burst;        /**< time in which the rate drains the burst, ns */
        uint32_t bytes;        /**< the burst, bytes */
    };

    /**
     * Initialise a policer with a full bucket.
     * \param rate fill rate, bit/s, not 0
     * \param burst depth of the bucket, bytes, 1 to RCC_POLICER_BURST_MAX, and at most 2^60 ns at the rate; a larger
     * frame never passes
     * \return the policer
     */
    struct rcc_policer rcc_policer_start(uint64_t rate, uint32_t burst);

    /**
     * Decide about a frame.
     * \param policer the policer
     * \param now the time, ns, not before that of earlier calls
     * \param bytes size of the frame, bytes, at least 1
     * \return true: the frame passes; false: drop it. A frame also passes if the tokens that it lacks accrue in less
     * than a nanosecond
     */
    bool rcc_policer_passes(struct rcc_policer *policer, rcc_time now, uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* RCC_SWITCH_H */
