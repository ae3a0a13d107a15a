/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Choice of a path by rules that remember something. */
#include "rcc_spray.h"

const char *rcc_spray_check(const struct rcc_spray_settings *settings)
{
    const uint32_t flowlets = settings->flowlets;
    switch (settings->rule)
    {
    case RCC_SPRAY_FLOW:
    case RCC_SPRAY_ROUND:
    case RCC_SPRAY_RANDOM:
    case RCC_SPRAY_FIRST:
        return NULL;
    case RCC_SPRAY_LEAST:
        if (settings->samples == 0 || settings->samples > RCC_SPRAY_SAMPLES_MAX)
            return "the queues that are sampled are not in 1..8";
        return settings->memory > RCC_SPRAY_MEMORY_MAX ? "more than 4 paths are remembered" : NULL;
    case RCC_SPRAY_FLOWLETS:
        if (settings->gap < 1)
            return "the gap between flowlets is below 1 ns";
        if (flowlets == 0 || flowlets > RCC_SPRAY_FLOWLETS_MAX || (flowlets & (flowlets - 1)) != 0)
            return "the entries of the table of flowlets are not a power of two up to 2^20";
        return NULL;
    }
    return "no such rule for the choice of a path";
}

uint32_t rcc_spray_weight(uint64_t rate, uint64_t most)
{
    const uint32_t weight = (uint32_t)((RCC_SPRAY_WEIGHT_MAX * rate + most / 2) / most);
    return weight != 0 ? weight : 1;
}

void rcc_spray_init(struct rcc_spray *spray, const struct rcc_spray_settings *settings, uint64_t salt, uint64_t stream,
                    struct rcc_flowlet *table)
{
    const struct rcc_flowlet none = {0, 0};
    const struct rcc_spray zero = {0};
    *spray = zero;
    spray->settings = settings;
    spray->stream = stream;
    spray->table = table;
    spray->paths.salt = salt;
    for (uint32_t i = 0; settings->rule == RCC_SPRAY_FLOWLETS && i < settings->flowlets; i++)
        table[i] = none;
}

/* The path of a random number, 32 bits, by the weights. */
static uint32_t share(const struct rcc_spray_route *route, uint32_t random)
{
    uint64_t sum = 0, at;
    uint32_t path = 0;
    if (route->weights == NULL)
        return (uint32_t)((uint64_t)random * route->n >> 32);
    for (uint32_t i = 0; i < route->n; i++)
        sum += route->weights[i];
    at = sum * random >> 32; /* sum < 2^32 */
    while (path + 1 < route->n && at >= route->weights[path])
        at -= route->weights[path++];
    return path;
}

static uint32_t of_flow(const struct rcc_spray *spray, const struct rcc_spray_route *route, uint32_t hash)
{
    if (route->weights == NULL)
        return rcc_path_of_flow(&spray->paths, hash, route->n);
    return share(route, (uint32_t)(rcc_mix(hash ^ spray->paths.salt) >> 32));
}

/* A path joins the shortest queues, which are in order; of equal ones the first to come is the better. */
static void join(struct rcc_spray_choice *choice, uint64_t *lengths, uint32_t most, uint32_t path, uint64_t length)
{
    uint32_t i = 0;
    while (i < most && choice->best[i] != 0 && lengths[i] <= length && choice->best[i] != path + 1)
        i++;
    if (i == most || choice->best[i] == path + 1)
        return;
    for (uint32_t last = most - 1; last > i; last--)
    {
        choice->best[last] = choice->best[last - 1];
        lengths[last] = lengths[last - 1];
    }
    choice->best[i] = path + 1;
    lengths[i] = length;
}

/* DRILL: the shortest of d queues that are drawn and of m that were the shortest before. */
static void pick_least(const struct rcc_spray *spray, const struct rcc_spray_route *route,
                       const struct rcc_spray_frame *frame, struct rcc_spray_choice *choice)
{
    const struct rcc_spray_settings *settings = spray->settings;
    const uint32_t most = settings->memory != 0 ? settings->memory : 1;
    uint64_t lengths[RCC_SPRAY_MEMORY_MAX];
    for (uint32_t i = 0; i < settings->samples + settings->memory; i++)
    {
        uint32_t path;
        if (i < settings->samples)
            path = (uint32_t)((uint64_t)rcc_random(spray->stream, spray->draws + i) * route->n >> 32);
        else
            path = route->best[i - settings->samples] - 1; /* 0 - 1: none */
        if (path < route->n)
            join(choice, lengths, most, path, frame->queue(frame->host, path));
    }
    choice->path = choice->best[0] - 1;
    choice->draws = settings->samples;
}

static void pick_flowlet(const struct rcc_spray *spray, const struct rcc_spray_route *route, uint32_t hash,
                         rcc_time now, struct rcc_spray_choice *choice)
{
    const struct rcc_flowlet *entry;
    choice->slot = (uint32_t)(rcc_mix(hash ^ spray->paths.salt) >> 32) & (spray->settings->flowlets - 1);
    entry = &spray->table[choice->slot];
    choice->path = entry->path - 1; /* 0 - 1: none */
    if (now - entry->last <= spray->settings->gap && choice->path < route->n)
        return;
    choice->path = share(route, rcc_random(spray->stream, spray->draws));
    choice->draws = 1;
}

void rcc_spray_pick(const struct rcc_spray *spray, const struct rcc_spray_route *route,
                    const struct rcc_spray_frame *frame, rcc_time now, struct rcc_spray_choice *choice)
{
    const struct rcc_spray_choice zero = {0};
    *choice = zero;
    choice->data = frame->data;
    switch (frame->data || spray->settings->rule == RCC_SPRAY_FIRST ? spray->settings->rule : RCC_SPRAY_FLOW)
    {
    case RCC_SPRAY_FIRST:
        break; /* path 0 */
    case RCC_SPRAY_FLOW:
        choice->path = of_flow(spray, route, frame->hash);
        break;
    case RCC_SPRAY_ROUND:
        choice->path = (uint32_t)(route->turn % route->n);
        break;
    case RCC_SPRAY_RANDOM:
        choice->path = share(route, rcc_random(spray->stream, spray->draws));
        choice->draws = 1;
        break;
    case RCC_SPRAY_LEAST:
        pick_least(spray, route, frame, choice);
        break;
    case RCC_SPRAY_FLOWLETS:
        pick_flowlet(spray, route, frame->hash, now, choice);
        break;
    }
}

void rcc_spray_taken(struct rcc_spray *spray, struct rcc_spray_route *route, const struct rcc_spray_choice *choice,
                     rcc_time now)
{
    if (!choice->data)
        return;
    spray->draws += choice->draws;
    route->turn++;
    if (spray->settings->rule == RCC_SPRAY_LEAST)
        for (uint32_t i = 0; i < spray->settings->memory; i++)
            route->best[i] = choice->best[i];
    if (spray->settings->rule != RCC_SPRAY_FLOWLETS)
        return;
    spray->changes += choice->draws;
    spray->table[choice->slot].path = choice->path + 1;
    spray->table[choice->slot].last = now;
}
