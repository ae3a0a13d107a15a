/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The congestion point of DCQCN and DCQCN+: RED marking on the egress queue (SIGCOMM'15 section 3.1, fig. 5). */
#include "roles.h"

RCC_CHECK_PROFILE(struct rcc_red_profile);
RCC_CHECK_CP(struct rcc_red_cp);

void rcc_red_derive(struct rcc_red_profile *profile, const struct rcc_env *env, int64_t kmin, int64_t kmax,
                    int64_t pmax_ppb, enum rcc_mark_at mark_at)
{
    uint64_t pmax = rcc_ratio_q62(pmax_ppb) >> 30; /* 2^32 */
    profile->kmin = (uint64_t)kmin;
    profile->kmax = (uint64_t)kmax;
    profile->slope = kmax > kmin ? (pmax << 20) / (uint64_t)(kmax - kmin) : 0;
    profile->draw = env->draw;
    profile->mark_at = mark_at;
}

static enum rcc_cp_action decide(struct rcc_cp *cp, uint64_t queue)
{
    struct rcc_red_cp *red = (struct rcc_red_cp *)cp;
    const struct rcc_red_profile *p = (const struct rcc_red_profile *)cp->profile;
    if (queue <= p->kmin)
        return RCC_CP_PASS;
    if (queue > p->kmax)
        return RCC_CP_MARK;
    if (p->draw == NULL)
        return RCC_CP_PASS;
    /* p = pmax (q - Kmin) / (Kmax - Kmin), in 2^-32 */
    return p->draw(cp->stream, red->draws++) < ((queue - p->kmin) * p->slope) >> 20 ? RCC_CP_MARK : RCC_CP_PASS;
}

/* Mark every n-th frame, independently of the queue. */
static enum rcc_cp_action count(struct rcc_cp *cp, uint64_t queue)
{
    struct rcc_red_cp *red = (struct rcc_red_cp *)cp;
    (void)queue;
    if (++red->draws < ((const struct rcc_red_profile *)cp->profile)->every)
        return RCC_CP_PASS;
    red->draws = 0;
    return RCC_CP_MARK;
}

static enum rcc_cp_action count_enqueued(struct rcc_cp *cp, uint64_t queue, uint32_t bytes, struct rcc_cnm *cnm)
{
    (void)bytes;
    (void)cnm;
    return count(cp, queue);
}

static enum rcc_cp_action enqueued(struct rcc_cp *cp, uint64_t queue, uint32_t bytes, struct rcc_cnm *cnm)
{
    (void)bytes;
    (void)cnm;
    return decide(cp, queue);
}

void rcc_red_start(struct rcc_cp *cp)
{
    const struct rcc_red_profile *p = (const struct rcc_red_profile *)cp->profile;
    if (p->mark_at == RCC_MARK_AT_ENQUEUE)
        cp->enqueued = p->every != 0 ? count_enqueued : enqueued;
    else
        cp->dequeued = p->every != 0 ? count : decide;
}
