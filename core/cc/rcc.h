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
 * Nothing here allocates, reads a clock, draws a random number, or uses
 * floating point or a global. The host owns the memory, passes `now` in
 * (nanoseconds), and passes in the one function that makes random numbers.
 *
 * Three things are kept apart, as in DPDK's rte_meter: parameters are what a
 * user sets, a profile is derived from them once per line rate and shared, and
 * a context (struct rcc_cp, rcc_np, rcc_rp) is the state of one port, NIC or
 * queue pair. rcc_configure checks everything and can fail; nothing that runs
 * per packet can.
 *
 * Roles are pulled, never scheduled. A timer is a number in the state: the host
 * asks when something is due (rcc_rp_next_send, rcc_np_next_due) and calls when
 * it has something to say. How often it calls in between changes nothing: state
 * at time t depends on the signals before t, not on the polls.
 *
 * A sender. The test test_core_recipe.py compiles and runs these lines:
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
 *         rcc_rp_feedback(rp, when + 10000, &cnp);           // a CNP, CNM or ACK came
 *         return rcc_rp_rate(rp) == env.line_rate / 2 ? 0 : 1; // the first CNP halves the rate
 *     }
 *
 * Times are nanoseconds in int64_t, 0 to 2^62 (146 years). Rates are bit/s; inside a
 * reaction point they carry 16 more binary digits, see RCC_RATE_ONE.
 *
 * An algorithm of one's own implements the functions of roles.h.
 */
#ifndef RCC_H
#define RCC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/** Version of rcc; CONTRIBUTING.md says what it promises. */
#define RCC_VERSION "0.1.0"

    typedef int64_t rcc_time; /**< nanoseconds since an origin that the host chooses, never before it */
/** The time that never comes. */
#define RCC_NEVER INT64_MAX

/** Rates inside a reaction point are bit/s times 2^RCC_RATE_SHIFT. */
#define RCC_RATE_SHIFT 16
/** 1 bit/s as a rate inside a reaction point. */
#define RCC_RATE_ONE ((uint64_t)1 << RCC_RATE_SHIFT)

/** Least line rate that this library accepts, bit/s. */
#define RCC_LINE_RATE_MIN ((uint64_t)1000000)
/** Largest line rate that this library accepts, bit/s: below 2^42, which products of a rate and a time need. */
#define RCC_LINE_RATE_MAX ((uint64_t)4000000000000)

/** Largest frame a reaction point paces, bytes. */
#define RCC_FRAME_MAX ((uint32_t)65536)

/** Fractions in parameters (g, pmax, lambda ...) are in parts per billion. */
#define RCC_RATIO_ONE ((int64_t)1000000000)

/** No algorithm of the registry has more parameters. */
#define RCC_MAX_FIELDS 48

/** No profile is larger, bytes; for hosts that do not ask for the exact size. */
#define RCC_PROFILE_SIZE_MAX 1024
/** No CP is larger, bytes. */
#define RCC_CP_SIZE_MAX 128
/** No RP is larger, bytes. */
#define RCC_RP_SIZE_MAX 256

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
        enum rcc_unit unit;  /**< of min, max, def and the value */
        int64_t min;         /**< least value, in the field's unit */
        int64_t max;         /**< largest value */
        int64_t def;         /**< default value */
        const char *choices; /**< RCC_UNIT_CHOICE: names separated by '|', the first one is 0; else NULL */
        const char *help;    /**< one sentence */
        const char *source;  /**< paper and equation, or the decision's name in doc/decisions.md */
    };

    /** One parameter that a preset sets. */
    struct rcc_preset_value
    {
        size_t field;  /**< index into the algorithm's fields */
        int64_t value; /**< in the field's unit */
    };

    /** A named set of parameters: what it changes from the defaults. */
    struct rcc_preset
    {
        const char *name;                      /**< name, as in --cc=ALGORITHM:NAME */
        const char *help;                      /**< one sentence */
        const struct rcc_preset_value *values; /**< what differs from the defaults */
        size_t n_values;                       /**< 0: the defaults */
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
        const struct rcc_field *fields;   /**< n_fields of them */
        size_t n_fields;                  /**< at most RCC_MAX_FIELDS */
        const struct rcc_preset *presets; /**< ends with name == NULL; the first one is the default */
        const struct rcc_cp_ops *cp;      /**< NULL: needs nothing from the switch */
        const struct rcc_np_ops *np;      /**< NULL: needs nothing from the receiver */
        const struct rcc_rp_ops *rp;      /**< never NULL */
    };

    /**
     * The registry, in the order of algorithms.def.
     * \param index position, from 0
     * \return the algorithm; NULL past the end
     */
    const struct rcc_algorithm *rcc_algorithm_at(size_t index);

    /** \param name name of the algorithm, e.g. "dcqcn-plus" \return the algorithm of that name, or NULL */
    const struct rcc_algorithm *rcc_find(const char *name);

    /** \param alg the algorithm \param name name of the parameter, e.g. "timer" \return index of the field, or -1 */
    int rcc_field_find(const struct rcc_algorithm *alg, const char *name);

    /**
     * Fill in parameters from the defaults and a preset.
     * \param alg the algorithm
     * \param preset name of the preset; NULL or "": the first one
     * \param params filled in: alg->n_fields values
     * \return false if the algorithm has no such preset; params are then the defaults
     */
    bool rcc_params_init(const struct rcc_algorithm *alg, const char *preset, int64_t *params);

    /* ------------------------------------------------------------------ configuration */

    /**
     * A host's random numbers: 32 uniform bits that depend on (stream, index) and
     * on nothing else, so that a reaction point can look ahead without spending
     * randomness and so that flows do not disturb each other's draws.
     */
    typedef uint32_t (*rcc_draw)(uint64_t stream, uint64_t index);

    /** What a profile is derived from besides its parameters. */
    struct rcc_env
    {
        uint64_t line_rate; /**< bit/s, RCC_LINE_RATE_MIN..RCC_LINE_RATE_MAX */
        rcc_draw draw;      /**< may be NULL: jitter is then zero and CPs never mark by chance */
    };

    /** Why a configuration was refused. All strings are static. */
    struct rcc_error
    {
        const char *name;              /**< what is wrong: a field's name, "line_rate", or an argument of the call */
        const struct rcc_field *field; /**< the field; NULL if it is none */
        int64_t value;                 /**< what was found, in the field's unit or bit/s; 0 for an argument */
        int64_t min;                   /**< least value accepted here, in the same unit; 0 for an argument */
        int64_t max;                   /**< largest value accepted here; 0 for an argument */
        const char *message;           /**< a clause without full stop: "kmin is above kmax" */
    };

    /**
     * A checked set of parameters, ready for use at one line rate. Read-only and shared by
     * any number of contexts, which point to it as long as they live.
     */
    struct rcc_profile
    {
        const struct rcc_algorithm *alg; /**< the algorithm */
        enum rcc_role role;              /**< the role */
        bool frozen; /**< RP: the gap is fixed when a packet leaves, decision `pacing`; else it follows the rate */
    };

    /**
     * \param alg the algorithm
     * \param role the role
     * \return bytes of a profile, at most RCC_PROFILE_SIZE_MAX; 0 without such a role
     */
    size_t rcc_profile_size(const struct rcc_algorithm *alg, enum rcc_role role);

    /**
     * Check parameters and line rate and derive the profile of one role.
     *
     * Refused are: an algorithm (NULL) or role that does not exist, memory that is NULL or not 8-byte
     * aligned, a line rate or any parameter outside its range, and parameters of the role that
     * contradict each other or the line rate.
     *
     * \param alg the algorithm
     * \param role the role
     * \param params alg->n_fields values; may be NULL if that is 0
     * \param env line rate and random numbers
     * \param memory rcc_profile_size bytes, 8-byte aligned; the caller keeps it as long as the profile is used
     * \param error filled in if the result is NULL; may be NULL
     * \return the profile, which is in `memory`, or NULL
     */
    const struct rcc_profile *rcc_configure(const struct rcc_algorithm *alg, enum rcc_role role, const int64_t *params,
                                            const struct rcc_env *env, void *memory, struct rcc_error *error);

    /**
     * The checks of rcc_configure for every role that the algorithm has.
     * \param alg the algorithm
     * \param params the parameters: alg->n_fields values
     * \param env line rate and random numbers
     * \param error filled in if the result is false; may be NULL
     * \return whether all checks pass
     */
    bool rcc_check(const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env,
                   struct rcc_error *error);

    /* ------------------------------------------------------------------ congestion point */

    /** What the switch does with the frame. */
    enum rcc_cp_action
    {
        RCC_CP_PASS,  /**< nothing */
        RCC_CP_MARK,  /**< set CE if the frame is ECN-capable */
        RCC_CP_NOTIFY /**< send a CNM with `cnm` to the frame's source */
    };

    /** What a CNM carries. */
    struct rcc_cnm
    {
        uint8_t qfb;    /**< quantised |Fb|, 1..63; 0 too where a CP notifies of every negative Fb */
        int64_t qoff;   /**< Q - Qeq, bytes */
        int64_t qdelta; /**< Q - Qold, bytes */
    };

    /** Which frames a CP looks at. */
    enum rcc_cp_frames
    {
        RCC_CP_NONE,        /**< none: the algorithm has no CP */
        RCC_CP_ECN_CAPABLE, /**< those whose IP header allows marking */
        RCC_CP_CN_TAGGED    /**< those from a QCN reaction point */
    };

    struct rcc_cp;
    /** Function of an algorithm behind rcc_cp_enqueued. */
    typedef enum rcc_cp_action (*rcc_cp_enqueued_fn)(struct rcc_cp *cp, uint64_t queue, uint32_t bytes,
                                                     struct rcc_cnm *cnm);
    /** Function of an algorithm behind rcc_cp_dequeued. */
    typedef enum rcc_cp_action (*rcc_cp_dequeued_fn)(struct rcc_cp *cp, uint64_t queue);

    /** The part of a congestion point that every algorithm shares. Use it through the functions below. */
    struct rcc_cp
    {
        const struct rcc_profile *profile; /**< its parameters */
        rcc_cp_enqueued_fn enqueued;       /**< NULL: this CP does nothing when a frame joins the queue */
        rcc_cp_dequeued_fn dequeued;       /**< NULL: this CP does nothing when a frame leaves it */
        uint64_t stream;                   /**< names this CP's random numbers */
    };

    /** \param alg the algorithm \return which frames the host shows to the CP */
    enum rcc_cp_frames rcc_cp_watches(const struct rcc_algorithm *alg);

    /**
     * \param alg the algorithm
     * \return bytes of a CP's state, at most RCC_CP_SIZE_MAX; 0 if the algorithm has no CP
     */
    size_t rcc_cp_size(const struct rcc_algorithm *alg);

    /**
     * Start the CP of one port and class.
     * \param memory rcc_cp_size bytes, 8-byte aligned
     * \param profile what rcc_configure returned for this role
     * \param stream names its random numbers
     * \return the CP; NULL if memory or profile is NULL or the profile is not that of a CP
     */
    struct rcc_cp *rcc_cp_start(void *memory, const struct rcc_profile *profile, uint64_t stream);

    /**
     * A frame joined the queue.
     * \param cp the CP
     * \param queue bytes in the queue now, below 2^50
     * \param bytes bytes of the frame on the wire, at most RCC_FRAME_MAX
     * \param cnm filled in if the result is RCC_CP_NOTIFY
     * \return what the switch does with the frame
     */
    static inline enum rcc_cp_action rcc_cp_enqueued(struct rcc_cp *cp, uint64_t queue, uint32_t bytes,
                                                     struct rcc_cnm *cnm)
    {
        return cp->enqueued != NULL ? cp->enqueued(cp, queue, bytes, cnm) : RCC_CP_PASS;
    }

    /**
     * A frame left the queue.
     * \param cp the CP
     * \param queue bytes in the queue now, below 2^50
     * \return RCC_CP_PASS or RCC_CP_MARK
     */
    static inline enum rcc_cp_action rcc_cp_dequeued(struct rcc_cp *cp, uint64_t queue)
    {
        return cp->dequeued != NULL ? cp->dequeued(cp, queue) : RCC_CP_PASS;
    }

    /* ------------------------------------------------------------------ notification point */

    /** A CNP to be sent. */
    struct rcc_cnp
    {
        uint32_t flow;      /**< whose sender gets it: an index given to rcc_np_marked */
        uint32_t period_ns; /**< the period field; 0 = a legacy CNP */
    };

    /** The part of a notification point that every algorithm shares. Use it through the functions below. */
    struct rcc_np
    {
        const struct rcc_np_ops *ops;      /**< functions of the algorithm */
        const struct rcc_profile *profile; /**< its parameters */
        uint32_t capacity;                 /**< flows 0..capacity - 1 have room */
    };

    /**
     * \param alg the algorithm
     * \param capacity number of flows that have room
     * \return bytes of an NP; 0 if the algorithm has none
     */
    size_t rcc_np_size(const struct rcc_algorithm *alg, uint32_t capacity);

    /**
     * Start an NP. The host chooses the indices of flows, below the capacity.
     * \param memory rcc_np_size bytes, 8-byte aligned
     * \param profile what rcc_configure returned for this role
     * \param capacity number of flows that have room
     * \return the NP; NULL if memory or profile is NULL or the profile is not that of an NP
     */
    struct rcc_np *rcc_np_start(void *memory, const struct rcc_profile *profile, uint32_t capacity);

    /**
     * Move an NP to larger memory, which is not the old one; the old memory may then be freed.
     * \param memory rcc_np_size bytes for the new capacity, 8-byte aligned
     * \param old the NP to move
     * \param capacity number of flows that have room, not below that of the old one
     * \return the NP, which is in `memory`
     */
    struct rcc_np *rcc_np_grow(void *memory, const struct rcc_np *old, uint32_t capacity);

    /**
     * Forget `flow`: its queue pair closed. The index may then be given to another.
     * \param np the NP
     * \param flow index of the flow, below the capacity
     */
    void rcc_np_close(struct rcc_np *np, uint32_t flow);

    /**
     * A packet of `flow` arrived at `now` with CE set.
     * \param np the NP
     * \param now the time, ns
     * \param flow index of the flow, below the capacity
     */
    void rcc_np_marked(struct rcc_np *np, rcc_time now, uint32_t flow);

    /** \param np the NP \return when the next CNP is due if no further mark arrives, ns; RCC_NEVER if none */
    rcc_time rcc_np_next_due(const struct rcc_np *np);

    /**
     * Take one CNP that is due; call until false.
     * \param np the NP
     * \param now the time, ns
     * \param cnp filled in if the result is true
     * \return false: no CNP is due
     */
    bool rcc_np_poll(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp);

    /* ------------------------------------------------------------------ reaction point */

    /** Kinds of congestion signals. */
    enum rcc_feedback_kind
    {
        RCC_FEEDBACK_CNP, /**< from the receiver's NP */
        RCC_FEEDBACK_CNM, /**< from a switch's CP */
        RCC_FEEDBACK_ACK  /**< an acknowledgement */
    };

    /** What one port on the path wrote into a packet (in-band telemetry), as an acknowledgement echoes it. */
    struct rcc_hop
    {
        uint64_t queue; /**< bytes in the egress queue as the packet left it */
        uint64_t sent;  /**< bytes that the port has sent so far, modulo 2^64 */
        uint64_t rate;  /**< line rate of the port, bit/s */
        rcc_time time;  /**< when the packet left, ns of the port's own clock */
    };

    /** A congestion signal; fields that do not belong to `kind` are ignored. Zero what is not known, but rtt. */
    struct rcc_feedback
    {
        enum rcc_feedback_kind kind; /**< kind of the signal */
        uint32_t period_ns;          /**< CNP: the period field; 0 = a legacy CNP */
        uint8_t qfb;                 /**< CNM: quantised |Fb|, 0..63; larger is read as 63 */
        bool ce;                     /**< ACK: a packet since the last ACK carried CE */
        rcc_time rtt;                /**< ACK: round-trip time, ns; < 0 = unknown */
        uint64_t acked;              /**< ACK: bytes newly acknowledged */
        uint32_t n_hops; /**< ACK: records in hops; 0 = no telemetry. No algorithm of the registry reads it yet. */
        const struct rcc_hop *hops; /**< ACK: first hop first; read during the call only */
    };

    /**
     * When the host's transmit class was paused. The host owns the ring; a reaction
     * point whose algorithm has a pause rule reads it.
     */
    struct rcc_pause_log
    {
        rcc_time *toggle; /**< toggle[i & mask] is the time of the i-th change; even i pause, odd i resume */
        uint32_t mask;    /**< capacity - 1, capacity a power of two */
        uint64_t count;   /**< changes so far */
    };

    /**
     * The part of a reaction point that every algorithm shares. Read it freely;
     * write through the functions below.
     */
    struct rcc_rp
    {
        const struct rcc_profile *profile; /**< the algorithm and its parameters */
        const struct rcc_pause_log *pause; /**< set by the host; NULL = never paused */
        uint64_t stream;                   /**< names this RP's random numbers */
        uint64_t rate;                     /**< current rate, 2^-16 bit/s */
        rcc_time now;                      /**< state is valid for this time */
        rcc_time paced_at;                 /**< `debt` is valid for this time */
        int64_t debt;                      /**< what the last packets still owe the pacer, 1e-9 bit */
    };

    /**
     * An RP may be copied to other memory byte by byte.
     * \param alg the algorithm
     * \return bytes of its state, at most RCC_RP_SIZE_MAX
     */
    size_t rcc_rp_size(const struct rcc_algorithm *alg);

    /** \param alg the algorithm \return true if a host that pauses must keep a pause log and set rp->pause */
    bool rcc_rp_reads_pauses(const struct rcc_algorithm *alg);

    /**
     * Start the RP of a queue pair.
     * \param memory rcc_rp_size bytes, 8-byte aligned
     * \param profile what rcc_configure returned for this role
     * \param now the time, ns
     * \param stream names its random numbers
     * \return the RP; NULL if memory or profile is NULL or the profile is not that of an RP
     */
    struct rcc_rp *rcc_rp_start(void *memory, const struct rcc_profile *profile, rcc_time now, uint64_t stream);

    /**
     * Apply every timer up to `now`. A `now` before the last one is taken as the last one.
     * \param rp the RP
     * \param now the time, ns
     */
    void rcc_rp_advance(struct rcc_rp *rp, rcc_time now);

    /**
     * A frame left.
     * \param rp the RP
     * \param now the time, ns
     * \param bytes bytes of the frame on the wire, at most RCC_FRAME_MAX
     */
    void rcc_rp_sent(struct rcc_rp *rp, rcc_time now, uint32_t bytes);

    /** A congestion signal arrived at `now`. \param rp the RP \param now the time, ns \param feedback the signal */
    void rcc_rp_feedback(struct rcc_rp *rp, rcc_time now, const struct rcc_feedback *feedback);

    /**
     * Earliest time, not before the RP's own `now`, at which the next packet may
     * leave if nothing else happens; includes the rate changes that the RP's own
     * timers will make until then. The look-ahead knows of no pause: for an RP that
     * reads the pause log it is a lower bound until the RP has advanced past it.
     * \param rp the RP
     * \return the time, ns
     */
    rcc_time rcc_rp_next_send(const struct rcc_rp *rp);

    /** Advance to `now`. \param rp the RP \param now the time, ns \return whether a packet may leave */
    bool rcc_rp_may_send(struct rcc_rp *rp, rcc_time now);

    /** \param rp the RP \return current rate, bit/s, rounded to nearest */
    uint64_t rcc_rp_rate(const struct rcc_rp *rp);

    /**
     * Bytes that the queue pair may have in flight beside its rate; 0 = no window. It changes when the RP advances and
     * on feedback. No algorithm of the registry has one yet.
     * \param rp the RP
     * \return bytes; 0 = no window
     */
    uint64_t rcc_rp_window(const struct rcc_rp *rp);

    /**
     * For hosts that pace by themselves, with a token bucket for example.
     * \param rp the RP
     * \return earliest time, after the RP's own `now`, at which its rate can change if nothing happens; RCC_NEVER if
     * none
     */
    rcc_time rcc_rp_next_step(const struct rcc_rp *rp);

    /**
     * Read the state of an RP for traces.
     * \param rp the RP
     * \param target filled in: target rate, 2^-16 bit/s; the rate itself if the algorithm has no target
     * \param alpha filled in: alpha, 2^-32, 0..2^32; 0 if the algorithm has none
     * \param state filled in: state word of the algorithm; 0 if it has none
     */
    void rcc_rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state);

    /* ------------------------------------------------------------------ pause log */

    /**
     * Make an empty log.
     * \param log the log
     * \param storage memory for the log
     * \param capacity times that it holds, a power of two
     */
    void rcc_pause_log_init(struct rcc_pause_log *log, rcc_time *storage, uint32_t capacity);

    /**
     * The class's pause state is `paused` from `now` on. Times must not decrease.
     * \param log the log
     * \param now the time, ns
     * \param paused whether the class is paused
     */
    void rcc_pause_log_set(struct rcc_pause_log *log, rcc_time now, bool paused);

    /**
     * Whether the class was paused at a time. Times before the memory of the ring count as not paused.
     * \param log the log
     * \param t the time in question, ns
     * \return whether it was paused
     */
    bool rcc_pause_log_at(const struct rcc_pause_log *log, rcc_time t);

#ifdef __cplusplus
}
#endif

#endif /* RCC_H */
