/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The congestion point of DCQCN and DCQCN+: RED marking on the egress queue (SIGCOMM'15 section 3.1, fig. 5). */
#include "roles.h"

bool rcc_red_profile_set(struct rcc_red_profile *profile, const struct rcc_env *env, int64_t kmin, int64_t kmax,
                         int64_t pmax_ppb, bool at_enqueue, const char **why)
{
    uint64_t pmax = rcc_ratio_q62(pmax_ppb) >> 30; /* 2^32 */
    if (kmin > kmax)
    {
        *why = "kmin is above kmax";
        return false;
    }
    profile->kmin = (uint64_t)kmin;
    profile->kmax = (uint64_t)kmax;
    profile->slope = kmax > kmin ? (pmax << 20) / (uint64_t)(kmax - kmin) : 0;
    profile->draw = env->draw;
    profile->at_enqueue = at_enqueue;
    return true;
}

void rcc_red_start(void *cp, const void *profile, uint64_t stream)
{
    struct rcc_red_cp *red = (struct rcc_red_cp *)cp;
    red->profile = (const struct rcc_red_profile *)profile;
    red->stream = stream;
    red->draws = 0;
}

static enum rcc_cp_action decide(struct rcc_red_cp *red, uint64_t queue)
{
    const struct rcc_red_profile *p = red->profile;
    if (queue <= p->kmin)
        return RCC_CP_PASS;
    if (queue > p->kmax)
        return RCC_CP_MARK;
    if (p->draw == NULL)
        return RCC_CP_PASS;
    /* p = pmax (q - Kmin) / (Kmax - Kmin), in 2^-32 */
    return p->draw(red->stream, red->draws++) < ((queue - p->kmin) * p->slope) >> 20 ? RCC_CP_MARK : RCC_CP_PASS;
}

enum rcc_cp_action rcc_red_enqueued(void *cp, uint64_t queue, uint32_t bytes, struct rcc_cnm *cnm)
{
    struct rcc_red_cp *red = (struct rcc_red_cp *)cp;
    (void)bytes;
    (void)cnm;
    return red->profile->at_enqueue ? decide(red, queue) : RCC_CP_PASS;
}

enum rcc_cp_action rcc_red_dequeued(void *cp, uint64_t queue)
{
    struct rcc_red_cp *red = (struct rcc_red_cp *)cp;
    return red->profile->at_enqueue ? RCC_CP_PASS : decide(red, queue);
}
