/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The part of a notification point that all algorithms share. */
#include "roles.h"

static struct rcc_np *prepare(void *memory, const struct rcc_profile *profile, uint32_t capacity)
{
    struct rcc_np *np = (struct rcc_np *)memory;
    rcc_clear(memory, profile->alg->np->size(capacity));
    np->ops = profile->alg->np;
    np->profile = profile;
    np->capacity = capacity;
    return np;
}

size_t rcc_np_size(const struct rcc_algorithm *alg, uint32_t capacity)
{
    return alg->np != NULL ? alg->np->size(capacity) : 0;
}

struct rcc_np *rcc_np_start(void *memory, const struct rcc_profile *profile, uint32_t capacity)
{
    struct rcc_np *np;
    if (memory == NULL || profile == NULL || profile->role != RCC_NP)
        return NULL;
    np = prepare(memory, profile, capacity);
    np->ops->start(np);
    return np;
}

struct rcc_np *rcc_np_grow(void *memory, const struct rcc_np *old, uint32_t capacity)
{
    struct rcc_np *np = prepare(memory, old->profile, capacity);
    np->ops->grow(np, old);
    return np;
}

void rcc_np_close(struct rcc_np *np, uint32_t flow)
{
    np->ops->close(np, flow);
}

void rcc_np_marked(struct rcc_np *np, rcc_time now, uint32_t flow)
{
    np->ops->marked(np, now, flow);
}

rcc_time rcc_np_next_due(const struct rcc_np *np)
{
    return np->ops->next_due(np);
}

bool rcc_np_poll(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp)
{
    return np->ops->poll(np, now, cnp);
}
