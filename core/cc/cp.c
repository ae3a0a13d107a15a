/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The part of a congestion point that all algorithms share. */
#include "roles.h"

enum rcc_cp_frames rcc_cp_watches(const struct rcc_algorithm *alg)
{
    return alg->cp != NULL ? alg->cp->frames : RCC_CP_NONE;
}

size_t rcc_cp_size(const struct rcc_algorithm *alg)
{
    return alg->cp != NULL ? alg->cp->size : 0;
}

struct rcc_cp *rcc_cp_start(void *memory, const struct rcc_profile *profile, uint64_t stream)
{
    struct rcc_cp *cp = (struct rcc_cp *)memory;
    if (memory == NULL || profile == NULL || profile->role != RCC_CP)
        return NULL;
    rcc_clear(memory, profile->alg->cp->size);
    cp->profile = profile;
    cp->stream = stream;
    profile->alg->cp->start(cp);
    return cp;
}
