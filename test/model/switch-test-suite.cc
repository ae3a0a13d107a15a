/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbSwitch: the limit that an incast reaches, loss in classes without PFC, ECMP, congestion points, chains. */
#include "rcc-test-net.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace ns3;

namespace
{

/// The queue of an incast without congestion control stands where rcc_mmu_limit says, give or take the headroom.
void
IncastReachesTheLimit()
{
    for (size_t senders : {2u, 4u, 8u})
    {
        RccTestStar star;
        star.helper.SetSwitchAttribute("BufferSize", UintegerValue(2000000));
        star.Build(senders + 1, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
        for (size_t i = 0; i < senders; i++)
        {
            star.Send(i, senders, algorithm, 0);
        }
        const auto n = static_cast<uint32_t>(senders);
        const double limit = static_cast<double>(rcc_mmu_limit(&star.sw->GetMmu(), n, n));
        const double headroom = static_cast<double>(senders * rcc_mmu_headroom(40 * G, 1000, 1066));
        double least = 1e9;
        double most = 0;
        for (int64_t t = 3000000; t <= 5000000; t += 10000)
        {
            RccRunTo(t);
            auto q = static_cast<double>(star.sw->GetPort(static_cast<uint32_t>(senders))->GetQueueBytesTotal());
            least = std::min(least, q);
            most = std::max(most, q);
        }
        // Below by two frames a port (Xon) and what leaves in a round trip; above by at most the headroom.
        RCC_CHECK_GE(least, limit - 2 * 1066.0 * static_cast<double>(senders) - 2 * 5000 - 20000,
                     senders << " senders");
        RCC_CHECK_LE(most, limit + headroom, senders << " senders");
        RCC_CHECK_GE(most, limit - 1062.0 * static_cast<double>(senders), senders << " senders");
        RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, "");
        Simulator::Destroy();
    }
}

/// A class without PFC loses what is beyond T, and nothing is paused for it.
void
LossyClassDrops()
{
    RccTestStar star;
    star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MilliSeconds(1)));
    star.helper.SetSwitchAttribute("BufferSize", UintegerValue(400000));
    star.Build(3, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    uint32_t a = star.Send(0, 2, algorithm, 1000000, 4);
    uint32_t b = star.Send(1, 2, algorithm, 1000000, 4);
    RccRunTo(100000); // 0.1 ms: 500 KB from each
    const double limit = static_cast<double>(rcc_mmu_limit(&star.sw->GetMmu(), 2, 2));
    RCC_CHECK_NEAR(star.sw->GetPort(2)->GetQueueBytes(4), limit, 3 * 1062, "the queue stands at 2 T");
    RCC_CHECK_NEAR(star.sw->GetDroppedPackets(4), (2 * 98e3 * 5 - 98e3 * 5 - limit) / 1062, 30, "the rest is lost");
    RccRunTo(G);
    RCC_CHECK_EQ(star.Received(0, 2, a).bytes, 1000000, "go-back-N delivers it all the same");
    RCC_CHECK_EQ(star.Received(1, 2, b).bytes, 1000000, "");
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), star.sw->GetDroppedPackets(4), "");
    for (uint32_t p = 0; p < 3; p++)
    {
        RCC_CHECK_EQ(star.sw->GetPort(p)->GetCounters().pausesSent, 0, "");
    }
}

/// A frame for nobody is dropped and given back.
void
NoRoute()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    RccFrame* f = RccFramePool::Current()->Get();
    f->bytes = 100;
    f->dst = 4000000;
    star.nics[0]->GetPort(0)->Enqueue(f, 0);
    Simulator::Run();
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 1, "");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

// ---------------------------------------------------------------- ECMP

/// Flows seen on a port, and how many frames.
struct FlowTap : RccTestTap
{
    std::map<uint32_t, uint64_t> frames; //!< by queue pair of the sender

    void Tap(const RccFrame* frame, bool received, int64_t) override
    {
        if (!received && frame->kind == RccFrameKind::DATA)
        {
            frames[frame->srcQp]++;
        }
    }
};

/// Three stages: leaf - 4 spines - each with 4 parallel links to the last switch. Every stage spreads anew.
void
EcmpSpreadsFlowsAndKeepsThem()
{
    const uint32_t spines = 4;
    const uint32_t links = 4;
    const uint32_t flows = 1600;
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(400 * G)));
    Ptr<Node> host[2] = {CreateObject<Node>(), CreateObject<Node>()};
    Ptr<RdmaNic> nic[2] = {helper.InstallHost(host[0]), helper.InstallHost(host[1])};
    Ptr<Node> leaf[2] = {CreateObject<Node>(), CreateObject<Node>()};
    Ptr<QbbSwitch> leafSwitch[2] = {helper.InstallSwitch(leaf[0]), helper.InstallSwitch(leaf[1])};
    helper.Connect(host[0], leaf[0]);
    helper.Connect(host[1], leaf[1]);
    std::vector<uint32_t> up, all;
    std::vector<Ptr<QbbSwitch>> spine;
    std::vector<FlowTap> upTaps(spines), downTaps(spines * links);
    for (uint32_t s = 0; s < spines; s++)
    {
        Ptr<Node> node = CreateObject<Node>();
        spine.push_back(helper.InstallSwitch(node));
        helper.Connect(leaf[0], node); // port 0 of the spine, port 1 + s of the leaf
        up.push_back(1 + s);
        leafSwitch[0]->GetPort(1 + s)->AddObserver(&upTaps[s], QBB_OBSERVE_FRAMES);
        std::vector<uint32_t> down;
        for (uint32_t l = 0; l < links; l++)
        {
            helper.Connect(node, leaf[1]);
            down.push_back(1 + l);
            all.push_back(1 + s * links + l);
            spine[s]->GetPort(1 + l)->AddObserver(&downTaps[s * links + l], QBB_OBSERVE_FRAMES);
        }
        spine[s]->SetRoute(host[1]->GetId(), down);
        spine[s]->SetRoute(host[0]->GetId(), {0});
    }
    leafSwitch[0]->SetRoute(host[1]->GetId(), up);
    leafSwitch[0]->SetRoute(host[0]->GetId(), {0});
    leafSwitch[1]->SetRoute(host[0]->GetId(), all);
    leafSwitch[1]->SetRoute(host[1]->GetId(), {0});
    for (auto& sw : {leafSwitch[0], leafSwitch[1]})
    {
        RCC_CHECK_EQ(sw->Start(), "", "");
    }
    for (auto& sw : spine)
    {
        RCC_CHECK_EQ(sw->Start(), "", "");
    }
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    for (uint32_t i = 0; i < flows; i++)
    {
        uint32_t qp = RdmaNic::Connect(nic[0], nic[1], algorithm, 3);
        nic[0]->Post(qp, 3000, MakeNullCallback<void, uint32_t>());
    }
    Simulator::Run();
    RCC_CHECK_EQ(nic[1]->GetCounters().payloadDelivered, flows * 3000, "");
    RCC_CHECK_EQ(nic[1]->GetCounters().packetsOutOfOrder, 0, "one path per flow keeps the order");
    auto check = [&](const std::vector<FlowTap>& taps, const char* stage) {
        double mean = static_cast<double>(flows) / static_cast<double>(taps.size());
        double chi2 = 0;
        size_t seen = 0;
        for (const auto& tap : taps)
        {
            chi2 += std::pow(static_cast<double>(tap.frames.size()) - mean, 2) / mean;
            seen += tap.frames.size();
            for (const auto& f : tap.frames)
            {
                RCC_CHECK_EQ(f.second, 3, stage << ": flow " << f.first << " has all its frames on one port");
            }
        }
        double df = static_cast<double>(taps.size() - 1);
        RCC_CHECK_EQ(seen, flows, stage);
        RCC_CHECK_LE(chi2, df + 4 * std::sqrt(2 * df), stage << ": evenly spread");
    };
    check(upTaps, "leaf to spines");
    check(downTaps, "spines to leaf"); // a hash that polarises would leave 12 of 16 links empty
}

// ---------------------------------------------------------------- congestion points

/// A switch between two recording ports: frames from `in`, a queue towards `out`.
struct Bench
{
    RccTestPort in, out;
    Ptr<Node> nodes[3];
    Ptr<QbbSwitch> sw;

    explicit Bench(Ptr<RccAlgorithm> algorithm, uint64_t rate = 40 * G)
    {
        QbbHelper helper;
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(100000000));
        for (auto& node : nodes)
        {
            node = CreateObject<Node>();
        }
        helper.InstallHost(nodes[0]); // only to be allowed to connect
        helper.InstallHost(nodes[1]);
        sw = helper.InstallSwitch(nodes[2]);
        helper.Connect(nodes[0], nodes[2]);
        helper.Connect(nodes[1], nodes[2]);
        in.device = DynamicCast<QbbNetDevice>(nodes[0]->GetDevice(0));
        out.device = DynamicCast<QbbNetDevice>(nodes[1]->GetDevice(0));
        in.device->SetOwner(&in, 0);
        out.device->SetOwner(&out, 0);
        sw->SetRoute(nodes[0]->GetId(), {0});
        sw->SetRoute(nodes[1]->GetId(), {1});
        sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(sw->Start(), "", "");
    }

    void Send(RccEcn ecn, uint64_t psn, bool cnTagged = false, uint8_t cls = 3)
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::DATA;
        f->bytes = 1000;
        f->cls = cls;
        f->psn = psn;
        f->ecn = ecn;
        f->cnTagged = cnTagged;
        f->src = nodes[0]->GetId();
        f->srcQp = 77;
        f->dst = nodes[1]->GetId();
        in.device->Enqueue(f, RccNow());
    }
};

/// At a queue that stands still, the marked fraction is Pmax (q - Kmin) / (Kmax - Kmin), 0 below, 1 above.
void
RedMarksTheRightFraction()
{
    const uint64_t kmin = 20000;
    const uint64_t kmax = 200000;
    for (const char* where : {"dequeue", "enqueue"})
    {
        for (double pmax : {0.01, 0.1, 1.0})
        {
            for (uint64_t queue : {10000ull, 20000ull, 65000ull, 110000ull, 199000ull, 250000ull})
            {
                Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn-nic");
                algorithm->SetAttribute("Kmin", UintegerValue(kmin));
                algorithm->SetAttribute("Kmax", UintegerValue(kmax));
                algorithm->SetAttribute("Pmax", DoubleValue(pmax));
                algorithm->SetAttribute("MarkAt", StringValue(where));
                Bench bench(algorithm);
                const uint64_t fill = queue / 1000 + 2;
                const uint64_t n = 20000;
                // Hold the output until the queue stands, then let one out for every one in.
                bench.out.device->SendPfc(1u << 3, 65535, 0);
                RccAt(5000, [&] {
                    for (uint64_t i = 0; i < fill + n; i++)
                    {
                        bench.Send(RccEcn::ECT0, i);
                    }
                });
                RccAt(5000 + static_cast<int64_t>(fill) * 200,
                      [&] { bench.out.device->SendPfc(1u << 3, 0, RccNow()); });
                RccRunTo(5000 + static_cast<int64_t>(n) * 200);
                double q = static_cast<double>(bench.sw->GetPort(1)->GetQueueBytes(3));
                q += std::string(where) == "enqueue" ? 500 : 0; // it counts the frame that joins; between two
                RCC_CHECK_NEAR(q, queue, 15000, "the queue stands near the wanted length");
                uint64_t marked = 0;
                uint64_t seen = 0;
                for (const auto& f : bench.out.arrived)
                {
                    bool steady = f.psn > 2 * fill + 20;
                    seen += steady;
                    marked += steady && f.ecn == RccEcn::CE;
                }
                RCC_CHECK_GE(seen, n - 4 * fill - 200, "");
                double p = q <= kmin  ? 0
                           : q > kmax ? 1
                                      : pmax * (q - static_cast<double>(kmin)) / static_cast<double>(kmax - kmin);
                double tolerance = 4 * std::sqrt(p * (1 - p) * static_cast<double>(seen));
                tolerance += p > 0 && p < 1 ? static_cast<double>(seen) * pmax * 1000 / (kmax - kmin) : 0; // one frame
                RCC_CHECK_NEAR(marked, p * static_cast<double>(seen), tolerance,
                               where << ", pmax " << pmax << ", queue " << q << ": fraction " << p);
                Simulator::Destroy();
            }
        }
    }
}

/// Only ECN-capable frames of the watched class are marked; what is marked stays marked.
void
RedMarksOnlyEct()
{
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    algorithm->SetAttribute("Kmin", UintegerValue(0));
    algorithm->SetAttribute("Kmax", UintegerValue(0));
    Bench bench(algorithm);
    bench.out.device->SendPfc(0xff, 10000, 0);
    RccAt(5000, [&] {
        for (uint64_t i = 0; i < 300; i++)
        {
            bench.Send(i % 3 == 0 ? RccEcn::NOT_ECT : i % 3 == 1 ? RccEcn::ECT1 : RccEcn::ECT0, i);
        }
        bench.Send(RccEcn::ECT0, 1000, false, 2); // another class
        bench.Send(RccEcn::CE, 1001, false, 2);
    });
    Simulator::Run();
    RCC_CHECK_EQ(bench.out.arrived.size(), 302, "");
    for (const auto& f : bench.out.arrived)
    {
        if (f.psn < 299) // the last one leaves an empty queue
        {
            RccEcn want = f.psn % 3 == 0 ? RccEcn::NOT_ECT : RccEcn::CE;
            RCC_CHECK_EQ(f.ecn, want, "frame " << f.psn);
        }
    }
    for (const auto& f : bench.out.arrived)
    {
        RCC_CHECK(f.psn != 1000 || f.ecn == RccEcn::ECT0, "other classes are not watched");
        RCC_CHECK(f.psn != 1001 || f.ecn == RccEcn::CE, "CE is left alone");
    }
}

/// A CNM goes to the source of the sampled frame and names its queue pair; untagged frames are not sampled.
void
CnmGoesToTheSource()
{
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("qcn");
    Bench bench(algorithm, 10 * G);
    bench.out.device->SendPfc(1u << 3, 65535, 0);
    RccAt(5000, [&] {
        for (uint64_t i = 0; i < 1000; i++)
        {
            bench.Send(RccEcn::NOT_ECT, i, true);
        }
    });
    Simulator::Run();
    uint64_t cnms = bench.sw->GetCnmsSent();
    // 1 MB in a queue that only grows: Fb is soon at its limit and every 18.5 KB is sampled.
    RCC_CHECK_GE(cnms, 1000 * 1000 / (18500 * 1.15) - 12, "");
    RCC_CHECK_LE(cnms, 1000 * 1000 / (18500 * 0.85) + 1, "");
    RCC_CHECK_EQ(bench.in.arrived.size(), cnms, "");
    RCC_CHECK_EQ(bench.out.arrived.size(), 1000, "");
    for (const auto& f : bench.in.arrived)
    {
        RCC_CHECK_EQ(f.kind, RccFrameKind::CNM, "");
        RCC_CHECK_EQ(f.dstQp, 77, "the queue pair that sent the sampled frame");
        RCC_CHECK_EQ(f.src, bench.nodes[1]->GetId(), "");
        RCC_CHECK_EQ(f.cls, 7, "");
        RCC_CHECK(f.qfb >= 1 && f.qfb <= 63, "qFb " << unsigned(f.qfb));
    }
    RCC_CHECK_EQ(bench.in.arrived.back().qfb, 63, "at the limit");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
    Simulator::Destroy();

    Bench untagged(algorithm, 10 * G);
    untagged.out.device->SendPfc(1u << 3, 65535, 0);
    RccAt(5000, [&] {
        for (uint64_t i = 0; i < 1000; i++)
        {
            untagged.Send(RccEcn::ECT0, i, false);
        }
    });
    Simulator::Run();
    RCC_CHECK_EQ(untagged.sw->GetCnmsSent(), 0, "");
}

/// Two switches in a row: the second pauses the first, the first its hosts; nothing is lost, all ends.
void
PausesPropagateBack()
{
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(40 * G)));
    helper.SetSwitchAttribute("BufferSize", UintegerValue(300000));
    Ptr<Node> node[2] = {CreateObject<Node>(), CreateObject<Node>()};
    Ptr<QbbSwitch> sw[2] = {helper.InstallSwitch(node[0]), helper.InstallSwitch(node[1])};
    std::vector<Ptr<Node>> hosts;
    std::vector<Ptr<RdmaNic>> nics;
    for (int i = 0; i < 5; i++)
    {
        hosts.push_back(CreateObject<Node>());
        nics.push_back(helper.InstallHost(hosts.back()));
        if (i == 4)
        {
            helper.Connect(node[0], node[1]);
            helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(10 * G)));
            helper.Connect(hosts[4], node[1]); // the slow receiver behind the second switch
        }
        else
        {
            helper.Connect(hosts[i], node[0]);
            sw[0]->SetRoute(hosts[i]->GetId(), {static_cast<uint32_t>(i)});
            sw[1]->SetRoute(hosts[i]->GetId(), {0});
        }
    }
    sw[0]->SetRoute(hosts[4]->GetId(), {4});
    sw[1]->SetRoute(hosts[4]->GetId(), {1});
    RCC_CHECK_EQ(sw[0]->Start(), "", "");
    RCC_CHECK_EQ(sw[1]->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    for (int i = 0; i < 4; i++)
    {
        uint32_t qp = RdmaNic::Connect(nics[i], nics[4], algorithm, 3);
        nics[i]->Post(qp, 1000000, MakeNullCallback<void, uint32_t>());
    }
    RccRunTo(1000000);
    RCC_CHECK_EQ(sw[1]->GetPort(1)->GetCounters().pausesSent, 0, "nobody pauses the receiver");
    RCC_CHECK_GE(sw[1]->GetPort(0)->GetCounters().pausesSent, 1, "the second switch pauses the first");
    RCC_CHECK_GE(sw[0]->GetPort(4)->GetPausedTime(RccNow()), 400000, "for most of the time");
    for (uint32_t i = 0; i < 4; i++)
    {
        RCC_CHECK_GE(sw[0]->GetPort(i)->GetCounters().pausesSent, 1, "the first pauses host " << i);
        RCC_CHECK_GE(nics[i]->GetPort(0)->GetPausedTime(RccNow()), 400000, "");
    }
    Simulator::Run();
    RCC_CHECK_EQ(sw[0]->GetDroppedPackets() + sw[1]->GetDroppedPackets(), 0, "");
    RCC_CHECK_EQ(nics[4]->GetCounters().payloadDelivered, 4000000, "");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

RccTestSuite g_switchSuite("rcc-switch", {{"incast-reaches-the-limit", IncastReachesTheLimit},
                                          {"lossy-class-drops", LossyClassDrops},
                                          {"no-route", NoRoute},
                                          {"ecmp-spreads-flows-and-keeps-them", EcmpSpreadsFlowsAndKeepsThem},
                                          {"red-marks-the-right-fraction", RedMarksTheRightFraction},
                                          {"red-marks-only-ect", RedMarksOnlyEct},
                                          {"cnm-goes-to-the-source", CnmGoesToTheSource},
                                          {"pauses-propagate-back", PausesPropagateBack}});

} // namespace
