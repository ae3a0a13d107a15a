/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-output.h"

#include "ns3/callback.h"
#include "ns3/rcc-event-queue.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{

const int64_t Ns3RdmaOutput::QLEN_INTERVAL;
const int64_t Ns3RdmaOutput::QLEN_DUMP;
const uint64_t Ns3RdmaOutput::QLEN_BIN;
const uint32_t Ns3RdmaOutput::RECORD;
const uint32_t Ns3RdmaOutput::FIRST_PORT;

namespace
{

/// Bytes in little-endian order, whatever the machine's is.
template <class T>
void
Put(uint8_t* at, T value)
{
    for (size_t i = 0; i < sizeof(T); i++)
    {
        at[i] = static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i));
    }
}

} // namespace

/**
 * Histogram of one port's queue, sampled every QLEN_INTERVAL: counted when the
 * queue changes, so that no event is needed per sample. A sample at the time of a
 * change sees what is there after it.
 */
class Ns3RdmaOutput::Queue : public QbbFrameObserver
{
  public:
    Queue(uint32_t node, uint32_t interface, Ptr<QbbNetDevice> port, int64_t now)
        : node(node),
          interface(interface),
          m_port(port),
          m_next(now)
    {
        port->AddObserver(this, QBB_OBSERVE_QUEUE);
    }

    void Detach()
    {
        m_port->RemoveObserver(this);
    }

    void QueueWas(uint64_t bytes, int64_t now) override
    {
        Count(bytes, now);
    }

    /// Up to and with `now`.
    const std::vector<uint32_t>& CountTo(int64_t now)
    {
        Count(m_port->GetQueueBytesTotal(), now + 1);
        return m_counts;
    }

    const uint32_t node, interface;

  private:
    /// The samples before `end` saw `bytes`.
    void Count(uint64_t bytes, int64_t end)
    {
        if (m_next >= end)
        {
            return;
        }
        const int64_t samples = (end - 1 - m_next) / QLEN_INTERVAL + 1;
        m_next += samples * QLEN_INTERVAL;
        const size_t bin = bytes / QLEN_BIN;
        if (m_counts.size() <= bin)
        {
            m_counts.resize(bin + 1);
        }
        m_counts[bin] += static_cast<uint32_t>(samples);
    }

    Ptr<QbbNetDevice> m_port;
    int64_t m_next;
    std::vector<uint32_t> m_counts;
};

Ns3RdmaOutput::Ns3RdmaOutput(const LabPaths& paths, const RunFile& file)
    : m_net(paths),
      m_file(file),
      m_wantsFct(!file.fct.file.empty()),
      m_wantsPfc(!file.pfc.file.empty()),
      m_wantsQlen(!file.qlen.file.empty() && file.qlen.end > file.qlen.start),
      m_wantsMix(!file.mix.file.empty() && !file.traced.empty())
{
    m_flowOf.resize(m_wantsMix ? paths.GetNNodes() : 0);
}

Ns3RdmaOutput::~Ns3RdmaOutput() = default;

void
Ns3RdmaOutput::AddFlow(const RunArrival& f)
{
    if (!m_wantsFct && !m_wantsMix)
    {
        return;
    }
    const uint64_t ideal = m_wantsFct ? m_net.GetPair(f.from, f.to).IdealFct(f.size, m_net.GetPayload()) : 0;
    if (m_wantsMix)
    {
        m_flowOf[f.from].push_back(static_cast<uint32_t>(m_flows.size()));
    }
    const auto sport = static_cast<uint16_t>(FIRST_PORT + m_sports[{f.from, f.to}]++);
    m_flows.push_back(Flow{f.from, f.to, f.size, f.start, ideal, sport, f.dport, f.cls});
}

/// Calls the visitor with node, interface and device of every port.
template <class Visitor>
void
Ns3RdmaOutput::ForEachPort(const Visitor& visitor) const
{
    for (uint32_t id = 0; id < m_net.GetNNodes(); id++)
    {
        for (uint32_t i = 1; i <= m_net.CountPorts(id); i++)
        {
            visitor(id, i, m_net.GetPort(id, i - 1));
        }
    }
}

std::string
Ns3RdmaOutput::Open(const std::string& folder)
{
    const struct
    {
        bool wanted;
        const std::string& path;
        Ns3RdmaLog& file;
    } files[] = {{m_wantsFct, m_file.fct.file, m_fct},
                 {m_wantsPfc, m_file.pfc.file, m_pfc},
                 {m_wantsQlen, m_file.qlen.file, m_qlen},
                 {m_wantsMix, m_file.mix.file, m_mix}};
    for (const auto& f : files)
    {
        if (!f.wanted)
        {
            continue;
        }
        const std::string base = f.path.substr(f.path.rfind('/') + 1); // npos + 1 is 0
        const std::string where = folder.empty() ? f.path : folder + "/" + base;
        const std::string why = f.file.Open(where);
        if (!why.empty())
        {
            return why;
        }
        m_files.push_back(base);
    }
    if (m_wantsPfc)
    {
        ForEachPort([this](uint32_t id, uint32_t i, Ptr<QbbNetDevice> port) {
            const bool link = LabHasLinkPauses(*port);
            const auto changed = link ? &Ns3RdmaOutput::LinkPauseChanged : &Ns3RdmaOutput::PauseChanged;
            port->TraceConnectWithoutContext("Pause", MakeBoundCallback(changed, this, id, i));
        });
    }
    if (m_wantsQlen)
    {
        const int64_t wait = std::max<int64_t>(m_file.qlen.start - RccNow(), 0);
        Simulator::Schedule(NanoSeconds(wait), &Ns3RdmaOutput::BeginQueues, this);
    }
    if (m_wantsMix)
    {
        BeginTrace();
    }
    return "";
}

void
Ns3RdmaOutput::Close()
{
    RccGateway* const ranks = RccGateway::Current();
    const auto now = static_cast<uint64_t>(RccNow());
    EndQueues(static_cast<int64_t>(ranks && m_qlen.IsOpen() ? ~ranks->GetLeast(~now) : now)); // the latest of the ranks
    if (m_mix.IsOpen())
    {
        ObserveFrames(false);
    }
    for (Ns3RdmaLog* log : {&m_fct, &m_pfc, &m_qlen, &m_mix})
    {
        log->Close();
    }
}

/// Watch the frames at the ports of the traced nodes, or no more.
void
Ns3RdmaOutput::ObserveFrames(bool on)
{
    for (const auto& traced : m_file.traced)
    {
        for (uint32_t i = 0; i < m_net.CountPorts(traced.node); i++)
        {
            Ptr<QbbNetDevice> port = m_net.GetPort(traced.node, i);
            on ? port->AddObserver(this, QBB_OBSERVE_FRAMES) : port->RemoveObserver(this);
        }
    }
}

// ---------------------------------------------------------------- fct.txt

void
Ns3RdmaOutput::FlowEnded(size_t flow, int64_t fct)
{
    if (!m_fct.IsOpen())
    {
        return;
    }
    const Flow& f = m_flows[flow];
    char row[160];
    const int size =
        std::snprintf(row, sizeof row, "%08x %08x %u %u %llu %lld %lld %llu\n", AddressOf(f.src), AddressOf(f.dst),
                      f.sport, f.dport, static_cast<unsigned long long>(f.bytes), static_cast<long long>(f.start),
                      static_cast<long long>(fct), static_cast<unsigned long long>(f.ideal));
    m_fct.Write(f.src, row, static_cast<size_t>(size));
}

// ---------------------------------------------------------------- pfc.txt

void
Ns3RdmaOutput::PauseChanged(Ns3RdmaOutput* self, uint32_t node, uint32_t interface, uint8_t, bool paused)
{
    if (self->m_pfc.IsOpen())
    {
        char row[80];
        const int size = std::snprintf(row, sizeof row, "%lld %u %u %u %u\n", static_cast<long long>(RccNow()), node,
                                       self->m_net.GetSwitch(node) ? 1u : 0u, interface, paused ? 1u : 0u);
        self->m_pfc.Write(node, row, static_cast<size_t>(size));
    }
}

/// One line for a frame that changes all classes.
void
Ns3RdmaOutput::LinkPauseChanged(Ns3RdmaOutput* self, uint32_t node, uint32_t interface, uint8_t cls, bool paused)
{
    if (cls == 0)
    {
        PauseChanged(self, node, interface, cls, paused);
    }
}

// ---------------------------------------------------------------- qlen.txt

void
Ns3RdmaOutput::BeginQueues()
{
    const int64_t now = RccNow();
    ForEachPort([&](uint32_t id, uint32_t i, Ptr<QbbNetDevice> port) {
        if (m_net.GetSwitch(id))
        {
            m_queues.emplace_back(RccGateway::IsLocal(*port->GetNode()) ? new Queue(id, i, port, now) : nullptr);
        }
    });
    const int64_t end = m_file.qlen.end;
    const int64_t first = (now + QLEN_DUMP - 1) / QLEN_DUMP * QLEN_DUMP;
    if (first < end)
    {
        Simulator::Schedule(NanoSeconds(first - now), &Ns3RdmaOutput::DumpRegularly, this, first);
    }
    Simulator::Schedule(NanoSeconds(std::max<int64_t>(end - now, 0)), &Ns3RdmaOutput::EndQueues, this,
                        std::max(end, now));
}

/// One event at a time: QLEN_MON_END may be far behind the end of the run.
void
Ns3RdmaOutput::DumpRegularly(int64_t at)
{
    DumpQueues(at);
    if (at + QLEN_DUMP < m_file.qlen.end)
    {
        Simulator::Schedule(NanoSeconds(QLEN_DUMP), &Ns3RdmaOutput::DumpRegularly, this, at + QLEN_DUMP);
    }
}

void
Ns3RdmaOutput::DumpQueues(int64_t at)
{
    if (m_queues.empty() || m_dumped == at)
    {
        return;
    }
    m_dumped = at;
    if (RccGateway::IsFirst())
    {
        m_qlen.WriteAt(at, 0, "time: " + std::to_string(at) + "\n");
    }
    for (size_t i = 0; i < m_queues.size(); i++)
    {
        if (!m_queues[i]) // another rank's
        {
            continue;
        }
        std::string row = std::to_string(m_queues[i]->node) + " " + std::to_string(m_queues[i]->interface);
        for (uint32_t count : m_queues[i]->CountTo(at))
        {
            row += " " + std::to_string(count);
        }
        m_qlen.WriteAt(at, i + 1, row + "\n");
    }
}

/// At QLEN_MON_END, or when the run is over: that simulator goes on with queues as they are. \param now ns
void
Ns3RdmaOutput::EndQueues(int64_t now)
{
    const int64_t end = std::min(m_file.qlen.end, std::max(m_file.time, now));
    for (int64_t at = (now / QLEN_DUMP + 1) * QLEN_DUMP; at < end; at += QLEN_DUMP)
    {
        DumpQueues(at);
    }
    DumpQueues(std::max(end, now));
    for (auto& q : m_queues)
    {
        if (q)
        {
            q->Detach();
        }
    }
    m_queues.clear();
}

// ---------------------------------------------------------------- mix.tr

void
Ns3RdmaOutput::BeginTrace()
{
    uint32_t ports = 0;
    m_firstPort.resize(m_net.GetNNodes());
    ForEachPort([&](uint32_t id, uint32_t i, Ptr<QbbNetDevice>) {
        m_firstPort[id] = i == 1 ? ports++ : (ports++, m_firstPort[id]);
    });
    m_portStates.resize(ports);
    m_events = RccEventQueue::Current();
    uint8_t row[11];
    Put<uint32_t>(row, ports);
    m_mix.WriteHead(row, 4);
    ForEachPort([&](uint32_t id, uint32_t i, Ptr<QbbNetDevice> port) {
        Put<uint16_t>(row, static_cast<uint16_t>(id));
        row[2] = static_cast<uint8_t>(i);
        Put<uint64_t>(row + 3, port->GetRate());
        m_mix.WriteHead(row, sizeof row);
    });
    Put<uint32_t>(row, static_cast<uint32_t>(m_net.GetMaxBdp()));
    m_mix.WriteHead(row, 4);
    ObserveFrames(true);
}

const Ns3RdmaOutput::Flow*
Ns3RdmaOutput::FlowOf(uint32_t sender, uint32_t qp) const
{
    if (sender >= m_flowOf.size() || qp >= m_flowOf[sender].size())
    {
        return nullptr;
    }
    return &m_flows[m_flowOf[sender][qp]];
}

void
Ns3RdmaOutput::FrameSeen(QbbFrameEvent event, const QbbNetDevice& port, const RccFrame& frame, int64_t now)
{
    if (frame.kind == RccFrameKind::CORRUPT)
    {
        RccFrame sound = frame;
        sound.kind = static_cast<RccFrameKind>(frame.tag.was);
        FrameSeen(event, port, sound, now);
        return;
    }
    const uint32_t base = m_net.GetNode(0)->GetId();
    const uint32_t node = port.GetNode()->GetId() - base;
    const uint32_t src = frame.src - base;
    const uint32_t dst = frame.dst - base;
    const bool pfc = frame.kind == RccFrameKind::PFC;
    uint8_t r[RECORD] = {};
    Put<uint64_t>(r, static_cast<uint64_t>(now));
    Put<uint16_t>(r + 8, static_cast<uint16_t>(node));
    r[10] = static_cast<uint8_t>(port.GetPortNumber() + 1);
    // queue 0 is the control class there, and what every received frame is said to be in
    const uint8_t control = port.GetControlClass();
    const uint8_t cls = pfc || event == QbbFrameEvent::RECEIVED ? control : frame.cls;
    r[11] = cls == control ? 0 : cls;
    const auto queue = static_cast<uint32_t>(port.GetQueueBytes(cls));
    Put<uint32_t>(r + 12, queue - (event == QbbFrameEvent::ENQUEUED ? std::min(queue, frame.bytes) : 0));
    Put<uint32_t>(r + 16, pfc ? PauseSource(node, port.GetPortNumber(), event) : AddressOf(src));
    Put<uint32_t>(r + 20, pfc ? UINT32_MAX : AddressOf(dst));
    Put<uint16_t>(r + 24, static_cast<uint16_t>(frame.bytes));
    r[27] = static_cast<uint8_t>(event);
    r[28] = static_cast<uint8_t>(frame.ecn);
    r[29] = m_net.GetSwitch(node) ? 1 : 0;
    const bool data = frame.kind == RccFrameKind::DATA;
    const Flow* flow = pfc ? nullptr : data ? FlowOf(src, frame.srcQp) : FlowOf(dst, frame.dstQp);
    r[26] = PutHeaders(r + 32, port, frame, flow ? *flow : Flow{});
    const uint64_t place = m_events->GetPlaceAt(now);
    const int64_t tie = TieOf(event, m_portStates[m_firstPort[node] + port.GetPortNumber()], frame, now, place);
    m_mix.WriteAt(now, place, node, r, sizeof r, tie);
}

/// The order of records of one nanosecond at several ports: as a rule, that in which the ports came to know that they
/// would send. \return larger for what comes later
int64_t
Ns3RdmaOutput::TieOf(QbbFrameEvent event, PortState& port, const RccFrame& frame, int64_t now, uint64_t place)
{
    const auto order = static_cast<uint32_t>(place);
    int64_t tie = frame.kind == RccFrameKind::IP ? 0 : 1;
    if (order == RCC_ORDER_OWN)
    {
        tie = port.knew < now ? port.knew : 0; // 0: it is sent as soon as it is there
    }
    if (event == QbbFrameEvent::ENQUEUED)
    {
        port.knew = port.waiting++ ? port.knew : now;
    }
    else if (event == QbbFrameEvent::DEQUEUED)
    {
        port.waiting -= port.waiting ? 1 : 0;
        port.knew = now;
    }
    return tie;
}

/// \return the address that a pause comes from there: of a host its own, of a switch 10.x.y.1 or .2 of the link
uint32_t
Ns3RdmaOutput::PauseSource(uint32_t node, uint32_t port, QbbFrameEvent event) const
{
    const uint32_t link = m_net.GetLink(node, port);
    const RunLink& l = m_net.GetLinks()[link];
    const bool received = event == QbbFrameEvent::RECEIVED;
    const bool fromA = (l.a == node) != received;
    const uint32_t sender = fromA ? l.a : l.b;
    return m_net.GetSwitch(sender) ? 0x0a000000u + ((link / 254 + 1) << 16) + ((link % 254 + 1) << 8) + (fromA ? 1 : 2)
                                   : AddressOf(sender);
}

/// The part of a record that depends on the kind of the frame. \return the simulator's number of the kind
uint8_t
Ns3RdmaOutput::PutHeaders(uint8_t* r, const QbbNetDevice& port, const RccFrame& frame, const Flow& flow) const
{
    const uint64_t offset = frame.psn * m_net.GetPayload();
    switch (frame.kind)
    {
    case RccFrameKind::DATA:
    case RccFrameKind::TRIMMED: // that simulator has none
        Put<uint16_t>(r, flow.sport);
        Put<uint16_t>(r + 2, flow.dport);
        Put<uint32_t>(r + 4, static_cast<uint32_t>(offset));
        Put<uint64_t>(r + 8, static_cast<uint64_t>(frame.stamp));
        Put<uint16_t>(r + 16, flow.pg);
        Put<uint16_t>(r + 18, static_cast<uint16_t>(frame.payload));
        return 0x11;
    case RccFrameKind::ACK:
    case RccFrameKind::NAK:
        Put<uint16_t>(r, flow.dport);
        Put<uint16_t>(r + 2, flow.sport);
        Put<uint16_t>(r + 4, frame.ceEcho ? 1 : 0);
        Put<uint16_t>(r + 6, flow.pg);
        // the end of a flow has its size: its last packet may be shorter
        Put<uint32_t>(r + 8, static_cast<uint32_t>(flow.bytes ? std::min(offset, flow.bytes) : offset));
        Put<uint64_t>(r + 16, frame.stamp < 0 ? 0 : static_cast<uint64_t>(frame.stamp));
        return frame.kind == RccFrameKind::ACK ? 0xFC : 0xFD;
    case RccFrameKind::PFC: {
        const int first = __builtin_ctz(frame.pfcMask | 0x100u) % QBB_CLASSES;
        // a pause in us; the length of the queue that caused it is not in the frame
        Put<uint32_t>(r, static_cast<uint32_t>((port.QuantaToNs(frame.pfcQuanta[first]) + 999) / 1000));
        r[8] = static_cast<uint8_t>(first);
        return 0xFE;
    }
    case RccFrameKind::CNP:
    case RccFrameKind::CNM:
        Put<uint16_t>(r, flow.sport);
        r[2] = flow.pg;
        r[3] = frame.kind == RccFrameKind::CNP ? 3 : 0;
        Put<uint16_t>(r + 4, frame.kind == RccFrameKind::CNM ? frame.qfb : 0);
        return 0xFF;
    case RccFrameKind::IP:
    case RccFrameKind::CORRUPT:
        break;
    }
    return 0x06;
}

} // namespace ns3
