/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_RANK_SIMULATOR_IMPL_H
#define RCC_RANK_SIMULATOR_IMPL_H

#include "ns3/rcc-simulator-impl.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RccRankGateway;

/**
 * RccSimulatorImpl as one of several ranks: runs the events of a window, exchanges with the other ranks what the window
 * has sent them (RccRankGateway), and goes on with the next. Results are those of one process. With the environment
 * variable RCC_RANK_TIMES the first rank prints what the windows took.
 */
class RccRankSimulatorImpl : public RccSimulatorImpl
{
  public:
    static TypeId GetTypeId();
    RccRankSimulatorImpl();

    /// Run until every rank has called Simulator::Stop or none has an event left.
    void Run() override;
    uint32_t GetSystemId() const override;

  private:
    void PrintTimes(RccRankGateway& ranks) const;

    uint64_t m_lookAhead{0};       //!< ns; 0: not known yet
    std::vector<uint64_t> m_times; //!< processor time of the events of each window, ns; of RCC_RANK_TIMES
};

} // namespace ns3

#endif /* RCC_RANK_SIMULATOR_IMPL_H */
