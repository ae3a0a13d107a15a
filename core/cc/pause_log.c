/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* When the class of a queue pair was paused: a ring of changes, which reaction points read (reads_pauses). */
#include "roles.h"

void rcc_pause_log_init(struct rcc_pause_log *log, rcc_time *storage, uint32_t capacity)
{
    log->toggle = storage;
    log->mask = capacity - 1;
    log->count = 0;
}

void rcc_pause_log_set(struct rcc_pause_log *log, rcc_time now, bool paused)
{
    if ((log->count & 1u) == (paused ? 1u : 0u))
        return; /* no change */
    log->toggle[log->count & log->mask] = now;
    log->count++;
}

/* Index of the first change after t in the ring; count if there is none. */
static uint64_t first_change_after(const struct rcc_pause_log *log, rcc_time t, uint64_t oldest)
{
    uint64_t low = oldest, high = log->count;
    if (low == high || t >= log->toggle[(high - 1) & log->mask])
        return high;
    while (low < high)
    {
        uint64_t mid = low + (high - low) / 2;
        if (log->toggle[mid & log->mask] <= t)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint64_t oldest_change(const struct rcc_pause_log *log)
{
    return log->count > log->mask ? log->count - log->mask - 1 : 0;
}

bool rcc_pause_log_at(const struct rcc_pause_log *log, rcc_time t)
{
    const uint64_t oldest = oldest_change(log), next = first_change_after(log, t, oldest);
    return (next != oldest || next == log->count) && (next & 1u) != 0;
}

rcc_time rcc_pause_change_after(const struct rcc_pause_log *log, rcc_time t)
{
    const uint64_t next = first_change_after(log, t, oldest_change(log));
    return next == log->count ? RCC_NEVER : log->toggle[next & log->mask];
}
