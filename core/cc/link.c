/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Completion time of a flow that is alone on its path. */
#include "rcc_link.h"

/* Send a frame over one link: to a switch with `header` and an egress link of rate `next`, or to a host (next = 0). */
static rcc_time cross(struct rcc_link *link, rcc_time ready, const struct rcc_path_link *over, uint32_t bytes,
                      uint32_t header, uint64_t next)
{
    const rcc_time begin = ready > link->free ? ready : link->free;
    const rcc_time gap = (rcc_time)((uint64_t)over->gap * 8 * 1000000000 / link->rate);
    const rcc_time end = rcc_link_send(link, ready, bytes + over->gap) - gap;
    const bool cuts = header != 0 && rcc_link_may_cut(link->rate, next);
    return over->delay + (cuts ? rcc_link_header_left(begin, end, link->rate, header) : end);
}

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
        const uint32_t bytes = (uint32_t)payload + flow->overhead + (i == 0 ? flow->first_more : 0);
        for (size_t hop = 0; hop < n; hop++)
        {
            const bool host = hop + 1 == n;
            const uint64_t next = host ? 0 : path[hop + 1].rate;
            at = cross(&links[hop], at, &path[hop], bytes, host ? 0 : path[hop].header, next);
        }
        if (!last && (i + 1) % flow->ack_every != 0)
            continue;
        for (size_t hop = n; hop-- > 0;)
        {
            const bool host = hop == 0;
            const uint64_t next = host ? 0 : path[hop - 1].rate;
            at = cross(&back[hop], at, &path[hop], flow->ack_bytes, host ? 0 : path[hop - 1].header, next);
        }
        acknowledged = at;
    }
    return acknowledged;
}
