/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The window of the means of a run that ends before it. */
#include "lab-test-run.h"
#include "rcc-test-net.h"

using namespace ns3;

namespace
{

/// A run that is cut short before its window has the means of flows until then, as those of queues are: two hosts send
/// to a third one through a switch with combined queues.
void
CutShort()
{
    setenv("RCC_MAX_EVENTS", "3000", 1);
    const LabTestOutput o = LabTestRunApart("rcc-run 1\nrun fan-in 1 400000000 0 10000000000\nalgorithm 0 qcn\n" +
                                            LabTestStar(3, "cioq", 10000000000) +
                                            "watch 3 2 port\ngroup -\n"
                                            "flows 2 0 1 2 2 0 1 1 3 - 0 0 0 0 - 1 1 0 - - - -\nrecord cioq\n");
    unsetenv("RCC_MAX_EVENTS");
    RCC_CHECK_EQ(o.status, 0, o.err);
    RCC_CHECK(o.out.find("\"partial\": true") != std::string::npos, o.out);
    RCC_CHECK(o.out.find("\"per_flow_window_s\": [0, ") != std::string::npos, o.out);
    RCC_CHECK(o.out.find("\"mean_bps\": 0,") == std::string::npos, o.out);
}

RccTestSuite g_testbedSuite("rcc-testbed", {{"cut-short", CutShort}});

} // namespace
