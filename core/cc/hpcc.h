/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* State of an HPCC reaction point, for its tests. */
#ifndef RCC_HPCC_H
#define RCC_HPCC_H

#include "telemetry.h"

#define HPCC_U_SHIFT 40

/* The state of a path, or of a hop with multi_rate. */
struct hpcc_loop
{
    uint64_t u;     /* U, the averaged utilisation, 2^-HPCC_U_SHIFT */
    uint64_t wc;    /* Wc, window of the last round, 2^-24 byte */
    uint32_t stage; /* additive steps since the last multiplicative one */
};

struct hpcc_rp
{
    struct rcc_windowed_rp rp;
    uint64_t w;     /* W, 2^-24 byte */
    uint64_t last;  /* the round ends with an ACK beyond this byte */
    uint64_t draws; /* random numbers used */
    struct telemetry seen;
    struct hpcc_loop loop[RCC_PATH_MAX]; /* the first one, if not multi_rate */
};

RCC_CHECK_RP(struct hpcc_rp);

#endif /* RCC_HPCC_H */
