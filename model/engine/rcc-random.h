/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_RANDOM_H
#define RCC_RANDOM_H

#include "ns3/rcc_mix.h"

#include <cstdint>

namespace ns3
{

/// \copydoc rcc_mix
inline uint64_t
RccMix(uint64_t x)
{
    return rcc_mix(x);
}

/// The source of all random numbers, so that results are the same on every ns-3 version: ns-3's own generators differ
/// between versions. \copydoc rcc_random
inline uint32_t
RccDraw(uint64_t stream, uint64_t index)
{
    return rcc_random(stream, index);
}

/// Purpose of a random stream; keeps the streams of one seed apart.
enum class RccStream : uint64_t
{
    FLOW_START = 1,   //!< jitter of the times at which flows start
    REACTION_POINT,   //!< draws of a queue pair's reaction point
    CONGESTION_POINT, //!< marking and sampling of a congestion point
    FLOW_HASH,        //!< choice among paths of equal distance (ECMP)
    LINK_ERROR,       //!< frames lost at random on a channel
    WORKLOAD,         //!< arrivals, sizes and end points of a workload
    FAULT             //!< frames that a fault picks
};

/**
 * \param seed seed of the run
 * \param kind purpose
 * \param id number of the user among those of the same purpose
 * \return the stream of that user
 */
inline uint64_t
RccStreamOf(uint64_t seed, RccStream kind, uint64_t id)
{
    return RccMix(RccMix(RccMix(seed) ^ static_cast<uint64_t>(kind)) ^ id);
}

/**
 * A uniform number; its bias is less than n / 2^64.
 * \param stream made by RccStreamOf
 * \param index number of the draw; it uses RccDraw's indices 2 index and 2 index + 1
 * \param n greater than 0
 * \return a number in 0 .. n - 1
 */
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
