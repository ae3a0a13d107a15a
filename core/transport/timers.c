/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Retransmission timers: one list in the order of expiry for each back-off level. */
#include "rcc_transport.h"

void rcc_timers_init(struct rcc_timers *timers)
{
    for (unsigned level = 0; level <= RCC_BACKOFF_MAX; level++)
        timers->head[level] = timers->tail[level] = NULL;
}

bool rcc_timers_arm(struct rcc_timers *timers, struct rcc_timer *timer, rcc_time due, uint8_t level)
{
    struct rcc_timer *before = timers->tail[level];
    while (before != NULL && before->due > due) /* only if the host has changed the timeout */
        before = before->prev;
    timer->due = due;
    timer->level = level;
    timer->armed = true;
    timer->prev = before;
    timer->next = before != NULL ? before->next : timers->head[level];
    if (timer->next != NULL)
        timer->next->prev = timer;
    else
        timers->tail[level] = timer;
    if (before != NULL)
        before->next = timer;
    else
        timers->head[level] = timer;
    return before == NULL;
}

void rcc_timers_disarm(struct rcc_timers *timers, struct rcc_timer *timer)
{
    if (!timer->armed)
        return;
    timer->armed = false;
    if (timer->prev != NULL)
        timer->prev->next = timer->next;
    else
        timers->head[timer->level] = timer->next;
    if (timer->next != NULL)
        timer->next->prev = timer->prev;
    else
        timers->tail[timer->level] = timer->prev;
}

struct rcc_timer *rcc_timers_first(const struct rcc_timers *timers)
{
    struct rcc_timer *first = timers->head[0];
    for (unsigned level = 1; level <= RCC_BACKOFF_MAX; level++)
    {
        struct rcc_timer *t = timers->head[level];
        if (t != NULL && (first == NULL || t->due < first->due))
            first = t;
    }
    return first;
}
