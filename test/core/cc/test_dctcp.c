/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DCTCP: vectors of both forms, every rule by hand, and random acknowledgements against a reference in floating point.
 */
#include "dctcp.h"
#include "helpers.h"
#include "windowed.h"

#include <math.h>

#define Q62 4611686018427387904.0

static struct dctcp_rp *state(const struct rig *rig)
{
    return (struct dctcp_rp *)rig->rp;
}

/* 100 Gb/s, T 13 us, mtu 1000, R_AI 615 Mb/s. */
static void start(struct rig *rig, const char *preset)
{
    rig_init(rig, "dctcp", preset, 100 * GBPS);
    rig->env.base_rtt = 13000;
    rig->env.mtu = 1000;
    rig_start(rig, 0, 1);
}

/* ------------------------------------------------------------------ vectors */

struct ack
{
    uint64_t seq, next;
    bool ce;
    /* after it */
    double rate, alpha;
    uint64_t marked, batch;
    bool reduced;
    uint64_t last, high;
};

static void acknowledge(struct rig *rig, const struct ack *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
    {
        const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .seq = a[i].seq, .next = a[i].next, .ce = a[i].ce};
        const struct dctcp_rp *d = state(rig);
        rcc_rp_feedback(rig->rp, 1000 * (rcc_time)i, &f);
        CHECK(relative(rp_rate(rig->rp), a[i].rate) < 1e-8, "ack %zu: rate %.3f", i, rp_rate(rig->rp));
        CHECK(fabs(rp_alpha(rig->rp) - a[i].alpha) < 1e-9, "ack %zu: alpha %.10f", i, rp_alpha(rig->rp));
        CHECK(d->marked == a[i].marked && d->batch == a[i].batch, "ack %zu: %llu of %llu marked", i,
              (unsigned long long)d->marked, (unsigned long long)d->batch);
        CHECK(d->reduced == a[i].reduced && rp_state(rig->rp) == a[i].reduced, "ack %zu: reduced", i);
        CHECK(d->last == a[i].last && d->high == a[i].high, "ack %zu: last %llu, high %llu", i,
              (unsigned long long)d->last, (unsigned long long)d->high);
    }
}

/* Start, set the state before, acknowledge, free. */
struct before
{
    double rate, alpha;
    uint64_t marked, batch, last, high;
    bool reduced;
};

static void vector(const struct before *b, const struct ack *a, size_t n)
{
    struct rig rig;
    start(&rig, "simulator");
    if (b != NULL)
    {
        struct dctcp_rp *d = state(&rig);
        d->rp.rp.rate = (uint64_t)(b->rate * (double)RCC_RATE_ONE);
        d->alpha = (uint64_t)(b->alpha * Q62);
        d->marked = b->marked;
        d->batch = b->batch;
        d->last = b->last;
        d->high = b->high;
        d->reduced = b->reduced;
    }
    acknowledge(&rig, a, n);
    rig_free(&rig);
}

#define VECTOR(before, ...)                                                                                            \
    do                                                                                                                 \
    {                                                                                                                  \
        const struct ack acks[] = {__VA_ARGS__};                                                                       \
        vector(before, acks, sizeof acks / sizeof acks[0]);                                                            \
    } while (0)
#define BEFORE(...) (&(struct before){__VA_ARGS__})

START_TEST(first_ack)
{
    VECTOR(NULL, {1000, 160000, true, 5e10, 1, 1, 161, true, 160000, 160000}); /* halved at alpha 1, no increase */
    VECTOR(NULL, {1000, 160000, false, 1e11, 1, 0, 161, false, 160000, 0});    /* the increase is capped */
}
END_TEST

START_TEST(rounds_end)
{
    VECTOR(BEFORE(.rate = 5e10, .alpha = 1, .last = 160000, .batch = 161),
           {161000, 320000, false, 5.0615e10, 0.9375, 0, 160, false, 320000, 0});
    /* alpha first, then the cut with it */
    VECTOR(BEFORE(.rate = 5e10, .alpha = 0.25, .last = 160000, .batch = 161, .marked = 39),
           {161000, 320000, true, 4.3752426242236e10, 0.249902950310559, 0, 160, true, 320000, 320000});
    /* more marks than the batch: fraction 1 */
    VECTOR(BEFORE(.rate = 4e10, .alpha = 0.125, .last = 1000, .batch = 5, .marked = 9),
           {2000, 9000, true, 3.640625e10, 0.1796875, 0, 8, true, 9000, 9000});
}
END_TEST

START_TEST(reduced)
{
    /* marks count for alpha, the rate stands; an ACK beyond `high` ends it and, marked, cuts again at once */
    VECTOR(
        BEFORE(.rate = 4e10, .alpha = 0.5, .last = 400000, .high = 300000, .reduced = true, .batch = 100, .marked = 3),
        {250000, 400000, true, 4e10, 0.5, 4, 100, true, 400000, 300000},
        {300000, 420000, true, 4e10, 0.5, 5, 100, true, 400000, 300000},
        {301000, 421000, true, 3e10, 0.5, 6, 100, true, 400000, 421000});
    /* an unmarked ACK that also ends the round: alpha, then the increase */
    VECTOR(
        BEFORE(.rate = 4e10, .alpha = 0.5, .last = 300000, .high = 300000, .reduced = true, .batch = 10, .marked = 10),
        {301000, 421000, false, 4.0615e10, 0.53125, 0, 121, false, 421000, 300000});
}
END_TEST

START_TEST(least_rate)
{
    VECTOR(BEFORE(.rate = 150000000, .alpha = 1, .last = 1000000),
           {5000, 1000000, true, 100000000, 1, 1, 0, true, 1000000, 1000000});
}
END_TEST

START_TEST(clean_rounds)
{
    struct rig rig;
    start(&rig, "simulator");
    state(&rig)->rp.rp.rate = 100 * MBPS << RCC_RATE_SHIFT;
    state(&rig)->last = state(&rig)->batch = 1;
    for (uint64_t i = 2; i <= 65; i++)
    {
        const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .seq = 1000 * i, .next = 1000 * i};
        rcc_rp_feedback(rig.rp, 0, &f);
    }
    ck_assert_double_eq_tol(rp_rate(rig.rp), 3.946e10, 1);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 0.0160753964, 1e-9);
    ck_assert_uint_eq(state(&rig)->last, 65000);
    ck_assert_uint_eq(state(&rig)->batch, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(window_form)
{
    static const struct
    {
        uint64_t seq, next;
        bool ce;
        double window, alpha;
    } acks[] = {{51000, 150000, false, 100010, 0.46875},
                {52000, 151000, true, 76570.15625, 0.46875},
                {53000, 152000, true, 76570.15625, 0.46875},
                {151000, 250000, false, 76570.15625, 0.481119792},
                {152000, 251000, false, 76583.2162, 0.481119792}};
    struct rig rig;
    start(&rig, "window");
    state(&rig)->cwnd = 100000 * WINDOWED_ONE;
    state(&rig)->alpha = RCC_Q62_ONE / 2;
    state(&rig)->last = 50000;
    for (size_t i = 0; i < sizeof acks / sizeof acks[0]; i++)
    {
        const struct rcc_feedback f = {
            .kind = RCC_FEEDBACK_ACK, .seq = acks[i].seq, .next = acks[i].next, .ce = acks[i].ce, .acked = 1000};
        rcc_rp_feedback(rig.rp, 0, &f);
        CHECK(fabs((double)state(&rig)->cwnd / (double)WINDOWED_ONE - acks[i].window) < 1e-4, "ack %zu: W", i);
        CHECK(rcc_rp_window(rig.rp) == (uint64_t)(acks[i].window + 0.5), "ack %zu: window", i);
        CHECK(relative(rp_rate(rig.rp), acks[i].window * 8e9 / 13000) < 1e-7, "ack %zu: rate", i);
        CHECK(fabs(rp_alpha(rig.rp) - acks[i].alpha) < 1e-9, "ack %zu: alpha %.9f", i, rp_alpha(rig.rp));
    }
    rig_free(&rig);
}
END_TEST

/* ------------------------------------------------------------------ rules by hand */

static void signal(struct rig *rig, enum rcc_feedback_kind kind, uint64_t seq, uint64_t next)
{
    const struct rcc_feedback f = {.kind = kind, .seq = seq, .next = next, .acked = 1000};
    rcc_rp_feedback(rig->rp, rig->rp->now, &f);
}

START_TEST(losses_halve_once_per_round)
{
    struct rig rig;
    start(&rig, "simulator");
    signal(&rig, RCC_FEEDBACK_LOSS, 1000, 100000);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 50 * GBPS);
    signal(&rig, RCC_FEEDBACK_TIMEOUT, 1000, 100000);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 50 * GBPS);
    signal(&rig, RCC_FEEDBACK_ACK, 101000, 200000);
    signal(&rig, RCC_FEEDBACK_TIMEOUT, 101000, 200000);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 25 * GBPS + 615 * MBPS / 2);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 0.9375, 1e-9); /* it halves, whatever alpha is */
    signal(&rig, RCC_FEEDBACK_TRIM, 300000, 400000);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 25 * GBPS + 615 * MBPS / 2);
    rig_free(&rig);
    start(&rig, "window");
    signal(&rig, RCC_FEEDBACK_TIMEOUT, 1000, 100000);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 81250);
    for (uint64_t i = 1; i < 20; i++)
        signal(&rig, RCC_FEEDBACK_LOSS, 100000 * i + 1, 100000 * (i + 1));
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 2000); /* the floor: two packets */
    state(&rig)->alpha = RCC_Q62_ONE / 2;
    state(&rig)->marked = state(&rig)->batch = 0;
    rcc_rp_feedback(rig.rp, rig.rp->now,
                    &(struct rcc_feedback){.kind = RCC_FEEDBACK_ACK, .seq = 9000000, .next = 9100000});
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 0.46875, 1e-9); /* a round that acknowledged nothing had no mark */
    rig_free(&rig);
}
END_TEST

START_TEST(coalesced_acks_count_their_packets)
{
    static const struct
    {
        uint64_t acked, ce_bytes, marked;
    } cases[] = {
        {0, 0, 1}, {1000, 0, 1}, {1001, 0, 2}, {8000, 0, 8}, {8000, 3000, 3}, {8000, 500, 1}, {UINT64_MAX, 0, 4294968}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        struct rcc_feedback f = {
            .kind = RCC_FEEDBACK_ACK, .acked = cases[i].acked, .ce_bytes = cases[i].ce_bytes, .ce = true};
        struct rig rig;
        start(&rig, "simulator");
        rcc_rp_feedback(rig.rp, 0, &f);
        ck_assert_uint_eq(state(&rig)->marked, cases[i].marked);
        f.ce = false;
        rcc_rp_feedback(rig.rp, 0, &f);
        ck_assert_uint_eq(state(&rig)->marked, cases[i].marked);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(windows_of_the_rate)
{
    static const struct
    {
        const char *kind;
        uint64_t start, halved;
    } cases[] = {{"variable", 162500, 81250}, {"fixed", 162500, 162500}, {"none", 0, 0}};
    for (int64_t i = 0; i < 3; i++)
    {
        struct rig rig;
        rig_init(&rig, "dctcp", NULL, 400 * GBPS);
        rig.env.path_rate = 100 * GBPS; /* the receiver's NIC is slower */
        rig_set(&rig, "base_rtt", 13000);
        rig_set(&rig, "window", i);
        rig_set(&rig, "window_rule", i % 2);
        rig_start(&rig, 0, 1);
        ck_assert_uint_eq(rcc_rp_window(rig.rp), cases[i].start);
        ck_assert_uint_eq(rcc_rp_rate(rig.rp), 100 * GBPS);
        ck_assert_int_eq((rig.rp_profile->needs.wants & RCC_WANT_WINDOW_FITS) != 0, i == 0);
        signal(&rig, RCC_FEEDBACK_TIMEOUT, 0, 1000);
        ck_assert_uint_eq(rcc_rp_window(rig.rp), cases[i].halved);
        ck_assert_uint_eq(rcc_rp_rate(rig.rp), 50 * GBPS);
        rig_free(&rig);
    }
}
END_TEST

/* Values that the host leaves out have defaults: T 13 us, packets of 1000 bytes, C the line rate; T is at most 100 ms.
 */
START_TEST(environment)
{
    struct rig rig;
    struct rcc_error error;
    rig_init(&rig, "dctcp", "window", 100 * GBPS);
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    rig.env.base_rtt = 5 * SEC;
    rig.env.path_rate = 200 * GBPS;
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 1250000000);
    rig.env.base_rtt = 1;
    rig.env.mtu = UINT32_MAX;
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 2 * RCC_FRAME_MAX);
    rig.env.path_rate = 50 * MBPS;
    ck_assert(!rcc_check(rig.alg, rig.params, &rig.env, &error));
    ck_assert_str_eq(error.message, "r_min is above the line rate");
    ck_assert_int_eq(error.max, 50 * (int64_t)MBPS);
    rig_free(&rig);
    for (int64_t times = 1; times <= 8; times++) /* the largest C T: 200 GB, and windows of at most 2^39 bytes */
    {
        struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .acked = (uint64_t)1 << 61};
        const double most = fmin(2e11 * (double)times, 549755813888.0);
        rig_init(&rig, "dctcp", "window", RCC_LINE_RATE_MAX);
        rig_set(&rig, "base_rtt", 100 * MS);
        rig_set(&rig, "w_max", times);
        rig_start(&rig, 0, 1);
        ck_assert_double_eq_tol((double)rcc_rp_window(rig.rp), 2e11, 1e3);
        ck_assert_double_eq_tol(rp_rate(rig.rp), (double)RCC_LINE_RATE_MAX, 1);
        state(&rig)->cwnd = (uint64_t)(most - 500) << WINDOWED_SHIFT; /* as many bytes as the window: one packet more */
        rcc_rp_feedback(rig.rp, 1000, &f);
        ck_assert_double_eq_tol((double)rcc_rp_window(rig.rp), most, 1);
        rig_free(&rig);
    }
    rig_init(&rig, "dctcp", NULL, 100 * GBPS);
    rig_set(&rig, "r_ai", 0);
    rig_start(&rig, 0, 1);
    signal(&rig, RCC_FEEDBACK_TIMEOUT, 0, 1000);
    signal(&rig, RCC_FEEDBACK_ACK, 2000, 3000);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 50 * GBPS + 615384615); /* 1000 bytes per 13 us */
    rig_free(&rig);
}
END_TEST

/* The last digits: a window grows by whole units of 2^-24 byte, an ACK counts at most the largest window, K of a port
 * is exact, and a batch of one-byte packets that go back is one. */
START_TEST(digits)
{
    struct rig rig;
    struct rcc_cnm cnm;
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .seq = 1000, .next = 100000, .acked = 1000};
    start(&rig, "window");
    state(&rig)->cwnd = (uint64_t)100000 << WINDOWED_SHIFT;
    rcc_rp_feedback(rig.rp, 1000, &f);
    ck_assert_uint_eq(state(&rig)->cwnd, (uint64_t)100010 << WINDOWED_SHIFT);
    state(&rig)->cwnd = (uint64_t)100000 << WINDOWED_SHIFT;
    f.acked = (uint64_t)1 << 61; /* 1000 times as much would be 0; 4 C T are 650000 */
    rcc_rp_feedback(rig.rp, 2000, &f);
    ck_assert_uint_eq(state(&rig)->cwnd, (uint64_t)106500 << WINDOWED_SHIFT);
    rig_free(&rig);
    start(&rig, NULL);
    ck_assert_uint_eq(rig.alg->needs.wants,
                      RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS | RCC_WANT_ACK_PER_PACKET | RCC_WANT_CE);
    ck_assert_double_eq_tol(rp_target(rig.rp), 100e9, 1); /* the rate: there is no other target */
    state(&rig)->last = 160000;
    f = (struct rcc_feedback){.kind = RCC_FEEDBACK_ACK, .seq = 160000, .next = 320000};
    rcc_rp_feedback(rig.rp, 1000, &f); /* the last byte of the round does not end it */
    ck_assert_uint_eq(state(&rig)->last, 160000);
    rig_free(&rig);
    rig_init(&rig, "dctcp", NULL, 1000 * GBPS);
    rig_start_cp(&rig, 1);
    ck_assert_int_eq(rcc_cp_dequeued(rig.cp, 3000000), RCC_CP_PASS);
    ck_assert_int_eq(rcc_cp_dequeued(rig.cp, 3000001), RCC_CP_MARK);
    ck_assert_int_eq(rcc_cp_enqueued(rig.cp, 3000001, 1000, &cnm), RCC_CP_PASS);
    rig_free(&rig);
    rig_init(&rig, "dctcp", NULL, 100 * GBPS);
    rig.env.mtu = 1;
    rig_start(&rig, 0, 1);
    f = (struct rcc_feedback){.kind = RCC_FEEDBACK_ACK, .seq = 10, .next = 20};
    rcc_rp_feedback(rig.rp, 1000, &f);
    f = (struct rcc_feedback){.kind = RCC_FEEDBACK_ACK, .seq = 30, .next = 25};
    rcc_rp_feedback(rig.rp, 2000, &f);
    ck_assert_uint_eq(state(&rig)->batch, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(marking)
{
    static const struct
    {
        uint64_t line;
        int64_t k;
        uint64_t threshold;
    } cases[] = {{100 * GBPS, 0, 300000}, {400 * GBPS, 0, 1200000}, {10 * GBPS, 0, 30000}, {10 * GBPS, 5000, 5000}};
    struct rcc_cnm cnm;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int64_t at = 0; at < 2; at++)
        {
            struct rig rig;
            rig_init(&rig, "dctcp", NULL, cases[i].line);
            rig_set(&rig, "k", cases[i].k);
            rig_set(&rig, "mark_at", at);
            rig_start_cp(&rig, 1);
            for (uint64_t above = 0; above < 2; above++)
            {
                const uint64_t queue = cases[i].threshold + above;
                ck_assert_int_eq(rcc_cp_dequeued(rig.cp, queue), above && at == 0 ? RCC_CP_MARK : RCC_CP_PASS);
                ck_assert_int_eq(rcc_cp_enqueued(rig.cp, queue, 1000, &cnm),
                                 above && at == 1 ? RCC_CP_MARK : RCC_CP_PASS);
            }
            rig_free(&rig);
        }
}
END_TEST

/* ------------------------------------------------------------------ against the reference */

struct ref
{
    bool window, reduced;
    double line, bdp, g, r_ai, r_min, mtu, w_max, rate, cwnd, alpha, marked, batch;
    uint64_t last, high;
};

static void ref_reduce(struct ref *r, double alpha, uint64_t next)
{
    if (r->reduced)
        return;
    if (r->window)
        r->cwnd = fmax(r->cwnd * (1 - alpha / 2), 2 * r->mtu);
    else
        r->rate = fmax(r->rate * (1 - alpha / 2), r->r_min);
    r->reduced = true;
    r->high = next;
}

static void ref_ack(struct ref *r, const struct rcc_feedback *f)
{
    const bool ends = f->seq > r->last;
    const double marked_bytes = (double)(f->ce_bytes != 0 ? f->ce_bytes : f->acked);
    if (f->ce)
        r->marked += r->window ? marked_bytes : fmax(ceil(marked_bytes / r->mtu), 1);
    if (r->window)
        r->batch += (double)f->acked;
    if (ends && r->last != 0)
    {
        const double share = r->batch > 0 ? fmin(1, r->marked / r->batch) : r->marked > 0;
        r->alpha = (1 - r->g) * r->alpha + r->g * share;
        r->marked = r->batch = 0;
    }
    if (ends && !r->window)
        r->batch = floor((double)(f->next - (r->last != 0 ? f->seq : 0)) / r->mtu) + 1;
    if (ends)
        r->last = f->next;
    if (f->seq > r->high)
        r->reduced = false;
    if (f->ce && !(r->window && marked_bytes == 0))
        ref_reduce(r, r->alpha, f->next);
    if (r->reduced)
        return;
    if (r->window)
        r->cwnd = fmin(r->cwnd + r->mtu * (double)f->acked / r->cwnd, r->w_max);
    else if (ends)
        r->rate = fmin(r->rate + r->r_ai, r->line);
}

static void compare(uint64_t seed, bool window)
{
    struct rng rng = {seed};
    struct rig rig;
    struct ref r = {.window = window, .alpha = 1};
    uint64_t seq = 0;
    rig_init(&rig, "dctcp", window ? "window" : "simulator", line_rates[seed % LINE_RATES]);
    rig.env.base_rtt = rng_log_range(&rng, 1000, 200000);
    rig.env.mtu = (uint32_t)rng_range(&rng, 256, 9000);
    rig_set(&rig, "g", rng_log_range(&rng, 1000000, 1000000000));
    rig_set(&rig, "r_ai", rng_chance(&rng, 30) ? 0 : rng_log_range(&rng, 1000000, 5000000000));
    rig_start(&rig, 0, seed);
    r.line = r.rate = (double)rig.env.line_rate;
    r.bdp = r.line * (double)rig.env.base_rtt / 8e9;
    r.mtu = rig.env.mtu;
    r.w_max = fmax(4 * r.bdp, 2 * r.mtu);
    r.cwnd = fmax(r.bdp, 2 * r.mtu);
    r.g = (double)rig_get(&rig, "g") / PPB;
    r.r_ai = rig_get(&rig, "r_ai") != 0 ? (double)rig_get(&rig, "r_ai") : r.mtu * 8e9 / (double)rig.env.base_rtt;
    r.r_min = (double)rig_get(&rig, "r_min");
    for (int i = 0; i < 10000; i++)
    {
        struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .seq = seq, .ce = rng_chance(&rng, 1 + seed % 40)};
        f.acked = (uint64_t)rng_range(&rng, 0, 3) * rig.env.mtu;
        f.ce_bytes = f.ce && rng_chance(&rng, 50) ? (uint64_t)rng_range(&rng, 0, (int64_t)f.acked) : 0;
        f.seq = seq += f.acked;
        f.next = seq + (uint64_t)rng_range(&rng, 1, 200000);
        if (rng_chance(&rng, 1))
            f.kind = rng_chance(&rng, 50) ? RCC_FEEDBACK_LOSS : RCC_FEEDBACK_TIMEOUT;
        rcc_rp_feedback(rig.rp, i, &f);
        if (f.kind != RCC_FEEDBACK_TIMEOUT)
            ref_ack(&r, &f);
        if (f.kind != RCC_FEEDBACK_ACK)
            ref_reduce(&r, 1, f.next);
        CHECK(state(&rig)->reduced == r.reduced, "seed %llu, ack %d: reduced", (unsigned long long)seed, i);
        CHECK(fabs(rp_alpha(rig.rp) - r.alpha) < 1e-6, "seed %llu, ack %d: alpha", (unsigned long long)seed, i);
        if (window)
            CHECK(relative((double)state(&rig)->cwnd / (double)WINDOWED_ONE, r.cwnd) < 1e-6,
                  "seed %llu, ack %d: W %.3f, reference %.3f", (unsigned long long)seed, i,
                  (double)state(&rig)->cwnd / (double)WINDOWED_ONE, r.cwnd);
        else
            CHECK(relative(rp_rate(rig.rp), r.rate) < 1e-6, "seed %llu, ack %d: rate %.3f, reference %.3f",
                  (unsigned long long)seed, i, rp_rate(rig.rp), r.rate);
        if (!window)
            CHECK(fabs((double)rcc_rp_window(rig.rp) - r.bdp * r.rate / r.line) < 2 + 1e-6 * r.bdp,
                  "seed %llu, ack %d: window", (unsigned long long)seed, i);
    }
    rig_free(&rig);
}

START_TEST(matches_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(60); seed++) /* 600 000 acknowledgements of each form */
        compare(seed, _i == 1);
}
END_TEST

Suite *suite_dctcp(void)
{
    Suite *s = suite_create("dctcp");
    TCase *tc = long_tcase("dctcp");
    tcase_add_test(tc, first_ack);
    tcase_add_test(tc, rounds_end);
    tcase_add_test(tc, reduced);
    tcase_add_test(tc, least_rate);
    tcase_add_test(tc, clean_rounds);
    tcase_add_test(tc, window_form);
    tcase_add_test(tc, losses_halve_once_per_round);
    tcase_add_test(tc, coalesced_acks_count_their_packets);
    tcase_add_test(tc, windows_of_the_rate);
    tcase_add_test(tc, environment);
    tcase_add_test(tc, digits);
    tcase_add_test(tc, marking);
    tcase_add_loop_test(tc, matches_the_reference, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}
