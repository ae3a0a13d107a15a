/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes the reader of run files: the input is the file. Either one line of printable text says what is wrong, or every
 * number that refers to a record is that of one.
 */
#include "run-file-reader.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace ns3;

namespace
{

void
Require(bool holds, const char* what, const std::string& text)
{
    if (!holds)
    {
        std::fprintf(stderr, "%s does not hold: %s\n", what, text.c_str());
        std::abort();
    }
}

#define REQUIRE(condition, text) Require(condition, #condition, text)

/// Check what a message about a file must be.
void
CheckMessage(const RunError& error)
{
    const std::string line = error.Line("FILE");
    for (char c : line)
    {
        REQUIRE(c >= ' ' && c <= '~', line);
    }
    REQUIRE(line.compare(0, 11, "error FILE ") == 0 && !error.code.empty(), line);
}

bool
IsHost(const RunFile& file, uint32_t node)
{
    return node < file.nodes.size() && file.nodes[node].kind == RunNodeKind::HOST;
}

/// Check that what is read can be built without a look at its numbers.
void
CheckFile(const RunFile& file, const std::string& text)
{
    for (const auto& l : file.links)
    {
        REQUIRE(l.a < file.nodes.size() && l.b < file.nodes.size() && l.a != l.b, text);
        REQUIRE(l.rate > 0 && l.delay >= 0, text);
    }
    for (const auto& f : file.arrivals)
    {
        REQUIRE(IsHost(file, f.from) && IsHost(file, f.to) && f.from != f.to && f.cls < 8, text);
        REQUIRE(f.algorithm == RUN_NONE || f.algorithm < file.algorithms.size(), text);
    }
    for (const auto& f : file.flows)
    {
        REQUIRE(IsHost(file, f.from) && IsHost(file, f.to) && f.qps > 0 && f.fromCycle > 0 && f.toCycle > 0, text);
        REQUIRE(f.algorithm == RUN_NONE || f.algorithm < file.algorithms.size(), text);
    }
    for (const auto& m : file.markers)
    {
        REQUIRE(m.cls < 8 && m.algorithm < file.algorithms.size(), text);
    }
    for (const auto& traced : file.traced)
    {
        REQUIRE(traced.node < file.nodes.size(), text);
    }
    REQUIRE(!file.algorithms.empty() && file.time > 0, text);
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    RunFile file;
    try
    {
        file = RunReadText(text);
    }
    catch (const RunError& error)
    {
        CheckMessage(error);
        return 0;
    }
    CheckFile(file, text);
    return 0;
}
