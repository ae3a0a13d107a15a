/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_WORKLOAD_H
#define LAB_WORKLOAD_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * Flow sizes: a cumulative distribution given by points, linear in between, with
 * what the first point has as a mass there. Integers throughout, so that a size
 * is the same on every compiler.
 */
class LabSizes
{
  public:
    /// Cumulative probability 1.
    static const uint64_t ONE = 1000000000000;

    struct Point
    {
        uint64_t bytes;
        uint64_t share; //!< cumulative probability x ONE
    };

    /// Take a distribution as it is. \param points at least one, increasing, the last with a share of ONE
    void SetPoints(const std::vector<Point>& points)
    {
        m_points = points;
    }

    /// The size at cumulative probability (x + 1/2) / 2^64, to the nearest byte, at least 1.
    uint64_t Quantile(uint64_t x) const;

    double GetMeanBytes() const;

    /**
     * Mean time between two flows so that all together put `bps` on the wire.
     * \param mtu payload of a full packet; each packet has ROCE_OVERHEAD bytes more
     * \return ns x 2^16, at most LabPoissonTimes::GAP_MAX
     */
    uint64_t GetMeanGap(uint64_t bps, uint32_t mtu) const;

    const std::vector<Point>& GetPoints() const
    {
        return m_points;
    }

  private:
    std::vector<Point> m_points;
};

/// -ln(x / 2^64) x 2^52, x > 0, to within 8 units, by integer arithmetic: the same on every libm.
uint64_t LabMinusLog(uint64_t x);

/// Times of a Poisson process, by integer arithmetic.
class LabPoissonTimes
{
  public:
    static const uint64_t GAP_MAX = static_cast<uint64_t>(1) << 57; //!< ns x 2^16

    /// \param stream of random numbers \param gap mean time between two, ns x 2^16, at most GAP_MAX
    LabPoissonTimes(uint64_t stream, uint64_t gap) : m_stream(stream), m_gap(gap)
    {
    }

    /// \return the next time, ns; not defined after one above 2^40
    int64_t Next();

    /// \return mean time between two, ns
    double GetMeanGap() const
    {
        return static_cast<double>(m_gap) / 65536;
    }

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
     * \param gap mean time between two, ns x 2^16, as GapOf calculates it
     */
    LabPoissonFlows(uint64_t seed, const LabSizes& sizes, uint32_t hosts, uint64_t gap);

    /**
     * \param sizes of the flows
     * \param hosts number of them
     * \param rate of a host's link, bit/s
     * \param load part of `rate` that a host sends on average, x 10^9, headers included
     * \param mtu payload of a full packet; a packet has ROCE_OVERHEAD bytes more
     * \return mean time between two flows, ns x 2^16
     */
    static uint64_t GapOf(const LabSizes& sizes, uint32_t hosts, uint64_t rate, uint64_t load, uint32_t mtu);

    Flow Next();

    /// Mean time between two flows, ns.
    double GetMeanGap() const
    {
        return m_times.GetMeanGap();
    }

  private:
    const LabSizes& m_sizes;
    uint32_t m_hosts;
    LabPoissonTimes m_times;
    uint64_t m_index{0};
    uint64_t m_picks, m_pairs; //!< streams
};

} // namespace ns3

#endif /* LAB_WORKLOAD_H */
