/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaNic: what leaves when, who gets which feedback. */
#include "rcc-test-net.h"

#include "ns3/pointer.h"
#include "ns3/rdma-client.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace ns3;

namespace
{

const uint32_t FRAME = 1000 + ROCE_OVERHEAD;

using Log = RccTestLog;

/// DCQCN whose rate only moves when a CNP halves it.
Ptr<RccAlgorithm>
HalvingOnly()
{
    Ptr<RccAlgorithm> a = RccAlgorithm::Create("dcqcn");
    a->SetAttribute("Timer", TimeValue(Seconds(10)));
    a->SetAttribute("AlphaTimer", TimeValue(Seconds(10)));
    a->SetAttribute("ByteCounter", UintegerValue(0));
    a->SetAttribute("RMin", DataRateValue(DataRate(1000000)));
    return a;
}

/// Hand a NIC a CNP for one of its queue pairs.
void
Notify(RccTestStar& star, size_t host, uint32_t qp, int times = 1)
{
    for (int i = 0; i < times; i++)
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::CNP;
        f->bytes = ROCE_CNP_BYTES;
        f->dst = star.nodes[host]->GetId();
        f->dstQp = qp;
        star.nics[host]->FrameArrived(0, f, RccNow());
    }
}

/// One flow without a limiter sends frame behind frame, at every rate.
void
OneFlowFillsTheLine()
{
    for (uint64_t rate : {1 * G, 10 * G, 40 * G, 100 * G, 400 * G})
    {
        for (uint32_t mtu : {1000u, 4096u})
        {
            RccTestStar star;
            star.helper.SetNicAttribute("Mtu", UintegerValue(mtu));
            star.helper.SetSwitchAttribute("MaxFrame", UintegerValue(mtu + ROCE_OVERHEAD));
            star.Build(2, rate, 1000);
            RCC_CHECK_EQ(star.sw->Start(), "", "");
            star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 0);
            const auto end = static_cast<int64_t>(20000ull * mtu * 8 * G / rate);
            RccRunTo(end);
            double sent = static_cast<double>(star.nics[0]->GetPort(0)->GetCounters().txBytes) * 8e9;
            RCC_CHECK_NEAR(sent / (static_cast<double>(rate) * static_cast<double>(end)), 1, 1e-4, rate);
            Simulator::Destroy();
        }
    }
}

/// Frames of a message: full ones and a rest; the last one is flagged and answered.
void
MessageSizes()
{
    for (uint64_t bytes : {1ull, 999ull, 1000ull, 1001ull, 2000ull, 64000ull, 64001ull, 1234567ull})
    {
        RccTestStar star;
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Log log;
        log.Watch(star.nics[0]->GetPort(0));
        uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("dcqcn"), bytes);
        Simulator::Run();
        auto data = log.Select(RccFrameKind::DATA, false);
        const uint64_t packets = (bytes + 999) / 1000;
        RCC_CHECK_EQ(data.size(), packets, bytes);
        for (size_t i = 0; i < data.size(); i++)
        {
            uint64_t payload = i + 1 < packets ? 1000 : bytes - (packets - 1) * 1000;
            RCC_CHECK_EQ(data[i].bytes, payload + ROCE_OVERHEAD, bytes << " bytes, packet " << i);
            RCC_CHECK_EQ(data[i].psn, i, "");
        }
        RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, bytes, "");
        auto acks = log.Select(RccFrameKind::ACK, true);
        RCC_CHECK_EQ(acks.size(), packets / 64 + (packets % 64 != 0), bytes);
        RCC_CHECK_EQ(star.nics[0]->GetSendQp(qp).finished, acks.back().at, "the last acknowledgement ends it");
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
        Simulator::Destroy();
    }
}

/// Sizes that no simulation sends to the end.
void
HugeMessages()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    for (uint64_t bytes : {uint64_t(1) << 32, (uint64_t(1) << 40) + 1, uint64_t(INT64_MAX), UINT64_MAX - 1, UINT64_MAX})
    {
        uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("dcqcn"), bytes);
        const rcc_message& m = star.nics[0]->GetSendQp(qp).tx.ring[0];
        RCC_CHECK_EQ(m.end, bytes / 1000 + (bytes % 1000 != 0), bytes);
        RCC_CHECK_EQ(m.last_payload, bytes % 1000 ? bytes % 1000 : 1000, bytes);
    }
}

/// Equal flows of one NIC get the same, to a packet.
void
EqualFlowsShareEqually()
{
    for (uint32_t n : {2u, 7u, 100u})
    {
        RccTestStar star;
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
        for (uint32_t i = 0; i < n; i++)
        {
            star.Send(0, 1, algorithm, 0);
        }
        RccRunTo(static_cast<int64_t>(n) * 2000 * 213);
        uint64_t least = UINT64_MAX;
        uint64_t most = 0;
        for (uint32_t i = 0; i < n; i++)
        {
            least = std::min(least, star.nics[0]->GetSendQp(i).packetsSent);
            most = std::max(most, star.nics[0]->GetSendQp(i).packetsSent);
        }
        RCC_CHECK_GE(least, 1999, n << " flows");
        RCC_CHECK_LE(most - least, 1, n << " flows");
        Simulator::Destroy();
    }
}

/// A queue pair sends at its rate, to 1e-3.
void
PacingAtASetRate()
{
    for (int halvings : {1, 2, 5, 9})
    {
        RccTestStar star;
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        uint32_t qp = star.Send(0, 1, HalvingOnly(), 0);
        RccRunTo(1000);
        Notify(star, 0, qp, halvings);
        const uint64_t rate = star.nics[0]->GetRate(qp);
        // alpha falls by nothing between CNPs at one time: each cut is a half
        RCC_CHECK_NEAR(rate, 40e9 / (1 << halvings), 1, "");
        Log log;
        log.Watch(star.nics[0]->GetPort(0));
        const int64_t gap = RccTxTime(FRAME, rate);
        RccRunTo(1000 + 1000 * gap);
        auto data = log.Select(RccFrameKind::DATA, false);
        RCC_CHECK_GE(data.size(), 990, "");
        double bits = static_cast<double>(data.size() - 1) * FRAME * 8;
        RCC_CHECK_NEAR(bits * 1e9 / static_cast<double>(data.back().at - data[0].at), rate, 1e-3 * rate, halvings);
        for (size_t i = 1; i < data.size(); i++)
        {
            RCC_CHECK_NEAR(data[i].at - data[i - 1].at, gap, 15, "gap " << i << ", an ACK's time apart at most");
        }
        Simulator::Destroy();
    }
}

/// A cut in the middle of a gap stretches what is left of it; a rate increase shortens it.
void
RateChangeMovesThePendingPacket()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    uint32_t qp = star.Send(0, 1, HalvingOnly(), 0);
    RccRunTo(1000);
    Notify(star, 0, qp, 10);
    Log log;
    log.Watch(star.nics[0]->GetPort(0));
    const double gap = FRAME * 8 * 1024 / 40.0; // 217.5 us
    RccRunTo(static_cast<int64_t>(2.5 * gap));
    auto data = log.Select(RccFrameKind::DATA, false);
    RCC_CHECK_GE(data.size(), 1, "");
    const int64_t last = data.back().at;
    RccRunTo(last + static_cast<int64_t>(gap / 4));
    Notify(star, 0, qp);
    RccRunTo(last + static_cast<int64_t>(3 * gap));
    data = log.Select(RccFrameKind::DATA, false);
    RCC_CHECK_NEAR(data.back().at, last + gap / 4 + 2 * 0.75 * gap, 3, "three quarters of the bits at half the rate");
    Simulator::Destroy();

    // The timer of fast recovery: rates after the cut at time c are known, and so is every departure.
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    algorithm->SetAttribute("Timer", TimeValue(MicroSeconds(100)));
    algorithm->SetAttribute("AlphaTimer", TimeValue(Seconds(10)));
    algorithm->SetAttribute("ByteCounter", UintegerValue(0));
    RccTestStar up;
    up.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(up.sw->Start(), "", "");
    Log ups;
    ups.Watch(up.nics[0]->GetPort(0));
    uint32_t q = up.Send(0, 1, algorithm, 0);
    RccRunTo(1000);
    RCC_CHECK_EQ(ups.Select(RccFrameKind::DATA, false).size(), 5, "at line rate");
    const double first = 4 * FRAME * 8 / 40.0; // the pacer carries what is below a nanosecond
    Notify(up, 0, q, 10);
    RccRunTo(480000);
    ups.entries.erase(ups.entries.begin(), std::find_if(ups.entries.begin(), ups.entries.end(),
                                                        [](const Log::Entry& e) { return e.at > 1000; }));
    double rate = 40.0 / 1024; // bits per ns
    const double target = 40.0 / 512;
    double owed = FRAME * 8 - 40.0 * (1000 - first);
    int64_t now = 1000;
    size_t next = 0;
    for (int stage = 1; stage < 5; stage++, now += 100000)
    {
        double left = 100000;
        while (owed < left * rate)
        {
            left -= owed / rate;
            RCC_CHECK_GE(ups.entries.size(), next + 1, "stage " << stage);
            if (next < ups.entries.size())
            {
                RCC_CHECK_NEAR(ups.entries[next].at, static_cast<double>(now) + 100000 - left, 5, "packet " << next);
            }
            next++;
            owed = FRAME * 8;
        }
        owed -= left * rate;
        rate = (rate + target) / 2;
    }
    RCC_CHECK_GE(next, 2, "the increase came in the middle of a gap");
}

/// Queue pairs of many rates, cut at random times: each sends what its own rate allows, in time.
void
ManyRatesOnOneNic()
{
    RccTestStar star;
    star.Build(2, 100 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = HalvingOnly();
    RccTestRandom random(11);
    const uint32_t n = 400;
    struct Model
    {
        double rate{100}, packets{0}; //!< bits per ns
        int64_t since{0};
    };
    std::vector<Model> models(n);
    for (uint32_t i = 0; i < n; i++)
    {
        star.Send(0, 1, algorithm, 0);
    }
    auto cut = [&](uint32_t qp, int times) {
        Model& m = models[qp];
        m.packets += m.rate * static_cast<double>(RccNow() - m.since) / (8 * FRAME);
        m.since = RccNow();
        m.rate = std::max(m.rate / std::pow(2, times), 0.001);
        Notify(star, 0, qp, times);
    };
    for (uint32_t i = 0; i < n; i++)
    {
        cut(i, 9 + static_cast<int>(random.Below(5))); // at 0, before the first packet: 12 to 195 Mb/s, 40 Gb/s in all
    }
    for (int i = 0; i < 500; i++)
    {
        auto qp = static_cast<uint32_t>(random.Below(n));
        RccAt(1000 + static_cast<int64_t>(random.Below(20000000)), [&cut, qp] { cut(qp, 1); });
    }
    RccRunTo(20002000);
    for (uint32_t i = 0; i < n; i++)
    {
        cut(i, 0);
        RCC_CHECK_NEAR(star.nics[0]->GetSendQp(i).packetsSent, models[i].packets + 0.5, 1.0 + models[i].packets * 1e-3,
                       "queue pair " << i << " at " << models[i].rate << " Gb/s");
    }
}

/// 3000 queue pairs on one NIC, finite messages: all end, at full rate, and the pool is empty.
void
ThreeThousandQueuePairs()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn-plus");
    star.sw->AddMarker(3, algorithm);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    const uint32_t n = 3000;
    for (uint32_t i = 0; i < n; i++)
    {
        star.Send(0, 1, algorithm, 20500);
    }
    Simulator::Run();
    int64_t end = 0;
    for (uint32_t i = 0; i < n; i++)
    {
        RCC_CHECK_EQ(star.Received(0, 1, i).bytes, 20500, "queue pair " << i);
        RCC_CHECK_GE(star.nics[0]->GetSendQp(i).finished, 1, "queue pair " << i);
        end = std::max(end, star.nics[0]->GetSendQp(i).finished);
    }
    RCC_CHECK_LE(end, RccTxTime(n * (20500ull + 21 * 62), 40 * G) + 10000, "nothing was in their way");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

/// An application's rate is kept to the frame, gaps counted; two share a line; a pause leaves no backlog to catch up.
void
OfferedRate()
{
    RccTestStar star;
    star.helper.SetDeviceAttribute("InterframeGap", UintegerValue(ETHERNET_GAP_BYTES));
    star.Build(2, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    const uint64_t rates[] = {3 * G, 7 * G}; // together the line
    uint32_t qp[2];
    for (int i = 0; i < 2; i++)
    {
        qp[i] = RdmaNic::Connect(star.nics[0], star.nics[1], algorithm, 3);
        star.nics[0]->SetOfferedRate(qp[i], rates[i]);
        star.nics[0]->Post(qp[i], 0, MakeNullCallback<void, uint32_t>());
    }
    auto sent = [&](int i) { return star.nics[0]->GetSendQp(qp[i]).packetsSent; };
    auto packets = [&](int i, int64_t ns) {
        return static_cast<double>(rates[i]) * static_cast<double>(ns) / 8e9 / (FRAME + ETHERNET_GAP_BYTES);
    };
    RccRunTo(10000000);
    for (int i = 0; i < 2; i++)
    {
        RCC_CHECK_NEAR(sent(i), packets(i, 10000000), 2, rates[i]);
    }
    uint64_t before[] = {sent(0), sent(1)};
    star.sw->GetPort(0)->SendPfc(1u << 3, 65535, RccNow()); // 3.36 ms at 10 Gb/s
    RccRunTo(12000000);
    star.sw->GetPort(0)->SendPfc(1u << 3, 0, RccNow());
    RccRunTo(14000000);
    for (int i = 0; i < 2; i++)
    {
        RCC_CHECK_NEAR(sent(i) - before[i], packets(i, 2000000), 5, "what was held up is not sent later");
    }
}

/// RdmaClient hands its DataRate on, and ends an endless message when it stops.
void
ClientRateAndStop()
{
    RccTestStar star;
    star.Build(2, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RdmaClient> client = CreateObject<RdmaClient>();
    client->SetRemote(star.nics[1]);
    client->SetAttribute("Algorithm", PointerValue(RccAlgorithm::Create("dcqcn")));
    client->SetAttribute("DataRate", DataRateValue(DataRate(G)));
    client->SetStartTime(MilliSeconds(1));
    client->SetStopTime(MilliSeconds(3));
    star.nodes[0]->AddApplication(client);
    Simulator::Run();
    RCC_CHECK_NEAR(star.nics[0]->GetCounters().packetsSent, G * 2e-3 / 8 / (FRAME + ETHERNET_GAP_BYTES), 2, "");
    RCC_CHECK(star.nics[0]->GetSendQp(client->GetQp()).closed, "");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

/// Packets that a client has sent before it stops arrive, even over a long queue.
void
StoppedClientsPacketsArrive()
{
    RccTestStar star;
    star.Build(3, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    std::vector<Ptr<RdmaClient>> clients;
    for (int i = 0; i < 2; i++)
    {
        Ptr<RdmaClient> client = CreateObject<RdmaClient>();
        client->SetRemote(star.nics[2]);
        client->SetAttribute("Algorithm", PointerValue(algorithm));
        client->SetStopTime(MicroSeconds(60));
        star.nodes[i]->AddApplication(client);
        clients.push_back(client);
    }
    Simulator::Run();
    for (int i = 0; i < 2; i++)
    {
        const uint64_t sent = star.nics[i]->GetCounters().packetsSent;
        RCC_CHECK_GE(sent, 10, "");
        RCC_CHECK_EQ(star.Received(i, 2, clients[i]->GetQp()).bytes, sent * star.nics[i]->GetMtu(), "of client " << i);
    }
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

/// A client that is held posts one message for each Continue, and no more than its Messages, which 0 does not bound.
void
HeldClient()
{
    for (const uint64_t messages : {0, 2, 5})
    {
        RccTestStar star;
        star.Build(2, 10 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Ptr<RdmaClient> client = CreateObject<RdmaClient>();
        client->SetRemote(star.nics[1]);
        client->SetAttribute("Algorithm", PointerValue(RccAlgorithm::Create("none")));
        client->SetAttribute("MessageSize", UintegerValue(10000));
        client->SetAttribute("Messages", UintegerValue(messages));
        client->SetAttribute("Held", BooleanValue(true));
        star.nodes[0]->AddApplication(client);
        for (int i = 1; i <= 5; i++)
        {
            Simulator::Schedule(MicroSeconds(100 * i), &RdmaClient::Continue, client);
        }
        RccRunTo(90000);
        RCC_CHECK_EQ(star.nics[0]->GetCounters().packetsSent, 0, "before the first Continue");
        RccRunTo(1000000);
        const uint64_t posted = messages == 2 ? 2 : 5;
        RCC_CHECK_EQ(star.nics[1]->GetCounters().payloadDelivered, posted * 10000, messages << " messages");
        RCC_CHECK_EQ(star.nics[0]->GetSendQp(client->GetQp()).closed, messages > 0, messages << " messages");
        Simulator::Destroy();
    }
}

RccTestSuite g_rdmaNicSuite("rcc-rdma-nic", {{"one-flow-fills-the-line", OneFlowFillsTheLine},
                                             {"message-sizes", MessageSizes},
                                             {"huge-messages", HugeMessages},
                                             {"equal-flows-share-equally", EqualFlowsShareEqually},
                                             {"pacing-at-a-set-rate", PacingAtASetRate},
                                             {"rate-change-moves-the-pending-packet", RateChangeMovesThePendingPacket},
                                             {"many-rates-on-one-nic", ManyRatesOnOneNic},
                                             {"offered-rate", OfferedRate},
                                             {"client-rate-and-stop", ClientRateAndStop},
                                             {"stopped-clients-packets-arrive", StoppedClientsPacketsArrive},
                                             {"held-client", HeldClient},
                                             {"three-thousand-queue-pairs", ThreeThousandQueuePairs}});

} // namespace
