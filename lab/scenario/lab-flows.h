/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FLOWS_H
#define LAB_FLOWS_H

#include "lab-network.h"
#include "testbed-recorder.h"

namespace ns3
{

/// The flows of a run file, built, and the ports that it watches.
class LabFlows
{
  public:
    /**
     * Add the flows to the run. Throws RunError if none arrives, or too many do.
     * \param file of the run
     * \param run gets the flows, and the ports to watch
     * \param network whose hosts have them
     * \param recorder gets the groups and the ports to record; null: there is none
     */
    static void Add(const RunFile& file, LabRun& run, const LabNetwork& network, TestbedRecorder* recorder);
};

} // namespace ns3

#endif /* LAB_FLOWS_H */
