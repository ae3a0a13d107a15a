/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Swift in floating point, written from the paper's equations, not from core/. */
#ifndef RCC_TEST_REFERENCE_SWIFT_H
#define RCC_TEST_REFERENCE_SWIFT_H

#include "reference.h"
#include "swift.h"

#define REF_SWIFT_MTU 1000

struct ref_window
{
    real cwnd, cut_at;
};

struct ref_swift
{
    real base, hop, range, a, b, ai, beta, mdf, least, most, e_target, e_weight, rtt_weight;
    int64_t threshold, retx;
    bool endpoint, printed;
    struct ref_window f, e;
    real e_delay, rtt, target; /* < 0 before the first sample */
};

/* With the windows that `s` has. */
void ref_swift_start(struct ref_swift *r, const struct rig *rig, const struct swift_rp *s);
void ref_swift_hear(struct ref_swift *r, rcc_time now, const struct rcc_feedback *f);

#endif
