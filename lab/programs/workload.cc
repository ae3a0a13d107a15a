/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Flows of realistic sizes that arrive as a Poisson process between all hosts, as
 * in figure 11 of "DCQCN+: Taming Large-scale Incast Congestion in RDMA over
 * Ethernet Networks" (ICNP 2018): 9 hosts on one switch, 10 Gb/s, load 0.8.
 * lab/doc/workload.md.
 */
#include "rcc-leaf-spine.h"
#include "rcc-run.h"
#include "rcc-workload.h"

using namespace ns3;

namespace
{

const uint64_t FLOWS_MAX = 10000000; // what a run lists in flows.csv must fit into memory

/// The flows that arrive within --time.
std::vector<RccPoissonFlows::Flow>
Flows(const RccOptions& options, const RccSizes& sizes, uint32_t hosts)
{
    RccPoissonFlows source(options.Get<uint64_t>("seed"), sizes, hosts, options.Get<uint64_t>("rate"),
                           options.Get<uint64_t>("load"), options.Get<uint32_t>("mtu"));
    const double expected = options.Get<double>("time") / source.GetMeanGap();
    if (expected > FLOWS_MAX)
    {
        RccOptions::Fail("--time is '" + options.GetText("time") + "', in which some " +
                         std::to_string(static_cast<uint64_t>(expected)) + " flows would arrive, expected at most " +
                         std::to_string(FLOWS_MAX));
    }
    std::vector<RccPoissonFlows::Flow> flows;
    for (auto f = source.Next(); f.start < options.Get("time"); f = source.Next())
    {
        flows.push_back(f);
    }
    if (flows.empty())
    {
        RccOptions::Fail("--time is '" + options.GetText("time") + "', in which no flow arrives; one in " +
                         std::to_string(source.GetMeanGap() / 1e9) + " s is the mean");
    }
    return flows;
}

/// Part of the links' rate that the flows' bytes on the wire take over --time.
double
OfferedLoad(const RccOptions& options, const std::vector<RccPoissonFlows::Flow>& flows, uint32_t hosts)
{
    const auto mtu = options.Get<uint64_t>("mtu");
    double bytes = 0;
    for (const auto& f : flows)
    {
        bytes += static_cast<double>(f.bytes + (f.bytes + mtu - 1) / mtu * ROCE_OVERHEAD);
    }
    return bytes * 8 / (options.GetSeconds("time") * options.Get<double>("rate") * hosts);
}

/// Hosts h x hostsPerSwitch .. are on ports 0 .. of switch h.
struct Net
{
    std::vector<Ptr<RdmaNic>> nics; //!< by host
    std::vector<Ptr<QbbSwitch>> switches;
    uint32_t hostsPerSwitch;
    std::vector<RccHop> near, far; //!< paths between hosts of one switch, and of two
};

Net
Star(const RccOptions& options, RccRun& run)
{
    RccLeafSpine::FailIfGiven(options);
    options.FailValueIf(options.IsSet("core-rate"), "core-rate", "only with --topology=leaf-spine");
    const QbbStar star = QbbStar::Create(run.GetHelper(), options.Get<uint32_t>("hosts"));
    const RccHop link{options.Get<uint64_t>("rate"), options.Get("delay"), options.Get<uint32_t>("cut-through")};
    return Net{star.nics, {star.sw}, star.hosts.GetN(), {link, link}, {}};
}

Net
LeafSpine(const RccOptions& options, RccRun& run)
{
    const auto shape = RccLeafSpine::GetShape(options);
    options.FailValueIf(options.IsChanged("hosts"), "hosts",
                        "only with --topology=star; a leaf-spine network has racks x hosts-per-rack");
    const QbbLeafSpine tree = QbbLeafSpine::Create(run.GetHelper(), shape);
    const RccHop edge{shape.rate, options.Get("delay"), options.Get<uint32_t>("cut-through")};
    const RccHop core{shape.coreRate, options.Get("delay"), edge.header};
    return Net{tree.nics, tree.Switches(), shape.hostsPerRack, {edge, edge}, {edge, core, core, edge}};
}

} // namespace

int
main(int argc, char* argv[])
{
    RccOptions options;
    options.Add("hosts", RCC_UNIT_COUNT, "9", 2, 1000, "hosts, all of which send and receive");
    options.AddChoice("topology", {"star", "leaf-spine"}, "star", "network; star: all hosts on one switch");
    options.AddChoice("pattern", {"all-to-all"}, "all-to-all", "every flow from a random host to a random other one");
    options.AddText("sizes", "NAME", "web-search",
                    "web-search, data-mining, fb-hadoop, or a file (lab/doc/workload.md)");
    options.Add("load", RCC_UNIT_RATIO, "0.8", RCC_RATIO_ONE / 1000, RCC_RATIO_ONE,
                "part of the hosts' links that the flows take, headers included");
    options.Add("drain", RCC_UNIT_NS, "10s", 0, 1000 * RCC_SECOND, "how long after --time flows may still take to end");
    RccLeafSpine::AddOptions(options);
    RccSetup::AddOptions(options);
    options.SetDefault("rate", "10Gbps");
    options.SetDefault("time", "1s");
    options.Parse(argc, argv, "Flows that arrive at random between all hosts.");
    RccSizes sizes;
    const std::string why = sizes.Load(options.GetText("sizes"));
    if (!why.empty())
    {
        RccOptions::Fail("--sizes: " + why);
    }

    RccRun run("workload", options);
    const Net net = options.GetText("topology") == "star" ? Star(options, run) : LeafSpine(options, run);
    const auto hosts = static_cast<uint32_t>(net.nics.size());
    const auto flows = Flows(options, sizes, hosts);
    for (const auto& sw : net.switches)
    {
        run.AddSwitch(sw);
    }
    for (uint32_t host = 0; host < hosts; host++)
    {
        run.AddBottleneck(net.switches[host / net.hostsPerSwitch], host % net.hostsPerSwitch);
    }
    run.Watch(net.switches[0], 0, "switch port to host 0");
    run.SetDrain(options.Get("drain"));
    run.Note("load", options.GetRatio("load"));
    run.Note("offered_load", OfferedLoad(options, flows, hosts));
    run.Note("mean_size_bytes", sizes.GetMeanBytes());

    const uint32_t near = run.GetFlows().AddPath(net.near);
    const uint32_t far = run.GetFlows().AddPath(net.far);
    for (const auto& f : flows)
    {
        const bool together = f.src / net.hostsPerSwitch == f.dst / net.hostsPerSwitch;
        run.GetFlows().AddArrival(net.nics[f.src], net.nics[f.dst], f.start, f.bytes, together ? near : far);
    }
    return run.Execute();
}
