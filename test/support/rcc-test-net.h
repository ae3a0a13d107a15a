/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Parts that several suites share: a link between two recording ports, random numbers, taps. */
#ifndef RCC_TEST_NET_H
#define RCC_TEST_NET_H

#include "rcc-test.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/mac48-address.h"
#include "ns3/node.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-net-device.h"
#include "ns3/rcc-random.h"
#include "ns3/simulator-impl.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

namespace ns3
{

/// Repeatable random numbers.
class RccTestRandom
{
  public:
    explicit RccTestRandom(uint64_t seed) : m_stream(RccMix(seed))
    {
    }

    /// Uniform in [0, n).
    uint64_t Below(uint64_t n)
    {
        return RccUniform(m_stream, m_index++, n);
    }

  private:
    uint64_t m_stream;
    uint64_t m_index{0};
};

/// Loses the frames that a function chooses, on links that have it as their disturbance.
struct RccTestLoss : QbbLinkDisturbance
{
    explicit RccTestLoss(const std::function<bool(const RccFrame&)>& chooses = nullptr) : loses(chooses)
    {
    }

    Fate FrameSent(uint32_t, const RccFrame& frame, int64_t) override
    {
        Fate fate;
        fate.lose = loses(frame);
        lost += fate.lose;
        return fate;
    }

    std::function<bool(const RccFrame&)> loses;
    uint64_t lost{0}; //!< frames
};

/// A port's owner that writes down what happens.
class RccTestPort : public QbbPortOwner
{
  public:
    struct Seen
    {
        int64_t at;
        uint32_t bytes;
        uint8_t cls;
        uint64_t psn;
        RccFrameKind kind;
        RccEcn ecn;
        uint32_t src, srcQp, dstQp;
        uint8_t qfb;

        explicit Seen(const RccFrame* f, int64_t now)
            : at(now),
              bytes(f->bytes),
              cls(f->cls),
              psn(f->psn),
              kind(f->kind),
              ecn(f->ecn),
              src(f->src),
              srcQp(f->srcQp),
              dstQp(f->dstQp),
              qfb(f->qfb)
        {
        }
    };

    Ptr<QbbNetDevice> device;
    std::vector<Seen> arrived;                       //!< frames but PFC
    std::vector<Seen> left;                          //!< queued frames that began their transmission
    std::vector<std::pair<int64_t, uint8_t>> pauses; //!< state of the classes after each change

    /// Queue a frame now.
    void Send(uint8_t cls, uint32_t bytes, uint64_t psn = 0)
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->bytes = bytes;
        f->payload = bytes > ROCE_OVERHEAD ? bytes - ROCE_OVERHEAD : 0;
        f->cls = cls;
        f->psn = psn;
        device->Enqueue(f, RccNow());
    }

    void FrameArrived(uint32_t, RccFrame* frame, int64_t now) override
    {
        arrived.emplace_back(frame, now);
        RccFramePool::Current()->Put(frame);
    }

    void FrameLeaves(uint32_t, RccFrame* frame, int64_t now) override
    {
        left.emplace_back(frame, now);
    }

    void PauseChanged(uint32_t, uint8_t paused, int64_t now) override
    {
        pauses.emplace_back(now, paused);
    }
};

/// Two recording ports and a wire.
struct RccTestLink
{
    RccTestPort a, b;
    Ptr<QbbChannel> channel;

    RccTestLink(uint64_t rate, int64_t delay, uint32_t gap = 0)
    {
        channel = CreateObject<QbbChannel>();
        channel->SetDelay(NanoSeconds(delay));
        for (RccTestPort* port : {&a, &b})
        {
            Ptr<Node> node = CreateObject<Node>();
            port->device = CreateObject<QbbNetDevice>();
            port->device->SetAttribute("DataRate", DataRateValue(DataRate(rate)));
            port->device->SetAttribute("InterframeGap", UintegerValue(gap));
            port->device->SetAddress(Mac48Address::Allocate());
            node->AddDevice(port->device);
            port->device->AttachChannel(channel);
            port->device->SetOwner(port, 0);
        }
    }
};

/// Told of each frame when its first bit leaves a port, or its last one has arrived there.
struct RccTestTap : QbbFrameObserver
{
    virtual void Tap(const RccFrame* frame, bool received, int64_t now) = 0;

    void FrameSeen(QbbFrameEvent event, const QbbNetDevice&, const RccFrame& frame, int64_t now) override
    {
        if (event == QbbFrameEvent::DEQUEUED || event == QbbFrameEvent::RECEIVED)
        {
            Tap(&frame, event == QbbFrameEvent::RECEIVED, now);
        }
    }
};

/// Every frame that a port sends or receives.
struct RccTestLog : RccTestTap
{
    struct Entry
    {
        int64_t at;
        RccFrameKind kind;
        bool received;
        uint32_t bytes, src, srcQp, dst, dstQp, period;
        int64_t stamp;
        uint64_t psn;
        bool ce; //!< CE of DATA, its echo in an ACK
    };
    std::vector<Entry> entries;

    void Watch(Ptr<QbbNetDevice> device)
    {
        device->AddObserver(this, QBB_OBSERVE_FRAMES);
    }

    void Tap(const RccFrame* f, bool received, int64_t now) override
    {
        entries.push_back(Entry{now, f->kind, received, f->bytes, f->src, f->srcQp, f->dst, f->dstQp, f->period,
                                f->stamp, f->psn, f->kind == RccFrameKind::ACK ? f->ceEcho : f->ecn == RccEcn::CE});
    }

    std::vector<Entry> Select(RccFrameKind kind, bool received) const
    {
        std::vector<Entry> some;
        std::copy_if(entries.begin(), entries.end(), std::back_inserter(some),
                     [&](const Entry& e) { return e.kind == kind && e.received == received; });
        return some;
    }
};

/// Hosts around one switch, each link with its own rate and delay.
struct RccTestStar
{
    QbbHelper helper;
    std::vector<Ptr<Node>> nodes;
    std::vector<Ptr<RdmaNic>> nics;
    Ptr<QbbSwitch> sw;

    /// Hosts on links of one rate (bit/s) and delay (ns).
    void Build(size_t hosts, uint64_t rate, int64_t delay)
    {
        Build(std::vector<uint64_t>(hosts, rate), std::vector<int64_t>(hosts, delay));
    }

    void Build(const std::vector<uint64_t>& rates, const std::vector<int64_t>& delays)
    {
        Ptr<Node> node = CreateObject<Node>();
        sw = helper.InstallSwitch(node);
        sw->AllowUnmarked(); // queue pairs of DCQCN keep the line rate
        for (size_t i = 0; i < rates.size(); i++)
        {
            helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rates[i])));
            helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(delays[i])));
            nodes.push_back(CreateObject<Node>());
            nics.push_back(helper.InstallHost(nodes[i]));
            helper.Connect(nodes[i], node);
            sw->SetRoute(nodes[i]->GetId(), {static_cast<uint32_t>(i)});
        }
    }

    Ptr<QbbChannel> Link(size_t host) const
    {
        return DynamicCast<QbbChannel>(nics[host]->GetPort(0)->GetChannel());
    }

    /// Open a queue pair and post a message; 0 = without end. \return the queue pair
    uint32_t Send(size_t from, size_t to, Ptr<RccAlgorithm> algorithm, uint64_t bytes, uint8_t cls = 3)
    {
        uint32_t qp = RdmaNic::Connect(nics[from], nics[to], algorithm, cls);
        nics[from]->Post(qp, bytes, MakeNullCallback<void, uint32_t>());
        return qp;
    }

    /// The receiving half of a queue pair.
    const rcc_receiver& Received(size_t from, size_t to, uint32_t qp) const
    {
        return nics[to]->GetRecvQp(nics[from]->GetSendQp(qp).dstQp).rx;
    }
};

__extension__ typedef unsigned __int128 RccWide;

/// floor of the exact time of `bytes` at `rate` (bit/s), ns.
inline int64_t
RccTxTime(uint64_t bytes, uint64_t rate)
{
    return static_cast<int64_t>(static_cast<RccWide>(bytes) * 8000000000u / rate);
}

/// Run a body under a simulator, and leave the choice as it was. \param type of the simulator \param body of the test
inline void
RccTestUnder(const std::string& type, const std::function<void()>& body)
{
    StringValue before;
    GlobalValue::GetValueByName("SimulatorImplementationType", before);
    Simulator::Destroy();
    GlobalValue::Bind("SimulatorImplementationType", StringValue(type));
    RCC_CHECK_EQ(Simulator::GetImplementation()->GetInstanceTypeId().GetName(), type, "");
    body();
    Simulator::Destroy();
    GlobalValue::Bind("SimulatorImplementationType", before);
}

} // namespace ns3

#endif /* RCC_TEST_NET_H */
