/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-attributes.h"

#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-units.h"
#include "ns3/string.h"

#include <cstdlib>
#include <map>

namespace ns3
{

namespace
{

std::string
WithoutPrefix(const std::string& type)
{
    return type.compare(0, 5, "ns3::") == 0 ? type.substr(5) : type;
}

/// Some types of ns-3 end the program over a text that they cannot read: those are looked at before.
bool
CanBeRead(const std::string& type, const std::string& value)
{
    int64_t ns = 0;
    char* end = nullptr;
    if (type == "ns3::TimeValue")
    {
        return RccParse(RCC_UNIT_NS, value, &ns).empty();
    }
    if (type == "ns3::UintegerValue" || type == "ns3::IntegerValue")
    {
        const size_t sign = type == "ns3::IntegerValue" && value[0] == '-' ? 1 : 0;
        return value.size() > sign && value.size() < 20 &&
               value.find_first_not_of("0123456789", sign) == std::string::npos;
    }
    if (type == "ns3::DoubleValue")
    {
        std::strtod(value.c_str(), &end);
        return *end == '\0' && value.find_first_not_of("0123456789.eE+-") == std::string::npos;
    }
    return type == "ns3::StringValue" || value.find_first_of(" \t") == std::string::npos;
}

/// \return the range or the type of value that a checker wants; the attribute's help for a text
std::string
Expected(const TypeId::AttributeInformation& info)
{
    const std::string type = WithoutPrefix(info.checker->GetValueTypeName());
    return type == "BooleanValue"                         ? "true or false"
           : type == "StringValue"                        ? "what its help says: " + info.help
           : info.checker->HasUnderlyingTypeInformation() ? WithoutPrefix(info.checker->GetUnderlyingTypeInformation())
                                                          : type.substr(0, type.rfind("Value"));
}

/// A value that a text cannot give.
bool
IsNoText(const std::string& type)
{
    return type == "ns3::PointerValue" || type == "ns3::CallbackValue" || type == "ns3::ObjectPtrContainerValue";
}

/// The attribute of a type or of its parents. \param tid becomes the one that declares it
bool
FindAttribute(TypeId& tid, const std::string& name, TypeId::AttributeInformation& info)
{
    for (TypeId at = tid;; at = at.GetParent())
    {
        for (std::size_t i = 0; i < at.GetAttributeN(); i++)
        {
            info = at.GetAttribute(i);
            if (info.name == name)
            {
                tid = at;
                return true;
            }
        }
        if (!at.HasParent() || at.GetParent() == at)
        {
            return false;
        }
    }
}

} // namespace

std::string
LabJudgeAttribute(const std::string& type, const std::string& name, const std::string& value, TypeId* tid,
                  std::string* hint)
{
    const std::string plain = WithoutPrefix(type);
    if (!TypeId::LookupByNameFailSafe("ns3::" + plain, tid))
    {
        return "type";
    }
    if (*tid == RccAlgorithm::GetTypeId() || tid->IsChildOf(RccAlgorithm::GetTypeId()))
    {
        return "parameter";
    }
    if (plain == "RdmaClient")
    {
        return "of-flows";
    }
    TypeId::AttributeInformation info;
    if (!FindAttribute(*tid, name, info))
    {
        return "attribute";
    }
    const std::string read = info.checker->GetValueTypeName();
    if (!(info.flags & TypeId::ATTR_CONSTRUCT) || IsNoText(read))
    {
        return "no-text";
    }
    if (!CanBeRead(read, value) || !info.checker->CreateValidValue(StringValue(value)))
    {
        *hint = Expected(info);
        return "value";
    }
    return "";
}

LabJson
LabDescribeAttributes()
{
    LabJson all('[');
    std::map<std::string, TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        types[TypeId::GetRegistered(i).GetName()] = TypeId::GetRegistered(i);
    }
    for (const auto& type : types)
    {
        std::map<std::string, TypeId::AttributeInformation> attributes;
        for (std::size_t i = 0; i < type.second.GetAttributeN(); i++)
        {
            attributes[type.second.GetAttribute(i).name] = type.second.GetAttribute(i);
        }
        LabJson list('[');
        for (const auto& a : attributes)
        {
            const TypeId::AttributeInformation& info = a.second;
            LabJson one;
            one.Add("name", info.name)
                .Add("default", info.initialValue->SerializeToString(info.checker))
                .Add("value", Expected(info))
                .Add("help", info.help);
            list.Add("", one);
        }
        if (!attributes.empty())
        {
            LabJson entry;
            entry.Add("type", type.first)
                .Add("parent", type.second.GetParent().GetName())
                .Add("group", type.second.GetGroupName())
                .Add("attributes", list);
            all.Add("", entry);
        }
    }
    return all;
}

} // namespace ns3
