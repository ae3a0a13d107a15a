/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-sink.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rcc-wire.h"
#include "ns3/rcc_wire.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSink");
NS_OBJECT_ENSURE_REGISTERED(RdmaSink);

TypeId
RdmaSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaSink")
            .SetParent<Application>()
            .SetGroupName("Rcc")
            .AddConstructor<RdmaSink>()
            .AddTraceSource("Rx",
                            "A packet of the payload's size and the sender's address. Fired when a "
                            "data frame has arrived and is accepted, see RdmaNic's Deliver.",
                            MakeTraceSourceAccessor(&RdmaSink::m_rx), "ns3::RdmaSink::RxTracedCallback");
    return tid;
}

void
RdmaSink::StartApplication()
{
    NS_LOG_FUNCTION(this);
    Ptr<RdmaNic> nic = GetNode()->GetObject<RdmaNic>();
    NS_ABORT_MSG_IF(!nic, "RdmaSink: node " << GetNode()->GetId() << " has no RdmaNic");
    nic->TraceConnectWithoutContext("Deliver", MakeCallback(&RdmaSink::Deliver, this));
}

void
RdmaSink::StopApplication()
{
    NS_LOG_FUNCTION(this);
    GetNode()->GetObject<RdmaNic>()->TraceDisconnectWithoutContext("Deliver", MakeCallback(&RdmaSink::Deliver, this));
}

void
RdmaSink::Deliver(uint32_t, const RccFrame& frame)
{
    m_totalRx += frame.payload;
    m_rx(Create<Packet>(frame.payload), InetSocketAddress(RccWire::AddressOf(frame.src), RCC_WIRE_ROCE_PORT));
}

} // namespace ns3
