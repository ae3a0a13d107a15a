/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * TCP beside RDMA: hosts of both kinds send to one receiver through one switch,
 * each kind in a traffic class of its own.
 *
 *     TCP host 1  --.
 *     TCP host 2  --+            class 1, lossy
 *        ...        +-- switch -- receiver
 *     RDMA host 1 --+            class 3, lossless
 *        ...      --'
 *
 * Prints what each class gets of the receiver's link, and what it loses.
 */
#include "lab-capture.h"
#include "lab-front.h"
#include "ns3/core-module.h"
#include "ns3/inet-socket-address.h"
#include "ns3/qbb-internet.h"
#include "ns3/tcp-bulk.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

const uint16_t PORT = 5001;
const uint8_t TCP_CLASS = 1;
const uint8_t RDMA_CLASS = 3;
const char* const KINDS[] = {"TCP", "RDMA"};

/// Counts what the receiver's port gets of each class.
struct Meter : QbbFrameObserver
{
    uint64_t bytes[QBB_CLASSES] = {};
    int64_t after; //!< ns

    void FrameSeen(QbbFrameEvent event, const QbbNetDevice&, const RccFrame& frame, int64_t now) override
    {
        bytes[frame.cls] += event == QbbFrameEvent::RECEIVED && now >= after ? frame.bytes : 0;
    }
};

/// The ports to capture. \param hosts on the switch, whose number follows theirs
void
ReadCaptures(LabFront& front, uint32_t hosts)
{
    front.file.nodes.resize(hosts + 1);
    front.file.nodes[hosts].kind = RunNodeKind::SWITCH;
    for (uint32_t i = 0; i < hosts; i++)
    {
        RunLink link;
        link.a = i;
        link.b = hosts;
        front.file.links.push_back(link);
    }
    front.ReadCaptures();
    const auto sender = [](const RunCapture& c) { return c.place == RunCapturePlace::SENDER; };
    auto& captures = front.file.captures;
    captures.erase(std::remove_if(captures.begin(), captures.end(), sender), captures.end());
    if (!captures.empty())
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true)); // or ns-3's IP and TCP headers have none
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    LabOptions options;
    options.AddText("cc", "dcqcn", "congestion control of the RDMA flows");
    options.AddText("preset", "", "parameter set of it");
    options.AddList("set", "", "set one parameter of one algorithm, e.g. dcqcn.g=0.0039");
    options.AddList("attr", "", "set one attribute of a class, e.g. QbbSwitch.EgressAlpha=2");
    options.Add("tcp", RCC_UNIT_COUNT, "4", 0, 1000, "hosts with a TCP connection each");
    options.Add("rdma", RCC_UNIT_COUNT, "4", 0, 1000, "hosts with an RDMA flow each");
    options.Add("rate", RCC_UNIT_BPS, "10Gbps", 1000000, 400 * RCC_SECOND, "of every link");
    options.Add("delay", RCC_UNIT_NS, "1us", 0, RCC_SECOND, "of every link");
    options.Add("time", RCC_UNIT_NS, "100ms", 1000000, 1000 * RCC_SECOND, "simulated; the second half counts");
    options.AddFlag("ecn", "TCP negotiates ECN, and the algorithm's marker is on its class too");
    options.AddText("out", "", "folder of the captures, which exists");
    options.AddTable("capture");
    options.Parse(argc, argv, "TCP and RDMA flows to one host through one switch, each kind in its class.");

    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue(options.GetFlag("ecn") ? "On" : "Off"));

    const auto nTcp = options.Get<uint32_t>("tcp");
    const auto nRdma = options.Get<uint32_t>("rdma");
    options.ApplyAttributes();
    LabFront front(options);
    ReadCaptures(front, 1 + nTcp + nRdma);
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(options.Get("rate"))));
    helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(options.Get("delay"))));
    helper.SetSwitchAttribute("MaxFrame", UintegerValue(1500 + IP_OVERHEAD + VLAN_TAG_BYTES));
    QbbStar star = QbbStar::Create(helper, 1 + nTcp + nRdma);
    Ptr<RccAlgorithm> algorithm = options.CreateAlgorithm();
    star.sw->AddMarker(RDMA_CLASS, algorithm);
    if (options.GetFlag("ecn"))
    {
        star.sw->AddMarker(TCP_CLASS, algorithm);
    }
    LabOptions::FailIf(star.sw->Start());

    const Ipv4InterfaceContainer addresses = QbbInstallInternet(star.hosts);
    const InetSocketAddress receiver(addresses.GetAddress(0), PORT);
    Meter meter;
    meter.after = options.Get("time") / 2;
    star.nics[0]->GetPort(0)->AddObserver(&meter, QBB_OBSERVE_FRAMES);
    TcpBulkReceiver tcpReceiver(star.hosts.Get(0));
    tcpReceiver.Listen(PORT);
    std::vector<std::unique_ptr<TcpBulkSender>> tcpSenders;
    for (uint32_t i = 1; i <= nTcp; i++)
    {
        tcpSenders.emplace_back(new TcpBulkSender(star.hosts.Get(i), receiver));
        tcpSenders.back()->StartAt(1);
    }
    for (uint32_t i = nTcp + 1; i <= nTcp + nRdma; i++)
    {
        const uint32_t qp = RdmaNic::Connect(star.nics[i], star.nics[0], algorithm, RDMA_CLASS);
        star.nics[i]->Post(qp, 0, MakeNullCallback<void, uint32_t>());
    }
    LabCapture capture;
    capture.Choose(front.file, {star.sw->GetPort(0), star.nics[0]->GetPort(0)});
    capture.Open(options.GetText("out"));
    Simulator::Stop(NanoSeconds(options.Get("time")));
    Simulator::Run();
    LabOptions::FailIf(capture.Close());

    const double seconds = static_cast<double>(options.Get("time") - meter.after) / 1e9;
    for (uint8_t cls : {TCP_CLASS, RDMA_CLASS})
    {
        std::printf("%-4s  class %u  %8.3f Gb/s  %8llu dropped\n", KINDS[cls == RDMA_CLASS], unsigned(cls),
                    static_cast<double>(meter.bytes[cls]) * 8e-9 / seconds,
                    static_cast<unsigned long long>(star.sw->GetDroppedPackets(cls)));
    }
    std::printf("marked %llu\n", static_cast<unsigned long long>(star.sw->GetMarkedPackets()));
    Simulator::Destroy();
    return 0;
}
