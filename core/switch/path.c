/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Choice of a path per packet. */
#include "rcc_path.h"

/* The next flow of a sequence that begins at another number for each flow, as if every packet were a flow. */
uint32_t rcc_path_pick_packet(const struct rcc_paths *paths, const struct rcc_path_frame *frame, uint32_t n)
{
    return rcc_path_of_flow(paths, frame->data ? rcc_mix(frame->hash) + paths->sprayed : frame->hash, n);
}

void rcc_path_count(struct rcc_paths *paths, const struct rcc_path_frame *frame)
{
    paths->sprayed += frame->data ? 1 : 0;
}
