/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The egress port of a NIC: which queue pair sends next, and when.
 *
 *   heap    queue pairs of one class, ordered by the time at which their next packet may leave; O(log n)
 *   port    eight classes, their pauses (PFC), and the pause logs that reaction points read
 *   bucket  a token bucket between a reaction point and the wire, as in hardware
 *   pacer   a reaction point with its tokens
 *
 * The host owns all memory, numbers its queue pairs from 0, and passes `now` (ns). It gets the first queue pair of a
 * port, sends a packet of it, and then sets its new key or removes it from the port:
 *
 *     id = rcc_port_first(&port, paused, &due);          // RCC_PORT_NONE, or the queue pair that may send at `due`
 *     rcc_pacer_sent(&pacer, &bucket, now, frame_bytes); // a packet of it has left
 *     rcc_port_set(&port, cls, id, rcc_pacer_next_send(&pacer, &bucket, next_frame_bytes), at);
 */
#ifndef RCC_PORT_H
#define RCC_PORT_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** No queue pair; also the position of a queue pair that is on no heap. */
#define RCC_PORT_NONE UINT32_MAX

    /* ------------------------------------------------------------------ heap */

    /**
     * A 4-ary heap. Keys are stored apart from the ids of queue pairs: if the host aligns keys[1] to a cache line, four
     * children share one line. The order of equal keys depends only on the sequence of calls.
     *
     * The host owns an array `at` with the heap position of each queue pair; its entries are RCC_PORT_NONE at the
     * start. All heaps of a NIC share the array: a queue pair is on at most one of them.
     */
    struct rcc_heap
    {
        rcc_time *keys;    /**< times at which the next packets may leave, ns; memory of the host */
        uint32_t *ids;     /**< queue pairs in the order of keys; memory of the host */
        uint8_t *least;    /**< index, 0 to 3, of the child with the least key, by entry; memory of the host */
        uint32_t count;    /**< queue pairs on the heap */
        uint32_t capacity; /**< entries of keys and ids */
    };

/** Number of entries that can have children in a heap of this capacity: the size of rcc_heap::least. */
#define RCC_HEAP_PARENTS(capacity) (((capacity) + 3) / 4)

    /**
     * Initialise an empty heap.
     * \param keys memory for the keys
     * \param ids memory for the queue pairs
     * \param least memory for RCC_HEAP_PARENTS(capacity) entries
     * \param capacity entries of keys and ids
     */
    void rcc_heap_init(struct rcc_heap *heap, rcc_time *keys, uint32_t *ids, uint8_t *least, uint32_t capacity);

    /**
     * Move a heap to larger arrays; the old ones may then be freed.
     * \param keys memory for the keys
     * \param ids memory for the queue pairs
     * \param least memory for RCC_HEAP_PARENTS(capacity) entries
     * \param capacity entries of keys and ids
     */
    void rcc_heap_grow(struct rcc_heap *heap, rcc_time *keys, uint32_t *ids, uint8_t *least, uint32_t capacity);

    /**
     * Insert a queue pair, or change its key. Inserting requires count < capacity.
     * \param id the queue pair
     * \param key time at which its next packet may leave, ns
     * \param at heap positions, by queue pair
     */
    void rcc_heap_set(struct rcc_heap *heap, uint32_t id, rcc_time key, uint32_t *at);

    /**
     * Remove a queue pair, which must be on this heap.
     * \param id the queue pair
     * \param at heap positions, by queue pair
     */
    void rcc_heap_remove(struct rcc_heap *heap, uint32_t id, uint32_t *at);

    /* ------------------------------------------------------------------ port */

    /** A class of a port. */
    struct rcc_port_class
    {
        struct rcc_heap heap;        /**< queue pairs of the class */
        struct rcc_pause_log pauses; /**< pause log; toggle == NULL: no log is kept, as no reaction point reads it */
        uint32_t pause_epoch;        /**< number of logged changes: keys from an earlier epoch must be computed again */
    };

    /** A port. */
    struct rcc_port
    {
        struct rcc_port_class classes[RCC_CLASSES]; /**< by class */
        uint8_t used;                               /**< bit c: the heap of class c is not empty */
        const uint64_t *line_rate; /**< line rate, bit/s, not 0, below 2^44: memory of the host, which may change it.
                                      NULL unless the host sets it; the windows of rcc_qp.h read it */
    };

    /**
     * Initialise a port with empty heaps of capacity 0. The host calls rcc_heap_grow before it adds the first queue
     * pair of a class.
     */
    void rcc_port_init(struct rcc_port *port);

    /**
     * First class of a loop over classes. Most ports use only class 3, which needs one iteration then.
     * \param ready classes, one bit each
     * \return a class that is not above the lowest class in `ready`
     */
    static inline unsigned rcc_port_walk_from(unsigned ready)
    {
        return (ready & 7u) != 0 ? 0 : 3;
    }

    /**
     * The earliest key of the classes that are not paused.
     * \param paused bit c: class c is paused
     * \return the key, ns; RCC_NEVER if there is none
     */
    static inline rcc_time rcc_port_next_due(const struct rcc_port *port, uint8_t paused)
    {
        const unsigned ready = port->used & ~(unsigned)paused;
        rcc_time due = RCC_NEVER;
        for (unsigned c = rcc_port_walk_from(ready); ready >> c != 0; c++)
            if ((ready >> c & 1u) != 0 && port->classes[c].heap.keys[0] < due)
                due = port->classes[c].heap.keys[0];
        return due;
    }

    /**
     * The queue pair with the earliest key of the classes that are not paused; of equal keys, that of the lowest class.
     * \param paused bit c: class c is paused
     * \param due output: the key of that queue pair, ns; RCC_NEVER if there is none
     * \return the queue pair; RCC_PORT_NONE if there is none
     */
    static inline uint32_t rcc_port_first(const struct rcc_port *port, uint8_t paused, rcc_time *due)
    {
        const unsigned ready = port->used & ~(unsigned)paused;
        uint32_t first = RCC_PORT_NONE;
        *due = RCC_NEVER;
        for (unsigned c = rcc_port_walk_from(ready); ready >> c != 0; c++)
        {
            const struct rcc_heap *heap = &port->classes[c].heap;
            if ((ready >> c & 1u) != 0 && heap->keys[0] < *due)
            {
                *due = heap->keys[0];
                first = heap->ids[0];
            }
        }
        return first;
    }

    /** Ports of a NIC. */
    struct rcc_port_list
    {
        const uint32_t *ports; /**< indices of ports, in any order */
        uint32_t n;            /**< number of them */
    };

    /**
     * The port of a NIC that a flow uses: one that is up and that its route allows, by the flow's hash; if there is
     * none, any one.
     * \param hash hash of the flow
     * \param n number of ports of the NIC, not 0
     * \param down by port, whether its link is down (not 0); NULL: all are up
     * \param route ports that lead to the destination; NULL: all do
     * \return index of the port, below n
     */
    uint32_t rcc_port_pick(uint32_t hash, uint32_t n, const uint8_t *down, const struct rcc_port_list *route);

    /**
     * The hash of a queue pair that shall use a port by its turn: rcc_port_pick takes port `turn` modulo `n` of those
     * that its route allows, as long as all are up.
     * \param hash hash of the flow, whose other bits remain
     * \param turn how many queue pairs to the same host came before
     * \param n number of ports that the route allows, not 0
     * \return the hash
     */
    uint32_t rcc_port_hash_of_turn(uint32_t hash, uint32_t turn, uint32_t n);

    /**
     * Insert a queue pair into class `cls`, or change its key; see rcc_heap_set.
     * \param cls the class, below RCC_CLASSES
     * \param id the queue pair
     * \param key time at which its next packet may leave, ns
     * \param at heap positions, by queue pair
     */
    static inline void rcc_port_set(struct rcc_port *port, unsigned cls, uint32_t id, rcc_time key, uint32_t *at)
    {
        port->used |= (uint8_t)(1u << cls);
        rcc_heap_set(&port->classes[cls].heap, id, key, at);
    }

    /**
     * Remove a queue pair from class `cls`; no effect if it is on no heap.
     * \param port the port; not read if the queue pair is on no heap
     * \param cls the class, below RCC_CLASSES
     * \param id the queue pair
     * \param at heap positions, by queue pair
     */
    void rcc_port_remove(struct rcc_port *port, unsigned cls, uint32_t id, uint32_t *at);

    /**
     * Classes that keep a pause log and whose logged state differs from `paused`.
     * \param paused bit c: class c is paused
     * \return the classes, one bit each
     */
    unsigned rcc_port_pause_changes(const struct rcc_port *port, uint8_t paused);

    /**
     * Log that class `cls`, which keeps a pause log, is paused or resumed from `now` on.
     * \param cls the class, below RCC_CLASSES
     * \param now the time, ns, not before that of earlier calls
     * \param paused true: the class is paused from now on; false: it is resumed
     */
    void rcc_port_log_pause(struct rcc_port *port, unsigned cls, rcc_time now, bool paused);

    /**
     * Whether the pause log of a class is full. The next change then overwrites the oldest entry, unless the host calls
     * rcc_port_grow_log before.
     * \param cls the class, below RCC_CLASSES
     * \return true if the log is full
     */
    static inline bool rcc_port_log_is_full(const struct rcc_port *port, unsigned cls)
    {
        const struct rcc_pause_log *log = &port->classes[cls].pauses;
        return log->count > log->mask;
    }

    /**
     * Move the pause log of a class to larger memory. The old memory may then be freed.
     * \param cls the class, below RCC_CLASSES
     * \param storage memory for the log
     * \param capacity entries of the log, a power of two
     */
    void rcc_port_grow_log(struct rcc_port *port, unsigned cls, rcc_time *storage, uint32_t capacity);

    /* ------------------------------------------------------------------ token bucket */

    /**
     * Settings of a token bucket. At every multiple of an interval (a tick), rate x interval bytes, rounded down but at
     * least one, are added as tokens, up to the size of the bucket. A frame may leave when there are as many tokens as
     * it has bytes, or, with debt, when there is one token; it consumes as many tokens as it has bytes. Rates are
     * therefore multiples of one byte per interval, and frames leave in bursts.
     *
     * Ticks are not events: the functions compute the tokens of past ticks, and the time at which the tokens will
     * suffice, from the reaction point's rate steps. A rate step at the time of a tick is applied before the tick, a
     * frame or feedback after it.
     */
    struct rcc_bucket
    {
        uint32_t size;     /**< bytes, at most 2^30; 0 = no bucket: packets leave when the reaction point says */
        bool debt;         /**< a frame may leave the bucket below zero */
        rcc_time interval; /**< ns, 1..1000000 */
    };

    /** Tokens of one queue pair. */
    struct rcc_tokens
    {
        int64_t bytes;   /**< tokens, bytes; may be negative with debt */
        rcc_time filled; /**< time of the last tick whose tokens are included, ns */
    };

    /**
     * Whether frames of a size can leave at all.
     * \param bytes size of the frame on the wire, bytes, at most RCC_FRAME_MAX
     * \return false if the bucket is too small for such frames
     */
    static inline bool rcc_bucket_passes(const struct rcc_bucket *bucket, uint32_t bytes)
    {
        return bucket->size == 0 || bucket->debt || bucket->size >= bytes;
    }

    /**
     * Initialise the tokens of a new queue pair.
     * \param now the time, ns, not before that of earlier calls
     * \return the tokens of a full bucket
     */
    struct rcc_tokens rcc_bucket_start(const struct rcc_bucket *bucket, rcc_time now);

    /**
     * Advance the tokens and the reaction point to `now`. Call it before the reaction point is advanced otherwise.
     * \param tokens tokens of the queue pair
     * \param rp reaction point of the queue pair
     * \param now the time, ns, not before that of earlier calls
     */
    void rcc_bucket_fill(const struct rcc_bucket *bucket, struct rcc_tokens *tokens, struct rcc_rp *rp, rcc_time now);

    /**
     * Time at which there will be tokens for a frame if no feedback arrives before.
     * \param tokens tokens of the queue pair
     * \param rp reaction point of the queue pair
     * \param bytes size of the frame on the wire, bytes, at most RCC_FRAME_MAX
     * \return the time, ns, not before rp->now
     */
    rcc_time rcc_bucket_next_send(const struct rcc_bucket *bucket, const struct rcc_tokens *tokens,
                                  const struct rcc_rp *rp, uint32_t bytes);

    /* ------------------------------------------------------------------ pacer */

    /** Pacer of one queue pair. The bucket settings of the functions below are those of the NIC. */
    struct rcc_pacer
    {
        struct rcc_rp *rp;        /**< the reaction point */
        struct rcc_tokens tokens; /**< unused without a bucket */
    };

    /**
     * Apply the timers of the reaction point up to `now`, and fill the bucket.
     * \param now the time, ns, not before that of earlier calls
     */
    static inline void rcc_pacer_advance(struct rcc_pacer *pacer, const struct rcc_bucket *bucket, rcc_time now)
    {
        if (bucket->size != 0)
            rcc_bucket_fill(bucket, &pacer->tokens, pacer->rp, now);
        else
            rcc_rp_advance(pacer->rp, now);
    }

    /**
     * Time at which a frame may leave if no feedback arrives before.
     * \param bytes size of the frame on the wire, bytes, at most RCC_FRAME_MAX
     * \return the time, ns, not before the reaction point's `now`
     */
    static inline rcc_time rcc_pacer_next_send(const struct rcc_pacer *pacer, const struct rcc_bucket *bucket,
                                               uint32_t bytes)
    {
        if (bucket->size != 0)
            return rcc_bucket_next_send(bucket, &pacer->tokens, pacer->rp, bytes);
        return rcc_rp_next_send(pacer->rp);
    }

    /**
     * Inform the pacer that a frame left.
     * \param now the time, ns, not before that of earlier calls
     * \param bytes size of the frame on the wire, bytes, at most RCC_FRAME_MAX
     */
    static inline void rcc_pacer_sent(struct rcc_pacer *pacer, const struct rcc_bucket *bucket, rcc_time now,
                                      uint32_t bytes)
    {
        if (bucket->size != 0)
        {
            rcc_bucket_fill(bucket, &pacer->tokens, pacer->rp, now);
            pacer->tokens.bytes -= bytes;
        }
        rcc_rp_sent(pacer->rp, now, bytes);
    }

    /**
     * Inform the pacer that a congestion signal arrived. Tokens up to `now` are added at the rate before the signal.
     * \param now the time, ns, not before that of earlier calls
     */
    static inline void rcc_pacer_feedback(struct rcc_pacer *pacer, const struct rcc_bucket *bucket, rcc_time now,
                                          const struct rcc_feedback *feedback)
    {
        if (bucket->size != 0)
            rcc_bucket_fill(bucket, &pacer->tokens, pacer->rp, now);
        rcc_rp_feedback(pacer->rp, now, feedback);
    }

#ifdef __cplusplus
}
#endif

#endif /* RCC_PORT_H */
