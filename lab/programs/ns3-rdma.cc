/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Runs the input files of ns3-rdma ("Congestion Control for Large-Scale RDMA
 * Deployments", SIGCOMM 2015) and of the simulator of "HPCC: High Precision
 * Congestion Control" (SIGCOMM 2019) as they are. lab/doc/ns3-rdma.md.
 */
#include "lab-front-rdma.h"
#include "ns3/core-module.h"
#include "ns3/lab-text.h"
#include "ns3/ns3-rdma-loss.h"
#include "ns3/ns3-rdma-reader.h"

#include <algorithm>
#include <map>
#include <set>

using namespace ns3;

namespace
{

/// By algorithm: what the command asks for in place of the keys that are its parameters.
using Asked = std::map<std::string, std::string>;

/// What the files say of the algorithms becomes the default of --cc, --preset and --set. A preset or a NIC that is
/// asked for is more than the keys. \return where that is so
Asked
MergeAlgorithm(LabOptions& options, Ns3RdmaConfig& c, const Ns3RdmaParameters& nic)
{
    // a CC_MODE that is not among our algorithms: what its keys set is of DCQCN still
    const std::string owner = c.cc.empty() ? "dcqcn" : c.cc;
    Asked asked;
    if (!options.IsSet("cc"))
    {
        options.SetDefault("cc", c.cc);
    }
    const std::string& cc = options.GetText("cc");
    if (options.IsSet("nic"))
    {
        asked["dcqcn"] = "--nic=" + options.GetText("nic");
    }
    if (cc == "dcqcn" && options.IsSet("nic-params") && !options.IsSet("preset"))
    {
        options.SetDefault("preset", "nic-default"); // as ./rcc has it
    }
    if (options.IsSet("preset"))
    {
        asked.insert({cc, cc + ":" + options.GetText("preset")});
    }
    for (const std::string& name : {cc, owner, std::string("dcqcn")}) // of --choices too
    {
        // of dcqcn keys may be set beside another CC_MODE: they belong to this simulator's DCQCN
        const std::string preset = name == owner ? c.preset : name == "dcqcn" && !c.dcqcn.empty() ? "hpcc" : "";
        if (name != cc)
        {
            options.SetDefaultPreset(name, asked.count(name) ? "" : preset);
        }
        else if (!asked.count(cc) && !preset.empty())
        {
            options.SetDefault("preset", preset);
        }
    }
    const std::pair<std::string, const Ns3RdmaParameters*> keys[] = {{"dcqcn", &c.dcqcn}, {owner, &c.parameters}};
    for (const auto& of : keys)
    {
        for (size_t i = 0; !asked.count(of.first) && i < of.second->size(); i++)
        {
            options.SetDefaultParameter(of.first, (*of.second)[i].first, (*of.second)[i].second);
        }
    }
    for (const auto& p : nic)
    {
        options.SetDefaultParameter("dcqcn", p.first, p.second);
    }
    const std::pair<std::string, Ns3RdmaRateMap*> maps[] = {{"kmin", &c.kmin}, {"kmax", &c.kmax}, {"pmax", &c.pmax}};
    for (const auto& m : maps)
    {
        if (options.IsSet(m.first) || options.GetText("set").find("." + m.first + "=") != std::string::npos)
        {
            m.second->clear();
        }
    }
    return asked;
}

/// Options that were not given are as the files say; those that were override the files.
void
Merge(LabOptions& options, Ns3RdmaInput& input)
{
    Ns3RdmaConfig& c = input.config;
    const struct
    {
        const char* option;
        const char* key;
        rcc_unit unit;
        int64_t value, least;
    } defaults[] = {{"time", "SIMULATOR_STOP_TIME", RCC_UNIT_NS, c.stop, 1000},
                    {"mtu", "PACKET_PAYLOAD_SIZE", RCC_UNIT_BYTES, c.payload, 1},
                    {"ack-every", "L2_ACK_INTERVAL", RCC_UNIT_COUNT, std::max<uint32_t>(c.ackInterval, 1), 1}};
    for (const auto& d : defaults)
    {
        if (options.IsSet(d.option))
        {
            continue;
        }
        const int64_t most = options.GetMost(d.option);
        if (d.key == std::string("SIMULATOR_STOP_TIME") && d.value > most) // until the flows are done
        {
            options.SetDefaultValue(d.option, most);
            continue;
        }
        if (d.value < d.least || d.value > most)
        {
            LabOptions::Fail(c.Wrong(d.key, RccFormat(d.unit, d.value),
                                     RccFormat(d.unit, d.least) + " to " + RccFormat(d.unit, most) + ", or --" +
                                         d.option + " in place of it"));
        }
        options.SetDefaultValue(d.option, d.value);
    }
    c.stop = options.Get("time");
    c.payload = options.Get<uint32_t>("mtu");
    c.ackInterval = options.Get<uint32_t>("ack-every");
    c.bufferSize = options.IsSet("buffer") ? options.Get<uint64_t>("buffer") : c.bufferSize;
    c.ackPriorityAtHosts = options.GetText("ack-priority") == "hosts";
    options.SetDefault("buffer", "9MB"); // the run wants one, the network has its own
    uint64_t rate = 0;
    int64_t delay = 0;
    for (const auto& l : input.topology.links)
    {
        if (!input.topology.isSwitch[l.a] || !input.topology.isSwitch[l.b])
        {
            rate = std::max(rate, l.rate);
            delay = std::max(delay, l.delay);
        }
    }
    if (rate)
    {
        options.SetDefaultValue("rate", static_cast<int64_t>(rate));
        options.SetDefaultValue("delay", delay);
    }
}

/// Settings of --nic-params, and "FILE:LINE: NAME" of each.
struct NicSettings
{
    Ns3RdmaParameters parameters;
    std::map<std::string, std::string> places;
};

/// The least rate of an algorithm is at most that of every host's link. \param keys whether it has those of the config
void
CheckLeastRate(const LabOptions& options, const Ns3RdmaInput& input, const NicSettings& nic, const std::string& cc,
               bool keys)
{
    const Ns3RdmaTopology& topology = input.topology;
    const Ns3RdmaLink* slowest = nullptr;
    for (const auto& l : topology.links)
    {
        const bool host = !topology.isSwitch[l.a] || !topology.isSwitch[l.b];
        slowest = host && (!slowest || l.rate < slowest->rate) ? &l : slowest;
    }
    const std::string other = cc == options.GetText("cc") ? "" : cc;
    const std::string why = slowest ? options.CreateAlgorithm(other)->Check(slowest->rate) : "";
    if (why.empty())
    {
        return;
    }
    const Ns3RdmaConfig& c = input.config;
    const bool dcqcn = cc == "dcqcn";
    std::string place = c.lines.count("MIN_RATE") ? c.At("MIN_RATE", "MIN_RATE") : "";
    int64_t least = -1; // of a file
    for (const auto& p : cc == c.cc || (dcqcn && c.cc.empty()) ? c.parameters : c.dcqcn)
    {
        least = keys && p.first == "r_min" && (cc == c.cc || dcqcn) ? p.second : least;
    }
    if (dcqcn && nic.places.count("r_min"))
    {
        const auto isLeast = [](const Ns3RdmaParameters::value_type& p) { return p.first == "r_min"; };
        least = std::find_if(nic.parameters.begin(), nic.parameters.end(), isLeast)->second;
        place = nic.places.at("r_min");
    }
    const std::string link = "a host's link at " + topology.path + ":" + std::to_string(slowest->line);
    const auto rate = static_cast<int64_t>(slowest->rate);
    if (least > rate && !place.empty() && options.GetText("set").find("r_min=") == std::string::npos)
    {
        LabOptions::Fail(LabFound(place, RccFormat(RCC_UNIT_BPS, least),
                                  "at most " + RccFormat(RCC_UNIT_BPS, rate) + ", the rate of " + link));
    }
    LabOptions::Fail(why + ", of " + link);
}

/// Reads all files as the options say.
void
Read(LabOptions& options, Ns3RdmaInput& input)
{
    Ns3RdmaDialect dialect = Ns3RdmaDialect::HPCC;
    Ns3RdmaOverrides over;
    if (options.IsSet("dialect"))
    {
        LabOptions::FailIf(Ns3RdmaReader::ParseDialect(options.GetText("dialect"), dialect));
        over.dialect = &dialect;
    }
    over.topology = options.GetText("topology");
    over.flows = options.GetText("flows");
    over.thresholds = options.IsSet("kmin") && options.IsSet("kmax") && options.IsSet("pmax");
    over.stop = options.IsSet("time") ? options.Get("time") : -1;
    const std::pair<const char*, const char*> overridden[] = {
        {"time", "SIMULATOR_STOP_TIME"}, {"ack-every", "L2_ACK_INTERVAL"}, {"buffer", "BUFFER_SIZE"}};
    for (const auto& o : overridden)
    {
        if (options.IsSet(o.first))
        {
            over.keys.insert(o.second);
        }
    }
    LabOptions::FailIf(Ns3RdmaReader::ReadAll(options.GetText("config"), input, over));
    LabOptions::FailIf(Ns3RdmaReader::CheckOutputNames(
        input.config, {"run.json", "queue.csv", "rate.csv", "flow_rates.csv", "flows.csv", "utilization.csv"}));
    if (options.IsSet("choices"))
    {
        LabOptions::FailIf(Ns3RdmaReader::ReadChoices(options.GetText("choices"), input.topology, input.flows));
    }
    Ns3RdmaConfig& c = input.config;
    NicSettings nic;
    if (options.IsSet("nic-params"))
    {
        LabOptions::FailIf(Ns3RdmaReader::ReadNicParams(options.GetText("nic-params"), nic.parameters, c.notes,
                                                        c.warnings, nullptr, &nic.places));
    }
    if (input.flows.empty())
    {
        LabOptions::Fail(c.flowFile + ": found no flow, expected at least one");
    }
    const Asked asked = MergeAlgorithm(options, c, nic.parameters);
    Merge(options, input);
    if (options.GetText("cc").empty())
    {
        std::string notes;
        for (const auto& n : c.notes)
        {
            notes += n.find("CC_MODE: ") == std::string::npos ? "" : n + "; ";
        }
        LabOptions::Fail(notes + "expected --cc=NAME");
    }
    std::set<std::string> algorithms;
    for (const auto& f : input.flows)
    {
        algorithms.insert(f.cc.empty() ? options.GetText("cc") : f.cc);
    }
    if (algorithms.count("timely") && !c.uneven.empty()) // --set may have other steps
    {
        const auto timely = options.CreateAlgorithm(options.GetText("cc") == "timely" ? "" : "timely");
        const auto other = [&](const Ns3RdmaParameters::value_type& p) {
            return p.first != "r_min" && timely->GetParameter(p.first) != p.second;
        };
        c.uneven = std::any_of(c.parameters.begin(), c.parameters.end(), other) ? "" : c.uneven;
    }
    Ns3RdmaReader::NoteKeys(c, algorithms, asked);
    algorithms.insert(options.GetText("cc"));
    for (const auto& cc : algorithms)
    {
        CheckLeastRate(options, input, nic, cc, !asked.count(cc));
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string written = LabFront::TakeWriteRun(&argc, argv);
    LabOptions options;
    options.AddTable("ns3-rdma");
    options.AddHidden({"rate", "delay"}); // of the topology's links
    options.Parse(argc, argv, "Runs the input files of ns3-rdma and of the HPCC simulator.");

    Ns3RdmaInput input;
    Read(options, input);
    LabFront front(options);
    LabFrontRdma rdma(front, options, input);
    rdma.Read();
    return written.empty() ? rdma.Run() : front.Write(written);
}
