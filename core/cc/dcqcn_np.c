/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The notification point of DCQCN (SIGCOMM'15 fig. 6). The first mark of a flow causes a
 * CNP at once; after that the flow gets at most one CNP per interval N. The NIC makes at
 * most one CNP per generation time. Flows whose marks find it busy queue for the next
 * CNP, in turn, or the last of them has it (cnp_busy): a queue notifies all flows equally
 * often, whatever their rates, and the last mark is more often one of a fast flow.
 */
#include "dcqcn_common.h"

/*
 * A flow is idle, waits for the CNP generator (ready list), or is inside the
 * interval after a CNP (window list). All intervals have the same length, so the
 * window list is ordered by their ends. `first_marked` is the first flow of the
 * window list that was marked again: the end of its interval is the time of the
 * NP's next action, because flows before it need no CNP.
 */
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

RCC_CHECK_PROFILE(struct dcqcn_np_profile);
RCC_CHECK_NP(struct dcqcn_np);

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

/* Remove the head of a list that is not empty. */
static void list_pop(struct np_flow *flows, struct np_list *list)
{
    list->head = flows[list->head].next;
    if (list->head != NONE)
        flows[list->head].prev = NONE;
    else
        list->tail = NONE;
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
        /* search from the head: windows that end at the same time may be marked in any order */
        uint32_t j = np->window.head;
        while (j != NONE && (j == i || !flows[j].marked))
            j = flows[j].next;
        np->first_marked = j;
    }
    list_remove(flows, &np->window, i);
}

static bool np_has_ended(const struct dcqcn_np *np, rcc_time now)
{
    return np->window.head != NONE && np_flows_const(np)[np->window.head].end <= now;
}

/* Update the lists to `now`: flows whose interval has ended leave the window list, and become ready if marked. */
static void np_advance(struct dcqcn_np *np, rcc_time now)
{
    while (np_has_ended(np, now))
    {
        const uint32_t i = np->window.head;
        struct np_flow *f = &np_flows(np)[i];
        if (f->marked != 0)
        {
            np_leave_window(np, i);
            np_make_ready(np, i, f->end);
        }
        else
        {
            list_pop(np_flows(np), &np->window);
            f->where = NP_IDLE;
        }
    }
}

void rcc_dcqcn_np_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct dcqcn_np_profile *np = (struct dcqcn_np_profile *)profile;
    (void)env;
    np->interval = p[P_cnp_interval];
    np->generation = p[P_cnp_generation];
    np->next_mark = p[P_np_rule] == NP_RULE_NEXT_MARK;
    np->last = p[P_cnp_busy] == CNP_BUSY_LAST;
}

size_t rcc_dcqcn_np_size(uint32_t capacity)
{
    return sizeof(struct dcqcn_np) + (size_t)capacity * sizeof(struct np_flow);
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
    np->generator_free = old->generator_free;
    np->ready = old->ready;
    np->window = old->window;
    np->first_marked = old->first_marked;
    for (uint32_t i = 0; i < old_base->capacity; i++)
        np_flows(np)[i] = np_flows_const(old)[i];
}

void rcc_dcqcn_np_close(struct rcc_np *base, uint32_t flow)
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

void rcc_dcqcn_np_marked(struct rcc_np *base, rcc_time now, uint32_t flow)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    const struct dcqcn_np_profile *profile = (const struct dcqcn_np_profile *)base->profile;
    struct np_flow *flows = np_flows(np), *f = &flows[flow];
    np_advance(np, now);
    if (profile->last && now < np->generator_free && np->ready.head != NONE && f->where == NP_IDLE)
    {
        flows[np->ready.head].where = NP_IDLE;
        list_pop(flows, &np->ready);
    }
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

rcc_time rcc_dcqcn_np_next_due(const struct rcc_np *base)
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

bool rcc_dcqcn_np_poll(struct rcc_np *base, rcc_time now, struct rcc_cnp *cnp)
{
    struct dcqcn_np *np = (struct dcqcn_np *)base;
    const struct dcqcn_np_profile *profile = (const struct dcqcn_np_profile *)np->np.profile;
    struct np_flow *flows = np_flows(np);
    uint32_t i;
    if (np_has_ended(np, now)) /* rarely true: a mark usually has updated the lists to `now` already */
        np_advance(np, now);
    i = np->ready.head;
    if (i == NONE || now < np->generator_free)
        return false;
    list_pop(flows, &np->ready);
    flows[i].where = NP_IDLE;
    np->generator_free = now + profile->generation;
    if (profile->interval > 0)
    {
        flows[i].where = NP_WINDOW;
        flows[i].end = now + profile->interval;
        list_append(flows, &np->window, i);
    }
    cnp->flow = i;
    cnp->period_ns = 0;
    return true;
}

const struct rcc_np_ops rcc_dcqcn_np_ops =
    DCQCN_NP_OPS(struct dcqcn_np_profile, rcc_dcqcn_np_derive, rcc_dcqcn_np_marked);
