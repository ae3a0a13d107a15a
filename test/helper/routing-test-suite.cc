/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbSetRoutes and QbbFatTree: shortest paths, all of them, and only them. */
#include "rcc-test-net.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/qbb-fat-tree.h"
#include "ns3/qbb-leaf-spine.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-random.h"
#include "ns3/rdma-client.h"
#include "ns3/rdma-path.h"
#include "ns3/uinteger.h"

#include <map>

using namespace ns3;

namespace
{

/// Counts the hops of every DATA frame: the ports it was received on.
struct Hops : RccTestTap
{
    std::vector<uint32_t> ofFlow;
    void Tap(const RccFrame* frame, bool received, int64_t) override
    {
        if (received && frame->kind == RccFrameKind::DATA)
        {
            ofFlow[frame->src]++;
        }
    }
};

void
Send(Ptr<Node> from, Ptr<RdmaNic> to, Ptr<RccAlgorithm> algorithm, uint64_t bytes)
{
    Ptr<RdmaClient> client = CreateObject<RdmaClient>();
    client->SetAttribute("Remote", PointerValue(to));
    client->SetAttribute("Algorithm", PointerValue(algorithm));
    client->SetAttribute("MessageSize", UintegerValue(bytes));
    from->AddApplication(client);
}

void
FatTreeHops()
{
    // k = 4, full: 16 hosts. One packet from every host to host 0.
    QbbFatTree tree = QbbFatTree::Create(QbbHelper(), 4, 4);
    RCC_CHECK_EQ(tree.hosts.GetN(), 16, "hosts");
    RCC_CHECK_EQ(tree.edges.GetN() + tree.aggregations.GetN() + tree.cores.GetN(), 20, "switches");
    Hops hops;
    hops.ofFlow.resize(64);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    for (const auto& sw : tree.Switches())
    {
        RCC_CHECK_EQ(sw->Start(), "", "start");
        RCC_CHECK_EQ(sw->GetNPorts(), 4, "every switch of a full fat tree has k ports");
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            sw->GetPort(p)->AddObserver(&hops, QBB_OBSERVE_FRAMES);
        }
    }
    for (uint32_t h = 1; h < 16; h++)
    {
        Send(tree.hosts.Get(h), tree.nics[0], algorithm, 100);
    }
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    RCC_CHECK_EQ(tree.nics[0]->GetCounters().packetsDelivered, 15, "delivered");
    for (uint32_t h = 1; h < 16; h++)
    {
        uint32_t switches = h < 2 ? 1 : h < 4 ? 3 : 5; // same edge, same pod, another pod
        RCC_CHECK_EQ(hops.ofFlow[tree.hosts.Get(h)->GetId()], switches, "switches between host " << h << " and host 0");
    }
}

void
FatTreeSpreads()
{
    // 4000 flows from one pod to another: every core port towards that pod gets its quarter.
    QbbFatTree tree = QbbFatTree::Create(QbbHelper(), 4, 4);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    for (const auto& sw : tree.Switches())
    {
        RCC_CHECK_EQ(sw->Start(), "", "");
    }
    const uint32_t flows = 4000;
    for (uint32_t i = 0; i < flows; i++)
    {
        Send(tree.hosts.Get(i % 4), tree.nics[12 + i % 4], algorithm, 100);
    }
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();
    uint64_t sum = 0;
    for (uint32_t c = 0; c < 4; c++)
    {
        uint64_t n = tree.cores.Get(c)->GetObject<QbbSwitch>()->GetPort(3)->GetCounters().txFrames;
        sum += n;
        // a binomial share of 1/4: 1000 +- 27, five sigma
        RCC_CHECK_GE(n, 1000 - 137, "core " << c);
        RCC_CHECK_LE(n, 1000 + 137, "core " << c);
    }
    RCC_CHECK_EQ(sum, flows, "all of them through the core");
}

void
FewerCores()
{
    // k = 4 with 2 cores: aggregation switches have one uplink, 2 paths between pods.
    QbbFatTree tree = QbbFatTree::Create(QbbHelper(), 4, 2);
    RCC_CHECK_EQ(tree.cores.Get(1)->GetObject<QbbSwitch>()->GetNPorts(), 4, "a core switch has one port per pod");
    RCC_CHECK_EQ(tree.aggregations.Get(0)->GetObject<QbbSwitch>()->GetNPorts(), 3, "two edges and one core");
}

void
DualHomed()
{
    // host 0 on switches a and b, host 1 on b only: a reaches host 0 directly and host 1 through b.
    QbbHelper helper;
    NodeContainer nodes;
    nodes.Create(4);
    Ptr<RdmaNic> nic0 = helper.InstallHost(nodes.Get(0));
    Ptr<RdmaNic> nic1 = helper.InstallHost(nodes.Get(1));
    Ptr<QbbSwitch> a = helper.InstallSwitch(nodes.Get(2));
    Ptr<QbbSwitch> b = helper.InstallSwitch(nodes.Get(3));
    helper.Connect(nodes.Get(0), nodes.Get(2));
    helper.Connect(nodes.Get(0), nodes.Get(3));
    helper.Connect(nodes.Get(1), nodes.Get(3));
    helper.Connect(nodes.Get(2), nodes.Get(3));
    RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "routes");
    RCC_CHECK_EQ(a->Start(), "", "");
    RCC_CHECK_EQ(b->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    for (int i = 0; i < 64; i++)
    {
        Send(nodes.Get(0), nic1, algorithm, 100);
        Send(nodes.Get(1), nic0, algorithm, 100);
    }
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    RCC_CHECK_EQ(nic1->GetCounters().packetsDelivered, 64, "to the single-homed host");
    RCC_CHECK_EQ(nic0->GetCounters().packetsDelivered, 64, "to the dual-homed host");
    uint64_t direct = b->GetPort(0)->GetCounters().txFrames;
    RCC_CHECK_GE(direct, 64, "host 1's packets go the short way, by b's own port to host 0");
}

/// 3 racks of 4 hosts, 2 spines: 1 switch within a rack, 3 between racks, and both spines in use at their own rate.
void
LeafSpine()
{
    const QbbLeafSpineShape shape{3, 4, 2, 10000000000, 25000000000};
    QbbLeafSpine tree = QbbLeafSpine::Create(QbbHelper(), shape);
    RCC_CHECK_EQ(tree.hosts.GetN(), 12, "hosts");
    RCC_CHECK_EQ(tree.Switches().size(), 5, "switches");
    Hops hops;
    hops.ofFlow.resize(64);
    for (const auto& sw : tree.Switches())
    {
        RCC_CHECK_EQ(sw->Start(), "", "start");
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            sw->GetPort(p)->AddObserver(&hops, QBB_OBSERVE_FRAMES);
        }
    }
    Ptr<QbbSwitch> leaf = tree.leaves.Get(1)->GetObject<QbbSwitch>();
    RCC_CHECK_EQ(leaf->GetNPorts(), 6, "4 hosts and 2 spines");
    RCC_CHECK_EQ(leaf->GetPort(3)->GetRate(), 10000000000, "to a host");
    RCC_CHECK_EQ(leaf->GetPort(4)->GetRate(), 25000000000, "to a spine");
    RCC_CHECK_EQ(tree.spines.Get(1)->GetObject<QbbSwitch>()->GetNPorts(), 3, "a spine has a port per rack");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    for (uint32_t h = 1; h < 12; h++)
    {
        Send(tree.hosts.Get(h), tree.nics[0], algorithm, 100);
    }
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    for (uint32_t h = 1; h < 12; h++)
    {
        RCC_CHECK_EQ(hops.ofFlow[tree.hosts.Get(h)->GetId()], h < 4 ? 1 : 3, "switches between host " << h << " and 0");
    }
    const uint32_t flows = 2000;
    for (uint32_t i = 0; i < flows; i++)
    {
        Send(tree.hosts.Get(4 + i % 4), tree.nics[8 + i % 4], algorithm, 100);
    }
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();
    for (uint32_t s = 0; s < 2; s++)
    {
        // a binomial share of 1/2: 1000 +- 22, five sigma
        RCC_CHECK_NEAR(tree.spines.Get(s)->GetObject<QbbSwitch>()->GetPort(2)->GetCounters().txFrames, flows / 2, 112,
                       "spine " << s);
    }
}

void
FatTreeCoreRate()
{
    QbbFatTree tree = QbbFatTree::Create(QbbHelper(), 4, 4, 100000000000);
    Ptr<QbbSwitch> aggregation = tree.aggregations.Get(5)->GetObject<QbbSwitch>();
    RCC_CHECK_EQ(aggregation->GetPort(0)->GetRate(), 40000000000, "to an edge switch");
    RCC_CHECK_EQ(aggregation->GetPort(2)->GetRate(), 100000000000, "to a core switch");
    RCC_CHECK_EQ(tree.cores.Get(3)->GetObject<QbbSwitch>()->GetPort(3)->GetRate(), 100000000000, "and back");
}

/// The ports of each switch that are nearer to a host, by a search for this host alone.
void
CheckAgainstSearch(const NodeContainer& nodes, Ptr<Node> host)
{
    std::map<uint32_t, uint32_t> distance; // by node id, of switches
    std::vector<Ptr<Node>> queue(1, host);
    auto peer = [](Ptr<NetDevice> device) {
        return DynamicCast<QbbChannel>(device->GetChannel())->GetPeer(PeekPointer(DynamicCast<QbbNetDevice>(device)));
    };
    distance[host->GetId()] = 0;
    for (size_t i = 0; i < queue.size(); i++)
    {
        for (uint32_t p = 0; p < queue[i]->GetNDevices(); p++)
        {
            Ptr<Node> next = peer(queue[i]->GetDevice(p))->GetNode();
            if (next->GetObject<QbbSwitch>() && !distance.count(next->GetId()))
            {
                distance[next->GetId()] = distance[queue[i]->GetId()] + 1;
                queue.push_back(next);
            }
        }
    }
    for (auto n = nodes.Begin(); n != nodes.End(); ++n)
    {
        Ptr<QbbSwitch> sw = (*n)->GetObject<QbbSwitch>();
        std::vector<uint32_t> nearer;
        for (uint32_t p = 0; sw && p < sw->GetNPorts(); p++)
        {
            Ptr<Node> next = peer(sw->GetPort(p))->GetNode();
            const bool on = next == host || next->GetObject<QbbSwitch>();
            if (on && distance[next->GetId()] + 1 == distance[(*n)->GetId()])
            {
                nearer.push_back(p);
            }
        }
        if (sw)
        {
            RCC_CHECK(sw->GetRoute(host->GetId()) == nearer, "switch " << (*n)->GetId() << " to " << host->GetId());
        }
    }
}

/// Random networks with more than 64 groups of hosts, hosts on two switches, and two links between the same nodes.
void
RandomNetworks()
{
    for (uint64_t seed = 0; seed < 6; seed++)
    {
        uint64_t draws = 0;
        auto draw = [&](uint64_t n) { return static_cast<uint32_t>(RccUniform(seed, draws++, n)); };
        const uint32_t switches = seed < 3 ? 90 : 12, hosts = 120;
        QbbHelper helper;
        NodeContainer nodes;
        nodes.Create(switches + hosts);
        for (uint32_t i = 0; i < switches; i++)
        {
            helper.InstallSwitch(nodes.Get(i));
            if (i > 0)
            {
                helper.Connect(nodes.Get(i), nodes.Get(draw(i)));
            }
        }
        for (uint32_t i = 0; i < 2 * switches; i++)
        {
            const uint32_t a = draw(switches), b = draw(switches);
            if (a != b)
            {
                helper.Connect(nodes.Get(a), nodes.Get(b));
            }
        }
        for (uint32_t i = switches; i < switches + hosts; i++)
        {
            helper.InstallHost(nodes.Get(i));
            for (uint32_t links = 0; links <= draw(3); links++)
            {
                helper.Connect(nodes.Get(i), nodes.Get(draw(switches)));
            }
        }
        RCC_CHECK_EQ(QbbSetRoutes(nodes, seed % 2), "", "seed " << seed);
        for (uint32_t i = switches; i < switches + hosts; i++)
        {
            CheckAgainstSearch(nodes, nodes.Get(i));
        }
        Simulator::Destroy();
    }
}

/// The longest round trip of a network, which is found without asking every pair of hosts, against every pair.
void
LongestRoundTrip()
{
    for (uint64_t seed = 0; seed < 40; seed++)
    {
        uint64_t draws = 0;
        auto draw = [&](uint64_t n) { return static_cast<uint32_t>(RccUniform(seed, draws++, n)); };
        const uint32_t switches = 1 + draw(4), hosts = 2 + draw(20);
        QbbHelper helper;
        NodeContainer nodes;
        nodes.Create(switches + hosts);
        std::vector<Ptr<RdmaNic>> nics;
        auto connect = [&](uint32_t a, uint32_t b) {
            helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate((10 + 30 * draw(2)) * 1000000000ull)));
            helper.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1 + draw(2))));
            helper.Connect(nodes.Get(a), nodes.Get(b));
        };
        for (uint32_t i = 0; i < switches; i++)
        {
            helper.InstallSwitch(nodes.Get(i));
            if (i > 0)
            {
                connect(i, draw(i));
            }
        }
        for (uint32_t i = switches; i < switches + hosts; i++)
        {
            helper.SetNicAttribute("Mtu", UintegerValue(draw(8) ? 1000 : 4000));
            nics.push_back(helper.InstallHost(nodes.Get(i)));
            for (uint32_t links = draw(8) ? 1 : 2; links > 0; links--)
            {
                connect(i, draw(switches));
            }
        }
        RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "seed " << seed);
        int64_t longest = 0;
        for (const auto& nic : nics)
        {
            for (uint32_t to = switches; to < switches + hosts; to++)
            {
                longest =
                    nic == nics[to - switches] ? longest : std::max(longest, RdmaBaseRtt(*nic, nodes.Get(to)->GetId()));
            }
        }
        RCC_CHECK_EQ(RdmaSetBaseRtt(nics), longest, "seed " << seed);
        Simulator::Destroy();
    }
}

/// The longest way of a NIC with several ports counts, through any port that its queue pairs may use.
void
LongestPort()
{
    QbbHelper helper;
    NodeContainer nodes;
    nodes.Create(4); // hosts 0 and 1, each on both switches
    std::vector<Ptr<RdmaNic>> nics = {helper.InstallHost(nodes.Get(0)), helper.InstallHost(nodes.Get(1))};
    for (const uint32_t s : {2, 3})
    {
        helper.InstallSwitch(nodes.Get(s));
        helper.SetChannelAttribute("Delay", TimeValue(MicroSeconds(s == 2 ? 1 : 10)));
        helper.Connect(nodes.Get(0), nodes.Get(s));
        helper.Connect(nodes.Get(1), nodes.Get(s));
    }
    RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "");
    const uint32_t dst = nodes.Get(1)->GetId();
    const auto through = [&](uint32_t port) {
        return RccIdealFct(RdmaPathTo(*nics[0], port, dst, nullptr), 1000, 1000, 1);
    };
    RCC_CHECK_EQ(through(1) - through(0), 36000, "four times 9 us");
    RCC_CHECK_EQ(RdmaBaseRtt(*nics[0], dst), through(1), "");
    RCC_CHECK_EQ(RdmaSetBaseRtt(nics), through(1), "");
    TimeValue set;
    nics[1]->GetAttribute("BaseRtt", set);
    RCC_CHECK_EQ(set.Get().GetNanoSeconds(), through(1), "");
    nics[0]->SetRoute(dst, {0});
    RCC_CHECK_EQ(RdmaBaseRtt(*nics[0], dst), through(0), "no queue pair to it uses port 1");
    RCC_CHECK_EQ(RdmaSetBaseRtt(nics), through(1), "but those of the other host do");
    nics[1]->SetRoute(nodes.Get(0)->GetId(), {0});
    RCC_CHECK_EQ(RdmaSetBaseRtt(nics), through(0), "");
}

/// A NIC that has no port, or is on no node, has no path.
void
NoPort()
{
    QbbHelper helper;
    NodeContainer nodes;
    nodes.Create(3);
    QbbStar star = QbbStar::Create(helper, 2);
    const Ptr<RdmaNic> bare = helper.InstallHost(nodes.Get(0));
    const uint32_t dst = star.hosts.Get(0)->GetId();
    RCC_CHECK_EQ(RdmaBaseRtt(*bare, dst), 0, "");
    RCC_CHECK(RdmaPathTo(*bare, 0, dst, nullptr).empty(), "");
    RCC_CHECK(RdmaPathTo(*star.nics[1], 1, dst, nullptr).empty(), "a port that there is not");
    RCC_CHECK_EQ(RdmaSetBaseRtt({bare}), 0, "");
    RCC_CHECK_EQ(RdmaSetBaseRtt({}), 0, "");
    const int64_t rtt = RdmaBaseRtt(*star.nics[0], star.hosts.Get(1)->GetId());
    RCC_CHECK_GE(rtt, 1, "");
    const Ptr<RdmaNic> nowhere = CreateObject<RdmaNic>();
    RCC_CHECK_EQ(RdmaSetBaseRtt({bare, star.nics[0], nowhere, star.nics[1]}), rtt, "");
}

/// A switch stores a route per edge switch and one per host of its own, not one per host of the network.
void
StoredRoutes()
{
    QbbFatTree tree = QbbFatTree::Create(QbbHelper(), 8, 16);
    const size_t groups = tree.edges.GetN() + 1; // one per edge switch, and the list of no ports
    RCC_CHECK_EQ(tree.edges.Get(3)->GetObject<QbbSwitch>()->GetRoutes().CountStored(), groups + 4, "edge");
    RCC_CHECK_EQ(tree.aggregations.Get(3)->GetObject<QbbSwitch>()->GetRoutes().CountStored(), groups, "aggregation");
    RCC_CHECK_EQ(tree.cores.Get(3)->GetObject<QbbSwitch>()->GetRoutes().CountStored(), groups, "core");
}

/// Up-down routes of a host on two switches: through the nearer one, and never through one without a way.
void
UpDownDualHomed()
{
    for (const bool cut : {false, true})
    {
        // hosts 0 (on a and d) and 1 (on d); a - b - c - d in a line, and with `cut` a and b apart
        QbbHelper helper;
        NodeContainer nodes;
        nodes.Create(6);
        Ptr<RdmaNic> nic0 = helper.InstallHost(nodes.Get(0));
        Ptr<RdmaNic> nic1 = helper.InstallHost(nodes.Get(1));
        for (uint32_t s = 2; s < 6; s++)
        {
            helper.InstallSwitch(nodes.Get(s));
        }
        helper.Connect(nodes.Get(0), nodes.Get(2));
        helper.Connect(nodes.Get(0), nodes.Get(5));
        helper.Connect(nodes.Get(1), nodes.Get(5));
        Ptr<QbbChannel> first = helper.Connect(nodes.Get(2), nodes.Get(3));
        helper.Connect(nodes.Get(3), nodes.Get(4));
        helper.Connect(nodes.Get(4), nodes.Get(5));
        if (cut)
        {
            first->TakeDown(0);
        }
        QbbSetUpDownRoutes(nodes);
        for (const auto& sw : QbbGetSwitches(nodes))
        {
            RCC_CHECK_EQ(sw->Start(), "", "");
        }
        Hops hops;
        hops.ofFlow.resize(nodes.Get(5)->GetId() + 1);
        for (const auto& port : QbbGetPorts(nodes))
        {
            if (port->GetNode()->GetObject<QbbSwitch>())
            {
                port->AddObserver(&hops, QBB_OBSERVE_FRAMES);
            }
        }
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
        for (int i = 0; i < 16; i++)
        {
            Send(nodes.Get(0), nic1, algorithm, 100);
            Send(nodes.Get(1), nic0, algorithm, 100);
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        RCC_CHECK_EQ(nic1->GetCounters().packetsDelivered, 16, "all arrive, cut: " << cut);
        RCC_CHECK_EQ(nic0->GetCounters().packetsDelivered, 16, "all arrive, cut: " << cut);
        RCC_CHECK_EQ(hops.ofFlow[nodes.Get(0)->GetId()], 16, "one switch on the way of each");
        Simulator::Destroy();
    }
}

/// A host that is linked to another one and to a switch sends to a third one through the switch: hosts do not forward.
/// Of two switches it takes the nearer one.
void
LinkedHosts()
{
    QbbHelper helper;
    NodeContainer nodes;
    nodes.Create(5); // hosts 0 to 2, switches 3 and 4
    std::vector<Ptr<RdmaNic>> nics;
    for (uint32_t h = 0; h < 3; h++)
    {
        nics.push_back(helper.InstallHost(nodes.Get(h)));
    }
    for (uint32_t s = 3; s < 5; s++)
    {
        helper.InstallSwitch(nodes.Get(s));
        helper.Connect(nodes.Get(0), nodes.Get(s));
    }
    helper.Connect(nodes.Get(0), nodes.Get(1));
    helper.Connect(nodes.Get(1), nodes.Get(3));
    helper.Connect(nodes.Get(2), nodes.Get(3));
    helper.Connect(nodes.Get(3), nodes.Get(4));
    RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "");
    for (const auto& sw : QbbGetSwitches(nodes))
    {
        RCC_CHECK_EQ(sw->Start(), "", "");
    }
    Hops hops;
    hops.ofFlow.resize(nodes.Get(4)->GetId() + 1);
    for (const auto& port : QbbGetPorts(nodes))
    {
        port->AddObserver(&hops, QBB_OBSERVE_FRAMES);
    }
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    for (int i = 0; i < 16; i++)
    {
        Send(nodes.Get(0), nics[2], algorithm, 100);
        Send(nodes.Get(1), nics[0], algorithm, 100);
    }
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    RCC_CHECK_EQ(nics[2]->GetCounters().packetsDelivered, 16, "");
    RCC_CHECK_EQ(hops.ofFlow[nodes.Get(0)->GetId()], 32, "one switch on the way, and the receiver");
    RCC_CHECK_EQ(hops.ofFlow[nodes.Get(1)->GetId()], 16, "their own link");
}

RccTestSuite g_routingSuite("rcc-routing", {{"random networks", RandomNetworks},
                                            {"longest round trip", LongestRoundTrip},
                                            {"longest port", LongestPort},
                                            {"no port", NoPort},
                                            {"stored routes", StoredRoutes},
                                            {"leaf-spine", LeafSpine},
                                            {"fat tree core rate", FatTreeCoreRate},
                                            {"fat tree hops", FatTreeHops},
                                            {"fat tree spreads flows", FatTreeSpreads},
                                            {"fewer cores", FewerCores},
                                            {"dual-homed host", DualHomed},
                                            {"up-down, dual-homed host", UpDownDualHomed},
                                            {"linked hosts", LinkedHosts}});

} // namespace
