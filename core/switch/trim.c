/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Packet trimming. */
#include "rcc_trim.h"

bool rcc_trim_of_bdp(struct rcc_trim *trim, struct rcc_trim_marks *marks, uint64_t rate, rcc_time rtt)
{
    const uint64_t kilobits = rate / 1000, delay = (uint64_t)rtt;
    uint64_t bdp;
    if (kilobits == 0 || delay > RCC_TRIM_BDP_MAX * 8000000 / kilobits)
        return false;
    bdp = kilobits * delay / 8000000;
    if (bdp < 10)
        return false;
    trim->threshold = trim->limit = bdp;
    marks->kmin = bdp / 5;
    marks->kmax = bdp * 4 / 5;
    return true;
}

enum rcc_trim_verdict rcc_trim_decide(const struct rcc_trim *trim, const struct rcc_trim_frame *frame, uint64_t queue,
                                      uint64_t headers)
{
    const bool over = trim->threshold != 0 && queue + frame->bytes > trim->threshold;
    const enum rcc_trim_verdict whole = frame->admitted ? RCC_TRIM_WHOLE : RCC_TRIM_DROP;
    const bool fits = headers + rcc_trim_bytes(trim, frame->bytes) <= trim->limit;
    if (!frame->data || trim->size == 0)
        return whole;
    if (frame->trimmed)
        return fits ? RCC_TRIM_HEADER : RCC_TRIM_DROP;
    if (frame->admitted && (frame->bytes <= trim->size || !over))
        return RCC_TRIM_WHOLE;
    return fits ? RCC_TRIM_HEADER : RCC_TRIM_DROP;
}
