/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The files with rows, and a configuration with all its files: what is read of them. */
#include "ns3-rdma-test.h"

#include <algorithm>

using namespace ns3;

namespace
{

using Reader = Ns3RdmaReader;
using Folder = RccTestFolder;

std::vector<Ns3RdmaFlow>
Flows(const std::string& text, Ns3RdmaDialect dialect = Ns3RdmaDialect::HPCC, const std::string& error = "")
{
    Folder folder;
    std::vector<Ns3RdmaFlow> flows;
    const std::string path = folder.Write("f.txt", text);
    RCC_CHECK_EQ(folder.Short(Reader::ReadFlows(path, LabTestStar7(), dialect, 1000, flows)), error, text);
    return flows;
}

void
Topologies()
{
    const Ns3RdmaTopology plain = LabTestTopology("4 1 3\n0\n0 1 40Gbps 0.001ms 0\n0 2 40Gb/s 1000ns 1e-12\n"
                                                  "0 3 5GB/s 1us 0.5\n\nFirst line: nodes\n0 9 1Gbps 1us 0\n");
    RCC_CHECK_EQ(plain.isSwitch.size(), 4, "");
    RCC_CHECK(plain.isSwitch[0] && !plain.isSwitch[1] && !plain.isSwitch[3], "");
    RCC_CHECK_EQ(plain.links.size(), 3, "surplus rows and prose are not read");
    for (const auto& l : plain.links)
    {
        RCC_CHECK_EQ(l.rate, 40 * G, l.line);
        RCC_CHECK_EQ(l.delay, 1000, l.line);
    }
    RCC_CHECK_NEAR(plain.links[1].error, 1e-12, 1e-24, "");
    RCC_CHECK_NEAR(plain.links[2].error, 0.5, 1e-15, "");
    RCC_CHECK_EQ(plain.links[2].line, 5, "");
    RCC_CHECK_EQ(plain.links[2].b, 3, "");

    const Ns3RdmaTopology crlf =
        LabTestTopology(LabTestCrlf("4 1 3\n0\n0 1 40Gbps 0.001ms 0\n0 2 40Gb/s 1000ns 0\n0 3 40Gbps 1us 0"));
    RCC_CHECK_EQ(crlf.links.size(), 3, "");
    RCC_CHECK_EQ(crlf.links[2].delay, 1000, "");

    const Ns3RdmaTopology bare =
        LabTestTopology("4 2 1 3\n2 3\n0 2 25000000000.0 1us\n1 2 1e11 0.000001\n3 2 100Gbps 1000ns 0\n");
    RCC_CHECK_EQ(bare.links[0].rate, 25 * G, "bit/s, four header fields, no error column");
    RCC_CHECK_EQ(bare.links[1].rate, 100 * G, "");
    RCC_CHECK_EQ(bare.links[1].delay, 1000, "seconds");
    RCC_CHECK(bare.isSwitch[2] && bare.isSwitch[3] && !bare.isSwitch[1], "");

    RCC_CHECK_EQ(LabTestTopology("3 1 1 2 25 100\n2\n0 2 1Gbps 1us\n1 2 1Gbps 1us\n").links.size(), 2, "six fields");
    const Ns3RdmaTopology gpu =
        LabTestTopology("5 2 1 1 3 H100\n3 4\n0 3 400Gbps 1us 0\n1 3 400Gbps 1us 0\n3 4 1Gbps 1us 0\n");
    RCC_CHECK(gpu.isSwitch[3] && gpu.isSwitch[4] && !gpu.isSwitch[2], "an NVSwitch is a switch");
    RCC_CHECK_EQ(gpu.links.size(), 3, "");

    const Ns3RdmaTopology none = LabTestTopology("2 0 1\n\n0 1 100Mbps 5us 0\n");
    RCC_CHECK_EQ(none.links.size(), 1, "no switch: the second line is empty");
    RCC_CHECK_EQ(none.links[0].rate, 100000000, "");
    const Ns3RdmaTopology dual =
        LabTestTopology("4 2 4\n1\n3\n0 1 1Gbps 1us\n0 3 1Gbps 1us\n2 1 1Gbps 1us\n2 3 1Gbps 1us\n");
    RCC_CHECK_EQ(dual.links.size(), 4, "a host at two switches; ids on two lines");
    RCC_CHECK(!dual.isSwitch[0] && dual.isSwitch[1] && !dual.isSwitch[2] && dual.isSwitch[3], "ids anywhere");
}

void
FlowRows()
{
    const auto h = Flows("3\n3 1 3 200 8589934592 2\n2 1 0 100 1 1.000000001\n0 1 7 65535 5 2e-05\n9 9 9\nprose\n");
    RCC_CHECK_EQ(h.size(), 3, "surplus rows are ignored");
    RCC_CHECK_EQ(h[0].bytes, uint64_t(1) << 33, "above 32 bits");
    RCC_CHECK_EQ(h[0].dport, 200, "");
    RCC_CHECK_EQ(h[0].start, 2 * int64_t(G), "");
    RCC_CHECK_EQ(h[0].stop, -1, "");
    RCC_CHECK_EQ(h[1].start, 1000000001, "exact, and rows need no order");
    RCC_CHECK_EQ(h[1].line, 3, "");
    RCC_CHECK_EQ(h[2].start, 20000, "");
    RCC_CHECK_EQ(h[2].pg, 7, "");
    RCC_CHECK_EQ(h[2].src, 0, "");
    const auto fork = Flows(LabTestCrlf("2\n0 1 3 1000 2.0\n1 2 3 9999999999 0.1"));
    RCC_CHECK_EQ(fork[0].bytes, 1000, "five columns");
    RCC_CHECK_EQ(fork[1].bytes, 9999999999, "");
    RCC_CHECK_EQ(fork[1].start, 100000000, "");
    RCC_CHECK_EQ(fork[1].dport, 100, "");
    const auto b = Flows("2\n2 1 3 10000000 2.0 9.5\n3 1 1 0 2 3\n\n\nFirst line: flow #\n", Ns3RdmaDialect::ORIGINAL);
    RCC_CHECK_EQ(b[0].bytes, 10 * G, "packets of 1000 bytes");
    RCC_CHECK_EQ(b[0].stop, 9500000000, "");
    RCC_CHECK_EQ(b[1].bytes, 0, "without end");
    RCC_CHECK_EQ(Flows("0\n").size(), 0, "");
    const std::vector<std::pair<std::string, int64_t>> times{
        {"0.1", 100000000},           {"2.00000000049", 2000000000},
        {"2.0000000005", 2000000001}, {"1.9999999999999999999999", 2000000000},
        {"+3", 3000000000},           {".5", 500000000},
        {"1E1", 10000000000},         {"123456.789012345", 123456789012345}};
    for (const auto& t : times)
    {
        RCC_CHECK_EQ(Flows("1\n0 1 3 100 5 " + t.first + "\n")[0].start, t.second, t.first);
    }
    Folder folder;
    std::vector<Ns3RdmaFlow> tcp;
    RCC_CHECK_EQ(
        Reader::ReadFlows(folder.Write("f", "1\n0 1 1 10 0 1\n"), LabTestStar7(), Ns3RdmaDialect::ORIGINAL, 1460, tcp),
        "", "");
    RCC_CHECK_EQ(tcp[0].bytes, 14600, "");
}

void
Traces()
{
    Folder folder;
    std::vector<uint32_t> ids;
    std::vector<std::string> warnings;
    RCC_CHECK_EQ(Reader::ReadTrace(folder.Write("t", "3\n5 1\n1 9 prose\n"), LabTestStar7(), ids, warnings), "", "");
    RCC_CHECK_EQ(ids.size(), 2, "each once");
    RCC_CHECK_EQ(ids[0] * 10 + ids[1], 15, "ascending");
    RCC_CHECK_EQ(Reader::ReadTrace(folder.Write("t", LabTestCrlf("4\n0 7 8 6\nprose")), LabTestStar7(), ids, warnings),
                 "", "");
    RCC_CHECK_EQ(ids.size(), 2, "");
    RCC_CHECK_EQ(folder.Short(LabTestLines(warnings)),
                 "t:2: id: left out 2 of 4 ids, the first is 7; t.txt has nodes 0 to 6\n", "");
}

void
Choices()
{
    Folder folder;
    auto flows = Flows("4\n0 1 3 1 5 0\n0 2 3 1 5 0\n1 2 3 1 5 0\n3 2 3 1 5 0\n");
    const std::string text = "# who has what\nflow 2 qcn\nnode 0-4 timely # a range\ndefault dcqcn\nnode 3 none\n";
    RCC_CHECK_EQ(Reader::ReadChoices(folder.Write("c", LabTestCrlf(text)), LabTestStar7(), flows), "", "");
    RCC_CHECK_EQ(flows[0].cc + flows[1].cc + flows[2].cc + flows[3].cc, "timelyqcntimelynone", "");
    RCC_CHECK_EQ(Reader::ReadChoices(folder.Write("c", "default dcqcn-plus"), LabTestStar7(), flows), "", "");
    RCC_CHECK_EQ(flows[3].cc, "dcqcn-plus", "");
    RCC_CHECK_EQ(Reader::ReadChoices(folder.Write("c", ""), LabTestStar7(), flows), "", "");
    RCC_CHECK_EQ(flows[3].cc, "", "the run's");
}

/// Paths of flows: through switches only.
void
Reachable()
{
    auto check = [](const std::string& topology, const std::string& src, const std::string& dst) {
        Ns3RdmaFlow flow;
        flow.src = static_cast<uint32_t>(std::stoul(src));
        flow.dst = static_cast<uint32_t>(std::stoul(dst));
        flow.line = 12;
        return Reader::CheckReachable(LabTestTopology(topology), {flow}, "f.txt");
    };
    const std::string islands = "8 3 7\n5 6 7\n0 5 1Gbps 1us\n1 5 1Gbps 1us\n2 6 1Gbps 1us\n3 6 1Gbps 1us\n"
                                "1 6 1Gbps 1us\n3 7 1Gbps 1us\n0 3 1Gbps 1us\n";
    RCC_CHECK_EQ(check(islands, "0", "1"), "", "one switch");
    RCC_CHECK_EQ(check(islands, "1", "2"), "", "the second uplink of 1");
    RCC_CHECK_EQ(check(islands, "3", "0"), "", "a link of two hosts");
    RCC_CHECK_EQ(
        check(islands, "0", "2"),
        "f.txt:12: flow 1 (src 0, dst 2): found no path from 0 to 2, expected one through the switches of t.txt; hosts "
        "do not forward: write a GPU that does as a switch with a host behind it",
        "not through host 1 or 3");
    RCC_CHECK_EQ(
        check(islands, "0", "4"),
        "f.txt:12: flow 1 (src 0, dst 4): found host 4 without a link, expected one through the switches of t.txt", "");
    RCC_CHECK_EQ(check("4 2 3\n1 2\n0 1 1Gbps 1us\n2 1 1Gbps 1us\n2 3 1Gbps 1us\n", "0", "3"), "", "two switches");
    // a chain of 20000 switches and a flow per pair of ends: linear, or this does not end
    std::string chain = "20002 20000 20001\n";
    for (int i = 1; i <= 20000; i++)
    {
        chain += std::to_string(i) + (i % 1000 ? " " : "\n");
    }
    for (int i = 0; i <= 20000; i++)
    {
        chain += std::to_string(i) + " " + std::to_string(i + 1) + " 1Gbps 1us\n";
    }
    const Ns3RdmaTopology t = LabTestTopology(chain);
    std::vector<Ns3RdmaFlow> flows(100000);
    for (auto& f : flows)
    {
        f.dst = 20001;
    }
    RCC_CHECK_EQ(Reader::CheckReachable(t, flows, "f"), "", "");
}

const char STAR[] = "3 1 2\n2\n0 2 25Gbps 1us 0\n1 2 100Gbps 1us 0\n";

const char MAPS[] = "KMIN_MAP 2 25000000000 100 100000000000 400\nKMAX_MAP 2 25000000000 400 100000000000 1600\n"
                    "PMAX_MAP 2 25000000000 0.2 100000000000 0.2\n";

/// A configuration with all its files.
void
All()
{
    const std::string config = "CC_MODE 1\nTOPOLOGY_FILE mix/topology.txt\nFLOW_FILE mix/flow.txt\n"
                               "TRACE_FILE mix/trace.txt\n" +
                               std::string(MAPS);
    auto read = [](const Folder& folder, Ns3RdmaInput& input) {
        return folder.Short(Reader::ReadAll(folder.GetPath() + "/config.txt", input));
    };
    Folder folder; // the files beside the configuration, whatever it says
    Ns3RdmaInput input;
    folder.Write("config.txt", config);
    RCC_CHECK_EQ(read(folder, input),
                 "config.txt:2: TOPOLOGY_FILE: found no such file, expected it to be one of 'mix/topology.txt', "
                 "'mix/topology.txt', 'topology.txt'",
                 "");
    folder.Write("topology.txt", STAR);
    folder.Write("flow.txt", "2\n0 1 3 100 5000 2\n1 0 3 200 5000 9\n");
    folder.Write("trace.txt", "2\n0 2\n");
    RCC_CHECK_EQ(read(folder, input), "", "by base name");
    RCC_CHECK_EQ(folder.Short(input.config.topologyFile), "topology.txt", "");
    RCC_CHECK_EQ(input.flows.size() * 10 + input.traced.size(), 22, "");
    RCC_CHECK_EQ(folder.Short(LabTestLines(input.config.warnings)),
                 "flow.txt: 1 of 2 flows begins after SIMULATOR_STOP_TIME, 3010ms\n", "");
    folder.Write("mix/topology.txt", "2 0 1\n\n0 1 1Gbps 1us\n");
    RCC_CHECK_EQ(read(folder, input), "", "from the configuration's folder, which comes first");
    RCC_CHECK_EQ(folder.Short(input.config.topologyFile), "mix/topology.txt", "");
    RCC_CHECK_EQ(input.topology.isSwitch.size(), 2, "");

    Folder other;
    other.Write("topology.txt", STAR);
    other.Write("flow.txt", "1\n0 1 3 100 5000 2\n");
    const std::string files = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\n";
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"CC_MODE 1\nFLOW_FILE flow.txt\n",
         "config.txt:1: TOPOLOGY_FILE: found no such key, expected it with a file's name"},
        {"CC_MODE 1\nTOPOLOGY_FILE topology.txt\n",
         "config.txt:1: FLOW_FILE: found no such key, expected it with a file's name"},
        {files + "KMIN_MAP 1 25000000000 100\nKMAX_MAP 1 25000000000 400\nPMAX_MAP 1 25000000000 0.2\n",
         "config.txt:3: KMIN_MAP: found no entry for 100Gbps, expected one: topology.txt:4 has such a link at a "
         "switch"},
        {files + "PMAX_MAP 1 25000000000 0.2\nKMIN_MAP 2 25000000000 100 100Gbps 2\nKMAX_MAP 2 25Gbps 400 100Gbps 9\n",
         "config.txt:3: PMAX_MAP: found no entry for 100Gbps, expected one: topology.txt:4 has such a link at a "
         "switch"},
        {files + "PMAX_MAP 1 25Gbps 0.2\nKMIN_MAP 1 25Gbps 100\nKMAX_MAP 1 25Gbps 99\n",
         "config.txt:4: KMIN_MAP: found 100KB for 25Gbps, expected at most what KMAX_MAP has, 99KB"},
        {files + MAPS + "LINK_DOWN 5 0 1\n",
         "config.txt:6: LINK_DOWN: found nodes 0 and 1, expected two that a link of topology.txt joins"},
        {"CC_MODE 1\nTOPOLOGY_FILE .\nFLOW_FILE flow.txt\n",
         "config.txt:2: TOPOLOGY_FILE: found '.', a directory, expected a regular file"},
        {files + MAPS + "FLOW_FILE /dev/null\n",
         "config.txt:6: FLOW_FILE: found '/dev/null', a device, expected a regular file"},
        {files + MAPS + "TRACE_FILE .\n", "config.txt:6: TRACE_FILE: found '.', a directory, expected a regular file"},
        {files + MAPS + "FLOW_FILE fifo\n", "config.txt:6: FLOW_FILE: found 'fifo', a FIFO, expected a regular file"},
        {files + "KMIN 5\nKMAX 6\nTCP_FLOW_FILE tcp.txt\n",
         "flow.txt:2: stop: found '2', expected a time not before start, which is '5000'"},
        {files + MAPS + "TRACE_FILE none.txt\nENABLE_TRACE 0\nLINK_DOWN 5 2 0\n", ""},
        {files + "KMIN_MAP 1 25000000000 100\nKMAX_MAP 1 1Gbps 4\nPMAX_MAP 1 1Gbps 0\nENABLE_QCN 0\n", ""}};
    RCC_CHECK_EQ(mkfifo((other.GetPath() + "/fifo").c_str(), 0600), 0, "");
    for (const auto& w : wrong)
    {
        other.Write("config.txt", w.first);
        RCC_CHECK_EQ(read(other, input), w.second, w.first);
    }
    // those simulators trace no node then
    other.Write("blank.txt", "\n \n");
    for (const char* name : {"none.txt", "blank.txt"})
    {
        other.Write("config.txt", files + MAPS + "TRACE_FILE " + name + "\n");
        RCC_CHECK_EQ(read(other, input), "", name);
        RCC_CHECK_EQ(input.config.traceFile + std::to_string(input.traced.size()), "0", name);
        RCC_CHECK(LabTestHas(input.config.notes, ": no node is traced"), name);
    }
    other.Write("flow.txt", "1\n0 1 3 10 2 3\n");
    other.Write("tcp.txt", "1\n1 0 1 10 2.5 3\n");
    other.Write("config.txt", files + "KMIN 5\nKMAX 6\nTCP_FLOW_FILE tcp.txt\n");
    RCC_CHECK_EQ(read(other, input), "", "");
    RCC_CHECK_EQ(input.tcpFlows.size(), 1, "");
    RCC_CHECK_EQ(input.tcpFlows[0].start, 2500000000, "");
}

/// A traced switch whose interfaces a trace cannot tell apart.
void
ManyInterfaces()
{
    for (uint32_t hosts : {255u, 256u})
    {
        Folder folder;
        std::string links;
        for (uint32_t host = 1; host <= hosts; host++)
        {
            links += "0 " + std::to_string(host) + " 100Gbps 1us\n";
        }
        folder.Write("t", std::to_string(hosts + 1) + " 1 " + std::to_string(hosts) + "\n0\n" + links);
        folder.Write("f", "1\n1 2 3 100 1000 0\n");
        folder.Write("trace", "2\n0 1\n");
        const std::string path =
            folder.Write("c", "CC_MODE 1\nTOPOLOGY_FILE t\nFLOW_FILE f\n\nTRACE_FILE trace\n" + std::string(MAPS));
        Ns3RdmaInput input;
        RCC_CHECK_EQ(Reader::ReadAll(path, input), "", "");
        RCC_CHECK_EQ(folder.Short(LabTestLines(input.config.warnings)),
                     hosts == 255 ? ""
                                  : "c:5: TRACE_FILE: found node 0 with 256 interfaces, expected at most 255: 256 is 0 "
                                    "in the trace, 257 is 1\n",
                     "");
    }
}

RccTestSuite g_ns3RdmaReaderSuite("ns3-rdma-reader", {{"topologies", Topologies},
                                                      {"flows", FlowRows},
                                                      {"traces", Traces},
                                                      {"choices", Choices},
                                                      {"reachable", Reachable},
                                                      {"all", All},
                                                      {"many interfaces", ManyInterfaces}});

} // namespace
