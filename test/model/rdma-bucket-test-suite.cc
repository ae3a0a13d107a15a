/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaBucket against one that counts tick by tick, and on a NIC. */
#include "rcc-test-net.h"

#include "ns3/boolean.h"
#include "ns3/rdma-bucket.h"

#include <algorithm>
#include <cstring>

using namespace ns3;

namespace
{

const uint64_t G = 1000000000;

/// A reaction point and a bucket, both taken from tick to tick.
struct Naive
{
    uint64_t memory[RCC_RP_SIZE_MAX / 8];
    int64_t size, interval;
    int64_t tokens, tick;

    rcc_rp* Rp()
    {
        return reinterpret_cast<rcc_rp*>(memory);
    }

    /// \return whether the tokens grew to `need`, at a tick up to `now`
    bool Run(int64_t now, int64_t need)
    {
        while (tick + interval <= now)
        {
            tick += interval;
            rcc_rp_advance(Rp(), tick);
            auto more = static_cast<int64_t>(static_cast<RccWide>(rcc_rp_rate(Rp())) * interval / 8000000000u);
            tokens = std::min(size, tokens + std::max<int64_t>(more, 1));
            if (tokens >= need)
            {
                return true;
            }
        }
        rcc_rp_advance(Rp(), now);
        return false;
    }
};

/// Tokens, rates and the foreseen departures are those of the naive one, whatever happens when.
void
TickByTick()
{
    for (uint64_t seed = 0; seed < 40; seed++)
    {
        RccTestRandom random(seed);
        const bool qcn = seed % 2 == 0;
        const bool debt = seed % 4 < 2;
        const uint64_t line = seed % 3 == 0 ? 1 * G : 40 * G;
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(qcn ? "qcn" : "dcqcn", qcn ? "netfpga-1g" : "paper");
        auto interval = static_cast<int64_t>(seed < 20 ? 16000 : 1 + random.Below(100000));
        auto size = static_cast<uint32_t>(1500 + random.Below(20000));
        uint64_t memory[RCC_RP_SIZE_MAX / 8];
        int64_t now = static_cast<int64_t>(random.Below(1000000000));
        rcc_rp* rp = rcc_rp_start(memory, algorithm->GetCore()->rp, algorithm->GetRpProfile(line), now, seed);
        RdmaBucket bucket;
        bucket.Set(size, interval, debt);
        RdmaBucket::Tokens tokens = bucket.Start(now);
        Naive naive{{}, size, interval, size, now / interval * interval};
        std::memcpy(naive.memory, memory, sizeof memory);

        for (int i = 0; i < 1500; i++)
        {
            auto bytes = static_cast<uint32_t>(64 + random.Below(1437));
            int64_t need = debt ? 1 : bytes;
            int64_t due = bucket.NextSend(rp, tokens, bytes);
            Naive ahead = naive;
            int64_t want = ahead.tokens >= need ? now : ahead.Run(INT64_MAX / 4, need) ? ahead.tick : -1;
            RCC_CHECK_EQ(due, want, "seed " << seed << ", step " << i);
            switch (random.Below(4))
            {
            case 0: { // feedback before anything leaves
                now += static_cast<int64_t>(random.Below(static_cast<uint64_t>(std::max<int64_t>(due - now, 1))));
                bucket.Fill(rp, tokens, now);
                naive.Run(now, INT64_MAX);
                rcc_feedback fb = {};
                fb.kind = qcn ? RCC_FEEDBACK_CNM : RCC_FEEDBACK_CNP;
                fb.qfb = static_cast<uint8_t>(1 + random.Below(20));
                rcc_rp_feedback(rp, now, &fb);
                rcc_rp_feedback(naive.Rp(), now, &fb);
                break;
            }
            case 1: // silence, sometimes long
                now += static_cast<int64_t>(random.Below(random.Below(20) ? 50000 : 50000000));
                break;
            default: // the frame leaves as soon as it may
                now = due;
                bucket.Fill(rp, tokens, now);
                naive.Run(now, INT64_MAX);
                tokens.bytes -= bytes;
                naive.tokens -= bytes;
                rcc_rp_sent(rp, now, bytes);
                rcc_rp_sent(naive.Rp(), now, bytes);
            }
            bucket.Fill(rp, tokens, now);
            naive.Run(now, INT64_MAX);
            RCC_CHECK_EQ(tokens.bytes, naive.tokens, "seed " << seed << ", step " << i);
            RCC_CHECK_EQ(tokens.filled, naive.tick, "seed " << seed << ", step " << i);
            RCC_CHECK_EQ(rcc_rp_rate(rp), rcc_rp_rate(naive.Rp()), "seed " << seed << ", step " << i);
        }
    }
}

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
            star.helper.SetNicAttribute("BucketSize", UintegerValue(3000));
            star.helper.SetNicAttribute("BucketDebt", BooleanValue(debt));
            star.Build(2, rate, 1000);
            RCC_CHECK_EQ(star.sw->Start(), "", "");
            RccTestLog log;
            log.Watch(star.nics[0]->GetPort(0));
            star.Send(0, 1, RccAlgorithm::Create("none"), 0);
            RccRunTo(20000000);
            auto sent = log.Of(RccFrameKind::DATA, false);
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
                // what the port rounded down may have been carried to this frame
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
        star.sw->Start();
        star.Send(0, 1, RccAlgorithm::Create("none"), 0);
        uint64_t before = RccEventQueue::CountEvents();
        RccRunTo(50000000);
        auto packets = static_cast<double>(star.nics[0]->GetCounters().packetsSent);
        RCC_CHECK_LE(static_cast<double>(RccEventQueue::CountEvents() - before), 4.05 * packets, "bucket of " << size);
        Simulator::Destroy();
    }
}

RccTestSuite g_suite("rcc-rdma-bucket", {{"tick-by-tick", TickByTick},
                                         {"departures", Departures},
                                         {"one-event-per-packet", OneEventPerPacket}});

} // namespace
