/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The shared buffer of a switch (SIGCOMM'15, section 4). Every operation is O(1) and touches one port. */
#include "rcc_switch.h"

#include "fixed.h"

static struct rcc_mmu_ingress *ingress_of(struct rcc_mmu *mmu, uint32_t port)
{
    return (struct rcc_mmu_ingress *)(void *)(mmu + 1) + port;
}

#define NO_INGRESS_THRESHOLD UINT64_MAX /* more than any port holds */

static uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Saturating arithmetic for sizes given by a user: a sum beyond 64 bits does not fit a buffer. */
static uint64_t sum(uint64_t a, uint64_t b)
{
    return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

static uint64_t times(uint64_t a, uint32_t n)
{
    return n == 0 || a <= UINT64_MAX / n ? a * n : UINT64_MAX;
}

size_t rcc_mmu_size(uint32_t ports)
{
    return sizeof(struct rcc_mmu) + (size_t)ports * sizeof(struct rcc_mmu_ingress);
}

/* Bits of a link in a time, (rate x ns + round) / 10^9 for round < 10^9: the products of whole seconds, whole Gb/s and
 * the remainders fit 64 bits each for up to a day. */
static uint64_t bits_in(uint64_t rate, uint64_t ns, uint64_t round)
{
    const uint64_t giga = 1000000000, part = ns % giga;
    const uint64_t rest = rate / giga * part + (rate % giga * part + round) / giga;
    return sum(times(rate, (uint32_t)(ns / giga)), rest);
}

uint64_t rcc_mmu_headroom(uint64_t rate, rcc_time delay, uint32_t max_frame)
{
    return (bits_in(rate, 2 * (uint64_t)delay, 999999999) + 7) / 8 + 3 * (uint64_t)max_frame + RCC_PFC_FRAME;
}

struct rcc_mmu_port rcc_mmu_port_of(const struct rcc_mmu_rules *rules, uint64_t rate, rcc_time delay)
{
    struct rcc_mmu_port port = {.rate = rate, .delay = delay};
    if (rules->headroom_delays != 0)
        port.headroom = max64(rules->headroom != 0 ? rules->headroom : rcc_mmu_headroom(rate, delay, rules->max_frame),
                              bits_in(rate, (uint64_t)delay * rules->headroom_delays, 0) / 8);
    for (unsigned twice = 1; rules->alpha_rate != 0 && twice <= 3 && rate > rules->alpha_rate; twice++, rate /= 2)
        port.alpha = ((rules->alpha >> (3 - twice)) + 1) / 2; /* 2^-20 to 2^-16 and times 2^twice, to nearest */
    return port;
}

/* ------------------------------------------------------------------ layout */

static uint32_t count_classes(uint8_t mask)
{
    uint32_t n = 0;
    for (; mask != 0; mask = (uint8_t)(mask & (mask - 1)))
        n++;
    return n;
}

static void start_port(struct rcc_mmu *mmu, uint32_t port, uint64_t headroom, uint32_t own_alpha)
{
    const struct rcc_mmu_ingress zero = {0};
    struct rcc_mmu_ingress *in = ingress_of(mmu, port);
    *in = zero;
    in->headroom = headroom;
    in->alpha = mmu->fixed == 0 && own_alpha != 0 ? own_alpha : mmu->alpha;
}

struct rcc_mmu *rcc_mmu_start(void *memory, const struct rcc_mmu_config *config, const struct rcc_mmu_port *ports,
                              uint32_t n, struct rcc_mmu_problem *problem)
{
    struct rcc_mmu *mmu = (struct rcc_mmu *)memory;
    const struct rcc_mmu_problem none = {.error = RCC_MMU_OK, .classes = count_classes(config->lossless)};
    uint64_t frames;
    *problem = none;
    mmu->used = 0;
    mmu->fixed = config->fixed;
    mmu->alpha = config->fixed != 0 ? 0 : config->alpha;
    mmu->egress_alpha = config->egress_alpha;
    mmu->resume_gap = config->resume_gap != 0 ? config->resume_gap : 2 * (uint64_t)config->max_frame;
    mmu->ports = n;
    mmu->lossless = config->lossless;
    mmu->unbounded = (uint8_t)(config->egress_alpha != 0 ? ~config->lossless : 0);
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
        problem->reserved = sum(problem->reserved, times(headroom, problem->classes));
        problem->headroom = max64(problem->headroom, headroom);
        start_port(mmu, i, headroom, p->alpha);
    }
    frames = (problem->classes > 0 ? n : 1) * (uint64_t)config->max_frame;
    problem->pool = max64(config->pool, frames);
    if (sum(problem->reserved, problem->pool) > config->buffer)
    {
        problem->error = RCC_MMU_BUFFER_TOO_SMALL;
        return NULL;
    }
    mmu->pool = config->pool != 0 ? config->pool : config->buffer - problem->reserved;
    return mmu;
}

/* ------------------------------------------------------------------ per frame */

/* The pool is below 2^47 and alpha below 2^32: their product may exceed 64 bits, the threshold does not. */
static uint64_t threshold(const struct rcc_mmu *mmu, uint64_t alpha)
{
    return mmu->fixed + (mmu->used < mmu->pool ? rcc_mul_shift(mmu->pool - mmu->used, alpha, 16) : 0);
}

/* T of a port and class. */
static uint64_t threshold_of(const struct rcc_mmu *mmu, const struct rcc_mmu_ingress *in, unsigned bit)
{
    return (mmu->unbounded & bit) == 0 ? threshold(mmu, in->alpha) : NO_INGRESS_THRESHOLD;
}

/* Whether a paused class, which is lossless, may resume. */
static bool may_resume(const struct rcc_mmu *mmu, const struct rcc_mmu_ingress *in, uint32_t cls)
{
    const struct rcc_mmu_cell *c = &in->cell[cls];
    return c->headroom == 0 && (c->pool == 0 || c->pool + mmu->resume_gap <= threshold(mmu, in->alpha));
}

uint64_t rcc_mmu_threshold(const struct rcc_mmu *mmu)
{
    return threshold(mmu, mmu->alpha);
}

enum rcc_mmu_verdict rcc_mmu_admit(struct rcc_mmu *mmu, uint32_t port, uint32_t cls, uint32_t bytes)
{
    struct rcc_mmu_ingress *in = ingress_of(mmu, port);
    struct rcc_mmu_cell *c = &in->cell[cls];
    const unsigned bit = 1u << cls;
    enum rcc_mmu_verdict verdict;
    if ((in->paused & bit) == 0 && c->pool + bytes <= threshold_of(mmu, in, bit) &&
        mmu->used + bytes <= mmu->pool) /* with alpha > 1, T may exceed the free pool */
    {
        c->pool += bytes;
        mmu->used += bytes;
        return RCC_MMU_STORE;
    }
    if ((mmu->lossless & bit) == 0 || c->headroom + bytes > in->headroom)
        return RCC_MMU_DROP;
    c->headroom += bytes;
    verdict = (in->paused & bit) != 0 ? RCC_MMU_STORE : RCC_MMU_STORE_AND_PAUSE;
    in->paused = (uint8_t)(in->paused | bit);
    return verdict;
}

bool rcc_mmu_egress_admits(const struct rcc_mmu *mmu, uint64_t queue, uint32_t bytes)
{
    const uint64_t left = mmu->used < mmu->pool ? mmu->pool - mmu->used : 0;
    return queue + bytes <= rcc_mul_shift(left, mmu->egress_alpha, 16);
}

bool rcc_mmu_release(struct rcc_mmu *mmu, uint32_t port, uint32_t cls, uint32_t bytes)
{
    struct rcc_mmu_ingress *in = ingress_of(mmu, port);
    struct rcc_mmu_cell *c = &in->cell[cls];
    const uint64_t from_headroom = bytes < c->headroom ? bytes : c->headroom;
    c->headroom -= from_headroom;
    c->pool -= bytes - from_headroom;
    mmu->used -= bytes - from_headroom;
    if (((uint32_t)in->paused >> cls & 1u) == 0 || !may_resume(mmu, in, cls))
        return false;
    in->paused = (uint8_t)(in->paused & ~(1u << cls));
    return true;
}

uint8_t rcc_mmu_refresh(struct rcc_mmu *mmu, uint32_t port, uint8_t *resume)
{
    struct rcc_mmu_ingress *in = ingress_of(mmu, port);
    *resume = 0;
    for (uint32_t i = 0; i < RCC_CLASSES; i++)
    {
        if (((uint32_t)in->paused >> i & 1u) != 0 && may_resume(mmu, in, i))
            *resume = (uint8_t)(*resume | 1u << i);
    }
    in->paused = (uint8_t)(in->paused & ~*resume);
    return in->paused;
}

void rcc_mmu_forget_pauses(struct rcc_mmu *mmu, uint32_t port)
{
    ingress_of(mmu, port)->paused = 0;
}

/* Mean of the ports but one, which is exact where they are equal; that of the switch without another port. */
static uint64_t alpha_beside(const struct rcc_mmu *mmu, uint32_t port)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < mmu->ports; i++)
        all += i != port ? rcc_mmu_ingress(mmu, i)->alpha : 0;
    return mmu->ports > 1 ? all / (mmu->ports - 1) : mmu->alpha;
}

uint64_t rcc_mmu_limit(const struct rcc_mmu *mmu, uint32_t egress, uint32_t ingress)
{
    const uint64_t whole = 65536 + ingress * alpha_beside(mmu, egress), free = mmu->pool * 65536;
    if (mmu->fixed != 0)
        return times(mmu->fixed, ingress) < mmu->pool ? times(mmu->fixed, ingress) : mmu->pool;
    /* n x = n alpha (pool - n x): 1 / (1 + n alpha) of the pool stays free */
    return mmu->pool - free / whole - (free % whole != 0);
}
