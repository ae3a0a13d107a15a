/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "run-file-writer.h"

#include "run-file-fields.h"

#include <initializer_list>

namespace ns3
{

std::string
RunEscape(const std::string& text)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    std::string escaped;
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < '!' || byte > '~' || byte == '%' || text == "-")
        {
            escaped += {'%', DIGITS[byte >> 4], DIGITS[byte & 15]};
        }
        else
        {
            escaped += c;
        }
    }
    return escaped.empty() ? "-" : escaped;
}

std::string
RunError::Line(const std::string& path) const
{
    std::string line = "error " + RunEscape(path) + " " + std::to_string(record) + " " + RunEscape(field) + " " +
                       RunEscape(code) + " " + RunEscape(found);
    for (const auto& one : expected)
    {
        line += " " + RunEscape(one);
    }
    return line;
}

namespace
{

/// Writes the fields of a record as RunVisit gives them.
class FieldWriter
{
  public:
    /// \param text gets the records
    explicit FieldWriter(std::string& text) : m_text(text)
    {
    }

    /// Begin a record. \param name of it
    void Begin(const char* name)
    {
        m_text += m_text.empty() ? "" : "\n";
        m_text += name;
    }

    void Put(const std::string& field)
    {
        m_text += ' ';
        m_text += m_has ? field : "-";
    }

    void If(bool has)
    {
        m_has = has;
    }

    template <class T> void Number(const char*, const T& value, int64_t, int64_t)
    {
        Put(std::to_string(value));
    }

    template <class T> void Maybe(const char*, const T& value, int64_t low, int64_t)
    {
        Put(static_cast<int64_t>(value) < low ? "-" : std::to_string(value));
    }

    template <class T> void NumberOr(const char*, const T& value, int64_t low, int64_t high, const char* none)
    {
        const auto number = static_cast<int64_t>(value);
        Put(number < low || number > high ? none : std::to_string(value));
    }

    void Flag(const char*, const bool& value)
    {
        Put(value ? "1" : "0");
    }

    template <class T> void Word(const char*, const T& value, std::initializer_list<const char*> words)
    {
        Put(*(words.begin() + static_cast<size_t>(value)));
    }

    template <class T>
    void WordOr(const char* name, const T& value, std::initializer_list<const char*> words, bool none)
    {
        If(!none);
        Word(name, value, words);
        If(true);
    }

    void Text(const char*, const std::string& text)
    {
        Put(RunEscape(text));
    }

    void Node(const char*, const uint32_t& node, uint32_t)
    {
        Put(std::to_string(node));
    }

    void NodeOr(const char*, const uint32_t& node, uint32_t, const char* none)
    {
        Put(node == RUN_NONE ? none : std::to_string(node));
    }

    void NodeOrPlace(const char*, const uint32_t& node, const RunCapturePlace& place,
                     std::initializer_list<const char*> places)
    {
        Put(place == RunCapturePlace::PORT ? std::to_string(node)
                                           : *(places.begin() + (static_cast<size_t>(place) - 1)));
    }

    template <class T>
    void MaybeRule(const char* name, const T& value, int64_t low, int64_t high, const RunWindow& rule,
                   std::initializer_list<const char*> rules)
    {
        if (rule == RunWindow::NUMBER)
        {
            Maybe(name, value, low, high);
            return;
        }
        Put(*(rules.begin() + (static_cast<size_t>(rule) - 1)));
    }

    void Port(const char*, uint32_t, const uint32_t& port)
    {
        Put(std::to_string(port));
    }

    void PortOr(const char*, uint32_t node, const uint32_t& port)
    {
        Put(node == RUN_NONE ? "-" : std::to_string(port));
    }

    void Algorithm(const char*, const uint32_t& algorithm, bool)
    {
        Put(algorithm == RUN_NONE ? "-" : std::to_string(algorithm));
    }

  private:
    std::string& m_text;
    bool m_has{true};
};

/// Writes all records of a list.
template <class T>
void
WriteAll(FieldWriter& f, const char* name, std::vector<T>& list)
{
    for (auto& one : list)
    {
        f.Begin(name);
        RunVisit(f, one);
    }
}

void
WriteAlgorithms(FieldWriter& f, RunFile& r)
{
    for (size_t i = 0; i < r.algorithms.size(); i++)
    {
        f.Begin("algorithm");
        f.Put(std::to_string(i));
        f.Put(RunEscape(r.algorithms[i].name));
        for (const auto& field : r.algorithms[i].fields)
        {
            f.Put(field.first + "=" + std::to_string(field.second));
        }
    }
    WriteAll(f, "algorithm-at", r.algorithmsAt);
}

/// Writes all records of a list whose first field is the number of each.
template <class T>
void
WriteNumbered(FieldWriter& f, const char* name, std::vector<T>& list)
{
    for (size_t i = 0; i < list.size(); i++)
    {
        f.Begin(name);
        f.Put(std::to_string(i));
        RunVisit(f, list[i]);
    }
}

void
WriteNetwork(FieldWriter& f, RunFile& r)
{
    WriteNumbered(f, "node", r.nodes);
    WriteAll(f, "internet", r.internet);
    WriteAll(f, "node-attribute", r.nodeAttributes);
    WriteNumbered(f, "link", r.links);
    f.Begin("routes");
    RunVisitRoutes(f, r);
    if (r.pool.pool)
    {
        f.Begin("pool");
        RunVisit(f, r.pool);
    }
    WriteAll(f, "marker", r.markers);
    WriteAll(f, "policer", r.policers);
    WriteAll(f, "rate", r.rates);
    WriteAll(f, "phase", r.phases);
    f.Begin("watch");
    RunVisitWatch(f, r.watch);
    for (auto& port : r.bottlenecks)
    {
        f.Begin("bottleneck");
        RunVisitBottleneck(f, port);
    }
}

void
WriteFlows(FieldWriter& f, RunFile& r)
{
    size_t group = 0;
    for (size_t i = 0; i < r.flows.size(); i++)
    {
        for (; group < r.groups.size() && r.groups[group].first <= i; group++)
        {
            f.Begin("group");
            RunVisit(f, r.groups[group]);
        }
        f.Begin("flows");
        RunVisit(f, r.flows[i]);
    }
    WriteAll(f, "arrival", r.arrivals);
    if (r.random.gap)
    {
        f.Begin("arrivals");
        RunVisit(f, r.random);
        WriteAll(f, "cdf", r.sizes);
    }
    if (r.incasts.gap)
    {
        f.Begin("incasts");
        RunVisit(f, r.incasts);
    }
    for (size_t i = 0; i < r.waits.size(); i++)
    {
        f.Begin("wait");
        RunVisit(f, r.waits[i]);
        const size_t end = i + 1 < r.waits.size() ? r.waits[i + 1].after : r.afters.size();
        for (size_t k = r.waits[i].after; k < end; k++)
        {
            f.Begin("after");
            RunVisit(f, r.afters[k]);
        }
    }
    if (r.collective.exists)
    {
        f.Begin("collective");
        RunVisit(f, r.collective);
        WriteAll(f, "rank", r.ranks);
    }
    WriteAll(f, "tcp", r.tcp);
    WriteAll(f, "lose", r.losses);
    WriteAll(f, "pause", r.pauses);
}

void
WriteOutputs(FieldWriter& f, RunFile& r)
{
    if (r.reroute >= 0 || !r.reroutes)
    {
        f.Begin("reroute");
        f.NumberOr("NS", r.reroute, 0, RUN_TIME_MAX, "never");
    }
    if (r.linkDown.at >= 0)
    {
        f.Begin("link-down");
        RunVisit(f, r.linkDown);
    }
    WriteAll(f, "fault", r.faults);
    f.Begin("guard");
    RunVisit(f, r.guard);
    WriteAll(f, "capture", r.captures);
    if (!r.captures.empty())
    {
        f.Begin("snaplen");
        f.Number("BYTES", r.snaplen, 0, 0);
    }
    const std::pair<bool, const char*> recorded[] = {
        {r.recorded.testbed, "testbed"},   {r.recorded.classes, "classes"},  {r.recorded.marks, "marks"},
        {r.recorded.received, "received"}, {r.recorded.portLog, "port-log"}, {r.recorded.cioq, "cioq"}};
    for (const auto& one : recorded)
    {
        if (one.first)
        {
            f.Begin("record");
            f.Put(one.second);
        }
    }
    for (auto& port : r.recordedPorts)
    {
        f.Begin("record-port");
        RunVisitRecordPort(f, port);
    }
    const std::pair<RunOutput*, const char*> outputs[] = {{&r.fct, "fct"}, {&r.pfc, "pfc"}, {&r.mix, "mix"}};
    for (const auto& output : outputs)
    {
        if (!output.first->file.empty())
        {
            f.Begin(output.second);
            RunVisit(f, *output.first);
        }
    }
    if (!r.qlen.file.empty())
    {
        f.Begin("qlen");
        RunVisitQlen(f, r.qlen);
    }
    WriteAll(f, "traced", r.traced);
}

} // namespace

std::string
RunWriteText(const RunFile& file)
{
    auto& r = const_cast<RunFile&>(file); // RunVisit is that of the reader too
    std::string text;
    FieldWriter f(text);
    f.Begin("rcc-run");
    f.Put("1");
    f.Begin("run");
    RunVisitRun(f, r);
    if (r.windowFrom >= 0)
    {
        f.Begin("window");
        RunVisitWindow(f, r);
    }
    if (r.interval >= 0)
    {
        f.Begin("interval");
        f.Maybe("NS", r.interval, 0, 0);
    }
    WriteAll(f, "default", r.defaults);
    WriteAlgorithms(f, r);
    WriteNetwork(f, r);
    WriteFlows(f, r);
    WriteOutputs(f, r);
    return text + "\n";
}

} // namespace ns3
