/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file rcc_cioq.h
 * A combined input/output-queued switch, after N. Chrysos et al., "Unbiased QCN for Scalable Server-Fabrics", IBM
 * Research report RZ 3880: what its buffers hold, when an input stops its upstream, what an output may grant.
 *
 * The host keeps the frames. For each frame it has a record, and a virtual output queue (VOQ) per input and output:
 *
 *     arrival   rcc_cioq_add(input)    rcc_cioq_must_stop(input)?    rcc_cioq_request(output, voq)
 *     grant     rcc_cioq_grant(output)    rcc_cioq_enter(fabric)
 *     landing   rcc_cioq_land(output)
 *     leaving   rcc_cioq_remove(input), rcc_cioq_may_go(input)?    rcc_cioq_remove(output)
 *
 * No operation can fail, none looks at more than one frame but rcc_cioq_fullest.
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
/** Least bytes of a frame that is sure to be listed: Ethernet's minimum. */
#define RCC_CIOQ_FRAME_MIN 64u

    /** A frame can be in one buffer of each side at once. */
    enum rcc_cioq_side
    {
        RCC_CIOQ_INPUT,
        RCC_CIOQ_OUTPUT
    };

    /** A frame in the switch. The host fills in flow, bytes and listed before the first rcc_cioq_add. */
    struct rcc_cioq_record
    {
        uint64_t flow;  /**< the host's number of the flow it belongs to */
        uint32_t bytes; /**< on the wire, 1 to that of the largest frame */
        uint32_t at[2]; /**< position in the lists of its two buffers, by side; kept here */
        bool listed;    /**< its source can be notified */
    };

    /** Occupancy of an input or output buffer, and whose frames are in it. */
    struct rcc_cioq_buffer
    {
        uint64_t bytes;                  /**< that lie in it */
        uint64_t capacity;               /**< bytes */
        struct rcc_cioq_record **frames; /**< listed ones, in no order; NULL: no list is kept */
        struct rcc_cioq_record **sorted; /**< scratch of rcc_cioq_fullest */
        uint32_t count;                  /**< of frames that are listed */
        uint32_t room;                   /**< of the list, frames */
        uint32_t max_units;              /**< of the largest frame */
        enum rcc_cioq_side side;         /**< which of a record's positions is this buffer's */
    };

    /** An input and its upstream. */
    struct rcc_cioq_input
    {
        struct rcc_cioq_buffer buffer; /**< occupancy */
        uint64_t stop;                 /**< occupancy, bytes, at which the upstream is to stop */
        uint64_t go;                   /**< occupancy, bytes, below stop, at which it may go on */
        bool stopped;                  /**< the upstream has been asked to stop */
    };

    /** Frames of one input for one output, as its output sees them. */
    struct rcc_cioq_voq
    {
        struct rcc_cioq_voq *next; /**< in the round of its output; kept here */
        uint32_t input;            /**< the host's number */
        uint32_t head_bytes;       /**< of the frame to be granted next; set before rcc_cioq_request */
    };

    /** An output, its credits and its arbiter. */
    struct rcc_cioq_output
    {
        struct rcc_cioq_buffer buffer; /**< occupancy */
        uint64_t reserved;             /**< bytes granted that are not in the buffer yet */
        struct rcc_cioq_voq *first;    /**< the round: VOQs with a frame that is not granted */
        struct rcc_cioq_voq *last;     /**< the last VOQ of the round */
    };

    /** The way of one input into the fabric. */
    struct rcc_cioq_fabric
    {
        uint64_t rate; /**< bit/s, not 0 */
        rcc_time free; /**< when the last granted frame has entered */
        uint64_t rest; /**< what `free` was rounded down by, in ns / rate */
    };

    /**
     * Memory of the list of a buffer.
     * \param capacity of the buffer, bytes
     * \return bytes, 8-byte aligned
     */
    size_t rcc_cioq_list_size(uint64_t capacity);

    /**
     * An empty buffer.
     * \param buffer to set
     * \param side of the switch it is on
     * \param capacity bytes, below 2^37
     * \param max_frame largest frame, bytes, 1 to 2^30
     * \param list rcc_cioq_list_size(capacity) bytes for the list that fullest and random look at; NULL: keep none
     */
    void rcc_cioq_start(struct rcc_cioq_buffer *buffer, enum rcc_cioq_side side, uint64_t capacity, uint32_t max_frame,
                        void *list);

    /**
     * A frame joins a buffer. One that is shorter than RCC_CIOQ_FRAME_MIN is not listed if the list is full.
     * \param buffer with room for it
     * \param record of the frame
     */
    void rcc_cioq_add(struct rcc_cioq_buffer *buffer, struct rcc_cioq_record *record);

    /**
     * A frame leaves a buffer.
     * \param buffer it was added to
     * \param record of the frame
     */
    void rcc_cioq_remove(struct rcc_cioq_buffer *buffer, struct rcc_cioq_record *record);

    /**
     * A frame of the flow that holds most bytes; of flows that hold the same, the one with the least number. Looks at
     * every listed frame. \param buffer with a list \return its record; NULL if nothing is listed
     */
    struct rcc_cioq_record *rcc_cioq_fullest(struct rcc_cioq_buffer *buffer);

    /**
     * The frame that owns a uniformly random occupied unit of the buffer: random frames are drawn until one is accepted
     * with probability units / most units, which gives every unit the same chance. \param buffer with a list \param
     * draw the host's random numbers \param stream of them \param draws how many of the stream have been used, advanced
     * \return its record; NULL if nothing is listed
     */
    struct rcc_cioq_record *rcc_cioq_random(const struct rcc_cioq_buffer *buffer, rcc_draw draw, uint64_t stream,
                                            uint64_t *draws);

    /**
     * After rcc_cioq_add: whether the upstream must be asked to stop.
     * \param input it was added to
     * \return true, once per stop
     */
    bool rcc_cioq_must_stop(struct rcc_cioq_input *input);

    /**
     * After rcc_cioq_remove: whether a stopped upstream may go on.
     * \param input it was removed from
     * \return true, once per stop
     */
    bool rcc_cioq_may_go(struct rcc_cioq_input *input);

    /**
     * A VOQ with a frame joins its output's round at the end.
     * \param output of the VOQ
     * \param voq which is not in the round, with head_bytes set
     */
    void rcc_cioq_request(struct rcc_cioq_output *output, struct rcc_cioq_voq *voq);

    /**
     * The VOQ whose turn it is may send its head: room for it is reserved, and the VOQ leaves the round. No other
     * overtakes one that has no room, or a large frame would wait for ever. \param output that grants \return the VOQ;
     * NULL if none requests or the one whose turn it is has no room
     */
    struct rcc_cioq_voq *rcc_cioq_grant(struct rcc_cioq_output *output);

    /**
     * A granted frame is in the output buffer now: what was reserved for it is occupied.
     * \param output it was granted by
     * \param record of the frame
     */
    void rcc_cioq_land(struct rcc_cioq_output *output, struct rcc_cioq_record *record);

    /**
     * A granted frame enters the fabric after those that were granted before.
     * \param fabric way of its input
     * \param now ns
     * \param bytes of the frame, up to 2^30
     * \return when its last bit has entered, ns
     */
    rcc_time rcc_cioq_enter(struct rcc_cioq_fabric *fabric, rcc_time now, uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* RCC_CIOQ_H */
