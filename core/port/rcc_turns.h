/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The scheduler of the traffic classes of a port. Classes with strict priority send first; the other classes share the
 * link by deficit round robin, with weights if the port has rules.
 *
 * Frames wait in the queues of the port. The port of a host also has an owner, the NIC, which builds a data frame only
 * when its transmission begins. Within a class, the queue and the owner send alternately.
 */
#ifndef RCC_TURNS_H
#define RCC_TURNS_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Traffic classes of a port, IEEE 802.1Q. */
#define RCC_TURNS_CLASSES 8u

    /** Weights and priorities of the classes of a port. All zero: equal weights, no further strict classes. */
    struct rcc_turns_rules
    {
        uint16_t weight[RCC_TURNS_CLASSES]; /**< quanta that a class gets per turn; 0 means 1 */
        uint8_t strict; /**< bit c: class c has strict priority; among these, higher classes send first */
    };

/** Largest weight that rcc_turns_read accepts, quanta. */
#define RCC_TURNS_WEIGHT_MAX 1000u

    /**
     * Parse the weights of rules.
     * \param rules its weights are replaced; unchanged on error
     * \param text items CLASS:WEIGHT separated by commas, 0 to 7 and 1 to RCC_TURNS_WEIGHT_MAX; blanks may precede a
     * number and a colon; empty: all weights are 0
     * \return NULL on success, or the start of the first item that is malformed or names a class again
     */
    const char *rcc_turns_read(struct rcc_turns_rules *rules, const char *text);

    /** State of the scheduler. Initialise it with zeros. */
    struct rcc_turns
    {
        int64_t deficit[RCC_TURNS_CLASSES]; /**< bytes that a class may send in its turn */
        uint8_t turn;                       /**< class whose turn it is */
        uint8_t queue_had;                  /**< bit c: in class c, the queue had the last turn, not the owner */
    };

    /**
     * Select the queue that sends next, for a port without an owner or whose owner has nothing to send. The first frame
     * of the queue is charged to the deficit of its class.
     * \param ready classes whose queue may send, one bit each; not 0
     * \param control the class that always has strict priority
     * \param heads size of the first frame of each ready queue, bytes, by class
     * \param quantum bytes that a turn adds to a class of weight 1, not 0
     * \param rules rules of the port; NULL: none
     * \return class of the queue
     */
    unsigned rcc_turns_queue(struct rcc_turns *turns, uint8_t ready, unsigned control,
                             const uint32_t heads[RCC_TURNS_CLASSES], uint32_t quantum,
                             const struct rcc_turns_rules *rules);

    /** A turn in a port with an owner. */
    struct rcc_turn
    {
        unsigned cls; /**< the class */
        bool owner;   /**< true: the owner sends; false: the queue of the class sends */
    };

    /**
     * Select the next turn among the queues and the owner. None of the queues may be that of the class that always has
     * strict priority. The host calls rcc_turns_pay when it knows the frame. If the owner has no frame in this class
     * after all, the host calls the function again without the class in `due`.
     * \param ready classes whose queue may send, one bit each
     * \param due classes in which the owner has a frame now; not 0
     * \param some classes in which the owner has a frame now or later; these keep their deficit
     * \param quantum bytes that a turn adds to a class of weight 1, not 0
     * \param rules rules of the port; NULL: none
     * \return the turn
     */
    struct rcc_turn rcc_turns_shared(struct rcc_turns *turns, uint8_t ready, uint8_t due, uint8_t some,
                                     uint32_t quantum, const struct rcc_turns_rules *rules);

    /**
     * Charge a frame that was sent in a turn of rcc_turns_shared. The deficit may become negative, because the size of
     * the owner's frame is not known before the turn.
     * \param cls the class
     * \param bytes size of the frame, bytes
     */
    static inline void rcc_turns_pay(struct rcc_turns *turns, unsigned cls, uint32_t bytes)
    {
        turns->deficit[cls] -= bytes;
    }

    /**
     * Whether a port asks its owner at all: not while a frame waits in the queue of the class that always has strict
     * priority.
     * \param ready classes whose queue may send, one bit each
     * \param control that class
     * \return true if the owner may have the next turn
     */
    static inline bool rcc_turns_asks_owner(uint8_t ready, unsigned control)
    {
        return ((unsigned)ready >> control & 1u) == 0;
    }

    /** A port while it chooses between its queues and its owner. `paused` has one bit per class. */
    struct rcc_turns_port
    {
        void *port; /**< first argument of the functions */
        /** Bytes of the first frame of a class whose queue may send. */
        uint32_t (*head)(void *port, unsigned cls);
        /** When the owner has a frame of a class that is not paused, ns; RCC_NEVER if never. */
        rcc_time (*due)(void *port, uint8_t paused);
        /** Build the owner's next frame of a class that is not paused. Returns its bytes; 0 if it has none after all.
         */
        uint32_t (*build)(void *port, rcc_time now, uint8_t paused);
    };

    /**
     * Select the next turn of a port with an owner, and have the owner's frame built if the turn is the owner's.
     * \param ready classes whose queue may send, one bit each, without the one that always has strict priority
     * \param paused classes that are paused, one bit each
     * \param quantum bytes that a turn adds to a class of weight 1, not 0
     * \param rules rules of the port; NULL: none
     * \return the class of the queue that sends, one bit; `ready` if the owner has nothing to send now: rcc_turns_queue
     * then selects; 0 if a frame of the owner was built, or nobody has one
     */
    uint8_t rcc_turns_next(struct rcc_turns *turns, const struct rcc_turns_port *port, uint8_t ready, uint8_t paused,
                           rcc_time now, uint32_t quantum, const struct rcc_turns_rules *rules);

#ifdef __cplusplus
}
#endif

#endif /* RCC_TURNS_H */
