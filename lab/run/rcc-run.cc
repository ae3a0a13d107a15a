/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Runs a run file: everything that is simulated is in it, as numbers (lab/run/run-file.md).
 *
 *     rcc-run FILE... [--out=DIR] [--check[=RANKS]] [--progress]
 *
 * Several files are only checked. What is wrong is one line on stderr, "rcc-run: error FILE RECORD FIELD CODE FOUND
 * EXPECTED...", and status 2.
 */
#include "lab-program.h"
#include "lab-progress.h"
#include "run-file-reader.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rcc-gateway.h"
#include "ns3/rcc-simulator-impl.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// \return whether a word is --NAME=VALUE, or --NAME VALUE, whose value is the next word
bool
TakeValue(const std::string& name, int argc, char* argv[], int& i, std::string& value)
{
    const std::string word = argv[i];
    if (word.compare(0, name.size() + 1, name + "=") == 0)
    {
        value = word.substr(name.size() + 1);
        return true;
    }
    if (word != name || i + 1 == argc)
    {
        return false;
    }
    value = argv[++i];
    return true;
}

/// Print what is wrong. \return the exit status
int
Refuse(const RunError& error, const std::string& path)
{
    std::cout.flush();
    if (RccGateway::IsFirst() || error.field != "ranks")
    {
        std::cerr << "rcc-run: " << error.Line(path) << std::endl;
    }
    RccGateway* const ranks = RccGateway::Current();
    if (ranks && error.field == "ranks") // all of them are here
    {
        uint64_t none = 0;
        ranks->Sum(&none, 1); // it is said before a rank ends, and MPI ends the others
    }
    return 2;
}

/// Run one file, or check it. \return the exit status
int
RunOne(const std::string& path, const LabAsked& asked)
{
    try
    {
        RunFile file = RunReadFile(path);
        return LabProgram(file, asked).run.Execute();
    }
    catch (const RunError& error)
    {
        return Refuse(error, path);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    LabProgress::EndWithParent();
    std::vector<std::string> paths;
    LabAsked asked;
    RccSimulatorImpl::Use();
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler")); // the fastest of ns-3's
    RccGateway::Start(&argc, &argv);
    for (int i = 1; i < argc; i++)
    {
        const std::string word = argv[i];
        if (word == "--check" || word.compare(0, 8, "--check=") == 0)
        {
            asked.check = true;
            asked.ranks = word.size() > 8 ? static_cast<uint32_t>(std::strtoul(word.c_str() + 8, nullptr, 10)) : 1;
        }
        else if (word == "--progress")
        {
            asked.progress = true;
        }
        else if (word.compare(0, 2, "--") != 0)
        {
            paths.push_back(word);
        }
        else if (!TakeValue("--out", argc, argv, i, asked.folder))
        {
            return Refuse(RunError(0, "", "word", word, {"--out", "--check", "--progress"}), "");
        }
    }
    if (paths.empty() || (paths.size() > 1 && !asked.check))
    {
        return Refuse(RunError(0, "", "files", std::to_string(paths.size()), {"1"}), "");
    }
    if (!RccGateway::Current())
    {
        Simulator::Run(); // an empty run: before the first one ns-3 keeps a list of all times, in which it looks up
                          // each
    }
    int status = 0;
    for (const auto& path : paths)
    {
        if (asked.check)
        {
            std::cerr << "rcc-run: file " << RunEscape(path) << std::endl; // the lines that follow are about it
        }
        const int its = RunOne(path, asked);
        status = status ? status : its;
        if (paths.size() > 1)
        {
            Simulator::Destroy();
            Config::Reset();
        }
    }
    return status;
}
