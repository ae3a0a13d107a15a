/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* config.txt: first the words become keys with values, then, once the keys have told the dialect, what they mean. */
#include "ns3-rdma-keys.h"
#include "ns3-rdma-reader.h"
#include "rcc-text.h"

#include "ns3/rcc-units.h"
#include "ns3/rcc.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3
{

namespace
{

using Kind = Ns3RdmaKind;

const size_t FILE_MAX = 1 << 20;
const size_t WARNINGS_MAX = 50;
const size_t MAP_MAX = 1000;
const uint64_t MAP_RATE_MAX = 8000000000000; // forks list rates that no link of theirs has to have
const uint64_t KIB = 1024;
const int64_t PACKET = 1030;               // the original's packets, for KMIN and KMAX
const int64_t LINK_DOWN_FROM = 2000000000; // ns

struct Given
{
    std::vector<std::string> words;
    uint32_t line{0};
};

/// What a value is in our units.
struct Value
{
    int64_t number{0};
    uint32_t a{0}, b{0}; //!< LINK_DOWN
    Ns3RdmaRateMap map;
};

bool
LooksLikeKey(const std::string& word)
{
    return word.size() >= 3 && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos &&
           word.find_first_not_of("0123456789_") != std::string::npos;
}

std::string
Upper(std::string word)
{
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return word;
}

/// A fraction in ppb: 0.01, 1e-3 or 1/16.
bool
ParseFraction(const std::string& text, int64_t* ppb)
{
    const size_t slash = text.find('/');
    uint64_t value = 0;
    if (slash == std::string::npos)
    {
        if (!RccParseNumber(text, 9, 1, &value))
        {
            return false;
        }
        *ppb = static_cast<int64_t>(value);
        return true;
    }
    uint64_t below = 0;
    if (!RccParseNumber(text.substr(0, slash), 0, RCC_RATIO_ONE, &value) ||
        !RccParseNumber(text.substr(slash + 1), 0, RCC_RATIO_ONE, &below) || below == 0 || value > below ||
        text.find_first_of(".eE") != std::string::npos)
    {
        return false;
    }
    *ppb = static_cast<int64_t>((value * RCC_RATIO_ONE + below / 2) / below);
    return true;
}

/// The words of config.txt, key by key.
class Words
{
  public:
    Words(const std::string& path, std::vector<std::string>* warnings) : m_path(path), m_warnings(warnings)
    {
    }

    std::string Read(std::map<std::string, Given>* given);

  private:
    struct Word
    {
        std::string text;
        uint32_t line;
        bool first; //!< of its line
    };

    enum State
    {
        BLANK,
        KNOWN,
        UNKNOWN,
        PROSE
    };

    std::string At(uint32_t line) const
    {
        return m_path + ":" + std::to_string(line) + ": ";
    }

    void Warn(const std::string& text)
    {
        m_nWarnings++;
        if (m_nWarnings <= WARNINGS_MAX)
        {
            m_warnings->push_back(text);
        }
    }

    void Unknown(const Word& word);
    std::string Take(const Ns3RdmaKey& key, size_t* at, Given* given);

    std::string m_path, m_last;
    std::vector<std::string>* m_warnings;
    size_t m_nWarnings{0};
    std::vector<Word> m_words;
    State m_state{BLANK}; //!< of the line of the last word
    bool m_prose{false};
};

void
Words::Unknown(const Word& word)
{
    if (!word.first)
    {
        if (m_state == KNOWN)
        {
            Warn(At(word.line) + m_last + ": ignored " + RccShown(word.text) + " after the value");
            m_state = UNKNOWN;
        }
        return;
    }
    const bool similar = word.text.size() <= 64 && Ns3RdmaFindKey(Upper(word.text));
    if (LooksLikeKey(word.text) || similar)
    {
        m_state = UNKNOWN;
        std::string near;
        if (m_nWarnings < WARNINGS_MAX && word.text.size() <= 64)
        {
            std::vector<std::string> names;
            for (const auto& k : Ns3RdmaKeys())
            {
                names.emplace_back(k.name);
            }
            near = RccNearest(Upper(word.text), names);
        }
        Warn(At(word.line) + "ignored the unknown key " + RccShown(word.text) +
             (near.empty() ? "" : "; the nearest is '" + near + "'"));
        return;
    }
    m_state = PROSE;
    if (!m_prose)
    {
        Warn(At(word.line) + "ignored text that does not begin with a key: " + RccShown(word.text));
        m_prose = true;
    }
}

/// The values of a key whose word is at `at`. \return empty, or what is wrong
std::string
Words::Take(const Ns3RdmaKey& key, size_t* at, Given* given)
{
    const uint32_t line = m_words[*at].line;
    given->line = line;
    given->words.clear();
    const bool map = key.kind == Kind::MAP_BYTES || key.kind == Kind::MAP_SHARE;
    size_t wanted = key.kind == Kind::LINK_DOWN ? 3 : 1;
    while (given->words.size() < wanted)
    {
        ++*at;
        const bool end = *at >= m_words.size();
        if (end || Ns3RdmaFindKey(m_words[*at].text))
        {
            const std::string which = wanted > 1 ? " instead of value " + std::to_string(given->words.size() + 1) +
                                                       " of " + std::to_string(wanted)
                                                 : "";
            return At(line) + key.name + ": found " +
                   (end ? "the end of the file" : "the key '" + m_words[*at].text + "'") + which + ", expected " +
                   Ns3RdmaExpected(key);
        }
        given->words.push_back(m_words[*at].text);
        uint64_t n = 0;
        if (map && given->words.size() == 1)
        {
            if (!RccParseDecimal(given->words[0], 0, MAP_MAX, &n))
            {
                return At(line) + key.name + ": found " + RccShown(given->words[0]) + ", expected " +
                       Ns3RdmaExpected(key);
            }
            wanted = 1 + 2 * n;
        }
    }
    return "";
}

std::string
Words::Read(std::map<std::string, Given>* given)
{
    RccTextFile file;
    std::string error = file.Open(m_path, "a configuration file with lines of KEY value", FILE_MAX);
    if (!error.empty())
    {
        return error;
    }
    for (std::vector<std::string> words; file.NextWords(&words);)
    {
        for (size_t i = 0; i < words.size(); i++)
        {
            m_words.push_back({words[i], file.GetLine(), i == 0});
        }
    }
    if (!file.GetError().empty())
    {
        return file.GetError();
    }
    for (size_t at = 0; at < m_words.size(); at++)
    {
        const Word& word = m_words[at];
        const Ns3RdmaKey* key = Ns3RdmaFindKey(word.text);
        if (key && !word.first && m_state == PROSE)
        {
            Warn(At(word.line) + key->name +
                 ": ignored, because its line does not begin with a key; those simulators would read it");
            continue;
        }
        if (!key)
        {
            Unknown(word);
            continue;
        }
        Given value;
        error = Take(*key, &at, &value);
        if (!error.empty())
        {
            return error;
        }
        m_state = KNOWN;
        m_last = key->name;
        auto old = given->find(key->name);
        if (old != given->end())
        {
            Warn(At(value.line) + key->name + ": given again, line " + std::to_string(old->second.line) +
                 " is ignored");
        }
        (*given)[key->name] = value;
    }
    if (m_nWarnings > WARNINGS_MAX)
    {
        m_warnings->push_back(m_path + ": and " + std::to_string(m_nWarnings - WARNINGS_MAX) + " more of these");
    }
    return "";
}

/// Gives the keys their meaning.
class Meaning
{
  public:
    Meaning(Ns3RdmaConfig* config, const std::map<std::string, Given>& given) : m_config(*config), m_given(given)
    {
    }

    std::string Run(const Ns3RdmaDialect* dialect);

  private:
    std::string At(const std::string& key) const
    {
        auto it = m_given.find(key);
        return m_config.path + ":" + std::to_string(it == m_given.end() ? 1 : it->second.line) + ": " + key + ": ";
    }

    void Detect(const Ns3RdmaDialect* dialect);
    std::string Apply(const Ns3RdmaKey& key, const std::vector<std::string>& words);
    bool Parse(const Ns3RdmaKey& key, const std::vector<std::string>& words, Value* value, std::string* found) const;
    bool ParseMap(const Ns3RdmaKey& key, const std::vector<std::string>& words, Value* value, std::string* found) const;
    void Store(const Ns3RdmaKey& key, const std::vector<std::string>& words, const Value& value);
    std::string Algorithm();
    std::string Parameters();
    void Timely(const std::string& key, std::string* name, std::string* text);
    std::string Thresholds();
    void Units();

    Ns3RdmaConfig& m_config;
    const std::map<std::string, Given>& m_given;
    std::map<std::string, int64_t> m_numbers; //!< of the keys that are parameters, and CC_MODE
};

void
Meaning::Detect(const Ns3RdmaDialect* dialect)
{
    unsigned original = 0;
    unsigned hpcc = 0;
    std::string one, other; // the first of each
    for (const auto& k : Ns3RdmaKeys())
    {
        if (!m_given.count(k.name) || k.lineage == Ns3RdmaKey::BOTH)
        {
            continue;
        }
        const bool isHpcc = k.lineage == Ns3RdmaKey::HPCC;
        (isHpcc ? hpcc : original)++;
        std::string& first = isHpcc ? other : one;
        first = first.empty() ? k.name : first;
    }
    if (dialect)
    {
        m_config.dialect = *dialect;
        return;
    }
    m_config.dialect = original > hpcc ? Ns3RdmaDialect::ORIGINAL : Ns3RdmaDialect::HPCC;
    const std::string name = Ns3RdmaReader::DialectName(m_config.dialect);
    if (original + hpcc == 0)
    {
        m_config.warnings.push_back(m_config.path + ": no key is of one simulator only; it is read as one of " + name);
    }
    else if (original > 0 && hpcc > 0)
    {
        m_config.warnings.push_back(m_config.path + ": has keys of both simulators (" + one + ", " + other +
                                    "); it is read as one of " + name);
    }
}

bool
Meaning::ParseMap(const Ns3RdmaKey& key, const std::vector<std::string>& words, Value* value, std::string* found) const
{
    for (size_t i = 1; i + 1 < words.size(); i += 2)
    {
        uint64_t rate = 0;
        uint64_t kilobytes = 0;
        int64_t threshold = 0;
        *found = words[i];
        if (!RccParseDataRate(words[i], MAP_RATE_MAX, &rate) || rate == 0 ||
            std::any_of(value->map.begin(), value->map.end(),
                        [&](const std::pair<uint64_t, int64_t>& e) { return e.first == rate; }))
        {
            return false;
        }
        *found = words[i + 1];
        if (key.kind == Kind::MAP_BYTES)
        {
            if (!RccParseNumber(words[i + 1], 0, key.most, &kilobytes))
            {
                return false;
            }
            threshold = static_cast<int64_t>(kilobytes) * 1000;
        }
        else if (!ParseFraction(words[i + 1], &threshold))
        {
            return false;
        }
        value->map.emplace_back(rate, threshold);
    }
    return true;
}

bool
Meaning::Parse(const Ns3RdmaKey& key, const std::vector<std::string>& words, Value* value, std::string* found) const
{
    const std::string& text = words[0];
    *found = text;
    uint64_t n = 0;
    bool fine = false;
    unsigned places = 0;
    uint64_t scale = 1;
    switch (key.kind)
    {
    case Kind::NAME:
        return true;
    case Kind::MAP_BYTES:
    case Kind::MAP_SHARE:
        return ParseMap(key, words, value, found);
    case Kind::FRACTION:
        return ParseFraction(text, &value->number);
    case Kind::RATE:
        fine = RccParseDataRate(text, key.most, &n) && n >= key.least;
        value->number = static_cast<int64_t>(n);
        return fine;
    case Kind::LINK_DOWN:
        for (size_t i = 0; i < 3; i++)
        {
            *found = words[i];
            if (!RccParseNumber(words[i], i == 0 ? 3 : 0, i == 0 ? key.most : UINT32_MAX, &n))
            {
                return false;
            }
            (i == 1 ? value->a : value->b) = static_cast<uint32_t>(n);
            value->number = i == 0 ? static_cast<int64_t>(n) : value->number;
        }
        return true;
    case Kind::MICROSECONDS:
        places = 3;
        break;
    case Kind::SECONDS:
    case Kind::DECIMAL:
        places = 9;
        break;
    case Kind::MEBIBYTES:
        scale = KIB * KIB;
        break;
    case Kind::PACKETS:
        scale = PACKET;
        break;
    default:
        break;
    }
    fine = RccParseNumber(text, places, key.most, &n);
    // whole numbers are whole: "1.5" packets is a mistake
    if (places == 0 && text.find('.') != std::string::npos &&
        text.find_first_not_of("0", text.find('.') + 1) != std::string::npos)
    {
        fine = false;
    }
    value->number = static_cast<int64_t>(n * scale);
    return fine && n >= key.least;
}

/// Sets what a member pointer names.
struct Setter
{
    Ns3RdmaConfig& config;
    const Ns3RdmaKey& key;
    const std::vector<std::string>& words;
    const Value& value;

    void operator()(bool Ns3RdmaConfig::*m) const
    {
        config.*m = value.number != 0;
    }

    void operator()(uint32_t Ns3RdmaConfig::*m) const
    {
        config.*m = static_cast<uint32_t>(value.number);
    }

    void operator()(uint64_t Ns3RdmaConfig::*m) const
    {
        config.*m = static_cast<uint64_t>(value.number);
    }

    void operator()(int64_t Ns3RdmaConfig::*m) const
    {
        config.*m = value.number;
    }

    void operator()(double Ns3RdmaConfig::*m) const
    {
        config.*m = static_cast<double>(value.number) / RCC_RATIO_ONE;
    }

    void operator()(std::string Ns3RdmaConfig::*m) const
    {
        config.*m = words[0];
    }

    void operator()(Ns3RdmaRateMap Ns3RdmaConfig::*m) const
    {
        const bool map = key.kind == Kind::MAP_BYTES || key.kind == Kind::MAP_SHARE;
        config.*m = map ? value.map : Ns3RdmaRateMap{{0, value.number}};
    }
};

void
Meaning::Store(const Ns3RdmaKey& key, const std::vector<std::string>& words, const Value& value)
{
    key.member.Visit(Setter{m_config, key, words, value});
    if (key.kind == Kind::LINK_DOWN)
    {
        m_config.linkDown = value.number > 0;
        m_config.linkDownAt = m_config.linkDown ? LINK_DOWN_FROM + value.number : 0;
        m_config.linkDownA = value.a;
        m_config.linkDownB = value.b;
    }
    if (key.parameter || key.kind == Kind::MODE)
    {
        m_numbers[key.name] = value.number;
    }
}

std::string
Meaning::Apply(const Ns3RdmaKey& key, const std::vector<std::string>& words)
{
    Value value;
    std::string found;
    if (!Parse(key, words, &value, &found))
    {
        return At(key.name) + "found " + RccShown(found) + ", expected " + Ns3RdmaExpected(key);
    }
    Store(key, words, value);
    return "";
}

/// CC_MODE.
std::string
Meaning::Algorithm()
{
    m_config.cc = "dcqcn";
    m_config.preset = "ns3-rdma";
    if (m_config.dialect == Ns3RdmaDialect::ORIGINAL)
    {
        return "";
    }
    m_config.preset = "hpcc";
    static const std::map<int64_t, std::string> missing{{3, "HPCC"}, {8, "DCTCP"}, {10, "PINT"}};
    const int64_t mode = m_numbers["CC_MODE"];
    auto it = missing.find(mode);
    if (it != missing.end())
    {
        m_config.cc.clear();
        m_config.notes.push_back(At("CC_MODE") + std::to_string(mode) + " is " + it->second +
                                 ", which is not among our algorithms; choose one with --cc");
    }
    else if (mode == 7)
    {
        m_config.cc = "timely";
        m_config.preset.clear();
    }
    else if (mode != 1)
    {
        return At("CC_MODE") + "found '" + std::to_string(mode) + "', expected " +
               Ns3RdmaExpected(*Ns3RdmaFindKey("CC_MODE"));
    }
    return "";
}

/// The parameter of TIMELY that a key of the HPCC simulator is; `name` stays empty if it is none.
void
Meaning::Timely(const std::string& key, std::string* name, std::string* text)
{
    const int64_t value = m_numbers[key];
    if (key == "RATE_AI" || key == "MIN_RATE")
    {
        *name = key == "RATE_AI" ? "delta" : "r_min";
        *text = RccFormat(RCC_UNIT_BPS, value);
        return;
    }
    auto step = m_numbers.find("RATE_AI");
    if (key == "RATE_HAI" && step != m_numbers.end())
    {
        // The HPCC simulator adds RATE_HAI itself, TIMELY here so many times delta.
        const int64_t steps = step->second > 0 ? std::max<int64_t>((value + step->second / 2) / step->second, 1) : 1;
        if (steps * step->second != value)
        {
            m_config.notes.push_back(At(key) + RccFormat(RCC_UNIT_BPS, value) + " is no multiple of RATE_AI; it is " +
                                     std::to_string(steps) + " times RATE_AI");
        }
        *name = "hai";
        *text = std::to_string(steps);
        return;
    }
    if (m_given.count(key))
    {
        m_config.notes.push_back(At(key) + "has no effect with CC_MODE 7, TIMELY");
    }
}

std::string
Meaning::Parameters()
{
    const std::string algorithm = m_config.cc.empty() ? "dcqcn" : m_config.cc;
    const rcc_algorithm* dcqcn = rcc_find("dcqcn");
    for (const auto& key : Ns3RdmaKeys())
    {
        auto it = m_numbers.find(key.name);
        if (it == m_numbers.end() || !key.parameter)
        {
            continue;
        }
        std::string name;
        std::string text;
        if (algorithm == "timely")
        {
            Timely(key.name, &name, &text);
        }
        else
        {
            name = key.parameter;
            const int64_t stage0 = name == "f" && m_config.dialect == Ns3RdmaDialect::HPCC ? 1 : 0;
            const rcc_unit unit = dcqcn->fields[rcc_field_find(dcqcn, name.c_str())].unit;
            text = unit == RCC_UNIT_CHOICE ? (it->second ? "yes" : "no") : RccFormat(unit, it->second + stage0);
        }
        if (name.empty())
        {
            continue;
        }
        const std::string expected = Ns3RdmaReader::CheckParameter(algorithm, name, text);
        if (!expected.empty())
        {
            return At(key.name) + "found " + text + " for " + algorithm + "'s " + name + ", expected " + expected;
        }
        m_config.parameters.emplace_back(name, text);
    }
    return "";
}

/// Marking thresholds: all three or none, and in order.
std::string
Meaning::Thresholds()
{
    if (m_config.dialect == Ns3RdmaDialect::ORIGINAL)
    {
        const int64_t kmin = m_config.kmin[0].second;
        const int64_t kmax = m_config.kmax[0].second;
        return kmin <= kmax
                   ? ""
                   : At(m_given.count("KMIN") ? "KMIN" : "KMAX") + "found KMIN " + std::to_string(kmin / PACKET) +
                         " and KMAX " + std::to_string(kmax / PACKET) + ", expected KMIN to be the smaller one";
    }
    const std::vector<std::pair<std::string, const Ns3RdmaRateMap*>> maps{
        {"KMIN_MAP", &m_config.kmin}, {"KMAX_MAP", &m_config.kmax}, {"PMAX_MAP", &m_config.pmax}};
    std::string there;
    for (const auto& m : maps)
    {
        there = m.second->empty() ? there : m.first;
    }
    for (const auto& m : maps)
    {
        if (m.second->empty() && !there.empty())
        {
            return At(m.first) + "found no entry, expected one for each link rate, as " + there + " has";
        }
    }
    if (there.empty() && m_config.ecn && m_config.cc != "timely")
    {
        m_config.notes.push_back(m_config.path + ": no KMIN_MAP, KMAX_MAP and PMAX_MAP: every port has the "
                                                 "algorithm's own thresholds");
    }
    return "";
}

/// What depends on other keys.
void
Meaning::Units()
{
    const bool original = m_config.dialect == Ns3RdmaDialect::ORIGINAL;
    if (original)
    {
        m_config.chunk *= m_config.payload;
    }
    else
    {
        const uint64_t bytes = m_config.ackInterval;
        m_config.ackInterval = static_cast<uint32_t>((bytes + m_config.payload - 1) / m_config.payload);
    }
    m_config.ackInterval = std::max<uint32_t>(m_config.ackInterval, 1);
}

std::string
Meaning::Run(const Ns3RdmaDialect* dialect)
{
    Detect(dialect);
    std::map<std::pair<uint32_t, std::string>, std::string> notes; // by line and key
    const bool original = m_config.dialect == Ns3RdmaDialect::ORIGINAL;
    for (const auto& key : Ns3RdmaKeys())
    {
        auto it = m_given.find(key.name);
        const bool ours = key.lineage & (original ? Ns3RdmaKey::ORIGINAL : Ns3RdmaKey::HPCC);
        const char* missing = original ? key.original : key.hpcc;
        if (it != m_given.end() && !ours)
        {
            m_config.warnings.push_back(
                At(key.name) + "ignored, as " + Ns3RdmaReader::DialectName(m_config.dialect) +
                " does: it is a key of " +
                Ns3RdmaReader::DialectName(original ? Ns3RdmaDialect::HPCC : Ns3RdmaDialect::ORIGINAL));
        }
        std::string error;
        if (it != m_given.end() && ours)
        {
            error = Apply(key, it->second.words);
            m_config.lines[key.name] = it->second.line;
            if (error.empty() && !key.HasEffect())
            {
                notes[{it->second.line, key.name}] = At(key.name) + "has no effect: " + key.text;
            }
        }
        else if (missing)
        {
            error = Apply(key, {missing});
        }
        if (!error.empty())
        {
            return error;
        }
    }
    for (const auto& n : notes)
    {
        m_config.notes.push_back(n.second);
    }
    std::string error = Algorithm();
    error = error.empty() ? Parameters() : error;
    error = error.empty() ? Thresholds() : error;
    Units();
    return error;
}

} // namespace

std::string
Ns3RdmaReader::ReadConfig(const std::string& path, Ns3RdmaConfig& config, const Ns3RdmaDialect* dialect)
{
    config = Ns3RdmaConfig();
    config.path = path;
    std::map<std::string, Given> given;
    const std::string error = Words(path, &config.warnings).Read(&given);
    if (!error.empty())
    {
        return error;
    }
    if (given.empty())
    {
        return path + ":1: found no key, expected lines of KEY value such as 'TOPOLOGY_FILE topology.txt'";
    }
    return Meaning(&config, given).Run(dialect);
}

std::string
Ns3RdmaReader::CheckParameter(const std::string& algorithm, const std::string& name, const std::string& text)
{
    const rcc_algorithm* core = rcc_find(algorithm.c_str());
    const int i = core ? rcc_field_find(core, name.c_str()) : -1;
    if (i < 0)
    {
        return "a parameter that " + algorithm + " has";
    }
    const rcc_field& field = core->fields[i];
    if (field.unit == RCC_UNIT_CHOICE)
    {
        std::istringstream in(field.choices);
        for (std::string choice; std::getline(in, choice, '|');)
        {
            if (choice == text)
            {
                return "";
            }
        }
        return std::string("one of ") + field.choices;
    }
    int64_t value = 0;
    const std::string expected = RccParse(field.unit, text, &value);
    if (!expected.empty())
    {
        return expected;
    }
    return value >= field.min && value <= field.max
               ? ""
               : RccFormat(field.unit, field.min) + " to " + RccFormat(field.unit, field.max);
}

std::string
Ns3RdmaReader::DialectName(Ns3RdmaDialect dialect)
{
    return dialect == Ns3RdmaDialect::ORIGINAL ? "ns3-rdma" : "hpcc";
}

std::string
Ns3RdmaReader::ParseDialect(const std::string& text, Ns3RdmaDialect& dialect)
{
    const bool original = text == "ns3-rdma" || text == "original" || text == "b";
    if (!original && text != "hpcc" && text != "h")
    {
        return "found " + RccShown(text) + ", expected ns3-rdma or hpcc";
    }
    dialect = original ? Ns3RdmaDialect::ORIGINAL : Ns3RdmaDialect::HPCC;
    return "";
}

} // namespace ns3
