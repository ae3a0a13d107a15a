/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* State of a DCTCP reaction point, for its tests. */
#ifndef RCC_DCTCP_H
#define RCC_DCTCP_H

#include "roles.h"

struct dctcp_rp
{
    struct rcc_windowed_rp rp;
    uint64_t cwnd;   /* form window: W, 2^-24 byte */
    uint64_t alpha;  /* Q62 */
    uint64_t marked; /* marked packets of this round, form window: bytes */
    uint64_t batch;  /* packets of this round as estimated at its start, form window: bytes acknowledged in it */
    uint64_t last;   /* the round ends with an ACK beyond this byte */
    uint64_t high;   /* the reduced state ends with an ACK beyond this byte */
    bool reduced;    /* CWR: the rate was cut in this round */
};

RCC_CHECK_RP(struct dctcp_rp);

#endif /* RCC_DCTCP_H */
