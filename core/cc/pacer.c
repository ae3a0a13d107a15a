/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The pacer of a reaction point: see pacer.h. */
#include "pacer.h"

void rcc_rp_pay(struct rcc_rp *rp, rcc_time dt)
{
    if (!rp->profile->frozen)
    {
        int64_t rate = rcc_rp_pace(rp->rate);
        /* with rate < 2^42 and dt < 2^21 the product fits 63 bits; a longer dt needs the division */
        bool paid = dt < ((rcc_time)1 << 21) ? rate * dt >= rp->debt : dt > rp->debt / rate;
        rp->debt = paid ? 0 : rp->debt - rate * dt;
    }
    else
    {
        rp->debt = rp->debt > dt ? rp->debt - dt : 0;
    }
}
