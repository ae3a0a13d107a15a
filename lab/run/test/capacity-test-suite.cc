/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Ports whose rate changes on the way, drop-tail switches, datagrams, and the statistics of phases. */
#include "rcc-test-net.h"

#include "lab-phases.h"
#include "ns3/boolean.h"

#include <cmath>

using namespace ns3;

namespace
{

/// Frames back to back while the rate changes: each arrives at floor(exact end), the fraction outlives the change.
void
RateSteps()
{
    const std::vector<uint64_t> rates{3 * G + 7, 950000000, 200000000, 40 * G, 7 * G - 1, 1600 * G};
    RccTestLink link(rates[0], 500);
    RccTestRandom random(3);
    const int n = 20000;
    std::vector<uint32_t> sizes;
    for (int i = 0; i < n; i++)
    {
        sizes.push_back(static_cast<uint32_t>(64 + random.Below(1500)));
        link.a.Send(3, sizes.back());
    }
    std::vector<std::pair<int64_t, uint64_t>> steps{{0, rates[0]}};
    double capacity = 0;
    for (int i = 1; i < 400; i++)
    {
        int64_t at = steps.back().first + 1 + static_cast<int64_t>(random.Below(100000));
        uint64_t rate = rates[random.Below(rates.size())];
        capacity += static_cast<double>(steps.back().second) / 8e9 * static_cast<double>(at - steps.back().first);
        steps.emplace_back(at, rate);
        RccAt(at, [&link, rate] { link.a.device->SetDataRate(DataRate(rate)); });
    }
    RccRunTo(steps.back().first);
    RCC_CHECK_NEAR(link.a.device->GetCapacityBytes(RccNow()), capacity, 1e-9 * capacity, "integral of the rate");
    Simulator::Run();
    RCC_CHECK_EQ(link.b.arrived.size(), n, "");
    int64_t start = 0;
    long double late = 0; // the exact start is so much after `start`
    size_t step = 0;
    int near = 0;
    for (size_t i = 0; i < link.b.arrived.size(); i++)
    {
        while (step + 1 < steps.size() && steps[step + 1].first <= start)
        {
            step++;
        }
        near += steps[step].first == start; // the order of the two events is the simulator's
        long double end = late + sizes[i] * 8e9L / static_cast<long double>(steps[step].second);
        auto whole = static_cast<int64_t>(std::floor(end + 1e-9L));
        RCC_CHECK(link.b.arrived[i].at == start + whole + 500, "frame " << i << " of " << sizes[i] << " bytes");
        start += whole;
        late = end - static_cast<long double>(whole);
    }
    RCC_CHECK_EQ(near, 1, "no step fell on the start of a frame but the first");
}

/// A lossy switch with a threshold beyond its buffer is one drop-tail queue; datagrams go on whatever was lost.
void
DropTailAndDatagrams()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0));
    star.helper.SetSwitchAttribute("Alpha", DoubleValue(1024));
    star.helper.SetSwitchAttribute("BufferSize", UintegerValue(150000));
    star.helper.SetNicAttribute("Reliable", BooleanValue(false));
    star.Build(4, 1 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> none = RccAlgorithm::Create("none");
    for (size_t h = 0; h < 3; h++)
    {
        star.Send(h, 3, none, 0);
    }
    for (int64_t t = 5000000; t <= 50000000; t += 100000)
    {
        RccRunTo(t);
        uint64_t queue = star.sw->GetPort(3)->GetQueueBytesTotal();
        RCC_CHECK(queue <= 150000 && queue > 150000 - 2 * 1062, "full, whatever port it came from: " << queue);
    }
    uint64_t sent = 0;
    for (size_t h = 0; h < 3; h++)
    {
        const RdmaNicCounters& c = star.nics[h]->GetCounters();
        sent += c.packetsSent;
        RCC_CHECK_EQ(c.acksReceived + c.naksReceived + c.timeouts, 0, "");
    }
    const RdmaNicCounters& r = star.nics[3]->GetCounters();
    RCC_CHECK_EQ(r.acksSent + r.naksSent + r.packetsOutOfOrder, 0, "");
    RCC_CHECK_NEAR(r.packetsDelivered, 50e6 / 8496 - 1, 2, "the link is full");
    RCC_CHECK_EQ(sent - r.packetsDelivered - star.sw->GetDroppedPackets() <= 150000 / 1062 + 10, true, "conservation");
    RCC_CHECK_EQ(r.payloadDelivered, 1000 * r.packetsDelivered, "");
    for (size_t p = 0; p < 4; p++)
    {
        RCC_CHECK_EQ(star.sw->GetPort(p)->GetCounters().pausesSent, 0, "");
    }
}

/// Mean, deviation and utilisation of two phases, by hand.
void
Phases()
{
    const uint64_t rate = 8 * G; // a byte a nanosecond
    RccTestLink link(rate, 0);
    LabFlowSet flows(nullptr, nullptr);
    LabMeasurement measurement(flows);
    measurement.Watch(link.a.device, "port", 1);
    measurement.bottlenecks.push_back(link.a.device);
    std::vector<RunPhase> steps(2);
    steps[0].rate = rate;
    steps[1].at = 10000;
    steps[1].rate = rate / 4;
    LabPhases phases(measurement, steps, 30000);
    phases.Start();
    RccAt(1000, [&] {
        for (int i = 0; i < 4; i++) // waiting are 3000, 2000, 1000 and 0 bytes for 1000 ns each
        {
            link.a.Send(3, 1000);
        }
    });
    RccAt(20000, [&] { link.a.Send(3, 1000); }); // in the second half of the second phase
    RccRunTo(30000);
    const double mean = 6000e3 / 10000;
    const double deviation = std::sqrt((9e6 + 4e6 + 1e6) / 10 - mean * mean);
    RCC_CHECK_EQ(phases.Summary().Str(),
                 "[{\"from_s\": 0, \"to_s\": 1e-05, \"rate_bps\": 8000000000, \"mean_queue_bytes\": 600, "
                 "\"std_queue_bytes\": " +
                     LabJson::Number(deviation) +
                     ", \"utilization\": 0.4, \"settled\": {\"from_s\": 5e-06, \"mean_queue_bytes\": 0, "
                     "\"std_queue_bytes\": 0, \"utilization\": 0}}, "
                     "{\"from_s\": 1e-05, \"to_s\": 3e-05, \"rate_bps\": 2000000000, \"mean_queue_bytes\": 0, "
                     "\"std_queue_bytes\": 0, \"utilization\": 0.2, \"settled\": {\"from_s\": 2e-05, "
                     "\"mean_queue_bytes\": 0, \"std_queue_bytes\": 0, \"utilization\": 0.4}}]",
                 "");
}

/// A frame counts by the bits that have left, and keeps the rate that it leaves with.
void
PartsOfFrames()
{
    const uint64_t rate = 8 * G; // a byte a nanosecond
    RccTestLink link(rate, 0);
    LabFlowSet flows(nullptr, nullptr);
    LabMeasurement measurement(flows);
    measurement.Watch(link.a.device, "port", 1);
    measurement.bottlenecks.push_back(link.a.device);
    std::vector<uint64_t> sent;
    RccAt(1000, [&] { link.a.Send(3, 1000); });
    RccAt(1600, [&] { link.a.device->SetDataRate(DataRate(rate / 4)); });
    for (int64_t t : {500, 1000, 1250, 1500, 1750, 1999, 2000, 3000})
    {
        RccAt(t, [&] { sent.push_back(measurement.Now().tx); });
    }
    RccRunTo(3000);
    const std::vector<uint64_t> expected{0, 0, 250, 500, 750, 999, 1000, 1000};
    RCC_CHECK(sent == expected, "bytes at each time");
}

RccTestSuite g_capacitySuite("rcc-capacity", {{"rate-steps", RateSteps},
                                              {"drop-tail-and-datagrams", DropTailAndDatagrams},
                                              {"phases", Phases},
                                              {"parts-of-frames", PartsOfFrames}});

} // namespace
