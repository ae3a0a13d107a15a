/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A configuration with all the files it names, and what must hold between them. */
#include "ns3-rdma-reader.h"
#include "ns3/lab-text.h"

#include "ns3/rcc-disjoint-sets.h"
#include "ns3/rcc-units.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3
{

namespace
{

/// The parts of a network within which every host reaches every other: hosts do not forward.
class Parts
{
  public:
    explicit Parts(const Ns3RdmaTopology& topology) : m_partsOf(topology.isSwitch.size())
    {
        const auto& isSwitch = topology.isSwitch;
        RccDisjointSets switches(isSwitch.size());
        for (const auto& l : topology.links)
        {
            if (isSwitch[l.a] && isSwitch[l.b])
            {
                switches.Join(l.a, l.b);
            }
        }
        auto linkPart = static_cast<uint32_t>(isSwitch.size()); // a link of two hosts is a part of its own
        for (const auto& l : topology.links)
        {
            const uint32_t part = isSwitch[l.a] ? switches.Find(l.a) : isSwitch[l.b] ? switches.Find(l.b) : linkPart++;
            m_partsOf[l.a].push_back(part);
            m_partsOf[l.b].push_back(part);
        }
        for (auto& parts : m_partsOf)
        {
            std::sort(parts.begin(), parts.end());
            parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        }
    }

    /// \return whether a host has no link
    bool IsAlone(uint32_t host) const
    {
        return m_partsOf[host].empty();
    }

    /// \return whether two hosts are in one part
    bool Joined(uint32_t a, uint32_t b) const
    {
        std::vector<uint32_t> both;
        std::set_intersection(m_partsOf[a].begin(), m_partsOf[a].end(), m_partsOf[b].begin(), m_partsOf[b].end(),
                              std::back_inserter(both));
        return !both.empty();
    }

  private:
    std::vector<std::vector<uint32_t>> m_partsOf; //!< ascending
};

/// Finds a file that the configuration names, see ReadAll.
std::string
FindFile(const Ns3RdmaConfig& config, const std::string& key, const std::string& path)
{
    auto fail = [&](const std::string& found, const std::string& expected) {
        throw LabFileError(config.Wrong(key, found, expected));
    };
    if (path.empty())
    {
        fail("no such key", "it with a file's name");
    }
    const std::string folder = config.path.substr(0, config.path.rfind('/') + 1); // npos + 1 is 0
    std::vector<std::string> tried;
    for (const auto& candidate :
         {path, path[0] == '/' ? path : folder + path, folder + path.substr(path.rfind('/') + 1)})
    {
        struct stat info;
        if (stat(candidate.c_str(), &info) == 0)
        {
            return candidate;
        }
        if (std::find(tried.begin(), tried.end(), LabShownPath(candidate)) == tried.end())
        {
            tried.push_back(LabShownPath(candidate));
        }
    }
    fail("no such file", "it to be one of " + RccJoin(tried, ", "));
    return "";
}

/// The same, and what it is must be a file that can be read.
std::string
FindRegularFile(const Ns3RdmaConfig& config, const std::string& key, const std::string& path)
{
    const std::string found = FindFile(config, key, path);
    struct stat info;
    if (stat(found.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    {
        throw LabFileError(
            config.Wrong(key, LabShownPath(found) + ", " + LabKindOfFile(info.st_mode), "a regular file"));
    }
    if (access(found.c_str(), R_OK) != 0)
    {
        throw LabFileError(config.Wrong(key, LabShownPath(found) + ": " + std::strerror(errno), "a file to read"));
    }
    return found;
}

/// A trace has 8 bits for an interface.
void
WarnOfInterfaces(Ns3RdmaInput& input)
{
    std::vector<uint32_t> interfaces(input.topology.isSwitch.size());
    for (const auto& l : input.topology.links)
    {
        interfaces[l.a]++;
        interfaces[l.b]++;
    }
    for (uint32_t id : input.traced)
    {
        if (interfaces[id] > UINT8_MAX)
        {
            input.config.warnings.push_back(input.config.Wrong(
                "TRACE_FILE", "node " + std::to_string(id) + " with " + std::to_string(interfaces[id]) + " interfaces",
                "at most 255: 256 is 0 in the trace, 257 is 1"));
        }
    }
}

/// Those simulators trace no node if the file is missing or empty.
void
ReadTraceIfThere(Ns3RdmaInput& input)
{
    Ns3RdmaConfig& c = input.config;
    std::string wrong = LabErrorOf([&] { c.traceFile = FindFile(c, "TRACE_FILE", c.traceFile); });
    if (wrong.empty())
    {
        c.traceFile = FindRegularFile(c, "TRACE_FILE", c.traceFile);
        LabTextFile file(c.traceFile, "a file of node ids", 1 << 30);
        std::vector<std::string> words;
        wrong = file.NextWords(&words) ? "" : c.traceFile + " is empty";
    }
    if (wrong.empty())
    {
        LabThrowIf(Ns3RdmaReader::ReadTrace(c.traceFile, input.topology, input.traced, c.warnings));
        WarnOfInterfaces(input);
        return;
    }
    c.notes.push_back(wrong + ": no node is traced");
    c.traceFile.clear();
}

void
CheckLinkDown(const Ns3RdmaConfig& c, const Ns3RdmaTopology& topology)
{
    const bool exists = std::any_of(topology.links.begin(), topology.links.end(), [&](const Ns3RdmaLink& l) {
        return std::minmax(l.a, l.b) == std::minmax(c.linkDownA, c.linkDownB);
    });
    if (c.linkDown && !exists)
    {
        const std::string nodes = "nodes " + std::to_string(c.linkDownA) + " and " + std::to_string(c.linkDownB);
        throw LabFileError(c.Wrong("LINK_DOWN", nodes, "two that a link of " + topology.path + " joins"));
    }
}

/// Keys of one node are of hosts.
void
CheckNodeKeys(const Ns3RdmaConfig& c, const Ns3RdmaTopology& topology)
{
    auto check = [&](const char* key, uint32_t node) {
        if (node >= topology.isSwitch.size() || topology.isSwitch[node])
        {
            const std::string id = std::to_string(node);
            throw LabFileError(c.Wrong(std::string(key) + " " + id, "node " + id, "a host of " + topology.path));
        }
    };
    const std::pair<const char*, const Ns3RdmaNodeMap*> keys[] = {{"RX_PULL_RATE_NODE", &c.pullRateOf},
                                                                  {"RX_PULL_MODE_NODE", &c.pullsOf},
                                                                  {"RX_BUFFER_SIZE_NODE", &c.rxBufferOf},
                                                                  {"RX_BUFFER_PER_QUEUE_NODE", &c.rxBufferOfClassOf}};
    for (const auto& key : keys)
    {
        for (const auto& node : *key.second)
        {
            check(key.first, node.first);
        }
    }
    for (const auto& node : c.pullSchedule)
    {
        check("RX_PULL_RATE_SCHEDULE", node.first);
    }
}

} // namespace

std::string
Ns3RdmaConfig::At(const std::string& key, const std::string& message) const
{
    return LabAt(path, LineOf(key), message);
}

std::string
Ns3RdmaConfig::Wrong(const std::string& key, const std::string& found, const std::string& expected) const
{
    return At(key, LabFound(key, found, expected));
}

std::vector<size_t>
Ns3RdmaOrderOfStarts(const std::vector<Ns3RdmaFlow>& flows)
{
    std::vector<size_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return flows[a].start < flows[b].start; });
    return order;
}

std::string
Ns3RdmaReader::CheckReachable(const Ns3RdmaTopology& topology, const std::vector<Ns3RdmaFlow>& flows,
                              const std::string& path)
{
    const Parts parts(topology);
    for (size_t i = 0; i < flows.size(); i++)
    {
        const Ns3RdmaFlow& f = flows[i];
        if (parts.Joined(f.src, f.dst))
        {
            continue;
        }
        const std::string src = std::to_string(f.src);
        const std::string dst = std::to_string(f.dst);
        const std::string found = parts.IsAlone(f.src)   ? "host " + src + " without a link"
                                  : parts.IsAlone(f.dst) ? "host " + dst + " without a link"
                                                         : "no path from " + src + " to " + dst;
        const std::string what = "flow " + std::to_string(i + 1) + " (src " + src + ", dst " + dst + ")";
        const std::string hint = found[0] == 'h' ? ""
                                                 : "; hosts do not forward: write a GPU that does as a switch with "
                                                   "a host behind it";
        return LabAt(path, f.line, LabFound(what, found, "one through the switches of " + topology.path + hint));
    }
    return "";
}

std::string
Ns3RdmaReader::CheckThresholds(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    const auto maps = config.GetRateMaps();
    uint64_t last = 0; // most links have the rate of the one before
    for (const auto& l : topology.links)
    {
        if (!config.ecn || l.rate == last || (!topology.isSwitch[l.a] && !topology.isSwitch[l.b]))
        {
            continue;
        }
        last = l.rate;
        const std::string rate = RccFormat(RCC_UNIT_BPS, static_cast<int64_t>(l.rate));
        for (const auto& m : maps)
        {
            if (!m.map->empty() && !Ns3RdmaFindRate(*m.map, l.rate))
            {
                const std::string link = topology.path + ":" + std::to_string(l.line);
                return config.Wrong(m.key, "no entry for " + rate, "one: " + link + " has such a link at a switch");
            }
        }
        const int64_t* kmin = Ns3RdmaFindRate(config.kmin, l.rate);
        const int64_t* kmax = Ns3RdmaFindRate(config.kmax, l.rate);
        if (kmin && kmax && *kmin > *kmax)
        {
            return config.Wrong("KMIN_MAP", RccFormat(RCC_UNIT_BYTES, *kmin) + " for " + rate,
                                "at most what KMAX_MAP has, " + RccFormat(RCC_UNIT_BYTES, *kmax));
        }
    }
    return "";
}

std::string
Ns3RdmaReader::CheckOutputNames(const Ns3RdmaConfig& config, const std::set<std::string>& others, bool oneFolder)
{
    const struct
    {
        const char* key;
        const std::string& path;
    } files[] = {{"FCT_OUTPUT_FILE", config.fctOutput},
                 {"PFC_OUTPUT_FILE", config.pfcOutput},
                 {"QLEN_MON_FILE", config.qlenOutput},
                 {"TRACE_OUTPUT_FILE", config.traceOutput}};
    std::map<std::string, std::string> taken; // name and whose it is
    for (const auto& name : others)
    {
        taken[name] = "a file of the run itself";
    }
    for (const auto& f : files)
    {
        const std::string name = f.path.substr(f.path.rfind('/') + 1); // npos + 1 is 0
        if (f.path.empty())
        {
            continue;
        }
        if (name.empty() || name == "." || name == "..")
        {
            return config.Wrong(f.key, "'" + f.path + "'", "the name of a file");
        }
        const auto known = taken.emplace(oneFolder ? name : f.path, f.key);
        if (!known.second)
        {
            return config.Wrong(f.key, "'" + f.path + "', the name of " + known.first->second, "another one");
        }
    }
    return "";
}

std::string
Ns3RdmaReader::ReadAll(const std::string& path, Ns3RdmaInput& input, const Ns3RdmaOverrides& over)
{
    input = Ns3RdmaInput();
    Ns3RdmaConfig& c = input.config;
    const Ns3RdmaTopology& topology = input.topology;
    return LabErrorOf([&] {
        LabThrowIf(ReadConfig(path, c, over.dialect, over.keys));
        c.stop = over.stop < 0 ? c.stop : over.stop;
        // what the user names is where the user says
        c.topologyFile = over.topology.empty() ? FindRegularFile(c, "TOPOLOGY_FILE", c.topologyFile) : over.topology;
        LabThrowIf(ReadTopology(c.topologyFile, input.topology));
        LabThrowIf(over.thresholds ? "" : CheckThresholds(c, topology));
        CheckLinkDown(c, topology);
        CheckNodeKeys(c, topology);
        c.flowFile = over.flows.empty() ? FindRegularFile(c, "FLOW_FILE", c.flowFile) : over.flows;
        LabThrowIf(ReadFlows(c.flowFile, topology, c.dialect, c.payload, input.flows));
        LabThrowIf(CheckReachable(topology, input.flows, c.flowFile));
        if (!c.tcpFlowFile.empty())
        {
            c.tcpFlowFile = FindRegularFile(c, "TCP_FLOW_FILE", c.tcpFlowFile);
            LabThrowIf(ReadFlows(c.tcpFlowFile, topology, Ns3RdmaDialect::ORIGINAL, c.payload, input.tcpFlows));
            LabThrowIf(CheckReachable(topology, input.tcpFlows, c.tcpFlowFile));
        }
        if (!c.traceFile.empty() && c.enableTrace)
        {
            ReadTraceIfThere(input);
        }
        const auto late = std::count_if(input.flows.begin(), input.flows.end(),
                                        [&](const Ns3RdmaFlow& f) { return f.start >= c.stop; });
        if (late > 0)
        {
            c.warnings.push_back(
                c.flowFile + ": " + std::to_string(late) + " of " + LabPlural(input.flows.size(), "flow") +
                (late > 1 ? " begin after " : " begins after ") +
                (over.stop < 0 ? "SIMULATOR_STOP_TIME, " : "the end of the run, ") + RccFormat(RCC_UNIT_NS, c.stop));
        }
    });
}

} // namespace ns3
