/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Declarations for the files of DCQCN+: dcqcn_plus.c (presets, CP and RP), dcqcn_plus_np.c (NP)
 * and dcqcn_plus_share.c (the variant whose additive step is a part of the fair share).
 */
#ifndef RCC_DCQCN_PLUS_H
#define RCC_DCQCN_PLUS_H

#include "roles.h"

/* ------------------------------------------------------------------ parameters */

/* Choices, in the order of the names in their fields. */
enum plus_period_counts
{
    COUNT_LISTED,
    COUNT_MARKED
};

enum plus_early_check
{
    EARLY_KEEP,
    EARLY_CLEAR
};

enum plus_idle_wake
{
    WAKE_AT_ONCE,
    WAKE_IN_TURN
};

enum plus_timer_rule
{
    TIMERS_ALWAYS,
    TIMERS_ABOVE_50US
};

enum plus_timer_update
{
    UPDATE_EVERY_EXPIRY,
    UPDATE_CNP_ONLY
};

enum plus_pause_rule
{
    PAUSE_REARM,
    PAUSE_STEP,
    PAUSE_REARM_BOTH
};

enum plus_phase_boundary
{
    BOUNDARY_LOWER,
    BOUNDARY_UPPER
};

enum plus_alpha_order
{
    ALPHA_AFTER_CUT,
    ALPHA_BEFORE_CUT
};

enum plus_ai_levels
{
    AI_LEVELS_TWO,
    AI_LEVELS_ONE
};

enum plus_target_cap
{
    CAP_LINE,
    CAP_NONE
};

/* The arguments are the defaults that differ between dcqcn-plus and dcqcn-plus-share, each with its source. */
#define DCQCN_PLUS_FIELDS(F, PMAX, PMAX_SOURCE, PERIOD_FLOOR, FLOOR_SOURCE, IDLE_WAKE, WAKE_SOURCE, LAMBDA,            \
                          LAMBDA_SOURCE, LAMBDA_ALPHA, LAMBDA_ALPHA_SOURCE, INITIAL_ALPHA, ALPHA_SOURCE)               \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 20 * RCC_KB, NULL, "queue below which nothing is marked",        \
      "ICNP'18 IV.B.1")                                                                                                \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 200 * RCC_KB, NULL, "queue above which everything is marked",    \
      "ICNP'18 IV.B.1")                                                                                                \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, PMAX, NULL, "marking probability at kmax", PMAX_SOURCE)          \
    F(mark_at, RCC_CP, RCC_UNIT_CHOICE, 0, RCC_MARK_AT_ENQUEUE, RCC_MARK_AT_DEQUEUE, "dequeue|enqueue",                \
      "where the queue is read and the frame marked", "both public simulators mark at dequeue")                        \
    F(cnp_generation, RCC_NP, RCC_UNIT_NS, 1, RCC_MS, 1 * RCC_US, NULL,                                                \
      "delta: the NIC checks one record of the list, and makes at most one CNP, in this time",                         \
      "eq. 11, decision `cnp_generation`")                                                                             \
    F(cnp_min_interval, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, 45 * RCC_US, NULL,                                            \
      "a flow gets at most one CNP in this time", "ICNP'18 IV.B.2")                                                    \
    F(period_floor, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, PERIOD_FLOOR, NULL, "least period written into a CNP",            \
      FLOOR_SOURCE)                                                                                                    \
    F(period_counts, RCC_NP, RCC_UNIT_CHOICE, 0, COUNT_MARKED, COUNT_LISTED, "listed|marked",                          \
      "l counts all listed flows, or those with their ECN bit set", "eq. 11, decision `period_counts`")                \
    F(list_timeout, RCC_NP, RCC_UNIT_NS, 0, 1000 * RCC_SEC, 0, NULL,                                                   \
      "a record leaves the list when its flow was not marked for this long, and is forgotten with its last CNP; 0 = "  \
      "when its queue pair closes",                                                                                    \
      "decision `list_timeout`")                                                                                       \
    F(early_check, RCC_NP, RCC_UNIT_CHOICE, 0, EARLY_CLEAR, EARLY_CLEAR, "keep|clear",                                 \
      "what a check within cnp_min_interval does to the ECN bit", "decision `early_check`")                            \
    F(idle_wake, RCC_NP, RCC_UNIT_CHOICE, 0, WAKE_IN_TURN, IDLE_WAKE, "at-once|in-turn",                               \
      "a mark that finds no bit set is checked at once, or when the pointer comes by", WAKE_SOURCE)                    \
    F(lambda, RCC_RP, RCC_UNIT_RATIO, 1, 1000 * RCC_RATIO_ONE, LAMBDA, NULL, "enlarging ratio of the rate timer",      \
      LAMBDA_SOURCE)                                                                                                   \
    F(lambda_alpha, RCC_RP, RCC_UNIT_RATIO, 1, 1000 * RCC_RATIO_ONE, LAMBDA_ALPHA, NULL,                               \
      "enlarging ratio of the alpha timer", LAMBDA_ALPHA_SOURCE)                                                       \
    F(m, RCC_RP, RCC_UNIT_BYTES, 1, 65536, 1000, NULL, "M: largest packet", "eq. 16, decision `m`")                    \
    F(timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                         \
      "least period of the rate timer; its period after a legacy CNP", "decisions `legacy_cnp` and `timer_rule`")      \
    F(alpha_timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                   \
      "least period of the alpha timer; its period after a legacy CNP", "decisions `legacy_cnp` and `timer_rule`")     \
    F(timer_rule, RCC_RP, RCC_UNIT_CHOICE, 0, TIMERS_ABOVE_50US, TIMERS_ALWAYS, "always|above-50us",                   \
      "K and K_alpha follow every CNP, or only those whose period is above 50 us", "decision `timer_rule`")            \
    F(timer_update, RCC_RP, RCC_UNIT_CHOICE, 0, UPDATE_CNP_ONLY, UPDATE_EVERY_EXPIRY, "every-expiry|cnp-only",         \
      "K and K_alpha are computed anew at every expiry, or at CNPs only", "decision `timer_update`")                   \
    F(pause_rule, RCC_RP, RCC_UNIT_CHOICE, 0, PAUSE_REARM_BOTH, PAUSE_REARM, "rearm|step|rearm-both",                  \
      "a rate timer that expires while the class is paused re-arms without a step, or steps, or re-arms as the "       \
      "alpha timer does then",                                                                                         \
      "VI.E, decision `pause_rule`")                                                                                   \
    F(alpha_restart, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes", "a CNP restarts the alpha timer",         \
      "decision `alpha_restart`")                                                                                      \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 256, NULL, "gain of alpha",                         \
      "eq. 14, 23, decision `g`")                                                                                      \
    F(initial_alpha, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, INITIAL_ALPHA, NULL, "alpha before the first CNP",      \
      ALPHA_SOURCE)                                                                                                    \
    F(alpha_order, RCC_RP, RCC_UNIT_CHOICE, 0, ALPHA_BEFORE_CUT, ALPHA_AFTER_CUT, "after-cut|before-cut",              \
      "a CNP raises alpha after it has cut the rate, or before", "eq. 13, 14, decision `alpha_order`")                 \
    F(cut_ratio, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL,                                    \
      "a CNP cuts the rate by this times alpha", "eq. 13, VI.B")                                                       \
    F(f, RCC_RP, RCC_UNIT_COUNT, 1, 100, 5, NULL, "F: stages of fast recovery", "IV.B.3")                              \
    F(hi_after, RCC_RP, RCC_UNIT_COUNT, 1, 100, 4, NULL, "hyper increase begins after this many times F", "eq. 21")    \
    F(phase_boundary, RCC_RP, RCC_UNIT_CHOICE, 0, BOUNDARY_UPPER, BOUNDARY_UPPER, "lower|upper",                       \
      "the phase of S = F and S = 4F", "decision `phase_boundary`")                                                    \
    F(stage_after_cut, RCC_RP, RCC_UNIT_COUNT, 0, 1000, 0, NULL, "S after a cut", "decision `stage_after_cut`")        \
    F(ai_levels, RCC_RP, RCC_UNIT_CHOICE, 0, AI_LEVELS_ONE, AI_LEVELS_ONE, "two|one",                                  \
      "the additive step doubles while alpha is above ai_alpha, or not",                                               \
      "eq. 19; thesis section 4; decision `ai_levels`")                                                                \
    F(ai_alpha, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 10, NULL,                                    \
      "alpha above which the additive step doubles", "eq. 19")                                                         \
    F(ai_flow, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 10, NULL,                                     \
      "additive step as a part of the flow's rate", "eq. 19")                                                          \
    F(ai_line, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL,                                    \
      "bound of the additive step as a part of the line rate", "eq. 19")                                               \
    F(hi_flow, RCC_RP, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100, 100 * RCC_RATIO_ONE, RCC_RATIO_ONE, NULL,                  \
      "hyper step as a part of the flow's rate", "eq. 21")                                                             \
    F(hi_line, RCC_RP, RCC_UNIT_RATIO, 1000, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL,                                 \
      "bound of the hyper step, per stage beyond 4F, as a part of the line rate", "eq. 21, decision `hyper_index`")    \
    F(target_cap, RCC_RP, RCC_UNIT_CHOICE, 0, CAP_NONE, CAP_LINE, "line|none",                                         \
      "the target rate stops at the line rate, or at 64 times it", "decision `target_cap`")                            \
    F(r_min, RCC_RP, RCC_UNIT_RATIO, 1000, RCC_RATIO_ONE, RCC_RATIO_ONE / 10000, NULL,                                 \
      "least rate as a part of the line rate; r_min times flows must stay below 1", "eq. 15, decision `r_min`")        \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_FROZEN, RCC_PACING_FOLLOW, "follow|frozen",                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves", "decision `pacing`")

/* The fields of each algorithm follow these. */
enum
{
    DCQCN_PLUS_FIELDS(RCC_FIELD_INDEX, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) N_PLUS_FIELDS
};

/* ------------------------------------------------------------------ congestion point */

/* The checks name a field of the algorithm's own table. */
static inline bool dcqcn_plus_cp_check(const struct rcc_field *fields, const int64_t *p, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_kmin, p[P_kmax], "kmin is above kmax", error);
}

void rcc_dcqcn_plus_cp_derive(const int64_t *p, const struct rcc_env *env, void *profile);

/* A rcc_cp_ops whose CHECK calls dcqcn_plus_cp_check. */
#define DCQCN_PLUS_CP_OPS(CHECK)                                                                                       \
    {                                                                                                                  \
        .frames = RCC_CP_ECN_CAPABLE, .size = sizeof(struct rcc_red_cp),                                               \
        .profile_size = sizeof(struct rcc_red_profile), .check = CHECK, .derive = rcc_dcqcn_plus_cp_derive,            \
        .start = rcc_red_start                                                                                         \
    }

/* ------------------------------------------------------------------ reaction point */

/* Largest bound of the target rate, 2^-16 bit/s: 264 Tb/s. With another line rate it still fits 64 bits. */
#define CAP_MOST ((uint64_t)15 << 60)

struct rp_profile
{
    struct rcc_profile base;
    uint64_t line, cap, r_min;       /* 2^-16 bit/s */
    uint64_t ai_line[2], ai_flow[2]; /* one and two levels: 2^-16 bit/s, Q62 */
    uint64_t hi_line;                /* 2^-16 bit/s per stage */
    int64_t hi_flow, lambda, lambda_alpha;
    uint64_t keep, g, cut_ratio, ai_alpha, initial_alpha; /* Q62 */
    uint64_t m_bits;                                      /* M in 1e-9 bit: m_bits / rate is ns */
    rcc_time timer, alpha_timer;
    uint64_t delta;            /* cnp_generation of the receivers, ns */
    uint64_t ai_share[2];      /* one and two levels: additive step of all listed flows together, 2^-16 bit/s */
    uint32_t ai_from, hi_from; /* first S of the phase */
    uint32_t hi_zero, stage_after_cut;
    bool by_share; /* the additive step is a part of the fair share, not of the flow's rate */
    bool floor_target;
    bool two_levels, above_50us, cnp_only, rearm, rearm_alpha, alpha_restart, alpha_first;
};

struct plus_rp
{
    struct rcc_rp rp;
    uint64_t target;    /* RT, 2^-16 bit/s */
    uint64_t alpha;     /* Q62 at the last CNP */
    uint64_t decays;    /* expiries of the alpha timer since */
    rcc_time timer_due; /* next expiry of the rate timer */
    rcc_time alpha_due;
    rcc_time k, k_alpha;
    rcc_time tau; /* last period field; 0 = legacy */
    uint32_t stage;
    bool limited;
};

RCC_CHECK_PROFILE(struct rp_profile);
RCC_CHECK_RP(struct plus_rp);
_Static_assert(sizeof(struct plus_rp) <= 128, "struct plus_rp fills two cache lines");

static inline const struct rp_profile *profile_of(const struct plus_rp *d)
{
    return (const struct rp_profile *)d->rp.profile;
}

/*
 * The part of `whole` for one of the l flows of the last period field: whole delta / tau, rounded down,
 * as tau = l delta (eq. 11). Never more than `whole`; tau must not be 0.
 */
static inline uint64_t plus_share_of(const struct plus_rp *d, const struct rp_profile *p, uint64_t whole)
{
    uint64_t tau = (uint64_t)d->tau, delta = p->delta;
    return tau > delta ? whole / tau * delta + whole % tau * delta / tau : whole;
}

/* Initialiser of a rcc_rp_ops for struct rp_profile and struct plus_rp; DERIVE and FEEDBACK are functions of the
 * algorithm. */
#define DCQCN_PLUS_RP_OPS(DERIVE, FEEDBACK)                                                                            \
    {                                                                                                                  \
        .size = sizeof(struct plus_rp), .profile_size = sizeof(struct rp_profile), .derive = DERIVE,                   \
        .start = rcc_dcqcn_plus_rp_start, .advance = rcc_dcqcn_plus_rp_advance, .feedback = FEEDBACK,                  \
        .next_step = rcc_dcqcn_plus_rp_next_step, .observe = rcc_dcqcn_plus_rp_observe, .reads_pauses = true           \
    }

void rcc_dcqcn_plus_rp_derive(const int64_t *p, const struct rcc_env *env, void *profile);
void rcc_dcqcn_plus_rp_start(struct rcc_rp *rp);
void rcc_dcqcn_plus_rp_advance(struct rcc_rp *rp, rcc_time now);
void rcc_dcqcn_plus_rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback);
rcc_time rcc_dcqcn_plus_rp_next_step(const struct rcc_rp *rp);
void rcc_dcqcn_plus_rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state);

/* ------------------------------------------------------------------ notification point (dcqcn_plus_np.c) */

extern const struct rcc_np_ops rcc_dcqcn_plus_np_ops;

#endif /* RCC_DCQCN_PLUS_H */
