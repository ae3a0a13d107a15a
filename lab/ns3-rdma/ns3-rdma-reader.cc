/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * The files with counted rows: topology, flows, traced nodes; what comes after the counted rows is not looked at. And
 * the file of choices.
 */
#include "ns3-rdma-reader.h"

#include "ns3/lab-text.h"

#include "ns3/rcc-units.h"
#include "ns3/rcc.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

const uint64_t TOPOLOGY_BYTES = uint64_t(1) << 29;
const uint64_t FLOW_FILE_BYTES = uint64_t(1) << 30;
const uint64_t TRACE_BYTES = uint64_t(1) << 24;

/// A file that is read row by row. What is wrong with it is thrown as LabFileError.
class Rows : public LabTextFile
{
  public:
    using LabTextFile::LabTextFile;

    /// The next row.
    void Next(const std::string& what, const std::string& expected)
    {
        if (!NextWords(&words))
        {
            Fail(what, "the end of the file", expected);
        }
    }

    /// The number of rows, alone in the first line.
    uint64_t Count(const char* what, uint64_t most)
    {
        Next(what, "their number");
        if (words.size() != 1)
        {
            Fail(what, LabPlural(words.size(), "word"), "their number, alone in the first line");
        }
        return Whole(what, 0, 0, most);
    }

    /// A whole number in column i.
    uint64_t Whole(const char* what, size_t i, uint64_t least, uint64_t most) const
    {
        uint64_t n = 0;
        if (!RccParseWhole(words[i], most, &n) || n < least)
        {
            Fail(what, LabShown(words[i]),
                 "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        }
        return n;
    }

    /// A node id in column i.
    uint32_t Node(const char* what, size_t i, size_t nodes) const
    {
        uint64_t n = 0;
        if (!RccParseWhole(words[i], nodes - 1, &n))
        {
            Fail(what, LabShown(words[i]),
                 "a node id from 0 to " + std::to_string(nodes - 1) + " (row " + std::to_string(row + 1) + " of " +
                     std::to_string(rows) + ")");
        }
        return static_cast<uint32_t>(n);
    }

    /// A time in seconds in column i, as ns.
    int64_t Seconds(const char* what, size_t i) const
    {
        uint64_t n = 0;
        if (!RccParseNumber(words[i], 9, Ns3RdmaReader::SECONDS_MAX, &n))
        {
            Fail(what, LabShown(words[i]), "a time in s from 0 to " + std::to_string(Ns3RdmaReader::SECONDS_MAX));
        }
        return static_cast<int64_t>(n);
    }

    std::vector<std::string> words; //!< of the present row
    uint64_t row{0}, rows{0};       //!< number of the row, from 0, and how many there are, for messages of Node
};

/// The first line of a topology: nodes, and how many switch ids and links follow.
struct TopologyHeader
{
    uint64_t nodes, ids, links;
};

/**
 * "nodes switches links", "nodes switches tors links", that and two capacities, or "nodes GPUs-per-server NVSwitches
 * switches links GPU-type".
 */
TopologyHeader
ReadHeader(Rows& rows)
{
    rows.Next("header", "nodes, switches and links");
    const size_t n = rows.words.size();
    if (n != 3 && n != 4 && n != 6)
    {
        rows.Fail("header", LabPlural(n, "field"),
                  "nodes, switches and links; nodes, switches, tors and links; or six fields");
    }
    const bool gpus = n == 6 && (rows.words[5][0] < '0' || rows.words[5][0] > '9');
    const size_t links = gpus ? 4 : n == 3 ? 2 : 3;
    TopologyHeader h;
    h.nodes = rows.Whole("nodes", 0, 1, Ns3RdmaReader::NODES_MAX);
    h.ids = rows.Whole("switches", gpus ? 3 : 1, 0, h.nodes);
    h.links = rows.Whole("links", links, 0, Ns3RdmaReader::LINKS_MAX);
    h.ids += gpus ? rows.Whole("NVSwitches", 2, 0, h.nodes - h.ids) : 0;
    if (n > 3)
    {
        rows.Whole(gpus ? "GPUs per server" : "tors", gpus ? 1 : 2, 0, h.nodes);
    }
    return h;
}

/// Switch ids, on one line or more.
void
ReadSwitches(Rows& rows, uint64_t ids, std::vector<bool>* isSwitch)
{
    const std::string expected = LabPlural(ids, "switch id");
    rows.rows = ids;
    for (rows.row = 0; rows.row < ids;)
    {
        rows.Next("switches", expected);
        for (size_t i = 0; i < rows.words.size(); i++, rows.row++)
        {
            if (rows.row == ids)
            {
                rows.Fail("switches", LabShown(rows.words[i]) + " after " + expected,
                          "the end of the line, as the header says");
            }
            const uint32_t id = rows.Node("switches", i, isSwitch->size());
            if ((*isSwitch)[id])
            {
                rows.Fail("switches", std::to_string(id) + " twice", "each switch once");
            }
            (*isSwitch)[id] = true;
        }
    }
}

/// src and dst, the first two columns, and as many columns as there have to be.
void
ReadEnds(const Rows& rows, size_t nodes, bool columns, const std::string& expected, uint32_t* src, uint32_t* dst)
{
    *src = rows.Node("src", 0, nodes); // before the columns: what is no row at all is prose, as a rule
    if (!columns)
    {
        rows.Fail("row", LabPlural(rows.words.size(), "column"), expected);
    }
    *dst = rows.Node("dst", 1, nodes);
}

Ns3RdmaLink
ReadLink(const Rows& rows, size_t nodes)
{
    Ns3RdmaLink link;
    const auto& words = rows.words;
    const size_t n = words.size();
    ReadEnds(rows, nodes, n == 4 || n == 5, "src dst rate delay, and error rate or none", &link.a, &link.b);
    if (link.a == link.b)
    {
        rows.Fail("dst", LabShown(words[1]) + ", the same as src", "another node");
    }
    if (!RccParseDataRate(words[2], RCC_LINE_RATE_MAX, &link.rate) || link.rate < RCC_LINE_RATE_MIN)
    {
        rows.Fail("rate", LabShown(words[2]), "a rate such as 100Gbps or 25000000000, 1Mbps to 16Tbps");
    }
    if (!RccParseTime(words[3], 1000000000, &link.delay))
    {
        rows.Fail("delay", LabShown(words[3]), "a time such as 1us, 0.001ms or 1000ns, at most 1s");
    }
    uint64_t error = 0;
    if (n == 5 && !RccParseNumber(words[4], 18, 1, &error))
    {
        rows.Fail("error rate", LabShown(words[4]), "a probability from 0 to 1");
    }
    link.error = static_cast<double>(error) / 1e18;
    link.line = rows.GetLine();
    return link;
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

Ns3RdmaFlow
ReadFlow(const Rows& rows, const Ns3RdmaTopology& topology, const Shape& shape, uint32_t payload)
{
    Ns3RdmaFlow flow;
    const auto& words = rows.words;
    ReadEnds(rows, topology.isSwitch.size(), words.size() == shape.count, shape.columns, &flow.src, &flow.dst);
    for (size_t i = 0; i < 2; i++)
    {
        if (topology.isSwitch[i == 0 ? flow.src : flow.dst])
        {
            rows.Fail(i == 0 ? "src" : "dst", LabShown(words[i]) + ", a switch", "a host");
        }
    }
    if (flow.src == flow.dst)
    {
        rows.Fail("dst", LabShown(words[1]) + ", the same as src", "another host");
    }
    const uint64_t unit = shape.packets ? payload : 1;
    flow.pg = static_cast<uint8_t>(rows.Whole("pg", 2, 0, 7));
    flow.dport = shape.size == 4 ? static_cast<uint16_t>(rows.Whole("dport", 3, 0, 65535)) : flow.dport;
    flow.bytes = unit * rows.Whole(shape.packets ? "packets" : "bytes", shape.size, shape.packets ? 0 : 1,
                                   Ns3RdmaReader::FLOW_BYTES_MAX / unit);
    flow.start = rows.Seconds("start", shape.size + 1);
    flow.stop = shape.packets ? rows.Seconds("stop", 5) : flow.stop;
    if (shape.packets && flow.stop < flow.start)
    {
        rows.Fail("stop", LabShown(words[5]), "a time not before start, which is " + LabShown(words[4]));
    }
    flow.line = rows.GetLine();
    return flow;
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

    /// One line.
    void Read(const LabTextFile& file, const std::vector<std::string>& words)
    {
        const bool isAll = words[0] == "default";
        const bool isNode = words[0] == "node";
        if (!isAll && !isNode && words[0] != "flow")
        {
            file.Fail("what", LabShown(words[0]), "default, node or flow");
        }
        if (words.size() != (isAll ? 2 : 3))
        {
            file.Fail(words[0], LabPlural(words.size(), "word"),
                      isAll ? "'default' and an algorithm" : "'" + words[0] + "', a number or a range, an algorithm");
        }
        const std::string& cc = words.back();
        if (!rcc_find(cc.c_str()))
        {
            file.Fail("algorithm", LabShown(cc), "one of " + RccJoin(m_names, ", ") + RccSuggest(cc, m_names));
        }
        if (isAll)
        {
            m_all = cc;
            return;
        }
        auto& list = isNode ? m_ofNode : m_ofFlow;
        const uint64_t least = isNode ? 0 : 1;
        const uint64_t most = list.size() + least - 1;
        uint64_t from = 0;
        uint64_t to = 0;
        if (list.empty() || !ParseRange(words[1], least, most, &from, &to))
        {
            const std::string range = "a number from " + std::to_string(least) + " to " + std::to_string(most);
            file.Fail(words[0], LabShown(words[1]),
                      list.empty() ? "no line: there is none" : range + ", or a range of them");
        }
        if (isNode && from == to && m_topology.isSwitch[from])
        {
            file.Fail("node", LabShown(words[1]) + ", a switch", "a host");
        }
        std::fill(list.begin() + static_cast<long>(from - least), list.begin() + static_cast<long>(to - least + 1), cc);
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
    return LabErrorOf([&] {
        Rows rows(path, "a file of nodes and links", TOPOLOGY_BYTES);
        const TopologyHeader header = ReadHeader(rows);
        topology.isSwitch.assign(header.nodes, false);
        ReadSwitches(rows, header.ids, &topology.isSwitch);
        rows.rows = header.links;
        for (rows.row = 0; rows.row < header.links; rows.row++)
        {
            rows.Next("rows", LabPlural(header.links, "link") + ", not " + std::to_string(rows.row));
            topology.links.push_back(ReadLink(rows, header.nodes));
        }
    });
}

std::string
Ns3RdmaReader::ReadFlows(const std::string& path, const Ns3RdmaTopology& topology, Ns3RdmaDialect dialect,
                         uint32_t payload, std::vector<Ns3RdmaFlow>& flows)
{
    flows.clear();
    return LabErrorOf([&] {
        Rows rows(path, "a file of flows", FLOW_FILE_BYTES);
        rows.rows = rows.Count("flows", FLOWS_MAX);
        const Shape* shape = dialect == Ns3RdmaDialect::ORIGINAL ? &PACKETS : &PORT;
        for (rows.row = 0; rows.row < rows.rows; rows.row++)
        {
            rows.Next("rows", std::to_string(rows.rows) + ", not " + std::to_string(rows.row));
            shape = rows.row == 0 && shape == &PORT && rows.words.size() == BYTES.count ? &BYTES : shape;
            flows.push_back(ReadFlow(rows, topology, *shape, payload));
        }
    });
}

std::string
Ns3RdmaReader::ReadTrace(const std::string& path, const Ns3RdmaTopology& topology, std::vector<uint32_t>& ids,
                         std::vector<std::string>& warnings)
{
    std::set<uint32_t> traced;
    std::vector<uint64_t> skipped;
    uint32_t line = 0; // of the first that is skipped
    const std::string error = LabErrorOf([&] {
        Rows rows(path, "a file of node ids", TRACE_BYTES);
        rows.rows = rows.Count("nodes", TRACE_BYTES);
        while (rows.row < rows.rows)
        {
            rows.Next("ids", std::to_string(rows.rows) + ", not " + std::to_string(rows.row));
            for (size_t i = 0; i < rows.words.size() && rows.row < rows.rows; i++, rows.row++)
            {
                const uint64_t id = rows.Whole("id", i, 0, UINT32_MAX);
                if (id < topology.isSwitch.size())
                {
                    traced.insert(static_cast<uint32_t>(id));
                    continue;
                }
                skipped.push_back(id);
                line = line == 0 ? rows.GetLine() : line;
            }
        }
        if (!skipped.empty())
        {
            warnings.push_back(path + ":" + std::to_string(line) + ": id: left out " + std::to_string(skipped.size()) +
                               " of " + LabPlural(rows.rows, "id") + ", the first is " + std::to_string(skipped[0]) +
                               "; " + topology.path + " has nodes 0 to " +
                               std::to_string(topology.isSwitch.size() - 1));
        }
    });
    ids.assign(traced.begin(), traced.end());
    return error;
}

std::string
Ns3RdmaReader::ReadChoices(const std::string& path, const Ns3RdmaTopology& topology, std::vector<Ns3RdmaFlow>& flows)
{
    return LabErrorOf([&] {
        LabTextFile file(path, "a file with lines such as 'node 3 dcqcn'", FLOW_FILE_BYTES);
        Choices choices(topology, flows.size());
        for (std::vector<std::string> words; file.NextWords(&words, '#');)
        {
            choices.Read(file, words);
        }
        for (size_t i = 0; i < flows.size(); i++)
        {
            flows[i].cc = choices.Of(i, flows[i]);
        }
    });
}

} // namespace ns3
