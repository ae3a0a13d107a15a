/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Main program of the standalone build's ns-3 tests: ns3-tests [PART]
 * One line per case whose name, suite/case, contains PART; status 1 if any failed or none ran. The counts also go to
 * the file $RCC_TEST_RESULTS, as test/stages/main.py writes them.
 */
#include "rcc-test.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>

namespace
{

int g_passed = 0;
int g_failed = 0;

void
Finished(const std::string& name, const std::string& failures)
{
    (failures.empty() ? g_passed : g_failed)++;
    std::printf("%s %s\n%s", failures.empty() ? "PASS" : "FAIL", name.c_str(), failures.c_str());
    std::fflush(stdout);
}

double
Seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void
WriteCounts(const std::string& path)
{
    double cpu = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN})
    {
        rusage usage;
        getrusage(who, &usage);
        cpu += Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
    }
    mkdir(path.substr(0, path.rfind('/')).c_str(), 0777); // it may be there
    if (std::FILE* const file = std::fopen(path.c_str(), "w"))
    {
        std::fprintf(file, "{\"passed\": %d, \"failed\": %d, \"cpu_s\": %.2f, \"lines\": []}\n", g_passed, g_failed,
                     cpu);
        std::fclose(file);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc > 2)
    {
        std::fprintf(stderr, "usage: %s [PART-OF-SUITE/CASE]\n", argv[0]);
        return 2;
    }
    ns3::RccTestCase::GetRunner().filter = argc > 1 ? argv[1] : "";
    ns3::RccTestCase::GetRunner().finished = Finished;
    char program[] = "ns3-tests";
    char out[] = "--out=/dev/null"; // the runner's report has no line per case unless everything is printed
    char* arguments[] = {program, out, nullptr};
    int status = ns3::TestRunner::Run(2, arguments);
    if (const char* const path = std::getenv("RCC_TEST_RESULTS"))
    {
        WriteCounts(path);
    }
    if (g_passed + g_failed == 0)
    {
        std::fprintf(stderr, "no case has '%s' in its name\n", argc > 1 ? argv[1] : "");
        return 1;
    }
    return g_failed || status ? 1 : 0;
}
