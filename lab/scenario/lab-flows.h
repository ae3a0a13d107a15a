/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FLOWS_H
#define LAB_FLOWS_H

#include "testbed-recorder.h"

namespace ns3
{

/// The flows of an experiment, built: those that it lists, or those that arrive at random (--arrivals, --incasts).
class LabFlows
{
  public:
    /**
     * Add the flows to the run. Exits with status 2 if the options are wrong.
     * \param options of the run
     * \param experiment whose flows these are
     * \param run gets the flows, and the ports to watch
     * \param network whose hosts have them
     * \param recorder gets the groups, and the ports of --record; null: there is none
     */
    static void Add(const LabOptions& options, const LabExperiment& experiment, LabRun& run, const LabNetwork& network,
                    TestbedRecorder* recorder);
};

} // namespace ns3

#endif /* LAB_FLOWS_H */
