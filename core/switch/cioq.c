/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Buffers, credits and arbitration of a combined input/output-queued switch (RZ 3880). */
#include "rcc_cioq.h"

#define NOT_LISTED UINT32_MAX

/* ------------------------------------------------------------------ buffers */

static uint32_t space_of(uint64_t capacity)
{
    return (uint32_t)(capacity / RCC_CIOQ_FRAME_MIN) + 1;
}

size_t rcc_cioq_list_size(uint64_t capacity)
{
    return 2 * (size_t)space_of(capacity) * sizeof(struct rcc_cioq_record *);
}

void rcc_cioq_start(struct rcc_cioq_buffer *buffer, enum rcc_cioq_side side, uint64_t capacity, uint32_t max_frame,
                    void *list)
{
    buffer->bytes = 0;
    buffer->capacity = capacity;
    buffer->count = 0;
    buffer->space = list != NULL ? space_of(capacity) : 0;
    buffer->frames = (struct rcc_cioq_record **)list;
    buffer->sorted = list != NULL ? buffer->frames + buffer->space : NULL;
    buffer->max_units = (max_frame + RCC_CIOQ_UNIT - 1) / RCC_CIOQ_UNIT;
    buffer->side = side;
}

void rcc_cioq_add(struct rcc_cioq_buffer *buffer, struct rcc_cioq_record *record)
{
    const bool listed = record->listed && buffer->count < buffer->space;
    buffer->bytes += record->bytes;
    record->at[buffer->side] = listed ? buffer->count : NOT_LISTED;
    if (listed)
        buffer->frames[buffer->count++] = record;
}

void rcc_cioq_remove(struct rcc_cioq_buffer *buffer, struct rcc_cioq_record *record)
{
    const uint32_t at = record->at[buffer->side];
    buffer->bytes -= record->bytes;
    if (at == NOT_LISTED)
        return;
    buffer->frames[at] = buffer->frames[--buffer->count];
    buffer->frames[at]->at[buffer->side] = at;
}

/* ------------------------------------------------------------------ selection of the frame to notify */

/* Move the record at `root` down to its place in a max-heap of `n` records, ordered by flow. */
static void sink(struct rcc_cioq_record **heap, uint32_t root, uint32_t n)
{
    struct rcc_cioq_record *sinking = heap[root];
    for (uint32_t child = 2 * root + 1; child < n; child = 2 * root + 1)
    {
        if (child + 1 < n && heap[child + 1]->flow > heap[child]->flow)
            child++;
        if (heap[child]->flow <= sinking->flow)
            break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = sinking;
}

static void sort_by_flow(struct rcc_cioq_record **records, uint32_t n)
{
    for (uint32_t i = n / 2; i > 0; i--)
        sink(records, i - 1, n);
    for (uint32_t last = n; last > 1; last--)
    {
        struct rcc_cioq_record *greatest = records[0];
        records[0] = records[last - 1];
        records[last - 1] = greatest;
        sink(records, 0, last - 1);
    }
}

struct rcc_cioq_record *rcc_cioq_fullest(struct rcc_cioq_buffer *buffer)
{
    struct rcc_cioq_record *best = NULL;
    uint64_t most = 0, bytes = 0;
    for (uint32_t i = 0; i < buffer->count; i++)
        buffer->sorted[i] = buffer->frames[i];
    sort_by_flow(buffer->sorted, buffer->count);
    for (uint32_t i = 0; i < buffer->count; i++)
    {
        struct rcc_cioq_record *r = buffer->sorted[i];
        bytes = (i > 0 && r->flow == buffer->sorted[i - 1]->flow ? bytes : 0) + r->bytes;
        if (bytes > most)
        {
            most = bytes;
            best = r;
        }
    }
    return best;
}

/* A uniform number in [0, n), n > 0; biased by less than n / 2^64. */
static uint32_t uniform(rcc_draw draw, uint64_t stream, uint64_t index, uint32_t n)
{
    const uint64_t high = draw(stream, 2 * index), low = draw(stream, 2 * index + 1);
    return (uint32_t)((high * n + (low * n >> 32)) >> 32);
}

struct rcc_cioq_record *rcc_cioq_random(const struct rcc_cioq_buffer *buffer, rcc_draw draw, uint64_t stream,
                                        uint64_t *draws)
{
    if (buffer->count == 0)
        return NULL;
    for (;;)
    {
        struct rcc_cioq_record *r = buffer->frames[uniform(draw, stream, (*draws)++, buffer->count)];
        const uint32_t units = (r->bytes + RCC_CIOQ_UNIT - 1) / RCC_CIOQ_UNIT;
        if (uniform(draw, stream, (*draws)++, buffer->max_units) < units)
            return r;
    }
}

/* ------------------------------------------------------------------ STOP and GO */

bool rcc_cioq_must_stop(struct rcc_cioq_input *input)
{
    if (input->stopped || input->buffer.bytes < input->stop)
        return false;
    input->stopped = true;
    return true;
}

bool rcc_cioq_may_go(struct rcc_cioq_input *input)
{
    if (!input->stopped || input->buffer.bytes > input->go)
        return false;
    input->stopped = false;
    return true;
}

/* ------------------------------------------------------------------ credits */

void rcc_cioq_request(struct rcc_cioq_output *output, struct rcc_cioq_voq *voq)
{
    voq->next = NULL;
    if (output->first != NULL)
        output->last->next = voq;
    else
        output->first = voq;
    output->last = voq;
}

struct rcc_cioq_voq *rcc_cioq_grant(struct rcc_cioq_output *output)
{
    struct rcc_cioq_voq *voq = output->first;
    if (voq == NULL || output->buffer.bytes + output->reserved + voq->head_bytes > output->buffer.capacity)
        return NULL;
    output->reserved += voq->head_bytes;
    output->first = voq->next;
    return voq;
}

void rcc_cioq_land(struct rcc_cioq_output *output, struct rcc_cioq_record *record)
{
    output->reserved -= record->bytes;
    rcc_cioq_add(&output->buffer, record);
}

rcc_time rcc_cioq_enter(struct rcc_cioq_fabric *fabric, rcc_time now, uint32_t bytes)
{
    uint64_t bit_ns;
    if (now > fabric->free)
    {
        fabric->free = now;
        fabric->rest = 0;
    }
    bit_ns = (uint64_t)bytes * 8 * 1000000000 + fabric->rest;
    fabric->free += (rcc_time)(bit_ns / fabric->rate);
    fabric->rest = bit_ns % fabric->rate;
    return fabric->free;
}
