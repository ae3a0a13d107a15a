/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Runs the input files of ns3-rdma ("Congestion Control for Large-Scale RDMA
 * Deployments", SIGCOMM 2015) and of the simulator of "HPCC: High Precision
 * Congestion Control" (SIGCOMM 2019) as they are. doc/ns3-rdma.md.
 */
#include "ns3/core-module.h"
#include "ns3/ns3-rdma-network.h"
#include "ns3/ns3-rdma-output.h"
#include "ns3/ns3-rdma-reader.h"
#include "rcc-run.h"

#include <algorithm>
#include <set>

using namespace ns3;

namespace
{

std::string
Text(rcc_unit unit, int64_t value)
{
    return RccFormat(unit, value);
}

/// Options that were not given are as the files say; those that were override the files.
void
Merge(RccOptions& options, Ns3RdmaInput& input, const Ns3RdmaReader::Parameters& nic)
{
    Ns3RdmaConfig& c = input.config;
    auto say = [&](const std::string& name, const std::string& text) {
        if (!options.IsSet(name))
        {
            options.SetDefault(name, text);
        }
    };
    const std::string given = options.GetText("set");
    // a CC_MODE that is not among our algorithms: its keys are those of DCQCN still
    const std::string keys = c.cc.empty() ? "dcqcn" : c.cc;
    if (!options.IsSet("cc") || options.GetText("cc") == keys)
    {
        say("preset", c.preset);
    }
    say("cc", c.cc);
    std::string set;
    for (const auto& p : c.parameters) // before the user's, which count more
    {
        const rcc_algorithm* core = rcc_find(keys.c_str());
        if (core && rcc_field_find(core, p.first.c_str()) >= 0)
        {
            set += keys + "." + p.first + "=" + p.second + ",";
        }
    }
    for (const auto& p : nic)
    {
        set += "dcqcn." + p.first + "=" + p.second + ",";
    }
    options.SetDefault("set", set + given);
    for (const char* field : {"kmin", "kmax", "pmax"})
    {
        if (options.IsSet(field) || given.find(std::string(".") + field + "=") != std::string::npos)
        {
            const std::string name = field;
            (name == "kmin" ? c.kmin : name == "kmax" ? c.kmax : c.pmax).clear();
        }
    }
    uint64_t rate = 0;
    int64_t delay = 0;
    for (const auto& l : input.topology.links)
    {
        if (!input.topology.isSwitch[l.a] || !input.topology.isSwitch[l.b])
        {
            rate = std::max(rate, l.rate);
            delay = std::max(delay, l.delay);
        }
    }
    if (rate)
    {
        options.SetDefault("rate", Text(RCC_UNIT_BPS, static_cast<int64_t>(rate)));
        options.SetDefault("delay", Text(RCC_UNIT_NS, delay));
    }
    say("time", Text(RCC_UNIT_NS, c.stop));
    say("mtu", Text(RCC_UNIT_BYTES, c.payload));
    say("ack-every", std::to_string(std::max<uint32_t>(c.ackInterval, 1)));
    c.stop = options.Get("time");
    c.payload = static_cast<uint32_t>(options.Get("mtu"));
    c.ackInterval = static_cast<uint32_t>(options.Get("ack-every"));
    c.bufferSize = options.IsSet("buffer") ? static_cast<uint64_t>(options.Get("buffer")) : c.bufferSize;
    options.SetDefault("buffer", "9MB"); // the run wants one, the network has its own
    int64_t first = INT64_MAX;
    for (const auto& f : input.flows)
    {
        first = std::min(first, f.start);
    }
    if (options.GetText("window").empty() && first > 0 && first < c.stop)
    {
        options.SetDefault("window", Text(RCC_UNIT_NS, first) + "-" + Text(RCC_UNIT_NS, c.stop));
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    RccOptions options;
    options.AddText("config", "FILE", "config.txt", "configuration file of ns3-rdma or of the HPCC simulator");
    options.AddText("dialect", "NAME", "", "original (ns3-rdma) or hpcc (HPCC and its forks)",
                    "by the keys of the config");
    options.AddText("topology", "FILE", "", "another topology.txt", "TOPOLOGY_FILE of the config");
    options.AddText("flows", "FILE", "", "another flow.txt, as ./rcc workload writes it", "FLOW_FILE of the config");
    options.AddText("nic-params", "FILE", "", "parameters by the names of a NIC's settings");
    options.AddText("choices", "FILE", "", "algorithm of single flows: default CC, node N CC, flow N CC");
    RccSetup::AddOptions(options);
    options.SetDefault("cc", "", "as CC_MODE says");
    options.SetDefault("preset", "", "of the dialect: ns3-rdma, hpcc");
    options.SetDefault("time", "", "SIMULATOR_STOP_TIME");
    options.SetDefault("window", "", "from the first flow's start on");
    options.SetDefault("buffer", "", "BUFFER_SIZE");
    options.SetDefault("mtu", "", "PACKET_PAYLOAD_SIZE");
    options.SetDefault("ack-every", "", "L2_ACK_INTERVAL");
    for (const char* name : {"kmin", "kmax", "pmax"})
    {
        options.SetDefault(name, "", "of the config");
    }
    options.Hide({"rate", "delay"}); // of the topology's links
    options.Parse(argc, argv, "Runs the input files of ns3-rdma and of the HPCC simulator.");

    Ns3RdmaInput input;
    Ns3RdmaDialect dialect = Ns3RdmaDialect::HPCC;
    Ns3RdmaOverrides over;
    if (options.IsSet("dialect"))
    {
        RccOptions::FailIf(Ns3RdmaReader::ParseDialect(options.GetText("dialect"), dialect));
        over.dialect = &dialect;
    }
    over.topology = options.GetText("topology");
    over.flows = options.GetText("flows");
    over.thresholds = options.IsSet("kmin") && options.IsSet("kmax") && options.IsSet("pmax");
    RccOptions::FailIf(Ns3RdmaReader::ReadAll(options.GetText("config"), input, over));
    if (options.IsSet("choices"))
    {
        RccOptions::FailIf(Ns3RdmaReader::ReadChoices(options.GetText("choices"), input.topology, input.flows));
    }
    Ns3RdmaReader::Parameters nic;
    if (options.IsSet("nic-params"))
    {
        Ns3RdmaConfig& c = input.config;
        RccOptions::FailIf(Ns3RdmaReader::ReadNicParams(options.GetText("nic-params"), nic, c.notes, c.warnings));
    }
    if (input.flows.empty())
    {
        RccOptions::Fail(input.config.flowFile + ": found no flow, expected at least one");
    }
    Merge(options, input, nic);
    if (options.GetText("cc").empty())
    {
        std::string notes;
        for (const auto& n : input.config.notes)
        {
            notes += n.find("CC_MODE") == std::string::npos ? "" : n + "; ";
        }
        RccOptions::Fail(notes + "expected --cc=NAME");
    }

    RccRun run("ns3-rdma", options);
    for (const auto& w : input.config.warnings)
    {
        run.Warn(w);
    }
    Ns3RdmaNetwork net(input.config, input.topology, run.GetSeed());
    net.SetAlgorithm(run.GetAlgorithm());
    std::set<std::string> others;
    for (const auto& f : input.flows)
    {
        if (!f.cc.empty() && f.cc != run.GetAlgorithm()->GetCore()->name && others.insert(f.cc).second)
        {
            net.AddAlgorithm(options.CreateAlgorithm(f.cc)); // with what --set says of it
        }
    }
    RccOptions::FailIf(net.Build(input.flows));
    Ns3RdmaOutput output(net, input.traced);
    net.AddTo(run, input.flows, &output);
    Ns3RdmaTcp tcp;
    if (!input.tcpFlows.empty())
    {
        tcp.Install(net, input.tcpFlows);
        output.SetTcp(&tcp);
    }
    run.SetExtra(&output);
    return run.Execute();
}
