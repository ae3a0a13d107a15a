/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes the port: the input's bytes choose queue pairs that come and go with their keys, pauses, and frames and
 * feedback behind a token bucket. Build and run as fuzz_core.c, with -Icore/port.
 */
#include "fuzz.h"
#include "rcc_port.h"

#define QPS 64u

/* ------------------------------------------------------------------ order and pauses */

static void check_heap(const struct rcc_heap *heap, const uint32_t *at)
{
    for (uint32_t i = 0; i < heap->count; i++)
    {
        REQUIRE(at[heap->ids[i]] == i);
        REQUIRE(i == 0 || heap->keys[(i - 1) / 4] <= heap->keys[i]);
        REQUIRE(i == 0 || heap->keys[(i - 1) / 4 * 4 + 1 + heap->least[(i - 1) / 4]] <= heap->keys[i]);
    }
}

static void fuzz_order(struct input *in)
{
    struct rcc_port port;
    rcc_time keys[RCC_CLASSES][QPS], log[16], due, now = 0;
    uint32_t ids[RCC_CLASSES][QPS], at[QPS];
    uint8_t least[RCC_CLASSES][RCC_HEAP_PARENTS(QPS)];
    rcc_port_init(&port);
    for (unsigned c = 0; c < RCC_CLASSES; c++)
        rcc_heap_init(&port.classes[c].heap, keys[c], ids[c], least[c], QPS);
    for (unsigned i = 0; i < QPS; i++)
        at[i] = RCC_PORT_NONE;
    rcc_pause_log_init(&port.classes[0].pauses, log, 16);
    while (in->size > 0)
    {
        const uint8_t what = (uint8_t)take(in, 1), paused = (uint8_t)take(in, 1);
        const uint32_t id = what % QPS;
        const unsigned cls = id % RCC_CLASSES;
        now += what;
        if (what < 150)
            rcc_port_set(&port, cls, id, (rcc_time)take(in, what % 9) & INT64_MAX, at);
        else if (what < 220)
            rcc_port_remove(&port, cls, id, at);
        else if (rcc_port_pause_changes(&port, paused) != 0)
            rcc_port_log_pause(&port, 0, now, paused & 1u);
        check_heap(&port.classes[cls].heap, at);
        REQUIRE((port.used >> cls & 1u) == (port.classes[cls].heap.count != 0));
        const uint32_t first = rcc_port_first(&port, paused, &due);
        REQUIRE(rcc_port_next_due(&port, paused) == due);
        REQUIRE(first == RCC_PORT_NONE || (at[first] == 0 && !(paused >> first % RCC_CLASSES & 1u)));
    }
}

/* ------------------------------------------------------------------ bucket */

static void fuzz_bucket(struct input *in)
{
    const struct rcc_algorithm *alg = rcc_find(take(in, 1) % 2 == 0 ? "dcqcn" : "qcn");
    const struct rcc_env env = {RCC_LINE_RATE_MIN + take(in, 5) % (RCC_LINE_RATE_MAX - RCC_LINE_RATE_MIN), draw};
    const struct rcc_bucket bucket = {1u + (uint32_t)take(in, 4) % (1u << 30), take(in, 1) % 2 == 0,
                                      1 + (rcc_time)take(in, 3) % 1000000};
    int64_t params[RCC_MAX_FIELDS];
    uint64_t memory[RCC_RP_SIZE_MAX / 8];
    rcc_time now = (rcc_time)take(in, 5);
    struct rcc_pacer pacer;
    void *profile_memory = malloc(rcc_profile_size(alg, RCC_RP));
    const struct rcc_profile *profile;
    REQUIRE(profile_memory != NULL);
    rcc_params_init(alg, NULL, params);
    profile = rcc_configure(alg, RCC_RP, params, &env, profile_memory, NULL);
    if (profile != NULL)
    {
        pacer.rp = rcc_rp_start(memory, profile, now, 1);
        pacer.tokens = rcc_bucket_start(&bucket, now);
        for (unsigned n = 0; n < 40 && in->size > 0; n++)
        {
            const uint8_t what = (uint8_t)take(in, 1);
            const uint32_t bytes = 1 + (uint32_t)take(in, 2) % RCC_FRAME_MAX;
            struct rcc_feedback fb = {.kind = RCC_FEEDBACK_CNP};
            fb.kind = what % 2 == 0 ? RCC_FEEDBACK_CNP : RCC_FEEDBACK_CNM;
            fb.qfb = what & 63;
            now += (rcc_time)take(in, 2);
            if (what < 128)
                rcc_pacer_feedback(&pacer, &bucket, now, &fb);
            else
                rcc_pacer_advance(&pacer, &bucket, now);
            if (rcc_bucket_passes(&bucket, bytes) && bytes < 4096 && pacer.tokens.bytes > -4096)
            {
                const rcc_time due = rcc_pacer_next_send(&pacer, &bucket, bytes);
                REQUIRE(due >= now);
                rcc_pacer_sent(&pacer, &bucket, due, bytes);
                REQUIRE(bucket.debt || pacer.tokens.bytes >= 0);
                now = due;
            }
            REQUIRE(pacer.tokens.bytes <= (int64_t)bucket.size);
            REQUIRE(now - pacer.tokens.filled < bucket.interval && pacer.tokens.filled <= now);
        }
    }
    free(profile_memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    if (take(&in, 1) < 128)
        fuzz_order(&in);
    else
        fuzz_bucket(&in);
    return 0;
}
