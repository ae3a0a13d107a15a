/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Keys of ns3-rdma and HPCC files, as records of a run file, and their effects on a network. */
#include "lab-json.h"
#include "lab-program.h"
#include "ns3-rdma-test-net.h"
#include "run-file-reader.h"

#include "ns3/rcc-random.h"

#include <cmath>
#include <cstdlib>

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
        Ns3RdmaTestNet run(t.LinkDown(1000000, failing, 5));
        DataTap ways[2];
        ways[0].Watch(run.Port(2, 2));
        ways[1].Watch(run.Port(2, 3));
        RccRunTo(999999);
        const bool hit = ways[failing - 3].count > 0;
        const uint64_t before = ways[failing - 3].count;
        RccRunTo(1000000);
        RCC_CHECK(!run.paths.GetChannel(failing + 1)->GetDevice(0)->IsLinkUp(), "down");
        RccRunTo(1000000000);
        run.CheckDone(30000);
        RCC_CHECK_LE(ways[failing - 3].count, before + 1, "nothing more this way");
        RCC_CHECK_EQ(run.paths.GetLostFrames() + run.Switch(failing)->GetDroppedPackets() > 0, hit,
                     "what was on it is lost");
    }
}

/// Pauses of a link that fails leave nothing paused, and a switch without a way drops.
void
LinkDownPaused()
{
    Ns3RdmaTest t({false, false, true, true, false});
    t.Link(0, 2).Link(2, 3).Link(3, 1, 10).Link(4, 2).Flow(0, 1, 0);
    Ns3RdmaTestNet run(t.LinkDown(2000000, 2, 3).Set("QbbSwitch", "BufferSize", "1000000"));
    RccRunTo(1900000);
    RCC_CHECK_GE(run.Port(2, 2)->GetCounters().pausesReceived, 1, "the slow link pushes back");
    RCC_CHECK_GE(run.Port(2, 2)->GetQueueBytesTotal(), 1000, "something waits there");
    RccRunTo(2000001);
    RCC_CHECK_EQ(run.Port(2, 2)->GetPausedClasses(), 0, "nothing is paused on a dead link");
    RCC_CHECK_EQ(run.Port(2, 2)->GetQueueBytesTotal(), 0, "nothing waits there");
    RccRunTo(4000000);
    RCC_CHECK_EQ(run.Port(0, 1)->GetPausedClasses(), 0, "the sender is not stalled");
    RCC_CHECK_EQ(run.Switch(2)->GetMmu().used, 0, "no buffer leaks");
    RCC_CHECK_EQ(run.Switch(3)->GetMmu().used, 0, "no buffer leaks");
    RCC_CHECK_GE(run.Switch(2)->GetDroppedPackets(), 1000, "what has no way is dropped");
}

/// As many as RccDraw says, data frames only, and go-back-N and timeouts bring all of it.
void
ErrorRate()
{
    const double p = 0.01;
    Ns3RdmaTest t({false, false, true});
    t.Link(0, 2).Link(1, 2, 100, 1000, p).Flow(0, 1, 5000000).Flow(1, 0, 3000000);
    Ns3RdmaTestNet run(t, 7);
    DataTap taps[2];
    taps[0].Watch(run.Port(1, 1)); // end 0 of the link
    taps[1].Watch(run.Port(2, 2));
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
    RCC_CHECK_EQ(run.paths.GetChannel(1)->GetLostFrames(), lost, "frames lost");
    RCC_CHECK_EQ(run.paths.GetChannel(0)->GetLostFrames(), 0, "the other link");
    RCC_CHECK_NEAR(lost, p * static_cast<double>(taps[0].count + taps[1].count), 60, "five sigma");
}

void
BackToZero()
{
    // The 70th data frame is lost once: the chunk of 64 that it is in comes again, and no more.
    Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 100000);
    t.Set("RdmaNic", "ChunkPackets", "64").Set("RdmaNic", "AckEvery", "256");
    for (bool zero : {false, true})
    {
        t.Set("RdmaNic", "BackToZero", zero ? "true" : "false");
        Ns3RdmaTestNet run(t);
        RccTestLoss once(
            [&](const RccFrame& f) { return once.lost == 0 && f.kind == RccFrameKind::DATA && f.psn == 69; });
        run.paths.GetChannel(0)->SetDisturbance(&once);
        RccRunTo(1000000000);
        run.CheckDone(100);
        const RdmaNicCounters& c = run.Nic(1)->GetCounters();
        RCC_CHECK_EQ(c.packetsSent, zero ? 100 + 36 : 100 + 31, "sent again"); // all had left: 4 us are 47 packets
        RCC_CHECK_EQ(c.timeouts, 0, "timeouts");
    }
}

void
EcmpPerPacket()
{
    for (bool perPacket : {false, true})
    {
        Ns3RdmaTest t = Ns3RdmaTest::Diamond().Flow(0, 1, 4000000);
        t.Set("QbbSwitch", "EcmpPerPacket", perPacket ? "true" : "false");
        Ns3RdmaTestNet run(t);
        DataTap ways[2];
        ways[0].Watch(run.Port(2, 2));
        ways[1].Watch(run.Port(2, 3));
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
    Ns3RdmaTest t = Ns3RdmaTest::Star(3).Node(RunNodeKind::HOST).Link(0, 4, 100, 5000);
    t.Flow(1, 2, 1000000).Flow(3, 2, 1000000);
    for (uint32_t ackEvery : {1u, 64u})
    {
        for (bool global : {false, true})
        {
            t.Windows(global ? RunWindow::MAX_BDP : RunWindow::BDP)
                .Set("RdmaNic", "AckEvery", std::to_string(ackEvery));
            Ns3RdmaTestNet run(t);
            RCC_CHECK_EQ(run.paths.GetPair(1, 2).Bdp(), 52000, "of a pair, by hand");
            RCC_CHECK_EQ(run.paths.GetMaxBdp(), 152000, "of all pairs, by hand");
            InFlight in;
            in.nic = run.Nic(1);
            run.Port(1, 1)->AddObserver(&in, QBB_OBSERVE_FRAMES);
            RccRunTo(1000000000);
            run.CheckDone(2000);
            RCC_CHECK_EQ(in.most, global ? 152000 : 52000, "two senders fill the window and go no further");
            RCC_CHECK_EQ(run.Nic(1)->GetCounters().timeouts, 0, "no stall");
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
    t.Algorithm("dcqcn", {{"kmin", 5000}, {"kmax", 50000}})
        .Windows(RunWindow::MAX_BDP, true)
        .Set("RdmaNic", "AckEvery", "64");
    Ns3RdmaTestNet run(t);
    InFlight in;
    in.nic = run.Nic(1);
    in.window = 52000;
    in.line = 100000000000;
    run.Port(1, 1)->AddObserver(&in, QBB_OBSERVE_FRAMES);
    RccRunTo(1000000000);
    run.CheckDone(12000);
    RCC_CHECK_EQ(in.over, 0, "packets beyond window x rate / line rate");
    RCC_CHECK_GE(run.Nic(1)->GetCounters().cnpsReceived, 1, "the rate did change");
}

void
ThresholdsByRate()
{
    Ns3RdmaTest t({true, false, false, true});
    t.Link(0, 1, 25).Link(3, 2, 100).Link(0, 3, 400).Flow(1, 2, 100000).Algorithm("dcqcn");
    Ns3RdmaTestNet run(t.At(25, "kmin", 100000).At(400, "kmax", 6400000));
    const Ptr<RccAlgorithm> dcqcn = run.made.GetAlgorithm(0);
    RCC_CHECK_EQ(dcqcn->GetParameterAt(25 * G, "kmin"), 100000, "");
    RCC_CHECK_EQ(dcqcn->GetParameterAt(400 * G, "kmax"), 6400000, "");
    RCC_CHECK_EQ(dcqcn->GetParameter("kmin"), 5000, "that of other rates");
}

/// Two ports of one switch mark each at its own rate's threshold.
void
MarksByRate()
{
    for (bool marks : {true, false})
    {
        Ns3RdmaTest t = Ns3RdmaTest::Star(2).Node(RunNodeKind::HOST).Node(RunNodeKind::HOST);
        t.Link(0, 3, 25).Link(0, 4, 50).Flow(1, 3, 400000).Flow(2, 4, 400000).Algorithm("dcqcn");
        for (const auto& entry : {std::make_pair(25, 50000), std::make_pair(50, 1000000), std::make_pair(100, 1000000)})
        {
            const auto gbps = static_cast<uint64_t>(entry.first);
            t.At(gbps, "kmin", entry.second).At(gbps, "kmax", entry.second);
        }
        t.file.markers.resize(marks ? 1 : 0);
        Ns3RdmaTestNet run(t.Set("QbbSwitch", "BufferSize", "9000000"));
        RccRunTo(100000000);
        run.CheckDone(800);
        const uint64_t marked = run.Nic(3)->GetCounters().packetsMarked;
        RCC_CHECK_EQ(marked > 0, marks, "a queue above 50 KB at 25 Gb/s, with a congestion point");
        RCC_CHECK_EQ(run.Nic(4)->GetCounters().packetsMarked, 0, "the same below 1 MB at 50 Gb/s");
    }
}

void
ClassOfPriorityGroup()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(3, 40).Flow(1, 3, 2000000, 0, 1).Flow(2, 3, 1000000, 0, 7).Flow(2, 3, 1000, 0, 0);
    for (const char* type : {"RdmaNic", "QbbNetDevice", "QbbSwitch"})
    {
        t.Set(type, "ControlClass", "6");
    }
    Ns3RdmaTestNet run(t.Set("QbbSwitch", "BufferSize", "500000"));
    DataTap tap;
    tap.Watch(run.Port(0, 3));
    RccRunTo(100000000);
    run.CheckDone(3001);
    RCC_CHECK_EQ(tap.ofClass[1], 2000, "pg 1");
    RCC_CHECK_EQ(tap.ofClass[7], 1000, "pg 7");
    RCC_CHECK_EQ(tap.ofClass[0], 1, "pg 0");
    RCC_CHECK_GE(run.Port(0, 1)->GetCounters().pausesSent, 1, "pg 1 is lossless");
    RCC_CHECK_GE(run.Port(0, 2)->GetCounters().pausesSent, 1, "pg 7 is lossless");
}

/// The run's algorithm has the parameters of its record, and those that it cannot have are refused.
void
ConfiguredAlgorithm()
{
    Ns3RdmaTest t =
        Ns3RdmaTest::Star(2).Flow(1, 2, 1000).Algorithm("dcqcn-nic", {{"timer", 900000}, {"clamp_target", 1}});
    {
        Ns3RdmaTestNet run(t);
        RCC_CHECK_EQ(run.made.GetAlgorithm(0)->GetParameter("timer"), 900000, "ns");
        RCC_CHECK_EQ(run.made.GetAlgorithm(0)->GetParameter("clamp_target"), 1, "yes");
    }
    t.file.algorithms[0].fields = {{"timer", 0}};
    RCC_CHECK_EQ(Ns3RdmaTestNet::WhyNot(t), "timer algorithm: dcqcn-nic.timer is '0s', expected 1us to 10s", "");
    t.AddAlgorithm("bbr");
    t.file.algorithms[0].fields.clear();
    const std::string why = Ns3RdmaTestNet::WhyNot(t);
    RCC_CHECK(why.find("NAME algorithm: unknown algorithm 'bbr', expected one of ") == 0, why);
}

/// The port that takes longest, and the paths that the flows really take.
void
Load()
{
    Ns3RdmaTest t = Ns3RdmaTest::Diamond().Flow(0, 1, 1000000).Flow(0, 1, 3000000).Flow(1, 0, 2000000);
    t.file.links[1].rate = 25 * G;
    Ns3RdmaTestNet run(t);
    LabLoad load(run.paths, 1, t.file.time);
    uint64_t ways[2] = {};
    for (const auto& f : t.file.arrivals)
    {
        const auto path = load.Add(f);
        RCC_CHECK_EQ(path.size(), 4, "host, three switches");
        ways[path[1].port - 1] += f.from == 0 ? f.size / 1000 : 0;
    }
    const auto busiest = load.GetBusiestPort();
    RCC_CHECK_EQ(run.paths.PortName(busiest.node, busiest.port), "switch 5 interface 1 to host 1", "4 MB at 25 Gb/s");
    DataTap taps[2];
    taps[0].Watch(run.Port(2, 2));
    taps[1].Watch(run.Port(2, 3));
    RccRunTo(100000000);
    run.CheckDone(6000);
    RCC_CHECK_EQ(taps[0].count, ways[0], "packets by switch 3");
    RCC_CHECK_EQ(taps[1].count, ways[1], "packets by switch 4");
}

/// In one network, a class has one marker of each kind; every flow ends, and gets the feedback of its kind only.
void
SeveralAlgorithms()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(6).Algorithm("dcqcn", {{"kmin", 5000}, {"kmax", 200000}}).Flow(1, 6, 5000000);
    const char* names[] = {"", "dcqcn-plus", "qcn", "timely", "none"};
    for (uint32_t i = 2; i <= 5; i++)
    {
        t.Flow(i, 6, 5000000, 0, 3, t.AddAlgorithm(names[i - 1]));
    }
    t.Marker(3, 2); // the marker of qcn, beside that of dcqcn
    Ns3RdmaTestNet run(t);
    RccRunTo(400000000);
    run.CheckDone(25000);
    RCC_CHECK_GE(run.Nic(1)->GetCounters().cnpsReceived, 1, "dcqcn");
    RCC_CHECK_GE(run.Nic(2)->GetCounters().cnpsReceived, 1, "dcqcn-plus");
    RCC_CHECK_GE(run.Nic(3)->GetCounters().cnmsReceived, 1, "qcn");
    RCC_CHECK_EQ(run.Nic(3)->GetCounters().cnpsReceived, 0, "qcn has no CNP");
    for (uint32_t host : {4u, 5u})
    {
        const RdmaNicCounters& c = run.Nic(host)->GetCounters();
        RCC_CHECK_EQ(c.cnpsReceived + c.cnmsReceived, 0, names[host - 1] << " is not ECN-capable");
    }
    Simulator::Destroy();
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
    Ns3RdmaTestNet run(t.LinkDown(1000000, 0, 1));
    DataTap near;
    DataTap far;
    near.Watch(run.Port(1, 1));
    far.Watch(run.Port(1, 2));
    RccRunTo(999000);
    RCC_CHECK_EQ(far.count, 0, "the long way is not taken");
    RCC_CHECK_GE(near.count, 1000, "the short way is");
    RccRunTo(1000000000);
    run.CheckDone(16 * 3000);
    RCC_CHECK_GE(far.count, 1000, "the other way after the failure");
}

/// Two hosts without a switch.
void
NoSwitch()
{
    Ns3RdmaTest t({false, false});
    t.Link(0, 1).Flow(0, 1, 10000);
    Ns3RdmaTestNet run(t);
    RccRunTo(10000000);
    run.CheckDone(10);
}

/// A flow between hosts that no route connects is refused.
void
NoPath()
{
    Ns3RdmaTest t({false, true, true, false, false});
    t.Link(0, 1).Link(2, 3).Flow(0, 3, 1);
    RCC_CHECK_EQ(Ns3RdmaTestNet::WhyNot(t), "TO path: 3", "islands");
    t.file.arrivals.clear();
    RCC_CHECK_EQ(Ns3RdmaTestNet::WhyNot(t.Flow(4, 0, 0)), "TO path: 0", "a host without a link");
    t.file.arrivals.clear();
    t.file.flows.resize(1);
    t.file.flows[0].to = 3;
    t.file.flows[0].size = 1;
    t.file.watch.port.node = 1;
    t.file.watch.port.port = 0;
    LabAsked asked;
    asked.check = true;
    for (const RunRoutes routes : {RunRoutes::PARTIAL, RunRoutes::UP_DOWN})
    {
        RunFile file = t.file;
        file.routes = routes;
        std::string why;
        try
        {
            LabProgram(file, asked).run.Execute();
        }
        catch (const RunError& error)
        {
            why = error.field + " " + error.code + ": " + error.found;
        }
        Ns3RdmaTestNet::Clear();
        RCC_CHECK_EQ(why, "flows path: 3", "queue pairs from the beginning");
    }
}

/// A buffer that cannot hold the headroom is refused with the least one that does.
void
SmallBuffer()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(4, 100, 10000).Flow(1, 2, 1).Set("QbbSwitch", "BufferSize", "1000000");
    std::string least;
    try
    {
        Ns3RdmaTestNet run(t);
    }
    catch (const RunError& error)
    {
        // 4 x 3 x 125000 bytes of headroom
        RCC_CHECK(error.code == "start" && error.found.find("takes 1500000 bytes") != std::string::npos, error.found);
        least = error.expected.back();
    }
    Ns3RdmaTestNet::Clear();
    RCC_CHECK_GE(std::atoi(least.c_str()), 1500000, "the least");
    RCC_CHECK_EQ(Ns3RdmaTestNet::WhyNot(t.Set("QbbSwitch", "BufferSize", least)), "", "which is enough");
}

/// Links and nodes that no network can have are refused before anything is built.
void
WrongRecords()
{
    const std::string star = "rcc-run 1\nrun x 1 1000 0 1000000\nalgorithm 0 dcqcn\nnode 0 switch s\nnode 1 host a\n"
                             "node 2 host b\nlink 0 0 1 40000000000 1000 0\nlink 1 0 2 40000000000 1000 0\n"
                             "watch busiest - -\n";
    const std::pair<const char*, const char*> wrong[] = {
        {"link 2 0 3 1000000 0 0", "10 B node 3 0 2"},
        {"link 2 4294967295 1 1000000 0 0", "10 A node 4294967295 0 2"},
        {"link 2 1 1 1000000 0 0", "10 B same 1"},
        {"link 2 1 2 0 0 0", "10 RATE range 0 1000000 16000000000000"},
        {"link 2 1 2 1000000 -1 0", "10 DELAY range -1 0 1000000000"},
        {"link 2 1 2 1000000 0 2000000000", "10 LOSS range 2000000000 0 1000000000"},
        {"arrival 0 1 3 - 1 0 - - 0 80", "10 FROM kind 0"},
        {"arrival 3 1 3 - 1 0 - - 0 80", "10 FROM node 3 0 2"},
        {"arrival 1 1 3 - 1 0 - - 0 80", "10 TO same 1"},
        {"traced 3", "10 ID node 3 0 2"}};
    for (const auto& w : wrong)
    {
        std::string said = "nothing";
        try
        {
            RunReadText(star + w.first + "\n");
        }
        catch (const RunError& error)
        {
            said = error.Line("f");
        }
        RCC_CHECK_EQ(said, std::string("error f ") + w.second, w.first);
    }
    Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 1).Algorithm("dcqcn").At(100, "kmin", 1030);
    RCC_CHECK_EQ(Ns3RdmaTestNet::WhyNot(t.At(100, "kmax", 1030000000000)),
                 "kmax algorithm: dcqcn.kmax is '1030GB', expected 0B to 1GB", "");
}

void
StaticThreshold()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(3).Flow(1, 3, 1000000).Flow(2, 3, 1000000);
    t.file.defaults.clear(); // the buffer is another one than that of the HPCC simulator
    t.Set("RdmaNic", "AckEvery", "1").Set("QbbSwitch", "PauseTime", "5000ns");
    t.file.pool.pool = 4000 * 1030;
    t.file.pool.headroom = 103000;
    Ns3RdmaTestNet run(t.Set("QbbSwitch", "StaticThreshold", "20600"));
    RCC_CHECK_EQ(rcc_mmu_threshold(&run.Switch(0)->GetMmu()), 20 * 1030, "that of the simulator");
    RCC_CHECK_EQ(run.Switch(0)->GetMmu().pool, 4000 * 1030, "its pool");
    RccRunTo(100000000);
    run.CheckDone(2000);
    RCC_CHECK_GE(run.Port(0, 1)->GetCounters().pausesSent, 1, "more than 20 KB waited");
}

/// The HPCC paper's fat tree: every pair has a way, of the right length, and the largest BDP is that by hand.
void
FatTree()
{
    Ns3RdmaTestNet run(Ns3RdmaTest::FatTree().Flow(0, 1, 1));
    for (uint32_t src = 0; src < 320; src += 7)
    {
        for (uint32_t dst = 0; dst < 320; dst++)
        {
            const size_t links = src == dst ? 0 : src / 16 == dst / 16 ? 2 : src / 64 == dst / 64 ? 4 : 6;
            RCC_CHECK_EQ(run.paths.GetPath(src, dst).size(), links, src << " to " << dst);
        }
    }
    // 2 x 6 us, 2 x 80 ns at 100 Gb/s and 4 x 20 ns at 400 Gb/s; 12.5 bytes per ns
    RCC_CHECK_EQ(run.paths.GetMaxBdp(), 12240 * 125 / 10, "");
}

/// \return the number behind the n-th place of a name in a text, which is there; null is -1
double
NumberOf(const std::string& text, const std::string& name, int n)
{
    size_t at = text.find(name);
    for (; n > 0; n--)
    {
        at = text.find(name, at + 1);
    }
    const std::string rest = text.substr(at + name.size());
    return rest.compare(0, 4, "null") == 0 ? -1 : std::strtod(rest.c_str(), nullptr);
}

/// TCP connections: every byte arrives beside a queue pair that fills the link, and neither starves.
void
TcpFlows()
{
    Ns3RdmaTest t({false, false, false, true});
    t.Link(0, 3, 10).Link(1, 3, 10).Link(2, 3, 10).Flow(0, 2, 1000000000).Algorithm("dcqcn");
    t.Set("TcpSocket", "SegmentSize", "928").Set("TcpSocket", "SndBufSize", "4194304");
    t.Set("TcpSocket", "RcvBufSize", "4194304");
    t.Set("ArpL3Protocol", "RequestJitter", "ns3::ConstantRandomVariable[Constant=0]");
    RunTcp tcp;
    tcp.from = 1;
    tcp.to = 2;
    tcp.port = 5000;
    tcp.size = 2000000; // ns-3's TCP of 2020 needs 60 ms for twice as much
    tcp.start = 1000000;
    RunTcp endless = tcp;
    endless.from = 2;
    endless.to = 1;
    endless.port = 5001;
    endless.size = 0;
    endless.stop = 20000000;
    t.file.tcp = {tcp, endless};
    t.file.internet.resize(2);
    t.file.internet[0].node = 1;
    t.file.internet[1].node = 2;
    Ns3RdmaTestNet run(t);
    RccRunTo(60000000);
    LabJson json;
    run.outputs.AddResults(json);
    const std::string results = json.Str();
    const double stopped = NumberOf(results, "\"delivered_bytes\": ", 1);
    RCC_CHECK_EQ(NumberOf(results, "\"delivered_bytes\": ", 0), 2000000, "bytes of the flow that ends: " << results);
    RCC_CHECK_GE(NumberOf(results, "\"fct_s\": ", 0), 0.0016, "no sooner than the link allows");
    RCC_CHECK_EQ(NumberOf(results, "\"fct_s\": ", 1), -1, "the other one has no end");
    RCC_CHECK_GE(stopped, 1000000, "bytes of the flow that is stopped");
    RCC_CHECK_LE(stopped, 19000000 * 10 / 8 + (4 << 20), "19 ms of the link, and what its socket held then");
    // TCP is owed half of the link while it sends: what is left of 60 ms is RDMA's
    RCC_CHECK_GE(run.Nic(2)->GetCounters().payloadDelivered, 40000000, "bytes of the queue pair");
    RCC_CHECK_EQ(run.Switch(3)->GetDroppedPackets(3), 0, "RDMA packets lost");
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
                                                        {"algorithm of the run", ConfiguredAlgorithm},
                                                        {"load", Load},
                                                        {"several algorithms", SeveralAlgorithms},
                                                        {"TCP flows", TcpFlows},
                                                        {"dual-homed host", DualHomed},
                                                        {"no switch", NoSwitch},
                                                        {"no path", NoPath},
                                                        {"small buffer", SmallBuffer},
                                                        {"wrong records", WrongRecords},
                                                        {"static threshold", StaticThreshold},
                                                        {"fat tree", FatTree}});

} // namespace
