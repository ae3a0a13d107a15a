/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_INVARIANTS_H
#define LAB_INVARIANTS_H

#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * Checks what must hold in every network at every time, whatever the algorithm:
 *   - a switch passes on every frame that it got, dropped it, or holds it; its buffer accounts for exactly what is
 * queued;
 *   - a link delivers no more frames than were sent into it;
 *   - nothing is dropped in a lossless class;
 *   - the packets of a queue pair are in order: acknowledged <= expected by the receiver <= sent;
 *   - rates are between the least rate and the line rate, alpha is between 0 and 1;
 *   - the messages of a queue pair end in the order in which they were posted, each after its receiver has all of it;
 *   - no host receives a CNP that nobody has sent; time never runs backwards.
 *
 * It connects to trace sources, and remembers the last events of every node for the message. Networks without it pay
 * nothing. In a run of several ranks each rank checks its own nodes, and of what joins two of them its own end.
 */
class LabInvariants
{
  public:
    LabInvariants();
    ~LabInvariants();

    /// Watch a switch, from now on. \param sw started, with nothing in its buffer \param lossless its lossless classes,
    /// one bit each
    void Add(Ptr<QbbSwitch> sw, uint8_t lossless);

    /// Watch a host, from now on. \param nic before its first frame
    void Add(Ptr<RdmaNic> nic);

    /// Say what will happen on purpose. \param drops frames of lossless classes may be dropped: a link goes down, or a
    /// watchdog drops \param cnps hosts may get CNPs that nobody has sent: somebody forges or duplicates them
    void Allow(bool drops, bool cnps)
    {
        m_dropsAllowed = drops;
        m_cnpsAllowed = cnps;
    }

    /// Say of which kinds more frames may arrive after a pause than headroom is for: where some of them wait, frames of
    /// their class may be dropped. \param kinds one bit each
    void AllowCrowds(uint32_t kinds)
    {
        m_crowds = kinds;
    }

    /// Say that a host gets forged DATA, ACK or NAK, which are obeyed if their packet numbers are in flight: then what
    /// is acknowledged need not have arrived, and what has arrived need not have been sent.
    /// \param node id of the host; UINT32_MAX: each \param qp its number there
    void AllowForged(uint32_t node, uint32_t qp)
    {
        m_forged.emplace(node, qp);
    }

    /// Check switches, links and hosts. \param now ns
    void Check(int64_t now);

    /**
     * Check a queue pair.
     * \param from sender \param qp sending half that was not forgotten \param to receiver
     * \param least rate of its algorithm, bit/s \param now ns
     */
    void Check(Ptr<RdmaNic> from, uint32_t qp, Ptr<RdmaNic> to, uint64_t least, int64_t now);

    /// \return what was found so far: "at TIME, PLACE: RULE: figures", and the last events there, each on a line of its
    /// own
    const std::vector<std::string>& GetViolations() const
    {
        return m_violations;
    }

  private:
    struct Event;
    struct NodeState;
    struct PortState;
    struct NicState;

    static void Received(PortState* port, const RccFrame& frame);
    static void Dequeued(PortState* port, const RccFrame& frame);
    static void Dropped(PortState* port, const RccFrame& frame);
    static void Posted(NicState* nic, uint32_t qp, uint64_t bytes);
    static void CheckMessageEnd(NicState* nic, uint32_t qp, uint64_t bytes, int64_t ns);
    static const std::vector<std::pair<const char*, void (*)(PortState*, const RccFrame&)>>& Sources();
    template <class T> NodeState& Watch(Ptr<T> object, const char* kind);
    void Record(PortState& port, const char* what, const RccFrame& frame);
    void CheckSwitch(const NodeState& node, int64_t now);
    void CheckBuffer(const NodeState& node, const std::vector<uint64_t>& queued, int64_t now);
    void CheckLinks(int64_t now);
    void CheckCnps(int64_t now);
    bool IsCrowded(const NodeState& node, const RccFrame& dropped) const;
    bool IsForged(Ptr<RdmaNic> from, uint32_t qp) const;
    void Violated(uint32_t node, int64_t now, const std::string& what);

    std::vector<std::unique_ptr<NodeState>> m_nodes;
    std::vector<std::unique_ptr<PortState>> m_ports;
    std::map<uint32_t, NodeState*> m_nodeOf; //!< by node id
    std::map<const QbbNetDevice*, const PortState*> m_portOf;
    std::vector<std::unique_ptr<NicState>> m_nics;
    std::map<uint32_t, Ptr<RdmaNic>> m_nicOf;         //!< by node id
    std::set<std::pair<uint32_t, uint32_t>> m_forged; //!< node id and queue pair
    std::vector<std::string> m_violations;
    int64_t m_last{0};    //!< time of the last event, ns
    uint32_t m_crowds{0}; //!< kinds, one bit each
    bool m_dropsAllowed{false};
    bool m_cnpsAllowed{false};
};

} // namespace ns3

#endif /* LAB_INVARIANTS_H */
