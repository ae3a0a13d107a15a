/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbSwitch::CutThrough: when frames leave, against closed forms over one to four switches; what waits for its last
 * bit; that nothing is lost, made or accounted for wrongly. */
#include "rcc-test-net.h"

#include "ns3/rdma-path.h"

using namespace ns3;

namespace
{

const uint32_t HEADER = 64;
const uint32_t MTU = 938; // frames of 1000 bytes

/// Two hosts with a row of switches between them; the rate of each link.
struct Chain
{
    QbbHelper helper;
    std::vector<uint64_t> rates;
    std::vector<Ptr<QbbSwitch>> switches;
    std::vector<Ptr<RdmaNic>> nics;
    int64_t delay;

    Chain(const std::vector<uint64_t>& linkRates, int64_t linkDelay, uint32_t header)
        : rates(linkRates),
          delay(linkDelay)
    {
        helper.SetSwitchAttribute("CutThrough", UintegerValue(header));
        helper.SetNicAttribute("Mtu", UintegerValue(MTU));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(delay)));
        const size_t n = rates.size();
        std::vector<Ptr<Node>> nodes;
        for (size_t i = 0; i <= n; i++)
        {
            nodes.push_back(CreateObject<Node>());
            if (i == 0 || i == n)
            {
                nics.push_back(helper.InstallHost(nodes[i]));
            }
            else
            {
                switches.push_back(helper.InstallSwitch(nodes[i]));
            }
        }
        for (size_t i = 0; i < n; i++)
        {
            helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rates[i])));
            helper.Connect(nodes[i], nodes[i + 1]);
        }
        for (const auto& sw : switches)
        {
            sw->SetRoute(nodes[0]->GetId(), {0});
            sw->SetRoute(nodes[n]->GetId(), {1});
            RCC_CHECK_EQ(sw->Start(), "", "");
        }
    }

    /// When the data frames of a message arrive at the second host.
    std::vector<int64_t> Arrivals(uint64_t bytes)
    {
        RccTestLog log;
        log.Watch(nics[1]->GetPort(0));
        const uint32_t qp = RdmaNic::Connect(nics[0], nics[1], RccAlgorithm::Create("none"), 3);
        nics[0]->Post(qp, bytes, MakeNullCallback<void, uint32_t>());
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        std::vector<int64_t> at;
        for (const auto& e : log.Select(RccFrameKind::DATA, true))
        {
            at.push_back(e.at);
        }
        const RdmaSendQp& half = nics[0]->GetSendQp(qp);
        RCC_CHECK_EQ(half.finished - half.started, RccIdealFct(RdmaPathOf(*nics[0], half), bytes, MTU, 64),
                     bytes << " bytes: the ideal time is that of a path that cuts through");
        nics[1]->GetPort(0)->RemoveObserver(&log);
        return at;
    }
};

/// One frame over n switches of one rate: L / R + n H / R + (n + 1) delays, where L / R (n + 1) is stored.
void
OneRate()
{
    for (size_t n = 1; n <= 4; n++)
    {
        for (uint64_t rate : {8 * G, 40 * G})
        {
            for (uint32_t header : {0u, HEADER, 128u})
            {
                Chain chain(std::vector<uint64_t>(n + 1, rate), 500, header);
                const std::vector<int64_t> at = chain.Arrivals(MTU);
                const uint64_t bytes = 1000 + n * (header ? header : 1000);
                RCC_CHECK_EQ(at.size(), 1, "");
                RCC_CHECK_NEAR(at[0], bytes * 8 * G / rate + (n + 1) * 500, header ? n : 0,
                               n << " switches at " << rate << ", header " << header);
                Simulator::Destroy();
            }
        }
    }
}

/// A message back to back, over links of all rates: each switch adds the header's time before a link that is not
/// faster, and the frame's before one that is. All rates have whole nanoseconds per byte.
void
MixedRates()
{
    const uint64_t frame = 1000;
    for (const std::vector<uint64_t>& ns :
         {std::vector<uint64_t>{1, 2}, {2, 1}, {1, 2, 4}, {4, 2, 1}, {1, 4, 2}, {2, 1, 2, 1}, {1, 1, 2, 1, 1}})
    {
        std::vector<uint64_t> rates;
        for (uint64_t perByte : ns)
        {
            rates.push_back(8 * G / perByte);
        }
        Chain chain(rates, 300, HEADER);
        const std::vector<int64_t> at = chain.Arrivals(20 * MTU);
        std::vector<uint64_t> free(ns.size(), 0); // when each link has sent the frame before
        std::vector<int64_t> expected;
        for (size_t i = 0; i < 20; i++)
        {
            uint64_t begin = 0;
            for (size_t hop = 0; hop < ns.size(); hop++)
            {
                begin = std::max(begin, free[hop]);
                free[hop] = begin + frame * ns[hop];
                const bool cuts = hop + 1 < ns.size() && ns[hop + 1] >= ns[hop];
                begin = (cuts ? begin + HEADER * ns[hop] : free[hop]) + 300;
            }
            expected.push_back(static_cast<int64_t>(begin));
        }
        RCC_CHECK_EQ(at.size(), 20, "");
        for (size_t i = 0; i < std::min<size_t>(at.size(), 20); i++)
        {
            RCC_CHECK_EQ(at[i], expected[i], "frame " << i << " over " << ns.size() << " links");
        }
        Simulator::Destroy();
    }
}

/// Frames that meet a busy port wait in its queue, and leave when it is free, be it before their last bit has come.
void
BusyPort()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("CutThrough", UintegerValue(HEADER));
    star.helper.SetNicAttribute("Mtu", UintegerValue(MTU));
    star.Build(3, 8 * G, 100);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    RccTestLog log;
    log.Watch(star.nics[2]->GetPort(0));
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    star.Send(0, 2, algorithm, MTU);
    RccAt(700, [&] { star.Send(1, 2, algorithm, MTU); });
    RccAt(5000, [&] { star.Send(0, 2, algorithm, MTU); });
    RccRunTo(100000);
    const auto data = log.Select(RccFrameKind::DATA, true);
    RCC_CHECK_EQ(data.size(), 3, "");
    RCC_CHECK_EQ(data[0].at, 100 + 64 + 1000 + 100, "through an idle port");
    RCC_CHECK_EQ(data[1].at, 100 + 64 + 2 * 1000 + 100, "behind it, though its last bit came at 1800 ns");
    RCC_CHECK_EQ(data[2].at, 5000 + 100 + 64 + 1000 + 100, "idle again");
    star.nics[2]->GetPort(0)->RemoveObserver(&log);
}

/// A link that goes down takes the frame with it whose last bit is still to come.
void
LinkDown()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("CutThrough", UintegerValue(HEADER));
    star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(50)));
    star.Build({8 * G, 16 * G}, {100, 100});
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("none"), MTU);
    RccAt(400, [&] {
        RCC_CHECK_EQ(star.sw->GetHeldFrames(), 1, "its header came after 164 ns");
        star.Link(0)->TakeDown(RccNow());
        RCC_CHECK_EQ(star.sw->GetHeldFrames(), 0, "");
        RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 1, "");
    });
    RccAt(2000, [&] {
        RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, 0, "nothing arrived");
        star.Link(0)->BringUp(RccNow());
    });
    RccRunTo(1000000);
    RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, MTU, "it is sent again");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

/// Less than an Ethernet header is refused.
void
Refused()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("CutThrough", UintegerValue(13));
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(),
                 "CutThrough of 13 bytes does not hold an Ethernet header, expected 14 or more, or 0 for store and "
                 "forward",
                 "");
}

RccTestSuite g_cutThroughSuite("rcc-switch-cut-through", {{"one-rate", OneRate},
                                                          {"mixed-rates", MixedRates},
                                                          {"busy-port", BusyPort},
                                                          {"link-down", LinkDown},
                                                          {"refused", Refused}});

} // namespace
