/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "reference_timely.h"

#include <string.h>
#include <tgmath.h>

void ref_timely_start(struct ref_timely *r, const struct rig *rig, int64_t now)
{
    memset(r, 0, sizeof *r);
    r->patched = strcmp(rig->alg->name, "timely-patched") == 0;
    r->delta = (real)rig_get(rig, "delta");
    r->beta = (real)rig_get(rig, "beta") / 1e9L;
    r->alpha = (real)rig_get(rig, "ewma") / 1e9L;
    r->t_low = (real)rig_get(rig, "t_low");
    r->t_high = (real)rig_get(rig, "t_high");
    r->min_rtt = (real)rig_get(rig, "min_rtt");
    r->base_rtt = (real)rig_get(rig, "base_rtt");
    r->r_min = (real)rig_get(rig, "r_min");
    r->line = (real)rig->env.line_rate;
    r->segment = rig_get(rig, "segment");
    r->scaled = rig_get(rig, "update_scaling") == 1;
    if (!r->patched)
    {
        r->max_cut = (real)rig_get(rig, "max_cut") / 1e9L;
        r->hai_after = rig_get(rig, "hai_after");
        r->hai = rig_get(rig, "hai");
        r->simulator = rig_get(rig, "rules") == 1;
    }
    r->rate = fmax(r->line * (real)rig_get(rig, "initial_rate") / 1e9L, r->r_min);
    r->prev_rtt = -1;
    r->last_update = (real)now;
    r->weight = 0.5L;
}

real ref_timely_weight(real g)
{
    if (g <= -0.25L)
        return 0;
    return g >= 0.25L ? 1 : 2 * g + 0.5L;
}

/* Algorithm 1, lines 9 ff.: the gradient decides. */
static real original(const struct ref_timely *r, real step)
{
    if (r->gradient <= 0)
    {
        bool hyper = r->events_without_rise >= r->hai_after;
        return r->rate + step * r->delta * (hyper ? (real)r->hai : 1);
    }
    return r->rate * (1 - fmin(r->beta * r->gradient, r->max_cut));
}

/* Algorithm 2, lines 10-12: the RTT decides, the gradient mixes. */
static real patched(const struct ref_timely *r, real rtt, real step)
{
    real error = (rtt - r->t_low) / r->t_low;
    return step * r->delta * (1 - r->weight) + r->rate * (1 - fmin(step * r->beta * r->weight * error, 1));
}

/* CC_MODE 7 of the HPCC simulator, in its own words: once per round trip; incStage counts increases. */
static void simulator(struct ref_timely *r, int64_t now, int64_t rtt_ns)
{
    real diff, gradient, rtt = (real)rtt_ns;
    bool increase = false;
    if (rtt_ns < 0 || (r->prev_rtt >= 0 && (real)(now - rtt_ns) < r->last_update))
        return;
    r->last_update = (real)now;
    if (r->prev_rtt < 0)
    {
        r->prev_rtt = rtt;
        return;
    }
    diff = (1 - r->alpha) * r->rtt_diff + r->alpha * (rtt - r->prev_rtt);
    gradient = diff / r->min_rtt;
    if (rtt < r->t_low || (rtt <= r->t_high && gradient <= 0))
        increase = true;
    else if (rtt > r->t_high)
        r->rate *= 1 - r->beta * (1 - r->t_high / rtt);
    else
        r->rate *= fmax(1 - r->beta * gradient, 0);
    if (increase)
        r->rate += r->events_without_rise < 5 ? r->delta : r->delta * (real)r->hai;
    r->events_without_rise = increase ? r->events_without_rise + 1 : 0;
    r->rtt_diff = diff;
    r->gradient = gradient;
    r->prev_rtt = rtt;
    r->rate = fmax(fmin(r->rate, r->line), r->r_min);
}

void ref_timely_ack(struct ref_timely *r, int64_t now, int64_t rtt_ns, int64_t acked)
{
    real rtt, diff, step;
    if (r->simulator)
    {
        simulator(r, now, rtt_ns);
        return;
    }
    r->acked += acked;
    if (r->acked < r->segment || rtt_ns < 0)
        return;
    r->acked %= r->segment;

    rtt = fmax((real)rtt_ns - r->base_rtt, 0);
    diff = r->prev_rtt < 0 ? 0 : rtt - r->prev_rtt;
    r->prev_rtt = rtt;
    r->rtt_diff = (1 - r->alpha) * r->rtt_diff + r->alpha * diff;
    r->gradient = r->rtt_diff / r->min_rtt;
    r->weight = ref_timely_weight(r->gradient);
    r->events_without_rise = r->gradient <= 0 ? r->events_without_rise + 1 : 0;

    step = r->scaled ? fmin(((real)now - r->last_update) / r->min_rtt, 1) : 1;
    r->last_update = (real)now;

    if (rtt < r->t_low)
    {
        r->rate += step * r->delta;
    }
    else if (rtt > r->t_high)
    {
        real cut = step * r->beta * (1 - r->t_high / rtt);
        r->rate *= 1 - (r->patched ? cut : fmin(cut, r->max_cut));
    }
    else
    {
        r->rate = r->patched ? patched(r, rtt, step) : original(r, step);
    }
    r->rate = fmax(fmin(r->rate, r->line), r->r_min);
}
