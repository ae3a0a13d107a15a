/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * QCN: IEEE 802.1Qau, as described by A. Kabbani and M. Yasuda, "Data Center
 * Quantized Congestion Notification (QCN): Implementation and Evaluation on
 * NetFPGA", section 2 (equation and table numbers are theirs).
 *
 * The switch samples arriving frames and sends a CNM directly to the source; the
 * receiver is not involved. RP state machine, where bs and ts count the cycles of
 * byte counter and timer since the last CNM, F = 5:
 *
 *          CNM: CR cut, bs = ts = 0 (TR and byte counter only if bs was not 0)
 *        .-------------------------------------------------.
 *        v                                                 |
 *   fast recovery --max(bs,ts) > F--> active --min(bs,ts) > F--> hyper-active
 *        ^                                                 |
 *        '------- CNM ------- no limiter <--CR = line rate-'
 */
#include "roles.h"

/* ------------------------------------------------------------------ parameters */

#define QCN_FIELDS(F)                                                                                                  \
    F(q_eq, RCC_CP, RCC_UNIT_BYTES, 100, 1000 * RCC_MB, 33 * RCC_KB, NULL, "Qeq: the queue that the switch aims at",   \
      "NetFPGA table 2")                                                                                               \
    F(w, RCC_CP, RCC_UNIT_COUNT, 0, 64, 2, NULL, "W: weight of the queue's growth in Fb", "eq. 1")                     \
    F(sample_base, RCC_CP, RCC_UNIT_BYTES, 1000, 1000 * RCC_MB, 150 * RCC_KB, NULL,                                    \
      "bytes between samples when Fb is small; larger Fb sample up to 8 times as often", "table 1")                    \
    F(sample_jitter, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE / 2, 15 * RCC_RATIO_ONE / 100, NULL,                     \
      "uniform jitter of the bytes between samples, plus or minus", "table 1")                                         \
    F(notify, RCC_CP, RCC_UNIT_CHOICE, 0, NOTIFY_NEGATIVE, NOTIFY_QUANTISED, "quantised|negative",                     \
      "a CNM is sent if the 6 bits of Fb are not 0, or for every negative Fb: one of 0 cuts nothing and restarts "     \
      "the recovery",                                                                                                  \
      "section 2, decision `notify`")                                                                                  \
    F(byte_counter, RCC_RP, RCC_UNIT_BYTES, 1000, 1000000 * RCC_MB, 150 * RCC_KB, NULL,                                \
      "bytes of a fast recovery cycle; half of it later", "section 2")                                                 \
    F(timer, RCC_RP, RCC_UNIT_NS, 10 * RCC_US, 100 * RCC_SEC, 15 * RCC_MS, NULL,                                       \
      "duration of a fast recovery cycle of the timer; half of it later", "section 2")                                 \
    F(jitter, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE / 2, 15 * RCC_RATIO_ONE / 100, NULL,                            \
      "uniform jitter of byte counter and timer, plus or minus", "section 2")                                          \
    F(f, RCC_RP, RCC_UNIT_COUNT, 1, 100, 5, NULL, "F: cycles of fast recovery", "section 2")                           \
    F(gd, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 128, NULL, "Gd: a CNM cuts the rate by Gd * qFb",  \
      "eq. 2, table 2")                                                                                                \
    F(max_cut, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL, "largest cut of one CNM", "eq. 2")   \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 100000, 1600 * RCC_GBPS, 5 * RCC_MBPS, NULL, "active increase step (AI_INC)",        \
      "eq. 5")                                                                                                         \
    F(r_hai, RCC_RP, RCC_UNIT_BPS, 100000, 1600 * RCC_GBPS, 50 * RCC_MBPS, NULL, "hyper-active step (HAI_INC)",        \
      "eq. 7")                                                                                                         \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 10 * RCC_MBPS, NULL, "least rate", "802.1Qau rpgMinRate")    \
    F(extra_fast_recovery, RCC_RP, RCC_UNIT_CHOICE, 0, EFR_UNTIL_INCREASE, RCC_YES, "no|yes|until-increase",           \
      "a CNM in byte counter stage 0 (yes), or before any increase of the rate, keeps the target and the byte "        \
      "counter",                                                                                                       \
      "section 2, decision `extra_fast_recovery`")                                                                     \
    F(target_reduction, RCC_RP, RCC_UNIT_COUNT, 0, 1000, 10, NULL,                                                     \
      "in stage 1 a target above this many times the rate is divided by 8; 0 = never", "section 2")                    \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_FROZEN, RCC_PACING_FOLLOW, "follow|frozen",                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves", "decision `pacing`")

/* Choices of extra_fast_recovery after RCC_YES, in the order of the names in its field. */
enum
{
    EFR_UNTIL_INCREASE = RCC_YES + 1
};

enum qcn_notify
{
    NOTIFY_QUANTISED,
    NOTIFY_NEGATIVE
};

enum
{
    QCN_FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {QCN_FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);

static const struct rcc_preset_value preset_netfpga_1g[] = {
    {P_timer, 25 * RCC_MS}, {P_r_ai, RCC_MBPS / 2}, {P_r_hai, 5 * RCC_MBPS}, {P_r_min, RCC_MBPS / 2}};

/* RZ 3880: N. Chrysos et al., "Unbiased QCN for Scalable Server-Fabrics", IBM Research report, 2014. Table I has
 * Qeq, section V the differences between 10 and 100 Gb/s. */
static const struct rcc_preset_value preset_ibm_10g[] = {{P_q_eq, 60 * RCC_KB}, {P_timer, 10 * RCC_MS}};

static const struct rcc_preset_value preset_ibm_100g[] = {
    {P_q_eq, 60 * RCC_KB}, {P_timer, 2 * RCC_MS}, {P_r_ai, 15 * RCC_MBPS}, {P_r_hai, 250 * RCC_MBPS}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "the 10 Gb/s baseline of 802.1Qau"},
    RCC_PRESET("netfpga-1g", "the NetFPGA prototype at 1 Gb/s", preset_netfpga_1g),
    RCC_PRESET("ibm-10g", "IBM's server-rack fabric (RZ 3880), 10 Gb/s", preset_ibm_10g),
    RCC_PRESET("ibm-100g", "the same at 100 Gb/s", preset_ibm_100g),
    {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

struct cp_profile
{
    struct rcc_profile base;
    int64_t q_eq, w, fb_max, jitter;
    int64_t period[8]; /* bytes between samples by qFb / 8 */
    bool every_negative;
    rcc_draw draw;
};

struct qcn_cp
{
    struct rcc_cp cp;
    uint64_t draws;    /* random numbers used */
    int64_t q_old;     /* queue at the last sample, bytes */
    int64_t countdown; /* bytes until the next sample */
};

RCC_CHECK_PROFILE(struct cp_profile);
RCC_CHECK_CP(struct qcn_cp);

/* Table 1, bytes for a base of 150 KB. */
static const int64_t sample_table[8] = {150000, 75000, 50000, 37500, 30000, 25000, 21500, 18500};

static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct cp_profile *cp = (struct cp_profile *)profile;
    cp->q_eq = p[P_q_eq];
    cp->w = p[P_w];
    cp->fb_max = cp->q_eq * (2 * cp->w + 1);
    cp->jitter = p[P_sample_jitter];
    cp->every_negative = p[P_notify] == NOTIFY_NEGATIVE;
    for (int i = 0; i < 8; i++)
        cp->period[i] = p[P_sample_base] * sample_table[i] / sample_table[0];
    cp->draw = env->draw;
}

static const struct cp_profile *cp_profile_of(const struct qcn_cp *q)
{
    return (const struct cp_profile *)(const void *)q->cp.profile;
}

static void restart_countdown(struct qcn_cp *q, uint8_t qfb)
{
    const struct cp_profile *p = cp_profile_of(q);
    q->countdown = p->period[qfb / 8];
    if (p->draw != NULL && p->jitter != 0)
        q->countdown = rcc_jitter(q->countdown, p->jitter, p->draw(q->cp.stream, q->draws++));
}

static enum rcc_cp_action cp_enqueued(struct rcc_cp *cp, uint64_t queue, uint32_t bytes, struct rcc_cnm *cnm)
{
    struct qcn_cp *state = (struct qcn_cp *)cp;
    const struct cp_profile *p = cp_profile_of(state);
    int64_t q = (int64_t)queue, fb;
    state->countdown -= bytes;
    if (state->countdown > 0)
        return RCC_CP_PASS;
    cnm->qoff = q - p->q_eq;
    cnm->qdelta = q - state->q_old;
    state->q_old = q;
    fb = cnm->qoff + p->w * cnm->qdelta; /* eq. 1 with the sign turned: positive is congestion */
    if (fb < 0)
        fb = 0;
    if (fb > p->fb_max)
        fb = p->fb_max;
    cnm->qfb = (uint8_t)(fb * 63 / p->fb_max); /* 6 bits */
    restart_countdown(state, cnm->qfb);
    return cnm->qfb > 0 || (p->every_negative && fb > 0) ? RCC_CP_NOTIFY : RCC_CP_PASS;
}

static void cp_start(struct rcc_cp *cp)
{
    cp->enqueued = cp_enqueued;
    restart_countdown((struct qcn_cp *)cp, 0);
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_CN_TAGGED,
                                         .size = sizeof(struct qcn_cp),
                                         .profile_size = sizeof(struct cp_profile),
                                         .derive = cp_derive,
                                         .start = cp_start};

/* ------------------------------------------------------------------ reaction point */

struct rp_profile
{
    struct rcc_profile base;
    uint64_t line, r_min, r_ai, r_hai; /* 2^-16 bit/s */
    uint64_t keep[64];                 /* Q62: 1 - min(max_cut, Gd * qFb) */
    int64_t byte_counter, jitter;
    rcc_time timer;
    rcc_draw draw;
    uint64_t target_reduction;
    uint32_t f;
    uint32_t extra_fast_recovery;
    bool takes_zero; /* a CNM whose qFb is 0 */
};

struct qcn_rp
{
    struct rcc_rp rp;
    uint64_t target;    /* TR, 2^-16 bit/s */
    uint64_t draws;     /* random numbers used */
    rcc_time timer_due; /* end of the timer's cycle */
    int64_t bytes_left; /* bytes left of the byte counter's cycle */
    uint32_t byte_stage, time_stage;
    bool limited;
};

RCC_CHECK_PROFILE(struct rp_profile);
RCC_CHECK_RP(struct qcn_rp);

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)env->line_rate, "r_min is above the line rate", error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct rp_profile *rp = (struct rp_profile *)profile;
    rp->line = env->line_rate << RCC_RATE_SHIFT;
    rp->r_min = (uint64_t)p[P_r_min] << RCC_RATE_SHIFT;
    rp->r_ai = (uint64_t)p[P_r_ai] << RCC_RATE_SHIFT;
    rp->r_hai = (uint64_t)p[P_r_hai] << RCC_RATE_SHIFT;
    for (int64_t qfb = 0; qfb < 64; qfb++)
    {
        int64_t cut = p[P_gd] * qfb;
        rp->keep[qfb] = RCC_Q62_ONE - rcc_ratio_q62(cut < p[P_max_cut] ? cut : p[P_max_cut]);
    }
    rp->byte_counter = p[P_byte_counter];
    rp->jitter = p[P_jitter];
    rp->timer = p[P_timer];
    rp->draw = env->draw;
    rp->target_reduction = (uint64_t)p[P_target_reduction];
    rp->f = (uint32_t)p[P_f];
    rp->extra_fast_recovery = (uint32_t)p[P_extra_fast_recovery];
    rp->takes_zero = p[P_notify] == NOTIFY_NEGATIVE;
    rp->base.frozen = p[P_pacing] == RCC_PACING_FROZEN;
}

static const struct rp_profile *profile_of(const struct qcn_rp *q)
{
    return (const struct rp_profile *)q->rp.profile;
}

/* Length of the next cycle in `stage`; it is halved after fast recovery. */
static int64_t cycle(struct qcn_rp *q, const struct rp_profile *p, int64_t length, uint32_t stage)
{
    if (stage >= p->f)
        length = length > 1 ? length / 2 : 1;
    if (p->draw == NULL || p->jitter == 0)
        return length;
    return rcc_jitter(length, p->jitter, p->draw(q->rp.stream, q->draws++));
}

static void rp_start(struct rcc_rp *rp)
{
    struct qcn_rp *q = (struct qcn_rp *)rp;
    rp->rate = q->target = profile_of(q)->line;
}

/* Process the end, at t, of a cycle of the byte counter or of the timer. */
static void increase(struct qcn_rp *q, const struct rp_profile *p, rcc_time t)
{
    uint32_t bs = q->byte_stage, ts = q->time_stage, low = bs < ts ? bs : ts;
    uint64_t inc = 0, rate;
    if ((bs == 1 || ts == 1) && p->target_reduction != 0 && q->target / p->target_reduction > q->rp.rate)
        q->target /= 8; /* target rate reduction */
    else if (low > p->f)
        inc = low - p->f > p->line / p->r_hai ? p->line : (low - p->f) * p->r_hai; /* eq. 7 */
    else if (bs > p->f || ts > p->f)
        inc = p->r_ai;                                                    /* eq. 5 */
    rate = rcc_rp_halfway(q->rp.rate, &q->target, inc, p->line, p->line); /* eq. 4, 6, 8 */
    rcc_rp_set_rate(&q->rp, t, rate > p->r_min ? rate : p->r_min);
    if (q->rp.rate == p->line)
        q->limited = false; /* the limiter is freed */
}

static void rp_advance(struct rcc_rp *rp, rcc_time now)
{
    struct qcn_rp *q = (struct qcn_rp *)rp;
    const struct rp_profile *p = profile_of(q);
    while (q->limited && q->timer_due <= now)
    {
        rcc_time t = q->timer_due;
        q->time_stage = rcc_stage_add(q->time_stage, 1);
        q->timer_due = rcc_time_add(t, cycle(q, p, p->timer, q->time_stage));
        increase(q, p, t);
    }
}

static void rp_sent(struct rcc_rp *rp, uint32_t bytes)
{
    struct qcn_rp *q = (struct qcn_rp *)rp;
    const struct rp_profile *p = profile_of(q);
    if (!q->limited)
        return;
    q->bytes_left -= bytes;
    while (q->limited && q->bytes_left <= 0)
    {
        q->byte_stage = rcc_stage_add(q->byte_stage, 1);
        q->bytes_left += cycle(q, p, p->byte_counter, q->byte_stage);
        increase(q, p, rp->now);
    }
}

/* Whether no cycle has ended since the last CNM: of the byte counter (802.1Qau), or of either counter (NetFPGA: "CR has
 * not increased"). */
static bool in_extra_fast_recovery(const struct qcn_rp *q, const struct rp_profile *p)
{
    if (!q->limited || p->extra_fast_recovery == RCC_NO || q->byte_stage != 0)
        return false;
    return p->extra_fast_recovery != EFR_UNTIL_INCREASE || q->time_stage == 0;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct qcn_rp *q = (struct qcn_rp *)rp;
    const struct rp_profile *p = profile_of(q);
    uint64_t rate;
    if (feedback->kind != RCC_FEEDBACK_CNM || (feedback->qfb == 0 && !p->takes_zero))
        return;
    if (!in_extra_fast_recovery(q, p))
    {
        q->target = rp->rate;
        q->bytes_left = cycle(q, p, p->byte_counter, 0);
    }
    rate = rcc_mul_q62(rp->rate, p->keep[feedback->qfb < 63 ? feedback->qfb : 63]); /* eq. 2 */
    rcc_rp_set_rate(rp, rp->now, rate > p->r_min ? rate : p->r_min);
    if (q->target < rp->rate)
        q->target = rp->rate;
    q->byte_stage = q->time_stage = 0;
    q->timer_due = rcc_time_add(rp->now, cycle(q, p, p->timer, 0));
    q->limited = true;
}

static rcc_time rp_next_step(const struct rcc_rp *rp)
{
    const struct qcn_rp *q = (const struct qcn_rp *)rp;
    return q->limited ? q->timer_due : RCC_NEVER;
}

static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct qcn_rp *q = (const struct qcn_rp *)rp;
    *target = q->target;
    *alpha = 0;
    *state = q->byte_stage < q->time_stage ? q->time_stage : q->byte_stage;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct qcn_rp),
                                         .profile_size = sizeof(struct rp_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .advance = rp_advance,
                                         .sent = rp_sent,
                                         .feedback = rp_feedback,
                                         .next_step = rp_next_step,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_qcn = {.name = "qcn",
                                                .title = "QCN",
                                                .source = "IEEE 802.1Qau",
                                                .fields = fields,
                                                .n_fields = N_FIELDS,
                                                .presets = presets,
                                                .cp = &cp_ops,
                                                .rp = &rp_ops};
