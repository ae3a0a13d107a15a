/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What a ConnectX NIC says of its DCQCN. */
#include "ns3-rdma-reader.h"
#include "rcc-text.h"

#include "ns3/rcc-units.h"
#include "ns3/rcc.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

const uint64_t FILE_MAX = 1 << 20;
const size_t WARNINGS_MAX = 50;
const uint64_t GAIN_MAX = 512;

/// How a value becomes a parameter of the core.
enum class Kind
{
    FLAG,         //!< 0, 1, True(1), False(0)
    COUNT,        //!< as it is
    MICROSECONDS, //!< us
    CNP_GAP,      //!< us between CNPs of a port; the core's interval of a flow is then 0
    BYTES,        //!< B
    MEGABITS,     //!< Mb/s
    LOG2,         //!< alpha counts to 2^10 and is divided by 2^value
    GAIN,         //!< /1024; above 512 what of alpha stays, so that 1 - value / 1024 is the gain
    ALPHA,        //!< /1023
    OFF_AT_0,     //!< has no counterpart; 0 says that it is not in use
    NOTHING       //!< has no counterpart
};

struct Parameter
{
    const char* name;  //!< of sysfs
    const char* alias; //!< of debugfs, without rp_ or np_; null: the same but for rpg_
    Kind kind;
    uint64_t most;
    const char* unit;
    const char* parameter; //!< of dcqcn; null: none
    const char* text;
};

const std::vector<Parameter>&
Table()
{
    static const std::vector<Parameter> table{
        {"rpg_time_reset", nullptr, Kind::MICROSECONDS, 10000000, "us", "timer", "period of the rate increase timer"},
        {"rpg_byte_reset", nullptr, Kind::BYTES, UINT32_MAX, "B", "byte_counter",
         "bytes per step of the byte counter; 0: timer only"},
        {"rpg_threshold", nullptr, Kind::COUNT, 1000, "", "f", "stages of fast recovery"},
        {"rpg_ai_rate", nullptr, Kind::MEGABITS, 1600000, "Mb/s", "r_ai", "additive increase step"},
        {"rpg_hai_rate", nullptr, Kind::MEGABITS, 1600000, "Mb/s", "r_hai", "hyper increase step"},
        {"rpg_min_rate", nullptr, Kind::MEGABITS, 1600000, "Mb/s", "r_min", "least rate"},
        {"rpg_gd", nullptr, Kind::LOG2, 40, "log2", "cut_ratio",
         "a cut is alpha / 2^rpg_gd with alpha counted to 2^10: cut_ratio = 2^(10 - rpg_gd), 0.5 for 11"},
        {"dce_tcp_g", nullptr, Kind::GAIN, 1024, "1/1024", "g",
         "gain of alpha; above 512 it is what of alpha stays: 1019 is a gain of 5/1024"},
        {"dce_tcp_rtt", nullptr, Kind::MICROSECONDS, 10000000, "us", "alpha_timer", "period in which alpha moves"},
        {"initial_alpha_value", nullptr, Kind::ALPHA, 1023, "1/1023", "initial_alpha", "alpha before the first CNP"},
        {"clamp_tgt_rate", nullptr, Kind::FLAG, 1, "", "clamp_target", "every cut sets the target rate"},
        {"rate_reduce_monitor_period", nullptr, Kind::MICROSECONDS, 1000000, "us", "rate_reduce_period",
         "CNPs sooner than this after a cut are ignored"},
        {"min_time_between_cnps", nullptr, Kind::CNP_GAP, 1000, "us", "cnp_generation",
         "least time between two CNPs of a port, over all flows; cnp_interval, that of a flow, becomes 0"},
        {"clamp_tgt_rate_after_time_inc", "clamp_tgt_rate_ati", Kind::FLAG, 1, "", nullptr,
         "a cut here always sets the target rate if the rate has increased since the last one, by timer or bytes"},
        {"rpg_max_rate", nullptr, Kind::OFF_AT_0, 1600000, "Mb/s", nullptr, "rates here end at the line rate"},
        {"rpg_min_dec_fac", nullptr, Kind::NOTHING, 100, "%", nullptr,
         "no such floor: a cut here leaves 1 - cut_ratio of the rate or more, which is 50 % or more for rpg_gd 11"},
        {"rate_to_set_on_first_cnp", nullptr, Kind::OFF_AT_0, 1600000, "Mb/s", nullptr,
         "the first CNP here is a cut like any other"},
        {"cnp_dscp", nullptr, Kind::NOTHING, 63, "", nullptr, "CNPs here have the class of ACKs"},
        {"cnp_802p_prio", "cnp_prio", Kind::NOTHING, 7, "", nullptr, "CNPs here have the class of ACKs"},
        {"cnp_prio_mode", nullptr, Kind::NOTHING, 1, "", nullptr, "CNPs here have the class of ACKs"},
        {"roce_cc_prio_mask", nullptr, Kind::NOTHING, 255, "", nullptr, "all RDMA classes are controlled"},
        {"enable", nullptr, Kind::NOTHING, UINT32_MAX, "", nullptr, "all RDMA classes are controlled"},
    };
    return table;
}

/// mlxconfig's RPG_AI_RATE_P1, debugfs' rp_ai_rate and sysfs' rpg_ai_rate are one parameter.
std::string
PlainName(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const size_t n = name.size();
    if (n > 3 && name[n - 3] == '_' && name[n - 2] == 'p' && name[n - 1] >= '0' && name[n - 1] <= '9')
    {
        name.erase(n - 3);
    }
    for (const std::string prefix : {"rp_", "np_", "rpg_"})
    {
        if (name.compare(0, prefix.size(), prefix) == 0)
        {
            return name.substr(prefix.size());
        }
    }
    return name;
}

const Parameter*
Find(const std::string& name)
{
    const std::string plain = PlainName(name);
    for (const auto& p : Table())
    {
        if (plain == PlainName(p.name) || (p.alias && plain == p.alias))
        {
            return &p;
        }
    }
    return nullptr;
}

std::string
Expected(const Parameter& p)
{
    if (p.kind == Kind::FLAG)
    {
        return "0 or 1";
    }
    return "a whole number from 0 to " + std::to_string(p.most) + (*p.unit ? std::string(", in ") + p.unit : "");
}

/// "True(1)" is what mlxconfig prints.
bool
ReadValue(const Parameter& p, std::string text, uint64_t* value)
{
    const size_t open = text.find('(');
    if (open != std::string::npos && text.back() == ')')
    {
        text = text.substr(open + 1, text.size() - open - 2);
    }
    return text.find('.') == std::string::npos && RccParseDecimal(text, 0, p.most, value);
}

/// A value as the core's text.
std::string
TextOf(const Parameter& p, uint64_t value)
{
    const auto n = static_cast<int64_t>(value);
    switch (p.kind)
    {
    case Kind::FLAG:
        return n ? "yes" : "no";
    case Kind::MICROSECONDS:
    case Kind::CNP_GAP:
        return RccFormat(RCC_UNIT_NS, n * 1000);
    case Kind::BYTES:
        return RccFormat(RCC_UNIT_BYTES, n);
    case Kind::MEGABITS:
        return RccFormat(RCC_UNIT_BPS, n * 1000000);
    case Kind::LOG2:
        return n <= 10 ? std::to_string(1 << (10 - n)) : "1/" + std::to_string(int64_t(1) << (n - 10));
    case Kind::GAIN:
        return std::to_string(value > GAIN_MAX ? 1024 - value : value) + "/1024";
    case Kind::ALPHA:
        return std::to_string(n) + "/1023";
    default:
        return std::to_string(n);
    }
}

void
Set(Ns3RdmaReader::Parameters* parameters, const std::string& name, const std::string& text)
{
    for (auto& p : *parameters)
    {
        if (p.first == name)
        {
            p.second = text;
            return;
        }
    }
    parameters->emplace_back(name, text);
}

} // namespace

std::string
Ns3RdmaReader::ReadNicParams(const std::string& path, Parameters& parameters, std::vector<std::string>& notes,
                             std::vector<std::string>& warnings)
{
    parameters.clear();
    RccTextFile file;
    std::string error = file.Open(path, "a file with lines of name and value", FILE_MAX);
    if (!error.empty())
    {
        return error;
    }
    std::vector<std::string> names;
    for (const auto& p : Table())
    {
        names.emplace_back(p.name);
    }
    std::map<const Parameter*, uint32_t> lines;
    size_t nWarnings = 0;
    auto warn = [&](const std::string& text) {
        if (++nWarnings <= WARNINGS_MAX)
        {
            warnings.push_back(file.Wrong(text));
        }
    };
    std::vector<std::string> words;
    for (std::string row; file.NextLine(&row);)
    {
        row = row.substr(0, row.find('#'));
        const size_t separator = row.find_first_of("=:");
        if (separator != std::string::npos)
        {
            row[separator] = ' ';
        }
        RccSplitWords(row, &words);
        if (words.empty())
        {
            continue;
        }
        const Parameter* p = Find(words[0]);
        if (!p)
        {
            const bool search = nWarnings < WARNINGS_MAX && words[0].size() <= 64;
            const std::string near = search ? RccNearest(words[0], names) : "";
            warn("ignored the unknown parameter " + RccShown(words[0]) +
                 (near.empty() ? "" : "; the nearest is '" + near + "'"));
            continue;
        }
        const std::string what = std::string(p->name) + ": ";
        uint64_t value = 0;
        if (words.size() != 2 || !ReadValue(*p, words[1], &value))
        {
            const std::string found = words.size() == 1   ? "no value"
                                      : words.size() == 2 ? RccShown(words[1])
                                                          : std::to_string(words.size() - 1) + " values";
            return file.Wrong(what + "found " + found + ", expected " + Expected(*p));
        }
        if (lines.count(p))
        {
            warn(what + "given again, line " + std::to_string(lines[p]) + " is ignored");
        }
        lines[p] = file.GetLine();
        if (!p->parameter)
        {
            if (p->kind != Kind::OFF_AT_0 || value > 0)
            {
                notes.push_back(file.Wrong(what + words[1] + " has no effect: " + p->text));
            }
            continue;
        }
        const std::string text = TextOf(*p, value);
        const std::string expected = CheckParameter("dcqcn", p->parameter, text);
        if (!expected.empty())
        {
            return file.Wrong(what + "found " + RccShown(words[1]) + ", " + text + " for " + p->parameter +
                              ", expected " + expected);
        }
        Set(&parameters, p->parameter, text);
        if (p->kind == Kind::CNP_GAP)
        {
            Set(&parameters, "cnp_interval", "0s");
        }
        if (p->kind == Kind::GAIN && value > GAIN_MAX)
        {
            notes.push_back(
                file.Wrong(what + words[1] + " is read as the share of alpha that stays, a gain of " + text));
        }
    }
    if (nWarnings > WARNINGS_MAX)
    {
        warnings.push_back(path + ": and " + std::to_string(nWarnings - WARNINGS_MAX) + " more of these");
    }
    if (file.GetError().empty() && lines.empty())
    {
        return path + ":1: found no parameter, expected lines of name and value such as 'rpg_ai_rate 5'";
    }
    return file.GetError();
}

std::string
Ns3RdmaReader::GetNicTable()
{
    std::string table = "| name | unit | parameter of dcqcn | meaning, or why it has no effect |\n|---|---|---|---|\n";
    for (const auto& p : Table())
    {
        const std::string parameter = p.parameter ? "`" + std::string(p.parameter) + "`" : "none";
        table += "| `" + std::string(p.name) + "` | " + p.unit + " | " + parameter + " | " + p.text + " |\n";
    }
    return table;
}

} // namespace ns3
