/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes the encoder of core/wire with frames of the tests' decoder: the input's bytes are a frame. What the decoder
 * accepts, the encoder writes, and the decoder reads as the same frame again. Half of the inputs get right checks
 * first, without which few would be accepted. Built like fuzz_core.c.
 */
#define FUZZ_SHAPED_INPUT
#include "../core/wire/decode.c"
#include "fuzz.h"
#include "rcc_wire_sack.h"

#define FRAME_MAX 4096u

/* Make a RoCEv2 packet of the bytes: lengths, port, header checksum and ICRC. */
static void repair(uint8_t *frame, size_t size)
{
    size_t ip = 14, bytes;
    uint32_t icrc;
    uint16_t checksum;
    if (size > 18 && frame[12] == 0x81 && frame[13] == 0x00)
        ip += 4;
    if (size > ip + 4 && frame[ip - 2] == 0x22 && frame[ip - 1] == 0xe9)
        ip += 4;
    if (size < ip + 44)
        return;
    bytes = size - ip;
    frame[ip - 2] = 0x08;
    frame[ip - 1] = 0x00;
    frame[ip] = 0x45;
    frame[ip + 2] = (uint8_t)(bytes >> 8);
    frame[ip + 3] = (uint8_t)bytes;
    frame[ip + 6] = 0x40;
    frame[ip + 7] = 0;
    frame[ip + 9] = 17;
    frame[ip + 22] = 4791 >> 8;
    frame[ip + 23] = 4791 & 0xff;
    frame[ip + 24] = (uint8_t)((bytes - 20) >> 8);
    frame[ip + 25] = (uint8_t)(bytes - 20);
    frame[ip + 29] &= 0xf0;
    frame[ip + 10] = frame[ip + 11] = 0;
    checksum = rcc_wire_ipv4_checksum(frame + ip, 20);
    frame[ip + 10] = (uint8_t)(checksum >> 8);
    frame[ip + 11] = (uint8_t)checksum;
    icrc = rcc_icrc(frame + ip, bytes - 4, 0, NULL);
    for (unsigned i = 0; i < 4; i++)
        frame[size - 4 + i] = (uint8_t)(icrc >> 8 * i);
}

static void there_and_back(const uint8_t *bytes, size_t size)
{
    static uint8_t first[FRAME_MAX + 64], second[FRAME_MAX + 64];
    struct rcc_wire_frame frame, again;
    size_t n;
    if (wire_decode(bytes, size, &frame) != WIRE_OK)
        return;
    REQUIRE(frame.payload_bytes <= size);
    REQUIRE(frame.payload == NULL || (frame.payload >= bytes && frame.payload + frame.payload_bytes <= bytes + size));
    n = rcc_wire_encode(&frame, first, sizeof first, NULL);
    REQUIRE(n == rcc_wire_size(&frame));
    REQUIRE(n > 0);
    REQUIRE(n <= size || n == RCC_WIRE_MIN);
    REQUIRE(wire_decode(first, n, &again) == WIRE_OK);
    REQUIRE(again.kind == frame.kind);
    REQUIRE(again.payload_bytes == frame.payload_bytes);
    REQUIRE(rcc_wire_encode(&again, second, sizeof second, NULL) == n);
    REQUIRE(memcmp(first, second, n) == 0);
}

/* A header of a selective acknowledgement is refused, or comes out again as it was. */
static void header(const uint8_t *bytes, size_t size)
{
    uint8_t again[RCC_WIRE_SACK_BYTES];
    struct rcc_wire_sack sack;
    if (!rcc_wire_sack_get(bytes, size, &sack))
        return;
    REQUIRE(size >= sizeof again && sack.base % 64 == 0);
    rcc_wire_sack_put(&sack, again);
    REQUIRE(memcmp(again, bytes, sizeof again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *frame;
    if (size == 0 || size > FRAME_MAX)
        return 0;
    frame = (uint8_t *)malloc(size); /* the first byte says what to repair, the rest is the frame */
    if (frame == NULL)
        abort();
    memcpy(frame, data + 1, size - 1);
    header(frame, size - 1);
    if (data[0] % 2 == 0)
        repair(frame, size - 1);
    there_and_back(frame, size - 1);
    free(frame);
    return 0;
}

#ifdef RCC_FUZZ_STANDALONE
/* Random bytes behind a header that leads somewhere. */
static size_t make_input(uint64_t *state, uint8_t *data, size_t space)
{
    static const uint8_t types[][8] = {{0x08, 0x00, 0x45},
                                       {0x88, 0x08, 0x01, 0x01},
                                       {0x88, 0x08, 0x00, 0x01},
                                       {0x22, 0xe7, 0x00},
                                       {0x81, 0x00, 0xe0, 0x01, 0x22, 0xe9, 0x00, 0x07}};
    static const uint8_t opcodes[] = {0x00, 0x01, 0x02, 0x04, 0x06, 0x07, 0x08, 0x0a, 0x11, 0x81, 0x05};
    random_bytes(state, data, space);
    if (data[1] % 4 != 0)
        memcpy(data + 13, types[data[2] % 5], 4 + (data[2] % 5 == 4 ? 4u : 0u));
    data[1 + 14 + 28] = opcodes[data[3] % sizeof opcodes];
    return data[4] % 3 == 0 ? 59u + data[5] % 40u : data[5] % 128u;
}
#endif
