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
 * switches a QbbSwitch. An attribute holds for objects that are made after it was set.
 *
 * EnablePcap, EnablePcapAll, EnableAscii and EnableAsciiAll work as in ns-3's device helpers, in all their forms.
 * The pcap files contain real bytes and times in ns; their link type is Ethernet; `promiscuous` has no effect. They are
 * complete after Simulator::Destroy. doc/traces.md describes the columns of the ASCII files.
 */
class QbbHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    QbbHelper();

    /**
     * Set an attribute of the devices made from now on. Aborts if QbbNetDevice has no such attribute.
     * \param name of the attribute
     * \param value of the attribute
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value)
    {
        Set(m_device, name, value);
        m_firstDevice = nullptr;
    }

    /**
     * Set an attribute of the channels made from now on. Aborts if QbbChannel has no such attribute.
     * \param name of the attribute
     * \param value of the attribute
     */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value)
    {
        Set(m_channel, name, value);
    }

    /**
     * Set an attribute of the shared-buffer switches made from now on. Aborts if QbbSwitch has no such attribute.
     * \param name of the attribute
     * \param value of the attribute
     */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value)
    {
        Set(m_switch, name, value);
    }

    /**
     * Set an attribute of the CIOQ switches made from now on. Aborts if CioqSwitch has no such attribute.
     * \param name of the attribute
     * \param value of the attribute
     */
    void SetCioqSwitchAttribute(const std::string& name, const AttributeValue& value)
    {
        Set(m_cioqSwitch, name, value);
    }

    /**
     * Set an attribute of the hosts' NICs made from now on. Aborts if RdmaNic has no such attribute.
     * \param name of the attribute
     * \param value of the attribute
     */
    void SetNicAttribute(const std::string& name, const AttributeValue& value)
    {
        Set(m_nic, name, value);
        m_firstNic = nullptr;
    }

    /**
     * Make classes of data lossless, and the highest other one the control class, in all that is made from now on.
     * \param classes 0 to 7; none: QBB_RDMA_CLASS. If there is no other class, class 7 is the control class too
     */
    void SetDataClasses(const std::vector<uint8_t>& classes);

    /**
     * Have an attribute keep its default in all that helpers make from now on: their Set...Attribute passes it over.
     * So what a user gives to Config::SetDefault holds whatever a program sets.
     * \param tid type that declares the attribute
     * \param name of the attribute
     */
    static void Keep(TypeId tid, const std::string& name);

    /**
     * Make devices and NICs as copies of the first one from now on, which is several times as fast: for a helper that
     * makes one large network. Defaults of attributes that change later (Config::SetDefault) do not count for it.
     */
    void MakeCopies()
    {
        m_copies = true;
    }

    /// Let all random draws of the NICs and switches made from now on follow from a seed instead of ns-3's seed and
    /// run. \param seed any number
    void SetSeed(uint64_t seed)
    {
        m_seed = seed;
        m_seeded = true;
    }

    /// Make a node a host. \param node without RdmaNic and switch \return its NIC
    Ptr<RdmaNic> InstallHost(Ptr<Node> node) const;

    /**
     * Make a node a switch with a shared buffer. The caller sets routes and congestion points and calls Start.
     * \param node without RdmaNic and switch
     * \return its switch
     */
    Ptr<QbbSwitch> InstallSwitch(Ptr<Node> node) const;

    /**
     * Make a node a combined input/output-queued switch. The caller sets routes and algorithm and calls Start.
     * \param node without RdmaNic and switch
     * \return its switch
     */
    Ptr<CioqSwitch> InstallCioqSwitch(Ptr<Node> node) const;

    /**
     * Connect two nodes with a link. Aborts if one of them is neither host nor switch.
     * \param a host or switch
     * \param b host or switch
     * \return the channel; its device 0 is that of `a`
     */
    Ptr<QbbChannel> Connect(Ptr<Node> a, Ptr<Node> b) const;

    /// As Connect. \param a host or switch \param b host or switch \return the devices, that of `a` first
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const;

    /// As the other Install. \param nodes two hosts or switches; aborts otherwise \return the devices, in their order
    NetDeviceContainer Install(const NodeContainer& nodes) const;

    /**
     * \return bytes around the payload of the largest packet that devices with their default attributes send, without
     *         telemetry: headers, CN-TAG, 802.1Q tag, RETH. Start of a QbbSwitch adds that of its congestion points
     */
    static uint32_t GetMaxOverhead();

    /**
     * Fix the random streams of hosts and switches: one stream for each RdmaNic, QbbSwitch and CioqSwitch, in the order
     * of the nodes. From then on draws do not depend on node ids; see RccStreamUser. To be called before the first
     * packet. \param nodes hosts and switches; other nodes use no stream \param stream the first stream, not negative
     * \return the number of streams used
     */
    static int64_t AssignStreams(const NodeContainer& nodes, int64_t stream);

  private:
    void EnablePcapInternal(std::string prefix, Ptr<NetDevice> device, bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream, std::string prefix, Ptr<NetDevice> device,
                             bool explicitFilename) override;
    Ptr<QbbNetDevice> InstallDevice(Ptr<Node> node, Ptr<QbbChannel> channel) const;
    static void Set(ObjectFactory& factory, const std::string& name, const AttributeValue& value);

    ObjectFactory m_device, m_channel, m_switch, m_cioqSwitch, m_nic;
    uint64_t m_seed{1};
    bool m_seeded{false}; //!< SetSeed was called
    bool m_copies{false};
    mutable Ptr<QbbNetDevice> m_firstDevice; //!< the device that is copied; it is on no node
    mutable Ptr<RdmaNic> m_firstNic;         //!< the NIC that is copied; it is on no node
};

/// A network of hosts around one switch with a shared buffer; host i is on port i.
struct QbbStar
{
    NodeContainer hosts;            //!< nodes of the hosts
    Ptr<Node> switchNode;           //!< node of the switch
    Ptr<QbbSwitch> sw;              //!< the switch
    std::vector<Ptr<RdmaNic>> nics; //!< by host

    /**
     * Make the network with its routes. The caller adds congestion points and calls sw->Start.
     * \param helper makes nodes and links
     * \param nHosts number of hosts, at least 1
     * \return the network
     */
    static QbbStar Create(const QbbHelper& helper, uint32_t nHosts);

    /**
     * As the other Create, with another helper for the last host and its link.
     * \param helper makes the switch, and all hosts and links but the last
     * \param nHosts number of hosts, at least 1
     * \param last makes the last host and its link
     * \return the network
     */
    static QbbStar Create(const QbbHelper& helper, uint32_t nHosts, const QbbHelper& last);
};

} // namespace ns3

#endif /* QBB_HELPER_H */
