/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Common parts of TIMELY and patched TIMELY: parameters, RTT samples, the gradient,
 * and the steps outside T_low..T_high. The control laws in between differ.
 *
 * Sources, as the field tables name them: "EoD" is Zhu et al., "ECN or Delay",
 * CoNEXT 2016, section 4; "TIMELY" is Mittal et al., SIGCOMM 2015; "snippet" is
 * the rate computation that TIMELY's authors published. Statements about the TIMELY
 * paper are quotations of EoD, or marked "not verified".
 *
 * Numbers: times are ns below 2^36 (a longer RTT is read as 68 s), the averaged
 * RTT difference carries 24 binary digits below 1 ns and a sign, fractions are Q62.
 */
#ifndef RCC_TIMELY_COMMON_H
#define RCC_TIMELY_COMMON_H

#include "roles.h"

#define TIMELY_FIELDS(F, BETA, BETA_SOURCE, SEGMENT, SEGMENT_SOURCE)                                                   \
    F(delta, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 10 * RCC_MBPS, NULL, "additive increase step",               \
      "EoD section 4, after TIMELY; snippet")                                                                          \
    F(beta, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, BETA, NULL, "multiplicative decrease factor", BETA_SOURCE)       \
    F(ewma, RCC_RP, RCC_UNIT_RATIO, 1000, RCC_RATIO_ONE, 875 * RCC_RATIO_ONE / 1000, NULL,                             \
      "weight of the newest RTT difference in the gradient", "EoD section 4, after TIMELY; snippet: 0.02")             \
    F(t_low, RCC_RP, RCC_UNIT_NS, 1, 10 * RCC_SEC, 50 * RCC_US, NULL, "an RTT below only increases the rate",          \
      "EoD section 4, after TIMELY; snippet")                                                                          \
    F(t_high, RCC_RP, RCC_UNIT_NS, 1, 10 * RCC_SEC, 500 * RCC_US, NULL, "an RTT above always decreases the rate",      \
      "EoD section 4, after TIMELY; snippet: 1 ms")                                                                    \
    F(min_rtt, RCC_RP, RCC_UNIT_NS, 100, RCC_SEC, 20 * RCC_US, NULL,                                                   \
      "D_minRTT: normalises the gradient, and updates that are closer weigh less", "EoD section 4, after TIMELY")      \
    F(base_rtt, RCC_RP, RCC_UNIT_NS, 0, 10 * RCC_SEC, 0, NULL,                                                         \
      "subtracted from a measured RTT; 0: thresholds are for the whole RTT, as in the algorithm; the path's own RTT: " \
      "for the queueing delay, as in EoD's fluid model",                                                               \
      "EoD algorithm 2, eq. for dR/dt; decision `base_rtt`")                                                           \
    F(segment, RCC_RP, RCC_UNIT_BYTES, 1, 1000 * RCC_MB, SEGMENT, NULL,                                                \
      "acknowledged bytes per completion event; its last acknowledgement is the RTT sample", SEGMENT_SOURCE)           \
    F(update_scaling, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                          \
      "an update within min_rtt of the last one takes that fraction of a step", "EoD eq. for tau*; snippet")           \
    F(initial_rate, RCC_RP, RCC_UNIT_RATIO, 1, RCC_RATIO_ONE, RCC_RATIO_ONE, NULL,                                     \
      "first rate as a share of the line rate; the paper's is 1/(n+1) with n flows active at the sender",              \
      "EoD section 4, after TIMELY; decision `initial_rate`")                                                          \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 1 * RCC_MBPS, NULL, "least rate",                            \
      "decision `r_min`; snippet: optional")                                                                           \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_FROZEN, RCC_PACING_FOLLOW, "follow|frozen",                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves", "decision `pacing`")

/* The fields of each algorithm follow these. */
enum
{
    TIMELY_FIELDS(RCC_FIELD_INDEX, 0, 0, 0, 0) N_TIMELY_FIELDS
};

#define TIMELY_RTT_MAX (((rcc_time)1 << 36) - 1)
#define TIMELY_DIFF_SHIFT 24
#define TIMELY_DIFF_ONE ((int64_t)1 << TIMELY_DIFF_SHIFT)

struct timely_profile
{
    struct rcc_profile base;
    uint64_t line, r_min, initial, delta; /* 2^-16 bit/s */
    uint64_t beta, ewma;                  /* Q62 */
    uint64_t segment;
    uint64_t max_cut; /* Q62: TIMELY alone */
    rcc_time t_low, t_high, min_rtt, base_rtt;
    uint32_t hai_after, hai; /* TIMELY alone */
    bool scaled;
    bool hpcc; /* TIMELY alone: the rules of the HPCC paper's simulator */
};

struct timely_rp
{
    struct rcc_rp rp;
    uint64_t acked;      /* bytes since the last completion event */
    rcc_time rtt;        /* the last sample, < 0 before the first one */
    int64_t diff;        /* averaged RTT difference, 2^-24 ns */
    rcc_time updated_at; /* time of the last completion event */
    uint32_t falling;    /* completion events in a row with gradient <= 0 */
    uint32_t spare;
};

RCC_CHECK_PROFILE(struct timely_profile);
RCC_CHECK_RP(struct timely_rp);

static inline const struct timely_profile *timely_profile_of(const struct timely_rp *t)
{
    return (const struct timely_profile *)t->rp.profile;
}

/* The common fields come first in both tables. */
static inline bool timely_check(const struct rcc_field *fields, const int64_t *p, const struct rcc_env *env,
                                struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)env->line_rate, "r_min is above the line rate", error) &&
           rcc_require_at_most(fields, p, P_t_low, p[P_t_high], "t_low is above t_high", error);
}

static inline void timely_derive(const int64_t *p, const struct rcc_env *env, struct timely_profile *t)
{
    t->line = env->line_rate << RCC_RATE_SHIFT;
    t->r_min = (uint64_t)p[P_r_min] << RCC_RATE_SHIFT;
    t->initial = rcc_mul_ratio(t->line, p[P_initial_rate], t->line);
    if (t->initial < t->r_min)
        t->initial = t->r_min;
    t->delta = (uint64_t)p[P_delta] << RCC_RATE_SHIFT;
    t->beta = rcc_ratio_q62(p[P_beta]);
    t->ewma = rcc_ratio_q62(p[P_ewma]);
    t->segment = (uint64_t)p[P_segment];
    t->t_low = p[P_t_low];
    t->t_high = p[P_t_high];
    t->min_rtt = p[P_min_rtt];
    t->base_rtt = p[P_base_rtt];
    t->scaled = p[P_update_scaling] == RCC_YES;
    t->base.frozen = p[P_pacing] == RCC_PACING_FROZEN;
}

/* a / b in Q62; a < b < 2^56. */
static inline uint64_t timely_fraction(uint64_t a, uint64_t b)
{
    uint64_t q = 0;
    for (unsigned left = 62, bits; left != 0; left -= bits)
    {
        bits = left < 8 ? left : 8;
        a <<= bits;
        q = (q << bits) | (a / b);
        a %= b;
    }
    return q;
}

/* c * a / b for a fraction c in Q62, at most 1; b < 2^56. */
static inline uint64_t timely_part(uint64_t c, uint64_t a, uint64_t b)
{
    uint64_t whole = a / b, part;
    if (whole != 0 && c > RCC_Q62_ONE / whole)
        return RCC_Q62_ONE;
    part = c * whole + rcc_mul_q62(c, timely_fraction(a % b, b));
    return part < RCC_Q62_ONE ? part : RCC_Q62_ONE;
}

/* x * weight rounded up, never above x, so that the average of equal samples reaches their value. */
static inline int64_t timely_weighted(uint64_t x, uint64_t weight)
{
    return (int64_t)(x - rcc_mul_q62(x, RCC_Q62_ONE - weight));
}

/* |gradient| times timely_gradient_one(). */
static inline uint64_t timely_steepness(const struct timely_rp *t)
{
    return (uint64_t)(t->diff < 0 ? -t->diff : t->diff);
}

static inline uint64_t timely_gradient_one(const struct timely_profile *p)
{
    return (uint64_t)p->min_rtt << TIMELY_DIFF_SHIFT;
}

/* The rate changes only on completion events: there are no timers, and bytes are counted when acknowledged. */
static inline void timely_start(struct rcc_rp *rp)
{
    struct timely_rp *t = (struct timely_rp *)rp;
    rp->rate = timely_profile_of(t)->initial;
    t->rtt = -1;
    t->updated_at = rp->now;
}

/* HPCC simulator: true for the acknowledgement of the first packet that was sent after the last completion event. */
static inline bool timely_round_trip(const struct timely_rp *t, const struct rcc_feedback *feedback)
{
    return t->rtt < 0 || t->rp.now - feedback->rtt >= t->updated_at;
}

/*
 * Process an acknowledgement. Returns true if it completes a segment and carries an
 * RTT. Then t->rtt and t->diff are updated (lines 1-4 of the algorithm), and *step is
 * the part of a full step that this event takes, Q62.
 */
static inline bool timely_complete(struct timely_rp *t, const struct timely_profile *p,
                                   const struct rcc_feedback *feedback, uint64_t *step)
{
    rcc_time rtt = feedback->rtt, since;
    int64_t change;
    if (feedback->kind != RCC_FEEDBACK_ACK)
        return false;
    t->acked = feedback->acked < UINT64_MAX - t->acked ? t->acked + feedback->acked : UINT64_MAX;
    if (rtt < 0 || (p->hpcc ? !timely_round_trip(t, feedback) : t->acked < p->segment))
        return false;
    t->acked %= p->segment;

    rtt = rtt > p->base_rtt ? rtt - p->base_rtt : 0;
    rtt = rtt < TIMELY_RTT_MAX ? rtt : TIMELY_RTT_MAX;
    change = t->rtt < 0 ? 0 : (rtt - t->rtt) * TIMELY_DIFF_ONE;
    t->rtt = rtt;
    change -= t->diff; /* diff = (1 - ewma) diff + ewma change */
    if (change < 0)
        t->diff -= timely_weighted((uint64_t)-change, p->ewma);
    else
        t->diff += timely_weighted((uint64_t)change, p->ewma);

    since = t->rp.now - t->updated_at;
    t->updated_at = t->rp.now;
    *step = RCC_Q62_ONE;
    if (p->scaled && since < p->min_rtt)
        *step = timely_fraction((uint64_t)since, (uint64_t)p->min_rtt);
    return true;
}

/* rate + times * delta, at most the line rate. */
static inline uint64_t timely_increase(const struct timely_rp *t, const struct timely_profile *p, uint64_t step,
                                       uint32_t times)
{
    uint64_t delta = rcc_mul_q62(p->delta, step), space = p->line - t->rp.rate;
    return delta > space / times ? p->line : t->rp.rate + delta * times;
}

/* Relative decrease for an RTT above T_high: beta (1 - T_high / RTT), Q62. */
static inline uint64_t timely_high_cut(const struct timely_rp *t, const struct timely_profile *p, uint64_t step)
{
    return timely_part(rcc_mul_q62(p->beta, step), (uint64_t)(t->rtt - p->t_high), (uint64_t)t->rtt);
}

/* rate * (1 - cut). */
static inline uint64_t timely_decrease(const struct timely_rp *t, uint64_t cut)
{
    return t->rp.rate - rcc_mul_q62(t->rp.rate, cut);
}

static inline void timely_set(struct timely_rp *t, const struct timely_profile *p, uint64_t rate)
{
    rate = rate < p->line ? rate : p->line;
    rcc_rp_set_rate(&t->rp, t->rp.now, rate > p->r_min ? rate : p->r_min);
}

#endif /* RCC_TIMELY_COMMON_H */
