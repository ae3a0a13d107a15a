/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Tests of a NIC's delays, its ingress meter, and the classes and ECN field of the frames that it sends. */
#include "rcc-test-net.h"

#include "ns3/pointer.h"
#include "ns3/rdma-client.h"
#include "ns3/string.h"

#include <map>

using namespace ns3;

namespace
{

/// The first frame of a kind that a port sent or received, not before a time.
const RccTestLog::Entry&
First(const RccTestLog& log, RccFrameKind kind, bool received, int64_t from,
      std::function<bool(const RccTestLog::Entry&)> is)
{
    for (const auto& e : log.entries)
    {
        if (e.kind == kind && e.received == received && e.at >= from && is(e))
        {
            return e;
        }
    }
    NS_ABORT_MSG("no such frame");
}

/// A queue pair without end whose frames have an ECN field of their own.
uint32_t
SendMarked(RccTestStar& star, size_t from, size_t to, Ptr<RccAlgorithm> algorithm, RccEcn ecn)
{
    const uint32_t qp = RdmaNic::Connect(star.nics[from], star.nics[to], algorithm, 3);
    star.nics[from]->SetEcn(qp, ecn);
    star.nics[from]->Post(qp, 0, MakeNullCallback<void, uint32_t>());
    return qp;
}

bool
Any(const RccTestLog::Entry&)
{
    return true;
}

/// From the packet behind a gap to the NAK, and from the NAK to the packet sent again, whatever its place.
void
NakDelays()
{
    const int64_t delays[][2] = {{0, 0}, {1200, 2900}, {1500, 4200}, {1200, 165000}, {0, 10000}, {10000, 0}};
    for (const auto& delay : delays)
    {
        for (uint64_t psn : {1ull, 40ull, 90ull})
        {
            RccTestStar star;
            star.helper.SetNicAttribute("NakGenerationDelay", TimeValue(NanoSeconds(delay[0])));
            star.helper.SetNicAttribute("NakReactionDelay", TimeValue(NanoSeconds(delay[1])));
            star.Build(2, 100 * G, 1000);
            RCC_CHECK_EQ(star.sw->Start(), "", "");
            RccTestLog sender;
            RccTestLog receiver;
            sender.Watch(star.nics[0]->GetPort(0));
            receiver.Watch(star.nics[1]->GetPort(0));
            RccTestLoss lose([&](const RccFrame& f) {
                return lose.lost == 0 && f.kind == RccFrameKind::DATA && f.psn == psn; // the first transmission is lost
            });
            star.Link(0)->SetDisturbance(&lose);
            const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 3000000);
            Simulator::Run();
            const std::string what = "packet " + std::to_string(psn) + ", " + std::to_string(delay[1]);
            const int64_t gap = First(receiver, RccFrameKind::DATA, true, 0, [&](const RccTestLog::Entry& e) {
                                    return e.psn == psn + 1;
                                }).at;
            RCC_CHECK_EQ(First(receiver, RccFrameKind::NAK, false, 0, Any).at - gap, delay[0], what);
            const int64_t nak = First(sender, RccFrameKind::NAK, true, 0, Any).at;
            const int64_t again = First(sender, RccFrameKind::DATA, false, nak, [&](const RccTestLog::Entry& e) {
                                      return e.psn == psn;
                                  }).at;
            RCC_CHECK(again - nak >= delay[1] && again - nak <= delay[1] + 2 * 85, what << ": " << again - nak);
            RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, 3000000, what);
            RCC_CHECK_EQ(star.nics[0]->GetCounters().naksReceived, 1, what);
            Simulator::Destroy();
        }
    }
}

/// From the first mark to its CNP, and from the CNP to the rate cut.
void
CnpDelays()
{
    for (int64_t delay : {0, 500, 5000, 55000})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("CnpGenerationDelay", TimeValue(NanoSeconds(delay)));
        star.helper.SetNicAttribute("CnpReactionDelay", TimeValue(NanoSeconds(2 * delay)));
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        RccTestLog sender;
        RccTestLog receiver;
        sender.Watch(star.nics[0]->GetPort(0));
        receiver.Watch(star.nics[1]->GetPort(0));
        SendMarked(star, 0, 1, RccAlgorithm::Create("dcqcn"), RccEcn::CE);
        RccRunTo(100000);
        const int64_t marked = First(receiver, RccFrameKind::DATA, true, 0, Any).at;
        RCC_CHECK_EQ(First(receiver, RccFrameKind::CNP, false, 0, Any).at - marked, delay, "");
        const int64_t cnp = First(sender, RccFrameKind::CNP, true, 0, Any).at;
        Simulator::Destroy();

        RccTestStar again;
        again.helper.SetNicAttribute("CnpGenerationDelay", TimeValue(NanoSeconds(delay)));
        again.helper.SetNicAttribute("CnpReactionDelay", TimeValue(NanoSeconds(2 * delay)));
        again.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(again.sw->Start(), "", "");
        const uint32_t same = SendMarked(again, 0, 1, RccAlgorithm::Create("dcqcn"), RccEcn::CE);
        RccRunTo(cnp + 2 * delay - 1);
        RCC_CHECK_EQ(again.nics[0]->GetRate(same), 40 * G, delay);
        RccRunTo(cnp + 2 * delay + 1);
        RCC_CHECK_EQ(again.nics[0]->GetRate(same), 20 * G, delay);
        Simulator::Destroy();
    }
}

/// The least time between CNPs is that of the port, or, with CnpPerDestination, that of the CNPs to one host: three
/// senders, one of them with two queue pairs, whose packets all arrive marked.
void
CnpScope()
{
    for (bool perDestination : {false, true})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("CnpPerDestination", BooleanValue(perDestination));
        star.Build(4, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        RccTestLog receiver;
        receiver.Watch(star.nics[3]->GetPort(0));
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn-nic");
        for (const char* set : {"cnp_interval=0s", "cnp_generation=4us", "r_min=10Gbps"})
        {
            const std::string item = set;
            RCC_CHECK_EQ(algorithm->SetParameter(item.substr(0, item.find('=')), item.substr(item.find('=') + 1)), "",
                         item);
        }
        for (size_t from : std::vector<size_t>{0, 1, 2, 2})
        {
            SendMarked(star, from, 3, algorithm, RccEcn::CE);
        }
        RccRunTo(1000000);
        std::map<uint32_t, std::vector<int64_t>> sent; // by destination
        std::vector<int64_t> all;
        for (const auto& e : receiver.entries)
        {
            if (e.kind == RccFrameKind::CNP && !e.received)
            {
                sent[e.dst].push_back(e.at);
                all.push_back(e.at);
            }
        }
        RCC_CHECK_EQ(sent.size(), 3, perDestination);
        for (const auto& s : sent)
        {
            for (size_t i = 1; perDestination && i < s.second.size(); i++)
            {
                RCC_CHECK(s.second[i] - s.second[i - 1] >= 4000 - 20, s.second[i] - s.second[i - 1]);
            }
        }
        for (size_t i = 1; !perDestination && i < all.size(); i++)
        {
            RCC_CHECK(all[i] - all[i - 1] >= 4000 - 20, all[i] - all[i - 1]);
        }
        const size_t want = perDestination ? 3 * 249 : 249;
        RCC_CHECK(all.size() >= want - 15 && all.size() <= want + 6, perDestination << ": " << all.size());
        Simulator::Destroy();
    }
}

/// Two senders fill a link on which nothing is marked: a meter below its rate makes CNPs, one above it none.
void
IngressMeter()
{
    for (uint64_t rate : {0 * G, 90 * G, 101 * G})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("IngressMeterRate", DataRateValue(DataRate(rate)));
        star.Build(3, 100 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        for (uint32_t i = 0; i < 2; i++)
        {
            star.Send(i, 2, RccAlgorithm::Create("dcqcn"), 0);
        }
        RccRunTo(2000000);
        const RdmaNicCounters& c = star.nics[2]->GetCounters();
        RCC_CHECK_EQ(c.packetsMarked, 0, "");
        RCC_CHECK_EQ(c.cnpsSent > 0, rate == 90 * G, rate << ": " << c.cnpsSent);
        Simulator::Destroy();
    }
}

/// The meter passes bursts up to its depth: 1000 frames of 1062 bytes at once, drained at half the line rate.
void
MeterDepth()
{
    for (uint32_t depth : {500000u, 560000u})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("IngressMeterRate", DataRateValue(DataRate(50 * G)));
        star.helper.SetNicAttribute("IngressMeterDepth", UintegerValue(depth));
        star.Build(2, 100 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 1000 * 1000);
        RccRunTo(1000000);
        RCC_CHECK_EQ(star.nics[1]->GetCounters().cnpsSent > 0, depth < 531000, depth);
        Simulator::Destroy();
    }
}

struct Classes : RccTestTap
{
    std::map<RccFrameKind, std::map<unsigned, uint64_t>> seen;

    void Tap(const RccFrame* frame, bool received, int64_t) override
    {
        if (!received)
        {
            seen[frame->kind][frame->cls]++;
        }
    }
};

/// ACK and CNP in classes of their own; without CnpClass both in the control class.
void
ClassesOfAnswers()
{
    for (uint32_t cnp : {5u, 8u})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("ControlClass", UintegerValue(6));
        star.helper.SetNicAttribute("CnpClass", UintegerValue(cnp));
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Classes classes;
        star.nics[1]->GetPort(0)->AddObserver(&classes, QBB_OBSERVE_FRAMES);
        SendMarked(star, 0, 1, RccAlgorithm::Create("dcqcn"), RccEcn::CE);
        RccRunTo(1000000);
        RCC_CHECK_EQ(classes.seen[RccFrameKind::ACK].size(), 1, "");
        RCC_CHECK_GE(classes.seen[RccFrameKind::ACK][6], 1, "");
        RCC_CHECK_EQ(classes.seen[RccFrameKind::CNP].size(), 1, "");
        RCC_CHECK_GE(classes.seen[RccFrameKind::CNP][cnp == 8 ? 6 : cnp], 1, "");
        Simulator::Destroy();
    }
}

/// Frames that are not ECN-capable pass a congested queue unmarked; those marked at the source arrive marked.
void
EcnField()
{
    for (RccEcn ecn : {RccEcn::NOT_ECT, RccEcn::ECT1, RccEcn::ECT0, RccEcn::CE})
    {
        RccTestStar star;
        star.Build(3, 40 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        for (uint32_t i = 0; i < 2; i++)
        {
            SendMarked(star, i, 2, algorithm, ecn);
        }
        RccRunTo(1000000);
        const RdmaNicCounters& c = star.nics[2]->GetCounters();
        RCC_CHECK_GE(c.packetsDelivered, 200, "");
        RCC_CHECK_EQ(c.packetsMarked > 0, ecn != RccEcn::NOT_ECT, unsigned(ecn));
        RCC_CHECK_EQ(c.packetsMarked == c.packetsDelivered, ecn == RccEcn::CE, unsigned(ecn));
        RCC_CHECK_EQ(c.cnpsSent > 0, ecn != RccEcn::NOT_ECT, unsigned(ecn));
        Simulator::Destroy();
    }
}

/// A class without PFC beside one with it: its queue keeps to the egress threshold, and the other one loses nothing.
void
EgressThreshold()
{
    for (double alpha : {0.25, 1.0})
    {
        RccTestStar star;
        star.helper.SetSwitchAttribute("EgressAlpha", DoubleValue(alpha));
        star.helper.SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        star.Build(4, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Ptr<RccAlgorithm> none = RccAlgorithm::Create("none");
        star.Send(0, 3, none, 0, 1);
        star.Send(1, 3, none, 0, 1);
        RccRunTo(500000);
        const double pool = static_cast<double>(star.sw->GetMmu().pool);
        const auto queue = static_cast<double>(star.sw->GetPort(3)->GetQueueBytes(1));
        RCC_CHECK_NEAR(queue, pool * alpha / (1 + alpha), 3000, "q = alpha (pool - q)");
        RCC_CHECK_GE(star.sw->GetDroppedPackets(), 100, "");
        const uint64_t lossy = star.nics[3]->GetCounters().packetsOutOfOrder;
        const uint32_t qp = star.Send(2, 3, none, 0, 3);
        RccRunTo(1000000);
        RCC_CHECK_GE(star.nics[3]->GetCounters().packetsOutOfOrder, lossy, "");
        RCC_CHECK_EQ(star.nics[2]->GetCounters().naksReceived, 0, "PFC protects class 3");
        RCC_CHECK_GE(star.Received(2, 3, qp).bytes, 500000, "and it has its share");
        Simulator::Destroy();
    }
}

/// Payload per class that reached the last host of a star in which the others, or the first alone, fill its link.
std::map<uint8_t, uint64_t>
Shares(const std::string& weights, uint32_t strict, bool alone)
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0x3e));
    star.helper.SetDeviceAttribute("ClassWeights", StringValue(weights));
    star.helper.SetDeviceAttribute("StrictClasses", UintegerValue(strict));
    star.Build(4, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> none = RccAlgorithm::Create("none");
    std::map<uint8_t, uint32_t> qps;
    for (uint8_t cls = 3; cls <= 5; cls++)
    {
        qps[cls] = star.Send(alone ? 0 : cls - 3, 3, none, 0, cls);
    }
    RccRunTo(2000000);
    std::map<uint8_t, uint64_t> bytes;
    for (uint8_t cls = 3; cls <= 5; cls++)
    {
        bytes[cls] = star.Received(alone ? 0 : cls - 3, 3, qps[cls]).bytes;
    }
    Simulator::Destroy();
    return bytes;
}

/// Queues of a switch's port and queue pairs of a host's port share the link by their weights; strict classes go first.
void
ClassRules()
{
    for (bool alone : {false, true})
    {
        const double all = 2e-3 * 40e9 / 8 / 1062 * 1000;
        auto bytes = Shares("3:1,4:2,5:5", 0, alone);
        RCC_CHECK_NEAR(static_cast<double>(bytes[4]), 2.0 * static_cast<double>(bytes[3]), 0.03 * all, alone);
        RCC_CHECK_NEAR(static_cast<double>(bytes[5]), 5.0 * static_cast<double>(bytes[3]), 0.05 * all, alone);
        bytes = Shares("", 1u << 4, alone);
        RCC_CHECK_NEAR(static_cast<double>(bytes[4]), all, 0.03 * all, alone);
        bytes = Shares("", 0, alone);
        RCC_CHECK_NEAR(static_cast<double>(bytes[4]), all / 3, 0.05 * all, alone);
    }
    Ptr<QbbNetDevice> device = CreateObject<QbbNetDevice>();
    for (const char* wrong : {"3", "3:0", "8:1", "3:1001", "3:2,", "a:1", "3:2:1", "3;2"})
    {
        RCC_CHECK(!device->SetAttributeFailSafe("ClassWeights", StringValue(wrong)) || wrong == std::string("3:2,"),
                  wrong);
    }
}

/// Depth messages are under way at a time, each with a completion; the last one ends the application.
void
Depth()
{
    std::map<uint32_t, int64_t> ended;
    for (uint32_t depth : {1u, 4u, 100u})
    {
        RccTestStar star;
        star.Build(2, 40 * G, 10000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Ptr<RdmaClient> client = CreateObject<RdmaClient>();
        client->SetAttribute("Remote", PointerValue(star.nics[1]));
        client->SetAttribute("Algorithm", PointerValue(RccAlgorithm::Create("none")));
        client->SetAttribute("MessageSize", UintegerValue(2000));
        client->SetAttribute("Messages", UintegerValue(20));
        client->SetAttribute("Depth", UintegerValue(depth));
        star.nodes[0]->AddApplication(client);
        client->SetStartTime(Seconds(0));
        Simulator::Run();
        ended[depth] = client->GetCompletionTime();
        RCC_CHECK_EQ(star.nics[1]->GetCounters().payloadDelivered, 40000, depth);
        RCC_CHECK_GE(ended[depth], 40000, depth);
        Simulator::Destroy();
    }
    RCC_CHECK_NEAR(static_cast<double>(ended[1]) / 20, 40000 + 1000, 500, "a round trip each");
    RCC_CHECK_NEAR(static_cast<double>(ended[4]) / 5, 40000 + 900, 500, "a round trip for each four");
    RCC_CHECK_NEAR(static_cast<double>(ended[100]), 40000 + 9000, 1500, "one round trip for all");
}

/// CNPs and NAKs that the NIC needs time for are told when they take effect.
struct EffectTimes
{
    std::vector<int64_t> cnps, backs;

    void Cnp(uint32_t, uint32_t)
    {
        cnps.push_back(RccNow());
    }

    void Back(uint32_t, uint64_t, uint64_t, bool)
    {
        backs.push_back(RccNow());
    }
};

void
ToldAtTheirEffect()
{
    RccTestStar star;
    star.helper.SetNicAttribute("CnpReactionDelay", TimeValue(MicroSeconds(30)));
    star.helper.SetNicAttribute("NakReactionDelay", TimeValue(MicroSeconds(20)));
    star.Build(4, 10 * G, 1000);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    star.sw->AddMarker(3, algorithm);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    uint64_t data = 0;
    RccTestLoss once([&](const RccFrame& f) {
        data += f.kind == RccFrameKind::DATA && f.psn == 10;
        return f.kind == RccFrameKind::DATA && f.psn == 10 && data == 1;
    });
    star.Link(0)->SetDisturbance(&once);
    RccTestLog log;
    log.Watch(star.nics[0]->GetPort(0));
    EffectTimes times;
    star.nics[0]->TraceConnectWithoutContext("CnpReceived", MakeCallback(&EffectTimes::Cnp, &times));
    star.nics[0]->TraceConnectWithoutContext("GoBack", MakeCallback(&EffectTimes::Back, &times));
    for (size_t i = 0; i < 3; i++)
    {
        star.Send(i, 3, algorithm, 0);
    }
    RccRunTo(1000000);
    const auto cnps = log.Select(RccFrameKind::CNP, true), naks = log.Select(RccFrameKind::NAK, true);
    RCC_CHECK(!cnps.empty() && !naks.empty() && !times.cnps.empty() && !times.backs.empty(), "all of them happen");
    RCC_CHECK_EQ(times.cnps.at(0), cnps.at(0).at + 30000, "");
    RCC_CHECK_EQ(times.backs.at(0), naks.at(0).at + 20000, "");
}

RccTestSuite g_rdmaDelaysSuite("rcc-rdma-delays", {{"nak-delays", NakDelays},
                                                   {"cnp-delays", CnpDelays},
                                                   {"cnp-scope", CnpScope},
                                                   {"ingress-meter", IngressMeter},
                                                   {"meter-depth", MeterDepth},
                                                   {"classes-of-answers", ClassesOfAnswers},
                                                   {"ecn-field", EcnField},
                                                   {"egress-threshold", EgressThreshold},
                                                   {"class-rules", ClassRules},
                                                   {"depth", Depth},
                                                   {"told-at-their-effect", ToldAtTheirEffect}});

} // namespace
