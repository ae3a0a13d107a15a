/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "testbed-tcp.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/qbb-internet.h"
#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

TestbedTcp::TestbedTcp(const RunFile& file, LabRun& run, const LabNetwork& testbed)
{
    NodeContainer hosts;
    for (const auto& one : file.internet)
    {
        hosts.Add(testbed.GetNode(one.node));
    }
    if (hosts.GetN() > 0)
    {
        QbbInstallInternet(hosts);
    }
    for (size_t i = 0; i < file.tcp.size(); i++)
    {
        run.WarnIfNever("tcp " + std::to_string(i), file.tcp[i].start);
        AddGroup(testbed, file.tcp[i]);
    }
}

void
TestbedTcp::Begin(const LabRun& run)
{
    if (m_groups.empty())
    {
        return;
    }
    if (run.HasWindow())
    {
        Simulator::Schedule(NanoSeconds(run.GetWindowFrom()), &TestbedTcp::Mark, this, &Group::from);
    }
    Simulator::Schedule(NanoSeconds(run.GetWindowTo()), &TestbedTcp::Mark, this, &Group::till);
}

/// The connections of a pair have a port of the receiver for themselves.
void
TestbedTcp::AddGroup(const LabNetwork& testbed, const RunTcp& tcp)
{
    TypeId control;
    if (!tcp.control.empty() && !TypeId::LookupByNameFailSafe(tcp.control, &control))
    {
        throw RunError(tcp.record, "CONTROL", "type", tcp.control);
    }
    Ptr<Node> from = testbed.GetNode(tcp.from);
    Ptr<Node> to = testbed.GetNode(tcp.to);
    m_groups.emplace_back(new Group(tcp.name, to, control));
    Group& group = *m_groups.back();
    group.start = tcp.start;
    group.receiver.Listen(tcp.port);
    const InetSocketAddress address(to->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal(), tcp.port);
    for (uint32_t i = 0; i < tcp.connections; i++)
    {
        group.senders.emplace_back(new TcpBulkSender(from, address, 0, control));
        group.senders.back()->StartAt(std::max<int64_t>(tcp.start, 1));
    }
}

void
TestbedTcp::Mark(uint64_t Group::*bytes)
{
    for (auto& group : m_groups)
    {
        (*group).*bytes = group->receiver.GetDelivered();
    }
    m_windowEnded = bytes == &Group::till;
}

void
TestbedTcp::AddResults(LabJson& json, double seconds)
{
    if (m_groups.empty())
    {
        return;
    }
    if (!m_windowEnded)
    {
        Mark(&Group::till); // with the run
    }
    LabJson list('[');
    for (const auto& group : m_groups)
    {
        const auto inWindow = static_cast<double>(group->till - group->from);
        list.Add("", LabJson()
                         .Add("name", group->name)
                         .Add("connections", group->senders.size())
                         .Add("mean_bps", seconds > 0 ? inWindow * 8 / seconds : 0.0)
                         .Add("delivered_bytes", group->receiver.GetDelivered()));
    }
    json.Add("tcp", list);
}

std::vector<RunWarning>
TestbedTcp::GetWarnings(int64_t end) const
{
    std::vector<RunWarning> warnings;
    for (const auto& group : m_groups)
    {
        if (group->receiver.GetDelivered() == 0 && group->start < end) // later ones have another warning
        {
            warnings.push_back(RunWarning("tcp-silent").With(group->name).With(group->start).With(end));
        }
    }
    return warnings;
}

} // namespace ns3
