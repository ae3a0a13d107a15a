/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "reference_nscc.h"

#include <string.h>
#include <tgmath.h>

static real ratio(const struct rig *rig, const char *field)
{
    return (real)rig_get(rig, field) / 1e9L;
}

void ref_nscc_start(struct ref_nscc *r, const struct rig *rig, int64_t now, int64_t rtt, int64_t mtu)
{
    const bool trims = rig_get(rig, "trimming") == 1;
    const real ref_bdp = (real)rig_get(rig, "ref_rate") * (real)rig_get(rig, "ref_rtt") / 8e9L;
    real scaling_a, scaling_b;
    memset(r, 0, sizeof *r);
    r->mtu = (real)mtu;
    r->rate = (real)rig->env.line_rate / 8e9L;
    r->config_rtt = r->base_rtt = (real)rtt;
    r->target = r->config_rtt * (rig_get(rig, "target") != 0 ? ratio(rig, "target") : trims ? 0.75L : 1); /* N1 */
    scaling_a = r->rate * r->config_rtt / ref_bdp;                                                        /* N2 */
    scaling_b = r->target / (real)rig_get(rig, "ref_rtt");
    r->fi = ratio(rig, "fi") * r->mtu * scaling_a; /* N3 */
    r->fi_scale = ratio(rig, "fi_scale") * scaling_a;
    r->eta = ratio(rig, "eta") * r->mtu * scaling_a; /* N4 */
    r->alpha = ratio(rig, "alpha") * r->mtu * scaling_a * scaling_b / r->target;
    r->gamma = ratio(rig, "gamma");
    r->md_jump = ratio(rig, "max_md_jump");
    r->gate = rig_get(rig, "qa_gate");
    r->qa_threshold = rig_get(rig, "qa_threshold") != 0 ? r->target * ratio(rig, "qa_threshold")
                      : trims                           ? INFINITY
                                                        : 4 * r->target;
    r->period = rig_get(rig, "adjust_period") != 0 ? (real)rig_get(rig, "adjust_period") : r->config_rtt;
    r->adjust_bytes = (real)rig_get(rig, "adjust_bytes") * r->mtu;
    r->clear_delay = (real)rig_get(rig, "clear_delay");
    r->quick_adapt = rig_get(rig, "quick_adapt") == 1;
    r->average = rig_get(rig, "average");
    r->restart = rig_get(rig, "after_idle") == 0;
    r->window_ratio = ratio(rig, "max_window");
    r->cwnd = r->max_window = fmax(r->window_ratio * r->rate * r->config_rtt, r->mtu);
    if (ratio(rig, "initial_cwnd") > 0)
        r->cwnd = fmin(fmax(ratio(rig, "initial_cwnd") * r->mtu, r->mtu), r->max_window);
    r->last_adjust = r->last_dec = r->sampled_at = now;
    r->idle_since = -1;
}

static void average(struct ref_nscc *r, int64_t now, real delay, bool marked)
{
    const real dt = (real)(now - r->sampled_at);
    if (r->average == 2)
        r->avg = 0.9875L * r->avg + 0.0125L * (delay > r->target && !marked ? r->base_rtt / 4 : delay);
    else
        r->avg = r->average == 0 ? r->avg + fmin(1, dt / r->base_rtt) * (delay - r->avg) : delay; /* N6 */
    r->sampled_at = now;
}

static bool quick_adapt(struct ref_nscc *r, int64_t now, bool loss, bool marked, real delay, int64_t inflight)
{
    bool result = false;
    if (!r->quick_adapt)
        return false;
    if (r->ignored < r->to_ignore && marked)
    {
        result = true;
    }
    else if (now >= r->qa_end)
    {
        if (r->qa_end != 0 && (r->trigger || loss || delay > r->qa_threshold) &&
            (real)r->achieved < floor(floor(r->max_window) / exp2((real)r->gate)))
        {
            r->cwnd = fmax((real)r->achieved, r->mtu);
            r->to_ignore = inflight;
            r->ignored = 0;
            r->trigger = false;
            result = true;
        }
        r->achieved = 0;
        r->qa_end = now + (int64_t)(r->base_rtt + r->target);
    }
    if (result)
        r->inc = (real)(r->received = 0);
    return result;
}

static real rtt_delay(struct ref_nscc *r, int64_t rtt)
{
    const real v = fmax((real)rtt, 1);
    if (v < r->base_rtt) /* N5 */
    {
        r->base_rtt = v;
        r->max_window = fmax(r->window_ratio * r->rate * v, r->mtu);
    }
    return v - r->base_rtt;
}

/* N8 to N10 for an ACK without a mark. The fast increase takes the place of N8 and N9 alone. */
static void increase(struct ref_nscc *r, int64_t n, real delay)
{
    if (delay >= r->target)
    {
        r->inc += r->fi * (real)n;
        return;
    }
    if (delay < r->clear_delay)
    {
        r->fi_count += n;
        if ((real)r->fi_count > r->cwnd || r->fast)
        {
            r->cwnd = fmin(r->cwnd + (real)n * r->fi_scale, r->max_window);
            r->fast = true;
            return;
        }
    }
    else
    {
        r->fi_count = 0;
    }
    r->fast = false;
    r->inc += r->alpha * (real)n * (r->target - delay);
}

static void decrease(struct ref_nscc *r, int64_t now)
{
    r->fast = false; /* N11 */
    r->fi_count = 0;
    if (r->avg > r->target && (real)(now - r->last_dec) > r->base_rtt)
    {
        r->cwnd = fmax(r->mtu, r->cwnd * fmax(1 - r->gamma * (r->avg - r->target) / r->avg, r->md_jump));
        r->last_dec = now;
    }
}

static void adjust(struct ref_nscc *r, int64_t now)
{
    const bool period = (real)(now - r->last_adjust) >= r->period; /* N12 */
    if (!period && (real)r->received <= r->adjust_bytes)
        return;
    r->cwnd += r->inc / r->cwnd + (period ? r->eta : 0);
    r->cwnd = fmin(r->cwnd, r->max_window);
    r->last_adjust = period ? now : r->last_adjust;
    r->inc = 0;
    r->received = 0;
}

static void on_ack(struct ref_nscc *r, int64_t now, const struct rcc_feedback *f)
{
    const int64_t n = (int64_t)f->acked;
    real delay;
    r->received += n;
    r->achieved += n;
    if (f->penalty > 0) /* N7 */
    {
        r->saved = r->saved > 0 ? r->saved : r->cwnd;
        r->cwnd = fmax(r->mtu, fmin(r->cwnd, (real)f->in_flight) - (real)(f->penalty * n / 128));
    }
    else if (f->restore && r->saved > 0)
    {
        r->cwnd = r->saved;
        r->saved = 0;
    }
    if (f->rtt < 0)
        return;
    delay = rtt_delay(r, f->rtt);
    average(r, now, delay, f->ce);
    if (quick_adapt(r, now, false, f->ce, delay, (int64_t)f->in_flight))
        return;
    if (f->ce && delay >= r->target)
        decrease(r, now);
    if (!f->ce && f->penalty == 0)
        increase(r, n, delay);
    adjust(r, now); /* N12 follows N8 to N11 whatever they did, and a penalty too */
}

void ref_nscc_hear(struct ref_nscc *r, int64_t now, const struct rcc_feedback *f)
{
    const bool ack = f->kind == RCC_FEEDBACK_ACK;
    bool adapted = false;
    r->ignored += (int64_t)(ack ? f->acked : f->lost);
    r->idle_since = f->in_flight != 0 ? -1 : r->idle_since < 0 ? now : r->idle_since;
    if (ack)
    {
        on_ack(r, now, f);
        return;
    }
    if (f->kind == RCC_FEEDBACK_TRIM) /* N14 */
    {
        if (f->rtt >= 0)
            rtt_delay(r, f->rtt);
        average(r, now, r->config_rtt, true);
        r->trigger = true;
        adapted = quick_adapt(r, now, true, true, 0, (int64_t)f->in_flight);
    }
    if (!adapted)
        r->cwnd = fmax(r->cwnd - (real)f->lost, r->mtu); /* N15 */
}

void ref_nscc_sent(struct ref_nscc *r, int64_t now)
{
    if (r->restart && r->idle_since >= 0 && (real)(now - r->idle_since) > floor(r->base_rtt + r->target))
        r->qa_end = r->achieved = 0;
    r->idle_since = -1;
}

struct rcc_feedback ref_nscc_signal(struct rng *rng, rcc_time rtt, uint64_t flying)
{
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_ACK, .rtt = rng_chance(rng, 3) ? -1 : rtt, .in_flight = flying};
    f.acked = (uint64_t)(rng_chance(rng, 80) ? 4096 : rng_log_range(rng, 0, 300000));
    f.ce = rng_chance(rng, 40);
    f.lost = (uint64_t)rng_log_range(rng, 0, 8192);
    if (rng_chance(rng, 1))
        f.penalty = (uint8_t)rng_range(rng, 0, 127);
    f.restore = rng_chance(rng, 5);
    if (rng_chance(rng, 6))
        f.kind = rng_chance(rng, 70)   ? RCC_FEEDBACK_TRIM
                 : rng_chance(rng, 60) ? RCC_FEEDBACK_LOSS
                                       : RCC_FEEDBACK_TIMEOUT;
    return f;
}
