/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Convergence: a few flows that start one after the other share one port, each
 * from a host of its own, as in figure 8 of "DCQCN+: Taming Large-scale Incast
 * Congestion in RDMA over Ethernet Networks" (ICNP 2018). flow_rates.csv has the
 * rate of every flow.
 */
#include "rcc-run.h"

#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    RccOptions options;
    options.AddList("starts", "TIME", "0s,0.1s,0.3s", "start of each flow; one sender per flow");
    options.FitToTime("starts");
    RccSetup::AddSize(options);
    RccSetup::AddOptions(options);
    options.Parse(argc, argv, "Flows that start one after the other share one port.");

    RccRun run("convergence", options);
    std::vector<int64_t> starts;
    for (const auto& text : options.GetList("starts"))
    {
        starts.push_back(RccOptions::ParseField("starts", text, text, RCC_UNIT_NS, 0, options.Get("time") - 1));
    }
    options.FailValueIf(starts.empty() || starts.size() > 1000, "starts", "1 to 1000 times");

    auto senders = static_cast<uint32_t>(starts.size());
    QbbStar star = QbbStar::Create(run.GetHelper(), senders + 1);
    run.AddSwitch(star.sw);
    run.Watch(star.sw, senders, "switch port to the receiver");
    for (uint32_t i = 0; i < senders; i++)
    {
        run.GetFlows().Add(star.nics[i], star.nics[senders], starts[i], options.Get<uint64_t>("size"));
    }
    return run.Execute();
}
