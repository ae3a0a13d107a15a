/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The CIOQ switch's buffers, credits and arbitration. */
#include "helpers.h"
#include "rcc_switch.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY 30000u
#define RECORDS 600u

static struct rcc_cioq_record records[RECORDS];

static void start(struct rcc_cioq_buffer *buffer, enum rcc_cioq_side side, bool listed)
{
    memset(buffer, 0xa5, sizeof *buffer);
    rcc_cioq_start(buffer, side, CAPACITY, 1522, listed ? malloc(rcc_cioq_list_size(CAPACITY)) : NULL);
}

static void end(struct rcc_cioq_buffer *buffer)
{
    free(buffer->frames);
}

/* ------------------------------------------------------------------ buffers */

/* The flow with most bytes, by counting all records of every flow. */
static uint64_t naive_fullest(const bool *inside, uint64_t flows)
{
    uint64_t best = 0, most = 0;
    for (uint64_t flow = 0; flow < flows; flow++)
    {
        uint64_t bytes = 0;
        for (unsigned i = 0; i < RECORDS; i++)
            if (inside[i] && records[i].listed && records[i].flow == flow)
                bytes += records[i].bytes;
        if (bytes > most)
        {
            most = bytes;
            best = flow;
        }
    }
    return best;
}

/* A list holds the shortest frames that fit, twice. */
START_TEST(size_of_a_list)
{
    ck_assert_uint_eq(rcc_cioq_list_size(0), 2 * sizeof(void *));
    ck_assert_uint_eq(rcc_cioq_list_size(63), 2 * sizeof(void *));
    ck_assert_uint_eq(rcc_cioq_list_size(64), 4 * sizeof(void *));
    ck_assert_uint_eq(rcc_cioq_list_size(CAPACITY), 2 * (CAPACITY / 64 + 1) * sizeof(void *));
}
END_TEST

START_TEST(occupancy_and_fullest_flow)
{
    struct rng rng = {11};
    struct rcc_cioq_buffer in, out;
    bool inside[RECORDS] = {false};
    uint64_t bytes = 0;
    unsigned listed = 0;
    start(&in, RCC_CIOQ_INPUT, true);
    start(&out, RCC_CIOQ_OUTPUT, true);
    for (int step = 0; step < 20000; step++)
    {
        const unsigned i = (unsigned)rng_range(&rng, 0, RECORDS - 1);
        struct rcc_cioq_record *r = &records[i];
        if (inside[i])
        {
            rcc_cioq_remove(&in, r);
            rcc_cioq_remove(&out, r);
            bytes -= r->bytes;
            listed -= r->listed;
            inside[i] = false;
        }
        else
        {
            const struct rcc_cioq_record fresh = {.flow = (uint64_t)rng_range(&rng, 0, 9),
                                                  .bytes = (uint32_t)rng_range(&rng, 64, 1522),
                                                  .listed = rng_chance(&rng, 80)};
            if (bytes + fresh.bytes > CAPACITY)
                continue;
            *r = fresh;
            rcc_cioq_add(&in, r);
            rcc_cioq_add(&out, r); /* in both buffers: each has its own position of the record */
            bytes += r->bytes;
            listed += r->listed;
            inside[i] = true;
        }
        CHECK(in.bytes == bytes && out.bytes == bytes && in.count == listed, "step %d", step);
        if (step % 20 != 0)
            continue;
        const struct rcc_cioq_record *fullest = rcc_cioq_fullest(step % 40 ? &in : &out);
        CHECK((fullest != NULL) == (listed > 0), "step %d", step);
        if (fullest != NULL)
            CHECK(inside[fullest - records] && fullest->listed && fullest->flow == naive_fullest(inside, 10), "step %d",
                  step);
    }
    end(&in);
    end(&out);
}
END_TEST

/* The flow with the least number is taken among those with equal bytes. */
START_TEST(ties)
{
    struct rcc_cioq_buffer b;
    start(&b, RCC_CIOQ_INPUT, true);
    ck_assert_ptr_null(rcc_cioq_fullest(&b));
    for (unsigned i = 0; i < 6; i++)
    {
        const struct rcc_cioq_record r = {.flow = 7 - i % 3, .bytes = i < 3 ? 100 : 200, .listed = true};
        records[i] = r;
        rcc_cioq_add(&b, &records[i]);
    }
    ck_assert_uint_eq(rcc_cioq_fullest(&b)->flow, 5);
    rcc_cioq_remove(&b, &records[2]);
    ck_assert_uint_eq(rcc_cioq_fullest(&b)->flow, 6);
    end(&b);
}
END_TEST

START_TEST(a_single_byte_is_something)
{
    const struct rcc_cioq_record r = {.flow = 3, .bytes = 1, .listed = true};
    struct rcc_cioq_buffer b;
    start(&b, RCC_CIOQ_INPUT, true);
    records[0] = r;
    rcc_cioq_add(&b, &records[0]);
    ck_assert_ptr_eq(rcc_cioq_fullest(&b), &records[0]);
    end(&b);
}
END_TEST

static uint64_t asked[8];
static unsigned n_asked;

static uint32_t zero_draw(uint64_t stream, uint64_t index)
{
    CHECK(stream == 5 && n_asked < 8, "draw %u of stream %u", n_asked, (unsigned)stream);
    asked[n_asked++] = index;
    return 0;
}

/* Number i is made of the draws 2 i and 2 i + 1: none is used twice. */
START_TEST(each_draw_is_used_once)
{
    const struct rcc_cioq_record r = {.flow = 3, .bytes = 64, .listed = true};
    struct rcc_cioq_buffer b;
    uint64_t draws = 10;
    start(&b, RCC_CIOQ_OUTPUT, true);
    records[0] = r;
    rcc_cioq_add(&b, &records[0]);
    n_asked = 0;
    ck_assert_ptr_eq(rcc_cioq_random(&b, zero_draw, 5, &draws), &records[0]);
    ck_assert_uint_eq(draws, 12);
    ck_assert_uint_eq(n_asked, 4);
    for (unsigned i = 0; i < 4; i++)
    {
        unsigned times = 0;
        for (unsigned j = 0; j < 4; j++)
            times += asked[j] == 20 + i;
        CHECK(times == 1, "draw %u was used %u times", 20 + i, times);
    }
    end(&b);
}
END_TEST

static uint32_t draws_of_three[4];

static uint32_t given_draw(uint64_t stream, uint64_t index)
{
    (void)stream;
    return draws_of_three[index];
}

/* A number is made of 64 bits, high ones first: times three, the low ones may carry. */
START_TEST(low_digits_carry)
{
    const struct
    {
        uint32_t high, low, number;
    } rows[] = {
        {0x55555555, 0x55555555, 0}, {0x55555555, 0x55555556, 1}, {0x55555555, 0x2aaaaaab, 0}, {0x55555556, 0, 1},
        {0xffffffff, 0xffffffff, 2}, {0xaaaaaaaa, 0xaaaaaaaa, 1}, {0xaaaaaaaa, 0xaaaaaaab, 2}, {0, 0, 0}};
    struct rcc_cioq_buffer b;
    rcc_cioq_start(&b, RCC_CIOQ_OUTPUT, CAPACITY, 64, malloc(rcc_cioq_list_size(CAPACITY))); /* one unit each */
    for (unsigned i = 0; i < 3; i++)
    {
        const struct rcc_cioq_record r = {.flow = i, .bytes = 64, .listed = true};
        records[i] = r;
        rcc_cioq_add(&b, &records[i]);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        uint64_t draws = 0;
        draws_of_three[0] = rows[i].high;
        draws_of_three[1] = rows[i].low;
        ck_assert_uint_eq(rcc_cioq_random(&b, given_draw, 5, &draws)->flow, rows[i].number);
    }
    end(&b);
}
END_TEST

/* Every occupied unit is equally likely: a frame of 6 units is six times as likely as a frame of one. */
START_TEST(random_units)
{
    static const uint32_t sizes[] = {64, 256, 257, 1000, 1522};
    static const unsigned units[] = {1, 1, 2, 4, 6};
    unsigned hits[5] = {0};
    struct rcc_cioq_buffer b;
    uint64_t draws = 0;
    start(&b, RCC_CIOQ_OUTPUT, true);
    ck_assert_ptr_null(rcc_cioq_random(&b, test_draw, 5, &draws));
    ck_assert_uint_eq(draws, 0);
    for (unsigned i = 0; i < 5; i++)
    {
        const struct rcc_cioq_record r = {.flow = i, .bytes = sizes[i], .listed = true};
        records[i] = r;
        rcc_cioq_add(&b, &records[i]);
    }
    for (int i = 0; i < 140000; i++)
        hits[rcc_cioq_random(&b, test_draw, 5, &draws) - records]++;
    for (unsigned i = 0; i < 5; i++)
        CHECK(hits[i] > units[i] * 9700 && hits[i] < units[i] * 10300, "%u units were hit %u times", units[i], hits[i]);
    end(&b);
}
END_TEST

/* The largest frame's units: a begun unit counts. */
START_TEST(units_of_the_largest_frame)
{
    const struct
    {
        uint32_t bytes, units;
    } rows[] = {{1, 1}, {255, 1}, {256, 1}, {257, 2}, {511, 2}, {512, 2}, {513, 3}, {1522, 6}, {9216, 36}, {9217, 37}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        struct rcc_cioq_buffer buffer;
        rcc_cioq_start(&buffer, RCC_CIOQ_INPUT, CAPACITY, rows[i].bytes, NULL);
        ck_assert_uint_eq(buffer.max_units, rows[i].units);
    }
}
END_TEST

/* Without a list, and with more short frames than the list has space for, bytes still count. */
START_TEST(frames_that_are_not_listed)
{
    struct rcc_cioq_buffer none, full;
    uint64_t draws = 0;
    start(&none, RCC_CIOQ_INPUT, false);
    start(&full, RCC_CIOQ_OUTPUT, true);
    for (unsigned i = 0; i < RECORDS; i++)
    {
        const struct rcc_cioq_record r = {.flow = i, .bytes = 50, .listed = true};
        records[i] = r;
        rcc_cioq_add(&none, &records[i]);
        rcc_cioq_add(&full, &records[i]);
    }
    ck_assert_uint_eq(full.count, CAPACITY / 64 + 1);
    ck_assert_uint_eq(none.bytes, 50 * RECORDS);
    ck_assert_uint_eq(full.bytes, 50 * RECORDS);
    ck_assert_ptr_null(rcc_cioq_fullest(&none));
    ck_assert_ptr_null(rcc_cioq_random(&none, test_draw, 1, &draws));
    ck_assert_ptr_nonnull(rcc_cioq_fullest(&full));
    for (unsigned i = 0; i < RECORDS; i++)
    {
        rcc_cioq_remove(&none, &records[i]);
        rcc_cioq_remove(&full, &records[i]);
    }
    ck_assert(none.bytes == 0 && full.bytes == 0 && full.count == 0);
    end(&full);
}
END_TEST

/* ------------------------------------------------------------------ STOP and GO */

START_TEST(stop_and_go)
{
    struct rcc_cioq_input in;
    start(&in.buffer, RCC_CIOQ_INPUT, false);
    in.stop = 3000;
    in.go = 1000;
    in.stopped = false;
    for (unsigned i = 0; i < 4; i++)
    {
        const struct rcc_cioq_record r = {.bytes = 1000};
        records[i] = r;
        rcc_cioq_add(&in.buffer, &records[i]);
        ck_assert(rcc_cioq_must_stop(&in) == (i == 2)); /* at 3000, once */
        ck_assert(!rcc_cioq_may_go(&in));
    }
    for (unsigned i = 0; i < 4; i++)
    {
        rcc_cioq_remove(&in.buffer, &records[i]);
        ck_assert(rcc_cioq_may_go(&in) == (i == 2)); /* at 1000, once */
        ck_assert(!rcc_cioq_must_stop(&in));
    }
}
END_TEST

/* ------------------------------------------------------------------ credits */

static struct rcc_cioq_output output_with(uint64_t capacity)
{
    struct rcc_cioq_output out;
    memset(&out, 0, sizeof out);
    rcc_cioq_start(&out.buffer, RCC_CIOQ_OUTPUT, capacity, 1522, NULL);
    return out;
}

/* Three VOQs take turns frame by frame; one that has run empty is left out, and comes back at the end. */
START_TEST(round_robin)
{
    static const uint32_t want[] = {0, 1, 2, 0, 2, 0, 1};
    struct rcc_cioq_output out = output_with(1000000);
    struct rcc_cioq_voq voqs[3];
    unsigned frames[3] = {3, 1, 2};
    ck_assert_ptr_null(rcc_cioq_grant(&out));
    for (uint32_t i = 0; i < 3; i++)
    {
        voqs[i].input = i;
        voqs[i].head_bytes = 100;
        rcc_cioq_request(&out, &voqs[i]);
    }
    for (unsigned i = 0; i < 7; i++)
    {
        struct rcc_cioq_voq *voq = rcc_cioq_grant(&out);
        ck_assert_ptr_nonnull(voq);
        ck_assert_uint_eq(voq->input, want[i]);
        if (--frames[voq->input] > 0)
            rcc_cioq_request(&out, voq);
        if (i == 4)
        {
            frames[1] = 1;
            rcc_cioq_request(&out, &voqs[1]);
        }
    }
    ck_assert_ptr_null(rcc_cioq_grant(&out));
    ck_assert_uint_eq(out.reserved, 700);
}
END_TEST

/* Reserved and stored bytes never exceed the buffer, and no short frame overtakes a long one. */
START_TEST(credits_never_exceed_the_buffer)
{
    struct rng rng = {13};
    struct rcc_cioq_output out = output_with(5000);
    struct rcc_cioq_voq voqs[4];
    struct rcc_cioq_record *flying[RECORDS], *stored[RECORDS];
    unsigned n_flying = 0, n_stored = 0, next = 0, refused = 0;
    for (uint32_t i = 0; i < 4; i++)
    {
        voqs[i].input = i;
        voqs[i].head_bytes = (uint32_t)rng_range(&rng, 64, 1522);
        rcc_cioq_request(&out, &voqs[i]);
    }
    for (int step = 0; step < 50000; step++)
    {
        const unsigned what = (unsigned)rng_range(&rng, 0, 2);
        if (what == 0)
        {
            const uint32_t head = out.first->head_bytes;
            const bool space = out.buffer.bytes + out.reserved + head <= 5000;
            struct rcc_cioq_voq *voq = rcc_cioq_grant(&out);
            CHECK((voq != NULL) == space, "step %d", step);
            refused += !space;
            if (voq == NULL)
                continue;
            const struct rcc_cioq_record r = {.bytes = head};
            flying[n_flying] = &records[next++ % RECORDS];
            *flying[n_flying++] = r;
            voq->head_bytes = (uint32_t)rng_range(&rng, 64, 1522);
            rcc_cioq_request(&out, voq);
        }
        else if (what == 1 && n_flying > 0)
        {
            rcc_cioq_land(&out, flying[0]);
            stored[n_stored++] = flying[0];
            memmove(flying, flying + 1, --n_flying * sizeof flying[0]);
        }
        else if (what == 2 && n_stored > 0)
        {
            rcc_cioq_remove(&out.buffer, stored[0]);
            memmove(stored, stored + 1, --n_stored * sizeof stored[0]);
        }
        CHECK(out.buffer.bytes + out.reserved <= 5000, "step %d", step);
    }
    ck_assert_uint_gt(refused, 100);
}
END_TEST

/* Frames enter one after the other without losing a fraction of a nanosecond. */
START_TEST(the_fabric_carries_remainders)
{
    struct rcc_cioq_fabric f = {.rate = 16 * GBPS / 10 * 7, .free = 0, .rest = 0};
    struct rng rng = {17};
    uint64_t bits = 0;
    ck_assert_int_eq(rcc_cioq_enter(&f, 500, 1400), 500 + 1000);
    ck_assert_int_eq(rcc_cioq_enter(&f, 600, 1400), 500 + 2000);    /* waits */
    ck_assert_int_eq(rcc_cioq_enter(&f, 5000, 64), 5000 + 45);      /* 45.71 ns */
    ck_assert_int_eq(rcc_cioq_enter(&f, 5000 + 45, 64), 5000 + 91); /* just in time: 91.43 ns */
    ck_assert_int_eq(rcc_cioq_enter(&f, 9000, 700), 9000 + 500);
    for (int i = 0; i < 10000; i++)
    {
        const uint32_t bytes = (uint32_t)rng_range(&rng, 64, 1522);
        bits += 8u * bytes;
        const rcc_time want = 9500 + (rcc_time)(bits * 10 / 112); /* 11.2 bit/ns */
        CHECK(rcc_cioq_enter(&f, 9500, bytes) == want, "frame %d", i);
    }
}
END_TEST

/* A fabric that was idle begins at a whole nanosecond, without a remainder. */
START_TEST(an_idle_fabric_owes_nothing)
{
    struct rcc_cioq_fabric f = {.rate = 2001, .free = 0, .rest = 2000}; /* 2001 * 3998001 = 8 * 10^9 + 1 */
    ck_assert_int_eq(rcc_cioq_enter(&f, 1, 1), 1 + 3998000);
    ck_assert_uint_eq(f.rest, 2000);
    ck_assert_int_eq(rcc_cioq_enter(&f, 2, 1), 1 + 2 * 3998000 + 1); /* both remainders make one */
}
END_TEST

Suite *suite_cioq(void)
{
    Suite *s = suite_create("cioq");
    TCase *t = long_tcase("buffers and credits");
    tcase_add_test(t, size_of_a_list);
    tcase_add_test(t, occupancy_and_fullest_flow);
    tcase_add_test(t, ties);
    tcase_add_test(t, a_single_byte_is_something);
    tcase_add_test(t, each_draw_is_used_once);
    tcase_add_test(t, low_digits_carry);
    tcase_add_test(t, random_units);
    tcase_add_test(t, units_of_the_largest_frame);
    tcase_add_test(t, frames_that_are_not_listed);
    tcase_add_test(t, stop_and_go);
    tcase_add_test(t, round_robin);
    tcase_add_test(t, credits_never_exceed_the_buffer);
    tcase_add_test(t, the_fabric_carries_remainders);
    tcase_add_test(t, an_idle_fabric_owes_nothing);
    suite_add_tcase(s, t);
    return s;
}
