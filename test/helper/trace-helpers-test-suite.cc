/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbHelper's pcap and ASCII files, and the report of flows. */
#include "rcc-test-folder.h"
#include "rcc-test-net.h"

#include "ns3/data-rate.h"
#include "ns3/integer.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-pcap.h"
#include "ns3/rdma-flow-report.h"
#include "ns3/rdma-path.h"
#include "ns3/simple-net-device.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

/// Three hosts, two messages to the third.
struct Net : RccTestStar
{
    Ptr<RccAlgorithm> algorithm;

    Net()
    {
        Build(3, 10 * G, 1000);
        algorithm = RccAlgorithm::Create("dcqcn");
        sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(sw->Start(), "", "");
    }

    void Go()
    {
        Send(0, 2, algorithm, 100000);
        Send(1, 2, algorithm, 200000);
        RccRunTo(3000000);
    }
};

/// EnablePcap in its forms: the files are RccPcap's, under ns-3's names, and several of one port do not disturb.
void
Pcap()
{
    RccTestFolder folder;
    {
        Net net;
        const uint32_t sw = net.sw->GetPort(0)->GetNode()->GetId();
        Ptr<SimpleNetDevice> other = CreateObject<SimpleNetDevice>(); // EnablePcapAll passes over it
        net.nodes[0]->AddDevice(other);
        RccPcap own;
        RCC_CHECK_EQ(own.EnablePcap(net.sw->GetPort(2), folder.Name("own.pcap")), "", "");
        net.helper.EnablePcap(folder.Name("named.pcap"), net.sw->GetPort(2), false, true);
        net.helper.EnablePcapAll(folder.Name("all"));
        for (const char* port : {"-0", "-1", "-2"})
        {
            folder.Name("all-" + std::to_string(sw) + port + ".pcap");
        }
        for (const auto& node : net.nodes)
        {
            folder.Name("all-" + std::to_string(node->GetId()) + "-0.pcap");
        }
        net.Go();
        RCC_CHECK_EQ(own.Close(), "", "");
        Simulator::Destroy();
        const std::string expected = RccTestFolder::Read(folder.Name("own.pcap"));
        RCC_CHECK_GE(expected.size(), 300000, "");
        RCC_CHECK(RccTestFolder::Read(folder.Name("named.pcap")) == expected, "an explicit name");
        RCC_CHECK(RccTestFolder::Read(folder.Name("all-" + std::to_string(sw) + "-2.pcap")) == expected, "ns-3's name");
        const std::string sender =
            RccTestFolder::Read(folder.Name("all-" + std::to_string(net.nodes[0]->GetId()) + "-0.pcap"));
        RCC_CHECK_GE(sender.size(), 100000, "");
        RCC_CHECK_LE(sender.size(), 150000, "");
        std::ifstream none(folder.Name("all-" + std::to_string(net.nodes[0]->GetId()) + "-1.pcap"));
        RCC_CHECK(!none.is_open(), "no file for a device that is none of ours");
    }
}

/// Lines of an ASCII file by event and by event and kind; how many have not four columns or more.
struct Ascii
{
    std::map<std::string, uint64_t> count;
    uint64_t odd{0};
    std::string last;

    Ascii(const std::string& name, bool context)
    {
        for (const auto& line : RccTestFolder::Lines(name))
        {
            std::istringstream in(line);
            std::string what, time, path, kind, source;
            in >> what >> time;
            if (context)
            {
                in >> path;
                static const std::map<std::string, std::string> sources = {
                    {"+", "/Enqueue"}, {"-", "/Dequeue"}, {"r", "/Receive"}, {"d", "/Drop"}};
                const auto expected = sources.find(what);
                odd += expected == sources.end() ||
                       path.find("/$ns3::QbbNetDevice" + expected->second) == std::string::npos;
            }
            in >> kind;
            odd += time.size() < 11 || time < last; // times below 10 s have one length
            last = time;
            count[what]++;
            count[what + kind]++;
        }
    }
};

void
AsciiFiles()
{
    RccTestFolder folder;
    const std::string one = folder.Name("one.tr");
    const std::string all = folder.Name("all.tr");
    Net net;
    const uint32_t sw = net.sw->GetPort(0)->GetNode()->GetId();
    const std::string prefix = folder.Name("port");
    const std::string ofPort = folder.Name("port-" + std::to_string(sw) + "-2.tr");
    AsciiTraceHelper ascii;
    net.helper.EnableAscii(one, net.sw->GetPort(2), true);
    net.helper.EnableAscii(prefix, net.sw->GetPort(2));
    net.helper.EnableAsciiAll(ascii.CreateFileStream(all));
    net.Go();
    const QbbPortCounters port = net.sw->GetPort(2)->GetCounters();
    uint64_t tx = 0;
    uint64_t rx = 0;
    for (uint32_t i = 0; i < 3; i++)
    {
        tx += net.sw->GetPort(i)->GetCounters().txFrames + net.nics[i]->GetPort(0)->GetCounters().txFrames;
        rx += net.sw->GetPort(i)->GetCounters().rxFrames + net.nics[i]->GetPort(0)->GetCounters().rxFrames;
    }
    Simulator::Destroy();
    Ascii p(one, false);
    RCC_CHECK_EQ(p.odd, 0, "");
    RCC_CHECK_EQ(p.count["+"], port.txFrames, "");
    RCC_CHECK_EQ(p.count["-"], port.txFrames, "");
    RCC_CHECK_EQ(p.count["r"], port.rxFrames, "");
    RCC_CHECK_EQ(p.count["-DATA"], 300, "");
    RCC_CHECK_GE(p.count["rACK"], 2, "");
    RCC_CHECK(RccTestFolder::Read(ofPort) == RccTestFolder::Read(one), "under ns-3's name");
    Ascii a(all, true);
    RCC_CHECK_EQ(a.odd, 0, "");
    RCC_CHECK_EQ(a.count["+"], tx, "a NIC's data has both lines");
    RCC_CHECK_EQ(a.count["-"], tx, "");
    RCC_CHECK_EQ(a.count["r"], rx, "");
    const std::string first = RccTestFolder::Lines(one).front();
    RCC_CHECK_EQ(first,
                 "+ 0.000001849 DATA src=" + std::to_string(net.nodes[0]->GetId()) + " dst=" +
                     std::to_string(net.nodes[2]->GetId()) + " qp=0>0 psn=0 bytes=1062 class=3 ecn=ECT0 ack=0",
                 "");
}

std::vector<std::string>
Split(const std::string& row)
{
    std::vector<std::string> cells;
    std::istringstream in(row + ",");
    for (std::string cell; std::getline(in, cell, ',');)
    {
        cells.push_back(cell);
    }
    return cells;
}

enum Column
{
    SOURCE,
    DESTINATION,
    QP,
    ALGORITHM,
    BYTES,
    START,
    END,
    FCT,
    GOODPUT,
    RETRANSMITTED,
    CNPS,
    CNMS,
    IDEAL,
    SLOWDOWN,
    STATE,
    COLUMNS
};

/// Rows of a report, without its header.
std::vector<std::vector<std::string>>
Rows(const std::string& name)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto& line : RccTestFolder::Lines(name))
    {
        rows.push_back(Split(line));
        RCC_CHECK_EQ(rows.back().size(), COLUMNS, line);
    }
    RCC_CHECK_EQ(rows.front()[STATE], "state", "");
    rows.erase(rows.begin());
    return rows;
}

void
FlowReport()
{
    RccTestFolder folder;
    const std::string name = folder.Name("flows.csv");
    RccTestStar star;
    star.Build(3, 10 * G, 1000);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    star.sw->AddMarker(3, algorithm);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    int seen = 0; // transmissions of packet 10, the first of which is lost
    RccTestLoss loss([&](const RccFrame& f) { return f.kind == RccFrameKind::DATA && f.psn == 10 && ++seen == 1; });
    star.Link(1)->SetDisturbance(&loss);
    std::unique_ptr<RdmaFlowReport> report(new RdmaFlowReport(name));
    NodeContainer hosts;
    for (const auto& node : star.nodes)
    {
        hosts.Add(node);
    }
    report->Install(hosts);
    report->Install(hosts); // again: nothing is there twice

    star.Send(0, 2, algorithm, 1000000); // alone
    RccRunTo(2000000);
    RCC_CHECK_EQ(report->GetRows(), 1, "a row is there when its message ends");
    star.Send(1, 0, RccAlgorithm::Create("none"), 50000); // loses a packet
    RccRunTo(4000000);
    const uint32_t a = star.Send(0, 2, algorithm, 1000000); // meet at host 2
    const uint32_t b = star.Send(1, 2, algorithm, 1000000);
    RccRunTo(30000000);
    const uint64_t cnps = star.nics[0]->GetSendQp(a).cnpsReceived;
    const int64_t fct = star.nics[1]->GetSendQp(b).finished - star.nics[1]->GetSendQp(b).started;
    const uint32_t cut = star.Send(0, 1, algorithm, 100000000);
    star.Send(2, 1, algorithm, 0);
    RccRunTo(31000000);
    star.nics[0]->Close(cut);
    RCC_CHECK_EQ(report->Close(), "", "");
    RCC_CHECK_EQ(report->Close(), "", "a second time");
    RCC_CHECK_EQ(report->GetRows(), 6, "");

    const auto rows = Rows(name);
    RCC_CHECK_EQ(rows.size(), 6, "");
    const auto id = [&](size_t host) { return std::to_string(star.nodes[host]->GetId()); };
    RCC_CHECK_EQ(rows[0][SOURCE], id(0), "");
    RCC_CHECK_EQ(rows[0][DESTINATION], id(2), "");
    RCC_CHECK_EQ(rows[0][ALGORITHM], "dcqcn", "");
    RCC_CHECK_EQ(rows[0][BYTES], "1000000", "");
    RCC_CHECK_EQ(rows[0][STATE], "done", "");
    RCC_CHECK_NEAR(std::stod(rows[0][SLOWDOWN]), 1, 0.001, "a message alone at line rate");
    RCC_CHECK_NEAR(std::stod(rows[0][END]) - std::stod(rows[0][START]), std::stod(rows[0][FCT]), 1e-12, "");
    RCC_CHECK_NEAR(std::stod(rows[0][GOODPUT]), 8e6 / std::stod(rows[0][FCT]), 100, "");
    RCC_CHECK_EQ(rows[0][RETRANSMITTED], "0", "");
    RCC_CHECK_EQ(rows[1][ALGORITHM], "none", "");
    RCC_CHECK_EQ(rows[1][RETRANSMITTED],
                 std::to_string(star.nics[1]->GetSendQp(0).packetsSent - star.nics[1]->GetSendQp(0).tx.highest), "");
    RCC_CHECK_GE(std::stoi(rows[1][RETRANSMITTED]), 1, "");
    RCC_CHECK_GE(std::stod(rows[1][SLOWDOWN]), 1.01, "what was lost costs time");
    for (size_t r : {2, 3})
    {
        const bool isA = rows[r][SOURCE] == id(0);
        RCC_CHECK_GE(std::stod(rows[r][SLOWDOWN]), 1.5, "two share a link");
        if (isA)
        {
            RCC_CHECK_EQ(rows[r][CNPS], std::to_string(cnps), "");
            RCC_CHECK_GE(cnps, 1, "");
        }
        else
        {
            RCC_CHECK_NEAR(std::stod(rows[r][FCT]) * 1e9, fct, 0.5, "");
        }
    }
    RCC_CHECK_EQ(rows[4][STATE], "closed", "");
    RCC_CHECK_EQ(rows[4][END], "", "");
    RCC_CHECK_EQ(rows[4][SLOWDOWN], "", "");
    RCC_CHECK_GE(std::stod(rows[4][GOODPUT]), 1e9, "what was acknowledged until then");
    RCC_CHECK_LE(std::stod(rows[4][GOODPUT]), 10e9, "");
    RCC_CHECK_EQ(rows[5][STATE], "running", "");
    RCC_CHECK_EQ(rows[5][BYTES], "0", "");
    RCC_CHECK_EQ(rows[5][IDEAL], "", "a message without end has none");
}

/// Closed after the simulation: the rows are whole, what was not read is empty.
void
FlowReportAfterwards()
{
    RccTestFolder folder;
    const std::string name = folder.Name("flows.csv");
    {
        RdmaFlowReport report(name);
        RccTestStar star;
        star.Build(2, 10 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        report.Install(NodeContainer::GetGlobal()); // a switch among them
        star.Send(0, 1, RccAlgorithm::Create("none"), 0);
        RccRunTo(100000);
        Simulator::Destroy();
    }
    const auto rows = Rows(name);
    RCC_CHECK_EQ(rows.size(), 1, "");
    RCC_CHECK_EQ(rows[0][STATE], "running", "");
    RCC_CHECK_EQ(rows[0][ALGORITHM], "none", "");
    RCC_CHECK_EQ(rows[0][GOODPUT], "", "");
}

/// A queue pair that has given up is no longer running, and neither are the messages behind.
void
FlowReportFailed()
{
    RccTestFolder folder;
    RccTestStar star;
    star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    star.helper.SetNicAttribute("RetryLimit", UintegerValue(2));
    star.Build(2, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    RccTestLoss loss([](const RccFrame& f) { return f.kind == RccFrameKind::DATA && f.psn >= 10; });
    star.Link(0)->SetDisturbance(&loss);
    RdmaFlowReport report(folder.Name("flows.csv"));
    report.Install(NodeContainer(star.nodes[0]));
    const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("none"), 20000);
    star.nics[0]->Post(qp, 5000, RdmaCompletion());
    RccRunTo(2000000);
    RCC_CHECK(star.nics[0]->GetSendQp(qp).tx.failed, "");
    RCC_CHECK_EQ(report.GetRows(), 2, "rows are there when the queue pair fails");
    star.nics[0]->Close(qp);
    RCC_CHECK_EQ(report.Close(), "", "");
    const auto rows = Rows(folder.Name("flows.csv"));
    RCC_CHECK_EQ(rows.size(), 2, "");
    RCC_CHECK_EQ(rows[0][STATE], "failed", "");
    RCC_CHECK_EQ(rows[0][END], "", "");
    RCC_CHECK_EQ(rows[1][BYTES], "5000", "");
    RCC_CHECK_EQ(rows[1][STATE], "failed", "");
}

/// The ideal time has the tag and the RETH that the frames have: a message that is alone has slowdown 1.
void
FlowReportOverheads()
{
    for (int vlan : {-1, 5})
    {
        for (bool write : {false, true})
        {
            RccTestFolder folder;
            RccTestStar star;
            star.helper.SetDeviceAttribute("VlanId", IntegerValue(vlan));
            star.helper.SetNicAttribute("Write", BooleanValue(write));
            star.helper.SetSwitchAttribute("MaxFrame", UintegerValue(1100));
            star.Build(2, 10 * G, 1000);
            RCC_CHECK_EQ(star.sw->Start(), "", "");
            RdmaFlowReport report(folder.Name("flows.csv"));
            report.Install(NodeContainer(star.nodes[0]));
            star.Send(0, 1, RccAlgorithm::Create("none"), 100000);
            RccRunTo(1000000);
            RCC_CHECK_EQ(report.Close(), "", "");
            const auto rows = Rows(folder.Name("flows.csv"));
            RCC_CHECK_EQ(rows.size(), 1, "");
            RCC_CHECK_EQ(rows[0][SLOWDOWN], "1", "VLAN " << vlan << ", write " << write);
            Simulator::Destroy();
        }
    }
}

/// A message that is alone takes its ideal time, with a gap between frames too.
void
IdealWithGap()
{
    for (const uint32_t gap : {0u, 20u, 200u})
    {
        for (const auto& links : std::vector<std::pair<uint64_t, uint32_t>>{
                 {10 * G, 0}, {25 * G, 0}, {40 * G, 0}, {25 * G, 64}, {10 * G, 64}}) // second one's rate; CutThrough
        {
            for (const uint64_t bytes : {1ull, 1000ull, 2500ull, 1000000ull})
            {
                RccTestStar star;
                star.helper.SetDeviceAttribute("InterframeGap", UintegerValue(gap));
                star.helper.SetSwitchAttribute("CutThrough", UintegerValue(links.second));
                star.Build({25 * G, links.first}, {1000, 3000});
                RCC_CHECK_EQ(star.sw->Start(), "", "");
                const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("none"), bytes);
                Simulator::Run();
                const RdmaSendQp& half = star.nics[0]->GetSendQp(qp);
                const int64_t ideal = RccIdealFct(RdmaPathOf(*star.nics[0], half), bytes, 1000, 64);
                RCC_CHECK_EQ(half.finished - half.started, ideal,
                             bytes << " bytes, gap " << gap << ", second link " << links.first << ", cut "
                                   << links.second);
                Simulator::Destroy();
            }
        }
    }
}

/// One direction of links in a row: when the last bit of each of its frames is at the end. Floating point, no core.
class RowOfLinks
{
  public:
    explicit RowOfLinks(const std::vector<RccHop>& hops) : m_hops(hops), m_free(hops.size())
    {
    }

    /// \param at ns when the frame is ready \param bytes of it \return ns when it has come
    double Cross(double at, double bytes)
    {
        for (size_t i = 0; i < m_hops.size(); i++)
        {
            const RccHop& hop = m_hops[i];
            const double perByte = 8e9 / static_cast<double>(hop.rate);
            const double begin = std::max(at, m_free[i]);
            const bool cuts = i + 1 < m_hops.size() && hop.header && m_hops[i + 1].rate <= hop.rate;
            m_free[i] = begin + (bytes + hop.gap) * perByte;
            at =
                begin + (cuts ? std::min<double>(hop.header, bytes) : bytes) * perByte + static_cast<double>(hop.delay);
        }
        return at;
    }

  private:
    std::vector<RccHop> m_hops;
    std::vector<double> m_free; //!< ns when each link is, with its gap
};

/// Completion time of a message, frame by frame. \param back the links of the answers
double
FrameByFrame(const std::vector<RccHop>& path, const std::vector<RccHop>& back, uint64_t bytes)
{
    RowOfLinks forth(path), answers(back);
    double last = 0;
    for (uint64_t sent = 0, packet = 1; sent < bytes; packet++)
    {
        const uint64_t payload = std::min<uint64_t>(bytes - sent, 1000);
        const double came = forth.Cross(0, static_cast<double>(payload + ROCE_OVERHEAD));
        sent += payload;
        last = packet % 64 == 0 || sent == bytes ? answers.Cross(came, ROCE_ACK_BYTES) : last;
    }
    return last;
}

/// Hosts at the ends of a row of switches, and a message from the first one to the last. \return how it is sent
const RdmaSendQp&
SendThrough(NodeContainer& nodes, const std::vector<RccHop>& links, uint64_t bytes)
{
    QbbHelper helper;
    nodes.Create(static_cast<uint32_t>(links.size()) + 1);
    const uint32_t last = nodes.GetN() - 1;
    for (uint32_t i = 0; i <= last; i++)
    {
        helper.SetSwitchAttribute("CutThrough", UintegerValue(links[0].header));
        i % last ? static_cast<void>(helper.InstallSwitch(nodes.Get(i)))
                 : static_cast<void>(helper.InstallHost(nodes.Get(i)));
    }
    for (uint32_t i = 0; i < last; i++)
    {
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(links[i].rate)));
        helper.SetDeviceAttribute("InterframeGap", UintegerValue(links[i].gap));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(links[i].delay)));
        helper.Connect(nodes.Get(i), nodes.Get(i + 1));
    }
    RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "");
    for (const auto& sw : QbbGetSwitches(nodes))
    {
        RCC_CHECK_EQ(sw->Start(), "", "");
    }
    const Ptr<RdmaNic> from = nodes.Get(0)->GetObject<RdmaNic>();
    const Ptr<RdmaNic> to = nodes.Get(last)->GetObject<RdmaNic>();
    const uint32_t qp = RdmaNic::Connect(from, to, RccAlgorithm::Create("none"), 3);
    from->Post(qp, bytes, MakeNullCallback<void, uint32_t>());
    Simulator::Run();
    return from->GetSendQp(qp);
}

/// Links with gaps of their own: a packet is held up by the link that needs most time for it with its gap, which need
/// not be the slowest one. Against frames that are followed one by one, and a message in the simulator.
void
IdealWithSeveralGaps()
{
    const std::vector<std::vector<std::pair<uint64_t, uint32_t>>> paths = {
        {{25 * G, 20}, {25 * G, 0}},
        {{25 * G, 0}, {25 * G, 20}},
        {{10 * G, 0}, {11 * G, 200}},
        {{11 * G, 200}, {10 * G, 0}},
        {{40 * G, 255}, {10 * G, 20}},
        {{10 * G, 20}, {40 * G, 255}},
        {{25 * G, 8}, {10 * G, 20}, {11 * G, 200}, {25 * G, 0}}};
    for (const auto& path : paths)
    {
        for (const uint32_t cut : {0u, 64u})
        {
            std::vector<RccHop> links;
            for (const auto& link : path)
            {
                links.emplace_back(link.first, 1000 + 700 * static_cast<int64_t>(links.size()), cut, link.second);
            }
            const std::vector<RccHop> back(links.rbegin(), links.rend());
            for (const uint64_t bytes : {1ull, 1000ull, 2500ull, 64000ull, 1000000ull})
            {
                NodeContainer nodes;
                const RdmaSendQp& half = SendThrough(nodes, links, bytes);
                const auto whole = static_cast<double>(half.finished - half.started);
                const auto ideal = static_cast<double>(
                    RccIdealFct(RdmaPathOf(*nodes.Get(0)->GetObject<RdmaNic>(), half), bytes, 1000, 64));
                const std::string what = std::to_string(bytes) + " bytes, cut " + std::to_string(cut) + ", path " +
                                         std::to_string(&path - paths.data());
                RCC_CHECK_NEAR(ideal, FrameByFrame(links, back, bytes), 10,
                               what << ", by hand"); // rounded in each link
                RCC_CHECK_EQ(ideal, whole, what << ", simulated");
                Simulator::Destroy();
            }
        }
    }
}

/// The gap of one end of a path alone: that of the way back, which its owner does not know, is that of the way forth.
void
IdealWithTheNicsGap()
{
    RccTestStar star;
    star.Build({25 * G, 25 * G}, {1000, 1000});
    star.nics[0]->GetPort(0)->SetAttribute("InterframeGap", UintegerValue(20));
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("none"), 1000000);
    Simulator::Run();
    const RdmaSendQp& half = star.nics[0]->GetSendQp(qp);
    const int64_t ideal = RccIdealFct(RdmaPathOf(*star.nics[0], half), 1000000, 1000, 64);
    RCC_CHECK_EQ(half.finished - half.started, ideal, "");
}

/// Where LoadBalancing has a rule for a class, the path of a flow of it is known: alone it takes its ideal time, a
/// tenth of that of the other path.
void
PathsOfAClass()
{
    QbbHelper helper;
    helper.SetSwitchAttribute("LoadBalancing", StringValue("4:weighted"));
    NodeContainer nodes;
    nodes.Create(6); // hosts 0 and 1, switches 2 to 5, of which 3 and 4 are alternatives
    const Ptr<RdmaNic> from = helper.InstallHost(nodes.Get(0));
    const Ptr<RdmaNic> to = helper.InstallHost(nodes.Get(1));
    for (uint32_t s = 2; s < 6; s++)
    {
        helper.InstallSwitch(nodes.Get(s));
    }
    for (const auto& link : {std::make_pair(0, 2), {2, 4}, {4, 5}, {5, 1}, {2, 3}, {3, 5}})
    {
        const bool slow = link.first == 3 || link.second == 3;
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(slow ? "4Gbps" : "40Gbps")));
        helper.Connect(nodes.Get(static_cast<uint32_t>(link.first)), nodes.Get(static_cast<uint32_t>(link.second)));
    }
    RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "");
    for (const auto& sw : QbbGetSwitches(nodes))
    {
        RCC_CHECK_EQ(sw->Start(), "", "");
    }
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    std::set<uint64_t> rates;
    for (uint32_t i = 0; i < 40; i++)
    {
        const uint32_t qp = RdmaNic::Connect(from, to, algorithm, 4);
        from->Post(qp, 20000, MakeNullCallback<void, uint32_t>());
        Simulator::Run();
        const RdmaSendQp& half = from->GetSendQp(qp);
        const std::vector<RccHop> path = RdmaPathOf(*from, half);
        // the last ACK may come back the other way, which takes it 0.3 us longer or less
        RCC_CHECK_NEAR(half.finished - half.started, RccIdealFct(path, 20000, from->GetMtu(), 64), 300, "flow " << i);
        rates.insert(path.at(1).rate);
    }
    RCC_CHECK_EQ(rates.size(), 2, "both ways are used");
}

RccTestSuite g_traceHelpersSuite("rcc-trace-helpers", {{"pcap", Pcap},
                                                       {"ascii", AsciiFiles},
                                                       {"flow-report", FlowReport},
                                                       {"flow-report-afterwards", FlowReportAfterwards},
                                                       {"flow-report-failed", FlowReportFailed},
                                                       {"flow-report-overheads", FlowReportOverheads},
                                                       {"ideal-with-gap", IdealWithGap},
                                                       {"ideal-by-class", PathsOfAClass},
                                                       {"ideal-with-several-gaps", IdealWithSeveralGaps},
                                                       {"ideal-with-the-nics-gap", IdealWithTheNicsGap}});

} // namespace
