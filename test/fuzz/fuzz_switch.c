/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes core/switch: the input's bytes choose a configuration and a sequence of signals for the shared buffer, the
 * pauses of a port, or the credits of a CIOQ switch. Built like fuzz_core.c.
 */
#include "fuzz.h"
#include "rcc_switch.h"

#define PORTS_MAX 8u
#define FRAMES_MAX 512u

/* ------------------------------------------------------------------ shared buffer */

struct stored
{
    uint32_t port, cls, bytes;
};

/* The pool holds what the cells say, no pool or headroom overflows, and an empty port is not paused for long. */
static void check_mmu(const struct rcc_mmu *mmu)
{
    uint64_t used = 0;
    for (uint32_t port = 0; port < mmu->ports; port++)
        for (uint32_t cls = 0; cls < RCC_CLASSES; cls++)
        {
            const struct rcc_mmu_cell *c = rcc_mmu_cell(mmu, port, cls);
            used += c->pool;
            REQUIRE(c->headroom <= rcc_mmu_headroom_of(mmu, port, cls));
            REQUIRE(!rcc_mmu_is_paused(mmu, port, cls) || rcc_mmu_headroom_of(mmu, port, cls) > 0);
        }
    REQUIRE(used == mmu->used);
    REQUIRE(mmu->used <= mmu->pool);
}

static void run_mmu(struct rcc_mmu *mmu, struct input *in)
{
    struct stored frames[FRAMES_MAX];
    unsigned count = 0;
    while (in->size > 0)
    {
        const uint32_t what = (uint32_t)take(in, 1), port = (uint32_t)take(in, 1) % mmu->ports;
        const uint32_t cls = what % RCC_CLASSES;
        uint8_t resume;
        if (what < 160 && count < FRAMES_MAX)
        {
            const struct stored f = {port, cls, 64 + (uint32_t)take(in, 2) % 1459};
            const bool paused = rcc_mmu_is_paused(mmu, port, cls);
            const enum rcc_mmu_verdict verdict = rcc_mmu_admit(mmu, port, cls, f.bytes);
            REQUIRE(verdict != RCC_MMU_STORE_AND_PAUSE || !paused);
            if (verdict != RCC_MMU_DROP)
                frames[count++] = f;
        }
        else if (what < 240 && count > 0)
        {
            const unsigned at = (unsigned)take(in, 2) % count;
            const struct stored f = frames[at];
            const bool paused = rcc_mmu_is_paused(mmu, f.port, f.cls);
            REQUIRE(!rcc_mmu_release(mmu, f.port, f.cls, f.bytes) || paused);
            frames[at] = frames[--count];
        }
        else if (what < 252)
        {
            const uint8_t again = rcc_mmu_refresh(mmu, port, &resume);
            REQUIRE((again & resume) == 0);
        }
        else
        {
            rcc_mmu_forget_pauses(mmu, port);
        }
        check_mmu(mmu);
    }
    while (count-- > 0)
        rcc_mmu_release(mmu, frames[count].port, frames[count].cls, frames[count].bytes);
    check_mmu(mmu);
    REQUIRE(mmu->used == 0);
}

static void fuzz_mmu(struct input *in)
{
    const uint32_t n = 1 + (uint32_t)take(in, 1) % PORTS_MAX;
    struct rcc_mmu_config config = {.buffer = take(in, 3),
                                    .pool = take(in, 1) % 3 == 0 ? take(in, 3) : 0,
                                    .alpha = 1 + (uint32_t)take(in, 3),
                                    .max_frame = 1522,
                                    .lossless = (uint8_t)take(in, 1)};
    struct rcc_mmu_port ports[PORTS_MAX];
    struct rcc_mmu_problem problem;
    void *memory = allocate(rcc_mmu_size(n));
    struct rcc_mmu *mmu;
    config.headroom = take(in, 1) % 3 == 0 ? take(in, 2) : 0;
    config.fixed = take(in, 1) % 4 == 0 ? take(in, 2) : 0;
    for (uint32_t i = 0; i < n; i++)
    {
        ports[i].rate = 1000000000 * (1 + take(in, 1));
        ports[i].delay = (rcc_time)take(in, 1) * 10;
        ports[i].headroom = take(in, 1) % 8 == 0 ? take(in, 2) : 0;
        ports[i].alpha = take(in, 1) % 8 == 0 ? (uint32_t)take(in, 3) : 0;
    }
    mmu = rcc_mmu_start(memory, &config, ports, n, &problem);
    REQUIRE((mmu == NULL) == (problem.error != RCC_MMU_OK));
    if (mmu != NULL)
        run_mmu(mmu, in);
    free(memory);
}

/* ------------------------------------------------------------------ pauses */

static void fuzz_pfc(struct input *in)
{
    struct rcc_pfc_state state;
    struct rcc_pfc_request request = {0, take(in, 1) % 2 == 0};
    rcc_time now = (rcc_time)take(in, 5), began = now;
    memset(&state, 0, sizeof state);
    while (in->size > 0)
    {
        const uint8_t what = (uint8_t)take(in, 1);
        uint8_t changed = 0;
        now += (rcc_time)take(in, 2);
        while (rcc_pfc_next_expiry(&state) <= now)
        {
            const rcc_time due = rcc_pfc_next_expiry(&state);
            REQUIRE(rcc_pfc_expire(&state, due) != 0 || state.paused == 0);
        }
        if (what % 4 == 0)
        {
            const uint8_t mask = (uint8_t)take(in, 1), said = rcc_pfc_ask(&request, mask, what % 8 == 0);
            REQUIRE(request.link_pause ? said == 0 || said == UINT8_MAX : said == mask);
        }
        else if (what < 250)
        {
            uint16_t quanta[RCC_CLASSES];
            const uint8_t classes = (uint8_t)take(in, 1), running = state.paused;
            for (unsigned c = 0; c < RCC_CLASSES; c++)
                quanta[c] = (uint16_t)take(in, 1 + what % 2);
            changed = rcc_pfc_receive(&state, now, RCC_LINE_RATE_MAX >> what % 16, classes, quanta);
            REQUIRE((changed & ~classes) == 0);
            REQUIRE((running ^ changed) == state.paused);
        }
        else
        {
            rcc_pfc_clear(&state, now);
            REQUIRE(state.paused == 0);
        }
        REQUIRE((rcc_pfc_next_expiry(&state) == RCC_NEVER) == (state.paused == 0));
        REQUIRE(rcc_pfc_next_expiry(&state) > now || state.paused == 0);
        REQUIRE(rcc_pfc_paused_time(&state, now) >= 0 && rcc_pfc_paused_time(&state, now) <= now - began);
    }
}

/* ------------------------------------------------------------------ CIOQ */

static void fuzz_cioq(struct input *in)
{
    static struct rcc_cioq_record records[FRAMES_MAX];
    bool inside[FRAMES_MAX] = {false};
    const uint64_t capacity = 1522 + take(in, 2);
    struct rcc_cioq_input input = {.stop = 1 + take(in, 2)};
    struct rcc_cioq_output output = {.reserved = 0};
    struct rcc_cioq_fabric fabric = {.rate = 1 + take(in, 5)};
    struct rcc_cioq_voq voq = {.input = 7};
    void *list = allocate(rcc_cioq_list_size(capacity));
    uint64_t draws = 0, bytes = 0;
    rcc_time entered = 0;
    input.go = take(in, 2) % input.stop;
    rcc_cioq_start(&input.buffer, RCC_CIOQ_INPUT, capacity, 1522, list);
    rcc_cioq_start(&output.buffer, RCC_CIOQ_OUTPUT, capacity, 1522, NULL);
    while (in->size > 0)
    {
        const unsigned i = (unsigned)take(in, 2) % FRAMES_MAX;
        struct rcc_cioq_record *r = &records[i];
        const struct rcc_cioq_record fresh = {
            .flow = i % 5, .bytes = 1 + (uint32_t)take(in, 2) % 1522, .listed = i % 7 != 0};
        const rcc_time then = rcc_cioq_enter(&fabric, entered / 2, fresh.bytes);
        REQUIRE(then >= entered);
        entered = then < ((rcc_time)1 << 60) ? then : 0;
        fabric.free = entered;
        if (!inside[i] && input.buffer.bytes + fresh.bytes <= capacity)
        {
            *r = fresh;
            inside[i] = true;
            bytes += r->bytes;
            rcc_cioq_add(&input.buffer, r);
            if (rcc_cioq_must_stop(&input))
                REQUIRE(input.buffer.bytes >= input.stop);
            voq.head_bytes = r->bytes;
            rcc_cioq_request(&output, &voq);
            if (rcc_cioq_grant(&output) == &voq)
            {
                rcc_cioq_land(&output, r);
                REQUIRE(output.buffer.bytes <= capacity);
                rcc_cioq_remove(&output.buffer, r);
            }
            REQUIRE(output.first == NULL && output.reserved == 0);
        }
        else if (inside[i])
        {
            inside[i] = false;
            bytes -= r->bytes;
            rcc_cioq_remove(&input.buffer, r);
            if (rcc_cioq_may_go(&input))
                REQUIRE(input.buffer.bytes <= input.go);
        }
        REQUIRE(input.buffer.bytes == bytes);
        REQUIRE(input.stopped || bytes < input.stop);
        if (fresh.bytes % 8 == 0)
        {
            const struct rcc_cioq_record *fullest = rcc_cioq_fullest(&input.buffer);
            const struct rcc_cioq_record *random = rcc_cioq_random(&input.buffer, draw, 1, &draws);
            REQUIRE((fullest == NULL) == (input.buffer.count == 0) && (random == NULL) == (fullest == NULL));
            REQUIRE(fullest == NULL || (inside[fullest - records] && inside[random - records] && random->listed));
        }
    }
    free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    switch (take(&in, 1) % 3)
    {
    case 0:
        fuzz_mmu(&in);
        break;
    case 1:
        fuzz_pfc(&in);
        break;
    default:
        fuzz_cioq(&in);
        break;
    }
    return 0;
}
