/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * A topology.txt and a flow.txt of ns3-rdma or of the HPCC simulator, unchanged, under any algorithm. Without files:
 *
 *     host 1 --.
 *     host 2 ---- switch 0 --- host 4      40 Gb/s, 1 us
 *     host 3 --'
 *
 * Hosts 1 to 3 send 1, 2 and 3 MB to host 4 at the same time. The link to host 4 needs 1.27 ms for that: so long does
 * the last flow take under none, which has PFC alone, 2.1 ms under dcqcn-plus, which recovers faster than dcqcn with
 * its 5.6 ms. Prints completion times in the order of the ends. What is not read of a file is refused with FILE:LINE.
 * Options of ns-3 set attributes, such as --ns3::QbbSwitch::BufferSize=16777216
 */
#include "ns3/core-module.h"
#include "ns3/qbb-topology-file.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace ns3;

static const char* const TOPOLOGY = "5 1 4\n"                // nodes, switches, links
                                    "0\n"                    // the switch
                                    "0 1 40Gbps 0.001ms 0\n" // ends, rate, delay, error rate
                                    "0 2 40Gbps 0.001ms 0\n"
                                    "0 3 40Gbps 0.001ms 0\n"
                                    "0 4 40Gbps 0.001ms 0\n";
static const char* const FLOWS = "3\n"
                                 "1 4 3 100 1000000 0.001\n" // src, dst, class, dport, bytes, start
                                 "2 4 3 100 2000000 0.001\n"
                                 "3 4 3 100 3000000 0.001\n";

static void
Completed(const QbbTopologyFile::Flow* flow, Ptr<RdmaClient> client, int64_t ns)
{
    std::printf("%5u %5u %5u %12llu %14.9f %14lld\n", flow->line, flow->src, flow->dst,
                static_cast<unsigned long long>(client->GetSize()), flow->start / 1e9, static_cast<long long>(ns));
}

int
main(int argc, char* argv[])
{
    std::string topologyName, flowsName, cc = "dcqcn";
    Time time;
    CommandLine cmd(__FILE__);
    cmd.AddValue("topology", "topology.txt of ns3-rdma, HPCC or SimAI", topologyName);
    cmd.AddValue("flows", "flow.txt for it", flowsName);
    cmd.AddValue("cc", "congestion control: dcqcn, dcqcn-plus, qcn, timely, none ...", cc);
    cmd.AddValue("time", "when the simulation ends; 0: with the last flow", time);
    cmd.Parse(argc, argv);

    std::ifstream topologyFile(topologyName), flowsFile(flowsName);
    std::istringstream topology(TOPOLOGY), flows(FLOWS);
    QbbTopologyFile net;
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(cc);
    std::string error = topologyName.empty() ? net.Read(topology, "TOPOLOGY", flows, "FLOWS")
                                             : net.Read(topologyFile, topologyName, flowsFile, flowsName);
    error = error.empty() ? net.Build(QbbHelper(), algorithm) : error;
    if (!error.empty())
    {
        std::cerr << error << std::endl;
        return 2;
    }
    std::printf(" line   src   dst        bytes        start_s         fct_ns\n");
    const std::vector<Ptr<RdmaClient>> clients = net.Install(algorithm);
    for (size_t i = 0; i < clients.size(); i++)
    {
        const QbbTopologyFile::Flow* flow = &net.flows[i];
        clients[i]->TraceConnectWithoutContext("Completed", MakeBoundCallback(&Completed, flow));
    }
    if (!time.IsZero())
    {
        Simulator::Stop(time);
    }
    Simulator::Run();
    const auto ended = [](Ptr<RdmaClient> client) { return client->GetCompletionTime() >= 0; };
    std::printf("%zu of %zu flows ended\n", static_cast<size_t>(std::count_if(clients.begin(), clients.end(), ended)),
                clients.size());
    Simulator::Destroy();
}
