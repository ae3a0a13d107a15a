/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN: Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
 * SIGCOMM 2015; equations (1)-(10) as numbered in section II of Y. Gao et al.,
 * "DCQCN+", ICNP 2018.
 *
 * RP state machine, where ts and bs count the expiries of the timer and of the
 * byte counter since the last cut:
 *
 *              CNP: cut, ts = bs = 0
 *        .-------------------------------.
 *        v                               |
 *   fast recovery --max(ts,bs) >= F--> additive --min(ts,bs) > F--> hyper increase
 *
 * A queue pair that has received no CNP has no rate limiter and sends at line rate.
 *
 * With the rules of the HPCC paper's simulator (notify, cut_rule, alpha_rule) dcqcn_hpcc.c takes over.
 */
#include "dcqcn_common.h"

/* ------------------------------------------------------------------ parameters */

const struct rcc_field rcc_dcqcn_fields[N_FIELDS] = {DCQCN_FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);
RCC_CHECK_PROFILE(struct dcqcn_profile);
RCC_CHECK_RP(struct dcqcn_rp);
_Static_assert(sizeof(struct dcqcn_rp) <= 128, "struct dcqcn_rp fills two cache lines");

/* ICNP'18 III.C: "the parameters of rate increase (e.g. R_AI) 1/4 of that on 40Gbps links". */
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

const struct rcc_preset rcc_dcqcn_presets[] = {
    {.name = "paper", .help = "SIGCOMM 2015, as used at 40 Gb/s"},
    RCC_PRESET("paper-10g", "the same with increase steps of one quarter, for 10 Gb/s", preset_paper_10g),
    RCC_PRESET("cx4", "the defaults of a ConnectX-4 NIC, table I of ICNP 2018", preset_cx4),
    RCC_PRESET("hpcc", "the DCQCN of the HPCC paper's simulator; needs an ACK for each packet (--ack-every=1)",
               rcc_dcqcn_hpcc_values),
    RCC_PRESET("ns3-rdma", "what the configuration of the original ns3-rdma simulator says", preset_ns3_rdma),
    RCC_PRESET("nic-default", "an NVIDIA NIC as it is shipped (ConnectX-5 to BlueField-3)", preset_nic_default),
    {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

static bool cp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return rcc_require_at_most(rcc_dcqcn_fields, p, P_kmin, p[P_kmax], "kmin is above kmax", error);
}

static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    rcc_red_derive((struct rcc_red_profile *)profile, env, p[P_kmin], p[P_kmax], p[P_pmax],
                   (enum rcc_mark_at)p[P_mark_at]);
    ((struct rcc_red_profile *)profile)->every = (uint64_t)p[P_mark_every];
}

const struct rcc_cp_ops rcc_dcqcn_cp_ops = {.frames = RCC_CP_ECN_CAPABLE,
                                            .size = sizeof(struct rcc_red_cp),
                                            .profile_size = sizeof(struct rcc_red_profile),
                                            .check = cp_check,
                                            .derive = cp_derive,
                                            .start = rcc_red_start};

/* ------------------------------------------------------------------ reaction point */

bool rcc_dcqcn_rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(rcc_dcqcn_fields, p, P_r_min, (int64_t)env->line_rate, "r_min is above the line rate",
                               error);
}

void rcc_dcqcn_rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct dcqcn_profile *rp = (struct dcqcn_profile *)profile;
    rp->line = env->line_rate << RCC_RATE_SHIFT;
    rp->r_min = (uint64_t)p[P_r_min] << RCC_RATE_SHIFT;
    rp->r_ai = (uint64_t)p[P_r_ai] << RCC_RATE_SHIFT;
    rp->r_hai = (uint64_t)p[P_r_hai] << RCC_RATE_SHIFT;
    rp->g = rcc_ratio_q62(p[P_g]);
    rp->keep = RCC_Q62_ONE - rp->g;
    for (uint64_t n = 0; n < DCQCN_DECAYS; n++)
        rp->decay[n] = rcc_pow_q62(rp->keep, n);
    rp->cut_ratio = rcc_ratio_q62(p[P_cut_ratio]);
    rp->max_cut = RCC_Q62_ONE - rcc_ratio_q62(p[P_min_dec_fac]);
    rp->first_rate = (uint64_t)p[P_first_cnp_rate] << RCC_RATE_SHIFT;
    rp->start_rate = (uint64_t)p[P_start_rate] << RCC_RATE_SHIFT;
    rp->initial_alpha = rcc_ratio_q62(p[P_initial_alpha]);
    rp->byte_counter = (uint64_t)p[P_byte_counter];
    rp->timer = p[P_timer];
    rp->alpha_timer = p[P_alpha_timer];
    rp->timer_inverse = rcc_inverse(rp->timer);
    rp->alpha_inverse = rcc_inverse(rp->alpha_timer);
    rp->reduce_period = p[P_rate_reduce_period];
    rp->f = (uint32_t)p[P_f];
    rp->alpha_restart = p[P_alpha_restart] == RCC_YES;
    rp->clamp_target = p[P_clamp_target] == RCC_YES;
    rp->time_counts = p[P_clamp_after_time] == RCC_YES;
    rp->base.frozen = p[P_pacing] == RCC_PACING_FROZEN;
    rp->ramps = !rp->base.frozen && (uint64_t)rp->timer < INT64_MAX / env->line_rate;
    rp->hai_steps = (enum dcqcn_hai_steps)p[P_hai_steps];
}

void rcc_dcqcn_rp_start(struct rcc_rp *rp)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    rp->rate = d->target = p->line;
    d->alpha = p->initial_alpha;
    if (p->start_rate != 0 && p->start_rate < p->line)
    {
        rp->rate = p->start_rate > p->r_min ? p->start_rate : p->r_min;
        d->timer_at = rp->now;
        d->limited = true;
    }
}

static void rp_advance(struct rcc_rp *rp, rcc_time now)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    rcc_dcqcn_run_timer(d, rcc_dcqcn_profile(d), now);
}

void rcc_dcqcn_rp_run_ahead(struct rcc_rp *rp)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    rcc_dcqcn_run_ahead(d, rcc_dcqcn_profile(d));
    rp->now = d->timer_at;
}

void rcc_dcqcn_rp_sent(struct rcc_rp *rp, uint32_t bytes)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    if (!d->limited || p->byte_counter == 0)
        return;
    d->bytes += bytes;
    while (d->bytes >= p->byte_counter)
    {
        d->bytes -= p->byte_counter;
        d->byte_stage = rcc_stage_add(d->byte_stage, 1);
        rcc_dcqcn_increase(d, p, rp->now);
        d->increased = true;
    }
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    if (feedback->kind == RCC_FEEDBACK_CNP && (!d->was_cut || rp->now - d->cut_at >= p->reduce_period))
        rcc_dcqcn_cut(d, rp->now);
}

rcc_time rcc_dcqcn_rp_next_step(const struct rcc_rp *rp)
{
    const struct dcqcn_rp *d = (const struct dcqcn_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    return d->limited && !rcc_dcqcn_at_rest(d, p) ? rcc_time_add(d->timer_at, p->timer) : RCC_NEVER;
}

static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct dcqcn_rp *d = (const struct dcqcn_rp *)rp;
    uint64_t periods;
    *target = d->target;
    *alpha = rcc_dcqcn_alpha_at(d, rcc_dcqcn_profile(d), rp->now, &periods) >> 30;
    *state = d->time_stage;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct dcqcn_rp),
                                         .profile_size = sizeof(struct dcqcn_profile),
                                         .check = rcc_dcqcn_rp_check,
                                         .derive = rcc_dcqcn_rp_derive,
                                         .start = rcc_dcqcn_rp_start,
                                         .advance = rp_advance,
                                         .run_ahead = rcc_dcqcn_rp_run_ahead,
                                         .sent = rcc_dcqcn_rp_sent,
                                         .feedback = rp_feedback,
                                         .next_step = rcc_dcqcn_rp_next_step,
                                         .observe = rp_observe};

const struct rcc_algorithm rcc_algorithm_dcqcn = {.name = "dcqcn",
                                                  .title = "DCQCN",
                                                  .source = "Zhu et al., SIGCOMM 2015",
                                                  .fields = rcc_dcqcn_fields,
                                                  .n_fields = N_FIELDS,
                                                  .presets = rcc_dcqcn_presets,
                                                  .cp = &rcc_dcqcn_cp_ops,
                                                  .np = &rcc_dcqcn_np_ops,
                                                  .rp = &rp_ops,
                                                  .variant = &rcc_dcqcn_hpcc};
