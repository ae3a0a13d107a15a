/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Reference models in floating point, written from the papers' equations, not
 * from core/. Every timer expiry is one step: no closed forms, no skipping.
 *
 * Instants are whole nanoseconds as in the core (durations are rounded down), so
 * that the order of events is the same; rates and alpha are real numbers.
 */
#ifndef RCC_TEST_REFERENCE_H
#define RCC_TEST_REFERENCE_H

#include "helpers.h"

/* A line rate of 16 Tb/s has 60 binary digits in the core: more than a double. */
typedef long double real;

struct ref_pause
{
    int64_t at;
    bool paused;
};

struct ref_rp
{
    const struct ref_model *model;
    real rate, target, alpha;
    int64_t now;

    /* parameters, in bit/s, bytes, ns and plain fractions */
    real line, r_min, r_ai, r_hai, g, cut, gd, max_cut;
    real lambda, lambda_alpha, ai_alpha, ai_flow, ai_line, ai_share, hi_flow, hi_line, target_cap;
    int64_t m, byte_counter, timer, alpha_timer, reduce_period, f, hi_after, stage_after_cut, target_reduction, delta;
    real jitter, keep_least, first_rate;
    bool time_counts; /* a DCQCN parameter */
    bool alpha_restart, alpha_first, clamp_target, above_50us, cnp_only, rearm, rearm_alpha, upper, two_levels;
    bool by_share, floor_target, extra_fast_recovery, until_increase, takes_zero;
    bool acks, hai_constant, periodic_cut, periodic_alpha;
    uint64_t stream, draws;

    /* state */
    bool notified, limited, was_cut, increased;
    bool cut_flag, alpha_flag; /* DCQCN's periodic rules: a CNP came */
    real missing;              /* QCN: line rate minus rate */
    int64_t time_stage, byte_stage, bytes, timer_next, alpha_next, cut_at, check_next, k, k_alpha, tau;

    struct ref_pause *pauses; /* in order of time; owned by the test */
    size_t n_pauses;
};

struct ref_model
{
    const char *name;
    void (*start)(struct ref_rp *r, const struct rig *rig);
    void (*advance)(struct ref_rp *r, int64_t now);
    void (*sent)(struct ref_rp *r, uint32_t bytes);
    void (*feedback)(struct ref_rp *r, const struct rcc_feedback *feedback);
};

void ref_start(struct ref_rp *r, const struct rig *rig, int64_t now, uint64_t stream);
void ref_advance(struct ref_rp *r, int64_t now);
void ref_sent(struct ref_rp *r, int64_t now, uint32_t bytes);
void ref_feedback(struct ref_rp *r, int64_t now, const struct rcc_feedback *feedback);

/* RED: the probability that a frame is marked with `queue` bytes waiting. */
double ref_red(double kmin, double kmax, double pmax, double queue);
/* QCN eq. 1, and its quantisation to 6 bits: 0 if there is no congestion. */
double ref_qcn_fb(double q, double q_old, double q_eq, double w);
int ref_qcn_quantise(double fb, double q_eq, double w);

/*
 * Random signals to a rig's RP and to its reference, compared after every one.
 * Returns the largest relative error of rate and target.
 */
struct ref_run
{
    unsigned signals;
    unsigned feedback_percent, sent_percent;
    int64_t gap_max;   /* ns between signals, uniform in the exponent */
    bool pauses;       /* toggle a pause log on the way */
    bool own_severity; /* vary period_ns and qfb */
};

double ref_compare(struct rig *rig, uint64_t seed, const struct ref_run *run);

#define PLUS_LINE (10 * GBPS)

/* DCQCN+ at PLUS_LINE, with fixed values of the options that presets change. */
void rig_init_plus(struct rig *rig);
/* Draws parameters that dcqcn-plus and dcqcn-plus-share have in common. */
void rig_draw_plus(struct rig *rig, struct rng *rng);

#endif
