/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Notification points in the simplest form, written from the papers: they search
 * all flows every time, and DCQCN+'s pointer takes one step per check.
 */
#ifndef RCC_TEST_NAIVE_NP_H
#define RCC_TEST_NAIVE_NP_H

#include "helpers.h"

#define NAIVE_FLOWS 300

enum naive_where
{
    NAIVE_IDLE,
    NAIVE_READY,
    NAIVE_WINDOW
};

struct naive_flow
{
    enum naive_where where;
    bool marked;
    int64_t since; /* ready: since when; window: its end */
    uint64_t turn; /* among equals, the lower turn is first */
};

struct naive_record
{
    uint32_t flow;
    bool bit, notified;
    int64_t cnp_at, marked_at;
    uint64_t turn; /* in the order of marks */
};

struct naive_np
{
    bool plus, nic;
    int64_t generation, interval, floor, timeout;
    bool next_mark, last, counts_marked, clear, in_turn;

    int64_t generator_free;
    uint64_t turns;
    struct naive_flow flow[NAIVE_FLOWS]; /* DCQCN */

    struct naive_record record[NAIVE_FLOWS]; /* DCQCN+ */
    uint32_t listed, cursor;
    int64_t next_check;
};

void naive_init(struct naive_np *np, const struct rig *rig);
void naive_mark(struct naive_np *np, int64_t now, uint32_t flow);
void naive_close(struct naive_np *np, uint32_t flow);
int64_t naive_next_due(const struct naive_np *np);
bool naive_poll(struct naive_np *np, int64_t now, struct rcc_cnp *cnp);

/* Random marks to a rig's NP and to its naive model; both must send the same CNPs. */
struct np_run
{
    uint32_t flows;
    unsigned steps;
    int64_t gap_max;       /* ns between marks, uniform in the exponent */
    unsigned late_percent; /* percentage of CNPs taken later than they are due */
    unsigned close_percent;
    bool grow;
};

/* Returns the number of CNPs. */
unsigned np_compare(struct rig *rig, uint64_t seed, const struct np_run *run);

#endif
