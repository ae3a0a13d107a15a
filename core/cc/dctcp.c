/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCTCP (M. Alizadeh et al., "Data Center TCP", SIGCOMM 2010; RFC 8257) for queue pairs, as the simulator of the HPCC
 * paper has it in CC_MODE 8: rates in place of windows, from line rate on.
 *
 *   switch     marks every frame that finds more than K bytes in the queue
 *   receiver   acknowledges each packet, with its mark
 *   sender     a round ends with the ACK of a byte behind those sent when it began; F is the marked share of the round:
 *
 *       D1   F = min(1, marked / batch)
 *       D2   alpha = (1 - g) alpha + g F
 *       D4   first mark of a round       R = max(R_min, R (1 - alpha / 2)), with the alpha of this ACK
 *       D6   end of a round without one  R = min(C, R + R_AI)
 *       D7   W = C T R / C
 *
 * Form `window` is TCP's: W += mtu acked / W on an ACK while not reduced, W (1 - alpha / 2) once per round, and F
 * counts bytes. A loss halves, once per round. Nothing decays in silence.
 */
#include "dctcp.h"
#include "windowed.h"

/* ------------------------------------------------------------------ parameters */

#define FIELDS(F)                                                                                                      \
    F(k, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 0, NULL,                                                            \
      "K: queue above which every frame is marked; 0: 30 KB per 10 Gb/s of the port's rate",                           \
      "HPCC paper's simulator, run.py; SIGCOMM'10: 20 packets at 1 Gb/s, 65 at 10 Gb/s, not verified")                 \
    F(mark_at, RCC_CP, RCC_UNIT_CHOICE, 0, RCC_MARK_AT_ENQUEUE, RCC_MARK_AT_DEQUEUE, "dequeue|enqueue",                \
      "the queue is compared when a frame leaves it or joins it",                                                      \
      "HPCC paper's simulator: dequeue; SIGCOMM'10, section 3.1: enqueue; decision `dctcp_mark`")                      \
    F(form, RCC_RP, RCC_UNIT_CHOICE, 0, FORM_WINDOW, FORM_RATE, "rate|window",                                         \
      "rate: steps of the rate once per round; window: TCP's window, per ACK",                                         \
      "HPCC paper's simulator: rate; SIGCOMM'10 and Linux tcp_dctcp.c: window")                                        \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 16, NULL, "gain of alpha",                          \
      "Linux tcp_dctcp.c; HPCC paper's simulator, run.py")                                                             \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 615 * RCC_MBPS, NULL,                                            \
      "R_AI: step after a round without a mark; 0: a packet per base RTT",                                             \
      "HPCC paper's simulator, DCTCP_RATE_AI: 615 Mb/s, 1 KB per 13 us; decision `dctcp_step`")                        \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL,                                        \
      "least rate; form window: the least window is two packets", "HPCC paper's simulator; its run.py: 1 Gb/s")        \
    F(w_max, RCC_RP, RCC_UNIT_COUNT, 1, 8, 4, NULL, "form window: largest window, in C T",                             \
      "decision `dctcp_window`: space for the queue K")                                                                \
    WINDOWED_FIELDS(F, WINDOWED_STARTS, RCC_PACING_FROZEN, "HPCC paper's simulator; decision `pacing`")

enum
{
    FORM_RATE,
    FORM_WINDOW
};

enum
{
    FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);

static const struct rcc_preset_value preset_window[] = {{P_mark_at, RCC_MARK_AT_ENQUEUE},
                                                        {P_form, FORM_WINDOW},
                                                        {P_r_ai, 0},
                                                        {P_window_rule, WINDOWED_FITS},
                                                        {P_pacing, RCC_PACING_FOLLOW}};

static const struct rcc_preset presets[] = {
    {.name = "simulator", .help = "the DCTCP of the HPCC paper's simulator: a rate, from line rate on"},
    RCC_PRESET("window", "the window of SIGCOMM 2010 and Linux, from C T on", preset_window),
    {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    const int64_t k = p[P_k] != 0 ? p[P_k] : 3 * (int64_t)(env->line_rate / 1000000); /* 30 KB per 10 Gb/s */
    rcc_red_derive((struct rcc_red_profile *)profile, env, k, k, RCC_RATIO_ONE, (enum rcc_mark_at)p[P_mark_at]);
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_ECN_CAPABLE,
                                         .size = sizeof(struct rcc_red_cp),
                                         .profile_size = sizeof(struct rcc_red_profile),
                                         .derive = cp_derive,
                                         .start = rcc_red_start};

/* ------------------------------------------------------------------ reaction point */

struct rp_profile
{
    struct windowed_profile w;
    uint64_t g;            /* Q62 */
    uint64_t r_ai, r_min;  /* 2^-16 bit/s */
    uint64_t w_min, w_max; /* 2^-24 byte */
    uint64_t mtu;
    bool window;
};

RCC_CHECK_PROFILE(struct rp_profile);

#define WINDOW_MAX ((uint64_t)1 << 63) /* 2^-24 byte: half of it more, the largest step, still fits */

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)windowed_line(env), "r_min is above the line rate", error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct rp_profile *d = (struct rp_profile *)profile;
    windowed_derive(&p[P_base_rtt], env, &d->w);
    d->window = p[P_form] == FORM_WINDOW;
    d->mtu = windowed_mtu(env);
    d->g = rcc_ratio_q62(p[P_g]);
    d->r_min = (uint64_t)p[P_r_min] << RCC_RATE_SHIFT;
    d->r_ai = p[P_r_ai] != 0 ? (uint64_t)p[P_r_ai] << RCC_RATE_SHIFT
                             : rcc_mul_div(d->mtu << 16, 8 * (uint64_t)RCC_SEC, (uint64_t)d->w.rtt);
    d->w_min = 2 * d->mtu << WINDOWED_SHIFT;
    d->w_max = d->w.bdp < WINDOW_MAX / (uint64_t)p[P_w_max] ? d->w.bdp * (uint64_t)p[P_w_max] : WINDOW_MAX;
}

static const struct rp_profile *profile_of(const struct dctcp_rp *d)
{
    return (const struct rp_profile *)(const void *)d->rp.rp.profile;
}

static void set_rate(struct dctcp_rp *d, const struct rp_profile *p, uint64_t rate)
{
    rate = rate > p->r_min ? rate : p->r_min;
    rcc_rp_set_rate(&d->rp.rp, d->rp.rp.now, rate);
    windowed_show(&d->rp, &p->w, rcc_mul_div(p->w.bdp, rate, p->w.line)); /* D7 */
}

static void set_window(struct dctcp_rp *d, const struct rp_profile *p, uint64_t window)
{
    window = window < p->w_max ? window : p->w_max;
    d->cwnd = window > p->w_min ? window : p->w_min;
    rcc_rp_set_rate(&d->rp.rp, d->rp.rp.now, windowed_rate(&p->w, d->cwnd));
    windowed_show(&d->rp, &p->w, d->cwnd);
}

static void rp_start(struct rcc_rp *rp)
{
    struct dctcp_rp *d = (struct dctcp_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    d->alpha = RCC_Q62_ONE;
    rp->rate = p->w.line;
    if (p->window)
        set_window(d, p, p->w.bdp);
    else
        set_rate(d, p, p->w.line);
}

/* Sums of these do not overflow within any round. */
static uint64_t bounded(uint64_t bytes)
{
    return bytes < UINT32_MAX ? bytes : UINT32_MAX;
}

/* Return what an ACK adds to `marked`: an ACK of many packets counts each one, as far as it says. */
static uint64_t marks(const struct rcc_feedback *f, const struct rp_profile *p)
{
    const uint64_t bytes = bounded(f->ce_bytes != 0 ? f->ce_bytes : f->acked);
    if (!f->ce)
        return 0;
    if (p->window)
        return bytes;
    return bytes > p->mtu ? (bytes + p->mtu - 1) / p->mtu : 1;
}

/* W += mtu acked / W. */
static void grow(struct dctcp_rp *d, const struct rp_profile *p, uint64_t acked)
{
    const uint64_t most = p->w_max >> WINDOWED_SHIFT;
    set_window(d, p,
               d->cwnd + rcc_mul_div(p->mtu * (acked < most ? acked : most), WINDOWED_ONE * WINDOWED_ONE, d->cwnd));
}

static void end_round(struct dctcp_rp *d, const struct rp_profile *p, const struct rcc_feedback *f)
{
    uint64_t share = RCC_Q62_ONE;
    if (d->last != 0) /* the first round only begins */
    {
        if (d->marked < d->batch)
            share = rcc_mul_div(RCC_Q62_ONE, d->marked, d->batch); /* D1 */
        else if (d->marked == 0)
            share = 0;
        d->alpha = d->alpha - rcc_mul_q62(d->alpha, p->g) + rcc_mul_q62(share, p->g); /* D2 */
        d->marked = 0;
        d->batch = 0;
    }
    if (!p->window) /* packets that the next round acknowledges */
        d->batch = (d->last == 0 ? f->next : f->next > f->seq ? f->next - f->seq : 0) / p->mtu + 1;
    d->last = f->next > d->last ? f->next : d->last;
}

/* Reduce to a part of the present rate or window, at most once per round. */
static void reduce(struct dctcp_rp *d, const struct rp_profile *p, uint64_t next, uint64_t alpha)
{
    if (d->reduced)
        return;
    if (p->window)
        set_window(d, p, d->cwnd - rcc_mul_q62(d->cwnd, alpha / 2));
    else
        set_rate(d, p, d->rp.rp.rate - rcc_mul_q62(d->rp.rp.rate, alpha / 2)); /* D4 */
    d->reduced = true;
    d->high = next; /* D5 */
}

static void acknowledge(struct dctcp_rp *d, const struct rp_profile *p, const struct rcc_feedback *f)
{
    const bool ends = f->seq > d->last;
    const uint64_t marked = marks(f, p), rate = d->rp.rp.rate;
    d->marked += marked;
    if (p->window)
        d->batch += bounded(f->acked);
    if (ends)
        end_round(d, p, f);
    if (d->reduced && f->seq > d->high)
        d->reduced = false; /* D3 */
    if (marked != 0)
        reduce(d, p, f->next, d->alpha);
    if (d->reduced)
        return;
    if (p->window)
        grow(d, p, f->acked);
    else if (ends)
        set_rate(d, p, p->w.line - rate > p->r_ai ? rate + p->r_ai : p->w.line); /* D6 */
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *f)
{
    struct dctcp_rp *d = (struct dctcp_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    if (f->kind == RCC_FEEDBACK_ACK || f->kind == RCC_FEEDBACK_LOSS)
        acknowledge(d, p, f);
    if (f->kind == RCC_FEEDBACK_LOSS || f->kind == RCC_FEEDBACK_TIMEOUT)
        reduce(d, p, f->next, RCC_Q62_ONE); /* decision `dctcp_loss` */
}

/* The state word is 1 while reduced. */
static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct dctcp_rp *d = (const struct dctcp_rp *)rp;
    *target = rp->rate;
    *alpha = d->alpha >> 30;
    *state = d->reduced;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct dctcp_rp),
                                         .profile_size = sizeof(struct rp_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .feedback = rp_feedback,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_dctcp = {
    .name = "dctcp",
    .title = "DCTCP",
    .source = "Alizadeh et al., SIGCOMM 2010; form of Li et al., SIGCOMM 2019",
    .fields = fields,
    .n_fields = N_FIELDS,
    .presets = presets,
    .cp = &cp_ops,
    .rp = &rp_ops,
    .needs = {.wants = RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS | RCC_WANT_ACK_PER_PACKET | RCC_WANT_CE}};
