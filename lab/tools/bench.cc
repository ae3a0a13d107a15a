/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * What a delivered packet costs, as a multiple of what a bare ns-3 event costs on
 * the same machine in the same minute: a star of 8 senders and a receiver, or the
 * 320-host network of the HPCC paper under the web search workload, timed between
 * two runs of an event loop that does nothing but reschedule itself with 1000
 * events pending. One row per process, so that peak memory is the row's own.
 */
#include "lab-options.h"
#include "lab-results.h"
#include "lab-workload.h"
#include "ns3/core-module.h"
#include "ns3/data-rate.h"
#include "ns3/qbb-fat-tree.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-random.h"
#include "ns3/rdma-client-helper.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <sys/resource.h>

using namespace ns3;

namespace
{

const uint32_t SENDERS = 8;
const uint32_t PENDING = 1000;

double
CpuSeconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

/// The fastest of ns-3's own, which sets the yardstick.
void
UseStockSimulator()
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
    ObjectFactory scheduler;
    scheduler.SetTypeId("ns3::PriorityQueueScheduler");
    Simulator::SetScheduler(scheduler);
}

uint64_t g_left;

/// The bare event: it reschedules itself by what spreads PENDING of them evenly.
void
Bare(uint32_t i)
{
    if (g_left > 0)
    {
        g_left--;
        Simulator::Schedule(NanoSeconds(1000 + (i * 7919u) % 997u), &Bare, i);
    }
}

/// CPU seconds of one bare event, the best of three loops.
double
BareEventCost(uint64_t events)
{
    double best = events ? 1 : 0;
    for (int i = 0; i < 3 && events; i++)
    {
        UseStockSimulator();
        g_left = events;
        for (uint32_t k = 0; k < PENDING; k++)
        {
            Simulator::Schedule(NanoSeconds(k), &Bare, k);
        }
        double start = CpuSeconds();
        Simulator::Run();
        best = std::min(best, (CpuSeconds() - start) / static_cast<double>(events + PENDING));
        Simulator::Destroy();
    }
    return best;
}

using Nics = std::vector<Ptr<RdmaNic>>;

uint64_t
Delivered(const Nics& nics)
{
    uint64_t packets = 0;
    for (const auto& nic : nics)
    {
        packets += nic->GetCounters().packetsDelivered;
    }
    return packets;
}

/// `flows` endless flows from 8 senders to one receiver.
Nics
Star(const LabOptions& o, Ptr<RccAlgorithm> algorithm, int64_t stop)
{
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(o.Get("rate")))));
    helper.SetNicAttribute("AckEvery", UintegerValue(o.GetText("ack") == "per-packet" ? 1 : 64));
    QbbStar star = QbbStar::Create(helper, SENDERS + 1);
    star.sw->AddMarker(3, algorithm);
    LabOptions::FailIf(star.sw->Start());
    const auto flows = static_cast<uint32_t>(o.Get("flows"));
    const RdmaClientHelper clients(star.nics[SENDERS], algorithm);
    for (uint32_t i = 0; i < flows; i++)
    {
        uint64_t stream = RccStreamOf(1, RccStream::FLOW_START, 0);
        clients.Install(star.hosts.Get(i % SENDERS))
            ->SetStartTime(NanoSeconds(RccUniform(stream, i, static_cast<uint64_t>(stop) / 10)));
    }
    Simulator::Stop(NanoSeconds(stop));
    return star.nics;
}

/**
 * A full fat tree of k^3/4 hosts, each with one endless flow: all to the first host, or each to the host half the
 * network away.
 */
Nics
Large(const LabOptions& o, Ptr<RccAlgorithm> algorithm, int64_t stop)
{
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(o.Get("rate")))));
    helper.SetNicAttribute("AckEvery", UintegerValue(o.GetText("ack") == "per-packet" ? 1 : 64));
    const auto k = static_cast<uint32_t>(o.Get("k"));
    const QbbFatTree tree = QbbFatTree::Create(helper, k, k * k / 4);
    for (const auto& sw : tree.Switches())
    {
        sw->AddMarker(3, algorithm);
        LabOptions::FailIf(sw->Start());
    }
    const uint32_t hosts = tree.hosts.GetN();
    for (uint32_t i = 0; i < hosts; i++)
    {
        const uint32_t to = o.GetText("pattern") == "incast" ? 0 : (i + hosts / 2) % hosts;
        if (to != i)
        {
            const uint64_t stream = RccStreamOf(1, RccStream::FLOW_START, 0);
            RdmaClientHelper(tree.nics[to], algorithm)
                .Install(tree.hosts.Get(i))
                ->SetStartTime(NanoSeconds(RccUniform(stream, i, static_cast<uint64_t>(stop) / 10)));
        }
    }
    Simulator::Stop(NanoSeconds(stop));
    return tree.nics;
}

/**
 * The 320 hosts of the HPCC paper (SIGCOMM 2019, section 5.1): 20 racks, five pods of four racks and four aggregation
 * switches, 16 cores, and its simulator's settings: windows, a buffer of 32 MB, thresholds by rate.
 */
class FatTree
{
  public:
    static const uint32_t HOSTS = 320, RACKS = 20, PODS = 5, PER_POD = 4, CORES = 16;

    FatTree(const LabOptions& o, Ptr<RccAlgorithm> algorithm, int64_t arrivals)
    {
        const auto rate = static_cast<uint64_t>(o.Get("rate"));
        for (uint64_t r : {rate, 4 * rate}) // 400 and 1600 KB at 100 Gb/s
        {
            SetThreshold(algorithm, r, "kmin", static_cast<int64_t>(r / 250000));
            SetThreshold(algorithm, r, "kmax", static_cast<int64_t>(r / 62500));
            SetThreshold(algorithm, r, "pmax", 200000000);
        }
        MakeNetwork(rate, o.GetText("ack") == "per-packet" ? 1 : 64);
        for (const auto& sw : QbbGetSwitches(m_nodes))
        {
            if (rcc_cp_watches(algorithm->GetCore()) != RCC_CP_NONE)
            {
                sw->AddMarker(QBB_RDMA_CLASS, algorithm);
            }
            LabOptions::FailIf(sw->Start());
        }
        LabSizes sizes;
        sizes.Load("web-search");
        LabPoissonFlows poisson(1, sizes, HOSTS, LabPoissonFlows::GapOf(sizes, HOSTS, rate, 500000000, PAYLOAD));
        for (auto f = poisson.Next(); f.start < arrivals; f = poisson.Next())
        {
            RdmaClientHelper clients(m_nics[f.dst], algorithm);
            clients.SetMessageSize(f.bytes);
            clients.SetWindow(GetWindow(rate), true);
            Ptr<RdmaClient> client = clients.Install(m_nodes.Get(f.src));
            client->SetStartTime(NanoSeconds(f.start));
            client->TraceConnectWithoutContext("Completed", MakeBoundCallback(&FatTree::Completed, this));
            m_flows++;
        }
        m_left = m_flows;
    }

    size_t GetNFlows() const
    {
        return m_flows;
    }

    const Nics& GetNics() const
    {
        return m_nics;
    }

  private:
    static const uint64_t PAYLOAD = 1000, DELAY = 1000; // bytes, ns

    static void SetThreshold(Ptr<RccAlgorithm> algorithm, uint64_t rate, const std::string& parameter, int64_t value)
    {
        if (algorithm->HasParameter(parameter))
        {
            LabOptions::FailIf(algorithm->SetParameterAt(rate, parameter, value));
        }
    }

    /// \return the bandwidth-delay product of two hosts in different pods, six links from each other, bytes
    static uint64_t GetWindow(uint64_t rate)
    {
        const uint64_t rtt = 12 * DELAY + 2 * (PAYLOAD * 8000000000u / rate) + 4 * (PAYLOAD * 2000000000u / rate);
        return rtt * rate / 8000000000u;
    }

    void MakeNetwork(uint64_t rate, uint32_t ackEvery)
    {
        QbbHelper helper;
        helper.MakeCopies();
        helper.SetSeed(1);
        helper.SetNicAttribute("AckEvery", UintegerValue(ackEvery));
        helper.SetNicAttribute("AckHighPriority", BooleanValue(false));
        // without it each switch looks at the devices of all nodes
        helper.SetSwitchAttribute("MaxFrame", UintegerValue(PAYLOAD + QbbHelper::GetMaxOverhead()));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(32000000));
        helper.SetSwitchAttribute("PauseTime", TimeValue(MicroSeconds(5)));
        helper.SetSwitchAttribute("HeadroomDelays", UintegerValue(3));
        helper.SetSwitchAttribute("AlphaRate", DataRateValue(DataRate(rate)));
        helper.SetSwitchAttribute("ResumeGap", UintegerValue(3 * 1024));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(DELAY)));
        const uint32_t aggregation = HOSTS + RACKS, cores = aggregation + PODS * PER_POD;
        m_nodes.Create(cores + CORES);
        for (uint32_t i = 0; i < HOSTS; i++)
        {
            m_nics.push_back(helper.InstallHost(m_nodes.Get(i)));
        }
        for (uint32_t i = HOSTS; i < cores + CORES; i++)
        {
            helper.InstallSwitch(m_nodes.Get(i));
        }
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
        for (uint32_t i = 0; i < HOSTS; i++)
        {
            helper.Connect(m_nodes.Get(i), m_nodes.Get(HOSTS + i / (HOSTS / RACKS)));
        }
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(4 * rate)));
        for (uint32_t i = 0; i < RACKS * PER_POD; i++)
        {
            const uint32_t rack = i / PER_POD, j = i % PER_POD;
            helper.Connect(m_nodes.Get(HOSTS + rack), m_nodes.Get(aggregation + rack / PER_POD * PER_POD + j));
            helper.Connect(m_nodes.Get(aggregation + rack), m_nodes.Get(cores + rack % PER_POD * PER_POD + j));
        }
        LabOptions::FailIf(QbbSetRoutes(m_nodes));
    }

    static void Completed(FatTree* self, Ptr<RdmaClient>, int64_t)
    {
        if (--self->m_left == 0)
        {
            Simulator::Stop();
        }
    }

    NodeContainer m_nodes; //!< hosts, then the switches of racks, pods and core
    Nics m_nics;
    size_t m_flows{0}, m_left{0};
};

} // namespace

int
main(int argc, char* argv[])
{
    const int64_t second = 1000000000;
    LabOptions o;
    o.AddChoice("scenario", {"star", "fat-tree", "large"}, "star",
                "star: 8 senders, one receiver, two links; fat-tree: 320 hosts, web search at half load; large: a full "
                "fat tree of k pods, a flow per host");
    o.Add("k", RCC_UNIT_COUNT, "32", 4, 64, "large: pods, an even number; k^3/4 hosts");
    o.AddChoice("pattern", {"incast", "permutation"}, "incast", "large: receivers");
    o.AddText("cc", "dcqcn", "congestion control algorithm");
    o.AddText("preset", "", "preset of its parameters");
    o.AddList("set", "", "set one parameter of one algorithm, e.g. dcqcn.g=0.0039");
    o.Add("flows", RCC_UNIT_COUNT, "2000", 1, 1000000, "star: flows in all");
    o.Add("rate", RCC_UNIT_BPS, "40Gbps", RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX, "rate of the hosts' links");
    o.AddChoice("ack", {"coalesced", "per-packet"}, "coalesced", "acknowledgements; coalesced: of every 64th packet");
    o.Add(
        "time", RCC_UNIT_NS, "", 1000, 1000 * second,
        "simulated time; fat-tree: for how long flows arrive (default: as many packets as 0.4 s at 40 Gb/s; fat-tree: "
        "1ms; large: 50us)");
    o.AddFlag("quick", "a quarter of the packets");
    o.AddFlag("packets-only", "do not time bare events");
    o.Parse(argc, argv, "Cost of a packet in bare ns-3 events.");
    const std::string scenario = o.GetText("scenario");
    const bool quick = o.GetFlag("quick");
    const auto rate = static_cast<uint64_t>(o.Get("rate"));
    const double wanted = scenario == "star"       ? 16e9 / static_cast<double>(rate) * 1e9
                          : scenario == "fat-tree" ? 1e6
                                                   : 5e4;
    const int64_t time = o.IsSet("time") ? o.Get("time") : static_cast<int64_t>(wanted) / (quick ? 4 : 1);
    const uint64_t events = o.GetFlag("packets-only") ? 0 : quick ? 500000 : 2000000;

    StringValue simulator;
    GlobalValue::GetValueByName("SimulatorImplementationType", simulator);
    double before = BareEventCost(events);
    GlobalValue::Bind("SimulatorImplementationType", simulator);

    double setup = CpuSeconds();
    Ptr<RccAlgorithm> algorithm = o.CreateAlgorithm();
    std::unique_ptr<FatTree> tree(scenario == "fat-tree" ? new FatTree(o, algorithm, time) : nullptr);
    const Nics nics = tree                  ? tree->GetNics()
                      : scenario == "large" ? Large(o, algorithm, time)
                                            : Star(o, algorithm, time);
    double start = CpuSeconds();
    setup = start - setup;
    Simulator::Run();
    double cpu = CpuSeconds() - start;
    const double simulated = Simulator::Now().GetSeconds();
    uint64_t count = RccEventQueue::CountEvents();
    uint64_t packets = Delivered(nics);
    Simulator::Destroy();

    double bare = (before + BareEventCost(events)) / 2;
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    LabJson json;
    json.Add("scenario", scenario)
        .Add("cc", o.GetText("cc"))
        .Add("flows", tree                  ? tree->GetNFlows()
                      : scenario == "large" ? nics.size()
                                            : static_cast<uint64_t>(o.Get("flows")))
        .Add("rate_bps", rate)
        .Add("ack", o.GetText("ack"))
        .Add("packets", packets)
        .Add("sim_s", simulated)
        .Add("cpu_s", cpu)
        .Add("packets_per_cpu_s", static_cast<double>(packets) / cpu)
        .Add("events_per_packet", static_cast<double>(count) / static_cast<double>(packets))
        .Add("bare_events_per_packet", bare ? cpu / static_cast<double>(packets) / bare : 0.0)
        .Add("bare_events_per_s", bare ? 1 / bare : 0.0)
        .Add("peak_rss_bytes", static_cast<uint64_t>(usage.ru_maxrss) * 1024)
        .Add("setup_s", setup);
    std::printf("%s\n", json.Str().c_str());
    return 0;
}
