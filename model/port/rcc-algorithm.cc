/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-algorithm.h"

#include "ns3/rcc-random.h"
#include "ns3/rcc-units.h"
#include "rcc-checker.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

#define RCC_ALGORITHM(id) extern "C" const struct rcc_algorithm rcc_algorithm_##id;
#include "algorithms.def"
#undef RCC_ALGORITHM

NS_OBJECT_ENSURE_REGISTERED(RccAlgorithm);

namespace
{

const uint64_t ANY_RATE = 0; // no line rate of its own

/// The parameter that an attribute's value stands for; false if it is of another type or no choice.
bool
ReadAnyField(const rcc_field& field, const AttributeValue& value, int64_t* v)
{
    if (auto t = dynamic_cast<const TimeValue*>(&value))
    {
        *v = t->Get().GetNanoSeconds();
        return field.unit == RCC_UNIT_NS;
    }
    if (auto r = dynamic_cast<const DataRateValue*>(&value))
    {
        *v = static_cast<int64_t>(r->Get().GetBitRate());
        return field.unit == RCC_UNIT_BPS;
    }
    if (auto u = dynamic_cast<const UintegerValue*>(&value))
    {
        *v = static_cast<int64_t>(u->Get());
        return field.unit == RCC_UNIT_BYTES || field.unit == RCC_UNIT_COUNT;
    }
    if (auto d = dynamic_cast<const DoubleValue*>(&value))
    {
        *v = static_cast<int64_t>(d->Get() * RCC_RATIO_ONE + 0.5);
        return field.unit == RCC_UNIT_RATIO;
    }
    if (auto s = dynamic_cast<const StringValue*>(&value))
    {
        return field.unit == RCC_UNIT_CHOICE && RccParseField(field, s->Get(), v).empty();
    }
    return false;
}

/// As ReadAnyField; false also if the parameter is out of its range.
bool
ReadField(const rcc_field& field, const AttributeValue& value, int64_t* v)
{
    return ReadAnyField(field, value, v) && *v >= field.min && *v <= field.max;
}

/// ReadField's inverse; false if the value is of another type, e.g. a StringValue for a time: ns-3 converts then.
bool
WriteField(const rcc_field& field, AttributeValue& value, int64_t v)
{
    auto t = dynamic_cast<TimeValue*>(&value);
    auto r = dynamic_cast<DataRateValue*>(&value);
    auto u = dynamic_cast<UintegerValue*>(&value);
    auto d = dynamic_cast<DoubleValue*>(&value);
    auto s = dynamic_cast<StringValue*>(&value);
    if (t && field.unit == RCC_UNIT_NS)
    {
        t->Set(NanoSeconds(v));
    }
    else if (r && field.unit == RCC_UNIT_BPS)
    {
        r->Set(DataRate(static_cast<uint64_t>(v)));
    }
    else if (u && (field.unit == RCC_UNIT_BYTES || field.unit == RCC_UNIT_COUNT))
    {
        u->Set(static_cast<uint64_t>(v));
    }
    else if (d && field.unit == RCC_UNIT_RATIO)
    {
        d->Set(static_cast<double>(v) / RCC_RATIO_ONE);
    }
    else if (s && field.unit == RCC_UNIT_CHOICE)
    {
        s->Set(RccFormatField(field, v));
    }
    else
    {
        return false;
    }
    return true;
}

/// Makes an attribute of one parameter.
class FieldAccessor : public AttributeAccessor
{
  public:
    FieldAccessor(const rcc_field* field, size_t index) : m_field(field), m_index(index)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto alg = dynamic_cast<RccAlgorithm*>(object);
        int64_t v = 0;
        if (!alg || !ReadField(*m_field, value, &v))
        {
            return false;
        }
        alg->SetIndex(m_index, v);
        return true;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        auto alg = dynamic_cast<const RccAlgorithm*>(object);
        return alg && WriteField(*m_field, value, alg->GetIndex(m_index));
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    const rcc_field* m_field;
    size_t m_index;
};

/// A checker of ns-3's and the field's range or choices: those of rates and strings have none.
Ptr<const AttributeChecker>
MakeFieldChecker(const rcc_field* field, Ptr<const AttributeChecker> inner)
{
    const auto check = [field](const AttributeValue& value) {
        int64_t v = 0;
        return ReadField(*field, value, &v);
    };
    return Ptr<const AttributeChecker>(new RccChecker(inner, check), false);
}

/// Add the names of an algorithm's presets that are not in `known` yet.
void
AddPresets(const rcc_algorithm* core, std::vector<std::string>& known)
{
    for (const rcc_preset* p = core->presets; p->name; p++)
    {
        if (std::find(known.begin(), known.end(), p->name) == known.end())
        {
            known.emplace_back(p->name);
        }
    }
}

std::string
Camel(const std::string& name)
{
    std::string out;
    bool upper = true;
    for (char c : name)
    {
        if (c == '_' || c == '-')
        {
            upper = true;
            continue;
        }
        out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        upper = false;
    }
    return out;
}

} // namespace

// One class per algorithm, because a TypeId needs a constructor of its own.
#define RCC_ALGORITHM(id)                                                                                              \
    class RccAlgorithm_##id : public RccAlgorithm                                                                      \
    {                                                                                                                  \
      public:                                                                                                          \
        static TypeId GetTypeId()                                                                                      \
        {                                                                                                              \
            static TypeId tid = AddFields(TypeId(TypeIdName(rcc_algorithm_##id.name).c_str())                          \
                                              .SetParent<RccAlgorithm>()                                               \
                                              .SetGroupName("Rcc")                                                     \
                                              .AddConstructor<RccAlgorithm_##id>(),                                    \
                                          &rcc_algorithm_##id);                                                        \
            return tid;                                                                                                \
        }                                                                                                              \
        RccAlgorithm_##id() : RccAlgorithm(&rcc_algorithm_##id)                                                        \
        {                                                                                                              \
        }                                                                                                              \
    };                                                                                                                 \
    NS_OBJECT_ENSURE_REGISTERED(RccAlgorithm_##id);
#include "algorithms.def"
#undef RCC_ALGORITHM

TypeId
RccAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RccAlgorithm").SetParent<Object>().SetGroupName("Rcc");
    return tid;
}

RccAlgorithm::RccAlgorithm(const rcc_algorithm* core) : m_core(core), m_params(core->n_fields)
{
    rcc_params_init(core, "", m_params.data());
}

TypeId
RccAlgorithm::AddFields(TypeId tid, const rcc_algorithm* core)
{
    for (size_t i = 0; i < core->n_fields; i++)
    {
        const rcc_field& f = core->fields[i];
        const std::string help = std::string(f.help) + " [" + f.source + "]";
        Ptr<const AttributeAccessor> accessor = Ptr<const AttributeAccessor>(new FieldAccessor(&f, i), false);
        const auto low = static_cast<uint64_t>(f.min);
        const auto high = static_cast<uint64_t>(f.max);
        const double one = RCC_RATIO_ONE;
        switch (f.unit)
        {
        case RCC_UNIT_NS:
            tid = tid.AddAttribute(AttributeName(f.name), help, TimeValue(NanoSeconds(f.def)), accessor,
                                   MakeTimeChecker(NanoSeconds(f.min), NanoSeconds(f.max)));
            break;
        case RCC_UNIT_BPS:
            tid = tid.AddAttribute(AttributeName(f.name), help, DataRateValue(DataRate(static_cast<uint64_t>(f.def))),
                                   accessor, MakeFieldChecker(&f, MakeDataRateChecker()));
            break;
        case RCC_UNIT_RATIO:
            tid = tid.AddAttribute(AttributeName(f.name), help, DoubleValue(f.def / one), accessor,
                                   MakeDoubleChecker<double>(f.min / one, f.max / one));
            break;
        case RCC_UNIT_CHOICE:
            tid = tid.AddAttribute(AttributeName(f.name), help + " " + f.choices, StringValue(RccFormatField(f, f.def)),
                                   accessor, MakeFieldChecker(&f, MakeStringChecker()));
            break;
        default:
            tid = tid.AddAttribute(AttributeName(f.name), help, UintegerValue(static_cast<uint64_t>(f.def)), accessor,
                                   MakeUintegerChecker<uint64_t>(low, high));
        }
    }
    return tid;
}

std::string
RccAlgorithm::TypeIdName(const std::string& name)
{
    return "ns3::Rcc" + Camel(name);
}

std::string
RccAlgorithm::AttributeName(const std::string& field)
{
    return Camel(field);
}

Ptr<RccAlgorithm>
RccAlgorithm::TryCreate(const std::string& name, const std::string& preset, std::string* why)
{
    const rcc_algorithm* core = rcc_find(name.c_str());
    std::vector<int64_t> params(RCC_MAX_FIELDS);
    std::vector<std::string> known;
    if (!core)
    {
        for (size_t i = 0; rcc_algorithm_at(i); i++)
        {
            known.emplace_back(rcc_algorithm_at(i)->name);
        }
        *why = "unknown algorithm '" + name + "', expected one of " + RccJoin(known, ", ") + RccSuggest(name, known);
        return nullptr;
    }
    if (!rcc_find_preset(core, preset.c_str()))
    {
        AddPresets(core, known);
        for (const rcc_algorithm* const* variant = core->variants; variant && *variant; variant++)
        {
            AddPresets(*variant, known);
        }
        *why = name + " has no preset '" + preset + "', expected one of " + RccJoin(known, ", ");
        return nullptr;
    }
    core = rcc_find_preset(core, preset.c_str());
    rcc_params_init(core, preset.c_str(), params.data());
    // Through the factory, so that Config::SetDefault works; a preset then overrides what it names.
    ObjectFactory factory;
    factory.SetTypeId(TypeIdName(core->name));
    Ptr<RccAlgorithm> alg = factory.Create<RccAlgorithm>();
    for (size_t i = 0; i < core->n_fields; i++)
    {
        if (params[i] != core->fields[i].def)
        {
            alg->m_params[i] = params[i];
        }
    }
    return alg;
}

Ptr<RccAlgorithm>
RccAlgorithm::Create(const std::string& name, const std::string& preset)
{
    std::string why;
    Ptr<RccAlgorithm> algorithm = TryCreate(name, preset, &why);
    NS_ABORT_MSG_IF(!algorithm, "RccAlgorithm::Create: " << why);
    return algorithm;
}

void
RccAlgorithm::AbortIfUsed(size_t index) const
{
    NS_ABORT_MSG_IF(!m_profiles.empty(),
                    m_core->name << "." << m_core->fields[index].name << ": set before anything uses the algorithm");
}

void
RccAlgorithm::SetIndex(size_t index, int64_t value)
{
    AbortIfUsed(index);
    m_params[index] = value;
}

bool
RccAlgorithm::HasParameter(const std::string& field) const
{
    return rcc_field_find(m_core, field.c_str()) >= 0;
}

int64_t
RccAlgorithm::GetParameter(const std::string& field) const
{
    return GetParameterAt(ANY_RATE, field);
}

int64_t
RccAlgorithm::GetParameterAt(uint64_t lineRate, const std::string& field) const
{
    const int i = rcc_field_find(m_core, field.c_str());
    NS_ABORT_MSG_IF(i < 0, m_core->name << " has no parameter " << field);
    return ParamsAt(lineRate)[static_cast<size_t>(i)];
}

std::string
RccAlgorithm::SetParameter(const std::string& field, const std::string& text)
{
    size_t index = 0;
    int64_t value = 0;
    std::string why = FindParameter(field, &index);
    if (why.empty())
    {
        const std::string expected = RccParseField(m_core->fields[index], text, &value);
        why = expected.empty() ? Assign(ANY_RATE, index, value, text) : DescribeValue(index, text, expected);
    }
    return why;
}

std::string
RccAlgorithm::SetParameter(const std::string& field, int64_t value)
{
    return SetParameterAt(ANY_RATE, field, value);
}

std::string
RccAlgorithm::SetParameterAt(uint64_t lineRate, const std::string& field, int64_t value)
{
    size_t index = 0;
    const std::string why = FindParameter(field, &index);
    return why.empty() ? Assign(lineRate, index, value, RccFormat(m_core->fields[index].unit, value)) : why;
}

/// Set a value that was written as `text`. \return empty, or that it is out of range
std::string
RccAlgorithm::Assign(uint64_t lineRate, size_t index, int64_t value, const std::string& text)
{
    const std::string expected = RccCheckRange(m_core->fields[index], value);
    if (!expected.empty())
    {
        return DescribeValue(index, text, expected);
    }
    if (lineRate == ANY_RATE)
    {
        SetIndex(index, value);
    }
    else
    {
        AbortIfUsed(index);
        m_paramsAt[lineRate][index] = value;
    }
    return "";
}

std::vector<int64_t>
RccAlgorithm::ParamsAt(uint64_t lineRate) const
{
    std::vector<int64_t> params = m_params;
    auto found = m_paramsAt.find(lineRate);
    if (found != m_paramsAt.end())
    {
        for (const auto& p : found->second)
        {
            params[p.first] = p.second;
        }
    }
    return params;
}

/// \return empty, or that there is no such parameter
std::string
RccAlgorithm::FindParameter(const std::string& field, size_t* index) const
{
    const int i = rcc_field_find(m_core, field.c_str());
    *index = static_cast<size_t>(i);
    if (i >= 0)
    {
        return "";
    }
    for (const rcc_algorithm* const* variant = m_core->variants; variant && *variant; variant++)
    {
        if (rcc_field_find(*variant, field.c_str()) >= 0)
        {
            return std::string(m_core->name) + " has no parameter '" + field + "', " + (*variant)->name + " has it";
        }
    }
    std::vector<std::string> names;
    for (size_t k = 0; k < m_core->n_fields; k++)
    {
        names.emplace_back(m_core->fields[k].name);
    }
    return std::string(m_core->name) + " has no parameter '" + field + "'" + RccSuggest(field, names);
}

std::string
RccAlgorithm::DescribeValue(size_t index, const std::string& text, const std::string& expected) const
{
    return std::string(m_core->name) + "." + m_core->fields[index].name + " is '" + text + "', expected " + expected;
}

std::string
RccAlgorithm::Describe(const rcc_error& error) const
{
    std::ostringstream why;
    why << m_core->name;
    if (!error.field)
    {
        why << ": " << error.message << ": " << error.name << " = " << error.value << ", expected " << error.min
            << " to " << error.max << " bit/s";
        return why.str();
    }
    const rcc_unit unit = error.field->unit;
    why << ": " << error.message << " (" << error.name << " = " << RccFormat(unit, error.value) << ", expected "
        << RccFormat(unit, error.min) << " to " << RccFormat(unit, error.max) << ")";
    return why.str();
}

std::string
RccAlgorithm::Check(uint64_t lineRate, rcc_error* error) const
{
    const rcc_env env = {lineRate, &RccDraw, 0, 0, 0};
    rcc_error found;
    rcc_error* const wrong = error ? error : &found;
    return rcc_check(m_core, ParamsAt(lineRate).data(), &env, wrong) ? "" : Describe(*wrong);
}

const rcc_profile*
RccAlgorithm::GetProfile(rcc_role role, uint64_t lineRate, const Path& path)
{
    std::vector<uint64_t>& memory = m_profiles[std::make_tuple(role, lineRate, path)];
    if (memory.empty())
    {
        const rcc_env env = {lineRate, &RccDraw, path.rate, path.baseRtt, path.mtu};
        rcc_error error;
        memory.resize(rcc_profile_size(m_core, role) / 8 + 1);
        const bool ok = rcc_configure(m_core, role, ParamsAt(lineRate).data(), &env, memory.data(), &error);
        NS_ABORT_MSG_IF(!ok, Describe(error));
    }
    return reinterpret_cast<const rcc_profile*>(memory.data());
}

} // namespace ns3
