/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-program.h"

#include "cioq-recorder.h"
#include "lab-collective.h"
#include "lab-flows.h"

#include "ns3/rcc-gateway.h"
#include "ns3/simulator.h"

#include <cstdio>
#include <memory>

namespace ns3
{

namespace
{

/// Options that do nothing beside others: who gives one takes its effect for granted. \param plain nothing of testbeds
void
RefuseIdle(const LabOptions& options, bool plain)
{
    for (const char* name : {"record", "tcp", "lose", "pause"})
    {
        options.FailValueIf(plain && options.IsSet(name), name, "none beside --plain, --collective and --cioq");
    }
    const bool marks = plain && options.GetFlag("marks");
    LabOptions::FailIf(marks ? "--marks is given, expected none beside --plain, --collective and --cioq" : "");
    const bool arrive = options.IsSet("arrivals") || options.IsSet("incasts");
    for (const char* name : {"drain", "load-counts"})
    {
        options.FailValueIf(!arrive && options.IsGiven(name), name,
                            options.IsSet("collective") ? "none beside --collective" : "none beside --flows");
    }
    const bool cioq = options.GetFlag("cioq"); // its switch has attributes; every file has a buffer
    options.FailValueIf(cioq && options.IsChanged("buffer"), "buffer", "none beside --cioq");
    for (const char* name : {"kmin", "kmax", "pmax", "deadlock", "storm-after", "storm-action"})
    {
        options.FailValueIf(cioq && options.IsGiven(name), name, "none beside --cioq");
    }
    for (const auto& item : options.GetAttributes().GetItems())
    {
        LabOptions::FailItemIf(cioq && item.tid.GetName() == "ns3::QbbSwitch", "attr", item.text, "none beside --cioq");
    }
    const bool lossy = options.GetFlag("lossy");
    LabOptions::FailIf(cioq && lossy ? "--lossy is given, expected none beside --cioq" : "");
    const bool scale = options.GetFlag("scale-thresholds") && !options.IsSet("kmin") && !options.IsSet("kmax");
    LabOptions::FailIf(scale ? "--scale-thresholds is given, expected --kmin or --kmax with it" : "");
    options.FailValueIf(lossy && options.IsGiven("lossless") && options.GetText("lossless") == "3", "lossless",
                        "none beside --lossy, or classes that are marked too");
}

/// What the experiment adds to the results; null: nothing.
std::unique_ptr<LabRunExtra>
AddToRun(const LabOptions& options, const LabExperiment& experiment, LabRun& run, const LabNetwork& network)
{
    std::unique_ptr<LabRunExtra> extra;
    TestbedRecorder* recorder = nullptr;
    const bool collective = options.IsSet("collective");
    const bool plain = options.GetFlag("plain") || collective || network.GetCioqSwitch();
    RefuseIdle(options, plain);
    if (options.IsSet("arrivals") || options.IsSet("incasts"))
    {
        run.SetDrain(options.Get("drain"));
    }
    if (collective)
    {
        extra.reset(new LabCollective(run, network, LabCollective::ReadShape(options.GetText("collective"))));
    }
    else if (!plain)
    {
        recorder = new TestbedRecorder(options, run, network);
        extra.reset(recorder);
    }
    LabFlows::Add(options, experiment, run, network, recorder);
    if (network.GetCioqSwitch())
    {
        extra.reset(new CioqRecorder(run, network.GetCioqSwitch(), options.Get("time")));
    }
    return extra;
}

} // namespace

int
LabRunExperiment(int argc, char* argv[])
{
    LabOptions options;
    options.AddTable("experiment");
    options.AcceptFile();
    options.Parse(argc, argv, "A network and flows between its hosts.");
    if (!RccGateway::Current())
    {
        Simulator::Run(); // of nothing: before its first run ns-3 keeps a list of all times, in which it looks up each
    }

    LabRun run(options.GetText("scenario"), options);
    TestbedTcp::Configure(options, run.GetHelper());
    LabExperiment experiment = LabExperiment::Read(options);
    const LabNetwork network(options, experiment, run);
    const std::unique_ptr<LabRunExtra> extra = AddToRun(options, experiment, run, network);
    run.SetExtra(extra.get());
    std::vector<LabExperiment::Flows>().swap(experiment.flows); // before the queue pairs of a million need memory
    if (options.GetFlag("print"))
    {
        std::fputs(options.GetFileText().c_str(), stdout);
        return std::fflush(stdout) == 0 ? 0 : 1;
    }
    return run.Execute();
}

} // namespace ns3
