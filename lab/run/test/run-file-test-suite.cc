/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Run files: the fields of each record are read, and what is wrong is told with its record, field, code and values. */
#include "rcc-test-net.h"
#include "run-file-reader.h"

#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const std::string HEAD = "rcc-run 1\n"
                         "run a%20b%25 7 1000000 0 40000000000\n"
                         "algorithm 0 dcqcn g=5\n"
                         "node 0 host h0\n"
                         "node 1 host -\n"
                         "node 2 switch s\n"
                         "link 0 0 2 40000000000 1000 0\n"
                         "link 1 1 2 40000000000 1000 0\n"
                         "routes shortest\n";
const std::string WATCH = "watch 2 1 port\n";
const std::string FLOW = "flows 2 0 0 1 1 0 1 1 3 - 1000 0 0 0 - 1 1 0 - - - -\n";
const std::string GUARD = "guard stop - report 0\n";

/// \return what a text says; where it is refused, the test ends
RunFile
ReadFine(const std::string& text)
{
    try
    {
        return RunReadText(text);
    }
    catch (const RunError& error)
    {
        throw std::runtime_error(text + error.Line("file"));
    }
}

/// Run, algorithms, nodes, links and flows; names are any text, and lines count whatever is in them.
void
Common()
{
    const RunFile file = ReadFine("# a comment\n\n" + HEAD + "window 5 9\ninterval 20\n" + WATCH + FLOW + GUARD);
    RCC_CHECK_EQ(file.name, "a b%", "");
    RCC_CHECK_EQ(file.seed, 7, "");
    RCC_CHECK_EQ(file.windowTo, 9, "");
    RCC_CHECK_EQ(file.interval, 20, "");
    RCC_CHECK_EQ(file.algorithms[0].fields[0].second, 5, "");
    RCC_CHECK_EQ(file.nodes[1].name, "", "");
    RCC_CHECK(file.nodes[2].kind == RunNodeKind::SWITCH, "");
    RCC_CHECK_EQ(file.links[1].delay, 1000, "");
    RCC_CHECK_EQ(file.watch.port.port, 1, "");
    const RunFlows& flows = file.flows[0];
    RCC_CHECK_EQ(flows.record, 15, "");
    RCC_CHECK_EQ(flows.count, 2, "");
    RCC_CHECK_EQ(flows.to, 1, "");
    RCC_CHECK_EQ(flows.algorithm, RUN_NONE, "");
    RCC_CHECK_EQ(flows.size, 1000, "");
    RCC_CHECK_EQ(flows.stop, RUN_UNSET, "");
    RCC_CHECK_EQ(flows.ecn, -1, "");
    RCC_CHECK(file.guard.stops && !file.guard.drops, "");
    RCC_CHECK_EQ(RunEscape("-"), "%2D", "");
    RCC_CHECK_EQ(RunEscape(file.name), "a%20b%25", "");
}

/// Records that few runs have.
void
CheckRareRecords()
{
    const RunFile file = ReadFine(
        HEAD +
        "default ns3::RdmaNic Mtu 9000\nalgorithm-at 0 1000000000 kmin 9\nnode-attribute 0 ns3::RdmaNic Mtu 5 4\n" +
        "pool 9 3\nlink-down 8 0 2\n"
        "marker all 3 0\npolicer 2 0 1000000000 1000\nrate 2 0 5 1000000000\nphase 0 1000000000\n" +
        WATCH + "bottleneck 2 0\ngroup g\n" + FLOW + FLOW +
        "wait 0 1 0 5\nafter 2 1 received 3\nafter begin - - 9\ntcp 0 1 5001 2 0 1 - 0 ns3::TcpCubic h0-h1\n"
        "lose 0 4\npause 1 3 500000000 100000 0 -\nreroute never\n"
        "fault lose 0 2 1 5 - - 1000 1 0 3 - - - - - -\nfault forge all - - 0 - 1000 - - 1 1 - - 0 5 0 3\n"
        "guard continue 1000 drop 1\ncapture watched - w\ncapture 2 0 x\nsnaplen 96\nrecord testbed\n"
        "record-port 2 0 p\nfct fct.txt\nqlen q 0 5\ntraced 2\n");
    RCC_CHECK_EQ(file.defaults[0].attribute, "Mtu", "");
    RCC_CHECK_EQ(file.algorithmsAt[0].value, 9, "");
    RCC_CHECK_EQ(file.nodeAttributes[0].at, 4, "");
    RCC_CHECK_EQ(file.pool.headroom, 3, "");
    RCC_CHECK_EQ(file.linkDown.at, 8, "");
    RCC_CHECK_EQ(file.markers[0].node, RUN_NONE, "");
    RCC_CHECK_EQ(file.policers[0].burst, 1000, "");
    RCC_CHECK_EQ(file.rates[0].at, 5, "");
    RCC_CHECK_EQ(file.phases[0].rate, 1000000000, "");
    RCC_CHECK_EQ(file.bottlenecks[0].port.node, 2, "");
    RCC_CHECK_EQ(file.groups[0].name, "g", "");
    RCC_CHECK_EQ(file.waits[0].delay, 5, "");
    RCC_CHECK(file.afters[0].received && file.afters[0].later == 3, "");
    RCC_CHECK(file.afters[1].first == RUN_NONE && file.afters[1].later == 9, "");
    RCC_CHECK(file.tcp[0].control == "ns3::TcpCubic" && file.tcp[0].name == "h0-h1", "");
    RCC_CHECK_EQ(file.losses[0].packet, 4, "");
    RCC_CHECK_EQ(file.pauses[0].every, 100000, "");
    RCC_CHECK(!file.reroutes, "");
    RCC_CHECK(file.faults[0].oneWay && file.faults[0].frames == 3, "");
    RCC_CHECK(file.faults[1].node == RUN_NONE && file.faults[1].psn == 5, "");
    RCC_CHECK(!file.guard.stops && file.guard.drops && file.guard.invariants, "");
    RCC_CHECK(file.captures[0].place == RunCapturePlace::WATCHED && file.captures[1].port.node == 2, "");
    RCC_CHECK_EQ(file.snaplen, 96, "");
    RCC_CHECK(file.recorded.testbed && !file.recorded.cioq, "");
    RCC_CHECK_EQ(file.recordedPorts[0].name, "p", "");
    RCC_CHECK_EQ(file.fct.file, "fct.txt", "");
    RCC_CHECK_EQ(file.qlen.end, 5, "");
    RCC_CHECK_EQ(file.traced[0].node, 2, "");
}

/// Flows that arrive, one by one and at random, and a collective operation.
void
Arrivals()
{
    const RunFile listed = ReadFine(
        HEAD + "watch busiest - -\narrival 0 1 3 - 5 0 - 100 1 80\narrival 1 0 3 0 5 7 9 max-bdp 0 80\n" + GUARD);
    RCC_CHECK_EQ(listed.watch.port.node, RUN_NONE, "");
    RCC_CHECK(listed.arrivals[0].window == 100 && listed.arrivals[0].variable, "");
    RCC_CHECK(listed.arrivals[1].rule == RunWindow::MAX_BDP && listed.arrivals[1].stop == 9, "");
    RCC_CHECK_EQ(listed.arrivals[1].algorithm, 0, "");
    const RunFile random =
        ReadFine(HEAD + WATCH + "arrivals 5 300000000\ncdf 0 0\ncdf 9 1000000000000\nincasts 1 2 3 4\n" + GUARD);
    RCC_CHECK_EQ(random.random.load, 300000000, "");
    RCC_CHECK_EQ(random.sizes[1].bytes, 9, "");
    RCC_CHECK_EQ(random.incasts.gap, 4, "");
    const RunFile together = ReadFine(HEAD + WATCH + "collective all-to-all data 100 1 0 2\nrank 1\nrank 0\n" + GUARD);
    RCC_CHECK(!together.collective.ring && !together.collective.barrier && together.collective.rounds == 2, "");
    RCC_CHECK_EQ(together.ranks[0].node, 1, "");
}

/// Every mistake has a code, and says where it is and what is allowed.
void
Refused()
{
    std::string nulls;
    for (int i = 0; i < 40; i++)
    {
        nulls += "%00";
    }
    const std::vector<std::pair<std::string, std::string>> rows{
        {"", "0 rcc-run absent -"},
        {"rcc-run 2\n", "1 VERSION order 2 1 1"},
        {"rcc-run 1\nrcc-run 1\n", "2 - twice rcc-run 1"},
        {"rcc-run 1 1\n", "1 - more 1"},
        {"rcc-run 1\nflow 1\n", "2 - record flow"},
        {"run" + std::string(40, '\0') + " 1\n", "1 - record run" + nulls},
        {"run x 1 5\n", "1 DRAIN missing -"},
        {"run x%2 1 5 0 1000000\n", "1 NAME text x%252"},
        {"run x -1 5 0 1000000\n", "1 SEED range -1 0 999999999999999999"},
        {"run x 1e3 5 0 1000000\n", "1 SEED number 1e3"},
        {"run x 99999999999999999999 5 0 1000000\n", "1 SEED number 99999999999999999999"},
        {"node 1 host h\n", "1 ID order 1 0 0"},
        {"node 0 router h\n", "1 KIND word router host switch cioq nvswitch"},
        {HEAD + "marker 0 3 0\n", "10 ID kind 0"},
        {HEAD + "marker 9 3 0\n", "10 ID node 9 0 2"},
        {HEAD + "marker all 3 1\n", "10 ALGORITHM algorithm 1 0 0"},
        {HEAD + "after begin - - 0\n", "10 - order -"},
        {HEAD + "fault pause 0 1 - 0 - - - - - - - - - - - 3\n", "10 PEER none 1 %2D"},
        {HEAD + WATCH + FLOW + "fault lose all - - 0 - - 900000000 3 0 1 - - - - - -\n", "12 P burst 900000000 3"},
        {HEAD + WATCH + FLOW + "fault forge all - - 0 - 1000 - - 1 3 - - 0 5 0 3\n", "12 FRAMES word 3 1 2 4 8 16"},
        {HEAD + WATCH + FLOW + "fault forge all - - 0 - 1000 - - 1 32 - - 0 5 0 3\n", "12 FRAMES word 32 1 2 4 8 16"},
        {HEAD + FLOW, "0 watch absent -"},
        {HEAD + WATCH, "0 flows absent -"},
        {HEAD + WATCH + FLOW + "arrival 0 1 3 - 5 0 - - 0 80\n", "0 flows mixed -"},
        {HEAD + "watch 2 2 port\n" + FLOW, "10 PORT port 2 2"},
        {HEAD + WATCH + "flows 3 0 1 3 1 0 1 1 3 - 1000 0 0 0 - 1 1 0 - - - -\n", "11 TO same 1"},
        {HEAD + WATCH + "flows 3 1 1 3 0 0 1 1 3 - 1000 0 0 0 - 1 1 0 - - - -\n", "11 FROM_STEP kind 2"},
        {HEAD + WATCH + FLOW + "wait 1 2 0 0\n", "12 FIRST range 1"},
        {HEAD + WATCH + FLOW + "window 5 5\n", "0 window order 5"},
    };
    for (const auto& row : rows)
    {
        std::string said = "nothing";
        try
        {
            RunReadText(row.first);
        }
        catch (const RunError& error)
        {
            said = error.Line("f");
        }
        RCC_CHECK_EQ(said, "error f " + row.second, row.first);
    }
}

RccTestSuite g_runFileSuite(
    "rcc-run-file", {{"common", Common}, {"others", CheckRareRecords}, {"arrivals", Arrivals}, {"refused", Refused}});

} // namespace
