/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The files with counted rows: topology, flows, traced nodes. What comes after the counted rows is not looked at. */
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
const uint64_t ERROR_ONE = 1000000000000000000; // 18 places

/// A file that is read row by row, and what is wrong with it.
class Rows
{
  public:
    std::string Open(const std::string& path, const std::string& expected, uint64_t most)
    {
        return m_file.Open(path, expected, most);
    }

    /// The next row. \return false and an error if there is none
    bool Next(const std::string& what, const std::string& expected)
    {
        if (m_file.NextWords(&m_words))
        {
            return true;
        }
        m_error = m_file.GetError().empty() ? m_file.Wrong(what + ": found the end of the file, expected " + expected)
                                            : m_file.GetError();
        return false;
    }

    const std::vector<std::string>& GetWords() const
    {
        return m_words;
    }

    uint32_t GetLine() const
    {
        return m_file.GetLine();
    }

    /// \return false, and the error is set
    bool Wrong(const std::string& what, const std::string& found, const std::string& expected)
    {
        m_error = m_file.Wrong(what + ": found " + found + ", expected " + expected);
        return false;
    }

    /// A whole number in column i.
    bool Whole(const char* what, size_t i, uint64_t least, uint64_t most, uint64_t* value, const char* unit = "")
    {
        if (!RccParseDecimal(m_words[i], 0, most, value) || *value < least || !IsWhole(m_words[i]))
        {
            return Wrong(what, RccShown(m_words[i]),
                         std::string("a whole number") + unit + " from " + std::to_string(least) + " to " +
                             std::to_string(most));
        }
        return true;
    }

    /// A node id in column i.
    bool Node(const char* what, size_t i, size_t nodes, uint32_t* id)
    {
        uint64_t value = 0;
        if (!RccParseDecimal(m_words[i], 0, nodes - 1, &value) || !IsWhole(m_words[i]))
        {
            return Wrong(what, RccShown(m_words[i]), "a node id from 0 to " + std::to_string(nodes - 1) + m_row);
        }
        *id = static_cast<uint32_t>(value);
        return true;
    }

    /// A time in seconds in column i.
    bool Seconds(const char* what, size_t i, int64_t* ns)
    {
        uint64_t value = 0;
        if (!RccParseNumber(m_words[i], 9, Ns3RdmaReader::TIME_MAX / 1000000000, &value))
        {
            return Wrong(what, RccShown(m_words[i]),
                         "a time in s from 0 to " + std::to_string(Ns3RdmaReader::TIME_MAX / 1000000000));
        }
        *ns = static_cast<int64_t>(value);
        return true;
    }

    /// Name the row in messages of Node, whose column is the first.
    void SetRow(uint64_t i, uint64_t n)
    {
        m_row = n == 0 ? "" : " (row " + std::to_string(i + 1) + " of " + std::to_string(n) + ")";
    }

    const std::string& GetError() const
    {
        return m_error;
    }

  private:
    static bool IsWhole(const std::string& text)
    {
        return text.find('.') == std::string::npos;
    }

    RccTextFile m_file;
    std::vector<std::string> m_words;
    std::string m_error, m_row;
};

std::string
Plural(uint64_t n, const std::string& what)
{
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

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
        return rows.Wrong("header", Plural(n, "field"),
                          "nodes, switches and links; nodes, switches, tors and links; or six fields");
    }
    const bool gpus = n == 6 && (words[5][0] < '0' || words[5][0] > '9');
    uint64_t other = 0;
    if (!rows.Whole("nodes", 0, 1, Ns3RdmaReader::NODES_MAX, nodes))
    {
        return false;
    }
    bool fine = rows.Whole("switches", gpus ? 3 : 1, 0, *nodes, ids);
    fine = fine && rows.Whole("links", gpus ? 4 : n == 3 ? 2 : 3, 0, Ns3RdmaReader::LINKS_MAX, links);
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
    uint64_t read = 0;
    while (read < ids)
    {
        if (!rows.Next("switches", Plural(ids, "switch id")))
        {
            return false;
        }
        for (size_t i = 0; i < rows.GetWords().size(); i++, read++)
        {
            uint32_t id = 0;
            if (read == ids)
            {
                return rows.Wrong("switches", RccShown(rows.GetWords()[i]) + " after " + Plural(ids, "switch id"),
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

bool
ReadLink(Rows& rows, size_t nodes, Ns3RdmaLink* link)
{
    const auto& words = rows.GetWords();
    if (!rows.Node("src", 0, nodes, &link->a))
    {
        return false; // prose in place of a row, as a rule
    }
    if (words.size() != 4 && words.size() != 5)
    {
        return rows.Wrong("row", Plural(words.size(), "column"), "src dst rate delay, and error rate or none");
    }
    if (!rows.Node("dst", 1, nodes, &link->b))
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
    if (words.size() == 5 && !RccParseNumber(words[4], 18, 1, &error))
    {
        return rows.Wrong("error rate", RccShown(words[4]), "a probability from 0 to 1");
    }
    link->error = static_cast<double>(error) / static_cast<double>(ERROR_ONE);
    link->line = rows.GetLine();
    return true;
}

uint64_t
PairOf(uint32_t a, uint32_t b)
{
    return (static_cast<uint64_t>(std::min(a, b)) << 32) | std::max(a, b);
}

/// The count in the first line.
bool
ReadCount(Rows& rows, const char* what, uint64_t most, uint64_t* count)
{
    if (!rows.Next(what, "their number"))
    {
        return false;
    }
    if (rows.GetWords().size() != 1)
    {
        return rows.Wrong(what, Plural(rows.GetWords().size(), "word"), "their number, alone in the first line");
    }
    return rows.Whole(what, 0, 0, most, count);
}

/// What the columns of a row are.
enum class Shape
{
    PACKETS, //!< src dst pg PACKETS start stop
    PORT,    //!< src dst pg dport BYTES start
    BYTES    //!< src dst pg BYTES start
};

const char*
ColumnsOf(Shape shape)
{
    return shape == Shape::PACKETS ? "src dst pg packets start stop"
           : shape == Shape::PORT  ? "src dst pg dport bytes start"
                                   : "src dst pg bytes start";
}

bool
ReadSize(Rows& rows, Shape shape, uint32_t payload, Ns3RdmaFlow* flow)
{
    if (shape == Shape::PACKETS)
    {
        uint64_t packets = 0;
        const bool fine = rows.Whole("packets", 3, 0, Ns3RdmaReader::FLOW_BYTES_MAX / payload, &packets);
        flow->bytes = packets * payload;
        return fine;
    }
    return rows.Whole("bytes", shape == Shape::PORT ? 4 : 3, 1, Ns3RdmaReader::FLOW_BYTES_MAX, &flow->bytes);
}

bool
ReadFlow(Rows& rows, const Ns3RdmaTopology& topology, Shape shape, uint32_t payload, Ns3RdmaFlow* flow)
{
    const auto& words = rows.GetWords();
    const size_t columns = shape == Shape::BYTES ? 5 : 6;
    const size_t nodes = topology.isSwitch.size();
    if (!rows.Node("src", 0, nodes, &flow->src))
    {
        return false;
    }
    if (words.size() != columns)
    {
        return rows.Wrong("row", Plural(words.size(), "column"), ColumnsOf(shape));
    }
    if (!rows.Node("dst", 1, nodes, &flow->dst))
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
    uint64_t pg = 0;
    uint64_t port = flow->dport;
    if (!rows.Whole("pg", 2, 0, 7, &pg) || (shape == Shape::PORT && !rows.Whole("dport", 3, 0, 65535, &port)) ||
        !ReadSize(rows, shape, payload, flow) || !rows.Seconds("start", shape == Shape::PORT ? 5 : 4, &flow->start))
    {
        return false;
    }
    flow->pg = static_cast<uint8_t>(pg);
    flow->dport = static_cast<uint16_t>(port);
    flow->line = rows.GetLine();
    if (shape == Shape::PACKETS)
    {
        if (!rows.Seconds("stop", 5, &flow->stop))
        {
            return false;
        }
        if (flow->stop < flow->start)
        {
            return rows.Wrong("stop", RccShown(words[5]), "a time not before start, which is " + RccShown(words[4]));
        }
    }
    return true;
}

std::string
ReadFlowRows(const std::string& path, const Ns3RdmaTopology& topology, bool original, uint32_t payload,
             std::vector<Ns3RdmaFlow>& flows)
{
    flows.clear();
    Rows rows;
    const std::string error = rows.Open(path, "a file of flows", FLOW_FILE_BYTES);
    if (!error.empty())
    {
        return error;
    }
    uint64_t n = 0;
    if (!ReadCount(rows, "flows", Ns3RdmaReader::FLOWS_MAX, &n))
    {
        return rows.GetError();
    }
    Shape shape = original ? Shape::PACKETS : Shape::PORT;
    for (uint64_t i = 0; i < n; i++)
    {
        if (!rows.Next("rows", std::to_string(n) + ", not " + std::to_string(i)))
        {
            return rows.GetError();
        }
        if (i == 0 && !original && rows.GetWords().size() == 5)
        {
            shape = Shape::BYTES;
        }
        rows.SetRow(i, n);
        Ns3RdmaFlow flow;
        if (!ReadFlow(rows, topology, shape, payload, &flow))
        {
            return rows.GetError();
        }
        flows.push_back(flow);
    }
    return "";
}

/// "N" or "N-M".
bool
ParseRange(const std::string& text, uint64_t least, uint64_t most, uint64_t* from, uint64_t* to)
{
    const size_t dash = text.find('-');
    const std::string first = text.substr(0, dash);
    const std::string last = dash == std::string::npos ? first : text.substr(dash + 1);
    return text.find('.') == std::string::npos && RccParseDecimal(first, 0, most, from) &&
           RccParseDecimal(last, 0, most, to) && *from >= least && *from <= *to;
}

} // namespace

std::string
Ns3RdmaReader::ReadTopology(const std::string& path, Ns3RdmaTopology& topology)
{
    topology = Ns3RdmaTopology();
    topology.path = path;
    Rows rows;
    const std::string error = rows.Open(path, "a file of nodes and links", TOPOLOGY_BYTES);
    uint64_t nodes = 0;
    uint64_t ids = 0;
    uint64_t links = 0;
    if (!error.empty() || !ReadHeader(rows, &nodes, &ids, &links))
    {
        return error.empty() ? rows.GetError() : error;
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
        if (!rows.Next("rows", Plural(links, "link") + ", not " + std::to_string(i)) || !ReadLink(rows, nodes, &link))
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
    return ReadFlowRows(path, topology, dialect == Ns3RdmaDialect::ORIGINAL, payload, flows);
}

std::string
Ns3RdmaReader::ReadTcpFlows(const std::string& path, const Ns3RdmaTopology& topology, uint32_t payload,
                            std::vector<Ns3RdmaFlow>& flows)
{
    return ReadFlowRows(path, topology, true, payload, flows);
}

std::string
Ns3RdmaReader::ReadTrace(const std::string& path, const Ns3RdmaTopology& topology, std::vector<uint32_t>& ids,
                         std::vector<std::string>& warnings)
{
    ids.clear();
    Rows rows;
    const std::string error = rows.Open(path, "a file of node ids", TRACE_BYTES);
    uint64_t n = 0;
    if (!error.empty() || !ReadCount(rows, "nodes", TRACE_BYTES, &n))
    {
        return error.empty() ? rows.GetError() : error;
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
                           Plural(n, "id") + ", the first is " + std::to_string(first) + "; " + topology.path +
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
    const std::string error = file.Open(path, "a file with lines such as 'node 3 dcqcn'", FLOW_FILE_BYTES);
    if (!error.empty())
    {
        return error;
    }
    std::vector<std::string> names;
    for (size_t i = 0; rcc_algorithm_at(i); i++)
    {
        names.emplace_back(rcc_algorithm_at(i)->name);
    }
    std::string all;
    std::vector<std::string> ofNode(topology.isSwitch.size());
    std::vector<std::string> ofFlow(flows.size());
    std::vector<std::string> words;
    for (std::string row; file.NextLine(&row);)
    {
        RccSplitWords(row.substr(0, row.find('#')), &words);
        if (words.empty())
        {
            continue;
        }
        auto wrong = [&](const std::string& what, const std::string& found, const std::string& expected) {
            return file.Wrong(what + ": found " + found + ", expected " + expected);
        };
        const bool isAll = words[0] == "default";
        const bool isNode = words[0] == "node";
        if (!isAll && !isNode && words[0] != "flow")
        {
            return wrong("what", RccShown(words[0]), "default, node or flow");
        }
        if (words.size() != (isAll ? 2 : 3))
        {
            return wrong(words[0], Plural(words.size(), "word"),
                         isAll ? "'default' and an algorithm"
                               : "'" + words[0] + "', a number or a range, an algorithm");
        }
        const std::string& cc = words.back();
        if (!rcc_find(cc.c_str()))
        {
            const std::string near = cc.size() <= 64 ? RccNearest(cc, names) : "";
            std::string known;
            for (const auto& n : names)
            {
                known += (known.empty() ? "" : ", ") + n;
            }
            return wrong("algorithm", RccShown(cc),
                         "one of " + known + (near.empty() ? "" : "; the nearest is '" + near + "'"));
        }
        if (isAll)
        {
            all = cc;
            continue;
        }
        auto& list = isNode ? ofNode : ofFlow;
        const uint64_t base = isNode ? 0 : 1;
        uint64_t from = 0;
        uint64_t to = 0;
        if (!ParseRange(words[1], base, list.size() + base - 1, &from, &to))
        {
            return wrong(words[0], RccShown(words[1]),
                         list.empty() ? "no line: there is none"
                                      : "a number from " + std::to_string(base) + " to " +
                                            std::to_string(list.size() + base - 1) + ", or a range of them");
        }
        for (uint64_t i = from; i <= to; i++)
        {
            if (isNode && from == to && topology.isSwitch[i])
            {
                return wrong("node", RccShown(words[1]) + ", a switch", "a host");
            }
            list[i - base] = cc;
        }
    }
    for (size_t i = 0; i < flows.size() && file.GetError().empty(); i++)
    {
        const std::string& node = ofNode[flows[i].src];
        flows[i].cc = !ofFlow[i].empty() ? ofFlow[i] : !node.empty() ? node : all;
    }
    return file.GetError();
}

} // namespace ns3
