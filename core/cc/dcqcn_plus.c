/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * DCQCN+: Y. Gao et al., "DCQCN+: Taming Large-scale Incast Congestion in RDMA
 * over Ethernet Networks", ICNP 2018. Equation numbers are the paper's; what it
 * leaves open is a parameter whose source names the decision in doc/dcqcn-plus.md.
 *
 * NP: a circular list of the flows that were marked. One record is checked every
 * cnp_generation; the time of one round, tau, travels in the CNP. RP: timers
 * follow tau and the flow's own rate, steps follow the flow's own rate:
 *
 *        CNP: cut, S = 0
 *   .-----------------------.
 *   v                       |
 *   fast recovery --S >= F--> additive --S >= 4F--> hyper increase
 */
#include "roles.h"

/* ------------------------------------------------------------------ parameters */

#define DCQCN_PLUS_FIELDS(F)                                                                                           \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 20 * RCC_KB, NULL, "queue below which nothing is marked",        \
      "ICNP'18 IV.B.1")                                                                                                \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 200 * RCC_KB, NULL, "queue above which everything is marked",    \
      "ICNP'18 IV.B.1")                                                                                                \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL, "marking probability at kmax",        \
      "ICNP'18 fig. 1, decision 18")                                                                                   \
    F(mark_at, RCC_CP, RCC_UNIT_CHOICE, 0, 1, 0, "dequeue|enqueue", "where the queue is read and the frame marked",    \
      "both public simulators mark at dequeue")                                                                        \
    F(cnp_generation, RCC_NP, RCC_UNIT_NS, 1, RCC_MS, 1 * RCC_US, NULL,                                                \
      "delta: the NIC checks one record of the list, and makes at most one CNP, in this time", "eq. 11, decision 22")  \
    F(cnp_min_interval, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, 45 * RCC_US, NULL,                                            \
      "a flow gets at most one CNP in this time", "ICNP'18 IV.B.2")                                                    \
    F(period_floor, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, 45 * RCC_US, NULL, "least period written into a CNP",             \
      "decision 8")                                                                                                    \
    F(period_counts, RCC_NP, RCC_UNIT_CHOICE, 0, 1, 0, "listed|marked",                                                \
      "l counts all listed flows, or those with their ECN bit set", "eq. 11, decision 10")                             \
    F(list_timeout, RCC_NP, RCC_UNIT_NS, 0, 1000 * RCC_SEC, 0, NULL,                                                   \
      "a record leaves the list when its flow was not marked for this long; 0 = when its queue pair closes",           \
      "decision 7")                                                                                                    \
    F(early_check, RCC_NP, RCC_UNIT_CHOICE, 0, 1, 1, "keep|clear",                                                     \
      "what a check within cnp_min_interval does to the ECN bit", "decision 9")                                        \
    F(idle_wake, RCC_NP, RCC_UNIT_CHOICE, 0, 1, 1, "at-once|in-turn",                                                  \
      "a mark that finds no bit set is checked at once, or when the pointer comes by", "decision 9")                   \
    F(lambda, RCC_RP, RCC_UNIT_RATIO, 1, 1000 * RCC_RATIO_ONE, 2 * RCC_RATIO_ONE, NULL,                                \
      "enlarging ratio of the rate timer", "eq. 17")                                                                   \
    F(lambda_alpha, RCC_RP, RCC_UNIT_RATIO, 1, 1000 * RCC_RATIO_ONE, 1 * RCC_RATIO_ONE, NULL,                          \
      "enlarging ratio of the alpha timer", "eq. 16")                                                                  \
    F(m, RCC_RP, RCC_UNIT_BYTES, 1, 65536, 1000, NULL, "M: largest packet", "eq. 16, decisions 3 and 24")              \
    F(timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                         \
      "least period of the rate timer; its period after a legacy CNP", "decisions 2 and 5")                            \
    F(alpha_timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                   \
      "least period of the alpha timer; its period after a legacy CNP", "decisions 2 and 5")                           \
    F(timer_rule, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "always|above-50us",                                               \
      "K and K_alpha follow every CNP, or only those whose period is above 50 us", "decision 5")                       \
    F(timer_update, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "every-expiry|cnp-only",                                         \
      "K and K_alpha are computed anew at every expiry, or at CNPs only", "decision 6")                                \
    F(pause_rule, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "rearm|step",                                                      \
      "a rate timer that expires while the class is paused re-arms without a step, or steps", "VI.E, decision 17")     \
    F(alpha_restart, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1, "no|yes", "a CNP restarts the alpha timer", "decision 16")      \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 256, NULL, "gain of alpha",                         \
      "eq. 14, 23, decision 15")                                                                                       \
    F(initial_alpha, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE, NULL, "alpha before the first CNP",      \
      "decision 15")                                                                                                   \
    F(cut_ratio, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL,                                    \
      "a CNP cuts the rate by this times alpha", "eq. 13, VI.B")                                                       \
    F(f, RCC_RP, RCC_UNIT_COUNT, 1, 100, 5, NULL, "F: stages of fast recovery", "IV.B.3")                              \
    F(hi_after, RCC_RP, RCC_UNIT_COUNT, 1, 100, 4, NULL, "hyper increase begins after this many times F", "eq. 21")    \
    F(phase_boundary, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1, "lower|upper", "the phase of S = F and S = 4F", "decision 11") \
    F(stage_after_cut, RCC_RP, RCC_UNIT_COUNT, 0, 1000, 0, NULL, "S after a cut", "decision 12")                       \
    F(ai_levels, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1, "two|one",                                                          \
      "the additive step doubles while alpha is above ai_alpha, or not", "eq. 19; thesis section 4; decision 13")      \
    F(ai_alpha, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 10, NULL,                                    \
      "alpha above which the additive step doubles", "eq. 19")                                                         \
    F(ai_flow, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 10, NULL,                                     \
      "additive step as a part of the flow's rate", "eq. 19")                                                          \
    F(ai_line, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL,                                    \
      "bound of the additive step as a part of the line rate", "eq. 19")                                               \
    F(hi_flow, RCC_RP, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100, 100 * RCC_RATIO_ONE, RCC_RATIO_ONE, NULL,                  \
      "hyper step as a part of the flow's rate", "eq. 21")                                                             \
    F(hi_line, RCC_RP, RCC_UNIT_RATIO, 1000, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL,                                 \
      "bound of the hyper step, per stage beyond 4F, as a part of the line rate", "eq. 21, decision 20")               \
    F(target_cap, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "line|none",                                                       \
      "the target rate stops at the line rate, or at 64 times it", "decision 14")                                      \
    F(r_min, RCC_RP, RCC_UNIT_RATIO, 1000, RCC_RATIO_ONE, RCC_RATIO_ONE / 10000, NULL,                                 \
      "least rate as a part of the line rate; r_min times flows must stay below 1", "eq. 15, decision 4")              \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0, "follow|frozen",                                                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves", "decision 21")

enum
{
    DCQCN_PLUS_FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {DCQCN_PLUS_FIELDS(RCC_FIELD_ENTRY)};

static const struct rcc_preset_value preset_paper[] = {{NULL, 0}};

/* Equation 19 to the letter; doc/dcqcn-plus.md shows what it costs. */
static const struct rcc_preset_value preset_two_level[] = {{"ai_levels", 0}, {NULL, 0}};

static const struct rcc_preset presets[] = {
    {"paper", "ICNP 2018, the open decisions as in doc/dcqcn-plus.md", preset_paper},
    {"two-level", "the same with both levels of the additive step of equation 19", preset_two_level},
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
 * Records stand in slots 0..listed-1; the pointer reaches slot `cursor` at
 * `cursor_at` and one slot more every cnp_generation. Nobody walks: a bitmap of
 * the set ECN bits gives the next record that has something to send.
 */
struct np_profile
{
    rcc_time generation, min_interval, period_floor, timeout;
    bool counts_marked, clear_early, in_turn;
};

#define NONE UINT32_MAX

struct np_record
{
    rcc_time cnp_at;       /* last CNP; valid if notified */
    rcc_time marked_at;    /* last mark */
    uint32_t flow;         /* whose record stands in this slot */
    uint32_t slot;         /* the slot of the flow with this index; NONE = not listed */
    uint32_t older, newer; /* slots in the order of marked_at, for the timeout */
    bool notified;
};

struct plus_np
{
    struct rcc_np np;
    rcc_time cursor_at, generator_free;
    uint32_t cursor, listed, set_bits;
    uint32_t oldest, newest;
    uint32_t spare;
};

static struct np_record *records(struct plus_np *np)
{
    return (struct np_record *)(void *)(np + 1);
}

static const struct np_record *records_const(const struct plus_np *np)
{
    return (const struct np_record *)(const void *)(np + 1);
}

static uint64_t *bits(struct plus_np *np)
{
    return (uint64_t *)(void *)(records(np) + np->np.capacity);
}

static const uint64_t *bits_const(const struct plus_np *np)
{
    return (const uint64_t *)(const void *)(records_const(np) + np->np.capacity);
}

static bool bit_get(const struct plus_np *np, uint32_t slot)
{
    return ((bits_const(np)[slot / 64] >> (slot % 64)) & 1u) != 0;
}

static void bit_set(struct plus_np *np, uint32_t slot, bool on)
{
    uint64_t mask = (uint64_t)1 << (slot % 64);
    if (bit_get(np, slot) == on)
        return;
    bits(np)[slot / 64] ^= mask;
    np->set_bits += on ? 1u : UINT32_MAX;
}

static uint32_t lowest_bit(uint64_t word)
{
    uint32_t n = 0;
    for (uint32_t half = 32; half != 0; half /= 2)
        if ((word & (((uint64_t)1 << half) - 1)) == 0)
        {
            word >>= half;
            n += half;
        }
    return n;
}

/* First set bit in slots [from, to), or NONE. */
static uint32_t next_bit(const struct plus_np *np, uint32_t from, uint32_t to)
{
    while (from < to)
    {
        uint64_t word = bits_const(np)[from / 64] >> (from % 64);
        if (word != 0)
        {
            from += lowest_bit(word);
            return from < to ? from : NONE;
        }
        from = (from / 64 + 1) * 64;
    }
    return NONE;
}

static const struct np_profile *np_profile_of(const struct plus_np *np)
{
    return (const struct np_profile *)np->np.profile;
}

static void age_unlink(struct plus_np *np, uint32_t slot)
{
    struct np_record *r = records(np);
    if (r[slot].older != NONE)
        r[r[slot].older].newer = r[slot].newer;
    else
        np->oldest = r[slot].newer;
    if (r[slot].newer != NONE)
        r[r[slot].newer].older = r[slot].older;
    else
        np->newest = r[slot].older;
}

static void age_append(struct plus_np *np, uint32_t slot)
{
    struct np_record *r = records(np);
    r[slot].older = np->newest;
    r[slot].newer = NONE;
    if (np->newest != NONE)
        r[np->newest].newer = slot;
    else
        np->oldest = slot;
    np->newest = slot;
}

/* Drop the record in `slot`; the last record takes its place. */
static void drop(struct plus_np *np, uint32_t slot)
{
    struct np_record *r = records(np);
    uint32_t last = np->listed - 1;
    bool moved_bit = bit_get(np, last);
    bit_set(np, slot, false);
    age_unlink(np, slot);
    r[r[slot].flow].slot = NONE;
    if (slot != last)
    {
        bit_set(np, last, false);
        r[slot].flow = r[last].flow;
        r[slot].cnp_at = r[last].cnp_at;
        r[slot].notified = r[last].notified;
        r[slot].marked_at = r[last].marked_at;
        r[slot].older = r[last].older;
        r[slot].newer = r[last].newer;
        if (r[slot].older != NONE)
            r[r[slot].older].newer = slot;
        else
            np->oldest = slot;
        if (r[slot].newer != NONE)
            r[r[slot].newer].older = slot;
        else
            np->newest = slot;
        r[r[slot].flow].slot = slot;
        bit_set(np, slot, moved_bit);
    }
    np->listed = last;
    if (np->cursor >= np->listed)
        np->cursor = 0;
}

static void drop_aged(struct plus_np *np, rcc_time now)
{
    rcc_time timeout = np_profile_of(np)->timeout;
    if (timeout == 0)
        return;
    while (np->oldest != NONE && now - records(np)[np->oldest].marked_at > timeout)
        drop(np, np->oldest);
}

/* When the pointer first finds the record in `slot` ready for a CNP. */
static rcc_time ready_at(const struct plus_np *np, uint32_t slot)
{
    const struct np_profile *p = np_profile_of(np);
    const struct np_record *r = &records_const(np)[slot];
    uint32_t ahead = slot >= np->cursor ? slot - np->cursor : slot + np->listed - np->cursor;
    rcc_time check = np->cursor_at + (rcc_time)ahead * p->generation;
    rcc_time round = (rcc_time)np->listed * p->generation;
    rcc_time allowed = r->notified ? r->cnp_at + p->min_interval : check;
    if (check < allowed)
        check += (allowed - check + round - 1) / round * round;
    return check;
}

/* The slot whose CNP comes next, and when. In pointer order the first record that
 * its next check finds ready wins; those notified within the minimum interval
 * (at most min_interval / generation of them) wait for a later round. */
static uint32_t next_slot(const struct plus_np *np, rcc_time *due)
{
    rcc_time round_end = np->cursor_at + (rcc_time)np->listed * np_profile_of(np)->generation;
    uint32_t winner = NONE, from = np->cursor;
    *due = RCC_NEVER;
    for (uint32_t seen = 0; seen < np->set_bits && *due >= round_end;)
    {
        uint32_t slot = next_bit(np, from, np->listed);
        if (slot != NONE)
        {
            rcc_time t = ready_at(np, slot);
            if (t < *due && !(np_profile_of(np)->clear_early && t >= round_end)) /* else its next check clears it */
            {
                *due = t;
                winner = slot;
            }
            seen++;
        }
        from = slot != NONE ? slot + 1 : 0; /* past the end: on from the first slot */
    }
    return winner;
}

/* Decision 9, "clear": the next `checks` checks send nothing and clear the bits that they find. */
static void clear_bits(struct plus_np *np, uint64_t checks)
{
    uint32_t n = checks < np->listed ? (uint32_t)checks : np->listed, slot;
    uint32_t end = np->cursor + n, wrapped = end > np->listed ? end - np->listed : 0;
    while ((slot = next_bit(np, np->cursor, end - wrapped)) != NONE || (slot = next_bit(np, 0, wrapped)) != NONE)
        bit_set(np, slot, false);
}

/* Move the pointer over the checks before `now` that found nothing to send. A
 * CNP that is due but was not polled yet holds it. */
static void walk_to(struct plus_np *np, rcc_time now)
{
    rcc_time generation = np_profile_of(np)->generation, due, limit = now;
    uint64_t checks;
    if (now <= np->cursor_at)
        return;
    if (next_slot(np, &due) != NONE && due < limit)
        limit = due;
    if (limit <= np->cursor_at)
        return;
    checks = (uint64_t)((limit - np->cursor_at + generation - 1) / generation);
    if (np_profile_of(np)->clear_early)
        clear_bits(np, checks);
    if (np->listed != 0)
        np->cursor = (uint32_t)((np->cursor + checks) % np->listed);
    np->cursor_at += (rcc_time)checks * generation;
}

static bool np_profile(const int64_t *p, const struct rcc_env *env, void *profile, const char **why)
{
    struct np_profile *np = (struct np_profile *)profile;
    (void)env;
    (void)why;
    np->generation = p[P_cnp_generation];
    np->min_interval = p[P_cnp_min_interval];
    np->period_floor = p[P_period_floor];
    np->timeout = p[P_list_timeout];
    np->counts_marked = p[P_period_counts] == 1;
    np->clear_early = p[P_early_check] == 1;
    np->in_turn = p[P_idle_wake] == 1;
    return true;
}

static size_t np_size(uint32_t capacity)
{
    return sizeof(struct plus_np) + (size_t)capacity * sizeof(struct np_record) +
           ((size_t)capacity + 63) / 64 * sizeof(uint64_t);
}

static void np_start(struct rcc_np *base)
{
    struct plus_np *np = (struct plus_np *)base;
    np->oldest = np->newest = NONE;
    for (uint32_t i = 0; i < base->capacity; i++)
        records(np)[i].slot = NONE;
}

static void np_grow(struct rcc_np *base, const struct rcc_np *old_base)
{
    struct plus_np *np = (struct plus_np *)base;
    const struct plus_np *old = (const struct plus_np *)old_base;
    np_start(base);
    np->cursor_at = old->cursor_at;
    np->generator_free = old->generator_free;
    np->cursor = old->cursor;
    np->listed = old->listed;
    np->oldest = old->oldest;
    np->newest = old->newest;
    for (uint32_t i = 0; i < old_base->capacity; i++)
        records(np)[i] = records_const(old)[i];
    for (uint32_t i = 0; i < old->listed; i++)
        bit_set(np, i, bit_get(old, i));
}

static void np_open(struct rcc_np *base, uint32_t flow)
{
    (void)base;
    (void)flow; /* a flow is listed by its first mark */
}

static void np_close(struct rcc_np *base, uint32_t flow)
{
    struct plus_np *np = (struct plus_np *)base;
    if (records(np)[flow].slot != NONE)
        drop(np, records(np)[flow].slot);
}

static void np_marked(struct rcc_np *base, rcc_time now, uint32_t flow)
{
    struct plus_np *np = (struct plus_np *)base;
    struct np_record *r = records(np);
    uint32_t slot;
    bool idle;
    walk_to(np, now);
    drop_aged(np, now); /* only here: a poll that finds nothing to send changes nothing */
    idle = np->set_bits == 0;
    slot = r[flow].slot;
    if (slot == NONE)
    {
        slot = np->listed++;
        r[slot].flow = flow;
        r[slot].notified = false;
        r[flow].slot = slot;
        age_append(np, slot);
    }
    else if (np->newest != slot)
    {
        age_unlink(np, slot);
        age_append(np, slot);
    }
    r[slot].marked_at = now;
    if (bit_get(np, slot))
        return;
    if (idle && !np_profile_of(np)->in_turn)
    {
        np->cursor = slot;
        np->cursor_at = now > np->generator_free ? now : np->generator_free;
    }
    bit_set(np, slot, true);
}

static rcc_time np_next_due(const struct rcc_np *base)
{
    rcc_time due = RCC_NEVER;
    next_slot((const struct plus_np *)base, &due);
    return due;
}

static bool np_poll(struct rcc_np *base, rcc_time now, struct rcc_cnp *cnp)
{
    struct plus_np *np = (struct plus_np *)base;
    const struct np_profile *p = np_profile_of(np);
    rcc_time due = RCC_NEVER, period;
    uint32_t slot, l;
    slot = next_slot(np, &due);
    if (slot == NONE || due > now)
        return false;
    walk_to(np, due);
    l = p->counts_marked ? np->set_bits : np->listed;
    period = (rcc_time)l * p->generation; /* eq. 11 */
    if (period < p->period_floor)
        period = p->period_floor;
    cnp->flow = records(np)[slot].flow;
    cnp->period_ns = period < UINT32_MAX ? (uint32_t)period : UINT32_MAX;
    bit_set(np, slot, false);
    records(np)[slot].cnp_at = now;
    records(np)[slot].notified = true;
    np->cursor = slot + 1 < np->listed ? slot + 1 : 0;
    np->cursor_at = np->generator_free = now + p->generation;
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
    uint64_t line, cap, r_min;       /* 2^-16 bit/s */
    uint64_t ai_line[2], ai_flow[2]; /* one and two levels: 2^-16 bit/s, Q62 */
    uint64_t hi_line;                /* 2^-16 bit/s per stage */
    int64_t hi_flow, lambda, lambda_alpha;
    uint64_t keep, g, cut_ratio, ai_alpha, initial_alpha; /* Q62 */
    uint64_t m_bits;                                      /* M in 1e-9 bit: divided by bit/s it is ns */
    rcc_time timer, alpha_timer;
    uint32_t ai_from, hi_from; /* first S of the phase */
    uint32_t hi_zero, stage_after_cut;
    bool two_levels, above_50us, cnp_only, rearm, alpha_restart, frozen;
};

struct plus_rp
{
    struct rcc_rp rp;
    uint64_t target;    /* RT, 2^-16 bit/s */
    uint64_t alpha;     /* Q62 at the last CNP */
    uint64_t decays;    /* expiries of the alpha timer since */
    rcc_time timer_due; /* next expiry of the rate timer */
    rcc_time alpha_due;
    rcc_time k, k_alpha;
    rcc_time tau; /* last period field; 0 = legacy */
    uint32_t stage;
    bool limited;
};

static bool rp_profile(const int64_t *p, const struct rcc_env *env, void *profile, const char **why)
{
    struct rp_profile *rp = (struct rp_profile *)profile;
    uint64_t line = env->line_rate << RCC_RATE_SHIFT;
    uint32_t f = (uint32_t)p[P_f], hi = f * (uint32_t)p[P_hi_after], upper = p[P_phase_boundary] == 1 ? 1 : 0;
    (void)why;
    rp->line = line;
    rp->cap = p[P_target_cap] == 1 ? line * 64 : line;
    rp->r_min = rcc_mul_ratio(line, p[P_r_min], line);
    for (int level = 0; level < 2; level++)
    {
        rp->ai_line[level] = rcc_mul_ratio(line, p[P_ai_line] * (level + 1), line);
        rp->ai_flow[level] = rcc_ratio_q62(p[P_ai_flow] * (level + 1));
    }
    rp->hi_line = rcc_mul_ratio(line, p[P_hi_line], line);
    rp->hi_flow = p[P_hi_flow];
    rp->lambda = p[P_lambda];
    rp->lambda_alpha = p[P_lambda_alpha];
    rp->g = rcc_ratio_q62(p[P_g]);
    rp->keep = RCC_Q62_ONE - rp->g;
    rp->cut_ratio = rcc_ratio_q62(p[P_cut_ratio]);
    rp->ai_alpha = rcc_ratio_q62(p[P_ai_alpha]);
    rp->initial_alpha = rcc_ratio_q62(p[P_initial_alpha]);
    rp->m_bits = (uint64_t)p[P_m] * 8u * 1000000000u;
    rp->timer = p[P_timer];
    rp->alpha_timer = p[P_alpha_timer];
    rp->ai_from = f + 1 - upper;
    rp->hi_from = hi + 1 - upper;
    rp->hi_zero = hi;
    rp->stage_after_cut = (uint32_t)p[P_stage_after_cut];
    rp->two_levels = p[P_ai_levels] == 0;
    rp->above_50us = p[P_timer_rule] == 1;
    rp->cnp_only = p[P_timer_update] == 1;
    rp->rearm = p[P_pause_rule] == 0;
    rp->alpha_restart = p[P_alpha_restart] == 1;
    rp->frozen = p[P_pacing] == 1;
    return true;
}

static const struct rp_profile *profile_of(const struct plus_rp *d)
{
    return (const struct rp_profile *)d->rp.profile;
}

/* lambda * max(tau, M / R_C), at least `least`. Eq. 16, 17. */
static rcc_time period(const struct plus_rp *d, const struct rp_profile *p, int64_t lambda, rcc_time least)
{
    uint64_t bps = rcc_rp_rate(&d->rp);
    uint64_t base = p->m_bits / (bps != 0 ? bps : 1), tau = (uint64_t)d->tau, k;
    if (base < tau)
        base = tau;
    k = rcc_mul_ratio(base, lambda, (uint64_t)(1000 * RCC_SEC));
    return k > (uint64_t)least ? (rcc_time)k : least;
}

static void set_timers(struct plus_rp *d, const struct rp_profile *p)
{
    if (d->tau == 0) /* a legacy CNP: static DCQCN timers */
    {
        d->k = p->timer;
        d->k_alpha = p->alpha_timer;
    }
    else if (!p->above_50us || d->tau > 50 * RCC_US)
    {
        d->k = period(d, p, p->lambda, p->timer);
        d->k_alpha = period(d, p, p->lambda_alpha, p->alpha_timer);
    }
}

static uint64_t alpha_now(const struct plus_rp *d, const struct rp_profile *p)
{
    return rcc_mul_q62(d->alpha, rcc_pow_q62(p->keep, d->decays)); /* eq. 23, `decays` times */
}

static void rp_start(struct rcc_rp *rp)
{
    struct plus_rp *d = (struct plus_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    rp->rate = d->target = p->line;
    rp->frozen = p->frozen;
    d->alpha = p->initial_alpha;
    d->k = p->timer;
    d->k_alpha = p->alpha_timer;
}

static uint64_t increment(const struct plus_rp *d, const struct rp_profile *p)
{
    uint64_t flow, line;
    if (d->stage < p->ai_from)
        return 0; /* fast recovery, eq. 18 */
    if (d->stage < p->hi_from)
    {
        int level = p->two_levels && alpha_now(d, p) > p->ai_alpha ? 1 : 0; /* eq. 19 */
        flow = rcc_mul_q62(d->rp.rate, p->ai_flow[level]);
        line = p->ai_line[level];
    }
    else
    {
        uint64_t beyond = d->stage > p->hi_zero ? d->stage - p->hi_zero : 0; /* eq. 21 */
        flow = rcc_mul_ratio(d->rp.rate, p->hi_flow, p->cap);
        line = p->hi_line != 0 && beyond > p->cap / p->hi_line ? p->cap : beyond * p->hi_line;
    }
    return flow < line ? flow : line;
}

/* Nothing but counters moves any more. */
static bool at_line(const struct plus_rp *d, const struct rp_profile *p)
{
    return d->rp.rate == p->line && d->target == p->cap;
}

static bool paused(const struct plus_rp *d, rcc_time t)
{
    return d->rp.pause != NULL && rcc_pause_log_at(d->rp.pause, t);
}

/* K or K_alpha for the expiry that just happened: anew, or as the last CNP left it. */
static rcc_time renewed(const struct plus_rp *d, const struct rp_profile *p, rcc_time k, int64_t lambda, rcc_time least)
{
    bool fixed = p->cnp_only || d->tau == 0 || (p->above_50us && d->tau <= 50 * RCC_US);
    return fixed ? k : period(d, p, lambda, least);
}

static void timer_expired(struct plus_rp *d, const struct rp_profile *p)
{
    rcc_time t = d->timer_due;
    if (!p->rearm || at_line(d, p) || !paused(d, t))
    {
        d->stage = rcc_stage_add(d->stage, 1);
        rcc_rp_set_rate(&d->rp, t, rcc_rp_halfway(d->rp.rate, &d->target, increment(d, p), p->cap, p->line));
    }
    d->k = renewed(d, p, d->k, p->lambda, p->timer);
    d->timer_due += d->k;
}

/* The alpha timer's expiries up to `until`, no later than the next change of the rate: K_alpha is one and the same. */
static void alpha_expired(struct plus_rp *d, const struct rp_profile *p, rcc_time until)
{
    uint64_t n;
    d->k_alpha = renewed(d, p, d->k_alpha, p->lambda_alpha, p->alpha_timer);
    n = (uint64_t)((until - d->alpha_due) / d->k_alpha) + 1;
    d->decays += n;
    d->alpha_due += (rcc_time)n * d->k_alpha;
}

/* At line rate the rate timer only counts; skip what lies between here and `now`. */
static void leap(struct plus_rp *d, const struct rp_profile *p, rcc_time now)
{
    if (d->timer_due <= now && d->k == renewed(d, p, d->k, p->lambda, p->timer))
    {
        uint64_t n = (uint64_t)((now - d->timer_due) / d->k);
        d->stage = rcc_stage_add(d->stage, n);
        d->timer_due += (rcc_time)n * d->k;
    }
}

static void rp_advance(struct rcc_rp *rp, rcc_time now)
{
    struct plus_rp *d = (struct plus_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    if (!d->limited)
        return;
    while (d->alpha_due <= now || d->timer_due <= now)
    {
        if (at_line(d, p))
            leap(d, p, now);
        if (d->alpha_due <= d->timer_due)
            alpha_expired(d, p, d->timer_due < now ? d->timer_due : now);
        else
            timer_expired(d, p);
    }
}

static void rp_sent(struct rcc_rp *rp, uint32_t bytes)
{
    (void)rp;
    (void)bytes; /* no byte counter, IV.B.3 */
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct plus_rp *d = (struct plus_rp *)rp;
    const struct rp_profile *p = profile_of(d);
    uint64_t alpha, rate;
    if (feedback->kind != RCC_FEEDBACK_CNP)
        return;
    alpha = alpha_now(d, p);
    d->target = rp->rate;                                                      /* eq. 12 */
    rate = rp->rate - rcc_mul_q62(rp->rate, rcc_mul_q62(alpha, p->cut_ratio)); /* eq. 13 */
    if (rate < p->r_min)
        rate = p->r_min; /* eq. 15 */
    rcc_rp_set_rate(rp, rp->now, rate);
    d->alpha = rcc_mul_q62(alpha, p->keep) + p->g; /* eq. 14 */
    d->decays = 0;
    d->stage = p->stage_after_cut;
    d->tau = (rcc_time)feedback->period_ns;
    set_timers(d, p);
    d->timer_due = rp->now + d->k;
    if (p->alpha_restart || !d->limited)
        d->alpha_due = rp->now + d->k_alpha;
    d->limited = true;
}

static rcc_time rp_next_step(const struct rcc_rp *rp)
{
    const struct plus_rp *d = (const struct plus_rp *)rp;
    return d->limited && !at_line(d, profile_of(d)) ? d->timer_due : RCC_NEVER;
}

static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct plus_rp *d = (const struct plus_rp *)rp;
    *target = d->target;
    *alpha = alpha_now(d, profile_of(d)) >> 30;
    *state = d->stage;
}

static const struct rcc_rp_ops rp_ops = {sizeof(struct plus_rp),
                                         sizeof(struct rp_profile),
                                         rp_profile,
                                         rp_start,
                                         rp_advance,
                                         rp_sent,
                                         rp_feedback,
                                         rp_next_step,
                                         rp_observe,
                                         true};

const struct rcc_algorithm rcc_algorithm_dcqcn_plus = {
    "dcqcn-plus", "DCQCN+", "Gao et al., ICNP 2018", fields, N_FIELDS, presets, &cp_ops, &np_ops, &rp_ops};
