/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-experiment.h"

#include "ns3/lab-text.h"
#include "ns3/rcc-units.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace ns3
{

namespace
{

const uint64_t LISTED_MAX = 10000000; // flows of a run
const int64_t BYTES_MAX = 1000000 * RCC_SECOND;
const char RECEIVED[] = ".received"; // after the name of a flow: when its last byte has arrived
const size_t RECEIVED_SIZE = sizeof RECEIVED - 1;
const char LINK_FORM[] = "A-B[*N][:RATE[:DELAY]]";
const char FLOW_FORM[] = "A-B[:size=..:start=..:stop=..:within=..:count=..:qps=..:rate=..:window=..:messages=..:"
                         "depth=..:think=..:repeat=..:every=..:class=..:dscp=..:ecn=..:cc=..:name=..:after=..:"
                         "needs=..:delay=..]";

/// \return RdmaClient::Ecn of its name in --flows
uint64_t
ParseEcn(const std::string& item, const std::string& text)
{
    const std::vector<std::string> words = {"not-ect", "ect1", "ect0", "ce"}; // as RccEcn
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end())
    {
        LabOptions::Fail("--flows has '" + item + "': ecn is '" + text + "', expected one of " + RccJoin(words, ", "));
    }
    return static_cast<uint64_t>(found - words.begin());
}

/// \return whether the end of a text says so
bool
IsReceived(const std::string& text)
{
    return text.size() >= RECEIVED_SIZE && text.compare(text.size() - RECEIVED_SIZE, RECEIVED_SIZE, RECEIVED) == 0;
}

/// One item of --flows. \param[out] after names of what it waits for, separated by +
LabExperiment::Flows
ParseFlows(const std::string& item, std::string& after)
{
    LabExperiment::Flows f;
    f.hosts = item.substr(0, item.find(':'));
    std::string ecn;
    LabOptions::ParseKeys("flows", item,
                          {{"size", RCC_UNIT_BYTES, 0, BYTES_MAX, &f.size, nullptr},
                           {"start", RCC_UNIT_NS, 0, 1000 * RCC_SECOND, &f.start, nullptr},
                           {"stop", RCC_UNIT_NS, 1, 1000 * RCC_SECOND, &f.stop, nullptr},
                           {"within", RCC_UNIT_NS, 0, 1000 * RCC_SECOND, &f.within, nullptr},
                           {"count", RCC_UNIT_COUNT, 1, LISTED_MAX, &f.count, nullptr},
                           {"qps", RCC_UNIT_COUNT, 1, 100000, &f.qps, nullptr},
                           {"rate", RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX, &f.rate, nullptr},
                           {"window", RCC_UNIT_BYTES, 1, BYTES_MAX, &f.window, nullptr},
                           {"messages", RCC_UNIT_COUNT, 0, BYTES_MAX, &f.messages, nullptr},
                           {"depth", RCC_UNIT_COUNT, 1, 65536, &f.depth, nullptr},
                           {"think", RCC_UNIT_NS, 0, RCC_SECOND, &f.think, nullptr},
                           {"repeat", RCC_UNIT_COUNT, 1, 1000000, &f.repeat, nullptr},
                           {"every", RCC_UNIT_NS, 0, RCC_SECOND, &f.every, nullptr},
                           {"class", RCC_UNIT_COUNT, 0, QBB_CLASSES - 1, &f.cls, nullptr},
                           {"dscp", RCC_UNIT_COUNT, 0, RCC_DSCPS - 1, &f.dscp, nullptr},
                           {"ecn", RCC_UNIT_COUNT, 0, 0, nullptr, &ecn},
                           {"cc", RCC_UNIT_COUNT, 0, 0, nullptr, &f.cc},
                           {"name", RCC_UNIT_COUNT, 0, 0, nullptr, &f.name},
                           {"after", RCC_UNIT_COUNT, 0, 0, nullptr, &after},
                           {"needs", RCC_UNIT_COUNT, 1, LISTED_MAX, &f.needs, nullptr},
                           {"delay", RCC_UNIT_NS, 0, 1000 * RCC_SECOND, &f.delay, nullptr}},
                          FLOW_FORM);
    f.pairs = LabExpandFlows("flows", f.hosts, f.count ? static_cast<size_t>(f.count) : SIZE_MAX);
    f.ecn = ecn.empty() ? f.ecn : ParseEcn(item, ecn);
    const auto failIf = [&item](bool wrong, const std::string& expected) {
        LabOptions::FailItemIf(wrong, "flows", item, expected);
    };
    const int64_t last = f.start + (f.repeat - 1) * f.every + std::max<int64_t>(f.within - 1, 0); // start of all flows
    failIf(f.stop && f.stop <= f.start, "stop after start");
    failIf(f.stop && f.stop <= last, "stop after all starts of within and every");
    failIf(f.size && f.size < f.qps, "a byte of the size for each of its queue pairs");
    failIf(f.depth > 1 && f.size == 0, "a size of the messages that depth posts at a time");
    failIf(f.messages != 1 && f.size == 0, "a size of the messages");
    failIf(f.messages == 1 && (f.think || f.depth > 1), "messages beside think and depth");
    failIf(f.repeat == 1 && f.every, "repeat beside every");
    failIf(f.messages > BYTES_MAX / std::max<int64_t>(f.size, 1), "messages of at most 1e15 bytes together");
    failIf(f.count && f.repeat > 1, "count or repeat, not both");
    failIf(after.empty() && (f.needs || f.delay), "after beside needs and delay");
    failIf(!after.empty() && (f.start || f.within || f.stop || f.messages != 1 || f.every),
           "after, or start, within, stop, every and messages");
    return f;
}

/// The class of flows, from their own and from their DSCP. Exits with status 2 if they are two.
void
SetClass(LabExperiment::Flows& f, const std::string& item, const rcc_dscp_map& map)
{
    const bool listed = f.dscp < RCC_DSCPS && map.listed[f.dscp];
    const auto cls = listed ? rcc_dscp_class(&map, static_cast<uint8_t>(f.dscp), 0) : f.cls;
    const std::string dscp = std::to_string(f.dscp);
    LabOptions::FailItemIf(f.dscp < RCC_DSCPS && cls < 0, "flows", item,
                           "a DSCP that --dscp-map lists, or a class beside it");
    LabOptions::FailItemIf(f.cls >= 0 && f.cls != cls, "flows", item,
                           "class=" + std::to_string(cls) + " or none, as --dscp-map gives DSCP " + dscp +
                               " that class");
    f.cls = cls < 0 ? QBB_RDMA_CLASS : cls;
}

} // namespace

rcc_dscp_map
LabExperiment::GetDscpMap(const LabOptions& options)
{
    rcc_dscp_map map;
    const std::string text = RccJoin(options.GetList("dscp-map"), ",");
    if (const char* const wrong = rcc_dscp_map_read(&map, text.c_str()))
    {
        const std::string item = std::string(wrong).substr(0, std::string(wrong).find(','));
        LabOptions::FailItemIf(true, "dscp-map", item,
                               "DSCP:CLASS or FIRST-LAST:CLASS, 0 to 63 and 0 to 7, and one class for each DSCP");
    }
    return map;
}

LabExperiment
LabExperiment::Read(const LabOptions& options)
{
    LabExperiment e;
    std::map<std::string, uint64_t> ports;
    LabOptions::FailIf(options.IsSet("links") ? "" : "--links is empty, expected " + std::string(LINK_FORM));
    for (const auto& item : options.GetList("links"))
    {
        e.ReadLinks(options, item, ports);
    }
    e.ReadNodes(options);
    if (std::all_of(e.nodes.begin(), e.nodes.end(), LabIsHost))
    {
        LabOptions::Fail("--links has no switch, expected names of switches that do not begin with h");
    }
    if (!options.IsSet("arrivals") && !options.IsSet("incasts") && !options.IsSet("collective"))
    {
        e.ReadFlows(options);
    }
    return e;
}

/// \param[in,out] ports of each switch, those of earlier items included
void
LabExperiment::ReadLinks(const LabOptions& options, const std::string& item, std::map<std::string, uint64_t>& ports)
{
    std::vector<std::string> part = LabSplit(item, ':');
    Links found;
    found.rate = options.Get("rate");
    found.delay = options.Get("delay");
    LabOptions::FailItemIf(part.empty(), "links", item, LINK_FORM);
    const size_t star = part[0].find('*');
    const bool counts = star == std::string::npos || RccParseWhole(part[0].substr(star + 1), 1024, &found.parallel);
    LabOptions::FailItemIf(!counts || found.parallel == 0, "links", item, "a number of parallel links after *");
    if (part.size() > 1 && part[1].find('=') != std::string::npos)
    {
        auto parallel = static_cast<int64_t>(found.parallel);
        LabOptions::ParseKeys("links", item,
                              {{"parallel", RCC_UNIT_COUNT, 1, 1024, &parallel, nullptr},
                               {"rate", RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX, &found.rate, nullptr},
                               {"delay", RCC_UNIT_NS, 0, RCC_SECOND, &found.delay, nullptr}},
                              std::string(LINK_FORM) + " or A-B[:parallel=..:rate=..:delay=..]");
        found.parallel = static_cast<uint64_t>(parallel);
        part.resize(1);
    }
    LabOptions::FailItemIf(part.size() > 3, "links", item, LINK_FORM);
    part.resize(3);
    if (!part[1].empty())
    {
        found.rate = LabOptions::ParseField("links", item, part[1], RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX);
    }
    if (!part[2].empty())
    {
        found.delay = LabOptions::ParseField("links", item, part[2], RCC_UNIT_NS, 0, RCC_SECOND);
    }
    found.pairs = LabExpandPairs("links", part[0].substr(0, star));
    for (const auto& pair : found.pairs)
    {
        LabOptions::FailIf(
            pair.first == pair.second ? "--links has '" + item + "': a link of " + pair.first + " to itself" : "");
        for (const auto& name : {pair.first, pair.second})
        {
            if (!LabIsHost(name) && (ports[name] += found.parallel) > UINT16_MAX)
            {
                LabOptions::Fail("--links has '" + item + "', with which switch " + name + " has more than " +
                                 std::to_string(UINT16_MAX) + " ports");
            }
        }
    }
    links.push_back(std::move(found));
}

/// The nodes of the links, in the order of --nodes, if that is given, or of their first links.
void
LabExperiment::ReadNodes(const LabOptions& options)
{
    std::set<std::string> known;
    for (const auto& item : options.GetList("nodes"))
    {
        for (const auto& name : LabExpandNames("nodes", item))
        {
            LabOptions::FailItemIf(!known.insert(name).second, "nodes", name, "each node once");
            nodes.push_back(name);
        }
    }
    const bool listed = !nodes.empty();
    for (const auto& item : links)
    {
        for (const auto& pair : item.pairs)
        {
            for (const auto& name : {pair.first, pair.second})
            {
                const bool isNew = known.insert(name).second;
                LabOptions::FailIf(isNew && listed ? "--links names '" + name + "', expected a node of --nodes" : "");
                if (isNew)
                {
                    nodes.push_back(name);
                }
            }
        }
    }
    nodes.shrink_to_fit(); // it lives as long as the run
}

void
LabExperiment::ReadFlows(const LabOptions& options)
{
    const rcc_dscp_map map = GetDscpMap(options);
    const std::unordered_set<std::string> known(nodes.begin(), nodes.end());
    const std::vector<std::string> items = options.GetList("flows");
    std::vector<std::string> after(items.size());
    uint64_t count = 0;
    flows.reserve(items.size());
    for (size_t i = 0; i < items.size(); i++)
    {
        Flows f = ParseFlows(items[i], after[i]);
        SetClass(f, items[i], map);
        count += f.Count(); // each below 2^57
        LabOptions::FailItemIf(count > LISTED_MAX, "flows", items[i],
                               "at most " + std::to_string(LISTED_MAX) + " in all");
        flows.push_back(std::move(f));
    }
    for (const auto& f : flows)
    {
        for (const auto& pair : f.pairs)
        {
            for (const auto& name : {pair.first, pair.second})
            {
                LabOptions::FailIf(LabIsHost(name) && known.count(name)
                                       ? ""
                                       : "--flows names '" + name + "', expected a host of --links");
            }
        }
    }
    ReadWaits(items, after);
}

/// Resolve one name of what flows wait for, or a time of the run. \param i their index \param item of --flows
/// \return how many flows it is
uint64_t
LabExperiment::ReadAfter(size_t i, const std::string& item, const std::string& text,
                         const std::unordered_map<std::string, size_t>& byName)
{
    const size_t at = text.find('@');
    int64_t later = 0;
    if (at != std::string::npos)
    {
        later = LabOptions::ParseField("flows", item, text.substr(at + 1), RCC_UNIT_NS, 0, 1000 * RCC_SECOND);
    }
    if (at == 0) // a time of the run
    {
        flows[i].after.push_back({SIZE_MAX, false, later});
        return 1;
    }
    std::string name = text.substr(0, at);
    const bool received = IsReceived(name);
    name.resize(name.size() - (received ? RECEIVED_SIZE : 0));
    const auto found = byName.find(name);
    const Flows* const other = found == byName.end() ? nullptr : &flows[found->second];
    if (!other || other->size == 0 || other->messages == 0 || other->stop != 0)
    {
        LabOptions::FailItemIf(true, "flows", item,
                               other ? "after flows that end, which have a size" : "after names of other flows");
    }
    flows[i].after.push_back({found->second, received, later});
    return other->Count();
}

/// Resolve the names of what flows wait for. \param items of --flows \param after of each the names, separated by +
void
LabExperiment::ReadWaits(const std::vector<std::string>& items, const std::vector<std::string>& after)
{
    std::unordered_map<std::string, size_t> byName;
    for (size_t i = 0; i < flows.size(); i++)
    {
        const std::string& name = flows[i].name;
        LabOptions::FailItemIf(name.find_first_of("+@") != std::string::npos || IsReceived(name), "flows", items[i],
                               "a name without + and @, and without .received at its end");
        const bool isNew = name.empty() || byName.emplace(name, i).second;
        LabOptions::FailItemIf(!isNew, "flows", items[i], "a name of its own");
    }
    std::vector<size_t> left(flows.size()); // that each still waits for
    std::vector<std::vector<size_t>> followers(flows.size());
    std::vector<size_t> ready;
    for (size_t i = 0; i < flows.size(); i++)
    {
        uint64_t most = 0;
        for (const auto& text : LabSplit(after[i], '+'))
        {
            most += ReadAfter(i, items[i], text, byName);
        }
        LabOptions::FailItemIf(static_cast<uint64_t>(flows[i].needs) > most && most, "flows", items[i],
                               "needs of at most the " + LabPlural(most, "flow") + " that it names");
        for (const auto& one : flows[i].after)
        {
            if (one.item != SIZE_MAX)
            {
                followers[one.item].push_back(i);
                left[i]++;
            }
        }
        if (left[i] == 0)
        {
            ready.push_back(i);
        }
    }
    for (size_t at = 0; at < ready.size(); at++)
    {
        for (size_t follower : followers[ready[at]])
        {
            if (--left[follower] == 0)
            {
                ready.push_back(follower);
            }
        }
    }
    for (size_t i = 0; i < flows.size(); i++)
    {
        LabOptions::FailItemIf(left[i] > 0, "flows", items[i], "no flows that wait for one another in a circle");
    }
}

} // namespace ns3
