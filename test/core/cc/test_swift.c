/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Swift: against a floating-point reference, the published rules by hand, and its fixed point. */
#include "reference_swift.h"
#include "swift.h"

#include <tgmath.h>

#define LINE (50 * GBPS)
#define MTU REF_SWIFT_MTU

static struct swift_rp *state(const struct rig *rig)
{
    return (struct swift_rp *)(void *)rig->rp;
}

static double fcwnd(const struct rig *rig)
{
    return (double)state(rig)->fabric.cwnd / (double)SWIFT_PACKET;
}

static double ecwnd(const struct rig *rig)
{
    return (double)state(rig)->endpoint.cwnd / (double)SWIFT_PACKET;
}

static void ack(struct rig *rig, rcc_time now, rcc_time rtt, int packets)
{
    const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = rtt, .acked = (uint64_t)packets * MTU};
    rcc_rp_feedback(rig->rp, now, &f);
}

static void loss(struct rig *rig, rcc_time now, rcc_time rtt)
{
    const struct rcc_feedback f = {.kind = RCC_FEEDBACK_LOSS, .rtt = rtt, .lost = MTU};
    rcc_rp_feedback(rig->rp, now, &f);
}

static void timeout(struct rig *rig, rcc_time now)
{
    const struct rcc_feedback f = {.kind = RCC_FEEDBACK_TIMEOUT, .rtt = -1, .lost = MTU};
    rcc_rp_feedback(rig->rp, now, &f);
}

/* One window with a constant target, as in most examples below. */
static void start(struct rig *rig, double cwnd, rcc_time target)
{
    rig_init(rig, "swift", NULL, LINE);
    rig_set(rig, "base_target", target);
    rig_set(rig, "hop_delay", 0);
    rig_set(rig, "fs_range", 0);
    rig_set(rig, "endpoint", 0);
    rig_set(rig, "ai", 1000000000);
    rig_set(rig, "max_cwnd", 1000);
    rig_set(rig, "initial_cwnd", (int64_t)(cwnd * 1e9 + 0.5));
    rig_start(rig, 0, 1);
}

#define IS(got, want) ck_assert_double_eq_tol(got, want, 1e-6 * (want))

/* cwnd, t_dec (-1 = never), retx */
#define STATE(rig, cwnd, cut, timeouts)                                                                                \
    do                                                                                                                 \
    {                                                                                                                  \
        IS(fcwnd(rig), cwnd);                                                                                          \
        ck_assert_int_eq(state(rig)->fabric.cut_at, cut);                                                              \
        ck_assert_uint_eq(state(rig)->retx, timeouts);                                                                 \
    } while (0)

/* ------------------------------------------------------------------ against the reference */

static double error(const struct swift_window *w, const struct ref_window *r)
{
    return fabs((double)((real)w->cwnd / (real)SWIFT_PACKET - r->cwnd)) / (double)r->cwnd;
}

static void compare(struct rig *rig, uint64_t seed)
{
    struct rng rng = {seed};
    struct ref_swift r;
    rcc_time now = rng_log_range(&rng, 0, 100 * SEC), rtt = 30 * US;
    rig_start(rig, now, seed);
    ref_swift_start(&r, rig, state(rig));
    for (int i = 0; i < (int)rounds(3000); i++)
    {
        struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .hops = (uint8_t)rng_range(&rng, 0, 7)};
        const struct swift_rp *s = state(rig);
        real cwnd;
        now += rng_log_range(&rng, 0, 40 * US);
        rtt = rng_chance(&rng, 3) ? rng_log_range(&rng, 0, 3 * MS) : rtt + rng_range(&rng, -5 * US, 5 * US);
        rtt = rtt < 1 * US ? rng_range(&rng, 0, 9 * US) : rtt > 300 * US ? 200 * US : rtt;
        f.rtt = rng_chance(&rng, 2) ? -1 : rtt;
        f.remote = rng_chance(&rng, 50) ? 0 : rng_range(&rng, 0, 2 * rtt);
        f.acked = (uint64_t)(rng_chance(&rng, 70) ? MTU : rng_log_range(&rng, 0, 64 * MTU));
        if (rng_chance(&rng, 2))
            f.kind = rng_chance(&rng, 50) ? RCC_FEEDBACK_LOSS : RCC_FEEDBACK_TIMEOUT;
        rcc_rp_feedback(rig->rp, now, &f);
        ref_swift_hear(&r, now, &f);
        CHECK(error(&s->fabric, &r.f) < 1e-6, "seed %llu, signal %d: fcwnd %.9f, reference %.9f",
              (unsigned long long)seed, i, fcwnd(rig), (double)r.f.cwnd);
        CHECK(!r.endpoint || error(&s->endpoint, &r.e) < 1e-6, "seed %llu, signal %d: ecwnd %.9f, reference %.9f",
              (unsigned long long)seed, i, ecwnd(rig), (double)r.e.cwnd);
        CHECK((real)s->fabric.cut_at == r.f.cut_at && (int64_t)s->retx == r.retx,
              "seed %llu, signal %d: t_dec %lld, reference %.0f, retx %u", (unsigned long long)seed, i,
              (long long)s->fabric.cut_at, (double)r.f.cut_at, s->retx);
        CHECK(fabs((double)((real)s->target / 65536 - r.target)) < 0.011, "seed %llu, signal %d: target %.6f",
              (unsigned long long)seed, i, (double)r.target);
        cwnd = r.endpoint ? fmin(r.f.cwnd, r.e.cwnd) : r.f.cwnd;
        CHECK(fabs((double)rcc_rp_window(rig->rp) - (double)fmax(cwnd, 1) * MTU) < 1 + 1e-6 * MTU * (double)cwnd,
              "window");
        if (cwnd >= 1)
            CHECK(rcc_rp_rate(rig->rp) == rig->env.line_rate, "not at line rate");
        else /* S9 */
            CHECK(relative(rp_rate(rig->rp), (double)fmin(cwnd * MTU * 8e9L / fmax(r.rtt < 0 ? 13000 : r.rtt, 1),
                                                          (real)rig->env.line_rate)) <
                      1e-6 + 1e-4 / fmax((double)r.rtt, 1),
                  "seed %llu, signal %d: rate %.3f", (unsigned long long)seed, i, rp_rate(rig->rp));
    }
}

START_TEST(presets_match_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(20); seed++)
    {
        struct rig rig;
        rig_init(&rig, "swift", seed % 2 == 0 ? "paper" : "htsim", line_rates[_i]);
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
        rig_init(&rig, "swift", NULL, line_rates[_i]);
        rig_set(&rig, "base_target", rng_log_range(&rng, 5 * US, 100 * US));
        rig_set(&rig, "hop_delay", rng_range(&rng, 0, 5 * US));
        rig_set(&rig, "fs_range", rng_chance(&rng, 20) ? 0 : rng_log_range(&rng, 1 * US, 400 * US));
        rig_set(&rig, "fs_min", rng_log_range(&rng, 1000000, 10000000000));
        rig_set(&rig, "fs_max", rig_get(&rig, "fs_min") * rng_range(&rng, 2, 2000));
        rig_set(&rig, "ai", rng_log_range(&rng, 1000000, 4000000000));
        rig_set(&rig, "beta", rng_range(&rng, 0, 1000000000));
        rig_set(&rig, "max_mdf", rng_range(&rng, 0, 1000000000));
        rig_set(&rig, "min_cwnd", rng_log_range(&rng, 100000, 1000000000));
        rig_set(&rig, "max_cwnd", rng_log_range(&rng, 1, 10000));
        rig_set(&rig, "initial_cwnd", rng_log_range(&rng, 1000000, 100000000000));
        rig_set(&rig, "retx_threshold", rng_range(&rng, 1, 4));
        rig_set(&rig, "endpoint", rng_range(&rng, 0, 1));
        rig_set(&rig, "endpoint_target", rng_log_range(&rng, 1 * US, 100 * US));
        rig_set(&rig, "endpoint_ewma", rng_range(&rng, 10000000, 1000000000));
        rig_set(&rig, "rtt_ewma", rng_range(&rng, 10000000, 1000000000));
        rig_set(&rig, "cut_clock", rng_range(&rng, 0, 1));
        compare(&rig, 500 + seed);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ by hand */

START_TEST(target_delay)
{
    static const struct
    {
        double cwnd;
        uint8_t hops;
        double target;
    } rows[] = {{100, 0, 25000},  {100, 5, 30000},    {1000, 3, 28000},    {1, 3, 57389.8888}, {0.25, 3, 90045.3209},
                {0.1, 3, 128000}, {0.001, 3, 128000}, {50, 1, 27352.6323}, {10, 5, 37061.0111}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        struct rig rig;
        struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = 20 * US, .hops = rows[i].hops};
        rig_init(&rig, "swift", NULL, LINE);
        rig_set(&rig, "max_cwnd", 1000);
        rig_set(&rig, "initial_cwnd", (int64_t)(rows[i].cwnd * 1e9 + 0.5));
        rig_start(&rig, 0, 1);
        rcc_rp_feedback(rig.rp, 1, &f);
        ck_assert_double_eq_tol((double)state(&rig)->target / 65536, rows[i].target, 0.011);
        ck_assert_uint_eq(rp_state(rig.rp), (uint32_t)(rows[i].target + 0.001));
        ck_assert(rp_target(rig.rp) == rp_rate(rig.rp) && rp_alpha(rig.rp) == 0);
        rig_free(&rig);
    }
}
END_TEST

/* Without a value of its own the increase is 0.5 % of the BDP: 125 packets at 50 Gb/s and 20 us. */
START_TEST(increase_by_a_share_of_the_bdp)
{
    struct rig rig;
    start(&rig, 10, 25 * US);
    rig_set(&rig, "ai", 0);
    rig.env.base_rtt = 20 * US;
    rig_start(&rig, 0, 1);
    ack(&rig, 100000, 20000, 1);
    STATE(&rig, 10.0625, -1, 0);
    rig_free(&rig);
    rig_init(&rig, "swift", NULL, LINE);
    ck_assert_int_eq(rig_get(&rig, "ai"), 0); /* the default */
    rig_free(&rig);
}
END_TEST

START_TEST(increase_above_and_below_one_packet)
{
    struct rig rig;
    start(&rig, 10, 25 * US);
    ack(&rig, 100000, 20000, 1);
    STATE(&rig, 10.1, -1, 0);
    ack(&rig, 101000, 20000, 4);
    STATE(&rig, 10.4960396, -1, 0);
    start(&rig, 0.25, 25 * US);
    rig_set(&rig, "ai", 500000000);
    rig_start(&rig, 0, 1);
    ack(&rig, 100000, 20000, 1); /* no division */
    STATE(&rig, 0.75, -1, 0);
    ack(&rig, 200000, 20000, 1);
    STATE(&rig, 1.25, -1, 0);
    rig_free(&rig);
}
END_TEST

START_TEST(delay_equal_to_the_target)
{
    struct rig rig;
    start(&rig, 10, 25 * US);
    ack(&rig, 100000, 25000, 1);
    STATE(&rig, 10, -1, 0);
    rig_set(&rig, "cut_clock", 1); /* as printed: the clock restarts, and a decrease within an RTT is refused */
    rig_start(&rig, 0, 1);
    ack(&rig, 100000, 25000, 1);
    STATE(&rig, 10, 100000, 0);
    ack(&rig, 110000, 50000, 1);
    STATE(&rig, 10, 110000, 0);
    rig_free(&rig);
}
END_TEST

START_TEST(decreases_are_an_rtt_apart)
{
    struct rig rig;
    start(&rig, 10, 40 * US);
    ack(&rig, 100000, 50000, 1);
    STATE(&rig, 8.4, 100000, 0);
    ack(&rig, 149999, 50000, 1);
    STATE(&rig, 8.4, 100000, 0);
    ack(&rig, 150000, 50000, 1);
    STATE(&rig, 7.056, 150000, 0);
    rcc_rp_advance(rig.rp, TEN_YEARS);
    ack(&rig, TEN_YEARS, INT64_MAX / 2, 1); /* read as 68 s, and long past */
    STATE(&rig, 3.528, TEN_YEARS, 0);
    rig_free(&rig);
}
END_TEST

START_TEST(bounds)
{
    struct rig rig;
    start(&rig, 10, 25 * US);
    ack(&rig, 100000, 250000, 1); /* max_mdf */
    STATE(&rig, 5, 100000, 0);
    start(&rig, 0.001, 25 * US);
    state(&rig)->fabric.cwnd++; /* so that it can decrease */
    ack(&rig, 1000000, 1000000, 1);
    STATE(&rig, 0.001, 1000000, 0);
    ack(&rig, 2000000, 20000, 1);
    STATE(&rig, 1.001, 1000000, 0);
    const struct rcc_feedback all = {.kind = RCC_FEEDBACK_ACK, .rtt = 20000, .acked = UINT64_MAX};
    rcc_rp_feedback(rig.rp, 3000000, &all);
    STATE(&rig, 1000, 1000000, 0);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 1000 * MTU);
    rig_free(&rig);
}
END_TEST

/* Five timeouts: cut, refused within the RTT, cut, cut, reset. */
START_TEST(timeouts)
{
    struct rig rig;
    start(&rig, 16, 50 * US);
    ack(&rig, 1000, 50000, 1); /* it sets the RTT and changes nothing else */
    STATE(&rig, 16, -1, 0);
    timeout(&rig, 100000);
    STATE(&rig, 8, 100000, 1);
    timeout(&rig, 120000);
    STATE(&rig, 8, 100000, 2);
    timeout(&rig, 200000);
    STATE(&rig, 4, 200000, 3);
    timeout(&rig, 400000);
    STATE(&rig, 2, 400000, 4);
    timeout(&rig, 800000);
    STATE(&rig, 0.001, 800000, 5);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), MTU); /* a packet may always be in flight */
    ack(&rig, 900000, -1, 1);                      /* an ACK without an RTT ends the row of timeouts, no more */
    STATE(&rig, 0.001, 800000, 0);
    rig_free(&rig);
}
END_TEST

START_TEST(fast_recovery)
{
    struct rig rig;
    start(&rig, 16, 30 * US);
    timeout(&rig, 1000); /* before the first sample the RTT is that of the path */
    STATE(&rig, 8, 1000, 1);
    loss(&rig, 13999, -1);
    STATE(&rig, 8, 1000, 0);
    loss(&rig, 14000, -1);
    STATE(&rig, 4, 14000, 0);
    start(&rig, 16, 30 * US);
    ack(&rig, 100000, 60000, 1);
    STATE(&rig, 9.6, 100000, 0);
    loss(&rig, 130000, 60000);
    STATE(&rig, 9.6, 100000, 0);
    loss(&rig, 160000, 60000);
    STATE(&rig, 4.8, 160000, 0);
    rig_free(&rig);
}
END_TEST

/* One packet per RTT / cwnd; frames are larger than their payload. */
START_TEST(pacing_gap)
{
    static const struct
    {
        double cwnd;
        rcc_time rtt;
        double gap;
    } rows[] = {{1, 30000, 0}, {0.5, 30000, 60000}, {0.001, 110200, 110200000}, {0.999999, 30000, 30000.03}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t frame = MTU; frame <= MTU + 82; frame += 82)
        {
            struct rig rig;
            start(&rig, rows[i].cwnd, rows[i].rtt); /* delay = target: the window keeps */
            rcc_rp_sent(rig.rp, 0, frame);
            rcc_rp_sent(rig.rp, 0, 100); /* a smaller one is none */
            ack(&rig, SEC, rows[i].rtt, 1);
            IS(fcwnd(&rig), rows[i].cwnd);
            rcc_rp_sent(rig.rp, SEC, frame);
            if (rows[i].gap > 0)
                ck_assert_double_eq_tol((double)(rcc_rp_next_send(rig.rp) - SEC), rows[i].gap, 1 + 1e-5 * rows[i].gap);
            else
                ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE);
            rig_free(&rig);
        }
}
END_TEST

/* A rate of the RTT alone has no bound: the line's is one, and so is 1 bit/s. */
START_TEST(extreme_rates)
{
    struct rig rig;
    start(&rig, 0.5, 25 * US);
    rcc_rp_sent(rig.rp, 0, 1 << 20);
    loss(&rig, 1, 0); /* a packet per ns */
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE);
    start(&rig, 0.001, 25 * US);
    rig_set(&rig, "min_cwnd", 1000);
    rig_set(&rig, "max_mdf", 1000000000);
    rig_start(&rig, 0, 1);
    loss(&rig, 1, INT64_MAX / 2);
    ck_assert_uint_eq(rig.rp->rate, RCC_RATE_ONE);
    rig_free(&rig);
}
END_TEST

START_TEST(two_windows)
{
    struct rig rig;
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = 40000, .remote = 4000, .hops = 3, .acked = MTU};
    rig_init(&rig, "swift", NULL, LINE);
    rig_set(&rig, "ai", 1000000000);
    rig_set(&rig, "max_cwnd", 1000);
    rig_set(&rig, "initial_cwnd", 8000000000);
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 100000, &f);
    IS(fcwnd(&rig), 8.125);
    IS(ecwnd(&rig), 8.125);
    IS((double)state(&rig)->e_delay / 65536, 4000.0);
    f.rtt = 200000;
    f.remote = 160000;
    rcc_rp_feedback(rig.rp, 110000, &f);
    IS(fcwnd(&rig), 7.50599528);
    IS(ecwnd(&rig), 8.24807692);
    IS((double)state(&rig)->e_delay / 65536, 23500.0);
    rcc_rp_feedback(rig.rp, 120000, &f);
    IS(fcwnd(&rig), 7.50599528);
    IS(ecwnd(&rig), 8.36931731);
    IS((double)state(&rig)->e_delay / 65536, 40562.5);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 7506);
    state(&rig)->endpoint.cwnd = 3 * SWIFT_PACKET; /* the smaller one holds */
    f.remote = -5;                                 /* a receiver's clock error is no delay */
    rcc_rp_feedback(rig.rp, 120001, &f);
    ck_assert_uint_lt(rcc_rp_window(rig.rp), 4000);
    loss(&rig, 400000, 200000);
    IS(ecwnd(&rig), (3 + 1.0 / 3) / 2);
    for (int i = 0; i < 5; i++)
        timeout(&rig, (2 + i) * MS);
    IS(ecwnd(&rig), 0.001); /* both are reset */
    rig_free(&rig);
}
END_TEST

/* Without a second window the whole RTT counts, and a loss has no ceiling to cut. */
START_TEST(one_window)
{
    struct rig rig;
    const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = 50000, .remote = 30000, .acked = MTU};
    start(&rig, 10, 40 * US);
    rcc_rp_feedback(rig.rp, 100000, &f);
    STATE(&rig, 8.4, 100000, 0);
    loss(&rig, 200000, 50000);
    STATE(&rig, 4.2, 200000, 0);
    IS(ecwnd(&rig), 1000.0);
    rig_free(&rig);
}
END_TEST

/* S10: RTT = target(cwnd) and n cwnd MTU 8e9 / C = RTT, with n flows over 3 switches at 50 Gb/s in packets of 4160
 * bytes. */
START_TEST(fixed_point)
{
    static const struct
    {
        double n, cwnd, rtt;
    } rows[] = {{10, 5.7603, 38.34}, {100, 0.8913, 59.32}, {1000, 0.15987, 106.4}, {5000, 0.03846, 128.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        struct rig rig;
        const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = 20 * US, .hops = 3};
        rig_init(&rig, "swift", NULL, LINE);
        rig.env.mtu = 4160;
        rig_set(&rig, "initial_cwnd", (int64_t)(rows[i].cwnd * 1e9 + 0.5));
        rig_start(&rig, 0, 1);
        rcc_rp_feedback(rig.rp, 1, &f);
        ck_assert_double_eq_tol((double)rp_state(rig.rp), rows[i].rtt * 1e3, 0.001 * rows[i].rtt * 1e3);
        if (rows[i].n < 5000) /* there the range of flow scaling is exhausted */
            ck_assert_double_eq_tol(rows[i].n * rows[i].cwnd * 4160 * 8 / 50, rows[i].rtt * 1e3,
                                    0.001 * rows[i].rtt * 1e3);
        rig_free(&rig);
    }
}
END_TEST

/* ------------------------------------------------------------------ configuration */

START_TEST(needs)
{
    const uint16_t base = RCC_WANT_WINDOW | RCC_WANT_ACK_PER_PACKET | RCC_WANT_RTT;
    const uint16_t all = base | RCC_WANT_WINDOW_FITS | RCC_WANT_HOPS | RCC_WANT_REMOTE_DELAY;
    struct rig rig;
    rig_init(&rig, "swift", NULL, LINE);
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rig.rp_profile->needs.wants, all);
    ck_assert_uint_eq(rig.alg->needs.wants, all);
    ck_assert_uint_eq(rig.rp_profile->needs.ack_extra, 5);
    rig_set(&rig, "endpoint", 0);
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rig.rp_profile->needs.wants, all & ~RCC_WANT_REMOTE_DELAY);
    ck_assert_uint_eq(rig.rp_profile->needs.ack_extra, 1);
    rig_set(&rig, "hop_delay", 0);
    rig_set(&rig, "window_rule", 1);
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rig.rp_profile->needs.wants, base);
    ck_assert_uint_eq(rig.rp_profile->needs.ack_extra, 0);
    ck_assert(!rig.rp_profile->frozen);
    rig_set(&rig, "pacing", 1);
    rig_start(&rig, 0, 1);
    ck_assert(rig.rp_profile->frozen);
    rig_free(&rig);
}
END_TEST

/* BDP = rate of the path, base RTT of the host or the parameter. */
START_TEST(windows_from_the_path)
{
    struct rig rig;
    rig_init(&rig, "swift", NULL, 100 * GBPS);
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 162500);
    ck_assert_uint_eq(state(&rig)->fabric.cwnd, 162 * SWIFT_PACKET + SWIFT_PACKET / 2);
    rig.env = (struct rcc_env){.line_rate = 100 * GBPS, .path_rate = 25 * GBPS, .base_rtt = 16000, .mtu = 4096};
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 50000);
    ack(&rig, 1, 100, 1 << 20);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 200000); /* 4 BDP */
    rig_set(&rig, "base_rtt", 32000);
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 100000);
    rig_set(&rig, "initial_cwnd", 2500000000);
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 10240);
    rig_set(&rig, "fs_max", 2 * rig_get(&rig, "fs_min") - 1);
    ck_assert(!rig_try_start(&rig, 0, 1));
    rig_set(&rig, "fs_max", 2 * rig_get(&rig, "fs_min"));
    ck_assert(rig_try_start(&rig, 0, 1));
    rig_free(&rig);
}
END_TEST

/* A BDP of less than one packet leaves as any other: at the rate of the path. */
START_TEST(small_bdp_begins_at_line_rate)
{
    struct rng rng = {1};
    for (uint64_t i = 0; i < rounds(2000); i++)
    {
        struct rig rig;
        rig_init(&rig, "swift", NULL, (uint64_t)rng_log_range(&rng, (int64_t)RCC_LINE_RATE_MIN, GBPS));
        rig.env.base_rtt = rng_log_range(&rng, 1, 8 * US);
        rig.env.mtu = (uint32_t)rng_log_range(&rng, 1000, 9000);
        rig_set(&rig, "min_cwnd", 1000);
        rig_start(&rig, 0, 1);
        CHECK(rcc_rp_rate(rig.rp) == rig.env.line_rate, "%llu of %llu bit/s, RTT %lld ns, MTU %u",
              (unsigned long long)rcc_rp_rate(rig.rp), (unsigned long long)rig.env.line_rate,
              (long long)rig.env.base_rtt, rig.env.mtu);
        rig_free(&rig);
    }
}
END_TEST

/* Whole numbers are exact: one packet becomes two; 100 us less 1 ns is no RTT; an ecwnd may fall with the first ACK;
 * 10^-6 packets in an RTT of 1 ns are 8 Mb/s. The host: window, ACK per packet, RTT, hops and remote delay. */
START_TEST(exact)
{
    const struct rcc_algorithm *alg = rcc_find("swift");
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = 300 * US, .remote = 200 * US, .acked = MTU};
    struct rig rig;
    ck_assert(alg->needs.wants == 1 + 2 + 4 + 16 + 64 + 128 && alg->needs.ack_extra == 5);
    ck_assert_uint_eq(rcc_find("theta-powertcp")->needs.wants, 1 + 2 + 4 + 16);
    start(&rig, 1, 25 * US);
    rig.env.mtu = MTU;
    rig_start(&rig, 0, 1);
    ack(&rig, 1000, 20 * US, 1);
    ck_assert_uint_eq(state(&rig)->fabric.cwnd, (uint64_t)2 << 38);
    rig_free(&rig);
    start(&rig, 100, 25 * US);
    ack(&rig, 1000, 100 * US, 1);
    ck_assert_int_eq(state(&rig)->fabric.cut_at, 1000);
    ack(&rig, 1000 + 99999, 100 * US, 1);
    ck_assert_int_eq(state(&rig)->fabric.cut_at, 1000);
    ack(&rig, 1000 + 100000, 100 * US, 1);
    ck_assert_int_eq(state(&rig)->fabric.cut_at, 101000);
    rig_free(&rig);
    rig_init(&rig, "swift", NULL, LINE);
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 10, &f);
    ck_assert_int_eq(state(&rig)->endpoint.cut_at, 10);
    rig_free(&rig);
    rig_init(&rig, "swift", NULL, LINE);
    rig_set(&rig, "base_rtt", 1);
    rig_set(&rig, "min_cwnd", 1000);
    rig_set(&rig, "initial_cwnd", 1000);
    rig.env.mtu = 1000;
    rig_start(&rig, 0, 1);
    ck_assert_double_eq_tol(rp_rate(rig.rp), 274877 / 274877906944.0 * 8e12, 0.001); /* floor(2^38 / 10^6) */
    rig_free(&rig);
}
END_TEST

Suite *suite_swift(void)
{
    Suite *s = suite_create("swift");
    TCase *reference = long_tcase("reference"), *hand = long_tcase("by hand");
    tcase_add_loop_test(reference, presets_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(reference, other_parameters_match_the_reference, 0, LINE_RATES);
    tcase_add_test(hand, target_delay);
    tcase_add_test(hand, increase_by_a_share_of_the_bdp);
    tcase_add_test(hand, increase_above_and_below_one_packet);
    tcase_add_test(hand, delay_equal_to_the_target);
    tcase_add_test(hand, decreases_are_an_rtt_apart);
    tcase_add_test(hand, bounds);
    tcase_add_test(hand, timeouts);
    tcase_add_test(hand, fast_recovery);
    tcase_add_test(hand, pacing_gap);
    tcase_add_test(hand, extreme_rates);
    tcase_add_test(hand, two_windows);
    tcase_add_test(hand, one_window);
    tcase_add_test(hand, fixed_point);
    tcase_add_test(hand, needs);
    tcase_add_test(hand, exact);
    tcase_add_test(hand, windows_from_the_path);
    tcase_add_test(hand, small_bdp_begins_at_line_rate);
    suite_add_tcase(s, reference);
    suite_add_tcase(s, hand);
    return s;
}
