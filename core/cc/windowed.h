/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Common parts of algorithms with a congestion window: the path's rate C, base RTT T and bandwidth-delay product, and
 * the rate C W / BDP at which a window W is paced. Not part of the public API.
 *
 * Numbers: windows inside an algorithm carry 24 binary digits below one byte, so that small windows too keep six
 * decimal digits over long chains of factors; T is 1 ns to 100 ms, the BDP below 2^62 such units.
 */
#ifndef RCC_WINDOWED_H
#define RCC_WINDOWED_H

#include "ratio.h"
#include "roles.h"

#define WINDOWED_RTT_MAX (100 * RCC_MS)

/* 1 byte as a window inside an algorithm. */
#define WINDOWED_SHIFT 24
#define WINDOWED_ONE ((uint64_t)1 << WINDOWED_SHIFT)

#define WINDOWED_FIELDS(F, RULE, PACING, PACING_SOURCE)                                                                \
    F(base_rtt, RCC_RP, RCC_UNIT_NS, 0, WINDOWED_RTT_MAX, 0, NULL,                                                     \
      "T: RTT of the path without queues; 0: as the topology has it", "decision `base_rtt`")                           \
    F(window, RCC_RP, RCC_UNIT_CHOICE, 0, WINDOWED_NONE, WINDOWED_VARIABLE, "variable|fixed|none",                     \
      "bytes in flight: variable: those of the rate, R T; fixed: C T; none: the rate alone",                           \
      "HPCC paper's simulator, keys HAS_WIN and VAR_WIN")                                                              \
    F(window_rule, RCC_RP, RCC_UNIT_CHOICE, 0, WINDOWED_STARTS, RULE, "fits|starts",                                   \
      "fits: a packet must fit into the window, but one may always be in flight; starts: it may start while less is "  \
      "in flight than the window",                                                                                     \
      "decision `window_rule`; HPCC paper's simulator: starts")                                                        \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_LATEST, PACING, "follow|frozen|latest",                           \
      "the gap after a packet: follow: what is left of it follows rate changes; frozen: fixed when the packet "        \
      "leaves; latest: the whole gap is that of the latest rate",                                                      \
      PACING_SOURCE)

enum windowed_kind
{
    WINDOWED_VARIABLE,
    WINDOWED_FIXED,
    WINDOWED_NONE
};

enum windowed_rule
{
    WINDOWED_FITS,
    WINDOWED_STARTS
};

struct windowed_profile
{
    struct rcc_profile base;
    uint64_t line;     /* C, 2^-16 bit/s */
    uint64_t bdp;      /* C T / 8e9, 2^-24 byte */
    uint64_t per_byte; /* 8e9 / T, Q30: bit/s of a byte of window */
    rcc_time rtt;      /* T */
    enum windowed_kind kind;
};

/* Payload of a packet, bytes. */
static inline uint64_t windowed_mtu(const struct rcc_env *env)
{
    const uint32_t mtu = env->mtu != 0 ? env->mtu : RCC_MTU;
    return mtu < RCC_FRAME_MAX ? mtu : RCC_FRAME_MAX;
}

/* C, bit/s. */
static inline uint64_t windowed_line(const struct rcc_env *env)
{
    return env->path_rate != 0 && env->path_rate < env->line_rate ? env->path_rate : env->line_rate;
}

/* Bytes of T at a rate in bit/s, 2^-24 byte, at least one such unit. */
static inline uint64_t windowed_bytes(const struct windowed_profile *w, uint64_t rate)
{
    const uint64_t bytes = rcc_mul_div(rate << 16, (uint64_t)w->rtt << (WINDOWED_SHIFT - 16), 8 * (uint64_t)RCC_SEC);
    return bytes != 0 ? bytes : 1;
}

/* The rate of a window of at most the BDP, 2^-16 bit/s. */
static inline uint64_t windowed_rate(const struct windowed_profile *w, uint64_t window)
{
    return window < w->bdp ? rcc_mul_shift(window, w->per_byte, 30 + WINDOWED_SHIFT - RCC_RATE_SHIFT) : w->line;
}

/* T: the parameter, else the environment's, else RCC_BASE_RTT. */
static inline rcc_time windowed_rtt(int64_t parameter, const struct rcc_env *env)
{
    const rcc_time rtt = parameter != 0 ? parameter : env->base_rtt > 0 ? env->base_rtt : RCC_BASE_RTT;
    return rtt < WINDOWED_RTT_MAX ? rtt : WINDOWED_RTT_MAX;
}

/* params[first] is base_rtt, followed by the other WINDOWED_FIELDS. */
static inline void windowed_derive(const int64_t *first, const struct rcc_env *env, struct windowed_profile *w)
{
    w->rtt = windowed_rtt(first[0], env);
    w->line = windowed_line(env) << RCC_RATE_SHIFT;
    w->bdp = windowed_bytes(w, windowed_line(env));
    w->per_byte = (8 * (uint64_t)RCC_SEC << 30) / (uint64_t)w->rtt;
    w->kind = (enum windowed_kind)first[1];
    if (w->kind == WINDOWED_NONE)
        w->base.needs.wants &= (uint16_t) ~(RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS);
    else if (first[2] == WINDOWED_STARTS)
        w->base.needs.wants &= (uint16_t)~RCC_WANT_WINDOW_FITS;
    w->base.frozen = first[3] == RCC_PACING_FROZEN;
    w->base.latest = first[3] == RCC_PACING_LATEST;
}

/* Show the host the window `window`, to nearest. */
static inline void windowed_show(struct rcc_windowed_rp *rp, const struct windowed_profile *w, uint64_t window)
{
    const unsigned digits = WINDOWED_SHIFT - RCC_WINDOW_SHIFT;
    window = w->kind == WINDOWED_VARIABLE ? window : w->bdp;
    rp->window = (window + ((uint64_t)1 << (digits - 1))) >> digits;
}

#endif /* RCC_WINDOWED_H */
