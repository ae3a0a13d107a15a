/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef QBB_HELPER_H
#define QBB_HELPER_H

#include "ns3/cioq-switch.h"
#include "ns3/data-rate.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * Builds networks of QbbNetDevices: connects nodes, gives hosts an RdmaNic and
 * switches a QbbSwitch. Set attributes first; they hold for what is made later.
 */
class QbbHelper
{
  public:
    QbbHelper();

    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);
    void SetCioqSwitchAttribute(const std::string& name, const AttributeValue& value);
    void SetNicAttribute(const std::string& name, const AttributeValue& value);

    /// Seed of everything random in what is made.
    void SetSeed(uint64_t seed);

    /// Make a node a host.
    Ptr<RdmaNic> InstallHost(Ptr<Node> node) const;
    /// Make a node a switch. Routes, markers and Start are left to the caller.
    Ptr<QbbSwitch> InstallSwitch(Ptr<Node> node) const;

    /// Make a node a combined input/output-queued switch. Routes, algorithm and Start are left to the caller.
    Ptr<CioqSwitch> InstallCioqSwitch(Ptr<Node> node) const;

    /// Connect two nodes, each a host or a switch already.
    Ptr<QbbChannel> Connect(Ptr<Node> a, Ptr<Node> b) const;

  private:
    Ptr<QbbNetDevice> InstallDevice(Ptr<Node> node, Ptr<QbbChannel> channel) const;

    ObjectFactory m_device, m_channel, m_switch, m_cioqSwitch, m_nic;
    uint64_t m_seed{1};
};

/// Hosts around one switch; host i is on port i.
struct QbbStar
{
    NodeContainer hosts;
    Ptr<Node> switchNode;
    Ptr<QbbSwitch> sw;
    std::vector<Ptr<RdmaNic>> nics;

    /// Build with a helper; routes are set, markers and Start are left to the caller.
    static QbbStar Create(const QbbHelper& helper, uint32_t nHosts);
    /// The same, with another helper for the last host and its link.
    static QbbStar Create(const QbbHelper& helper, uint32_t nHosts, const QbbHelper& last);
};

} // namespace ns3

#endif /* QBB_HELPER_H */
