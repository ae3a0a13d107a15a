/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The header of an acknowledgement of selective repeat. */
#include "rcc_wire_sack.h"

#include "layout.h"

#define SACK_TRIMMED 0x80u
#define SACK_ALIGNED 64u

void rcc_wire_sack_put(const struct rcc_wire_sack *sack, uint8_t *out)
{
    rcc_wire_put(out + 1, sack->base, 3);
    rcc_wire_put(out + 5, sack->missing, 3);
    rcc_wire_put(out + 9, sack->lost, 3);
    rcc_wire_put(out + 12, sack->bits, 8);
    out[0] = sack->trimmed ? SACK_TRIMMED : 0;
    out[4] = out[8] = 0;
}

bool rcc_wire_sack_get(const uint8_t *in, size_t bytes, struct rcc_wire_sack *sack)
{
    struct rcc_wire_sack got;
    if (bytes < RCC_WIRE_SACK_BYTES || (in[0] & ~SACK_TRIMMED) != 0 || in[4] != 0 || in[8] != 0)
        return false;
    got.trimmed = in[0] != 0;
    got.base = (uint32_t)rcc_wire_get(in + 1, 3);
    got.missing = (uint32_t)rcc_wire_get(in + 5, 3);
    got.lost = (uint32_t)rcc_wire_get(in + 9, 3);
    got.bits = rcc_wire_get(in + 12, 8);
    if (got.base % SACK_ALIGNED != 0 || (got.trimmed && got.lost != 1))
        return false;
    *sack = got;
    return true;
}

size_t rcc_wire_sack_size(const struct rcc_wire_frame *frame)
{
    const size_t plain = frame->kind == RCC_WIRE_ACK ? rcc_wire_size(frame) : 0;
    return plain != 0 ? plain + RCC_WIRE_SACK_BYTES : 0;
}

size_t rcc_wire_sack_encode(const struct rcc_wire_frame *frame, const struct rcc_wire_sack *sack, uint8_t *out,
                            size_t space)
{
    const size_t size = rcc_wire_sack_size(frame), link = rcc_wire_link_bytes(frame);
    uint32_t ip_bytes, covered, icrc;
    uint8_t *ip, *udp;
    if (size == 0 || size > space)
        return 0;
    ip_bytes = (uint32_t)(size - link);
    covered = ip_bytes - RCC_WIRE_ICRC;
    ip = out + link;
    udp = ip + RCC_WIRE_IPV4;
    rcc_wire_encode(frame, out, space, NULL);
    rcc_wire_put(ip + 2, ip_bytes, 2);
    rcc_wire_put(ip + 10, 0, 2);
    rcc_wire_put(ip + 10, rcc_wire_ipv4_checksum(ip, RCC_WIRE_IPV4), 2);
    rcc_wire_put(udp + 4, ip_bytes - RCC_WIRE_IPV4, 2);
    udp[RCC_WIRE_UDP] = RCC_WIRE_SACK_OPCODE;
    rcc_wire_sack_put(sack, ip + covered - RCC_WIRE_SACK_BYTES);
    icrc = rcc_icrc(ip, covered, 0, NULL);
    for (unsigned i = 0; i < RCC_WIRE_ICRC; i++)
        ip[covered + i] = (uint8_t)(icrc >> 8 * i);
    return size;
}
