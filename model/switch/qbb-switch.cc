/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-switch.h"

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
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("QbbSwitch");
NS_OBJECT_ENSURE_REGISTERED(QbbSwitch);

namespace
{

const uint64_t BUFFER_MAX = uint64_t(1) << 44; // bytes: the headroom of all ports and classes is a number of 64 bits

/// Whether a frame may be as large as somebody likes: others of RDMA are small.
inline bool
CarriesData(const RccFrame& frame)
{
    return frame.kind == RccFrameKind::DATA || frame.kind == RccFrameKind::IP;
}

} // namespace

TypeId
QbbSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QbbSwitch")
            .SetParent<QbbSwitchBase>()
            .SetGroupName("Rcc")
            .AddConstructor<QbbSwitch>()
            .AddAttribute("BufferSize", "Packet memory, bytes.", UintegerValue(9000000),
                          RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_bufferSize)),
                          MakeUintegerChecker<uint64_t>(1000, BUFFER_MAX))
            .AddAttribute("PoolSize", "Bytes of the shared pool; 0 = all of the buffer that is not headroom.",
                          UintegerValue(0), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_poolSize)),
                          MakeUintegerChecker<uint64_t>(0, BUFFER_MAX))
            .AddAttribute("Headroom", "Bytes per port and lossless class; 0 = computed from rate, delay and MaxFrame.",
                          UintegerValue(0), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_headroom)),
                          MakeUintegerChecker<uint64_t>(0, BUFFER_MAX))
            .AddAttribute("Alpha",
                          "Factor of the dynamic threshold: a port and class may hold this times the free pool.",
                          DoubleValue(0.125), RccFix<QbbSwitchBase>(MakeDoubleAccessor(&QbbSwitch::m_alpha)),
                          MakeDoubleChecker<double>(1.0 / 65536, 1024))
            .AddAttribute("EgressAlpha",
                          "Factor of the egress threshold of classes without PFC: a queue of theirs may hold this "
                          "times the free pool. 0 = they have the threshold of their ingress port instead.",
                          DoubleValue(0), RccFix<QbbSwitchBase>(MakeDoubleAccessor(&QbbSwitch::m_egressAlpha)),
                          MakeDoubleChecker<double>(0, 1024))
            .AddAttribute(
                "StaticThreshold",
                "Bytes of the pool that each port and class may hold, in place of the dynamic threshold; 0 = dynamic.",
                UintegerValue(0), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_staticThreshold)),
                MakeUintegerChecker<uint64_t>(0, BUFFER_MAX))
            .AddAttribute("AlphaRate",
                          "Ports faster than this have twice Alpha, ports faster than twice this four times, up to "
                          "eight times, as in the simulator of the HPCC paper; 0 = all ports have Alpha.",
                          DataRateValue(DataRate(0)),
                          RccFix<QbbSwitchBase>(MakeDataRateAccessor(&QbbSwitch::m_alphaRate)), MakeDataRateChecker())
            .AddAttribute(
                "HeadroomDelays",
                "Headroom is at least the bytes of this many link delays; the simulator of the HPCC paper has 3.",
                UintegerValue(0), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_headroomDelays)),
                MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("ResumeGap",
                          "A pause ends this many bytes below the threshold; 0 = two of the largest frames.",
                          UintegerValue(0), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_resumeGap)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AnswersWithData",
                          "ACKs and NAKs have the class of their data in this switch, whatever class the host gave "
                          "them, as in the simulator of the HPCC paper.",
                          BooleanValue(false),
                          RccFix<QbbSwitchBase>(MakeBooleanAccessor(&QbbSwitch::m_answersWithData)),
                          MakeBooleanChecker())
            .AddAttribute(
                "EcmpPerPacket",
                "Each data packet takes one of the equally long paths by a hash of its flow and of the number of data "
                "packets before it in this switch; false: each flow keeps one of them.",
                BooleanValue(false), RccFix<QbbSwitchBase>(MakeBooleanAccessor(&QbbSwitch::m_perPacket)),
                MakeBooleanChecker())
            .AddAttribute("CutThrough",
                          "Bytes of a frame after which it may leave through a port that is free and not faster than "
                          "the one it comes in through; 0 = when all of it has come (store and forward).",
                          UintegerValue(0), RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_cutThrough)),
                          MakeUintegerChecker<uint32_t>(0, RCC_FRAME_MAX))
            .AddAttribute("DscpMap",
                          "Classes by DSCP, DSCP:CLASS or FIRST-LAST:CLASS joined by commas: a frame with an IP header "
                          "has the class of its DSCP in this switch and behind it, whatever class it came with. A DSCP "
                          "that is not listed leaves it its class; empty: all do.",
                          StringValue(""), RccFix<QbbSwitchBase>(MakeStringAccessor(&QbbSwitch::m_dscps)),
                          RccMakeTextChecker(&QbbDscpMap::IsMap))
            .AddAttribute("LosslessClasses", "Classes with PFC, one bit each.", UintegerValue(1u << QBB_RDMA_CLASS),
                          RccFix<QbbSwitchBase>(MakeUintegerAccessor(&QbbSwitch::m_losslessMask)),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("PauseTime",
                          "Duration of a pause as a time, which each port converts to quanta at its rate, but not to "
                          "fewer than a refresh needs; 0 = PauseQuanta counts.",
                          TimeValue(NanoSeconds(0)), RccFix<QbbSwitchBase>(MakeTimeAccessor(&QbbSwitch::m_pauseTime)),
                          MakeTimeChecker(NanoSeconds(0), Seconds(1)))
            .AddTraceSource("Mark",
                            "A frame that a congestion point has marked and the port in whose queue it is. Fired after "
                            "the ECN field has been set to CE.",
                            MakeTraceSourceAccessor(&QbbSwitch::m_markTrace),
                            "ns3::QbbSwitchBase::PortFrameTracedCallback")
            .AddTraceSource(
                "CnmSent", "A congestion notification message and the port it leaves through. Fired when it is made.",
                MakeTraceSourceAccessor(&QbbSwitch::m_cnmSentTrace), "ns3::QbbSwitchBase::PortFrameTracedCallback");
    static const TypeId whole = AddTrimming(AddPaths(AddCommon(tid)));
    return whole;
}

QbbSwitch::QbbSwitch() : QbbSwitchBase(1000 + ROCE_OVERHEAD + CN_TAG_BYTES, "QbbSetRoutes or SetRoute")
{
}

void
QbbSwitch::DoDispose()
{
    for (const auto& port : m_ports)
    {
        if (port.held)
        {
            port.held->Dispose(*m_pool);
        }
    }
    m_ports.clear();
    m_algorithms.clear();
    QbbSwitchBase::DoDispose();
}

uint32_t
QbbSwitch::GetOutput(uint32_t host, uint32_t hash, uint8_t cls) const
{
    const Route* route = m_routes.Find(host);
    return route ? Output(*route, hash, cls) : GetNPorts();
}

uint32_t
QbbSwitch::GetFirstOutput(uint32_t host) const
{
    const Route* route = m_routes.Find(host);
    return route ? m_routes.GetPort(*route, 0) : GetNPorts();
}

std::vector<uint32_t>
QbbSwitch::GetRoute(uint32_t host) const
{
    const Route* route = m_routes.Find(host);
    if (!route)
    {
        return {};
    }
    const uint32_t* first = m_routes.GetPorts(*route);
    return std::vector<uint32_t>(first, first + route->count);
}

void
QbbSwitch::AddMarker(uint8_t cls, Ptr<RccAlgorithm> algorithm)
{
    NS_ABORT_MSG_IF(!algorithm, "QbbSwitch::AddMarker: there is no algorithm");
    NS_ABORT_MSG_IF(cls >= QBB_CLASSES, "QbbSwitch::AddMarker: traffic class " << unsigned(cls) << " is above 7");
    NS_ABORT_MSG_IF(m_started, "QbbSwitch::AddMarker after Start");
    if (algorithm->GetCore()->cp)
    {
        m_algorithms.emplace_back(cls, algorithm);
    }
}

const QbbNetDevice*
QbbSwitch::CheckWay(QbbWay& way, std::string* why) const
{
    if (!m_dscps.IsEmpty())
    {
        const uint8_t dscp = way.dscp ? way.dscp - 1 : 8 * way.cls;
        way.dscp = dscp + 1;
        way.cls = m_dscps.GetClass(dscp, way.cls);
    }
    const auto serves = [&](const std::pair<uint8_t, Ptr<RccAlgorithm>>& marker) {
        const uint64_t rate = m_devices[0]->GetRate();
        return marker.first == way.cls && rcc_cp_watches(marker.second->GetCore()) == way.frames &&
               (way.frames != RCC_CP_TELEMETRY ||
                (marker.second->GetRpProfile(rate)->needs.int_form == RCC_INT_PINT) == way.pint);
    };
    if (!m_allowsUnmarked && way.frames != RCC_CP_NONE &&
        std::none_of(m_algorithms.begin(), m_algorithms.end(), serves))
    {
        *why = "the switch of node " + std::to_string(GetNodeId()) +
               " has no congestion point for it: call AddMarker(" + std::to_string(way.cls) +
               ", algorithm) before Start, or AllowUnmarked";
        return nullptr;
    }
    return QbbSwitchBase::CheckWay(way, why);
}

std::string
QbbSwitch::Start()
{
    NS_LOG_FUNCTION(this);
    if (m_started)
    {
        return ALREADY_STARTED; // to lay out anew would lose the frames that wait
    }
    std::string why = CheckPorts();
    if (!why.empty())
    {
        return why;
    }
    const uint32_t space = GetTelemetryRoom();
    StartMaxFrame(space);
    m_unusual = true;
    m_mmu = nullptr;
    m_policing = m_policers;
    why = StartPorts();
    why = why.empty() ? StartPaths() : why;
    why = why.empty() ? StartTrimming() : why;
    why = why.empty() ? CheckCutThrough() : why;
    why = why.empty() ? StartMmu() : why;
    if (!why.empty())
    {
        UndoMaxFrame();
        m_paths.rule = RCC_PATH_FLOW;
        m_spray.reset();
        return why;
    }
    TellDevices();
    m_unusual = m_cutThrough || m_answersWithData || !m_dscps.IsEmpty() || !m_policers.empty() || m_trimSize;
    return "";
}

uint32_t
QbbSwitch::Output(const Route& route, uint32_t flow, uint8_t cls) const
{
    return m_routes.GetPort(route,
                            m_spray ? FlowPath(route, flow, cls) : rcc_path_of_flow(&m_paths, flow, route.count));
}

void
QbbSwitch::FrameArrived(uint32_t port, RccFrame* frame, int64_t now)
{
    const Route* route = m_routes.Find(frame->dst);
    if (!route)
    {
        RequireStarted();
        if (frame->dst == RCC_ALL_HOSTS)
        {
            if (frame->rest) // some of its ways out may be faster
            {
                Hold(port, frame, now);
                return;
            }
            Flood(port, frame, now);
            return;
        }
        NS_LOG_WARN("no route to node " << frame->dst);
        Drop(port, frame, now);
        return;
    }
    const uint32_t path = m_paths.rule == RCC_PATH_FLOW ? rcc_path_of_flow(&m_paths, frame->hash, route->count)
                                                        : PickPath(*route, frame, now);
    const uint32_t output = m_routes.GetPort(*route, path);
    if (m_unusual && !ApplyIngressFeatures(port, output, frame, now))
    {
        return;
    }
    Port& out = m_ports[output];
    if (!Store(port, out, frame, now) && !StoreHeader(port, out, frame, now))
    {
        Drop(port, frame, now);
        return;
    }
    if (m_paths.rule != RCC_PATH_FLOW)
    {
        PathTaken(now);
    }
    frame->input = static_cast<uint16_t>(port);
    if (out.marksJoining)
    {
        MarkJoining(out, frame, now);
    }
    out.device->Enqueue(frame, now);
}

/// Before the frame joins its queue.
inline void
QbbSwitch::MarkJoining(Port& out, RccFrame* frame, int64_t now)
{
    for (auto& m : out.markers)
    {
        if (m.Sees(frame))
        {
            rcc_cnm cnm = {};
            const uint64_t queue = out.device->GetQueueBytes(frame->cls) + frame->bytes;
            Apply(rcc_cp_enqueued(m.cp, queue, frame->bytes, &cnm), out.index, frame, cnm, now);
        }
    }
}

void
QbbSwitch::PrefetchArrival(uint32_t port, const RccFrame& frame, uint32_t step)
{
    if (step == RCC_PREFETCH_OWNER)
    {
        __builtin_prefetch(&m_routes);
        __builtin_prefetch(&m_ports);
        __builtin_prefetch(&m_mmu);
        return;
    }
    if (step == RCC_PREFETCH_TABLE)
    {
        m_routes.Prefetch(frame.dst);
        if (m_mmu)
        {
            __builtin_prefetch(&rcc_mmu_ingress(m_mmu, port)->cell[frame.cls], 1);
        }
        return;
    }
    const Route* route = m_routes.Find(frame.dst);
    if (!route)
    {
        return;
    }
    const uint32_t output = m_routes.GetPort(*route, rcc_path_of_flow(&m_paths, frame.hash, route->count));
    if (step == RCC_PREFETCH_ENTRY)
    {
        __builtin_prefetch(&m_ports[output]);
    }
    else
    {
        const Port& out = m_ports[output];
        out.device->PrefetchTransmit();
        for (size_t i = 0; i < out.markers.size() && out.marksJoining; i++)
        {
            __builtin_prefetch(out.markers[i].cp, 1);
        }
    }
}

/// Give a frame its place in the buffer, with a pause if that is the headroom. \return false: there is none
__attribute__((always_inline)) inline bool
QbbSwitch::Store(uint32_t port, const Port& out, const RccFrame* frame, int64_t now)
{
    if ((m_mmu->unbounded & (1u << frame->cls)) &&
        !rcc_mmu_egress_admits(m_mmu, out.device->GetQueueBytes(frame->cls), frame->bytes))
    {
        return false;
    }
    switch (rcc_mmu_admit(m_mmu, port, frame->cls, frame->bytes))
    {
    case RCC_MMU_DROP:
        return false;
    case RCC_MMU_STORE_AND_PAUSE:
        Pause(port, frame->cls, now);
        break;
    case RCC_MMU_STORE:
        break;
    }
    NS_ABORT_MSG_IF(frame->bytes > m_maxFrame && m_losslessMask && CarriesData(*frame),
                    "a frame of " << frame->bytes << " bytes is larger than the switch's MaxFrame of " << m_maxFrame
                                  << ": while it is on a wire it delays a pause by more than the headroom holds. Set "
                                     "MaxFrame to the largest frame; of IP it has the devices' Mtu + "
                                  << IP_OVERHEAD << ", or + " << IP_OVERHEAD + VLAN_TAG_BYTES << " with a VLAN tag");
    return true;
}

/// Trim a frame that the buffer did not take, if the switch trims, and store its header. \return whether it is stored
__attribute__((noinline)) bool
QbbSwitch::StoreHeader(uint32_t port, const Port& out, RccFrame* frame, int64_t now)
{
    if (!m_trimSize)
    {
        return false;
    }
    const bool kept = Trim(out, frame, false);
    m_intendedDrops += !kept && (frame->kind == RccFrameKind::DATA || frame->kind == RccFrameKind::TRIMMED);
    return kept && Store(port, out, frame, now);
}

/// A frame leaves the buffer. \return false: it is a CNM of this switch, which is stored for no port
inline bool
QbbSwitch::Release(const RccFrame* frame, int64_t now)
{
    if (frame->kind == RccFrameKind::CNM && frame->input == UINT16_MAX)
    {
        return false;
    }
    if (rcc_mmu_release(m_mmu, frame->input, frame->cls, frame->bytes))
    {
        m_ports[frame->input].device->SendPfc(1u << frame->cls, 0, now);
    }
    return true;
}

void
QbbSwitch::FrameLeaves(uint32_t port, RccFrame* frame, int64_t now)
{
    if (!Release(frame, now))
    {
        return;
    }
    frame->hops++;
    const Port& out = m_ports[port];
    if (out.marksLeaving)
    {
        for (const auto& m : out.markers)
        {
            if (m.Sees(frame))
            {
                Apply(rcc_cp_dequeued(m.cp, out.device->GetQueueBytes(frame->cls)), port, frame, rcc_cnm{}, now);
            }
        }
    }
    if (frame->telemetry)
    {
        Stamp(out, frame, now);
    }
}

/// The record of this port, if its class has some: algorithms with telemetry share it. ACKs return theirs as they are.
__attribute__((noinline)) void // few frames have telemetry
QbbSwitch::Stamp(const Port& out, RccFrame* frame, int64_t now)
{
    const bool pint = frame->telemetry == RCC_INT_PINT; // all other forms have the same records
    const auto found = std::find_if(out.markers.begin(), out.markers.end(),
                                    [&](const Marker& m) { return m.stamped == frame->cls && m.pint == pint; });
    if (frame->kind == RccFrameKind::DATA && found != out.markers.end())
    {
        Write(out, *found, frame, now);
    }
}

/// Write the record of this port into a frame, which grows by it.
void
QbbSwitch::Write(const Port& out, const Marker& marker, RccFrame* frame, int64_t now)
{
    if (!frame->path)
    {
        frame->path = m_pool->NewPath();
        frame->path->records.form = frame->telemetry;
        frame->path->records.scale = marker.scale;
    }
    rcc_wire_int& path = frame->path->records;
    const uint32_t before = rcc_wire_int_bytes(path.form, path.n);
    rcc_hop hop = path.form == RCC_INT_PINT ? path.hop[0] : rcc_hop{};
    rcc_cp_stamp(marker.cp, now, out.device->GetQueueBytes(frame->cls), out.device->GetCounters().txBytes,
                 out.device->GetRate(), &hop);
    rcc_wire_int_round(path.form, path.scale, &hop);
    rcc_wire_int_add(&path, &hop, GetNodeId());
    frame->bytes += rcc_wire_int_bytes(path.form, path.n) - before;
}

void
QbbSwitch::Apply(rcc_cp_action action, uint32_t port, RccFrame* frame, const rcc_cnm& cnm, int64_t now)
{
    if (action == RCC_CP_MARK)
    {
        frame->ecn = RccEcn::CE;
        m_marked++;
        m_markTrace(port, *frame);
    }
    else if (action == RCC_CP_NOTIFY)
    {
        SendCnm(frame, cnm, now);
    }
}

void
QbbSwitch::SendCnm(const RccFrame* frame, const rcc_cnm& cnm, int64_t now)
{
    const Route* route = m_routes.Find(frame->src);
    if (!route)
    {
        return;
    }
    RccFrame* f = NewCnm(*frame, cnm);
    f->input = UINT16_MAX;
    m_cnms++;
    const uint32_t port = Output(*route, f->hash, f->cls);
    m_cnmSentTrace(port, *f);
    m_ports[port].device->Enqueue(f, now);
}

void
QbbSwitch::Pause(uint32_t port, uint8_t cls, int64_t now)
{
    Port& p = m_ports[port];
    NS_LOG_INFO("port " << port << ": class " << unsigned(cls) << " is asked to pause");
    p.device->SendPfc(1u << cls, p.quanta, now);
    if (!p.refresh)
    {
        p.refresh.reset(new RccEvent);
        p.refresh->Bind(&QbbSwitch::Refresh, &p);
    }
    p.refresh->AtOrBefore(now + RefreshAfter(port, p.quanta), now);
}

void
QbbSwitch::Refresh(void* portPtr, int64_t now)
{
    auto p = static_cast<Port*>(portPtr);
    uint8_t resume = 0;
    const uint8_t again = rcc_mmu_refresh(p->self->m_mmu, p->index, &resume);
    for (uint8_t c = 0; c < QBB_CLASSES; c++)
    {
        if (resume & (1u << c))
        {
            p->device->SendPfc(1u << c, 0, now);
        }
    }
    if (again)
    {
        p->device->SendPfc(again, p->quanta, now);
        p->refresh->At(now + p->self->RefreshAfter(p->index, p->quanta), now);
    }
}

void
QbbSwitch::FrameLost(uint32_t port, RccFrame* frame, int64_t now)
{
    Release(frame, now);
    Drop(port, frame, now);
}

void
QbbSwitch::LinkDown(uint32_t port, int64_t now)
{
    if (!m_started)
    {
        return; // before Start no frame is stored
    }
    if (m_ports[port].held)
    {
        RccFrameQueue lost = m_ports[port].held->TakeAll();
        for (; !lost.IsEmpty(); m_held--)
        {
            Drop(port, lost.Pop(), now);
        }
    }
    rcc_mmu_forget_pauses(m_mmu, port);
    if (m_ports[port].refresh)
    {
        m_ports[port].refresh->Disarm();
    }
}

} // namespace ns3
