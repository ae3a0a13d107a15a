/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The files with counted rows: topology, flows, traced nodes; what comes after the counted rows is not looked at. And
 * the file of choices.
 */
#include "ns3-rdma-reader.h"

#include "rcc-text.h"

#include "ns3/rcc-units.h"
#include "ns3/rcc.h"

#include <algorithm>
#include <unordered_map>

namespace ns3
{

namespace
{

const uint64_t TOPOLOGY_BYTES = uint64_t(1) << 29;
const uint64_t FLOW_FILE_BYTES = uint64_t(1) << 30;
const uint64_t TRACE_BYTES = uint64_t(1) << 24;
const uint64_t SECONDS_MAX = Ns3RdmaReader::TIME_MAX / 1000000000;

/// A file that is read row by row. What is wrong with it is kept; every function returns false then.
class Rows
{
  public:
    bool Open(const std::string& path, const std::string& expected, uint64_t most)
    {
        m_error = m_file.Open(path, expected, most);
        return m_error.empty();
    }

    /// The next row.
    bool Next(const std::string& what, const std::string& expected)
    {
        if (m_file.NextWords(&m_words))
        {
            return true;
        }
        m_error = m_file.GetError();
        return m_error.empty() ? Wrong(what, "the end of the file", expected) : false;
    }

    /// The number of rows, alone in the first line.
    bool Count(const char* what, uint64_t most, uint64_t* count)
    {
        if (!Next(what, "their number"))
        {
            return false;
        }
        if (m_words.size() != 1)
        {
            return Wrong(what, RccPlural(m_words.size(), "word"), "their number, alone in the first line");
        }
        return Whole(what, 0, 0, most, count);
    }

    const std::vector<std::string>& GetWords() const
    {
        return m_words;
    }

    uint32_t GetLine() const
    {
        return m_file.GetLine();
    }

    const std::string& GetError() const
    {
        return m_error;
    }

    bool Wrong(const std::string& what, const std::string& found, const std::string& expected)
    {
        m_error = m_file.Wrong(what, found, expected);
        return false;
    }

    /// A whole number in column i.
    template <class T> bool Whole(const char* what, size_t i, uint64_t least, uint64_t most, T* value)
    {
        uint64_t n = 0;
        const bool fine = RccParseWhole(m_words[i], most, &n) && n >= least;
        *value = static_cast<T>(n);
        return fine || Wrong(what, RccShown(m_words[i]),
                             "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }

    /// A node id in column i.
    bool Node(const char* what, size_t i, size_t nodes, uint32_t* id)
    {
        uint64_t n = 0;
        const bool fine = RccParseWhole(m_words[i], nodes - 1, &n);
        *id = static_cast<uint32_t>(n);
        return fine || Wrong(what, RccShown(m_words[i]), "a node id from 0 to " + std::to_string(nodes - 1) + m_row);
    }

    /// A time in seconds in column i.
    bool Seconds(const char* what, size_t i, int64_t* ns)
    {
        uint64_t n = 0;
        const bool fine = RccParseNumber(m_words[i], 9, SECONDS_MAX, &n);
        *ns = static_cast<int64_t>(n);
        return fine || Wrong(what, RccShown(m_words[i]), "a time in s from 0 to " + std::to_string(SECONDS_MAX));
    }

    /// Name the row, from 0, in messages of Node.
    void SetRow(uint64_t i, uint64_t n)
    {
        m_row = " (row " + std::to_string(i + 1) + " of " + std::to_string(n) + ")";
    }

  private:
    RccTextFile m_file;
    std::vector<std::string> m_words;
    std::string m_error, m_row;
};

/// The first line of a topology. \param[out] ids how many switch ids follow
bool
ReadHeader(Rows& rows, uint64_t* nodes, uint64_t* ids, uint64_t* links)
{
    if (!rows.Next("header", "nodes, switches and links"))
    {
        return false;
    }
    // nodes switches links; nodes switches tors links; that and two capacities; or
    // nodes GPUs-per-server NVSwitches switches links GPU-type
    const auto& words = rows.GetWords();
    const size_t n = words.size();
    if (n != 3 && n != 4 && n != 6)
    {
        return rows.Wrong("header", RccPlural(n, "field"),
                          "nodes, switches and links; nodes, switches, tors and links; or six fields");
    }
    const bool gpus = n == 6 && (words[5][0] < '0' || words[5][0] > '9');
    uint64_t other = 0;
    bool fine = rows.Whole("nodes", 0, 1, Ns3RdmaReader::NODES_MAX, nodes) &&
                rows.Whole("switches", gpus ? 3 : 1, 0, *nodes, ids) &&
                rows.Whole("links",
                           gpus     ? 4
                           : n == 3 ? 2
                                    : 3,
                           0, Ns3RdmaReader::LINKS_MAX, links);
    if (fine && gpus)
    {
        fine = rows.Whole("NVSwitches", 2, 0, *nodes - *ids, &other);
        *ids += other;
    }
    return fine && (n == 3 || rows.Whole(gpus ? "GPUs per server" : "tors", gpus ? 1 : 2, 0, *nodes, &other));
}

/// Switch ids, on one line or more.
bool
ReadSwitches(Rows& rows, uint64_t ids, std::vector<bool>* isSwitch)
{
    for (uint64_t read = 0; read < ids;)
    {
        if (!rows.Next("switches", RccPlural(ids, "switch id")))
        {
            return false;
        }
        for (size_t i = 0; i < rows.GetWords().size(); i++, read++)
        {
            uint32_t id = 0;
            if (read == ids)
            {
                return rows.Wrong("switches", RccShown(rows.GetWords()[i]) + " after " + RccPlural(ids, "switch id"),
                                  "the end of the line, as the header says");
            }
            rows.SetRow(read, ids);
            if (!rows.Node("switches", i, isSwitch->size(), &id))
            {
                return false;
            }
            if ((*isSwitch)[id])
            {
                return rows.Wrong("switches", std::to_string(id) + " twice", "each switch once");
            }
            (*isSwitch)[id] = true;
        }
    }
    return true;
}

/// src and dst, the first two columns, and as many columns as there have to be.
bool
ReadEnds(Rows& rows, size_t nodes, bool columns, const std::string& expected, uint32_t* src, uint32_t* dst)
{
    if (!rows.Node("src", 0, nodes, src)) // before the columns: what is no row at all is prose, as a rule
    {
        return false;
    }
    if (!columns)
    {
        return rows.Wrong("row", RccPlural(rows.GetWords().size(), "column"), expected);
    }
    return rows.Node("dst", 1, nodes, dst);
}

bool
ReadLink(Rows& rows, size_t nodes, Ns3RdmaLink* link)
{
    const auto& words = rows.GetWords();
    const size_t n = words.size();
    if (!ReadEnds(rows, nodes, n == 4 || n == 5, "src dst rate delay, and error rate or none", &link->a, &link->b))
    {
        return false;
    }
    if (link->a == link->b)
    {
        return rows.Wrong("dst", RccShown(words[1]) + ", the same as src", "another node");
    }
    if (!RccParseDataRate(words[2], RCC_LINE_RATE_MAX, &link->rate) || link->rate < RCC_LINE_RATE_MIN)
    {
        return rows.Wrong("rate", RccShown(words[2]), "a rate such as 100Gbps or 25000000000, 1Mbps to 1600Gbps");
    }
    if (!RccParseTime(words[3], 1000000000, &link->delay))
    {
        return rows.Wrong("delay", RccShown(words[3]), "a time such as 1us, 0.001ms or 1000ns, at most 1s");
    }
    uint64_t error = 0;
    if (n == 5 && !RccParseNumber(words[4], 18, 1, &error))
    {
        return rows.Wrong("error rate", RccShown(words[4]), "a probability from 0 to 1");
    }
    link->error = static_cast<double>(error) / 1e18;
    link->line = rows.GetLine();
    return true;
}

uint64_t
PairOf(uint32_t a, uint32_t b)
{
    return (static_cast<uint64_t>(std::min(a, b)) << 32) | std::max(a, b);
}

/// The columns of a row of flows.
struct Shape
{
    const char* columns;
    size_t count;
    size_t size;  //!< column of the packets or bytes, before that of the start
    bool packets; //!< and a stop time after the start
};

const Shape PACKETS{"src dst pg packets start stop", 6, 3, true};
const Shape PORT{"src dst pg dport bytes start", 6, 4, false};
const Shape BYTES{"src dst pg bytes start", 5, 3, false};

bool
ReadFlow(Rows& rows, const Ns3RdmaTopology& topology, const Shape& shape, uint32_t payload, Ns3RdmaFlow* flow)
{
    const auto& words = rows.GetWords();
    if (!ReadEnds(rows, topology.isSwitch.size(), words.size() == shape.count, shape.columns, &flow->src, &flow->dst))
    {
        return false;
    }
    for (size_t i = 0; i < 2; i++)
    {
        if (topology.isSwitch[i == 0 ? flow->src : flow->dst])
        {
            return rows.Wrong(i == 0 ? "src" : "dst", RccShown(words[i]) + ", a switch", "a host");
        }
    }
    if (flow->src == flow->dst)
    {
        return rows.Wrong("dst", RccShown(words[1]) + ", the same as src", "another host");
    }
    const uint64_t unit = shape.packets ? payload : 1;
    if (!rows.Whole("pg", 2, 0, 7, &flow->pg) || (shape.size == 4 && !rows.Whole("dport", 3, 0, 65535, &flow->dport)) ||
        !rows.Whole(shape.packets ? "packets" : "bytes", shape.size, shape.packets ? 0 : 1,
                    Ns3RdmaReader::FLOW_BYTES_MAX / unit, &flow->bytes) ||
        !rows.Seconds("start", shape.size + 1, &flow->start) ||
        (shape.packets && !rows.Seconds("stop", 5, &flow->stop)))
    {
        return false;
    }
    if (shape.packets && flow->stop < flow->start)
    {
        return rows.Wrong("stop", RccShown(words[5]), "a time not before start, which is " + RccShown(words[4]));
    }
    flow->bytes *= unit;
    flow->line = rows.GetLine();
    return true;
}

/// "N" or "N-M".
bool
ParseRange(const std::string& text, uint64_t least, uint64_t most, uint64_t* from, uint64_t* to)
{
    const size_t dash = text.find('-');
    const std::string first = text.substr(0, dash);
    const std::string last = dash == std::string::npos ? first : text.substr(dash + 1);
    return RccParseWhole(first, most, from) && RccParseWhole(last, most, to) && *from >= least && *from <= *to;
}

/// Reads the file of choices.
class Choices
{
  public:
    Choices(const Ns3RdmaTopology& topology, size_t flows)
        : m_topology(topology),
          m_ofNode(topology.isSwitch.size()),
          m_ofFlow(flows)
    {
        for (size_t i = 0; rcc_algorithm_at(i); i++)
        {
            m_names.emplace_back(rcc_algorithm_at(i)->name);
        }
    }

    /// One line. \return empty, or what is wrong
    std::string Read(const RccTextFile& file, const std::vector<std::string>& words)
    {
        const bool isAll = words[0] == "default";
        const bool isNode = words[0] == "node";
        if (!isAll && !isNode && words[0] != "flow")
        {
            return file.Wrong("what", RccShown(words[0]), "default, node or flow");
        }
        if (words.size() != (isAll ? 2 : 3))
        {
            return file.Wrong(words[0], RccPlural(words.size(), "word"),
                              isAll ? "'default' and an algorithm"
                                    : "'" + words[0] + "', a number or a range, an algorithm");
        }
        const std::string& cc = words.back();
        if (!rcc_find(cc.c_str()))
        {
            return file.Wrong("algorithm", RccShown(cc), "one of " + RccJoin(m_names, ", ") + RccSuggest(cc, m_names));
        }
        if (isAll)
        {
            m_all = cc;
            return "";
        }
        auto& list = isNode ? m_ofNode : m_ofFlow;
        const uint64_t least = isNode ? 0 : 1;
        const uint64_t most = list.size() + least - 1;
        uint64_t from = 0;
        uint64_t to = 0;
        if (list.empty() || !ParseRange(words[1], least, most, &from, &to))
        {
            const std::string range = "a number from " + std::to_string(least) + " to " + std::to_string(most);
            return file.Wrong(words[0], RccShown(words[1]),
                              list.empty() ? "no line: there is none" : range + ", or a range of them");
        }
        if (isNode && from == to && m_topology.isSwitch[from])
        {
            return file.Wrong("node", RccShown(words[1]) + ", a switch", "a host");
        }
        std::fill(list.begin() + static_cast<long>(from - least), list.begin() + static_cast<long>(to - least + 1), cc);
        return "";
    }

    /// The algorithm of the i-th flow; empty = the run's.
    const std::string& Of(size_t i, const Ns3RdmaFlow& flow) const
    {
        const std::string& node = m_ofNode[flow.src];
        return !m_ofFlow[i].empty() ? m_ofFlow[i] : !node.empty() ? node : m_all;
    }

  private:
    const Ns3RdmaTopology& m_topology;
    std::vector<std::string> m_names, m_ofNode, m_ofFlow;
    std::string m_all;
};

} // namespace

std::string
Ns3RdmaReader::ReadTopology(const std::string& path, Ns3RdmaTopology& topology)
{
    topology = Ns3RdmaTopology();
    topology.path = path;
    Rows rows;
    uint64_t nodes = 0;
    uint64_t ids = 0;
    uint64_t links = 0;
    if (!rows.Open(path, "a file of nodes and links", TOPOLOGY_BYTES) || !ReadHeader(rows, &nodes, &ids, &links))
    {
        return rows.GetError();
    }
    topology.isSwitch.assign(nodes, false);
    if (!ReadSwitches(rows, ids, &topology.isSwitch))
    {
        return rows.GetError();
    }
    std::unordered_map<uint64_t, uint32_t> seen; // pair of nodes: line
    for (uint64_t i = 0; i < links; i++)
    {
        Ns3RdmaLink link;
        rows.SetRow(i, links);
        if (!rows.Next("rows", RccPlural(links, "link") + ", not " + std::to_string(i)) ||
            !ReadLink(rows, nodes, &link))
        {
            return rows.GetError();
        }
        const auto added = seen.emplace(PairOf(link.a, link.b), link.line);
        if (!added.second)
        {
            rows.Wrong("dst", "a second link " + std::to_string(link.a) + "-" + std::to_string(link.b),
                       "one; the first is in line " + std::to_string(added.first->second));
            return rows.GetError();
        }
        topology.links.push_back(link);
    }
    return "";
}

std::string
Ns3RdmaReader::ReadFlows(const std::string& path, const Ns3RdmaTopology& topology, Ns3RdmaDialect dialect,
                         uint32_t payload, std::vector<Ns3RdmaFlow>& flows)
{
    const bool original = dialect == Ns3RdmaDialect::ORIGINAL;
    flows.clear();
    Rows rows;
    uint64_t n = 0;
    if (!rows.Open(path, "a file of flows", FLOW_FILE_BYTES) || !rows.Count("flows", FLOWS_MAX, &n))
    {
        return rows.GetError();
    }
    const Shape* shape = original ? &PACKETS : &PORT;
    for (uint64_t i = 0; i < n; i++)
    {
        if (!rows.Next("rows", std::to_string(n) + ", not " + std::to_string(i)))
        {
            return rows.GetError();
        }
        shape = i == 0 && !original && rows.GetWords().size() == BYTES.count ? &BYTES : shape;
        rows.SetRow(i, n);
        Ns3RdmaFlow flow;
        if (!ReadFlow(rows, topology, *shape, payload, &flow))
        {
            return rows.GetError();
        }
        flows.push_back(flow);
    }
    return "";
}

std::string
Ns3RdmaReader::ReadTrace(const std::string& path, const Ns3RdmaTopology& topology, std::vector<uint32_t>& ids,
                         std::vector<std::string>& warnings)
{
    ids.clear();
    Rows rows;
    uint64_t n = 0;
    if (!rows.Open(path, "a file of node ids", TRACE_BYTES) || !rows.Count("nodes", TRACE_BYTES, &n))
    {
        return rows.GetError();
    }
    uint64_t skipped = 0;
    uint64_t first = 0; // of those that are skipped
    uint32_t line = 0;
    for (uint64_t read = 0; read < n;)
    {
        if (!rows.Next("ids", std::to_string(n) + ", not " + std::to_string(read)))
        {
            return rows.GetError();
        }
        for (size_t i = 0; i < rows.GetWords().size() && read < n; i++, read++)
        {
            uint64_t id = 0;
            if (!rows.Whole("id", i, 0, UINT32_MAX, &id))
            {
                return rows.GetError();
            }
            if (id < topology.isSwitch.size())
            {
                ids.push_back(static_cast<uint32_t>(id));
                continue;
            }
            first = skipped++ == 0 ? id : first;
            line = line == 0 ? rows.GetLine() : line;
        }
    }
    if (skipped > 0)
    {
        warnings.push_back(path + ":" + std::to_string(line) + ": id: left out " + std::to_string(skipped) + " of " +
                           RccPlural(n, "id") + ", the first is " + std::to_string(first) + "; " + topology.path +
                           " has nodes 0 to " + std::to_string(topology.isSwitch.size() - 1));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return "";
}

std::string
Ns3RdmaReader::ReadChoices(const std::string& path, const Ns3RdmaTopology& topology, std::vector<Ns3RdmaFlow>& flows)
{
    RccTextFile file;
    std::string error = file.Open(path, "a file with lines such as 'node 3 dcqcn'", FLOW_FILE_BYTES);
    Choices choices(topology, flows.size());
    for (std::vector<std::string> words; error.empty() && file.NextWords(&words, '#');)
    {
        error = choices.Read(file, words);
    }
    error = error.empty() ? file.GetError() : error;
    for (size_t i = 0; i < flows.size() && error.empty(); i++)
    {
        flows[i].cc = choices.Of(i, flows[i]);
    }
    return error;
}

} // namespace ns3
