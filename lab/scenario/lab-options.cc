/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-options.h"

#include "lab-json.h"
#include "lab-nic.h"
#include "lab-progress.h"

#include "ns3/abort.h"
#include "ns3/command-line.h"
#include "ns3/global-value.h"
#include "ns3/lab-text.h"
#include "ns3/rcc-gateway.h"
#include "ns3/rcc-simulator-impl.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>

namespace ns3
{

namespace
{

/// \return the name in --name or --name=VALUE, with one dash or two as CommandLine has it; of another word empty
std::string
NameIn(const std::string& word)
{
    const size_t dashes = word.compare(0, 2, "--") == 0 ? 2 : word.compare(0, 1, "-") == 0 ? 1 : 0;
    return dashes ? word.substr(dashes, word.find('=') - dashes) : "";
}

bool
IsAmong(int argc, char* argv[], const std::string& name)
{
    return std::any_of(argv + 1, argv + argc, [&](const char* word) { return NameIn(word) == name; });
}

/// \return the first name that --set gives a second value; empty: there is none
std::string
FindSetTwice(const std::vector<std::string>& items)
{
    std::set<std::string> seen;
    for (const auto& item : items)
    {
        const std::string name = item.substr(0, item.find('='));
        if (name.size() < item.size() && !seen.insert(name).second)
        {
            return name;
        }
    }
    return "";
}

Ptr<RccAlgorithm>
CreateOrFail(const std::string& name, const std::string& preset)
{
    std::string why;
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::TryCreate(name, preset, &why);
    LabOptions::FailIf(why);
    return algorithm;
}

} // namespace

void
LabOptions::Fail(const std::string& message)
{
    std::cout.flush();
    std::cerr << "rcc: error: " << (s_read ? s_read->PutPlace(message) : message) << std::endl;
    std::exit(2);
}

void
LabOptions::Note(const std::string& message)
{
    std::cerr << "rcc: note: " << message << std::endl;
}

void
LabOptions::FailIf(const std::string& message)
{
    if (!message.empty())
    {
        Fail(message);
    }
}

void
LabOptions::FailValueIf(bool wrong, const std::string& name, const std::string& expected) const
{
    FailIf(wrong ? "--" + name + " is '" + GetText(name) + "', expected " + expected : "");
}

void
LabOptions::FailItemIf(bool wrong, const std::string& name, const std::string& item, const std::string& expected)
{
    FailIf(wrong ? "--" + name + " has '" + item + "', expected " + expected : "");
}

LabOptions::Option&
LabOptions::Declare(Kind kind, const std::string& name, const std::string& text, const std::string& help)
{
    NS_ABORT_MSG_IF(Has(name), "option " << name << " is declared twice");
    m_options.emplace_back(new Option);
    Option& o = *m_options.back();
    o.kind = kind;
    o.name = name;
    o.text = o.initial = o.declared = text;
    o.help = help;
    return o;
}

LabOptions::Option&
LabOptions::Declare(const Row& row)
{
    Option& o = Declare(row.kind, row.name, row.text, row.help);
    o.unit = row.unit;
    o.low = row.low;
    o.high = row.high;
    if (row.kind == Kind::LIST && !row.words.empty())
    {
        o.head = row.words[0];
        o.keys.assign(row.words.begin() + 1, row.words.end());
    }
    else
    {
        o.words = row.words;
    }
    return o;
}

const std::vector<LabOptions::Row>&
LabOptions::GetTable()
{
    static const std::vector<Row> table = {
#include "lab-option-table.inc"
    };
    return table;
}

/// \return what says in a file what an option of this name said; empty: there was none
std::string
LabOptions::GetRetired(const std::string& name)
{
    for (const auto& row : GetTable())
    {
        if (name == row.name && std::string(row.tables) == "retired")
        {
            return row.help;
        }
    }
    return "";
}

void
LabOptions::AddTable(const std::string& name)
{
    for (const auto& row : GetTable())
    {
        const std::vector<std::string> tables = LabSplit(row.tables, ' ');
        if (std::find(tables.begin(), tables.end(), name) != tables.end())
        {
            Declare(row);
        }
    }
}

void
LabOptions::AddHidden(const std::vector<std::string>& names)
{
    for (const auto& row : GetTable())
    {
        if (std::find(names.begin(), names.end(), row.name) != names.end())
        {
            Declare(row).hidden = true;
        }
    }
}

void
LabOptions::Add(const std::string& name, rcc_unit unit, const std::string& text, int64_t low, int64_t high,
                const std::string& help)
{
    Option& o = Declare(Kind::QUANTITY, name, text, help);
    o.unit = unit;
    o.low = low;
    o.high = high;
}

void
LabOptions::AddChoice(const std::string& name, const std::vector<std::string>& words, const std::string& text,
                      const std::string& help)
{
    Declare(Kind::CHOICE, name, text, help).words = words;
}

void
LabOptions::SetDefault(const std::string& name, const std::string& text)
{
    Option& o = Find(name);
    o.text = o.initial = text;
    CheckValue(o);
}

void
LabOptions::SetDefaultValue(const std::string& name, int64_t value)
{
    SetDefault(name, RccFormat(Find(name).unit, value));
}

/// Parse the text of an option and check that it is allowed.
void
LabOptions::CheckValue(Option& o) const
{
    std::string expected;
    if (o.kind == Kind::CHOICE && std::find(o.words.begin(), o.words.end(), o.text) == o.words.end())
    {
        expected = RccJoin(o.words, o.words.size() < 3 ? " or " : ", ");
        expected = (o.words.size() < 3 ? "" : "one of ") + expected;
    }
    else if (o.kind == Kind::QUANTITY && !o.text.empty())
    {
        expected = RccParseWithin(o.unit, o.text, o.low, o.high, &o.value);
    }
    FailValueIf(!expected.empty(), o.name, expected);
}

/// ns3::CommandLine ends a text at its first blank, and keeps the last of two: texts are read here. Each word of a list
/// adds to it, behind its first one, which comes in the place of the file's. \return the other words, and a null
/// pointer
std::vector<char*>
LabOptions::TakeTexts(int argc, char* argv[])
{
    std::vector<char*> rest;
    for (int i = 0; i < argc; i++)
    {
        const std::string word = argv[i];
        const size_t equal = std::min(word.find('='), word.size());
        const auto option = std::find_if(m_options.begin(), m_options.end(), [&](const std::unique_ptr<Option>& o) {
            return o->kind != Kind::FLAG && !o->hidden && NameIn(word) == o->name;
        });
        if (i > 0 && option != m_options.end() &&
            equal + 1 < word.size()) // without a value: CommandLine prints its help
        {
            Option& o = **option;
            FailIf(o.given && o.kind != Kind::LIST ? "--" + o.name + " is given twice" : "");
            o.text = (o.given ? o.text + "," : "") + word.substr(equal + 1);
            o.given = true;
            o.line = 0;
        }
        else
        {
            rest.push_back(argv[i]);
        }
    }
    rest.push_back(nullptr);
    return rest;
}

void
LabOptions::Parse(int argc, char* argv[], const std::string& usage)
{
    LabProgress::EndWithParent();
    CommandLine cmd;
    cmd.Usage(usage);
    for (auto& o : m_options)
    {
        if (o->kind == Kind::FLAG)
        {
            cmd.AddValue(o->name, o->help, o->flag);
        }
        else if (!o->hidden)
        {
            cmd.AddValue(o->name, o->help, o->text);
        }
    }
    RccSimulatorImpl::Use();
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler")); // the fastest of ns-3's
    if (m_acceptsFile && argc > 1 && argv[1][0] != '-')
    {
        ReadFile(argv[1]);
        argv[1] = argv[0];
        argc--;
        argv++;
    }
    const std::string of = m_file.empty() || !Has("cc") ? "" : GetText("cc");
    std::vector<char*> rest = TakeTexts(argc, argv);
    cmd.Parse(static_cast<int>(rest.size()) - 1, rest.data());
    RccGateway::Start(&argc, &argv);
    for (auto& o : m_options)
    {
        o->given = o->line > 0 || IsAmong(argc, argv, o->name);
        CheckValue(*o);
    }
    if (!of.empty() && Has("preset") && GetText("cc") != of && !IsAmong(argc, argv, "preset"))
    {
        Find("preset").text = Find("preset").initial; // that of the file is of its algorithm
        Find("preset").given = false;
    }
    ReadDefaults();
    const std::string twice = Has("set") ? FindSetTwice(GetList("set")) : "";
    FailIf(twice.empty() ? twice : "--set: " + twice + " is given twice");
    ReadAttributes();
    if (Has("seed") && !Find("seed").given) // ns-3's own way to ask for another replication
    {
        SetDefaultValue("seed", static_cast<int64_t>(RngSeedManager::GetRun()));
    }
}

void
LabOptions::ReadDefaults()
{
    for (const auto& item : Has("defaults") ? GetList("defaults") : std::vector<std::string>())
    {
        const size_t equal = item.find('=');
        const std::string name = item.substr(0, equal);
        FailItemIf(equal == std::string::npos || !Has(name), "defaults", item, "NAME=VALUE of an option");
        Option& o = Find(name);
        o.initial = item.substr(equal + 1);
        if (!o.given)
        {
            o.text = o.initial;
            CheckValue(o);
        }
    }
}

void
LabOptions::ReadAttributes()
{
    if (Has("base"))
    {
        const std::string wrong = m_base.Read(GetText("base"));
        FailIf(wrong.empty() ? wrong : "--base " + wrong);
    }
    if (!Has("attr"))
    {
        return;
    }
    const std::string why = m_attributes.Read(GetText("attr"));
    FailIf(why.empty() ? why : "--attr " + why);
    for (size_t i = 0; i < m_attributes.GetItems().size(); i++)
    {
        m_attributes.Forward(i, GiveToOption(m_attributes.GetItems()[i]));
    }
    ApplyAttributes();
}

/// Give an attribute's value to the option of the same quantity. \return the option, or empty
std::string
LabOptions::GiveToOption(const LabAttributes::Item& item)
{
    for (const auto& name : LabAttributes::GetOptions(item))
    {
        if (!Has(name) || Find(name).hidden)
        {
            continue;
        }
        Option& o = Find(name);
        FailIf(o.given ? "--attr has '" + item.text + "', expected no --" + name + " beside it, which sets it too"
                       : "");
        if (o.kind == Kind::QUANTITY)
        {
            o.text = LabAttributes::GetQuantity(item);
            const std::string expected = RccParseWithin(o.unit, o.text, o.low, o.high, &o.value);
            FailIf(expected.empty() ? expected
                                    : "--attr has '" + item.text + "', expected " + expected + " as --" + name);
            o.given = o.forwarded = true;
            return name;
        }
    }
    return "";
}

bool
LabOptions::Has(const std::string& name) const
{
    return std::any_of(m_options.begin(), m_options.end(),
                       [&](const std::unique_ptr<Option>& o) { return o->name == name; });
}

LabOptions::Option&
LabOptions::Find(const std::string& name) const
{
    for (auto& o : m_options)
    {
        if (o->name == name)
        {
            return *o;
        }
    }
    NS_ABORT_MSG("no option " << name);
}

std::vector<std::string>
LabOptions::GetList(const std::string& name) const
{
    return LabSplit(GetText(name), ',');
}

int64_t
LabOptions::ReadField(const std::string& name, const std::string& item, const std::string& field, rcc_unit unit,
                      int64_t low, int64_t high)
{
    int64_t value = 0;
    const std::string expected = RccParseWithin(unit, field, low, high, &value);
    const std::string where = item == field ? item : item + "': '" + field;
    FailItemIf(!expected.empty(), name, where, expected);
    return value;
}

void
LabOptions::ParseKeys(const std::string& name, const std::string& item, const std::vector<Key>& keys,
                      const std::string& form)
{
    const std::vector<std::string> part = LabSplit(item, ':');
    std::set<std::string> seen;
    for (size_t i = 1; i < part.size(); i++)
    {
        const size_t at = part[i].find('=');
        const std::string text = at == std::string::npos ? "" : part[i].substr(at + 1);
        const auto key =
            std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return part[i].compare(0, at, k.name) == 0; });
        FailItemIf(key == keys.end() || text.empty(), name, item, form);
        FailIf(seen.insert(key->name).second ? ""
                                             : "--" + name + " has '" + item + "': " + key->name + " is given twice");
        if (key->value)
        {
            *key->value = ParseField(name, item, text, key->unit, key->low, key->high);
        }
        else
        {
            *key->word = text;
        }
    }
}

Ptr<RccAlgorithm>
LabOptions::CreateAlgorithm(const std::string& other) const
{
    const std::string& name = other.empty() ? GetText("cc") : other;
    const LabNic* nic = name == "dcqcn" && Has("nic") && IsSet("nic") ? &LabNic::Find(GetText("nic")) : nullptr;
    const auto own = m_presets.find(other);
    const std::string preset = other.empty() ? GetText("preset") : own == m_presets.end() ? "" : own->second;
    Ptr<RccAlgorithm> algorithm = CreateOrFail(name, nic && preset.empty() ? nic->preset : preset);
    for (size_t i = 0; nic && i < nic->settings.size(); i++)
    {
        FailIf(algorithm->SetParameter(nic->settings[i].first, nic->settings[i].second));
    }
    for (const char* field : {"kmin", "kmax", "pmax"})
    {
        if (Has(field) && IsSet(field) && algorithm->HasParameter(field))
        {
            FailIf(algorithm->SetParameter(field, GetText(field)));
        }
    }
    for (const auto& p : m_parameters)
    {
        if (p.algorithm == name)
        {
            FailIf(algorithm->SetParameter(p.field, p.value));
        }
    }
    for (const std::string& item : GetList("set"))
    {
        const size_t dot = item.find('.');
        const size_t equal = item.find('=');
        if (dot == std::string::npos || equal == std::string::npos || equal < dot)
        {
            Fail("--set is '" + item + "', expected ALGORITHM.PARAMETER=VALUE");
        }
        // Settings of the other algorithms of a comparison are checked as well, and not used.
        const std::string owner = item.substr(0, dot);
        Ptr<RccAlgorithm> target = owner == name ? algorithm : CreateOrFail(owner, "");
        const std::string why = target->SetParameter(item.substr(dot + 1, equal - dot - 1), item.substr(equal + 1));
        FailIf(why.empty() ? why : "--set: " + why);
    }
    return algorithm;
}

} // namespace ns3
