/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Strict priority and deficit round robin (Shreedhar, Varghese: SIGCOMM'95) among the classes of a port. */
#include "rcc_turns.h"

static bool has(uint8_t classes, unsigned cls)
{
    return ((unsigned)classes >> cls & 1u) != 0;
}

static unsigned lowest(uint8_t classes)
{
    unsigned cls = 0;
    while (!has(classes, cls))
        cls++;
    return cls;
}

unsigned rcc_turns_queue(struct rcc_turns *turns, uint8_t ready, unsigned control,
                         const uint32_t heads[RCC_TURNS_CLASSES], uint32_t quantum)
{
    unsigned cls = turns->turn;
    if (has(ready, control))
        return control;
    if ((ready & (ready - 1)) == 0)
        return lowest(ready); /* no turns to take */
    while (!has(ready, cls) || turns->deficit[cls] < (int64_t)heads[cls])
    {
        cls = (cls + 1) % RCC_TURNS_CLASSES;
        turns->deficit[cls] = has(ready, cls) ? turns->deficit[cls] + quantum : 0;
    }
    turns->turn = (uint8_t)cls;
    turns->deficit[cls] -= heads[cls];
    return cls;
}

struct rcc_turn rcc_turns_shared(struct rcc_turns *turns, uint8_t ready, uint8_t due, uint8_t some, uint32_t quantum)
{
    const uint8_t either = (uint8_t)(ready | due);
    unsigned cls = turns->turn;
    struct rcc_turn turn;
    while (turns->deficit[cls] <= 0 || !has(either, cls))
    {
        cls = (cls + 1) % RCC_TURNS_CLASSES;
        if (has(either, cls))
            turns->deficit[cls] += quantum;
        else if (!has(some, cls))
            turns->deficit[cls] = 0;
    }
    turns->turn = (uint8_t)cls;
    turn.cls = cls;
    turn.owner = !has(ready, cls) || (has(due, cls) && has(turns->queue_had, cls));
    turns->queue_had = (uint8_t)(turn.owner ? turns->queue_had & ~(1u << cls) : turns->queue_had | 1u << cls);
    return turn;
}
