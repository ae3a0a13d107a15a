/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A token bucket that drops frames beyond a rate and a burst. */
#include "rcc_switch.h"

struct rcc_policer rcc_policer_start(uint64_t rate, uint32_t burst)
{
    struct rcc_policer policer = {{0}, 0, burst};
    policer.drain.rate = rate;
    policer.burst = (rcc_time)((uint64_t)burst * 8000000000 / rate);
    return policer;
}

bool rcc_policer_passes(struct rcc_policer *policer, rcc_time now, uint32_t bytes)
{
    struct rcc_link with = policer->drain;
    if (bytes > policer->bytes || rcc_link_send(&with, now, bytes) - now > policer->burst)
        return false;
    policer->drain = with;
    return true;
}
