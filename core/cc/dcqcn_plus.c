/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN+: Y. Gao et al., "DCQCN+: Taming Large-scale Incast Congestion in RDMA
 * over Ethernet Networks", ICNP 2018. Equation numbers are the paper's. Details that
 * it leaves open are parameters; their source names the decision.
 *
 * NP: a circular list of the flows that were marked. One record is checked every
 * cnp_generation; each CNP carries the duration of a round, tau. RP: the timer
 * periods depend on tau and on the flow's rate, the steps on the flow's rate:
 *
 *        CNP: cut, S = 0
 *   .-----------------------.
 *   v                       |
 *   fast recovery --S >= F--> additive --S >= 4F--> hyper increase
 */
#include "dcqcn_plus.h"

/* ------------------------------------------------------------------ parameters */

/* No source states these values: they are those with which the figures of the paper are reproduced best. */
#define IDENTIFIED(DECISION) "identified from ICNP'18's figures, decision `" DECISION "`"

#define FIELDS(F)                                                                                                      \
    DCQCN_PLUS_FIELDS(F, RCC_RATIO_ONE / 2, IDENTIFIED("marking"), 45 * RCC_US, "decision `period_floor`",             \
                      WAKE_AT_ONCE, IDENTIFIED("idle_wake"), 2 * RCC_RATIO_ONE, "eq. 17", 1 * RCC_RATIO_ONE, "eq. 16", \
                      RCC_RATIO_ONE, "decision `initial_alpha`")

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_PLUS_FIELDS);

/* The differences of ParaleonPlus, as far as parameters can express them: its least rate is 1 Mb/s at 40 Gb/s. */
static const struct rcc_preset_value preset_paraleon_plus[] = {{P_pmax, RCC_RATIO_ONE / 100},
                                                               {P_period_floor, 0},
                                                               {P_list_timeout, 200 * RCC_US},
                                                               {P_early_check, EARLY_KEEP},
                                                               {P_idle_wake, WAKE_IN_TURN},
                                                               {P_timer, 50 * RCC_US},
                                                               {P_alpha_timer, 50 * RCC_US},
                                                               {P_timer_update, UPDATE_CNP_ONLY},
                                                               {P_alpha_order, ALPHA_BEFORE_CUT},
                                                               {P_f, 1},
                                                               {P_hi_after, 1},
                                                               {P_ai_levels, AI_LEVELS_TWO},
                                                               {P_r_min, RCC_RATIO_ONE / 40000}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "ICNP 2018; the decision of what it leaves open is the source of a parameter"},
    RCC_PRESET("paraleon-plus", "the reading of a public implementation, ParaleonPlus, approximated",
               preset_paraleon_plus),
    {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

static bool cp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return dcqcn_plus_cp_check(fields, p, error);
}

void rcc_dcqcn_plus_cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    rcc_red_derive((struct rcc_red_profile *)profile, env, p[P_kmin], p[P_kmax], p[P_pmax],
                   (enum rcc_mark_at)p[P_mark_at]);
}

static const struct rcc_cp_ops cp_ops = DCQCN_PLUS_CP_OPS(cp_check);

/* ------------------------------------------------------------------ reaction point */

void rcc_dcqcn_plus_rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct rp_profile *rp = (struct rp_profile *)profile;
    uint64_t line = env->line_rate << RCC_RATE_SHIFT;
    uint32_t f = (uint32_t)p[P_f], hi = f * (uint32_t)p[P_hi_after],
             upper = p[P_phase_boundary] == BOUNDARY_UPPER ? 1 : 0;
    rp->line = line;
    rp->cap = p[P_target_cap] == CAP_LINE ? line : line < CAP_MOST / 64 ? line * 64 : CAP_MOST;
    rp->r_min = rcc_mul_ratio(line, p[P_r_min], line);
    for (int level = 0; level < 2; level++)
    {
        rp->ai_line[level] = rcc_mul_ratio(line, p[P_ai_line] * (level + 1), line);
        rp->ai_flow[level] = rcc_ratio_q62(p[P_ai_flow] * (level + 1));
    }
    rp->hi_line = rcc_mul_ratio(line, p[P_hi_line], line);
    rp->hi_flow = p[P_hi_flow];
    rp->lambda = p[P_lambda];
    rp->lambda_alpha = p[P_lambda_alpha];
    rp->g = rcc_ratio_q62(p[P_g]);
    rp->keep = RCC_Q62_ONE - rp->g;
    rp->cut_ratio = rcc_ratio_q62(p[P_cut_ratio]);
    rp->ai_alpha = rcc_ratio_q62(p[P_ai_alpha]);
    rp->initial_alpha = rcc_ratio_q62(p[P_initial_alpha]);
    rp->m_bits = (uint64_t)p[P_m] * 8u * 1000000000u;
    rp->timer = p[P_timer];
    rp->alpha_timer = p[P_alpha_timer];
    rp->ai_from = f + 1 - upper;
    rp->hi_from = hi + 1 - upper;
    rp->hi_zero = hi;
    rp->stage_after_cut = (uint32_t)p[P_stage_after_cut];
    rp->two_levels = p[P_ai_levels] == AI_LEVELS_TWO;
    rp->above_50us = p[P_timer_rule] == TIMERS_ABOVE_50US;
    rp->cnp_only = p[P_timer_update] == UPDATE_CNP_ONLY;
    rp->rearm = p[P_pause_rule] != PAUSE_STEP;
    rp->rearm_alpha = p[P_pause_rule] == PAUSE_REARM_BOTH;
    rp->alpha_restart = p[P_alpha_restart] == RCC_YES;
    rp->alpha_first = p[P_alpha_order] == ALPHA_BEFORE_CUT;
    rp->base.frozen = p[P_pacing] == RCC_PACING_FROZEN;
}

/* lambda * max(tau, M / R_C), at least `least`. Eq. 16, 17. */
static rcc_time period(const struct plus_rp *d, const struct rp_profile *p, int64_t lambda, rcc_time least)
{
    uint64_t base = p->m_bits / rcc_rp_rate(&d->rp), tau = (uint64_t)d->tau, k; /* r_min is not zero */
    if (base < tau)
        base = tau;
    k = rcc_mul_ratio(base, lambda, (uint64_t)(1000 * RCC_SEC));
    return k > (uint64_t)least ? (rcc_time)k : least;
}

static void set_timers(struct plus_rp *d, const struct rp_profile *p)
{
    if (d->tau == 0) /* a legacy CNP: static DCQCN timers */
    {
        d->k = p->timer;
        d->k_alpha = p->alpha_timer;
    }
    else if (!p->above_50us || d->tau > 50 * RCC_US)
    {
        d->k = period(d, p, p->lambda, p->timer);
        d->k_alpha = period(d, p, p->lambda_alpha, p->alpha_timer);
    }
}

static uint64_t alpha_now(const struct plus_rp *d, const struct rp_profile *p)
{
    return rcc_mul_q62(d->alpha, rcc_pow_q62(p->keep, d->decays)); /* eq. 23, `decays` times */
}

void rcc_dcqcn_plus_rp_start(struct rcc_rp *rp)
{
    struct plus_rp *d = (struct plus_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    rp->rate = d->target = p->line;
    d->alpha = p->initial_alpha;
    d->k = p->timer;
    d->k_alpha = p->alpha_timer;
}

static uint64_t increment(const struct plus_rp *d, const struct rp_profile *p)
{
    uint64_t flow, line;
    if (d->stage < p->ai_from)
        return 0; /* fast recovery, eq. 18 */
    if (d->stage < p->hi_from)
    {
        int level = p->two_levels && alpha_now(d, p) > p->ai_alpha ? 1 : 0; /* eq. 19 */
        flow = p->by_share && d->tau != 0 ? plus_share_of(d, p, p->ai_share[level])
                                          : rcc_mul_q62(d->rp.rate, p->ai_flow[level]);
        line = p->ai_line[level];
    }
    else
    {
        uint64_t beyond = d->stage > p->hi_zero ? d->stage - p->hi_zero : 0; /* eq. 21 */
        flow = rcc_mul_ratio(d->rp.rate, p->hi_flow, p->cap);
        line = beyond > p->cap / p->hi_line ? p->cap : beyond * p->hi_line;
    }
    return flow < line ? flow : line;
}

/* True if timers change only counters, neither rate nor target. */
static bool at_line(const struct plus_rp *d, const struct rp_profile *p)
{
    return d->rp.rate == p->line && d->target == p->cap;
}

static bool paused(const struct plus_rp *d, rcc_time t)
{
    return d->rp.pause != NULL && rcc_pause_log_at(d->rp.pause, t);
}

/* K or K_alpha after an expiry: computed again, or the value of the last CNP. */
static rcc_time renewed(const struct plus_rp *d, const struct rp_profile *p, rcc_time k, int64_t lambda, rcc_time least)
{
    bool fixed = p->cnp_only || d->tau == 0 || (p->above_50us && d->tau <= 50 * RCC_US);
    return fixed ? k : period(d, p, lambda, least);
}

static void timer_expired(struct plus_rp *d, const struct rp_profile *p)
{
    rcc_time t = d->timer_due;
    if (!p->rearm || at_line(d, p) || !paused(d, t))
    {
        d->stage = rcc_stage_add(d->stage, 1);
        rcc_rp_set_rate(&d->rp, t, rcc_rp_halfway(d->rp.rate, &d->target, increment(d, p), p->cap, p->line));
    }
    d->k = renewed(d, p, d->k, p->lambda, p->timer);
    d->timer_due += d->k;
}

/* Apply the alpha timer's expiries up to `until`, which is not after the next change of the rate: K_alpha is constant.
 */
static void alpha_expired(struct plus_rp *d, const struct rp_profile *p, rcc_time until)
{
    uint64_t n;
    const bool waits = p->rearm_alpha && paused(d, d->alpha_due);
    d->k_alpha = renewed(d, p, d->k_alpha, p->lambda_alpha, p->alpha_timer);
    if (p->rearm_alpha && d->rp.pause != NULL) /* only up to the next change of the pause state */
    {
        const rcc_time change = rcc_pause_change_after(d->rp.pause, d->alpha_due);
        until = change <= until ? change - 1 : until;
    }
    n = (uint64_t)((until - d->alpha_due) / d->k_alpha) + 1;
    d->decays += waits ? 0 : n;
    d->alpha_due += (rcc_time)n * d->k_alpha;
}

/* At line rate the rate timer only counts: skip its expiries up to `now`. */
static void leap(struct plus_rp *d, const struct rp_profile *p, rcc_time now)
{
    if (d->timer_due <= now && d->k == renewed(d, p, d->k, p->lambda, p->timer))
    {
        uint64_t n = (uint64_t)((now - d->timer_due) / d->k);
        d->stage = rcc_stage_add(d->stage, n);
        d->timer_due += (rcc_time)n * d->k;
    }
}

void rcc_dcqcn_plus_rp_advance(struct rcc_rp *rp, rcc_time now)
{
    struct plus_rp *d = (struct plus_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    if (!d->limited)
        return;
    while (d->alpha_due <= now || d->timer_due <= now)
    {
        if (at_line(d, p))
            leap(d, p, now);
        if (d->alpha_due <= d->timer_due)
            alpha_expired(d, p, d->timer_due < now ? d->timer_due : now);
        else
            timer_expired(d, p);
    }
}

void rcc_dcqcn_plus_rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct plus_rp *d = (struct plus_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    uint64_t alpha, rate;
    if (feedback->kind != RCC_FEEDBACK_CNP)
        return;
    alpha = alpha_now(d, p);
    d->alpha = rcc_mul_q62(alpha, p->keep) + p->g; /* eq. 14 */
    if (p->alpha_first)
        alpha = d->alpha;
    d->target = rp->rate;                                                      /* eq. 12 */
    rate = rp->rate - rcc_mul_q62(rp->rate, rcc_mul_q62(alpha, p->cut_ratio)); /* eq. 13 */
    if (rate < p->r_min)
        rate = p->r_min; /* eq. 15 */
    rcc_rp_set_rate(rp, rp->now, rate);
    d->decays = 0;
    d->stage = p->stage_after_cut;
    d->tau = (rcc_time)feedback->period_ns;
    set_timers(d, p);
    d->timer_due = rp->now + d->k;
    if (p->alpha_restart || !d->limited)
        d->alpha_due = rp->now + d->k_alpha;
    d->limited = true;
}

rcc_time rcc_dcqcn_plus_rp_next_step(const struct rcc_rp *rp)
{
    const struct plus_rp *d = (const struct plus_rp *)rp;
    return d->limited && !at_line(d, profile_of(d)) ? d->timer_due : RCC_NEVER;
}

void rcc_dcqcn_plus_rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct plus_rp *d = (const struct plus_rp *)rp;
    *target = d->target;
    *alpha = alpha_now(d, profile_of(d)) >> 30;
    *state = d->stage;
}

static const struct rcc_rp_ops rp_ops = DCQCN_PLUS_RP_OPS(rcc_dcqcn_plus_rp_derive, rcc_dcqcn_plus_rp_feedback);

const struct rcc_algorithm rcc_algorithm_dcqcn_plus = {.name = "dcqcn-plus",
                                                       .title = "DCQCN+",
                                                       .source = "Gao et al., ICNP 2018",
                                                       .fields = fields,
                                                       .n_fields = N_PLUS_FIELDS,
                                                       .presets = presets,
                                                       .cp = &cp_ops,
                                                       .np = &rcc_dcqcn_plus_np_ops,
                                                       .rp = &rp_ops};
