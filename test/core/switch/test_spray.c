/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The choice of a path per data frame, each rule against a naive one. */
#include "helpers.h"
#include "rcc_spray.h"

#include <string.h>

#define PATHS 6u

/* A switch with one route of PATHS paths. */
struct fabric
{
    struct rcc_spray_settings settings;
    struct rcc_spray spray;
    struct rcc_spray_route route;
    struct rcc_flowlet table[16];
    uint64_t queues[PATHS];
    unsigned asked; /* queues that were read */
};

static uint64_t queue(const void *host, uint32_t path)
{
    struct fabric *f = (struct fabric *)(uintptr_t)host;
    CHECK(path < f->route.n, "queue of path %u", path);
    f->asked++;
    return f->queues[path];
}

static void fabric_init(struct fabric *f, const struct rcc_spray_settings *settings, const uint32_t *weights)
{
    memset(f, 0xa5, sizeof *f);
    f->settings = *settings;
    f->route = (struct rcc_spray_route){.n = PATHS, .weights = weights};
    f->asked = 0;
    ck_assert_ptr_null(rcc_spray_check(&f->settings));
    rcc_spray_init(&f->spray, &f->settings, rcc_path_salt(7), 99, f->table);
}

/* A frame that is dropped, twice, and then the same frame that is not: each gets the same path. */
static uint32_t pass(struct fabric *f, uint32_t hash, bool data, rcc_time now)
{
    const struct rcc_spray_frame frame = {hash, data, queue, f};
    struct rcc_spray_choice choice, again;
    rcc_spray_pick(&f->spray, &f->route, &frame, now, &again);
    f->asked = 0;
    rcc_spray_pick(&f->spray, &f->route, &frame, now, &choice);
    CHECK(choice.path == again.path && choice.path < f->route.n, "path %u, then %u", again.path, choice.path);
    rcc_spray_taken(&f->spray, &f->route, &choice, now);
    return choice.path;
}

/* Path of a random number by weights: a lot for each unit of weight. */
static uint32_t by_lots(const uint32_t *weights, uint32_t n, uint32_t random)
{
    uint64_t sum = 0, lot;
    uint32_t path = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += weights[i];
    lot = (uint64_t)((double)random / 4294967296.0 * (double)sum);
    for (uint64_t before = weights[0]; lot >= before; before += weights[path])
        path++;
    return path;
}

static const uint32_t some_weights[PATHS] = {1, 0, 4, 2, 0, 1};

START_TEST(flows_keep_their_path)
{
    const struct rcc_spray_settings settings = {.rule = RCC_SPRAY_FLOW};
    unsigned used[PATHS] = {0};
    struct fabric f;
    fabric_init(&f, &settings, NULL);
    for (uint32_t hash = 0; hash < 1000; hash++)
    {
        const struct rcc_paths paths = {.salt = rcc_path_salt(7)};
        CHECK(pass(&f, hash, true, 0) == rcc_path_of_flow(&paths, hash, PATHS), "flow %u", hash);
    }
    fabric_init(&f, &settings, some_weights);
    for (uint32_t hash = 0; hash < 8000; hash++)
    {
        const uint32_t path = pass(&f, hash, hash % 2 == 0, 0);
        const uint32_t random = (uint32_t)(rcc_mix(hash ^ rcc_path_salt(7)) >> 32);
        CHECK(path == by_lots(some_weights, PATHS, random) && path == pass(&f, hash, false, 5), "flow %u", hash);
        used[path]++;
    }
    for (uint32_t path = 0; path < PATHS; path++)
        CHECK(used[path] >= some_weights[path] * 900 && used[path] <= some_weights[path] * 1100, "path %u: %u flows",
              path, used[path]);
    ck_assert_uint_eq(f.spray.draws, 0);
}
END_TEST

START_TEST(first_path)
{
    const struct rcc_spray_settings settings = {.rule = RCC_SPRAY_FIRST};
    struct fabric f;
    fabric_init(&f, &settings, some_weights);
    for (uint32_t hash = 0; hash < 1000; hash++)
        CHECK(pass(&f, hash, hash % 3 != 0, hash) == 0, "flow %u", hash);
    ck_assert_uint_eq(f.spray.draws, 0);
}
END_TEST

START_TEST(round_robin)
{
    const struct rcc_spray_settings settings = {.rule = RCC_SPRAY_ROUND};
    struct rcc_spray_route other = {.n = 3};
    struct fabric f;
    fabric_init(&f, &settings, some_weights);
    for (uint32_t i = 0; i < 100; i++)
    {
        const struct rcc_spray_frame frame = {i, true, NULL, NULL};
        struct rcc_spray_choice choice;
        CHECK(pass(&f, i * 77, true, i) == i % PATHS, "frame %u", i);
        pass(&f, i, false, i); /* an ACK takes no turn */
        rcc_spray_pick(&f.spray, &other, &frame, i, &choice);
        CHECK(choice.path == i / 2 % 3, "frame %u of the other route", i);
        if (i % 2 == 1)
            rcc_spray_taken(&f.spray, &other, &choice, i);
    }
}
END_TEST

/* The n-th frame takes the path of the n-th draw; frames that are no data draw nothing. */
START_TEST(random_paths)
{
    const struct rcc_spray_settings settings = {.rule = RCC_SPRAY_RANDOM};
    struct fabric even, uneven;
    unsigned used[PATHS] = {0};
    fabric_init(&even, &settings, NULL);
    fabric_init(&uneven, &settings, some_weights);
    for (uint32_t i = 0; i < 12000; i++)
    {
        const uint32_t random = rcc_random(99, i), path = pass(&even, 5, true, 0);
        CHECK(path == (uint32_t)((double)random / 4294967296.0 * PATHS), "frame %u: path %u", i, path);
        CHECK(pass(&uneven, 5, true, 0) == by_lots(some_weights, PATHS, random), "frame %u", i);
        CHECK(pass(&even, 5, false, 0) == pass(&even, 5, false, 1), "ACK %u", i);
        used[path]++;
    }
    for (uint32_t path = 0; path < PATHS; path++)
        CHECK(used[path] > 1800 && used[path] < 2200, "path %u: %u frames", path, used[path]);
    ck_assert_uint_eq(even.spray.draws, 12000);
}
END_TEST

/* DRILL: candidates are d draws and the m shortest remembered ones; the shortest one wins, the first of equal ones. */
START_TEST(shortest_queues)
{
    struct rng rng = {6};
    for (uint32_t round = 0; round < 100; round++)
    {
        const struct rcc_spray_settings settings = {
            .rule = RCC_SPRAY_LEAST, .samples = 1 + round % 8, .memory = round / 8 % 5};
        uint32_t kept[RCC_SPRAY_MEMORY_MAX] = {0}, n_kept = 0;
        uint64_t draws = 0;
        struct fabric f;
        fabric_init(&f, &settings, some_weights); /* which do not matter */
        for (unsigned step = 0; step < 200; step++)
        {
            uint32_t candidates[RCC_SPRAY_SAMPLES_MAX + RCC_SPRAY_MEMORY_MAX], n = 0;
            for (uint32_t i = 0; i < settings.samples; i++)
                candidates[n++] = (uint32_t)((uint64_t)rcc_random(99, draws++) * PATHS >> 32);
            for (uint32_t i = 0; i < n_kept; i++)
                candidates[n++] = kept[i];
            for (uint32_t path = 0; path < PATHS; path++)
                f.queues[path] = (uint64_t)rng_range(&rng, 0, 5) * 1000;
            n_kept = 0;
            for (uint64_t length = 0; length <= 5000; length += 1000) /* the shortest first, in the order of coming */
                for (uint32_t i = 0; i < n; i++)
                {
                    bool known = false;
                    for (uint32_t j = 0; j < i; j++)
                        known = known || candidates[j] == candidates[i];
                    if (known || f.queues[candidates[i]] != length)
                        continue;
                    if (n_kept == 0)
                        CHECK(pass(&f, step, true, 0) == candidates[i], "round %u, step %u", round, step);
                    if (n_kept < (settings.memory != 0 ? settings.memory : 1))
                        kept[n_kept++] = candidates[i];
                }
            n_kept = settings.memory != 0 ? n_kept : 0;
            CHECK(f.asked == n, "%u queues were read, not %u", f.asked, n);
            pass(&f, step, false, 0);
        }
        ck_assert_uint_eq(f.spray.draws, draws);
    }
}
END_TEST

/* A path that the memory kept from a route with more paths is no candidate. */
START_TEST(routes_that_shrink)
{
    const struct rcc_spray_settings settings = {.rule = RCC_SPRAY_LEAST, .samples = 1, .memory = 1};
    struct fabric f;
    fabric_init(&f, &settings, NULL);
    memset(f.queues, 0, sizeof f.queues);
    f.route.best[0] = PATHS;
    f.route.n = 2;
    for (unsigned i = 0; i < 20; i++)
        ck_assert_uint_lt(pass(&f, i, true, 0), 2);
}
END_TEST

/* Against a table of last frames: a flow keeps its path while its frames are no more than the gap apart. */
START_TEST(flowlets)
{
    for (unsigned weighted = 0; weighted < 2; weighted++)
    {
        const struct rcc_spray_settings settings = {.rule = RCC_SPRAY_FLOWLETS, .gap = 1000, .flowlets = 16};
        rcc_time last[16] = {0}, now = 0;
        uint32_t path_of[16];
        bool used[16] = {false};
        uint64_t draws = 0;
        struct rng rng = {3};
        struct fabric f;
        fabric_init(&f, &settings, weighted ? some_weights : NULL);
        for (unsigned i = 0; i < 20000; i++)
        {
            const uint32_t hash = (uint32_t)rng_range(&rng, 0, 9);
            const uint32_t slot = (uint32_t)(rcc_mix(hash ^ rcc_path_salt(7)) >> 32) % 16;
            const bool data = rng_chance(&rng, 80);
            if (data && (!used[slot] || now - last[slot] > 1000))
            {
                const uint32_t random = rcc_random(99, draws++);
                path_of[slot] =
                    weighted ? by_lots(some_weights, PATHS, random) : (uint32_t)((double)random / 4294967296.0 * PATHS);
            }
            const uint32_t path = pass(&f, hash, data, now);
            CHECK(!data || path == path_of[slot], "frame %u: path %u", i, path);
            used[slot] = used[slot] || data;
            last[slot] = data ? now : last[slot];
            now += rng_chance(&rng, 10) ? rng_range(&rng, 0, 1002) : rng_range(&rng, 0, 100);
        }
        ck_assert_uint_eq(f.spray.changes, draws);
        ck_assert(draws > 100 && draws < 10000);
        f.route.n = 1;
        ck_assert_uint_eq(pass(&f, 3, true, now), 0); /* another route */
    }
}
END_TEST

START_TEST(gap_of_flowlets)
{
    const struct rcc_spray_settings settings = {.rule = RCC_SPRAY_FLOWLETS, .gap = 500, .flowlets = 1};
    struct fabric f;
    fabric_init(&f, &settings, NULL);
    pass(&f, 1, true, 100);
    pass(&f, 1, true, 600); /* as long as the gap: no flowlet begins */
    ck_assert_uint_eq(f.spray.changes, 1);
    pass(&f, 2, true, 1101);
    ck_assert_uint_eq(f.spray.changes, 2);
}
END_TEST

START_TEST(settings_of_the_rules)
{
    static const struct
    {
        struct rcc_spray_settings settings;
        bool good;
    } cases[] = {{{RCC_SPRAY_FLOW, 0, 0, 0, 0}, true},
                 {{RCC_SPRAY_ROUND, 0, 0, 0, 0}, true},
                 {{RCC_SPRAY_RANDOM, 0, 0, 0, 0}, true},
                 {{RCC_SPRAY_LEAST, 0, 1, 0, 0}, false},
                 {{RCC_SPRAY_LEAST, 1, 0, 0, 0}, true},
                 {{RCC_SPRAY_LEAST, 8, 4, 0, 0}, true},
                 {{RCC_SPRAY_LEAST, 9, 1, 0, 0}, false},
                 {{RCC_SPRAY_LEAST, 2, 5, 0, 0}, false},
                 {{RCC_SPRAY_FLOWLETS, 0, 0, 0, 16}, false},
                 {{RCC_SPRAY_FLOWLETS, 0, 0, 1, 16}, true},
                 {{RCC_SPRAY_FLOWLETS, 0, 0, 1, 0}, false},
                 {{RCC_SPRAY_FLOWLETS, 0, 0, 1, 1}, true},
                 {{RCC_SPRAY_FLOWLETS, 0, 0, 1, 24}, false},
                 {{RCC_SPRAY_FLOWLETS, 0, 0, 1, (uint32_t)1 << 20}, true},
                 {{RCC_SPRAY_FLOWLETS, 0, 0, 1, (uint32_t)1 << 21}, false},
                 {{RCC_SPRAY_FIRST, 0, 0, 0, 0}, true},
                 {{(enum rcc_spray_rule)(RCC_SPRAY_FIRST + 1), 1, 1, 1, 1}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK((rcc_spray_check(&cases[i].settings) == NULL) == cases[i].good, "case %u", (unsigned)i);
}
END_TEST

/* 100 and 25 Gb/s are four to one; the fastest line beside the slowest still has a share. */
START_TEST(weights_of_rates)
{
    ck_assert_uint_eq(rcc_spray_weight(100 * GBPS, 100 * GBPS), RCC_SPRAY_WEIGHT_MAX);
    ck_assert_uint_eq(rcc_spray_weight(25 * GBPS, 100 * GBPS), RCC_SPRAY_WEIGHT_MAX / 4);
    ck_assert_uint_eq(rcc_spray_weight(40 * GBPS, 100 * GBPS), 26214); /* 26214.4 */
    ck_assert_uint_eq(rcc_spray_weight(60 * GBPS, 100 * GBPS), 39322); /* 39321.6 */
    ck_assert_uint_eq(rcc_spray_weight(RCC_LINE_RATE_MAX, RCC_LINE_RATE_MAX), RCC_SPRAY_WEIGHT_MAX);
    ck_assert_uint_eq(rcc_spray_weight(RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX), 1);
}
END_TEST

Suite *suite_spray(void)
{
    Suite *s = suite_create("spray");
    TCase *t = long_tcase("choice");
    tcase_add_test(t, flows_keep_their_path);
    tcase_add_test(t, first_path);
    tcase_add_test(t, round_robin);
    tcase_add_test(t, random_paths);
    tcase_add_test(t, shortest_queues);
    tcase_add_test(t, routes_that_shrink);
    tcase_add_test(t, flowlets);
    tcase_add_test(t, gap_of_flowlets);
    tcase_add_test(t, settings_of_the_rules);
    tcase_add_test(t, weights_of_rates);
    suite_add_tcase(s, t);
    return s;
}
