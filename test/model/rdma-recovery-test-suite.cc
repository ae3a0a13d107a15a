/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Tests of what a NIC repeats: go-back-N with one NAK or several, selective repeat, IRN; losses of data and of every
 * kind. */
#include "rcc-test-abort.h"
#include "rcc-test-net.h"

#include "ns3/config.h"
#include "ns3/rcc-wire.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const int64_t RTO = 5000000;

/// Hosts on a switch that repeat in one way; what the ends of messages were.
struct Net : RccTestStar
{
    std::vector<std::pair<uint32_t, uint64_t>> ends; //!< queue pair and bytes of each message, in the order of the ends
    RccTestLoss loss;

    explicit Net(const std::string& recovery, size_t hosts = 2, int64_t nakEvery = 0)
    {
        helper.SetNicAttribute("Recovery", StringValue(recovery));
        helper.SetNicAttribute("RetransmissionTimeout", TimeValue(NanoSeconds(RTO)));
        helper.SetNicAttribute("NakEvery", TimeValue(NanoSeconds(nakEvery)));
        helper.SetNicAttribute("BaseRtt", TimeValue(NanoSeconds(10000)));
        Build(hosts, 40 * G, 1000);
        sw->AddMarker(3, RccAlgorithm::Create("hpcc"));
        RCC_CHECK_EQ(sw->Start(), "", "");
        for (const auto& nic : nics)
        {
            nic->TraceConnectWithoutContext("MessageEnd", MakeCallback(&Net::OnEnded, this));
        }
    }

    void OnEnded(uint32_t qp, uint64_t bytes, int64_t)
    {
        ends.emplace_back(qp, bytes);
    }

    /// Lose the data packets `psn` of host 0 for so many times each.
    void LoseData(const std::vector<uint64_t>& psns, uint32_t times)
    {
        auto left = std::make_shared<std::vector<uint32_t>>(psns.size(), times);
        loss.loses = [=](const RccFrame& f) {
            for (size_t i = 0; i < psns.size(); i++)
            {
                if (f.kind == RccFrameKind::DATA && f.psn == psns[i] && (*left)[i] > 0)
                {
                    (*left)[i]--;
                    return true;
                }
            }
            return false;
        };
        Link(0)->SetDisturbance(&loss);
    }

    uint64_t Sum(uint64_t RdmaNicCounters::*counter) const
    {
        uint64_t sum = 0;
        for (const auto& nic : nics)
        {
            sum += nic->GetCounters().*counter;
        }
        return sum;
    }
};

using C = RdmaNicCounters;

/// Packets 5, 6 and 20 of 100 are lost once.
void
OnlyWhatIsMissing()
{
    for (const std::string recovery : {"selective", "irn"})
    {
        Net net(recovery);
        net.LoseData({5, 6, 20}, 1);
        const uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("none"), 100000);
        RccRunTo(RTO - 1);
        RCC_CHECK_EQ(net.Received(0, 1, qp).bytes, 100000, recovery);
        RCC_CHECK_EQ(net.ends.size(), 1, recovery);
        RCC_CHECK_EQ(net.Sum(&C::packetsSent), 103, recovery << ": what is missing, once");
        RCC_CHECK_EQ(net.Sum(&C::packetsRepeated), 3, recovery);
        RCC_CHECK_EQ(net.Sum(&C::bytesRepeated), 3 * 1062, recovery);
        RCC_CHECK_EQ(net.Sum(&C::packetsDelivered), 100, recovery << ": each packet once");
        RCC_CHECK_EQ(net.Sum(&C::packetsOutOfOrder), 0, recovery);
        RCC_CHECK(net.Sum(&C::packetsEarly) > 10, recovery);
        RCC_CHECK_EQ(net.Sum(&C::timeouts), 0, recovery);
        const uint64_t naks = net.Sum(&C::naksSent);
        RCC_CHECK(recovery == "irn" ? naks > 3 : naks >= 2 && naks <= 3, recovery << ": " << naks << " NAKs");
        Simulator::Destroy();
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
    }
    Net net("go-back-n");
    net.LoseData({5, 6, 20}, 1);
    net.Send(0, 1, RccAlgorithm::Create("none"), 100000);
    RccRunTo(RTO - 1);
    RCC_CHECK_EQ(net.ends.size(), 1, "");
    RCC_CHECK(net.Sum(&C::packetsRepeated) > 20, "all after each");
    RCC_CHECK_EQ(net.Sum(&C::packetsSent) - 100, net.Sum(&C::packetsRepeated), "");
    RCC_CHECK_EQ(net.Sum(&C::packetsEarly), 0, "");
}

/// Packet 5 and its first repeat are lost: with one NAK for a gap a timeout brings it back, otherwise another NAK.
void
AnotherNak()
{
    for (int64_t every : {0, 20000})
    {
        Net net("go-back-n", 2, every);
        net.LoseData({5}, 2);
        net.Send(0, 1, RccAlgorithm::Create("none"), 1000000);
        RccRunTo(3 * RTO);
        RCC_CHECK_EQ(net.ends.size(), 1, "every " << every);
        RCC_CHECK_EQ(net.Sum(&C::timeouts), every ? 0 : 1, "every " << every);
        RCC_CHECK_EQ(net.Sum(&C::naksSent), every ? 2 : 1, "every " << every);
        Simulator::Destroy();
    }
}

/// Messages end in the order of posting, whatever was lost of the first of them.
void
InOrder()
{
    for (const std::string recovery : {"go-back-n", "selective", "irn"})
    {
        Net net(recovery);
        net.LoseData({1}, 1);
        const uint32_t qp = RdmaNic::Connect(net.nics[0], net.nics[1], RccAlgorithm::Create("none"), 3);
        for (uint64_t bytes : {3000, 1, 2000, 999, 40000})
        {
            net.nics[0]->Post(qp, bytes, MakeNullCallback<void, uint32_t>());
        }
        RccRunTo(RTO - 1);
        const std::vector<std::pair<uint32_t, uint64_t>> expected = {
            {qp, 3000}, {qp, 1}, {qp, 2000}, {qp, 999}, {qp, 40000}};
        RCC_CHECK(net.ends == expected, recovery << ": " << net.ends.size() << " messages ended");
        Simulator::Destroy();
    }
}

/// Losses of every kind in all links, from 1e-4 to 0.3: every message ends, and each byte is delivered once.
void
EveryKind()
{
    const char* const algorithms[] = {"none", "dcqcn", "timely", "hpcc", "swift", "dcqcn-plus"};
    for (const std::string recovery : {"go-back-n", "selective", "irn"})
    {
        size_t number = 0;
        for (double p : {1e-4, 1e-3, 1e-2, 0.1, 0.3})
        {
            Config::SetDefault("ns3::QbbChannel::LosesEveryKind", BooleanValue(true));
            Config::SetDefault("ns3::RdmaNic::AckEvery", UintegerValue(p > 0.01 ? 1 : 16));
            Net net(recovery, 5);
            const uint64_t bytes = p > 0.01 ? 30000 : 300000;
            std::vector<uint32_t> qps;
            for (size_t i = 0; i < 5; i++)
            {
                net.Link(i)->SetErrorRate(p, 100 + i);
                qps.push_back(
                    net.Send(i, (i + 1 + number % 2) % 5, RccAlgorithm::Create(algorithms[(number + i) % 6]), bytes));
            }
            RccRunTo(4000000000);
            const std::string what = recovery + ", p = " + std::to_string(p);
            RCC_CHECK_EQ(net.ends.size(), 5, what);
            for (size_t i = 0; i < 5; i++)
            {
                RCC_CHECK_EQ(net.Received(i, (i + 1 + number % 2) % 5, qps[i]).bytes, bytes, what << ", flow " << i);
            }
            RCC_CHECK_EQ(net.Sum(&C::payloadDelivered), 5 * bytes, what);
            RCC_CHECK_EQ(net.Sum(&C::packetsDelivered), 5 * bytes / 1000, what);
            RCC_CHECK_EQ(net.Sum(&C::packetsSent), 5 * bytes / 1000 + net.Sum(&C::packetsRepeated), what);
            RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, what);
            number++;
            Simulator::Destroy();
            Config::Reset();
        }
    }
}

/// A link loses its share of every kind of frame: 9801 of 10,000 ACKs arrive over two links, within four standard
/// deviations. Without LosesEveryKind all of them do.
void
AcksAreLost()
{
    for (bool everyKind : {false, true})
    {
        Config::SetDefault("ns3::QbbChannel::LosesEveryKind", BooleanValue(everyKind));
        Config::SetDefault("ns3::RdmaNic::AckEvery", UintegerValue(1));
        Net net("selective");
        net.Link(0)->SetErrorRate(0.01, 1);
        net.Link(1)->SetErrorRate(0.01, 2);
        net.Send(0, 1, RccAlgorithm::Create("none"), 10000000);
        RccRunTo(10 * RTO);
        const auto sent = static_cast<double>(net.Sum(&C::acksSent) + net.Sum(&C::naksSent));
        const auto received = static_cast<double>(net.Sum(&C::acksReceived) + net.Sum(&C::naksReceived));
        RCC_CHECK_EQ(net.ends.size(), 1, "");
        RCC_CHECK(sent > 9500, sent);
        const double p = everyKind ? 0.99 * 0.99 : 1;
        RCC_CHECK_NEAR(received, p * sent, 4 * std::sqrt(sent * p * (1 - p)), "every kind " << everyKind);
        Simulator::Destroy();
        Config::Reset();
    }
}

/// IRN has at most a bandwidth-delay product in flight, whatever window it is given; the bitmap bounds both.
void
Windows()
{
    Net net("irn");
    const uint32_t qp = net.Send(0, 1, RccAlgorithm::Create("none"), 10000000);
    const RdmaSendQp& half = net.nics[0]->GetSendQp(qp);
    RCC_CHECK_EQ(rcc_qp_window(&half), 50000, "10 us at 40 Gb/s");
    net.nics[0]->SetWindow(qp, 0, false);
    RCC_CHECK_EQ(rcc_qp_window(&half), 50000, "a client sets none");
    net.nics[0]->SetWindow(qp, 20000, false);
    RCC_CHECK_EQ(rcc_qp_window(&half), 20000, "");
    RccRunTo(1000000);
    RCC_CHECK_LE(half.tx.highest - half.tx.una, 20, "");
    Simulator::Destroy();
    Config::SetDefault("ns3::RdmaNic::BitmapPackets", UintegerValue(64));
    Net other("selective");
    const uint32_t far = other.Send(0, 1, RccAlgorithm::Create("none"), 10000000);
    RCC_CHECK_EQ(rcc_qp_window(&other.nics[0]->GetSendQp(far)), 64000, "");
    Config::Reset();
}

/// A NAK has its SACK header on the wire, an ACK without SACK bits has none.
void
OnTheWire()
{
    Net net("irn");
    net.LoseData({2}, 1);
    RccTestLog log;
    log.Watch(net.nics[0]->GetPort(0));
    net.Send(0, 1, RccAlgorithm::Create("none"), 10000);
    RccRunTo(RTO - 1);
    const auto naks = log.Select(RccFrameKind::NAK, true);
    const auto acks = log.Select(RccFrameKind::ACK, true);
    RCC_CHECK(!naks.empty() && !acks.empty(), "");
    RCC_CHECK_EQ(naks[0].bytes, ROCE_ACK_BYTES + 20, "");
    RCC_CHECK_EQ(naks[0].psn, 2, "");
    RCC_CHECK_EQ(acks[0].bytes, ROCE_ACK_BYTES, "");
    RccFrame* nak = RccFramePool::Current()->Get();
    nak->kind = RccFrameKind::NAK;
    nak->psn = 2;
    nak->bytes = ROCE_ACK_BYTES + 20;
    nak->sacked = true;
    nak->path = RccFramePool::Current()->NewPath();
    nak->path->sack.bits = 0x38;
    nak->path->sack.missing = 2;
    nak->path->sack.lost = 1;
    nak->path->sack.nak = true;
    uint8_t out[128];
    RCC_CHECK_EQ(RccWire::Write(*nak, 0, out), ROCE_ACK_BYTES + 20 - 4, "");
    RCC_CHECK_EQ(unsigned(out[14 + 20 + 8]), 0xd1, "opcode");
    RCC_CHECK_EQ(unsigned(out[14 + 20 + 8 + 12 + 4 + 7]), 2, "missing");
    RCC_CHECK_EQ(unsigned(out[14 + 20 + 8 + 12 + 4 + 11]), 1, "lost");
    RCC_CHECK_EQ(unsigned(out[14 + 20 + 8 + 12 + 4 + 19]), 0x38, "bits");
    RCC_CHECK_EQ(unsigned(out[14 + 20 + 8 + 12]), 0x60, "a NAK, PSN sequence error");
    RccFramePool::Current()->Put(nak);
}

/// Both ends must have the same Recovery, and keep it.
void
Mistakes()
{
    Net net("selective");
    Ptr<RccAlgorithm> none = RccAlgorithm::Create("none");
    net.nics[1]->SetAttribute("Recovery", StringValue("irn"));
    RdmaNic::Connect(net.nics[0], net.nics[1], none, 3); // the receiver has one kind
    RCC_CHECK_ABORTS([&] { net.nics[0]->SetAttribute("BitmapPackets", UintegerValue(1024)); },
                     "BitmapPackets=1024 is set after the first queue pair");
    Net other("selective");
    other.nics[1]->SetAttribute("Recovery", StringValue("go-back-n"));
    RCC_CHECK_ABORTS([&] { RdmaNic::Connect(other.nics[0], other.nics[1], none, 3); }, "another Recovery");
    RCC_CHECK(!net.nics[0]->SetAttributeFailSafe("Recovery", StringValue("sack")), "");
    RCC_CHECK(!net.nics[0]->SetAttributeFailSafe("BitmapPackets", UintegerValue(100)), "no power of two");
    RCC_CHECK(other.nics[0]->SetAttributeFailSafe("BitmapPackets", UintegerValue(128)), "");
    Ptr<RdmaNic> nic = CreateObject<RdmaNic>();
    nic->SetAttribute("Recovery", StringValue("selective"));
    RCC_CHECK_EQ(nic->CheckAttributes(), "", "a NIC without ports");
    nic->SetAttribute("Reliable", BooleanValue(false));
    RCC_CHECK_EQ(nic->CheckAttributes(), "Recovery selective: datagrams are not repeated", "");
}

/// The packets that selective repeat receives and sends again; GoBack spans those that may be missing.
struct OutOfOrder
{
    Ptr<RdmaNic> from, to;
    std::vector<uint64_t> psns;
    std::vector<std::pair<int64_t, uint64_t>> back; //!< time, packets

    void Delivered(uint32_t, const RccFrame& frame)
    {
        psns.push_back(frame.psn);
    }

    void Back(uint32_t, uint64_t, uint64_t packets, bool)
    {
        back.emplace_back(RccNow(), packets);
    }
};

void
SelectiveSources()
{
    for (const char* recovery : {"go-back-n", "selective", "irn"})
    {
        RccTestStar star;
        star.helper.SetNicAttribute("Recovery", StringValue(recovery));
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        uint64_t data = 0;
        RccTestLoss once([&](const RccFrame& f) {
            data += f.kind == RccFrameKind::DATA && f.psn == 10;
            return f.kind == RccFrameKind::DATA && f.psn == 10 && data == 1;
        });
        star.Link(0)->SetDisturbance(&once);
        OutOfOrder log{star.nics[0], star.nics[1], {}, {}};
        star.nics[1]->TraceConnectWithoutContext("Deliver", MakeCallback(&OutOfOrder::Delivered, &log));
        star.nics[0]->TraceConnectWithoutContext("GoBack", MakeCallback(&OutOfOrder::Back, &log));
        const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("none"), 30500);
        RccRunTo(1000000);
        const RdmaSendQp& half = star.nics[0]->GetSendQp(qp);
        const uint64_t again = half.packetsSent - half.tx.highest;
        const bool all = std::string(recovery) == "go-back-n";
        RCC_CHECK_EQ(log.psns.size(), 31, recovery);
        RCC_CHECK_EQ(std::is_sorted(log.psns.begin(), log.psns.end()), all, recovery << ": in order");
        RCC_CHECK_EQ(log.back.size(), 1, recovery);
        RCC_CHECK(all ? again == log.back[0].second : again == 1 && log.back[0].second > 1,
                  recovery << ": " << again << " again, " << log.back[0].second << " told");
        Simulator::Destroy();
    }
}

RccTestSuite g_suite("rcc-rdma-recovery", {{"only what is missing", OnlyWhatIsMissing},
                                           {"another NAK", AnotherNak},
                                           {"in order", InOrder},
                                           {"losses of every kind", EveryKind},
                                           {"ACKs are lost", AcksAreLost},
                                           {"windows", Windows},
                                           {"on the wire", OnTheWire},
                                           {"mistakes", Mistakes},
                                           {"what sources say", SelectiveSources}});

} // namespace
