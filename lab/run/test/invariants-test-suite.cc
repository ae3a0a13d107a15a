/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* LabInvariants: quiet on networks that work, under load, pauses and losses; each rule reports when it is broken. */
#include "rcc-test-abort.h"
#include "rcc-test-net.h"

#include "lab-invariants.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet.h"
#include "ns3/qbb-internet.h"
#include "ns3/udp-socket-factory.h"

#include <sstream>

using namespace ns3;

namespace
{

/// Eight senders and a receiver with little buffer, looked at every 10 us.
struct WatchedStar
{
    RccTestStar star;
    LabInvariants invariants;
    std::vector<uint32_t> qps;
    Ptr<RccAlgorithm> algorithm;

    explicit WatchedStar(const char* name)
    {
        star.Build(5, 40 * G, 1000);
        algorithm = RccAlgorithm::Create(name);
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        invariants.Add(star.sw, 1u << 3);
        for (const auto& nic : star.nics)
        {
            invariants.Add(nic);
        }
        for (uint32_t i = 0; i < 4; i++)
        {
            qps.push_back(star.Send(i, 4, algorithm, 0));
        }
        Simulator::Schedule(MicroSeconds(10), &WatchedStar::Check, this);
    }

    void Check()
    {
        invariants.Check(RccNow());
        for (uint32_t i = 0; i < 4; i++)
        {
            invariants.Check(star.nics[i], qps[i], star.nics[4], 0, RccNow());
        }
        Simulator::Schedule(MicroSeconds(10), &WatchedStar::Check, this);
    }

    std::string First() const
    {
        return invariants.GetViolations().empty() ? "" : invariants.GetViolations()[0];
    }

    void Expect(const char* rule)
    {
        RccRunTo(2000000);
        RCC_CHECK(First().find(rule) != std::string::npos, "expected '" << rule << "', found '" << First() << "'");
        RCC_CHECK(First().find(" ns port ") != std::string::npos, "with the last events");
        Simulator::Destroy();
    }
};

void
NothingFound()
{
    for (const char* name : {"dcqcn", "dcqcn-plus", "qcn", "timely", "timely-patched", "none"})
    {
        WatchedStar net(name);
        RccRunTo(3000000);
        RCC_CHECK_EQ(net.First(), "", name);
        RCC_CHECK_GE(net.star.nics[4]->GetCounters().packetsDelivered, 1000, name);
        Simulator::Destroy();
    }
}

/// A frame that comes from nowhere into an egress queue.
void
FrameFromNowhere()
{
    WatchedStar net("none");
    RccAt(500000, [&]() {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::DATA;
        f->bytes = 1062;
        f->cls = 3;
        f->dst = net.star.nodes[4]->GetId();
        net.star.sw->GetPort(4)->Enqueue(f, RccNow());
    });
    net.Expect("frames are not conserved");
}

/// The queue loses bytes that the buffer still accounts for.
void
BufferAccounting()
{
    WatchedStar net("none");
    RccAt(505000, [&]() {
        RccFrame* f = net.star.sw->GetPort(4)->GetQueue(3).Head();
        RCC_CHECK(f != nullptr, "a queue");
        f->input = static_cast<uint16_t>(f->input == 0 ? 1 : 0);
    });
    net.Expect("the buffer accounts for");
}

void
LosslessDrop()
{
    WatchedStar net("none");
    RccAt(500000, [&]() { net.star.sw->GetPort(4)->DropQueued(3, RccNow()); });
    net.Expect("a frame of a lossless class is dropped");
}

/// A frame is dropped where frames wait, of which some may have come beyond the headroom.
void
DropInACrowd()
{
    for (const RccFrameKind kind : {RccFrameKind::DATA, RccFrameKind::CNP, RccFrameKind::IP})
    {
        WatchedStar net("none");
        net.invariants.AllowCrowds(1u << static_cast<uint32_t>(RccFrameKind::CNP));
        RccAt(500000, [&]() {
            RccFrame* f = RccFramePool::Current()->Get();
            f->kind = kind;
            f->bytes = 64;
            f->cls = 3;
            f->dst = net.star.nodes[4]->GetId();
            net.star.sw->GetPort(4)->Dropped(*f, RccNow());
            RccFramePool::Current()->Put(f);
        });
        RccRunTo(500000);
        const bool found = net.First().find("a frame of a lossless class is dropped") != std::string::npos;
        RCC_CHECK_EQ(found, kind != RccFrameKind::CNP, "kind " << static_cast<int>(kind));
        Simulator::Destroy();
    }
    WatchedStar net("none");
    net.invariants.AllowCrowds(1u << static_cast<uint32_t>(RccFrameKind::DATA));
    RccAt(500000, [&]() {
        RCC_CHECK(net.star.sw->GetPort(4)->GetQueue(3).Head(), "data waits");
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::IP;
        f->cls = 3;
        f->dst = net.star.nodes[4]->GetId();
        net.star.sw->GetPort(4)->Dropped(*f, RccNow());
        RccFramePool::Current()->Put(f);
    });
    RccRunTo(500000);
    RCC_CHECK_EQ(net.First().find("a frame of a lossless class is dropped"), std::string::npos, net.First());
    Simulator::Destroy();
}

void
ForgedCnp()
{
    WatchedStar net("none");
    RccAt(500000, [&]() {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::CNP;
        f->dst = net.star.nodes[0]->GetId();
        static_cast<QbbPortOwner*>(PeekPointer(net.star.nics[0]))->FrameArrived(0, f, RccNow());
    });
    RccRunTo(2000000);
    RCC_CHECK(net.First().find("1 CNPs were received, 0 were sent") != std::string::npos, net.First());
}

/// The core hands out the second of two messages first.
void
MessagesInTurn()
{
    WatchedStar net("none");
    Ptr<RdmaNic> nic = net.star.nics[4];
    const uint32_t qp = RdmaNic::Connect(nic, net.star.nics[0], net.algorithm, 3);
    nic->Post(qp, 30000, RdmaCompletion());
    nic->Post(qp, 30000, RdmaCompletion());
    RccAt(10000, [&]() { nic->Post(qp, 50000, RdmaCompletion()); });
    RccAt(10100, [&]() {
        auto& ring = const_cast<RdmaSendQp&>(nic->GetSendQp(qp)).several;
        std::swap(ring[1].posted, ring[2].posted);
    });
    net.Expect("a message of 30000 bytes posted at 10000 ns ends before one of 30000 bytes posted at 0 ns");
}

/// An acknowledgement that nobody has sent ends a message whose last packets are on their way.
/// \param allowed whether that is on purpose, for the queue pair or for another one
void
EndEarly(WatchedStar& net, const char* allowed = "")
{
    Ptr<RdmaNic> nic = net.star.nics[4];
    const uint32_t qp = RdmaNic::Connect(nic, net.star.nics[0], net.algorithm, 3);
    if (*allowed)
    {
        net.invariants.AllowForged(net.star.nodes[4]->GetId(), std::string(allowed) == "it" ? qp : qp + 1);
    }
    nic->Post(qp, 10000, RdmaCompletion());
    RccAt(2500, [&net, nic, qp]() {
        RCC_CHECK_EQ(nic->GetSendQp(qp).tx.highest, 10, "all packets have left");
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::ACK;
        f->dst = net.star.nodes[4]->GetId();
        f->dstQp = qp;
        f->psn = 10;
        f->stamp = -1;
        static_cast<QbbPortOwner*>(PeekPointer(nic))->FrameArrived(0, f, RccNow());
    });
}

void
MessageEndsEarly()
{
    for (const char* allowed : {"", "another"})
    {
        WatchedStar net("none");
        EndEarly(net, allowed);
        net.Expect("10 packets of messages have ended, the receiver has");
    }
    WatchedStar net("none");
    EndEarly(net, "it");
    RccRunTo(2000000);
    RCC_CHECK_EQ(net.First(), "", "forged on purpose");
}

/// The message shows the last 100 events of the place, in their order, and none of later.
void
LastEvents()
{
    WatchedStar net("none");
    RccAt(500000, [&]() { net.star.sw->GetPort(4)->DropQueued(3, RccNow()); });
    RccRunTo(520000);
    std::istringstream lines(net.First());
    std::string line;
    std::getline(lines, line);
    int64_t last = 0;
    uint32_t events = 0;
    for (; std::getline(lines, line); events++)
    {
        const int64_t at = std::stoll(line);
        RCC_CHECK(at >= last && at <= 500000, "'" << line << "' after " << last);
        last = at;
    }
    RCC_CHECK_EQ(events, 100, net.First());
    RCC_CHECK_EQ(last, 500000, "the drop itself");
    Simulator::Destroy();
}

/// The run may go on without the watcher. What has no port cannot be watched.
void
EndsBeforeTheRun()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 0);
    Ptr<QbbNetDevice> port = star.nics[0]->GetPort(0);
    {
        LabInvariants invariants;
        invariants.Add(star.sw, 1u << 3);
        invariants.Add(star.nics[0]);
        RccRunTo(100000);
        RCC_CHECK(invariants.GetViolations().empty(), "");
    }
    const uint64_t before = port->GetCounters().txFrames;
    RccRunTo(200000);
    RCC_CHECK_GE(port->GetCounters().txFrames, before + 100, "");
    Ptr<RdmaNic> bare = CreateObject<RdmaNic>();
    LabInvariants none;
    RCC_CHECK_ABORTS([&] { none.Add(bare); }, "LabInvariants: a host without a port");
    RCC_CHECK_ABORTS([&] { none.Add(CreateObject<QbbSwitch>(), 8); }, "LabInvariants: a switch without a port");
}

/// A cut-through switch: an incast with little buffer, links of two rates: pauses, no loss, everything conserved.
void
CutThroughUnderPauses()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("CutThrough", UintegerValue(64));
    star.helper.SetSwitchAttribute("BufferSize", UintegerValue(400000));
    star.Build({40 * G, 40 * G, 10 * G, 40 * G}, std::vector<int64_t>(4, 1000));
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    LabInvariants invariants;
    invariants.Add(star.sw, 1u << 3);
    std::vector<uint32_t> qps;
    for (uint32_t i = 0; i < 3; i++)
    {
        qps.push_back(star.Send(i, 3, algorithm, 3000000));
    }
    const uint32_t slow = star.Send(0, 2, algorithm, 1000000);
    uint64_t held = 0;
    for (int64_t t = 1000; t < 4000000; t += 777)
    {
        RccAt(t, [&] {
            invariants.Check(RccNow());
            held += star.sw->GetHeldFrames();
        });
    }
    RccRunTo(20000000);
    RCC_CHECK(invariants.GetViolations().empty(), invariants.GetViolations()[0]);
    RCC_CHECK_GE(held, 1, "frames of the 10G host wait for their last bit");
    RCC_CHECK_EQ(star.sw->GetHeldFrames(), 0, "");
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, "");
    RCC_CHECK_GE(star.sw->GetPort(0)->GetCounters().pausesSent, 1, "");
    for (uint32_t i = 0; i < 3; i++)
    {
        RCC_CHECK_EQ(star.Received(i, 3, qps[i]).bytes, 3000000, "sender " << i);
    }
    RCC_CHECK_EQ(star.Received(0, 2, slow).bytes, 1000000, "");
}

/// Each copy counts of a broadcast that a cut-through switch holds until its last bit has come, and of one that is lost
/// as its link goes down.
void
HeldBroadcast()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("CutThrough", UintegerValue(64));
    star.helper.SetSwitchAttribute("MaxFrame", UintegerValue(1518));
    star.Build(4, 10 * G, 1000);
    NodeContainer hosts;
    for (const auto& node : star.nodes)
    {
        hosts.Add(node);
    }
    QbbInstallInternet(hosts);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    LabInvariants invariants;
    invariants.Add(star.sw, 1u << 3);
    Ptr<Socket> socket = Socket::CreateSocket(star.nodes[0], UdpSocketFactory::GetTypeId());
    socket->SetAllowBroadcast(true);
    uint64_t held = 0;
    for (int64_t t : {1000, 101000})
    {
        RccAt(t, [&] { socket->SendTo(Create<Packet>(1000), 0, InetSocketAddress(Ipv4Address("10.0.255.255"), 9)); });
        for (int64_t after = 0; after < 6000; after += 100)
        {
            RccAt(t + after, [&] {
                invariants.Check(RccNow());
                held += star.sw->GetHeldFrames();
            });
        }
    }
    RccAt(101000 + 1550, [&] { star.Link(0)->TakeDown(RccNow()); });
    RccRunTo(200000);
    RCC_CHECK(invariants.GetViolations().empty(), invariants.GetViolations()[0]);
    RCC_CHECK_GE(held, 5, "looked at while it is held");
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 1, "the second one");
}

RccTestSuite g_invariantsSuite("rcc-invariants", {{"nothing-found", NothingFound},
                                                  {"last-events", LastEvents},
                                                  {"messages-in-turn", MessagesInTurn},
                                                  {"message-ends-early", MessageEndsEarly},
                                                  {"frame-from-nowhere", FrameFromNowhere},
                                                  {"buffer-accounting", BufferAccounting},
                                                  {"lossless-drop", LosslessDrop},
                                                  {"drop-in-a-crowd", DropInACrowd},
                                                  {"forged-cnp", ForgedCnp},
                                                  {"cut-through-under-pauses", CutThroughUnderPauses},
                                                  {"held-broadcast", HeldBroadcast},
                                                  {"ends-before-the-run", EndsBeforeTheRun}});

} // namespace
