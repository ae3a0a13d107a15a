/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef CIOQ_TEST_NET_H
#define CIOQ_TEST_NET_H

#include "rcc-test-net.h"

#include "ns3/cioq-switch.h"

#include <map>

namespace ns3
{

static const uint32_t RCC_TEST_GROUP = 1000000; //!< no node has this id

/// Recording ports around a switch; port i of the switch leads to ports[i].
struct RccTestCioq
{
    QbbHelper helper;
    std::vector<std::unique_ptr<RccTestPort>> ports;
    std::vector<Ptr<Node>> nodes;
    Ptr<CioqSwitch> sw;

    /// \return what Start says
    std::string Build(size_t n, Ptr<RccAlgorithm> algorithm = nullptr, uint64_t rate = 10000000000, int64_t delay = 100)
    {
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(delay)));
        if (!algorithm)
        {
            Set("CongestionPoints", "None");
        }
        Ptr<Node> node = CreateObject<Node>();
        sw = helper.InstallCioqSwitch(node);
        for (size_t i = 0; i < n; i++)
        {
            nodes.push_back(CreateObject<Node>());
            helper.InstallHost(nodes[i]); // only to be allowed to connect
            helper.Connect(nodes[i], node);
            ports.emplace_back(new RccTestPort);
            ports[i]->device = DynamicCast<QbbNetDevice>(nodes[i]->GetDevice(0));
            ports[i]->device->SetOwner(ports[i].get(), 0);
            sw->SetRoute(nodes[i]->GetId(), static_cast<uint32_t>(i));
        }
        sw->SetAlgorithm(algorithm);
        return sw->Start();
    }

    void Set(const char* attribute, const char* value)
    {
        helper.SetCioqSwitchAttribute(attribute, StringValue(value));
    }

    /// Queue a frame at a host; its flow is (source, qp).
    void Send(size_t from, size_t to, uint32_t bytes, uint64_t psn, uint32_t qp = 1, uint8_t cls = 3)
    {
        SendTo(from, nodes[to]->GetId(), bytes, psn, qp, cls);
    }

    void SendTo(size_t from, uint32_t dst, uint32_t bytes, uint64_t psn, uint32_t qp = 1, uint8_t cls = 3)
    {
        RccFrame* f = RccFramePool::Current()->Get();
        f->kind = RccFrameKind::DATA;
        f->bytes = bytes;
        f->cls = cls;
        f->psn = psn;
        f->src = nodes[from]->GetId();
        f->srcQp = qp;
        f->dst = dst;
        f->cnTagged = true;
        ports[from]->device->Enqueue(f, RccNow());
    }

    /// A host pauses or resumes what the switch sends to it.
    void Block(size_t port, bool block)
    {
        ports[port]->device->SendPfc(1u << 3, block ? 65535 : 0, RccNow());
    }

    /// CNMs that a host got, by queue pair.
    std::map<uint32_t, uint64_t> Cnms(size_t port) const
    {
        std::map<uint32_t, uint64_t> n;
        for (const auto& f : ports[port]->arrived)
        {
            n[f.dstQp] += f.kind == RccFrameKind::CNM;
        }
        return n;
    }
};

/// QCN without chance in when it samples.
inline Ptr<RccAlgorithm>
RccTestQcn(const char* qEq)
{
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("qcn", "ibm-10g");
    RCC_CHECK_EQ(algorithm->SetParameter("q_eq", qEq), "", "");
    RCC_CHECK_EQ(algorithm->SetParameter("sample_jitter", "0"), "", "");
    return algorithm;
}

} // namespace ns3

#endif /* CIOQ_TEST_NET_H */
