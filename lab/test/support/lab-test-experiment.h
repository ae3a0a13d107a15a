/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Experiments as a test runs them: in a process of their own. */
#ifndef LAB_TEST_EXPERIMENT_H
#define LAB_TEST_EXPERIMENT_H

#include "lab-front.h"
#include "lab-test-program.h"

#include <string>
#include <vector>

namespace ns3
{

/// \param arguments without argv[0] \return what the program says
inline LabTestOutput
LabTestExperiment(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "experiment");
    std::vector<char*> argv;
    for (auto& argument : arguments)
    {
        argv.push_back(&argument[0]);
    }
    argv.push_back(nullptr);
    return LabTestProgram([&] { return LabRunExperiment(static_cast<int>(arguments.size()), argv.data()); });
}

} // namespace ns3

#endif /* LAB_TEST_EXPERIMENT_H */
