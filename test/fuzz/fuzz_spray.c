/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes the choice of a path and the trimming of frames: the input's bytes choose settings, weights, and frames that
 * are stored, trimmed or dropped on several routes. Built like fuzz_core.c.
 */
#include "fuzz.h"
#include "rcc_spray.h"
#include "rcc_trim.h"

#define PATHS 16u
#define FLOWLETS 64u

struct queues
{
    uint64_t bytes[PATHS], headers[PATHS];
    uint32_t n;
};

static uint64_t length(const void *host, uint32_t path)
{
    const struct queues *q = host;
    REQUIRE(path < q->n);
    return q->bytes[path];
}

/* The frame joins its queue, its header that of headers, or neither; the bounds hold. */
static bool store(struct queues *q, const struct rcc_trim *trim, uint32_t path, const struct rcc_trim_frame *frame)
{
    const enum rcc_trim_verdict verdict = rcc_trim_decide(trim, frame, q->bytes[path], q->headers[path]);
    REQUIRE(verdict != RCC_TRIM_WHOLE || frame->admitted);
    REQUIRE(verdict != RCC_TRIM_HEADER || (frame->data && trim->size != 0));
    if (verdict == RCC_TRIM_WHOLE)
        q->bytes[path] += frame->bytes;
    if (verdict == RCC_TRIM_HEADER)
    {
        q->headers[path] += rcc_trim_bytes(trim, frame->bytes);
        REQUIRE(q->headers[path] <= trim->limit);
    }
    return verdict != RCC_TRIM_DROP;
}

static void run(struct rcc_spray *spray, struct rcc_spray_route *routes, const struct rcc_trim *trim, struct input *in)
{
    struct queues q[2] = {{.n = routes[0].n}, {.n = routes[1].n}};
    rcc_time now = 0;
    while (in->size > 0)
    {
        const uint8_t what = (uint8_t)take(in, 1);
        const unsigned i = what % 2;
        const struct rcc_spray_frame frame = {what / 8u, what % 8 < 6, length, &q[i]};
        const struct rcc_trim_frame size = {64 + (uint32_t)take(in, 2) % 4096, frame.data, what % 16 == 3,
                                            what % 32 != 5};
        struct rcc_spray_choice choice, again;
        now += (rcc_time)take(in, 1);
        rcc_spray_pick(spray, &routes[i], &frame, now, &choice);
        rcc_spray_pick(spray, &routes[i], &frame, now, &again);
        REQUIRE(choice.path < routes[i].n && memcmp(&choice, &again, sizeof choice) == 0);
        if (spray->settings->rule == RCC_SPRAY_LEAST && frame.data)
            for (uint32_t at = 0; at < RCC_SPRAY_MEMORY_MAX && choice.best[at] != 0; at++)
                REQUIRE(q[i].bytes[choice.path] <= q[i].bytes[choice.best[at] - 1]);
        if (store(&q[i], trim, choice.path, &size))
            rcc_spray_taken(spray, &routes[i], &choice, now);
        if (what > 200)
            q[i] = (struct queues){.n = routes[i].n}; /* all have left */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    const uint8_t flags = (uint8_t)take(&in, 1);
    const struct rcc_spray_settings settings = {.rule = (enum rcc_spray_rule)(flags % 6),
                                                .samples = (uint32_t)take(&in, 1) % 10,
                                                .memory = (uint32_t)take(&in, 1) % 6,
                                                .gap = (rcc_time)take(&in, 1),
                                                .flowlets = (uint32_t)take(&in, 1) % (FLOWLETS + 1)};
    const struct rcc_trim trim = {.threshold = take(&in, 2), .limit = take(&in, 2), .size = (uint32_t)take(&in, 1)};
    uint32_t weights[PATHS];
    struct rcc_spray_route routes[2] = {{.n = 1 + (uint32_t)take(&in, 1) % PATHS}, {.n = 1 + flags / 6u % PATHS}};
    struct rcc_flowlet *table;
    struct rcc_spray spray;
    if (rcc_spray_check(&settings) != NULL)
        return 0;
    for (uint32_t i = 0; i < PATHS; i++)
        weights[i] = i == 0 ? 1 : (uint32_t)take(&in, 3) % (RCC_SPRAY_WEIGHT_MAX + 1);
    routes[1].weights = flags & 128 ? weights : NULL;
    table = allocate((settings.flowlets + 1) * sizeof *table);
    rcc_spray_init(&spray, &settings, rcc_path_salt(flags), take(&in, 8), table);
    run(&spray, routes, &trim, &in);
    free(table);
    return 0;
}
