/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Several links of two nodes, the fastest links, and the rules by which switches choose a path for each packet. */
#include "ns3-rdma-test-net.h"

#include "ns3/config.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>

using namespace ns3;

namespace
{

/// Bytes that a port has sent. \param interface from 1
uint64_t
Sent(const Ns3RdmaTestNet& run, uint32_t node, uint32_t interface)
{
    return run.Port(node, interface)->GetCounters().txBytes;
}

/// Hosts 0 to n-1 at switch 2n, n to 2n-1 at switch 2n+1, with a number of links between both.
Ns3RdmaTest
Trunk(uint32_t n, uint32_t links)
{
    std::vector<bool> isSwitch(2 * n + 2);
    isSwitch[2 * n] = isSwitch[2 * n + 1] = true;
    Ns3RdmaTest t(isSwitch);
    for (uint32_t host = 0; host < 2 * n; host++)
    {
        t.Link(host, 2 * n + host / n);
    }
    for (uint32_t i = 0; i < links; i++)
    {
        t.Link(2 * n, 2 * n + 1);
    }
    return t;
}

/**
 * 1000 packets of 1062 bytes take 84.96 us at 100 Gb/s; a packet and its ACK of 66 bytes over three links take twice 85
 * ns more, six delays of 1 us and 3 x 5 ns.
 */
void
ParallelLinks()
{
    {
        Ns3RdmaTestNet two(Trunk(2, 4).Flow(0, 2, 1000000).Flow(1, 3, 1000000));
        RccRunTo(1000000000);
        two.CheckDone(2000);
        uint32_t used = 0;
        for (uint32_t interface = 3; interface <= 6; interface++)
        {
            const uint64_t bytes = Sent(two, 4, interface);
            used += bytes > 0;
            RCC_CHECK_EQ(bytes % 1062000, 0, "a flow keeps its link: " << bytes);
        }
        RCC_CHECK_EQ(used, 2, "links");
        RCC_CHECK_NEAR(two.Fct(0), 91146, 8, "ns");
        RCC_CHECK_NEAR(two.Fct(1), 91146, 8, "ns");
    }
    Ns3RdmaTest many = Trunk(8, 4);
    for (uint32_t i = 0; i < 64; i++)
    {
        many.Flow(i % 8, 8 + (i / 8 + i) % 8, 10000);
    }
    Ns3RdmaTestNet all(many);
    RccRunTo(1000000000);
    all.CheckDone(640);
    for (uint32_t interface = 9; interface <= 12; interface++)
    {
        RCC_CHECK_GE(Sent(all, 16, interface), 10620, "every link is used");
    }
}

/// 16000 packets of 1062 bytes take 18.88 us at 7.2 Tb/s, one of them over the second link 1.2 ns, four delays 100 ns.
/// At 16 Tb/s they take 8.496 us.
void
FastestLinks()
{
    for (const auto& link : {std::make_pair(7200, 18981), std::make_pair(16000, 8597)})
    {
        Ns3RdmaTestNet run(Ns3RdmaTest::Star(2, static_cast<uint64_t>(link.first), 25).Flow(1, 2, 16000000));
        RccRunTo(1000000000);
        run.CheckDone(16000);
        RCC_CHECK_NEAR(run.Fct(0), link.second, 3, "ns");
    }
}

/// How many of 4000 packets of one flow take the second of two equal ways.
double
Second(const std::string& rule)
{
    Ns3RdmaTestNet run(Ns3RdmaTest::Diamond().Flow(0, 1, 4000000).Set("QbbSwitch", "LoadBalancing", rule));
    RccRunTo(1000000000);
    run.CheckDone(4000);
    const double ways[] = {Sent(run, 2, 2) / 1062.0, Sent(run, 2, 3) / 1062.0};
    RCC_CHECK_EQ(ways[0] + ways[1], 4000, rule << ": each packet once, as equal ways keep the order");
    return ways[1];
}

void
Rules()
{
    const double one = Second("ecmp");
    RCC_CHECK_EQ(one * (4000 - one), 0, "a flow keeps its way");
    RCC_CHECK_EQ(Second("flowlet"), Second("flowlet"), "the same draws");
    RCC_CHECK_EQ(Second("flowlet") * (4000 - Second("flowlet")), 0, "without a gap, too");
    RCC_CHECK_EQ(Second("weighted"), Second("weighted-flowlet,ecmp,weighted"), "the last one counts");
    RCC_CHECK_EQ(Second("first"), 0, "the first of equal ways");
    RCC_CHECK_EQ(Second("5:random,4:round-robin"), one, "of other classes");
    RCC_CHECK_EQ(Second("round-robin"), 2000, "in turn");
    RCC_CHECK_EQ(Second("random,3:round-robin"), 2000, "of its class");
    RCC_CHECK_NEAR(Second("random"), 2000, 5 * std::sqrt(4000) / 2, "5 sigma");
    RCC_CHECK_NEAR(Second("weighted-random"), 2000, 5 * std::sqrt(4000) / 2, "equal rates");
    RCC_CHECK_EQ(Second("random"), Second("random"), "the same draws");
    const double least = Second("least-queue");
    RCC_CHECK_GE(std::min(least, 4000 - least), 400, "queues that are empty alike");
}

/// Ways of 100 and 25 Gb/s have four flows and one of five.
void
Weights()
{
    for (const char* rule : {"weighted", "ecmp"})
    {
        Ns3RdmaTest t({false, false, true, true, true, true});
        t.Link(0, 2).Link(1, 5).Link(2, 3).Link(2, 4, 25).Link(3, 5).Link(4, 5, 25);
        for (uint32_t i = 0; i < 500; i++)
        {
            t.Flow(0, 1, 1000, 1000 * i);
        }
        Ns3RdmaTestNet run(t.Set("QbbSwitch", "LoadBalancing", rule));
        RccRunTo(1000000000);
        run.CheckDone(500);
        const double share = static_cast<double>(Sent(run, 2, 3)) / 1062 / 500;
        const double want = std::string(rule) == "ecmp" ? 0.5 : 0.2;
        RCC_CHECK_NEAR(share, want, 5 * std::sqrt(want * (1 - want) / 500), rule);
    }
}

/// \return why a switch cannot start; empty: it can
std::string
WhyNot(const std::string& rule, bool perPacket, uint32_t entries = 16)
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 1000).Set("QbbSwitch", "LoadBalancing", rule);
    t.Set("QbbSwitch", "EcmpPerPacket", perPacket ? "true" : "false");
    t.Set("QbbSwitch", "FlowletEntries", std::to_string(entries));
    return Ns3RdmaTestNet::WhyNot(t);
}

void
Refused()
{
    RCC_CHECK_EQ(WhyNot("random", true), "node start: EcmpPerPacket and LoadBalancing=random, expected one of them",
                 "");
    RCC_CHECK_EQ(WhyNot("flowlet", false, 24),
                 "node start: the entries of the table of flowlets are not a power of two up to 2^20", "");
    RCC_CHECK_EQ(WhyNot("ecmp", true), "", "");
    for (const char* text : {"", "fastest", "8:random", "random,", "3:", ":random", "3random", "33:random"})
    {
        RCC_CHECK(!Config::SetDefaultFailSafe("ns3::QbbSwitch::LoadBalancing", StringValue(text)), text);
    }
}

RccTestSuite g_ns3RdmaPathsSuite("ns3-rdma-paths", {{"parallel links", ParallelLinks},
                                                    {"fastest links", FastestLinks},
                                                    {"load balancing", Rules},
                                                    {"weights", Weights},
                                                    {"refused", Refused}});

} // namespace
