/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_STREAM_USER_H
#define RCC_STREAM_USER_H

#include "rcc-random.h"

#include "ns3/abort.h"
#include "ns3/rng-seed-manager.h"

#include <cstdint>

namespace ns3
{

/**
 * Which random streams a switch or a NIC draws from.
 *
 * Without AssignStreams: RccStreamOf(seed, what for, node id and a number within the node). Seeds come from SetSeed;
 * ns-3's --RngSeed and --RngRun change nothing, and a node that is made earlier changes ids.
 *
 * With it: the node id is replaced by 2^31 + stream, and the seed by one made of it, RngSeedManager::GetSeed and
 * GetRun as they are at the call. So --RngRun gives independent replications, and nothing else that the program makes
 * changes the draws. Streams of ns-3's own generators are others, whatever their numbers.
 */
class RccStreamUser
{
  public:
    /// \param stream not negative \return 1, the number of streams used
    int64_t Assign(int64_t stream)
    {
        NS_ABORT_MSG_IF(stream < 0 || stream >= (int64_t(1) << 31),
                        "AssignStreams: " << stream << " is not in 0..2^31-1");
        m_id = (uint64_t(1) << 31) + static_cast<uint64_t>(stream);
        m_mix = RccMix(RccMix(RngSeedManager::GetSeed()) ^ RngSeedManager::GetRun());
        return 1;
    }

    bool IsAssigned() const
    {
        return m_id != 0;
    }

    uint64_t Id(uint32_t node) const
    {
        return m_id ? m_id : node;
    }

    uint64_t Seed(uint64_t seed) const
    {
        return m_id ? RccMix(seed) ^ m_mix : seed;
    }

  private:
    uint64_t m_id{0};  //!< 0: not assigned
    uint64_t m_mix{0}; //!< of ns-3's seed and run
};

} // namespace ns3

#endif /* RCC_STREAM_USER_H */
