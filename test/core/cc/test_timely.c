/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* TIMELY and patched TIMELY: against the reference, every rule by hand, and the published fixed point in a fluid loop.
 */
#include "reference_timely.h"

#include <math.h>
#include <stdlib.h>

#define LINE (10 * GBPS)

static const char *const names[] = {"timely", "timely-patched"};

static void acknowledge(struct rig *rig, rcc_time at, rcc_time rtt, uint64_t bytes)
{
    struct rcc_feedback ack = {.kind = RCC_FEEDBACK_ACK, .rtt = rtt, .acked = bytes};
    rcc_rp_feedback(rig->rp, at, &ack);
}

/* ------------------------------------------------------------------ against the reference */

/* A random walk through all three ranges of the RTT, with jumps. */
static int64_t next_rtt(struct rng *rng, int64_t rtt)
{
    if (rng_chance(rng, 3))
        return rng_log_range(rng, 0, 20 * MS);
    rtt += rng_range(rng, -15 * US, 15 * US);
    return rtt < 0 ? 0 : rtt;
}

static void compare(struct rig *rig, uint64_t seed)
{
    struct rng rng = {seed};
    struct ref_timely r;
    rcc_time now = rng_log_range(&rng, 0, 100 * SEC);
    int64_t rtt = 100 * US;
    /* the core's RTT difference has 24 binary digits below 1 ns; an EWMA sums up to 1 / weight of such roundings, and
     * w(g) doubles them */
    const double rounding = 2 * ldexp(1, -24) / ((double)rig_get(rig, "ewma") / 1e9 * (double)rig_get(rig, "min_rtt"));
    bool patched;
    rig_start(rig, now, seed);
    ref_timely_start(&r, rig, now);
    patched = r.patched;
    for (int i = 0; i < (int)rounds(3000); i++)
    {
        struct rcc_feedback ack = {.kind = RCC_FEEDBACK_ACK, .ce = rng_chance(&rng, 50)};
        double shown;
        now += rng_log_range(&rng, 0, 100 * US);
        rtt = next_rtt(&rng, rtt);
        ack.rtt = rng_chance(&rng, 2) ? -1 : rtt;
        ack.acked = (uint64_t)(rng_chance(&rng, 70) ? 64000 : rng_log_range(&rng, 0, 200000));
        if (rng_chance(&rng, 20))
            rcc_rp_sent(rig->rp, now, 1000);
        rcc_rp_feedback(rig->rp, now, &ack);
        ref_timely_ack(&r, now, ack.rtt, (int64_t)ack.acked);
        CHECK(relative(rp_rate(rig->rp), (double)r.rate) < 1e-6, "seed %llu, ack %d: rate %.6f, reference %.6f",
              (unsigned long long)seed, i, rp_rate(rig->rp), (double)r.rate);
        shown = patched ? (double)r.weight : fmax(fmin((double)r.gradient, 1), 0);
        CHECK(fabs(rp_alpha(rig->rp) - shown) < 1e-9 + rounding,
              "seed %llu, ack %d: gradient %.9f, weight %.9f, core %.9f", (unsigned long long)seed, i,
              (double)r.gradient, (double)r.weight, rp_alpha(rig->rp));
        CHECK(patched || (int64_t)rp_state(rig->rp) == r.events_without_rise, "events without a rising RTT");
        CHECK(rp_target(rig->rp) == rp_rate(rig->rp), "seed %llu, ack %d: target %.6f, rate %.6f",
              (unsigned long long)seed, i, rp_target(rig->rp), rp_rate(rig->rp));
    }
}

START_TEST(defaults_match_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(20); seed++)
    {
        struct rig rig;
        rig_init(&rig, names[seed % 2], seed % 4 == 2 ? "snippet" : NULL, line_rates[_i]);
        compare(&rig, seed);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(hpcc_matches_its_simulator)
{
    for (uint64_t seed = 0; seed < rounds(20); seed++)
    {
        struct rig rig;
        rig_init(&rig, "timely", "hpcc", line_rates[_i]);
        rig_set(&rig, "delta", seed % 2 == 0 ? 50000000 : (int64_t)line_rates[_i] / 50);
        compare(&rig, seed);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(other_parameters_match_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(60); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        int64_t line = (int64_t)line_rates[_i];
        rig_init(&rig, names[seed % 2], NULL, line_rates[_i]);
        rig_set(&rig, "delta", rng_log_range(&rng, 100000, line / 10));
        rig_set(&rig, "beta", rng_log_range(&rng, 1000000, 1000000000));
        rig_set(&rig, "ewma", rng_range(&rng, 10000000, 1000000000));
        rig_set(&rig, "t_low", rng_log_range(&rng, 1 * US, 200 * US));
        rig_set(&rig, "t_high", rig_get(&rig, "t_low") + rng_log_range(&rng, 0, 5 * MS));
        rig_set(&rig, "min_rtt", rng_log_range(&rng, 1 * US, 500 * US));
        rig_set(&rig, "base_rtt", rng_chance(&rng, 50) ? 0 : rng_log_range(&rng, 1, 100 * US));
        rig_set(&rig, "segment", rng_log_range(&rng, 1000, 300000));
        rig_set(&rig, "update_scaling", rng_range(&rng, 0, 1));
        rig_set(&rig, "initial_rate", rng_log_range(&rng, 1000, 1000000000));
        rig_set(&rig, "r_min", rng_log_range(&rng, 100000, line / 10));
        rig_set(&rig, "pacing", rng_range(&rng, 0, 1));
        if (seed % 2 == 0)
        {
            rig_set(&rig, "hai_after", rng_range(&rng, 1, 8));
            rig_set(&rig, "hai", rng_range(&rng, 1, 10));
            rig_set(&rig, "max_cut", rng_range(&rng, 0, 1000000000));
        }
        compare(&rig, 500 + seed);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ by hand */

static void start(struct rig *rig, int which, double rate)
{
    rig_init(rig, names[which], NULL, LINE);
    rig_set(rig, "initial_rate", (int64_t)(rate / (double)LINE * 1e9));
    rig_start(rig, 0, 1);
    ck_assert_double_eq_tol(rp_rate(rig->rp), rate, 1);
}

START_TEST(below_t_low_adds_delta)
{
    struct rig rig;
    start(&rig, _i, 1e9);
    for (int i = 1; i <= 20; i++) /* rising or falling: the gradient has no say, and there is no hyperactive increase */
    {
        acknowledge(&rig, i * MS, i % 3 != 0 ? 10 * US + i : 50 * US - 1, 64000);
        ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + i * 10e6, 1e-3);
    }
    rig_free(&rig);
}
END_TEST

START_TEST(above_t_high_cuts_by_the_excess)
{
    struct rig rig;
    double beta = _i == 0 ? 0.8 : 0.008;
    start(&rig, _i, 1e9);
    acknowledge(&rig, 1 * MS, 501 * US, 64000);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 * (1 - beta * (1 - 500.0 / 501)), 1);
    double before = rp_rate(rig.rp);
    acknowledge(&rig, 2 * MS, 1 * MS, 64000);
    ck_assert_double_eq_tol(rp_rate(rig.rp), before * (1 - beta / 2), 1);
    before = rp_rate(rig.rp);
    acknowledge(&rig, 3 * MS, 500 * MS, 64000); /* TIMELY: max_cut is 1/2 */
    ck_assert_double_eq_tol(rp_rate(rig.rp), before * (_i == 0 ? 0.5 : 1 - beta * (1 - 1e-3)), 1);
    rig_free(&rig);
}
END_TEST

/* RTT = 100 us, then 110: g = 0.875 * 10 / 20. */
START_TEST(gradient_cuts)
{
    struct rig rig;
    double rate = 1e9 + 10e6, g = 0.4375;
    start(&rig, 0, 1e9);
    acknowledge(&rig, 1 * MS, 100 * US, 64000); /* the first sample: no difference yet */
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
    acknowledge(&rig, 2 * MS, 110 * US, 64000);
    rate *= 1 - 0.8 * g;
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), g, 1e-9);
    acknowledge(&rig, 3 * MS, 110 * US, 64000); /* the average is still positive */
    g *= 0.125;
    rate *= 1 - 0.8 * g;
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
    acknowledge(&rig, 4 * MS, 400 * US, 64000); /* g = 12.7: no more than max_cut */
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate / 2, 1);
    ck_assert_double_eq_tol(rp_alpha(rig.rp), 1, 1e-9); /* a trace's fraction ends at 1 */
    rig_set(&rig, "max_cut", 1000000000);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 1 * MS, 100 * US, 64000);
    acknowledge(&rig, 2 * MS, 400 * US, 64000);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 1 * MBPS); /* r_min */
    rig_free(&rig);
}
END_TEST

/* Five events with gradient <= 0 in a row, the fifth included. */
START_TEST(hyperactive_increase)
{
    struct rig rig;
    double rate = 1e9;
    start(&rig, 0, 1e9);
    for (int i = 1; i <= 12; i++)
    {
        acknowledge(&rig, i * MS, 400 * US - i * US, 64000);
        rate += i >= 5 ? 50e6 : 10e6;
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
        ck_assert_uint_eq(rp_state(rig.rp), (unsigned)i);
    }
    acknowledge(&rig, 13 * MS, 450 * US, 64000);
    ck_assert_uint_eq(rp_state(rig.rp), 0);
    rate = rp_rate(rig.rp);
    acknowledge(&rig, 14 * MS, 300 * US, 64000);
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate + 10e6, 1);
    rig_free(&rig);
}
END_TEST

/* The thresholds themselves belong to the range between them. */
START_TEST(thresholds_are_inside)
{
    struct rig rig;
    double rate = 1e9;
    start(&rig, _i, rate);
    rig_set(&rig, "ewma", 1000000000); /* no memory */
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 1 * MS, 30 * US, 64000); /* below: delta */
    rate += 10e6;
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
    acknowledge(&rig, 2 * MS, 50 * US, 64000); /* g = 1: TIMELY cuts by max_cut, w = 1: patched TIMELY adds nothing */
    rate = _i == 0 ? rate / 2 : rate;
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
    acknowledge(&rig, 3 * MS, 500 * US + 1, 64000);
    rate = rp_rate(rig.rp);
    acknowledge(&rig, 4 * MS, 500 * US, 64000); /* g is -0.00005 */
    rate = _i == 0 ? rate + 10e6 : 10e6 * (0.5 + 1e-4) + rate * (1 - 0.008 * (0.5 - 1e-4) * 9);
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 2);
    rig_free(&rig);
}
END_TEST

/* rules=hpcc: the first RTT changes nothing, whatever it is; both thresholds belong to the range between them. */
START_TEST(thresholds_of_the_simulator)
{
    struct rig rig;
    start(&rig, 0, 1e9);
    rig_set(&rig, "rules", 1);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 1 * MS, 2 * MS, 64000);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9, 1);
    acknowledge(&rig, 3 * MS, 500 * US, 64000); /* T_high, and falling */
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1.01e9, 1);
    ck_assert_uint_eq(rp_state(rig.rp), 1);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 1 * MS, 500 * US, 64000);
    acknowledge(&rig, 2 * MS, 500 * US, 64000); /* T_high, and constant */
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1.01e9, 1);
    ck_assert_uint_eq(rp_state(rig.rp), 1);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 1 * MS, 30 * US, 64000);
    acknowledge(&rig, 2 * MS, 50 * US, 64000); /* T_low, and rising */
    ck_assert_double_lt(rp_rate(rig.rp), 1e9 - 1);
    ck_assert_uint_eq(rp_state(rig.rp), 0);
    rig_free(&rig);
}
END_TEST

/* The averaged difference decreases to zero in steps of 2^-24 ns; the last step still has a positive gradient. */
START_TEST(the_least_gradient)
{
    struct rig rig;
    int events = 0;
    start(&rig, 0, 1e9);
    rig_set(&rig, "ewma", 1000);
    rig_set(&rig, "min_rtt", 100);
    rig_set(&rig, "rules", _i); /* in the simulator of the HPCC paper the first RTT is no event */
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 1 * MS, 100 * US, 64000);
    ck_assert_uint_eq(rp_state(rig.rp), _i == 0 ? 1 : 0);
    ck_assert_double_eq(rp_alpha(rig.rp), 0);
    for (;; events++)
    {
        uint64_t before = rig.rp->rate;
        acknowledge(&rig, (2 + events) * MS, 100 * US + 1, 64000);
        if (rp_alpha(rig.rp) <= 0)
            break;
        ck_assert_uint_lt(rig.rp->rate, before);
        ck_assert_uint_eq(rp_state(rig.rp), 0);
    }
    ck_assert_int_eq(events, 17); /* 2^24 * 1e-6, rounded up */
    ck_assert_uint_eq(rp_state(rig.rp), 1);
    ck_assert_double_eq(rp_alpha(rig.rp), 0);
    rig_free(&rig);
}
END_TEST

START_TEST(a_constant_rtt_is_no_gradient)
{
    struct rig rig;
    double before;
    start(&rig, 0, 1e9);
    for (int i = 1; i <= 30; i++)
        acknowledge(&rig, i * MS, i < 3 ? 100 * US : 130 * US, 64000);
    before = rp_rate(rig.rp);
    acknowledge(&rig, 31 * MS, 130 * US, 64000); /* the rest of the rise has faded from the fixed point */
    ck_assert_double_gt(rp_rate(rig.rp), before);
    rig_free(&rig);
}
END_TEST

START_TEST(weights)
{
    static const struct
    {
        int64_t step_ns;
        double w;
    } cases[] = {{-100000, 0}, {-5000, 0},  {-4999, 0.5 - 2 * 4999 / 20000.0}, {-2500, 0.25},
                 {0, 0.5},     {1000, 0.6}, {4999, 0.5 + 2 * 4999 / 20000.0},  {5000, 1},
                 {300000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        struct rig rig;
        double rate = 1e9 + 10e6 * 0.5 - 1e9 * 0.008 * 0.5 * 3, w = cases[i].w, rtt = 200e3 + (double)cases[i].step_ns;
        rig_init(&rig, "timely-patched", NULL, LINE);
        rig_set(&rig, "initial_rate", 100000000);
        rig_set(&rig, "ewma", 1000000000); /* no memory */
        rig_start(&rig, 0, 1);
        acknowledge(&rig, 1 * MS, 200 * US, 16000);
        ck_assert_double_eq_tol(rp_rate(rig.rp), rate, 1);
        acknowledge(&rig, 2 * MS, 200 * US + cases[i].step_ns, 16000);
        ck_assert_double_eq_tol(rp_alpha(rig.rp), w, 1e-9);
        if (rtt <= 500e3)
            ck_assert_double_eq_tol(rp_rate(rig.rp), 10e6 * (1 - w) + rate * (1 - 0.008 * w * (rtt - 50e3) / 50e3), 1);
        ck_assert_double_eq_tol((double)ref_timely_weight((real)cases[i].step_ns / 20000), w, 1e-12);
        rig_free(&rig);
    }
}
END_TEST

/* A count of acknowledged bytes that does not fit saturates: it is a segment, and no small number. */
START_TEST(acknowledged_bytes_saturate)
{
    struct rig rig;
    start(&rig, _i, 1e9);
    acknowledge(&rig, 1 * MS, 30 * US, 10);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9, 1);
    acknowledge(&rig, 2 * MS, 30 * US, UINT64_MAX - 5);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1.01e9, 1);
    rig_free(&rig);
}
END_TEST

/* An update per segment of acknowledged bytes, for any number of acknowledgements; only the last RTT is used. */
START_TEST(one_update_per_segment)
{
    struct rig rig;
    uint64_t segment = _i == 0 ? 64000 : 16000;
    start(&rig, _i, 1e9);
    for (unsigned i = 1; i <= 64; i++)
    {
        acknowledge(&rig, i * MS, i % 16 == 0 ? 10 * US : 10 * MS, segment / 16);
        ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + i / 16 * 10e6, 1e-3);
    }
    acknowledge(&rig, 100 * MS, 10 * US, 5 * segment + segment / 2); /* one sample, one update, half a segment left */
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 50e6, 1e-3);
    acknowledge(&rig, 101 * MS, 10 * US, segment / 2);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 60e6, 1e-3);
    acknowledge(&rig, 102 * MS, 10 * US, 0); /* a duplicate */
    acknowledge(&rig, 103 * MS, 10 * US, segment - 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 60e6, 1e-3);
    acknowledge(&rig, 104 * MS, -1, 1); /* complete, but without an RTT: the next one that has one */
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 60e6, 1e-3);
    acknowledge(&rig, 105 * MS, 10 * US, 0);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 70e6, 1e-3);
    acknowledge(&rig, 106 * MS, 10 * US, UINT64_MAX);
    acknowledge(&rig, 107 * MS, INT64_MAX, UINT64_MAX);
    ck_assert_double_ge(rp_rate(rig.rp), 1e6);
    rig_free(&rig);
}
END_TEST

/* Within min_rtt of the last update an update is that fraction of a step. */
START_TEST(updates_are_scaled)
{
    struct rig rig;
    double rate;
    start(&rig, _i, 1e9);
    acknowledge(&rig, 5 * US, 10 * US, 64000); /* a quarter of min_rtt after the start */
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 2.5e6, 1);
    acknowledge(&rig, 5 * US, 10 * US, 64000); /* at once: nothing */
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 2.5e6, 1);
    acknowledge(&rig, 25 * US, 10 * US, 64000);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 12.5e6, 1);
    rate = rp_rate(rig.rp);
    acknowledge(&rig, 35 * US, 1 * MS, 64000);
    ck_assert_double_eq_tol(rp_rate(rig.rp), rate * (1 - (_i == 0 ? 0.8 : 0.008) / 2 / 2), 1);
    rig_set(&rig, "update_scaling", 0);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 0, 10 * US, 64000);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 1e9 + 10e6, 1);
    rig_free(&rig);
}
END_TEST

START_TEST(base_rtt_is_subtracted)
{
    struct rig a, b;
    start(&a, _i, 1e9);
    start(&b, _i, 1e9);
    rig_set(&b, "base_rtt", 7 * US);
    rig_start(&b, 0, 1);
    for (int i = 1; i < 500; i++)
    {
        rcc_time rtt = (rcc_time)(i * 997 % 700) * US;
        acknowledge(&a, i * MS, rtt, 64000);
        acknowledge(&b, i * MS, rtt + 7 * US, 64000);
        ck_assert(a.rp->rate == b.rp->rate);
    }
    acknowledge(&b, SEC, 3 * US, 64000); /* less than the base: no queue */
    ck_assert_double_ge(rp_rate(b.rp), rp_rate(a.rp));
    rig_free(&a);
    rig_free(&b);
}
END_TEST

START_TEST(contradictions_are_refused)
{
    struct rig rig;
    rig_init(&rig, names[_i], NULL, LINE);
    rig_set(&rig, "r_min", (int64_t)LINE + 1);
    ck_assert(!rig_try_start(&rig, 0, 1));
    rig_set(&rig, "r_min", (int64_t)LINE);
    rig_set(&rig, "initial_rate", 1000);
    ck_assert(rig_try_start(&rig, 0, 1));
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE); /* not below r_min */
    rig_set(&rig, "t_low", 600 * US);
    ck_assert(!rig_try_start(&rig, 0, 1));
    rig_set(&rig, "t_high", 600 * US);
    ck_assert(rig_try_start(&rig, 0, 1));
    rig_free(&rig);
}
END_TEST

/* ------------------------------------------------------------------ the published fixed point */

/*
 * N reaction points share a queue that the sum of their rates fills and C drains,
 * 1 us a step; each gets an acknowledgement per 16 KB that it sent, one base RTT
 * and the queue's delay later (the queue is taken as it is now: its delay changes
 * little meanwhile). Returns the mean queue of the last tenth, bytes.
 */
static double fluid_queue(struct rig *rigs, int n, int64_t base, double first, double seconds)
{
    double queue = 0, sum = 0, *sent = (double *)calloc((size_t)n, sizeof *sent);
    int64_t end = (int64_t)(seconds * 1e6), counted = 0;
    CHECK(sent != NULL, "no memory");
    for (int i = 0; i < n; i++)
    {
        double share = i == 0 ? first : (1 - first) / (n - 1); /* of C */
        rig_init(&rigs[i], "timely-patched", NULL, LINE);
        rig_set(&rigs[i], "initial_rate", (int64_t)(share * 1e9));
        rig_set(&rigs[i], "base_rtt", base);
        rig_start(&rigs[i], 0, 1);
    }
    for (int64_t us = 1; us <= end; us++)
    {
        double arrived = 0;
        for (int i = 0; i < n; i++)
        {
            double bytes = rp_rate(rigs[i].rp) * 1e-6 / 8;
            arrived += bytes;
            sent[i] += bytes;
            if (sent[i] >= 16000)
            {
                sent[i] -= 16000;
                acknowledge(&rigs[i], us * US, 6 * US + (rcc_time)(queue * 8e9 / (double)LINE), 16000);
            }
        }
        queue = fmax(queue + arrived - (double)LINE * 1e-6 / 8, 0);
        if (us > end - end / 10)
        {
            sum += queue;
            counted++;
        }
    }
    free(sent);
    return sum / (double)counted;
}

/* q* = q' (1 + N delta / (beta C)), q' = C T_low = 62.5 KB; equal rates from unequal ones. */
START_TEST(patched_fixed_point)
{
    static const int flows[] = {2, 5, 10};
    struct rig rigs[10];
    int n = flows[_i];
    double q_ref = 62500, published = q_ref * (1 + n * 10e6 / (0.008 * 10e9)), queue;
    ck_assert_double_eq_tol(published, n == 2 ? 78125 : n == 5 ? 101562.5 : 140625, 1e-6);
    queue = fluid_queue(rigs, n, 6 * US, 0.7, 0.6);
    ck_assert_double_eq_tol(queue, published, 0.01 * published);
    for (int i = 0; i < n; i++)
        ck_assert_double_eq_tol(rp_rate(rigs[i].rp), 10e9 / n, 0.01 * 10e9 / n);
    for (int i = 0; i < n; i++)
        rig_free(&rigs[i]);
    /* thresholds for the whole RTT: the path's own 6 us are 7.5 KB that do not queue */
    queue = fluid_queue(rigs, n, 0, 0.7, 0.6);
    ck_assert_double_eq_tol(queue, published - 7500, 0.01 * published);
    for (int i = 0; i < n; i++)
        rig_free(&rigs[i]);
}
END_TEST

/* The rate after one sample above T_high, where the cut depends on the RTT. */
static uint64_t rate_after(int which, rcc_time rtt)
{
    struct rig rig;
    start(&rig, which, 1e9);
    if (which == 0)
        rig_set(&rig, "max_cut", 1000000000);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 1 * MS, rtt, 64000);
    const uint64_t rate = rig.rp->rate;
    rig_free(&rig);
    return rate;
}

/* A longer RTT is read as 2^36 - 1 ns. */
START_TEST(the_longest_rtt)
{
    const rcc_time longest = ((rcc_time)1 << 36) - 1;
    const uint64_t rate = rate_after(_i, longest);
    for (int shift = 36; shift < 62; shift++)
        ck_assert_uint_eq(rate_after(_i, (rcc_time)1 << shift), rate);
    ck_assert_uint_gt(rate_after(_i, longest / 2), rate);
}
END_TEST

/* Patched TIMELY has no run of falling gradients to count. */
START_TEST(patched_has_no_state)
{
    struct rig rig;
    start(&rig, 1, 1e9);
    for (int i = 1; i <= 6; i++)
    {
        acknowledge(&rig, i * MS, 400 * US - i * US, 64000);
        ck_assert_uint_eq(rp_state(rig.rp), 0);
    }
    rig_free(&rig);
}
END_TEST

Suite *suite_timely(void)
{
    Suite *s = suite_create("timely");
    TCase *reference = long_tcase("reference"), *hand = long_tcase("by hand"), *fixed = long_tcase("fixed point");
    tcase_add_loop_test(reference, defaults_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(reference, hpcc_matches_its_simulator, 0, LINE_RATES);
    tcase_add_loop_test(reference, other_parameters_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(hand, below_t_low_adds_delta, 0, 2);
    tcase_add_loop_test(hand, above_t_high_cuts_by_the_excess, 0, 2);
    tcase_add_test(hand, gradient_cuts);
    tcase_add_test(hand, hyperactive_increase);
    tcase_add_loop_test(hand, thresholds_are_inside, 0, 2);
    tcase_add_loop_test(hand, the_least_gradient, 0, 2);
    tcase_add_test(hand, thresholds_of_the_simulator);
    tcase_add_test(hand, a_constant_rtt_is_no_gradient);
    tcase_add_test(hand, weights);
    tcase_add_loop_test(hand, acknowledged_bytes_saturate, 0, 2);
    tcase_add_loop_test(hand, one_update_per_segment, 0, 2);
    tcase_add_loop_test(hand, updates_are_scaled, 0, 2);
    tcase_add_loop_test(hand, base_rtt_is_subtracted, 0, 2);
    tcase_add_loop_test(hand, contradictions_are_refused, 0, 2);
    tcase_add_loop_test(hand, the_longest_rtt, 0, 2);
    tcase_add_test(hand, patched_has_no_state);
    tcase_add_loop_test(fixed, patched_fixed_point, 0, 3);
    suite_add_tcase(s, reference);
    suite_add_tcase(s, hand);
    suite_add_tcase(s, fixed);
    return s;
}
