/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "ns3-rdma-network.h"

#include "ns3-rdma-output.h"
#include "ns3/qbb-routing.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/rcc-random.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

/* Constants of the simulators, for what their files cannot set. */
const uint64_t HPCC_BUFFER = 16u << 20;
const uint32_t HPCC_HEADROOM_DELAYS = 3;
const uint32_t HPCC_HEADER = 48; // that its ideal completion time adds to every packet
const uint64_t ORIGINAL_POOL = 4000 * 1030;
const uint64_t ORIGINAL_HEADROOM = 103000;
const uint64_t STATIC_THRESHOLD = 20 * 1030; // m_pg_shared_limit_cell

std::string
Rate(uint64_t bps)
{
    return RccFormat(RCC_UNIT_BPS, static_cast<int64_t>(bps));
}

/// Entry of a map for a rate, or null.
const int64_t*
Find(const Ns3RdmaRateMap& map, uint64_t rate)
{
    for (const auto& entry : map)
    {
        if (entry.first == rate || entry.first == 0)
        {
            return &entry.second;
        }
    }
    return nullptr;
}

} // namespace

Ns3RdmaNetwork::Ns3RdmaNetwork(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology, uint64_t seed)
    : m_config(config),
      m_topology(topology),
      m_seed(seed)
{
    m_helper.SetSeed(seed);
}

void
Ns3RdmaNetwork::SetAlgorithm(Ptr<RccAlgorithm> algorithm)
{
    m_algorithm = algorithm;
}

void
Ns3RdmaNetwork::AddAlgorithm(Ptr<RccAlgorithm> algorithm)
{
    m_named[algorithm->GetCore()->name] = algorithm;
}

Ptr<RccAlgorithm>
Ns3RdmaNetwork::AlgorithmOf(const Ns3RdmaFlow& flow) const
{
    return flow.cc.empty() ? m_algorithm : m_named.at(flow.cc);
}

// ---------------------------------------------------------------- what is wrong with the input

std::string
Ns3RdmaNetwork::CheckFlows(const std::vector<Ns3RdmaFlow>& flows) const
{
    const auto nodes = static_cast<uint32_t>(m_topology.isSwitch.size());
    for (const auto& f : flows)
    {
        const std::string where = m_config.flowFile + ":" + std::to_string(f.line) + ": ";
        for (uint32_t id : {f.src, f.dst})
        {
            if (id >= nodes || m_topology.isSwitch[id])
            {
                return where + "node " + std::to_string(id) + (id >= nodes ? " does not exist" : " is a switch") +
                       ", expected a host";
            }
            if (m_ports[id].empty())
            {
                return where + "host " + std::to_string(id) + " has no link";
            }
        }
        if (f.src == f.dst)
        {
            return where + "host " + std::to_string(f.src) + " sends to itself";
        }
        if (f.pg >= QBB_CLASSES)
        {
            return where + "priority group " + std::to_string(f.pg) + ", expected 0 to 7";
        }
    }
    return "";
}

/// Of every link at a switch.
std::string
Ns3RdmaNetwork::SetThresholds(Ptr<RccAlgorithm> algorithm) const
{
    std::map<uint64_t, uint32_t> rates; // and the line of the first
    for (const auto& l : m_topology.links)
    {
        if (m_topology.isSwitch[l.a] || m_topology.isSwitch[l.b])
        {
            rates.emplace(l.rate, l.line);
        }
    }
    const struct
    {
        const char *field, *key;
        const Ns3RdmaRateMap& map;
        rcc_unit unit;
    } keys[] = {{"kmin", "KMIN_MAP", m_config.kmin, RCC_UNIT_BYTES},
                {"kmax", "KMAX_MAP", m_config.kmax, RCC_UNIT_BYTES},
                {"pmax", "PMAX_MAP", m_config.pmax, RCC_UNIT_RATIO}};
    for (const auto& k : keys)
    {
        if (k.map.empty() || !algorithm->HasParameter(k.field))
        {
            continue;
        }
        for (const auto& rate : rates)
        {
            const int64_t* value = Find(k.map, rate.first);
            if (!value)
            {
                return m_config.path + ": " + k.key + " has no entry for " + Rate(rate.first) + ", which the link of " +
                       m_topology.path + ":" + std::to_string(rate.second) + " has";
            }
            const std::string why = algorithm->SetParameterAt(rate.first, k.field, RccFormat(k.unit, *value));
            if (!why.empty())
            {
                return why;
            }
        }
    }
    return "";
}

/// Those that flows name, with thresholds, and whether they can work at the rates there are.
std::string
Ns3RdmaNetwork::FindAlgorithms(const std::vector<Ns3RdmaFlow>& flows)
{
    if (!m_algorithm)
    {
        std::string why;
        m_algorithm = RccAlgorithm::TryCreate(m_config.cc.empty() ? "dcqcn" : m_config.cc, m_config.preset, &why);
        if (!m_algorithm)
        {
            return why;
        }
    }
    std::vector<Ptr<RccAlgorithm>> used{m_algorithm};
    for (const auto& f : flows)
    {
        if (f.cc.empty() || (m_named.count(f.cc) && used.back() == m_named[f.cc]))
        {
            continue;
        }
        Ptr<RccAlgorithm>& named = m_named[f.cc];
        std::string why;
        if (!named)
        {
            named = f.cc == m_algorithm->GetCore()->name ? m_algorithm : RccAlgorithm::TryCreate(f.cc, "", &why);
        }
        if (!named)
        {
            return "flow of line " + std::to_string(f.line) + ": " + why;
        }
        if (std::find(used.begin(), used.end(), named) == used.end())
        {
            used.push_back(named);
        }
    }
    for (const auto& algorithm : used)
    {
        const std::string why = SetThresholds(algorithm);
        if (!why.empty())
        {
            return why;
        }
        uint64_t checked = 0;
        for (const auto& l : m_topology.links)
        {
            const std::string wrong = l.rate == checked ? "" : algorithm->Check(l.rate);
            if (!wrong.empty())
            {
                return wrong + " (" + Rate(l.rate) + ", " + m_topology.path + ":" + std::to_string(l.line) + ")";
            }
            checked = l.rate;
        }
    }
    return "";
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
    m_helper.SetSwitchAttribute("ControlClass", UintegerValue(control));
    m_helper.SetSwitchAttribute("MaxFrame", UintegerValue(m_maxFrame));
    m_helper.SetSwitchAttribute("LosslessClasses", UintegerValue(classes));
    m_helper.SetSwitchAttribute("PauseTime", TimeValue(NanoSeconds(m_config.pauseTime)));
    m_helper.SetSwitchAttribute("EcmpPerPacket", BooleanValue(m_config.packetEcmp));
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
        }
        return;
    }
    uint64_t headroom = ORIGINAL_HEADROOM;
    size_t ports = 0;
    for (const auto& l : m_topology.links)
    {
        headroom = std::max(headroom, SwitchMmu::Headroom(SwitchMmu::Port{l.rate, l.delay}, m_maxFrame));
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

void
Ns3RdmaNetwork::Connect()
{
    const auto n = static_cast<uint32_t>(m_topology.isSwitch.size());
    m_nodes.Create(n);
    m_base = n ? m_nodes.Get(0)->GetId() : 0;
    m_nics.resize(n);
    m_switches.resize(n);
    for (uint32_t id = 0; id < n; id++)
    {
        if (m_topology.isSwitch[id])
        {
            m_switches[id] = m_helper.InstallSwitch(m_nodes.Get(id));
        }
        else
        {
            m_nics[id] = m_helper.InstallHost(m_nodes.Get(id));
        }
    }
    for (size_t i = 0; i < m_topology.links.size(); i++)
    {
        const Ns3RdmaLink& l = m_topology.links[i];
        if (i == 0 || l.rate != m_topology.links[i - 1].rate)
        {
            m_helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(l.rate)));
        }
        if (i == 0 || l.delay != m_topology.links[i - 1].delay)
        {
            m_helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(l.delay)));
        }
        Ptr<QbbChannel> channel = m_helper.Connect(m_nodes.Get(l.a), m_nodes.Get(l.b));
        const double error = l.error > 0 ? l.error : m_config.errorRate;
        if (error > 0)
        {
            channel->SetErrorRate(error, RccStreamOf(m_seed, RccStream::LINK_ERROR, i));
        }
        m_channels.push_back(channel);
    }
}

void
Ns3RdmaNetwork::ChooseMarkers(const std::vector<Ns3RdmaFlow>& flows)
{
    bool known[QBB_CLASSES][2] = {};
    auto add = [&](uint8_t cls, Ptr<RccAlgorithm> algorithm) {
        const rcc_cp_frames frames = rcc_cp_watches(algorithm->GetCore());
        bool& cpKnown = known[cls][frames == RCC_CP_CN_TAGGED];
        if (frames != RCC_CP_NONE && !cpKnown)
        {
            cpKnown = true;
            m_marks.emplace_back(cls, algorithm);
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
    m_ports.assign(m_topology.isSwitch.size(), {});
    for (size_t i = 0; i < m_topology.links.size(); i++)
    {
        const Ns3RdmaLink& l = m_topology.links[i];
        m_ports[l.a].push_back(Port{l.b, i});
        m_ports[l.b].push_back(Port{l.a, i});
    }
    std::string why = CheckFlows(flows);
    why = why.empty() ? FindAlgorithms(flows) : why;
    if (!why.empty())
    {
        return why;
    }
    uint8_t classes = 0;
    for (const auto& f : flows)
    {
        classes |= static_cast<uint8_t>(1u << f.pg);
    }
    classes = classes ? classes : 1u << 3;
    SetAttributes(classes);
    SetBuffer(classes);
    Connect();
    QbbSetRoutes(m_nodes, true);
    if (m_config.ecn)
    {
        ChooseMarkers(flows);
    }
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
        why = m_switches[id]->Start();
        if (!why.empty())
        {
            return "switch " + std::to_string(id) + ": " + why;
        }
    }
    for (const auto& f : flows)
    {
        if (GetPath(f.src, f.dst).empty())
        {
            return m_config.flowFile + ":" + std::to_string(f.line) + ": there is no way from host " +
                   std::to_string(f.src) + " to host " + std::to_string(f.dst);
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

Ptr<QbbNetDevice>
Ns3RdmaNetwork::GetPort(uint32_t id, uint32_t interface) const
{
    return m_switches[id] ? m_switches[id]->GetPort(interface - 1) : m_nics[id]->GetPort(interface - 1);
}

void
Ns3RdmaNetwork::TakeLinkDown(uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < m_channels.size(); i++)
    {
        const Ns3RdmaLink& l = m_topology.links[i];
        if (((l.a == a && l.b == b) || (l.a == b && l.b == a)) && !m_channels[i]->IsDown())
        {
            m_channels[i]->TakeDown(RccNow());
        }
    }
    QbbSetRoutes(m_nodes, true);
    for (const auto& nic : m_nics)
    {
        if (nic && nic->GetNPorts() > 1)
        {
            nic->Reroute(RccNow());
        }
    }
}

uint64_t
Ns3RdmaNetwork::GetLostFrames() const
{
    uint64_t lost = 0;
    for (const auto& c : m_channels)
    {
        lost += c->GetLostFrames();
    }
    return lost;
}

// ---------------------------------------------------------------- paths

std::vector<Ns3RdmaNetwork::Hop>
Ns3RdmaNetwork::GetPath(uint32_t src, uint32_t dst, const uint32_t* hash) const
{
    std::vector<Hop> hops;
    const uint32_t host = dst + m_base;
    for (uint32_t at = src; at != dst;)
    {
        uint32_t port = 0;
        if (!m_switches[at])
        {
            if (at != src || m_ports[at].empty())
            {
                return {}; // hosts do not forward
            }
            port = m_nics[at]->PickPort(host, hash ? *hash : 0);
        }
        else
        {
            port = hash ? m_switches[at]->GetOutput(host, *hash) : m_switches[at]->GetFirstOutput(host);
            if (port == m_ports[at].size())
            {
                return {};
            }
        }
        const Ns3RdmaLink& l = m_topology.links[m_ports[at][port].link];
        hops.push_back(Hop{at, port, l.rate, l.delay});
        at = m_ports[at][port].peer;
    }
    return hops;
}

uint64_t
Ns3RdmaNetwork::Pair::Bdp() const
{
    return static_cast<uint64_t>(static_cast<Wide>(rtt) * bottleneck / 1000000000 / 8);
}

uint64_t
Ns3RdmaNetwork::Pair::IdealFct(uint64_t bytes, uint32_t payload) const
{
    const Wide packets = bytes ? (bytes - 1) / payload + 1 : 0;
    return rtt + static_cast<uint64_t>((bytes + packets * HPCC_HEADER) * 8000000000u / bottleneck);
}

Ns3RdmaNetwork::Pair
Ns3RdmaNetwork::GetPair(uint32_t src, uint32_t dst) const
{
    Pair pair;
    for (const Hop& h : GetPath(src, dst))
    {
        pair.rtt += 2 * static_cast<uint64_t>(h.delay) + m_config.payload * 8000000000u / h.rate;
        pair.bottleneck = pair.bottleneck ? std::min(pair.bottleneck, h.rate) : h.rate;
    }
    return pair;
}

uint64_t
Ns3RdmaNetwork::GetMaxBdp() const
{
    // Hosts with equal links to the same nodes are alike: two of each kind stand for all.
    std::map<std::vector<std::pair<uint32_t, std::pair<uint64_t, int64_t>>>, std::vector<uint32_t>> kinds;
    for (uint32_t id = 0; id < m_nics.size(); id++)
    {
        if (!m_nics[id])
        {
            continue;
        }
        std::vector<std::pair<uint32_t, std::pair<uint64_t, int64_t>>> links;
        for (const Port& p : m_ports[id])
        {
            const Ns3RdmaLink& l = m_topology.links[p.link];
            links.push_back({p.peer, {l.rate, l.delay}});
        }
        std::vector<uint32_t>& some = kinds[links];
        if (some.size() < 2)
        {
            some.push_back(id);
        }
    }
    uint64_t most = 0;
    for (const auto& from : kinds)
    {
        for (const auto& to : kinds)
        {
            const uint32_t src = from.second[0];
            const uint32_t dst = src == to.second[0] ? to.second.back() : to.second[0];
            most = src == dst ? most : std::max(most, GetPair(src, dst).Bdp());
        }
    }
    return most;
}

// ---------------------------------------------------------------- flows

RccFlowOptions
Ns3RdmaNetwork::OptionsOf(const Ns3RdmaFlow& flow) const
{
    RccFlowOptions own;
    own.algorithm = AlgorithmOf(flow);
    own.cls = flow.pg;
    own.stop = flow.stop;
    if (m_config.hasWindow)
    {
        own.window = m_config.globalWindow ? m_maxBdp : GetPair(flow.src, flow.dst).Bdp();
        own.variableWindow = m_config.variableWindow;
    }
    return own;
}

Ptr<RdmaClient>
Ns3RdmaNetwork::Install(const Ns3RdmaFlow& flow)
{
    const RccFlowOptions own = OptionsOf(flow);
    auto client = CreateObject<RdmaClient>();
    client->SetAttribute("Remote", PointerValue(m_nics[flow.dst]));
    client->SetAttribute("Algorithm", PointerValue(own.algorithm));
    client->SetAttribute("MessageSize", UintegerValue(flow.bytes));
    client->SetAttribute("TrafficClass", UintegerValue(own.cls));
    client->SetAttribute("Window", UintegerValue(own.window));
    client->SetAttribute("VariableWindow", BooleanValue(own.variableWindow));
    client->SetStartTime(NanoSeconds(flow.start));
    if (flow.stop >= 0)
    {
        client->SetStopTime(NanoSeconds(flow.stop));
    }
    m_nodes.Get(flow.src)->AddApplication(client);
    return client;
}

std::string
Ns3RdmaNetwork::PortName(uint32_t node, uint32_t port) const
{
    const uint32_t peer = m_ports[node][port].peer;
    return (m_switches[node] ? "switch " : "host ") + std::to_string(node) + " interface " + std::to_string(port + 1) +
           " to " + (m_switches[peer] ? "switch " : "host ") + std::to_string(peer);
}

void
Ns3RdmaNetwork::AddTo(RccRun& run, const std::vector<Ns3RdmaFlow>& flows, Ns3RdmaOutput* output)
{
    NS_ABORT_MSG_IF(flows.empty(), "a run needs a flow");
    std::vector<size_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return flows[a].start < flows[b].start; });

    std::vector<std::vector<double>> load(m_ports.size()); // ns that a port needs for what is offered to it
    for (size_t id = 0; id < m_ports.size(); id++)
    {
        load[id].resize(m_ports[id].size());
    }
    std::vector<uint32_t> opened(m_ports.size()); // queue pairs of a host, whose numbers tell their hashes
    std::map<std::vector<std::pair<uint64_t, int64_t>>, uint32_t> paths;
    for (size_t i : order)
    {
        const Ns3RdmaFlow& f = flows[i];
        const uint32_t hash = RdmaNic::HashOf(m_seed, f.src + m_base, opened[f.src]++);
        const std::vector<Hop> way = GetPath(f.src, f.dst, &hash);
        const int64_t until = f.stop >= 0 ? std::min(f.stop, m_config.stop) : m_config.stop;
        const double endless = static_cast<double>(std::max<int64_t>(until - f.start, 0)) / 8e9;
        const double bytes =
            f.bytes ? static_cast<double>(f.bytes + (f.bytes - 1) / m_config.payload * ROCE_OVERHEAD + ROCE_OVERHEAD)
                    : endless * static_cast<double>(way[0].rate);
        std::vector<std::pair<uint64_t, int64_t>> key;
        std::vector<RccHop> hops;
        for (const Hop& h : way)
        {
            load[h.node][h.port] += bytes / static_cast<double>(h.rate);
            key.emplace_back(h.rate, h.delay);
            hops.push_back(RccHop{h.rate, h.delay});
        }
        auto path = paths.find(key);
        if (path == paths.end())
        {
            path = paths.emplace(key, run.AddPath(hops)).first;
        }
        run.AddArrival(m_nics[f.src], m_nics[f.dst], f.start, f.bytes, path->second, OptionsOf(f));
        if (output)
        {
            output->AddFlow(f);
        }
    }
    double most = 0;
    uint32_t node = flows[order[0]].src; // without switches
    uint32_t port = 0;
    for (uint32_t id = 0; id < m_ports.size(); id++)
    {
        for (uint32_t p = 0; m_switches[id] && p < load[id].size(); p++)
        {
            if (load[id][p] > most)
            {
                most = load[id][p];
                node = id;
                port = p;
            }
        }
        if (m_switches[id])
        {
            run.AddStartedSwitch(m_switches[id]);
        }
    }
    if (m_switches[node])
    {
        run.Watch(m_switches[node], port, PortName(node, port));
    }
    else
    {
        run.Watch(m_nics[node]->GetPort(port), PortName(node, port));
    }
}

} // namespace ns3
