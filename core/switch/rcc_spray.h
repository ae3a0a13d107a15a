/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The choice of a path for each data frame by rules that remember something: round robin, random, the shortest queue,
 * flowlets, weights. The rules that remember nothing, ECMP by hash and a hash for each packet, are in rcc_path.h; a
 * switch that uses them calls nothing of this file.
 *
 *     problem = rcc_spray_check(&settings);
 *     rcc_spray_init(&spray, &settings, salt, stream, table);      // table: settings.flowlets entries
 *     route = (struct rcc_spray_route){.n = 4, .weights = NULL};   // one for each set of equally long paths
 *     rcc_spray_pick(&spray, &route, &frame, now, &choice);        // choice.path, below route.n
 *     if (the frame was stored)
 *         rcc_spray_taken(&spray, &route, &choice, now);
 *
 * A switch may have several: one per traffic class, or per algorithm. Frames other than data take the path of their
 * flow. A draw depends on the stream and on the number of draws before it alone, and a frame that is dropped uses up
 * none.
 */
#ifndef RCC_SPRAY_H
#define RCC_SPRAY_H

#include "rcc_path.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Most queues that RCC_SPRAY_LEAST samples. */
#define RCC_SPRAY_SAMPLES_MAX 8u
/** Most paths that RCC_SPRAY_LEAST remembers. */
#define RCC_SPRAY_MEMORY_MAX 4u
/** Largest table of flowlets. */
#define RCC_SPRAY_FLOWLETS_MAX ((uint32_t)1 << 20)
/** Largest weight of a path. */
#define RCC_SPRAY_WEIGHT_MAX ((uint32_t)1 << 16)

    /** Rules by which a switch chooses a path for a data frame. */
    enum rcc_spray_rule
    {
        RCC_SPRAY_FLOW,   /**< the path of its flow, by the weights: WCMP (EuroSys'14); without weights ECMP */
        RCC_SPRAY_ROUND,  /**< the next one of the route, without regard to weights */
        RCC_SPRAY_RANDOM, /**< a random one, by the weights */
        RCC_SPRAY_LEAST,  /**< the shortest queue of a random sample and of those remembered: DRILL(d, m), SIGCOMM'17 */
        RCC_SPRAY_FLOWLETS, /**< the path of the flow's last frame; after a gap a random one, by the
                               weights (LetFlow, NSDI'17) */
        RCC_SPRAY_FIRST     /**< the first one of the route, of all frames: no ECMP */
    };

    /** Settings of the choice. */
    struct rcc_spray_settings
    {
        enum rcc_spray_rule rule; /**< the rule */
        uint32_t samples;         /**< LEAST: queues that are sampled, d of DRILL; 1 to RCC_SPRAY_SAMPLES_MAX */
        uint32_t memory;          /**< LEAST: paths remembered, m of DRILL; 0 to RCC_SPRAY_MEMORY_MAX */
        rcc_time gap; /**< FLOWLETS: a frame later than this after the one before begins a flowlet, ns, at least 1 */
        uint32_t flowlets; /**< FLOWLETS: entries of the table, a power of two up to RCC_SPRAY_FLOWLETS_MAX */
    };

    /** An entry of the table of flowlets. Flows with the same entry share it, as they do in LetFlow's hardware. */
    struct rcc_flowlet
    {
        rcc_time last; /**< time of the last frame, ns */
        uint32_t path; /**< path of that frame, plus 1; 0 = none */
    };

    /** Length of the queue that a frame would join on a path, e.g. that of the frame's class at the egress port.
     * \param host the host's own
     * \param path number of the path
     * \return bytes */
    typedef uint64_t (*rcc_spray_queue)(const void *host, uint32_t path);

    /** A set of equally long paths. Initialise it with zeros and the first two members. */
    struct rcc_spray_route
    {
        uint32_t n;              /**< number of paths, 1 to 65535 */
        const uint32_t *weights; /**< weight of each path, up to RCC_SPRAY_WEIGHT_MAX, not all 0, memory of the host;
                                      NULL = equal */
        uint64_t turn;           /**< ROUND: data frames so far */
        uint32_t best[RCC_SPRAY_MEMORY_MAX]; /**< LEAST: paths with the shortest queues of the last choice, plus 1 */
    };

    /** The choice of one switch. */
    struct rcc_spray
    {
        const struct rcc_spray_settings *settings; /**< the settings */
        struct rcc_flowlet *table;                 /**< FLOWLETS: memory of the host */
        uint64_t stream;                           /**< stream of the draws */
        uint64_t draws;                            /**< draws that were used */
        uint64_t changes;                          /**< FLOWLETS: flowlets that began */
        struct rcc_paths paths;                    /**< path of a flow */
    };

    /** The properties of a frame that the rules see. */
    struct rcc_spray_frame
    {
        uint32_t hash;         /**< hash of its flow */
        bool data;             /**< a data frame */
        rcc_spray_queue queue; /**< LEAST: length of a queue */
        const void *host;      /**< LEAST: first argument of `queue` */
    };

    /** A path, and what the rule remembers if the frame takes it. */
    struct rcc_spray_choice
    {
        uint32_t path;                       /**< the path */
        uint32_t draws;                      /**< draws that it took */
        uint32_t slot;                       /**< FLOWLETS: the entry of the table */
        bool data;                           /**< a data frame */
        uint32_t best[RCC_SPRAY_MEMORY_MAX]; /**< LEAST: see struct rcc_spray_route */
    };

    /**
     * Check settings.
     * \return NULL if they can be used, or a static error message
     */
    const char *rcc_spray_check(const struct rcc_spray_settings *settings);

    /**
     * Weight of a path that follows the rate of its first link.
     * \param rate of the link, bit/s, below 2^44, at most `most`
     * \param most the greatest rate among the paths, not 0
     * \return RCC_SPRAY_WEIGHT_MAX rate / most, to nearest, at least 1
     */
    uint32_t rcc_spray_weight(uint64_t rate, uint64_t most);

    /**
     * Initialise a choice.
     * \param spray the choice
     * \param settings settings that rcc_spray_check accepts; must outlive the choice
     * \param salt rcc_path_salt of the switch
     * \param stream stream of the draws: another one for each switch
     * \param table memory for settings->flowlets entries; NULL with another rule than FLOWLETS
     */
    void rcc_spray_init(struct rcc_spray *spray, const struct rcc_spray_settings *settings, uint64_t salt,
                        uint64_t stream, struct rcc_flowlet *table);

    /**
     * Choose a path for a frame. Nothing is remembered: a frame that is dropped takes no path.
     * \param route paths to the destination
     * \param now the time, ns, not before that of earlier calls
     * \param choice output: the path
     */
    void rcc_spray_pick(const struct rcc_spray *spray, const struct rcc_spray_route *route,
                        const struct rcc_spray_frame *frame, rcc_time now, struct rcc_spray_choice *choice);

    /**
     * A frame took the path that rcc_spray_pick chose for it.
     * \param route paths to the destination
     * \param choice output of the last rcc_spray_pick
     * \param now the time, ns, that of rcc_spray_pick
     */
    void rcc_spray_taken(struct rcc_spray *spray, struct rcc_spray_route *route, const struct rcc_spray_choice *choice,
                         rcc_time now);

#ifdef __cplusplus
}
#endif

#endif /* RCC_SPRAY_H */
