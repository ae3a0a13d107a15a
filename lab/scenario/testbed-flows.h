/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef TESTBED_FLOWS_H
#define TESTBED_FLOWS_H

#include "testbed-recorder.h"

namespace ns3
{

/// The flows of a testbed: those that --flows lists, or those that arrive at random (--arrivals, --incasts).
class TestbedFlows
{
  public:
    /// Declare the options. \param options of the program
    static void AddOptions(RccOptions& options);

    /**
     * Add the flows to the run. Exits with status 2 if the options are wrong.
     * \param options of the run
     * \param run gets the flows, and the port to watch
     * \param testbed the network
     * \param recorder gets the groups, and the ports of --record
     */
    static void Add(const RccOptions& options, RccRun& run, const RccTestbed& testbed, TestbedRecorder& recorder);
};

} // namespace ns3

#endif /* TESTBED_FLOWS_H */
