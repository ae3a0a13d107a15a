/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Reader of ConnectX DCQCN parameter dumps. */
#include "ns3-rdma-reader.h"
#include "ns3/lab-text.h"

#include "ns3/rcc-units.h"
#include "ns3/rcc.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace ns3
{

namespace
{

const uint64_t GAIN_MAX = 512;

/// The ratio n / of in the core's unit, 1e-9, rounded to nearest.
int64_t
RatioOf(uint64_t n, uint64_t of)
{
    return static_cast<int64_t>((n * RCC_RATIO_ONE + of / 2) / of);
}

/// In a smaller unit.
template <int64_t factor>
int64_t
Times(uint64_t value)
{
    return static_cast<int64_t>(value) * factor;
}

/// Alpha counts to 2^10 and is divided by 2^value.
int64_t
Cut(uint64_t value)
{
    return value <= 10 ? RatioOf(uint64_t(1) << (10 - value), 1) : RatioOf(1, uint64_t(1) << (value - 10));
}

/// In 1/1024; above 512 what of alpha stays, so that 1 - value / 1024 is the gain.
int64_t
Gain(uint64_t value)
{
    return RatioOf(value > GAIN_MAX ? 1024 - value : value, 1024);
}

/// In parts of a whole.
template <uint64_t whole>
int64_t
Part(uint64_t value)
{
    return RatioOf(value, whole);
}

/// 2^-value.
int64_t
Shift(uint64_t value)
{
    return RatioOf(1, uint64_t(1) << value);
}

/// Of a parameter without a counterpart whose 0 says that it is not in use.
int64_t
NothingAtZero(uint64_t)
{
    return 0;
}

/// Of one whose 1 says what is so here.
int64_t
NothingAtOne(uint64_t)
{
    return 0;
}

struct Parameter
{
    const char* name;             //!< of sysfs
    const char* alias;            //!< of debugfs, without rp_ or np_, or of Windows; null: the same but for rpg_
    int64_t (*convert)(uint64_t); //!< into the unit of the parameter of dcqcn
    uint64_t most;
    const char* unit;
    const char* parameter; //!< of dcqcn; null: none
    const char* text;
};

const Parameter TABLE[] = {
    {"rpg_time_reset", nullptr, &Times<1000>, 10000000, "us", "timer", "period of the rate increase timer"},
    {"rpg_byte_reset", nullptr, &Times<1>, UINT32_MAX, "B", "byte_counter",
     "bytes per step of the byte counter; 0: timer only"},
    {"rpg_threshold", nullptr, &Times<1>, 1000, "", "f", "stages of fast recovery"},
    {"rpg_ai_rate", nullptr, &Times<1000000>, 1600000, "Mb/s", "r_ai", "additive increase step"},
    {"rpg_hai_rate", nullptr, &Times<1000000>, 1600000, "Mb/s", "r_hai", "hyper increase step"},
    {"rpg_min_rate", nullptr, &Times<1000000>, 1600000, "Mb/s", "r_min", "least rate"},
    {"rpg_gd", "alpha_to_rate_shift", &Cut, 40, "log2", "cut_ratio",
     "a cut is alpha / 2^rpg_gd with alpha counted to 2^10: cut_ratio = 2^(10 - rpg_gd), 0.5 for 11"},
    {"dce_tcp_g", nullptr, &Gain, 1024, "1/1024", "g",
     "gain of alpha; above 512 it is what of alpha stays: 1019 is a gain of 5/1024"},
    {"dce_tcp_rtt", nullptr, &Times<1000>, 10000000, "us", "alpha_timer", "period in which alpha moves"},
    {"initial_alpha_value", nullptr, &Part<1023>, 1023, "1/1023", "initial_alpha", "alpha before the first CNP"},
    {"clamp_tgt_rate", nullptr, &Times<1>, 1, "", "clamp_target", "every cut sets the target rate"},
    {"rate_reduce_monitor_period", nullptr, &Times<1000>, 1000000, "us", "rate_reduce_period",
     "CNPs sooner than this after a cut are ignored"},
    {"min_time_between_cnps", nullptr, &Times<1000>, 1000, "us", "cnp_generation",
     "least time between two CNPs of a port, over all flows; cnp_interval, that of a flow, becomes 0"},
    {"clamp_tgt_rate_after_time_inc", "clamp_tgt_rate_ati", &Times<1>, 1, "", "clamp_after_time",
     "a cut sets the target rate after an increase by timer too, not only after one by bytes"},
    {"rpg_max_rate", nullptr, &NothingAtZero, 1600000, "Mb/s", nullptr, "rates here end at the line rate"},
    {"rpg_min_dec_fac", nullptr, &Part<100>, 100, "%", "min_dec_fac", "a cut leaves at least this part of the rate"},
    {"rate_to_set_on_first_cnp", nullptr, &Times<1000000>, 1600000, "Mb/s", "first_cnp_rate",
     "the rate after a flow's first CNP; 0: a cut like any other"},
    {"cnp_dscp", nullptr, nullptr, 63, "", nullptr, "CNPs here have the class of ACKs"},
    {"cnp_802p_prio", "cnp_prio", nullptr, 7, "", nullptr, "CNPs here have the class of ACKs"},
    {"cnp_prio_mode", nullptr, nullptr, 1, "", nullptr, "CNPs here have the class of ACKs"},
    {"roce_cc_prio_mask", nullptr, nullptr, 255, "", nullptr, "all RDMA classes are controlled"},
    {"enable", "enable_prio", &NothingAtOne, UINT32_MAX, "", nullptr, "all RDMA classes are controlled"},
    {"roce_cc_algorithm", nullptr, &NothingAtZero, 1, "", nullptr,
     "0 is ECN, which is DCQCN; 1 is QCN: its parameters are those that mlnx_qcn lists"},
};

/// What mlnx_qcn lists, of a NIC that is a reaction point of 802.1Qau.
const Parameter QCN_TABLE[] = {
    {"rpg_time_reset", nullptr, &Times<1000>, 100000000, "us", "timer", "period of the rate increase timer"},
    {"rpg_byte_reset", nullptr, &Times<1>, UINT32_MAX, "B", "byte_counter", "bytes per step of the byte counter"},
    {"rpg_threshold", nullptr, &Times<1>, 100, "", "f", "cycles of fast recovery"},
    {"rpg_ai_rate", nullptr, &Times<1000000>, 1600000, "Mb/s", "r_ai", "active increase step"},
    {"rpg_hai_rate", nullptr, &Times<1000000>, 1600000, "Mb/s", "r_hai", "hyper-active increase step"},
    {"rpg_min_rate", nullptr, &Times<1000000>, 1600000, "Mb/s", "r_min", "least rate"},
    {"rpg_gd", nullptr, &Shift, 30, "log2", "gd", "a CNM cuts the rate by 2^-rpg_gd times its feedback"},
    {"rpg_min_dec_fac", nullptr, nullptr, UINT32_MAX, "", nullptr,
     "its unit differs between drivers: the largest cut of one CNM is max_cut"},
    {"rpg_max_rate", nullptr, &NothingAtZero, 1600000, "Mb/s", nullptr, "rates here end at the line rate"},
    {"rppp_max_rps", nullptr, nullptr, UINT32_MAX, "", nullptr, "every queue pair has a rate limiter of its own"},
    {"rpg_enable", nullptr, &NothingAtOne, UINT32_MAX, "", nullptr, "all RDMA classes are controlled"},
    {"cndd_state_machine", nullptr, nullptr, UINT32_MAX, "", nullptr,
     "no priority is remapped at the edge of a domain"},
};

/// The parameters of an algorithm.
struct Table
{
    const char* algorithm;
    std::vector<Parameter> parameters;
};

const Table&
TableOf(bool qcn)
{
    static const Table dcqcn{"dcqcn", {std::begin(TABLE), std::end(TABLE)}};
    static const Table other{"qcn", {std::begin(QCN_TABLE), std::end(QCN_TABLE)}};
    return qcn ? other : dcqcn;
}

/// A line of a dump.
struct Entry
{
    std::vector<std::string> words;
    std::string place; //!< "FILE:LINE: "
    uint32_t line;
};

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool
IsCapital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/// Of DcQcnRpgTimeReset, as Windows has it, rpg_time_reset; other names as they are.
std::string
FromWindows(const std::string& name)
{
    const std::string prefix = "DcQcn";
    const bool same = name.compare(0, prefix.size(), prefix) == 0 || name.compare(0, prefix.size(), "Dcqcn") == 0;
    if (!same || name.size() == prefix.size() || !IsCapital(name[prefix.size()]))
    {
        return name;
    }
    std::string plain;
    for (size_t i = prefix.size(); i < name.size(); i++)
    {
        const bool begins = IsCapital(name[i]) || (IsDigit(name[i]) && !IsDigit(name[i - 1]));
        plain += (begins && !plain.empty() ? "_" : "") + std::string(1, name[i]);
    }
    return plain.compare(0, 12, "Enable_Prio_") == 0 ? "Enable_Prio" : plain;
}

/// mlxconfig's RPG_AI_RATE_P1, debugfs' rp_ai_rate, sysfs' rpg_ai_rate and Windows' DcQcnRpgAiRate are one parameter.
std::string
PlainName(std::string name)
{
    name = FromWindows(name);
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
Find(const Table& table, const std::string& name)
{
    const std::string plain = PlainName(name);
    for (const auto& p : table.parameters)
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
    if (p.most == 1)
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
    return RccParseWhole(text, p.most, value);
}

void
Set(Ns3RdmaParameters* parameters, const std::string& name, int64_t value)
{
    for (auto& p : *parameters)
    {
        if (p.first == name)
        {
            p.second = value;
            return;
        }
    }
    parameters->emplace_back(name, value);
}

/// The next line with a name in it as words: the first "=" or ":" is a blank.
bool
NextEntry(LabTextFile& file, std::vector<std::string>* words)
{
    words->clear();
    for (std::string row; words->empty() && file.NextLine(&row);)
    {
        row = row.substr(0, row.find('#'));
        const size_t separator = row.find_first_of("=:");
        if (separator != std::string::npos)
        {
            row[separator] = ' ';
        }
        LabSplitWords(row, words);
    }
    return !words->empty();
}

/// Put a value where it goes.
void
Apply(const Table& table, const Parameter& p, const Entry& entry, uint64_t value, Ns3RdmaParameters* parameters,
      std::vector<std::string>* notes)
{
    const std::string name = p.name;
    const std::string& word = entry.words[1];
    if (!p.parameter)
    {
        if (!(p.convert == &NothingAtZero && value == 0) && !(p.convert == &NothingAtOne && value == 1))
        {
            notes->push_back(entry.place + name + ": " + word + " has no effect: " + p.text);
        }
        return;
    }
    const int64_t converted = p.convert(value);
    const rcc_field& field = Ns3RdmaReader::FieldOf(table.algorithm, p.parameter);
    const std::string expected = RccCheckRange(field, converted);
    if (!expected.empty())
    {
        throw LabFileError(
            entry.place +
            LabFound(name, LabShown(word) + ", " + RccFormat(field.unit, converted) + " for " + p.parameter, expected));
    }
    Set(parameters, p.parameter, converted);
    if (field.name == std::string("cnp_generation")) // over all flows: the interval of one flow is not limited
    {
        Set(parameters, "cnp_interval", 0);
    }
    if (p.convert == &Gain && value > GAIN_MAX)
    {
        notes->push_back(entry.place + name + ": " + word + " is read as the share of alpha that stays, a gain of " +
                         std::to_string(1024 - value) + "/1024");
    }
}

/// A line that has a known name. \return its value
uint64_t
ValueOf(const Parameter& p, const Entry& entry)
{
    uint64_t value = 0;
    const auto& words = entry.words;
    if (words.size() != 2 || !ReadValue(p, words[1], &value))
    {
        const std::string found = words.size() == 1   ? "no value"
                                  : words.size() == 2 ? LabShown(words[1])
                                                      : std::to_string(words.size() - 1) + " values";
        throw LabFileError(entry.place + LabFound(p.name, found, Expected(p)));
    }
    return value;
}

void
Read(const std::string& path, Ns3RdmaParameters* parameters, std::vector<std::string>* notes,
     std::vector<std::string>* warnings, std::string* algorithm, std::map<std::string, std::string>* places)
{
    LabTextFile file(path, "a file with lines of name and value", RCC_SMALL_FILE);
    std::vector<Entry> entries;
    bool qcn = false;
    for (std::vector<std::string> words; NextEntry(file, &words);)
    {
        entries.push_back(Entry{words, file.At(""), file.GetLine()});
        qcn = qcn || words[0] == "rppp_max_rps" || words[0] == "cndd_state_machine"; // what no list of DCQCN has
    }
    if (qcn && !algorithm)
    {
        throw LabFileError(path + ":1: found parameters of QCN, expected those of DCQCN");
    }
    const Table& table = TableOf(qcn);
    std::vector<std::string> names;
    for (const auto& p : table.parameters)
    {
        names.emplace_back(p.name);
    }
    std::map<const Parameter*, uint32_t> lines;
    LabWarnings warned(warnings);
    for (const Entry& entry : entries)
    {
        const Parameter* p = Find(table, entry.words[0]);
        if (!p)
        {
            warned.Add(entry.place + "ignored the unknown parameter " + LabShown(entry.words[0]) +
                       (warned.HasRoom() ? RccSuggest(entry.words[0], names) : ""));
            continue;
        }
        const uint64_t value = ValueOf(*p, entry);
        uint32_t& line = lines[p];
        if (line)
        {
            warned.Add(entry.place + p->name + ": given again, line " + std::to_string(line) + " is ignored");
        }
        line = entry.line;
        Apply(table, *p, entry, value, parameters, notes);
        if (places && p->parameter)
        {
            (*places)[p->parameter] = entry.place + p->name;
        }
    }
    warned.Finish(path);
    if (lines.empty())
    {
        throw LabFileError(path + ":1: found no parameter, expected lines of name and value such as 'rpg_ai_rate 5'");
    }
    if (algorithm)
    {
        *algorithm = table.algorithm;
    }
}

} // namespace

std::string
Ns3RdmaReader::ReadNicParams(const std::string& path, Ns3RdmaParameters& parameters, std::vector<std::string>& notes,
                             std::vector<std::string>& warnings, std::string* algorithm,
                             std::map<std::string, std::string>* places)
{
    parameters.clear();
    return LabErrorOf([&] { Read(path, &parameters, &notes, &warnings, algorithm, places); });
}

std::string
Ns3RdmaReader::GetNicTable(bool qcn)
{
    std::string table = std::string("| name | unit | parameter of ") + TableOf(qcn).algorithm +
                        " | meaning, or why it has no effect |\n|---|---|---|---|\n";
    for (const auto& p : TableOf(qcn).parameters)
    {
        const std::string parameter = p.parameter ? "`" + std::string(p.parameter) + "`" : "none";
        table += "| `" + std::string(p.name) + "` | " + p.unit + " | " + parameter + " | " + p.text + " |\n";
    }
    return table;
}

} // namespace ns3
