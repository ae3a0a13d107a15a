/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Lossless means lossless: buffers at the accepted limit under senders that never slow down. */
#include "rcc-test-abort.h"
#include "rcc-test-net.h"

using namespace ns3;

namespace
{

/// A star whose buffer is the smallest that Start accepts, and what every host sends to every other one.
struct WorstCase
{
    std::vector<uint64_t> rates;
    std::vector<int64_t> delays;
    uint8_t mask;
    uint32_t mtu;
    uint64_t extra; //!< bytes of pool beyond the least
    uint32_t gap;
    uint16_t quanta;
    bool everyoneToAll; //!< false: everyone sends to host 0
    uint32_t ackEvery;

    std::string Text() const
    {
        std::ostringstream out;
        out << rates.size() << " hosts, " << rates[0] / G << " and " << rates[1] / G << " Gb/s, " << delays[0]
            << " and " << delays[1] << " ns, classes " << unsigned(mask) << ", mtu " << mtu << ", extra " << extra
            << ", gap " << gap << ", quanta " << quanta << (everyoneToAll ? ", all to all" : ", incast");
        return out.str();
    }

    uint64_t LeastBuffer(uint32_t frame) const
    {
        uint64_t sum = 0;
        for (size_t i = 0; i < rates.size(); i++)
        {
            sum += rcc_mmu_headroom(rates[i], delays[i], frame) * __builtin_popcount(mask) + frame;
        }
        return sum;
    }

    /// Bytes of a message: enough that pauses come and go.
    uint64_t MessageBytes() const
    {
        return everyoneToAll ? 60ull * mtu : 200ull * mtu;
    }
};

/// \return pauses sent by the switch
uint64_t
Run(const WorstCase& w)
{
    const uint32_t frame = w.mtu + ROCE_OVERHEAD;
    RccTestStar star;
    star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(w.mask));
    star.helper.SetSwitchAttribute("MaxFrame", UintegerValue(frame));
    star.helper.SetSwitchAttribute("BufferSize", UintegerValue(w.LeastBuffer(frame) + w.extra));
    star.helper.SetSwitchAttribute("PauseQuanta", UintegerValue(w.quanta));
    star.helper.SetDeviceAttribute("InterframeGap", UintegerValue(w.gap));
    star.helper.SetNicAttribute("Mtu", UintegerValue(w.mtu));
    star.helper.SetNicAttribute("AckEvery", UintegerValue(w.ackEvery));
    // With the least pool an acknowledgement can find no space; data must.
    star.helper.SetSwitchAttribute("Alpha", DoubleValue(w.extra ? 0.125 : 1.0));
    star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MilliSeconds(20)));
    star.Build(w.rates, w.delays);
    const std::string why = star.sw->Start();
    RCC_CHECK_EQ(why, "", w.Text());
    if (!why.empty())
    {
        Simulator::Destroy();
        return 0;
    }
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none"); // line rate for ever
    struct Flow
    {
        size_t from, to;
        uint32_t qp;
    };
    std::vector<Flow> flows;
    for (size_t i = 0; i < w.rates.size(); i++)
    {
        for (size_t j = 0; j < w.rates.size(); j++)
        {
            for (uint8_t c = 0; i != j && (w.everyoneToAll || j == 0) && c < 7; c++)
            {
                if (w.mask & (1u << c))
                {
                    flows.push_back(Flow{i, j, star.Send(i, j, algorithm, w.MessageBytes(), c)});
                }
            }
        }
    }
    RccRunTo(2 * G); // twenty times what the slowest needs
    uint64_t pauses = 0;
    for (uint32_t p = 0; p < star.sw->GetNPorts(); p++)
    {
        pauses += star.sw->GetPort(p)->GetCounters().pausesSent;
    }
    for (uint8_t c = 0; c < 7; c++)
    {
        // Acknowledgements are in class 7, which has no PFC: a pool of a few frames may be too small for them.
        RCC_CHECK_EQ(star.sw->GetDroppedPackets(c), 0, "class " << unsigned(c) << ": " << w.Text());
    }
    for (const auto& f : flows)
    {
        RCC_CHECK_EQ(star.Received(f.from, f.to, f.qp).bytes, w.MessageBytes(), w.Text());
        RCC_CHECK_GE(star.nics[f.from]->GetSendQp(f.qp).finished, 0, "stuck: " << w.Text());
    }
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, w.Text());
    for (size_t i = 0; i < w.rates.size(); i++)
    {
        RCC_CHECK_EQ(star.nics[i]->GetCounters().naksSent, 0, w.Text());
        RCC_CHECK_EQ(star.nics[i]->GetPort(0)->GetPausedClasses(), 0, "paused at the end: " << w.Text());
    }
    Simulator::Destroy();
    return pauses;
}

/// One class, every rate and delay.
void
RatesAndDelays()
{
    for (uint64_t rate : {1 * G, 10 * G, 40 * G, 100 * G, 400 * G})
    {
        for (int64_t delay : {1, 100, 1000, 10000, 100000})
        {
            for (bool all : {false, true})
            {
                Run({{rate, rate, rate, rate}, {delay, delay, delay, delay}, 1u << 3, 1000, 0, 0, 65535, all, 64});
            }
        }
    }
}

/// Several lossless classes pause at the same time and share the wire with each other's PFC frames.
void
AllClasses()
{
    for (uint8_t mask : {0x03, 0x18, 0x7f})
    {
        for (uint64_t rate : {10 * G, 400 * G})
        {
            for (uint32_t mtu : {200u, 1000u, 4096u})
            {
                for (uint64_t extra : {uint64_t(0), uint64_t(20000)})
                {
                    Run({{rate, rate, rate}, {1000, 1000, 1000}, mask, mtu, extra, 0, 65535, true, 1});
                    Run({{rate, rate, rate}, {7, 7, 7}, mask, mtu, extra, 0, 65535, false, 64});
                }
            }
        }
    }
}

/// Links of different rates and delays on one switch.
void
UnequalLinks()
{
    for (uint64_t slow : {1 * G, 10 * G, 40 * G})
    {
        for (int64_t far : {1, 1000, 20000})
        {
            for (bool all : {false, true})
            {
                Run({{slow, 100 * G, 400 * G, 25 * G}, {1000, far, 500, 3}, 0x18, 1000, 0, 0, 65535, all, 4});
                Run({{slow, 100 * G, 400 * G, 25 * G}, {1000, far, 500, 3}, 1u << 3, 1000, 50000, 0, 65535, all, 4});
            }
        }
    }
}

/// The largest frames, the smallest, and an interframe gap.
void
FrameSizesAndGaps()
{
    for (uint32_t mtu : {2u, 64u, 1024u, 4096u, 9000u})
    {
        for (uint32_t gap : {0u, 20u})
        {
            for (int64_t delay : {1, 1000})
            {
                Run({{40 * G, 40 * G, 40 * G}, {delay, delay, delay}, 0x18, mtu, 0, gap, 65535, true, 2});
                Run({{40 * G, 40 * G, 40 * G}, {delay, delay, delay}, 1u << 3, mtu, 5000, gap, 65535, false, 16});
            }
        }
    }
}

/// Pauses that expire soon are refreshed in time; quanta that could not be are refused.
void
ShortQuanta()
{
    for (uint32_t mtu : {200u, 1000u})
    {
        const uint32_t frame = mtu + ROCE_OVERHEAD;
        // The refresh leaves half of the quanta after the pause, behind one frame.
        auto least = static_cast<uint16_t>((2 * (frame + 2 * PFC_BYTES) + 63) / 64);
        for (int64_t delay : {1, 1000, 30000})
        {
            Run({{10 * G, 40 * G, 40 * G}, {delay, delay, delay}, 1u << 3, mtu, 0, 0, least, true, 8});
            Run({{10 * G, 40 * G, 40 * G}, {delay, delay, delay}, 0x18, mtu, 0, 0, least, false, 8});
        }
        RccTestStar star;
        star.helper.SetSwitchAttribute("MaxFrame", UintegerValue(frame));
        star.helper.SetSwitchAttribute("PauseQuanta", UintegerValue(least - 8));
        star.Build(2, 40 * G, 1000);
        const std::string why = star.sw->Start();
        RCC_CHECK(why.find("PauseQuanta") != std::string::npos && why.find(std::to_string(frame)) != std::string::npos,
                  why);
        Simulator::Destroy();
    }
}

/// A link has one rate: two are refused, because quanta are bit times of the one that is paused.
void
TwoRatesOnOneLink()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    star.nics[1]->GetPort(0)->SetDataRate(DataRate(10 * G));
    const std::string why = star.sw->Start();
    RCC_CHECK(why.find("port 1") != std::string::npos && why.find("10000000000") != std::string::npos, why);
}

/// A frame larger than MaxFrame delays a pause by more than the headroom holds, whatever its class: it is refused, not
/// the cause of a loss.
void
LargeFramesOfOtherClasses()
{
    RCC_CHECK_ABORTS(
        [] {
            RccTestStar star;
            star.helper.SetNicAttribute("Mtu", UintegerValue(9000));
            star.helper.SetSwitchAttribute("MaxFrame", UintegerValue(1066));
            star.Build(3, 40 * G, 1000);
            RCC_CHECK_EQ(star.sw->Start(), "", "");
            star.Send(0, 2, RccAlgorithm::Create("none"), 20000, 2);
            Simulator::Run();
        },
        "larger than the switch's MaxFrame of 1066");
}

/// Random configurations.
void
Random()
{
    RccTestRandom random(20180924);
    for (int i = 0; i < 60; i++)
    {
        WorstCase w;
        size_t hosts = 2 + random.Below(4);
        for (size_t h = 0; h < hosts; h++)
        {
            const uint64_t rates[] = {1 * G, 5 * G / 2, 10 * G, 25 * G, 40 * G, 100 * G, 400 * G};
            w.rates.push_back(rates[random.Below(7)]);
            w.delays.push_back(static_cast<int64_t>(random.Below(3) ? random.Below(3000) : random.Below(100000)));
        }
        w.mask = static_cast<uint8_t>(1 + random.Below(127));
        w.mtu = static_cast<uint32_t>(2 + random.Below(random.Below(2) ? 1500 : 9000));
        w.extra = random.Below(2) ? 0 : random.Below(100000);
        w.gap = random.Below(2) ? 0 : 20;
        w.quanta = 65535;
        w.everyoneToAll = hosts > 2 ? random.Below(2) : true;
        w.ackEvery = static_cast<uint32_t>(1 + random.Below(64));
        Run(w);
    }
}

RccTestSuite g_switchLosslessSuite("rcc-switch-lossless", {{"rates-and-delays", RatesAndDelays},
                                                           {"all-classes", AllClasses},
                                                           {"unequal-links", UnequalLinks},
                                                           {"frame-sizes-and-gaps", FrameSizesAndGaps},
                                                           {"short-quanta", ShortQuanta},
                                                           {"two-rates-on-one-link", TwoRatesOnOneLink},
                                                           {"large-frames-of-other-classes", LargeFramesOfOtherClasses},
                                                           {"random", Random}});

} // namespace
