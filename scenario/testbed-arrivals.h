/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef TESTBED_ARRIVALS_H
#define TESTBED_ARRIVALS_H

#include "rcc-testbed.h"

namespace ns3
{

/// Flows between all hosts of a testbed that arrive as Poisson processes: single ones of random sizes, and incasts.
class TestbedArrivals
{
  public:
    /// Declare --arrivals, --incasts, --load-counts and --drain. \param options of the program
    static void AddOptions(RccOptions& options);

    /// \param options of the run \return whether flows arrive at random
    static bool AreGiven(const RccOptions& options)
    {
        return options.IsSet("arrivals") || options.IsSet("incasts");
    }

    /**
     * Add the flows that arrive within --time. Exits with status 2 if the options are wrong, or no flow arrives.
     * \param options of the run
     * \param run gets the flows
     * \param testbed the network
     */
    static void Add(const RccOptions& options, RccRun& run, const RccTestbed& testbed);
};

} // namespace ns3

#endif /* TESTBED_ARRIVALS_H */
