/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Every attribute of every class, set after its object has started: it takes effect, or the program ends with the
 * reason. */
#include "cioq-test-net.h"
#include "rcc-test-abort.h"
#include "trace-test-net.h"

#include "ns3/pointer.h"
#include "ns3/rdma-client.h"

#include <cstdlib>
#include <iostream>
#include <map>

using namespace ns3;

namespace
{

/// When the attribute gets its other value.
enum When
{
    NEVER,
    EARLY, //!< before Start and the first queue pair
    LATE   //!< after both, before the first packet
};

/// A star that is congested, loses frames and carries answers of all kinds, and one attribute of it.
struct Bench
{
    RccTestStar star;
    Ptr<RdmaClient> client;
    RccTestLoss loss;

    /// Make it. \param lossy whether the fifth data frame and every hundredth is lost
    Bench(const std::string& type, const std::string& attribute, const std::string& value, When when)
    {
        if (when == EARLY && type == "ns3::QbbNetDevice")
        {
            star.helper.SetDeviceAttribute(attribute, StringValue(value));
        }
        star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(200)));
        star.Build(std::vector<uint64_t>(4, 10 * G), std::vector<int64_t>(4, 1000));
        client = CreateObject<RdmaClient>();
        if (when == EARLY)
        {
            Set(type, attribute, value);
        }
        Ptr<RccAlgorithm> dcqcn = RccAlgorithm::Create("dcqcn");
        star.sw->AddMarker(3, dcqcn);
        const std::string why = star.sw->Start();
        if (!why.empty())
        {
            std::cerr << "refused: " << why << std::endl;
            std::abort();
        }
        std::vector<uint32_t> qps;
        for (size_t i = 0; i < 3; i++)
        {
            qps.push_back(RdmaNic::Connect(star.nics[i], star.nics[3], dcqcn, 3));
        }
        client->SetRemote(star.nics[3]);
        client->SetAttribute("Algorithm", PointerValue(dcqcn));
        client->SetAttribute("MessageSize", UintegerValue(20000));
        client->SetAttribute("Messages", UintegerValue(0));
        star.nodes[0]->AddApplication(client);
        if (when == LATE)
        {
            Set(type, attribute, value);
        }
        for (size_t i = 0; i < 3; i++)
        {
            star.nics[i]->Post(qps[i], 0, MakeNullCallback<void, uint32_t>());
        }
    }

    /// Set the attribute of all objects of the type.
    void Set(const std::string& type, const std::string& attribute, const std::string& value)
    {
        const auto set = [&](Ptr<Object> object) { object->SetAttribute(attribute, StringValue(value)); };
        if (type == "ns3::QbbSwitch")
        {
            set(star.sw);
        }
        for (size_t i = 0; i < star.nics.size(); i++)
        {
            if (type == "ns3::RdmaNic")
            {
                set(star.nics[i]);
            }
            else if (type == "ns3::QbbNetDevice")
            {
                set(star.nics[i]->GetPort(0));
                set(star.sw->GetPort(static_cast<uint32_t>(i)));
            }
            else if (type == "ns3::QbbChannel")
            {
                set(star.Link(i));
            }
        }
    }
};

/// Run, and return "bytes N" of all frames at the receiver, or why the run was refused.
std::string
RunBench(const std::string& type, const std::string& attribute, const std::string& value, When when)
{
    return RccTestAbort([&] {
        Bench bench(type, attribute, value, when);
        bench.star.Link(0)->SetErrorRate(0.01, 5);
        RccTestHash hash;
        hash.Watch(bench.star.nics[3]->GetPort(0));
        RccRunTo(1500000);
        std::cerr << "bytes " << hash.value << std::endl;
        std::abort();
    });
}

/// A value of an attribute that is not its default and that its checker takes; empty: there is none here.
std::string
OtherValue(const TypeId::AttributeInformation& info)
{
    const std::string now = info.initialValue->SerializeToString(info.checker);
    static const std::map<std::string, std::string> chosen = {{"BufferSize", "2000000"},
                                                              {"LoadBalancing", "first"},
                                                              {"FlowletEntries", "1024"},
                                                              {"TrimSize", "128"},
                                                              {"CutThrough", "64"},
                                                              {"Recovery", "selective"},
                                                              {"BitmapPackets", "1024"},
                                                              {"DscpMap", "24:4"},
                                                              {"ClassWeights", "3:5"},
                                                              {"LosslessClasses", "0"},
                                                              {"Alpha", "0.5"},
                                                              {"DrainShare", "0.5"},
                                                              {"MaxFrame", "1200"},
                                                              {"IngressMeterRate", "2Gbps"},
                                                              {"DataRate", "5Gbps"},
                                                              {"Sampling", "Random"},
                                                              {"CongestionPoints", "None"},
                                                              {"Speedup", "2"},
                                                              {"StopThreshold", "100000"},
                                                              {"Mtu", "900"},
                                                              {"BucketSize", "20000"},
                                                              {"ReceiveBuffer", "65536"},
                                                              {"AckEvery", "3"},
                                                              {"Window", "30000"}};
    const auto found = chosen.find(info.name);
    static const std::map<std::string, std::vector<std::string>> ofType = {{"BooleanValue", {"true", "false"}},
                                                                           {"TimeValue", {"7us"}},
                                                                           {"UintegerValue", {"2", "5", "120000"}},
                                                                           {"IntegerValue", {"2"}},
                                                                           {"DoubleValue", {"0.5"}},
                                                                           {"DataRateValue", {"1Gbps"}}};
    const std::string type = info.checker->GetValueTypeName(); // in some versions without the name space
    const auto known = ofType.find(type.compare(0, 5, "ns3::") == 0 ? type.substr(5) : type);
    std::vector<std::string> tries = known == ofType.end() ? std::vector<std::string>() : known->second;
    if (found != chosen.end())
    {
        tries.insert(tries.begin(), found->second);
    }
    for (const auto& text : tries)
    {
        const Ptr<AttributeValue> value = info.checker->CreateValidValue(StringValue(text));
        if (value && value->SerializeToString(info.checker) != now)
        {
            return text;
        }
    }
    return "";
}

/// Call a function for each attribute of a class and of its parents in this module.
void
ForEach(const std::string& type, const std::function<void(const TypeId::AttributeInformation&)>& f)
{
    for (TypeId tid = TypeId::LookupByName(type); tid.GetGroupName() == "Rcc"; tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); i++)
        {
            f(tid.GetAttribute(i));
        }
    }
}

/// A late value has the effect of an early one, or ends the program with its name; the switch, hosts, ports and links.
void
Networks()
{
    const std::string plain = RunBench("", "", "", NEVER);
    RCC_CHECK(plain.find("bytes ") == 0, plain);
    std::map<std::string, int> refused, effects;
    for (const std::string type : {"ns3::QbbSwitch", "ns3::RdmaNic", "ns3::QbbNetDevice", "ns3::QbbChannel"})
    {
        ForEach(type, [&](const TypeId::AttributeInformation& info) {
            const std::string value = OtherValue(info);
            const std::string what = type + "::" + info.name + "=" + value;
            RCC_CHECK(!value.empty(), what);
            const std::string late = RunBench(type, info.name, value, LATE);
            if (late.find(type + "::" + info.name) != std::string::npos ||
                late.find("ns3::QbbSwitchBase::" + info.name) != std::string::npos)
            {
                RCC_CHECK(late.find("is set after") != std::string::npos, what << ": " << late);
                refused[type]++;
                return;
            }
            if (info.name == "DataRate")
            {
                RCC_CHECK(late != plain, "the link has it; reaction points and headroom are of the rate of before");
                return;
            }
            RCC_CHECK_EQ(late, RunBench(type, info.name, value, EARLY), what << " is ignored");
            effects[type] += late != plain;
        });
    }
    RCC_CHECK_GE(refused["ns3::QbbSwitch"], 25, "all but ControlClass");
    RCC_CHECK_GE(refused["ns3::RdmaNic"], 10, "");
    RCC_CHECK_GE(effects["ns3::RdmaNic"], 8, "the runs are such that attributes count");
    RCC_CHECK_GE(effects["ns3::QbbNetDevice"], 1, "");
}

/// The value that an object has may be set at any time.
void
SameValue()
{
    Bench bench("", "", "", NEVER);
    RccRunTo(1000);
    const auto same = [](Ptr<Object> object) {
        ForEach(object->GetInstanceTypeId().GetName(), [&](const TypeId::AttributeInformation& info) {
            StringValue now;
            object->GetAttribute(info.name, now);
            object->SetAttribute(info.name, now);
        });
    };
    same(bench.star.sw);
    same(bench.star.nics[0]);
    same(bench.star.nics[0]->GetPort(0));
    RccRunTo(2000);
}

/// A CIOQ switch that has started, and an application.
void
CioqSwitchAndClient()
{
    ForEach("ns3::CioqSwitch", [&](const TypeId::AttributeInformation& info) {
        if (info.name == "ControlClass")
        {
            return; // read for each CNM
        }
        RCC_CHECK_ABORTS(
            [&] {
                RccTestCioq bench;
                RCC_CHECK_EQ(bench.Build(2, RccTestQcn("30KB")), "", "");
                bench.sw->SetAttribute(info.name, StringValue(OtherValue(info)));
            },
            "::" + info.name + "=");
    });
    const std::map<std::string, bool> live = {
        {"MessageSize", true}, {"Messages", true}, {"Held", true}, {"ThinkTime", true}};
    for (const auto& name : live)
    {
        const auto run = [&](const char* messages, int64_t until) {
            Bench bench("", "", "", NEVER);
            bench.client->SetAttribute("Messages", StringValue(messages));
            RccRunTo(until);
            bench.client->SetAttribute(name.first, StringValue(name.first == "Held" ? "true" : "3"));
            Simulator::Destroy();
        };
        RCC_CHECK_ABORTS([&] { run("1", 1500000); }, "ns3::RdmaClient::" + name.first + "=");
        run("9", 20000);
    }
    ForEach("ns3::RdmaClient", [&](const TypeId::AttributeInformation& info) {
        if (live.count(info.name))
        {
            return; // read for each message
        }
        const bool pointer = info.name == "Remote" || info.name == "Algorithm";
        RCC_CHECK_ABORTS(
            [&] {
                Bench bench("", "", "", NEVER);
                RccRunTo(1000);
                const PointerValue other = info.name == "Remote" ? PointerValue(bench.star.nics[2])
                                                                 : PointerValue(RccAlgorithm::Create("none"));
                pointer ? bench.client->SetAttribute(info.name, other)
                        : bench.client->SetAttribute(info.name, StringValue(OtherValue(info)));
            },
            "ns3::RdmaClient::" + info.name + "=");
    });
    for (size_t i = 0; rcc_algorithm_at(i); i++)
    {
        const std::string name = rcc_algorithm_at(i)->name;
        ForEach(RccAlgorithm::TypeIdName(name), [&](const TypeId::AttributeInformation& info) {
            RCC_CHECK_ABORTS(
                [&] {
                    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(name);
                    algorithm->GetRpProfile(10 * G);
                    StringValue now;
                    algorithm->GetAttribute(info.name, now);
                    algorithm->SetAttribute(info.name, now);
                },
                "set before anything uses the algorithm");
        });
    }
}

/// Links that are faster than Start of the switch found have their headroom before the first frame.
void
FasterLinks()
{
    for (const std::string name : {"dcqcn", "hpcc"})
    {
        RccTestStar star;
        star.helper.SetSwitchAttribute("MaxFrame", UintegerValue(1200));
        star.Build(std::vector<uint64_t>(9, 10 * G), std::vector<int64_t>(9, 1000));
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(name);
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        UintegerValue before, after;
        star.sw->GetAttribute("MaxFrame", before);
        for (uint32_t i = 0; i < 9; i++)
        {
            star.nics[i]->GetPort(0)->SetAttribute("DataRate", StringValue("400Gbps"));
            star.sw->GetPort(i)->SetAttribute("DataRate", StringValue("400Gbps"));
        }
        for (uint32_t i = 0; i < 8; i++)
        {
            const uint32_t qp = RdmaNic::Connect(star.nics[i], star.nics[8], algorithm, 3);
            star.nics[i]->Post(qp, 3000000, MakeNullCallback<void, uint32_t>());
        }
        RccRunTo(300000);
        star.sw->GetAttribute("MaxFrame", after);
        RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, name << ": the class is lossless");
        RCC_CHECK_EQ(after.Get(), before.Get(), name);
        Simulator::Destroy();
    }
}

RccTestSuite g_lateAttributesSuite("rcc-late-attributes", {{"networks", Networks},
                                                           {"same-value", SameValue},
                                                           {"others", CioqSwitchAndClient},
                                                           {"faster-links", FasterLinks}});

} // namespace
