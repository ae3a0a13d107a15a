/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Run files as a test runs them, in this process or in one of their own. */
#ifndef LAB_TEST_RUN_H
#define LAB_TEST_RUN_H

#include "lab-program.h"
#include "rcc-test-folder.h"
#include "run-file-reader.h"

#include "ns3/config.h"
#include "ns3/rcc-simulator-impl.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{

/// The exit status and the output of a program.
struct LabTestOutput
{
    int status; //!< -1: it was ended by a signal
    std::string out, err;
};

/// Run a run file as rcc-run does. \param text of the file \param folder of the results; empty: run.json is printed
/// \return the exit status
inline int
LabTestRun(const std::string& text, const std::string& folder = "")
{
    int status = 2;
    LabAsked asked;
    asked.folder = folder;
    RccSimulatorImpl::Use();
    try
    {
        RunFile file = RunReadText(text);
        status = LabProgram(file, asked).run.Execute();
    }
    catch (const RunError& error)
    {
        std::cerr << "rcc-run: " << error.Line("test") << std::endl;
    }
    Config::Reset();
    return status;
}

/// Run a run file in a process of its own. \param text of the file \return its exit status and what it printed
inline LabTestOutput
LabTestRunApart(const std::string& text)
{
    RccTestFolder scratch;
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0)
    {
        if (!std::freopen(scratch.Name("out").c_str(), "w", stdout) ||
            !std::freopen(scratch.Name("err").c_str(), "w", stderr))
        {
            _exit(99);
        }
        const int status = LabTestRun(text);
        std::fflush(nullptr);
        _exit(status); // exit() would destroy ns-3's test suites, which assert that none of them is running
    }
    int status = 0;
    waitpid(child, &status, 0);
    return LabTestOutput{WIFEXITED(status) ? WEXITSTATUS(status) : -1, RccTestFolder::Read(scratch.Name("out")),
                         RccTestFolder::Read(scratch.Name("err"))};
}

/// The network of a run file: hosts at one switch, whose links take 1 us. \param hosts number of them \param kind of
/// the switch, which is the last node \param rate of a link, bit/s \return its records
inline std::string
LabTestStar(uint32_t hosts, const std::string& kind, uint64_t rate)
{
    std::string nodes, links;
    for (uint32_t i = 0; i < hosts; i++)
    {
        const std::string n = std::to_string(i);
        nodes += "node " + n + " host h" + n + "\n";
        links += "link " + n + " " + n + " " + std::to_string(hosts) + " " + std::to_string(rate) + " 1000 0\n";
    }
    return nodes + "node " + std::to_string(hosts) + " " + kind + " s\n" + links;
}

} // namespace ns3

#endif /* LAB_TEST_RUN_H */
