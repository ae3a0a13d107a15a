/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_PROGRAM_H
#define LAB_PROGRAM_H

#include "lab-run.h"
#include "run-file.h"

namespace ns3
{

/**
 * Build what a run file says, simulate it and write its results. Throws RunError about what cannot be built.
 * \param file of the run; its flows are gone then
 * \param asked by the command line
 * \return the exit status of the program, see LabRun::Execute
 */
int LabRunFile(RunFile& file, const LabAsked& asked);

} // namespace ns3

#endif /* LAB_PROGRAM_H */
