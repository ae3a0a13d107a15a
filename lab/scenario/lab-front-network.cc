/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The network of an experiment, and what is done to its ports, from options to records. */
#include "lab-front.h"

#include "ns3/lab-text.h"
#include "ns3/node.h"
#include "ns3/rcc-units.h"
#include "ns3/rcc_switch.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace ns3
{

namespace
{

const uint16_t FIRST_TCP_PORT = 5001;
const size_t TCP_GROUPS_MAX = UINT16_MAX - FIRST_TCP_PORT; // each has a port
const uint32_t SOCKET_BUFFER = 4 << 20;
const uint32_t LEAST_MTU = 576; // of a TCP/IP host
const uint32_t LARGEST_MTU = 9000;
const uint32_t TCP_IP_HEADERS = 52; //!< IPv4 20, TCP 20, timestamps 12
const char TCP_FORM[] = "A-B[:connections=..:start=..:cc=..]";
const char PAUSE_FORM[] = "HOST[:class=..:share=..:every=..:start=..:stop=..]";

/// \return one bit for each class
uint32_t
MaskOfClasses(const std::vector<uint8_t>& classes)
{
    uint32_t mask = 0;
    for (uint8_t cls : classes)
    {
        mask |= 1u << cls;
    }
    return mask;
}

/// \return the type of a variant's objects; exits with status 2 if this ns-3 has none. \param item of --tcp that names
/// it
std::string
FindTcpVariant(const std::string& name, const std::string& item)
{
    const std::pair<std::string, std::string> variants[] = {{"cubic", "ns3::TcpCubic"},
                                                            {"newreno", "ns3::TcpLinuxReno"},
                                                            {"dctcp", "ns3::TcpDctcp"},
                                                            {"bbr", "ns3::TcpBbr"}};
    std::vector<std::string> known;
    for (const auto& variant : variants)
    {
        TypeId type;
        if (TypeId::LookupByNameFailSafe(variant.second, &type))
        {
            known.push_back(variant.first);
            if (variant.first == name)
            {
                return variant.second;
            }
        }
    }
    LabOptions::Fail("--tcp has '" + item + "', expected cc= one of " + RccJoin(known, ", ") + ", which this ns-3 has");
}

} // namespace

// ---------------------------------------------------------------- names of ports

LabFrontPorts::LabFrontPorts(const RunFile& file)
    : m_file(file),
      m_links(file.nodes.size()),
      m_byName(file.nodes.size())
{
    for (uint32_t i = 0; i < file.links.size(); i++)
    {
        const RunLink& l = file.links[i];
        m_portsOf.emplace_back(CountPorts(l.a), CountPorts(l.b));
        m_links[l.a].push_back(i);
        m_links[l.b].push_back(i);
    }
    std::iota(m_byName.begin(), m_byName.end(), 0);
    std::sort(m_byName.begin(), m_byName.end(),
              [&file](uint32_t a, uint32_t b) { return file.nodes[a].name < file.nodes[b].name; });
    for (uint32_t i = 0; i < file.nodes.size(); i++)
    {
        if (file.nodes[i].kind == RunNodeKind::HOST)
        {
            m_hosts.push_back(i);
        }
    }
}

uint32_t
LabFrontPorts::FindNode(const std::string& name) const
{
    const auto found = std::lower_bound(m_byName.begin(), m_byName.end(), name,
                                        [this](uint32_t i, const std::string& n) { return m_file.nodes[i].name < n; });
    return found != m_byName.end() && m_file.nodes[*found].name == name ? *found : RUN_NONE;
}

uint32_t
LabFrontPorts::GetHost(const std::string& option, const std::string& name) const
{
    const uint32_t node = FindNode(name);
    if (node == RUN_NONE || m_file.nodes[node].kind != RunNodeKind::HOST)
    {
        LabOptions::Fail("--" + option + " names '" + name + "', expected a host of --links");
    }
    return node;
}

std::vector<RunNamedPort>
LabFrontPorts::GetPorts(const std::string& option, const std::string& from, const std::string& to) const
{
    std::vector<RunNamedPort> ports;
    const uint32_t a = FindNode(from);
    const uint32_t b = FindNode(to);
    const bool known = a != RUN_NONE && b != RUN_NONE && !LabIsHost(from);
    // from the end with fewer ports: each of thousands of hosts may ask for the port to it
    const uint32_t end = known && CountPorts(b) < CountPorts(a) ? b : a;
    for (size_t i = 0; known && i < m_links[end].size(); i++)
    {
        const uint32_t link = m_links[end][i];
        const RunLink& l = m_file.links[link];
        if ((l.a == a && l.b == b) || (l.a == b && l.b == a))
        {
            RunNamedPort port;
            port.name = from + ">" + to + (ports.empty() ? "" : "#" + std::to_string(ports.size() + 1));
            port.port = RunPort{a, l.a == a ? m_portsOf[link].first : m_portsOf[link].second};
            ports.push_back(port);
        }
    }
    if (ports.empty())
    {
        LabOptions::Fail("--" + option + " names '" + from + ">" + to +
                         "', expected a switch and a neighbour of --links");
    }
    return ports;
}

std::vector<RunNamedPort>
LabFrontPorts::Find(const std::string& option, const std::string& item) const
{
    const size_t at = item.find('>');
    return GetPorts(option, item.substr(0, at), at == std::string::npos ? "" : item.substr(at + 1));
}

std::string
LabFrontPorts::GetNeighbour(uint32_t host) const
{
    if (m_links[host].empty())
    {
        return "";
    }
    const RunLink& l = m_file.links[m_links[host].front()];
    return m_file.nodes[l.a == host ? l.b : l.a].name;
}

uint64_t
LabFrontPorts::GetHostRate() const
{
    uint64_t rate = 0;
    for (uint32_t host : m_hosts)
    {
        for (uint32_t link : m_links[host])
        {
            rate += m_file.links[link].rate;
        }
    }
    return rate / m_hosts.size();
}

// ---------------------------------------------------------------- the network

std::vector<uint8_t>
LabFront::GetClasses(const LabOptions& options, const std::string& option)
{
    std::vector<uint8_t> classes;
    for (const auto& item : options.GetList(option))
    {
        const auto cls = LabOptions::ParseField<uint8_t>(option, item, item, RCC_UNIT_COUNT, 0, QBB_CLASSES - 1);
        const bool twice = std::find(classes.begin(), classes.end(), cls) != classes.end();
        LabOptions::FailItemIf(twice, option, item, "each class once"); // two congestion points would mark twice
        classes.push_back(cls);
    }
    return classes;
}

void
LabFront::ReadNetworkAttributes()
{
    const LabOptions& o = m_options;
    const std::string lossless = std::to_string(MaskOfClasses(GetClasses(o, "lossless")));
    const bool lossy = o.GetFlag("lossy");
    ReadTimeouts();
    AddDefault("QbbSwitch", "BufferSize", std::to_string(o.Get("buffer")));
    AddDefault("RdmaNic", "Mtu", std::to_string(o.Get("mtu")));
    AddDefault("RdmaNic", "AckEvery", std::to_string(o.Get("ack-every")));
    ReadNic();
    AddDefault("QbbSwitch", "LosslessClasses", lossy ? "0" : lossless);
    if (lossy)
    {
        AddDefault("QbbSwitch", "Alpha", "1024"); // beyond what one port could take of the buffer
    }
    AddDefault("RdmaNic", "LosslessClasses", lossy ? "0" : lossless);
    LabExperiment::GetDscpMap(o);
    const std::string map = RccJoin(o.GetList("dscp-map"), ",");
    AddDefault("RdmaNic", "DscpMap", map);
    AddDefault("QbbSwitch", "DscpMap", map);
    AddDefault("QbbNetDevice", "StrictClasses", std::to_string(MaskOfClasses(GetClasses(o, "strict"))));
    const auto& fields = file.algorithms[0].fields;
    const auto base = std::find_if(fields.begin(), fields.end(), [](const std::pair<std::string, int64_t>& field) {
        return field.first == "sample_base";
    });
    if (o.GetFlag("cioq") && base != fields.end())
    {
        AddDefault("CioqSwitch", "KeepAliveBytes", std::to_string(base->second));
    }
}

void
LabFront::ReadNetwork(const LabExperiment& experiment)
{
    const bool cioq = m_options.GetFlag("cioq");
    bool any = false;
    for (const auto& name : experiment.nodes)
    {
        const bool host = LabIsHost(name);
        RunNode node;
        node.kind = host ? RunNodeKind::HOST : cioq ? RunNodeKind::CIOQ : RunNodeKind::SWITCH;
        node.name = name;
        m_options.FailValueIf(cioq && !host && any, "links", "one switch with --cioq");
        any = any || !host;
        file.nodes.push_back(node);
    }
    const LabFrontPorts names(file);
    for (const auto& links : experiment.links)
    {
        RunLink link;
        link.rate = static_cast<uint64_t>(links.rate);
        link.delay = links.delay;
        for (const auto& pair : links.pairs)
        {
            link.a = names.FindNode(pair.first);
            link.b = names.FindNode(pair.second);
            file.links.insert(file.links.end(), links.parallel, link);
        }
    }
}

/// The congestion points of the lossless classes, and of class 3, which is the last.
void
LabFront::ReadMarkers()
{
    std::vector<uint8_t> classes = GetClasses(m_options, "lossless");
    classes.erase(std::remove(classes.begin(), classes.end(), QBB_RDMA_CLASS), classes.end());
    classes.push_back(QBB_RDMA_CLASS);
    for (uint8_t cls : classes)
    {
        RunMarker marker;
        marker.cls = cls;
        file.markers.push_back(marker);
    }
}

void
LabFront::ScaleThresholds()
{
    const int64_t usual = m_options.Get("rate");
    std::set<uint64_t> rates;
    for (const auto& link : file.links)
    {
        const bool ofSwitch =
            file.nodes[link.a].kind == RunNodeKind::SWITCH || file.nodes[link.b].kind == RunNodeKind::SWITCH;
        if (!ofSwitch || link.rate == static_cast<uint64_t>(usual) || !rates.insert(link.rate).second)
        {
            continue;
        }
        for (const char* name : {"kmin", "kmax"})
        {
            if (m_options.IsSet(name))
            {
                const double scale = static_cast<double>(link.rate) / static_cast<double>(usual);
                RunAlgorithmAt at;
                at.rate = link.rate;
                at.field = name;
                at.value = static_cast<int64_t>(static_cast<double>(m_options.Get(name)) * scale);
                file.algorithmsAt.push_back(at);
            }
        }
    }
}

void
LabFront::ReadPolicers(const LabFrontPorts& ports)
{
    std::set<std::string> policed;
    for (const auto& item : m_options.GetList("police"))
    {
        std::vector<std::string> part = LabSplit(item, ':');
        const size_t at = part.empty() ? std::string::npos : part[0].find('>');
        LabOptions::FailItemIf(at == std::string::npos || part.size() < 2 || part.size() > 3, "police", item,
                               "SWITCH>NODE:RATE[:BURST]");
        part.resize(3, "128KB");
        RunPolicer policer;
        policer.rate = LabOptions::ParseField<uint64_t>("police", item, part[1], RCC_UNIT_BPS, RCC_LINE_RATE_MIN,
                                                        RCC_LINE_RATE_MAX);
        policer.burst =
            LabOptions::ParseField<uint64_t>("police", item, part[2], RCC_UNIT_BYTES, 1, RCC_POLICER_BURST_MAX);
        for (const auto& port : ports.GetPorts("police", part[0].substr(0, at), part[0].substr(at + 1)))
        {
            LabOptions::FailItemIf(m_options.GetFlag("cioq"), "police", item, "no --cioq beside it");
            LabOptions::FailItemIf(!policed.insert(port.name).second, "police", item, "each port once");
            policer.port = port.port;
            file.policers.push_back(policer);
        }
    }
}

// ---------------------------------------------------------------- ports that are watched, and that change

/// \param receiver name of the host to whose port the results look, unless --watch names another
void
LabFront::ReadWatch(const std::string& receiver, const LabFrontPorts& ports, bool recorder)
{
    const LabOptions& o = m_options;
    const std::string& watched = o.GetText("watch");
    const uint32_t host = ports.FindNode(receiver);
    RunNamedPort port;
    port.port = RunPort{host, 0}; // of a host without a link, to which there is no path
    if (!watched.empty())
    {
        port = ports.Find("watch", watched).front();
    }
    else if (!ports.GetNeighbour(host).empty())
    {
        port = ports.GetPorts("record", ports.GetNeighbour(host), receiver).front();
    }
    file.watch = port;
    file.watch.name = o.IsSet("watch-as") ? o.GetText("watch-as") : "switch port " + port.name;
    for (const auto& item : o.GetList("bottlenecks"))
    {
        for (const auto& name : LabExpandNames("bottlenecks", item))
        {
            const std::string neighbour = ports.GetNeighbour(ports.GetHost("bottlenecks", name));
            const std::vector<RunNamedPort> some = ports.GetPorts("bottlenecks", neighbour, name);
            file.bottlenecks.insert(file.bottlenecks.end(), some.begin(), some.end());
        }
    }
    ReadSteps(ports);
    std::set<std::string> recorded;
    const auto record = [this, &recorded](const std::vector<RunNamedPort>& some) {
        for (const auto& one : some)
        {
            if (recorded.insert(one.name).second)
            {
                file.recordedPorts.push_back(one);
            }
        }
    };
    for (const auto& item : o.GetList("record"))
    {
        const std::vector<RunNamedPort> some = ports.Find("record", item);
        record(some);
    }
    if (recorder)
    {
        record({port});
    }
}

/// \return a rate of a list's item, at most --rate
uint64_t
LabFront::ReadRate(const std::string& option, const std::string& item, const std::string& text) const
{
    int64_t rate = 0;
    const bool wrong = !RccParse(RCC_UNIT_BPS, text, &rate).empty() || rate < static_cast<int64_t>(RCC_LINE_RATE_MIN) ||
                       rate > m_options.Get("rate");
    LabOptions::FailItemIf(wrong, option, item,
                           RccFormat(RCC_UNIT_BPS, RCC_LINE_RATE_MIN) + " to --rate, '" + m_options.GetText("rate") +
                               "'");
    return static_cast<uint64_t>(rate);
}

/// The rates of --phases, of the watched port, and of --steps, of others.
void
LabFront::ReadSteps(const LabFrontPorts& ports)
{
    for (const auto& item : m_options.GetList("phases"))
    {
        const std::vector<std::string> part = LabSplit(item, ':');
        RunPhase phase;
        const auto failIf = [&item](bool wrong, const std::string& expected) {
            LabOptions::FailItemIf(wrong, "phases", item, expected);
        };
        failIf(part.size() != 2 || !RccParse(RCC_UNIT_NS, part[0], &phase.at).empty(), "TIME:RATE such as 2s:0.2Gbps");
        failIf(file.phases.empty() && phase.at != 0, "0s for the first");
        failIf(!file.phases.empty() && phase.at <= file.phases.back().at, "a time after the one before");
        failIf(phase.at >= file.time, "a time before --time, '" + m_options.GetText("time") + "'");
        phase.rate = ReadRate("phases", item, part[1]);
        file.phases.push_back(phase);
    }
    for (const auto& item : m_options.GetList("steps"))
    {
        const std::vector<std::string> part = LabSplit(item, ':');
        LabOptions::FailItemIf(part.size() != 3, "steps", item, "SWITCH>NODE:TIME:RATE");
        RunRate step;
        step.at = LabOptions::ParseField("steps", item, part[1], RCC_UNIT_NS, 0, 1000 * RCC_SECOND);
        step.rate = ReadRate("steps", item, part[2]);
        for (const auto& port : ports.Find("steps", part[0]))
        {
            step.port = port.port;
            file.rates.push_back(step);
            words.rates.push_back("--steps=" + item);
        }
    }
}

// ---------------------------------------------------------------- what hosts do beside their flows

void
LabFront::ReadEndPoints(const LabFrontPorts& ports)
{
    for (const auto& item : m_options.GetList("lose"))
    {
        const std::vector<std::string> part = LabSplit(item, ':');
        uint64_t packet = 0;
        LabOptions::FailItemIf(part.size() != 2 || !RccParseWhole(part[1], UINT32_MAX, &packet), "lose", item,
                               "HOST:PACKET");
        m_options.FailValueIf(m_options.IsSet("faults"), "lose", "none beside --faults");
        RunLose lose;
        lose.node = ports.GetHost("lose", part[0]);
        lose.packet = static_cast<uint32_t>(packet);
        file.losses.push_back(lose);
    }
    for (const auto& item : m_options.GetList("pause"))
    {
        int64_t cls = QBB_RDMA_CLASS;
        int64_t share = RCC_RATIO_ONE;
        RunPause p;
        p.every = 100000;
        p.node = ports.GetHost("pause", item.substr(0, item.find(':')));
        LabOptions::ParseKeys("pause", item,
                              {{"class", RCC_UNIT_COUNT, 0, QBB_CLASSES - 1, &cls, nullptr},
                               {"share", RCC_UNIT_RATIO, 1, RCC_RATIO_ONE, &share, nullptr},
                               {"every", RCC_UNIT_NS, 1000, 1000 * RCC_SECOND, &p.every, nullptr},
                               {"start", RCC_UNIT_NS, 0, 1000 * RCC_SECOND, &p.start, nullptr},
                               {"stop", RCC_UNIT_NS, 0, 1000 * RCC_SECOND, &p.stop, nullptr}},
                              PAUSE_FORM);
        p.cls = static_cast<uint32_t>(cls);
        p.share = static_cast<uint32_t>(share);
        file.pauses.push_back(p);
        words.pauses.push_back("--pause=" + item);
    }
}

/// What the nodes and sockets of ns-3's stack are made with.
void
LabFront::ReadTcpAttributes()
{
    if (m_options.GetList("tcp").empty())
    {
        return;
    }
    const auto mtu = static_cast<uint32_t>(LabAttributes::GetDefault("QbbNetDevice", "Mtu"));
    LabOptions::FailItemIf(mtu < LEAST_MTU || mtu > LARGEST_MTU, "attr", "QbbNetDevice.Mtu=" + std::to_string(mtu),
                           std::to_string(LEAST_MTU) + " to " + std::to_string(LARGEST_MTU) + " beside --tcp");
    AddDefault("TcpSocket", "SegmentSize", std::to_string(mtu - TCP_IP_HEADERS));
    AddDefault("TcpSocket", "SndBufSize", std::to_string(SOCKET_BUFFER));
    AddDefault("TcpSocket", "RcvBufSize", std::to_string(SOCKET_BUFFER));
    AddDefault("TcpSocketBase", "MinRto", "200ms");
}

void
LabFront::ReadTcp(const LabFrontPorts& ports)
{
    for (const auto& item : m_options.GetList("tcp"))
    {
        int64_t connections = 1;
        RunTcp tcp;
        std::string variant;
        LabOptions::ParseKeys("tcp", item,
                              {{"connections", RCC_UNIT_COUNT, 1, 10000, &connections, nullptr},
                               {"start", RCC_UNIT_NS, 0, 1000 * RCC_SECOND, &tcp.start, nullptr},
                               {"cc", RCC_UNIT_COUNT, 0, 0, nullptr, &variant}},
                              TCP_FORM);
        const bool own = !variant.empty() || !m_options.GetAttributes().Find("TcpL4Protocol.SocketType");
        tcp.connections = static_cast<uint32_t>(connections);
        tcp.control = own ? FindTcpVariant(variant.empty() ? "cubic" : variant, item) : "";
        const auto pairs = LabExpandFlows("tcp", item.substr(0, item.find(':')));
        LabOptions::FailItemIf(file.tcp.size() + pairs.size() > TCP_GROUPS_MAX, "tcp", item,
                               "at most " + std::to_string(TCP_GROUPS_MAX) + " pairs of hosts in all");
        for (const auto& pair : pairs)
        {
            tcp.from = ports.GetHost("tcp", pair.first);
            tcp.to = ports.GetHost("tcp", pair.second);
            tcp.port = static_cast<uint16_t>(FIRST_TCP_PORT + file.tcp.size());
            tcp.name = pair.first + "-" + pair.second;
            file.tcp.push_back(tcp);
            words.tcp.push_back("--tcp=" + item);
        }
    }
    for (uint32_t host : file.tcp.empty() ? std::vector<uint32_t>() : ports.GetHosts())
    {
        RunInternet one;
        one.node = host;
        file.internet.push_back(one);
    }
}

} // namespace ns3
