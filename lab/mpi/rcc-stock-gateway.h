/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_STOCK_GATEWAY_H
#define RCC_STOCK_GATEWAY_H

#include "rcc-rank-gateway.h"

#include "ns3/packet.h"

#include <map>

namespace ns3
{

/// The gateway under ns-3's own distributed simulators: every record is a packet of ns-3's MpiInterface.
class RccStockGateway : public RccMpiGateway
{
  public:
    /// MpiInterface is enabled.
    RccStockGateway();

    void AddLink(QbbNetDevice& local, QbbNetDevice& remote, int64_t delay) override;
    void SendFrame(QbbNetDevice& to, const RccFrame& frame) override;
    void SendNotice(uint32_t rank, const Notice& notice) override;

    uint64_t CountReceipts() const override
    {
        return m_receipts;
    }

  private:
    void PacketArrived(Ptr<Packet> packet);
    const QbbNetDevice& FindDevice(uint32_t rank);

    uint64_t m_receipts{0};
    std::map<uint32_t, Ptr<QbbNetDevice>> m_deviceOf; //!< by rank: one that takes packets
};

} // namespace ns3

#endif /* RCC_STOCK_GATEWAY_H */
