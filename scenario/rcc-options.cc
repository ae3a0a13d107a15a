/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-options.h"

#include "ns3/rcc-text.h"

#include "ns3/abort.h"
#include "ns3/command-line.h"

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace ns3
{

namespace
{

/// Create an algorithm or fail naming what is known.
Ptr<RccAlgorithm>
CreateOrFail(const std::string& name, const std::string& preset)
{
    const rcc_algorithm* core = rcc_find(name.c_str());
    if (!core)
    {
        std::vector<std::string> names;
        std::string known;
        for (size_t i = 0; rcc_algorithm_at(i); i++)
        {
            names.emplace_back(rcc_algorithm_at(i)->name);
            known += (i ? ", " : "") + names.back();
        }
        const std::string near = RccNearest(name, names);
        RccOptions::Fail("unknown algorithm '" + name + "', expected one of " + known +
                         (near.empty() ? "" : "; the nearest is '" + near + "'"));
    }
    Ptr<RccAlgorithm> alg = RccAlgorithm::Create(name, preset);
    if (!alg)
    {
        std::string known;
        for (const rcc_preset* p = core->presets; p->name; p++)
        {
            known += std::string(known.empty() ? "" : ", ") + p->name;
        }
        RccOptions::Fail(name + " has no preset '" + preset + "', expected one of " + known);
    }
    return alg;
}

} // namespace

void
RccOptions::Fail(const std::string& message)
{
    std::cout.flush();
    std::cerr << "rcc: error: " << message << std::endl;
    std::exit(2);
}

RccOptions::Option&
RccOptions::NewOption(const std::string& name, const std::string& text, const std::string& help)
{
    m_options.emplace_back(new Option);
    Option& o = *m_options.back();
    o.name = name;
    o.text = o.initial = text;
    o.help = help;
    return o;
}

void
RccOptions::Add(const std::string& name, rcc_unit unit, const std::string& text, int64_t low, int64_t high,
                const std::string& help)
{
    Option& o = NewOption(name, text, help);
    o.unit = unit;
    o.low = low;
    o.high = high;
}

void
RccOptions::AddText(const std::string& name, const std::string& text, const std::string& help)
{
    NewOption(name, text, help).isText = true;
}

void
RccOptions::SetDefault(const std::string& name, const std::string& text)
{
    Option* o = Search(name);
    NS_ABORT_MSG_IF(!o, "no option " << name);
    o->text = o->initial = text;
    Read(*o);
}

/// Parse the text of a quantity and check its range.
void
RccOptions::Read(Option& o)
{
    if (o.isText || o.isFlag || o.text.empty())
    {
        return;
    }
    const std::string expected = RccParse(o.unit, o.text, &o.value);
    if (!expected.empty())
    {
        Fail("--" + o.name + " is '" + o.text + "', expected " + expected);
    }
    if (o.value < o.low || o.value > o.high)
    {
        Fail("--" + o.name + " is '" + o.text + "', expected " + RccFormat(o.unit, o.low) + " to " +
             RccFormat(o.unit, o.high));
    }
}

void
RccOptions::AddFlag(const std::string& name, const std::string& help)
{
    NewOption(name, "", help).isFlag = true;
}

void
RccOptions::Parse(int argc, char* argv[], const std::string& usage)
{
    CommandLine cmd;
    cmd.Usage(usage);
    for (auto& o : m_options)
    {
        if (o->isFlag)
        {
            cmd.AddValue(o->name, o->help, o->flag);
        }
        else
        {
            cmd.AddValue(o->name, o->help, o->text);
        }
    }
    cmd.Parse(argc, argv);
    for (auto& o : m_options)
    {
        Read(*o);
    }
}

RccOptions::Option*
RccOptions::Search(const std::string& name) const
{
    for (auto& o : m_options)
    {
        if (o->name == name)
        {
            return o.get();
        }
    }
    return nullptr;
}

const RccOptions::Option&
RccOptions::Find(const std::string& name) const
{
    const Option* o = Search(name);
    NS_ABORT_MSG_IF(!o, "no option " << name);
    return *o;
}

int64_t
RccOptions::Get(const std::string& name) const
{
    return Find(name).value;
}

double
RccOptions::GetSeconds(const std::string& name) const
{
    return static_cast<double>(Find(name).value) / 1e9;
}

const std::string&
RccOptions::GetText(const std::string& name) const
{
    return Find(name).text;
}

bool
RccOptions::GetFlag(const std::string& name) const
{
    return Find(name).flag;
}

bool
RccOptions::IsSet(const std::string& name) const
{
    return !Find(name).text.empty();
}

bool
RccOptions::IsChanged(const std::string& name) const
{
    return Find(name).text != Find(name).initial;
}

Ptr<RccAlgorithm>
RccOptions::CreateAlgorithm(const std::string& other) const
{
    const std::string& name = other.empty() ? GetText("cc") : other;
    Ptr<RccAlgorithm> alg = CreateOrFail(name, other.empty() ? GetText("preset") : "");
    for (const char* field : {"kmin", "kmax", "pmax"})
    {
        const Option* o = Search(field);
        if (o && !o->text.empty() && alg->HasParameter(field))
        {
            const std::string why = alg->SetParameter(field, o->text);
            if (!why.empty())
            {
                Fail(why);
            }
        }
    }
    for (const std::string& item : RccSplit(GetText("set"), ','))
    {
        size_t dot = item.find('.');
        size_t equal = item.find('=');
        if (dot == std::string::npos || equal == std::string::npos || equal < dot)
        {
            Fail("--set is '" + item + "', expected ALGORITHM.PARAMETER=VALUE");
        }
        // Settings of the other algorithms of a comparison are checked as well, and not used.
        const std::string owner = item.substr(0, dot);
        Ptr<RccAlgorithm> target = owner == name ? alg : CreateOrFail(owner, "");
        const std::string why = target->SetParameter(item.substr(dot + 1, equal - dot - 1), item.substr(equal + 1));
        if (!why.empty())
        {
            Fail("--set: " + why);
        }
    }
    return alg;
}

} // namespace ns3
