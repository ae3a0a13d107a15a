/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-front.h"

#include "lab-fault-file.h"
#include "lab-nic.h"
#include "lab-program.h"
#include "lab-sentences.h"
#include "lab-setup.h"
#include "run-file-fields.h"
#include "run-file-writer.h"

#include "ns3/lab-fault.h"
#include "ns3/lab-text.h"
#include "ns3/rcc-gateway.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <set>

namespace ns3
{

RunAlgorithm
LabFront::RecordOf(const RccAlgorithm& algorithm)
{
    RunAlgorithm record;
    record.name = algorithm.GetCore()->name;
    for (size_t i = 0; i < algorithm.GetCore()->n_fields; i++)
    {
        record.fields.emplace_back(algorithm.GetCore()->fields[i].name, algorithm.GetIndex(i));
    }
    return record;
}

void
LabFront::AddDefault(const std::string& type, const std::string& attribute, const std::string& value)
{
    RunDefault one;
    one.type = "ns3::" + type;
    one.attribute = attribute;
    one.value = value;
    file.defaults.push_back(one);
}

void
LabFront::ReadRun()
{
    const LabOptions& o = m_options;
    const Ptr<RccAlgorithm> algorithm = o.CreateAlgorithm();
    file.seed = o.Get<uint64_t>("seed");
    file.rate = o.Get<uint64_t>("rate");
    file.time = o.Get("time");
    const std::string why = algorithm->Check(file.rate);
    LabOptions::FailIf(why.empty() ? why : why + " (--rate=" + RccFormat(RCC_UNIT_BPS, o.Get("rate")) + ")");
    ReadWindow();
    o.FailValueIf(o.IsSet("interval") && o.Get("interval") > file.time, "interval",
                  "at most --time, '" + o.GetText("time") + "'");
    file.interval = o.IsSet("interval") ? o.Get("interval") : RUN_UNSET;
    file.algorithms.push_back(RecordOf(*algorithm));
    file.recorded.portLog = o.GetFlag("port-log");
    ReadFaults();
    ReadGuard();
    ReadWords();
}

void
LabFront::ReadTimeouts()
{
    const LabOptions& o = m_options;
    if (o.IsSet("rto"))
    {
        AddDefault("RdmaNic", "RetransmissionTimeout", std::to_string(o.Get("rto")) + "ns");
    }
    if (o.IsSet("retry-limit"))
    {
        AddDefault("RdmaNic", "RetransmissionBackoff", "true");
        AddDefault("RdmaNic", "RetryLimit", std::to_string(o.Get("retry-limit")));
    }
}

void
LabFront::ReadNic()
{
    if (m_options.IsSet("nic"))
    {
        const LabNic& nic = LabNic::Find(m_options.GetText("nic"));
        AddDefault("RdmaNic", "CnpPerDestination", nic.cnpPerDestination ? "true" : "false");
        AddDefault("RdmaNic", "NakGenerationDelay", std::to_string(nic.nakGeneration) + "ns");
        AddDefault("RdmaNic", "NakReactionDelay", std::to_string(nic.nakReaction) + "ns");
    }
}

void
LabFront::ReadWindow()
{
    const std::string& text = m_options.GetText("window");
    const size_t dash = text.find('-');
    if (text.empty())
    {
        return;
    }
    const bool isWindow = dash != std::string::npos &&
                          RccParse(RCC_UNIT_NS, text.substr(0, dash), &file.windowFrom).empty() &&
                          RccParse(RCC_UNIT_NS, text.substr(dash + 1), &file.windowTo).empty();
    m_options.FailValueIf(!isWindow, "window", "FROM-TO such as 50ms-100ms");
    m_options.FailValueIf(file.windowFrom >= file.windowTo || file.windowTo > file.time, "window",
                          "FROM before TO and TO at most --time, '" + m_options.GetText("time") + "'");
}

void
LabFront::ReadGuard()
{
    RunGuard& guard = file.guard;
    guard.drops = m_options.GetText("storm-action") == "drop";
    guard.stops = m_options.GetText("deadlock") == "stop" && !guard.drops; // what is dropped makes room
    guard.stormAfter = m_options.IsSet("storm-after") ? m_options.Get("storm-after") : RUN_UNSET;
    guard.invariants = m_options.GetFlag("check-invariants");
    m_options.FailValueIf(guard.drops && guard.stormAfter <= 0, "storm-action", "--storm-after with it");
}

void
LabFront::ReadFaults()
{
    const std::string& path = m_options.GetText("faults");
    if (path.empty())
    {
        return;
    }
    std::vector<LabFault> faults;
    int64_t reroute = INT64_MAX; // not said
    LabOptions::FailIf(LabReadFaults(path, faults, reroute));
    file.reroute = reroute == INT64_MAX ? RUN_UNSET : reroute;
    file.reroutes = reroute >= 0;
    words.faults = path;
    for (const auto& f : faults)
    {
        RunFault r;
        r.record = f.line;
        r.kind = static_cast<uint8_t>(f.kind);
        r.node = f.node;
        r.peer = f.peer;
        r.oneWay = f.oneWay;
        r.at = f.at;
        r.lasts = f.lasts;
        r.time = f.time;
        r.probability = static_cast<uint32_t>(std::llround(f.probability * RCC_RATIO_ONE));
        r.burst = f.burst;
        r.count = static_cast<uint32_t>(f.count);
        r.frames = f.frames;
        r.rate = f.rate;
        r.buffer = f.bytes;
        r.qp = f.qp;
        r.psn = f.psn;
        r.period = f.period;
        r.cls = f.cls;
        file.faults.push_back(r);
    }
}

void
LabFront::ReadWords()
{
    const LabOptions& o = m_options;
    const std::string& nic = o.GetText("nic");
    const bool shipped = !nic.empty() && file.algorithms[0].name == "dcqcn";
    std::string why;
    const char* const first = RccAlgorithm::TryCreate(file.algorithms[0].name, "", &why)->GetCore()->presets[0].name;
    words.preset = o.IsSet("preset") ? o.GetText("preset") : shipped ? LabNic::Find(nic).preset : first;
    words.timeout = o.IsSet("rto");
    words.sentence = [faults = words.faults](const RunWarning& warning) {
        LabWords own;
        own.faults = faults;
        return LabSentenceOf(own, warning);
    };
    for (const auto& item : o.GetAttributes().GetItems())
    {
        words.attributes.emplace_back(item.GetShort(), item.value);
    }
    words.experiment = o.AcceptsFile() ? o.GetFileText() : "";
    asked.folder = o.GetText("out");
    asked.check = o.GetFlag("check");
    asked.ranks = o.Get<uint32_t>("ranks");
    asked.progress = o.GetFlag("progress");
    asked.build = o.Has("print") && o.GetFlag("print");
}

void
LabFront::ReadAttributes()
{
    for (const LabAttributes* some : {&m_options.GetBase(), &m_options.GetAttributes()})
    {
        for (const auto& item : some->GetItems())
        {
            if (item.option.empty())
            {
                AddDefault(item.tid.GetName().substr(std::strlen("ns3::")), item.name, item.value);
            }
        }
    }
}

void
LabFront::ReadCaptures()
{
    const LabOptions& o = m_options;
    const bool wanted = o.GetFlag("pcap") || o.IsSet("capture");
    o.FailValueIf(!wanted && o.IsGiven("snaplen"), "snaplen", "--pcap or --capture with it");
    if (!wanted)
    {
        return;
    }
    if (o.GetText("out").empty())
    {
        LabOptions::Fail(std::string(o.GetFlag("pcap") ? "--pcap" : "--capture") + " needs --out");
    }
    file.snaplen = o.Get<uint32_t>("snaplen");
    RunCapture one;
    for (const char* name : {"switch-port", "receiver", "sender-0"})
    {
        one.place = static_cast<RunCapturePlace>(static_cast<int>(one.place) + 1);
        one.file = name;
        file.captures.push_back(one);
    }
    if (!o.IsSet("capture"))
    {
        return;
    }
    file.captures.clear();
    const LabFrontPorts ports(file);
    std::set<std::pair<uint32_t, uint32_t>> seen;
    one.place = RunCapturePlace::PORT;
    for (const std::string& word : o.GetList("capture"))
    {
        const std::vector<std::string> part = LabSplit(word, ':'); // NODE, or NODE and PORT
        uint64_t node = 0;
        uint64_t port = 0;
        const bool place = !part.empty() && part.size() <= 2 && RccParseDecimal(part.front(), 0, UINT32_MAX, &node) &&
                           RccParseDecimal(part.back(), 0, UINT32_MAX, &port);
        const bool hosts = word == "all" || word == "hosts";
        const bool switches = word == "all" || word == "switches";
        LabOptions::FailItemIf(!hosts && !switches && !place, "capture", word,
                               "all, hosts, switches, NODE or NODE:PORT");
        bool found = false;
        for (uint32_t n = 0; n < file.nodes.size(); n++)
        {
            const bool host = file.nodes[n].kind == RunNodeKind::HOST;
            for (uint32_t p = 0; p < ports.CountPorts(n); p++)
            {
                const bool named =
                    hosts || switches ? (host ? hosts : switches) : n == node && (part.size() == 1 || p == port);
                found = found || named;
                if (named && seen.emplace(n, p).second) // a port has one tap
                {
                    one.port = RunPort{n, p};
                    one.file = "node-" + std::to_string(n) + "-port-" + std::to_string(p);
                    file.captures.push_back(one);
                }
            }
        }
        if (!found)
        {
            LabOptions::Fail("--capture has '" + word + "', but there is no such port: nodes are 0 to " +
                             std::to_string(file.nodes.size() - 1));
        }
    }
}

// ---------------------------------------------------------------- what is wrong

/// End all ranks with status 2.
void
LabFront::FailRanks(const RunError& error) const
{
    const std::string& n = error.expected.front();
    std::string why = error.found;
    if (error.code == "whole-run")
    {
        const std::string found = why == "phase"  ? "a port whose rate changes"
                                  : why == "cioq" ? "a switch of --cioq"
                                                  : "the scenario " + file.name + ", which has results of its own";
        why = "--ranks=" + n + ": found " + found + ", expected a run that ranks can share (lab/doc/scale.md, Limits)";
    }
    else if (error.code == "one-rank")
    {
        const std::string name = why == "fault"      ? "--faults"
                                 : why == "guard"    ? "--storm-after"
                                 : why == "port-log" ? "--perfetto"
                                                     : why;
        why = name + " needs one rank, found --ranks=" + n;
    }
    RccGateway* const ranks = RccGateway::Current();
    if (!ranks)
    {
        LabOptions::Fail(why);
    }
    if (RccGateway::IsFirst())
    {
        std::cerr << "rcc: error: " << why << std::endl;
    }
    uint64_t none = 0;
    ranks->Sum(&none, 1); // it is said before a rank ends, and MPI ends the others
    std::exit(2);
}

void
LabFront::Fail(const RunError& error) const
{
    if (error.field == "ranks")
    {
        FailRanks(error);
    }
    if (error.code == "fault")
    {
        LabOptions::Fail(LabAt(words.faults, error.record, error.found));
    }
    if (error.code == "path")
    {
        LabOptions::Fail("links: " + error.found + ", expected a path between any two hosts");
    }
    if (error.code == "bucket")
    {
        const bool given = m_options.GetAttributes().Find("RdmaNic.BucketSize");
        const std::string found =
            given ? "--attr has 'RdmaNic.BucketSize=" + error.found + "'" : "RdmaNic.BucketSize is " + error.found;
        LabOptions::Fail(found + ", expected 0 or at least a frame of " + error.expected.front() +
                         " bytes, or RdmaNic.BucketDebt=true");
    }
    if (error.code == "arrivals")
    {
        LabOptions::Fail("--time is '" + m_options.GetText("time") + "', in which " +
                         (error.found == "0" ? "no flow arrives" : "more than 10 million flows arrive"));
    }
    LabOptions::Fail(error.code == "text" || error.code == "algorithm" || error.code == "start"
                         ? error.found
                         : error.Line("run file"));
}

// ---------------------------------------------------------------- running

std::string
LabFront::TakeWriteRun(int* argc, char* argv[])
{
    const std::string name = "--write-run=";
    const auto found = std::find_if(argv, argv + *argc, [&name](const char* word) {
        return name.compare(0, name.size(), word, std::min(name.size(), std::strlen(word))) == 0;
    });
    if (found == argv + *argc)
    {
        return "";
    }
    const std::string path = std::string(*found).substr(name.size());
    std::copy(found + 1, argv + *argc + 1, found); // with the null pointer behind the words
    (*argc)--;
    return path;
}

int
LabFront::Write(const std::string& path) const
{
    std::string why;
    const LabFile out = LabCreateFile(path, &why);
    LabOptions::FailIf(why);
    const std::string text = RunWriteText(file);
    std::fwrite(text.data(), 1, text.size(), out.get());
    return 0;
}

int
LabFront::Run()
{
    try
    {
        return LabRunFile(file, asked, words);
    }
    catch (const RunError& error)
    {
        Fail(error);
    }
}

int
LabRunExperiment(int argc, char* argv[])
{
    const std::string written = LabFront::TakeWriteRun(&argc, argv);
    LabOptions options;
    options.AddTable("experiment");
    options.AcceptFile();
    options.Parse(argc, argv, "A network and flows between its hosts.");
    if (!RccGateway::Current())
    {
        Simulator::Run(); // of nothing: before its first run ns-3 keeps a list of all times, in which it looks up each
    }
    LabFront front(options);
    front.ReadRun();
    front.ReadExperiment(LabExperiment::Read(options));
    if (!written.empty())
    {
        return front.Write(written);
    }
    const int status = front.Run();
    if (options.GetFlag("print"))
    {
        std::fputs(options.GetFileText().c_str(), stdout);
        return std::fflush(stdout) == 0 ? 0 : 1;
    }
    return status;
}

} // namespace ns3
