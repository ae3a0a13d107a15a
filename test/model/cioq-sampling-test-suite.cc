/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The congestion points of a CioqSwitch: what they see, and whom they notify. Their lists: test/core/switch. */
#include "cioq-test-net.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace ns3;

namespace
{

/// Copies count at the input until their output sends them, with Reliable; without it until they have entered the
/// fabric.
void
ReliableOccupancy()
{
    for (bool reliable : {false, true})
    {
        RccTestCioq bench;
        bench.Set("OutputBuffer", "3000");
        bench.Set("Reliable", reliable ? "true" : "false");
        RCC_CHECK_EQ(bench.Build(2), "", "");
        bench.Block(1, true);
        RccAt(10000, [&] {
            for (uint64_t n = 0; n < 10; n++)
            {
                bench.Send(0, 1, 1000, n);
            }
        });
        RccRunTo(100000);
        RCC_CHECK_EQ(bench.sw->GetOutputBytes(1), 3000, "");
        RCC_CHECK_EQ(bench.sw->GetInputBytes(0), reliable ? 10000 : 7000, "");
        bench.Block(1, false);
        Simulator::Run();
        RCC_CHECK_EQ(bench.sw->GetInputBytes(0), 0, "");
        Simulator::Destroy();
    }
}

/// A flow to a blocked output fills the input (q.p. 1); another passes at 9 times its rate (q.p. 2).
std::map<uint32_t, uint64_t>
Culprits(const char* sampling, uint64_t& stops)
{
    RccTestCioq bench;
    bench.Set("CongestionPoints", "Inputs");
    bench.Set("Sampling", sampling);
    bench.Set("InputBuffer", "2000000");
    bench.Set("StopThreshold", "1900000");
    bench.Set("OutputBuffer", "20000");
    RCC_CHECK_EQ(bench.Build(3, RccTestQcn("20KB")), "", "");
    bench.Block(1, true);
    RccAt(10000, [&] {
        for (uint64_t n = 0; n < 10000; n++)
        {
            bench.Send(0, n % 10 ? 2 : 1, 1000, n, n % 10 ? 2 : 1);
        }
    });
    for (int64_t t = 3000000; t < 9000000; t += 3000000)
    {
        RccAt(t, [&] { bench.Block(1, true); }); // before its quanta expire
    }
    RccAt(9000000, [&] { bench.Block(1, false); });
    Simulator::Run();
    stops = bench.sw->GetStops();
    RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 0, "");
    auto cnms = bench.Cnms(0);
    Simulator::Destroy();
    return cnms;
}

/// Arrival sampling notifies by arrival rate, occupancy sampling by what lies in the buffer.
void
WhomToNotify()
{
    uint64_t stops = 0;
    auto arrival = Culprits("Arrival", stops);
    const auto all = static_cast<double>(arrival[1] + arrival[2]);
    RCC_CHECK_GE(all, 200, "");
    RCC_CHECK_NEAR(static_cast<double>(arrival[2]) / all, 0.9, 0.06, "nine of ten frames are the victim's");
    auto deterministic = Culprits("Deterministic", stops);
    RCC_CHECK_EQ(deterministic[2], 0, "the victim is never notified");
    RCC_CHECK_GE(deterministic[1], 200, "");
    auto random = Culprits("Random", stops);
    RCC_CHECK_GE(random[1], 200, "");
    RCC_CHECK_LE(random[2], 0.05 * static_cast<double>(random[1]), "it has two frames of some hundreds");
    RCC_CHECK_EQ(stops, 0, "");
}

/// A CNM leaves CnmDelay after the frame that was sampled arrived.
void
CnmDelay()
{
    RccTestCioq bench;
    bench.Set("CongestionPoints", "Inputs");
    Ptr<RccAlgorithm> algorithm = RccTestQcn("100B");
    RCC_CHECK_EQ(algorithm->SetParameter("sample_base", "1KB"), "", "");
    RCC_CHECK_EQ(bench.Build(2, algorithm), "", "");
    bench.Send(0, 1, 1250, 0, 42);
    Simulator::Run();
    RCC_CHECK_EQ(bench.ports[0]->arrived.size(), 1, "");
    const auto& cnm = bench.ports[0]->arrived[0];
    RCC_CHECK_EQ(cnm.kind, RccFrameKind::CNM, "");
    RCC_CHECK_EQ(cnm.dstQp, 42, "");
    RCC_CHECK_EQ(cnm.qfb, 63, "");
    RCC_CHECK_EQ(cnm.at, 1100 + 2400 + RccTxTime(CNM_BYTES, 10 * G) + 100, "");
}

/// A stopped input is sampled every Is bytes of line rate with KeepAlive, and not at all without.
void
KeepAlive()
{
    for (bool alive : {false, true})
    {
        RccTestCioq bench;
        bench.Set("CongestionPoints", "Inputs");
        bench.Set("Sampling", "Deterministic");
        bench.Set("KeepAlive", alive ? "true" : "false");
        bench.Set("OutputBuffer", "3000");
        RCC_CHECK_EQ(bench.Build(2, RccTestQcn("60KB")), "", "");
        bench.Block(1, true);
        RccAt(10000, [&] {
            for (uint64_t n = 0; n < 200; n++)
            {
                bench.Send(0, 1, 1000, n, 42);
            }
        });
        RccRunTo(150000); // 113 KB took 90 us
        RCC_CHECK_EQ(bench.sw->IsStopped(0), true, "");
        const uint64_t before = bench.Cnms(0)[42];
        RccRunTo(150000 + 10 * 120000);
        RCC_CHECK_EQ(bench.Cnms(0)[42] - before, alive ? 10 : 0, "150 KB at 10 Gb/s are 120 us");
        bench.Block(1, false);
        RccRunTo(1500000);
        RCC_CHECK_EQ(bench.sw->IsStopped(0), false, "");
        const uint64_t after = bench.Cnms(0)[42];
        RccRunTo(5000000);
        RCC_CHECK_EQ(bench.Cnms(0)[42], after, "the clock has stopped");
        Simulator::Destroy();
    }
}

/// A multicast frame is sampled once at its input, but at every output it leaves through (section III.A).
void
MulticastSampling()
{
    for (const char* where : {"Inputs", "Outputs", "Both"})
    {
        RccTestCioq bench;
        bench.Set("CongestionPoints", where);
        Ptr<RccAlgorithm> algorithm = RccTestQcn("100B"); // every frame is a sample, and every sample a CNM
        RCC_CHECK_EQ(algorithm->SetParameter("sample_base", "1KB"), "", "");
        RCC_CHECK_EQ(bench.Build(4, algorithm), "", "");
        bench.sw->SetMulticast(RCC_TEST_GROUP, {1, 2, 3});
        for (uint64_t n = 0; n < 100; n++)
        {
            RccAt(static_cast<int64_t>(n) * 10000, [&bench, n] { bench.SendTo(0, RCC_TEST_GROUP, 1250, n, 42); });
        }
        Simulator::Run();
        const uint64_t want = std::string(where) == "Inputs" ? 100 : std::string(where) == "Outputs" ? 300 : 400;
        RCC_CHECK_EQ(bench.Cnms(0)[42], want, where);
        for (size_t p = 1; p < 4; p++)
        {
            RCC_CHECK_EQ(bench.ports[p]->arrived.size(), 100, "");
        }
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
        Simulator::Destroy();
    }
}

RccTestSuite g_cioqSamplingSuite("rcc-cioq-sampling", {{"reliable-occupancy", ReliableOccupancy},
                                                       {"whom-to-notify", WhomToNotify},
                                                       {"cnm-delay", CnmDelay},
                                                       {"keep-alive", KeepAlive},
                                                       {"multicast-sampling", MulticastSampling}});

} // namespace
