/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A configuration with all the files it names, and what must hold between them. */
#include "ns3-rdma-reader.h"
#include "rcc-text.h"

#include "ns3/rcc-units.h"

#include <algorithm>
#include <sys/stat.h>

namespace ns3
{

namespace
{

/// Connected parts of the switches; hosts do not forward.
class Parts
{
  public:
    explicit Parts(const Ns3RdmaTopology& topology)
        : m_isSwitch(topology.isSwitch),
          m_parent(topology.isSwitch.size()),
          m_near(topology.isSwitch.size())
    {
        for (uint32_t i = 0; i < m_parent.size(); i++)
        {
            m_parent[i] = i;
        }
        for (const auto& l : topology.links)
        {
            if (m_isSwitch[l.a] && m_isSwitch[l.b])
            {
                m_parent[Root(l.a)] = Root(l.b);
            }
        }
        for (const auto& l : topology.links)
        {
            if (!m_isSwitch[l.a])
            {
                m_near[l.a].push_back(l.b);
            }
            if (!m_isSwitch[l.b])
            {
                m_near[l.b].push_back(l.a);
            }
        }
        for (auto& near : m_near) // a switch stands for its part, a host for itself
        {
            for (auto& n : near)
            {
                n = m_isSwitch[n] ? Root(n) : n;
            }
            std::sort(near.begin(), near.end());
            near.erase(std::unique(near.begin(), near.end()), near.end());
        }
    }

    bool IsAlone(uint32_t host) const
    {
        return m_near[host].empty();
    }

    bool Joined(uint32_t a, uint32_t b) const
    {
        const auto& x = m_near[a];
        const auto& y = m_near[b];
        if (std::binary_search(x.begin(), x.end(), b))
        {
            return true;
        }
        for (size_t i = 0, j = 0; i < x.size() && j < y.size();)
        {
            if (x[i] == y[j] && m_isSwitch[x[i]])
            {
                return true;
            }
            (x[i] < y[j] ? i : j)++;
        }
        return false;
    }

  private:
    uint32_t Root(uint32_t i)
    {
        while (m_parent[i] != i)
        {
            m_parent[i] = m_parent[m_parent[i]];
            i = m_parent[i];
        }
        return i;
    }

    const std::vector<bool>& m_isSwitch;
    std::vector<uint32_t> m_parent;
    std::vector<std::vector<uint32_t>> m_near; //!< by host
};

bool
Exists(const std::string& path)
{
    struct stat info;
    return stat(path.c_str(), &info) == 0;
}

/// Where a file of the configuration is; see ReadAll.
std::string
Find(const Ns3RdmaConfig& config, const std::string& key, std::string& path)
{
    auto it = config.lines.find(key);
    const std::string at = config.path + ":" + std::to_string(it == config.lines.end() ? 1 : it->second) + ": " + key;
    if (path.empty())
    {
        return at + ": found no such key, expected it with a file's name";
    }
    const size_t slash = config.path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : config.path.substr(0, slash + 1);
    const size_t base = path.rfind('/');
    std::vector<std::string> candidates{path};
    auto add = [&](const std::string& candidate) {
        if (std::find(candidates.begin(), candidates.end(), candidate) == candidates.end())
        {
            candidates.push_back(candidate);
        }
    };
    if (path[0] != '/')
    {
        add(folder + path);
    }
    add(folder + (base == std::string::npos ? path : path.substr(base + 1)));
    std::string tried;
    for (const auto& c : candidates)
    {
        if (Exists(c))
        {
            path = c;
            return "";
        }
        tried += (tried.empty() ? "" : ", ") + RccShownPath(c);
    }
    return at + ": found no such file, expected it to be one of " + tried;
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
    return c.path + ":" + std::to_string(c.lines.at("LINK_DOWN")) + ": LINK_DOWN: found nodes " +
           std::to_string(c.linkDownA) + " and " + std::to_string(c.linkDownB) + ", expected two that a link of " +
           topology.path + " joins";
}

} // namespace

std::string
Ns3RdmaReader::CheckReachable(const Ns3RdmaTopology& topology, const std::vector<Ns3RdmaFlow>& flows,
                              const std::string& path)
{
    const Parts parts(topology);
    for (size_t i = 0; i < flows.size(); i++)
    {
        const Ns3RdmaFlow& f = flows[i];
        if (!parts.Joined(f.src, f.dst))
        {
            const bool one = parts.IsAlone(f.src);
            const std::string found = one || parts.IsAlone(f.dst)
                                          ? "host " + std::to_string(one ? f.src : f.dst) + " without a link"
                                          : "no path from " + std::to_string(f.src) + " to " + std::to_string(f.dst);
            return path + ":" + std::to_string(f.line) + ": flow " + std::to_string(i + 1) + " (src " +
                   std::to_string(f.src) + ", dst " + std::to_string(f.dst) + "): found " + found +
                   ", expected one through the switches of " + topology.path;
        }
    }
    return "";
}

std::string
Ns3RdmaReader::CheckThresholds(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology)
{
    if (!config.ecn || config.kmin.empty() || config.kmax.empty() || config.pmax.empty())
    {
        return "";
    }
    auto entry = [](const Ns3RdmaRateMap& map, uint64_t rate) {
        return std::find_if(map.begin(), map.end(),
                            [&](const std::pair<uint64_t, int64_t>& e) { return e.first == 0 || e.first == rate; });
    };
    const std::vector<std::pair<std::string, const Ns3RdmaRateMap*>> maps{
        {"KMIN_MAP", &config.kmin}, {"KMAX_MAP", &config.kmax}, {"PMAX_MAP", &config.pmax}};
    uint64_t last = 0; // most links have the rate of the one before
    for (const auto& l : topology.links)
    {
        if (l.rate == last || (!topology.isSwitch[l.a] && !topology.isSwitch[l.b]))
        {
            continue;
        }
        last = l.rate;
        const std::string rate = RccFormat(RCC_UNIT_BPS, static_cast<int64_t>(l.rate));
        for (const auto& m : maps)
        {
            auto line = config.lines.find(m.first);
            const std::string at =
                config.path + ":" + std::to_string(line == config.lines.end() ? 1 : line->second) + ": " + m.first;
            if (entry(*m.second, l.rate) == m.second->end())
            {
                return at + ": found no entry for " + rate + ", expected one: " + topology.path + ":" +
                       std::to_string(l.line) + " has such a link at a switch";
            }
        }
        const int64_t kmin = entry(config.kmin, l.rate)->second;
        const int64_t kmax = entry(config.kmax, l.rate)->second;
        auto line = config.lines.find("KMIN_MAP");
        if (kmin > kmax)
        {
            return config.path + ":" + std::to_string(line == config.lines.end() ? 1 : line->second) +
                   ": KMIN_MAP: found " + RccFormat(RCC_UNIT_BYTES, kmin) + " for " + rate +
                   ", expected at most what KMAX_MAP has, " + RccFormat(RCC_UNIT_BYTES, kmax);
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
            error = error.empty() ? Find(c, key, file) : error;
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
        flows(c.tcpFlowFile, ReadTcpFlows(c.tcpFlowFile, topology, c.payload, input.tcpFlows), input.tcpFlows);
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
