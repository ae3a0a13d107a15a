/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbNetDevice: which classes go first, and how the others share the link (rcc_turns_rules). */
#include "qbb-net-device.h"
#include "rcc-checker.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{

namespace
{

/// The rules of a port, which most ports do not have.
rcc_turns_rules&
Make(std::unique_ptr<rcc_turns_rules>& rules)
{
    if (!rules)
    {
        rules.reset(new rcc_turns_rules{});
    }
    return *rules;
}

/// \return false if the text is not understood
bool
ReadWeights(const std::string& text, rcc_turns_rules& rules)
{
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');)
    {
        std::istringstream in(item);
        unsigned cls = 0;
        unsigned weight = 0;
        char colon = 0;
        if (!(in >> cls >> colon >> weight) || colon != ':' || !in.eof() || cls >= QBB_CLASSES || weight < 1 ||
            weight > 1000)
        {
            return false;
        }
        rules.weight[cls] = static_cast<uint16_t>(weight);
    }
    return true;
}

} // namespace

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
                      "by commas, 1 to 1000; a class that is not named has weight 1.",
                      StringValue(""),
                      MakeStringAccessor(&QbbNetDevice::SetClassWeights, &QbbNetDevice::GetClassWeights),
                      RccMakeTextChecker([](const std::string& text) {
                          rcc_turns_rules rules{};
                          return ReadWeights(text, rules);
                      }));
}

void
QbbNetDevice::SetStrictClasses(uint8_t classes)
{
    if (classes || m_rules)
    {
        Make(m_rules).strict = classes;
    }
}

uint8_t
QbbNetDevice::GetStrictClasses() const
{
    return m_rules ? m_rules->strict : 0;
}

/// \return false if the text is not understood
bool
QbbNetDevice::SetClassWeights(std::string text)
{
    rcc_turns_rules rules{};
    if (!ReadWeights(text, rules))
    {
        return false;
    }
    if (!text.empty() || m_rules)
    {
        rules.strict = GetStrictClasses();
        Make(m_rules) = rules;
    }
    return true;
}

std::string
QbbNetDevice::GetClassWeights() const
{
    std::ostringstream out;
    for (unsigned c = 0; m_rules && c < QBB_CLASSES; c++)
    {
        if (m_rules->weight[c])
        {
            out << (out.tellp() > 0 ? "," : "") << c << ":" << m_rules->weight[c];
        }
    }
    return out.str();
}

} // namespace ns3
