/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-front-rdma.h"

#include "lab-program.h"

#include "ns3/lab-text.h"
#include "ns3/ns3-rdma-loss.h"
#include "ns3/ns3-rdma-network.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/* Constants of the simulators, for what their files cannot set. */
const uint64_t HPCC_BUFFER_BYTES = 16u << 20;
const uint64_t ORIGINAL_POOL_BYTES = 4000 * 1030;
const uint64_t ORIGINAL_HEADROOM_BYTES = 103000;
const uint64_t STATIC_THRESHOLD_BYTES = 20 * 1030; // m_pg_shared_limit_cell
const uint16_t FIRST_RDMA_TCP_PORT = 5000;
const uint32_t TCP_HEADERS = 72; // with them a segment is no larger than a RoCE packet

std::string
FlagText(bool flag)
{
    return flag ? "true" : "false";
}

std::string
BaseName(const std::string& path)
{
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

} // namespace

LabFrontRdma::LabFrontRdma(LabFront& front, const LabOptions& options, const Ns3RdmaInput& input)
    : m_front(front),
      m_file(front.file),
      m_options(options),
      m_config(input.config),
      m_topology(input.topology),
      m_input(input)
{
}

void
LabFrontRdma::Read()
{
    m_file.name = "ns3-rdma";
    m_front.ReadRun();
    ReadWindow();
    ReadNetwork();
    LabOptions::FailIf(Ns3RdmaReader::CheckReachable(m_topology, m_input.flows, m_config.flowFile));
    LabOptions::FailIf(Ns3RdmaReader::CheckThresholds(m_config, m_topology));
    ReadAlgorithms();
    ReadMarkers();
    for (const auto& d : Ns3RdmaRecovery(m_config, m_topology))
    {
        m_front.AddDefault(d.type, d.attribute, d.value);
    }
    m_front.ReadTimeouts();
    m_front.ReadNic();
    ReadAttributes();
    ReadBuffer();
    ReadReading();
    ReadFlows();
    ReadTcp();
    ReadOutputs();
    m_front.ReadCaptures();
    m_front.ReadAttributes();
    m_front.words.warnings = m_config.warnings;
    m_front.words.notes = m_config.notes;
}

/// Averages begin with the first flow.
void
LabFrontRdma::ReadWindow()
{
    const auto earlier = [](const Ns3RdmaFlow& a, const Ns3RdmaFlow& b) { return a.start < b.start; };
    const int64_t first = std::min_element(m_input.flows.begin(), m_input.flows.end(), earlier)->start;
    if (m_file.windowFrom < 0 && first > 0 && first < m_config.stop)
    {
        m_file.windowFrom = first;
        m_file.windowTo = m_config.stop;
    }
}

void
LabFrontRdma::ReadNetwork()
{
    for (size_t i = 0; i < m_topology.isSwitch.size(); i++)
    {
        RunNode node;
        node.kind = m_topology.isSwitch[i] ? RunNodeKind::SWITCH : RunNodeKind::HOST;
        node.name = std::to_string(i);
        m_file.nodes.push_back(node);
    }
    for (const auto& l : m_topology.links)
    {
        RunLink link;
        link.a = l.a;
        link.b = l.b;
        link.rate = l.rate;
        link.delay = l.delay;
        link.loss = static_cast<uint32_t>(std::llround((l.error > 0 ? l.error : m_config.errorRate) * RCC_RATIO_ONE));
        m_file.links.push_back(link);
    }
    m_file.routes = m_options.GetText("routing") == "up-down" ? RunRoutes::UP_DOWN : RunRoutes::PARTIAL;
    if (m_config.linkDown)
    {
        m_file.linkDown.at = m_config.linkDownAt;
        m_file.linkDown.a = m_config.linkDownA;
        m_file.linkDown.b = m_config.linkDownB;
        m_front.words.linkDown = m_config.At("LINK_DOWN", "LINK_DOWN");
    }
}

uint8_t
LabFrontRdma::GetClasses() const
{
    uint8_t classes = 0;
    for (const auto& f : m_input.flows)
    {
        classes |= static_cast<uint8_t>(1u << f.pg);
    }
    return classes;
}

void
LabFrontRdma::ReadAttributes()
{
    const uint8_t classes = GetClasses();
    uint8_t control = QBB_CLASSES - 1;
    while (control > 0 && (classes >> control) & 1u)
    {
        control--; // a class without data, if there is one
    }
    control = (classes >> control) & 1u ? QBB_CLASSES - 1 : control;
    const bool original = m_config.dialect == Ns3RdmaDialect::ORIGINAL;
    const std::string lossless = std::to_string(m_config.pfc ? classes : 0);
    const std::string controlText = std::to_string(control);
    const auto add = [this](const char* type, const char* name, const std::string& value) {
        m_front.AddDefault(type, name, value);
    };
    add("QbbNetDevice", "ControlClass", controlText);
    add("RdmaNic", "ControlClass", controlText);
    add("RdmaNic", "Mtu", std::to_string(m_config.payload));
    add("RdmaNic", "AckEvery", std::to_string(std::max<uint32_t>(m_config.ackInterval, 1)));
    add("RdmaNic", "ChunkPackets", std::to_string(m_config.chunk / m_config.payload));
    add("RdmaNic", "BackToZero", FlagText(m_config.backToZero));
    add("RdmaNic", "AckHighPriority", FlagText(original || m_config.ackHighPriority));
    add("RdmaNic", "LosslessClasses", lossless);
    add("QbbSwitch", "ControlClass", controlText);
    add("QbbSwitch", "LosslessClasses", lossless);
    add("QbbSwitch", "AnswersWithData", FlagText(m_config.ackPriorityAtHosts && !original));
    add("QbbSwitch", "PauseTime", std::to_string(m_config.pauseTime) + "ns");
    add("QbbSwitch", "EcmpPerPacket", FlagText(m_config.packetEcmp));
    if (m_config.loadBalancing) // the defaults of least-queue and flowlet are those of the fork
    {
        add("QbbSwitch", "LoadBalancing", m_config.loadBalancing == 2 ? "least-queue" : "flowlet");
    }
    add("QbbSwitch", "StaticThreshold", std::to_string(m_config.dynamicPfc ? 0 : STATIC_THRESHOLD_BYTES));
}

/// Buffers as their simulators have them.
void
LabFrontRdma::ReadBuffer()
{
    const bool hpcc = m_config.dialect == Ns3RdmaDialect::HPCC;
    if (!hpcc && !m_config.bufferSize)
    {
        m_file.pool.pool = ORIGINAL_POOL_BYTES;
        m_file.pool.headroom = ORIGINAL_HEADROOM_BYTES;
        return;
    }
    m_front.AddDefault("QbbSwitch", "BufferSize",
                       std::to_string(m_config.bufferSize ? m_config.bufferSize : HPCC_BUFFER_BYTES));
    if (hpcc)
    {
        uint32_t host = UINT32_MAX;
        uint64_t rate = 0; // of the first host's first link
        for (const auto& l : m_topology.links)
        {
            for (uint32_t end : {l.a, l.b})
            {
                if (!m_topology.isSwitch[end] && end < host)
                {
                    host = end;
                    rate = l.rate;
                }
            }
        }
        m_front.AddDefault("QbbSwitch", "HeadroomDelays", "3");
        m_front.AddDefault("QbbSwitch", "AlphaRate", std::to_string(rate) + "bps");
        m_front.AddDefault("QbbSwitch", "ResumeGap", std::to_string(3 * 1024)); // bytes below the threshold
    }
}

/// Hosts that read as slowly as keys of their own say.
void
LabFrontRdma::ReadReading()
{
    for (uint32_t node = 0; node < m_topology.isSwitch.size(); node++)
    {
        for (const auto& reads :
             m_topology.isSwitch[node] ? std::vector<Ns3RdmaAttribute>() : Ns3RdmaReading(m_config, node))
        {
            RunNodeAttribute one;
            one.node = node;
            one.type = "ns3::" + reads.type;
            one.attribute = reads.attribute;
            one.value = reads.value;
            one.at = reads.at;
            m_file.nodeAttributes.push_back(one);
        }
    }
}

// ---------------------------------------------------------------- algorithms

/// The run's algorithm is the first one; those of flows follow in the files' order.
void
LabFrontRdma::ReadAlgorithms()
{
    m_algorithms.push_back(m_options.CreateAlgorithm());
    m_numbers[m_algorithms[0]->GetCore()->name] = 0;
    ReadThresholds(0, m_algorithms[0]);
    for (const auto& f : m_input.flows)
    {
        if (f.cc.empty() || !m_numbers.emplace(f.cc, static_cast<uint32_t>(m_algorithms.size())).second)
        {
            continue;
        }
        m_algorithms.push_back(m_options.CreateAlgorithm(f.cc)); // with the parameters of --set
        m_file.algorithms.push_back(LabFront::RecordOf(*m_algorithms.back()));
        ReadThresholds(m_numbers[f.cc], m_algorithms.back());
    }
}

/// Give an algorithm the thresholds of every link at a switch, and check that it can work at the rates there are.
void
LabFrontRdma::ReadThresholds(uint32_t number, Ptr<RccAlgorithm> algorithm)
{
    const auto maps = m_config.GetRateMaps();
    std::set<uint64_t> known;
    for (const auto& l : m_topology.links)
    {
        const bool ofSwitch = m_topology.isSwitch[l.a] || m_topology.isSwitch[l.b];
        if (!ofSwitch || !known.insert(l.rate).second)
        {
            continue;
        }
        for (const auto& m : maps)
        {
            const int64_t* value = Ns3RdmaFindRate(*m.map, l.rate);
            if (!value || !algorithm->HasParameter(m.parameter))
            {
                continue;
            }
            const std::string wrong = algorithm->SetParameterAt(l.rate, m.parameter, *value);
            LabOptions::FailIf(wrong.empty() ? "" : m_config.At(m.key, std::string(m.key) + ": " + wrong));
            RunAlgorithmAt at;
            at.algorithm = number;
            at.rate = l.rate;
            at.field = m.parameter;
            at.value = *value;
            m_file.algorithmsAt.push_back(at);
        }
    }
    for (const auto& l : m_topology.links)
    {
        const std::string wrong = algorithm->Check(l.rate);
        LabOptions::FailIf(wrong.empty() ? ""
                                         : wrong + " (" + RccFormat(RCC_UNIT_BPS, static_cast<int64_t>(l.rate)) + ", " +
                                               m_topology.path + ":" + std::to_string(l.line) + ")");
    }
}

/// One congestion point of each class for ECN-capable frames and one for CN-tagged ones: that of the run's algorithm if
/// it has one, else that of the first flow's. Those that add telemetry are beside them, and without ECN too.
void
LabFrontRdma::ReadMarkers()
{
    std::vector<std::pair<uint8_t, uint32_t>> used; // classes and algorithms, the run's own first
    for (bool own : {true, false})
    {
        for (const auto& f : m_input.flows)
        {
            const uint32_t number = f.cc.empty() ? 0 : m_numbers[f.cc];
            if (!own || number == 0)
            {
                used.emplace_back(f.pg, number);
            }
        }
    }
    std::set<std::pair<uint8_t, uint32_t>> seen;
    bool known[QBB_CLASSES][2] = {};
    for (const auto& one : used)
    {
        if (!seen.insert(one).second)
        {
            continue;
        }
        const rcc_cp_frames frames = rcc_cp_watches(m_algorithms[one.second]->GetCore());
        const bool telemetry = frames == RCC_CP_TELEMETRY;
        bool& cpKnown = known[one.first][frames == RCC_CP_CN_TAGGED];
        if (telemetry || (m_config.ecn && frames != RCC_CP_NONE && !cpKnown))
        {
            cpKnown = cpKnown || !telemetry;
            RunMarker marker;
            marker.cls = one.first;
            marker.algorithm = one.second;
            m_file.markers.push_back(marker);
        }
    }
}

// ---------------------------------------------------------------- flows and outputs

void
LabFrontRdma::ReadFlows()
{
    for (size_t i : Ns3RdmaOrderOfStarts(m_input.flows))
    {
        const Ns3RdmaFlow& f = m_input.flows[i];
        RunArrival one;
        one.from = f.src;
        one.to = f.dst;
        one.cls = f.pg;
        one.algorithm = f.cc.empty() ? RUN_NONE : m_numbers[f.cc];
        one.size = f.bytes;
        one.start = f.start;
        one.stop = f.stop;
        one.dport = f.dport;
        if (m_config.hasWindow)
        {
            one.rule = m_config.globalWindow ? RunWindow::MAX_BDP : RunWindow::BDP;
            one.variable = m_config.variableWindow;
        }
        m_file.arrivals.push_back(one);
    }
}

void
LabFrontRdma::ReadTcp()
{
    std::set<uint32_t> hosts;
    for (const auto& f : m_input.tcpFlows)
    {
        RunTcp tcp;
        tcp.from = f.src;
        tcp.to = f.dst;
        tcp.port = static_cast<uint16_t>(FIRST_RDMA_TCP_PORT + m_file.tcp.size());
        tcp.size = f.bytes;
        tcp.start = f.start;
        tcp.stop = f.stop;
        tcp.awaited = true;
        m_file.tcp.push_back(tcp);
        hosts.insert({f.src, f.dst});
    }
    for (uint32_t host : hosts)
    {
        RunInternet one;
        one.node = host;
        m_file.internet.push_back(one);
    }
    if (!hosts.empty())
    {
        const std::string buffer = std::to_string(4 << 20); // more than the bandwidth-delay products of these networks
        m_front.AddDefault("TcpSocket", "SegmentSize",
                           std::to_string(std::max(m_config.payload, TCP_HEADERS + 64) - TCP_HEADERS));
        m_front.AddDefault("TcpSocket", "SndBufSize", buffer);
        m_front.AddDefault("TcpSocket", "RcvBufSize", buffer);
        // by default a request waits up to 10 ms, at random: longer than many a flow, and other draws in other versions
        m_front.AddDefault("ArpL3Protocol", "RequestJitter", "ns3::ConstantRandomVariable[Constant=0]");
    }
}

void
LabFrontRdma::ReadOutputs()
{
    m_file.fct.file = BaseName(m_config.fctOutput);
    m_file.pfc.file = BaseName(m_config.pfcOutput);
    m_file.qlen.file = BaseName(m_config.qlenOutput);
    m_file.qlen.start = m_config.qlenStart;
    m_file.qlen.end = m_config.qlenEnd;
    m_file.mix.file = m_config.enableTrace && !m_input.traced.empty() ? BaseName(m_config.traceOutput) : "";
    for (uint32_t node : m_input.traced)
    {
        if (!m_file.mix.file.empty() && node >= m_topology.isSwitch.size())
        {
            LabOptions::Fail(
                m_config.traceOutput + ": " +
                LabFound("node", std::to_string(node), "less than " + std::to_string(m_topology.isSwitch.size())));
        }
        RunTraced one;
        one.node = node;
        m_file.traced.push_back(one);
    }
    if (m_front.asked.folder.empty()) // then they go where the files say
    {
        m_file.fct.file = m_config.fctOutput;
        m_file.pfc.file = m_config.pfcOutput;
        m_file.qlen.file = m_config.qlenOutput;
        m_file.mix.file = m_file.mix.file.empty() ? "" : m_config.traceOutput;
    }
}

int
LabFrontRdma::Run()
{
    try
    {
        return LabRunFile(m_file, m_front.asked, m_front.words);
    }
    catch (const RunError& error)
    {
        if (error.code == "start")
        {
            const auto node = static_cast<uint32_t>(std::stoul(error.expected.front()));
            LabOptions::Fail("switch " + error.expected.front() + ": " + error.found +
                             Ns3RdmaNetwork::BufferHint(m_config, m_topology, node, GetClasses()));
        }
        m_front.Fail(error);
    }
}

} // namespace ns3
