/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-program.h"

#include "cioq-recorder.h"
#include "lab-collective.h"
#include "lab-flows.h"
#include "lab-outputs.h"

#include <memory>

namespace ns3
{

int
LabRunFile(RunFile& file, const LabAsked& asked)
{
    LabRun run(file, asked);
    const LabNetwork network(file, run);
    std::vector<RunLink>().swap(file.links); // before the flows of a million need memory
    std::unique_ptr<LabRunExtra> extra;
    TestbedRecorder* recorder = nullptr;
    if (file.collective.exists)
    {
        extra.reset(new LabCollective(file, run, network));
    }
    else if (file.recorded.testbed)
    {
        recorder = new TestbedRecorder(file, run, network);
        extra.reset(recorder);
    }
    LabFlows::Add(file, run, network, recorder);
    if (!file.arrivals.empty())
    {
        extra.reset(new LabOutputs(file, run, network));
        std::vector<RunArrival>().swap(file.arrivals);
    }
    if (file.linkDown.at >= 0)
    {
        run.WarnIfNever("link-down", file.linkDown.at);
    }
    if (file.recorded.cioq)
    {
        if (!network.GetCioqSwitch())
        {
            throw RunError(0, "record", "absent", "cioq");
        }
        extra.reset(new CioqRecorder(run, network.GetCioqSwitch(), file.time));
    }
    run.SetExtra(extra.get());
    std::vector<RunFlows>().swap(file.flows); // before the queue pairs of a million need memory
    return run.Execute();
}

} // namespace ns3
