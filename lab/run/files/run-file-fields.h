/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The fields of every record in their order, with their names and ranges. */
#ifndef RUN_FILE_FIELDS_H
#define RUN_FILE_FIELDS_H

#include "run-file.h"

#include <initializer_list>

namespace ns3
{

const int64_t RUN_TIME_MAX = 2000000000000;     // ns
const int64_t RUN_BYTES_MAX = 1000000000000000; // bytes of a message
const int64_t RUN_RATE_MIN = 1000000;           // bit/s
const int64_t RUN_RATE_MAX = 16000000000000;    // bit/s
const int64_t RUN_FLOWS_MAX = 10000000;         // flows of a run
const int64_t RUN_PPB = 1000000000;             // one, as a ratio
const int64_t RUN_GAP_MAX = int64_t{1} << 57;   // 2^-16 ns
const int64_t RUN_CLASS_MAX = 7;
const int64_t RUN_DSCP_MAX = 63;
const int64_t RUN_U32_MAX = UINT32_MAX;

/// The sets of kinds that a field of a node allows, one bit each.
const uint32_t RUN_ANY_NODE = 15, RUN_HOSTS = 1, RUN_SWITCHES = 10;

/// The kinds of faults, in the order of RunFaultKind.
const std::initializer_list<const char*> RUN_FAULT_WORDS = {"link-down", "rate",      "lose",  "corrupt",
                                                            "delay",     "duplicate", "pause", "stop-reading",
                                                            "restart",   "slow-np",   "forge"};

/// The fields of each kind of fault.
struct RunFaultFields
{
    bool link, time, picks, count, frames, rate, buffer, forge, cls;

    /// \param of a fault
    explicit RunFaultFields(RunFaultKind of)
        : link(of < RunFaultKind::PAUSE),
          time(of == RunFaultKind::LINK_DOWN || of == RunFaultKind::DELAY || of >= RunFaultKind::SLOW_NP),
          picks(of >= RunFaultKind::LOSE && of <= RunFaultKind::DUPLICATE),
          count(of == RunFaultKind::LINK_DOWN || picks || of == RunFaultKind::FORGE),
          frames(picks || of == RunFaultKind::FORGE),
          rate(of == RunFaultKind::RATE),
          buffer(of == RunFaultKind::STOP_READING),
          forge(of == RunFaultKind::FORGE),
          cls(of == RunFaultKind::PAUSE || of == RunFaultKind::FORGE)
    {
    }
};

template <class Fields>
void
RunVisitRun(Fields& f, RunFile& r)
{
    f.Text("NAME", r.name);
    f.Number("SEED", r.seed, 0, 999999999999999999);
    f.Number("TIME", r.time, 1, RUN_TIME_MAX);
    f.Number("DRAIN", r.drain, 0, RUN_TIME_MAX);
    f.Number("RATE", r.rate, RUN_RATE_MIN, RUN_RATE_MAX);
}

template <class Fields>
void
RunVisitWindow(Fields& f, RunFile& r)
{
    f.Maybe("FROM", r.windowFrom, 0, RUN_TIME_MAX);
    f.Maybe("TO", r.windowTo, 0, RUN_TIME_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunDefault& r)
{
    f.Text("TYPE", r.type);
    f.Text("ATTRIBUTE", r.attribute);
    f.Text("VALUE", r.value);
}

template <class Fields>
void
RunVisit(Fields& f, RunAlgorithmAt& r)
{
    f.Algorithm("N", r.algorithm, false);
    f.Number("RATE", r.rate, RUN_RATE_MIN, RUN_RATE_MAX);
    f.Text("FIELD", r.field);
    f.Number("VALUE", r.value, 0, INT64_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunNode& r)
{
    f.Word("KIND", r.kind, {"host", "switch", "cioq", "nvswitch"});
    f.Text("NAME", r.name);
}

template <class Fields>
void
RunVisit(Fields& f, RunInternet& r)
{
    f.Node("ID", r.node, RUN_HOSTS);
}

template <class Fields>
void
RunVisit(Fields& f, RunNodeAttribute& r)
{
    f.Node("ID", r.node, RUN_ANY_NODE);
    f.Text("TYPE", r.type);
    f.Text("ATTRIBUTE", r.attribute);
    f.Text("VALUE", r.value);
    f.Number("AT", r.at, 0, RUN_TIME_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunLink& r)
{
    f.Node("A", r.a, RUN_ANY_NODE);
    f.Node("B", r.b, RUN_ANY_NODE);
    f.Number("RATE", r.rate, RUN_RATE_MIN, RUN_RATE_MAX);
    f.Number("DELAY", r.delay, 0, RUN_PPB);
    f.Number("LOSS", r.loss, 0, RUN_PPB);
}

template <class Fields>
void
RunVisitRoutes(Fields& f, RunFile& r)
{
    f.Word("RULE", r.routes, {"shortest", "up-down", "partial"});
}

template <class Fields>
void
RunVisit(Fields& f, RunPool& r)
{
    f.Number("POOL", r.pool, 1, RUN_BYTES_MAX);
    f.Number("HEADROOM", r.headroom, 0, RUN_BYTES_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunLinkDown& r)
{
    f.Number("AT", r.at, 0, INT64_MAX);
    f.Node("A", r.a, RUN_ANY_NODE);
    f.Node("B", r.b, RUN_ANY_NODE);
}

template <class Fields>
void
RunVisit(Fields& f, RunMarker& r)
{
    f.NodeOr("ID", r.node, RUN_SWITCHES, "all");
    f.Number("CLASS", r.cls, 0, RUN_CLASS_MAX);
    f.Algorithm("ALGORITHM", r.algorithm, false);
}

template <class Fields>
void
RunVisit(Fields& f, RunPort& r, uint32_t kinds)
{
    f.Node("ID", r.node, kinds);
    f.Port("PORT", r.node, r.port);
}

template <class Fields>
void
RunVisit(Fields& f, RunPolicer& r)
{
    RunVisit(f, r.port, RUN_SWITCHES);
    f.Number("RATE", r.rate, RUN_RATE_MIN, RUN_RATE_MAX);
    f.Number("BURST", r.burst, 1, RUN_U32_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunRate& r)
{
    RunVisit(f, r.port, RUN_ANY_NODE);
    f.Number("AT", r.at, 0, RUN_TIME_MAX);
    f.Number("RATE", r.rate, RUN_RATE_MIN, RUN_RATE_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunPhase& r)
{
    f.Number("AT", r.at, 0, RUN_TIME_MAX);
    f.Number("RATE", r.rate, RUN_RATE_MIN, RUN_RATE_MAX);
}

template <class Fields>
void
RunVisitWatch(Fields& f, RunNamedPort& r)
{
    f.NodeOr("ID", r.port.node, RUN_ANY_NODE, "busiest");
    f.PortOr("PORT", r.port.node, r.port.port);
    f.Text("NAME", r.name);
}

template <class Fields>
void
RunVisitBottleneck(Fields& f, RunNamedPort& r)
{
    RunVisit(f, r.port, RUN_ANY_NODE);
}

template <class Fields>
void
RunVisitRecordPort(Fields& f, RunNamedPort& r)
{
    RunVisit(f, r.port, RUN_ANY_NODE);
    f.Text("NAME", r.name);
}

template <class Fields>
void
RunVisit(Fields& f, RunGroup& r)
{
    f.Text("NAME", r.name);
}

template <class Fields>
void
RunVisit(Fields& f, RunFlows& r)
{
    f.Number("COUNT", r.count, 1, RUN_FLOWS_MAX);
    f.Node("FROM", r.from, RUN_HOSTS);
    f.Number("FROM_STEP", r.fromStep, -RUN_FLOWS_MAX, RUN_FLOWS_MAX);
    f.Number("FROM_CYCLE", r.fromCycle, 1, RUN_FLOWS_MAX);
    f.Node("TO", r.to, RUN_HOSTS);
    f.Number("TO_STEP", r.toStep, -RUN_FLOWS_MAX, RUN_FLOWS_MAX);
    f.Number("TO_CYCLE", r.toCycle, 1, RUN_FLOWS_MAX);
    f.Number("QPS", r.qps, 1, 100000);
    f.Number("CLASS", r.cls, 0, RUN_CLASS_MAX);
    f.Algorithm("ALGORITHM", r.algorithm, true);
    f.Number("SIZE", r.size, 0, RUN_BYTES_MAX);
    f.Number("START", r.start, 0, RUN_TIME_MAX);
    f.Number("START_STEP", r.startStep, 0, RUN_TIME_MAX);
    f.Number("WITHIN", r.within, 0, RUN_TIME_MAX);
    f.Maybe("STOP", r.stop, 1, RUN_TIME_MAX);
    f.Number("MESSAGES", r.messages, 0, RUN_BYTES_MAX);
    f.Number("DEPTH", r.depth, 1, 65536);
    f.Number("THINK", r.think, 0, RUN_TIME_MAX);
    f.Maybe("RATE", r.rate, RUN_RATE_MIN, RUN_RATE_MAX);
    f.Maybe("WINDOW", r.window, 1, RUN_BYTES_MAX);
    f.Maybe("DSCP", r.dscp, 0, RUN_DSCP_MAX);
    f.Maybe("ECN", r.ecn, 0, 3);
}

template <class Fields>
void
RunVisit(Fields& f, RunArrival& r)
{
    f.Node("FROM", r.from, RUN_HOSTS);
    f.Node("TO", r.to, RUN_HOSTS);
    f.Number("CLASS", r.cls, 0, RUN_CLASS_MAX);
    f.Algorithm("ALGORITHM", r.algorithm, true);
    f.Number("SIZE", r.size, 0, RUN_BYTES_MAX);
    f.Number("START", r.start, 0, INT64_MAX);
    f.Maybe("STOP", r.stop, 0, INT64_MAX);
    f.MaybeRule("WINDOW", r.window, 0, RUN_BYTES_MAX, r.rule, {"bdp", "max-bdp"});
    f.Flag("VARIABLE", r.variable);
    f.Number("DPORT", r.dport, 0, 65535);
}

template <class Fields>
void
RunVisit(Fields& f, RunArrivals& r)
{
    f.Number("GAP", r.gap, 1, RUN_GAP_MAX);
    f.Number("LOAD", r.load, 0, RUN_PPB);
}

template <class Fields>
void
RunVisit(Fields& f, RunSize& r)
{
    f.Number("BYTES", r.bytes, 0, 1000000000000);
    f.Number("SHARE", r.share, 0, RUN_SHARE_ONE);
}

template <class Fields>
void
RunVisit(Fields& f, RunIncasts& r)
{
    f.Number("SENDERS", r.senders, 1, RUN_FLOWS_MAX);
    f.Number("QPS", r.qps, 1, 100000);
    f.Number("SIZE", r.size, 1, RUN_BYTES_MAX);
    f.Number("GAP", r.gap, 0, RUN_GAP_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunWait& r)
{
    f.Number("FIRST", r.first, 0, RUN_FLOWS_MAX);
    f.Number("COUNT", r.count, 1, RUN_FLOWS_MAX);
    f.Number("NEEDS", r.needs, 0, RUN_FLOWS_MAX);
    f.Number("DELAY", r.delay, 0, RUN_TIME_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunAfter& r)
{
    f.NumberOr("FIRST", r.first, 0, RUN_FLOWS_MAX, "begin");
    f.NumberOr("COUNT", r.count, 1, RUN_FLOWS_MAX, "-");
    f.WordOr("WHEN", r.received, {"acked", "received"}, r.first == RUN_NONE);
    f.Number("LATER", r.later, 0, RUN_TIME_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunCollective& r)
{
    f.Word("OPERATION", r.ring, {"all-to-all", "all-reduce"});
    f.Word("SYNC", r.barrier, {"data", "barrier"});
    f.Number("SIZE", r.size, 1, RUN_BYTES_MAX);
    f.Number("QPS", r.qps, 1, 1024);
    f.Number("GAP", r.gap, 0, RUN_TIME_MAX);
    f.Number("ROUNDS", r.rounds, 1, 1000000);
}

template <class Fields>
void
RunVisit(Fields& f, RunRank& r)
{
    f.Node("ID", r.node, RUN_HOSTS);
}

template <class Fields>
void
RunVisit(Fields& f, RunTcp& r)
{
    f.Node("FROM", r.from, RUN_HOSTS);
    f.Node("TO", r.to, RUN_HOSTS);
    f.Number("PORT", r.port, 1, 65535);
    f.Number("CONNECTIONS", r.connections, 1, 10000);
    f.Number("SIZE", r.size, 0, RUN_BYTES_MAX);
    f.Number("START", r.start, 0, INT64_MAX);
    f.Maybe("STOP", r.stop, 0, INT64_MAX);
    f.Flag("AWAITED", r.awaited);
    f.Text("CONTROL", r.control);
    f.Text("NAME", r.name);
}

template <class Fields>
void
RunVisit(Fields& f, RunLose& r)
{
    f.Node("ID", r.node, RUN_HOSTS);
    f.Number("PACKET", r.packet, 0, RUN_U32_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunPause& r)
{
    f.Node("ID", r.node, RUN_HOSTS);
    f.Number("CLASS", r.cls, 0, RUN_CLASS_MAX);
    f.Number("SHARE", r.share, 1, RUN_PPB);
    f.Number("EVERY", r.every, 1000, RUN_TIME_MAX);
    f.Number("START", r.start, 0, RUN_TIME_MAX);
    f.Maybe("STOP", r.stop, 0, RUN_TIME_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunFault& r)
{
    f.Word("KIND", r.kind, RUN_FAULT_WORDS);
    const RunFaultFields has(r.kind);
    f.NodeOr("NODE", r.node,
             has.link                          ? RUN_ANY_NODE
             : r.kind == RunFaultKind::RESTART ? RUN_SWITCHES
                                               : RUN_HOSTS,
             "all");
    f.If(has.link && r.node != RUN_NONE);
    f.Node("PEER", r.peer, RUN_ANY_NODE);
    f.Flag("ONEWAY", r.oneWay);
    f.If(true);
    f.Number("AT", r.at, 0, RUN_TIME_MAX);
    f.Maybe("FOR", r.lasts, 1, RUN_TIME_MAX);
    f.If(has.time);
    f.Number("TIME", r.time, 0, RUN_TIME_MAX);
    f.If(has.picks);
    f.Number("P", r.probability, 1, RUN_PPB);
    f.Number("BURST", r.burst, 1, 1000000);
    f.If(has.count);
    f.Number("COUNT", r.count, 0, 1000000);
    f.If(has.frames);
    f.Number("FRAMES", r.frames, 1, 255);
    f.If(has.rate);
    f.Number("RATE", r.rate, RUN_RATE_MIN, RUN_RATE_MAX);
    f.If(has.buffer);
    f.Number("BUFFER", r.buffer, 1, 1000000000000);
    f.If(has.forge);
    f.Number("QP", r.qp, 0, RUN_U32_MAX);
    f.Number("PSN", r.psn, 0, INT64_MAX);
    f.Number("PERIOD", r.period, 0, RUN_U32_MAX);
    f.If(has.cls);
    f.Number("CLASS", r.cls, 0, RUN_CLASS_MAX);
    f.If(true);
}

template <class Fields>
void
RunVisit(Fields& f, RunGuard& r)
{
    f.Word("DEADLOCK", r.stops, {"continue", "stop"});
    f.Maybe("STORM_AFTER", r.stormAfter, 1000, RUN_TIME_MAX);
    f.Word("STORM_ACTION", r.drops, {"report", "drop"});
    f.Flag("INVARIANTS", r.invariants);
}

template <class Fields>
void
RunVisit(Fields& f, RunCapture& r)
{
    f.NodeOrPlace("ID", r.port.node, r.place, {"watched", "receiver", "sender"});
    f.PortOr("PORT", r.port.node, r.port.port);
    f.Text("FILE", r.file);
}

template <class Fields>
void
RunVisitQlen(Fields& f, RunOutput& r)
{
    f.Text("FILE", r.file);
    f.Number("START", r.start, 0, INT64_MAX);
    f.Number("END", r.end, 0, INT64_MAX);
}

template <class Fields>
void
RunVisit(Fields& f, RunOutput& r)
{
    f.Text("FILE", r.file);
}

template <class Fields>
void
RunVisit(Fields& f, RunTraced& r)
{
    f.Node("ID", r.node, RUN_ANY_NODE);
}

} // namespace ns3

#endif /* RUN_FILE_FIELDS_H */
