/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaNic's and RdmaClient's trace sources; Config paths and attributes of the module's classes. */
#include "trace-test-net.h"

#include "rcc-test-folder.h"

#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rdma-flow-report.h"
#include "ns3/rdma-path.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>

using namespace ns3;

namespace
{

/// Records of the reaction points of one NIC, by queue pair.
struct RpLog
{
    Ptr<RdmaNic> nic;
    std::map<uint32_t, uint64_t> rate, target;
    std::map<uint32_t, double> alpha;
    std::map<RdmaRpCause, uint64_t> causes;
    uint64_t fires{0}, broken{0}, cuts{0}, wrong{0};

    void Rate(uint32_t qp, uint64_t before, uint64_t now)
    {
        fires++;
        broken += rate[qp] != before || before == now;
        cuts += now < before;
        rate[qp] = now;
        wrong += nic->GetRate(qp) != now; // reading it fires nothing
    }

    void Target(uint32_t qp, uint64_t before, uint64_t now)
    {
        broken += target[qp] != before || before == now;
        target[qp] = now;
    }

    void Alpha(uint32_t qp, double before, double now)
    {
        broken += std::memcmp(&alpha[qp], &before, sizeof before) != 0;
        alpha[qp] = now;
    }

    void Touched(uint32_t qp, RdmaRpCause cause, const RdmaRpState& state)
    {
        causes[cause]++;
        const RdmaRpState now = nic->GetRpState(qp);
        wrong += now.rate != state.rate || now.target != state.target || now.phase != state.phase;
    }

    void Connect(Ptr<RdmaNic> n)
    {
        nic = n;
        n->TraceConnectWithoutContext("Rate", MakeCallback(&RpLog::Rate, this));
        n->TraceConnectWithoutContext("TargetRate", MakeCallback(&RpLog::Target, this));
        n->TraceConnectWithoutContext("Alpha", MakeCallback(&RpLog::Alpha, this));
        n->TraceConnectWithoutContext("ReactionPoint", MakeCallback(&RpLog::Touched, this));
    }
};

/// Each fire has the state of that moment, each old value is the last new one, and each touch fires once.
void
ReactionPoints()
{
    for (const char* name : {"dcqcn", "dcqcn-plus", "qcn", "timely", "none"})
    {
        RccTestStar star;
        star.Build(4, 10 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(name);
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        RpLog log;
        log.Connect(star.nics[0]);
        const uint32_t qp = star.Send(0, 3, algorithm, 0);
        star.Send(0, 3, algorithm, 0);
        star.Send(1, 3, algorithm, 0);
        star.Send(2, 3, algorithm, 0);
        RCC_CHECK_EQ(log.rate.size(), 2, name << ": a queue pair's first rate is there when it opens");
        RccRunTo(3000000);
        const RdmaNicCounters& c = star.nics[0]->GetCounters();
        RCC_CHECK_EQ(log.broken, 0, name);
        RCC_CHECK_EQ(log.wrong, 0, name);
        RCC_CHECK_EQ(log.causes[RdmaRpCause::OPENED], 2, name);
        RCC_CHECK_EQ(log.causes[RdmaRpCause::SENT], c.packetsSent, name);
        RCC_CHECK_EQ(log.causes[RdmaRpCause::CNP], c.cnpsReceived, name);
        RCC_CHECK_EQ(log.causes[RdmaRpCause::CNM], c.cnmsReceived, name);
        RCC_CHECK_EQ(log.causes[RdmaRpCause::ACK], c.acksReceived, name);
        RCC_CHECK_EQ(log.causes[RdmaRpCause::READ], 0, name);
        RCC_CHECK_EQ(log.cuts > 0, std::string(name) != "none", name);

        const uint64_t before = log.fires;
        RccRunTo(3000000 + 5);
        const uint64_t rate = star.nics[0]->GetRate(qp);
        RCC_CHECK_EQ(log.causes[RdmaRpCause::READ], 1, name << ": a reader from outside fires");
        RCC_CHECK_EQ(log.rate[qp], rate, name);
        RCC_CHECK_GE(log.fires, before, name);
        RCC_CHECK_EQ(std::string(star.nics[0]->GetAlgorithmName(qp)), name, "");
        Simulator::Destroy();
    }
}

/// Records of a NIC's other trace sources.
struct NicLog
{
    std::map<std::string, uint64_t> cnpsSent, cnpsReceived; //!< by context
    uint64_t cnms{0}, opened{0}, closed{0}, delivered{0}, discarded{0}, deliveredBytes{0}, again{0};
    std::vector<std::string> messages;
    std::vector<std::pair<uint64_t, bool>> back;

    void CnpSent(std::string context, uint32_t, uint32_t)
    {
        cnpsSent[context]++;
    }

    void CnpReceived(std::string context, uint32_t, uint32_t)
    {
        cnpsReceived[context]++;
    }

    void Cnm(uint32_t, uint8_t qfb)
    {
        cnms += qfb >= 1 && qfb <= 63;
    }

    void Opened(uint32_t)
    {
        opened++;
    }

    void Closed(uint32_t)
    {
        closed++;
    }

    void Start(uint32_t qp, uint64_t bytes)
    {
        messages.push_back("start " + std::to_string(qp) + " " + std::to_string(bytes) + " at " +
                           std::to_string(RccNow()));
    }

    void End(uint32_t qp, uint64_t bytes, int64_t ns)
    {
        messages.push_back("end " + std::to_string(qp) + " " + std::to_string(bytes) + " from " +
                           std::to_string(RccNow() - ns));
    }

    void Delivered(uint32_t, const RccFrame& frame)
    {
        delivered++;
        deliveredBytes += frame.payload;
    }

    void Discarded(uint32_t, const RccFrame&)
    {
        discarded++;
    }

    void Back(uint32_t, uint64_t psn, uint64_t packets, bool timeout)
    {
        back.emplace_back(psn, timeout);
        again += packets;
    }

    void Connect()
    {
        const std::string nic = "/NodeList/*/$ns3::RdmaNic/";
        Config::Connect(nic + "CnpSent", MakeCallback(&NicLog::CnpSent, this));
        Config::Connect(nic + "CnpReceived", MakeCallback(&NicLog::CnpReceived, this));
        Config::ConnectWithoutContext(nic + "CnmReceived", MakeCallback(&NicLog::Cnm, this));
        Config::ConnectWithoutContext(nic + "QpOpened", MakeCallback(&NicLog::Opened, this));
        Config::ConnectWithoutContext(nic + "QpClosed", MakeCallback(&NicLog::Closed, this));
        Config::ConnectWithoutContext(nic + "MessageStart", MakeCallback(&NicLog::Start, this));
        Config::ConnectWithoutContext(nic + "MessageEnd", MakeCallback(&NicLog::End, this));
        Config::ConnectWithoutContext(nic + "Deliver", MakeCallback(&NicLog::Delivered, this));
        Config::ConnectWithoutContext(nic + "Discard", MakeCallback(&NicLog::Discarded, this));
        Config::ConnectWithoutContext(nic + "GoBack", MakeCallback(&NicLog::Back, this));
    }
};

/// Context of a NIC's source.
std::string
NicPath(Ptr<Node> node, const std::string& source)
{
    return "/NodeList/" + std::to_string(node->GetId()) + "/$ns3::RdmaNic/" + source;
}

void
Signals()
{
    for (const char* name : {"dcqcn", "qcn"})
    {
        RccTestStar star;
        star.Build(4, 10 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(name);
        star.sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        NicLog log;
        log.Connect();
        for (size_t i = 0; i < 3; i++)
        {
            star.Send(i, 3, algorithm, 0);
        }
        RccRunTo(3000000);
        uint64_t cnms = 0;
        for (size_t i = 0; i < 3; i++)
        {
            const RdmaNicCounters& c = star.nics[i]->GetCounters();
            RCC_CHECK_EQ(log.cnpsReceived[NicPath(star.nodes[i], "CnpReceived")], c.cnpsReceived, name << " " << i);
            RCC_CHECK_EQ(star.nics[i]->GetSendQp(0).cnpsReceived, c.cnpsReceived, name << " " << i);
            cnms += c.cnmsReceived;
        }
        const RdmaNicCounters& r = star.nics[3]->GetCounters();
        RCC_CHECK_EQ(log.cnpsSent[NicPath(star.nodes[3], "CnpSent")], r.cnpsSent, name);
        RCC_CHECK_EQ(log.cnms, cnms, name);
        RCC_CHECK_GE(r.cnpsSent + cnms, 3, name);
        RCC_CHECK_EQ(log.delivered, r.packetsDelivered, name);
        RCC_CHECK_EQ(log.deliveredBytes, r.payloadDelivered, name);
        RCC_CHECK_EQ(log.discarded, 0, name);
        RCC_CHECK_EQ(log.opened, 3, name);
        Simulator::Destroy();
    }
}

/// One data packet lost, then one answer: a NAK and a timeout, each with what is sent again.
void
GoBack()
{
    RccTestStar star;
    star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    uint64_t data = 0; // transmissions of packet 10
    uint64_t acks = 0;
    RccTestLoss once([&](const RccFrame& f) {
        data += f.kind == RccFrameKind::DATA && f.psn == 10;
        acks += f.kind == RccFrameKind::ACK;
        return (f.kind == RccFrameKind::DATA && f.psn == 10 && data == 1) || (f.kind == RccFrameKind::ACK && acks == 1);
    });
    star.Link(0)->SetDisturbance(&once);
    NicLog log;
    log.Connect();
    Ptr<RccAlgorithm> none = RccAlgorithm::Create("none");
    const uint32_t qp = star.Send(0, 1, none, 30500);
    RccRunTo(1000000);
    RCC_CHECK_EQ(log.back.size(), 2, "");
    RCC_CHECK(log.back[0].first == 10 && !log.back[0].second, "the NAK");
    RCC_CHECK(log.back[1].first == 10 && log.back[1].second, "the timeout; the lost ACK was the only one");
    const RdmaSendQp& half = star.nics[0]->GetSendQp(qp);
    RCC_CHECK_EQ(log.again, half.packetsSent - half.tx.highest, "");
    RCC_CHECK_EQ(log.discarded, star.nics[1]->GetCounters().packetsOutOfOrder, "");
    RCC_CHECK_GE(log.discarded, 20, "");
    RCC_CHECK_EQ(log.delivered, 31, "");
    RCC_CHECK_EQ(log.messages.size(), 2, "");
    RCC_CHECK_EQ(log.messages[1], "end 0 30500 from 0", "");
}

/// Messages of one queue pair, its end, and a client's.
void
Messages()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    NicLog log;
    log.Connect();
    Ptr<RccAlgorithm> none = RccAlgorithm::Create("none");
    const uint32_t qp = star.Send(0, 1, none, 1);
    star.nics[0]->Post(qp, 2000, MakeNullCallback<void, uint32_t>());
    RccAt(5000000, [&] { star.nics[0]->Post(qp, 999, MakeNullCallback<void, uint32_t>()); });
    RccRunTo(6000000);
    star.nics[0]->Close(qp);
    star.nics[0]->Close(qp);
    const std::vector<std::string> expected = {"start 0 1 at 0",    "start 0 2000 at 0",      "end 0 1 from 0",
                                               "end 0 2000 from 0", "start 0 999 at 5000000", "end 0 999 from 5000000"};
    RCC_CHECK_EQ(log.messages.size(), expected.size(), "");
    for (size_t i = 0; i < std::min(expected.size(), log.messages.size()); i++)
    {
        RCC_CHECK_EQ(log.messages[i], expected[i], i);
    }
    RCC_CHECK_EQ(log.opened, 1, "");
    RCC_CHECK_EQ(log.closed, 1, "closing it again is nothing");

    struct Client
    {
        std::vector<std::string> seen;

        void Started(std::string context, Ptr<RdmaClient> client)
        {
            seen.push_back(context + (client->IsConnected() ? " connected" : ""));
        }

        void Completed(Ptr<RdmaClient> client, int64_t ns)
        {
            seen.push_back(ns == client->GetCompletionTime() && ns > 0 ? "completed" : "wrong");
        }
    } seen;
    Ptr<RdmaClient> client = CreateObject<RdmaClient>();
    client->SetAttribute("Remote", PointerValue(star.nics[1]));
    client->SetAttribute("Algorithm", PointerValue(none));
    client->SetAttribute("MessageSize", UintegerValue(5000));
    star.nodes[0]->AddApplication(client);
    const std::string path =
        "/NodeList/" + std::to_string(star.nodes[0]->GetId()) + "/ApplicationList/0/$ns3::RdmaClient/";
    Config::Connect(path + "Started", MakeCallback(&Client::Started, &seen));
    Config::ConnectWithoutContext(path + "Completed", MakeCallback(&Client::Completed, &seen));
    RccRunTo(8000000);
    RCC_CHECK_EQ(seen.seen.size(), 2, "");
    RCC_CHECK_EQ(seen.seen[0], path + "Started connected", "");
    RCC_CHECK_EQ(seen.seen[1], "completed", "");
}

/// Config::Set reaches the module's objects, and their checkers refuse what cannot be.
void
Paths()
{
    RccTestStar star;
    star.Build(3, 10 * G, 1000);
    const std::string sw = "/NodeList/" + std::to_string(star.sw->GetPort(0)->GetNode()->GetId());
    Config::Set("/NodeList/*/DeviceList/*/$ns3::QbbNetDevice/DataRate", StringValue("25Gbps"));
    Config::Set("/NodeList/*/$ns3::RdmaNic/Mtu", UintegerValue(1500));
    Config::Set(sw + "/$ns3::QbbSwitch/Alpha", DoubleValue(0.5));
    Config::Set("/ChannelList/*/$ns3::QbbChannel/Delay", StringValue("3us"));
    for (uint32_t i = 0; i < 3; i++)
    {
        RCC_CHECK_EQ(star.nics[i]->GetMtu(), 1500, "");
        RCC_CHECK_EQ(star.nics[i]->GetPort(0)->GetRate(), 25 * G, "");
        RCC_CHECK_EQ(star.sw->GetPort(i)->GetRate(), 25 * G, "");
        RCC_CHECK_EQ(star.Link(i)->GetDelayNs(), 3000, "");
    }
    DoubleValue alpha;
    star.sw->GetAttribute("Alpha", alpha);
    RCC_CHECK_NEAR(alpha.Get(), 0.5, 1e-9, "");
    RCC_CHECK(!star.nics[0]->SetAttributeFailSafe("Mtu", UintegerValue(0)), "");
    RCC_CHECK(!star.nics[0]->SetAttributeFailSafe("RetransmissionTimeout", TimeValue(NanoSeconds(0))), "");
    RCC_CHECK(!star.sw->GetPort(0)->SetAttributeFailSafe("DataRate", DataRateValue(DataRate(0))),
              "no link without a rate");
    RCC_CHECK(!star.sw->GetPort(0)->SetAttributeFailSafe("IpClass", UintegerValue(8)), "");
    RCC_CHECK(!star.sw->SetAttributeFailSafe("Alpha", DoubleValue(0)), "");
    RCC_CHECK_EQ(star.sw->GetPort(0)->GetRate(), 25 * G, "what was refused changed nothing");
}

/// Classes that ObjectFactory makes; each attribute has a text, a checker, and a default that its checker accepts.
void
Factories()
{
    std::set<std::string> made;
    for (uint32_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId tid = TypeId::GetRegistered(static_cast<uint16_t>(i));
        if (tid.GetGroupName() != "Rcc")
        {
            continue;
        }
        for (std::size_t a = 0; a < tid.GetAttributeN(); a++)
        {
            const TypeId::AttributeInformation info = tid.GetAttribute(a);
            const std::string what = tid.GetName() + "::" + info.name;
            RCC_CHECK_GE(info.help.size(), 10, what << ": help");
            RCC_CHECK(info.checker->Check(*info.initialValue), what << ": the default is out of range");
        }
        for (std::size_t t = 0; t < tid.GetTraceSourceN(); t++)
        {
            const TypeId::TraceSourceInformation info = tid.GetTraceSource(t);
            const std::string what = tid.GetName() + "::" + info.name;
            const std::string end = "TracedCallback";
            RCC_CHECK(info.callback.size() > end.size() &&
                          info.callback.compare(info.callback.size() - end.size(), end.size(), end) == 0,
                      what << ": " << info.callback);
            RCC_CHECK(info.help.find(". ") != std::string::npos, what << ": when does it fire?");
        }
        if (tid.HasConstructor())
        {
            ObjectFactory factory;
            factory.SetTypeId(tid.GetName());
            RCC_CHECK(factory.Create<Object>(), tid.GetName());
            made.insert(tid.GetName());
        }
    }
    for (const char* name :
         {"ns3::QbbNetDevice", "ns3::QbbChannel", "ns3::QbbSwitch", "ns3::CioqSwitch", "ns3::RdmaNic",
          "ns3::RdmaClient", "ns3::RccDcqcn", "ns3::RccDcqcnPlus", "ns3::RccQcn", "ns3::RccTimely"})
    {
        RCC_CHECK(made.count(name), name);
    }
}

/// The ideal time of a message that still runs takes no time per packet of it: 2^64 - 2 bytes were a loop for ever.
void
HugeMessages()
{
    RccTestFolder folder;
    RccTestStar star;
    star.Build(2, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    RdmaFlowReport report(folder.Name("flows.csv"));
    report.Install(NodeContainer(star.nodes[0]));
    const uint64_t some = 20000000007, huge = UINT64_MAX - 1;
    const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("none"), some);
    star.Send(0, 1, RccAlgorithm::Create("none"), huge);
    RccRunTo(100000);
    const std::vector<RccHop> path = RdmaPathOf(*star.nics[0], star.nics[0]->GetSendQp(qp));
    RCC_CHECK_EQ(report.Close(), "", "");
    std::ifstream file(folder.Name("flows.csv"));
    std::vector<double> ideal;
    for (std::string line; std::getline(file, line);)
    {
        const size_t end = line.rfind(','), slowdown = line.rfind(',', end - 1), at = line.rfind(',', slowdown - 1);
        ideal.push_back(std::atof(line.substr(at + 1, slowdown - at - 1).c_str()));
    }
    RCC_CHECK_EQ(ideal.size(), 3, "a header and two rows");
    UintegerValue every;
    star.nics[0]->GetAttribute("AckEvery", every);
    const auto exact = [&](uint64_t bytes) {
        return static_cast<double>(RccIdealFct(path, bytes, 1000, static_cast<uint32_t>(every.Get()))) / 1e9;
    };
    RCC_CHECK(std::fabs(ideal[1] - exact(some)) < 1.5e-9, "packet by packet: " << ideal[1] << ", " << exact(some));
    const double perByte = (exact(2000000000) - exact(1000000000)) / 1e9;
    RCC_CHECK(std::fabs(ideal[2] / (perByte * static_cast<double>(huge)) - 1) < 1e-6, "ideal " << ideal[2]);
}

/// A sink of ReactionPoint that opens a queue pair and sends on it.
struct Opener
{
    Ptr<RdmaNic> from, to;
    Ptr<RccAlgorithm> algorithm;
    std::map<RdmaRpCause, uint64_t> causes;
    std::map<uint32_t, uint64_t> rates; //!< by queue pair, how often Rate has fired

    void Touched(uint32_t, RdmaRpCause cause, const RdmaRpState&)
    {
        causes[cause]++;
        if (cause == RdmaRpCause::SENT && from->GetNSendQps() == 1)
        {
            const uint32_t qp = RdmaNic::Connect(from, to, algorithm, 3);
            from->Post(qp, 5000, MakeNullCallback<void, uint32_t>());
        }
    }

    void Rate(uint32_t qp, uint64_t before, uint64_t)
    {
        rates[qp] += before == 0;
    }
};

/// A queue pair that a sink opens is told as others are.
void
OpenedInASink()
{
    RccTestStar star;
    star.Build(2, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Opener opener{star.nics[0], star.nics[1], RccAlgorithm::Create("dcqcn"), {}, {}};
    star.nics[0]->TraceConnectWithoutContext("ReactionPoint", MakeCallback(&Opener::Touched, &opener));
    star.nics[0]->TraceConnectWithoutContext("Rate", MakeCallback(&Opener::Rate, &opener));
    star.Send(0, 1, opener.algorithm, 5000);
    RccRunTo(1000000);
    RCC_CHECK_EQ(opener.causes[RdmaRpCause::OPENED], 2, "");
    RCC_CHECK_EQ(opener.causes[RdmaRpCause::SENT], 10, "");
    RCC_CHECK(opener.rates[0] == 1 && opener.rates[1] == 1, "its first rate, from 0");
}

RccTestSuite g_nicTracesSuite("rcc-nic-traces", {{"reaction-points", ReactionPoints},
                                                 {"signals", Signals},
                                                 {"go-back", GoBack},
                                                 {"messages", Messages},
                                                 {"paths", Paths},
                                                 {"factories", Factories},
                                                 {"huge-messages", HugeMessages},
                                                 {"opened-in-a-sink", OpenedInASink}});

} // namespace
