/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Interface between the library and its algorithms: the functions of the three
 * roles, and helpers for field tables, checks, rate changes and RED marking. Not
 * part of the public API: hosts call the functions of rcc.h.
 */
#ifndef RCC_ROLES_H
#define RCC_ROLES_H

#include "fixed.h"
#include "pacer.h"
#include "rcc.h"

#define RCC_KB ((int64_t)1000)
#define RCC_MB ((int64_t)1000000)
#define RCC_US ((int64_t)1000)
#define RCC_MS ((int64_t)1000000)
#define RCC_SEC ((int64_t)1000000000)
#define RCC_MBPS ((int64_t)1000000)
#define RCC_GBPS ((int64_t)1000000000)

/* ------------------------------------------------------------------ the functions of the roles */

/* Check that the role's parameters, each in its range, are consistent at this line rate. If not, set *error. */
typedef bool (*rcc_check_fn)(const int64_t *params, const struct rcc_env *env, struct rcc_error *error);

/* Compute a profile from parameters that passed the check. Its first member is a struct rcc_profile, which is already
 * set, with `frozen` false and the needs of the algorithm; the other members are zero. */
typedef void (*rcc_derive_fn)(const int64_t *params, const struct rcc_env *env, void *profile);

/* A function pointer that "may be NULL" is NULL if the algorithm has nothing to do there. */
struct rcc_cp_ops
{
    enum rcc_cp_frames frames;
    size_t size;         /* bytes of the state, which begins with a zeroed struct rcc_cp */
    size_t profile_size; /* bytes of the profile */
    rcc_check_fn check;  /* may be NULL */
    rcc_derive_fn derive;
    /* Set cp->enqueued, cp->dequeued, cp->stamp and the algorithm's own state, which is zero before. */
    void (*start)(struct rcc_cp *cp);
};

struct rcc_np_ops
{
    size_t profile_size;
    rcc_check_fn check; /* may be NULL */
    rcc_derive_fn derive;
    size_t (*size)(uint32_t capacity);                         /* bytes of an NP with space for `capacity` flows */
    void (*start)(struct rcc_np *np);                          /* memory beyond struct rcc_np is zero */
    void (*grow)(struct rcc_np *np, const struct rcc_np *old); /* copy old flows into a larger np */
    void (*close)(struct rcc_np *np, uint32_t flow);
    void (*marked)(struct rcc_np *np, rcc_time now, uint32_t flow);
    rcc_time (*next_due)(const struct rcc_np *np);
    bool (*poll)(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp);
};

struct rcc_rp_ops
{
    size_t
        size; /* bytes of the state, which begins with a struct rcc_rp, or a struct rcc_windowed_rp if it wants one */
    size_t profile_size;
    rcc_check_fn check; /* may be NULL */
    rcc_derive_fn derive;
    /* Set the rate and, if there is one, the window; the algorithm's own state is zero before. */
    void (*start)(struct rcc_rp *rp);
    void (*advance)(struct rcc_rp *rp, rcc_time now); /* apply timers in rp->now..now; may be NULL */
    /* Apply the next timer and all timers that expire before the next packet may leave, and set rp->now to the time of
     * the last one. The result must be the same as that of `advance`, timer by timer. May be NULL. */
    void (*run_ahead)(struct rcc_rp *rp);
    void (*sent)(struct rcc_rp *rp, uint32_t bytes);                          /* at rp->now; may be NULL */
    void (*feedback)(struct rcc_rp *rp, const struct rcc_feedback *feedback); /* at rp->now; may be NULL */
    rcc_time (*next_step)(const struct rcc_rp *rp); /* see rcc_rp_next_step; may be NULL: never */
    /* See rcc_rp_observe; may be NULL. */
    void (*observe)(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state);
    bool reads_pauses;
};

/* Compile-time checks of the sizes in rcc.h. */
#define RCC_CHECK_PROFILE(type)                                                                                        \
    _Static_assert(sizeof(type) <= RCC_PROFILE_SIZE_MAX, #type " is larger than RCC_PROFILE_SIZE_MAX")
#define RCC_CHECK_CP(type)                                                                                             \
    _Static_assert(sizeof(type) <= RCC_CP_SIZE_MAX && offsetof(type, cp) == 0, #type " is no CP's state")
#define RCC_CHECK_NP(type) _Static_assert(offsetof(type, np) == 0, #type " is no NP's state")
#define RCC_CHECK_RP(type)                                                                                             \
    _Static_assert(sizeof(type) <= RCC_RP_SIZE_MAX && offsetof(type, rp) == 0, #type " is no RP's state")
#define RCC_CHECK_FIELDS(count) _Static_assert((count) <= RCC_MAX_FIELDS, "more fields than RCC_MAX_FIELDS")

/* ------------------------------------------------------------------ parameters */

/*
 * An algorithm defines its fields once, as a list F(name, role, unit, min, max,
 * def, choices, help, source) that expands to the indices P_name and to the table.
 */
#define RCC_FIELD_INDEX(name, role, unit, min, max, def, choices, help, source) P_##name,
#define RCC_FIELD_ENTRY(name, role, unit, min, max, def, choices, help, source)                                        \
    {#name, role, unit, min, max, def, choices, help, source},

/* A preset made of an array of {P_name, value}. */
#define RCC_PRESET(preset, sentence, array)                                                                            \
    {                                                                                                                  \
        .name = (preset), .help = (sentence), .values = (array), .n_values = sizeof(array) / sizeof((array)[0])        \
    }

/* Choices of several algorithms, in the order of the names in their fields. */
enum rcc_no_yes
{
    RCC_NO,
    RCC_YES
};

enum rcc_mark_at
{
    RCC_MARK_AT_DEQUEUE,
    RCC_MARK_AT_ENQUEUE
};

enum rcc_pacing
{
    RCC_PACING_FOLLOW,
    RCC_PACING_FROZEN,
    RCC_PACING_LATEST /* windows only */
};

/* For checks: return whether params[index] is at most `most`. If not, set *error, with `message`. */
bool rcc_require_at_most(const struct rcc_field *fields, const int64_t *params, size_t index, int64_t most,
                         const char *message, struct rcc_error *error);

/* ------------------------------------------------------------------ memory */

/* Zero `size` bytes. */
static inline void rcc_clear(void *memory, size_t size)
{
    unsigned char *byte = (unsigned char *)memory;
    for (size_t i = 0; i < size; i++)
        byte[i] = 0;
}

/* ------------------------------------------------------------------ reaction point */

/* Time of the first change of the pause state after t; RCC_NEVER if there is none. */
rcc_time rcc_pause_change_after(const struct rcc_pause_log *log, rcc_time t);

/*
 * One step of RT += increment, RC = (RT + RC) / 2. RT is limited to `cap`, RC to the
 * line rate. Below the cap the difference d = RT - RC follows d' = ceil((d + increment) / 2)
 * for any RT; at the cap it is rounded down, so that RC reaches RT.
 */
static inline uint64_t rcc_rp_halfway(uint64_t rate, uint64_t *target, uint64_t increment, uint64_t cap, uint64_t line)
{
    uint64_t gap;
    *target = increment >= cap - *target ? cap : *target + increment;
    if (*target <= rate) /* the target was cut below the current rate (QCN's target rate reduction) */
        return rate - (rate - *target) / 2;
    gap = *target - rate;
    rate += (gap >> 1) + (*target == cap ? gap & 1u : 0u);
    return rate < line ? rate : line;
}

/* ------------------------------------------------------------------ RED marking (red.c) */

struct rcc_red_profile
{
    struct rcc_profile base;
    uint64_t kmin, kmax; /* bytes */
    uint64_t slope;      /* 2^52 * probability per byte above kmin */
    uint64_t every;      /* mark every n-th frame; 0 = RED. The algorithm may set it after rcc_red_derive. */
    rcc_draw draw;
    enum rcc_mark_at mark_at;
};

struct rcc_red_cp
{
    struct rcc_cp cp;
    uint64_t draws; /* number of random numbers used; with `every`: frames since the last mark */
};

/* p = 0 up to Kmin, pmax (q - Kmin) / (Kmax - Kmin) up to Kmax, 1 above. kmin must not be above kmax. */
void rcc_red_derive(struct rcc_red_profile *profile, const struct rcc_env *env, int64_t kmin, int64_t kmax,
                    int64_t pmax_ppb, enum rcc_mark_at mark_at);

/* The start function of a CP with a struct rcc_red_profile and a struct rcc_red_cp. */
void rcc_red_start(struct rcc_cp *cp);

#endif /* RCC_ROLES_H */
