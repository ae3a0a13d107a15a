/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What the ns3-rdma suites build: small configurations and topologies, as the reader would give them. */
#ifndef NS3_RDMA_TEST_NET_H
#define NS3_RDMA_TEST_NET_H

#include "rcc-test-net.h"

#include "ns3/ns3-rdma-network.h"
#include "ns3/ns3-rdma-output.h"
#include "ns3/rcc-frame.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/// Files in memory.
struct Ns3RdmaTest
{
    Ns3RdmaConfig config;
    Ns3RdmaTopology topology;
    std::vector<Ns3RdmaFlow> flows;

    explicit Ns3RdmaTest(const std::vector<bool>& isSwitch)
    {
        config.path = "config.txt";
        config.flowFile = "flow.txt";
        config.cc = "none";
        config.stop = 1000000000;
        topology.path = "topology.txt";
        topology.isSwitch = isSwitch;
    }

    Ns3RdmaTest& Link(uint32_t a, uint32_t b, uint64_t gbps = 100, int64_t delay = 1000, double error = 0)
    {
        Ns3RdmaLink l;
        l.a = a;
        l.b = b;
        l.rate = gbps * 1000000000;
        l.delay = delay;
        l.error = error;
        l.line = static_cast<uint32_t>(topology.links.size() + 3);
        topology.links.push_back(l);
        return *this;
    }

    Ns3RdmaTest& Flow(uint32_t src, uint32_t dst, uint64_t bytes, int64_t start = 0, uint8_t pg = 3,
                      const std::string& cc = "")
    {
        Ns3RdmaFlow f;
        f.src = src;
        f.dst = dst;
        f.bytes = bytes;
        f.start = start;
        f.pg = pg;
        f.cc = cc;
        f.line = static_cast<uint32_t>(flows.size() + 2);
        flows.push_back(f);
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

/// One with a network and its flows' applications.
struct Ns3RdmaTestNet
{
    Ns3RdmaTest files;
    Ns3RdmaNetwork net;
    std::vector<Ptr<RdmaClient>> clients;

    explicit Ns3RdmaTestNet(const Ns3RdmaTest& test, uint64_t seed = 1)
        : files(test),
          net(files.config, files.topology, seed)
    {
        RCC_CHECK_EQ(net.Build(files.flows), "", "build");
        for (const auto& f : files.flows)
        {
            clients.push_back(net.Install(f));
        }
    }

    /// All that hosts sent and got, and no frame is left anywhere.
    void CheckDone(uint64_t packets)
    {
        uint64_t delivered = 0;
        uint64_t sent = 0;
        uint64_t thrown = 0;
        uint64_t dropped = 0;
        for (uint32_t id = 0; id < net.GetNNodes(); id++)
        {
            if (net.GetNic(id))
            {
                delivered += net.GetNic(id)->GetCounters().packetsDelivered;
                sent += net.GetNic(id)->GetCounters().packetsSent;
                thrown += net.GetNic(id)->GetCounters().packetsOutOfOrder;
            }
            else
            {
                dropped += net.GetSwitch(id)->GetDroppedPackets();
            }
        }
        RCC_CHECK_EQ(delivered, packets, "delivered");
        RCC_CHECK_GE(sent, delivered + thrown, "packets from nowhere");
        RCC_CHECK_LE(sent, delivered + thrown + dropped + net.GetLostFrames(), "packets that went nowhere");
        RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, "frames left");
        for (size_t i = 0; i < clients.size(); i++)
        {
            RCC_CHECK_GE(clients[i]->GetCompletionTime(), 0, "flow " << i);
        }
    }
};

} // namespace ns3

#endif /* NS3_RDMA_TEST_NET_H */
