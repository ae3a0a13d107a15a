/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_NIC_PARTS_H
#define RDMA_NIC_PARTS_H

#include "rdma-delay.h"
#include "rdma-receiver.h"
#include "rdma-sender.h"

namespace ns3
{

/// The parts of a NIC, behind one pointer of RdmaNic, so that no header that a program includes needs them.
struct RdmaNicParts
{
    /// \param traces of the NIC \param nic of which these are
    /// \param answerDue called with the NIC for an answer whose reaction delay is over
    RdmaNicParts(RdmaNicTraces* traces, RdmaDelay::Handler answerDue, void* nic)
        : shared(traces),
          naks(answerDue, nic),
          cnps(answerDue, nic)
    {
    }

    RdmaNicShared shared;          //!< state of all parts
    RdmaSender sender{shared};     //!< sending halves
    RdmaReceiver receiver{shared}; //!< receiving halves
    RdmaDelay naks;                //!< that have arrived and have no effect yet
    RdmaDelay cnps;                //!< likewise
};

} // namespace ns3

#endif /* RDMA_NIC_PARTS_H */
