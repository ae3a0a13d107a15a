/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * Packet trimming: instead of dropping a data frame, a switch cuts its payload off and sends the header through a queue
 * of its own, so that the receiver asks for the packet again at once (NDP, SIGCOMM'17; UEC 1.0, section 3.6.17).
 *
 *     switch (rcc_trim_decide(&trim, &frame, bytes of the frame's queue, bytes of the queue of headers))
 *     {
 *     case RCC_TRIM_WHOLE:  store the frame in its queue
 *     case RCC_TRIM_HEADER: frame.bytes = rcc_trim_bytes(&trim, frame.bytes); store it in class trim.cls; a frame that
 *                           has become no shorter is whole
 *     case RCC_TRIM_DROP:   drop it
 *     }
 */
#ifndef RCC_TRIM_H
#define RCC_TRIM_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Largest bandwidth-delay product of rcc_trim_of_bdp, bytes. */
#define RCC_TRIM_BDP_MAX ((uint64_t)1 << 40)

    /** Settings of a port that trims. A port with `size` 0 does not. */
    struct rcc_trim
    {
        uint64_t threshold; /**< a data frame that makes its queue longer is trimmed, bytes; 0 = only one that the
                               buffer does not admit */
        uint64_t limit;     /**< a header that makes the queue of headers longer is dropped, bytes */
        uint32_t size;      /**< bytes of a trimmed frame; one that is no longer goes whole to the queue of headers,
                               if the buffer does not admit it to its own; 0 = no trimming */
        uint8_t cls;        /**< traffic class of trimmed frames, which the host serves before that of data */
    };

    /** Thresholds of a fabric with trimming. */
    struct rcc_trim_marks
    {
        uint64_t kmin; /**< queue from which frames are marked, bytes */
        uint64_t kmax; /**< queue at which every frame is marked, bytes */
    };

    /** A frame that a switch has received. */
    struct rcc_trim_frame
    {
        uint32_t bytes; /**< size on the wire, bytes */
        bool data;      /**< a data frame of a queue pair */
        bool trimmed;   /**< a switch before has trimmed it */
        bool admitted;  /**< the buffer has space for the whole frame */
    };

    /** The fate of a frame. */
    enum rcc_trim_verdict
    {
        RCC_TRIM_WHOLE,  /**< the frame is stored in its queue */
        RCC_TRIM_HEADER, /**< the header is stored in the queue of headers; a frame of at most `size` is stored whole */
        RCC_TRIM_DROP    /**< the frame is dropped */
    };

    /**
     * The fabric of NSCC (UEC 1.0, section 3.6.17): marks from 0.2 to 0.8 BDP, trimming at 1 BDP, and 1 BDP of headers.
     * \param trim output: thresholds in bytes; size and cls are not changed
     * \param marks output: thresholds of the marks
     * \param rate rate of the link, bit/s, its last three digits are dropped
     * \param rtt longest round-trip time without queues, ns, 1 to 2^29
     * \return false if the BDP is below 10 bytes or above RCC_TRIM_BDP_MAX; nothing is changed then
     */
    bool rcc_trim_of_bdp(struct rcc_trim *trim, struct rcc_trim_marks *marks, uint64_t rate, rcc_time rtt);

    /**
     * Bytes of a frame after trimming.
     * \param trim settings of the egress port
     * \param bytes bytes of the frame
     * \return the lesser of size and bytes
     */
    static inline uint32_t rcc_trim_bytes(const struct rcc_trim *trim, uint32_t bytes)
    {
        return bytes < trim->size ? bytes : trim->size;
    }

    /**
     * Decide about a frame. A frame of another kind than data is never trimmed.
     * \param trim settings of the egress port
     * \param queue bytes in the queue of its class at the egress port
     * \param headers bytes in the queue of headers at the egress port
     * \return what becomes of it
     */
    enum rcc_trim_verdict rcc_trim_decide(const struct rcc_trim *trim, const struct rcc_trim_frame *frame,
                                          uint64_t queue, uint64_t headers);

#ifdef __cplusplus
}
#endif

#endif /* RCC_TRIM_H */
