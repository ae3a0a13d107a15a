/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * In-band telemetry: the congestion point that stamps records, and what HPCC and PowerTCP keep of the last
 * acknowledgement's. Not part of the public API.
 */
#ifndef RCC_TELEMETRY_H
#define RCC_TELEMETRY_H

#include "roles.h"

#define TELEMETRY_HELP "telemetry on the wire: paper: 2 bytes and 8 per hop; simulator: always 42 bytes, for five hops"
#define TELEMETRY_SOURCE "SIGCOMM'19, not verified; HPCC paper's simulator: 42 bytes"

#define TELEMETRY_FIELD(F)                                                                                             \
    F(int_form, RCC_RP, RCC_UNIT_CHOICE, 0, TELEMETRY_SIMULATOR, TELEMETRY_PAPER, "paper|simulator", TELEMETRY_HELP,   \
      TELEMETRY_SOURCE)                                                                                                \
    TELEMETRY_SCALE_FIELD(F)

#define TELEMETRY_SCALE_FIELD(F)                                                                                       \
    F(int_multi, RCC_RP, RCC_UNIT_COUNT, 1, UINT16_MAX, 1, NULL,                                                       \
      "multiplier of the units in which int_form simulator counts sent bytes and queues",                              \
      "HPCC paper's simulator, key INT_MULTI; its run.py: rate of the hosts / 25 Gb/s")

enum
{
    TELEMETRY_PAPER,
    TELEMETRY_SIMULATOR,
    TELEMETRY_PINT
};

/* Records are not compared with ones older than half of what a field of 24 bits on the wire can tell. Decision
 * `telemetry_gap`. */
#define TELEMETRY_GAP ((rcc_time)1 << 23)

/* The records of the last acknowledgement. */
struct telemetry
{
    struct rcc_hop hop[RCC_PATH_MAX];
    rcc_time at; /* when it arrived */
    uint16_t path_id;
    uint8_t n; /* 0: none yet */
};

/* A congestion point that writes telemetry and does nothing else. */
extern const struct rcc_cp_ops rcc_telemetry_cp_ops;

/* The needs of an algorithm with telemetry, in the form of the paper. */
#define TELEMETRY_NEEDS                                                                                                \
    {                                                                                                                  \
        .wants = RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS | RCC_WANT_ACK_PER_PACKET | RCC_WANT_INT,                      \
        .int_form = RCC_INT_PAPER, .int_scale = 1, .data_extra = 2, .data_extra_per_hop = 8, .ack_extra = 2,           \
        .ack_extra_per_hop = 8                                                                                         \
    }

/* The function of rcc_telemetry_cp_ops, for congestion points that write such telemetry or another form. */
void rcc_telemetry_stamp(struct rcc_cp *cp, rcc_time now, uint64_t queue, uint64_t tx_bytes, uint64_t rate,
                         struct rcc_hop *hop);

/* Set the needs of a form of telemetry; `form` and `multi` are the values of the fields int_form and int_multi. */
void rcc_telemetry_needs(struct rcc_needs *needs, int64_t form, int64_t multi);

/* Whether the records of an acknowledgement can be compared with the last one's. If not, they are kept, and that is all
 * that the acknowledgement does. Decision `telemetry_gap`. */
bool rcc_telemetry_compares(struct telemetry *t, const struct rcc_feedback *f, rcc_time now);

/* Time and bytes since the last record of this hop. False, and the last record is kept, if the record is not younger:
 * acknowledgements were reordered, a port has no rate, or the counter of 32 bits may have wrapped. Decision
 * `telemetry_order`. */
static inline bool telemetry_delta(const struct rcc_hop *old, const struct rcc_hop *hop, uint64_t *dt, uint64_t *bytes)
{
    *dt = hop->ts - old->ts;
    *bytes = hop->tx - old->tx;
    return *dt - 1 < INT32_MAX && hop->rate_mbps != 0 && hop->rate_mbps * *dt < (uint64_t)8000 << 32;
}

#endif /* RCC_TELEMETRY_H */
