/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-capture.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/integer.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/rdma-nic.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <sys/resource.h>

namespace ns3
{

namespace
{

const uint32_t LEAST_SNAPLEN = 14;

/// One of the values of an option that is a word. \return its index
size_t
Choice(const RccOptions& options, const std::string& name, const std::vector<std::string>& words)
{
    const std::string& text = options.GetText(name);
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end())
    {
        std::string known;
        for (const auto& w : words)
        {
            known += (known.empty() ? "" : " or ") + w;
        }
        RccOptions::Fail("--" + name + " is '" + text + "', expected " + known);
    }
    return static_cast<size_t>(found - words.begin());
}

/// Every port of the simulation, in the order of nodes and ports.
std::vector<RccCapture::Port>
AllPorts()
{
    std::vector<RccCapture::Port> ports;
    for (uint32_t n = 0; n < NodeList::GetNNodes(); n++)
    {
        Ptr<Node> node = NodeList::GetNode(n);
        for (uint32_t i = 0; i < node->GetNDevices(); i++)
        {
            auto device = DynamicCast<QbbNetDevice>(node->GetDevice(i));
            if (device)
            {
                const std::string port = std::to_string(device->GetPortNumber());
                ports.emplace_back(device, "node-" + std::to_string(n) + "-port-" + port);
            }
        }
    }
    return ports;
}

bool
IsHost(const RccCapture::Port& port)
{
    return port.first->GetNode()->GetObject<RdmaNic>() != nullptr;
}

/// NODE or NODE:PORT. \return false if it is neither
bool
ParsePlace(const std::string& word, uint64_t& node, uint64_t& port, bool& hasPort)
{
    const size_t colon = word.find(':');
    const std::string first = word.substr(0, colon);
    const std::string second = colon == std::string::npos ? "" : word.substr(colon + 1);
    hasPort = colon != std::string::npos;
    const auto isNumber = [](const std::string& s) {
        return !s.empty() && s.size() < 10 && s.find_first_not_of("0123456789") == std::string::npos;
    };
    if (!isNumber(first) || (hasPort && !isNumber(second)))
    {
        return false;
    }
    node = std::strtoull(first.c_str(), nullptr, 10);
    port = hasPort ? std::strtoull(second.c_str(), nullptr, 10) : 0;
    return true;
}

/// The ports that one word of --capture names.
void
AddNamed(const std::string& word, const std::vector<RccCapture::Port>& all, std::vector<RccCapture::Port>& ports)
{
    uint64_t node = 0;
    uint64_t port = 0;
    bool hasPort = false;
    const bool hosts = word == "all" || word == "hosts";
    const bool switches = word == "all" || word == "switches";
    if (!hosts && !switches && !ParsePlace(word, node, port, hasPort))
    {
        RccOptions::Fail("--capture has '" + word + "', expected all, hosts, switches, NODE or NODE:PORT");
    }
    const size_t before = ports.size();
    for (const auto& p : all)
    {
        const bool here = p.first->GetNode()->GetId() == node && (!hasPort || p.first->GetPortNumber() == port);
        if (hosts || switches ? (IsHost(p) ? hosts : switches) : here)
        {
            ports.push_back(p);
        }
    }
    if (ports.size() == before)
    {
        RccOptions::Fail("--capture has '" + word + "', but there is no such port: nodes are 0 to " +
                         std::to_string(NodeList::GetNNodes() - 1));
    }
}

/// A file per port: ask for as many as the system lets us have.
void
AllowFiles()
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max)
    {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit); // a failure shows when a file cannot be opened
    }
}

} // namespace

void
RccCapture::AddOptions(RccOptions& o)
{
    o.Add("vlan", RCC_UNIT_COUNT, "", 0, 4094, "802.1Q tag with this VLAN id and the class as priority; empty: none");
    o.AddText("verb", "send", "send, or write: RDMA WRITE, whose first packets have a RETH");
    o.AddText("flow-control", "pfc", "pfc, or pause: PAUSE frames of 802.3x, which stop all classes");
    o.AddFlag("pcap", "write what passes the congested port, the receiver and the first sender to pcap files");
    o.AddText("capture", "", "other ports than those of --pcap: all, hosts, switches, NODE or NODE:PORT, with commas");
    o.Add("snaplen", RCC_UNIT_BYTES, "262144", LEAST_SNAPLEN, RccPcap::WHOLE_FRAMES, "bytes captured of a frame");
}

void
RccCapture::Configure(const RccOptions& o)
{
    const bool write = Choice(o, "verb", {"send", "write"}) == 1;
    const bool pause = Choice(o, "flow-control", {"pfc", "pause"}) == 1;
    const int64_t vlan = o.IsSet("vlan") ? o.Get("vlan") : -1;
    Config::SetDefault("ns3::QbbNetDevice::VlanId", IntegerValue(vlan));
    Config::SetDefault("ns3::QbbNetDevice::LinkPause", BooleanValue(pause));
    Config::SetDefault("ns3::RdmaNic::Write", BooleanValue(write));
    if (IsWanted(o))
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true)); // or ns-3's IP and TCP headers have none
    }
    if (IsWanted(o) && o.GetText("out").empty())
    {
        RccOptions::Fail(std::string(o.GetFlag("pcap") ? "--pcap" : "--capture") + " needs --out");
    }
}

uint32_t
RccCapture::GetMaxOverhead()
{
    return CreateObject<RdmaNic>()->GetMaxOverhead() + CreateObject<QbbNetDevice>()->GetVlanBytes();
}

bool
RccCapture::IsWanted(const RccOptions& o)
{
    return o.GetFlag("pcap") || !o.GetText("capture").empty();
}

void
RccCapture::Choose(const RccOptions& o, const std::vector<Port>& watched)
{
    if (!IsWanted(o))
    {
        return;
    }
    std::vector<Port> ports = o.GetText("capture").empty() ? watched : std::vector<Port>();
    const std::vector<Port> all = AllPorts();
    std::istringstream words(o.GetText("capture"));
    for (std::string word; std::getline(words, word, ',');)
    {
        AddNamed(word, all, ports);
    }
    m_snaplen = static_cast<uint32_t>(o.Get("snaplen"));
    std::set<Ptr<QbbNetDevice>> seen; // a port has one tap
    for (const auto& p : ports)
    {
        if (seen.insert(p.first).second)
        {
            m_ports.push_back(p);
        }
    }
}

void
RccCapture::Open(const std::string& folder)
{
    if (!m_ports.empty())
    {
        AllowFiles();
    }
    for (const auto& p : m_ports)
    {
        const std::string why = m_pcap.EnablePcap(p.first, folder + "/" + p.second + ".pcap", m_snaplen);
        if (!why.empty())
        {
            RccOptions::Fail(why);
        }
    }
}

} // namespace ns3
