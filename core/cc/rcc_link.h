/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * Transmission times of frames on a link, and random losses. Fractions of a nanosecond are carried over, so that n
 * frames back to back take n times as long as one frame at any rate.
 */
#ifndef RCC_LINK_H
#define RCC_LINK_H

#include "rcc.h"
#include "rcc_mix.h"

#ifdef __cplusplus
extern "C"
{
#endif

    /** One direction of a link. Initialise it with zeros and the rate. */
    struct rcc_link
    {
        rcc_time free;    /**< time at which the last bit of the last frame leaves, ns, rounded down */
        uint64_t rest;    /**< rounding remainder of `free`, in ns / rate */
        uint64_t rate;    /**< bit/s, not 0; set `bytes` to 0 when you change it */
        uint64_t ns;      /**< transmission time of a frame of `bytes`, ns, rounded down */
        uint64_t ns_rest; /**< rounding remainder of `ns`, in ns / rate */
        uint32_t bytes;   /**< size of the last frame, bytes; 0 = none */
    };

    /**
     * Send a frame after the frames that were sent before.
     * \param link the link
     * \param now time at which the frame is ready, ns, not before that of earlier calls
     * \param bytes size of the frame on the link, bytes, 1 to 2^30
     * \return time at which its last bit leaves, link->free
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
     * Cut-through: time at which the header that a switch needs for forwarding has left.
     * \param begin time at which the first bit of the frame leaves, ns
     * \param end time at which its last bit leaves, ns
     * \param rate rate of the link, bit/s, not 0
     * \param header bytes that the switch needs, up to 2^20
     * \return ns, rounded up; `end` if the frame is shorter than the header
     */
    static inline rcc_time rcc_link_header_left(rcc_time begin, rcc_time end, uint64_t rate, uint32_t header)
    {
        const rcc_time left = begin + (rcc_time)(((uint64_t)header * 8 * 1000000000 + rate - 1) / rate);
        return left < end ? left : end;
    }

    /**
     * Whether a switch may forward a frame before its last bit has arrived: not to a faster link, which would underrun.
     * \param in rate of the ingress link, bit/s
     * \param out rate of the egress link, bit/s
     * \return true if it may
     */
    static inline bool rcc_link_may_cut(uint64_t in, uint64_t out)
    {
        return out <= in;
    }

    /** Random losses of one direction of a link. Initialise it with zeros: nothing is lost. */
    struct rcc_link_loss
    {
        uint64_t limit;  /**< probability that a frame is lost, times 2^32, at most 2^32 */
        uint64_t stream; /**< stream of the draws */
        uint64_t draws;  /**< number of draws */
    };

    /**
     * Change the probability and the stream. The draws go on.
     * \param loss losses of the direction
     * \param limit probability that a frame is lost, times 2^32, at most 2^32
     * \param stream of the link
     * \param end the end that the direction leaves from, 0 or 1: each draws from a stream of its own
     */
    static inline void rcc_link_loss_set(struct rcc_link_loss *loss, uint64_t limit, uint64_t stream, unsigned end)
    {
        loss->limit = limit;
        loss->stream = rcc_mix(stream ^ end);
    }

    /**
     * Draw whether a frame is lost. The host says of which kinds frames may be: of every kind, as on a real link, or of
     * data alone, where the others arrive and draw nothing: a PFC frame that is lost stalls the link until the pause
     * ends.
     * \param loss losses of the direction
     * \param payload whether the frame is of a kind that may be lost
     * \return true if it is lost
     */
    static inline bool rcc_link_loses(struct rcc_link_loss *loss, bool payload)
    {
        return loss->limit != 0 && payload && rcc_random(loss->stream, loss->draws++) < loss->limit;
    }

    /** A link of a path. */
    struct rcc_path_link
    {
        uint64_t rate;   /**< bit/s, not 0 */
        rcc_time delay;  /**< propagation delay, ns */
        uint32_t header; /**< bytes after which the switch at its end forwards a frame; 0 = the whole frame */
        uint32_t gap; /**< bytes that follow a frame on the link, which its other end does not wait for; up to 2^30 */
    };

    /** A flow that is alone on its path. */
    struct rcc_lone_flow
    {
        uint64_t bytes;      /**< payload, at least 1 */
        uint32_t mtu;        /**< payload of a full packet, bytes, at least 1 */
        uint32_t ack_every;  /**< every n-th packet and the last one are acknowledged; at least 1 */
        uint32_t overhead;   /**< bytes of headers and trailers of a packet */
        uint32_t first_more; /**< additional bytes of headers of the first packet */
        uint32_t ack_bytes;  /**< bytes of an acknowledgement */
    };

    /**
     * Completion time of a flow that is alone. It sends at the rate of the first link. Every switch stores and forwards
     * whole frames, or cuts through if `header` is not 0. The acknowledgement of the last packet returns over the same
     * links.
     * \param path links of the path, beginning at the sender; `header` of a link is that of the switch at its end
     * \param n number of links, at least 1
     * \param links memory for 2 n links
     * \param flow the flow
     * \return time from the first bit sent to the last acknowledgement received, ns
     */
    rcc_time rcc_lone_flow_time(const struct rcc_path_link *path, size_t n, struct rcc_link *links,
                                const struct rcc_lone_flow *flow);

#ifdef __cplusplus
}
#endif

#endif /* RCC_LINK_H */
