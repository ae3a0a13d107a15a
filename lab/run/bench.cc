/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Measures a delivered packet's cost as a multiple of a bare ns-3 event's cost on the same machine in the same minute:
 * simulates a run file without its results, between two runs of an event loop that does nothing but reschedule itself
 * with 1000 events pending. One simulation per process, so that peak memory is its own.
 *
 *     rcc-bench FILE [--quick] [--packets-only]
 */
#include "lab-program.h"
#include "run-file-reader.h"

#include "ns3/command-line.h"
#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/rcc-simulator-impl.h"
#include "ns3/rcc-units.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>

using namespace ns3;

namespace
{

const uint32_t PENDING = 1000;

double
CpuSeconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
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
        // the fastest of ns-3's own, which sets the yardstick
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
        ObjectFactory scheduler;
        scheduler.SetTypeId("ns3::PriorityQueueScheduler");
        Simulator::SetScheduler(scheduler);
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

/// Simulate a run file. Throws RunError. \param totals are counted \param cpu of the simulation, s \return what was
/// simulated
LabJson
Simulate(const std::string& path, LabRun::Totals& totals, double& cpu)
{
    Simulator::Run(); // an empty run: before its first run ns-3 keeps a list of all times, in which it looks up each
    const double begin = CpuSeconds();
    RunFile file = RunReadFile(path);
    LabAsked asked;
    LabProgram program(file, asked);
    program.run.StartFlows();
    const double start = CpuSeconds();
    Simulator::Run();
    cpu = CpuSeconds() - start;
    totals = program.run.Count();
    LabJson json;
    json.Add("scenario", file.name)
        .Add("cc", file.algorithms.front().name)
        .Add("flows", program.run.GetFlows().GetFlows().size())
        .Add("rate_bps", file.rate)
        .Add("ack", std::string(program.run.GetSetup().ackEvery == 1 ? "per-packet" : "coalesced"))
        .Add("sim_s", RccSeconds(RccNow()))
        .Add("setup_s", start - begin);
    Simulator::Destroy();
    return json;
}

} // namespace

int
main(int argc, char* argv[])
{
    LabProgress::EndWithParent();
    RccSimulatorImpl::Use();
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler")); // the fastest of ns-3's
    std::string path;
    bool quick = false, packetsOnly = false;
    CommandLine words;
    words.AddNonOption("file", "run file", path);
    words.AddValue("quick", "a quarter of the bare events", quick);
    words.AddValue("packets-only", "do not time bare events", packetsOnly);
    words.Parse(argc, argv);
    const uint64_t events = packetsOnly ? 0 : quick ? 500000 : 2000000;

    StringValue simulator;
    GlobalValue::GetValueByName("SimulatorImplementationType", simulator);
    const double before = BareEventCost(events);
    GlobalValue::Bind("SimulatorImplementationType", simulator);
    LabRun::Totals totals;
    double cpu = 0;
    LabJson json;
    try
    {
        json = Simulate(path, totals, cpu);
    }
    catch (const RunError& error)
    {
        std::cerr << "rcc-bench: " << error.Line(path) << std::endl;
        return 2;
    }
    const double bare = (before + BareEventCost(events)) / 2;
    const auto packets = static_cast<double>(totals.deliveredPackets);
    json.Add("packets", totals.deliveredPackets)
        .Add("cpu_s", cpu)
        .Add("packets_per_cpu_s", packets / cpu)
        .Add("events_per_packet", static_cast<double>(totals.events) / packets)
        .Add("bare_events_per_packet", bare ? cpu / packets / bare : 0.0)
        .Add("bare_events_per_s", bare ? 1 / bare : 0.0)
        .Add("peak_rss_bytes", totals.memory);
    std::printf("%s\n", json.Str().c_str());
    return 0;
}
