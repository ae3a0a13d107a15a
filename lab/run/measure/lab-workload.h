/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_WORKLOAD_H
#define LAB_WORKLOAD_H

#include "run-file.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * Sizes of flows have a cumulative distribution that is linear between points, with what the first point has as a mass
 * there. Integers throughout, so that a size is the same on every compiler.
 * \param sizes at least one point, increasing, the last with a share of RUN_SHARE_ONE
 * \return the size at cumulative probability (x + 1/2) / 2^64, to the nearest byte, at least 1
 */
uint64_t LabQuantile(const std::vector<RunSize>& sizes, uint64_t x);

/// \param sizes as above \return their mean, bytes
double LabMeanBytes(const std::vector<RunSize>& sizes);

/// -ln(x / 2^64) x 2^52, x > 0, to within 8 units, by integer arithmetic: the same on every libm.
uint64_t LabMinusLog(uint64_t x);

/// Times of a Poisson process, by integer arithmetic.
class LabPoissonTimes
{
  public:
    /// \param stream of random numbers \param gap mean time between two, ns x 2^16, at most 2^57
    LabPoissonTimes(uint64_t stream, uint64_t gap) : m_stream(stream), m_gap(gap)
    {
    }

    /// \return the next time, ns; not defined after one above 2^40
    int64_t Next();

  private:
    uint64_t m_stream, m_gap;
    uint64_t m_time{0}; //!< ns x 2^16
    uint64_t m_index{0};
};

/**
 * Flows that arrive as a Poisson process, each from a random host to another one.
 * A flow depends on (seed, number) alone, the same for every algorithm.
 */
class LabPoissonFlows
{
  public:
    struct Flow
    {
        int64_t start; //!< ns
        uint32_t src, dst;
        uint64_t bytes; //!< payload
    };

    /**
     * \param sizes outlives this
     * \param hosts at least 2
     * \param gap mean time between two, ns x 2^16
     */
    LabPoissonFlows(uint64_t seed, const std::vector<RunSize>& sizes, uint32_t hosts, uint64_t gap);

    Flow Next();

  private:
    const std::vector<RunSize>& m_sizes;
    uint32_t m_hosts;
    LabPoissonTimes m_times;
    uint64_t m_index{0};
    uint64_t m_picks, m_pairs; //!< streams
};

} // namespace ns3

#endif /* LAB_WORKLOAD_H */
