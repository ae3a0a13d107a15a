/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * A collective operation of all hosts of a network: ring all-reduce or all-to-all,
 * step by step with barriers (lab/doc/scenarios.md).
 */
#include "rcc-collective.h"
#include "rcc-testbed.h"

using namespace ns3;

namespace
{

/// Hosts in the order of the ranks. Across: one of each switch in turn, so that neighbours are on different switches.
std::vector<size_t>
Order(const RccTestbed& testbed, bool across)
{
    std::vector<std::vector<size_t>> bySwitch;
    std::map<std::string, size_t> numbers;
    for (size_t i = 0; i < testbed.GetHosts().size(); i++)
    {
        const std::string& sw = across ? testbed.GetNeighbour(testbed.GetHostNames()[i]) : "";
        if (numbers.emplace(sw, bySwitch.size()).second)
        {
            bySwitch.emplace_back();
        }
        bySwitch[numbers[sw]].push_back(i);
    }
    std::vector<size_t> order;
    for (size_t turn = 0; order.size() < testbed.GetHosts().size(); turn++)
    {
        for (const auto& hosts : bySwitch)
        {
            if (turn < hosts.size())
            {
                order.push_back(hosts[turn]);
            }
        }
    }
    return order;
}

} // namespace

int
main(int argc, char* argv[])
{
    RccOptions options;
    RccCollective::AddOptions(options);
    options.AddChoice("placement", {"across", "within"}, "across",
                      "of the ranks; across: neighbours on different switches, within: in the order of --links");
    RccTestbed::AddOptions(options);
    options.SetDefault("links", "h[0-15]=t[0-3],t[0-3]-s[0-3]");
    RccSetup::AddOptions(options);
    options.SetDefault("rate", "100Gbps");
    options.SetDefault("time", "1s");
    options.SetDefault("mtu", "4096");
    options.Parse(argc, argv, "A collective operation of all hosts.");

    RccRun run("collective", options);
    RccTestbed testbed(options, run);
    std::vector<Ptr<RdmaNic>> ranks;
    for (size_t i : Order(testbed, options.GetText("placement") == "across"))
    {
        ranks.push_back(testbed.GetHosts()[i]);
    }
    options.FailValueIf(ranks.size() < 2, "links", "at least two hosts");
    RccCollective collective(run, ranks, RccCollective::GetShape(options));
    const std::string& first = testbed.GetHostNames().front();
    const RccTestbed::Port port = testbed.GetPorts("links", testbed.GetNeighbour(first), first).front();
    run.Watch(port.sw, port.index, "switch port " + port.name);
    run.SetExtra(&collective);
    return run.Execute();
}
