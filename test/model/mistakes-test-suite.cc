/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Mistakes of a program that uses the module: each ends in a sentence, not in a crash and not in silence. */
#include "rcc-test-abort.h"
#include "rcc-test-net.h"

#include "ns3/cioq-switch.h"
#include "ns3/config.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-path.h"

using namespace ns3;

namespace
{

/// A value that an attribute must not have; ns-3 drops what only an accessor refuses without a word.
struct Refused
{
    const char* type;
    const char* attribute;
    const char* value;
    const char* right; //!< a value that it may have
};

const Refused REFUSED[] = {{"ns3::QbbNetDevice", "DataRate", "0bps", "25Gbps"},
                           {"ns3::QbbNetDevice", "ClassWeights", "3:0", "3:2"},
                           {"ns3::QbbNetDevice", "ClassWeights", "8:1", "1:3,4:7"},
                           {"ns3::QbbNetDevice", "ClassWeights", "much", ""},
                           {"ns3::RdmaNic", "DscpMap", "64:3", "46:6"},
                           {"ns3::RdmaNic", "DscpMap", "26", ""},
                           {"ns3::QbbSwitch", "DscpMap", "0-99:3", "0-7:1"},
                           {"ns3::QbbSwitch", "BufferSize", "18446744073709551615", "17592186044416"},
                           {"ns3::QbbSwitch", "PoolSize", "18446744073709551615", "17592186044416"},
                           {"ns3::QbbSwitch", "Headroom", "18446744073709551615", "17592186044416"},
                           {"ns3::QbbSwitch", "StaticThreshold", "18446744073709551615", "17592186044416"},
                           {"ns3::CioqSwitch", "Sampling", "arrival", "Random"},
                           {"ns3::CioqSwitch", "CongestionPoints", "inputs", "Both"},
                           {"ns3::QbbChannel", "Delay", "+1e18ns", "+1000000000ns"}};

/// Through a default, a factory and an object that exists.
void
AttributeValues()
{
    for (const auto& r : REFUSED)
    {
        const std::string name = std::string(r.type) + "::" + r.attribute;
        const std::string what = name + "=" + r.value;
        ObjectFactory factory;
        factory.SetTypeId(r.type);
        Ptr<Object> object = factory.Create<Object>();
        object->SetAttribute(r.attribute, StringValue(r.right));
        StringValue now;
        object->GetAttribute(r.attribute, now);
        RCC_CHECK(!object->SetAttributeFailSafe(r.attribute, StringValue(r.value)), what);
        StringValue then;
        object->GetAttribute(r.attribute, then);
        RCC_CHECK_EQ(then.Get(), now.Get(), what << " changes nothing");
        RCC_CHECK(!Config::SetDefaultFailSafe(name, StringValue(r.value)), what << " as a default");
        RCC_CHECK_ABORTS([&] { factory.Set(r.attribute, StringValue(r.value)); }, r.attribute);
    }
}

void
Mtu()
{
    Ptr<QbbNetDevice> device = CreateObject<QbbNetDevice>();
    RCC_CHECK(!device->SetMtu(0) && !device->SetMtu(67), "below the least of IPv4");
    RCC_CHECK_EQ(device->GetMtu(), 1500, "");
    RCC_CHECK(device->SetMtu(68) && device->SetMtu(9000), "");
    RCC_CHECK_EQ(device->GetMtu(), 9000, "");
}

void
QueuePairs()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<Node> node = CreateObject<Node>();
    Ptr<RdmaNic> bare = star.helper.InstallHost(node);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    const auto connect = [&](Ptr<RdmaNic> from, Ptr<RdmaNic> to, Ptr<RccAlgorithm> of) {
        return [=] { RdmaNic::Connect(from, to, of, 3); };
    };
    RCC_CHECK_ABORTS(connect(bare, star.nics[1], algorithm), "the sender has no port");
    RCC_CHECK_ABORTS(connect(star.nics[1], bare, algorithm), "the receiver has no port");
    RCC_CHECK_ABORTS(connect(nullptr, star.nics[1], algorithm), "no sender");
    RCC_CHECK_ABORTS(connect(star.nics[1], nullptr, algorithm), "no receiver");
    RCC_CHECK_ABORTS(connect(star.nics[0], star.nics[1], nullptr), "no algorithm");
    RCC_CHECK_ABORTS([&] { star.nics[0]->SetRoute(star.nodes[1]->GetId(), {0, 1}); }, "port 1");
}

/// A frame at a switch that has not started, or whose configuration was refused, with a route and without one.
void
FramesBeforeStart()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    const auto arrives = [&](uint32_t dst) {
        return [&star, dst] {
            RccFrame* frame = RccFramePool::Current()->Get();
            frame->kind = RccFrameKind::DATA;
            frame->bytes = 1000;
            frame->cls = QBB_RDMA_CLASS;
            frame->dst = dst;
            star.sw->FrameArrived(0, frame, 0);
        };
    };
    const uint32_t host = star.nodes[1]->GetId();
    RCC_CHECK_ABORTS(arrives(host), "before Start");
    RCC_CHECK_ABORTS(arrives(12345), "before Start");
    star.sw->SetAttribute("TrimSize", UintegerValue(20));
    RCC_CHECK(!star.sw->Start().empty(), "headers of 20 bytes");
    RCC_CHECK_ABORTS(arrives(host), "refused the configuration");
    RCC_CHECK_ABORTS(arrives(12345), "refused the configuration");
}

/// No longer base RTT than algorithms take: more was read as 100 ms, and the attribute said what was given.
void
LongestBaseRtt()
{
    RccTestStar star;
    star.Build(2, 40 * G, 60000000);
    RCC_CHECK(star.nics[0]->SetAttributeFailSafe("BaseRtt", TimeValue(MilliSeconds(100))), "");
    RCC_CHECK(!star.nics[0]->SetAttributeFailSafe("BaseRtt", TimeValue(NanoSeconds(100000001))), "");
    star.nics[0]->SetAttribute("BaseRtt", TimeValue(NanoSeconds(0)));
    RCC_CHECK_GE(RdmaSetBaseRtt(star.nics), 240000000, "two links there and back");
    TimeValue set;
    star.nics[0]->GetAttribute("BaseRtt", set);
    RCC_CHECK_EQ(set.Get().GetNanoSeconds(), 100000000, "");
}

/// A bucket that is set when the links are there is one: those of Config::Set.
void
BucketAfterLinks()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    star.nics[0]->SetAttribute("BucketSize", UintegerValue(2000));
    star.nics[0]->SetAttribute("BucketInterval", TimeValue(MicroSeconds(100)));
    const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("none"), 0);
    RccRunTo(10000000);
    RCC_CHECK_LE(star.nics[0]->GetSendQp(qp).packetsSent, 200, "2000 bytes in 100 us");
    RCC_CHECK_GE(star.nics[0]->GetSendQp(qp).packetsSent, 90, "");
    RccTestStar datagrams;
    datagrams.helper.SetNicAttribute("Reliable", BooleanValue(false));
    datagrams.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(datagrams.sw->Start(), "", "");
    const uint32_t sent = datagrams.Send(0, 1, RccAlgorithm::Create("none"), 0);
    RCC_CHECK_ABORTS([&] { datagrams.nics[0]->SetWindow(sent, 10000, false); }, "a window of datagrams");
    datagrams.nics[0]->SetWindow(sent, 0, false);
}

/// A device on a link that was never given to a NIC or a switch.
void
NobodysPort()
{
    RccTestStar star;
    Ptr<Node> host = CreateObject<Node>();
    Ptr<Node> other = CreateObject<Node>();
    Ptr<RdmaNic> nic = star.helper.InstallHost(host);
    Ptr<QbbChannel> channel = CreateObject<QbbChannel>();
    for (const auto& node : {host, other})
    {
        Ptr<QbbNetDevice> device = CreateObject<QbbNetDevice>();
        node->AddDevice(device);
        device->AttachChannel(channel);
    }
    nic->AddPort(DynamicCast<QbbNetDevice>(host->GetDevice(0)));
    channel->TakeDown(0);
    channel->BringUp(0);
    RCC_CHECK(!channel->IsDown(), "a link may fail before its ports belong to somebody");
    const uint32_t qp = RdmaNic::Connect(nic, nic, RccAlgorithm::Create("dcqcn"), 3);
    nic->Post(qp, 1000, MakeNullCallback<void, uint32_t>());
    RCC_CHECK_ABORTS([] { RccRunTo(1000000); }, "neither to an RdmaNic nor to a switch");
    Ptr<QbbNetDevice> loose = CreateObject<QbbNetDevice>(); // on no node
    RCC_CHECK_ABORTS([=] { nic->AddPort(loose); }, "on no node");
    RCC_CHECK_ABORTS([=] { nic->AddPort(nullptr); }, "on no node");
    Ptr<QbbSwitch> sw = star.helper.InstallSwitch(CreateObject<Node>());
    RCC_CHECK_ABORTS([=] { sw->AddPort(loose); }, "on no node");
}

void
Switches()
{
    const auto build = [](size_t hosts) {
        RccTestStar star;
        star.Build(hosts, 40 * G, 1000);
        return star;
    };
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    RccTestStar routed = build(2);
    routed.sw->SetRoute(routed.nodes[1]->GetId(), {2});
    RCC_CHECK_EQ(routed.sw->Start(), "a route leads through port 2, the switch has 2 ports", "");

    RccTestStar policed = build(2);
    policed.sw->SetPolicer(2, DataRate(G), 2000);
    RCC_CHECK_EQ(policed.sw->Start(), "a policer is before port 2, the switch has 2 ports", "");

    RccTestStar loose = build(1);
    Ptr<QbbNetDevice> device = CreateObject<QbbNetDevice>();
    loose.sw->GetPort(0)->GetNode()->AddDevice(device);
    loose.sw->AddPort(device);
    RCC_CHECK_EQ(loose.sw->Start(), "port 1: it is on no link", "");

    RccTestStar star = build(2);
    star.Link(0)->TakeDown(0); // links that are down from the beginning
    star.Link(0)->BringUp(0);
    RCC_CHECK_ABORTS([&] { star.sw->AddMarker(8, algorithm); }, "traffic class 8 is above 7");
    RCC_CHECK_ABORTS([&] { star.sw->AddMarker(3, nullptr); }, "no algorithm");
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    RCC_CHECK_EQ(star.sw->Start(), "the switch has started already", "");
    RCC_CHECK_ABORTS([&] { star.sw->AddMarker(3, algorithm); }, "after Start");
    RCC_CHECK_ABORTS([&] { star.sw->SetPolicer(0, DataRate(G), 2000); }, "after Start");
    RCC_CHECK_ABORTS([&] { star.sw->SetRoute(star.nodes[1]->GetId(), {0, 2}); }, "port 2, the switch has 2 ports");
    RCC_CHECK_ABORTS([&] { star.helper.Connect(star.nodes[0], star.sw->GetPort(0)->GetNode()); }, "after Start");
}

/// A second Start while frames wait is refused and changes nothing: a lossless class loses no frame.
void
SwitchesStartOnce()
{
    RccTestStar star;
    star.Build(3, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    const uint32_t qps[] = {star.Send(0, 2, RccAlgorithm::Create("none"), 4000000),
                            star.Send(1, 2, RccAlgorithm::Create("none"), 4000000)};
    RccRunTo(400000);
    RCC_CHECK(star.sw->GetMmu().used > 0, "frames wait");
    const uint64_t used = star.sw->GetMmu().used;
    RCC_CHECK_EQ(star.sw->Start(), "the switch has started already", "");
    RCC_CHECK_EQ(star.sw->GetMmu().used, used, "the buffer is as it was");
    RccRunTo(5000000);
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, "");
    RCC_CHECK_EQ(star.Received(0, 2, qps[0]).bytes, 4000000, "");
    RCC_CHECK_EQ(star.Received(1, 2, qps[1]).bytes, 4000000, "");
}

/// A Start that was refused changes nothing: MaxFrame, the devices' attributes and the paths of flows stay.
void
RefusedStarts()
{
    const std::pair<const char*, std::pair<const char*, const char*>> wrong[] = {
        {"TrimSize", {"20", "64"}},     {"TrimRtt", {"2ns", "0ns"}},        {"CutThrough", {"5", "0"}},
        {"PauseQuanta", {"2", "9000"}}, {"FlowletEntries", {"3", "16384"}}, {"BufferSize", {"1000", "9000000"}},
        {"Headroom", {"1", "0"}},       {"LosslessClasses", {"255", "8"}}};
    RccTestStar star;
    star.helper.SetSwitchAttribute("TrimSize", UintegerValue(64));
    star.helper.SetSwitchAttribute("LoadBalancing", StringValue("flowlet"));
    star.Build({100 * G, 1 * G}, {1000, 1000}); // TrimRtt is enough for the first port alone
    star.sw->SetRoute(star.nodes[1]->GetId(), {0, 1});
    star.sw->AddMarker(3, RccAlgorithm::Create("hpcc"));
    const auto of = [](Ptr<Object> object, const char* name) {
        UintegerValue value;
        object->GetAttribute(name, value);
        return value.Get();
    };
    const uint32_t host = star.nodes[1]->GetId();
    const uint64_t frame = of(star.sw, "MaxFrame");
    const uint32_t output = star.sw->GetOutput(host, 1);
    for (const auto& w : wrong)
    {
        star.sw->SetAttribute(w.first, StringValue(w.second.first));
        RCC_CHECK(!star.sw->Start().empty(), w.first);
        RCC_CHECK_EQ(of(star.sw, "MaxFrame"), frame, w.first);
        RCC_CHECK_EQ(of(star.sw->GetPort(0), "StrictClasses"), 0, w.first);
        RCC_CHECK_EQ(star.sw->GetOutput(host, 1), output, w.first);
        RCC_CHECK_ABORTS(
            [&] {
                RccFrame* arrived = RccFramePool::Current()->Get();
                arrived->dst = host;
                star.sw->FrameArrived(0, arrived, 0);
            },
            "refused the configuration");
        star.sw->SetAttribute(w.first, StringValue(w.second.second));
    }
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    RCC_CHECK_EQ(of(star.sw, "MaxFrame"),
                 1000 + ROCE_OVERHEAD + CN_TAG_BYTES + rcc_wire_int_bytes(RCC_INT_PAPER, RCC_PATH_MAX),
                 "and telemetry");
    RCC_CHECK_EQ(of(star.sw->GetPort(0), "StrictClasses"), 1u << 6, "TrimClass");
    Ptr<QbbSwitch> bare = star.helper.InstallSwitch(CreateObject<Node>());
    bare->AddMarker(3, RccAlgorithm::Create("hpcc"));
    RCC_CHECK_EQ(bare->Start(), "", "without ports");
}

/// A switch that nobody has started starts when the simulation does, and says why it cannot.
void
SwitchesStartThemselves()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("none"), 10000);
    RccRunTo(1000000);
    RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, 10000, "nobody has called Start");
    Simulator::Destroy();
    RccTestStar small;
    small.helper.SetSwitchAttribute("BufferSize", UintegerValue(1000));
    small.Build(2, 40 * G, 1000);
    RCC_CHECK_ABORTS([] { RccRunTo(1000); }, "cannot start: " + small.sw->Start());
}

void
CioqSwitches()
{
    QbbHelper helper;
    helper.SetCioqSwitchAttribute("CongestionPoints", StringValue("None"));
    const auto build = [&] {
        Ptr<Node> node = CreateObject<Node>();
        Ptr<CioqSwitch> sw = helper.InstallCioqSwitch(node);
        Ptr<Node> host = CreateObject<Node>();
        helper.InstallHost(host);
        helper.Connect(host, node);
        return sw;
    };
    Ptr<CioqSwitch> routed = build();
    routed->SetRoute(0, 1);
    RCC_CHECK_EQ(routed->Start(), "a route leads through port 1, the switch has 1 ports", "");
    Ptr<CioqSwitch> group = build();
    group->SetMulticast(1000000, {0, 7});
    RCC_CHECK_EQ(group->Start(), "a route leads through port 7, the switch has 1 ports", "");
    Ptr<CioqSwitch> loose = build();
    Ptr<QbbNetDevice> device = CreateObject<QbbNetDevice>();
    loose->GetPort(0)->GetNode()->AddDevice(device);
    loose->AddPort(device);
    RCC_CHECK_EQ(loose->Start(), "port 1: it is on no link", "");
    Ptr<CioqSwitch> sw = build();
    RCC_CHECK_EQ(sw->Start(), "", "");
    RCC_CHECK_EQ(sw->Start(), "the switch has started already", "");
    RCC_CHECK_ABORTS([=] { sw->SetRoute(0, 1); }, "port 1, the switch has 1 ports");
    RCC_CHECK_ABORTS([=] { sw->SetMulticast(1000000, {1}); }, "port 1, the switch has 1 ports");
}

/// A node is a host or a switch, and once.
void
Roles()
{
    QbbHelper helper;
    const std::function<void(Ptr<Node>)> install[] = {[&](Ptr<Node> node) { helper.InstallHost(node); },
                                                      [&](Ptr<Node> node) { helper.InstallSwitch(node); },
                                                      [&](Ptr<Node> node) { helper.InstallCioqSwitch(node); }};
    for (const auto& first : install)
    {
        Ptr<Node> node = CreateObject<Node>();
        first(node);
        for (const auto& second : install)
        {
            RCC_CHECK_ABORTS([&] { second(node); }, "has an RdmaNic or a switch already");
        }
    }
}

/// Times here are whole nanoseconds. ns-3 lets the resolution change only before the first run of a process: where
/// other suites have run in this one, there is nothing to see.
void
Resolution()
{
    if (RccTestAbort([] { Time::SetResolution(Time::PS); }) != "ended with status 0")
    {
        return;
    }
    const auto link = [](Time::Unit unit) {
        return [=] {
            Time::SetResolution(unit);
            RccTestLink(10 * G, 1000);
        };
    };
    RCC_CHECK_ABORTS(link(Time::US), "Time::SetResolution");
    RCC_CHECK_EQ(RccTestAbort(link(Time::PS)), "ended with status 0", "");
}

RccTestSuite g_mistakesSuite("rcc-mistakes", {{"resolution", Resolution},
                                              {"attribute-values", AttributeValues},
                                              {"mtu", Mtu},
                                              {"frames-before-start", FramesBeforeStart},
                                              {"queue-pairs", QueuePairs},
                                              {"bucket-after-links", BucketAfterLinks},
                                              {"longest-base-rtt", LongestBaseRtt},
                                              {"nobodys-port", NobodysPort},
                                              {"switches", Switches},
                                              {"switches-start-themselves", SwitchesStartThemselves},
                                              {"switches-start-once", SwitchesStartOnce},
                                              {"refused-starts", RefusedStarts},
                                              {"cioq-switches", CioqSwitches},
                                              {"roles", Roles}});

} // namespace
