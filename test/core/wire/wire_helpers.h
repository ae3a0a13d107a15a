/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Helpers of the tests of core/wire: an oracle for the CRC, bytes from hexadecimal, random frames. */
#ifndef RCC_TEST_WIRE_HELPERS_H
#define RCC_TEST_WIRE_HELPERS_H

#include "helpers.h"
#include "rcc_wire.h"

#define FRAME_ROOM 9300

/* CRC-32 one bit at a time, as the definition has it: no tables, no shortcut. */
uint32_t slow_crc(const uint8_t *data, size_t bytes);
/* ICRC of an IPv4 packet that ends before its ICRC, from slow_crc. */
uint32_t slow_icrc(const uint8_t *ip, size_t bytes);

/* Bytes written in hexadecimal; blanks are ignored. Returns how many. */
size_t from_hex(const char *text, uint8_t *out);

/* A frame of any kind that the encoder accepts, and all of whose fields a decoder can find again. `payload` points
 * to FRAME_ROOM random bytes. */
struct rcc_wire_frame random_frame(struct rng *rng, const uint8_t *payload);

/* Whether two frames have the same fields and payload bytes; a payload of NULL is zeros. */
bool same_frame(const struct rcc_wire_frame *a, const struct rcc_wire_frame *b);

#endif
