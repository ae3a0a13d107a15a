/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Back-off and retry limit of the retransmission timeout, acknowledgements that make no sense, RdmaClientHelper. */
#include "rcc-test-net.h"

#include "ns3/boolean.h"
#include "ns3/rdma-client-helper.h"

#include <vector>

using namespace ns3;

namespace
{

const int64_t RTO = 1000000;

/// Two hosts on a switch; from some time on, data of the first one is lost.
struct SilentNet : RccTestStar
{
    RccTestLoss loss;
    int64_t from;
    std::vector<int64_t> timeouts; //!< when they expired, ns
    std::vector<int64_t> failures;

    SilentNet(int64_t silentFrom, bool backoff, uint32_t limit) : from(silentFrom)
    {
        helper.SetNicAttribute("RetransmissionTimeout", TimeValue(NanoSeconds(RTO)));
        helper.SetNicAttribute("RetransmissionBackoff", BooleanValue(backoff));
        helper.SetNicAttribute("RetryLimit", UintegerValue(limit));
        Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(sw->Start(), "", "");
        loss.loses = [this](const RccFrame& f) { return f.kind == RccFrameKind::DATA && RccNow() >= from; };
        Link(0)->SetDisturbance(&loss);
        nics[0]->TraceConnectWithoutContext("GoBack", MakeCallback(&SilentNet::WentBack, this));
        nics[0]->TraceConnectWithoutContext("QpFailed", MakeCallback(&SilentNet::Failed, this));
    }

    void WentBack(uint32_t, uint64_t, uint64_t, bool timeout)
    {
        RCC_CHECK(timeout, "no NAK: nothing arrives");
        timeouts.push_back(RccNow());
    }

    void Failed(uint32_t qp)
    {
        RCC_CHECK(nics[0]->GetSendQp(qp).tx.failed, "");
        failures.push_back(RccNow());
    }
};

/// Times between timeouts are T each, or T, 2T, 4T ... up to 128 T; without a limit they go on.
void
Backoff()
{
    for (bool backoff : {false, true})
    {
        SilentNet net(0, backoff, 0);
        net.Send(0, 1, RccAlgorithm::Create("none"), 1000);
        RccRunTo(1000 * RTO + RTO / 2);
        RCC_CHECK_EQ(net.failures.size(), 0, "no limit");
        RCC_CHECK_EQ(net.timeouts.size(), backoff ? 13 : 1000, "eight in 255 T, then one in 128 T");
        for (size_t i = 1; i < net.timeouts.size(); i++)
        {
            const int64_t wait = backoff ? RTO << std::min<size_t>(i, 7) : RTO;
            RCC_CHECK_NEAR(net.timeouts[i] - net.timeouts[i - 1], wait, 10, "timeout " << i);
        }
        Simulator::Destroy();
    }
}

/// After RetryLimit timeouts the next one ends the queue pair.
void
RetryLimit()
{
    SilentNet net(0, false, 3);
    const uint32_t qp = RdmaNic::Connect(net.nics[0], net.nics[1], RccAlgorithm::Create("dcqcn"), 3);
    net.nics[0]->Post(qp, 5000, MakeCallback(&SilentNet::Failed, &net)); // never called: the message does not end
    net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 5000);
    RccAt(10 * RTO, [&]() { net.from = INT64_MAX; });
    RccRunTo(20 * RTO);
    RCC_CHECK_EQ(net.timeouts.size(), 2 * 3, "three retries of either queue pair");
    RCC_CHECK_EQ(net.failures.size(), 2, "both fail, no message ends");
    RCC_CHECK_NEAR(net.failures[0], 4 * RTO, 10000, "");
    RCC_CHECK_EQ(net.nics[0]->GetCounters().timeouts, 8, "");
    const uint64_t sent = net.nics[0]->GetSendQp(qp).packetsSent;
    net.nics[0]->Post(qp, 5000, MakeNullCallback<void, uint32_t>());
    RccRunTo(30 * RTO);
    RCC_CHECK_EQ(net.nics[0]->GetSendQp(qp).packetsSent, sent, "a failed queue pair sends nothing");
    net.nics[0]->Close(qp);
    const uint32_t next = net.Send(0, 1, RccAlgorithm::Create("dcqcn"), 5000);
    RccRunTo(40 * RTO);
    RCC_CHECK_EQ(net.Received(0, 1, next).bytes, 5000, "others are unharmed");
}

/// An ACK of packets that were never sent is counted and changes nothing.
void
InvalidAck()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 50000);
    RccAt(1000, [&]() {
        RccFrame* ack = RccFramePool::Current()->Get();
        ack->kind = RccFrameKind::ACK;
        ack->dst = star.nodes[0]->GetId();
        ack->dstQp = qp;
        ack->psn = 1000000;
        static_cast<QbbPortOwner*>(PeekPointer(star.nics[0]))->FrameArrived(0, ack, RccNow());
    });
    RccRunTo(1000000);
    RCC_CHECK_EQ(star.nics[0]->GetCounters().acksInvalid, 1, "");
    RCC_CHECK_EQ(star.nics[0]->GetSendQp(qp).tx.una, 50, "");
    RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, 50000, "");
}

/// The clients have the attributes that the helper was given.
void
ClientHelper()
{
    RccTestStar star;
    star.Build(3, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    RdmaClientHelper helper(star.nics[1], RccAlgorithm::Create("dcqcn"));
    helper.SetRemote(star.nics[2]);
    helper.SetAlgorithm(RccAlgorithm::Create("none"));
    helper.SetMessageSize(100000);
    helper.SetDataRate(DataRate(G));
    helper.SetWindow(30000, true);
    helper.SetTrafficClass(5);
    NodeContainer nodes(star.nodes[0]);
    nodes.Add(star.nodes[1]);
    ApplicationContainer clients = helper.Install(nodes);
    helper.SetAttribute("MessageSize", UintegerValue(1));
    RCC_CHECK_EQ(helper.Create()->GetSize(), 1, "the next clients");
    clients.Start(NanoSeconds(5));
    RccRunTo(2000000);
    RCC_CHECK_EQ(clients.GetN(), 2, "");
    for (uint32_t i = 0; i < 2; i++)
    {
        Ptr<RdmaClient> client = clients.Get(i)->GetObject<RdmaClient>();
        const RdmaSendQp& qp = star.nics[i]->GetSendQp(client->GetQp());
        RCC_CHECK_EQ(client->GetSize(), 100000, "");
        RCC_CHECK_EQ(std::string(star.nics[i]->GetAlgorithmName(client->GetQp())), "none", "");
        RCC_CHECK(qp.dst == star.nodes[2]->GetId() && qp.cls == 5 && qp.started == 5, "");
        RCC_CHECK(qp.tx.window == 30000 && qp.tx.variable_window && qp.tx.offer.rate == G, "");
        RCC_CHECK_NEAR(client->GetCompletionTime(), 100 * (1062 + 20) * 8, 20000, "at 1 Gb/s");
    }
}

/// A window may change while the queue pair sends: what it held back goes on, and one that is below what is in flight
/// opens again although no packet that left has asked for an acknowledgement.
void
WindowChanges()
{
    const uint64_t bytes = 3000000;
    const std::function<void(RdmaNic&, uint32_t)> changes[] = {
        [](RdmaNic& nic, uint32_t qp) { nic.SetWindow(qp, 0, false); },
        [](RdmaNic& nic, uint32_t qp) { nic.SetWindow(qp, 1000000, false); },
        [](RdmaNic& nic, uint32_t qp) { nic.SetWindow(qp, 1000, false); }};
    for (uint64_t window : {1000, 0})
    {
        for (const auto& change : changes)
        {
            RccTestStar star;
            star.helper.SetNicAttribute("AckEvery", UintegerValue(1000000));
            star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
            star.Build(2, 40 * G, 1000);
            RCC_CHECK_EQ(star.sw->Start(), "", "");
            const uint32_t qp = RdmaNic::Connect(star.nics[0], star.nics[1], RccAlgorithm::Create("none"), 3);
            star.nics[0]->SetWindow(qp, window, false);
            star.nics[0]->Post(qp, bytes, MakeNullCallback<void, uint32_t>());
            RccAt(3000, [&] { change(*star.nics[0], qp); });
            RccRunTo(40000000);
            RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, bytes, "window " << window);
            RCC_CHECK_GE(star.nics[0]->GetSendQp(qp).finished, 0, "window " << window);
            Simulator::Destroy();
        }
    }
}

RccTestSuite g_rdmaRetrySuite("rcc-rdma-retry", {{"backoff", Backoff},
                                                 {"retry-limit", RetryLimit},
                                                 {"invalid-ack", InvalidAck},
                                                 {"client-helper", ClientHelper},
                                                 {"window-changes", WindowChanges}});

} // namespace
