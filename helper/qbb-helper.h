/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_HELPER_H
#define QBB_HELPER_H

#include "ns3/cioq-switch.h"
#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"
#include "ns3/trace-helper.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * Builds networks of QbbNetDevices: connects nodes, gives hosts an RdmaNic and
 * switches a QbbSwitch. Set attributes first; they hold for what is made later.
 *
 * EnablePcap, EnablePcapAll, EnableAscii and EnableAsciiAll are those of ns-3's device helpers, with all their forms.
 * The pcap files are RccPcap's: real bytes, nanoseconds, link type Ethernet; `promiscuous` changes nothing. They are
 * complete after Simulator::Destroy. The columns of the ASCII files: doc/traces.md.
 */
class QbbHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
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

    /// The same. \return the devices, that of `a` first
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const;

    /// The same. \param nodes two
    NetDeviceContainer Install(const NodeContainer& nodes) const;

    /**
     * Fix the random streams of hosts and switches: RdmaNic, QbbSwitch and CioqSwitch of each node in the order of the
     * container, one stream each. From then on ns-3's seed and run number count; see RccStreamUser. Before Start of
     * the switches and the first queue pair.
     * \param nodes those that are neither host nor switch use none
     * \param stream the first, not negative
     * \return the number of streams used
     */
    static int64_t AssignStreams(const NodeContainer& nodes, int64_t stream);

  private:
    void EnablePcapInternal(std::string prefix, Ptr<NetDevice> device, bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream, std::string prefix, Ptr<NetDevice> device,
                             bool explicitFilename) override;
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
