/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_PROGRAM_H
#define LAB_PROGRAM_H

#include "lab-network.h"
#include "lab-run.h"
#include "run-file.h"

#include <memory>

namespace ns3
{

/// The network and flows of a run file, built so that its run can be executed.
class LabProgram
{
  public:
    /**
     * Throws RunError about what cannot be built.
     * \param file of the run; its flows are gone then \param asked by the command line; both outlive this
     */
    LabProgram(RunFile& file, const LabAsked& asked);

    LabRun run;

  private:
    LabNetwork m_network;
    std::unique_ptr<LabRunExtra> m_extra;
};

} // namespace ns3

#endif /* LAB_PROGRAM_H */
