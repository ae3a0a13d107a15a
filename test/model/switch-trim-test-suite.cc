/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Packet trimming of QbbSwitch: what is cut, where it goes, and that the sender learns of it without a timeout. */
#include "rcc-test-net.h"

#include "ns3/rcc-wire.h"

#include <algorithm>

using namespace ns3;

namespace
{

/// The frames that the trace source Trim has shown.
struct Trims
{
    uint64_t count{0};
    uint64_t wrong{0}; //!< frames that are not as they should be

    void See(uint32_t, const RccFrame& frame)
    {
        count++;
        wrong += frame.kind != RccFrameKind::TRIMMED || frame.bytes != 128 || frame.cls != 6;
        uint8_t bytes[RCC_FRAME_MAX];
        wrong += RccWire::Write(frame, 0, bytes) != 124;   // without the check sequence
        wrong += bytes[12] != 8 || bytes[13] != 0;         // IPv4
        wrong += bytes[16] * 256 + bytes[17] != 1062 - 18; // the length of the whole packet
    }
};

/// Two senders at 40 Gb/s to one receiver, without PFC.
void
Incast(RccTestStar& star, Trims& trims)
{
    star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0));
    star.helper.SetSwitchAttribute("TrimSize", UintegerValue(128));
    star.Build(3, 40 * G, 1000);
    star.sw->TraceConnectWithoutContext("Trim", MakeCallback(&Trims::See, &trims));
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    const uint32_t first = star.Send(0, 2, algorithm, 1000000);
    const uint32_t second = star.Send(1, 2, algorithm, 1000000);
    RccRunTo(60000000); // a timeout would end later
    RCC_CHECK_EQ(star.Received(0, 2, first).bytes, 1000000, "");
    RCC_CHECK_EQ(star.Received(1, 2, second).bytes, 1000000, "");
    RCC_CHECK_GE(trims.count, 1, "");
    RCC_CHECK_EQ(trims.count, star.sw->GetTrimmedPackets(), "");
    RCC_CHECK_EQ(trims.wrong, 0, "");
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, "");
    RCC_CHECK_EQ(star.nics[0]->GetCounters().timeouts + star.nics[1]->GetCounters().timeouts, 0, "");
    RCC_CHECK_EQ(star.nics[2]->GetCounters().payloadDelivered, 2000000, "each byte once");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "frames left");
}

void
BeyondTheThreshold()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("TrimThreshold", UintegerValue(20000));
    Trims trims;
    Incast(star, trims);
}

/// A queue may have all of a buffer of 100 KB, but no more.
void
BeyondTheBuffer()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("BufferSize", UintegerValue(100000));
    star.helper.SetSwitchAttribute("Alpha", DoubleValue(1));
    star.helper.SetSwitchAttribute("PoolSize", UintegerValue(0));
    Trims trims;
    Incast(star, trims);
}

/// Selective repeat sends again what was trimmed, and no more.
void
Selective()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("TrimThreshold", UintegerValue(20000));
    star.helper.SetNicAttribute("Recovery", StringValue("selective"));
    Trims trims;
    Incast(star, trims);
    const uint64_t sent = star.nics[0]->GetCounters().packetsSent + star.nics[1]->GetCounters().packetsSent;
    RCC_CHECK_EQ(sent, 2000 + trims.count, "");
    RCC_CHECK_EQ(star.nics[2]->GetCounters().packetsDuplicate, 0, "");
}

/// Frames of 100 bytes are no longer than a header of 128: those that the buffer does not take go whole to class 6, and
/// nothing is lost. A port may hold 3 KB of each class; of the 10 KB that arrive there 5 have to wait.
void
SmallFrames()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("StaticThreshold", UintegerValue(3000));
    star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0));
    star.helper.SetSwitchAttribute("TrimSize", UintegerValue(128));
    star.helper.SetNicAttribute("Mtu", UintegerValue(38));
    star.helper.SetNicAttribute("Recovery", StringValue("selective"));
    star.helper.SetNicAttribute("ReorderPackets", UintegerValue(256));
    star.Build(3, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    const uint32_t first = star.Send(0, 2, algorithm, 3800);
    const uint32_t second = star.Send(1, 2, algorithm, 3800);
    RccRunTo(60000000); // a timeout would end later
    RCC_CHECK_EQ(star.Received(0, 2, first).bytes, 3800, "");
    RCC_CHECK_EQ(star.Received(1, 2, second).bytes, 3800, "");
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, "");
    RCC_CHECK_EQ(star.sw->GetTrimmedPackets(), 0, "nothing is cut off");
    RCC_CHECK_EQ(star.nics[0]->GetCounters().packetsSent + star.nics[1]->GetCounters().packetsSent, 200,
                 "each packet once");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "frames left");
}

/// 10 us of 40 Gb/s are 50 KB.
void
OfTheBdp()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("TrimRtt", TimeValue(MicroSeconds(10)));
    Trims trims;
    Incast(star, trims);
}

/// Without space for headers the frames are dropped.
void
DropsHeaders()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0));
    star.helper.SetSwitchAttribute("TrimSize", UintegerValue(128));
    star.helper.SetSwitchAttribute("TrimThreshold", UintegerValue(20000));
    star.helper.SetSwitchAttribute("TrimLimit", UintegerValue(100));
    star.Build(3, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    star.Send(0, 2, algorithm, 100000);
    star.Send(1, 2, algorithm, 100000);
    RccRunTo(1000000);
    RCC_CHECK_EQ(star.sw->GetTrimmedPackets(), 0, "");
    RCC_CHECK_GE(star.sw->GetDroppedPackets(), 1, "");
}

std::string
WhyOf(const std::string& name, uint64_t value)
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("TrimSize", UintegerValue(64));
    star.helper.SetSwitchAttribute(name, UintegerValue(value));
    star.Build(2, 40 * G, 1000);
    return star.sw->Start();
}

void
Refused()
{
    RCC_CHECK_EQ(WhyOf("TrimSize", 63), "TrimSize of 63 bytes, expected 64 or more, or 0 for no trimming", "");
    RCC_CHECK_EQ(WhyOf("TrimClass", 3), "TrimClass 3 has PFC, expected a class that LosslessClasses leaves out", "");
    RCC_CHECK_EQ(WhyOf("TrimClass", 5), "", "");
    RccTestStar star;
    star.helper.SetSwitchAttribute("TrimSize", UintegerValue(64));
    star.helper.SetSwitchAttribute("TrimRtt", TimeValue(NanoSeconds(1)));
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "TrimRtt of 1 ns at port 0: expected 10 bytes or more at its rate", "");
}

/// Frames that are no data are not trimmed: the settings ask for no drop of one that finds no space.
void
NoDataIsDropped()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0));
    star.helper.SetSwitchAttribute("TrimSize", UintegerValue(128));
    star.Build(3, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    for (uint32_t i = 0; i < 20000; i++)
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::CORRUPT;
        f->bytes = 1062;
        f->cls = 3;
        f->dst = star.nodes[2]->GetId();
        star.nics[i % 2]->GetPort(0)->Enqueue(f, RccNow());
    }
    RccRunTo(10000000);
    RCC_CHECK_GE(star.sw->GetDroppedPackets(), 1, "");
    RCC_CHECK_EQ(star.sw->GetIntendedDrops(), 0, "");
}

RccTestSuite g_switchTrimSuite("rcc-switch-trim", {{"beyond-the-threshold", BeyondTheThreshold},
                                                   {"beyond-the-buffer", BeyondTheBuffer},
                                                   {"selective", Selective},
                                                   {"of-the-bdp", OfTheBdp},
                                                   {"small-frames", SmallFrames},
                                                   {"drops-headers", DropsHeaders},
                                                   {"refused", Refused},
                                                   {"no-data-is-dropped", NoDataIsDropped}});

} // namespace
