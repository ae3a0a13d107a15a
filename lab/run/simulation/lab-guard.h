/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_GUARD_H
#define LAB_GUARD_H

#include "lab-flow-set.h"
#include "lab-json.h"
#include "run-warning.h"

#include "lab-faults.h"
#include "lab-invariants.h"
#include "ns3/rcc-gateway.h"
#include "qbb-pause-watchdog.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// Looks for what holds a run up: cyclic buffer dependencies before it, deadlocks and pause storms during it, flows
/// that cannot end after it.
class LabGuard
{
  public:
    /// The end of a flow.
    enum class Fate
    {
        ENDED,
        RUNNING,
        NOT_STARTED,
        PAUSED,        //!< a queue or port on its way is stuck behind a pause
        NO_ROUTE,      //!< a switch on its way has no route, or its link is down
        NO_ROUTE_BACK, //!< no route for the flow's answers
        RETRY_LIMIT,   //!< the flow's queue pair has failed
        STOPPED        //!< at the flow's own stop time
    };

    /// \param guard what to do \param algorithm of flows without their own \param flows outlive this
    LabGuard(const RunGuard& guard, const LabFlowSet& flows);

    /// Tell what will go wrong, of which some breaks invariants. Before Begin. \param faults outlive this
    void SetFaults(const LabFaults& faults)
    {
        m_dropsAllowed = faults.MayDrop();
        m_cnpsAllowed = faults.MayAddCnps();
        if (m_invariants)
        {
            m_invariants->AllowCrowds(faults.GetCrowds());
        }
        const uint32_t PACKETS = 1u << static_cast<uint32_t>(RccFrameKind::DATA) |
                                 1u << static_cast<uint32_t>(RccFrameKind::ACK) |
                                 1u << static_cast<uint32_t>(RccFrameKind::NAK);
        for (const auto& f : faults.GetFaults())
        {
            if (m_invariants && f.kind == RunFaultKind::FORGE && (f.frames & PACKETS))
            {
                m_invariants->AllowForged(f.node, f.qp);
            }
        }
    }

    /**
     * The network and the flows are complete.
     * \param switches those of the network \param lossless whether they use PFC
     * \return warnings: one for each cycle of buffer dependencies
     */
    std::vector<RunWarning> Begin(const std::vector<Ptr<QbbSwitch>>& switches, bool lossless);

    /// Look at all ports; to be called again and again. \param now ns \return warnings
    std::vector<RunWarning> Check(int64_t now);

    /// Look once more, when the run is over. \param now ns \return warnings
    std::vector<RunWarning> End(int64_t now);

    /// \return whether a deadlock goes on and the run should not
    bool MustStop() const
    {
        return m_stops && m_watchdog.IsDeadlocked();
    }

    /// \return what became of a flow until the last check
    Fate GetFate(const LabFlowSet::Flow& flow) const;

    /// In one of several ranks, after the run: what became of a flow its sender's rank knows.
    void Gather(RccGateway& ranks);

    /// \return what the invariants' check has found
    std::vector<std::string> GetViolations() const;

    /// \param endless those without an end; false: the others \return flows by what became of them until the last check
    std::map<Fate, uint64_t> CountFates(bool endless) const;

    /// Add "deadlocks", "storms", "unfinished" and "endless", each only if there is one. \param json run.json
    void AddResults(LabJson& json) const;

  private:
    /// A port of a host.
    struct HostPort
    {
        Ptr<QbbNetDevice> port;
        int64_t paused; //!< ns until the last check; -1: it was not paused then
        int64_t since;  //!< paused from then on without a break; -1: it is not
    };

    void BeginInvariants(const std::vector<Ptr<QbbSwitch>>& switches);
    std::vector<RunWarning> Report(int64_t now);
    bool IsStuck(int64_t ns) const;
    Fate FollowPath(Ptr<QbbNetDevice> port, uint32_t dst, const RdmaSendQp& qp) const;
    void CheckInvariants(int64_t now);
    uint64_t GetLeastRate(const LabFlowSet::Flow& flow) const;
    static LabJson Reasons(std::map<Fate, uint64_t> count);

    const LabFlowSet& m_flows;
    std::vector<Ptr<QbbSwitch>> m_switches; //!< that the watchdog has
    QbbPauseWatchdog m_watchdog;
    std::unique_ptr<LabInvariants> m_invariants; //!< null unless they are checked
    std::vector<HostPort> m_hostPorts;
    std::map<const QbbNetDevice*, size_t> m_hosts; //!< index in m_hostPorts
    int64_t m_last{0};                             //!< time of the last check, ns
    int64_t m_patience{0};                         //!< ns for which a port that counts as stuck is stuck
    size_t m_deadlocks{0};                         //!< that were reported
    size_t m_storms{0};                            //!< that were reported
    int64_t m_stormTime{0};
    std::vector<uint64_t> m_fates; //!< by flow, of all ranks; empty in one rank
    bool m_stops, m_drops;
    bool m_dropsAllowed{false}; //!< drops of lossless classes are allowed
    bool m_cnpsAllowed{false};  //!< that nobody has sent
};

} // namespace ns3

#endif /* LAB_GUARD_H */
