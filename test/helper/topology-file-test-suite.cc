/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbTopologyFile: the forms of both files, completion times worked out by hand, and what is refused where. */
#include "rcc-test.h"

#include "ns3/qbb-topology-file.h"
#include "ns3/uinteger.h"

#include <sstream>

using namespace ns3;

namespace
{

// At 8 Gb/s a byte takes 1 ns. Frames have 62 bytes around their payload, acknowledgements 66 in all.
const int64_t FRAME = 1062, ACK = 66, DELAY = 1000;
const char* const STAR = "4 1 3\n3\n0 3 8Gbps 1us 0\n1 3 8Gbps 0.001ms\n2 3 8000000000 1000ns 0\n";

/// \return completion time of packets that are alone on a path of links, and acknowledged one by one
int64_t
Alone(int64_t packets, int64_t links)
{
    return (packets + links - 1) * FRAME + links * (ACK + 2 * DELAY);
}

/// \return what Read, and Build without an error of it, say of two texts
std::string
Load(QbbTopologyFile& net, const std::string& topology, const std::string& flows,
     Ptr<RccAlgorithm> cc = RccAlgorithm::Create("none"))
{
    std::istringstream topologyText(topology), flowsText(flows);
    const std::string error = net.Read(topologyText, "topology.txt", flowsText, "flow.txt");
    QbbHelper helper;
    helper.SetNicAttribute("AckEvery", UintegerValue(1));
    return error.empty() ? net.Build(helper, cc) : error;
}

/// \return the completion times of all flows, in their order
std::vector<int64_t>
Run(const std::string& topology, const std::string& flows)
{
    QbbTopologyFile net;
    RCC_CHECK_EQ(Load(net, topology, flows), "", flows);
    std::vector<int64_t> times;
    const auto clients = net.Install(RccAlgorithm::Create("none"));
    Simulator::Run();
    for (const auto& client : clients)
    {
        times.push_back(client->GetCompletionTime());
    }
    Simulator::Destroy();
    return times;
}

void
Forms()
{
    for (const char* flows :
         {"2\n0 1 3 100 10000 0.5\n1 2 4 101 1 0\nprose", "2\n\n0 1 3 10000 0.5\r\n1 2 4 1 0\n0 1 3 1 0\n"})
    {
        const std::vector<int64_t> times = Run(STAR, flows);
        RCC_CHECK_EQ(times.size(), 2, "what is not counted is not read");
        RCC_CHECK_EQ(times[0], Alone(10, 2), flows);
        RCC_CHECK_EQ(times[1], Alone(1, 2) - 2 * 999, "one byte");
    }
    const std::vector<int64_t> times = Run(STAR, "3\n0 1 3 10 2.0 9.5\n0 1 3 100000 3 3.0001\n1 2 3 0 0 1\n");
    RCC_CHECK_EQ(times[0], Alone(10, 2), "packets");
    RCC_CHECK_EQ(times[1], -1, "stopped before its end");
    RCC_CHECK_EQ(times[2], -1, "without end, until its stop");
    const std::string rows = STAR + 6;
    RCC_CHECK_EQ(Run("4 1 1 3\n" + rows, "1\n0 1 3 10000 0\n")[0], Alone(10, 2), "a number of ToRs");
    RCC_CHECK_EQ(Run("4 2 1 0 3 H100\n" + rows, "1\n0 1 3 10000 0\n")[0], Alone(10, 2), "one NVSwitch");
    RCC_CHECK_EQ(Run("2 0 1\n0 1 8Gbps 1us 0\n", "1\n0 1 3 10000 0\n")[0], Alone(10, 1), "two hosts on a link");
}

/// Two ways of two links each between hosts 0 and 1, through switch 4 at 16 Gb/s and through 6 at 8 Gb/s.
void
NvSwitches()
{
    const std::string rows = "0 4 16Gbps 1us\n1 4 16Gbps 1us\n2 5 16Gbps 1us\n3 5 16Gbps 1us\n"
                             "0 6 8Gbps 1us\n1 6 8Gbps 1us\n2 6 8Gbps 1us\n3 6 8Gbps 1us\n";
    std::string flows = "20\n";
    for (int i = 0; i < 20; i++)
    {
        flows += std::string(i % 4 == 3 ? "1 2" : "0 1") + " 3 1000 " + std::to_string(i) + "\n";
    }
    const auto inside = Run("7 2 2 1 8 H100\n4 5 6\n" + rows, flows);
    const auto anywhere = Run("7 3 8\n4 5 6\n" + rows, flows);
    int64_t slow = 0;
    for (size_t i = 0; i < inside.size(); i++)
    {
        const int64_t fast = FRAME + ACK + 4 * DELAY; // half a byte each ns, twice
        RCC_CHECK_EQ(inside[i], i % 4 == 3 ? Alone(1, 2) : fast, "flow " << i);
        slow += i % 4 != 3 && anywhere[i] == Alone(1, 2) ? 1 : 0;
    }
    RCC_CHECK(slow > 0, "without NVSwitches equal ways share the flows");
}

void
Refused()
{
    const struct
    {
        std::string topology, flows, error;
    } cases[] = {
        {"", "", "topology.txt:1: row: found the end of the file, expected nodes switches links"},
        {"4 1\n", "", "topology.txt:1: header: found 2 columns, expected"},
        {"4 1 3 0 0 5\n", "", "topology.txt:1: header: found 6 columns, expected"},
        {"65537 1 3\n", "", "topology.txt:1: nodes: found '65537', expected a whole number from 1 to 65536"},
        {"4 5 3\n", "", "topology.txt:1: switches: found '5'"},
        {"4 2 3\n3\n3\n", "", "topology.txt:3: switches: found '3', expected as many as the header has, each once"},
        {"4 1 3\n\n3 2\n", "", "topology.txt:3: switches: found '2'"},
        {"4 1 3\n4\n", "", "topology.txt:2: switches: found '4', expected a whole number from 0 to 3"},
        {"4 1 3\n3\n0 3 8Gbps\n", "", "topology.txt:3: row: found 3 columns, expected src dst rate delay"},
        {"4 1 3\n3\n3 3 8Gbps 1us\n", "", "topology.txt:3: dst: found '3', expected another node"},
        {"4 1 3\n3\n0 3 8Gbqs 1us\n", "", "topology.txt:3: rate: found '8Gbqs'"},
        {"4 1 3\n3\n0 3 17Tbps 1us\n", "", "topology.txt:3: rate: found '17Tbps'"},
        {"4 1 3\n3\n0 3 8Gbps -1us\n", "", "topology.txt:3: delay: found '-1us'"},
        {"4 1 3\n3\n0 3 8Gbps 1us 1.5\n", "", "topology.txt:3: error rate: found '1.5'"},
        {"4 1 3\n3\n0 3 8Gbps 1us\n", "", "topology.txt:3: row: found the end of the file, expected as many links"},
        {"4 1 3\n3\nprose is no row\n", "", "topology.txt:3: src: found 'prose'"},
        {STAR, "1\n0 1 3 100 10000\n", ""},
        {STAR, "1\n0 1 3 100\n", "flow.txt:2: row: found 4 columns, expected src dst pg bytes start, src dst pg dport"},
        {STAR, "2\n0 1 3 10 0\n0 1 3 100 10 0\n", "flow.txt:3: row: found 6 columns"},
        {STAR, "2\n0 1 3 10 0\n", "flow.txt:2: row: found the end of the file, expected as many flows"},
        {STAR, "1\n0 3 3 10 0\n", "flow.txt:2: dst: found '3', expected another host"},
        {STAR, "1\n3 0 3 10 0\n", "flow.txt:2: src: found '3', expected a host, not a switch"},
        {STAR, "1\n0 0 3 10 0\n", "flow.txt:2: dst: found '0', expected another host"},
        {STAR, "1\n0 1 8 10 0\n", "flow.txt:2: pg: found '8', expected a whole number from 0 to 7"},
        {STAR, "1\n0 1 3 0 0\n", "flow.txt:2: bytes: found '0'"},
        {STAR, "1\n0 1 3 65536 10 0\n", "flow.txt:2: dport: found '65536'"},
        {STAR, "1\n0 1 3 10 soon\n", "flow.txt:2: start: found 'soon', expected a time in s"},
        {STAR, "1\n0 1 3 100 2 9\n", "flow.txt:2: start: found '2', expected a time such as 2.0"},
        {STAR, "2\n0 1 3 100 2.0 9\n0 1 3 100 9.0 2\n", "flow.txt:3: stop: found '2'"},
        {"3 1 1\n2\n0 2 8Gbps 1us\n", "1\n0 1 3 10 0\n", "flow.txt:2: dst: found '1', expected a path"},
    };
    for (const auto& c : cases)
    {
        QbbTopologyFile net;
        const std::string error = Load(net, c.topology, c.flows);
        RCC_CHECK_EQ(error.substr(0, c.error.size()), c.error, c.topology << c.flows << error);
        RCC_CHECK_EQ(error.empty(), c.error.empty(), c.topology << c.flows);
        Simulator::Destroy();
    }
    QbbTopologyFile net;
    Ptr<RccAlgorithm> fast = RccAlgorithm::Create("dcqcn");
    RCC_CHECK_EQ(fast->SetParameter("r_min", "10Mbps"), "", "a parameter");
    const std::string slow = "3 1 2\n2\n0 2 8Gbps 1us\n1 2 1Mbps 1us\n";
    RCC_CHECK_EQ(Load(net, slow, "0\n", fast).find("topology.txt:4: rate: "), 0, "an algorithm's least rate");
}

/// Classes of flows are lossless and marked; the control class is another one.
void
Classes()
{
    QbbTopologyFile net;
    RCC_CHECK_EQ(Load(net, STAR, "2\n0 1 7 1000 0\n0 1 5 1000 0\n", RccAlgorithm::Create("dcqcn")), "", "two classes");
    UintegerValue value;
    net.nodes.Get(0)->GetObject<RdmaNic>()->GetAttribute("ControlClass", value);
    RCC_CHECK_EQ(value.Get(), 6, "the highest without data");
    net.nodes.Get(3)->GetObject<QbbSwitch>()->GetAttribute("LosslessClasses", value);
    RCC_CHECK_EQ(value.Get(), 1u << 7 | 1u << 5, "those with data");
}

RccTestSuite g_topologyFileSuite(
    "rcc-topology-file", {{"forms", Forms}, {"NVSwitches", NvSwitches}, {"refused", Refused}, {"classes", Classes}});

} // namespace
