/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice: which classes go first, and how the others share the link (rcc_turns_rules). */
#include "qbb-net-device.h"
#include "rcc-checker.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

TypeId
QbbNetDevice::AddRules(TypeId tid)
{
    return tid
        .AddAttribute("StrictClasses",
                      "Classes with strict priority beside ControlClass, one bit each; a higher one goes before a "
                      "lower one, and all before the classes that share the link by turns.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&QbbNetDevice::SetStrictClasses, &QbbNetDevice::GetStrictClasses),
                      MakeUintegerChecker<uint8_t>())
        .AddAttribute("ClassWeights",
                      "Weights of the classes that share the link by turns (deficit round robin), CLASS:WEIGHT joined "
                      "by commas, each class once, 1 to 1000; a class that is not named has weight 1.",
                      StringValue(""),
                      MakeStringAccessor(&QbbNetDevice::SetClassWeights, &QbbNetDevice::GetClassWeights),
                      RccMakeTextChecker([](const std::string& text) {
                          rcc_turns_rules rules{};
                          return !rcc_turns_read(&rules, text.c_str());
                      }));
}

/// The rules of the port; most ports do not have any.
QbbPortRules&
QbbNetDevice::GetRules()
{
    if (!m_rules)
    {
        m_rules.reset(new QbbPortRules);
    }
    return *m_rules;
}

void
QbbNetDevice::SetStrictClasses(uint8_t classes)
{
    if (classes || m_rules)
    {
        GetRules().turns.strict = classes;
    }
}

uint8_t
QbbNetDevice::GetStrictClasses() const
{
    return m_rules ? m_rules->turns.strict : 0;
}

void
QbbNetDevice::SetClassWeights(std::string text)
{
    if (!text.empty() || m_rules)
    {
        rcc_turns_read(&GetRules().turns, text.c_str());
        m_rules->weights = text;
    }
}

std::string
QbbNetDevice::GetClassWeights() const
{
    return m_rules ? m_rules->weights : "";
}

} // namespace ns3
