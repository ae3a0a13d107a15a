/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Incast through a CLOS network, as in figure 9 of "DCQCN+: Taming Large-scale
 * Incast Congestion in RDMA over Ethernet Networks" (ICNP 2018): a fat tree of 20
 * pods with 10 core switches, 2410 nodes, in which 1900 hosts of 19 pods send to 10
 * hosts of the last pod.
 */
#include "ns3/core-module.h"
#include "ns3/qbb-fat-tree.h"
#include "ns3/rcc-random.h"
#include "ns3/rcc-run.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    const int64_t second = 1000000000;
    RccOptions options;
    RccRun::AddOptions(options);
    options.Add("k", RCC_UNIT_COUNT, "20", 2, 64, "pods; each has k/2 edge switches with k/2 hosts");
    options.Add("cores", RCC_UNIT_COUNT, "10", 1, 1024, "core switches, a multiple of k/2; k^2/4 is the full fat tree");
    options.Add("senders", RCC_UNIT_COUNT, "1900", 1, 65536, "sending hosts, from the first pod on");
    options.Add("receivers", RCC_UNIT_COUNT, "10", 1, 1024, "receiving hosts, spread over the last pod");
    options.Add("flows", RCC_UNIT_COUNT, "", 1, 1000000, "flows in all; one per sender if not given");
    options.Add("start", RCC_UNIT_NS, "0.1s", 0, 1000 * second, "flows start uniformly within this time");
    options.Add("size", RCC_UNIT_BYTES, "0", 0, 1000000 * second, "bytes of a flow; 0 = without end");
    options.Parse(argc, argv, "Incast through a CLOS network.");

    RccRun run("clos", options);
    auto k = static_cast<uint32_t>(options.Get("k"));
    auto cores = static_cast<uint32_t>(options.Get("cores"));
    auto senders = static_cast<uint32_t>(options.Get("senders"));
    auto receivers = static_cast<uint32_t>(options.Get("receivers"));
    auto flows = static_cast<uint64_t>(options.IsSet("flows") ? options.Get("flows") : senders);
    if (k % 2 != 0)
    {
        RccOptions::Fail("--k is '" + options.GetText("k") + "', expected an even number");
    }
    if (cores % (k / 2) != 0)
    {
        RccOptions::Fail("--cores is '" + options.GetText("cores") + "', expected a multiple of k/2 = " +
                         std::to_string(k / 2));
    }
    const uint32_t perPod = k * k / 4;
    if (senders > (k - 1) * perPod || receivers > perPod)
    {
        RccOptions::Fail("--senders is '" + options.GetText("senders") + "' and --receivers '" +
                         options.GetText("receivers") + "', expected at most " + std::to_string((k - 1) * perPod) +
                         " and " + std::to_string(perPod) + " with --k=" + std::to_string(k));
    }

    QbbFatTree tree = QbbFatTree::Create(run.GetHelper(), k, cores);
    for (const auto& sw : tree.Switches())
    {
        run.AddSwitch(sw);
    }
    const uint32_t lastPod = (k - 1) * perPod;
    auto receiver = [&](uint64_t i) { return static_cast<uint32_t>(lastPod + i % receivers * (perPod / receivers)); };
    auto edge = [&](uint32_t host) { return tree.edges.Get(host / (k / 2))->GetObject<QbbSwitch>(); };
    for (uint32_t i = 0; i < receivers; i++)
    {
        run.AddBottleneck(edge(receiver(i)), receiver(i) % (k / 2));
    }
    // Every core switch has one link to the receivers' pod; where they are the scarcer, the queue is there.
    if (cores <= receivers)
    {
        run.Watch(tree.cores.Get(0)->GetObject<QbbSwitch>(), k - 1, "core switch 0, port to the receivers' pod");
    }
    else
    {
        run.Watch(edge(lastPod), lastPod % (k / 2), "edge switch port to receiver 0");
    }

    auto window = static_cast<uint64_t>(options.Get("start"));
    uint64_t stream = RccStreamOf(run.GetSeed(), RccStream::FLOW_START, 0);
    for (uint64_t i = 0; i < flows; i++)
    {
        auto from = static_cast<uint32_t>(i % senders);
        uint32_t to = receiver(i);
        auto start = static_cast<int64_t>(window ? RccUniform(stream, i, window) : 0);
        run.AddFlow(tree.nics[from],
                    tree.hosts.Get(from),
                    tree.nics[to],
                    tree.hosts.Get(to),
                    start,
                    static_cast<uint64_t>(options.Get("size")));
    }
    return run.Execute();
}
