/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A frame's way through a CioqSwitch, to the nanosecond: timing, STOP and GO, arbiter, configuration. */
#include "cioq-test-net.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace ns3;

namespace
{

// ---------------------------------------------------------------- timing

/// Link, fabric at 1.6 times its rate, latency, link; every frame to the ns. Other classes skip the fabric.
void
LatencyAndSpeedup()
{
    RccTestCioq bench;
    RCC_CHECK_EQ(bench.Build(2), "", "");
    for (uint64_t i = 0; i < 1000; i++)
    {
        bench.Send(0, 1, 1500, i);
    }
    Simulator::Run();
    RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 1000, "");
    for (const auto& f : bench.ports[1]->arrived)
    {
        const int64_t atInput = static_cast<int64_t>(1200 * (f.psn + 1)) + 100;
        RCC_CHECK_EQ(f.at, atInput + 750 + 1000 + 1200 + 100, "frame " << f.psn);
    }
    Simulator::Destroy();

    RccTestCioq control;
    RCC_CHECK_EQ(control.Build(2), "", "");
    control.Send(0, 1, 1500, 0, 1, 7);
    Simulator::Run();
    RCC_CHECK_EQ(control.ports[1]->arrived[0].at, 2 * (1200 + 100), "");
}

/// Copies of a frame enter the fabric one after the other, and no fraction of a ns is lost between them.
void
FabricSerialises()
{
    const uint64_t rate = 3 * G + 7;
    const uint64_t fabric = 7500000018u; // 2.5 times, rounded
    RccTestCioq bench;
    bench.Set("Speedup", "2.5");
    bench.Set("Latency", "777ns");
    RCC_CHECK_EQ(bench.Build(8, nullptr, rate), "", "");
    bench.sw->SetMulticast(RCC_TEST_GROUP, {1, 2, 3, 4, 5, 6, 7});
    bench.SendTo(0, RCC_TEST_GROUP, 1001, 0);
    Simulator::Run();
    const int64_t link = RccTxTime(1001, rate) + 100;
    for (size_t i = 1; i < 8; i++)
    {
        RCC_CHECK_EQ(bench.ports[i]->arrived.size(), 1, "");
        RCC_CHECK_EQ(bench.ports[i]->arrived[0].at, 2 * link + RccTxTime(1001 * i, fabric) + 777, "copy " << i);
    }
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

// ---------------------------------------------------------------- STOP and GO

/// An input stops at StopThreshold and goes at GoThreshold, to the byte.
void
StopAndGo()
{
    RccTestCioq bench;
    bench.Set("InputBuffer", "20000");
    bench.Set("OutputBuffer", "2000");
    bench.Set("StopThreshold", "10000");
    bench.Set("GoThreshold", "4000");
    RCC_CHECK_EQ(bench.Build(2), "", "");
    bench.Block(1, true);
    RccRunTo(10000);
    for (uint64_t i = 1; i <= 20; i++)
    {
        bench.Send(0, 1, 1000, i);
        RccRunTo(10000 + static_cast<int64_t>(i) * 10000);
        const uint64_t held = std::min<uint64_t>(i < 2 ? 0 : i - 2, 10); // two are in the output buffer
        RCC_CHECK_EQ(bench.sw->GetInputBytes(0), 1000 * held, i << " frames");
        RCC_CHECK_EQ(bench.sw->IsStopped(0), held == 10, i << " frames");
        RCC_CHECK_EQ(bench.ports[0]->device->GetPausedClasses() == 8, held == 10, "the upstream obeys");
    }
    bench.Block(1, false);
    bool stopped = true;
    for (int64_t t = RccNow() + 50; t < 300000; t += 50)
    {
        const uint64_t before = bench.sw->GetInputBytes(0);
        RccRunTo(t);
        RCC_CHECK(!stopped || bench.sw->IsStopped(0) == (bench.sw->GetInputBytes(0) > 4000),
                  "GO at 4000 bytes, from " << before);
        stopped = bench.sw->IsStopped(0);
    }
    RCC_CHECK_EQ(stopped, false, "");
    RCC_CHECK_EQ(bench.sw->GetStops(), 1, "");
    RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 20, "");
    RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 0, "");
}

/// A stop outlasts its quanta, at the upstream's rate even when this end of the link has become slower.
void
StopIsRefreshed()
{
    RccTestCioq bench;
    bench.Set("PauseQuanta", "200"); // 10.24 us
    RCC_CHECK_EQ(bench.Build(2), "", "");
    for (uint64_t i = 0; i < 400; i++)
    {
        bench.Send(0, 1, 1500, i);
    }
    RccAt(1000, [&] { bench.Block(1, true); });
    RccAt(500000, [&] { bench.sw->GetPort(0)->SetDataRate(DataRate(G)); });
    RccRunTo(300000);
    for (int64_t t = 300000; t < 1000000; t += 1000)
    {
        RccRunTo(t);
        RCC_CHECK_EQ(bench.ports[0]->device->GetPausedClasses(), 8, "at " << t);
    }
    RCC_CHECK_EQ(bench.sw->GetStops(), 1, "refreshes are no stops");
    RCC_CHECK_GE(bench.sw->GetPort(0)->GetCounters().pausesSent, 130, "");
    bench.Block(1, false);
    Simulator::Run();
    RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 400, "");
}

/// Four inputs at line rate into a blocked output: all of it fits. Without PFC the rest is dropped and counted.
void
LosslessUnderPause()
{
    for (bool pfc : {true, false})
    {
        RccTestCioq bench;
        RCC_CHECK_EQ(bench.Build(5, nullptr, 100 * G, 1000), "", "");
        RccTestLoss losePfc([](const RccFrame& f) { return f.kind == RccFrameKind::PFC; });
        for (size_t i = 0; i < 4; i++)
        {
            for (uint64_t n = 0; n < 300; n++)
            {
                bench.Send(i, 4, 1500, n);
            }
            auto channel = DynamicCast<QbbChannel>(bench.ports[i]->device->GetChannel());
            channel->SetDisturbance(pfc ? nullptr : &losePfc);
        }
        bench.Block(4, true);
        uint64_t most = 0;
        for (int64_t t = 100; t < 100000; t += 100)
        {
            RccRunTo(t);
            most = std::max(most, bench.sw->GetInputBytes(0));
        }
        bench.Block(4, false);
        Simulator::Run();
        RCC_CHECK_LE(most, 150000, "");
        RCC_CHECK_GE(most, pfc ? 110000 : 148501, "");
        RCC_CHECK_EQ(bench.sw->GetDroppedPackets() == 0, pfc, "");
        RCC_CHECK_EQ(bench.ports[4]->arrived.size() + bench.sw->GetDroppedPackets(), 1200, "");
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
        Simulator::Destroy();
    }
}

// ---------------------------------------------------------------- arbiter

/// Inputs with a backlog take turns, one frame each; one that has nothing is skipped.
void
RoundRobin()
{
    RccTestCioq bench;
    RCC_CHECK_EQ(bench.Build(6), "", "");
    bench.Block(5, true);
    RccRunTo(10000);
    for (size_t i = 0; i < 4; i++) // port 4 sends nothing
    {
        for (uint64_t n = 0; n < 200; n++)
        {
            bench.Send(i, 5, 1500, n);
        }
    }
    RccRunTo(1000000);
    bench.Block(5, false);
    Simulator::Run();
    const auto& arrived = bench.ports[5]->arrived;
    RCC_CHECK_EQ(arrived.size(), 800, "");
    for (size_t i = 4; i < arrived.size(); i++)
    {
        RCC_CHECK_EQ(arrived[i].src, arrived[i - 4].src, "frame " << i << " keeps the turn");
        RCC_CHECK_EQ(arrived[i].psn, arrived[i - 4].psn + 1, "");
    }
}

/// The output buffer holds what is granted; a slower link is followed at once, a faster one too.
void
CapacityStep()
{
    RccTestCioq bench;
    RCC_CHECK_EQ(bench.Build(2), "", "");
    for (uint64_t n = 0; n < 3000; n++)
    {
        bench.Send(0, 1, 1250, n); // 1 us
    }
    RccAt(1000000, [&] { bench.sw->GetPort(1)->SetDataRate(DataRate(G)); });
    RccAt(2000000, [&] { bench.sw->GetPort(1)->SetDataRate(DataRate(5 * G)); });
    auto frames = [&](int64_t from, int64_t to) {
        return std::count_if(bench.ports[1]->arrived.begin(), bench.ports[1]->arrived.end(),
                             [&](const RccTestPort::Seen& f) { return f.at > from && f.at <= to; });
    };
    RccRunTo(1900000);
    RCC_CHECK_NEAR(bench.sw->GetOutputBytes(1), 150000, 2 * 1250, "the output buffer is full");
    Simulator::Run();
    RCC_CHECK_EQ(frames(500000, 900000), 400, "10 Gb/s");
    RCC_CHECK_EQ(frames(1100000, 1900000), 80, "1 Gb/s");
    RCC_CHECK_EQ(frames(2100000, 2900000), 400, "5 Gb/s");
    RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 3000, "");
    RCC_CHECK_GE(bench.sw->GetStops(), 1, "");
    RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 0, "");
}

/// Random traffic, pauses and rates: every frame arrives once, in its flow's order, and nothing stays behind.
void
Conservation()
{
    int round = 0;
    for (const char* reliable : {"false", "true"})
    {
        for (const char* sampling : {"Arrival", "Deterministic", "Random"})
        {
            RccTestRandom random(static_cast<uint64_t>(++round));
            RccTestCioq bench;
            bench.Set("CongestionPoints", "Both");
            bench.Set("Reliable", reliable);
            bench.Set("Sampling", sampling);
            bench.Set("KeepAlive", std::string(sampling) == "Arrival" ? "false" : "true");
            RCC_CHECK_EQ(bench.Build(6, RccTestQcn("20KB")), "", "");
            bench.sw->SetMulticast(RCC_TEST_GROUP, {3, 4, 5});
            uint64_t sent[6] = {}; // frames to each port
            for (uint64_t n = 0; n < 6000; n++)
            {
                const auto from = static_cast<size_t>(random.Below(6));
                const auto bytes = static_cast<uint32_t>(64 + random.Below(1459));
                const bool group = from < 3 && random.Below(10) == 0;
                const auto to = static_cast<size_t>((from + 1 + random.Below(5)) % 6);
                if (group)
                {
                    bench.SendTo(from, RCC_TEST_GROUP, bytes, n, 99);
                }
                else
                {
                    bench.Send(from, to, bytes, n, static_cast<uint32_t>(to));
                }
                for (size_t p = 0; p < 6; p++)
                {
                    sent[p] += group ? p >= 3 : p == to;
                }
            }
            for (int64_t t = 20000; t < 2000000; t += 20000)
            {
                const auto port = static_cast<uint32_t>(random.Below(6));
                const bool block = random.Below(2) == 0;
                RccAt(t, [&bench, port, block] { bench.Block(port, block); });
                RccAt(t + 5000,
                      [&bench, port, block] { bench.sw->GetPort(port)->SetDataRate(DataRate((block ? 2 : 10) * G)); });
            }
            RccAt(2000000, [&bench] {
                for (size_t p = 0; p < 6; p++)
                {
                    bench.Block(p, false);
                }
            });
            Simulator::Run();
            uint64_t cnms = 0;
            for (uint32_t p = 0; p < 6; p++)
            {
                uint64_t data = 0;
                std::map<std::pair<uint32_t, uint32_t>, uint64_t> last;
                for (const auto& f : bench.ports[p]->arrived)
                {
                    cnms += f.kind == RccFrameKind::CNM;
                    if (f.kind == RccFrameKind::DATA)
                    {
                        data++;
                        uint64_t& previous = last[{f.src, f.srcQp}];
                        RCC_CHECK_LE(previous, f.psn, "in order");
                        previous = f.psn + 1;
                    }
                }
                RCC_CHECK_EQ(data, sent[p], "port " << p << ", " << sampling);
                RCC_CHECK_EQ(bench.sw->GetInputBytes(p) + bench.sw->GetOutputBytes(p), 0, "");
                RCC_CHECK_EQ(bench.sw->IsStopped(p), false, "");
            }
            RCC_CHECK_EQ(cnms, bench.sw->GetCnmsSent(), "");
            RCC_CHECK_GE(cnms, 10, "congestion points were at work");
            RCC_CHECK_GE(bench.sw->GetStops(), 5, "inputs stopped");
            RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 0, "");
            RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
            Simulator::Destroy();
        }
    }
}

// ---------------------------------------------------------------- configuration

/// Settings that cannot work are refused with the reason.
void
Refusals()
{
    struct Case
    {
        const char* attribute;
        const char* value;
        const char* algorithm;
        const char* why;
    };
    const std::vector<Case> cases{
        {"GoThreshold", "110000", "", "GoThreshold"},
        {"StopThreshold", "149000", "", "InputBuffer"},
        {"OutputBuffer", "1000", "", "OutputBuffer"},
        {"PauseQuanta", "10", "", "PauseQuanta"},
        {"KeepAlive", "true", "qcn", "KeepAlive"},
        {"CongestionPoints", "Both", "dcqcn", "dcqcn"},
        {"CongestionPoints", "None", "hpcc", "hpcc needs telemetry, and a CioqSwitch writes none"}};
    for (const auto& c : cases)
    {
        RccTestCioq bench;
        bench.Set(c.attribute, c.value);
        const std::string why = bench.Build(2, *c.algorithm ? RccAlgorithm::Create(c.algorithm) : nullptr);
        RCC_CHECK(why.find(c.why) != std::string::npos, c.attribute << ": '" << why << "'");
        Simulator::Destroy();
    }
    Ptr<CioqSwitch> sw = CreateObject<CioqSwitch>();
    RCC_CHECK(!sw->SetAttributeFailSafe("Sampling", StringValue("Sometimes")), "");
    RCC_CHECK(!sw->SetAttributeFailSafe("CongestionPoints", StringValue("inputs")), "");
    RCC_CHECK(!sw->SetAttributeFailSafe("Speedup", DoubleValue(0.5)), "");
}

RccTestSuite g_cioqSwitchSuite("rcc-cioq-switch", {{"latency-and-speedup", LatencyAndSpeedup},
                                                   {"fabric-serialises", FabricSerialises},
                                                   {"stop-and-go", StopAndGo},
                                                   {"stop-is-refreshed", StopIsRefreshed},
                                                   {"lossless-under-pause", LosslessUnderPause},
                                                   {"round-robin", RoundRobin},
                                                   {"capacity-step", CapacityStep},
                                                   {"conservation", Conservation},
                                                   {"refusals", Refusals}});

} // namespace
