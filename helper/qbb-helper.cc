/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-helper.h"

#include "ns3/abort.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/rcc-wire.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

/// An object of a factory, or a copy of the first one.
template <class T>
Ptr<T>
MakeOne(const ObjectFactory& factory, Ptr<T>& first, bool copies)
{
    if (!copies)
    {
        return factory.Create<T>();
    }
    if (!first)
    {
        first = factory.Create<T>();
    }
    return CopyObject(first);
}

/// Return the attributes that keep their defaults, with the types that declare them.
std::vector<std::pair<TypeId, std::string>>&
GetKeptDefaults()
{
    static std::vector<std::pair<TypeId, std::string>> kept;
    return kept;
}

/// A node is a host or a switch, once.
void
CheckNode(Ptr<Node> node)
{
    NS_ABORT_MSG_IF(node->GetObject<RdmaNic>() || node->GetObject<QbbSwitchBase>(),
                    "QbbHelper: node " << node->GetId() << " has an RdmaNic or a switch already");
}

} // namespace

QbbHelper::QbbHelper()
{
    m_device.SetTypeId("ns3::QbbNetDevice");
    m_channel.SetTypeId("ns3::QbbChannel");
    m_switch.SetTypeId("ns3::QbbSwitch");
    m_cioqSwitch.SetTypeId("ns3::CioqSwitch");
    m_nic.SetTypeId("ns3::RdmaNic");
}

void
QbbHelper::SetDataClasses(const std::vector<uint8_t>& classes)
{
    uint32_t data = classes.empty() ? 1u << QBB_RDMA_CLASS : 0;
    for (uint8_t cls : classes)
    {
        data |= 1u << cls;
    }
    uint32_t control = QBB_CLASSES - 1;
    while (data != UINT8_MAX && data >> control & 1u)
    {
        control--;
    }
    SetDeviceAttribute("ControlClass", UintegerValue(control));
    SetNicAttribute("ControlClass", UintegerValue(control));
    SetNicAttribute("LosslessClasses", UintegerValue(data));
    SetSwitchAttribute("ControlClass", UintegerValue(control));
    SetSwitchAttribute("LosslessClasses", UintegerValue(data));
}

void
QbbHelper::Keep(TypeId tid, const std::string& name)
{
    GetKeptDefaults().emplace_back(tid, name);
}

void
QbbHelper::Set(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    const TypeId made = factory.GetTypeId();
    for (const auto& kept : GetKeptDefaults())
    {
        if (name == kept.second && (made == kept.first || made.IsChildOf(kept.first)))
        {
            return;
        }
    }
    factory.Set(name, value);
}

Ptr<RdmaNic>
QbbHelper::InstallHost(Ptr<Node> node) const
{
    CheckNode(node);
    Ptr<RdmaNic> nic = MakeOne(m_nic, m_firstNic, m_copies);
    if (m_seeded)
    {
        nic->SetSeed(m_seed);
    }
    node->AggregateObject(nic);
    return nic;
}

Ptr<QbbSwitch>
QbbHelper::InstallSwitch(Ptr<Node> node) const
{
    CheckNode(node);
    Ptr<QbbSwitch> sw = m_switch.Create<QbbSwitch>();
    if (m_seeded)
    {
        sw->SetSeed(m_seed);
    }
    node->AggregateObject(sw);
    return sw;
}

Ptr<CioqSwitch>
QbbHelper::InstallCioqSwitch(Ptr<Node> node) const
{
    CheckNode(node);
    Ptr<CioqSwitch> sw = m_cioqSwitch.Create<CioqSwitch>();
    if (m_seeded)
    {
        sw->SetSeed(m_seed);
    }
    node->AggregateObject(sw);
    return sw;
}

Ptr<QbbNetDevice>
QbbHelper::InstallDevice(Ptr<Node> node, Ptr<QbbChannel> channel) const
{
    Ptr<QbbNetDevice> device = MakeOne(m_device, m_firstDevice, m_copies);
    node->AddDevice(device);
    device->AttachChannel(channel);
    Ptr<QbbSwitchBase> sw = node->GetObject<QbbSwitchBase>();
    Ptr<RdmaNic> nic = node->GetObject<RdmaNic>();
    NS_ABORT_MSG_IF(!sw && !nic, "QbbHelper: node " << node->GetId() << " is neither host nor switch");
    device->SetAddress(RccWire::MacOf(node->GetId(), sw ? sw->AddPort(device) : nic->AddPort(device)));
    if (!sw)
    {
        device->AggregateObject(CreateObject<NetDeviceQueueInterface>()); // queue discs may wait for the port
    }
    return device;
}

Ptr<QbbChannel>
QbbHelper::Connect(Ptr<Node> a, Ptr<Node> b) const
{
    Ptr<QbbChannel> channel = m_channel.Create<QbbChannel>();
    InstallDevice(a, channel);
    InstallDevice(b, channel);
    return channel;
}

NetDeviceContainer
QbbHelper::Install(Ptr<Node> a, Ptr<Node> b) const
{
    Ptr<QbbChannel> channel = Connect(a, b);
    NetDeviceContainer devices;
    devices.Add(channel->GetDevice(0));
    devices.Add(channel->GetDevice(1));
    return devices;
}

NetDeviceContainer
QbbHelper::Install(const NodeContainer& nodes) const
{
    NS_ABORT_MSG_IF(nodes.GetN() != 2, "QbbHelper::Install: a link has two ends, not " << nodes.GetN());
    return Install(nodes.Get(0), nodes.Get(1));
}

uint32_t
QbbHelper::GetMaxOverhead()
{
    return CreateObject<RdmaNic>()->GetMaxOverhead() + CreateObject<QbbNetDevice>()->GetVlanBytes();
}

int64_t
QbbHelper::AssignStreams(const NodeContainer& nodes, int64_t stream)
{
    const int64_t first = stream;
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        if (Ptr<RdmaNic> nic = (*i)->GetObject<RdmaNic>())
        {
            stream += nic->AssignStreams(stream);
        }
        if (Ptr<QbbSwitchBase> sw = (*i)->GetObject<QbbSwitchBase>())
        {
            stream += sw->AssignStreams(stream);
        }
    }
    return stream - first;
}

QbbStar
QbbStar::Create(const QbbHelper& helper, uint32_t nHosts)
{
    return Create(helper, nHosts, helper);
}

QbbStar
QbbStar::Create(const QbbHelper& helper, uint32_t nHosts, const QbbHelper& last)
{
    QbbStar star;
    star.hosts.Create(nHosts);
    star.switchNode = CreateObject<Node>();
    star.sw = helper.InstallSwitch(star.switchNode);
    for (uint32_t i = 0; i < nHosts; i++)
    {
        const QbbHelper& h = i + 1 < nHosts ? helper : last;
        star.nics.push_back(h.InstallHost(star.hosts.Get(i)));
        h.Connect(star.hosts.Get(i), star.switchNode);
        star.sw->SetRoute(star.hosts.Get(i)->GetId(), {i});
    }
    return star;
}

} // namespace ns3
