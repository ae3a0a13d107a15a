/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_RANDOM_H
#define RCC_RANDOM_H

#include <cstdint>

namespace ns3
{

/**
 * 64 well-mixed bits of x: the output function of SplitMix64 (Steele, Lea,
 * Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
 */
inline uint64_t
RccMix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/**
 * The core's random numbers, a function of (stream, index). ns-3's own streams
 * differ between its versions; results here must not.
 */
inline uint32_t
RccDraw(uint64_t stream, uint64_t index)
{
    return static_cast<uint32_t>(RccMix(stream ^ (index * 0xd1342543de82ef95u)) >> 32);
}

/// What a random stream is for; keeps the streams of one seed apart.
enum class RccStream : uint64_t
{
    FLOW_START = 1,
    REACTION_POINT,
    CONGESTION_POINT,
    FLOW_HASH,
    LINK_ERROR,
    WORKLOAD
};

/// A stream for the id-th user of a kind, under a seed.
inline uint64_t
RccStreamOf(uint64_t seed, RccStream kind, uint64_t id)
{
    return RccMix(RccMix(RccMix(seed) ^ static_cast<uint64_t>(kind)) ^ id);
}

/// A uniform number in [0, n), n > 0, from (stream, index); biased by less than n / 2^64.
inline uint64_t
RccUniform(uint64_t stream, uint64_t index, uint64_t n)
{
    uint64_t high = RccDraw(stream, 2 * index);
    uint64_t low = RccDraw(stream, 2 * index + 1);
    uint64_t a = high * n; // n < 2^32 would do with one product
    if (n >> 32)
    {
        uint64_t x = (high << 32) | low;
        return x % n;
    }
    return (a + ((low * n) >> 32)) >> 32;
}

} // namespace ns3

#endif /* RCC_RANDOM_H */
