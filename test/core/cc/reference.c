/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "reference.h"

#include <string.h>
#include <tgmath.h>

static real number(const struct rig *rig, const char *field)
{
    return (real)rig_get(rig, field);
}

static real ratio(const struct rig *rig, const char *field)
{
    return number(rig, field) / 1e9L;
}

/* ------------------------------------------------------------------ DCQCN, SIGCOMM'15 and ICNP'18 section II */

static void dcqcn_rates(struct ref_rp *r, const struct rig *rig)
{
    r->r_min = number(rig, "r_min");
    r->r_ai = number(rig, "r_ai");
    r->r_hai = number(rig, "r_hai");
    r->g = ratio(rig, "g");
    r->timer = rig_get(rig, "timer");
    r->alpha_timer = rig_get(rig, "alpha_timer");
    r->f = rig_get(rig, "f");
    r->alpha = 1;
    r->cut = 0.5;
    r->clamp_target = r->alpha_restart = r->time_counts = true;
}

static void dcqcn_start(struct ref_rp *r, const struct rig *rig)
{
    dcqcn_rates(r, rig);
    r->byte_counter = rig_get(rig, "byte_counter");
}

static void nic_start(struct ref_rp *r, const struct rig *rig)
{
    dcqcn_start(r, rig);
    r->cut = ratio(rig, "cut_ratio");
    r->keep_least = ratio(rig, "min_dec_fac");
    r->first_rate = number(rig, "first_cnp_rate");
    r->reduce_period = rig_get(rig, "rate_reduce_period");
    r->alpha_restart = rig_get(rig, "alpha_restart") == 1;
    r->clamp_target = rig_get(rig, "clamp_target") == 1;
    r->alpha = ratio(rig, "initial_alpha");
    r->hai_constant = rig_get(rig, "hai_steps") == 1;
    r->time_counts = rig_get(rig, "clamp_after_time") == 1;
    if (rig_get(rig, "start_rate") != 0 && number(rig, "start_rate") < r->line)
    {
        r->rate = fmax(number(rig, "start_rate"), r->r_min);
        r->limited = true;
        r->timer_next = r->now + r->timer;
    }
}

static void hpcc_start(struct ref_rp *r, const struct rig *rig)
{
    dcqcn_rates(r, rig);
    r->reduce_period = rig_get(rig, "rate_reduce_period");
    r->clamp_target = rig_get(rig, "clamp_target") == 1;
    r->acks = r->hai_constant = r->periodic_alpha = true;
    r->periodic_cut = r->reduce_period != 0;
}

static void dcqcn_increase(struct ref_rp *r)
{
    int64_t t = r->time_stage, b = r->byte_counter == 0 ? t : r->byte_stage;
    int64_t most = t > b ? t : b, least = t < b ? t : b;
    if (most >= r->f && least <= r->f)
        r->target += r->r_ai; /* eq. 6 */
    if (most >= r->f && least > r->f)
        r->target += (r->hai_constant ? 1 : (real)(least - r->f)) * r->r_hai; /* eq. 8, i = min(stages) - F */
    r->target = fmin(r->target, r->line);
    r->rate = (r->target + r->rate) / 2; /* eq. 5, 7, 9 */
}

static void dcqcn_cut(struct ref_rp *r, int64_t t)
{
    if (!r->was_cut || r->increased || r->clamp_target)
        r->target = r->rate; /* eq. 1 */
    if (!r->was_cut && r->first_rate != 0)
        r->rate = fmax(fmin(r->rate, r->first_rate), r->r_min);
    else
        r->rate = fmax(r->rate * fmax(1 - r->alpha * r->cut, r->keep_least), r->r_min); /* eq. 2, 3 */
    r->target = fmax(r->target, r->rate);
    if (!r->periodic_alpha)
    {
        r->alpha = (1 - r->g) * r->alpha + r->g; /* eq. 4 */
        if (!r->was_cut || r->alpha_restart)
            r->alpha_next = t + r->alpha_timer;
    }
    r->timer_next = t + r->timer;
    r->time_stage = r->byte_stage = r->bytes = 0;
    r->cut_at = t;
    r->limited = r->was_cut = true;
    r->increased = false;
}

/* Every expiry is an event. At the same time, alpha's timer comes first, the check for a cut last. */
static void dcqcn_advance(struct ref_rp *r, int64_t now)
{
    for (;;)
    {
        int64_t timer = r->limited ? r->timer_next : INT64_MAX, alpha = r->notified ? r->alpha_next : INT64_MAX;
        int64_t check = r->notified && r->periodic_cut ? r->check_next : INT64_MAX;
        if (alpha > now && timer > now && check > now)
            return;
        if (alpha <= timer && alpha <= check)
        {
            r->alpha = (1 - r->g) * r->alpha + (r->alpha_flag ? r->g : 0); /* eq. 10, or 4 */
            r->alpha_flag = false;
            r->alpha_next += r->alpha_timer;
        }
        else if (timer <= check)
        {
            r->time_stage++;
            dcqcn_increase(r);
            r->increased = r->increased || r->time_counts;
            r->timer_next += r->timer;
        }
        else
        {
            if (r->cut_flag)
                dcqcn_cut(r, check);
            r->cut_flag = false;
            r->check_next += r->reduce_period;
        }
    }
}

static void dcqcn_sent(struct ref_rp *r, uint32_t bytes)
{
    if (!r->limited || r->byte_counter == 0)
        return;
    for (r->bytes += bytes; r->bytes >= r->byte_counter; r->bytes -= r->byte_counter)
    {
        r->byte_stage++;
        dcqcn_increase(r);
        r->increased = true;
    }
}

static void dcqcn_feedback(struct ref_rp *r, const struct rcc_feedback *feedback)
{
    bool first = !r->notified;
    if (r->acks ? feedback->kind != RCC_FEEDBACK_ACK || !feedback->ce : feedback->kind != RCC_FEEDBACK_CNP)
        return;
    r->notified = true;
    if (first)
    {
        r->alpha_next = r->now + r->alpha_timer;
        r->check_next = r->now + r->reduce_period;
    }
    r->alpha_flag = r->periodic_alpha && !first;
    r->cut_flag = r->periodic_cut;
    if (!r->periodic_cut && (!r->was_cut || r->now >= r->cut_at + r->reduce_period))
        dcqcn_cut(r, r->now);
}

/* ------------------------------------------------------------------ DCQCN+, ICNP'18 section IV */

static void plus_start(struct ref_rp *r, const struct rig *rig)
{
    r->r_min = r->line * ratio(rig, "r_min");
    r->g = ratio(rig, "g");
    r->cut = ratio(rig, "cut_ratio");
    r->alpha = ratio(rig, "initial_alpha");
    r->alpha_first = rig_get(rig, "alpha_order") == 1;
    r->lambda = ratio(rig, "lambda");
    r->lambda_alpha = ratio(rig, "lambda_alpha");
    r->m = rig_get(rig, "m");
    r->timer = rig_get(rig, "timer");
    r->alpha_timer = rig_get(rig, "alpha_timer");
    r->above_50us = rig_get(rig, "timer_rule") == 1;
    r->cnp_only = rig_get(rig, "timer_update") == 1;
    r->rearm = rig_get(rig, "pause_rule") != 1;
    r->rearm_alpha = rig_get(rig, "pause_rule") == 2;
    r->alpha_restart = rig_get(rig, "alpha_restart") == 1;
    r->f = rig_get(rig, "f");
    r->hi_after = rig_get(rig, "hi_after");
    r->upper = rig_get(rig, "phase_boundary") == 1;
    r->stage_after_cut = rig_get(rig, "stage_after_cut");
    r->two_levels = rig_get(rig, "ai_levels") == 0;
    r->ai_alpha = ratio(rig, "ai_alpha");
    r->ai_flow = ratio(rig, "ai_flow");
    r->ai_line = ratio(rig, "ai_line");
    r->hi_flow = ratio(rig, "hi_flow");
    r->hi_line = ratio(rig, "hi_line");
    r->target_cap = rig_get(rig, "target_cap") == 1 ? fmin(64 * r->line, 15 * pow(2, 44)) : r->line; /* 264 Tb/s */
    r->k = r->timer;
    r->k_alpha = r->alpha_timer;
}

static void plus_share_start(struct ref_rp *r, const struct rig *rig)
{
    plus_start(r, rig);
    r->by_share = true;
    r->ai_share = ratio(rig, "ai_share");
    r->floor_target = rig_get(rig, "target_floor") == 1;
    r->delta = rig_get(rig, "cnp_generation");
}

/* Fair share of each flow of a receiver: R_line delta / tau; R_line if it is alone. */
static real plus_share(const struct ref_rp *r)
{
    return r->line * fmin((real)r->delta / (real)r->tau, 1);
}

/* Eq. 16 and 17, in whole nanoseconds; M/R_C with R_C in whole bit/s. */
static int64_t plus_period(const struct ref_rp *r, real lambda, int64_t least)
{
    real base = fmax((real)r->tau, floor((real)r->m * 8e9L / floor(r->rate + 0.5L)));
    /* lambda is a decimal fraction: undo its binary error before rounding down */
    real period = floor(base * rint(lambda * 1e9L) / 1e9L);
    return period > (real)least ? (int64_t)period : least;
}

static bool plus_follows(const struct ref_rp *r)
{
    return r->tau != 0 && (!r->above_50us || r->tau > 50000); /* "if tau is larger than 50us" */
}

static bool plus_paused(const struct ref_rp *r, int64_t t)
{
    for (size_t i = r->n_pauses; i > 0; i--) /* the last change up to t */
        if (r->pauses[i - 1].at <= t)
            return r->pauses[i - 1].paused;
    return false;
}

static void plus_increase(struct ref_rp *r)
{
    int64_t s = r->time_stage, hi = r->f * r->hi_after;
    bool fast = r->upper ? s < r->f : s <= r->f, additive = r->upper ? s < hi : s <= hi;
    if (!fast && additive) /* eq. 19 */
    {
        real twice = r->two_levels && r->alpha > r->ai_alpha ? 2 : 1; /* 1/5 and 1/50 are twice 1/10 and 1/100 */
        real step = twice * r->ai_flow * r->rate;
        if (r->by_share && r->tau != 0)
            step = fmin(twice * r->ai_share, 1) * plus_share(r);
        r->target += fmin(step, fmin(twice * r->ai_line, 1) * r->line);
    }
    else if (!fast) /* eq. 21 */
    {
        r->target += fmin(r->hi_flow * r->rate, (real)(s - hi) * r->hi_line * r->line);
    }
    r->target = fmin(r->target, r->target_cap);
    r->rate = fmin((r->target + r->rate) / 2, r->line); /* eq. 18, 20, 22 */
}

static void plus_advance(struct ref_rp *r, int64_t now)
{
    while (r->limited && (r->alpha_next <= now || r->timer_next <= now))
    {
        if (r->alpha_next <= r->timer_next)
        {
            if (!r->rearm_alpha || !plus_paused(r, r->alpha_next))
                r->alpha *= 1 - r->g; /* eq. 23 */
            if (!r->cnp_only && plus_follows(r))
                r->k_alpha = plus_period(r, r->lambda_alpha, r->alpha_timer);
            r->alpha_next += r->k_alpha;
        }
        else
        {
            if (!r->rearm || !plus_paused(r, r->timer_next))
            {
                r->time_stage++;
                plus_increase(r);
            }
            if (!r->cnp_only && plus_follows(r))
                r->k = plus_period(r, r->lambda, r->timer);
            r->timer_next += r->k;
        }
    }
}

static void plus_sent(struct ref_rp *r, uint32_t bytes)
{
    (void)r;
    (void)bytes;
}

static void plus_feedback(struct ref_rp *r, const struct rcc_feedback *feedback)
{
    if (feedback->kind != RCC_FEEDBACK_CNP)
        return;
    r->target = r->rate; /* eq. 12 */
    if (r->alpha_first)
        r->alpha = (1 - r->g) * r->alpha + r->g;
    r->rate = fmax(r->rate * (1 - r->alpha * r->cut), r->r_min); /* eq. 13, 15 */
    if (!r->alpha_first)
        r->alpha = (1 - r->g) * r->alpha + r->g; /* eq. 14 */
    r->time_stage = r->stage_after_cut;
    r->tau = feedback->period_ns;
    if (r->tau == 0)
    {
        r->k = r->timer;
        r->k_alpha = r->alpha_timer;
    }
    else if (plus_follows(r))
    {
        r->k = plus_period(r, r->lambda, r->timer);
        r->k_alpha = plus_period(r, r->lambda_alpha, r->alpha_timer);
    }
    r->timer_next = r->now + r->k;
    if (!r->limited || r->alpha_restart)
        r->alpha_next = r->now + r->k_alpha;
    r->limited = true;
}

static void plus_share_feedback(struct ref_rp *r, const struct rcc_feedback *feedback)
{
    plus_feedback(r, feedback);
    if (feedback->kind == RCC_FEEDBACK_CNP && r->floor_target && r->tau != 0)
        r->target = fmax(r->target, plus_share(r));
}

/* ------------------------------------------------------------------ QCN, NetFPGA section 2 */

static void qcn_start(struct ref_rp *r, const struct rig *rig)
{
    r->r_min = number(rig, "r_min");
    r->r_ai = number(rig, "r_ai");
    r->r_hai = number(rig, "r_hai");
    r->gd = ratio(rig, "gd");
    r->max_cut = ratio(rig, "max_cut");
    r->byte_counter = rig_get(rig, "byte_counter");
    r->timer = rig_get(rig, "timer");
    r->jitter = ratio(rig, "jitter");
    r->f = rig_get(rig, "f");
    r->extra_fast_recovery = rig_get(rig, "extra_fast_recovery") != 0;
    r->until_increase = rig_get(rig, "extra_fast_recovery") == 2;
    r->takes_zero = rig_get(rig, "notify") == 1;
    r->target_reduction = rig_get(rig, "target_reduction");
}

/* A cycle after `stage` finished ones: full in fast recovery, half later, jittered. */
static int64_t qcn_cycle(struct ref_rp *r, int64_t full, int64_t stage)
{
    int64_t length = stage < r->f ? full : full / 2;
    if (r->jitter == 0)
        return length;
    /* uniform in (-1, 1), symmetric */
    real u = (2.0L * test_draw(r->stream, r->draws++) + 1) / 4294967296.0L - 1;
    real span = floor((real)length * rint((real)r->jitter * 1e9L) / 1e9L);
    return length + (int64_t)(u < 0 ? -floor(-u * span) : floor(u * span));
}

static void qcn_increase(struct ref_rp *r)
{
    int64_t b = r->byte_stage, t = r->time_stage, least = b < t ? b : t;
    bool byte_active = b > r->f, time_active = t > r->f;
    if ((b == 1 || t == 1) && r->target_reduction != 0 && r->target > (real)r->target_reduction * r->rate)
        r->target /= 8; /* target rate reduction */
    else if (byte_active && time_active)
        r->target += (real)(least - r->f) * r->r_hai; /* eq. 7 */
    else if (byte_active || time_active)
        r->target += r->r_ai; /* eq. 5 */
    r->target = fmin(r->target, r->line);
    /* eq. 4, 6, 8; the difference to the line rate is kept in a variable of its own, because its half is exact */
    r->missing = (r->missing + (r->line - r->target)) / 2;
    r->rate = r->line - r->missing;
    if (r->rate < r->r_min)
    {
        r->rate = r->r_min;
        r->missing = r->line - r->rate;
    }
    if (r->missing < 1.0L / 65536) /* below the resolution of the core */
    {
        r->rate = r->line;
        r->missing = 0;
        r->limited = false; /* the limiter is freed */
    }
}

static void qcn_advance(struct ref_rp *r, int64_t now)
{
    while (r->limited && r->timer_next <= now)
    {
        r->time_stage++;
        r->timer_next += qcn_cycle(r, r->timer, r->time_stage);
        qcn_increase(r);
    }
}

static void qcn_sent(struct ref_rp *r, uint32_t bytes)
{
    if (!r->limited)
        return;
    r->bytes -= bytes;
    while (r->limited && r->bytes <= 0)
    {
        r->byte_stage++;
        r->bytes += qcn_cycle(r, r->byte_counter, r->byte_stage);
        qcn_increase(r);
    }
}

static void qcn_feedback(struct ref_rp *r, const struct rcc_feedback *feedback)
{
    real qfb = feedback->qfb < 63 ? feedback->qfb : 63;
    bool consecutive = r->limited && r->byte_stage == 0 && (!r->until_increase || r->time_stage == 0);
    if (feedback->kind != RCC_FEEDBACK_CNM || (feedback->qfb == 0 && !r->takes_zero))
        return;
    if (!consecutive || !r->extra_fast_recovery)
    {
        r->target = r->rate; /* "just before the arrival of the last feedback message" */
        r->bytes = qcn_cycle(r, r->byte_counter, 0);
    }
    r->rate = fmax(r->rate * (1 - fmin(r->max_cut, r->gd * qfb)), r->r_min); /* eq. 2 */
    r->missing = r->line - r->rate;
    r->target = fmax(r->target, r->rate);
    r->byte_stage = r->time_stage = 0;
    r->timer_next = r->now + qcn_cycle(r, r->timer, 0);
    r->limited = true;
}

/* ------------------------------------------------------------------ congestion points */

double ref_red(double kmin, double kmax, double pmax, double queue)
{
    if (queue <= kmin)
        return 0;
    return queue > kmax ? 1 : pmax * (queue - kmin) / (kmax - kmin);
}

double ref_qcn_fb(double q, double q_old, double q_eq, double w)
{
    return -((q - q_eq) + w * (q - q_old));
}

int ref_qcn_quantise(double fb, double q_eq, double w)
{
    double most = q_eq * (2 * w + 1);
    return fb >= 0 ? 0 : (int)floor(fmin(-fb, most) * 63 / most);
}

/* ------------------------------------------------------------------ running */

static const struct ref_model models[] = {
    {"dcqcn", dcqcn_start, dcqcn_advance, dcqcn_sent, dcqcn_feedback},
    {"dcqcn-nic", nic_start, dcqcn_advance, dcqcn_sent, dcqcn_feedback},
    {"dcqcn-hpcc", hpcc_start, dcqcn_advance, dcqcn_sent, dcqcn_feedback},
    {"dcqcn-plus", plus_start, plus_advance, plus_sent, plus_feedback},
    {"dcqcn-plus-share", plus_share_start, plus_advance, plus_sent, plus_share_feedback},
    {"qcn", qcn_start, qcn_advance, qcn_sent, qcn_feedback},
};

void ref_start(struct ref_rp *r, const struct rig *rig, int64_t now, uint64_t stream)
{
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(models[i].name, rig->alg->name) == 0)
            r->model = &models[i];
    CHECK(r->model != NULL, "no reference for %s", rig->alg->name);
    r->line = (real)rig->env.line_rate;
    r->rate = r->target = r->line;
    r->now = now;
    r->stream = stream;
    r->model->start(r, rig);
}

void ref_advance(struct ref_rp *r, int64_t now)
{
    r->model->advance(r, now);
    r->now = now;
}

void ref_sent(struct ref_rp *r, int64_t now, uint32_t bytes)
{
    ref_advance(r, now);
    r->model->sent(r, bytes);
}

void ref_feedback(struct ref_rp *r, int64_t now, const struct rcc_feedback *feedback)
{
    ref_advance(r, now);
    r->model->feedback(r, feedback);
}
