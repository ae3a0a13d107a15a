/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * Which traffic class of a port sends next: those with strict priority, the others by deficit round robin, with weights
 * if the port has rules.
 *
 * Frames wait in queues of the port. A host's port has an owner as well, the NIC, whose frames do not exist before
 * their transmission begins: the port asks for them. Queues and owner share the link by class, and within a class they
 * alternate.
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

    /** What the classes of a port may have beside the one with strict priority. Zeroed, it changes nothing. */
    struct rcc_turns_rules
    {
        uint16_t weight[RCC_TURNS_CLASSES]; /**< of a class's turn, in quanta; 0 is 1 */
        uint8_t strict; /**< bit c: class c goes before those without, a higher one before a lower one */
    };

    /** The largest weight of a text. */
#define RCC_TURNS_WEIGHT_MAX 1000u

    /**
     * Read the weights of rules, in place of those that they have.
     * \param rules gets them; unchanged on error
     * \param text items CLASS:WEIGHT joined by commas, 0 to 7 and 1 to RCC_TURNS_WEIGHT_MAX, with blanks before each
     * number and colon or without; the last item of a class counts; empty: no class has one
     * \return NULL; else where the first item begins that is not one
     */
    const char *rcc_turns_read(struct rcc_turns_rules *rules, const char *text);

    /** The turns of a port. Starts zeroed. */
    struct rcc_turns
    {
        int64_t deficit[RCC_TURNS_CLASSES]; /**< bytes that a class may send in its turn */
        uint8_t turn;                       /**< class whose turn it is */
        uint8_t queue_had;                  /**< bit c: the last turn of class c was its queue's, not the owner's */
    };

    /**
     * The queue that sends next, of a port without an owner or whose owner has nothing to send.
     * \param turns of the port
     * \param ready classes whose queue may send, one bit each; not 0
     * \param control the class with strict priority
     * \param heads bytes of the first frame of each ready queue, by class
     * \param quantum what a turn adds to a class of weight 1, bytes, not 0
     * \param rules of the port; NULL: there are none
     * \return its class; its first frame is paid for
     */
    unsigned rcc_turns_queue(struct rcc_turns *turns, uint8_t ready, unsigned control,
                             const uint32_t heads[RCC_TURNS_CLASSES], uint32_t quantum,
                             const struct rcc_turns_rules *rules);

    /** Whose turn it is in a port with an owner. */
    struct rcc_turn
    {
        unsigned cls; /**< the class */
        bool owner;   /**< true: the owner's; false: the queue's */
    };

    /**
     * The turn between the queues, none of which is that of the class with strict priority, and the owner. The host
     * calls rcc_turns_pay when it knows the frame. An owner that has no frame after all is asked about again without
     * this class in `due`.
     * \param turns of the port
     * \param ready classes whose queue may send, one bit each
     * \param due classes in which the owner has a frame now; not 0
     * \param some classes in which it has one now or later: one that it holds back for a moment keeps its deficit
     * \param quantum what a turn adds to a class of weight 1, bytes, not 0
     * \param rules of the port; NULL: there are none
     * \return whose turn it is
     */
    struct rcc_turn rcc_turns_shared(struct rcc_turns *turns, uint8_t ready, uint8_t due, uint8_t some,
                                     uint32_t quantum, const struct rcc_turns_rules *rules);

    /**
     * A frame was sent in a turn of rcc_turns_shared. The class may overdraw: how long the owner's frame is shows only
     * when it is there.
     * \param turns of the port
     * \param cls the class
     * \param bytes of the frame
     */
    static inline void rcc_turns_pay(struct rcc_turns *turns, unsigned cls, uint32_t bytes)
    {
        turns->deficit[cls] -= bytes;
    }

#ifdef __cplusplus
}
#endif

#endif /* RCC_TURNS_H */
