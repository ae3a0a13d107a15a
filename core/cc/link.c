/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The completion time of a flow that has a path for itself. */
#include "rcc_link.h"

rcc_time rcc_lone_flow_time(const struct rcc_path_link *path, size_t n, struct rcc_link *links,
                            const struct rcc_lone_flow *flow)
{
    const uint64_t packets = (flow->bytes - 1) / flow->mtu + 1;
    struct rcc_link *back = links + n;
    rcc_time acknowledged = 0;
    for (size_t i = 0; i < n; i++)
        links[i] = back[i] = (struct rcc_link){.rate = path[i].rate};
    for (uint64_t i = 0; i < packets; i++)
    {
        const bool last = i + 1 == packets;
        const uint64_t payload = last ? flow->bytes - i * flow->mtu : flow->mtu;
        rcc_time at = 0;
        for (size_t hop = 0; hop < n; hop++)
            at = path[hop].delay +
                 rcc_link_send(&links[hop], at, (uint32_t)payload + flow->overhead + (i == 0 ? flow->first_more : 0));
        if (!last && (i + 1) % flow->ack_every != 0)
            continue;
        for (size_t hop = n; hop-- > 0;)
            at = path[hop].delay + rcc_link_send(&back[hop], at, flow->ack_bytes);
        acknowledged = at;
    }
    return acknowledged;
}
