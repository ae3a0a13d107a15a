/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FAULTS_H
#define LAB_FAULTS_H

#include "run-file.h"

#include "ns3/node-container.h"
#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

class LabLinkFaults;

/**
 * Things that go wrong during a run: links, switches and hosts that fail, frames that are lost, changed, late, doubled
 * or forged. A network without it pays nothing. It lives as long as the run: links and events point to it.
 *
 *     LabFaults faults;
 *     RunFault flap;
 *     flap.kind = RunFaultKind::LINK_DOWN;
 *     flap.node = 4;
 *     flap.peer = 6;
 *     flap.at = 1000000;
 *     flap.lasts = 500000;
 *     faults.Add(flap);
 *     faults.Install(nodes, seed);
 *
 * Frames are picked by RccDraw from streams of the seed, one for each fault, link and direction: what one fault picks
 * does not depend on the others. RATE, PAUSE of a class and STOP_READING are refused while another one of the kind
 * lasts at the same place, and RATE where KeepRate leaves no time for it.
 */
class LabFaults
{
  public:
    LabFaults();
    ~LabFaults();
    LabFaults(const LabFaults&) = delete;
    LabFaults& operator=(const LabFaults&) = delete;

    /// \param fault to happen. Before Install
    void Add(const RunFault& fault)
    {
        m_faults.push_back(fault);
    }

    /// \return the faults in the order of Add
    const std::vector<RunFault>& GetFaults() const
    {
        return m_faults;
    }

    /// Set when routes follow a link that went down or came up. \param ns after it; -1: never. Before Install
    void SetRerouteTime(int64_t ns)
    {
        m_reroute = ns;
    }

    /// Choose the new routes. \param upDown those of QbbSetUpDownRoutes in place of all shortest paths
    void SetUpDownRouting(bool upDown)
    {
        m_upDown = upDown;
    }

    /// Schedule the faults. Once, when the network is complete. Throws RunError about the first that it cannot have.
    /// \param nodes hosts and switches, named by their ids \param seed of the picks
    void Install(const NodeContainer& nodes, uint64_t seed);

    /// \param fault number in the order of Add \return frames that it lost, changed, delayed or made, links that went
    /// down or up, pauses
    uint64_t GetHits(size_t fault) const
    {
        return m_hits[fault];
    }

    /// Say that something else sets the rate of a port from a time on: the end of a RATE of its link after that would
    /// set another one, and such a RATE is refused. Before Install \param port on a link \param from ns
    /// \param what sets it, one value of an error
    void KeepRate(Ptr<QbbNetDevice> port, int64_t from, const std::string& what);

    /// \return frames lost on the links of the network, in switches that restarted, and at their failed links
    uint64_t GetLostFrames() const;

    /// \return whether frames of a lossless class may be dropped: a link fails, or pauses do not come through
    bool MayDrop() const;

    /// \return kinds of which more may arrive after a pause than the headroom is for, one bit each: late or twice
    uint32_t GetCrowds() const;

    /// \return whether hosts may get CNPs that nobody has sent
    bool MayAddCnps() const;

  private:
    friend class LabLinkFaults;

    void InstallOne(size_t number);
    void InstallOnLinks(size_t number);
    void InstallOnHosts(size_t number);
    void InstallOnSwitch(size_t number);
    std::map<int64_t, size_t>& FaultsAt(const RunFault& fault, const Object* place);
    void Occupy(size_t number, const Object* place);
    bool IsTakenOver(size_t number, const Object* place);
    void CheckKept(const RunFault& fault, Ptr<QbbChannel> channel) const;
    LabLinkFaults& DisturbanceOf(Ptr<QbbChannel> channel);
    void SetLink(size_t number, Ptr<QbbChannel> channel, bool up);
    void ScheduleDown(size_t number, const std::vector<Ptr<QbbChannel>>& links);
    void SetRate(size_t number, Ptr<QbbChannel> channel, uint64_t rate);
    void Pause(size_t number, Ptr<RdmaNic> nic, int64_t until);
    void Forge(size_t number, Ptr<RdmaNic> nic, uint64_t made);
    void Restart(size_t number, Ptr<QbbSwitch> sw);
    void StopReading(size_t number, Ptr<RdmaNic> nic, bool stop);

    std::vector<RunFault> m_faults;
    std::vector<uint64_t> m_hits;
    NodeContainer m_nodes;
    std::vector<Ptr<QbbChannel>> m_channels; //!< all channels, in the order of nodes and ports
    std::map<const QbbChannel*, std::unique_ptr<LabLinkFaults>> m_disturbances; //!< looked up, never walked
    std::map<const QbbChannel*, uint32_t> m_down;                               //!< faults that hold a link down
    /// The faults that Occupy has seen, by kind, class and place: begin and number
    std::map<std::tuple<RunFaultKind, uint8_t, const Object*>, std::map<int64_t, size_t>> m_occupied;
    std::map<const Object*, std::pair<int64_t, std::string>> m_kept; //!< KeepRate's first rate of each port
    uint64_t m_seed{1};
    int64_t m_reroute{100000};
    bool m_upDown{false};
};

} // namespace ns3

#endif /* LAB_FAULTS_H */
