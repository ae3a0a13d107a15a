/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Testbed: any network and any flows in one command, such as the laboratory of a
 * measurement (lab/doc/testbed.md). By default PFC's parking lot: four senders, one of
 * them in the receiver's rack.
 */
#include "testbed-flows.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    RccOptions options;
    RccTestbed::AddOptions(options);
    options.SetDefault("links", "h1=t1,h2=t2,h3=t3,h4=t4,h5=t4,t[1-2]-l[1-2],t[3-4]-l[3-4],l[1-4]-s[1-2]");
    TestbedFlows::AddOptions(options);
    TestbedEndPoints::AddOptions(options);
    TestbedTcp::AddOptions(options);
    RccSetup::AddOptions(options);
    options.SetDefault("time", "20ms");
    options.SetDefault("mtu", "1024");
    options.Parse(argc, argv, "Any network and any flows.");

    RccRun run("testbed", options);
    TestbedTcp::Configure(options, run.GetHelper());
    RccTestbed testbed(options, run);
    TestbedRecorder recorder(options, run, testbed);
    TestbedFlows::Add(options, run, testbed, recorder);
    run.SetExtra(&recorder);
    return run.Execute();
}
