/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Patched TIMELY: Y. Zhu, M. Ghobadi, V. Misra and J. Padhye, "ECN or Delay:
 * Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT 2016 (EoD),
 * algorithm 2.
 *
 * TIMELY (timely.c) with another control law between the thresholds: the decrease
 * depends on the absolute RTT, and the gradient g only sets the weights of
 * decrease and increase.
 *
 *     RTT < T_low    rate += delta
 *     RTT > T_high   rate *= 1 - beta (1 - T_high / RTT)
 *     else           rate = delta (1 - w) + rate (1 - beta w error)
 *                    w = 2 g + 1/2 within 0..1, error = (RTT - T_low) / T_low
 *
 * Its unique fixed point has g = 0, w = 1/2, equal rates C / N and the queue
 * q' (1 + N delta / (beta C)), where q' = C T_low.
 */
#include "timely_common.h"

/* ------------------------------------------------------------------ parameters */

#define FIELDS(F) TIMELY_FIELDS(F, 8 * RCC_RATIO_ONE / 1000, "EoD section 4", 16 * RCC_KB, "EoD section 4: Seg")

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

static const struct rcc_preset presets[] = {{.name = "paper", .help = "as published, 10 Gb/s"}, {.name = NULL}};

/* ------------------------------------------------------------------ reaction point */

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return timely_check(fields, p, env, error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    timely_derive(p, env, (struct timely_profile *)profile);
}

/* w(g), Q62. */
static uint64_t weight(const struct timely_rp *t, const struct timely_profile *p)
{
    uint64_t half = RCC_Q62_ONE / 2, steep = timely_steepness(t), one = timely_gradient_one(p), lean;
    lean = steep < one / 4 ? 2 * timely_fraction(steep, one) : half;
    return t->diff < 0 ? half - lean : half + lean;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct timely_rp *t = (struct timely_rp *)rp;
    const struct timely_profile *p = timely_profile_of(t);
    uint64_t step, rate;
    if (!timely_complete(t, p, feedback, &step))
        return;
    if (t->rtt < p->t_low)
    {
        rate = timely_increase(t, p, step, 1);
    }
    else if (t->rtt > p->t_high)
    {
        rate = timely_decrease(t, timely_high_cut(t, p, step));
    }
    else
    {
        uint64_t w = weight(t, p), beta = rcc_mul_q62(rcc_mul_q62(p->beta, step), w);
        uint64_t cut = timely_part(beta, (uint64_t)(t->rtt - p->t_low), (uint64_t)p->t_low);
        rate = timely_decrease(t, cut) + rcc_mul_q62(rcc_mul_q62(p->delta, step), RCC_Q62_ONE - w);
    }
    timely_set(t, p, rate);
}

/* alpha is w. */
static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct timely_rp *t = (const struct timely_rp *)rp;
    *target = rp->rate;
    *alpha = weight(t, timely_profile_of(t)) >> 30;
    *state = 0;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct timely_rp),
                                         .profile_size = sizeof(struct timely_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = timely_start,
                                         .feedback = rp_feedback,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_timely_patched = {.name = "timely-patched",
                                                           .title = "patched TIMELY",
                                                           .source = "Zhu et al., CoNEXT 2016",
                                                           .fields = fields,
                                                           .n_fields = sizeof fields / sizeof fields[0],
                                                           .presets = presets,
                                                           .rp = &rp_ops};
