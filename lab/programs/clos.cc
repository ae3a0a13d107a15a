/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Incast through a CLOS network, as in figure 9 of "DCQCN+: Taming Large-scale
 * Incast Congestion in RDMA over Ethernet Networks" (ICNP 2018): a fat tree of 20
 * pods with 10 core switches, 2410 nodes, in which 1900 hosts of 19 pods send to 10
 * hosts of the last pod. Or through a leaf-spine network, from all racks to the last.
 */
#include "ns3/qbb-fat-tree.h"
#include "rcc-leaf-spine.h"
#include "rcc-run.h"

using namespace ns3;

namespace
{

const uint32_t SENDERS = 1900; //!< of the paper, 19 pods of 100 hosts

/// What the incast needs to know of a network.
struct Net
{
    std::vector<Ptr<RdmaNic>> nics; //!< by host
    std::vector<Ptr<QbbSwitch>> switches;
    NodeContainer edges; //!< host h is on port h % hostsPerEdge of edge switch h / hostsPerEdge
    uint32_t hostsPerEdge;
    uint32_t target;     //!< hosts of a rack or pod, of which the last one receives
    Ptr<QbbSwitch> core; //!< the first core or spine switch
    uint32_t corePort;   //!< its port to the receivers
    uint64_t coreRate;   //!< of all links from core switches to the receivers' rack or pod, bit/s
    std::string coreName;

    /// \return the edge switch of a host
    Ptr<QbbSwitch> GetEdge(uint32_t host) const
    {
        return edges.Get(host / hostsPerEdge)->GetObject<QbbSwitch>();
    }
};

/// Both numbers of hosts against what the network has.
void
CheckHosts(const RccOptions& options, uint64_t senders, uint64_t mayS, uint64_t mayR, const std::string& with)
{
    if (senders > mayS || options.Get<uint64_t>("receivers") > mayR)
    {
        RccOptions::Fail("--senders is '" + std::to_string(senders) + "' and --receivers '" +
                         options.GetText("receivers") + "', expected at most " + std::to_string(mayS) + " and " +
                         std::to_string(mayR) + " with " + with);
    }
}

/// The defaults are for 20 pods. Let those of other numbers of pods be what that network can have.
void
FitToPods(RccOptions& options, uint32_t k)
{
    const int64_t perPod = k * k / 4;
    const int64_t all = (k - 1) * perPod;
    if (!options.IsGiven("senders") && all < SENDERS)
    {
        options.SetDefaultValue("senders", all);
        RccOptions::Note("--senders is " + std::to_string(all) + " here: all hosts of all pods but the last");
    }
    if (!options.IsGiven("receivers") && perPod < options.Get("receivers"))
    {
        options.SetDefaultValue("receivers", perPod);
        RccOptions::Note("--receivers is " + std::to_string(perPod) + " here: all hosts of the last pod");
    }
    if (!options.IsGiven("cores") && options.Get("cores") % (k / 2) != 0)
    {
        options.SetDefaultValue("cores", k / 2);
        RccOptions::Note("--cores is " + std::to_string(k / 2) + " here: k/2");
    }
}

Net
FatTree(RccOptions& options, RccRun& run, uint32_t* senders)
{
    RccLeafSpine::FailIfGiven(options);
    const auto k = options.Get<uint32_t>("k");
    options.FailValueIf(k % 2 != 0, "k", "an even number");
    FitToPods(options, k);
    const auto cores = options.Get<uint32_t>("cores");
    options.FailValueIf(cores % (k / 2) != 0, "cores", "a multiple of k/2 = " + std::to_string(k / 2));
    const uint32_t perPod = k * k / 4;
    *senders = options.IsSet("senders") ? options.Get<uint32_t>("senders") : SENDERS;
    CheckHosts(options, *senders, (k - 1) * perPod, perPod, "--k=" + std::to_string(k));
    const auto rate = static_cast<uint64_t>(options.Get(options.IsSet("core-rate") ? "core-rate" : "rate"));
    const QbbFatTree tree = QbbFatTree::Create(run.GetHelper(), k, cores, rate);
    Net net;
    net.nics = tree.nics;
    net.switches = tree.Switches();
    net.edges = tree.edges;
    net.hostsPerEdge = k / 2;
    net.target = perPod;
    net.core = tree.cores.Get(0)->GetObject<QbbSwitch>();
    net.corePort = k - 1;
    net.coreRate = cores * rate;
    net.coreName = "core switch 0, port to the receivers' pod";
    return net;
}

Net
LeafSpine(const RccOptions& options, RccRun& run, uint32_t* senders)
{
    for (const char* name : {"k", "cores"})
    {
        options.FailValueIf(options.IsChanged(name), name, "only with --topology=fat-tree");
    }
    const auto shape = RccLeafSpine::GetShape(options);
    const uint32_t others = shape.Hosts() - shape.hostsPerRack;
    *senders = options.IsSet("senders") ? options.Get<uint32_t>("senders") : others;
    CheckHosts(options, *senders, others, shape.hostsPerRack,
               "--racks=" + options.GetText("racks") + " --hosts-per-rack=" + options.GetText("hosts-per-rack"));
    const QbbLeafSpine tree = QbbLeafSpine::Create(run.GetHelper(), shape);
    Net net;
    net.nics = tree.nics;
    net.switches = tree.Switches();
    net.edges = tree.leaves;
    net.hostsPerEdge = net.target = shape.hostsPerRack;
    net.core = tree.spines.Get(0)->GetObject<QbbSwitch>();
    net.corePort = shape.racks - 1;
    net.coreRate = shape.spines * shape.coreRate;
    net.coreName = "spine switch 0, port to the receivers' rack";
    return net;
}

} // namespace

int
main(int argc, char* argv[])
{
    RccOptions options;
    options.AddChoice("topology", {"fat-tree", "leaf-spine"}, "fat-tree", "network; each has options of its own");
    options.Add("k", RCC_UNIT_COUNT, "20", 2, 64, "pods; each has k/2 edge switches with k/2 hosts");
    options.Add("cores", RCC_UNIT_COUNT, "10", 1, 1024, "core switches, a multiple of k/2; k^2/4 is the full fat tree");
    options.Add("senders", RCC_UNIT_COUNT, "", 1, 65536, "sending hosts, from the first on",
                "1900; leaf-spine: all racks but the last");
    options.Add("receivers", RCC_UNIT_COUNT, "10", 1, 1024, "receiving hosts, spread over the last pod or rack");
    options.Add("flows", RCC_UNIT_COUNT, "", 1, 1000000, "flows in all", "one per sender");
    RccSetup::AddStart(options, "0.1s");
    RccSetup::AddSize(options);
    RccLeafSpine::AddOptions(options);
    RccSetup::AddOptions(options);
    options.Parse(argc, argv, "Incast through a CLOS network.");

    RccRun run("clos", options);
    uint32_t senders;
    const Net net =
        options.GetText("topology") == "fat-tree" ? FatTree(options, run, &senders) : LeafSpine(options, run, &senders);
    const auto receivers = options.Get<uint32_t>("receivers");
    const auto flows = static_cast<uint64_t>(options.IsSet("flows") ? options.Get("flows") : senders);
    for (const auto& sw : net.switches)
    {
        run.AddSwitch(sw);
    }
    const uint32_t first = static_cast<uint32_t>(net.nics.size()) - net.target;
    auto receiver = [&](uint64_t i) { return static_cast<uint32_t>(first + i % receivers * (net.target / receivers)); };
    for (uint32_t i = 0; i < receivers; i++)
    {
        run.AddBottleneck(net.GetEdge(receiver(i)), receiver(i) % net.hostsPerEdge);
    }
    // Where the links from the core to the receivers are the scarcer, the queue is there.
    if (net.coreRate <= receivers * options.Get<uint64_t>("rate"))
    {
        run.Watch(net.core, net.corePort, net.coreName);
    }
    else
    {
        run.Watch(net.GetEdge(first), first % net.hostsPerEdge, "edge switch port to receiver 0");
    }

    for (uint64_t i = 0; i < flows; i++)
    {
        auto from = static_cast<uint32_t>(i % senders);
        run.GetFlows().Add(net.nics[from], net.nics[receiver(i)], run.GetStart(i), options.Get<uint64_t>("size"));
    }
    return run.Execute();
}
