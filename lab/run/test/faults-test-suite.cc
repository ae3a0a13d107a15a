/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* LabFaults: what each fault does to the frames of a link, to the switch and to the hosts. */
#include "rcc-test-net.h"

#include "lab-faults.h"
#include "ns3/rcc-wire.h"
#include "ns3/rcc_wire.h"

using namespace ns3;

namespace
{

RunFault
Make(RunFaultKind kind, int64_t at = 0, int64_t lasts = -1)
{
    RunFault fault;
    fault.kind = kind;
    fault.at = at;
    fault.lasts = lasts;
    return fault;
}

/// Hosts at a switch, and faults.
struct FaultyStar
{
    LabFaults faults;
    RccTestStar star;
    NodeContainer nodes;

    explicit FaultyStar(size_t hosts = 2, Ptr<RccAlgorithm> marker = nullptr)
    {
        star.Build(hosts, 40 * G, 1000);
        if (marker)
        {
            star.sw->AddMarker(3, marker);
        }
        for (const auto& node : star.nodes)
        {
            nodes.Add(node);
        }
        nodes.Add(star.sw->GetPort(0)->GetNode());
        RCC_CHECK_EQ(star.sw->Start(), "", "");
    }

    uint32_t HostId(size_t host) const
    {
        return star.nodes[host]->GetId();
    }

    uint32_t SwitchId() const
    {
        return nodes.Get(nodes.GetN() - 1)->GetId();
    }

    /// A fault on the link of a host.
    void AddOnLink(RunFault fault, size_t host = 0)
    {
        fault.node = HostId(host);
        fault.peer = SwitchId();
        faults.Add(fault);
    }

    void Install()
    {
        faults.Install(nodes, 1);
    }
};

/// 100,000 frames over a link with a fault: how many are picked, and in rows of which mean length.
void
CheckPicks(double probability, uint32_t burst)
{
    FaultyStar net;
    RunFault loss = Make(RunFaultKind::LOSE);
    loss.probability = static_cast<uint32_t>(probability * 1e9 + 0.5);
    loss.burst = burst;
    loss.frames = 1u << static_cast<uint32_t>(RccFrameKind::DATA);
    net.AddOnLink(loss);
    net.Install();
    Ptr<QbbChannel> link = net.star.Link(0);
    const uint32_t frames = 100000;
    uint32_t lost = 0;
    uint32_t rows = 0;
    bool last = false;
    for (uint32_t i = 0; i < frames; i++)
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::DATA;
        f->dst = UINT32_MAX - 1; // nobody
        const uint64_t before = link->GetLostFrames();
        link->Send(0, f, 0, 0);
        const bool now = link->GetLostFrames() > before;
        lost += now;
        rows += now && !last;
        last = now;
    }
    const double part = static_cast<double>(lost) / frames;
    RCC_CHECK_LE(std::abs(part - probability), 0.15 * probability + 0.001, probability << ": part " << part);
    if (burst > 1)
    {
        const double length = static_cast<double>(lost) / std::max(rows, 1u);
        RCC_CHECK_LE(std::abs(length - burst), 0.1 * burst, burst << ": mean length " << length);
    }
    RCC_CHECK_EQ(net.faults.GetHits(0), lost, "counted");
    Simulator::Destroy();
}

void
Picks()
{
    CheckPicks(0.01, 1);
    CheckPicks(0.5, 1);
    CheckPicks(0.05, 10);
    CheckPicks(0.3, 4);
    CheckPicks(0.75, 3); // as often as bursts of 3 can
    CheckPicks(1, 1);
}

/// ICRCs of the frames at a port, computed anew.
struct Icrcs : RccTestTap
{
    uint32_t wrong{0}; //!< wrong frames that came in

    void Tap(const RccFrame* f, bool received, int64_t) override
    {
        uint8_t bytes[2048];
        const uint32_t size = RccWire::Write(*f, 0, bytes);
        const uint8_t* const end = bytes + size - RCC_WIRE_ICRC;
        const uint32_t icrc = rcc_icrc(bytes + RCC_WIRE_ETHERNET, size - RCC_WIRE_ETHERNET - RCC_WIRE_ICRC, 0, nullptr);
        const bool bad = icrc != (end[0] | end[1] << 8 | end[2] << 16 | static_cast<uint32_t>(end[3]) << 24);
        RCC_CHECK_EQ(bad, f->kind == RccFrameKind::CORRUPT, "as bytes");
        wrong += bad && received;
    }
};

/// A corrupted frame is carried, counted by the host, not by the transport, and its ICRC is wrong in a capture.
void
Corruption()
{
    FaultyStar net;
    RunFault corrupt = Make(RunFaultKind::CORRUPT);
    corrupt.count = 3;
    corrupt.frames = 1u << static_cast<uint32_t>(RccFrameKind::DATA);
    net.AddOnLink(corrupt);
    net.Install();
    Icrcs icrcs;
    net.star.nics[1]->GetPort(0)->AddObserver(&icrcs, QBB_OBSERVE_FRAMES);
    const uint32_t qp = net.star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 1000000);
    RccRunTo(100000000);
    RCC_CHECK_EQ(icrcs.wrong, 3, "captured");
    RCC_CHECK_EQ(net.star.nics[1]->GetCounters().icrcErrors, 3, "counted");
    RCC_CHECK_EQ(net.star.nics[1]->GetCounters().framesRejected, 0, "and as nothing else");
    RCC_CHECK_EQ(net.star.Received(0, 1, qp).bytes, 1000000, "the message arrives");
    RCC_CHECK_EQ(net.star.Link(0)->GetLostFrames(), 0, "none is lost on the link");
}

/// Late frames are overtaken, duplicates arrive twice, in the order of their times.
void
LateAndTwice()
{
    RccTestLink link(40 * G, 1000);
    struct Script : QbbLinkDisturbance
    {
        Fate FrameSent(uint32_t, const RccFrame& frame, int64_t) override
        {
            Fate fate;
            fate.late = frame.psn == 1 ? 10000 : 0;
            fate.duplicate = frame.psn == 2;
            return fate;
        }
    } script;
    link.channel->SetDisturbance(&script);
    for (uint64_t psn = 0; psn < 4; psn++)
    {
        link.a.Send(3, 1000, psn);
    }
    RccRunTo(100000);
    const std::vector<uint64_t> order = {0, 2, 2, 3, 1};
    RCC_CHECK_EQ(link.b.arrived.size(), order.size(), "frames");
    for (size_t i = 0; i < order.size() && i < link.b.arrived.size(); i++)
    {
        RCC_CHECK_EQ(link.b.arrived[i].psn, order[i], "frame " << i);
    }
    RCC_CHECK_EQ(link.b.arrived.back().at, 2 * RccTxTime(1000, 40 * G) + 1000 + 10000, "late by 10 us");
    RCC_CHECK_EQ(link.channel->GetAddedFrames(0), 1, "one more than was sent");
    link.channel->SetDisturbance(nullptr);
    link.a.Send(3, 1000, 1);
    RccRunTo(200000);
    RCC_CHECK_EQ(link.b.arrived.size(), order.size() + 1, "and as usual afterwards");
}

/// Frames that are late on a link that goes down are lost, and given back at the end of a run.
void
LateAndDown()
{
    RccTestLink link(40 * G, 1000);
    struct Script : QbbLinkDisturbance
    {
        Fate FrameSent(uint32_t, const RccFrame&, int64_t) override
        {
            Fate fate;
            fate.late = 50000;
            return fate;
        }
    } script;
    link.channel->SetDisturbance(&script);
    link.a.Send(3, 1000, 0);
    RccAt(10000, [&]() { link.channel->TakeDown(RccNow()); });
    RccAt(20000, [&]() { link.channel->BringUp(RccNow()); });
    RccAt(30000, [&]() { link.a.Send(3, 1000, 1); });
    RccRunTo(100000);
    RCC_CHECK_EQ(link.channel->GetLostFrames(), 1, "lost");
    RCC_CHECK_EQ(link.b.arrived.size(), 1, "the one after it");
    link.a.Send(3, 1000, 2);
    RccRunTo(110000);
    Simulator::Destroy();
}

/// A link that comes up again carries the rest of a message.
void
DownAndUp()
{
    FaultyStar net;
    net.star.nics[0]->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    RunFault down = Make(RunFaultKind::LINK_DOWN, 100000, 200000);
    down.count = 3;
    down.time = 500000;
    net.AddOnLink(down, 1);
    net.faults.SetRerouteTime(10000);
    net.Install();
    // a NIC takes its attributes when a port is added or a queue pair opened
    const uint32_t qp = net.star.Send(0, 1, RccAlgorithm::Create("none"), 6000000);
    RccAt(150000, [&]() { RCC_CHECK(net.star.Link(1)->IsDown(), "down"); });
    RccAt(350000, [&]() { RCC_CHECK(!net.star.Link(1)->IsDown(), "up"); });
    RccAt(650000, [&]() { RCC_CHECK(net.star.Link(1)->IsDown(), "down again"); });
    RccRunTo(200000000);
    RCC_CHECK_EQ(net.star.Received(0, 1, qp).bytes, 6000000, "the message arrives");
    RCC_CHECK_EQ(net.faults.GetHits(0), 6, "downs and ups");
    RCC_CHECK_GE(net.faults.GetLostFrames(), 1, "something is lost");
    RCC_CHECK_EQ(net.star.sw->GetMmu().used, 0, "and the buffer is empty");
}

/// A host that pauses, and one that does not read, hold the sender up for as long as they do so.
void
HostsThatStop()
{
    for (const RunFaultKind kind : {RunFaultKind::PAUSE, RunFaultKind::STOP_READING})
    {
        FaultyStar net;
        RunFault stop = Make(kind, 100000, 2000000);
        stop.node = net.HostId(1);
        stop.buffer = 30000;
        net.faults.Add(stop);
        net.Install();
        const uint32_t qp = net.star.Send(0, 1, RccAlgorithm::Create("none"), 8000000);
        uint64_t before = 0;
        RccAt(1900000, [&]() { before = net.star.Received(0, 1, qp).bytes; });
        RccAt(2090000, [&]() {
            RCC_CHECK_EQ(net.star.Received(0, 1, qp).bytes, before, "nothing is read");
            RCC_CHECK_LE(before, 600000, "since it began");
        });
        RccRunTo(6000000);
        RCC_CHECK_EQ(net.star.Received(0, 1, qp).bytes, 8000000, "and all of it in the end");
        RCC_CHECK_EQ(net.star.sw->GetDroppedPackets(), 0, "nothing is lost");
        RCC_CHECK_GE(net.star.nics[0]->GetPort(0)->GetPausedTime(RccNow()), 500000, "the sender is paused");
        Simulator::Destroy();
    }
}

/// CNPs of a slow notification point leave one by one.
void
SlowNp()
{
    Ptr<RccAlgorithm> dcqcn = RccAlgorithm::Create("dcqcn");
    FaultyStar net(5, dcqcn);
    RunFault slow = Make(RunFaultKind::SLOW_NP);
    slow.node = net.HostId(4);
    slow.time = 200000;
    net.faults.Add(slow);
    net.Install();
    for (size_t i = 0; i < 4; i++)
    {
        net.star.Send(i, 4, dcqcn, 0);
    }
    RccTestLog log;
    log.Watch(net.star.sw->GetPort(4));
    RccRunTo(2000000);
    const auto cnps = log.Select(RccFrameKind::CNP, true);
    RCC_CHECK_GE(cnps.size(), 5, "there are some");
    for (size_t i = 1; i < cnps.size(); i++)
    {
        RCC_CHECK_GE(cnps[i].at - cnps[i - 1].at, 199000, "CNP " << i);
    }
    RCC_CHECK_LE(cnps.size(), 11, "in 2 ms");
}

/// A switch that restarts is empty, and works again.
void
SwitchRestarts()
{
    FaultyStar net(3);
    RunFault restart = Make(RunFaultKind::RESTART, 100000, 100000);
    restart.node = net.SwitchId();
    net.faults.Add(restart);
    net.Install();
    const uint32_t a = net.star.Send(0, 2, RccAlgorithm::Create("none"), 2000000);
    const uint32_t b = net.star.Send(1, 2, RccAlgorithm::Create("none"), 2000000);
    RccAt(150000, [&]() { RCC_CHECK_EQ(net.star.sw->GetMmu().used, 0, "empty"); });
    RccRunTo(400000000);
    RCC_CHECK_EQ(net.star.Received(0, 2, a).bytes, 2000000, "the first message");
    RCC_CHECK_EQ(net.star.Received(1, 2, b).bytes, 2000000, "the second");
    RCC_CHECK_EQ(net.star.sw->GetMmu().used, 0, "empty");
}

/// Forged frames are rejected, and a rate that is lower holds up to its end.
void
ForgedAndSlow()
{
    FaultyStar net;
    for (const RccFrameKind kind :
         {RccFrameKind::DATA, RccFrameKind::ACK, RccFrameKind::NAK, RccFrameKind::CNP, RccFrameKind::CNM})
    {
        RunFault forge = Make(RunFaultKind::FORGE, 1000);
        forge.node = net.HostId(1);
        forge.frames = 1u << static_cast<uint32_t>(kind);
        forge.qp = 12345;
        forge.count = 10;
        forge.time = 100;
        net.faults.Add(forge);
    }
    RunFault slow = Make(RunFaultKind::RATE, 0, 800000);
    slow.rate = 10 * G;
    net.AddOnLink(slow);
    net.Install();
    const uint32_t qp = net.star.Send(0, 1, RccAlgorithm::Create("none"), 0);
    uint64_t first = 0;
    RccAt(800000, [&]() { first = net.star.Received(0, 1, qp).bytes; });
    RccRunTo(1600000);
    const uint64_t second = net.star.Received(0, 1, qp).bytes - first;
    RCC_CHECK_EQ(net.star.nics[1]->GetCounters().framesRejected, 50, "forged frames");
    RCC_CHECK_LE(first, 1000000, "at 10 Gbit/s");
    RCC_CHECK_GE(first, 900000, "at 10 Gbit/s");
    RCC_CHECK_GE(second, 3600000, "at 40 Gbit/s");
    RCC_CHECK_EQ(net.star.sw->GetDroppedPackets(), 0, "nothing is lost");
}

/// \return "" or the code of the error that a network cannot have its faults, with its field and its values
std::string
Refusal(FaultyStar& net)
{
    try
    {
        net.faults.Install(net.nodes, 1);
    }
    catch (const RunError& error)
    {
        std::string line = error.code + " " + error.field + " " + error.found;
        for (const auto& value : error.expected)
        {
            line += " " + value;
        }
        return line + " of " + std::to_string(error.record);
    }
    return "";
}

/// A fault that the network cannot have is refused, with its number.
void
Errors()
{
    const std::pair<RunFaultKind, const char*> wrong[] = {{RunFaultKind::LOSE, "no-link NODE 77 78 of 2"},
                                                          {RunFaultKind::PAUSE, "kind NODE 77 host of 2"},
                                                          {RunFaultKind::RESTART, "kind NODE 77 switch of 2"}};
    for (const auto& w : wrong)
    {
        FaultyStar net;
        net.faults.Add(Make(RunFaultKind::DUPLICATE));
        RunFault fault = Make(w.first);
        fault.node = 77;
        fault.peer = 78;
        fault.record = 2;
        net.faults.Add(fault);
        RCC_CHECK_EQ(Refusal(net), w.second, "");
        Simulator::Destroy();
    }
}

/// A rate is below that of its link, and ends before something else sets the rate of one of its ends.
void
RatesOfOthers()
{
    const struct
    {
        uint64_t rate;
        int64_t at, lasts;
        bool keeps;
        std::string expected;
    } cases[] = {{40 * G, 0, -1, false, "link-rate RATE 40000000000 40000000000 of 5"},
                 {G, 0, -1, false, ""},
                 {G, 1000, 1000, true, ""},
                 {G, 1000, 1001, true, "rate-set RATE 1000000000 SWITCH HOST 2000 rate 7 of 5"}};
    for (const auto& c : cases)
    {
        FaultyStar net;
        RunFault fault = Make(RunFaultKind::RATE, c.at, c.lasts);
        fault.rate = c.rate;
        fault.record = 5;
        net.AddOnLink(fault);
        if (c.keeps)
        {
            net.faults.KeepRate(net.star.sw->GetPort(0), 3000, "phase");
            net.faults.KeepRate(net.star.sw->GetPort(0), 2000, "rate 7"); // the first one counts
        }
        std::string expected = c.expected;
        if (c.keeps && !expected.empty())
        {
            expected.replace(expected.find("SWITCH HOST"), std::string("SWITCH HOST").size(),
                             std::to_string(net.SwitchId()) + " " + std::to_string(net.HostId(0)));
        }
        RCC_CHECK_EQ(Refusal(net), expected, "");
        Simulator::Destroy();
    }
}

/// The second of two faults at a time that restore the earlier state is refused; one after the other, also in
/// other classes and at other places, is not.
void
Overlaps()
{
    const int64_t us = 1000;
    const struct
    {
        RunFaultKind kind;
        int64_t at, lasts, atThen, lastsThen;
        const char* expected;
    } pairs[] = {{RunFaultKind::PAUSE, 10 * us, 5 * us, 14 * us, -1, "overlap AT 14000 2 of 3"},
                 {RunFaultKind::PAUSE, 10 * us, 5 * us, 9 * us, 2 * us, "overlap AT 9000 2 of 3"},
                 {RunFaultKind::STOP_READING, 10 * us, -1, 14 * us, 1 * us, "overlap AT 14000 2 of 3"},
                 {RunFaultKind::RATE, 10 * us, 5 * us, 10 * us, 5 * us, "overlap AT 10000 2 of 3"},
                 {RunFaultKind::RATE, 10 * us, 5 * us, 15 * us, -1, ""},
                 {RunFaultKind::STOP_READING, 10 * us, 5 * us, 8 * us, 2 * us, ""},
                 {RunFaultKind::SLOW_NP, 10 * us, 5 * us, 8 * us, 5 * us, ""}};
    for (const auto& pair : pairs)
    {
        FaultyStar net;
        net.faults.Add(Make(RunFaultKind::LOSE));
        RunFault fault = Make(pair.kind, pair.at, pair.lasts);
        fault.rate = G;
        fault.record = 2;
        net.faults.Add(fault);
        if (pair.kind == RunFaultKind::PAUSE)
        {
            fault.cls = 4;
            net.faults.Add(fault);
            fault.cls = 3;
        }
        fault.record = 3;
        fault.at = pair.atThen;
        fault.lasts = pair.lastsThen;
        net.faults.Add(fault);
        RCC_CHECK_EQ(Refusal(net), pair.expected, "");
        Simulator::Destroy();
    }
}

/// Which faults let switches drop frames of a lossless class, and which let frames come in beyond its headroom.
void
Drops()
{
    const auto bit = [](RccFrameKind kind) { return 1u << static_cast<uint32_t>(kind); };
    const struct
    {
        RunFaultKind kind;
        uint32_t frames;
        bool drops;
        uint32_t crowds;
    } cases[] = {{RunFaultKind::LINK_DOWN, RUN_ALL_BUT_PFC, true, 0},
                 {RunFaultKind::LOSE, bit(RccFrameKind::PFC), true, 0},
                 {RunFaultKind::LOSE, RUN_ALL_BUT_PFC, false, 0},
                 {RunFaultKind::CORRUPT, RUN_ALL_BUT_PFC, false, 0},
                 {RunFaultKind::DELAY, bit(RccFrameKind::DATA), false, bit(RccFrameKind::DATA)},
                 {RunFaultKind::DELAY, 0xff, true, RUN_ALL_BUT_PFC},
                 {RunFaultKind::DELAY, bit(RccFrameKind::CNP), false, bit(RccFrameKind::CNP)},
                 {RunFaultKind::DELAY, bit(RccFrameKind::IP), false, bit(RccFrameKind::IP)},
                 {RunFaultKind::DUPLICATE, bit(RccFrameKind::ACK), false, bit(RccFrameKind::ACK)},
                 {RunFaultKind::DUPLICATE, bit(RccFrameKind::CNM), false, bit(RccFrameKind::CNM)},
                 {RunFaultKind::DUPLICATE, bit(RccFrameKind::PFC), false, 0},
                 {RunFaultKind::SLOW_NP, RUN_ALL_BUT_PFC, false, bit(RccFrameKind::CNP)},
                 {RunFaultKind::FORGE, bit(RccFrameKind::DATA), false, 0},
                 {RunFaultKind::PAUSE, RUN_ALL_BUT_PFC, false, 0}};
    for (const auto& c : cases)
    {
        LabFaults faults;
        RunFault fault = Make(c.kind);
        fault.frames = c.frames;
        faults.Add(fault);
        RCC_CHECK_EQ(faults.MayDrop(), c.drops, RunWordOf(c.kind) << " " << c.frames);
        RCC_CHECK_EQ(faults.GetCrowds(), c.crowds, RunWordOf(c.kind) << " " << c.frames);
    }
}

/// A link that goes down again at a time that no run reaches.
void
LargeTimes()
{
    FaultyStar net;
    RunFault flap = Make(RunFaultKind::LINK_DOWN, 1000, 1000000000000000);
    flap.time = 1000000000000000;
    flap.count = 1000000;
    net.AddOnLink(flap);
    net.Install();
    RccRunTo(100000);
    RCC_CHECK(net.star.Link(0)->IsDown(), "since 1 us");
    RCC_CHECK_EQ(net.faults.GetHits(0), 1, "once so far");
    RCC_CHECK_LE(Simulator::ScheduleNow(&Simulator::Destroy).GetUid(), 1000, "events that were scheduled");
    Simulator::Destroy();
}

RccTestSuite g_faultsSuite("rcc-faults", {{"picks", Picks},
                                          {"corruption", Corruption},
                                          {"late-and-twice", LateAndTwice},
                                          {"late-and-down", LateAndDown},
                                          {"down-and-up", DownAndUp},
                                          {"hosts-that-stop", HostsThatStop},
                                          {"slow-np", SlowNp},
                                          {"switch-restarts", SwitchRestarts},
                                          {"forged-and-slow", ForgedAndSlow},
                                          {"errors", Errors},
                                          {"rates-of-others", RatesOfOthers},
                                          {"overlaps", Overlaps},
                                          {"drops", Drops},
                                          {"large-times", LargeTimes}});

} // namespace
