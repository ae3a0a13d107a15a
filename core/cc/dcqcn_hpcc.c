/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The DCQCN of the simulator of the HPCC paper (Y. Li et al., SIGCOMM 2019), preset `hpcc`: an algorithm
 * beside dcqcn.c, whose parameters, congestion point, rate timer and cuts it shares. It takes over if one of
 * these rules is set:
 *
 *   notify      an ACK that echoes CE takes the place of a CNP; the notification point then sends none
 *   cut_rule    a CNP only sets a flag. A periodic timer, which starts with the first CNP, consumes it and cuts
 *   alpha_rule  the same for alpha: a second timer raises alpha if there was a CNP, or else lets it decay
 */
#include "dcqcn_common.h"

/* ------------------------------------------------------------------ parameters */

/* config.txt of the HPCC simulator; KMIN, KMAX and PMAX are those of its map at 100 Gb/s. It counts stages from 0, so F
 * is one more here. */
const struct rcc_preset_value rcc_dcqcn_hpcc_values[DCQCN_HPCC_VALUES] = {{P_kmin, 400 * RCC_KB},
                                                                          {P_kmax, 1600 * RCC_KB},
                                                                          {P_pmax, RCC_RATIO_ONE / 5},
                                                                          {P_timer, 900 * RCC_US},
                                                                          {P_byte_counter, 0},
                                                                          {P_alpha_timer, 1 * RCC_US},
                                                                          {P_rate_reduce_period, 4 * RCC_US},
                                                                          {P_clamp_target, RCC_NO},
                                                                          {P_f, 2},
                                                                          {P_r_ai, 50 * RCC_MBPS},
                                                                          {P_r_hai, 100 * RCC_MBPS},
                                                                          {P_hai_steps, HAI_STEPS_CONSTANT},
                                                                          {P_r_min, 100 * RCC_MBPS},
                                                                          {P_pacing, RCC_PACING_FROZEN},
                                                                          {P_notify, NOTIFY_ACK_CE},
                                                                          {P_cut_rule, CUT_PERIODIC},
                                                                          {P_alpha_rule, ALPHA_PERIODIC}};

static bool has_rules(const int64_t *p)
{
    return p[P_notify] == NOTIFY_ACK_CE || (p[P_cut_rule] == CUT_PERIODIC && p[P_rate_reduce_period] > 0) ||
           p[P_alpha_rule] == ALPHA_PERIODIC;
}

/* ------------------------------------------------------------------ notification point */

struct np_profile
{
    struct dcqcn_np_profile base;
    bool silent; /* the ACKs echo CE to the reaction point */
};

RCC_CHECK_PROFILE(struct np_profile);

static void np_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    rcc_dcqcn_np_derive(p, env, profile);
    ((struct np_profile *)profile)->silent = p[P_notify] == NOTIFY_ACK_CE;
}

static void np_marked(struct rcc_np *np, rcc_time now, uint32_t flow)
{
    if (!((const struct np_profile *)(const void *)np->profile)->silent)
        rcc_dcqcn_np_marked(np, now, flow);
}

static const struct rcc_np_ops np_ops = DCQCN_NP_OPS(struct np_profile, np_derive, np_marked);

/* ------------------------------------------------------------------ reaction point */

struct rp_profile
{
    struct dcqcn_profile base;
    bool acks; /* an ACK with CE is the signal, in place of a CNP */
    bool periodic_cut, periodic_alpha;
};

struct hpcc_rp
{
    struct dcqcn_rp rp;
    rcc_time first_at; /* time of the first CNP */
    rcc_time cut_due;  /* periodic cut: time of the cut for a received CNP; RCC_NEVER: none received */
    bool raise;        /* periodic alpha: a CNP was received since alpha_at */
};

RCC_CHECK_PROFILE(struct rp_profile);
RCC_CHECK_RP(struct hpcc_rp);

static const struct rp_profile *profile_of(const struct hpcc_rp *h)
{
    return (const struct rp_profile *)(const void *)h->rp.rp.profile;
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct rp_profile *rp = (struct rp_profile *)profile;
    rcc_dcqcn_rp_derive(p, env, profile);
    rp->acks = p[P_notify] == NOTIFY_ACK_CE;
    rp->periodic_cut = p[P_cut_rule] == CUT_PERIODIC && rp->base.reduce_period > 0;
    rp->periodic_alpha = p[P_alpha_rule] == ALPHA_PERIODIC;
}

static void rp_start(struct rcc_rp *rp)
{
    rcc_dcqcn_rp_start(rp);
    ((struct hpcc_rp *)rp)->cut_due = RCC_NEVER;
}

/* Apply the periods of the alpha timer up to t: eq. 4 for the first one if a CNP has arrived in it, eq. 10 for the
 * others. */
static void run_alpha(struct hpcc_rp *h, rcc_time t)
{
    struct dcqcn_rp *d = &h->rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    if (h->raise && t - d->alpha_at >= p->alpha_timer)
    {
        d->alpha = rcc_mul_q62(d->alpha, p->keep) + p->g;
        d->alpha_at += p->alpha_timer;
        h->raise = false;
    }
    rcc_dcqcn_run_alpha(d, t);
}

static void cut(struct hpcc_rp *h, rcc_time t)
{
    if (profile_of(h)->periodic_alpha)
    {
        run_alpha(h, t);
        rcc_dcqcn_cut_rate(&h->rp, t);
    }
    else
    {
        rcc_dcqcn_cut(&h->rp, t);
    }
    h->cut_due = RCC_NEVER;
}

static void rp_advance(struct rcc_rp *rp, rcc_time now)
{
    struct hpcc_rp *h = (struct hpcc_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(&h->rp);
    if (h->cut_due <= now)
    {
        rcc_dcqcn_run_timer(&h->rp, p, h->cut_due);
        cut(h, h->cut_due);
    }
    rcc_dcqcn_run_timer(&h->rp, p, now);
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

static bool is_signal(const struct rp_profile *p, const struct rcc_feedback *feedback)
{
    return p->acks ? feedback->kind == RCC_FEEDBACK_ACK && feedback->ce : feedback->kind == RCC_FEEDBACK_CNP;
}

/* The next multiple of the period, counted from the first CNP, after `now`. */
static rcc_time next_check(const struct hpcc_rp *h, rcc_time now, rcc_time period)
{
    const rcc_time checks = (now - h->first_at) / period;
    return rcc_time_add(h->first_at + checks * period, period);
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct hpcc_rp *h = (struct hpcc_rp *)rp;
    struct dcqcn_rp *d = &h->rp;
    const struct rp_profile *p = profile_of(h);
    const bool first = !d->notified;
    if (!is_signal(p, feedback))
        return;
    if (first)
    {
        d->notified = true;
        h->first_at = d->alpha_at = rp->now;
    }
    if (p->periodic_alpha)
    {
        run_alpha(h, rp->now);
        h->raise = !first; /* the first one starts alpha, and moves it no more than that */
    }
    if (p->periodic_cut)
        h->cut_due = h->cut_due == RCC_NEVER ? next_check(h, rp->now, p->base.reduce_period) : h->cut_due;
    else if (!d->was_cut || rp->now - d->cut_at >= p->base.reduce_period)
        cut(h, rp->now);
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
                                         .check = rcc_dcqcn_rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .advance = rp_advance,
                                         .run_ahead = rp_run_ahead,
                                         .sent = rcc_dcqcn_rp_sent,
                                         .feedback = rp_feedback,
                                         .next_step = rp_next_step,
                                         .observe = rp_observe};

static const struct rcc_algorithm algorithm = {.name = "dcqcn",
                                               .title = "DCQCN",
                                               .source = "Zhu et al., SIGCOMM 2015",
                                               .fields = rcc_dcqcn_fields,
                                               .n_fields = N_FIELDS,
                                               .presets = rcc_dcqcn_presets,
                                               .cp = &rcc_dcqcn_cp_ops,
                                               .np = &np_ops,
                                               .rp = &rp_ops};

const struct rcc_variant rcc_dcqcn_hpcc = {.alg = &algorithm, .applies = has_rules};
