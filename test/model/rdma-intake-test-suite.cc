/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A host that reads data more slowly than its link brings them: its rate, its buffer, pauses and drops. */
#include "rcc-test-net.h"

#include "ns3/double.h"

using namespace ns3;

namespace
{

const int64_t DELAY = 1000; // delay of each link, ns

/// Two hosts at 40 Gb/s; the receiver's attributes are those of all NICs.
struct SlowHost : RccTestStar
{
    Ptr<RccAlgorithm> algorithm;
    uint32_t qp{0};

    SlowHost(double share, uint32_t buffer, uint8_t lossless, const char* name = "none")
    {
        helper.SetNicAttribute("DrainShare", DoubleValue(share));
        helper.SetNicAttribute("ReceiveBuffer", UintegerValue(buffer));
        helper.SetNicAttribute("LosslessClasses", UintegerValue(lossless));
        helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(200)));
        Build(2, 40 * G, DELAY);
        algorithm = RccAlgorithm::Create(name);
        sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(sw->Start(), "", "");
    }

    const RdmaNicCounters& Counters() const
    {
        return nics[1]->GetCounters();
    }
};

/// The k-th packet is read when the ones before it have passed the host's rate: the last one of 20 after 19 times 1062
/// bytes at 10 Gb/s, not at 40.
void
Rate()
{
    for (const double share : {1.0, 0.5, 0.25})
    {
        SlowHost net(share, 1 << 20, 1u << 3);
        net.qp = net.Send(0, 1, net.algorithm, 20000);
        const int64_t first = 2 * (RccTxTime(1062, 40 * G) + DELAY);
        const int64_t last = first + RccTxTime(19 * 1062, static_cast<uint64_t>(40e9 * share));
        RccRunTo(last - 2);
        RCC_CHECK_EQ(net.Counters().packetsDelivered, 19, share);
        RccRunTo(last + 2);
        RCC_CHECK_EQ(net.Counters().packetsDelivered, 20, share);
        RCC_CHECK_EQ(net.nics[1]->GetPort(0)->GetCounters().pausesSent, 0, "all of it fits");
        Simulator::Destroy();
    }
}

/// A lossless class is paused: the goodput is the host's rate, nothing is lost, and what waits is the buffer and what
/// was on its way.
void
Pauses()
{
    SlowHost net(0.25, 50000, 1u << 3);
    net.qp = net.Send(0, 1, net.algorithm, 5000000);
    RccRunTo(2000000);
    const uint64_t half = net.Counters().bytesDelivered;
    RccRunTo(4000000);
    const double rate = static_cast<double>(net.Counters().bytesDelivered - half) * 8 / 2000000;
    RCC_CHECK(rate > 9.99 && rate < 10.01, rate << " Gb/s");
    RccRunTo(20000000);
    RCC_CHECK_EQ(net.Received(0, 1, net.qp).bytes, 5000000, "");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().packetsSent, 5000, "nothing is sent twice");
    RCC_CHECK_EQ(net.Counters().packetsOverrun + net.sw->GetDroppedPackets(), 0, "");
    RCC_CHECK_GE(net.nics[1]->GetPort(0)->GetCounters().pausesSent, 10, "");
}

/// Another class loses what does not fit, and repeats it.
void
Drops()
{
    SlowHost net(0.25, 50000, 0);
    net.qp = net.Send(0, 1, net.algorithm, 1000000);
    RccRunTo(500000000);
    RCC_CHECK_EQ(net.Received(0, 1, net.qp).bytes, 1000000, "");
    RCC_CHECK_EQ(net.nics[1]->GetPort(0)->GetCounters().pausesSent, 0, "");
    RCC_CHECK_GE(net.Counters().packetsOverrun, 10, "");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().packetsSent,
                 net.Counters().packetsDelivered + net.Counters().packetsOutOfOrder + net.Counters().packetsOverrun,
                 "");
}

/// A host reads nothing for as long as pauses have to be refreshed, over a link that fails; then it reads everything.
void
StopsAndResumes()
{
    SlowHost net(1, 50000, 1u << 3);
    net.qp = net.Send(0, 1, net.algorithm, 2000000);
    RccAt(50000, [&] { net.nics[1]->StopReading(30000); });
    RccRunTo(60000);
    const uint64_t before = net.Counters().packetsDelivered;
    RccRunTo(5000000);
    RCC_CHECK_EQ(net.Counters().packetsDelivered, before, "");
    RCC_CHECK(net.sw->GetPort(1)->GetPausedClasses() & 1u << 3, "for 15 times as long as a PFC frame can pause");
    RccAt(5000000, [&] { net.Link(1)->TakeDown(RccNow()); });
    RccAt(5100000, [&] { net.Link(1)->BringUp(RccNow()); });
    RccRunTo(5200000);
    RCC_CHECK(net.sw->GetPort(1)->GetPausedClasses() & 1u << 3, "the link is paused again");
    RccAt(6000000, [&] { net.nics[1]->ResumeReading(); });
    RccRunTo(6000001);
    RCC_CHECK_GE(net.Counters().packetsDelivered, before + 30, "what has waited");
    RccRunTo(20000000);
    RCC_CHECK_EQ(net.Received(0, 1, net.qp).bytes, 2000000, "");
    RCC_CHECK_EQ(net.Counters().packetsOverrun, 0, "");
}

/// A stop before the first queue pair holds when that is opened, with a host that is slow too, which goes on at its
/// rate.
void
StopsBeforeTheFirstQueuePair()
{
    for (const double share : {1.0, 0.5})
    {
        SlowHost net(share, 50000, 1u << 3);
        net.nics[0]->SetAttribute("RetransmissionTimeout", TimeValue(MilliSeconds(100)));
        net.nics[1]->StopReading(30000);
        net.qp = net.Send(0, 1, net.algorithm, 5000000);
        RccRunTo(1000000);
        RCC_CHECK_EQ(net.Counters().packetsDelivered, 0, share);
        net.Send(0, 1, net.algorithm, 1000);
        RccRunTo(2000000);
        RCC_CHECK_EQ(net.Counters().packetsDelivered, 0, share);
        net.nics[1]->ResumeReading();
        RccRunTo(2200000);
        const uint64_t before = net.Counters().bytesDelivered;
        RccRunTo(2700000);
        const double rate = static_cast<double>(net.Counters().bytesDelivered - before) * 8 / 500000;
        RCC_CHECK_NEAR(rate, 40 * share, 0.2, rate << " Gb/s of " << share);
        RCC_CHECK_EQ(net.Counters().packetsOverrun, 0, share);
        Simulator::Destroy();
    }
}

/// Attributes set between the end of a stop and the first queue pair hold.
void
SlowAfterAStop()
{
    SlowHost net(1, 50000, 1u << 3);
    net.nics[1]->StopReading(30000);
    net.nics[1]->ResumeReading();
    net.nics[1]->SetAttribute("DrainShare", DoubleValue(0.25));
    net.qp = net.Send(0, 1, net.algorithm, 5000000);
    RccRunTo(1000000);
    const uint64_t before = net.Counters().bytesDelivered;
    RccRunTo(2000000);
    RCC_CHECK_NEAR(static_cast<double>(net.Counters().bytesDelivered - before) * 8 / 1000000, 10, 0.1, "");
}

/// The largest delay of the end point that acknowledgements tell.
struct Remote : RccTestTap
{
    uint32_t most{0};

    void Tap(const RccFrame* frame, bool received, int64_t) override
    {
        most = received && frame->kind == RccFrameKind::ACK ? std::max(most, frame->remote) : most;
    }
};

/// The time in the buffer is the host's: Swift's acknowledgements have it as the delay of the end point.
void
DelayOfTheEndPoint()
{
    for (const double share : {1.0, 0.25})
    {
        SlowHost net(share, 1 << 20, 1u << 3, "swift");
        Remote remote;
        net.nics[0]->GetPort(0)->AddObserver(&remote, QBB_OBSERVE_FRAMES);
        net.qp = net.Send(0, 1, net.algorithm, 64000);
        RccRunTo(1000000);
        RCC_CHECK_EQ(net.Received(0, 1, net.qp).bytes, 64000, "");
        const bool waits = share < 1;
        const uint32_t most = remote.most;
        RCC_CHECK(waits ? most > 1000 && most < 64 * 1100 * 8 / 10 : most == 0, most << " ns");
        Simulator::Destroy();
    }
}

RccTestSuite g_intakeSuite("rcc-rdma-intake", {{"rate", Rate},
                                               {"pauses", Pauses},
                                               {"drops", Drops},
                                               {"stops-and-resumes", StopsAndResumes},
                                               {"stops-before-the-first-queue-pair", StopsBeforeTheFirstQueuePair},
                                               {"slow-after-a-stop", SlowAfterAStop},
                                               {"delay-of-the-end-point", DelayOfTheEndPoint}});

} // namespace
