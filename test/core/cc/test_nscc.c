/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* NSCC: examples by hand, and its configuration. */
#include "helpers.h"
#include "nscc.h"

#include <tgmath.h>

#define LINE (400 * GBPS)
#define RTT (12 * US)
#define MTU 4096
#define LATER (1 * SEC) /* a period that no example ends */
#define NS ((double)((uint64_t)1 << NSCC_NS_SHIFT))
#define BYTE ((double)RCC_WINDOW_ONE)
#define IS(got, want) ck_assert_double_eq_tol(got, want, 1e-6 * fabs(want) + 1e-9)

static struct nscc_rp *state(const struct rig *rig)
{
    return (struct nscc_rp *)(void *)rig->rp;
}

static double cwnd(const struct rig *rig)
{
    return (double)state(rig)->w.window / BYTE;
}

static void init(struct rig *rig, const char *preset)
{
    rig_init(rig, "nscc", preset, LINE);
    rig->env.base_rtt = RTT;
    rig->env.mtu = MTU;
    rig_set(rig, "average", 1);
}

/* A reaction point with this window in bytes, in an open period. */
static void start(struct rig *rig, double window, rcc_time qa_end)
{
    init(rig, NULL);
    rig_start(rig, 0, 1);
    state(rig)->w.window = (uint64_t)(window * BYTE);
    state(rig)->qa_end = qa_end;
}

static int64_t inflight;

static struct rcc_feedback report(enum rcc_feedback_kind kind, uint64_t n, rcc_time rtt)
{
    if (inflight > INT64_MIN / 4) /* suite saturation acknowledges 2^69 bytes */
        inflight -= (int64_t)n;
    return (struct rcc_feedback){.kind = kind, .rtt = rtt, .in_flight = inflight > 0 ? (uint64_t)inflight : 0};
}

static void ack(struct rig *rig, rcc_time now, uint64_t n, bool marked, rcc_time rtt)
{
    struct rcc_feedback f = report(RCC_FEEDBACK_ACK, n, rtt);
    f.acked = n;
    f.ce = marked;
    rcc_rp_feedback(rig->rp, now, &f);
}

static void trim(struct rig *rig, rcc_time now, uint64_t n, rcc_time rtt)
{
    struct rcc_feedback f = report(RCC_FEEDBACK_TRIM, n, rtt);
    f.lost = n;
    rcc_rp_feedback(rig->rp, now, &f);
}

#define STATE(rig, window, increments, average)                                                                        \
    do                                                                                                                 \
    {                                                                                                                  \
        IS(cwnd(rig), window);                                                                                         \
        IS((double)state(rig)->inc / BYTE, increments);                                                                \
        IS((double)state(rig)->avg / NS, average);                                                                     \
    } while (0)

/* fast, fi_count, achieved, qa_end, to_ignore, ignored */
#define COUNTS(rig, f, fi, got, end, ignore, done)                                                                     \
    do                                                                                                                 \
    {                                                                                                                  \
        ck_assert(state(rig)->fast == (f));                                                                            \
        ck_assert_uint_eq(state(rig)->fi_count, fi);                                                                   \
        ck_assert_uint_eq(state(rig)->achieved, got);                                                                  \
        ck_assert_int_eq(state(rig)->qa_end, end);                                                                     \
        ck_assert_uint_eq(state(rig)->to_ignore, ignore);                                                              \
        ck_assert_uint_eq(state(rig)->ignored, done);                                                                  \
    } while (0)

/* ------------------------------------------------------------------ by hand */

START_TEST(derived_constants)
{
    struct rig rig;
    const struct nscc_profile *p;
    init(&rig, "uec");
    rig_start(&rig, 0, 1);
    p = (const struct nscc_profile *)(const void *)rig.rp_profile;
    IS((double)p->target / NS, 9000.0);
    IS((double)p->fi / 4294967296.0, 81920.0);
    IS((double)p->fi_scale / (double)((uint64_t)1 << NSCC_SCALE_SHIFT), 1.0);
    IS((double)p->eta / BYTE, 2457.6);
    IS((double)p->alpha / (double)((uint64_t)1 << NSCC_ALPHA_SHIFT), 5.46133333);
    IS(cwnd(&rig), 900000.0); /* 1.5 times a BDP of 600000 */
    ck_assert_uint_eq((p->max_window >> RCC_WINDOW_SHIFT) >> p->qa_gate, 112500);
    ck_assert(p->qa_threshold == UINT64_MAX);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE);
    rig_init(&rig, "nscc", "uec-no-trimming", 100 * GBPS);
    rig.env.base_rtt = 8500;
    rig.env.mtu = 4150;
    rig_start(&rig, 0, 1);
    p = (const struct nscc_profile *)(const void *)rig.rp_profile;
    IS((double)p->target / NS, 8500.0);
    IS((double)p->fi / 4294967296.0, 14697.9167);
    IS((double)p->fi_scale / (double)((uint64_t)1 << NSCC_SCALE_SHIFT), 0.177083333);
    IS((double)p->eta / BYTE, 440.9375);
    IS((double)p->alpha / (double)((uint64_t)1 << NSCC_ALPHA_SHIFT), 0.979861111);
    IS(cwnd(&rig), 159375.0);
    IS((double)p->qa_threshold / NS, 34000.0);
    rig_free(&rig);
}
END_TEST

/* The first window is MaxWnd, unless another is given: from one MTU to MaxWnd. */
START_TEST(first_window)
{
    static const struct
    {
        int64_t packets; /* ppb */
        double window;
    } cases[] = {
        {0, 900000}, {50000000000, 50.0 * MTU}, {1500000000, 1.5 * MTU}, {1000000, MTU}, {900000000000, 900000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        struct rig rig;
        init(&rig, NULL);
        rig_set(&rig, "initial_cwnd", cases[i].packets);
        rig_start(&rig, 0, 1);
        IS(cwnd(&rig), cases[i].window);
        IS((double)state(&rig)->max_window / BYTE, 900000.0);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(proportional_increase)
{
    struct rig rig;
    start(&rig, 300000, LATER);
    inflight = 290000;
    ack(&rig, 1000, MTU, false, 15000);
    STATE(&rig, 300000, 134217728, 3000);
    COUNTS(&rig, false, 0, 4096, LATER, 0, 4096);
    for (int i = 1; i < 8; i++)
        ack(&rig, 1000 + 82 * i, MTU, false, 15000);
    STATE(&rig, 300000, 1.07374182e+09, 3000);
    COUNTS(&rig, false, 0, 32768, LATER, 0, 32768);
    ack(&rig, 1656, MTU, false, 15000); /* more than 8 MTU */
    STATE(&rig, 304026.532, 0, 3000);
    COUNTS(&rig, false, 0, 36864, LATER, 0, 36864);
    ck_assert_int_eq(inflight, 253136);
    rig_free(&rig);
}
END_TEST

START_TEST(at_the_target)
{
    struct rig rig;
    start(&rig, 300000, LATER);
    inflight = 290000;
    ack(&rig, 1000, 32769, false, 21000); /* fair increase at delay = target */
    STATE(&rig, 308948.122, 0, 9000);
    COUNTS(&rig, false, 0, 32769, LATER, 0, 32769);
    start(&rig, 300000, LATER);
    ack(&rig, 1000, 32769, true, 20999); /* a mark below the target: nothing */
    STATE(&rig, 300000, 0, 8999);
    COUNTS(&rig, false, 0, 32769, LATER, 0, 32769);
    rig_free(&rig);
}
END_TEST

START_TEST(multiplicative_decrease)
{
    struct rig rig;
    start(&rig, 300000, LATER);
    ack(&rig, 13000, MTU, true, 30000);
    STATE(&rig, 182457.6, 0, 18000); /* the decrease, and eta */
    ack(&rig, 14000, MTU, true, 30000);
    STATE(&rig, 182457.6, 0, 18000);
    ack(&rig, 25001, MTU, true, 60000);
    STATE(&rig, 93686.4, 0, 48000); /* max_md_jump */
    start(&rig, 300000, LATER);
    state(&rig)->to_ignore = MTU; /* every packet that was in flight has arrived: marks count again */
    ack(&rig, 13000, MTU, true, 30000);
    STATE(&rig, 182457.6, 0, 18000);
    start(&rig, 300000, LATER);
    state(&rig)->last_adjust = 5000;
    ack(&rig, 12000, MTU, true, 30000); /* a base RTT must have passed by more than 0 */
    STATE(&rig, 300000, 0, 18000);
    COUNTS(&rig, false, 0, 4096, LATER, 0, 4096);
    rig_free(&rig);
}
END_TEST

START_TEST(eta_once_per_period)
{
    struct rig rig;
    start(&rig, 300000, LATER);
    ack(&rig, 11999, MTU, false, 16500);
    STATE(&rig, 300000, 100663296, 4500);
    ack(&rig, 12000, MTU, false, 16500);
    STATE(&rig, 303128.689, 0, 4500);
    ck_assert_int_eq(state(&rig)->last_adjust, 12000);
    rig_free(&rig);
}
END_TEST

START_TEST(fast_increase)
{
    struct rig rig;
    start(&rig, 24096, LATER);
    inflight = 24000;
    ack(&rig, 100, 20000, false, 12500);
    STATE(&rig, 24096, 928426667, 500);
    COUNTS(&rig, false, 20000, 20000, LATER, 0, 20000);
    ack(&rig, 200, 4097, false, 12999);
    STATE(&rig, 28193, 928426667, 999);
    COUNTS(&rig, true, 24097, 24097, LATER, 0, 24097);
    ack(&rig, 300, 4096, false, 12000);
    STATE(&rig, 32289, 928426667, 0);
    COUNTS(&rig, true, 28193, 28193, LATER, 0, 28193);
    ack(&rig, 400, 4096, false, 13000); /* 1 us of delay ends it */
    STATE(&rig, 32289, 1.10738364e+09, 1000);
    COUNTS(&rig, false, 0, 32289, LATER, 0, 32289);
    ck_assert_int_eq(inflight, -8289); /* duplicates count twice */
    rig_free(&rig);
}
END_TEST

/* An ACK of the fast increase goes on to N12: earlier increments are applied, and eta once per period. */
START_TEST(fast_increase_goes_on_to_the_adjustment)
{
    struct rig rig;
    start(&rig, 24096, LATER);
    inflight = 24000;
    ack(&rig, 100, 20000, false, 12500);
    ack(&rig, 200, 12769, false, 12500); /* 24096 + 12769, and 928426667 / 36865 as 32769 bytes were received */
    STATE(&rig, 62049.502012, 0, 500);
    COUNTS(&rig, true, 32769, 32769, LATER, 0, 32769);
    ck_assert_uint_eq(state(&rig)->received, 0);
    ck_assert_int_eq(state(&rig)->last_adjust, 0);
    ack(&rig, 12000, 4096, false, 12500);
    STATE(&rig, 62049.502012 + 4096 + 2457.6, 0, 500);
    COUNTS(&rig, true, 36865, 36865, LATER, 0, 36865);
    ck_assert_int_eq(state(&rig)->last_adjust, 12000);
    state(&rig)->w.window = (uint64_t)(899000 * BYTE); /* MaxWnd bounds the sum */
    ack(&rig, 24000, 4096, false, 12500);
    IS(cwnd(&rig), 900000.0);
    rig_free(&rig);
}
END_TEST

START_TEST(quick_adapt_by_a_trim)
{
    struct rig rig;
    start(&rig, 300000, 49000);
    inflight = 500000;
    state(&rig)->achieved = 61440;
    trim(&rig, 50000, MTU, 60000);
    STATE(&rig, 61440, 0, 12000);
    COUNTS(&rig, false, 0, 0, 71000, 495904, 0);
    ack(&rig, 50100, MTU, true, 40000);
    STATE(&rig, 61440, 0, 28000);
    COUNTS(&rig, false, 0, 4096, 71000, 495904, 4096);
    trim(&rig, 50200, MTU, -1);
    STATE(&rig, 61440, 0, 12000);
    COUNTS(&rig, false, 0, 4096, 71000, 495904, 8192);
    start(&rig, 300000, 49000); /* the gate is closed: a trim takes its size, the next period starts */
    inflight = 500000;
    state(&rig)->achieved = 112500;
    trim(&rig, 50000, MTU, 60000);
    STATE(&rig, 295904, 0, 12000);
    COUNTS(&rig, false, 0, 0, 71000, 0, 4096);
    start(&rig, 300000, 0); /* the first event only opens the period */
    trim(&rig, 50000, MTU, -1);
    STATE(&rig, 295904, 0, 12000);
    COUNTS(&rig, false, 0, 0, 71000, 0, 4096);
    start(&rig, 300000, 50001); /* a period lasts until qa_end */
    trim(&rig, 50000, MTU, -1);
    ack(&rig, 50001, MTU, true, 12000); /* the trim before triggers */
    COUNTS(&rig, false, 0, 0, 71001, (uint64_t)inflight, 0);
    STATE(&rig, MTU, 0, 0);
    rig_set(&rig, "quick_adapt", 0);
    rig_start(&rig, 0, 1);
    state(&rig)->qa_end = 49000;
    trim(&rig, 50000, MTU, 60000);
    STATE(&rig, 895904, 0, 12000);
    rig_free(&rig);
}
END_TEST

/* Without trimming, a delay of more than four targets. */
START_TEST(quick_adapt_by_delay)
{
    struct rig rig;
    for (int above = 0; above < 2; above++)
    {
        init(&rig, "uec-no-trimming");
        rig_start(&rig, 0, 1);
        state(&rig)->qa_end = 49000;
        state(&rig)->achieved = 1000;
        inflight = 500000;
        ack(&rig, 50000, 7000, true, 12000 + 48000 + above);
        if (above)
            STATE(&rig, 8000, 0, 48001);
        else
            STATE(&rig, 450000 + 2457.6, 0, 48000);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(shorter_rtt)
{
    struct rig rig;
    start(&rig, 300000, LATER);
    ack(&rig, 1000, MTU, false, 9000);
    STATE(&rig, 300000, 201326592, 0);
    COUNTS(&rig, false, 4096, 4096, LATER, 0, 4096);
    ck_assert_int_eq(state(&rig)->base_rtt, 9000);
    IS((double)state(&rig)->max_window / BYTE, 675000.0);
    state(&rig)->w.window = (uint64_t)(800000 * BYTE);
    ack(&rig, 1001, 40000, false, 11000); /* the ceiling holds with the next adjustment */
    IS(cwnd(&rig), 675000.0);
    trim(&rig, 1002, MTU, 8000);
    IS((double)state(&rig)->max_window / BYTE, 600000.0);
    ack(&rig, 1003, MTU, false, 0); /* no shorter than 1 ns, and a window of one MTU */
    ck_assert_int_eq(state(&rig)->base_rtt, 1);
    IS((double)state(&rig)->max_window / BYTE, (double)MTU);
    rig_free(&rig);
}
END_TEST

START_TEST(penalty_of_the_receiver)
{
    struct rig rig;
    struct rcc_feedback f;
    start(&rig, 300000, LATER);
    inflight = 290000;
    f = report(RCC_FEEDBACK_ACK, 8192, 15000);
    f.acked = 8192;
    f.penalty = 64;
    rcc_rp_feedback(rig.rp, 1000, &f);
    STATE(&rig, 277712, 0, 3000);
    COUNTS(&rig, false, 0, 8192, LATER, 0, 8192);
    f.penalty = 0;
    f.restore = true;
    f.in_flight = 273616;
    rcc_rp_feedback(rig.rp, 1100, &f);
    STATE(&rig, 300000, 268435456, 3000);
    COUNTS(&rig, false, 0, 16384, LATER, 0, 16384);
    rcc_rp_feedback(rig.rp, 1200, &f); /* there is nothing to restore */
    IS(cwnd(&rig), 300000.0);
    f.restore = false;
    f.penalty = 127;
    f.in_flight = UINT64_MAX;
    f.rtt = -1;
    rcc_rp_feedback(rig.rp, 1300, &f);
    IS(cwnd(&rig), 300000.0 - 8128);
    rcc_rp_feedback(rig.rp, 1400, &f);
    IS(cwnd(&rig), 300000.0 - 2 * 8128);
    IS((double)state(&rig)->saved / BYTE, 300000.0); /* saved once */
    f.in_flight = 5000;
    rcc_rp_feedback(rig.rp, 1500, &f);
    IS(cwnd(&rig), (double)MTU);
    rig_free(&rig);
}
END_TEST

/* An ACK with a penalty increases nothing and goes on to N12: earlier increments are applied, and eta. */
START_TEST(penalty_goes_on_to_the_adjustment)
{
    static const struct
    {
        rcc_time now;
        uint64_t n;
        double by; /* 134217728 / 283616, and 2457.6 after the period */
    } rows[] = {{2000, 28672, 0}, {2000, 28673, 473.237504}, {12000, 4096, 473.237504 + 2457.6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        struct rig rig;
        struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = 12500, .acked = rows[i].n, .penalty = 1};
        start(&rig, 300000, LATER);
        inflight = 290000;
        ack(&rig, 1000, MTU, false, 15000);
        f.in_flight = 283616 + rows[i].n / 128;
        rcc_rp_feedback(rig.rp, rows[i].now, &f);
        IS(cwnd(&rig), 283616 + rows[i].by);
        IS((double)state(&rig)->inc / BYTE, i == 0 ? 134217728.0 : 0.0);
        ck_assert(state(&rig)->fi_count == 0 && !state(&rig)->fast);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(loss_to_the_floor)
{
    struct rig rig;
    struct rcc_feedback f = {.kind = _i == 0 ? RCC_FEEDBACK_LOSS : RCC_FEEDBACK_TIMEOUT, .rtt = -1, .lost = MTU};
    start(&rig, 9000, LATER);
    f.in_flight = 285904;
    rcc_rp_feedback(rig.rp, 1000, &f);
    STATE(&rig, 4904, 0, 0);
    COUNTS(&rig, false, 0, 0, LATER, 0, 4096);
    rcc_rp_feedback(rig.rp, 1000, &f);
    STATE(&rig, 4096, 0, 0);
    COUNTS(&rig, false, 0, 0, LATER, 0, 8192);
    rig_free(&rig);
}
END_TEST

START_TEST(average_by_time)
{
    struct rig rig;
    init(&rig, NULL);
    rig_set(&rig, "average", 0);
    rig_start(&rig, 0, 1);
    state(&rig)->w.window = 300000 * RCC_WINDOW_ONE;
    state(&rig)->qa_end = LATER;
    ack(&rig, 3000, MTU, true, 32000); /* 3 us after the last sample */
    STATE(&rig, 300000, 0, 5000);
    ck_assert_uint_eq(rp_state(rig.rp), 5000);
    ck_assert(rp_target(rig.rp) == rp_rate(rig.rp) && rp_alpha(rig.rp) == 0);
    ack(&rig, 23000, MTU, true, 42000); /* 20 us */
    STATE(&rig, 152457.6, 0, 30000);
    ack(&rig, 26000, MTU, true, 22000);
    STATE(&rig, 152457.6, 0, 25000);
    rig_set(&rig, "average", 2); /* 1/80 of a sample; above target and without a mark, of a quarter of the base RTT */
    rig_start(&rig, 0, 1);
    ack(&rig, 3000, MTU, true, 32000);
    ack(&rig, 3000, MTU, false, 32000);
    ck_assert_uint_eq(rp_state(rig.rp), 284);
    rig_start(&rig, 0, 1);
    ack(&rig, 3000, MTU, false, 21000); /* target itself is not above it */
    ck_assert_uint_eq(rp_state(rig.rp), 112);
    rig_free(&rig);
}
END_TEST

/* A pause of more than base RTT and target, 21 us, closes the period; a send ends the pause. */
START_TEST(after_idle)
{
    static const struct
    {
        rcc_time sent;
        int64_t rule;
        bool closed;
    } rows[] = {{21000, 0, false}, {21001, 0, true}, {21001, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        struct rig rig;
        init(&rig, NULL);
        rig_set(&rig, "after_idle", rows[i].rule);
        rig_start(&rig, 0, 1);
        state(&rig)->qa_end = LATER;
        rcc_rp_sent(rig.rp, 0, 1000); /* it was not idle before its first packet */
        inflight = MTU;
        ack(&rig, 1000, MTU, false, 12000);
        ack(&rig, 2000, 0, false, 12000); /* it still is since 1 us */
        rcc_rp_sent(rig.rp, 1000 + rows[i].sent, 1000);
        ck_assert_int_eq(state(&rig)->qa_end, rows[i].closed ? 0 : LATER);
        ck_assert_uint_eq(state(&rig)->achieved, rows[i].closed ? 0 : MTU);
        state(&rig)->qa_end = LATER;
        rcc_rp_sent(rig.rp, 200000, 1000); /* no pause: the packet before is in flight */
        ck_assert_int_eq(state(&rig)->qa_end, LATER);
        inflight = 3 * MTU;
        ack(&rig, 201000, MTU, false, 12000);
        rcc_rp_sent(rig.rp, 300000, 1000);
        ck_assert_int_eq(state(&rig)->qa_end, LATER);
        rig_free(&rig);
    }
}
END_TEST

/* Sums of any size stay sums. */
START_TEST(saturation)
{
    struct rig rig;
    start(&rig, 300000, LATER);
    for (int i = 0; i < 40; i++)
    {
        ack(&rig, 1000 + i, UINT64_MAX >> 1, false, i % 2 == 0 ? 15000 : 40000);
        ack(&rig, 1000 + i, UINT64_MAX >> 1, false, 12000);
        CHECK(cwnd(&rig) <= 900000.0 && cwnd(&rig) >= MTU, "window %f", cwnd(&rig));
    }
    ack(&rig, 5000, MTU, false, INT64_MAX / 2); /* read as 68 s */
    ck_assert_uint_eq(rp_state(rig.rp), UINT32_MAX);
    rig_free(&rig);
}
END_TEST

START_TEST(needs)
{
    const uint16_t all = RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS | RCC_WANT_ACK_PER_PACKET | RCC_WANT_CE | RCC_WANT_RTT |
                         RCC_WANT_TRIM | RCC_WANT_IN_FLIGHT;
    struct rig rig;
    init(&rig, "uec");
    rig_start(&rig, 0, 1);
    ck_assert(rig.rp_profile->needs.wants == all && rig.alg->needs.wants == all);
    ck_assert_uint_eq(rig.rp_profile->needs.ack_extra, 20);
    init(&rig, "uec-no-trimming");
    rig_start(&rig, 0, 1);
    ck_assert_uint_eq(rig.rp_profile->needs.wants, all & ~RCC_WANT_TRIM);
    rig.env.path_rate = 100 * GBPS; /* the receiver's NIC is slower */
    rig_set(&rig, "base_rtt", 24000);
    rig_start(&rig, 0, 1);
    IS(cwnd(&rig), 450000.0);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), LINE);
    rig.env.path_rate = RCC_LINE_RATE_MIN;
    rig_set(&rig, "base_rtt", 100);
    rig_start(&rig, 0, 1);
    IS(cwnd(&rig), (double)MTU); /* a window has space for a packet */
    rig_free(&rig);
}
END_TEST

Suite *suite_nscc(void)
{
    Suite *s = suite_create("nscc");
    TCase *hand = long_tcase("by hand");
    tcase_add_test(hand, derived_constants);
    tcase_add_test(hand, first_window);
    tcase_add_test(hand, proportional_increase);
    tcase_add_test(hand, at_the_target);
    tcase_add_test(hand, multiplicative_decrease);
    tcase_add_test(hand, eta_once_per_period);
    tcase_add_test(hand, fast_increase);
    tcase_add_test(hand, fast_increase_goes_on_to_the_adjustment);
    tcase_add_test(hand, quick_adapt_by_a_trim);
    tcase_add_test(hand, quick_adapt_by_delay);
    tcase_add_test(hand, shorter_rtt);
    tcase_add_test(hand, penalty_of_the_receiver);
    tcase_add_test(hand, penalty_goes_on_to_the_adjustment);
    tcase_add_loop_test(hand, loss_to_the_floor, 0, 2);
    tcase_add_test(hand, average_by_time);
    tcase_add_test(hand, after_idle);
    tcase_add_test(hand, saturation);
    tcase_add_test(hand, needs);
    suite_add_tcase(s, hand);
    return s;
}
