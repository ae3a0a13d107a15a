/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice and QbbChannel: transmission times, the order of classes, counters, the queue monitor. */
#include "rcc-test-net.h"

#include <algorithm>
#include <map>

using namespace ns3;

namespace
{

/// 1e5 frames back to back arrive at floor(exact end of transmission) + delay, each of them.
void
Serialisation()
{
    for (uint64_t rate : {10 * G, 40 * G, 400 * G, 25 * G, 3 * G + 7})
    {
        for (uint32_t bytes : {1062u, 64u, 9062u})
        {
            const int n = rate == 40 * G || rate == 400 * G ? 100000 : 3000;
            const int64_t delay = 1234;
            RccTestLink link(rate, delay);
            for (int i = 0; i < n; i++)
            {
                link.a.Send(3, bytes);
            }
            Simulator::Run();
            RCC_CHECK_EQ(link.b.arrived.size(), n, "");
            for (int i = 0; i < n && i < static_cast<int>(link.b.arrived.size()); i++)
            {
                RCC_CHECK_EQ(link.b.arrived[i].at, RccTxTime(bytes * (i + 1ull), rate) + delay,
                             "frame " << i << " of " << bytes << " bytes at " << rate);
            }
            Simulator::Destroy();
        }
    }
}

/// Frames of changing sizes leave in time: the remainder survives a change of size.
void
SerialisationOfMixedSizes()
{
    for (uint64_t rate : {40 * G, 400 * G, 3 * G + 7})
    {
        RccTestLink link(rate, 1);
        RccTestRandom random(rate);
        std::vector<uint64_t> ends;
        uint64_t sum = 0;
        for (int i = 0; i < 20000; i++)
        {
            auto bytes = static_cast<uint32_t>(64 + random.Below(1500));
            sum += bytes;
            ends.push_back(sum);
            link.a.Send(3, bytes);
        }
        Simulator::Run();
        RCC_CHECK_EQ(link.b.arrived.size(), ends.size(), "");
        for (size_t i = 0; i < std::min(ends.size(), link.b.arrived.size()); i++)
        {
            RCC_CHECK_EQ(link.b.arrived[i].at, RccTxTime(ends[i], rate) + 1, "frame " << i << " at " << rate);
        }
        Simulator::Destroy();
    }
}

/// A frame that finds the link idle carries nothing over from the last one.
void
IdleLinkStartsAfresh()
{
    const uint64_t rate = 3 * G; // 64 bytes: 170.67 ns
    RccTestLink link(rate, 0);
    for (int64_t t : {0, 1000, 2000, 3000})
    {
        RccAt(t, [&] { link.a.Send(3, 64); });
    }
    Simulator::Run();
    RCC_CHECK_EQ(link.b.arrived.size(), 4, "");
    for (size_t i = 0; i < link.b.arrived.size(); i++)
    {
        RCC_CHECK_EQ(link.b.arrived[i].at, 1000 * i + 170, "frame " << i);
    }
}

void
Delay()
{
    for (int64_t delay : {0, 1, 1000, 100000, 1000000000})
    {
        RccTestLink link(40 * G, delay);
        link.a.Send(3, 1000); // 200 ns
        link.b.Send(2, 500);  // 100 ns, the other way at the same time
        RccAt(250, [&] { link.a.Send(3, 1000); });
        Simulator::Run();
        RCC_CHECK_EQ(link.b.arrived.size(), 2, "delay " << delay);
        RCC_CHECK_EQ(link.a.arrived.size(), 1, "delay " << delay);
        RCC_CHECK_EQ(link.b.arrived[0].at, 200 + delay, "");
        RCC_CHECK_EQ(link.b.arrived[1].at, 450 + delay, "");
        RCC_CHECK_EQ(link.a.arrived[0].at, 100 + delay, "full duplex");
        Simulator::Destroy();
    }
}

/// The gap is silence after a frame: the first arrives without it, the others are spaced by it.
void
InterframeGap()
{
    const uint64_t rate = 10 * G;
    RccTestLink link(rate, 500, 20);
    for (int i = 0; i < 1000; i++)
    {
        link.a.Send(3, 1062);
    }
    Simulator::Run();
    RCC_CHECK_EQ(link.b.arrived.size(), 1000, "");
    for (size_t i = 0; i < link.b.arrived.size(); i++)
    {
        uint64_t bytes = (i + 1) * 1082 - 20;
        RCC_CHECK_NEAR(link.b.arrived[i].at, RccTxTime(bytes, rate) + 500, 1, "frame " << i);
    }
}

/// The control class goes first, but never into a frame that is on the wire.
void
StrictPriority()
{
    RccTestLink link(40 * G, 0);
    for (int i = 0; i < 3; i++)
    {
        link.a.Send(3, 1000, i);
    }
    RccAt(50, [&] {
        link.a.Send(7, 100, 10);
        link.a.Send(7, 100, 11);
    });
    Simulator::Run();
    const uint64_t order[] = {0, 10, 11, 1, 2};
    const int64_t times[] = {200, 220, 240, 440, 640};
    RCC_CHECK_EQ(link.b.arrived.size(), 5, "");
    for (size_t i = 0; i < std::min<size_t>(5, link.b.arrived.size()); i++)
    {
        RCC_CHECK_EQ(link.b.arrived[i].psn, order[i], "position " << i);
        RCC_CHECK_EQ(link.b.arrived[i].at, times[i], "position " << i);
    }
}

/// Classes that always have frames get the same bytes, whatever the size of their frames.
void
RoundRobinSharesBytes()
{
    const std::map<uint8_t, uint32_t> sizes{{0, 100}, {1, 1062}, {2, 1500}, {5, 4000}, {6, 9062}};
    RccTestLink link(40 * G, 0);
    const uint64_t each = 4000000;
    for (const auto& s : sizes)
    {
        for (uint64_t sum = 0; sum < each; sum += s.second)
        {
            link.a.Send(s.first, s.second);
        }
    }
    RccRunTo(RccTxTime(each * 4, 40 * G)); // no class is empty yet
    std::map<uint8_t, uint64_t> got;
    for (const auto& f : link.b.arrived)
    {
        got[f.cls] += f.bytes;
    }
    for (const auto& s : sizes)
    {
        // Shreedhar and Varghese: within the largest frame and two quanta (1500 + 62) at any time.
        RCC_CHECK_NEAR(got[s.first], each * 4 / 5, 9062 + 2 * 1562, "class " << unsigned(s.first));
    }
    RCC_CHECK_EQ(link.a.device->GetQueueBytes(7), 0, "");
}

/// A class that was idle gets its share, not what it did not use.
void
RoundRobinForgetsIdleTime()
{
    RccTestLink link(40 * G, 0);
    for (int i = 0; i < 20000; i++)
    {
        link.a.Send(1, 1000);
    }
    const int64_t late = 10000 * 200;
    RccAt(late, [&] {
        for (int i = 0; i < 5000; i++)
        {
            link.a.Send(2, 1000);
        }
    });
    RccRunTo(late + 4000 * 200);
    uint64_t before = 0;
    uint64_t after[3] = {};
    for (const auto& f : link.b.arrived)
    {
        before += f.at <= late ? f.bytes : 0;
        after[f.cls] += f.at > late ? f.bytes : 0;
    }
    RCC_CHECK_EQ(before, 10000 * 1000, "alone");
    RCC_CHECK_NEAR(after[1], 2000 * 1000, 2 * 1562 + 1000, "");
    RCC_CHECK_NEAR(after[2], 2000 * 1000, 2 * 1562 + 1000, "");
}

/// An observer that integrates the queue as the port reports it.
class Integral : public QbbFrameObserver
{
  public:
    double area{0};
    uint64_t reports{0}, most{0};
    int64_t last{0};

    void QueueWas(uint64_t bytes, int64_t now) override
    {
        RCC_CHECK_GE(now, last, "time goes on");
        area += static_cast<double>(bytes) * static_cast<double>(now - last);
        most = now > last ? std::max(most, bytes) : most;
        last = now;
        reports++;
    }
};

/// The area under the reported queue is the sum of every frame's bytes times its wait.
void
QueueLength()
{
    const uint64_t rate = 40 * G;
    RccTestLink link(rate, 100);
    Integral monitor, other, none;
    link.a.device->AddObserver(&none, QBB_OBSERVE_QUEUE);
    link.a.device->AddObserver(&monitor, QBB_OBSERVE_QUEUE);
    link.a.device->AddObserver(&other, QBB_OBSERVE_QUEUE | QBB_OBSERVE_FRAMES);
    link.a.device->RemoveObserver(&none);
    RccTestRandom random(3);
    std::vector<int64_t> sent;
    int64_t t = 0;
    const size_t n = 5000;
    for (size_t i = 0; i < n; i++)
    {
        auto bytes = static_cast<uint32_t>(64 + random.Below(1000));
        t += random.Below(200);
        sent.push_back(t);
        RccAt(t, [&link, bytes, i] { link.a.Send(static_cast<uint8_t>(i % 8), bytes, i); });
    }
    RccAt(t / 3, [&] { link.b.device->SendPfc(0x0f, 65535, RccNow()); });
    RccAt(t / 2, [&] { link.b.device->SendPfc(0x0f, 0, RccNow()); });
    Simulator::Run();
    monitor.QueueWas(0, RccNow());
    RCC_CHECK_EQ(link.a.left.size(), n, "");
    double area = 0;
    for (const auto& f : link.a.left)
    {
        area += static_cast<double>(f.bytes) * static_cast<double>(f.at - sent[f.psn]);
    }
    RCC_CHECK_NEAR(monitor.area, area, area * 1e-12, "");
    RCC_CHECK_GE(monitor.most, 100000, "the pause made a queue");
    RCC_CHECK_EQ(monitor.reports, 2 * n + 1, "once per change");
    RCC_CHECK_EQ(other.reports, 2 * n, "each observer of a port");
    RCC_CHECK_EQ(none.reports, 0, "no more");
    RCC_CHECK_EQ(link.a.device->GetQueueBytesTotal(), 0, "");
    link.a.device->RemoveObserver(&monitor);
}

void
Counters()
{
    RccTestLink link(40 * G, 10);
    link.a.Send(3, 1000);
    link.a.Send(7, 66);
    link.b.device->SendPfc(1, 100, 0);
    link.b.device->SendPfc(1, 0, 0);
    Simulator::Run();
    const QbbPortCounters& a = link.a.device->GetCounters();
    const QbbPortCounters& b = link.b.device->GetCounters();
    RCC_CHECK_EQ(a.txFrames, 2, "");
    RCC_CHECK_EQ(a.txBytes, 1066, "");
    RCC_CHECK_EQ(b.rxFrames, 2, "");
    RCC_CHECK_EQ(b.rxBytes, 1066, "");
    RCC_CHECK_EQ(b.pausesSent, 1, "");
    RCC_CHECK_EQ(b.resumesSent, 1, "");
    RCC_CHECK_EQ(b.txBytes, a.rxBytes, "");
    RCC_CHECK_EQ(b.txFrames, a.rxFrames, "");
}

/// Frames that left the network are back in the pool; a later simulation has a pool of its own.
void
PoolBalance()
{
    for (int round = 0; round < 2; round++)
    {
        RccTestLink link(40 * G, 1000);
        for (int i = 0; i < 3000; i++)
        {
            link.a.Send(static_cast<uint8_t>(i % 8), 64 + i % 1000);
        }
        link.b.device->SendPfc(0x10, 50, 0);
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 3001, "round " << round);
        Simulator::Run();
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "round " << round);
        RCC_CHECK_EQ(link.b.arrived.size(), 3000, "round " << round);
        Simulator::Destroy();
    }
    // Frames on the wire and in queues at the end are given back as well (the leak checker sees the rest).
    RccTestLink link(40 * G, 1000);
    Ptr<RccFramePool> pool = RccFramePool::Current();
    for (int i = 0; i < 100; i++)
    {
        link.a.Send(3, 1000);
    }
    RccRunTo(5000);
    RCC_CHECK_GE(pool->InUse(), 50, "");
    Simulator::Destroy();
    RCC_CHECK_EQ(pool->InUse(), 0, "after Destroy");
}

/// A changed rate applies from the next frame on.
void
ChangeOfRate()
{
    RccTestLink link(40 * G, 0);
    link.a.Send(3, 1000);
    link.a.Send(3, 1000);
    RccAt(100, [&] { link.a.device->SetDataRate(DataRate(10 * G)); });
    Simulator::Run();
    RCC_CHECK_EQ(link.b.arrived.size(), 2, "");
    RCC_CHECK_EQ(link.b.arrived[0].at, 200, "the frame on the wire keeps its rate");
    RCC_CHECK_EQ(link.b.arrived[1].at, 1000, "");
}

/// The longest delay of a node's network is found beside links whose devices are on no node.
void
LinkOfDevicesWithoutANode()
{
    Ptr<QbbChannel> channel = CreateObject<QbbChannel>();
    channel->SetDelay(NanoSeconds(5000));
    CreateObject<QbbNetDevice>()->AttachChannel(channel);
    CreateObject<QbbNetDevice>()->AttachChannel(channel);
    RccTestLink link(G, 1234);
    RCC_CHECK_EQ(QbbChannel::GetLongestDelay(link.a.device->GetNode()->GetId()), 1234, "");
    RCC_CHECK_EQ(QbbChannel::GetLongestDelay(), 5000, "");
}

/// The states of a port's link when it is told of a change.
struct LinkStates
{
    Ptr<QbbNetDevice> device;
    std::vector<bool> up;

    void Note()
    {
        up.push_back(device->IsLinkUp());
    }
};

/// Each function of AddLinkChangeCallback is called when the link goes down and when it comes up, with its new state.
void
LinkChanges()
{
    RccTestLink link(G, 1000);
    LinkStates seen[2];
    for (auto& states : seen)
    {
        states.device = link.a.device;
        link.a.device->AddLinkChangeCallback(MakeCallback(&LinkStates::Note, &states)); // ns-3.31 takes no lambda
    }
    Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(link.a.device->GetChannel());
    channel->TakeDown(0);
    channel->BringUp(0);
    channel->TakeDown(0);
    for (const auto& states : seen)
    {
        RCC_CHECK(states.up == std::vector<bool>({false, true, false}), states.up.size() << " changes");
    }
}

RccTestSuite g_qbbLinkSuite("rcc-qbb-link", {{"serialisation", Serialisation},
                                             {"serialisation-of-mixed-sizes", SerialisationOfMixedSizes},
                                             {"idle-link-starts-afresh", IdleLinkStartsAfresh},
                                             {"delay", Delay},
                                             {"interframe-gap", InterframeGap},
                                             {"strict-priority", StrictPriority},
                                             {"round-robin-shares-bytes", RoundRobinSharesBytes},
                                             {"round-robin-forgets-idle-time", RoundRobinForgetsIdleTime},
                                             {"queue-length", QueueLength},
                                             {"counters", Counters},
                                             {"pool-balance", PoolBalance},
                                             {"change-of-rate", ChangeOfRate},
                                             {"link-changes", LinkChanges},
                                             {"link-of-devices-without-a-node", LinkOfDevicesWithoutANode}});

} // namespace
