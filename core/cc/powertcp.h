/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Common parts of PowerTCP and theta-PowerTCP: parameters, state, and the step of the window. Gamma, the averaged
 * power, carries 40 binary digits below one; it is negative only if theta-PowerTCP has no floor.
 */
#ifndef RCC_POWERTCP_H
#define RCC_POWERTCP_H

#include "windowed.h"

#define POWER_FIELDS(F, TARGET_MIN, TARGET_MAX, TARGET_HELP, TARGET_SOURCE)                                            \
    F(gamma, RCC_RP, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100, RCC_RATIO_ONE, 9 * RCC_RATIO_ONE / 10, NULL,                 \
      "weight of the newest window", "NSDI'22; ns3-datacenter: 0.9, theta 0.7")                                        \
    F(beta, RCC_RP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 0, NULL, "additive increase; 0: C T / n",                        \
      "NSDI'22: C T over the flows of a NIC")                                                                          \
    F(n, RCC_RP, RCC_UNIT_COUNT, 1, 1000000, 167, NULL, "flows that a NIC is expected to have, if beta is 0",          \
      "ns3-datacenter: 150 Mb/s at 25 Gb/s; the paper names no number")                                                \
    F(target, RCC_RP, RCC_UNIT_RATIO, TARGET_MIN, TARGET_MAX, RCC_RATIO_ONE, NULL, TARGET_HELP, TARGET_SOURCE)         \
    F(floor, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL,                                        \
      "least current, as a share of the line rate; 0: none", "ns3-datacenter; the paper has none; decision `floor`")   \
    F(keeps, RCC_RP, RCC_UNIT_CHOICE, 0, POWER_KEEPS_OLD, POWER_KEEPS_WINDOW, "window|old",                            \
      "what 1 - gamma weighs: the window, or that of the last round",                                                  \
      "NSDI'22 algorithm 1: window; ns3-datacenter: "                                                                  \
      "old")                                                                                                           \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL, "least rate: W_min = r_min T",         \
      "ns3-datacenter, key MIN_RATE; the paper has none")                                                              \
    WINDOWED_FIELDS(F, WINDOWED_FITS, RCC_PACING_FOLLOW, "decision `pacing`")

enum
{
    POWER_KEEPS_WINDOW,
    POWER_KEEPS_OLD
};

#define POWER_SHIFT 40
#define POWER_ONE ((int64_t)1 << POWER_SHIFT)
/* Largest current and power, far beyond a path's: 2^20. */
#define POWER_MAX (POWER_ONE << 20)

/* The fields of each algorithm follow these. */
enum
{
    POWER_FIELDS(RCC_FIELD_INDEX, 0, 0, 0, 0) N_POWER_FIELDS
};

struct power_profile
{
    struct windowed_profile w;
    uint64_t gamma, target; /* Q62; theta: 1 / target */
    uint64_t beta, w_min;   /* 2^-24 byte */
    uint64_t inverse;       /* 1 / T, Q62 */
    int64_t floor;          /* 2^-POWER_SHIFT; 0: none */
    bool keeps_old;
    bool each_ack;  /* theta alone: W is set on every ACK */
    bool least_rtt; /* theta alone: T of the power is the least RTT seen */
};

struct power_rp
{
    struct rcc_windowed_rp rp;
    uint64_t w, old; /* W and W_old, 2^-24 byte */
    uint64_t last;   /* the round ends with an ACK beyond this byte */
    int64_t power;   /* Gamma, 2^-POWER_SHIFT */
};

RCC_CHECK_PROFILE(struct power_profile);
RCC_CHECK_RP(struct power_rp);

static inline const struct power_profile *power_profile_of(const struct power_rp *t)
{
    return (const struct power_profile *)(const void *)t->rp.rp.profile;
}

static inline bool power_check(const struct rcc_field *fields, const int64_t *p, const struct rcc_env *env,
                               struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)windowed_line(env), "r_min is above the line rate", error);
}

static inline void power_derive(const int64_t *p, const struct rcc_env *env, struct power_profile *t)
{
    windowed_derive(&p[P_base_rtt], env, &t->w);
    t->gamma = rcc_ratio_q62(p[P_gamma]);
    t->target = rcc_ratio_q62(p[P_target]);
    t->beta = p[P_beta] != 0 ? (uint64_t)p[P_beta] << WINDOWED_SHIFT : t->w.bdp / (uint64_t)p[P_n];
    t->w_min = windowed_bytes(&t->w, (uint64_t)p[P_r_min]);
    t->inverse = RCC_Q62_ONE / (uint64_t)t->w.rtt;
    t->floor = (int64_t)(rcc_ratio_q62(p[P_floor]) >> (62 - POWER_SHIFT));
    t->keeps_old = p[P_keeps] == POWER_KEEPS_OLD;
}

static inline void power_start(struct rcc_rp *rp)
{
    struct power_rp *t = (struct power_rp *)rp;
    const struct power_profile *p = power_profile_of(t);
    rp->rate = p->w.line;
    t->w = t->old = p->w.bdp;
    t->power = POWER_ONE;
    windowed_show(&t->rp, &p->w, t->w);
}

/* min(dt, T) / T, Q62. */
static inline uint64_t power_weight(const struct power_profile *p, uint64_t dt)
{
    return dt < (uint64_t)p->w.rtt ? dt * p->inverse : RCC_Q62_ONE;
}

/* P6: Gamma += (power - Gamma) weight. */
static inline void power_average(struct power_rp *t, int64_t power, uint64_t weight)
{
    if (power > t->power)
        t->power += (int64_t)rcc_mul_q62((uint64_t)(power - t->power), weight);
    else
        t->power -= (int64_t)rcc_mul_q62((uint64_t)(t->power - power), weight);
}

/* P7, with W_old / Gamma in place of the whole if `target` is for the RTT. W stays in W_min..C T. */
static inline void power_step(struct power_rp *t, const struct power_profile *p, uint64_t old)
{
    const uint64_t keep = p->keeps_old ? t->old : t->w, most = (uint64_t)1 << 62;
    uint64_t w = p->w_min;
    if (t->power > 0)
    {
        w = rcc_mul_div(old, (uint64_t)POWER_ONE, (uint64_t)t->power);
        w = rcc_mul_q62((w < most ? w : most) + p->beta, p->gamma) + rcc_mul_q62(keep, RCC_Q62_ONE - p->gamma);
        w = w < p->w.bdp ? w : p->w.bdp;
        w = w > p->w_min ? w : p->w_min;
    }
    t->w = w;
    windowed_show(&t->rp, &p->w, w);
    rcc_rp_set_rate(&t->rp.rp, t->rp.rp.now, windowed_rate(&p->w, w));
}

/* A round ends. */
static inline void power_remember(struct power_rp *t, const struct rcc_feedback *f)
{
    t->old = t->w;
    t->last = f->next > t->last ? f->next : t->last;
}

/* The target is the rate of W_old, alpha Gamma limited to 0..1, and the state word Gamma in thousandths. */
static inline void power_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct power_rp *t = (const struct power_rp *)rp;
    const uint64_t power = t->power > 0 ? (uint64_t)t->power >> (POWER_SHIFT - 32) : 0;
    *target = windowed_rate(&power_profile_of(t)->w, t->old);
    *alpha = power < (uint64_t)1 << 32 ? power : (uint64_t)1 << 32;
    *state = (uint32_t)rcc_mul_shift(power, 1000, 32);
}

#endif /* RCC_POWERTCP_H */
