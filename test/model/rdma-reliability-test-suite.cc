/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Go-back-N, timeouts, and the life of a queue pair. */
#include "rcc-test-net.h"

#include <algorithm>

using namespace ns3;

namespace
{

const int64_t TIMEOUT = 1000000;

/// Two hosts on a switch, losses on the sender's link, both ways.
struct Net : RccTestStar
{
    RccTestLoss losses;

    explicit Net(uint32_t ackEvery = 8)
    {
        helper.SetNicAttribute("AckEvery", UintegerValue(ackEvery));
        helper.SetNicAttribute("RetransmissionTimeout", TimeValue(NanoSeconds(TIMEOUT)));
        Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(sw->Start(), "", "");
    }

    void Lose(const std::function<bool(const RccFrame&)>& lose)
    {
        losses.loses = lose;
        Link(0)->SetDisturbance(&losses);
    }

    /// The message arrived whole, was acknowledged, and left nothing behind.
    void CheckWhole(uint32_t qp, uint64_t bytes, const std::string& what)
    {
        const RdmaSendQp& s = nics[0]->GetSendQp(qp);
        RCC_CHECK_EQ(Received(0, 1, qp).bytes, bytes, what);
        RCC_CHECK_EQ(Received(0, 1, qp).expected, (bytes + 999) / 1000, what);
        RCC_CHECK_GE(s.finished, 1, what << ": never acknowledged");
        RCC_CHECK_EQ(s.tx.una, (bytes + 999) / 1000, what);
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, what);
    }
};

/// One data packet lost: a NAK, go back, and no timeout.
void
SingleLoss()
{
    for (uint64_t which : {0ull, 1ull, 7ull, 8ull, 50ull, 98ull})
    {
        Net net;
        bool done = false;
        net.Lose([&](const RccFrame& f) {
            bool hit = f.kind == RccFrameKind::DATA && f.psn == which && !done;
            done = done || hit;
            return hit;
        });
        uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 99500);
        Simulator::Run();
        net.CheckWhole(qp, 99500, "packet " + std::to_string(which));
        const RdmaNicCounters& c = net.nics[0]->GetCounters();
        RCC_CHECK_EQ(net.losses.lost, 1, "");
        RCC_CHECK_EQ(c.naksReceived, 1, "packet " << which);
        RCC_CHECK_EQ(c.timeouts, 0, "packet " << which);
        // It went back by what was in flight: the round trip of 4.2 us is 20 frames.
        uint64_t again = c.packetsSent - 100;
        RCC_CHECK_GE(again, 1, "");
        RCC_CHECK_LE(again, 1 + 25, "packet " << which);
        RCC_CHECK_EQ(net.nics[1]->GetCounters().packetsOutOfOrder, again - 1, "what was in flight behind it");
        Simulator::Destroy();
    }
}

/// Every gap has its NAK: two losses far apart, and two in one round trip, cost no timeout.
void
SeveralLosses()
{
    for (uint64_t distance : {3u, 40u})
    {
        Net net;
        std::vector<bool> done(200);
        net.Lose([&](const RccFrame& f) {
            bool hit = f.kind == RccFrameKind::DATA && (f.psn == 20 || f.psn == 20 + distance) && !done[f.psn];
            done[f.psn] = done[f.psn] || hit;
            return hit;
        });
        uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 99500);
        Simulator::Run();
        net.CheckWhole(qp, 99500, "two losses");
        RCC_CHECK_EQ(net.losses.lost, 2, "");
        RCC_CHECK_EQ(net.nics[0]->GetCounters().timeouts, 0, "distance " << distance);
        // Lost behind the first gap, the second packet is sent again before anybody misses it.
        RCC_CHECK_EQ(net.nics[0]->GetCounters().naksReceived, distance > 25 ? 2 : 1, "distance " << distance);
        Simulator::Destroy();
    }
}

/// A timeout that was too early: the acknowledgement stops the repetition.
void
SpuriousTimeout()
{
    RccTestStar star;
    star.helper.SetNicAttribute("AckEvery", UintegerValue(8));
    star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(15)));
    star.Build(2, 40 * G, 5000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    algorithm->SetAttribute("Timer", TimeValue(Seconds(10)));
    algorithm->SetAttribute("ByteCounter", UintegerValue(0));
    uint32_t qp = RdmaNic::Connect(star.nics[0], star.nics[1], algorithm, 3);
    for (int i = 0; i < 5; i++) // five CNPs: 1.25 Gb/s, a packet in 6.8 us
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::CNP;
        f->dst = star.nodes[0]->GetId();
        f->dstQp = qp;
        star.nics[0]->FrameArrived(0, f, 0);
    }
    star.nics[0]->Post(qp, 8000, MakeNullCallback<void, uint32_t>());
    Simulator::Run();
    RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, 8000, "");
    RCC_CHECK_EQ(star.nics[0]->GetCounters().timeouts, 1, "the round trip is 20 us");
    RCC_CHECK_GE(star.nics[0]->GetCounters().packetsSent, 9, "it began to repeat");
    RCC_CHECK_LE(star.nics[0]->GetCounters().packetsSent, 10, "and stopped");
}

/// The last packet lost: nothing follows that could be out of order, so the timer has to notice.
void
LastPacketLost()
{
    Net net;
    int hits = 0;
    net.Lose([&](const RccFrame& f) { return f.kind == RccFrameKind::DATA && f.last && ++hits <= 2; });
    uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 99500);
    Simulator::Run();
    net.CheckWhole(qp, 99500, "last packet lost twice");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().timeouts, 2, "");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().naksReceived, 0, "");
    RCC_CHECK_NEAR(net.nics[0]->GetSendQp(qp).finished, 2 * TIMEOUT + 21000 + 10000, 10000,
                   "two timeouts after the answer");
}

/// Acknowledgements lost: the next one covers it; the last one costs a timeout and a duplicate.
void
AckLost()
{
    Net net;
    net.Lose([&](const RccFrame& f) { return f.kind == RccFrameKind::ACK && f.psn == 16; });
    uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 99500);
    Simulator::Run();
    net.CheckWhole(qp, 99500, "one in the middle");
    RCC_CHECK_EQ(net.losses.lost, 1, "");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().timeouts, 0, "");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().packetsSent, 100, "nothing sent twice");
    Simulator::Destroy();

    Net last;
    int hits = 0;
    last.Lose([&](const RccFrame& f) { return f.kind == RccFrameKind::ACK && f.psn == 100 && ++hits <= 3; });
    qp = last.Send(0, 1, RccAlgorithm::Create("dcqcn"), 99500);
    Simulator::Run();
    last.CheckWhole(qp, 99500, "the last one, three times");
    RCC_CHECK_EQ(last.nics[0]->GetCounters().timeouts, 3, "");
    RCC_CHECK_EQ(last.nics[1]->GetCounters().payloadDelivered, 99500, "duplicates are not delivered");
    RCC_CHECK_GE(last.nics[1]->GetCounters().packetsOutOfOrder, 3, "but seen");
}

/// A NAK lost: its successors are not sent, the timer recovers.
void
NakLost()
{
    Net net;
    bool dropped = false;
    int naks = 0;
    net.Lose([&](const RccFrame& f) {
        if (f.kind == RccFrameKind::DATA && f.psn == 40 && !dropped)
        {
            return dropped = true;
        }
        return f.kind == RccFrameKind::NAK && ++naks == 1;
    });
    net.Link(1)->SetDisturbance(&net.losses); // the NAK's first link
    uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 99500);
    Simulator::Run();
    net.CheckWhole(qp, 99500, "NAK lost");
    RCC_CHECK_EQ(net.nics[1]->GetCounters().naksSent, 1, "one per gap");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().naksReceived, 0, "");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().timeouts, 1, "");
}

/// Random losses both ways on both links, many queue pairs: every byte arrives once, and it ends.
void
RandomLosses()
{
    for (unsigned percent : {1u, 20u})
    {
        for (uint32_t ackEvery : {1u, 4u, 64u})
        {
            for (uint64_t seed = 0; seed < 4; seed++)
            {
                Net net(ackEvery);
                RccTestRandom random(seed);
                net.Lose([&](const RccFrame& f) { return f.kind != RccFrameKind::PFC && random.Below(100) < percent; });
                net.Link(1)->SetDisturbance(&net.losses);
                Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
                const uint32_t n = 12;
                uint64_t total = 0;
                for (uint32_t i = 0; i < n; i++)
                {
                    net.Send(0, 1, algorithm, 1 + 13337 * i);
                    total += 1 + 13337 * i;
                }
                RccRunTo(5 * G);
                for (uint32_t i = 0; i < n; i++)
                {
                    net.CheckWhole(i, 1 + 13337 * i,
                                   std::to_string(percent) + " % lost, ACK every " + std::to_string(ackEvery) +
                                       ", seed " + std::to_string(seed));
                }
                RCC_CHECK_EQ(net.nics[1]->GetCounters().payloadDelivered, total, "");
                RCC_CHECK_GE(net.losses.lost, 5, "");
                Simulator::Destroy();
            }
        }
    }
}

/// A queue pair without end keeps going through losses.
void
EndlessThroughLosses()
{
    Net net;
    RccTestRandom random(5);
    net.Lose([&](const RccFrame& f) { return f.kind != RccFrameKind::PFC && random.Below(1000) == 0; });
    uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 0);
    for (int i = 1; i <= 10; i++)
    {
        uint64_t before = net.Received(0, 1, qp).bytes;
        RccRunTo(i * 2000000);
        RCC_CHECK_GE(net.Received(0, 1, qp).bytes - before, 100000, "interval " << i);
    }
    RCC_CHECK_GE(net.losses.lost, 20, "");
}

// ---------------------------------------------------------------- life of a queue pair

std::vector<std::pair<uint32_t, int64_t>> g_done;

void
Done(uint32_t qp)
{
    g_done.emplace_back(qp, RccNow());
}

/// Messages posted one behind the other end in order, each when its last packet is acknowledged.
void
SeveralMessages()
{
    for (bool losses : {false, true})
    {
        Net net(4);
        RccTestRandom random(9);
        if (losses)
        {
            net.Lose([&](const RccFrame& f) { return f.kind != RccFrameKind::PFC && random.Below(50) == 0; });
        }
        g_done.clear();
        uint32_t qp = RdmaNic::Connect(net.nics[0], net.nics[1], RccAlgorithm::Create("dcqcn"), 3);
        const std::vector<uint64_t> sizes{10500, 1, 999, 1000, 4001, 25000};
        for (uint64_t s : sizes)
        {
            net.nics[0]->Post(qp, s, MakeCallback(&Done));
        }
        RccAt(3000, [&] { net.nics[0]->Post(qp, 777, MakeCallback(&Done)); }); // while others are under way
        RccRunTo(G);
        RCC_CHECK_EQ(net.Received(0, 1, qp).bytes, 10500 + 1 + 999 + 1000 + 4001 + 25000 + 777, "");
        RCC_CHECK_EQ(net.Received(0, 1, qp).expected, 11 + 1 + 1 + 1 + 5 + 25 + 1, "every message has its own packets");
        RCC_CHECK_EQ(g_done.size(), 7, "");
        for (size_t i = 1; i < g_done.size(); i++)
        {
            RCC_CHECK_GE(g_done[i].second, g_done[i - 1].second, "");
        }
        // Again after everything is done, twice, with the queue pair at rest in between.
        for (int round = 1; round <= 2; round++)
        {
            g_done.clear();
            net.nics[0]->Post(qp, 5000, MakeCallback(&Done));
            RccRunTo(G + round * 100000000);
            RCC_CHECK_EQ(g_done.size(), 1, "round " << round);
            RCC_CHECK_EQ(net.Received(0, 1, qp).expected, 45 + 5 * round, "");
        }
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
        Simulator::Destroy();
    }
}

Ptr<RdmaNic> g_nic;
int g_left;

void
PostAgain(uint32_t qp)
{
    if (--g_left > 0)
    {
        g_nic->Post(qp, 2500, MakeCallback(&PostAgain));
    }
}

/// A message posted from the callback of the one before.
void
PostFromCallback()
{
    Net net;
    g_nic = net.nics[0];
    g_left = 200;
    uint32_t qp = RdmaNic::Connect(net.nics[0], net.nics[1], RccAlgorithm::Create("dcqcn"), 3);
    g_nic->Post(qp, 2500, MakeCallback(&PostAgain));
    Simulator::Run();
    RCC_CHECK_EQ(g_left, 0, "");
    RCC_CHECK_EQ(net.Received(0, 1, qp).bytes, 200 * 2500, "");
    RCC_CHECK_LE(net.nics[0]->GetSendQp(qp).tx.mask + 1, 2, "answered messages are forgotten");
    g_nic = nullptr;
}

/// A sender that always has two messages posted does not remember all it ever sent.
void
PostedInPairs()
{
    Net net;
    g_nic = net.nics[0];
    g_left = 1000;
    uint32_t qp = RdmaNic::Connect(net.nics[0], net.nics[1], RccAlgorithm::Create("dcqcn"), 3);
    g_nic->Post(qp, 2500, MakeCallback(&PostAgain));
    g_nic->Post(qp, 2500, MakeCallback(&PostAgain));
    Simulator::Run();
    RCC_CHECK_EQ(net.Received(0, 1, qp).bytes, 1001 * 2500, "");
    RCC_CHECK_LE(net.nics[0]->GetSendQp(qp).tx.mask + 1, 4, "");
    g_nic = nullptr;
}

/// Closed at any time, also with packets, ACKs and CNPs in flight: silence, no crash, others unharmed.
void
CloseInFlight()
{
    for (int64_t when = 0; when < 60000; when += 1709)
    {
        RccTestStar star;
        star.helper.SetNicAttribute("AckEvery", UintegerValue(4));
        star.Build(4, 10 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(when % 2 ? "dcqcn" : "dcqcn-plus");
        algorithm->SetAttribute("Kmin", UintegerValue(0));
        algorithm->SetAttribute("Kmax", UintegerValue(0));
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        std::vector<uint32_t> qps;
        for (size_t i = 0; i < 3; i++)
        {
            qps.push_back(star.Send(i, 3, algorithm, i == 0 ? 0 : 50000));
        }
        RccRunTo(when);
        star.nics[0]->Close(qps[0]);
        star.nics[0]->Close(qps[0]); // twice does no harm
        uint64_t sent = star.nics[0]->GetSendQp(qps[0]).packetsSent;
        RccRunTo(when + QbbChannel::GetLongestDelay() + 1); // then the receiver is closed too
        uint64_t got = star.Received(0, 3, qps[0]).bytes;
        Simulator::Run();
        RCC_CHECK_EQ(star.nics[0]->GetSendQp(qps[0]).packetsSent, sent, "closed at " << when);
        RCC_CHECK_EQ(star.nics[0]->GetCounters().timeouts, 0, "nobody waits for its answers");
        RCC_CHECK_EQ(star.Received(0, 3, qps[0]).bytes, got, "");
        RCC_CHECK_EQ(star.Received(1, 3, qps[1]).bytes, 50000, "");
        RCC_CHECK_EQ(star.Received(2, 3, qps[2]).bytes, 50000, "");
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "closed at " << when);
        // A new queue pair on the same NICs works.
        uint32_t next = star.Send(0, 3, algorithm, 5000);
        Simulator::Run();
        RCC_CHECK_EQ(star.Received(0, 3, next).bytes, 5000, "");
        Simulator::Destroy();
    }
}

/// Packets that were sent before StopSending arrive, even over a long queue, and none is sent after it.
void
StopSending()
{
    RccTestStar star;
    star.Build(3, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    const uint32_t stopped = star.Send(0, 2, algorithm, 0);
    const uint32_t other = star.Send(1, 2, algorithm, 100000);
    RccRunTo(60000);
    star.nics[0]->StopSending(stopped);
    star.nics[0]->StopSending(stopped); // twice does no harm
    star.nics[0]->Close(stopped);
    const uint64_t sent = star.nics[0]->GetSendQp(stopped).packetsSent;
    RccRunTo(60000 + QbbChannel::GetLongestDelay() + 1);
    const uint64_t mtu = star.nics[0]->GetMtu();
    RCC_CHECK_GE(sent * mtu, star.Received(0, 2, stopped).bytes + 5 * mtu, "most of it is in the queue still");
    Simulator::Run();
    RCC_CHECK_EQ(star.nics[0]->GetSendQp(stopped).packetsSent, sent, "");
    RCC_CHECK_EQ(star.Received(0, 2, stopped).bytes, sent * mtu, "");
    RCC_CHECK_EQ(star.Received(1, 2, other).bytes, 100000, "");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

RccTestSuite g_rdmaReliabilitySuite("rcc-rdma-reliability", {{"single-loss", SingleLoss},
                                                             {"several-losses", SeveralLosses},
                                                             {"spurious-timeout", SpuriousTimeout},
                                                             {"last-packet-lost", LastPacketLost},
                                                             {"ack-lost", AckLost},
                                                             {"nak-lost", NakLost},
                                                             {"random-losses", RandomLosses},
                                                             {"endless-through-losses", EndlessThroughLosses},
                                                             {"several-messages", SeveralMessages},
                                                             {"post-from-callback", PostFromCallback},
                                                             {"posted-in-pairs", PostedInPairs},
                                                             {"close-in-flight", CloseInFlight},
                                                             {"stop-sending", StopSending}});

} // namespace
