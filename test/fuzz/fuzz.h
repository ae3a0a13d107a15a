/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Parts of every fuzz target: values out of the input's bytes, checks that end the program, and a driver for
 * compilers without libFuzzer (RCC_FUZZ_STANDALONE). A target includes it once.
 */
#ifndef RCC_FUZZ_H
#define RCC_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* `subject` is what the check is about, e.g. the name of an algorithm, or "". */
static inline void require_at(bool ok, const char *what, const char *subject, const char *file, int line)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: %s%s%s does not hold\n", file, line, subject, *subject != '\0' ? ": " : "", what);
    abort();
}

#define REQUIRE_OF(subject, condition) require_at(condition, #condition, subject, __FILE__, __LINE__)
#define REQUIRE(condition) REQUIRE_OF("", condition)

/* The bytes of the input that no value was made of yet. */
struct input
{
    const uint8_t *data;
    size_t size;
};

/* Up to 8 bytes, the first one the highest; what the input has no more of is missing below. */
static inline uint64_t take(struct input *in, unsigned bytes)
{
    uint64_t value = 0;
    for (; bytes > 0 && in->size > 0; bytes--, in->data++, in->size--)
        value = value << 8 | *in->data;
    return value;
}

/* A host's random numbers. */
static inline uint32_t draw(uint64_t stream, uint64_t index)
{
    uint64_t z = (stream * 0x9e3779b97f4a7c15u + index) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(z >> 32);
}

/* Memory that is not zero, so that what is read before it is written shows. */
static inline void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        abort();
    memset(memory, 0xa5, size);
    return memory;
}

static inline void random_bytes(uint64_t *state, uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
    {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        data[i] = (uint8_t)(*state >> 56);
    }
}

#ifdef RCC_FUZZ_STANDALONE
/* Fills `data` and returns the size of the input. A target whose inputs need a shape defines FUZZ_SHAPED_INPUT and
 * this. */
static size_t make_input(uint64_t *state, uint8_t *data, size_t space);

#ifndef FUZZ_SHAPED_INPUT
static size_t make_input(uint64_t *state, uint8_t *data, size_t space)
{
    random_bytes(state, data, space);
    return space;
}
#endif

int main(int argc, char **argv)
{
    const unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    uint64_t state = 1;
    for (unsigned long run = 0; run < runs; run++)
    {
        uint8_t data[2048];
        const size_t size = make_input(&state, data, sizeof data);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%lu inputs, all invariants held\n", runs);
    return 0;
}
#endif

#endif
