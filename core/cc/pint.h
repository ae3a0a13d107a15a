/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * HPCC-PINT, CC_MODE 10 of the HPCC paper's simulator (R. Ben Basat et al., "PINT: Probabilistic In-band Network
 * Telemetry", SIGCOMM 2020): in place of records, each port averages its own utilisation over the base RTT, and a
 * packet carries the largest one of its path as a power of a base b:
 *
 *     N1  U = (1 - dt/T) U + (dt/T) (r / B + q 8e9 / (B T)),  dt = min(time since the last packet, T)
 *     N2  x = ceil(512 U), at least 1;  p = floor(log_b x), or one more with probability (x - b^p) / (b^(p+1) - b^p)
 *     N3  the packet carries the largest p of its ports; the reaction point reads U = b^p / 512
 *
 * r is the rate at which the port has sent since the last packet. Not part of the public API.
 */
#ifndef RCC_PINT_H
#define RCC_PINT_H

#include "ratio.h"
#include "roles.h"

#define PINT_SHIFT 40
#define PINT_ONE ((uint64_t)1 << PINT_SHIFT)
#define PINT_FLOWS_SHIFT 9 /* 512 */
#define PINT_MOST_SHIFT 18 /* x is at most 2^18: U is at most 512 */
#define PINT_POWERS 12     /* b >= 1.01: p is below 2^11 */

/* Powers of the base, 2^-PINT_SHIFT, at most 2^PINT_MOST_SHIFT. */
struct pint_base
{
    uint64_t power[PINT_POWERS]; /* b^(2^i) */
};

struct pint_profile
{
    struct rcc_profile base;
    struct pint_base log;
    rcc_draw draw;    /* NULL: N2 rounds to the nearer power */
    rcc_time rtt;     /* T */
    uint64_t inverse; /* 1 / T, Q62 */
    bool writes;      /* false: the records of other forms */
};

struct pint_cp
{
    struct rcc_cp cp;
    uint64_t u;     /* U, 2^-PINT_SHIFT */
    uint64_t tx;    /* bytes that the port had sent before the last packet */
    uint64_t draws; /* random numbers used */
    rcc_time at;    /* time of the last packet, ns */
    bool any;       /* there was a packet */
};

/* b^(2^i) of a base in parts per billion. */
void rcc_pint_base(struct pint_base *log, int64_t ppb);

/* b^p, 2^-PINT_SHIFT, at most 2^PINT_MOST_SHIFT. */
uint64_t rcc_pint_power(const struct pint_base *log, uint32_t p);

/* N2: p of a utilisation; draw: 32 random bits. */
uint32_t rcc_pint_encode(const struct pint_base *log, uint64_t u, uint32_t draw);

/* Congestion point with a struct pint_profile and a struct pint_cp. */
void rcc_pint_derive(struct pint_profile *profile, const struct rcc_env *env, int64_t ppb, rcc_time rtt);
void rcc_pint_stamp(struct rcc_cp *cp, rcc_time now, uint64_t queue, uint64_t tx_bytes, uint64_t rate,
                    struct rcc_hop *hop);

RCC_CHECK_PROFILE(struct pint_profile);
RCC_CHECK_CP(struct pint_cp);

#endif /* RCC_PINT_H */
