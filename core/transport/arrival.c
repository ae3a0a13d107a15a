/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The ingress meter of a NIC, and its receive buffer. */
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

bool rcc_intake_reads_at_once(struct rcc_intake *intake, rcc_time now, uint32_t bytes, bool empty)
{
    const bool reads = empty && intake->drain.rate != 0 && intake->drain.free <= now;
    if (reads)
        rcc_link_send(&intake->drain, now, bytes);
    return reads;
}

bool rcc_intake_keeps(struct rcc_intake *intake, unsigned cls, uint32_t bytes)
{
    const uint64_t waiting = intake->waiting[cls] + bytes;
    const bool lossless = ((unsigned)intake->lossless >> cls & 1u) != 0;
    if (!lossless && waiting > intake->limit)
        return false;
    intake->waiting[cls] = waiting;
    if (lossless && waiting >= intake->limit)
        intake->paused |= (uint8_t)(1u << cls);
    return true;
}

rcc_time rcc_intake_read(struct rcc_intake *intake, rcc_time now, unsigned cls, uint32_t bytes)
{
    intake->waiting[cls] -= bytes;
    if (intake->waiting[cls] <= intake->limit / 2)
        intake->paused = (uint8_t)(intake->paused & ~(1u << cls));
    return intake->drain.rate != 0 ? rcc_link_send(&intake->drain, now, bytes) : now;
}
