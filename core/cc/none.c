/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * No congestion control: the reaction point stays at line rate whatever it hears,
 * the switch marks and samples nothing, the receiver says nothing. What remains is
 * flow control, the "PFC only" and "PAUSE only" of the papers.
 */
#include "roles.h"

static const struct rcc_preset_value preset_paper[] = {{NULL, 0}};

static const struct rcc_preset presets[] = {{"paper", "flow control and nothing else", preset_paper},
                                            {NULL, NULL, NULL}};

struct rp_profile
{
    uint64_t line; /* 2^-16 bit/s */
};

static bool rp_profile(const int64_t *params, const struct rcc_env *env, void *profile, const char **why)
{
    (void)params;
    (void)why;
    ((struct rp_profile *)profile)->line = env->line_rate << RCC_RATE_SHIFT;
    return true;
}

static void rp_start(struct rcc_rp *rp)
{
    rp->rate = ((const struct rp_profile *)rp->profile)->line;
}

static void rp_advance(struct rcc_rp *rp, rcc_time now)
{
    (void)rp;
    (void)now;
}

static void rp_sent(struct rcc_rp *rp, uint32_t bytes)
{
    (void)rp;
    (void)bytes;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    (void)rp;
    (void)feedback;
}

static rcc_time rp_next_step(const struct rcc_rp *rp)
{
    (void)rp;
    return RCC_NEVER;
}

static const struct rcc_rp_ops rp_ops = {sizeof(struct rcc_rp),
                                         sizeof(struct rp_profile),
                                         rp_profile,
                                         rp_start,
                                         rp_advance,
                                         rp_sent,
                                         rp_feedback,
                                         rp_next_step,
                                         NULL,
                                         false};

const struct rcc_algorithm rcc_algorithm_none = {"none", "PFC only", "IEEE 802.1Qbb and 802.3x", NULL, 0, presets, NULL,
                                                 NULL,   &rp_ops};
