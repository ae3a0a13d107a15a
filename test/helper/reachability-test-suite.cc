/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbSetRoutes: which nodes need a path to which, and switches that routes prefer. */
#include "rcc-test-net.h"

#include "ns3/qbb-routing.h"

#include <set>

using namespace ns3;

namespace
{

void
Unreachable()
{
    QbbHelper helper;
    NodeContainer nodes;
    nodes.Create(4);
    helper.InstallHost(nodes.Get(0));
    helper.InstallHost(nodes.Get(1));
    helper.InstallSwitch(nodes.Get(2));
    helper.InstallSwitch(nodes.Get(3));
    helper.Connect(nodes.Get(0), nodes.Get(2));
    helper.Connect(nodes.Get(1), nodes.Get(3));
    const std::string why = QbbSetRoutes(nodes);
    RCC_CHECK(why.find("cannot be reached") != std::string::npos, "two islands: " << why);
}

/// Two servers of two hosts, each with a switch of its own that is preferred, and one switch for all: hosts reach each
/// other, although the switch of one server reaches no host of the other. Inside a server the own switch is used alone,
/// under both rules of routes and again after one of its links was down.
void
PreferredSwitches()
{
    for (const bool upDown : {false, true})
    {
        QbbHelper helper;
        NodeContainer nodes; // hosts 0 to 3, their servers' switches 4 and 5, and the switch of all, 6
        nodes.Create(7);
        for (uint32_t h = 0; h < 4; h++)
        {
            helper.InstallHost(nodes.Get(h));
        }
        for (uint32_t s = 4; s < 7; s++)
        {
            helper.InstallSwitch(nodes.Get(s))->SetPreferred(s < 6);
        }
        Ptr<QbbChannel> first;
        for (uint32_t h = 0; h < 4; h++)
        {
            const Ptr<QbbChannel> channel = helper.Connect(nodes.Get(h), nodes.Get(4 + h / 2));
            first = first ? first : channel;
            helper.Connect(nodes.Get(h), nodes.Get(6));
        }
        RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "no host of one server has to reach the switch of another");
        const auto ports = [&](uint32_t from, uint32_t to) {
            std::set<uint32_t> found;
            for (uint32_t hash = 0; hash < 2; hash++)
            {
                found.insert(nodes.Get(from)->GetObject<RdmaNic>()->PickPort(nodes.Get(to)->GetId(), hash));
            }
            return found;
        };
        const std::set<uint32_t> own{0}, shared{1};
        const auto check = [&](const std::set<uint32_t>& inside) {
            RCC_CHECK(ports(0, 1) == inside && ports(1, 0) == inside, "inside the first server");
            RCC_CHECK(ports(2, 3) == own, "inside the second server");
            RCC_CHECK(ports(0, 2) == shared && ports(3, 1) == shared, "between servers");
        };
        QbbReroute(nodes, upDown);
        check(own);
        first->TakeDown(0);
        QbbReroute(nodes, upDown);
        check(shared);
        first->BringUp(0);
        QbbReroute(nodes, upDown);
        check(own);
    }
}

/// A switch that reaches no host is refused, and so are hosts on separate links.
void
SeparateParts()
{
    QbbHelper helper;
    NodeContainer nodes;
    nodes.Create(6);
    for (uint32_t n = 0; n < 6; n++)
    {
        n < 2 ? void(helper.InstallHost(nodes.Get(n))) : void(n < 4 ? helper.InstallSwitch(nodes.Get(n)) : nullptr);
    }
    helper.Connect(nodes.Get(0), nodes.Get(1));
    helper.Connect(nodes.Get(2), nodes.Get(3));
    NodeContainer some;
    for (uint32_t n = 0; n < 4; n++)
    {
        some.Add(nodes.Get(n));
    }
    const auto id = [&](uint32_t n) { return std::to_string(nodes.Get(n)->GetId()); };
    RCC_CHECK_EQ(QbbSetRoutes(some), "node " + id(0) + " cannot be reached from switch " + id(2), "switches alone");
    helper.InstallHost(nodes.Get(4));
    helper.InstallHost(nodes.Get(5));
    helper.Connect(nodes.Get(4), nodes.Get(5));
    NodeContainer pairs(NodeContainer(nodes.Get(0), nodes.Get(1)), NodeContainer(nodes.Get(4), nodes.Get(5)));
    RCC_CHECK_EQ(QbbSetRoutes(pairs),
                 "node " + id(4) + " cannot be reached from node " + id(0) + ": hosts do not forward", "two pairs");
}

/// Hosts in a row, without a switch: the first has no path to the third.
void
HostsInARow()
{
    QbbHelper helper;
    NodeContainer nodes;
    nodes.Create(3);
    for (uint32_t h = 0; h < 3; h++)
    {
        helper.InstallHost(nodes.Get(h));
    }
    helper.Connect(nodes.Get(0), nodes.Get(1));
    helper.Connect(nodes.Get(1), nodes.Get(2));
    const auto id = [&](uint32_t n) { return std::to_string(nodes.Get(n)->GetId()); };
    RCC_CHECK_EQ(QbbSetRoutes(nodes),
                 "node " + id(2) + " cannot be reached from node " + id(0) + ": hosts do not forward", "");
    helper.Connect(nodes.Get(0), nodes.Get(2));
    RCC_CHECK_EQ(QbbSetRoutes(nodes), "", "a triangle");
}

/// Shortest paths lead through QbbSwitches: other nodes are named, not passed over.
void
NoRole()
{
    QbbHelper helper;
    NodeContainer nodes;
    nodes.Create(3);
    helper.InstallHost(nodes.Get(0));
    helper.InstallHost(nodes.Get(1));
    helper.InstallCioqSwitch(nodes.Get(2));
    helper.Connect(nodes.Get(0), nodes.Get(2));
    helper.Connect(nodes.Get(1), nodes.Get(2));
    RCC_CHECK_EQ(QbbSetRoutes(nodes),
                 "node " + std::to_string(nodes.Get(2)->GetId()) + " has neither an RdmaNic nor a QbbSwitch",
                 "a CioqSwitch has routes of its own");
    RCC_CHECK_EQ(QbbSetRoutes(nodes, true), "", "a network that may be cut");
    NodeContainer hosts(nodes.Get(0), nodes.Get(1));
    RCC_CHECK_EQ(QbbSetRoutes(hosts),
                 "node " + std::to_string(hosts.Get(0)->GetId()) + " has no link to another of the nodes",
                 "no switch is there to miss it");
    helper.Connect(nodes.Get(0), nodes.Get(1));
    RCC_CHECK_EQ(QbbSetRoutes(hosts), "", "two hosts on a link");
}

RccTestSuite g_reachabilitySuite("rcc-reachability", {{"preferred switches", PreferredSwitches},
                                                      {"separate parts", SeparateParts},
                                                      {"hosts in a row", HostsInARow},
                                                      {"unreachable", Unreachable},
                                                      {"no role", NoRole}});

} // namespace
