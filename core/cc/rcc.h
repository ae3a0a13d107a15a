/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
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
 * Roles are pulled, never scheduled. A timer is a number in the state: the host
 * asks when something is due (rcc_rp_next_send, rcc_np_next_due) and calls when
 * it has something to say. How often it calls in between changes nothing: state
 * at time t depends on the signals before t, not on the polls.
 *
 * A sender in seven lines:
 *
 *     const struct rcc_algorithm *alg = rcc_find("dcqcn");
 *     rcc_params_init(alg, "paper", params);             // int64_t[alg->n_fields]
 *     alg->rp->profile(params, &env, profile, &why);     // once per NIC
 *     rcc_rp_start(rp, alg->rp, profile, now, stream);   // once per queue pair
 *     when = rcc_rp_next_send(rp);                       // earliest next packet
 *     rcc_rp_sent(rp, now, frame_bytes);                 // a packet left
 *     rcc_rp_feedback(rp, now, &cnp);                    // a CNP, CNM or ACK came
 *
 * Times are nanoseconds in int64_t (292 years). Rates are bit/s; inside a
 * reaction point they carry 16 more binary digits, see RCC_RATE_ONE.
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

#define RCC_VERSION "0.1.0"

    typedef int64_t rcc_time;
#define RCC_NEVER INT64_MAX

/* Rates inside a reaction point: bit/s times 2^16. */
#define RCC_RATE_SHIFT 16
#define RCC_RATE_ONE ((uint64_t)1 << RCC_RATE_SHIFT)

/* Line rates this library accepts, bit/s. */
#define RCC_LINE_RATE_MIN ((uint64_t)1000000)
#define RCC_LINE_RATE_MAX ((uint64_t)1600000000000)

/* Largest frame a reaction point paces, bytes. */
#define RCC_FRAME_MAX ((uint32_t)65536)

/* Fractions in parameters (g, pmax, lambda ...) are in parts per billion. */
#define RCC_RATIO_ONE ((int64_t)1000000000)

    /*
     * A host's random numbers: 32 uniform bits that depend on (stream, index) and
     * on nothing else, so that a reaction point can look ahead without spending
     * randomness and so that flows do not disturb each other's draws.
     */
    typedef uint32_t (*rcc_draw)(uint64_t stream, uint64_t index);

    /* What a profile is derived from besides its parameters. */
    struct rcc_env
    {
        uint64_t line_rate; /* bit/s, RCC_LINE_RATE_MIN..RCC_LINE_RATE_MAX */
        rcc_draw draw;      /* may be NULL: jitter is then zero and CPs never mark by chance */
    };

    /* ------------------------------------------------------------------ parameters */

    enum rcc_unit
    {
        RCC_UNIT_COUNT, /* a plain number */
        RCC_UNIT_NS,    /* nanoseconds */
        RCC_UNIT_BPS,   /* bit/s */
        RCC_UNIT_BYTES, /* bytes */
        RCC_UNIT_RATIO, /* parts per billion */
        RCC_UNIT_CHOICE /* index into choices */
    };

    enum rcc_role
    {
        RCC_CP,
        RCC_NP,
        RCC_RP
    };

    /* One user parameter. Parameters of an algorithm are an int64_t array in the
     * order of its field table. */
    struct rcc_field
    {
        const char *name; /* lower_snake, as in --set dcqcn.NAME=VALUE */
        enum rcc_role role;
        enum rcc_unit unit;
        int64_t min, max, def; /* inclusive, in the field's unit */
        const char *choices;   /* RCC_UNIT_CHOICE: names separated by '|' */
        const char *help;      /* one sentence */
        const char *source;    /* paper and equation, or the decision's number */
    };

    /* A named set of parameters: what it changes from the defaults. */
    struct rcc_preset_value
    {
        const char *field;
        int64_t value;
    };

    struct rcc_preset
    {
        const char *name;
        const char *help;
        const struct rcc_preset_value *values; /* ends with field == NULL */
    };

    /* ------------------------------------------------------------------ congestion point */

    enum rcc_cp_action
    {
        RCC_CP_PASS,  /* nothing to do */
        RCC_CP_MARK,  /* set CE if the frame is ECN-capable */
        RCC_CP_NOTIFY /* send a CNM with `sample` to the frame's source */
    };

    /* What a CNM carries. */
    struct rcc_cnm
    {
        uint8_t qfb;    /* quantised |Fb|, 1..63 */
        int64_t qoff;   /* Q - Qeq, bytes */
        int64_t qdelta; /* Q - Qold, bytes */
    };

    /* Which frames a CP looks at. */
    enum rcc_cp_frames
    {
        RCC_CP_ECN_CAPABLE, /* the IP header allows marking */
        RCC_CP_CN_TAGGED    /* the source is a QCN reaction point */
    };

    struct rcc_cp_ops
    {
        enum rcc_cp_frames frames;
        size_t size;         /* bytes of a CP's state, 8-byte aligned */
        size_t profile_size; /* bytes of its profile */
        /* Derive a profile. False and *why (a static sentence) if the parameters
         * contradict each other. Fields in range never make it undefined. */
        bool (*profile)(const int64_t *params, const struct rcc_env *env, void *profile, const char **why);
        void (*start)(void *cp, const void *profile, uint64_t stream);
        /* A frame of `bytes` joined the queue, which now holds `queue` bytes. May be NULL. */
        enum rcc_cp_action (*enqueued)(void *cp, uint64_t queue, uint32_t bytes, struct rcc_cnm *cnm);
        /* A frame left the queue, which still holds `queue` bytes. May be NULL. */
        enum rcc_cp_action (*dequeued)(void *cp, uint64_t queue);
    };

    /* ------------------------------------------------------------------ notification point */

    struct rcc_cnp
    {
        uint32_t flow;      /* index given to rcc_np_open */
        uint32_t period_ns; /* the period field; 0 = a legacy CNP */
    };

    struct rcc_np;

    struct rcc_np_ops
    {
        size_t profile_size;
        bool (*profile)(const int64_t *params, const struct rcc_env *env, void *profile, const char **why);
        size_t (*size)(uint32_t capacity); /* bytes of an NP with room for `capacity` flows */
        void (*start)(struct rcc_np *np);
        void (*grow)(struct rcc_np *np, const struct rcc_np *old); /* copy old flows into a larger np */
        void (*open)(struct rcc_np *np, uint32_t flow);
        void (*close)(struct rcc_np *np, uint32_t flow);
        void (*marked)(struct rcc_np *np, rcc_time now, uint32_t flow);
        rcc_time (*next_due)(const struct rcc_np *np);
        bool (*poll)(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp);
    };

    /* ------------------------------------------------------------------ reaction point */

    enum rcc_feedback_kind
    {
        RCC_FEEDBACK_CNP,
        RCC_FEEDBACK_CNM,
        RCC_FEEDBACK_ACK
    };

    /* A congestion signal; fields that do not belong to `kind` are ignored. */
    struct rcc_feedback
    {
        enum rcc_feedback_kind kind;
        uint32_t period_ns; /* CNP: the period field */
        uint8_t qfb;        /* CNM: quantised |Fb|, 0..63; larger is read as 63 */
        bool ce;            /* ACK: a packet since the last ACK carried CE */
        rcc_time rtt;       /* ACK: round-trip time, ns; < 0 = unknown */
        uint64_t acked;     /* ACK: bytes newly acknowledged */
    };

    /* When the host's transmit class was paused. The host owns the ring; a reaction
     * point whose algorithm has a pause rule reads it. toggle[i & mask] is the time
     * of the i-th change; even i pause, odd i resume. */
    struct rcc_pause_log
    {
        rcc_time *toggle;
        uint32_t mask;  /* capacity - 1, capacity a power of two */
        uint64_t count; /* changes so far */
    };

    struct rcc_rp;

    struct rcc_rp_ops
    {
        size_t size; /* bytes of an RP's state, 8-byte aligned, at most RCC_RP_SIZE_MAX */
        size_t profile_size;
        bool (*profile)(const int64_t *params, const struct rcc_env *env, void *profile, const char **why);
        void (*start)(struct rcc_rp *rp);
        void (*advance)(struct rcc_rp *rp, rcc_time now);
        void (*sent)(struct rcc_rp *rp, uint32_t bytes);
        void (*feedback)(struct rcc_rp *rp, const struct rcc_feedback *feedback);
        /* Earliest time at which the rate can change if nothing happens. */
        rcc_time (*next_step)(const struct rcc_rp *rp);
        /* For traces: target rate (2^-16 bit/s), alpha (2^-32), a state word. May be NULL. */
        void (*observe)(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state);
        bool reads_pauses; /* a host that pauses should keep a pause log for it */
    };

#define RCC_RP_SIZE_MAX 256

    /* The part of a reaction point that every algorithm shares. Read it freely;
     * write through the functions below. */
    struct rcc_rp
    {
        const struct rcc_rp_ops *ops;
        const void *profile;
        const struct rcc_pause_log *pause; /* set by the host; NULL = never paused */
        uint64_t stream;                   /* names this RP's random numbers */
        uint64_t rate;                     /* current rate, 2^-16 bit/s */
        rcc_time now;                      /* state is valid for this time */
        rcc_time paced_at;                 /* `debt` is valid for this time */
        int64_t debt;                      /* what the last packets still owe the pacer, 1e-9 bit */
        bool frozen;                       /* the gap is fixed when a packet leaves (decision 21) */
    };

    /* ------------------------------------------------------------------ algorithm */

    struct rcc_algorithm
    {
        const char *name;   /* as in --cc: "dcqcn", "dcqcn-plus" */
        const char *title;  /* as in a plot's legend: "DCQCN+" */
        const char *source; /* where it was published */
        const struct rcc_field *fields;
        size_t n_fields;
        const struct rcc_preset *presets; /* ends with name == NULL; the first one is the default */
        const struct rcc_cp_ops *cp;      /* NULL: needs nothing from the switch */
        const struct rcc_np_ops *np;      /* NULL: needs nothing from the receiver */
        const struct rcc_rp_ops *rp;
    };

#define RCC_MAX_FIELDS 48

    /* The registry, in the order of algorithms.def. NULL past the end or unknown. */
    const struct rcc_algorithm *rcc_algorithm_at(size_t index);
    const struct rcc_algorithm *rcc_find(const char *name);

    /* Index of a field by name, or -1. */
    int rcc_field_find(const struct rcc_algorithm *alg, const char *name);

    /* Fill params[alg->n_fields] from the defaults and a preset (NULL or "" = the
     * first one). False if the algorithm has no such preset; params are then the
     * defaults. */
    bool rcc_params_init(const struct rcc_algorithm *alg, const char *preset, int64_t *params);

    /* The first field whose value is outside its range, or NULL. */
    const struct rcc_field *rcc_params_check(const struct rcc_algorithm *alg, const int64_t *params);

    /* ------------------------------------------------------------------ RP functions */

    /* Start a queue pair at `now`. `memory` holds ops->size bytes, 8-byte aligned. */
    struct rcc_rp *rcc_rp_start(void *memory, const struct rcc_rp_ops *ops, const void *profile, rcc_time now,
                                uint64_t stream);

    /* Apply every timer up to `now`. A `now` before the last one is taken as the last one. */
    void rcc_rp_advance(struct rcc_rp *rp, rcc_time now);

    /* A frame of `bytes` (at most RCC_FRAME_MAX) left at `now`. */
    void rcc_rp_sent(struct rcc_rp *rp, rcc_time now, uint32_t bytes);

    /* A congestion signal arrived at `now`. */
    void rcc_rp_feedback(struct rcc_rp *rp, rcc_time now, const struct rcc_feedback *feedback);

    /* Earliest time, not before the RP's own `now`, at which the next packet may
     * leave if nothing else happens; includes the rate changes that the RP's own
     * timers will make until then. The look-ahead knows of no pause: for an RP that
     * reads the pause log it is a lower bound until the RP has advanced past it. */
    rcc_time rcc_rp_next_send(const struct rcc_rp *rp);

    /* True if a packet may leave at `now` (advances to `now`). */
    bool rcc_rp_may_send(struct rcc_rp *rp, rcc_time now);

    /* Current rate, bit/s, rounded to nearest. */
    uint64_t rcc_rp_rate(const struct rcc_rp *rp);

    /* ------------------------------------------------------------------ pause log */

    void rcc_pause_log_init(struct rcc_pause_log *log, rcc_time *storage, uint32_t capacity);
    /* The class's pause state is `paused` from `now` on. Times must not decrease. */
    void rcc_pause_log_set(struct rcc_pause_log *log, rcc_time now, bool paused);
    /* Was the class paused at `t`? Times before the ring's memory count as not paused. */
    bool rcc_pause_log_at(const struct rcc_pause_log *log, rcc_time t);

    /* ------------------------------------------------------------------ NP functions */

    struct rcc_np
    {
        const struct rcc_np_ops *ops;
        const void *profile;
        uint32_t capacity;
    };

    /* `memory` holds ops->size(capacity) bytes, 8-byte aligned. Flow indices are
     * chosen by the host and stay below `capacity`. */
    struct rcc_np *rcc_np_start(void *memory, const struct rcc_np_ops *ops, const void *profile, uint32_t capacity);
    /* Move an NP to larger memory; the old memory may then be freed. */
    struct rcc_np *rcc_np_grow(void *memory, const struct rcc_np *old, uint32_t capacity);
    void rcc_np_open(struct rcc_np *np, uint32_t flow);
    void rcc_np_close(struct rcc_np *np, uint32_t flow);
    /* A packet of `flow` arrived at `now` with CE set. */
    void rcc_np_marked(struct rcc_np *np, rcc_time now, uint32_t flow);
    /* When the next CNP is due if no further mark arrives; RCC_NEVER if none. */
    rcc_time rcc_np_next_due(const struct rcc_np *np);
    /* Take one CNP that is due at `now`; call until false. */
    bool rcc_np_poll(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp);

#ifdef __cplusplus
}
#endif

#endif /* RCC_H */
