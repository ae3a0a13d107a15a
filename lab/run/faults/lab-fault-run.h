/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FAULT_RUN_H
#define LAB_FAULT_RUN_H

#include "lab-json.h"
#include "run-file.h"
#include "run-warning.h"

#include "lab-faults.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// The faults of a run, and how it gets over them.
class LabFaultRun
{
  public:
    /// \param file of the run
    explicit LabFaultRun(const RunFile& file);

    /// \return whether there is a fault
    bool IsAny() const
    {
        return !m_faults.GetFaults().empty();
    }

    /// \copydoc LabFaults::KeepRate
    void KeepRate(Ptr<QbbNetDevice> port, int64_t from, const std::string& what)
    {
        m_faults.KeepRate(port, from, what);
    }

    /**
     * Schedule the faults on all nodes there are. Throws RunError if the network cannot have one.
     * \param seed of the run
     * \param stop when the run ends at the latest, ns
     * \param delivered returns the bytes that all hosts together have got until now
     */
    void Install(uint64_t seed, int64_t stop, const std::function<uint64_t()>& delivered);

    /// \param end of a run, ns \param before ns
    /// \return a warning of the first fault from `end` on and before `before`, if there is one: it never happens
    std::vector<RunWarning> WarnOfNever(int64_t end, int64_t before) const;

    /// \return the faults
    const LabFaults& GetFaults() const
    {
        return m_faults;
    }

    /// Add "faults", a list: fault, place, rate_bps of a rate, time_s, for_s, hits, recovery_s; and icrc_errors and
    /// frames_rejected. \param json run.json \param nics of the run
    void AddResults(LabJson& json, const std::vector<Ptr<RdmaNic>>& nics) const;

  private:
    void Sample();
    int64_t FindRecovery(const RunFault& fault) const;
    double RateBetween(size_t from, size_t to) const;

    LabFaults m_faults;
    std::function<uint64_t()> m_delivered;
    int64_t m_step{0};                                   //!< ns between samples
    std::vector<std::pair<int64_t, uint64_t>> m_samples; //!< time, ns, and bytes delivered until then
};

} // namespace ns3

#endif /* LAB_FAULT_RUN_H */
