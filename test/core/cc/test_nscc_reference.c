/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* NSCC compared with a floating-point model of the specification's rules. */
#include "nscc.h"
#include "reference_nscc.h"

#include <tgmath.h>

#define RTT (12 * US)
#define MTU 4096
#define NS ((double)((uint64_t)1 << NSCC_NS_SHIFT))
#define BYTE ((double)RCC_WINDOW_ONE)

static double cwnd(const struct rig *rig)
{
    return (double)((const struct nscc_rp *)(const void *)rig->rp)->w.window / BYTE;
}

static void init(struct rig *rig, const char *preset, uint64_t line)
{
    rig_init(rig, "nscc", preset, line);
    rig->env.base_rtt = RTT;
    rig->env.mtu = MTU;
}

static void compare(struct rig *rig, uint64_t seed)
{
    struct rng rng = {seed};
    struct ref_nscc r;
    rcc_time now = rng_log_range(&rng, 0, 100 * SEC), rtt = RTT;
    rig_start(rig, now, seed);
    ref_nscc_start(&r, rig, now, RTT, MTU);
    for (int i = 0; i < (int)rounds(3000); i++)
    {
        const struct nscc_rp *s = (const struct nscc_rp *)(const void *)rig->rp;
        const uint64_t flying = rng_chance(&rng, 10) ? 0 : (uint64_t)rng_log_range(&rng, 1, 1000000);
        struct rcc_feedback f;
        now += rng_log_range(&rng, 0, rng_chance(&rng, 2) ? 200 * US : 3 * US);
        rtt += rng_range(&rng, -3 * US, 3 * US);
        rtt = rng_chance(&rng, 10) || rtt < 11 * US ? 12 * US + rng_range(&rng, 0, 1200)
              : rtt > 80 * US                       ? 40 * US
                                                    : rtt;
        if (rng_chance(&rng, 30))
        {
            rcc_rp_sent(rig->rp, now, 1000);
            ref_nscc_sent(&r, now);
        }
        f = ref_nscc_signal(&rng, rtt, flying);
        rcc_rp_feedback(rig->rp, now, &f);
        ref_nscc_hear(&r, now, &f);
        CHECK(fabs(cwnd(rig) - (double)r.cwnd) < 1e-6 * (double)r.cwnd,
              "seed %llu, signal %d: cwnd %.6f, reference %.6f", (unsigned long long)seed, i, cwnd(rig),
              (double)r.cwnd);
        CHECK(rcc_rp_window(rig->rp) == (uint64_t)(cwnd(rig) + 0.5), "window");
        CHECK(fabs((double)s->inc / BYTE - (double)r.inc) < 1e-6 * (double)r.inc + 1e-3,
              "seed %llu, signal %d: inc %.6f, reference %.6f", (unsigned long long)seed, i, (double)s->inc / BYTE,
              (double)r.inc);
        CHECK(fabs((double)s->avg / NS - (double)r.avg) < 1e-3, "seed %llu, signal %d: avg %.6f, reference %.6f",
              (unsigned long long)seed, i, (double)s->avg / NS, (double)r.avg);
        CHECK(s->fast == r.fast && (int64_t)s->fi_count == r.fi_count && s->qa_end == r.qa_end &&
                  (int64_t)s->achieved == r.achieved && (int64_t)s->ignored == r.ignored &&
                  (int64_t)s->to_ignore == r.to_ignore && s->last_dec == r.last_dec && s->trigger == r.trigger,
              "seed %llu, signal %d: counters", (unsigned long long)seed, i);
    }
}

START_TEST(presets_match_the_reference)
{
    for (uint64_t seed = 0; seed < rounds(20); seed++)
    {
        struct rig rig;
        init(&rig, seed % 2 == 0 ? "uec" : "uec-no-trimming", line_rates[_i]);
        compare(&rig, seed);
        rig_free(&rig);
    }
}
END_TEST

START_TEST(other_parameters_match_the_reference)
{
    static const struct
    {
        const char *field;
        int64_t lo, hi;
    } spans[] = {{"max_window", 100000000, 5000000000},
                 {"ref_rate", 10000000000, 400000000000},
                 {"ref_rtt", 1000, 100000},
                 {"alpha", 1000000, 20000000000},
                 {"fi", 1000000, 20000000000},
                 {"fi_scale", 1000000, 2000000000},
                 {"eta", 1000000, 2000000000},
                 {"clear_delay", 1, 3000}};
    for (uint64_t seed = 0; seed < rounds(40); seed++)
    {
        struct rng rng = {seed};
        struct rig rig;
        init(&rig, NULL, line_rates[_i]);
        rig_set(&rig, "trimming", rng_range(&rng, 0, 1));
        rig_set(&rig, "target", rng_chance(&rng, 50) ? 0 : rng_range(&rng, 100, 3000) * 1000000);
        for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++)
            rig_set(&rig, spans[i].field, rng_log_range(&rng, spans[i].lo, spans[i].hi));
        rig_set(&rig, "initial_cwnd", rng_chance(&rng, 50) ? 0 : rng_log_range(&rng, 100000000, 1000000000000));
        rig_set(&rig, "gamma", rng_range(&rng, 0, 1000000000));
        rig_set(&rig, "max_md_jump", rng_range(&rng, 0, 1000000000));
        rig_set(&rig, "quick_adapt", rng_chance(&rng, 80));
        rig_set(&rig, "qa_gate", rng_range(&rng, 0, 6));
        rig_set(&rig, "qa_threshold", rng_chance(&rng, 50) ? 0 : rng_range(&rng, 1, 8) * 500000000);
        rig_set(&rig, "adjust_bytes", rng_range(&rng, 0, 20));
        rig_set(&rig, "adjust_period", rng_chance(&rng, 50) ? 0 : rng_log_range(&rng, 1000, 100000));
        rig_set(&rig, "average", rng_range(&rng, 0, 2));
        rig_set(&rig, "after_idle", rng_range(&rng, 0, 1));
        compare(&rig, 500 + seed);
        rig_free(&rig);
    }
}
END_TEST

Suite *suite_nscc_reference(void)
{
    Suite *s = suite_create("nscc-reference");
    TCase *t = long_tcase("reference");
    tcase_add_loop_test(t, presets_match_the_reference, 0, LINE_RATES);
    tcase_add_loop_test(t, other_parameters_match_the_reference, 0, LINE_RATES);
    suite_add_tcase(s, t);
    return s;
}
