/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-stock-gateway.h"

#include "ns3/abort.h"
#include "ns3/distributed-simulator-impl.h"
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#include "ns3/node-list.h"
#include "ns3/null-message-simulator-impl.h"
#include "ns3/qbb-net-device.h"
#include "ns3/remote-channel-bundle-manager.h"
#include "ns3/remote-channel-bundle.h"

#include "rcc-frame-record.h"

namespace ns3
{

RccStockGateway::RccStockGateway() : RccMpiGateway(MpiInterface::GetCommunicator())
{
}

void
RccStockGateway::AddLink(QbbNetDevice& local, QbbNetDevice& remote, int64_t delay)
{
    RccMpiGateway::AddLink(local, remote, delay);
    Ptr<MpiReceiver> receiver = CreateObject<MpiReceiver>();
    receiver->SetReceiveCallback(MakeCallback(&RccStockGateway::PacketArrived, this));
    local.AggregateObject(receiver);
    // ns-3 counts only links of IsPointToPoint devices; and it runs what is due when a window ends before it hears what
    // the others sent for that time.
    NS_ABORT_MSG_IF(delay < 2, "links between ranks need a delay above 1 ns");
    const auto simulator = PeekPointer(Simulator::GetImplementation());
    if (auto windows = dynamic_cast<DistributedSimulatorImpl*>(simulator))
    {
        windows->BoundLookAhead(NanoSeconds(delay - 1));
        return;
    }
    NS_ABORT_MSG_UNLESS(dynamic_cast<NullMessageSimulatorImpl*>(simulator),
                        "links between ranks need DistributedSimulatorImpl or NullMessageSimulatorImpl");
    for (uint32_t rank : GetOthers()) // notices go to ranks without a link to this one too
    {
        Ptr<RemoteChannelBundle> bundle = RemoteChannelBundleManager::Find(rank);
        bundle = bundle ? bundle : RemoteChannelBundleManager::Add(rank);
        bundle->AddChannel(local.GetChannel(), NanoSeconds(delay - 1));
    }
}

void
RccStockGateway::SendFrame(QbbNetDevice& to, const RccFrame& frame)
{
    std::vector<uint8_t> bytes;
    Put(bytes, to, frame);
    MpiInterface::SendPacket(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())), NanoSeconds(frame.due),
                             to.GetNode()->GetId(), to.GetIfIndex());
}

void
RccStockGateway::SendNotice(uint32_t rank, const Notice& notice)
{
    std::vector<uint8_t> bytes;
    RccFrameRecord::PutNotice(bytes, notice);
    const QbbNetDevice& to = FindDevice(rank);
    MpiInterface::SendPacket(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                             NanoSeconds(notice.when), to.GetNode()->GetId(), to.GetIfIndex());
}

void
RccStockGateway::PacketArrived(Ptr<Packet> packet)
{
    m_receipts++;
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    Accept(bytes.data(), RccNow());
}

/// \return a device of a rank at the end of a link to another rank
const QbbNetDevice&
RccStockGateway::FindDevice(uint32_t rank)
{
    Ptr<QbbNetDevice>& found = m_deviceOf[rank];
    for (uint32_t i = 0; i < NodeList::GetNNodes() && !found; i++)
    {
        const Ptr<Node> node = NodeList::GetNode(i);
        for (uint32_t d = 0; node->GetSystemId() == rank && d < node->GetNDevices() && !found; d++)
        {
            auto device = DynamicCast<QbbNetDevice>(node->GetDevice(d));
            auto channel = device ? DynamicCast<QbbChannel>(device->GetChannel()) : nullptr;
            const Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(PeekPointer(device)) : nullptr;
            found = peer && peer->GetNode()->GetSystemId() != rank ? device : nullptr;
        }
    }
    NS_ABORT_MSG_UNLESS(found, "rank " << rank << " has no link to another one");
    return *found;
}

} // namespace ns3
