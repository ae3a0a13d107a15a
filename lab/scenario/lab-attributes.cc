/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-attributes.h"

#include "ns3/abort.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/lab-text.h"
#include "ns3/nstime.h"
#include "ns3/qbb-helper.h"
#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-units.h"
#include "ns3/string.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

namespace ns3
{

namespace
{

/// The options that set an attribute: {option, TYPE.NAME}. An option of a quantity is the attribute by another name.
const std::vector<std::pair<const char*, const char*>> OPTIONS = {
    {"rate", "QbbNetDevice.DataRate"},        {"delay", "QbbChannel.Delay"},
    {"buffer", "QbbSwitch.BufferSize"},       {"mtu", "RdmaNic.Mtu"},
    {"ack-every", "RdmaNic.AckEvery"},        {"rto", "RdmaNic.RetransmissionTimeout"},
    {"retry-limit", "RdmaNic.RetryLimit"},    {"lossless", "QbbSwitch.LosslessClasses"},
    {"lossless", "RdmaNic.LosslessClasses"},  {"lossy", "QbbSwitch.LosslessClasses"},
    {"lossy", "RdmaNic.LosslessClasses"},     {"lossy", "QbbSwitch.Alpha"},
    {"dscp-map", "RdmaNic.DscpMap"},          {"dscp-map", "QbbSwitch.DscpMap"},
    {"strict", "QbbNetDevice.StrictClasses"}, {"ecn", "TcpSocketBase.UseEcn"},
};

std::string
WithoutPrefix(const std::string& type)
{
    return type.compare(0, 5, "ns3::") == 0 ? type.substr(5) : type;
}

/// Whether a text begins with TYPE.NAME=
bool
IsHead(const std::string& text)
{
    const size_t dot = text.find('.');
    const size_t equal = text.find('=');
    return dot != std::string::npos && equal != std::string::npos && dot < equal;
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

/// What a checker wants: the range that it knows, or its type of value; of a text the attribute's help.
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

std::vector<std::string>
GetTypes()
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        names.push_back(WithoutPrefix(TypeId::GetRegistered(i).GetName()));
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// \return the known word that a word of a usual length is nearest to; empty: none is near
std::string
NearestOf(const std::string& word, const std::vector<std::string>& known)
{
    return word.size() <= 64 ? RccNearest(word, known) : "";
}

/// The attribute of a type or of its parents. \param tid becomes the one that declares it
bool
FindAttribute(TypeId& tid, const std::string& name, TypeId::AttributeInformation& info, std::vector<std::string>& known)
{
    for (TypeId at = tid;; at = at.GetParent())
    {
        for (std::size_t i = 0; i < at.GetAttributeN(); i++)
        {
            info = at.GetAttribute(i);
            known.push_back(info.name);
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
LabAttributes::Item::GetShort() const
{
    return WithoutPrefix(tid.GetName()) + "." + name;
}

std::string
LabAttributes::Read(const std::string& text)
{
    std::vector<std::string> items;
    for (const auto& part : LabSplit(text, ','))
    {
        if (items.empty() || IsHead(part))
        {
            items.push_back(part);
        }
        else
        {
            items.back() += "," + part;
        }
    }
    for (const auto& item : items)
    {
        const std::string why = ReadItem(item);
        if (!why.empty())
        {
            return "has '" + item + "', " + why;
        }
    }
    return "";
}

std::string
LabAttributes::ReadItem(const std::string& text)
{
    const size_t equal = text.find('=');
    const size_t dot = text.rfind('.', equal);
    if (!IsHead(text) || equal + 1 == text.size())
    {
        return "expected TYPE.NAME=VALUE, such as QbbSwitch.EgressAlpha=2";
    }
    Item item;
    item.text = text;
    const std::string type = WithoutPrefix(text.substr(0, dot));
    item.name = text.substr(dot + 1, equal - dot - 1);
    item.value = text.substr(equal + 1);
    std::string hint;
    const std::string code = Judge(type, item, &hint);
    if (!code.empty())
    {
        return code == "type" ? "expected a type of ns-3" + (hint.empty() ? "" : "; the nearest is '" + hint + "'")
               : code == "parameter" ? "expected --set for the parameters of an algorithm"
               : code == "of-flows"  ? "expected another type: the program says of each flow what it is"
               : code == "attribute"
                   ? "expected an attribute of " + type + (hint.empty() ? "" : "; the nearest is '" + hint + "'")
               : code == "no-text" ? "expected an attribute that a text can set"
                                   : "expected " + hint;
    }
    for (const auto& other : m_items)
    {
        if (other.GetShort() == item.GetShort())
        {
            return item.GetShort() + " is given twice";
        }
    }
    m_items.push_back(item);
    return "";
}

std::string
LabAttributes::Judge(const std::string& type, Item& item, std::string* hint)
{
    if (!TypeId::LookupByNameFailSafe("ns3::" + type, &item.tid))
    {
        *hint = NearestOf(type, GetTypes());
        return "type";
    }
    if (item.tid == RccAlgorithm::GetTypeId() || item.tid.IsChildOf(RccAlgorithm::GetTypeId()))
    {
        return "parameter";
    }
    if (type == "RdmaClient")
    {
        return "of-flows";
    }
    TypeId::AttributeInformation info;
    std::vector<std::string> known;
    if (!FindAttribute(item.tid, item.name, info, known))
    {
        *hint = NearestOf(item.name, known);
        return "attribute";
    }
    item.type = info.checker->GetValueTypeName();
    if (!(info.flags & TypeId::ATTR_CONSTRUCT) || IsNoText(item.type))
    {
        return "no-text";
    }
    if (!CanBeRead(item.type, item.value) || !info.checker->CreateValidValue(StringValue(item.value)))
    {
        *hint = Expected(info);
        return "value";
    }
    return "";
}

void
LabAttributes::Apply() const
{
    for (const auto& item : m_items)
    {
        if (item.option.empty())
        {
            Config::SetDefault(item.tid.GetName() + "::" + item.name, StringValue(item.value));
            QbbHelper::Keep(item.tid, item.name);
        }
    }
}

std::vector<std::string>
LabAttributes::GetOptions(const Item& item)
{
    std::vector<std::string> options;
    for (const auto& o : OPTIONS)
    {
        if (item.GetShort() == o.second)
        {
            options.emplace_back(o.first);
        }
    }
    return options;
}

std::string
LabAttributes::GetQuantity(const Item& item)
{
    DataRateValue rate; // "100Mb/s" is a rate of ns-3 and none of an option
    const bool isRate =
        item.type == "ns3::DataRateValue" && rate.DeserializeFromString(item.value, MakeDataRateChecker());
    return isRate ? std::to_string(rate.Get().GetBitRate()) + "bps" : item.value;
}

const LabAttributes::Item*
LabAttributes::Find(const std::string& name) const
{
    const auto found =
        std::find_if(m_items.begin(), m_items.end(), [&](const Item& item) { return item.GetShort() == name; });
    return found == m_items.end() ? nullptr : &*found;
}

uint64_t
LabAttributes::GetDefault(const std::string& type, const std::string& name)
{
    TypeId::AttributeInformation info;
    const bool known = TypeId::LookupByName("ns3::" + type).LookupAttributeByName(name, &info);
    NS_ABORT_MSG_IF(!known, "no attribute " << type << "." << name);
    return std::stoull(info.initialValue->SerializeToString(info.checker));
}

LabJson
LabAttributes::Describe()
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
            entry.Add("type", type.first).Add("group", type.second.GetGroupName()).Add("attributes", list);
            all.Add("", entry);
        }
    }
    return all;
}

} // namespace ns3
