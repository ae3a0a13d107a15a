/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "testbed-tcp.h"

#include "lab-number.h"

#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/qbb-internet.h"
#include "ns3/rcc-units.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

const uint16_t FIRST_PORT = 5001;
const size_t GROUPS_MAX = UINT16_MAX - FIRST_PORT; // each has a port
const uint32_t SOCKET_BUFFER = 4 << 20;
const uint32_t LEAST_MTU = 576; // of a TCP/IP host
const uint32_t LARGEST_MTU = 9000;
const uint32_t TCP_IP_HEADERS = 52; //!< IPv4 20, TCP 20, timestamps 12
const char FORM[] = "A-B[:connections=..:start=..:cc=..]";

/// \return the variants of TCP that cc=.. knows, with their types
const std::vector<std::pair<std::string, std::string>>&
Variants()
{
    static const std::vector<std::pair<std::string, std::string>> variants = {{"cubic", "ns3::TcpCubic"},
                                                                              {"newreno", "ns3::TcpLinuxReno"},
                                                                              {"dctcp", "ns3::TcpDctcp"},
                                                                              {"bbr", "ns3::TcpBbr"}};
    return variants;
}

/// \return the type of a variant's objects; exits with status 2 if this ns-3 has none. \param item of --tcp that names
/// it
TypeId
FindVariant(const std::string& name, const std::string& item)
{
    std::vector<std::string> known;
    for (const auto& variant : Variants())
    {
        TypeId type;
        if (TypeId::LookupByNameFailSafe(variant.second, &type))
        {
            known.push_back(variant.first);
            if (variant.first == name)
            {
                return type;
            }
        }
    }
    LabOptions::Fail("--tcp has '" + item + "', expected cc= one of " + RccJoin(known, ", ") + ", which this ns-3 has");
}

} // namespace

void
TestbedTcp::Configure(const LabOptions& options, QbbHelper& helper)
{
    if (options.GetList("tcp").empty())
    {
        return;
    }
    const auto mtu = static_cast<uint32_t>(LabAttributes::GetDefault("QbbNetDevice", "Mtu"));
    LabOptions::FailItemIf(mtu < LEAST_MTU || mtu > LARGEST_MTU, "attr", "QbbNetDevice.Mtu=" + std::to_string(mtu),
                           std::to_string(LEAST_MTU) + " to " + std::to_string(LARGEST_MTU) + " beside --tcp");
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(mtu - TCP_IP_HEADERS));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(SOCKET_BUFFER));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(SOCKET_BUFFER));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    options.ApplyAttributes();
    const auto rdma = options.Get<uint32_t>("mtu") + QbbHelper::GetMaxOverhead();
    helper.SetSwitchAttribute("MaxFrame", UintegerValue(std::max(rdma, mtu + IP_OVERHEAD + VLAN_TAG_BYTES)));
}

TestbedTcp::TestbedTcp(const LabOptions& options, LabRun& run, const LabNetwork& testbed)
{
    const std::vector<std::string> items = options.GetList("tcp");
    if (items.empty())
    {
        return;
    }
    NodeContainer hosts;
    for (const auto& nic : testbed.GetHosts())
    {
        hosts.Add(nic->GetObject<Node>());
    }
    QbbInstallInternet(hosts);
    for (const auto& item : items)
    {
        int64_t connections = 1;
        int64_t start = 0;
        std::string variant;
        LabOptions::ParseKeys("tcp", item,
                              {{"connections", RCC_UNIT_COUNT, 1, 10000, &connections, nullptr},
                               {"start", RCC_UNIT_NS, 0, 1000 * RCC_SECOND, &start, nullptr},
                               {"cc", RCC_UNIT_COUNT, 0, 0, nullptr, &variant}},
                              FORM);
        const bool own = !variant.empty() || !options.GetAttributes().Find("TcpL4Protocol.SocketType");
        const TypeId control = own ? FindVariant(variant.empty() ? "cubic" : variant, item) : TypeId();
        run.WarnIfNever("--tcp=" + item, start);
        const auto pairs = LabExpandFlows("tcp", item.substr(0, item.find(':')));
        LabOptions::FailItemIf(m_groups.size() + pairs.size() > GROUPS_MAX, "tcp", item,
                               "at most " + std::to_string(GROUPS_MAX) + " pairs of hosts in all");
        for (const auto& pair : pairs)
        {
            AddGroup(testbed, pair, connections, start, control);
        }
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
TestbedTcp::AddGroup(const LabNetwork& testbed, const std::pair<std::string, std::string>& pair, int64_t connections,
                     int64_t start, TypeId control)
{
    Ptr<Node> from = testbed.GetNic("tcp", pair.first)->GetObject<Node>();
    Ptr<Node> to = testbed.GetNic("tcp", pair.second)->GetObject<Node>();
    const auto port = static_cast<uint16_t>(FIRST_PORT + m_groups.size());
    m_groups.emplace_back(new Group(pair.first + "-" + pair.second, to, control));
    Group& group = *m_groups.back();
    group.start = start;
    group.receiver.Listen(port);
    const InetSocketAddress address(to->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal(), port);
    for (int64_t i = 0; i < connections; i++)
    {
        group.senders.emplace_back(new TcpBulkSender(from, address, 0, control));
        group.senders.back()->StartAt(std::max<int64_t>(start, 1));
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

std::vector<std::string>
TestbedTcp::GetWarnings(int64_t end) const
{
    std::vector<std::string> warnings;
    for (const auto& group : m_groups)
    {
        if (group->receiver.GetDelivered() == 0 && group->start < end) // later ones have another warning
        {
            warnings.push_back("--tcp=" + group->name + " delivered nothing: it begins at " +
                               LabShownTime(group->start) + ", the run ended at " + LabShownTime(end));
        }
    }
    return warnings;
}

} // namespace ns3
