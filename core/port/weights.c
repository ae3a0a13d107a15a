/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The text of the weights of a port's classes. */
#include "rcc_turns.h"
#include "rcc_units.h"

static const char *skip_blanks(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

/* An item at *at, which moves behind it. */
static bool read_item(const char **at, struct rcc_turns_rules *rules)
{
    uint32_t cls, weight;
    *at = skip_blanks(*at);
    if (!rcc_read_digits(at, RCC_TURNS_CLASSES - 1, &cls))
        return false;
    *at = skip_blanks(*at);
    if (**at != ':')
        return false;
    *at = skip_blanks(*at + 1);
    if (!rcc_read_digits(at, RCC_TURNS_WEIGHT_MAX, &weight) || weight == 0 || rules->weight[cls] != 0)
        return false;
    rules->weight[cls] = (uint16_t)weight;
    return true;
}

const char *rcc_turns_read(struct rcc_turns_rules *rules, const char *text)
{
    struct rcc_turns_rules read = {.strict = rules->strict};
    while (*text != 0)
    {
        const char *at = text;
        if (!read_item(&at, &read) || (*at != 0 && *at != ',') || (*at == ',' && at[1] == 0))
            return text;
        text = *at == ',' ? at + 1 : at;
    }
    *rules = read;
    return NULL;
}
