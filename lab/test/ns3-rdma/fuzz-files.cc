/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes the readers of users' files. The program's name says which one: fuzz_config, fuzz_topology, ...; the input is
 * the file. A reader says in one line of printable text what is wrong, or its result fits what it promises.
 */
#include "lab-fault-file.h"
#include "lab-workload.h"

#include "ns3/lab-text.h"
#include "ns3/ns3-rdma-reader.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

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

/// The input as a file, which is in memory.
std::string
Store(const uint8_t* data, size_t size)
{
    static const int file = memfd_create("input", 0);
    const bool stored = ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size);
    REQUIRE(file >= 0 && stored, "");
    return "/proc/self/fd/" + std::to_string(file);
}

/// What a message about a file must be.
void
CheckMessage(const std::string& error, const std::string& path)
{
    for (char c : error)
    {
        REQUIRE(static_cast<unsigned char>(c) >= ' ', error);
    }
    REQUIRE(error.empty() || error.find(path) != std::string::npos, error);
    REQUIRE(error.size() < 5000, error);
}

/// Four hosts at two switches.
Ns3RdmaTopology
SmallTopology()
{
    Ns3RdmaTopology topology;
    topology.path = "topology.txt";
    topology.isSwitch = {false, false, false, false, true, true};
    const uint32_t ends[][2] = {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 5}};
    for (const auto& end : ends)
    {
        Ns3RdmaLink link;
        link.a = end[0];
        link.b = end[1];
        link.rate = 10000000000;
        link.delay = 1000;
        topology.links.push_back(link);
    }
    return topology;
}

std::string
ReadConfig(const std::string& path)
{
    Ns3RdmaConfig config;
    const std::string error = Ns3RdmaReader::ReadConfig(path, config);
    REQUIRE(!error.empty() || config.payload > 0, path);
    return error;
}

std::string
ReadTopology(const std::string& path)
{
    Ns3RdmaTopology topology;
    const std::string error = Ns3RdmaReader::ReadTopology(path, topology);
    for (size_t i = 0; error.empty() && i < topology.links.size(); i++)
    {
        const Ns3RdmaLink& l = topology.links[i];
        REQUIRE(l.a < topology.isSwitch.size() && l.b < topology.isSwitch.size() && l.a != l.b, path);
        REQUIRE(l.rate > 0 && l.delay >= 0 && l.error >= 0 && l.error <= 1, path);
    }
    return error;
}

std::string
ReadFlowsOf(const std::string& path, Ns3RdmaDialect dialect)
{
    static const Ns3RdmaTopology topology = SmallTopology();
    std::vector<Ns3RdmaFlow> flows;
    const std::string error = Ns3RdmaReader::ReadFlows(path, topology, dialect, 1000, flows);
    for (size_t i = 0; error.empty() && i < flows.size(); i++)
    {
        const Ns3RdmaFlow& f = flows[i];
        REQUIRE(f.src < 4 && f.dst < 4 && f.src != f.dst && f.pg < 8, path);
        REQUIRE(f.start >= 0 && f.start <= Ns3RdmaReader::TIME_MAX && f.bytes <= Ns3RdmaReader::FLOW_BYTES_MAX, path);
    }
    return error;
}

std::string
ReadFlows(const std::string& path)
{
    return ReadFlowsOf(path, Ns3RdmaDialect::HPCC);
}

/// Also that of TCP_FLOW_FILE.
std::string
ReadTcpFlows(const std::string& path)
{
    return ReadFlowsOf(path, Ns3RdmaDialect::ORIGINAL);
}

std::string
ReadTrace(const std::string& path)
{
    static const Ns3RdmaTopology topology = SmallTopology();
    std::vector<uint32_t> ids;
    std::vector<std::string> warnings;
    const std::string error = Ns3RdmaReader::ReadTrace(path, topology, ids, warnings);
    for (size_t i = 1; error.empty() && i < ids.size(); i++)
    {
        REQUIRE(ids[i - 1] < ids[i] && ids[i] < 6, path);
    }
    return error;
}

std::string
ReadChoices(const std::string& path)
{
    static const Ns3RdmaTopology topology = SmallTopology();
    std::vector<Ns3RdmaFlow> flows(3);
    for (uint32_t i = 0; i < flows.size(); i++)
    {
        flows[i].src = i;
        flows[i].dst = 3;
    }
    return Ns3RdmaReader::ReadChoices(path, topology, flows);
}

std::string
ReadNicParams(const std::string& path)
{
    Ns3RdmaParameters parameters;
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
    const std::string error = Ns3RdmaReader::ReadNicParams(path, parameters, notes, warnings);
    for (const auto& p : parameters)
    {
        const rcc_field& field = Ns3RdmaReader::FieldOf("dcqcn", p.first);
        REQUIRE(!error.empty() || (p.second >= field.min && p.second <= field.max), p.first);
    }
    return error;
}

std::string
ReadFaults(const std::string& path)
{
    std::vector<LabFault> faults;
    int64_t reroute = 0;
    const std::string error = LabReadFaults(path, faults, reroute);
    for (size_t i = 0; error.empty() && i < faults.size(); i++)
    {
        const LabFault& f = faults[i];
        REQUIRE(f.at >= 0 && f.lasts >= -1 && f.probability > 0 && f.probability <= 1 && f.burst >= 1, path);
        REQUIRE(f.frames != 0 && f.cls < 8 && f.time >= 0, path);
    }
    return error;
}

std::string
ReadSizes(const std::string& path)
{
    LabSizes sizes;
    const std::string error = sizes.Load(path);
    if (error.empty())
    {
        REQUIRE(!sizes.GetPoints().empty() && sizes.GetMeanBytes() >= 0, path);
        REQUIRE(sizes.Quantile(0) >= 1 && sizes.Quantile(UINT64_MAX) <= LabSizes::BYTES_MAX, path);
        REQUIRE(sizes.Quantile(UINT64_MAX / 3) <= sizes.Quantile(UINT64_MAX / 2), path);
    }
    return error;
}

using Reader = std::string (*)(const std::string& path);

const std::pair<const char*, Reader> READERS[] = {
    {"config", ReadConfig},        {"topology", ReadTopology}, {"flow", ReadFlows},
    {"tcp_flow", ReadTcpFlows},    {"trace", ReadTrace},       {"choices", ReadChoices},
    {"nic_params", ReadNicParams}, {"faults", ReadFaults},     {"sizes", ReadSizes},
};

Reader g_reader = ReadConfig;

} // namespace

extern "C" int
LLVMFuzzerInitialize(int*, char*** argv)
{
    const std::string name = (*argv)[0];
    for (const auto& reader : READERS)
    {
        const std::string end = std::string("fuzz_") + reader.first;
        if (name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0)
        {
            g_reader = reader.second;
        }
    }
    return 0;
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string path = Store(data, size);
    CheckMessage(g_reader(path), path);
    return 0;
}
