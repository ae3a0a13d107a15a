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
 * dcqcn_nic.c adds what NICs have beside this, and dcqcn_hpcc.c is the DCQCN of the HPCC paper's simulator.
 */
#include "dcqcn.h"

/* ------------------------------------------------------------------ parameters */

#define FIELDS(F)                                                                                                      \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 5 * RCC_KB, NULL, "queue below which nothing is marked",         \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 200 * RCC_KB, NULL, "queue above which everything is marked",    \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL, "marking probability at kmax",        \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(cnp_interval, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, 50 * RCC_US, NULL,                                                \
      "N: a flow gets at most one CNP in this time; 0 = one per marked packet that finds none waiting",                \
      "SIGCOMM'15 fig. 6")                                                                                             \
    F(timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL, "K: period of the rate increase timer", \
      "SIGCOMM'15 section 5")                                                                                          \
    F(byte_counter, RCC_RP, RCC_UNIT_BYTES, 0, 1000000 * RCC_MB, 10 * RCC_MB, NULL,                                    \
      "B: bytes per step of the byte counter; 0 = timer only", "SIGCOMM'15 section 5")                                 \
    F(alpha_timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                   \
      "alpha decays once per this time without a CNP", "SIGCOMM'15 eq. 2")                                             \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 256, NULL, "gain of alpha", "SIGCOMM'15 eq. 1, 2")  \
    F(f, RCC_RP, RCC_UNIT_COUNT, 1, 1000, 5, NULL, "F: stages of fast recovery", "SIGCOMM'15 sec. 5")                  \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 40 * RCC_MBPS, NULL, "additive increase step", "ICNP'18 eq. 6")  \
    F(r_hai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL, "hyper increase step", "ICNP'18 eq. 8")   \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 1 * RCC_MBPS, NULL, "least rate",                            \
      "ICNP'18 eq. 3; the NIC vendor's default")

enum
{
    FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[N_FIELDS] = {FIELDS(RCC_FIELD_ENTRY)};

/* ICNP'18 III.C: "the parameters of rate increase (e.g. R_AI) 1/4 of that on 40Gbps links". */
static const struct rcc_preset_value preset_paper_10g[] = {{P_r_ai, 10 * RCC_MBPS}, {P_r_hai, 25 * RCC_MBPS}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "SIGCOMM 2015, as used at 40 Gb/s"},
    RCC_PRESET("paper-10g", "the same with increase steps of one quarter, for 10 Gb/s", preset_paper_10g),
    {.name = NULL}};

RCC_CHECK_FIELDS(N_FIELDS);
RCC_CHECK_PROFILE(struct dcqcn_np_profile);
RCC_CHECK_PROFILE(struct dcqcn_profile);
RCC_CHECK_NP(struct dcqcn_np);
RCC_CHECK_RP(struct dcqcn_rp);
_Static_assert(sizeof(struct dcqcn_rp) <= 128, "struct dcqcn_rp fills two cache lines");

/* ------------------------------------------------------------------ congestion point, SIGCOMM'15 fig. 5 */

static bool cp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    (void)env;
    return rcc_require_at_most(fields, p, P_kmin, p[P_kmax], "kmin is above kmax", error);
}

/* The queue is read as a frame leaves, as both public simulators do; red.c has the probability. */
static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    rcc_red_derive((struct rcc_red_profile *)profile, env, p[P_kmin], p[P_kmax], p[P_pmax], RCC_MARK_AT_DEQUEUE);
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_ECN_CAPABLE,
                                         .size = sizeof(struct rcc_red_cp),
                                         .profile_size = sizeof(struct rcc_red_profile),
                                         .check = cp_check,
                                         .derive = cp_derive,
                                         .start = rcc_red_start};

/* ------------------------------------------------------------------ notification point, SIGCOMM'15 fig. 6 */

/*
 * The first mark of a flow causes a CNP at once. A flow that is marked in the interval N after a CNP gets the next one
 * as the interval ends.
 */
#define NONE DCQCN_NP_NONE

static void list_append(struct dcqcn_np_flow *flows, struct dcqcn_np_list *list, uint32_t i)
{
    flows[i].prev = list->tail;
    flows[i].next = NONE;
    if (list->tail != NONE)
        flows[list->tail].next = i;
    else
        list->head = i;
    list->tail = i;
}

static void list_remove(struct dcqcn_np_flow *flows, struct dcqcn_np_list *list, uint32_t i)
{
    if (flows[i].prev != NONE)
        flows[flows[i].prev].next = flows[i].next;
    else
        list->head = flows[i].next;
    if (flows[i].next != NONE)
        flows[flows[i].next].prev = flows[i].prev;
    else
        list->tail = flows[i].prev;
}

static void make_ready(struct dcqcn_np *np, uint32_t i, rcc_time now)
{
    struct dcqcn_np_flow *flows = rcc_dcqcn_np_flows(np);
    flows[i].where = DCQCN_NP_READY;
    flows[i].end = now;
    flows[i].marked = 0;
    list_append(flows, &np->ready, i);
}

static void leave_window(struct dcqcn_np *np, uint32_t i)
{
    struct dcqcn_np_flow *flows = rcc_dcqcn_np_flows(np);
    if (np->first_marked == i)
    {
        /* search from the head: windows that end at the same time may be marked in any order */
        uint32_t j = np->window.head;
        while (j != NONE && (j == i || !flows[j].marked))
            j = flows[j].next;
        np->first_marked = j;
    }
    list_remove(flows, &np->window, i);
}

void rcc_dcqcn_np_advance(struct dcqcn_np *np, rcc_time now)
{
    struct dcqcn_np_flow *flows = rcc_dcqcn_np_flows(np);
    uint32_t i;
    while ((i = np->window.head) != NONE && flows[i].end <= now)
    {
        leave_window(np, i);
        if (flows[i].marked != 0)
            make_ready(np, i, flows[i].end);
        else
            flows[i].where = DCQCN_NP_IDLE;
    }
}

static void np_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    (void)env;
    ((struct dcqcn_np_profile *)profile)->interval = p[P_cnp_interval];
}

size_t rcc_dcqcn_np_size(uint32_t capacity)
{
    return sizeof(struct dcqcn_np) + (size_t)capacity * sizeof(struct dcqcn_np_flow);
}

void rcc_dcqcn_np_start(struct rcc_np *base)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    np->ready.head = np->ready.tail = np->window.head = np->window.tail = NONE;
    np->first_marked = NONE;
}

void rcc_dcqcn_np_grow(struct rcc_np *base, const struct rcc_np *old_base)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    const struct dcqcn_np *old = (const struct dcqcn_np *)old_base;
    const struct rcc_np own = *base;
    *np = *old;
    np->np = own;
    for (uint32_t i = 0; i < old_base->capacity; i++)
        rcc_dcqcn_np_flows(np)[i] = rcc_dcqcn_np_flows(old)[i];
}

void rcc_dcqcn_np_close(struct rcc_np *base, uint32_t flow)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    struct dcqcn_np_flow *f = &rcc_dcqcn_np_flows(np)[flow];
    if (f->where == DCQCN_NP_WINDOW)
        leave_window(np, flow);
    else if (f->where == DCQCN_NP_READY)
        list_remove(rcc_dcqcn_np_flows(np), &np->ready, flow);
    f->where = DCQCN_NP_IDLE;
    f->marked = 0;
}

void rcc_dcqcn_np_marked(struct rcc_np *base, rcc_time now, uint32_t flow)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    struct dcqcn_np_flow *flows = rcc_dcqcn_np_flows(np), *f = &flows[flow];
    rcc_dcqcn_np_advance(np, now);
    if (f->where == DCQCN_NP_IDLE)
    {
        make_ready(np, flow, now);
    }
    else if (f->where == DCQCN_NP_WINDOW && !f->marked)
    {
        f->marked = 1;
        if (np->first_marked == NONE || f->end < flows[np->first_marked].end)
            np->first_marked = flow;
    }
}

rcc_time rcc_dcqcn_np_next_due(const struct rcc_np *base)
{
    const struct dcqcn_np *np = (const struct dcqcn_np *)base;
    const uint32_t next = np->ready.head != NONE ? np->ready.head : np->first_marked;
    return next != NONE ? rcc_dcqcn_np_flows(np)[next].end : RCC_NEVER;
}

bool rcc_dcqcn_np_poll(struct rcc_np *base, rcc_time now, struct rcc_cnp *cnp)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    const rcc_time interval = ((const struct dcqcn_np_profile *)(const void *)base->profile)->interval;
    struct dcqcn_np_flow *flows = rcc_dcqcn_np_flows(np);
    uint32_t i;
    rcc_dcqcn_np_advance(np, now);
    i = np->ready.head;
    if (i == NONE)
        return false;
    list_remove(flows, &np->ready, i);
    flows[i].where = DCQCN_NP_IDLE;
    if (interval > 0)
    {
        flows[i].where = DCQCN_NP_WINDOW;
        flows[i].end = now + interval;
        list_append(flows, &np->window, i);
    }
    cnp->flow = i;
    cnp->period_ns = 0;
    return true;
}

static const struct rcc_np_ops np_ops =
    DCQCN_NP_OPS(struct dcqcn_np_profile, np_derive, rcc_dcqcn_np_marked, rcc_dcqcn_np_next_due, rcc_dcqcn_np_poll);

/* ------------------------------------------------------------------ reaction point: CNPs and alpha */

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)env->line_rate, "r_min is above the line rate", error);
}

void rcc_dcqcn_rp_derive(struct dcqcn_profile *rp, const struct rcc_env *env, struct dcqcn_rp_params p)
{
    rp->line = env->line_rate << RCC_RATE_SHIFT;
    rp->r_min = (uint64_t)p.r_min << RCC_RATE_SHIFT;
    rp->r_ai = (uint64_t)p.r_ai << RCC_RATE_SHIFT;
    rp->r_hai = (uint64_t)p.r_hai << RCC_RATE_SHIFT;
    rp->g = rcc_ratio_q62(p.g);
    rp->keep = RCC_Q62_ONE - rp->g;
    for (uint64_t n = 0; n < DCQCN_DECAYS; n++)
        rp->decay[n] = rcc_pow_q62(rp->keep, n);
    rp->byte_counter = (uint64_t)p.byte_counter;
    rp->timer = p.timer;
    rp->alpha_timer = p.alpha_timer;
    rp->timer_inverse = rcc_inverse(p.timer);
    rp->alpha_inverse = rcc_inverse(p.alpha_timer);
    rp->f = (uint32_t)p.f;
    rp->i_max = RCC_STAGE_MAX;
    rp->ramps = !rp->base.frozen && (uint64_t)p.timer < INT64_MAX / env->line_rate;
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    const struct dcqcn_rp_params own = DCQCN_RP_PARAMS(p);
    rcc_dcqcn_rp_derive((struct dcqcn_profile *)profile, env, own);
}

/* A flow starts at line rate with alpha = 1, SIGCOMM'15 section 3.1. */
void rcc_dcqcn_rp_start(struct rcc_rp *rp)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    rp->rate = d->target = rcc_dcqcn_profile(d)->line;
    d->alpha = RCC_Q62_ONE;
}

/* Alpha at t, `periods` of the alpha timer after alpha_at. */
static uint64_t alpha_at(const struct dcqcn_rp *d, rcc_time t, uint64_t *periods)
{
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    const uint64_t n = d->notified ? rcc_periods(t - d->alpha_at, p->alpha_timer, p->alpha_inverse) : 0;
    *periods = n;
    /* eq. 10, n times: alpha = (1 - g) alpha */
    return rcc_mul_q62(d->alpha, n < DCQCN_DECAYS ? p->decay[n] : rcc_pow_q62(p->keep, n));
}

void rcc_dcqcn_run_alpha(struct dcqcn_rp *d, rcc_time t)
{
    uint64_t periods;
    d->alpha = alpha_at(d, t, &periods);
    d->alpha_at += (rcc_time)periods * rcc_dcqcn_profile(d)->alpha_timer;
}

void rcc_dcqcn_cut_to(struct dcqcn_rp *d, rcc_time t, uint64_t rate)
{
    const uint64_t r_min = rcc_dcqcn_profile(d)->r_min;
    /* eq. 3: RC = max(RC, R_min) */
    rcc_rp_set_rate(&d->rp, t, rate > r_min ? rate : r_min);
    d->time_stage = d->byte_stage = 0;
    d->bytes = 0;
    d->timer_at = t;
    d->notified = d->limited = true;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct dcqcn_profile *p = rcc_dcqcn_profile(d);
    if (feedback->kind != RCC_FEEDBACK_CNP)
        return;
    rcc_dcqcn_run_alpha(d, rp->now);
    /* eq. 1: RT = RC */
    d->target = rp->rate;
    /* eq. 2: RC = RC (1 - alpha / 2) */
    rcc_dcqcn_cut_to(d, rp->now, rp->rate - rcc_mul_q62(rp->rate, d->alpha / 2));
    /* eq. 4: alpha = (1 - g) alpha + g */
    d->alpha = rcc_mul_q62(d->alpha, p->keep) + p->g;
    d->alpha_at = rp->now;
}

/* ------------------------------------------------------------------ reaction point: rate increase */

uint64_t rcc_dcqcn_increment(const struct dcqcn_profile *p, uint32_t ts, uint32_t byte_stage)
{
    const uint32_t bs = p->byte_counter != 0 ? byte_stage : ts;
    const uint32_t low = ts < bs ? ts : bs, high = ts < bs ? bs : ts;
    uint32_t i;
    /* eq. 5, fast recovery: RT stays */
    if (high < p->f)
        return 0;
    /* eq. 6, additive increase: RT = RT + R_AI */
    if (low <= p->f)
        return p->r_ai;
    /* eq. 8, hyper increase: RT = RT + i R_HAI with i = min(ts, bs) - F */
    i = low - p->f < p->i_max ? low - p->f : p->i_max;
    return p->r_hai != 0 && i > p->line / p->r_hai ? p->line : i * p->r_hai;
}

/* One step at t. */
static void increase(struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time t)
{
    const uint64_t inc = rcc_dcqcn_increment(p, d->time_stage, d->byte_stage);
    /* eq. 5, 7, 9: RC = (RT + RC) / 2 */
    rcc_rp_set_rate(&d->rp, t, rcc_rp_halfway(d->rp.rate, &d->target, inc, p->line, p->line));
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
        increase(d, p, rp->now);
    }
}

void rcc_dcqcn_timer_expired(struct dcqcn_rp *d, const struct dcqcn_profile *p, uint64_t times)
{
    d->timer_at += (rcc_time)times * p->timer;
    d->time_stage = rcc_stage_add(d->time_stage, times);
    increase(d, p, d->timer_at);
}

void rcc_dcqcn_rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct dcqcn_rp *d = (const struct dcqcn_rp *)rp;
    uint64_t periods;
    *target = d->target;
    *alpha = alpha_at(d, rp->now, &periods) >> 30;
    *state = d->time_stage;
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct dcqcn_rp),
                                         .profile_size = sizeof(struct dcqcn_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rcc_dcqcn_rp_start,
                                         .advance = rcc_dcqcn_rp_advance,
                                         .run_ahead = rcc_dcqcn_rp_run_ahead,
                                         .sent = rcc_dcqcn_rp_sent,
                                         .feedback = rp_feedback,
                                         .next_step = rcc_dcqcn_rp_next_step,
                                         .observe = rcc_dcqcn_rp_observe};

static const struct rcc_algorithm *const variants[] = {&rcc_algorithm_dcqcn_nic, &rcc_algorithm_dcqcn_hpcc, NULL};

const struct rcc_algorithm rcc_algorithm_dcqcn = {.name = "dcqcn",
                                                  .title = "DCQCN",
                                                  .source = "Zhu et al., SIGCOMM 2015",
                                                  .fields = fields,
                                                  .n_fields = N_FIELDS,
                                                  .presets = presets,
                                                  .cp = &cp_ops,
                                                  .np = &np_ops,
                                                  .rp = &rp_ops,
                                                  .variants = variants};
