/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The pacer of a reaction point: see pacer.h. */
#include "pacer.h"

void rcc_rp_pay(struct rcc_rp *rp, rcc_time dt)
{
    if (!rp->profile->frozen)
    {
        uint64_t rate = (uint64_t)rcc_rp_pace(rp->rate), debt = (uint64_t)rp->debt;
        /* with rate < 2^44 and dt < 2^20 the product fits 64 bits; a longer dt needs the division */
        bool paid = dt < ((rcc_time)1 << 20) ? rate * (uint64_t)dt >= debt : (uint64_t)dt > debt / rate;
        rp->debt = paid ? 0 : (int64_t)(debt - rate * (uint64_t)dt);
    }
    else
    {
        rp->debt = rp->debt > dt ? rp->debt - dt : 0;
    }
}
