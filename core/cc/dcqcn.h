/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * State and functions of DCQCN (dcqcn.c), which the algorithms beside it extend: dcqcn_nic.c adds the settings of
 * NICs, dcqcn_hpcc.c is the DCQCN of the HPCC paper's simulator.
 */
#ifndef RCC_DCQCN_H
#define RCC_DCQCN_H

#include "roles.h"

/* ------------------------------------------------------------------ notification point */

#define DCQCN_NP_NONE UINT32_MAX

enum dcqcn_np_where
{
    DCQCN_NP_IDLE,
    DCQCN_NP_READY, /* has a CNP due */
    DCQCN_NP_WINDOW /* had a CNP less than an interval ago */
};

struct dcqcn_np_flow
{
    rcc_time end; /* ready: when it became ready; window: when the interval ends */
    uint32_t prev, next;
    uint32_t where;
    uint32_t marked; /* window: 1 if marked since the CNP */
};

struct dcqcn_np_list
{
    uint32_t head, tail;
};

/* All intervals have the same length, so the window list is ordered by their ends. */
struct dcqcn_np
{
    struct rcc_np np;
    rcc_time generator_free; /* dcqcn_nic.c: no CNP leaves before */
    struct dcqcn_np_list ready, window;
    uint32_t first_marked; /* first marked flow of the window list: those before it need no CNP */
    uint32_t spare;
};

struct dcqcn_np_profile
{
    struct rcc_profile base;
    rcc_time interval;
};

/* The flows of a notification point, which follow its state. */
static inline struct dcqcn_np_flow *rcc_dcqcn_np_flows(const struct dcqcn_np *np)
{
    return (struct dcqcn_np_flow *)(uintptr_t)(const void *)(np + 1);
}

size_t rcc_dcqcn_np_size(uint32_t capacity);
void rcc_dcqcn_np_start(struct rcc_np *np);
void rcc_dcqcn_np_grow(struct rcc_np *np, const struct rcc_np *old);
void rcc_dcqcn_np_close(struct rcc_np *np, uint32_t flow);
void rcc_dcqcn_np_marked(struct rcc_np *np, rcc_time now, uint32_t flow);
rcc_time rcc_dcqcn_np_next_due(const struct rcc_np *np);
bool rcc_dcqcn_np_poll(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp);

/* A rcc_np_ops with a PROFILE that begins with a struct dcqcn_np_profile. */
#define DCQCN_NP_OPS(PROFILE, DERIVE, MARKED, NEXT_DUE, POLL)                                                          \
    {                                                                                                                  \
        .profile_size = sizeof(PROFILE), .derive = DERIVE, .size = rcc_dcqcn_np_size, .start = rcc_dcqcn_np_start,     \
        .grow = rcc_dcqcn_np_grow, .close = rcc_dcqcn_np_close, .marked = MARKED, .next_due = NEXT_DUE, .poll = POLL   \
    }

/* With a limit of all CNPs of a NIC (dcqcn_nic.c). */
struct dcqcn_nic_np_profile
{
    struct dcqcn_np_profile base;
    rcc_time generation; /* least time between two CNPs of the NIC */
    bool next_mark;      /* a mark in the interval after a CNP has no effect */
    bool last;           /* the last mark that finds the generator busy has the next CNP */
};

void rcc_dcqcn_nic_np_marked(struct rcc_np *np, rcc_time now, uint32_t flow);
rcc_time rcc_dcqcn_nic_np_next_due(const struct rcc_np *np);
bool rcc_dcqcn_nic_np_poll(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp);

/* End the intervals up to `now`: their flows become ready if they were marked, and idle if not. */
void rcc_dcqcn_np_advance(struct dcqcn_np *np, rcc_time now);

/* ------------------------------------------------------------------ reaction point */

/* The parameters of a reaction point, in the units of their fields. */
struct dcqcn_rp_params
{
    int64_t timer, byte_counter, alpha_timer, g, f, r_ai, r_hai, r_min;
};

/* These parameters in the P_ indices of a file. */
#define DCQCN_RP_PARAMS(p)                                                                                             \
    {                                                                                                                  \
        (p)[P_timer], (p)[P_byte_counter], (p)[P_alpha_timer], (p)[P_g], (p)[P_f], (p)[P_r_ai], (p)[P_r_hai],          \
            (p)[P_r_min]                                                                                               \
    }

enum
{
    DCQCN_DECAYS = 64 /* powers of 1 - g in the table; usually a CNP arrives within fewer periods */
};

struct dcqcn_profile
{
    struct rcc_profile base;
    uint64_t line, r_min, r_ai, r_hai; /* 2^-16 bit/s */
    uint64_t g, keep;                  /* g and 1 - g, Q62 */
    uint64_t byte_counter;             /* B in bytes; 0 = timer only */
    rcc_time timer, alpha_timer;
    uint64_t timer_inverse, alpha_inverse; /* see rcc_periods */
    uint32_t f;
    uint32_t i_max;               /* bound of i in eq. 8: none in the paper, 1 where hyper increase is constant */
    bool ramps;                   /* the gap follows the rate, and a period of the timer at line rate fits 63 bits */
    uint64_t decay[DCQCN_DECAYS]; /* powers of `keep`: alpha after so many periods without a CNP */
};

struct dcqcn_rp
{
    struct rcc_rp rp;
    uint64_t target;   /* RT, 2^-16 bit/s */
    uint64_t alpha;    /* Q62, valid for alpha_at */
    rcc_time alpha_at; /* start of the current period of the alpha timer */
    rcc_time timer_at; /* start of the current period of the rate timer */
    uint64_t bytes;    /* sent in the current period of the byte counter */
    uint32_t time_stage, byte_stage;
    bool notified; /* a CNP was received: alpha decays */
    bool limited;  /* the limiter and its timers are active */
};

static inline const struct dcqcn_profile *rcc_dcqcn_profile(const struct dcqcn_rp *d)
{
    return (const struct dcqcn_profile *)(const void *)d->rp.profile;
}

/* Derive a profile whose base is set, with `frozen`. */
void rcc_dcqcn_rp_derive(struct dcqcn_profile *rp, const struct rcc_env *env, struct dcqcn_rp_params p);
void rcc_dcqcn_rp_start(struct rcc_rp *rp);
void rcc_dcqcn_rp_advance(struct rcc_rp *rp, rcc_time now);
void rcc_dcqcn_rp_run_ahead(struct rcc_rp *rp);
void rcc_dcqcn_rp_sent(struct rcc_rp *rp, uint32_t bytes);
rcc_time rcc_dcqcn_rp_next_step(const struct rcc_rp *rp);
void rcc_dcqcn_rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state);

/* Apply the periods of the alpha timer up to t, eq. 10. */
void rcc_dcqcn_run_alpha(struct dcqcn_rp *d, rcc_time t);

/* Increment of RT in these stages of timer and byte counter, eq. 5, 6, 8. */
uint64_t rcc_dcqcn_increment(const struct dcqcn_profile *p, uint32_t ts, uint32_t byte_stage);

/* Apply one expiry of the rate timer, or `times` of them if they change neither RT nor RC. */
void rcc_dcqcn_timer_expired(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t times);

/* Set the rate to `rate`, but not below R_min, and begin fast recovery at t. */
void rcc_dcqcn_cut_to(struct dcqcn_rp *d, rcc_time t, uint64_t rate);

/* ------------------------------------------------------------------ the algorithms beside it */

extern const struct rcc_algorithm rcc_algorithm_dcqcn_nic, rcc_algorithm_dcqcn_hpcc;

#endif /* RCC_DCQCN_H */
