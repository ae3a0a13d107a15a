/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* PowerTCP and theta-PowerTCP: vectors, rules by hand, and random signals against a reference in floating point. */
#include "helpers.h"
#include "powertcp.h"
#include "telemetry.h"

#include <math.h>
#include <string.h>

static struct power_rp *state(const struct rig *rig)
{
    return (struct power_rp *)rig->rp;
}

static double bytes(uint64_t window)
{
    return (double)window / (double)WINDOWED_ONE;
}

static double power(const struct rig *rig)
{
    return (double)state(rig)->power / (double)POWER_ONE;
}

/* 25 Gb/s, T 20 us, beta 6250, gamma 0.9, W_min 1 byte. */
static void start(struct rig *rig, const char *name, int64_t floor)
{
    rig_init(rig, name, "paper", 25 * GBPS);
    rig->env.base_rtt = 20000;
    rig_set(rig, "beta", 6250);
    rig_set(rig, "floor", floor);
    rig_set(rig, "r_min", 400000);
    rig_start(rig, 0, 1);
}

static void set_window(struct rig *rig, double window)
{
    state(rig)->w = state(rig)->old = (uint64_t)(window * (double)WINDOWED_ONE);
}

/* Compare with what a vector has. */
static void is_as(const struct rig *rig, const char *name, size_t i, double w, double old, double g, uint64_t last)
{
    CHECK(relative(bytes(state(rig)->w), w) < 1e-8, "%s, ack %zu: W %.6f", name, i, bytes(state(rig)->w));
    CHECK(relative(bytes(state(rig)->old), old) < 1e-8, "%s, ack %zu: W_old %.6f", name, i, bytes(state(rig)->old));
    CHECK(fabs(power(rig) - g) < 1e-8, "%s, ack %zu: Gamma %.9f", name, i, power(rig));
    CHECK(state(rig)->last == last, "%s, ack %zu: last %llu", name, i, (unsigned long long)state(rig)->last);
    CHECK(fabs(rp_alpha(rig->rp) - fmax(fmin(g, 1), 0)) < 1e-8, "%s, ack %zu: alpha", name, i);
    CHECK(fabs(rp_state(rig->rp) - fmax(g, 0) * 1000) <= 1, "%s, ack %zu: state", name, i);
}

/* ------------------------------------------------------------------ PowerTCP */

static void acknowledge(struct rig *rig, rcc_time now, uint64_t seq, uint64_t next, uint8_t n,
                        const struct rcc_hop *path)
{
    const struct rcc_feedback f = {
        .kind = RCC_FEEDBACK_ACK, .rtt = -1, .seq = seq, .next = next, .n_path = n, .path = path};
    rcc_rp_feedback(rig->rp, now, &f);
}

static const struct vector
{
    const char *name;
    double w; /* before; 0: as at the start */
    int64_t floor;
    struct
    {
        uint64_t seq, next;
        uint8_t n;
        struct rcc_hop path[2];
        double w, old, g;
        uint64_t last;
    } acks[4];
} vectors[] = {
    {"1 first ACK records, second at equilibrium current, empty queue",
     0,
     0,
     {{1000, 62500, 1, {{0, 0, 0, 25000}}, 62500, 62500, 1, 62500},
      {2000, 63500, 1, {{336, 1050, 0, 25000}}, 62500, 62500, 1, 62500}}},
    {"2 10:1 onset: queue grows 9 bytes per byte sent",
     0,
     0,
     {{1000, 62500, 1, {{0, 0, 0, 25000}}, 62500, 62500, 1, 62500},
      {2000, 63500, 1, {{2000, 6250, 56250, 25000}}, 31964.2857, 62500, 2.8, 62500},
      {3000, 64500, 1, {{4000, 12500, 112500, 25000}}, 19394.7368, 62500, 5.32, 62500}}},
    {"3 standing queue of one BDP, no growth, dt beyond tau",
     0,
     0,
     {{1000, 62500, 1, {{0, 0, 62500, 25000}}, 62500, 62500, 1, 62500},
      {63000, 120000, 1, {{30000, 93750, 62500, 25000}}, 40000, 40000, 2, 120000}}},
    {"4 draining queue: arrivals at half the line rate",
     20000,
     0,
     {{1000, 20000, 1, {{0, 0, 100000, 25000}}, 20000, 20000, 1, 20000},
      {21000, 40000, 1, {{20000, 62500, 68750, 25000}}, 24767.8571, 24767.8571, 1.05, 40000}}},
    {"5 no arrivals at all: current 0, smoothed over tau/2",
     20000,
     0,
     {{1000, 20000, 1, {{0, 0, 31250, 25000}}, 20000, 20000, 1, 20000},
      {21000, 40000, 1, {{10000, 31250, 0, 25000}}, 25625, 25625, 1, 40000}}},
    {"6 the same with a floor of half the line rate",
     20000,
     500000000,
     {{1000, 20000, 1, {{0, 0, 31250, 25000}}, 20000, 20000, 1, 20000},
      {21000, 40000, 1, {{10000, 31250, 0, 25000}}, 31625, 31625, 0.75, 40000}}},
    {"7 two hops, 100G and 25G: normalised powers are compared",
     30000,
     0,
     {{1000, 30000, 2, {{0, 0, 10000, 100000}, {500, 0, 0, 25000}}, 30000, 30000, 1, 30000},
      {31000,
       60000,
       2,
       {{10000, 125000, 35000, 100000}, {10500, 28000, 3000, 25000}},
       31429.0541,
       31429.0541,
       1.184,
       60000}}},
    {"8 W_old: three ACKs in one RTT, then the update",
     50000,
     0,
     {{1000, 50000, 1, {{0, 0, 0, 25000}}, 50000, 50000, 1, 50000},
      {2000, 51000, 1, {{1000, 3125, 3125, 25000}}, 53279.0284, 50000, 1.055, 50000},
      {3000, 52000, 1, {{2000, 6250, 6250, 25000}}, 51411.4329, 50000, 1.11225, 50000},
      {51000, 90000, 1, {{3000, 9375, 6250, 25000}}, 51246.9655, 51246.9655, 1.1116375, 90000}}},
};

START_TEST(vector)
{
    const struct vector *v = &vectors[_i];
    struct rig rig;
    start(&rig, "powertcp", v->floor);
    if (v->w > 0)
        set_window(&rig, v->w);
    for (size_t i = 0; i < 4 && v->acks[i].seq != 0; i++)
    {
        acknowledge(&rig, 1000 * (rcc_time)i, v->acks[i].seq, v->acks[i].next, v->acks[i].n, v->acks[i].path);
        is_as(&rig, v->name, i, v->acks[i].w, v->acks[i].old, v->acks[i].g, v->acks[i].last);
        if (i == 0)
            continue; /* the first one only records */
        CHECK(rcc_rp_window(rig.rp) == (uint64_t)(v->acks[i].w + 0.5), "%s, ack %zu: window", v->name, i);
        CHECK(relative(rp_rate(rig.rp), v->acks[i].w * 8e9 / 20000) < 1e-7, "%s, ack %zu: rate", v->name, i);
    }
    rig_free(&rig);
}
END_TEST

static const struct rcc_hop idle = {.rate_mbps = 25000}, standing = {.qlen = 62500, .rate_mbps = 25000};
static const struct rcc_hop full = {20000, 62500, 62500, 25000};

START_TEST(telemetry_that_does_not_count)
{
    const struct rcc_hop two[2] = {full, full};
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_TIMEOUT, .seq = 200000, .next = 300000, .n_path = 1, .path = &full};
    struct rig rig;
    start(&rig, "powertcp", 0);
    acknowledge(&rig, 0, 1000, 100000, 1, &standing);
    rcc_rp_feedback(rig.rp, 0, &f); /* another kind */
    f.kind = RCC_FEEDBACK_ACK;
    f.n_path = 0;
    rcc_rp_feedback(rig.rp, 0, &f);                     /* no telemetry */
    acknowledge(&rig, 0, 200000, 300000, 1, &standing); /* not younger */
    ck_assert_uint_eq(state(&rig)->last, 100000);
    acknowledge(&rig, 0, 200000, 300000, 2, two); /* another path: recorded */
    ck_assert_uint_eq(state(&rig)->last, 300000);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 62500);
    acknowledge(&rig, (1 << 23) + 1, 300001, 200000, 2, two); /* long after: recorded; `last` never falls */
    ck_assert_uint_eq(state(&rig)->last, 300000);
    rig_start(&rig, 0, 1);
    acknowledge(&rig, 0, 1000, 100000, 1, &standing);
    f.kind = RCC_FEEDBACK_LOSS; /* a NAK with telemetry is an ACK */
    f.n_path = 1;
    rcc_rp_feedback(rig.rp, 0, &f);
    ck_assert_double_eq_tol(power(&rig), 2, 1e-9);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 40000);
    rig_free(&rig);
}
END_TEST

START_TEST(rules_of_ns3_datacenter)
{
    struct rig rig;
    struct rcc_error error;
    rig_init(&rig, "powertcp", "ns3-datacenter", 25 * GBPS);
    rig.env.base_rtt = 20000;
    rig_start(&rig, 0, 1);
    ck_assert_int_eq(rig.rp_profile->needs.int_form, RCC_INT_FIXED);
    ck_assert_uint_eq(rig.rp_profile->needs.wants, RCC_WANT_WINDOW | RCC_WANT_ACK_PER_PACKET | RCC_WANT_INT);
    acknowledge(&rig, 0, 1000, 100000, 1, &standing);
    acknowledge(&rig, 0, 2000, 100000, 1, &full);
    /* 0.9 (62500 0.95 / 2 + 62500 / 167) + 0.1 62500 */
    ck_assert_double_eq_tol(bytes(state(&rig)->w), 0.9 * (62500 * 0.95 / 2 + 62500.0 / 167) + 6250, 1e-4);
    acknowledge(&rig, 0, 3000, 100000, 1, &(struct rcc_hop){40000, 125000, 62500, 25000}); /* again, from W_old */
    ck_assert_double_eq_tol(bytes(state(&rig)->w), 0.9 * (62500 * 0.95 / 2 + 62500.0 / 167) + 6250, 1e-4);
    rig.env.path_rate = 50 * MBPS;
    ck_assert(!rcc_check(rig.alg, rig.params, &rig.env, &error));
    ck_assert_str_eq(error.name, "r_min");
    rig_free(&rig);
    start(&rig, "powertcp", 0); /* a port of 1 Mb/s with a queue of 4 GB: a power above all bounds */
    acknowledge(&rig, 0, 1000, 100000, 1, &(struct rcc_hop){0, 0, 0, 1});
    acknowledge(&rig, 0, 2000, 100000, 1, &(struct rcc_hop){1000000, 0, UINT32_MAX, 1});
    ck_assert_double_eq_tol(power(&rig), 1048576, 1e-9);
    acknowledge(&rig, 0, 2000, 100000, 1, &(struct rcc_hop){1000001, UINT32_MAX, UINT32_MAX, 1});
    ck_assert_double_eq_tol(power(&rig), 1048576, 1e-9);
    rig_free(&rig);
    start(&rig, "powertcp", 0);
    ck_assert_mem_eq(&rig.rp_profile->needs, &rig.alg->needs, sizeof rig.alg->needs);
    acknowledge(&rig, 0, 1000, 100000, 1, &idle);
    acknowledge(&rig, 0, 2000, 100000, 1, &(struct rcc_hop){1, 62500000, 0, 25000}); /* 62.5 MB in 1 ns */
    ck_assert_double_eq_tol(power(&rig), 1 + 1048575 / 20000.0, 1e-6);
    rig_free(&rig);
}
END_TEST

/* ------------------------------------------------------------------ theta-PowerTCP */

static void measure(struct rig *rig, rcc_time now, uint64_t seq, uint64_t next, rcc_time rtt)
{
    const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .seq = seq, .next = next, .rtt = rtt};
    rcc_rp_feedback(rig->rp, now, &f);
}

static const struct theta_vector
{
    const char *name;
    double w; /* before; 0: as at the start */
    int64_t floor;
    struct
    {
        rcc_time now;
        uint64_t seq, next;
        rcc_time rtt;
        double w, old, g;
        uint64_t last;
    } acks[4];
} theta_vectors[] = {
    {"9 theta: rising RTT, update once per RTT",
     0,
     0,
     {{100000, 1000, 62500, 20000, 62500, 62500, 1, 62500},
      {101000, 2000, 63500, 21000, 62500, 62500, 1.055, 62500},
      {102000, 3000, 64500, 22000, 62500, 62500, 1.11225, 62500},
      {120000, 63000, 120000, 30000, 39164.5972, 39164.5972, 2.061225, 120000}}},
    {"10 theta: RTT falls faster than time passes: power below 0, smoothed",
     30000,
     0,
     {{100000, 1000, 30000, 60000, 30000, 30000, 1, 30000},
      {101000, 2000, 31000, 50000, 30000, 30000, -0.175, 30000},
      {102000, 31000, 61000, 45000, 1, 1, -0.61625, 61000}}},
    {"10b the same with a current floor of 0.5",
     30000,
     500000000,
     {{100000, 1000, 30000, 60000, 30000, 30000, 1, 30000},
      {101000, 2000, 31000, 50000, 30000, 30000, 1.0125, 30000},
      {102000, 31000, 61000, 45000, 35144.337, 35144.337, 1.018125, 61000}}},
    {"11 theta: two ACKs at one time",
     0,
     0,
     {{100000, 1000, 62500, 20000, 62500, 62500, 1, 62500},
      {100000, 2000, 63500, 20500, 62500, 62500, 1, 62500},
      {104000, 63000, 120000, 24000, 55820.3125, 55820.3125, 1.28, 120000}}},
};

START_TEST(theta_vector)
{
    const struct theta_vector *v = &theta_vectors[_i];
    struct rig rig;
    start(&rig, "theta-powertcp", v->floor);
    if (v->w > 0)
        set_window(&rig, v->w);
    for (size_t i = 0; i < 4 && v->acks[i].seq != 0; i++)
    {
        measure(&rig, v->acks[i].now, v->acks[i].seq, v->acks[i].next, v->acks[i].rtt);
        is_as(&rig, v->name, i, v->acks[i].w, v->acks[i].old, v->acks[i].g, v->acks[i].last);
    }
    CHECK(rcc_rp_window(rig.rp) == (uint64_t)(bytes(state(&rig)->w) + 0.5), "%s: window", v->name);
    CHECK(relative(rp_rate(rig.rp), bytes(state(&rig)->w) * 8e9 / 20000) < 1e-7, "%s: rate", v->name);
    rig_free(&rig);
}
END_TEST

START_TEST(theta_rules)
{
    struct rig rig;
    struct rcc_error error;
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_TIMEOUT, .seq = 200000, .next = 300000, .rtt = 40000};
    start(&rig, "theta-powertcp", 0);
    measure(&rig, 0, 1000, 100000, 40000);
    rcc_rp_feedback(rig.rp, 20000, &f);       /* another kind */
    measure(&rig, 20000, 200000, 300000, -1); /* an unknown RTT */
    ck_assert_uint_eq(state(&rig)->last, 100000);
    f.kind = RCC_FEEDBACK_LOSS; /* a NAK is a sample too */
    rcc_rp_feedback(rig.rp, 20000, &f);
    ck_assert_double_eq_tol(power(&rig), 2, 1e-9);
    ck_assert_uint_eq(rcc_rp_window(rig.rp), 40000);
    measure(&rig, 20001 + (1 << 23), 300001, 400000, 60000); /* long after: recorded */
    ck_assert_double_eq_tol(power(&rig), 2, 1e-9);
    ck_assert_uint_eq(state(&rig)->last, 400000);
    measure(&rig, 20001 + (1 << 24), 400001, 500000, TEN_YEARS); /* no RTT is longer than 4.3 s */
    ck_assert_double_eq_tol(power(&rig), 1048576, 1e-9);         /* the largest power */
    rig_free(&rig);
    rig_init(&rig, "theta-powertcp", "ns3-datacenter", 25 * GBPS);
    rig.env.base_rtt = 20000;
    rig_start(&rig, 0, 1);
    measure(&rig, 0, 1000, 100000, 42000);
    measure(&rig, 20000, 2000, 100000, 42000); /* within the round: power 42000 / (20000 1.05) */
    ck_assert_double_eq_tol(power(&rig), 2, 1e-9);
    ck_assert_double_eq_tol(bytes(state(&rig)->w), 0.7 * (62500 / 2.0 + 62500.0 / 167) + 0.3 * 62500, 1e-4);
    ck_assert_uint_eq(state(&rig)->old >> WINDOWED_SHIFT, 62500);
    measure(&rig, 30000, 3000, 100000, 8000); /* the shortest RTT is T of power and average, 8 us from here on */
    ck_assert_double_eq_tol(power(&rig), 0.5 / 1.05, 1e-9);      /* the floor of the current, and dt above T */
    ck_assert_double_eq_tol(bytes(state(&rig)->w), 62500, 1e-4); /* C T is that of the topology */
    measure(&rig, 34000, 4000, 100000, 12000);                   /* a 2, RTT 1.5 T: power 3 / 1.05, weight 1/2 */
    ck_assert_double_eq_tol(power(&rig), (0.5 + 3) / 2 / 1.05, 1e-9);
    measure(&rig, 44000, 5000, 100000, 0); /* no RTT is shorter than a nanosecond */
    ck_assert_double_eq_tol(power(&rig), 0, 1e-9);
    rig.env.path_rate = 50 * MBPS;
    ck_assert(!rcc_check(rig.alg, rig.params, &rig.env, &error));
    ck_assert_str_eq(error.name, "r_min");
    rig_free(&rig);
}
END_TEST

/* ------------------------------------------------------------------ against the reference */

#define HOPS 5

struct ref
{
    double gamma, beta, target, floor, bdp, w_min, rtt, w, old, g, prev_rtt, prev_time;
    bool keeps_old, each_ack, least;
    uint64_t last;
    struct rcc_hop hop[HOPS];
};

static void ref_start(struct ref *r, const struct rig *rig)
{
    memset(r, 0, sizeof *r);
    r->rtt = (double)rig->env.base_rtt;
    r->w = r->old = r->bdp = (double)rig->env.line_rate * r->rtt / 8e9;
    r->gamma = (double)rig_get(rig, "gamma") / PPB;
    r->beta = rig_get(rig, "beta") != 0 ? (double)rig_get(rig, "beta") : r->bdp / (double)rig_get(rig, "n");
    r->target = (double)rig_get(rig, "target") / PPB;
    r->floor = (double)rig_get(rig, "floor") / PPB;
    r->w_min = (double)rig_get(rig, "r_min") * r->rtt / 8e9;
    r->keeps_old = rig_get(rig, "keeps") == 1;
    r->each_ack = rcc_field_find(rig->alg, "update") >= 0 && rig_get(rig, "update") == 1;
    r->least = rcc_field_find(rig->alg, "tau") >= 0 && rig_get(rig, "tau") == 1;
    r->g = 1;
}

static void ref_average(struct ref *r, double value, double dt)
{
    const double d = fmin(dt, r->rtt);
    r->g = (r->g * (r->rtt - d) + value * d) / r->rtt;
}

static void ref_step(struct ref *r, double target)
{
    const double w = r->gamma * (r->old * target / r->g + r->beta) + (1 - r->gamma) * (r->keeps_old ? r->old : r->w);
    r->w = r->g > 0 ? fmax(fmin(w, r->bdp), r->w_min) : r->w_min;
}

static void ref_round(struct ref *r, uint64_t seq, uint64_t next, bool first)
{
    if (!first && seq > r->last)
        r->old = r->w;
    if (first || seq > r->last)
        r->last = next > r->last ? next : r->last;
}

static void ref_telemetry(struct ref *r, uint64_t seq, uint64_t next, const struct rcc_hop *path, int n, bool first)
{
    double most = 0, tau = 0;
    for (int i = 0; i < n && !first; i++)
    {
        const double rate = path[i].rate_mbps * 1e6, dt = (double)(path[i].ts - r->hop[i].ts);
        const double dq = (double)path[i].qlen - (double)r->hop[i].qlen, dtx = (double)(path[i].tx - r->hop[i].tx);
        const double current = fmax(8e9 * (dq + dtx) / dt / rate, r->floor), bdp = rate * r->rtt / 8e9;
        const double g = fmin(current * (path[i].qlen + bdp) / bdp, 1048576);
        if (g > most)
        {
            most = g;
            tau = dt;
        }
    }
    if (!first)
    {
        ref_average(r, most, tau);
        ref_step(r, r->target);
    }
    ref_round(r, seq, next, first);
    memcpy(r->hop, path, sizeof r->hop);
}

static void ref_theta(struct ref *r, double now, uint64_t seq, uint64_t next, double rtt, bool first)
{
    const double dt = now - r->prev_time;
    if (!first && dt == 0)
        return;
    if (r->least)
        r->rtt = fmin(r->rtt, fmax(rtt, 1));
    if (!first)
    {
        double a = (rtt - r->prev_rtt) / dt + 1;
        if (r->floor > 0)
            a = fmax(a, r->floor);
        ref_average(r, fmax(fmin(a * rtt / r->rtt, 1048576), -1048576) / r->target, dt);
        if (seq > r->last || r->each_ack)
            ref_step(r, 1);
    }
    r->prev_rtt = rtt;
    r->prev_time = now;
    ref_round(r, seq, next, first);
}

static void random_rig(struct rig *rig, struct rng *rng, const char *name, uint64_t seed)
{
    rig_init(rig, name, seed % 3 == 0 ? "ns3-datacenter" : "paper", line_rates[seed % LINE_RATES]);
    rig->env.base_rtt = rng_log_range(rng, 2000, 200000);
    rig_set(rig, "gamma", rng_range(rng, 300000000, 1000000000));
    rig_set(rig, "beta", rng_chance(rng, 30) ? 0 : rng_log_range(rng, 1, 20000));
    rig_set(rig, "floor", rng_chance(rng, 30) ? 0 : rng_range(rng, 1, 1000000000));
    rig_start(rig, 0, seed);
}

static void compare_with_reference(const struct rig *rig, const struct ref *r, uint64_t seed, int i)
{
    CHECK(fabs(power(rig) - r->g) < 1e-9 * fmax(1, fabs(r->g)), "seed %llu, ack %d: Gamma %.9f, reference %.9f",
          (unsigned long long)seed, i, power(rig), r->g);
    CHECK(relative(bytes(state(rig)->w), r->w) < 1e-6, "seed %llu, ack %d: W %.6f, reference %.6f",
          (unsigned long long)seed, i, bytes(state(rig)->w), r->w);
    CHECK(relative(bytes(state(rig)->old), r->old) < 1e-6, "seed %llu, ack %d: W_old", (unsigned long long)seed, i);
    CHECK(state(rig)->last == r->last, "seed %llu, ack %d: last", (unsigned long long)seed, i);
}

static void compare_telemetry(uint64_t seed)
{
    struct rng rng = {seed};
    struct rig rig;
    struct ref r;
    struct rcc_hop path[HOPS];
    uint64_t seq = 1000;
    const int n = (int)rng_range(&rng, 1, HOPS);
    random_rig(&rig, &rng, "powertcp", seed);
    ref_start(&r, &rig);
    for (int i = 0; i < HOPS; i++)
        path[i] = (struct rcc_hop){.ts = (uint32_t)rng_next(&rng),
                                   .tx = (uint32_t)rng_next(&rng),
                                   .rate_mbps = (uint32_t)(rng_chance(&rng, 70) ? rig.env.line_rate / MBPS : 4000000)};
    for (int i = 0; i < 20000; i++)
    {
        const uint64_t next = seq + (uint64_t)rng_range(&rng, 1, 20000);
        acknowledge(&rig, i, seq, next, (uint8_t)n, path);
        ref_telemetry(&r, seq, next, path, n, i == 0);
        compare_with_reference(&rig, &r, seed, i);
        seq += (uint64_t)rng_range(&rng, 0, 3000);
        for (int k = 0; k < n; k++)
        {
            const uint32_t dt = (uint32_t)rng_log_range(&rng, 1, 2 * rig.env.base_rtt);
            const uint64_t carried = (uint64_t)path[k].rate_mbps * dt / 8000;
            path[k].ts += dt;
            path[k].tx += (uint32_t)(carried * (uint64_t)rng_range(&rng, 0, 100) / 100);
            /* the queue grows and drains by what the port carries in that time */
            path[k].qlen = (uint32_t)fmax(0, path[k].qlen + (double)carried * (double)rng_range(&rng, -100, 90) / 100);
            if (rng_chance(&rng, 2))
                path[k].qlen = (uint32_t)rng_log_range(&rng, 1, 4000000);
        }
    }
    rig_free(&rig);
}

static void compare_rtt(uint64_t seed)
{
    struct rng rng = {seed};
    struct rig rig;
    struct ref r;
    uint64_t seq = 1000;
    rcc_time now = 0, rtt = 30000;
    random_rig(&rig, &rng, "theta-powertcp", seed);
    ref_start(&r, &rig);
    for (int i = 0; i < 20000; i++)
    {
        const uint64_t next = seq + (uint64_t)rng_range(&rng, 1, 20000);
        measure(&rig, now, seq, next, rtt);
        ref_theta(&r, (double)now, seq, next, (double)rtt, i == 0);
        compare_with_reference(&rig, &r, seed, i);
        seq += (uint64_t)rng_range(&rng, 0, 3000);
        now += rng_chance(&rng, 5) ? 0 : rng_log_range(&rng, 1, 2 * rig.env.base_rtt);
        rtt += rng_range(&rng, -800, 800);
        if (rng_chance(&rng, 2) || rtt < 0)
            rtt = rng_log_range(&rng, 0, 1000000);
    }
    rig_free(&rig);
}

START_TEST(telemetry_matches_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(60); seed++) /* 1.2 million acknowledgements */
        compare_telemetry(seed);
}
END_TEST

START_TEST(theta_matches_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(60); seed++)
        compare_rtt(seed);
}
END_TEST

Suite *suite_powertcp(void)
{
    Suite *s = suite_create("powertcp");
    TCase *tc = long_tcase("powertcp");
    tcase_add_loop_test(tc, vector, 0, sizeof vectors / sizeof vectors[0]);
    tcase_add_test(tc, telemetry_that_does_not_count);
    tcase_add_test(tc, rules_of_ns3_datacenter);
    tcase_add_loop_test(tc, theta_vector, 0, sizeof theta_vectors / sizeof theta_vectors[0]);
    tcase_add_test(tc, theta_rules);
    tcase_add_test(tc, telemetry_matches_the_reference);
    tcase_add_test(tc, theta_matches_the_reference);
    suite_add_tcase(s, tc);
    return s;
}
