/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Small networks whose flows arrive as the files of ns3-rdma and HPCC list them, and what they become. */
#ifndef NS3_RDMA_TEST_NET_H
#define NS3_RDMA_TEST_NET_H

#include "lab-flows.h"
#include "lab-outputs.h"
#include "rcc-test-net.h"

#include "ns3/config.h"
#include "ns3/rcc-frame.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A run file with the buffers and acknowledgements of the HPCC simulator.
struct Ns3RdmaTest
{
    RunFile file;

    explicit Ns3RdmaTest(const std::vector<bool>& isSwitch)
    {
        file.time = 1000000000;
        file.rate = 100 * G;
        file.routes = RunRoutes::PARTIAL;
        file.algorithms.resize(1);
        file.algorithms[0].name = "none";
        for (const bool is : isSwitch)
        {
            Node(is ? RunNodeKind::SWITCH : RunNodeKind::HOST);
        }
        Set("RdmaNic", "AckEvery", "1").Set("RdmaNic", "AckHighPriority", "false");
        Set("QbbSwitch", "BufferSize", "16777216").Set("QbbSwitch", "PauseTime", "5000ns");
        Set("QbbSwitch", "HeadroomDelays", "3").Set("QbbSwitch", "ResumeGap", "3072");
    }

    Ns3RdmaTest& Node(RunNodeKind kind)
    {
        file.nodes.emplace_back();
        file.nodes.back().kind = kind;
        file.nodes.back().name = std::to_string(file.nodes.size() - 1);
        return *this;
    }

    Ns3RdmaTest& Link(uint32_t a, uint32_t b, uint64_t gbps = 100, int64_t delay = 1000, double error = 0)
    {
        if (file.links.empty())
        {
            Set("QbbSwitch", "AlphaRate", std::to_string(gbps) + "Gbps");
        }
        RunLink l;
        l.a = a;
        l.b = b;
        l.rate = gbps * G;
        l.delay = delay;
        l.loss = static_cast<uint32_t>(std::llround(error * 1e9));
        file.links.push_back(l);
        return *this;
    }

    /// Add a flow, which starts no sooner than the one before. \param algorithm its number; RUN_NONE: that of the run
    Ns3RdmaTest& Flow(uint32_t src, uint32_t dst, uint64_t bytes, int64_t start = 0, uint8_t pg = 3,
                      uint32_t algorithm = RUN_NONE)
    {
        RunArrival f;
        f.from = src;
        f.to = dst;
        f.size = bytes;
        f.start = start;
        f.cls = pg;
        f.algorithm = algorithm;
        f.dport = 100;
        file.arrivals.push_back(f);
        return *this;
    }

    /// Set a default of an attribute; the last one counts. \param type without ns3::
    Ns3RdmaTest& Set(const std::string& type, const std::string& attribute, const std::string& value)
    {
        file.defaults.emplace_back();
        file.defaults.back().type = "ns3::" + type;
        file.defaults.back().attribute = attribute;
        file.defaults.back().value = value;
        return *this;
    }

    /// Let the classes of a mask be lossless, and no others.
    Ns3RdmaTest& Lossless(uint32_t classes)
    {
        return Set("RdmaNic", "LosslessClasses", std::to_string(classes))
            .Set("QbbSwitch", "LosslessClasses", std::to_string(classes));
    }

    /// Choose the run's algorithm, which marks class 3.
    Ns3RdmaTest& Algorithm(const std::string& name, const std::vector<std::pair<std::string, int64_t>>& fields = {})
    {
        file.algorithms[0].name = name;
        file.algorithms[0].fields = fields;
        return Marker(3, 0);
    }

    /// Add an algorithm for flows that name it. \return its number
    uint32_t AddAlgorithm(const std::string& name)
    {
        file.algorithms.emplace_back();
        file.algorithms.back().name = name;
        return static_cast<uint32_t>(file.algorithms.size() - 1);
    }

    Ns3RdmaTest& Marker(uint32_t cls, uint32_t algorithm)
    {
        file.markers.emplace_back();
        file.markers.back().cls = cls;
        file.markers.back().algorithm = algorithm;
        return *this;
    }

    /// Give the run's algorithm a parameter at ports of one rate.
    Ns3RdmaTest& At(uint64_t gbps, const std::string& field, int64_t value)
    {
        file.algorithmsAt.emplace_back();
        file.algorithmsAt.back().rate = gbps * G;
        file.algorithmsAt.back().field = field;
        file.algorithmsAt.back().value = value;
        return *this;
    }

    Ns3RdmaTest& LinkDown(int64_t at, uint32_t a, uint32_t b)
    {
        file.linkDown.at = at;
        file.linkDown.a = a;
        file.linkDown.b = b;
        return *this;
    }

    /// Give all flows so far a window. \param variable it shrinks with the rate
    Ns3RdmaTest& Windows(RunWindow rule, bool variable = false)
    {
        for (auto& f : file.arrivals)
        {
            f.rule = rule;
            f.variable = variable;
        }
        return *this;
    }

    /// Hosts 0 and 1, each on a switch, 2 and 5, with two ways between them, through 3 and 4.
    static Ns3RdmaTest Diamond()
    {
        Ns3RdmaTest t({false, false, true, true, true, true});
        t.Link(0, 2).Link(1, 5).Link(2, 3).Link(2, 4).Link(3, 5).Link(4, 5);
        return t;
    }

    /// Hosts 1 .. n around switch 0.
    static Ns3RdmaTest Star(uint32_t n, uint64_t gbps = 100, int64_t delay = 1000)
    {
        std::vector<bool> isSwitch(n + 1);
        isSwitch[0] = true;
        Ns3RdmaTest t(isSwitch);
        for (uint32_t i = 1; i <= n; i++)
        {
            t.Link(0, i, gbps, delay);
        }
        return t;
    }

    /// The 320 hosts, 20 racks and 36 further switches of the HPCC paper's fat tree.
    static Ns3RdmaTest FatTree()
    {
        std::vector<bool> isSwitch(376);
        std::fill(isSwitch.begin() + 320, isSwitch.end(), true);
        Ns3RdmaTest t(isSwitch);
        for (uint32_t host = 0; host < 320; host++)
        {
            t.Link(host, 320 + host / 16, 100);
        }
        for (uint32_t rack = 0; rack < 20; rack++)
        {
            for (uint32_t up = 0; up < 4; up++)
            {
                t.Link(320 + rack, 340 + rack / 4 * 4 + up, 400);
            }
        }
        for (uint32_t agg = 0; agg < 20; agg++)
        {
            for (uint32_t up = 0; up < 4; up++)
            {
                t.Link(340 + agg, 360 + agg % 4 * 4 + up, 400);
            }
        }
        return t;
    }
};

/// The network, flows and outputs of one, which tests run for as long as they like.
struct Ns3RdmaTestNet
{
    RunFile file;
    LabAsked asked;
    LabRun made;
    LabNetwork network;
    const LabPaths& paths;
    LabOutputs outputs;

    explicit Ns3RdmaTestNet(const Ns3RdmaTest& test, uint64_t seed = 1)
        : file(Complete(test, seed)),
          made(file, asked),
          network(file, made),
          paths(network.GetPaths()),
          outputs(file, made, network)
    {
        LabFlows::Add(file, made, network, nullptr);
        made.SetExtra(&outputs);
        made.GetFlows().Start();
    }

    ~Ns3RdmaTestNet()
    {
        Clear();
    }

    /// Remove a network, and the defaults that it has set.
    static void Clear()
    {
        Simulator::Destroy();
        Config::Reset();
    }

    /// \return field, code and value of what is wrong with a test's file; empty: it can be built
    static std::string WhyNot(const Ns3RdmaTest& test)
    {
        std::string why;
        try
        {
            Ns3RdmaTestNet net(test);
        }
        catch (const RunError& error)
        {
            why = error.field + " " + error.code + ": " + error.found;
        }
        Clear();
        return why;
    }

    Ptr<RdmaNic> Nic(uint32_t id) const
    {
        return paths.GetNic(id);
    }

    Ptr<QbbSwitch> Switch(uint32_t id) const
    {
        return paths.GetSwitch(id);
    }

    /// \param interface from 1
    Ptr<QbbNetDevice> Port(uint32_t id, uint32_t interface) const
    {
        return paths.GetPort(id, interface - 1);
    }

    /// \return completion time of a flow, ns; -1: it has not ended
    int64_t Fct(size_t flow)
    {
        return made.GetFlows().GetFlows()[flow].fct;
    }

    /// Check that hosts got all that was sent, and that no frame is left anywhere.
    void CheckDone(uint64_t packets)
    {
        uint64_t delivered = 0;
        uint64_t sent = 0;
        uint64_t thrown = 0;
        uint64_t dropped = 0;
        for (uint32_t id = 0; id < paths.GetNNodes(); id++)
        {
            if (Nic(id))
            {
                delivered += Nic(id)->GetCounters().packetsDelivered;
                sent += Nic(id)->GetCounters().packetsSent;
                thrown += Nic(id)->GetCounters().packetsOutOfOrder;
            }
            else
            {
                dropped += Switch(id)->GetDroppedPackets();
            }
        }
        RCC_CHECK_EQ(delivered, packets, "delivered");
        RCC_CHECK_GE(sent, delivered + thrown, "packets from nowhere");
        RCC_CHECK_LE(sent, delivered + thrown + dropped + paths.GetLostFrames(), "packets that went nowhere");
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "frames left");
        for (size_t i = 0; i < file.arrivals.size(); i++)
        {
            RCC_CHECK_GE(Fct(i), 0, "flow " << i);
        }
    }

  private:
    /// Classes with flows are lossless, unless the test says otherwise.
    static RunFile Complete(const Ns3RdmaTest& test, uint64_t seed)
    {
        uint32_t classes = 0;
        for (const auto& f : test.file.arrivals)
        {
            classes |= 1u << f.cls;
        }
        RunFile file = test.file;
        file.seed = seed;
        for (const char* type : {"ns3::RdmaNic", "ns3::QbbSwitch"})
        {
            RunDefault lossless;
            lossless.type = type;
            lossless.attribute = "LosslessClasses";
            lossless.value = std::to_string(classes);
            file.defaults.insert(file.defaults.begin(), lossless);
        }
        return file;
    }
};

} // namespace ns3

#endif /* NS3_RDMA_TEST_NET_H */
