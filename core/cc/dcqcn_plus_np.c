/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The notification point of DCQCN+ (ICNP 2018, IV.B.2): a circular list of the flows
 * that were marked. One record is checked per delta; each CNP carries the duration of a round.
 */
#include "dcqcn_plus.h"

/*
 * Records occupy slots 0..listed-1. The pointer reaches slot `cursor` at
 * `cursor_at` and advances by one slot every cnp_generation. The steps are not
 * simulated: a bitmap of the set ECN bits gives the next record with a CNP to send.
 */
struct np_profile
{
    struct rcc_profile base;
    rcc_time generation, min_interval, period_floor, timeout;
    bool counts_marked, clear_early, in_turn;
};

#define NONE UINT32_MAX

struct np_record
{
    rcc_time cnp_at;       /* last CNP; valid if notified */
    rcc_time marked_at;    /* last mark */
    uint32_t flow;         /* flow of the record in this slot */
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

RCC_CHECK_PROFILE(struct np_profile);
RCC_CHECK_NP(struct plus_np);

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

/* Remove the record in `slot`; the last record moves to its slot. */
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

/* Time at which the pointer first finds the record in `slot` ready for a CNP. */
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

/* The slot of the next CNP, and its time. It is the first record in pointer order
 * that is ready at its next check. Records notified within the minimum interval
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
        from = slot != NONE ? slot + 1 : 0; /* after the last slot: continue with the first one */
    }
    return winner;
}

/* early_check `clear`: the next `checks` checks send nothing and clear the ECN bits of their records. */
static void clear_bits(struct plus_np *np, uint64_t checks)
{
    uint32_t n = checks < np->listed ? (uint32_t)checks : np->listed, slot;
    uint32_t end = np->cursor + n, wrapped = end > np->listed ? end - np->listed : 0;
    while ((slot = next_bit(np, np->cursor, end - wrapped)) != NONE || (slot = next_bit(np, 0, wrapped)) != NONE)
        bit_set(np, slot, false);
}

/* Move the pointer over the checks before `now` that found nothing to send. It
 * stops at a CNP that is due but has not been polled. */
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

static void np_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct np_profile *np = (struct np_profile *)profile;
    (void)env;
    np->generation = p[P_cnp_generation];
    np->min_interval = p[P_cnp_min_interval];
    np->period_floor = p[P_period_floor];
    np->timeout = p[P_list_timeout];
    np->counts_marked = p[P_period_counts] == COUNT_MARKED;
    np->clear_early = p[P_early_check] == EARLY_CLEAR;
    np->in_turn = p[P_idle_wake] == WAKE_IN_TURN;
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
    rcc_time due;
    next_slot((const struct plus_np *)base, &due);
    return due;
}

static bool np_poll(struct rcc_np *base, rcc_time now, struct rcc_cnp *cnp)
{
    struct plus_np *np = (struct plus_np *)base;
    const struct np_profile *p = np_profile_of(np);
    rcc_time due, period;
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

const struct rcc_np_ops rcc_dcqcn_plus_np_ops = {.profile_size = sizeof(struct np_profile),
                                                 .derive = np_derive,
                                                 .size = np_size,
                                                 .start = np_start,
                                                 .grow = np_grow,
                                                 .close = np_close,
                                                 .marked = np_marked,
                                                 .next_due = np_next_due,
                                                 .poll = np_poll};
