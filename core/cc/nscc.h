/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Profile and state of NSCC's reaction point, for nscc.c, nscc_rp.c and their tests. */
#ifndef RCC_NSCC_H
#define RCC_NSCC_H

#include "path.h"

/* Windows are bytes times 2^16, delays ns times 2^24, sums of increments byte^2 times 2^16. */
#define NSCC_NS_SHIFT 24
#define NSCC_ALPHA_SHIFT 44
#define NSCC_SCALE_SHIFT 44
/* A longer RTT is read as 68 s. */
#define NSCC_RTT_MAX (((rcc_time)1 << 36) - 1)
/* Largest window: 1 TB. */
#define NSCC_WINDOW_MAX ((uint64_t)1 << 56)
/* Bytes that one signal can report. */
#define NSCC_BYTES_MAX ((uint64_t)1 << 40)
#define NSCC_INC_MAX ((uint64_t)1 << 62)
#define NSCC_GAIN_MAX ((uint64_t)1 << 62)

/* The header of an ACK with congestion control has 32 bytes in place of 12 (section 5.1 of UEC's transport headers). */
#define NSCC_ACK_BYTES 20

enum nscc_average
{
    NSCC_AVERAGE_TIME,
    NSCC_AVERAGE_SAMPLE,
    NSCC_AVERAGE_HTSIM
};

struct nscc_profile
{
    struct rcc_profile base;
    uint64_t line;            /* 2^-16 bit/s */
    uint64_t path_rate;       /* bit/s */
    uint64_t mtu, max_window; /* 2^-16 byte; max_window with the configured base RTT */
    uint64_t initial;         /* first window, 2^-16 byte */
    uint64_t target;          /* target queueing delay, 2^-24 ns */
    uint64_t eta;             /* 2^-16 byte */
    uint64_t fi;              /* 2^-32 byte */
    uint64_t fi_scale;        /* 2^-44 */
    uint64_t alpha;           /* 2^-44 byte per ns */
    uint64_t gamma, md_jump;  /* Q62 */
    uint64_t qa_threshold;    /* 2^-24 ns; UINT64_MAX = no delay is enough */
    uint64_t adjust_bytes;    /* bytes */
    uint64_t clear_delay;     /* 2^-24 ns: less is "no delay" */
    int64_t window_ratio;     /* parts per billion of the BDP */
    rcc_time base_rtt, adjust_period;
    uint32_t qa_gate;
    enum nscc_average average;
    bool quick_adapt, restart;
};

struct nscc_rp
{
    struct rcc_windowed_rp w;                                  /* window: cwnd */
    uint64_t max_window, saved;                                /* 2^-16 byte; saved 0 = nothing */
    uint64_t inc;                                              /* increments not yet applied, 2^-16 byte^2 */
    uint64_t avg;                                              /* average queueing delay, 2^-24 ns */
    uint64_t achieved, received, fi_count, to_ignore, ignored; /* bytes */
    rcc_time base_rtt;                                         /* the shortest RTT */
    rcc_time sampled_at, last_adjust, last_dec;
    rcc_time qa_end;     /* 0 = no period is open */
    rcc_time idle_since; /* < 0 = bytes are in flight */
    bool fast, trigger;
};

/* MaxWnd: 1.5 rate rtt, at least one MTU. */
static inline uint64_t rcc_nscc_largest_window(const struct nscc_profile *p, rcc_time rtt)
{
    const uint64_t v = rcc_mul_ratio(rcc_bdp(p->path_rate, rtt), p->window_ratio, NSCC_WINDOW_MAX);
    return v > p->mtu ? v : p->mtu;
}

/* nscc_rp.c */
void rcc_nscc_start(struct rcc_rp *rp);
void rcc_nscc_sent(struct rcc_rp *rp, uint32_t bytes);
void rcc_nscc_feedback(struct rcc_rp *rp, const struct rcc_feedback *f);
void rcc_nscc_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state);

#endif /* RCC_NSCC_H */
