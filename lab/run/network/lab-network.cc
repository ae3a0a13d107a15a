/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-network.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-random.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// Set an attribute of a node's NIC or switch.
void
SetAttributeOf(Ptr<Node> node, const RunNodeAttribute& a)
{
    TypeId type;
    const bool known = TypeId::LookupByNameFailSafe(a.type, &type);
    const Ptr<Object> object = known ? node->GetObject<Object>(type) : nullptr;
    if (!object || !object->SetAttributeFailSafe(a.attribute, StringValue(a.value)))
    {
        throw RunError(a.record, "VALUE", "attribute", a.value, {a.type, a.attribute});
    }
}

/// \return the bytes that a switch reserves for its ports: a frame and the headroom of each lossless class
uint64_t
LeastBuffer(const QbbSwitch& sw)
{
    const auto valueOf = [&sw](const char* name) {
        UintegerValue value;
        sw.GetAttribute(name, value);
        return value.Get();
    };
    const auto frame = static_cast<uint32_t>(valueOf("MaxFrame"));
    const auto lossless = static_cast<uint64_t>(__builtin_popcountll(valueOf("LosslessClasses")));
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < sw.GetNPorts(); i++)
    {
        const Ptr<QbbNetDevice> port = sw.GetPort(i);
        const uint64_t rate = port->GetDataRate().GetBitRate();
        const int64_t delay = DynamicCast<QbbChannel>(port->GetChannel())->GetDelayNs();
        const double bits = static_cast<double>(rate) / 1e9 * static_cast<double>(delay);
        const double delays = bits / 8 * static_cast<double>(valueOf("HeadroomDelays"));
        bytes += frame + lossless * std::max(rcc_mmu_headroom(rate, delay, frame), static_cast<uint64_t>(delays));
    }
    return bytes;
}

} // namespace

LabNetwork::LabNetwork(const RunFile& file, LabRun& run) : m_file(file)
{
    CheckBuckets(run);
    if (file.pool.pool)
    {
        SetPool(run);
    }
    MakeNodes(run);
    AddLinks(run);
    SetRoutes();
    for (const auto& p : file.policers)
    {
        const Ptr<QbbSwitch> sw = m_all.Get(p.port.node)->GetObject<QbbSwitch>();
        sw->SetPolicer(p.port.port, DataRate(p.rate), static_cast<uint32_t>(p.burst));
    }
    AddMarkers(run);
    StartSwitches(run);
    if (file.linkDown.at >= 0)
    {
        const RunLinkDown& down = file.linkDown;
        Simulator::Schedule(NanoSeconds(down.at), &LabPaths::TakeLinkDown, m_paths.get(), down.a, down.b,
                            file.routes == RunRoutes::UP_DOWN);
        run.KeepTogether(m_all.Get(down.a)->GetId(), m_all.Get(down.b)->GetId());
    }
}

/// A buffer that holds the headroom of every port, beside a pool that holds a frame for each.
void
LabNetwork::SetPool(LabRun& run) const
{
    const uint32_t frame = run.GetSetup().mtu + QbbHelper::GetMaxOverhead();
    uint64_t headroom = m_file.pool.headroom;
    std::vector<uint64_t> ports(m_file.nodes.size());
    for (const auto& l : m_file.links)
    {
        headroom = std::max(headroom, rcc_mmu_headroom(l.rate, l.delay, frame));
        ports[l.a] += m_file.nodes[l.a].kind == RunNodeKind::HOST ? 0 : 1;
        ports[l.b] += m_file.nodes[l.b].kind == RunNodeKind::HOST ? 0 : 1;
    }
    uint8_t classes = m_file.arrivals.empty() ? 1u << QBB_RDMA_CLASS : 0;
    for (const auto& f : m_file.arrivals)
    {
        classes |= static_cast<uint8_t>(1u << f.cls);
    }
    const uint64_t most = *std::max_element(ports.begin(), ports.end());
    const uint64_t pool = std::max<uint64_t>(m_file.pool.pool, most * frame);
    const auto lossless = static_cast<uint64_t>(__builtin_popcount(classes));
    const std::pair<const char*, uint64_t> attributes[] = {
        {"Headroom", headroom}, {"PoolSize", pool}, {"BufferSize", pool + headroom * most * lossless}};
    for (const auto& one : attributes)
    {
        const auto sets = [&one](const RunDefault& d) {
            return d.attribute == one.first && d.type == "ns3::QbbSwitch";
        };
        if (std::none_of(m_file.defaults.begin(), m_file.defaults.end(), sets))
        {
            run.GetHelper().SetSwitchAttribute(one.first, UintegerValue(one.second));
        }
    }
}

/// A host whose bucket is smaller than a frame would never send.
void
LabNetwork::CheckBuckets(const LabRun& run) const
{
    const Ptr<RdmaNic> nic = CreateObject<RdmaNic>();
    const uint64_t frame = run.GetSetup().mtu + QbbHelper::GetMaxOverhead();
    UintegerValue bucket;
    BooleanValue debt; // then a frame leaves before all its tokens are there
    nic->GetAttribute("BucketSize", bucket);
    nic->GetAttribute("BucketDebt", debt);
    if (bucket.Get() != 0 && bucket.Get() < frame && !debt.Get())
    {
        throw RunError(0, "default", "bucket", std::to_string(bucket.Get()), {std::to_string(frame)});
    }
}

void
LabNetwork::MakeNodes(LabRun& run)
{
    QbbHelper copies = run.GetHelper();
    copies.MakeCopies();
    m_all.Create(static_cast<uint32_t>(m_file.nodes.size()));
    m_nics.resize(m_file.nodes.size());
    for (uint32_t i = 0; i < m_file.nodes.size(); i++)
    {
        const Ptr<Node> node = m_all.Get(i);
        switch (m_file.nodes[i].kind)
        {
        case RunNodeKind::HOST:
            m_nics[i] = copies.InstallHost(node);
            m_hosts.push_back(m_nics[i]);
            break;
        case RunNodeKind::SWITCH:
        case RunNodeKind::NVSWITCH:
            m_switches.push_back(run.GetHelper().InstallSwitch(node));
            m_switches.back()->SetPreferred(m_file.nodes[i].kind == RunNodeKind::NVSWITCH);
            break;
        case RunNodeKind::CIOQ:
            if (m_cioq || !m_switches.empty())
            {
                throw RunError(m_file.nodes[i].record, "KIND", "twice", "cioq");
            }
            m_cioq = run.GetHelper().InstallCioqSwitch(node);
            break;
        }
    }
    for (const auto& a : m_file.nodeAttributes)
    {
        if (a.at == 0)
        {
            SetAttributeOf(m_all.Get(a.node), a);
        }
        else
        {
            Simulator::Schedule(NanoSeconds(a.at), &SetAttributeOf, m_all.Get(a.node), a);
        }
    }
}

void
LabNetwork::AddLinks(LabRun& run)
{
    std::map<std::pair<uint64_t, int64_t>, QbbHelper> helpers; // by rate and delay of a link
    for (size_t i = 0; i < m_file.links.size(); i++)
    {
        const RunLink& l = m_file.links[i];
        const auto made = helpers.emplace(std::make_pair(l.rate, l.delay), run.GetHelper());
        QbbHelper& helper = made.first->second;
        if (made.second)
        {
            helper.MakeCopies();
            helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(l.rate)));
            helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(l.delay)));
        }
        const Ptr<QbbChannel> channel = helper.Connect(m_all.Get(l.a), m_all.Get(l.b));
        if (l.loss)
        {
            channel->SetErrorRate(static_cast<double>(l.loss) / RCC_RATIO_ONE,
                                  RccStreamOf(run.GetSeed(), RccStream::LINK_ERROR, i));
        }
    }
    if (!m_file.arrivals.empty() || m_file.linkDown.at >= 0)
    {
        std::vector<LabPaths::Link> links;
        for (const auto& l : m_file.links)
        {
            links.push_back(LabPaths::Link{l.a, l.b, l.rate, l.delay});
        }
        m_paths.reset(new LabPaths(m_all, links, run.GetSetup().mtu));
    }
}

const std::string&
LabNetwork::NameOf(uint32_t id) const
{
    return m_file.nodes[id - m_all.Get(0)->GetId()].name;
}

void
LabNetwork::SetRoutes()
{
    if (m_cioq)
    {
        for (uint32_t p = 0; p < m_cioq->GetNPorts(); p++)
        {
            m_cioq->SetRoute(QbbGetNeighbour(*m_cioq->GetPort(p))->GetId(), p);
        }
        return;
    }
    if (m_file.routes != RunRoutes::SHORTEST)
    {
        QbbReroute(m_all, m_file.routes == RunRoutes::UP_DOWN);
        return;
    }
    std::istringstream message(QbbSetRoutes(m_all)); // which knows no names
    std::string said, before;
    for (std::string word; message >> word; before = word)
    {
        const bool isId = before == "node" || before == "switch";
        const std::string end = word.back() == ':' ? ":" : "";
        said += (said.empty() ? "" : " ") + (isId ? NameOf(static_cast<uint32_t>(std::stoul(word))) + end : word);
    }
    if (!said.empty())
    {
        throw RunError(0, "link", "path", said);
    }
}

void
LabNetwork::AddMarkers(const LabRun& run)
{
    for (const auto& m : m_file.markers)
    {
        for (const auto& sw : m_switches)
        {
            if (m.node == RUN_NONE || sw == m_all.Get(m.node)->GetObject<QbbSwitch>())
            {
                sw->AddMarker(static_cast<uint8_t>(m.cls), run.GetAlgorithm(m.algorithm));
            }
        }
    }
}

void
LabNetwork::StartSwitches(LabRun& run)
{
    if (m_cioq)
    {
        run.AddSwitch(m_cioq);
    }
    for (const auto& sw : m_switches)
    {
        sw->AllowUnmarked(); // classes that drop have no congestion point, and flows may have an algorithm of their own
        const std::string why = sw->Start();
        if (!why.empty())
        {
            const uint32_t node = sw->GetObject<Node>()->GetId() - m_all.Get(0)->GetId();
            const std::string least = std::to_string(LeastBuffer(*sw));
            throw RunError(m_file.nodes[node].record, "node", "start", why, {std::to_string(node), least});
        }
        run.AddStartedSwitch(sw);
    }
}

Ptr<QbbNetDevice>
LabNetwork::GetPort(const RunPort& port) const
{
    const Ptr<Node> node = m_all.Get(port.node);
    const Ptr<RdmaNic> nic = m_nics[port.node];
    return nic ? nic->GetPort(port.port) : node->GetObject<QbbSwitchBase>()->GetPort(port.port);
}

std::vector<Ptr<QbbNetDevice>>
LabNetwork::GetSwitchPorts() const
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
