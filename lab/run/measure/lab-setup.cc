/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-setup.h"

#include "lab-attributes.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rcc-frame.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>
#include <sys/stat.h>

namespace ns3
{

namespace
{

/// \return the value of a whole number that an object of a type has by default
uint32_t
DefaultOf(const Object& object, const char* attribute)
{
    UintegerValue value;
    object.GetAttribute(attribute, value);
    return static_cast<uint32_t>(value.Get());
}

/// Create a folder and its parents. \return false, errno set
bool
MakeFolders(const std::string& path)
{
    for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1))
    {
        const std::string part = path.substr(0, slash);
        struct stat info;
        if (mkdir(part.c_str(), 0777) != 0 && (stat(part.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)))
        {
            return false;
        }
        if (slash == std::string::npos)
        {
            return true;
        }
    }
}

} // namespace

void
LabThrow(const std::string& message)
{
    if (!message.empty())
    {
        throw RunError(0, "", "text", message);
    }
}

LabSetup::LabSetup(const RunFile& file)
{
    SetDefaults(file);
    MakeAlgorithms(file);
    algorithm = algorithms.front();
    CheckRate(file.algorithms.front().record, 0, file.rate);
    CheckRates(file);
    const Ptr<RdmaNic> nic = CreateObject<RdmaNic>();
    mtu = DefaultOf(*nic, "Mtu");
    ackEvery = DefaultOf(*nic, "AckEvery");
    helper.SetSeed(file.seed);
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(file.rate)));
    SetMaxFrame(file);
}

/// Throw RunError if an algorithm cannot work at a rate. \param record that has the rate \param number of the algorithm
void
LabSetup::CheckRate(uint32_t record, size_t number, uint64_t bps) const
{
    rcc_error error;
    const std::string why = algorithms[number]->Check(bps, &error);
    if (!why.empty())
    {
        throw RunError(record, "RATE", "algorithm", why,
                       {std::to_string(number), error.name, std::to_string(error.value)});
    }
}

/// In a network of files every algorithm works at the rate of every link, that of the slowest host first.
void
LabSetup::CheckRates(const RunFile& file) const
{
    if (file.routes == RunRoutes::SHORTEST)
    {
        return;
    }
    std::vector<const RunLink*> links;
    for (const auto& link : file.links)
    {
        links.push_back(&link);
    }
    const auto isOfHost = [&file](const RunLink* link) {
        return file.nodes[link->a].kind == RunNodeKind::HOST || file.nodes[link->b].kind == RunNodeKind::HOST;
    };
    const auto slowest = std::min_element(links.begin(), links.end(), [&isOfHost](const RunLink* a, const RunLink* b) {
        return isOfHost(a) != isOfHost(b) ? isOfHost(a) : a->rate < b->rate;
    });
    std::iter_swap(links.begin(), slowest);
    std::set<uint64_t> known;
    for (const RunLink* link : links)
    {
        for (size_t i = 0; known.count(link->rate) == 0 && i < algorithms.size(); i++)
        {
            CheckRate(link->record, i, link->rate);
        }
        known.insert(link->rate);
    }
}

void
LabSetup::SetDefaults(const RunFile& file)
{
    if (!file.captures.empty())
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true)); // ns-3's IP and TCP headers have none without it
    }
    for (const auto& d : file.defaults)
    {
        TypeId tid;
        std::string hint;
        const std::string code = LabJudgeAttribute(d.type, d.attribute, d.value, &tid, &hint);
        TypeId object; // a pointer's text names a type; ns-3 ends the program where it cannot create one
        const bool creates =
            TypeId::LookupByNameFailSafe(d.value.substr(0, d.value.find('[')), &object) && object.HasConstructor();
        const bool wrong = !code.empty() && !(code == "no-text" && creates);
        if (wrong || !Config::SetDefaultFailSafe(tid.GetName() + "::" + d.attribute, StringValue(d.value)))
        {
            const std::string field = code == "type" ? "TYPE" : code == "value" ? "VALUE" : "ATTRIBUTE";
            throw RunError(d.record, field, code.empty() ? "value" : code, d.value, {hint});
        }
    }
}

/// Switches know the largest frame, unless the file says it.
void
LabSetup::SetMaxFrame(const RunFile& file)
{
    const auto sets = [](const RunDefault& d) { return d.attribute == "MaxFrame"; };
    if (std::any_of(file.defaults.begin(), file.defaults.end(), sets))
    {
        return;
    }
    uint32_t frame = mtu + QbbHelper::GetMaxOverhead();
    if (!file.tcp.empty())
    {
        const uint32_t packet = DefaultOf(*CreateObject<QbbNetDevice>(), "Mtu");
        frame = std::max(frame, packet + static_cast<uint32_t>(IP_OVERHEAD + VLAN_TAG_BYTES));
    }
    helper.SetSwitchAttribute("MaxFrame", UintegerValue(frame));
    helper.SetCioqSwitchAttribute("MaxFrame", UintegerValue(frame));
}

Ptr<RccAlgorithm>
LabSetup::MakeAlgorithm(const RunAlgorithm& record)
{
    std::string why;
    const Ptr<RccAlgorithm> made = RccAlgorithm::TryCreate(record.name, "", &why);
    if (!why.empty())
    {
        throw RunError(record.record, "NAME", "algorithm", why);
    }
    for (const auto& field : record.fields)
    {
        why = made->SetParameter(field.first, field.second);
        if (!why.empty())
        {
            throw RunError(record.record, field.first, "algorithm", why);
        }
    }
    return made;
}

void
LabSetup::MakeAlgorithms(const RunFile& file)
{
    for (const auto& a : file.algorithms)
    {
        algorithms.push_back(MakeAlgorithm(a));
    }
    for (const auto& at : file.algorithmsAt)
    {
        const std::string why = algorithms[at.algorithm]->SetParameterAt(at.rate, at.field, at.value);
        if (!why.empty())
        {
            throw RunError(at.record, at.field, "algorithm", why);
        }
    }
}

void
LabSetup::MakeFolder(const std::string& folder)
{
    if (!folder.empty() && !MakeFolders(folder))
    {
        LabThrow("cannot create the folder " + folder + ": " + std::strerror(errno));
    }
}

LabFile
LabSetup::OpenFile(const std::string& path, const char* header)
{
    std::string why;
    LabFile file = LabCreateFile(path, &why);
    LabThrow(why);
    std::fputs(header, file.get());
    return file;
}

} // namespace ns3
