/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_PATH_H
#define RDMA_PATH_H

#include "ns3/rcc_link.h"
#include "ns3/rdma-nic.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// A link of a path, in the direction of the data.
struct RccHop
{
    /// \param rate bit/s \param delay ns \param header bytes \param gap bytes
    RccHop(uint64_t rate, int64_t delay, uint32_t header = 0, uint32_t gap = 0)
        : rate(rate),
          delay(delay),
          header(header),
          gap(gap)
    {
    }

    uint64_t rate;   //!< bit/s
    int64_t delay;   //!< ns
    uint32_t header; //!< bytes after which a cut-through switch at its end passes a frame on, 0 = all
    uint32_t gap;    //!< bytes of preamble and gap that follow a frame, see QbbNetDevice::InterframeGap
};

/**
 * Calculate the completion time of a flow that is alone: it sends at the rate of the first
 * link, every switch stores and forwards whole frames with headers, or cuts through, and the
 * acknowledgement of the last packet comes back over the same links, whose gaps are those of both directions.
 *
 * \param path at least one link, from the sender on
 * \param bytes payload, at least 1
 * \param mtu payload of a full packet
 * \param ackEvery every n-th packet is acknowledged, and the last
 * \param tagBytes 802.1Q tag of every frame
 * \param rethBytes RETH of the first packet
 * \return ns from the first bit sent to the last acknowledgement received
 */
int64_t RccIdealFct(const std::vector<RccHop>& path, uint64_t bytes, uint32_t mtu, uint32_t ackEvery,
                    uint32_t tagBytes = 0, uint32_t rethBytes = 0);

/**
 * Follow data through the network by the present routes.
 * \param nic the sender
 * \param port of it, from 0
 * \param dst node id of the receiver
 * \param hash of the flow; null: the first of equally long paths
 * \return the links, from the sender on; empty where the path is not known: through a CioqSwitch, or for a hash where
 * packets of a flow may take several paths
 */
std::vector<RccHop> RdmaPathTo(const RdmaNic& nic, uint32_t port, uint32_t dst, const uint32_t* hash);

/**
 * Follow a queue pair's data through the network by the present routes.
 * \param nic the sender
 * \param qp the sending half
 * \return as RdmaPathTo
 */
std::vector<RccHop> RdmaPathOf(const RdmaNic& nic, const RdmaSendQp& qp);

/**
 * Round-trip time without queues: from the first bit of a full packet to the last one of its acknowledgement. Of the
 * ports that queue pairs to the receiver may use the one with the longest counts, of the equally long paths of a switch
 * the first.
 * \param nic the sender
 * \param dst node id of the receiver
 * \return ns; 0 where the path is not known, see RdmaPathTo
 */
int64_t RdmaBaseRtt(const RdmaNic& nic, uint32_t dst);

/**
 * Set the attribute BaseRtt of NICs to the longest RdmaBaseRtt from one of them to another, as the simulator of the
 * HPCC paper does with GLOBAL_T, but to at most 100 ms, the longest that algorithms take. NICs with a BaseRtt keep
 * theirs. Before the first Connect, when routes are set.
 * \param nics any; those without a port, or on no node, have no path
 * \return that time, ns; 0 if no path is known
 */
int64_t RdmaSetBaseRtt(const std::vector<Ptr<RdmaNic>>& nics);

} // namespace ns3

#endif /* RDMA_PATH_H */
