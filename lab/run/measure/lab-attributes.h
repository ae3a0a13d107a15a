/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_ATTRIBUTES_H
#define LAB_ATTRIBUTES_H

#include "lab-json.h"

#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/**
 * Judge the default of an attribute by what ns-3 has registered.
 * \param type with or without ns3:: \param name of the attribute \param value as text
 * \param tid gets the type that declares the attribute: a parent, where it is inherited
 * \param hint gets what is expected as value
 * \return empty, or what is wrong: type, parameter, of-flows, attribute, no-text or value
 */
std::string LabJudgeAttribute(const std::string& type, const std::string& name, const std::string& value, TypeId* tid,
                              std::string* hint);

/// \return every registered type with attributes of its own: type, group, and name, default, value, help of each
LabJson LabDescribeAttributes();

} // namespace ns3

#endif /* LAB_ATTRIBUTES_H */
