/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* How a network is divided among ranks: what costs most is where senders are held back. */
#include "rcc-test-net.h"

#include "lab-partition.h"
#include "ns3/qbb-fat-tree.h"

#include <set>

using namespace ns3;

namespace
{

const uint32_t K = 8;
const int64_t STOP = 20000000; // ns

uint32_t
RankOf(const QbbFatTree& tree, uint32_t pod)
{
    return tree.hosts.Get(pod * tree.HostsPerPod())->GetSystemId();
}

/// A fat tree whose hosts outside the first pod send to `receivers` hosts of it.
struct Incast
{
    QbbFatTree tree;
    LabFlowSet flows;
    LabPartition partition;

    Incast(uint32_t cores, uint32_t receivers)
        : tree(QbbFatTree::Create(QbbHelper(), K, cores)),
          flows(nullptr, nullptr)
    {
        for (uint32_t host = tree.HostsPerPod(); host < tree.nics.size(); host++)
        {
            flows.Add(tree.nics[host], tree.nics[host % receivers], 0, 0, 0);
        }
        RCC_CHECK_EQ(partition.Choose(flows, LabPartition::Load{1, STOP, 1000, 1}, 2), "", "");
        partition.Apply();
    }

    /// \return pods on the rank of the receivers, theirs among them
    uint32_t CountBesideReceivers() const
    {
        uint32_t pods = 0;
        for (uint32_t pod = 0; pod < K; pod++)
        {
            pods += RankOf(tree, pod) == RankOf(tree, 0);
        }
        return pods;
    }
};

/// Packets wait before the core switches and nowhere behind them: each of them costs the receivers' pod an event a hop.
void
QueuesBeforeTheCore()
{
    const Incast incast(4, 16); // 112 senders, 4 links into the pod
    const uint32_t pods = incast.CountBesideReceivers();
    RCC_CHECK(pods >= 3 && pods <= 5, pods << " of " << K << " pods are on the rank of the receivers");
    RCC_CHECK(incast.partition.GetEstimate().largest < 0.6, incast.partition.GetEstimate().largest);
}

/// One receiver: its own link is what all wait for, so that its pod has queues as well, and buffers fill in all of
/// them.
void
QueueAtTheReceiver()
{
    const Incast incast(16, 1);
    RCC_CHECK(incast.partition.GetEstimate().largest < 0.6, incast.partition.GetEstimate().largest);
}

/// A host sends each of its flows at a part of its link: no switch is overloaded, and all pods have the same work.
void
NoQueues()
{
    const QbbFatTree tree = QbbFatTree::Create(QbbHelper(), K, 16);
    LabFlowSet flows(nullptr, nullptr);
    const size_t hosts = tree.nics.size();
    for (size_t host = 0; host < hosts; host++)
    {
        flows.Add(tree.nics[host], tree.nics[(host + hosts / 2) % hosts], static_cast<int64_t>(1000 * host), 1000, 1);
    }
    LabPartition partition;
    RCC_CHECK_EQ(partition.Choose(flows, LabPartition::Load{1, STOP, 1000, 1}, 2), "", "");
    partition.Apply();
    std::multiset<uint32_t> ranks;
    for (uint32_t pod = 0; pod < K; pod++)
    {
        ranks.insert(RankOf(tree, pod));
    }
    RCC_CHECK_EQ(ranks.count(0), K / 2, "");
    RCC_CHECK(partition.GetEstimate().largest < 0.55, partition.GetEstimate().largest);
}

RccTestSuite g_partitionSuite("rcc-partition", {{"queues-before-the-core", QueuesBeforeTheCore},
                                                {"queue-at-the-receiver", QueueAtTheReceiver},
                                                {"no-queues", NoQueues}});

} // namespace
