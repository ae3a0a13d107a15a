/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* PFC deadlocks: found in the routes before a run and among the ports during it, and never where none is possible. */
#include "rcc-test.h"

#include "ns3/boolean.h"
#include "ns3/qbb-fat-tree.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-leaf-spine.h"
#include "ns3/qbb-routing.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/uinteger.h"
#include "qbb-pause-watchdog.h"

using namespace ns3;

namespace
{

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

const int64_t CHECK = 20000;  // ns between checks
const int64_t LIMIT = 200000; // ns that a queue of a deadlock is stuck

/// Switches with a host at each of some, links between switches, and flows without end and without congestion control.
struct Network
{
    NodeContainer nodes;
    std::vector<Ptr<QbbSwitch>> switches;
    std::vector<Ptr<RdmaNic>> nics; //!< by switch; null: it has no host
    QbbPauseWatchdog watchdog;

    Network(uint32_t nSwitches, const Edges& links, const std::vector<bool>& hasHost, uint64_t buffer = 300000)
    {
        QbbHelper helper;
        helper.SetSwitchAttribute("BufferSize", UintegerValue(buffer));
        NodeContainer switchNodes;
        switchNodes.Create(nSwitches);
        nodes.Add(switchNodes);
        for (uint32_t s = 0; s < nSwitches; s++)
        {
            switches.push_back(helper.InstallSwitch(switchNodes.Get(s)));
        }
        for (uint32_t s = 0; s < nSwitches; s++)
        {
            nics.push_back(nullptr);
            if (hasHost.empty() || hasHost[s])
            {
                NodeContainer host;
                host.Create(1);
                nodes.Add(host);
                nics[s] = helper.InstallHost(host.Get(0));
                helper.Connect(host.Get(0), switchNodes.Get(s));
            }
        }
        for (const auto& l : links)
        {
            helper.Connect(switchNodes.Get(l.first), switchNodes.Get(l.second));
        }
        RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "routes");
    }

    void Start()
    {
        for (const auto& sw : switches)
        {
            RCC_CHECK_EQ(sw->Start(), "", "start");
            watchdog.Add(sw);
        }
        watchdog.SetDeadlockTime(LIMIT);
        Simulator::Schedule(NanoSeconds(CHECK), &Network::Check, this);
    }

    void Check()
    {
        watchdog.Check(RccNow());
        Simulator::Schedule(NanoSeconds(CHECK), &Network::Check, this);
    }

    void Send(uint32_t from, uint32_t to, uint64_t bytes = 0)
    {
        RdmaClientHelper clients(nics[to], RccAlgorithm::Create("none"));
        clients.SetMessageSize(bytes);
        clients.Install(nics[from]->GetObject<Node>());
    }

    std::vector<std::vector<QbbOutput>> FindCycles(const Edges& flows) const
    {
        QbbBufferDependencies dependencies;
        for (const auto& f : flows)
        {
            dependencies.Add({nics[f.first]}, nics[f.second]);
        }
        return dependencies.FindCycles();
    }

    uint64_t CountDelivered() const
    {
        uint64_t packets = 0;
        for (const auto& nic : nics)
        {
            packets += nic ? nic->GetCounters().packetsDelivered : 0;
        }
        return packets;
    }
};

Edges
Ring(uint32_t n)
{
    Edges edges;
    for (uint32_t i = 0; i < n; i++)
    {
        edges.push_back({i, (i + 1) % n});
    }
    return edges;
}

/// Every k-th host of a ring sends to the one `hops` further on.
Edges
Around(uint32_t n, uint32_t hops, uint32_t every = 1)
{
    Edges flows;
    for (uint32_t i = 0; i < n; i += every)
    {
        flows.push_back({i, (i + hops) % n});
    }
    return flows;
}

/// The cycle is in the routes and comes to a stop; with up-down routes it is not there and nothing stops.
void
CheckCycle(const char* name, uint32_t n, const Edges& links, const std::vector<bool>& hasHost, const Edges& flows,
           size_t length)
{
    for (const bool upDown : {false, true})
    {
        Network net(n, links, hasHost);
        if (upDown)
        {
            QbbSetUpDownRoutes(net.nodes);
        }
        const auto cycles = net.FindCycles(flows);
        RCC_CHECK_EQ(cycles.empty(), upDown, name << ": cycles in the routes");
        if (!upDown && !cycles.empty())
        {
            RCC_CHECK_EQ(cycles[0].size(), length, name << ": " << QbbNameOf(cycles[0]));
        }
        net.Start();
        for (const auto& f : flows)
        {
            for (int i = 0; i < 4; i++)
            {
                net.Send(f.first, f.second);
            }
        }
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        const uint64_t delivered = net.CountDelivered();
        Simulator::Stop(MicroSeconds(500));
        Simulator::Run();
        RCC_CHECK_EQ(net.CountDelivered() == delivered, !upDown, name << ": everything has stopped");
        RCC_CHECK_EQ(net.watchdog.IsDeadlocked(), !upDown, name << ": found while it runs");
        for (const auto& d : net.watchdog.GetDeadlocks())
        {
            RCC_CHECK_EQ(d.cycle.size(), length, name << ": " << QbbNameOf(d.cycle));
            RCC_CHECK_GE(d.found - d.since, LIMIT, name << ": patience");
            RCC_CHECK_LE(d.found - d.since, LIMIT + 2 * CHECK, name << ": as soon as that is over");
            RCC_CHECK_EQ(d.ended, -1, name << ": it goes on");
            RCC_CHECK_EQ(d.cls, 3, name << ": class");
        }
        Simulator::Destroy();
    }
}

void
RingOfFive()
{
    CheckCycle("ring of 5", 5, Ring(5), {}, Around(5, 2), 5);
}

void
RingOfSeven()
{
    CheckCycle("ring of 7", 7, Ring(7), {}, Around(7, 3), 7);
}

/// 80 flows of DCQCN that no switch marks, a buffer of 9 MB.
void
UnmarkedDcqcn()
{
    Network net(5, Ring(5), {}, 9000000);
    Ptr<RccAlgorithm> dcqcn = RccAlgorithm::Create("dcqcn");
    for (const auto& sw : net.switches)
    {
        sw->AllowUnmarked();
    }
    net.Start();
    for (uint32_t i = 0; i < 80; i++)
    {
        RdmaClientHelper clients(net.nics[(i + 2) % 5], dcqcn);
        clients.Install(net.nics[i % 5]->GetObject<Node>());
    }
    Simulator::Stop(MilliSeconds(4));
    Simulator::Run();
    RCC_CHECK(net.watchdog.IsDeadlocked(), "found");
    for (const auto& d : net.watchdog.GetDeadlocks())
    {
        RCC_CHECK_EQ(d.cycle.size(), 5, QbbNameOf(d.cycle));
        RCC_CHECK_LE(d.since, 2000000, "once the buffers are full");
    }
}

/// Two rings of 5 with links between them, as two rows of a torus.
void
Torus()
{
    Edges links = Ring(5);
    Edges flows = Around(5, 2);
    for (uint32_t i = 0; i < 5; i++)
    {
        links.push_back({5 + i, 5 + (i + 1) % 5});
        links.push_back({i, 5 + i});
    }
    CheckCycle("torus", 10, links, {}, flows, 5);
}

/// Leaves 0, 2, 4, 6, 8 and spines 1, 3, 5, 7, 9, of whose links all but two per leaf have failed: shortest paths go
/// down and up again.
void
BrokenLeafSpine()
{
    std::vector<bool> hasHost(10);
    for (uint32_t leaf = 0; leaf < 10; leaf += 2)
    {
        hasHost[leaf] = true;
    }
    CheckCycle("leaf-spine with failed links", 10, Ring(10), hasHost, Around(10, 4, 2), 10);
}

void
NoCycles()
{
    QbbFatTree tree = QbbFatTree::Create(QbbHelper(), 4, 4);
    QbbBufferDependencies fatTree;
    for (const auto& nic : tree.nics)
    {
        fatTree.Add(tree.nics, nic);
    }
    RCC_CHECK_EQ(fatTree.FindCycles().size(), 0, "fat tree, all to all");
    QbbLeafSpine leafSpine = QbbLeafSpine::Create(QbbHelper(), QbbLeafSpineShape{3, 4, 2, 10000000000, 25000000000});
    QbbBufferDependencies two;
    for (const auto& nic : leafSpine.nics)
    {
        two.Add(leafSpine.nics, nic);
    }
    RCC_CHECK_EQ(two.FindCycles().size(), 0, "leaf-spine, all to all");
    QbbStar star = QbbStar::Create(QbbHelper(), 8);
    QbbBufferDependencies one;
    for (const auto& nic : star.nics)
    {
        one.Add(star.nics, nic);
    }
    RCC_CHECK_EQ(one.FindCycles().size(), 0, "star, all to all");
    Network ring(5, Ring(5), {});
    RCC_CHECK_EQ(ring.FindCycles(Around(5, 1)).size(), 0, "a ring whose flows go to the neighbour");
    RCC_CHECK_EQ(ring.FindCycles({{0, 2}, {1, 3}, {2, 4}, {3, 0}}).size(), 0, "a ring with a gap");
}

/// From now on a port pauses the other end of its link.
void
KeepPausing(Ptr<QbbNetDevice> port)
{
    port->SendPfc(1u << 3, 65535, RccNow());
    Simulator::Schedule(MicroSeconds(400), &KeepPausing, port); // before 65535 quanta are over
}

/// Hosts that stop reading: every port of a leaf-spine network is stuck in both directions, and yet there is no cycle.
void
StormsWithoutCycle()
{
    Network net(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}, {true, true, false, false});
    net.watchdog.SetStormTime(LIMIT, false);
    net.Start();
    for (int i = 0; i < 16; i++)
    {
        net.Send(0, 1);
        net.Send(1, 0);
    }
    Simulator::Schedule(MicroSeconds(100), &KeepPausing, net.nics[0]->GetPort(0));
    Simulator::Schedule(MicroSeconds(100), &KeepPausing, net.nics[1]->GetPort(0));
    Simulator::Stop(MilliSeconds(3));
    Simulator::Run();
    RCC_CHECK_EQ(net.watchdog.GetDeadlocks().size(), 0, "no cycle");
    RCC_CHECK_GE(net.watchdog.GetStorms().size(), 4, "ports that are held");
    RCC_CHECK_EQ(net.watchdog.GetStorms()[0].ended, -1, "and stay so");
    RCC_CHECK_EQ(net.watchdog.GetStorms()[0].dropped, 0, "nothing is dropped");
}

/// A switch that is held in front of a queue that moves: no cycle is possible, and a search looks at no frame.
void
MovingQueuesAreNotWalked()
{
    Network net(3, {{0, 1}, {1, 2}}, {});
    net.Start();
    for (int i = 0; i < 4; i++)
    {
        net.Send(0, 2);
        net.Send(1, 2);
    }
    Simulator::Schedule(MicroSeconds(100), &KeepPausing, net.switches[1]->GetPort(1));
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    const int64_t now = RccNow();
    RCC_CHECK_GE(net.watchdog.GetStuckTime(net.switches[0], 1, 3, now), LIMIT, "held");
    RCC_CHECK(net.switches[1]->GetPort(2)->GetQueue(3).Head(), "the next queue holds frames");
    RCC_CHECK_EQ(net.watchdog.GetStuckTime(net.switches[1], 2, 3, now), 0, "and moves");
    RCC_CHECK_EQ(net.watchdog.GetDeadlocks().size(), 0, "no deadlock");
    RCC_CHECK_EQ(net.watchdog.GetFramesWalked(), 0, "what the searches looked at");
}

/// The storm watchdog drops what waits: the ring moves again, what was lost is sent again, and all of it arrives.
void
DropEndsDeadlock()
{
    Network net(5, Ring(5), {});
    net.watchdog.SetStormTime(LIMIT, true);
    net.Start();
    for (const auto& f : Around(5, 2))
    {
        for (int i = 0; i < 4; i++)
        {
            net.Send(f.first, f.second, 60000);
        }
    }
    Simulator::Stop(MilliSeconds(800));
    Simulator::Run();
    RCC_CHECK_GE(net.watchdog.GetStorms().size(), 1, "found");
    RCC_CHECK(!net.watchdog.IsDeadlocked(), "and resolved");
    RCC_CHECK_EQ(net.CountDelivered(), 5 * 4 * 60, "everything has arrived");
    uint64_t dropped = 0;
    uint64_t counted = 0;
    for (const auto& s : net.watchdog.GetStorms())
    {
        dropped += s.dropped;
    }
    for (const auto& sw : net.switches)
    {
        counted += sw->GetDroppedPackets(3);
        RCC_CHECK_EQ(sw->GetMmu().used, 0, "the buffer is empty again");
    }
    RCC_CHECK_EQ(dropped, counted, "the switches count what was dropped");
    RCC_CHECK_GE(dropped, 1, "something was");
}

/// Up-down routes of all pairs: everybody is reached, without a cycle, on odd topologies.
void
UpDownReachesAll()
{
    Edges petersen = Ring(5);
    for (uint32_t i = 0; i < 5; i++)
    {
        petersen.push_back({i, 5 + i});
        petersen.push_back({5 + i, 5 + (i + 2) % 5});
    }
    for (const auto& links : {Ring(5), Ring(10), petersen})
    {
        const uint32_t n = links.size() == 5 ? 5 : 10;
        Network net(n, links, {}, 9000000);
        QbbSetUpDownRoutes(net.nodes);
        Edges all;
        for (uint32_t i = 0; i < n; i++)
        {
            for (uint32_t k = 0; k < n; k++)
            {
                if (i != k)
                {
                    all.push_back({i, k});
                }
            }
        }
        RCC_CHECK_EQ(net.FindCycles(all).size(), 0, links.size() << " links");
        net.Start();
        for (const auto& f : all)
        {
            net.Send(f.first, f.second, 1000);
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        RCC_CHECK_EQ(net.CountDelivered(), all.size(), links.size() << " links: delivered");
        Simulator::Destroy();
    }
}

/// The check looks at a pair of hosts, and at an output towards a host, once: an all-to-all of ten times as many hosts
/// costs as much for each of its flows. \param k of a full fat tree \return steps for each pair of hosts
double
StepsOfAllToAll(uint32_t k)
{
    QbbFatTree tree = QbbFatTree::Create(QbbHelper(), k, k * k / 4);
    QbbBufferDependencies dependencies;
    for (const auto& nic : tree.nics)
    {
        dependencies.Add(tree.nics, nic);
    }
    RCC_CHECK_EQ(dependencies.FindCycles().size(), 0, "fat tree, all to all");
    const auto hosts = static_cast<double>(tree.nics.size());
    return static_cast<double>(dependencies.CountSteps()) / (hosts * (hosts - 1));
}

void
WorkIsOfPairs()
{
    const double few = StepsOfAllToAll(4);   // 16 hosts
    const double many = StepsOfAllToAll(10); // 250
    RCC_CHECK_LE(many, 1.1 * few, "steps for each pair of hosts");
}

RccTestSuite g_deadlockSuite("rcc-deadlock", {{"ring-of-five", RingOfFive},
                                              {"ring-of-seven", RingOfSeven},
                                              {"unmarked-dcqcn", UnmarkedDcqcn},
                                              {"torus", Torus},
                                              {"broken-leaf-spine", BrokenLeafSpine},
                                              {"no-cycles", NoCycles},
                                              {"work-is-of-pairs", WorkIsOfPairs},
                                              {"storms-without-cycle", StormsWithoutCycle},
                                              {"moving-queues-are-not-walked", MovingQueuesAreNotWalked},
                                              {"drop-ends-deadlock", DropEndsDeadlock},
                                              {"up-down-reaches-all", UpDownReachesAll}});

} // namespace
