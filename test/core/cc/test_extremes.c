/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Least and largest values of every field: whenever rcc_configure accepts them, everything stays defined and bounded.
 */
#include "helpers.h"

#include <stdlib.h>

static const uint64_t lines[] = {RCC_LINE_RATE_MIN, 1000000007, 40000000000, 400000000000, RCC_LINE_RATE_MAX};

/* `leap`: over ten years at last. QCN whose increase is the least there is has a cycle of its timer to count for each
 * step of it. */
static void drive_rp(struct rig *rig, struct rng *rng, bool leap)
{
    uint64_t line = rig->env.line_rate;
    rcc_time now = rng_chance(rng, 50) ? 0 : rng_log_range(rng, 0, INT64_MAX / 2);
    if (!rig_try_start(rig, now, rng_next(rng)))
        return;
    for (int i = 0; i < (int)rounds(60); i++)
    {
        uint64_t rate;
        if (rng_chance(rng, 30))
        {
            struct rcc_feedback f = own_feedback(rig, rng);
            if (f.kind == RCC_FEEDBACK_CNP && rng_chance(rng, 20))
                f.period_ns = rng_chance(rng, 50) ? 1 : UINT32_MAX;
            rcc_rp_feedback(rig->rp, now, &f);
        }
        else
        {
            static const uint32_t frames[] = {1, 64, 1500, 65535, 65536};
            rcc_rp_sent(rig->rp, now, frames[rng_range(rng, 0, 4)]);
        }
        rate = rcc_rp_rate(rig->rp);
        CHECK(rate >= 1 && rate <= line, "%s: rate %llu", rig->alg->name, (unsigned long long)rate);
        CHECK(rig->rp->rate <= line << RCC_RATE_SHIFT, "%s: above the line rate", rig->alg->name);
        CHECK(rcc_rp_next_send(rig->rp) >= now, "%s: next_send is past", rig->alg->name);
        now += rng_log_range(rng, 0, rng_chance(rng, 10) ? SEC : MS);
    }
    rcc_rp_advance(rig->rp, now + SEC);
    if (!leap)
        return;
    rcc_rp_advance(rig->rp, now + TEN_YEARS);
    CHECK(rcc_rp_next_send(rig->rp) == now + TEN_YEARS, "%s: unpaid after ten years", rig->alg->name);
}

static void drive_np(struct rig *rig, struct rng *rng)
{
    rcc_time now = rng_log_range(rng, 0, INT64_MAX / 2);
    struct rcc_cnp c;
    if (rig->alg->np == NULL)
        return;
    rig_start_np(rig, 50);
    for (int i = 0; i < (int)rounds(100); i++)
    {
        uint32_t flow = (uint32_t)rng_range(rng, 0, 49);
        rcc_time due;
        int taken = 0;
        if (rng_chance(rng, 90))
            rcc_np_marked(rig->np, now, flow);
        else
            rcc_np_close(rig->np, flow);
        now += rng_log_range(rng, 0, rng_chance(rng, 10) ? 100 * SEC : MS);
        due = rcc_np_next_due(rig->np);
        while (rcc_np_poll(rig->np, now, &c))
        {
            CHECK(due <= now && c.flow < 50 && ++taken <= 50, "%s: CNP", rig->alg->name);
            due = rcc_np_next_due(rig->np);
        }
        CHECK(due > now, "%s: due, but poll gives nothing", rig->alg->name);
    }
}

static void drive_cp(struct rig *rig, struct rng *rng)
{
    if (rig->alg->cp == NULL || !rig_try_start_cp(rig, rng_next(rng)))
        return;
    for (int i = 0; i < (int)rounds(200); i++)
    {
        struct rcc_cnm m = {0, 0, 0};
        uint64_t queue = (uint64_t)rng_log_range(rng, 0, (int64_t)1 << 50);
        rcc_cp_enqueued(rig->cp, queue, (uint32_t)rng_log_range(rng, 1, 65536), &m);
        rcc_cp_dequeued(rig->cp, queue);
        CHECK(m.qfb <= 63, "%s: qFb %d", rig->alg->name, m.qfb);
    }
}

static void drive(struct rig *rig, struct rng *rng, bool leap)
{
    drive_rp(rig, rng, leap);
    drive_np(rig, rng);
    drive_cp(rig, rng);
    rig_free(rig);
}

START_TEST(one_field_at_a_time)
{
    const struct rcc_algorithm *alg = rcc_algorithm_at((size_t)_i);
    struct rng rng = {1};
    for (size_t k = sizeof lines / sizeof lines[0] - rounds(sizeof lines / sizeof lines[0]);
         k < sizeof lines / sizeof lines[0]; k++)
        for (size_t field = 0; field < alg->n_fields; field++)
            for (int end = 0; end < 2; end++)
            {
                struct rig rig;
                rig_init(&rig, alg->name, NULL, lines[k]);
                rig.params[field] = end ? alg->fields[field].max : alg->fields[field].min;
                drive(&rig, &rng, true);
            }
}
END_TEST

START_TEST(random_combinations)
{
    const struct rcc_algorithm *alg = rcc_algorithm_at((size_t)_i);
    struct rng rng = {2};
    for (int n = 0; n < (int)rounds(200); n++)
    {
        struct rig rig;
        rig_init(&rig, alg->name, NULL, lines[rng_range(&rng, 0, 4)]);
        for (size_t field = 0; field < alg->n_fields; field++)
        {
            const struct rcc_field *f = &alg->fields[field];
            int64_t dice = rng_range(&rng, 0, 5);
            rig.params[field] = dice == 0   ? f->min
                                : dice == 1 ? f->max
                                : dice == 2 ? rng_log_range(&rng, f->min, f->max)
                                            : f->def;
        }
        if (rng_chance(&rng, 20))
            rig.env.draw = NULL;
        drive(&rig, &rng, n % 4 == 0);
    }
}
END_TEST

Suite *suite_extremes(void)
{
    Suite *s = suite_create("extremes");
    TCase *tc = long_tcase("extremes");
    tcase_add_loop_test(tc, one_field_at_a_time, 0, (int)algorithm_count());
    tcase_add_loop_test(tc, random_combinations, 0, (int)algorithm_count());
    suite_add_tcase(s, tc);
    return s;
}
