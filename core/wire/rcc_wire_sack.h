/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * The acknowledgement of selective repeat: an ACK or a NAK of RoCEv2 with a further header behind its AETH.
 *
 *     Ethernet, (802.1Q), (CN-TAG), IPv4, UDP, BTH, AETH, SACK header, ICRC
 *
 * No standard describes such a header for RoCEv2: this layout is this project's own. The opcode is one of those that
 * InfiniBand leaves to manufacturers (9.2, 11000000b and above). All numbers are big-endian.
 *
 *     byte  0      bit 7: the missing packet was trimmed; the other bits are 0
 *           1-3    PSN of bit 0 of the bitmap, a multiple of 64
 *           4      0
 *           5-7    PSN of the first missing packet
 *           8      0
 *           9-11   number of missing packets; 0 in an ACK
 *           12-19  bitmap; the lowest bit is bit 0: bit i is set if packet PSN + i has arrived
 *
 * The PSN in the BTH is that of the first packet that has not arrived, less 1 in an ACK, as without this header.
 * Packet numbers of 64 bits become PSNs by rcc_psn_of and come back by rcc_psn_extend (rcc_transport.h).
 */
#ifndef RCC_WIRE_SACK_H
#define RCC_WIRE_SACK_H

#include "rcc_wire.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define RCC_WIRE_SACK_BYTES 20    /**< bytes of the header */
#define RCC_WIRE_SACK_OPCODE 0xd1 /**< opcode of a packet with the header */

    /** Contents of the header. */
    struct rcc_wire_sack
    {
        uint64_t bits;    /**< bitmap */
        uint32_t base;    /**< PSN of bit 0, a multiple of 64, 24 bits */
        uint32_t missing; /**< PSN of the first missing packet, 24 bits */
        uint32_t lost;    /**< number of missing packets, 24 bits */
        bool trimmed;     /**< the missing packet was trimmed; `lost` is then 1 */
    };

    /**
     * Encode the header alone.
     * \param sack contents; bits of base, missing and lost above the 24th are ignored
     * \param out output, RCC_WIRE_SACK_BYTES bytes
     */
    void rcc_wire_sack_put(const struct rcc_wire_sack *sack, uint8_t *out);

    /**
     * Decode the header alone.
     * \param in the bytes behind the AETH
     * \param bytes number of bytes
     * \param sack output: contents
     * \return false, and `sack` is unchanged, if there are fewer bytes than RCC_WIRE_SACK_BYTES, a reserved bit is set,
     * the PSN of bit 0 is no multiple of 64, or another number of packets than 1 was trimmed
     */
    bool rcc_wire_sack_get(const uint8_t *in, size_t bytes, struct rcc_wire_sack *sack);

    /**
     * Length of an encoded frame.
     * \param frame a frame of kind RCC_WIRE_ACK
     * \return bytes; 0 if it is of another kind, or rcc_wire_size is 0
     */
    size_t rcc_wire_sack_size(const struct rcc_wire_frame *frame);

    /**
     * Encode a frame.
     * \param frame a frame of kind RCC_WIRE_ACK; its syndrome tells an ACK from a NAK
     * \param sack contents of the header
     * \param out output
     * \param space size of `out`, bytes
     * \return bytes written, rcc_wire_sack_size; 0, and nothing is written, if that is 0 or more than `space`
     */
    size_t rcc_wire_sack_encode(const struct rcc_wire_frame *frame, const struct rcc_wire_sack *sack, uint8_t *out,
                                size_t space);

#ifdef __cplusplus
}
#endif

#endif /* RCC_WIRE_SACK_H */
