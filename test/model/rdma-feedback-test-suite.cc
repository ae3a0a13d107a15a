/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaNic: acknowledgements, CNPs, and algorithms side by side. */
#include "rcc-test-net.h"

#include <algorithm>
#include <map>

using namespace ns3;

namespace
{

using Log = RccTestLog;

/// CNPs of a receiver: a flow's are spaced by the interval, all of a NIC's by the generation time.
void
CnpRules()
{
    struct Case
    {
        const char* cc;
        const char* preset;
        int64_t perFlow, perNic;
        bool period;
    };
    const std::vector<Case> cases{{"dcqcn", "paper", 50000, 0, false},
                                  {"dcqcn", "cx4", 0, 1000, false},
                                  {"dcqcn-plus", "paper", 45000, 1000, true}};
    for (const auto& c : cases)
    {
        RccTestStar star;
        star.Build(5, 40 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(c.cc, c.preset);
        algorithm->SetAttribute("Kmin", UintegerValue(2000));
        algorithm->SetAttribute("Kmax", UintegerValue(2000));
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Log log;
        log.Watch(star.nics[4]->GetPort(0));
        const uint32_t flows = 20;
        for (uint32_t i = 0; i < flows; i++)
        {
            star.Send(i % 4, 4, algorithm, 0);
        }
        RccRunTo(5000000);
        std::map<std::pair<uint32_t, uint32_t>, int64_t> last;
        int64_t lastAny = -1000000;
        size_t n = 0;
        for (const auto& e : log.Select(RccFrameKind::CNP, false))
        {
            auto flow = std::make_pair(e.dst, e.dstQp);
            // The tap sees the start on the wire, which may wait for a frame: allow one.
            if (last.count(flow))
            {
                RCC_CHECK_GE(e.at - last[flow], c.perFlow - 20, c.cc << " " << c.preset);
            }
            RCC_CHECK_GE(e.at - lastAny, c.perNic - 20, c.cc << " " << c.preset);
            RCC_CHECK_EQ(e.period != 0, c.period, c.cc);
            if (c.period)
            {
                RCC_CHECK(e.period >= 45000 && e.period <= std::max(45000u, flows * 1000), e.period);
            }
            last[flow] = lastAny = e.at;
            n++;
        }
        RCC_CHECK_GE(n, flows * 5, c.cc << " " << c.preset << ": CNPs did flow");
        RCC_CHECK_EQ(last.size(), flows, "to every flow");
        RCC_CHECK_EQ(star.nics[4]->GetCounters().cnpsSent, n, "");
        Simulator::Destroy();
    }
}

/// DCQCN+'s period counts the flows that are open: it is 1 us for each, and 45 us at least.
void
ClosedFlowsLeaveTheList()
{
    RccTestStar star;
    star.Build(3, 40 * G, 1000);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn-plus");
    algorithm->SetAttribute("Kmin", UintegerValue(0));
    algorithm->SetAttribute("Kmax", UintegerValue(0));
    algorithm->SetAttribute("MarkAt", StringValue("enqueue")); // every frame
    star.sw->AddMarker(3, algorithm);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Log log;
    log.Watch(star.nics[2]->GetPort(0));
    const uint32_t flows = 200;
    for (uint32_t i = 0; i < flows; i++)
    {
        star.Send(i % 2, 2, algorithm, 0);
    }
    RccRunTo(20000000);
    auto cnps = log.Select(RccFrameKind::CNP, false);
    RCC_CHECK(!cnps.empty() && cnps.back().period == flows * 1000, "all are listed");
    for (uint32_t i = 0; i < flows / 2; i++)
    {
        star.nics[1]->Close(i);
        if (i >= 2)
        {
            star.nics[0]->Close(i);
        }
    }
    log.entries.clear();
    RccRunTo(40000000);
    cnps = log.Select(RccFrameKind::CNP, false);
    RCC_CHECK_GE(cnps.size(), 3, "two flows are left");
    for (const auto& c : cnps)
    {
        RCC_CHECK_EQ(c.period, 45000, "");
        RCC_CHECK(c.dst == star.nodes[0]->GetId() && c.dstQp < 2, "nobody notifies a closed queue pair");
    }
}

/// One ACK every n packets and one for the last; the time stamp it brings back makes the exact round trip.
void
AckEveryNAndRtt()
{
    for (uint32_t n : {1u, 2u, 7u, 64u})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("AckEvery", UintegerValue(n));
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Log log;
        log.Watch(star.nics[0]->GetPort(0));
        star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 100 * 1000);
        Simulator::Run();
        auto acks = log.Select(RccFrameKind::ACK, true);
        auto data = log.Select(RccFrameKind::DATA, false);
        RCC_CHECK_EQ(acks.size(), 100 / n + (100 % n != 0), "every " << n);
        for (size_t i = 0; i < acks.size(); i++)
        {
            uint64_t psn = std::min<uint64_t>((i + 1) * n, 100);
            RCC_CHECK_EQ(acks[i].psn, psn, "every " << n);
            RCC_CHECK_EQ(acks[i].stamp, data[psn - 1].at, "of the packet that it answers");
            // data and ACK over two links each, 212.4 and 13.2 ns a link; rounding carries up to 1 ns a hop
            RCC_CHECK_NEAR(acks[i].at - acks[i].stamp, 4 * 1000 + 2 * 212.4 + 2 * 13.2, 4, "every " << n);
        }
        Simulator::Destroy();
    }
}

/// An ACK echoes CE if any packet since the last ACK had it; the DCQCN of HPCC slows down on that alone.
void
AckEchoesCe()
{
    for (uint32_t n : {1u, 5u, 64u})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("AckEvery", UintegerValue(n));
        star.Build(3, 40 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn", "hpcc");
        algorithm->SetAttribute("Kmin", UintegerValue(5000));
        algorithm->SetAttribute("Kmax", UintegerValue(400000));
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Log log;
        log.Watch(star.nics[2]->GetPort(0));
        const uint32_t qps[] = {star.Send(0, 2, algorithm, 0), star.Send(1, 2, algorithm, 0)};
        RccRunTo(3000000);
        std::map<uint32_t, bool> seen; // CE since the last ACK, by sender
        size_t echoes[2] = {};
        size_t unmarkedLast = 0; // echoes of a CE that an earlier packet had
        std::map<uint32_t, bool> last;
        std::map<uint32_t, uint64_t> answered;
        for (const auto& e : log.entries)
        {
            if (e.kind == RccFrameKind::DATA)
            {
                seen[e.src] = seen[e.src] || e.ce;
                last[e.src] = e.ce;
                answered[e.src] = e.psn + 1;
            }
            else if (e.kind == RccFrameKind::ACK && e.psn == answered[e.dst])
            {
                // The port was free: the ACK left as its packet arrived.
                RCC_CHECK_EQ(e.ce, seen[e.dst], "every " << n << ", ACK " << e.psn);
                unmarkedLast += e.ce && !last[e.dst];
                echoes[e.ce]++;
                seen[e.dst] = false;
            }
        }
        RCC_CHECK_GE(echoes[1], 5, "every " << n);
        RCC_CHECK(n == 64 || echoes[0] >= 5, "every " << n);
        RCC_CHECK_EQ(unmarkedLast > 0, n > 1, "every " << n);
        RCC_CHECK_EQ(log.Select(RccFrameKind::CNP, false).size(), 0, "no CNPs where ACKs tell");
        for (size_t h : {0, 1})
        {
            RCC_CHECK_LE(star.nics[h]->GetRate(qps[h]), 30 * G, "every " << n);
        }
        Simulator::Destroy();
    }
}

/// Three algorithms on one NIC, one switch, one port: each gets its own kind of feedback and goes on.
void
MixedAlgorithms()
{
    RccTestStar star;
    star.Build(4, 10 * G, 1000);
    const char* names[] = {"dcqcn", "dcqcn-plus", "qcn"};
    std::map<std::string, std::vector<std::pair<size_t, uint32_t>>> flows;
    for (const char* name : names)
    {
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(name);
        if (std::string(name) != "dcqcn-plus") // one RED for both that use ECN
        {
            star.sw->AddMarker(3, algorithm);
        }
        for (size_t host = 0; host < 3; host++)
        {
            for (int i = 0; i < 3; i++)
            {
                flows[name].emplace_back(host, star.Send(host, 3, algorithm, 0));
            }
        }
    }
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    std::vector<Log> logs(3);
    for (size_t h = 0; h < 3; h++)
    {
        logs[h].Watch(star.nics[h]->GetPort(0));
    }
    RccRunTo(40000000);
    uint64_t before[3][9];
    for (int half = 0; half < 2; half++)
    {
        for (size_t a = 0; a < 3; a++)
        {
            for (size_t i = 0; i < 9; i++)
            {
                const auto& f = flows[names[a]][i];
                uint64_t bytes = star.Received(f.first, 3, f.second).bytes;
                if (half)
                {
                    // DCQCN+ sits at its least rate, line rate / 10000 = 5000 bytes in 40 ms, beside two that fill the
                    // queue
                    RCC_CHECK_GE(bytes - before[a][i], 4000, names[a] << " " << i << " goes on");
                }
                before[a][i] = bytes;
            }
        }
        RccRunTo(80000000);
    }
    std::map<std::string, std::map<RccFrameKind, uint64_t>> heard;
    for (size_t h = 0; h < 3; h++)
    {
        for (const auto& e : logs[h].entries)
        {
            if (e.received && (e.kind == RccFrameKind::CNP || e.kind == RccFrameKind::CNM))
            {
                for (const auto& a : flows)
                {
                    bool own = std::count(a.second.begin(), a.second.end(), std::make_pair(h, e.dstQp));
                    heard[a.first][e.kind] += own;
                    RCC_CHECK(!own || e.kind == RccFrameKind::CNM || (e.period != 0) == (a.first == "dcqcn-plus"),
                              "the period field is DCQCN+'s");
                }
            }
        }
    }
    RCC_CHECK_GE(heard["dcqcn"][RccFrameKind::CNP], 20, "");
    RCC_CHECK_GE(heard["dcqcn-plus"][RccFrameKind::CNP], 20, "");
    RCC_CHECK_GE(heard["qcn"][RccFrameKind::CNM], 20, "");
    RCC_CHECK_EQ(heard["dcqcn"][RccFrameKind::CNM] + heard["dcqcn-plus"][RccFrameKind::CNM], 0, "");
    RCC_CHECK_EQ(heard["qcn"][RccFrameKind::CNP], 0, "");
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, "");
}

RccTestSuite g_rdmaFeedbackSuite("rcc-rdma-feedback", {{"cnp-rules", CnpRules},
                                                       {"closed-flows-leave-the-list", ClosedFlowsLeaveTheList},
                                                       {"ack-every-n-and-rtt", AckEveryNAndRtt},
                                                       {"ack-echoes-ce", AckEchoesCe},
                                                       {"mixed-algorithms", MixedAlgorithms}});

} // namespace
