/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_RANK_H
#define RCC_RANK_H

#include "ns3/node.h"

#include <cstdint>

namespace ns3
{

/// Which nodes this process simulates, where several processes ("ranks") share a network: those with its system id.
class RccRank
{
  public:
    /// The rank of a process that simulates all nodes.
    static const int64_t ALL = -1;

    /// \param rank of this process, from 0, or ALL
    static void Set(int64_t rank)
    {
        Get() = rank;
    }

    /// \param node any \return whether this process simulates it
    static bool Owns(const Node& node)
    {
        return Get() == ALL || node.GetSystemId() == Get();
    }

    /// \return whether this process simulates all nodes
    static bool OwnsAll()
    {
        return Get() == ALL;
    }

  private:
    static int64_t& Get()
    {
        static int64_t rank = ALL;
        return rank;
    }
};

} // namespace ns3

#endif /* RCC_RANK_H */
