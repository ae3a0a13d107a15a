/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "reference_swift.h"

#include <tgmath.h>

void ref_swift_start(struct ref_swift *r, const struct rig *rig, const struct swift_rp *s)
{
    const real fs_min = (real)rig_get(rig, "fs_min") / 1e9L, fs_max = (real)rig_get(rig, "fs_max") / 1e9L;
    const real most = (real)rig_get(rig, "max_cwnd");
    const real bdp = (real)rig->env.line_rate * 13000 / 8e9L / REF_SWIFT_MTU;
    *r = (struct ref_swift){.base = (real)rig_get(rig, "base_target"),
                            .hop = (real)rig_get(rig, "hop_delay"),
                            .range = (real)rig_get(rig, "fs_range"),
                            .ai = rig_get(rig, "ai") != 0 ? (real)rig_get(rig, "ai") / 1e9L : bdp / 200,
                            .beta = (real)rig_get(rig, "beta") / 1e9L,
                            .mdf = (real)rig_get(rig, "max_mdf") / 1e9L,
                            /* the clock as printed asks whether a clamped window is the one before: whole units */
                            .least = floor((real)rig_get(rig, "min_cwnd") / 1e9L * SWIFT_PACKET) / SWIFT_PACKET,
                            .most = most > 0 ? most : fmax(4 * bdp, 1),
                            .e_target = (real)rig_get(rig, "endpoint_target"),
                            .e_weight = (real)rig_get(rig, "endpoint_ewma") / 1e9L,
                            .rtt_weight = (real)rig_get(rig, "rtt_ewma") / 1e9L,
                            .threshold = rig_get(rig, "retx_threshold"),
                            .endpoint = rig_get(rig, "endpoint") == 1,
                            .printed = rig_get(rig, "cut_clock") == 1,
                            .e_delay = -1,
                            .rtt = -1};
    r->a = r->range / (1 / sqrt(fs_min) - 1 / sqrt(fs_max)); /* S1 */
    r->b = -r->a / sqrt(fs_max);
    r->f = (struct ref_window){(real)s->fabric.cwnd / (real)SWIFT_PACKET, -1};
    r->e = (struct ref_window){(real)s->endpoint.cwnd / (real)SWIFT_PACKET, -1};
}

static real target(const struct ref_swift *r, real cwnd, int hops)
{
    return r->base + hops * r->hop + fmax(0, fmin(r->a / sqrt(cwnd) + r->b, r->range)); /* S1 */
}

static bool may_cut(const struct ref_swift *r, const struct ref_window *w, rcc_time now)
{
    return w->cut_at < 0 || (real)now - w->cut_at >= r->rtt; /* S4 */
}

static void set(const struct ref_swift *r, struct ref_window *w, rcc_time now, real cwnd)
{
    cwnd = fmin(fmax(cwnd, r->least), r->most); /* S5 */
    if (r->printed ? cwnd <= w->cwnd : cwnd < w->cwnd)
        w->cut_at = (real)now; /* S6 */
    w->cwnd = cwnd;
}

static void delay(const struct ref_swift *r, struct ref_window *w, rcc_time now, real delay, real target, real acked)
{
    real cwnd = w->cwnd;
    if (delay < target)
        cwnd += cwnd >= 1 ? r->ai * acked / cwnd : r->ai * acked; /* S2 */
    else if (may_cut(r, w, now))
        cwnd *= fmax(1 - r->beta * (delay - target) / delay, 1 - r->mdf); /* S3 */
    set(r, w, now, cwnd);
}

static void lost(const struct ref_swift *r, struct ref_window *w, rcc_time now)
{
    const real cut = may_cut(r, w, now) ? w->cwnd * (1 - r->mdf) : w->cwnd;
    set(r, w, now, r->retx >= r->threshold ? r->least : cut); /* S7, S8 */
}

void ref_swift_hear(struct ref_swift *r, rcc_time now, const struct rcc_feedback *f)
{
    const bool ack_too = f->kind == RCC_FEEDBACK_ACK;
    const real remote = r->endpoint ? fmin((real)f->remote, (real)f->rtt) : 0, acked = (real)f->acked / REF_SWIFT_MTU;
    if (f->kind != RCC_FEEDBACK_TIMEOUT && f->rtt >= 0)
        r->rtt = r->rtt < 0 ? (real)f->rtt : r->rtt + r->rtt_weight * ((real)f->rtt - r->rtt);
    r->retx = f->kind == RCC_FEEDBACK_TIMEOUT ? r->retx + 1 : 0;
    if (!ack_too)
    {
        lost(r, &r->f, now);
        if (r->endpoint)
            lost(r, &r->e, now);
    }
    if (!ack_too || f->rtt < 0)
        return;
    r->target = target(r, r->f.cwnd, f->hops);
    delay(r, &r->f, now, (real)f->rtt - remote, r->target, acked);
    if (!r->endpoint)
        return;
    r->e_delay = r->e_delay < 0 ? remote : r->e_delay + r->e_weight * (remote - r->e_delay);
    delay(r, &r->e, now, r->e_delay, r->e_target, acked);
}
