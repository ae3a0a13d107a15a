/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* One queue pair at a port of 10 Gb/s, whose reaction point is a test's own `struct spy`. */
#ifndef ONE_QP_H
#define ONE_QP_H

#include "helpers.h"
#include "rcc_qp.h"
#include "roles.h"

struct spy;

struct rig1
{
    struct rcc_transport transport;
    struct rcc_bucket bucket;
    struct rcc_nic nic;
    struct rcc_port port;
    struct rcc_qp qp;
    struct rcc_profile profile;
    uint64_t line_rate;
    uint64_t memory[RCC_RP_SIZE_MAX / 8];
    rcc_time keys[2], log[4];
    uint32_t ids[2], at[1];
    uint8_t least[RCC_HEAP_PARENTS(2)];
    struct spy *spy;
};

/* `zero` has the transport, the profile and the gap between frames. */
static inline void rig1_start(struct rig1 *r, const struct rig1 *zero)
{
    *r = *zero;
    r->line_rate = 10 * GBPS;
    r->nic.transport = &r->transport;
    r->nic.bucket = &r->bucket;
    r->nic.at = r->at;
    rcc_timers_init(&r->nic.timers);
    rcc_port_init(&r->port);
    r->port.line_rate = &r->line_rate;
    rcc_heap_init(&r->port.classes[3].heap, r->keys, r->ids, r->least, 2);
    rcc_pause_log_init(&r->port.classes[3].pauses, r->log, 4);
    rcc_qp_start(&r->qp, &r->nic, rcc_rp_start(r->memory, &r->profile, 0, 0), 0, 0);
    rcc_qp_attach(&r->qp, &r->port, 3, 62);
    r->spy = (struct spy *)(void *)r->memory;
}

#endif /* ONE_QP_H */
