/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Profile and state of Swift's reaction point, for swift.c and its tests. */
#ifndef RCC_SWIFT_H
#define RCC_SWIFT_H

#include "path.h"

/* Windows are packets times 2^38, times in computations are ns times 2^16. */
#define SWIFT_PACKET ((uint64_t)1 << 38)
#define SWIFT_NS_SHIFT 16
#define SWIFT_NS ((int64_t)1 << SWIFT_NS_SHIFT)
#define SWIFT_CWND_MAX (16000000 * SWIFT_PACKET)
/* A longer RTT is read as 68 s. */
#define SWIFT_RTT_MAX (((rcc_time)1 << 36) - 1)

/* Bytes of an ACK: the delay in the receiver, and the hop count (section 3.1). */
#define SWIFT_REMOTE_BYTES 4
#define SWIFT_HOPS_BYTES 1

struct swift_profile
{
    struct rcc_profile base;
    uint64_t line;                        /* 2^-16 bit/s */
    uint64_t min_cwnd, max_cwnd, initial; /* 2^-38 packet */
    uint64_t base_target, hop, e_target;  /* 2^-16 ns */
    uint64_t fs_range;                    /* 2^-16 ns; 0 = no flow scaling */
    uint64_t fs_min, fs_max;              /* 2^-38 packet */
    uint64_t fs_root, fs_span;            /* see inverse_root: of fs_max, and that of fs_min less that of fs_max */
    uint64_t ai;                          /* 2^-38 packet */
    uint64_t beta, max_mdf;               /* Q62 */
    uint64_t e_weight, rtt_weight;        /* Q62 */
    rcc_time base_rtt;
    uint32_t mtu, retx_threshold;
    bool endpoint, as_printed;
};

/* A window with its clock. */
struct swift_window
{
    uint64_t cwnd;   /* 2^-38 packet */
    rcc_time cut_at; /* t_dec: < 0 before the first decrease */
};

struct swift_rp
{
    struct rcc_windowed_rp w;
    struct swift_window fabric, endpoint;
    uint64_t target; /* fabric target of the last ACK, 2^-16 ns */
    int64_t e_delay; /* averaged endpoint delay, 2^-16 ns; < 0 before the first sample */
    int64_t rtt;     /* RTT in use, 2^-16 ns; before the first sample the path's */
    uint32_t retx;   /* timeouts in a row */
    uint32_t frame;  /* the largest frame sent so far, bytes on the wire */
    bool heard;      /* there was an RTT sample */
};

#endif /* RCC_SWIFT_H */
