/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-client.h"

#include "rcc-late.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaClient");
NS_OBJECT_ENSURE_REGISTERED(RdmaClient);

TypeId
RdmaClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaClient")
            .SetParent<Application>()
            .SetGroupName("Rcc")
            .AddConstructor<RdmaClient>()
            .AddAttribute("Remote", "NIC of the receiver.", PointerValue(),
                          RccFix<RdmaClient>(MakePointerAccessor(&RdmaClient::m_remote)), MakePointerChecker<RdmaNic>())
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
RdmaClient::StartApplication()
{
    NS_LOG_FUNCTION(this);
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
