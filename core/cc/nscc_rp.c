/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The reaction point of NSCC: see nscc.c. */
#include "nscc.h"

static const struct nscc_profile *profile_of(const struct nscc_rp *s)
{
    return (const struct nscc_profile *)(const void *)s->w.rp.profile;
}

/* Set cwnd to the larger of `cwnd` and one MTU. */
static void set_window(struct nscc_rp *s, const struct nscc_profile *p, uint64_t cwnd)
{
    s->w.window = cwnd > p->mtu ? cwnd : p->mtu;
}

/* cwnd = max(cwnd - n, MTU) */
static void take_bytes(struct nscc_rp *s, const struct nscc_profile *p, uint64_t cwnd, uint64_t n)
{
    n <<= RCC_WINDOW_SHIFT;
    set_window(s, p, cwnd > n ? cwnd - n : 0);
}

static uint64_t grown(const struct nscc_rp *s, uint64_t by)
{
    return by >= s->max_window || s->w.window >= s->max_window - by ? s->max_window : s->w.window + by;
}

static void collect(struct nscc_rp *s, uint64_t increment)
{
    s->inc = increment < NSCC_INC_MAX - s->inc ? s->inc + increment : NSCC_INC_MAX;
}

/* N5: rtt < base_rtt: base_rtt = rtt, max_wnd = 1.5 rate rtt; delay = rtt - base_rtt, 2^-24 ns */
static uint64_t delay_of(struct nscc_rp *s, const struct nscc_profile *p, rcc_time rtt)
{
    rtt = rtt < NSCC_RTT_MAX ? rtt : NSCC_RTT_MAX;
    rtt = rtt > 0 ? rtt : 1;
    if (rtt < s->base_rtt)
    {
        s->base_rtt = rtt;
        s->max_window = rcc_nscc_largest_window(p, rtt);
    }
    return (uint64_t)(rtt - s->base_rtt) << NSCC_NS_SHIFT;
}

/* N6: avg += min(1, dt / base_rtt) (delay - avg), or the sample itself. uet-htsim: avg += (delay - avg) / 80, where a
 * delay above target without a mark is base_rtt / 4. */
static void feed_average(struct nscc_rp *s, const struct nscc_profile *p, uint64_t delay, bool marked)
{
    const rcc_time since = s->w.rp.now - s->sampled_at;
    if (p->average == NSCC_AVERAGE_HTSIM)
    {
        delay = !marked && delay > p->target ? (uint64_t)s->base_rtt << (NSCC_NS_SHIFT - 2) : delay;
        s->avg = delay > s->avg ? s->avg + (delay - s->avg) / 80 : s->avg - (s->avg - delay) / 80;
    }
    else if (p->average == NSCC_AVERAGE_SAMPLE || since >= s->base_rtt)
        s->avg = delay;
    else if (delay > s->avg)
        s->avg += rcc_mul_div(delay - s->avg, (uint64_t)since, (uint64_t)s->base_rtt);
    else
        s->avg -= rcc_mul_div(s->avg - delay, (uint64_t)since, (uint64_t)s->base_rtt);
    s->sampled_at = s->w.rp.now;
}

/* N13, second half: a period ends at `now`, which may set the window to what was received in it. */
static bool end_period(struct nscc_rp *s, const struct nscc_profile *p, bool loss, uint64_t delay, uint64_t in_flight)
{
    const uint64_t gate = (s->max_window >> RCC_WINDOW_SHIFT) >> p->qa_gate;
    const bool act = s->qa_end != 0 && (s->trigger || loss || delay > p->qa_threshold) && s->achieved < gate;
    if (act) /* cwnd = max(achieved, MTU), to_ignore = inflight, ignored = 0, trigger = false */
    {
        set_window(s, p, s->achieved << RCC_WINDOW_SHIFT);
        s->to_ignore = in_flight;
        s->ignored = 0;
        s->trigger = false;
    }
    s->achieved = 0;
    s->qa_end = s->w.rp.now + s->base_rtt + (rcc_time)(p->target >> NSCC_NS_SHIFT);
    return act;
}

/* N13: QuickAdapt. Returns true if it acted or still ignores what was in flight when it did. */
static bool quick_adapt(struct nscc_rp *s, const struct nscc_profile *p, bool loss, bool marked, uint64_t delay,
                        uint64_t in_flight)
{
    bool result = false;
    if (!p->quick_adapt)
        return false;
    if (s->ignored < s->to_ignore && marked)
        result = true;
    else if (s->w.rp.now >= s->qa_end)
        result = end_period(s, p, loss, delay, in_flight);
    if (result)
        s->inc = s->received = 0;
    return result;
}

/* N10: delay ~ 0: fi_count += n; if fi_count > cwnd or fast: cwnd = min(cwnd + n fi_scale, max_wnd), fast = true;
 * otherwise, or with a delay, fast = false. Returns `fast`. */
static bool fast_increase(struct nscc_rp *s, const struct nscc_profile *p, uint64_t delay, uint64_t n)
{
    if (delay >= p->clear_delay)
    {
        s->fi_count = 0;
        s->fast = false;
        return false;
    }
    s->fi_count = s->fi_count < NSCC_BYTES_MAX ? s->fi_count + n : NSCC_BYTES_MAX;
    s->fast = s->fast || s->fi_count > s->w.window >> RCC_WINDOW_SHIFT;
    if (s->fast)
        s->w.window = grown(s, rcc_mul_div(n, p->fi_scale, (uint64_t)1 << (NSCC_SCALE_SHIFT - RCC_WINDOW_SHIFT)));
    return s->fast;
}

/* N11: fast = false, fi_count = 0; if avg > target and now - last_dec > base_rtt:
 * cwnd = max(MTU, cwnd max(1 - gamma (avg - target) / avg, max_md_jump)), last_dec = now */
static void decrease(struct nscc_rp *s, const struct nscc_profile *p)
{
    const uint64_t cwnd = s->w.window;
    uint64_t cut, most;
    s->fast = false;
    s->fi_count = 0;
    if (s->avg <= p->target || s->w.rp.now - s->last_dec <= s->base_rtt)
        return;
    cut = rcc_mul_div(rcc_mul_q62(cwnd, p->gamma), s->avg - p->target, s->avg);
    most = cwnd - rcc_mul_q62(cwnd, p->md_jump);
    set_window(s, p, cwnd - (cut < most ? cut : most));
    s->last_dec = s->w.rp.now;
}

/* N12: if now - last_adjust >= adjust_period or received > adjust_bytes: cwnd += inc / cwnd; after the period also
 * cwnd += eta, last_adjust = now; cwnd = min(cwnd, max_wnd); inc = received = 0 */
static void adjust(struct nscc_rp *s, const struct nscc_profile *p)
{
    const bool period = s->w.rp.now - s->last_adjust >= p->adjust_period;
    uint64_t by;
    if (!period && s->received <= p->adjust_bytes)
        return;
    by = s->inc != 0 ? (rcc_mul_div(s->inc, 2 * RCC_WINDOW_ONE, s->w.window) + 1) / 2 : 0; /* to nearest */
    by = (by < NSCC_WINDOW_MAX ? by : NSCC_WINDOW_MAX) + (period ? p->eta : 0);
    s->w.window = grown(s, by);
    if (period)
        s->last_adjust = s->w.rp.now;
    s->inc = s->received = 0;
}

/* N7: the receiver's penalty and its end. Returns true if there is a penalty: then nothing increases. */
static bool penalty(struct nscc_rp *s, const struct nscc_profile *p, const struct rcc_feedback *f, uint64_t n)
{
    const uint64_t flying =
        f->in_flight < NSCC_BYTES_MAX ? f->in_flight << RCC_WINDOW_SHIFT : NSCC_BYTES_MAX << RCC_WINDOW_SHIFT;
    if (f->penalty > 0) /* cwnd = max(MTU, min(cwnd, inflight) - floor(pend n / 128)), the cwnd before saved once */
    {
        if (s->saved == 0)
            s->saved = s->w.window;
        take_bytes(s, p, s->w.window < flying ? s->w.window : flying, f->penalty * n / 128);
    }
    else if (f->restore && s->saved != 0)
    {
        s->w.window = s->saved;
        s->saved = 0;
    }
    return f->penalty > 0;
}

/* alpha * ns, 2^-32 byte; ns in 2^-24. */
static uint64_t per_byte(const struct nscc_profile *p, uint64_t ns)
{
    return rcc_mul_div(p->alpha, ns, (uint64_t)1 << (NSCC_ALPHA_SHIFT + NSCC_NS_SHIFT - 32));
}

/* N8: delay >= target: inc += fi n. N9: else inc += alpha n (target - delay), unless N10 has raised cwnd. */
static void increase(struct nscc_rp *s, const struct nscc_profile *p, uint64_t delay, uint64_t n)
{
    if (delay >= p->target)
        collect(s, rcc_mul_div(p->fi, n, (uint64_t)1 << 16));
    else if (!fast_increase(s, p, delay, n))
        collect(s, rcc_mul_div(per_byte(p, p->target - delay), n, (uint64_t)1 << 16));
}

/* N12 follows every ACK with an RTT, unless QuickAdapt ends it: one of the fast increase or with a penalty too. */
static void on_ack(struct nscc_rp *s, const struct nscc_profile *p, const struct rcc_feedback *f, uint64_t n)
{
    const bool held = penalty(s, p, f, n);
    uint64_t delay;
    if (f->rtt < 0)
        return;
    delay = delay_of(s, p, f->rtt);
    feed_average(s, p, delay, f->ce);
    if (quick_adapt(s, p, false, f->ce, delay, f->in_flight))
        return;
    if (f->ce && delay >= p->target)
        decrease(s, p);
    else if (!f->ce && !held)
        increase(s, p, delay, n);
    adjust(s, p);
}

/* N14: the delay of a trimmed packet counts as a whole base RTT. */
static void on_trim(struct nscc_rp *s, const struct nscc_profile *p, const struct rcc_feedback *f, uint64_t n)
{
    if (f->rtt >= 0)
        delay_of(s, p, f->rtt);
    feed_average(s, p, (uint64_t)p->base_rtt << NSCC_NS_SHIFT, true);
    s->trigger = true;
    if (!quick_adapt(s, p, true, true, 0, f->in_flight))
        take_bytes(s, p, s->w.window, n);
}

void rcc_nscc_feedback(struct rcc_rp *rp, const struct rcc_feedback *f)
{
    struct nscc_rp *s = (struct nscc_rp *)rp;
    const struct nscc_profile *p = profile_of(s);
    const bool ack = f->kind == RCC_FEEDBACK_ACK, trim = f->kind == RCC_FEEDBACK_TRIM;
    const uint64_t n = rcc_clamp(ack ? f->acked : f->lost, 0, NSCC_BYTES_MAX);
    if (!ack && !trim && f->kind != RCC_FEEDBACK_LOSS && f->kind != RCC_FEEDBACK_TIMEOUT)
        return;
    s->ignored += n;
    if (f->in_flight != 0)
        s->idle_since = -1;
    else if (s->idle_since < 0)
        s->idle_since = rp->now;
    if (ack)
    {
        s->received += n;
        s->achieved += n;
        on_ack(s, p, f, n);
    }
    else if (trim)
    {
        on_trim(s, p, f, n);
    }
    else /* N15: cwnd = max(cwnd - n, MTU); a timeout counts as the loss of each packet */
    {
        take_bytes(s, p, s->w.window, n);
    }
}

void rcc_nscc_start(struct rcc_rp *rp)
{
    struct nscc_rp *s = (struct nscc_rp *)rp;
    const struct nscc_profile *p = profile_of(s);
    rp->rate = p->line;
    s->w.window = p->initial;
    s->max_window = p->max_window;
    s->base_rtt = p->base_rtt;
    s->sampled_at = s->last_adjust = s->last_dec = rp->now;
    s->idle_since = -1;
}

/* A flow that paused would find its period ended and nothing received in it. */
void rcc_nscc_sent(struct rcc_rp *rp, uint32_t bytes)
{
    struct nscc_rp *s = (struct nscc_rp *)rp;
    const struct nscc_profile *p = profile_of(s);
    (void)bytes;
    if (s->idle_since < 0)
        return;
    if (p->restart && rp->now - s->idle_since > s->base_rtt + (rcc_time)(p->target >> NSCC_NS_SHIFT))
    {
        s->qa_end = 0;
        s->achieved = 0;
    }
    s->idle_since = -1;
}

/* The state word is the average queueing delay, ns. */
void rcc_nscc_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const uint64_t ns = ((const struct nscc_rp *)rp)->avg >> NSCC_NS_SHIFT;
    *target = rp->rate;
    *alpha = 0;
    *state = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}
