/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Incast: many flows from a few senders to one receiver through one switch, as
 * in figure 2 of "DCQCN+: Taming Large-scale Incast Congestion in RDMA over
 * Ethernet Networks" (ICNP 2018).
 *
 *     sender 0 --.
 *     sender 1 --+-- switch -- receiver
 *        ...   --'
 *
 * One run, one algorithm; ./rcc run incast compares several.
 */
#include "rcc-run.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    RccOptions options;
    options.Add("flows", RCC_UNIT_COUNT, "2000", 1, 1000000, "number of flows, spread evenly over the senders");
    options.Add("senders", RCC_UNIT_COUNT, "8", 1, 1000, "number of sending hosts");
    options.Add("receiver-rate", RCC_UNIT_BPS, "", RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX,
                "rate of the receiver's link, e.g. 10Gbps behind senders of 100Gbps", "as --rate");
    RccSetup::AddStart(options, "0.1s");
    RccSetup::AddSize(options);
    RccSetup::AddOptions(options);
    // 2000 flows of DCQCN+ have their rates 0.2 s after the last start: the second half is a converged window.
    options.SetDefault("time", "0.6s");
    options.Parse(argc, argv, "Incast of many RDMA flows at one switch port.");

    RccRun run("incast", options);
    auto senders = options.Get<uint32_t>("senders");
    auto flows = options.Get<uint64_t>("flows");

    // Host i is on port i of the switch; the receiver is the last one.
    QbbHelper receiver = run.GetHelper();
    if (options.IsSet("receiver-rate"))
    {
        receiver.SetDeviceAttribute("DataRate", DataRateValue(DataRate(options.Get("receiver-rate"))));
    }
    QbbStar star = QbbStar::Create(run.GetHelper(), senders + 1, receiver);
    run.AddSwitch(star.sw);
    run.Watch(star.sw, senders, "switch port to the receiver");

    for (uint64_t i = 0; i < flows; i++)
    {
        auto from = static_cast<uint32_t>(i % senders);
        run.GetFlows().Add(star.nics[from], star.nics[senders], run.GetStart(i), options.Get<uint64_t>("size"));
    }
    return run.Execute();
}
