/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-program.h"

#include "cioq-recorder.h"
#include "lab-collective.h"
#include "lab-flows.h"
#include "lab-outputs.h"

namespace ns3
{

LabProgram::LabProgram(RunFile& file, const LabAsked& asked) : run(file, asked), m_network(file, run)
{
    std::vector<RunLink>().swap(file.links); // before the flows of a million need memory
    TestbedRecorder* recorder = nullptr;
    if (file.collective.exists)
    {
        m_extra.reset(new LabCollective(file, run, m_network));
    }
    else if (file.recorded.testbed)
    {
        recorder = new TestbedRecorder(file, run, m_network);
        m_extra.reset(recorder);
    }
    LabFlows::Add(file, run, m_network, recorder);
    if (!file.arrivals.empty())
    {
        m_extra.reset(new LabOutputs(file, run, m_network));
        std::vector<RunArrival>().swap(file.arrivals);
    }
    if (file.linkDown.at >= 0)
    {
        run.WarnIfNever("link-down", file.linkDown.at);
    }
    if (file.recorded.cioq)
    {
        if (!m_network.GetCioqSwitch())
        {
            throw RunError(0, "record", "absent", "cioq");
        }
        m_extra.reset(new CioqRecorder(run, m_network.GetCioqSwitch(), file.time));
    }
    run.SetExtra(m_extra.get());
    std::vector<RunFlows>().swap(file.flows); // before the queue pairs of a million need memory
}

} // namespace ns3
