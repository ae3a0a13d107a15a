/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The shared buffer of a switch (SIGCOMM'15, section 4). Every operation is O(1) and touches one port. */
#include "rcc_switch.h"

static struct rcc_mmu_cell *cell(struct rcc_mmu *mmu, uint32_t port, uint32_t cls)
{
    return (struct rcc_mmu_cell *)(void *)(mmu + 1) + ((size_t)port * RCC_CLASSES + cls);
}

#define NO_INGRESS_THRESHOLD ((uint64_t)65536 << 20) /* alpha beyond what a port could take of the pool */

static uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

size_t rcc_mmu_size(uint32_t ports)
{
    return sizeof(struct rcc_mmu) + (size_t)ports * RCC_CLASSES * sizeof(struct rcc_mmu_cell);
}

uint64_t rcc_mmu_headroom(uint64_t rate, rcc_time delay, uint32_t max_frame)
{
    /* Whole Gb/s and the rest apart stay in 64 bits for delays of up to ten seconds. */
    const uint64_t giga = 1000000000, ns = 2 * (uint64_t)delay;
    const uint64_t bits = rate / giga * ns + (rate % giga * ns + giga - 1) / giga;
    return (bits + 7) / 8 + 3 * (uint64_t)max_frame + RCC_PFC_FRAME;
}

/* ------------------------------------------------------------------ layout */

static uint32_t count_classes(uint8_t mask)
{
    uint32_t n = 0;
    for (; mask != 0; mask = (uint8_t)(mask & (mask - 1)))
        n++;
    return n;
}

static void start_cells(struct rcc_mmu *mmu, uint32_t port, uint8_t lossless, uint64_t headroom, uint32_t own_alpha)
{
    for (uint32_t c = 0; c < RCC_CLASSES; c++)
    {
        struct rcc_mmu_cell *to = cell(mmu, port, c);
        const bool pfc = ((uint32_t)lossless >> c & 1u) != 0;
        to->pool = to->headroom = 0;
        to->headroom_max = pfc ? headroom : 0;
        to->alpha = mmu->alpha != 0 && own_alpha != 0 ? own_alpha : mmu->alpha;
        if (!pfc && mmu->egress_alpha != 0)
            to->alpha = NO_INGRESS_THRESHOLD;
        to->paused = false;
    }
}

struct rcc_mmu *rcc_mmu_start(void *memory, const struct rcc_mmu_config *config, const struct rcc_mmu_port *ports,
                              uint32_t n, struct rcc_mmu_problem *problem)
{
    struct rcc_mmu *mmu = (struct rcc_mmu *)memory;
    const struct rcc_mmu_problem none = {RCC_MMU_OK, 0, count_classes(config->lossless), 0, 0, 0, 0};
    uint64_t frames;
    *problem = none;
    mmu->used = 0;
    mmu->fixed = config->fixed;
    mmu->alpha = config->fixed != 0 ? 0 : config->alpha;
    mmu->egress_alpha = config->egress_alpha;
    mmu->resume_gap = config->resume_gap != 0 ? config->resume_gap : 2 * (uint64_t)config->max_frame;
    mmu->ports = n;
    for (uint32_t i = 0; i < n; i++)
    {
        const struct rcc_mmu_port *p = &ports[i];
        const uint64_t needed = rcc_mmu_headroom(p->rate, p->delay, config->max_frame);
        const uint64_t headroom = p->headroom != 0 ? p->headroom : config->headroom != 0 ? config->headroom : needed;
        if (headroom < needed && problem->classes > 0)
        {
            problem->error = RCC_MMU_HEADROOM_TOO_SMALL;
            problem->port = i;
            problem->headroom = headroom;
            problem->needed = needed;
            return NULL;
        }
        problem->reserved += headroom * problem->classes;
        problem->headroom = max64(problem->headroom, headroom);
        start_cells(mmu, i, config->lossless, headroom, p->alpha);
    }
    frames = (problem->classes > 0 ? n : 1) * (uint64_t)config->max_frame;
    problem->pool = max64(config->pool, frames);
    if (problem->reserved + problem->pool > config->buffer)
    {
        problem->error = RCC_MMU_BUFFER_TOO_SMALL;
        return NULL;
    }
    mmu->pool = config->pool != 0 ? config->pool : config->buffer - problem->reserved;
    return mmu;
}

/* ------------------------------------------------------------------ per frame */

static uint64_t threshold(const struct rcc_mmu *mmu, uint64_t alpha)
{
    return mmu->fixed + (mmu->used < mmu->pool ? ((mmu->pool - mmu->used) * alpha) >> 16 : 0);
}

static bool may_resume(const struct rcc_mmu *mmu, const struct rcc_mmu_cell *c)
{
    return c->headroom == 0 && (c->pool == 0 || c->pool + mmu->resume_gap <= threshold(mmu, c->alpha));
}

uint64_t rcc_mmu_threshold(const struct rcc_mmu *mmu)
{
    return threshold(mmu, mmu->alpha);
}

enum rcc_mmu_verdict rcc_mmu_admit(struct rcc_mmu *mmu, uint32_t port, uint32_t cls, uint32_t bytes)
{
    struct rcc_mmu_cell *c = cell(mmu, port, cls);
    enum rcc_mmu_verdict verdict;
    if (!c->paused && c->pool + bytes <= threshold(mmu, c->alpha) &&
        mmu->used + bytes <= mmu->pool) /* the latter for alpha > 1 */
    {
        c->pool += bytes;
        mmu->used += bytes;
        return RCC_MMU_STORE;
    }
    if (c->headroom + bytes > c->headroom_max) /* also every class without PFC */
        return RCC_MMU_DROP;
    c->headroom += bytes;
    verdict = c->paused ? RCC_MMU_STORE : RCC_MMU_STORE_AND_PAUSE;
    c->paused = true;
    return verdict;
}

bool rcc_mmu_egress_admits(const struct rcc_mmu *mmu, uint64_t queue, uint32_t bytes)
{
    const uint64_t left = mmu->used < mmu->pool ? mmu->pool - mmu->used : 0;
    return queue + bytes <= (left * mmu->egress_alpha) >> 16;
}

bool rcc_mmu_release(struct rcc_mmu *mmu, uint32_t port, uint32_t cls, uint32_t bytes)
{
    struct rcc_mmu_cell *c = cell(mmu, port, cls);
    const uint64_t from_headroom = bytes < c->headroom ? bytes : c->headroom;
    c->headroom -= from_headroom;
    c->pool -= bytes - from_headroom;
    mmu->used -= bytes - from_headroom;
    if (!c->paused || !may_resume(mmu, c))
        return false;
    c->paused = false;
    return true;
}

uint8_t rcc_mmu_refresh(struct rcc_mmu *mmu, uint32_t port, uint8_t *resume)
{
    uint8_t again = 0;
    *resume = 0;
    for (uint32_t i = 0; i < RCC_CLASSES; i++)
    {
        struct rcc_mmu_cell *c = cell(mmu, port, i);
        if (!c->paused)
            continue;
        c->paused = !may_resume(mmu, c);
        if (c->paused)
            again = (uint8_t)(again | 1u << i);
        else
            *resume = (uint8_t)(*resume | 1u << i);
    }
    return again;
}

void rcc_mmu_forget_pauses(struct rcc_mmu *mmu, uint32_t port)
{
    for (uint32_t c = 0; c < RCC_CLASSES; c++)
        cell(mmu, port, c)->paused = false;
}

uint64_t rcc_mmu_limit(const struct rcc_mmu *mmu, uint32_t ingress)
{
    if (mmu->fixed != 0)
        return ingress * mmu->fixed < mmu->pool ? ingress * mmu->fixed : mmu->pool;
    /* n x = n alpha (pool - n x) */
    return ingress * mmu->alpha * mmu->pool / (65536 + ingress * mmu->alpha);
}
