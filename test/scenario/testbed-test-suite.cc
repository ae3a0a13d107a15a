/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The window of the means of a run that ends before it. */
#include "cioq-recorder.h"
#include "rcc-test-net.h"
#include "rcc-test-program.h"

using namespace ns3;

namespace
{

/// Three hosts on the ports of one CioqSwitch, of which two send to the third.
int
FanIn()
{
    RccOptions options;
    RccSetup::AddOptions(options);
    options.SetDefault("time", "20ms");
    RccTestParse(options, {"--cc=qcn", "--preset=ibm-10g", "--rate=10Gbps"});
    RccRun run("fan-in", options);
    NodeContainer hosts(3);
    Ptr<Node> node = CreateObject<Node>();
    Ptr<CioqSwitch> sw = run.GetHelper().InstallCioqSwitch(node);
    std::vector<Ptr<RdmaNic>> nics;
    for (uint32_t i = 0; i < 3; i++)
    {
        nics.push_back(run.GetHelper().InstallHost(hosts.Get(i)));
        run.GetHelper().Connect(hosts.Get(i), node);
        sw->SetRoute(hosts.Get(i)->GetId(), i);
    }
    run.AddSwitch(sw);
    for (uint32_t i = 0; i < 2; i++)
    {
        run.GetFlows().Add(nics[i], nics[2], 0, 0);
    }
    CioqRecorder recorder(run, sw, options.Get("time"));
    run.Watch(sw->GetPort(2), "port");
    run.SetExtra(&recorder);
    return run.Execute();
}

/// A run that is cut short before its window has the means of flows until then, as those of queues are.
void
CutShort()
{
    setenv("RCC_MAX_EVENTS", "3000", 1);
    const RccTestOutput o = RccTestProgram(FanIn);
    unsetenv("RCC_MAX_EVENTS");
    RCC_CHECK_EQ(o.status, 0, o.err);
    RCC_CHECK(o.out.find("\"partial\": true") != std::string::npos, o.out);
    RCC_CHECK(o.out.find("\"per_flow_window_s\": [0, ") != std::string::npos, o.out);
    RCC_CHECK(o.out.find("\"mean_bps\": 0,") == std::string::npos, o.out);
}

RccTestSuite g_testbedSuite("rcc-testbed", {{"cut-short", CutShort}});

} // namespace
