/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * HPCC: Y. Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, as in draft-miao-tsv-hpcc-01 and in the
 * paper's simulator. Every switch writes the time, its sent bytes, its queue and its rate into each data packet; the
 * receiver returns them in the acknowledgement. With ' for the last acknowledgement's records, for each hop j:
 *
 *     H1  r_j = 8e9 (tx_j - tx'_j) / (ts_j - ts'_j)
 *     H2  u_j = r_j / B_j + min(q_j, q'_j) 8e9 / (B_j T)
 *     H3  u = max u_j, tau = ts_j - ts'_j of that hop         H4  tau = min(tau, T)
 *     H5  U = (1 - tau/T) U + (tau/T) u
 *     H6  U >= eta or stage >= max_stage   W = Wc eta / U + W_AI,  at the end of a round stage = 0
 *         else                             W = Wc + W_AI,          at the end of a round stage += 1
 *     H7  W in W_min..C T, at the end of a round Wc = W
 *     H8  R = W 8e9 / T
 *
 * A round ends with the ACK of a byte behind those sent when it began. A NAK that carries telemetry counts as an ACK.
 * With int_form pint (pint.h) U comes from the path, in place of H1 to H5.
 */
#include "hpcc.h"
#include "pint.h"
#include "windowed.h"

/* ------------------------------------------------------------------ parameters */

#define FIELDS(F)                                                                                                      \
    F(eta, RCC_RP, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100, RCC_RATIO_ONE, 95 * RCC_RATIO_ONE / 100, NULL,                 \
      "target utilisation", "SIGCOMM'19, in its authors' results page, where 0.99 costs nothing; key U_TARGET")        \
    F(max_stage, RCC_RP, RCC_UNIT_COUNT, 0, 1000000, 5, NULL, "additive steps in a row before one is multiplicative",  \
      "SIGCOMM'19: 5, a typo by its authors' results page: the simulations had 0; key MI_THRESH")                      \
    F(w_ai, RCC_RP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 80, NULL, "W_AI: additive step, if r_ai is 0",                   \
      "SIGCOMM'19, not verified")                                                                                      \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 0, NULL, "additive step as a rate: W_AI = r_ai T; 0: w_ai",      \
      "HPCC paper's simulator, key RATE_AI")                                                                           \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL, "least rate: W_min = r_min T",         \
      "HPCC paper's simulator, key MIN_RATE; the paper gives none; decision `hpcc_floor`")                             \
    F(fast_react, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                              \
      "yes: every ACK sets W; no: only the one that ends a round", "HPCC paper's simulator, key FAST_REACT")           \
    F(multi_rate, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_NO, "no|yes",                                               \
      "yes: U, Wc and stage for each hop; the least of their windows counts",                                          \
      "HPCC paper's simulator, key MULTI_RATE")                                                                        \
    F(sample_feedback, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_NO, "no|yes",                                          \
      "yes: within a round only hops with a queue count", "HPCC paper's simulator, key SAMPLE_FEEDBACK")               \
    F(rate_bound, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                              \
      "no: packets leave at line rate, and the window alone bounds them", "HPCC paper's simulator, key RATE_BOUND")    \
    F(int_form, RCC_RP, RCC_UNIT_CHOICE, 0, TELEMETRY_PINT, TELEMETRY_PAPER, "paper|simulator|pint",                   \
      TELEMETRY_HELP "; pint: 2 bytes, the path's largest utilisation", TELEMETRY_SOURCE "; pint: its CC_MODE 10")     \
    TELEMETRY_SCALE_FIELD(F)                                                                                           \
    F(log_base, RCC_CP, RCC_UNIT_RATIO, 101 * RCC_RATIO_ONE / 100, 2 * RCC_RATIO_ONE, 105 * RCC_RATIO_ONE / 100, NULL, \
      "int_form pint: base of the logarithm", "HPCC paper's simulator, key PINT_LOG_BASE; its run.py: 1.01")           \
    F(pint_prob, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE, NULL,                                        \
      "int_form pint: part of the acknowledgements that count", "HPCC paper's simulator, key PINT_PROB")               \
    WINDOWED_FIELDS(F, WINDOWED_STARTS, RCC_PACING_FOLLOW, "decision `pacing`")

enum
{
    FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);

static const struct rcc_preset_value preset_simulator[] = {{P_max_stage, 0},
                                                           {P_r_ai, 50 * RCC_MBPS},
                                                           {P_r_min, 1 * RCC_GBPS},
                                                           {P_int_form, TELEMETRY_SIMULATOR},
                                                           {P_pacing, RCC_PACING_LATEST}};

static const struct rcc_preset_value preset_pint[] = {{P_max_stage, 0},
                                                      {P_r_ai, 50 * RCC_MBPS},
                                                      {P_r_min, 1 * RCC_GBPS},
                                                      {P_int_form, TELEMETRY_PINT},
                                                      {P_pacing, RCC_PACING_LATEST}};

static const struct rcc_preset_value preset_high_load[] = {{P_eta, 99 * RCC_RATIO_ONE / 100}, {P_max_stage, 0}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "the text of SIGCOMM 2019"},
    RCC_PRESET("simulator", "what the paper's simulations had, by its authors' own correction", preset_simulator),
    RCC_PRESET("pint", "the same with PINT: 2 bytes of telemetry", preset_pint),
    RCC_PRESET("high-load", "eta 0.99, which its authors recommend for high loads", preset_high_load),
    {.name = NULL}};

/* ------------------------------------------------------------------ reaction point */

struct rp_profile
{
    struct windowed_profile w;
    uint64_t eta;         /* 2^-HPCC_U_SHIFT */
    uint64_t w_ai, w_min; /* 2^-24 byte */
    uint64_t inverse;     /* 1 / T, Q62 */
    struct pint_base log;
    rcc_draw draw;
    uint64_t sample; /* 2^32 times the part of the acknowledgements that count */
    uint32_t max_stage;
    bool fast_react, multi_rate, sample_feedback, rate_bound, pint;
};

RCC_CHECK_PROFILE(struct rp_profile);

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)windowed_line(env), "r_min is above the line rate", error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct rp_profile *h = (struct rp_profile *)profile;
    windowed_derive(&p[P_base_rtt], env, &h->w);
    rcc_telemetry_needs(&h->w.base.needs, p[P_int_form], p[P_int_multi]);
    h->eta = rcc_ratio_q62(p[P_eta]) >> (62 - HPCC_U_SHIFT);
    h->w_ai = p[P_r_ai] != 0 ? windowed_bytes(&h->w, (uint64_t)p[P_r_ai]) : (uint64_t)p[P_w_ai] << WINDOWED_SHIFT;
    h->w_min = windowed_bytes(&h->w, (uint64_t)p[P_r_min]);
    h->inverse = RCC_Q62_ONE / (uint64_t)h->w.rtt;
    h->max_stage = (uint32_t)p[P_max_stage];
    h->fast_react = p[P_fast_react] == RCC_YES;
    h->multi_rate = p[P_multi_rate] == RCC_YES;
    h->sample_feedback = p[P_sample_feedback] == RCC_YES;
    h->rate_bound = p[P_rate_bound] == RCC_YES;
    h->pint = p[P_int_form] == TELEMETRY_PINT;
    h->draw = env->draw;
    h->sample = rcc_ratio_q62(p[P_pint_prob]) >> (62 - 32);
    rcc_pint_base(&h->log, p[P_log_base]);
}

static const struct rp_profile *profile_of(const struct hpcc_rp *h)
{
    return (const struct rp_profile *)(const void *)h->rp.rp.profile;
}

static void rp_start(struct rcc_rp *rp)
{
    struct hpcc_rp *h = (struct hpcc_rp *)rp;
    const struct rp_profile *p = profile_of(h);
    rp->rate = p->w.line;
    h->w = p->w.bdp;
    windowed_show(&h->rp, &p->w, h->w);
    for (unsigned i = 0; i < RCC_PATH_MAX; i++)
        h->loop[i] = (struct hpcc_loop){.u = (uint64_t)1 << HPCC_U_SHIFT, .wc = p->w.bdp};
}

/* part * 8000 / whole, 2^-HPCC_U_SHIFT, at most 2^20: utilisations of bytes, and of Mb/s times ns. */
static uint64_t utilisation(uint64_t bytes, uint64_t whole)
{
    const uint64_t most = (uint64_t)1 << (HPCC_U_SHIFT + 20),
                   u = rcc_mul_div(bytes * 8000, (uint64_t)1 << HPCC_U_SHIFT, whole);
    return u < most ? u : most;
}

/* H1, H2. */
static uint64_t hop_utilisation(const struct rp_profile *p, const struct rcc_hop *old, const struct rcc_hop *hop,
                                uint64_t dt, uint64_t bytes)
{
    const uint32_t queue = hop->qlen < old->qlen ? hop->qlen : old->qlen;
    uint64_t u = utilisation(bytes, hop->rate_mbps * dt);
    if (queue != 0)
        u += utilisation(queue, hop->rate_mbps * (uint64_t)p->w.rtt);
    return u;
}

/* H4, H5. */
static void average(struct hpcc_loop *l, const struct rp_profile *p, uint64_t u, uint64_t tau)
{
    const uint64_t weight = tau < (uint64_t)p->w.rtt ? tau * p->inverse : RCC_Q62_ONE;
    if (u > l->u)
        l->u += rcc_mul_q62(u - l->u, weight);
    else
        l->u -= rcc_mul_q62(l->u - u, weight);
}

/* H6, H7. Returns W. */
static uint64_t react(struct hpcc_loop *l, const struct rp_profile *p, bool round)
{
    const bool multiply = l->u >= p->eta || l->stage >= p->max_stage;
    uint64_t w = l->wc;
    if (multiply)
        w = l->u != 0 ? rcc_mul_div(w, p->eta, l->u) : p->w.bdp;
    w = w < p->w.bdp ? w + p->w_ai : p->w.bdp;
    w = w < p->w.bdp ? w : p->w.bdp;
    w = w > p->w_min ? w : p->w_min;
    if (round)
    {
        l->stage = multiply ? 0 : l->stage + 1;
        l->wc = w;
    }
    return w;
}

/* Read the records and react. Returns W; 0 if no record counts. */
static uint64_t measure(struct hpcc_rp *h, const struct rp_profile *p, const struct rcc_feedback *f, bool round)
{
    uint64_t most = 0, tau = 0, least = p->w.bdp, dt, bytes, u, w;
    bool any = false;
    for (uint8_t i = 0; i < h->seen.n; i++)
    {
        const struct rcc_hop *hop = &f->path[i];
        if (!telemetry_delta(&h->seen.hop[i], hop, &dt, &bytes) || (p->sample_feedback && !round && hop->qlen == 0))
            continue;
        u = hop_utilisation(p, &h->seen.hop[i], hop, dt, bytes);
        h->seen.hop[i] = *hop;
        if (p->multi_rate)
        {
            average(&h->loop[i], p, u, dt);
            w = react(&h->loop[i], p, round);
            least = w < least ? w : least;
        }
        else if (!any || u > most) /* H3 */
        {
            most = u;
            tau = dt;
        }
        any = true;
    }
    if (!any)
        return 0;
    if (p->multi_rate)
        return least;
    average(&h->loop[0], p, most, tau);
    return react(&h->loop[0], p, round);
}

/* H8. */
static void set_window(struct hpcc_rp *h, const struct rp_profile *p, uint64_t w)
{
    struct rcc_rp *rp = &h->rp.rp;
    h->w = w;
    windowed_show(&h->rp, &p->w, w);
    if (p->rate_bound)
        rcc_rp_set_rate(rp, rp->now, windowed_rate(&p->w, w));
}

static void end_round(struct hpcc_rp *h, const struct rcc_feedback *f)
{
    h->last = f->next > h->last ? f->next : h->last;
}

/* U of the path, N3, in place of H1 to H5; then H6 to H8, on every acknowledgement that counts. */
static void pint_feedback(struct hpcc_rp *h, const struct rp_profile *p, const struct rcc_feedback *f, bool round)
{
    if (p->draw != NULL && p->draw(h->rp.rp.stream, h->draws++) >= p->sample)
        return;
    if (h->seen.n != 0)
    {
        const uint64_t u = rcc_pint_power(&p->log, f->path[0].qlen) >> PINT_FLOWS_SHIFT;
        h->loop[0].u = u << (HPCC_U_SHIFT - PINT_SHIFT);
        set_window(h, p, react(&h->loop[0], p, round));
    }
    h->seen.n = 1;
    if (round)
        end_round(h, f);
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *f)
{
    struct hpcc_rp *h = (struct hpcc_rp *)rp;
    const struct rp_profile *p = profile_of(h);
    const bool round = f->seq > h->last;
    uint64_t w;
    if ((f->kind != RCC_FEEDBACK_ACK && f->kind != RCC_FEEDBACK_LOSS) || f->n_path == 0)
        return;
    if (p->pint)
    {
        pint_feedback(h, p, f, round);
        return;
    }
    if (rcc_telemetry_compares(&h->seen, f, rp->now))
    {
        if (!round && !p->fast_react)
            return;
        w = measure(h, p, f, round);
        if (w == 0)
            return;
        h->seen.at = rp->now;
        set_window(h, p, w);
        if (!round)
            return;
    }
    end_round(h, f);
}

/* The target is the rate of Wc, alpha U up to 1, and the state word U in thousandths. */
static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct hpcc_rp *h = (const struct hpcc_rp *)rp;
    const uint64_t u = h->loop[0].u >> (HPCC_U_SHIFT - 32);
    *target = windowed_rate(&profile_of(h)->w, h->loop[0].wc);
    *alpha = u < (uint64_t)1 << 32 ? u : (uint64_t)1 << 32;
    *state = (uint32_t)(rcc_mul_shift(u, 1000, 32));
}

/* ------------------------------------------------------------------ congestion point */

static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    if (p[P_int_form] == TELEMETRY_PINT)
        rcc_pint_derive((struct pint_profile *)profile, env, p[P_log_base], windowed_rtt(p[P_base_rtt], env));
}

static void cp_start(struct rcc_cp *cp)
{
    cp->stamp = ((const struct pint_profile *)(const void *)cp->profile)->writes ? rcc_pint_stamp : rcc_telemetry_stamp;
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_TELEMETRY,
                                         .size = sizeof(struct pint_cp),
                                         .profile_size = sizeof(struct pint_profile),
                                         .derive = cp_derive,
                                         .start = cp_start};

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct hpcc_rp),
                                         .profile_size = sizeof(struct rp_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .feedback = rp_feedback,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_hpcc = {.name = "hpcc",
                                                 .title = "HPCC",
                                                 .source = "Li et al., SIGCOMM 2019",
                                                 .fields = fields,
                                                 .n_fields = N_FIELDS,
                                                 .presets = presets,
                                                 .cp = &cp_ops,
                                                 .rp = &rp_ops,
                                                 .needs = TELEMETRY_NEEDS};
