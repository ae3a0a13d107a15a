/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * No congestion control: the reaction point ignores feedback and stays at line rate,
 * there is no congestion point and no notification point. Only flow control remains:
 * the "PFC only" and "PAUSE only" of the papers.
 */
#include "roles.h"

static const struct rcc_preset presets[] = {{.name = "paper", .help = "flow control and nothing else"}, {.name = NULL}};

struct rp_profile
{
    struct rcc_profile base;
    uint64_t line; /* 2^-16 bit/s */
};

static void rp_derive(const int64_t *params, const struct rcc_env *env, void *profile)
{
    (void)params;
    ((struct rp_profile *)profile)->line = env->line_rate << RCC_RATE_SHIFT;
}

static void rp_start(struct rcc_rp *rp)
{
    rp->rate = ((const struct rp_profile *)(const void *)rp->profile)->line;
}

static const struct rcc_rp_ops rp_ops = {
    .size = sizeof(struct rcc_rp), .profile_size = sizeof(struct rp_profile), .derive = rp_derive, .start = rp_start};

const struct rcc_algorithm rcc_algorithm_none = {
    .name = "none", .title = "PFC only", .source = "IEEE 802.1Qbb and 802.3x", .presets = presets, .rp = &rp_ops};
