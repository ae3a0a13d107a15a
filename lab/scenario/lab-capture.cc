/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-capture.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/integer.h"
#include "ns3/lab-text.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-gateway.h"
#include "ns3/rdma-nic.h"

#include <set>
#include <sys/resource.h>

namespace ns3
{

namespace
{

/// Every port of the simulation, in the order of nodes and ports.
std::vector<LabCapture::Port>
AllPorts()
{
    std::vector<LabCapture::Port> ports;
    for (const auto& port : QbbGetPorts(NodeContainer::GetGlobal()))
    {
        ports.emplace_back(port, "node-" + std::to_string(port->GetNode()->GetId()) + "-port-" +
                                     std::to_string(port->GetPortNumber()));
    }
    return ports;
}

bool
IsHost(const LabCapture::Port& port)
{
    return port.first->GetNode()->GetObject<RdmaNic>() != nullptr;
}

/// The ports that one word of --capture names.
void
AddNamed(const std::string& word, const std::vector<LabCapture::Port>& all, std::vector<LabCapture::Port>& ports)
{
    const std::vector<std::string> part = LabSplit(word, ':'); // NODE, or NODE and PORT
    uint64_t node = 0;
    uint64_t port = 0;
    const bool place = !part.empty() && part.size() <= 2 && RccParseDecimal(part.front(), 0, UINT32_MAX, &node) &&
                       RccParseDecimal(part.back(), 0, UINT32_MAX, &port);
    const bool hosts = word == "all" || word == "hosts";
    const bool switches = word == "all" || word == "switches";
    LabOptions::FailItemIf(!hosts && !switches && !place, "capture", word, "all, hosts, switches, NODE or NODE:PORT");
    const size_t before = ports.size();
    for (const auto& p : all)
    {
        const bool here = p.first->GetNode()->GetId() == node && (part.size() == 1 || p.first->GetPortNumber() == port);
        if (hosts || switches ? (IsHost(p) ? hosts : switches) : here)
        {
            ports.push_back(p);
        }
    }
    if (ports.size() == before)
    {
        LabOptions::Fail("--capture has '" + word + "', but there is no such port: nodes are 0 to " +
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
LabCapture::Configure(const LabOptions& o)
{
    o.FailValueIf(!IsWanted(o) && o.IsGiven("snaplen"), "snaplen", "--pcap or --capture with it");
    o.ApplyAttributes(); // before frames are measured
    if (IsWanted(o))
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true)); // or ns-3's IP and TCP headers have none
    }
    if (IsWanted(o) && o.GetText("out").empty())
    {
        LabOptions::Fail(std::string(o.GetFlag("pcap") ? "--pcap" : "--capture") + " needs --out");
    }
}

bool
LabCapture::IsWanted(const LabOptions& o)
{
    return o.GetFlag("pcap") || !o.GetText("capture").empty();
}

void
LabCapture::Choose(const LabOptions& o, const std::vector<Port>& watched)
{
    if (!IsWanted(o))
    {
        return;
    }
    std::vector<Port> ports = o.GetText("capture").empty() ? watched : std::vector<Port>();
    const std::vector<Port> all = AllPorts();
    for (const std::string& word : o.GetList("capture"))
    {
        AddNamed(word, all, ports);
    }
    m_snaplen = o.Get<uint32_t>("snaplen");
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
LabCapture::Open(const std::string& folder)
{
    if (!m_ports.empty())
    {
        AllowFiles();
    }
    for (const auto& p : m_ports)
    {
        if (!RccGateway::IsLocal(*p.first->GetNode()))
        {
            continue; // the rank that owns it captures
        }
        LabOptions::FailIf(m_pcap.EnablePcap(p.first, folder + "/" + p.second + ".pcap", m_snaplen));
    }
}

} // namespace ns3
