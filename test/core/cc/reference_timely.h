/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * TIMELY and patched TIMELY in floating point, written from the algorithms of
 * "ECN or Delay" (CoNEXT 2016), not from core/.
 */
#ifndef RCC_TEST_REFERENCE_TIMELY_H
#define RCC_TEST_REFERENCE_TIMELY_H

#include "reference.h"

struct ref_timely
{
    bool patched, scaled;
    bool simulator;                                                                  /* rules=hpcc */
    real delta, beta, alpha, t_low, t_high, min_rtt, base_rtt, r_min, line, max_cut; /* bit/s and ns */
    int64_t segment, hai_after, hai;

    real rate, rtt_diff, gradient, weight;
    real prev_rtt; /* < 0 before the first sample */
    real last_update;
    int64_t acked, events_without_rise;
};

void ref_timely_start(struct ref_timely *r, const struct rig *rig, int64_t now);
void ref_timely_ack(struct ref_timely *r, int64_t now, int64_t rtt, int64_t acked);
/* w(g) of patched TIMELY. */
real ref_timely_weight(real g);

#endif
