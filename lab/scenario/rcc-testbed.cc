/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-testbed.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

const size_t NUMBER_MAX = 100000; // in names
const size_t PAIRS_MAX = 1000000; // of a pattern
const char EXPECTED_PAIR[] = "A-B or A=B, such as h[1-4]-t1";

/// Where the separator is that stands outside of brackets.
size_t
FindOutside(const std::string& text, const std::string& separators)
{
    int depth = 0;
    for (size_t i = 0; i < text.size(); i++)
    {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (depth == 0 && separators.find(text[i]) != std::string::npos)
        {
            return i;
        }
    }
    return std::string::npos;
}

/// All names of a pattern; the first range runs slowest.
void
ExpandNames(const std::string& option, const std::string& pattern, std::vector<std::string>& names)
{
    const size_t open = pattern.find('[');
    const size_t close = pattern.find(']');
    const std::string what = "--" + option + " has '" + pattern + "', expected ";
    if (names.size() >= PAIRS_MAX)
    {
        RccOptions::Fail(what + "at most " + std::to_string(PAIRS_MAX) + " names");
    }
    if (open == std::string::npos && close == std::string::npos)
    {
        if (pattern.empty() || pattern.find_first_of("-=:*>") != std::string::npos)
        {
            RccOptions::Fail(what + "the name of a node");
        }
        names.push_back(pattern);
        return;
    }
    const size_t dash = pattern.find('-', open == std::string::npos ? 0 : open);
    uint64_t first = 0;
    uint64_t last = 0;
    if (open == std::string::npos || close == std::string::npos || dash > close ||
        !RccParseWhole(pattern.substr(open + 1, dash - open - 1), NUMBER_MAX, &first) ||
        !RccParseWhole(pattern.substr(dash + 1, close - dash - 1), NUMBER_MAX, &last) || first > last)
    {
        RccOptions::Fail(what + "ranges such as h[1-4]");
    }
    for (uint64_t i = first; i <= last; i++)
    {
        ExpandNames(option, pattern.substr(0, open) + std::to_string(i) + pattern.substr(close + 1), names);
    }
}

/// \return one bit for each class
uint32_t
MaskOf(const std::vector<uint8_t>& classes)
{
    uint32_t mask = 0;
    for (uint8_t cls : classes)
    {
        mask |= 1u << cls;
    }
    return mask;
}

bool
IsHost(const std::string& name)
{
    return name[0] == 'h';
}

} // namespace

void
RccTestbed::AddOptions(RccOptions& o)
{
    o.AddList(
        "links", "A-B[*N][:RATE[:DELAY]]", "h[1-5]-s1",
        "links between nodes; names that begin with h are hosts, others switches; [1-4] is a range, = pairs one by "
        "one, *N parallel links");
    o.Add("alpha", RCC_UNIT_RATIO, "0.125", 1000, 1024 * static_cast<int64_t>(RCC_RATIO_ONE),
          "factor of the dynamic PFC threshold of a switch");
    o.Add("threshold", RCC_UNIT_BYTES, "", 1, 1000 * RCC_SECOND,
          "bytes of a switch's pool that each port and class may hold, whatever is free of it",
          "none: the dynamic threshold of --alpha");
    o.Add("pool", RCC_UNIT_BYTES, "", 1, 1000 * RCC_SECOND, "shared pool of a switch",
          "what the headroom leaves of the buffer");
    o.AddFlag("lossy", "switches without PFC: they drop what their buffer cannot hold");
    o.AddList("lossless", "CLASS", "3",
              "classes with PFC and ECN, e.g. 3,4; the others are dropped beyond a threshold");
    o.AddFlag("scale-thresholds", "--kmin and --kmax are those of links of --rate, and others have them in proportion");
    o.Add("egress-alpha", RCC_UNIT_RATIO, "0", 0, 1024 * static_cast<int64_t>(RCC_RATIO_ONE),
          "factor of the dynamic threshold of egress queues without PFC; 0 = that of --alpha at the ingress");
    o.Add("ack-class", RCC_UNIT_COUNT, "7", 0, QBB_CLASSES - 1, "class of ACK and NAK; 7 has strict priority");
    o.Add("cnp-class", RCC_UNIT_COUNT, "7", 0, QBB_CLASSES - 1, "class of CNP");
    o.AddList("dscp-map", "DSCP:CLASS", "",
              "classes by DSCP in NICs and switches, e.g. 26:3,48:6 or 0-7:0; a DSCP that is not listed leaves a frame "
              "its class",
              "none: the DSCP is 8 x class");
    o.AddList("strict", "CLASS", "",
              "classes with strict priority beside that of ACK, e.g. 5,6; a higher one goes first");
    o.AddList("weights", "CLASS:WEIGHT", "", "weights of the classes that share a port by turns, e.g. 3:2,4:1",
              "1 each");
    o.AddChoice("cnp-scope", {"nic", "port", "destination"}, "nic",
                "whose CNPs are at least cnp_generation apart: all of a port, or those to one host; nic: as --nic has "
                "it, or port");
    o.Add("meter", RCC_UNIT_BPS, "", RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX,
          "rate above which a NIC makes CNPs of its own congestion", "none");
    o.Add("meter-depth", RCC_UNIT_BYTES, "131072B", 1, RCC_SECOND, "what may arrive above the rate of --meter");
    o.AddList("police", "SWITCH>NODE:RATE[:BURST]", "",
              "drop what a switch forwards to a port beyond a rate and a burst (128 KB), with neither pause nor mark");
    o.Add("bucket", RCC_UNIT_BYTES, "0", 0, RCC_SECOND, "depth of a queue pair's token bucket, 0 = exact pacing");
}

RccTestbed::RccTestbed(const RccOptions& options, RccRun& run) : m_options(options)
{
    QbbHelper& helper = run.GetHelper();
    helper.SetSwitchAttribute("Alpha", DoubleValue(options.GetRatio("alpha")));
    helper.SetSwitchAttribute("StaticThreshold", UintegerValue(options.Get<uint64_t>("threshold")));
    helper.SetSwitchAttribute("PoolSize", UintegerValue(options.Get<uint64_t>("pool")));
    helper.SetSwitchAttribute("EgressAlpha", DoubleValue(options.GetRatio("egress-alpha")));
    helper.SetSwitchAttribute("LosslessClasses", UintegerValue(MaskOf(GetClasses(options, "lossless"))));
    if (options.GetFlag("lossy"))
    {
        run.SetLossy();
    }
    SetNics(helper);
    SetRules(helper);
    std::vector<Links> wanted;
    std::map<std::string, uint64_t> ports;
    for (const auto& item : options.GetList("links"))
    {
        wanted.push_back(ReadLinks(item, ports)); // all before one is built: some hundred thousand take seconds
    }
    for (const auto& links : wanted)
    {
        AddLinks(run, links);
    }
    if (m_switches.empty())
    {
        RccOptions::Fail("--links has no switch, expected names of switches that do not begin with h");
    }
    RccOptions::FailIf(QbbSetRoutes(m_all));
    for (const auto& item : options.GetList("police"))
    {
        AddPolicer(item);
    }
    if (options.GetFlag("scale-thresholds"))
    {
        ScaleThresholds(*run.GetAlgorithm());
    }
    for (const auto& sw : m_switches)
    {
        for (uint8_t cls : GetClasses(options, "lossless"))
        {
            if (cls != 3) // which AddSwitch marks
            {
                sw->AddMarker(cls, run.GetAlgorithm());
            }
        }
        run.AddSwitch(sw);
    }
}

void
RccTestbed::AddPolicer(const std::string& item)
{
    std::vector<std::string> part = RccSplit(item, ':');
    const size_t at = part.empty() ? std::string::npos : part[0].find('>');
    RccOptions::FailItemIf(at == std::string::npos || part.size() < 2 || part.size() > 3, "police", item,
                           "SWITCH>NODE:RATE[:BURST]");
    part.resize(3, "128KB");
    const int64_t rate =
        RccOptions::ParseField("police", item, part[1], RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX);
    const int64_t burst = RccOptions::ParseField("police", item, part[2], RCC_UNIT_BYTES, 1, RCC_POLICER_BURST_MAX);
    for (const auto& port : GetPorts("police", part[0].substr(0, at), part[0].substr(at + 1)))
    {
        port.sw->SetPolicer(port.index, DataRate(static_cast<uint64_t>(rate)), static_cast<uint32_t>(burst));
    }
}

void
RccTestbed::ScaleThresholds(RccAlgorithm& algorithm) const
{
    const int64_t usual = m_options.Get("rate");
    for (const auto& port : GetSwitchPorts())
    {
        const uint64_t rate = port->GetRate();
        for (const char* name : {"kmin", "kmax"})
        {
            if (m_options.IsSet(name) && rate != static_cast<uint64_t>(usual))
            {
                const double scale = static_cast<double>(rate) / static_cast<double>(usual);
                const auto bytes = static_cast<int64_t>(static_cast<double>(m_options.Get(name)) * scale);
                RccOptions::FailIf(algorithm.SetParameterAt(rate, name, bytes));
            }
        }
    }
}

/// What the options say of NICs and of DSCPs.
void
RccTestbed::SetNics(QbbHelper& helper) const
{
    auto set = [&](const char* attribute, const char* option) {
        if (m_options.IsSet(option))
        {
            helper.SetNicAttribute(attribute, UintegerValue(m_options.Get<uint64_t>(option)));
        }
    };
    const int64_t frame = m_options.Get("mtu") + QbbHelper::GetMaxOverhead();
    const int64_t bucket = m_options.Get("bucket");
    m_options.FailValueIf(bucket != 0 && bucket < frame, "bucket",
                          "0 or at least a frame of " + std::to_string(frame) + " bytes");
    set("BucketSize", "bucket");
    set("ControlClass", "ack-class");
    set("CnpClass", "cnp-class");
    set("IngressMeterDepth", "meter-depth");
    GetDscpMap(m_options);
    const StringValue map(RccJoin(m_options.GetList("dscp-map"), ","));
    helper.SetNicAttribute("DscpMap", map);
    helper.SetSwitchAttribute("DscpMap", map);
    if (m_options.GetText("cnp-scope") != "nic")
    {
        helper.SetNicAttribute("CnpPerDestination", BooleanValue(m_options.GetText("cnp-scope") == "destination"));
    }
    if (m_options.IsSet("meter"))
    {
        helper.SetNicAttribute("IngressMeterRate", DataRateValue(DataRate(m_options.Get<uint64_t>("meter"))));
    }
}

rcc_dscp_map
RccTestbed::GetDscpMap(const RccOptions& options)
{
    rcc_dscp_map map;
    const std::string text = RccJoin(options.GetList("dscp-map"), ",");
    if (const char* const wrong = rcc_dscp_map_read(&map, text.c_str()))
    {
        const std::string item = std::string(wrong).substr(0, std::string(wrong).find(','));
        RccOptions::FailItemIf(true, "dscp-map", item,
                               "DSCP:CLASS or FIRST-LAST:CLASS, 0 to 63 and 0 to 7, and one class for each DSCP");
    }
    return map;
}

/// What the options say of the classes of all ports.
void
RccTestbed::SetRules(QbbHelper& helper) const
{
    std::vector<std::string> weights = m_options.GetList("weights");
    for (auto& item : weights)
    {
        const std::vector<std::string> part = RccSplit(item, ':');
        RccOptions::FailItemIf(part.size() != 2, "weights", item, "CLASS:WEIGHT");
        const int64_t cls = RccOptions::ParseField("weights", item, part[0], RCC_UNIT_COUNT, 0, QBB_CLASSES - 1);
        const int64_t weight = RccOptions::ParseField("weights", item, part[1], RCC_UNIT_COUNT, 1, 1000);
        item = std::to_string(cls) + ":" + std::to_string(weight);
    }
    helper.SetDeviceAttribute("StrictClasses", UintegerValue(MaskOf(GetClasses(m_options, "strict"))));
    helper.SetDeviceAttribute("ClassWeights", StringValue(RccJoin(weights, ",")));
}

std::vector<uint8_t>
RccTestbed::GetClasses(const RccOptions& options, const std::string& option)
{
    std::vector<uint8_t> classes;
    for (const auto& item : options.GetList(option))
    {
        const auto cls = RccOptions::ParseField<uint8_t>(option, item, item, RCC_UNIT_COUNT, 0, QBB_CLASSES - 1);
        const bool twice = std::find(classes.begin(), classes.end(), cls) != classes.end();
        RccOptions::FailItemIf(twice, option, item, "each class once"); // two congestion points would mark twice
        classes.push_back(cls);
    }
    return classes;
}

std::vector<std::pair<std::string, std::string>>
RccTestbed::ExpandPairs(const std::string& option, const std::string& text)
{
    const size_t at = FindOutside(text, "-=");
    RccOptions::FailItemIf(at == std::string::npos, option, text, EXPECTED_PAIR);
    std::vector<std::string> a;
    std::vector<std::string> b;
    ExpandNames(option, text.substr(0, at), a);
    ExpandNames(option, text.substr(at + 1), b);
    std::vector<std::pair<std::string, std::string>> pairs;
    RccOptions::FailItemIf(text[at] == '=' && b.size() > 1 && a.size() % b.size() != 0, option, text,
                           "as many names left of = as right of it, or a multiple");
    const bool every = text[at] == '-'; // else each has one partner
    RccOptions::FailItemIf(every && a.size() * b.size() > PAIRS_MAX, option, text,
                           "at most " + std::to_string(PAIRS_MAX) + " pairs");
    for (size_t i = 0; i < a.size(); i++)
    {
        const size_t first = every ? 0 : i * b.size() / a.size();
        const size_t end = every ? b.size() : first + 1;
        for (size_t j = first; j < end; j++)
        {
            pairs.emplace_back(a[i], b[j]);
        }
    }
    return pairs;
}

std::vector<std::pair<std::string, std::string>>
RccTestbed::ExpandFlows(const std::string& option, const std::string& text)
{
    std::vector<std::pair<std::string, std::string>> pairs = ExpandPairs(option, text);
    const auto same = [](const std::pair<std::string, std::string>& pair) { return pair.first == pair.second; };
    const auto others = std::remove_if(pairs.begin(), pairs.end(), same);
    // a host beside the others of a pattern is what "all to all" means; alone it is a mistake
    RccOptions::FailItemIf(others == pairs.begin() || (others != pairs.end() && text[FindOutside(text, "-=")] == '='),
                           option, text, "two different hosts");
    pairs.erase(others, pairs.end());
    return pairs;
}

Ptr<Node>
RccTestbed::GetNode(RccRun& run, const std::string& name)
{
    Ptr<Node>& node = m_nodes[name];
    if (!node)
    {
        node = CreateObject<Node>();
        m_all.Add(node);
        if (IsHost(name))
        {
            m_hosts.push_back(run.GetHelper().InstallHost(node));
            m_hostNames.push_back(name);
        }
        else
        {
            m_switches.push_back(run.GetHelper().InstallSwitch(node));
        }
    }
    return node;
}

/// Remember the last port of a switch as one towards a neighbour.
void
RccTestbed::AddPort(const std::string& from, const std::string& to)
{
    if (IsHost(from))
    {
        m_neighbours.emplace(from, to);
        return;
    }
    Ptr<QbbSwitch> sw = m_nodes.at(from)->GetObject<QbbSwitch>();
    auto& ports = m_ports[{from, to}];
    const std::string number = ports.empty() ? "" : "#" + std::to_string(ports.size() + 1);
    ports.push_back(Port{from + ">" + to + number, sw, sw->GetNPorts() - 1});
}

RccTestbed::Links
RccTestbed::ReadLinks(const std::string& item, std::map<std::string, uint64_t>& ports) const
{
    std::vector<std::string> part = RccSplit(item, ':');
    RccOptions::FailItemIf(part.size() > 3, "links", item, "A-B[*N][:RATE[:DELAY]]");
    part.resize(3);
    Links links{{}, 1, m_options.Get("rate"), m_options.Get("delay")};
    const size_t star = part[0].find('*');
    const bool counts = star == std::string::npos || RccParseWhole(part[0].substr(star + 1), 1024, &links.parallel);
    RccOptions::FailItemIf(!counts || links.parallel == 0, "links", item, "a number of parallel links after *");
    if (!part[1].empty())
    {
        links.rate = RccOptions::ParseField("links", item, part[1], RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX);
    }
    if (!part[2].empty())
    {
        links.delay = RccOptions::ParseField("links", item, part[2], RCC_UNIT_NS, 0, RCC_SECOND);
    }
    links.pairs = ExpandPairs("links", part[0].substr(0, star));
    for (const auto& pair : links.pairs)
    {
        RccOptions::FailIf(
            pair.first == pair.second ? "--links has '" + item + "': a link of " + pair.first + " to itself" : "");
        for (const auto& name : {pair.first, pair.second})
        {
            if (!IsHost(name) && (ports[name] += links.parallel) > UINT16_MAX)
            {
                RccOptions::Fail("--links has '" + item + "', with which switch " + name + " has more than " +
                                 std::to_string(UINT16_MAX) + " ports");
            }
        }
    }
    return links;
}

void
RccTestbed::AddLinks(RccRun& run, const Links& links)
{
    QbbHelper helper = run.GetHelper();
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(links.rate))));
    helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(links.delay)));
    for (const auto& pair : links.pairs)
    {
        Ptr<Node> a = GetNode(run, pair.first);
        Ptr<Node> b = GetNode(run, pair.second);
        for (uint64_t i = 0; i < links.parallel; i++)
        {
            helper.Connect(a, b);
            AddPort(pair.first, pair.second);
            AddPort(pair.second, pair.first);
        }
    }
}

Ptr<RdmaNic>
RccTestbed::GetNic(const std::string& option, const std::string& name) const
{
    const auto found = m_nodes.find(name);
    const Ptr<RdmaNic> nic = found == m_nodes.end() ? nullptr : found->second->GetObject<RdmaNic>();
    RccOptions::FailIf(nic ? "" : "--" + option + " names '" + name + "', expected a host of --links");
    return nic;
}

std::vector<RccTestbed::Port>
RccTestbed::GetPorts(const std::string& option, const std::string& from, const std::string& to) const
{
    const auto found = m_ports.find({from, to});
    if (found == m_ports.end())
    {
        RccOptions::Fail("--" + option + " names '" + from + ">" + to +
                         "', expected a switch and a neighbour of --links");
    }
    return found->second;
}

std::vector<Ptr<QbbNetDevice>>
RccTestbed::GetSwitchPorts() const
{
    std::vector<Ptr<QbbNetDevice>> ports;
    for (const auto& sw : m_switches)
    {
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            ports.push_back(sw->GetPort(p));
        }
    }
    return ports;
}

} // namespace ns3
