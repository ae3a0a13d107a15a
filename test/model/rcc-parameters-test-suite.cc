/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Units as text, and parameters as attributes, presets and --set. */
#include "rcc-test-net.h"

#include "ns3/config.h"
#include "ns3/object-factory.h"
#include "ns3/rcc-units.h"

#include <array>
#include <memory>

using namespace ns3;

namespace
{

/// The core's tests know all texts; these show that they reach the core whole.
void
Units()
{
    int64_t value = 0;
    RCC_CHECK_EQ(RccParse(RCC_UNIT_NS, "55us", &value), "", "");
    RCC_CHECK_EQ(value, 55000, "");
    RCC_CHECK_EQ(RccParse(RCC_UNIT_NS, "55", &value), "a time such as 55us or 0.4s", "");
    RCC_CHECK_EQ(RccParse(RCC_UNIT_COUNT,
                          std::string("5\0"
                                      "6",
                                      3),
                          &value),
                 "a whole number such as 5", "");
    RCC_CHECK_EQ(RccFormat(RCC_UNIT_BPS, 40000000000), "40Gbps", "");
    const rcc_field* fields = rcc_find("dcqcn-nic")->fields;
    const rcc_field& choice = fields[rcc_field_find(rcc_find("dcqcn-nic"), "mark_at")];
    RCC_CHECK_EQ(RccParseField(choice, "enqueue", &value), "", "");
    RCC_CHECK_EQ(value, 1, "");
    RCC_CHECK_EQ(RccParseField(choice, "never", &value), "one of dequeue|enqueue", "");
    RCC_CHECK_EQ(RccFormatField(choice, 1), "enqueue", "");
    uint64_t number = 0;
    RCC_CHECK(RccParseWhole("17", 17, &number) && number == 17 && !RccParseWhole("17", 16, &number), "");
    RCC_CHECK(!RccParseWhole("1.0", 17, &number) && !RccParseWhole("1e1", 17, &number), "");
    RCC_CHECK(RccParseDecimal("0.25", 9, 1, &number) && number == 250000000 && !RccParseDecimal("2e-1", 9, 1, &number),
              "");
}

void
Nearest()
{
    const std::vector<std::string> words{"dcqcn", "dcqcn-plus", "qcn", "timely"};
    RCC_CHECK_EQ(RccNearest("dcqn", words), "dcqcn", "");
    RCC_CHECK_EQ(RccNearest("dcqcnplus", words), "dcqcn-plus", "");
    RCC_CHECK_EQ(RccNearest("timly", words), "timely", "");
    RCC_CHECK_EQ(RccNearest("qcn", words), "qcn", "");
    RCC_CHECK_EQ(RccNearest("xyzzy-frobnicate", words), "", "nothing is near");
    RCC_CHECK_EQ(RccNearest("abc", std::vector<std::string>()), "", "");
    RCC_CHECK_EQ(RccDistance("kitten", "sitting"), 3, "");
    RCC_CHECK_EQ(RccDistance("", "abc"), 3, "");
    RCC_CHECK_EQ(RccDistance("abc", ""), 3, "");
}

/// A field's value as the attribute value of its unit; choices by index.
std::unique_ptr<AttributeValue>
ValueOf(const rcc_field& f, int64_t v)
{
    switch (f.unit)
    {
    case RCC_UNIT_NS:
        return std::unique_ptr<AttributeValue>(new TimeValue(NanoSeconds(v)));
    case RCC_UNIT_BPS:
        return std::unique_ptr<AttributeValue>(new DataRateValue(DataRate(static_cast<uint64_t>(v))));
    case RCC_UNIT_RATIO:
        return std::unique_ptr<AttributeValue>(new DoubleValue(static_cast<double>(v) / 1e9));
    case RCC_UNIT_CHOICE: {
        std::istringstream in(f.choices);
        std::string name;
        for (int64_t i = 0; i <= v && std::getline(in, name, '|'); i++)
        {
        }
        return std::unique_ptr<AttributeValue>(new StringValue(v > f.max ? "no-such-choice" : name));
    }
    default:
        return std::unique_ptr<AttributeValue>(new UintegerValue(static_cast<uint64_t>(v)));
    }
}

/// Every parameter of every algorithm: default, limits, what is beyond them, as object attribute and as default.
void
Attributes()
{
    for (size_t a = 0; rcc_algorithm_at(a); a++)
    {
        const rcc_algorithm* core = rcc_algorithm_at(a);
        const std::string type = RccAlgorithm::TypeIdName(core->name);
        TypeId tid;
        RCC_CHECK(TypeId::LookupByNameFailSafe(type, &tid), type);
        RCC_CHECK_EQ(tid.GetAttributeN(), core->n_fields, type);
        ObjectFactory factory;
        factory.SetTypeId(type);
        for (size_t i = 0; i < core->n_fields; i++)
        {
            const rcc_field& f = core->fields[i];
            const std::string name = RccAlgorithm::AttributeName(f.name);
            const std::string what = type + "::" + name;
            RCC_CHECK(f.min <= f.def && f.def <= f.max, what);
            Ptr<RccAlgorithm> alg = factory.Create<RccAlgorithm>();
            RCC_CHECK_EQ(alg->GetParameter(f.name), f.def, what << ": default");
            StringValue text;
            alg->GetAttribute(name, text);
            RCC_CHECK(!text.Get().empty(), what << ": as text");
            Ptr<RccAlgorithm> copy = factory.Create<RccAlgorithm>();
            RCC_CHECK(copy->SetAttributeFailSafe(name, text), what << " = " << text.Get());
            RCC_CHECK_EQ(copy->GetParameter(f.name), f.def, what << " = " << text.Get() << ", read again");
            for (int64_t v : {f.min, f.max, f.min + (f.max - f.min) / 2})
            {
                RCC_CHECK(alg->SetAttributeFailSafe(name, *ValueOf(f, v)), what << " = " << v);
                RCC_CHECK_EQ(alg->GetParameter(f.name), v, what);
                std::unique_ptr<AttributeValue> back = ValueOf(f, f.min);
                alg->GetAttribute(name, *back);
                const auto checker = tid.GetAttribute(i).checker;
                RCC_CHECK_EQ(back->SerializeToString(checker), ValueOf(f, v)->SerializeToString(checker), what);
                ObjectFactory other;
                other.SetTypeId(type);
                other.Set(name, *ValueOf(f, v));
                RCC_CHECK_EQ(other.Create<RccAlgorithm>()->GetParameter(f.name), v, what << ": by a factory");
                RCC_CHECK(Config::SetDefaultFailSafe(what, *ValueOf(f, v)), what);
                RCC_CHECK_EQ(factory.Create<RccAlgorithm>()->GetParameter(f.name), v, what << ": by SetDefault");
                RCC_CHECK_EQ(RccAlgorithm::Create(core->name)->GetParameter(f.name), v, what << ": by SetDefault");
                RCC_CHECK(Config::SetDefaultFailSafe(what, *ValueOf(f, f.def)), what);
            }
            std::vector<int64_t> outside{f.max + 1};
            if (f.min > 0)
            {
                outside.push_back(f.min - 1);
            }
            if (f.min <= 0 && (f.unit == RCC_UNIT_NS || f.unit == RCC_UNIT_RATIO))
            {
                outside.push_back(-1);
            }
            for (int64_t v : outside)
            {
                int64_t before = alg->GetParameter(f.name);
                RCC_CHECK(!alg->SetAttributeFailSafe(name, *ValueOf(f, v)), what << " = " << v);
                RCC_CHECK(!Config::SetDefaultFailSafe(what, *ValueOf(f, v)), what << " = " << v << " by SetDefault");
                RCC_CHECK_EQ(alg->GetParameter(f.name), before, what << " = " << v);
            }
        }
    }
}

/// A preset sets the parameters that it names and leaves the others at their defaults; no name means the first preset.
void
Presets()
{
    for (size_t a = 0; rcc_algorithm_at(a); a++)
    {
        const rcc_algorithm* core = rcc_algorithm_at(a);
        for (const rcc_preset* p = core->presets; p->name; p++)
        {
            Ptr<RccAlgorithm> alg = RccAlgorithm::Create(core->name, p->name);
            RCC_CHECK(alg, core->name << " " << p->name);
            for (size_t i = 0; i < core->n_fields; i++)
            {
                int64_t want = core->fields[i].def;
                for (size_t v = 0; v < p->n_values; v++)
                {
                    want = p->values[v].field == i ? p->values[v].value : want;
                }
                RCC_CHECK_EQ(alg->GetParameter(core->fields[i].name), want, core->name << " " << p->name);
                if (p == core->presets)
                {
                    RCC_CHECK_EQ(RccAlgorithm::Create(core->name)->GetIndex(i), want, core->name << " without a name");
                }
            }
            RCC_CHECK_EQ(alg->Check(40000000000), "", core->name << " " << p->name);
        }
        std::string why;
        RCC_CHECK(!RccAlgorithm::TryCreate(core->name, "no-such-preset", &why), core->name);
        RCC_CHECK_EQ(why.find(std::string(core->name) + " has no preset 'no-such-preset', expected one of "), 0, why);
    }
    std::string why;
    RCC_CHECK(!RccAlgorithm::TryCreate("dcqcm", "", &why), "");
    RCC_CHECK_EQ(why.find("unknown algorithm 'dcqcm', expected one of dcqcn, "), 0, why);
    RCC_CHECK(why.find("the nearest is 'dcqcn'") != std::string::npos, why);
    RCC_CHECK_EQ(RccAlgorithm::Create("dcqcn", "cx4")->GetParameter("timer"), 300000, "ICNP'18 table I");
    // a preset of an algorithm beside it makes that one, and a parameter of one is named with it
    const std::vector<std::array<const char*, 3>> made{
        {"dcqcn", "paper", "dcqcn"}, {"dcqcn", "cx4", "dcqcn-nic"}, {"dcqcn", "hpcc", "dcqcn-hpcc"}};
    for (const auto& m : made)
    {
        Ptr<RccAlgorithm> alg = RccAlgorithm::Create(m[0], m[1]);
        RCC_CHECK_EQ(std::string(alg->GetCore()->name), m[2], m[1]);
        RCC_CHECK_EQ(alg->GetInstanceTypeId().GetName(), RccAlgorithm::TypeIdName(m[2]), m[1]);
    }
    RCC_CHECK_EQ(RccAlgorithm::Create("dcqcn")->SetParameter("clamp_target", "no"),
                 "dcqcn has no parameter 'clamp_target', dcqcn-nic has it", "");
    RCC_CHECK(!RccAlgorithm::TryCreate("dcqcn", "cx5", &why), "");
    RCC_CHECK_EQ(why, "dcqcn has no preset 'cx5', expected one of paper, paper-10g, cx4, ns3-rdma, nic-default, hpcc",
                 "");
    RCC_CHECK_EQ(RccAlgorithm::Create("dcqcn", "cx4")->GetParameter("byte_counter"), 2000000, "ICNP'18 table I");
}

/// --set: what is wrong is named, with what was found and what was expected.
void
SetByText()
{
    Ptr<RccAlgorithm> alg = RccAlgorithm::Create("dcqcn-nic");
    RCC_CHECK_EQ(alg->SetParameter("timer", "300us"), "", "");
    RCC_CHECK_EQ(alg->GetParameter("timer"), 300000, "");
    RCC_CHECK_EQ(alg->SetParameter("g", "1/16"), "", "");
    RCC_CHECK_EQ(alg->GetParameter("g"), 62500000, "");
    RCC_CHECK_EQ(alg->SetParameter("mark_at", "enqueue"), "", "");
    RCC_CHECK_EQ(alg->GetParameter("mark_at"), 1, "");
    struct Row
    {
        const char *field, *text;
        std::vector<const char*> says;
    };
    const std::vector<Row> rows{{"timr", "1us", {"dcqcn", "'timr'", "'timer'"}},
                                {"timer", "fast", {"dcqcn-nic.timer", "'fast'", "55us"}},
                                {"timer", "1ns", {"dcqcn-nic.timer", "'1ns'", "1us", "10s"}},
                                {"mark_at", "sometimes", {"dcqcn-nic.mark_at", "'sometimes'", "dequeue|enqueue"}},
                                {"pmax", "101%", {"dcqcn-nic.pmax", "'101%'", "0 to 1"}}};
    for (const auto& r : rows)
    {
        const std::string why = alg->SetParameter(r.field, r.text);
        for (const char* part : r.says)
        {
            RCC_CHECK(why.find(part) != std::string::npos, why << " should say " << part);
        }
    }
    RCC_CHECK_EQ(alg->GetParameter("timer"), 300000, "unchanged by what was refused");
    RCC_CHECK_EQ(alg->SetParameter("kmin", "300KB"), "", "");
    RCC_CHECK(alg->Check(40000000000).find("kmin") != std::string::npos, alg->Check(40000000000));
}

RccTestSuite g_parametersSuite("rcc-parameters", {{"units", Units},
                                                  {"nearest", Nearest},
                                                  {"attributes", Attributes},
                                                  {"presets", Presets},
                                                  {"set-by-text", SetByText}});

} // namespace
