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
#include "ns3/rcc-random.h"
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
        const std::string what = "--capacity has '" + text + "', expected ";
        const std::vector<std::string> part = RccSplit(text, ':');
        int64_t at = 0;
        int64_t rate = 0;
        if (part.size() != 2 || !RccParse(RCC_UNIT_NS, part[0], &at).empty() ||
            !RccParse(RCC_UNIT_BPS, part[1], &rate).empty())
        {
            RccOptions::Fail(what + "TIME:RATE such as 2s:0.2Gbps");
        }
        if (steps.empty() ? at != 0 : at <= steps.back().at)
        {
            RccOptions::Fail(what + (steps.empty() ? "0s for the first" : "a time after the one before"));
        }
        if (at >= options.Get("time"))
        {
            RccOptions::Fail(what + "a time before --time, '" + options.GetText("time") + "'");
        }
        if (rate < static_cast<int64_t>(RCC_LINE_RATE_MIN) || rate > options.Get("rate"))
        {
            RccOptions::Fail(what + RccFormat(RCC_UNIT_BPS, RCC_LINE_RATE_MIN) + " to --rate, '" +
                             options.GetText("rate") + "'");
        }
        steps.push_back(RccPhases::Step{at, static_cast<uint64_t>(rate)});
    }
    if (steps.empty())
    {
        RccOptions::Fail("--capacity is empty, expected TIME:RATE such as 0s:0.95Gbps");
    }
    return steps;
}

} // namespace

int
main(int argc, char* argv[])
{
    const int64_t second = 1000000000;
    RccOptions options;
    options.Add("sources", RCC_UNIT_COUNT, "8", 1, 64, "number of sending hosts, one flow each");
    options.AddList("capacity", "TIME:RATE", "0s:0.95Gbps,2s:0.2Gbps,5.7s:0.95Gbps",
                    "service rate of the output from TIME on; the first at 0s");
    options.FitToTime("capacity");
    options.Add("rtt", RCC_UNIT_NS, "100us", 0, second,
                "round trip from a source to the switch and back, by the delay of its link");
    options.Add("start", RCC_UNIT_NS, "1ms", 0, 1000 * second, "flows start uniformly at random in [0, TIME]");
    options.FitToTime("start");
    options.Add("bucket", RCC_UNIT_BYTES, "3KB", 0, second, "depth of a source's token bucket, 0 = exact pacing");
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

    auto window = options.Get<uint64_t>("start");
    uint64_t stream = RccStreamOf(run.GetSeed(), RccStream::FLOW_START, 0);
    for (uint32_t i = 0; i < sources; i++)
    {
        auto start = static_cast<int64_t>(window ? RccUniform(stream, i, window) : 0);
        run.GetFlows().Add(star.nics[i], star.nics[sources], start, 0);
    }
    return run.Execute();
}
