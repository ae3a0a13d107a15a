/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* CioqSwitch: timing, STOP and GO, the arbiter, conservation; whom its congestion points notify and when. */
#include "rcc-test-net.h"

#include "ns3/cioq-buffer.h"
#include "ns3/cioq-switch.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace ns3;

namespace
{

const uint64_t G = 1000000000;
const uint32_t GROUP = 1000000; //!< no node has this id

/// Recording ports around a switch; port i of the switch leads to ports[i].
struct Bench
{
    QbbHelper helper;
    std::vector<std::unique_ptr<RccTestPort>> ports;
    std::vector<Ptr<Node>> nodes;
    Ptr<CioqSwitch> sw;

    /// \return what Start says
    std::string Build(size_t n, Ptr<RccAlgorithm> algorithm = nullptr, uint64_t rate = 10 * G, int64_t delay = 100)
    {
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(delay)));
        if (!algorithm)
        {
            Set("CongestionPoints", "None");
        }
        Ptr<Node> node = CreateObject<Node>();
        sw = helper.InstallCioqSwitch(node);
        for (size_t i = 0; i < n; i++)
        {
            nodes.push_back(CreateObject<Node>());
            helper.InstallHost(nodes[i]); // only to be allowed to connect
            helper.Connect(nodes[i], node);
            ports.emplace_back(new RccTestPort);
            ports[i]->device = DynamicCast<QbbNetDevice>(nodes[i]->GetDevice(0));
            ports[i]->device->SetOwner(ports[i].get(), 0, false);
            sw->SetRoute(nodes[i]->GetId(), static_cast<uint32_t>(i));
        }
        sw->SetAlgorithm(algorithm);
        return sw->Start();
    }

    void Set(const char* attribute, const char* value)
    {
        helper.SetCioqSwitchAttribute(attribute, StringValue(value));
    }

    /// Queue a frame at a host; its flow is (source, qp).
    void Send(size_t from, size_t to, uint32_t bytes, uint64_t psn, uint32_t qp = 1, uint8_t cls = 3)
    {
        SendTo(from, nodes[to]->GetId(), bytes, psn, qp, cls);
    }

    void SendTo(size_t from, uint32_t dst, uint32_t bytes, uint64_t psn, uint32_t qp = 1, uint8_t cls = 3)
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::DATA;
        f->bytes = bytes;
        f->cls = cls;
        f->psn = psn;
        f->src = nodes[from]->GetId();
        f->srcQp = qp;
        f->dst = dst;
        f->cnTagged = true;
        ports[from]->device->Enqueue(f, RccNow());
    }

    /// A host pauses or resumes what the switch sends to it.
    void Block(size_t port, bool block)
    {
        ports[port]->device->SendPfc(1u << 3, block ? 65535 : 0, RccNow());
    }

    /// CNMs that a host got, by queue pair.
    std::map<uint32_t, uint64_t> Cnms(size_t port) const
    {
        std::map<uint32_t, uint64_t> n;
        for (const auto& f : ports[port]->arrived)
        {
            n[f.dstQp] += f.kind == RccFrameKind::CNM;
        }
        return n;
    }
};

/// QCN without chance in when it samples.
Ptr<RccAlgorithm>
Qcn(const char* qEq)
{
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("qcn", "ibm-10g");
    RCC_CHECK_EQ(algorithm->SetParameter("q_eq", qEq), "", "");
    RCC_CHECK_EQ(algorithm->SetParameter("sample_jitter", "0"), "", "");
    return algorithm;
}

// ---------------------------------------------------------------- timing

/// Link, fabric at 1.6 times its rate, latency, link; every frame to the ns. Other classes skip the fabric.
void
LatencyAndSpeedup()
{
    Bench bench;
    RCC_CHECK_EQ(bench.Build(2), "", "");
    for (uint64_t i = 0; i < 1000; i++)
    {
        bench.Send(0, 1, 1500, i);
    }
    Simulator::Run();
    RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 1000, "");
    for (const auto& f : bench.ports[1]->arrived)
    {
        const int64_t atInput = static_cast<int64_t>(1200 * (f.psn + 1)) + 100;
        RCC_CHECK_EQ(f.at, atInput + 750 + 1000 + 1200 + 100, "frame " << f.psn);
    }
    Simulator::Destroy();

    Bench control;
    RCC_CHECK_EQ(control.Build(2), "", "");
    control.Send(0, 1, 1500, 0, 1, 7);
    Simulator::Run();
    RCC_CHECK_EQ(control.ports[1]->arrived[0].at, 2 * (1200 + 100), "");
}

/// Copies of a frame enter the fabric one after the other, and no fraction of a ns is lost between them.
void
FabricSerialises()
{
    const uint64_t rate = 3 * G + 7;
    const uint64_t fabric = 7500000018u; // 2.5 times, rounded
    Bench bench;
    bench.Set("Speedup", "2.5");
    bench.Set("Latency", "777ns");
    RCC_CHECK_EQ(bench.Build(8, nullptr, rate), "", "");
    bench.sw->SetMulticast(GROUP, {1, 2, 3, 4, 5, 6, 7});
    bench.SendTo(0, GROUP, 1001, 0);
    Simulator::Run();
    const int64_t link = RccTxTime(1001, rate) + 100;
    for (size_t i = 1; i < 8; i++)
    {
        RCC_CHECK_EQ(bench.ports[i]->arrived.size(), 1, "");
        RCC_CHECK_EQ(bench.ports[i]->arrived[0].at, 2 * link + RccTxTime(1001 * i, fabric) + 777, "copy " << i);
    }
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

// ---------------------------------------------------------------- STOP and GO

/// An input stops at StopThreshold and goes at GoThreshold, to the byte.
void
StopAndGo()
{
    Bench bench;
    bench.Set("InputBuffer", "20000");
    bench.Set("OutputBuffer", "2000");
    bench.Set("StopThreshold", "10000");
    bench.Set("GoThreshold", "4000");
    RCC_CHECK_EQ(bench.Build(2), "", "");
    bench.Block(1, true);
    RccRunTo(10000);
    for (uint64_t i = 1; i <= 20; i++)
    {
        bench.Send(0, 1, 1000, i);
        RccRunTo(10000 + static_cast<int64_t>(i) * 10000);
        const uint64_t held = std::min<uint64_t>(i < 2 ? 0 : i - 2, 10); // two are in the output buffer
        RCC_CHECK_EQ(bench.sw->GetInputBytes(0), 1000 * held, i << " frames");
        RCC_CHECK_EQ(bench.sw->IsStopped(0), held == 10, i << " frames");
        RCC_CHECK_EQ(bench.ports[0]->device->GetPausedClasses() == 8, held == 10, "the upstream obeys");
    }
    bench.Block(1, false);
    bool stopped = true;
    for (int64_t t = RccNow() + 50; t < 300000; t += 50)
    {
        const uint64_t before = bench.sw->GetInputBytes(0);
        RccRunTo(t);
        RCC_CHECK(!stopped || bench.sw->IsStopped(0) == (bench.sw->GetInputBytes(0) > 4000),
                  "GO at 4000 bytes, from " << before);
        stopped = bench.sw->IsStopped(0);
    }
    RCC_CHECK_EQ(stopped, false, "");
    RCC_CHECK_EQ(bench.sw->GetStops(), 1, "");
    RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 20, "");
    RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 0, "");
}

/// A stop outlasts its quanta, at the upstream's rate even when this end of the link has become slower.
void
StopIsRefreshed()
{
    Bench bench;
    bench.Set("PauseQuanta", "200"); // 10.24 us
    RCC_CHECK_EQ(bench.Build(2), "", "");
    for (uint64_t i = 0; i < 400; i++)
    {
        bench.Send(0, 1, 1500, i);
    }
    RccAt(1000, [&] { bench.Block(1, true); });
    RccAt(500000, [&] { bench.sw->GetPort(0)->SetDataRate(DataRate(G)); });
    RccRunTo(300000);
    for (int64_t t = 300000; t < 1000000; t += 1000)
    {
        RccRunTo(t);
        RCC_CHECK_EQ(bench.ports[0]->device->GetPausedClasses(), 8, "at " << t);
    }
    RCC_CHECK_EQ(bench.sw->GetStops(), 1, "refreshes are no stops");
    RCC_CHECK_GE(bench.sw->GetPort(0)->GetCounters().pausesSent, 130, "");
    bench.Block(1, false);
    Simulator::Run();
    RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 400, "");
}

/// Four inputs at line rate into a blocked output: all of it fits. Without PFC the rest is dropped and counted.
void
LosslessUnderPause()
{
    for (bool pfc : {true, false})
    {
        Bench bench;
        RCC_CHECK_EQ(bench.Build(5, nullptr, 100 * G, 1000), "", "");
        auto losePfc = [](void*, const RccFrame* f) { return f->kind == RccFrameKind::PFC; };
        for (size_t i = 0; i < 4; i++)
        {
            for (uint64_t n = 0; n < 300; n++)
            {
                bench.Send(i, 4, 1500, n);
            }
            auto channel = DynamicCast<QbbChannel>(bench.ports[i]->device->GetChannel());
            channel->SetLossFilter(pfc ? nullptr : +losePfc, nullptr);
        }
        bench.Block(4, true);
        uint64_t most = 0;
        for (int64_t t = 100; t < 100000; t += 100)
        {
            RccRunTo(t);
            most = std::max(most, bench.sw->GetInputBytes(0));
        }
        bench.Block(4, false);
        Simulator::Run();
        RCC_CHECK_LE(most, 150000, "");
        RCC_CHECK_GE(most, pfc ? 110000 : 148501, "");
        RCC_CHECK_EQ(bench.sw->GetDroppedPackets() == 0, pfc, "");
        RCC_CHECK_EQ(bench.ports[4]->arrived.size() + bench.sw->GetDroppedPackets(), 1200, "");
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
        Simulator::Destroy();
    }
}

// ---------------------------------------------------------------- arbiter

/// Inputs with a backlog take turns, one frame each; one that has nothing is skipped.
void
RoundRobin()
{
    Bench bench;
    RCC_CHECK_EQ(bench.Build(6), "", "");
    bench.Block(5, true);
    RccRunTo(10000);
    for (size_t i = 0; i < 4; i++) // port 4 sends nothing
    {
        for (uint64_t n = 0; n < 200; n++)
        {
            bench.Send(i, 5, 1500, n);
        }
    }
    RccRunTo(1000000);
    bench.Block(5, false);
    Simulator::Run();
    const auto& arrived = bench.ports[5]->arrived;
    RCC_CHECK_EQ(arrived.size(), 800, "");
    for (size_t i = 4; i < arrived.size(); i++)
    {
        RCC_CHECK_EQ(arrived[i].src, arrived[i - 4].src, "frame " << i << " keeps the turn");
        RCC_CHECK_EQ(arrived[i].psn, arrived[i - 4].psn + 1, "");
    }
}

/// The output buffer holds what is granted; a slower link is followed at once, a faster one too.
void
CapacityStep()
{
    Bench bench;
    RCC_CHECK_EQ(bench.Build(2), "", "");
    for (uint64_t n = 0; n < 3000; n++)
    {
        bench.Send(0, 1, 1250, n); // 1 us
    }
    RccAt(1000000, [&] { bench.sw->GetPort(1)->SetDataRate(DataRate(G)); });
    RccAt(2000000, [&] { bench.sw->GetPort(1)->SetDataRate(DataRate(5 * G)); });
    auto frames = [&](int64_t from, int64_t to) {
        return std::count_if(bench.ports[1]->arrived.begin(), bench.ports[1]->arrived.end(),
                             [&](const RccTestPort::Seen& f) { return f.at > from && f.at <= to; });
    };
    RccRunTo(1900000);
    RCC_CHECK_NEAR(bench.sw->GetOutputBytes(1), 150000, 2 * 1250, "the output buffer is full");
    Simulator::Run();
    RCC_CHECK_EQ(frames(500000, 900000), 400, "10 Gb/s");
    RCC_CHECK_EQ(frames(1100000, 1900000), 80, "1 Gb/s");
    RCC_CHECK_EQ(frames(2100000, 2900000), 400, "5 Gb/s");
    RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 3000, "");
    RCC_CHECK_GE(bench.sw->GetStops(), 1, "");
    RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 0, "");
}

/// Random traffic, pauses and rates: every frame arrives once, in its flow's order, and nothing stays behind.
void
Conservation()
{
    int round = 0;
    for (const char* reliable : {"false", "true"})
    {
        for (const char* sampling : {"Arrival", "Deterministic", "Random"})
        {
            RccTestRandom random(static_cast<uint64_t>(++round));
            Bench bench;
            bench.Set("CongestionPoints", "Both");
            bench.Set("Reliable", reliable);
            bench.Set("Sampling", sampling);
            bench.Set("KeepAlive", std::string(sampling) == "Arrival" ? "false" : "true");
            RCC_CHECK_EQ(bench.Build(6, Qcn("20KB")), "", "");
            bench.sw->SetMulticast(GROUP, {3, 4, 5});
            uint64_t sent[6] = {}; // frames to each port
            for (uint64_t n = 0; n < 6000; n++)
            {
                const auto from = static_cast<size_t>(random.Below(6));
                const auto bytes = static_cast<uint32_t>(64 + random.Below(1459));
                const bool group = from < 3 && random.Below(10) == 0;
                const auto to = static_cast<size_t>((from + 1 + random.Below(5)) % 6);
                if (group)
                {
                    bench.SendTo(from, GROUP, bytes, n, 99);
                }
                else
                {
                    bench.Send(from, to, bytes, n, static_cast<uint32_t>(to));
                }
                for (size_t p = 0; p < 6; p++)
                {
                    sent[p] += group ? p >= 3 : p == to;
                }
            }
            for (int64_t t = 20000; t < 2000000; t += 20000)
            {
                const auto port = static_cast<uint32_t>(random.Below(6));
                const bool block = random.Below(2) == 0;
                RccAt(t, [&bench, port, block] { bench.Block(port, block); });
                RccAt(t + 5000,
                      [&bench, port, block] { bench.sw->GetPort(port)->SetDataRate(DataRate((block ? 2 : 10) * G)); });
            }
            RccAt(2000000, [&bench] {
                for (size_t p = 0; p < 6; p++)
                {
                    bench.Block(p, false);
                }
            });
            Simulator::Run();
            uint64_t cnms = 0;
            for (uint32_t p = 0; p < 6; p++)
            {
                uint64_t data = 0;
                std::map<std::pair<uint32_t, uint32_t>, uint64_t> last;
                for (const auto& f : bench.ports[p]->arrived)
                {
                    cnms += f.kind == RccFrameKind::CNM;
                    if (f.kind == RccFrameKind::DATA)
                    {
                        data++;
                        uint64_t& previous = last[{f.src, f.srcQp}];
                        RCC_CHECK_LE(previous, f.psn, "in order");
                        previous = f.psn + 1;
                    }
                }
                RCC_CHECK_EQ(data, sent[p], "port " << p << ", " << sampling);
                RCC_CHECK_EQ(bench.sw->GetInputBytes(p) + bench.sw->GetOutputBytes(p), 0, "");
                RCC_CHECK_EQ(bench.sw->IsStopped(p), false, "");
            }
            RCC_CHECK_EQ(cnms, bench.sw->GetCnmsSent(), "");
            RCC_CHECK_GE(cnms, 10, "congestion points were at work");
            RCC_CHECK_GE(bench.sw->GetStops(), 5, "inputs stopped");
            RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 0, "");
            RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
            Simulator::Destroy();
        }
    }
}

// ---------------------------------------------------------------- congestion points

/// Copies count at the input until their output sends them, with Reliable; else until they have entered the fabric.
void
ReliableOccupancy()
{
    for (bool reliable : {false, true})
    {
        Bench bench;
        bench.Set("OutputBuffer", "3000");
        bench.Set("Reliable", reliable ? "true" : "false");
        RCC_CHECK_EQ(bench.Build(2), "", "");
        bench.Block(1, true);
        RccAt(10000, [&] {
            for (uint64_t n = 0; n < 10; n++)
            {
                bench.Send(0, 1, 1000, n);
            }
        });
        RccRunTo(100000);
        RCC_CHECK_EQ(bench.sw->GetOutputBytes(1), 3000, "");
        RCC_CHECK_EQ(bench.sw->GetInputBytes(0), reliable ? 10000 : 7000, "");
        bench.Block(1, false);
        Simulator::Run();
        RCC_CHECK_EQ(bench.sw->GetInputBytes(0), 0, "");
        Simulator::Destroy();
    }
}

/// A flow to a blocked output fills the input (q.p. 1); another passes at 9 times its rate (q.p. 2).
std::map<uint32_t, uint64_t>
Culprits(const char* sampling, uint64_t& stops)
{
    Bench bench;
    bench.Set("CongestionPoints", "Inputs");
    bench.Set("Sampling", sampling);
    bench.Set("InputBuffer", "2000000");
    bench.Set("StopThreshold", "1900000");
    bench.Set("OutputBuffer", "20000");
    RCC_CHECK_EQ(bench.Build(3, Qcn("20KB")), "", "");
    bench.Block(1, true);
    RccAt(10000, [&] {
        for (uint64_t n = 0; n < 10000; n++)
        {
            bench.Send(0, n % 10 ? 2 : 1, 1000, n, n % 10 ? 2 : 1);
        }
    });
    for (int64_t t = 3000000; t < 9000000; t += 3000000)
    {
        RccAt(t, [&] { bench.Block(1, true); }); // before its quanta expire
    }
    RccAt(9000000, [&] { bench.Block(1, false); });
    Simulator::Run();
    stops = bench.sw->GetStops();
    RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 0, "");
    auto cnms = bench.Cnms(0);
    Simulator::Destroy();
    return cnms;
}

/// Arrival sampling notifies by arrival rate, occupancy sampling by what lies in the buffer.
void
WhomToNotify()
{
    uint64_t stops = 0;
    auto arrival = Culprits("Arrival", stops);
    const auto all = static_cast<double>(arrival[1] + arrival[2]);
    RCC_CHECK_GE(all, 200, "");
    RCC_CHECK_NEAR(static_cast<double>(arrival[2]) / all, 0.9, 0.06, "nine of ten frames are the victim's");
    auto deterministic = Culprits("Deterministic", stops);
    RCC_CHECK_EQ(deterministic[2], 0, "the victim is never notified");
    RCC_CHECK_GE(deterministic[1], 200, "");
    auto random = Culprits("Random", stops);
    RCC_CHECK_GE(random[1], 200, "");
    RCC_CHECK_LE(random[2], 0.05 * static_cast<double>(random[1]), "it has two frames of some hundreds");
    RCC_CHECK_EQ(stops, 0, "");
}

/// Fullest and Random of a buffer, against their definitions, while frames come and go.
void
OccupancySampling()
{
    CioqRecords records;
    CioqBuffer buffer;
    buffer.Init(&records, CioqBuffer::OUTPUT, true, 1522);
    RCC_CHECK_EQ(buffer.Fullest(), 0, "empty");
    uint64_t draws = 0;
    RCC_CHECK_EQ(buffer.Random(1, draws), 0, "empty");
    RccTestRandom random(5);
    std::vector<uint32_t> held;
    std::map<uint32_t, uint64_t> flows; // bytes by queue pair
    for (int step = 0; step < 2000; step++)
    {
        if (held.empty() || random.Below(100) < 52)
        {
            const uint32_t i = records.Get();
            records[i].bytes = static_cast<uint32_t>(64 + random.Below(1459));
            records[i].srcQp = static_cast<uint32_t>(random.Below(5));
            records[i].tagged = random.Below(10) != 0;
            buffer.Add(i);
            held.push_back(i);
            flows[records[i].srcQp] += records[i].tagged ? records[i].bytes : 0;
        }
        else
        {
            const size_t at = random.Below(held.size());
            const uint32_t i = held[at];
            buffer.Remove(i);
            flows[records[i].srcQp] -= records[i].tagged ? records[i].bytes : 0;
            records.Put(i);
            held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
        }
        uint64_t most = 0;
        uint64_t bytes = 0;
        for (const auto& f : flows)
        {
            most = std::max(most, f.second);
        }
        for (uint32_t i : held)
        {
            bytes += records[i].bytes;
        }
        RCC_CHECK_EQ(buffer.Bytes(), bytes, "");
        const uint32_t culprit = buffer.Fullest();
        RCC_CHECK(most == 0 || (culprit && flows[records[culprit].srcQp] == most), "step " << step);
    }
    std::map<uint32_t, uint64_t> hits;
    uint64_t units = 0;
    const double n = 400000;
    for (uint32_t i : held)
    {
        units += records[i].tagged ? (records[i].bytes + 255) / 256 : 0;
    }
    for (int k = 0; k < n; k++)
    {
        hits[buffer.Random(77, draws)]++;
    }
    double chi2 = 0;
    double frames = 0;
    for (uint32_t i : held)
    {
        const double want = records[i].tagged ? n * ((records[i].bytes + 255) / 256) / static_cast<double>(units) : 0;
        RCC_CHECK(want > 0 || !hits.count(i), "only sources that understand a CNM");
        chi2 += want > 0 ? std::pow(static_cast<double>(hits[i]) - want, 2) / want : 0;
        frames += want > 0;
    }
    RCC_CHECK_GE(frames, 30, "");
    RCC_CHECK_LE(chi2, frames + 4 * std::sqrt(2 * frames), "every unit has the same chance");
}

/// A CNM leaves CnmDelay after the frame that was sampled arrived.
void
CnmDelay()
{
    Bench bench;
    bench.Set("CongestionPoints", "Inputs");
    Ptr<RccAlgorithm> algorithm = Qcn("100B");
    algorithm->SetParameter("sample_base", "1KB");
    RCC_CHECK_EQ(bench.Build(2, algorithm), "", "");
    bench.Send(0, 1, 1250, 0, 42);
    Simulator::Run();
    RCC_CHECK_EQ(bench.ports[0]->arrived.size(), 1, "");
    const auto& cnm = bench.ports[0]->arrived[0];
    RCC_CHECK_EQ(cnm.kind, RccFrameKind::CNM, "");
    RCC_CHECK_EQ(cnm.dstQp, 42, "");
    RCC_CHECK_EQ(cnm.qfb, 63, "");
    RCC_CHECK_EQ(cnm.at, 1100 + 2400 + RccTxTime(CNM_BYTES, 10 * G) + 100, "");
}

/// A stopped input is sampled every Is bytes of line rate with KeepAlive, and not at all without.
void
KeepAlive()
{
    for (bool alive : {false, true})
    {
        Bench bench;
        bench.Set("CongestionPoints", "Inputs");
        bench.Set("Sampling", "Deterministic");
        bench.Set("KeepAlive", alive ? "true" : "false");
        bench.Set("OutputBuffer", "3000");
        RCC_CHECK_EQ(bench.Build(2, Qcn("60KB")), "", "");
        bench.Block(1, true);
        RccAt(10000, [&] {
            for (uint64_t n = 0; n < 200; n++)
            {
                bench.Send(0, 1, 1000, n, 42);
            }
        });
        RccRunTo(150000); // 113 KB took 90 us
        RCC_CHECK_EQ(bench.sw->IsStopped(0), true, "");
        const uint64_t before = bench.Cnms(0)[42];
        RccRunTo(150000 + 10 * 120000);
        RCC_CHECK_EQ(bench.Cnms(0)[42] - before, alive ? 10 : 0, "150 KB at 10 Gb/s are 120 us");
        bench.Block(1, false);
        RccRunTo(1500000);
        RCC_CHECK_EQ(bench.sw->IsStopped(0), false, "");
        const uint64_t after = bench.Cnms(0)[42];
        RccRunTo(5000000);
        RCC_CHECK_EQ(bench.Cnms(0)[42], after, "the clock has stopped");
        Simulator::Destroy();
    }
}

/// A multicast frame is sampled once at its input, but at every output it leaves through (section III.A).
void
MulticastSampling()
{
    for (const char* where : {"Inputs", "Outputs", "Both"})
    {
        Bench bench;
        bench.Set("CongestionPoints", where);
        Ptr<RccAlgorithm> algorithm = Qcn("100B"); // every frame is a sample, and every sample a CNM
        algorithm->SetParameter("sample_base", "1KB");
        RCC_CHECK_EQ(bench.Build(4, algorithm), "", "");
        bench.sw->SetMulticast(GROUP, {1, 2, 3});
        for (uint64_t n = 0; n < 100; n++)
        {
            RccAt(static_cast<int64_t>(n) * 10000, [&bench, n] { bench.SendTo(0, GROUP, 1250, n, 42); });
        }
        Simulator::Run();
        const uint64_t want = std::string(where) == "Inputs" ? 100 : std::string(where) == "Outputs" ? 300 : 400;
        RCC_CHECK_EQ(bench.Cnms(0)[42], want, where);
        for (size_t p = 1; p < 4; p++)
        {
            RCC_CHECK_EQ(bench.ports[p]->arrived.size(), 100, "");
        }
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
        Simulator::Destroy();
    }
}

// ---------------------------------------------------------------- configuration

/// What cannot work is refused with the reason.
void
Refusals()
{
    struct Case
    {
        const char* attribute;
        const char* value;
        const char* algorithm;
        const char* why;
    };
    const std::vector<Case> cases{
        {"GoThreshold", "110000", "", "GoThreshold"}, {"StopThreshold", "149000", "", "InputBuffer"},
        {"OutputBuffer", "1000", "", "OutputBuffer"}, {"PauseQuanta", "10", "", "PauseQuanta"},
        {"KeepAlive", "true", "qcn", "KeepAlive"},    {"CongestionPoints", "Both", "dcqcn", "dcqcn"}};
    for (const auto& c : cases)
    {
        Bench bench;
        bench.Set(c.attribute, c.value);
        const std::string why = bench.Build(2, *c.algorithm ? RccAlgorithm::Create(c.algorithm) : nullptr);
        RCC_CHECK(why.find(c.why) != std::string::npos, c.attribute << ": '" << why << "'");
        Simulator::Destroy();
    }
    Ptr<CioqSwitch> sw = CreateObject<CioqSwitch>();
    RCC_CHECK(!sw->SetAttributeFailSafe("Sampling", StringValue("Sometimes")), "");
    RCC_CHECK(!sw->SetAttributeFailSafe("CongestionPoints", StringValue("inputs")), "");
    RCC_CHECK(!sw->SetAttributeFailSafe("Speedup", DoubleValue(0.5)), "");
}

RccTestSuite g_suite("rcc-cioq-switch", {{"latency-and-speedup", LatencyAndSpeedup},
                                         {"fabric-serialises", FabricSerialises},
                                         {"stop-and-go", StopAndGo},
                                         {"stop-is-refreshed", StopIsRefreshed},
                                         {"lossless-under-pause", LosslessUnderPause},
                                         {"round-robin", RoundRobin},
                                         {"capacity-step", CapacityStep},
                                         {"conservation", Conservation},
                                         {"reliable-occupancy", ReliableOccupancy},
                                         {"whom-to-notify", WhomToNotify},
                                         {"occupancy-sampling", OccupancySampling},
                                         {"cnm-delay", CnmDelay},
                                         {"keep-alive", KeepAlive},
                                         {"multicast-sampling", MulticastSampling},
                                         {"refusals", Refusals}});

} // namespace
