/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Prints every algorithm with its presets and parameters, and every trace source, as JSON, for the rcc command and the
 * documentation; with --attributes, the attributes of every type of ns-3.
 */
#include "lab-attributes.h"
#include "lab-json.h"
#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-units.h"

#include "ns3/type-id.h"

#include <cstdio>
#include <map>
#include <sstream>

using namespace ns3;

namespace
{

std::string
Text(const rcc_field& f, int64_t value)
{
    if (f.unit != RCC_UNIT_CHOICE)
    {
        return RccFormat(f.unit, value);
    }
    std::istringstream in(f.choices);
    std::string name;
    for (int64_t i = 0; i <= value; i++)
    {
        std::getline(in, name, '|');
    }
    return name;
}

LabJson
Fields(const rcc_algorithm* alg)
{
    static const char* const roles[] = {"cp", "np", "rp"};
    static const char* const units[] = {"count", "time", "rate", "bytes", "ratio", "choice"};
    LabJson fields('[');
    for (size_t i = 0; i < alg->n_fields; i++)
    {
        const rcc_field& f = alg->fields[i];
        LabJson field;
        field.Add("name", std::string(f.name))
            .Add("role", std::string(roles[f.role]))
            .Add("unit", std::string(units[f.unit]))
            .Add("min", Text(f, f.min))
            .Add("max", Text(f, f.max))
            .Add("default", Text(f, f.def))
            .Add("choices", std::string(f.choices ? f.choices : ""))
            .Add("attribute", RccAlgorithm::AttributeName(f.name))
            .Add("help", std::string(f.help))
            .Add("source", std::string(f.source));
        fields.Add("", field);
    }
    return fields;
}

LabJson
Presets(const rcc_algorithm* alg)
{
    LabJson presets('[');
    for (const rcc_preset* p = alg->presets; p->name; p++)
    {
        LabJson values;
        for (size_t i = 0; i < p->n_values; i++)
        {
            const rcc_field& field = alg->fields[p->values[i].field];
            values.Add(field.name, Text(field, p->values[i].value));
        }
        LabJson preset;
        preset.Add("name", std::string(p->name)).Add("help", std::string(p->help)).Add("values", values);
        presets.Add("", preset);
    }
    return presets;
}

/// Names of the algorithms whose presets this one's name has too.
LabJson
Variants(const rcc_algorithm* alg)
{
    LabJson names('[');
    for (const rcc_algorithm* const* variant = alg->variants; variant && *variant; variant++)
    {
        names.Add("", std::string((*variant)->name));
    }
    return names;
}

/// Trace sources of the module's classes, by class and in the order in which they were added.
LabJson
TraceSources()
{
    std::map<std::string, TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.GetGroupName() == "Rcc" && tid.GetTraceSourceN())
        {
            types[tid.GetName()] = tid;
        }
    }
    LabJson sources('[');
    for (const auto& type : types)
    {
        for (std::size_t i = 0; i < type.second.GetTraceSourceN(); i++)
        {
            const TypeId::TraceSourceInformation info = type.second.GetTraceSource(i);
            LabJson source;
            source.Add("class", type.first)
                .Add("name", info.name)
                .Add("callback", info.callback)
                .Add("help", info.help);
            sources.Add("", source);
        }
    }
    return sources;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string option = argc == 2 ? argv[1] : "";
    if (option == "--attributes")
    {
        std::printf("%s\n", LabDescribeAttributes().Str().c_str());
        return 0;
    }
    LabJson algorithms('[');
    const char* const watches[] = {"none", "ecn", "cn-tagged", "telemetry"}; // names of rcc_cp_frames
    for (size_t i = 0; const rcc_algorithm* alg = rcc_algorithm_at(i); i++)
    {
        LabJson json;
        json.Add("name", std::string(alg->name))
            .Add("title", std::string(alg->title))
            .Add("source", std::string(alg->source))
            .Add("typeid", RccAlgorithm::TypeIdName(alg->name))
            .Add("watches", std::string(watches[rcc_cp_watches(alg)]))
            .Add("presets", Presets(alg))
            .Add("variants", Variants(alg))
            .Add("fields", Fields(alg));
        algorithms.Add("", json);
    }
    LabJson catalog;
    catalog.Add("version", std::string(RCC_VERSION))
        .Add("ns3_version", std::string(RCC_NS3_VERSION))
        .Add("algorithms", algorithms)
        .Add("trace_sources", TraceSources());
    std::printf("%s\n", catalog.Str().c_str());
    return 0;
}
