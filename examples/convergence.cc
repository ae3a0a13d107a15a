/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Convergence: a few flows that start one after the other share one port, each
 * from a host of its own, as in figure 8 of "DCQCN+: Taming Large-scale Incast
 * Congestion in RDMA over Ethernet Networks" (ICNP 2018). flow_rates.csv has the
 * rate of every flow.
 */
#include "ns3/core-module.h"
#include "ns3/rcc-run.h"

#include <algorithm>
#include <sstream>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    const int64_t second = 1000000000;
    RccOptions options;
    RccRun::AddOptions(options);
    options.AddText("starts", "0s,0.1s,0.3s", "start of each flow, separated by commas; one sender per flow");
    options.Add("size", RCC_UNIT_BYTES, "0", 0, 1000000 * second, "bytes of a flow; 0 = without end");
    options.Parse(argc, argv, "Flows that start one after the other share one port.");

    RccRun run("convergence", options);
    std::vector<int64_t> starts;
    std::istringstream list(options.GetText("starts"));
    for (std::string text; std::getline(list, text, ',');)
    {
        int64_t start = 0;
        const std::string expected = RccParse(RCC_UNIT_NS, text, &start);
        if (!expected.empty())
        {
            RccOptions::Fail("--starts has '" + text + "', expected " + expected);
        }
        if (start < 0 || start >= options.Get("time"))
        {
            RccOptions::Fail("--starts has '" + text + "', expected less than --time, '" + options.GetText("time") +
                             "'");
        }
        starts.push_back(start);
    }
    if (starts.empty() || starts.size() > 1000)
    {
        RccOptions::Fail("--starts is '" + options.GetText("starts") + "', expected 1 to 1000 times");
    }

    auto senders = static_cast<uint32_t>(starts.size());
    QbbStar star = QbbStar::Create(run.GetHelper(), senders + 1);
    run.AddSwitch(star.sw);
    run.Watch(star.sw, senders, "switch port to the receiver");
    for (uint32_t i = 0; i < senders; i++)
    {
        run.AddFlow(star.nics[i], star.hosts.Get(i), star.nics[senders], star.hosts.Get(senders), starts[i],
                    static_cast<uint64_t>(options.Get("size")));
    }
    return run.Execute();
}
