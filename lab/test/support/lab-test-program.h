/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Programs of scenario/ as a test runs them: in a process of their own, because errors end it. */
#ifndef LAB_TEST_PROGRAM_H
#define LAB_TEST_PROGRAM_H

#include "lab-options.h"
#include "rcc-test-folder.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ns3
{

/// What a program said.
struct LabTestOutput
{
    int status; //!< -1: it was ended by a signal
    std::string out, err;
};

/// Let options read arguments as those of a program. \param options declared \param arguments without argv[0]
inline void
LabTestParse(LabOptions& options, std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> argv;
    for (auto& argument : arguments)
    {
        argv.push_back(&argument[0]);
    }
    argv.push_back(nullptr);
    options.Parse(static_cast<int>(arguments.size()), argv.data(), "test");
}

/// \param status with which to leave a child, whatever exit() would do
inline void
LabTestLeave(int status)
{
    std::fflush(nullptr);
    _exit(status);
}

/// \param program returns an exit status \return what it does in a process of its own
inline LabTestOutput
LabTestProgram(const std::function<int()>& program)
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
        // exit() would destroy ns-3's test suites, which assert that none of them is running
#ifdef __GLIBC__
        on_exit([](int code, void*) { LabTestLeave(code); }, nullptr);
#else
        std::atexit([] { LabTestLeave(2); });
#endif
        LabTestLeave(program());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return LabTestOutput{WIFEXITED(status) ? WEXITSTATUS(status) : -1, RccTestFolder::Read(scratch.Name("out")),
                         RccTestFolder::Read(scratch.Name("err"))};
}

} // namespace ns3

#endif /* LAB_TEST_PROGRAM_H */
