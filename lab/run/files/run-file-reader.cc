/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "run-file-reader.h"

#include "run-file-check.h"
#include "run-file-fields.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <memory>

namespace ns3
{

namespace
{

/// The value of a hexadecimal digit that RunEscape writes; -1: it is none.
int
HexOf(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Takes the fields of a record one by one, and puts each where RunVisit says.
class FieldReader
{
  public:
    /// \param file with the records before \param begin of the fields \param end of the line
    FieldReader(RunFile& file, const char* begin, const char* end, uint32_t record)
        : m_file(file),
          m_at(begin),
          m_end(end),
          m_record(record)
    {
    }

    /// The fields that follow are those of the record, or else each is "-".
    void If(bool has)
    {
        m_has = has;
    }

    template <class T> void Number(const char* name, T& value, int64_t low, int64_t high)
    {
        if (Take(name))
        {
            value = static_cast<T>(GetWhole(name, low, high));
        }
    }

    template <class T> void Maybe(const char* name, T& value, int64_t low, int64_t high)
    {
        if (Take(name) && !Is("-"))
        {
            value = static_cast<T>(GetWhole(name, low, high));
        }
    }

    template <class T> void NumberOr(const char* name, T& value, int64_t low, int64_t high, const char* none)
    {
        if (Take(name) && !Is(none))
        {
            value = static_cast<T>(GetWhole(name, low, high));
        }
    }

    void Flag(const char* name, bool& value)
    {
        Number(name, value, 0, 1);
    }

    template <class T> void Word(const char* name, T& value, std::initializer_list<const char*> words)
    {
        if (!Take(name))
        {
            return;
        }
        for (auto word = words.begin(); word != words.end(); ++word)
        {
            if (Is(*word))
            {
                value = static_cast<T>(word - words.begin());
                return;
            }
        }
        Fail(name, "word", std::vector<std::string>(words.begin(), words.end()));
    }

    template <class T> void WordOr(const char* name, T& value, std::initializer_list<const char*> words, bool none)
    {
        If(!none);
        Word(name, value, words);
        If(true);
    }

    void Text(const char* name, std::string& text)
    {
        if (!Take(name))
        {
            return;
        }
        text.clear();
        for (const char* c = m_field; c != m_fieldEnd && !Is("-"); c++)
        {
            const bool escaped = *c == '%';
            const int high = escaped && m_fieldEnd - c > 2 ? HexOf(c[1]) : -1;
            const int low = high >= 0 ? HexOf(c[2]) : -1;
            if (*c < '!' || *c > '~' || (escaped && low < 0))
            {
                Fail(name, "text");
            }
            text += escaped ? static_cast<char>(high * 16 + low) : *c;
            c += escaped ? 2 : 0;
        }
    }

    /// A node that a record before has made. \param kinds that are allowed, one bit each
    void Node(const char* name, uint32_t& node, uint32_t kinds)
    {
        if (Take(name))
        {
            node = FindNode(name, kinds);
        }
    }

    void NodeOr(const char* name, uint32_t& node, uint32_t kinds, const char* none)
    {
        if (Take(name))
        {
            node = Is(none) ? RUN_NONE : FindNode(name, kinds);
        }
    }

    void NodeOrPlace(const char* name, uint32_t& node, RunCapturePlace& place,
                     std::initializer_list<const char*> places)
    {
        node = RUN_NONE;
        if (Take(name) && !TakeRule(place, places))
        {
            node = FindNode(name, RUN_ANY_NODE);
        }
    }

    /// A number, "-", or the name of a rule.
    template <class T>
    void MaybeRule(const char* name, T& value, int64_t low, int64_t high, RunWindow& rule,
                   std::initializer_list<const char*> rules)
    {
        if (Take(name) && !TakeRule(rule, rules) && !Is("-"))
        {
            value = static_cast<T>(GetWhole(name, low, high));
        }
    }

    /// A port of a node, whose links may follow: CheckPorts looks at it in the end.
    void Port(const char* name, uint32_t, uint32_t& port)
    {
        Number(name, port, 0, UINT16_MAX);
    }

    void PortOr(const char* name, uint32_t node, uint32_t& port)
    {
        If(node != RUN_NONE);
        Number(name, port, 0, UINT16_MAX);
        If(true);
    }

    /// An algorithm that a record before has made. \param orRun it may be "-"
    void Algorithm(const char* name, uint32_t& algorithm, bool orRun)
    {
        if (Take(name) && !(orRun && Is("-")))
        {
            const auto most = static_cast<int64_t>(m_file.algorithms.size()) - 1;
            algorithm = static_cast<uint32_t>(GetWhole(name, 0, most, "algorithm"));
        }
    }

    /// The number of a thing that this record makes. \param next its number
    void Next(const char* name, size_t next)
    {
        const auto number = static_cast<int64_t>(next);
        Take(name);
        GetWhole(name, number, number, "order");
    }

    /// FIELD=VALUE to the end of the line.
    void Pairs(std::vector<std::pair<std::string, int64_t>>& pairs)
    {
        while (m_at != m_end)
        {
            Take("FIELD=VALUE");
            const char* const equal = std::find(m_field, m_fieldEnd, '=');
            if (equal == m_fieldEnd)
            {
                Fail("FIELD=VALUE", "text");
            }
            const std::string field(m_field, equal);
            m_field = equal + 1;
            pairs.emplace_back(field, GetWhole(field.c_str(), INT64_MIN + 1, INT64_MAX));
        }
    }

    void End()
    {
        if (m_at != m_end)
        {
            Take("");
            Fail("", "more");
        }
    }

    [[noreturn]] void Fail(const char* name, const char* code, const std::vector<std::string>& expected = {}) const
    {
        throw RunError(m_record, name, code, std::string(m_field, m_fieldEnd), expected);
    }

  private:
    /// Go to the next field. \return whether it is one of the record
    bool Take(const char* name)
    {
        m_field = m_fieldEnd = m_at;
        const size_t left = static_cast<size_t>(m_end - m_at);
        const char* const blank = left ? static_cast<const char*>(std::memchr(m_at, ' ', left)) : nullptr;
        m_fieldEnd = blank ? blank : m_end;
        m_at = blank ? blank + 1 : m_end;
        if (m_field == m_fieldEnd)
        {
            Fail(name, "missing");
        }
        if (!m_has && !Is("-"))
        {
            Fail(name, "none", {"-"});
        }
        return m_has;
    }

    /// \return whether the field is one of some words, of which the first is that behind the least value of a rule
    template <class T> bool TakeRule(T& rule, std::initializer_list<const char*> rules) const
    {
        for (auto one = rules.begin(); one != rules.end(); ++one)
        {
            if (Is(*one))
            {
                rule = static_cast<T>(one - rules.begin() + 1);
                return true;
            }
        }
        return false;
    }

    bool Is(const char* word) const
    {
        const size_t size = std::strlen(word);
        return static_cast<size_t>(m_fieldEnd - m_field) == size && std::memcmp(m_field, word, size) == 0;
    }

    /// The field as a whole number within a range. \param code of what is out of it
    int64_t GetWhole(const char* name, int64_t low, int64_t high, const char* code = "range") const
    {
        const bool minus = *m_field == '-';
        const char* c = m_field + (minus ? 1 : 0);
        int64_t value = 0;
        if (c == m_fieldEnd || m_fieldEnd - c > 19)
        {
            Fail(name, "number");
        }
        for (; c != m_fieldEnd; c++)
        {
            const int digit = *c - '0';
            if (digit < 0 || digit > 9 || value > (INT64_MAX - digit) / 10)
            {
                Fail(name, "number");
            }
            value = value * 10 + digit;
        }
        value = minus ? -value : value;
        if (value < low || value > high)
        {
            Fail(name, code, {std::to_string(low), std::to_string(high)});
        }
        return value;
    }

    uint32_t FindNode(const char* name, uint32_t kinds) const
    {
        const auto most = static_cast<int64_t>(m_file.nodes.size()) - 1;
        const auto node = static_cast<uint32_t>(GetWhole(name, 0, most, "node"));
        if (!(kinds >> static_cast<uint32_t>(m_file.nodes[node].kind) & 1))
        {
            Fail(name, "kind");
        }
        return node;
    }

    RunFile& m_file;
    const char *m_at, *m_end;
    const char *m_field{nullptr}, *m_fieldEnd{nullptr};
    uint32_t m_record;
    bool m_has{true};
};

// ---------------------------------------------------------------- records

/// Adds a record to a list.
template <class T>
void
Add(FieldReader& f, std::vector<T>& list, uint32_t record)
{
    list.emplace_back();
    list.back().record = record;
    RunVisit(f, list.back());
}

void
ReadAlgorithm(FieldReader& f, RunFile& r, uint32_t record)
{
    f.Next("N", r.algorithms.size());
    RunAlgorithm algorithm;
    algorithm.record = record;
    f.Text("NAME", algorithm.name);
    f.Pairs(algorithm.fields);
    r.algorithms.push_back(std::move(algorithm));
}

void
ReadNode(FieldReader& f, RunFile& r, uint32_t record)
{
    f.Next("ID", r.nodes.size());
    RunNode node;
    node.record = record;
    RunVisit(f, node);
    r.nodes.push_back(std::move(node));
}

void
ReadLink(FieldReader& f, RunFile& r, uint32_t record)
{
    f.Next("ID", r.links.size());
    Add(f, r.links, record);
    if (r.links.back().a == r.links.back().b)
    {
        throw RunError(record, "B", "same", std::to_string(r.links.back().b));
    }
}

void
ReadGroup(FieldReader& f, RunFile& r, uint32_t record)
{
    Add(f, r.groups, record);
    r.groups.back().first = static_cast<uint32_t>(r.flows.size());
}

void
ReadWait(FieldReader& f, RunFile& r, uint32_t record)
{
    Add(f, r.waits, record);
    r.waits.back().after = static_cast<uint32_t>(r.afters.size());
}

void
ReadAfter(FieldReader& f, RunFile& r, uint32_t record)
{
    if (r.waits.empty())
    {
        f.Fail("", "order");
    }
    Add(f, r.afters, record);
}

void
ReadRecord(FieldReader& f, RunFile& r, uint32_t)
{
    uint8_t what = 0;
    f.Word("WHAT", what, {"testbed", "classes", "marks", "received", "port-log", "cioq"});
    bool* const all[] = {&r.recorded.testbed,  &r.recorded.classes, &r.recorded.marks,
                         &r.recorded.received, &r.recorded.portLog, &r.recorded.cioq};
    *all[what] = true;
}

void
ReadReroute(FieldReader& f, RunFile& r, uint32_t)
{
    f.NumberOr("NS", r.reroute, 0, RUN_TIME_MAX, "never");
    r.reroutes = r.reroute >= 0;
}

/// A record, and what reads its fields.
struct Kind
{
    const char* name;
    bool once;
    void (*read)(FieldReader& f, RunFile& r, uint32_t record);
};

/// The kinds that may be many come first.
const Kind KINDS[] = {
    {"flows", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.flows, n); }},
    {"group", false, &ReadGroup},
    {"arrival", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.arrivals, n); }},
    {"after", false, &ReadAfter},
    {"wait", false, &ReadWait},
    {"link", false, &ReadLink},
    {"node", false, &ReadNode},
    {"tcp", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.tcp, n); }},
    {"internet", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.internet, n); }},
    {"rcc-run", true, [](FieldReader& f, RunFile&, uint32_t) { f.Next("VERSION", 1); }},
    {"run", true, [](FieldReader& f, RunFile& r, uint32_t) { RunVisitRun(f, r); }},
    {"window", true, [](FieldReader& f, RunFile& r, uint32_t) { RunVisitWindow(f, r); }},
    {"interval", true,
     [](FieldReader& f, RunFile& r, uint32_t) { f.Maybe("NS", r.interval, 10, RUN_TIME_MAX); }},
    {"default", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.defaults, n); }},
    {"algorithm", false, &ReadAlgorithm},
    {"algorithm-at", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.algorithmsAt, n); }},
    {"node-attribute", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.nodeAttributes, n); }},
    {"routes", true,
     [](FieldReader& f, RunFile& r, uint32_t) { RunVisitRoutes(f, r); }},
    {"pool", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisit(f, (r.pool.record = n, r.pool)); }},
    {"link-down", true,
     [](FieldReader& f, RunFile& r, uint32_t n) { RunVisit(f, (r.linkDown.record = n, r.linkDown)); }},
    {"marker", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.markers, n); }},
    {"policer", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.policers, n); }},
    {"rate", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.rates, n); }},
    {"phase", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.phases, n); }},
    {"watch", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisitWatch(f, (r.watch.record = n, r.watch)); }},
    {"bottleneck", false,
     [](FieldReader& f, RunFile& r, uint32_t n) {
         r.bottlenecks.emplace_back();
         r.bottlenecks.back().record = n;
         RunVisitBottleneck(f, r.bottlenecks.back());
     }},
    {"arrivals", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisit(f, (r.random.record = n, r.random)); }},
    {"cdf", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.sizes, n); }},
    {"incasts", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisit(f, (r.incasts.record = n, r.incasts)); }},
    {"collective", true,
     [](FieldReader& f, RunFile& r, uint32_t n) {
         r.collective.record = n;
         r.collective.exists = true;
         RunVisit(f, r.collective);
     }},
    {"rank", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.ranks, n); }},
    {"lose", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.losses, n); }},
    {"pause", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.pauses, n); }},
    {"reroute", true, &ReadReroute},
    {"fault", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.faults, n); }},
    {"guard", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisit(f, (r.guard.record = n, r.guard)); }},
    {"capture", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.captures, n); }},
    {"snaplen", true, [](FieldReader& f, RunFile& r, uint32_t) { f.Number("BYTES", r.snaplen, 14, 262144); }},
    {"record", false, &ReadRecord},
    {"record-port", false,
     [](FieldReader& f, RunFile& r, uint32_t n) {
         r.recordedPorts.emplace_back();
         r.recordedPorts.back().record = n;
         RunVisitRecordPort(f, r.recordedPorts.back());
     }},
    {"fct", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisit(f, (r.fct.record = n, r.fct)); }},
    {"pfc", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisit(f, (r.pfc.record = n, r.pfc)); }},
    {"qlen", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisitQlen(f, (r.qlen.record = n, r.qlen)); }},
    {"mix", true, [](FieldReader& f, RunFile& r, uint32_t n) { RunVisit(f, (r.mix.record = n, r.mix)); }},
    {"traced", false, [](FieldReader& f, RunFile& r, uint32_t n) { Add(f, r.traced, n); }}};

const size_t N_KINDS = sizeof KINDS / sizeof KINDS[0];

/// Records without which nothing can run.
void
CheckSeen(const std::vector<uint32_t>& seen)
{
    for (size_t i = 0; i < N_KINDS; i++)
    {
        const std::string name = KINDS[i].name;
        const bool needed = name == "rcc-run" || name == "run" || name == "algorithm" || name == "watch";
        if (needed && !seen[i])
        {
            throw RunError(0, name, "absent", "");
        }
    }
}

} // namespace

RunFile
RunReadText(const std::string& text)
{
    RunFile file;
    std::vector<uint32_t> seen(N_KINDS); // record of the last one
    const char* at = text.data();
    const char* const end = at + text.size();
    for (uint32_t record = 1; at != end; record++)
    {
        const char* const lineEnd = std::find(at, end, '\n');
        const char* const line = at;
        at = lineEnd == end ? end : lineEnd + 1;
        if (line == lineEnd || *line == '#')
        {
            continue;
        }
        const char* const word = std::find(line, lineEnd, ' ');
        const auto size = static_cast<size_t>(word - line);
        size_t i = 0;
        while (i < N_KINDS && (std::strlen(KINDS[i].name) != size || std::memcmp(KINDS[i].name, line, size) != 0))
        {
            i++;
        }
        const std::string name(line, word);
        if (i == N_KINDS)
        {
            throw RunError(record, "", "record", name);
        }
        if (seen[i] && KINDS[i].once)
        {
            throw RunError(record, "", "twice", name, {std::to_string(seen[i])});
        }
        seen[i] = record;
        FieldReader fields(file, word == lineEnd ? lineEnd : word + 1, lineEnd, record);
        KINDS[i].read(fields, file, record);
        fields.End();
    }
    CheckSeen(seen);
    RunCheckFile(file);
    return file;
}

RunFile
RunReadFile(const std::string& path)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file)
    {
        throw RunError(0, "", "file", std::strerror(errno));
    }
    std::string text;
    std::vector<char> block(1 << 20);
    for (size_t n = 0; (n = std::fread(block.data(), 1, block.size(), file.get())) > 0;)
    {
        text.append(block.data(), n);
    }
    if (std::ferror(file.get()))
    {
        throw RunError(0, "", "file", std::strerror(errno));
    }
    return RunReadText(text);
}

} // namespace ns3
