/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Random signals to a reaction point and to its floating-point reference. */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOG_SIZE 4096

/* A pause log in the core's form and in the reference's. */
struct twin_log
{
    struct rcc_pause_log log;
    rcc_time ring[LOG_SIZE];
    struct ref_pause list[LOG_SIZE];
    size_t count;
    bool paused;
};

static void toggle(struct twin_log *twin, struct ref_rp *r, int64_t now)
{
    if (twin->count == LOG_SIZE)
        return;
    twin->paused = !twin->paused;
    rcc_pause_log_set(&twin->log, now, twin->paused);
    twin->list[twin->count].at = now;
    twin->list[twin->count++].paused = twin->paused;
    r->n_pauses = twin->count;
}

static double difference(const struct rcc_rp *rp, const struct ref_rp *r, uint64_t seed, unsigned i)
{
    double rate = relative(rp_rate(rp), (double)r->rate), target = relative(rp_target(rp), (double)r->target);
    CHECK(rate < 1e-6, "seed %llu, signal %u, t %lld: rate %.6f, reference %.6f", (unsigned long long)seed, i,
          (long long)rp->now, rp_rate(rp), (double)r->rate);
    CHECK(target < 1e-6, "seed %llu, signal %u, t %lld: target %.6f, reference %.6f", (unsigned long long)seed, i,
          (long long)rp->now, rp_target(rp), (double)r->target);
    CHECK(r->alpha == 0 || fabs(rp_alpha(rp) - (double)r->alpha) < 1e-9,
          "seed %llu, signal %u: alpha %.12f, reference %.12f", (unsigned long long)seed, i, rp_alpha(rp),
          (double)r->alpha);
    return fmax(rate, target);
}

double ref_compare(struct rig *rig, uint64_t seed, const struct ref_run *run)
{
    struct rng rng = {seed};
    struct ref_rp r;
    struct twin_log *twin = calloc(1, sizeof *twin);
    rcc_time now = rng_log_range(&rng, 0, 100 * SEC);
    double worst = 0;
    CHECK(twin != NULL, "no memory");
    rig_start(rig, now, seed);
    ref_start(&r, rig, now, seed);
    rcc_pause_log_init(&twin->log, twin->ring, LOG_SIZE);
    rig->rp->pause = &twin->log;
    r.pauses = twin->list;

    for (unsigned i = 0; i < run->signals; i++)
    {
        unsigned dice = (unsigned)rng_range(&rng, 0, 99);
        now += rng_log_range(&rng, 0, run->gap_max);
        if (dice < run->feedback_percent)
        {
            struct rcc_feedback f = own_feedback(rig, &rng);
            rcc_rp_feedback(rig->rp, now, &f);
            ref_feedback(&r, now, &f);
        }
        else if (dice < run->feedback_percent + run->sent_percent)
        {
            uint32_t bytes = (uint32_t)rng_log_range(&rng, 1, 65536);
            rcc_rp_sent(rig->rp, now, bytes);
            ref_sent(&r, now, bytes);
        }
        else
        {
            rcc_rp_advance(rig->rp, now);
            ref_advance(&r, now);
            if (run->pauses)
                toggle(twin, &r, now);
        }
        worst = fmax(worst, difference(rig->rp, &r, seed, i));
    }
    rig->rp->pause = NULL;
    free(twin);
    if (getenv("RCC_TEST_VERBOSE") != NULL)
        fprintf(stderr, "%s %llu bit/s seed %llu: largest relative error %.3g\n", rig->alg->name,
                (unsigned long long)rig->env.line_rate, (unsigned long long)seed, worst);
    return worst;
}

void rig_init_plus(struct rig *rig)
{
    rig_init(rig, "dcqcn-plus", NULL, PLUS_LINE);
    rig_set(rig, "phase_boundary", 0);
    rig_set(rig, "ai_levels", 0);
    rig_set(rig, "timer_rule", 0);
    rig_set(rig, "timer_update", 0);
    rig_set(rig, "pause_rule", 0);
    rig_set(rig, "alpha_restart", 1);
    rig_set(rig, "initial_alpha", 1000000000);
    rig_set(rig, "target_cap", 0);
}

void rig_draw_plus(struct rig *rig, struct rng *rng)
{
    rig_set(rig, "g", rng_log_range(rng, 0, 1000000000));
    rig_set(rig, "initial_alpha", rng_range(rng, 0, 1000000000));
    rig_set(rig, "phase_boundary", rng_range(rng, 0, 1));
    rig_set(rig, "ai_levels", rng_range(rng, 0, 1));
    rig_set(rig, "ai_alpha", rng_range(rng, 0, 1000000000));
    rig_set(rig, "ai_flow", rng_range(rng, 0, 1000000000));
    rig_set(rig, "ai_line", rng_log_range(rng, 0, 1000000000));
    rig_set(rig, "target_cap", rng_range(rng, 0, 1));
    rig_set(rig, "r_min", rng_log_range(rng, 100000, 100000000));
    rig_set(rig, "timer", rng_log_range(rng, 5 * US, MS));
}
