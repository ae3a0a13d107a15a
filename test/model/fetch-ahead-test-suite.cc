/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* In wide networks memory is fetched ahead of the events that touch it. The suite tests when that begins, and that
 * results do not depend on it. */
#include "rcc-test-net.h"

#include "ns3/qbb-fat-tree.h"
#include "ns3/rdma-client-helper.h"

#include <memory>
#include <vector>

using namespace ns3;

namespace
{

/// A fat tree of 16 hosts, each with flows to the first host and to one half the network away. \return what it counted
std::vector<uint64_t>
Count(bool ahead)
{
    if (ahead)
    {
        RccEventQueue::Current()->FetchAhead();
    }
    RCC_CHECK_EQ(RccEventQueue::Current()->FetchesAhead(), ahead, "");
    QbbHelper helper;
    helper.SetSwitchAttribute("BufferSize", UintegerValue(600000)); // small: it pauses
    helper.SetNicAttribute("AckEvery", UintegerValue(4));
    const Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    const QbbFatTree tree = QbbFatTree::Create(helper, 4, 4);
    for (const auto& sw : tree.Switches())
    {
        sw->AddMarker(3, algorithm);
        RCC_CHECK_EQ(sw->Start(), "", "");
    }
    const uint32_t hosts = tree.hosts.GetN();
    for (uint32_t i = 0; i < hosts; i++)
    {
        for (uint32_t to : {0u, (i + hosts / 2) % hosts})
        {
            if (to != i)
            {
                RdmaClientHelper(tree.nics[to], algorithm).Install(tree.hosts.Get(i));
            }
        }
    }
    Simulator::Stop(MicroSeconds(300));
    Simulator::Run();
    std::vector<uint64_t> counts{RccEventQueue::CountEvents()};
    for (const auto& nic : tree.nics)
    {
        const RdmaNicCounters& c = nic->GetCounters();
        counts.insert(counts.end(), {c.packetsSent, c.packetsDelivered, c.cnpsReceived, c.acksReceived,
                                     nic->GetPort(0)->GetCounters().pausesReceived});
    }
    Simulator::Destroy();
    return counts;
}

void
SameResults()
{
    const std::vector<uint64_t> plain = Count(false);
    RCC_CHECK_GE(plain[0], 10000, "events");
    RCC_CHECK(Count(true) == plain, "what is fetched ahead changes results");
}

void
BeginsInWideNetworks()
{
    std::vector<std::unique_ptr<RccEvent>> events;
    while (!RccEventQueue::Current()->FetchesAhead() && events.size() < 100000)
    {
        events.emplace_back(new RccEvent);
        events.back()->Bind([](void*, int64_t) {}, nullptr);
    }
    RCC_CHECK_EQ(events.size(), 8192, "");
    events.clear();
    Simulator::Destroy();
}

RccTestSuite g_fetchAheadSuite("rcc-fetch-ahead",
                               {{"same-results", SameResults}, {"begins-in-wide-networks", BeginsInWideNetworks}});

} // namespace
