/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Measures a delivered packet's cost as a multiple of a bare ns-3 event's cost on
 * the same machine in the same minute: a star of 8 senders and a receiver, or the
 * 320-host network of the HPCC paper under the web search workload, timed between
 * two runs of an event loop that does nothing but reschedule itself with 1000
 * events pending. One row per process, so that peak memory is the row's own.
 * Its words are ns-3's, with numbers in bit/s, ns and the parameters' own units.
 */
#include "lab-progress.h"
#include "lab-results.h"
#include "lab-workload.h"
#include "ns3/core-module.h"
#include "ns3/data-rate.h"
#include "ns3/qbb-fat-tree.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-random.h"
#include "ns3/rcc-simulator-impl.h"
#include "ns3/rcc-units.h"
#include "ns3/rdma-client-helper.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <sstream>
#include <string>
#include <sys/resource.h>

using namespace ns3;

namespace
{

const uint32_t SENDERS = 8;
const uint32_t PENDING = 1000;

/// The values of the command line.
struct Asked
{
    std::string scenario{"star"}, pattern{"incast"}, cc{"dcqcn"}, preset, set, ack{"coalesced"};
    uint32_t k{32};
    uint32_t flows{2000};
    uint64_t rate{40000000000}; //!< bit/s
    int64_t time{0};            //!< ns
    bool quick{false}, packetsOnly{false};

    uint32_t GetAckEvery() const
    {
        return ack == "per-packet" ? 1 : 64;
    }
};

/// End the program if something is wrong. \param message what it is; empty: nothing
void
FailIf(const std::string& message)
{
    if (!message.empty())
    {
        std::fprintf(stderr, "rcc-bench: %s\n", message.c_str());
        std::exit(2);
    }
}

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
Star(const Asked& asked, Ptr<RccAlgorithm> algorithm, int64_t stop)
{
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(asked.rate)));
    helper.SetNicAttribute("AckEvery", UintegerValue(asked.GetAckEvery()));
    QbbStar star = QbbStar::Create(helper, SENDERS + 1);
    star.sw->AddMarker(3, algorithm);
    FailIf(star.sw->Start());
    const RdmaClientHelper clients(star.nics[SENDERS], algorithm);
    for (uint32_t i = 0; i < asked.flows; i++)
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
Large(const Asked& asked, Ptr<RccAlgorithm> algorithm, int64_t stop)
{
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(asked.rate)));
    helper.SetNicAttribute("AckEvery", UintegerValue(asked.GetAckEvery()));
    const QbbFatTree tree = QbbFatTree::Create(helper, asked.k, asked.k * asked.k / 4);
    for (const auto& sw : tree.Switches())
    {
        sw->AddMarker(3, algorithm);
        FailIf(sw->Start());
    }
    const uint32_t hosts = tree.hosts.GetN();
    for (uint32_t i = 0; i < hosts; i++)
    {
        const uint32_t to = asked.pattern == "incast" ? 0 : (i + hosts / 2) % hosts;
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

/// Web search: M. Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010.
LabSizes
WebSearch()
{
    std::vector<LabSizes::Point> points;
    const std::pair<uint64_t, uint64_t> percent[] = {{0, 0},        {10000, 15},   {20000, 20},    {30000, 30},
                                                     {50000, 40},   {80000, 53},   {200000, 60},   {1000000, 70},
                                                     {2000000, 80}, {5000000, 90}, {10000000, 97}, {30000000, 100}};
    for (const auto& p : percent)
    {
        points.push_back(LabSizes::Point{p.first, p.second * (LabSizes::ONE / 100)});
    }
    LabSizes sizes;
    sizes.SetPoints(points);
    return sizes;
}

/**
 * The 320 hosts of the HPCC paper (SIGCOMM 2019, section 5.1): 20 racks, five pods of four racks and four aggregation
 * switches, 16 cores, and its simulator's settings: windows, a buffer of 32 MB, thresholds by rate.
 */
class FatTree
{
  public:
    static const uint32_t HOSTS = 320, RACKS = 20, PODS = 5, PER_POD = 4, CORES = 16;

    FatTree(const Asked& asked, Ptr<RccAlgorithm> algorithm, int64_t arrivals)
    {
        const uint64_t rate = asked.rate;
        for (uint64_t r : {rate, 4 * rate}) // 400 and 1600 KB at 100 Gb/s
        {
            SetThreshold(algorithm, r, "kmin", static_cast<int64_t>(r / 250000));
            SetThreshold(algorithm, r, "kmax", static_cast<int64_t>(r / 62500));
            SetThreshold(algorithm, r, "pmax", 200000000);
        }
        MakeNetwork(rate, asked.GetAckEvery());
        for (const auto& sw : QbbGetSwitches(m_nodes))
        {
            if (rcc_cp_watches(algorithm->GetCore()) != RCC_CP_NONE)
            {
                sw->AddMarker(QBB_RDMA_CLASS, algorithm);
            }
            FailIf(sw->Start());
        }
        const LabSizes sizes = WebSearch();
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
            FailIf(algorithm->SetParameterAt(rate, parameter, value));
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
        FailIf(QbbSetRoutes(m_nodes));
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

/// End the program unless a word is one of two or three.
void
CheckWord(const char* name, const std::string& word, const std::vector<std::string>& words)
{
    if (std::find(words.begin(), words.end(), word) == words.end())
    {
        FailIf("--" + std::string(name) + " is '" + word + "', expected one of " + RccJoin(words, ", "));
    }
}

Asked
ReadWords(int argc, char* argv[])
{
    Asked asked;
    CommandLine words;
    words.AddValue("scenario",
                   "star: 8 senders, one receiver, two links; fat-tree: 320 hosts, web search at half load; "
                   "large: a full fat tree of k pods, a flow per host",
                   asked.scenario);
    words.AddValue("k", "large: pods, an even number from 4 to 64; k^3/4 hosts", asked.k);
    words.AddValue("pattern", "large: receivers, incast or permutation", asked.pattern);
    words.AddValue("cc", "congestion control algorithm", asked.cc);
    words.AddValue("preset", "preset of its parameters", asked.preset);
    words.AddValue("set", "parameters in their own units, ALGORITHM.PARAMETER=NUMBER,...", asked.set);
    words.AddValue("flows", "star: flows in all", asked.flows);
    words.AddValue("rate", "rate of the hosts' links, bit/s", asked.rate);
    words.AddValue("ack", "acknowledgements, coalesced (of every 64th packet) or per-packet", asked.ack);
    words.AddValue("time",
                   "simulated time, ns; fat-tree: for how long flows arrive (default: as many packets as 0.4 s "
                   "at 40 Gb/s; fat-tree: 1 ms; large: 50 us)",
                   asked.time);
    words.AddValue("quick", "a quarter of the packets", asked.quick);
    words.AddValue("packets-only", "do not time bare events", asked.packetsOnly);
    words.Parse(argc, argv);
    CheckWord("scenario", asked.scenario, {"star", "fat-tree", "large"});
    CheckWord("pattern", asked.pattern, {"incast", "permutation"});
    CheckWord("ack", asked.ack, {"coalesced", "per-packet"});
    FailIf(asked.k < 4 || asked.k > 64 || asked.k % 2 ? "--k: expected an even number from 4 to 64" : "");
    FailIf(asked.flows == 0 || asked.rate < 1000000 || asked.time < 0 ? "--flows, --rate or --time is too small" : "");
    if (asked.time == 0)
    {
        const double wanted = asked.scenario == "star"       ? 16e9 / static_cast<double>(asked.rate) * 1e9
                              : asked.scenario == "fat-tree" ? 1e6
                                                             : 5e4;
        asked.time = static_cast<int64_t>(wanted) / (asked.quick ? 4 : 1);
    }
    return asked;
}

Ptr<RccAlgorithm>
CreateAlgorithm(const Asked& asked)
{
    std::string why;
    const Ptr<RccAlgorithm> algorithm = RccAlgorithm::TryCreate(asked.cc, asked.preset, &why);
    FailIf(why);
    const std::string head = asked.cc + ".";
    std::istringstream items(asked.set);
    for (std::string item; std::getline(items, item, ',');)
    {
        const size_t equal = std::min(item.find('='), item.size());
        uint64_t number = 0;
        const bool known = item.compare(0, head.size(), head) == 0 && equal < item.size() &&
                           RccParseWhole(item.substr(equal + 1), INT64_MAX, &number);
        FailIf(
            known ? algorithm->SetParameter(item.substr(head.size(), equal - head.size()), static_cast<int64_t>(number))
                  : "--set has '" + item + "', expected " + head + "PARAMETER=NUMBER");
    }
    return algorithm;
}

} // namespace

int
main(int argc, char* argv[])
{
    LabProgress::EndWithParent();
    RccSimulatorImpl::Use();
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler")); // the fastest of ns-3's
    const Asked asked = ReadWords(argc, argv);
    const bool isStar = asked.scenario == "star";
    const uint64_t events = asked.packetsOnly ? 0 : asked.quick ? 500000 : 2000000;

    StringValue simulator;
    GlobalValue::GetValueByName("SimulatorImplementationType", simulator);
    double before = BareEventCost(events);
    GlobalValue::Bind("SimulatorImplementationType", simulator);

    double setup = CpuSeconds();
    Ptr<RccAlgorithm> algorithm = CreateAlgorithm(asked);
    std::unique_ptr<FatTree> tree(asked.scenario == "fat-tree" ? new FatTree(asked, algorithm, asked.time) : nullptr);
    const Nics nics = tree     ? tree->GetNics()
                      : isStar ? Star(asked, algorithm, asked.time)
                               : Large(asked, algorithm, asked.time);
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
    json.Add("scenario", asked.scenario)
        .Add("cc", asked.cc)
        .Add("flows", tree     ? tree->GetNFlows()
                      : isStar ? asked.flows
                               : nics.size())
        .Add("rate_bps", asked.rate)
        .Add("ack", asked.ack)
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
