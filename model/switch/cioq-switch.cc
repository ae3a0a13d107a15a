/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "cioq-switch.h"

#include "ns3/rcc-random.h"
#include "rcc-checker.h"
#include "rcc-late.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CioqSwitch");
NS_OBJECT_ENSURE_REGISTERED(CioqSwitch);

namespace
{

const char* const NO_TELEMETRY = "a CioqSwitch writes none: its frames wait at inputs too, of which a record of the "
                                 "egress port says nothing";

/// A checker of the texts that mean something.
Ptr<const AttributeChecker>
MakeChoiceChecker(const std::vector<std::string>& choices)
{
    return RccMakeTextChecker([choices](const std::string& text) {
        return std::find(choices.begin(), choices.end(), text) != choices.end();
    });
}

} // namespace

TypeId
CioqSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CioqSwitch")
            .SetParent<QbbSwitchBase>()
            .SetGroupName("Rcc")
            .AddConstructor<CioqSwitch>()
            .AddAttribute("InputBuffer", "Bytes of an input buffer (RZ 3880, table I).", UintegerValue(150000),
                          RccFix<QbbSwitchBase>(MakeUintegerAccessor(&CioqSwitch::m_inputBuffer)),
                          MakeUintegerChecker<uint64_t>(64, 1000000000))
            .AddAttribute("OutputBuffer",
                          "Bytes of an output buffer; granted frames on their way through the fabric count (table I).",
                          UintegerValue(150000),
                          RccFix<QbbSwitchBase>(MakeUintegerAccessor(&CioqSwitch::m_outputBuffer)),
                          MakeUintegerChecker<uint64_t>(64, 1000000000))
            .AddAttribute("StopThreshold",
                          "Occupancy in bytes at which an input pauses its upstream port (table I, Qhigh).",
                          UintegerValue(110000), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&CioqSwitch::m_stop)),
                          MakeUintegerChecker<uint64_t>(1, 1000000000))
            .AddAttribute("GoThreshold",
                          "Occupancy in bytes down to which an input that has paused its upstream port must fall to "
                          "resume it (table I, Qlow).",
                          UintegerValue(44000), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&CioqSwitch::m_go)),
                          MakeUintegerChecker<uint64_t>(0, 1000000000))
            .AddAttribute("Speedup",
                          "Rate at which an input enters the fabric, in rates of its port (section II.A: 8:5).",
                          DoubleValue(1.6), RccFix<QbbSwitchBase>(MakeDoubleAccessor(&CioqSwitch::m_speedup)),
                          MakeDoubleChecker<double>(1, 100))
            .AddAttribute("Latency",
                          "Time from the last bit that enters the fabric to the arrival in the output buffer (section "
                          "II.A: about 1 us).",
                          TimeValue(MicroSeconds(1)), RccFix<QbbSwitchBase>(MakeTimeAccessor(&CioqSwitch::m_latency)),
                          MakeTimeChecker(NanoSeconds(0), Seconds(1)))
            .AddAttribute("CongestionPoints", "Buffers with a congestion point: None, Outputs, Inputs or Both.",
                          StringValue("Outputs"), RccFix<QbbSwitchBase>(MakeStringAccessor(&CioqSwitch::m_points)),
                          MakeChoiceChecker({"None", "Outputs", "Inputs", "Both"}))
            .AddAttribute("Sampling",
                          "Source that a congestion point notifies: that of the frame that arrived (Arrival), of the "
                          "flow with the most bytes in the buffer (Deterministic), or of the frame that owns a "
                          "uniformly random occupied unit of 256 bytes (Random); section III.",
                          StringValue("Arrival"), RccFix<QbbSwitchBase>(MakeStringAccessor(&CioqSwitch::m_sampling)),
                          MakeChoiceChecker({"Arrival", "Deterministic", "Random"}))
            .AddAttribute("KeepAlive",
                          "While an input pauses its upstream port, its congestion point is called as if "
                          "KeepAliveBytes arrived again and again at line rate (section IV).",
                          BooleanValue(false), RccFix<QbbSwitchBase>(MakeBooleanAccessor(&CioqSwitch::m_keepAlive)),
                          MakeBooleanChecker())
            .AddAttribute("KeepAliveBytes", "Period of KeepAlive, bytes: the base sampling interval Is (table I).",
                          UintegerValue(150000),
                          RccFix<QbbSwitchBase>(MakeUintegerAccessor(&CioqSwitch::m_keepAliveBytes)),
                          MakeUintegerChecker<uint32_t>(1000, 1000000000))
            .AddAttribute("Reliable",
                          "Edge-to-edge reliable delivery: an input keeps a copy of a frame, which counts in its "
                          "occupancy, until the output begins to send it on its link (section IV).",
                          BooleanValue(false), RccFix<QbbSwitchBase>(MakeBooleanAccessor(&CioqSwitch::m_reliable)),
                          MakeBooleanChecker())
            .AddAttribute("CnmDelay",
                          "Time from the sampling to the departure of the CNM; models the rate limiter's reaction time "
                          "(table I).",
                          TimeValue(NanoSeconds(2400)),
                          RccFix<QbbSwitchBase>(MakeTimeAccessor(&CioqSwitch::m_cnmDelay)),
                          MakeTimeChecker(NanoSeconds(0), Seconds(1)))
            .AddAttribute(
                "LosslessClass",
                "The class that is queued at the inputs; frames of other classes go to the output device at once.",
                UintegerValue(QBB_RDMA_CLASS), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&CioqSwitch::m_class)),
                MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
            .AddTraceSource("InputBytes",
                            "Occupancy of an input buffer in bytes on the wire. Fired when a frame joins the buffer "
                            "and when its bytes are released.",
                            MakeTraceSourceAccessor(&CioqSwitch::m_inputBytesTrace),
                            "ns3::CioqSwitch::InputBytesTracedCallback")
            .AddTraceSource("CnmSent",
                            "A congestion notification message and the port it leaves through. Fired when it leaves, "
                            "CnmDelay after the sampling.",
                            MakeTraceSourceAccessor(&CioqSwitch::m_cnmSentTrace),
                            "ns3::QbbSwitchBase::PortFrameTracedCallback");
    static const TypeId whole = AddCommon(tid);
    return whole;
}

CioqSwitch::CioqSwitch() : QbbSwitchBase(1522, "SetRoute")
{
}

void
CioqSwitch::DoDispose()
{
    for (auto& p : m_ports)
    {
        for (auto& voq : p->voqs)
        {
            if (voq)
            {
                m_pool->PutAll(voq->frames);
            }
        }
        p->granted.Dispose(*m_pool);
        p->flying.Dispose(*m_pool);
    }
    m_cnmsDue.Dispose(*m_pool);
    m_ports.clear();
    m_algorithm = nullptr;
    QbbSwitchBase::DoDispose();
}

// ---------------------------------------------------------------- layout

/// \return why a port could not work, or empty
std::string
CioqSwitch::CheckPort(const Port& port) const
{
    if (!GetPeer(port.index))
    {
        return "port " + std::to_string(port.index) + ": nothing is connected";
    }
    const std::string why = CheckRates(port.index);
    auto channel = DynamicCast<QbbChannel>(port.device->GetChannel());
    const uint64_t after = rcc_mmu_headroom(port.device->GetRate(), channel->GetDelayNs(), m_maxFrame);
    if (why.empty() && m_stop + after > m_inputBuffer)
    {
        return "port " + std::to_string(port.index) + ": after STOP at " + std::to_string(m_stop) + " bytes another " +
               std::to_string(after) + " can arrive, more than the InputBuffer of " + std::to_string(m_inputBuffer) +
               " holds";
    }
    return why.empty() ? CheckQuanta(m_pauseQuanta) : why;
}

void
CioqSwitch::PlacePoint(CongestionPoint& point, const Port& port, uint32_t id)
{
    point.stream = StreamOf(port.index, 2 * id + 1);
    point.cp = StartPoint(point.memory, *m_algorithm, port.index, 2 * id);
}

void
CioqSwitch::StartPort(Port& p)
{
    p.fabric = {static_cast<uint64_t>(std::llround(static_cast<double>(p.device->GetRate()) * m_speedup)), 0, 0};
    p.granted.Bind(&CioqSwitch::Entered, &p);
    p.flying.Bind(&CioqSwitch::Landed, &p);
    p.refresh.Bind(&CioqSwitch::Refresh, &p);
    p.clock.Bind(&CioqSwitch::KeepAlive, &p);
    p.in = rcc_cioq_input();
    p.in.stop = m_stop;
    p.in.go = m_go;
    p.out = rcc_cioq_output();
    if (m_run.atInputs && m_run.sampling != ARRIVAL)
    {
        p.lists[RCC_CIOQ_INPUT].reset(new uint64_t[rcc_cioq_list_size(m_inputBuffer) / 8 + 1]);
    }
    if (m_run.atOutputs && m_run.sampling != ARRIVAL)
    {
        p.lists[RCC_CIOQ_OUTPUT].reset(new uint64_t[rcc_cioq_list_size(m_outputBuffer) / 8 + 1]);
    }
    rcc_cioq_start(&p.in.buffer, RCC_CIOQ_INPUT, m_inputBuffer, m_maxFrame, p.lists[RCC_CIOQ_INPUT].get());
    rcc_cioq_start(&p.out.buffer, RCC_CIOQ_OUTPUT, m_outputBuffer, m_maxFrame, p.lists[RCC_CIOQ_OUTPUT].get());
    PlacePoints(p);
}

/// Make the congestion points of a port.
void
CioqSwitch::PlacePoints(Port& port)
{
    if (m_run.atInputs)
    {
        PlacePoint(port.inPoint, port, 1);
    }
    if (m_run.atOutputs)
    {
        PlacePoint(port.outPoint, port, 0);
    }
}

void
CioqSwitch::RestartDraws()
{
    for (const auto& port : m_ports)
    {
        PlacePoints(*port);
    }
}

const QbbNetDevice*
CioqSwitch::CheckWay(QbbWay& way, std::string* why) const
{
    if (way.frames == RCC_CP_TELEMETRY)
    {
        *why = "the switch of node " + std::to_string(GetNodeId()) + " gives it no telemetry: " + NO_TELEMETRY;
        return nullptr;
    }
    return QbbSwitchBase::CheckWay(way, why);
}

bool
CioqSwitch::LacksNotifier() const
{
    return m_points != "None" && !(m_algorithm && rcc_cp_watches(m_algorithm->GetCore()) == RCC_CP_CN_TAGGED);
}

/// \return why the attributes contradict each other, or empty
std::string
CioqSwitch::CheckSettings() const
{
    if (m_go >= m_stop)
    {
        return "GoThreshold of " + std::to_string(m_go) + " bytes is not below the StopThreshold of " +
               std::to_string(m_stop);
    }
    if (m_outputBuffer < m_maxFrame)
    {
        return "OutputBuffer of " + std::to_string(m_outputBuffer) + " bytes holds no frame of " +
               std::to_string(m_maxFrame);
    }
    if (LacksSampling())
    {
        return "KeepAlive samples while no frame arrives: it needs Sampling Deterministic or Random";
    }
    if (LacksNotifier())
    {
        return "CongestionPoints " + m_points + " need an algorithm whose congestion point sends CNMs, such as qcn" +
               (m_algorithm ? std::string(", not ") + m_algorithm->GetCore()->name : "");
    }
    if (m_algorithm && rcc_cp_watches(m_algorithm->GetCore()) == RCC_CP_TELEMETRY)
    {
        return std::string(m_algorithm->GetCore()->name) + " needs telemetry, and " + NO_TELEMETRY;
    }
    return "";
}

/// \return which route of a group leads through a port that is not there, or empty
std::string
CioqSwitch::CheckGroups() const
{
    for (const auto& group : m_groups)
    {
        for (uint32_t port : group.second)
        {
            if (port >= GetNPorts())
            {
                return "a route leads through port " + std::to_string(port) + ", " + DescribePorts();
            }
        }
    }
    return "";
}

std::string
CioqSwitch::Start()
{
    NS_LOG_FUNCTION(this);
    if (m_started)
    {
        return ALREADY_STARTED; // to lay out anew would lose the frames that wait
    }
    m_run.inputBuffer = m_inputBuffer;
    m_run.keepAliveBytes = m_keepAliveBytes;
    m_run.latency = m_latency.GetNanoSeconds();
    m_run.cnmDelay = m_cnmDelay.GetNanoSeconds();
    m_run.atInputs = m_points == "Inputs" || m_points == "Both";
    m_run.atOutputs = m_points == "Outputs" || m_points == "Both";
    m_run.sampling = m_sampling == "Random" ? RANDOM : m_sampling == "Deterministic" ? DETERMINISTIC : ARRIVAL;
    m_run.keepAlive = m_keepAlive;
    m_run.reliable = m_reliable;
    m_run.cls = m_class;
    StartMaxFrame(0);
    std::string why = CheckSettings();
    why = why.empty() ? CheckRoutes() : why;
    why = why.empty() ? CheckGroups() : why;
    why = why.empty() ? StartPorts() : why;
    if (!why.empty())
    {
        UndoMaxFrame();
        return why;
    }
    m_cnmsDue.Bind(&CioqSwitch::CnmDue, this);
    m_started = true;
    return "";
}

/// Make the ports. \return empty, or why one cannot work
std::string
CioqSwitch::StartPorts()
{
    m_ports.clear();
    for (uint32_t index = 0; index < GetNPorts(); index++)
    {
        m_ports.emplace_back(new Port);
        Port& p = *m_ports.back();
        p.device = m_devices[index];
        p.self = this;
        p.index = index;
        const std::string why = CheckPort(p);
        if (!why.empty())
        {
            return why;
        }
        StartPort(p);
    }
    return "";
}

} // namespace ns3
