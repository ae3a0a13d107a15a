/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The token bucket on a NIC; test/core/port has it alone. */
#include "rcc-test-net.h"

#include "ns3/boolean.h"

#include <algorithm>

using namespace ns3;

namespace
{

/// Frames of a NIC without congestion control: each leaves at the first tick with its tokens, or as the port is free.
void
Departures()
{
    for (bool debt : {false, true})
    {
        for (uint64_t rate : {1 * G, 999 * G / 1000, 3 * G})
        {
            RccTestStar star;
            star.helper.SetNicAttribute("Mtu", UintegerValue(1438)); // a frame of 1500 bytes
            star.helper.SetSwitchAttribute("MaxFrame", UintegerValue(1500));
            star.helper.SetNicAttribute("BucketSize", UintegerValue(3000));
            star.helper.SetNicAttribute("BucketDebt", BooleanValue(debt));
            star.Build(2, rate, 1000);
            RCC_CHECK_EQ(star.sw->Start(), "", "");
            RccTestLog log;
            log.Watch(star.nics[0]->GetPort(0));
            star.Send(0, 1, RccAlgorithm::Create("none"), 0);
            RccRunTo(20000000);
            auto sent = log.Select(RccFrameKind::DATA, false);
            RCC_CHECK_GE(sent.size(), 1000, "");
            const auto per = static_cast<int64_t>(rate * 16000 / 8 / G);
            int64_t tokens = 3000;
            int64_t tick = 0;
            for (size_t i = 0; i < sent.size(); i++)
            {
                int64_t at = RccTxTime(i ? 1500 : 0, rate) + (i ? sent[i - 1].at : 0); // the port is free
                for (; tick + 16000 <= at || tokens < (debt ? 1 : 1500); tick += 16000)
                {
                    tokens = std::min<int64_t>(3000, tokens + per);
                }
                // a fraction that the port rounded down may have been carried to this frame
                RCC_CHECK_NEAR(sent[i].at, std::max(at, tick), 1, "frame " << i << " at " << rate);
                tokens -= 1500;
            }
            double share = static_cast<double>(sent.size()) * 1500 * 8 / 0.02 / static_cast<double>(rate);
            // At 3 Gb/s a tick brings twice what the bucket holds; just below 1 Gb/s a bucket that waits
            // for whole frames loses every fourth tick what falls on top of an almost full one.
            double want = rate == 3 * G ? 0.5 : rate == 1 * G || debt ? 1 : 0.9375 / 0.999;
            RCC_CHECK_NEAR(share, want, 0.002, "rule " << debt << " at " << rate);
            Simulator::Destroy();
        }
    }
}

/// A packet still costs one event at the NIC.
void
OneEventPerPacket()
{
    for (uint32_t size : {0u, 3000u})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("BucketSize", UintegerValue(size));
        star.helper.SetNicAttribute("AckEvery", UintegerValue(1000000));
        star.Build(2, 1 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        star.Send(0, 1, RccAlgorithm::Create("none"), 0);
        uint64_t before = RccEventQueue::CountEvents();
        RccRunTo(50000000);
        auto packets = static_cast<double>(star.nics[0]->GetCounters().packetsSent);
        RCC_CHECK_LE(static_cast<double>(RccEventQueue::CountEvents() - before), 4.05 * packets, "bucket of " << size);
        Simulator::Destroy();
    }
}

RccTestSuite g_rdmaBucketSuite("rcc-rdma-bucket",
                               {{"departures", Departures}, {"one-event-per-packet", OneEventPerPacket}});

} // namespace
