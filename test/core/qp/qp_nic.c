/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qp_nic.h"

#include <string.h>

static const char *const algorithms[] = {"dcqcn", "dcqcn-plus", "timely", "none"};

void nic_init(struct nic *n, uint64_t seed)
{
    memset(n, 0, sizeof *n);
    n->rng.state = seed;
    n->now = rng_range(&n->rng, 0, MS);
    rig_init(&n->rig, algorithms[seed % 4], NULL, 10 * GBPS);
    rig_start(&n->rig, 0, 0);
    n->transport.mtu = (uint32_t)rng_range(&n->rng, 100, 4000);
    n->transport.ack_every = (uint32_t)rng_log_range(&n->rng, 1, 32);
    n->transport.chunk = rng_chance(&n->rng, 30) ? 16 : 0;
    n->transport.back_to_zero = rng_chance(&n->rng, 30);
    n->transport.retry_limit = rng_chance(&n->rng, 30) ? 1 : 0;
    n->transport.backoff = rng_chance(&n->rng, 50);
    n->transport.timeout = 50 * US;
    n->transport.reliable = true;
    n->transport.write = rng_chance(&n->rng, 50);
    n->bucket.size = rng_chance(&n->rng, 40) ? 5000 : 0;
    n->bucket.interval = 1000;
    n->bucket.debt = rng_chance(&n->rng, 50);
    n->core.transport = &n->transport;
    n->core.bucket = &n->bucket;
    n->core.at = n->at;
    n->core.gap = GAP;
    rcc_timers_init(&n->core.timers);
    for (unsigned p = 0; p < PORTS; p++)
    {
        n->line_rate[p] = (p + 1) * 10 * GBPS;
        rcc_port_init(&n->port[p]);
        n->port[p].line_rate = &n->line_rate[p];
        for (unsigned c = 0; c < RCC_CLASSES; c++)
        {
            struct memory *m = &n->memory[p][c];
            rcc_heap_init(&n->port[p].classes[c].heap, m->keys, m->ids, m->least, QPS);
            rcc_pause_log_init(&n->port[p].classes[c].pauses, m->log, LOG);
        }
    }
    memset(n->qp, 0xa5, sizeof n->qp);
    memset(n->at, 0, sizeof n->at);
    for (uint32_t i = 0; i < QPS; i++)
    {
        rcc_qp_start(&n->qp[i], &n->core, rcc_rp_start(n->rp[i], n->rig.rp_profile, n->now, i), i, n->now);
        rcc_qp_attach(&n->qp[i], &n->port[i % PORTS], i % 3 == 0 ? 5 : 3, (uint16_t)(62 + i));
        ck_assert(!rcc_qp_is_queued(&n->core, &n->qp[i]) && !rcc_sender_has_data(&n->qp[i].tx));
        rcc_sender_grow(&n->qp[i].tx, n->ring[i], RING);
    }
}

unsigned port_of(const struct nic *n, const struct rcc_qp *qp)
{
    return (unsigned)(qp->port - n->port);
}
