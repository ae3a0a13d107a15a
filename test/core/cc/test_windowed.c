/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Limits, roundings and last digits of the windowed controls, which vectors and references do not see. */
#include "helpers.h"
#include "hpcc.h"
#include "nscc.h"
#include "powertcp.h"
#include "swift.h"
#include "telemetry.h"
#include "windowed.h"

#include <string.h>

#define RTT (12 * US)
#define MTU 4096
#define LATER (1 * SEC) /* a period that no example ends */

static struct nscc_rp *nscc(const struct rig *rig)
{
    return (struct nscc_rp *)(void *)rig->rp;
}

static struct hpcc_rp *hpcc(const struct rig *rig)
{
    return (struct hpcc_rp *)rig->rp;
}

/* 400 Gb/s, a window of 300000 bytes in an open period; the average is the last sample. */
static void start_nscc(struct rig *rig)
{
    rig_init(rig, "nscc", NULL, 400 * GBPS);
    rig->env.base_rtt = RTT;
    rig->env.mtu = MTU;
    rig_set(rig, "average", 1);
    rig_start(rig, 0, 1);
    nscc(rig)->w.window = (uint64_t)300000 << RCC_WINDOW_SHIFT;
    nscc(rig)->qa_end = LATER;
}

static void ack(struct rig *rig, rcc_time now, uint64_t n, bool marked, rcc_time rtt)
{
    const struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = rtt, .in_flight = 290000, .acked = n, .ce = marked};
    rcc_rp_feedback(rig->rp, now, &f);
}

/* 100 Gb/s, T 13 us. */
static void start_hpcc(struct rig *rig)
{
    rig_init(rig, "hpcc", "paper", 100 * GBPS);
    rig->env.base_rtt = 13000;
    rig_set(rig, "max_stage", 0);
    rig_start(rig, 0, 1);
}

static void acknowledge_path(struct rig *rig, rcc_time now, uint64_t seq, uint64_t next, uint8_t n,
                             const struct rcc_hop *path)
{
    const struct rcc_feedback f = {
        .kind = RCC_FEEDBACK_ACK, .rtt = -1, .seq = seq, .next = next, .n_path = n, .path = path};
    rcc_rp_feedback(rig->rp, now, &f);
}

static const struct rcc_hop quiet = {0, 0, 0, 100000};

/* Limits that large values reach, written out, and what is derived to the last digit. */
START_TEST(nscc_limits)
{
    const rcc_time longest = ((rcc_time)1 << 36) - 1;
    struct rig rig;
    const struct nscc_profile *p;
    rig_init(&rig, "nscc", "uec-no-trimming", 1600 * GBPS);
    rig.env.mtu = MTU;
    rig.env.base_rtt = 100 * MS;
    rig_set(&rig, "max_window", 100 * (int64_t)1000000000);
    rig_set(&rig, "fi", 100 * (int64_t)1000000000);
    rig_start(&rig, 0, 1);
    p = (const struct nscc_profile *)(const void *)rig.rp_profile;
    ck_assert_uint_eq(nscc(&rig)->w.window, (uint64_t)1 << 56);
    ck_assert_uint_eq(p->fi, (uint64_t)1 << 62);
    ck_assert_uint_eq(p->target, (uint64_t)(100 * MS) << NSCC_NS_SHIFT);
    ck_assert_uint_eq(p->qa_threshold, (uint64_t)(400 * MS) << NSCC_NS_SHIFT);
    rig_free(&rig);
    start_nscc(&rig);
    ack(&rig, 1000, 1, true, (rcc_time)1 << 40); /* no RTT is longer */
    ck_assert_uint_eq(nscc(&rig)->avg, (uint64_t)(longest - RTT) << NSCC_NS_SHIFT);
    nscc(&rig)->inc = ((uint64_t)1 << 62) - 5;
    ack(&rig, 1100, 1000, false, RTT + 2000);
    ck_assert_uint_eq(nscc(&rig)->inc, (uint64_t)1 << 62);
    nscc(&rig)->inc = 0;
    nscc(&rig)->fi_count = (uint64_t)1 << 40;
    ack(&rig, 1200, 1000, false, RTT);
    ck_assert_uint_eq(nscc(&rig)->fi_count, (uint64_t)1 << 40);
    rig_free(&rig);
}
END_TEST

/* A mark with a long delay ends fast increase; at an average of exactly the target nothing is cut, nor is a cut
 * counted. */
START_TEST(nscc_marks_end_fast_increase)
{
    struct rig rig;
    start_nscc(&rig);
    nscc(&rig)->fast = true;
    nscc(&rig)->fi_count = 7;
    ack(&rig, 20000, 1000, true, RTT + 9000); /* 0.75 of 12 us */
    ck_assert(!nscc(&rig)->fast && nscc(&rig)->fi_count == 0);
    ck_assert_double_eq_tol((double)nscc(&rig)->w.window / (double)RCC_WINDOW_ONE, 302457.6, 0.01); /* eta alone */
    ck_assert_int_eq(nscc(&rig)->last_dec, 0);
    rig_free(&rig);
}
END_TEST

/* inc / cwnd is rounded to the nearest unit of 2^-16 byte, and without increments nothing is added but eta. */
START_TEST(nscc_rounding)
{
    static const uint64_t twice[] = {0, 2, 3};
    for (size_t i = 0; i < 3; i++)
        for (int period = 0; period < 2; period++)
        {
            const uint64_t before = (uint64_t)300000 << RCC_WINDOW_SHIFT;
            struct rig rig;
            const struct nscc_profile *p;
            start_nscc(&rig);
            rig_set(&rig, "alpha", 0);
            rig_start(&rig, 0, 1);
            nscc(&rig)->qa_end = LATER;
            nscc(&rig)->w.window = before;
            p = (const struct nscc_profile *)(const void *)rig.rp_profile;
            nscc(&rig)->inc = 150000 * twice[i];
            nscc(&rig)->received = 8 * MTU;
            ack(&rig, period ? 12000 : 1000, 1, false, RTT + 2000);
            ck_assert_uint_eq(nscc(&rig)->w.window - before, (twice[i] + 1) / 2 + (period ? p->eta : 0));
            rig_free(&rig);
        }
}
END_TEST

/* An ACK may be the draw's own limit, a sum of the U of a path is at most 2^20, after T the average is the sample to
 * the last digit, what is shown is the first loop's, and each ACK restarts the time after which none is compared. */
static uint32_t half(uint64_t stream, uint64_t index)
{
    (void)stream;
    return (index & 1) == 0 ? (uint32_t)1 << 31 : ((uint32_t)1 << 31) - 1;
}

START_TEST(hpcc_edges)
{
    const rcc_time gap = 8 * MS; /* records are compared up to 2^23 ns, 8.4 ms */
    struct rig rig;
    start_hpcc(&rig);
    acknowledge_path(&rig, 0, 1000, 100000, 1, &quiet);
    acknowledge_path(&rig, gap, 100001, 200000, 1, &(struct rcc_hop){13000, 81250, 0, 100000});
    ck_assert_uint_eq(hpcc(&rig)->loop[0].u, (uint64_t)1 << (HPCC_U_SHIFT - 1));
    acknowledge_path(&rig, 2 * gap, 100002, 300000, 1, &(struct rcc_hop){26000, 81250 + 325000, 0, 100000});
    ck_assert_uint_eq(hpcc(&rig)->loop[0].u, (uint64_t)2 << HPCC_U_SHIFT);
    ck_assert_double_eq_tol(rp_target(rig.rp), 100e9, 1); /* the rate of Wc; the actual rate is that of W */
    hpcc(&rig)->loop[0].wc = (uint64_t)50000 << WINDOWED_SHIFT;
    ck_assert_double_eq_tol(rp_target(rig.rp), 50000 * 8 / 13e-6, 10);
    rig_free(&rig);
    rig_init(&rig, "hpcc", NULL, 100 * GBPS);
    rig_set(&rig, "base_rtt", 1);
    rig_set(&rig, "max_stage", 0);
    rig_start(&rig, 0, 1);
    acknowledge_path(&rig, 0, 1000, 100000, 1, &(struct rcc_hop){0, 0, 0, 1});
    acknowledge_path(&rig, 1, 1001, 100000, 1, &(struct rcc_hop){1, (uint32_t)1 << 31, 0, 1});
    ck_assert_uint_eq(hpcc(&rig)->loop[0].u, (uint64_t)1 << (HPCC_U_SHIFT + 20));
    rig_free(&rig);
    rig_init(&rig, "hpcc", "pint", 100 * GBPS);
    rig.env.draw = half;
    rig_set(&rig, "pint_prob", PPB / 2);
    rig_start(&rig, 0, 1);
    acknowledge_path(&rig, 0, 1000, 100000, 1, &quiet); /* a draw of 2^31 does not count, one less does */
    ck_assert_uint_eq(hpcc(&rig)->last, 0);
    acknowledge_path(&rig, 1, 1000, 100000, 1, &quiet);
    ck_assert_uint_eq(hpcc(&rig)->last, 100000);
    rig_free(&rig);
}
END_TEST

/* A pause begins with the ACK that leaves nothing in flight, at time 0 too, and not with one before it. */
START_TEST(nscc_pauses)
{
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = -1, .acked = 1000};
    struct rig rig;
    start_nscc(&rig);
    rcc_rp_feedback(rig.rp, 50000, &f);
    ck_assert_int_eq(nscc(&rig)->idle_since, 50000);
    rig_free(&rig);
    start_nscc(&rig);
    rcc_rp_feedback(rig.rp, 0, &f);
    rcc_rp_feedback(rig.rp, 10, &f);
    ck_assert_int_eq(nscc(&rig)->idle_since, 0);
    nscc(&rig)->qa_end = LATER;
    rcc_rp_sent(rig.rp, 30000, 1000); /* more than base RTT and target later */
    ck_assert_int_eq(nscc(&rig)->qa_end, 0);
    rig_free(&rig);
}
END_TEST

/* The least penalty is one, a trimmed packet's RTT may be 0, and no signal counts more than 2^40 bytes. */
START_TEST(nscc_signals)
{
    struct rcc_feedback f = {
        .kind = RCC_FEEDBACK_ACK, .rtt = RTT + 2000, .in_flight = 290000, .acked = 128, .penalty = 1};
    struct rig rig;
    start_nscc(&rig);
    rcc_rp_feedback(rig.rp, 1000, &f);
    ck_assert_uint_eq(nscc(&rig)->w.window, (uint64_t)289999 << RCC_WINDOW_SHIFT);
    ck_assert_uint_eq(nscc(&rig)->inc, 0); /* the window does not increase */
    f = (struct rcc_feedback){.kind = RCC_FEEDBACK_TRIM, .rtt = 0, .in_flight = 290000, .lost = 1};
    rcc_rp_feedback(rig.rp, 2000, &f);
    ck_assert_int_eq(nscc(&rig)->base_rtt, 1);
    rig_free(&rig);
    start_nscc(&rig);
    f = (struct rcc_feedback){.kind = RCC_FEEDBACK_ACK, .rtt = -1, .in_flight = 1, .acked = (uint64_t)1 << 50};
    rcc_rp_feedback(rig.rp, 1000, &f);
    ck_assert_uint_eq(nscc(&rig)->ignored, (uint64_t)1 << 40);
    rig_free(&rig);
}
END_TEST

static struct power_rp *power(const struct rig *rig)
{
    return (struct power_rp *)rig->rp;
}

/* Powers are exact where the path's numbers are round, at most 2^20, and each ACK restarts the time after which none is
 * compared; the target is the rate of W_old. */
START_TEST(powertcp_edges)
{
    const uint64_t one = (uint64_t)1 << 40;
    const rcc_time gap = 8 * MS;
    struct rig rig;
    rig_init(&rig, "powertcp", NULL, 100 * GBPS);
    ck_assert_str_eq(rig.alg->fields[rcc_field_find(rig.alg, "target")].help, "power at which the window stands");
    rig.env.base_rtt = 13000;
    rig_start(&rig, 0, 1);
    ck_assert_int_eq(power(&rig)->power, one);
    acknowledge_path(&rig, 0, 1000, 100000, 1, &quiet);
    acknowledge_path(&rig, gap, 100001, 200000, 1, &(struct rcc_hop){13000, 162500, 0, 100000});
    ck_assert_int_eq(power(&rig)->power, one);
    acknowledge_path(&rig, 2 * gap, 200001, 300000, 1,
                     &(struct rcc_hop){26000, 162500, 162500, 100000}); /* one BDP of queue, it arrived */
    ck_assert_int_eq(power(&rig)->power, 2 * one);
    power(&rig)->old = (uint64_t)50000 << WINDOWED_SHIFT;
    ck_assert_double_eq_tol(rp_target(rig.rp), 50000 * 8 / 13e-6, 10);
    rig_free(&rig);
    rig_init(&rig, "powertcp", NULL, 100 * GBPS);
    rig_set(&rig, "base_rtt", 1);
    rig_start(&rig, 0, 1);
    acknowledge_path(&rig, 0, 1000, 100000, 1, &(struct rcc_hop){0, 0, 0, 1});
    acknowledge_path(&rig, 1, 1001, 100000, 1, &(struct rcc_hop){1, (uint32_t)1 << 31, 0, 1});
    ck_assert_int_eq(power(&rig)->power, one << 20);
    acknowledge_path(&rig, 2, 1002, 100000, 1, &(struct rcc_hop){2, 0, (uint32_t)1 << 31, 1});
    ck_assert_int_eq(power(&rig)->power, one << 20);
    rig_free(&rig);
}
END_TEST

/* theta-PowerTCP: no RTT counts as more than 2^32 ns, no power as more than 2^20, and whole quotients are exact. */
START_TEST(theta_edges)
{
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = (rcc_time)1 << 40, .seq = 1000, .next = 100000};
    struct rig rig;
    rig_init(&rig, "theta-powertcp", NULL, 100 * GBPS);
    rig_set(&rig, "base_rtt", 16384);
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 1000, &f);
    f.seq = 1001;
    rcc_rp_feedback(rig.rp, 1000 + 20000, &f); /* the RTT stands: a = 1, and it is 2^18 T */
    ck_assert_int_eq(power(&rig)->power, (int64_t)1 << 58);
    rig_free(&rig);
    rig_init(&rig, "theta-powertcp", NULL, 100 * GBPS);
    rig_set(&rig, "base_rtt", 1);
    rig_start(&rig, 0, 1);
    f.rtt = 1;
    rcc_rp_feedback(rig.rp, 1000, &f);
    f.rtt = (rcc_time)1 << 40;
    rcc_rp_feedback(rig.rp, 1001, &f);
    ck_assert_int_eq(power(&rig)->power, (int64_t)1 << 60);
    rig_free(&rig);
}
END_TEST

static struct swift_rp *swift(const struct rig *rig)
{
    return (struct swift_rp *)rig->rp;
}

/* The first and the largest window of Swift: as given, one and four BDP, at least a packet, at most 16 million. */
START_TEST(swift_windows)
{
    static const struct
    {
        uint64_t line_rate;
        rcc_time rtt;
        int64_t initial, max; /* parameters; 0: by the BDP */
        uint64_t first, largest;
    } cases[] = {{100 * GBPS, 10000, 10 * (int64_t)1000000000, 1000, (uint64_t)10 << 38, (uint64_t)1000 << 38},
                 {8 * GBPS, 1000, 0, 0, (uint64_t)1 << 38, (uint64_t)4 << 38},
                 {8 * GBPS, 1000, 1000 * (int64_t)1000000000, 10, (uint64_t)10 << 38, (uint64_t)10 << 38},
                 {1 * GBPS, 1000, 0, 0, ((uint64_t)1 << 35) + 1, (uint64_t)1 << 38},
                 {1600 * GBPS, 100 * MS, 0, 0, (uint64_t)16000000 << 38, (uint64_t)16000000 << 38}};
    for (size_t i = 0; i < 5; i++)
    {
        struct rig rig;
        rig_init(&rig, "swift", NULL, cases[i].line_rate);
        rig.env.base_rtt = cases[i].rtt;
        rig_set(&rig, "initial_cwnd", cases[i].initial);
        rig_set(&rig, "max_cwnd", cases[i].max);
        rig_start(&rig, 0, 1);
        ck_assert_uint_eq(swift(&rig)->fabric.cwnd, cases[i].first);
        ck_assert_uint_eq(((const struct swift_profile *)(const void *)rig.rp_profile)->max_cwnd, cases[i].largest);
        rig_free(&rig);
    }
}
END_TEST

/* A decrease at time 0 counts, and so does an average of 0, and 1 ns; large times have a limit. */
START_TEST(swift_at_zero)
{
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = 200 * US, .acked = 1000};
    struct rig rig;
    uint64_t cwnd;
    rig_init(&rig, "swift", NULL, 100 * GBPS);
    rig.env.base_rtt = 10 * US;
    rig_start(&rig, 0, 1);
    rcc_rp_feedback(rig.rp, 0, &f);
    ck_assert_int_eq(swift(&rig)->fabric.cut_at, 0);
    ck_assert_int_eq(swift(&rig)->e_delay, 0);
    cwnd = swift(&rig)->fabric.cwnd;
    f.remote = 8000;
    rcc_rp_feedback(rig.rp, 10, &f);
    ck_assert_uint_eq(swift(&rig)->fabric.cwnd, cwnd);
    ck_assert_int_eq(swift(&rig)->e_delay, (int64_t)1000 << 16); /* an eighth of 8 us */
    rig_start(&rig, 0, 1);
    f.rtt = f.remote = (rcc_time)1 << 40; /* no time is longer than 2^36 - 1 ns, no frame than 65536 bytes */
    rcc_rp_feedback(rig.rp, 10, &f);
    ck_assert_int_eq(swift(&rig)->rtt, (((int64_t)1 << 36) - 1) << 16);
    ck_assert_int_eq(swift(&rig)->e_delay, (((int64_t)1 << 36) - 1) << 16);
    rcc_rp_sent(rig.rp, 20, 70000);
    ck_assert_uint_eq(swift(&rig)->frame, 65536);
    rig_start(&rig, 0, 1);
    cwnd = swift(&rig)->fabric.cwnd;
    f.rtt = f.remote = 0; /* an RTT of 0 is one */
    rcc_rp_feedback(rig.rp, 5, &f);
    ck_assert_uint_gt(swift(&rig)->fabric.cwnd, cwnd);
    rig_start(&rig, 0, 1);
    f.rtt = 200 * US;
    f.remote = 1;
    rcc_rp_feedback(rig.rp, 10, &f);
    ck_assert_int_eq(swift(&rig)->e_delay, (int64_t)1 << 16);
    rig_free(&rig);
}
END_TEST

/* Records are of a path and of a time; PowerTCP's ports write them, in units that int_multi says. */
START_TEST(telemetry_edges)
{
    struct rcc_hop hop = {0, 0, 0, 100000};
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = -1, .n_path = 1, .path_id = 7, .path = &hop};
    struct rig rig;
    start_hpcc(&rig);
    f.seq = 1000;
    f.next = 100000;
    rcc_rp_feedback(rig.rp, 20 * MS, &f);
    hop = (struct rcc_hop){13000, 81250, 0, 100000};
    f.seq = 100001;
    rcc_rp_feedback(rig.rp, 21 * MS, &f);
    ck_assert_uint_eq(hpcc(&rig)->loop[0].u, (uint64_t)1 << (HPCC_U_SHIFT - 1));
    rig_free(&rig);
    rig_init(&rig, "powertcp", NULL, 100 * GBPS);
    rig_set(&rig, "int_multi", 3);
    rig_start(&rig, 0, 1);
    rig_start_cp(&rig, 1);
    ck_assert_uint_eq(rig.rp_profile->needs.int_scale, 3);
    ck_assert(rcc_cp_stamp(rig.cp, 17, 5000, 99, 100 * GBPS, &hop));
    ck_assert(hop.ts == 17 && hop.tx == 99 && hop.qlen == 5000 && hop.rate_mbps == 100000);
    rig_free(&rig);
}
END_TEST

/* The path of a window: its packets, rate, round trip, and the bytes that it holds, to the last digit. */
START_TEST(path_of_a_window)
{
    const int64_t defaults[] = {0, WINDOWED_VARIABLE, WINDOWED_FITS, RCC_PACING_FOLLOW};
    struct rcc_env env = {.line_rate = 100 * GBPS};
    struct windowed_profile w = {.kind = WINDOWED_VARIABLE};
    ck_assert_uint_eq(windowed_mtu(&env), 1000);
    env.mtu = 1;
    ck_assert_uint_eq(windowed_mtu(&env), 1);
    env.mtu = 1000000;
    ck_assert_uint_eq(windowed_mtu(&env), 65536);
    ck_assert_uint_eq(windowed_line(&env), 100 * GBPS);
    env.path_rate = 1;
    ck_assert_uint_eq(windowed_line(&env), 1);
    env.path_rate = 400 * GBPS;
    ck_assert_uint_eq(windowed_line(&env), 100 * GBPS);
    ck_assert_int_eq(windowed_rtt(0, &env), 13000);
    ck_assert_int_eq(windowed_rtt(1, &env), 1);
    env.base_rtt = 1;
    ck_assert_int_eq(windowed_rtt(0, &env), 1);
    ck_assert_int_eq(windowed_rtt(5, &env), 5);
    env.base_rtt = 100 * MS + 1;
    ck_assert_int_eq(windowed_rtt(0, &env), 100 * MS);
    env.base_rtt = 0;
    windowed_derive(defaults, &env, &w);
    ck_assert_int_eq(w.rtt, 13000);
    ck_assert_uint_eq(w.line, (uint64_t)(100 * GBPS) << 16);
    ck_assert_uint_eq(w.bdp, (uint64_t)162500 << 24);
    ck_assert_uint_eq(w.per_byte, (8000000000u * (uint64_t)1 << 30) / 13000);
    ck_assert_uint_eq(windowed_rate(&w, w.bdp), w.line); /* 1/T is rounded */
    ck_assert_uint_lt(windowed_rate(&w, w.bdp - 1), w.line);
    env.base_rtt = 8000; /* a byte for each round trip is 1 Mb/s */
    windowed_derive(defaults, &env, &w);
    ck_assert_uint_eq(windowed_rate(&w, (uint64_t)1 << 24), (uint64_t)1000000 << 16);
    w.rtt = 1;
    ck_assert_uint_eq(windowed_bytes(&w, 1), 1); /* never none */
    ck_assert_uint_eq(windowed_bytes(&w, 8 * GBPS), (uint64_t)1 << 24);
}
END_TEST

/* HAS_WIN and VAR_WIN of the HPCC paper's simulator, and what the host must do for them. */
START_TEST(kinds_of_windows)
{
    static const struct
    {
        int64_t kind, rule, pacing;
        unsigned wants; /* the bits that stay set of 0xffff */
    } cases[] = {{WINDOWED_VARIABLE, WINDOWED_FITS, RCC_PACING_FOLLOW, 0xffff},
                 {WINDOWED_VARIABLE, WINDOWED_STARTS, RCC_PACING_FROZEN, 0xffff - 2},
                 {WINDOWED_FIXED, WINDOWED_STARTS, RCC_PACING_FOLLOW, 0xffff - 2},
                 {WINDOWED_FIXED, WINDOWED_FITS, RCC_PACING_FROZEN, 0xffff},
                 {WINDOWED_NONE, WINDOWED_FITS, RCC_PACING_FOLLOW, 0xffff - 3},
                 {WINDOWED_NONE, WINDOWED_STARTS, RCC_PACING_LATEST, 0xffff - 3}};
    const struct rcc_env env = {.line_rate = 8 * GBPS, .base_rtt = 1000};
    for (size_t i = 0; i < 6; i++)
    {
        const int64_t params[] = {0, cases[i].kind, cases[i].rule, cases[i].pacing};
        struct windowed_profile w = {.base = {.needs = {.wants = 0xffff}}};
        struct rcc_windowed_rp rp = {.window = 0};
        windowed_derive(params, &env, &w);
        ck_assert_uint_eq(w.base.needs.wants, cases[i].wants);
        ck_assert(w.base.frozen == (cases[i].pacing == RCC_PACING_FROZEN));
        ck_assert(w.base.latest == (cases[i].pacing == RCC_PACING_LATEST));
        windowed_show(&rp, &w, ((uint64_t)500 << 24) + 127); /* 2^-16 byte, to nearest */
        ck_assert_uint_eq(rp.window, (uint64_t)(cases[i].kind == WINDOWED_VARIABLE ? 500 : 1000) << 16);
        windowed_show(&rp, &w, ((uint64_t)500 << 24) + 128);
        ck_assert_uint_eq(rp.window,
                          cases[i].kind == WINDOWED_VARIABLE ? ((uint64_t)500 << 16) + 1 : (uint64_t)1000 << 16);
    }
}
END_TEST

static const struct rcc_field *field_of(const char *algorithm, const char *name)
{
    const struct rcc_algorithm *alg = rcc_find(algorithm);
    const int i = rcc_field_find(alg, name);
    ck_assert_int_ge(i, 0);
    return &alg->fields[i];
}

/* The parameters that these algorithms share; the texts are whole. */
START_TEST(shared_parameters)
{
    static const struct
    {
        const char *algorithm;
        int64_t rule, pacing; /* defaults */
        const char *source;   /* source of the pacing */
    } cases[] = {{"hpcc", WINDOWED_STARTS, RCC_PACING_FOLLOW, "decision `pacing`"},
                 {"dctcp", WINDOWED_STARTS, RCC_PACING_FROZEN, "HPCC paper's simulator; decision `pacing`"},
                 {"powertcp", WINDOWED_FITS, RCC_PACING_FOLLOW, "decision `pacing`"},
                 {"theta-powertcp", WINDOWED_FITS, RCC_PACING_FOLLOW, "decision `pacing`"}};
    for (size_t i = 0; i < 4; i++)
    {
        static const char *const names[] = {"base_rtt", "window", "window_rule", "pacing"};
        const int64_t most[] = {100 * MS, WINDOWED_NONE, WINDOWED_STARTS, RCC_PACING_LATEST};
        const int64_t def[] = {0, WINDOWED_VARIABLE, cases[i].rule, cases[i].pacing};
        for (int k = 0; k < 4; k++)
        {
            const struct rcc_field *f = field_of(cases[i].algorithm, names[k]);
            ck_assert_int_eq(f->role, RCC_RP);
            ck_assert_int_eq(f->unit, k == 0 ? RCC_UNIT_NS : RCC_UNIT_CHOICE);
            ck_assert_int_eq(f->min, 0);
            ck_assert_int_eq(f->max, most[k]);
            ck_assert_int_eq(f->def, def[k]);
        }
        ck_assert_str_eq(field_of(cases[i].algorithm, "pacing")->source, cases[i].source);
    }
    for (int power = 0; power < 2; power++)
    {
        const char *const algorithm = power ? "powertcp" : "hpcc";
        const struct rcc_field *form = field_of(algorithm, "int_form"), *multi = field_of(algorithm, "int_multi");
        ck_assert(form->role == RCC_RP && form->unit == RCC_UNIT_CHOICE && form->min == 0 && form->def == 0);
        ck_assert_int_eq(form->max, power ? 1 : 2); /* paper, simulator, pint */
        ck_assert(power == 0 || memcmp(form->help, "telemetry on the wire", 21) == 0);
        ck_assert(power == 0 || memcmp(form->source, "SIGCOMM'19", 10) == 0);
        ck_assert(multi->role == RCC_RP && multi->unit == RCC_UNIT_COUNT && multi->min == 1 && multi->max == 65535);
        ck_assert_int_eq(multi->def, 1);
    }
}
END_TEST

/* Telemetry adds bytes to packets: SIGCOMM 2019 has 2 and 8 per hop, its simulator 42 for five hops, PINT 2. */
START_TEST(bytes_of_telemetry)
{
    static const struct
    {
        int64_t form;
        unsigned on_wire, bytes, per_hop;
    } cases[] = {{TELEMETRY_PAPER, RCC_INT_PAPER, 2, 8},
                 {TELEMETRY_SIMULATOR, RCC_INT_FIXED, 42, 0},
                 {TELEMETRY_PINT, RCC_INT_PINT, 2, 0}};
    const struct rcc_needs fixed = TELEMETRY_NEEDS;
    for (size_t i = 0; i < 3; i++)
    {
        struct rcc_needs needs = {.wants = 0};
        rcc_telemetry_needs(&needs, cases[i].form, 7);
        ck_assert(needs.int_form == cases[i].on_wire && needs.int_scale == 7);
        ck_assert(needs.data_extra == cases[i].bytes && needs.ack_extra == cases[i].bytes);
        ck_assert(needs.data_extra_per_hop == cases[i].per_hop && needs.ack_extra_per_hop == cases[i].per_hop);
    }
    ck_assert(fixed.wants == 1 + 2 + 4 + 32 && fixed.int_form == RCC_INT_PAPER && fixed.int_scale == 1);
    ck_assert(fixed.data_extra == 2 && fixed.ack_extra == 2 && fixed.data_extra_per_hop == 8 &&
              fixed.ack_extra_per_hop == 8);
}
END_TEST

/* Records are compared up to 2^23 ns after the last ones, of all eight hops; a counter of 32 bits tells 2^32 bytes and
 * 2^31 - 1 ns. */
START_TEST(records_that_can_be_compared)
{
    struct rcc_hop path[RCC_PATH_MAX + 1];
    struct rcc_feedback f = {.n_path = RCC_PATH_MAX + 1, .path_id = 3, .path = path};
    struct telemetry t = {.n = 0};
    struct rcc_hop old = {0, 0, 0, 1000}, hop = old;
    uint64_t dt, bytes;
    for (uint32_t i = 0; i <= RCC_PATH_MAX; i++)
        path[i] = (struct rcc_hop){.ts = i + 1, .rate_mbps = 100000};
    ck_assert(!rcc_telemetry_compares(&t, &f, 1000));
    ck_assert_uint_eq(t.n, 8);
    ck_assert(t.hop[0].ts == 1 && t.hop[7].ts == 8);
    ck_assert(rcc_telemetry_compares(&t, &f, 1000 + 8388608));
    ck_assert(!rcc_telemetry_compares(&t, &f, 1000 + 8388609));
    f.path_id = 4;
    ck_assert(!rcc_telemetry_compares(&t, &f, 8389700));
    f.n_path = 1;
    ck_assert(!rcc_telemetry_compares(&t, &f, 8389800));
    ck_assert(t.n == 1 && t.path_id == 4 && t.at == 8389800);
    hop.ts = 1;
    ck_assert(telemetry_delta(&old, &hop, &dt, &bytes) && dt == 1);
    hop.ts = INT32_MAX;
    hop.rate_mbps = 1;
    ck_assert(telemetry_delta(&old, &hop, &dt, &bytes) && dt == INT32_MAX);
    hop.ts = (uint32_t)INT32_MAX + 1; /* older by 2^31 as well */
    ck_assert(!telemetry_delta(&old, &hop, &dt, &bytes));
    hop.ts = 0;
    ck_assert(!telemetry_delta(&old, &hop, &dt, &bytes));
    hop = (struct rcc_hop){.ts = 1000000, .tx = 3, .rate_mbps = 0};
    ck_assert(!telemetry_delta(&old, &hop, &dt, &bytes));
    old.tx = UINT32_MAX;
    hop.rate_mbps = 34359739; /* 1 ms of it are more than 2^32 bytes, of one Mb/s less they are not */
    ck_assert(!telemetry_delta(&old, &hop, &dt, &bytes));
    hop.rate_mbps--;
    ck_assert(telemetry_delta(&old, &hop, &dt, &bytes) && bytes == 4);
    hop = (struct rcc_hop){.ts = 8192000, .rate_mbps = (uint32_t)1 << 22}; /* 2^32 bytes exactly */
    ck_assert(!telemetry_delta(&old, &hop, &dt, &bytes));
}
END_TEST

Suite *suite_windowed(void)
{
    Suite *s = suite_create("windowed");
    TCase *tc = tcase_create("limits");
    tcase_add_test(tc, nscc_limits);
    tcase_add_test(tc, nscc_marks_end_fast_increase);
    tcase_add_test(tc, nscc_rounding);
    tcase_add_test(tc, hpcc_edges);
    tcase_add_test(tc, telemetry_edges);
    tcase_add_test(tc, nscc_pauses);
    tcase_add_test(tc, nscc_signals);
    tcase_add_test(tc, powertcp_edges);
    tcase_add_test(tc, theta_edges);
    tcase_add_test(tc, swift_windows);
    tcase_add_test(tc, swift_at_zero);
    tcase_add_test(tc, path_of_a_window);
    tcase_add_test(tc, kinds_of_windows);
    tcase_add_test(tc, shared_parameters);
    tcase_add_test(tc, bytes_of_telemetry);
    tcase_add_test(tc, records_that_can_be_compared);
    suite_add_tcase(s, tc);
    return s;
}
