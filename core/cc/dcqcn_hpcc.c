/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The DCQCN of the simulator of the HPCC paper (Y. Li et al., SIGCOMM 2019): an algorithm beside dcqcn.c, whose alpha,
 * rate timer and rate limiter it has. What differs:
 *
 *   signal  an ACK that echoes CE takes the place of a CNP; the notification point sends none
 *   cut     a signal only sets a flag. A periodic timer, which starts with the first signal, consumes it and cuts
 *   alpha   the same for alpha: a second timer raises alpha if there was a signal, and lets it decay if not
 *   RT      a cut sets RT only if the rate has increased since the last one (clamp_target=no)
 *   rate    increases by the timer alone, and hyper increase by the same step each time
 */
#include "dcqcn.h"

/* ------------------------------------------------------------------ parameters */

/* config.txt of the HPCC simulator; KMIN, KMAX and PMAX are those of its map at 100 Gb/s. It counts stages from 0, so F
 * is one more here. */
#define SOURCE "HPCC simulator, config.txt"

#define FIELDS(F)                                                                                                      \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 400 * RCC_KB, NULL, "queue below which nothing is marked",       \
      SOURCE ", KMIN_MAP")                                                                                             \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 1600 * RCC_KB, NULL, "queue above which everything is marked",   \
      SOURCE ", KMAX_MAP")                                                                                             \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 5, NULL, "marking probability at kmax",          \
      SOURCE ", PMAX_MAP")                                                                                             \
    F(timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 900 * RCC_US, NULL, "period of the rate increase timer",   \
      SOURCE ", RP_TIMER")                                                                                             \
    F(alpha_timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 1 * RCC_US, NULL,                                    \
      "alpha rises once per this time with a signal, and decays in one without", SOURCE ", ALPHA_RESUME_INTERVAL")     \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 256, NULL, "gain of alpha", SOURCE ", EWMA_GAIN")   \
    F(rate_reduce_period, RCC_RP, RCC_UNIT_NS, 0, RCC_SEC, 4 * RCC_US, NULL,                                           \
      "a signal cuts at the next multiple of this time since the first one; 0 = at once",                              \
      SOURCE ", RATE_DECREASE_INTERVAL")                                                                               \
    F(clamp_target, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_NO, "no|yes",                                             \
      "every cut sets the target rate, also when the rate has not increased since the last one",                       \
      SOURCE ", CLAMP_TARGET_RATE")                                                                                    \
    F(f, RCC_RP, RCC_UNIT_COUNT, 1, 1000, 2, NULL, "stages of fast recovery",                                          \
      SOURCE ", FAST_RECOVERY_TIMES counted from stage 0")                                                             \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 50 * RCC_MBPS, NULL, "additive increase step",                   \
      SOURCE ", RATE_AI")                                                                                              \
    F(r_hai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL, "hyper increase step",                    \
      SOURCE ", RATE_HAI")                                                                                             \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL, "least rate", SOURCE ", MIN_RATE")     \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_FROZEN, RCC_PACING_FROZEN, "follow|frozen",                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves",                               \
      "HPCC simulator; decision `pacing`")

enum
{
    FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[N_FIELDS] = {FIELDS(RCC_FIELD_ENTRY)};

static const struct rcc_preset presets[] = {
    {.name = "hpcc", .help = "the DCQCN of the HPCC paper's simulator; needs an ACK for each packet (--ack-every=1)"},
    {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

static bool cp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return rcc_require_at_most(fields, p, P_kmin, p[P_kmax], "kmin is above kmax", error);
}

static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    rcc_red_derive((struct rcc_red_profile *)profile, env, p[P_kmin], p[P_kmax], p[P_pmax], RCC_MARK_AT_DEQUEUE);
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_ECN_CAPABLE,
                                         .size = sizeof(struct rcc_red_cp),
                                         .profile_size = sizeof(struct rcc_red_profile),
                                         .check = cp_check,
                                         .derive = cp_derive,
                                         .start = rcc_red_start};

/* ------------------------------------------------------------------ reaction point */

struct rp_profile
{
    struct dcqcn_profile base;
    rcc_time reduce_period;
    bool clamp_target;
};

struct hpcc_rp
{
    struct dcqcn_rp rp;
    rcc_time first_at; /* time of the first signal */
    rcc_time cut_due;  /* time of the cut for a signal; RCC_NEVER: no signal waits */
    bool raise;        /* a signal came since alpha_at */
};

RCC_CHECK_PROFILE(struct rp_profile);
RCC_CHECK_RP(struct hpcc_rp);

static const struct rp_profile *profile_of(const struct hpcc_rp *h)
{
    return (const struct rp_profile *)(const void *)h->rp.rp.profile;
}

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)env->line_rate, "r_min is above the line rate", error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    const struct dcqcn_rp_params own = {.timer = p[P_timer],
                                        .alpha_timer = p[P_alpha_timer],
                                        .g = p[P_g],
                                        .f = p[P_f],
                                        .r_ai = p[P_r_ai],
                                        .r_hai = p[P_r_hai],
                                        .r_min = p[P_r_min]};
    struct rp_profile *rp = (struct rp_profile *)profile;
    rp->base.base.frozen = p[P_pacing] == RCC_PACING_FROZEN;
    rcc_dcqcn_rp_derive(&rp->base, env, own);
    rp->base.i_max = 1;
    rp->reduce_period = p[P_rate_reduce_period];
    rp->clamp_target = p[P_clamp_target] == RCC_YES;
}

static void rp_start(struct rcc_rp *rp)
{
    rcc_dcqcn_rp_start(rp);
    ((struct hpcc_rp *)rp)->cut_due = RCC_NEVER;
}

/* Apply the periods of the alpha timer up to t: eq. 4 for the first one if a signal has arrived in it, eq. 10 for the
 * others. */
static void run_alpha(struct hpcc_rp *h, rcc_time t)
{
    struct dcqcn_rp *d = &h->rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    if (h->raise && t - d->alpha_at >= p->alpha_timer)
    {
        /* eq. 4: alpha = (1 - g) alpha + g */
        d->alpha = rcc_mul_q62(d->alpha, p->keep) + p->g;
        d->alpha_at += p->alpha_timer;
        h->raise = false;
    }
    rcc_dcqcn_run_alpha(d, t);
}

static void cut(struct hpcc_rp *h, rcc_time t)
{
    struct dcqcn_rp *d = &h->rp;
    run_alpha(h, t);
    /* eq. 1, if the timer has increased the rate: RT = RC. Before the first cut both are the line rate. */
    if (profile_of(h)->clamp_target || d->time_stage != 0)
        d->target = d->rp.rate;
    /* eq. 2: RC = RC (1 - alpha / 2) */
    rcc_dcqcn_cut_to(d, t, d->rp.rate - rcc_mul_q62(d->rp.rate, d->alpha / 2));
    h->cut_due = RCC_NEVER;
}

static void rp_advance(struct rcc_rp *rp, rcc_time now)
{
    struct hpcc_rp *h = (struct hpcc_rp *)rp;
    if (h->cut_due <= now)
    {
        rcc_dcqcn_rp_advance(rp, h->cut_due);
        cut(h, h->cut_due);
    }
    rcc_dcqcn_rp_advance(rp, now);
}

static rcc_time rp_next_step(const struct rcc_rp *rp)
{
    const rcc_time timer = rcc_dcqcn_rp_next_step(rp), due = ((const struct hpcc_rp *)rp)->cut_due;
    return timer < due ? timer : due;
}

static void rp_run_ahead(struct rcc_rp *rp)
{
    const rcc_time step = rp_next_step(rp);
    if (((const struct hpcc_rp *)rp)->cut_due == RCC_NEVER)
    {
        rcc_dcqcn_rp_run_ahead(rp);
        return;
    }
    rp_advance(rp, step);
    rp->now = step;
}

/* The next multiple of the period, counted from the first signal, after `now`. */
static rcc_time next_check(const struct hpcc_rp *h, rcc_time now, rcc_time period)
{
    const rcc_time checks = (now - h->first_at) / period;
    return rcc_time_add(h->first_at + checks * period, period);
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct hpcc_rp *h = (struct hpcc_rp *)rp;
    struct dcqcn_rp *d = &h->rp;
    const rcc_time period = profile_of(h)->reduce_period;
    const bool first = !d->notified;
    if (feedback->kind != RCC_FEEDBACK_ACK || !feedback->ce)
        return;
    if (first)
    {
        d->notified = true;
        h->first_at = d->alpha_at = rp->now;
    }
    run_alpha(h, rp->now);
    h->raise = !first; /* the first one starts alpha, and moves it no more than that */
    if (period == 0)
        cut(h, rp->now);
    else if (h->cut_due == RCC_NEVER)
        h->cut_due = next_check(h, rp->now, period);
}

static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    struct hpcc_rp h = *(const struct hpcc_rp *)rp;
    run_alpha(&h, rp->now);
    *target = h.rp.target;
    *alpha = h.rp.alpha >> 30;
    *state = h.rp.time_stage;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct hpcc_rp),
                                         .profile_size = sizeof(struct rp_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .advance = rp_advance,
                                         .run_ahead = rp_run_ahead,
                                         .feedback = rp_feedback,
                                         .next_step = rp_next_step,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_dcqcn_hpcc = {.name = "dcqcn-hpcc",
                                                       .title = "DCQCN of HPCC",
                                                       .source = "public simulator of Li et al., SIGCOMM 2019",
                                                       .fields = fields,
                                                       .n_fields = N_FIELDS,
                                                       .presets = presets,
                                                       .cp = &cp_ops,
                                                       .rp = &rp_ops};
