/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* HPCC with PINT: its logarithm, its ports and its reaction point against models in floating point. */
#include "helpers.h"
#include "hpcc.h"
#include "pint.h"
#include "windowed.h"

#include <math.h>

#define ONE 1099511627776.0 /* 2^PINT_SHIFT, 2^HPCC_U_SHIFT */

static const int64_t bases[] = {1010000000, 1050000000, 1234567890, 2000000000};

#define BASES (sizeof bases / sizeof bases[0])

static void start(struct rig *rig, uint64_t line_rate, int64_t rtt)
{
    rig_init(rig, "hpcc", "pint", line_rate);
    rig->env.base_rtt = rtt;
}

static struct hpcc_rp *state(const struct rig *rig)
{
    return (struct hpcc_rp *)rig->rp;
}

static struct pint_cp *port(const struct rig *rig)
{
    return (struct pint_cp *)rig->cp;
}

/* ------------------------------------------------------------------ N2 and the power */

START_TEST(powers)
{
    struct pint_base log;
    for (size_t i = 0; i < BASES; i++)
    {
        const double b = (double)bases[i] / PPB;
        rcc_pint_base(&log, bases[i]);
        for (uint32_t p = 0; p < 70000; p += p < 5000 ? 1 : 97)
        {
            const double want = fmin(pow(b, p), 262144);
            CHECK(relative((double)rcc_pint_power(&log, p) / ONE, want) < 1e-7, "base %g, p %u", b, p);
        }
        ck_assert_uint_eq(rcc_pint_power(&log, UINT32_MAX), (uint64_t)1 << 58);
    }
}
END_TEST

/* With the smallest draw the upper of the two powers around x, with the largest one the lower. */
START_TEST(logarithms)
{
    struct rng rng = {11};
    struct pint_base log;
    for (uint64_t i = 0; i < rounds(1000000); i++)
    {
        const int64_t base = bases[i % BASES];
        const double b = (double)base / PPB;
        const uint64_t u = (uint64_t)rng_log_range(&rng, 1, INT64_MAX);
        const double x = fmin(ceil((double)u / ONE * 512), 262144);
        uint32_t low, high;
        rcc_pint_base(&log, base);
        low = rcc_pint_encode(&log, u, UINT32_MAX);
        high = rcc_pint_encode(&log, u, 0);
        CHECK(pow(b, low) <= x * (1 + 1e-7) && pow(b, low + 1) > x * (1 - 1e-7), "base %g, x %g: p %u", b, x, low);
        CHECK(high == low + 1 || (high == low && relative(pow(b, low), x) < 1e-7), "base %g, x %g: p %u", b, x, high);
    }
}
END_TEST

/* 1.05^127 = 491.2, 1.05^128 = 515.7: of 512 = 512 x 1.0, 85 % are the upper one, so that the mean is kept. */
START_TEST(rounding_keeps_the_mean)
{
    struct pint_base log;
    uint64_t upper = 0;
    const uint64_t n = 200000;
    rcc_pint_base(&log, 1050000000);
    for (uint64_t i = 0; i < n; i++)
    {
        const uint32_t p = rcc_pint_encode(&log, PINT_ONE, test_draw(5, i));
        CHECK(p == 127 || p == 128, "p %u", p);
        upper += p == 128;
    }
    ck_assert_double_eq_tol((double)upper / (double)n, (512 - pow(1.05, 127)) / (pow(1.05, 128) - pow(1.05, 127)),
                            0.004);
}
END_TEST

/* 0 is read as the smallest utilisation, 1/512; 1 is exact; above 512 there is one value. */
START_TEST(ends_of_the_range)
{
    struct pint_base log;
    rcc_pint_base(&log, 2000000000);
    ck_assert_uint_eq(rcc_pint_encode(&log, 0, 0), 0);
    ck_assert_uint_eq(rcc_pint_encode(&log, PINT_ONE / 512, 0), 0);
    ck_assert_uint_eq(rcc_pint_encode(&log, PINT_ONE / 512 + 1, 0), 1);
    ck_assert_uint_eq(rcc_pint_encode(&log, PINT_ONE, 0), 9);
    ck_assert_uint_eq(rcc_pint_encode(&log, PINT_ONE * 512, 0), 18);
    ck_assert_uint_eq(rcc_pint_encode(&log, (uint64_t)1 << 62, 0), 18);
}
END_TEST

/* With b = 2 all powers are exact: b^p, and x = 3, 5, 6, 7 between 2, 4 and 8, where the upper power has the part
 * (x - b^p) / b^p of all draws. */
START_TEST(base_two_is_exact)
{
    static const struct
    {
        uint64_t x;
        uint32_t p;
        uint64_t part; /* share of 2^32 */
    } cases[] = {
        {3, 1, (uint64_t)1 << 31}, {5, 2, (uint64_t)1 << 30}, {6, 2, (uint64_t)1 << 31}, {7, 2, (uint64_t)3 << 30}};
    struct pint_base log;
    rcc_pint_base(&log, 2000000000);
    for (uint32_t p = 0; p <= 18; p++)
    {
        ck_assert_uint_eq(rcc_pint_power(&log, p), (uint64_t)1 << (40 + p));
        ck_assert_uint_eq(rcc_pint_encode(&log, (uint64_t)1 << (31 + p), 0), p); /* U = 2^p / 512 */
        ck_assert_uint_eq(rcc_pint_encode(&log, (uint64_t)1 << (31 + p), UINT32_MAX), p);
    }
    ck_assert_uint_eq(rcc_pint_power(&log, 19), (uint64_t)1 << 58);
    for (size_t i = 0; i < 4; i++)
    {
        ck_assert_uint_eq(rcc_pint_encode(&log, cases[i].x << 31, (uint32_t)(cases[i].part - 1)), cases[i].p + 1);
        ck_assert_uint_eq(rcc_pint_encode(&log, cases[i].x << 31, (uint32_t)cases[i].part), cases[i].p);
    }
}
END_TEST

/* ------------------------------------------------------------------ N1 and N3 */

/* 100 Gb/s, T 13 us: packets of 1000 bytes back to back, then a queue, then half of the link, then a pause. */
START_TEST(port_by_hand)
{
    struct rcc_hop hop = {0, 0, 0, 0};
    struct rig rig;
    start(&rig, 100 * GBPS, 13000);
    rig_start_cp(&rig, 1);
    ck_assert(rcc_cp_stamp(rig.cp, 50000, 0, 7000, 100 * GBPS, &hop)); /* the first packet has no predecessor */
    ck_assert(port(&rig)->u == 0 && hop.qlen == 0);
    rcc_cp_stamp(rig.cp, 50080, 0, 8000, 100 * GBPS, &hop);
    ck_assert_double_eq_tol((double)port(&rig)->u / ONE, 80.0 / 13000, 1e-9);
    rcc_cp_stamp(rig.cp, 50160, 162500, 9000, 100 * GBPS, &hop); /* a queue of C T is one more */
    ck_assert_double_eq_tol((double)port(&rig)->u / ONE, 80.0 / 13000 * (1 - 80.0 / 13000) + 2 * 80.0 / 13000, 1e-9);
    rcc_cp_stamp(rig.cp, 50160 + 13000, 0, 9000 + 81250, 100 * GBPS, &hop); /* half used for T */
    ck_assert_double_eq_tol((double)port(&rig)->u / ONE, 0.5, 1e-9);
    ck_assert(hop.qlen == 113 || hop.qlen == 114); /* 1.05^113 = 248, 1.05^114 = 260 */
    rcc_cp_stamp(rig.cp, 50160 + 13000 + 130000, 0, 9000 + 81250 + 162500, 100 * GBPS, &hop); /* a tenth, for 10 T */
    ck_assert_double_eq_tol((double)port(&rig)->u / ONE, 0.1, 1e-9);
    ck_assert(hop.qlen >= 113); /* the largest of the path stays */
    hop = (struct rcc_hop){0, 0, 0, 0};
    rcc_cp_stamp(rig.cp, (rcc_time)1 << 60, 0, 1 << 20, 100, &hop); /* a rate of less than 1 Mb/s is one */
    ck_assert_uint_ne(hop.qlen, 0);
    rig_free(&rig);
}
END_TEST

/* Without random numbers the nearer power. */
START_TEST(port_without_random_numbers)
{
    struct rcc_hop hop = {0, 0, 0, 0};
    struct rig rig;
    start(&rig, 100 * GBPS, 13000);
    rig.env.draw = NULL;
    rig_start_cp(&rig, 1);
    rcc_cp_stamp(rig.cp, 0, 162500, 0, 100 * GBPS, &hop);
    ck_assert_uint_eq(hop.qlen, 128);
    ck_assert_uint_eq(port(&rig)->draws, 0);
    rig_free(&rig);
}
END_TEST

/* N1 to the last digit where all quotients are whole: 100 Gb/s, T 8192 ns, C T 102400 bytes. */
START_TEST(port_is_exact)
{
    struct rcc_hop hop = {0, 0, 0, 0};
    struct rig rig;
    start(&rig, 100 * GBPS, 8192);
    rig.env.draw = NULL;
    rig_start_cp(&rig, 1);
    rcc_cp_stamp(rig.cp, 0, 102400, 0, 100 * GBPS, &hop);
    ck_assert_uint_eq(port(&rig)->u, (uint64_t)1 << 40);
    rcc_cp_stamp(rig.cp, 8192, 0, 102400, 100 * GBPS, &hop); /* full for T */
    ck_assert_uint_eq(port(&rig)->u, (uint64_t)1 << 40);
    rcc_cp_stamp(rig.cp, 16384, 204800, 102400, 100 * GBPS, &hop); /* the port sent no byte for T, its queue is 2 C T */
    ck_assert_uint_eq(port(&rig)->u, (uint64_t)2 << 40);
    rcc_cp_stamp(rig.cp, 16384, 51200, 102400, 100 * GBPS, &hop); /* at the same time: no weight */
    ck_assert_uint_eq(port(&rig)->u, (uint64_t)2 << 40);
    rcc_cp_stamp(rig.cp, 20480, 0, 102400, 100 * GBPS, &hop); /* half of T idle */
    ck_assert_uint_eq(port(&rig)->u, (uint64_t)1 << 40);
    /* 550 s later, 2^39 ns: an eighth of 1 Mb/s since then */
    rcc_cp_stamp(rig.cp, 20480 + ((rcc_time)1 << 39), 0, 102400 + ((uint64_t)1 << 36) / 8000, 1000000, &hop);
    ck_assert_double_eq_tol((double)port(&rig)->u / ONE, 0.125, 1e-7);
    /* a longer time counts as 550 s */
    rcc_cp_stamp(rig.cp, (rcc_time)1 << 42, 0, 102400 + ((uint64_t)2 << 36) / 8000, 1000000, &hop);
    ck_assert_double_eq_tol((double)port(&rig)->u / ONE, 0.125, 1e-7);
    rig_free(&rig);
}
END_TEST

/* U is at most 2^18, of a queue as of what was sent, and stays there. */
START_TEST(port_has_a_largest_utilisation)
{
    const uint64_t most = (uint64_t)1 << 58;
    struct rcc_hop hop = {0, 0, 0, 0};
    struct rig rig;
    start(&rig, 100 * GBPS, 13000);
    rig_start_cp(&rig, 1);
    rcc_cp_stamp(rig.cp, 0, UINT64_MAX, 0, 100 * GBPS, &hop);
    ck_assert_uint_eq(port(&rig)->u, most);
    ck_assert_uint_eq(port(&rig)->draws, 1);
    rcc_cp_stamp(rig.cp, 13000, 0, UINT64_MAX, 100 * GBPS, &hop);
    ck_assert_uint_eq(port(&rig)->u, most);
    rcc_cp_stamp(rig.cp, 26000, UINT64_MAX, UINT64_MAX - 1, 100 * GBPS, &hop); /* both */
    ck_assert_uint_eq(port(&rig)->u, most);
    ck_assert_uint_eq(port(&rig)->draws, 3);
    rig_free(&rig);
}
END_TEST

/* 2^50 bytes are 56295 times C T at 1.6 Tb/s and 100 ms, whether they wait or were sent within T; more count as these.
 */
START_TEST(port_reads_at_most_a_pebibyte)
{
    static const uint64_t bytes[] = {(uint64_t)1 << 50, (uint64_t)1 << 51, UINT64_MAX};
    for (size_t i = 0; i < 3; i++)
        for (int sent = 0; sent < 2; sent++)
        {
            struct rcc_hop hop = {0, 0, 0, 0};
            struct rig rig;
            start(&rig, 1600 * GBPS, 100 * MS);
            rig_start_cp(&rig, 1);
            rcc_cp_stamp(rig.cp, 0, 0, 0, 1600 * GBPS, &hop);
            rcc_cp_stamp(rig.cp, 100 * MS, sent ? 0 : bytes[i], sent ? bytes[i] : 0, 1600 * GBPS, &hop);
            ck_assert_double_eq_tol((double)port(&rig)->u / ONE, 1125899906842624.0 / 2e10, 1e-6);
            rig_free(&rig);
        }
}
END_TEST

/* Without random numbers x = 5 and 6 are read as 4, of 7 the nearer power is 8. */
START_TEST(port_rounds_to_the_nearer_power)
{
    static const uint32_t want[] = {2, 2, 3};
    for (uint64_t i = 0; i < 3; i++)
    {
        struct rcc_hop hop = {0, 0, 0, 0};
        struct rig rig;
        start(&rig, 100 * GBPS, 13107); /* C T is 163837.5 bytes, of which 1/512 is below 320 */
        rig.env.draw = NULL;
        rig_set(&rig, "log_base", 2000000000);
        rig_start_cp(&rig, 1);
        rcc_cp_stamp(rig.cp, 0, 319 * (i + 5), 0, 100 * GBPS, &hop); /* ceil(512 U) is i + 5 */
        ck_assert_uint_eq(hop.qlen, want[i]);
        rig_free(&rig);
    }
}
END_TEST

/* A rate of exactly 1 Mb/s is that, and one below it counts as that. */
START_TEST(port_of_the_least_rate)
{
    static const uint64_t rates[] = {1, 999999, 1000000, 2000000};
    for (size_t i = 0; i < 4; i++)
    {
        struct rcc_hop hop = {0, 0, 0, 0};
        struct rig rig;
        start(&rig, 100 * GBPS, 80000);
        rig_start_cp(&rig, 1);
        rcc_cp_stamp(rig.cp, 0, 10, 0, rates[i], &hop); /* 80 us of 1 Mb/s are 10 bytes */
        ck_assert_uint_eq(port(&rig)->u, (uint64_t)1 << (i < 3 ? 40 : 39));
        rig_free(&rig);
    }
}
END_TEST

START_TEST(port_matches_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(50); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        const uint64_t rate = line_rates[seed % LINE_RATES];
        const int64_t rtt = rng_log_range(&rng, 2000, 200000);
        double u = 0;
        rcc_time now = rng_range(&rng, 0, SEC);
        uint64_t tx = rng_next(&rng) >> 20;
        start(&rig, rate, rng_chance(&rng, 50) ? rtt : 0);
        rig_set(&rig, "base_rtt", rig.env.base_rtt != 0 ? 0 : rtt);
        rig_set(&rig, "r_min", 1000);
        rig_start_cp(&rig, seed);
        for (int i = 0; i < 20000; i++)
        {
            struct rcc_hop hop = {0, 0, 0, 0};
            const int64_t passed = rng_log_range(&rng, 1, 3 * rtt);
            const uint64_t sent =
                (uint64_t)((double)rate / 8e9 * (double)passed * (double)rng_range(&rng, 0, 100) / 100);
            const uint64_t queue = rng_chance(&rng, 40) ? 0 : (uint64_t)rng_log_range(&rng, 1, 40000000);
            const double weight = i == 0 ? 1 : fmin((double)passed, (double)rtt) / (double)rtt;
            const double used = i == 0 ? 0 : (double)sent * 8e9 / (double)passed / (double)rate;
            u = fmin((1 - weight) * u + weight * (used + (double)queue * 8e9 / (double)rate / (double)rtt), 262144);
            now += passed;
            tx += i == 0 ? 0 : sent;
            rcc_cp_stamp(rig.cp, now, queue, tx, rate, &hop);
            CHECK(relative((double)port(&rig)->u / ONE, u) < 1e-6, "seed %llu, packet %d: U %.9f, reference %.9f",
                  (unsigned long long)seed, i, (double)port(&rig)->u / ONE, u);
            CHECK(fabs(pow(1.05, hop.qlen) - fmin(fmax(ceil(u * 512), 1), 262144)) <= 1 + 0.0501 * u * 512,
                  "seed %llu, packet %d: p %u", (unsigned long long)seed, i, hop.qlen);
        }
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ reaction point */

static void acknowledge(struct rig *rig, rcc_time now, uint64_t seq, uint64_t next, uint32_t p)
{
    const struct rcc_hop path = {.qlen = p};
    const struct rcc_feedback f = {
        .kind = RCC_FEEDBACK_ACK, .rtt = -1, .seq = seq, .next = next, .n_path = 1, .path = &path};
    rcc_rp_feedback(rig->rp, now, &f);
}

/* W in bytes from U = 1.05^p / 512 by hand: 100 Gb/s, T 13 us, eta 0.95, W_AI 81.25, W_min 1625. */
START_TEST(reactions_by_hand)
{
    struct rig rig;
    start(&rig, 100 * GBPS, 13000);
    rig_set(&rig, "fast_react", 0); /* every acknowledgement counts all the same */
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rig.rp_profile->needs.int_form, RCC_INT_PINT);
    ck_assert_uint_eq(rig.rp_profile->needs.data_extra, 2);
    ck_assert_uint_eq(rig.rp_profile->needs.ack_extra, 2);
    ck_assert_uint_eq(rig.rp_profile->needs.data_extra_per_hop + rig.rp_profile->needs.ack_extra_per_hop, 0);
    acknowledge(&rig, 0, 1000, 100000, 142); /* the first one only begins a round */
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    ck_assert_uint_eq(state(&rig)->last, 100000);
    acknowledge(&rig, 10, 2000, 101000, 142); /* 1.05^142 / 512 = 1.9934736 */
    ck_assert_double_eq_tol((double)state(&rig)->w / (double)WINDOWED_ONE, 162500 * 0.95 / 1.9934736843 + 81.25, 1e-2);
    ck_assert_double_eq_tol((double)state(&rig)->loop[0].wc / (double)WINDOWED_ONE, 162500, 1e-6);
    ck_assert_uint_eq(state(&rig)->last, 100000);
    acknowledge(&rig, 20, 100001, 200000, 142); /* ends the round */
    ck_assert_double_eq_tol((double)state(&rig)->loop[0].wc / (double)WINDOWED_ONE,
                            162500 * 0.95 / 1.9934736843 + 81.25, 1e-2);
    ck_assert_uint_eq(state(&rig)->last, 200000);
    acknowledge(&rig, 30, 200001, 300000, 0); /* an idle path */
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    acknowledge(&rig, 40, 300001, 400000, UINT16_MAX);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 1625);
    rcc_rp_feedback(rig.rp, 50, &(struct rcc_feedback){.kind = RCC_FEEDBACK_ACK, .seq = 400001, .next = 500000});
    ck_assert_uint_eq(state(&rig)->last, 400000); /* an acknowledgement without telemetry */
    rig_free(&rig);
}
END_TEST

/* Part of the acknowledgements count; each that does ends a round of additive steps here. */
START_TEST(samples)
{
    static const struct
    {
        int64_t ppb;
        uint32_t least, most;
    } cases[] = {{0, 0, 0}, {250000000, 900, 1100}, {1000000000, 3999, 3999}};
    for (size_t c = 0; c < 3; c++)
    {
        struct rig rig;
        start(&rig, 100 * GBPS, 13000);
        rig_set(&rig, "max_stage", 1000000);
        rig_set(&rig, "pint_prob", cases[c].ppb);
        rig_start(&rig, 0, 7);
        for (uint64_t i = 0; i < 4000; i++)
            acknowledge(&rig, (rcc_time)i, 1000 * i + 1000, 1000 * i + 1500, 100);
        ck_assert_uint_ge(state(&rig)->loop[0].stage, cases[c].least);
        ck_assert_uint_le(state(&rig)->loop[0].stage, cases[c].most);
        ck_assert_uint_eq(state(&rig)->draws, 4000);
        rig.env.draw = NULL; /* then all of them */
        rig_start(&rig, 0, 7);
        for (uint64_t i = 0; i < 4000; i++)
            acknowledge(&rig, (rcc_time)i, 1000 * i + 1000, 1000 * i + 1500, 100);
        ck_assert_uint_eq(state(&rig)->loop[0].stage, 3999);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(reactions_match_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(50); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        uint64_t seq = 1000, last = 0;
        double rtt, bdp, wc, w, w_ai, w_min, b, eta;
        int64_t max_stage, stage = 0;
        start(&rig, line_rates[seed % LINE_RATES], rng_log_range(&rng, 2000, 200000));
        rig_set(&rig, "log_base", bases[seed % BASES]);
        rig_set(&rig, "max_stage", rng_range(&rng, 0, 6));
        rig_set(&rig, "r_min", rng_log_range(&rng, 1000000, 10000000));
        rig_start(&rig, 0, seed);
        rtt = (double)rig.env.base_rtt;
        w = wc = bdp = (double)rig.env.line_rate * rtt / 8e9;
        w_ai = (double)rig_get(&rig, "r_ai") * rtt / 8e9;
        w_min = (double)rig_get(&rig, "r_min") * rtt / 8e9;
        max_stage = rig_get(&rig, "max_stage");
        eta = (double)rig_get(&rig, "eta") / PPB;
        b = (double)bases[seed % BASES] / PPB;
        for (int i = 0; i < 20000; i++)
        {
            const uint64_t next = seq + (uint64_t)rng_range(&rng, 1, 20000);
            const uint32_t p = (uint32_t)rng_range(&rng, 0, (int64_t)(log(4 * 512) / log(b)));
            const bool round = seq > last;
            const double u = pow(b, p) / 512;
            if (fabs(u - eta) < 1e-6) /* both ways are right */
                continue;
            acknowledge(&rig, i, seq, next, p);
            if (i != 0)
            {
                const bool multiply = u >= eta || stage >= max_stage;
                w = fmax(fmin((multiply ? wc * eta / u : wc) + w_ai, bdp), w_min);
                stage = !round ? stage : multiply ? 0 : stage + 1;
                wc = round ? w : wc;
            }
            last = round && next > last ? next : last;
            CHECK(relative((double)state(&rig)->w / (double)WINDOWED_ONE, w) < 1e-6 || i == 0,
                  "seed %llu, ack %d: W %.6f, reference %.6f", (unsigned long long)seed, i,
                  (double)state(&rig)->w / (double)WINDOWED_ONE, w);
            CHECK(state(&rig)->loop[0].stage == stage, "seed %llu, ack %d: stage", (unsigned long long)seed, i);
            CHECK(state(&rig)->last == last, "seed %llu, ack %d: round", (unsigned long long)seed, i);
            seq += (uint64_t)rng_range(&rng, 0, 3000);
        }
        rig_free(&rig);
    }
}
END_TEST

Suite *suite_pint(void)
{
    Suite *s = suite_create("pint");
    TCase *tc = long_tcase("pint");
    tcase_add_test(tc, powers);
    tcase_add_test(tc, logarithms);
    tcase_add_test(tc, rounding_keeps_the_mean);
    tcase_add_test(tc, ends_of_the_range);
    tcase_add_test(tc, base_two_is_exact);
    tcase_add_test(tc, port_by_hand);
    tcase_add_test(tc, port_is_exact);
    tcase_add_test(tc, port_has_a_largest_utilisation);
    tcase_add_test(tc, port_reads_at_most_a_pebibyte);
    tcase_add_test(tc, port_rounds_to_the_nearer_power);
    tcase_add_test(tc, port_of_the_least_rate);
    tcase_add_test(tc, port_without_random_numbers);
    tcase_add_test(tc, port_matches_the_reference);
    tcase_add_test(tc, reactions_by_hand);
    tcase_add_test(tc, samples);
    tcase_add_test(tc, reactions_match_the_reference);
    suite_add_tcase(s, tc);
    return s;
}
