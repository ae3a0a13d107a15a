/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * config.txt: as soon as the dialect is known from the keys present, their values become a configuration.
 */
#include "ns3-rdma-given.h"
#include "ns3-rdma-keys.h"
#include "ns3-rdma-reader.h"
#include "ns3/lab-text.h"

#include "ns3/abort.h"
#include "ns3/rcc-units.h"
#include "ns3/rcc.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{

namespace
{

using Kind = Ns3RdmaKind;

/// Turns keys with values into a configuration.
class Interpreter
{
  public:
    /// \param elsewhere keys whose values are not those of the file
    Interpreter(Ns3RdmaConfig* config, const Ns3RdmaGivenKeys& given, const std::set<std::string>& elsewhere)
        : m_config(*config),
          m_given(given),
          m_elsewhere(elsewhere)
    {
    }

    /// \param dialect null: detect it
    void Run(const Ns3RdmaDialect* dialect)
    {
        for (const auto& key : m_given)
        {
            m_config.lines[key.first] = key.second.line;
        }
        if (dialect)
        {
            m_config.dialect = *dialect;
        }
        else
        {
            DetectDialect();
        }
        ReadKeys();
        CheckEcmp();
        CheckLoadBalancing();
        ChooseAlgorithm();
        SetParameters();
        CheckThresholds();
        ConvertIntervals();
        SetPfcThresholds();
    }

  private:
    [[noreturn]] void Fail(const std::string& key, const std::string& found, const std::string& expected) const
    {
        throw LabFileError(m_config.Wrong(key, found, expected));
    }

    bool IsOriginal() const
    {
        return m_config.dialect == Ns3RdmaDialect::ORIGINAL;
    }

    void DetectDialect()
    {
        std::vector<std::string> original;
        std::vector<std::string> hpcc;
        m_config.dialect = Ns3RdmaDialectOf(m_given, &original, &hpcc);
        const std::string end = "; it is read as one of " + Ns3RdmaReader::DialectName(m_config.dialect);
        if (original.empty() && hpcc.empty())
        {
            m_config.warnings.push_back(m_config.path + ": no key is of one simulator only" + end);
        }
        else if (!original.empty() && !hpcc.empty())
        {
            m_config.warnings.push_back(m_config.path + ": has keys of both simulators (" + original[0] + ", " +
                                        hpcc[0] + ")" + end);
        }
    }

    /// The keys of the dialect, as given or with their values for missing keys.
    void ReadKeys()
    {
        std::map<std::pair<uint32_t, std::string>, std::string> notes; // by line and key
        for (const auto& key : Ns3RdmaKeys())
        {
            const std::string name = key.name;
            const auto it = m_given.find(name);
            const char* missing = key.GetDefault(m_config.dialect);
            if (key.ofNode)
            {
                ReadNodes(key, missing != nullptr);
            }
            else if (it == m_given.end() || m_elsewhere.count(name))
            {
                if (missing && *missing)
                {
                    ReadKey(key, name, {missing});
                }
            }
            else if (!missing)
            {
                WarnOfOther(name);
            }
            else
            {
                ReadKey(key, name, it->second.words);
                if (!key.HasEffect())
                {
                    notes[{it->second.line, name}] = m_config.At(name, name + ": has no effect: " + key.text);
                }
            }
        }
        for (const auto& n : notes)
        {
            m_config.notes.push_back(n.second);
        }
    }

    void WarnOfOther(const std::string& name)
    {
        const std::string self = Ns3RdmaReader::DialectName(m_config.dialect);
        m_config.warnings.push_back(m_config.At(name, name + ": ignored, as " + self + " does: it is a key of " +
                                                          (IsOriginal() ? "hpcc" : "ns3-rdma")));
    }

    /// The values of a key of single nodes. \param known to the dialect
    void ReadNodes(const Ns3RdmaKey& key, bool known)
    {
        const std::string begin = std::string(key.name) + " ";
        for (auto it = m_given.lower_bound(begin);
             it != m_given.end() && it->first.compare(0, begin.size(), begin) == 0; ++it)
        {
            known ? ReadKey(key, it->first, it->second.words) : WarnOfOther(it->first);
        }
    }

    /// \param name of the key in the file
    void ReadKey(const Ns3RdmaKey& key, const std::string& name, const std::vector<std::string>& words)
    {
        Ns3RdmaValue value;
        std::string found;
        if (!key.Read(words, &value, &found))
        {
            Fail(name, LabShown(found), key.GetExpected());
        }
        if (key.set)
        {
            key.set(m_config, value);
        }
        if (key.parameter || key.control)
        {
            m_numbers[key.name] = value.number;
        }
    }

    /// FLOW_LEVEL_ECMP: those simulators stop at an assertion.
    void CheckEcmp() const
    {
        if (IsOriginal() && m_config.packetEcmp && m_config.flowEcmp)
        {
            Fail("FLOW_LEVEL_ECMP", "1 with PACKET_LEVEL_ECMP 1", "0 for one of them");
        }
    }

    /// LB_MODE: forks have schemes that are not here.
    void CheckLoadBalancing() const
    {
        static const std::map<uint32_t, const char*> others{{3, "CONGA, which needs the feedback of leaf switches,"},
                                                            {9, "ConWeave, which reorders in the last switch,"}};
        const uint32_t mode = m_config.loadBalancing;
        if (mode != 0 && mode != 2 && mode != 6)
        {
            const auto it = others.find(mode);
            Fail("LB_MODE",
                 std::to_string(mode) + (it == others.end() ? "" : std::string(": ") + it->second + " is not here"),
                 "0 (ECMP), 2 (DRILL) or 6 (LetFlow)");
        }
    }

    /// CC_MODE.
    void ChooseAlgorithm()
    {
        m_config.cc = "dcqcn";
        m_config.preset = IsOriginal() ? "ns3-rdma" : "hpcc";
        if (IsOriginal() || m_config.mode == 1)
        {
            return;
        }
        static const std::map<uint32_t, std::pair<std::string, std::string>> ours{
            {3, {"hpcc", "simulator"}}, {7, {"timely", "hpcc"}}, {8, {"dctcp", "simulator"}}, {10, {"hpcc", "pint"}}};
        const auto found = ours.find(m_config.mode);
        m_config.cc = found == ours.end() ? "" : found->second.first;
        if (found != ours.end())
        {
            m_config.preset = found->second.second;
            return;
        }
        // the fork's sources: no branch of hosts or switches has this number
        const char* const what = m_config.mode == 12
                                     ? "no control at all in astra-sim's fork, as --cc=none, and unknown elsewhere"
                                     : "unknown";
        m_config.notes.push_back(m_config.At("CC_MODE", "CC_MODE: " + std::to_string(m_config.mode) + " is " + what));
    }

    void SetParameters()
    {
        const std::string algorithm = m_config.cc.empty() ? "dcqcn" : m_config.cc;
        for (const auto& key : Ns3RdmaKeys())
        {
            const auto it = m_numbers.find(key.name);
            if (it == m_numbers.end())
            {
                continue;
            }
            std::pair<std::string, int64_t> parameter = ParameterOf(key, it->second, algorithm);
            if (parameter.first.empty())
            {
                continue;
            }
            Take(algorithm, key.name);
            const rcc_field& field = Ns3RdmaReader::FieldOf(algorithm, parameter.first);
            const std::string expected = RccCheckRange(field, parameter.second);
            if (!expected.empty())
            {
                const std::string found = RccFormat(field.unit, parameter.second);
                Fail(key.name, found + " for " + algorithm + "'s " + parameter.first, expected);
            }
            m_config.parameters.push_back(parameter);
        }
        for (const auto& key : Ns3RdmaKeys())
        {
            const auto it = m_numbers.find(key.name);
            if (algorithm != "dcqcn" && key.parameter && it != m_numbers.end())
            {
                m_config.dcqcn.push_back(OfDcqcn(key, it->second));
                Take("dcqcn", key.name);
            }
        }
    }

    /// A key of the file, not one that has its default, is a parameter of an algorithm.
    void Take(const std::string& algorithm, const std::string& key)
    {
        if (m_given.count(key))
        {
            m_config.taken[algorithm].insert(key);
        }
    }

    std::pair<std::string, int64_t> OfDcqcn(const Ns3RdmaKey& key, int64_t value) const
    {
        // the HPCC simulator counts stages of fast recovery from 0
        return {key.parameter, value + (std::string(key.parameter) == "f" && !IsOriginal() ? 1 : 0)};
    }

    /// The parameter of the algorithm that a key is, and its value; no name if it is none.
    std::pair<std::string, int64_t> ParameterOf(const Ns3RdmaKey& key, int64_t value, const std::string& algorithm)
    {
        if (algorithm == "timely")
        {
            return TimelyParameterOf(key.name, value);
        }
        if (algorithm == "dcqcn" && key.parameter)
        {
            return OfDcqcn(key, value);
        }
        const char* name = algorithm == "dcqcn" ? nullptr : Ns3RdmaParameterOf(m_config.mode, key.name);
        return {name ? name : "", value};
    }

    /// The parameter of TIMELY that a key of the HPCC simulator is, and its value; no name if it is none.
    std::pair<std::string, int64_t> TimelyParameterOf(const std::string& key, int64_t value)
    {
        if (key == "RATE_AI" || key == "MIN_RATE")
        {
            return {key == "RATE_AI" ? "delta" : "r_min", value};
        }
        const auto step = m_numbers.find("RATE_AI");
        if (key == "RATE_HAI" && step != m_numbers.end())
        {
            // The HPCC simulator adds RATE_HAI itself, TIMELY here so many times delta.
            const int64_t steps =
                step->second > 0 ? std::max<int64_t>((value + step->second / 2) / step->second, 1) : 1;
            if (steps * step->second != value)
            {
                m_config.uneven = m_config.At(key, key + ": " + RccFormat(RCC_UNIT_BPS, value) +
                                                       " is no multiple of RATE_AI; TIMELY has " +
                                                       std::to_string(steps) + " times RATE_AI here");
            }
            return {"hai", steps};
        }
        return {"", 0};
    }

    /// Marking thresholds: all three or none, and in order.
    void CheckThresholds()
    {
        if (IsOriginal())
        {
            const int64_t kmin = m_config.kmin[0].second;
            const int64_t kmax = m_config.kmax[0].second;
            if (kmin > kmax)
            {
                Fail(m_given.count("KMIN") ? "KMIN" : "KMAX",
                     "KMIN " + std::to_string(kmin / Ns3RdmaKey::PACKET) + " and KMAX " +
                         std::to_string(kmax / Ns3RdmaKey::PACKET),
                     "KMIN to be the smaller one");
            }
            return;
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
            Fail(absent, "no entry", "one for each link rate, as " + present + " has");
        }
        m_config.maps = !present.empty();
    }

    /// What is in packets in one dialect and in bytes in the other.
    void ConvertIntervals()
    {
        if (IsOriginal())
        {
            m_config.chunk *= m_config.payload;
            m_config.ackInterval = std::max<uint32_t>(m_config.ackInterval, 1);
            return;
        }
        if (m_config.ackInterval > m_config.payload)
        {
            m_config.notes.push_back(m_config.At(
                "L2_ACK_INTERVAL", "L2_ACK_INTERVAL: has no effect: every packet has an ACK, as in that simulator once "
                                   "so many bytes of a flow have come"));
        }
        m_config.ackInterval = 1;
    }

    /// The thresholds of the HPCC simulator follow the free buffer whatever the key says.
    void SetPfcThresholds()
    {
        if (!IsOriginal() && !m_config.dynamicPfc)
        {
            m_config.dynamicPfc = true;
            m_config.notes.push_back(m_config.At(
                "USE_DYNAMIC_PFC_THRESHOLD", "USE_DYNAMIC_PFC_THRESHOLD: 0 has no effect, as in that simulator: its "
                                             "thresholds always follow the free buffer"));
        }
    }

    Ns3RdmaConfig& m_config;
    const Ns3RdmaGivenKeys& m_given;
    const std::set<std::string>& m_elsewhere;
    std::map<std::string, int64_t> m_numbers; //!< values of the keys that are parameters
};

} // namespace

std::string
Ns3RdmaReader::ReadConfig(const std::string& path, Ns3RdmaConfig& config, const Ns3RdmaDialect* dialect,
                          const std::set<std::string>& given)
{
    config = Ns3RdmaConfig();
    config.path = path;
    return LabErrorOf([&] {
        const Ns3RdmaGivenKeys keys = Ns3RdmaReadKeys(path, dialect, &config.warnings, &config.notes);
        Interpreter(&config, keys, given).Run(dialect);
    });
}

void
Ns3RdmaReader::NoteKeys(Ns3RdmaConfig& config, const std::set<std::string>& algorithms,
                        const std::map<std::string, std::string>& asked)
{
    const std::vector<std::string> names(algorithms.begin(), algorithms.end());
    const bool hasMode = config.dialect == Ns3RdmaDialect::HPCC;
    const std::string of =
        RccJoin(names, ", ") + (hasMode ? " with CC_MODE " + std::to_string(config.mode) : std::string());
    if (algorithms.count("timely") && !asked.count("timely") && !config.uneven.empty())
    {
        config.warnings.push_back(config.uneven);
    }
    const auto marks = [](const std::string& name) {
        const rcc_algorithm* core = rcc_find(name.c_str());
        return core && rcc_field_find(core, "kmin") >= 0;
    };
    if (hasMode && config.ecn && !config.maps && std::any_of(names.begin(), names.end(), marks))
    {
        config.notes.push_back(config.path + ": no KMIN_MAP, KMAX_MAP and PMAX_MAP: every port has the algorithm's own "
                                             "thresholds");
    }
    std::vector<std::string> unused; // as all algorithms that take them have something else
    std::set<std::string> why;
    for (const auto& key : Ns3RdmaKeys())
    {
        if (!(key.parameter || key.control) || !key.GetDefault(config.dialect) || !config.lines.count(key.name))
        {
            continue;
        }
        std::set<std::string> owners = algorithms;
        for (const auto& name : names)
        {
            const auto it = config.taken.find(name);
            if (it == config.taken.end() || !it->second.count(key.name))
            {
                owners.erase(name);
            }
        }
        if (owners.empty())
        {
            config.notes.push_back(
                config.At(key.name, std::string(key.name) + ": has no effect: no parameter of " + of));
        }
        else if (std::all_of(owners.begin(), owners.end(), [&](const std::string& o) { return asked.count(o) > 0; }))
        {
            unused.emplace_back(key.name);
            std::for_each(owners.begin(), owners.end(), [&](const std::string& o) { why.insert(asked.at(o)); });
        }
    }
    if (!unused.empty())
    {
        config.notes.push_back(config.path + ": not used: " + RccJoin(unused, ", ") + ": the command asks for " +
                               RccJoin(std::vector<std::string>(why.begin(), why.end()), ", "));
    }
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
        return "found " + LabShown(text) + ", expected ns3-rdma or hpcc";
    }
    dialect = original ? Ns3RdmaDialect::ORIGINAL : Ns3RdmaDialect::HPCC;
    return "";
}

} // namespace ns3
