/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_CHECKER_H
#define RCC_CHECKER_H

#include "ns3/attribute.h"

#include <functional>
#include <string>

namespace ns3
{

/**
 * One of ns-3's attribute checkers and a condition more. What only the accessor refuses, a factory or a default would
 * ignore without a word; what the checker refuses ends the program with the attribute's name.
 */
class RccChecker : public AttributeChecker
{
  public:
    /// Whether an attribute may have a value of the checker's type.
    using Condition = std::function<bool(const AttributeValue& value)>;

    /**
     * \param inner checker of the type
     * \param condition that values of the type must meet
     * \param text the condition for people, behind what the type says of itself
     */
    RccChecker(Ptr<const AttributeChecker> inner, const Condition& condition, const std::string& text = "")
        : m_inner(inner),
          m_condition(condition),
          m_text(text)
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        return m_inner->Check(value) && m_condition(value);
    }

    std::string GetValueTypeName() const override
    {
        return m_inner->GetValueTypeName();
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return m_inner->HasUnderlyingTypeInformation();
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return m_inner->GetUnderlyingTypeInformation() + m_text;
    }

    Ptr<AttributeValue> Create() const override
    {
        return m_inner->Create();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return m_inner->Copy(source, destination);
    }

  private:
    Ptr<const AttributeChecker> m_inner;
    Condition m_condition;
    std::string m_text;
};

/**
 * Make a checker of texts.
 * \param condition whether a text is understood
 * \return the checker
 */
Ptr<const AttributeChecker> RccMakeTextChecker(const std::function<bool(const std::string& text)>& condition);

} // namespace ns3

#endif /* RCC_CHECKER_H */
