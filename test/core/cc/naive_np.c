/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "naive_np.h"

#include <stdlib.h>
#include <string.h>

void naive_init(struct naive_np *np, const struct rig *rig)
{
    memset(np, 0, sizeof *np);
    np->plus = strncmp(rig->alg->name, "dcqcn-plus", 10) == 0;
    np->nic = strcmp(rig->alg->name, "dcqcn-nic") == 0;
    if (!np->plus)
        np->interval = rig_get(rig, "cnp_interval");
    if (np->nic)
    {
        np->next_mark = rig_get(rig, "np_rule") == 1;
        np->last = rig_get(rig, "cnp_busy") == 1;
    }
    if (np->nic || np->plus)
        np->generation = rig_get(rig, "cnp_generation");
    if (!np->plus)
        return;
    np->interval = rig_get(rig, "cnp_min_interval");
    np->floor = rig_get(rig, "period_floor");
    np->timeout = rig_get(rig, "list_timeout");
    np->counts_marked = rig_get(rig, "period_counts") == 1;
    np->clear = rig_get(rig, "early_check") == 1;
    np->in_turn = rig_get(rig, "idle_wake") == 1;
}

/* ------------------------------------------------------------------ DCQCN */

/* The flow in state `where` with the earliest time; marked_only among windows. */
static int first_flow(const struct naive_np *np, enum naive_where where, bool marked_only)
{
    int first = -1;
    for (int i = 0; i < NAIVE_FLOWS; i++)
    {
        const struct naive_flow *f = &np->flow[i];
        if (f->where != where || (marked_only && !f->marked))
            continue;
        if (first < 0 || f->since < np->flow[first].since ||
            (f->since == np->flow[first].since && f->turn < np->flow[first].turn))
            first = i;
    }
    return first;
}

static void make_ready(struct naive_np *np, int i, int64_t now)
{
    np->flow[i].where = NAIVE_READY;
    np->flow[i].marked = false;
    np->flow[i].since = now;
    np->flow[i].turn = np->turns++;
}

/* End the windows up to `now`: their flows are notified again if marked, otherwise they become idle. */
static void end_windows(struct naive_np *np, int64_t now)
{
    for (int i; (i = first_flow(np, NAIVE_WINDOW, false)) >= 0 && np->flow[i].since <= now;)
    {
        if (np->flow[i].marked)
            make_ready(np, i, np->flow[i].since);
        else
            np->flow[i].where = NAIVE_IDLE;
    }
}

static void dcqcn_mark(struct naive_np *np, int64_t now, uint32_t flow)
{
    end_windows(np, now);
    if (np->flow[flow].where == NAIVE_IDLE)
    {
        const int waiting = first_flow(np, NAIVE_READY, false);
        if (np->last && now < np->generator_free && waiting >= 0)
            np->flow[waiting].where = NAIVE_IDLE;
        make_ready(np, (int)flow, now);
    }
    else if (np->flow[flow].where == NAIVE_WINDOW && !np->next_mark)
        np->flow[flow].marked = true;
}

static int64_t dcqcn_next_due(const struct naive_np *np)
{
    int i = first_flow(np, NAIVE_READY, false);
    if (i < 0)
        i = first_flow(np, NAIVE_WINDOW, true);
    if (i < 0)
        return RCC_NEVER;
    return np->flow[i].since > np->generator_free ? np->flow[i].since : np->generator_free;
}

static bool dcqcn_poll(struct naive_np *np, int64_t now, struct rcc_cnp *cnp)
{
    int i;
    end_windows(np, now);
    i = first_flow(np, NAIVE_READY, false);
    if (i < 0 || now < np->generator_free)
        return false;
    cnp->flow = (uint32_t)i;
    cnp->period_ns = 0;
    if (np->nic)
        np->generator_free = now + np->generation;
    np->flow[i].where = np->interval > 0 ? NAIVE_WINDOW : NAIVE_IDLE;
    np->flow[i].since = now + np->interval;
    np->flow[i].turn = np->turns++;
    np->flow[i].marked = false;
    return true;
}

/* ------------------------------------------------------------------ DCQCN+ */

static uint32_t count_bits(const struct naive_np *np)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < np->listed; i++)
        n += np->record[i].bit;
    return n;
}

static bool check_sends(const struct naive_np *np)
{
    const struct naive_record *r = &np->record[np->cursor];
    return np->listed != 0 && r->bit && (!r->notified || np->next_check >= r->cnp_at + np->interval);
}

/* A check that sends nothing. */
static void pass(struct naive_np *np)
{
    if (np->clear && np->listed != 0)
        np->record[np->cursor].bit = false;
    np->cursor = np->listed != 0 ? (np->cursor + 1) % np->listed : 0;
    np->next_check += np->generation;
}

static void drop(struct naive_np *np, uint32_t slot)
{
    np->record[slot] = np->record[--np->listed]; /* the last record takes the place */
    if (np->cursor >= np->listed)
        np->cursor = 0;
}

static void drop_aged(struct naive_np *np, int64_t now)
{
    while (np->timeout != 0 && np->listed != 0)
    {
        uint32_t oldest = 0;
        for (uint32_t i = 1; i < np->listed; i++)
            if (np->record[i].turn < np->record[oldest].turn)
                oldest = i;
        if (now - np->record[oldest].marked_at <= np->timeout)
            return;
        drop(np, oldest);
    }
}

static void plus_mark(struct naive_np *np, int64_t now, uint32_t flow)
{
    uint32_t slot = 0;
    bool idle;
    while (np->next_check < now && !check_sends(np)) /* the pointer stops at a CNP that has not been polled */
        pass(np);
    drop_aged(np, now);
    idle = count_bits(np) == 0;
    while (slot < np->listed && np->record[slot].flow != flow)
        slot++;
    if (slot == np->listed)
    {
        memset(&np->record[np->listed++], 0, sizeof np->record[0]);
        np->record[slot].flow = flow;
    }
    np->record[slot].marked_at = now;
    np->record[slot].turn = np->turns++;
    if (np->record[slot].bit)
        return;
    np->record[slot].bit = true;
    if (idle && !np->in_turn)
    {
        np->cursor = slot;
        np->next_check = now > np->generator_free ? now : np->generator_free;
    }
}

static int64_t plus_next_due(const struct naive_np *np)
{
    struct naive_np ahead = *np;
    while (count_bits(&ahead) != 0)
    {
        if (check_sends(&ahead))
            return ahead.next_check;
        pass(&ahead);
    }
    return RCC_NEVER;
}

static bool plus_poll(struct naive_np *np, int64_t now, struct rcc_cnp *cnp)
{
    struct naive_record *r;
    int64_t period;
    if (plus_next_due(np) > now)
        return false;
    while (!check_sends(np))
        pass(np);
    r = &np->record[np->cursor];
    period = (np->counts_marked ? count_bits(np) : np->listed) * np->generation; /* eq. 11 */
    period = period > np->floor ? period : np->floor;
    cnp->flow = r->flow;
    cnp->period_ns = period < UINT32_MAX ? (uint32_t)period : UINT32_MAX;
    r->bit = false;
    r->notified = true;
    r->cnp_at = now;
    np->cursor = (np->cursor + 1) % np->listed;
    np->next_check = np->generator_free = now + np->generation;
    return true;
}

/* ------------------------------------------------------------------ both */

void naive_mark(struct naive_np *np, int64_t now, uint32_t flow)
{
    if (np->plus)
        plus_mark(np, now, flow);
    else
        dcqcn_mark(np, now, flow);
}

void naive_close(struct naive_np *np, uint32_t flow)
{
    np->flow[flow].where = NAIVE_IDLE;
    np->flow[flow].marked = false;
    for (uint32_t slot = 0; slot < np->listed; slot++)
        if (np->record[slot].flow == flow)
        {
            drop(np, slot);
            return;
        }
}

int64_t naive_next_due(const struct naive_np *np)
{
    return np->plus ? plus_next_due(np) : dcqcn_next_due(np);
}

bool naive_poll(struct naive_np *np, int64_t now, struct rcc_cnp *cnp)
{
    return np->plus ? plus_poll(np, now, cnp) : dcqcn_poll(np, now, cnp);
}

/* ------------------------------------------------------------------ comparison */

#define WHERE "seed %llu, step %u, t %lld: "

/* Poll the CNPs that are due at `now` from both. */
static unsigned take(struct rig *rig, struct naive_np *naive, rcc_time now, uint64_t seed, unsigned step)
{
    unsigned n = 0;
    for (;; n++)
    {
        struct rcc_cnp got = {UINT32_MAX, 0}, want = {UINT32_MAX, 0};
        rcc_time due = rcc_np_next_due(rig->np), due_naive = naive_next_due(naive);
        bool more;
        CHECK(due == due_naive, WHERE "due %lld, naive %lld", (unsigned long long)seed, step, (long long)now,
              (long long)due, (long long)due_naive);
        more = rcc_np_poll(rig->np, now, &got);
        CHECK(more == (due <= now), WHERE "poll and next_due disagree", (unsigned long long)seed, step, (long long)now);
        CHECK(more == naive_poll(naive, now, &want), WHERE "poll", (unsigned long long)seed, step, (long long)now);
        if (!more)
            return n;
        CHECK(got.flow == want.flow && got.period_ns == want.period_ns, WHERE "flow %u period %u, naive %u %u",
              (unsigned long long)seed, step, (long long)now, got.flow, got.period_ns, want.flow, want.period_ns);
    }
}

unsigned np_compare(struct rig *rig, uint64_t seed, const struct np_run *run)
{
    struct rng rng = {seed};
    struct naive_np *naive = malloc(sizeof *naive);
    uint32_t capacity = run->grow ? run->flows / 4 + 1 : run->flows;
    rcc_time now = 0;
    unsigned cnps = 0;
    CHECK(naive != NULL, "no memory");
    rig_start_np(rig, capacity);
    naive_init(naive, rig);

    for (unsigned step = 0; step < run->steps; step++)
    {
        rcc_time mark = now + rng_log_range(&rng, 0, run->gap_max);
        bool poll_first = rng_chance(&rng, 50); /* when a CNP is due at the very time of a mark */
        rcc_time due;
        uint32_t flow;
        while ((due = rcc_np_next_due(rig->np)) < mark || (due == mark && poll_first))
        {
            struct rcc_cnp none;
            rcc_time at = due > now ? due : now;
            if (rng_chance(&rng, run->late_percent))
                break;                             /* the host polls only after the mark: the CNP and the list wait */
            if (due > now && rng_chance(&rng, 30)) /* an early poll changes nothing */
                CHECK(!rcc_np_poll(rig->np, rng_range(&rng, now, due - 1), &none), "a CNP before it is due");
            if (rng_chance(&rng, run->late_percent))
                at = rng_range(&rng, at, at > mark ? at : mark);
            now = at;
            cnps += take(rig, naive, now, seed, step);
        }
        now = mark > now ? mark : now;
        flow = (uint32_t)rng_range(&rng, 0, rng_chance(&rng, 50) ? capacity - 1 : (capacity - 1) / 8);
        rcc_np_marked(rig->np, now, flow);
        naive_mark(naive, now, flow);
        if (rng_chance(&rng, run->close_percent))
        {
            uint32_t victim = (uint32_t)rng_range(&rng, 0, capacity - 1);
            rcc_np_close(rig->np, victim);
            naive_close(naive, victim);
        }
        if (run->grow && capacity < run->flows && rng_chance(&rng, 3))
        {
            uint32_t more = capacity + (uint32_t)rng_range(&rng, 1, run->flows - capacity);
            rig_grow_np(rig, more);
            capacity = more;
        }
    }
    free(naive);
    return cnps;
}
