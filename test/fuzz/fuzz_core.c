/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes every algorithm of the registry: the input's bytes choose the algorithm,
 * its parameters (in range), the line rate and a sequence of signals.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -Icore/cc test/fuzz/fuzz_core.c `ls core/cc/?*.c` -o fuzz-core
 *     ./fuzz-core -max_total_time=60 -timeout=10       (Debian 12: clang, libclang-rt-14-dev)
 *     gcc -DRCC_FUZZ_STANDALONE ... && ./fuzz-core 10000       (without libFuzzer: pseudo-random inputs)
 */
#include "fuzz.h"
#include "rcc.h"

#define TIME_MAX (INT64_MAX / 2)
#define FLOWS_MAX 40u

/* Which algorithm it was. */
#define REQUIRE_ALG(condition) REQUIRE_OF(alg->name, condition)

/* ------------------------------------------------------------------ input */

/* lo..hi, small values as likely as large ones; one byte for the size, up to eight for the value. */
static int64_t take_range(struct input *in, int64_t lo, int64_t hi)
{
    unsigned shape = (unsigned)take(in, 1);
    uint64_t span = (uint64_t)(hi - lo);
    if (shape == 255)
        return hi;
    if (span == UINT64_MAX)
        return (int64_t)take(in, 8);
    return lo + (int64_t)(take(in, shape % 9) % (span + 1));
}

/* ------------------------------------------------------------------ roles */

static void fuzz_cp(const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env, struct input *in)
{
    struct rcc_error error;
    if (alg->cp == NULL)
        return;
    void *profile_memory = allocate(rcc_profile_size(alg, RCC_CP)), *memory = allocate(rcc_cp_size(alg));
    const struct rcc_profile *profile = rcc_configure(alg, RCC_CP, params, env, profile_memory, &error);
    if (profile != NULL)
    {
        struct rcc_cp *cp = rcc_cp_start(memory, profile, take(in, 1));
        /* notify=negative: |Fb| may be quantised to 0 */
        const bool zeros = alg == rcc_find("qcn") && params[rcc_field_find(alg, "notify")] != 0;
        for (unsigned n = (unsigned)take(in, 1); n > 0; n--)
        {
            struct rcc_cnm m = {0, 0, 0};
            uint64_t queue = (uint64_t)take_range(in, 0, (int64_t)1 << 50);
            uint32_t bytes = (uint32_t)take_range(in, 1, RCC_FRAME_MAX);
            enum rcc_cp_action action = rcc_cp_enqueued(cp, queue, bytes, &m);
            REQUIRE_ALG(m.qfb <= 63);
            REQUIRE_ALG(action != RCC_CP_NOTIFY || m.qfb > 0 || zeros);
            REQUIRE_ALG(rcc_cp_dequeued(cp, queue) != RCC_CP_NOTIFY);
        }
    }
    else
    {
        REQUIRE_ALG(error.message != NULL);
    }
    free(profile_memory);
    free(memory);
}

static void fuzz_np(const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env, struct input *in)
{
    struct rcc_error error;
    if (alg->np == NULL)
        return;
    uint32_t capacity = 1 + (uint32_t)take(in, 1) % FLOWS_MAX;
    void *profile_memory = allocate(rcc_profile_size(alg, RCC_NP)), *memory = allocate(rcc_np_size(alg, capacity));
    rcc_time now = take_range(in, 0, TIME_MAX);
    const struct rcc_profile *profile = rcc_configure(alg, RCC_NP, params, env, profile_memory, &error);
    if (profile != NULL)
    {
        struct rcc_np *np = rcc_np_start(memory, profile, capacity);
        for (unsigned n = (unsigned)take(in, 1); n > 0; n--)
        {
            uint8_t what = (uint8_t)take(in, 1);
            uint32_t flow = (uint32_t)take(in, 1) % capacity;
            now += take_range(in, 0, what % 16 == 0 ? 1000000000 : 200000);
            if (what < 160)
            {
                rcc_np_marked(np, now, flow);
            }
            else if (what < 180)
            {
                rcc_np_close(np, flow);
            }
            else if (what < 190)
            {
                uint32_t larger = capacity + flow;
                if (larger > FLOWS_MAX * 8)
                    continue;
                void *more = allocate(rcc_np_size(alg, larger));
                np = rcc_np_grow(more, np, larger);
                free(memory);
                memory = more;
                capacity = larger;
            }
            else
            {
                struct rcc_cnp cnp;
                rcc_time due = rcc_np_next_due(np);
                if (what > 220 && due != RCC_NEVER && due > now && due < TIME_MAX + TIME_MAX / 2)
                    now = due;
                for (uint32_t taken = 0;; taken++)
                {
                    due = rcc_np_next_due(np);
                    bool more = rcc_np_poll(np, now, &cnp);
                    REQUIRE_ALG(more == (due <= now)); /* true exactly when due */
                    if (!more)
                        break;
                    REQUIRE_ALG(cnp.flow < np->capacity);
                    REQUIRE_ALG(taken <= np->capacity); /* it ends: at most one per flow */
                }
            }
        }
    }
    free(profile_memory);
    free(memory);
}

/* At line rate, unless a parameter says otherwise: a first window below a packet is paced. */
static bool begins_as_told(const struct rcc_algorithm *alg, const int64_t *params, uint64_t rate, uint64_t line)
{
    const int window = rcc_field_find(alg, "initial_cwnd");
    if (window >= 0 && params[window] != 0 && params[window] < (int64_t)RCC_RATIO_ONE)
        return rate >= 1 && rate <= line;
    const int start = rcc_field_find(alg, "start_rate");
    if (start >= 0 && params[start] != 0 && (uint64_t)params[start] < line)
        return rate >= (uint64_t)params[start] && rate <= line; /* the least rate may be higher */
    return rate == line || rcc_field_find(alg, "initial_rate") >= 0;
}

static void fuzz_rp(const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env, struct input *in)
{
    struct rcc_error error;
    void *profile_memory = allocate(rcc_profile_size(alg, RCC_RP)), *memory = allocate(rcc_rp_size(alg));
    rcc_time now = take_range(in, 0, TIME_MAX), ring[16];
    struct rcc_pause_log log;
    const struct rcc_profile *profile = rcc_configure(alg, RCC_RP, params, env, profile_memory, &error);
    if (profile == NULL)
    {
        REQUIRE_ALG(error.message != NULL);
        free(profile_memory);
        free(memory);
        return;
    }
    struct rcc_rp *rp = rcc_rp_start(memory, profile, now, take(in, 1));
    bool paused = false;
    rcc_pause_log_init(&log, ring, 16);
    rp->pause = &log;
    REQUIRE_ALG(begins_as_told(alg, params, rcc_rp_rate(rp), env->line_rate));
    for (unsigned n = (unsigned)take(in, 1); n > 0 && in->size > 0; n--)
    {
        uint8_t what = (uint8_t)take(in, 1);
        /* a class is not paused for years: a silence that long is walked timer by timer */
        now += take_range(in, 0, paused || what % 16 != 0 ? 1000000 : 1000000000000);
        if (what < 80)
        {
            struct rcc_feedback f = {.kind = RCC_FEEDBACK_CNP};
            f.kind = (enum rcc_feedback_kind)(what % 3);
            f.period_ns = (uint32_t)take_range(in, 0, UINT32_MAX);
            f.qfb = (uint8_t)take(in, 1);
            f.ce = what % 2 == 0;
            f.rtt = take_range(in, -1, 1000000000);
            f.acked = take(in, 4);
            rcc_rp_feedback(rp, now - what % 2, &f);
        }
        else if (what < 180)
        {
            rcc_rp_sent(rp, now, 1 + (uint32_t)take(in, 2));
        }
        else if (what < 200)
        {
            paused = !paused;
            rcc_pause_log_set(&log, now, paused);
        }
        else if (what < 220)
        {
            rcc_rp_advance(rp, now);
        }
        else
        {
            bool may = rcc_rp_may_send(rp, now);
            REQUIRE_ALG(may == (rcc_rp_next_send(rp) <= now));
        }
        now = now > rp->now ? now : rp->now;
        REQUIRE_ALG(rcc_rp_rate(rp) >= 1 && rcc_rp_rate(rp) <= env->line_rate);
        REQUIRE_ALG(rp->rate <= env->line_rate << RCC_RATE_SHIFT);
        REQUIRE_ALG(rcc_rp_next_send(rp) >= rp->now);
        REQUIRE_ALG(rcc_rp_next_step(rp) > rp->now);
        uint64_t target, alpha;
        uint32_t state;
        rcc_rp_observe(rp, &target, &alpha, &state);
        REQUIRE_ALG(alpha <= (uint64_t)1 << 32);
    }
    free(profile_memory);
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    const struct rcc_algorithm *alg;
    int64_t params[RCC_MAX_FIELDS];
    size_t count = 0;
    while (rcc_algorithm_at(count) != NULL)
        count++;
    alg = rcc_algorithm_at((size_t)take(&in, 1) % count);
    rcc_params_init(alg, NULL, params);
    for (unsigned n = (unsigned)take(&in, 1) % 16; n > 0 && alg->n_fields > 0; n--)
    {
        const struct rcc_field *f = &alg->fields[take(&in, 1) % alg->n_fields];
        params[f - alg->fields] = take_range(&in, f->min, f->max);
    }
    struct rcc_env env = {(uint64_t)take_range(&in, (int64_t)RCC_LINE_RATE_MIN, (int64_t)RCC_LINE_RATE_MAX), draw};
    uint8_t role = (uint8_t)take(&in, 1);
    if (role % 4 == 0)
        env.draw = NULL;
    if (role < 40)
        fuzz_cp(alg, params, &env, &in);
    else if (role < 120)
        fuzz_np(alg, params, &env, &in);
    else
        fuzz_rp(alg, params, &env, &in);
    return 0;
}
