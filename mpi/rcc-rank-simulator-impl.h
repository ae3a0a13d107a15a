/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_RANK_SIMULATOR_IMPL_H
#define RCC_RANK_SIMULATOR_IMPL_H

#include "ns3/rcc-simulator-impl.h"

namespace ns3
{

/**
 * RccSimulatorImpl as one of several ranks: runs the events of a window, exchanges with the other ranks what the window
 * has sent them (RccRankGateway), and goes on with the next. Results are those of one process.
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
    uint64_t m_lookAhead{0}; //!< ns; 0: not known yet
};

} // namespace ns3

#endif /* RCC_RANK_SIMULATOR_IMPL_H */
