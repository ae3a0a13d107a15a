/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A NIC with five queue pairs on two ports, for the tests of core/qp. */
#ifndef RCC_QP_NIC_H
#define RCC_QP_NIC_H

#include "helpers.h"
#include "rcc_qp.h"

#define QPS 5u
#define PORTS 2u
#define RING 64u
#define LOG 1024u
#define GAP 24u

struct memory
{
    rcc_time keys[QPS], log[LOG];
    uint32_t ids[QPS];
    uint8_t least[RCC_HEAP_PARENTS(QPS)];
};

struct nic
{
    struct rng rng;
    struct rig rig;
    struct rcc_transport transport;
    struct rcc_bucket bucket;
    struct rcc_nic core;
    struct rcc_port port[PORTS];
    struct memory memory[PORTS][RCC_CLASSES];
    uint64_t line_rate[PORTS];
    uint8_t paused[PORTS];
    uint32_t at[QPS];
    struct rcc_qp qp[QPS];
    struct rcc_message ring[QPS][RING];
    uint64_t rp[QPS][RCC_RP_SIZE_MAX / 8];
    rcc_time now;
};

/* Settings and algorithm depend on the seed; no queue pair has a message. */
void nic_init(struct nic *n, uint64_t seed);

/* The port of a queue pair. */
unsigned port_of(const struct nic *n, const struct rcc_qp *qp);

#endif
