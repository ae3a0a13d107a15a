/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* NSCC in floating point, written from the specification's rules, not from core/. */
#ifndef RCC_TEST_REFERENCE_NSCC_H
#define RCC_TEST_REFERENCE_NSCC_H

#include "reference.h"

struct ref_nscc
{
    /* bytes, ns, bytes per ns */
    real mtu, rate, window_ratio, config_rtt, target, fi, fi_scale, eta, alpha, gamma, md_jump, qa_threshold, period;
    real adjust_bytes, clear_delay;
    int64_t gate;
    bool quick_adapt, restart;
    int64_t average; /* 0 by time, 1 the last sample, 2 uet-htsim's */

    real cwnd, max_window, base_rtt, inc, avg, saved;
    int64_t achieved, received, fi_count, to_ignore, ignored;
    int64_t qa_end, last_adjust, last_dec, sampled_at, idle_since;
    bool fast, trigger;
};

/* The host has the rig's line rate, this base RTT in ns and this payload of a packet. */
void ref_nscc_start(struct ref_nscc *r, const struct rig *rig, int64_t now, int64_t rtt, int64_t mtu);
void ref_nscc_sent(struct ref_nscc *r, int64_t now);
void ref_nscc_hear(struct ref_nscc *r, int64_t now, const struct rcc_feedback *f);
/* A random signal to feed both: this RTT, if any, and so many bytes in flight. */
struct rcc_feedback ref_nscc_signal(struct rng *rng, rcc_time rtt, uint64_t flying);

#endif
