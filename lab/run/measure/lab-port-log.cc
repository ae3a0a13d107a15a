/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-port-log.h"

#include "lab-setup.h"

#include "ns3/qbb-routing.h"
#include "ns3/rcc-units.h"
#include "ns3/rdma-nic.h"

#include <cinttypes>

namespace ns3
{

void
LabPortLog::Port::HandlePause(Port* port, uint8_t cls, bool paused)
{
    if (port->owner->m_pauses)
    {
        std::fprintf(port->owner->m_pauses.get(), "%.9f,%s,%d,%d\n", RccSeconds(RccNow()), port->name.c_str(), cls,
                     paused);
    }
}

void
LabPortLog::Open(const std::string& folder)
{
    m_series = LabSetup::OpenFile(folder + "/port_series.csv", "time_s,port,queue_bytes,sent_bps\n");
    m_pauses = LabSetup::OpenFile(folder + "/port_pauses.csv", "time_s,port,class,paused\n");
    for (const auto& device : QbbGetPorts(NodeContainer::GetGlobal()))
    {
        const Ptr<Node> node = device->GetNode();
        const std::string name = (node->GetObject<RdmaNic>() ? "host " : "switch ") + std::to_string(node->GetId()) +
                                 " port " + std::to_string(device->GetPortNumber());
        m_ports.push_back({device, name, 0, false, this});
    }
    for (auto& p : m_ports) // which stay where they are from now on
    {
        p.device->TraceConnectWithoutContext("Pause", MakeBoundCallback(&Port::HandlePause, &p));
    }
}

void
LabPortLog::WriteRows(int64_t interval)
{
    for (auto& p : m_ports)
    {
        const uint64_t queue = p.device->GetQueueBytesTotal();
        const uint64_t sent = p.device->GetCounters().txBytes;
        const bool active = interval && (queue || sent != p.sent);
        if (interval && (active || p.active))
        {
            std::fprintf(m_series.get(), "%.9g,%s,%" PRIu64 ",%.9g\n", RccSeconds(RccNow()), p.name.c_str(), queue,
                         static_cast<double>(sent - p.sent) * 8e9 / static_cast<double>(interval));
        }
        p.active = active;
        p.sent = sent;
    }
}

void
LabPortLog::Close()
{
    m_series.reset();
    m_pauses.reset();
}

} // namespace ns3
