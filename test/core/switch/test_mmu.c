/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The arithmetic of the shared buffer, and the buffer against a naive model over random frames. */
#include "helpers.h"
#include "rcc_switch.h"

#include <stdlib.h>
#include <string.h>

#define ONE ((uint32_t)65536) /* alpha of 1 */
#define MAX_PORTS 32

/* A buffer of ports that are all the same. */
struct bench
{
    struct rcc_mmu_config config;
    struct rcc_mmu_port ports[MAX_PORTS];
    struct rcc_mmu_problem problem;
    struct rcc_mmu *mmu; /* NULL: problem says why */
    void *memory;
    uint32_t n;
};

static struct bench make(uint32_t n, uint64_t rate, rcc_time delay, uint64_t buffer, uint32_t alpha, uint8_t lossless)
{
    struct bench b;
    memset(&b, 0, sizeof b);
    b.n = n;
    b.config.buffer = buffer;
    b.config.alpha = alpha;
    b.config.lossless = lossless;
    b.config.max_frame = 1062;
    for (uint32_t i = 0; i < n; i++)
    {
        b.ports[i].rate = rate;
        b.ports[i].delay = delay;
    }
    return b;
}

static bool start(struct bench *b)
{
    const size_t size = rcc_mmu_size(b->n);
    free(b->memory);
    b->memory = malloc(size);
    ck_assert_ptr_nonnull(b->memory);
    memset(b->memory, 0xa5, size);
    b->mmu = rcc_mmu_start(b->memory, &b->config, b->ports, b->n, &b->problem);
    ck_assert((b->mmu != NULL) == (b->problem.error == RCC_MMU_OK));
    return b->mmu != NULL;
}

static void end(struct bench *b)
{
    free(b->memory);
    b->memory = NULL;
}

static bool paused(const struct bench *b, uint32_t port, uint32_t cls)
{
    return rcc_mmu_is_paused(b->mmu, port, cls);
}

/* Two delays at line rate, three frames, one PFC frame; rounded up, at any rate and delay. */
START_TEST(headroom)
{
    static const uint64_t rates[] = {1000000,    15000000,    1 * GBPS,  5 * GBPS / 2, 25 * GBPS,        100 * GBPS,
                                     400 * GBPS, 1600 * GBPS, 999999999, 1999999999,   RCC_LINE_RATE_MAX};
    static const rcc_time delays[] = {0, 1, 333, 1000, 100000, 1000000000, 9999999999, 10000000000, 86400000000000};
    ck_assert_uint_eq(rcc_mmu_headroom(40 * GBPS, 1000, 1062), 10000 + 3186 + 64); /* by hand */
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++)
        for (size_t d = 0; d < sizeof delays / sizeof delays[0]; d++)
        {
            const double wire = 2.0 * (double)rates[r] * (double)delays[d] / 8e9;
            const double h = (double)rcc_mmu_headroom(rates[r], delays[d], 1066) - 3 * 1066 - 64;
            CHECK(h >= wire * (1 - 1e-12), "%g bit/s %g ns", (double)rates[r], (double)delays[d]);
            CHECK(h <= wire * (1 + 1e-12) + 2, "%g bit/s %g ns", (double)rates[r], (double)delays[d]);
        }
}
END_TEST

/* SIGCOMM'15 section 4: a 12 MB buffer, 32 ports, 8 lossless classes, 22.4 KB of headroom. */
START_TEST(numbers_of_sigcomm15)
{
    static const uint32_t ecn[] = {21740, 21760};
    struct bench b = make(32, 40 * GBPS, 1500, 12000000, ONE, 0xff);
    b.config.headroom = 22400;
    ck_assert(start(&b));
    ck_assert_uint_eq(b.mmu->pool, 12000000 - 8 * 32 * 22400);
    ck_assert_uint_eq(b.mmu->pool / (8 * 32), 24475); /* static t_PFC of 24.47 KB */
    ck_assert_uint_eq(rcc_mmu_threshold(b.mmu), b.mmu->pool);
    /* ECN comes before PFC while t_ECN is below 21.75 KB: 32 egress queues of that length in each of the 8 classes, all
     * from different ports, leave a threshold above what one port then holds of one class. */
    for (size_t i = 0; i < 2; i++)
    {
        ck_assert(start(&b));
        for (uint32_t port = 0; port < 32; port++)
            for (uint32_t c = 0; c < 8; c++)
                ck_assert_int_eq(rcc_mmu_admit(b.mmu, port, c, ecn[i]), RCC_MMU_STORE);
        ck_assert((rcc_mmu_threshold(b.mmu) > 32 * ecn[i]) == (ecn[i] < 21750));
    }
    end(&b);
}
END_TEST

/* Ports that fill up evenly stop at alpha x free pool, which is rcc_mmu_limit. */
START_TEST(dynamic_threshold)
{
    static const uint32_t alphas[] = {ONE / 64, ONE / 8, ONE / 2, ONE, 2 * ONE}, counts[] = {1, 2, 8, 31};
    for (size_t a = 0; a < 5; a++)
        for (size_t i = 0; i < 4; i++)
        {
            const uint32_t n = counts[i];
            const double alpha = (double)alphas[a] / ONE;
            struct bench b = make(32, 40 * GBPS, 1500, 9000000, alphas[a], 1u << 3);
            ck_assert(start(&b));
            for (uint32_t stopped = 0, p = 0; stopped < n; p = (p + 1) % n)
            {
                const bool fits = rcc_mmu_stored(b.mmu, p, 3) + 1062 <= rcc_mmu_threshold(b.mmu);
                if (paused(&b, p, 3))
                    continue;
                CHECK(rcc_mmu_admit(b.mmu, p, 3, 1062) == (fits ? RCC_MMU_STORE : RCC_MMU_STORE_AND_PAUSE), "port %u",
                      p);
                stopped += !fits;
                CHECK(paused(&b, p, 3) == !fits, "port %u", p);
            }
            const double want = n * alpha * (double)b.mmu->pool / (1 + n * alpha);
            CHECK((double)rcc_mmu_limit(b.mmu, 0, n) <= want && (double)rcc_mmu_limit(b.mmu, 0, n) > want - 1,
                  "%u ports", n);
            const double off = (double)b.mmu->used - want;
            CHECK(off < n * 1062.0 * (1 + alpha) && -off < n * 1062.0 * (1 + alpha), "%u ports off by %g", n, off);
            end(&b);
        }
}
END_TEST

/* With alpha above 1, no more than the pool can be stored. */
START_TEST(the_pool_is_never_overcommitted)
{
    static const uint32_t alphas[] = {ONE / 8, ONE, 8 * ONE, 1024 * ONE};
    for (size_t a = 0; a < 4; a++)
    {
        struct bench b = make(16, 40 * GBPS, 1500, 1000000, alphas[a], 1u << 3);
        ck_assert(start(&b));
        for (uint32_t i = 0; i < 2000; i++)
        {
            rcc_mmu_admit(b.mmu, i % 16, i % 3 + 2, 1062);
            ck_assert_uint_le(b.mmu->used, b.mmu->pool);
        }
        end(&b);
    }
}
END_TEST

/* Xoff once beyond T, Xon when the headroom is empty and two frames fit below T again. */
START_TEST(hysteresis)
{
    struct bench b = make(1, 40 * GBPS, 0, 1003064, ONE / 8, 1u << 3);
    unsigned stored = 0, left = 0;
    uint8_t resume;
    b.config.max_frame = 1000;
    b.config.headroom = 3064;
    ck_assert(start(&b));
    ck_assert_uint_eq(b.mmu->pool, 1000000);
    while (rcc_mmu_admit(b.mmu, 0, 3, 1000) == RCC_MMU_STORE)
        stored++;
    ck_assert_uint_eq(stored, 111); /* x <= (10^6 - (x - 1000)) / 8, so x <= 111222 */
    ck_assert(paused(&b, 0, 3));
    ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, 3, 1000), RCC_MMU_STORE); /* in the headroom, without a second Xoff */
    ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, 3, 1000), RCC_MMU_STORE);
    ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, 3, 1000), RCC_MMU_DROP); /* 4 x 1000 are above 3064 */
    ck_assert_uint_eq(rcc_mmu_refresh(b.mmu, 0, &resume), 1u << 3);
    ck_assert_uint_eq(resume, 0);
    while (!rcc_mmu_release(b.mmu, 0, 3, 1000))
        left++;
    /* three frames of headroom first; then pool + 2000 <= (10^6 - pool) / 8, so pool <= 109333 */
    ck_assert_uint_eq(left + 1, 3 + 2);
    ck_assert(!paused(&b, 0, 3));
    ck_assert_uint_eq(rcc_mmu_refresh(b.mmu, 0, &resume), 0);
    ck_assert_uint_eq(resume, 0);
    end(&b);
}
END_TEST

/* A refresh resumes a class that fell below T because other ports released the pool; the pauses of a link that went
 * down are cleared. */
START_TEST(refresh_and_forget)
{
    static const uint8_t classes[] = {0, 3, 7};
    const uint8_t cls = classes[_i];
    const uint8_t bit = (uint8_t)(1u << cls);
    struct bench b = make(2, 40 * GBPS, 0, 200000, ONE, (uint8_t)(0x10 | bit));
    uint8_t resume;
    b.config.pool = 20000;
    ck_assert(start(&b));
    for (int i = 0; i < 10; i++)
        rcc_mmu_admit(b.mmu, 1, 4, 1000);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, cls, 1000), RCC_MMU_STORE);
    ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, cls, 1000), RCC_MMU_STORE_AND_PAUSE);
    ck_assert(!rcc_mmu_release(b.mmu, 0, cls, 1000)); /* the headroom is empty, but T is 5000 */
    ck_assert_uint_eq(rcc_mmu_refresh(b.mmu, 0, &resume), bit);
    for (int i = 0; i < 10; i++)
        rcc_mmu_release(b.mmu, 1, 4, 1000);
    ck_assert(paused(&b, 0, cls));
    ck_assert_uint_eq(rcc_mmu_refresh(b.mmu, 0, &resume), 0);
    ck_assert_uint_eq(resume, bit);
    ck_assert(!paused(&b, 0, cls));
    for (int i = 0; i < 30; i++)
        rcc_mmu_admit(b.mmu, 1, 4, 500);
    ck_assert(paused(&b, 1, 4));
    rcc_mmu_forget_pauses(b.mmu, 1);
    ck_assert(!paused(&b, 1, 4));
    ck_assert_uint_eq(rcc_mmu_refresh(b.mmu, 1, &resume), 0);
    end(&b);
}
END_TEST

/* A port's own alpha and headroom; a static threshold. */
START_TEST(ports_of_their_own)
{
    struct bench b = make(2, 40 * GBPS, 1000, 1000000, ONE / 8, 1u << 3);
    const uint64_t h = rcc_mmu_headroom(40 * GBPS, 1000, 1062);
    b.ports[1].alpha = ONE / 2;
    b.ports[1].headroom = h + 5000;
    ck_assert(start(&b));
    ck_assert_uint_eq(b.mmu->pool, 1000000 - 2 * h - 5000);
    ck_assert_uint_eq(rcc_mmu_ingress(b.mmu, 0)->alpha, ONE / 8);
    ck_assert_uint_eq(rcc_mmu_ingress(b.mmu, 1)->alpha, ONE / 2);
    ck_assert_uint_eq(rcc_mmu_headroom_of(b.mmu, 1, 3), h + 5000);
    ck_assert_uint_eq(rcc_mmu_headroom_of(b.mmu, 1, 2), 0);
    b.config.alpha = 0; /* the alpha of a port is enough */
    ck_assert(start(&b));
    ck_assert_uint_eq(rcc_mmu_ingress(b.mmu, 0)->alpha, 0);
    ck_assert_uint_eq(rcc_mmu_ingress(b.mmu, 1)->alpha, ONE / 2);
    ck_assert_int_eq(rcc_mmu_admit(b.mmu, 1, 3, 1062), RCC_MMU_STORE);
    b.config.alpha = ONE / 8;
    b.config.fixed = 3000;
    ck_assert(start(&b));
    ck_assert_uint_eq(rcc_mmu_ingress(b.mmu, 1)->alpha, 0);
    ck_assert_uint_eq(rcc_mmu_threshold(b.mmu), 3000);
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 2), 6000);
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 100000), b.mmu->pool);
    for (uint32_t port = 0; port < 2; port++)
    {
        for (int i = 0; i < 3; i++)
            ck_assert_int_eq(rcc_mmu_admit(b.mmu, port, 3, 1000), RCC_MMU_STORE);
        ck_assert_int_eq(rcc_mmu_admit(b.mmu, port, 3, 1), RCC_MMU_STORE_AND_PAUSE);
    }
    end(&b);
}
END_TEST

/* ------------------------------------------------------------------ naive model */

struct naive_cell
{
    uint64_t pool, headroom;
    bool paused;
    uint32_t frames[4096]; /* lengths of what is stored, a ring */
    unsigned first, count;
};

static struct naive_cell cells[4][8];

static uint64_t naive_limit(double alpha, uint64_t pool)
{
    uint64_t used = 0;
    for (unsigned p = 0; p < 4; p++)
        for (unsigned c = 0; c < 8; c++)
            used += cells[p][c].pool;
    return (uint64_t)(alpha * (double)(pool - used));
}

static enum rcc_mmu_verdict naive_admit(struct naive_cell *c, uint32_t bytes, double alpha, bool lossless,
                                        uint64_t headroom)
{
    const uint64_t free_pool = naive_limit(1, 100000);
    enum rcc_mmu_verdict verdict = RCC_MMU_DROP;
    if (!c->paused && c->pool + bytes <= naive_limit(alpha, 100000) && bytes <= free_pool)
    {
        c->pool += bytes;
        verdict = RCC_MMU_STORE;
    }
    else if (lossless && c->headroom + bytes <= headroom)
    {
        verdict = c->paused ? RCC_MMU_STORE : RCC_MMU_STORE_AND_PAUSE;
        c->paused = true;
        c->headroom += bytes;
    }
    if (verdict != RCC_MMU_DROP)
        c->frames[(c->first + c->count++) % 4096] = bytes;
    return verdict;
}

/* The first frame leaves. Returns whether Xon is due. */
static bool naive_release(struct naive_cell *c, double alpha, uint32_t *bytes)
{
    uint64_t from_headroom;
    bool xon;
    *bytes = c->frames[c->first];
    c->first = (c->first + 1) % 4096;
    c->count--;
    from_headroom = *bytes < c->headroom ? *bytes : c->headroom;
    c->headroom -= from_headroom;
    c->pool -= *bytes - from_headroom;
    xon = c->paused && c->headroom == 0 && (c->pool == 0 || c->pool + 3000 <= naive_limit(alpha, 100000));
    c->paused = c->paused && !xon;
    return xon;
}

static void run_against_naive(uint64_t seed)
{
    struct rng rng = {seed};
    const uint8_t lossless = (uint8_t)rng_next(&rng);
    const uint32_t alpha = (uint32_t)rng_range(&rng, 1, 64) * ONE / 16;
    struct bench b = make(4, 40 * GBPS, 1500, 1000000, alpha, lossless);
    const uint64_t most = rcc_mmu_headroom(40 * GBPS, 1500, 1500);
    unsigned verdicts[3] = {0, 0, 0};
    uint32_t bytes;
    b.config.max_frame = 1500;
    b.config.pool = 100000;
    ck_assert(start(&b));
    memset(cells, 0, sizeof cells);
    for (int step = 0; step < 20000; step++)
    {
        const uint32_t port = (uint32_t)rng_range(&rng, 0, 3), cls = (uint32_t)rng_range(&rng, 0, 7);
        struct naive_cell *c = &cells[port][cls];
        if (rng_chance(&rng, step / 4000 % 2 ? 35 : 65) && c->count < 4096)
        {
            bytes = (uint32_t)rng_range(&rng, 64, 1500);
            const enum rcc_mmu_verdict want =
                naive_admit(c, bytes, (double)alpha / ONE, (lossless >> cls & 1u) != 0, most);
            verdicts[want]++;
            CHECK(rcc_mmu_admit(b.mmu, port, cls, bytes) == want, "step %d", step);
        }
        else if (c->count > 0)
        {
            const bool want = naive_release(c, (double)alpha / ONE, &bytes);
            CHECK(rcc_mmu_release(b.mmu, port, cls, bytes) == want, "step %d", step);
        }
        CHECK(rcc_mmu_stored(b.mmu, port, cls) == c->pool + c->headroom, "step %d", step);
        CHECK(paused(&b, port, cls) == c->paused, "step %d", step);
    }
    ck_assert(verdicts[0] > 100 && (lossless == 0 || verdicts[1] > 10)); /* every branch was reached */
    for (uint32_t i = 0; i < 32; i++)
    {
        struct naive_cell *c = &cells[i / 8][i % 8];
        while (c->count > 0)
        {
            naive_release(c, (double)alpha / ONE, &bytes);
            rcc_mmu_release(b.mmu, i / 8, i % 8, bytes);
        }
        CHECK(rcc_mmu_stored(b.mmu, i / 8, i % 8) == 0 && !paused(&b, i / 8, i % 8), "an empty port is never paused");
    }
    ck_assert_uint_eq(b.mmu->used, 0);
    end(&b);
}

START_TEST(against_a_naive_model)
{
    for (uint64_t seed = 0; seed < 20; seed++)
        run_against_naive(seed);
}
END_TEST

/* ------------------------------------------------------------------ errors */

/* A class without PFC is bounded by its egress queue, for any ingress port; a class with PFC by its ingress threshold.
 */
START_TEST(egress_threshold)
{
    struct bench b = make(2, 10 * GBPS, 1000, 200000, ONE / 8, 1u << 3);
    uint64_t queue = 0;
    b.config.egress_alpha = ONE;
    ck_assert(start(&b));
    const uint64_t pool = b.mmu->pool;
    while (rcc_mmu_egress_admits(b.mmu, queue, 1000))
    {
        ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, 1, 1000), RCC_MMU_STORE); /* far beyond an eighth of the pool */
        queue += 1000;
    }
    CHECK(queue > pool / 2 - 1000 && queue <= pool / 2, "q <= pool - q: %d of %d", (int)queue, (int)pool);
    ck_assert(rcc_mmu_egress_admits(b.mmu, 0, 1000)); /* another queue */
    queue = 0;
    while (rcc_mmu_admit(b.mmu, 1, 3, 1000) == RCC_MMU_STORE)
        queue += 1000;
    CHECK(queue <= pool / 2 / 8 && paused(&b, 1, 3), "%d", (int)queue);
    while (rcc_mmu_egress_admits(b.mmu, 0, 1000) && rcc_mmu_admit(b.mmu, 1, 0, 1000) == RCC_MMU_STORE)
        ck_assert_uint_le(b.mmu->used, pool);
    end(&b);
}
END_TEST

/* A class with only an egress threshold: one port may fill a pool of any size, and a full pool accepts no more. */
START_TEST(a_pool_that_one_port_fills)
{
    static const uint64_t left[] = {0, (uint64_t)1 << 28, (uint64_t)3 << 40}; /* beside 32 bits and more */
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
    {
        struct bench b = make(2, 10 * GBPS, 1000, left[i] + 100000, ONE / 8, 0);
        b.config.egress_alpha = 8 * ONE;
        ck_assert(start(&b));
        for (int k = 0; k < 100; k++)
            ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, 1, 1000), RCC_MMU_STORE);
        ck_assert_uint_eq(b.mmu->pool - b.mmu->used, left[i]);
        ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, 1, 1000), left[i] == 0 ? RCC_MMU_DROP : RCC_MMU_STORE);
        ck_assert(rcc_mmu_egress_admits(b.mmu, 0, 1) == (left[i] != 0));
        end(&b);
    }
}
END_TEST

/* The thresholds to the byte. */
START_TEST(edges)
{
    struct bench b = make(1, 10 * GBPS, 1000, 800000, ONE, 0);
    uint8_t resume = 0xff;
    b.config.egress_alpha = ONE / 8;
    ck_assert(start(&b));
    ck_assert_uint_eq(b.mmu->ports, 1);
    ck_assert_uint_eq(b.problem.port + b.problem.needed + b.problem.reserved, 0);
    ck_assert(rcc_mmu_egress_admits(b.mmu, 99000, 1000));
    ck_assert(!rcc_mmu_egress_admits(b.mmu, 99001, 1000));
    ck_assert_uint_eq(rcc_mmu_refresh(b.mmu, 0, &resume), 0);
    ck_assert_uint_eq(resume, 0);
    end(&b);

    b = make(1, 10 * GBPS, 1000, 800000, ONE,
             1); /* the first class, beside others without a threshold at the ingress */
    b.config.egress_alpha = ONE;
    b.config.fixed = 100000;
    b.config.resume_gap = 1000;
    ck_assert(start(&b));
    for (int k = 0; k < 100; k++)
        ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, 0, 1000), RCC_MMU_STORE);
    ck_assert_int_eq(rcc_mmu_admit(b.mmu, 0, 0, 1000), RCC_MMU_STORE_AND_PAUSE);
    ck_assert(!rcc_mmu_release(b.mmu, 0, 0, 1000)); /* the headroom */
    ck_assert(!rcc_mmu_release(b.mmu, 0, 0, 999));
    ck_assert_uint_eq(rcc_mmu_refresh(b.mmu, 0, &resume), 1);
    ck_assert(rcc_mmu_release(b.mmu, 0, 0, 1)); /* 99000 + 1000 */
    for (int k = 0; k < 2; k++)
        rcc_mmu_admit(b.mmu, 0, 0, 1000);
    ck_assert(paused(&b, 0, 0));
    rcc_mmu_forget_pauses(b.mmu, 0);
    ck_assert(!paused(&b, 0, 0));
    end(&b);

    b = make(1, 10 * GBPS, 1000, 800000, ONE, 1); /* full: T is 0 */
    b.config.pool = 10000;
    ck_assert(start(&b));
    while (b.mmu->used < b.mmu->pool && rcc_mmu_admit(b.mmu, 0, 1, 1) == RCC_MMU_STORE)
        ;
    while (b.mmu->used < b.mmu->pool && rcc_mmu_admit(b.mmu, 0, 2, 1) == RCC_MMU_STORE)
        ;
    b.mmu->used = b.mmu->pool;
    ck_assert_uint_eq(rcc_mmu_threshold(b.mmu), 0);
    end(&b);
}
END_TEST

/* A buffer that cannot be lossless is an error, exact to the byte, and `problem` has the numbers. */
START_TEST(what_cannot_be_lossless)
{
    const uint64_t h = 50000 + 3 * 1062 + 64; /* 2 x 2 us x 100 Gb/s = 50 KB */
    struct bench b = make(4, 100 * GBPS, 2000, 4 * 2 * h + 4 * 1062, ONE / 8, 0x18);
    ck_assert(start(&b)); /* exactly enough */
    ck_assert_uint_eq(b.mmu->pool, 4 * 1062);
    b.config.buffer--;
    ck_assert(!start(&b));
    ck_assert_int_eq(b.problem.error, RCC_MMU_BUFFER_TOO_SMALL);
    ck_assert_uint_eq(b.problem.classes, 2);
    ck_assert_uint_eq(b.problem.headroom, h);
    ck_assert_uint_eq(b.problem.reserved, 8 * h);
    ck_assert_uint_eq(b.problem.pool, 4 * 1062);
    b.config.buffer = 10000000;
    b.ports[2].headroom = h - 1;
    ck_assert(!start(&b));
    ck_assert_int_eq(b.problem.error, RCC_MMU_HEADROOM_TOO_SMALL);
    ck_assert_uint_eq(b.problem.port, 2);
    ck_assert_uint_eq(b.problem.headroom, h - 1);
    ck_assert_uint_eq(b.problem.needed, h);
    b.ports[2].headroom = 0;
    b.config.headroom = h;
    b.config.buffer = 8 * h + 1000000;
    b.config.pool = 1000001;
    ck_assert(!start(&b));
    ck_assert_uint_eq(b.problem.pool, 1000001);
    b.config.pool = 1000000;
    ck_assert(start(&b));
    b.config.lossless = 0x08; /* one class */
    b.config.headroom = h - 1;
    ck_assert(!start(&b));
    ck_assert_int_eq(b.problem.error, RCC_MMU_HEADROOM_TOO_SMALL);
    b.config.headroom = h;
    b.config.pool = 1;
    ck_assert(start(&b));
    ck_assert_uint_eq(b.problem.pool, 4 * 1062);
    b.config.lossless = 0; /* no lossless class, no headroom */
    b.config.headroom = 1;
    b.config.pool = 0;
    b.config.buffer = 1062;
    ck_assert(start(&b));
    ck_assert_uint_eq(b.mmu->pool, 1062);
    ck_assert_uint_eq(b.problem.pool, 1062);
    end(&b);
}
END_TEST

/* Sizes beyond 64 bits are too large for the buffer; they do not wrap around. */
START_TEST(sums_beyond_64_bits)
{
    static const uint64_t sizes[] = {(uint64_t)1 << 61, (uint64_t)1 << 62, UINT64_MAX / 8 + 2, UINT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    {
        struct bench b = make(4, 40 * GBPS, 1000, 9000000, ONE / 8, 0xff);
        b.ports[1].headroom = sizes[i]; /* times 8 classes */
        ck_assert(!start(&b));
        ck_assert_int_eq(b.problem.error, RCC_MMU_BUFFER_TOO_SMALL);
        ck_assert_uint_eq(b.problem.reserved, UINT64_MAX);
        ck_assert_uint_eq(b.problem.headroom, sizes[i]);
        b.n = 1;
        b.ports[0].headroom = UINT64_MAX / 8; /* just fits */
        ck_assert(!start(&b));
        ck_assert_uint_eq(b.problem.reserved, UINT64_MAX / 8 * 8);
        b.n = 4;
        b.ports[0].headroom = 0;
        b.ports[1].headroom = 0;
        b.config.lossless = 1;
        b.config.headroom = sizes[i]; /* times 4 ports */
        ck_assert(!start(&b));
        ck_assert_int_eq(b.problem.error, RCC_MMU_BUFFER_TOO_SMALL);
        b.config.headroom = 0;
        b.config.pool = UINT64_MAX - (sizes[i] - 1) % 7; /* beside the headroom */
        ck_assert(!start(&b));
        ck_assert_int_eq(b.problem.error, RCC_MMU_BUFFER_TOO_SMALL);
        ck_assert_uint_eq(b.problem.pool, b.config.pool);
        end(&b);
    }
}
END_TEST

/* Any alpha and any static threshold beside the largest pool. */
START_TEST(products_beyond_64_bits)
{
    const uint64_t pool = ((uint64_t)1 << 47) - 1;
    struct bench b = make(1, 10 * GBPS, 1000, pool, UINT32_MAX, 0);
    b.config.egress_alpha = UINT32_MAX;
    ck_assert(start(&b));
    ck_assert_uint_eq(b.mmu->pool, pool);
    /* pool (2^32 - 1) / 2^16 */
    ck_assert_uint_eq(rcc_mmu_threshold(b.mmu), (pool << 16) - (pool + 65535) / 65536);
    ck_assert(rcc_mmu_egress_admits(b.mmu, rcc_mmu_threshold(b.mmu) - 1, 1));
    ck_assert(!rcc_mmu_egress_admits(b.mmu, rcc_mmu_threshold(b.mmu), 1));
    /* n alpha pool / (1 + n alpha): all but one part in 65536 n */
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 1),
                      pool - (pool * 65536 + ((uint64_t)UINT32_MAX + 65536) - 1) / ((uint64_t)UINT32_MAX + 65536));
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, UINT32_MAX), pool - 1);
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 0), 0);
    b.config.alpha = 1;
    ck_assert(start(&b));
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 65536), pool / 2);
    b.config.fixed = (uint64_t)1 << 63;
    ck_assert(start(&b));
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 2), pool);
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 0), 0);
    b.config.fixed = pool / 3;
    ck_assert(start(&b));
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 2), pool / 3 * 2);
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 3), pool / 3 * 3);
    ck_assert_uint_eq(rcc_mmu_limit(b.mmu, 0, 4), pool);
    end(&b);
}
END_TEST

Suite *suite_mmu(void)
{
    Suite *s = suite_create("mmu");
    TCase *t = long_tcase("shared buffer");
    tcase_add_test(t, headroom);
    tcase_add_test(t, numbers_of_sigcomm15);
    tcase_add_test(t, dynamic_threshold);
    tcase_add_test(t, the_pool_is_never_overcommitted);
    tcase_add_test(t, a_pool_that_one_port_fills);
    tcase_add_test(t, edges);
    tcase_add_test(t, hysteresis);
    tcase_add_loop_test(t, refresh_and_forget, 0, 3);
    tcase_add_test(t, ports_of_their_own);
    tcase_add_test(t, against_a_naive_model);
    tcase_add_test(t, egress_threshold);
    tcase_add_test(t, what_cannot_be_lossless);
    tcase_add_test(t, sums_beyond_64_bits);
    tcase_add_test(t, products_beyond_64_bits);
    suite_add_tcase(s, t);
    return s;
}
