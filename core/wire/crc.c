/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * CRC-32 of Ethernet, eight bytes at a time, and the invariant CRC of RoCEv2.
 *
 * Bits are reflected: bit 31 of a register is x^0. slices[k][b] is byte b followed by k zero bytes, modulo the
 * polynomial, so that eight bytes take eight independent look-ups. Each table is linear in the bits of b and is
 * computed from eight powers of x.
 */
#include "layout.h"

#define POLYNOMIAL 0xedb88320u
#define X_TO_THE_8 0x00800000u
#define SHORT_RUN 64u /* runs up to this length are processed bytewise: faster, and CNPs do not change the cache */

#define BIT(b, n, power) (((unsigned)(b) >> (n)&1u) != 0 ? (power) : 0u)
#define ENTRY(b, p0, p1, p2, p3, p4, p5, p6, p7)                                                                       \
    BIT(b, 0, p0) ^ BIT(b, 1, p1) ^ BIT(b, 2, p2) ^ BIT(b, 3, p3) ^ BIT(b, 4, p4) ^ BIT(b, 5, p5) ^ BIT(b, 6, p6) ^    \
        BIT(b, 7, p7)
#define ENTRIES4(b, ...)                                                                                               \
    ENTRY(b, __VA_ARGS__), ENTRY(b + 1, __VA_ARGS__), ENTRY(b + 2, __VA_ARGS__), ENTRY(b + 3, __VA_ARGS__)
#define ENTRIES16(b, ...)                                                                                              \
    ENTRIES4(b, __VA_ARGS__), ENTRIES4(b + 4, __VA_ARGS__), ENTRIES4(b + 8, __VA_ARGS__), ENTRIES4(b + 12, __VA_ARGS__)
#define ENTRIES64(b, ...)                                                                                              \
    ENTRIES16(b, __VA_ARGS__), ENTRIES16(b + 16, __VA_ARGS__), ENTRIES16(b + 32, __VA_ARGS__),                         \
        ENTRIES16(b + 48, __VA_ARGS__)
#define SLICE(...)                                                                                                     \
    {                                                                                                                  \
        ENTRIES64(0, __VA_ARGS__), ENTRIES64(64, __VA_ARGS__), ENTRIES64(128, __VA_ARGS__),                            \
            ENTRIES64(192, __VA_ARGS__)                                                                                \
    }

/* Row k: x^(39 + 8k) to x^(32 + 8k), the values of the bits of a byte that is followed by k bytes. */
static const uint32_t slices[8][256] = {
    SLICE(0x77073096u, 0xee0e612cu, 0x076dc419u, 0x0edb8832u, 0x1db71064u, 0x3b6e20c8u, 0x76dc4190u, 0xedb88320u),
    SLICE(0x191b3141u, 0x32366282u, 0x646cc504u, 0xc8d98a08u, 0x4ac21251u, 0x958424a2u, 0xf0794f05u, 0x3b83984bu),
    SLICE(0x01c26a37u, 0x0384d46eu, 0x0709a8dcu, 0x0e1351b8u, 0x1c26a370u, 0x384d46e0u, 0x709a8dc0u, 0xe1351b80u),
    SLICE(0xb8bc6765u, 0xaa09c88bu, 0x8f629757u, 0xc5b428efu, 0x5019579fu, 0xa032af3eu, 0x9b14583du, 0xed59b63bu),
    SLICE(0x3d6029b0u, 0x7ac05360u, 0xf580a6c0u, 0x30704bc1u, 0x60e09782u, 0xc1c12f04u, 0x58f35849u, 0xb1e6b092u),
    SLICE(0xcb5cd3a5u, 0x4dc8a10bu, 0x9b914216u, 0xec53826du, 0x03d6029bu, 0x07ac0536u, 0x0f580a6cu, 0x1eb014d8u),
    SLICE(0xa6770bb4u, 0x979f1129u, 0xf44f2413u, 0x33ef4e67u, 0x67de9cceu, 0xcfbd399cu, 0x440b7579u, 0x8816eaf2u),
    SLICE(0xccaa009eu, 0x4225077du, 0x844a0efau, 0xd3e51bb5u, 0x7cbb312bu, 0xf9766256u, 0x299dc2edu, 0x533b85dau)};

static uint32_t update(uint32_t r, const uint8_t *data, size_t bytes)
{
    for (; bytes >= 8; bytes -= 8, data += 8)
    {
        r ^= data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
        r = slices[7][r & 0xffu] ^ slices[6][r >> 8 & 0xffu] ^ slices[5][r >> 16 & 0xffu] ^ slices[4][r >> 24] ^
            slices[3][data[4]] ^ slices[2][data[5]] ^ slices[1][data[6]] ^ slices[0][data[7]];
    }
    for (; bytes > 0; bytes--, data++)
        r = r >> 8 ^ slices[0][(r ^ *data) & 0xffu];
    return r;
}

uint32_t rcc_crc32(uint32_t crc, const uint8_t *data, size_t bytes)
{
    return ~update(~crc, data, bytes);
}

/* ------------------------------------------------------------------ runs of zeros */

/* a * b modulo the polynomial. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; a != 0; a <<= 1)
    {
        product ^= (a & 0x80000000u) != 0 ? b : 0;
        b = b >> 1 ^ ((b & 1u) != 0 ? POLYNOMIAL : 0);
    }
    return product;
}

/* A register after n zero bytes: r * x^(8n), by squaring. */
static uint32_t after_zeros(uint32_t r, size_t n)
{
    uint32_t power = X_TO_THE_8;
    for (; n != 0; n >>= 1)
    {
        if ((n & 1u) != 0)
            r = multiply(power, r);
        power = multiply(power, power);
    }
    return r;
}

static void fill(struct rcc_crc_zeros *cache, size_t n)
{
    cache->bytes = n;
    for (unsigned k = 0; k < 4; k++)
    {
        for (uint32_t bit = 1; bit < 256; bit <<= 1) /* entry 0 is 0 from the start */
        {
            cache->table[k][bit] = after_zeros(bit << (8 * k), n);
            for (uint32_t b = 1; b < bit; b++)
                cache->table[k][bit | b] = cache->table[k][bit] ^ cache->table[k][b]; /* linear */
        }
    }
}

static uint32_t after_zeros_cached(uint32_t r, size_t n, struct rcc_crc_zeros *cache)
{
    if (n != cache->bytes)
    {
        if (n != cache->missed)
        {
            cache->missed = n;
            return after_zeros(r, n);
        }
        fill(cache, n);
    }
    return cache->table[0][r & 0xffu] ^ cache->table[1][r >> 8 & 0xffu] ^ cache->table[2][r >> 16 & 0xffu] ^
           cache->table[3][r >> 24];
}

/* ------------------------------------------------------------------ invariant CRC */

uint32_t rcc_icrc(const uint8_t *ip, size_t bytes, size_t zeros, struct rcc_crc_zeros *cache)
{
    /* Eight bytes of ones take the place of InfiniBand's local route header; fields that may change on the way are
     * ones.
     */
    uint8_t masked[8 + ROCE_HEADERS];
    uint8_t *packet = masked + 8;
    uint32_t r;
    for (unsigned i = 0; i < 8; i++)
        masked[i] = 0xff;
    for (unsigned i = 0; i < ROCE_HEADERS; i++)
        packet[i] = ip[i];
    packet[1] = 0xff;                                             /* DSCP and ECN */
    packet[8] = 0xff;                                             /* TTL */
    packet[10] = packet[11] = 0xff;                               /* header checksum */
    packet[RCC_WIRE_IPV4 + 6] = packet[RCC_WIRE_IPV4 + 7] = 0xff; /* UDP checksum */
    packet[RCC_WIRE_IPV4 + RCC_WIRE_UDP + 4] = 0xff;              /* FECN, BECN, reserved */
    r = update(0xffffffffu, masked, sizeof masked);
    r = update(r, ip + ROCE_HEADERS, bytes - ROCE_HEADERS);
    if (zeros > SHORT_RUN)
        return ~(cache != NULL ? after_zeros_cached(r, zeros, cache) : after_zeros(r, zeros));
    for (; zeros > 0; zeros--)
        r = r >> 8 ^ slices[0][r & 0xffu];
    return ~r;
}
