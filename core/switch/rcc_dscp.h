/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * From the DSCP of an IP header to the traffic class of a frame, as NICs and switches that trust DSCP have it. The
 * class is the priority of PFC and the egress queue.
 *
 *     struct rcc_dscp_map map;
 *     const char *wrong = rcc_dscp_map_read(&map, "26:3,48:6,0-7:0");
 *     cls = rcc_dscp_class(&map, dscp, cls);
 */
#ifndef RCC_DSCP_H
#define RCC_DSCP_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Differentiated services code points, RFC 2474. */
#define RCC_DSCPS 64u

    /** A map. Zeroed, it lists no DSCP. */
    struct rcc_dscp_map
    {
        uint8_t listed[RCC_DSCPS]; /**< 1 + class of a DSCP; 0 = it is not listed */
    };

    /**
     * Read a map.
     * \param map gets what the text lists
     * \param text items DSCP:CLASS or FIRST-LAST:CLASS joined by commas, 0 to 63 and 0 to 7, each DSCP once; empty: a
     * map that lists none \return NULL; else where the first item begins that is not one, or whose DSCP has another
     * class already
     */
    const char *rcc_dscp_map_read(struct rcc_dscp_map *map, const char *text);

    /**
     * The class of a frame.
     * \param map the map
     * \param dscp of the frame, below RCC_DSCPS
     * \param cls that it has if the map does not list its DSCP
     * \return its class
     */
    static inline uint8_t rcc_dscp_class(const struct rcc_dscp_map *map, uint8_t dscp, uint8_t cls)
    {
        const uint8_t listed = map->listed[dscp];
        return listed != 0 ? (uint8_t)(listed - 1) : cls;
    }

#ifdef __cplusplus
}
#endif

#endif /* RCC_DSCP_H */
