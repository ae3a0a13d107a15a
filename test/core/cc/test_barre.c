/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Barre: examples by hand, against a floating-point reference, and the fixed point of the paper's fluid model. */
#include "barre.h"
#include "reference.h"

#include <string.h>
#include <tgmath.h>

#define LINE (400 * GBPS)
#define IS(got, want) ck_assert_double_eq_tol(got, want, 1e-6 * fabs(want))

static struct barre_rp *state(const struct rig *rig)
{
    return (struct barre_rp *)(void *)rig->rp;
}

/* A reaction point with this rate in bit/s and an RTT of 10 us. */
static void start(struct rig *rig, double rate)
{
    rig_init(rig, "barre", "atc25", LINE);
    rig->env.base_rtt = 10 * US;
    rig_start(rig, 0, 1);
    rig->rp->rate = (uint64_t)(rate * (double)RCC_RATE_ONE);
}

static void again(struct rig *rig, double rate)
{
    rig_start(rig, 0, 1);
    rig->rp->rate = (uint64_t)(rate * (double)RCC_RATE_ONE);
}

static void rtt(struct rig *rig, rcc_time now, rcc_time sample)
{
    const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = sample};
    rcc_rp_feedback(rig->rp, now, &f);
}

/* rate, count, cnp, sent_inc, sent_fly, quarter */
#define STATE(rig, rate, n, c, inc, fly, q)                                                                            \
    do                                                                                                                 \
    {                                                                                                                  \
        IS(rp_rate((rig)->rp), rate);                                                                                  \
        ck_assert_uint_eq(rp_state((rig)->rp), n);                                                                     \
        ck_assert(state(rig)->cnp == (c) && state(rig)->quarter == (q));                                               \
        ck_assert_uint_eq(state(rig)->sent_inc, inc);                                                                  \
        ck_assert_uint_eq(state(rig)->sent_fly, fly);                                                                  \
    } while (0)

/* ------------------------------------------------------------------ by hand */

/* The monitor leaves a rate alone whose quarter is below r_min; RTTs of 0 count, and none is longer than 2^36 - 1 ns.
 */
START_TEST(edges)
{
    struct rig rig;
    start(&rig, 3.5e9);
    rig_set(&rig, "r_min", GBPS);
    again(&rig, 3.5e9);
    rcc_rp_sent(rig.rp, 1000, 7000);
    STATE(&rig, 3.5e9, 0, false, 7000, 7000, false);
    again(&rig, 4e9);
    rcc_rp_sent(rig.rp, 1000, 7000);
    STATE(&rig, 1e9, 0, false, 7000, 7000, true);
    rtt(&rig, 2000, ((rcc_time)1 << 36) - 1);
    ck_assert_int_eq(state(&rig)->rtt, ((rcc_time)1 << 36) - 1);
    rtt(&rig, 3000, (rcc_time)1 << 40);
    ck_assert_int_eq(state(&rig)->rtt, ((rcc_time)1 << 36) - 1);
    rtt(&rig, 4000, 0);
    ck_assert(state(&rig)->rtt == 0 && state(&rig)->base == 0 && state(&rig)->step == 0);
    rig_free(&rig);
}
END_TEST

START_TEST(both_locks)
{
    struct rig rig;
    start(&rig, 1e11);
    rcc_rp_sent(rig.rp, 5000, 9000); /* bytes without time */
    STATE(&rig, 1e11, 0, false, 9000, 9000, false);
    rcc_rp_sent(rig.rp, 10001, 1);
    STATE(&rig, 1.0001e11, 1, false, 0, 0, false);
    again(&rig, 1e11);
    rcc_rp_sent(rig.rp, 20000, 8000); /* time without bytes */
    STATE(&rig, 1e11, 0, false, 8000, 8000, false);
    rcc_rp_sent(rig.rp, 20001, 1);
    STATE(&rig, 1.0001e11, 1, false, 0, 0, false);
    again(&rig, 1e11);
    rcc_rp_sent(rig.rp, 10000, 9000); /* more than an RTT */
    STATE(&rig, 1e11, 0, false, 9000, 9000, false);
    rig_free(&rig);
}
END_TEST

START_TEST(a_cnp_eats_the_increase)
{
    struct rig rig;
    start(&rig, 1e11);
    rig_cut(&rig, 1000, 0);
    STATE(&rig, 9.8e10, 0, true, 0, 0, false);
    rcc_rp_sent(rig.rp, 20000, 9000);
    STATE(&rig, 9.8e10, 0, false, 0, 0, false);
    ck_assert_int_eq(state(&rig)->timer, 20000);
    rcc_rp_sent(rig.rp, 40000, 9000);
    STATE(&rig, 9.801e10, 1, false, 0, 0, false);
    rig_set(&rig, "lock_timer", 1); /* a period with a CNP leaves the timer: bytes alone open the next one */
    again(&rig, 1e11);
    rig_cut(&rig, 1000, 0);
    rcc_rp_sent(rig.rp, 20000, 9000);
    ck_assert_int_eq(state(&rig)->timer, 0);
    rcc_rp_sent(rig.rp, 20001, 9000);
    STATE(&rig, 9.801e10, 1, false, 0, 0, false);
    rig_free(&rig);
}
END_TEST

/* The counter must exceed K before the step is the large one. */
START_TEST(fast_step)
{
    static const double rates[] = {1.0001e11, 1.0002e11, 1.0003e11, 1.0004e11,
                                   1.0005e11, 1.0006e11, 1.0046e11, 1.0086e11};
    struct rig rig;
    start(&rig, 1e11);
    for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++)
    {
        rcc_rp_sent(rig.rp, 11000 * (rcc_time)(i + 1), 9000);
        STATE(&rig, rates[i], i + 1, false, 0, 0, false);
    }
    rig_cut(&rig, 88001, 0);
    rcc_rp_sent(rig.rp, 100000, 9000); /* eaten */
    rcc_rp_sent(rig.rp, 120000, 9000); /* small again */
    STATE(&rig, 1.0086e11 * 0.98 + 1e7, 1, false, 0, 0, false);
    ck_assert(rp_target(rig.rp) == rp_rate(rig.rp) && rp_alpha(rig.rp) == 0);
    rig_free(&rig);
}
END_TEST

START_TEST(inflight_monitor)
{
    struct rig rig;
    start(&rig, 1e11);
    rcc_rp_sent(rig.rp, 1000, 60000);
    STATE(&rig, 1e11, 0, false, 60000, 60000, false);
    rcc_rp_sent(rig.rp, 2000, 70000);
    STATE(&rig, 2.5e10, 0, false, 130000, 130000, true);
    rcc_rp_sent(rig.rp, 3000, 1000);
    STATE(&rig, 2.5e10, 0, false, 131000, 131000, true);
    rig_cut(&rig, 4000, 0);
    STATE(&rig, 9.8e10, 0, true, 0, 0, false);
    again(&rig, 1e11);
    rcc_rp_sent(rig.rp, 1000, 125000); /* as much as it may */
    STATE(&rig, 1e11, 0, false, 125000, 125000, false);
    rig_set(&rig, "monitor", 0);
    again(&rig, 1e11);
    rcc_rp_sent(rig.rp, 1000, 130000);
    STATE(&rig, 1e11, 0, false, 130000, 130000, false);
    rig_set(&rig, "monitor", 1);
    rig_set(&rig, "restore", 1); /* the other reading of the restore */
    again(&rig, 1e11);
    rcc_rp_sent(rig.rp, 1000, 130000);
    STATE(&rig, 2.5e10, 0, false, 130000, 130000, true);
    rig_cut(&rig, 4000, 0);
    STATE(&rig, 1e11, 0, true, 0, 0, false);
    rig_cut(&rig, 5000, 0); /* without the monitor it cuts */
    STATE(&rig, 9.8e10, 0, true, 0, 0, false);
    rig_set(&rig, "fly_reset", 1); /* no lock ends the monitor's period */
    again(&rig, 1e11);
    rcc_rp_sent(rig.rp, 11000, 60000);
    STATE(&rig, 1.0001e11, 1, false, 0, 60000, false);
    rcc_rp_sent(rig.rp, 12000, 65536);
    STATE(&rig, 1.0001e11 / 4, 1, false, 65536, 125536, true);
    rig_free(&rig);
}
END_TEST

/* alpha_k = base alpha / c with the shortest RTT. */
START_TEST(step_of_a_flow)
{
    struct rig rig;
    start(&rig, 1e11);
    rig_set(&rig, "c", 2000);
    again(&rig, 1e11);
    rtt(&rig, 0, 20000);
    rtt(&rig, 0, 14000);
    rtt(&rig, 0, 12000);
    STATE(&rig, 1e11, 0, false, 0, 0, false);
    rcc_rp_sent(rig.rp, 13000, 9000);
    STATE(&rig, 1.0006e11, 1, false, 0, 0, false);
    rtt(&rig, 13000, 30000); /* the lock waits for the last RTT, the step keeps the shortest */
    rtt(&rig, 13000, -1);
    rcc_rp_sent(rig.rp, 43000, 9000);
    STATE(&rig, 1.0006e11, 1, false, 9000, 9000, false);
    rcc_rp_sent(rig.rp, 43001, 1);
    STATE(&rig, 1.0012e11, 2, false, 0, 0, false);
    rtt(&rig, 43001, INT64_MAX); /* read as 68 s */
    rcc_rp_sent(rig.rp, 43001 + 60 * SEC, 9000);
    STATE(&rig, 1.0012e11, 2, false, 9000, 9000, false);
    rcc_rp_sent(rig.rp, 43001 + 69 * SEC, 9000);
    STATE(&rig, 1.0018e11, 3, false, 0, 0, false);
    rig_free(&rig);
}
END_TEST

START_TEST(cnps_and_bounds)
{
    struct rig rig;
    start(&rig, 4e11);
    for (int i = 0; i < 100; i++)
        rig_cut(&rig, i, 0);
    STATE(&rig, 5.30478224e10, 0, true, 0, 0, false);
    for (int i = 0; i < 1000; i++)
        rig_cut(&rig, 100 + i, 0);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), MBPS); /* r_min */
    rcc_rp_sent(rig.rp, 2000, 1000);              /* a quarter would be less: a CNP would multiply it by 4 */
    ck_assert(!state(&rig)->quarter && rcc_rp_rate(rig.rp) == MBPS);
    again(&rig, 4e6);
    rcc_rp_sent(rig.rp, 2000, 1000);
    ck_assert(state(&rig)->quarter && rcc_rp_rate(rig.rp) == MBPS);
    again(&rig, (double)LINE - 5e6);
    rcc_rp_sent(rig.rp, 20000, 9000);
    ck_assert_uint_eq(rig.rp->rate, LINE << RCC_RATE_SHIFT);
    rcc_rp_sent(rig.rp, 20000, 600000); /* quartered at line rate, steps, and restored: not above it */
    rcc_rp_sent(rig.rp, 40000, 9000);
    ck_assert_double_gt(rp_rate(rig.rp), (double)LINE / 4);
    rig_set(&rig, "restore", 1);
    again(&rig, (double)LINE);
    rcc_rp_sent(rig.rp, 1000, 600000);
    rcc_rp_sent(rig.rp, 40000, 9000);
    rig_cut(&rig, 40000, 0);
    ck_assert_uint_eq(rig.rp->rate, LINE << RCC_RATE_SHIFT);
    rig_set(&rig, "r_min", (int64_t)LINE + 1);
    ck_assert(!rig_try_start(&rig, 0, 1));
    rig_free(&rig);
}
END_TEST

/* ------------------------------------------------------------------ against the reference */

struct ref_barre
{
    real rate, line, least, alpha, fast, beta, n, c, k, rtt, base, step, timer, inc, fly;
    int64_t count;
    bool cnp, quarter, monitor, uncut, fly_by_cnp, quiet;
};

static void barre_start(struct ref_barre *r, const struct rig *rig, rcc_time now)
{
    *r = (struct ref_barre){.rate = (real)rig->env.line_rate,
                            .line = (real)rig->env.line_rate,
                            .least = (real)rig_get(rig, "r_min"),
                            .alpha = (real)rig_get(rig, "alpha"),
                            .fast = (real)rig_get(rig, "fast_step"),
                            .beta = (real)rig_get(rig, "beta") / 1e9L,
                            .n = (real)rig_get(rig, "n"),
                            .c = (real)rig_get(rig, "c"),
                            .k = (real)rig_get(rig, "k"),
                            .rtt = rig_get(rig, "base_rtt") != 0 ? (real)rig_get(rig, "base_rtt") : 13000,
                            .base = INFINITY,
                            .step = (real)rig_get(rig, "alpha"),
                            .timer = (real)now,
                            .monitor = rig_get(rig, "monitor") == 1,
                            .uncut = rig_get(rig, "restore") == 1,
                            .fly_by_cnp = rig_get(rig, "fly_reset") == 1,
                            .quiet = rig_get(rig, "lock_timer") == 1};
}

static void barre_set(struct ref_barre *r, real rate)
{
    r->rate = fmin(fmax(rate, r->least), r->line);
}

static void barre_sent(struct ref_barre *r, rcc_time now, uint32_t bytes)
{
    r->inc += bytes;
    r->fly += bytes;
    if (r->inc > r->n && (real)now - r->timer > r->rtt) /* B1 */
    {
        if (!r->cnp) /* B2, B3 */
        {
            barre_set(r, r->rate + ((real)r->count > r->k ? r->fast : r->step));
            r->count++;
        }
        if (!r->cnp || !r->quiet)
            r->timer = (real)now;
        r->cnp = false;
        r->inc = 0;
        r->fly = r->fly_by_cnp ? r->fly : 0;
    }
    if (r->monitor && !r->quarter && r->rate / 4 >= r->least && r->fly > r->rate * r->rtt / 8e9L) /* B6 */
    {
        r->quarter = true;
        barre_set(r, r->rate / 4);
    }
}

static void barre_cnp(struct ref_barre *r)
{
    if (r->quarter && r->uncut)
        barre_set(r, 4 * r->rate);
    else
        barre_set(r, r->rate * r->beta * (r->quarter ? 4 : 1)); /* B5, B7 */
    r->quarter = false;
    r->cnp = true;
    r->count = 0;
    r->inc = r->fly = 0;
}

static void compare(struct rig *rig, uint64_t seed)
{
    struct rng rng = {seed};
    struct ref_barre r;
    rcc_time now = rng_log_range(&rng, 0, 100 * SEC);
    rig_start(rig, now, seed);
    barre_start(&r, rig, now);
    for (int i = 0; i < (int)rounds(3000); i++)
    {
        const int64_t dice = rng_range(&rng, 0, 99);
        now += rng_log_range(&rng, 0, 10 * US);
        if (dice < 70)
        {
            const uint32_t bytes = (uint32_t)rng_log_range(&rng, 1, 20000);
            rcc_rp_sent(rig->rp, now, bytes);
            barre_sent(&r, now, bytes);
        }
        else if (dice < 85)
        {
            rig_cut(rig, now, 0);
            barre_cnp(&r);
        }
        else
        {
            const rcc_time sample = rng_log_range(&rng, 5 * US, 40 * US);
            rtt(rig, now, sample);
            r.rtt = (real)sample;
            r.base = fmin(r.base, r.rtt);
            r.step = r.base * r.alpha / r.c; /* B4 */
        }
        CHECK(relative(rp_rate(rig->rp), (double)r.rate) < 1e-6, "seed %llu, signal %d: rate %.3f, reference %.3f",
              (unsigned long long)seed, i, rp_rate(rig->rp), (double)r.rate);
        CHECK((int64_t)rp_state(rig->rp) == r.count && state(rig)->quarter == r.quarter && state(rig)->cnp == r.cnp &&
                  (real)state(rig)->sent_inc == r.inc && (real)state(rig)->sent_fly == r.fly &&
                  (real)state(rig)->timer == r.timer,
              "seed %llu, signal %d: counters", (unsigned long long)seed, i);
    }
}

START_TEST(preset_matches_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(20); seed++)
    {
        struct rig rig;
        rig_init(&rig, "barre", NULL, line_rates[_i]);
        compare(&rig, seed);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(other_parameters_match_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(40); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        rig_init(&rig, "barre", NULL, line_rates[_i]);
        rig_set(&rig, "beta", rng_range(&rng, 500000000, 1000000000));
        rig_set(&rig, "alpha", rng_log_range(&rng, 100000, (int64_t)line_rates[_i] / 20));
        rig_set(&rig, "fast_step", rng_log_range(&rng, 100000, (int64_t)line_rates[_i] / 4));
        rig_set(&rig, "k", rng_range(&rng, 0, 6));
        rig_set(&rig, "n", rng_log_range(&rng, 0, 20000));
        rig_set(&rig, "c", rng_log_range(&rng, 500, 20000));
        rig_set(&rig, "base_rtt", rng_chance(&rng, 50) ? 0 : rng_log_range(&rng, 1000, 100000));
        rig_set(&rig, "monitor", rng_range(&rng, 0, 1));
        rig_set(&rig, "restore", rng_range(&rng, 0, 1));
        rig_set(&rig, "fly_reset", rng_range(&rng, 0, 1));
        rig_set(&rig, "lock_timer", rng_range(&rng, 0, 1));
        rig_set(&rig, "r_min", rng_log_range(&rng, 100000, (int64_t)line_rates[_i] / 10));
        compare(&rig, 500 + seed);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ the fixed point */

/* B8: CNPs per RTT of all n flows. */
static double cnps_per_rtt(double n, double alpha, double c, double beta)
{
    return n * log(1 - alpha * n / c) / log(beta);
}

/* B9: (q - Kmin) (q + C d) Pmax / ((Kmax - Kmin) U) = n*, in bytes. */
static double queue_of(double cnps, double kmin, double kmax, double pmax, double cd, double u)
{
    const double right = cnps * (kmax - kmin) * u / pmax, half = (kmin - cd) / 2;
    return half + sqrt((kmin + cd) * (kmin + cd) / 4 + right);
}

/* 400 Gb/s, 10 us, Kmin 1 MB, Kmax 4 MB, Pmax 0.1, MTU 4096, alpha 10 Mb/s, beta 0.98. */
START_TEST(fluid_fixed_point)
{
    static const struct
    {
        double n, rate, cnps, queue, p;
    } rows[] = {{2, 2e11, 0.0049499554, 1000405.39, 1.35130262e-05},
                {16, 2.5e10, 0.3168526, 1025522.31, 0.000850743542},
                {256, 1.5625e9, 81.358668, 3499592.76, 0.0833197588},
                {1024, 390625000, 1314.46656, 12981227.4, 0.399374246}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        const double cnps = cnps_per_rtt(rows[i].n, 1e7, 4e11, 0.98), queue = queue_of(cnps, 1e6, 4e6, 0.1, 5e5, 4096);
        IS(4e11 / rows[i].n, rows[i].rate);
        IS(cnps, rows[i].cnps);
        IS(queue, rows[i].queue);
        IS(0.1 * (queue - 1e6) / 3e6, rows[i].p);
    }
}
END_TEST

/* With the CNPs of B8 a flow keeps its share. The fluid model does not know that a CNP eats a step: one of 50 with 16
 * flows. */
START_TEST(a_flow_at_the_fixed_point)
{
    const double share = 4e11 / 16, per_rtt = cnps_per_rtt(16, 1e7, 4e11, 0.98) / 16;
    double due = 0, sum = 0;
    const int rtts = 20000;
    struct rig rig;
    start(&rig, share);
    rig_set(&rig, "k", 1000000);
    rig_set(&rig, "monitor", 0);
    again(&rig, share);
    for (int i = 1; i <= rtts; i++)
    {
        rcc_rp_sent(rig.rp, i * (rcc_time)10001, 9000);
        due += per_rtt;
        if (due >= 1)
        {
            due -= 1;
            rig_cut(&rig, i * (rcc_time)10001 + 5000, 0);
        }
        sum += rp_rate(rig.rp);
    }
    ck_assert_double_eq_tol(sum / rtts, share, 0.03 * share);
    rig_free(&rig);
}
END_TEST

/* ------------------------------------------------------------------ the other roles */

/* A CNP per microsecond and flow, at the marks. */
START_TEST(notification_point)
{
    struct rig rig;
    struct rcc_cnp c;
    rig_init(&rig, "barre", NULL, LINE);
    rig_start_np(&rig, 2);
    rcc_np_marked(rig.np, 0, 0);
    ck_assert(rcc_np_poll(rig.np, 0, &c) && c.flow == 0 && c.period_ns == 0);
    rcc_np_marked(rig.np, 10, 0);
    rcc_np_marked(rig.np, 20, 1);
    ck_assert(rcc_np_poll(rig.np, 20, &c) && c.flow == 1);
    ck_assert(!rcc_np_poll(rig.np, 999, &c));
    ck_assert_int_eq(rcc_np_next_due(rig.np), 1000);
    ck_assert(rcc_np_poll(rig.np, 1000, &c) && c.flow == 0);
    rig_set(&rig, "cnp_generation", 500);
    rig_start_np(&rig, 2);
    rcc_np_marked(rig.np, 0, 0);
    rcc_np_marked(rig.np, 0, 1);
    ck_assert(rcc_np_poll(rig.np, 0, &c));
    ck_assert_int_eq(rcc_np_next_due(rig.np), 500);
    rig_free(&rig);
}
END_TEST

START_TEST(marking)
{
    struct rig rig;
    rig_init(&rig, "barre", NULL, LINE);
    rig_start_cp(&rig, 1);
    ck_assert_uint_eq(((const struct rcc_red_profile *)(const void *)rig.cp_profile)->kmax, 4000000);
    ck_assert_uint_eq(((const struct rcc_red_profile *)(const void *)rig.cp_profile)->kmin, 1000000);
    rig_set(&rig, "kmin", 4000001);
    ck_assert(!rig_try_start_cp(&rig, 1));
    ck_assert_uint_eq(rig.alg->needs.wants, RCC_WANT_RTT);
    ck_assert_ptr_nonnull(strstr(rig.alg->title, "experimental"));
    ck_assert_ptr_nonnull(strstr(rig.alg->presets[0].help, "experimental"));
    rig_free(&rig);
}
END_TEST

Suite *suite_barre(void)
{
    Suite *s = suite_create("barre");
    TCase *hand = long_tcase("by hand"), *reference = long_tcase("reference");
    tcase_add_test(hand, edges);
    tcase_add_test(hand, both_locks);
    tcase_add_test(hand, a_cnp_eats_the_increase);
    tcase_add_test(hand, fast_step);
    tcase_add_test(hand, inflight_monitor);
    tcase_add_test(hand, step_of_a_flow);
    tcase_add_test(hand, cnps_and_bounds);
    tcase_add_test(hand, fluid_fixed_point);
    tcase_add_test(hand, a_flow_at_the_fixed_point);
    tcase_add_test(hand, notification_point);
    tcase_add_test(hand, marking);
    tcase_add_loop_test(reference, preset_matches_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(reference, other_parameters_match_the_reference, 0, LINE_RATES);
    suite_add_tcase(s, hand);
    suite_add_tcase(s, reference);
    return s;
}
