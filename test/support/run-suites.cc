/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Main program of the standalone build's ns-3 tests: ns3-tests [PART]
 * One line per case whose name, suite/case, contains PART; status 1 if any failed or none ran.
 */
#include "rcc-test.h"

#include <cstdio>

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
    char out[] = "--out=/dev/null"; // its report has no line per case unless everything is printed
    char* arguments[] = {program, out, nullptr};
    int status = ns3::TestRunner::Run(2, arguments);
    if (g_passed + g_failed == 0)
    {
        std::fprintf(stderr, "no case has '%s' in its name\n", argc > 1 ? argv[1] : "");
        return 1;
    }
    return g_failed || status ? 1 : 0;
}
