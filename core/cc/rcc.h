/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * rcc: congestion control for RDMA networks, as a portable C11 library.
 *
 *   congestion point (CP)    one per port and class: marks or samples frames
 *   notification point (NP)  one per receiving NIC: turns marks into CNPs
 *   reaction point (RP)      one per queue pair: turns feedback into a rate
 *
 * The library does not allocate memory or read a clock, and uses neither floating
 * point nor global variables. The host owns the memory, passes `now` (nanoseconds),
 * and provides the random number function.
 *
 * As in DPDK's rte_meter there are three kinds of data: parameters are set by the
 * user; a profile is computed from them once per line rate and shared; a context
 * (struct rcc_cp, rcc_np, rcc_rp) is the state of one port, NIC or queue pair.
 * rcc_configure checks everything and can fail; functions that run per packet
 * cannot.
 *
 * The library is polled and schedules no events. A timer is a number in the
 * state. rcc_rp_next_send and rcc_np_next_due return the time of the next action,
 * and the host calls the library then and when a signal arrives. Additional calls
 * change nothing: the state at time t depends only on the signals before t.
 *
 * Example of a sender (test_core_recipe.py compiles and runs these lines):
 *
 *     #include "rcc.h"
 *
 *     int main(void)
 *     {
 *         const struct rcc_algorithm *alg = rcc_find("dcqcn");
 *         const struct rcc_env env = {.line_rate = 40000000000}; // bit/s
 *         const struct rcc_feedback cnp = {.kind = RCC_FEEDBACK_CNP};
 *         const struct rcc_profile *profile;
 *         uint64_t profile_memory[RCC_PROFILE_SIZE_MAX / 8], memory[RCC_RP_SIZE_MAX / 8];
 *         int64_t params[RCC_MAX_FIELDS];
 *         struct rcc_error error;
 *         struct rcc_rp *rp;
 *         rcc_time when;
 *
 *         rcc_params_init(alg, "paper", params);
 *         profile = rcc_configure(alg, RCC_RP, params, &env, profile_memory, &error); // once per NIC
 *         if (profile == NULL)
 *             return 1; // error.name, error.value, error.min, error.max, error.message
 *         rp = rcc_rp_start(memory, profile, 0, 1);          // once per queue pair
 *         when = rcc_rp_next_send(rp);                       // earliest next packet
 *         rcc_rp_sent(rp, when, 1062);                       // a packet left
 *         rcc_rp_feedback(rp, when + 10000, &cnp);           // a CNP, CNM or ACK arrived
 *         return rcc_rp_rate(rp) == env.line_rate / 2 ? 0 : 1; // the first CNP halves the rate
 *     }
 *
 * Times are nanoseconds in int64_t, 0 to 2^62 (146 years). Rates are bit/s; inside a
 * reaction point they carry 16 more binary digits, see RCC_RATE_ONE.
 *
 * A new algorithm implements the functions of roles.h.
 */
#ifndef RCC_H
#define RCC_H

#include "rcc_signals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/** Version of rcc. CONTRIBUTING.md describes which interfaces are stable between versions. */
#define RCC_VERSION "0.1.0"

/** Rates inside a reaction point are bit/s times 2^RCC_RATE_SHIFT. */
#define RCC_RATE_SHIFT 16
/** 1 bit/s as a rate inside a reaction point. */
#define RCC_RATE_ONE ((uint64_t)1 << RCC_RATE_SHIFT)

/** Least line rate that this library accepts, bit/s. */
#define RCC_LINE_RATE_MIN ((uint64_t)1000000)
/** Largest line rate that this library accepts, bit/s. It is below 2^44, so that rate x time products do not overflow.
 */
#define RCC_LINE_RATE_MAX ((uint64_t)16000000000000)

/** Largest frame a reaction point paces, bytes. */
#define RCC_FRAME_MAX ((uint32_t)65536)

/** Fractions in parameters (g, pmax, lambda ...) are in parts per billion. */
#define RCC_RATIO_ONE ((int64_t)1000000000)

/** Largest number of parameters of an algorithm of the registry. */
#define RCC_MAX_FIELDS 48

/** Upper bound of rcc_profile_size, bytes, for hosts that allocate a fixed size. */
#define RCC_PROFILE_SIZE_MAX 1024
/** Upper bound of rcc_cp_size, bytes. */
#define RCC_CP_SIZE_MAX 128
/** Upper bound of rcc_rp_size, bytes. */
#define RCC_RP_SIZE_MAX 512

/** Windows inside a reaction point are bytes times 2^RCC_WINDOW_SHIFT. */
#define RCC_WINDOW_SHIFT 16
/** 1 byte as a window inside a reaction point. */
#define RCC_WINDOW_ONE ((uint64_t)1 << RCC_WINDOW_SHIFT)

    /* ------------------------------------------------------------------ algorithms and their parameters */

    /** The unit of a parameter's value. */
    enum rcc_unit
    {
        RCC_UNIT_COUNT, /**< a plain number */
        RCC_UNIT_NS,    /**< nanoseconds */
        RCC_UNIT_BPS,   /**< bit/s */
        RCC_UNIT_BYTES, /**< bytes */
        RCC_UNIT_RATIO, /**< parts per billion */
        RCC_UNIT_CHOICE /**< index into choices */
    };

    /** The three roles of an algorithm. */
    enum rcc_role
    {
        RCC_CP, /**< congestion point, in the switch */
        RCC_NP, /**< notification point, in the receiver */
        RCC_RP  /**< reaction point, in the sender */
    };

    /**
     * One user parameter. Parameters of an algorithm are an int64_t array in the
     * order of its field table.
     */
    struct rcc_field
    {
        const char *name;    /**< lower_snake, as in --set dcqcn.NAME=VALUE */
        enum rcc_role role;  /**< the role that reads it */
        enum rcc_unit unit;  /**< unit of min, max, def and the value */
        int64_t min;         /**< least value, in the field's unit */
        int64_t max;         /**< largest value */
        int64_t def;         /**< default value */
        const char *choices; /**< RCC_UNIT_CHOICE: names separated by '|', the first one is 0; other units NULL */
        const char *help;    /**< one sentence */
        const char *source;  /**< paper and equation, or the decision's name in doc/decisions.md */
    };

    /** One parameter that a preset sets. */
    struct rcc_preset_value
    {
        size_t field;  /**< index into the algorithm's fields */
        int64_t value; /**< in the field's unit */
    };

    /** A named set of parameters, stored as differences from the defaults. */
    struct rcc_preset
    {
        const char *name;                      /**< name, as in --cc=ALGORITHM:NAME */
        const char *help;                      /**< one sentence */
        const struct rcc_preset_value *values; /**< parameters that differ from the defaults */
        size_t n_values;                       /**< entries of values; 0: all defaults */
    };

    struct rcc_cp_ops;
    struct rcc_np_ops;
    struct rcc_rp_ops;

    /** A congestion control: its parameters, its presets, and the functions of its roles. */
    struct rcc_algorithm
    {
        const char *name;                 /**< as in --cc: "dcqcn", "dcqcn-plus" */
        const char *title;                /**< as in a plot's legend: "DCQCN+" */
        const char *source;               /**< where it was published */
        const struct rcc_field *fields;   /**< field table, n_fields entries */
        size_t n_fields;                  /**< at most RCC_MAX_FIELDS */
        const struct rcc_preset *presets; /**< ends with name == NULL; the first one is the default */
        const struct rcc_cp_ops *cp;      /**< NULL: the algorithm has no CP */
        const struct rcc_np_ops *np;      /**< NULL: the algorithm has no NP */
        const struct rcc_rp_ops *rp;      /**< never NULL */
        /** Algorithms beside it whose presets its name has too, ends with NULL; NULL: there are none */
        const struct rcc_algorithm *const *variants;
        struct rcc_needs needs; /**< with the default parameters; those of a configured RP are in its profile */
    };

    /**
     * An entry of the registry, in the order of algorithms.def.
     * \param index position, from 0
     * \return the algorithm; NULL past the end
     */
    const struct rcc_algorithm *rcc_algorithm_at(size_t index);

    /** \param name name of the algorithm, e.g. "dcqcn-plus" \return the algorithm of that name, or NULL */
    const struct rcc_algorithm *rcc_find(const char *name);

    /**
     * Find the algorithm to which a preset belongs: "dcqcn" has "cx4", which is a preset of "dcqcn-nic".
     * \param preset name of the preset; NULL or "": the first one of alg
     * \return alg, or its variant that has the preset; NULL if there is none
     */
    const struct rcc_algorithm *rcc_find_preset(const struct rcc_algorithm *alg, const char *preset);

    /** \param name name of the parameter, e.g. "timer" \return index of the field, or -1 */
    int rcc_field_find(const struct rcc_algorithm *alg, const char *name);

    /**
     * Fill in parameters from the defaults and a preset.
     * \param preset name of the preset; NULL or "": the first one
     * \param params output, alg->n_fields values
     * \return false if the algorithm has no such preset; params then contains the defaults
     */
    bool rcc_params_init(const struct rcc_algorithm *alg, const char *preset, int64_t *params);

    /* ------------------------------------------------------------------ configuration */

    /**
     * Random number function of the host. It returns 32 uniform bits that depend only
     * on (stream, index): a reaction point can look ahead without consuming random
     * numbers, and the draws of one flow do not depend on other flows.
     */
    typedef uint32_t (*rcc_draw)(uint64_t stream, uint64_t index);

    /** Inputs of a profile besides the parameters. */
    struct rcc_env
    {
        uint64_t line_rate; /**< bit/s, RCC_LINE_RATE_MIN..RCC_LINE_RATE_MAX */
        rcc_draw draw;      /**< may be NULL: then jitter is zero and CPs do no probabilistic marking */
        /* windowed algorithms read these too */
        uint64_t path_rate; /**< the slower of the two NICs of a path, bit/s; 0: line_rate */
        rcc_time base_rtt;  /**< RTT of the path without queues, ns; 0: RCC_BASE_RTT; above 100 ms: 100 ms */
        uint32_t mtu;       /**< payload of a full packet, bytes; 0: RCC_MTU */
    };

/** RTT that windowed algorithms take where neither host nor parameter says one, ns: HPCC's, see decision `base_rtt`. */
#define RCC_BASE_RTT ((rcc_time)13000)
/** Payload of a packet where the host says none, bytes. */
#define RCC_MTU ((uint32_t)1000)

    /** Reason why a configuration was refused. All strings are static. */
    struct rcc_error
    {
        const char *name;              /**< invalid item: a field's name, "line_rate", or an argument of the call */
        const struct rcc_field *field; /**< the invalid field; NULL if the item is not a field */
        int64_t value;                 /**< value found, in the field's unit or bit/s; 0 for an argument */
        int64_t min;                   /**< least value accepted here, in the same unit; 0 for an argument */
        int64_t max;                   /**< largest value accepted here; 0 for an argument */
        const char *message;           /**< a clause without full stop: "kmin is above kmax" */
    };

    /**
     * A checked set of parameters for one line rate. It is read-only and may be shared by any
     * number of contexts; it must outlive them.
     */
    struct rcc_profile
    {
        const struct rcc_algorithm *alg; /**< the algorithm */
        enum rcc_role role;              /**< the role */
        bool frozen; /**< RP: true: the gap is fixed when a packet leaves; false: it follows the rate. Decision `pacing`
                      */
        bool latest; /**< RP, not with frozen: true: the whole gap is that of the latest rate; false: what is left of it
                      */
        struct rcc_needs needs; /**< RP: what these parameters need of the host */
    };

    /**
     * \param role the role
     * \return bytes of a profile, at most RCC_PROFILE_SIZE_MAX; 0 if the algorithm does not have the role
     */
    size_t rcc_profile_size(const struct rcc_algorithm *alg, enum rcc_role role);

    /**
     * Check parameters and line rate and derive the profile of one role.
     *
     * The function refuses an algorithm that is NULL, a role that the algorithm does not have, memory
     * that is NULL or not 8-byte aligned, a line rate or parameter outside its range, and parameters of
     * the role that contradict each other or the line rate.
     *
     * \param role the role
     * \param params alg->n_fields values; may be NULL if n_fields is 0
     * \param env line rate and random numbers
     * \param memory rcc_profile_size bytes, 8-byte aligned; must outlive the use of the profile
     * \param error set if the function returns NULL; may be NULL
     * \return the profile, located at `memory`; NULL on error
     */
    const struct rcc_profile *rcc_configure(const struct rcc_algorithm *alg, enum rcc_role role, const int64_t *params,
                                            const struct rcc_env *env, void *memory, struct rcc_error *error);

    /**
     * Run the checks of rcc_configure for every role that the algorithm has.
     * \param params the parameters: alg->n_fields values
     * \param env line rate and random numbers
     * \param error set if the function returns false; may be NULL
     * \return whether all checks pass
     */
    bool rcc_check(const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env,
                   struct rcc_error *error);

    /* ------------------------------------------------------------------ congestion point */

    /** Action that the switch must take for a frame. */
    enum rcc_cp_action
    {
        RCC_CP_PASS,  /**< the frame passes unchanged */
        RCC_CP_MARK,  /**< set CE if the frame is ECN-capable */
        RCC_CP_NOTIFY /**< send a CNM with `cnm` to the frame's source */
    };

    /** Contents of a CNM. */
    struct rcc_cnm
    {
        uint8_t qfb;    /**< quantised |Fb|, 1..63; 0 only if the CP sends a CNM for every negative Fb */
        int64_t qoff;   /**< Q - Qeq, bytes */
        int64_t qdelta; /**< Q - Qold, bytes */
    };

    /** Frames that a CP processes. */
    enum rcc_cp_frames
    {
        RCC_CP_NONE,        /**< none: the algorithm has no CP */
        RCC_CP_ECN_CAPABLE, /**< frames with ECT in the IP header */
        RCC_CP_CN_TAGGED,   /**< frames with the CN-TAG of a QCN reaction point */
        RCC_CP_TELEMETRY    /**< frames that carry telemetry; only rcc_cp_stamp does something */
    };

    struct rcc_cp;
    /** Function of an algorithm that rcc_cp_enqueued calls. */
    typedef enum rcc_cp_action (*rcc_cp_enqueued_fn)(struct rcc_cp *cp, uint64_t queue, uint32_t bytes,
                                                     struct rcc_cnm *cnm);
    /** Function of an algorithm that rcc_cp_dequeued calls. */
    typedef enum rcc_cp_action (*rcc_cp_dequeued_fn)(struct rcc_cp *cp, uint64_t queue);
    /** Function of an algorithm that rcc_cp_stamp calls. */
    typedef void (*rcc_cp_stamp_fn)(struct rcc_cp *cp, rcc_time now, uint64_t queue, uint64_t tx_bytes, uint64_t rate,
                                    struct rcc_hop *hop);

    /** State of a congestion point that is common to all algorithms. Use it through the functions below. */
    struct rcc_cp
    {
        const struct rcc_profile *profile; /**< derived parameters */
        rcc_cp_enqueued_fn enqueued;       /**< NULL: this CP does nothing when a frame joins the queue */
        rcc_cp_dequeued_fn dequeued;       /**< NULL: this CP does nothing when a frame leaves the queue */
        rcc_cp_stamp_fn stamp;             /**< NULL: this CP writes no telemetry */
        uint64_t stream;                   /**< random stream of this CP */
    };

    /** \return the frames for which the host calls the CP */
    enum rcc_cp_frames rcc_cp_watches(const struct rcc_algorithm *alg);

    /**
     * \return bytes of a CP's state, at most RCC_CP_SIZE_MAX; 0 if the algorithm has no CP
     */
    size_t rcc_cp_size(const struct rcc_algorithm *alg);

    /**
     * Start the CP of one port and class.
     * \param memory rcc_cp_size bytes, 8-byte aligned
     * \param profile result of rcc_configure for RCC_CP
     * \param stream random stream of this CP, first argument of rcc_env.draw
     * \return the CP, located at `memory`; NULL if memory or profile is NULL or the profile is not that of a CP
     */
    struct rcc_cp *rcc_cp_start(void *memory, const struct rcc_profile *profile, uint64_t stream);

    /**
     * Inform the CP that a frame joined the queue.
     * \param queue queue length including the frame, bytes, below 2^50
     * \param bytes size of the frame on the wire, bytes, at most RCC_FRAME_MAX
     * \param cnm set if the result is RCC_CP_NOTIFY
     * \return action that the switch must take for the frame
     */
    static inline enum rcc_cp_action rcc_cp_enqueued(struct rcc_cp *cp, uint64_t queue, uint32_t bytes,
                                                     struct rcc_cnm *cnm)
    {
        return cp->enqueued != NULL ? cp->enqueued(cp, queue, bytes, cnm) : RCC_CP_PASS;
    }

    /**
     * Inform the CP that a frame left the queue.
     * \param queue queue length without the frame, bytes, below 2^50
     * \return RCC_CP_PASS or RCC_CP_MARK
     */
    static inline enum rcc_cp_action rcc_cp_dequeued(struct rcc_cp *cp, uint64_t queue)
    {
        return cp->dequeued != NULL ? cp->dequeued(cp, queue) : RCC_CP_PASS;
    }

    /**
     * Write the telemetry record of a data frame whose transmission starts. `queue` and `tx_bytes` are read at the same
     * instant, so that differences of two records are exact.
     * \param queue bytes queued behind the frame, below 2^50
     * \param tx_bytes bytes that the port has sent before this frame, of all classes
     * \param rate line rate of the port, bit/s
     * \param hop in RCC_INT_PINT: the record of the hops before, or all 0; output: the record
     * \return false, and *hop is unchanged, if the CP writes no telemetry
     */
    static inline bool rcc_cp_stamp(struct rcc_cp *cp, rcc_time now, uint64_t queue, uint64_t tx_bytes, uint64_t rate,
                                    struct rcc_hop *hop)
    {
        if (cp->stamp == NULL)
            return false;
        cp->stamp(cp, now, queue, tx_bytes, rate, hop);
        return true;
    }

    /* ------------------------------------------------------------------ notification point */

    /** A CNP to be sent. */
    struct rcc_cnp
    {
        uint32_t flow;      /**< flow whose sender gets the CNP: an index given to rcc_np_marked */
        uint32_t period_ns; /**< period field of the CNP, ns; 0 = a CNP without a period (DCQCN) */
    };

    /** State of a notification point that is common to all algorithms. Use it through the functions below. */
    struct rcc_np
    {
        const struct rcc_np_ops *ops;      /**< functions of the algorithm */
        const struct rcc_profile *profile; /**< derived parameters */
        uint32_t capacity;                 /**< flow indices are 0..capacity - 1 */
    };

    /**
     * \param capacity number of flows
     * \return bytes of an NP; 0 if the algorithm has no NP
     */
    size_t rcc_np_size(const struct rcc_algorithm *alg, uint32_t capacity);

    /**
     * Start an NP. The host assigns an index below the capacity to each flow.
     * \param memory rcc_np_size bytes, 8-byte aligned
     * \param profile result of rcc_configure for RCC_NP
     * \param capacity number of flows
     * \return the NP, located at `memory`; NULL if memory or profile is NULL or the profile is not that of an NP
     */
    struct rcc_np *rcc_np_start(void *memory, const struct rcc_profile *profile, uint32_t capacity);

    /**
     * Copy an NP to larger memory, which must not overlap the old one; the old memory may then be freed.
     * \param memory rcc_np_size bytes for the new capacity, 8-byte aligned
     * \param old the NP to move
     * \param capacity number of flows, not below that of the old NP
     * \return the NP, located at `memory`
     */
    struct rcc_np *rcc_np_grow(void *memory, const struct rcc_np *old, uint32_t capacity);

    /**
     * Remove the state of a flow whose queue pair has closed. Its index may then be given to another flow.
     * \param flow index of the flow, below the capacity
     */
    void rcc_np_close(struct rcc_np *np, uint32_t flow);

    /**
     * Inform the NP that a packet of `flow` arrived at `now` with CE set.
     * \param flow index of the flow, below the capacity
     */
    void rcc_np_marked(struct rcc_np *np, rcc_time now, uint32_t flow);

    /** \return when the next CNP is due if no further mark arrives, ns; RCC_NEVER if none */
    rcc_time rcc_np_next_due(const struct rcc_np *np);

    /**
     * Take one CNP that is due. Call it until it returns false.
     * \param cnp set if the function returns true
     * \return true if `cnp` must be sent now; false if no CNP is due
     */
    bool rcc_np_poll(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp);

    /* ------------------------------------------------------------------ reaction point */

    /**
     * State of a reaction point that is common to all algorithms. Any field may be read;
     * write through the functions below.
     */
    struct rcc_rp
    {
        const struct rcc_profile *profile; /**< the algorithm and its parameters */
        const struct rcc_pause_log *pause; /**< set by the host; NULL = never paused */
        uint64_t stream;                   /**< random stream of this RP */
        uint64_t rate;                     /**< current rate, 2^-16 bit/s */
        rcc_time now;                      /**< time of the state, ns */
        rcc_time paced_at;                 /**< time of `debt`, ns */
        int64_t debt;                      /**< sent but not yet paced, 1e-9 bit: the next packet leaves when it is 0 */
    };

    /** State of a reaction point with RCC_WANT_WINDOW. */
    struct rcc_windowed_rp
    {
        struct rcc_rp rp; /**< the first member, so that a pointer to one is one to the other */
        uint64_t window;  /**< congestion window, 2^-16 byte, at least 1 */
        rcc_time sent_at; /**< with `pacing` latest: when the last packet left, ns */
        int64_t sent;     /**< with `pacing` latest: the last packet, 1e-9 bit */
    };

    /**
     * Size of an RP. An RP may be copied to other memory byte by byte.
     * \return bytes of its state, at most RCC_RP_SIZE_MAX
     */
    size_t rcc_rp_size(const struct rcc_algorithm *alg);

    /** \return whether it has a pause rule; the host then keeps a pause log in rp->pause */
    bool rcc_rp_reads_pauses(const struct rcc_algorithm *alg);

    /**
     * Start the RP of a queue pair.
     * \param memory rcc_rp_size bytes, 8-byte aligned
     * \param profile result of rcc_configure for RCC_RP
     * \param stream random stream of this RP, first argument of rcc_env.draw
     * \return the RP, located at `memory`; NULL if memory or profile is NULL or the profile is not that of an RP
     */
    struct rcc_rp *rcc_rp_start(void *memory, const struct rcc_profile *profile, rcc_time now, uint64_t stream);

    /**
     * Apply every timer up to `now`. A `now` before rp->now has no effect.
     */
    void rcc_rp_advance(struct rcc_rp *rp, rcc_time now);

    /**
     * Inform the RP that a frame left.
     * \param bytes size of the frame on the wire, bytes, at most RCC_FRAME_MAX
     */
    void rcc_rp_sent(struct rcc_rp *rp, rcc_time now, uint32_t bytes);

    /** Apply a congestion signal that arrived. */
    void rcc_rp_feedback(struct rcc_rp *rp, rcc_time now, const struct rcc_feedback *feedback);

    /**
     * Earliest time at which the next packet may leave if no signal arrives before. The
     * function takes account of the rate changes by the RP's own timers until then, but
     * not of future pauses: for an RP that reads the pause log the result is a lower
     * bound until the RP has advanced past it.
     * \return the time, ns, not before rp->now
     */
    rcc_time rcc_rp_next_send(const struct rcc_rp *rp);

    /** Advance to `now`. \return whether a packet may leave */
    bool rcc_rp_may_send(struct rcc_rp *rp, rcc_time now);

    /** \return current rate, bit/s, rounded to nearest */
    uint64_t rcc_rp_rate(const struct rcc_rp *rp);

    /**
     * Congestion window of the RP. It changes on feedback, and for some algorithms when the RP advances. It may be
     * smaller than a packet: a host lets one packet leave when nothing is in flight.
     * \return bytes of payload that may be in flight, rounded to nearest, at least 1; 0 = no window
     */
    static inline uint64_t rcc_rp_window(const struct rcc_rp *rp)
    {
        uint64_t bytes;
        if ((rp->profile->needs.wants & RCC_WANT_WINDOW) == 0)
            return 0;
        bytes = (((const struct rcc_windowed_rp *)rp)->window + RCC_WINDOW_ONE / 2) >> RCC_WINDOW_SHIFT;
        return bytes != 0 ? bytes : 1;
    }

    /**
     * Time of the next rate change by a timer, for hosts that pace by themselves, for example with a token bucket.
     * \return earliest time after rp->now at which the rate can change without a signal, ns; RCC_NEVER if there is none
     */
    rcc_time rcc_rp_next_step(const struct rcc_rp *rp);

    /**
     * Read the state of an RP for traces.
     * \param target output: target rate, 2^-16 bit/s; the current rate if the algorithm has no target
     * \param alpha output: alpha in units of 2^-32, 0..2^32; 0 if the algorithm has none
     * \param state output: state word of the algorithm; 0 if it has none
     */
    void rcc_rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state);

#ifdef __cplusplus
}
#endif

#endif /* RCC_H */
