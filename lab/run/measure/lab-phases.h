/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_PHASES_H
#define LAB_PHASES_H

#include "lab-measurement.h"
#include "run-file.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * A port whose rate changes on the way, and what its queue and its utilisation
 * were between the changes. A phase's second half is reported on its own: there
 * the senders have had time to settle.
 */
class LabPhases
{
  public:
    /**
     * \param measurement of the run, outlives this: the rate of its watched port is changed
     * \param steps at least one, the first at 0
     * \param stop end of the last phase, ns
     */
    LabPhases(const LabMeasurement& measurement, const std::vector<RunPhase>& steps, int64_t stop);

    /// Set the first rate and schedule the others.
    void Start();

    /// An array with an object for each phase that began, until now.
    LabJson Summary() const;

  private:
    void Begin(size_t phase);
    void Half();
    static void AddPart(LabJson& json, const LabMark& from, const LabMark& to);

    const LabMeasurement& m_measurement;
    std::vector<RunPhase> m_steps;
    int64_t m_stop;
    std::vector<LabMark> m_begun, m_halves; //!< by phase
};

} // namespace ns3

#endif /* LAB_PHASES_H */
