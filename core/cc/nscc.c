/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * NSCC: network signal congestion control of the Ultra Ethernet transport,
 * specification 1.0, section 3.6.13. The text was read in translation; values that
 * need the original say so.
 *
 * One window in bytes, clocked by ACKs, without pacing. An ACK has the CE mark of
 * its packet and an RTT; what exceeds the shortest RTT is the queueing delay:
 *
 *                    delay < target                   delay >= target
 *     no mark    proportional or fast increase         fair increase
 *     mark                nothing           cwnd *= max(1 - gamma (avg - target) / avg, max_md_jump)
 *
 * Increments are collected and applied once per adjust_period or adjust_bytes. When a
 * packet was trimmed or the delay is far too long, QuickAdapt sets the window to what
 * was received in the last period. nscc_rp.c has the reaction point's rules.
 */
#include "nscc.h"

/* ------------------------------------------------------------------ parameters */

#define FIELDS(F)                                                                                                      \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 0, NULL,                                                         \
      "queue below which nothing is marked; 0: 0.2 BDP of the port", "section 3.6.17, not verified")                   \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 0, NULL,                                                         \
      "queue above which everything is marked; 0: 0.8 BDP of the port", "section 3.6.17, not verified")                \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE, NULL, "marking probability at kmax",              \
      "section 3.6.17, not verified")                                                                                  \
    F(mark_at, RCC_CP, RCC_UNIT_CHOICE, 0, RCC_MARK_AT_ENQUEUE, RCC_MARK_AT_DEQUEUE, "dequeue|enqueue",                \
      "where the queue is read and the frame marked", "section 3.6.17, not verified")                                  \
    F(trimming, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes", "switches trim packets in place of drops",     \
      "section 3.6.13")                                                                                                \
    F(base_rtt, RCC_RP, RCC_UNIT_NS, 0, WINDOWED_RTT_MAX, 0, NULL,                                                     \
      "config_base_rtt: longest RTT of the fabric without queues; 0: the host's", "table 3-82; decision `base_rtt`")   \
    F(target, RCC_RP, RCC_UNIT_RATIO, 0, 100 * RCC_RATIO_ONE, 0, NULL,                                                 \
      "target_qdelay in base RTTs; 0: 0.75 with trimming, 1 without", "table 3-82")                                    \
    F(max_window, RCC_RP, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100, 100 * RCC_RATIO_ONE, 3 * RCC_RATIO_ONE / 2, NULL,       \
      "MaxWnd: largest window in BDP", "table 3-82")                                                                   \
    F(initial_cwnd, RCC_RP, RCC_UNIT_RATIO, 0, 1000000 * RCC_RATIO_ONE, 0, NULL,                                       \
      "first window, packets, at most MaxWnd; 0: MaxWnd", "section 3.6.13: MaxWnd; uet-htsim: an option of a run")     \
    F(ref_rate, RCC_RP, RCC_UNIT_BPS, 1 * RCC_GBPS, 1600 * RCC_GBPS, 100 * RCC_GBPS, NULL,                             \
      "rate of the reference network, for which the gains are given", "table 3-82")                                    \
    F(ref_rtt, RCC_RP, RCC_UNIT_NS, 100, RCC_SEC, 12 * RCC_US, NULL, "RTT of the reference network", "table 3-82")     \
    F(alpha, RCC_RP, RCC_UNIT_RATIO, 0, 100 * RCC_RATIO_ONE, 4 * RCC_RATIO_ONE, NULL,                                  \
      "gain of the proportional increase, MTU", "table 3-82")                                                          \
    F(fi, RCC_RP, RCC_UNIT_RATIO, 0, 100 * RCC_RATIO_ONE, 5 * RCC_RATIO_ONE, NULL, "gain of the fair increase, MTU",   \
      "table 3-82")                                                                                                    \
    F(fi_scale, RCC_RP, RCC_UNIT_RATIO, 0, 100 * RCC_RATIO_ONE, RCC_RATIO_ONE / 4, NULL,                               \
      "fast increase per acknowledged byte", "table 3-82")                                                             \
    F(eta, RCC_RP, RCC_UNIT_RATIO, 0, 100 * RCC_RATIO_ONE, 15 * RCC_RATIO_ONE / 100, NULL,                             \
      "increase per adjust_period, MTU", "table 3-82")                                                                 \
    F(gamma, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, 8 * RCC_RATIO_ONE / 10, NULL, "gain of the decrease",           \
      "table 3-82")                                                                                                    \
    F(max_md_jump, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL,                                  \
      "a decrease leaves at least this part of the window", "table 3-82")                                              \
    F(quick_adapt, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                             \
      "QuickAdapt: after a trim or a long delay the window becomes what was received in the last period",              \
      "table 3-82")                                                                                                    \
    F(qa_gate, RCC_RP, RCC_UNIT_COUNT, 0, 40, 3, NULL, "QuickAdapt acts if less than MaxWnd / 2^qa_gate was received", \
      "table 3-82")                                                                                                    \
    F(qa_threshold, RCC_RP, RCC_UNIT_RATIO, 0, 100 * RCC_RATIO_ONE, 0, NULL,                                           \
      "delay in targets above which QuickAdapt may act; 0: none with trimming, 4 without", "table 3-82")               \
    F(adjust_bytes, RCC_RP, RCC_UNIT_COUNT, 0, 1000, 8, NULL, "increments are applied after more than this, MTU",      \
      "table 3-82")                                                                                                    \
    F(adjust_period, RCC_RP, RCC_UNIT_NS, 0, RCC_SEC, 0, NULL, "increments are applied after this time; 0: base_rtt",  \
      "table 3-82")                                                                                                    \
    F(average, RCC_RP, RCC_UNIT_CHOICE, 0, NSCC_AVERAGE_HTSIM, NSCC_AVERAGE_TIME, "time|sample|uet-htsim",             \
      "average delay: over the last base RTT, each sample with the time since the one before; the last sample; or as " \
      "uet-htsim, 1/80 of each sample, where no mark above target counts as a quarter of the base RTT",                \
      "decision `average`; the specification leaves it to implementations")                                            \
    F(clear_delay, RCC_RP, RCC_UNIT_NS, 1, RCC_SEC, 1 * RCC_US, NULL,                                                  \
      "a shorter delay is none: it counts for the fast increase", "decision `clear_delay`; htsim: 1 us")               \
    F(after_idle, RCC_RP, RCC_UNIT_CHOICE, 0, IDLE_KEEP, IDLE_RESTART, "restart|keep",                                 \
      "what a pause of more than base RTT and target does to the open QuickAdapt period", "decision `after_idle`")

enum
{
    IDLE_RESTART,
    IDLE_KEEP
};

enum
{
    FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);
RCC_CHECK_PROFILE(struct nscc_profile);
_Static_assert(sizeof(struct nscc_rp) <= RCC_RP_SIZE_MAX, "struct nscc_rp is no RP's state");

static const struct rcc_preset_value preset_no_trimming[] = {{P_trimming, RCC_NO}};

static const struct rcc_preset presets[] = {
    {.name = "uec", .help = "the specification's defaults, for a fabric that trims packets"},
    RCC_PRESET("uec-no-trimming", "the same for a fabric that drops packets or pauses", preset_no_trimming),
    {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

static bool cp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return p[P_kmax] == 0 || rcc_require_at_most(fields, p, P_kmin, p[P_kmax], "kmin is above kmax", error);
}

/* Section 3.6.17: marks from 0.2 to 0.8 BDP. One given threshold bounds the other. */
static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    const uint64_t bdp = rcc_bdp(env->line_rate, windowed_rtt(p[P_base_rtt], env)) >> RCC_WINDOW_SHIFT;
    int64_t kmin = p[P_kmin] != 0 ? p[P_kmin] : (int64_t)(bdp / 5);
    int64_t kmax = p[P_kmax] != 0 ? p[P_kmax] : (int64_t)(bdp / 5 * 4);
    if (kmin > kmax)
    {
        if (p[P_kmin] != 0)
            kmax = kmin;
        else
            kmin = kmax;
    }
    rcc_red_derive((struct rcc_red_profile *)profile, env, kmin, kmax, p[P_pmax], (enum rcc_mark_at)p[P_mark_at]);
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_ECN_CAPABLE,
                                         .size = sizeof(struct rcc_red_cp),
                                         .profile_size = sizeof(struct rcc_red_profile),
                                         .check = cp_check,
                                         .derive = cp_derive,
                                         .start = rcc_red_start};

/* ------------------------------------------------------------------ configuration of the reaction point */

/* gain * unit * scaling_a, at most NSCC_GAIN_MAX. N2: scaling_a = BDP / (ref_rate ref_rtt) */
static uint64_t scaled(int64_t gain, uint64_t unit, uint64_t bdp, uint64_t ref_bdp)
{
    const uint64_t v = rcc_mul_div(rcc_mul_ratio(unit, gain, NSCC_GAIN_MAX), bdp, ref_bdp);
    return v < NSCC_GAIN_MAX ? v : NSCC_GAIN_MAX;
}

static void derive_gains(const int64_t *p, struct nscc_profile *n)
{
    const uint64_t bdp = rcc_bdp(n->path_rate, n->base_rtt);
    const uint64_t ref = rcc_bdp((uint64_t)p[P_ref_rate], p[P_ref_rtt]);
    n->fi = scaled(p[P_fi], n->mtu << 16, bdp, ref);                                /* N3: fi = 5 MTU scaling_a */
    n->fi_scale = scaled(p[P_fi_scale], (uint64_t)1 << NSCC_SCALE_SHIFT, bdp, ref); /* N3: fi_scale = 0.25 scaling_a */
    n->eta = scaled(p[P_eta], n->mtu << 16, bdp, ref) >> 16;                        /* N4: eta = 0.15 MTU scaling_a */
    /* N4: alpha = 4 MTU scaling_a scaling_b / target, with N2: scaling_b = target / ref_rtt */
    n->alpha = scaled(p[P_alpha], (n->mtu << (NSCC_ALPHA_SHIFT - RCC_WINDOW_SHIFT)) / (uint64_t)p[P_ref_rtt], bdp, ref);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct nscc_profile *n = (struct nscc_profile *)profile;
    const bool trims = p[P_trimming] == RCC_YES;
    int64_t target = p[P_target], threshold = p[P_qa_threshold];
    n->line = env->line_rate << RCC_RATE_SHIFT;
    n->path_rate = windowed_line(env);
    n->mtu = windowed_mtu(env) << RCC_WINDOW_SHIFT;
    n->base_rtt = windowed_rtt(p[P_base_rtt], env);
    n->window_ratio = p[P_max_window];
    n->max_window = rcc_nscc_largest_window(n, n->base_rtt);
    n->initial = p[P_initial_cwnd] != 0 ? rcc_mul_ratio(n->mtu, p[P_initial_cwnd], NSCC_WINDOW_MAX) : n->max_window;
    n->initial = rcc_clamp(n->initial, n->mtu, n->max_window);
    /* N1: target = 0.75 config_base_rtt with trimming, 1.0 without */
    if (target == 0)
        target = trims ? 3 * RCC_RATIO_ONE / 4 : RCC_RATIO_ONE;
    n->target = rcc_mul_ratio((uint64_t)n->base_rtt << NSCC_NS_SHIFT, target, UINT64_MAX);
    derive_gains(p, n);
    n->gamma = rcc_ratio_q62(p[P_gamma]);
    n->md_jump = rcc_ratio_q62(p[P_max_md_jump]);
    n->quick_adapt = p[P_quick_adapt] == RCC_YES;
    n->qa_gate = (uint32_t)p[P_qa_gate];
    if (threshold == 0 && !trims)
        threshold = 4 * RCC_RATIO_ONE;
    n->qa_threshold = threshold != 0 ? rcc_mul_ratio(n->target, threshold, UINT64_MAX) : UINT64_MAX;
    n->adjust_bytes = (uint64_t)p[P_adjust_bytes] * (n->mtu >> RCC_WINDOW_SHIFT);
    n->adjust_period = p[P_adjust_period] != 0 ? p[P_adjust_period] : n->base_rtt;
    n->clear_delay = (uint64_t)p[P_clear_delay] << NSCC_NS_SHIFT;
    n->average = (enum nscc_average)p[P_average];
    n->restart = p[P_after_idle] == IDLE_RESTART;
    if (!trims)
        n->base.needs.wants &= (uint16_t)~RCC_WANT_TRIM;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct nscc_rp),
                                         .profile_size = sizeof(struct nscc_profile),
                                         .derive = rp_derive,
                                         .start = rcc_nscc_start,
                                         .sent = rcc_nscc_sent,
                                         .feedback = rcc_nscc_feedback,
                                         .observe = rcc_nscc_observe};

const struct rcc_algorithm rcc_algorithm_nscc = {.name = "nscc",
                                                 .title = "NSCC",
                                                 .source = "Ultra Ethernet specification 1.0, section 3.6.13",
                                                 .fields = fields,
                                                 .n_fields = N_FIELDS,
                                                 .presets = presets,
                                                 .cp = &cp_ops,
                                                 .rp = &rp_ops,
                                                 .needs = {.wants = RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS |
                                                                    RCC_WANT_ACK_PER_PACKET | RCC_WANT_CE |
                                                                    RCC_WANT_RTT | RCC_WANT_TRIM | RCC_WANT_IN_FLIGHT,
                                                           .ack_extra = NSCC_ACK_BYTES}};
