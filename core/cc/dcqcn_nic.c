/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN of NICs: DCQCN (dcqcn.c) with the settings that NICs and simulators have beside the paper's parameters. Each
 * of them is off by default, and the algorithm is then the paper's.
 *
 *   CP  where the queue is read; marking of every n-th frame
 *   NP  a limit of all CNPs of a NIC (cnp_generation). Flows whose marks find it busy queue for the next CNP, in turn,
 *       or the last of them has it (cnp_busy): a queue notifies all flows equally often, whatever their rates, and the
 *       last mark is more often one of a fast flow
 *   RP  the depth of a cut, the least time between two cuts, whether a cut sets RT, slow start, alpha's start
 */
#include "dcqcn.h"

/* ------------------------------------------------------------------ parameters */

/* Choices, in the order of the names in their fields. */
enum np_rule
{
    NP_RULE_WINDOW_END,
    NP_RULE_NEXT_MARK
};

enum cnp_busy
{
    CNP_BUSY_QUEUE,
    CNP_BUSY_LAST
};

enum hai_steps
{
    HAI_STEPS_GROWING,
    HAI_STEPS_CONSTANT
};

#define FIELDS(F)                                                                                                      \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 5 * RCC_KB, NULL, "queue below which nothing is marked",         \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 200 * RCC_KB, NULL, "queue above which everything is marked",    \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL, "marking probability at kmax",        \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(mark_at, RCC_CP, RCC_UNIT_CHOICE, 0, RCC_MARK_AT_ENQUEUE, RCC_MARK_AT_DEQUEUE, "dequeue|enqueue",                \
      "where the queue is read and the frame marked", "both public simulators mark at dequeue")                        \
    F(cnp_interval, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, 50 * RCC_US, NULL,                                                \
      "N: a flow gets at most one CNP in this time; 0 = one per marked packet that finds none waiting",                \
      "SIGCOMM'15 fig. 6")                                                                                             \
    F(cnp_generation, RCC_NP, RCC_UNIT_NS, 0, RCC_MS, 0, NULL,                                                         \
      "the NIC makes at most one CNP in this time, over all flows; 0 = no limit", "ICNP'18 III.D")                     \
    F(np_rule, RCC_NP, RCC_UNIT_CHOICE, 0, NP_RULE_NEXT_MARK, NP_RULE_WINDOW_END, "window-end|next-mark",              \
      "when a flow marked within cnp_interval is notified: as the interval ends, or at its next mark after that",      \
      "SIGCOMM'15 fig. 6")                                                                                             \
    F(timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                         \
      "K: period of the rate increase timer (rpg_time_reset)", "SIGCOMM'15 section 5")                                 \
    F(byte_counter, RCC_RP, RCC_UNIT_BYTES, 0, 1000000 * RCC_MB, 10 * RCC_MB, NULL,                                    \
      "B: bytes per step of the byte counter (rpg_byte_reset); 0 = timer only", "SIGCOMM'15 section 5")                \
    F(alpha_timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                   \
      "alpha decays once per this time without a CNP (dce_tcp_rtt)", "SIGCOMM'15 eq. 2")                               \
    F(alpha_restart, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes", "a CNP restarts the alpha timer",         \
      "decision `alpha_restart`")                                                                                      \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 256, NULL, "gain of alpha (dce_tcp_g)",             \
      "SIGCOMM'15 eq. 1, 2")                                                                                           \
    F(initial_alpha, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE, NULL, "alpha before the first CNP",      \
      "CoNEXT'16 Matlab; the original simulator has 0.5")                                                              \
    F(cut_ratio, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL,                                    \
      "a CNP cuts the rate by this times alpha", "ICNP'18 eq. 2")                                                      \
    F(rate_reduce_period, RCC_RP, RCC_UNIT_NS, 0, RCC_SEC, 0, NULL,                                                    \
      "CNPs sooner than this after a cut are ignored (rate_reduce_monitor_period)", "ICNP'18 III.B")                   \
    F(clamp_target, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                            \
      "every cut sets the target rate, also when the rate has not increased since the last one (clamp_tgt_rate)",      \
      "ICNP'18 eq. 1")                                                                                                 \
    F(f, RCC_RP, RCC_UNIT_COUNT, 1, 1000, 5, NULL, "F: stages of fast recovery (rpg_threshold)", "SIGCOMM'15 sec. 5")  \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 40 * RCC_MBPS, NULL, "additive increase step (rpg_ai_rate)",     \
      "ICNP'18 eq. 6")                                                                                                 \
    F(r_hai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL, "hyper increase step (rpg_hai_rate)",     \
      "ICNP'18 eq. 8")                                                                                                 \
    F(hai_steps, RCC_RP, RCC_UNIT_CHOICE, 0, HAI_STEPS_CONSTANT, HAI_STEPS_GROWING, "growing|constant",                \
      "hyper increase adds r_hai times the stages past F, or r_hai", "ICNP'18 eq. 8; constant in the HPCC simulator")  \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 1 * RCC_MBPS, NULL, "least rate (rpg_min_rate)",             \
      "ICNP'18 eq. 3; the NIC vendor's default")                                                                       \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_FROZEN, RCC_PACING_FOLLOW, "follow|frozen",                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves", "decision `pacing`")          \
    F(mark_every, RCC_CP, RCC_UNIT_COUNT, 0, 1000000000, 0, NULL,                                                      \
      "every n-th frame is marked, whatever the queue; 0 = as kmin, kmax and pmax say", "Lumina SIGCOMM'23 sec. 6")    \
    F(min_dec_fac, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, 0, NULL,                                                  \
      "a cut leaves at least this part of the rate (rpg_min_dec_fac)", "NVIDIA's page on DCQCN parameters")            \
    F(first_cnp_rate, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 0, NULL,                                               \
      "the first CNP cuts to this rate; 0 = a cut like any other (rate_to_set_on_first_cnp)",                          \
      "NVIDIA's page on DCQCN parameters")                                                                             \
    F(clamp_after_time, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                        \
      "without clamp_target, a cut sets the target rate after an increase by timer too, not only after one by bytes "  \
      "(clamp_tgt_rate_after_time_inc)",                                                                               \
      "NVIDIA's page on DCQCN parameters")                                                                             \
    F(start_rate, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 0, NULL,                                                   \
      "slow start: a queue pair begins at this rate and recovers towards line rate as after a cut; 0 = at line rate",  \
      "no NIC's rule is published")                                                                                    \
    F(cnp_busy, RCC_NP, RCC_UNIT_CHOICE, 0, CNP_BUSY_LAST, CNP_BUSY_QUEUE, "queue|last",                               \
      "a mark within cnp_generation of the NIC's last CNP: its flow queues for the next one, or the last such mark "   \
      "has it",                                                                                                        \
      "decision `cnp_busy`")

enum
{
    FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[N_FIELDS] = {FIELDS(RCC_FIELD_ENTRY)};

/* ICNP'18 III.C, as the preset of dcqcn.c: an extra may be set over it. */
static const struct rcc_preset_value preset_paper_10g[] = {{P_r_ai, 10 * RCC_MBPS}, {P_r_hai, 25 * RCC_MBPS}};

/* ICNP'18 table I; one CNP per microsecond and NIC from III.D. */
static const struct rcc_preset_value preset_cx4[] = {
    {P_timer, 300 * RCC_US},           {P_byte_counter, 2 * RCC_MB}, {P_r_ai, 5 * RCC_MBPS},
    {P_r_hai, 40 * RCC_MBPS},          {P_cnp_interval, 0},          {P_cnp_generation, 1 * RCC_US},
    {P_rate_reduce_period, 4 * RCC_US}};

/* config.txt of the original ns3-rdma, and the constants in its code: initial alpha and least rate. Packets have 1030
 * bytes. */
static const struct rcc_preset_value preset_ns3_rdma[] = {
    {P_kmin, 40 * 1030},       {P_kmax, 1000 * 1030},          {P_pmax, RCC_RATIO_ONE},
    {P_timer, 60 * RCC_US},    {P_byte_counter, 300 * RCC_MB}, {P_initial_alpha, RCC_RATIO_ONE / 2},
    {P_r_hai, 200 * RCC_MBPS}, {P_r_min, 100 * RCC_MBPS}};

/* Defaults of a new card as listed by mlxconfig; table 2 of Barre, USENIX ATC 2025. DCE_TCP_G 1019 means that alpha is
 * multiplied by 1019/1024. */
static const struct rcc_preset_value preset_nic_default[] = {{P_timer, 300 * RCC_US},
                                                             {P_byte_counter, 32767},
                                                             {P_f, 1},
                                                             {P_r_ai, 5 * RCC_MBPS},
                                                             {P_r_hai, 50 * RCC_MBPS},
                                                             {P_g, RCC_RATIO_ONE * 5 / 1024},
                                                             {P_alpha_timer, 1 * RCC_US},
                                                             {P_min_dec_fac, RCC_RATIO_ONE / 2},
                                                             {P_rate_reduce_period, 4 * RCC_US},
                                                             {P_clamp_target, RCC_NO},
                                                             {P_cnp_interval, 0},
                                                             {P_cnp_generation, 4 * RCC_US},
                                                             {P_cnp_busy, CNP_BUSY_LAST}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "SIGCOMM 2015, as used at 40 Gb/s: no setting of a NIC acts"},
    RCC_PRESET("paper-10g", "the same with increase steps of one quarter, for 10 Gb/s", preset_paper_10g),
    RCC_PRESET("cx4", "the defaults of a ConnectX-4 NIC, table I of ICNP 2018", preset_cx4),
    RCC_PRESET("ns3-rdma", "what the configuration of the original ns3-rdma simulator says", preset_ns3_rdma),
    RCC_PRESET("nic-default", "an NVIDIA NIC as it is shipped (ConnectX-5 to BlueField-3)", preset_nic_default),
    {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

static bool cp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return rcc_require_at_most(fields, p, P_kmin, p[P_kmax], "kmin is above kmax", error);
}

static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct rcc_red_profile *red = (struct rcc_red_profile *)profile;
    rcc_red_derive(red, env, p[P_kmin], p[P_kmax], p[P_pmax], (enum rcc_mark_at)p[P_mark_at]);
    red->every = (uint64_t)p[P_mark_every];
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_ECN_CAPABLE,
                                         .size = sizeof(struct rcc_red_cp),
                                         .profile_size = sizeof(struct rcc_red_profile),
                                         .check = cp_check,
                                         .derive = cp_derive,
                                         .start = rcc_red_start};

/* ------------------------------------------------------------------ notification point */

RCC_CHECK_PROFILE(struct dcqcn_nic_np_profile);

static const struct dcqcn_nic_np_profile *np_profile_of(const struct rcc_np *np)
{
    return (const struct dcqcn_nic_np_profile *)(const void *)np->profile;
}

static void np_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct dcqcn_nic_np_profile *np = (struct dcqcn_nic_np_profile *)profile;
    (void)env;
    np->base.interval = p[P_cnp_interval];
    np->generation = p[P_cnp_generation];
    np->next_mark = p[P_np_rule] == NP_RULE_NEXT_MARK;
    np->last = p[P_cnp_busy] == CNP_BUSY_LAST;
}

void rcc_dcqcn_nic_np_marked(struct rcc_np *base, rcc_time now, uint32_t flow)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    const struct dcqcn_nic_np_profile *p = np_profile_of(base);
    uint32_t where;
    rcc_dcqcn_np_advance(np, now);
    where = rcc_dcqcn_np_flows(np)[flow].where;
    if (p->last && now < np->generator_free && np->ready.head != DCQCN_NP_NONE && where == DCQCN_NP_IDLE)
        rcc_dcqcn_np_close(base, np->ready.head); /* this flow takes its CNP */
    if (!p->next_mark || where != DCQCN_NP_WINDOW)
        rcc_dcqcn_np_marked(base, now, flow);
}

rcc_time rcc_dcqcn_nic_np_next_due(const struct rcc_np *base)
{
    const rcc_time due = rcc_dcqcn_np_next_due(base), ready = ((const struct dcqcn_np *)base)->generator_free;
    return due > ready ? due : ready;
}

bool rcc_dcqcn_nic_np_poll(struct rcc_np *base, rcc_time now, struct rcc_cnp *cnp)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    if (now < np->generator_free || !rcc_dcqcn_np_poll(base, now, cnp))
        return false;
    np->generator_free = now + np_profile_of(base)->generation;
    return true;
}

static const struct rcc_np_ops np_ops = DCQCN_NP_OPS(struct dcqcn_nic_np_profile, np_derive, rcc_dcqcn_nic_np_marked,
                                                     rcc_dcqcn_nic_np_next_due, rcc_dcqcn_nic_np_poll);

/* ------------------------------------------------------------------ reaction point */

struct rp_profile
{
    struct dcqcn_profile base;
    uint64_t cut_ratio;     /* Q62 */
    uint64_t max_cut;       /* 1 - min_dec_fac, Q62 */
    uint64_t first_rate;    /* 2^-16 bit/s; 0 = the first CNP is a cut like any other */
    uint64_t start_rate;    /* 2^-16 bit/s; 0 = a queue pair begins without a limiter */
    uint64_t initial_alpha; /* Q62 */
    rcc_time reduce_period;
    bool alpha_restart, clamp_target;
    bool time_counts; /* after an increase by the timer, the next cut sets the target */
};

struct nic_rp
{
    struct dcqcn_rp rp;
    rcc_time cut_at;
};

RCC_CHECK_PROFILE(struct rp_profile);
RCC_CHECK_RP(struct nic_rp);
_Static_assert(sizeof(struct nic_rp) <= 128, "struct nic_rp fills two cache lines");

static const struct rp_profile *profile_of(const struct rcc_rp *rp)
{
    return (const struct rp_profile *)(const void *)rp->profile;
}

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)env->line_rate, "r_min is above the line rate", error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    const struct dcqcn_rp_params own = DCQCN_RP_PARAMS(p);
    struct rp_profile *rp = (struct rp_profile *)profile;
    rp->base.base.frozen = p[P_pacing] == RCC_PACING_FROZEN;
    rcc_dcqcn_rp_derive(&rp->base, env, own);
    if (p[P_hai_steps] == HAI_STEPS_CONSTANT)
        rp->base.i_max = 1;
    rp->cut_ratio = rcc_ratio_q62(p[P_cut_ratio]);
    rp->max_cut = RCC_Q62_ONE - rcc_ratio_q62(p[P_min_dec_fac]);
    rp->first_rate = (uint64_t)p[P_first_cnp_rate] << RCC_RATE_SHIFT;
    rp->start_rate = (uint64_t)p[P_start_rate] << RCC_RATE_SHIFT;
    rp->initial_alpha = rcc_ratio_q62(p[P_initial_alpha]);
    rp->reduce_period = p[P_rate_reduce_period];
    rp->alpha_restart = p[P_alpha_restart] == RCC_YES;
    rp->clamp_target = p[P_clamp_target] == RCC_YES;
    rp->time_counts = p[P_clamp_after_time] == RCC_YES;
}

static void rp_start(struct rcc_rp *rp)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct rp_profile *p = profile_of(rp);
    rcc_dcqcn_rp_start(rp);
    d->alpha = p->initial_alpha;
    if (p->start_rate != 0 && p->start_rate < p->base.line)
    {
        rp->rate = p->start_rate > p->base.r_min ? p->start_rate : p->base.r_min;
        d->timer_at = rp->now;
        d->limited = true;
    }
}

/* True if the next cut sets RT: the rate has increased since the last cut, by bytes or by a timer that counts. */
static bool has_increased(const struct dcqcn_rp *d, const struct rp_profile *p)
{
    return d->byte_stage != 0 || (p->time_counts && d->time_stage != 0);
}

static void cut(struct dcqcn_rp *d, const struct rp_profile *p, rcc_time now)
{
    const bool first = !d->notified;
    uint64_t part, rate;
    rcc_dcqcn_run_alpha(d, now);
    /* eq. 2 with cut_ratio for 1/2 and min_dec_fac: RC = RC max(1 - alpha cut_ratio, min_dec_fac) */
    part = rcc_mul_q62(d->alpha, p->cut_ratio);
    rate = d->rp.rate - rcc_mul_q62(d->rp.rate, part < p->max_cut ? part : p->max_cut);
    if (first && p->first_rate != 0)
        rate = p->first_rate < d->rp.rate ? p->first_rate : d->rp.rate;
    /* eq. 1, with clamp_target at each cut: RT = RC */
    if (p->clamp_target || first || has_increased(d, p))
        d->target = d->rp.rate;
    rcc_dcqcn_cut_to(d, now, rate);
    /* eq. 4: alpha = (1 - g) alpha + g */
    d->alpha = rcc_mul_q62(d->alpha, p->base.keep) + p->base.g;
    if (p->alpha_restart || first)
        d->alpha_at = now;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct nic_rp *n = (struct nic_rp *)rp;
    const struct rp_profile *p = profile_of(rp);
    if (feedback->kind != RCC_FEEDBACK_CNP || (n->rp.notified && rp->now - n->cut_at < p->reduce_period))
        return;
    cut(&n->rp, p, rp->now);
    n->cut_at = rp->now;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct nic_rp),
                                         .profile_size = sizeof(struct rp_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .advance = rcc_dcqcn_rp_advance,
                                         .run_ahead = rcc_dcqcn_rp_run_ahead,
                                         .sent = rcc_dcqcn_rp_sent,
                                         .feedback = rp_feedback,
                                         .next_step = rcc_dcqcn_rp_next_step,
                                         .observe = rcc_dcqcn_rp_observe};

const struct rcc_algorithm rcc_algorithm_dcqcn_nic = {
    .name = "dcqcn-nic",
    .title = "DCQCN of NICs",
    .source = "Zhu et al., SIGCOMM 2015, and NVIDIA's page on DCQCN parameters",
    .fields = fields,
    .n_fields = N_FIELDS,
    .presets = presets,
    .cp = &cp_ops,
    .np = &np_ops,
    .rp = &rp_ops};
