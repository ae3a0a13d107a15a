/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Decoder of the frames that core/wire encodes: what the encoder's tests, the fuzz target and the vectors compare with.
 */
#ifndef TEST_CORE_WIRE_DECODE_H
#define TEST_CORE_WIRE_DECODE_H

#include "rcc_wire.h"

/* Results of the decoder. */
enum wire_error
{
    WIRE_OK,           /* the frame was decoded */
    WIRE_TRUNCATED,    /* the frame ends inside a header */
    WIRE_BAD_LENGTH,   /* a length field contradicts another one or the kind of frame */
    WIRE_BAD_CHECKSUM, /* the checksum of the IPv4 header is wrong */
    WIRE_BAD_ICRC,     /* the invariant CRC is wrong */
    WIRE_UNSUPPORTED   /* the frame has an IP option, is a fragment, or has another opcode or version */
};

/*
 * Decode a frame of `bytes` bytes, without its frame check sequence. A frame that is not RoCEv2 (UDP over IPv4 to port
 * 4791), CNM, PFC or PAUSE is of kind OTHER; this is not an error. Reserved bits and padding are ignored, fields that
 * a kind of frame does not have are 0, and the payload points into `data`. `frame` is undefined after an error.
 */
enum wire_error wire_decode(const uint8_t *data, size_t bytes, struct rcc_wire_frame *frame);

#endif
