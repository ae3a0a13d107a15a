/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_LOSS_H
#define NS3_RDMA_LOSS_H

#include "ns3-rdma-files.h"

#include "ns3/rdma-nic.h"

#include <string>
#include <vector>

namespace ns3
{

/// A value that an attribute gets.
struct Ns3RdmaAttribute
{
    std::string type;      //!< without ns3::
    std::string attribute; //!< of it
    std::string value;     //!< as ns-3 reads it
    int64_t at;            //!< when, ns
};

/// \param config of config.txt \param topology of its network \return what Ns3RdmaSetRecovery sets, in its order
std::vector<Ns3RdmaAttribute> Ns3RdmaRecovery(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology);

/// \param config of config.txt \param node id of a host in the topology \return what Ns3RdmaSetReading sets, in its
/// order
std::vector<Ns3RdmaAttribute> Ns3RdmaReading(const Ns3RdmaConfig& config, uint32_t node);

/**
 * Let links lose frames, and NICs repeat them, as the simulator of a configuration does. It sets defaults of attributes
 * (Config::SetDefault), so that who sets them afterwards, as --attr and --rto do, has the last word. Before the network
 * is built.
 *
 * - links with an error rate lose frames of every kind;
 * - ENABLE_IRN 1: RdmaNic::Recovery is irn;
 * - of the HPCC simulator: another NAK for the same gap after 500 us; without PFC the timeout of IRN's network, and 4
 * ms where links lose frames, in place of InfiniBand's 67 ms (decisions `nak_repeat` and `hpcc_timeout`);
 * - RX_PULL_RATE and RX_BUFFER_SIZE: hosts read as slowly as they say;
 * - FLOW_LEVEL_ECMP 0 and PACKET_LEVEL_ECMP 0 of the original: QbbSwitch::LoadBalancing is first.
 *
 * \param config of config.txt
 * \param topology whose links may have error rates of their own
 */
void Ns3RdmaSetRecovery(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology);

/**
 * Let one host read as slowly as the keys of one node (RX_PULL_RATE_NODE) and RX_PULL_RATE_SCHEDULE say. They override
 * the attributes of RdmaNic that hold for all. Before the first queue pair, in every rank alike.
 *
 * \param config of config.txt
 * \param node id of the host in the topology
 * \param nic of this host
 */
void Ns3RdmaSetReading(const Ns3RdmaConfig& config, uint32_t node, Ptr<RdmaNic> nic);

} // namespace ns3

#endif /* NS3_RDMA_LOSS_H */
