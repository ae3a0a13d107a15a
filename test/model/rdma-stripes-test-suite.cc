/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A message that is striped over the NICs of its host, by queue pairs that take the ports in turn. */
#include "rcc-test-net.h"

#include "ns3/boolean.h"

using namespace ns3;

namespace
{

const uint32_t RAILS = 4;
const uint64_t STRIPE = 1000000; // bytes of each of two queue pairs of a rail

/// Two hosts with a port at each of four switches.
struct Rails
{
    QbbHelper helper;
    Ptr<Node> hosts[2];
    Ptr<RdmaNic> nics[2];
    std::vector<Ptr<QbbSwitch>> switches;
    std::vector<uint32_t> qps;
    uint32_t ended{0};
    int64_t last{0};

    explicit Rails(bool inTurn)
    {
        helper.SetNicAttribute("PortsInTurn", BooleanValue(inTurn));
        helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(40 * G)));
        for (uint32_t i = 0; i < 2; i++)
        {
            hosts[i] = CreateObject<Node>();
            nics[i] = helper.InstallHost(hosts[i]);
        }
        for (uint32_t r = 0; r < RAILS; r++)
        {
            Ptr<Node> node = CreateObject<Node>();
            switches.push_back(helper.InstallSwitch(node));
            for (uint32_t i = 0; i < 2; i++)
            {
                helper.Connect(hosts[i], node);
                switches[r]->SetRoute(hosts[i]->GetId(), {i});
            }
            RCC_CHECK_EQ(switches[r]->Start(), "", "");
        }
    }

    /// A message of 8 MB in eight parts.
    void Send()
    {
        Ptr<RccAlgorithm> none = RccAlgorithm::Create("none");
        for (uint32_t i = 0; i < 2 * RAILS; i++)
        {
            qps.push_back(RdmaNic::Connect(nics[0], nics[1], none, 3));
            nics[0]->Post(qps.back(), STRIPE, RdmaCompletion(&Rails::PartEnded, this));
        }
    }

    static void PartEnded(void* rails, uint32_t)
    {
        auto self = static_cast<Rails*>(rails);
        self->ended++;
        self->last = RccNow();
    }

    uint64_t Sent(uint32_t port) const
    {
        return nics[0]->GetPort(port)->GetCounters().txFrames;
    }

    Ptr<QbbChannel> Link(uint32_t port) const
    {
        return DynamicCast<QbbChannel>(nics[0]->GetPort(port)->GetChannel());
    }
};

/// Each port carries a quarter, at its line rate. By hash one port has more.
void
OverAllPorts()
{
    int64_t took[2];
    for (const bool inTurn : {false, true})
    {
        Rails net(inTurn);
        net.Send();
        RccRunTo(100000000);
        RCC_CHECK_EQ(net.ended, 2 * RAILS, "");
        took[inTurn] = net.last;
        for (uint32_t p = 0; p < RAILS && inTurn; p++)
        {
            RCC_CHECK_EQ(net.Sent(p), 2 * STRIPE / 1000, "port " << p);
            RCC_CHECK_EQ(net.nics[0]->GetSendQp(net.qps[p]).portIndex, p, "");
            RCC_CHECK_EQ(net.nics[0]->GetSendQp(net.qps[p + RAILS]).portIndex, p, "");
        }
        Simulator::Destroy();
    }
    const int64_t ideal =
        RccTxTime(2 * STRIPE / 1000 * 1062, 40 * G); // 4 links of 1 us, a packet and an ACK come on top
    RCC_CHECK(took[1] >= ideal + 4000 && took[1] < ideal + 4600, took[1] << " ns, " << ideal);
    RCC_CHECK_GE(took[0], ideal * 5 / 4, "by hash");
}

/// A rail fails while the message is under way: its parts go on over the others, and come back with the rail.
void
Failover()
{
    Rails net(true);
    net.Send();
    RccAt(100000, [&] { net.Link(2)->TakeDown(RccNow()); });
    uint64_t before = 0;
    RccAt(100001, [&] { before = net.Sent(2); });
    RccAt(200000, [&] {
        RCC_CHECK_EQ(net.Sent(2), before, "nothing leaves through it");
        for (uint32_t qp : net.qps)
        {
            RCC_CHECK(net.nics[0]->GetSendQp(qp).portIndex != 2, qp);
        }
        net.Link(2)->BringUp(RccNow());
    });
    RccRunTo(100000000);
    RCC_CHECK_EQ(net.ended, 2 * RAILS, "");
    RCC_CHECK_EQ(net.nics[1]->GetCounters().payloadDelivered, 2 * RAILS * STRIPE, "each packet once");
    RCC_CHECK_GE(net.Sent(2), before + 100, "its parts are back");
    RCC_CHECK_EQ(net.nics[0]->GetSendQp(net.qps[2]).portIndex, 2, "");
    RCC_CHECK_GE(1500000, net.last, "ns, 400 us without a failure");
}

RccTestSuite g_stripesSuite("rcc-rdma-stripes", {{"over-all-ports", OverAllPorts}, {"failover", Failover}});

} // namespace
