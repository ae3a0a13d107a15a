/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Declarations for barre.c, barre_np.c and their tests. */
#ifndef RCC_BARRE_H
#define RCC_BARRE_H

#include "path.h"

/* Parameters that the NP reads, as indices: barre_np.c has no names of fields. */
enum
{
    BARRE_CNP_INTERVAL = 4,
    BARRE_CNP_GENERATION = 5
};

extern const struct rcc_np_ops rcc_barre_np_ops;

/* A longer RTT is read as 68 s. */
#define BARRE_RTT_MAX (((rcc_time)1 << 36) - 1)

struct barre_profile
{
    struct rcc_profile base;
    uint64_t line, r_min;      /* 2^-16 bit/s */
    uint64_t alpha, fast_step; /* 2^-16 bit/s */
    uint64_t beta;             /* Q62 */
    uint64_t n;                /* bytes of the lock */
    rcc_time c, base_rtt;
    uint32_t k;
    bool monitor, restore_uncut, fly_by_cnp, quiet_restart;
};

struct barre_rp
{
    struct rcc_rp rp;
    uint64_t sent_inc, sent_fly; /* bytes since the lock opened, and in the monitor's period */
    uint64_t step;               /* alpha_k, 2^-16 bit/s */
    rcc_time timer;              /* when the lock opened */
    rcc_time rtt, base;          /* the last sample, and the shortest; RCC_NEVER before the first */
    uint32_t count;              /* increases since the last CNP */
    bool cnp;                    /* a CNP came since the lock opened */
    bool quarter;                /* the monitor is on */
};

#endif /* RCC_BARRE_H */
