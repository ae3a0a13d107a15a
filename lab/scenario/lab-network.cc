/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-network.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/lab-text.h"
#include "ns3/qbb-routing.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

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

} // namespace

LabNetwork::LabNetwork(const LabOptions& options, LabExperiment& experiment, LabRun& run)
    : m_options(options),
      m_names(experiment.nodes)
{
    QbbHelper& helper = run.GetHelper();
    const UintegerValue lossless(MaskOf(GetClasses(options, "lossless")));
    helper.SetSwitchAttribute("LosslessClasses", lossless);
    helper.SetNicAttribute("LosslessClasses", options.GetFlag("lossy") ? UintegerValue(0) : lossless);
    if (options.GetFlag("lossy"))
    {
        run.SetLossy("--lossy");
    }
    SetNics(helper);
    SetRules(helper);
    QbbHelper copies = helper;
    copies.MakeCopies();
    for (const auto& name : experiment.nodes)
    {
        MakeNode(run, copies, name);
    }
    m_byName.resize(m_names.size());
    std::iota(m_byName.begin(), m_byName.end(), 0);
    std::sort(m_byName.begin(), m_byName.end(), [this](uint32_t a, uint32_t b) { return m_names[a] < m_names[b]; });
    for (const auto& links : experiment.links)
    {
        AddLinks(run, links);
    }
    m_helpers.clear();
    std::vector<LabExperiment::Links>().swap(experiment.links); // before the routes of tens of thousands need memory
    SetRoutes();
    for (const auto& item : options.GetList("police"))
    {
        AddPolicer(item);
    }
    if (options.GetFlag("scale-thresholds"))
    {
        ScaleThresholds(*run.GetAlgorithm());
    }
    StartSwitches(run);
}

void
LabNetwork::SetRoutes()
{
    if (!m_cioq)
    {
        std::vector<std::string> words = LabSplit(QbbSetRoutes(m_all), ' '); // which knows no names
        for (size_t i = 1; i < words.size(); i++)
        {
            if (words[i - 1] == "node" || words[i - 1] == "switch")
            {
                const bool colon = words[i].back() == ':';
                words[i] = m_names[std::stoul(words[i]) - m_all.Get(0)->GetId()] + (colon ? ":" : "");
            }
        }
        const std::string wrong = RccJoin(words, " ");
        LabOptions::FailIf(wrong.empty() ? "" : "links: " + wrong + ", expected a path between any two hosts");
        return;
    }
    for (uint32_t p = 0; p < m_cioq->GetNPorts(); p++)
    {
        m_cioq->SetRoute(QbbGetNeighbour(*m_cioq->GetPort(p))->GetId(), p);
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
        for (uint8_t cls : GetClasses(m_options, "lossless"))
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
LabNetwork::AddPolicer(const std::string& item)
{
    std::vector<std::string> part = LabSplit(item, ':');
    const size_t at = part.empty() ? std::string::npos : part[0].find('>');
    LabOptions::FailItemIf(at == std::string::npos || part.size() < 2 || part.size() > 3, "police", item,
                           "SWITCH>NODE:RATE[:BURST]");
    part.resize(3, "128KB");
    const int64_t rate =
        LabOptions::ParseField("police", item, part[1], RCC_UNIT_BPS, RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX);
    const int64_t burst = LabOptions::ParseField("police", item, part[2], RCC_UNIT_BYTES, 1, RCC_POLICER_BURST_MAX);
    for (const auto& port : GetPorts("police", part[0].substr(0, at), part[0].substr(at + 1)))
    {
        LabOptions::FailItemIf(!port.sw, "police", item, "no --cioq beside it");
        LabOptions::FailItemIf(!m_policed.insert(port.name).second, "police", item, "each port once");
        port.sw->SetPolicer(port.index, DataRate(static_cast<uint64_t>(rate)), static_cast<uint32_t>(burst));
    }
}

void
LabNetwork::ScaleThresholds(RccAlgorithm& algorithm) const
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
                LabOptions::FailIf(algorithm.SetParameterAt(rate, name, bytes));
            }
        }
    }
}

/// What the options say of NICs and of DSCPs.
void
LabNetwork::SetNics(QbbHelper& helper) const
{
    const int64_t frame = m_options.Get("mtu") + QbbHelper::GetMaxOverhead();
    const auto bucket = static_cast<int64_t>(LabAttributes::GetDefault("RdmaNic", "BucketSize"));
    BooleanValue debt; // then a frame leaves before all its tokens are there
    CreateObject<RdmaNic>()->GetAttribute("BucketDebt", debt);
    const std::string size = std::to_string(bucket); // of --attr, or of what makes the scenario
    const bool given = m_options.GetAttributes().Find("RdmaNic.BucketSize");
    const std::string found = given ? "--attr has 'RdmaNic.BucketSize=" + size + "'" : "RdmaNic.BucketSize is " + size;
    const bool wrong = bucket != 0 && bucket < frame && !debt.Get();
    LabOptions::FailIf(wrong ? found + ", expected 0 or at least a frame of " + std::to_string(frame) +
                                   " bytes, or RdmaNic.BucketDebt=true"
                             : "");
    LabExperiment::GetDscpMap(m_options);
    const StringValue map(RccJoin(m_options.GetList("dscp-map"), ","));
    helper.SetNicAttribute("DscpMap", map);
    helper.SetSwitchAttribute("DscpMap", map);
}

/// What the options say of the classes of all ports.
void
LabNetwork::SetRules(QbbHelper& helper) const
{
    helper.SetDeviceAttribute("StrictClasses", UintegerValue(MaskOf(GetClasses(m_options, "strict"))));
}

std::vector<uint8_t>
LabNetwork::GetClasses(const LabOptions& options, const std::string& option)
{
    std::vector<uint8_t> classes;
    for (const auto& item : options.GetList(option))
    {
        const auto cls = LabOptions::ParseField<uint8_t>(option, item, item, RCC_UNIT_COUNT, 0, QBB_CLASSES - 1);
        const bool twice = std::find(classes.begin(), classes.end(), cls) != classes.end();
        LabOptions::FailItemIf(twice, option, item, "each class once"); // two congestion points would mark twice
        classes.push_back(cls);
    }
    return classes;
}

void
LabNetwork::MakeNode(LabRun& run, const QbbHelper& copies, const std::string& name)
{
    Ptr<Node> node = CreateObject<Node>();
    m_all.Add(node);
    if (LabIsHost(name))
    {
        m_hosts.push_back(copies.InstallHost(node));
    }
    else if (m_options.GetFlag("cioq"))
    {
        m_options.FailValueIf(m_cioq != nullptr, "links", "one switch with --cioq");
        const Ptr<RccAlgorithm> algorithm = run.GetAlgorithm();
        if (algorithm->HasParameter("sample_base"))
        {
            const auto base = static_cast<uint64_t>(algorithm->GetParameter("sample_base"));
            run.GetHelper().SetCioqSwitchAttribute("KeepAliveBytes", UintegerValue(base));
        }
        m_cioq = run.GetHelper().InstallCioqSwitch(node);
    }
    else
    {
        m_switches.push_back(run.GetHelper().InstallSwitch(node));
    }
}

void
LabNetwork::AddLinks(LabRun& run, const LabExperiment::Links& links)
{
    const auto made = m_helpers.emplace(std::make_pair(links.rate, links.delay), run.GetHelper());
    QbbHelper& helper = made.first->second;
    if (made.second)
    {
        helper.MakeCopies();
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(links.rate))));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(links.delay)));
    }
    for (const auto& pair : links.pairs)
    {
        Ptr<Node> a = FindNode(pair.first);
        Ptr<Node> b = FindNode(pair.second);
        for (uint64_t i = 0; i < links.parallel; i++)
        {
            helper.Connect(a, b);
        }
    }
}

/// \return null: there is none of this name
Ptr<Node>
LabNetwork::FindNode(const std::string& name) const
{
    const auto found = std::lower_bound(m_byName.begin(), m_byName.end(), name,
                                        [this](uint32_t i, const std::string& n) { return m_names[i] < n; });
    return found != m_byName.end() && m_names[*found] == name ? m_all.Get(*found) : nullptr;
}

const std::string&
LabNetwork::GetNeighbour(const std::string& host) const
{
    return NameOf(QbbGetNeighbour(*GetNic("links", host)->GetPort(0)));
}

Ptr<RdmaNic>
LabNetwork::GetNic(const std::string& option, const std::string& name) const
{
    const Ptr<Node> node = FindNode(name);
    const Ptr<RdmaNic> nic = node ? node->GetObject<RdmaNic>() : nullptr;
    LabOptions::FailIf(nic ? "" : "--" + option + " names '" + name + "', expected a host of --links");
    return nic;
}

std::vector<LabNetwork::Port>
LabNetwork::GetPorts(const std::string& option, const std::string& from, const std::string& to) const
{
    std::vector<Port> ports;
    const Ptr<Node> a = FindNode(from);
    const Ptr<Node> b = FindNode(to);
    const bool known = a && b && !LabIsHost(from);
    // from the end with fewer ports: each of thousands of hosts may ask for the port to it
    const bool there = known && b->GetNDevices() < a->GetNDevices();
    const Ptr<Node> end = known ? (there ? b : a) : nullptr;
    for (uint32_t d = 0; end && d < end->GetNDevices(); d++)
    {
        const auto near = DynamicCast<QbbNetDevice>(end->GetDevice(d));
        const auto channel = near ? DynamicCast<QbbChannel>(near->GetChannel()) : nullptr;
        const Ptr<QbbNetDevice> far = channel ? channel->GetPeer(PeekPointer(near)) : nullptr;
        const Ptr<QbbNetDevice> own = there ? far : near;
        const Ptr<QbbNetDevice> other = there ? near : far;
        if (own && other && own->GetNode() == a && other->GetNode() == b)
        {
            const std::string number = ports.empty() ? "" : "#" + std::to_string(ports.size() + 1);
            ports.push_back(Port{from + ">" + to + number, own, a->GetObject<QbbSwitch>(), own->GetPortNumber()});
        }
    }
    if (ports.empty())
    {
        LabOptions::Fail("--" + option + " names '" + from + ">" + to +
                         "', expected a switch and a neighbour of --links");
    }
    return ports;
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
