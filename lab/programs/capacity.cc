/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Capacity: a few sources share one switch port whose service rate drops and comes
 * back, as in section 4 of A. Kabbani and M. Yasuda, "Data Center Quantized
 * Congestion Notification (QCN): Implementation and Evaluation on NetFPGA".
 *
 *     source 0 --delay line--.
 *     source 1 --delay line--+-- switch -- output, 0.95 / 0.2 / 0.95 Gb/s
 *        ...   --delay line--'
 */
#include "ns3/boolean.h"
#include "ns3/rcc-text.h"
#include "ns3/uinteger.h"
#include "rcc-run.h"

#include <vector>

using namespace ns3;

namespace
{

/// The service rates that --capacity lists; exits with 2 if they make no sense.
std::vector<RccPhases::Step>
ReadSteps(const RccOptions& options)
{
    std::vector<RccPhases::Step> steps;
    for (const auto& text : options.GetList("capacity"))
    {
        const auto failIf = [&text](bool wrong, const std::string& expected) {
            RccOptions::FailItemIf(wrong, "capacity", text, expected);
        };
        const std::vector<std::string> part = RccSplit(text, ':');
        int64_t at = 0;
        int64_t rate = 0;
        failIf(part.size() != 2 || !RccParse(RCC_UNIT_NS, part[0], &at).empty() ||
                   !RccParse(RCC_UNIT_BPS, part[1], &rate).empty(),
               "TIME:RATE such as 2s:0.2Gbps");
        failIf(steps.empty() && at != 0, "0s for the first");
        failIf(!steps.empty() && at <= steps.back().at, "a time after the one before");
        failIf(at >= options.Get("time"), "a time before --time, '" + options.GetText("time") + "'");
        failIf(rate < static_cast<int64_t>(RCC_LINE_RATE_MIN) || rate > options.Get("rate"),
               RccFormat(RCC_UNIT_BPS, RCC_LINE_RATE_MIN) + " to --rate, '" + options.GetText("rate") + "'");
        steps.push_back(RccPhases::Step{at, static_cast<uint64_t>(rate)});
    }
    RccOptions::FailIf(steps.empty() ? "--capacity is empty, expected TIME:RATE such as 0s:0.95Gbps" : "");
    return steps;
}

} // namespace

int
main(int argc, char* argv[])
{
    RccOptions options;
    options.Add("sources", RCC_UNIT_COUNT, "8", 1, 64, "number of sending hosts, one flow each");
    options.AddList("capacity", "TIME:RATE", "0s:0.95Gbps,2s:0.2Gbps,5.7s:0.95Gbps",
                    "service rate of the output from TIME on; the first at 0s");
    options.FitToTime("capacity");
    options.Add("rtt", RCC_UNIT_NS, "100us", 0, RCC_SECOND,
                "round trip from a source to the switch and back, by the delay of its link");
    RccSetup::AddStart(options, "1ms");
    options.Add("bucket", RCC_UNIT_BYTES, "3KB", 0, RCC_SECOND, "depth of a source's token bucket, 0 = exact pacing");
    options.Add("bucket-interval", RCC_UNIT_NS, "16us", 1000, 1000000,
                "time between its tokens, which are of whole bytes");
    options.AddChoice("bucket-rule", {"debt", "frame"}, "debt",
                      "debt: a frame leaves at the first token; frame: when all its tokens are there");
    options.AddFlag("reliable", "go-back-N in place of datagrams that are sent once");
    RccSetup::AddOptions(options);
    options.SetDefault("cc", "qcn");
    options.SetDefault("preset", "", "netfpga-1g for qcn");
    options.SetDefault("delay", "1us", "1us, of the receiver's link");
    options.SetDefault("rate", "1Gbps");
    options.SetDefault("time", "10s");
    options.SetDefault("buffer", "150KB", "150KB, the output queue");
    options.SetDefault("mtu", "1434", "1434, a frame of 1500");
    options.Parse(argc, argv, "A few sources share one port whose service rate drops and comes back.");
    if (options.GetText("cc") == "qcn" && options.GetText("preset").empty())
    {
        options.SetDefault("preset", "netfpga-1g");
    }

    RccRun run("capacity", options);
    const std::vector<RccPhases::Step> steps = ReadSteps(options);
    auto sources = options.Get<uint32_t>("sources");
    const int64_t frame = options.Get("mtu") + QbbHelper::GetMaxOverhead();
    const std::string rule = options.GetText("bucket-rule");
    options.FailValueIf(rule == "frame" && options.Get("bucket") != 0 && options.Get("bucket") < frame, "bucket",
                        "0 or at least a frame of " + std::to_string(frame) + " bytes");
    run.SetLossy();
    run.GetHelper().SetNicAttribute("BucketSize", UintegerValue(options.Get<uint64_t>("bucket")));
    run.GetHelper().SetNicAttribute("BucketDebt", BooleanValue(rule == "debt"));
    run.GetHelper().SetNicAttribute("BucketInterval", TimeValue(NanoSeconds(options.Get("bucket-interval"))));
    run.GetHelper().SetNicAttribute("Reliable", BooleanValue(options.GetFlag("reliable")));
    QbbHelper delayed = run.GetHelper();
    delayed.SetChannelAttribute("Delay", TimeValue(NanoSeconds(options.Get("rtt") / 2)));

    // Host i is on port i of the switch; the receiver is the last one.
    QbbStar star = QbbStar::Create(delayed, sources + 1, run.GetHelper());
    run.AddSwitch(star.sw);
    run.Watch(star.sw, sources, "switch port to the receiver");
    run.SetCapacity(steps);

    for (uint32_t i = 0; i < sources; i++)
    {
        run.GetFlows().Add(star.nics[i], star.nics[sources], run.GetStart(i), 0);
    }
    return run.Execute();
}
