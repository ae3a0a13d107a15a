/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_RANDOM_H
#define RCC_RANDOM_H

#include "ns3/rcc_mix.h"

#include "ns3/abort.h"
#include "ns3/rng-seed-manager.h"

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
    FAULT,            //!< frames that a fault picks
    PATH              //!< choice of a path for each packet in a switch
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

/**
 * The random streams that a switch or a NIC draws from: RccStreamOf(Seed(), purpose, Id() and a number within the
 * node).
 *
 * The seed is made of RngSeedManager::GetSeed and GetRun as they are at the first use, so that --RngRun gives
 * independent replications. SetSeed replaces both; ns-3's seed and run then have no effect.
 *
 * Without AssignStreams draws change with the node ids. After it, 2^31 + stream replaces the node id, and a seed of
 * SetSeed is combined with ns-3's seed and run instead of replacing them. The streams are not those of ns-3's own
 * generators, whatever their numbers.
 */
class RccStreamUser
{
  public:
    /// Replace ns-3's seed and run. \param seed any number
    void SetSeed(uint64_t seed)
    {
        m_seed = seed;
        m_given = true;
    }

    /**
     * Use a stream that does not depend on the node's id.
     * \param stream 0 to 2^31 - 1; other values abort
     * \return 1, the number of streams used
     */
    int64_t Assign(int64_t stream)
    {
        NS_ABORT_MSG_IF(stream < 0 || stream >= (int64_t(1) << 31),
                        "AssignStreams: " << stream << " is not in 0..2^31-1");
        m_id = (uint64_t(1) << 31) + static_cast<uint64_t>(stream);
        m_read = false;
        return 1;
    }

    /// \param node id of the node \return the id for RccStreamOf
    uint64_t Id(uint32_t node) const
    {
        return m_id ? m_id : node;
    }

    /// \return the seed for RccStreamOf: 1 with ns-3's seed 1 and run 1, if neither SetSeed nor Assign was called
    uint64_t Seed()
    {
        if (!m_read)
        {
            m_mix = MixOf(RngSeedManager::GetSeed(), RngSeedManager::GetRun());
            m_read = true;
        }
        if (m_id)
        {
            return RccMix(m_seed) ^ m_mix;
        }
        return m_given ? m_seed : m_seed ^ m_mix ^ MixOf(1, 1);
    }

  private:
    static uint64_t MixOf(uint64_t seed, uint64_t run)
    {
        return RccMix(RccMix(seed) ^ run);
    }

    uint64_t m_seed{1};  //!< the seed given to SetSeed
    bool m_given{false}; //!< SetSeed was called
    uint64_t m_id{0};    //!< 0: not assigned
    bool m_read{false};  //!< m_mix is valid
    uint64_t m_mix{0};   //!< made of ns-3's seed and run number
};

} // namespace ns3

#endif /* RCC_RANDOM_H */
