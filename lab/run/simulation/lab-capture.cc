/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-capture.h"

#include "lab-setup.h"

#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-gateway.h"

#include <map>
#include <set>
#include <sys/resource.h>

namespace ns3
{

namespace
{

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
LabCapture::Choose(const RunFile& file, const std::vector<Ptr<QbbNetDevice>>& places)
{
    std::map<std::pair<uint32_t, uint32_t>, Ptr<QbbNetDevice>> ports;
    if (!file.captures.empty())
    {
        for (const auto& port : QbbGetPorts(NodeContainer::GetGlobal()))
        {
            ports[{port->GetNode()->GetId(), port->GetPortNumber()}] = port;
        }
    }
    std::set<Ptr<QbbNetDevice>> seen; // a port has one tap
    for (const auto& c : file.captures)
    {
        const Ptr<QbbNetDevice> port = c.place == RunCapturePlace::PORT ? ports.at({c.port.node, c.port.port})
                                                                        : places[static_cast<size_t>(c.place) - 1];
        if (seen.insert(port).second)
        {
            m_ports.emplace_back(port, c.file);
        }
    }
    m_snaplen = file.snaplen;
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
        LabThrow(m_pcap.EnablePcap(p.first, folder + "/" + p.second + ".pcap", m_snaplen));
    }
}

} // namespace ns3
