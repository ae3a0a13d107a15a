/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* PFC on a link. */
#include "rcc-test-net.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <map>

using namespace ns3;

namespace
{

const uint64_t RATE = 40 * G;
const int64_t PFC_NS = 12; // 64 bytes at 40 Gb/s, floor of 12.8

/// ceil of n x 512 bits at RATE
int64_t
Quanta(uint32_t n)
{
    return (n * 512ll * 1000000000 + RATE - 1) / RATE;
}

/// Fill all eight classes so that each always has a frame to send.
void
Saturate(RccTestPort& port, int frames)
{
    for (int i = 0; i < frames; i++)
    {
        for (uint8_t c = 0; c < QBB_CLASSES - 1; c++)
        {
            port.Send(c, 1000, i);
        }
    }
}

/// Bytes of each class that began to be sent in [from, to).
std::map<uint8_t, uint64_t>
SentBetween(const RccTestPort& port, int64_t from, int64_t to)
{
    std::map<uint8_t, uint64_t> bytes;
    for (const auto& f : port.left)
    {
        if (f.at >= from && f.at < to)
        {
            bytes[f.cls] += f.bytes;
        }
    }
    return bytes;
}

/// Any set of classes: the paused ones stop, the others go on, and the quanta end the pause.
void
StopsExactlyThePausedClasses()
{
    for (unsigned mask = 1; mask < 128; mask += 9)
    {
        const int64_t delay = 100;
        const int64_t asked = 10000;
        const uint32_t quanta = 2000; // 25.6 us
        RccTestLink link(RATE, delay);
        Saturate(link.a, 400);
        RccAt(asked, [&] { link.b.device->SendPfc(static_cast<uint8_t>(mask), quanta, RccNow()); });
        RccRunTo(asked + 60000);
        const int64_t begin = asked + PFC_NS + delay;
        const int64_t end = begin + Quanta(quanta);
        auto during = SentBetween(link.a, begin + 1, end);
        auto after = SentBetween(link.a, end, end + 20000);
        for (uint8_t c = 0; c < 7; c++)
        {
            bool paused = mask & (1u << c);
            RCC_CHECK_EQ(during[c] == 0, paused, "class " << unsigned(c) << " of mask " << mask);
            RCC_CHECK_GE(after[c], 1, "class " << unsigned(c) << " of mask " << mask);
        }
        const std::vector<std::pair<int64_t, uint8_t>> want{{begin, mask}, {end, 0}};
        RCC_CHECK(link.a.pauses == want, "mask " << mask);
        RCC_CHECK_EQ(link.a.device->GetPausedTime(RccNow()), end - begin, "");
        RCC_CHECK_EQ(link.a.device->GetCounters().pausesReceived, __builtin_popcount(mask), "");
        Simulator::Destroy();
    }
}

/// The frame on the wire is finished; a paused class's next one waits for the end of the quanta, not longer.
void
ExpiryToTheNanosecond()
{
    for (uint32_t quanta : {1u, 2u, 7u, 33u, 999u, 1000u, 65535u})
    {
        RccTestLink link(RATE, 0);
        link.a.Send(3, 1000, 0); // 200 ns
        link.a.Send(3, 1000, 1);
        link.b.device->SendPfc(1u << 3, static_cast<uint16_t>(quanta), 0); // the pause arrives at 12 ns
        Simulator::Run();
        RCC_CHECK_EQ(link.b.arrived.size(), 2, "");
        RCC_CHECK_EQ(link.b.arrived[0].at, 200, "not cut short");
        RCC_CHECK_EQ(link.b.arrived[1].at, std::max<int64_t>(200, PFC_NS + Quanta(quanta)) + 200, quanta << " quanta");
        Simulator::Destroy();
    }
}

/// Resume ends it at once; a second pause replaces what is left of the first, longer or shorter.
void
ResumeAndRefresh()
{
    struct Step
    {
        int64_t at;
        uint16_t quanta;
    };
    struct Run
    {
        std::vector<Step> steps;
        int64_t end; //!< end of the pause, ns
    };
    const std::vector<Run> runs{
        {{{0, 60000}, {5000, 0}}, 5000 + PFC_NS},                                             // resumed
        {{{0, 1000}, {10000, 1000}}, 10000 + PFC_NS + Quanta(1000)},                          // refreshed
        {{{0, 60000}, {5000, 100}}, 5000 + PFC_NS + Quanta(100)},                             // shortened
        {{{0, 1000}, {4000, 1000}, {8000, 0}}, 8000 + PFC_NS},                                // refreshed, then resumed
        {{{0, 1000}, {1000, 0}, {2000, 1000}}, 2000 + PFC_NS + Quanta(1000)},                 // twice
        {{{0, 1000}, {1000, 0}, {2000, 100}, {2000, 200}}, 2012 + PFC_NS + 1 + Quanta(200)}}; // two at once
    for (size_t r = 0; r < runs.size(); r++)
    {
        RccTestLink link(RATE, 0);
        link.a.Send(0, 1000, 0); // on the wire until 200
        for (const auto& s : runs[r].steps)
        {
            RccAt(s.at, [&link, s] { link.b.device->SendPfc(1u << 3, s.quanta, RccNow()); });
        }
        RccAt(3500, [&link] { link.a.Send(3, 1000, 1); });
        Simulator::Run();
        RCC_CHECK_EQ(link.b.arrived.size(), 2, "run " << r);
        RCC_CHECK_EQ(link.b.arrived.back().psn, 1, "run " << r);
        RCC_CHECK_NEAR(link.b.arrived.back().at, runs[r].end + 200, 1, "run " << r);
        RCC_CHECK_EQ(link.a.device->GetPausedClasses(), 0, "run " << r);
        Simulator::Destroy();
    }
}

/// Two classes with different ends: the paused time is that of their union, and each ends on its own.
void
PausedTimeIsTheUnion()
{
    RccTestLink link(RATE, 0);
    RccAt(1000, [&] { link.b.device->SendPfc(1, 1000, RccNow()); }); // 1012 .. 13812
    RccAt(5000, [&] { link.b.device->SendPfc(2, 2000, RccNow()); }); // 5012 .. 30612
    RccAt(50000, [&] { link.b.device->SendPfc(1, 100, RccNow()); }); // 50012 .. 51292
    RccAt(10000, [&] { RCC_CHECK_EQ(link.a.device->GetPausedTime(RccNow()), 10000 - 1012, "while it lasts"); });
    Simulator::Run();
    const std::vector<std::pair<int64_t, uint8_t>> want{{1012, 1},  {5012, 3},  {13812, 2},
                                                        {30612, 0}, {50012, 1}, {51292, 0}};
    RCC_CHECK(link.a.pauses == want, "");
    RCC_CHECK_EQ(link.a.device->GetPausedTime(RccNow()), (30612 - 1012) + (51292 - 50012), "");
}

/// The frames that a tap saw.
struct Tapped : RccTestTap
{
    std::vector<std::pair<int64_t, RccFrameKind>> frames;

    void Tap(const RccFrame* frame, bool received, int64_t now) override
    {
        if (!received)
        {
            frames.emplace_back(now, frame->kind);
        }
    }
};

/// A PFC frame waits for the frame on the wire only, whatever is queued in front of it, and even when all is paused.
void
PfcOvertakesTheQueues()
{
    RccTestLink link(RATE, 0);
    Tapped tapped;
    link.a.device->AddObserver(&tapped, QBB_OBSERVE_FRAMES);
    for (int i = 0; i < 10; i++)
    {
        link.a.Send(3, 1000, i);
        link.a.Send(7, 1000, i);
    }
    RccAt(50, [&] { link.a.device->SendPfc(1, 100, RccNow()); });
    RccAt(1000, [&] { link.b.device->SendPfc(0xff, 65535, RccNow()); });
    RccAt(2000, [&] { link.a.device->SendPfc(1, 0, RccNow()); });
    RccRunTo(3000);
    RCC_CHECK(tapped.frames.size() >= 3, "");
    RCC_CHECK_EQ(tapped.frames[1].second, RccFrameKind::PFC, "right behind the first frame");
    RCC_CHECK_EQ(tapped.frames[1].first, 200, "");
    RCC_CHECK_EQ(tapped.frames.back().second, RccFrameKind::PFC, "sent while every class is paused");
    RCC_CHECK_EQ(tapped.frames.back().first, 2000, "");
    size_t inPause = 0;
    for (const auto& f : tapped.frames)
    {
        inPause += f.first > 1000 + PFC_NS && f.second != RccFrameKind::PFC;
    }
    RCC_CHECK_EQ(inPause, 0, "");
}

/// Several PFC requests that wait for the same frame: the peer gets the last one of each class.
void
LastWordOnEachClass()
{
    RccTestLink link(RATE, 0);
    link.a.Send(3, 9000);
    RccAt(10, [&] {
        int64_t now = RccNow();
        link.a.device->SendPfc(1, 100, now);
        link.a.device->SendPfc(2, 100, now);
        link.a.device->SendPfc(4, 100, now);
        link.a.device->SendPfc(2, 0, now);
    });
    RccAt(1800 + PFC_NS + 1, [&] { RCC_CHECK_EQ(link.b.device->GetPausedClasses(), 5, "one frame for all"); });
    Simulator::Run();
    RCC_CHECK_EQ(link.a.device->GetCounters().pausesSent, 3, "");
    RCC_CHECK_EQ(link.a.device->GetCounters().resumesSent, 1, "");
}

/// PAUSE of 802.3x: one class that asks stops all of the peer's, its control class too, until no class asks any more.
void
LinkPauseStopsAllClasses()
{
    RccTestLink link(RATE, 0);
    link.b.device->SetAttribute("LinkPause", BooleanValue(true));
    link.a.Send(0, 1000, 0); // on the wire until 200
    RccAt(10, [&] { link.b.device->SendPfc(1u << 3, 60000, RccNow()); });
    RccAt(1000, [&] {
        RCC_CHECK_EQ(unsigned(link.a.device->GetPausedClasses()), 0xffu, "");
        link.a.Send(7, 1000, 1);
        link.a.device->SendPfc(1, 1000, RccNow()); // the other way nothing has changed
        link.b.device->SendPfc(1u << 4, 60000, RccNow());
    });
    RccAt(2000, [&] { link.b.device->SendPfc(1u << 3, 0, RccNow()); }); // class 4 still asks
    RccAt(3000, [&] {
        RCC_CHECK_EQ(unsigned(link.a.device->GetPausedClasses()), 0xffu, "");
        RCC_CHECK_EQ(unsigned(link.b.device->GetPausedClasses()), 1u, "PFC in the other direction");
        link.b.device->SendPfc(1u << 4, 0, RccNow());
    });
    Simulator::Run();
    RCC_CHECK_EQ(link.b.arrived.size(), 2, "");
    RCC_CHECK_NEAR(link.b.arrived.back().at, 3000 + PFC_NS + 200, 1, "");
    RCC_CHECK_EQ(link.b.device->GetCounters().pausesSent, 2, "");
    RCC_CHECK_EQ(link.b.device->GetCounters().resumesSent, 1, "one frame of no time");
}

RccTestSuite g_qbbPauseSuite("rcc-qbb-pause", {{"stops-exactly-the-paused-classes", StopsExactlyThePausedClasses},
                                               {"expiry-to-the-nanosecond", ExpiryToTheNanosecond},
                                               {"resume-and-refresh", ResumeAndRefresh},
                                               {"paused-time-is-the-union", PausedTimeIsTheUnion},
                                               {"pfc-overtakes-the-queues", PfcOvertakesTheQueues},
                                               {"last-word-on-each-class", LastWordOnEachClass},
                                               {"link-pause-stops-all-classes", LinkPauseStopsAllClasses}});

} // namespace
