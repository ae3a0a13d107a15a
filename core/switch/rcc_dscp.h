/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * Map from the DSCP of an IP header to the traffic class of a frame, as in NICs and switches that trust DSCP. The
 * traffic class selects the PFC priority and the egress queue.
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

    /** A map from DSCP to class. All zero: an empty map. */
    struct rcc_dscp_map
    {
        uint8_t listed[RCC_DSCPS]; /**< 1 + class, by DSCP; 0 = the DSCP is not listed */
    };

    /**
     * Parse a map.
     * \param map output
     * \param text items DSCP:CLASS or FIRST-LAST:CLASS joined by commas; DSCPs are 0 to 63, classes 0 to 7, and each
     * DSCP is listed once; an empty text is an empty map
     * \return NULL on success, or the beginning, within `text`, of the first item that is malformed or whose DSCP
     * already has another class
     */
    const char *rcc_dscp_map_read(struct rcc_dscp_map *map, const char *text);

    /**
     * Class of a frame.
     * \param map the map
     * \param dscp DSCP of the frame, below RCC_DSCPS
     * \param cls class of the frame if the map does not list its DSCP
     * \return the class, 0 to 7, or `cls`
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
