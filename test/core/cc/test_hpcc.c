/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* HPCC: vectors, every rule by hand, and random telemetry against a reference in floating point. */
#include "helpers.h"
#include "hpcc.h"
#include "rcc_wire.h"
#include "windowed.h"

#include <math.h>
#include <string.h>

#define ONE_U 1099511627776.0 /* 2^HPCC_U_SHIFT */

static struct hpcc_rp *state(const struct rig *rig)
{
    return (struct hpcc_rp *)rig->rp;
}

/* 100 Gb/s, T 13 us, eta 0.95, W_AI 80, W_min 1000. */
static void start(struct rig *rig, int64_t max_stage)
{
    rig_init(rig, "hpcc", "paper", 100 * GBPS);
    rig->env.base_rtt = 13000;
    rig_set(rig, "max_stage", max_stage);
    rig_set(rig, "r_min", 615384615);
    rig_start(rig, 0, 1);
}

static void set_window(struct rig *rig, double window)
{
    state(rig)->w = state(rig)->loop[0].wc = (uint64_t)(window * (double)WINDOWED_ONE);
}

static double bytes(uint64_t window)
{
    return (double)window / (double)WINDOWED_ONE;
}

static void acknowledge(struct rig *rig, rcc_time now, uint64_t seq, uint64_t next, uint8_t n,
                        const struct rcc_hop *path)
{
    const struct rcc_feedback f = {
        .kind = RCC_FEEDBACK_ACK, .rtt = -1, .seq = seq, .next = next, .n_path = n, .path = path};
    rcc_rp_feedback(rig->rp, now, &f);
}

/* ------------------------------------------------------------------ vectors */

struct ack
{
    uint64_t seq, next;
    uint8_t n;
    struct rcc_hop path[2];
    /* after it */
    double u, w, wc;
    uint32_t stage;
    uint64_t last;
};

static const struct vector
{
    const char *name;
    int64_t max_stage;
    double u, w; /* before; 0: as at the start */
    uint64_t last;
    struct ack acks[8];
} vectors[] = {
    {"first ACK only records; second, same RTT, reacts from Wc",
     5,
     0,
     0,
     0,
     {{1000, 162000, 1, {{1000000, 5000000, 0, 100000}}, 1, 162500, 162500, 0, 162000},
      {2000, 163000, 1, {{1000084, 5001050, 0, 100000}}, 1, 154455, 162500, 0, 162000}}},
    {"queue: the smaller of two samples counts; MI; new RTT",
     5,
     0,
     0,
     100,
     {{1000, 162000, 1, {{1000000, 5000000, 40000, 100000}}, 1, 162500, 162500, 0, 162000},
      {163000, 300000, 1, {{1006500, 5081250, 90000, 100000}}, 1.12307692, 137537.192, 137537.192, 0, 300000}}},
    {"gap longer than T: the average is replaced",
     5,
     0,
     0,
     0,
     {{1000, 162000, 1, {{1000000, 5000000, 0, 100000}}, 1, 162500, 162500, 0, 162000},
      {163000, 300000, 1, {{1040000, 5100000, 0, 100000}}, 0.2, 162500, 162500, 1, 300000}}},
    {"two hops, the slower one decides",
     5,
     0,
     0,
     0,
     {{1000,
       162000,
       2,
       {{1000000, 5000000, 8000, 400000}, {1000700, 900000, 24000, 100000}},
       1,
       162500,
       162500,
       0,
       162000},
      {163000,
       300000,
       2,
       {{1003250, 5162500, 16000, 400000}, {1003950, 938000, 20000, 100000}},
       1.01461538,
       152231.251,
       152231.251,
       0,
       300000}}},
    {"half-used link, W=Wc=50000: five additive steps, the sixth multiplies",
     5,
     0,
     50000,
     0,
     {{1000, 10000, 1, {{0, 0, 0, 100000}}, 1, 50000, 50000, 0, 10000},
      {11000, 20000, 1, {{13000, 81250, 0, 100000}}, 0.5, 50080, 50080, 1, 20000},
      {21000, 30000, 1, {{26000, 162500, 0, 100000}}, 0.5, 50160, 50160, 2, 30000},
      {31000, 40000, 1, {{39000, 243750, 0, 100000}}, 0.5, 50240, 50240, 3, 40000},
      {41000, 50000, 1, {{52000, 325000, 0, 100000}}, 0.5, 50320, 50320, 4, 50000},
      {51000, 60000, 1, {{65000, 406250, 0, 100000}}, 0.5, 50400, 50400, 5, 60000},
      {61000, 70000, 1, {{78000, 487500, 0, 100000}}, 0.5, 95840, 95840, 0, 70000},
      {71000, 80000, 1, {{91000, 568750, 0, 100000}}, 0.5, 95920, 95920, 1, 80000}}},
    {"four ACKs of one RTT: W follows U, Wc stands still",
     5,
     0,
     100000,
     0,
     {{1000, 100000, 1, {{0, 0, 0, 100000}}, 1, 100000, 100000, 0, 100000},
      {2000, 102000, 1, {{200, 2500, 20000, 100000}}, 1, 95080, 100000, 0, 100000},
      {3000, 103000, 1, {{300, 3750, 30000, 100000}}, 1.00094675, 94990.1442, 100000, 0, 100000},
      {4000, 104000, 1, {{400, 5000, 40000, 100000}}, 1.00235958, 94856.3675, 100000, 0, 100000},
      {5000, 105000, 1, {{500, 6250, 50000, 100000}}, 1.00423492, 94679.379, 100000, 0, 100000}}},
    {"floor: overload of 30x",
     5,
     0,
     20000,
     0,
     {{1000, 20000, 1, {{0, 0, 4875000, 100000}}, 1, 20000, 20000, 0, 20000},
      {21000, 41000, 1, {{13000, 162500, 4875000, 100000}}, 31, 1000, 1000, 0, 41000}}},
    {"max_stage 0 multiplies at any U; ceiling at W_init",
     0,
     0,
     0,
     0,
     {{1000, 162000, 1, {{0, 0, 0, 100000}}, 1, 162500, 162500, 0, 162000},
      {163000, 300000, 1, {{13000, 40625, 0, 100000}}, 0.25, 162500, 162500, 0, 300000}}},
    {"exactly U = eta multiplies (>=), hop with dt 0 ignored",
     5,
     0.95,
     100000,
     0,
     {{1000, 100000, 2, {{0, 0, 0, 100000}, {50, 7, 99999, 25000}}, 0.95, 100000, 100000, 0, 100000},
      {101000, 200000, 2, {{13000, 154375, 0, 100000}, {50, 7, 99999, 25000}}, 0.95, 100080, 100080, 0, 200000}}},
};

START_TEST(vector)
{
    const struct vector *v = &vectors[_i];
    struct rig rig;
    start(&rig, v->max_stage);
    if (v->w > 0)
        set_window(&rig, v->w);
    if (v->u > 0)
        state(&rig)->loop[0].u = (uint64_t)(v->u * ONE_U);
    state(&rig)->last = v->last;
    for (size_t i = 0; i < 8 && v->acks[i].seq != 0; i++)
    {
        const struct ack *a = &v->acks[i];
        const struct hpcc_loop *l = state(&rig)->loop;
        acknowledge(&rig, 1000 * (rcc_time)i, a->seq, a->next, a->n, a->path);
        CHECK(fabs((double)l->u / ONE_U - a->u) < 1e-8, "%s, ack %zu: U %.9f", v->name, i, (double)l->u / ONE_U);
        CHECK(relative(bytes(state(&rig)->w), a->w) < 1e-7, "%s, ack %zu: W %.6f", v->name, i, bytes(state(&rig)->w));
        CHECK(relative(bytes(l->wc), a->wc) < 1e-7, "%s, ack %zu: Wc %.6f", v->name, i, bytes(l->wc));
        CHECK(l->stage == a->stage, "%s, ack %zu: stage %u", v->name, i, (unsigned)l->stage);
        CHECK(state(&rig)->last == a->last, "%s, ack %zu: last", v->name, i);
        if (i == 0)
            continue; /* the first one only records */
        CHECK(rcc_rp_window(rig.rp) == (uint64_t)(a->w + 0.5), "%s, ack %zu: window", v->name, i);
        CHECK(relative(rp_rate(rig.rp), a->w * 8e9 / 13000) < 1e-7, "%s, ack %zu: rate", v->name, i);
        CHECK(fabs(rp_alpha(rig.rp) - fmin(a->u, 1)) < 1e-8, "%s, ack %zu: alpha", v->name, i);
        CHECK(fabs(rp_state(rig.rp) - a->u * 1000) <= 1, "%s, ack %zu: state", v->name, i);
    }
    rig_free(&rig);
}
END_TEST

/* ------------------------------------------------------------------ rules by hand */

/* A path of one port at 100 Gb/s that was busy for the last 13 us, with a queue of 162500 bytes: u = 2. */
static const struct rcc_hop quiet = {.rate_mbps = 100000}, busy = {13000, 162500, 162500, 100000};
static const struct rcc_hop full = {.qlen = 162500, .rate_mbps = 100000};

START_TEST(what_cannot_be_compared_is_recorded)
{
    static const struct
    {
        rcc_time now;
        uint8_t n;
        uint16_t path_id;
        bool compares;
    } cases[] = {{1 << 23, 1, 0, true}, {(1 << 23) + 1, 1, 0, false}, {1000, 2, 0, false}, {1000, 1, 7, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        const struct rcc_hop path[2] = {busy, busy};
        const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK,
                                       .seq = 200000,
                                       .next = 300000,
                                       .n_path = cases[i].n,
                                       .path_id = cases[i].path_id,
                                       .path = path};
        struct rig rig;
        start(&rig, 0);
        acknowledge(&rig, 0, 1000, 100000, 1, &full);
        rcc_rp_feedback(rig.rp, cases[i].now, &f);
        ck_assert_uint_eq(state(&rig)->last, 300000);
        ck_assert_mem_eq(&state(&rig)->seen.hop[0], &busy, sizeof busy);
        ck_assert_int_eq(rcc_rp_window(rig.rp) != 162500, cases[i].compares);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(reordered_acknowledgements_change_nothing)
{
    const struct rcc_hop old[2] = {busy, {5000, 1000, 0, 100000}};
    const struct rcc_hop same[2] = {busy, {4999, 900, 0, 100000}}, one[2] = {quiet, {18000, 163500, 0, 0}};
    const struct rcc_hop wraps[2] = {{UINT32_MAX - 6499, UINT32_MAX - 81249, 0, 100000}, quiet};
    const struct rcc_hop wrapped[2] = {{6500, 81250, 0, 100000}, quiet};
    struct rig rig;
    start(&rig, 0);
    acknowledge(&rig, 0, 1000, 100000, 2, old);
    acknowledge(&rig, 10, 200000, 300000, 2, same); /* one record has the same time, one is older */
    acknowledge(&rig, 10, 200000, 300000, 2, one);  /* an older one, and a port without a rate */
    ck_assert_uint_eq(state(&rig)->last, 100000);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    ck_assert_mem_eq(state(&rig)->seen.hop, old, sizeof old);
    rig_free(&rig);
    start(&rig, 0); /* both fields wrap */
    acknowledge(&rig, 0, 1000, 100000, 2, wraps);
    acknowledge(&rig, 10, 200000, 300000, 2, wrapped);
    ck_assert_double_eq_tol((double)state(&rig)->loop[0].u / ONE_U, 1, 1e-9);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 154375 + 80);
    rig_free(&rig);
}
END_TEST

START_TEST(foreign_signals)
{
    struct rig rig;
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_TIMEOUT, .seq = 200000, .next = 300000, .n_path = 1, .path = &busy};
    start(&rig, 0);
    acknowledge(&rig, 0, 1000, 100000, 1, &full);
    rcc_rp_feedback(rig.rp, 10, &f);
    f.kind = RCC_FEEDBACK_TRIM;
    rcc_rp_feedback(rig.rp, 10, &f);
    f.kind = RCC_FEEDBACK_ACK;
    f.n_path = 0; /* an ACK without telemetry */
    rcc_rp_feedback(rig.rp, 10, &f);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    ck_assert_uint_eq(state(&rig)->last, 100000);
    f.kind = RCC_FEEDBACK_LOSS; /* a NAK with telemetry is an ACK */
    f.n_path = 1;
    f.next = 50000; /* the sender went back; the end of the round does not */
    rcc_rp_feedback(rig.rp, 10, &f);
    ck_assert_double_eq_tol(bytes(state(&rig)->w), 77187.5 + 80, 1e-3); /* 162500 x 0.95 / 2 */
    ck_assert_uint_eq(state(&rig)->last, 100000);
    rig_free(&rig);
}
END_TEST

START_TEST(keys_of_the_simulator)
{
    struct rig rig;
    start(&rig, 0);
    rig_set(&rig, "fast_react", 0);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 0, 1000, 100000, 1, &full);
    acknowledge(&rig, 10, 2000, 100000, 1, &busy); /* within the round: not even recorded */
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    ck_assert_mem_eq(&state(&rig)->seen.hop[0], &full, sizeof full);
    acknowledge(&rig, 10, 100001, 200000, 1, &busy);
    ck_assert_double_eq_tol(bytes(state(&rig)->w), 77187.5 + 80, 1e-3);
    rig_set(&rig, "fast_react", 1);
    rig_set(&rig, "sample_feedback", 1);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 0, 1000, 100000, 1, &quiet);
    acknowledge(&rig, 10, 2000, 100000, 1, &(struct rcc_hop){1000, 12500, 0, 100000}); /* no queue */
    ck_assert_mem_eq(&state(&rig)->seen.hop[0], &quiet, sizeof quiet);
    acknowledge(&rig, 10, 2000, 100000, 1, &(struct rcc_hop){13000, 162500, 1, 100000});
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 154375 + 80);
    acknowledge(&rig, 10, 100001, 200000, 1, &(struct rcc_hop){26000, 162500 + 81250, 0, 100000}); /* ends the round */
    ck_assert_uint_eq(state(&rig)->last, 200000);
    ck_assert_double_eq_tol((double)state(&rig)->loop[0].u / ONE_U, 0.5, 1e-9);
    rig_set(&rig, "sample_feedback", 0);
    rig_set(&rig, "rate_bound", 0);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 0, 1000, 100000, 1, &full);
    acknowledge(&rig, 10, 100001, 200000, 1, &busy);
    ck_assert_double_eq_tol(bytes(state(&rig)->w), 77187.5 + 80, 1e-3);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 100 * GBPS);
    rig_free(&rig);
}
END_TEST

/* Each hop has its own loop: what one of them adds, the others do not forget. */
START_TEST(rates_per_hop)
{
    const struct rcc_hop before[2] = {full, quiet}, after[2] = {busy, {13000, 40625, 0, 100000}};
    struct rig rig;
    start(&rig, 5);
    rig_set(&rig, "multi_rate", 1);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 0, 1000, 100000, 2, before);
    acknowledge(&rig, 10, 100001, 200000, 2, after);
    ck_assert_double_eq_tol((double)state(&rig)->loop[0].u / ONE_U, 2, 1e-9);
    ck_assert_double_eq_tol((double)state(&rig)->loop[1].u / ONE_U, 0.25, 1e-9);
    ck_assert_double_eq_tol(bytes(state(&rig)->loop[0].wc), 77267.5, 1e-3);
    ck_assert_double_eq_tol(bytes(state(&rig)->loop[1].wc), 162500, 1e-3);
    ck_assert_uint_eq(state(&rig)->loop[0].stage, 0);
    ck_assert_uint_eq(state(&rig)->loop[1].stage, 1);
    ck_assert_double_eq_tol(bytes(state(&rig)->w), 77267.5, 1e-3);
    acknowledge(&rig, 20, 200001, 300000, 2, after); /* no record is newer */
    ck_assert_uint_eq(state(&rig)->last, 200000);
    rig_free(&rig);
}
END_TEST

/* The first hops are read of a path that has more than there is space for. */
START_TEST(long_paths)
{
    struct rcc_hop path[RCC_PATH_MAX + 1];
    struct rig rig;
    start(&rig, 0);
    for (int i = 0; i <= RCC_PATH_MAX; i++)
        path[i] = quiet;
    acknowledge(&rig, 0, 1000, 100000, RCC_PATH_MAX + 1, path);
    ck_assert_uint_eq(state(&rig)->seen.n, RCC_PATH_MAX);
    path[RCC_PATH_MAX] = busy;
    acknowledge(&rig, 0, 1000, 100000, RCC_PATH_MAX + 1, path);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    path[RCC_PATH_MAX - 1] = busy;
    acknowledge(&rig, 0, 1000, 100000, RCC_PATH_MAX + 1, path);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 154375 + 80);
    rig_free(&rig);
}
END_TEST

START_TEST(derived_parameters)
{
    struct rig rig;
    struct rcc_error error;
    rig_init(&rig, "hpcc", "simulator", 100 * GBPS);
    rig.env.base_rtt = 13000;
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rig.rp_profile->needs.wants, RCC_WANT_WINDOW | RCC_WANT_ACK_PER_PACKET | RCC_WANT_INT);
    ck_assert_int_eq(rig.rp_profile->needs.int_form, RCC_INT_FIXED);
    ck_assert_uint_eq(rig.rp_profile->needs.data_extra, 42);
    ck_assert_uint_eq(rig.rp_profile->needs.ack_extra, 42);
    ck_assert_uint_eq(rig.rp_profile->needs.data_extra_per_hop + rig.rp_profile->needs.ack_extra_per_hop, 0);
    acknowledge(&rig, 0, 1000, 100000, 1, &full);
    acknowledge(&rig, 10, 100001, 200000, 1, &busy);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 77269); /* 77187.5 + 50 Mb/s x 13 us = 81.25 */
    ck_assert(!rig.rp_profile->frozen && rig.rp_profile->latest);
    rig.env.path_rate = 500 * MBPS;
    ck_assert(!rcc_check(rig.alg, rig.params, &rig.env, &error));
    ck_assert_str_eq(error.name, "r_min");
    rig_free(&rig);
    start(&rig, 5);
    ck_assert_uint_eq(rig.rp_profile->needs.wants,
                      RCC_WANT_WINDOW | RCC_WANT_ACK_PER_PACKET | RCC_WANT_INT); /* rule: starts */
    rig_set(&rig, "window_rule", 0);
    rig_start(&rig, 0, 1);
    ck_assert_mem_eq(&rig.rp_profile->needs, &rig.alg->needs, sizeof rig.alg->needs); /* fits */
    ck_assert_uint_eq(rig.rp_profile->needs.data_extra_per_hop, 8);
    state(&rig)->loop[0].u = 0; /* an idle path */
    acknowledge(&rig, 0, 1000, 100000, 1, &quiet);
    acknowledge(&rig, 10, 100001, 200000, 1, &(struct rcc_hop){13000, 0, 0, 100000});
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    rig_free(&rig);
}
END_TEST

START_TEST(stamps)
{
    struct rcc_hop hop = {1, 2, 3, 4};
    struct rcc_cnm cnm;
    struct rig rig;
    start(&rig, 5);
    rig_start_cp(&rig, 1);
    ck_assert_int_eq(rcc_cp_watches(rig.alg), RCC_CP_TELEMETRY);
    ck_assert_int_eq(rcc_cp_enqueued(rig.cp, 1000000000, 1000, &cnm), RCC_CP_PASS);
    ck_assert_int_eq(rcc_cp_dequeued(rig.cp, 1000000000), RCC_CP_PASS);
    ck_assert(rcc_cp_stamp(rig.cp, ((rcc_time)3 << 32) + 17, 5000, ((uint64_t)7 << 32) + 99, 400 * GBPS, &hop));
    ck_assert(hop.ts == 17 && hop.tx == 99 && hop.qlen == 5000 && hop.rate_mbps == 400000);
    ck_assert(rcc_cp_stamp(rig.cp, 0, (uint64_t)1 << 40, 0, RCC_LINE_RATE_MAX, &hop));
    ck_assert(hop.qlen == UINT32_MAX && hop.rate_mbps == 16000000);
    rig_free(&rig);
}
END_TEST

/* Records of a port of 7.2 Tb/s that are read from the bytes of a packet: its rate is that of the nearest code, 6.4
 * Tb/s (paper) or 400 Gb/s (simulator), and a port that sends all the time is a used one. */
START_TEST(rates_that_the_wire_cannot_tell)
{
    static const uint8_t forms[] = {RCC_INT_PAPER, RCC_INT_FIXED};
    static const char *const algorithms[] = {"hpcc", "powertcp"};
    for (int i = 0; i < 4; i++)
    {
        struct rcc_wire_int before = {.form = forms[i % 2]};
        struct rig rig;
        rig_init(&rig, algorithms[i / 2], NULL, 7200 * GBPS);
        rig.env.base_rtt = 13000;
        rig_start(&rig, 0, 1);
        for (uint32_t k = 0; k < 5; k++)
        {
            struct rcc_wire_int path = {.form = forms[i % 2]}, read = path;
            const struct rcc_hop hop = {k * 13000, k * 11700000, 1000000, 7200000};
            uint8_t bytes[42];
            rcc_wire_int_add(&path, &hop, 1);
            rcc_wire_int_encode(&path, bytes);
            ck_assert_uint_ne(rcc_wire_int_decode(&read, bytes, sizeof bytes, k * 13000, k != 0 ? before.hop : NULL),
                              0);
            acknowledge(&rig, k * 13000, 1 + k * 11700000, (k + 1) * 11700000, 1, read.hop);
            before = read;
        }
        ck_assert_uint_lt(rcc_rp_window(rig.rp), 11700000 * (i % 2 == 0 ? 98 : 50) / 100);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ against the reference */

#define HOPS 5

struct ref_loop
{
    double u, wc;
    int64_t stage;
};

struct ref
{
    bool multi;
    double eta, w_ai, w_min, bdp, rtt, w;
    int64_t max_stage;
    uint64_t last;
    struct ref_loop loop[HOPS];
    struct rcc_hop old[HOPS];
};

static double ref_react(struct ref *r, struct ref_loop *l, double u, double tau, bool round)
{
    double w;
    bool multiply;
    tau = fmin(tau, r->rtt);
    l->u = (1 - tau / r->rtt) * l->u + tau / r->rtt * u;
    multiply = l->u >= r->eta || l->stage >= r->max_stage;
    w = fmax(fmin((multiply ? l->wc * r->eta / l->u : l->wc) + r->w_ai, r->bdp), r->w_min);
    if (round)
    {
        l->stage = multiply ? 0 : l->stage + 1;
        l->wc = w;
    }
    return w;
}

static void ref_ack(struct ref *r, uint64_t seq, uint64_t next, const struct rcc_hop *path, int n, bool first)
{
    const bool round = seq > r->last;
    double most = -1, tau = 0, least = r->bdp;
    for (int i = 0; i < n && !first; i++)
    {
        const double dt = (double)(path[i].ts - r->old[i].ts), rate = path[i].rate_mbps * 1e6;
        const double q = fmin(path[i].qlen, r->old[i].qlen);
        const double u = 8e9 * (double)(path[i].tx - r->old[i].tx) / dt / rate + q * 8e9 / (rate * r->rtt);
        if (r->multi)
            least = fmin(least, ref_react(r, &r->loop[i], u, dt, round));
        if (u > most)
        {
            most = u;
            tau = dt;
        }
    }
    if (!first)
        r->w = r->multi ? least : ref_react(r, &r->loop[0], most, tau, round);
    if (round || first)
        r->last = next > r->last ? next : r->last;
    memcpy(r->old, path, sizeof r->old);
}

/* The next record of a port: up to twice T later, up to fully used, with a queue that comes and goes. */
static void next_hop(struct rcc_hop *hop, struct rng *rng, int64_t rtt)
{
    const uint32_t dt = (uint32_t)rng_log_range(rng, 1, 2 * rtt);
    hop->ts += dt;
    hop->tx += (uint32_t)((uint64_t)hop->rate_mbps * dt / 8000 * (uint64_t)rng_range(rng, 0, 100) / 100 + 64);
    hop->qlen = rng_chance(rng, 40) ? 0 : (uint32_t)rng_log_range(rng, 1, 4000000);
}

static void compare(uint64_t seed, bool multi)
{
    struct rng rng = {seed};
    struct rig rig;
    struct ref r = {.multi = multi};
    struct rcc_hop path[HOPS];
    uint64_t seq = 1000;
    const int n = (int)rng_range(&rng, 1, HOPS);
    rig_init(&rig, "hpcc", seed % 3 == 0 ? "high-load" : "paper", line_rates[seed % LINE_RATES]);
    rig.env.base_rtt = rng_log_range(&rng, 2000, 200000);
    rig_set(&rig, "max_stage", rng_range(&rng, 0, 6));
    rig_set(&rig, "w_ai", rng_log_range(&rng, 1, 5000));
    rig_set(&rig, "multi_rate", multi);
    rig_start(&rig, 0, seed);
    r.rtt = (double)rig.env.base_rtt;
    r.w = r.bdp = (double)rig.env.line_rate * r.rtt / 8e9;
    r.eta = (double)rig_get(&rig, "eta") / PPB;
    r.w_ai = (double)rig_get(&rig, "w_ai");
    r.w_min = (double)rig_get(&rig, "r_min") * r.rtt / 8e9;
    r.max_stage = rig_get(&rig, "max_stage");
    for (int i = 0; i < HOPS; i++)
    {
        r.loop[i] = (struct ref_loop){.u = 1, .wc = r.bdp};
        path[i] = (struct rcc_hop){.ts = (uint32_t)rng_next(&rng),
                                   .tx = (uint32_t)rng_next(&rng),
                                   .rate_mbps = (uint32_t)(rng_chance(&rng, 70) ? rig.env.line_rate / MBPS : 4000000)};
    }
    for (int i = 0; i < 20000; i++)
    {
        const uint64_t next = seq + (uint64_t)rng_range(&rng, 1, 20000);
        acknowledge(&rig, i, seq, next, (uint8_t)n, path);
        ref_ack(&r, seq, next, path, n, i == 0);
        for (int k = 0; k < n; k++)
        {
            const struct hpcc_loop *l = &state(&rig)->loop[k];
            CHECK(fabs((double)l->u / ONE_U - r.loop[k].u) < 1e-9 * fmax(1, r.loop[k].u),
                  "seed %llu, ack %d: U %.9f, reference %.9f", (unsigned long long)seed, i, (double)l->u / ONE_U,
                  r.loop[k].u);
            CHECK(l->stage == r.loop[k].stage, "seed %llu, ack %d: stage", (unsigned long long)seed, i);
            CHECK(relative(bytes(l->wc), r.loop[k].wc) < 1e-6, "seed %llu, ack %d: Wc", (unsigned long long)seed, i);
        }
        CHECK(relative(bytes(state(&rig)->w), r.w) < 1e-6, "seed %llu, ack %d: W %.6f, reference %.6f",
              (unsigned long long)seed, i, bytes(state(&rig)->w), r.w);
        CHECK(relative(rp_rate(rig.rp), r.w * 8e9 / r.rtt) < 1e-6, "seed %llu, ack %d: rate", (unsigned long long)seed,
              i);
        seq += (uint64_t)rng_range(&rng, 0, 3000);
        for (int k = 0; k < n; k++)
            next_hop(&path[k], &rng, rig.env.base_rtt);
    }
    rig_free(&rig);
}

START_TEST(matches_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(50); seed++) /* a million acknowledgements each */
        compare(seed, _i == 1);
}
END_TEST

Suite *suite_hpcc(void)
{
    Suite *s = suite_create("hpcc");
    TCase *tc = long_tcase("hpcc");
    tcase_add_loop_test(tc, vector, 0, sizeof vectors / sizeof vectors[0]);
    tcase_add_test(tc, what_cannot_be_compared_is_recorded);
    tcase_add_test(tc, reordered_acknowledgements_change_nothing);
    tcase_add_test(tc, foreign_signals);
    tcase_add_test(tc, keys_of_the_simulator);
    tcase_add_test(tc, rates_per_hop);
    tcase_add_test(tc, long_paths);
    tcase_add_test(tc, derived_parameters);
    tcase_add_test(tc, stamps);
    tcase_add_test(tc, rates_that_the_wire_cannot_tell);
    tcase_add_loop_test(tc, matches_the_reference, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}
