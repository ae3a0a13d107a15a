/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_SINK_H
#define RDMA_SINK_H

#include "rdma-nic.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

namespace ns3
{

/**
 * Counts what arrives at a host with an aggregated RdmaNic, as ns-3's PacketSink does. A receiver needs no application:
 * this one only observes the NIC's trace source Deliver between its start and its stop.
 */
class RdmaSink : public Application
{
  public:
    static TypeId GetTypeId();

    /// \return payload that has arrived and was accepted, bytes
    uint64_t GetTotalRx() const
    {
        return m_totalRx;
    }

    /**
     * TracedCallback signature of a packet that arrives.
     * \param packet zeroes, as many as the payload has bytes
     * \param from InetSocketAddress of the sender: RccWire::AddressOf, port 4791
     */
    using RxTracedCallback = void (*)(Ptr<const Packet> packet, const Address& from);

  private:
    void StartApplication() override;
    void StopApplication() override;
    void Deliver(uint32_t qp, const RccFrame& frame);

    uint64_t m_totalRx{0};
    TracedCallback<Ptr<const Packet>, const Address&> m_rx;
};

} // namespace ns3

#endif /* RDMA_SINK_H */
