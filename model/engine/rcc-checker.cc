/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-checker.h"

#include "ns3/string.h"

namespace ns3
{

Ptr<const AttributeChecker>
RccMakeTextChecker(const std::function<bool(const std::string& text)>& condition)
{
    const auto check = [condition](const AttributeValue& value) {
        return condition(dynamic_cast<const StringValue&>(value).Get());
    };
    return Ptr<const AttributeChecker>(new RccChecker(MakeStringChecker(), check), false);
}

} // namespace ns3
