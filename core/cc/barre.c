/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Barre: USENIX ATC 2025. Experimental: the paper's pseudo-code leaves several
 * points open, and there is no public code to compare with. Each open point is a
 * parameter here. No result of the paper is claimed.
 *
 * DCQCN's CNPs, more of them, and small steps both ways:
 *
 *   CNP          R *= beta
 *   frame sent   after more than N bytes and more than an RTT without a CNP (the dual lock):
 *                R += alpha_k, which is larger for a longer base RTT; after more than K steps R += A
 *
 * A monitor quarters the rate of a flow that sends more than its rate allows in an RTT,
 * until the next CNP.
 */
#include "barre.h"

/* ------------------------------------------------------------------ parameters */

#define FIELDS(F)                                                                                                      \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 1 * RCC_MB, NULL, "queue below which nothing is marked",         \
      "ATC'25: any RED; not verified: the value is for 400 Gb/s")                                                      \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 4 * RCC_MB, NULL, "queue above which everything is marked",      \
      "ATC'25: any RED; not verified: the value is for 400 Gb/s")                                                      \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 10, NULL, "marking probability at kmax",         \
      "ATC'25: any RED; not verified")                                                                                 \
    F(mark_at, RCC_CP, RCC_UNIT_CHOICE, 0, RCC_MARK_AT_ENQUEUE, RCC_MARK_AT_DEQUEUE, "dequeue|enqueue",                \
      "where the queue is read and the frame marked", "both public simulators of DCQCN mark at dequeue")               \
    F(cnp_interval, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, 1 * RCC_US, NULL,                                                 \
      "a flow gets at most one CNP in this time; 0 = one per marked packet that finds none waiting",                   \
      "ATC'25 table 2: 0 to 2 us")                                                                                     \
    F(cnp_generation, RCC_NP, RCC_UNIT_NS, 0, RCC_MS, 0, NULL,                                                         \
      "the NIC makes at most one CNP in this time, over all flows; 0 = no limit", "no NIC's rule is published")        \
    F(beta, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, 98 * RCC_RATIO_ONE / 100, NULL,                                  \
      "a CNP leaves this part of the rate", "ATC'25: 0.95 to 0.99")                                                    \
    F(alpha, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 10 * RCC_MBPS, NULL, "step of the rate",                        \
      "ATC'25: 10, unit not verified; decision `alpha_unit`")                                                          \
    F(fast_step, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 400 * RCC_MBPS, NULL, "A: step after more than k steps",    \
      "ATC'25: \"400 MB\", or 1/1000 of the port; unit not verified")                                                  \
    F(k, RCC_RP, RCC_UNIT_COUNT, 0, 1000000, 5, NULL, "K: steps without a CNP before fast_step",                       \
      "decision `k`; not verified: the paper gives no value")                                                          \
    F(n, RCC_RP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 8 * RCC_KB, NULL, "N: bytes that must be sent between steps",       \
      "ATC'25: 8 KB")                                                                                                  \
    F(c, RCC_RP, RCC_UNIT_NS, 1, RCC_SEC, 1 * RCC_US, NULL,                                                            \
      "a step is alpha base_rtt / c once the flow has measured an RTT", "ATC'25: 1 or 2 us; decision `alpha_unit`")    \
    F(base_rtt, RCC_RP, RCC_UNIT_NS, 0, WINDOWED_RTT_MAX, 0, NULL, "RTT before the first sample; 0: the host's",       \
      "decision `base_rtt`")                                                                                           \
    F(monitor, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                                 \
      "quarter the rate of a flow that sent more than rate times RTT, until its next CNP", "ATC'25 fig. 6")            \
    F(restore, RCC_RP, RCC_UNIT_CHOICE, 0, RESTORE_UNCUT, RESTORE_CUT, "after-cut|before-cut",                         \
      "what a CNP restores from a quartered rate: the rate after its cut, or before", "decision `restore`")            \
    F(fly_reset, RCC_RP, RCC_UNIT_CHOICE, 0, FLY_CNP, FLY_LOCK, "lock|cnp",                                            \
      "what ends the monitor's period beside a CNP: the lock, or nothing", "decision `fly_reset`")                     \
    F(lock_timer, RCC_RP, RCC_UNIT_CHOICE, 0, TIMER_QUIET, TIMER_ALWAYS, "always|quiet",                               \
      "an open lock restarts its timer: always, or only if no CNP came", "decision `lock_timer`")                      \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 1 * RCC_MBPS, NULL, "least rate", "decision `r_min`")        \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_FROZEN, RCC_PACING_FOLLOW, "follow|frozen",                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves", "decision `pacing`")

enum
{
    RESTORE_CUT,
    RESTORE_UNCUT
};

enum
{
    FLY_LOCK,
    FLY_CNP
};

enum
{
    TIMER_ALWAYS,
    TIMER_QUIET
};

enum
{
    FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);
RCC_CHECK_PROFILE(struct barre_profile);
RCC_CHECK_RP(struct barre_rp);
_Static_assert((int)P_cnp_interval == (int)BARRE_CNP_INTERVAL && (int)P_cnp_generation == (int)BARRE_CNP_GENERATION,
               "barre_np.c reads these");

static const struct rcc_preset presets[] = {
    {.name = "atc25", .help = "experimental: the paper's tests at 400 Gb/s, as far as it gives values"},
    {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

static bool cp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return rcc_require_at_most(fields, p, P_kmin, p[P_kmax], "kmin is above kmax", error);
}

static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    rcc_red_derive((struct rcc_red_profile *)profile, env, p[P_kmin], p[P_kmax], p[P_pmax],
                   (enum rcc_mark_at)p[P_mark_at]);
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_ECN_CAPABLE,
                                         .size = sizeof(struct rcc_red_cp),
                                         .profile_size = sizeof(struct rcc_red_profile),
                                         .check = cp_check,
                                         .derive = cp_derive,
                                         .start = rcc_red_start};

/* ------------------------------------------------------------------ reaction point */

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)env->line_rate, "r_min is above the line rate", error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct barre_profile *b = (struct barre_profile *)profile;
    b->line = env->line_rate << RCC_RATE_SHIFT;
    b->r_min = (uint64_t)p[P_r_min] << RCC_RATE_SHIFT;
    b->alpha = (uint64_t)p[P_alpha] << RCC_RATE_SHIFT;
    b->fast_step = (uint64_t)p[P_fast_step] << RCC_RATE_SHIFT;
    b->beta = rcc_ratio_q62(p[P_beta]);
    b->n = (uint64_t)p[P_n];
    b->c = p[P_c];
    b->base_rtt = windowed_rtt(p[P_base_rtt], env);
    b->k = (uint32_t)p[P_k];
    b->monitor = p[P_monitor] == RCC_YES;
    b->restore_uncut = p[P_restore] == RESTORE_UNCUT;
    b->fly_by_cnp = p[P_fly_reset] == FLY_CNP;
    b->quiet_restart = p[P_lock_timer] == TIMER_QUIET;
    b->base.frozen = p[P_pacing] == RCC_PACING_FROZEN;
}

static const struct barre_profile *profile_of(const struct barre_rp *b)
{
    return (const struct barre_profile *)(const void *)b->rp.profile;
}

static void rp_start(struct rcc_rp *rp)
{
    struct barre_rp *b = (struct barre_rp *)rp;
    const struct barre_profile *p = profile_of(b);
    rp->rate = p->line;
    b->step = p->alpha;
    b->timer = rp->now;
    b->rtt = p->base_rtt;
    b->base = RCC_NEVER;
}

static void set_rate(struct barre_rp *b, const struct barre_profile *p, uint64_t rate)
{
    rcc_rp_set_rate(&b->rp, b->rp.now, rcc_clamp(rate, p->r_min, p->line));
}

/* B2: if no CNP since the last such event: R += step, count += 1; B3: step = A if count > K else alpha_k.
 * The step that B3 chose last is that of `count` now: a CNP, which resets count, also forbids the next step. */
static void open_lock(struct barre_rp *b, const struct barre_profile *p)
{
    if (!b->cnp)
    {
        const uint64_t step = b->count > p->k ? p->fast_step : b->step;
        set_rate(b, p, step < p->line - b->rp.rate ? b->rp.rate + step : p->line);
        b->count = rcc_stage_add(b->count, 1);
    }
    if (!b->cnp || !p->quiet_restart)
        b->timer = b->rp.now;
    b->cnp = false;
    b->sent_inc = 0;
    if (!p->fly_by_cnp)
        b->sent_fly = 0;
}

static void rp_sent(struct rcc_rp *rp, uint32_t bytes)
{
    struct barre_rp *b = (struct barre_rp *)rp;
    const struct barre_profile *p = profile_of(b);
    b->sent_inc += bytes;
    b->sent_fly += bytes;
    /* B1: if sent_inc > N and now - timer > RTT */
    if (b->sent_inc > p->n && rp->now - b->timer > b->rtt)
        open_lock(b, p);
    /* B6: if sent_fly > R RTT and monitor off: monitor on, R <- R / 4. Not below r_min: a CNP multiplies by 4. */
    if (p->monitor && !b->quarter && rp->rate / 4 >= p->r_min &&
        b->sent_fly > rcc_mul_div(rp->rate, (uint64_t)b->rtt, (8 * (uint64_t)RCC_SEC) << RCC_RATE_SHIFT))
    {
        b->quarter = true;
        set_rate(b, p, rp->rate / 4);
    }
}

/* B5: R <- R beta, cnp = true, count = 0, sent_fly = sent_inc = 0; B7: if monitor on: R <- 4 R, monitor off */
static void on_cnp(struct barre_rp *b, const struct barre_profile *p)
{
    uint64_t rate = b->rp.rate * (b->quarter ? 4 : 1);
    if (!b->quarter || !p->restore_uncut)
        rate = rcc_mul_q62(rate, p->beta);
    set_rate(b, p, rate);
    b->quarter = false;
    b->cnp = true;
    b->count = 0;
    b->sent_inc = b->sent_fly = 0;
}

/* RTT = sample, base = min(base, sample); B4: alpha_k = base alpha / c */
static void on_rtt(struct barre_rp *b, const struct barre_profile *p, rcc_time rtt)
{
    rtt = rtt < BARRE_RTT_MAX ? rtt : BARRE_RTT_MAX;
    b->rtt = rtt;
    if (rtt >= b->base)
        return;
    b->base = rtt;
    b->step = rcc_mul_div(p->alpha, (uint64_t)rtt, (uint64_t)p->c);
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *f)
{
    struct barre_rp *b = (struct barre_rp *)rp;
    if (f->kind == RCC_FEEDBACK_CNP)
        on_cnp(b, profile_of(b));
    else if (f->kind == RCC_FEEDBACK_ACK && f->rtt >= 0)
        on_rtt(b, profile_of(b), f->rtt);
}

/* The state word counts the steps since the last CNP. */
static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    *target = rp->rate;
    *alpha = 0;
    *state = ((const struct barre_rp *)rp)->count;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct barre_rp),
                                         .profile_size = sizeof(struct barre_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .sent = rp_sent,
                                         .feedback = rp_feedback,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_barre = {.name = "barre",
                                                  .title = "Barre (experimental)",
                                                  .source = "Barre, USENIX ATC 2025; experimental",
                                                  .fields = fields,
                                                  .n_fields = N_FIELDS,
                                                  .presets = presets,
                                                  .cp = &cp_ops,
                                                  .np = &rcc_barre_np_ops,
                                                  .rp = &rp_ops,
                                                  .needs = {.wants = RCC_WANT_RTT}};
