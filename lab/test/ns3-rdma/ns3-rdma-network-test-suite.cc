/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Ns3RdmaNetwork: what the keys of ns3-rdma and HPCC files do to a network. */
#include "ns3-rdma-test-net.h"

#include <cmath>

#include "ns3/ns3-rdma-tcp.h"
#include "ns3/rcc-random.h"

using namespace ns3;

namespace
{

/// DATA frames that begin on a port, by class.
struct DataTap : RccTestTap
{
    uint64_t count{0};
    uint64_t ofClass[QBB_CLASSES] = {};

    void Watch(Ptr<QbbNetDevice> port)
    {
        port->AddObserver(this, QBB_OBSERVE_FRAMES);
    }

    void Tap(const RccFrame* f, bool received, int64_t) override
    {
        if (!received && f->kind == RccFrameKind::DATA)
        {
            count++;
            ofClass[f->cls]++;
        }
    }
};

void
LinkDown()
{
    // 30 MB from host 0 to host 1 take 2.5 ms; the way they take fails after 1 ms.
    for (uint32_t failing : {3u, 4u})
    {
        Ns3RdmaTest t = Ns3RdmaTest::Diamond().Flow(0, 1, 30000000);
        t.config.linkDown = true;
        t.config.linkDownAt = 1000000;
        t.config.linkDownA = failing;
        t.config.linkDownB = 5;
        Ns3RdmaTestNet run(t);
        const auto way = run.net.GetPath(0, 1);
        DataTap ways[2];
        ways[0].Watch(run.net.GetPort(2, 2));
        ways[1].Watch(run.net.GetPort(2, 3));
        RccRunTo(999999);
        const bool hit = ways[failing - 3].count > 0;
        const uint64_t before = ways[failing - 3].count;
        RccRunTo(1000000);
        RCC_CHECK(!run.net.GetChannel(failing + 1)->GetDevice(0)->IsLinkUp(), "down");
        RccRunTo(1000000000);
        run.CheckDone(30000);
        RCC_CHECK_LE(ways[failing - 3].count, before + 1, "nothing more this way");
        RCC_CHECK_EQ(run.net.GetLostFrames() + run.net.GetSwitch(failing)->GetDroppedPackets() > 0, hit,
                     "what was on it is lost");
        Simulator::Destroy();
    }
}

/// Pauses of a link that fails leave nothing paused, and a switch without a way drops.
void
LinkDownPaused()
{
    Ns3RdmaTest t({false, false, true, true, false});
    t.Link(0, 2).Link(2, 3).Link(3, 1, 10).Link(4, 2).Flow(0, 1, 0);
    t.config.bufferSize = 1000000;
    t.config.linkDown = true;
    t.config.linkDownAt = 2000000;
    t.config.linkDownA = 2;
    t.config.linkDownB = 3;
    Ns3RdmaTestNet run(t);
    RccRunTo(1900000);
    RCC_CHECK_GE(run.net.GetPort(2, 2)->GetCounters().pausesReceived, 1, "the slow link pushes back");
    RCC_CHECK_GE(run.net.GetPort(2, 2)->GetQueueBytesTotal(), 1000, "something waits there");
    RccRunTo(2000001);
    RCC_CHECK_EQ(run.net.GetPort(2, 2)->GetPausedClasses(), 0, "nothing is paused on a dead link");
    RCC_CHECK_EQ(run.net.GetPort(2, 2)->GetQueueBytesTotal(), 0, "nothing waits there");
    RccRunTo(4000000);
    RCC_CHECK_EQ(run.net.GetPort(0, 1)->GetPausedClasses(), 0, "the sender is not stalled");
    RCC_CHECK_EQ(run.net.GetSwitch(2)->GetMmu().used, 0, "no buffer leaks");
    RCC_CHECK_EQ(run.net.GetSwitch(3)->GetMmu().used, 0, "no buffer leaks");
    RCC_CHECK_GE(run.net.GetSwitch(2)->GetDroppedPackets(), 1000, "what has no way is dropped");
}

/// As many as RccDraw says, data frames only, and go-back-N and timeouts bring all of it.
void
ErrorRate()
{
    const double p = 0.01;
    Ns3RdmaTest t({false, false, true});
    t.Link(0, 2).Link(1, 2, 100, 1000, p).Flow(0, 1, 5000000).Flow(1, 0, 3000000);
    t.config.errorRate = 0;
    Ns3RdmaTestNet run(t, 7);
    DataTap taps[2];
    taps[0].Watch(run.net.GetPort(1, 1)); // end 0 of the link
    taps[1].Watch(run.net.GetPort(2, 2));
    RccRunTo(1000000000);
    run.CheckDone(8000);
    const auto limit = static_cast<uint64_t>(p * 4294967296.0 + 0.5);
    uint64_t lost = 0;
    for (uint64_t end = 0; end < 2; end++)
    {
        const uint64_t stream = RccMix(RccStreamOf(7, RccStream::LINK_ERROR, 1) ^ end);
        for (uint64_t i = 0; i < taps[end].count; i++)
        {
            lost += RccDraw(stream, i) < limit;
        }
    }
    RCC_CHECK_EQ(run.net.GetChannel(1)->GetLostFrames(), lost, "frames lost");
    RCC_CHECK_EQ(run.net.GetChannel(0)->GetLostFrames(), 0, "the other link");
    RCC_CHECK_NEAR(lost, p * static_cast<double>(taps[0].count + taps[1].count), 60, "five sigma");
}

void
BackToZero()
{
    // The 70th data frame is lost once: the chunk of 64 that it is in comes again, and no more.
    Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 100000);
    t.config.chunk = 64000;
    t.config.ackInterval = 256;
    for (bool zero : {false, true})
    {
        t.config.backToZero = zero;
        Ns3RdmaTestNet run(t);
        RccTestLoss once(
            [&](const RccFrame& f) { return once.lost == 0 && f.kind == RccFrameKind::DATA && f.psn == 69; });
        run.net.GetChannel(0)->SetDisturbance(&once);
        RccRunTo(1000000000);
        run.CheckDone(100);
        const RdmaNicCounters& c = run.net.GetNic(1)->GetCounters();
        RCC_CHECK_EQ(c.packetsSent, zero ? 100 + 36 : 100 + 31, "sent again"); // all had left: 4 us are 47 packets
        RCC_CHECK_EQ(c.timeouts, 0, "timeouts");
        Simulator::Destroy();
    }
}

void
EcmpPerPacket()
{
    for (bool perPacket : {false, true})
    {
        Ns3RdmaTest t = Ns3RdmaTest::Diamond().Flow(0, 1, 4000000);
        t.config.packetEcmp = perPacket;
        Ns3RdmaTestNet run(t);
        DataTap ways[2];
        ways[0].Watch(run.net.GetPort(2, 2));
        ways[1].Watch(run.net.GetPort(2, 3));
        RccRunTo(1000000000);
        run.CheckDone(4000);
        const double sum = static_cast<double>(ways[0].count + ways[1].count);
        const auto least = static_cast<double>(std::min(ways[0].count, ways[1].count));
        if (perPacket)
        {
            RCC_CHECK_NEAR(least, sum / 2, 5 * std::sqrt(sum) / 2, "both ways alike");
        }
        else
        {
            RCC_CHECK_EQ(least, 0, "one way");
            RCC_CHECK_EQ(sum, 4000, "each packet once");
        }
        Simulator::Destroy();
    }
}

/// Payload in flight of a queue pair at each packet that leaves.
struct InFlight : RccTestTap
{
    Ptr<RdmaNic> nic;
    uint64_t most{0}, over{0};
    uint64_t window{0}; //!< to compare with, times rate / line if it varies
    uint64_t line{0};

    void Tap(const RccFrame* f, bool received, int64_t) override
    {
        if (received || f->kind != RccFrameKind::DATA)
        {
            return;
        }
        const RdmaSendQp& qp = nic->GetSendQp(f->srcQp);
        const uint64_t before = (qp.tx.next - 1 - qp.tx.una) * 1000;
        most = std::max(most, before + 1000);
        if (line)
        {
            const double share = static_cast<double>(nic->GetRate(f->srcQp)) / static_cast<double>(line);
            over += static_cast<double>(before) > share * static_cast<double>(window) + 1;
        }
    }
};

void
Windows()
{
    // 100 Gb/s, two links of 1 us: rtt = 2 x 2000 + 2 x 80 ns; BDP = 4160 x 12.5 = 52000 bytes, the far pair's 152000
    Ns3RdmaTest t = Ns3RdmaTest::Star(3).Link(0, 4, 100, 5000).Flow(1, 2, 1000000).Flow(3, 2, 1000000);
    t.topology.isSwitch.push_back(false);
    t.config.hasWindow = true;
    for (uint32_t ackEvery : {1u, 64u})
    {
        for (bool global : {false, true})
        {
            t.config.globalWindow = global;
            t.config.ackInterval = ackEvery;
            Ns3RdmaTestNet run(t);
            RCC_CHECK_EQ(run.net.GetPair(1, 2).Bdp(), 52000, "of a pair, by hand");
            RCC_CHECK_EQ(run.net.GetMaxBdp(), 152000, "of all pairs, by hand");
            InFlight in;
            in.nic = run.net.GetNic(1);
            run.net.GetPort(1, 1)->AddObserver(&in, QBB_OBSERVE_FRAMES);
            RccRunTo(1000000000);
            run.CheckDone(2000);
            RCC_CHECK_EQ(in.most, global ? 152000 : 52000, "two senders fill the window and go no further");
            RCC_CHECK_EQ(run.net.GetNic(1)->GetCounters().timeouts, 0, "no stall");
            Simulator::Destroy();
        }
    }
}

void
VariableWindow()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(5);
    for (uint32_t i = 1; i < 5; i++)
    {
        t.Flow(i, 5, 3000000);
    }
    t.config.cc = "dcqcn";
    t.config.kmin = {{0, 5000}};
    t.config.kmax = {{0, 50000}};
    t.config.hasWindow = t.config.variableWindow = true;
    t.config.ackInterval = 64;
    Ns3RdmaTestNet run(t);
    InFlight in;
    in.nic = run.net.GetNic(1);
    in.window = 52000;
    in.line = 100000000000;
    run.net.GetPort(1, 1)->AddObserver(&in, QBB_OBSERVE_FRAMES);
    RccRunTo(1000000000);
    run.CheckDone(12000);
    RCC_CHECK_EQ(in.over, 0, "packets beyond window x rate / line rate");
    RCC_CHECK_GE(run.net.GetNic(1)->GetCounters().cnpsReceived, 1, "the rate did change");
}

void
ThresholdsByRate()
{
    Ns3RdmaTest t({true, false, false, true});
    t.Link(0, 1, 25).Link(3, 2, 100).Link(0, 3, 400).Flow(1, 2, 100000);
    t.config.cc = "dcqcn";
    t.config.kmin = {{25000000000, 100000}, {100000000000, 400000}, {400000000000, 1600000}};
    t.config.kmax = {{25000000000, 400000}, {100000000000, 1600000}, {400000000000, 6400000}};
    t.config.pmax = {{0, 200000000}};
    {
        Ptr<RccAlgorithm> dcqcn = RccAlgorithm::Create("dcqcn");
        Ns3RdmaNetwork net(t.config, t.topology);
        net.SetAlgorithm(dcqcn);
        RCC_CHECK_EQ(net.Build(t.flows), "", "");
        RCC_CHECK_EQ(dcqcn->GetParameterAt(25000000000, "kmin"), 100000, "");
        RCC_CHECK_EQ(dcqcn->GetParameterAt(400000000000, "kmax"), 6400000, "");
        RCC_CHECK_EQ(dcqcn->GetParameterAt(100000000000, "pmax"), 200000000, "rate 0: every rate");
        RCC_CHECK_EQ(dcqcn->GetParameter("kmin"), 5000, "that of other rates");
    }
    t.config.kmax.pop_back();
    Ns3RdmaNetwork net(t.config, t.topology);
    RCC_CHECK_EQ(net.Build(t.flows),
                 "config.txt:1: KMAX_MAP: found no entry for 400Gbps, expected one: topology.txt:5 has such a link at "
                 "a switch",
                 "");
}

/// Two ports of one switch mark each at its own rate's threshold.
void
MarksByRate()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(2, 100).Link(0, 3, 25).Link(0, 4, 50).Flow(1, 3, 400000).Flow(2, 4, 400000);
    t.topology.isSwitch.resize(5);
    t.config.cc = "dcqcn";
    t.config.kmin = t.config.kmax = {{25000000000, 50000}, {50000000000, 1000000}, {100000000000, 1000000}};
    t.config.bufferSize = 9000000;
    Ns3RdmaTestNet run(t);
    RccRunTo(100000000);
    run.CheckDone(800);
    RCC_CHECK_GE(run.net.GetNic(3)->GetCounters().packetsMarked, 1, "a queue above 50 KB at 25 Gb/s");
    RCC_CHECK_EQ(run.net.GetNic(4)->GetCounters().packetsMarked, 0, "the same below 1 MB at 50 Gb/s");
    Simulator::Destroy();
    t.config.ecn = false;
    Ns3RdmaTestNet off(t);
    RccRunTo(100000000);
    RCC_CHECK_EQ(off.net.GetNic(3)->GetCounters().packetsMarked, 0, "ENABLE_QCN 0");
}

void
ClassOfPriorityGroup()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(3, 40).Flow(1, 3, 2000000, 0, 1).Flow(2, 3, 1000000, 0, 7).Flow(2, 3, 1000, 0, 0);
    t.config.bufferSize = 500000;
    Ns3RdmaTestNet run(t);
    DataTap tap;
    tap.Watch(run.net.GetPort(0, 3));
    RccRunTo(100000000);
    run.CheckDone(3001);
    RCC_CHECK_EQ(tap.ofClass[1], 2000, "pg 1");
    RCC_CHECK_EQ(tap.ofClass[7], 1000, "pg 7");
    RCC_CHECK_EQ(tap.ofClass[0], 1, "pg 0");
    RCC_CHECK_EQ(run.net.GetPort(0, 1)->GetControlClass(), 6, "control has a class without data");
    RCC_CHECK_GE(run.net.GetPort(0, 1)->GetCounters().pausesSent, 1, "pg 1 is lossless");
    RCC_CHECK_GE(run.net.GetPort(0, 2)->GetCounters().pausesSent, 1, "pg 7 is lossless");
}

/// Without SetAlgorithm a network has that of the configuration, with the parameters that the keys set.
void
ConfiguredAlgorithm()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 1000);
    t.config.cc = "dcqcn";
    t.config.preset = "hpcc";
    t.config.parameters = {{"timer", 900000}, {"clamp_target", 1}};
    Ns3RdmaNetwork net(t.config, t.topology);
    RCC_CHECK_EQ(net.Build(t.flows), "", "");
    const Ptr<RccAlgorithm> algorithm = net.GetQueuePair(t.flows[0]).algorithm;
    RCC_CHECK_EQ(algorithm->GetParameter("timer"), 900000, "ns");
    RCC_CHECK_EQ(algorithm->GetParameter("clamp_target"), 1, "yes");
    t.config.parameters = {{"timer", 0}};
    Ns3RdmaNetwork other(t.config, t.topology);
    RCC_CHECK_EQ(other.Build(t.flows), "dcqcn.timer is '0s', expected 1us to 10s", "");
}

/// The port that takes longest, and the paths that the flows really take.
void
Load()
{
    Ns3RdmaTest t = Ns3RdmaTest::Diamond().Flow(0, 1, 1000000).Flow(0, 1, 3000000).Flow(1, 0, 2000000);
    t.topology.links[1].rate = 25000000000;
    Ns3RdmaTestNet run(t);
    LabLoad load(run.net.GetPaths(), 1, t.config.stop);
    uint64_t ways[2] = {};
    for (const auto& f : t.flows)
    {
        const auto path = load.Add(LabLoadFlow{f.src, f.dst, f.bytes, f.start, f.stop});
        RCC_CHECK_EQ(path.size(), 4, "host, three switches");
        ways[path[1].port - 1] += f.src == 0 ? f.bytes / 1000 : 0;
    }
    const auto busiest = load.GetBusiestPort();
    RCC_CHECK_EQ(run.net.GetPaths().PortName(busiest.node, busiest.port), "switch 5 interface 1 to host 1",
                 "4 MB at 25 Gb/s");
    DataTap taps[2];
    taps[0].Watch(run.net.GetPort(2, 2));
    taps[1].Watch(run.net.GetPort(2, 3));
    RccRunTo(100000000);
    run.CheckDone(6000);
    RCC_CHECK_EQ(taps[0].count, ways[0], "packets by switch 3");
    RCC_CHECK_EQ(taps[1].count, ways[1], "packets by switch 4");
}

/// In one network, a class has one marker of each kind; every flow ends, and gets the feedback of its kind only.
void
SeveralAlgorithms()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(6);
    t.config.cc = "dcqcn";
    t.config.kmin = {{0, 5000}};
    t.config.kmax = {{0, 200000}};
    const char* names[] = {"", "dcqcn-plus", "qcn", "timely", "none"};
    for (uint32_t i = 1; i <= 5; i++)
    {
        t.Flow(i, 6, 5000000, 0, 3, names[i - 1]);
    }
    Ns3RdmaTestNet run(t);
    RccRunTo(400000000);
    run.CheckDone(25000);
    RCC_CHECK_GE(run.net.GetNic(1)->GetCounters().cnpsReceived, 1, "dcqcn");
    RCC_CHECK_GE(run.net.GetNic(2)->GetCounters().cnpsReceived, 1, "dcqcn-plus");
    RCC_CHECK_GE(run.net.GetNic(3)->GetCounters().cnmsReceived, 1, "qcn");
    RCC_CHECK_EQ(run.net.GetNic(3)->GetCounters().cnpsReceived, 0, "qcn has no CNP");
    for (uint32_t host : {4u, 5u})
    {
        const RdmaNicCounters& c = run.net.GetNic(host)->GetCounters();
        RCC_CHECK_EQ(c.cnpsReceived + c.cnmsReceived, 0, names[host - 1] << " is not ECN-capable");
    }
    Simulator::Destroy();
    t.Flow(1, 2, 1000, 0, 3, "bbr");
    Ns3RdmaNetwork net(t.config, t.topology);
    const std::string why = net.Build(t.flows);
    RCC_CHECK(why.find("flow of line 7: unknown algorithm 'bbr', expected one of ") == 0, why);
}

/// A host on two switches uses the nearer one, and the other when the link fails.
void
DualHomed()
{
    Ns3RdmaTest t({true, false, true, false, false});
    t.Link(1, 0).Link(1, 2).Link(0, 2).Link(3, 0).Link(4, 2);
    for (int i = 0; i < 16; i++)
    {
        t.Flow(1, 3, 2000000).Flow(4, 1, 1000000);
    }
    t.config.linkDown = true;
    t.config.linkDownAt = 1000000;
    t.config.linkDownA = 0;
    t.config.linkDownB = 1;
    Ns3RdmaTestNet run(t);
    DataTap near;
    DataTap far;
    near.Watch(run.net.GetPort(1, 1));
    far.Watch(run.net.GetPort(1, 2));
    RccRunTo(999000);
    RCC_CHECK_EQ(far.count, 0, "the long way is not taken");
    RCC_CHECK_GE(near.count, 1000, "the short way is");
    RccRunTo(1000000000);
    run.CheckDone(16 * 3000);
    RCC_CHECK_GE(far.count, 1000, "the other way after the failure");
}

/// Two hosts without a switch, and what input Build refuses.
void
Input()
{
    {
        Ns3RdmaTest t({false, false});
        t.Link(0, 1).Flow(0, 1, 10000);
        Ns3RdmaTestNet run(t);
        RccRunTo(10000000);
        run.CheckDone(10);
        Simulator::Destroy();
    }
    const auto why = [](const Ns3RdmaTest& t) {
        Ns3RdmaNetwork net(t.config, t.topology);
        const std::string text = net.Build(t.flows);
        Simulator::Destroy();
        return text;
    };
    RCC_CHECK_EQ(why(Ns3RdmaTest::Star(2).Flow(0, 1, 1)), "flow.txt:2: node 0 is a switch, expected a host", "");
    RCC_CHECK_EQ(why(Ns3RdmaTest::Star(2).Flow(3, 1, 1)), "flow.txt:2: node 3 does not exist, expected a host", "");
    RCC_CHECK_EQ(why(Ns3RdmaTest::Star(2).Flow(1, 1, 1)), "flow.txt:2: host 1 sends to itself", "");
    Ns3RdmaTest islands({false, true, true, false});
    islands.Link(0, 1).Link(2, 3).Flow(0, 3, 1);
    RCC_CHECK_EQ(why(islands),
                 "flow.txt:2: flow 1 (src 0, dst 3): found no path from 0 to 3, expected one through the switches of "
                 "topology.txt; hosts do not forward: write a GPU that does as a switch with a host behind it",
                 "");
    Ns3RdmaTest small = Ns3RdmaTest::Star(4, 100, 10000).Flow(1, 2, 1);
    small.config.bufferSize = 1000000; // 4 x 3 x 125000 bytes of headroom
    const std::string text = why(small);
    RCC_CHECK(text.find("switch 0: ") == 0 && text.find("takes 1500000 bytes") != std::string::npos, text);
    RCC_CHECK(text.find("; that simulator reserves 3 x delay x rate for each port; expected --buffer=2MiB or more, "
                        "BUFFER_SIZE 2") != std::string::npos,
              text);
    small.config.bufferSize = 2 << 20;
    RCC_CHECK_EQ(why(small), "", "what the hint says");
}

/// What a program's own files say of links and packets that no network can have: a reader refuses them too.
void
WrongFiles()
{
    const std::pair<void (*)(Ns3RdmaTest&), const char*> wrong[] = {
        {[](Ns3RdmaTest& t) { t.Link(0, 3); }, "topology.txt:5: node: found 3, expected less than 3"},
        {[](Ns3RdmaTest& t) { t.Link(UINT32_MAX, 1); }, "topology.txt:5: node: found 4294967295, expected less than 3"},
        {[](Ns3RdmaTest& t) { t.Link(1, 1); }, "topology.txt:5: link: found node 1 twice, expected two nodes"},
        {[](Ns3RdmaTest& t) { t.Link(1, 2, 0); }, "topology.txt:5: rate: found 0bps, expected 1Mbps to 16Tbps"},
        {[](Ns3RdmaTest& t) { t.Link(1, 2, 100, -1); }, "topology.txt:5: delay: found -1ns, expected 0s to 1s"},
        {[](Ns3RdmaTest& t) { t.Link(1, 2, 100, 0, 2); },
         "topology.txt:5: error rate: found 2.000000, expected 0 to 1"},
        {[](Ns3RdmaTest& t) { t.config.payload = 0; },
         "config.txt:1: PACKET_PAYLOAD_SIZE: found 0, expected 1 or more"},
        {[](Ns3RdmaTest& t) {
             t.config.cc = "dcqcn";
             t.config.kmin = {{0, 1030}};
             t.config.kmax = {{0, 1030000000000}};
             t.config.lines["KMAX_MAP"] = 7;
         },
         "config.txt:7: KMAX_MAP: dcqcn.kmax is '1030GB', expected 0B to 1GB"}};
    for (const auto& w : wrong)
    {
        Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 1);
        w.first(t);
        Ns3RdmaNetwork net(t.config, t.topology);
        RCC_CHECK_EQ(net.Build(t.flows), w.second, "");
        Simulator::Destroy();
    }
}

void
StaticThreshold()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(3).Flow(1, 3, 1000000).Flow(2, 3, 1000000);
    t.config.dialect = Ns3RdmaDialect::ORIGINAL;
    t.config.dynamicPfc = false;
    Ns3RdmaTestNet run(t);
    RCC_CHECK_EQ(rcc_mmu_threshold(&run.net.GetSwitch(0)->GetMmu()), 20 * 1030, "that of the simulator");
    RCC_CHECK_EQ(run.net.GetSwitch(0)->GetMmu().pool, 4000 * 1030, "its pool");
    RccRunTo(100000000);
    run.CheckDone(2000);
    RCC_CHECK_GE(run.net.GetPort(0, 1)->GetCounters().pausesSent, 1, "more than 20 KB waited");
}

/// The HPCC paper's fat tree: every pair has a way, of the right length, and the largest BDP is that by hand.
void
FatTree()
{
    Ns3RdmaTest t = Ns3RdmaTest::FatTree();
    Ns3RdmaNetwork net(t.config, t.topology);
    RCC_CHECK_EQ(net.Build({}), "", "");
    for (uint32_t src = 0; src < 320; src += 7)
    {
        for (uint32_t dst = 0; dst < 320; dst++)
        {
            const size_t links = src == dst ? 0 : src / 16 == dst / 16 ? 2 : src / 64 == dst / 64 ? 4 : 6;
            RCC_CHECK_EQ(net.GetPath(src, dst).size(), links, src << " to " << dst);
        }
    }
    // 2 x 6 us, 2 x 80 ns at 100 Gb/s and 4 x 20 ns at 400 Gb/s; 12.5 bytes per ns
    RCC_CHECK_EQ(net.GetMaxBdp(), 12240 * 125 / 10, "");
}

/// TCP_FLOW_FILE: every byte arrives beside a queue pair that fills the link, and neither starves.
void
TcpFlows()
{
    Ns3RdmaTest t({false, false, false, true});
    t.Link(0, 3, 10).Link(1, 3, 10).Link(2, 3, 10).Flow(0, 2, 1000000000);
    t.config.cc = "dcqcn";
    Ns3RdmaTestNet run(t);
    Ns3RdmaFlow tcp;
    tcp.src = 1;
    tcp.dst = 2;
    tcp.pg = 1;
    tcp.bytes = 2000000; // ns-3's TCP of 2020 needs 60 ms for twice as much
    tcp.start = 1000000;
    Ns3RdmaFlow endless = tcp;
    endless.src = 2;
    endless.dst = 1;
    endless.bytes = 0;
    endless.stop = 20000000;
    Ns3RdmaTcp flows;
    flows.Install(run.net, {tcp, endless});
    RccRunTo(60000000);
    RCC_CHECK_EQ(flows.GetDelivered(0), 2000000, "bytes of the flow that ends");
    RCC_CHECK_GE(flows.GetCompletionTime(0), 1600000, "no sooner than the link allows");
    RCC_CHECK_EQ(flows.GetCompletionTime(1), -1, "the other one has no end");
    RCC_CHECK_GE(flows.GetDelivered(1), 1000000, "bytes of the flow that is stopped");
    RCC_CHECK_LE(flows.GetDelivered(1), 19000000 * 10 / 8 + (4 << 20),
                 "19 ms of the link, and what its socket held then");
    // TCP is owed half of the link while it sends: what is left of 60 ms is RDMA's
    RCC_CHECK_GE(run.net.GetNic(2)->GetCounters().payloadDelivered, 40000000, "bytes of the queue pair");
    RCC_CHECK_EQ(run.net.GetSwitch(3)->GetDroppedPackets(3), 0, "RDMA packets lost");
    Simulator::Destroy();
}

RccTestSuite g_ns3RdmaNetworkSuite("ns3-rdma-network", {{"link down", LinkDown},
                                                        {"link down while paused", LinkDownPaused},
                                                        {"error rate", ErrorRate},
                                                        {"back to zero", BackToZero},
                                                        {"ECMP per packet", EcmpPerPacket},
                                                        {"windows", Windows},
                                                        {"variable window", VariableWindow},
                                                        {"thresholds by rate", ThresholdsByRate},
                                                        {"marks by rate", MarksByRate},
                                                        {"class of a priority group", ClassOfPriorityGroup},
                                                        {"algorithm of the configuration", ConfiguredAlgorithm},
                                                        {"load", Load},
                                                        {"several algorithms", SeveralAlgorithms},
                                                        {"TCP flows", TcpFlows},
                                                        {"dual-homed host", DualHomed},
                                                        {"input", Input},
                                                        {"wrong files", WrongFiles},
                                                        {"static threshold", StaticThreshold},
                                                        {"fat tree", FatTree}});

} // namespace
