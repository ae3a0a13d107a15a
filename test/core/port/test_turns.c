/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Turns of classes: strict priority, fair shares in bytes, an owner beside the queues, against a naive round robin. */
#include "helpers.h"
#include "rcc_turns.h"

#include <string.h>

#define QUANTUM 1562u

START_TEST(test_priority)
{
    const uint32_t heads[RCC_TURNS_CLASSES] = {100, 100, 100, 100, 100, 100, 100, 100};
    struct rcc_turns turns;
    struct rcc_turns before;
    memset(&turns, 0, sizeof turns);
    before = turns;
    for (unsigned cls = 0; cls < RCC_TURNS_CLASSES; cls++)
        ck_assert_uint_eq(rcc_turns_queue(&turns, (uint8_t)(1u << cls), 7, heads, QUANTUM, NULL), cls);
    for (unsigned ready = 128; ready < 256; ready++)
        ck_assert_uint_eq(rcc_turns_queue(&turns, (uint8_t)ready, 7, heads, QUANTUM, NULL), 7);
    ck_assert_uint_eq(rcc_turns_queue(&turns, 0xff, 2, heads, QUANTUM, NULL), 2);
    ck_assert_mem_eq(&turns, &before, sizeof turns); /* nobody had to take turns */
}
END_TEST

/* A round robin that is written down step by step, one class at a time. */
struct naive
{
    int64_t credit[RCC_TURNS_CLASSES];
    unsigned at;
};

static unsigned naive_next(struct naive *n, uint8_t ready, const uint32_t *heads, const struct rcc_turns_rules *rules)
{
    for (unsigned c = RCC_TURNS_CLASSES; rules != NULL && c-- > 0;)
        if ((ready & rules->strict & 1u << c) != 0)
            return c;
    for (;;)
    {
        const bool waits = (ready & 1u << n->at) != 0;
        if (waits && n->credit[n->at] >= heads[n->at])
        {
            n->credit[n->at] -= heads[n->at];
            return n->at;
        }
        n->at = n->at == 7 ? 0 : n->at + 1;
        if ((ready & 1u << n->at) != 0)
            for (unsigned w = 0; w == 0 || (rules != NULL && w < rules->weight[n->at]); w++)
                n->credit[n->at] += QUANTUM;
        else
            n->credit[n->at] = 0;
    }
}

/* Without rules, and with any: the same class each time. */
START_TEST(test_queues)
{
    struct rng rng = {11};
    for (unsigned ruled = 0; ruled < 2; ruled++)
    {
        struct rcc_turns_rules rules;
        struct rcc_turns turns;
        struct naive naive;
        memset(&rules, 0, sizeof rules);
        memset(&turns, 0, sizeof turns);
        memset(&naive, 0, sizeof naive);
        turns.queue_had = 0xa5;
        for (uint64_t i = 0; i < rounds(50000); i++)
        {
            const struct rcc_turns_rules *const used = ruled != 0 ? &rules : NULL;
            uint32_t heads[RCC_TURNS_CLASSES];
            const uint8_t ready = (uint8_t)rng_range(&rng, 1, 127);
            for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
                heads[c] = (uint32_t)rng_range(&rng, 64, 9000);
            if (i % 1000 == 0)
            {
                rules.strict = rng_chance(&rng, 50) ? 0 : (uint8_t)rng_range(&rng, 0, 255);
                for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
                    rules.weight[c] = (uint16_t)rng_range(&rng, 0, 9);
            }
            if ((ready & (ready - 1)) == 0)
                continue;
            CHECK(rcc_turns_queue(&turns, ready, 7, heads, QUANTUM, used) == naive_next(&naive, ready, heads, used),
                  "step");
        }
        ck_assert_uint_eq(turns.queue_had, 0xa5); /* queues alone say nothing about owners */
    }
}
END_TEST

/* Classes that always have frames get equal bytes, for any lengths of their frames. */
START_TEST(test_fair_shares)
{
    const uint32_t heads[RCC_TURNS_CLASSES] = {64, 1562, 700, 0, 0, 0, 0, 0};
    uint64_t sent[RCC_TURNS_CLASSES] = {0};
    struct rcc_turns turns;
    memset(&turns, 0, sizeof turns);
    for (unsigned i = 0; i < 30000; i++)
    {
        const unsigned cls = rcc_turns_queue(&turns, 7, 7, heads, QUANTUM, NULL);
        sent[cls] += heads[cls];
    }
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            ck_assert_uint_le(sent[a], sent[b] + 2 * QUANTUM);
}
END_TEST

/* Classes that always have frames share the link by their weights, for queues and an owner. */
START_TEST(test_weights)
{
    const struct rcc_turns_rules rules = {.weight = {1, 2, 0, 6}};
    const uint32_t heads[RCC_TURNS_CLASSES] = {700, 1562, 64, 300};
    for (unsigned owner = 0; owner < 2; owner++)
    {
        uint64_t sent[RCC_TURNS_CLASSES] = {0};
        struct rcc_turns turns;
        memset(&turns, 0, sizeof turns);
        for (unsigned i = 0; i < 60000; i++)
        {
            unsigned cls;
            if (owner != 0)
            {
                cls = rcc_turns_shared(&turns, 5, 10, 10, QUANTUM, &rules).cls;
                rcc_turns_pay(&turns, cls, heads[cls]);
            }
            else
                cls = rcc_turns_queue(&turns, 15, 7, heads, QUANTUM, &rules);
            sent[cls] += heads[cls];
        }
        for (unsigned c = 0; c < 4; c++)
        {
            const uint64_t weight = rules.weight[c] != 0 ? rules.weight[c] : 1;
            CHECK(sent[c] <= weight * sent[0] + 16 * QUANTUM && sent[c] + 16 * QUANTUM >= weight * sent[0],
                  "class %u: %llu of %llu", c, (unsigned long long)sent[c], (unsigned long long)sent[0]);
        }
    }
}
END_TEST

/* Strict classes send first, the highest one before the others; the turns of the other classes do not change. */
START_TEST(test_strict)
{
    const struct rcc_turns_rules rules = {.strict = 1u << 2 | 1u << 5};
    const uint32_t heads[RCC_TURNS_CLASSES] = {100, 100, 100, 100, 100, 100, 100, 100};
    struct rcc_turns turns;
    struct rcc_turns before;
    struct rcc_turn turn;
    memset(&turns, 0, sizeof turns);
    before = turns;
    ck_assert_uint_eq(rcc_turns_queue(&turns, 0x7f, 7, heads, QUANTUM, &rules), 5);
    ck_assert_uint_eq(rcc_turns_queue(&turns, 0x5f, 7, heads, QUANTUM, &rules), 2);
    ck_assert_uint_eq(rcc_turns_queue(&turns, 0xff, 7, heads, QUANTUM, &rules), 7);
    ck_assert_mem_eq(&turns, &before, sizeof turns);
    turn = rcc_turns_shared(&turns, 1u << 3, 1u << 2 | 1u << 4, 1u << 2 | 1u << 4, QUANTUM, &rules);
    ck_assert(turn.owner && turn.cls == 2);
    turn = rcc_turns_shared(&turns, 1u << 5, 1u << 2, 1u << 2, QUANTUM, &rules);
    ck_assert(!turn.owner && turn.cls == 5);
    for (unsigned i = 0; i < 6; i++) /* queue and owner of one class alternate */
    {
        turn = rcc_turns_shared(&turns, 1u << 2, 1u << 2, 1u << 2, QUANTUM, &rules);
        ck_assert(turn.cls == 2 && turn.owner == (i % 2 != 0));
        rcc_turns_pay(&turns, turn.cls, 4000);
        ck_assert_int_eq(turns.deficit[2], -4000); /* only this turn has a deficit */
    }
    turn = rcc_turns_shared(&turns, 1u << 3, 1u << 4, 1u << 4, QUANTUM, &rules);
    ck_assert(!turn.owner && turn.cls == 3);
}
END_TEST

/* All classes but that of control may be strict, the highest one too. */
START_TEST(test_highest_strict)
{
    const struct rcc_turns_rules rules = {.strict = 1u << 7 | 1u << 6};
    const uint32_t heads[RCC_TURNS_CLASSES] = {100, 100, 100, 100, 100, 100, 100, 100};
    struct rcc_turns turns;
    memset(&turns, 0, sizeof turns);
    ck_assert_uint_eq(rcc_turns_queue(&turns, 0xfe, 0, heads, QUANTUM, &rules), 7);
    ck_assert_uint_eq(rcc_turns_shared(&turns, 1u << 1, 0xc0, 0xc0, QUANTUM, &rules).cls, 7);
}
END_TEST

/* A class continues as long as it may send one byte. */
START_TEST(test_end_of_a_turn)
{
    for (unsigned left = 0; left < 2; left++)
    {
        struct rcc_turns turns;
        memset(&turns, 0, sizeof turns);
        turns.turn = 1;
        turns.deficit[1] = left;
        ck_assert_uint_eq(rcc_turns_shared(&turns, 1u << 1, 1u << 3, 1u << 3, QUANTUM, NULL).cls, left != 0 ? 1 : 3);
    }
}
END_TEST

/* Queue and owner of one class alternate; an owner's class and a queue's class share in bytes, large frames or small.
 */
START_TEST(test_owner)
{
    static const uint32_t lengths[] = {64, 300, 1562, 4000};
    for (unsigned l = 0; l < 16; l++)
    {
        const uint32_t queue_bytes = lengths[l / 4], owner_bytes = lengths[l % 4];
        uint64_t queued = 0, owned = 0;
        bool last = false;
        struct rcc_turns turns;
        memset(&turns, 0, sizeof turns);
        for (unsigned i = 0; i < 20000; i++)
        {
            const struct rcc_turn turn = rcc_turns_shared(&turns, 1u << 1, 1u << 3, 1u << 3, QUANTUM, NULL);
            ck_assert_uint_eq(turn.cls, turn.owner ? 3 : 1);
            rcc_turns_pay(&turns, turn.cls, turn.owner ? owner_bytes : queue_bytes);
            *(turn.owner ? &owned : &queued) += turn.owner ? owner_bytes : queue_bytes;
        }
        CHECK(queued <= owned + 2 * (QUANTUM + 4000) && owned <= queued + 2 * (QUANTUM + 4000), "%llu and %llu",
              (unsigned long long)queued, (unsigned long long)owned);
        memset(&turns, 0, sizeof turns);
        for (unsigned i = 0; i < 100; i++)
        {
            const struct rcc_turn turn = rcc_turns_shared(&turns, 1u << 5, 1u << 5, 1u << 5, QUANTUM, NULL);
            CHECK(turn.cls == 5 && (i == 0 || turn.owner != last), "turn %u", i);
            last = turn.owner;
            rcc_turns_pay(&turns, 5, owner_bytes);
        }
    }
}
END_TEST

/* A class whose owner is held back for a moment keeps its deficit; one that has nothing loses it. */
START_TEST(test_held_back)
{
    for (unsigned some = 0; some < 2; some++)
    {
        struct rcc_turns turns;
        memset(&turns, 0, sizeof turns);
        turns.deficit[2] = 5000;
        for (unsigned i = 0; i < 10; i++)
        {
            const struct rcc_turn turn =
                rcc_turns_shared(&turns, 1u << 0, 1u << 4, (uint8_t)(1u << 4 | some << 2), QUANTUM, NULL);
            rcc_turns_pay(&turns, turn.cls, 1562);
        }
        ck_assert_int_eq(turns.deficit[2], some != 0 ? 5000 : 0);
    }
}
END_TEST

/* The owner has no frame after all: another class or queue gets the turn, and the unused turn of the owner does not
 * count as the queue's last one. */
START_TEST(test_owner_without_frame)
{
    struct rcc_turns turns;
    struct rcc_turn turn;
    memset(&turns, 0, sizeof turns);
    turn = rcc_turns_shared(&turns, 0, 1u << 3 | 1u << 4, 1u << 3 | 1u << 4, QUANTUM, NULL);
    ck_assert(turn.owner && turn.cls == 3);
    turn = rcc_turns_shared(&turns, 0, 1u << 4, 1u << 3 | 1u << 4, QUANTUM, NULL);
    ck_assert(turn.owner && turn.cls == 4);
    ck_assert_int_eq(turns.deficit[3], QUANTUM);
    memset(&turns, 0, sizeof turns);
    turn = rcc_turns_shared(&turns, 1u << 6, 1u << 6, 1u << 6, QUANTUM, NULL);
    ck_assert(!turn.owner && turn.cls == 6);
    turn = rcc_turns_shared(&turns, 1u << 6, 1u << 6, 1u << 6, QUANTUM, NULL);
    ck_assert(turn.owner);
    turn = rcc_turns_shared(&turns, 1u << 6, 1u << 7, 1u << 7, QUANTUM, NULL);
    ck_assert(!turn.owner && turn.cls == 6);
}
END_TEST

/* A port of a host: what waits in its queues, and what its owner has. */
struct asked
{
    uint32_t heads[RCC_TURNS_CLASSES], frames[RCC_TURNS_CLASSES]; /* bytes; 0: none */
    rcc_time due[RCC_TURNS_CLASSES];                              /* when the owner's next frame is due */
    uint8_t absent;                                               /* due, and not there when asked for */
    unsigned built, taken;                                        /* number of frames, class of the last one */
};

static uint32_t head_of(void *port, unsigned cls)
{
    const struct asked *a = port;
    CHECK(a->heads[cls] != 0, "asked for the head of class %u, whose queue may not send", cls);
    return a->heads[cls];
}

static rcc_time due_of(void *port, uint8_t paused)
{
    const struct asked *a = port;
    rcc_time first = RCC_NEVER;
    for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
        if ((paused & 1u << c) == 0 && a->due[c] < first)
            first = a->due[c];
    return first;
}

static uint32_t build(void *port, rcc_time now, uint8_t paused)
{
    struct asked *a = port;
    for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
        if ((paused & 1u << c) == 0 && (a->absent & 1u << c) == 0 && a->due[c] <= now)
        {
            a->built++;
            a->taken = c;
            return a->frames[c];
        }
    return 0;
}

/* Draw queues and an owner; returns the classes that are queued. */
static uint8_t draw_asked(struct asked *a, struct rng *rng, uint8_t paused)
{
    uint8_t ready = 0;
    memset(a, 0, sizeof *a);
    for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
    {
        const bool waits = rng_chance(rng, 40) && (paused & 1u << c) == 0;
        a->heads[c] = waits ? (uint32_t)rng_range(rng, 60, QUANTUM) : 0;
        a->frames[c] = (uint32_t)rng_range(rng, 60, QUANTUM);
        a->due[c] = rng_chance(rng, 50) ? RCC_NEVER : rng_range(rng, 90, 110);
        a->absent |= rng_chance(rng, 20) ? (uint8_t)(1u << c) : 0;
        ready |= waits ? (uint8_t)(1u << c) : 0;
    }
    return ready;
}

/* The turns of rcc_turns_shared, one call at a time, until one of them has a frame. */
START_TEST(test_next)
{
    struct rng rng = {21};
    struct rcc_turns turns, naive;
    unsigned owners = 0, queues = 0, nobody = 0;
    memset(&turns, 0, sizeof turns);
    naive = turns;
    for (uint64_t i = 0; i < rounds(200000); i++)
    {
        const struct rcc_turns_rules rules = {{0, 3, 0, 1, 2, 0, 9, 1}, (uint8_t)(rng_chance(&rng, 30) ? 0x42 : 0)};
        const struct rcc_turns_rules *const ruled = rng_chance(&rng, 50) ? &rules : NULL;
        const uint8_t paused = (uint8_t)(rng_next(&rng) & rng_next(&rng));
        struct asked a;
        const struct rcc_turns_port port = {&a, head_of, due_of, build};
        const uint8_t ready = draw_asked(&a, &rng, paused);
        uint8_t due = 0, some = 0, wanted = ready, found;
        unsigned cls = RCC_TURNS_CLASSES;
        for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
            if ((paused & 1u << c) == 0)
            {
                due |= a.due[c] <= 100 ? (uint8_t)(1u << c) : 0;
                some |= a.due[c] != RCC_NEVER ? (uint8_t)(1u << c) : 0;
            }
        while (due != 0 && cls == RCC_TURNS_CLASSES)
        {
            const struct rcc_turn turn = rcc_turns_shared(&naive, ready, due, some, QUANTUM, ruled);
            if (turn.owner && (a.absent & 1u << turn.cls) != 0)
            {
                due &= (uint8_t) ~(1u << turn.cls);
                continue;
            }
            cls = turn.cls;
            wanted = (uint8_t)(turn.owner ? 0 : 1u << cls);
            naive.deficit[cls] -= turn.owner ? a.frames[cls] : a.heads[cls];
        }
        found = rcc_turns_next(&turns, &port, ready, paused, 100, QUANTUM, ruled);
        CHECK(found == wanted, "round %u: %x, wanted %x", (unsigned)i, found, wanted);
        CHECK(a.built == (cls < RCC_TURNS_CLASSES && wanted == 0 ? 1u : 0u), "round %u: built %u", (unsigned)i,
              a.built);
        CHECK(a.built == 0 || a.taken == cls, "round %u: the owner's class %u, wanted %u", (unsigned)i, a.taken, cls);
        CHECK(memcmp(&turns, &naive, sizeof turns) == 0, "round %u: state", (unsigned)i);
        owners += a.built;
        queues += a.built == 0 && cls < RCC_TURNS_CLASSES ? 1 : 0;
        nobody += cls == RCC_TURNS_CLASSES ? 1 : 0;
    }
    ck_assert_uint_gt(owners, 0);
    ck_assert_uint_gt(queues, 0);
    ck_assert_uint_gt(nobody, 0);
}
END_TEST

/* An owner without a frame that is due is asked once, and nobody's deficit changes. */
START_TEST(test_owner_later)
{
    struct asked a;
    const struct rcc_turns_port port = {&a, head_of, due_of, build};
    struct rcc_turns turns, before;
    memset(&turns, 0, sizeof turns);
    turns.deficit[3] = 500;
    before = turns;
    memset(&a, 0, sizeof a);
    for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
        a.due[c] = c == 3 ? 101 : RCC_NEVER;
    a.heads[2] = a.heads[5] = 1000;
    a.frames[3] = 1000;
    ck_assert_uint_eq(rcc_turns_next(&turns, &port, 0x24, 0, 100, QUANTUM, NULL), 0x24);
    ck_assert_mem_eq(&turns, &before, sizeof turns);
    ck_assert_uint_eq(rcc_turns_next(&turns, &port, 0x24, 0x08, 101, QUANTUM, NULL), 0x24); /* it is paused */
    ck_assert_mem_eq(&turns, &before, sizeof turns);
    ck_assert_uint_eq(a.built, 0);
    turns.turn = 3;
    ck_assert_uint_eq(rcc_turns_next(&turns, &port, 0x24, 0, 101, QUANTUM, NULL), 0);
    ck_assert_uint_eq(a.built, 1);
    ck_assert_int_eq(turns.deficit[3], -500);
}
END_TEST

START_TEST(test_asks_owner)
{
    for (unsigned ready = 0; ready < 256; ready++)
        for (unsigned control = 0; control < RCC_TURNS_CLASSES; control++)
            ck_assert(rcc_turns_asks_owner((uint8_t)ready, control) == ((ready & 1u << control) == 0));
}
END_TEST

START_TEST(test_read)
{
    struct rcc_turns_rules rules = {.weight = {[2] = 9}, .strict = 0x30};
    ck_assert_ptr_null(rcc_turns_read(&rules, "0:1,3: 06,7 :1000, 1:2"));
    for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
    {
        const unsigned want = c == 0 ? 1 : c == 1 ? 2 : c == 3 ? 6 : c == 7 ? 1000 : 0;
        CHECK(rules.weight[c] == want, "class %u", c);
    }
    ck_assert_uint_eq(rules.strict, 0x30);
    ck_assert_ptr_null(rcc_turns_read(&rules, "4:7,2:8"));
    ck_assert_uint_eq(rules.weight[2], 8);
    ck_assert_ptr_null(rcc_turns_read(&rules, ""));
    for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
        ck_assert_uint_eq(rules.weight[c], 0);
}
END_TEST

START_TEST(test_read_refused)
{
    static const struct
    {
        const char *text;
        size_t at;
    } wrong[] = {{"3", 0},        {"3:", 0},         {":2", 0},           {"8:1", 0},
                 {"3:0", 0},      {"3:1001", 0},     {"3:2,,", 4},        {"3:2,", 0},
                 {"4:1,3:2,", 4}, {",", 0},          {",3:2", 0},         {"3:2 ", 0},
                 {"3:2,4:x", 4},  {"-1:2", 0},       {"3:-2", 0},         {"3:2;4:2", 0},
                 {"1:1,9:", 4},   {"much", 0},       {"4294967299:2", 0}, {"3:4294967298", 0},
                 {"3 2", 0},      {"1.5:2", 0},      {"3:2.5", 0},        {"42949672960000000000003:2", 0},
                 {"3:4,3:1", 4},  {"3:5,4:1,3:5", 8}};
    struct rcc_turns_rules rules = {.weight = {[2] = 9}, .strict = 5};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(rcc_turns_read(&rules, wrong[i].text) == wrong[i].text + wrong[i].at, "'%s'", wrong[i].text);
    for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
        ck_assert_uint_eq(rules.weight[c], c == 2 ? 9 : 0);
    ck_assert_uint_eq(rules.strict, 5);
}
END_TEST

Suite *suite_turns(void)
{
    Suite *s = suite_create("turns");
    TCase *t = long_tcase("turns");
    tcase_add_test(t, test_priority);
    tcase_add_test(t, test_queues);
    tcase_add_test(t, test_fair_shares);
    tcase_add_test(t, test_weights);
    tcase_add_test(t, test_strict);
    tcase_add_test(t, test_highest_strict);
    tcase_add_test(t, test_end_of_a_turn);
    tcase_add_test(t, test_owner);
    tcase_add_test(t, test_held_back);
    tcase_add_test(t, test_owner_without_frame);
    tcase_add_test(t, test_next);
    tcase_add_test(t, test_owner_later);
    tcase_add_test(t, test_asks_owner);
    tcase_add_test(t, test_read);
    tcase_add_test(t, test_read_refused);
    suite_add_tcase(s, t);
    return s;
}
