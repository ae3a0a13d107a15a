/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Programs that leave out a call: the run ends with its name, or says at the end that nothing was delivered. */
#include "rcc-test-abort.h"
#include "rcc-test-net.h"

#include "ns3/integer.h"
#include "ns3/qbb-internet.h"
#include "ns3/qbb-routing.h"
#include "ns3/rdma-client-helper.h"

#include <cstdlib>
#include <iostream>

using namespace ns3;

namespace
{

/// Two hosts and two switches in a row.
struct Row
{
    NodeContainer nodes; //!< hosts are 0 and 1, switches 2 and 3
    Ptr<RdmaNic> nics[2];
    Ptr<QbbSwitch> switches[2];

    explicit Row(const QbbHelper& helper = QbbHelper())
    {
        nodes.Create(4);
        for (uint32_t i = 0; i < 2; i++)
        {
            nics[i] = helper.InstallHost(nodes.Get(i));
            switches[i] = helper.InstallSwitch(nodes.Get(2 + i));
            helper.Connect(nodes.Get(i), nodes.Get(2 + i));
        }
        helper.Connect(nodes.Get(2), nodes.Get(3));
    }

    void Mark(uint8_t cls, Ptr<RccAlgorithm> algorithm, int from = 0)
    {
        for (int i = from; i < 2; i++)
        {
            switches[i]->AddMarker(cls, algorithm);
        }
    }

    void Send(Ptr<RccAlgorithm> algorithm, uint8_t cls = 3)
    {
        const uint32_t qp = RdmaNic::Connect(nics[0], nics[1], algorithm, cls);
        nics[0]->Post(qp, 10000, MakeNullCallback<void, uint32_t>());
    }
};

/// Run until 1 ms, then end by abort with "delivered N" on stderr. \param row whose receiver counts
void
RunAndSay(const Row& row)
{
    RccRunTo(1000000);
    std::cerr << "delivered " << row.nics[1]->GetCounters().packetsDelivered << std::endl;
    std::abort();
}

/// Without routes, before the run, in it, and for an application.
void
Routes()
{
    RCC_CHECK_ABORTS(
        [] {
            Row row;
            row.Send(RccAlgorithm::Create("none"));
            RccRunTo(1000000);
        },
        "with none: the switch of node 2 has no route to node 1: call QbbSetRoutes or SetRoute");
    RCC_CHECK_ABORTS(
        [] {
            Row row;
            RccAt(500, [&] { row.Send(RccAlgorithm::Create("none")); });
            RccRunTo(1000000);
        },
        "call QbbSetRoutes");
    RCC_CHECK_ABORTS(
        [] {
            Row row;
            RdmaClientHelper(row.nics[1], RccAlgorithm::Create("none")).Install(row.nodes.Get(0));
            RccRunTo(1000000);
        },
        "call QbbSetRoutes");
    RCC_CHECK_ABORTS(
        [] {
            Row row;
            row.switches[0]->SetRoute(row.nodes.Get(1)->GetId(), {1});
            row.switches[1]->SetRoute(row.nodes.Get(1)->GetId(), {0});
            row.Send(RccAlgorithm::Create("none"));
            RccRunTo(1000000);
        },
        "the switch of node 3 has no route to node 0"); // the answers need it
}

/// A network that is cut on purpose runs.
void
CutNetworks()
{
    const auto run = [](bool before) {
        Row row;
        RCC_CHECK_EQ(QbbSetRoutes(row.nodes), "", "");
        Ptr<QbbChannel> link = DynamicCast<QbbChannel>(row.switches[0]->GetPort(1)->GetChannel());
        const auto cut = [&] {
            link->TakeDown(RccNow());
            QbbReroute(row.nodes, false);
        };
        if (before)
        {
            cut();
            row.Send(RccAlgorithm::Create("none"));
        }
        else
        {
            RccAt(1000, cut);
            RccAt(2000, [&] { link->BringUp(RccNow()); });
            RccAt(3000, [&] { row.Send(RccAlgorithm::Create("none")); });
        }
        RunAndSay(row);
    };
    RCC_CHECK_ABORTS([&] { run(true); }, "delivered 0");
    RCC_CHECK_ABORTS([&] { run(false); }, "delivered 0");
}

/// Every algorithm that reads marks or telemetry needs its congestion point on its class, and no other does.
void
Markers()
{
    for (size_t i = 0; rcc_algorithm_at(i); i++)
    {
        const std::string name = rcc_algorithm_at(i)->name;
        const auto run = [&](int from, uint8_t marked, const std::string& marker) {
            Row row;
            RCC_CHECK_EQ(QbbSetRoutes(row.nodes), "", "");
            row.Mark(marked, RccAlgorithm::Create(marker), from);
            row.Send(RccAlgorithm::Create(name));
            RunAndSay(row);
        };
        RCC_CHECK_ABORTS([&] { run(0, 3, name); }, "delivered 10");
        const bool needs = rcc_algorithm_at(i)->cp != nullptr;
        const std::string expected = needs ? "with " + name + ": the switch of node " : "delivered 10";
        const std::string call = needs ? "call AddMarker(3, algorithm)" : "delivered 10";
        for (const auto& f :
             std::vector<std::function<void()>>{[&] { run(2, 3, name); },    // nowhere
                                                [&] { run(1, 3, name); },    // not in the first switch
                                                [&] { run(0, 4, name); },    // a marker of another class
                                                [&] { run(0, 3, "none"); }}) // a marker of an algorithm that has none
        {
            const std::string said = RccTestAbort(f);
            RCC_CHECK(said.find(expected) != std::string::npos && said.find(call) != std::string::npos, name << said);
        }
        RCC_CHECK_ABORTS(
            [&] {
                Row row;
                RCC_CHECK_EQ(QbbSetRoutes(row.nodes), "", "");
                row.switches[0]->AllowUnmarked();
                row.switches[1]->AllowUnmarked();
                row.Send(RccAlgorithm::Create(name));
                RunAndSay(row);
            },
            "delivered 10");
    }
}

/// One congestion point of a kind serves all algorithms that read it; a DscpMap says which class it is on.
void
OtherMarkers()
{
    RCC_CHECK_ABORTS(
        [] {
            Row row;
            RCC_CHECK_EQ(QbbSetRoutes(row.nodes), "", "");
            row.Mark(3, RccAlgorithm::Create("dctcp"));
            row.Send(RccAlgorithm::Create("dcqcn"));
            RunAndSay(row);
        },
        "delivered 10");
    for (uint8_t cls : {3, 5})
    {
        RCC_CHECK_ABORTS(
            [cls] {
                QbbHelper helper;
                helper.SetSwitchAttribute("DscpMap", StringValue("24:5"));
                Row row(helper);
                RCC_CHECK_EQ(QbbSetRoutes(row.nodes), "", "");
                row.Mark(cls, RccAlgorithm::Create("dcqcn"));
                row.Send(RccAlgorithm::Create("dcqcn"));
                RunAndSay(row);
            },
            cls == 5 ? "delivered 10" : "call AddMarker(5, algorithm)");
    }
    for (RccEcn ecn : {RccEcn::NOT_ECT, RccEcn::CE}) // frames that no switch would mark
    {
        RCC_CHECK_ABORTS(
            [ecn] {
                Row row;
                RCC_CHECK_EQ(QbbSetRoutes(row.nodes), "", "");
                const uint32_t qp = RdmaNic::Connect(row.nics[0], row.nics[1], RccAlgorithm::Create("dcqcn"), 3);
                row.nics[0]->SetEcn(qp, ecn);
                RccAt(100, [&] { row.nics[0]->Post(qp, 10000, MakeNullCallback<void, uint32_t>()); });
                RunAndSay(row);
            },
            "delivered 10");
    }
}

/// A CIOQ switch has routes of its own, and no telemetry.
void
CioqSwitches()
{
    const auto run = [](const std::string& name, bool routes) {
        QbbHelper helper;
        helper.SetCioqSwitchAttribute("CongestionPoints", StringValue("None"));
        NodeContainer hosts;
        hosts.Create(2);
        Ptr<Node> node = CreateObject<Node>();
        Ptr<CioqSwitch> sw = helper.InstallCioqSwitch(node);
        Ptr<RdmaNic> nics[2];
        for (uint32_t i = 0; i < 2; i++)
        {
            nics[i] = helper.InstallHost(hosts.Get(i));
            helper.Connect(hosts.Get(i), node);
            if (routes)
            {
                sw->SetRoute(hosts.Get(i)->GetId(), i);
            }
        }
        const uint32_t qp = RdmaNic::Connect(nics[0], nics[1], RccAlgorithm::Create(name), 3);
        nics[0]->Post(qp, 10000, MakeNullCallback<void, uint32_t>());
        RccRunTo(1000000);
        std::cerr << "delivered " << nics[1]->GetCounters().packetsDelivered << std::endl;
        std::abort();
    };
    RCC_CHECK_ABORTS([&] { run("none", false); }, "has no route to node 1: call SetRoute");
    RCC_CHECK_ABORTS([&] { run("hpcc", true); }, "gives it no telemetry");
    RCC_CHECK_ABORTS([&] { run("none", true); }, "delivered 10");
    RCC_CHECK_ABORTS([&] { run("qcn", true); }, "delivered 10");
}

/// MaxFrame of a star that starts, and whose simulation has begun. \param mtu of the NICs \param given MaxFrame, or 0
/// \param stack 0: none, 1: installed before Start, 2: after it
template <class Switch>
uint64_t
MaxFrameOf(
    uint32_t mtu, uint32_t given, int stack, Ptr<Switch> (QbbHelper::*install)(Ptr<Node>) const,
    const std::function<void(QbbHelper&)>& set = [](QbbHelper&) {})
{
    QbbHelper helper;
    helper.SetNicAttribute("Mtu", UintegerValue(mtu));
    helper.SetSwitchAttribute("MaxFrame", UintegerValue(given));
    helper.SetCioqSwitchAttribute("MaxFrame", UintegerValue(given));
    helper.SetCioqSwitchAttribute("CongestionPoints", StringValue("None"));
    set(helper);
    NodeContainer hosts;
    hosts.Create(2);
    Ptr<Node> node = CreateObject<Node>();
    Ptr<Switch> sw = (helper.*install)(node);
    for (uint32_t i = 0; i < 2; i++)
    {
        helper.InstallHost(hosts.Get(i));
        helper.Connect(hosts.Get(i), node);
    }
    for (int when : {1, 2})
    {
        if (stack == when)
        {
            QbbInstallInternet(hosts);
        }
        if (when == 1)
        {
            RCC_CHECK_EQ(sw->Start(), "", "");
        }
    }
    RccRunTo(1000);
    UintegerValue value;
    sw->GetAttribute("MaxFrame", value);
    Simulator::Destroy();
    return value.Get();
}

/// It follows from the Mtu of NICs and of devices with a stack, tags included, and never falls below what it was.
void
MaxFrames()
{
    const auto of = [](uint32_t mtu, uint32_t given, int stack) {
        return MaxFrameOf(mtu, given, stack, &QbbHelper::InstallSwitch);
    };
    RCC_CHECK_EQ(of(1000, 0, 0), 1000 + ROCE_OVERHEAD + CN_TAG_BYTES, "");
    RCC_CHECK_EQ(of(256, 0, 0), 1000 + ROCE_OVERHEAD + CN_TAG_BYTES, "");
    RCC_CHECK_EQ(of(4096, 0, 0), 4096 + ROCE_OVERHEAD + CN_TAG_BYTES, "");
    RCC_CHECK_EQ(of(4096, 5000, 0), 5000, "as it is set");
    RCC_CHECK_EQ(of(4096, 0, 1), 4096 + ROCE_OVERHEAD + CN_TAG_BYTES, "");
    RCC_CHECK_EQ(of(1000, 0, 1), 1500 + IP_OVERHEAD, "");
    RCC_CHECK_EQ(of(1000, 0, 2), 1500 + IP_OVERHEAD, "installed after Start");
    RCC_CHECK_EQ(of(1000, 1200, 2), 1200, "");
    const auto tagged = [](QbbHelper& helper) {
        helper.SetDeviceAttribute("VlanId", IntegerValue(5));
        helper.SetNicAttribute("Write", BooleanValue(true));
    };
    RCC_CHECK_EQ(MaxFrameOf(4096, 0, 0, &QbbHelper::InstallSwitch, tagged),
                 4096 + ROCE_OVERHEAD + CN_TAG_BYTES + VLAN_TAG_BYTES + RETH_BYTES, "");
    RCC_CHECK_EQ(MaxFrameOf(1000, 0, 0, &QbbHelper::InstallCioqSwitch), 1522, "");
    RCC_CHECK_EQ(MaxFrameOf(2048, 0, 0, &QbbHelper::InstallCioqSwitch), 2048 + ROCE_OVERHEAD + CN_TAG_BYTES, "");
}

/// A run in which nothing arrived says so when it is destroyed, and no other does.
void
NothingDelivered()
{
    const auto run = [](bool link) {
        Row row;
        RCC_CHECK_EQ(QbbSetRoutes(row.nodes), "", "");
        row.Send(RccAlgorithm::Create("none"));
        if (!link)
        {
            DynamicCast<QbbChannel>(row.switches[0]->GetPort(1)->GetChannel())->TakeDown(0);
        }
        RccRunTo(1000000);
        Simulator::Destroy();
        std::cerr << "end" << std::endl;
        std::abort();
    };
    const std::string words = "rcc: 1 queue pairs have sent 10 packets, and none was delivered";
    RCC_CHECK_ABORTS([&] { run(false); }, words);
    RCC_CHECK_EQ(RccTestAbort([&] { run(true); }), "end\n", "");
}

RccTestSuite g_missingCallsSuite("rcc-missing-calls", {{"routes", Routes},
                                                       {"cut-networks", CutNetworks},
                                                       {"markers", Markers},
                                                       {"other-markers", OtherMarkers},
                                                       {"cioq-switches", CioqSwitches},
                                                       {"max-frames", MaxFrames},
                                                       {"nothing-delivered", NothingDelivered}});

} // namespace
