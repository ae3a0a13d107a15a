/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Parser of maps from DSCP to class. */
#include "rcc_dscp.h"

#include "rcc_units.h"

#define CLASS_MAX 7u

/* Parse an item at *at, and move *at to the text after it. */
static bool read_item(const char **at, struct rcc_dscp_map *map)
{
    uint32_t first, last, cls;
    if (!rcc_read_digits(at, RCC_DSCPS - 1, &first))
        return false;
    last = first;
    if (**at == '-')
    {
        (*at)++;
        if (!rcc_read_digits(at, RCC_DSCPS - 1, &last))
            return false;
    }
    if (last < first || **at != ':')
        return false;
    (*at)++;
    if (!rcc_read_digits(at, CLASS_MAX, &cls))
        return false;
    for (uint32_t d = first; d <= last; d++)
    {
        if (map->listed[d] != 0 && map->listed[d] != cls + 1)
            return false;
        map->listed[d] = (uint8_t)(cls + 1);
    }
    return true;
}

const char *rcc_dscp_map_read(struct rcc_dscp_map *map, const char *text)
{
    *map = (struct rcc_dscp_map){{0}};
    while (*text != 0)
    {
        const char *at = text;
        if (!read_item(&at, map) || (*at != 0 && *at != ',') || (*at == ',' && at[1] == 0))
            return text;
        text = *at == ',' ? at + 1 : at;
    }
    return NULL;
}
