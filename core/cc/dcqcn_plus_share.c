/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN+ share: DCQCN+ (dcqcn_plus.c) with another additive step and four other defaults. It is from no paper;
 * see doc/dcqcn-plus-share.md.
 *
 * The period in a CNP is tau = l delta, where l is the number of flows that the receiver lists. A sender can
 * therefore compute its fair share of the line, s = R_line delta / tau. The additive step of equation 19 becomes
 *
 *     RT += min(ai_share s, ai_line R_line)
 *
 * which is the same for all flows of a receiver, whereas the step of DCQCN+ is a part of the flow's own rate. Equal
 * steps with cuts in proportion to the rate converge to equal rates (AIMD); steps in proportion to the rate do not.
 */
#include "dcqcn_plus.h"

/* ------------------------------------------------------------------ parameters */

#define SOURCE "doc/dcqcn-plus-share.md"

#define FIELDS(F)                                                                                                      \
    DCQCN_PLUS_FIELDS(F, RCC_RATIO_ONE, SOURCE, 0, SOURCE, WAKE_AT_ONCE, SOURCE, 7 * RCC_RATIO_ONE / 5, SOURCE,        \
                      3 * RCC_RATIO_ONE / 2, SOURCE, RCC_RATIO_ONE, "decision `initial_alpha`")                        \
    F(ai_share, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 20, NULL,                                    \
      "additive step as a part of the fair share; ai_flow holds after a legacy CNP, which tells no period", SOURCE)    \
    F(target_floor, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_NO, "no|yes",                                             \
      "a CNP leaves the target rate at the fair share at least; unsafe where a bottleneck has several receivers",      \
      SOURCE)

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

enum
{
    P_ai_share = N_PLUS_FIELDS,
    P_target_floor,
    N_FIELDS
};

_Static_assert(sizeof fields / sizeof fields[0] == N_FIELDS, "a field without an index");
RCC_CHECK_FIELDS(N_FIELDS);

/* The measured values. They do not depend on the defaults of dcqcn-plus. */
static const struct rcc_preset_value preset_paper[] = {{P_period_counts, COUNT_LISTED},
                                                       {P_list_timeout, 0},
                                                       {P_early_check, EARLY_CLEAR},
                                                       {P_timer_rule, TIMERS_ALWAYS},
                                                       {P_timer_update, UPDATE_EVERY_EXPIRY},
                                                       {P_pause_rule, PAUSE_REARM},
                                                       {P_alpha_restart, RCC_YES},
                                                       {P_alpha_order, ALPHA_AFTER_CUT},
                                                       {P_initial_alpha, RCC_RATIO_ONE},
                                                       {P_phase_boundary, BOUNDARY_UPPER},
                                                       {P_stage_after_cut, 0},
                                                       {P_ai_levels, AI_LEVELS_ONE},
                                                       {P_target_cap, CAP_LINE},
                                                       {P_r_min, RCC_RATIO_ONE / 10000}};

static const struct rcc_preset presets[] = {
    RCC_PRESET("paper", "the values of doc/dcqcn-plus-share.md; no paper has them", preset_paper), {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

static bool cp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return dcqcn_plus_cp_check(fields, p, error);
}

static const struct rcc_cp_ops cp_ops = DCQCN_PLUS_CP_OPS(cp_check);

/* ------------------------------------------------------------------ reaction point */

/* delta is the receivers' cnp_generation, which must be the same in the whole network. */
static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct rp_profile *rp = (struct rp_profile *)profile;
    rcc_dcqcn_plus_rp_derive(p, env, profile);
    rp->by_share = true;
    rp->floor_target = p[P_target_floor] == RCC_YES;
    rp->delta = (uint64_t)p[P_cnp_generation];
    for (int level = 0; level < 2; level++)
        rp->ai_share[level] = rcc_mul_ratio(rp->line, p[P_ai_share] * (level + 1), rp->line);
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct plus_rp *d = (struct plus_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    rcc_dcqcn_plus_rp_feedback(rp, feedback);
    if (p->floor_target && d->tau != 0)
    {
        uint64_t share = plus_share_of(d, p, p->line);
        d->target = d->target > share ? d->target : share;
    }
}

static const struct rcc_rp_ops rp_ops = DCQCN_PLUS_RP_OPS(rp_derive, rp_feedback);

const struct rcc_algorithm rcc_algorithm_dcqcn_plus_share = {.name = "dcqcn-plus-share",
                                                             .title = "DCQCN+ share",
                                                             .source = "this project; after Gao et al., ICNP 2018",
                                                             .fields = fields,
                                                             .n_fields = N_FIELDS,
                                                             .presets = presets,
                                                             .cp = &cp_ops,
                                                             .np = &rcc_dcqcn_plus_np_ops,
                                                             .rp = &rp_ops};
