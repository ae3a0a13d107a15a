/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The choice among the equally long paths to a destination.
 *
 *     n = rcc_path_pick(&paths, &frame, ports of the route);
 *     if (the frame was stored)
 *         rcc_path_taken(&paths, &frame);
 *
 * The usual rule, a path per flow, is one hash and reads no state but the salt. Every other rule is behind the two
 * calls of path.c: a switch that does not use one pays a comparison for it. What a rule wants to know of a frame or of
 * the ports is a field of struct rcc_path_frame, what it remembers a field of struct rcc_paths. Rules that remember
 * more than a number, or read queues, are in rcc_spray.h.
 */
#ifndef RCC_PATH_H
#define RCC_PATH_H

#include "rcc.h"
#include "rcc_mix.h"

#ifdef __cplusplus
extern "C"
{
#endif

    /** Rules by which a switch chooses a path. */
    enum rcc_path_rule
    {
        RCC_PATH_FLOW,  /**< a flow keeps its path: ECMP by hash */
        RCC_PATH_PACKET /**< data frames take a path each, other frames that of their flow */
    };

    /** The choice of one switch. Initialise it with zeros, the rule and the salt. */
    struct rcc_paths
    {
        uint64_t salt;           /**< rcc_path_salt of the switch */
        uint64_t sprayed;        /**< data frames that took a path of their own */
        enum rcc_path_rule rule; /**< the rule */
    };

    /** The properties of a frame that the rules see. */
    struct rcc_path_frame
    {
        uint32_t hash; /**< hash of its flow */
        bool data;     /**< a data frame: the transport bears that such frames overtake each other, or finds out */
    };

    /**
     * Salt of a switch. Every switch hashes differently: with one hash for all, the flows that a switch receives would
     * all leave through one port (polarisation).
     * \param node number of the switch
     * \return the salt
     */
    static inline uint64_t rcc_path_salt(uint32_t node)
    {
        return rcc_mix(node) << 32;
    }

    /**
     * Path of a flow.
     * \param flow hash of the flow
     * \param n number of paths, not 0
     * \return number of the path, below n
     */
    static inline uint32_t rcc_path_of_flow(const struct rcc_paths *paths, uint64_t flow, uint32_t n)
    {
        return n == 1 ? 0 : (uint32_t)(rcc_mix(flow ^ paths->salt) % n);
    }

    /**
     * Path of a frame by a rule other than RCC_PATH_FLOW.
     * \param n number of paths, not 0
     * \return number of the path, below n
     */
    uint32_t rcc_path_pick_packet(const struct rcc_paths *paths, const struct rcc_path_frame *frame, uint32_t n);

    /**
     * Remember a frame, with a rule other than RCC_PATH_FLOW.
     */
    void rcc_path_count(struct rcc_paths *paths, const struct rcc_path_frame *frame);

    /**
     * Path of a frame. The choice changes no state: a frame that is dropped takes no path.
     * \param n number of paths, not 0
     * \return number of the path, below n
     */
    static inline uint32_t rcc_path_pick(const struct rcc_paths *paths, const struct rcc_path_frame *frame, uint32_t n)
    {
        return paths->rule == RCC_PATH_FLOW ? rcc_path_of_flow(paths, frame->hash, n)
                                            : rcc_path_pick_packet(paths, frame, n);
    }

    /**
     * A frame took the path that rcc_path_pick returned.
     */
    static inline void rcc_path_taken(struct rcc_paths *paths, const struct rcc_path_frame *frame)
    {
        if (paths->rule != RCC_PATH_FLOW)
            rcc_path_count(paths, frame);
    }

#ifdef __cplusplus
}
#endif

#endif /* RCC_PATH_H */
