/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Sentences of warnings, for the programs that read options. */
#include "lab-sentences.h"

#include "lab-number.h"

#include "ns3/lab-text.h"
#include "ns3/rcc-units.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <vector>

namespace ns3
{

namespace
{

using Values = std::vector<std::string>;

std::string
TimeAt(const Values& v, size_t i)
{
    return LabShownTime(std::strtoll(v[i].c_str(), nullptr, 10));
}

bool
IsSet(const Values& v, size_t i)
{
    return v[i] == "1";
}

bool
IsSeveral(const Values& v, size_t i)
{
    return v[i] != "1";
}

std::string
Digits(const std::string& value, const char* format)
{
    char text[64];
    std::snprintf(text, sizeof text, format, std::strtod(value.c_str(), nullptr));
    return text;
}

std::string
SayLeastRate(const Values& v)
{
    const std::string end = v[5] == "pfc"    ? "the queue will stay at the PFC limit"
                            : v[5] == "drop" ? "packets will be dropped"
                                             : "the queue will stay full";
    return v[0] + ": r_min x flows = " + Digits(v[1], "%.3g") + " bit/s x " + v[2] + " = " + Digits(v[3], "%.3g") +
           " bit/s is not below the bottleneck's " + Digits(v[4], "%.3g") +
           " bit/s: the senders cannot slow down enough and " + end;
}

std::string
SayNever(const Values& v)
{
    return v[0] + " begins at " + TimeAt(v, 1) + ", but the run ends at " + TimeAt(v, 2) +
           (IsSet(v, 3) ? " at the latest" : "") + ": it never happens";
}

std::string
SayLateFlows(const Values& v)
{
    return v[0] + " of " + v[1] + (IsSeveral(v, 1) ? " flows" : " flow") +
           (IsSeveral(v, 0) ? " never start" : " never starts") + ": the run ends at " + TimeAt(v, 2) +
           " at the latest, " + (IsSeveral(v, 0) ? "the first of them" : "it") + " is for " + TimeAt(v, 3) +
           (IsSet(v, 4) ? " at the earliest" : "");
}

std::string
SayEndless(const Values& v)
{
    const std::string when = IsSet(v, 5) ? " when the simulation was stopped" : " when the simulation ended";
    const bool several = IsSeveral(v, 2);
    const std::map<std::string, std::string> fates = {
        {"retry_limit",
         "given up at the retry limit, " + std::string(several ? "the first one at " : "at ") + TimeAt(v, 6)},
        {"paused", "stuck behind a pause" + when},
        {"no_route", "without a route" + when},
        {"no_route_back", "without a route for answers" + when},
        {"not_started",
         std::string("started: what ") + (several ? "they wait" : "it waits") + " for had not happened" + when}};
    const std::string verb = v[1] == "not_started" ? " never " : several ? " were " : " was ";
    return v[0] + ": " + v[2] + " of " + v[3] + (IsSeveral(v, 3) ? " flows" : " flow") +
           (IsSet(v, 4) ? " without an end" : "") + verb + fates.at(v[1]);
}

std::string
SayTelemetryPaths(const Values& v)
{
    return "packets of a flow may take several paths, and " + v[0] +
           " compares telemetry of different ports: int_form " +
           (v[1] == "simulator" ? "simulator has no path id" : "paper has a path id that parallel links share");
}

std::string
SayCollectiveSize(const Values& v)
{
    const auto bytes = [&v](size_t i) { return RccFormat(RCC_UNIT_BYTES, std::strtoll(v[i].c_str(), nullptr, 10)); };
    return "collective: size=" + bytes(0) + " is " + bytes(1) + " here: each of " + v[2] + " messages has whole bytes";
}

std::string
SayRanksSlow(const Values& v)
{
    const auto part = [&v](size_t i, double unit, const char* format) {
        char text[64];
        std::snprintf(text, sizeof text, format, std::strtod(v[i].c_str(), nullptr) / unit);
        return std::string(text);
    };
    return "these ranks will not pay: a window of " + part(0, 1e3, "%.9g") + " us, the least delay between them, has " +
           part(1, 1e3, "%.3g") + " us of work, of which the largest rank has " + part(2, 0.01, "%.0f") +
           " %, and costs an exchange of " + part(3, 1e3, "%.3g") + " us: about " + part(4, 1, "%.2g") +
           " times as fast as one rank";
}

std::string
SayWindowAfterEnd(const Values& v)
{
    const auto time = [&v](size_t i) { return RccFormat(RCC_UNIT_NS, std::strtoll(v[i].c_str(), nullptr, 10)); };
    return "the run ended before the window of --window=" + time(0) + "-" + time(1) + ": averages cover all of it";
}

std::string
SayAveragesBefore(const Values& v)
{
    return "the averages begin at " + TimeAt(v, 0) + ", before the last flow has started, at " + TimeAt(v, 1) +
           "; --window sets another begin";
}

const std::map<std::string, std::function<std::string(const Values&)>>&
Sentences()
{
    static const std::map<std::string, std::function<std::string(const Values&)>> sentences = {
        {"text", [](const Values& v) { return v[0]; }},
        {"invariant", [](const Values& v) { return "invariant violated " + v[0]; }},
        {"stdout", [](const Values& v) { return "cannot write the summary to stdout: " + v[0]; }},
        {"rank-died",
         [](const Values& v) {
             return "rank " + v[0] + " has died: the results are partial, without its nodes, and end at " +
                    TimeAt(v, 1);
         }},
        {"least-rate", SayLeastRate},
        {"never", SayNever},
        {"late-flows", SayLateFlows},
        {"endless", SayEndless},
        {"irn-timeout",
         [](const Values&) {
             return "--rto has no effect with RdmaNic.Recovery=irn, whose timeouts are RdmaNic.RtoLow and RtoHigh";
         }},
        {"spray-go-back-n",
         [](const Values&) {
             return "packets of a flow may take several paths, and go-back-N sends again what comes out of order: much "
                    "of what is sent is sent twice";
         }},
        {"telemetry-paths", SayTelemetryPaths},
        {"telemetry-rates",
         [](const Values& v) {
             return "the telemetry that " + v[0] +
                    " reads has rates in whole Mb/s, and a link here has another rate: "
                    "its utilization is wrong by the rest";
         }},
        {"window-after-end", SayWindowAfterEnd},
        {"averages-before", SayAveragesBefore},
        {"buffer-cycle", [](const Values& v) { return "cyclic buffer dependency: PFC can stop for ever " + v[0]; }},
        {"deadlock",
         [](const Values& v) {
             return "PFC deadlock at " + TimeAt(v, 0) + ", found at " + TimeAt(v, 1) + ": " + v[2];
         }},
        {"storm",
         [](const Values& v) {
             return "pause storm: " + v[0] + ", class " + v[1] + ", is held since " + TimeAt(v, 2) +
                    (IsSet(v, 3) ? "; its frames are dropped" : "");
         }},
        {"lose-unsent",
         [](const Values& v) {
             return "--lose: " + v[0] + " of its packets were never sent in this run, and so not lost";
         }},
        {"tcp-silent",
         [](const Values& v) {
             return "--tcp=" + v[0] + " delivered nothing: it begins at " + TimeAt(v, 1) + ", the run ended at " +
                    TimeAt(v, 2);
         }},
        {"collective-size", SayCollectiveSize},
        {"tcp-late",
         [](const Values& v) {
             return v[0] + " of " + v[1] + (IsSeveral(v, 1) ? " TCP flows " : " TCP flow ") +
                    "never started: the simulation ended at " + TimeAt(v, 2) +
                    (IsSeveral(v, 0) ? ", the first of them is for " : ", it is for ") + TimeAt(v, 3);
         }},
        {"tcp-running",
         [](const Values& v) {
             return v[0] + " of " + v[1] + (IsSeveral(v, 1) ? " TCP flows " : " TCP flow ") +
                    "did not end (still running when the simulation ended)";
         }},
        {"tcp-cut",
         [](const Values& v) {
             return v[0] + " of " + v[1] + (IsSeveral(v, 1) ? " TCP flows " : " TCP flow ") +
                    "did not end (cut off at the stop time of the flow)";
         }},
        {"ranks-slow", SayRanksSlow}};
    return sentences;
}

} // namespace

std::string
LabSentenceOf(const LabWords& words, const RunWarning& warning)
{
    const Values& v = warning.values;
    if (warning.code == "fault-never")
    {
        const auto line = static_cast<uint32_t>(std::strtoul(v[0].c_str(), nullptr, 10));
        return LabAt(words.faults, line,
                     v[1] + " at " + TimeAt(v, 2) + " never happens: the run ends at " + TimeAt(v, 3) +
                         (IsSet(v, 4) ? " at the latest" : "")) +
               (IsSeveral(v, 5) ? " (" + v[5] + " faults of the file never happen)" : "");
    }
    return Sentences().at(warning.code)(v);
}

} // namespace ns3
