/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-fault-file.h"

#include "ns3/lab-text.h"
#include "ns3/rcc-units.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace ns3
{

namespace
{

const uint64_t FAULT_BYTES_MAX = 1 << 20; // of a file
const size_t FAULTS_MAX = 10000;
const int64_t TIME_MAX = 1000000000000; // ns
const char* const FRAMES[] = {"DATA", "ACK", "NAK", "CNP", "CNM", "PFC", "IP"};

/// What a line of each kind may have beside where, `at` and `for`; those in capitals it must have.
struct FaultShape
{
    LabFaultKind kind;
    const char* where;              //!< link, host or switch
    std::vector<std::string> needs; //!< keys
    std::vector<std::string> may;   //!< keys
};

const std::vector<FaultShape>&
Shapes()
{
    static const std::vector<FaultShape> shapes = {
        {LabFaultKind::LINK_DOWN, "link", {}, {"every", "count"}},
        {LabFaultKind::RATE, "link", {"rate"}, {}},
        {LabFaultKind::LOSE, "link", {}, {"p", "burst", "count", "frames"}},
        {LabFaultKind::CORRUPT, "link", {}, {"p", "burst", "count", "frames"}},
        {LabFaultKind::DELAY, "link", {"time"}, {"p", "burst", "count", "frames"}},
        {LabFaultKind::DUPLICATE, "link", {}, {"p", "burst", "count", "frames"}},
        {LabFaultKind::PAUSE, "host", {}, {"class"}},
        {LabFaultKind::STOP_READING, "host", {}, {"buffer"}},
        {LabFaultKind::RESTART, "switch", {"for"}, {}},
        {LabFaultKind::SLOW_NP, "host", {"every"}, {}},
        {LabFaultKind::FORGE, "host", {"frames"}, {"every", "count", "qp", "psn", "period", "class"}}};
    return shapes;
}

/// A key whose value is a quantity or a whole number.
struct Number
{
    const char* key;
    rcc_unit unit;
    int64_t low, high;                       //!< least and largest value
    void (*set)(LabFault& f, int64_t value); //!< puts it into the fault
};

const Number NUMBERS[] = {
    {"at", RCC_UNIT_NS, 0, TIME_MAX, [](LabFault& f, int64_t ns) { f.at = ns; }},
    {"for", RCC_UNIT_NS, 1, TIME_MAX, [](LabFault& f, int64_t ns) { f.lasts = ns; }},
    {"time", RCC_UNIT_NS, 1, TIME_MAX, [](LabFault& f, int64_t ns) { f.time = ns; }},
    {"every", RCC_UNIT_NS, 1, TIME_MAX, [](LabFault& f, int64_t ns) { f.time = ns; }},
    {"period", RCC_UNIT_NS, 0, UINT32_MAX, [](LabFault& f, int64_t ns) { f.period = static_cast<uint32_t>(ns); }},
    {"p", RCC_UNIT_RATIO, 1, RCC_RATIO_ONE,
     [](LabFault& f, int64_t ppb) { f.probability = static_cast<double>(ppb) / RCC_RATIO_ONE; }},
    {"rate", RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX,
     [](LabFault& f, int64_t bps) { f.rate = static_cast<uint64_t>(bps); }},
    {"buffer", RCC_UNIT_BYTES, 1, 1000000000000, [](LabFault& f, int64_t n) { f.bytes = static_cast<uint64_t>(n); }},
    {"burst", RCC_UNIT_COUNT, 1, 1000000, [](LabFault& f, int64_t n) { f.burst = static_cast<uint32_t>(n); }},
    {"count", RCC_UNIT_COUNT, 1, 1000000, [](LabFault& f, int64_t n) { f.count = static_cast<uint64_t>(n); }},
    {"qp", RCC_UNIT_COUNT, 0, UINT32_MAX, [](LabFault& f, int64_t n) { f.qp = static_cast<uint32_t>(n); }},
    {"psn", RCC_UNIT_COUNT, 0, INT64_MAX, [](LabFault& f, int64_t n) { f.psn = static_cast<uint64_t>(n); }},
    {"class", RCC_UNIT_COUNT, 0, QBB_CLASSES - 1, [](LabFault& f, int64_t n) { f.cls = static_cast<uint8_t>(n); }}};

/// One line of the file.
class FaultLine
{
  public:
    FaultLine(const LabTextFile& file, const std::vector<std::string>& words) : m_file(file), m_words(words)
    {
    }

    LabFault Read()
    {
        const FaultShape& shape = FindShape();
        m_fault.kind = shape.kind;
        m_fault.line = m_file.GetLine();
        if (shape.kind == LabFaultKind::FORGE)
        {
            m_fault.count = 1;
            m_fault.time = 1000;
        }
        std::set<std::string> seen;
        for (size_t i = 1; i < m_words.size(); i++)
        {
            const size_t equals = m_words[i].find('=');
            const std::string key = m_words[i].substr(0, equals);
            CheckKey(shape, key, equals != std::string::npos);
            if (!seen.insert(key).second)
            {
                m_file.Fail(key, "it twice", "it once");
            }
            Set(key, m_words[i].substr(equals + 1));
        }
        CheckWhole(shape, seen);
        return m_fault;
    }

    /// "reroute time=TIME", "reroute time=never"
    int64_t ReadReroute()
    {
        if (m_words.size() != 2 || m_words[1].compare(0, 5, "time=") != 0)
        {
            m_file.Fail("reroute", LabShown(m_words.size() > 1 ? m_words[1] : ""), "time=TIME or time=never");
        }
        const std::string value = m_words[1].substr(5);
        return value == "never" ? -1 : Quantity("time", value, RCC_UNIT_NS, 0, TIME_MAX);
    }

  private:
    const FaultShape& FindShape() const
    {
        std::vector<std::string> names;
        for (const auto& shape : Shapes())
        {
            names.emplace_back(LabFault::NameOf(shape.kind));
            if (names.back() == m_words[0])
            {
                return shape;
            }
        }
        m_file.Fail("fault", LabShown(m_words[0]), "reroute, " + RccJoin(names, ", "));
    }

    void CheckKey(const FaultShape& shape, const std::string& key, bool hasValue) const
    {
        std::vector<std::string> keys = {shape.where, "at", "for"};
        keys.insert(keys.end(), shape.needs.begin(), shape.needs.end());
        keys.insert(keys.end(), shape.may.begin(), shape.may.end());
        if (!hasValue || std::find(keys.begin(), keys.end(), key) == keys.end())
        {
            m_file.Fail(m_words[0], LabShown(key), RccJoin(keys, "=, ") + "=");
        }
    }

    /// One forged frame, or a link that fails once, has no use for these.
    void CheckRepeated(const std::set<std::string>& seen) const
    {
        for (const char* key : {"for", "every"})
        {
            const bool repeats = m_fault.kind == LabFaultKind::FORGE ||
                                 (m_fault.kind == LabFaultKind::LINK_DOWN && std::string(key) == "every");
            if (repeats && seen.count(key) && m_fault.count <= 1)
            {
                const bool given = seen.count("count") > 0;
                m_file.Fail("count", given ? "1" : "nothing",
                            std::string(given ? "2 or more with " : "count=N with ") + key + "=TIME");
            }
        }
    }

    /// Not all kinds of frames have all the fields that can be forged.
    void CheckForged(const std::set<std::string>& seen) const
    {
        const auto bit = [](RccFrameKind kind) { return 1u << static_cast<uint32_t>(kind); };
        const struct
        {
            const char* key;
            uint32_t frames;
            const char* expected;
        } fields[] = {{"period", bit(RccFrameKind::CNP), "frames=CNP with it"},
                      {"class", bit(RccFrameKind::DATA), "frames=DATA with it"},
                      {"psn", LabFault::PACKETS, "frames=DATA, ACK or NAK with it"}};
        for (const auto& field : fields)
        {
            if (seen.count(field.key) && !(m_fault.frames & field.frames))
            {
                m_file.Fail(field.key, std::string("frames=") + FRAMES[__builtin_ctz(m_fault.frames)], field.expected);
            }
        }
    }

    void CheckWhole(const FaultShape& shape, const std::set<std::string>& seen) const
    {
        std::vector<std::string> needs = shape.needs;
        needs.insert(needs.begin(), shape.where);
        for (const auto& key : needs)
        {
            if (!seen.count(key))
            {
                m_file.Fail(key, "nothing", m_words[0] + " " + key + "=...");
            }
        }
        CheckRepeated(seen);
        if (m_fault.kind == LabFaultKind::FORGE)
        {
            CheckForged(seen);
        }
        if (!m_fault.HasPossibleBursts())
        {
            m_file.Fail("p", seen.count("p") ? LabShown(m_p) : "nothing",
                        "at most " + std::to_string(m_fault.burst) + "/" + std::to_string(uint64_t{m_fault.burst} + 1) +
                            " with burst=" + std::to_string(m_fault.burst));
        }
        const bool flap = m_fault.kind == LabFaultKind::LINK_DOWN && m_fault.count > 1;
        if (flap && (m_fault.lasts < 0 || m_fault.time <= m_fault.lasts))
        {
            m_file.Fail("count", std::to_string(m_fault.count), "for=TIME and a longer every=TIME with it");
        }
    }

    int64_t Quantity(const std::string& key, const std::string& text, rcc_unit unit, int64_t low, int64_t high) const
    {
        int64_t value = 0;
        const std::string expected = RccParseWithin(unit, text, low, high, &value);
        if (!expected.empty())
        {
            m_file.Fail(key, LabShown(text), expected);
        }
        return value;
    }

    int64_t Whole(const std::string& key, const std::string& text, int64_t low, int64_t high) const
    {
        uint64_t value = 0;
        if (!RccParseWhole(text, static_cast<uint64_t>(high), &value) || static_cast<int64_t>(value) < low)
        {
            m_file.Fail(key, LabShown(text), std::to_string(low) + " to " + std::to_string(high));
        }
        return static_cast<int64_t>(value);
    }

    void SetLink(const std::string& text)
    {
        const size_t dash = text.find_first_of("->");
        if (text == "all")
        {
            return;
        }
        uint64_t a = 0;
        uint64_t b = 0;
        if (dash == std::string::npos || !RccParseWhole(text.substr(0, dash), UINT32_MAX - 1, &a) ||
            !RccParseWhole(text.substr(dash + 1), UINT32_MAX - 1, &b) || a == b)
        {
            m_file.Fail("link", LabShown(text), "all, NODE-NODE for both directions or NODE>NODE for one");
        }
        m_fault.node = static_cast<uint32_t>(a);
        m_fault.peer = static_cast<uint32_t>(b);
        m_fault.oneWay = text[dash] == '>';
        if (m_fault.oneWay && m_fault.kind < LabFaultKind::LOSE)
        {
            m_file.Fail("link", LabShown(text), "NODE-NODE: the link fails in both directions");
        }
    }

    void SetFrames(const std::string& text)
    {
        const bool forge = m_fault.kind == LabFaultKind::FORGE;
        if (text == "all" && !forge)
        {
            m_fault.frames = 0xff;
            return;
        }
        m_fault.frames = 0;
        const std::vector<std::string> names = LabSplit(text, ',');
        const auto n = static_cast<uint32_t>(forge ? 5 : 7); // PFC and IP are not forged
        for (const auto& name : names)
        {
            const auto kind = static_cast<uint32_t>(std::find(FRAMES, FRAMES + n, name) - FRAMES);
            m_fault.frames |= kind < n ? 1u << kind : 0;
            if (kind == n || (forge && names.size() > 1))
            {
                m_file.Fail("frames", LabShown(text),
                            forge ? "one of DATA, ACK, NAK, CNP, CNM" : "all, or some of DATA,ACK,NAK,CNP,CNM,PFC,IP");
            }
        }
        if (!m_fault.frames)
        {
            m_file.Fail("frames", LabShown(text), "all, or some of DATA,ACK,NAK,CNP,CNM,PFC,IP");
        }
    }

    void Set(const std::string& key, const std::string& text)
    {
        if (key == "link")
        {
            SetLink(text);
        }
        else if (key == "host" || key == "switch")
        {
            const bool all = key == "host" && text == "all";
            m_fault.node = all ? LabFault::ALL : static_cast<uint32_t>(Whole(key, text, 0, UINT32_MAX - 1));
        }
        else if (key == "frames")
        {
            SetFrames(text);
        }
        else
        {
            SetNumber(key, text);
        }
    }

    /// Every key that is not read elsewhere is in NUMBERS: CheckKey knows no others.
    void SetNumber(const std::string& key, const std::string& text)
    {
        const Number& n =
            *std::find_if(std::begin(NUMBERS), std::end(NUMBERS), [&](const Number& x) { return key == x.key; });
        const bool whole = n.unit == RCC_UNIT_COUNT; // without an exponent
        m_p = key == "p" ? text : m_p;
        n.set(m_fault, whole ? Whole(key, text, n.low, n.high) : Quantity(key, text, n.unit, n.low, n.high));
    }

    const LabTextFile& m_file;
    const std::vector<std::string>& m_words;
    LabFault m_fault;
    std::string m_p; //!< text of p=
};

} // namespace

std::string
LabReadFaults(const std::string& path, std::vector<LabFault>& faults, int64_t& reroute)
{
    return LabErrorOf([&] {
        LabTextFile file(path, "a file of faults", FAULT_BYTES_MAX);
        std::vector<std::string> words;
        for (bool rerouted = false; file.NextWords(&words, '#');)
        {
            FaultLine line(file, words);
            if (words[0] == "reroute")
            {
                reroute = line.ReadReroute();
                if (rerouted)
                {
                    file.Fail("reroute", "it twice", "it once");
                }
                rerouted = true;
                continue;
            }
            faults.push_back(line.Read());
            if (faults.size() > FAULTS_MAX)
            {
                throw LabFileError(
                    file.At("found more than " + std::to_string(FAULTS_MAX) + " faults, expected fewer"));
            }
        }
        if (faults.empty())
        {
            throw LabFileError(LabAt(path, file.GetLine(), "found no fault, expected at least one"));
        }
    });
}

} // namespace ns3
