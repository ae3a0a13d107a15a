/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What algorithm files share: field tables, rate changes, RED marking. Not part of the public API. */
#ifndef RCC_ROLES_H
#define RCC_ROLES_H

#include "fixed.h"
#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * A field table is written once, as a list F(name, role, unit, min, max, def,
 * choices, help, source), and expands to the indices P_name and to the table.
 */
#define RCC_FIELD_INDEX(name, role, unit, min, max, def, choices, help, source) P_##name,
#define RCC_FIELD_ENTRY(name, role, unit, min, max, def, choices, help, source)                                        \
    {#name, role, unit, min, max, def, choices, help, source},

#define RCC_ALGORITHM(id) extern const struct rcc_algorithm rcc_algorithm_##id;
#include "algorithms.def"
#undef RCC_ALGORITHM

#define RCC_KB ((int64_t)1000)
#define RCC_MB ((int64_t)1000000)
#define RCC_US ((int64_t)1000)
#define RCC_MS ((int64_t)1000000)
#define RCC_SEC ((int64_t)1000000000)
#define RCC_MBPS ((int64_t)1000000)
#define RCC_GBPS ((int64_t)1000000000)

    /* ------------------------------------------------------------------ reaction point */

    /* Pay the pacer for the time from paced_at to t at the current rate. */
    void rcc_rp_settle(struct rcc_rp *rp, rcc_time t);

    /* The rate is `rate` (2^-16 bit/s) from t on; what was sent before is paid at the old rate. */
    static inline void rcc_rp_set_rate(struct rcc_rp *rp, rcc_time t, uint64_t rate)
    {
        if (rate == rp->rate)
            return;
        rcc_rp_settle(rp, t);
        rp->rate = rate;
    }

    /* True if the pacer is owed nothing, so that skipping over rate changes changes no departure. */
    static inline bool rcc_rp_is_paid(const struct rcc_rp *rp)
    {
        return rp->debt == 0;
    }

    /*
     * One step of RT += increment, RC = (RT + RC) / 2: RT stops at `cap`, RC at the
     * line rate. Below the cap the difference follows d' = ceil((d + increment) / 2)
     * whatever RT is; at the cap it rounds the other way, so that RC arrives.
     */
    static inline uint64_t rcc_rp_halfway(uint64_t rate, uint64_t *target, uint64_t increment, uint64_t cap,
                                          uint64_t line)
    {
        uint64_t gap;
        *target = increment >= cap - *target ? cap : *target + increment;
        if (*target <= rate) /* the target was cut below the current rate (QCN's target rate reduction) */
            return rate - (rate - *target) / 2;
        gap = *target - rate;
        rate += (gap >> 1) + (*target == cap ? gap & 1u : 0u);
        return rate < line ? rate : line;
    }

    /* ------------------------------------------------------------------ RED marking (red.c) */

    struct rcc_red_profile
    {
        uint64_t kmin, kmax; /* bytes */
        uint64_t slope;      /* 2^52 * probability per byte above kmin */
        rcc_draw draw;
        bool at_enqueue;
    };

    struct rcc_red_cp
    {
        const struct rcc_red_profile *profile;
        uint64_t stream;
        uint64_t draws;
    };

    /* p = 0 up to Kmin, pmax (q - Kmin) / (Kmax - Kmin) up to Kmax, 1 above. */
    bool rcc_red_profile_set(struct rcc_red_profile *profile, const struct rcc_env *env, int64_t kmin, int64_t kmax,
                             int64_t pmax_ppb, bool at_enqueue, const char **why);
    void rcc_red_start(void *cp, const void *profile, uint64_t stream);
    enum rcc_cp_action rcc_red_enqueued(void *cp, uint64_t queue, uint32_t bytes, struct rcc_cnm *cnm);
    enum rcc_cp_action rcc_red_dequeued(void *cp, uint64_t queue);

#ifdef __cplusplus
}
#endif

#endif /* RCC_ROLES_H */
