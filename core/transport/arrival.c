/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The ingress meter of a NIC. */
#include "rcc_arrival.h"

void rcc_meter_set(struct rcc_meter *meter, uint64_t rate, uint32_t depth)
{
    if (meter->queue.rate != rate)
    {
        meter->queue.rate = rate;
        meter->queue.rest = 0; /* in a unit that depends on the rate */
        meter->queue.bytes = 0;
    }
    meter->depth = rate != 0 ? (rcc_time)((uint64_t)depth * 8 * 1000000000 / rate) : 0;
}

bool rcc_meter_is_overloaded(struct rcc_meter *meter, rcc_time now, uint32_t bytes)
{
    const bool overloaded = meter->queue.free - now > meter->depth;
    if (!overloaded)
        rcc_link_send(&meter->queue, now, bytes);
    return overloaded;
}
