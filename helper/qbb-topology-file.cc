/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-topology-file.h"

#include "qbb-routing.h"
#include "rcc-rows.h"
#include "rdma-client-helper.h"
#include "rdma-path.h"

#include "ns3/rcc-random.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

const uint64_t NODES_MAX = 65536, ROWS_MAX = 10000000, BYTES_MAX = 1000000000000000000; // an address has 16 bits

void
ReadTopology(RccRows rows, QbbTopologyFile& net)
{
    rows.Next("nodes switches links");
    const size_t n = rows.words.size();
    const bool simai = n == 6 && rows.words[5].find_first_not_of("0123456789") == 0;
    rows.Check(n == 3 || n == 4 || simai, n, "header", "3 or 4 numbers, or SimAI's 5 and a GPU type");
    const uint64_t nodes = rows.ReadWhole("nodes", 0, 1, NODES_MAX);
    const uint64_t nvSwitches = simai ? rows.ReadWhole("NVSwitches", 2, 0, nodes) : 0;
    const uint64_t switches = nvSwitches + rows.ReadWhole("switches", simai ? 3 : 1, 0, nodes - nvSwitches);
    const uint64_t links = rows.ReadWhole("links", simai ? 4 : n - 1, 0, ROWS_MAX);
    rows.ReadWhole(simai ? "GPUs per server" : "tors", n == 4 ? 2 : 1, 0, nodes);
    net.isSwitch.assign(nodes, false);
    net.isNvSwitch.assign(nodes, false);
    for (uint64_t read = 0; read < switches;)
    {
        rows.Next(std::to_string(switches) + " switches");
        for (size_t i = 0; i < rows.words.size(); i++, read++)
        {
            const uint64_t id = rows.ReadWhole("switches", i, 0, nodes - 1);
            rows.Check(read < switches && !net.isSwitch[id], i, "switches", "as many as the header has, each once");
            net.isSwitch[id] = true;
            net.isNvSwitch[id] = read < nvSwitches;
        }
    }
    for (net.links.clear(); net.links.size() < links;)
    {
        rows.Next("as many links as the header has");
        QbbTopologyFile::Link l{};
        const size_t columns = rows.words.size();
        uint64_t loss = 0; // 1e-18
        l.line = rows.line;
        l.a = rows.ReadWhole("src", 0, 0, nodes - 1); // before the columns: it may be prose
        rows.Check(columns == 4 || columns == 5, columns, "row", "src dst rate delay, and error rate or none");
        l.b = rows.ReadWhole("dst", 1, 0, nodes - 1);
        rows.Check(l.a != l.b, 1, "dst", "another node");
        rows.Check(RccParseDataRate(rows.words[2], RCC_LINE_RATE_MAX, &l.rate) && l.rate >= RCC_LINE_RATE_MIN, 2,
                   "rate", "a rate such as 100Gbps, 1Mbps to 16Tbps");
        rows.Check(RccParseTime(rows.words[3], RCC_SECOND, &l.delay), 3, "delay", "a time such as 1us, at most 1s");
        rows.Check(columns == 4 || RccParseNumber(rows.words[4], 18, 1, &loss), 4, "error rate", "a ratio, 0 to 1");
        l.loss = static_cast<double>(loss) / 1e18;
        net.links.push_back(l);
    }
}

void
ReadFlows(RccRows rows, QbbTopologyFile& net)
{
    rows.Next("the number of flows");
    const uint64_t count = rows.ReadWhole("flows", 0, 0, ROWS_MAX);
    const auto isTime = [&](size_t i, uint64_t* ns) { return RccParseNumber(rows.words[i], 9, 1000000, ns); };
    size_t columns = 0;   // the first row has as many
    bool packets = false; // the first row decides for all
    for (net.flows.clear(); net.flows.size() < count;)
    {
        rows.Next("as many flows as the first line has");
        QbbTopologyFile::Flow f{};
        f.line = rows.line;
        f.src = rows.ReadWhole("src", 0, 0, net.isSwitch.size() - 1); // before the columns: it may be prose
        const size_t n = rows.words.size();
        rows.Check(columns ? n == columns : n == 5 || n == 6, n, "row",
                   "src dst pg bytes start, src dst pg dport bytes start or src dst pg packets start stop, all alike");
        uint64_t start = 0, stop = 0, other = 0;
        const bool rises = n == 6 && isTime(4, &start) && isTime(5, &stop) && start < stop;
        const bool both = rises && RccParseWhole(rows.words[3], 65535, &other) &&
                          RccParseWhole(rows.words[4], UINT64_MAX, &other) && other > 0;
        rows.Check(columns || !both, 4, "start", "a time such as 2.0, as dport bytes start may be meant too");
        f.packets = packets = columns ? packets : rises;
        columns = n;
        const size_t size = n == 5 || packets ? 3 : 4;
        f.dst = rows.ReadWhole("dst", 1, 0, net.isSwitch.size() - 1);
        rows.Check(!net.isSwitch[f.src], 0, "src", "a host, not a switch");
        rows.Check(!net.isSwitch[f.dst] && f.src != f.dst, 1, "dst", "another host");
        f.pg = rows.ReadWhole("pg", 2, 0, QBB_CLASSES - 1);
        rows.ReadWhole("dport", size - 1, 0, 65535);
        f.size =
            rows.ReadWhole(packets ? "packets" : "bytes", size, !packets, BYTES_MAX / (packets ? RCC_FRAME_MAX : 1));
        rows.Check(isTime(size + 1, &start), size + 1, "start", "a time in s, at most 1000000");
        rows.Check(!packets || rises, 5, "stop", "a time in s, at most 1000000, after start");
        f.start = start;
        f.stop = packets ? stop : 0;
        net.flows.push_back(f);
    }
}

} // namespace

std::string
QbbTopologyFile::Read(std::istream& topology, const std::string& topologyFile, std::istream& flow,
                      const std::string& flowFile)
{
    topologyName = topologyFile;
    flowsName = flowFile;
    try
    {
        ReadTopology(RccRows(topology, topologyName), *this);
        ReadFlows(RccRows(flow, flowsName), *this);
    }
    catch (const RccRows::Error& error)
    {
        return error.message;
    }
    return "";
}

std::string
QbbTopologyFile::Build(QbbHelper helper, Ptr<RccAlgorithm> algorithm, uint64_t seed)
{
    const auto at = [](const std::string& file, uint32_t line) { return file + ":" + std::to_string(line) + ": "; };
    std::vector<uint8_t> classes; // as flows have them first, which numbers the draws of congestion points
    for (const Flow& f : flows)
    {
        classes.insert(classes.end(), std::count(classes.begin(), classes.end(), f.pg) ? 0 : 1, f.pg);
    }
    helper.SetDataClasses(classes);
    helper.SetSeed(seed);
    helper.MakeCopies();
    nodes = NodeContainer();
    for (uint32_t id = 0; id < isSwitch.size(); id++)
    {
        nodes.Create(1);
        isSwitch[id] ? helper.InstallSwitch(nodes.Get(id))->SetPreferred(isNvSwitch[id])
                     : void(helper.InstallHost(nodes.Get(id)));
    }
    for (size_t i = 0; i < links.size(); i++)
    {
        const std::string why = algorithm->Check(links[i].rate);
        if (!why.empty())
        {
            return at(topologyName, links[i].line) + "rate: " + why;
        }
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(links[i].rate)));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(links[i].delay)));
        const Ptr<QbbChannel> channel = helper.Connect(nodes.Get(links[i].a), nodes.Get(links[i].b));
        if (links[i].loss > 0)
        {
            channel->SetErrorRate(links[i].loss, RccStreamOf(seed, RccStream::LINK_ERROR, i));
        }
    }
    QbbReroute(nodes, false);
    std::set<Ptr<RdmaNic>> nics;
    for (const Flow& f : flows)
    {
        const Ptr<RdmaNic> from = nodes.Get(f.src)->GetObject<RdmaNic>();
        if (RdmaBaseRtt(*from, nodes.Get(f.dst)->GetId()) == 0)
        {
            return at(flowsName, f.line) + "dst: found '" + std::to_string(f.dst) + "', expected a path to it";
        }
        nics.insert({from, nodes.Get(f.dst)->GetObject<RdmaNic>()});
    }
    const int64_t rtt = RdmaSetBaseRtt(std::vector<Ptr<RdmaNic>>(nics.begin(), nics.end()));
    for (const Ptr<QbbSwitch>& sw : QbbGetSwitches(nodes))
    {
        for (uint8_t cls : classes)
        {
            sw->AddMarker(cls, algorithm);
        }
        const std::string why = sw->Start();
        if (!why.empty())
        {
            const uint32_t id = sw->GetObject<Node>()->GetId() - nodes.Get(0)->GetId();
            return topologyName + ": switch " + std::to_string(id) + ": " + why;
        }
        sw->SetBaseRtt(rtt);
    }
    return "";
}

std::vector<Ptr<RdmaClient>>
QbbTopologyFile::Install(Ptr<RccAlgorithm> algorithm) const
{
    std::vector<Ptr<RdmaClient>> clients;
    for (const Flow& f : flows)
    {
        const Ptr<RdmaNic> remote = nodes.Get(f.dst)->GetObject<RdmaNic>();
        UintegerValue mtu;
        remote->GetAttribute("Mtu", mtu);
        RdmaClientHelper helper(remote, algorithm);
        helper.SetMessageSize(f.size * (f.packets ? mtu.Get() : 1));
        helper.SetTrafficClass(f.pg);
        clients.push_back(helper.Create());
        nodes.Get(f.src)->AddApplication(clients.back());
        clients.back()->SetStartTime(NanoSeconds(f.start));
        clients.back()->SetStopTime(NanoSeconds(f.stop)); // 0: none
        clients.back()->Initialize(); // now: flows that start together do so in this order, not in that of the nodes
    }
    return clients;
}

} // namespace ns3
