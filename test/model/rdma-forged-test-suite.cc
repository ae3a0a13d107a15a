/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Frames that nobody of the network has sent: what cannot be true is counted, traced and dropped, and harms nothing. */
#include "rcc-test-net.h"

using namespace ns3;

namespace
{

const RccFrameKind KINDS[] = {RccFrameKind::DATA, RccFrameKind::ACK, RccFrameKind::NAK, RccFrameKind::CNP,
                              RccFrameKind::CNM};

uint32_t g_rejected;

void
CountRejected(const RccFrame&)
{
    g_rejected++;
}

/// Two hosts at a switch, with one message on its way.
struct ForgedNet
{
    RccTestStar star;
    uint32_t qp;

    explicit ForgedNet(const char* algorithm)
    {
        g_rejected = 0;
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        qp = star.Send(0, 1, RccAlgorithm::Create(algorithm), 5000000);
        for (const auto& nic : star.nics)
        {
            nic->TraceConnectWithoutContext("FrameRejected", MakeCallback(&CountRejected));
        }
    }

    void Inject(RccFrameKind kind, uint32_t host, uint32_t dstQp, uint32_t period = 0, uint64_t psn = 0)
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = kind;
        f->src = star.nodes[1 - host]->GetId();
        f->dst = star.nodes[host]->GetId();
        f->dstQp = dstQp;
        f->psn = psn;
        f->bytes = 100;
        if (kind == RccFrameKind::CNP)
        {
            f->period = period;
        }
        static_cast<QbbPortOwner*>(PeekPointer(star.nics[host]))->FrameArrived(0, f, RccNow());
    }
};

/// DATA, ACK, NAK, CNP and CNM for queue pairs that do not exist, at both ends.
void
UnknownQueuePairs()
{
    ForgedNet net("dcqcn");
    RccAt(1000, [&]() {
        for (RccFrameKind kind : KINDS)
        {
            for (uint32_t host : {0u, 1u})
            {
                net.Inject(kind, host, 1);
                net.Inject(kind, host, 1000000);
                net.Inject(kind, host, UINT32_MAX);
            }
        }
    });
    RccRunTo(3000000);
    RCC_CHECK_EQ(g_rejected, 5 * 2 * 3, "traced");
    RCC_CHECK_EQ(net.star.nics[0]->GetCounters().framesRejected, 5 * 3, "counted");
    RCC_CHECK_EQ(net.star.nics[1]->GetCounters().framesRejected, 5 * 3, "counted");
    RCC_CHECK_EQ(net.star.Received(0, 1, net.qp).bytes, 5000000, "the message arrives");
    RCC_CHECK_EQ(net.star.nics[0]->GetCounters().cnpsReceived, 0, "a rejected frame counts as nothing else");
}

/// A CNP whose period would make a flow stand still for seconds.
void
LongPeriods()
{
    for (const char* algorithm : {"dcqcn-plus", "dcqcn"})
    {
        ForgedNet net(algorithm);
        RccAt(10000, [&]() {
            net.Inject(RccFrameKind::CNP, 0, net.qp, UINT32_MAX);
            net.Inject(RccFrameKind::CNP, 0, net.qp, 200000001);
        });
        RccRunTo(3000000);
        RCC_CHECK_EQ(net.star.nics[0]->GetCounters().framesRejected, 2, algorithm);
        RCC_CHECK_EQ(g_rejected, 2, algorithm);
        RCC_CHECK_EQ(net.star.Received(0, 1, net.qp).bytes, 5000000, algorithm << ": the message arrives in time");
        Simulator::Destroy();
    }
}

/// An acknowledgement of packets that were never sent is traced as well.
void
AckBeyond()
{
    for (const RccFrameKind kind : {RccFrameKind::ACK, RccFrameKind::NAK})
    {
        ForgedNet net("dcqcn");
        RccAt(1000, [&]() { net.Inject(kind, 0, net.qp, 0, 1000000); });
        RccRunTo(3000000);
        RCC_CHECK_EQ(g_rejected, 1, "traced");
        RCC_CHECK_EQ(net.star.nics[0]->GetCounters().acksInvalid, 1, "counted");
        RCC_CHECK_EQ(net.star.Received(0, 1, net.qp).bytes, 5000000, "the message arrives");
        Simulator::Destroy();
    }
}

/// One of a packet in flight cannot be told from a true one.
void
AnswersInFlight()
{
    for (const RccFrameKind kind : {RccFrameKind::ACK, RccFrameKind::NAK})
    {
        ForgedNet net("dcqcn");
        RccAt(1000, [&]() {
            RCC_CHECK_GE(net.star.nics[0]->GetSendQp(net.qp).tx.highest, 3, "packets have left");
            net.Inject(kind, 0, net.qp, 0, 2);
            RCC_CHECK_EQ(net.star.nics[0]->GetSendQp(net.qp).tx.una, 2, "obeyed");
        });
        RccRunTo(3000000);
        RCC_CHECK_EQ(g_rejected, 0, "not rejected");
        RCC_CHECK_EQ(net.star.nics[0]->GetCounters().acksInvalid, 0, "not rejected");
        Simulator::Destroy();
    }
}

RccTestSuite g_rdmaForgedSuite("rcc-rdma-forged", {{"unknown-queue-pairs", UnknownQueuePairs},
                                                   {"long-periods", LongPeriods},
                                                   {"ack-beyond", AckBeyond},
                                                   {"answers-in-flight", AnswersInFlight}});

} // namespace
