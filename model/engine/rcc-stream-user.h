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
 * The random streams that a switch or a NIC draws from.
 *
 * Without AssignStreams a stream is RccStreamOf(seed, purpose, node id and a number within the node). Seeds come from
 * SetSeed; ns-3's --RngSeed and --RngRun have no effect, and draws change with the node ids.
 *
 * After AssignStreams, 2^31 + stream replaces the node id, and the seed is combined with RngSeedManager::GetSeed and
 * GetRun as they are at the call. So --RngRun gives independent replications, and the draws do not depend on what else
 * the program makes. The streams are not those of ns-3's own generators, whatever their numbers.
 */
class RccStreamUser
{
  public:
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
        m_mix = RccMix(RccMix(RngSeedManager::GetSeed()) ^ RngSeedManager::GetRun());
        return 1;
    }

    /// \param node id of the node \return the id for RccStreamOf
    uint64_t Id(uint32_t node) const
    {
        return m_id ? m_id : node;
    }

    /// \param seed that of SetSeed \return the seed for RccStreamOf
    uint64_t Seed(uint64_t seed) const
    {
        return m_id ? RccMix(seed) ^ m_mix : seed;
    }

  private:
    uint64_t m_id{0};  //!< 0: not assigned
    uint64_t m_mix{0}; //!< made of ns-3's seed and run number
};

} // namespace ns3

#endif /* RCC_STREAM_USER_H */
