/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN: Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
 * SIGCOMM 2015; equations (1)-(10) as numbered in section II of Y. Gao et al.,
 * "DCQCN+", ICNP 2018.
 *
 * RP state machine, ts and bs the expiries of timer and byte counter since the
 * last cut:
 *
 *              CNP: cut, ts = bs = 0
 *        .-------------------------------.
 *        v                               |
 *   fast recovery --max(ts,bs) >= F--> additive --min(ts,bs) > F--> hyper increase
 *
 * A queue pair that never got a CNP has no limiter and runs at line rate.
 *
 * The simulator of the HPCC paper (Y. Li et al., SIGCOMM 2019) has another
 * DCQCN, preset `hpcc`: the CE of an ACK stands for a CNP, and a CNP is two
 * flags, which two timers that run from the first CNP on consume: one cuts, the
 * other moves alpha.
 */
#include "roles.h"

/* ------------------------------------------------------------------ parameters */

#define DCQCN_FIELDS(F)                                                                                                \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 5 * RCC_KB, NULL, "queue below which nothing is marked",         \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 200 * RCC_KB, NULL, "queue above which everything is marked",    \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL, "marking probability at kmax",        \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(mark_at, RCC_CP, RCC_UNIT_CHOICE, 0, 1, 0, "dequeue|enqueue", "where the queue is read and the frame marked",    \
      "both public simulators mark at dequeue")                                                                        \
    F(cnp_interval, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, 50 * RCC_US, NULL,                                                \
      "N: a flow gets at most one CNP in this time; 0 = one per marked packet that finds none waiting",                \
      "SIGCOMM'15 fig. 6")                                                                                             \
    F(cnp_generation, RCC_NP, RCC_UNIT_NS, 0, RCC_MS, 0, NULL,                                                         \
      "the NIC makes at most one CNP in this time, over all flows; 0 = no limit", "ICNP'18 III.D")                     \
    F(np_rule, RCC_NP, RCC_UNIT_CHOICE, 0, 1, 0, "window-end|next-mark",                                               \
      "when a flow marked within cnp_interval is notified: as the interval ends, or at its next mark after that",      \
      "SIGCOMM'15 fig. 6")                                                                                             \
    F(timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                         \
      "K: period of the rate increase timer (rpg_time_reset)", "SIGCOMM'15 section 5")                                 \
    F(byte_counter, RCC_RP, RCC_UNIT_BYTES, 0, 1000000 * RCC_MB, 10 * RCC_MB, NULL,                                    \
      "B: bytes per step of the byte counter (rpg_byte_reset); 0 = timer only", "SIGCOMM'15 section 5")                \
    F(alpha_timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                   \
      "alpha decays once per this time without a CNP (dce_tcp_rtt)", "SIGCOMM'15 eq. 2")                               \
    F(alpha_restart, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1, "no|yes", "a CNP restarts the alpha timer", "decision 16")      \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 256, NULL, "gain of alpha (dce_tcp_g)",             \
      "SIGCOMM'15 eq. 1, 2")                                                                                           \
    F(initial_alpha, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE, NULL, "alpha before the first CNP",      \
      "CoNEXT'16 Matlab; the original simulator has 0.5")                                                              \
    F(cut_ratio, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL,                                    \
      "a CNP cuts the rate by this times alpha", "ICNP'18 eq. 2")                                                      \
    F(rate_reduce_period, RCC_RP, RCC_UNIT_NS, 0, RCC_SEC, 0, NULL,                                                    \
      "CNPs sooner than this after a cut are ignored (rate_reduce_monitor_period)", "ICNP'18 III.B")                   \
    F(clamp_target, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1, "no|yes",                                                        \
      "every cut sets the target rate, also when the rate has not increased since the last one (clamp_tgt_rate)",      \
      "ICNP'18 eq. 1")                                                                                                 \
    F(f, RCC_RP, RCC_UNIT_COUNT, 1, 1000, 5, NULL, "F: stages of fast recovery (rpg_threshold)", "SIGCOMM'15 sec. 5")  \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 40 * RCC_MBPS, NULL, "additive increase step (rpg_ai_rate)",     \
      "ICNP'18 eq. 6")                                                                                                 \
    F(r_hai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL, "hyper increase step (rpg_hai_rate)",     \
      "ICNP'18 eq. 8")                                                                                                 \
    F(hai_steps, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "growing|constant",                                                 \
      "hyper increase adds r_hai times the stages past F, or r_hai", "ICNP'18 eq. 8; constant in the HPCC simulator")  \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 1 * RCC_MBPS, NULL, "least rate (rpg_min_rate)",             \
      "ICNP'18 eq. 3; the NIC vendor's default")                                                                       \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "follow|frozen",                                                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves", "decision 21")                \
    F(notify, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "cnp|ack-ce",                                                          \
      "what counts as a CNP: a CNP, or an ACK that echoes CE (the NP then sends none)", "HPCC simulator")              \
    F(cut_rule, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "at-once|periodic",                                                  \
      "a CNP cuts at once, or at the next multiple of rate_reduce_period since the first one", "HPCC simulator")       \
    F(alpha_rule, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "cut|periodic",                                                    \
      "alpha rises with a cut, or once per alpha_timer in which a CNP came", "HPCC simulator")

enum
{
    DCQCN_FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {DCQCN_FIELDS(RCC_FIELD_ENTRY)};

static const struct rcc_preset_value preset_paper[] = {{NULL, 0}};

/* ICNP'18 III.C: "the parameters of rate increase (e.g. R_AI) 1/4 of that on 40Gbps links". */
static const struct rcc_preset_value preset_paper_10g[] = {
    {"r_ai", 10 * RCC_MBPS}, {"r_hai", 25 * RCC_MBPS}, {NULL, 0}};

/* ICNP'18 table I; one CNP per microsecond and NIC from III.D. */
static const struct rcc_preset_value preset_cx4[] = {{"timer", 300 * RCC_US},
                                                     {"byte_counter", 2 * RCC_MB},
                                                     {"r_ai", 5 * RCC_MBPS},
                                                     {"r_hai", 40 * RCC_MBPS},
                                                     {"cnp_interval", 0},
                                                     {"cnp_generation", 1 * RCC_US},
                                                     {"rate_reduce_period", 4 * RCC_US},
                                                     {NULL, 0}};

/* config.txt of the HPCC simulator; KMIN, KMAX and PMAX of its map at 100 Gb/s. Its first stage is 0: F is one more. */
static const struct rcc_preset_value preset_hpcc[] = {{"kmin", 400 * RCC_KB},
                                                      {"kmax", 1600 * RCC_KB},
                                                      {"pmax", RCC_RATIO_ONE / 5},
                                                      {"timer", 900 * RCC_US},
                                                      {"byte_counter", 0},
                                                      {"alpha_timer", 1 * RCC_US},
                                                      {"rate_reduce_period", 4 * RCC_US},
                                                      {"clamp_target", 0},
                                                      {"f", 2},
                                                      {"r_ai", 50 * RCC_MBPS},
                                                      {"r_hai", 100 * RCC_MBPS},
                                                      {"hai_steps", 1},
                                                      {"r_min", 100 * RCC_MBPS},
                                                      {"notify", 1},
                                                      {"cut_rule", 1},
                                                      {"alpha_rule", 1},
                                                      {NULL, 0}};

/* config.txt of the original ns3-rdma, and what it cannot set: initial alpha and least rate. Packets of 1030 bytes. */
static const struct rcc_preset_value preset_ns3_rdma[] = {
    {"kmin", 40 * 1030},       {"kmax", 1000 * 1030},          {"pmax", RCC_RATIO_ONE},
    {"timer", 60 * RCC_US},    {"byte_counter", 300 * RCC_MB}, {"initial_alpha", RCC_RATIO_ONE / 2},
    {"r_hai", 200 * RCC_MBPS}, {"r_min", 100 * RCC_MBPS},      {NULL, 0}};

static const struct rcc_preset presets[] = {
    {"paper", "SIGCOMM 2015, as used at 40 Gb/s", preset_paper},
    {"paper-10g", "the same with increase steps of one quarter, for 10 Gb/s", preset_paper_10g},
    {"cx4", "the defaults of a ConnectX-4 NIC, table I of ICNP 2018", preset_cx4},
    {"hpcc", "the DCQCN of the HPCC paper's simulator; needs an ACK for each packet (--ack-every=1)", preset_hpcc},
    {"ns3-rdma", "what the configuration of the original ns3-rdma simulator says", preset_ns3_rdma},
    {NULL, NULL, NULL}};

/* ------------------------------------------------------------------ congestion point */

static bool cp_profile(const int64_t *p, const struct rcc_env *env, void *profile, const char **why)
{
    return rcc_red_profile_set((struct rcc_red_profile *)profile, env, p[P_kmin], p[P_kmax], p[P_pmax],
                               p[P_mark_at] == 1, why);
}

static const struct rcc_cp_ops cp_ops = {
    RCC_CP_ECN_CAPABLE, sizeof(struct rcc_red_cp), sizeof(struct rcc_red_profile), cp_profile, rcc_red_start,
    rcc_red_enqueued,   rcc_red_dequeued};

/* ------------------------------------------------------------------ notification point */

/*
 * A flow is idle, waits for its turn at the CNP generator (ready list), or is
 * inside the interval after a CNP (window list, which is in order of the
 * interval's end because every interval is equally long). `first_marked` is the
 * first flow of the window list that was marked again; it decides when the NP
 * must act. Flows before it have nothing to say.
 */
struct np_profile
{
    rcc_time interval, generation;
    bool next_mark;
    bool silent; /* the ACKs tell the reaction point */
};

#define NONE UINT32_MAX

enum np_where
{
    NP_IDLE,
    NP_READY,
    NP_WINDOW
};

struct np_flow
{
    rcc_time end; /* ready: when it became ready; window: when the interval ends */
    uint32_t prev, next;
    uint32_t where;
    uint32_t marked;
};

struct np_list
{
    uint32_t head, tail;
};

struct dcqcn_np
{
    struct rcc_np np;
    rcc_time generator_free;
    struct np_list ready, window;
    uint32_t first_marked;
    uint32_t spare;
};

static struct np_flow *np_flows(struct dcqcn_np *np)
{
    return (struct np_flow *)(void *)(np + 1);
}

static const struct np_flow *np_flows_const(const struct dcqcn_np *np)
{
    return (const struct np_flow *)(const void *)(np + 1);
}

static void list_append(struct np_flow *flows, struct np_list *list, uint32_t i)
{
    flows[i].prev = list->tail;
    flows[i].next = NONE;
    if (list->tail != NONE)
        flows[list->tail].next = i;
    else
        list->head = i;
    list->tail = i;
}

static void list_remove(struct np_flow *flows, struct np_list *list, uint32_t i)
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

static void np_make_ready(struct dcqcn_np *np, uint32_t i, rcc_time now)
{
    struct np_flow *flows = np_flows(np);
    flows[i].where = NP_READY;
    flows[i].end = now;
    flows[i].marked = 0;
    list_append(flows, &np->ready, i);
}

static void np_leave_window(struct dcqcn_np *np, uint32_t i)
{
    struct np_flow *flows = np_flows(np);
    if (np->first_marked == i)
    {
        /* from the head: windows that end together may be marked in any order */
        uint32_t j = np->window.head;
        while (j != NONE && (j == i || !flows[j].marked))
            j = flows[j].next;
        np->first_marked = j;
    }
    list_remove(flows, &np->window, i);
    flows[i].where = NP_IDLE;
}

/* Bring the lists to `now`: ended intervals leave, those that were marked become ready. */
static void np_advance(struct dcqcn_np *np, rcc_time now)
{
    struct np_flow *flows = np_flows(np);
    uint32_t i;
    while ((i = np->window.head) != NONE && flows[i].end <= now)
    {
        rcc_time end = flows[i].end;
        bool marked = flows[i].marked != 0;
        np_leave_window(np, i);
        if (marked)
            np_make_ready(np, i, end);
    }
}

static bool np_profile(const int64_t *p, const struct rcc_env *env, void *profile, const char **why)
{
    struct np_profile *np = (struct np_profile *)profile;
    (void)env;
    (void)why;
    np->interval = p[P_cnp_interval];
    np->generation = p[P_cnp_generation];
    np->next_mark = p[P_np_rule] == 1;
    np->silent = p[P_notify] == 1;
    return true;
}

static size_t np_size(uint32_t capacity)
{
    return sizeof(struct dcqcn_np) + (size_t)capacity * sizeof(struct np_flow);
}

static void np_start(struct rcc_np *base)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    np->ready.head = np->ready.tail = np->window.head = np->window.tail = NONE;
    np->first_marked = NONE;
}

static void np_grow(struct rcc_np *base, const struct rcc_np *old_base)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    const struct dcqcn_np *old = (const struct dcqcn_np *)old_base;
    np->generator_free = old->generator_free;
    np->ready = old->ready;
    np->window = old->window;
    np->first_marked = old->first_marked;
    for (uint32_t i = 0; i < old_base->capacity; i++)
        np_flows(np)[i] = np_flows_const(old)[i];
}

static void np_open(struct rcc_np *base, uint32_t flow)
{
    (void)base;
    (void)flow; /* a zeroed flow is idle */
}

static void np_close(struct rcc_np *base, uint32_t flow)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    struct np_flow *f = &np_flows(np)[flow];
    if (f->where == NP_WINDOW)
        np_leave_window(np, flow);
    else if (f->where == NP_READY)
        list_remove(np_flows(np), &np->ready, flow);
    f->where = NP_IDLE;
    f->marked = 0;
}

static void np_marked(struct rcc_np *base, rcc_time now, uint32_t flow)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    const struct np_profile *profile = (const struct np_profile *)base->profile;
    struct np_flow *flows = np_flows(np), *f = &flows[flow];
    if (profile->silent)
        return;
    np_advance(np, now);
    if (f->where == NP_IDLE)
    {
        np_make_ready(np, flow, now);
    }
    else if (f->where == NP_WINDOW && !f->marked && !profile->next_mark)
    {
        f->marked = 1;
        if (np->first_marked == NONE || f->end < flows[np->first_marked].end)
            np->first_marked = flow;
    }
}

static rcc_time np_next_due(const struct rcc_np *base)
{
    const struct dcqcn_np *np = (const struct dcqcn_np *)base;
    const struct np_flow *flows = np_flows_const(np);
    rcc_time due = RCC_NEVER;
    if (np->ready.head != NONE)
        due = flows[np->ready.head].end;
    else if (np->first_marked != NONE)
        due = flows[np->first_marked].end;
    return due > np->generator_free ? due : np->generator_free;
}

static bool np_poll(struct rcc_np *base, rcc_time now, struct rcc_cnp *cnp)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    const struct np_profile *profile = (const struct np_profile *)np->np.profile;
    struct np_flow *flows = np_flows(np);
    uint32_t i;
    np_advance(np, now);
    i = np->ready.head;
    if (i == NONE || now < np->generator_free)
        return false;
    list_remove(flows, &np->ready, i);
    flows[i].where = NP_IDLE;
    np->generator_free = now + profile->generation;
    if (profile->interval > 0)
    {
        flows[i].where = NP_WINDOW;
        flows[i].marked = 0;
        flows[i].end = now + profile->interval;
        list_append(flows, &np->window, i);
    }
    cnp->flow = i;
    cnp->period_ns = 0;
    return true;
}

static const struct rcc_np_ops np_ops = {sizeof(struct np_profile),
                                         np_profile,
                                         np_size,
                                         np_start,
                                         np_grow,
                                         np_open,
                                         np_close,
                                         np_marked,
                                         np_next_due,
                                         np_poll};

/* ------------------------------------------------------------------ reaction point */

struct rp_profile
{
    uint64_t line, r_min, r_ai, r_hai; /* 2^-16 bit/s */
    uint64_t keep;                     /* 1 - g, Q62 */
    uint64_t g, cut_ratio;             /* Q62 */
    uint64_t initial_alpha;            /* Q62 */
    uint64_t byte_counter;
    rcc_time timer, alpha_timer, reduce_period;
    uint32_t f;
    enum rcc_feedback_kind signal; /* what counts as a CNP */
    bool alpha_restart, clamp_target, frozen;
    bool hai_constant, periodic_cut, periodic_alpha;
};

struct dcqcn_rp
{
    struct rcc_rp rp;
    uint64_t target;   /* RT, 2^-16 bit/s */
    uint64_t alpha;    /* Q62, valid for alpha_at */
    rcc_time alpha_at; /* alpha decays every alpha_timer from here */
    rcc_time timer_at; /* the running timer period started here */
    rcc_time cut_at;
    rcc_time first_at; /* periodic rules: when the first CNP came */
    rcc_time cut_due;  /* periodic rule: when the CNP that came will cut; RCC_NEVER: none came */
    uint64_t bytes;    /* sent in the running byte counter period */
    uint32_t time_stage, byte_stage;
    bool notified;  /* a CNP has come: alpha lives */
    bool limited;   /* the rate was cut: the limiter exists */
    bool increased; /* the rate went up since the last cut */
    bool raise;     /* periodic rule: a CNP came since alpha_at */
};

static bool rp_profile(const int64_t *p, const struct rcc_env *env, void *profile, const char **why)
{
    struct rp_profile *rp = (struct rp_profile *)profile;
    if ((uint64_t)p[P_r_min] > env->line_rate)
    {
        *why = "r_min is above the line rate";
        return false;
    }
    rp->line = env->line_rate << RCC_RATE_SHIFT;
    rp->r_min = (uint64_t)p[P_r_min] << RCC_RATE_SHIFT;
    rp->r_ai = (uint64_t)p[P_r_ai] << RCC_RATE_SHIFT;
    rp->r_hai = (uint64_t)p[P_r_hai] << RCC_RATE_SHIFT;
    rp->g = rcc_ratio_q62(p[P_g]);
    rp->keep = RCC_Q62_ONE - rp->g;
    rp->cut_ratio = rcc_ratio_q62(p[P_cut_ratio]);
    rp->initial_alpha = rcc_ratio_q62(p[P_initial_alpha]);
    rp->byte_counter = (uint64_t)p[P_byte_counter];
    rp->timer = p[P_timer];
    rp->alpha_timer = p[P_alpha_timer];
    rp->reduce_period = p[P_rate_reduce_period];
    rp->f = (uint32_t)p[P_f];
    rp->alpha_restart = p[P_alpha_restart] == 1;
    rp->clamp_target = p[P_clamp_target] == 1;
    rp->frozen = p[P_pacing] == 1;
    rp->signal = p[P_notify] == 1 ? RCC_FEEDBACK_ACK : RCC_FEEDBACK_CNP;
    rp->hai_constant = p[P_hai_steps] == 1;
    rp->periodic_cut = p[P_cut_rule] == 1 && rp->reduce_period > 0;
    rp->periodic_alpha = p[P_alpha_rule] == 1;
    return true;
}

static const struct rp_profile *profile_of(const struct dcqcn_rp *d)
{
    return (const struct rp_profile *)d->rp.profile;
}

static void rp_start(struct rcc_rp *rp)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    rp->rate = d->target = p->line;
    rp->frozen = p->frozen;
    d->alpha = p->initial_alpha;
    d->cut_due = RCC_NEVER;
}

/* RT's increment for the present stages. */
static uint64_t increment(const struct dcqcn_rp *d, const struct rp_profile *p)
{
    uint32_t ts = d->time_stage, bs = p->byte_counter != 0 ? d->byte_stage : ts;
    uint32_t low = ts < bs ? ts : bs, high = ts < bs ? bs : ts;
    if (high < p->f)
        return 0; /* fast recovery, eq. 5 */
    if (low <= p->f)
        return p->r_ai; /* additive increase, eq. 6 */
    if (p->hai_constant)
        return p->r_hai;
    if (p->r_hai != 0 && low - p->f > p->line / p->r_hai)
        return p->line;
    return (low - p->f) * p->r_hai; /* hyper increase, eq. 8 */
}

/* True if the increment of RT stays what it is at every timer step from here on. */
static bool is_constant(const struct dcqcn_rp *d, const struct rp_profile *p)
{
    return p->byte_counter != 0 ? d->time_stage >= p->f && d->time_stage > d->byte_stage
                                : d->time_stage > p->f && (p->r_hai == 0 || p->hai_constant);
}

/* True if timer steps change neither rate any more: at line rate, or without an increment and RT met. */
static bool at_rest(const struct dcqcn_rp *d, const struct rp_profile *p)
{
    if (d->target == p->line)
        return d->rp.rate == p->line;
    return d->target - d->rp.rate <= 1 && is_constant(d, p) && increment(d, p) == 0;
}

/* One step of rate increase at t; returns the increment of RT. Eq. 5-9. */
static uint64_t increase(struct dcqcn_rp *d, const struct rp_profile *p, rcc_time t)
{
    uint64_t inc = increment(d, p);
    uint64_t rate = rcc_rp_halfway(d->rp.rate, &d->target, inc, p->line, p->line);
    d->increased = true;
    rcc_rp_set_rate(&d->rp, t, rate);
    return inc;
}

/* Timer steps that are certain to repeat the last one: once RT - RC stands still,
 * both rates grow by the same increment until RT meets the line rate or the
 * phase changes. Returns how many of the `left` steps were applied. */
static uint64_t leap(struct dcqcn_rp *d, const struct rp_profile *p, uint64_t inc, uint64_t gap, uint64_t left)
{
    bool settled = d->target - d->rp.rate == gap && rcc_rp_is_paid(&d->rp);
    uint64_t steps, room;
    if (!settled || inc == 0 || !is_constant(d, p) || d->target == p->line || increment(d, p) != inc)
        return 0;
    room = (p->line - d->target) / inc;
    steps = room < left ? room : left;
    steps -= steps != 0 ? 1 : 0; /* the step that meets the cap is done the long way */
    d->target += steps * inc;
    d->rp.rate += steps * inc;
    return steps;
}

/* The rate timer, up to `now`. */
static void run_timer(struct dcqcn_rp *d, const struct rp_profile *p, rcc_time now)
{
    if (!d->limited)
        return;
    while (now - d->timer_at >= p->timer)
    {
        uint64_t gap = d->target - d->rp.rate, inc, left, skip;
        d->timer_at += p->timer;
        d->time_stage = rcc_stage_add(d->time_stage, 1);
        inc = increase(d, p, d->timer_at);
        left = (uint64_t)((now - d->timer_at) / p->timer);
        if (left == 0)
            break;
        skip = at_rest(d, p) ? left : leap(d, p, inc, gap, left);
        d->timer_at += (rcc_time)skip * p->timer;
        d->time_stage = rcc_stage_add(d->time_stage, skip);
        if (skip != 0)
            rcc_rp_settle(&d->rp, d->timer_at);
    }
}

/* Alpha at t, `periods` of the alpha timer after alpha_at: eq. 10 for each, but eq. 4 for the first if a CNP came. */
static uint64_t alpha_at(const struct dcqcn_rp *d, const struct rp_profile *p, rcc_time t, uint64_t *periods)
{
    uint64_t n = *periods = d->notified ? (uint64_t)((t - d->alpha_at) / p->alpha_timer) : 0, alpha = d->alpha;
    if (n != 0 && d->raise)
    {
        alpha = rcc_mul_q62(alpha, p->keep) + p->g;
        n--;
    }
    return rcc_mul_q62(alpha, rcc_pow_q62(p->keep, n));
}

/* Write alpha's periods up to t into the state. */
static void run_alpha(struct dcqcn_rp *d, const struct rp_profile *p, rcc_time t)
{
    uint64_t periods;
    d->alpha = alpha_at(d, p, t, &periods);
    d->alpha_at += (rcc_time)periods * p->alpha_timer;
    d->raise = d->raise && periods == 0;
}

static void cut(struct dcqcn_rp *d, const struct rp_profile *p, rcc_time t)
{
    uint64_t rate;
    run_alpha(d, p, t);
    if (p->clamp_target || d->increased || !d->limited)
        d->target = d->rp.rate;                                                       /* eq. 1 */
    rate = d->rp.rate - rcc_mul_q62(d->rp.rate, rcc_mul_q62(d->alpha, p->cut_ratio)); /* eq. 2 */
    rcc_rp_set_rate(&d->rp, t, rate > p->r_min ? rate : p->r_min);                    /* eq. 3 */
    if (!p->periodic_alpha)
    {
        d->alpha = rcc_mul_q62(d->alpha, p->keep) + p->g; /* eq. 4 */
        if (p->alpha_restart || !d->limited)
            d->alpha_at = t;
    }
    d->time_stage = d->byte_stage = 0;
    d->bytes = 0;
    d->timer_at = d->cut_at = t;
    d->cut_due = RCC_NEVER;
    d->limited = true;
    d->increased = false;
}

static void rp_advance(struct rcc_rp *rp, rcc_time now)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    if (d->cut_due <= now)
    {
        run_timer(d, p, d->cut_due);
        cut(d, p, d->cut_due);
    }
    run_timer(d, p, now);
}

static void rp_sent(struct rcc_rp *rp, uint32_t bytes)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct rp_profile *p = profile_of(d);
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

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct dcqcn_rp *d = (struct dcqcn_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    bool first = !d->notified;
    if (feedback->kind != p->signal || (feedback->kind == RCC_FEEDBACK_ACK && !feedback->ce))
        return;
    if (first)
    {
        d->notified = true;
        d->first_at = d->alpha_at = rp->now;
    }
    if (p->periodic_alpha)
    {
        run_alpha(d, p, rp->now);
        d->raise = !first; /* the first one starts alpha, and moves it no more than that */
    }
    if (!p->periodic_cut)
    {
        if (!d->limited || rp->now - d->cut_at >= p->reduce_period)
            cut(d, p, rp->now);
    }
    else if (d->cut_due == RCC_NEVER)
    {
        rcc_time checks = (rp->now - d->first_at) / p->reduce_period;
        d->cut_due = rcc_time_add(d->first_at + checks * p->reduce_period, p->reduce_period);
    }
}

static rcc_time rp_next_step(const struct rcc_rp *rp)
{
    const struct dcqcn_rp *d = (const struct dcqcn_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    rcc_time timer = d->limited && !at_rest(d, p) ? rcc_time_add(d->timer_at, p->timer) : RCC_NEVER;
    return timer < d->cut_due ? timer : d->cut_due;
}

static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct dcqcn_rp *d = (const struct dcqcn_rp *)rp;
    uint64_t periods;
    *target = d->target;
    *alpha = alpha_at(d, profile_of(d), rp->now, &periods) >> 30;
    *state = d->time_stage;
}

static const struct rcc_rp_ops rp_ops = {sizeof(struct dcqcn_rp),
                                         sizeof(struct rp_profile),
                                         rp_profile,
                                         rp_start,
                                         rp_advance,
                                         rp_sent,
                                         rp_feedback,
                                         rp_next_step,
                                         rp_observe,
                                         false};

const struct rcc_algorithm rcc_algorithm_dcqcn = {
    "dcqcn", "DCQCN", "Zhu et al., SIGCOMM 2015", fields, N_FIELDS, presets, &cp_ops, &np_ops, &rp_ops};
