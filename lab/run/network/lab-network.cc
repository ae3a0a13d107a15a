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

/// \return an attribute that is a whole number
uint64_t
ValueOf(const Object& object, const char* attribute)
{
    UintegerValue value;
    object.GetAttribute(attribute, value);
    return value.Get();
}

/// \return an attribute that is a text
std::string
TextOf(const Object& object, const char* attribute)
{
    StringValue value;
    object.GetAttribute(attribute, value);
    return value.Get();
}

bool
IsTrue(const Object& object, const char* attribute)
{
    BooleanValue value;
    object.GetAttribute(attribute, value);
    return value.Get();
}

/// A host can send: its attributes go together, and its bucket is not smaller than a frame, or it has no need of all
/// tokens. \param record that has set them; 0: no single one \param mtu of the run
void
CheckNic(uint32_t record, RdmaNic& nic, uint32_t mtu)
{
    const std::string why = nic.CheckAttributes();
    if (!why.empty())
    {
        throw RunError(record, "ATTRIBUTE", "nic", why);
    }
    const uint64_t bucket = ValueOf(nic, "BucketSize");
    const uint64_t frame = mtu + QbbHelper::GetMaxOverhead();
    if (bucket != 0 && bucket < frame && !IsTrue(nic, "BucketDebt"))
    {
        throw RunError(record, "default", "bucket", std::to_string(bucket), {std::to_string(frame)});
    }
}

/// A switch takes the frames of full packets. \param record of the switch \param type of it, without ns3::
/// \param setup of the run
void
CheckMaxFrame(uint32_t record, const Object& sw, const char* type, const LabSetup& setup)
{
    const auto isTagged = [](const Ptr<RccAlgorithm>& algorithm) {
        return rcc_cp_watches(algorithm->GetCore()) == RCC_CP_CN_TAGGED;
    };
    const bool tagged = std::any_of(setup.algorithms.begin(), setup.algorithms.end(), isTagged);
    const uint64_t frame = setup.mtu + ROCE_OVERHEAD + (tagged ? CN_TAG_BYTES : 0);
    const uint64_t most = ValueOf(sw, "MaxFrame");
    if (most != 0 && most < frame)
    {
        throw RunError(record, "ATTRIBUTE", "max-frame", std::to_string(most), {std::to_string(frame), type});
    }
}

/// \return the bytes that a switch reserves for its ports: a frame and the headroom of each lossless class
uint64_t
LeastBuffer(const QbbSwitch& sw)
{
    const auto frame = static_cast<uint32_t>(ValueOf(sw, "MaxFrame"));
    const auto lossless = static_cast<uint64_t>(__builtin_popcountll(ValueOf(sw, "LosslessClasses")));
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < sw.GetNPorts(); i++)
    {
        const Ptr<QbbNetDevice> port = sw.GetPort(i);
        const uint64_t rate = port->GetDataRate().GetBitRate();
        const int64_t delay = DynamicCast<QbbChannel>(port->GetChannel())->GetDelayNs();
        const double bits = static_cast<double>(rate) / 1e9 * static_cast<double>(delay);
        const double delays = bits / 8 * static_cast<double>(ValueOf(sw, "HeadroomDelays"));
        bytes += frame + lossless * std::max(rcc_mmu_headroom(rate, delay, frame), static_cast<uint64_t>(delays));
    }
    return bytes;
}

} // namespace

LabNetwork::LabNetwork(const RunFile& file, LabRun& run) : m_file(file)
{
    CheckNic(0, *CreateObject<RdmaNic>(), run.GetSetup().mtu);
    CheckDatagrams();
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

/// Nobody acknowledges datagrams: their flows have neither an end nor a window.
void
LabNetwork::CheckDatagrams() const
{
    if (IsTrue(*CreateObject<RdmaNic>(), "Reliable"))
    {
        return;
    }
    const auto check = [](const RunRecord& flow, uint64_t size, bool window) {
        if (size != 0 || window)
        {
            throw RunError(flow.record, size != 0 ? "SIZE" : "WINDOW", "datagrams", "");
        }
    };
    for (const auto& f : m_file.flows)
    {
        check(f, f.size, f.window > 0);
    }
    for (const auto& f : m_file.arrivals)
    {
        check(f, f.size, f.window > 0 || f.rule != RunWindow::NUMBER);
    }
    check(m_file.random, m_file.random.gap, false); // random flows have sizes
    check(m_file.incasts, m_file.incasts.gap, false);
    check(m_file.collective, m_file.collective.exists, false);
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
    std::map<uint32_t, uint32_t> changed; // record of the last attribute by host
    for (const auto& a : m_file.nodeAttributes)
    {
        if (a.at == 0)
        {
            SetAttributeOf(m_all.Get(a.node), a);
            changed[a.node] = a.record;
        }
        else
        {
            Simulator::Schedule(NanoSeconds(a.at), &SetAttributeOf, m_all.Get(a.node), a);
        }
    }
    for (const auto& one : changed)
    {
        if (m_nics[one.first])
        {
            CheckNic(one.second, *m_nics[one.first], m_nics[one.first]->GetMtu());
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
                                  RccStreamOf(m_file.seed, RccStream::LINK_ERROR, i));
        }
    }
    if (!m_file.arrivals.empty() || m_file.linkDown.at >= 0)
    {
        m_paths.reset(new LabPaths(m_all, m_file.links, run.GetSetup().mtu));
    }
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
    QbbRouteError error;
    if (!QbbSetRoutes(m_all, false, &error).empty())
    {
        const auto numberOf = [this](uint32_t id) { return std::to_string(id - m_all.Get(0)->GetId()); };
        const bool paired = error.from != QbbRouteError::NONE;
        throw RunError(0, "link", "path", numberOf(error.node),
                       paired ? std::vector<std::string>{numberOf(error.from)} : std::vector<std::string>{});
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
        StartCioqSwitch(run);
    }
    for (const auto& sw : m_switches)
    {
        if (ValueOf(*sw, "LosslessClasses"))
        {
            CheckMaxFrame(RecordOf(*sw), *sw, "QbbSwitch", run.GetSetup());
        }
        sw->AllowUnmarked(); // classes that drop have no congestion point, and flows may have an algorithm of their own
        const std::string why = sw->Start();
        if (!why.empty())
        {
            const uint32_t node = sw->GetObject<Node>()->GetId() - m_all.Get(0)->GetId();
            throw RunError(RecordOf(*sw), "node", "start", why,
                           {std::to_string(node), std::to_string(LeastBuffer(*sw))});
        }
        run.AddStartedSwitch(sw);
    }
}

void
LabNetwork::StartCioqSwitch(LabRun& run)
{
    const uint32_t record = RecordOf(*m_cioq);
    CheckMaxFrame(record, *m_cioq, "CioqSwitch", run.GetSetup());
    m_cioq->SetAlgorithm(run.GetSetup().algorithm);
    if (m_cioq->LacksSampling())
    {
        throw RunError(record, "ATTRIBUTE", "no-sampling", TextOf(*m_cioq, "Sampling"));
    }
    if (m_cioq->LacksNotifier())
    {
        throw RunError(record, "ATTRIBUTE", "no-notifier", TextOf(*m_cioq, "CongestionPoints"),
                       {run.GetSetup().algorithm->GetCore()->name});
    }
    run.AddSwitch(m_cioq);
}

uint32_t
LabNetwork::RecordOf(const QbbSwitchBase& sw) const
{
    return m_file.nodes[sw.GetObject<Node>()->GetId() - m_all.Get(0)->GetId()].record;
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
