/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Parts that the suites of trace sources share: a hash of all frames, and a sink for every source there is. */
#ifndef TRACE_TEST_NET_H
#define TRACE_TEST_NET_H

#include "rcc-test-net.h"

#include "ns3/config.h"
#include "ns3/rdma-client.h"

namespace ns3
{

/// Order, time and content of the frames that pass ports.
struct RccTestHash : RccTestTap
{
    uint64_t value{0}, frames{0};

    void Watch(Ptr<QbbNetDevice> device)
    {
        device->AddObserver(this, QBB_OBSERVE_FRAMES);
    }

    void Tap(const RccFrame* f, bool received, int64_t now) override
    {
        for (uint64_t x : {static_cast<uint64_t>(now), static_cast<uint64_t>(f->kind) * 2 + received,
                           f->kind == RccFrameKind::PFC ? f->pfcQuanta[3] : f->psn, static_cast<uint64_t>(f->hash),
                           static_cast<uint64_t>(f->bytes) * 4 + static_cast<uint64_t>(f->ecn)})
        {
            value = RccMix(value ^ x);
        }
        frames++;
    }
};

/**
 * A sink for every trace source of the module, connected through Config paths. The sinks are functions of the types
 * that AddTraceSource names: ns-3 refuses them if those are not the sources' own.
 */
struct RccTestFires
{
    uint64_t total{0};

    static RccTestFires*& Current()
    {
        static RccTestFires* current = nullptr;
        return current;
    }

    RccTestFires()
    {
        Current() = this;
    }

    ~RccTestFires()
    {
        Current() = nullptr;
    }

    template <class... Ts> static void Sink(Ts...)
    {
        if (Current())
        {
            Current()->total++;
        }
    }

    template <class... Ts> static void ConnectAs(void (*)(Ts...), const std::string& path)
    {
        void (*sink)(Ts...) = &RccTestFires::Sink<Ts...>; // early versions of ns-3 have a MakeCallback per arity
        Config::ConnectWithoutContext(path, MakeCallback(sink));
    }

    template <class Signature> static void ConnectTo(const std::string& where, const std::vector<const char*>& sources)
    {
        for (const char* source : sources)
        {
            ConnectAs(static_cast<Signature>(nullptr), where + source);
        }
    }

    static void ConnectAll()
    {
        const std::string device = "/NodeList/*/DeviceList/*/$ns3::QbbNetDevice/";
        ConnectTo<QbbNetDevice::QueueBytesTracedCallback>(device, {"QueueBytes"});
        ConnectTo<QbbNetDevice::FrameTracedCallback>(device, {"Enqueue", "Dequeue", "Drop", "Receive"});
        ConnectTo<QbbNetDevice::PauseTracedCallback>(device, {"Pause"});
        ConnectTo<QbbNetDevice::PfcSentTracedCallback>(device, {"PfcSent"});
        ConnectTo<Packet::TracedCallback>(device, {"PhyTxBegin", "PhyRxEnd", "PhyRxDrop", "Sniffer", "PromiscSniffer",
                                                   "MacTx", "MacTxDrop", "MacRx"});
        const std::string nic = "/NodeList/*/$ns3::RdmaNic/";
        ConnectTo<RdmaNic::QpTracedCallback>(nic, {"QpOpened", "QpClosed"});
        ConnectTo<RdmaNic::MessageStartTracedCallback>(nic, {"MessageStart"});
        ConnectTo<RdmaNic::MessageEndTracedCallback>(nic, {"MessageEnd"});
        ConnectTo<RdmaNic::CnpTracedCallback>(nic, {"CnpSent", "CnpReceived"});
        ConnectTo<RdmaNic::CnmTracedCallback>(nic, {"CnmReceived"});
        ConnectTo<RdmaNic::ReactionPointTracedCallback>(nic, {"ReactionPoint"});
        ConnectTo<RdmaNic::RateTracedCallback>(nic, {"Rate", "TargetRate"});
        ConnectTo<RdmaNic::AlphaTracedCallback>(nic, {"Alpha"});
        ConnectTo<RdmaNic::PhaseTracedCallback>(nic, {"Phase"});
        ConnectTo<RdmaNic::WindowTracedCallback>(nic, {"Window"});
        ConnectTo<RdmaNic::GoBackTracedCallback>(nic, {"GoBack"});
        ConnectTo<RdmaNic::DataTracedCallback>(nic, {"Deliver", "Discard"});
        const std::string sw = "/NodeList/*/$ns3::QbbSwitch/";
        ConnectTo<QbbSwitch::PortFrameTracedCallback>(sw, {"Mark", "CnmSent"});
    }
};

} // namespace ns3

#endif /* TRACE_TEST_NET_H */
