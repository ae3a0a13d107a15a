/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_PROGRAM_H
#define LAB_PROGRAM_H

namespace ns3
{

/**
 * The program that runs an experiment: PROGRAM [FILE] [--KEY=VALUE...]. Exits with status 2 if something is wrong with
 * it.
 * \param argc of main
 * \param argv of main
 * \return exit status, see LabRun::Execute
 */
int LabRunExperiment(int argc, char* argv[]);

} // namespace ns3

#endif /* LAB_PROGRAM_H */
