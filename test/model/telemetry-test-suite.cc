/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* In-band telemetry and congestion windows: records in frames, their bytes, and what HPCC makes of them. */
#include "rcc-test-net.h"

#include "ns3/rcc-wire.h"
#include "ns3/rdma-path.h"

#include <vector>

using namespace ns3;

namespace
{

const uint32_t PLAIN = 1000 + ROCE_OVERHEAD; // a full packet

/// The data that arrives and leaves at one port, and the acknowledgements that arrive.
struct Watch : QbbFrameObserver
{
    struct Seen
    {
        RccFrame frame;
        rcc_wire_int path;
        size_t written; //!< bytes of the frame in a capture
    };

    std::vector<Seen> data, sent, acks;

    void FrameSeen(QbbFrameEvent event, const QbbNetDevice& port, const RccFrame& frame, int64_t) override
    {
        const bool data = frame.kind == RccFrameKind::DATA;
        std::vector<Seen>* list = nullptr;
        if (event == QbbFrameEvent::RECEIVED && (data || frame.kind == RccFrameKind::ACK))
        {
            list = data ? &this->data : &acks;
        }
        else if (event == QbbFrameEvent::DEQUEUED && data)
        {
            list = &sent;
        }
        if (list)
        {
            std::vector<uint8_t> bytes(frame.bytes);
            list->push_back({frame, frame.telemetry && frame.path ? frame.path->records : rcc_wire_int(),
                             port.WriteFrame(frame, event == QbbFrameEvent::RECEIVED, bytes.data())});
        }
    }
};

/// Hosts around a switch that stamps for some algorithms.
struct Star : RccTestStar
{
    Star(size_t hosts, const std::vector<Ptr<RccAlgorithm>>& algorithms)
    {
        Build(hosts, 100 * G, 1000);
        for (const auto& algorithm : algorithms)
        {
            sw->AddMarker(3, algorithm);
        }
        RCC_CHECK_EQ(sw->Start(), "", "");
    }
};

/// Two packets of one queue pair: what they carry, what comes back, and how long each is.
void
Records()
{
    for (const bool fixed : {false, true})
    {
        Ptr<RccAlgorithm> hpcc = RccAlgorithm::Create("hpcc", fixed ? "simulator" : "paper");
        Star star(2, {hpcc});
        Watch sender, receiver;
        star.nics[0]->GetPort(0)->AddObserver(&sender, QBB_OBSERVE_FRAMES);
        star.nics[1]->GetPort(0)->AddObserver(&receiver, QBB_OBSERVE_FRAMES);
        star.Send(0, 1, hpcc, 2000);
        RccRunTo(1000000);
        const uint32_t without = fixed ? 42 : 2, with = fixed ? 42 : 10;
        RCC_CHECK_EQ(sender.sent.size(), 2, "");
        RCC_CHECK_EQ(receiver.data.size(), 2, "");
        RCC_CHECK_EQ(sender.acks.size(), 2, "one for each packet");
        for (size_t i = 0; i < 2; i++)
        {
            const Watch::Seen &out = sender.sent[i], &in = receiver.data[i], &ack = sender.acks[i];
            RCC_CHECK_EQ(out.frame.bytes, PLAIN + without, "at the host");
            RCC_CHECK_EQ(in.frame.bytes, PLAIN + with, "behind the switch");
            RCC_CHECK_EQ(ack.frame.bytes, ROCE_ACK_BYTES + with, "");
            for (const auto* seen : {&out, &in, &ack})
            {
                RCC_CHECK_EQ(seen->written, seen->frame.bytes - RccWire::FCS_BYTES, "in a capture");
            }
            RCC_CHECK_EQ(in.path.n, 1, "");
            RCC_CHECK_EQ(in.path.hop[0].rate_mbps, 100000, "");
            RCC_CHECK_EQ(in.path.hop[0].qlen, 0, "");
            RCC_CHECK_EQ(in.path.hop[0].tx, i * (PLAIN + with) / 128 * 128, "sent before it, in units of 128 bytes");
            RCC_CHECK_EQ(ack.path.hop[0].ts, in.path.hop[0].ts, "");
            const uint32_t id = star.sw->GetPort(0)->GetNode()->GetId();
            RCC_CHECK_EQ(ack.path.path_id, fixed ? 0 : id, "as in the bytes, which have none in that form");
            RCC_CHECK_EQ(ack.frame.dataHops, 1, "");
        }
        const int64_t first = RccTxTime(PLAIN + without, 100 * G) + 1000; // then it has come, and leaves at once
        RCC_CHECK_EQ(receiver.data[0].path.hop[0].ts, first, "the start of its transmission");
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
        Simulator::Destroy();
    }
}

/// The queue behind a frame and what the port has sent are read when its transmission starts.
void
Queues()
{
    Ptr<RccAlgorithm> hpcc = RccAlgorithm::Create("hpcc");
    Star star(4, {hpcc});
    Watch receiver;
    star.nics[3]->GetPort(0)->AddObserver(&receiver, QBB_OBSERVE_FRAMES);
    for (size_t from = 0; from < 3; from++)
    {
        star.Send(from, 3, hpcc, 1000);
    }
    RccRunTo(1000000);
    RCC_CHECK_EQ(receiver.data.size(), 3, "");
    for (uint32_t i = 0; i < 3; i++)
    {
        const rcc_hop& hop = receiver.data[i].path.hop[0];
        RCC_CHECK_EQ(hop.qlen, i == 1 ? (PLAIN + 2) / 80 * 80 : 0, "the others come together; record " << i);
        RCC_CHECK_EQ(hop.tx, i * (PLAIN + 10) / 128 * 128, "record " << i);
    }
}

/// 8 hosts send to one: the link is full, the queue is short, nothing is paused or lost.
void
Incast()
{
    for (const char* preset : {"paper", "simulator"})
    {
        Ptr<RccAlgorithm> hpcc = RccAlgorithm::Create("hpcc", preset);
        Star star(9, {hpcc});
        RCC_CHECK_GE(RdmaSetBaseRtt(star.nics), 4 * 1000, "");
        std::vector<uint32_t> qps;
        for (size_t from = 0; from < 8; from++)
        {
            qps.push_back(star.Send(from, 8, hpcc, 0));
        }
        RccRunTo(1000000);
        const QbbNetDevice& port = *star.sw->GetPort(8);
        const uint64_t before = port.GetCounters().txBytes;
        uint64_t longest = 0;
        for (int64_t now = 1000000; now < 3000000; now += 1000)
        {
            RccRunTo(now);
            longest = std::max(longest, port.GetQueueBytesTotal());
        }
        const double used = static_cast<double>(port.GetCounters().txBytes - before) * 8 / 2e-3 / 100e9;
        RCC_CHECK_GE(used, 0.9, preset);
        RCC_CHECK_LE(used, 1, preset);
        RCC_CHECK_LE(longest, 50000, preset);
        uint64_t least = UINT64_MAX, most = 0;
        for (size_t from = 0; from < 8; from++)
        {
            const uint64_t bytes = star.Received(from, 8, qps[from]).bytes;
            least = std::min(least, bytes);
            most = std::max(most, bytes);
            RCC_CHECK_EQ(star.sw->GetPort(from)->GetCounters().pausesSent, 0, preset);
        }
        RCC_CHECK_GE(2 * least, most, preset << ": " << least << " to " << most << " bytes");
        RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, preset);
        Simulator::Destroy();
    }
}

/// One switch, two algorithms: only the frames of one carry records, and its messages and the other's end.
void
Mixed()
{
    Ptr<RccAlgorithm> hpcc = RccAlgorithm::Create("hpcc"), dcqcn = RccAlgorithm::Create("dcqcn");
    Star star(5, {hpcc, dcqcn});
    Watch receiver;
    star.nics[4]->GetPort(0)->AddObserver(&receiver, QBB_OBSERVE_FRAMES);
    std::vector<uint32_t> qps;
    for (size_t from = 0; from < 4; from++)
    {
        qps.push_back(star.Send(from, 4, from % 2 ? dcqcn : hpcc, 1000000));
    }
    RccRunTo(20000000);
    for (size_t from = 0; from < 4; from++)
    {
        RCC_CHECK_EQ(star.Received(from, 4, qps[from]).bytes, 1000000, "flow " << from);
    }
    RCC_CHECK_GE(receiver.data.size(), 4000, "");
    for (const auto& seen : receiver.data)
    {
        const bool plain = seen.frame.src == star.nodes[1]->GetId() || seen.frame.src == star.nodes[3]->GetId();
        RCC_CHECK_EQ(seen.frame.bytes, PLAIN + (plain ? 0 : 10), "from " << seen.frame.src);
        RCC_CHECK_EQ(seen.path.n, plain ? 0 : 1, "from " << seen.frame.src);
    }
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

/// Frames with records that are lost, late, copied and corrupted on the way; go-back-N brings all of the message.
void
Losses()
{
    Ptr<RccAlgorithm> hpcc = RccAlgorithm::Create("hpcc");
    Star star(2, {hpcc});
    star.nics[0]->SetAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    star.Link(0)->SetErrorRate(0.02, 1);
    star.Link(1)->SetErrorRate(0.02, 2);
    const uint32_t qp = star.Send(0, 1, hpcc, 1000000);
    RccRunTo(1000000000);
    RCC_CHECK_EQ(star.Received(0, 1, qp).bytes, 1000000, "");
    RCC_CHECK_GE(star.nics[1]->GetCounters().naksSent, 5, "");
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "");
}

RccTestSuite g_telemetrySuite(
    "rcc-telemetry",
    {{"records", Records}, {"queues", Queues}, {"incast", Incast}, {"mixed", Mixed}, {"losses", Losses}});

} // namespace
