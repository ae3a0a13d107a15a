/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * A program of one's own around the input files of ns3-rdma or of the HPCC simulator: reads config.txt and the files
 * that it names, builds the network, runs it, and writes fct.txt and the other outputs that the configuration names.
 * The room ns3-rdma/ is a library: it returns errors as text, prints nothing and never exits. Left out here: the flows
 * of TCP_FLOW_FILE, see Ns3RdmaTcp. lab/programs/ns3-rdma.cc does the same with the options and the results of ./rcc.
 */
#include "ns3/core-module.h"
#include "ns3/ns3-rdma-loss.h"
#include "ns3/ns3-rdma-network.h"
#include "ns3/ns3-rdma-output.h"
#include "ns3/ns3-rdma-reader.h"
#include "ns3/rcc-simulator-impl.h"

#include <iostream>

using namespace ns3;

namespace
{

/// \return empty, or what is wrong
std::string
Run(const std::string& path, const std::string& folder)
{
    Ns3RdmaInput input;
    std::string error = Ns3RdmaReader::ReadAll(path, input);
    if (!error.empty())
    {
        return error;
    }
    if (input.config.cc.empty())
    {
        return path + ": CC_MODE is an algorithm that is not here";
    }
    Ns3RdmaReader::NoteKeys(input.config, {input.config.cc});
    for (const auto& warning : input.config.warnings)
    {
        std::cerr << "warning: " << warning << std::endl;
    }
    Ns3RdmaSetRecovery(input.config, input.topology);
    Ns3RdmaNetwork net(input.config, input.topology);
    error = net.Build(input.flows);
    if (!error.empty())
    {
        return error;
    }
    Ns3RdmaOutput output(net, input.traced);
    const auto clients = output.InstallFlows(input.flows);
    error = output.Open(folder);
    if (!error.empty())
    {
        return error;
    }
    Simulator::Stop(NanoSeconds(input.config.stop));
    Simulator::Run();
    output.Close();
    size_t ended = 0;
    for (const auto& client : clients)
    {
        ended += client->GetCompletionTime() >= 0 ? 1 : 0;
    }
    std::cout << ended << " of " << clients.size() << " flows ended" << std::endl;
    return "";
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string config = "config.txt";
    std::string folder = ".";
    RccSimulatorImpl::Use(); // faster than ns-3's own; --SimulatorImplementationType chooses another
    CommandLine cmd;
    cmd.AddValue("config", "configuration file of ns3-rdma or of the HPCC simulator", config);
    cmd.AddValue("folder", "where the outputs go", folder);
    cmd.Parse(argc, argv);
    const std::string error = Run(config, folder);
    Simulator::Destroy();
    std::cerr << error << (error.empty() ? "" : "\n");
    return error.empty() ? 0 : 2;
}
