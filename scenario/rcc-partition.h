/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_PARTITION_H
#define RCC_PARTITION_H

#include "rcc-flow-set.h"

#include "ns3/node-container.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * Which rank simulates which node. Groups stay together (a pod, or a rack with its hosts); a group weighs as many flows
 * as its hosts send and receive, and the heaviest goes first, to the rank that has least. What is in no group (core or
 * spine switches) is dealt out in turn.
 */
class RccPartition
{
  public:
    /**
     * Add groups: the n-th part of each level, together, is the n-th group.
     * \param groups number of them
     * \param levels nodes, which are as many in every group, group by group
     */
    void Add(uint32_t groups, const std::vector<NodeContainer>& levels);

    /// \return number of groups, which is the most ranks that there can be
    size_t GetN() const
    {
        return m_groups.size();
    }

    /**
     * Give every node its rank, as its system id.
     * \param flows of the run
     * \param ranks number of them
     * \return why that will not pay, or empty
     */
    std::string Apply(const RccFlowSet& flows, uint32_t ranks) const;

  private:
    std::vector<NodeContainer> m_groups;
};

} // namespace ns3

#endif /* RCC_PARTITION_H */
