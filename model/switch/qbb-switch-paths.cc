/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbSwitch: the choice of a path by other rules than ECMP, and packet trimming. */
#include "qbb-spray.h"
#include "qbb-switch.h"
#include "rcc-checker.h"
#include "rcc-late.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

/// A queue that a frame could join.
struct Ways
{
    const QbbSwitch* self;
    const QbbRoutes::Route* route;
    uint8_t cls;
};

uint64_t
QueueOf(const void* host, uint32_t path)
{
    const Ways& ways = *static_cast<const Ways*>(host);
    return ways.self->GetPort(ways.self->GetRoutes().GetPort(*ways.route, path))->GetQueueBytes(ways.cls);
}

} // namespace

TypeId
QbbSwitch::AddPaths(TypeId tid)
{
    return tid
        .AddAttribute(
            "LoadBalancing",
            "Choice among equally long paths. ecmp: a flow keeps its path, by hash; weighted: the same, shares "
            "follow the rates of the ports; first: all flows take the first path. Of each data packet: "
            "round-robin, random, weighted-random, least-queue (DRILL), flowlet and weighted-flowlet (LetFlow). "
            "CLASS:RULE, joined by commas, is for one traffic class.",
            StringValue("ecmp"), RccFix<QbbSwitchBase>(MakeStringAccessor(&QbbSwitch::m_balancing)),
            RccMakeTextChecker([](const std::string& text) {
                QbbSpray::Rules rules;
                return QbbSpray::Read(text, &rules);
            }))
        .AddAttribute("BalancingSamples", "least-queue: queues drawn for each packet, d of DRILL.", UintegerValue(2),
                      RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_samples)),
                      MakeUintegerChecker<uint32_t>(1, RCC_SPRAY_SAMPLES_MAX))
        .AddAttribute("BalancingMemory", "least-queue: paths remembered as the best so far, m of DRILL.",
                      UintegerValue(1), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_memory)),
                      MakeUintegerChecker<uint32_t>(0, RCC_SPRAY_MEMORY_MAX))
        .AddAttribute("FlowletGap",
                      "flowlet: a packet that comes later than this after the one before may take another path.",
                      TimeValue(MicroSeconds(100)), RccFix<QbbSwitchBase>(MakeTimeAccessor(&QbbSwitch::m_flowletGap)),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("FlowletEntries",
                      "flowlet: entries of the table, a power of two; flows with one entry share a path.",
                      UintegerValue(16384), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_flowlets)),
                      MakeUintegerChecker<uint32_t>(1, RCC_SPRAY_FLOWLETS_MAX));
}

bool
QbbSwitch::SpraysData() const
{
    QbbSpray::Rules rules;
    return m_perPacket || (QbbSpray::Read(m_balancing, &rules) && QbbSpray::Sprays(rules));
}

std::string
QbbSwitch::StartPaths()
{
    QbbSpray::Rules rules{};
    const bool read = QbbSpray::Read(m_balancing, &rules);
    m_spray.reset();
    m_paths.rule = m_perPacket ? RCC_PATH_PACKET : RCC_PATH_FLOW;
    if (!read || QbbSpray::IsEcmp(rules))
    {
        return read ? "" : "there is no LoadBalancing " + m_balancing;
    }
    if (m_perPacket)
    {
        return "EcmpPerPacket and LoadBalancing=" + m_balancing + ", expected one of them";
    }
    const rcc_spray_settings settings = {RCC_SPRAY_FLOW, m_samples, m_memory, m_flowletGap.GetNanoSeconds(),
                                         m_flowlets};
    m_spray = std::make_shared<QbbSpray>(m_routes, rules, settings, m_paths.salt,
                                         [this](uint8_t cls) { return PathStream(cls); });
    std::vector<uint64_t> rates;
    for (const auto& device : m_devices)
    {
        rates.push_back(device->GetRate());
    }
    m_spray->SetRates(rates);
    m_paths.rule = RCC_PATH_PACKET;
    return m_spray->Check();
}

/// Path of a frame with another rule than ECMP.
__attribute__((noinline)) uint32_t
QbbSwitch::PickPath(const Route& route, RccFrame* frame, int64_t now)
{
    m_picksData = frame->kind == RccFrameKind::DATA;
    if (!m_spray)
    {
        const rcc_path_frame chosen = {frame->hash, m_picksData};
        return rcc_path_pick_packet(&m_paths, &chosen, route.count);
    }
    if (!m_dscps.IsEmpty())
    {
        Classify(frame); // the class decides; classifying a frame twice changes nothing
    }
    const Ways ways = {this, &route, frame->cls};
    return m_spray->Pick(route, frame->cls, {frame->hash, m_picksData, &QueueOf, &ways}, now);
}

/// The frame of the last PickPath was stored.
void
QbbSwitch::PathTaken(int64_t now)
{
    if (m_spray)
    {
        m_spray->Taken(now);
        return;
    }
    const rcc_path_frame chosen = {0, m_picksData};
    rcc_path_count(&m_paths, &chosen);
}

/// Path of a flow in a switch with m_spray.
uint32_t
QbbSwitch::FlowPath(const Route& route, uint32_t flow, uint8_t cls) const
{
    return m_spray->Pick(route, cls, {flow, false, nullptr, nullptr}, 0);
}

// ---------------------------------------------------------------- trimming

TypeId
QbbSwitch::AddTrimming(TypeId tid)
{
    return tid
        .AddAttribute("TrimSize",
                      "Packet trimming: bytes to which a data frame is cut that its queue or the buffer does not take, "
                      "headers and check sequence included; 0 = such frames are dropped.",
                      UintegerValue(0), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_trimSize)),
                      MakeUintegerChecker<uint32_t>(0, RCC_FRAME_MAX))
        .AddAttribute("TrimThreshold",
                      "Bytes of a queue beyond which data frames are trimmed; 0 = only those that the buffer does not "
                      "take.",
                      UintegerValue(0), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_trimThreshold)),
                      MakeUintegerChecker<uint64_t>(0, uint64_t(1) << 44))
        .AddAttribute("TrimLimit", "Bytes of the queue of trimmed frames; what comes on top is dropped.",
                      UintegerValue(100000), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_trimLimit)),
                      MakeUintegerChecker<uint64_t>(0, uint64_t(1) << 44))
        .AddAttribute("TrimRtt",
                      "Longest round-trip time without queues: TrimThreshold and TrimLimit are the bytes of it at each "
                      "port's rate, as in the fabric of NSCC (UEC 1.0, section 3.6.17); 0 = as they are given.",
                      TimeValue(NanoSeconds(0)), RccFix<QbbSwitchBase>(MakeTimeAccessor(&QbbSwitch::m_trimRtt)),
                      MakeTimeChecker(NanoSeconds(0), MilliSeconds(500)))
        .AddAttribute("TrimClass", "Class of trimmed frames, which ports serve with strict priority.", UintegerValue(6),
                      RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_trimClass)),
                      MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
        .AddTraceSource("Trim",
                        "A frame whose payload was cut off and the port in whose queue it will be. Fired when it has "
                        "the size and the class of a trimmed frame.",
                        MakeTraceSourceAccessor(&QbbSwitch::m_trimTrace),
                        "ns3::QbbSwitchBase::PortFrameTracedCallback");
}

std::string
QbbSwitch::StartTrimming()
{
    if (!m_trimSize)
    {
        return "";
    }
    if (m_trimSize < ETHERNET_MIN_BYTES)
    {
        return "TrimSize of " + std::to_string(m_trimSize) + " bytes, expected " + std::to_string(ETHERNET_MIN_BYTES) +
               " or more, or 0 for no trimming";
    }
    if (m_losslessMask & (1u << m_trimClass))
    {
        return "TrimClass " + std::to_string(m_trimClass) +
               " has PFC, expected a class that LosslessClasses leaves out";
    }
    m_trims.clear();
    for (const auto& port : m_ports)
    {
        rcc_trim_marks marks;
        m_trims.push_back({m_trimThreshold, m_trimLimit, m_trimSize, m_trimClass});
        if (!m_trimRtt.IsZero() &&
            !rcc_trim_of_bdp(&m_trims.back(), &marks, port.device->GetRate(), m_trimRtt.GetNanoSeconds()))
        {
            return "TrimRtt of " + std::to_string(m_trimRtt.GetNanoSeconds()) + " ns at port " +
                   std::to_string(port.index) + ": expected 10 bytes or more at its rate";
        }
    }
    return "";
}

/**
 * Trim a frame if it has to be.
 * \param out where it goes to
 * \param frame that may become a trimmed one
 * \param admitted the buffer has space for all of it
 * \return false: it is dropped
 */
bool
QbbSwitch::Trim(const Port& out, RccFrame* frame, bool admitted)
{
    const rcc_trim& trim = m_trims[out.index];
    const bool trimmed = frame->kind == RccFrameKind::TRIMMED;
    const rcc_trim_frame asked = {frame->bytes, trimmed || frame->kind == RccFrameKind::DATA, trimmed, admitted};
    switch (rcc_trim_decide(&trim, &asked, out.device->GetQueueBytes(frame->cls), out.device->GetQueueBytes(trim.cls)))
    {
    case RCC_TRIM_WHOLE:
        return true;
    case RCC_TRIM_DROP:
        return false;
    case RCC_TRIM_HEADER:
        break;
    }
    frame->cls = trim.cls;
    if (!trimmed && frame->bytes > trim.size)
    {
        frame->kind = RccFrameKind::TRIMMED;
        frame->bytes = rcc_trim_bytes(&trim, frame->bytes);
        m_trimmed++;
        m_trimTrace(out.index, *frame);
    }
    return true;
}

} // namespace ns3
