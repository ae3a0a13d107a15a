/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The egress port of a NIC: which queue pair sends next, and when.
 *
 *   heap    queue pairs of one class by the time their next packet may leave; O(log n)
 *   port    eight classes, their pauses (PFC), and the logs of pauses that reaction points read
 *   bucket  a token bucket between a reaction point and the wire, as hardware has it
 *   pacer   a reaction point with its tokens
 *
 * The host owns all memory, numbers its queue pairs from 0, and passes `now` (ns) in. It asks for the first queue pair
 * of a port, sends its packet, and gives the queue pair a new key or takes it from the port:
 *
 *     id = rcc_port_first(&port, paused, &due);          // RCC_PORT_NONE, or may send at `due`
 *     rcc_pacer_sent(&pacer, &bucket, now, frame_bytes); // its packet left
 *     rcc_port_set(&port, cls, id, rcc_pacer_next_send(&pacer, &bucket, next_frame_bytes), at);
 */
#ifndef RCC_PORT_H
#define RCC_PORT_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Traffic classes of a port, IEEE 802.1Q. */
#define RCC_PORT_CLASSES 8u

/** No queue pair; also the position of a queue pair that is on no heap. */
#define RCC_PORT_NONE UINT32_MAX

    /* ------------------------------------------------------------------ heap */

    /**
     * A 4-ary heap. Keys stand apart from queue pairs, so that four children share a cache line where the host lets
     * one begin with keys[1]. Equal keys are served in the order of the heap, which depends on the calls and on nothing
     * else.
     *
     * Where each queue pair stands is in an array `at` of the host, one entry per queue pair, RCC_PORT_NONE at the
     * start. All heaps of a NIC share it: a queue pair is on one of them at most.
     */
    struct rcc_heap
    {
        rcc_time *keys;    /**< ns; memory of the host */
        uint32_t *ids;     /**< of queue pairs, same order; memory of the host */
        uint8_t *least;    /**< which child of an entry has the least key, 0 to 3; memory of the host */
        uint32_t count;    /**< queue pairs on the heap */
        uint32_t capacity; /**< entries of keys and ids */
    };

/** Entries of a heap of that capacity that may have children: of rcc_heap::least. */
#define RCC_HEAP_PARENTS(capacity) (((capacity) + 3) / 4)

    /**
     * Make an empty heap.
     * \param heap the heap
     * \param keys memory for the keys
     * \param ids memory for the queue pairs
     * \param least memory for RCC_HEAP_PARENTS(capacity) children
     * \param capacity entries of keys and ids
     */
    void rcc_heap_init(struct rcc_heap *heap, rcc_time *keys, uint32_t *ids, uint8_t *least, uint32_t capacity);

    /**
     * Move to larger arrays; the old ones may then be freed.
     * \param heap the heap
     * \param keys memory for the keys
     * \param ids memory for the queue pairs
     * \param least memory for RCC_HEAP_PARENTS(capacity) children
     * \param capacity entries of keys and ids
     */
    void rcc_heap_grow(struct rcc_heap *heap, rcc_time *keys, uint32_t *ids, uint8_t *least, uint32_t capacity);

    /**
     * Insert a queue pair, or move it to another key. A new one needs count < capacity.
     * \param heap the heap
     * \param id the queue pair
     * \param key time at which its next packet may leave, ns
     * \param at positions by queue pair
     */
    void rcc_heap_set(struct rcc_heap *heap, uint32_t id, rcc_time key, uint32_t *at);

    /**
     * Take a queue pair out; it must be on this heap.
     * \param heap the heap
     * \param id the queue pair
     * \param at positions by queue pair
     */
    void rcc_heap_remove(struct rcc_heap *heap, uint32_t id, uint32_t *at);

    /* ------------------------------------------------------------------ port */

    /** A class of a port. */
    struct rcc_port_class
    {
        struct rcc_heap heap;        /**< queue pairs of the class */
        struct rcc_pause_log pauses; /**< toggle == NULL: no reaction point reads it, and it is not kept */
        uint32_t pause_epoch; /**< grows with each logged pause: a key from an earlier epoch was computed without it */
    };

    /** A port. */
    struct rcc_port
    {
        struct rcc_port_class classes[RCC_PORT_CLASSES]; /**< by class */
        uint8_t used;                                    /**< bit c: the heap of class c is not empty */
    };

    /**
     * Empty heaps without memory: the host calls rcc_heap_grow before the first queue pair of a class.
     * \param port the port
     */
    void rcc_port_init(struct rcc_port *port);

    /**
     * Where a walk over classes begins. Class 3 is that of most RDMA traffic, and the only one of most ports.
     * \param ready classes, one bit each
     * \return a class up to the first of them
     */
    static inline unsigned rcc_port_walk_from(unsigned ready)
    {
        return (ready & 7u) != 0 ? 0 : 3;
    }

    /**
     * The earliest key of the classes that are not paused (bit c: class c is), RCC_NEVER if there is none.
     * \param port the port
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
     * The queue pair with that key, the lowest class of equal ones; RCC_PORT_NONE if there is none. *due is the key.
     * \param port the port
     * \param paused bit c: class c is paused
     * \param due the key of that queue pair, ns; RCC_NEVER if there is none
     * \return the queue pair, or RCC_PORT_NONE
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

    /**
     * Insert a queue pair into class `cls`, or move it to another key; as rcc_heap_set.
     * \param port the port
     * \param cls the class, below RCC_PORT_CLASSES
     * \param id the queue pair
     * \param key time at which its next packet may leave, ns
     * \param at positions by queue pair
     */
    static inline void rcc_port_set(struct rcc_port *port, unsigned cls, uint32_t id, rcc_time key, uint32_t *at)
    {
        port->used |= (uint8_t)(1u << cls);
        rcc_heap_set(&port->classes[cls].heap, id, key, at);
    }

    /**
     * Take a queue pair from class `cls`; nothing happens if it is on no heap.
     * \param port the port
     * \param cls the class, below RCC_PORT_CLASSES
     * \param id the queue pair
     * \param at positions by queue pair
     */
    void rcc_port_remove(struct rcc_port *port, unsigned cls, uint32_t id, uint32_t *at);

    /**
     * Classes (one bit each) whose pauses are logged and whose state is not the one in `paused`.
     * \param port the port
     * \param paused bit c: class c is paused
     * \return the classes, one bit each
     */
    unsigned rcc_port_pause_changes(const struct rcc_port *port, uint8_t paused);

    /**
     * Class `cls`, which keeps a log, is paused or resumed from `now` on.
     * \param port the port
     * \param cls the class, below RCC_PORT_CLASSES
     * \param now the time, ns, not before that of earlier calls
     * \param paused true: the class is paused from now on; false: it is resumed
     */
    void rcc_port_log_pause(struct rcc_port *port, unsigned cls, rcc_time now, bool paused);

    /**
     * True if the log of a class is full, so that the next change overwrites the oldest one unless it grows first.
     * \param port the port
     * \param cls the class, below RCC_PORT_CLASSES
     * \return whether the log is full
     */
    static inline bool rcc_port_log_is_full(const struct rcc_port *port, unsigned cls)
    {
        const struct rcc_pause_log *log = &port->classes[cls].pauses;
        return log->count > log->mask;
    }

    /**
     * Move the log of a class to larger memory; capacity a power of two. The old memory may then be freed.
     * \param port the port
     * \param cls the class, below RCC_PORT_CLASSES
     * \param storage memory for the log
     * \param capacity entries of the log, a power of two
     */
    void rcc_port_grow_log(struct rcc_port *port, unsigned cls, rcc_time *storage, uint32_t capacity);

    /* ------------------------------------------------------------------ token bucket */

    /**
     * At every multiple of an interval, tokens of (rate of now x interval) in whole bytes, at least one, fall into a
     * bucket that holds no more than its size. A frame leaves when there are as many tokens as it has bytes, or, with
     * debt, when there is one; either way it takes as many as it has bytes. Rates are thereby rounded down to one byte
     * per interval, and frames leave in bursts.
     *
     * Nothing happens at a tick: tokens are counted when the host asks, and the time at which they will suffice is
     * computed between the reaction point's rate steps. A step at the time of a tick comes before it, a frame or
     * feedback after it.
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
        int64_t bytes;   /**< may be negative with debt */
        rcc_time filled; /**< the last tick that is counted in, ns */
    };

    /**
     * True if frames of `bytes` can ever leave.
     * \param bucket settings of the bucket
     * \param bytes bytes of the frame on the wire, at most RCC_FRAME_MAX
     * \return whether such frames can ever leave
     */
    static inline bool rcc_bucket_passes(const struct rcc_bucket *bucket, uint32_t bytes)
    {
        return bucket->size == 0 || bucket->debt || bucket->size >= bytes;
    }

    /**
     * Fill the bucket of a new queue pair.
     * \param bucket settings of the bucket
     * \param now the time, ns, not before that of earlier calls
     * \return the tokens of a full bucket
     */
    struct rcc_tokens rcc_bucket_start(const struct rcc_bucket *bucket, rcc_time now);

    /**
     * Bring tokens and reaction point to `now`; call before anything moves the reaction point.
     * \param bucket settings of the bucket
     * \param tokens tokens of the queue pair
     * \param rp reaction point of the queue pair
     * \param now the time, ns, not before that of earlier calls
     */
    void rcc_bucket_fill(const struct rcc_bucket *bucket, struct rcc_tokens *tokens, struct rcc_rp *rp, rcc_time now);

    /**
     * When there will be tokens for a frame if nothing happens, ns; not before the reaction point's `now`.
     * \param bucket settings of the bucket
     * \param tokens tokens of the queue pair
     * \param rp reaction point of the queue pair
     * \param bytes bytes of the frame on the wire, at most RCC_FRAME_MAX
     * \return the time, ns
     */
    rcc_time rcc_bucket_next_send(const struct rcc_bucket *bucket, const struct rcc_tokens *tokens,
                                  const struct rcc_rp *rp, uint32_t bytes);

    /* ------------------------------------------------------------------ pacer */

    /** What paces one queue pair. `bucket` of the functions below is the NIC's. */
    struct rcc_pacer
    {
        struct rcc_rp *rp;        /**< the reaction point */
        struct rcc_tokens tokens; /**< unused without a bucket */
    };

    /**
     * Apply the timers of the reaction point up to `now`, and fill the bucket.
     * \param pacer the pacer of a queue pair
     * \param bucket settings of the bucket
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
     * When a frame of `bytes` may leave if nothing happens, ns; not before the reaction point's `now`.
     * \param pacer the pacer of a queue pair
     * \param bucket settings of the bucket
     * \param bytes bytes of the frame on the wire, at most RCC_FRAME_MAX
     * \return the time, ns
     */
    static inline rcc_time rcc_pacer_next_send(const struct rcc_pacer *pacer, const struct rcc_bucket *bucket,
                                               uint32_t bytes)
    {
        if (bucket->size != 0)
            return rcc_bucket_next_send(bucket, &pacer->tokens, pacer->rp, bytes);
        return rcc_rp_next_send(pacer->rp);
    }

    /**
     * A frame of `bytes` (at most RCC_FRAME_MAX) left.
     * \param pacer the pacer of a queue pair
     * \param bucket settings of the bucket
     * \param now the time, ns, not before that of earlier calls
     * \param bytes bytes of the frame on the wire, at most RCC_FRAME_MAX
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
     * A congestion signal arrived; tokens up to `now` come at the rate before it.
     * \param pacer the pacer of a queue pair
     * \param bucket settings of the bucket
     * \param now the time, ns, not before that of earlier calls
     * \param feedback the signal
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
