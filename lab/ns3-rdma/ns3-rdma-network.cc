/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-network.h"

#include "ns3-rdma-loss.h"
#include "ns3-rdma-reader.h"
#include "ns3/lab-text.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-random.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

/* Constants of the simulators, for what their files cannot set. */
const uint64_t HPCC_BUFFER = 16u << 20;
const uint32_t HPCC_HEADROOM_DELAYS = 3;
const uint64_t HPCC_RESUME_OFFSET = 3 * 1024; // bytes below the threshold at which a pause ends
const uint64_t ORIGINAL_POOL = 4000 * 1030;
const uint64_t ORIGINAL_HEADROOM = 103000;
const uint64_t STATIC_THRESHOLD = 20 * 1030; // m_pg_shared_limit_cell

} // namespace

Ns3RdmaNetwork::Ns3RdmaNetwork(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology, uint64_t seed)
    : m_config(config),
      m_topology(topology),
      m_seed(seed)
{
    m_helper.SetSeed(seed);
}

// ---------------------------------------------------------------- what is wrong with the input

/// What the reader refuses already, for files that a program makes itself.
void
Ns3RdmaNetwork::CheckLinks() const
{
    const size_t nodes = m_topology.isSwitch.size();
    for (const auto& l : m_topology.links)
    {
        const auto fail = [&](const char* what, const std::string& found, const std::string& expected) {
            throw LabFileError(LabAt(m_topology.path, l.line, LabFound(what, found, expected)));
        };
        if (std::max(l.a, l.b) >= nodes)
        {
            fail("node", std::to_string(std::max(l.a, l.b)), "less than " + std::to_string(nodes));
        }
        if (l.a == l.b)
        {
            fail("link", "node " + std::to_string(l.a) + " twice", "two nodes");
        }
        if (l.rate < RCC_LINE_RATE_MIN || l.rate > RCC_LINE_RATE_MAX)
        {
            fail("rate", std::to_string(l.rate) + "bps", "1Mbps to 16Tbps");
        }
        if (l.delay < 0 || l.delay > RCC_SECOND)
        {
            fail("delay", std::to_string(l.delay) + "ns", "0s to 1s");
        }
        if (!(l.error >= 0 && l.error <= 1))
        {
            fail("error rate", std::to_string(l.error), "0 to 1");
        }
    }
    LabThrowIf(m_config.payload ? "" : m_config.Wrong("PACKET_PAYLOAD_SIZE", "0", "1 or more"));
}

/// The same of flows.
void
Ns3RdmaNetwork::CheckFlows(const std::vector<Ns3RdmaFlow>& flows) const
{
    for (const auto& f : flows)
    {
        auto at = [&](const std::string& wrong) { return LabAt(m_config.flowFile, f.line, wrong); };
        for (uint32_t id : {f.src, f.dst})
        {
            const char* what = id >= m_topology.isSwitch.size() ? " does not exist"
                               : m_topology.isSwitch[id]        ? " is a switch"
                                                                : nullptr;
            LabThrowIf(what ? at("node " + std::to_string(id) + what + ", expected a host") : "");
        }
        LabThrowIf(f.src == f.dst ? at("host " + std::to_string(f.src) + " sends to itself") : "");
        LabThrowIf(f.pg >= QBB_CLASSES ? at("priority group " + std::to_string(f.pg) + ", expected 0 to 7") : "");
    }
    LabThrowIf(Ns3RdmaReader::CheckReachable(m_topology, flows, m_config.flowFile));
    LabThrowIf(Ns3RdmaReader::CheckThresholds(m_config, m_topology));
}

/// Give an algorithm the thresholds of every link at a switch, and check that it can work at the rates there are.
void
Ns3RdmaNetwork::SetThresholds(Ptr<RccAlgorithm> algorithm) const
{
    const auto maps = m_config.GetRateMaps();
    uint64_t last = 0; // most links have the rate of the one before
    for (const auto& l : m_topology.links)
    {
        if (l.rate == last || (!m_topology.isSwitch[l.a] && !m_topology.isSwitch[l.b]))
        {
            continue;
        }
        last = l.rate;
        for (const auto& m : maps)
        {
            const int64_t* value = Ns3RdmaFindRate(*m.map, l.rate);
            const std::string wrong = value && algorithm->HasParameter(m.parameter)
                                          ? algorithm->SetParameterAt(l.rate, m.parameter, *value)
                                          : "";
            LabThrowIf(wrong.empty() ? "" : m_config.At(m.key, std::string(m.key) + ": " + wrong));
        }
    }
    uint64_t checked = 0;
    for (const auto& l : m_topology.links)
    {
        const std::string wrong = l.rate == checked ? "" : algorithm->Check(l.rate);
        LabThrowIf(wrong.empty() ? ""
                                 : wrong + " (" + RccFormat(RCC_UNIT_BPS, static_cast<int64_t>(l.rate)) + ", " +
                                       m_topology.path + ":" + std::to_string(l.line) + ")");
        checked = l.rate;
    }
}

/// Make the algorithms that no call has set, and prepare those in use.
void
Ns3RdmaNetwork::FindAlgorithms(const std::vector<Ns3RdmaFlow>& flows)
{
    std::string why;
    if (!m_algorithm)
    {
        m_algorithm = RccAlgorithm::TryCreate(m_config.cc.empty() ? "dcqcn" : m_config.cc, m_config.preset, &why);
        LabThrowIf(why);
        for (const auto& p : m_config.parameters)
        {
            LabThrowIf(m_algorithm->SetParameter(p.first, p.second));
        }
    }
    std::vector<Ptr<RccAlgorithm>> used{m_algorithm};
    for (const auto& f : flows)
    {
        Ptr<RccAlgorithm>& named = f.cc.empty() ? m_algorithm : m_named[f.cc];
        if (!named)
        {
            named = f.cc == m_algorithm->GetCore()->name ? m_algorithm : RccAlgorithm::TryCreate(f.cc, "", &why);
            LabThrowIf(why.empty() ? why : "flow of line " + std::to_string(f.line) + ": " + why);
        }
        if (std::find(used.begin(), used.end(), named) == used.end())
        {
            used.push_back(named);
        }
    }
    for (const auto& algorithm : used)
    {
        SetThresholds(algorithm);
    }
}

// ---------------------------------------------------------------- building

void
Ns3RdmaNetwork::SetAttributes(uint8_t classes)
{
    uint8_t control = QBB_CLASSES - 1;
    while (control > 0 && (classes >> control) & 1u)
    {
        control--; // a class without data, if there is one
    }
    control = (classes >> control) & 1u ? QBB_CLASSES - 1 : control;
    m_maxFrame = m_config.payload + QbbHelper::GetMaxOverhead();
    const bool original = m_config.dialect == Ns3RdmaDialect::ORIGINAL;

    m_helper.SetDeviceAttribute("ControlClass", UintegerValue(control));
    m_helper.SetNicAttribute("ControlClass", UintegerValue(control));
    m_helper.SetNicAttribute("Mtu", UintegerValue(m_config.payload));
    m_helper.SetNicAttribute("AckEvery", UintegerValue(std::max<uint32_t>(m_config.ackInterval, 1)));
    m_helper.SetNicAttribute("ChunkPackets", UintegerValue(m_config.chunk / m_config.payload));
    m_helper.SetNicAttribute("BackToZero", BooleanValue(m_config.backToZero));
    m_helper.SetNicAttribute("AckHighPriority", BooleanValue(original || m_config.ackHighPriority));
    m_helper.SetNicAttribute("LosslessClasses", UintegerValue(m_config.pfc ? classes : 0));
    m_helper.SetSwitchAttribute("ControlClass", UintegerValue(control));
    m_helper.SetSwitchAttribute("MaxFrame", UintegerValue(m_maxFrame));
    m_helper.SetSwitchAttribute("LosslessClasses", UintegerValue(m_config.pfc ? classes : 0));
    m_helper.SetSwitchAttribute("AnswersWithData", BooleanValue(m_config.ackPriorityAtHosts && !original));
    m_helper.SetSwitchAttribute("PauseTime", TimeValue(NanoSeconds(m_config.pauseTime)));
    m_helper.SetSwitchAttribute("EcmpPerPacket", BooleanValue(m_config.packetEcmp));
    if (m_config.loadBalancing) // the defaults of least-queue and flowlet are those of the fork
    {
        const char* rule = m_config.loadBalancing == 2 ? "least-queue" : "flowlet";
        m_helper.SetSwitchAttribute("LoadBalancing", StringValue(rule));
    }
    m_helper.SetSwitchAttribute("StaticThreshold", UintegerValue(m_config.dynamicPfc ? 0 : STATIC_THRESHOLD));
}

/// Buffers as their simulators have them; a headroom that would lose frames becomes what is needed.
void
Ns3RdmaNetwork::SetBuffer(uint8_t classes)
{
    if (m_config.dialect == Ns3RdmaDialect::HPCC || m_config.bufferSize)
    {
        uint64_t nic = 0; // the rate of the first host's first link
        for (uint32_t id = 0; id < m_ports.size() && !nic; id++)
        {
            nic = m_topology.isSwitch[id] || m_ports[id].empty() ? 0 : m_topology.links[m_ports[id][0].link].rate;
        }
        const uint64_t buffer = m_config.bufferSize ? m_config.bufferSize : HPCC_BUFFER;
        m_helper.SetSwitchAttribute("BufferSize", UintegerValue(buffer));
        if (m_config.dialect == Ns3RdmaDialect::HPCC)
        {
            m_helper.SetSwitchAttribute("HeadroomDelays", UintegerValue(HPCC_HEADROOM_DELAYS));
            m_helper.SetSwitchAttribute("AlphaRate", DataRateValue(DataRate(nic)));
            m_helper.SetSwitchAttribute("ResumeGap", UintegerValue(HPCC_RESUME_OFFSET));
        }
        return;
    }
    uint64_t headroom = ORIGINAL_HEADROOM;
    size_t ports = 0;
    for (const auto& l : m_topology.links)
    {
        headroom = std::max(headroom, rcc_mmu_headroom(l.rate, l.delay, m_maxFrame));
    }
    for (uint32_t id = 0; id < m_ports.size(); id++)
    {
        ports = m_topology.isSwitch[id] ? std::max(ports, m_ports[id].size()) : ports;
    }
    const auto pool = std::max<uint64_t>(ORIGINAL_POOL, ports * m_maxFrame);
    const auto lossless = static_cast<uint64_t>(__builtin_popcount(classes));
    m_helper.SetSwitchAttribute("Headroom", UintegerValue(headroom));
    m_helper.SetSwitchAttribute("PoolSize", UintegerValue(pool));
    m_helper.SetSwitchAttribute("BufferSize", UintegerValue(pool + headroom * ports * lossless));
}

std::string
Ns3RdmaNetwork::BufferHint(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology, uint32_t id, uint8_t classes)
{
    const bool hpcc = config.dialect == Ns3RdmaDialect::HPCC;
    const auto lossless = static_cast<uint64_t>(__builtin_popcount(classes));
    const uint32_t frame = config.payload + QbbHelper::GetMaxOverhead();
    uint64_t bytes = 0;
    for (const auto& l : topology.links)
    {
        const double delays = static_cast<double>(l.rate) / 8e9 * static_cast<double>(l.delay) * HPCC_HEADROOM_DELAYS;
        const uint64_t least = rcc_mmu_headroom(l.rate, l.delay, frame);
        const uint64_t ports = (l.a == id ? 1 : 0) + (l.b == id ? 1 : 0);
        bytes += ports * (frame + lossless * std::max(least, hpcc ? static_cast<uint64_t>(delays) : 0));
    }
    const uint64_t mib = (bytes >> 20) + 1;
    return std::string(hpcc ? "; that simulator reserves 3 x delay x rate for each port" : "") +
           "; expected --buffer=" + std::to_string(mib) + "MiB or more" +
           (hpcc ? ", BUFFER_SIZE " + std::to_string(mib) : "");
}

void
Ns3RdmaNetwork::Connect()
{
    const auto n = static_cast<uint32_t>(m_topology.isSwitch.size());
    QbbHelper helper = m_helper;
    helper.MakeCopies();
    m_nodes.Create(n);
    m_nics.resize(n);
    m_switches.resize(n);
    for (uint32_t id = 0; id < n; id++)
    {
        if (m_topology.isSwitch[id])
        {
            m_switches[id] = helper.InstallSwitch(m_nodes.Get(id));
        }
        else
        {
            m_nics[id] = helper.InstallHost(m_nodes.Get(id));
            Ns3RdmaSetReading(m_config, id, m_nics[id]);
        }
    }
    for (size_t i = 0; i < m_topology.links.size(); i++)
    {
        const Ns3RdmaLink& l = m_topology.links[i];
        if (i == 0 || l.rate != m_topology.links[i - 1].rate)
        {
            helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(l.rate)));
        }
        if (i == 0 || l.delay != m_topology.links[i - 1].delay)
        {
            helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(l.delay)));
        }
        Ptr<QbbChannel> channel = helper.Connect(m_nodes.Get(l.a), m_nodes.Get(l.b));
        const double error = l.error > 0 ? l.error : m_config.errorRate;
        if (error > 0)
        {
            channel->SetErrorRate(error, RccStreamOf(m_seed, RccStream::LINK_ERROR, i));
        }
    }
    std::vector<LabPaths::Link> links;
    for (const auto& l : m_topology.links)
    {
        links.push_back(LabPaths::Link{l.a, l.b, l.rate, l.delay});
    }
    m_paths.reset(new LabPaths(m_nodes, links, m_config.payload));
}

void
Ns3RdmaNetwork::ChooseMarkers(const std::vector<Ns3RdmaFlow>& flows)
{
    bool known[QBB_CLASSES][2] = {};
    auto add = [&](uint8_t cls, Ptr<RccAlgorithm> algorithm) {
        const rcc_cp_frames frames = rcc_cp_watches(algorithm->GetCore());
        const auto mark = std::make_pair(cls, algorithm);
        if (frames == RCC_CP_TELEMETRY) // without ECN too, and beside those that mark
        {
            if (std::find(m_marks.begin(), m_marks.end(), mark) == m_marks.end())
            {
                m_marks.push_back(mark);
            }
            return;
        }
        bool& cpKnown = known[cls][frames == RCC_CP_CN_TAGGED];
        if (m_config.ecn && frames != RCC_CP_NONE && !cpKnown)
        {
            cpKnown = true;
            m_marks.push_back(mark);
        }
    };
    for (const auto& f : flows) // the run's own first
    {
        if (AlgorithmOf(f) == m_algorithm)
        {
            add(f.pg, m_algorithm);
        }
    }
    for (const auto& f : flows)
    {
        add(f.pg, AlgorithmOf(f));
    }
}

std::string
Ns3RdmaNetwork::Build(const std::vector<Ns3RdmaFlow>& flows)
{
    const std::string error = LabErrorOf([&] {
        CheckLinks();
        CheckFlows(flows);
        FindAlgorithms(flows);
    });
    if (!error.empty())
    {
        return error;
    }
    m_ports.assign(m_topology.isSwitch.size(), {});
    for (size_t i = 0; i < m_topology.links.size(); i++)
    {
        const Ns3RdmaLink& l = m_topology.links[i];
        m_ports[l.a].push_back(Port{l.b, i});
        m_ports[l.b].push_back(Port{l.a, i});
    }
    uint8_t classes = 0;
    for (const auto& f : flows)
    {
        classes |= static_cast<uint8_t>(1u << f.pg);
    }
    classes = classes ? classes : 1u << QBB_RDMA_CLASS;
    SetAttributes(classes);
    SetBuffer(classes);
    Connect();
    QbbReroute(m_nodes, m_upDown);
    ChooseMarkers(flows);
    for (uint32_t id = 0; id < m_switches.size(); id++)
    {
        if (!m_switches[id])
        {
            continue;
        }
        for (const auto& m : m_marks)
        {
            m_switches[id]->AddMarker(m.first, m.second);
        }
        m_switches[id]->AllowUnmarked(); // with ENABLE_QCN 0 nothing is marked
        const std::string why = m_switches[id]->Start();
        if (!why.empty())
        {
            return "switch " + std::to_string(id) + ": " + why + BufferHint(m_config, m_topology, id, classes);
        }
    }
    m_maxBdp = m_config.hasWindow && m_config.globalWindow ? GetMaxBdp() : 0;
    if (m_config.linkDown)
    {
        Simulator::Schedule(NanoSeconds(m_config.linkDownAt), &Ns3RdmaNetwork::TakeLinkDown, this, m_config.linkDownA,
                            m_config.linkDownB);
    }
    return "";
}

// ---------------------------------------------------------------- flows

Ns3RdmaNetwork::QueuePair
Ns3RdmaNetwork::GetQueuePair(const Ns3RdmaFlow& flow) const
{
    QueuePair qp;
    qp.algorithm = AlgorithmOf(flow);
    if (m_config.hasWindow)
    {
        qp.window = m_config.globalWindow ? m_maxBdp : GetPair(flow.src, flow.dst).Bdp();
        qp.variableWindow = m_config.variableWindow;
    }
    return qp;
}

Ptr<RdmaClient>
Ns3RdmaNetwork::Install(const Ns3RdmaFlow& flow) const
{
    const QueuePair qp = GetQueuePair(flow);
    RdmaClientHelper clients(m_nics[flow.dst], qp.algorithm);
    clients.SetMessageSize(flow.bytes);
    clients.SetTrafficClass(flow.pg);
    clients.SetWindow(qp.window, qp.variableWindow);
    Ptr<RdmaClient> client = clients.Install(m_nodes.Get(flow.src));
    client->SetStartTime(NanoSeconds(flow.start));
    if (flow.stop >= 0)
    {
        client->SetStopTime(NanoSeconds(flow.stop));
    }
    return client;
}

} // namespace ns3
