/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Flows of realistic sizes that arrive as a Poisson process between all hosts, as
 * in figure 11 of "DCQCN+: Taming Large-scale Incast Congestion in RDMA over
 * Ethernet Networks" (ICNP 2018): 9 hosts on one switch, 10 Gb/s, load 0.8.
 * doc/workload.md.
 */
#include "ns3/core-module.h"
#include "ns3/rcc-run.h"
#include "ns3/rcc-workload.h"

using namespace ns3;

namespace
{

const int64_t SECOND = 1000000000;
const uint64_t FLOWS_MAX = 10000000; // what a run lists in flows.csv must fit into memory

/// The flows that arrive within --time.
std::vector<RccPoissonFlows::Flow>
Flows(const RccOptions& options, const RccSizes& sizes, uint32_t hosts)
{
    RccPoissonFlows source(static_cast<uint64_t>(options.Get("seed")),
                           sizes,
                           hosts,
                           static_cast<uint64_t>(options.Get("rate")),
                           static_cast<uint64_t>(options.Get("load")),
                           static_cast<uint32_t>(options.Get("mtu")));
    const double expected = static_cast<double>(options.Get("time")) / source.GetMeanGap();
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
    const auto mtu = static_cast<uint64_t>(options.Get("mtu"));
    double bytes = 0;
    for (const auto& f : flows)
    {
        bytes += static_cast<double>(f.bytes + (f.bytes + mtu - 1) / mtu * ROCE_OVERHEAD);
    }
    return bytes * 8 / (options.GetSeconds("time") * static_cast<double>(options.Get("rate")) * hosts);
}

} // namespace

int
main(int argc, char* argv[])
{
    RccOptions options;
    RccRun::AddOptions(options);
    options.SetDefault("rate", "10Gbps");
    options.SetDefault("time", "1s");
    options.Add("hosts", RCC_UNIT_COUNT, "9", 2, 1000, "hosts, all of which send and receive");
    options.AddText("pattern", "all-to-all", "all-to-all: every flow from a random host to a random other one");
    options.AddText("sizes", "web-search", "web-search, data-mining, or a file of bytes and cumulative probability");
    options.Add(
        "load", RCC_UNIT_RATIO, "0.8", RCC_RATIO_ONE / 1000, RCC_RATIO_ONE, "of the hosts' links, headers included");
    options.Add("drain", RCC_UNIT_NS, "10s", 0, 1000 * SECOND, "how long after --time flows may still take to end");
    options.Parse(argc, argv, "Flows that arrive at random between all hosts.");
    if (options.GetText("pattern") != "all-to-all")
    {
        RccOptions::Fail("--pattern is '" + options.GetText("pattern") + "', expected all-to-all");
    }
    RccSizes sizes;
    const std::string why = sizes.Load(options.GetText("sizes"));
    if (!why.empty())
    {
        RccOptions::Fail("--sizes: " + why);
    }

    RccRun run("workload", options);
    const auto hosts = static_cast<uint32_t>(options.Get("hosts"));
    const auto flows = Flows(options, sizes, hosts);
    QbbStar star = QbbStar::Create(run.GetHelper(), hosts);
    run.AddSwitch(star.sw);
    run.Watch(star.sw, 0, "switch port to host 0");
    for (uint32_t port = 0; port < hosts; port++)
    {
        run.AddBottleneck(star.sw, port);
    }
    run.SetDrain(options.Get("drain"));
    run.Note("load", static_cast<double>(options.Get("load")) / RCC_RATIO_ONE);
    run.Note("offered_load", OfferedLoad(options, flows, hosts));
    run.Note("mean_size_bytes", sizes.GetMeanBytes());

    const RccHop link{static_cast<uint64_t>(options.Get("rate")), options.Get("delay")};
    const uint32_t path = run.AddPath({link, link});
    for (const auto& f : flows)
    {
        run.AddArrival(
            star.nics[f.src], star.hosts.Get(f.src), star.nics[f.dst], star.hosts.Get(f.dst), f.start, f.bytes, path);
    }
    return run.Execute();
}
