/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Trace sources of devices and switches: they agree with the counters, add up, and change nothing. */
#include "rcc-test-net.h"
#include "trace-test-net.h"

#include "ns3/cioq-switch.h"
#include "ns3/config.h"
#include "ns3/rcc-trace.h"
#include "ns3/rcc-wire.h"

#include <cstring>
#include <map>
#include <set>

using namespace ns3;

namespace
{

/// The records of a port's sources, by context.
struct PortLog
{
    struct Port
    {
        uint64_t enqueued{0}, dequeued{0}, dropped{0}, received{0};
        uint64_t receivedBytes{0};
        uint64_t queue[QBB_CLASSES] = {};
        uint64_t broken{0}; //!< old lengths that are not the last new one
        uint64_t pfc{0};    //!< pauses and resumes asked for
        uint64_t paused[2] = {};
    };

    std::map<std::string, Port> ports; //!< by "node/device"

    Port& FindPort(const std::string& context)
    {
        // /NodeList/N/DeviceList/D/$ns3::QbbNetDevice/Source
        const size_t node = std::strlen("/NodeList/");
        const size_t list = context.find("/DeviceList/");
        const size_t device = list + std::strlen("/DeviceList/");
        return ports[context.substr(node, list - node) + "/" +
                     context.substr(device, context.find('/', device) - device)];
    }

    void Connect()
    {
        const std::string all = "/NodeList/*/DeviceList/*/$ns3::QbbNetDevice/";
        Config::Connect(all + "Enqueue", MakeCallback(&PortLog::Enqueued, this));
        Config::Connect(all + "Dequeue", MakeCallback(&PortLog::Dequeued, this));
        Config::Connect(all + "Drop", MakeCallback(&PortLog::Dropped, this));
        Config::Connect(all + "Receive", MakeCallback(&PortLog::Received, this));
        Config::Connect(all + "QueueBytes", MakeCallback(&PortLog::Queue, this));
        Config::Connect(all + "PfcSent", MakeCallback(&PortLog::Pfc, this));
        Config::Connect(all + "Pause", MakeCallback(&PortLog::Pause, this));
    }

    void Enqueued(std::string context, const RccFrame&)
    {
        FindPort(context).enqueued++;
    }

    void Dequeued(std::string context, const RccFrame&)
    {
        FindPort(context).dequeued++;
    }

    void Dropped(std::string context, const RccFrame&)
    {
        FindPort(context).dropped++;
    }

    void Received(std::string context, const RccFrame& frame)
    {
        FindPort(context).received++;
        FindPort(context).receivedBytes += frame.bytes;
    }

    void Queue(std::string context, uint8_t cls, uint64_t before, uint64_t now)
    {
        Port& p = FindPort(context);
        p.broken += p.queue[cls] != before || before == now;
        p.queue[cls] = now;
    }

    void Pfc(std::string context, uint8_t cls, uint16_t)
    {
        FindPort(context).pfc += cls == 3;
    }

    void Pause(std::string context, uint8_t cls, bool paused)
    {
        FindPort(context).paused[paused] += cls == 3;
    }

    Port& At(Ptr<QbbNetDevice> device)
    {
        return ports[std::to_string(device->GetNode()->GetId()) + "/" + std::to_string(device->GetIfIndex())];
    }
};

/// Frames waiting in a port, from what was traced: all that joined it and are neither sent nor dropped.
void
CheckPort(PortLog& log, Ptr<QbbNetDevice> device, const std::string& what)
{
    const PortLog::Port& p = log.At(device);
    const QbbPortCounters& c = device->GetCounters();
    RCC_CHECK_EQ(p.dequeued, c.txFrames, what);
    RCC_CHECK_EQ(p.received, c.rxFrames, what);
    RCC_CHECK_EQ(p.receivedBytes, c.rxBytes, what);
    RCC_CHECK_EQ(p.broken, 0, what << ": QueueBytes with an old length that is not the last new one");
    RCC_CHECK_EQ(p.paused[1], c.pausesReceived, what);
    for (uint8_t cls = 0; cls < QBB_CLASSES; cls++)
    {
        RCC_CHECK_EQ(p.queue[cls], device->GetQueueBytes(cls), what << " class " << unsigned(cls));
    }
    RCC_CHECK_GE(p.enqueued, p.dequeued, what);
    RCC_CHECK_EQ(p.enqueued == p.dequeued, device->GetQueueBytesTotal() == 0, what);
}

/// Through Config paths: every port of a congested star agrees with its counters, with PFC and without.
void
Ports()
{
    for (bool lossless : {true, false})
    {
        RccTestStar star;
        star.helper.SetSwitchAttribute("BufferSize", UintegerValue(400000));
        star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(lossless ? 8 : 0));
        star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(300)));
        star.Build(5, 10 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        PortLog log;
        log.Connect();
        for (size_t i = 0; i < 4; i++)
        {
            star.Send(i, 4, algorithm, 0);
        }
        RccRunTo(3000000);

        uint64_t dropped = 0;
        uint64_t pauses = 0;
        for (size_t i = 0; i < 5; i++)
        {
            const std::string what = (lossless ? "lossless, host " : "lossy, host ") + std::to_string(i);
            CheckPort(log, star.nics[i]->GetPort(0), what);
            CheckPort(log, star.sw->GetPort(static_cast<uint32_t>(i)), what + ", its port of the switch");
            const PortLog::Port& port = log.At(star.sw->GetPort(static_cast<uint32_t>(i)));
            const QbbPortCounters& c = star.sw->GetPort(static_cast<uint32_t>(i))->GetCounters();
            RCC_CHECK_EQ(port.pfc, c.pausesSent + c.resumesSent, what);
            dropped += port.dropped;
            pauses += port.pfc;
        }
        RCC_CHECK_EQ(dropped, star.sw->GetDroppedPackets(), "");
        RCC_CHECK_EQ(dropped > 0, !lossless, "");
        RCC_CHECK_EQ(pauses > 0, lossless, "");
        Simulator::Destroy();
    }
}

struct Counts
{
    std::map<uint32_t, uint64_t> marks, cnms;
    uint64_t wrong{0};

    void Mark(uint32_t port, const RccFrame& frame)
    {
        marks[port]++;
        wrong += frame.ecn != RccEcn::CE;
    }

    void Cnm(uint32_t port, const RccFrame& frame)
    {
        cnms[port]++;
        wrong += frame.kind != RccFrameKind::CNM;
    }
};

/// Marks at the port to the receiver, CNMs at those to the senders.
void
MarksAndCnms()
{
    for (const char* name : {"dcqcn", "qcn"})
    {
        RccTestStar star;
        star.Build(4, 10 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(name);
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Counts counts;
        star.sw->TraceConnectWithoutContext("Mark", MakeCallback(&Counts::Mark, &counts));
        star.sw->TraceConnectWithoutContext("CnmSent", MakeCallback(&Counts::Cnm, &counts));
        for (size_t i = 0; i < 3; i++)
        {
            star.Send(i, 3, algorithm, 0);
        }
        RccRunTo(3000000);
        const bool marks = rcc_cp_watches(algorithm->GetCore()) == RCC_CP_ECN_CAPABLE;
        RCC_CHECK_EQ(counts.marks.size(), marks ? 1 : 0, name << ": one port is congested");
        RCC_CHECK_EQ(counts.cnms.size(), marks ? 0 : 3, name << ": they leave towards the senders");
        RCC_CHECK_EQ(counts.marks[3], star.sw->GetMarkedPackets(), name);
        RCC_CHECK_EQ(counts.cnms[0] + counts.cnms[1] + counts.cnms[2], star.sw->GetCnmsSent(), name);
        RCC_CHECK_EQ(counts.wrong, 0, name);
        Simulator::Destroy();
    }
}

/// Times at which a class was paused and resumed.
struct Pauses
{
    std::vector<std::pair<int64_t, bool>> all;

    void Changed(uint8_t cls, bool paused)
    {
        RCC_CHECK_EQ(cls, 5, "");
        all.emplace_back(RccNow(), paused);
    }
};

/// A pause that expires is resumed at that time; a refresh is no change.
void
PauseExpires()
{
    RccTestLink link(10 * G, 1000);
    Pauses pauses;
    link.b.device->TraceConnectWithoutContext("Pause", MakeCallback(&Pauses::Changed, &pauses));
    const int64_t arrives = RccTxTime(PFC_BYTES, 10 * G) + 1000;
    RccAt(0, [&] { link.a.device->SendPfc(1u << 5, 100, RccNow()); });
    RccAt(2000, [&] { link.a.device->SendPfc(1u << 5, 100, RccNow()); });
    RccRunTo(100000);
    RCC_CHECK_EQ(pauses.all.size(), 2, "");
    RCC_CHECK_EQ(pauses.all[0].first, arrives, "");
    RCC_CHECK_EQ(pauses.all[1].first, 2000 + arrives + link.b.device->QuantaToNs(100), "");
    RCC_CHECK(pauses.all[0].second && !pauses.all[1].second, "");
}

struct Packets
{
    std::vector<Ptr<const Packet>> all;

    void Add(Ptr<const Packet> packet)
    {
        all.push_back(packet);
    }
};

/// The Phy and sniffer sources hand over the frame's bytes; nobody pays for packets that nobody wants.
void
RealBytes()
{
    const uint64_t first = Create<Packet>()->GetUid();
    {
        RccTestLink link(10 * G, 1000);
        RccAt(0, [&] { link.a.Send(3, 500); });
        RccRunTo(10000);
    }
    RCC_CHECK_EQ(Create<Packet>()->GetUid(), first + 1, "a frame that nobody looks at made a packet");

    RccTestLink link(10 * G, 1000);
    std::map<std::string, Packets> a, b;
    for (const char* name : {"PhyTxBegin", "PhyRxEnd", "Sniffer", "PromiscSniffer", "PhyRxDrop"})
    {
        link.a.device->TraceConnectWithoutContext(name, MakeCallback(&Packets::Add, &a[name]));
        link.b.device->TraceConnectWithoutContext(name, MakeCallback(&Packets::Add, &b[name]));
    }
    RccAt(10000, [&] {
        link.a.Send(3, 500, 7);
        link.b.device->SendPfc(8, 77, RccNow());
    });
    RccRunTo(20000);
    link.channel->SetErrorRate(1, 1);
    RccAt(30000, [&] { link.a.Send(3, 500, 8); });
    RccRunTo(40000);

    RCC_CHECK_EQ(a["PhyTxBegin"].all.size(), 2, "");
    RCC_CHECK_EQ(a["PhyRxEnd"].all.size(), 1, "PFC");
    RCC_CHECK_EQ(a["Sniffer"].all.size(), 3, "");
    RCC_CHECK_EQ(a["PromiscSniffer"].all.size(), 3, "");
    RCC_CHECK_EQ(b["PhyRxEnd"].all.size(), 1, "the second one is lost");
    RCC_CHECK_EQ(b["PhyRxDrop"].all.size(), 1, "");
    RCC_CHECK_EQ(b["PhyRxDrop"].all.size(), link.channel->GetLostFrames(), "");
    RCC_CHECK_EQ(a["PhyRxDrop"].all.size(), 0, "");

    uint8_t expected[500];
    uint8_t found[500] = {};
    RccFrame zero = RccFrame();
    zero.bytes = 500;
    zero.payload = 500 - ROCE_OVERHEAD;
    zero.cls = 3;
    zero.psn = 7;
    const uint32_t size = RccWire::Write(zero, 0, expected);
    RCC_CHECK_EQ(b["PhyRxEnd"].all[0]->GetSize(), size, "");
    b["PhyRxEnd"].all[0]->CopyData(found, sizeof found);
    RCC_CHECK(std::memcmp(expected, found, size) == 0, "bytes of the frame");
    RCC_CHECK_EQ(a["PhyRxEnd"].all[0]->GetSize(), PFC_BYTES - RccWire::FCS_BYTES, "");
    a["PhyRxEnd"].all[0]->CopyData(found, sizeof found);
    RCC_CHECK_EQ(found[11], link.b.device->GetNode()->GetId(), "a PFC frame has its sender's address");
}

/// Frames that wait when a link goes down are dropped, at hosts too, and QueueBytes says that none is left.
void
LinkDown()
{
    RccTestStar star;
    star.Build(3, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    PortLog log;
    log.Connect();
    Ptr<RccAlgorithm> none = RccAlgorithm::Create("none");
    star.Send(0, 2, none, 0);
    star.Send(1, 2, none, 0);
    RccRunTo(100000);
    Ptr<QbbNetDevice> out = star.sw->GetPort(2);
    const uint64_t waited = out->GetQueueBytes(3);
    RCC_CHECK_GE(waited, 100 * 1062, "");
    star.Link(2)->TakeDown(RccNow());
    RCC_CHECK_EQ(log.At(out).queue[3], 0, "");
    RCC_CHECK_EQ(log.At(out).dropped, waited / 1062, "");
    RCC_CHECK_EQ(log.At(out).enqueued, log.At(out).dequeued + log.At(out).dropped, "");

    // A host's: answers that its port is told to hold back.
    Ptr<QbbNetDevice> host = star.nics[0]->GetPort(0);
    RccFrame* frame = RccFramePool::Current()->Get();
    frame->bytes = 100;
    frame->cls = 7;
    frame->kind = RccFrameKind::ACK;
    host->Enqueue(frame, RccNow());
    frame = RccFramePool::Current()->Get();
    frame->bytes = 100;
    frame->cls = 7;
    frame->kind = RccFrameKind::ACK;
    host->Enqueue(frame, RccNow()); // behind the first one
    star.Link(0)->TakeDown(RccNow());
    RCC_CHECK_GE(log.At(host).dropped, 1, "");
    RCC_CHECK_EQ(log.At(host).enqueued, log.At(host).dequeued + log.At(host).dropped, "");
}

struct Inputs
{
    std::map<uint32_t, uint64_t> bytes;
    uint64_t broken{0}, cnms{0}, longest{0};

    void Changed(uint32_t port, uint64_t before, uint64_t now)
    {
        broken += bytes[port] != before;
        bytes[port] = now;
        longest = std::max(longest, now);
    }

    void Cnm(uint32_t, const RccFrame&)
    {
        cnms++;
    }
};

void
Cioq()
{
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(10 * G)));
    helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(100)));
    Ptr<Node> node = CreateObject<Node>();
    Ptr<CioqSwitch> sw = helper.InstallCioqSwitch(node);
    std::vector<Ptr<RdmaNic>> nics;
    for (uint32_t i = 0; i < 4; i++)
    {
        Ptr<Node> host = CreateObject<Node>();
        nics.push_back(helper.InstallHost(host));
        helper.Connect(host, node);
        sw->SetRoute(host->GetId(), i);
    }
    Ptr<RccAlgorithm> qcn = RccAlgorithm::Create("qcn");
    sw->SetAlgorithm(qcn);
    RCC_CHECK_EQ(sw->Start(), "", "");
    Inputs inputs;
    PortLog log;
    log.Connect();
    const std::string path = "/NodeList/" + std::to_string(node->GetId()) + "/$ns3::CioqSwitch/";
    Config::ConnectWithoutContext(path + "InputBytes", MakeCallback(&Inputs::Changed, &inputs));
    Config::ConnectWithoutContext(path + "CnmSent", MakeCallback(&Inputs::Cnm, &inputs));
    for (uint32_t i = 0; i < 3; i++)
    {
        const uint32_t qp = RdmaNic::Connect(nics[i], nics[3], qcn, 3);
        nics[i]->Post(qp, 0, MakeNullCallback<void, uint32_t>());
    }
    RccRunTo(2000000);
    RCC_CHECK_EQ(inputs.broken, 0, "");
    RCC_CHECK_GE(inputs.longest, 5000, "");
    for (uint32_t i = 0; i < 4; i++)
    {
        RCC_CHECK_EQ(inputs.bytes[i], sw->GetInputBytes(i), "input " << i);
    }
    RCC_CHECK_GE(inputs.cnms, 1, "");
    RCC_CHECK_EQ(inputs.cnms, sw->GetCnmsSent(), "");

    RccFrame* lost = RccFramePool::Current()->Get();
    lost->bytes = 100;
    lost->cls = 7;
    lost->dst = 123456;
    sw->FrameArrived(1, lost, RccNow());
    RCC_CHECK_EQ(log.At(sw->GetPort(1)).dropped, 1, "no route");
    RCC_CHECK_EQ(sw->GetDroppedPackets(), 1, "");
}

/// A sink that left gets nothing more; one that stays goes on.
void
Disconnect()
{
    RccTestLink link(10 * G, 1000);
    Packets first;
    Packets second;
    Ptr<QbbNetDevice> device = link.a.device;
    device->TraceConnectWithoutContext("Sniffer", MakeCallback(&Packets::Add, &first));
    device->TraceConnectWithoutContext("Sniffer", MakeCallback(&Packets::Add, &second));
    auto send = [&] { link.a.Send(3, 500); };
    RccAt(0, send);
    RccRunTo(10000);
    device->TraceDisconnectWithoutContext("Sniffer", MakeCallback(&Packets::Add, &first));
    RccAt(20000, send);
    RccRunTo(30000);
    device->TraceDisconnectWithoutContext("Sniffer", MakeCallback(&Packets::Add, &second));
    RccAt(40000, send);
    const uint64_t before = Create<Packet>()->GetUid();
    RccRunTo(50000);
    const bool made = !RccTrace<Ptr<const Packet>>::DetectsLastDisconnect();
    RCC_CHECK_EQ(Create<Packet>()->GetUid(), before + 1 + made, "nobody is left who wants a packet");
    RCC_CHECK_EQ(first.all.size(), 1, "");
    RCC_CHECK_EQ(second.all.size(), 2, "");
}

/// Every frame of every port, as one number; and how many events it took.
struct Whole
{
    uint64_t hash{0}, frames{0}, events{0}, fires{0};
};

Whole
RunWhole(const char* algorithm, bool traced)
{
    Whole whole;
    {
        RccTestStar star;
        star.helper.SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        star.Build(6, 10 * G, 1000);
        Ptr<RccAlgorithm> alg = RccAlgorithm::Create(algorithm);
        star.sw->AddMarker(3, alg);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        RccTestHash hash;
        for (uint32_t i = 0; i < 6; i++)
        {
            hash.Watch(star.sw->GetPort(i));
        }
        RccTestFires fires;
        if (traced)
        {
            fires.ConnectAll();
        }
        for (size_t i = 0; i < 5; i++)
        {
            star.Send(i, 5, alg, 0);
            star.Send(i, 5, alg, 300000);
        }
        RccRunTo(10000000); // at 4 ms DCQCN+ has sent 1852 frames
        whole.hash = hash.value;
        whole.frames = hash.frames;
        whole.events = Simulator::GetEventCount();
        whole.fires = fires.total;
    }
    Simulator::Destroy();
    return whole;
}

/// A run has the same frames at the same times, and not one event more, with everything traced.
void
ChangesNothing()
{
    for (const char* name : {"dcqcn", "dcqcn-plus", "qcn", "timely"})
    {
        const Whole with = RunWhole(name, true);
        const Whole without = RunWhole(name, false);
        RCC_CHECK_GE(without.frames, 2000, name);
        RCC_CHECK_EQ(with.frames, without.frames, name);
        RCC_CHECK(with.hash == without.hash, name << ": other frames, or at other times");
        RCC_CHECK_EQ(with.events, without.events, name);
        RCC_CHECK_GE(with.fires, without.frames, name);
    }
}

RccTestSuite g_tracesSuite("rcc-traces", {{"ports", Ports},
                                          {"marks-and-cnms", MarksAndCnms},
                                          {"pause-expires", PauseExpires},
                                          {"real-bytes", RealBytes},
                                          {"link-down", LinkDown},
                                          {"cioq", Cioq},
                                          {"disconnect", Disconnect},
                                          {"changes-nothing", ChangesNothing}});

} // namespace
