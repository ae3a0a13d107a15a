/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The port compared with one that searches all queue pairs, the token bucket with one that processes every tick. */
#include "helpers.h"
#include "rcc_port.h"

#include <stdlib.h>
#include <string.h>

#define QPS 200u

/* ------------------------------------------------------------------ which queue pair is next */

struct naive_port
{
    bool queued[QPS];
    rcc_time key[QPS];
    unsigned cls[QPS];
};

static rcc_time naive_due(const struct naive_port *n, uint8_t paused)
{
    rcc_time due = RCC_NEVER;
    for (unsigned i = 0; i < QPS; i++)
        if (n->queued[i] && !(paused >> n->cls[i] & 1u) && n->key[i] < due)
            due = n->key[i];
    return due;
}

static void grow(struct rcc_heap *heap)
{
    const uint32_t capacity = heap->capacity == 0 ? 1 : 2 * heap->capacity;
    rcc_time *keys = malloc(capacity * sizeof *keys), *old_keys = heap->keys;
    uint32_t *ids = malloc(capacity * sizeof *ids), *old_ids = heap->ids;
    uint8_t *least = malloc(RCC_HEAP_PARENTS(capacity)), *old_least = heap->least;
    rcc_heap_grow(heap, keys, ids, least, capacity);
    free(old_keys);
    free(old_ids);
    free(old_least);
}

static void set(struct rcc_port *port, unsigned cls, uint32_t id, rcc_time key, uint32_t *at)
{
    struct rcc_heap *heap = &port->classes[cls].heap;
    if (heap->count == heap->capacity)
        grow(heap);
    rcc_port_set(port, cls, id, key, at);
}

/* Which of the children of an entry has the least key, the first of equal ones. */
static uint8_t naive_least(const struct rcc_heap *heap, uint32_t parent)
{
    const uint32_t child = 4 * parent + 1;
    uint32_t least = child;
    for (uint32_t c = child; c < child + 4 && c < heap->count; c++)
        least = heap->keys[c] < heap->keys[least] ? c : least;
    return (uint8_t)(least - child);
}

/* Check the heap: no entry is before its parent, `least` is the least child, and `at` has the position of each entry.
 */
static void check_heap(const struct rcc_heap *heap, const uint32_t *at)
{
    for (uint32_t i = 0; i < heap->count; i++)
    {
        CHECK(at[heap->ids[i]] == i, "entry %u", i);
        CHECK(i == 0 || heap->keys[(i - 1) / 4] <= heap->keys[i], "entry %u is before its parent", i);
        CHECK(4 * i + 1 >= heap->count || heap->least[i] == naive_least(heap, i), "least child of entry %u", i);
    }
}

static void check_next(const struct rcc_port *port, const struct naive_port *n, uint8_t paused)
{
    rcc_time due;
    const uint32_t first = rcc_port_first(port, paused, &due);
    CHECK(due == naive_due(n, paused) && due == rcc_port_next_due(port, paused), "due %lld", (long long)due);
    CHECK((first == RCC_PORT_NONE) == (due == RCC_NEVER), "first");
    if (first != RCC_PORT_NONE)
        CHECK(n->queued[first] && n->key[first] == due && !(paused >> n->cls[first] & 1u), "queue pair %u", first);
    for (uint32_t id = 0; first != RCC_PORT_NONE && id < QPS; id++) /* the lowest class is first among equal times */
        if (n->queued[id] && n->key[id] == due && !(paused >> n->cls[id] & 1u))
            CHECK(n->cls[first] <= n->cls[id], "queue pair %u of class %u before class %u", first, n->cls[first],
                  n->cls[id]);
}

START_TEST(test_order)
{
    struct rcc_port port;
    struct naive_port n;
    struct rng rng = {9};
    uint32_t at[QPS];
    memset(&n, 0, sizeof n);
    rcc_port_init(&port);
    for (unsigned i = 0; i < QPS; i++)
    {
        at[i] = RCC_PORT_NONE;
        n.cls[i] = i % 10 < 8 ? i % 2 : (unsigned)rng_range(&rng, 0, 7);
    }
    for (uint64_t step = 0; step < rounds(100000); step++)
    {
        const uint32_t id = (uint32_t)rng_range(&rng, 0, QPS - 1);
        const bool fill = step / 1000 % 2 == 0; /* full and nearly empty heaps */
        if (rng_chance(&rng, fill ? 80 : 20))
        {
            n.key[id] = rng_range(&rng, 0, step % 3 == 0 ? 5 : 1000000);
            n.queued[id] = true;
            set(&port, n.cls[id], id, n.key[id], at);
        }
        else
        {
            n.queued[id] = false;
            rcc_port_remove(&port, n.cls[id], id, at);
        }
        CHECK((at[id] != RCC_PORT_NONE) == n.queued[id], "position");
        check_next(&port, &n, (uint8_t)rng_range(&rng, 0, 255));
        check_next(&port, &n, 0);
        check_heap(&port.classes[n.cls[id]].heap, at);
    }
    for (unsigned c = 0; c < RCC_CLASSES; c++)
    {
        free(port.classes[c].heap.keys);
        free(port.classes[c].heap.ids);
        free(port.classes[c].heap.least);
    }
}
END_TEST

/* Equal keys that are set again after each turn: every queue pair gets one turn before any gets two. */
START_TEST(test_round_robin)
{
    rcc_time keys[7];
    uint32_t ids[7], at[7];
    uint8_t least[RCC_HEAP_PARENTS(7)];
    unsigned turns[7] = {0};
    struct rcc_heap heap;
    rcc_heap_init(&heap, keys, ids, least, 7);
    ck_assert_uint_eq(heap.capacity, 7);
    for (uint32_t i = 0; i < 7; i++)
    {
        at[i] = RCC_PORT_NONE;
        rcc_heap_set(&heap, i, 0, at);
    }
    for (unsigned turn = 0; turn < 700; turn++)
    {
        const uint32_t id = heap.ids[0];
        ck_assert_uint_eq(turns[id], turn / 7);
        turns[id]++;
        rcc_heap_set(&heap, id, turns[id], at);
    }
}
END_TEST

/* The first queue pair stays first while no key is earlier; of equal keys the entry with the least index is next. */
START_TEST(test_equal_keys)
{
    rcc_time keys[4];
    uint32_t ids[4], at[4];
    uint8_t least[RCC_HEAP_PARENTS(4)];
    struct rcc_heap heap;
    rcc_heap_init(&heap, keys, ids, least, 4);
    for (uint32_t i = 0; i < 4; i++)
    {
        at[i] = RCC_PORT_NONE;
        rcc_heap_set(&heap, i, 5, at);
        ck_assert_uint_eq(heap.ids[0], 0);
    }
    rcc_heap_set(&heap, 0, 4, at);
    rcc_heap_set(&heap, 0, 5, at);
    ck_assert_uint_eq(heap.ids[0], 0);
    rcc_heap_set(&heap, 0, 6, at);
    ck_assert_uint_eq(heap.ids[0], 1);
}
END_TEST

/* The first one of equal children moves up. The first key is raised, and its new place is compared with a scan. */
START_TEST(test_equal_children)
{
    enum
    {
        N = 1 + 4 + 16 + 3
    };
    struct rng rng = {11};
    for (uint64_t round = 0; round < rounds(20000); round++)
    {
        rcc_time keys[N], want_keys[N], raised;
        uint32_t ids[N], want[N], at[N], i = 0;
        uint8_t children[RCC_HEAP_PARENTS(N)];
        struct rcc_heap heap;
        rcc_heap_init(&heap, keys, ids, children, N);
        for (uint32_t id = 0; id < N; id++)
        {
            at[id] = RCC_PORT_NONE;
            rcc_heap_set(&heap, id, rng_range(&rng, 0, 3), at);
        }
        memcpy(want, ids, sizeof ids);
        memcpy(want_keys, keys, sizeof keys);
        raised = keys[0] + rng_range(&rng, 0, 3);
        for (;;)
        {
            uint32_t least = 4 * i + 1;
            for (uint32_t c = 4 * i + 1; c < N && c <= 4 * i + 4; c++)
                least = want_keys[c] < want_keys[least] ? c : least;
            if (least >= N || want_keys[least] >= raised)
                break;
            want[i] = want[least];
            want_keys[i] = want_keys[least];
            i = least;
        }
        want[i] = ids[0];
        want_keys[i] = raised;
        rcc_heap_set(&heap, ids[0], raised, at);
        CHECK(memcmp(ids, want, sizeof ids) == 0 && memcmp(keys, want_keys, sizeof keys) == 0, "round %llu",
              (unsigned long long)round);
    }
}
END_TEST

/* ------------------------------------------------------------------ pauses */

/* Each class that keeps a log, the first and the last too. */
START_TEST(test_pause_changes)
{
    struct rcc_port port;
    rcc_time storage[RCC_CLASSES][2];
    rcc_port_init(&port);
    ck_assert_uint_eq(rcc_port_pause_changes(&port, 0xff), 0);
    for (unsigned c = 0; c < RCC_CLASSES; c++)
        rcc_pause_log_init(&port.classes[c].pauses, storage[c], 2);
    ck_assert_uint_eq(rcc_port_pause_changes(&port, 0xff), 0xff);
    rcc_port_log_pause(&port, 0, 1, true);
    ck_assert_uint_eq(rcc_port_pause_changes(&port, 0xff), 0xfe);
    ck_assert_uint_eq(rcc_port_pause_changes(&port, 0), 0x01);
}
END_TEST

START_TEST(test_pause_log)
{
    struct rcc_port port;
    rcc_time *storage = malloc(4 * sizeof *storage);
    rcc_time toggles[1000];
    unsigned count = 0;
    uint8_t paused = 0;
    struct rng rng = {2};
    rcc_time now = 0;
    rcc_port_init(&port);
    rcc_pause_log_init(&port.classes[3].pauses, storage, 4);
    while (count < 1000)
    {
        const uint8_t next = (uint8_t)rng_range(&rng, 0, 255);
        const unsigned changes = rcc_port_pause_changes(&port, next);
        now += rng_range(&rng, 1, 100);
        ck_assert_uint_eq(changes, (unsigned)((next ^ paused) & 8)); /* the class that keeps a log, no other */
        if (changes != 0)
        {
            const uint32_t capacity = port.classes[3].pauses.mask + 1;
            if (rcc_port_log_is_full(&port, 3) && capacity < 1024)
            {
                rcc_time *larger = malloc(2 * capacity * sizeof *larger);
                rcc_port_grow_log(&port, 3, larger, 2 * capacity);
                free(storage);
                storage = larger;
            }
            rcc_port_log_pause(&port, 3, now, (next & 8) != 0);
            toggles[count++] = now;
        }
        paused = next;
        ck_assert_uint_eq(port.classes[3].pause_epoch, count);
        ck_assert_uint_eq(port.classes[2].pause_epoch, 0);
    }
    for (unsigned i = 0; i < count; i++)
    {
        ck_assert(rcc_pause_log_at(&port.classes[3].pauses, toggles[i]) == (i % 2 == 0));
        ck_assert(rcc_pause_log_at(&port.classes[3].pauses, toggles[i] - 1) == (i % 2 == 1));
    }
    free(storage);
}
END_TEST

/* A host that grows its log late has lost the oldest changes, and no others. */
START_TEST(test_log_that_grows_late)
{
    for (unsigned changes = 0; changes < 20; changes++)
    {
        struct rcc_port port;
        rcc_time small[4], large[16];
        struct rcc_pause_log *log = &port.classes[5].pauses;
        const unsigned lost = changes > 4 ? changes - 4 : 0;
        rcc_port_init(&port);
        ck_assert(!rcc_port_log_is_full(&port, 5));
        rcc_pause_log_init(log, small, 4);
        for (unsigned i = 0; i < changes; i++)
            rcc_port_log_pause(&port, 5, 10 * (rcc_time)i, i % 2 == 0);
        CHECK(rcc_port_log_is_full(&port, 5) == (changes >= 4), "%u changes", changes);
        rcc_port_grow_log(&port, 5, large, 16);
        ck_assert_uint_eq(log->count, changes);
        ck_assert_uint_eq(log->mask, 15);
        for (unsigned i = lost; i < changes; i++)
            CHECK(log->toggle[i & log->mask] == 10 * (rcc_time)i, "change %u of %u", i, changes);
    }
}
END_TEST

/* ------------------------------------------------------------------ token bucket */

/* A reaction point and a bucket that are advanced tick by tick. */
struct naive_bucket
{
    uint64_t memory[RCC_RP_SIZE_MAX / 8];
    int64_t size, interval, tokens, tick;
};

static struct rcc_rp *rp_of(struct naive_bucket *n)
{
    return (struct rcc_rp *)n->memory;
}

/* Advance to `now`. Stop and return true if the tokens reach `need` at a tick before. */
static bool run(struct naive_bucket *n, rcc_time now, int64_t need)
{
    while (n->tick + n->interval <= now)
    {
        int64_t more;
        n->tick += n->interval;
        rcc_rp_advance(rp_of(n), n->tick);
        more = (int64_t)(rcc_rp_rate(rp_of(n)) * (uint64_t)n->interval / 8000000000u);
        n->tokens += more > 1 ? more : 1;
        n->tokens = n->tokens < n->size ? n->tokens : n->size;
        if (n->tokens >= need)
            return true;
    }
    rcc_rp_advance(rp_of(n), now);
    return false;
}

/* Apply an event to both: feedback before a frame may leave, silence, or the frame as soon as it may leave. */
static rcc_time happen(struct rng *rng, const struct rig *rig, struct rcc_pacer *pacer, const struct rcc_bucket *bucket,
                       struct naive_bucket *n, rcc_time now, rcc_time due, uint32_t bytes)
{
    const int64_t what = rng_range(rng, 0, 3);
    if (what == 0)
    {
        const struct rcc_feedback fb = own_feedback(rig, rng);
        now += rng_range(rng, 0, due > now ? due - now : 0);
        rcc_pacer_feedback(pacer, bucket, now, &fb);
        run(n, now, INT64_MAX);
        rcc_rp_feedback(rp_of(n), now, &fb);
    }
    else if (what == 1)
    {
        now += rng_range(rng, 0, rng_chance(rng, 5) ? 50 * MS : 50 * US);
        rcc_pacer_advance(pacer, bucket, now);
        run(n, now, INT64_MAX);
    }
    else
    {
        now = due;
        rcc_pacer_sent(pacer, bucket, now, bytes);
        run(n, now, INT64_MAX);
        rcc_rp_sent(rp_of(n), now, bytes);
        n->tokens -= bytes;
    }
    return now;
}

START_TEST(test_bucket)
{
    for (uint64_t seed = 1; seed <= 24; seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        struct naive_bucket n;
        rcc_time now = rng_range(&rng, 0, SEC);
        const bool qcn = seed % 2 == 0;
        struct rcc_bucket bucket = {(uint32_t)rng_range(&rng, 1500, 20000), seed % 4 < 2,
                                    seed < 12 ? 16000 : rng_range(&rng, 1, 100000)};
        struct rcc_pacer pacer;
        rig_init(&rig, qcn ? "qcn" : "dcqcn", qcn ? "netfpga-1g" : "paper", seed % 3 == 0 ? GBPS : 40 * GBPS);
        rig_start(&rig, now, seed);
        pacer.rp = rig.rp;
        pacer.tokens = rcc_bucket_start(&bucket, now);
        memcpy(n.memory, rig.rp, rcc_rp_size(rig.alg));
        n.size = n.tokens = bucket.size;
        n.interval = bucket.interval;
        n.tick = now / bucket.interval * bucket.interval;
        ck_assert(rcc_bucket_passes(&bucket, bucket.size));
        ck_assert(rcc_bucket_passes(&bucket, bucket.size + 1) == bucket.debt);
        for (int i = 0; i < 600; i++)
        {
            const uint32_t bytes = (uint32_t)rng_range(&rng, 64, 1500);
            const int64_t need = bucket.debt ? 1 : (int64_t)bytes;
            struct naive_bucket ahead = n;
            const rcc_time due = rcc_pacer_next_send(&pacer, &bucket, bytes);
            const rcc_time want = n.tokens >= need ? now : run(&ahead, INT64_MAX / 4, need) ? ahead.tick : -1;
            CHECK(due == want, "seed %llu step %d: %lld, want %lld", (unsigned long long)seed, i, (long long)due,
                  (long long)want);
            now = happen(&rng, &rig, &pacer, &bucket, &n, now, due, bytes);
            CHECK(pacer.tokens.bytes == n.tokens && rcc_rp_rate(rig.rp) == rcc_rp_rate(rp_of(&n)),
                  "seed %llu step %d: tokens", (unsigned long long)seed, i);
        }
        rig_free(&rig);
    }
}
END_TEST

/* A tick in the last nanosecond before a rate step brings the bytes of the rate before it. */
START_TEST(test_tick_before_a_step)
{
    const struct rcc_feedback fb = cnp(0);
    struct rcc_bucket bucket = {20000, false, 0};
    struct rcc_tokens tokens = {0, 0};
    struct rcc_rp *later;
    struct rig rig;
    rig_init(&rig, "dcqcn", "paper", 40 * GBPS);
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 0, &fb);
    const rcc_time step = rcc_rp_next_step(rig.rp);
    bucket.interval = step - 1;
    later = rp_copy(rig.rp);
    rcc_rp_advance(later, step);
    const uint64_t before = rcc_rp_rate(rig.rp) * (uint64_t)bucket.interval / 8000000000u,
                   after = rcc_rp_rate(later) * (uint64_t)bucket.interval / 8000000000u;
    ck_assert_uint_gt(after, before);
    bucket.size = (uint32_t)(before + after + 1);
    ck_assert_int_eq(rcc_bucket_next_send(&bucket, &tokens, rig.rp, (uint32_t)before), bucket.interval);
    ck_assert_int_eq(rcc_bucket_next_send(&bucket, &tokens, rig.rp, (uint32_t)(before + after)), 2 * bucket.interval);
    ck_assert_int_eq(rcc_bucket_next_send(&bucket, &tokens, rig.rp, (uint32_t)(before + after + 1)),
                     3 * bucket.interval);
    rcc_bucket_fill(&bucket, &tokens, rig.rp, 2 * bucket.interval);
    ck_assert_int_eq(tokens.bytes, (int64_t)(before + after));
    free(later);
    rig_free(&rig);
}
END_TEST

/* A tick at the instant of a rate step brings the bytes of the new rate. */
START_TEST(test_tick_at_a_step)
{
    const struct rcc_feedback fb = cnp(0);
    struct rcc_bucket bucket = {1u << 30, false, 0};
    struct rcc_tokens tokens = {0, 0};
    struct rcc_rp *later;
    struct rig rig;
    rig_init(&rig, "dcqcn", "paper", 40 * GBPS);
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 0, &fb);
    bucket.interval = rcc_rp_next_step(rig.rp);
    later = rp_copy(rig.rp);
    rcc_rp_advance(later, bucket.interval);
    const int64_t after = (int64_t)(rcc_rp_rate(later) * (uint64_t)bucket.interval / 8000000000u);
    ck_assert_int_eq(rcc_bucket_next_send(&bucket, &tokens, rig.rp, (uint32_t)after), bucket.interval);
    rcc_bucket_fill(&bucket, &tokens, rig.rp, bucket.interval);
    ck_assert_int_eq(tokens.bytes, after);
    free(later);
    rig_free(&rig);
}
END_TEST

/* 15999999999 bit/s are 1.99... bytes in a nanosecond, of which whole ones count. */
START_TEST(test_tick_is_rounded_down)
{
    const struct rcc_bucket bucket = {10, false, 1};
    const struct rcc_tokens tokens = {0, 0};
    struct rig rig;
    rig_init(&rig, "none", NULL, 15999999999);
    rig_start(&rig, 0, 1);
    ck_assert_int_eq(rcc_bucket_next_send(&bucket, &tokens, rig.rp, 1), 1);
    ck_assert_int_eq(rcc_bucket_next_send(&bucket, &tokens, rig.rp, 2), 2);
    rig_free(&rig);
}
END_TEST

/* A paused class resumes later: as in rcc_rp_next_send, the pause is ignored. */
START_TEST(test_bucket_of_a_paused_class)
{
    const struct rcc_bucket bucket = {20000, false, 16000};
    const struct rcc_tokens tokens = {0, 0};
    rcc_time ring[8], step;
    struct rcc_pause_log log;
    struct rcc_rp *same;
    struct rig rig;
    rig_init(&rig, "dcqcn-plus", NULL, 1 * GBPS);
    rig_start(&rig, 0, 1);
    rcc_pause_log_init(&log, ring, 8);
    rig.rp->pause = &log;
    for (int i = 0; i < 6; i++)
        rig_cut(&rig, 0, 0);
    rcc_pause_log_set(&log, 10 * US, true);
    rcc_rp_advance(rig.rp, 10 * US);
    same = rp_copy(rig.rp);
    same->pause = NULL;
    step = rcc_rp_next_step(rig.rp);
    ck_assert_int_gt(rcc_bucket_next_send(&bucket, &tokens, same, 20000), step);
    ck_assert_int_eq(rcc_bucket_next_send(&bucket, &tokens, rig.rp, 20000),
                     rcc_bucket_next_send(&bucket, &tokens, same, 20000));
    free(same);
    rig_free(&rig);
}
END_TEST

/* Without a bucket the pacer is the reaction point. */
/* A bucket of one byte is a bucket: with debt a frame empties it far below zero, and ticks of 5000 bytes fill it. */
START_TEST(test_bucket_of_one_byte)
{
    const struct rcc_bucket one = {1, true, 1 * US};
    const struct rcc_feedback fb = cnp(0);
    struct rig rig;
    struct rcc_pacer pacer;
    rig_init(&rig, "dcqcn", NULL, 40 * GBPS);
    rig_start(&rig, 0, 1);
    pacer.rp = rig.rp;
    pacer.tokens = rcc_bucket_start(&one, 0);
    rcc_pacer_sent(&pacer, &one, 0, 9000);
    ck_assert_int_eq(rcc_pacer_next_send(&pacer, &one, 1000), 2 * US);
    rcc_pacer_advance(&pacer, &one, 1 * US);
    ck_assert_int_eq(pacer.tokens.bytes, 1 - 9000 + 5000);
    rcc_pacer_feedback(&pacer, &one, 2 * US, &fb); /* a cut, after the tick at the old rate */
    ck_assert_int_eq(pacer.tokens.bytes, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(test_no_bucket)
{
    const struct rcc_bucket none = {0, false, 16000};
    const struct rcc_feedback fb = cnp(0);
    struct rig rig;
    struct rcc_pacer pacer;
    struct rcc_rp *same;
    rig_init(&rig, "dcqcn", NULL, 40 * GBPS);
    rig_start(&rig, 0, 1);
    same = rp_copy(rig.rp);
    pacer.rp = rig.rp;
    ck_assert(rcc_bucket_passes(&none, 9000));
    for (rcc_time now = 0; now < MS; now += 10 * US)
    {
        rcc_pacer_sent(&pacer, &none, now, 1000);
        rcc_rp_sent(same, now, 1000);
        rcc_pacer_feedback(&pacer, &none, now, &fb);
        rcc_rp_feedback(same, now, &fb);
        rcc_pacer_advance(&pacer, &none, now + 5 * US);
        rcc_rp_advance(same, now + 5 * US);
        ck_assert_int_eq(rcc_pacer_next_send(&pacer, &none, 1000), rcc_rp_next_send(same));
        ck_assert_uint_eq(rcc_rp_rate(rig.rp), rcc_rp_rate(same));
    }
    free(same);
    rig_free(&rig);
}
END_TEST

Suite *suite_port(void)
{
    Suite *suite = suite_create("port");
    TCase *tc = tcase_create("core");
    tcase_add_test(tc, test_order);
    tcase_add_test(tc, test_round_robin);
    tcase_add_test(tc, test_equal_keys);
    tcase_add_test(tc, test_equal_children);
    tcase_add_test(tc, test_pause_changes);
    tcase_add_test(tc, test_pause_log);
    tcase_add_test(tc, test_log_that_grows_late);
    tcase_add_test(tc, test_bucket);
    tcase_add_test(tc, test_tick_before_a_step);
    tcase_add_test(tc, test_tick_at_a_step);
    tcase_add_test(tc, test_tick_is_rounded_down);
    tcase_add_test(tc, test_bucket_of_a_paused_class);
    tcase_add_test(tc, test_bucket_of_one_byte);
    tcase_add_test(tc, test_no_bucket);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}
