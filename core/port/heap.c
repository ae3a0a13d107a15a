/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The 4-ary heap of queue pairs. The moving entry is kept in variables while the other entries move. `least` stores
 * which child of each entry has the least key. The path down is then one chain of loads, and `least` is updated
 * afterwards, level by level, without dependences between the levels.
 */
#include "rcc_port.h"

void rcc_heap_init(struct rcc_heap *heap, rcc_time *keys, uint32_t *ids, uint8_t *least, uint32_t capacity)
{
    heap->keys = keys;
    heap->ids = ids;
    heap->least = least;
    heap->count = 0;
    heap->capacity = capacity;
}

void rcc_heap_grow(struct rcc_heap *heap, rcc_time *keys, uint32_t *ids, uint8_t *least, uint32_t capacity)
{
    for (uint32_t i = 0; i < heap->count; i++)
    {
        keys[i] = heap->keys[i];
        ids[i] = heap->ids[i];
    }
    for (uint32_t i = 0; i < RCC_HEAP_PARENTS(heap->count); i++)
        least[i] = heap->least[i];
    heap->keys = keys;
    heap->ids = ids;
    heap->least = least;
    heap->capacity = capacity;
}

/* Index of the least of four keys, the first among equal ones. The result is unpredictable, so the code avoids
 * conditional expressions, which compilers turn into branches. */
static uint32_t least_of_four(const rcc_time *keys)
{
    const rcc_time k0 = keys[0], k1 = keys[1], k2 = keys[2], k3 = keys[3];
    const rcc_time low = k1 < k0 ? k1 : k0, high = k3 < k2 ? k3 : k2;
    const uint32_t a = k1 < k0 ? 1u : 0u, b = k3 < k2 ? 3u : 2u, upper = high < low ? 1u : 0u;
    return (a & (upper - 1)) | (b & (0u - upper));
}

/* Update `least` of the parent of entry `i`. */
static uint32_t update_parent(struct rcc_heap *heap, uint32_t i)
{
    const uint32_t parent = (i - 1) / 4, child = 4 * parent + 1, n = heap->count;
    uint32_t least = child;
    if (child + 4 <= n)
        least += least_of_four(heap->keys + child);
    else
        for (uint32_t c = child + 1; c < n; c++)
            least = heap->keys[c] < heap->keys[least] ? c : least;
    heap->least[parent] = (uint8_t)(least - child);
    return parent;
}

/* Update `least` after the keys from entry `low` up to its ancestor `high` have changed. */
static void update_parents(struct rcc_heap *heap, uint32_t low, uint32_t high)
{
    while (low > high)
        low = update_parent(heap, low);
    if (low > 0)
        update_parent(heap, low);
}

static void move_up(struct rcc_heap *heap, uint32_t i, uint32_t *at)
{
    rcc_time *keys = heap->keys;
    uint32_t *ids = heap->ids;
    const rcc_time key = keys[i];
    const uint32_t id = ids[i], from = i;
    while (i > 0)
    {
        const uint32_t parent = (i - 1) / 4;
        if (keys[parent] <= key)
            break;
        keys[i] = keys[parent];
        ids[i] = ids[parent];
        at[ids[i]] = i;
        i = parent;
    }
    keys[i] = key;
    ids[i] = id;
    at[id] = i;
    update_parents(heap, from, i);
}

static void move_down(struct rcc_heap *heap, uint32_t i, uint32_t *at)
{
    rcc_time *keys = heap->keys;
    uint32_t *ids = heap->ids;
    const uint32_t n = heap->count, from = i;
    const rcc_time key = keys[i];
    const uint32_t id = ids[i];
    for (uint32_t child = 4 * i + 1; child < n; child = 4 * i + 1)
    {
        const uint32_t least = child + heap->least[i];
        if (keys[least] >= key)
            break;
        keys[i] = keys[least];
        ids[i] = ids[least];
        at[ids[i]] = i;
        i = least;
    }
    keys[i] = key;
    ids[i] = id;
    at[id] = i;
    update_parents(heap, i, from);
}

void rcc_heap_set(struct rcc_heap *heap, uint32_t id, rcc_time key, uint32_t *at)
{
    uint32_t i = at[id];
    bool later;
    if (i == RCC_PORT_NONE)
    {
        i = heap->count++;
        heap->keys[i] = key;
        heap->ids[i] = id;
        move_up(heap, i, at);
        return;
    }
    later = key >= heap->keys[i];
    heap->keys[i] = key;
    if (later)
        move_down(heap, i, at);
    else
        move_up(heap, i, at);
}

void rcc_heap_remove(struct rcc_heap *heap, uint32_t id, uint32_t *at)
{
    const uint32_t i = at[id], end = --heap->count, last = heap->ids[end];
    at[id] = RCC_PORT_NONE;
    if (end > 0)
        update_parent(heap, end);
    if (last == id)
        return;
    heap->keys[i] = heap->keys[end];
    heap->ids[i] = last;
    move_up(heap, i, at);
    move_down(heap, at[last], at);
}
