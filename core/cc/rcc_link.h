/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The time that frames take on a link, to the fraction of a nanosecond: n frames back to back take n times as long as
 * one, whatever the rate.
 */
#ifndef RCC_LINK_H
#define RCC_LINK_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

    /** One direction of a link. Starts zeroed but for its rate. */
    struct rcc_link
    {
        rcc_time free;    /**< when the last bit of the last frame leaves, ns */
        uint64_t rest;    /**< what `free` was rounded down by, in ns / rate */
        uint64_t rate;    /**< bit/s, not 0; who changes it sets `bytes` to 0 */
        uint64_t ns;      /**< transmission time of a frame of `bytes`, rounded down */
        uint64_t ns_rest; /**< what it was rounded down by, in ns / rate */
        uint32_t bytes;   /**< of the frame that was sent last; 0 = none */
    };

    /**
     * Send a frame, after those before it.
     * \param link the link
     * \param now when the frame is ready, ns, not before that of earlier calls
     * \param bytes that it takes of the link, 1 to 2^30
     * \return when its last bit leaves, link->free
     */
    static inline rcc_time rcc_link_send(struct rcc_link *link, rcc_time now, uint32_t bytes)
    {
        if (bytes != link->bytes)
        {
            const uint64_t bit_ns = (uint64_t)bytes * 8 * 1000000000;
            link->bytes = bytes;
            link->ns = bit_ns / link->rate;
            link->ns_rest = bit_ns % link->rate;
        }
        if (now > link->free)
        {
            link->free = now;
            link->rest = 0; /* the link was idle: nothing to carry */
        }
        link->free += (rcc_time)link->ns;
        link->rest += link->ns_rest;
        if (link->rest >= link->rate)
        {
            link->rest -= link->rate;
            link->free++;
        }
        return link->free;
    }

    /**
     * Cut-through: when the first bytes of a frame have left, which a switch at the other end needs to pass it on.
     * \param begin when its first bit leaves, ns
     * \param end when its last bit leaves, ns
     * \param rate of the link, bit/s, not 0
     * \param header how many bytes these are, up to 2^20
     * \return ns, rounded up; `end` of a frame that is shorter
     */
    static inline rcc_time rcc_link_header_left(rcc_time begin, rcc_time end, uint64_t rate, uint32_t header)
    {
        const rcc_time left = begin + (rcc_time)(((uint64_t)header * 8 * 1000000000 + rate - 1) / rate);
        return left < end ? left : end;
    }

    /**
     * Whether a switch may pass a frame on before its last bit has come: not to a faster link, which would run dry.
     * \param in rate of the link it comes from, bit/s
     * \param out rate of the link it leaves through, bit/s
     * \return true if it may
     */
    static inline bool rcc_link_may_cut(uint64_t in, uint64_t out)
    {
        return out <= in;
    }

    /** A link of a path. */
    struct rcc_path_link
    {
        uint64_t rate;   /**< bit/s, not 0 */
        rcc_time delay;  /**< ns */
        uint32_t header; /**< bytes after which the switch at its end passes a frame on; 0 = the whole frame */
    };

    /** A flow that is alone on its path. */
    struct rcc_lone_flow
    {
        uint64_t bytes;      /**< payload, at least 1 */
        uint32_t mtu;        /**< payload of a full packet, bytes, at least 1 */
        uint32_t ack_every;  /**< every n-th packet is acknowledged, and the last; at least 1 */
        uint32_t overhead;   /**< bytes of a packet around its payload */
        uint32_t first_more; /**< bytes of the first packet beyond these */
        uint32_t ack_bytes;  /**< bytes of an acknowledgement */
    };

    /**
     * Completion time of a flow that is alone: it sends at the rate of the first link, every switch stores and forwards
     * whole frames or, with a header, cuts through, and the acknowledgement of the last packet comes back over the same
     * links.
     * \param path its links, from the sender on; the switch between two of them has the header of the first one
     * \param n how many links, at least 1
     * \param links memory for 2 n links
     * \param flow the flow
     * \return ns from the first bit sent to the last acknowledgement received
     */
    rcc_time rcc_lone_flow_time(const struct rcc_path_link *path, size_t n, struct rcc_link *links,
                                const struct rcc_lone_flow *flow);

#ifdef __cplusplus
}
#endif

#endif /* RCC_LINK_H */
