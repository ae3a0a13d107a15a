/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Strict priority and deficit round robin (Shreedhar, Varghese: SIGCOMM'95) among the classes of a port. */
#include "rcc_turns.h"

static bool contains(uint8_t classes, unsigned cls)
{
    return ((unsigned)classes >> cls & 1u) != 0;
}

static unsigned lowest(uint8_t classes)
{
    unsigned cls = 0;
    while (!contains(classes, cls))
        cls++;
    return cls;
}

/* Classes of the mask that have strict priority. */
static uint8_t strict_of(const struct rcc_turns_rules *rules, uint8_t classes)
{
    return rules != NULL ? (uint8_t)(rules->strict & classes) : 0;
}

static unsigned highest(uint8_t classes)
{
    unsigned cls = RCC_TURNS_CLASSES - 1;
    while (!contains(classes, cls))
        cls--;
    return cls;
}

/* Bytes that a turn adds to the deficit of a class. */
static int64_t share(const struct rcc_turns_rules *rules, unsigned cls, uint32_t quantum)
{
    return rules != NULL && rules->weight[cls] > 1 ? (int64_t)quantum * rules->weight[cls] : (int64_t)quantum;
}

unsigned rcc_turns_queue(struct rcc_turns *turns, uint8_t ready, unsigned control,
                         const uint32_t heads[RCC_TURNS_CLASSES], uint32_t quantum, const struct rcc_turns_rules *rules)
{
    unsigned cls = turns->turn;
    if (contains(ready, control))
        return control;
    if ((ready & (ready - 1)) == 0)
        return lowest(ready); /* only one class is ready */
    if (strict_of(rules, ready) != 0)
        return highest(strict_of(rules, ready));
    while (!contains(ready, cls) || turns->deficit[cls] < (int64_t)heads[cls])
    {
        cls = (cls + 1) % RCC_TURNS_CLASSES;
        turns->deficit[cls] = contains(ready, cls) ? turns->deficit[cls] + share(rules, cls, quantum) : 0;
    }
    turns->turn = (uint8_t)cls;
    turns->deficit[cls] -= heads[cls];
    return cls;
}

struct rcc_turn rcc_turns_shared(struct rcc_turns *turns, uint8_t ready, uint8_t due, uint8_t some, uint32_t quantum,
                                 const struct rcc_turns_rules *rules)
{
    const uint8_t either = (uint8_t)(ready | due);
    const uint8_t first = strict_of(rules, either);
    unsigned cls = turns->turn;
    struct rcc_turn turn;
    if (first != 0)
    {
        cls = highest(first);
        turns->deficit[cls] = 0; /* a class with strict priority has no deficit */
    }
    else
    {
        while (turns->deficit[cls] <= 0 || !contains(either, cls))
        {
            cls = (cls + 1) % RCC_TURNS_CLASSES;
            if (contains(either, cls))
                turns->deficit[cls] += share(rules, cls, quantum);
            else if (!contains(some, cls))
                turns->deficit[cls] = 0;
        }
        turns->turn = (uint8_t)cls;
    }
    turn.cls = cls;
    turn.owner = !contains(ready, cls) || (contains(due, cls) && contains(turns->queue_had, cls));
    turns->queue_had = (uint8_t)(turn.owner ? turns->queue_had & ~(1u << cls) : turns->queue_had | 1u << cls);
    return turn;
}

uint8_t rcc_turns_next(struct rcc_turns *turns, const struct rcc_turns_port *port, uint8_t ready, uint8_t paused,
                       rcc_time now, uint32_t quantum, const struct rcc_turns_rules *rules)
{
    uint8_t due = 0, some = 0;
    if (port->due(port->port, paused) > now)
        return ready;
    for (unsigned c = 0; c < RCC_TURNS_CLASSES; c++)
    {
        const uint8_t bit = (uint8_t)(1u << c), others = (uint8_t)~bit;
        const rcc_time when = contains(paused, c) ? RCC_NEVER : port->due(port->port, others);
        due |= when <= now ? bit : 0;
        some |= when != RCC_NEVER ? bit : 0;
    }
    while (due != 0)
    {
        const struct rcc_turn turn = rcc_turns_shared(turns, ready, due, some, quantum, rules);
        const uint8_t bit = (uint8_t)(1u << turn.cls), others = (uint8_t)~bit;
        const uint32_t bytes = turn.owner ? port->build(port->port, now, others) : port->head(port->port, turn.cls);
        if (bytes != 0)
        {
            rcc_turns_pay(turns, turn.cls, bytes);
            return turn.owner ? 0 : bit;
        }
        due &= others; /* the owner has no frame of the class after all */
    }
    return ready;
}
