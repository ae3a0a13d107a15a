/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "cioq-switch.h"

#include "rcc-random.h"
#include "switch-mmu.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CioqSwitch");
NS_OBJECT_ENSURE_REGISTERED(CioqSwitch);

namespace
{
const uint16_t NO_PORT = UINT16_MAX;
} // namespace

TypeId
CioqSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CioqSwitch")
            .SetParent<Object>()
            .SetGroupName("Rcc")
            .AddConstructor<CioqSwitch>()
            .AddAttribute("InputBuffer", "Bytes of an input buffer (RZ 3880, table I).", UintegerValue(150000),
                          MakeUintegerAccessor(&CioqSwitch::m_inputBuffer),
                          MakeUintegerChecker<uint64_t>(64, 1000000000))
            .AddAttribute("OutputBuffer",
                          "Bytes of an output buffer, those of granted frames on their way included (table I).",
                          UintegerValue(150000), MakeUintegerAccessor(&CioqSwitch::m_outputBuffer),
                          MakeUintegerChecker<uint64_t>(64, 1000000000))
            .AddAttribute("StopThreshold",
                          "An input whose occupancy, bytes, reaches this pauses its upstream (table I, Qhigh).",
                          UintegerValue(110000), MakeUintegerAccessor(&CioqSwitch::m_stop),
                          MakeUintegerChecker<uint64_t>(1, 1000000000))
            .AddAttribute("GoThreshold",
                          "An input that has stopped its upstream resumes it when its occupancy, bytes, has fallen "
                          "to this (table I, Qlow).",
                          UintegerValue(44000), MakeUintegerAccessor(&CioqSwitch::m_go),
                          MakeUintegerChecker<uint64_t>(0, 1000000000))
            .AddAttribute(
                "Speedup", "Rate at which an input enters the fabric, in rates of its port (section II.A: 8:5).",
                DoubleValue(1.6), MakeDoubleAccessor(&CioqSwitch::m_speedup), MakeDoubleChecker<double>(1, 100))
            .AddAttribute("Latency",
                          "From the last bit that enters the fabric to the output buffer (section II.A: about 1 us).",
                          TimeValue(MicroSeconds(1)), MakeTimeAccessor(&CioqSwitch::m_latency),
                          MakeTimeChecker(NanoSeconds(0), Seconds(1)))
            .AddAttribute("CongestionPoints", "Buffers with a congestion point: None, Outputs, Inputs or Both.",
                          StringValue("Outputs"),
                          MakeStringAccessor(&CioqSwitch::SetCongestionPoints, &CioqSwitch::GetCongestionPoints),
                          MakeStringChecker())
            .AddAttribute("Sampling",
                          "Whom a congestion point notifies: the source of the frame that arrived (Arrival), of the "
                          "flow with the highest occupancy in the buffer (Deterministic), or of the frame that owns "
                          "a uniformly random occupied unit of 256 bytes (Random); section III.",
                          StringValue("Arrival"),
                          MakeStringAccessor(&CioqSwitch::SetSampling, &CioqSwitch::GetSampling), MakeStringChecker())
            .AddAttribute("KeepAlive",
                          "While an input stops its upstream, its congestion point is clocked as if KeepAliveBytes "
                          "arrived again and again at line rate (section IV).",
                          BooleanValue(false), MakeBooleanAccessor(&CioqSwitch::m_keepAlive), MakeBooleanChecker())
            .AddAttribute("KeepAliveBytes", "Period of KeepAlive, bytes: the base sampling interval Is (table I).",
                          UintegerValue(150000), MakeUintegerAccessor(&CioqSwitch::m_keepAliveBytes),
                          MakeUintegerChecker<uint32_t>(1000, 1000000000))
            .AddAttribute("Reliable",
                          "Edge-to-edge reliable delivery: an input keeps a copy of a frame, which counts in its "
                          "occupancy, until the output begins to send it on its link (section IV).",
                          BooleanValue(false), MakeBooleanAccessor(&CioqSwitch::m_reliable), MakeBooleanChecker())
            .AddAttribute("CnmDelay",
                          "From the sampling to the CNM's departure; stands for the reaction time of the rate limiter "
                          "(table I).",
                          TimeValue(NanoSeconds(2400)), MakeTimeAccessor(&CioqSwitch::m_cnmDelay),
                          MakeTimeChecker(NanoSeconds(0), Seconds(1)))
            .AddAttribute("LosslessClass",
                          "The class that is queued here; the others pass straight to the output device.",
                          UintegerValue(3), MakeUintegerAccessor(&CioqSwitch::m_class),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
            .AddAttribute("ControlClass", "Class of the congestion notification messages.", UintegerValue(7),
                          MakeUintegerAccessor(&CioqSwitch::m_controlClass),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
            .AddAttribute("MaxFrame", "Largest frame, bytes.", UintegerValue(1522),
                          MakeUintegerAccessor(&CioqSwitch::m_maxFrame),
                          MakeUintegerChecker<uint32_t>(64, RCC_FRAME_MAX))
            .AddAttribute("PauseQuanta", "Duration a PFC frame asks for, in 512 bit times; refreshed at half of it.",
                          UintegerValue(65535), MakeUintegerAccessor(&CioqSwitch::m_pauseQuanta),
                          MakeUintegerChecker<uint16_t>(2))
            .AddTraceSource(
                "InputBytes",
                "Occupancy of an input buffer, bytes on the wire. When a frame joins it, and when its bytes "
                "need not be kept any more.",
                MakeTraceSourceAccessor(&CioqSwitch::m_inputBytesTrace), "ns3::CioqSwitch::InputBytesTracedCallback")
            .AddTraceSource("CnmSent",
                            "A congestion notification message, and the port that it leaves through. When it leaves, "
                            "CnmDelay after the sampling.",
                            MakeTraceSourceAccessor(&CioqSwitch::m_cnmSentTrace),
                            "ns3::QbbSwitch::PortFrameTracedCallback");
    return tid;
}

CioqSwitch::CioqSwitch() : m_pool(RccFramePool::Current())
{
}

CioqSwitch::~CioqSwitch() = default;

void
CioqSwitch::DoDispose()
{
    auto empty = [this](RccFrameQueue& q) {
        while (!q.IsEmpty())
        {
            m_pool->Put(q.Pop());
        }
    };
    for (auto& p : m_ports)
    {
        for (auto& voq : p->voqs)
        {
            if (voq)
            {
                empty(voq->frames);
            }
        }
        empty(p->granted);
        empty(p->flying);
    }
    empty(m_cnmsDue);
    m_cnmEvent.Unbind();
    m_ports.clear();
    m_algorithm = nullptr;
    Object::DoDispose();
}

int64_t
CioqSwitch::AssignStreams(int64_t stream)
{
    NS_ABORT_MSG_IF(m_started, "CioqSwitch::AssignStreams after Start");
    return m_user.Assign(stream);
}

bool
CioqSwitch::SetCongestionPoints(std::string where)
{
    m_atInputs = where == "Inputs" || where == "Both";
    m_atOutputs = where == "Outputs" || where == "Both";
    return m_atInputs || m_atOutputs || where == "None";
}

std::string
CioqSwitch::GetCongestionPoints() const
{
    return m_atInputs ? m_atOutputs ? "Both" : "Inputs" : m_atOutputs ? "Outputs" : "None";
}

bool
CioqSwitch::SetSampling(std::string sampling)
{
    m_sampling = sampling == "Random" ? RANDOM : sampling == "Deterministic" ? DETERMINISTIC : ARRIVAL;
    return m_sampling != ARRIVAL || sampling == "Arrival";
}

std::string
CioqSwitch::GetSampling() const
{
    return m_sampling == RANDOM ? "Random" : m_sampling == DETERMINISTIC ? "Deterministic" : "Arrival";
}

// ---------------------------------------------------------------- layout

uint32_t
CioqSwitch::AddPort(Ptr<QbbNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    auto index = static_cast<uint32_t>(m_ports.size());
    NS_ABORT_MSG_IF(index == NO_PORT, "CioqSwitch: more than " << NO_PORT << " ports");
    m_ports.emplace_back(new Port);
    m_ports.back()->device = device;
    m_ports.back()->self = this;
    m_ports.back()->index = index;
    device->SetOwner(this, index, false);
    m_node = device->GetNode()->GetId();
    return index;
}

void
CioqSwitch::SetRoute(uint32_t host, uint32_t port)
{
    if (m_routes.size() <= host)
    {
        m_routes.resize(host + 1, NO_PORT);
    }
    m_routes[host] = static_cast<uint16_t>(port);
}

void
CioqSwitch::SetMulticast(uint32_t group, const std::vector<uint32_t>& ports)
{
    m_groups[group] = std::vector<uint16_t>(ports.begin(), ports.end());
}

void
CioqSwitch::SetAlgorithm(Ptr<RccAlgorithm> algorithm)
{
    m_algorithm = algorithm;
}

/// \return why a port could not work, or empty
std::string
CioqSwitch::CheckPort(const Port& port) const
{
    std::ostringstream why;
    auto channel = DynamicCast<QbbChannel>(port.device->GetChannel());
    const uint64_t rate = port.device->GetRate();
    const uint64_t after = SwitchMmu::Headroom({rate, channel->GetDelayNs()}, m_maxFrame);
    const uint32_t half = m_pauseQuanta * 64u / 2;
    if (!port.peer)
    {
        why << "port " << port.index << ": nothing is connected";
    }
    else if (port.peer->GetRate() != rate)
    {
        why << "port " << port.index << ": the link has " << rate << " bit/s at this end and " << port.peer->GetRate()
            << " bit/s at the other";
    }
    else if (m_stop + after > m_inputBuffer)
    {
        why << "port " << port.index << ": after STOP at " << m_stop << " bytes another " << after
            << " can arrive, more than the InputBuffer of " << m_inputBuffer << " holds";
    }
    else if (half < m_maxFrame + 2 * PFC_BYTES)
    {
        why << "PauseQuanta of " << m_pauseQuanta << " x 64 bytes end before they can be refreshed: half of them, "
            << half << " bytes, must cover a frame of " << m_maxFrame << " bytes and two PFC frames of " << PFC_BYTES;
    }
    return why.str();
}

void
CioqSwitch::MakePoint(CongestionPoint& point, const Port& port, uint32_t id)
{
    const uint64_t user = (m_user.Id(m_node) << 24) + (port.index << 8) + 2 * id;
    const uint64_t seed = m_user.Seed(m_seed);
    point.memory.reset(new uint64_t[rcc_cp_size(m_algorithm->GetCore()) / 8 + 1]());
    point.stream = RccStreamOf(seed, RccStream::CONGESTION_POINT, user + 1);
    point.cp = rcc_cp_start(point.memory.get(), m_algorithm->GetCpProfile(port.device->GetRate()),
                            RccStreamOf(seed, RccStream::CONGESTION_POINT, user));
}

std::string
CioqSwitch::Start()
{
    NS_LOG_FUNCTION(this);
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
    if (m_keepAlive && m_sampling == ARRIVAL)
    {
        return "KeepAlive samples while no frame arrives: it needs Sampling Deterministic or Random";
    }
    if (m_atInputs || m_atOutputs)
    {
        if (!m_algorithm || rcc_cp_watches(m_algorithm->GetCore()) != RCC_CP_CN_TAGGED)
        {
            return std::string("CongestionPoints ") + GetCongestionPoints() +
                   " need an algorithm whose congestion point sends CNMs, such as qcn" +
                   (m_algorithm ? std::string(", not ") + m_algorithm->GetCore()->name : "");
        }
    }
    for (auto& port : m_ports)
    {
        Port& p = *port;
        p.peer = DynamicCast<QbbChannel>(p.device->GetChannel())->GetPeer(PeekPointer(p.device));
        const std::string why = CheckPort(p);
        if (!why.empty())
        {
            return why;
        }
        p.fabricRate = static_cast<uint64_t>(std::llround(static_cast<double>(p.device->GetRate()) * m_speedup));
        p.entered.Bind(&CioqSwitch::Entered, &p);
        p.landed.Bind(&CioqSwitch::Landed, &p);
        p.refresh.Bind(&CioqSwitch::Refresh, &p);
        p.clock.Bind(&CioqSwitch::KeepAlive, &p);
        p.in.Init(&m_records, CioqBuffer::INPUT, m_atInputs && m_sampling != ARRIVAL, m_maxFrame);
        p.out.Init(&m_records, CioqBuffer::OUTPUT, m_atOutputs && m_sampling != ARRIVAL, m_maxFrame);
        if (m_atInputs)
        {
            MakePoint(p.inPoint, p, 1);
        }
        if (m_atOutputs)
        {
            MakePoint(p.outPoint, p, 0);
        }
    }
    m_latencyNs = m_latency.GetNanoSeconds();
    m_cnmDelayNs = m_cnmDelay.GetNanoSeconds();
    m_cnmEvent.Bind(&CioqSwitch::CnmDue, this);
    m_started = true;
    return "";
}

// ---------------------------------------------------------------- input

/// The ports a destination is reached through; null if there is none.
const uint16_t*
CioqSwitch::Outputs(uint32_t destination, uint32_t& count) const
{
    count = 1;
    if (destination < m_routes.size() && m_routes[destination] != NO_PORT)
    {
        return &m_routes[destination];
    }
    auto group = m_groups.find(destination);
    count = group == m_groups.end() ? 0 : static_cast<uint32_t>(group->second.size());
    return count ? group->second.data() : nullptr;
}

void
CioqSwitch::Drop(uint32_t port, RccFrame* frame, int64_t now)
{
    m_ports[port]->device->Dropped(*frame, now);
    NS_LOG_INFO("port " << port << ": dropped " << *frame);
    m_dropped++;
    m_pool->Put(frame);
}

/// A record of a frame that arrived at an input.
uint32_t
CioqSwitch::Record(const RccFrame* frame, uint32_t input)
{
    const uint32_t i = m_records.Get();
    CioqRecord& r = m_records[i];
    r.bytes = frame->bytes;
    r.src = frame->src;
    r.srcQp = frame->srcQp;
    r.vlan = frame->vlan;
    r.dst = frame->dst;
    r.hash = frame->hash;
    r.parent = i;
    r.input = static_cast<uint16_t>(input);
    r.tagged = frame->cnTagged;
    return i;
}

void
CioqSwitch::FrameArrived(uint32_t port, RccFrame* frame, int64_t now)
{
    NS_ABORT_MSG_IF(!m_started, "CioqSwitch: a frame arrived before Start, or Start refused the configuration");
    uint32_t count = 0;
    const uint16_t* outputs = Outputs(frame->dst, count);
    const bool stored = frame->cls == m_class;
    if (!outputs && frame->dst == RCC_ALL_HOSTS)
    {
        Flood(port, frame, now);
        return;
    }
    if (!outputs || (stored && m_ports[port]->in.Bytes() + frame->bytes > m_inputBuffer))
    {
        Drop(port, frame, now);
        return;
    }
    frame->input = static_cast<uint16_t>(port);
    frame->record = stored ? Record(frame, port) : 0;
    const uint32_t record = frame->record;
    if (stored)
    {
        m_records[record].copies = count;
        Admit(*m_ports[port], frame, now);
    }
    for (uint32_t i = 0; i < count; i++)
    {
        RccFrame* copy = i + 1 < count ? Copy(frame) : frame;
        if (stored)
        {
            copy->record = count > 1 ? Record(copy, port) : record;
            m_records[copy->record].parent = record;
            m_records[copy->record].output = outputs[i];
            Store(copy, now);
        }
        else
        {
            m_ports[outputs[i]]->device->Enqueue(copy, now);
        }
    }
}

/// As QbbSwitch::Flood.
void
CioqSwitch::Flood(uint32_t port, RccFrame* frame, int64_t now)
{
    for (uint32_t host = 0; host < m_routes.size(); host++)
    {
        if (m_routes[host] != NO_PORT && host != frame->src)
        {
            RccFrame* copy = Copy(frame);
            copy->dst = host;
            FrameArrived(port, copy, now);
        }
    }
    m_pool->Put(frame);
}

/// A frame joins an input buffer.
void
CioqSwitch::Admit(Port& input, const RccFrame* frame, int64_t now)
{
    NS_ABORT_MSG_IF(frame->bytes > m_maxFrame,
                    "a frame of " << frame->bytes << " bytes is larger than the switch's MaxFrame of " << m_maxFrame);
    input.in.Add(frame->record);
    if (m_watch)
    {
        m_inputBytesTrace(input.index, input.in.Bytes() - frame->bytes, input.in.Bytes());
    }
    if (input.inPoint.cp && frame->cnTagged)
    {
        Sample(input.in, input.inPoint, frame->record, frame->bytes, now);
    }
    if (input.stopped || input.in.Bytes() < m_stop)
    {
        return;
    }
    input.stopped = true;
    NS_LOG_INFO("port " << input.index << ": the upstream is asked to stop at " << input.in.Bytes() << " bytes");
    m_stops++;
    Pause(input, now);
    if (m_keepAlive && m_atInputs)
    {
        KeepAliveAfter(input, now);
    }
}

RccFrame*
CioqSwitch::Copy(const RccFrame* frame)
{
    RccFrame* copy = m_pool->Get();
    *copy = *frame;
    if (copy->packet)
    {
        copy->packet->Ref();
    }
    return copy;
}

/// Put a frame into its VOQ and ask for a grant.
void
CioqSwitch::Store(RccFrame* frame, int64_t now)
{
    const CioqRecord& r = m_records[frame->record];
    Port& input = *m_ports[r.input];
    Port& output = *m_ports[r.output];
    if (input.voqs.empty())
    {
        input.voqs.resize(m_ports.size());
    }
    std::unique_ptr<Voq>& voq = input.voqs[r.output];
    if (!voq)
    {
        voq.reset(new Voq);
        voq->input = r.input;
    }
    const bool requests = !voq->frames.IsEmpty();
    voq->frames.Push(frame);
    if (!requests)
    {
        Request(output, voq.get());
        Arbitrate(output, now);
    }
}

/// The bytes of a record's frame need not be kept at the input any more.
void
CioqSwitch::ReleaseInput(uint32_t record, int64_t now)
{
    const uint32_t parent = m_records[record].parent;
    if (--m_records[parent].copies > 0)
    {
        return;
    }
    Port& p = *m_ports[m_records[parent].input];
    const uint64_t before = p.in.Bytes();
    p.in.Remove(parent);
    if (m_watch)
    {
        m_inputBytesTrace(p.index, before, p.in.Bytes());
    }
    if (parent != record)
    {
        m_records.Put(parent);
    }
    if (p.stopped && p.in.Bytes() <= m_go)
    {
        p.stopped = false;
        p.refresh.Disarm();
        p.clock.Disarm();
        p.device->SendPfc(1u << m_class, 0, now);
    }
}

void
CioqSwitch::Pause(Port& port, int64_t now)
{
    port.device->SendPfc(1u << m_class, m_pauseQuanta, now);
    // The upstream counts quanta at its own rate, whatever this end's has become.
    port.refresh.At(now + port.peer->QuantaToNs(m_pauseQuanta) / 2, now);
}

void
CioqSwitch::Refresh(void* port, int64_t now)
{
    auto p = static_cast<Port*>(port);
    p->self->Pause(*p, now);
}

/// Arm the clock of a stopped input.
void
CioqSwitch::KeepAliveAfter(Port& port, int64_t now)
{
    const double seconds = static_cast<double>(m_keepAliveBytes) * 8 / static_cast<double>(port.peer->GetRate());
    port.clock.At(now + std::llround(seconds * 1e9), now);
}

void
CioqSwitch::KeepAlive(void* port, int64_t now)
{
    auto p = static_cast<Port*>(port);
    p->self->Sample(p->in, p->inPoint, 0, p->self->m_keepAliveBytes, now);
    p->self->KeepAliveAfter(*p, now);
}

// ---------------------------------------------------------------- fabric

/// A VOQ joins its output's round at the end.
void
CioqSwitch::Request(Port& output, Voq* voq)
{
    voq->next = nullptr;
    (output.first ? output.last->next : output.first) = voq;
    output.last = voq;
}

/// Grant what the output buffer has room for, a frame from each VOQ in turn.
void
CioqSwitch::Arbitrate(Port& output, int64_t now)
{
    while (output.first)
    {
        Voq* voq = output.first;
        const uint32_t bytes = voq->frames.Head()->bytes;
        if (output.out.Bytes() + output.reserved + bytes > m_outputBuffer)
        {
            return; // no other frame overtakes, or a large one would wait for ever
        }
        output.reserved += bytes;
        output.first = voq->next;
        RccFrame* frame = voq->frames.Pop();
        if (!voq->frames.IsEmpty())
        {
            Request(output, voq);
        }
        Grant(*m_ports[voq->input], frame, now);
    }
}

/// Send a frame into the fabric, after those that were granted before.
void
CioqSwitch::Grant(Port& input, RccFrame* frame, int64_t now)
{
    if (now > input.fabricFree)
    {
        input.fabricFree = now;
        input.fabricRest = 0;
    }
    const uint64_t bitNs = static_cast<uint64_t>(frame->bytes) * 8 * 1000000000 + input.fabricRest;
    input.fabricFree += static_cast<int64_t>(bitNs / input.fabricRate);
    input.fabricRest = bitNs % input.fabricRate;
    frame->due = input.fabricFree;
    const bool idle = input.granted.IsEmpty();
    input.granted.Push(frame);
    if (idle)
    {
        input.entered.At(frame->due, now);
    }
}

void
CioqSwitch::Entered(void* port, int64_t now)
{
    auto p = static_cast<Port*>(port);
    CioqSwitch* self = p->self;
    while (!p->granted.IsEmpty() && p->granted.Head()->due <= now)
    {
        RccFrame* frame = p->granted.Pop();
        frame->due = now + self->m_latencyNs;
        const bool idle = p->flying.IsEmpty();
        p->flying.Push(frame);
        if (idle)
        {
            p->landed.At(frame->due, now);
        }
        if (!self->m_reliable)
        {
            self->ReleaseInput(frame->record, now);
        }
    }
    if (!p->granted.IsEmpty())
    {
        p->entered.At(p->granted.Head()->due, now);
    }
}

// ---------------------------------------------------------------- output

void
CioqSwitch::Landed(void* port, int64_t now)
{
    auto p = static_cast<Port*>(port);
    CioqSwitch* self = p->self;
    while (!p->flying.IsEmpty() && p->flying.Head()->due <= now)
    {
        RccFrame* frame = p->flying.Pop();
        Port& output = *self->m_ports[self->m_records[frame->record].output];
        output.reserved -= frame->bytes;
        output.out.Add(frame->record);
        if (output.outPoint.cp && frame->cnTagged)
        {
            self->Sample(output.out, output.outPoint, frame->record, frame->bytes, now);
        }
        output.device->Enqueue(frame, now);
    }
    if (!p->flying.IsEmpty())
    {
        p->landed.At(p->flying.Head()->due, now);
    }
}

void
CioqSwitch::FrameLeaves(uint32_t port, RccFrame* frame, int64_t now)
{
    const uint32_t record = frame->record;
    if (!record)
    {
        return; // of another class, or made here
    }
    Port& output = *m_ports[port];
    output.out.Remove(record);
    if (m_reliable)
    {
        ReleaseInput(record, now);
    }
    m_records.Put(record);
    frame->record = 0;
    Arbitrate(output, now);
}

// ---------------------------------------------------------------- congestion points

/**
 * Show a congestion point `bytes` that arrived, and notify if it asks for it.
 * \param arrived record of the frame that brought them; 0: the clock did
 */
void
CioqSwitch::Sample(CioqBuffer& buffer, CongestionPoint& point, uint32_t arrived, uint32_t bytes, int64_t now)
{
    rcc_cnm cnm = {};
    if (rcc_cp_enqueued(point.cp, buffer.Bytes(), bytes, &cnm) != RCC_CP_NOTIFY)
    {
        return;
    }
    const uint32_t culprit = m_sampling == ARRIVAL         ? arrived
                             : m_sampling == DETERMINISTIC ? buffer.Fullest()
                                                           : buffer.Random(point.stream, point.draws);
    if (culprit)
    {
        SendCnm(m_records[culprit], cnm, now);
    }
}

void
CioqSwitch::SendCnm(const CioqRecord& culprit, const rcc_cnm& cnm, int64_t now)
{
    RccFrame* f = m_pool->Get();
    f->kind = RccFrameKind::CNM;
    f->bytes = CNM_BYTES;
    f->src = culprit.dst;
    f->dst = culprit.src;
    f->dstQp = culprit.srcQp;
    f->vlan = culprit.vlan;
    f->hash = culprit.hash;
    f->cls = m_controlClass;
    f->qfb = cnm.qfb;
    f->qoff = static_cast<int32_t>(cnm.qoff);
    f->qdelta = static_cast<int32_t>(cnm.qdelta);
    f->due = now + m_cnmDelayNs;
    f->input = culprit.input;
    const bool idle = m_cnmsDue.IsEmpty();
    m_cnmsDue.Push(f);
    if (idle)
    {
        m_cnmEvent.At(f->due, now);
    }
}

void
CioqSwitch::CnmDue(void* selfPtr, int64_t now)
{
    auto self = static_cast<CioqSwitch*>(selfPtr);
    while (!self->m_cnmsDue.IsEmpty() && self->m_cnmsDue.Head()->due <= now)
    {
        RccFrame* f = self->m_cnmsDue.Pop();
        uint32_t count = 0;
        const uint16_t* outputs = self->Outputs(f->dst, count);
        if (!outputs)
        {
            self->Drop(f->input, f, now);
            continue;
        }
        self->m_cnms++;
        self->m_cnmSentTrace(outputs[0], *f);
        self->m_ports[outputs[0]]->device->Enqueue(f, now);
    }
    if (!self->m_cnmsDue.IsEmpty())
    {
        self->m_cnmEvent.At(self->m_cnmsDue.Head()->due, now);
    }
}

RccFrame*
CioqSwitch::NextFrame(uint32_t, int64_t, uint8_t)
{
    return nullptr;
}

int64_t
CioqSwitch::NextDue(uint32_t, uint8_t)
{
    return RCC_TIME_NEVER;
}

void
CioqSwitch::PauseChanged(uint32_t, uint8_t, int64_t)
{
}

} // namespace ns3
