/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A configuration with all the files it names, and what must hold between them. */
#include "ns3-rdma-reader.h"
#include "rcc-text.h"

#include "ns3/rcc-units.h"

#include <algorithm>
#include <numeric>
#include <sys/stat.h>

namespace ns3
{

namespace
{

/// The parts of a network within which every host reaches every other: hosts do not forward.
class Parts
{
  public:
    explicit Parts(const Ns3RdmaTopology& topology) : m_parent(topology.isSwitch.size()), m_partsOf(m_parent.size())
    {
        const auto& isSwitch = topology.isSwitch;
        std::iota(m_parent.begin(), m_parent.end(), 0);
        for (const auto& l : topology.links)
        {
            if (isSwitch[l.a] && isSwitch[l.b])
            {
                m_parent[Root(l.a)] = Root(l.b);
            }
        }
        auto linkPart = static_cast<uint32_t>(m_parent.size()); // a link of two hosts is a part of its own
        for (const auto& l : topology.links)
        {
            const uint32_t part = isSwitch[l.a] ? Root(l.a) : isSwitch[l.b] ? Root(l.b) : linkPart++;
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
        auto x = m_partsOf[a].begin();
        auto y = m_partsOf[b].begin();
        while (x != m_partsOf[a].end() && y != m_partsOf[b].end() && *x != *y)
        {
            ++(*x < *y ? x : y);
        }
        return x != m_partsOf[a].end() && y != m_partsOf[b].end();
    }

  private:
    /// The switch that stands for the part of a switch.
    uint32_t Root(uint32_t i)
    {
        while (m_parent[i] != i)
        {
            m_parent[i] = m_parent[m_parent[i]];
            i = m_parent[i];
        }
        return i;
    }

    std::vector<uint32_t> m_parent;
    std::vector<std::vector<uint32_t>> m_partsOf; //!< ascending
};

bool
Exists(const std::string& path)
{
    struct stat info;
    return stat(path.c_str(), &info) == 0;
}

/// Finds a file that the configuration names, see ReadAll. \return empty, or what is wrong
std::string
FindFile(const Ns3RdmaConfig& config, const std::string& key, std::string& path)
{
    const uint32_t line = config.LineOf(key);
    if (path.empty())
    {
        return RccAt(config.path, line, RccFound(key, "no such key", "it with a file's name"));
    }
    const std::string folder = config.path.substr(0, config.path.rfind('/') + 1); // npos + 1 is 0
    std::vector<std::string> candidates{path};
    if (path[0] != '/')
    {
        candidates.push_back(folder + path);
    }
    candidates.push_back(folder + path.substr(path.rfind('/') + 1));
    std::vector<std::string> tried;
    for (const auto& c : candidates)
    {
        if (Exists(c))
        {
            path = c;
            return "";
        }
        if (std::find(tried.begin(), tried.end(), RccShownPath(c)) == tried.end())
        {
            tried.push_back(RccShownPath(c));
        }
    }
    return RccAt(config.path, line, RccFound(key, "no such file", "it to be one of " + RccJoin(tried, ", ")));
}

std::string
CheckLinkDown(const Ns3RdmaConfig& c, const Ns3RdmaTopology& topology)
{
    if (!c.linkDown || std::any_of(topology.links.begin(), topology.links.end(), [&](const Ns3RdmaLink& l) {
            return (l.a == c.linkDownA && l.b == c.linkDownB) || (l.a == c.linkDownB && l.b == c.linkDownA);
        }))
    {
        return "";
    }
    const std::string nodes = "nodes " + std::to_string(c.linkDownA) + " and " + std::to_string(c.linkDownB);
    return RccAt(c.path, c.LineOf("LINK_DOWN"),
                 RccFound("LINK_DOWN", nodes, "two that a link of " + topology.path + " joins"));
}

} // namespace

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
        return RccAt(path, f.line, RccFound(what, found, "one through the switches of " + topology.path));
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
                return RccAt(config.path, config.LineOf(m.key),
                             RccFound(m.key, "no entry for " + rate, "one: " + link + " has such a link at a switch"));
            }
        }
        const int64_t* kmin = Ns3RdmaFindRate(config.kmin, l.rate);
        const int64_t* kmax = Ns3RdmaFindRate(config.kmax, l.rate);
        if (kmin && kmax && *kmin > *kmax)
        {
            return RccAt(config.path, config.LineOf("KMIN_MAP"),
                         RccFound("KMIN_MAP", RccFormat(RCC_UNIT_BYTES, *kmin) + " for " + rate,
                                  "at most what KMAX_MAP has, " + RccFormat(RCC_UNIT_BYTES, *kmax)));
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
    std::string error = ReadConfig(path, c, over.dialect);
    // each step only if those before it were fine; what the user names is where the user says
    auto find = [&](const char* key, std::string& file, const std::string& instead) {
        if (!instead.empty())
        {
            file = instead;
        }
        else
        {
            error = error.empty() ? FindFile(c, key, file) : error;
        }
        return error.empty();
    };
    auto flows = [&](const std::string& file, const std::string& wrong, const std::vector<Ns3RdmaFlow>& rows) {
        error = wrong.empty() ? CheckReachable(topology, rows, file) : wrong;
    };
    if (find("TOPOLOGY_FILE", c.topologyFile, over.topology))
    {
        error = ReadTopology(c.topologyFile, input.topology);
        error = error.empty() && !over.thresholds ? CheckThresholds(c, topology) : error;
        error = error.empty() ? CheckLinkDown(c, topology) : error;
    }
    if (find("FLOW_FILE", c.flowFile, over.flows))
    {
        flows(c.flowFile, ReadFlows(c.flowFile, topology, c.dialect, c.payload, input.flows), input.flows);
    }
    if (!c.tcpFlowFile.empty() && find("TCP_FLOW_FILE", c.tcpFlowFile, ""))
    {
        flows(c.tcpFlowFile, ReadFlows(c.tcpFlowFile, topology, Ns3RdmaDialect::ORIGINAL, c.payload, input.tcpFlows),
              input.tcpFlows);
    }
    if (!c.traceFile.empty() && c.enableTrace && find("TRACE_FILE", c.traceFile, ""))
    {
        error = ReadTrace(c.traceFile, topology, input.traced, c.warnings);
    }
    const auto late = static_cast<size_t>(
        std::count_if(input.flows.begin(), input.flows.end(), [&](const Ns3RdmaFlow& f) { return f.start >= c.stop; }));
    if (error.empty() && late > 0)
    {
        c.warnings.push_back(c.flowFile + ": " + std::to_string(late) + " of " + std::to_string(input.flows.size()) +
                             " flows begin after SIMULATOR_STOP_TIME, " + RccFormat(RCC_UNIT_NS, c.stop));
    }
    return error;
}

} // namespace ns3
