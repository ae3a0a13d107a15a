/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file rcc_cioq.h
 * A combined input/output-queued (CIOQ) switch, after N. Chrysos et al., "Unbiased QCN for Scalable Server-Fabrics",
 * IBM Research report RZ 3880: occupancy of its buffers, STOP/GO of its inputs, credits of its outputs.
 *
 * The host stores the frames. It keeps a record for each frame, and a virtual output queue (VOQ) per input and output:
 *
 *     arrival   rcc_cioq_add(input)    rcc_cioq_must_stop(input)?    rcc_cioq_request(output, voq)
 *     grant     rcc_cioq_grant(output)    rcc_cioq_enter(fabric)
 *     landing   rcc_cioq_land(output)
 *     leaving   rcc_cioq_remove(input), rcc_cioq_may_go(input)?    rcc_cioq_remove(output)
 *
 * No operation can fail. Only the cost of rcc_cioq_fullest grows with the number of frames.
 */
#ifndef RCC_CIOQ_H
#define RCC_CIOQ_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Bytes of a buffer unit, "256B payload" (RZ 3880, section VI). */
#define RCC_CIOQ_UNIT 256u
/** Frames of at least this many bytes are always listed: Ethernet's minimum. */
#define RCC_CIOQ_FRAME_MIN 64u

    /** Sides of the switch. A frame can be in one buffer of each side at once. */
    enum rcc_cioq_side
    {
        RCC_CIOQ_INPUT,
        RCC_CIOQ_OUTPUT
    };

    /** A frame in the switch. The host fills in flow, bytes and listed before the first rcc_cioq_add. */
    struct rcc_cioq_record
    {
        uint64_t flow;  /**< flow of the frame, as numbered by the host */
        uint32_t bytes; /**< size on the wire, 1 to that of the largest frame */
        uint32_t at[2]; /**< position in the lists of its two buffers, by side; internal */
        bool listed;    /**< the source of the frame can be notified */
    };

    /** Occupancy of an input or output buffer, and the list of its frames. */
    struct rcc_cioq_buffer
    {
        uint64_t bytes;                  /**< occupancy, bytes */
        uint64_t capacity;               /**< capacity, bytes */
        struct rcc_cioq_record **frames; /**< listed frames, unordered; NULL: no list is kept */
        struct rcc_cioq_record **sorted; /**< scratch memory of rcc_cioq_fullest */
        uint32_t count;                  /**< number of listed frames */
        uint32_t space;                  /**< capacity of the list, frames */
        uint32_t max_units;              /**< buffer units of the largest frame */
        enum rcc_cioq_side side;         /**< index of this buffer in rcc_cioq_record.at */
    };

    /** An input of the switch. */
    struct rcc_cioq_input
    {
        struct rcc_cioq_buffer buffer; /**< occupancy */
        uint64_t stop;                 /**< occupancy at which STOP is sent to the upstream, bytes */
        uint64_t go;                   /**< occupancy down to which GO waits, bytes, below `stop` */
        bool stopped;                  /**< STOP was sent and GO has not followed */
    };

    /** State of a VOQ at its output. */
    struct rcc_cioq_voq
    {
        struct rcc_cioq_voq *next; /**< next VOQ in the round of its output; internal */
        uint32_t input;            /**< index of the input, as numbered by the host */
        uint32_t head_bytes;       /**< size of the frame to be granted next; set it before rcc_cioq_request */
    };

    /** An output, its credits and its arbiter. */
    struct rcc_cioq_output
    {
        struct rcc_cioq_buffer buffer; /**< occupancy */
        uint64_t reserved;             /**< bytes that are granted but not yet in the buffer */
        struct rcc_cioq_voq *first;    /**< first VOQ of the round: the VOQs with a frame that is not granted */
        struct rcc_cioq_voq *last;     /**< the last VOQ of the round */
    };

    /** The link from one input into the fabric. */
    struct rcc_cioq_fabric
    {
        uint64_t rate; /**< bit/s, not 0 */
        rcc_time free; /**< time at which the last granted frame has entered, ns, rounded down */
        uint64_t rest; /**< rounding remainder of `free`, in ns / rate */
    };

    /**
     * Size of the list of a buffer.
     * \param capacity capacity of the buffer, bytes
     * \return bytes; the memory must be 8-byte aligned
     */
    size_t rcc_cioq_list_size(uint64_t capacity);

    /**
     * Initialise an empty buffer.
     * \param side side of the switch
     * \param capacity capacity, bytes, below 2^37
     * \param max_frame largest frame, bytes, 1 to 2^30
     * \param list rcc_cioq_list_size(capacity) bytes for the list of rcc_cioq_fullest and rcc_cioq_random; NULL: no
     * list
     */
    void rcc_cioq_start(struct rcc_cioq_buffer *buffer, enum rcc_cioq_side side, uint64_t capacity, uint32_t max_frame,
                        void *list);

    /**
     * Add a frame to a buffer. A frame shorter than RCC_CIOQ_FRAME_MIN is not listed if the list is full.
     * \param buffer the buffer, with space for the frame
     * \param record record of the frame
     */
    void rcc_cioq_add(struct rcc_cioq_buffer *buffer, struct rcc_cioq_record *record);

    /**
     * Remove a frame from a buffer.
     * \param buffer the buffer that holds the frame
     * \param record record of the frame
     */
    void rcc_cioq_remove(struct rcc_cioq_buffer *buffer, struct rcc_cioq_record *record);

    /**
     * Find a frame of the flow that occupies most bytes of the buffer; among equal flows, the one with the least
     * number. The time is that of a sort of all listed frames.
     *
     * \param buffer a buffer with a list
     * \return record of the frame; NULL if no frame is listed
     */
    struct rcc_cioq_record *rcc_cioq_fullest(struct rcc_cioq_buffer *buffer);

    /**
     * Find the frame that occupies a uniformly random unit of the buffer. Random frames are drawn until one is accepted
     * with probability units / max_units, so that every occupied unit is equally likely.
     *
     * \param buffer a buffer with a list
     * \param draw random number function of the host
     * \param stream its stream
     * \param draws number of draws used so far of the stream; advanced by the call
     * \return record of the frame; NULL if no frame is listed
     */
    struct rcc_cioq_record *rcc_cioq_random(const struct rcc_cioq_buffer *buffer, rcc_draw draw, uint64_t stream,
                                            uint64_t *draws);

    /**
     * Whether STOP must be sent to the upstream. Call it after rcc_cioq_add.
     * \param input the input to which the frame was added
     * \return true once when the occupancy reaches `stop`
     */
    bool rcc_cioq_must_stop(struct rcc_cioq_input *input);

    /**
     * Whether GO must be sent to a stopped upstream. Call it after rcc_cioq_remove.
     * \param input the input from which the frame was removed
     * \return true once per STOP
     */
    bool rcc_cioq_may_go(struct rcc_cioq_input *input);

    /**
     * Append a VOQ that has a frame to the round of its output.
     * \param output output of the VOQ
     * \param voq the VOQ, not in the round, with head_bytes set
     */
    void rcc_cioq_request(struct rcc_cioq_output *output, struct rcc_cioq_voq *voq);

    /**
     * Grant the head of the VOQ that is first in the round: reserve space for it and remove the VOQ from the round. If
     * there is no space for this frame, no other VOQ overtakes it, or a large frame could wait for ever.
     *
     * \param output the output
     * \return the VOQ; NULL if the round is empty or there is no space for the head of its first VOQ
     */
    struct rcc_cioq_voq *rcc_cioq_grant(struct rcc_cioq_output *output);

    /**
     * Add a granted frame to the output buffer; its reservation ends.
     * \param output output that granted the frame
     * \param record record of the frame
     */
    void rcc_cioq_land(struct rcc_cioq_output *output, struct rcc_cioq_record *record);

    /**
     * Schedule the entry of a granted frame into the fabric, after the frames that were granted before.
     * \param fabric link of its input into the fabric
     * \param bytes size of the frame, bytes, up to 2^30
     * \return time at which its last bit has entered, ns
     */
    rcc_time rcc_cioq_enter(struct rcc_cioq_fabric *fabric, rcc_time now, uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* RCC_CIOQ_H */
