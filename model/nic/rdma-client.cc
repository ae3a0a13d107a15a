/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-client.h"

#include "ns3/rcc-wire.h"
#include "rcc-late.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaClient");
NS_OBJECT_ENSURE_REGISTERED(RdmaClient);

namespace
{

/// \return whether an Address has an IPv4 address \param address of any kind
bool
HasIpv4(const Address& address)
{
    return Ipv4Address::IsMatchingType(address) || InetSocketAddress::IsMatchingType(address);
}

/// \return the IPv4 address of an Address \param address for which HasIpv4 is true
Ipv4Address
GetIpv4(const Address& address)
{
    return InetSocketAddress::IsMatchingType(address) ? InetSocketAddress::ConvertFrom(address).GetIpv4()
                                                      : Ipv4Address::ConvertFrom(address);
}

} // namespace

/// Stores the attribute Remote, which is a NIC or an address.
class RdmaRemoteAccessor : public AttributeAccessor
{
  public:
    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto client = dynamic_cast<RdmaClient*>(object);
        if (auto pointer = dynamic_cast<const PointerValue*>(&value))
        {
            client->SetRemote(pointer->Get<RdmaNic>());
        }
        else if (auto ipv4 = dynamic_cast<const Ipv4AddressValue*>(&value))
        {
            client->SetRemote(Address(ipv4->Get()));
        }
        else
        {
            client->SetRemote(dynamic_cast<const AddressValue&>(value).Get());
        }
        return true;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        auto client = dynamic_cast<const RdmaClient*>(object);
        auto pointer = dynamic_cast<PointerValue*>(&value);
        auto ipv4 = dynamic_cast<Ipv4AddressValue*>(&value);
        auto address = dynamic_cast<AddressValue*>(&value);
        if (pointer)
        {
            pointer->SetObject(client->m_remote);
        }
        else if (ipv4)
        {
            ipv4->Set(client->GetAddress());
        }
        else if (address)
        {
            address->Set(client->GetAddress());
        }
        return pointer || ipv4 || address;
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }
};

namespace
{

/// Accepts a NIC or an address; text is an IPv4 address.
class RdmaRemoteChecker : public AttributeChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        auto address = dynamic_cast<const AddressValue*>(&value);
        return m_nic->Check(value) || dynamic_cast<const Ipv4AddressValue*>(&value) ||
               (address && HasIpv4(address->Get()));
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::AddressValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "Ptr<ns3::RdmaNic> or ns3::Ipv4Address";
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<Ipv4AddressValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        auto ipv4 = dynamic_cast<const Ipv4AddressValue*>(&source);
        auto copy = dynamic_cast<Ipv4AddressValue*>(&destination);
        if (ipv4 && copy)
        {
            *copy = *ipv4;
        }
        return ipv4 && copy;
    }

  private:
    Ptr<const AttributeChecker> m_nic{MakePointerChecker<RdmaNic>()};
};

} // namespace

TypeId
RdmaClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaClient")
            .SetParent<Application>()
            .SetGroupName("Rcc")
            .AddConstructor<RdmaClient>()
            .AddAttribute("Remote", "NIC of the receiver, or an IPv4 address of its host.", PointerValue(),
                          RccFix<RdmaClient>(Create<RdmaRemoteAccessor>()), Create<RdmaRemoteChecker>())
            .AddAttribute("Algorithm", "Congestion control of the queue pair.", PointerValue(),
                          RccFix<RdmaClient>(MakePointerAccessor(&RdmaClient::m_algorithm)),
                          MakePointerChecker<RccAlgorithm>())
            .AddAttribute("MessageSize", "Bytes to send; 0 = without end.", UintegerValue(0),
                          RccFix(MakeUintegerAccessor(&RdmaClient::m_size), &RdmaClient::DescribeLastPost),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Messages",
                          "Messages of MessageSize, each posted ThinkTime after one before it was acknowledged; 0 = "
                          "until the application stops.",
                          UintegerValue(1),
                          RccFix(MakeUintegerAccessor(&RdmaClient::m_messages), &RdmaClient::DescribeEnd),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Depth",
                          "Messages that are posted and not yet acknowledged, each with its own completion: as many "
                          "begin at the start. Messages without end need 1.",
                          UintegerValue(1), RccFix<RdmaClient>(MakeUintegerAccessor(&RdmaClient::m_depth)),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute(
                "Held", "Each message, the first one too, waits until Continue is called.", BooleanValue(false),
                RccFix(MakeBooleanAccessor(&RdmaClient::m_held), &RdmaClient::DescribeLastPost), MakeBooleanChecker())
            .AddAttribute("ThinkTime", "From an acknowledged message to the next one.", TimeValue(Seconds(0)),
                          RccFix(MakeTimeAccessor(&RdmaClient::m_thinkTime), &RdmaClient::DescribeLastPost),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("DataRate",
                          "Rate at which the application offers packets, counting the 20 bytes of preamble and gap "
                          "around each frame; 0 = as fast as congestion control allows.",
                          DataRateValue(DataRate(0)), RccFix<RdmaClient>(MakeDataRateAccessor(&RdmaClient::m_rate)),
                          MakeDataRateChecker())
            .AddAttribute("Window", "Payload in flight below which a packet is sent, bytes; 0 = no limit.",
                          UintegerValue(0), RccFix<RdmaClient>(MakeUintegerAccessor(&RdmaClient::m_window)),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("VariableWindow", "The window is scaled by rate / line rate.", BooleanValue(false),
                          RccFix<RdmaClient>(MakeBooleanAccessor(&RdmaClient::m_variableWindow)), MakeBooleanChecker())
            .AddAttribute("TrafficClass",
                          "Class of the data frames. Switches drop them when they have no space, unless the class is "
                          "lossless there.",
                          UintegerValue(QBB_RDMA_CLASS), RccFix<RdmaClient>(MakeUintegerAccessor(&RdmaClient::m_class)),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
            .AddAttribute(
                "Dscp",
                "DSCP of the data frames, whose class is that of the NIC's DscpMap if it lists the DSCP; 64 = "
                "8 x TrafficClass.",
                UintegerValue(RCC_DSCPS), RccFix<RdmaClient>(MakeUintegerAccessor(&RdmaClient::m_dscp)),
                MakeUintegerChecker<uint8_t>(0, RCC_DSCPS))
            .AddAttribute("Ecn",
                          "ECN field of the data frames: 0 not ECN-capable, 1 ECT(1), 2 ECT(0), 3 CE; 4 = what the "
                          "algorithm needs.",
                          UintegerValue(ECN_OF_ALGORITHM), RccFix<RdmaClient>(MakeUintegerAccessor(&RdmaClient::m_ecn)),
                          MakeUintegerChecker<uint8_t>(0, ECN_OF_ALGORITHM))
            .AddTraceSource("Started",
                            "The application. Fired when its queue pair is open, before the message is posted.",
                            MakeTraceSourceAccessor(&RdmaClient::m_started), "ns3::RdmaClient::StartedTracedCallback")
            .AddTraceSource("Acknowledged",
                            "The application. Fired when the last packet of a message is acknowledged that is not the "
                            "last one.",
                            MakeTraceSourceAccessor(&RdmaClient::m_acknowledged),
                            "ns3::RdmaClient::StartedTracedCallback")
            .AddTraceSource("Completed",
                            "The application and its flow completion time in ns. Fired when the last packet of the "
                            "message is acknowledged.",
                            MakeTraceSourceAccessor(&RdmaClient::m_completed),
                            "ns3::RdmaClient::CompletedTracedCallback");
    return tid;
}

void
RdmaClient::DoDispose()
{
    m_nic = m_remote = nullptr;
    m_algorithm = nullptr;
    Application::DoDispose();
}

void
RdmaClient::SetRemote(const Address& address)
{
    NS_ABORT_MSG_IF(!HasIpv4(address), "RdmaClient: Remote is " << address << ", expected an IPv4 address");
    m_address = GetIpv4(address);
    m_remote = nullptr;
}

/// \return the address that was set, or of a NIC that was set the one in its RoCEv2 headers
Ipv4Address
RdmaClient::GetAddress() const
{
    Ptr<Node> node = m_remote ? m_remote->GetObject<Node>() : nullptr;
    return node && !m_address.IsInitialized() ? RccWire::AddressOf(node->GetId()) : m_address;
}

/// \return the NIC with m_address; null if there is none. The sender's internet stack comes first, then RoCEv2 headers
Ptr<RdmaNic>
RdmaClient::FindRemote() const
{
    const bool stacks = GetNode()->GetObject<Ipv4>() != nullptr;
    const uint32_t node = RccWire::NodeOf(m_address);
    Ptr<RdmaNic> other = node < NodeList::GetNNodes() ? NodeList::GetNode(node)->GetObject<RdmaNic>() : nullptr;
    for (auto i = NodeList::Begin(); (stacks || !other) && i != NodeList::End(); ++i)
    {
        Ptr<Ipv4> stack = (*i)->GetObject<Ipv4>();
        const int32_t interface = stack ? stack->GetInterfaceForAddress(m_address) : -1;
        if (interface >= 0 && DynamicCast<QbbNetDevice>(stack->GetNetDevice(interface)))
        {
            return (*i)->GetObject<RdmaNic>();
        }
    }
    return other;
}

void
RdmaClient::StartApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_address.IsInitialized())
    {
        m_remote = FindRemote();
        NS_ABORT_MSG_IF(!m_remote,
                        "RdmaClient: Remote is " << m_address << ", expected the address of a host with an RdmaNic");
    }
    m_nic = GetNode()->GetObject<RdmaNic>();
    NS_ABORT_MSG_IF(!m_nic, "RdmaClient: node " << GetNode()->GetId() << " has no RdmaNic");
    NS_ABORT_MSG_IF(!m_remote || !m_algorithm, "RdmaClient: set Remote and Algorithm before the start");
    m_qp = RdmaNic::Connect(m_nic, m_remote, m_algorithm, m_class, m_dscp);
    m_connected = true;
    m_nic->SetOfferedRate(m_qp, m_rate.GetBitRate());
    m_nic->SetWindow(m_qp, m_window, m_variableWindow);
    if (m_ecn < ECN_OF_ALGORITHM)
    {
        m_nic->SetEcn(m_qp, static_cast<RccEcn>(m_ecn));
    }
    if (m_nic->IsLocal())
    {
        m_started(this);
        for (uint32_t i = 0; !m_held && i < m_depth && HasNext(); i++)
        {
            PostNext();
        }
    }
}

std::string
RdmaClient::DescribeStart() const
{
    return m_connected ? "the start of the application of node " + std::to_string(GetNode()->GetId()) : "";
}

/// \return "the last message of the application of node N" once it is posted, after which no message reads attributes
std::string
RdmaClient::DescribeLastPost() const
{
    const bool posted = m_connected && m_messages && m_posted >= m_messages;
    return posted ? "the last message of the application of node " + std::to_string(GetNode()->GetId()) : "";
}

/// \return "the end of the application of node N" once its queue pair is closed
std::string
RdmaClient::DescribeEnd() const
{
    const bool ended = m_connected && m_messages && m_done >= m_messages;
    return ended ? "the end of the application of node " + std::to_string(GetNode()->GetId()) : "";
}

void
RdmaClient::Continue()
{
    if (m_connected && HasNext())
    {
        PostNext();
    }
}

/// \return whether there is a message that is neither posted nor waiting for ThinkTime
bool
RdmaClient::HasNext() const
{
    return !m_messages || m_posted + m_thinking < m_messages;
}

void
RdmaClient::PostNext()
{
    if (m_nic && !m_nic->GetSendQp(m_qp).closed) // null: the application has been disposed
    {
        m_posted++;
        m_nic->Post(m_qp, m_size, RdmaCompletion(&RdmaClient::MessageDone, this));
    }
}

void
RdmaClient::PostAfterThinking()
{
    m_thinking--;
    PostNext();
}

void
RdmaClient::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_connected)
    {
        m_nic->StopSending(m_qp); // packets under way still arrive
    }
}

void
RdmaClient::MessageDone(void* client, uint32_t qp)
{
    static_cast<RdmaClient*>(client)->MessageDone(qp);
}

void
RdmaClient::MessageDone(uint32_t qp)
{
    if (++m_done != m_messages)
    {
        m_acknowledged(this);
        if (!m_held && HasNext())
        {
            m_thinking++;
            Simulator::ScheduleWithContext(
                GetNode()->GetId(), m_thinkTime, &RdmaClient::PostAfterThinking,
                Ptr<RdmaClient>(this)); // in this node's context: other ranks do not count it
        }
        return;
    }
    const RdmaSendQp& half = m_nic->GetSendQp(qp);
    m_completion = half.finished - half.started;
    m_nic->Close(qp);
    m_completed(this, m_completion);
}

} // namespace ns3
