/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * TIMELY: R. Mittal et al., "TIMELY: RTT-based Congestion Control for the
 * Datacenter", SIGCOMM 2015, algorithm 1, with the parameters of Y. Zhu et al.,
 * "ECN or Delay", CoNEXT 2016 (EoD).
 *
 * Switch and receiver are not involved; the sender measures round trips. Once per
 * segment, where g is the averaged RTT difference divided by D_minRTT:
 *
 *     RTT < T_low    rate += delta
 *     RTT > T_high   rate *= 1 - beta (1 - T_high / RTT)
 *     g <= 0         rate += N delta, N = 5 from the fifth such event in a row on, else 1
 *     g > 0          rate *= 1 - beta g
 *
 * There is no unique fixed point: any queue between the thresholds and any
 * division of the rates is one. Patched TIMELY (timely_patched.c) has a unique one.
 */
#include "timely_common.h"

/* ------------------------------------------------------------------ parameters */

#define OWN_FIELDS(F)                                                                                                  \
    F(hai_after, RCC_RP, RCC_UNIT_COUNT, 1, 1000000, 5, NULL,                                                          \
      "hyperactive increase from this many completion events in a row with gradient <= 0 on",                          \
      "snippet; in TIMELY algorithm 1 not verified")                                                                   \
    F(hai, RCC_RP, RCC_UNIT_COUNT, 1, 1000, 5, NULL, "N: steps of a hyperactive increase",                             \
      "snippet; in TIMELY algorithm 1 not verified")                                                                   \
    F(max_cut, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL,                                      \
      "largest decrease of one completion event",                                                                      \
      "snippet; algorithm 1 in EoD has none, which is 1; decision `max_cut`")                                          \
    F(rules, RCC_RP, RCC_UNIT_CHOICE, 0, RULES_HPCC, RULES_PAPER, "paper|hpcc",                                        \
      "hpcc: a completion event per round trip in place of a segment; every increase in a row counts for hai_after "   \
      "and may be hyperactive; the first event only measures",                                                         \
      "simulator of the HPCC paper, CC_MODE 7")

#define FIELDS(F)                                                                                                      \
    TIMELY_FIELDS(F, 8 * RCC_RATIO_ONE / 10, "EoD section 4, after TIMELY; snippet", 64 * RCC_KB,                      \
                  "EoD section 4: a completion event is 16-64 KB; its fluid model of TIMELY: 64 KB")                   \
    OWN_FIELDS(F)

enum
{
    RULES_PAPER,
    RULES_HPCC
};

enum
{
    P_last_shared = N_TIMELY_FIELDS - 1,
    OWN_FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);

static const struct rcc_preset_value preset_snippet[] = {{P_ewma, 20 * RCC_RATIO_ONE / 1000}, {P_t_high, RCC_MS}};

/* Defaults of that simulator's attributes, and its config.txt. */
static const struct rcc_preset_value preset_hpcc[] = {{P_delta, 50 * RCC_MBPS},   {P_update_scaling, RCC_NO},
                                                      {P_r_min, 100 * RCC_MBPS},  {P_pacing, RCC_PACING_FROZEN},
                                                      {P_hai_after, 6},           {P_hai, 2},
                                                      {P_max_cut, RCC_RATIO_ONE}, {P_rules, RULES_HPCC}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "what \"ECN or Delay\" read out of the TIMELY paper, 10 Gb/s"},
    RCC_PRESET("snippet", "the values recommended beside the code that TIMELY's authors published", preset_snippet),
    RCC_PRESET("hpcc", "the TIMELY of the HPCC paper's simulator; needs an ACK for each packet (--ack-every=1)",
               preset_hpcc),
    {.name = NULL}};

/* ------------------------------------------------------------------ reaction point */

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return timely_check(fields, p, env, error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct timely_profile *t = (struct timely_profile *)profile;
    timely_derive(p, env, t);
    t->hai_after = (uint32_t)p[P_hai_after];
    t->hai = (uint32_t)p[P_hai];
    t->max_cut = rcc_ratio_q62(p[P_max_cut]);
    t->hpcc = p[P_rules] == RULES_HPCC;
}

/* Rules of the HPCC simulator: `falling` counts increases. Returns true if it has set the rate. */
static bool hpcc_increase(struct timely_rp *t, const struct timely_profile *p, bool first)
{
    const bool increase = t->rtt < p->t_low || (t->rtt <= p->t_high && t->diff <= 0);
    if (first)
        return true;
    t->falling = increase ? rcc_stage_add(t->falling, 1) : 0;
    if (increase)
        timely_set(t, p, timely_increase(t, p, RCC_Q62_ONE, t->falling >= p->hai_after ? p->hai : 1));
    return increase;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct timely_rp *t = (struct timely_rp *)rp;
    const struct timely_profile *p = timely_profile_of(t);
    const bool first = t->rtt < 0;
    uint64_t step, cut;
    if (!timely_complete(t, p, feedback, &step))
        return;
    if (p->hpcc && hpcc_increase(t, p, first))
        return;
    if (!p->hpcc)
        t->falling = t->diff <= 0 ? rcc_stage_add(t->falling, 1) : 0;
    if (t->rtt < p->t_low)
    {
        timely_set(t, p, timely_increase(t, p, step, 1));
        return;
    }
    if (t->rtt > p->t_high)
    {
        cut = timely_high_cut(t, p, step);
    }
    else if (t->diff <= 0)
    {
        timely_set(t, p, timely_increase(t, p, step, t->falling >= p->hai_after ? p->hai : 1));
        return;
    }
    else /* the gradient is already per min_rtt: a whole step, as in the snippet */
    {
        cut = timely_part(p->beta, timely_steepness(t), timely_gradient_one(p));
    }
    timely_set(t, p, timely_decrease(t, cut < p->max_cut ? cut : p->max_cut));
}

/* alpha is the gradient limited to 0..1, state the number of completion events since it was positive. */
static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct timely_rp *t = (const struct timely_rp *)rp;
    uint64_t one = timely_gradient_one(timely_profile_of(t));
    *target = rp->rate;
    *alpha = t->diff > 0 ? timely_part(RCC_Q62_ONE, timely_steepness(t), one) >> 30 : 0;
    *state = t->falling;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct timely_rp),
                                         .profile_size = sizeof(struct timely_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = timely_start,
                                         .feedback = rp_feedback,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_timely = {.name = "timely",
                                                   .title = "TIMELY",
                                                   .source = "Mittal et al., SIGCOMM 2015",
                                                   .fields = fields,
                                                   .n_fields = N_FIELDS,
                                                   .presets = presets,
                                                   .rp = &rp_ops};
