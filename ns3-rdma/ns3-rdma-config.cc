/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * config.txt: first the words become keys with values; then, as soon as the dialect is known from the keys present, the
 * values become a configuration.
 */
#include "ns3-rdma-keys.h"
#include "ns3-rdma-reader.h"
#include "rcc-text.h"

#include "ns3/abort.h"
#include "ns3/rcc-units.h"
#include "ns3/rcc.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

using Kind = Ns3RdmaKind;

const size_t FILE_MAX = 1 << 20;
const size_t MAP_MAX = 1000;
const char CAPITALS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// A key that the file gives.
struct Given
{
    std::vector<std::string> words; //!< its values
    uint32_t line{0};
};

using GivenKeys = std::map<std::string, Given>;

bool
LooksLikeKey(const std::string& word)
{
    return word.size() >= 3 && word.find_first_not_of(CAPITALS) == std::string::npos &&
           word.find_first_not_of("0123456789_") != std::string::npos;
}

std::string
Upper(std::string word)
{
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return word;
}

/// Splits config.txt, which is a stream of words in both simulators, into keys and their values.
class KeyReader
{
  public:
    /// \param warnings gets what is ignored
    KeyReader(const std::string& path, std::vector<std::string>* warnings) : m_path(path), m_warnings(warnings)
    {
    }

    /// \return empty, or what is wrong
    std::string Read(GivenKeys* given);

  private:
    struct Word
    {
        std::string text;
        uint32_t line;
        bool first; //!< of its line
    };

    /// What the words of a line before the present one were.
    enum State
    {
        BLANK,
        KNOWN,
        UNKNOWN,
        PROSE
    };

    void Warn(uint32_t line, const std::string& text)
    {
        m_warnings.Add(RccAt(m_path, line, text));
    }

    std::string ReadWords();
    void SkipUnknown(const Word& word);
    std::string ReadValues(const Ns3RdmaKey& key, size_t* at, Given* given) const;

    std::string m_path, m_last;
    RccWarnings m_warnings;
    std::vector<Word> m_words;
    State m_state{BLANK};
    bool m_prose{false}; //!< has been warned of
};

/// A word that is no key and no value of one.
void
KeyReader::SkipUnknown(const Word& word)
{
    if (!word.first)
    {
        if (m_state == KNOWN)
        {
            Warn(word.line, m_last + ": ignored " + RccShown(word.text) + " after the value");
            m_state = UNKNOWN;
        }
        return;
    }
    const bool similar = word.text.size() <= 64 && Ns3RdmaFindKey(Upper(word.text));
    if (LooksLikeKey(word.text) || similar)
    {
        m_state = UNKNOWN;
        std::vector<std::string> names;
        for (const auto& k : Ns3RdmaKeys())
        {
            names.emplace_back(k.name);
        }
        Warn(word.line, "ignored the unknown key " + RccShown(word.text) +
                            (m_warnings.HasRoom() ? RccSuggest(Upper(word.text), names) : ""));
        return;
    }
    m_state = PROSE;
    if (!m_prose)
    {
        Warn(word.line, "ignored text that does not begin with a key: " + RccShown(word.text));
        m_prose = true;
    }
}

/// The values of a key whose word is at `at`; in the end that of its last value. \return empty, or what is wrong
std::string
KeyReader::ReadValues(const Ns3RdmaKey& key, size_t* at, Given* given) const
{
    given->line = m_words[*at].line;
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
            const std::string found = end ? "the end of the file" : "the key '" + m_words[*at].text + "'";
            return RccAt(m_path, given->line, RccFound(key.name, found + which, key.GetExpected()));
        }
        given->words.push_back(m_words[*at].text);
        if (given->words.size() == 1 && (key.kind == Kind::MAP_BYTES || key.kind == Kind::MAP_SHARE))
        {
            uint64_t n = 0;
            if (!RccParseDecimal(given->words[0], 0, MAP_MAX, &n))
            {
                return RccAt(m_path, given->line, RccFound(key.name, RccShown(given->words[0]), key.GetExpected()));
            }
            wanted = 1 + 2 * n;
        }
    }
    return "";
}

std::string
KeyReader::ReadWords()
{
    RccTextFile file;
    const std::string error = file.Open(m_path, "a configuration file with lines of KEY value", FILE_MAX);
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
    return file.GetError();
}

std::string
KeyReader::Read(GivenKeys* given)
{
    std::string error = ReadWords();
    for (size_t at = 0; error.empty() && at < m_words.size(); at++)
    {
        const Word& word = m_words[at];
        const Ns3RdmaKey* key = Ns3RdmaFindKey(word.text);
        if (!key)
        {
            SkipUnknown(word);
            continue;
        }
        if (!word.first && m_state == PROSE)
        {
            Warn(word.line,
                 word.text + ": ignored, because its line does not begin with a key; those simulators would read it");
            continue;
        }
        Given value;
        error = ReadValues(*key, &at, &value);
        m_state = KNOWN;
        m_last = key->name;
        const auto old = given->find(key->name);
        if (error.empty() && old != given->end())
        {
            Warn(value.line, m_last + ": given again, line " + std::to_string(old->second.line) + " is ignored");
        }
        (*given)[key->name] = value;
    }
    m_warnings.Finish(m_path);
    return error;
}

/// Turns keys with values into a configuration.
class Interpreter
{
  public:
    Interpreter(Ns3RdmaConfig* config, const GivenKeys& given) : m_config(*config), m_given(given)
    {
    }

    /// \param dialect null: detect it. \return empty, or what is wrong
    std::string Run(const Ns3RdmaDialect* dialect);

  private:
    /// A message about a key; without a line of its own it is shown at line 1.
    std::string At(const std::string& key, const std::string& message) const
    {
        const auto it = m_given.find(key);
        return RccAt(m_config.path, it == m_given.end() ? 1 : it->second.line, message);
    }

    void DetectDialect();
    std::string ReadKeys();
    std::string ReadKey(const Ns3RdmaKey& key, const std::vector<std::string>& words);
    std::string ChooseAlgorithm();
    std::string SetParameters();
    std::pair<std::string, int64_t> ParameterOf(const Ns3RdmaKey& key, int64_t value);
    std::pair<std::string, int64_t> TimelyParameterOf(const std::string& key, int64_t value);
    std::string CheckThresholds();
    void ConvertIntervals();

    Ns3RdmaConfig& m_config;
    const GivenKeys& m_given;
    std::map<std::string, int64_t> m_numbers; //!< values of the keys that are parameters
};

/// That of which more keys are present; of a tie HPCC.
void
Interpreter::DetectDialect()
{
    std::vector<std::string> original;
    std::vector<std::string> hpcc;
    for (const auto& k : Ns3RdmaKeys())
    {
        if (m_given.count(k.name) && k.lineage != Ns3RdmaKey::BOTH)
        {
            (k.lineage == Ns3RdmaKey::HPCC ? hpcc : original).emplace_back(k.name);
        }
    }
    m_config.dialect = original.size() > hpcc.size() ? Ns3RdmaDialect::ORIGINAL : Ns3RdmaDialect::HPCC;
    const std::string end = "; it is read as one of " + Ns3RdmaReader::DialectName(m_config.dialect);
    if (original.empty() && hpcc.empty())
    {
        m_config.warnings.push_back(m_config.path + ": no key is of one simulator only" + end);
    }
    else if (!original.empty() && !hpcc.empty())
    {
        m_config.warnings.push_back(m_config.path + ": has keys of both simulators (" + original[0] + ", " + hpcc[0] +
                                    ")" + end);
    }
}

std::string
Interpreter::ReadKey(const Ns3RdmaKey& key, const std::vector<std::string>& words)
{
    Ns3RdmaValue value;
    std::string found;
    if (!key.Read(words, &value, &found))
    {
        return At(key.name, RccFound(key.name, RccShown(found), key.GetExpected()));
    }
    if (key.set)
    {
        key.set(m_config, value);
    }
    if (key.parameter)
    {
        m_numbers[key.name] = value.number;
    }
    return "";
}

/// The keys of the dialect, as given or with their values for missing keys.
std::string
Interpreter::ReadKeys()
{
    const bool original = m_config.dialect == Ns3RdmaDialect::ORIGINAL;
    const Ns3RdmaDialect other = original ? Ns3RdmaDialect::HPCC : Ns3RdmaDialect::ORIGINAL;
    std::map<std::pair<uint32_t, std::string>, std::string> notes; // by line and key
    std::string error;
    for (const auto& key : Ns3RdmaKeys())
    {
        const std::string name = key.name;
        const auto it = m_given.find(name);
        const char* missing = original ? key.original : key.hpcc;
        if (it == m_given.end())
        {
            error = missing ? ReadKey(key, {missing}) : "";
        }
        else if (!(key.lineage & (original ? Ns3RdmaKey::ORIGINAL : Ns3RdmaKey::HPCC)))
        {
            m_config.warnings.push_back(At(name, name + ": ignored, as " +
                                                     Ns3RdmaReader::DialectName(m_config.dialect) +
                                                     " does: it is a key of " + Ns3RdmaReader::DialectName(other)));
        }
        else
        {
            error = ReadKey(key, it->second.words);
            m_config.lines[name] = it->second.line;
            if (!key.HasEffect())
            {
                notes[{it->second.line, name}] = At(name, name + ": has no effect: " + key.text);
            }
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
    return "";
}

/// CC_MODE.
std::string
Interpreter::ChooseAlgorithm()
{
    const bool original = m_config.dialect == Ns3RdmaDialect::ORIGINAL;
    m_config.cc = "dcqcn";
    m_config.preset = original ? "ns3-rdma" : "hpcc";
    if (original || m_config.mode == 1)
    {
        return "";
    }
    if (m_config.mode == 7)
    {
        m_config.cc = "timely";
        m_config.preset.clear();
        return "";
    }
    static const std::map<uint32_t, std::string> missing{{3, "HPCC"}, {8, "DCTCP"}, {10, "PINT"}};
    const std::string mode = std::to_string(m_config.mode);
    const auto it = missing.find(m_config.mode);
    if (it == missing.end())
    {
        const std::string expected = Ns3RdmaFindKey("CC_MODE")->GetExpected();
        return At("CC_MODE", RccFound("CC_MODE", "'" + mode + "'", expected));
    }
    m_config.cc.clear();
    m_config.notes.push_back(At("CC_MODE", "CC_MODE: " + mode + " is " + it->second +
                                               ", which is not among our algorithms; choose one with --cc"));
    return "";
}

/// The parameter of TIMELY that a key of the HPCC simulator is, and its value; no name if it is none.
std::pair<std::string, int64_t>
Interpreter::TimelyParameterOf(const std::string& key, int64_t value)
{
    if (key == "RATE_AI" || key == "MIN_RATE")
    {
        return {key == "RATE_AI" ? "delta" : "r_min", value};
    }
    const auto step = m_numbers.find("RATE_AI");
    if (key == "RATE_HAI" && step != m_numbers.end())
    {
        // The HPCC simulator adds RATE_HAI itself, TIMELY here so many times delta.
        const int64_t steps = step->second > 0 ? std::max<int64_t>((value + step->second / 2) / step->second, 1) : 1;
        if (steps * step->second != value)
        {
            m_config.notes.push_back(At(key, key + ": " + RccFormat(RCC_UNIT_BPS, value) +
                                                 " is no multiple of RATE_AI; it is " + std::to_string(steps) +
                                                 " times RATE_AI"));
        }
        return {"hai", steps};
    }
    if (m_given.count(key))
    {
        m_config.notes.push_back(At(key, key + ": has no effect with CC_MODE 7, TIMELY"));
    }
    return {"", 0};
}

std::pair<std::string, int64_t>
Interpreter::ParameterOf(const Ns3RdmaKey& key, int64_t value)
{
    if (m_config.cc == "timely")
    {
        return TimelyParameterOf(key.name, value);
    }
    const std::string name = key.parameter;
    // The HPCC simulator counts stages of fast recovery from 0.
    return {name, value + (name == "f" && m_config.dialect == Ns3RdmaDialect::HPCC ? 1 : 0)};
}

std::string
Interpreter::SetParameters()
{
    const std::string algorithm = m_config.cc.empty() ? "dcqcn" : m_config.cc;
    for (const auto& key : Ns3RdmaKeys())
    {
        const auto it = m_numbers.find(key.name);
        if (it == m_numbers.end())
        {
            continue;
        }
        const auto parameter = ParameterOf(key, it->second);
        if (parameter.first.empty())
        {
            continue;
        }
        const rcc_field& field = Ns3RdmaReader::FieldOf(algorithm, parameter.first);
        const std::string expected = RccCheckRange(field, parameter.second);
        if (!expected.empty())
        {
            const std::string found = RccFormat(field.unit, parameter.second);
            return At(key.name, RccFound(key.name, found + " for " + algorithm + "'s " + parameter.first, expected));
        }
        m_config.parameters.push_back(parameter);
    }
    return "";
}

/// Marking thresholds: all three or none, and in order.
std::string
Interpreter::CheckThresholds()
{
    if (m_config.dialect == Ns3RdmaDialect::ORIGINAL)
    {
        const int64_t kmin = m_config.kmin[0].second;
        const int64_t kmax = m_config.kmax[0].second;
        const std::string key = m_given.count("KMIN") ? "KMIN" : "KMAX";
        const std::string found = "KMIN " + std::to_string(kmin / Ns3RdmaKey::PACKET) + " and KMAX " +
                                  std::to_string(kmax / Ns3RdmaKey::PACKET);
        return kmin <= kmax ? "" : At(key, RccFound(key, found, "KMIN to be the smaller one"));
    }
    std::string present;
    std::string absent;
    for (const auto& m : m_config.GetRateMaps())
    {
        present = m.map->empty() ? present : m.key;
        absent = m.map->empty() && absent.empty() ? m.key : absent;
    }
    if (!present.empty() && !absent.empty())
    {
        return At(absent, RccFound(absent, "no entry", "one for each link rate, as " + present + " has"));
    }
    if (present.empty() && m_config.ecn && m_config.cc != "timely")
    {
        m_config.notes.push_back(m_config.path + ": no KMIN_MAP, KMAX_MAP and PMAX_MAP: every port has the "
                                                 "algorithm's own thresholds");
    }
    return "";
}

/// What is in packets in one dialect and in bytes in the other.
void
Interpreter::ConvertIntervals()
{
    if (m_config.dialect == Ns3RdmaDialect::ORIGINAL)
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
Interpreter::Run(const Ns3RdmaDialect* dialect)
{
    if (dialect)
    {
        m_config.dialect = *dialect;
    }
    else
    {
        DetectDialect();
    }
    std::string error = ReadKeys();
    error = error.empty() ? ChooseAlgorithm() : error;
    error = error.empty() ? SetParameters() : error;
    error = error.empty() ? CheckThresholds() : error;
    ConvertIntervals();
    return error;
}

} // namespace

std::string
Ns3RdmaReader::ReadConfig(const std::string& path, Ns3RdmaConfig& config, const Ns3RdmaDialect* dialect)
{
    config = Ns3RdmaConfig();
    config.path = path;
    GivenKeys given;
    const std::string error = KeyReader(path, &config.warnings).Read(&given);
    if (!error.empty())
    {
        return error;
    }
    if (given.empty())
    {
        return path + ":1: found no key, expected lines of KEY value such as 'TOPOLOGY_FILE topology.txt'";
    }
    return Interpreter(&config, given).Run(dialect);
}

const rcc_field&
Ns3RdmaReader::FieldOf(const std::string& algorithm, const std::string& parameter)
{
    const rcc_algorithm* core = rcc_find(algorithm.c_str());
    const int i = core ? rcc_field_find(core, parameter.c_str()) : -1;
    NS_ABORT_MSG_IF(i < 0, algorithm << " has no parameter " << parameter);
    return core->fields[i];
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
