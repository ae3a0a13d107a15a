/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_PARTITION_H
#define LAB_PARTITION_H

#include "lab-flow-set.h"
#include "run-warning.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * Which rank simulates which node. Nodes that stay together are a pod, or a rack with its hosts, or single nodes where
 * there are fewer of those than ranks; the ends of a link without delay always do. The heaviest group, by the packets
 * that its nodes are expected to handle, goes first, to the rank where it adds least to the expected time. Ranks wait
 * for each other in every window, so that time is the sum, over two phases, of what the rank with most has to do: the
 * burst, while senders that share a receiver fill the buffers on their way, and what follows. Of several divisions, the
 * one with the least expected time is taken: few windows, and a small share of the largest rank.
 */
class LabPartition
{
  public:
    /// The cost of a division.
    struct Estimate
    {
        uint64_t lookAhead{0}; //!< length of a window: the least delay between ranks, ns
        double largest{1};     //!< share of the work that the largest rank of each phase has
        double work{0};        //!< processor time of one rank for the events of a window, ns
        double exchange{0};    //!< time of the exchange after a window, ns

        /// \return how many times faster than one rank
        double GetGain() const
        {
            return work / (work * largest + exchange);
        }
    };

    /// The values that decide how much work there is.
    struct Load
    {
        uint64_t seed;
        int64_t stop;      //!< end of the simulation, ns
        uint32_t payload;  //!< bytes of a full packet
        uint32_t ackEvery; //!< packets per acknowledgement
    };

    /// Two nodes that one rank must have: the ends of a link that fails. \param a id \param b id
    void KeepTogether(uint32_t a, uint32_t b)
    {
        m_together.emplace_back(a, b);
    }

    /**
     * Divide all nodes of the simulation.
     * \param flows of the run
     * \param load of the run
     * \param ranks number of them
     * \return empty, or why that cannot be
     */
    std::string Choose(const LabFlowSet& flows, const Load& load, uint32_t ranks);

    /// Give every node its rank, as its system id.
    void Apply() const;

    /// \return a warning if the division will not pay
    std::vector<RunWarning> GetWarnings() const;

    /// \return what the division costs
    const Estimate& GetEstimate() const
    {
        return m_estimate;
    }

  private:
    /// The kinds of groups.
    enum class Kind
    {
        POD,  //!< all below the switches that are farthest from hosts, as far as it is connected
        RACK, //!< a switch with its hosts
        NODE
    };

    struct Link
    {
        uint32_t a, b;
        int64_t delay;
    };

    /// Packets that a node or group handles in the two phases of a run.
    struct Work
    {
        double burst;  //!< that fill buffers before pauses stop the senders
        double steady; //!< the others

        explicit Work(double inBurst = 0, double others = 0) : burst(inBurst), steady(others)
        {
        }

        double Sum() const
        {
            return burst + steady;
        }

        void Add(const Work& other)
        {
            burst += other.burst;
            steady += other.steady;
        }
    };

    /// A flow on its way.
    struct Way
    {
        double packets; //!< that arrive until the end
        double sent;    //!< that would be sent if nothing held them back
        size_t begin;   //!< index of the first node, in a list of all flows' nodes
        size_t end;     //!< after the last of them
        size_t queue;   //!< the node whose port holds it back; 0: none
    };

    /// The load of a port.
    struct PortLoad
    {
        double endless{0};        //!< load of flows without an end, as a part of the port's rate
        double busy{0};           //!< ns of flows with an end
        double longest{0};        //!< ns of the longest flow
        int64_t first{INT64_MAX}; //!< start of one, ns
        int64_t last{0};          //!< likewise

        void Add(const LabFlowSet::Flow& f, double share, double time)
        {
            endless += share;
            busy += time;
            longest = std::max(longest, time);
            first = f.bytes ? std::min(first, f.start) : first;
            last = f.bytes ? std::max(last, f.start) : last;
        }

        /// \return how many times what the port can carry is sent to it
        double GetOverload() const
        {
            const double spread = last > first ? static_cast<double>(last - first) : 0;
            return endless + busy / std::max(1.0, spread + longest);
        }
    };

    void FindLinks();
    void FindLevels();
    std::vector<Way> FindWays(const LabFlowSet& flows, const Load& load, std::vector<uint32_t>& nodes);
    static void FindQueues(std::vector<Way>& ways, const std::vector<uint32_t>& passed,
                           const std::vector<PortLoad>& ports);
    void FindWork(const LabFlowSet& flows, const Load& load);
    std::vector<uint32_t> Group(Kind kind, int64_t delay) const;
    bool Try(const std::vector<uint32_t>& groups, uint32_t ranks);
    void Keep(const std::vector<uint32_t>& ranksOfNodes, uint32_t ranks, double longest);

    std::vector<std::pair<uint32_t, uint32_t>> m_together;
    std::vector<Link> m_links;
    std::vector<uint32_t> m_levels; //!< by node: links to the nearest host
    uint32_t m_top{1};              //!< the largest of them
    std::vector<Work> m_work;       //!< by node
    double m_duration{0};           //!< ns with work
    std::vector<uint32_t> m_rankOf; //!< by node
    Estimate m_estimate;
};

} // namespace ns3

#endif /* LAB_PARTITION_H */
