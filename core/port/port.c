/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The classes of a port and their pauses. */
#include "rcc_port.h"

void rcc_port_init(struct rcc_port *port)
{
    const struct rcc_port zero = {0};
    *port = zero;
}

void rcc_port_remove(struct rcc_port *port, unsigned cls, uint32_t id, uint32_t *at)
{
    struct rcc_heap *heap;
    if (at[id] == RCC_PORT_NONE)
        return; /* there may be no port */
    heap = &port->classes[cls].heap;
    rcc_heap_remove(heap, id, at);
    if (heap->count == 0)
        port->used &= (uint8_t) ~(1u << cls);
}

unsigned rcc_port_pause_changes(const struct rcc_port *port, uint8_t paused)
{
    unsigned changes = 0;
    for (unsigned c = 0; c < RCC_CLASSES; c++)
    {
        const struct rcc_pause_log *log = &port->classes[c].pauses;
        if (log->toggle != NULL && (log->count & 1u) != (((unsigned)paused >> c) & 1u))
            changes |= 1u << c;
    }
    return changes;
}

void rcc_port_log_pause(struct rcc_port *port, unsigned cls, rcc_time now, bool paused)
{
    rcc_pause_log_set(&port->classes[cls].pauses, now, paused);
    port->classes[cls].pause_epoch++;
}

void rcc_port_grow_log(struct rcc_port *port, unsigned cls, rcc_time *storage, uint32_t capacity)
{
    struct rcc_pause_log *log = &port->classes[cls].pauses;
    for (uint64_t i = log->count > log->mask ? log->count - log->mask - 1 : 0; i < log->count; i++)
        storage[i & (capacity - 1)] = log->toggle[i & log->mask];
    log->toggle = storage;
    log->mask = capacity - 1;
}

static bool allows(uint32_t port, const uint8_t *down, const struct rcc_port_list *route)
{
    uint32_t i = 0;
    if (down != NULL && down[port] != 0)
        return false;
    while (route != NULL && i < route->n && route->ports[i] != port)
        i++;
    return route == NULL || i < route->n;
}

uint32_t rcc_port_pick(uint32_t hash, uint32_t n, const uint8_t *down, const struct rcc_port_list *route)
{
    uint32_t usable = 0, port = 0, skip;
    if (down == NULL && route == NULL)
        return hash % n;
    for (uint32_t p = 0; p < n; p++)
        usable += allows(p, down, route) ? 1 : 0;
    if (usable == 0)
        return hash % n;
    for (skip = hash % usable; skip != 0 || !allows(port, down, route); port++)
        skip -= allows(port, down, route) ? 1 : 0;
    return port;
}

uint32_t rcc_port_hash_of_turn(uint32_t hash, uint32_t turn, uint32_t n)
{
    const uint32_t whole = hash / n * n;
    return (whole > UINT32_MAX - n ? whole - n : whole) + turn % n;
}
