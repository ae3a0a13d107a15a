/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Swift: G. Kumar et al., "Swift: Delay is Simple and Effective for Congestion
 * Control in the Datacenter", SIGCOMM 2020.
 *
 * The sender compares delays with targets. The receiver returns, with each ACK, the
 * time that the packet spent in it and the number of switches that the packet passed:
 *
 *     endpoint delay = remote          fabric delay = RTT - remote
 *     target = base + hops h + max(0, min(a / sqrt(fcwnd) + b, fs_range))
 *
 * There are two windows, in packets: fcwnd for the fabric delay and this target, ecwnd
 * for the averaged endpoint delay and a constant target. Both follow the same rules,
 * and the smaller one holds:
 *
 *     ACK, delay < target     cwnd += ai acked / cwnd, or ai acked below one packet
 *     ACK, delay >= target    cwnd *= max(1 - beta (delay - target) / delay, 1 - max_mdf)
 *     loss, timeout           cwnd *= 1 - max_mdf; after several timeouts cwnd = min_cwnd
 *
 * Decreases are at least an RTT apart. From one packet on the sender is clocked by ACKs
 * at line rate; below that it sends a packet per RTT / cwnd.
 */
#include "swift.h"

/* ------------------------------------------------------------------ parameters */

#define FIELDS(F)                                                                                                      \
    F(base_target, RCC_RP, RCC_UNIT_NS, 1, RCC_SEC, 25 * RCC_US, NULL,                                                 \
      "target of the fabric delay without hops and flow scaling",                                                      \
      "section 5, testbed T2; the value in production is not published")                                               \
    F(hop_delay, RCC_RP, RCC_UNIT_NS, 0, RCC_MS, 1 * RCC_US, NULL,                                                     \
      "h: what each switch on the path adds to the target; 0: the ACK carries no hop count",                           \
      "decision `hop_delay`; not verified: the paper gives no value")                                                  \
    F(fs_range, RCC_RP, RCC_UNIT_NS, 0, RCC_SEC, 100 * RCC_US, NULL,                                                   \
      "the most that flow scaling adds to the target; 0: no flow scaling",                                             \
      "decision `fs_range`; not verified: figure 5 has no number in its text")                                         \
    F(fs_min, RCC_RP, RCC_UNIT_RATIO, 1000, 1000000 * RCC_RATIO_ONE, RCC_RATIO_ONE / 10, NULL,                         \
      "window in packets up to which flow scaling adds fs_range", "decision `fs_range`; not verified")                 \
    F(fs_max, RCC_RP, RCC_UNIT_RATIO, 1000, 1000000 * RCC_RATIO_ONE, 100 * RCC_RATIO_ONE, NULL,                        \
      "window in packets from which on flow scaling adds nothing", "decision `fs_range`; not verified")                \
    F(ai, RCC_RP, RCC_UNIT_RATIO, 0, 100 * RCC_RATIO_ONE, 0, NULL,                                                     \
      "additive increase per RTT, packets; 0: 0.5 % of the BDP",                                                       \
      "decision `ai`: 0.5 % of the BDP, as PrioPlus; htsim: 1; the paper gives no value")                              \
    F(beta, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, 8 * RCC_RATIO_ONE / 10, NULL, "multiplicative decrease factor",  \
      "both htsim and PrioPlus; the paper gives no value")                                                             \
    F(max_mdf, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL, "largest decrease of one RTT",       \
      "simulator htsim; the paper gives no value, PrioPlus has 0.4")                                                   \
    F(min_cwnd, RCC_RP, RCC_UNIT_RATIO, 1000, RCC_RATIO_ONE, RCC_RATIO_ONE / 1000, NULL, "least window, packets",      \
      "section 3.3")                                                                                                   \
    F(max_cwnd, RCC_RP, RCC_UNIT_COUNT, 0, 16000000, 0, NULL, "largest window, packets; 0: four BDP",                  \
      "decision `max_cwnd`; the paper gives no value, htsim has 1000")                                                 \
    F(initial_cwnd, RCC_RP, RCC_UNIT_RATIO, 0, 1000000 * RCC_RATIO_ONE, 0, NULL, "first window, packets; 0: one BDP",  \
      "decision `initial_cwnd`; the paper: it has little effect")                                                      \
    F(retx_threshold, RCC_RP, RCC_UNIT_COUNT, 1, 1000, 5, NULL, "timeouts in a row that set the window to min_cwnd",   \
      "simulator htsim; the paper gives no value")                                                                     \
    F(endpoint, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                                \
      "a second window for the delay in the receiver; no: one target for the whole RTT, which is Swift v0",            \
      "section 3.2; table 4")                                                                                          \
    F(endpoint_target, RCC_RP, RCC_UNIT_NS, 1, RCC_SEC, 100 * RCC_US, NULL, "target of the endpoint delay", "table 4") \
    F(endpoint_ewma, RCC_RP, RCC_UNIT_RATIO, 1000, RCC_RATIO_ONE, RCC_RATIO_ONE / 8, NULL,                             \
      "weight of the newest endpoint delay in its average", "decision `endpoint_ewma`; the paper gives no value")      \
    F(rtt_ewma, RCC_RP, RCC_UNIT_RATIO, 1000, RCC_RATIO_ONE, RCC_RATIO_ONE, NULL,                                      \
      "weight of the newest RTT in the one that separates decreases and paces; 1: the ACK's own",                      \
      "decision `rtt_ewma`; htsim: 1/8")                                                                               \
    F(cut_clock, RCC_RP, RCC_UNIT_CHOICE, 0, CLOCK_PRINTED, CLOCK_DECREASE, "decrease|as-printed",                     \
      "what restarts the RTT between decreases: a smaller window, or one that is not larger", "decision `cut_clock`")  \
    F(base_rtt, RCC_RP, RCC_UNIT_NS, 0, WINDOWED_RTT_MAX, 0, NULL, "RTT for the BDP; 0: the host's",                   \
      "decision `base_rtt`")                                                                                           \
    F(window_rule, RCC_RP, RCC_UNIT_CHOICE, 0, WINDOWED_STARTS, WINDOWED_FITS, "fits|starts",                          \
      "a packet may leave if it fits into the window, or while less than the window is in flight",                     \
      "decision `window_rule`")                                                                                        \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_FROZEN, RCC_PACING_FOLLOW, "follow|frozen",                       \
      "below one packet, the gap after a packet follows each ACK, or is fixed when the packet leaves",                 \
      "decision `pacing`; htsim: frozen")

enum
{
    CLOCK_DECREASE,
    CLOCK_PRINTED
};

enum
{
    FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);
RCC_CHECK_PROFILE(struct swift_profile);
_Static_assert(sizeof(struct swift_rp) <= RCC_RP_SIZE_MAX, "struct swift_rp is no RP's state");

/* Values of htsim's swift.cpp; times that it derives from the base RTT are those of 20 us. */
static const struct rcc_preset_value preset_htsim[] = {{P_base_target, 20 * RCC_US}, {P_hop_delay, 3053},
                                                       {P_ai, RCC_RATIO_ONE},        {P_max_cwnd, 1000},
                                                       {P_endpoint, RCC_NO},         {P_rtt_ewma, RCC_RATIO_ONE / 8},
                                                       {P_pacing, RCC_PACING_FROZEN}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "the paper's values where it has one, else those that public code agrees on"},
    RCC_PRESET("htsim", "public simulator htsim: no endpoint window, smoothed RTT, at most 1000 packets", preset_htsim),
    {.name = NULL}};

/* ------------------------------------------------------------------ configuration */

/* A number of packets in parts per billion, as a window; ppb <= 1e15. */
static uint64_t packets(int64_t ppb)
{
    return rcc_mul_div((uint64_t)ppb, SWIFT_PACKET, (uint64_t)RCC_RATIO_ONE);
}

/* 2^31.5 sqrt(fs_min / cwnd), for cwnd >= fs_min. */
static uint64_t inverse_root(const struct swift_profile *p, uint64_t cwnd)
{
    return rcc_sqrt(rcc_mul_div(p->fs_min, (uint64_t)1 << 63, cwnd));
}

/* One BDP of the line. Below a packet it is rounded up: it is paced, and the first packets leave at line rate. */
static uint64_t first_window(const struct swift_profile *s, const struct rcc_env *env, uint64_t bdp)
{
    const uint64_t line = windowed_line(env), cwnd = rcc_mul_div(bdp, SWIFT_PACKET >> RCC_WINDOW_SHIFT, s->mtu);
    if (cwnd >= SWIFT_PACKET)
        return cwnd;
    return rcc_mul_div(line << 19, (uint64_t)s->base_rtt << 19, 8 * (uint64_t)RCC_SEC * s->mtu) + 1; /* 2^38 */
}

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return rcc_require_at_most(fields, p, P_fs_min, p[P_fs_max] / 2, "fs_min is above half of fs_max", error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct swift_profile *s = (struct swift_profile *)profile;
    const uint64_t unit = SWIFT_PACKET >> RCC_WINDOW_SHIFT;
    uint64_t bdp;
    s->line = env->line_rate << RCC_RATE_SHIFT;
    s->mtu = (uint32_t)windowed_mtu(env);
    s->base_rtt = windowed_rtt(p[P_base_rtt], env);
    bdp = rcc_bdp(windowed_line(env), s->base_rtt);
    s->min_cwnd = packets(p[P_min_cwnd]);
    s->max_cwnd = p[P_max_cwnd] != 0 ? (uint64_t)p[P_max_cwnd] * SWIFT_PACKET : rcc_mul_div(bdp, 4 * unit, s->mtu);
    s->max_cwnd = rcc_clamp(s->max_cwnd, SWIFT_PACKET, SWIFT_CWND_MAX);
    s->initial = p[P_initial_cwnd] != 0 ? packets(p[P_initial_cwnd]) : first_window(s, env, bdp);
    s->initial = rcc_clamp(s->initial, s->min_cwnd, s->max_cwnd);
    s->base_target = (uint64_t)p[P_base_target] << SWIFT_NS_SHIFT;
    s->hop = (uint64_t)p[P_hop_delay] << SWIFT_NS_SHIFT;
    s->e_target = (uint64_t)p[P_endpoint_target] << SWIFT_NS_SHIFT;
    s->fs_range = (uint64_t)p[P_fs_range] << SWIFT_NS_SHIFT;
    s->fs_min = packets(p[P_fs_min]);
    s->fs_max = packets(p[P_fs_max]);
    s->fs_root = inverse_root(s, s->fs_max);
    s->fs_span = inverse_root(s, s->fs_min) - s->fs_root;
    s->ai = p[P_ai] != 0 ? packets(p[P_ai]) : rcc_mul_div(bdp, unit, 200 * (uint64_t)s->mtu);
    s->beta = rcc_ratio_q62(p[P_beta]);
    s->max_mdf = rcc_ratio_q62(p[P_max_mdf]);
    s->e_weight = rcc_ratio_q62(p[P_endpoint_ewma]);
    s->rtt_weight = rcc_ratio_q62(p[P_rtt_ewma]);
    s->retx_threshold = (uint32_t)p[P_retx_threshold];
    s->endpoint = p[P_endpoint] == RCC_YES;
    s->as_printed = p[P_cut_clock] == CLOCK_PRINTED;
    s->base.frozen = p[P_pacing] == RCC_PACING_FROZEN;
    if (!s->endpoint)
    {
        s->base.needs.wants &= (uint16_t)~RCC_WANT_REMOTE_DELAY;
        s->base.needs.ack_extra -= SWIFT_REMOTE_BYTES;
    }
    if (s->hop == 0)
    {
        s->base.needs.wants &= (uint16_t)~RCC_WANT_HOPS;
        s->base.needs.ack_extra -= SWIFT_HOPS_BYTES;
    }
    if (p[P_window_rule] == WINDOWED_STARTS)
        s->base.needs.wants &= (uint16_t)~RCC_WANT_WINDOW_FITS;
}

/* ------------------------------------------------------------------ reaction point */

static const struct swift_profile *profile_of(const struct swift_rp *s)
{
    return (const struct swift_profile *)(const void *)s->w.rp.profile;
}

/* avg += weight (sample - avg) */
static int64_t average(int64_t avg, int64_t sample, uint64_t weight)
{
    if (avg < 0)
        return sample;
    return sample >= avg ? avg + (int64_t)rcc_mul_q62((uint64_t)(sample - avg), weight)
                         : avg - (int64_t)rcc_mul_q62((uint64_t)(avg - sample), weight);
}

/* S1: target = base + hops h + max(0, min(a / sqrt(fcwnd) + b, fs_range)), 2^-16 ns, where
 * a = fs_range / (1/sqrt(fs_min) - 1/sqrt(fs_max)) and b = -a / sqrt(fs_max) */
static uint64_t fabric_target(const struct swift_profile *p, uint64_t cwnd, uint8_t hops)
{
    const uint64_t target = p->base_target + hops * p->hop;
    if (p->fs_range == 0 || cwnd >= p->fs_max)
        return target;
    if (cwnd <= p->fs_min)
        return target + p->fs_range;
    return target + rcc_mul_div(p->fs_range, inverse_root(p, cwnd) - p->fs_root, p->fs_span);
}

/* S4: can_decrease = now - t_dec >= rtt */
static bool can_decrease(const struct swift_rp *s, const struct swift_window *w)
{
    const rcc_time since = s->w.rp.now - w->cut_at;
    return w->cut_at < 0 || since > SWIFT_RTT_MAX || since * SWIFT_NS >= s->rtt;
}

/* S5: cwnd = rcc_clamp(cwnd, min_cwnd, max_cwnd); S6: if cwnd < cwnd_before: t_dec = now. As printed: "<=". */
static void set_window(struct swift_rp *s, const struct swift_profile *p, struct swift_window *w, uint64_t cwnd)
{
    cwnd = rcc_clamp(cwnd, p->min_cwnd, p->max_cwnd);
    if (cwnd < w->cwnd || (p->as_printed && cwnd == w->cwnd))
        w->cut_at = s->w.rp.now;
    w->cwnd = cwnd;
}

/* S2, S3. `gain` is ai acked, 2^-38 packet; delays are 2^-16 ns. */
static void on_delay(struct swift_rp *s, const struct swift_profile *p, struct swift_window *w, uint64_t delay,
                     uint64_t target, uint64_t gain)
{
    uint64_t cwnd = w->cwnd;
    if (delay < target) /* cwnd += ai acked / cwnd if cwnd >= 1, else cwnd += ai acked */
    {
        if (cwnd >= SWIFT_PACKET)
            gain = rcc_mul_div(gain, SWIFT_PACKET, cwnd);
        cwnd += gain < SWIFT_CWND_MAX ? gain : SWIFT_CWND_MAX;
    }
    else if (can_decrease(s, w)) /* cwnd *= max(1 - beta (delay - target) / delay, 1 - max_mdf) */
    {
        const uint64_t cut = rcc_mul_div(rcc_mul_q62(cwnd, p->beta), delay - target, delay);
        const uint64_t most = rcc_mul_q62(cwnd, p->max_mdf);
        cwnd -= cut < most ? cut : most;
    }
    set_window(s, p, w, cwnd);
}

/* S7, S8: if can_decrease: cwnd *= 1 - max_mdf; `reset`: cwnd = min_cwnd. */
static void on_loss(struct swift_rp *s, const struct swift_profile *p, struct swift_window *w, bool reset)
{
    uint64_t cwnd = w->cwnd;
    if (reset)
        cwnd = p->min_cwnd;
    else if (can_decrease(s, w))
        cwnd -= rcc_mul_q62(cwnd, p->max_mdf);
    set_window(s, p, w, cwnd);
}

/* S9: gap = rtt / cwnd if cwnd < 1, which is the rate cwnd frame / rtt, 2^-16 bit/s; otherwise the line rate */
static uint64_t rate_of(const struct swift_rp *s, const struct swift_profile *p, uint64_t cwnd)
{
    const uint64_t rtt = s->rtt > SWIFT_NS ? (uint64_t)s->rtt : SWIFT_NS;
    const uint64_t scale = (uint64_t)1 << (38 - SWIFT_NS_SHIFT - RCC_RATE_SHIFT);
    if (cwnd >= SWIFT_PACKET)
        return p->line;
    return rcc_clamp(rcc_mul_div(cwnd, (uint64_t)s->frame * 8 * (uint64_t)RCC_SEC, rtt * scale), RCC_RATE_ONE, p->line);
}

/* The flow obeys min(fcwnd, ecwnd), and at least one packet may be in flight. */
static void publish(struct swift_rp *s, const struct swift_profile *p)
{
    const uint64_t cwnd = s->fabric.cwnd < s->endpoint.cwnd ? s->fabric.cwnd : s->endpoint.cwnd;
    s->w.window = rcc_mul_shift(cwnd > SWIFT_PACKET ? cwnd : SWIFT_PACKET, p->mtu, 38 - RCC_WINDOW_SHIFT);
    rcc_rp_set_rate(&s->w.rp, s->w.rp.now, rate_of(s, p, cwnd));
}

static void rp_start(struct rcc_rp *rp)
{
    struct swift_rp *s = (struct swift_rp *)rp;
    const struct swift_profile *p = profile_of(s);
    s->fabric = (struct swift_window){p->initial, -1};
    /* a window that does not bind stays at the ceiling */
    s->endpoint = (struct swift_window){p->endpoint ? p->initial : p->max_cwnd, -1};
    s->e_delay = -1;
    s->rtt = p->base_rtt * SWIFT_NS;
    s->frame = p->mtu;
    publish(s, p);
}

/* Frames are larger than the payload of the MTU: pacing is for those of full packets. */
static void rp_sent(struct rcc_rp *rp, uint32_t bytes)
{
    struct swift_rp *s = (struct swift_rp *)rp;
    if (bytes > s->frame)
        s->frame = bytes < RCC_FRAME_MAX ? bytes : RCC_FRAME_MAX;
}

static void on_rtt(struct swift_rp *s, const struct swift_profile *p, rcc_time rtt)
{
    const int64_t sample = (rtt < SWIFT_RTT_MAX ? rtt : SWIFT_RTT_MAX) * SWIFT_NS;
    s->rtt = average(s->heard ? s->rtt : -1, sample, p->rtt_weight);
    s->heard = true;
}

static void on_ack(struct swift_rp *s, const struct swift_profile *p, const struct rcc_feedback *f)
{
    const rcc_time rtt = f->rtt < SWIFT_RTT_MAX ? f->rtt : SWIFT_RTT_MAX;
    const uint64_t gain = rcc_mul_div(f->acked, p->ai, p->mtu);
    /* appendix B: fabric delay = RTT - endpoint delay, not averaged */
    rcc_time remote = p->endpoint && f->remote > 0 ? f->remote : 0;
    remote = remote < rtt ? remote : rtt;
    s->target = fabric_target(p, s->fabric.cwnd, f->hops);
    on_delay(s, p, &s->fabric, (uint64_t)(rtt - remote) << SWIFT_NS_SHIFT, s->target, gain);
    if (!p->endpoint)
        return;
    s->e_delay = average(s->e_delay, remote * SWIFT_NS, p->e_weight);
    on_delay(s, p, &s->endpoint, (uint64_t)s->e_delay, p->e_target, gain);
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *f)
{
    struct swift_rp *s = (struct swift_rp *)rp;
    const struct swift_profile *p = profile_of(s);
    const bool ack = f->kind == RCC_FEEDBACK_ACK, loss = f->kind == RCC_FEEDBACK_LOSS;
    if (!ack && !loss && f->kind != RCC_FEEDBACK_TIMEOUT)
        return;
    if ((ack || loss) && f->rtt >= 0)
        on_rtt(s, p, f->rtt);
    s->retx = ack || loss ? 0 : rcc_stage_add(s->retx, 1);
    if (!ack)
    {
        on_loss(s, p, &s->fabric, s->retx >= p->retx_threshold);
        if (p->endpoint)
            on_loss(s, p, &s->endpoint, s->retx >= p->retx_threshold);
    }
    else if (f->rtt >= 0)
    {
        on_ack(s, p, f);
    }
    publish(s, p);
}

/* The state word is the fabric delay's target, ns. */
static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct swift_rp *s = (const struct swift_rp *)rp;
    *target = rp->rate;
    *alpha = 0;
    *state = (uint32_t)(s->target >> SWIFT_NS_SHIFT); /* 2 s and 255 ms at most */
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct swift_rp),
                                         .profile_size = sizeof(struct swift_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .sent = rp_sent,
                                         .feedback = rp_feedback,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_swift = {.name = "swift",
                                                  .title = "Swift",
                                                  .source = "Kumar et al., SIGCOMM 2020",
                                                  .fields = fields,
                                                  .n_fields = N_FIELDS,
                                                  .presets = presets,
                                                  .rp = &rp_ops,
                                                  .needs = {.wants = RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS |
                                                                     RCC_WANT_ACK_PER_PACKET | RCC_WANT_RTT |
                                                                     RCC_WANT_HOPS | RCC_WANT_REMOTE_DELAY,
                                                            .ack_extra = SWIFT_REMOTE_BYTES + SWIFT_HOPS_BYTES}};
