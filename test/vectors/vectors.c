/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Drives every algorithm of the registry with the same pseudo-random signals
 * wherever it is compiled, and prints what they do as integers. Two compilers,
 * word sizes or byte orders agree if their outputs are the same bytes.
 *
 *     cc -std=c11 -Icore/cc -Icore/wire test/vectors/vectors.c $(find core -name "*.c") -o vectors && ./vectors
 *
 * Whether the values are right is for test/core to say; this says that they are
 * the same everywhere. No floating point, and no memory is looked at as another
 * type: a hash takes values, not bytes of structs.
 */
#include "../core/wire/decode.c"
#include "rcc.h"
#include "roles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANDOM_SETS 40u  /* random parameter sets of an algorithm, besides its presets */
#define STEPS 500u       /* signals of one trace */
#define SHOWN_EVERY 125u /* a line with all values after so many of them */
#define FLOWS 24u
#define PAUSES 64u
#define HASH_START 0xcbf29ce484222325u

static const uint64_t line_rates[] = {RCC_LINE_RATE_MIN, 10000000000,   40000000007,
                                      400000000000,      2880000000000, RCC_LINE_RATE_MAX};
#define LINE_RATES (sizeof line_rates / sizeof line_rates[0])

/* ------------------------------------------------------------------ random numbers */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u; /* splitmix64 */
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t next(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return mix(*state);
}

/* 0..top, both included. */
static uint64_t below(uint64_t *state, uint64_t top)
{
    uint64_t value = next(state);
    return top == UINT64_MAX ? value : value % (top + 1);
}

/* lo..hi; uniform in the number of digits, so that small values are as frequent as large ones. */
static int64_t spread(uint64_t *state, int64_t lo, int64_t hi)
{
    uint64_t span = (uint64_t)hi - (uint64_t)lo, value = next(state);
    unsigned bits = 0;
    for (unsigned half = 32; half > 0; half /= 2)
        if (span >> bits >> half != 0)
            bits += half;
    bits = (unsigned)below(state, bits + (span != 0)); /* 0 to as many as span has */
    value = bits == 0 ? 0 : value >> (64 - bits);
    return (int64_t)((uint64_t)lo + (value < span ? value : span));
}

static uint32_t draw(uint64_t stream, uint64_t index)
{
    return (uint32_t)(mix(mix(stream + 1) + index * 0x9e3779b97f4a7c15u) >> 32);
}

/* ------------------------------------------------------------------ one trace */

struct trace
{
    char name[160];
    uint64_t hash; /* hash of the values until now */
    unsigned step;
};

static void begin(struct trace *t, const struct rcc_algorithm *alg, const char *set, uint64_t line_rate,
                  const char *role)
{
    snprintf(t->name, sizeof t->name, "%s %s %" PRIu64 " %s", alg->name, set, line_rate, role);
    t->hash = HASH_START;
    t->step = 0;
}

static void step(struct trace *t, const uint64_t *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        t->hash = mix(t->hash ^ values[i]); /* mixes whole values; byte by byte took half of the time under qemu */
    t->step++;
    if (t->step % SHOWN_EVERY != 0)
        return;
    printf("%s %u:", t->name, t->step);
    for (unsigned i = 0; i < count; i++)
        printf(" %" PRIu64, values[i]);
    printf(" #%016" PRIx64 "\n", t->hash);
}

static void refused(const struct trace *t, const char *why)
{
    printf("%s refused: %s\n", t->name, why);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        abort();
    memset(memory, 0xa5, size); /* no algorithm may rely on zeroed memory */
    return memory;
}

/* ------------------------------------------------------------------ roles */

static struct rcc_feedback feedback(uint64_t *rng)
{
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_CNP};
    uint64_t kind = below(rng, 2);
    f.kind = kind == 0 ? RCC_FEEDBACK_CNP : kind == 1 ? RCC_FEEDBACK_CNM : RCC_FEEDBACK_ACK;
    f.period_ns = below(rng, 2) == 0 ? 0 : (uint32_t)spread(rng, 0, UINT32_MAX);
    f.qfb = (uint8_t)below(rng, 63);
    f.ce = below(rng, 1) != 0;
    f.rtt = below(rng, 9) == 0 ? -1 : spread(rng, 0, 10000000);
    f.acked = (uint64_t)spread(rng, 0, 1000000000);
    return f;
}

static void trace_rp(struct trace *t, const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env,
                     uint64_t seed)
{
    void *profile_memory = allocate(rcc_profile_size(alg, RCC_RP)), *memory = allocate(rcc_rp_size(alg));
    struct rcc_error error;
    rcc_time now = spread(&seed, 0, INT64_MAX / 4), ring[PAUSES];
    struct rcc_pause_log log;
    const struct rcc_profile *profile = rcc_configure(alg, RCC_RP, params, env, profile_memory, &error);
    if (profile == NULL)
    {
        refused(t, error.message);
        free(profile_memory);
        free(memory);
        return;
    }
    struct rcc_rp *rp = rcc_rp_start(memory, profile, now, seed);
    bool paused = false;
    rcc_pause_log_init(&log, ring, PAUSES);
    rp->pause = &log;
    for (unsigned i = 0; i < STEPS; i++)
    {
        uint64_t dice = below(&seed, 99), target = 0, alpha = 0;
        uint32_t state = 0;
        now += spread(&seed, 0, dice == 0 && !paused ? 1000000000 : 500000);
        if (dice < 30)
        {
            struct rcc_feedback f = feedback(&seed);
            rcc_rp_feedback(rp, now, &f);
        }
        else if (dice < 80)
        {
            /* most hosts wait until the packet may leave, some do not */
            rcc_time due = rcc_rp_next_send(rp);
            if (dice < 70 && due > now && due - now < 10000000)
                now = due;
            rcc_rp_sent(rp, now, (uint32_t)spread(&seed, 1, 9000));
        }
        else if (dice < 85)
        {
            paused = !paused;
            rcc_pause_log_set(&log, now, paused);
        }
        else
        {
            rcc_rp_advance(rp, now);
        }
        if (alg->rp->observe != NULL)
            rcc_rp_observe(rp, &target, &alpha, &state);
        const uint64_t values[] = {(uint64_t)rp->now,
                                   rp->rate,
                                   rcc_rp_rate(rp),
                                   target,
                                   alpha,
                                   state,
                                   (uint64_t)rp->paced_at,
                                   (uint64_t)rp->debt,
                                   (uint64_t)rcc_rp_next_step(rp),
                                   (uint64_t)rcc_rp_next_send(rp)};
        step(t, values, sizeof values / sizeof values[0]);
    }
    free(profile_memory);
    free(memory);
}

static void trace_np(struct trace *t, const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env,
                     uint64_t seed)
{
    uint32_t capacity = FLOWS;
    void *profile_memory = allocate(rcc_profile_size(alg, RCC_NP)), *memory = allocate(rcc_np_size(alg, capacity));
    struct rcc_error error;
    rcc_time now = spread(&seed, 0, INT64_MAX / 4);
    const struct rcc_profile *profile = rcc_configure(alg, RCC_NP, params, env, profile_memory, &error);
    if (profile == NULL)
    {
        refused(t, error.message);
        free(profile_memory);
        free(memory);
        return;
    }
    struct rcc_np *np = rcc_np_start(memory, profile, capacity);
    for (unsigned i = 0; i < STEPS; i++)
    {
        uint64_t dice = below(&seed, 99), taken = 0;
        uint32_t flow = (uint32_t)below(&seed, capacity - 1);
        struct rcc_cnp cnp = {0, 0};
        now += spread(&seed, 0, dice == 0 ? 1000000000 : 100000);
        if (dice < 80)
        {
            rcc_np_marked(np, now, flow);
        }
        else if (dice < 84)
        {
            rcc_np_close(np, flow);
        }
        else if (dice == 84 && capacity < 8 * FLOWS)
        {
            uint32_t larger = capacity + FLOWS;
            void *more = allocate(rcc_np_size(alg, larger));
            np = rcc_np_grow(more, np, larger);
            free(memory);
            memory = more;
            capacity = larger;
        }
        rcc_time due = rcc_np_next_due(np);
        if (dice % 4 == 0)
            while (rcc_np_poll(np, now, &cnp))
                taken = mix(taken + ((uint64_t)cnp.flow << 32) + cnp.period_ns);
        const uint64_t values[] = {
            (uint64_t)now, (uint64_t)due, taken, cnp.flow, cnp.period_ns, capacity, (uint64_t)rcc_np_next_due(np)};
        step(t, values, sizeof values / sizeof values[0]);
    }
    free(profile_memory);
    free(memory);
}

static void trace_cp(struct trace *t, const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env,
                     uint64_t seed)
{
    void *profile_memory = allocate(rcc_profile_size(alg, RCC_CP)), *memory = allocate(rcc_cp_size(alg));
    struct rcc_error error;
    uint64_t queue = 0, most = (uint64_t)spread(&seed, 100000, (int64_t)1 << 40);
    const struct rcc_profile *profile = rcc_configure(alg, RCC_CP, params, env, profile_memory, &error);
    if (profile == NULL)
    {
        refused(t, error.message);
        free(profile_memory);
        free(memory);
        return;
    }
    struct rcc_cp *cp = rcc_cp_start(memory, profile, seed);
    for (unsigned i = 0; i < STEPS; i++)
    {
        uint32_t bytes = (uint32_t)spread(&seed, 64, 9000);
        struct rcc_cnm m = {0, 0, 0};
        enum rcc_cp_action in = RCC_CP_PASS, out = RCC_CP_PASS;
        /* walks, and jumps now and then */
        if (below(&seed, 19) == 0)
            queue = (uint64_t)spread(&seed, 0, (int64_t)most);
        else if (below(&seed, 1) == 0)
            queue = queue > bytes ? queue - bytes : 0;
        else
            queue += bytes;
        in = rcc_cp_enqueued(cp, queue, bytes, &m);
        if (in != RCC_CP_NOTIFY) /* only then does the CNM say anything */
            memset(&m, 0, sizeof m);
        out = rcc_cp_dequeued(cp, queue);
        const uint64_t values[] = {
            queue, bytes, (uint64_t)in, (uint64_t)out, m.qfb, (uint64_t)m.qoff, (uint64_t)m.qdelta};
        step(t, values, sizeof values / sizeof values[0]);
    }
    free(profile_memory);
    free(memory);
}

static void all_roles(const struct rcc_algorithm *alg, const char *set, const int64_t *params, uint64_t seed)
{
    for (size_t i = 0; i < LINE_RATES; i++)
    {
        struct rcc_env env = {.line_rate = line_rates[i], .draw = seed % 8 == 7 ? NULL : draw};
        struct trace t;
        begin(&t, alg, set, env.line_rate, "rp");
        trace_rp(&t, alg, params, &env, mix(seed + i));
        if (alg->np != NULL)
        {
            begin(&t, alg, set, env.line_rate, "np");
            trace_np(&t, alg, params, &env, mix(seed + i + 100));
        }
        if (alg->cp != NULL)
        {
            begin(&t, alg, set, env.line_rate, "cp");
            trace_cp(&t, alg, params, &env, mix(seed + i + 200));
        }
    }
}

/* ------------------------------------------------------------------ fixed point */

static void arithmetic(void)
{
    struct trace t = {"arithmetic", HASH_START, 0};
    uint64_t seed = 1;
    for (unsigned i = 0; i < 4 * STEPS; i++)
    {
        /* one draw per expression: operands are evaluated in no fixed order */
        uint64_t a = (uint64_t)spread(&seed, INT64_MIN, INT64_MAX);
        uint64_t b = (uint64_t)spread(&seed, 0, INT64_MAX);
        uint64_t base = RCC_Q62_ONE - (uint64_t)spread(&seed, 0, (int64_t)RCC_Q62_ONE);
        unsigned shift = 1 + (unsigned)below(&seed, 62);
        int64_t ppb = spread(&seed, 0, 2 * RCC_RATIO_ONE), period = spread(&seed, 1, (int64_t)1 << 60);
        const uint64_t values[] = {a,
                                   b,
                                   shift,
                                   rcc_mul_shift(a, b, shift),
                                   rcc_ratio_q62(ppb),
                                   rcc_mul_ratio(a >> 1, ppb, UINT64_MAX / 2),
                                   rcc_pow_q62(base, b >> 40),
                                   (uint64_t)rcc_jitter(period, ppb / 2, (uint32_t)a)};
        step(&t, values, sizeof values / sizeof values[0]);
    }
}

static bool out_of_range(const struct rcc_algorithm *alg, const int64_t *params)
{
    for (size_t i = 0; i < alg->n_fields; i++)
        if (params[i] < alg->fields[i].min || params[i] > alg->fields[i].max)
            return true;
    return false;
}

/* ------------------------------------------------------------------ wire */

/* Frames of every kind as bytes: their length, ICRC and CRC, and what the decoder finds in them. */
static void wire(void)
{
    static uint8_t out[2048];
    struct trace t = {"wire", HASH_START, 0};
    uint64_t seed = 3;
    for (unsigned i = 0; i < 4 * STEPS; i++)
    {
        struct rcc_wire_frame f, back;
        memset(&f, 0, sizeof f);
        f.kind = (enum rcc_wire_kind)(i % (RCC_WIRE_OTHER + 1u));
        f.dst = next(&seed) >> 16;
        f.src = next(&seed) >> 16;
        f.vlan_tagged = below(&seed, 1) == 0;
        f.cn_tagged = below(&seed, 1) == 0;
        f.vlan = (uint16_t)next(&seed);
        f.cn_flow = (uint16_t)next(&seed);
        f.ethertype = 0x88b5;
        f.syndrome = (uint8_t)next(&seed);
        f.msn = (uint32_t)next(&seed) & 0xffffffu;
        f.period_ns = (uint32_t)next(&seed);
        f.ip.src = (uint32_t)next(&seed);
        f.ip.dst = (uint32_t)next(&seed);
        f.ip.id = (uint16_t)next(&seed);
        const unsigned place = (unsigned)below(&seed, 7);
        f.bth.opcode = rcc_wire_data_opcode((place & 4u) != 0, (place & 2u) != 0, (place & 1u) != 0);
        f.bth.qp = (uint32_t)next(&seed) & 0xffffffu;
        f.bth.psn = (uint32_t)next(&seed) & 0xffffffu;
        f.reth.address = next(&seed);
        f.cnm.qfb = (uint8_t)(next(&seed) & 63u);
        f.cnm.cpid = next(&seed);
        f.cnm.qoff = rcc_wire_cnm_units(spread(&seed, -10000000, 10000000));
        f.pause.classes = (uint8_t)next(&seed);
        f.pause.quanta[i % 8] = (uint16_t)next(&seed);
        f.payload_bytes = f.kind == RCC_WIRE_CNM ? 0 : (size_t)below(&seed, 1500);
        const size_t bytes = rcc_wire_encode(&f, out, sizeof out, NULL);
        const enum wire_error error = wire_decode(out, bytes, &back);
        const uint64_t values[] = {(uint64_t)f.kind,
                                   bytes,
                                   rcc_crc32(0, out, bytes),
                                   (uint64_t)error,
                                   back.dst,
                                   back.bth.psn,
                                   back.period_ns,
                                   back.reth.address,
                                   back.cnm.cpid,
                                   back.ip.src,
                                   (uint64_t)(back.cnm.qoff + 32768),
                                   back.payload_bytes};
        step(&t, values, sizeof values / sizeof values[0]);
    }
}

int main(void)
{
    const struct rcc_algorithm *alg;
    uint64_t seed = 2026;
    arithmetic();
    wire();
    for (size_t k = 0; (alg = rcc_algorithm_at(k)) != NULL; k++)
    {
        int64_t params[RCC_MAX_FIELDS];
        char set[24];
        printf("%s %d fields\n", rcc_find(alg->name)->title, (int)alg->n_fields);
        for (const struct rcc_preset *p = alg->presets; p->name != NULL; p++)
        {
            rcc_params_init(alg, p->name, params);
            all_roles(alg, p->name, params, next(&seed) & ~(uint64_t)7);
        }
        for (unsigned n = 0; n < RANDOM_SETS && alg->n_fields > 0; n++)
        {
            rcc_params_init(alg, NULL, params);
            for (size_t i = 0; i < alg->n_fields; i++)
                if (below(&seed, 2) == 0)
                    params[i] = spread(&seed, alg->fields[i].min, alg->fields[i].max);
            if (out_of_range(alg, params))
                return 1;
            snprintf(set, sizeof set, "random-%u", n);
            all_roles(alg, set, params, next(&seed));
        }
    }
    return ferror(stdout) != 0 || fflush(stdout) != 0;
}
