/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a packet costs, as a multiple of what a bare ns-3 event costs on the same
 * machine in the same minute: a star of 8 senders and a receiver, timed between
 * two runs of an event loop that does nothing but reschedule itself with 1000
 * events pending. One row per process, so that peak memory is the row's own.
 */
#include "ns3/core-module.h"
#include "ns3/data-rate.h"
#include "ns3/pointer.h"
#include "ns3/qbb-helper.h"
#include "ns3/rcc-options.h"
#include "ns3/rcc-random.h"
#include "ns3/rcc-results.h"
#include "ns3/rcc-scheduler.h"
#include "ns3/rdma-client.h"

#include <algorithm>
#include <chrono>
#include <ctime>
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
UseStockScheduler()
{
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
    double best = 1;
    for (int i = 0; i < 3; i++)
    {
        UseStockScheduler();
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

} // namespace

int
main(int argc, char* argv[])
{
    const int64_t second = 1000000000;
    RccOptions o;
    o.AddText("scenario", "star", "star: 8 senders, one receiver, two links");
    o.AddText("cc", "dcqcn", "congestion control algorithm");
    o.AddText("preset", "", "preset of its parameters");
    o.AddText("set", "", "ALGORITHM.PARAMETER=VALUE, several separated by commas");
    o.Add("flows", RCC_UNIT_COUNT, "2000", 1, 1000000, "flows in all");
    o.Add("rate", RCC_UNIT_BPS, "40Gbps", RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX, "rate of the links");
    o.AddText("ack", "coalesced", "coalesced (every 64th packet) or per-packet");
    o.Add("time", RCC_UNIT_NS, "", 1000, 1000 * second, "simulated time; empty: as many packets as 0.4 s at 40 Gb/s");
    o.AddFlag("quick", "a quarter of the packets");
    o.Parse(argc, argv, "Cost of a packet in bare ns-3 events.");
    if (o.GetText("ack") != "coalesced" && o.GetText("ack") != "per-packet")
    {
        RccOptions::Fail("--ack is '" + o.GetText("ack") + "', expected coalesced or per-packet");
    }
    if (o.GetText("scenario") != "star")
    {
        RccOptions::Fail("--scenario is '" + o.GetText("scenario") + "', expected star");
    }
    bool quick = o.GetFlag("quick");
    auto rate = static_cast<uint64_t>(o.Get("rate"));
    auto flows = static_cast<uint32_t>(o.Get("flows"));
    uint64_t events = quick ? 500000 : 2000000;
    int64_t stop = o.IsSet("time") ? o.Get("time")
                                   : static_cast<int64_t>(16e9 / static_cast<double>(rate) * 1e9) / (quick ? 4 : 1);

    double before = BareEventCost(events);

    double setup = CpuSeconds();
    RccScheduler::Use();
    Ptr<RccAlgorithm> algorithm = o.CreateAlgorithm();
    QbbHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
    helper.SetNicAttribute("AckEvery", UintegerValue(o.GetText("ack") == "per-packet" ? 1 : 64));
    QbbStar star = QbbStar::Create(helper, SENDERS + 1);
    star.sw->AddMarker(3, algorithm);
    const std::string why = star.sw->Start();
    if (!why.empty())
    {
        RccOptions::Fail(why);
    }
    for (uint32_t i = 0; i < flows; i++)
    {
        Ptr<RdmaClient> client = CreateObject<RdmaClient>();
        client->SetAttribute("Remote", PointerValue(star.nics[SENDERS]));
        client->SetAttribute("Algorithm", PointerValue(algorithm));
        uint64_t stream = RccStreamOf(1, RccStream::FLOW_START, 0);
        client->SetStartTime(NanoSeconds(RccUniform(stream, i, static_cast<uint64_t>(stop) / 10)));
        star.hosts.Get(i % SENDERS)->AddApplication(client);
    }
    Simulator::Stop(NanoSeconds(stop));
    double start = CpuSeconds();
    setup = start - setup;
    Simulator::Run();
    double cpu = CpuSeconds() - start;
    uint64_t count = RccEventQueue::CountEvents();
    uint64_t packets = star.nics[SENDERS]->GetCounters().packetsDelivered;
    Simulator::Destroy();

    double bare = (before + BareEventCost(events)) / 2;
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    RccJson json;
    json.Add("scenario", o.GetText("scenario"))
        .Add("cc", o.GetText("cc"))
        .Add("flows", static_cast<uint64_t>(flows))
        .Add("rate_bps", rate)
        .Add("ack", o.GetText("ack"))
        .Add("packets", packets)
        .Add("sim_s", static_cast<double>(stop) / 1e9)
        .Add("cpu_s", cpu)
        .Add("packets_per_cpu_s", static_cast<double>(packets) / cpu)
        .Add("events_per_packet", static_cast<double>(count) / static_cast<double>(packets))
        .Add("bare_events_per_packet", cpu / static_cast<double>(packets) / bare)
        .Add("bare_events_per_s", 1 / bare)
        .Add("peak_rss_bytes", static_cast<uint64_t>(usage.ru_maxrss) * 1024)
        .Add("setup_s", setup);
    std::printf("%s\n", json.Str().c_str());
    return 0;
}
